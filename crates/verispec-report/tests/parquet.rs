//! Parquet files hold what the CSV tables hold.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use common::{context, results, table};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use verispec_report::csv;
use verispec_report::parquet::{ParquetInput, write_parquet};

type Rows = Vec<BTreeMap<String, String>>;

/// Column names in order, and the rows as texts; null is an empty text.
fn read(path: &Path) -> (Vec<String>, Rows) {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema();
    let names = schema.get_fields().iter().map(|f| f.name().to_owned());
    let names: Vec<String> = names.collect();
    let row = |row: parquet::record::Row| {
        let field = |(name, value): (&String, &Field)| {
            let text = match value {
                Field::Null => String::new(),
                Field::Str(text) => text.clone(),
                Field::Double(v) => format!("{v:?}"),
                Field::Long(v) => v.to_string(),
                Field::Bool(v) => v.to_string(),
                other => panic!("{name}: {other:?}"),
            };
            (name.clone(), text)
        };
        row.get_column_iter().map(field).collect()
    };
    let rows = reader.get_row_iter(None).unwrap();
    (names, rows.map(|r| row(r.unwrap())).collect())
}

fn read_csv(text: &str) -> (Vec<String>, Rows) {
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let names: Vec<String> = reader.headers().unwrap().iter().map(Into::into).collect();
    let rows = reader.records().map(|record| {
        let record = record.unwrap();
        names
            .iter()
            .cloned()
            .zip(record.iter().map(Into::into))
            .collect()
    });
    let rows = rows.collect();
    (names, rows)
}

/// CSV writes 50.0 and 50 alike.
fn same(a: &str, b: &str) -> bool {
    let number = |t: &str| t.parse::<f64>().ok();
    a == b || number(a).is_some_and(|a| Some(a) == number(b))
}

fn assert_alike(parquet: &(Vec<String>, Rows), csv: &(Vec<String>, Rows)) {
    assert_eq!(parquet.0, csv.0);
    assert_eq!(parquet.1.len(), csv.1.len());
    for (p, c) in parquet.1.iter().zip(&csv.1) {
        for (name, value) in c {
            assert!(same(&p[name], value), "{name}: {:?} {value:?}", p[name]);
        }
    }
}

#[test]
fn files_hold_what_csv_holds() {
    let dir = tempfile::tempdir().unwrap();
    let (results, table, context) = (results(), table(), context());
    let input = ParquetInput {
        results: &results,
        scores: &table,
        context: &context,
    };
    let files = write_parquet(&[input], dir.path()).unwrap();
    let names = files
        .iter()
        .map(|f| f.file_name().unwrap().to_str().unwrap());
    let names: Vec<&str> = names.collect();
    assert_eq!(
        names,
        ["scores.parquet", "instances.parquet", "verdicts.parquet"]
    );
    let left = std::fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(left, 3, "a draft is left behind");
    let scores = csv::scores(&table, &context).unwrap();
    assert_alike(&read(&files[0]), &read_csv(&scores));
    let verdicts = csv::verdicts(&results, &context).unwrap();
    assert_alike(&read(&files[2]), &read_csv(&verdicts));

    let (names, rows) = read(&files[1]);
    assert_eq!(
        names[..5],
        ["model", "track", "dimension", "instance", "score"]
    );
    let dimensions = table
        .models
        .iter()
        .flat_map(|m| &m.tracks)
        .flat_map(|t| &t.dimensions);
    let instances: Vec<Option<f64>> = dimensions
        .flat_map(|d| d.instances.iter().map(|(_, score)| *score))
        .collect();
    assert_eq!(rows.len(), instances.len());
    for (row, score) in rows.iter().zip(instances) {
        assert_eq!(
            row["score"].parse().ok(),
            score,
            "undefined is null, never 0"
        );
    }
}

#[test]
fn several_judges_stand_in_one_file() {
    let dir = tempfile::tempdir().unwrap();
    let (results, table, first) = (results(), table(), context());
    let mut second = context();
    second.judge = Some("other/judge".into());
    let input = |context| ParquetInput {
        results: &results,
        scores: &table,
        context,
    };
    let files = write_parquet(&[input(&first), input(&second)], dir.path()).unwrap();
    for file in files {
        let (_, rows) = read(&file);
        let of_second = rows.iter().filter(|r| r["judge"] == "other/judge");
        assert_eq!(2 * of_second.count(), rows.len());
    }
}
