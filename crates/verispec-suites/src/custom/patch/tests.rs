use super::*;

const SUITE: &str = concat!(
    "// mine\n",
    "{\"id\": \"a\", \"prompt\": \"Draw.\", \"references\": [\"in.png\"], \"specifications\": [",
    "{\"question\": \"Is it red?\", \"rating\": 9}, {\"question\": \"Is it big?\"}, ",
    "{\"question\": \"Is it both?\", \"depends_on\": [2]}]}\n",
    "{\"id\": \"b\",   \"prompt\": \"Sing.\", \"specifications\": [{\"question\": \"Is it red?\"}]}\n",
    "{\"id\": \"c\", \"prompt\": \"Say.\", \"choices\": [\"x\", \"y\"], \"answer\": \"A\"}\n",
);

fn line(instance: &str, spec: u32, question: &str, action: &str, more: &str) -> String {
    format!(
        "{{\"track\": \"main\", \"instance\": \"{instance}\", \"spec\": {spec}, \
         \"question\": \"{question}\", \"action\": \"{action}\"{more}}}\n"
    )
}

struct Ground(tempfile::TempDir);

impl Ground {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("mine.jsonl"), SUITE).unwrap();
        fs::write(dir.path().join("in.png"), "").unwrap();
        Self(dir)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn patch(&self, from: &str, out: &str, list: &str) -> Result<Patched, ChangeError> {
        let path = self.path("list.jsonl");
        fs::write(&path, list).unwrap();
        patch(&self.path(from), &path, &self.path(out))
    }

    fn refused(&self, list: &str) -> String {
        let error = self.patch("mine.jsonl", "no.jsonl", list).unwrap_err();
        assert!(!self.path("no.jsonl").exists());
        error.to_string()
    }
}

#[test]
fn labels_stay_and_the_version_names_its_base() {
    let ground = Ground::new();
    let base = load(&ground.path("mine.jsonl")).unwrap().suite.revision;
    let to = ", \"to\": {\"question\": \"Is it huge?\", \"expected\": \"No\"}";
    let list = line("a", 1, "Is it red?", "retire", "") + &line("a", 2, "Is it big?", "repair", to);
    let done = ground.patch("mine.jsonl", "p1.jsonl", &list).unwrap();
    assert_eq!(done.name, format!("mine@{base}+p1"));
    assert_eq!((done.retired, done.repaired, done.instances), (1, 1, 1));
    let loaded = load(&ground.path("p1.jsonl")).unwrap();
    assert_eq!(loaded.suite.name, "mine");
    assert_eq!(loaded.suite.revision, done.revision);
    assert!(done.revision.starts_with(&format!("{base}+p1.")));
    let a = loaded.suite.instance("main", "a").unwrap();
    let specs: Vec<_> = a
        .specifications
        .iter()
        .map(|s| (s.id, s.question.as_str(), s.expected.as_str()))
        .collect();
    assert_eq!(specs, [(2, "Is it huge?", "No"), (3, "Is it both?", "Yes")]);
    // What nothing changes keeps its bytes.
    let text = fs::read_to_string(ground.path("p1.jsonl")).unwrap();
    let rest: Vec<&str> = text.lines().skip(3).collect();
    assert_eq!(rest, SUITE.lines().skip(2).collect::<Vec<_>>());

    // A second patch lies over the first.
    let list = line("a", 2, "Is it huge?", "repair", "");
    let second = ground.patch("p1.jsonl", "p2.jsonl", &list).unwrap();
    assert_eq!(second.name, format!("mine@{base}+p2"));
    assert_eq!(second.unworded, ["main/a#2"]);
}

#[test]
fn a_list_that_cannot_be_applied_is_refused_with_its_line_and_writes_nothing() {
    let ground = Ground::new();
    let red = line("a", 1, "Is it red?", "retire", "");
    let presupposed = red.clone() + &line("a", 2, "Is it big?", "retire", "");
    let said = ground.refused(&presupposed);
    assert!(
        said.contains("line 2: specification 3 presupposes 2"),
        "{said}"
    );
    let said = ground.refused(&line("b", 1, "Is it red?", "retire", ""));
    assert!(said.contains("nothing would be left"), "{said}");
    let said = ground.refused(&line("a", 1, "Is it blue?", "retire", ""));
    assert!(said.contains("of another version of the suite"), "{said}");
    let said = ground.refused(&line("z", 1, "Is it red?", "retire", ""));
    assert!(said.contains("no instance main/z"), "{said}");
    let choice = load(&ground.path("mine.jsonl")).unwrap();
    let question = &choice.suite.instance("main", "c").unwrap().specifications[0].question;
    let to = ", \"to\": {\"question\": \"Is it x?\"}";
    let said = ground.refused(&line("c", 1, question, "repair", to));
    assert!(said.contains("multiple choice"), "{said}");
    // Input images would not be found from elsewhere.
    fs::create_dir(ground.path("else")).unwrap();
    let error = ground
        .patch("mine.jsonl", "else/p1.jsonl", &red)
        .unwrap_err();
    assert!(error.to_string().contains("beside it"), "{error}");
    let error = ground.patch("mine.jsonl", "mine.jsonl", &red).unwrap_err();
    assert!(matches!(error, ChangeError::Exists(_)));
}
