//! The one look of all terminal tables: a thin rule below the header, no borders, text left and
//! numbers right.
//!
//! A table that is wider than the terminal gives way step by step: texts wrap, then headers, then
//! labels; what still does not fit becomes one block a row. Tables never break a number.

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, ContentLineStyle,
    LineStyle, Table, TableStyle, Width,
};

use crate::style::{Style, Tone};

const LOOK: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none())
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .content_lines(ContentLineStyle::none());

/// Narrowest a wrapping column gets.
const MIN_TEXT: u16 = 12;

/// A column's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Aligned left, wraps when space is short.
    Text,
    /// Aligned left, wraps only where the table would not fit otherwise.
    Label,
    /// Aligned right, never wraps.
    Number,
}

/// A cell: text and tone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Field {
    text: String,
    tone: Tone,
}

impl Field {
    /// A text in a tone.
    pub(crate) fn new(text: impl Into<String>, tone: Tone) -> Self {
        Self {
            text: text.into(),
            tone,
        }
    }
}

impl From<String> for Field {
    fn from(text: String) -> Self {
        Self::new(text, Tone::Plain)
    }
}

impl From<&str> for Field {
    fn from(text: &str) -> Self {
        Self::new(text, Tone::Plain)
    }
}

/// A table in the making.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    columns: Vec<(String, Kind)>,
    rows: Vec<Vec<Field>>,
    header: bool,
}

impl Grid {
    /// A table with a header.
    pub(crate) fn new() -> Self {
        Self {
            header: true,
            ..Self::default()
        }
    }

    /// A table without a header.
    pub(crate) fn bare() -> Self {
        Self::default()
    }

    /// Adds a column.
    pub(crate) fn column(&mut self, title: impl Into<String>, kind: Kind) -> &mut Self {
        self.columns.push((title.into(), kind));
        self
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, fields: impl IntoIterator<Item = Field>) -> &mut Self {
        self.rows.push(fields.into_iter().collect());
        self
    }

    /// Whether the table fits the terminal with no label broken.
    pub(crate) fn fits(&self, style: Style) -> bool {
        let width = style.width.map(usize::from);
        width.is_none_or(|width| self.least(Give::Headers) <= width)
    }

    /// The table as text, each line ended.
    pub(crate) fn render(&self, style: Style) -> String {
        let Some(width) = style.width else {
            return finished(&self.build(style));
        };
        let steps = [Give::Texts, Give::Headers, Give::Labels];
        let fits = |give: &Give| self.least(*give) <= usize::from(width);
        let give = steps.into_iter().find(fits);
        if give.is_none() && self.header && self.columns.len() > 1 {
            return self.blocks(style);
        }
        let mut table = self.build(style);
        self.arrange(&mut table, width, give.unwrap_or(Give::Labels));
        finished(&table)
    }

    /// One block a row, for a terminal that is too narrow for any table: the first label (with
    /// what stands before it) as a title, below it every other field behind its name. Empty fields
    /// are left out.
    fn blocks(&self, style: Style) -> String {
        let label = self
            .columns
            .iter()
            .position(|(_, kind)| *kind == Kind::Label);
        let titles = label.map_or(1, |i| i + 1);
        let mut out = String::new();
        for row in &self.rows {
            let (first, rest) = row.split_at(titles.min(row.len()));
            let title: Vec<&str> = first.iter().map(|f| f.text.as_str()).collect();
            let title = title.join(" ");
            if !title.trim().is_empty() {
                let tone = first.last().map(|f| f.tone).filter(|t| *t != Tone::Plain);
                out += &style.paint(title.trim(), tone.unwrap_or(Tone::Strong));
                out.push('\n');
            }
            let mut grid = Self::bare();
            grid.column("", Kind::Label).column("", Kind::Text);
            for ((name, _), field) in self.columns[titles.min(row.len())..].iter().zip(rest) {
                if !field.text.is_empty() {
                    let name = Field::new(format!("  {}", name.replace('\n', " ")), Tone::Faint);
                    grid.row([name, field.clone()]);
                }
            }
            if !grid.rows.is_empty() {
                out += &grid.render(style);
            }
        }
        out
    }

    fn build(&self, style: Style) -> Table {
        let mut table = self.framed(style, |title| title.to_owned());
        for (i, column) in table.column_iter_mut().enumerate() {
            let last = i + 1 == self.columns.len();
            column.set_padding((0, u16::from(!last)));
        }
        table
    }

    fn framed(&self, style: Style, header: impl Fn(&str) -> String) -> Table {
        let mut table = Table::new();
        table.load_style(LOOK).force_no_tty();
        if style.color {
            table.enforce_styling();
            table.style_text_only();
        }
        if self.header {
            table.set_header(
                self.columns
                    .iter()
                    .map(|(title, kind)| cell(&Field::new(header(title), Tone::Strong), *kind)),
            );
        }
        for row in &self.rows {
            table.add_row(
                row.iter()
                    .zip(&self.columns)
                    .map(|(field, (_, kind))| cell(field, *kind)),
            );
        }
        table
    }

    fn arrange(&self, table: &mut Table, width: u16, give: Give) {
        table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width);
        let least = self.narrowest(give);
        let last = self.columns.len().saturating_sub(1);
        for (i, column) in table.column_iter_mut().enumerate() {
            let wraps = self.columns[i].1 == Kind::Text || give >= Give::Headers;
            column.set_constraint(if wraps {
                ColumnConstraint::LowerBoundary(Width::Fixed(least[i] + u16::from(i != last)))
            } else {
                ColumnConstraint::ContentWidth
            });
        }
    }

    /// Columns of the terminal that the table takes when all that may gives way.
    fn least(&self, give: Give) -> usize {
        let columns: usize = self.narrowest(give).into_iter().map(usize::from).sum();
        columns + self.columns.len().saturating_sub(1) * 2
    }

    /// The narrowest that each column may get.
    fn narrowest(&self, give: Give) -> Vec<u16> {
        let whole = self.framed(Style::plain(), |title| title.to_owned());
        let words = self.framed(Style::plain(), |title| title.replace(' ', "\n"));
        let whole = whole.column_max_content_widths();
        let words = words.column_max_content_widths();
        let kinds = self.columns.iter().map(|(_, kind)| *kind);
        kinds
            .zip(whole.into_iter().zip(words))
            .map(|(kind, (whole, words))| match (kind, give) {
                (Kind::Text, _) | (Kind::Label, Give::Labels) => whole.min(MIN_TEXT),
                (_, Give::Texts) => whole,
                (Kind::Label | Kind::Number, _) => words,
            })
            .collect()
    }
}

/// What wraps where a table does not fit as it is; each step includes those before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Give {
    Texts,
    Headers,
    Labels,
}

fn finished(table: &Table) -> String {
    let mut out = table.trim_fmt();
    out.push('\n');
    out
}

fn cell(field: &Field, kind: Kind) -> Cell {
    let cell = Cell::new(&field.text).set_alignment(match kind {
        Kind::Text | Kind::Label => CellAlignment::Left,
        Kind::Number => CellAlignment::Right,
    });
    match field.tone {
        // Nothing to colour, so no escape codes either.
        _ if field.text.is_empty() => cell,
        Tone::Plain => cell,
        Tone::Strong => cell.add_attribute(Attribute::Bold),
        Tone::Faint => cell.add_attribute(Attribute::Dim),
        Tone::Good => cell.fg(Color::DarkGreen),
        Tone::Bad => cell.fg(Color::DarkRed),
        Tone::Odd => cell.fg(Color::DarkYellow),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Grid {
        let mut grid = Grid::new();
        grid.column("place", Kind::Number)
            .column("model", Kind::Label)
            .column("largest change", Kind::Number)
            .column("tau with people", Kind::Number)
            .column("what was said", Kind::Text);
        grid.row(
            [
                "1–3",
                "a model of some name",
                "-12.34 [-20.01, -3.20]",
                "0.805",
                "",
            ]
            .map(Field::from),
        );
        grid.row(
            [
                "2",
                "beta",
                "+1.00",
                "–",
                "one two three four five six seven",
            ]
            .map(Field::from),
        );
        grid
    }

    fn drawn(width: u16) -> String {
        table().render(Style {
            color: false,
            width: Some(width),
        })
    }

    /// Whatever the width, no line is wider and no number is broken or lost.
    #[test]
    fn every_width_is_readable() {
        for width in 44..=140 {
            let text = drawn(width);
            for line in text.lines() {
                let wide = unicode_width::UnicodeWidthStr::width(line);
                assert!(wide <= usize::from(width), "{width}: {line:?}\n{text}");
            }
            for number in ["1–3", "-12.34 [-20.01, -3.20]", "+1.00", "0.805"] {
                assert!(text.contains(number), "{width}: {number}\n{text}");
            }
            for word in ["beta", "some", "seven"] {
                assert!(text.contains(word), "{width}: {word}\n{text}");
            }
        }
    }

    #[test]
    fn headers_give_way_before_labels_and_blocks_come_last() {
        let whole = drawn(140);
        let first = whole.lines().next().unwrap();
        assert!(
            first.contains("largest change") && first.contains("tau with people"),
            "{whole}"
        );
        let headers = drawn(76);
        let first = headers.lines().next().unwrap();
        assert!(!first.contains("tau with people"), "{headers}");
        assert!(headers.contains("a model of some name"), "{headers}");
        let blocks = drawn(44);
        let expected = "1–3 a model of some name\n  largest change   -12.34 [-20.01, -3.20]\n";
        assert!(blocks.starts_with(expected), "{blocks}");
        assert!(blocks.contains("2 beta\n"), "{blocks}");
        // An empty field has no line.
        assert_eq!(blocks.matches("what was said").count(), 1);
    }
}
