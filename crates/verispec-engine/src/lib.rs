//! Executes jobs: transports, limits, retries and the ledger.
//!
//! The engine drives pure state machines ([`verispec_model::Job`]) and knows nothing of what
//! they ask about. Everything with an effect lives here.

pub mod ledger;
