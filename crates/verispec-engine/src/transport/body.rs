//! Bodies while they are sent: base64 is made piece by piece and dropped, the hash is taken on
//! the way, memory is bounded by what is not sent yet.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use verispec_media::Base64Chunks;
use verispec_model::Hash;
use verispec_providers::Segment;

/// Hash of a body, known once the last byte was handed to the connection.
pub(crate) type SentHash = Arc<OnceLock<Hash>>;

/// Hands out the pieces of a body in order.
pub(crate) struct BodyPieces {
    segments: VecDeque<Segment>,
    base64: Option<Base64Chunks>,
    unsent: usize,
    hasher: blake3::Hasher,
    hash: SentHash,
    // Given back with the last piece, or when the attempt is dropped.
    admitted: Option<OwnedSemaphorePermit>,
}

impl BodyPieces {
    pub(crate) fn new(body: Vec<Segment>, admitted: Option<OwnedSemaphorePermit>) -> Self {
        Self {
            unsent: body.iter().map(Segment::wire_len).sum(),
            segments: body.into(),
            base64: None,
            hasher: blake3::Hasher::new(),
            hash: SentHash::default(),
            admitted,
        }
    }

    /// Where the hash will stand.
    pub(crate) fn hash(&self) -> SentHash {
        self.hash.clone()
    }

    /// Bytes not handed out yet, on the wire.
    pub(crate) const fn unsent_len(&self) -> usize {
        self.unsent
    }

    fn next_piece(&mut self) -> Option<Bytes> {
        loop {
            if let Some(piece) = self.base64.as_mut().and_then(Iterator::next) {
                return Some(piece);
            }
            match self.segments.pop_front()? {
                Segment::Raw(bytes) if bytes.is_empty() => {}
                Segment::Raw(bytes) => return Some(bytes),
                Segment::Base64(bytes) => self.base64 = Some(Base64Chunks::new(bytes)),
            }
        }
    }
}

impl Iterator for BodyPieces {
    type Item = Result<Bytes, Infallible>;

    fn next(&mut self) -> Option<Self::Item> {
        let piece = self.next_piece()?;
        self.hasher.update(&piece);
        self.unsent -= piece.len();
        // The connection stops asking once it has Content-Length bytes, so the end is noticed
        // with the last piece and not after it.
        if self.unsent == 0 {
            self.base64 = None;
            self.segments.clear();
            self.admitted = None;
            let _ = self
                .hash
                .set(Hash::from_bytes(*self.hasher.finalize().as_bytes()));
        }
        Some(Ok(piece))
    }
}

/// Bounds the image bytes of bodies that are not fully sent.
#[derive(Debug, Clone)]
pub(crate) struct Admission {
    room: Arc<Semaphore>,
    most: u32,
    turns: Arc<Semaphore>,
}

/// Requests that may hold images while they wait for room.
const LOADING_AT_ONCE: usize = 4;

impl Admission {
    pub(crate) fn new(most_bytes: u32) -> Self {
        Self {
            room: Arc::new(Semaphore::new(most_bytes as usize)),
            most: most_bytes,
            turns: Arc::new(Semaphore::new(LOADING_AT_ONCE)),
        }
    }

    /// Waits for a turn to load images; keep it until the body is admitted.
    pub(crate) async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        self.turns.clone().acquire_owned().await.ok()
    }

    /// Waits for room; a body larger than all room takes all of it.
    pub(crate) async fn admit(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let want = u32::try_from(bytes).unwrap_or(u32::MAX).min(self.most);
        // The semaphore is never closed; without a permit a body is sent all the same.
        self.room.clone().acquire_many_owned(want).await.ok()
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;

    use super::*;

    #[test]
    fn pieces_are_the_body_and_its_hash() {
        let image = Bytes::from(vec![7_u8; 200_000]);
        let body = vec![
            Segment::Raw(Bytes::from_static(b"{\"a\":\"")),
            Segment::Base64(image.clone()),
            Segment::Raw(Bytes::new()),
            Segment::Raw(Bytes::from_static(b"\"}")),
        ];
        let mut pieces = BodyPieces::new(body, None);
        let hash = pieces.hash();
        assert_eq!(hash.get(), None);
        let sent: Vec<u8> = pieces.by_ref().flat_map(|Ok(piece)| piece).collect();
        let text = base64::engine::general_purpose::STANDARD.encode(&image);
        assert_eq!(sent, format!("{{\"a\":\"{text}\"}}").into_bytes());
        assert_eq!(hash.get(), Some(&Hash::of(&sent)));
    }

    #[tokio::test]
    async fn room_is_given_back_with_the_last_piece() {
        let admission = Admission::new(1000);
        let permit = admission.admit(5000).await;
        let body = vec![Segment::Raw(Bytes::from_static(b"ab"))];
        let mut pieces = BodyPieces::new(body, permit);
        assert_eq!(admission.room.available_permits(), 0);
        let _ = pieces.next();
        assert_eq!(admission.room.available_permits(), 1000);
    }
}
