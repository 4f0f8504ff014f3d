//! What a model showed and said about each fact of an image.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use verispec_graph::answers::{AnswerCleaning, GenAnswer, NodeMap, UndAnswer, look_up};
use verispec_graph::facts::{Fact, FactTarget};
use verispec_graph::matching::{EmbeddingTable, MatchPolicy, Matched, match_scenes};
use verispec_graph::metrics::{
    FactScore, GenScore, Grade, IdMatch, ImageCoverage, ImageOutcome, UndScore, is_matched,
};
use verispec_graph::scene::{Bbox, MergedGraph, SceneGraph, ScenePolicy, SegmentId};
use verispec_model::Unjudged;

use super::bundle::{BundleImage, boxes};
use super::extract::Extracted;
use super::grade::{GradeItem, GradeReading};
use super::understand::UndReading;

/// The picture that a model drew, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub enum Generated {
    /// There is none.
    NotGenerated,
    /// The model left a file that is no picture: its failure, as if there were none.
    Unreadable {
        /// What is wrong with it.
        why: String,
    },
    /// Its graph is still being made.
    Pending,
    /// Nobody drew it, or no graph could be made of it: nothing is known of what it shows.
    Unknown {
        /// Why.
        why: String,
    },
    /// Its graph.
    Graph(Box<GeneratedGraph>),
}

/// The graph of a generated picture and what is not known of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GeneratedGraph {
    /// The graph.
    pub scene: SceneGraph,
    /// Box of each node, where known.
    pub boxes: BTreeMap<SegmentId, Bbox>,
    /// Pairs of which it is not known whether there is an edge.
    pub unread: BTreeSet<(SegmentId, SegmentId)>,
    /// Nodes of which it is not known which attributes they have.
    pub undescribed: BTreeSet<SegmentId>,
}

impl GeneratedGraph {
    /// From a graph that was extracted here.
    #[must_use]
    pub fn of_extracted(extracted: &Extracted, policy: ScenePolicy) -> Self {
        let segments = extracted.image.segments.iter();
        Self {
            scene: SceneGraph::build(&extracted.graph, policy).scene,
            boxes: segments.map(|s| (s.id, s.bbox)).collect(),
            unread: extracted.unread.clone(),
            undescribed: extracted.undescribed.clone(),
        }
    }

    /// From a graph that was made elsewhere.
    #[must_use]
    pub fn of_merged(graph: &MergedGraph, policy: ScenePolicy) -> Self {
        Self {
            scene: SceneGraph::build(graph, policy).scene,
            boxes: boxes(graph),
            ..Self::default()
        }
    }
}

/// What the picture says about a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Drawn {
    /// An answer, or that there is none.
    Known {
        /// It.
        answer: GenAnswer,
    },
    /// The extraction failed there: neither an answer nor its absence.
    Unknown,
    /// Not looked at yet.
    Pending,
}

/// What a model said about a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Said {
    /// An answer, or how there came to be none.
    Known {
        /// It.
        answer: UndAnswer,
    },
    /// The model was not heard: neither an answer nor its absence.
    Unheard {
        /// Why.
        why: Unjudged,
    },
    /// Not asked yet.
    Pending,
}

/// One fact of one model.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The fact.
    pub fact: Fact,
    /// Whether its nodes have counterparts; `None` if that is not known.
    pub matched: Option<bool>,
    /// What the picture shows.
    pub drawn: Drawn,
    /// What the model said.
    pub said: Said,
}

/// One image of one model.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// Coverage of its nodes.
    pub coverage: ImageCoverage,
    /// What was matched, where both graphs are there.
    pub matched: Option<Matched>,
    /// The generated picture's graph.
    pub generated: Generated,
    /// One row a fact.
    pub rows: Vec<Row>,
}

/// How rows are made.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct SheetPolicy {
    /// Weights of matching.
    pub matching: MatchPolicy,
    /// How answers of the graph are worded.
    pub cleaning: AnswerCleaning,
    /// How ids are compared.
    pub ids: IdMatch,
}

impl Sheet {
    /// Matches the graphs and looks every fact up. `said` gives what the model said of each fact,
    /// in the order of the facts.
    #[must_use]
    pub fn new(
        image: &BundleImage,
        generated: Generated,
        said: Vec<Said>,
        table: &EmbeddingTable,
        policy: SheetPolicy,
    ) -> Self {
        let mut generated = generated;
        let mut matched = None;
        let mut map = None;
        if let Generated::Graph(graph) = &generated {
            match match_scenes(&image.scene, &graph.scene, table, policy.matching) {
                Ok(found) => {
                    map = Some(found.node_map(&image.scene, &graph.scene));
                    matched = Some(found);
                }
                Err(e) => generated = Generated::Unknown { why: e.to_string() },
            }
        }
        let outcome = outcome(&generated, matched.as_ref());
        let drawn =
            |fact: &Fact| drawn(&fact.key.target, &generated, map.as_ref(), policy.cleaning);
        let is_there = |fact: &Fact| match &generated {
            Generated::NotGenerated | Generated::Unreadable { .. } => Some(false),
            Generated::Pending | Generated::Unknown { .. } => None,
            Generated::Graph(_) => Some(is_matched(&fact.key.target, map.as_ref()?, policy.ids)),
        };
        let rows = image.facts.iter().zip(said).map(|(fact, said)| Row {
            matched: is_there(fact),
            drawn: drawn(fact),
            said,
            fact: fact.clone(),
        });
        Self {
            rows: rows.collect(),
            coverage: ImageCoverage {
                gt_nodes: image.scene.nodes.len(),
                outcome,
            },
            matched,
            generated,
        }
    }

    /// Answers that a judge has to grade, with the place of each: row, and whether it is the
    /// generation side.
    #[must_use]
    pub fn to_grade(&self) -> Vec<((usize, bool), GradeItem)> {
        let mut all = vec![];
        for (at, row) in self.rows.iter().enumerate() {
            let item = |answer: &str| GradeItem {
                question: row.fact.question.clone(),
                gold: row.fact.gold.clone(),
                answer: answer.to_owned(),
            };
            if let Drawn::Known { answer } = &row.drawn
                && let Some(text) = answer.text()
            {
                all.push(((at, true), item(text)));
            }
            if let Said::Known { answer } = &row.said
                && let Some(text) = answer.text()
            {
                all.push(((at, false), item(text)));
            }
        }
        all
    }

    /// The facts with their scores. `grades` holds what became of [`Sheet::to_grade`], in order.
    /// Second is how many facts wait for something.
    #[must_use]
    pub fn scores(&self, dataset: &Arc<str>, grades: &[GradeReading]) -> (Vec<FactScore>, usize) {
        let places = self.to_grade().into_iter().map(|(place, _)| place);
        let given: BTreeMap<(usize, bool), GradeReading> =
            places.zip(grades.iter().copied()).collect();
        let mut pending = 0;
        let mut score = |(at, row): (usize, &Row)| {
            let grade = |side: bool| given.get(&(at, side)).copied();
            let waits = |g: Option<GradeReading>| g == Some(GradeReading::Pending);
            let open = row.drawn == Drawn::Pending || row.said == Said::Pending;
            pending += usize::from(open || waits(grade(true)) || waits(grade(false)));
            FactScore {
                id: row.fact.key.to_string(),
                dataset: dataset.clone(),
                image_id: row.fact.key.image_id,
                kind: row.fact.key.target.kind(),
                matched: row.matched,
                generation: generation(&row.drawn, grade(true)),
                understanding: understanding(&row.said, grade(false)),
            }
        };
        let scores = self.rows.iter().enumerate().map(&mut score).collect();
        (scores, pending)
    }
}

fn read(grade: Option<GradeReading>) -> Option<Grade> {
    match grade {
        Some(GradeReading::Graded(grade)) => Some(grade),
        _ => None,
    }
}

fn generation(drawn: &Drawn, grade: Option<GradeReading>) -> GenScore {
    match drawn {
        Drawn::Pending => GenScore::Absent,
        Drawn::Unknown => GenScore::Unjudged,
        Drawn::Known { .. } if grade == Some(GradeReading::Pending) => GenScore::Absent,
        Drawn::Known { answer } => GenScore::of(answer.clone(), read(grade)),
    }
}

fn understanding(said: &Said, grade: Option<GradeReading>) -> UndScore {
    match said {
        Said::Pending | Said::Unheard { .. } => UndScore::Absent,
        Said::Known { .. } if grade == Some(GradeReading::Pending) => UndScore::Absent,
        Said::Known { answer } => UndScore::of(answer, read(grade)),
    }
}

impl From<UndReading> for Said {
    fn from(reading: UndReading) -> Self {
        match reading {
            UndReading::Pending => Self::Pending,
            UndReading::Settled(answer) => Self::Known { answer },
            UndReading::Unheard(why) => Self::Unheard { why },
        }
    }
}

fn outcome(generated: &Generated, matched: Option<&Matched>) -> ImageOutcome {
    match (generated, matched) {
        (Generated::NotGenerated, _) => ImageOutcome::NotGenerated,
        (Generated::Unreadable { .. }, _) => ImageOutcome::Unreadable,
        (Generated::Graph(graph), _) if graph.scene.nodes.is_empty() => ImageOutcome::Empty,
        (Generated::Graph(_), Some(found)) => ImageOutcome::Matched {
            nodes: found.nodes.len(),
        },
        _ => ImageOutcome::Failed,
    }
}

fn drawn(
    target: &FactTarget,
    generated: &Generated,
    map: Option<&NodeMap>,
    cleaning: AnswerCleaning,
) -> Drawn {
    let graph = match generated {
        Generated::NotGenerated => {
            return Drawn::Known {
                answer: GenAnswer::NoImage,
            };
        }
        Generated::Unreadable { .. } => {
            return Drawn::Known {
                answer: GenAnswer::UnreadableImage,
            };
        }
        Generated::Pending => return Drawn::Pending,
        Generated::Unknown { .. } => return Drawn::Unknown,
        Generated::Graph(graph) => graph,
    };
    let Some(map) = map else {
        return Drawn::Unknown;
    };
    let answer = look_up(target, map, &graph.scene, cleaning);
    if is_unknown(target, &answer, map, graph) {
        return Drawn::Unknown;
    }
    Drawn::Known { answer }
}

/// Whether an absence may be the extraction's failure.
fn is_unknown(
    target: &FactTarget,
    answer: &GenAnswer,
    map: &NodeMap,
    graph: &GeneratedGraph,
) -> bool {
    let at = |id| map.get(id).map(|p| p.0);
    match (target, answer) {
        (FactTarget::Attribute { node, .. }, GenAnswer::NoAttributes) => {
            at(node).is_some_and(|id| graph.undescribed.contains(&id))
        }
        (FactTarget::Relation { subject, object }, GenAnswer::NoEdge) => {
            let pair = at(subject).zip(at(object));
            pair.is_some_and(|pair| graph.unread.contains(&pair))
        }
        _ => false,
    }
}
