//! How likely a yes was, from the log-probabilities of a reply's first token.

use verispec_model::{Reply, SoftVerdict, TokenLogprob};

use crate::reader::{AnswerWord, answer_word};

/// P(yes) of a reply that starts with its answer, or `None` where nothing can be said: no
/// log-probabilities, or neither word among the likeliest tokens.
///
/// P(yes) sums over all spellings among the candidates (`Yes`, ` yes`, `YES`, `是`), P(no)
/// likewise; candidates that are no answer word (pieces, quotes, braces) count for neither.
pub(super) fn soft_verdict(reply: &Reply) -> Option<SoftVerdict> {
    let first = first_word(reply.logprobs.as_deref()?)?;
    let (mut yes, mut no) = (0.0, 0.0);
    for (token, logprob) in candidates(first) {
        match answer_word(token) {
            Some(AnswerWord::Yes) => yes += logprob.exp(),
            Some(AnswerWord::No) => no += logprob.exp(),
            Some(AnswerWord::Abstain) | None => {}
        }
    }
    let mass: f64 = yes + no;
    (mass.is_finite() && mass > 0.0).then(|| SoftVerdict {
        p_yes: yes / mass,
        mass: mass.min(1.0),
    })
}

/// The first position whose token is more than white space.
fn first_word(positions: &[TokenLogprob]) -> Option<&TokenLogprob> {
    positions.iter().find(|p| !p.token.trim().is_empty())
}

/// The likeliest tokens of a position; the generated one counts also where a server leaves it
/// out.
fn candidates(position: &TokenLogprob) -> impl Iterator<Item = (&str, f64)> {
    let top = position.top.iter();
    let listed = top.clone().any(|t| t.token == position.token);
    let own = (!listed).then_some((position.token.as_str(), position.logprob));
    top.map(|t| (t.token.as_str(), t.logprob)).chain(own)
}

#[cfg(test)]
mod tests {
    use verispec_model::TopLogprob;

    use super::*;

    fn reply(token: &str, top: &[(&str, f64)]) -> Reply {
        let top: Vec<TopLogprob> = top
            .iter()
            .map(|(token, p)| TopLogprob {
                token: (*token).to_owned(),
                logprob: p.ln(),
            })
            .collect();
        let own = top.iter().find(|t| t.token == token);
        let position = TokenLogprob {
            token: token.to_owned(),
            logprob: own.map_or(-1.0, |t| t.logprob),
            top,
        };
        Reply {
            logprobs: Some(vec![position]),
            ..Reply::text(token)
        }
    }

    #[test]
    fn spellings_are_summed_and_normalised() {
        let top = [
            ("Yes", 0.5),
            (" yes", 0.1),
            ("YES", 0.05),
            ("是", 0.05),
            ("No", 0.2),
            (" no", 0.1),
        ];
        let soft = soft_verdict(&reply("Yes", &top)).unwrap();
        assert!((soft.p_yes - 0.7).abs() < 1e-12 && (soft.mass - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_no_answer_word_lowers_the_mass_only() {
        let soft = soft_verdict(&reply("No", &[("No", 0.3), ("Yes", 0.1), ("The", 0.4)])).unwrap();
        assert!((soft.p_yes - 0.25).abs() < 1e-12 && (soft.mass - 0.4).abs() < 1e-12);
    }

    #[test]
    fn undefined_without_either_word_or_without_log_probabilities() {
        assert_eq!(soft_verdict(&reply("{", &[("{", 0.9), ("[", 0.1)])), None);
        assert_eq!(soft_verdict(&Reply::text("Yes")), None);
        assert_eq!(soft_verdict(&reply("Yes", &[("Yes", 0.0)])), None);
    }
}
