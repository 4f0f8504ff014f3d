//! A folder in which a page's commands find what the page takes as given.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use verispec_model::Hash;
use verispec_suites::specv::published::PublishedTrack;
use verispec_testkit::fake::{Prompt, Question};
use verispec_testkit::{Answers, FakeConfig, FakeHub, FakeJudge, HubConfig, HubFile};

use super::blocks::{End, Line};
use crate::support::{image, text, write};

/// Address that pages give to a server of one's own.
const LOCAL: &str = "http://localhost:8000/v1";

/// Models that have outputs in the checkout.
const MODELS: [&str; 5] = ["model-a", "model-b", "gpt-image", "nano_banana", "bagel"];

/// What names of tasks in the first track begin with.
const STEMS: [&str; 2] = ["comp_hard", "attr"];

/// How a setup says that released data is not on this machine.
const NO_DATA: i32 = 77;

/// Longest time that a command may take.
const PATIENCE: Duration = Duration::from_secs(120);

pub(super) struct Sandbox {
    dir: tempfile::TempDir,
    /// Scenes of known truth, and what programs that see and grade know of them.
    scenes: Option<tempfile::TempDir>,
    judge: FakeJudge,
    maker: FakeJudge,
    hubs: Vec<(&'static str, FakeHub)>,
    /// `export` lines so far: a page's blocks are one shell session.
    exports: RefCell<String>,
}

impl Sandbox {
    /// The folder of a page; `None` if it wants released data that is not here.
    pub(super) fn new(page: &str) -> Option<Self> {
        let dir = tempfile::tempdir().expect("folder");
        let judge = FakeJudge::start(FakeConfig {
            answers: Answers::Custom(Arc::new(opinion)),
            ..FakeConfig::default()
        });
        let maker = FakeJudge::start(FakeConfig {
            makes: true,
            ..FakeConfig::default()
        });
        let sandbox = Self {
            judge,
            maker,
            hubs: hubs(),
            dir,
            scenes: page.starts_with("xtc").then(crate::xtc::workplace),
            exports: RefCell::default(),
        };
        sandbox.fill();
        let setup = tests().join(format!("docs/setup/{page}.sh"));
        if !setup.is_file() {
            return Some(sandbox);
        }
        let script = format!(
            ". {}/docs/setup/lib.sh; . {}",
            tests().display(),
            setup.display()
        );
        let output = sandbox.shell(&script).output().expect("a shell");
        if output.status.code() == Some(NO_DATA) {
            return verispec_testkit::data::require_or_skip(None, "no released data");
        }
        assert!(output.status.success(), "{page}\n{}", told(&output));
        Some(sandbox)
    }

    fn root(&self) -> &Path {
        self.dir.path()
    }

    /// What every page has: the program, a checkout with outputs of several models, outputs of
    /// one's own, and the examples of this repository.
    fn fill(&self) {
        let root = self.root();
        let bin = root.join(".bin");
        std::fs::create_dir(&bin).expect("folder");
        let link = |from: &Path, name: &str| {
            std::os::unix::fs::symlink(from, bin.join(name)).expect("link");
        };
        link(Path::new(env!("CARGO_BIN_EXE_verispec")), "verispec");
        link(&tests().join("docs/setup/vllm.py"), "vllm");
        checkout(&root.join("SpecV"));
        for name in ["scenes", "drawn", "verispec.toml", "program.sh"] {
            if let Some(scenes) = &self.scenes {
                std::fs::rename(scenes.path().join(name), root.join(name)).expect("moved");
            }
        }
        for (n, stem) in STEMS.iter().enumerate() {
            for i in 1..=6 {
                let path = format!("my-outputs/{stem}_{i:03}.png");
                image(&root.join(path), 900 + n * 10 + i);
            }
        }
        let examples = tests().join("../../../../examples");
        std::os::unix::fs::symlink(examples, root.join("examples")).expect("link");
    }

    fn shell(&self, script: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let bin = self.root().join(".bin");
        let named = |(repo, _): &&(&str, FakeHub)| script.contains(repo);
        let hub = self.hubs.iter().find(named).unwrap_or(&self.hubs[0]);
        let mut command = Command::new("sh");
        command
            .args(["-euc", script])
            .current_dir(self.root())
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("HOME", self.root())
            .env("NO_COLOR", "1")
            .env("TESTS", tests())
            .env(
                "TEST_DATA",
                verispec_testkit::data::test_data().unwrap_or_default(),
            )
            .env("JUDGE", self.judge.endpoint("openai"))
            .env("MAKER", self.maker.endpoint("openai"))
            .env("OPENAI_BASE_URL", self.judge.endpoint("openai"))
            .env("ANTHROPIC_BASE_URL", self.judge.endpoint("anthropic"))
            .env("JUDGE_API_URL", self.judge.endpoint("gemini-dashscope"))
            .env("JUDGE_MODEL", "gemini-3-flash")
            .env("HF_ENDPOINT", hub.1.url())
            .env_remove("HF_TOKEN")
            .env_remove("VERISPEC_RUNS")
            .env_remove("COLUMNS");
        for key in ["OPENAI", "ANTHROPIC", "GEMINI", "DASHSCOPE"] {
            command.env(format!("{key}_API_KEY"), "sk-not-a-key");
        }
        command
    }

    /// Runs a command and asserts how it ends.
    pub(super) fn run(&self, page: &str, line: &Line) {
        let typed = line.text.replace("cargo run --release -- ", "verispec ");
        let typed = typed.replace(LOCAL, &self.judge.endpoint("openai"));
        // Any free port, since tests of several checkouts may run beside one another.
        let typed = match line.end {
            End::Interrupted => format!("{typed} --port 0"),
            End::Exit(_) => typed,
        };
        if typed.starts_with("export ") {
            *self.exports.borrow_mut() += &format!("{typed}\n");
            return;
        }
        let settings = "if [ -f .settings ]; then . ./.settings; fi\n";
        let script = format!("{settings}{}{typed}", self.exports.borrow());
        let place = format!("{page}:{}: {typed}", line.at);
        let mut command = self.shell(&script);
        command.stdin(Stdio::null());
        match line.end {
            End::Interrupted => until_interrupted(&mut command, &place),
            End::Exit(code) => {
                let output = command.output().expect("a shell");
                assert_eq!(
                    output.status.code(),
                    Some(code),
                    "{place}\n{}",
                    told(&output)
                );
            }
        }
    }
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli")
}

fn told(output: &Output) -> String {
    format!("{}\n{}", text(&output.stdout), text(&output.stderr))
}

/// Starts a server, waits for the address that it prints, and interrupts it.
fn until_interrupted(command: &mut Command, place: &str) {
    use std::io::{BufRead as _, BufReader};
    // A group of its own gets the signal, as on a terminal.
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::null());
    let piped = std::os::unix::process::CommandExt::process_group(piped, 0);
    let mut child = piped.spawn().expect("a shell");
    let mut lines = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    lines.read_line(&mut line).expect("a line");
    assert!(line.contains("http://127.0.0.1:"), "{place}\n{line}");
    interrupt(&child);
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("{place}: does not end on Ctrl-C");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn interrupt(child: &Child) {
    let group = format!("-{}", child.id());
    let sent = Command::new("kill").args(["-INT", "--", &group]).status();
    assert!(sent.expect("kill").success());
}

/// Yes or no by what is asked of whom about which picture; seven of ten are yes, and a better model
/// has more of them.
fn opinion(prompt: &Prompt, question: &Question) -> String {
    if prompt.text.contains("whole number from 0 to 10") {
        return json!({"reason": "seen", "score": 7}).to_string();
    }
    let shown: String = prompt.images.iter().map(|i| i.base64.as_str()).collect();
    let share = |text: String| u32::from(Hash::of(text.as_bytes()).as_bytes()[0]);
    let quality = share(format!("{shown} quality")) / 4;
    let seen = share(format!("{shown} {}", question.text));
    // Judges differ now and then.
    let slip = share(format!("{shown} {} {}", question.text, prompt.model)) < 16;
    let yes = (seen < 140 + quality) != slip;
    if yes { "Yes" } else { "No" }.to_owned()
}

/// A small checkout of SpecV: three tracks of tasks, outputs of five models in the first.
fn checkout(root: &Path) {
    task_files(root, "t2i", "composition", STEMS[0], 0);
    task_files(root, "t2i", "attribute", STEMS[1], 0);
    task_files(root, "edit", "object", "edit", 1);
    task_files(root, "many2one", "cross_domain", "cross", 2);
    for track in PublishedTrack::ALL {
        let path = format!("eval/{}/eval_prompt.txt", track.name());
        write(&root.join(path), &track.placeholders().join("\n"));
    }
    for (m, model) in MODELS.iter().enumerate() {
        for stem in STEMS {
            for i in 1..=6 {
                let path = format!("model_outputs/t2i/{model}/{stem}_{i:03}.png");
                image(&root.join(path), m * 40 + i * 3 + stem.len());
            }
        }
    }
}

fn task_files(root: &Path, track: &str, dimension: &str, stem: &str, images: usize) {
    let mut tasks = String::new();
    for i in 1..=6 {
        let id = format!("{stem}_{i:03}");
        let names: Vec<String> = (0..images)
            .map(|n| format!("images/{id}_{n}.png"))
            .collect();
        for (n, name) in names.iter().enumerate() {
            image(
                &root.join("eval_data").join(track).join(name),
                500 + i * 10 + n,
            );
        }
        let question = format!("Draw a red cup and {i} birds in the style of {dimension}.");
        let task = json!({"id": id, "dimension": dimension, "question": question,
            "question_img": names});
        tasks += &format!("{task}\n");
        let asked = [
            "Is there a red cup?",
            "Are there birds?",
            "Is it a drawing?",
            "Is it day?",
        ];
        let items = asked.iter().enumerate().map(|(k, question)| {
            json!({"id": k + 1, "question": format!("{question} ({id})"), "category": "Objects",
                "subcategory": "Presence", "expected_answer": if k == 3 { "No" } else { "Yes" },
                "score": 9.0})
        });
        let items: Value = items.collect();
        let path = format!("eval_checklist/{track}/{dimension}/{id}.json");
        write(&root.join(path), &items.to_string());
    }
    write(
        &root.join(format!("eval_data/{track}/{dimension}.jsonl")),
        &tasks,
    );
}

/// Hubs with what pages fetch, by repository.
fn hubs() -> Vec<(&'static str, FakeHub)> {
    let png = || {
        let dir = tempfile::tempdir().expect("folder");
        image(&dir.path().join("x.png"), 7);
        std::fs::read(dir.path().join("x.png")).expect("file")
    };
    let specv = vec![
        HubFile::new("eval_data/edit/images/edit_001_0.png", png(), true),
        HubFile::new("eval_data/many2one/images/cross_001_0.png", png(), true),
        HubFile::new("model_outputs/t2i/bagel/comp_hard_001.png", png(), true),
    ];
    let realunify = vec![
        HubFile::new("UEG_direct.json", "[]", false),
        HubFile::new("image/a.png", png(), true),
    ];
    let start = |repo: &'static str, files| {
        let config = HubConfig {
            repo: repo.to_owned(),
            ..HubConfig::new(files)
        };
        (repo, FakeHub::start(config))
    };
    vec![
        start("vortex778/SpecV", specv),
        start("DogNeverSleep/RealUnify", realunify),
    ]
}
