//! Which pairs may be the same.

use std::collections::BTreeSet;

use crate::phrase::Phrase;

/// Texts to vectors. An embedding proposes pairs and never decides.
pub trait Embed {
    /// Name with version of the model, as manifests keep it.
    fn name(&self) -> &str;

    /// One vector of length 1 per text, all of the same dimension.
    ///
    /// # Errors
    /// What kept the model from running.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// The embedding could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot embed the specifications: {0}; without a model there is --propose lexical")]
pub struct EmbedError(pub String);

/// Least cosine of MiniLM embeddings that proposes a pair.
pub const MIN_COSINE: f32 = 0.72;
/// Least share of features in common that proposes a pair without an embedding.
pub const MIN_OVERLAP: f32 = 0.5;

/// Who proposes pairs.
#[derive(Clone, Copy)]
pub enum Proposer<'a> {
    /// Shared words, numbers, colours, places, quotations: needs no model and is the same on
    /// every machine.
    Lexical,
    /// Cosine of embeddings.
    Embedding(&'a dyn Embed),
}

impl Proposer<'_> {
    /// Name for manifests.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Lexical => format!("lexical@1>={MIN_OVERLAP}"),
            Self::Embedding(model) => format!("{}>={MIN_COSINE}", model.name()),
        }
    }
}

/// A pair that may be the same, by positions, the first one smaller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proposal {
    /// Position of the first.
    pub a: usize,
    /// Position of the second.
    pub b: usize,
    /// Cosine or share in common, 0 to 1.
    pub similarity: f32,
}

/// Pairs of questions that may be the same, in order.
///
/// # Errors
/// The embedding fails.
pub fn propose(questions: &[&str], proposer: &Proposer<'_>) -> Result<Vec<Proposal>, EmbedError> {
    let (like, least): (Box<dyn Fn(usize, usize) -> f32>, f32) = match proposer {
        Proposer::Lexical => {
            let sets: Vec<BTreeSet<String>> = questions.iter().map(|q| features(q)).collect();
            (
                Box::new(move |a, b| overlap(&sets[a], &sets[b])),
                MIN_OVERLAP,
            )
        }
        Proposer::Embedding(model) => {
            let vectors = vectors(questions, *model)?;
            let cosine = move |a: usize, b: usize| dot(&vectors[a], &vectors[b]);
            (Box::new(cosine), MIN_COSINE)
        }
    };
    let pairs = (0..questions.len()).flat_map(|a| (a + 1..questions.len()).map(move |b| (a, b)));
    let all = pairs.map(|(a, b)| Proposal {
        a,
        b,
        similarity: like(a, b),
    });
    Ok(all.filter(|p| p.similarity >= least).collect())
}

fn vectors(questions: &[&str], model: &dyn Embed) -> Result<Vec<Vec<f32>>, EmbedError> {
    let vectors = model.embed(questions)?;
    let dimension = vectors.first().map_or(0, Vec::len);
    if vectors.len() != questions.len() || vectors.iter().any(|v| v.len() != dimension) {
        let message = format!("{} vectors for {} texts", vectors.len(), questions.len());
        return Err(EmbedError(message));
    }
    Ok(vectors)
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn features(question: &str) -> BTreeSet<String> {
    let p = Phrase::of(question);
    let words = p
        .words
        .iter()
        .chain(&p.numbers)
        .chain(&p.quoted)
        .chain(&p.colours);
    let places = p.places.iter().chain(&p.scopes).map(|s| (*s).to_owned());
    words.cloned().chain(places).collect()
}

/// Features in common over all features; 0 where there is none.
fn overlap(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f32 {
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    if all == 0 {
        0.0
    } else {
        common as f32 / all as f32
    }
}
