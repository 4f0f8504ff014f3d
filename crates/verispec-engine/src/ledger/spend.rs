//! What a run has used so far, over all its executions.

use std::path::Path;

use verispec_model::Usage;

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
        match Ledger::open_read(path) {
            Ok(ledger) => ledger.spending(),
            Err(LedgerError::Absent { .. }) => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }
}

impl Ledger {
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
            let is_batch = row.get_ref(0)?.as_str()?.starts_with("batch:");
            let used = if is_batch {
                &mut spending.batch
            } else {
                &mut spending.calls
            };
            let usage = row.get_ref(2)?.as_str_or_null()?;
            used.add(parse_outcome(row, 1)?, usage);
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
