//! `verispec gate`: pass, fail, refuse; for people, machines and continuous integration.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{copy, json_of, run, text, workplace, write};

const INSTANCES: usize = 30;
const SPECS: usize = 4;

/// Imports one model of which so many of four specifications are met on each instance.
fn import(dir: &Path, name: &str, met: impl Fn(usize) -> usize) {
    let mut rows = String::from("model,track,instance,specification,answer\n");
    for i in 0..INSTANCES {
        for s in 0..SPECS {
            let answer = if s < met(i) { "Yes" } else { "No" };
            writeln!(rows, "m,t2i,comp_{i:03},{},{answer}", s + 1).expect("text");
        }
    }
    let file = format!("{name}.csv");
    write(&dir.join(&file), &rows);
    let args = [
        "import", "verdicts", &file, "--data", "suite", "--run", name,
    ];
    json_of(dir, &args, 0);
}

fn three_versions() -> tempfile::TempDir {
    let dir = workplace(INSTANCES, SPECS);
    import(dir.path(), "old", |_| 3);
    import(dir.path(), "worse", |i| 3 - i % 2);
    import(dir.path(), "alike", |i| [2, 4, 3][i % 3]);
    dir
}

#[test]
fn a_loss_fails_with_4_and_noise_passes() {
    let dir = three_versions();
    let junit = dir.path().join("gate.xml");
    let args = ["gate", "worse", "--baseline", "old", "--junit", "gate.xml"];
    let failed = run(dir.path(), &args);
    assert_eq!(failed.status.code(), Some(4), "{}", text(&failed.stderr));
    let (out, err) = (text(&failed.stdout), text(&failed.stderr));
    assert!(out.contains("FAIL") && out.contains("-12.50"), "{out}");
    assert!(
        err.contains("gate failed: t2i: the difference is shown to be below 0"),
        "{err}"
    );
    let xml = std::fs::read_to_string(&junit).expect("written");
    assert!(
        xml.contains("failures=\"1\"") && xml.contains("name=\"t2i\""),
        "{xml}"
    );

    let passed = json_of(dir.path(), &["gate", "alike", "--baseline", "old"], 0);
    assert_eq!(passed["gate"]["passed"], true);
    assert_eq!(passed["gate"]["checks"][0]["shown"], "unsure");
    let args = ["gate", "alike", "--baseline", "old", "--require", "better"];
    assert_eq!(json_of(dir.path(), &args, 4)["gate"]["passed"], false);
    let args = ["gate", "worse", "--baseline", "old", "--min-delta", "-20"];
    assert_eq!(
        json_of(dir.path(), &args, 0)["gate"]["checks"][0]["shown"],
        "better"
    );
}

#[test]
fn the_difference_is_that_of_compare() {
    let dir = three_versions();
    let gate = json_of(dir.path(), &["gate", "alike", "--baseline", "old"], 0);
    let compare = ["compare", "old", "alike", "--level", "0.9"];
    let compare = json_of(dir.path(), &compare, 0);
    let check = &gate["gate"]["checks"][0];
    let track = &compare["study"]["tracks"][0];
    assert_eq!(check["difference"], track["difference"]);
    assert_eq!(check["baseline"], track["first"]);
    assert_eq!(check["candidate"], track["second"]);
}

#[test]
fn what_cannot_be_compared_never_passes() {
    let dir = three_versions();
    let rows = "model,track,instance,specification,answer\nm,t2i,comp_000,1,Yes\n";
    write(&dir.path().join("few.csv"), rows);
    let import = [
        "import", "verdicts", "few.csv", "--data", "suite", "--run", "few",
    ];
    json_of(dir.path(), &import, 0);
    let few = json_of(dir.path(), &["gate", "few", "--baseline", "old"], 4);
    let check = &few["gate"]["checks"][0];
    assert_eq!(
        (&check["common"], &check["instances"]),
        (&1.into(), &30.into())
    );
    for wrong in [
        ["gate", "old", "--baseline", "old"].as_slice(),
        &["gate", "old", "--baseline", "nowhere"],
        &["gate", "old", "--baseline", "worse", "--alpha", "0.5"],
        &["gate", "old", "--baseline", "worse", "--min-delta", "101"],
    ] {
        assert_eq!(run(dir.path(), wrong).status.code(), Some(2), "{wrong:?}");
    }
}

/// A suite of two tracks: the candidate improves in one and leaves the other out.
#[test]
fn leaving_out_a_track_is_no_way_to_pass() {
    let dir = workplace(INSTANCES, SPECS);
    for part in ["eval_data", "eval_checklist"] {
        let from = dir.path().join("suite").join(part).join("t2i");
        copy(&from, &from.with_file_name("understanding"));
    }
    let made = |name: &str, tracks: &[&str], met: usize| {
        let mut rows = String::from("model,track,instance,specification,answer\n");
        for (track, i, s) in tracks
            .iter()
            .flat_map(|t| (0..INSTANCES).flat_map(move |i| (0..SPECS).map(move |s| (t, i, s))))
        {
            let answer = if s < met { "Yes" } else { "No" };
            writeln!(rows, "m,{track},comp_{i:03},{},{answer}", s + 1).expect("text");
        }
        let file = format!("{name}.csv");
        write(&dir.path().join(&file), &rows);
        let args = [
            "import", "verdicts", &file, "--data", "suite", "--run", name,
        ];
        json_of(dir.path(), &args, 0);
    };
    made("old", &["t2i", "understanding"], 3);
    made("new", &["t2i"], 4);
    let args = ["gate", "new", "--baseline", "old"];
    let gate = &json_of(dir.path(), &args, 4)["gate"];
    assert_eq!(gate["checks"][0]["passed"], true);
    let absent = &gate["checks"][1];
    assert_eq!(absent["name"], "understanding");
    assert_eq!(
        (&absent["common"], &absent["instances"], &absent["passed"]),
        (&0.into(), &INSTANCES.into(), &false.into())
    );
    let said = text(&run(dir.path(), &args).stderr);
    assert!(
        said.contains("understanding: the baseline has this track"),
        "{said}"
    );
    // Asked about one track alone, the other is no matter.
    let one = [&args[..], &["--track", "t2i"]].concat();
    assert_eq!(json_of(dir.path(), &one, 0)["gate"]["passed"], true);
    let unknown = [&args[..], &["--track", "t3i"]].concat();
    assert_eq!(run(dir.path(), &unknown).status.code(), Some(2));
    // The other way round nothing is lost; both ways `compare` says what it leaves out.
    let back = ["gate", "old", "--baseline", "new", "--min-delta", "-50"];
    let back = json_of(dir.path(), &back, 0);
    assert!(
        back["warnings"][0]
            .as_str()
            .is_some_and(|w| w.contains("track understanding")),
        "{back}"
    );
    let compared = json_of(dir.path(), &["compare", "new", "old"], 0);
    let warning = compared["warnings"][0].as_str().unwrap_or_default();
    assert!(
        warning.contains("track understanding") && warning.contains("30 instances"),
        "{compared}"
    );
}
