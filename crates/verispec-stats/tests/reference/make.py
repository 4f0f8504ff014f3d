"""Reference values of `tests/data/reference.json`, from SciPy, statsmodels and other packages.

    pip install scipy statsmodels krippendorff choix mpmath
    pip install --no-deps irrCAC ppi-python && pip install coverage
    python make.py > ../data/reference.json

Deterministic: the only random numbers are drawn here, with a fixed seed, and written out.
"""
import importlib.metadata as metadata
import json
import sys

import mpmath as mp
import numpy as np
from scipy import stats

rng = np.random.default_rng(20260801)
mp.mp.dps = 40
out = {"versions": {name: metadata.version(name) for name in (
    "numpy", "scipy", "statsmodels", "krippendorff", "choix", "irrCAC", "ppi-python", "mpmath")}}


def special():
    """40-digit values: SciPy itself is only good to about 1e-14 here."""
    rows = {"normal": [], "normal_quantile": [], "t": [], "t_quantile": [], "half_binomial": []}
    for z in (0.0, 0.3, 1.0, 1.96, 3.2905, 5.0, 8.0, 12.0, 20.0):
        rows["normal"].append([z, float(mp.erfc(mp.mpf(z) / mp.sqrt(2)))])
    for p in (0.5, 0.975, 0.95, 0.6, 0.501, 0.999, 1e-3, 1e-10, 1e-100):
        z = mp.findroot(lambda v: mp.erfc(-v / mp.sqrt(2)) / 2 / p - 1, stats.norm.ppf(p))
        rows["normal_quantile"].append([p, float(z)])

    def t_tail(t, df):
        t, df = mp.mpf(t), mp.mpf(df)
        return mp.betainc(df / 2, mp.mpf(1) / 2, 0, df / (df + t * t), regularized=True)

    for t, df in ((0.1, 1), (1.0, 2), (2.0, 9), (3.5, 98), (0.01, 50), (8.0, 798), (2.5, 11856),
                  (12.0, 1000), (30.0, 5), (1.96, 1e6), (4.0, 2.5)):
        rows["t"].append([t, df, float(t_tail(t, df))])
    for p, df in ((0.975, 1), (0.975, 2), (0.6, 7), (0.975, 29), (0.95, 199), (0.9999, 3),
                  (0.025, 12), (0.975, 11999), (0.5001, 4)):
        tail = 2 * min(mp.mpf(p), 1 - mp.mpf(p))
        start = abs(stats.t.ppf(p, df))
        t = mp.findroot(lambda v: t_tail(v, df) / tail - 1, (start * 0.999, start * 1.001))
        rows["t_quantile"].append([p, df, float(t) * (1 if p >= 0.5 else -1)])
    for k, n in ((0, 1), (3, 10), (5, 10), (7, 10), (40, 100), (100, 400), (480, 1000), (900, 2000)):
        pmf = [mp.binomial(n, i) / mp.mpf(2) ** n for i in range(k + 1)]
        rows["half_binomial"].append([k, n, float(sum(pmf)), float(pmf[-1])])
    return rows


def rank_cases():
    cases = []
    for n, grid in ((2, 0), (3, 0), (5, 0), (8, 0), (8, 3), (13, 0), (13, 6), (20, 4), (33, 0), (34, 0),
                    (60, 0), (65, 20), (200, 10), (800, 5)):
        for strength in (0.0, 0.8, 3.0):
            x = rng.normal(size=n)
            y = strength * x + rng.normal(size=n)
            if grid:
                x, y = np.round(x * grid / 3), np.round(y * grid / 4)
            if len(set(x)) > 1 and len(set(y)) > 1:
                cases.append((x, y))
    for n in (9, 40, 170):
        x = np.arange(n, dtype=float)
        y = x.copy()
        y[[3, 4]] = y[[4, 3]]
        cases += [(x, y), (x, -y)]
    return cases


def correlation():
    rows = []
    for x, y in rank_cases():
        kendall = stats.kendalltau(x, y)
        row = {"x": x.tolist(), "y": y.tolist(), "tau_b": kendall.statistic, "tau_p": kendall.pvalue,
               "tau_c": stats.kendalltau(x, y, variant="c").statistic,
               "weighted": stats.weightedtau(x, y).statistic,
               "weighted_by_first": stats.weightedtau(x, y, rank=None).statistic,
               "spearman": stats.spearmanr(x, y).statistic, "pearson": stats.pearsonr(x, y).statistic}
        if len(x) > 2:
            row["tau_p_normal"] = stats.kendalltau(x, y, method="asymptotic").pvalue
            row["spearman_p"] = stats.spearmanr(x, y).pvalue
            row["pearson_p"] = stats.pearsonr(x, y).pvalue
        rows.append({k: v if isinstance(v, list) else float(v) for k, v in row.items()})
    return rows


def main():
    out["special"] = special()
    out["correlation"] = correlation()
    json.dump(out, sys.stdout, indent=None, separators=(",", ":"), allow_nan=False)
    print()


main()
