//! Finds the regions that are letters, so that no "O" is counted as a circle.
//!
//! A letter stands in a row of regions of one colour, of similar height, close together, some of
//! which are no plane figure. A filled circle, triangle, square or star is never a letter.

use crate::geometry::figures::Figure;
use crate::geometry::form::Kind;
use crate::geometry::segment::Segmentation;

/// Widest gap between neighbours in a row, in heights.
const GAP: f64 = 0.9;
/// Colours of one row are this near in OKLab.
const SAME: f32 = 0.1;

/// For each figure whether it is a letter or a part of one. Figures not in `keep` are left out.
pub(crate) fn letters(seg: &Segmentation, figures: &[Figure], keep: &[bool]) -> Vec<bool> {
    let mut out = vec![false; figures.len()];
    for direction in [Direction::Across, Direction::Down] {
        let free: Vec<bool> = keep
            .iter()
            .zip(&out)
            .map(|(keep, out)| *keep && !*out)
            .collect();
        for row in rows(seg, figures, &free, direction) {
            if is_text(figures, &row, direction) {
                row.iter().for_each(|&i| out[i] = true);
            }
        }
    }
    mark_small_parts(seg, figures, &mut out);
    out
}

/// How a line of text runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Across,
    Down,
}

impl Direction {
    /// A figure's extent along the line, then across it.
    fn extents(self, f: &Figure) -> [(usize, usize); 2] {
        let [x0, y0, x1, y1] = f.bbox;
        match self {
            Self::Across => [(x0, x1), (y0, y1)],
            Self::Down => [(y0, y1), (x0, x1)],
        }
    }

    /// Height of a letter in the line's own sense.
    fn height(self, f: &Figure) -> usize {
        let [_, (low, high)] = self.extents(f);
        high - low + 1
    }
}

/// Groups figures into rows.
fn rows(
    seg: &Segmentation,
    figures: &[Figure],
    keep: &[bool],
    direction: Direction,
) -> Vec<Vec<usize>> {
    let able: Vec<bool> = figures
        .iter()
        .zip(keep)
        .map(|(f, keep)| *keep && may_be_letter(seg, f))
        .collect();
    let mut group: Vec<usize> = (0..figures.len()).collect();
    for a in 0..figures.len() {
        for b in a + 1..figures.len() {
            if able[a] && able[b] && same_row(seg, &figures[a], &figures[b], direction) {
                let (from, to) = (group[b], group[a]);
                group
                    .iter_mut()
                    .filter(|g| **g == from)
                    .for_each(|g| *g = to);
            }
        }
    }
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); figures.len()];
    for i in (0..figures.len()).filter(|&i| able[i]) {
        rows[group[i]].push(i);
    }
    rows.retain(|r| r.len() >= 2);
    rows
}

/// A letter shows its surroundings through its holes and holds nothing else.
fn may_be_letter(seg: &Segmentation, f: &Figure) -> bool {
    let Some(around) = f.surround else {
        return false;
    };
    let other = |label: &usize| seg.distance(*label, around) >= SAME;
    let foreign: usize = f
        .inside
        .iter()
        .filter(|(l, _)| other(l))
        .map(|(_, n)| n)
        .sum();
    foreign * 20 < f.filled && f.height() * 2 < seg.height
}

fn same_row(seg: &Segmentation, a: &Figure, b: &Figure, direction: Direction) -> bool {
    let (ha, hb) = (direction.height(a) as f64, direction.height(b) as f64);
    let [(a0, a1), (low_a, high_a)] = direction.extents(a);
    let [(b0, b1), (low_b, high_b)] = direction.extents(b);
    let overlap = (high_a.min(high_b) + 1) as f64 - low_a.max(low_b) as f64;
    let gap = a0.max(b0) as f64 - a1.min(b1) as f64 - 1.0;
    let similar = ha.max(hb) <= 2.2 * ha.min(hb);
    similar
        && overlap >= 0.5 * ha.min(hb)
        && gap <= GAP * ha.max(hb)
        && seg.distance(a.region, b.region) < SAME
}

/// Whether a row reads as text: enough of it is no plane figure, and nothing in it is a figure
/// that no letter looks like.
fn is_text(figures: &[Figure], row: &[usize], direction: Direction) -> bool {
    let tallest = row
        .iter()
        .map(|&i| direction.height(&figures[i]))
        .max()
        .unwrap_or(0);
    let odd = row
        .iter()
        .filter(|&&i| figures[i].form.sure().is_none())
        .count();
    let drawn = row.iter().any(|&i| {
        let f = &figures[i];
        let kind = matches!(
            f.form.sure(),
            Some(Kind::Circle | Kind::Triangle | Kind::Square | Kind::Star | Kind::Hexagon)
        );
        kind && !f.has_hole() && direction.height(f) * 10 >= tallest * 6
    });
    odd >= 1 && odd * 3 >= row.len() && !drawn
}

/// Dots of an i, accents and punctuation: smaller regions of the text's colour beside a letter.
fn mark_small_parts(seg: &Segmentation, figures: &[Figure], out: &mut [bool]) {
    let letters: Vec<usize> = (0..figures.len()).filter(|&i| out[i]).collect();
    for (i, part) in figures.iter().enumerate() {
        out[i] |= letters.iter().any(|&l| {
            let letter = &figures[l];
            let h = letter.height();
            let [x0, y0, x1, y1] = letter.bbox;
            let near = part.bbox[0] <= x1 + h
                && part.bbox[2] + h >= x0
                && part.bbox[1] + h / 2 >= y0
                && part.bbox[3] <= y1 + h / 2;
            let colours = seg.distance(part.region, letter.region);
            near && part.height() * 2 <= h && part.width() <= h && colours < SAME && l != i
        });
    }
}
