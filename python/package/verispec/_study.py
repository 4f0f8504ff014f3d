"""Studies: what several sets of results say."""

from __future__ import annotations

import os
from typing import Union

from ._command import Document, Option, command
from ._run import Run, Runs, names


def study(kind: str, of: Runs, **options: Option) -> Document:
    """Runs a study: ``study("items", run)``, ``study("stability", [run, other])``.

    Args:
        kind: ``stability``, ``drift``, ``human``, ``family``, ``items``, ``leak``, ``policies`` or
            ``realunify`` (docs/studies.md).
        of: The runs, in the order in which the command takes them.
        options: Options of ``verispec study KIND``.

    Returns:
        The study's document; ``document.tables`` are its lists as Arrow tables.

    Raises:
        VerispecError: a run is not there, or the study cannot be made of these runs.
    """
    return command("study", kind, *names(of), **options)


def compare(
    first: Union[Run, str], second: Union[Run, str], **options: Option
) -> Document:
    """Is one model better than another? The paired difference with its interval and test.

    Args:
        first: A run of one model, or ``"RUN:MODEL"``.
        second: As ``first``, or ``":MODEL"`` for another model of the same run.
        options: Options of ``verispec compare``.

    Raises:
        VerispecError: the models have nothing in common, or the runs are not alike.
    """
    return command("compare", _name(first), _name(second), **options)


def gate(of: Union[Run, str], *, baseline: Union[Run, str], **options: Option) -> Document:
    """May this go on? ``document.exit`` is 4 if the gate failed (docs/gate.md).

    Args:
        of: The candidate: a run of one model, or ``"RUN:MODEL"``.
        baseline: What it is held against.
        options: Options of ``verispec gate``: ``min_delta=-1``, ``alpha=0.05``.

    Raises:
        VerispecError: as for `compare`.
    """
    return command("gate", _name(of), baseline=_name(baseline), **options)


def _name(run: Union[Run, str]) -> str:
    return os.fspath(run)
