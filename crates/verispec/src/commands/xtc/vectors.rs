//! Vectors of the texts of graphs.

use std::collections::BTreeSet;
use std::sync::Arc;

use verispec_graph::matching::{BagOfWords, Embedder, EmbeddingTable, texts};
use verispec_graph::scene::SceneGraph;
use verispec_suites::xtc::{EmbedJob, Gap, Known};

use super::driver::Driver;
use super::manifest::EmbedderEntry;
use crate::embedder::Minilm;

/// What an embedder that is asked for needs.
pub(super) const INSTEAD: &str = "--embedder bag-of-words";

/// Who makes vectors.
pub(super) enum Vectors {
    /// Made where they are wanted.
    Words,
    /// Made or asked for beforehand.
    Known(Known),
}

impl Vectors {
    /// Those of all scenes, each by its name: asked for, or made here.
    pub(super) fn of<'s>(
        entry: &EmbedderEntry,
        scenes: impl Iterator<Item = (String, &'s SceneGraph)>,
        driver: &mut Driver<'_>,
    ) -> anyhow::Result<Self> {
        let named = scenes.map(|(name, scene)| (name, texts([scene])));
        match entry {
            EmbedderEntry::BagOfWords => Ok(Self::Words),
            EmbedderEntry::Minilm => {
                let all: BTreeSet<String> = named.flat_map(|(_, texts)| texts).collect();
                let all: Vec<String> = all.into_iter().collect();
                let minilm = Minilm::load(INSTEAD)?;
                let vectors = Embedder::embed(&minilm, &all)?;
                let known = Known::made(Embedder::id(&minilm), all.into_iter().zip(vectors));
                Ok(Self::Known(known))
            }
            EmbedderEntry::Endpoint { model } => {
                let model = Arc::new(model.clone());
                let jobs =
                    named.flat_map(|(name, texts)| EmbedJob::of_scene(&name, &texts, &model));
                let jobs: Vec<EmbedJob> = jobs.collect();
                let read = driver.run("embed", &jobs)?;
                Ok(Self::Known(Known::new(&jobs, read, &model)))
            }
        }
    }

    /// The vectors of two scenes that are to be matched.
    pub(super) fn table(
        &self,
        truth: &SceneGraph,
        drawn: &SceneGraph,
    ) -> anyhow::Result<Result<EmbeddingTable, Gap>> {
        let wanted = texts([truth, drawn]);
        let embedder: &dyn Embedder = match self {
            Self::Words => &BagOfWords,
            Self::Known(known) => match known.gap(&wanted) {
                Some(gap) => return Ok(Err(gap)),
                None => known,
            },
        };
        Ok(Ok(EmbeddingTable::new(embedder, wanted)?))
    }
}
