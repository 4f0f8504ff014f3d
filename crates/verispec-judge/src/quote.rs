//! What a judge wrote where it gave no verdict, for people who want to see why.

use std::collections::HashMap;

use verispec_model::{Hash, Reading, Replies, Reply, Settled, SpecId, SpecResult};

/// Characters of a reply that are kept.
const LONGEST: usize = 500;

/// Puts the start of the reply into the note of every unjudged result that has none. Of several
/// results of one reply the first gets it, the others refer to that one.
pub fn quote_unjudged(results: &mut [SpecResult], replies: &dyn Replies) {
    let mut told: HashMap<Hash, SpecId> = HashMap::new();
    for result in results {
        let unjudged = matches!(result.reading, Some(Reading::Unjudged(_)));
        let Some(key) = result
            .provenance
            .request
            .filter(|_| unjudged && result.provenance.note.is_none())
        else {
            continue;
        };
        if let Some(first) = told.get(&key) {
            result.provenance.note = Some(format!("the same reply as for #{first}"));
        } else if let Some(Settled::Answered(reply)) = replies.get(&key) {
            result.provenance.note = Some(quote(&reply));
            told.insert(key, result.id());
        }
    }
}

/// The start of a reply's text, else why there is none.
fn quote(reply: &Reply) -> String {
    let text = reply.text.trim();
    if text.is_empty() {
        let finish = reply.finish_raw.as_deref().unwrap_or("not said why");
        return format!("the reply holds no text ({finish})");
    }
    let mut start: String = text.chars().take(LONGEST).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    format!("the judge wrote: {start}")
}

#[cfg(test)]
mod tests {
    use verispec_model::{Origin, Specification, Unjudged, YesNo};

    use super::*;

    fn result(id: SpecId, reading: Option<Reading>, key: Hash) -> SpecResult {
        let spec = Specification {
            id,
            question: "q".into(),
            category: String::new(),
            subcategory: String::new(),
            expected: YesNo::Yes,
            rating: None,
            rules: verispec_model::SpecRules::default(),
            record: Default::default(),
        };
        SpecResult {
            reading,
            provenance: Origin::alone(key).into(),
            ..SpecResult::pending(spec)
        }
    }

    #[test]
    fn unjudged_results_show_the_reply_once_and_judged_ones_do_not() {
        let (key, other) = (Hash::of(b"k"), Hash::of(b"o"));
        let long = "I cannot help. ".repeat(100);
        let replies = HashMap::from([
            (key, Settled::Answered(Reply::text(long.as_str()))),
            (other, Settled::Answered(Reply::text(""))),
        ]);
        let unjudged = || Some(Reading::Unjudged(Unjudged::Unparsed));
        let mut results = [
            result(1, Some(Reading::yes_no(YesNo::No)), key),
            result(2, unjudged(), key),
            result(3, unjudged(), key),
            result(4, unjudged(), other),
            result(5, None, key),
            result(6, unjudged(), Hash::of(b"absent")),
        ];
        quote_unjudged(&mut results, &replies);
        let notes = results.map(|r| r.provenance.note.clone());
        let quoted = notes[1].as_deref().unwrap();
        assert!(
            quoted.starts_with("the judge wrote: I cannot help."),
            "{quoted}"
        );
        assert!(quoted.chars().count() <= LONGEST + 20 && quoted.ends_with('…'));
        assert_eq!(notes[2].as_deref(), Some("the same reply as for #2"));
        assert!(notes[3].as_deref().unwrap().contains("no text"));
        assert_eq!((&notes[0], &notes[4], &notes[5]), (&None, &None, &None));
    }
}
