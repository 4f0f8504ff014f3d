"""Serves the local judge on a free port of 127.0.0.1 until SIGTERM; prints its address.

usage: serve.py DIR KEY [--until-stdin-closes]

With the flag it also ends when its standard input closes, so that it never outlives the program
that started it.
"""

import os
import signal
import sys
import threading

import xllamacpp

folder, key = sys.argv[1:3]
# Blocked before any thread starts, so that the signal waits for sigwait below.
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})

params = xllamacpp.CommonParams()
params.model.path = os.path.join(folder, "model.gguf")
params.mmproj.path = os.path.join(folder, "projector.gguf")
params.model_alias = {"smollm2-135m"}
params.api_keys = [key]
params.port = 0
params.n_ctx = 4096
params.n_parallel = 2
params.n_predict = 256
# More threads spin against each other on a busy machine and are far slower than one.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.endpoint_metrics = True
params.verbosity = 1


def end_with_stdin():
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if "--until-stdin-closes" in sys.argv[3:]:
    threading.Thread(target=end_with_stdin, daemon=True).start()

server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
signal.sigwait({signal.SIGTERM, signal.SIGINT})
# The server's threads do not end by themselves.
os._exit(0)
