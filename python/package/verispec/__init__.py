"""Measure multimodal models by verified specifications.

The package holds the program (``verispec`` on the command line) and a small interface to it::

    import verispec

    run = verispec.judge("specv", data="SpecV", outputs="my-outputs",
                         judge="openai:Qwen3-VL-32B", endpoint="http://localhost:8000/v1")
    print(run.scores().to_pandas())

Tables are handed over in Arrow's memory format: pandas, polars, pyarrow and DuckDB take them as
they are. None of them is needed to install or import this package.
"""

from __future__ import annotations

from ._command import Document, Option, command
from ._errors import VerispecError
from ._run import Run, Tables, check, generate, judge, judge_async, ranks, scores, tables, verdicts
from ._study import compare, gate, study
from ._suite import Suite, suite
from ._table import Table
from ._verispec import __version__
from .adapter import Model, Refused, Task, serve

__all__ = [
    "Document",
    "Model",
    "Option",
    "Refused",
    "Run",
    "Suite",
    "Table",
    "Tables",
    "Task",
    "VerispecError",
    "__version__",
    "check",
    "command",
    "compare",
    "gate",
    "generate",
    "judge",
    "judge_async",
    "ranks",
    "scores",
    "serve",
    "study",
    "suite",
    "tables",
    "verdicts",
]
