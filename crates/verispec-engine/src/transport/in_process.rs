//! Judges that are part of this program.

use std::sync::Arc;

use bytes::Bytes;
use verispec_model::{ApiErrorKind, Reply, Request};

use super::{Attempted, BoxFuture, Failure, Transport};
use crate::ledger::{IN_PROCESS, Raw, Sending, now};

/// Why a judge inside the process gave no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocalError {
    /// It cannot deal with this request and never will.
    #[error("{0}")]
    Request(String),
    /// A file it needs cannot be read; the request stays pending.
    #[error("{0}")]
    File(String),
}

/// A judge that answers by computing. May block.
pub trait LocalJudge: Send + Sync + 'static {
    /// Answers one request.
    ///
    /// # Errors
    /// Why there is no reply. Not knowing an answer is a reply, not an error.
    fn judge(&self, request: &Request) -> Result<Reply, LocalError>;
}

impl<F> LocalJudge for F
where
    F: Fn(&Request) -> Result<Reply, LocalError> + Send + Sync + 'static,
{
    fn judge(&self, request: &Request) -> Result<Reply, LocalError> {
        self(request)
    }
}

/// Runs a [`LocalJudge`] on blocking threads.
#[derive(Clone)]
pub struct InProcess(Arc<dyn LocalJudge>);

impl InProcess {
    /// Wraps a judge.
    #[must_use]
    pub fn new(judge: impl LocalJudge) -> Self {
        Self(Arc::new(judge))
    }

    async fn attempt(&self, request: &Request) -> Attempted {
        let (judge, request) = (self.0.clone(), request.clone());
        let sent_at = now();
        let judged = tokio::task::spawn_blocking(move || judge.judge(&request)).await;
        let result = match judged {
            Ok(Ok(reply)) => Ok(reply),
            Ok(Err(LocalError::Request(message))) => Err(refused(message)),
            Ok(Err(LocalError::File(message))) => Err(Failure::Unsendable(message)),
            Err(error) => Err(refused(format!("the judge crashed: {error}"))),
        };
        // A reply of plain strings and numbers always serialises.
        let body = result
            .as_ref()
            .ok()
            .and_then(|reply| serde_json::to_vec(reply).ok());
        let raw = body.map(|body| Raw {
            dialect: IN_PROCESS.into(),
            status: 200,
            content_type: Some("application/json".to_owned()),
            body: Bytes::from(body),
        });
        Attempted {
            result,
            raw,
            sending: Sending::default(),
            sent_at,
            received_at: now(),
        }
    }
}

fn refused(message: String) -> Failure {
    Failure::api(ApiErrorKind::BadRequest, 0, message)
}

impl Transport for InProcess {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Attempted> {
        Box::pin(self.attempt(request))
    }
}

impl std::fmt::Debug for InProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InProcess")
    }
}
