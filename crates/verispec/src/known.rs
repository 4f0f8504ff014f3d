//! What earlier runs have asked already, so that a price holds only what is left.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use verispec_engine::execute::map_steps;
use verispec_engine::ledger::{LEDGER_FILE, LedgerError, LedgerReplies, Outcome, Reuse};
use verispec_model::{Hash, Job, Replies, Request, Settled, request_key};

/// Ledgers are read as a whole, whatever is wanted of them, up to so many attempts: some 400 bytes
/// each for a moment.
const READ_WHOLE: u64 = 1_000_000;

/// All ledgers below a folder of runs, read while a target is being planned.
pub(crate) struct Ledgers(JoinHandle<(Reuse, Option<Whole>)>);

/// What each ledger holds, by its path.
type Whole = Vec<(PathBuf, Result<LedgerReplies, LedgerError>)>;

impl Ledgers {
    /// Begins to read.
    pub(crate) fn open(runs: &Path) -> anyhow::Result<Self> {
        let mut all = Reuse::none();
        if runs.is_dir() {
            // Which run is one's own is not known yet.
            all.add_siblings(runs, Path::new(""))?;
        }
        Ok(Self(std::thread::spawn(move || {
            let whole = all.attempts_at_most() <= READ_WHOLE;
            let each = whole.then(|| all.each());
            (all, each)
        })))
    }

    /// What a run's own ledger holds; all ledgers; and what the others say, if they were read as a
    /// whole.
    fn finish(
        self,
        own: &Path,
    ) -> Result<(LedgerReplies, Reuse, Option<LedgerReplies>), LedgerError> {
        let read = self.0.join();
        let (all, each) = read.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let file = own.join(LEDGER_FILE);
        let Some(each) = each else {
            return Ok((LedgerReplies::load(&file)?, all, None));
        };
        let is_own = |path: &Path| {
            let own = file.canonicalize().ok();
            own.is_some() && own == path.canonicalize().ok()
        };
        let (mut mine, mut others) = (None, LedgerReplies::default());
        for (path, replies) in each {
            if is_own(&path) {
                mine = Some(replies?);
            } else if let Ok(replies) = replies {
                others.merge(all.at_hand(&path, replies));
            }
        }
        let mine = match mine {
            Some(mine) => mine,
            // None, or one that could not be opened, which is said.
            None => LedgerReplies::load(&file)?,
        };
        Ok((mine, all, Some(others)))
    }
}

/// Replies of a run's own ledger and of those beside it.
pub(crate) struct Known {
    own: LedgerReplies,
    /// What siblings say, all of it or to the first requests of all jobs.
    bulk: LedgerReplies,
    /// Those first requests; `None` where nothing else can be found in siblings.
    first: Option<HashSet<Hash>>,
    /// Used by one thread; locked so that the others may look at the rest meanwhile.
    siblings: Mutex<Reuse>,
    copied: HashMap<Hash, Settled>,
    used: Mutex<HashSet<Hash>>,
    wanted: HashSet<Hash>,
}

impl Known {
    /// What the ledgers say about these jobs; `own` is the folder of the run that would be made or
    /// resumed.
    pub(crate) fn new<J: Job>(ledgers: Ledgers, own: &Path, jobs: &[J]) -> anyhow::Result<Self> {
        let (own, siblings, others) = ledgers.finish(own)?;
        let (bulk, first) = match others {
            Some(others) => (others, None),
            None => {
                let first = wanted(jobs, &own);
                (siblings.answers(&first), Some(first))
            }
        };
        Ok(Self {
            own,
            bulk,
            first,
            siblings: Mutex::new(siblings),
            copied: HashMap::new(),
            used: Mutex::default(),
            wanted: HashSet::new(),
        })
    }

    /// Whether the job needs a call, as far as what was read as a whole tells.
    pub(crate) fn is_open<J: Job>(&self, job: &J) -> bool {
        let noted = Noted {
            known: self,
            used: RefCell::default(),
        };
        let open = !job.step(&noted).ask.is_empty();
        if !open {
            self.lock().extend(noted.used.take());
        }
        open
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<Hash>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn siblings(&self) -> MutexGuard<'_, Reuse> {
        self.siblings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, key: &Hash) -> Option<Settled> {
        let answered = self.bulk.outcome(key) == Some(Outcome::Answered);
        let bulk = || answered.then(|| self.bulk.get(key)).flatten();
        let found = self.own.get(key).or_else(bulk);
        found.or_else(|| self.copied.get(key).cloned())
    }

    /// The first calls that a job still needs, without those that another job has named before.
    pub(crate) fn first_calls<J: Job>(&mut self, job: &J) -> anyhow::Result<Vec<Request>> {
        loop {
            let asked = job.step(self).ask;
            let mut found = false;
            let mut open = vec![];
            for request in asked {
                let key = request_key(&request);
                let looked_for = self.first.as_ref().is_none_or(|first| first.contains(&key));
                let copy = match looked_for {
                    true => None,
                    false => self.siblings().find(&key, &request)?,
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
        self.lock().len()
    }
}

impl Replies for Known {
    fn get(&self, key: &Hash) -> Option<Settled> {
        let found = self.find(key)?;
        self.lock().insert(*key);
        Some(found)
    }
}

/// Notes the replies of one job apart, so that jobs can be looked at on all cores.
struct Noted<'k> {
    known: &'k Known,
    used: RefCell<Vec<Hash>>,
}

impl Replies for Noted<'_> {
    fn get(&self, key: &Hash) -> Option<Settled> {
        let found = self.known.find(key)?;
        self.used.borrow_mut().push(*key);
        Some(found)
    }
}

/// What the jobs ask beyond what these replies answer.
fn wanted<J: Job>(jobs: &[J], own: &LedgerReplies) -> HashSet<Hash> {
    let keys = map_steps(jobs, own, |_, step| {
        step.ask.iter().map(request_key).collect::<Vec<_>>()
    });
    keys.into_iter().flatten().collect()
}
