//! Stage 3: raters rate every group.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use minijinja::context;
use serde_json::{Map, Value};
use verispec_model::{Hash, Job, JudgeIdentity, Question, Replies, Request, Step, Unjudged};

use super::ask::{Asked, Failures, Turn, ask};
use super::prompt::{Stage, request};
use super::reply::{list_of, object_with};
use super::task::Task;
use crate::set::{Candidate, Decision, FilterVariant, Group, Points, Rated, Rating};

/// Who rates, and what follows.
#[derive(Debug, Clone)]
pub struct RatePlan {
    /// Raters in order.
    pub raters: Arc<[Arc<JudgeIdentity>]>,
    /// Least mean that is kept, inclusive.
    pub tau: Points,
    /// How ratings are asked for.
    pub variant: FilterVariant,
    /// Seed of the order in which each rater sees the items.
    pub seed: u64,
    /// How many generators there are: what all of them proposed is undisputed.
    pub generators: usize,
}

/// Ratings of a task's groups.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RatedGroups {
    /// One a group, in their order.
    pub rated: Vec<Rated>,
    /// Requests that the variant `full` would have begun with and this one did without.
    pub calls_saved: u64,
    /// Ratings (a rater, an item) that were not asked for.
    pub ratings_saved: u64,
    /// Why raters left something out, and the requests that were asked last.
    pub failed: Vec<(Unjudged, Hash)>,
}

impl Failures for RatedGroups {
    fn failures(&self) -> Vec<(Unjudged, Hash)> {
        self.failed.clone()
    }
}

/// One task's groups put to the raters.
#[derive(Debug, Clone)]
pub struct RateJob {
    id: String,
    task: Arc<Task>,
    groups: Vec<Group>,
    /// By group: every generator proposed it.
    agreed: Vec<bool>,
    plan: RatePlan,
}

/// Numbers of a rater by group.
type Given = BTreeMap<u32, [Points; 3]>;

/// What one rater said of the items put to it.
struct Said {
    given: Given,
    ask: Option<Request>,
    failed: Option<(Unjudged, Hash)>,
}

impl RateJob {
    /// Prepares the job.
    #[must_use]
    pub fn new(
        task: Arc<Task>,
        groups: &[Group],
        candidates: &[Candidate],
        plan: RatePlan,
    ) -> Self {
        let generators = |g: &Group| {
            let of = |id: &u32| candidates.iter().find(|c| c.id == *id).map(|c| c.generator);
            let all: BTreeSet<usize> = g.members.iter().filter_map(of).collect();
            all.len()
        };
        Self {
            id: format!("filter/{}", task.place()),
            agreed: groups
                .iter()
                .map(|g| generators(g) == plan.generators)
                .collect(),
            groups: groups.to_vec(),
            task,
            plan,
        }
    }

    /// The same job in the variant that asks everybody about everything at once: no other asks
    /// more.
    #[must_use]
    pub fn in_full(&self) -> Self {
        let mut full = self.clone();
        full.plan.variant = FilterVariant::Full;
        full
    }

    /// Positions of groups that are rated at all.
    fn rated(&self) -> Vec<usize> {
        let skip = |i: usize| {
            self.plan.variant == FilterVariant::Disputed
                && self.agreed[i]
                && self.groups[i].holds.is_empty()
        };
        (0..self.groups.len()).filter(|i| !skip(*i)).collect()
    }

    /// Asks one rater about these groups, until each has its numbers or the attempts are used up.
    fn ask(&self, rater: usize, positions: &[usize], replies: &dyn Replies) -> Said {
        let (mut given, mut open) = (Given::new(), positions.to_vec());
        let mut turn = |text: &str| {
            let ids: Vec<u32> = open.iter().map(|i| self.groups[*i].id).collect();
            match read(text, &ids) {
                Err(fault) => return Turn::Fault(fault),
                Ok(some) => given.extend(some),
            }
            open.retain(|i| !given.contains_key(&self.groups[*i].id));
            if open.is_empty() {
                return Turn::Read(());
            }
            let lacked = "it lacked the numbers that are asked here again".to_owned();
            Turn::Rest(Box::new(self.request(rater, &open)), lacked)
        };
        let (ask, failed) = match ask(self.request(rater, positions), replies, &mut turn) {
            Asked::Pending(request) => (Some(*request), None),
            Asked::Failed(why, _, key) => (None, Some((why, key))),
            Asked::Read(..) => (None, None),
        };
        Said { given, ask, failed }
    }

    fn request(&self, rater: usize, positions: &[usize]) -> Request {
        let order = self.order(rater, positions);
        let items: Vec<_> = order
            .iter()
            .map(|i| {
                let g = &self.groups[*i];
                context! { id => g.id, question => g.question.as_str(), expected => g.expected.as_str() }
            })
            .collect();
        let questions = order.iter().map(|i| Question {
            id: self.groups[*i].id,
            text: self.groups[*i].question.clone(),
        });
        let judge = &self.plan.raters[rater];
        request(
            Stage::Rate,
            &self.task,
            judge,
            questions.collect(),
            context! { items },
        )
    }

    /// The order in which a rater sees the items: other for each rater, the same on every machine.
    fn order(&self, rater: usize, positions: &[usize]) -> Vec<usize> {
        let rank = |i: &usize| {
            let text = format!(
                "{}\0{rater}\0{}\0{}",
                self.plan.seed,
                self.task.place(),
                self.groups[*i].id
            );
            Hash::of(text.as_bytes())
        };
        let mut order = positions.to_vec();
        order.sort_by_key(rank);
        order
    }

    /// What the ratings given so far mean for a group.
    fn decide(&self, ratings: Vec<Rating>, asked: &[usize], group: u32) -> Rated {
        let missing: Vec<usize> = asked
            .iter()
            .copied()
            .filter(|r| ratings.iter().all(|x| x.rater != *r))
            .collect();
        let mut rated = Rated {
            group,
            ratings,
            decision: Decision::Pending,
        };
        let raters = u32::try_from(self.plan.raters.len()).unwrap_or(u32::MAX);
        let (sum, n) = rated.sum();
        let tau = self.plan.tau.hundredths();
        rated.decision = match () {
            () if !missing.is_empty() => Decision::Unrated { missing },
            () if n == 3 * raters && sum >= tau * n => Decision::Kept,
            () if n == 3 * raters => Decision::Dropped,
            // Others are asked all the same, so theirs are still to come.
            () if self.stops_early() && self.hopeless(&rated) => Decision::Hopeless,
            () => Decision::Pending,
        };
        rated
    }

    fn stops_early(&self) -> bool {
        self.plan.variant == FilterVariant::EarlyStop
    }

    /// Whether full marks of all raters still to come would not reach the bound.
    fn hopeless(&self, rated: &Rated) -> bool {
        let all = 3 * u32::try_from(self.plan.raters.len()).unwrap_or(u32::MAX);
        let (sum, n) = rated.sum();
        let most = sum + (all - n.min(all)) * Points::MAX.hundredths();
        n > 0 && most < self.plan.tau.hundredths() * all
    }
}

/// What the raters said so far.
#[derive(Default)]
struct Collected {
    /// Ratings by position of group; groups that are not rated are absent.
    ratings: BTreeMap<usize, Vec<Rating>>,
    /// Raters that are done with a group, whether they rated it or not.
    asked: BTreeMap<usize, Vec<usize>>,
    wanted: Vec<Request>,
    failed: Vec<(Unjudged, Hash)>,
    /// First requests made, and ratings that they ask for.
    calls: usize,
    numbers: usize,
}

impl Collected {
    fn add(&mut self, rater: usize, open: &[(usize, u32)], said: Said) {
        self.calls += 1;
        self.numbers += open.len();
        for (position, group) in open {
            if let Some([relevance, clarity, verifiability]) = said.given.get(group) {
                self.ratings.entry(*position).or_default().push(Rating {
                    rater,
                    relevance: *relevance,
                    clarity: *clarity,
                    verifiability: *verifiability,
                });
            } else if said.ask.is_some() {
                // What may still come is not missing.
                continue;
            }
            self.asked.entry(*position).or_default().push(rater);
        }
        self.wanted.extend(said.ask);
        self.failed.extend(said.failed);
    }
}

impl RateJob {
    fn collect(&self, replies: &dyn Replies) -> Collected {
        let rated = self.rated();
        let early = self.stops_early();
        let mut all = Collected {
            ratings: rated.iter().map(|i| (*i, vec![])).collect(),
            ..Collected::default()
        };
        for rater in 0..self.plan.raters.len() {
            // Without what the one before said, nobody knows what the next has to be asked.
            if early && !all.wanted.is_empty() {
                break;
            }
            let lost = |i: &usize| {
                let so_far = Rated {
                    group: 0,
                    ratings: all.ratings[i].clone(),
                    decision: Decision::Pending,
                };
                early && self.hopeless(&so_far)
            };
            let open: Vec<usize> = rated.iter().copied().filter(|i| !lost(i)).collect();
            if !open.is_empty() {
                let said = self.ask(rater, &open, replies);
                let open: Vec<_> = open.iter().map(|i| (*i, self.groups[*i].id)).collect();
                all.add(rater, &open, said);
            }
        }
        all
    }
}

impl Job for RateJob {
    type Readings = RatedGroups;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<RatedGroups> {
        let mut all = self.collect(replies);
        let raters = self.plan.raters.len();
        let made = (0..self.groups.len()).map(|i| {
            let group = self.groups[i].id;
            let asked = all.asked.get(&i).map_or(&[][..], Vec::as_slice);
            match all.ratings.remove(&i) {
                None => Rated {
                    group,
                    ratings: vec![],
                    decision: Decision::Agreed,
                },
                Some(ratings) => self.decide(ratings, asked, group),
            }
        });
        let rated = made.collect();
        let done = all.wanted.is_empty() && !self.groups.is_empty();
        let saved = |full: usize, made: usize| if done { (full - made) as u64 } else { 0 };
        Step {
            readings: RatedGroups {
                rated,
                calls_saved: saved(raters, all.calls),
                ratings_saved: saved(raters * self.groups.len(), all.numbers),
                failed: all.failed,
            },
            ask: all.wanted,
        }
    }
}

/// Numbers of a reply for the ids that were asked. One that is absent, given twice or out of
/// bounds is not among them; nothing is clamped.
fn read(text: &str, ids: &[u32]) -> Result<Given, String> {
    let object = object_with(text, "ratings")?;
    let mut given = Given::new();
    let (mut seen, mut twice) = (BTreeSet::new(), vec![]);
    for element in list_of(&object, "ratings")? {
        let id = element.get("id").and_then(Value::as_u64);
        let Some(id) = id
            .and_then(|id| u32::try_from(id).ok())
            .filter(|id| ids.contains(id))
        else {
            continue;
        };
        // Also where one of both cannot be used: which was meant is not for us to say.
        if !seen.insert(id) {
            twice.push(id);
        }
        let points = |name: &str| element_points(&element, name);
        if let (Some(r), Some(c), Some(v)) = (
            points("relevance"),
            points("clarity"),
            points("verifiability"),
        ) {
            given.insert(id, [r, c, v]);
        }
    }
    given.retain(|id, _| !twice.contains(id));
    if given.is_empty() {
        return Err("it rates none of the numbers from 0 to 10".to_owned());
    }
    Ok(given)
}

fn element_points(element: &Map<String, Value>, name: &str) -> Option<Points> {
    Points::of(element.get(name)?.as_f64()?)
}
