//! Which numbers of a column are the best and the second best.

use crate::number::fixed2;

/// How a number stands out in its column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It does not.
    #[default]
    None,
    /// Largest, as printed; several when they print the same.
    Best,
    /// Largest of the others.
    Second,
}

/// Marks of a column; nothing stands out where fewer than two numbers differ. Numbers that print
/// the same are marked the same.
pub(crate) fn marks(column: &[Option<f64>]) -> Vec<Mark> {
    let mut printed: Vec<f64> = column.iter().flatten().filter_map(|v| cents(*v)).collect();
    printed.sort_by(|a, b| b.total_cmp(a));
    printed.dedup();
    let mark = |value: &Option<f64>| match value.and_then(cents) {
        Some(v) if printed.len() > 1 && v >= printed[0] => Mark::Best,
        Some(v) if printed.len() > 1 && v >= printed[1] => Mark::Second,
        _ => Mark::None,
    };
    column.iter().map(mark).collect()
}

fn cents(value: f64) -> Option<f64> {
    fixed2(value).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_as_printed_is_marked_equally() {
        let column = [Some(50.001), Some(50.0), None, Some(49.0), Some(10.0)];
        assert_eq!(
            marks(&column),
            [Mark::Best, Mark::Best, Mark::None, Mark::Second, Mark::None]
        );
        assert_eq!(marks(&[Some(1.0), Some(1.0)]), [Mark::None, Mark::None]);
        assert_eq!(marks(&[None]), [Mark::None]);
    }
}
