//! The job of one picture.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use verispec_graph::clean::{Candidate, Thresholds, Verdict, Verification, apply, candidates};
use verispec_graph::extraction::Presence;
use verispec_graph::merge::{GroupRule, PredicateKeep, merge_image};
use verispec_graph::scene::{
    AttributeIndex, AttributeRecord, Bbox, CleanedGraph, Image, ImageId, MergedGraph, RawRelations,
    SegmentId,
};
use verispec_graph::vocabulary::{LABELS, supercategory};
use verispec_model::{
    Hash, ImagePart, ImageRole, Job, JudgeIdentity, Replies, Request, Step, Unjudged,
};

use super::{attributes, objects, relations, verify};
use crate::xtc::ask::{Outcome, settle};

/// A picture to be described.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Number of the image.
    pub image_id: ImageId,
    /// Path below the folder of pictures, for files that are written.
    pub file_name: String,
    /// The file.
    pub path: Arc<Path>,
    /// Hash of its bytes.
    pub source: Hash,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Whether a model under test made it.
    pub role: ImageRole,
}

impl Picture {
    /// The picture as it is.
    pub(in crate::xtc) fn whole(&self) -> ImagePart {
        self.view("original@1")
    }

    /// The picture under a media profile.
    pub(super) fn view(&self, profile: impl Into<Cow<'static, str>>) -> ImagePart {
        ImagePart {
            path: self.path.clone(),
            source: self.source,
            profile: profile.into(),
            role: self.role,
        }
    }
}

/// What is known of a picture before anything is asked.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one a job, which lives as long")]
pub enum Start {
    /// Nothing: the model names objects and relations.
    Nothing,
    /// Segments and relation scores of vision models: the model verifies and describes.
    Scores {
        /// Segments.
        image: Image,
        /// Labels by category id.
        labels: Arc<[String]>,
        /// Predicates by column.
        predicates: Arc<[String]>,
        /// Scores.
        raw: RawRelations,
    },
}

/// How graphs are made. Both sides of a comparison should use the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ExtractPolicy {
    /// How each relation is verified; `None` takes what the model lists unverified. Scores of a
    /// relation model are always verified.
    pub verification: Option<Verification>,
    /// Whether every property must be answered.
    pub presence: Presence,
    /// Thresholds on the scores of a relation model.
    pub thresholds: Thresholds,
    /// When objects become a group.
    pub groups: GroupRule,
    /// Which predicates a pair keeps.
    pub predicates: PredicateKeep,
}

impl Default for ExtractPolicy {
    fn default() -> Self {
        Self {
            verification: Some(Verification::default()),
            presence: Presence::default(),
            thresholds: Thresholds::default(),
            groups: GroupRule::default(),
            predicates: PredicateKeep::default(),
        }
    }
}

/// The graph of one picture.
#[derive(Debug, Clone)]
pub struct ExtractJob {
    /// Name of the job inside the run.
    pub id: String,
    /// The picture.
    pub picture: Picture,
    /// What is known of it.
    pub start: Start,
    /// Who is asked.
    pub judge: Arc<JudgeIdentity>,
    /// How graphs are made.
    pub policy: ExtractPolicy,
}

/// Where an extraction failed as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The list of objects.
    Objects,
    /// The list of relations.
    Relations,
    /// Segments, scores and verdicts do not belong together.
    Graph,
}

/// What became of a picture.
#[derive(Debug, Clone, PartialEq)]
pub enum Extraction {
    /// Replies are still wanted.
    Pending,
    /// No graph, which is not an empty graph.
    Failed {
        /// Where.
        stage: Stage,
        /// Why.
        why: Unjudged,
    },
    /// A graph.
    Done(Box<Extracted>),
}

/// A graph and what is not known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Extracted {
    /// The graph with attributes.
    pub graph: MergedGraph,
    /// Verified relations before merging.
    pub cleaned: CleanedGraph,
    /// The segments.
    pub image: Image,
    /// Pairs with a relation that has no verdict: whether there is an edge is not known.
    pub unread: BTreeSet<(SegmentId, SegmentId)>,
    /// Objects whose description failed: which attributes they have is not known.
    pub undescribed: BTreeSet<SegmentId>,
    /// Relations that the verifier denied.
    pub denied: usize,
    /// Verified relations that gave way to a better one of the same object.
    pub exclusive: usize,
    /// Objects and relations of the model's lists outside the vocabulary, left out.
    pub outside: usize,
}

impl Job for ExtractJob {
    type Readings = Extraction;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Extraction> {
        match self.walk(replies) {
            Walk::Ask(ask) => Step {
                ask,
                readings: Extraction::Pending,
            },
            Walk::Failed(stage, why) => Step {
                ask: vec![],
                readings: Extraction::Failed { stage, why },
            },
            Walk::Done(done) => Step {
                ask: vec![],
                readings: Extraction::Done(done),
            },
        }
    }
}

enum Walk {
    Ask(Vec<Request>),
    Failed(Stage, Unjudged),
    Done(Box<Extracted>),
}

/// Segments with the relations to be verified.
struct Found {
    image: Image,
    labels: Vec<String>,
    outside: usize,
}

/// Relations before verification.
struct Proposed {
    raw: RawRelations,
    candidates: Vec<Candidate>,
    outside: usize,
}

#[expect(clippy::large_enum_variant, reason = "taken apart at once")]
enum Part<T> {
    Known(T),
    Ask(Request),
    Failed(Unjudged),
}

impl ExtractJob {
    fn walk(&self, replies: &dyn Replies) -> Walk {
        let found = match self.found(replies) {
            Part::Known(found) => found,
            Part::Ask(request) => return Walk::Ask(vec![request]),
            Part::Failed(why) => return Walk::Failed(Stage::Objects, why),
        };
        let (mut ask, described) = self.described(&found, replies);
        let proposed = match self.proposed(&found, replies) {
            Part::Known(proposed) => proposed,
            Part::Ask(request) => {
                ask.insert(0, request);
                return Walk::Ask(ask);
            }
            Part::Failed(why) => return Walk::Failed(Stage::Relations, why),
        };
        let (more, verdicts) = self.verdicts(&found, &proposed, replies);
        ask.extend(more);
        if !ask.is_empty() {
            return Walk::Ask(ask);
        }
        match self.graph(found, &proposed, &verdicts, described) {
            Some(done) => Walk::Done(Box::new(done)),
            None => Walk::Failed(Stage::Graph, Unjudged::Conflict),
        }
    }

    fn found(&self, replies: &dyn Replies) -> Part<Found> {
        if let Start::Scores { image, labels, .. } = &self.start {
            return Part::Known(Found {
                image: image.clone(),
                labels: labels.to_vec(),
                outside: 0,
            });
        }
        match settle(objects::request(&self.picture, &self.judge), replies) {
            Outcome::Pending(request) => Part::Ask(request),
            Outcome::Failed(why) => Part::Failed(why),
            Outcome::Said(text) => match objects::read(&text, &self.picture) {
                None => Part::Failed(Unjudged::Unparsed),
                Some(objects) => Part::Known(Found {
                    image: objects.image,
                    labels: LABELS.map(str::to_owned).to_vec(),
                    outside: objects.unknown_labels,
                }),
            },
        }
    }

    fn proposed(&self, found: &Found, replies: &dyn Replies) -> Part<Proposed> {
        if let Start::Scores {
            predicates, raw, ..
        } = &self.start
        {
            return match candidates(raw, predicates, self.policy.thresholds) {
                Err(_) => Part::Failed(Unjudged::Conflict),
                Ok(all) => Part::Known(Proposed {
                    raw: raw.clone(),
                    candidates: all.candidates,
                    outside: 0,
                }),
            };
        }
        let image = &found.image;
        if image.segments.len() < 2 {
            return Part::Known(Proposed {
                raw: relations::raw(image, &[]),
                candidates: vec![],
                outside: 0,
            });
        }
        match settle(
            relations::request(&self.picture, image, &self.judge),
            replies,
        ) {
            Outcome::Pending(request) => Part::Ask(request),
            Outcome::Failed(why) => Part::Failed(why),
            Outcome::Said(text) => match relations::read(&text, image.segments.len()) {
                None => Part::Failed(Unjudged::Unparsed),
                Some(triples) => Part::Known(Proposed {
                    raw: relations::raw(image, &triples.candidates),
                    candidates: triples.candidates,
                    outside: triples.unusable,
                }),
            },
        }
    }

    /// One verdict a candidate, and what has to be asked for the others.
    fn verdicts(
        &self,
        found: &Found,
        proposed: &Proposed,
        replies: &dyn Replies,
    ) -> (Vec<Request>, Vec<Verdict>) {
        let scored = matches!(self.start, Start::Scores { .. });
        let rule = match self.policy.verification {
            None if !scored => return (vec![], vec![Verdict::Yes; proposed.candidates.len()]),
            rule => rule.unwrap_or_default(),
        };
        let label = |at: usize| {
            let category = proposed.raw.categories.get(at);
            let place = category.and_then(|c| usize::try_from(*c).ok());
            let label = place.and_then(|c| found.labels.get(c));
            label.cloned().unwrap_or_default()
        };
        let mut ask = vec![];
        let mut verdicts = Vec::with_capacity(proposed.candidates.len());
        for candidate in &proposed.candidates {
            let about = (&proposed.raw, candidate, &label as &dyn Fn(usize) -> String);
            let request = verify::request(&self.picture, about, rule, &self.judge);
            verdicts.push(match settle(request, replies) {
                Outcome::Said(text) => verify::read(&text),
                Outcome::Failed(_) => Verdict::Unread,
                Outcome::Pending(request) => {
                    ask.push(request);
                    Verdict::Unread
                }
            });
        }
        (ask, verdicts)
    }

    /// Attributes of the objects that could be described, and what has to be asked for the others.
    fn described(&self, found: &Found, replies: &dyn Replies) -> (Vec<Request>, Described) {
        let mut ask = vec![];
        let mut all = Described::default();
        for segment in &found.image.segments {
            let place = usize::try_from(segment.category_id).ok();
            let label = place.and_then(|c| found.labels.get(c));
            // Labels without a class have no attributes to ask for.
            let Some((label, class)) = label.and_then(|l| Some((l, supercategory(l)?))) else {
                continue;
            };
            let about = (label.as_str(), class, segment.bbox);
            let presence = self.policy.presence;
            let request =
                attributes::request(&self.picture, &found.image, about, presence, &self.judge);
            let attributes = match request.map(|r| settle(r, replies)) {
                Some(Outcome::Pending(request)) => {
                    ask.push(request);
                    continue;
                }
                Some(Outcome::Said(text)) => attributes::read(&text, class),
                Some(Outcome::Failed(_)) | None => None,
            };
            match attributes {
                None => drop(all.failed.insert(segment.id)),
                Some(attributes) => all.records.push(AttributeRecord {
                    image_id: found.image.image_id,
                    segment: segment.id,
                    category: Some(label.clone()),
                    supercategory: Some(class.name.to_owned()),
                    attributes,
                    reasoning: None,
                }),
            }
        }
        (ask, all)
    }

    fn graph(
        &self,
        found: Found,
        proposed: &Proposed,
        verdicts: &[Verdict],
        described: Described,
    ) -> Option<Extracted> {
        let Found {
            image,
            labels,
            outside,
        } = found;
        let report = apply(
            &proposed.raw,
            &image,
            &labels,
            &proposed.candidates,
            verdicts,
        )
        .ok()?;
        let segment = |at: usize| image.segments.get(at).map(|s| s.id);
        let pairs = report
            .unread
            .iter()
            .map(|c| segment(c.subject).zip(segment(c.object)));
        let unread = pairs.collect::<Option<BTreeSet<_>>>()?;
        let policy = self.policy;
        let merged = merge_image(
            &image,
            Some(&report.graph),
            &labels,
            policy.groups,
            policy.predicates,
        );
        let mut graph = merged.ok()?.graph;
        AttributeIndex::new(&described.records).attach(&mut graph);
        Some(Extracted {
            graph,
            cleaned: report.graph,
            unread,
            undescribed: described.failed,
            denied: report.denied,
            exclusive: report.exclusive,
            outside: outside + proposed.outside,
            image,
        })
    }
}

#[derive(Default)]
struct Described {
    records: Vec<AttributeRecord>,
    failed: BTreeSet<SegmentId>,
}

/// Whole pixels that hold a box, from the first to the last.
pub(super) fn pixel_box(bbox: Bbox) -> [u32; 4] {
    // Negative numbers become 0, too large ones the largest: the view cuts off at the image.
    let first = |n: f64| n.max(0.0).floor() as u32;
    let [x1, y1] = [first(bbox.x1), first(bbox.y1)];
    [
        x1,
        y1,
        (bbox.x2.ceil() as u32).max(x1),
        (bbox.y2.ceil() as u32).max(y1),
    ]
}
