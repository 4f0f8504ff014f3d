//! Specification sets: from several models' proposals to a reviewed, versioned set.
