#!/usr/bin/env python3
"""Questions to a run's Parquet files, in DuckDB and in polars; the answers have to agree.

    pip install duckdb polars pyarrow
    verispec report RUN --format parquet --out tables
    python3 examples/python/parquet_tables.py tables
"""

import sys

import duckdb
import polars as pl

folder = sys.argv[1] if len(sys.argv) > 1 else "tables"

# 1. Which categories of specifications does each model miss most? Unjudged is no answer: it is
#    counted beside, never as unmet.
by_category = duckdb.sql(f"""
    select model, category,
           count(*) filter (state = 'met') as met,
           count(*) filter (state in ('met', 'unmet')) as judged,
           count(*) filter (state = 'unjudged') as unjudged,
           100.0 * met / nullif(judged, 0) as percent
    from '{folder}/verdicts.parquet'
    group by model, category
    order by percent, model, category
""")
print(by_category)

verdicts = pl.scan_parquet(f"{folder}/verdicts.parquet")
same = (
    verdicts.group_by("model", "category")
    .agg(
        met=(pl.col("state") == "met").sum(),
        judged=pl.col("state").is_in(["met", "unmet"]).sum(),
        unjudged=(pl.col("state") == "unjudged").sum(),
    )
    .sort("model", "category")
    .collect()
)
theirs = by_category.pl().select("model", "category", "met", "judged", "unjudged")
theirs = theirs.sort("model", "category")
if same.rows() != theirs.rows():
    sys.exit("DuckDB and polars disagree")

# 2. On which instances do two models differ most?
print(duckdb.sql(f"""
    select a.track, a.instance, a.model as better, b.model as worse, a.score - b.score as points
    from '{folder}/instances.parquet' a
    join '{folder}/instances.parquet' b using (track, instance)
    where a.score > b.score
    order by points desc, instance, better, worse
    limit 5
"""))

# 3. The average of each model: computed from instances, it has to be the one in the scores.
instances = pl.scan_parquet(f"{folder}/instances.parquet")
track = (
    instances.group_by("model", "track", "dimension")
    .agg(pl.col("score").mean())
    .group_by("model", "track")
    .agg(pl.col("score").mean())
    .sort("model", "track")
    .collect()
)
stated = (
    pl.scan_parquet(f"{folder}/scores.parquet")
    .filter(pl.col("level") == "track")
    .select("model", "track", "score")
    .sort("model", "track")
    .collect()
)
print(track)
for ours, theirs_row in zip(track.rows(), stated.rows()):
    if ours[:2] != theirs_row[:2] or abs(ours[2] - theirs_row[2]) > 1e-9:
        sys.exit(f"{ours} is not {theirs_row}")
print("DuckDB, polars and verispec agree")
