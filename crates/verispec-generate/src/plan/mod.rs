//! From a suite to tasks: what is asked of the model, and where what it makes belongs.

mod dsg;
mod own;
mod parts;
mod realunify;
mod specv;
mod xtc;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use verispec_model::{Filters, Hash, Instance, Suite};

use crate::chain::Stage;

pub use dsg::dsg_tasks;
pub use own::custom_tasks;
pub use realunify::realunify_tasks;
pub use specv::specv_tasks;
pub use xtc::{xtc_answer_tasks, xtc_image_tasks, xtc_questions};

/// Kind of suite; decides the layout of outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuiteKind {
    /// SpecV-Bench.
    Specv,
    /// RealUnify.
    Realunify,
    /// DSG's prompts.
    Dsg,
    /// XTC-Bench.
    Xtc,
    /// A suite of one's own.
    Custom,
}

impl SuiteKind {
    /// Name, as on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Specv => "specv",
            Self::Realunify => "realunify",
            Self::Dsg => "dsg",
            Self::Xtc => "xtc",
            Self::Custom => "custom",
        }
    }
}

/// Where a task belongs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Track.
    pub track: String,
    /// Dimension.
    pub dimension: String,
    /// Instance id, unique inside the track.
    pub id: String,
}

/// Files that a product becomes. All paths are relative to the tree and use `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// The image at this path, its extension added by content.
    Image(String),
    /// The text at this path.
    Text(String),
    /// `{"response": text}` at this path, also for a model that said nothing.
    Response(String),
    /// `response.json` and the images it names in this folder, also for a model that made nothing.
    Interleaved(String),
    /// One part at this path with its extension added, several as files in a folder of that name.
    Parts(String),
    /// A line among others; the suite's writer puts them together.
    Line,
}

impl Layout {
    /// Whether a file of the tree, by its name, is one that a product in this layout may become.
    pub(crate) fn has(&self, name: &str) -> bool {
        let (Self::Image(stem)
        | Self::Text(stem)
        | Self::Response(stem)
        | Self::Interleaved(stem)
        | Self::Parts(stem)) = self
        else {
            return false;
        };
        let rest = name.strip_prefix(stem.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']))
    }
}

/// What is asked of a model for one instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Where it belongs.
    pub place: Place,
    /// Requests, one after the other; never empty unless the data failed.
    pub stages: Vec<Stage>,
    /// What the suite adds to a seed for this task.
    pub seed: Option<u64>,
    /// Why nobody can be asked, if the suite's data is not whole.
    pub data_failure: Option<String>,
    /// Where the last stage's product goes.
    pub output: Layout,
    /// Where the first of several stages' product goes.
    pub middle: Option<Layout>,
    /// Whether a true middle step stands in for the first stage.
    pub oracle: bool,
}

impl Task {
    /// A task whose output is the last stage's; stages that cannot be asked say why.
    pub(crate) fn new(place: Place, stages: Result<Vec<Stage>, String>, output: Layout) -> Self {
        let (stages, data_failure) = match stages {
            Ok(stages) => (stages, None),
            Err(why) => (vec![], Some(why)),
        };
        Self {
            place,
            stages,
            seed: None,
            data_failure,
            output,
            middle: None,
            oracle: false,
        }
    }
}

/// Reads a file's hash.
pub type HashFile<'a> = &'a dyn Fn(&Path) -> Result<Hash, String>;

/// What a plan is made with.
pub struct PlanOptions<'a> {
    /// What is left out.
    pub filters: &'a Filters,
    /// Hashes of files.
    pub hash: HashFile<'a>,
}

/// A suite from which no plan can be made.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A file cannot be read.
    #[error("cannot read {path}: {source}", path = path.display())]
    Io {
        /// File.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file does not hold what it should.
    #[error("{path}: {message}", path = path.display())]
    Format {
        /// File.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

/// Instances of a suite that are wanted, in suite order, the first `limit` of each dimension.
fn wanted<'a>(suite: &'a Suite, filters: &'a Filters) -> impl Iterator<Item = &'a Instance> {
    let tracks = suite.tracks.iter().filter(|t| filters.wants_track(&t.name));
    let dimensions = tracks
        .flat_map(|t| &t.dimensions)
        .filter(|d| filters.wants_dimension(&d.name));
    dimensions.flat_map(|d| {
        let own = d.instances.iter().filter(|i| filters.wants_id(&i.id));
        own.take(filters.limit.unwrap_or(usize::MAX)).map(|i| &**i)
    })
}

impl Place {
    fn of(instance: &Instance) -> Self {
        Self {
            track: instance.track.clone(),
            dimension: instance.dimension.clone(),
            id: instance.id.clone(),
        }
    }
}
