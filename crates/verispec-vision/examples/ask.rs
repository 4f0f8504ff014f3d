//! Asks the builtin judge about one image: `ask IMAGE QUESTION...`. Reads text if weights are
//! installed in `$VERISPEC_MODELS`.
#![allow(clippy::print_stdout)]

use verispec_model::Hash;
use verispec_vision::{Builtin, VisionError};

fn main() -> Result<(), VisionError> {
    let weights = std::env::var_os("VERISPEC_MODELS").map(std::path::PathBuf::from);
    let judge = Builtin::new(weights.as_deref())?;
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or_default();
    let bytes = std::fs::read(&path).map_err(|source| VisionError::Io {
        path: path.clone().into(),
        source,
    })?;
    for question in args {
        let answer = judge.answer(&bytes, Hash::of(&bytes), &question)?;
        println!("{question} -> {:?} [{}]", answer.verdict, answer.why);
    }
    Ok(())
}
