//! A small made-up run: three models, two tracks, every kind of failure.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses its own part"
)]

use std::path::PathBuf;
use std::sync::Arc;

use verispec_model::score::{Policy, ScoreTable, uniform};
use verispec_model::{
    DataFailure, Dimension, DimensionResults, Instance, InstanceResult, InstanceState,
    ModelResults, Origin, OutputFailure, Provenance, ReadStage, Reading, Results, SpecResult,
    Specification, Suite, Track, TrackResults, Unjudged, Warning, YesNo,
};
use verispec_report::{Context, OutputPart, Style};

/// A hostile text: markup, an event handler, template braces, terminal commands.
pub const HOSTILE: &str =
    "<script>alert(1)</script><img src=x onerror=alert(2)> {{ 7 * 7 }} \u{1b}[31m\u{7}";

pub fn style(width: u16) -> Style {
    Style {
        color: false,
        width: Some(width),
    }
}

pub fn context() -> Context {
    Context {
        suite: "mini".into(),
        revision: Some("3f2a9c1b7d04".into()),
        runs: vec!["2026-01-02-alpha".into()],
        protocol: Some("whole@1".into()),
        judge: Some("openai/judge-1 temperature=0.1 structured=json_schema".into()),
        reader: Some("default".into()),
        ..Context::default()
    }
}

fn specification(id: u32, question: &str, expected: YesNo) -> Specification {
    Specification {
        id,
        question: question.to_owned(),
        category: "composition".into(),
        subcategory: "count".into(),
        expected,
        rating: Some(9.33),
        rules: verispec_model::SpecRules::default(),
        record: Default::default(),
    }
}

fn specifications(id: &str) -> Vec<Specification> {
    vec![
        specification(1, &format!("Is the sign in {id} red?"), YesNo::Yes),
        specification(2, "Are there exactly three boats on the water?", YesNo::Yes),
        specification(3, "Is any text misspelt?", YesNo::No),
    ]
}

fn instance(track: &str, dimension: &str, id: &str, prompt: &str) -> Arc<Instance> {
    let references = match track {
        "edit" => vec![PathBuf::from("/nowhere/input image.png")],
        _ => vec![],
    };
    Arc::new(Instance {
        track: track.into(),
        dimension: dimension.into(),
        id: id.into(),
        prompt: prompt.into(),
        references,
        specifications: specifications(id).into_iter().map(Arc::new).collect(),
        source_text: "".into(),
    })
}

pub fn suite() -> Suite {
    let dimension = |track: &str, name: &str, items: &[(&str, &str)]| Dimension {
        name: name.into(),
        instances: items
            .iter()
            .map(|(id, prompt)| instance(track, name, id, prompt))
            .collect(),
    };
    let prompt = "A harbour at dusk: three small boats, a red sign that reads OPEN, calm water \
                  and one gull on a post. Keep the horizon level.";
    Suite {
        name: "mini".into(),
        root: PathBuf::from("/nowhere"),
        revision: "3f2a9c1b7d04".into(),
        tracks: vec![
            Track {
                name: "t2i".into(),
                dimensions: vec![
                    dimension("t2i", "composition", &[("c1", prompt), ("c2", HOSTILE)]),
                    dimension("t2i", "text", &[("x1", "一张写着“营业中”的红色招牌")]),
                ],
            },
            Track {
                name: "edit".into(),
                dimensions: vec![dimension("edit", "style", &[("s1", "Make it night.")])],
            },
        ],
    }
}

/// `y` Yes, `n` No, `r` refused, `u` unparsed, `.` pending; one letter a specification.
pub fn judged(id: &str, answers: &str) -> InstanceState {
    let results = specifications(id).into_iter().zip(answers.chars());
    InstanceState::Generated(results.map(|(spec, c)| result(spec, c)).collect())
}

fn result(spec: Specification, answer: char) -> SpecResult {
    let reading = match answer {
        'y' => Reading::yes_no(YesNo::Yes),
        'n' => Reading::yes_no(YesNo::No),
        'r' => Reading::Unjudged(Unjudged::Refused),
        'u' => Reading::Unjudged(Unjudged::Unparsed),
        _ => return SpecResult::pending(spec),
    };
    let note = match (answer, spec.id) {
        ('n', 1) => Some("The sign is blue.".to_owned()),
        ('n', 2) => Some(HOSTILE.to_owned()),
        _ => None,
    };
    SpecResult {
        provenance: Provenance::from(Origin {
            stage: Some(if spec.id == 2 {
                ReadStage::Repaired
            } else {
                ReadStage::Strict
            }),
            asked_with: Some(3),
            note,
            ..Origin::default()
        }),
        reading: Some(reading),
        ..SpecResult::pending(spec)
    }
}

fn dimension(name: &str, items: Vec<(&str, InstanceState)>) -> DimensionResults {
    DimensionResults {
        name: name.into(),
        instances: items
            .into_iter()
            .map(|(id, state)| InstanceResult {
                id: id.into(),
                state,
            })
            .collect(),
        folder_present: true,
    }
}

fn track(name: &str, dimensions: Vec<DimensionResults>) -> TrackResults {
    TrackResults {
        track: name.into(),
        dimensions,
        partial: false,
    }
}

fn model(name: &str, tracks: Vec<TrackResults>) -> ModelResults {
    ModelResults {
        model: name.into(),
        tracks,
    }
}

/// `alpha` is complete with some judge failures, `beta` lacks an output and is complete,
/// `gamma` did not enter `edit` and has something pending.
pub fn results() -> Results {
    let alpha = model(
        "alpha",
        vec![
            track(
                "t2i",
                vec![
                    dimension(
                        "composition",
                        vec![("c1", judged("c1", "nyn")), ("c2", judged("c2", "ynr"))],
                    ),
                    dimension("text", vec![("x1", judged("x1", "yyn"))]),
                ],
            ),
            track(
                "edit",
                vec![dimension("style", vec![("s1", judged("s1", "yun"))])],
            ),
        ],
    );
    let beta = model(
        "beta",
        vec![
            track(
                "t2i",
                vec![
                    dimension(
                        "composition",
                        vec![
                            ("c1", judged("c1", "yyn")),
                            ("c2", InstanceState::OutputFailed(OutputFailure::Missing, 3)),
                        ],
                    ),
                    dimension("text", vec![("x1", judged("x1", "yny"))]),
                ],
            ),
            track(
                "edit",
                vec![dimension("style", vec![("s1", judged("s1", "yyn"))])],
            ),
        ],
    );
    let gamma = model(
        "gamma",
        vec![track(
            "t2i",
            vec![
                dimension(
                    "composition",
                    vec![
                        ("c1", judged("c1", "y..")),
                        (
                            "c2",
                            InstanceState::Unjudgeable(
                                DataFailure::Reference("c2_in.png is not on disk".into()),
                                3,
                            ),
                        ),
                    ],
                ),
                dimension("text", vec![("x1", judged("x1", "rrr"))]),
            ],
        )],
    );
    Results {
        suite: "mini".into(),
        all_tracks: vec!["t2i".into(), "edit".into()],
        models: vec![alpha, beta, gamma],
        measure: verispec_model::Measure::Specifications,
        warnings: warnings(),
    }
}

pub fn warnings() -> Vec<Warning> {
    let warning = |kind: &str, place: &str, message: &str| Warning {
        kind: kind.into(),
        place: place.into(),
        message: message.into(),
    };
    let mut all: Vec<Warning> = (1..=5)
        .map(|i| {
            warning(
                "expected-no",
                &format!("t2i/composition/c{i}.json#3"),
                "the expected answer is No",
            )
        })
        .collect();
    all.push(warning(
        "duplicate-question",
        "edit/style/s1.json#2",
        HOSTILE,
    ));
    all
}

pub fn table() -> ScoreTable {
    uniform(&results(), Policy::default())
}

pub fn output(model: &str, track: &str, id: &str) -> Vec<OutputPart> {
    let image = OutputPart::Image(PathBuf::from(format!("/nowhere/{track}/{model}/{id}.png")));
    match (model, track) {
        ("alpha", "edit") => vec![OutputPart::Text(HOSTILE.into()), image],
        ("gamma", _) => vec![],
        _ => vec![image],
    }
}

/// Compares with `tests/golden/NAME`; `VERISPEC_BLESS=1` writes it instead.
pub fn golden(name: &str, actual: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("VERISPEC_BLESS").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == actual,
        "{name} differs; look at it and write it anew with VERISPEC_BLESS=1\n\
         --- expected\n{expected}\n--- actual\n{actual}"
    );
}
