//! What people's labels of some verdicts say about all of them: error rates of the judge, and
//! scores corrected for them.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;
use verispec_model::YesNo;
use verispec_stats::few_labels::{
    Calibrator, Label, Lambda, Ppi, rogan_gladen_smoothed, sampled_mean,
};
use verispec_stats::hypothesis::{EqualRates, equal_rates};
use verispec_stats::{Defined, Undefined};

use super::by_category::{CategoryErrors, category_errors};
use super::calibrated::{Calibrated, calibrated};
use super::sample::Verdict;
use crate::compare::Options;
use crate::estimate::Estimate;

/// A person's answer to one specification of one output.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanVerdict {
    /// Place of the verdict in the list.
    pub index: usize,
    /// What the person said.
    pub answer: YesNo,
    /// The probability with which the verdict was drawn, in (0, 1].
    pub inclusion: f64,
}

/// Corrected figures of one model, or of all together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Corrected {
    /// Model; `None` for all.
    pub model: Option<String>,
    /// Verdicts of the judge.
    pub judged: usize,
    /// Labels of people.
    pub labelled: usize,
    /// Share met by the judge, percent, all specifications alike (`pooled`).
    pub judge: f64,
    /// The same by the weighted labels alone.
    pub labels: Estimate,
    /// Prediction-powered with a tuned weight of the judge (PPI++), weighted by inclusion.
    pub ppi: Estimate,
    /// Weight that PPI++ gave the judge, 0-1.
    pub lambda: Option<f64>,
    /// Corrected by the judge's error rates on the labels (Rogan and Gladen).
    pub rogan_gladen: Estimate,
    /// P(judge: met | people: met), 0-1, weighted.
    pub sensitivity: Option<f64>,
    /// P(judge: unmet | people: unmet), 0-1, weighted.
    pub specificity: Option<f64>,
}

/// How often the judge is wrong where one answer is expected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ErrorRate {
    /// Expected answer.
    pub expected: &'static str,
    /// Labels.
    pub labelled: usize,
    /// Share on which judge and people differ, 0-1, weighted.
    pub rate: Option<f64>,
}

/// All that labels of verdicts say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Labelled {
    /// All models together, then each with a label.
    pub models: Vec<Corrected>,
    /// By expected answer.
    pub by_expected: Vec<ErrorRate>,
    /// By category of the specification.
    pub by_category: Vec<CategoryErrors>,
    /// The judge's P(yes) against people, where verdicts have one.
    pub calibration: Option<Calibrated>,
    /// Whether the judge errs alike on all models: if not, errors move the ranking.
    pub equal_errors: Result<EqualRates, Undefined>,
}

/// Corrects the scores of a judge by labels.
#[must_use]
pub fn corrected(verdicts: &[Verdict], labels: &[HumanVerdict], options: Options) -> Labelled {
    let level = options.level;
    let models = distinct(labels.iter().map(|l| verdicts[l.index].model.as_str()));
    let each = models
        .iter()
        .map(|m| of_model(verdicts, labels, Some(m), level));
    let by_expected = [YesNo::Yes, YesNo::No].map(|e| error_rate(verdicts, labels, e));
    Labelled {
        models: std::iter::once(of_model(verdicts, labels, None, level))
            .chain(each)
            .collect(),
        by_expected: by_expected.into_iter().filter(|r| r.labelled > 0).collect(),
        by_category: category_errors(verdicts, labels),
        calibration: calibrated(verdicts, labels, options),
        equal_errors: equal_errors(verdicts, labels, &models, options.seed),
    }
}

/// Each name once, sorted.
pub(super) fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

/// A label beside the judge's verdict.
struct Both {
    item: usize,
    judge: bool,
    people: bool,
    inclusion: f64,
}

fn of_model(
    verdicts: &[Verdict],
    labels: &[HumanVerdict],
    model: Option<&str>,
    level: f64,
) -> Corrected {
    let wanted = |v: &Verdict| model.is_none_or(|m| v.model == m);
    let mut places: HashMap<usize, usize> = HashMap::new();
    let mut judge = vec![];
    for (i, verdict) in verdicts.iter().enumerate().filter(|(_, v)| wanted(v)) {
        places.insert(i, judge.len());
        judge.push(f64::from(u8::from(verdict.met())));
    }
    let both: Vec<Both> = labels
        .iter()
        .filter_map(|l| {
            let verdict = &verdicts[l.index];
            Some(Both {
                item: *places.get(&l.index)?,
                judge: verdict.met(),
                people: l.answer == verdict.expected,
                inclusion: l.inclusion,
            })
        })
        .collect();
    let points: Vec<Label> = both
        .iter()
        .map(|b| Label {
            item: b.item,
            y: f64::from(u8::from(b.people)),
            inclusion: b.inclusion,
        })
        .collect();
    let share = judge.iter().sum::<f64>() / judge.len().max(1) as f64;
    let (labels_alone, ppi) = means(&judge, &points);
    let right = |people: bool| calibrator(&both, people);
    let (sensitivity, specificity) = (right(true), right(false));
    Corrected {
        model: model.map(ToOwned::to_owned),
        judged: judge.len(),
        labelled: both.len(),
        judge: 100.0 * share,
        labels: percent(labels_alone, level),
        lambda: ppi.as_ref().ok().map(|p| p.lambda),
        ppi: percent(ppi, level),
        rogan_gladen: by_error_rates(share, judge.len(), &specificity, &sensitivity, level),
        sensitivity: sensitivity.ok().map(|c| c.share),
        specificity: specificity.ok().map(|c| c.share),
    }
}

/// The mean by labels alone, and by the judge put right by them.
pub(super) fn means(judge: &[f64], labels: &[Label]) -> (Defined<Ppi>, Defined<Ppi>) {
    let alone = sampled_mean(judge, labels, Lambda::Fixed(0.0));
    // A judge that says the same everywhere, or labels of everything, leave nothing to tune.
    let tuned = match sampled_mean(judge, labels, Lambda::Tuned) {
        Err(Undefined::Constant { .. }) => alone.clone(),
        tuned => tuned,
    };
    (alone, tuned)
}

/// A share in percent.
pub(super) fn percent(ppi: Defined<Ppi>, level: f64) -> Estimate {
    let interval = ppi.as_ref().ok().and_then(|p| p.interval(level).ok());
    let interval = interval.map(|i| verispec_stats::interval::Interval {
        low: 100.0 * i.low,
        high: 100.0 * i.high,
        level,
    });
    Estimate {
        interval,
        ..Estimate::of(ppi.map(|p| 100.0 * p.value))
    }
}

/// Share of labels of one kind on which the judge is right, with Kish's effective number.
fn calibrator(both: &[Both], people: bool) -> Defined<Calibrator> {
    let of = || both.iter().filter(move |b| b.people == people);
    let weight = |b: &Both| 1.0 / b.inclusion;
    let total: f64 = of().map(weight).sum();
    if total <= 0.0 {
        return Err(Undefined::TooFew {
            what: if people {
                "labels that say met"
            } else {
                "labels that say unmet"
            },
            found: 0,
            need: 1,
        });
    }
    let square: f64 = of().map(|b| weight(b).powi(2)).sum();
    let right: f64 = of().filter(|b| b.judge == people).map(weight).sum();
    Ok(Calibrator {
        share: (right / total).clamp(0.0, 1.0),
        n: total * total / square,
    })
}

fn by_error_rates(
    share: f64,
    n: usize,
    specificity: &Defined<Calibrator>,
    sensitivity: &Defined<Calibrator>,
    level: f64,
) -> Estimate {
    let judged = Calibrator { share, n: n as f64 };
    let made = || {
        let (q0, q1) = (specificity.clone()?, sensitivity.clone()?);
        let point = verispec_stats::few_labels::rogan_gladen(judged, q0, q1)?;
        let (_, interval) = rogan_gladen_smoothed(judged, q0, q1, level)?;
        Ok((point.value, interval))
    };
    match made() {
        Err(why) => Estimate::of(Err(why)),
        Ok((value, interval)) => Estimate {
            interval: Some(verispec_stats::interval::Interval {
                low: 100.0 * interval.low.clamp(0.0, 1.0),
                high: 100.0 * interval.high.clamp(0.0, 1.0),
                level,
            }),
            ..Estimate::of(Ok(100.0 * value))
        },
    }
}

fn error_rate(verdicts: &[Verdict], labels: &[HumanVerdict], expected: YesNo) -> ErrorRate {
    let of: Vec<&HumanVerdict> = labels
        .iter()
        .filter(|l| verdicts[l.index].expected == expected)
        .collect();
    let total: f64 = of.iter().map(|l| 1.0 / l.inclusion).sum();
    let wrong = of.iter().filter(|l| l.answer != verdicts[l.index].verdict);
    let wrong: f64 = wrong.map(|l| 1.0 / l.inclusion).sum();
    ErrorRate {
        expected: expected.as_str(),
        labelled: of.len(),
        rate: (total > 0.0).then(|| wrong / total),
    }
}

/// Random deals of the errors to models.
const DRAWS: u64 = 10_000;

fn equal_errors(
    verdicts: &[Verdict],
    labels: &[HumanVerdict],
    models: &[&str],
    seed: u64,
) -> Defined<EqualRates> {
    let count = |only_wrong: bool| -> Vec<u32> {
        let of = |m: &&str| {
            let mine = labels.iter().filter(|l| verdicts[l.index].model == **m);
            let counted = mine.filter(|l| !only_wrong || l.answer != verdicts[l.index].verdict);
            u32::try_from(counted.count()).unwrap_or(u32::MAX)
        };
        models.iter().map(of).collect()
    };
    equal_rates(&count(true), &count(false), DRAWS, seed)
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Stratum, sample};
    use super::*;
    use crate::testing::Noise;

    fn verdict(model: &str, i: usize, expected: YesNo, verdict: YesNo) -> Verdict {
        Verdict {
            model: model.into(),
            track: "t".into(),
            dimension: "d".into(),
            instance: format!("i{i}"),
            spec: 1,
            question: "Is it?".into(),
            category: String::new(),
            expected,
            verdict,
            p_yes: None,
        }
    }

    fn label(index: usize, answer: YesNo) -> HumanVerdict {
        HumanVerdict {
            index,
            answer,
            inclusion: 1.0,
        }
    }

    /// 10 verdicts, all labelled: 6 of the 8 met ones are right, one of the 2 unmet ones.
    #[test]
    fn by_hand() {
        let (y, n) = (YesNo::Yes, YesNo::No);
        let verdicts: Vec<Verdict> = (0..10)
            .map(|i| verdict("m", i, y, if i < 8 { y } else { n }))
            .collect();
        let labels: Vec<HumanVerdict> = (0..10)
            .map(|i| label(i, if i < 6 || i == 8 { y } else { n }))
            .collect();
        let found = corrected(&verdicts, &labels, Options::default());
        let all = &found.models[0];
        assert_eq!((all.judge, all.labels.value), (80.0, Some(70.0)));
        assert!((all.sensitivity.unwrap() - 6.0 / 7.0).abs() < 1e-12);
        assert!((all.specificity.unwrap() - 1.0 / 3.0).abs() < 1e-12);
        // (0.8 + 1/3 - 1) / (6/7 + 1/3 - 1) = 0.7: with all labelled the truth comes back.
        assert!((all.rogan_gladen.value.unwrap() - 70.0).abs() < 1e-9);
        assert!((all.ppi.value.unwrap() - 70.0).abs() < 1e-9);
        assert_eq!(found.by_expected[0].rate, Some(0.3));
        assert_eq!(found.models[1].model.as_deref(), Some("m"));
        assert!(found.equal_errors.is_err());
    }

    /// A judge that lets 30 % of the unmet pass flatters a bad model more than a good one; 400
    /// labels of 6,000 verdicts, drawn by verdict, put it right.
    #[test]
    fn a_lenient_judge_is_corrected() {
        let mut noise = Noise(3);
        let (mut verdicts, mut truth) = (vec![], vec![]);
        for (model, rate) in [("good", 0.8), ("bad", 0.4)] {
            for i in 0..3000 {
                let met = noise.unit() < rate;
                let said = met || noise.unit() < 0.3;
                let as_answer = |m: bool| if m { YesNo::Yes } else { YesNo::No };
                verdicts.push(verdict(model, i, YesNo::Yes, as_answer(said)));
                truth.push(as_answer(met));
            }
        }
        let drawn = sample(&verdicts, &[Stratum::Model, Stratum::Verdict], 400, 5);
        let labels: Vec<HumanVerdict> = drawn
            .iter()
            .map(|d| HumanVerdict {
                index: d.index,
                answer: truth[d.index],
                inclusion: d.inclusion,
            })
            .collect();
        let found = corrected(&verdicts, &labels, Options::default());
        let of = |name: &str| {
            let same = |c: &&Corrected| c.model.as_deref() == Some(name);
            found.models.iter().find(same).unwrap()
        };
        for (name, true_share) in [("good", 80.0), ("bad", 40.0)] {
            let row = of(name);
            assert!(row.judge > true_share + 4.0);
            assert!(row.ppi.interval.unwrap().contains(true_share), "{row:?}");
            assert!(row.rogan_gladen.interval.unwrap().contains(true_share));
            assert_eq!(row.sensitivity, Some(1.0));
        }
    }

    #[test]
    fn no_unmet_label_leaves_the_specificity_undefined() {
        let verdicts: Vec<Verdict> = (0..4)
            .map(|i| verdict("m", i, YesNo::Yes, YesNo::Yes))
            .collect();
        let labels: Vec<HumanVerdict> = (0..4).map(|i| label(i, YesNo::Yes)).collect();
        let found = corrected(&verdicts, &labels, Options::default());
        assert_eq!(found.models[0].rogan_gladen.value, None);
        assert_eq!(found.models[0].specificity, None);
    }
}
