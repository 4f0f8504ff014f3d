"""Suites, runs and studies as tables."""

from __future__ import annotations

import asyncio
import pathlib
import threading

import pytest

import verispec
from conftest import python

FIFTEEN_LINES = '''
import sys
import verispec
data = sys.argv[1]
suite = verispec.suite("specv", data)
print(suite.name, len(suite.instances), "instances", len(suite.specifications), "specifications")
plan = verispec.check("specv", data=data)
assert plan.exit == 0, plan["problems"]
run = verispec.judge("specv", data=data, judge="builtin", runs="runs")
scores = run.scores().to_pandas()
print(scores[scores.level == "track"][["model", "score", "low", "high", "coverage"]])
verdicts = run.verdicts().to_pandas()
print(verdicts.groupby(["model", "state"]).size())
items = verispec.study("items", run).tables["study"].to_pandas()
print(items[["instance", "spec", "met", "verdicts"]].head())
'''


def test_fifteen_lines_with_pandas(demo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    assert len(FIFTEEN_LINES.strip().splitlines()) <= 15
    done = python(FIFTEEN_LINES, str(demo / "suite"), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("specv 14 instances 74 specifications\n")
    assert "steady" in done.stdout and "unjudged" in done.stdout


def test_suite(demo: pathlib.Path) -> None:
    suite = verispec.suite("specv", demo / "suite")
    assert (suite.name, suite.tracks) == ("specv", ["t2i"])
    rows = suite.specifications.rows()
    assert len(rows) == 74
    assert rows[0]["question"] == "Are there exactly three red circles in the image?"
    assert rows[0]["expected"] == "Yes" and rows[0]["depends_on"] == []
    assert sum(r["specifications"] for r in suite.instances) == 74


def test_tables_agree_with_the_program(demo: pathlib.Path, demo_run: str) -> None:
    run = verispec.Run(demo_run, runs=demo / "runs")
    document = verispec.command("score", demo_run, runs=demo / "runs")
    tables = run.tables()
    averages = {r["model"]: r["score"] for r in tables.scores if r["level"] == "average"}
    assert averages == {m["model"]: m["average"]["value"] for m in document["models"]}
    for model in document["models"]:
        states = [r["state"] for r in tables.verdicts if r["model"] == model["model"]]
        assert states.count("met") == model["counters"]["met"]
        assert states.count("unjudged") == model["counters"]["unjudged"]
    assert len(tables.instances) == 3 * 14
    ranks = run.ranks(track="t2i").rows()
    assert ranks[0]["rank_first"] == 1 and ranks[0]["by"] == "t2i"
    assert run.manifest["suite"] == "specv"


def test_a_policy_changes_the_numbers_name(demo: pathlib.Path, demo_run: str) -> None:
    rows = verispec.scores(demo_run, runs=demo / "runs", missing="exclude").rows()
    assert {r["missing"] for r in rows} == {"exclude"}


def test_pandas_polars_pyarrow_duckdb_take_the_same_table(
    demo: pathlib.Path, demo_run: str
) -> None:
    verdicts = verispec.verdicts(demo_run, runs=demo / "runs")
    taken = 0
    for name in ["pandas", "polars", "pyarrow"]:
        pytest.importorskip(name)
        frame = getattr(verdicts, "to_arrow" if name == "pyarrow" else f"to_{name}")()
        assert len(frame) == len(verdicts) == 222
        taken += 1
    assert taken == 3
    duckdb = pytest.importorskip("duckdb")
    held = verdicts.to_arrow()  # noqa: F841 - DuckDB finds it by its name
    counted = duckdb.sql("select count(*) from held where state = 'unjudged'").fetchall()
    assert counted == [(sum(row["state"] == "unjudged" for row in verdicts),)]


def test_memory_outlives_the_table(demo: pathlib.Path, demo_run: str) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(verispec.verdicts(demo_run, runs=demo / "runs"))
    assert frame["model"].n_unique() == 3
    stream = verispec.scores(demo_run, runs=demo / "runs").__arrow_c_stream__()
    del stream  # nobody took it: the capsule frees it


def test_judge_releases_the_lock_and_resumes(demo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    count, stop = [0], threading.Event()

    def tick() -> None:
        while not stop.wait(0.001):
            count[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        run = verispec.judge(
            "specv", data=demo / "suite", judge="builtin", models="steady", runs=tmp_path / "runs"
        )
    finally:
        stop.set()
        thread.join()
    assert count[0] > 5
    assert run.complete and run.outcome is not None and run.outcome["calls"] == 14
    options = {"data": demo / "suite", "judge": "builtin", "models": "steady"}
    again = asyncio.run(verispec.judge_async("specv", runs=tmp_path / "runs", **options))
    assert again.name == run.name
    assert again.outcome is not None and again.outcome["calls"] == 0


def test_what_is_left_out_is_no_exception(demo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    run = verispec.judge(
        "specv",
        data=demo / "suite",
        judge="builtin",
        limit=1,
        min_coverage=1.0,
        runs=tmp_path / "runs",
    )
    assert run.outcome is not None
    if run.outcome["coverage"] < 1:
        assert run.outcome.exit == 3 and not run.complete
        assert "coverage" in run.outcome.notes


def test_studies(demo: pathlib.Path, demo_run: str) -> None:
    run = verispec.Run(demo_run, runs=demo / "runs")
    items = verispec.study("items", run)
    assert len(items.tables["study"]) == 74
    assert "discrimination.value" in items.tables["study"].columns
    compared = verispec.compare(f"{demo_run}:steady", ":hasty", runs=demo / "runs", draws=200)
    assert compared["kind"] == "compare"


def test_a_command_that_stops_before_its_document_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(args: list[str]) -> tuple[int, str, str]:
        return 4, "", "error: the canary has changed"

    monkeypatch.setattr("verispec._command._run", stopped)
    with pytest.raises(verispec.VerispecError, match="^the canary has changed$") as caught:
        verispec.judge("specv", judge="builtin")
    assert caught.value.exit == 4


def test_errors_are_the_programs_own(demo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with pytest.raises(verispec.VerispecError, match='no run "nothing"') as caught:
        verispec.scores("nothing", runs=tmp_path)
    assert caught.value.exit == 2
    with pytest.raises(verispec.VerispecError, match="invalid value 'x'") as caught:
        verispec.check("x")
    assert caught.value.exit == 2
    with pytest.raises(verispec.VerispecError, match="unexpected argument '--no-such-flag'"):
        verispec.check("specv", no_such_flag=True)
    with pytest.raises(verispec.VerispecError, match="who judges"):
        verispec.judge("specv", data=demo / "suite", runs=tmp_path)
    with pytest.raises(verispec.VerispecError):
        verispec.suite("specv", tmp_path / "absent")


def test_nothing_is_printed(demo: pathlib.Path, demo_run: str, tmp_path: pathlib.Path) -> None:
    code = (
        "import sys, verispec\n"
        "verispec.judge('specv', data=sys.argv[1], judge='builtin', runs='runs')\n"
        "verispec.check('specv', data=sys.argv[1])\n"
    )
    done = python(code, str(demo / "suite"), cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
