//! Merging without a model: pairs that are proposed, or have the same typed key, and that nothing
//! keeps apart.

use verispec_model::YesNo;

use super::propose::{EmbedError, Proposal, Proposer, propose};
use super::veto::{contradicts, vetoes};
use crate::phrase::Phrase;

/// What can be said of a list of specifications without asking a model.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalMerge {
    /// Positions that say the same, each group ascending, groups by first member; every position
    /// stands in exactly one.
    pub groups: Vec<Vec<usize>>,
    /// Pairs that were proposed, vetoed ones included.
    pub proposals: Vec<Proposal>,
    /// Proposed pairs that no output can well meet both.
    pub contradictions: Vec<(usize, usize)>,
}

/// Groups questions with their expected answers.
///
/// Equal typed keys always merge; a proposed pair merges if no veto holds between any two members
/// of the groups that it joins. Different expected answers never merge.
///
/// # Errors
/// The embedding fails.
pub fn merge_local(
    items: &[(&str, YesNo)],
    proposer: &Proposer<'_>,
) -> Result<LocalMerge, EmbedError> {
    let questions: Vec<&str> = items.iter().map(|(q, _)| *q).collect();
    let phrases: Vec<Phrase> = questions.iter().map(|q| Phrase::of(q)).collect();
    let proposals = propose(&questions, proposer)?;
    let same = |a: usize, b: usize| {
        items[a].1 == items[b].1 && vetoes(&phrases[a], &phrases[b]).is_empty()
    };
    let mut groups: Vec<Vec<usize>> = (0..items.len()).map(|i| vec![i]).collect();
    let mut best = proposals.clone();
    best.extend(keyed(&phrases));
    best.sort_by(|x, y| {
        y.similarity
            .total_cmp(&x.similarity)
            .then((x.a, x.b).cmp(&(y.a, y.b)))
    });
    for pair in best {
        join(&mut groups, (pair.a, pair.b), &same);
    }
    let against = |p: &&Proposal| {
        let differ = items[p.a].1 != items[p.b].1;
        let equal = vetoes(&phrases[p.a], &phrases[p.b]).is_empty();
        (differ && equal) || (!differ && contradicts(&phrases[p.a], &phrases[p.b]))
    };
    let contradictions = proposals
        .iter()
        .filter(against)
        .map(|p| (p.a, p.b))
        .collect();
    groups.sort();
    Ok(LocalMerge {
        groups,
        proposals,
        contradictions,
    })
}

/// Pairs whose typed keys are equal.
fn keyed(phrases: &[Phrase]) -> Vec<Proposal> {
    let mut first = std::collections::BTreeMap::new();
    let mut pairs = vec![];
    for (b, phrase) in phrases.iter().enumerate() {
        match first.get(&phrase.key()) {
            Some(a) => pairs.push(Proposal {
                a: *a,
                b,
                similarity: 1.0,
            }),
            None => {
                first.insert(phrase.key(), b);
            }
        }
    }
    pairs
}

/// Joins the groups of two positions if all their members agree.
fn join(
    groups: &mut Vec<Vec<usize>>,
    (a, b): (usize, usize),
    same: &impl Fn(usize, usize) -> bool,
) {
    let find = |groups: &[Vec<usize>], i: usize| groups.iter().position(|g| g.contains(&i));
    let (Some(x), Some(y)) = (find(groups, a), find(groups, b)) else {
        return;
    };
    let agree = groups[x]
        .iter()
        .all(|i| groups[y].iter().all(|j| same(*i, *j)));
    if x == y || !agree {
        return;
    }
    let moved = groups.remove(x.max(y));
    let kept = &mut groups[x.min(y)];
    kept.extend(moved);
    kept.sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_stands_in_one_group() {
        let items = [
            ("Is the car red?", YesNo::Yes),
            ("Is there a dog?", YesNo::Yes),
            ("Is the colour of the car red?", YesNo::Yes),
            ("Is the car blue?", YesNo::Yes),
            ("Does the image show a dog?", YesNo::No),
        ];
        let merged = merge_local(&items, &Proposer::Lexical).unwrap();
        assert_eq!(merged.groups, [vec![0, 2], vec![1], vec![3], vec![4]]);
        assert!(
            merged.contradictions.contains(&(1, 4)),
            "expected answers differ"
        );
    }

    struct Wrong;
    impl super::super::propose::Embed for Wrong {
        fn name(&self) -> &str {
            "wrong"
        }
        fn embed(&self, _: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
            Ok(vec![vec![1.0]])
        }
    }

    #[test]
    fn an_embedding_that_loses_texts_is_an_error() {
        let items = [("Is it?", YesNo::Yes), ("Is it so?", YesNo::Yes)];
        assert!(merge_local(&items, &Proposer::Embedding(&Wrong)).is_err());
    }

    proptest::proptest! {
        #[test]
        fn groups_are_a_partition(texts in proptest::collection::vec("[a-c ]{0,6}", 0..12)) {
            let items: Vec<(&str, YesNo)> = texts.iter().map(|t| (t.as_str(), YesNo::Yes)).collect();
            let merged = merge_local(&items, &Proposer::Lexical).unwrap();
            let mut all: Vec<usize> = merged.groups.concat();
            all.sort_unstable();
            proptest::prop_assert_eq!(all, (0..items.len()).collect::<Vec<_>>());
        }
    }
}
