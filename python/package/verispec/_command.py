"""Commands of the program, in this process and without printing."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, Union

from ._errors import error_of
from ._table import Table
from ._verispec import command as _run
from ._verispec import tables_of as _tables_of

Path = Union[str, "os.PathLike[str]"]
#: A value of an option: a flag is True or False, a list repeats the option, None leaves it out.
Option = Union[None, bool, int, float, Path, Iterable[Union[int, float, Path]]]


class Document(dict[str, Any]):
    """The JSON document that a command prints with ``--json``.

    ``exit`` is its exit code (0 all settled, 3 something is pending or left out, 4 a gate failed,
    5 stopped by a budget), ``notes`` what it said on standard error, ``text`` what it printed
    where that is no JSON.
    """

    def __init__(self, exit: int, result: str, notes: str) -> None:
        self.exit = exit
        self.notes = notes.strip()
        self.text = ""
        self._json = result
        try:
            value = json.loads(result)
        except ValueError:
            value = None
        if isinstance(value, dict):
            super().__init__(value)
        else:
            super().__init__()
            self._json, self.text = "{}", result

    @property
    def tables(self) -> dict[str, Table]:
        """Every list of records in the document as a table, by its path: ``"study"``,
        ``"ranks.0.rows"``. Fields of records inside a record are columns of their own
        (``"score.value"``), lists inside a record are JSON text."""
        return {path: Table(native) for path, native in _tables_of(self._json)}


def command(*args: Path, **options: Option) -> Document:
    """Runs a command of the program in this process: ``command("study", "items", "RUN")``.

    Options are those of the command line with ``_`` for ``-``: ``limit=2``, ``by_category=True``,
    ``tracks=["t2i", "edit"]``. Other Python threads go on meanwhile.

    Returns:
        The document that the command prints with ``--json``. Codes 3, 4 and 5 are results, not
        exceptions, where there is a document: see ``Document.exit``.

    Raises:
        VerispecError: the command failed (1), could not be understood (2), or stopped before it
            had anything to print.
        KeyboardInterrupt: it was interrupted; what was recorded stays.
    """
    exit, result, notes = _run([*(os.fspath(word) for word in args), "--json", *spelled(options)])
    if exit in (1, 2) or (exit != 0 and not result.strip()):
        raise error_of(exit, notes or result)
    return Document(exit, result, notes)


def spelled(options: Mapping[str, Option]) -> list[str]:
    """Options as the command line has them. A value never becomes an option of its own."""
    words: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, (str, int, float, os.PathLike)):
            words.append(f"{flag}={_text(value)}")
        else:
            words.extend(f"{flag}={_text(one)}" for one in value)
    return words


def _text(value: int | float | Path) -> str:
    return str(value) if isinstance(value, (int, float)) else os.fspath(value)
