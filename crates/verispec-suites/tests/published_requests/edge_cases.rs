//! Edge cases of templates, placeholders and part order (no released file needed).

use verispec_model::{DataFailure, ImageRole, InstanceState, OutputFailure, Part};
use verispec_suites::specv::published::{
    OutputPart, PublishedError, PublishedTrack, TemplateError, Templates, parts, protocol_name,
    published_params,
};

use crate::checkout::{
    by_name, checkout, image, instance, lines, said, template_text, templates, write_template,
};

const KEY: &str = "[{\"id\": 1, \"expected_answer\": \"Yes\"}]";

fn task_failure(result: Result<Vec<String>, PublishedError>) -> String {
    match result {
        Err(PublishedError::Data(DataFailure::Task(message))) => message,
        other => panic!("expected a broken task, got {other:?}"),
    }
}

#[test]
fn order_of_parts_per_track() {
    let t2i = lines(&instance("t2i", "a cat", 0), &image("out.png")).unwrap();
    let text = format!(" judge t2i:\n<0>a cat</0>\n<1>{KEY}</1>\n<2>[见图片]</2>\n");
    assert_eq!(t2i, ["<out.png>".to_owned(), text]);

    let edit = lines(&instance("edit", "red", 2), &image("out.png")).unwrap();
    let text = format!("\n judge edit:\n<0>red</0>\n<1>{KEY}</1>\n");
    assert_eq!(
        edit,
        [
            "[Original Image]:",
            "<1.png>",
            "\n[Edited Image]:",
            "<out.png>",
            &text
        ]
    );

    let many = lines(&instance("many2one", "both", 2), &image("out.png")).unwrap();
    let text = format!("\n judge many2one:\n<0>both</0>\n<1>{KEY}</1>\n");
    assert_eq!(
        many,
        [
            "[Reference Image 1]:",
            "<1.png>",
            "\n[Reference Image 2]:",
            "<2.png>",
            "\n[Generated Image]:",
            "<out.png>",
            &text
        ]
    );

    let output = [said("so"), image("o.png"), said(" ")].concat();
    let between = format!("</0>\n<1>{KEY}</1>\n<2>");
    let interleave = lines(&instance("interleave", "q", 0), &output).unwrap();
    let head = " judge interleave:\n<0>";
    assert_eq!(
        interleave,
        [head, "q", &between, "so", "<o.png>", " ", "</2>\n"]
    );

    let think = lines(&instance("think_with_img", "q", 0), &output).unwrap();
    let (head, tail) = (
        " judge think_with_img:\n<0>",
        format!("</1>\n<2>{KEY}</2>\n"),
    );
    assert_eq!(think, [head, "q", "</0>\n<1>", "so", "<o.png>", " ", &tail]);

    let understanding = lines(&instance("understanding", "q", 0), &said(" B\n")).unwrap();
    let tail = format!("</0>\n<1> B\n</1>\n<2>{KEY}</2>\n");
    assert_eq!(understanding, [" judge understanding:\n<0>", "q", &tail]);
}

#[test]
fn images_carry_profile_hash_and_role() {
    for track in PublishedTrack::ALL {
        let profile = match track.name() {
            "t2i" => "specv-raw@1;image/png",
            "edit" => "specv-edit@1;image/png",
            _ => "specv-jpeg@1",
        };
        let output = if track.name() == "understanding" {
            said("B")
        } else {
            image("out.png")
        };
        let instance = instance(track.name(), "[IMAGE1]", 1);
        for part in parts(&templates(), &instance, &output, &by_name).unwrap() {
            let Part::Image(image) = part else { continue };
            assert_eq!(image.profile, profile);
            assert_eq!(image.source, by_name(&image.path).unwrap());
            let output = image.path.to_str() == Some("out.png");
            let role = if output {
                ImageRole::Output
            } else {
                ImageRole::Reference
            };
            assert_eq!(image.role, role);
        }
    }
}

#[test]
fn question_images_stand_where_they_are_named() {
    let question = |prompt: &str, n| {
        let lines = lines(&instance("understanding", prompt, n), &said("B")).unwrap();
        lines[1..lines.len() - 1].to_vec()
    };
    assert_eq!(
        question("a [IMAGE2] \n[IMAGE1]", 2),
        ["a ", "<2.png>", " \n", "<1.png>"]
    );
    assert_eq!(question("[IMAGE1][IMAGE1]", 1), ["<1.png>", "<1.png>"]);
    assert_eq!(
        question("[IMAGE001] [IMAGE٢]", 2),
        ["<1.png>", " ", "<2.png>"]
    );
    // no reference: one text, placeholders left in
    assert_eq!(question("see [IMAGE1]", 0), ["see [IMAGE1]"]);
    // no placeholder: text only, the image is not sent
    assert_eq!(
        question("see [image1] [IMAGE 1]", 1),
        ["see [image1] [IMAGE 1]"]
    );
    assert_eq!(question("[IMAGE1]", 3), ["<1.png>"]);
    assert_eq!(question("", 1), [""]);
}

#[test]
fn image_number_out_of_range_breaks_the_task() {
    for prompt in ["[IMAGE0]", "a [IMAGE3]", "[IMAGE99999999999999999999]"] {
        let message = task_failure(lines(
            &instance("think_with_img", prompt, 2),
            &image("o.png"),
        ));
        assert!(message.contains("of 2 images"), "{message}");
    }
}

#[test]
fn placeholders_inside_a_prompt() {
    // Replaced tracks: the checklist comes a second time, as released.
    let edit = lines(&instance("edit", "x {{CHECKLIST}} y", 1), &image("o.png")).unwrap();
    assert!(
        edit[4].contains(&format!("<0>x {KEY} y</0>\n<1>{KEY}</1>")),
        "{}",
        edit[4]
    );
    let prompt = "{insert_checklist_here} {insert_image_here} {insert_prompt_here}";
    let t2i = lines(&instance("t2i", prompt, 0), &image("o.png")).unwrap();
    let filled = format!("<0>{KEY} {{insert_image_here}} {{insert_prompt_here}}</0>");
    assert!(t2i[1].contains(&filled), "{}", t2i[1]);
    // Cut tracks: text is text.
    let cut = lines(
        &instance("interleave", "{checklist}", 0),
        &said("{interleaved_output}"),
    );
    let cut = cut.unwrap();
    assert_eq!(
        (cut[1].as_str(), cut[3].as_str()),
        ("{checklist}", "{interleaved_output}")
    );
}

#[test]
fn a_placeholder_that_a_template_repeats_is_replaced_everywhere_or_cut_once() {
    let dir = checkout();
    let twice = |track| template_text(track).repeat(2);
    write_template(
        dir.path(),
        PublishedTrack::Many2one,
        &twice(PublishedTrack::Many2one),
    );
    write_template(
        dir.path(),
        PublishedTrack::Understanding,
        &twice(PublishedTrack::Understanding),
    );
    let templates = Templates::load(dir.path()).unwrap();
    let shown = |instance, output: &[OutputPart]| {
        crate::checkout::shown(&parts(&templates, &instance, output, &by_name).unwrap())
    };
    let many = shown(instance("many2one", "both", 1), &image("o.png"));
    assert_eq!(many[4].matches("<0>both</0>").count(), 2);
    let understanding = shown(instance("understanding", "q", 0), &said("B"));
    assert!(understanding[2].ends_with("<2>{checklist}</2>\n"));
}

/// This protocol shows the judge the expected answers, because the release does. It is the
/// documented difference from the default protocols.
#[test]
fn answer_key_is_revealed() {
    for track in PublishedTrack::ALL {
        let output = if track.name() == "understanding" {
            said("B")
        } else {
            image("o.png")
        };
        let lines = lines(&instance(track.name(), "q", 1), &output).unwrap();
        let with_key = lines
            .iter()
            .filter(|l| l.contains("\"expected_answer\": \"Yes\""));
        assert_eq!(with_key.count(), 1, "{}", track.name());
    }
}

#[test]
fn failures_are_told_apart() {
    let no_files = |_: &std::path::Path| Err("no such file".to_owned());
    let of = |track, references, output: &[OutputPart]| {
        let instance = instance(track, "[IMAGE1]", references);
        parts(&templates(), &instance, output, &no_files)
            .unwrap_err()
            .into_state(2)
    };
    let unreadable = InstanceState::OutputFailed(OutputFailure::Unreadable, 2);
    assert_eq!(of("t2i", 1, &image("o.png")), unreadable);
    assert_eq!(of("t2i", 0, &said("words")), unreadable);
    assert_eq!(of("many2one", 0, &image("o.png")), {
        let message = "a task of many2one without a reference".to_owned();
        InstanceState::Unjudgeable(DataFailure::Task(message), 2)
    });
    // An absent reference is nobody's zero, whatever the output is.
    for (track, output) in [("edit", said("words")), ("interleave", image("o.png"))] {
        let state = of(track, 1, &output);
        let reference = |f: &DataFailure| matches!(f, DataFailure::Reference(m) if m.contains("1.png: no such file"));
        assert!(
            matches!(&state, InstanceState::Unjudgeable(f, 2) if reference(f)),
            "{state:?}"
        );
    }
    let message = task_failure(lines(&instance("video", "q", 0), &image("o.png")));
    assert_eq!(message, "the release has no track \"video\"");
}

#[test]
fn template_errors_name_track_file_and_placeholder() {
    let dir = checkout();
    let load = || Templates::load(dir.path()).unwrap_err();
    let track = PublishedTrack::Interleave;
    write_template(
        dir.path(),
        track,
        "{original_prompt} {interleaved_output} {checklist}",
    );
    let error = load();
    assert!(matches!(error, TemplateError::Order { .. }));
    let message = error.to_string();
    assert!(
        message.contains("{interleaved_output} comes before {checklist}"),
        "{message}"
    );
    write_template(dir.path(), track, "{original_prompt} {interleaved_output}");
    let message = load().to_string();
    for word in ["interleave", "{checklist} is absent", "eval_prompt.txt"] {
        assert!(message.contains(word), "{message}");
    }
    std::fs::remove_dir_all(dir.path().join("eval/interleave")).unwrap();
    assert!(matches!(
        load(),
        TemplateError::Read {
            track: "interleave",
            ..
        }
    ));
}

#[test]
fn windows_line_ends_make_no_difference() {
    let dir = checkout();
    for track in PublishedTrack::ALL {
        write_template(
            dir.path(),
            track,
            &template_text(track).replace('\n', "\r\n"),
        );
    }
    let windows = Templates::load(dir.path()).unwrap();
    assert_eq!(windows, templates());
    let mut instance = instance("t2i", "q", 0);
    let unix = lines(&instance, &image("o.png")).unwrap();
    instance.source_text = instance.source_text.replace('\n', "\r\n").into();
    assert_eq!(lines(&instance, &image("o.png")).unwrap(), unix);
}

#[test]
fn names_and_parameters() {
    let name = |track, encoder| protocol_name(PublishedTrack::from_name(track).unwrap(), encoder);
    assert_eq!(name("t2i", "jpeg-encoder-0.7"), "specv-published");
    for track in [
        "edit",
        "many2one",
        "interleave",
        "think_with_img",
        "understanding",
    ] {
        assert_eq!(
            name(track, "jpeg-encoder-0.7"),
            "specv-published+jpeg-encoder"
        );
        assert_eq!(
            name(track, "turbojpeg-1.5/libjpeg-turbo-3.1"),
            "specv-published"
        );
        let parity = cfg!(feature = "turbojpeg");
        assert_eq!(
            name(track, verispec_media::ENCODER) == "specv-published",
            parity
        );
    }
    let params = serde_json::to_string(&published_params()).unwrap();
    assert_eq!(params, r#"{"temperature":0.1}"#);
}
