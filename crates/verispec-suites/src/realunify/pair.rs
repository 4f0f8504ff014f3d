//! Which item of the direct file is which of the stepwise one.

use std::collections::BTreeMap;

use verispec_model::Warning;

use super::item::Item;

/// Pairs of ids, direct and step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairing {
    /// Pairs, in the order of the direct file.
    pub pairs: Vec<(String, String)>,
    /// Items of the direct file without a partner.
    pub only_direct: Vec<String>,
    /// Items of the stepwise file without a partner.
    pub only_step: Vec<String>,
    /// One for every item without a partner.
    pub warnings: Vec<Warning>,
}

/// Pairs items by task and index. Items that ask something else (other questions, options or
/// answers) are not paired, whatever their index.
#[must_use]
pub fn pair(direct: &[Item], step: &[Item]) -> Pairing {
    let mut partners: BTreeMap<&str, &Item> = step.iter().map(|i| (i.id.as_str(), i)).collect();
    let mut pairing = Pairing::default();
    for item in direct {
        let partner = partners.get(item.id.as_str()).copied();
        match partner {
            Some(partner) if item.asks_as(partner) => {
                partners.remove(item.id.as_str());
                pairing.pairs.push((item.id.clone(), partner.id.clone()));
            }
            other => {
                let why = match other {
                    None => "no item of that task and index",
                    Some(_) => "the item of that task and index asks something else",
                };
                pairing.warn(item, why);
                pairing.only_direct.push(item.id.clone());
            }
        }
    }
    for item in step.iter().filter(|i| partners.contains_key(i.id.as_str())) {
        if !pairing.only_direct.contains(&item.id) {
            pairing.warn(item, "no item of that task and index");
        }
        pairing.only_step.push(item.id.clone());
    }
    pairing
}

impl Pairing {
    fn warn(&mut self, item: &Item, why: &str) {
        self.warnings.push(Warning {
            kind: "unpaired".to_owned(),
            place: format!("{}:{}", item.split.stem(), item.line),
            message: format!("{} is in no pair: {why} in the other file", item.id),
        });
    }
}
