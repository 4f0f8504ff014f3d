//! Statistics of pairs of grades.

use serde::Serialize;

use super::fact::Grade;

const N: usize = Grade::COUNT;

/// How often each pair of grades occurs. Everything below follows from it exactly; tables of parts
/// add up to the table of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GradeTable {
    /// `counts[g][u]`.
    counts: [[u64; N]; N],
}

/// Where a fact stands to the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Quadrant {
    /// Aligned competence: both sides reach it.
    #[serde(rename = "AC")]
    AlignedCompetence,
    /// Aligned hallucination: neither does. Agreement in error counts fully in CCTA.
    #[serde(rename = "AH")]
    AlignedHallucination,
    /// Generation alone reaches it.
    #[serde(rename = "GD")]
    GenerationDominant,
    /// Understanding alone reaches it.
    #[serde(rename = "UD")]
    UnderstandingDominant,
}

/// Facts by quadrant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Quadrants {
    /// Both reach the threshold.
    pub ac: u64,
    /// Neither does.
    pub ah: u64,
    /// Generation alone.
    pub gd: u64,
    /// Understanding alone.
    pub ud: u64,
}

/// The numbers of a table that holds one fact or more. All but `covariance` are 0..=1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Consistency {
    /// Facts.
    pub n: u64,
    /// G: mean generation score.
    pub generation: f64,
    /// U: mean understanding score.
    pub understanding: f64,
    /// CCTA: mean of 1 - |g - u|.
    pub ccta: f64,
    /// AW-CCTA: mean of (1 - |g - u|)(g + u)/2.
    pub aw_ccta: f64,
    /// MJA: mean of (g + u)/2.
    pub mean_joint: f64,
    /// AW-CCTA - CCTA x MJA: whether facts that agree are those that are right.
    pub covariance: f64,
    /// Facts by quadrant.
    pub quadrants: Quadrants,
    /// CIR = AC/(AC + AH): share of right among aligned; `None` without an aligned fact.
    pub integrity: Option<f64>,
}

impl Consistency {
    /// G - U, -1..=1.
    #[must_use]
    pub fn gap(&self) -> f64 {
        self.generation - self.understanding
    }
}

impl Quadrant {
    /// The quadrant of a pair of grades at threshold `tau` (a score, inclusive).
    #[must_use]
    pub fn of(generation: Grade, understanding: Grade, tau: f64) -> Self {
        let reaches = |grade: Grade| grade.score() >= tau;
        match (reaches(generation), reaches(understanding)) {
            (true, true) => Self::AlignedCompetence,
            (false, false) => Self::AlignedHallucination,
            (true, false) => Self::GenerationDominant,
            (false, true) => Self::UnderstandingDominant,
        }
    }
}

impl Quadrants {
    /// Share of one quadrant, 0..=1; `None` without a fact.
    #[must_use]
    pub fn share(self, of: Quadrant) -> Option<f64> {
        let total = self.ac + self.ah + self.gd + self.ud;
        let part = match of {
            Quadrant::AlignedCompetence => self.ac,
            Quadrant::AlignedHallucination => self.ah,
            Quadrant::GenerationDominant => self.gd,
            Quadrant::UnderstandingDominant => self.ud,
        };
        (total > 0).then(|| part as f64 / total as f64)
    }
}

impl GradeTable {
    /// Counts a fact.
    pub fn add(&mut self, generation: Grade, understanding: Grade) {
        self.add_times(generation, understanding, 1);
    }

    /// Counts a fact several times.
    pub fn add_times(&mut self, generation: Grade, understanding: Grade, times: u64) {
        let cell = (
            usize::from(generation.get()),
            usize::from(understanding.get()),
        );
        self.counts[cell.0][cell.1] += times;
    }

    /// Counts every fact of another table `times` times.
    pub fn add_table(&mut self, other: &Self, times: u64) {
        for (row, others) in self.counts.iter_mut().zip(&other.counts) {
            for (count, other) in row.iter_mut().zip(others) {
                *count += times * other;
            }
        }
    }

    /// Facts.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// Pairs of grades that occur, with their count.
    pub fn cells(&self) -> impl Iterator<Item = (Grade, Grade, u64)> {
        let all = (0..N as u8).flat_map(|g| (0..N as u8).map(move |u| (g, u)));
        all.filter_map(|(g, u)| {
            let count = self.counts[usize::from(g)][usize::from(u)];
            let pair = Grade::new(g).zip(Grade::new(u))?;
            (count > 0).then_some((pair.0, pair.1, count))
        })
    }

    /// How often each generation grade occurs, and each understanding grade.
    #[must_use]
    pub fn marginals(&self) -> ([u64; N], [u64; N]) {
        let (mut rows, mut columns) = ([0; N], [0; N]);
        for (g, u, count) in self.cells() {
            rows[usize::from(g.get())] += count;
            columns[usize::from(u.get())] += count;
        }
        (rows, columns)
    }

    /// Its numbers at threshold `tau`; `None` without a fact. Sums are exact, each number is rounded
    /// once.
    #[must_use]
    pub fn consistency(&self, tau: f64) -> Option<Consistency> {
        let n = self.n();
        if n == 0 {
            return None;
        }
        let (mut g_sum, mut u_sum, mut agree, mut weighted) = (0, 0, 0, 0);
        let mut quadrants = Quadrants::default();
        for (g, u, count) in self.cells() {
            let (a, b) = (u64::from(g.get()), u64::from(u.get()));
            g_sum += count * a;
            u_sum += count * b;
            agree += count * (5 - a.abs_diff(b));
            weighted += count * (5 - a.abs_diff(b)) * (a + b);
            *match Quadrant::of(g, u, tau) {
                Quadrant::AlignedCompetence => &mut quadrants.ac,
                Quadrant::AlignedHallucination => &mut quadrants.ah,
                Quadrant::GenerationDominant => &mut quadrants.gd,
                Quadrant::UnderstandingDominant => &mut quadrants.ud,
            } += count;
        }
        let mean = |sum: u64, unit: u64| sum as f64 / (n * unit) as f64;
        let (ccta, aw_ccta) = (mean(agree, 5), mean(weighted, 50));
        let mean_joint = mean(g_sum + u_sum, 10);
        let aligned = quadrants.ac + quadrants.ah;
        Some(Consistency {
            n,
            generation: mean(g_sum, 5),
            understanding: mean(u_sum, 5),
            ccta,
            aw_ccta,
            mean_joint,
            covariance: aw_ccta - ccta * mean_joint,
            quadrants,
            integrity: (aligned > 0).then(|| quadrants.ac as f64 / aligned as f64),
        })
    }
}
