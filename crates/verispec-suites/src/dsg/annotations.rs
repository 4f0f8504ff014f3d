//! Prompts with their questions and dependencies: `dsg-1k-anns.csv`, `tifa160-dev-anns.csv`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value};
use verispec_model::{SpecId, SpecRules, Specification, Warning, YesNo};

use super::error::DsgError;
use super::table::Table;

/// Columns, as released; a specification's record keeps them all.
const COLUMNS: [&str; 9] = [
    "item_id",
    "text",
    "keywords",
    "proposition_id",
    "dependency",
    "category_broad",
    "category_detailed",
    "tuple",
    "question_natural_language",
];

/// A prompt with its specifications.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// Text that the models under test were given.
    pub text: String,
    /// Specifications in file order; the wanted answer to every DSG question is yes.
    pub specifications: Vec<Specification>,
}

/// One file of prompts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Annotations {
    /// By item id.
    pub prompts: BTreeMap<String, Prompt>,
    /// Faults, in file order.
    pub warnings: Vec<Warning>,
}

impl Annotations {
    /// Reads a file.
    ///
    /// A dependency that is not a list of numbers loses its own row's parents alone and marks the
    /// row ([`SpecRules::unreadable_dependency`]), so that the `published` rule can drop those of
    /// the whole item, as the release does.
    ///
    /// # Errors
    /// The file cannot be read or lacks a column.
    pub fn read(path: &Path) -> Result<Self, DsgError> {
        let mut table = Table::read(path, &COLUMNS)?;
        let mut prompts: BTreeMap<String, Prompt> = BTreeMap::new();
        for (line, values) in std::mem::take(&mut table.rows) {
            if let Some((item, text, spec)) = specification(&mut table, line, &values) {
                let prompt = prompts.entry(item).or_insert_with(|| Prompt {
                    text,
                    specifications: vec![],
                });
                prompt.specifications.push(spec);
            }
        }
        let mut warnings = table.warnings;
        for (item, prompt) in &mut prompts {
            distinct_labels(&table.name, item, &mut prompt.specifications, &mut warnings);
            known_parents(&table.name, item, &mut prompt.specifications, &mut warnings);
        }
        Ok(Self { prompts, warnings })
    }

    /// A specification by item and label.
    #[must_use]
    pub fn specification(&self, item: &str, id: SpecId) -> Option<&Specification> {
        let prompt = self.prompts.get(item)?;
        prompt.specifications.iter().find(|s| s.id == id)
    }
}

fn specification(
    table: &mut Table,
    line: u64,
    values: &[String],
) -> Option<(String, String, Specification)> {
    let get = |column| table.get(values, column).to_owned();
    let (item, id) = (get("item_id"), get("proposition_id"));
    let question = get("question_natural_language");
    let dependency = get("dependency");
    let (text, category, subcategory) =
        (get("text"), get("category_broad"), get("category_detailed"));
    let Ok(id) = id.trim().parse::<SpecId>() else {
        let message = format!("left out: proposition_id {id:?} is no number");
        table.warn(line, "bad-label", message);
        return None;
    };
    if item.is_empty() {
        table.warn(line, "no-item", "left out: no item_id".into());
        return None;
    }
    if question.trim().is_empty() {
        // Kept, because others may depend on it.
        let message = format!("{item} #{id}: no question; it cannot be asked");
        table.warn(line, "empty-question", message);
    }
    let parents = parents(&dependency);
    if parents.is_none() {
        let message = format!(
            "{item} #{id}: dependency {dependency:?} is not a list of numbers; taken as none"
        );
        table.warn(line, "malformed-dependency", message);
    }
    let record: Map<String, Value> = COLUMNS
        .iter()
        .zip(values)
        .map(|(column, value)| ((*column).to_owned(), Value::String(value.clone())))
        .collect();
    let spec = Specification {
        id,
        question,
        category,
        subcategory,
        expected: YesNo::Yes,
        rating: None,
        rules: SpecRules {
            unreadable_dependency: parents.is_none(),
            depends_on: parents.unwrap_or_default(),
            ..SpecRules::default()
        },
        record: record.into(),
    };
    Some((item, text, spec))
}

/// The parents that a `dependency` names; 0 stands for none.
fn parents(text: &str) -> Option<Vec<SpecId>> {
    let mut labels = vec![];
    for part in text.split(',') {
        labels.push(part.trim().parse().ok()?);
    }
    labels.retain(|label| *label != 0);
    Some(labels)
}

/// A label given twice would be ambiguous: the first row keeps it, the others get new ones.
fn distinct_labels(
    file: &str,
    item: &str,
    specs: &mut [Specification],
    warnings: &mut Vec<Warning>,
) {
    let mut next = specs.iter().map(|s| s.id).max().unwrap_or(0);
    let mut seen = BTreeSet::new();
    for spec in specs {
        if seen.insert(spec.id) {
            continue;
        }
        next += 1;
        warnings.push(Warning {
            kind: "repeated-label".to_owned(),
            place: format!("{file}: {item} #{}", spec.id),
            message: format!("label given twice; the later row is called {next}"),
        });
        spec.id = next;
    }
}

/// Parents that the item does not have, or that are the specification itself, gate nothing.
fn known_parents(file: &str, item: &str, specs: &mut [Specification], warnings: &mut Vec<Warning>) {
    let labels: BTreeSet<SpecId> = specs.iter().map(|s| s.id).collect();
    for spec in specs {
        let own = spec.id;
        let mut warn = |kind: &str, message: String| {
            warnings.push(Warning {
                kind: kind.to_owned(),
                place: format!("{file}: {item} #{own}"),
                message,
            });
        };
        spec.rules.depends_on.retain(|parent| {
            if *parent == own {
                warn("self-dependency", "depends on itself; taken as none".into());
            } else if !labels.contains(parent) {
                let message = format!("depends on {parent}, which the item lacks; taken as none");
                warn("unknown-dependency", message);
            }
            *parent != own && labels.contains(parent)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::parents;

    #[test]
    fn dependencies_as_they_are_written() {
        assert_eq!(parents("0"), Some(vec![]));
        assert_eq!(parents("1,2"), Some(vec![1, 2]));
        assert_eq!(parents(" 3 , 0"), Some(vec![3]));
        for broken in ["5, right", "", "1;2", "-1", "1.0", "1,"] {
            assert_eq!(parents(broken), None, "{broken:?}");
        }
    }
}
