//! On what and when it was measured. Linux tells more than other systems; nothing is guessed.

use std::fs;
use std::process::Command;

use serde::{Deserialize, Serialize};

/// The machine, for the head of the page.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) processor: String,
    pub(crate) cores: usize,
    pub(crate) memory_gb: Option<f64>,
    pub(crate) system: String,
    pub(crate) rustc: String,
    /// UTC, to the minute.
    pub(crate) date: String,
    /// Commit, with `+` when files were changed since.
    pub(crate) commit: String,
}

impl Machine {
    pub(crate) fn here() -> Self {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |text: &str, name: &str| {
            let line = text.lines().find(|l| l.starts_with(name))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let memory_kb = field(&memory, "MemTotal")
            .and_then(|m| m.split_whitespace().next()?.parse::<f64>().ok());
        let changed = said("git", &["status", "--porcelain", "--untracked-files=no"]);
        let commit = said("git", &["rev-parse", "--short", "HEAD"]);
        Self {
            processor: field(&cpuinfo, "model name").unwrap_or_else(|| "unknown".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            memory_gb: memory_kb.map(|kb| kb / 1e6),
            system: said("uname", &["-sr"]),
            rustc: said("rustc", &["--version"]),
            date: said("date", &["-u", "+%Y-%m-%d %H:%M"]),
            commit: if changed.is_empty() {
                commit
            } else {
                format!("{commit}+")
            },
        }
    }

    /// Whether figures of both can stand in one table.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (&self.processor, self.cores) == (&other.processor, other.cores)
    }
}

fn said(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned());
    text.unwrap_or_default()
}

/// Load average of the last minute; 0 where the system does not tell.
pub(crate) fn load() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = text.split_whitespace().next().and_then(|l| l.parse().ok());
    first.unwrap_or(0.0)
}
