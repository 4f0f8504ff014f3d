//! What runs cost: the price list, estimates before a call, accounts after it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use verispec_engine::execute::Costs;
use verispec_engine::ledger::{Spending, Used};
use verispec_media::{Limits, probe};
use verispec_model::{JudgeIdentity, Part, Request, Usage};
use verispec_providers::price::{Money, Price, PriceTable};

use crate::exit::usage;
use crate::judge::BUILTIN;

/// File of prices that is read when `--prices` is not given.
pub(crate) const FILE: &str = "prices.toml";

/// Tokens of a reply apart from its items, and of each item: a number, one short sentence and a
/// word, as our templates ask for.
const REPLY_TOKENS: u64 = 20;
const ITEM_TOKENS: u64 = 45;

/// Tokens of the longest reply that is reckoned with where no limit is set.
pub(crate) const LONG_REPLY: u64 = 4096;

/// Shortest prefix that providers serve from their prompt cache (OpenAI's and Gemini's guides).
const CACHED_FROM: u64 = 1024;

/// The price list: built in, below a file that `--prices` names or that lies in this folder.
pub(crate) fn prices(file: Option<&Path>) -> anyhow::Result<PriceTable> {
    let path = match file {
        Some(path) => path,
        None if Path::new(FILE).exists() => Path::new(FILE),
        None => return Ok(PriceTable::embedded()),
    };
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let table = PriceTable::embedded().with(&text, &shown);
    table.map_err(|e| usage(e.to_string()))
}

/// The price of a judge, if one is known.
pub(crate) fn price_of(table: &PriceTable, judge: &JudgeIdentity) -> Option<Price> {
    if judge.provider == BUILTIN {
        return Some(Price::free());
    }
    table.find(&judge.provider, &judge.model).cloned()
}

/// What to do about a judge without a price.
pub(crate) fn no_price(judge: &JudgeIdentity) -> String {
    format!(
        "no price known for {} {}; put a [[price]] with model, input and output into {FILE}, or \
         name a file with --prices",
        judge.provider, judge.model
    )
}

/// The limit that `--max-cost` sets.
pub(crate) fn max_cost(given: Option<f64>) -> anyhow::Result<Option<Money>> {
    let limit = given.map(|usd| {
        Money::dollars(usd)
            .ok_or_else(|| usage("--max-cost: an amount of dollars, 0 or more, is needed"))
    });
    limit.transpose()
}

/// Refuses a limit on a judge without a price.
pub(crate) fn unlimited(judge: &JudgeIdentity) -> anyhow::Error {
    usage(format!("--max-cost needs a price: {}", no_price(judge)))
}

/// Size of one request or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Size {
    /// Requests.
    pub(crate) calls: usize,
    /// Bytes on the wire, as files are now.
    pub(crate) bytes: u64,
    /// Prompt tokens.
    pub(crate) input: u64,
    /// Of these, in a prefix that the request before shares.
    pub(crate) cached: u64,
    /// Tokens of the replies, as expected.
    pub(crate) output: u64,
    /// Tokens of the replies, at most.
    pub(crate) most_output: u64,
}

impl std::ops::AddAssign for Size {
    fn add_assign(&mut self, more: Self) {
        self.calls += more.calls;
        self.bytes += more.bytes;
        self.input += more.input;
        self.cached += more.cached;
        self.output += more.output;
        self.most_output += more.most_output;
    }
}

/// Sizes requests without rendering them; each image is looked at once.
pub(crate) struct Estimator {
    images: Mutex<HashMap<PathBuf, ImageSize>>,
    price: Option<Price>,
}

/// Bytes of the file, width and height.
type ImageSize = (u64, (u32, u32));

impl Estimator {
    pub(crate) fn new(price: Option<Price>) -> Self {
        Self {
            images: Mutex::default(),
            price,
        }
    }

    /// Size of a request that is sent after `before`, to the same judge.
    pub(crate) fn size(&self, request: &Request, before: Option<&Request>) -> Size {
        let mut size = Size {
            calls: 1,
            output: expected_output(request),
            most_output: most_output(request),
            ..Size::default()
        };
        let mut shared = before.map(|b| b.parts.iter());
        let (mut prefix, mut same) = (0, before.is_some());
        for part in &request.parts {
            let (bytes, tokens) = self.part(part, &request.judge);
            size.bytes += bytes;
            size.input += tokens;
            same = same && shared.as_mut().and_then(Iterator::next) == Some(part);
            if same {
                prefix += tokens;
            }
        }
        if prefix >= CACHED_FROM && caches(&request.judge) {
            size.cached = prefix;
        }
        size
    }

    /// Bytes on the wire and prompt tokens of one part.
    fn part(&self, part: &Part, judge: &JudgeIdentity) -> (u64, u64) {
        let dialect = verispec_providers::dialect(&judge.provider);
        let tokens = |texts: Option<&str>, images: &[(u32, u32)]| {
            let model = (judge.model.as_str(), &judge.params);
            dialect.map_or(0, |d| {
                verispec_providers::estimate_tokens(d, model, texts, images)
            })
        };
        match part {
            Part::Text(text) => (text.len() as u64, tokens(Some(text), &[])),
            Part::Image(image) => {
                let (size, pixels) = self.image(&image.path);
                (size.div_ceil(3) * 4, tokens(None, &[pixels]))
            }
        }
    }

    fn image(&self, path: &Path) -> ImageSize {
        let mut images = self.images.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = images.get(path) {
            return *known;
        }
        let info = probe(path, &Limits::default());
        let size = info.map_or((0, (0, 0)), |i| (i.bytes, (i.width, i.height)));
        images.insert(path.to_owned(), size);
        size
    }
}

impl Costs for Estimator {
    /// Without a prompt cache and with the longest reply.
    fn at_most(&self, request: &Request) -> Money {
        let size = self.size(request, None);
        let price = self.price.as_ref();
        price.map_or(Money::ZERO, |p| p.tokens(size.input, 0, size.most_output))
    }

    fn of(&self, _request: &Request, usage: &Usage) -> Option<Money> {
        self.price.as_ref()?.usage(usage)
    }
}

/// Whether a judge's prompts are cached: Anthropic does so only where a request is marked.
fn caches(judge: &JudgeIdentity) -> bool {
    let marked = judge.params.get("prompt_cache") == Some(&serde_json::Value::Bool(true));
    judge.provider != "anthropic" || marked
}

fn expected_output(request: &Request) -> u64 {
    let items = request.questions.len().max(1) as u64;
    let judged = || REPLY_TOKENS + ITEM_TOKENS * items;
    let expected = verispec_specs::ser::reply_tokens(request).unwrap_or_else(judged);
    limit(request).map_or(expected, |limit| expected.min(limit))
}

/// The limit that is sent, else [`LONG_REPLY`] or four times the expected length.
fn most_output(request: &Request) -> u64 {
    limit(request).unwrap_or_else(|| LONG_REPLY.max(4 * expected_output(request)))
}

/// The token limit that a request carries.
pub(crate) fn limit(request: &Request) -> Option<u64> {
    let params = &request.judge.params;
    let names = ["max_completion_tokens", "max_tokens"];
    let set = names.iter().find_map(|name| params.get(*name)?.as_u64());
    let always = || verispec_providers::ANTHROPIC_MAX_TOKENS;
    set.or_else(|| (request.judge.provider == "anthropic").then(always))
}

/// What expected output rests on, in words.
pub(crate) fn assumption() -> String {
    format!(
        "replies of {REPLY_TOKENS} tokens and {ITEM_TOKENS} more a statement; at most the token \
         limit that is set, without one {LONG_REPLY}; a judge that thinks writes more"
    )
}

/// What a run has cost so far, from what replies report.
pub(crate) fn spent(price: &Price, spending: &Spending) -> Money {
    let cost = |used: &Used| price.usage(&used.usage).unwrap_or(Money::ZERO);
    cost(&spending.calls) + cost(&spending.batch).times(price.batch)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use verispec_model::{Hash, Params, Question, Structured};

    use super::*;

    fn request(texts: &[String], params: Params) -> Request {
        Request {
            protocol: "p@1".into(),
            template: Hash::of(b"t"),
            judge: Arc::new(JudgeIdentity {
                provider: "openai".into(),
                model: "gpt-4.1".into(),
                params,
                structured: Structured::None,
                revision: None,
            }),
            parts: texts.iter().cloned().map(Part::Text).collect(),
            questions: vec![Question {
                id: 1,
                text: "q".into(),
            }],
            schema: None,
            repeat: 0,
            parent: None,
            derivation: None,
        }
    }

    #[test]
    fn a_shared_prefix_is_cached_and_only_a_long_one() {
        let estimator = Estimator::new(None);
        let long = |tail: &str| request(&["a".repeat(8000), tail.to_owned()], Params::new());
        let first = long("one?");
        let size = estimator.size(&long("two?"), Some(&first));
        assert_eq!((size.input, size.cached), (2001, 2000));
        assert_eq!(estimator.size(&first, None).cached, 0);
        let short = |tail: &str| request(&["a".repeat(800), tail.to_owned()], Params::new());
        assert_eq!(estimator.size(&short("2"), Some(&short("1"))).cached, 0);
    }

    #[test]
    fn a_token_limit_bounds_the_reply() {
        let set = Params::from([("max_tokens".to_owned(), serde_json::json!(30))]);
        let size = Estimator::new(None).size(&request(&[], set), None);
        assert_eq!((size.output, size.most_output), (30, 30));
        let size = Estimator::new(None).size(&request(&[], Params::new()), None);
        assert_eq!((size.output, size.most_output), (65, LONG_REPLY));
    }

    #[test]
    fn batches_cost_their_share() {
        let price = price_of(&PriceTable::embedded(), &request(&[], Params::new()).judge);
        let price = price.expect("gpt-4.1 is listed");
        let used = Used {
            usage: Usage {
                input: Some(1_000_000),
                output: Some(0),
                ..Usage::default()
            },
            ..Used::default()
        };
        let spending = Spending {
            calls: used,
            batch: used,
        };
        assert_eq!(Some(spent(&price, &spending)), Money::dollars(3.0));
        assert_eq!(spent(&price, &Spending::default()), Money::ZERO);
    }
}
