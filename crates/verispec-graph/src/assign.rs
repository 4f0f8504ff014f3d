//! Rectangular assignment.

/// Why a matrix has no assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AssignError {
    /// The matrix has not as many entries as its shape says.
    #[error("{found} costs for {rows} rows and {columns} columns")]
    Shape {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
        /// Entries given.
        found: usize,
    },
    /// An entry is NaN or minus infinity.
    #[error("cost at row {row}, column {column}: neither finite nor plus infinity")]
    Cost {
        /// Row from 0.
        row: usize,
        /// Column from 0.
        column: usize,
    },
    /// Plus infinity forbids so many pairs that none is left for a row.
    #[error("the forbidden pairs leave no assignment")]
    Infeasible,
}

/// Pairs of rows and columns with the least total cost: exactly `min(rows, columns)` pairs, sorted
/// by row. `cost` is row after row; plus infinity forbids a pair.
///
/// Shortest augmenting paths with dual variables (D. Crouse, "On implementing 2D rectangular
/// assignment algorithms", IEEE Transactions on Aerospace and Electronic Systems 52, 2016), with
/// the order of SciPy among equal costs: more rows than columns are transposed; rows enter in
/// order; open columns are looked at from the last to the first, a closed one being replaced by
/// the last of the list; of equally near columns the later seen one wins only if it is free.
///
/// Time O(min² max).
///
/// # Errors
/// See [`AssignError`].
pub fn linear_sum_assignment(
    cost: &[f64],
    rows: usize,
    columns: usize,
) -> Result<Vec<(usize, usize)>, AssignError> {
    Assigner::default().assign(cost, rows, columns)
}

/// Solves many assignments with the same buffers.
#[derive(Debug, Default)]
pub struct Assigner {
    transposed: Vec<f64>,
    row_dual: Vec<f64>,
    column_dual: Vec<f64>,
    distance: Vec<f64>,
    previous: Vec<usize>,
    column_of: Vec<usize>,
    row_of: Vec<usize>,
    open: Vec<usize>,
    visited_rows: Vec<usize>,
    closed_columns: Vec<usize>,
}

/// A row or column without partner.
const FREE: usize = usize::MAX;

impl Assigner {
    /// As [`linear_sum_assignment`].
    ///
    /// # Errors
    /// See [`AssignError`].
    pub fn assign(
        &mut self,
        cost: &[f64],
        rows: usize,
        columns: usize,
    ) -> Result<Vec<(usize, usize)>, AssignError> {
        check(cost, rows, columns)?;
        if rows <= columns {
            self.solve(cost, rows, columns)?;
            return Ok(self.column_of.iter().copied().enumerate().collect());
        }
        let mut transposed = std::mem::take(&mut self.transposed);
        transposed.clear();
        transposed.extend((0..columns).flat_map(|c| (0..rows).map(move |r| cost[r * columns + c])));
        let solved = self.solve(&transposed, columns, rows);
        self.transposed = transposed;
        solved?;
        let swapped = self
            .column_of
            .iter()
            .enumerate()
            .map(|(column, &row)| (row, column));
        let mut pairs: Vec<(usize, usize)> = swapped.collect();
        pairs.sort_unstable();
        Ok(pairs)
    }

    /// Fills `column_of`; `rows <= columns`.
    fn solve(&mut self, cost: &[f64], rows: usize, columns: usize) -> Result<(), AssignError> {
        reset(&mut self.row_dual, rows, 0.0);
        reset(&mut self.column_dual, columns, 0.0);
        reset(&mut self.distance, columns, f64::INFINITY);
        reset(&mut self.previous, columns, FREE);
        reset(&mut self.column_of, rows, FREE);
        reset(&mut self.row_of, columns, FREE);
        for row in 0..rows {
            let (end, length) = self.shortest_path(cost, columns, row)?;
            self.update_duals(row, length);
            self.augment(row, end);
        }
        Ok(())
    }

    /// The nearest free column from `start` and its distance.
    fn shortest_path(
        &mut self,
        cost: &[f64],
        columns: usize,
        start: usize,
    ) -> Result<(usize, f64), AssignError> {
        self.distance.fill(f64::INFINITY);
        self.visited_rows.clear();
        self.closed_columns.clear();
        self.open.clear();
        self.open.extend((0..columns).rev());
        let (mut row, mut length) = (start, 0.0);
        loop {
            self.visited_rows.push(row);
            let at = self.relax(&cost[row * columns..][..columns], row, length);
            let column = self.open[at];
            length = self.distance[column];
            if length == f64::INFINITY {
                return Err(AssignError::Infeasible);
            }
            self.open.swap_remove(at);
            self.closed_columns.push(column);
            match self.row_of[column] {
                FREE => return Ok((column, length)),
                next => row = next,
            }
        }
    }

    /// Shortens distances through `row` and returns the place of the nearest open column.
    fn relax(&mut self, costs: &[f64], row: usize, length: f64) -> usize {
        let (mut nearest, mut at) = (f64::INFINITY, 0);
        for (place, &column) in self.open.iter().enumerate() {
            let through = length + costs[column] - self.row_dual[row] - self.column_dual[column];
            if through < self.distance[column] {
                self.distance[column] = through;
                self.previous[column] = row;
            }
            let found = self.distance[column];
            if found < nearest || (found == nearest && self.row_of[column] == FREE) {
                (nearest, at) = (found, place);
            }
        }
        at
    }

    fn update_duals(&mut self, start: usize, length: f64) {
        self.row_dual[start] += length;
        for &row in self.visited_rows.iter().filter(|&&row| row != start) {
            self.row_dual[row] += length - self.distance[self.column_of[row]];
        }
        for &column in &self.closed_columns {
            self.column_dual[column] -= length - self.distance[column];
        }
    }

    fn augment(&mut self, start: usize, end: usize) {
        let mut column = end;
        loop {
            let row = self.previous[column];
            self.row_of[column] = row;
            std::mem::swap(&mut self.column_of[row], &mut column);
            if row == start {
                return;
            }
        }
    }
}

fn reset<T: Clone>(buffer: &mut Vec<T>, length: usize, value: T) {
    buffer.clear();
    buffer.resize(length, value);
}

fn check(cost: &[f64], rows: usize, columns: usize) -> Result<(), AssignError> {
    if rows.checked_mul(columns) != Some(cost.len()) {
        return Err(AssignError::Shape {
            rows,
            columns,
            found: cost.len(),
        });
    }
    let bad = cost
        .iter()
        .position(|c| c.is_nan() || *c == f64::NEG_INFINITY);
    match bad {
        None => Ok(()),
        Some(at) => Err(AssignError::Cost {
            row: at / columns,
            column: at % columns,
        }),
    }
}
