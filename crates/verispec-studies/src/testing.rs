//! Results made of small tables, for tests.

use verispec_model::score::{Policy, ScoreTable, uniform};
use verispec_model::{
    Answer, DimensionResults, InstanceResult, InstanceState, Measure, ModelResults, Reading,
    Results, SpecResult, Specification, TrackResults, Unjudged, YesNo,
};

use crate::matrix::{Clusters, Level, Matrix, Source};

/// A verdict against expectation: met, unmet, unjudged.
pub(crate) type Met = Option<bool>;

/// One model in one track: dimension, instance and the verdicts on its specifications.
pub(crate) type Rows = Vec<(String, String, Vec<Met>)>;

pub(crate) fn spec(id: u32, expected: YesNo) -> Specification {
    Specification {
        id,
        question: format!("Is part {id} there?"),
        category: if id.is_multiple_of(2) { "even" } else { "odd" }.into(),
        subcategory: String::new(),
        expected,
        ..Specification::holistic((0.0, 10.0))
    }
}

fn result(id: u32, met: Met) -> SpecResult {
    let expected = if id.is_multiple_of(7) {
        YesNo::No
    } else {
        YesNo::Yes
    };
    let other = if expected == YesNo::Yes {
        YesNo::No
    } else {
        YesNo::Yes
    };
    let reading = match met {
        Some(true) => Reading::Answer(Answer::YesNo(expected)),
        Some(false) => Reading::Answer(Answer::YesNo(other)),
        None => Reading::Unjudged(Unjudged::Refused),
    };
    SpecResult {
        reading: Some(reading),
        ..SpecResult::pending(spec(id, expected))
    }
}

fn track(name: &str, rows: &Rows) -> TrackResults {
    let mut dimensions: Vec<DimensionResults> = vec![];
    for (dimension, id, verdicts) in rows {
        if dimensions.last().is_none_or(|d| d.name != *dimension) {
            dimensions.push(DimensionResults {
                name: dimension.clone(),
                instances: vec![],
                folder_present: true,
            });
        }
        let specs = verdicts.iter().zip(1..).map(|(met, i)| result(i, *met));
        if let Some(last) = dimensions.last_mut() {
            last.instances.push(InstanceResult {
                id: id.clone(),
                state: InstanceState::Generated(specs.collect()),
            });
        }
    }
    TrackResults {
        track: name.into(),
        dimensions,
        partial: false,
    }
}

/// Results of one judge: models, each with its tracks.
pub(crate) fn results(tracks: &[&str], models: &[(&str, Vec<(&str, Rows)>)]) -> Results {
    let model = |(name, entered): &(&str, Vec<(&str, Rows)>)| ModelResults {
        model: (*name).into(),
        tracks: entered.iter().map(|(t, rows)| track(t, rows)).collect(),
    };
    Results {
        suite: "test".into(),
        all_tracks: tracks.iter().map(|t| (*t).into()).collect(),
        models: models.iter().map(model).collect(),
        measure: Measure::Specifications,
        warnings: vec![],
    }
}

/// Levels of name, family, group and results as a matrix.
pub(crate) fn matrix(
    levels: &[(&str, Option<&str>, &str, Results)],
    clusters: &Clusters,
) -> Matrix {
    let tables: Vec<ScoreTable> = levels
        .iter()
        .map(|l| uniform(&l.3, Policy::default()))
        .collect();
    let sources: Vec<Source<'_>> = levels
        .iter()
        .zip(&tables)
        .map(|((name, family, group, results), scores)| Source {
            level: Level {
                name: (*name).into(),
                family: family.map(Into::into),
                group: (*group).into(),
            },
            results,
            scores,
        })
        .collect();
    Matrix::new(&sources, clusters)
}

/// A small generator for made-up verdicts: the same numbers on every machine.
pub(crate) struct Noise(pub(crate) u64);

impl Noise {
    /// A number in 0..1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}
