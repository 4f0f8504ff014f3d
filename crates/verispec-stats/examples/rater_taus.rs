//! Times the bootstrap of all rank correlations of five judges over a ragged matrix of 65
//! (track, model) cells with 200 instances each, 10,000 draws, and writes the data for
//! `rater_taus.py`, which times the same in NumPy. `rater_taus.py` runs both and prints the ratio.
//! With `true-scores` after the file, the taus between true scores are timed instead.
//!
//! ```text
//! cargo build --release -p verispec-stats --example rater_taus
//! python crates/verispec-stats/examples/rater_taus.py target/release/examples/rater_taus
//! ```
#![allow(clippy::print_stdout)]

use std::{error::Error, io::Write, time::Instant};
use verispec_stats::{
    bootstrap::{PairwiseTau, Plan, ScoreTable, TauTable, bootstrap, true_taus},
    random::Stream,
};

const JUDGES: usize = 5;
const MODELS: [usize; 6] = [13, 14, 11, 11, 8, 8];
const INSTANCES: usize = 200;
const DIMENSIONS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let draws: usize = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "10000".into())
        .parse()?;
    let mut stream = Stream::new(4, 0);
    let mut tables = Vec::new();
    let mut strata = Vec::new();
    let mut written = Vec::new();
    for (track, models) in MODELS.into_iter().enumerate() {
        let mut table = ScoreTable::new(JUDGES * models, DIMENSIONS);
        for instance in 0..INSTANCES {
            let dimension = instance * DIMENSIONS / INSTANCES;
            let row: Vec<f64> = (0..JUDGES * models)
                .map(|column| {
                    let better = (column % models) as f64 / models as f64;
                    let met = (0..15)
                        .filter(|_| stream.unit() < 0.4 + 0.5 * better)
                        .count();
                    met as f64 / 15.0
                })
                .collect();
            row.iter()
                .for_each(|value| written.extend(value.to_le_bytes()));
            let row: Vec<Option<f64>> = row.into_iter().map(Some).collect();
            table.push(track * INSTANCES + instance, dimension, &row)?;
            strata.push((track * DIMENSIONS + dimension) as u32);
        }
        tables.push(TauTable::new(table, JUDGES, models)?);
    }
    if let Some(path) = std::env::args().nth(2) {
        std::fs::File::create(path)?.write_all(&written)?;
    }
    let plan = Plan::stratified(&strata)?;
    let start = Instant::now();
    let found = if std::env::args().nth(3).is_some_and(|a| a == "true-scores") {
        true_taus(&plan, tables, draws, 1)?
    } else {
        bootstrap(&plan, &PairwiseTau::new(tables), draws, 1)?
    };
    let seconds = start.elapsed().as_secs_f64();
    let taus = found.estimate().iter().flatten();
    println!(
        "{seconds} {}",
        taus.sum::<f64>() / found.estimate().len() as f64
    );
    Ok(())
}
