"""The program ``verispec``."""

from __future__ import annotations

import signal
import sys

from ._verispec import main as _main


def main() -> int:
    """Runs the program with the arguments of this process and gives its exit code."""
    # Ctrl-C is the program's own affair: a run finishes the calls under way. Python's handler
    # would wait until the program is through.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _main(["verispec", *sys.argv[1:]])
