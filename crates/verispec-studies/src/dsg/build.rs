//! Putting the study together.

use std::collections::BTreeMap;
use std::sync::Arc;

use verispec_model::score::{DependencyRule, Policy, Rules, uniform};
use verispec_model::{
    InstanceState, ModelResults, Reading, Results, SpecId, SpecResult, TrackResults, YesNo,
};
use verispec_suites::dsg::{
    AnswerReader, Dataset, DsgError, PublishedRow, QuestionSet, published_rows, published_source,
};

use super::{
    Computed, DsgOptions, DsgRow, DsgStudy, JudgeAblation, JudgeAgreement, JudgeSummary,
    UnjudgedEffect, Variants,
};
use crate::human::{
    Cells, Correlations, JudgeMeans, Ratings, ablation, agreement, ceiling, common, levels,
    missing, validity,
};

/// A judge's answers, read both ways.
struct Judge<'a> {
    name: &'a str,
    published: Results,
    default: Results,
}

/// Sets of questions in the order of the published table, with and without dependencies.
const ROWS: [(QuestionSet, bool); 4] = [
    (QuestionSet::Dsg, true),
    (QuestionSet::Dsg, false),
    (QuestionSet::Tifa, false),
    (QuestionSet::Vq2a, false),
];

pub(super) fn study(data: &Dataset, options: DsgOptions) -> Result<DsgStudy, DsgError> {
    let ratings = ratings(data);
    let mut judges = vec![];
    for name in data.judges() {
        judges.push(Judge {
            name,
            published: data.results(name, AnswerReader::Published, None)?,
            default: data.results(name, AnswerReader::Default, None)?,
        });
    }
    let mut faults = BTreeMap::new();
    for warning in &data.warnings {
        *faults.entry(warning.kind.clone()).or_default() += 1;
    }
    let summaries: Vec<JudgeSummary> = judges.iter().map(|j| summary(j, &ratings)).collect();
    let means: Vec<JudgeMeans> = judges
        .iter()
        .zip(&summaries)
        .map(|(judge, summary)| JudgeMeans {
            judge: judge.name.to_owned(),
            means: summary.means.clone(),
            yes_rate: yes_rate(&judge.published, &ratings),
        })
        .collect();
    let human_means = ratings.model_means();
    Ok(DsgStudy {
        source: published_source().to_owned(),
        rated: ratings.cells().count(),
        rows: rows(data, &judges, &ratings),
        validity: validity(&means, &human_means),
        judges: summaries,
        agreement: pairs(&judges),
        human_means,
        ceiling: ceiling(&ratings),
        unjudged: judges.iter().flat_map(|j| unjudged(j, &ratings)).collect(),
        ablation: judges.iter().map(|j| sets(j, &ratings, options)).collect(),
        faults,
    })
}

fn ratings(data: &Dataset) -> Ratings {
    let mut ratings = Ratings::default();
    for r in &data.ratings {
        ratings.set(&r.item, &r.model, &r.rater, r.value);
    }
    ratings
}

/// Scores of rated outputs; an output without one gets `absent`.
fn cells(
    results: &Results,
    set: QuestionSet,
    dependencies: DependencyRule,
    ratings: &Ratings,
    absent: Option<f64>,
) -> Cells {
    let rules = Rules {
        dependencies,
        ..Rules::PLAIN
    };
    let policy = Policy {
        rules,
        ..Policy::default()
    };
    Cells::of_track(&uniform(results, policy), set.as_str()).over(ratings.cells(), absent)
}

fn rows(data: &Dataset, judges: &[Judge<'_>], ratings: &Ratings) -> Vec<DsgRow> {
    let mut rows = vec![];
    for (set, dependencies) in ROWS {
        for judge in judges.iter().filter(|j| data.file(j.name, set).is_some()) {
            let stated = published_rows().iter().find(|r| {
                (r.questions.as_str(), r.dependencies, r.judge.as_str())
                    == (set.as_str(), dependencies, judge.name)
            });
            let computed = if set.has_answer_key() {
                Computed::Yes(Box::new(variants(
                    judge,
                    set,
                    dependencies,
                    stated,
                    ratings,
                )))
            } else {
                Computed::NotComputable {
                    reason: "answer key absent".to_owned(),
                }
            };
            rows.push(DsgRow {
                questions: set.as_str().to_owned(),
                dependencies,
                judge: judge.name.to_owned(),
                published_rho: stated.map(|r| r.spearman),
                published_tau: stated.map(|r| r.kendall),
                computed,
            });
        }
    }
    rows
}

fn variants(
    judge: &Judge<'_>,
    set: QuestionSet,
    dependencies: bool,
    stated: Option<&PublishedRow>,
    ratings: &Ratings,
) -> Variants {
    let rule = |rule| {
        if dependencies {
            rule
        } else {
            DependencyRule::Ignore
        }
    };
    let pooled = |results, dependencies, absent| {
        levels(&cells(results, set, dependencies, ratings, absent), ratings).pooled
    };
    let zero = Some(0.0);
    let published = pooled(&judge.published, rule(DependencyRule::Published), zero);
    Variants {
        reproduced: stated.map(|row| equals(&published, row)),
        default_rule: pooled(&judge.published, rule(DependencyRule::Direct), zero),
        transitive: dependencies
            .then(|| pooled(&judge.published, DependencyRule::Transitive, zero)),
        default: pooled(&judge.default, rule(DependencyRule::Direct), None),
        published,
    }
}

/// Equal in the three digits that were printed.
fn equals(found: &Correlations, row: &PublishedRow) -> bool {
    let same = |found: Option<f64>, printed: f64| {
        found.is_some_and(|f| format!("{f:.3}") == format!("{printed:.3}"))
    };
    same(found.rho.value, row.spearman) && same(found.tau.value, row.kendall)
}

fn summary(judge: &Judge<'_>, ratings: &Ratings) -> JudgeSummary {
    let of = |rule, absent| cells(&judge.published, QuestionSet::Dsg, rule, ratings, absent);
    JudgeSummary {
        judge: judge.name.to_owned(),
        means: of(DependencyRule::Direct, Some(0.0)).model_means(),
        without_dependencies: levels(&of(DependencyRule::Ignore, None), ratings),
        with_dependencies: levels(&of(DependencyRule::Direct, None), ratings),
    }
}

fn pairs(judges: &[Judge<'_>]) -> Vec<JudgeAgreement> {
    let mut pairs = vec![];
    for (i, first) in judges.iter().enumerate() {
        for second in &judges[i + 1..] {
            pairs.push(JudgeAgreement {
                judges: [first.name.to_owned(), second.name.to_owned()],
                agreed: agreement(&first.published, &second.published, "dsg"),
            });
        }
    }
    pairs
}

/// What a model's rated outputs of a track got.
fn rated<'a>(
    results: &'a Results,
    track: &'a str,
    ratings: &'a Ratings,
) -> impl Iterator<Item = (&'a str, &'a SpecResult)> {
    let instances = results.models.iter().flat_map(move |model: &ModelResults| {
        let tracks = model
            .tracks
            .iter()
            .filter(move |t: &&TrackResults| t.track == track);
        let instances = tracks
            .flat_map(|t| &t.dimensions)
            .flat_map(|d| &d.instances);
        instances.map(|i| (model.model.as_str(), i))
    });
    instances
        .filter(|(model, i)| ratings.has(&i.id, model))
        .flat_map(|(model, i)| {
            let specs: &[SpecResult] = match &i.state {
                InstanceState::Generated(specs) => specs,
                InstanceState::OutputFailed(..) | InstanceState::Unjudgeable(..) => &[],
            };
            specs.iter().map(move |s| (model, s))
        })
}

fn yes_rate(results: &Results, ratings: &Ratings) -> Option<f64> {
    let verdicts = rated(results, "dsg", ratings).filter_map(|(_, s)| s.verdict());
    share(verdicts.map(|v| v == YesNo::Yes))
}

fn share(of: impl Iterator<Item = bool>) -> Option<f64> {
    let (mut yes, mut all) = (0_u32, 0_u32);
    for one in of {
        yes += u32::from(one);
        all += 1;
    }
    (all > 0).then(|| f64::from(yes) / f64::from(all))
}

fn is_unjudged(spec: &SpecResult) -> bool {
    matches!(spec.reading, Some(Reading::Unjudged(_)))
}

/// Both ways to take unusable answers, where there are any.
fn unjudged(judge: &Judge<'_>, ratings: &Ratings) -> Vec<UnjudgedEffect> {
    let of_set = |set: QuestionSet| {
        let answers = || {
            let specs = rated(&judge.default, set.as_str(), ratings);
            specs.filter(|(_, s)| s.reading.is_some())
        };
        let unjudged = answers().filter(|(_, s)| is_unjudged(s)).count();
        if unjudged == 0 {
            return None;
        }
        let mut shares: BTreeMap<String, Vec<bool>> = BTreeMap::new();
        for (model, spec) in answers() {
            shares
                .entry(model.to_owned())
                .or_default()
                .push(is_unjudged(spec));
        }
        let of = |results| cells(results, set, DependencyRule::Ignore, ratings, None);
        let (as_no, left_out) = (of(&judge.published), of(&judge.default));
        Some(UnjudgedEffect {
            judge: judge.name.to_owned(),
            questions: set.as_str().to_owned(),
            answers: answers().count(),
            unjudged,
            effect: common(&as_no, &left_out, ratings),
            missing: missing(&left_out, ratings),
            shares: shares
                .into_iter()
                .filter_map(|(model, flags)| Some((model, share(flags.into_iter())?)))
                .collect(),
        })
    };
    [QuestionSet::Dsg, QuestionSet::Vq2a]
        .into_iter()
        .filter_map(of_set)
        .collect()
}

fn sets(judge: &Judge<'_>, ratings: &Ratings, options: DsgOptions) -> JudgeAblation {
    let of = |results, set| cells(results, set, DependencyRule::Ignore, ratings, None);
    let dsg = of(&judge.published, QuestionSet::Dsg);
    let vq2a = of(&judge.published, QuestionSet::Vq2a);
    let both = of(&union(&judge.published), QuestionSet::Dsg);
    let sets = [("dsg", &dsg), ("vq2a", &vq2a), ("union", &both)];
    let found = ablation(&sets, ratings, options.draws, options.seed, options.level);
    JudgeAblation {
        judge: judge.name.to_owned(),
        ablation: found.ok(),
    }
}

/// Results in which every item of track `dsg` has VQ2A's questions too.
fn union(results: &Results) -> Results {
    let mut results = results.clone();
    for model in &mut results.models {
        let further = track(model, "vq2a").map(|t| t.dimensions.clone());
        let further = further.into_iter().flatten().flat_map(|d| d.instances);
        let mut further: BTreeMap<String, Vec<SpecResult>> = further
            .filter_map(|i| match i.state {
                InstanceState::Generated(specs) => Some((i.id, specs)),
                InstanceState::OutputFailed(..) | InstanceState::Unjudgeable(..) => None,
            })
            .collect();
        let Some(dsg) = model.tracks.iter_mut().find(|t| t.track == "dsg") else {
            continue;
        };
        for instance in dsg.dimensions.iter_mut().flat_map(|d| &mut d.instances) {
            let InstanceState::Generated(specs) = &mut instance.state else {
                continue;
            };
            let last = specs.iter().map(SpecResult::id).max().unwrap_or(0);
            let added = further.remove(&instance.id).unwrap_or_default();
            specs.extend((1..).zip(added).map(|(n, spec)| relabelled(spec, last + n)));
        }
    }
    results
}

fn track<'a>(model: &'a ModelResults, name: &str) -> Option<&'a TrackResults> {
    model.tracks.iter().find(|t| t.track == name)
}

fn relabelled(mut spec: SpecResult, id: SpecId) -> SpecResult {
    Arc::make_mut(&mut spec.spec).id = id;
    spec
}
