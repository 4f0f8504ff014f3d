"""The program in the wheel."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from conftest import program, python, run

import verispec


def test_demo_prints_scores(tmp_path: pathlib.Path) -> None:
    done = run("demo", "--out", "d", cwd=tmp_path)
    assert "steady" in done.stdout and "careless" in done.stdout
    document = json.loads(run("demo", "--out", "d", "--json", cwd=tmp_path).stdout)
    assert {m["model"] for m in document["models"]} == {"careless", "hasty", "steady"}


def test_version_and_module(tmp_path: pathlib.Path) -> None:
    said = run("--version", cwd=tmp_path).stdout.split()
    assert said == ["verispec", verispec.__version__]
    module = [sys.executable, "-m", "verispec", "--version"]
    assert subprocess.check_output(module, text=True).split() == said


def test_usage_errors_have_code_2(tmp_path: pathlib.Path) -> None:
    done = run("judge", "nothing", cwd=tmp_path, exit=2)
    assert "invalid value 'nothing'" in done.stderr


def test_completions_end_whole(tmp_path: pathlib.Path) -> None:
    script = run("completions", "bash", cwd=tmp_path).stdout
    assert "_verispec()" in script and script.endswith("\n")


def test_nothing_heavy_is_imported(tmp_path: pathlib.Path) -> None:
    code = "import sys, verispec; print([m for m in ('numpy', 'torch', 'pandas') if m in sys.modules])"
    assert python(code, cwd=tmp_path).stdout.strip() == "[]"


def test_import_takes_less_than_300_ms(tmp_path: pathlib.Path) -> None:
    # CPU of the process, so that a busy machine does not decide.
    code = (
        "import time; t = time.process_time(); import verispec; "
        "print(time.process_time() - t)"
    )
    best = min(float(python(code, cwd=tmp_path).stdout) for _ in range(5))
    assert best < 0.3


def test_ctrl_c_stops_and_resumes(demo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    # Each reply takes a second, so that the signal meets a run under way.
    (tmp_path / "slow.py").write_text(
        "import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    request = json.loads(line)\n"
        "    time.sleep(1)\n"
        "    text = json.dumps([{'id': q['id'], 'answer': 'Yes'} for q in request['questions']])\n"
        "    print(json.dumps({'id': request['id'], 'text': text}), flush=True)\n"
    )
    command = json.dumps([sys.executable, "slow.py"])
    (tmp_path / "verispec.toml").write_text(
        f'[judge.slow]\nprovider = "command"\ncommand = {command}\n'
    )
    args = ["judge", "specv", "--data", str(demo / "suite"), "--judge", "slow"]
    child = subprocess.Popen(
        [program(), *args, "--run", "r"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    ledger = tmp_path / "runs" / "r" / "ledger.sqlite"
    deadline = time.monotonic() + 60
    while not ledger.is_file() and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(1.5)
    os.kill(child.pid, signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 130, said
    assert "Traceback" not in said
    # What was recorded stays: the same run goes on with fewer calls than there are instances.
    more = ["--ids", "composition_01", "--run", "s", "--reuse", "runs/r", "--json"]
    after = json.loads(run(*args, *more, cwd=tmp_path).stdout)
    assert after["reused"] >= 1 and after["calls"] + after["reused"] == 3
