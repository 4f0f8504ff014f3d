//! What a tree may replace, what it removes, and what it leaves alone.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use verispec_generate::{
    BlobFolder, Blobs, GenerateJob, Input, Layout, Made, Place, SeedRule, Stage, State, System,
    Task, Tree, TreeError, Wants,
};
use verispec_model::{
    Finish, Hash, Job as _, JudgeIdentity, Params, Reply, ReplyPart, Settled, Structured, Unjudged,
    request_key,
};

struct Bench {
    dir: tempfile::TempDir,
    blobs: Arc<dyn Blobs>,
}

fn blob(hash: &Hash) -> String {
    format!("blobs/{hash}")
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("blobs")).unwrap();
        let blobs = Arc::new(BlobFolder::new(dir.path(), blob));
        Self { dir, blobs }
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    fn tree(&self, model: &str) -> Tree {
        Tree::new(&self.out(), model, 1, self.blobs.clone())
    }

    /// A picture of one colour as a part of a reply.
    fn picture(&self, colour: u8, mime: &str) -> ReplyPart {
        let mut bytes = std::io::Cursor::new(vec![]);
        let pixels = image::RgbImage::from_pixel(4, 4, image::Rgb([colour; 3]));
        let format = match mime {
            "image/jpeg" => image::ImageFormat::Jpeg,
            _ => image::ImageFormat::Png,
        };
        pixels.write_to(&mut bytes, format).unwrap();
        let bytes = bytes.into_inner();
        let hash = Hash::of(&bytes);
        fs::write(self.dir.path().join(blob(&hash)), &bytes).unwrap();
        ReplyPart::Image {
            hash,
            mime: mime.into(),
            bytes: bytes.len() as u64,
        }
    }

    /// The job of a task with one stage that is asked this.
    fn job(&self, model: &str, (track, id): (&str, &str), asked: &str, out: Layout) -> GenerateJob {
        let wants = match out {
            Layout::Image(_) => Wants::Image,
            Layout::Line => Wants::Text,
            _ => Wants::Any,
        };
        let task = Task {
            place: Place {
                track: track.into(),
                dimension: "d".into(),
                id: id.into(),
            },
            stages: vec![Stage::only(wants, vec![Input::Text(asked.into())])],
            seed: None,
            data_failure: None,
            output: out,
            middle: None,
            oracle: false,
        };
        let system = System::one(Arc::new(JudgeIdentity {
            provider: "openai".into(),
            model: model.into(),
            params: Params::new(),
            structured: Structured::None,
            revision: None,
        }));
        let who = (model, &system);
        GenerateJob::new(
            Arc::new(task),
            who,
            (0, 1),
            SeedRule::Suite,
            self.blobs.clone(),
        )
    }

    fn image(&self, model: &str, asked: &str) -> GenerateJob {
        self.job(model, ("t", "one"), asked, Layout::Image("t/one".into()))
    }
}

fn made(job: &GenerateJob, settled: Option<Settled>) -> Made {
    let mut replies = HashMap::new();
    let key = request_key(&job.step(&replies).ask[0]);
    replies.extend(settled.map(|s| (key, s)));
    job.step(&replies).readings
}

fn with(parts: Vec<ReplyPart>) -> Option<Settled> {
    Some(Settled::Answered(Reply {
        parts,
        ..Reply::text("")
    }))
}

fn said(text: &str) -> Option<Settled> {
    Some(Settled::Answered(Reply::text(text)))
}

fn refused() -> Option<Settled> {
    Some(Settled::Answered(Reply {
        finish: Finish::Refused,
        ..Reply::text("no")
    }))
}

/// Files of a folder by name, without statuses.
fn files(out: &Path) -> Vec<String> {
    fn walk(root: &Path, dir: &Path, found: &mut Vec<String>) {
        for path in fs::read_dir(dir).unwrap().flatten().map(|e| e.path()) {
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_str().unwrap().into());
            }
        }
    }
    let mut found = vec![];
    walk(out, out, &mut found);
    found.retain(|name| !name.starts_with('.'));
    found.sort();
    found
}

fn status(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join(".status/t/one.json")).unwrap()).unwrap()
}

#[test]
fn a_status_that_names_no_file_is_no_leave_to_replace_one() {
    let bench = Bench::new();
    let job = bench.image("m", "a boat");
    let path = bench.out().join("t/one.png");
    let waiting = [None, Some(Settled::Failed(Unjudged::Timeout)), refused()];
    for before in waiting {
        bench.tree("m").write(&job, &made(&job, before)).unwrap();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "mine").unwrap();
        let drawn = made(&job, with(vec![bench.picture(1, "image/png")]));
        let error = bench.tree("m").write(&job, &drawn).unwrap_err();
        assert!(matches!(error, TreeError::Foreign { .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"mine");
    }
}

#[test]
fn what_this_model_made_before_is_replaced_and_what_another_made_is_not() {
    let bench = Bench::new();
    let (first, second) = (bench.image("m", "a boat"), bench.image("m", "two boats"));
    let drawn = |job, colour| made(job, with(vec![bench.picture(colour, "image/png")]));
    bench.tree("m").write(&first, &drawn(&first, 1)).unwrap();
    let before = fs::read(bench.out().join("t/one.png")).unwrap();
    bench.tree("m").write(&second, &drawn(&second, 2)).unwrap();
    let after = fs::read(bench.out().join("t/one.png")).unwrap();
    assert_ne!(before, after);

    let other = bench.image("n", "two boats");
    for found in [
        drawn(&other, 3),
        made(&other, None),
        made(&other, refused()),
    ] {
        let error = bench.tree("n").write(&other, &found).unwrap_err();
        assert!(matches!(error, TreeError::Foreign { .. }), "{error}");
    }
    assert_eq!(fs::read(bench.out().join("t/one.png")).unwrap(), after);
    assert_eq!(status(&bench.out())["model"], "m");
}

#[test]
fn what_is_no_longer_the_models_output_is_removed() {
    let bench = Bench::new();
    let (first, second) = (bench.image("m", "a boat"), bench.image("m", "two boats"));
    let mut lacking = (*second.task).clone();
    lacking.data_failure = Some("no image".into());
    let system = System::one(first.identities().next().unwrap().clone());
    let blobs = bench.blobs.clone();
    let rule = SeedRule::Suite;
    let lacking = GenerateJob::new(Arc::new(lacking), ("m", &system), (0, 1), rule, blobs);
    let tree = bench.tree("m");
    let nobody = lacking.step(&HashMap::new()).readings;
    let jpeg = made(&second, with(vec![bench.picture(2, "image/jpeg")]));
    let cases = [
        (made(&second, refused()), vec![]),
        (made(&second, None), vec![]),
        (
            made(&second, Some(Settled::Failed(Unjudged::Timeout))),
            vec![],
        ),
        (nobody, vec![]),
        (jpeg, vec!["t/one.jpg"]),
    ];
    let drawn = made(&first, with(vec![bench.picture(1, "image/png")]));
    for (now, left) in cases {
        tree.write(&first, &drawn).unwrap();
        assert_eq!(files(&bench.out()), ["t/one.png"]);
        tree.write(&second, &now).unwrap();
        assert_eq!(files(&bench.out()), left, "{:?}", now.state);
        assert_eq!(status(&bench.out())["files"], json!(left));
    }
}

#[test]
fn a_folder_of_parts_that_becomes_one_file_is_gone() {
    let bench = Bench::new();
    let parts = Layout::Parts("t/one".into());
    let job = |asked| bench.job("m", ("t", "one"), asked, parts.clone());
    let (first, second) = (job("a boat"), job("two boats"));
    let several = vec![
        ReplyPart::Text("a boat:".into()),
        bench.picture(1, "image/png"),
    ];
    let tree = bench.tree("m");
    tree.write(&first, &made(&first, with(several))).unwrap();
    assert_eq!(files(&bench.out()), ["t/one/01.txt", "t/one/02.png"]);
    tree.write(&second, &made(&second, said("none"))).unwrap();
    assert_eq!(files(&bench.out()), ["t/one.txt"]);
    assert!(!bench.out().join("t/one").exists());
}

/// The same request without a reply at hand (another run, a ledger that is gone) says nothing
/// against what it made before.
#[test]
fn a_pending_call_keeps_what_the_same_request_made() {
    let bench = Bench::new();
    let job = bench.image("m", "a boat");
    let tree = bench.tree("m");
    let drawn = made(&job, with(vec![bench.picture(1, "image/png")]));
    tree.write(&job, &drawn).unwrap();
    for _ in 0..3 {
        tree.write(&job, &made(&job, None)).unwrap();
        assert_eq!(files(&bench.out()), ["t/one.png"]);
    }
    assert_eq!(status(&bench.out())["state"], "pending");
    assert_eq!(status(&bench.out())["files"], json!(["t/one.png"]));
    let redrawn = made(&job, with(vec![bench.picture(2, "image/jpeg")]));
    tree.write(&job, &redrawn).unwrap();
    assert_eq!(files(&bench.out()), ["t/one.jpg"]);
}

#[test]
fn a_file_that_cannot_be_read_here_is_not_the_models_failure() {
    let bench = Bench::new();
    let job = bench.image("m", "a boat");
    let picture = bench.picture(1, "image/png");
    let ReplyPart::Image { hash, .. } = &picture else {
        unreachable!()
    };
    let path = bench.dir.path().join(blob(hash));
    let bytes = fs::read(&path).unwrap();
    let reply = with(vec![picture]);
    let look = |why: &str| {
        let found = made(&job, reply.clone());
        assert_eq!(found.state, State::Pending("generate", None), "{why}");
        assert!(found.lost.is_some() && found.stopped_at.is_some(), "{why}");
        bench.tree("m").write(&job, &found).unwrap();
        assert!(status(&bench.out())["pending"]["file"].is_string(), "{why}");
    };
    fs::remove_file(&path).unwrap();
    look("missing");
    fs::create_dir(&path).unwrap();
    look("unreadable");
    fs::remove_dir(&path).unwrap();
    fs::write(&path, &bytes[..20]).unwrap();
    look("cut on this disk");
    // Once it is back it is found.
    fs::write(&path, &bytes).unwrap();
    assert_eq!(made(&job, reply).state, State::Generated);
}

const CHUNK: &str = "vqa_outputs/m/chunk_0";

fn lines(out: &Path, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(out.join(CHUNK).join(name)).unwrap();
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

fn answer(bench: &Bench, id: &str, asked: &str, settled: Option<Settled>) -> Result<(), TreeError> {
    let questions: Vec<Value> = (0..3)
        .map(|n| json!({"question": format!("{n}?"), "image_file": format!("{n}.png")}))
        .collect();
    let job = bench.job("m", ("answers", id), asked, Layout::Line);
    let made = made(&job, settled);
    let tree = bench.tree("m");
    tree.write_xtc_answers(0, &questions, &[(&job, &made)])?;
    tree.write(&job, &made)
}

#[test]
fn lines_of_other_shards_stay() {
    let bench = Bench::new();
    for (id, text) in [("2", "two"), ("0", "zero"), ("1", "one")] {
        answer(&bench, id, "?", said(text)).unwrap();
    }
    let out = bench.out();
    let numbers = |name: &str, field: &str| -> Vec<Value> {
        let all = lines(&out, name);
        all.iter().map(|l| l[field].clone()).collect()
    };
    let answers = || numbers("m_answers.gpu0.jsonl", "answer");
    assert_eq!(numbers("gt_index.jsonl", "qid"), [0, 1, 2]);
    assert_eq!(answers(), ["zero", "one", "two"]);
    // Our own line is replaced, stays while the same call is pending, and goes when another is.
    answer(&bench, "1", "?", said("ONE")).unwrap();
    assert_eq!(answers(), ["zero", "ONE", "two"]);
    for _ in 0..3 {
        answer(&bench, "1", "?", None).unwrap();
        assert_eq!(answers(), ["zero", "ONE", "two"]);
    }
    answer(&bench, "1", "really?", None).unwrap();
    assert_eq!(answers(), ["zero", "two"]);
    assert_eq!(numbers("gt_index.jsonl", "qid"), [0, 1, 2]);
}

#[test]
fn lines_of_others_are_never_replaced() {
    for text in ["{\"question_id\": 1, \"answer\": \"mine\"}\n", "torn {"] {
        let bench = Bench::new();
        let path = bench.out().join(CHUNK).join("m_answers.gpu0.jsonl");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let error = answer(&bench, "1", "?", said("ours")).unwrap_err();
        assert!(matches!(error, TreeError::Foreign { .. }), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}
