//! Which units are drawn together, and from which pool.

use crate::{
    Defined, Undefined,
    random::{Purpose, Stream},
    special::{normal_two_sided, t_quantile},
    undefined::{at_least, same_length},
};
use serde::Serialize;
use std::{collections::BTreeMap, ops::Range};

/// How much independent data the draws rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Variety {
    /// Clusters in strata with two clusters or more.
    pub clusters: usize,
    /// Those strata.
    pub strata: usize,
}

impl Variety {
    /// The factor by which a bootstrap distribution must be widened at normal deviate `z` > 0: a
    /// draw varies too little by the root of (clusters - strata) / clusters, and the standard error
    /// is itself estimated, which the t distribution of clusters - strata degrees of freedom makes
    /// up for (T. Hesterberg, "What Teachers Should Know About the Bootstrap", The American
    /// Statistician 2015, section 3.5, the expanded percentile interval). At least 1.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] when nothing varies.
    pub(crate) fn widened(self, z: f64) -> Defined<f64> {
        at_least("clusters that can vary", self.clusters, self.strata + 1)?;
        let df = (self.clusters - self.strata) as f64;
        let tail = 0.5 * normal_two_sided(z);
        // So far out that there is no tail left to match: nothing to tell apart by widening.
        let t = if z > 0.0 && tail > 0.0 {
            -t_quantile(tail, df)?
        } else {
            z
        };
        Ok(t * (self.clusters as f64 / df).sqrt())
    }
}

/// How units 0..n are drawn with replacement: clusters as a whole, as many of each stratum as the
/// stratum has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    units: usize,
    /// Units, cluster after cluster.
    members: Vec<u32>,
    /// Where each cluster lies in `members`.
    clusters: Vec<Range<usize>>,
    /// Where each stratum lies in `clusters`.
    strata: Vec<Range<usize>>,
}

impl Plan {
    /// `n` independent units of one stratum.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] without units.
    pub fn simple(n: usize) -> Defined<Self> {
        Self::new(&vec![0; n], &(0..n as u32).collect::<Vec<_>>())
    }

    /// Independent units drawn within strata (dimensions); `strata` labels each unit.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] without units.
    pub fn stratified(strata: &[u32]) -> Defined<Self> {
        Self::new(strata, &(0..strata.len() as u32).collect::<Vec<_>>())
    }

    /// Units drawn by cluster (shared source image); `clusters` labels each unit.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] without units.
    pub fn clustered(clusters: &[u32]) -> Defined<Self> {
        Self::new(&vec![0; clusters.len()], clusters)
    }

    /// Units drawn by cluster within strata. A cluster label means the same cluster wherever it
    /// stands; [`merged_strata`] joins strata that share one.
    ///
    /// # Errors
    /// [`Undefined::Lengths`]; [`Undefined::TooFew`] without units;
    /// [`Undefined::ClusterSpansStrata`].
    pub fn new(strata: &[u32], clusters: &[u32]) -> Defined<Self> {
        same_length(strata.len(), clusters.len())?;
        at_least("units", strata.len(), 1)?;
        let mut home: BTreeMap<u32, u32> = BTreeMap::new();
        let mut grouped: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for (unit, (&stratum, &cluster)) in strata.iter().zip(clusters).enumerate() {
            let first = *home.entry(cluster).or_insert(stratum);
            if first != stratum {
                return Err(Undefined::ClusterSpansStrata {
                    cluster,
                    first,
                    second: stratum,
                });
            }
            grouped
                .entry((stratum, cluster))
                .or_default()
                .push(unit as u32);
        }
        let mut plan = Self {
            units: strata.len(),
            members: Vec::new(),
            clusters: Vec::new(),
            strata: vec![],
        };
        let mut previous = None;
        for ((stratum, _), members) in grouped {
            if previous != Some(stratum) {
                plan.strata.push(plan.clusters.len()..plan.clusters.len());
                previous = Some(stratum);
            }
            let start = plan.members.len();
            plan.members.extend(members);
            plan.clusters.push(start..plan.members.len());
            if let Some(last) = plan.strata.last_mut() {
                last.end += 1;
            }
        }
        Ok(plan)
    }

    /// Units.
    #[must_use]
    pub fn units(&self) -> usize {
        self.units
    }

    /// Clusters in all strata.
    #[must_use]
    pub fn clusters(&self) -> usize {
        self.clusters.len()
    }

    /// Strata.
    #[must_use]
    pub fn strata(&self) -> usize {
        self.strata.len()
    }

    /// Strata with one cluster: every draw holds it once, so that it adds no variance. Name them
    /// beside an interval, which is too short for them.
    #[must_use]
    pub fn lone_strata(&self) -> usize {
        self.strata
            .iter()
            .filter(|stratum| stratum.len() == 1)
            .count()
    }

    /// What the draws can vary: clusters and strata, lone strata aside.
    pub(crate) fn variety(&self) -> Variety {
        let varied = self.strata.iter().filter(|stratum| stratum.len() > 1);
        let (clusters, strata) = varied.fold((0, 0), |(clusters, strata), s| {
            (clusters + s.len(), strata + 1)
        });
        Variety { clusters, strata }
    }

    /// How often each unit occurs in draw number `draw` under `seed`; `times` is overwritten and
    /// takes the length [`Plan::units`].
    pub fn draw(&self, seed: u64, draw: u64, times: &mut Vec<u32>) {
        times.clear();
        times.resize(self.units, 0);
        let mut stream = Stream::of(Purpose::Bootstrap, seed, draw);
        for stratum in &self.strata {
            for _ in stratum.clone() {
                let chosen = stratum.start + stream.below(stratum.len() as u32) as usize;
                for &unit in &self.members[self.clusters[chosen].clone()] {
                    times[unit as usize] += 1;
                }
            }
        }
    }

    /// The clusters of each stratum, each as its units.
    pub(crate) fn by_stratum(&self) -> impl Iterator<Item = impl Iterator<Item = &[u32]>> {
        self.strata.iter().map(|stratum| {
            self.clusters[stratum.clone()]
                .iter()
                .map(|range| &self.members[range.clone()])
        })
    }
}

/// Strata joined so that no cluster lies in two of them: each unit gets the smallest label of all
/// strata that its stratum is linked to by shared clusters.
///
/// # Errors
/// [`Undefined::Lengths`].
pub fn merged_strata(strata: &[u32], clusters: &[u32]) -> Defined<Vec<u32>> {
    same_length(strata.len(), clusters.len())?;
    let mut labels = strata.to_vec();
    loop {
        // The smallest label seen in each cluster and in each original stratum.
        let mut by_cluster: BTreeMap<u32, u32> = BTreeMap::new();
        let mut by_stratum: BTreeMap<u32, u32> = BTreeMap::new();
        for (i, &label) in labels.iter().enumerate() {
            for (map, key) in [(&mut by_cluster, clusters[i]), (&mut by_stratum, strata[i])] {
                map.entry(key)
                    .and_modify(|least| *least = label.min(*least))
                    .or_insert(label);
            }
        }
        let next: Vec<u32> = (0..labels.len())
            .map(|i| by_cluster[&clusters[i]].min(by_stratum[&strata[i]]))
            .collect();
        if next == labels {
            return Ok(labels);
        }
        labels = next;
    }
}
