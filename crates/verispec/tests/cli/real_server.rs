//! A real server of the OpenAI dialect: llama.cpp with a tiny model, from Python packages. Its
//! answers are chance; that requests, schema, errors and images are real is the point.

use std::collections::{BTreeMap, BTreeSet};

use verispec_engine::ledger::{LEDGER_FILE, Ledger, LedgerReplies, Outcome};
use verispec_model::{Part, Replies as _, Request, Settled};
use verispec_testkit::LocalVlm;

use crate::support::{json_of, run, text, verispec, workplace};

fn config(endpoint: &str, more: &str) -> String {
    format!(
        "[suite.specv]\ndata = \"suite\"\n[judge.local]\nprovider = \"openai\"\nmodel = \"{}\"\n\
         endpoint = \"{endpoint}\"\napi_key_env = \"LOCAL_KEY\"\nstructured = \"json_schema\"\n\
         max_concurrency = 2\n{more}\n",
        LocalVlm::MODEL
    )
}

/// Judges with as many further attempts at a request as given.
fn args<'a>(run: &'a str, retries: &'a str) -> Vec<&'a str> {
    vec![
        "judge",
        "specv",
        "--judge",
        "local",
        "--protocol",
        "independent",
        "--run",
        run,
        "--max-retries",
        retries,
    ]
}

#[test]
fn a_real_server_judges_keeps_to_the_schema_and_reports_its_errors() {
    let Some(server) = LocalVlm::start() else {
        return;
    };
    let dir = workplace(2, 2);
    let params = "params = { temperature = 0, max_tokens = 100 }";
    let write = |more: &str| {
        std::fs::write(
            dir.path().join("verispec.toml"),
            config(&server.endpoint(), more),
        )
        .expect("file");
    };

    write(params);
    std::fs::write(
        dir.path().join(".env"),
        format!("LOCAL_KEY={}\n", LocalVlm::KEY),
    )
    .expect("file");
    let done = json_of(dir.path(), &args("good", "0"), 0);
    assert_eq!(done["calls"], 4);
    assert_eq!(
        done["counters"]["judged"], 4,
        "the schema leaves only Yes and No"
    );
    assert!(done["tokens"]["input"].as_u64().expect("tokens") > 100);
    let shown = json_of(dir.path(), &["show", "good", "comp_000"], 0);
    assert_eq!(
        shown["instances"][0]["specifications"]
            .as_array()
            .expect("specs")
            .len(),
        2
    );

    // Another seed, so that no answer of the first run can be reused.
    write("params = { temperature = 0, max_tokens = 100, seed = 1 }");
    let wrong = verispec(dir.path())
        .args(args("wrong", "0"))
        .env("LOCAL_KEY", "sk-wrong")
        .output();
    let wrong = wrong.expect("the program starts");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(
        text(&wrong.stderr).contains("401"),
        "{}",
        text(&wrong.stderr)
    );

    write("params = { temperature = 0, max_tokens = 100, extra_body = { top_k = \"many\" } }");
    let refused = run(dir.path(), &args("refused", "0"));
    let message = text(&refused.stderr);
    assert!(matches!(refused.status.code(), Some(1 | 3)), "{message}");
    assert!(
        message.contains("400") && message.contains("top_k"),
        "{message}"
    );
}

/// Streams with usage; one token, with the probabilities of those that could have stood there.
const STREAMED: &str = "params = { temperature = 0, max_tokens = 100, stream = true, \
     logprobs = true, top_logprobs = 20, \
     extra_body = { stream_options = { include_usage = true }, \
     grammar = 'root ::= \"Yes\" | \"No\"' } }";

/// The server announces that a connection stays open and closes it after each stream, so that a
/// request that comes at once finds it closed and has to be sent again.
const RETRIES: &str = "4";

/// One request after the other, so that each finds the prefix of the one before.
#[test]
fn a_real_server_streams_gives_probabilities_and_reports_its_cache() {
    let Some(server) = LocalVlm::start() else {
        return;
    };
    let dir = workplace(1, 3);
    let config = config(&server.endpoint(), STREAMED)
        .replace("max_concurrency = 2", "max_concurrency = 1")
        .replace("\"json_schema\"", "\"none\"");
    std::fs::write(dir.path().join("verispec.toml"), config).expect("file");
    std::fs::write(
        dir.path().join(".env"),
        format!("LOCAL_KEY={}\n", LocalVlm::KEY),
    )
    .expect("file");

    let done = json_of(dir.path(), &args("streamed", RETRIES), 0);
    assert_eq!(done["counters"]["judged"], 3);
    let tokens = |name: &str| done["tokens"][name].as_u64().expect("tokens");
    // Two of three requests share all but their last part with the one before.
    assert!(tokens("cached") > tokens("input") / 3, "{}", done["tokens"]);
    assert!(tokens("output") > 0);

    let shown = json_of(dir.path(), &["show", "streamed", "comp_000"], 0);
    let specs = shown["instances"][0]["specifications"].clone();
    for spec in specs.as_array().expect("specs") {
        let number = |name: &str| spec["soft"][name].as_f64().unwrap_or(f64::NAN);
        let (p, mass) = (number("p_yes"), number("mass"));
        assert!(
            (0.0..=1.0).contains(&p) && mass > 0.0 && mass <= 1.0,
            "{spec}"
        );
    }

    let ledger = dir.path().join("runs/streamed").join(LEDGER_FILE);
    let replies = LedgerReplies::load(&ledger).expect("ledger");
    let answered: Vec<_> = replies.keys_with(&[Outcome::Answered]).collect();
    assert_eq!(answered.len(), 3);
    for key in answered {
        let Some(Settled::Answered(reply)) = replies.get(key) else {
            panic!("an answered request has a reply")
        };
        let positions = reply.logprobs.expect("log-probabilities were asked for");
        let spelt: String = positions.iter().map(|p| p.token.as_str()).collect();
        assert!(
            reply.text.trim_start().starts_with(spelt.trim()),
            "{spelt:?}: {}",
            reply.text
        );
        for position in positions {
            assert!(position.logprob <= 0.0 && position.top.len() == 20);
        }
    }
}

/// Two servers of the same model behind one judge: each image has an address of its own, both are
/// used, and each finds in its cache what its earlier requests left there.
#[test]
fn two_real_servers_share_a_judges_images_and_each_reports_its_cache() {
    let (Some(one), Some(two)) = (LocalVlm::start(), LocalVlm::start()) else {
        return;
    };
    let (images, each) = (6, 3);
    let dir = workplace(images, each);
    let both = format!(
        "endpoints = [\"{}\", \"{}\"]",
        one.endpoint(),
        two.endpoint()
    );
    let config = config(&one.endpoint(), STREAMED)
        .replace(&format!("endpoint = \"{}\"", one.endpoint()), &both)
        .replace("\"json_schema\"", "\"none\"");
    std::fs::write(dir.path().join("verispec.toml"), config).expect("file");
    std::fs::write(
        dir.path().join(".env"),
        format!("LOCAL_KEY={}\n", LocalVlm::KEY),
    )
    .expect("file");

    let done = json_of(dir.path(), &args("shared", RETRIES), 0);
    assert_eq!(done["counters"]["judged"], images * each);

    let path = dir.path().join("runs/shared").join(LEDGER_FILE);
    let replies = LedgerReplies::load(&path).expect("ledger");
    let ledger = Ledger::open_read(&path).expect("ledger");
    let mut of_image: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut cached: BTreeMap<String, u64> = BTreeMap::new();
    for key in replies.keys_with(&[Outcome::Answered]) {
        let attempt = ledger.answered(key).expect("ledger").expect("answered");
        let endpoint = attempt.sending.endpoint.expect("an address");
        let request = ledger.request(key).expect("ledger").expect("request");
        of_image
            .entry(image_of(&request))
            .or_default()
            .insert(endpoint.clone());
        let Some(Settled::Answered(reply)) = replies.get(key) else {
            panic!("an answered request has a reply")
        };
        assert!(reply.logprobs.is_some_and(|l| !l.is_empty()));
        *cached.entry(endpoint).or_default() += reply.usage.cached.expect("cached tokens");
    }
    assert_eq!(of_image.len(), images);
    assert!(of_image.values().all(|at| at.len() == 1), "{of_image:?}");
    assert_eq!(cached.len(), 2, "both addresses: {cached:?}");
    assert!(cached.values().all(|tokens| *tokens > 0), "{cached:?}");
    let total: u64 = cached.values().sum();
    assert_eq!(done["tokens"]["cached"], total);

    // The address is no part of a judge's identity: the same run with one server asks nothing.
    let alone = std::fs::read_to_string(dir.path().join("verispec.toml"))
        .expect("file")
        .replace(&both, &format!("endpoint = \"{}\"", two.endpoint()));
    std::fs::write(dir.path().join("verispec.toml"), alone).expect("file");
    assert_eq!(json_of(dir.path(), &args("shared", RETRIES), 0)["calls"], 0);
}

/// Hash of the one image that a request shows.
fn image_of(request: &Request) -> String {
    let images: Vec<String> = request
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Image(image) => Some(image.source.to_string()),
            Part::Text(_) => None,
        })
        .collect();
    assert_eq!(images.len(), 1);
    images.concat()
}
