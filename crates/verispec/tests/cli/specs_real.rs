//! A specification set with a real server of the OpenAI dialect among the models. What its tiny
//! model writes and rates is chance, held in form by a grammar; requests, replies and errors are
//! real.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;
use verispec_testkit::LocalVlm;

use crate::specs::{calls, manifest, workplace};
use crate::support::{json_of, text, verispec, write};

/// Two specifications about something that the model names.
const WRITER: &str = r#"root ::= "{\"specifications\": [" s ", " s "]}"
s ::= "{\"question\": \"Is there a " w "?\", \"category\": \"Composition\", \"subcategory\": \"thing\", \"expected_answer\": \"Yes\"}"
w ::= [a-z] [a-z ] [a-z ] [a-z ] [a-z ] [a-z ] [a-z ] [a-z ] [a-z ] [a-z ] [a-z]"#;

/// Numbers that the model chooses for the first groups, and for groups that nobody asked about.
fn rater() -> String {
    let item = |id: usize| {
        format!(
            "\"{{\\\"id\\\": {id}, \\\"relevance\\\": \" n \", \\\"clarity\\\": \" n \", \
             \\\"verifiability\\\": \" n \"}}\""
        )
    };
    let items: Vec<String> = (1..=GROUPS).map(item).collect();
    format!(
        "root ::= \"{{\\\"ratings\\\": [\" {} \"]}}\"\nn ::= \"10\" | [0-9]",
        items.join(" \", \" ")
    )
}

/// Most groups that an instance has here.
const GROUPS: usize = 6;

fn judge(name: &str, endpoint: &str, grammar: &str) -> String {
    format!(
        "[judge.{name}]\nprovider = \"openai\"\nmodel = \"{}\"\nendpoint = \"{endpoint}\"\n\
         api_key_env = \"LOCAL_KEY\"\nstructured = \"none\"\nmax_concurrency = 2\n\
         [judge.{name}.params]\ntemperature = 0\nmax_tokens = 400\nseed = 7\n\
         [judge.{name}.params.extra_body]\ngrammar = '''\n{grammar}\n'''\n",
        LocalVlm::MODEL
    )
}

const GENERATE: [&str; 9] = [
    "specs",
    "generate",
    "specv",
    "--data=suite",
    "--set=s",
    "--generators=a,writer",
    "--ids=composition_01,style_02",
    "--max-retries=4",
    "--timeout=120",
];

#[test]
fn a_real_server_writes_and_rates_beside_a_program() {
    let Some(server) = LocalVlm::start() else {
        return;
    };
    let dir = workplace(0.0);
    let config = dir.path().join("verispec.toml");
    let programs = std::fs::read_to_string(&config).expect("file");
    let writer = judge("writer", &server.endpoint(), WRITER);
    let rater = judge("rater", &server.endpoint(), &rater());
    write(&config, &[programs, writer, rater].concat());

    // A wrong key is an error of the whole stage, and nothing is made of it.
    let refused = verispec(dir.path())
        .args(GENERATE)
        .env("LOCAL_KEY", "sk-wrong")
        .output()
        .expect("the program starts");
    let message = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{message}");
    assert!(message.contains("401"), "{message}");

    let key = format!("LOCAL_KEY={}\n", LocalVlm::KEY);
    write(&dir.path().join(".env"), &key);
    let made = json_of(dir.path(), &GENERATE, 0);
    assert!(
        made["stages"][0]["tokens"]["input"].as_u64() > Some(500),
        "{made}"
    );
    json_of(dir.path(), &["specs", "merge", "s", "--merger=a"], 0);
    let filter = [
        "specs",
        "filter",
        "s",
        "--raters=b,rater",
        "--tau=0",
        "--max-retries=4",
    ];
    // Killed while the server writes: the program logs its call when the server is asked too, and
    // is done long before it.
    let before = calls(dir.path()).len();
    let mut child = verispec(dir.path())
        .args(filter)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let begin = Instant::now();
    while calls(dir.path()).len() == before {
        assert!(begin.elapsed() < Duration::from_secs(60), "no calls");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("SIGKILL");
    child.wait().expect("ended");
    let rated = json_of(dir.path(), &filter, 0);
    // What was settled is not asked again; what the server was asked last is.
    let resumed = rated["stages"][0]["calls"].as_u64().expect("number");
    assert!((1..=2 * 2).contains(&resumed), "{rated}");

    let manifest = manifest(dir.path());
    for instance in manifest["instances"].as_array().expect("list") {
        let list = |name: &str| instance[name].as_array().expect("list").clone();
        let own: Vec<Value> = list("candidates")
            .into_iter()
            .filter(|c| c["generator"] == 1)
            .collect();
        assert_eq!(own.len(), 2);
        let asks = |c: &Value| {
            c["question"]
                .as_str()
                .expect("text")
                .starts_with("Is there a ")
        };
        assert!(own.iter().all(asks), "{own:?}");
        assert!(list("groups").len() <= GROUPS);
        for rated in list("rated") {
            let raters = rated["ratings"].as_array().expect("list").iter();
            let raters: BTreeSet<_> = raters.map(|r| r["rater"].as_u64()).collect();
            assert_eq!(raters, BTreeSet::from([Some(0), Some(1)]));
        }
    }
    // All is recorded: nothing is asked again, and without the server nothing has to be.
    drop(server);
    for stage in [&GENERATE[..], &filter[..], &["specs", "update", "s"]] {
        let again = json_of(dir.path(), stage, 0);
        for stage in again["stages"].as_array().expect("list") {
            assert_eq!(stage["calls"], 0, "{again}");
        }
    }
}
