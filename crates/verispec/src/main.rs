//! Command line of verispec.
fn main() {}
