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

pub mod events;
pub mod execute;
pub mod ledger;
pub mod transport;
