//! The same suite with the expected answer of a random half turned round: a judge that reads the
//! key follows it, a judge that looks at the output does not.

use std::path::Path;

use serde::Serialize;
use verispec_model::{Hash, Instance, SpecId, YesNo};

use super::load::{Place, Step, load};
use super::overlay::{Overlay, OverlayError, checklist, file_of};

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Flipped {
    /// Specifications with the other expected answer.
    pub flipped: usize,
    /// All specifications.
    pub specifications: usize,
    /// Instances.
    pub instances: usize,
}

/// Writes the suite below `root` to `out` with half of each instance's expected answers turned
/// round. Which half depends on the seed, the instance and the labels alone; an odd one out falls
/// to either side. Checklists keep every other byte; all else in the folder is linked.
///
/// # Errors
/// As [`OverlayError`] lists.
pub fn flip_keys(root: &Path, out: &Path, seed: u64) -> Result<Flipped, OverlayError> {
    let suite = load(root)?.suite;
    let overlay = Overlay::begin(root, out)?;
    let mut done = Flipped {
        flipped: 0,
        specifications: 0,
        instances: 0,
    };
    for instance in suite.instances() {
        let half = half(instance, seed);
        let text = turned(root, instance, &half)?;
        overlay.write(&file_of(instance), &text)?;
        done.flipped += half.len();
        done.specifications += instance.specifications.len();
        done.instances += 1;
    }
    overlay.link_rest(&[])?;
    Ok(done)
}

/// Labels of the half whose key is turned round.
fn half(instance: &Instance, seed: u64) -> Vec<SpecId> {
    let drawn = |what: &str| {
        let text = format!("{seed}\0{}\0{}\0{what}", instance.track, instance.id);
        Hash::of(text.as_bytes())
    };
    let mut labels: Vec<SpecId> = instance.specifications.iter().map(|s| s.id).collect();
    labels.sort_by_cached_key(|id| *drawn(&id.to_string()).as_bytes());
    let odd = drawn("odd").as_bytes()[0] & 1;
    labels.truncate((labels.len() + usize::from(odd)) / 2);
    labels
}

/// The checklist's text with the other answer for these labels.
fn turned(root: &Path, instance: &Instance, labels: &[SpecId]) -> Result<String, OverlayError> {
    let fault = |spec: SpecId, why: &str| OverlayError::Place {
        file: file_of(instance),
        spec,
        why: format!("expected_answer: {why}"),
    };
    let mut text = checklist(root, instance)?;
    for (i, spec) in instance.specifications.iter().enumerate() {
        if !labels.contains(&spec.id) {
            continue;
        }
        let path = [Step::Index(i), Step::Key("expected_answer")];
        let place = Place::of(&text, &path).ok_or_else(|| fault(spec.id, "it is not there"))?;
        let (was, is) = match spec.expected {
            YesNo::Yes => ("\"Yes\"", "\"No\""),
            YesNo::No => ("\"No\"", "\"Yes\""),
        };
        let found = &text[place.clone()];
        if found != was {
            return Err(fault(spec.id, &format!("{found} is not {was}")));
        }
        text.replace_range(place, is);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn suite(dir: &Path, specs: usize) {
        let write = |path: &str, text: &str| {
            let path = dir.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let task = "{\"id\": \"a_1\", \"question\": \"Draw.\", \"dimension\": \"d\"}\n";
        write("eval_data/t2i/tasks.jsonl", task);
        // Odd spacing, and a question that looks like a key.
        let item = |i: usize| {
            let answer = if i == 2 { "No" } else { "Yes" };
            format!(
                "{{ \"id\":{i},\n\"question\": \"Is \\\"expected_answer\\\": \\\"Yes\\\" {i}?\", \
                 \"category\": \"c\", \"subcategory\": \"\", \"expected_answer\" :  \"{answer}\", \
                 \"score\": 9.0 }}"
            )
        };
        let items: Vec<String> = (1..=specs).map(item).collect();
        let text = format!("[{}]\n", items.join(" , "));
        write("eval_checklist/t2i/d/a_1.json", &text);
    }

    fn flip(specs: usize, seed: u64) -> (Flipped, Vec<(SpecId, YesNo, YesNo)>, usize) {
        let dir = tempfile::tempdir().unwrap();
        let (root, out) = (dir.path().join("suite"), dir.path().join("flipped"));
        suite(&root, specs);
        let done = flip_keys(&root, &out, seed).unwrap();
        let specs = |root: &Path| {
            load(root).unwrap().suite.tracks[0].dimensions[0].instances[0]
                .specifications
                .clone()
        };
        let pairs = specs(&root).into_iter().zip(specs(&out));
        let pairs = pairs.map(|(a, b)| {
            assert_eq!((a.id, &a.question), (b.id, &b.question));
            (a.id, a.expected, b.expected)
        });
        let text = |root: &Path| fs::read_to_string(root.join("eval_checklist/t2i/d/a_1.json"));
        let (was, is) = (text(&root).unwrap(), text(&out).unwrap());
        let same_but_keys = |t: &str| t.replace("\"No\"", "\"Yes\"");
        assert_eq!(same_but_keys(&was), same_but_keys(&is));
        assert!(matches!(
            flip_keys(&root, &out, seed),
            Err(OverlayError::NotEmpty(_))
        ));
        (done, pairs.collect(), was.len())
    }

    #[test]
    fn half_of_the_keys_are_turned_round_and_nothing_else() {
        let (done, pairs, _) = flip(10, 1);
        let flipped = pairs.iter().filter(|(_, was, is)| was != is).count();
        assert_eq!((flipped, done.flipped, done.specifications), (5, 5, 10));
        assert_eq!(flip(10, 1).1, pairs);
        let other: Vec<_> = (2..8).map(|seed| flip(10, seed).1).collect();
        assert!(other.iter().any(|o| *o != pairs));
    }

    #[test]
    fn an_odd_one_falls_to_either_side() {
        let sizes: Vec<usize> = (0..12).map(|seed| flip(3, seed).0.flipped).collect();
        assert!(sizes.contains(&1) && sizes.contains(&2), "{sizes:?}");
    }
}
