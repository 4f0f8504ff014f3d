//! Scores and verdicts as Parquet files, for DuckDB, Spark, DataFusion, pandas and the like.
//!
//! The columns of `scores` and `verdicts` are those of the CSV tables; `instances` holds what lies
//! between. A field that does not exist is null, never 0. Numbers are unrounded.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::parquet::basic::Compression;
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::parser::parse_message_type;
use serde::Serialize;
use serde_json::Value;
use verispec_model::Results;
use verispec_model::score::ScoreTable;

use crate::columns::{Columns, GROUP, INSTANCES, Kind, SCORES, VERDICTS, each_instance, fields};
use crate::context::Context;
use crate::csv::{each_score, each_verdict};
use crate::error::ReportError;
use crate::html::write::io;
use Kind::{Number, Text, Truth, Whole};

/// One judge's results and scores.
#[derive(Debug, Clone, Copy)]
pub struct ParquetInput<'a> {
    /// Verdicts.
    pub results: &'a Results,
    /// Scores of the same results.
    pub scores: &'a ScoreTable,
    /// What the numbers were made with.
    pub context: &'a Context,
}

/// Writes `scores.parquet` (models, tracks, dimensions), `instances.parquet` and
/// `verdicts.parquet` (one row a specification) into a folder; rows of several judges stand in one
/// file and say which judge they are of.
///
/// # Errors
/// A file cannot be written; a file is whole or not there.
pub fn write_parquet(inputs: &[ParquetInput<'_>], dir: &Path) -> Result<Vec<PathBuf>, ReportError> {
    std::fs::create_dir_all(dir).map_err(io("cannot write", dir))?;
    let mut scores = Table::create(dir.join("scores.parquet"), SCORES)?;
    let mut instances = Table::create(dir.join("instances.parquet"), INSTANCES)?;
    let mut verdicts = Table::create(dir.join("verdicts.parquet"), VERDICTS)?;
    for input in inputs {
        each_score(input.scores, input.context, |line| scores.push(line))?;
        each_instance(input.scores, input.context, |line| instances.push(line))?;
        each_verdict(input.results, input.context, |line| verdicts.push(line))?;
    }
    [scores, instances, verdicts]
        .into_iter()
        .map(Table::finish)
        .collect()
}

/// A file in the making, beside its place.
struct Table {
    path: PathBuf,
    draft: PathBuf,
    writer: SerializedFileWriter<File>,
    columns: &'static Columns,
    rows: Vec<Vec<Value>>,
}

impl Table {
    fn create(path: PathBuf, columns: &'static Columns) -> Result<Self, ReportError> {
        let field = |(name, kind): &(&str, Kind)| match kind {
            Text => format!("OPTIONAL BYTE_ARRAY {name} (UTF8);"),
            Whole => format!("OPTIONAL INT64 {name};"),
            Number => format!("OPTIONAL DOUBLE {name};"),
            Truth => format!("OPTIONAL BOOLEAN {name};"),
        };
        let fields: Vec<String> = columns.iter().map(field).collect();
        let schema = parse_message_type(&format!("message verispec {{ {} }}", fields.join(" ")));
        let schema = Arc::new(schema.map_err(|e| fault(&path, e))?);
        let draft = path.with_extension("parquet.tmp");
        let file = File::create(&draft).map_err(io("cannot write", &draft))?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build()));
        Ok(Self {
            writer: writer.map_err(|e| fault(&path, e))?,
            draft,
            path,
            columns,
            rows: vec![],
        })
    }

    fn push(&mut self, line: &impl Serialize) -> Result<(), ReportError> {
        self.rows.push(fields(line)?);
        if self.rows.len() < GROUP {
            return Ok(());
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), ReportError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        group(&mut self.writer, self.columns, &self.rows).map_err(|e| fault(&self.path, e))?;
        self.rows.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<PathBuf, ReportError> {
        self.flush()?;
        let closed = self.writer.close();
        closed.map_err(|e| fault(&self.path, e))?;
        std::fs::rename(&self.draft, &self.path).map_err(io("cannot write", &self.path))?;
        Ok(self.path)
    }
}

fn fault(path: &Path, source: ParquetError) -> ReportError {
    ReportError::Parquet {
        path: path.to_owned(),
        source,
    }
}

fn group(
    writer: &mut SerializedFileWriter<File>,
    columns: &Columns,
    rows: &[Vec<Value>],
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for (i, (name, kind)) in columns.iter().enumerate() {
        let missing = || ParquetError::General(format!("the schema lacks column {name}"));
        let column = group.next_column()?.ok_or_else(missing)?;
        let fields = || {
            rows.iter()
                .map(move |row| row.get(i).unwrap_or(&Value::Null))
        };
        match kind {
            // An empty text stands for a field that does not exist, as in CSV.
            Text => put::<ByteArrayType>(column, fields(), |v| {
                v.as_str().filter(|t| !t.is_empty()).map(ByteArray::from)
            }),
            Whole => put::<Int64Type>(column, fields(), Value::as_i64),
            Number => put::<DoubleType>(column, fields(), Value::as_f64),
            Truth => put::<BoolType>(column, fields(), Value::as_bool),
        }?;
    }
    group.close()?;
    Ok(())
}

fn put<'v, T: DataType>(
    mut column: SerializedColumnWriter<'_>,
    fields: impl Iterator<Item = &'v Value>,
    read: impl Fn(&Value) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let (mut values, mut there) = (vec![], vec![]);
    for field in fields {
        let value = read(field);
        there.push(i16::from(value.is_some()));
        values.extend(value);
    }
    column
        .typed::<T>()
        .write_batch(&values, Some(&there), None)?;
    column.close()
}
