//! Verdicts as letters, one a specification: what filters work on.

use serde_json::{Value, json};
use verispec_model::{Answer, InstanceState, Reading, SpecResult, YesNo};

use super::tasks::{Task, Tasks};
use crate::input::SpecState;

/// Letters of verdicts.
///
/// `m` met, `u` unmet; `M`, `U` the same with members of the panel of another opinion; `s` members
/// differ and there is no common verdict, `h` repeats differ and there is none; `g` graded;
/// `?` unjudged; `.` pending; a space where a result lacks the specification. An output that failed
/// is `!`, an instance that nobody can judge is `#`.
pub(crate) struct Verdicts {
    /// For each judge, a word for each task and model; empty where there is no result.
    pub codes: Vec<Vec<String>>,
}

impl Verdicts {
    pub(crate) fn of(tasks: &Tasks<'_>) -> Self {
        let models = tasks.models.len();
        let code = |at: usize, state: &Option<&InstanceState>| {
            state.map_or_else(String::new, |s| word(&tasks.tasks[at / models], s))
        };
        let judge = |states: &Vec<Option<&InstanceState>>| {
            states
                .iter()
                .enumerate()
                .map(|(at, s)| code(at, s))
                .collect()
        };
        Self {
            codes: tasks.states.iter().map(judge).collect(),
        }
    }

    /// The data file `verdicts`. Scores are percent with two decimals, `null` where undefined.
    pub(crate) fn json(&self, tasks: &Tasks<'_>) -> Value {
        let cents = |s: &Option<f64>| s.map(|s| (s * 100.0).round() / 100.0);
        let scores: Vec<Vec<Option<f64>>> = tasks
            .scores
            .iter()
            .map(|s| s.iter().map(cents).collect())
            .collect();
        json!({"codes": self.codes, "scores": scores})
    }
}

fn word(task: &Task<'_>, state: &InstanceState) -> String {
    match state {
        InstanceState::OutputFailed(..) => "!".to_owned(),
        InstanceState::Unjudgeable(..) => "#".to_owned(),
        InstanceState::Generated(results) => {
            let mut opinions: Vec<Vec<&SpecResult>> = vec![vec![]; task.specs.len()];
            for result in results {
                if let Some(at) = task.position(&result.spec) {
                    opinions[at].push(result);
                }
            }
            opinions.iter().map(|o| letter(o)).collect()
        }
    }
}

/// The letter of all opinions on one specification.
fn letter(opinions: &[&SpecResult]) -> char {
    let Some(first) = opinions.first() else {
        return ' ';
    };
    let met: Vec<bool> = opinions.iter().filter_map(|o| o.met()).collect();
    match (met.first(), met.iter().all(|m| Some(m) == met.first())) {
        (Some(met), true) => match (*met, members_differ(opinions)) {
            (true, false) => 'm',
            (false, false) => 'u',
            (true, true) => 'M',
            (false, true) => 'U',
        },
        (Some(_), false) if members_differ(opinions) => 's',
        (Some(_), false) => 'h',
        (None, _) => match SpecState::of(first) {
            SpecState::Pending => '.',
            SpecState::Graded => 'g',
            _ => '?',
        },
    }
}

/// Whether different members of a panel gave different verdicts.
fn members_differ(opinions: &[&SpecResult]) -> bool {
    let own = opinions
        .iter()
        .filter(|o| o.provenance.votes.is_empty())
        .filter_map(|o| Some((o.provenance.judge.as_deref()?, o.verdict()?)));
    let votes = opinions
        .iter()
        .flat_map(|o| &o.provenance.votes)
        .filter_map(|v| match (&v.judge, &v.reading) {
            (Some(judge), Some(Reading::Answer(Answer::YesNo(verdict)))) => {
                Some((&**judge, *verdict))
            }
            _ => None,
        });
    let all: Vec<(&str, YesNo)> = own.chain(votes).collect();
    all.iter()
        .any(|(judge, verdict)| all.iter().any(|(j, v)| j != judge && v != verdict))
}

#[cfg(test)]
mod tests {
    use verispec_model::{Origin, Provenance, Specification, Unjudged, Vote};

    use super::*;

    fn spec() -> Specification {
        Specification {
            id: 1,
            question: "q".into(),
            category: String::new(),
            subcategory: String::new(),
            expected: YesNo::Yes,
            rating: None,
            rules: verispec_model::SpecRules::default(),
            record: Default::default(),
        }
    }

    fn opinion(reading: Option<Reading>, judge: Option<&str>, repeat: u32) -> SpecResult {
        SpecResult {
            reading,
            provenance: Provenance::from(Origin {
                judge: judge.map(Into::into),
                repeat,
                ..Origin::default()
            }),
            ..SpecResult::pending(spec())
        }
    }

    fn vote(judge: Option<&str>, verdict: YesNo) -> Vote {
        Vote {
            judge: judge.map(Into::into),
            repeat: 0,
            reading: Some(Reading::yes_no(verdict)),
            stage: None,
            request: None,
            note: None,
            soft: None,
        }
    }

    #[test]
    fn letters_tell_common_verdicts_splits_and_failures_apart() {
        let yes = || Some(Reading::yes_no(YesNo::Yes));
        let no = || Some(Reading::yes_no(YesNo::No));
        let of = |all: &[SpecResult]| letter(&all.iter().collect::<Vec<_>>());
        assert_eq!(of(&[]), ' ');
        assert_eq!(of(&[opinion(yes(), None, 0)]), 'm');
        assert_eq!(of(&[opinion(no(), None, 0)]), 'u');
        assert_eq!(of(&[opinion(None, None, 0)]), '.');
        let refused = Some(Reading::Unjudged(Unjudged::Refused));
        assert_eq!(of(&[opinion(refused, None, 0)]), '?');
        let repeats = [opinion(yes(), None, 0), opinion(no(), None, 1)];
        assert_eq!(of(&repeats), 'h');
        let members = [opinion(yes(), Some("a"), 0), opinion(no(), Some("b"), 0)];
        assert_eq!(of(&members), 's');
        let mut common = opinion(no(), None, 0);
        common.provenance.votes = vec![vote(Some("a"), YesNo::Yes), vote(Some("b"), YesNo::No)];
        assert_eq!(of(&[common.clone()]), 'U');
        common.provenance.votes = vec![vote(None, YesNo::Yes), vote(None, YesNo::No)];
        assert_eq!(of(&[common]), 'u', "repeats are no other judge");
    }
}
