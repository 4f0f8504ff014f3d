//! Merges all 1,200 checklists of SpecV-Bench by themselves, by words and by the local embedding
//! model (a few minutes): `cargo run --example checklists -- CHECKOUT [EVERY-NTH]`.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/checklists/mod.rs"]
mod checklists;

use checklists::{checklists, minilm};
use verispec_specs::merge::Proposer;

fn main() {
    let mut args = std::env::args().skip(1);
    let root = std::path::PathBuf::from(args.next().expect("the checkout of the benchmark"));
    let every = args.next().map_or(1, |n| n.parse().expect("a number"));
    let show = |name: &str, proposer: &Proposer<'_>| {
        let found = checklists(&root, proposer, every);
        println!("{name}: {found}");
        found.merged.iter().for_each(|group| println!("  {group}"));
    };
    show("lexical", &Proposer::Lexical);
    if let Some(model) = minilm() {
        show("minilm", &Proposer::Embedding(&model));
    }
}
