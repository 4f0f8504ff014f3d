//! A real server of the OpenAI dialect: llama.cpp with a tiny model, from Python packages. Its
//! answers are chance; that requests, schema, errors and images are real is the point.

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

fn args(run: &'static str) -> Vec<&'static str> {
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
        "0",
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
    let done = json_of(dir.path(), &args("good"), 0);
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
        .args(args("wrong"))
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
    let refused = run(dir.path(), &args("refused"));
    let message = text(&refused.stderr);
    assert!(matches!(refused.status.code(), Some(1 | 3)), "{message}");
    assert!(
        message.contains("400") && message.contains("top_k"),
        "{message}"
    );
}
