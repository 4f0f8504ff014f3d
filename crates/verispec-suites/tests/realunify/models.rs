use std::fs;

use serde_json::json;
use verispec_model::OutputFailure;
use verispec_suites::realunify::{
    RealUnifyError, STRICT, discover, import_scored, index_model, judged_suite, scored_files,
    strict_suite,
};
use verispec_suites::specv::outputs::OutputPart;

use crate::common::{png, record, set, split};

#[test]
fn one_model_or_several() {
    let dir = tempfile::tempdir().unwrap();
    let error = discover(dir.path(), None).unwrap_err();
    assert!(matches!(error, RealUnifyError::NoModels(_)), "{error}");
    fs::create_dir_all(dir.path().join("b/GEU_step")).unwrap();
    fs::create_dir_all(dir.path().join("a")).unwrap();
    fs::write(dir.path().join("a/UEG_direct.jsonl"), "").unwrap();
    fs::create_dir_all(dir.path().join("notes")).unwrap();
    let names = |found: Vec<(String, _)>| found.into_iter().map(|(n, _)| n).collect::<Vec<_>>();
    assert_eq!(names(discover(dir.path(), None).unwrap()), ["a", "b"]);
    assert_eq!(names(discover(&dir.path().join("a"), None).unwrap()), ["a"]);
    assert_eq!(
        names(discover(&dir.path().join("a"), Some("mine")).unwrap()),
        ["mine"]
    );
    let checkout = tempfile::tempdir().unwrap();
    fs::create_dir_all(checkout.path().join("model_outputs/c/UEG_step")).unwrap();
    assert_eq!(names(discover(checkout.path(), None).unwrap()), ["c"]);
}

#[test]
fn a_split_is_entered_by_an_output_or_by_declaration() {
    let (_dir, loaded) = set();
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().join("UEG_direct/logical_reasoning");
    fs::create_dir_all(&folder).unwrap();
    png(&folder.join("0.png"));
    png(&folder.join("zero.png"));
    fs::write(folder.join("2.png"), "no image").unwrap();
    fs::create_dir_all(out.path().join("GEU_direct")).unwrap();
    fs::write(out.path().join("GEU_direct/readme.txt"), "x").unwrap();
    let found = index_model(&loaded, "m", out.path(), &[]).unwrap();
    let entered: Vec<&str> = found.tracks.keys().map(String::as_str).collect();
    assert_eq!(entered, ["ueg_direct"]);
    let track = &found.tracks["ueg_direct"];
    let image = track.instances["logical_reasoning/0"].clone().unwrap();
    assert!(matches!(image.parts().as_slice(), [OutputPart::Image(_)]));
    let failure = |id: &str| track.instances[id].as_ref().unwrap_err().failure;
    assert_eq!(failure("logical_reasoning/2"), OutputFailure::Unreadable);
    assert_eq!(failure("world_knowledge/1"), OutputFailure::Missing);
    let names: Vec<_> = track
        .unmatched
        .iter()
        .map(|u| u.path.file_name().unwrap())
        .collect();
    assert_eq!(names, ["zero.png"]);
    assert_eq!(found.strays["geu_direct"].len(), 1);
    let declared = ["ueg_step".to_owned()];
    let found = index_model(&loaded, "m", out.path(), &declared).unwrap();
    assert_eq!(found.tracks.len(), 1);
    assert_eq!(found.tracks["ueg_step"].failed(OutputFailure::Missing), 4);
}

#[test]
fn judges_see_no_prompt_and_scored_files_one_statement() {
    let (_dir, loaded) = set();
    let prompt = |name: &str| {
        let suite = judged_suite(&loaded.suite);
        let track = suite.track(name).unwrap().dimensions[0].instances[0].clone();
        (track.prompt.clone(), track.specifications.len())
    };
    assert_eq!(
        prompt("ueg_direct"),
        prompt("ueg_step"),
        "the same image, the same request"
    );
    let geu = loaded.suite.track("geu_step").unwrap().dimensions[0].instances[0].clone();
    assert_eq!(prompt("geu_step").0, geu.prompt);
    let strict = strict_suite(&loaded.suite);
    let ueg = &strict.track("ueg_step").unwrap().dimensions[0].instances[0];
    assert_eq!(ueg.specifications.len(), 1);
    assert_eq!(ueg.specifications[0].category, STRICT);
}

#[test]
fn the_split_of_a_scored_file() {
    let (_dir, loaded) = set();
    let place = tempfile::tempdir().unwrap();
    for name in ["ueg_direct", "ueg_step", "geu_direct", "geu_step"] {
        let mut one = record(split(name), 0);
        one["score"] = json!(1);
        let path = place.path().join("m.json");
        fs::write(&path, json!([null, one]).to_string()).unwrap();
        let files = scored_files(place.path(), None).unwrap();
        assert_eq!((files.len(), files[0].split), (1, split(name)));
        assert_eq!(files[0].model, "m");
        let imported = import_scored(&loaded, place.path(), &files).unwrap();
        assert_eq!(imported.entries.len(), 4, "every item is expected");
        assert_eq!(
            imported.files(),
            1,
            "one is scored; one null for three is none"
        );
        let told = scored_files(&path, Some(split("ueg_step"))).unwrap();
        assert_eq!(told[0].split, split("ueg_step"));
    }
    fs::write(place.path().join("m.json"), "[{\"score\": 1}]").unwrap();
    let error = scored_files(place.path(), None).unwrap_err();
    assert!(matches!(error, RealUnifyError::UnknownSplit(_)));
    for (bytes, why) in [
        (&b"\xff\n"[..], "not UTF-8 on line 1"),
        (b"{\"score\": 1}\n{\"score\": \n", "m.json:2"),
    ] {
        fs::write(place.path().join("m.json"), bytes).unwrap();
        let error = scored_files(place.path(), None).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
}
