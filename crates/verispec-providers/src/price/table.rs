//! The table of list prices: one built in, one of the user's above it.

use serde::Deserialize;
use verispec_model::Usage;

use super::glob::matches;
use super::money::Money;

/// Prices that are built in, with the day and the source they are of.
const EMBEDDED: &str = include_str!("prices.toml");

/// What a file of prices may be wrong about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PriceError {
    /// No TOML of the expected form.
    #[error("{origin}: {message}")]
    Form {
        /// File.
        origin: String,
        /// What the parser says.
        message: String,
    },
    /// A number that is no price.
    #[error(
        "{origin}: {field} of {model:?} is {value}; a price is a number from 0 up (batch: 0 to 1)"
    )]
    Value {
        /// File.
        origin: String,
        /// Pattern of the entry.
        model: String,
        /// Field.
        field: &'static str,
        /// Value.
        value: String,
    },
    /// Another currency than dollars.
    #[error("{origin}: currency {currency:?}; prices are in USD, convert them")]
    Currency {
        /// File.
        origin: String,
        /// As written.
        currency: String,
    },
}

/// Price of one model, in dollars per million tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// Pattern that matched.
    pub model: String,
    /// Input.
    pub input: f64,
    /// Input from the prompt cache.
    pub cached_input: f64,
    /// Output, reasoning included.
    pub output: f64,
    /// Factor of the batch interface; 1 where there is no discount.
    pub batch: f64,
    /// Where it stands and of which day it is, in words.
    pub origin: String,
}

impl Price {
    /// What a judge inside this process costs: nothing.
    #[must_use]
    pub fn free() -> Self {
        Self {
            model: String::new(),
            input: 0.0,
            cached_input: 0.0,
            output: 0.0,
            batch: 1.0,
            origin: "runs in this process".to_owned(),
        }
    }

    /// What these tokens cost; `cached` are part of `input`.
    #[must_use]
    pub fn tokens(&self, input: u64, cached: u64, output: u64) -> Money {
        let cached = cached.min(input);
        Money::of_tokens(input - cached, self.input)
            + Money::of_tokens(cached, self.cached_input)
            + Money::of_tokens(output, self.output)
    }

    /// What a reported usage costs; `None` when it does not say both input and output.
    #[must_use]
    pub fn usage(&self, usage: &Usage) -> Option<Money> {
        let (input, output) = (usage.input?, usage.output?);
        Some(self.tokens(input, usage.cached.unwrap_or(0), output))
    }

    /// The price in one line.
    #[must_use]
    pub fn line(&self) -> String {
        let batch = if self.batch < 1.0 {
            format!(", batch x {}", self.batch)
        } else {
            ", no batch discount".to_owned()
        };
        format!(
            "${} in, ${} cached, ${} out a million tokens{batch} ({}; {})",
            self.input, self.cached_input, self.output, self.model, self.origin
        )
    }
}

/// Prices by pattern of model name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PriceTable {
    /// Own entries first.
    layers: Vec<Vec<Entry>>,
}

#[derive(Debug, Clone, PartialEq)]
struct Entry {
    provider: Option<String>,
    price: Price,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Day that the prices are of.
    as_of: Option<String>,
    /// Where they are from.
    #[serde(rename = "source")]
    _source: Option<String>,
    /// `USD`, which is also meant when nothing is said.
    currency: Option<String>,
    /// One entry a model or pattern of models.
    #[serde(default)]
    price: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Model, with `*` for anything; of several that fit, the one with the most other characters counts.
    model: String,
    /// Dialect, if the entry is for one alone.
    provider: Option<String>,
    /// Dollars for a million tokens sent.
    input: f64,
    /// The same for tokens from a prompt cache; left out: as `input`.
    cached_input: Option<f64>,
    /// Dollars for a million tokens received.
    output: f64,
    /// Factor of batch files; left out: no discount.
    batch: Option<f64>,
}

impl PriceTable {
    /// The prices that are built in.
    ///
    /// # Panics
    /// Never: the file is part of the program and a test reads it.
    #[must_use]
    pub fn embedded() -> Self {
        let entries = parse(EMBEDDED, "built-in list").expect("the built-in file is tested");
        Self {
            layers: vec![entries],
        }
    }

    /// Puts the entries of a file above those that are there. `origin` names the file.
    ///
    /// # Errors
    /// The text is no such file.
    pub fn with(mut self, text: &str, origin: &str) -> Result<Self, PriceError> {
        self.layers.insert(0, parse(text, origin)?);
        Ok(self)
    }

    /// The price of a model, or `None` when none is known. A file's entries win over built-in
    /// ones; within a file the pattern with the most characters besides `*` wins, then one with
    /// a provider.
    #[must_use]
    pub fn find(&self, provider: &str, model: &str) -> Option<&Price> {
        let fits = |e: &&Entry| {
            e.provider.as_deref().is_none_or(|p| p == provider) && matches(&e.price.model, model)
        };
        let weight = |e: &&Entry| {
            let own = e.price.model.chars().filter(|c| *c != '*').count();
            (own, e.provider.is_some(), !e.price.model.contains('*'))
        };
        self.layers
            .iter()
            .find_map(|entries| entries.iter().filter(fits).max_by_key(weight))
            .map(|e| &e.price)
    }
}

fn parse(text: &str, origin: &str) -> Result<Vec<Entry>, PriceError> {
    let file: File = toml::from_str(text).map_err(|e| PriceError::Form {
        origin: origin.to_owned(),
        message: e.to_string().trim_end().to_owned(),
    })?;
    if let Some(currency) = file.currency.filter(|c| c != "USD") {
        let origin = origin.to_owned();
        return Err(PriceError::Currency { origin, currency });
    }
    let shown = match &file.as_of {
        Some(day) => format!("{origin}, as of {day}"),
        None => origin.to_owned(),
    };
    let rows = file.price.into_iter();
    rows.map(|row| entry(row, origin, &shown)).collect()
}

fn entry(row: Row, origin: &str, shown: &str) -> Result<Entry, PriceError> {
    let numbers = [
        ("input", Some(row.input)),
        ("cached_input", row.cached_input),
        ("output", Some(row.output)),
        ("batch", row.batch),
    ];
    for (field, value) in numbers {
        let Some(value) = value else { continue };
        let most = if field == "batch" { 1.0 } else { 1e6 };
        if !(0.0..=most).contains(&value) {
            return Err(PriceError::Value {
                origin: origin.to_owned(),
                model: row.model,
                field,
                value: value.to_string(),
            });
        }
    }
    Ok(Entry {
        provider: row.provider,
        price: Price {
            model: row.model,
            input: row.input,
            cached_input: row.cached_input.unwrap_or(row.input),
            output: row.output,
            batch: row.batch.unwrap_or(1.0),
            origin: shown.to_owned(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(name: &str) -> Option<Price> {
        PriceTable::embedded().find("openai", name).cloned()
    }

    #[test]
    fn the_built_in_list_reads_and_says_of_when_it_is() {
        let price = model("gpt-4.1-mini-2025-04-14").unwrap();
        assert_eq!(price.model, "gpt-4.1-mini*");
        assert!(
            price.line().contains("as of 2026-07-24"),
            "{}",
            price.line()
        );
        assert_eq!(model("gpt-4.1").unwrap().output, 8.0);
    }

    #[test]
    fn an_unknown_model_has_no_price() {
        assert_eq!(model("Qwen3-VL-32B"), None);
        assert_eq!(model("gpt-5-turbo-max"), None);
        assert_eq!(model(""), None);
    }

    #[test]
    fn a_users_file_wins() {
        let text = "[[price]]\nmodel='*'\nprovider='gemini'\ninput=1\noutput=2\n\
                    [[price]]\nmodel='gpt-4.1'\ninput=9\noutput=9\nbatch=0.25\n";
        let table = PriceTable::embedded().with(text, "prices.toml").unwrap();
        assert_eq!(table.find("openai", "gpt-4.1").unwrap().input, 9.0);
        assert_eq!(table.find("openai", "gpt-4.1-mini").unwrap().input, 0.4);
        assert_eq!(table.find("gemini", "anything").unwrap().output, 2.0);
        assert_eq!(table.find("openai", "anything"), None);
        // No cache price: cached input costs what input costs.
        let own = table.find("openai", "gpt-4.1").unwrap();
        assert_eq!(own.cached_input, 9.0);
    }

    #[test]
    fn wrong_files_are_named() {
        let read = |text: &str| PriceTable::embedded().with(text, "mine.toml").unwrap_err();
        let negative = "[[price]]\nmodel='m'\ninput=-1\noutput=2\n";
        assert!(matches!(
            read(negative),
            PriceError::Value { field: "input", .. }
        ));
        let nan = "[[price]]\nmodel='m'\ninput=nan\noutput=2\n";
        assert!(matches!(read(nan), PriceError::Value { .. }));
        assert!(matches!(
            read("currency='EUR'"),
            PriceError::Currency { .. }
        ));
        assert!(
            read("[[price]]\nmodle='m'")
                .to_string()
                .contains("mine.toml")
        );
    }

    #[test]
    fn cached_tokens_are_part_of_the_input() {
        let price = model("gpt-4.1").unwrap();
        let usage = Usage {
            input: Some(1_000_000),
            cached: Some(400_000),
            output: Some(100_000),
            reasoning: Some(50_000),
        };
        // 0.6 x 2 + 0.4 x 0.5 + 0.1 x 8
        assert_eq!(price.usage(&usage), Money::dollars(2.2));
        assert_eq!(price.usage(&Usage::default()), None);
    }
}
