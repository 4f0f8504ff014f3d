//! A made-up comparison as large as SpecV's: 19 models, 1,200 tasks in six tracks, two judges.
//! Scores, refusals and words are drawn by a fixed generator; nothing here was measured.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "made for tests and examples"
)]

use std::path::PathBuf;
use std::sync::Arc;

use verispec_model::score::{Policy, ScoreTable, complexity, contrast, uniform};
use verispec_model::{
    Dimension, DimensionResults, Instance, InstanceResult, InstanceState, Measure, ModelResults,
    Origin, OutputFailure, Provenance, ReadStage, Reading, Results, SpecResult, Specification,
    Suite, Track, TrackResults, Unjudged, YesNo,
};
use verispec_report::{
    Context, Interval, Judged, OutputPart, Outputs, Place, RankBy, RankTable, ReportInput,
    ScoreInterval, Stability, Statistics,
};

const TRACKS: [(&str, &[&str]); 6] = [
    (
        "understanding",
        &["perception", "reasoning", "knowledge", "ocr"],
    ),
    (
        "t2i",
        &[
            "composition",
            "structure",
            "style",
            "text_rendering",
            "world_knowledge",
        ],
    ),
    ("edit", &["local", "global", "text_edit", "viewpoint"]),
    ("many2one", &["subject", "scene", "layout"]),
    ("interleave", &["story", "recipe", "tutorial"]),
    ("think_with_img", &["geometry", "maze", "chart"]),
];

/// A small generator (SplitMix64): the same numbers everywhere.
pub struct Draw(pub u64);

impl Draw {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

const SUBJECTS: [&str; 8] = [
    "three small boats",
    "a red sign",
    "a gull on a post",
    "an old lighthouse",
    "two bicycles",
    "a glass of tea",
    "a paper kite",
    "a market stall",
];
const PLACES: [&str; 6] = [
    "in a harbour at dusk",
    "under a stone bridge",
    "on a wet street",
    "beside a frozen lake",
    "in a bright kitchen",
    "on a hill above the town",
];

fn words(draw: &mut Draw) -> String {
    let mut pick = |list: &[&str]| list[draw.below(list.len())].to_owned();
    format!("{} {}", pick(&SUBJECTS), pick(&PLACES))
}

fn specifications(draw: &mut Draw) -> Vec<Specification> {
    let k = 5 + draw.below(8) + draw.below(14);
    (1..=k)
        .map(|id| Specification {
            id: u32::try_from(id).unwrap(),
            question: format!(
                "Does the picture show {}, complete and in focus?",
                words(draw)
            ),
            category: ["composition", "attribute", "relation", "text"][draw.below(4)].into(),
            subcategory: ["count", "colour", "place"][draw.below(3)].into(),
            expected: if draw.below(12) == 0 {
                YesNo::No
            } else {
                YesNo::Yes
            },
            rating: Some(9.0),
            rules: verispec_model::SpecRules::default(),
            record: Default::default(),
        })
        .collect()
}

/// A suite of `n` tasks.
pub fn suite(n: usize) -> Suite {
    let mut draw = Draw(7);
    let total: usize = TRACKS.iter().map(|(_, d)| d.len()).sum();
    let mut left = n;
    let mut cells = total;
    let tracks = TRACKS.iter().map(|(track, dims)| Track {
        name: (*track).into(),
        dimensions: dims
            .iter()
            .map(|dim| {
                let here = left / cells;
                left -= here;
                cells -= 1;
                Dimension {
                    name: (*dim).into(),
                    instances: (0..here)
                        .map(|i| instance(track, dim, i, &mut draw))
                        .collect(),
                }
            })
            .collect(),
    });
    let tracks = tracks.collect();
    Suite {
        name: "synthetic".into(),
        root: PathBuf::from("/nowhere"),
        revision: "made-up".into(),
        tracks,
    }
}

fn instance(track: &str, dim: &str, i: usize, draw: &mut Draw) -> Arc<Instance> {
    let prompt = format!(
        "{}; {}; {}. Keep the horizon level and leave no text but the sign's.",
        words(draw),
        words(draw),
        words(draw)
    );
    let references = match track {
        "edit" => vec![PathBuf::from(format!("/nowhere/{dim}_{i:03}.png"))],
        _ => vec![],
    };
    Arc::new(Instance {
        track: track.into(),
        dimension: dim.into(),
        id: format!("{dim}_{i:03}"),
        prompt,
        references,
        specifications: specifications(draw).into_iter().map(Arc::new).collect(),
        source_text: "".into(),
    })
}

/// Verdicts of a judge on `models` models; `lean` makes it milder or stricter.
pub fn results(suite: &Suite, models: usize, seed: u64, lean: f64) -> Results {
    let mut draw = Draw(seed);
    let models = (0..models).map(|m| {
        // Skill does not depend on the judge: the same tasks fail again.
        let skill = 0.55 + 0.4 * (m * 7 % 19) as f64 / 19.0;
        let refuses = if m == 4 { 0.05 } else { 0.004 };
        let tracks = suite
            .tracks
            .iter()
            .filter(|t| m % 5 != 3 || t.name != "understanding");
        ModelResults {
            model: format!(
                "model-{}",
                [
                    "aster", "birch", "cedar", "dahlia", "elm", "fern", "gorse", "hazel", "iris",
                    "juniper", "kelp", "larch", "maple", "nettle", "oak", "poppy", "quince",
                    "rowan", "sorrel"
                ][m % 19]
            ),
            tracks: tracks
                .map(|t| track(t, &mut draw, (m, skill + lean, refuses)))
                .collect(),
        }
    });
    let mut models: Vec<_> = models.collect();
    models.sort_by(|a, b| a.model.cmp(&b.model));
    Results {
        suite: suite.name.clone(),
        all_tracks: suite.tracks.iter().map(|t| t.name.clone()).collect(),
        models,
        measure: Measure::Specifications,
        warnings: vec![],
    }
}

fn track(track: &Track, draw: &mut Draw, how: (usize, f64, f64)) -> TrackResults {
    let dimensions = track
        .dimensions
        .iter()
        .enumerate()
        .map(|(d, dim)| DimensionResults {
            name: dim.name.clone(),
            instances: dim
                .instances
                .iter()
                .map(|i| InstanceResult {
                    id: i.id.clone(),
                    state: state(i, draw, (how.0, how.1 - 0.04 * d as f64, how.2)),
                })
                .collect(),
            folder_present: true,
        });
    TrackResults {
        track: track.name.clone(),
        dimensions: dimensions.collect(),
        partial: false,
    }
}

fn state(i: &Instance, draw: &mut Draw, (m, skill, refuses): (usize, f64, f64)) -> InstanceState {
    let k = i.specifications.len();
    if m == 2 && draw.below(40) == 0 {
        return InstanceState::OutputFailed(OutputFailure::Missing, k);
    }
    let refused = draw.unit() < refuses;
    // Long tasks are harder, so that curves against K fall.
    let skill = skill - 0.006 * k as f64;
    let specs = i.specifications.iter().map(|spec| {
        let met = draw.unit() < skill;
        let verdict = if met == (spec.expected == YesNo::Yes) {
            YesNo::Yes
        } else {
            YesNo::No
        };
        let reading = match refused {
            true => Reading::Unjudged(Unjudged::Refused),
            false => Reading::yes_no(verdict),
        };
        SpecResult {
            reading: Some(reading),
            provenance: Provenance::from(Origin {
                stage: Some(ReadStage::Strict),
                asked_with: Some(u32::try_from(k).unwrap()),
                note: Some(format!(
                    "I see {}, but not all of what is asked for.",
                    words(draw)
                )),
                ..Origin::default()
            }),
            ..SpecResult::pending(spec.clone())
        }
    });
    InstanceState::Generated(specs.collect())
}

/// Everything that a report of `models` models and `tasks` tasks by two judges is made from.
pub struct Large {
    pub suite: Suite,
    pub judges: Vec<(String, Context, Results, ScoreTable)>,
}

impl Large {
    pub fn new(models: usize, tasks: usize) -> Self {
        let suite = suite(tasks);
        let judge = |name: &str, seed, lean| {
            let results = results(&suite, models, seed, lean);
            let table = uniform(&results, Policy::default());
            let context = Context {
                suite: suite.name.clone(),
                revision: Some(suite.revision.clone()),
                runs: vec![format!("made-up-{seed}")],
                protocol: Some("whole@1".into()),
                judge: Some(name.to_owned()),
                reader: Some("default".into()),
                ..Context::default()
            };
            (name.to_owned(), context, results, table)
        };
        let judges = vec![
            judge("made-up/judge-a", 11, 0.0),
            judge("made-up/judge-b", 23, 0.03),
        ];
        Self { suite, judges }
    }

    /// The report's input. Intervals and correlations are placeholders to look at, not results.
    pub fn input<'a>(&'a self, outputs: &'a Outputs<'a>) -> ReportInput<'a> {
        let generation = ["t2i", "edit", "many2one", "interleave", "think_with_img"];
        let judged =
            |(name, context, results, scores): &'a (String, Context, Results, ScoreTable)| Judged {
                name: name.clone(),
                context,
                results,
                scores,
                ranks: vec![RankTable::build(scores, &RankBy::Track("t2i".into()), &[]).unwrap()],
                complexity: complexity(results, scores),
                contrast: contrast(scores, &["understanding"], &generation),
            };
        ReportInput {
            judged: self.judges.iter().map(judged).collect(),
            suite: Some(&self.suite),
            outputs,
            runs: vec![],
            statistics: self.statistics(),
        }
    }

    fn statistics(&self) -> Statistics {
        let (judge, _, _, table) = &self.judges[0];
        let tracks = table
            .models
            .iter()
            .flat_map(|m| m.tracks.iter().map(move |t| (m, t)));
        let intervals = tracks.filter_map(|(m, t)| {
            let score = t.score.as_ref()?;
            Some(ScoreInterval {
                judge: judge.clone(),
                model: m.model.clone(),
                place: Place::Track {
                    track: t.track.clone(),
                },
                interval: Interval {
                    low: score.value - 1.9,
                    high: score.value + 1.7,
                    level: 0.95,
                    method: "made up for the look of it".into(),
                },
            })
        });
        Statistics {
            intervals: intervals.collect(),
            stability: Some(Stability {
                method: "Correlations made up for the look of it".into(),
                judges: vec![
                    "made-up/judge-a".into(),
                    "made-up/judge-b".into(),
                    "made-up/judge-c".into(),
                ],
                tau: vec![
                    vec![None, Some(0.905), Some(0.412)],
                    vec![Some(0.905), None, Some(-0.12)],
                    vec![Some(0.412), Some(-0.12), None],
                ],
                human: vec![Some(0.71), Some(0.68), None],
                yes_rate: vec![Some(0.71), Some(0.74), Some(0.93)],
                spread: vec![Some(31.2), Some(30.9), Some(6.4)],
                warnings: vec![
                    "judge-c says Yes to almost everything: its agreement is no sign of validity."
                        .into(),
                ],
            }),
            missingness: vec![],
        }
    }
}

/// No outputs at hand.
pub fn nothing(_: &str, _: &str, _: &str) -> Vec<OutputPart> {
    vec![]
}
