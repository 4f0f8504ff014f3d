"""Times the bootstrap of `rater_taus.rs` against a vectorised NumPy one on the same data.

    python rater_taus.py PATH_OF_THE_RUST_EXAMPLE [DRAWS]

NumPy: multiplicities per dimension, scores of all draws by one matrix product per dimension,
tau-b from sign differences of all pairs of models, batch by batch.
"""
import subprocess
import sys
import tempfile
import time

import numpy as np

MODELS, JUDGES, INSTANCES, DIMENSIONS = (13, 14, 11, 11, 8, 8), 5, 200, 5
binary, draws = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
with tempfile.NamedTemporaryFile() as file:
    def run(*arguments):
        command = [binary, str(draws), file.name, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    printed, true_scores = run(), run("true-scores")
    data = np.fromfile(file.name, dtype="<f8")
ours, mean_tau = map(float, printed.split())
corrected, same_tau = map(float, true_scores.split())

tables, at = [], 0
for models in MODELS:
    size = INSTANCES * JUDGES * models
    tables.append(data[at:at + size].reshape(INSTANCES, JUDGES * models))
    at += size

rng = np.random.default_rng(1)
per_dimension = INSTANCES // DIMENSIONS


def taus(scores, models):
    """tau-b of all judge pairs; scores: batch x (judges * models)."""
    s = scores.reshape(-1, JUDGES, models)
    upper = np.triu_indices(models, 1)
    difference = s[:, :, upper[0]] - s[:, :, upper[1]]
    sign = np.sign(np.where(np.abs(difference) <= 1e-9, 0, difference))
    product = sign @ sign.transpose(0, 2, 1)
    norm = np.sqrt(np.einsum("bjp,bjp->bj", sign, sign))
    first, second = np.triu_indices(JUDGES, 1)
    return (product / norm[:, :, None] / norm[:, None, :])[:, first, second]


def scores(table, times):
    parts = [times[:, d] @ table[d * per_dimension:(d + 1) * per_dimension] / per_dimension
             for d in range(DIMENSIONS)]
    return sum(parts) / DIMENSIONS


one = np.ones((1, DIMENSIONS, per_dimension))
check = np.mean([taus(scores(table, one), models) for table, models in zip(tables, MODELS)])
assert abs(check - mean_tau) < 1e-12, (check, mean_tau)
assert same_tau == mean_tau, (same_tau, mean_tau)

start = time.perf_counter()
batch = 500
for _ in range(0, draws, batch):
    for table, models in zip(tables, MODELS):
        drawn = rng.integers(per_dimension, size=(batch, DIMENSIONS, per_dimension))
        times = np.zeros((batch, DIMENSIONS, per_dimension))
        np.add.at(times, (np.arange(batch)[:, None, None], np.arange(DIMENSIONS)[:, None], drawn), 1)
        taus(scores(table, times), models)
numpy_seconds = time.perf_counter() - start
print(f"{draws} draws: verispec-stats {ours:.3f} s, NumPy {numpy_seconds:.3f} s, ratio {ours / numpy_seconds:.3f}")
print(f"tau between true scores: {corrected:.3f} s, ratio {corrected / numpy_seconds:.3f}")
