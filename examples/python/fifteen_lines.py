#!/usr/bin/env python3
"""From outputs to a table in pandas: `pip install verispec pandas pyarrow`, then
`verispec demo` once for data to look at."""

import verispec

DATA = "verispec-demo/suite"
suite = verispec.suite("specv", DATA)
print(suite, "with", len(suite.specifications), "specifications")
plan = verispec.check("specv", data=DATA)
print(plan["outputs"])
run = verispec.judge("specv", data=DATA, judge="builtin")
scores = run.scores().to_pandas()
print(scores[scores.level == "track"][["model", "score", "low", "high", "coverage"]])
print(run.ranks(track="t2i").to_pandas()[["rank_first", "rank_last", "model"]])
verdicts = run.verdicts().to_pandas()
print(verdicts[verdicts.state == "unmet"][["model", "instance", "question", "answer"]])
