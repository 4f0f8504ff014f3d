//! What tokens cost: a table of list prices, and arithmetic that neither rounds nor turns
//! "unknown" into 0.

mod glob;
mod money;
mod table;

pub use money::Money;
pub use table::{Price, PriceError, PriceTable};
