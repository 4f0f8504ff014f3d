//! Which specifications tell anything? Met by all, met by none, not discriminating, disputed
//! among judges, or saying what another one of the instance says.

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_stats::rank::{Correlation, pearson};
use verispec_stats::{Defined, Undefined};

use crate::estimate::Estimate;
use crate::matrix::{Mark, Matrix, TrackMatrix};

/// When a specification is flagged.
#[derive(Debug, Clone, Copy)]
pub struct Thresholds {
    /// Verdicts that "always" and "never" need.
    pub least_verdicts: usize,
    /// Discrimination below this is named, -1 to 1, where chance hardly explains it
    /// ([`CHANCE`]).
    pub discrimination: f64,
    /// Disagreement among judges above this is named, 0-1.
    pub disagreement: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            least_verdicts: 5,
            discrimination: 0.0,
            disagreement: 0.3,
        }
    }
}

/// Two-sided p of the discrimination from which on chance explains it: with a dozen models a third
/// of all sound specifications have a correlation below 0.
pub const CHANCE: f64 = 0.05;

/// Why a specification deserves a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Every verdict says met: it separates nobody.
    AlwaysMet,
    /// No verdict says met: it separates nobody, or asks the impossible.
    NeverMet,
    /// Models that are better on the rest meet it less often.
    Discrimination,
    /// Judges often disagree about the same output.
    Disputed,
    /// Another specification of the instance gets the same verdict everywhere.
    Redundant,
}

impl Flag {
    /// Name in tables and files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AlwaysMet => "always-met",
            Self::NeverMet => "never-met",
            Self::Discrimination => "discrimination",
            Self::Disputed => "disputed",
            Self::Redundant => "redundant",
        }
    }

    /// Whether the specification can go, or has to be looked at.
    #[must_use]
    pub const fn action(self) -> Action {
        match self {
            Self::AlwaysMet | Self::Redundant => Action::Retire,
            Self::NeverMet | Self::Discrimination | Self::Disputed => Action::Repair,
        }
    }
}

/// What to do with a specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// It adds nothing.
    Retire,
    /// Its text needs a person.
    Repair,
}

/// What verdicts say about one specification.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// Track.
    pub track: String,
    /// Instance.
    pub instance: String,
    /// Label inside the instance.
    pub spec: u32,
    /// The statement.
    pub question: String,
    /// Answer that counts as met.
    pub expected: &'static str,
    /// Category.
    pub category: String,
    /// Verdicts, over models and judges.
    pub verdicts: usize,
    /// Of those, met.
    pub met: usize,
    /// Correlation over models between meeting it and the score on all other instances of the
    /// track, -1 to 1 (item-rest correlation); undefined when all models meet it alike.
    pub discrimination: Estimate,
    /// Two-sided p of the discrimination against 0; `None` where it is undefined, also at 1 and -1.
    pub discrimination_p: Option<f64>,
    /// Share of pairs of judges that contradict each other on the same output, 0-1; `None` with
    /// one judge.
    pub disagreement: Option<f64>,
    /// Label of the specification that gets the same verdicts, if one does.
    pub same_as: Option<u32>,
    /// Why it deserves a look.
    pub flags: Vec<Flag>,
}

/// Every specification with its figures, in suite order.
#[must_use]
pub fn items(matrix: &Matrix, thresholds: Thresholds) -> Vec<Item> {
    let mut items = vec![];
    for track in &matrix.tracks {
        let rest = Rest::of(matrix, track);
        for unit in 0..track.units.len() {
            items.extend(of_instance(matrix, track, unit, &rest, thresholds));
        }
    }
    items
}

/// A model's mean over judges and instances, to be taken without one instance.
struct Rest {
    /// Sum and number of scores, by model.
    totals: Vec<(f64, usize)>,
}

impl Rest {
    fn of(matrix: &Matrix, track: &TrackMatrix) -> Self {
        let totals = (0..track.models.len()).map(|m| {
            let levels = 0..matrix.levels.len();
            let scores = levels.flat_map(|l| track.row(l, m).iter().filter_map(|c| c.score));
            scores.fold((0.0, 0), |(sum, n), s| (sum + s, n + 1))
        });
        Self {
            totals: totals.collect(),
        }
    }

    fn without(
        &self,
        matrix: &Matrix,
        track: &TrackMatrix,
        model: usize,
        unit: usize,
    ) -> Option<f64> {
        let (mut sum, mut n) = self.totals[model];
        for level in 0..matrix.levels.len() {
            if let Some(score) = track.cell(level, model, unit).score {
                sum -= score;
                n -= 1;
            }
        }
        (n > 0).then(|| sum / n as f64)
    }
}

/// Verdicts on one specification: met or not, by model and level.
type Verdicts = BTreeMap<(usize, usize), bool>;

fn of_instance(
    matrix: &Matrix,
    track: &TrackMatrix,
    unit: usize,
    rest: &Rest,
    thresholds: Thresholds,
) -> Vec<Item> {
    let mut specs: BTreeMap<(u32, u64), (Mark, Verdicts)> = BTreeMap::new();
    for model in 0..track.models.len() {
        for level in 0..matrix.levels.len() {
            for mark in &track.cell(level, model, unit).marks {
                let (_, verdicts) = specs
                    .entry((mark.id, mark.content))
                    .or_insert((*mark, Verdicts::new()));
                if let Some(met) = mark.met() {
                    verdicts.insert((model, level), met);
                }
            }
        }
    }
    let mut items: Vec<Item> = vec![];
    let mut before: Vec<&(Mark, Verdicts)> = vec![];
    for entry in specs.values() {
        let (mark, verdicts) = entry;
        let twin = before.iter().find(|(_, v)| same(v, verdicts));
        let (item, chance) = item(matrix, track, unit, (mark, verdicts), rest);
        let item = Item {
            same_as: twin.map(|(m, _)| m.id),
            ..item
        };
        items.push(flagged(item, chance, thresholds));
        before.push(entry);
    }
    items
}

/// Two specifications that always get the same verdict, and not always the same one.
fn same(a: &Verdicts, b: &Verdicts) -> bool {
    let varies = a.values().any(|m| *m) && a.values().any(|m| !m);
    varies && a == b
}

fn item(
    matrix: &Matrix,
    track: &TrackMatrix,
    unit: usize,
    (mark, verdicts): (&Mark, &Verdicts),
    rest: &Rest,
) -> (Item, bool) {
    let text = matrix.specs.get(&mark.content);
    let discrimination = discrimination(matrix, track, unit, verdicts, rest);
    let chance = by_chance(&discrimination);
    let item = Item {
        track: track.name.clone(),
        instance: track.units[unit].id.clone(),
        spec: mark.id,
        question: text.map_or_else(String::new, |t| t.question.clone()),
        expected: mark.expected.as_str(),
        category: text.map_or_else(String::new, |t| t.category.clone()),
        verdicts: verdicts.len(),
        met: verdicts.values().filter(|m| **m).count(),
        discrimination_p: discrimination.as_ref().ok().and_then(p_value),
        discrimination: Estimate::of(discrimination.map(|c| c.value)),
        disagreement: disagreement(track.models.len(), verdicts),
        same_as: None,
        flags: vec![],
    };
    (item, chance)
}

fn discrimination(
    matrix: &Matrix,
    track: &TrackMatrix,
    unit: usize,
    verdicts: &Verdicts,
    rest: &Rest,
) -> Defined<Correlation> {
    let points = (0..track.models.len()).filter_map(|model| {
        let of: Vec<f64> = verdicts
            .range((model, 0)..(model + 1, 0))
            .map(|(_, met)| f64::from(u8::from(*met)))
            .collect();
        let share = (!of.is_empty()).then(|| of.iter().sum::<f64>() / of.len() as f64)?;
        Some((share, rest.without(matrix, track, model, unit)?))
    });
    let (met, rest): (Vec<f64>, Vec<f64>) = points.unzip();
    pearson(&met, &rest)
}

fn p_value(correlation: &Correlation) -> Option<f64> {
    correlation.p_value().ok().map(|p| p.value)
}

/// Whether a correlation of this size comes up by chance; so does any over fewer than three models.
fn by_chance(correlation: &Defined<Correlation>) -> bool {
    match correlation.as_ref().map(Correlation::p_value) {
        Ok(Ok(p)) => p.value >= CHANCE,
        Ok(Err(Undefined::Perfect)) => false,
        _ => true,
    }
}

/// Share of pairs of judges that contradict each other on the same output.
fn disagreement(models: usize, verdicts: &Verdicts) -> Option<f64> {
    let (mut differ, mut pairs) = (0_usize, 0_usize);
    for model in 0..models {
        let of = verdicts.range((model, 0)..(model + 1, 0)).map(|(_, m)| *m);
        let (mut met, mut unmet) = (0, 0);
        for verdict in of {
            if verdict {
                met += 1;
            } else {
                unmet += 1;
            }
        }
        let n: usize = met + unmet;
        differ += met * unmet;
        pairs += n * n.saturating_sub(1) / 2;
    }
    (pairs > 0).then(|| differ as f64 / pairs as f64)
}

fn flagged(mut item: Item, chance: bool, thresholds: Thresholds) -> Item {
    let enough = item.verdicts >= thresholds.least_verdicts;
    let value = item.discrimination.value;
    let low = !chance && value.is_some_and(|d| d < thresholds.discrimination);
    let disputed = item
        .disagreement
        .is_some_and(|d| d > thresholds.disagreement);
    let found = [
        (Flag::AlwaysMet, enough && item.met == item.verdicts),
        (Flag::NeverMet, enough && item.met == 0),
        (Flag::Discrimination, enough && low),
        (Flag::Disputed, disputed),
        (Flag::Redundant, enough && item.same_as.is_some()),
    ];
    item.flags = found
        .into_iter()
        .filter_map(|(flag, yes)| yes.then_some(flag))
        .collect();
    item
}

/// A line of a repair list: what to do with which specification, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Patch {
    /// Track.
    pub track: String,
    /// Instance.
    pub instance: String,
    /// Label inside the instance.
    pub spec: u32,
    /// The statement, so that the line is refused when the text has changed.
    pub question: String,
    /// What to do.
    pub action: Action,
    /// Why.
    pub why: Vec<Flag>,
}

/// The repair list of these items. A specification that anything says to repair is not retired.
#[must_use]
pub fn patches(items: &[Item]) -> Vec<Patch> {
    items
        .iter()
        .filter_map(|item| {
            let action = item.flags.iter().map(|f| f.action()).max()?;
            Some(Patch {
                track: item.track.clone(),
                instance: item.instance.clone(),
                spec: item.spec,
                question: item.question.clone(),
                action,
                why: item.flags.clone(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Clusters;
    use crate::testing::{Rows, matrix, results};

    /// Six models on two instances; the second instance alone says how good a model is.
    fn judge(first: impl Fn(usize) -> Vec<Option<bool>>) -> verispec_model::Results {
        let names = ["a", "b", "c", "d", "e", "f"];
        let models: Vec<_> = names
            .iter()
            .enumerate()
            .map(|(m, name)| {
                let rest = (0..6).map(|s| Some(s <= m)).collect();
                let rows: Rows = vec![
                    ("d".into(), "1".into(), first(m)),
                    ("d".into(), "2".into(), rest),
                ];
                (*name, vec![("t", rows)])
            })
            .collect();
        results(&["t"], &models)
    }

    fn found(levels: &[(&str, Option<&str>, &str, verispec_model::Results)]) -> Vec<Item> {
        let m = matrix(levels, &Clusters::new());
        let mut items = items(&m, Thresholds::default());
        items.retain(|i| i.instance == "1");
        items
    }

    #[test]
    fn each_flag_has_its_item() {
        let first = |m: usize| {
            let good = m >= 3;
            vec![Some(true), Some(false), Some(good), Some(!good), Some(good)]
        };
        let items = found(&[("j", None, "g", judge(first))]);
        let flags: Vec<&[Flag]> = items.iter().map(|i| i.flags.as_slice()).collect();
        assert_eq!(
            flags,
            [
                &[Flag::AlwaysMet][..],
                &[Flag::NeverMet],
                &[],
                &[Flag::Discrimination],
                &[Flag::Redundant]
            ]
        );
        assert_eq!(items[4].same_as, Some(3));
        assert_eq!(items[0].discrimination.value, None);
        assert!(items[2].discrimination.value.unwrap() > 0.8);
        assert!(items[3].discrimination.value.unwrap() < -0.8);
        assert_eq!(items[2].disagreement, None);
        let patches = patches(&items);
        let actions: Vec<(u32, Action)> = patches.iter().map(|p| (p.spec, p.action)).collect();
        assert_eq!(
            actions,
            [
                (1, Action::Retire),
                (2, Action::Repair),
                (4, Action::Repair),
                (5, Action::Retire)
            ]
        );
    }

    /// Three of six models in no order: the correlation is below 0 by chance.
    #[test]
    fn chance_is_no_flag() {
        let items = found(&[(
            "j",
            None,
            "g",
            judge(|m| vec![Some(m == 1 || m == 2 || m == 4)]),
        )]);
        let item = &items[0];
        assert!(item.discrimination.value.unwrap() < 0.0);
        assert!(item.discrimination_p.unwrap() > 0.3);
        assert!(item.flags.is_empty());
    }

    #[test]
    fn judges_that_contradict_each_other_are_counted_by_output() {
        let one = judge(|m| vec![Some(m % 2 == 0), Some(true)]);
        let other = judge(|m| vec![Some(m % 2 == 1), (m > 0).then_some(true)]);
        let items = found(&[("x", None, "g", one), ("y", None, "g", other)]);
        assert_eq!(items[0].disagreement, Some(1.0));
        assert!(items[0].flags.contains(&Flag::Disputed));
        // One verdict is missing: five pairs, none of them differs.
        assert_eq!(items[1].disagreement, Some(0.0));
        assert_eq!(items[1].verdicts, 11);
    }

    #[test]
    fn few_verdicts_flag_nothing() {
        let items = found(&[("j", None, "g", judge(|m| vec![(m < 4).then_some(true)]))]);
        assert_eq!((items[0].verdicts, items[0].met), (4, 4));
        assert!(items[0].flags.is_empty());
    }
}
