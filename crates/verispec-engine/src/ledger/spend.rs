//! What a run has used so far, over all its executions.

use std::path::Path;

use serde::Deserialize;
use verispec_model::{JudgeIdentity, Usage};

use super::error::LedgerError;
use super::outcome::Outcome;
use super::read::{Ledger, parse_outcome};

/// What was used in one way of asking.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    /// Tokens of the replies that say both input and output.
    pub usage: Usage,
    /// Replies, those without counts included.
    pub replies: u64,
    /// Replies that do not say what they used.
    pub unknown: u64,
    /// Attempts that ran out of time; a provider may bill them all the same.
    pub timed_out: u64,
}

/// What a run has used. Replies copied from other runs cost this one nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spending {
    /// By calls.
    pub calls: Used,
    /// By batches.
    pub batch: Used,
}

impl Spending {
    /// What the run with this ledger has used; nothing if there is no ledger yet.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub fn load(path: &Path) -> Result<Self, LedgerError> {
        Ledger::open_if_there(path)?.map_or_else(|| Ok(Self::default()), |l| l.spending())
    }
}

/// What is needed of a stored request.
#[derive(Deserialize)]
struct Asked {
    judge: JudgeIdentity,
}

impl Spending {
    /// What the run with this ledger has used, by who was asked; nothing if there is no ledger yet.
    /// Reads every request, unlike [`Spending::load`].
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub fn by_judge(path: &Path) -> Result<Vec<(JudgeIdentity, Self)>, LedgerError> {
        Ledger::open_if_there(path)?.map_or_else(|| Ok(vec![]), |l| l.spending_by_judge())
    }

    fn add(&mut self, via: &str, outcome: Outcome, usage: Option<&str>) {
        let is_batch = via.starts_with("batch:");
        let used = if is_batch {
            &mut self.batch
        } else {
            &mut self.calls
        };
        used.add(outcome, usage);
    }
}

impl Ledger {
    fn spending_by_judge(&self) -> Result<Vec<(JudgeIdentity, Spending)>, LedgerError> {
        let fail = |e| LedgerError::sqlite(&self.path, e);
        let sql = "SELECT a.via, a.outcome, a.usage, r.canonical FROM attempt a \
                   JOIN request r ON r.id = a.request WHERE a.via NOT LIKE 'reuse:%'";
        let mut statement = self.conn.prepare(sql).map_err(fail)?;
        let mut rows = statement.query([]).map_err(fail)?;
        let mut all: Vec<(JudgeIdentity, Spending)> = vec![];
        while let Some(row) = rows.next().map_err(fail)? {
            let packed: Vec<u8> = row.get(3).map_err(fail)?;
            let asked: Asked = serde_json::from_slice(&self.unpack(&packed)?)
                .map_err(|e| self.damaged(&format!("a request: {e}")))?;
            let known = all.iter().position(|(judge, _)| *judge == asked.judge);
            let at = known.unwrap_or_else(|| {
                all.push((asked.judge, Spending::default()));
                all.len() - 1
            });
            let via: String = row.get(0).map_err(fail)?;
            let usage: Option<String> = row.get(2).map_err(fail)?;
            let outcome = parse_outcome(row, 1).map_err(fail)?;
            all[at].1.add(&via, outcome, usage.as_deref());
        }
        Ok(all)
    }

    /// What the run has used so far.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn spending(&self) -> Result<Spending, LedgerError> {
        self.read_spending()
            .map_err(|e| LedgerError::sqlite(&self.path, e))
    }

    fn read_spending(&self) -> rusqlite::Result<Spending> {
        let mut spending = Spending::default();
        let sql = "SELECT via, outcome, usage FROM attempt WHERE via NOT LIKE 'reuse:%'";
        let mut statement = self.conn.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let usage = row.get_ref(2)?.as_str_or_null()?;
            let outcome = parse_outcome(row, 1)?;
            spending.add(row.get_ref(0)?.as_str()?, outcome, usage);
        }
        Ok(spending)
    }
}

impl Used {
    fn add(&mut self, outcome: Outcome, usage: Option<&str>) {
        self.replies += u64::from(outcome.has_reply());
        self.timed_out += u64::from(outcome == Outcome::TimedOut);
        let usage: Option<Usage> = usage.and_then(|text| serde_json::from_str(text).ok());
        match usage.filter(|u| u.input.is_some() && u.output.is_some()) {
            Some(usage) => self.usage.add(&usage),
            None => self.unknown += u64::from(outcome.has_reply()),
        }
    }
}
