use verispec_model::{SpecId, YesNo};

use super::*;

/// Two instances of three specifications, in odd spacing.
fn suite(dir: &Path) {
    let write = |path: &str, text: &str| {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let task =
        |id: &str| format!("{{\"id\": \"{id}\", \"question\": \"Draw.\", \"dimension\": \"d\"}}\n");
    write("eval_data/t2i/tasks.jsonl", &(task("a_1") + &task("a_2")));
    let item = |i: usize| {
        format!(
            "{{ \"id\":{i},\n\"question\": \"Is \\\"{i}\\\" there?\", \"category\": \"c\", \
             \"subcategory\": \"\", \"expected_answer\" :  \"Yes\", \"score\": 9.0 }}"
        )
    };
    let text = format!("[{}]\n", (1..=3).map(item).collect::<Vec<_>>().join(" , "));
    write("eval_checklist/t2i/d/a_1.json", &text);
    write("eval_checklist/t2i/d/a_2.json", &text);
}

fn line(instance: &str, spec: u32, action: &str, more: &str) -> String {
    format!(
        "{{\"track\": \"t2i\", \"instance\": \"{instance}\", \"spec\": {spec}, \
         \"question\": \"Is \\\"{spec}\\\" there?\", \"action\": \"{action}\", \"why\": [\"x\"]{more}}}\n"
    )
}

struct Ground {
    dir: tempfile::TempDir,
}

impl Ground {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        suite(&dir.path().join("suite"));
        Self { dir }
    }

    fn patch(&self, from: &str, to: &str, list: &str) -> Result<Patched, OverlayError> {
        let path = self.dir.path().join("list.jsonl");
        fs::write(&path, list).unwrap();
        patch(
            &self.dir.path().join(from),
            &path,
            &self.dir.path().join(to),
        )
    }

    fn specs(&self, folder: &str, instance: &str) -> Vec<(SpecId, String, YesNo, Option<f64>)> {
        let suite = load(&self.dir.path().join(folder)).unwrap().suite;
        let specs = &suite.instance("t2i", instance).unwrap().specifications;
        specs
            .iter()
            .map(|s| (s.id, s.question.clone(), s.expected, s.rating))
            .collect()
    }
}

#[test]
fn a_list_is_laid_over_the_suite_and_named() {
    let place = Ground::new();
    let list = line("a_1", 1, "retire", "")
        + &line(
            "a_1",
            3,
            "repair",
            ", \"to\": {\"question\": \"Is \\\"three\\\" there?\"}",
        )
        + "\n"
        + &line("a_2", 2, "retire", "")
        + &line("a_2", 3, "retire", "")
        + &line("a_2", 1, "repair", "");
    let base = load(&place.dir.path().join("suite"))
        .unwrap()
        .suite
        .revision;
    let done = place.patch("suite", "p1", &list).unwrap();
    assert_eq!((done.retired, done.repaired, done.instances), (3, 1, 2));
    assert_eq!(done.name, format!("specv@{base}+p1"));
    assert!(
        done.revision.starts_with(&format!("{base}+p1.")),
        "{}",
        done.revision
    );
    assert_eq!(done.unworded, ["t2i/a_2#1"]);
    let old = |i: u32| (i, format!("Is \"{i}\" there?"), YesNo::Yes, Some(9.0));
    let new = (3, "Is \"three\" there?".to_owned(), YesNo::Yes, None);
    assert_eq!(place.specs("p1", "a_1"), [old(2), new]);
    assert_eq!(place.specs("p1", "a_2"), [old(1)]);
    assert_eq!(
        place.specs("suite", "a_1"),
        [old(1), old(2), old(3)],
        "the suite stays"
    );

    // One more over it, and another first one: three different versions.
    let more = line("a_1", 2, "repair", ", \"to\": {\"expected\": \"No\"}");
    let second = place.patch("p1", "p2", &more).unwrap();
    assert_eq!(second.name, format!("specv@{base}+p2"));
    assert_eq!(place.specs("p2", "a_1")[0].2, YesNo::No);
    let other = place.patch("suite", "other", &more).unwrap();
    assert_eq!(other.name, done.name);
    assert_ne!(other.revision, done.revision);
}

#[test]
fn a_list_that_does_not_fit_is_refused_with_its_line_and_writes_nothing() {
    let place = Ground::new();
    let all = [1, 2, 3].map(|i| line("a_1", i, "retire", "")).concat();
    for (list, words) in [
        (
            line("a_9", 1, "retire", ""),
            "line 1: the suite has no instance t2i/a_9",
        ),
        (line("a_1", 9, "retire", ""), "no specification 9"),
        (
            line("a_1", 1, "retire", "").replace("there", "gone"),
            "another version",
        ),
        (
            line("a_1", 1, "retire", "") + &line("a_1", 1, "repair", ""),
            "line 2: line 1",
        ),
        (
            line("a_1", 1, "retire", ", \"to\": {\"expected\": \"No\"}"),
            "no new words",
        ),
        (line("a_1", 1, "repair", ", \"to\": {}"), "neither"),
        (line("a_1", 1, "improve", ""), "improve"),
        (all, "nothing would be left"),
        (String::new(), "no change"),
    ] {
        let error = place.patch("suite", "out", &list).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        assert!(!place.dir.path().join("out").exists());
    }
}
