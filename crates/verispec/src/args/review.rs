//! `verispec review`

use std::path::PathBuf;

use clap::Args;

/// `verispec review`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReviewArgs {
    /// A review set (JSON Lines, see docs/review.md), a set of verispec specs, or a run whose
    /// verdicts people check.
    #[arg(value_name = "FILE|SET|RUN")]
    pub(crate) what: String,
    /// Of a run only the verdicts that `study human sample` drew [default: all].
    #[arg(long, value_name = "FILE")]
    pub(crate) sample: Option<PathBuf>,
    /// Of a run, rate each output from 1 to N instead of checking verdicts.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=9))]
    pub(crate) likert: Option<u8>,
    /// Who reviews; give it again for each person, who each get a link of their own.
    #[arg(long, required_unless_present_any = ["export", "apply"], value_name = "NAME")]
    pub(crate) annotator: Vec<String>,
    /// Who sees conflicts and settles them; may annotate too [default: the only annotator].
    #[arg(long, value_name = "NAME")]
    pub(crate) adjudicator: Vec<String>,
    /// Where everything that people do is kept [default: beside the set or sample,
    /// .events.jsonl].
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,
    /// Events of others, made on other machines over the same set; only read.
    #[arg(long, value_name = "FILE")]
    pub(crate) also: Vec<PathBuf>,
    /// Port on 127.0.0.1; 0 takes a free one.
    #[arg(long, default_value_t = 8017, value_name = "PORT")]
    pub(crate) port: u16,
    /// Write results to this folder and end, without a page.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["annotator", "adjudicator"])]
    pub(crate) export: Option<PathBuf>,
    /// Write the decisions into the set of verispec specs and end, without a page.
    #[arg(long, conflicts_with_all = ["annotator", "adjudicator", "export"])]
    pub(crate) apply: bool,
}
