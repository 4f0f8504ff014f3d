//! Texts as vectors.

use std::collections::HashMap;

/// Why texts have no vectors.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// The embedder failed.
    #[error("{embedder}: {message}")]
    Failed {
        /// Its name.
        embedder: String,
        /// What it says.
        message: String,
    },
    /// It gave another number of vectors than there are texts.
    #[error("{embedder}: {found} vectors for {texts} texts")]
    Count {
        /// Its name.
        embedder: String,
        /// Texts given.
        texts: usize,
        /// Vectors returned.
        found: usize,
    },
    /// A vector holds NaN or an infinity, or is of another length than the first.
    #[error("{embedder}: the vector of {text:?} is not finite or not of length {length}")]
    Vector {
        /// Its name.
        embedder: String,
        /// The text.
        text: String,
        /// Length of the first vector.
        length: usize,
    },
}

/// Turns texts into vectors whose cosine says how near they are.
pub trait Embedder {
    /// Its name with its version; part of the identity of a result.
    fn id(&self) -> String;

    /// One vector a text, in order, all of one length. Vectors of one call are comparable; those
    /// of two calls need not be, so a table takes all its texts in one call.
    ///
    /// # Errors
    /// The embedder failed; then there is no vector at all.
    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Counts of lower-cased words between blanks. Deterministic and without a model: equal words are
/// near, everything else is not.
#[derive(Debug, Clone, Copy, Default)]
pub struct BagOfWords;

impl Embedder for BagOfWords {
    fn id(&self) -> String {
        "bag-of-words-1".to_owned()
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let lower: Vec<String> = texts.iter().map(|t| t.to_lowercase()).collect();
        let mut words: HashMap<&str, usize> = HashMap::new();
        for word in lower.iter().flat_map(|t| t.split_whitespace()) {
            let next = words.len();
            words.entry(word).or_insert(next);
        }
        let vector = |text: &String| {
            let mut counts = vec![0.0_f32; words.len()];
            for word in text.split_whitespace() {
                counts[words[word]] += 1.0;
            }
            counts
        };
        Ok(lower.iter().map(vector).collect())
    }
}

/// Unit vectors by text. A text without any word has the zero vector, near to nothing.
#[derive(Debug, Clone, Default)]
pub struct EmbeddingTable {
    places: HashMap<String, usize>,
    vectors: Vec<f32>,
    length: usize,
}

/// Independent sums of the dot product, so that the compiler can keep several vector registers
/// busy; vectors are padded with zeros to a multiple of it.
const LANES: usize = 32;

impl EmbeddingTable {
    /// Embeds each different text once.
    ///
    /// # Errors
    /// The embedder failed, or what it gave is unusable.
    pub fn new(
        embedder: &dyn Embedder,
        texts: impl IntoIterator<Item = String>,
    ) -> Result<Self, EmbedError> {
        let mut unique: Vec<String> = texts.into_iter().collect();
        unique.sort_unstable();
        unique.dedup();
        let vectors = embedder.embed(&unique)?;
        Self::from_vectors(&embedder.id(), unique, &vectors)
    }

    /// From vectors that are known already, one a text in order; they are normalised here.
    ///
    /// # Errors
    /// Numbers or lengths differ, or a component is not finite.
    pub fn from_vectors(
        embedder: &str,
        texts: Vec<String>,
        vectors: &[Vec<f32>],
    ) -> Result<Self, EmbedError> {
        if vectors.len() != texts.len() {
            return Err(EmbedError::Count {
                embedder: embedder.to_owned(),
                texts: texts.len(),
                found: vectors.len(),
            });
        }
        let given = vectors.first().map_or(0, Vec::len);
        let length = given.next_multiple_of(LANES);
        let mut table = Self {
            places: HashMap::with_capacity(texts.len()),
            vectors: Vec::with_capacity(texts.len() * length),
            length,
        };
        for (place, (text, vector)) in texts.into_iter().zip(vectors).enumerate() {
            if vector.len() != given || vector.iter().any(|c| !c.is_finite()) {
                return Err(EmbedError::Vector {
                    embedder: embedder.to_owned(),
                    text,
                    length: given,
                });
            }
            table.push_unit(vector);
            table.places.insert(text, place);
        }
        Ok(table)
    }

    fn push_unit(&mut self, vector: &[f32]) {
        let squares: f64 = vector.iter().map(|c| f64::from(*c).powi(2)).sum();
        let norm = squares.sqrt();
        let scale = if norm > 0.0 { 1.0 / norm } else { 0.0 };
        let unit = vector.iter().map(|c| (f64::from(*c) * scale) as f32);
        self.vectors.extend(unit);
        self.vectors
            .resize(self.vectors.len().next_multiple_of(self.length.max(1)), 0.0);
    }

    /// Number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(super) fn place(&self, text: &str) -> Option<usize> {
        self.places.get(text).copied()
    }

    /// Cosine of two texts by their places, -1..1 up to rounding.
    pub(super) fn cosine(&self, a: usize, b: usize) -> f64 {
        let at = |place: usize| &self.vectors[place * self.length..][..self.length];
        let mut sums = [0.0_f32; LANES];
        for (x, y) in at(a).chunks_exact(LANES).zip(at(b).chunks_exact(LANES)) {
            for lane in 0..LANES {
                sums[lane] += x[lane] * y[lane];
            }
        }
        sums.iter().copied().map(f64::from).sum()
    }

    /// Cosine of two texts; `None` if one is not in the table.
    #[must_use]
    pub fn similarity(&self, a: &str, b: &str) -> Option<f64> {
        Some(self.cosine(self.place(a)?, self.place(b)?))
    }
}
