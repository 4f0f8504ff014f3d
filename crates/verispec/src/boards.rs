//! Published rows beside our own.

use verispec_model::score::ScoreTable;
use verispec_report::{Context, ExternalRow, RankBy, RankTable, Style, render_rank};
use verispec_suites::specv::boards::{
    BoardRow, BoardTable, Finding, audit, group, main_board, tables_source, track_table,
};

/// Says that published rows are not of our making.
pub(crate) fn tell_origin() {
    crate::output::note(
        "published rows were made by another judge and protocol (the paper's): differences to your \
         own rows are not differences between models alone",
    );
}

/// Published rows for a ranking, one value per column of our own table.
pub(crate) fn rows(table: &ScoreTable, by: &RankBy) -> Vec<ExternalRow> {
    let (board, columns) = match by {
        RankBy::Average => (main_board(), table.all_tracks.clone()),
        RankBy::Track(track) => (track_table(track), dimensions(table, track)),
    };
    let Some(board) = board else { return vec![] };
    let findings = audit();
    board
        .rows
        .iter()
        .map(|row| external(board, row, &columns, &findings))
        .collect()
}

fn external(
    board: &BoardTable,
    row: &BoardRow,
    columns: &[String],
    findings: &[Finding],
) -> ExternalRow {
    ExternalRow {
        name: row.model.clone(),
        group: group(&row.model).unwrap_or_default().to_owned(),
        values: columns.iter().map(|c| board.cell(row, c)).collect(),
        score: row.average(),
        note: findings.iter().find_map(|f| note(f, board, row)),
    }
}

/// Averages that their own columns do not give; all other findings concern single cells.
fn note(finding: &Finding, board: &BoardTable, row: &BoardRow) -> Option<String> {
    match finding {
        Finding::Average {
            table,
            model,
            stated,
            mean,
        } if *table == board.name && *model == row.model => {
            Some(format!("states {stated:.2}; its columns give {mean:.2}"))
        }
        _ => None,
    }
}

/// Dimensions of a track in the order of our own columns.
fn dimensions(table: &ScoreTable, track: &str) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    for score in table.models.iter().filter_map(|m| m.track(track)) {
        for dimension in &score.dimensions {
            if !names.contains(&dimension.name) {
                names.push(dimension.name.clone());
            }
        }
    }
    names
}

/// Our models among the published rows: of one track, or of the main board and every track that
/// a model of ours entered.
pub(crate) fn render(
    table: &ScoreTable,
    track: Option<&str>,
    context: &Context,
    style: Style,
) -> anyhow::Result<String> {
    let entered = |t: &&String| table.models.iter().any(|m| m.track(t).is_some());
    let rankings = match track {
        Some(track) => vec![RankBy::Track(track.to_owned())],
        None => {
            let tracks = table
                .all_tracks
                .iter()
                .filter(entered)
                .cloned()
                .map(RankBy::Track);
            std::iter::once(RankBy::Average).chain(tracks).collect()
        }
    };
    let mut out = String::new();
    for by in &rankings {
        let rank = RankTable::build(table, by, &rows(table, by))?;
        out += &render_rank(&rank, context, style);
        out.push('\n');
    }
    out += &format!("published rows: {}\n", tables_source());
    Ok(out)
}
