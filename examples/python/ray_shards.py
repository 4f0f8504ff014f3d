#!/usr/bin/env python3
"""A run divided over Ray tasks: each judges one shard, then the shards are joined.

    pip install verispec ray
    python3 examples/python/ray_shards.py specv --data SpecV --outputs my-outputs \\
        --judge openai:Qwen3-VL-32B --endpoint http://localhost:8000/v1 --shards 8

Data, outputs and runs have to lie where every worker sees them. A task that dies is started again
by Ray and resumes its shard: what was recorded is not asked again. Two tasks never write to the
same shard, since a run has a lock.
"""

import argparse
import os

import ray

import verispec


@ray.remote(num_cpus=1, max_retries=3, retry_exceptions=True)
def judge(shard, suite, options):
    run = verispec.judge(suite, shard=shard, **options)
    if not run.complete:
        # Ray starts the task again; the shard goes on where it is.
        raise RuntimeError(f"shard {shard} is not complete: {run.outcome.notes}")
    return run.name, run.outcome["calls"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("suite")
    parser.add_argument("--data", required=True)
    parser.add_argument("--outputs")
    parser.add_argument("--judge", required=True)
    parser.add_argument("--endpoint")
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--runs", default="runs")
    parser.add_argument("--name", default="by-ray")
    args = parser.parse_args()

    options = {
        "data": os.path.abspath(args.data),
        "outputs": args.outputs and os.path.abspath(args.outputs),
        "judge": args.judge,
        "endpoint": args.endpoint,
        "run": args.name,
        "runs": os.path.abspath(args.runs),
    }
    ray.init()
    shards = [f"{i}/{args.shards}" for i in range(1, args.shards + 1)]
    done = ray.get([judge.remote(shard, args.suite, options) for shard in shards])
    for name, calls in done:
        print(f"{name}: {calls} calls")
    folders = [os.path.join(options["runs"], name) for name, _ in done]
    verispec.command("ledger", "merge", *folders, into=args.name, runs=options["runs"])
    for row in verispec.scores(args.name, runs=options["runs"]):
        if row["level"] == "average":
            print(row["model"], row["score"], f"[{row['low']}, {row['high']}]")


if __name__ == "__main__":
    main()
