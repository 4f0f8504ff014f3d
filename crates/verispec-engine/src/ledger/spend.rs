//! What a run has used so far, over all its executions.

use std::path::Path;

use verispec_model::Usage;

use super::error::LedgerError;
use super::read::Ledger;

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

/// One row a way of asking.
const SQL: &str = "
WITH used AS (
  SELECT via LIKE 'batch:%' AS batch, outcome,
    json_extract(usage, '$.input') AS input, json_extract(usage, '$.cached') AS cached,
    json_extract(usage, '$.output') AS output, json_extract(usage, '$.reasoning') AS reasoning
  FROM attempt WHERE via NOT LIKE 'reuse:%'
), told AS (
  SELECT *, outcome IN ('answered', 'refused', 'truncated', 'empty') AS replied,
    input IS NOT NULL AND output IS NOT NULL AS tells FROM used
)
SELECT batch, sum(replied), sum(replied AND NOT tells), sum(outcome = 'timed-out'),
  sum(CASE WHEN tells THEN input END), sum(CASE WHEN tells THEN cached END),
  sum(CASE WHEN tells THEN output END), sum(CASE WHEN tells THEN reasoning END)
FROM told GROUP BY batch";

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
        let mut statement = self.conn.prepare(SQL)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let some = |column: usize| -> rusqlite::Result<Option<u64>> {
                let n: Option<i64> = row.get(column)?;
                Ok(n.and_then(|n| u64::try_from(n).ok()))
            };
            let all = |column: usize| some(column).map(Option::unwrap_or_default);
            let used = Used {
                replies: all(1)?,
                unknown: all(2)?,
                timed_out: all(3)?,
                usage: Usage {
                    input: some(4)?,
                    cached: some(5)?,
                    output: some(6)?,
                    reasoning: some(7)?,
                },
            };
            if row.get::<_, bool>(0)? {
                spending.batch = used;
            } else {
                spending.calls = used;
            }
        }
        Ok(spending)
    }
}
