//! Coverage of intervals of tau by simulation, as docs/statistics.md prints it.
//!
//! ```text
//! cargo run --release -p verispec-stats --example tau_coverage [runs [draws]]
//! ```
#![allow(clippy::print_stdout)]

#[path = "../tests/common/tau_world.rs"]
mod tau_world;

use std::error::Error;
use tau_world::{METHODS, STUDY, Truth, World, simulate, simulate_study};

fn main() -> Result<(), Box<dyn Error>> {
    let argument = |k: usize, default: &str| std::env::args().nth(k).unwrap_or(default.into());
    let (runs, draws) = (argument(1, "400").parse()?, argument(2, "400").parse()?);
    println!("nominal 95 %, {runs} runs of {draws} draws; found % (mean width)\n");
    println!(
        "| truth | models | items | noise | bias of tau | {} | draws inside, % |",
        METHODS.join(" | ")
    );
    println!("|{}", "---|".repeat(6 + METHODS.len()));
    for truth in [Truth::Drawn, Truth::Even, Truth::Alike, Truth::Tied] {
        for models in [5, 10, 19] {
            if truth != Truth::Drawn && models != 10 {
                continue;
            }
            for items in [50, 200] {
                for noise in [0.1, 0.2, 0.4, 0.7] {
                    row(truth, models, items, noise, runs, draws);
                }
            }
        }
    }
    println!(
        "\n| models | items | noise | method | {} |",
        STUDY.join(" | ")
    );
    println!("|{}", "---|".repeat(4 + STUDY.len()));
    for (models, items, noise) in [
        (8, 100, 0.2),
        (8, 100, 0.4),
        (14, 100, 0.2),
        (14, 100, 0.4),
        (14, 200, 0.2),
    ] {
        let held = simulate_study(models, items, noise, runs, draws);
        for (method, held) in [METHODS[0], METHODS[3]].into_iter().zip(held) {
            let held = held.map(|h| format!("{:.1}", 100.0 * h)).join(" | ");
            println!("| {models} | {items} | {noise} | {method} | {held} |");
        }
    }
    Ok(())
}

fn row(truth: Truth, models: usize, items: usize, noise: f64, runs: u64, draws: usize) {
    let world = World {
        truth,
        models,
        items,
        noise,
    };
    let found = simulate(world, runs, draws);
    let each: Vec<String> = (0..METHODS.len())
        .map(|k| format!("{:.1} ({:.2})", 100.0 * found.held[k], found.width[k]))
        .collect();
    println!(
        "| {truth:?} | {models} | {items} | {noise} | {:.3} | {} | {:.1} |",
        found.bias,
        each.join(" | "),
        100.0 * found.within
    );
}
