//! Executes jobs: transports, limits, retries and the ledger.
