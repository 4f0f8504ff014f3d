//! Smallest sets of attributes that tell an object apart.

use super::generate::MAX_KEYS;
use super::overlap::{Overlap, Prepared};
use crate::scene::Node;

/// For each ordered pair of nodes, which keys of the first tell it apart from the second.
pub(super) struct Distinctions {
    keys: Vec<Vec<String>>,
    /// Bit `k` of `masks[a][b]`: key `k` of node `a` does not overlap with node `b`.
    masks: Vec<Vec<u32>>,
}

impl Distinctions {
    pub(super) fn new(nodes: &[Node], rule: Overlap) -> Self {
        let prepared: Vec<Vec<(&str, Prepared)>> = nodes.iter().map(|n| prepare(n, rule)).collect();
        let mask = |a: &[(&str, Prepared)], b: &[(&str, Prepared)]| {
            let mut bits = 0;
            for (at, (key, values)) in a.iter().enumerate() {
                let same = b.iter().find(|(other, _)| other == key);
                if !same.is_some_and(|(_, others)| values.overlaps(others, rule)) {
                    bits |= 1 << at;
                }
            }
            bits
        };
        let row = |a: &Vec<(&str, Prepared)>| prepared.iter().map(|b| mask(a, b)).collect();
        let names = |a: &Vec<(&str, Prepared)>| a.iter().map(|(k, _)| (*k).to_owned()).collect();
        Self {
            masks: prepared.iter().map(row).collect(),
            keys: prepared.iter().map(names).collect(),
        }
    }

    /// The first of the smallest sets of keys of `node`, without `except`, of which at least one
    /// tells it apart from each of `others`. Sets of one size are tried in the order of the file.
    pub(super) fn smallest_set(
        &self,
        node: usize,
        others: &[usize],
        except: Option<&str>,
    ) -> Option<Vec<String>> {
        let keys = &self.keys[node];
        let open: Vec<usize> = (0..keys.len())
            .filter(|&k| except != Some(keys[k].as_str()))
            .collect();
        let needed: Vec<u32> = others.iter().map(|&o| self.masks[node][o]).collect();
        (1..=open.len()).find_map(|size| {
            let chosen = first_cover(&open, size, 0, &needed)?;
            let name = |k: usize| keys[k].clone();
            Some(
                (0..keys.len())
                    .filter(|k| chosen & (1 << k) != 0)
                    .map(name)
                    .collect(),
            )
        })
    }
}

/// The first choice of `size` positions out of `open` (in their order) which, with `chosen`, meets
/// every mask.
fn first_cover(open: &[usize], size: usize, chosen: u32, needed: &[u32]) -> Option<u32> {
    if size == 0 {
        return needed
            .iter()
            .all(|mask| mask & chosen != 0)
            .then_some(chosen);
    }
    let last_start = open.len().checked_sub(size)?;
    (0..=last_start)
        .find_map(|at| first_cover(&open[at + 1..], size - 1, chosen | 1 << open[at], needed))
}

fn prepare(node: &Node, rule: Overlap) -> Vec<(&str, Prepared)> {
    let pairs = node.attributes.iter().take(MAX_KEYS);
    pairs
        .map(|(key, values)| (key, Prepared::new(values, rule)))
        .collect()
}
