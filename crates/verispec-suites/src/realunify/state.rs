//! From an output, and the judge's answers where one is needed, to what counts for an item.

use std::collections::HashMap;

use verispec_judge::reader::read_choice;
use verispec_model::score::Ratio;
use verispec_model::{
    DataFailure, InstanceState, Origin, OutputFailure, Provenance, Reading, SpecResult,
    TrackResults, Unjudged, YesNo,
};

use super::item::Item;
use super::outputs::{ItemOutput, Output, OutputProblem};
use super::published::extract;
use super::suite::choice_specification;

/// How a response to a multiple choice is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ChoiceReader {
    /// [`read_choice`].
    #[default]
    Right,
    /// As the release does: the first capital A, B, C or D, inside words too.
    Published,
}

/// What an item comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Right: every question answered as wanted, or the right option named.
    Correct,
    /// Not right.
    Wrong,
    /// The model under test failed, an undecidable response included: as good as wrong, counted
    /// apart.
    Failed(OutputFailure),
    /// The judge failed: neither right nor wrong.
    Unjudged(Unjudged),
    /// The item is broken: nobody's failure.
    Unjudgeable,
    /// No settled reply yet.
    Pending,
}

impl Outcome {
    /// Right, wrong, or not known. What the model failed on is wrong.
    #[must_use]
    pub const fn correct(self) -> Option<bool> {
        match self {
            Self::Correct => Some(true),
            Self::Wrong | Self::Failed(_) => Some(false),
            Self::Unjudged(_) | Self::Unjudgeable | Self::Pending => None,
        }
    }

    /// The strict outcome of a state: one unmet specification decides, else anything undecided
    /// leaves it open.
    #[must_use]
    pub fn of_state(state: &InstanceState) -> Self {
        let specs = match state {
            InstanceState::OutputFailed(why, _) => return Self::Failed(*why),
            InstanceState::Unjudgeable(..) => return Self::Unjudgeable,
            InstanceState::Generated(specs) => specs,
        };
        if specs.is_empty() {
            return Self::Unjudgeable;
        }
        if specs.iter().any(|s| s.met() == Some(false)) {
            return Self::Wrong;
        }
        if specs.iter().any(|s| s.reading.is_none()) {
            return Self::Pending;
        }
        let undecided = specs.iter().find(|s| s.met().is_none());
        match undecided.map(|s| s.reading.as_ref()) {
            None => Self::Correct,
            Some(Some(Reading::Unjudged(why))) => Self::Unjudged(*why),
            Some(_) => Self::Unjudged(Unjudged::Unparsed),
        }
    }
}

/// What is known about one item of one model.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemResult {
    /// Id in its file.
    pub id: String,
    /// Task.
    pub task: String,
    /// Subtask, where there is one.
    pub subtask: Option<String>,
    /// Strict outcome.
    pub outcome: Outcome,
    /// Share of the questions answered as wanted, over those with a verdict, 0 for an output that
    /// failed; `None` where nothing is decided, or where a protocol did not ask them all.
    pub share: Option<Ratio>,
}

impl ItemResult {
    /// From a state.
    #[must_use]
    pub fn new(item: &Item, state: &InstanceState) -> Self {
        Self {
            id: item.id.clone(),
            task: item.task.clone(),
            subtask: item.subtask.clone(),
            outcome: Outcome::of_state(state),
            share: share(state),
        }
    }

    /// From an outcome alone, as scored files give it: no share is known.
    #[must_use]
    pub fn strict(item: &Item, outcome: Outcome) -> Self {
        Self {
            id: item.id.clone(),
            task: item.task.clone(),
            subtask: item.subtask.clone(),
            outcome,
            share: None,
        }
    }
}

/// What a model's results in a split come to, item by item in file order; items that the results
/// lack are left out. `published` gives an item without questions to the model, as the release
/// does.
#[must_use]
pub fn item_results(items: &[Item], results: &TrackResults, published: bool) -> Vec<ItemResult> {
    let states = states(results);
    let one = |item: &Item| {
        let state = states.get(item.id.as_str())?;
        let mut result = ItemResult::new(item, state);
        let nothing = matches!(state, InstanceState::Generated(specs) if specs.is_empty());
        if published && nothing {
            result.outcome = Outcome::Correct;
        }
        Some(result)
    };
    items.iter().filter_map(one).collect()
}

/// As [`item_results`], of results with one specification an item: no share is known.
#[must_use]
pub fn scored_results(items: &[Item], results: &TrackResults) -> Vec<ItemResult> {
    let states = states(results);
    let one = |item: &Item| {
        let outcome = Outcome::of_state(states.get(item.id.as_str())?);
        Some(ItemResult::strict(item, outcome))
    };
    items.iter().filter_map(one).collect()
}

fn states(results: &TrackResults) -> HashMap<&str, &InstanceState> {
    let instances = results.dimensions.iter().flat_map(|d| &d.instances);
    instances.map(|i| (i.id.as_str(), &i.state)).collect()
}

fn share(state: &InstanceState) -> Option<Ratio> {
    let specs = match state {
        InstanceState::OutputFailed(..) => return Some(Ratio::zero()),
        InstanceState::Unjudgeable(..) => return None,
        InstanceState::Generated(specs) => specs,
    };
    let skipped = Some(Reading::Unjudged(Unjudged::NotAsked));
    if specs.iter().any(|s| s.reading == skipped) {
        return None;
    }
    let decided: Vec<bool> = specs.iter().filter_map(SpecResult::met).collect();
    let met = decided.iter().filter(|met| **met).count();
    Ratio::new(met, decided.len())
}

/// State of a poll before a judge has seen it: the output's failure or the item's, if it has one.
///
/// # Errors
/// The state, where no judge is needed.
pub fn poll_image<'a>(
    item: &Item,
    output: &'a ItemOutput,
) -> Result<&'a std::path::Path, InstanceState> {
    let k = item.poll().map_or(0, <[_]>::len);
    if k == 0 {
        let why = "its list of questions is empty".to_owned();
        return Err(InstanceState::Unjudgeable(DataFailure::Task(why), 0));
    }
    match &output.last {
        Ok(Output::Image(path)) => Ok(path),
        Ok(Output::Text(_)) => Err(InstanceState::OutputFailed(OutputFailure::Unreadable, k)),
        Err(OutputProblem { failure, .. }) => Err(InstanceState::OutputFailed(*failure, k)),
    }
}

/// State of a multiple choice: no judge is needed. A response that names no option, or several, is
/// the model's failure ([`OutputFailure::Undecidable`]); the released reader has no such thing,
/// there it is wrong.
#[must_use]
pub fn choice_state(item: &Item, output: &ItemOutput, reader: ChoiceReader) -> InstanceState {
    let Some(task) = item.choice() else {
        let why = "it is no multiple choice".to_owned();
        return InstanceState::Unjudgeable(DataFailure::Task(why), 1);
    };
    let text = match &output.last {
        Ok(Output::Text(text)) => text,
        Ok(Output::Image(_)) => {
            return InstanceState::OutputFailed(OutputFailure::Unreadable, 1);
        }
        Err(problem) => return InstanceState::OutputFailed(problem.failure, 1),
    };
    let right = match reader {
        ChoiceReader::Right => match read_choice(text, &task.options) {
            Some(letter) => letter == task.answer,
            None => return InstanceState::OutputFailed(OutputFailure::Undecidable, 1),
        },
        ChoiceReader::Published => {
            let read = extract(text).map(String::from).unwrap_or_default();
            read == task.written
        }
    };
    let verdict = if right { YesNo::Yes } else { YesNo::No };
    InstanceState::Generated(vec![SpecResult {
        reading: Some(Reading::yes_no(verdict)),
        provenance: Provenance::from(Origin {
            raw_answer: Some(serde_json::Value::from(text.as_str())),
            ..Origin::default()
        }),
        ..SpecResult::pending(choice_specification(task))
    }])
}
