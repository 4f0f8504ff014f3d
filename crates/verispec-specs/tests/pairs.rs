//! Labelled pairs, frozen before the rules were written.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "the figures are what this test shows"
)]

mod checklists;

use checklists::{checklists, minilm};
use serde::Deserialize;
use verispec_model::YesNo;
use verispec_specs::merge::{Proposer, merge_local, propose};
use verispec_specs::phrase::Phrase;

#[derive(Deserialize)]
struct Pair {
    a: String,
    b: String,
    same: bool,
}

fn pairs() -> Vec<Pair> {
    serde_json::from_str(include_str!("data/pairs.json")).unwrap()
}

/// Shares of true pairs found, false merges, and share of all other pairs proposed.
fn check(proposer: &Proposer<'_>) -> (f64, Vec<String>, f64) {
    let pairs = pairs();
    let (mut found, mut wrong) = (0, vec![]);
    for pair in &pairs {
        let items = [(pair.a.as_str(), YesNo::Yes), (pair.b.as_str(), YesNo::Yes)];
        let merged = merge_local(&items, proposer).unwrap().groups.len() == 1;
        let line = format!("{} | {}", pair.a, pair.b);
        match (pair.same, merged) {
            (true, true) => found += 1,
            (true, false) => {
                let vetoes =
                    verispec_specs::merge::vetoes(&Phrase::of(&pair.a), &Phrase::of(&pair.b));
                println!("not found: {line} {vetoes:?}");
            }
            (false, true) => wrong.push(line),
            (false, false) => {}
        }
    }
    let mut texts: Vec<&str> = pairs
        .iter()
        .flat_map(|p| [p.a.as_str(), p.b.as_str()])
        .collect();
    texts.sort_unstable();
    texts.dedup();
    let listed = |a: &str, b: &str| {
        pairs
            .iter()
            .any(|p| (p.a == a && p.b == b) || (p.a == b && p.b == a))
    };
    let proposed = propose(&texts, proposer).unwrap();
    let others = proposed
        .iter()
        .filter(|p| !listed(texts[p.a], texts[p.b]))
        .count();
    let all = texts.len() * (texts.len() - 1) / 2 - pairs.len();
    let same = pairs.iter().filter(|p| p.same).count();
    (
        found as f64 / same as f64,
        wrong,
        others as f64 / all as f64,
    )
}

#[test]
fn words_find_true_pairs_and_merge_no_false_one() {
    let (found, wrong, others) = check(&Proposer::Lexical);
    println!(
        "lexical: {found:.3} of true pairs, {} false merges, {others:.4} of others proposed",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(found >= 0.8 && others <= 0.05);
}

#[test]
fn the_embedding_finds_true_pairs_and_vetoes_keep_false_ones_apart() {
    let Some(model) = minilm() else { return };
    let (found, wrong, others) = check(&Proposer::Embedding(&model));
    println!(
        "minilm: {found:.3} of true pairs, {} false merges, {others:.4} of others proposed",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(found >= 0.8 && others <= 0.05);
}

#[test]
fn consolidated_checklists_hardly_merge_by_words() {
    hardly_merge("lexical", &Proposer::Lexical, 1);
}

/// Every 50th checklist: all of them are the example `checklists`, minutes of work.
#[test]
fn consolidated_checklists_hardly_merge_by_embedding() {
    let Some(model) = minilm() else { return };
    hardly_merge("minilm", &Proposer::Embedding(&model), 50);
}

fn hardly_merge(name: &str, proposer: &Proposer<'_>, every: usize) {
    let Some(data) = verispec_testkit::data::test_data() else {
        return;
    };
    let found = checklists(&data.join("data/SpecV"), proposer, every);
    println!("{name}: {found}");
    found.merged.iter().for_each(|group| println!("  {group}"));
    assert!(found.items > 0 && found.per_1000() <= 1.0 && found.proposed_share() <= 0.05);
}
