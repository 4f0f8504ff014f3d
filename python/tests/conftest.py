"""The tests run against an installed package: `pip install dist/*.whl`, then `pytest`."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import sysconfig

import pytest


def program() -> str:
    """The program that came with the package."""
    own = pathlib.Path(sysconfig.get_path("scripts")) / "verispec"
    found = str(own) if own.is_file() else shutil.which("verispec")
    assert found, "the console script verispec is not installed"
    return found


def run(*args: str, cwd: pathlib.Path, exit: int = 0) -> subprocess.CompletedProcess[str]:
    """Runs the program as a process of its own."""
    done = subprocess.run(
        [program(), *args], cwd=cwd, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == exit, done.stderr
    return done


def python(code: str, *args: str, cwd: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """Runs Python code in a fresh interpreter."""
    return subprocess.run(
        [sys.executable, "-c", code, *args], cwd=cwd, capture_output=True, text=True, timeout=300
    )


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder in which `verispec demo` has run: `suite/` and `runs/`."""
    folder = tmp_path_factory.mktemp("demo")
    run("demo", "--out", str(folder), cwd=folder)
    return folder


@pytest.fixture(scope="session")
def demo_run(demo: pathlib.Path) -> str:
    """Name of the demo's run."""
    (made,) = [p.parent.name for p in (demo / "runs").glob("*/manifest.json")]
    return made
