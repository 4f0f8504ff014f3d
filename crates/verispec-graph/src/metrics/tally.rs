//! Facts counted by data set and kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::chance::{Chance, chance};
use super::fact::{Dropped, FactScore, MetricPolicy, Variant, graded};
use super::grades::{Consistency, GradeTable};
use crate::facts::FactKind;

/// Facts of one kind in one data set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stratum {
    /// Facts that count.
    pub table: GradeTable,
    /// Facts that do not, by reason.
    pub dropped: BTreeMap<Dropped, u64>,
}

/// All facts under one variant. Pooled numbers are means over facts: counts are added, never
/// averaged over images or data sets.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// Which facts count.
    pub variant: Variant,
    /// How they count.
    pub policy: MetricPolicy,
    /// By data set and kind.
    pub strata: BTreeMap<(Arc<str>, FactKind), Stratum>,
}

impl Tally {
    /// Counts facts.
    #[must_use]
    pub fn new<'a>(
        facts: impl IntoIterator<Item = &'a FactScore>,
        variant: Variant,
        policy: MetricPolicy,
    ) -> Self {
        let mut strata: BTreeMap<(Arc<str>, FactKind), Stratum> = BTreeMap::new();
        for fact in facts {
            let stratum = strata.entry((fact.dataset.clone(), fact.kind)).or_default();
            match graded(fact, variant, policy) {
                Ok((g, u)) => stratum.table.add(g, u),
                Err(reason) => *stratum.dropped.entry(reason).or_default() += 1,
            }
        }
        Self {
            variant,
            policy,
            strata,
        }
    }

    /// Names of the data sets.
    #[must_use]
    pub fn datasets(&self) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> = self.strata.keys().map(|(d, _)| d.clone()).collect();
        names.dedup();
        names
    }

    /// The strata of a data set (`None`: all) and kind (`None`: all).
    fn select(&self, dataset: Option<&str>, kind: Option<FactKind>) -> Vec<&Stratum> {
        let wanted = |(d, k): &(Arc<str>, FactKind)| {
            dataset.is_none_or(|name| **d == *name) && kind.is_none_or(|kind| *k == kind)
        };
        self.strata
            .iter()
            .filter(|(key, _)| wanted(key))
            .map(|(_, s)| s)
            .collect()
    }

    /// Pairs of grades of a data set (`None`: pooled) and kind (`None`: all three).
    #[must_use]
    pub fn table(&self, dataset: Option<&str>, kind: Option<FactKind>) -> GradeTable {
        let mut table = GradeTable::default();
        for stratum in self.select(dataset, kind) {
            table.add_table(&stratum.table, 1);
        }
        table
    }

    /// Their numbers; `None` without a fact.
    #[must_use]
    pub fn consistency(
        &self,
        dataset: Option<&str>,
        kind: Option<FactKind>,
    ) -> Option<Consistency> {
        self.table(dataset, kind).consistency(self.policy.tau)
    }

    /// What CCTA would be if understanding were dealt at random within kind and data set; `None`
    /// without a fact.
    #[must_use]
    pub fn chance(&self, dataset: Option<&str>, kind: Option<FactKind>) -> Option<Chance> {
        chance(self.select(dataset, kind).into_iter().map(|s| &s.table))
    }

    /// Facts that do not count, by reason.
    #[must_use]
    pub fn dropped(&self, dataset: Option<&str>, kind: Option<FactKind>) -> BTreeMap<Dropped, u64> {
        let mut all = BTreeMap::new();
        for (reason, count) in self
            .select(dataset, kind)
            .into_iter()
            .flat_map(|s| &s.dropped)
        {
            *all.entry(*reason).or_default() += count;
        }
        all
    }
}
