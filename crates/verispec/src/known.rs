//! What earlier runs have asked already, so that a price holds only what is left.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use verispec_engine::ledger::{LEDGER_FILE, LedgerReplies, Outcome, Reuse};
use verispec_model::{Hash, Job, Replies, Request, Settled, request_key};

/// Replies of a run's own ledger and of those beside it.
pub(crate) struct Known {
    own: LedgerReplies,
    /// What siblings say to the first requests of all jobs.
    bulk: LedgerReplies,
    first: HashSet<Hash>,
    siblings: Reuse,
    copied: HashMap<Hash, Settled>,
    used: RefCell<HashSet<Hash>>,
    wanted: HashSet<Hash>,
}

impl Known {
    /// Opens the ledgers below `runs`; `own` is the folder of the run that would be made or resumed,
    /// `first` are the keys that all jobs ask first.
    pub(crate) fn open(runs: &Path, own: &Path, first: HashSet<Hash>) -> anyhow::Result<Self> {
        let mut siblings = Reuse::none();
        if runs.is_dir() {
            siblings.add_siblings(runs, own)?;
        }
        Ok(Self {
            own: LedgerReplies::load(&own.join(LEDGER_FILE))?,
            bulk: siblings.answers(&first),
            first,
            siblings,
            copied: HashMap::new(),
            used: RefCell::default(),
            wanted: HashSet::new(),
        })
    }

    /// The first calls that a job still needs, without those that another job has named before.
    pub(crate) fn first_calls<J: Job>(&mut self, job: &J) -> anyhow::Result<Vec<Request>> {
        loop {
            let asked = job.step(self).ask;
            let mut found = false;
            let mut open = vec![];
            for request in asked {
                let key = request_key(&request);
                let copy = match self.first.contains(&key) {
                    true => None,
                    false => self.siblings.find(&key, &request)?,
                };
                match copy.and_then(|a| a.reply) {
                    Some(reply) => {
                        self.copied.insert(key, Settled::Answered(reply));
                        found = true;
                    }
                    None => open.push((key, request)),
                }
            }
            if !found {
                open.retain(|(key, _)| self.wanted.insert(*key));
                return Ok(open.into_iter().map(|(_, request)| request).collect());
            }
        }
    }

    /// Distinct requests that need no call.
    pub(crate) fn reused(&self) -> usize {
        self.used.borrow().len()
    }
}

impl Replies for Known {
    fn get(&self, key: &Hash) -> Option<Settled> {
        let answered = self.bulk.outcome(key) == Some(Outcome::Answered);
        let bulk = || answered.then(|| self.bulk.get(key)).flatten();
        let found = self.own.get(key).or_else(bulk);
        let found = found.or_else(|| self.copied.get(key).cloned());
        if found.is_some() {
            self.used.borrow_mut().insert(*key);
        }
        found
    }
}
