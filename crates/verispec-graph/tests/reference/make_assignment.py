"""Reference assignments of SciPy. Run: python make_assignment.py > ../data/assignment.json

Needs numpy and scipy; the versions are written into the file. Sections:
  random     1,000 matrices without ties in practice (four decimals), any shape up to 10 x 10
  ties         200 matrices of few different costs, up to 12 x 12: the pairs show the tie order
  forbidden    100 matrices in which null stands for plus infinity; pairs is null if none is left
"""

import json

import numpy
import scipy
from scipy.optimize import linear_sum_assignment


def solved(matrix):
    try:
        rows, columns = linear_sum_assignment(matrix)
    except ValueError:
        return None, None
    pairs = [[int(r), int(c)] for r, c in zip(rows, columns)]
    return pairs, float(matrix[rows, columns].sum())


def entry(matrix):
    pairs, cost = solved(matrix)
    flat = [None if numpy.isinf(x) else float(x) for x in matrix.ravel()]
    flat = [int(x) if x is not None and x == int(x) else x for x in flat]
    return {"shape": list(matrix.shape), "cost": flat, "pairs": pairs, "total": cost}


def main():
    draw = numpy.random.default_rng(20260423)

    def shape(limit):
        return tuple(int(n) for n in draw.integers(1, limit + 1, 2))

    random = [entry(draw.uniform(-1, 2, shape(10)).round(4)) for _ in range(1000)]
    ties = []
    for _ in range(200):
        levels = int(draw.integers(1, 5))
        ties.append(entry(draw.integers(0, levels, shape(12)).astype(float)))
    forbidden = []
    for _ in range(100):
        matrix = draw.integers(0, 4, shape(7)).astype(float)
        matrix[draw.random(matrix.shape) < draw.uniform(0.2, 0.8)] = numpy.inf
        forbidden.append(entry(matrix))
    made_by = f"numpy {numpy.__version__}, scipy {scipy.__version__}"
    document = {"made_by": made_by, "random": random, "ties": ties, "forbidden": forbidden}
    print(json.dumps(document, separators=(",", ":")))


main()
