//! `verispec xtc …`

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{CallArgs, PurseArgs};

/// `verispec xtc …`
#[derive(Debug, Subcommand)]
pub(crate) enum XtcCommand {
    /// What bundles hold: images, facts, what became no fact.
    Show(XtcBundleArgs),
    /// Write the questions of bundles as JSON lines, for models that are asked elsewhere.
    Questions(XtcListArgs),
    /// Write the prompts of bundles as JSON lines, for models that draw elsewhere.
    Prompts(XtcListArgs),
    /// Prompts in which a vision-language model describes each object; run it again to resume.
    Describe(Box<XtcDescribeArgs>),
    /// Make scene graphs of pictures by a vision-language model; run it again to resume.
    Extract(Box<XtcExtractArgs>),
    /// How much of known scenes extracted graphs hold: nodes, relations, attributes.
    Recall(XtcRecallArgs),
    /// From pictures and answers of models to scores; run it again to resume.
    Run(Box<XtcRunArgs>),
    /// How much of what graphs lack do the pictures show? An ablation.
    Recover(Box<XtcRecoverArgs>),
    /// Take in scored files of the released scripts.
    Import(XtcImportArgs),
    /// The tables: G, U, CCTA, AW-CCTA, by variant, kind and data set.
    Score(XtcScoreArgs),
    /// One row a fact: g, u and status, for probing.
    Facts(XtcFactsArgs),
    /// A page with both graphs beside the pictures; works offline.
    Report(XtcReportArgs),
    /// Draw statements of graphs and graded answers that people check on the review page.
    Audit(XtcAuditArgs),
}

/// Ground truth and how it is read.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcBundleArgs {
    /// Ground-truth bundle; a name before it names the data set [default: the folder's name].
    #[arg(long = "bundle", required = true, value_name = "[NAME=]DIR")]
    pub(crate) bundles: Vec<String>,
    #[command(flatten)]
    pub(crate) options: XtcOptions,
}

/// How graphs become facts.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct XtcOptions {
    /// Whose questions are asked [default: ours].
    #[arg(long, value_enum)]
    pub(crate) questions: Option<QuestionsArg>,
    /// Members of groups between which a relation holds [default: members, those verified].
    #[arg(long, value_enum)]
    pub(crate) group_relations: Option<GroupRelationsArg>,
    /// What is done with the attribute value `unknown` [default: keep].
    #[arg(long, value_enum)]
    pub(crate) unknown: Option<UnknownArg>,
    /// When two values cannot be told apart [default: tokens].
    #[arg(long, value_enum)]
    pub(crate) overlap: Option<OverlapArg>,
}

/// `verispec xtc questions`, `verispec xtc prompts`.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcListArgs {
    #[command(flatten)]
    pub(crate) bundle: XtcBundleArgs,
    /// File to write [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// How calls are made.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcCallArgs {
    /// Most requests in flight to each of those who are asked.
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) concurrency: Option<usize>,
    /// Seconds that one attempt may take.
    #[arg(long, default_value_t = 180, value_name = "SECONDS")]
    pub(crate) timeout: u64,
    #[command(flatten)]
    pub(crate) calls: CallArgs,
    /// Ask settled failures again: refused, truncated, timeout, provider-error.
    #[arg(long, value_delimiter = ',', value_name = "REASON,…")]
    pub(crate) retry: Vec<String>,
    #[command(flatten)]
    pub(crate) purse: PurseArgs,
}

/// How graphs are made.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct XtcGraphArgs {
    /// How relations are verified, one yes-or-no question each [default: strict].
    #[arg(long, value_enum)]
    pub(crate) verify: Option<VerifyArg>,
    /// Every property is answered, with `unknown` where it cannot be seen.
    #[arg(long)]
    pub(crate) forced_attributes: bool,
}

/// `verispec xtc describe`.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcDescribeArgs {
    #[command(flatten)]
    pub(crate) bundle: XtcBundleArgs,
    /// Vision-language model: a judge of verispec.toml, or PROVIDER:MODEL.
    #[arg(long, value_name = "NAME")]
    pub(crate) describer: String,
    /// Prompts to write, once every object has been asked for: prompts.json of the release's form.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Name of the run; the same name resumes [default: made from the describer and the bundle].
    #[arg(long, value_name = "NAME")]
    pub(crate) run: Option<String>,
    #[command(flatten)]
    pub(crate) calls: XtcCallArgs,
}

/// `verispec xtc extract`.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcExtractArgs {
    /// Folder of pictures named by number (`42.png`), or a bundle or run folder of the release
    /// whose segments and relation scores are to be verified and described.
    pub(crate) pictures: PathBuf,
    /// Bundle to write: `sg_with_attributes/`, `3_clean_and_refine_gt/`.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Vision-language model: a judge of verispec.toml, or PROVIDER:MODEL.
    #[arg(long, value_name = "NAME")]
    pub(crate) extractor: String,
    /// Segments (`anno.json`); with --relations instead of the model's own lists.
    #[arg(long, value_name = "FILE", requires = "relations")]
    pub(crate) segments: Option<PathBuf>,
    /// Relation scores, dumped from scene-graph.pkl to JSON.
    #[arg(long, value_name = "FILE", requires = "segments")]
    pub(crate) relations: Option<PathBuf>,
    /// Name of the run; the same name resumes [default: made from the extractor and the folder].
    #[arg(long, value_name = "NAME")]
    pub(crate) run: Option<String>,
    #[command(flatten)]
    pub(crate) graph: XtcGraphArgs,
    #[command(flatten)]
    pub(crate) calls: XtcCallArgs,
}

/// `verispec xtc recall`.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcRecallArgs {
    /// Bundle of known truth.
    #[arg(long, value_name = "DIR")]
    pub(crate) truth: PathBuf,
    /// Bundle that was extracted from the same pictures.
    #[arg(long, value_name = "DIR")]
    pub(crate) extracted: PathBuf,
}

/// `verispec xtc run`.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcRunArgs {
    #[command(flatten)]
    pub(crate) bundle: XtcBundleArgs,
    /// Model under test with its folder: `images/<number>.png`, `answers.jsonl`, and
    /// `sg_with_attributes/` where its graphs are made already; below `<data set>/` where there are
    /// several. NAME alone takes the folder from verispec.toml.
    #[arg(long = "model", value_name = "NAME[=DIR]")]
    pub(crate) models: Vec<String>,
    /// Model that is asked here: a judge of verispec.toml, or PROVIDER:MODEL.
    #[arg(long = "ask", value_name = "NAME=JUDGE")]
    pub(crate) ask: Vec<String>,
    /// Model that draws here: a judge of verispec.toml with a `command` that writes pictures.
    #[arg(long = "draw", value_name = "NAME=JUDGE")]
    pub(crate) draw: Vec<String>,
    /// Family of a model, for the table of families.
    #[arg(long = "family", value_name = "NAME=FAMILY")]
    pub(crate) families: Vec<String>,
    /// Text judge that grades 0 to 5: a judge of verispec.toml, or PROVIDER:MODEL.
    #[arg(long, value_name = "NAME")]
    pub(crate) judge: String,
    /// Vision-language model that makes the graphs of generated pictures.
    #[arg(long, value_name = "NAME")]
    pub(crate) extractor: Option<String>,
    /// Vectors of texts: bag-of-words, minilm (in this process), a judge of verispec.toml, or
    /// openai-embeddings:MODEL.
    #[arg(long, default_value = "bag-of-words", value_name = "NAME")]
    pub(crate) embedder: String,
    /// Picture that models are asked about [default: original].
    #[arg(long, value_enum)]
    pub(crate) understanding_image: Option<UnderstandingArg>,
    /// Answers equal to the gold one are 5 without a call.
    #[arg(long)]
    pub(crate) exact_is_five: bool,
    /// Wording of what graphs answer [default: clean].
    #[arg(long, value_enum)]
    pub(crate) answer_cleaning: Option<CleaningArg>,
    /// Seed of drawings, to which the number of the image is added.
    #[arg(long, default_value_t = 42)]
    pub(crate) seed: u64,
    /// Name of the run; the same name resumes [default: made from judge and all the rest].
    #[arg(long, value_name = "NAME")]
    pub(crate) run: Option<String>,
    #[command(flatten)]
    pub(crate) graph: XtcGraphArgs,
    #[command(flatten)]
    pub(crate) calls: XtcCallArgs,
}

/// `verispec xtc recover`.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcRecoverArgs {
    /// Run whose models were put to the test here.
    pub(crate) run: String,
    /// Vision-language model that looks at the drawn pictures.
    #[arg(long, value_name = "NAME")]
    pub(crate) viewer: String,
    /// The judge of the run.
    #[arg(long, value_name = "NAME")]
    pub(crate) judge: String,
    /// Most facts of each model and kind.
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) sample: usize,
    /// Seed of the sample.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Score from which an answer counts as right, 0-1.
    #[arg(long, default_value_t = 0.6, value_parser = super::share)]
    pub(crate) tau: f64,
    #[command(flatten)]
    pub(crate) calls: XtcCallArgs,
}

/// `verispec xtc import`.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcImportArgs {
    /// Run folder of the release: `final_graphs_pt/`, `vqa_outputs/`; one a data set.
    #[arg(required = true, value_name = "[NAME=]DIR")]
    pub(crate) folders: Vec<String>,
    /// Only these models [default: all that have scored files].
    #[arg(long, value_delimiter = ',', value_name = "MODEL,…")]
    pub(crate) models: Vec<String>,
    /// Family of a model, for the table of families.
    #[arg(long = "family", value_name = "NAME=FAMILY")]
    pub(crate) families: Vec<String>,
    /// How ids are compared [default: ground-truth].
    #[arg(long, value_enum)]
    pub(crate) id_match: Option<IdMatchArg>,
    /// Name of the import.
    #[arg(long, value_name = "NAME")]
    pub(crate) run: String,
}

/// How numbers are computed.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcMetricArgs {
    /// Runs or imports.
    #[arg(required = true)]
    pub(crate) run: Vec<String>,
    /// What a failure of the model under test counts as [default: drop].
    #[arg(long, value_enum)]
    pub(crate) missing_u: Option<MissingUArg>,
    /// Score from which a side counts as right in the quadrants, 0-1.
    #[arg(long, default_value_t = 0.6, value_parser = super::share)]
    pub(crate) tau: f64,
    /// Draws of the intervals; 0 for none.
    #[arg(long, default_value_t = 2000)]
    pub(crate) draws: u32,
    /// Permutations of the test against chance; 0 for none.
    #[arg(long, default_value_t = 1000)]
    pub(crate) permutations: u32,
    /// Seed of draws and permutations.
    #[arg(long = "draw-seed", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Level of the intervals.
    #[arg(long, default_value_t = 0.95, value_parser = super::share)]
    pub(crate) level: f64,
}

/// `verispec xtc score`.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcScoreArgs {
    #[command(flatten)]
    pub(crate) metric: XtcMetricArgs,
    /// Published values beside.
    #[arg(long)]
    pub(crate) with_published: bool,
}

/// `verispec xtc facts`.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcFactsArgs {
    /// Runs or imports.
    #[arg(required = true)]
    pub(crate) run: Vec<String>,
    /// CSV instead of JSON lines.
    #[arg(long)]
    pub(crate) csv: bool,
}

/// `verispec xtc report`.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcReportArgs {
    #[command(flatten)]
    pub(crate) metric: XtcMetricArgs,
    /// Folder to write index.html and its pictures into [default: report/ in the run's folder];
    /// needed for several runs and for folders of the release.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Published values beside.
    #[arg(long)]
    pub(crate) with_published: bool,
    /// Most pictures of each model that are shown.
    #[arg(long, default_value_t = 50, value_name = "N")]
    pub(crate) pictures: usize,
}

/// `verispec xtc audit`.
#[derive(Debug, Clone, Args)]
pub(crate) struct XtcAuditArgs {
    /// Run whose models were put to the test here.
    pub(crate) run: String,
    /// Statements of graphs (objects, attributes, relations), spread over models and the original.
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) graphs: usize,
    /// Graded answers, spread over models and sides.
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) answers: usize,
    /// Seed of the draw.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Sample to write (JSON Lines), for `verispec review RUN --sample`.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// `--questions`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum QuestionsArg {
    /// Made from the graphs, in our words.
    Ours,
    /// Those of the bundle's vqa_questions/.
    Released,
}

/// `--group-relations`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GroupRelationsArg {
    /// Those that were verified.
    Members,
    /// Every member with every other, as released.
    All,
}

/// `--unknown`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnknownArg {
    /// As a value.
    Keep,
    /// Left out.
    Drop,
}

/// `--overlap`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OverlapArg {
    /// Equal, or a word in common.
    Tokens,
    /// One inside the other as well, as released.
    Published,
}

/// `--verify`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerifyArg {
    /// Yes only if the picture shows it.
    Strict,
    /// Yes if it may well be so; exclusive relations are strict all the same.
    Lenient,
    /// Not verified: what the model lists is taken.
    Off,
}

/// `--understanding-image`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnderstandingArg {
    /// The original picture.
    Original,
    /// The picture the model drew, as released.
    Generated,
    /// None: an ablation of what the questions give away.
    None,
}

/// `--answer-cleaning`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CleaningArg {
    /// As gold answers are worded.
    Clean,
    /// As in the vocabulary, as released.
    Published,
}

/// `--id-match`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum IdMatchArg {
    /// With the ground-truth side.
    GroundTruth,
    /// With either side, as released.
    Published,
}

/// `--missing-u`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MissingUArg {
    /// Left out and counted.
    Drop,
    /// Scores 0.
    Zero,
}
