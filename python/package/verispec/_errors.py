"""What goes wrong."""

from __future__ import annotations


class VerispecError(Exception):
    """A command failed; the text is what the program says on standard error.

    ``exit`` is the program's exit code: 1 something failed, 2 arguments or configuration are
    wrong and nothing was done; 3, 4 or 5 where the command stopped before it had a result: calls
    that are pending, a gate that failed (a canary's), a limit that was reached.
    """

    def __init__(self, message: str, exit: int = 1) -> None:
        super().__init__(message)
        self.exit = exit


def error_of(exit: int, notes: str) -> VerispecError:
    """The exception for what a command noted; whatever stands before the error stays in it."""
    text = notes.strip()
    return VerispecError(text[7:] if text.startswith("error: ") else text, exit)
