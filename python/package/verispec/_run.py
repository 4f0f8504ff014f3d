"""Runs: judging, and what came of it."""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Optional, Union

from ._command import Document, Option, Path, command, spelled
from ._table import Table
from ._verispec import run_tables as _run_tables


@dataclass(frozen=True)
class Tables:
    """What runs say, read once."""

    #: A row for each model's average, tracks and dimensions. ``level`` tells which; ``score`` is
    #: percent, ``low`` and ``high`` bound it over everything unjudged, ``coverage`` is 0-1.
    scores: Table
    #: A row an instance: model, track, dimension, instance, score (percent, null where nothing is
    #: decided), policy, protocol, judge, runs.
    instances: Table
    #: A row a specification: its question, the expected and the given answer, ``state`` (met,
    #: unmet, unjudged, pending, ...), why it is so. An output that failed is one row that stands
    #: for ``count`` specifications.
    verdicts: Table


class Run:
    """A run or an import, by its name below ``runs`` or by its folder.

    Every method reads the run anew, without a call to anybody; a run that goes on in another
    process shows what is recorded by then.
    """

    def __init__(
        self, name: Path, *, runs: Path = "runs", outcome: Optional[Document] = None
    ) -> None:
        self.name = os.fspath(name)
        self.runs = pathlib.Path(runs)
        #: What `judge` printed, where this run comes from it: calls, tokens, cost, counters.
        self.outcome = outcome

    @property
    def folder(self) -> pathlib.Path:
        """Where the run is kept."""
        own = pathlib.Path(self.name)
        return own if (own / "manifest.json").is_file() else self.runs / self.name

    @property
    def manifest(self) -> dict[str, Any]:
        """What was asked: suite, models, judge, protocol, filters.

        Raises:
            FileNotFoundError: there is no such run.
        """
        with open(self.folder / "manifest.json", encoding="utf-8") as file:
            manifest: dict[str, Any] = json.load(file)
        return manifest

    @property
    def complete(self) -> Optional[bool]:
        """Whether the `judge` call that gave this run settled everything; None for other runs."""
        return None if self.outcome is None else self.outcome.exit == 0

    def tables(self, **policy: Option) -> Tables:
        """Scores, instances and verdicts; see `verispec.tables`."""
        return tables(self, runs=self.runs, **policy)

    def scores(self, **policy: Option) -> Table:
        """Scores in long form; see `verispec.Tables`."""
        return self.tables(**policy).scores

    def verdicts(self, **policy: Option) -> Table:
        """A row a specification; see `verispec.Tables`."""
        return self.tables(**policy).verdicts

    def ranks(self, track: Optional[str] = None, **policy: Option) -> Table:
        """A row a model and ranking; see `verispec.ranks`."""
        return ranks(self, runs=self.runs, track=track, **policy)

    def __fspath__(self) -> str:
        return str(self.folder)

    def __repr__(self) -> str:
        return f"<verispec.Run {self.name}>"


#: A run, its name, or its folder; or several of them.
Runs = Union[Path, Iterable[Path]]


def names(of: Runs) -> list[str]:
    """Runs as the command line names them."""
    several = [of] if isinstance(of, (str, os.PathLike)) else of
    return [os.fspath(one) for one in several]


def tables(of: Runs, *, runs: Path = "runs", **policy: Option) -> Tables:
    """Scores, instances and verdicts of runs, put side by side.

    Args:
        of: A run or several; names are looked up below ``runs``.
        policy: Options of ``verispec score``: ``missing="exclude"``, ``scoring="board"``,
            ``track="t2i"``, ``ensemble="majority"`` and so on.

    Raises:
        VerispecError: there is no such run, the runs share no suite, or the policy does not fit.
    """
    named = _run_tables(["score", *names(of), *spelled({"runs": runs, **policy})])
    made = {name: Table(native) for name, native in named}
    return Tables(made["scores"], made["instances"], made["verdicts"])


def scores(of: Runs, *, runs: Path = "runs", **policy: Option) -> Table:
    """The scores of `tables`."""
    return tables(of, runs=runs, **policy).scores


def verdicts(of: Runs, *, runs: Path = "runs", **policy: Option) -> Table:
    """The verdicts of `tables`."""
    return tables(of, runs=runs, **policy).verdicts


def ranks(of: Runs, *, runs: Path = "runs", **options: Option) -> Table:
    """Ranks of models: ``by`` (average or a track), ``rank_first`` to ``rank_last`` (a range where
    bounds overlap), score and bounds, or ``why_unranked``.

    Args:
        of: A run or several of one judge and protocol.
        options: Options of ``verispec rank``: ``track="t2i"``, ``with_published=True``,
            ``across_judges=True`` and those of ``score``.

    Raises:
        VerispecError: as for `tables`; or the runs differ in judge, protocol or reader.
    """
    named = _run_tables(["rank", *names(of), *spelled({"runs": runs, **options})])
    return Table(dict(named)["ranks"])


def check(
    suite: str,
    *,
    data: Optional[Path] = None,
    outputs: Optional[Path] = None,
    judge: Optional[str] = None,
    **options: Option,
) -> Document:
    """What a judge run would meet, before any call: what is missing or misnamed, and the price
    where a judge is named. ``exit`` is 3 if anything is amiss.

    Args:
        suite: ``"specv"``, ``"realunify"`` or ``"custom"``.
        data: Checkout of the benchmark, or the file of a custom suite.
        outputs: What the models made (docs/outputs.md).
        judge: Judge of ``verispec.toml``, ``PROVIDER:MODEL`` or ``builtin``.
        options: More options of ``verispec check``.

    Raises:
        VerispecError: data, outputs or configuration cannot be read.
    """
    return command("check", suite, data=data, outputs=outputs, judge=judge, **options)


def judge(
    suite: str,
    *,
    judge: Optional[str] = None,
    data: Optional[Path] = None,
    outputs: Optional[Path] = None,
    endpoint: Union[None, str, list[str]] = None,
    models: Union[None, str, list[str]] = None,
    tracks: Union[None, str, list[str]] = None,
    limit: Optional[int] = None,
    protocol: Optional[str] = None,
    run: Optional[str] = None,
    runs: Path = "runs",
    **options: Option,
) -> Run:
    """Puts outputs to a judge and waits for the end; the same call again resumes.

    The interpreter's lock is released: other threads go on. Ctrl-C stops after the calls under
    way and raises KeyboardInterrupt; what was recorded stays.

    Args:
        suite: ``"specv"``, ``"realunify"`` or ``"custom"``.
        judge: Judge of ``verispec.toml``, ``PROVIDER:MODEL`` or ``builtin``.
        data: Checkout of the benchmark, or the file of a custom suite.
        outputs: What the models made (docs/outputs.md); by default inside ``data``.
        endpoint: Address of the judge's server, or several that share the load.
        models: Only these models.
        tracks: Only these tracks.
        limit: Only so many instances a dimension; such a run is marked partial.
        protocol: ``whole``, ``independent``, ``chunked:N``, ``holistic`` or a published one.
        run: Name of the run; by default made from what is judged.
        runs: Folder that holds runs.
        options: More options of ``verispec judge``: ``repeats=3``, ``concurrency=32``,
            ``max_cost=25``, ``shard="1/8"``, ``retry=["refused"]``.

    Returns:
        The run. ``run.outcome.exit`` is 0, or 3 (something is pending, or coverage is low) or 5
        (budget): these are no exceptions, the run can go on.

    Raises:
        VerispecError: nothing could be judged: data, configuration, key, address, or a canary that
            has changed (``exit`` 4) or could not be asked to its end (3 or 5).
        KeyboardInterrupt: interrupted.
    """
    outcome = command(
        "judge",
        suite,
        judge=judge,
        data=data,
        outputs=outputs,
        endpoint=endpoint,
        models=models,
        tracks=tracks,
        limit=limit,
        protocol=protocol,
        run=run,
        runs=runs,
        **options,
    )
    return Run(outcome["run"], runs=runs, outcome=outcome)


async def judge_async(suite: str, **options: Any) -> Run:
    """`judge` in a thread of its own, for use inside an event loop.

    Cancelling the task does not stop the run, which goes on in its thread; Ctrl-C does.
    """
    return await asyncio.to_thread(judge, suite, **options)


def generate(
    suite: str, *, model: str, out: Path, data: Optional[Path] = None, **options: Option
) -> Document:
    """Has a model make outputs for a suite, into a tree that `check` and `judge` read.

    Args:
        suite: ``"specv"``, ``"realunify"``, ``"dsg"``, ``"xtc"`` or ``"custom"``.
        model: Model of ``verispec.toml``, or ``PROVIDER:MODEL``.
        out: Folder of the outputs.
        data: Data of the suite.
        options: More options of ``verispec generate``.

    Returns:
        Counts of instances and calls; ``exit`` is 3 while some are pending.

    Raises:
        VerispecError: nothing could be made: data, configuration, key, program.
        KeyboardInterrupt: interrupted; the same call resumes.
    """
    return command("generate", suite, model=model, out=out, data=data, **options)
