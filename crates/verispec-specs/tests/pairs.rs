//! Labelled pairs, frozen before the rules were written.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "the figures are what this test shows"
)]

use serde::Deserialize;
use verispec_model::YesNo;
use verispec_specs::merge::{Embed, EmbedError, Proposer, merge_local, propose};
use verispec_specs::phrase::Phrase;
use verispec_suites::specv;

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

struct Minilm(verispec_vision::Embedder);

impl Embed for Minilm {
    fn name(&self) -> &str {
        verispec_vision::EMBEDDER_NAME
    }
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.0.embed(texts).map_err(|e| EmbedError(e.to_string()))
    }
}

/// The local model, where its weights are; else says so.
fn minilm() -> Option<Minilm> {
    let found = verispec_vision::default_weights_dir();
    let Some(dir) = found.filter(|d| verispec_vision::embedder_installed(d)) else {
        println!("skipped: no embedder in VERISPEC_MODELS; see docs/specifications.md");
        return None;
    };
    Some(Minilm(verispec_vision::Embedder::load(&dir).unwrap()))
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
    checklists("lexical", &Proposer::Lexical);
}

#[test]
fn consolidated_checklists_hardly_merge_by_embedding() {
    let Some(model) = minilm() else { return };
    checklists("minilm", &Proposer::Embedding(&model));
}

fn checklists(name: &str, proposer: &Proposer<'_>) {
    let Some(data) = verispec_testkit::data::test_data() else {
        return;
    };
    let loaded = specv::load(&data.join("data/SpecV")).unwrap();
    let (mut items, mut merged, mut pairs, mut proposed) = (0, 0, 0, 0);
    for instance in loaded.suite.instances() {
        let specs: Vec<(&str, YesNo)> = instance
            .specifications
            .iter()
            .map(|s| (s.question.as_str(), s.expected))
            .collect();
        let local = merge_local(&specs, proposer).unwrap();
        items += specs.len();
        merged += specs.len() - local.groups.len();
        pairs += specs.len() * (specs.len() - 1) / 2;
        proposed += local.proposals.len();
        for group in local.groups.iter().filter(|g| g.len() > 1) {
            println!(
                "{}: {:?}",
                instance.id,
                group.iter().map(|i| specs[*i].0).collect::<Vec<_>>()
            );
        }
    }
    let rate = merged as f64 * 1000.0 / items as f64;
    let share = proposed as f64 / pairs as f64;
    println!(
        "{name}: {merged} of {items} items merged, {rate:.3} per 1,000; {share:.4} of {pairs} pairs proposed"
    );
    assert!(rate <= 1.0 && share <= 0.05);
}
