//! From scored facts to the tables.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use verispec_graph::facts::FactKind;
use verispec_graph::metrics::{
    Chance, Consistency, Coverage, DatasetMeans, Dropped, FactScore, ImageCoverage, IntervalPlan,
    MetricPolicy, ModelRow, Tally, Variant, chance_test, correlations, intervals, mean_row,
};
use verispec_stats::Defined;

/// How numbers are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreOptions {
    /// Which facts count.
    pub policy: MetricPolicy,
    /// Intervals; no draws means none.
    pub intervals: IntervalPlan,
    /// Permutations of the test against chance; 0 means none.
    pub permutations: u32,
}

impl Default for ScoreOptions {
    fn default() -> Self {
        Self {
            policy: MetricPolicy::default(),
            intervals: IntervalPlan::default(),
            permutations: 1000,
        }
    }
}

/// Everything about one model that enters its numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelFacts {
    /// Name.
    pub model: String,
    /// Family, for the table of families.
    pub family: Option<String>,
    /// Facts of all data sets.
    pub facts: Vec<FactScore>,
    /// Images by data set.
    pub images: BTreeMap<Arc<str>, Vec<ImageCoverage>>,
    /// Facts that wait for a reply.
    pub pending: usize,
}

/// Ends of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ends {
    /// Lower.
    pub low: f64,
    /// Upper.
    pub high: f64,
}

/// Intervals of the headline numbers, over images; `None` where nothing varies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct CellIntervals {
    /// Of G.
    pub generation: Option<Ends>,
    /// Of U.
    pub understanding: Option<Ends>,
    /// Of G - U.
    pub gap: Option<Ends>,
    /// Of CCTA.
    pub ccta: Option<Ends>,
    /// Of AW-CCTA.
    pub aw_ccta: Option<Ends>,
}

/// Numbers of one model, variant, data set and kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// Which facts count.
    pub variant: Variant,
    /// Data set; `None` pools all.
    pub dataset: Option<String>,
    /// Kind; `None` pools all.
    pub kind: Option<FactKind>,
    /// The numbers; `None` without a fact.
    pub numbers: Option<Consistency>,
    /// G - U.
    pub gap: Option<f64>,
    /// Level of CCTA by chance.
    pub chance: Option<Chance>,
    /// Share of permutations that agree as much, of pooled facts.
    pub p: Option<f64>,
    /// Intervals, of pooled data sets.
    pub intervals: Option<CellIntervals>,
    /// Facts that do not count, by reason.
    pub dropped: BTreeMap<Dropped, u64>,
}

/// One model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelScore {
    /// Name.
    pub model: String,
    /// Family.
    pub family: Option<String>,
    /// All facts, counted or not.
    pub facts: usize,
    /// Facts that wait for a reply.
    pub pending: usize,
    /// Coverage of all images.
    pub coverage: Coverage,
    /// Matched nodes over all nodes; `None` without a node.
    pub match_ratio: Option<f64>,
    /// The ratio if none and all of the unknown nodes were matched.
    pub match_bounds: Option<(f64, f64)>,
    /// Coverage by data set.
    pub coverage_by_dataset: BTreeMap<String, Coverage>,
    /// Numbers.
    pub cells: Vec<Cell>,
    /// More agreement in error than in what is right: CCTA misleads.
    pub coherent_hallucination: bool,
}

impl ModelScore {
    /// Numbers of pooled data sets.
    #[must_use]
    pub fn cell(&self, variant: Variant, kind: Option<FactKind>) -> Option<&Cell> {
        let mut cells = self.cells.iter();
        cells.find(|c| c.variant == variant && c.kind == kind && c.dataset.is_none())
    }

    /// The headline: all facts, unmatched ones with G = 0.
    #[must_use]
    pub fn headline(&self) -> Option<&Consistency> {
        self.cell(Variant::ZeroUnmatched, None)?.numbers.as_ref()
    }
}

/// A data set as the first table shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DatasetRow {
    /// Name.
    pub dataset: String,
    /// Images with a graph.
    pub images: usize,
    /// Facts.
    pub facts: usize,
    /// Facts by kind.
    pub by_kind: BTreeMap<FactKind, usize>,
    /// Means over images, where relations before merging are known.
    pub means: Option<DatasetMeans>,
    /// Candidates that became no fact, by reason.
    pub skipped: BTreeMap<&'static str, usize>,
}

/// Mean of a family.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FamilyRow {
    /// Name.
    pub family: String,
    /// Models.
    pub n: usize,
    /// Unweighted mean.
    pub mean: ModelRow,
}

/// Spearman's rho over models; `None` where it is undefined.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorrelationRow {
    /// Models.
    pub n: usize,
    /// Of G with AW-CCTA.
    pub generation: Option<f64>,
    /// Of U with AW-CCTA.
    pub understanding: Option<f64>,
    /// Of G with U.
    pub sides: Option<f64>,
    /// Why a value is missing.
    pub why: Vec<String>,
}

/// All tables.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tables {
    /// Data sets.
    pub datasets: Vec<DatasetRow>,
    /// Models by name.
    pub models: Vec<ModelScore>,
    /// Families by name; models without one are in none.
    pub families: Vec<FamilyRow>,
    /// Correlations over models.
    pub correlations: CorrelationRow,
    /// What the numbers were made with: names and values.
    pub policies: Vec<(String, String)>,
}

/// Computes all numbers.
#[must_use]
pub fn tables(
    datasets: Vec<DatasetRow>,
    models: &[ModelFacts],
    options: ScoreOptions,
    policies: Vec<(String, String)>,
) -> Tables {
    let mut scored: Vec<ModelScore> = models.iter().map(|m| model(m, options)).collect();
    scored.sort_by(|a, b| a.model.cmp(&b.model));
    let rows: Vec<(Option<&str>, ModelRow)> = scored
        .iter()
        .filter_map(|m| Some((m.family.as_deref(), row(m.headline()?))))
        .collect();
    let mut by_family: BTreeMap<&str, Vec<ModelRow>> = BTreeMap::new();
    for (family, row) in &rows {
        if let Some(family) = family {
            by_family.entry(family).or_default().push(*row);
        }
    }
    let families = by_family.into_iter().filter_map(|(family, rows)| {
        let (n, mean) = mean_row(&rows)?;
        Some(FamilyRow {
            family: family.to_owned(),
            n,
            mean,
        })
    });
    let families = families.collect();
    let all: Vec<ModelRow> = rows.iter().map(|(_, row)| *row).collect();
    Tables {
        datasets,
        families,
        correlations: correlation(&all),
        models: scored,
        policies,
    }
}

const fn row(c: &Consistency) -> ModelRow {
    ModelRow {
        generation: c.generation,
        understanding: c.understanding,
        ccta: c.ccta,
        aw_ccta: c.aw_ccta,
    }
}

fn correlation(rows: &[ModelRow]) -> CorrelationRow {
    let found = correlations(rows);
    let mut why = vec![];
    let mut value = |of: &Defined<f64>| match of {
        Ok(rho) => Some(*rho),
        Err(reason) => {
            let line = reason.to_string();
            if !why.contains(&line) {
                why.push(line);
            }
            None
        }
    };
    let (generation, understanding) = (value(&found.generation), value(&found.understanding));
    let sides = value(&found.sides);
    CorrelationRow {
        n: found.n,
        generation,
        understanding,
        sides,
        why,
    }
}

fn model(facts: &ModelFacts, options: ScoreOptions) -> ModelScore {
    let images: Vec<ImageCoverage> = facts.images.values().flatten().copied().collect();
    let coverage = Coverage::new(&images);
    let mut cells = vec![];
    for variant in Variant::ALL {
        let tally = Tally::new(&facts.facts, variant, options.policy);
        let datasets = tally.datasets();
        // With one data set, its own numbers are the pooled ones.
        let named = datasets
            .iter()
            .filter(|_| datasets.len() > 1)
            .map(|d| Some(&**d));
        for dataset in std::iter::once(None).chain(named) {
            for kind in std::iter::once(None).chain(FactKind::ALL.map(Some)) {
                cells.push(cell(&facts.facts, &tally, (dataset, kind), options));
            }
        }
    }
    let by_dataset = facts.images.iter();
    let mut score = ModelScore {
        model: facts.model.clone(),
        family: facts.family.clone(),
        facts: facts.facts.len(),
        pending: facts.pending,
        match_ratio: coverage.match_ratio(),
        match_bounds: coverage.match_bounds(),
        coverage,
        coverage_by_dataset: by_dataset
            .map(|(d, images)| (d.to_string(), Coverage::new(images)))
            .collect(),
        cells,
        coherent_hallucination: false,
    };
    score.coherent_hallucination = score
        .headline()
        .is_some_and(|c| c.integrity.is_some_and(|right| right < 0.5));
    score
}

fn cell(
    facts: &[FactScore],
    tally: &Tally,
    (dataset, kind): (Option<&str>, Option<FactKind>),
    options: ScoreOptions,
) -> Cell {
    let numbers = tally.consistency(dataset, kind);
    let pooled = dataset.is_none();
    let permuted = (pooled && kind.is_none() && options.permutations > 0)
        .then(|| chance_test(tally, options.intervals.seed, options.permutations));
    let intervals = (pooled && options.intervals.draws > 0).then(|| {
        let found = intervals(
            facts,
            tally.variant,
            options.policy,
            kind,
            options.intervals,
        );
        found.map_or_else(
            |_| CellIntervals::default(),
            |i| CellIntervals {
                generation: ends(&i.generation),
                understanding: ends(&i.understanding),
                gap: ends(&i.gap),
                ccta: ends(&i.ccta),
                aw_ccta: ends(&i.aw_ccta),
            },
        )
    });
    Cell {
        variant: tally.variant,
        dataset: dataset.map(str::to_owned),
        kind,
        gap: numbers.as_ref().map(Consistency::gap),
        numbers,
        chance: tally.chance(dataset, kind),
        p: permuted.flatten().map(|t| t.p),
        intervals,
        dropped: tally.dropped(dataset, kind),
    }
}

fn ends(of: &Defined<verispec_stats::interval::Interval>) -> Option<Ends> {
    of.as_ref().ok().map(|i| Ends {
        low: i.low,
        high: i.high,
    })
}
