"""Reference values of `tests/data/reference.json`, from SciPy, statsmodels and other packages.

    pip install scipy statsmodels krippendorff choix mpmath
    pip install --no-deps irrCAC ppi-python && pip install coverage
    python make.py > ../data/reference.json

Deterministic: the only random numbers are drawn here, with a fixed seed, and written out.
"""
import importlib.metadata as metadata
import itertools
import json
import math
import sys

import choix
import irrCAC.raw
import krippendorff
import mpmath as mp
import numpy as np
import pandas as pd
import ppi_py
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import optimize, stats
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
    rows["equal_rates"] = []
    for yes, n in (((3, 9), (12, 14)), ((5, 7, 2), (20, 20, 20)), ((1, 0, 4, 6), (9, 8, 10, 9))):
        table = np.array([yes, np.subtract(n, yes)])
        chi = stats.chi2_contingency(table, correction=False).statistic
        # Exact: all tables with these margins, weighted by how many deals give each.
        total = as_large = 0
        for counts in itertools.product(*(range(k + 1) for k in n)):
            if sum(counts) == sum(yes):
                weight = math.prod(math.comb(a, b) for a, b in zip(n, counts))
                total += weight
                other = np.array([counts, np.subtract(n, counts)])
                expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
                if ((other - expected) ** 2 / expected).sum() >= chi * (1 - 1e-12):
                    as_large += weight
        rows["equal_rates"].append({"yes": yes, "n": n, "chi_square": float(chi),
                                    "p": as_large / total})
    for m in (1, 5, 20):
        p = np.concatenate([rng.random(m), rng.random(m) ** 4, [0.01, 0.01]])
        adjust = {name: multitest.multipletests(p, method=method)[1].tolist()
                  for name, method in (("holm", "holm"), ("bh", "fdr_bh"))}
        rows["multiple"].append({"p": p.tolist(), **adjust})
    return rows


def bootstrap():
    """SciPy's own resamples and its percentile and BCa intervals from them."""
    rows = []

    def skewness(x, axis):
        return stats.skew(x, axis=axis)

    def mean_of_means(x, y, axis):
        return (np.mean(x, axis=axis) + np.mean(y, axis=axis)) / 2

    for name, statistic, sizes in (("skewness", skewness, (25,)), ("mean", np.mean, (12,)),
                                   ("mean of means", mean_of_means, (15, 9))):
        data = tuple(rng.exponential(size=n) for n in sizes)
        row = {"name": name, "strata": [d.tolist() for d in data],
               "estimate": float(statistic(*data, axis=-1))}
        for method in ("percentile", "BCa"):
            result = stats.bootstrap(data, statistic, n_resamples=599, method=method,
                                     rng=np.random.default_rng(17))
            row["draws"] = result.bootstrap_distribution.tolist()
            row[method] = [float(v) for v in result.confidence_interval]
            row["se"] = float(result.standard_error)
        rows.append(row)
    return rows


def rank_sets():
    """Mogstad et al. 2024, algorithm 3.2, straight from the text: one-sided stepdown, with the
    critical value widened as Hesterberg's expanded percentile for 40 instances."""

    def widened(c):
        return stats.t.isf(stats.norm.sf(c), 39) * np.sqrt(40 / 39)

    rows = []
    for p, spread in ((4, 2.0), (7, 1.0), (10, 0.3)):
        estimate = np.sort(rng.normal(size=p) * spread)[::-1].round(3)
        draws = (estimate + 0.3 * rng.normal(size=(99, p))).round(4)
        difference = estimate[:, None] - estimate
        each = draws[:, :, None] - draws[:, None, :]
        with np.errstate(invalid="ignore"):
            sd = each.std(axis=0, ddof=1)
            t, t_draws = difference / sd, (each - difference) / sd

        def rejected(open_pairs):
            done = np.zeros((p, p), bool)
            while open_pairs.any():
                largest = np.sort(t_draws[:, open_pairs].max(axis=1))
                hit = open_pairs & (t > widened(largest[95 - 1]))  # ceil(100 * 0.95)-th smallest of 99
                if not hit.any():
                    break
                done |= hit
                open_pairs = open_pairs & ~hit
            return done

        off = ~np.eye(p, dtype=bool)
        above = rejected(off)
        row = {"estimate": estimate.tolist(), "draws": draws.tolist(), "simultaneous": [
            [int(1 + above[:, j].sum()), int(p - above[j].sum())] for j in range(p)], "marginal": []}
        for j in range(p):
            about = off & ((np.arange(p)[:, None] == j) | (np.arange(p) == j))
            above = rejected(about)
            row["marginal"].append([int(1 + above[:, j].sum()), int(p - above[j].sum())])
        rows.append(row)
    return rows


def paired_comparison():
    rows = []
    six = (rng.integers(1, 30, size=(6, 6)) * (1 - np.eye(6, dtype=int))).tolist()
    for wins in ([[0, 7, 8], [3, 0, 6], [2, 4, 0]], six,
                 [[0, 5, 0, 0], [4, 0, 2, 0], [0, 3, 0, 9], [0, 0, 1, 0]]):
        p = len(wins)
        data = [(i, j) for i in range(p) for j in range(p) if i != j for _ in range(wins[i][j])]
        fitted = choix.ilsr_pairwise(p, data, alpha=0.0, max_iter=10_000, tol=1e-14)
        # Logistic regression without the last player, for the covariance.
        design, response, weight = [], [], []
        for i in range(p):
            for j in range(i):
                if wins[i][j] + wins[j][i]:
                    row = np.zeros(p)
                    row[i], row[j] = 1, -1
                    design.append(row[:-1])
                    response.append([wins[i][j], wins[j][i]])
        fit = sm.GLM(np.array(response), np.array(design), family=sm.families.Binomial()).fit(tol=1e-14)
        contrast = np.vstack([np.eye(p - 1), np.zeros(p - 1)])
        contrast = contrast - contrast.mean(axis=0)
        cov = contrast @ fit.cov_params() @ contrast.T
        rows.append({"wins": wins, "abilities": (contrast @ fit.params).tolist(),
                     "choix": (fitted - fitted.mean()).tolist(), "se": np.sqrt(np.diag(cov)).tolist(),
                     "difference_se_01": float(np.sqrt(cov[0, 0] + cov[1, 1] - 2 * cov[0, 1]))})
    return rows


def few_labels():
    rows = {"ppi": [], "sampled": [], "rogan_gladen": []}
    for n, many, noise, binary in ((10, 100, .3, True), (40, 400, .15, True), (30, 90, 1.0, False),
                                   (25, 50, 30.0, False)):
        truth = rng.random(n + many) < 0.6 if binary else rng.normal(size=n + many)
        judge = np.where(rng.random(n + many) < noise, ~truth, truth) if binary else \
            truth + noise * rng.normal(size=n + many)
        y, f, rest = truth[:n].astype(float), judge[:n].astype(float), judge[n:].astype(float)
        row = {"y": y.tolist(), "f": f.tolist(), "others": rest.tolist()}
        for name, lam in (("one", 1), ("tuned", None), ("half", 0.5)):
            low, high = ppi_py.ppi_mean_ci(y, f, rest, alpha=0.05, lam=lam)
            point = ppi_py.ppi_mean_pointestimate(y, f, rest, lam=lam)
            row[name] = [float(np.squeeze(v)) for v in (point, low, high)]
        rows["ppi"].append(row)
    for total in (60, 300):
        f = (rng.random(total) < 0.7).astype(float)
        pi = np.where(f == 1, 0.2, 0.5)
        chosen = np.flatnonzero(rng.random(total) < pi)
        y = np.where(rng.random(len(chosen)) < 0.2, 1 - f[chosen], f[chosen])
        # The variance as a function of lambda, minimised numerically.
        w = 1 / pi[chosen]
        w = w * total / w.sum()

        def estimate(lam):
            rest = y - lam * f[chosen]
            centre = (w * rest).sum() / total
            psi = lam * (f - f.mean())
            psi[chosen] += w * (rest - centre)
            return lam * f.mean() + centre, np.sqrt((psi ** 2).sum()) / total

        best = optimize.minimize_scalar(lambda lam: estimate(lam)[1] ** 2, bounds=(0, 1),
                                        method="bounded", options={"xatol": 1e-12}).x
        rows["sampled"].append({"f": f.tolist(), "items": chosen.tolist(), "y": y.tolist(),
                                "pi": pi[chosen].tolist(), "one": list(map(float, estimate(1.0))),
                                "lambda": float(best), "tuned": list(map(float, estimate(best)))})
    for p, n, q0, m0, q1, m1 in ((.7, 400, .85, 60, .9, 90), (.05, 200, .9, 40, .8, 30),
                                 (.95, 100, 1.0, 20, 1.0, 25)):
        v = (p + q0 - 1) / (q0 + q1 - 1)
        # Delta method by numerical derivatives, not by the formula.
        gradient = optimize.approx_fprime([p, q0, q1], lambda s: (s[0] + s[1] - 1) / (s[1] + s[2] - 1),
                                          1e-7)
        noise = np.array([p * (1 - p) / n, q0 * (1 - q0) / m0, q1 * (1 - q1) / m1])
        z = stats.norm.ppf(0.975)
        ps, q0s, q1s = (n*p + z**2/2)/(n + z**2), (m0*q0 + 1)/(m0 + 2), (m1*q1 + 1)/(m1 + 2)
        ns, m0s, m1s = n + z**2, m0 + 2, m1 + 2
        th = (ps + q0s - 1)/(q0s + q1s - 1)
        shift = 2*z**2*(-(1 - th)*q0s*(1 - q0s)/m0s + th*q1s*(1 - q1s)/m1s)
        se = np.sqrt(ps*(1 - ps)/ns + (1 - th)**2*q0s*(1 - q0s)/m0s + th**2*q1s*(1 - q1s)/m1s)
        se = se / (q0s + q1s - 1)
        rows["rogan_gladen"].append({"in": [p, n, q0, m0, q1, m1], "value": v,
                                     "se_numeric": float(np.sqrt(gradient**2 @ noise)),
                                     "smoothed": [float(th + shift - z*se), float(th + shift + z*se)]})
    return rows


def calibration():
    rows = []
    for n, m in ((50, 10), (200, 15), (30, 4)):
        p = rng.random(n).round(2)
        y = rng.random(n) < p ** 2
        edges = np.arange(m + 1) / m
        edges[0] = -1  # bins open below: (edge, edge]
        # binned_statistic takes [edge, edge), so everything is mirrored.
        bins = m - 1 - (stats.binned_statistic(-p, p, bins=-edges[::-1], statistic="count")
                        .binnumber - 1)
        ece = sum(abs(p[bins == b].mean() - y[bins == b].mean()) * (bins == b).mean()
                  for b in np.unique(bins))
        rows.append({"p": p.tolist(), "y": y.tolist(), "bins": m, "ece": float(ece),
                     "brier": float(np.mean((p - y) ** 2))})
    return rows


def variance():
    """Mean squares by statsmodels' analysis of variance; components by Brennan's equations."""
    rows = []
    for sizes in ((3, 4, 2), (5, 12, 3)):
        p, i, h = np.meshgrid(*map(np.arange, sizes), indexing="ij")
        y = (rng.normal(size=sizes[0])[p] * 2 + rng.normal(size=sizes[1])[i] + rng.normal(size=sizes[2])[h] * .5
             + rng.normal(size=sizes))
        frame = pd.DataFrame({"y": y.ravel(), "p": p.ravel(), "i": i.ravel(), "h": h.ravel()})
        table = sm.stats.anova_lm(smf.ols("y ~ C(p)*C(i) + C(p)*C(h) + C(i)*C(h)", frame).fit())
        ms = {name.replace("C(", "").replace(")", ""): value
              for name, value in table["mean_sq"].items()}
        e = ms["Residual"]
        n = dict(zip("pih", sizes))
        rows.append({"values": y.ravel().tolist(), "sizes": sizes, "object":
                     (ms["p"] - ms["p:i"] - ms["p:h"] + e) / (n["i"] * n["h"]),
                     "instance": (ms["i"] - ms["p:i"] - ms["i:h"] + e) / (n["p"] * n["h"]),
                     "condition": (ms["h"] - ms["p:h"] - ms["i:h"] + e) / (n["p"] * n["i"]),
                     "object_instance": (ms["p:i"] - e) / n["h"],
                     "object_condition": (ms["p:h"] - e) / n["i"],
                     "instance_condition": (ms["i:h"] - e) / n["p"], "residual": e})
    return rows


def main():
    out["special"] = special()
    out["correlation"] = correlation()
    out["agreement"] = agreement()
    out["intervals"] = intervals()
    out["hypothesis"] = hypothesis()
    out["bootstrap"] = bootstrap()
    out["rank_sets"] = rank_sets()
    out["paired_comparison"] = paired_comparison()
    out["few_labels"] = few_labels()
    out["calibration"] = calibration()
    out["variance"] = variance()
    json.dump(out, sys.stdout, indent=None, separators=(",", ":"), allow_nan=False)
    print()


main()
