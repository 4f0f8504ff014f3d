//! Tables as Arrow record batches, for programs that hold them in memory: pandas, polars, DuckDB.
//!
//! The columns are those of the CSV tables and Parquet files. A field that does not exist is null,
//! never 0. Numbers are unrounded.

mod column;
mod document;
mod suite;

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use serde::Serialize;
use serde_json::Value;
use verispec_model::Results;
use verispec_model::score::ScoreTable;

use crate::columns::{self, Columns, GROUP, Kind, each_instance};
use crate::context::Context;
use crate::csv::{each_rank, each_score, each_verdict};
use crate::error::ReportError;
use crate::rank::RankTable;
use column::{Column, Shape};

pub use document::tables;
pub use suite::{instances_of, specifications_of};

/// Columns of [`ranks`], those of the CSV table.
const RANKS: &Columns = &[
    ("by", Kind::Text),
    ("rank_first", Kind::Whole),
    ("rank_last", Kind::Whole),
    ("model", Kind::Text),
    ("source", Kind::Text),
    ("group", Kind::Text),
    ("score", Kind::Number),
    ("low", Kind::Number),
    ("high", Kind::Number),
    ("coverage", Kind::Number),
    ("why_unranked", Kind::Text),
    ("note", Kind::Text),
    ("policy", Kind::Text),
];

/// A table: its schema, and its rows in batches.
#[derive(Debug, Clone)]
pub struct Table {
    /// Names and types of the columns; all may be null.
    pub schema: SchemaRef,
    /// Rows, in order.
    pub batches: Vec<RecordBatch>,
}

impl Table {
    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

/// Scores in long form: a row for each model's average, tracks and dimensions.
///
/// # Errors
/// A row does not fit the columns.
pub fn scores(table: &ScoreTable, context: &Context) -> Result<Table, ReportError> {
    let mut rows = Rows::of(columns::SCORES);
    each_score(table, context, |line| rows.push(line))?;
    rows.finish()
}

/// What lies between scores and verdicts: a row an instance.
///
/// # Errors
/// A row does not fit the columns.
pub fn instances(table: &ScoreTable, context: &Context) -> Result<Table, ReportError> {
    let mut rows = Rows::of(columns::INSTANCES);
    each_instance(table, context, |line| rows.push(line))?;
    rows.finish()
}

/// Verdicts: a row a specification.
///
/// # Errors
/// A row does not fit the columns.
pub fn verdicts(results: &Results, context: &Context) -> Result<Table, ReportError> {
    let mut rows = Rows::of(columns::VERDICTS);
    each_verdict(results, context, |line| rows.push(line))?;
    rows.finish()
}

/// Ranks: a row a model and ranking.
///
/// # Errors
/// A row does not fit the columns.
pub fn ranks(tables: &[RankTable]) -> Result<Table, ReportError> {
    let mut rows = Rows::of(RANKS);
    each_rank(tables, |line| rows.push(line))?;
    rows.finish()
}

/// A table in the making.
struct Rows {
    schema: SchemaRef,
    columns: Vec<Column>,
    held: usize,
    batches: Vec<RecordBatch>,
}

impl Rows {
    fn of(columns: &Columns) -> Self {
        let shape = |kind: &Kind| match kind {
            Kind::Text => Shape::Text,
            Kind::Whole => Shape::Whole,
            Kind::Number => Shape::Number,
            Kind::Truth => Shape::Truth,
        };
        Self::shaped(columns.iter().map(|(name, kind)| (*name, shape(kind))))
    }

    fn shaped(columns: impl IntoIterator<Item = (impl Into<String>, Shape)>) -> Self {
        let (fields, columns): (Vec<_>, Vec<_>) = columns
            .into_iter()
            .map(|(name, shape)| (shape.field(name), Column::new(shape)))
            .unzip();
        Self {
            schema: Arc::new(Schema::new(fields)),
            columns,
            held: 0,
            batches: vec![],
        }
    }

    /// Takes a line whose fields stand in the order of the columns.
    fn push(&mut self, line: &impl Serialize) -> Result<(), ReportError> {
        let fields = columns::fields(line)?;
        self.take(&fields.iter().collect::<Vec<_>>())
    }

    fn take(&mut self, fields: &[&Value]) -> Result<(), ReportError> {
        for (i, column) in self.columns.iter_mut().enumerate() {
            column.push(fields.get(i).unwrap_or(&&Value::Null));
        }
        self.held += 1;
        if self.held < GROUP {
            return Ok(());
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), ReportError> {
        if self.held > 0 {
            let arrays = self.columns.iter_mut().map(Column::finish).collect();
            let batch = RecordBatch::try_new(self.schema.clone(), arrays)?;
            self.batches.push(batch);
            self.held = 0;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Table, ReportError> {
        self.flush()?;
        Ok(Table {
            schema: self.schema,
            batches: self.batches,
        })
    }
}
