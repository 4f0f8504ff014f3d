"""Reference values of `tests/data/reference.json`, from SciPy, statsmodels and other packages.

    pip install scipy statsmodels krippendorff choix mpmath
    pip install --no-deps irrCAC ppi-python && pip install coverage
    python make.py > ../data/reference.json

Deterministic: the only random numbers are drawn here, with a fixed seed, and written out.
"""
import importlib.metadata as metadata
import json
import sys

import irrCAC.raw
import krippendorff
import mpmath as mp
import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats import inter_rater, multitest, proportion

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


def raters(units, count, categories, missing, agree):
    """Ratings (units x raters), NaN where missing; each rating copies the unit's truth or not."""
    truth = rng.integers(categories, size=units)
    noise = rng.integers(categories, size=(units, count))
    ratings = np.where(rng.random((units, count)) < agree, truth[:, None], noise).astype(float)
    ratings[rng.random((units, count)) < missing] = np.nan
    return ratings


def agreement():
    rows = []
    for units, count, q, missing, agree in ((12, 2, 2, 0, .6), (40, 2, 5, 0, .5), (30, 3, 2, 0, .9),
                                            (25, 4, 6, 0, .4), (60, 5, 2, .3, .8), (50, 4, 5, .4, .5),
                                            (200, 3, 3, .1, 0)):
        ratings = raters(units, count, q, missing, agree)
        table = np.stack([(ratings == k).sum(axis=1) for k in range(q)], axis=1)
        row = {"categories": q, "ratings": [[None if np.isnan(v) else int(v) for v in unit]
                                            for unit in ratings]}
        if missing == 0:
            row["fleiss"] = float(inter_rater.fleiss_kappa(table))
        if count == 2:
            cross = inter_rater.to_table(ratings.astype(int), bins=np.arange(q + 1) - 0.5)[0]
            for name, wt in (("nominal", None), ("linear", "linear"), ("quadratic", "quadratic")):
                row["cohen_" + name] = float(inter_rater.cohens_kappa(cross, wt=wt).kappa)
        rated = ratings[(~np.isnan(ratings)).sum(axis=1) > 0]
        gwet = irrCAC.raw.CAC(pd.DataFrame(rated), categories=[float(k) for k in range(q)], digits=15)
        row["ac1"] = float(gwet.gwet()["est"]["coefficient_value"])
        values = np.sort(rng.normal(size=q)).round(3)
        row["values"] = values.tolist()
        numbers = np.where(np.isnan(ratings), np.nan, values[np.nan_to_num(ratings).astype(int)])
        for level, data, domain in (("nominal", ratings, np.arange(float(q))),
                                    ("ordinal", ratings, np.arange(float(q))),
                                    ("interval", numbers, values)):
            row["alpha_" + level] = float(krippendorff.alpha(
                data.T, value_domain=domain, level_of_measurement=level))
        rows.append(row)
    return rows


def intervals():
    rows = {"mean": [], "clustered": [], "wilson": []}
    for n in (2, 5, 30, 200):
        x = rng.normal(3, 2, size=n)
        low, high = stats.t.interval(0.95, n - 1, loc=x.mean(), scale=stats.sem(x))
        rows["mean"].append({"x": x.tolist(), "mean": float(x.mean()), "se": float(stats.sem(x)),
                             "low": float(low), "high": float(high)})
    for n, groups in ((8, 3), (60, 12), (300, 40)):
        clusters = rng.integers(groups, size=n)
        x = (rng.normal(size=n) + rng.normal(size=groups)[clusters] > 0).astype(float)
        fit = {use: sm.OLS(x, np.ones(n)).fit(cov_type="cluster", use_t=True, cov_kwds={
            "groups": clusters, "use_correction": use, "df_correction": True})
            for use in (False, True)}
        low, high = fit[True].conf_int(0.05)[0]
        rows["clustered"].append({"x": x.tolist(), "clusters": clusters.tolist(),
                                  "se_none": float(fit[False].bse[0]),
                                  "se_clusters": float(fit[True].bse[0]),
                                  "low": float(low), "high": float(high)})
    for k, n, level in ((0, 5, .95), (8, 10, .95), (5, 5, .9), (37, 200, .99), (1, 1, .95)):
        low, high = proportion.proportion_confint(k, n, alpha=1 - level, method="wilson")
        rows["wilson"].append([k, n, level, float(low), float(high)])
    return rows


def hypothesis():
    rows = {"sign_flip": [], "mcnemar": [], "multiple": []}
    for n, grid in ((2, 4), (6, 4), (10, 0), (12, 5), (14, 3)):
        d = rng.normal(0.4, 1, size=n)
        d = np.round(d * grid) / grid if grid else d
        test = stats.permutation_test((d,), np.mean, permutation_type="samples",
                                      n_resamples=np.inf, vectorized=False)
        rows["sign_flip"].append({"d": d.tolist(), "p": float(test.pvalue)})
    for b, c in ((3, 0), (1, 8), (5, 5), (12, 25), (300, 340), (0, 1)):
        exact = sm.stats.mcnemar([[0, b], [c, 0]], exact=True).pvalue
        least = min(b, c)
        mid = 2 * stats.binom.cdf(least - 1, b + c, .5) + stats.binom.pmf(least, b + c, .5)
        rows["mcnemar"].append([b, c, float(exact), float(mid)])
    for m in (1, 5, 20):
        p = np.concatenate([rng.random(m), rng.random(m) ** 4, [0.01, 0.01]])
        adjust = {name: multitest.multipletests(p, method=method)[1].tolist()
                  for name, method in (("holm", "holm"), ("bh", "fdr_bh"))}
        rows["multiple"].append({"p": p.tolist(), **adjust})
    return rows


def main():
    out["special"] = special()
    out["correlation"] = correlation()
    out["agreement"] = agreement()
    out["intervals"] = intervals()
    out["hypothesis"] = hypothesis()
    json.dump(out, sys.stdout, indent=None, separators=(",", ":"), allow_nan=False)
    print()


main()
