//! Chains, failures and trees without a server.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use verispec_generate::{
    BlobFolder, Blobs, FailureKind, GenerateJob, Input, Layout, Place, Role, SeedRule, Stage,
    State, System, Task, Tree, Wants,
};
use verispec_model::{
    Finish, Hash, Job as _, JudgeIdentity, Params, Part, Reply, ReplyPart, Settled, Structured,
    Unjudged, request_key,
};

type Replies = HashMap<Hash, Settled>;

fn model(name: &str) -> Arc<JudgeIdentity> {
    Arc::new(JudgeIdentity {
        provider: "openai".into(),
        model: name.into(),
        params: Params::new(),
        structured: Structured::None,
        revision: None,
    })
}

fn chain(output: Layout, middle: Option<Layout>) -> Arc<Task> {
    let stage = |name, role, wants, inputs| Stage {
        name,
        role,
        wants,
        inputs,
    };
    let said = Input::Text("what is it?".into());
    Arc::new(Task {
        place: Place {
            track: "t".into(),
            dimension: "d".into(),
            id: "one".into(),
        },
        stages: vec![
            stage("refine", Role::Understand, Wants::Text, vec![said]),
            stage("draw", Role::Generate, Wants::Image, vec![Input::Made(0)]),
        ],
        seed: None,
        data_failure: None,
        output,
        middle,
        oracle: false,
    })
}

struct Bench {
    dir: tempfile::TempDir,
    blobs: Arc<dyn Blobs>,
    job: GenerateJob,
}

fn name(hash: &Hash) -> String {
    format!("blobs/{hash}")
}

fn bench() -> Bench {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("blobs")).unwrap();
    let blobs: Arc<dyn Blobs> = Arc::new(BlobFolder::new(dir.path(), name));
    let system = System {
        understand: model("thinks"),
        generate: model("draws"),
    };
    let task = chain(
        Layout::Image("t/one".into()),
        Some(Layout::Text("t/one.step.txt".into())),
    );
    let job = GenerateJob::new(
        task,
        ("m", &system),
        (0, 1),
        SeedRule::From(5),
        blobs.clone(),
    );
    Bench { dir, blobs, job }
}

impl Bench {
    /// A blob with these bytes as an image of a reply.
    fn picture(&self, bytes: &[u8]) -> ReplyPart {
        let hash = Hash::of(bytes);
        fs::write(self.dir.path().join(name(&hash)), bytes).unwrap();
        ReplyPart::Image {
            hash,
            mime: "image/png".into(),
            bytes: bytes.len() as u64,
        }
    }

    /// Answers what is asked now.
    fn answer(&self, replies: &mut Replies, reply: Reply) {
        let asked = self.job.step(replies).ask;
        replies.insert(request_key(&asked[0]), Settled::Answered(reply));
    }
}

fn png() -> Vec<u8> {
    let mut bytes = vec![];
    let pixels = image::RgbImage::from_pixel(4, 4, image::Rgb([9, 9, 9]));
    let encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    pixels.write_with_encoder(encoder).unwrap();
    bytes
}

#[test]
fn what_one_stage_makes_is_what_the_next_is_asked() {
    let bench = bench();
    let mut replies = Replies::new();
    let first = bench.job.step(&replies).ask;
    assert_eq!((first.len(), first[0].judge.model.as_str()), (1, "thinks"));
    assert_eq!(first[0].judge.params["seed"], 5);
    assert!(first[0].parent.is_none() && !first[0].judge.params.contains_key("modalities"));
    bench.answer(&mut replies, Reply::text("a red boat"));
    let second = bench.job.step(&replies).ask;
    assert_eq!(second[0].judge.model, "draws");
    assert_eq!(second[0].parts, [Part::Text("a red boat".into())]);
    assert_eq!(second[0].parent, Some(request_key(&first[0])));
    assert_eq!(second[0].derivation.as_deref(), Some("draw"));
    assert!(second[0].judge.params.contains_key("modalities"));
    let made = Reply {
        parts: vec![bench.picture(&png())],
        ..Reply::text("")
    };
    bench.answer(&mut replies, made);
    let done = bench.job.step(&replies);
    assert!(done.ask.is_empty());
    assert_eq!(done.readings.state, State::Generated);
    assert_eq!(done.readings.stages.len(), 2);

    // Another text of the first stage is another request of the second.
    let mut others = Replies::new();
    bench.answer(&mut others, Reply::text("a blue boat"));
    assert_ne!(
        request_key(&bench.job.step(&others).ask[0]),
        request_key(&second[0])
    );
}

#[test]
fn every_way_to_fail_has_its_name_and_a_servers_failure_is_none() {
    let bench = bench();
    let broken = &png()[..20];
    let cases = [
        (
            Reply {
                finish: Finish::Refused,
                ..Reply::text("no")
            },
            FailureKind::Refused,
        ),
        (Reply::text(" "), FailureKind::Empty),
        (Reply::text("I cannot draw"), FailureKind::NoImage),
        (
            Reply {
                parts: vec![bench.picture(broken)],
                ..Reply::text("")
            },
            FailureKind::Undecodable,
        ),
        (
            Reply {
                parts: vec![bench.picture(b"text")],
                ..Reply::text("")
            },
            FailureKind::Undecodable,
        ),
    ];
    for (reply, kind) in cases {
        let mut replies = Replies::new();
        bench.answer(&mut replies, Reply::text("a boat"));
        bench.answer(&mut replies, reply);
        let made = bench.job.step(&replies).readings;
        let State::Failed(stage, failure) = &made.state else {
            panic!("{:?}", made.state)
        };
        assert_eq!((*stage, failure.kind), ("draw", kind));
        assert!(made.stopped_at.is_some());
    }
    // A chain whose first stage fails asks nothing more.
    let mut replies = Replies::new();
    bench.answer(&mut replies, Reply::text(""));
    let step = bench.job.step(&replies);
    assert!(step.ask.is_empty());
    assert!(matches!(step.readings.state, State::Failed("refine", _)));
    let mut replies = Replies::new();
    let key = request_key(&bench.job.step(&replies).ask[0]);
    replies.insert(key, Settled::Failed(Unjudged::ProviderError));
    let step = bench.job.step(&replies);
    let pending = State::Pending("refine", Some(Unjudged::ProviderError));
    assert_eq!((step.ask.len(), step.readings.state), (0, pending));
}

#[test]
fn a_tree_is_written_once_and_never_over_others() {
    let bench = bench();
    let mut replies = Replies::new();
    bench.answer(&mut replies, Reply::text("a red boat"));
    let made = Reply {
        parts: vec![bench.picture(&png())],
        ..Reply::text("")
    };
    bench.answer(&mut replies, made);
    let made = bench.job.step(&replies).readings;
    let out = bench.dir.path().join("out");
    let tree = Tree::new(&out, "m", 1, bench.blobs.clone());
    tree.write(&bench.job, &made).unwrap();
    assert_eq!(fs::read(out.join("t/one.png")).unwrap(), png());
    assert_eq!(
        fs::read_to_string(out.join("t/one.step.txt")).unwrap(),
        "a red boat"
    );
    let modified = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    let before = modified(&out.join("t/one.png"));
    tree.write(&bench.job, &made).unwrap();
    assert_eq!(modified(&out.join("t/one.png")), before);

    let foreign: PathBuf = bench.dir.path().join("foreign");
    fs::create_dir_all(foreign.join("t")).unwrap();
    fs::write(foreign.join("t/one.png"), "mine").unwrap();
    let tree = Tree::new(&foreign, "m", 1, bench.blobs.clone());
    assert!(
        tree.write(&bench.job, &made)
            .unwrap_err()
            .to_string()
            .contains("no output of this run")
    );
    assert_eq!(
        fs::read_to_string(foreign.join("t/one.png")).unwrap(),
        "mine"
    );
}

#[test]
fn names_that_lead_out_of_the_tree_are_refused() {
    let bench = bench();
    let made = Reply {
        parts: vec![bench.picture(&png())],
        ..Reply::text("")
    };
    let mut task = (*chain(Layout::Image("t/../../one".into()), None)).clone();
    task.stages = vec![Stage::only(Wants::Image, vec![Input::Text("x".into())])];
    let system = System::one(model("m"));
    let who = ("m", &system);
    let job = GenerateJob::new(
        Arc::new(task),
        who,
        (0, 1),
        SeedRule::Suite,
        bench.blobs.clone(),
    );
    let mut replies = Replies::new();
    replies.insert(
        request_key(&job.step(&replies).ask[0]),
        Settled::Answered(made),
    );
    let tree = Tree::new(&bench.dir.path().join("out"), "m", 1, bench.blobs.clone());
    let error = tree.write(&job, &job.step(&replies).readings).unwrap_err();
    assert!(error.to_string().contains("cannot be a file"), "{error}");
}

#[test]
fn seeds() {
    let rule = SeedRule::Suite;
    assert_eq!(
        (rule.seed(None, 3), rule.seed(Some(12), 1)),
        (None, Some(55))
    );
    assert_eq!(SeedRule::From(7).seed(None, 2), Some(9));
    assert_eq!(SeedRule::From(1).seed(Some(10), 2), Some(13));
    assert_eq!(SeedRule::Never.seed(Some(1), 2), None);
}
