"""Suites: what is measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from ._command import Path, spelled
from ._table import Table
from ._verispec import suite as _suite


@dataclass(frozen=True)
class Suite:
    """A benchmark as read from its data."""

    #: Short name, for instance ``specv``.
    name: str
    #: Content version: changes with any prompt, reference or specification.
    revision: str
    #: Tracks in the suite's own order.
    tracks: list[str]
    #: A row an instance: track, dimension, instance, prompt, references (list of absolute paths,
    #: which may be absent on disk), specifications (their number).
    instances: Table
    #: A row a specification: track, dimension, instance, specification (label inside the
    #: instance), question, category, subcategory, expected (Yes or No), rating, weight, critical,
    #: depends_on (list of labels).
    specifications: Table

    def __repr__(self) -> str:
        return f"<verispec.Suite {self.name} {self.revision}: {len(self.instances)} instances>"


def suite(name: str, data: Optional[Path] = None, *, config: Optional[Path] = None) -> Suite:
    """Reads a suite: ``"specv"`` or ``"realunify"`` from a checkout, ``"custom"`` from a file.

    Args:
        name: Kind of the suite.
        data: Folder of the checkout, or the file of a custom suite; by default what
            ``verispec.toml`` says.
        config: Configuration file instead of ``verispec.toml``.

    Raises:
        VerispecError: the data is not there or cannot be read; the text names file and field.
    """
    options = spelled({"data": data, "config": config})
    name, revision, tracks, instances, specifications = _suite(["suite", "inspect", name, *options])
    return Suite(name, revision, tracks, Table(instances), Table(specifications))
