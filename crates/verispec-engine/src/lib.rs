//! Executes jobs: transports, limits, retries and the ledger.
//!
//! The engine drives pure state machines ([`verispec_model::Job`]) and knows nothing of what
//! they ask about. Everything with an effect lives here.
//!
//! ```text
//! jobs ──step──> requests ──Reuse──> copied replies ─┐
//!                   │                                ├─> ledger ──LedgerReplies──> step, read_all
//!                   └─ Lane (Limiter, Transport) ────┘
//! ```
//!
//! ```no_run
//! # use std::sync::Arc;
//! # use verispec_engine::execute::{Lane, Setup, execute, read_all};
//! # use verispec_engine::ledger::{LedgerError, RunLock};
//! # use verispec_engine::transport::Transport;
//! # use verispec_model::{Job, JudgeIdentity};
//! # async fn f<J: Job>(
//! #     jobs: &[J], judge: Arc<JudgeIdentity>, transport: Arc<dyn Transport>,
//! # ) -> Result<(), LedgerError> {
//! let run = RunLock::acquire("runs/2026-11-30".as_ref())?;
//! let setup = Setup::new(vec![Lane::new(judge, transport, 16)]);
//! let done = execute(jobs, &run, setup).await?;
//! let readings = read_all(jobs, &done.replies);
//! # Ok(())
//! # }
//! ```

pub mod batch;
pub mod events;
pub mod execute;
pub mod fetch;
pub mod ledger;
pub mod transport;
