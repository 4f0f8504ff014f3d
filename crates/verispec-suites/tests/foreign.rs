//! Result files of other tools: counts against the files' own totals, and what is not taken.

use std::path::{Path, PathBuf};

use verispec_model::score::{Policy, uniform};
use verispec_model::{Measure, Results};
use verispec_suites::foreign::{Choices, Foreign, Format, import};
use verispec_suites::specv::import::{ResultOptions, to_results};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/foreign")
        .join(name)
}

fn read(format: Format, name: &str, choices: Choices<'_>) -> Foreign {
    import(format, &[data(name)], choices).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The text of the error that a file of this content gives.
fn refused(format: Format, name: &str, content: &str, choices: Choices<'_>) -> String {
    let dir = tempfile::tempdir().expect("folder");
    let folder = dir.path().join("m");
    std::fs::create_dir(&folder).expect("folder");
    let path = folder.join(name);
    std::fs::write(&path, content).expect("file");
    let error = import(format, &[path], choices).expect_err("refused");
    error.to_string()
}

fn results(foreign: &Foreign) -> Results {
    to_results(&foreign.imported, None, ResultOptions::default()).expect("results")
}

/// Score of a model in a track, percent.
fn score(foreign: &Foreign, model: &str, track: &str) -> f64 {
    let table = uniform(&results(foreign), Policy::default());
    let model = table
        .models
        .iter()
        .find(|m| m.model == model)
        .expect("model");
    let track = model.track(track).expect("track");
    track.score.as_ref().expect("score").value
}

/// All totals that the file states agree, and there are so many.
fn agrees(foreign: &Foreign, totals: usize) {
    assert_eq!(foreign.totals.len(), totals, "{:?}", foreign.totals);
    assert!(
        foreign.totals.iter().all(|t| t.agrees()),
        "{:?}",
        foreign.totals
    );
}

const LMMS: &str = "lmms/example__tiny-vlm/20260102_030405_samples_kites.jsonl";
const NOTES: &str = "lmms/example__tiny-vlm/20260102_030405_samples_notes.jsonl";
const VLM: &str = "vlmevalkit/TinyVLM/T20260102/TinyVLM_KiteMCQ_exact_matching_result.tsv";

#[test]
fn lmms_eval_samples_are_verdicts_and_a_row_without_a_value_is_unjudged() {
    let found = read(Format::LmmsEval, LMMS, Choices::default());
    agrees(&found, 2);
    assert_eq!((found.valued, found.unvalued.len()), (4, 1));
    assert!(found.unvalued[0].place.ends_with("kites.jsonl:5"));
    assert_eq!(score(&found, "example__tiny-vlm", "kites"), 75.0);
    assert_eq!(results(&found).measure, Measure::Specifications);
}

#[test]
fn several_metrics_have_to_be_chosen_from_and_a_scale_makes_grades() {
    let error = import(Format::LmmsEval, &[data(NOTES)], Choices::default()).expect_err("two");
    let error = error.to_string();
    assert!(
        error.contains("several metrics (anls, judge_score)"),
        "{error}"
    );
    let anls = Choices {
        metric: Some("anls"),
        ..Choices::default()
    };
    let found = read(Format::LmmsEval, NOTES, anls);
    assert_eq!(results(&found).measure, Measure::Holistic);
    assert_eq!(score(&found, "example__tiny-vlm", "notes"), 50.0);
    let judge = Choices {
        metric: Some("judge_score"),
        ..Choices::default()
    };
    let error = import(Format::LmmsEval, &[data(NOTES)], judge).expect_err("scale");
    assert!(
        error.to_string().contains("7 is outside the scale 0 to 1"),
        "{error}"
    );
    let scaled = Choices {
        range: Some((0.0, 10.0)),
        ..judge
    };
    let found = read(Format::LmmsEval, NOTES, scaled);
    assert!((score(&found, "example__tiny-vlm", "notes") - 200.0 / 3.0).abs() < 1e-9);
}

#[test]
fn vlmevalkit_tables_are_read_with_quoted_line_breaks_and_categories() {
    let found = read(Format::VlmEvalKit, VLM, Choices::default());
    agrees(&found, 1);
    assert_eq!(found.valued, 4);
    assert_eq!(found.imported.entries[0].model, "TinyVLM");
    assert_eq!(score(&found, "TinyVLM", "KiteMCQ_exact_matching"), 50.0);
    let dimensions = &results(&found).models[0].tracks[0].dimensions;
    let names: Vec<&str> = dimensions.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["colour", "count"]);
}

/// As pandas writes it with xlsxwriter, which VLMEvalKit does unless told otherwise.
const WORKBOOK: &str = "vlmevalkit/TinyVLM/T20260103/TinyVLM_KiteMCQ_exact_matching_result.xlsx";

#[test]
fn a_workbook_of_vlmevalkit_is_the_same_as_its_table() {
    let table = read(Format::VlmEvalKit, VLM, Choices::default());
    let book = read(Format::VlmEvalKit, WORKBOOK, Choices::default());
    agrees(&book, 1);
    assert_eq!((book.valued, book.unvalued.len()), (4, 0));
    assert_eq!(book.imported.entries, table.imported.entries);
    assert_eq!(score(&book, "TinyVLM", "KiteMCQ_exact_matching"), 50.0);
}

/// A cell of a workbook.
enum Cell {
    Text(&'static str),
    Number(f64),
    Truth(bool),
    Error,
    Empty,
}

/// A sheet as the format has it, from its name and rows, each with its number.
type SheetOf = (&'static str, Vec<(usize, Vec<Cell>)>);

/// A workbook written by hand: the parts that the format asks for.
fn workbook(path: &Path, sheets: &[SheetOf]) {
    use std::io::Write as _;
    let file = std::fs::File::create(path).expect("file");
    let mut zip = zip::ZipWriter::new(file);
    let mut part = |name: &str, text: &str| {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(name, options).expect("part");
        zip.write_all(text.as_bytes()).expect("part");
    };
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let rels = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006";
    let numbered = || sheets.iter().zip(1..);
    part(
        "[Content_Types].xml",
        &format!("<Types xmlns=\"{package}/content-types\"/>"),
    );
    part(
        "_rels/.rels",
        &format!(
            "<Relationships xmlns=\"{package}/relationships\"><Relationship Id=\"r1\" \
             Type=\"{rels}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
        ),
    );
    let list: String = numbered()
        .map(|((name, _), n)| format!("<sheet name=\"{name}\" sheetId=\"{n}\" r:id=\"r{n}\"/>"))
        .collect();
    part(
        "xl/workbook.xml",
        &format!(
            "<workbook xmlns=\"{main}\" xmlns:r=\"{rels}\"><sheets>{list}</sheets></workbook>"
        ),
    );
    let list: String = numbered()
        .map(|(_, n)| {
            format!(
                "<Relationship Id=\"r{n}\" Type=\"{rels}/worksheet\" \
                 Target=\"worksheets/sheet{n}.xml\"/>"
            )
        })
        .collect();
    part(
        "xl/_rels/workbook.xml.rels",
        &format!("<Relationships xmlns=\"{package}/relationships\">{list}</Relationships>"),
    );
    for ((_, rows), n) in numbered() {
        let rows: String = rows
            .iter()
            .map(|(number, cells)| row(*number, cells))
            .collect();
        let text = format!("<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>");
        part(&format!("xl/worksheets/sheet{n}.xml"), &text);
    }
    zip.finish().expect("zip");
}

fn row(number: usize, cells: &[Cell]) -> String {
    let cells = cells.iter().zip('A'..).map(|(cell, column)| {
        let at = format!("r=\"{column}{number}\"");
        match cell {
            Cell::Text(text) => format!("<c {at} t=\"inlineStr\"><is><t>{text}</t></is></c>"),
            Cell::Number(value) => format!("<c {at}><v>{value}</v></c>"),
            Cell::Truth(value) => format!("<c {at} t=\"b\"><v>{}</v></c>", u8::from(*value)),
            Cell::Error => format!("<c {at} t=\"e\"><v>#N/A</v></c>"),
            Cell::Empty => String::new(),
        }
    });
    format!("<row r=\"{number}\">{}</row>", cells.collect::<String>())
}

/// What a workbook of these sheets gives.
fn of_workbook(sheets: &[SheetOf]) -> Result<Foreign, String> {
    let dir = tempfile::tempdir().expect("folder");
    std::fs::create_dir(dir.path().join("m")).expect("folder");
    let path = dir.path().join("m/m_Task.xlsx");
    workbook(&path, sheets);
    import(Format::VlmEvalKit, &[path], Choices::default()).map_err(|e| e.to_string())
}

fn header() -> (usize, Vec<Cell>) {
    (
        1,
        vec![
            Cell::Text("index"),
            Cell::Text("prediction"),
            Cell::Text("hit"),
        ],
    )
}

fn answer(number: usize, index: f64, hit: Cell) -> (usize, Vec<Cell>) {
    (number, vec![Cell::Number(index), Cell::Text("A"), hit])
}

#[test]
fn cells_of_a_workbook_are_values_or_none_and_its_rows_have_its_numbers() {
    let rows = vec![
        header(),
        answer(2, 0.0, Cell::Number(1.0)),
        answer(3, 1.0, Cell::Truth(false)),
        answer(5, 2.0, Cell::Empty),
        answer(6, 3.0, Cell::Error),
        answer(7, 4.0, Cell::Text("yes")),
    ];
    let notes = vec![(1, vec![Cell::Text("made by hand")])];
    let found = of_workbook(&[("Notes", notes), ("Sheet1", rows)]).expect("read");
    assert_eq!((found.valued, found.unvalued.len()), (2, 3));
    let places: Vec<&str> = found
        .unvalued
        .iter()
        .filter_map(|u| u.place.rsplit(':').next())
        .collect();
    assert_eq!(places, ["5", "6", "7"]);
    assert_eq!(score(&found, "m", "Task"), 50.0);
}

#[test]
fn workbooks_that_leave_open_what_is_meant_are_refused() {
    let refused = |sheets: &[SheetOf]| of_workbook(sheets).expect_err("refused");
    let table = || vec![header(), answer(2, 0.0, Cell::Number(1.0))];
    let said = refused(&[("One", table()), ("Two", table())]);
    assert!(
        said.contains("several sheets have a column index (One, Two)"),
        "{said}"
    );
    let other = || vec![(1, vec![Cell::Text("question")])];
    let said = refused(&[("One", other()), ("Two", other())]);
    assert!(
        said.contains("no sheet (One, Two) has a column index"),
        "{said}"
    );
    let said = refused(&[("One", other())]);
    assert!(
        said.contains("m_Task.xlsx:1: field `index`: no such column; found question"),
        "{said}"
    );
    let unjudged = vec![(1, vec![Cell::Text("index"), Cell::Text("prediction")])];
    let said = refused(&[("One", unjudged)]);
    assert!(
        said.contains("field `hit`: no column hit or score"),
        "{said}"
    );
    let far = vec![header(), answer(4, 0.0, Cell::Number(7.0))];
    let said = refused(&[("One", far)]);
    assert!(
        said.contains("m_Task.xlsx:4: field `hit`: 7 is outside the scale"),
        "{said}"
    );
    let mut twice = table();
    twice.push(answer(9, 0.0, Cell::Number(0.0)));
    let said = refused(&[("One", twice)]);
    assert!(
        said.contains("m_Task.xlsx:9: ") && said.contains("on line 2"),
        "{said}"
    );
    let mut beside = table();
    beside[1].1.push(Cell::Text("note"));
    let said = refused(&[("One", beside)]);
    assert!(
        said.contains("m_Task.xlsx:2: 4 fields, the header has 3"),
        "{said}"
    );
    let said = refused(&[("One", vec![])]);
    assert!(said.contains("no sheet (One) has a column index"), "{said}");
    let name = "m_Task.xlsx";
    let said = crate::refused(Format::VlmEvalKit, name, "index\thit\n", Choices::default());
    assert!(said.contains("not a workbook that can be read"), "{said}");
}

#[test]
fn ueval_keeps_texts_and_images_apart_and_not_sure_is_no_answer() {
    let found = read(Format::UEval, "ueval-tiny-umm.json", Choices::default());
    // met and total of two lists of three items, and two averages.
    agrees(&found, 14);
    assert_eq!((found.valued, found.unvalued.len()), (10, 1));
    assert!(found.unvalued[0].why.contains("abstained"));
    assert!(
        (score(&found, "ueval-tiny-umm", "text") - 100.0 * (2.0 / 3.0 + 1.0) / 2.0).abs() < 1e-9
    );
    // The script counts "not sure" as unmet: 1/2, 2/4, 1/1. Here it is 1/1, 2/4, 1/1.
    assert!((score(&found, "ueval-tiny-umm", "image") - 250.0 / 3.0).abs() < 1e-9);
}

#[test]
fn wise_scores_are_its_wiscore_and_999_is_none() {
    let name = "cultural_common_sense_TinyUMM_scores.jsonl";
    let found = read(Format::Wise, name, Choices::default());
    assert_eq!((found.valued, found.unvalued.len()), (3, 1));
    // Festival: (0.7*2 + 0.2 + 0.1)/2 = 0.85 and (0.4 + 0.2)/2 = 0.3; Craft: 1.
    let expected = 100.0 * ((0.85 + 0.3) / 2.0 + 1.0) / 2.0;
    assert!((score(&found, "TinyUMM", "culture") - expected).abs() < 1e-9);
}

#[test]
fn oneig_has_a_model_a_column_and_an_empty_cell_is_unjudged() {
    let name = "alignment_prompt_score_EN_2026-01-02_03-04-05.csv";
    let found = read(Format::OneIg, name, Choices::default());
    agrees(&found, 2);
    assert_eq!((found.valued, found.unvalued.len()), (5, 1));
    // anime: mean of 0.75 and 0.5; object: 1.
    assert!((score(&found, "alpha", "alignment") - 81.25).abs() < 1e-9);
    assert!((score(&found, "beta", "alignment") - 62.5).abs() < 1e-9);
}

#[test]
fn tifa_scores_are_its_own_averages() {
    let found = read(Format::Tifa, "tifa-tiny-t2i.json", Choices::default());
    agrees(&found, 3);
    assert_eq!(score(&found, "tifa-tiny-t2i", "tifa"), 75.0);
    let specs = found.imported.entries[0].items.as_deref().expect("items");
    assert!(specs.contains("how many kites are there? (2)"), "{specs}");
}

#[test]
fn inspect_logs_average_epochs_and_keep_errors_unjudged() {
    let found = read(Format::InspectAi, "inspect-kites.json", Choices::default());
    agrees(&found, 2);
    assert_eq!((found.valued, found.unvalued.len()), (5, 1));
    assert!(found.unvalued[0].why.contains("server went away"));
    // a: 1 of 2, 2: 2 of 2, c: 0 of 1.
    assert_eq!(score(&found, "mockllm/tiny", "kites"), 50.0);
}

#[test]
fn totals_that_differ_are_told() {
    let text = std::fs::read_to_string(data("tifa-tiny-t2i.json")).expect("file");
    let dir = tempfile::tempdir().expect("folder");
    let path = dir.path().join("m.json");
    std::fs::write(
        &path,
        text.replace("\"tifa_average\": 0.75", "\"tifa_average\": 0.8"),
    )
    .unwrap();
    let found = import(Format::Tifa, &[path], Choices::default()).expect("read");
    let differ: Vec<_> = found.totals.iter().filter(|t| !t.agrees()).collect();
    assert_eq!(differ.len(), 1);
    assert_eq!((differ[0].stated, differ[0].found), (0.8, 0.75));
}

#[test]
fn wrong_and_mixed_files_are_refused_with_file_line_and_field() {
    let none = Choices::default();
    for (format, name, content, wanted) in [
        (
            Format::LmmsEval,
            "x_samples_t.jsonl",
            "",
            "the file is empty",
        ),
        (
            Format::LmmsEval,
            "x_samples_t.jsonl",
            "{\"question\": \"x\"}\n",
            "no row has a metric",
        ),
        (
            Format::LmmsEval,
            "x_samples_t.jsonl",
            "{\"doc_id\": 1, \"acc\": 1}\n{\"acc\": 0}\n",
            "x_samples_t.jsonl:2: field `doc_id`: missing",
        ),
        (
            Format::LmmsEval,
            "x_samples_t.jsonl",
            "{\"doc_id\": 1, \"acc\": 1}\n{\"doc_id\": 1, \"acc\": 0}\n",
            ":2: field `acc`: a second value for \"1\", which has one on line 1",
        ),
        (
            Format::LmmsEval,
            "other.jsonl",
            "{\"doc_id\": 1, \"acc\": 1}\n",
            "name the task with --task",
        ),
        (
            Format::LmmsEval,
            "x_samples_t.jsonl",
            "{\"doc_id\": 1,\n",
            "not valid JSON",
        ),
        (
            Format::VlmEvalKit,
            "m_t.xlsx",
            "PK",
            "not a workbook that can be read",
        ),
        (
            Format::VlmEvalKit,
            "m_t.tsv",
            "id\thit\n1\t1\n",
            "field `index`: no such column",
        ),
        (
            Format::VlmEvalKit,
            "m_t.tsv",
            "index\tprediction\n1\tA\n",
            "nothing is judged yet",
        ),
        (
            Format::VlmEvalKit,
            "m_t.tsv",
            "index\thit\n1\t1\n2\n",
            ":3: 1 fields, the header has 2",
        ),
        (
            Format::VlmEvalKit,
            "z_t.tsv",
            "index\thit\n1\t1\n",
            "--model",
        ),
        (Format::UEval, "r.json", "[]", "expected an object"),
        (
            Format::UEval,
            "r.json",
            "{\"items\": [{}]}",
            "field `items[0].id`",
        ),
        (
            Format::UEval,
            "r.json",
            "{\"items\": [{\"id\": 1, \"image_results\": [], \"text_results\": [{}]}]}",
            "items[0].text_results[0].criteria_met`: missing",
        ),
        (
            Format::Wise,
            "m_scores.jsonl",
            "{\"prompt_id\": 1, \"consistency\": 2, \"realism\": 3, \"aesthetic_quality\": 1}\n",
            ":1: field `realism`: expected a number from 0 to 2",
        ),
        (
            Format::OneIg,
            "a.csv",
            ",alignment\nalpha,0.7\n",
            "alignment_prompt_score_*.csv",
        ),
        (
            Format::OneIg,
            "a.csv",
            ",alpha\nanime_1,x\n",
            ":2: field `alpha`: expected a number",
        ),
        (
            Format::Tifa,
            "r.json",
            "{\"question_details\": {\"c\": {\"q\": {\"scores\": 1, \"answer\": \"a\", \
             \"multiple_choice_vqa\": \"b\"}}}}",
            "but the answer is \"a\" and \"b\" was chosen",
        ),
        (
            Format::InspectAi,
            "l.json",
            "PK\u{3}\u{4}",
            "inspect log convert",
        ),
        (
            Format::InspectAi,
            "l.json",
            "{\"eval\": {}}",
            "field `samples`",
        ),
        (
            Format::InspectAi,
            "l.json",
            "{\"eval\": {\"model\": \"m\", \"task\": \"t\"}, \"samples\": [{\"id\": 1, \
             \"scores\": {\"s\": {\"value\": \"X\"}}}]}",
            "expected C, P, I, N, a number or a truth value",
        ),
    ] {
        let error = refused(format, name, content, none);
        assert!(error.contains(wanted), "{format:?} {name}: {error}");
        assert!(error.contains(name), "{format:?}: {error}");
    }
}

#[test]
fn archives_are_refused_with_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    for (format, name, wanted) in [
        (
            Format::InspectAi,
            "log.eval",
            "inspect log convert --to json",
        ),
        (Format::VlmEvalKit, "table.xlsx", "not a workbook"),
    ] {
        let path = dir.path().join(name);
        // No zip is UTF-8 for long.
        std::fs::write(&path, b"PK\x03\x04\x14\x00\xff\xfe\x80").unwrap();
        let error = import(format, &[path], Choices::default()).expect_err("refused");
        let error = error.to_string();
        assert!(error.contains(wanted) && error.contains(name), "{error}");
    }
}

#[test]
fn two_files_of_one_model_and_task_are_refused_and_two_tasks_are_not() {
    let twice = [data(LMMS), data(LMMS)];
    let error = import(Format::LmmsEval, &twice, Choices::default()).expect_err("twice");
    assert!(error.to_string().contains("leave one out"), "{error}");
    let anls = Choices {
        metric: Some("anls"),
        ..Choices::default()
    };
    // Only one of the two has this metric: the other is named.
    let both = [data(LMMS), data(NOTES)];
    let error = import(Format::LmmsEval, &both, anls).expect_err("no metric");
    assert!(
        error.to_string().contains("no row has this metric"),
        "{error}"
    );
}
