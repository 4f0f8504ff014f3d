//! A suite's instances and specifications.

use serde::Serialize;
use verispec_model::Suite;

use super::column::Shape;
use super::{Rows, Table};
use crate::error::ReportError;

#[derive(Serialize)]
struct InstanceLine<'a> {
    track: &'a str,
    dimension: &'a str,
    instance: &'a str,
    prompt: &'a str,
    references: Vec<String>,
    specifications: usize,
}

#[derive(Serialize)]
struct SpecificationLine<'a> {
    track: &'a str,
    dimension: &'a str,
    instance: &'a str,
    specification: u32,
    question: &'a str,
    category: &'a str,
    subcategory: &'a str,
    expected: &'a str,
    rating: Option<f64>,
    weight: Option<f64>,
    critical: bool,
    depends_on: &'a [u32],
}

/// A row an instance, in suite order. `references` are absolute paths, which may be absent on
/// disk; `specifications` is their number.
///
/// # Errors
/// A row does not fit the columns.
pub fn instances_of(suite: &Suite) -> Result<Table, ReportError> {
    let mut rows = Rows::shaped([
        ("track", Shape::Text),
        ("dimension", Shape::Text),
        ("instance", Shape::Text),
        ("prompt", Shape::Verbatim),
        ("references", Shape::Texts),
        ("specifications", Shape::Whole),
    ]);
    for instance in suite.instances() {
        let references = instance.references.iter();
        rows.push(&InstanceLine {
            track: &instance.track,
            dimension: &instance.dimension,
            instance: &instance.id,
            prompt: &instance.prompt,
            references: references.map(|p| p.display().to_string()).collect(),
            specifications: instance.specifications.len(),
        })?;
    }
    rows.finish()
}

/// A row a specification, in suite order. `rating` is the suite's own opinion of the
/// specification, never a weight.
///
/// # Errors
/// A row does not fit the columns.
pub fn specifications_of(suite: &Suite) -> Result<Table, ReportError> {
    let mut rows = Rows::shaped([
        ("track", Shape::Text),
        ("dimension", Shape::Text),
        ("instance", Shape::Text),
        ("specification", Shape::Whole),
        ("question", Shape::Verbatim),
        ("category", Shape::Text),
        ("subcategory", Shape::Text),
        ("expected", Shape::Text),
        ("rating", Shape::Number),
        ("weight", Shape::Number),
        ("critical", Shape::Truth),
        ("depends_on", Shape::Wholes),
    ]);
    for instance in suite.instances() {
        for spec in &instance.specifications {
            rows.push(&SpecificationLine {
                track: &instance.track,
                dimension: &instance.dimension,
                instance: &instance.id,
                specification: spec.id,
                question: &spec.question,
                category: &spec.category,
                subcategory: &spec.subcategory,
                expected: spec.expected.as_str(),
                rating: spec.rating,
                weight: spec.rules.weight,
                critical: spec.rules.critical,
                depends_on: &spec.rules.depends_on,
            })?;
        }
    }
    rows.finish()
}
