//! A suite of our own words in SpecV's form and size: six tracks, four dimensions of 50 instances
//! each, 15 specifications an instance. Only its sizes matter.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::source::TRACKS;

const DIMENSIONS: usize = 4;
const INSTANCES: usize = 50;
const SPECIFICATIONS: usize = 15;

/// Dimensions of tracks for which SpecV fixes the names; the others are found by folder.
const T2I: [&str; DIMENSIONS] = ["composition", "structure", "style", "text_rendering"];
const EDIT: [&str; DIMENSIONS] = [
    "attribute",
    "background_and_scene",
    "spatial_and_layout",
    "local_obj",
];

pub(crate) fn write(root: &Path) -> anyhow::Result<()> {
    for track in TRACKS {
        let data = root.join("eval_data").join(track);
        fs::create_dir_all(&data)?;
        for d in 0..DIMENSIONS {
            let dimension = dimension(track, d);
            let mut tasks = String::new();
            let folder = root.join("eval_checklist").join(track).join(&dimension);
            fs::create_dir_all(&folder)?;
            for i in 0..INSTANCES {
                let id = format!("{dimension}_{i:03}");
                tasks += &format!("{}\n", task(track, &dimension, &id));
                let items: Vec<Value> = (1..=SPECIFICATIONS).map(|k| item(track, k, i)).collect();
                fs::write(
                    folder.join(format!("{id}.json")),
                    serde_json::to_string_pretty(&items)?,
                )?;
            }
            fs::write(data.join(format!("{dimension}.jsonl")), tasks)?;
        }
        let eval = root.join("eval").join(track);
        fs::create_dir_all(&eval)?;
        fs::write(eval.join("eval_prompt.txt"), template(track))?;
    }
    Ok(())
}

fn dimension(track: &str, d: usize) -> String {
    match track {
        "t2i" => T2I[d].to_owned(),
        "edit" => EDIT[d].to_owned(),
        _ => format!("part_{d}"),
    }
}

/// Input images per instance, as in the released suite on average.
const fn inputs(track: &str) -> usize {
    match track.as_bytes() {
        b"t2i" | b"interleave" => 0,
        b"many2one" => 3,
        b"think_with_img" => 2,
        _ => 1,
    }
}

fn task(track: &str, dimension: &str, id: &str) -> Value {
    let images: Vec<String> = (1..=inputs(track))
        .map(|n| format!("images/{id}_{n}.png"))
        .collect();
    let marks: String = (1..=images.len()).map(|n| format!("[IMAGE{n}] ")).collect();
    let question = format!(
        "{marks}{}",
        "A plain table with several objects in given colours and places. ".repeat(12)
    );
    json!({"id": id, "dimension": dimension, "question": question, "question_img": images})
}

fn item(track: &str, k: usize, i: usize) -> Value {
    let (category, subcategory) = match (track, k) {
        ("understanding" | "think_with_img", 1) => ("Final Answer Correctness", "Final Answer"),
        _ => ("Content", "Presence"),
    };
    json!({
        "id": k,
        "question": format!("Is object {k} of scene {i} in the place and colour that the task gives it?"),
        "category": category,
        "subcategory": subcategory,
        "expected_answer": if k.is_multiple_of(5) { "No" } else { "Yes" },
        "score": 9.0,
    })
}

/// Placeholders in the order that each track's template has them.
fn template(track: &str) -> String {
    let marks: &[&str] = match track {
        "t2i" => &[
            "{insert_prompt_here}",
            "{insert_checklist_here}",
            "{insert_image_here}",
        ],
        "edit" => &["{{EDITING_PROMPT}}", "{{CHECKLIST}}"],
        "many2one" => &["{{PROMPT}}", "{{CHECKLIST}}"],
        "interleave" => &["{original_prompt}", "{checklist}", "{interleaved_output}"],
        "think_with_img" => &[
            "{{INSERT_QUESTION_HERE}}",
            "{{INSERT_MODEL_OUTPUT_HERE}}",
            "{{INSERT_CHECKLIST_JSON_HERE}}",
        ],
        _ => &["{original_question}", "{model_response}", "{checklist}"],
    };
    let body: Vec<String> = marks.iter().map(|m| format!("Given:\n{m}\n")).collect();
    format!(
        "Say of each statement whether it holds.\n{}Reply with a JSON list.\n",
        body.join("")
    )
}
