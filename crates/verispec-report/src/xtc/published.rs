//! Published rows, to stand below ours.

use verispec_suites::published::Publication;

/// Rows of a published table in the wanted columns; `None` is a column it does not have.
pub(super) fn rows(
    published: Option<&Publication>,
    table: &str,
    wanted: &[Option<&str>],
) -> Vec<(String, Vec<Option<String>>)> {
    let Some(table) = published.and_then(|p| p.table(table)) else {
        return vec![];
    };
    let row = |model: &String| {
        let values = wanted.iter().map(|column| {
            let column = (*column)?;
            let value = table.value(model, column)?;
            Some(if column.ends_with('%') {
                format!("{value:.1}%")
            } else {
                format!("{value:.3}")
            })
        });
        (model.clone(), values.collect())
    };
    table.rows.iter().map(|r| row(&r.model)).collect()
}
