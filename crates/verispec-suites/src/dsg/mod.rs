//! DSG (Davidsonian Scene Graph) and TIFA: released questions with dependencies, answers of three
//! real judges on the outputs of real text-to-image models, and human ratings of the same outputs.
//!
//! Files are read where the user keeps them; nothing of them is in here. Facts about their layout
//! and the released scorer come from a close reading of the files and the authors' published
//! figures.
//!
//! ```text
//! folder ─ load ─> Dataset ─ results(judge, reader) ─> verispec_model::Results
//! ```
//!
//! Every fault of the data is named as a [`Warning`](verispec_model::Warning) and survived.

mod annotations;
mod answers;
mod error;
mod load;
mod published;
mod ratings;
mod results;
mod table;
mod tifa;

pub use annotations::{Annotations, Prompt};
pub use answers::{AnswerFile, AnswerRow, QuestionSet};
pub use error::DsgError;
pub use load::{Dataset, load};
pub use published::{PublishedRow, published_rows, published_source};
pub use ratings::{Rating, read_ratings};
pub use results::{AnswerReader, read_answer};
pub use tifa::{TifaImage, read_tifa};
