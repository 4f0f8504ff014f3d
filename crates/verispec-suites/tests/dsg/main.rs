//! DSG's released files, and small broken ones of our own.

mod faults;
mod released;
