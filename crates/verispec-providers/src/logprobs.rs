//! Log-probabilities of the tokens of an answer, in the shapes of the dialects that give them.

use serde_json::Value;
use verispec_model::{MAX_LOGPROB_POSITIONS, MAX_TOP_LOGPROBS, TokenLogprob, TopLogprob};

use crate::json::{list_of, str_of};

/// All positions of a reply in order, reasoning included where the server counts it in.
#[derive(Debug, Default)]
pub(crate) struct Positions(Vec<TokenLogprob>);

impl Positions {
    /// Adds `choices[].logprobs.content`: `token`, `logprob`, `top_logprobs` at each position.
    pub(crate) fn openai(&mut self, content: &[Value]) {
        self.0.extend(content.iter().filter_map(|position| {
            let TopLogprob { token, logprob } = candidate(position, "logprob")?;
            let top = top(list_of(position, "top_logprobs"), "logprob");
            Some(TokenLogprob {
                token,
                logprob,
                top,
            })
        }));
    }

    /// Adds a candidate's `logprobsResult`: chosen tokens, and beside them the likeliest ones.
    pub(crate) fn gemini(&mut self, result: &Value) {
        let tops = list_of(result, "topCandidates");
        let chosen = list_of(result, "chosenCandidates").iter().enumerate();
        self.0.extend(chosen.filter_map(|(i, position)| {
            let TopLogprob { token, logprob } = candidate(position, "logProbability")?;
            let candidates = tops.get(i).map_or(&[][..], |t| list_of(t, "candidates"));
            let top = top(candidates, "logProbability");
            Some(TokenLogprob {
                token,
                logprob,
                top,
            })
        }));
    }

    /// The first positions of `text`. Servers that separate reasoning may still count its tokens
    /// in: then the answer is looked for from the end, and where it is not found there is nothing
    /// to say about it.
    pub(crate) fn of_answer(mut self, text: &str, reasoning: &str) -> Option<Vec<TokenLogprob>> {
        let start = match self.start_of(text.trim()) {
            Some(start) => start,
            None if reasoning.is_empty() => 0,
            None => return None,
        };
        self.0.drain(..start);
        self.0.truncate(MAX_LOGPROB_POSITIONS);
        Some(self.0).filter(|positions| !positions.is_empty())
    }

    /// Index of the token that holds the first character of the answer.
    fn start_of(&self, answer: &str) -> Option<usize> {
        let whole: String = self.0.iter().map(|p| p.token.as_str()).collect();
        let at = whole.rfind(answer).filter(|_| !answer.is_empty())?;
        let mut end = 0;
        self.0.iter().position(|p| {
            end += p.token.len();
            end > at
        })
    }
}

fn top(candidates: &[Value], name: &str) -> Vec<TopLogprob> {
    let read = candidates.iter().filter_map(|c| candidate(c, name));
    read.take(MAX_TOP_LOGPROBS).collect()
}

/// A token with its log-probability; servers write null for a probability of zero.
fn candidate(value: &Value, name: &str) -> Option<TopLogprob> {
    Some(TopLogprob {
        token: str_of(value, "token")?.to_owned(),
        logprob: value.get(name)?.as_f64()?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn positions(tokens: &[&str]) -> Positions {
        let content: Vec<Value> = tokens
            .iter()
            .map(|t| json!({"token": t, "logprob": -0.5}))
            .collect();
        let mut positions = Positions::default();
        positions.openai(&content);
        positions
    }

    fn kept(tokens: &[&str], text: &str, reasoning: &str) -> Option<Vec<String>> {
        let kept = positions(tokens).of_answer(text, reasoning)?;
        Some(kept.into_iter().map(|p| p.token).collect())
    }

    #[test]
    fn reasoning_tokens_are_left_out() {
        let tokens = [
            "<think>", "No", "?", "</think>", "\n\n", "Yes", ".", "<|end|>",
        ];
        let answer = kept(&tokens, "Yes.", "No?").unwrap();
        assert_eq!(answer, ["Yes", ".", "<|end|>"]);
        assert_eq!(kept(&tokens, "something else", "No?"), None);
        // Tokens of a cut character do not spell the text; without reasoning they start with it.
        let answer = kept(&["\\xe2", "\\x9c", "Yes"], "✓Yes", "").unwrap();
        assert_eq!(answer.len(), 3);
    }

    #[test]
    fn bounded_and_absent() {
        let many = ["a"; 50];
        assert_eq!(kept(&many, &"a".repeat(50), "").unwrap().len(), 8);
        assert_eq!(kept(&[], "Yes", ""), None);
        assert_eq!(kept(&["Yes"], "", "").unwrap(), ["Yes"]);
    }
}
