//! The one look of all terminal tables: a thin rule below the header, no borders, text left and
//! numbers right.

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, ContentLineStyle,
    LineStyle, Table, TableStyle, Width,
};

use crate::style::{Style, Tone};

const LOOK: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none())
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .content_lines(ContentLineStyle::none());

/// Narrowest a wrapping text column gets.
const MIN_TEXT: u16 = 12;

/// A column's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Aligned left, wraps when space is short.
    Text,
    /// Aligned left, never wraps.
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

    /// Columns the table takes when nothing wraps.
    pub(crate) fn natural_width(&self) -> usize {
        let table = self.build(Style::plain());
        let content: u16 = table.column_max_content_widths().iter().sum();
        usize::from(content) + self.columns.len().saturating_sub(1) * 2
    }

    /// The table as text, each line ended.
    pub(crate) fn render(&self, style: Style) -> String {
        let mut out = self.build(style).trim_fmt();
        out.push('\n');
        out
    }

    fn build(&self, style: Style) -> Table {
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
                    .map(|(title, kind)| cell(&Field::new(title.as_str(), Tone::Strong), *kind)),
            );
        }
        for row in &self.rows {
            table.add_row(
                row.iter()
                    .zip(&self.columns)
                    .map(|(field, (_, kind))| cell(field, *kind)),
            );
        }
        self.arrange(&mut table, style);
        table
    }

    fn arrange(&self, table: &mut Table, style: Style) {
        let last = self.columns.len().saturating_sub(1);
        for (i, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, u16::from(i != last)));
        }
        let Some(width) = style.width else { return };
        table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width);
        let widest = table.column_max_content_widths();
        for (i, column) in table.column_iter_mut().enumerate() {
            column.set_constraint(match self.columns[i].1 {
                Kind::Text => ColumnConstraint::LowerBoundary(Width::Fixed(
                    widest[i].min(MIN_TEXT) + u16::from(i != last),
                )),
                Kind::Label | Kind::Number => ColumnConstraint::ContentWidth,
            });
        }
    }
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
