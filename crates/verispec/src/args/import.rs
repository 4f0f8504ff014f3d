//! Arguments of `verispec import`.

use std::path::PathBuf;

use clap::Subcommand;

use super::{ForeignArgs, ReaderArg, SuiteName};

/// `verispec import …`
#[derive(Debug, Subcommand)]
pub(crate) enum ImportCommand {
    /// A result tree of SpecV's scripts: a checkout, its eval folder, or one results folder.
    SpecvResults {
        /// Folder.
        dir: PathBuf,
        /// Track, when the path does not tell.
        #[arg(long)]
        track: Option<String>,
        /// Name of the import [default: from the folder].
        #[arg(long, value_name = "NAME")]
        run: Option<String>,
        /// Checkout of the benchmark; without it, what counts is what the files hold.
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
    },
    /// A judge's answers to the questions of DSG and VQ2A, from DSG's released files.
    Dsg {
        /// Folder with dsg-1k-anns.csv and <judge>_dsg.csv.
        dir: PathBuf,
        /// Judge, where the folder holds answers of several.
        #[arg(long, value_name = "NAME")]
        judge: Option<String>,
        /// Only prompts of this source, for instance tifa160, which people rated.
        #[arg(long, value_name = "SOURCE")]
        split: Option<String>,
        /// default: what says neither yes nor no is unjudged; published: exactly `yes` is yes.
        #[arg(long, value_enum, default_value = "default")]
        reader: ReaderArg,
        /// Name of the import [default: dsg-<judge>].
        #[arg(long, value_name = "NAME")]
        run: Option<String>,
    },
    /// Scored files of RealUnify's scripts, <model>.json: records with `score` 0 or 1.
    RealunifyScored {
        /// Files, or a folder of them.
        path: PathBuf,
        /// Folder with RealUnify's own files.
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        /// Split, where the records do not tell: ueg_direct, ueg_step, geu_direct or geu_step.
        #[arg(long, value_name = "SPLIT")]
        split: Option<String>,
        /// Name of the import [default: from the path].
        #[arg(long, value_name = "NAME")]
        run: Option<String>,
    },
    /// Samples of lmms-eval or lm-evaluation-harness, `*_samples_<task>.jsonl`.
    LmmsEval(ForeignArgs),
    /// Scored tables of VLMEvalKit: workbooks (.xlsx), TSV or CSV.
    #[command(name = "vlmevalkit")]
    VlmEvalKit(ForeignArgs),
    /// Results of UEval's script: criteria met on texts and images.
    #[command(name = "ueval")]
    UEval(ForeignArgs),
    /// Scores of WISE's script, `*_scores.jsonl`, as WiScore.
    Wise(ForeignArgs),
    /// OneIG-Bench's alignment per prompt, `alignment_prompt_score_*.csv`.
    #[command(name = "oneig")]
    OneIg(ForeignArgs),
    /// Results of TIFA's benchmark: questions per caption.
    Tifa(ForeignArgs),
    /// Logs of inspect_ai, as JSON.
    InspectAi(ForeignArgs),
    /// Verdicts, one a row: model, track, instance, specification, answer [, judge, raw].
    Verdicts {
        /// JSONL or CSV file.
        file: PathBuf,
        /// Suite that they are of.
        #[arg(long, value_enum, default_value = "specv")]
        suite: SuiteName,
        /// Checkout of the benchmark, or the file of a custom suite.
        #[arg(long, value_name = "DIR|FILE")]
        data: Option<PathBuf>,
        /// Take the verdicts of this judge alone, where the file holds those of several.
        #[arg(long, value_name = "NAME")]
        judge: Option<String>,
        /// Name of the import [default: from the file].
        #[arg(long, value_name = "NAME")]
        run: Option<String>,
    },
}
