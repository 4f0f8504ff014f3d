//! RealUnify: does a unified model gain from being unified?
//!
//! UEG (understanding helps generation): an image is made and a judge is polled with yes/no
//! questions about it. GEU (generation helps understanding): a multiple choice about an image.
//! Either is asked directly or stepwise.
//!
//! ```text
//! folder ─ load ─> items ─ outputs(model) ─┬─ UEG: protocol independent or realunify-published
//!                                          └─ GEU: the response is read, no judge
//! states ─> ItemResult ─ score ─> per task, subtask, axis, total
//!                      └ readout ─> step minus direct, oracle, mixed: where it fails
//! ```
//!
//! Its data may not be redistributed: files are read where the user keeps them. Facts about fields,
//! formulas and faults come from a close reading of commit 0b76a10 of the release; nothing of its
//! code, prompts or data is in here.

mod error;
mod human;
mod import;
mod item;
mod layout;
mod load;
mod models;
mod outputs;
mod pair;
mod paired;
pub mod published;
mod readout;
mod score;
mod scored;
mod state;
mod suite;

pub use error::RealUnifyError;
pub use human::{JudgeMinusHuman, judge_minus_human};
pub use import::{ScoredFile, import_scored, scored_files, split_of};
pub use item::{Body, ChoiceTask, Item, PollQuestion};
pub use layout::{Axis, ParseSplitError, Split, Way};
pub use load::{Loaded, load};
pub use models::{ModelFolder, discover, index_model};
pub use outputs::{ItemOutput, Output, OutputProblem, SplitOutputs, outputs};
pub use pair::{Pairing, pair};
pub use paired::{LEVEL, Paired, Quadrants, paired, same_ids};
pub use readout::{Finding, MixedRun, Readout, Runs, Stage, readout};
pub use score::{
    Accuracy, DASH, Denominator, MainRow, SplitScore, TASK_ITEMS, Tally, TaskScore, main_row,
    published as published_percent, score, total,
};
pub use scored::{Scored, read_scored, scored_text, write_scored};
pub use state::{
    ChoiceReader, ItemResult, Outcome, choice_state, item_results, poll_image, scored_results,
};
pub use suite::{CHOICE, STRICT, choice_specification, judged_suite, strict_suite};
