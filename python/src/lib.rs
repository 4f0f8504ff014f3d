//! The extension module `verispec._verispec`, on which the Python package in `python/package`
//! stands: the program itself, its commands without printing, its tables as Arrow.
//!
//! Without the feature `extension` there is nothing in it, so that the workspace builds where
//! there is no Python.

#[cfg(feature = "extension")]
mod commands;
#[cfg(feature = "extension")]
mod module;
#[cfg(feature = "extension")]
mod table;
