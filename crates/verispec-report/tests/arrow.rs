//! Arrow tables hold what the CSV tables hold.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use common::{context, results, table};
use serde_json::json;
use verispec_report::arrow::{self, Table};
use verispec_report::{RankBy, RankTable, csv};

/// The cells of a table as texts; null is an empty text.
fn cells(table: &Table) -> Vec<Vec<String>> {
    let text = |array: &ArrayRef, i: usize| match array.data_type() {
        _ if array.is_null(i) => String::new(),
        DataType::Utf8 => array.as_string::<i32>().value(i).to_owned(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(i).to_string(),
        DataType::Float64 => format!("{}", array.as_primitive::<Float64Type>().value(i)),
        DataType::Boolean => array.as_boolean().value(i).to_string(),
        other => panic!("{other}"),
    };
    let batches = table.batches.iter();
    batches
        .flat_map(|b| {
            (0..b.num_rows()).map(move |i| b.columns().iter().map(|c| text(c, i)).collect())
        })
        .collect()
}

fn assert_alike(table: &Table, csv: &str) {
    let mut reader = ::csv::Reader::from_reader(csv.as_bytes());
    let names: Vec<String> = reader.headers().unwrap().iter().map(Into::into).collect();
    let fields: Vec<&String> = table.schema.fields().iter().map(|f| f.name()).collect();
    assert_eq!(fields, names.iter().collect::<Vec<_>>());
    let rows = cells(table);
    let records: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), records.len());
    assert!(!rows.is_empty());
    let number = |t: &str| t.parse::<f64>().ok();
    for (row, record) in rows.iter().zip(&records) {
        for ((name, a), b) in names.iter().zip(row).zip(record) {
            // CSV writes 50.0 and 50 alike.
            let same = a == b || number(a).is_some_and(|a| Some(a) == number(b));
            assert!(same, "{name}: {a:?} {b:?}");
        }
    }
}

#[test]
fn tables_hold_what_csv_holds() {
    let (results, table, context) = (results(), table(), context());
    let scores = arrow::scores(&table, &context).unwrap();
    assert_alike(&scores, &csv::scores(&table, &context).unwrap());
    let verdicts = arrow::verdicts(&results, &context).unwrap();
    assert_alike(&verdicts, &csv::verdicts(&results, &context).unwrap());
    let by = RankBy::Track(table.all_tracks[0].clone());
    let ranks = [RankTable::build(&table, &by, &[]).unwrap()];
    assert_alike(&arrow::ranks(&ranks).unwrap(), &csv::ranks(&ranks).unwrap());
}

#[test]
fn instances_add_up_to_their_dimensions() {
    let (table, context) = (table(), context());
    let rows = arrow::instances(&table, &context).unwrap().rows();
    let tracks = table.models.iter().flat_map(|m| &m.tracks);
    let all: usize = tracks
        .flat_map(|t| &t.dimensions)
        .map(|d| d.instances.len())
        .sum();
    assert_eq!(rows, all);
}

#[test]
fn lists_of_a_document_become_tables() {
    let document = json!({
        "kind": "x",
        "numbers": [1, 2],
        "rows": [
            {"a": 1, "b": {"value": 0.5}, "c": "", "d": [1], "e": null, "n": 1},
            {"a": 2.5, "b": null, "c": "t", "d": "text", "e": null, "n": 18_446_744_073_709_551_615_u64, "f": true},
        ],
        "deep": [{"rows": [{"x": -1}]}],
    });
    let tables = arrow::tables(&document).unwrap();
    let names: Vec<&str> = tables.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["rows", "deep", "deep.0.rows"]);
    let fields = tables[0].1.schema.fields().iter();
    let fields: Vec<String> = fields
        .map(|f| format!("{} {}", f.name(), f.data_type()))
        .collect();
    let expected = [
        "a Float64",
        "b.value Float64",
        "c Utf8",
        "d Utf8",
        "e Utf8",
        "n Utf8",
        "f Boolean",
    ];
    assert_eq!(fields, expected);
    assert_eq!(
        cells(&tables[0].1),
        [
            ["1", "0.5", "", "[1]", "", "1", ""],
            ["2.5", "", "t", "text", "", "18446744073709551615", "true"],
        ]
    );
}
