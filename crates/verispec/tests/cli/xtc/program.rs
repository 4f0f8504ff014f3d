//! One shell program that plays every part by looking replies up, and what it knows.

use std::path::Path;

use serde_json::{Value, json};
use verispec_suites::xtc::{Bundle, BundleOptions, asked};

use super::scenes::{Scene, bundle, scenes};
use crate::support::{run, text, write};

/// `good` draws and says what is true. `odd` leaves out the last object of each scene, draws
/// nothing of scene 4, and says "nothing" to every question. With a file `slow` it takes its time, as
/// models do: then replies are committed before a kill.
const PROGRAM: &str = r#"
log="$1/log.$$"
replies="$1/replies"
while read -r line; do
  id=${line#*\"id\":\"}; id=${id%%\"*}
  printf '%s\n' "${line#*\"protocol\"}" >> "$log"
  protocol=${line#*\"protocol\":\"}; protocol=${protocol%%@*}
  model=${line#*\"model\":\"}; model=${model%%\"*}
  image=${line#*\"image\":\"}; image=${image%%\"*}
  tail=${image##*/pictures/}; tail=${tail##*/images/}
  reply='"?"'
  [ -e "$1/slow" ] && sleep 0.02
  case "$protocol" in
    xtc-draw)
      seed=${line#*seed\\\":}; seed=${seed%%\}*}
      if [ -f "$replies/draw/$model/$seed" ]; then read -r reply < "$replies/draw/$model/$seed"; else reply='"cannot draw"'; fi ;;
    xtc-understand)
      question=${line#*\"questions\":\[\{\"id\":1,\"text\":\"}; question=${question%%\"\}\]*}
      reply=$(grep -F -m1 "$question	" "$replies/understand/$model/${image##*/}")
      reply=${reply#*	} ;;
    xtc-objects) read -r reply < "$replies/objects/$tail" ;;
    xtc-relations) read -r reply < "$replies/relations/$tail" ;;
    xtc-verify-strict)
      case "$line" in *kissing*) reply='"{\"answer\": \"No\"}"' ;; *) reply='"{\"answer\": \"Yes\"}"' ;; esac ;;
    xtc-attributes)
      box=${line#*box\\\":\[}; box=${box%%\]*}
      read -r reply < "$replies/attributes/$tail/$box" ;;
    xtc-describe)
      reply='"{\"description\": \"a very plain thing.\"}"'
      case "$line" in *yellow*) reply='"no idea"' ;; esac ;;
    xtc-grade)
      given=${line#*given answer\\\":\\\"}; given=${given%%\\\"*}
      right=${line#*right answer\\\":\\\"}; right=${right%%\\\"*}
      score=0; [ "$given" = "$right" ] && score=5
      reply="\"{\\\"reasoning\\\": \\\"compared\\\", \\\"score\\\": $score}\"" ;;
  esac
  printf '{"id":"%s","text":%s}\n' "$id" "$reply"
done
"#;

pub(super) const MODELS: [&str; 2] = ["good", "odd"];

/// What a model draws of a scene; `None` where it draws nothing.
pub(super) fn drawing(model: &str, scene: &Scene) -> Option<Scene> {
    match model {
        "good" => Some(scene.clone()),
        _ if scene.id == 4 => None,
        _ => Some(scene.without_last()),
    }
}

/// A folder with the bundle, the program, everything it knows, and a configuration.
pub(crate) fn workplace() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("temporary folder");
    let root = dir.path();
    bundle(&root.join("scenes"));
    write(&root.join("program.sh"), PROGRAM);
    let replies = root.join("replies");
    for scene in scenes() {
        look(&replies, &format!("{}.png", scene.id), &scene);
        for model in MODELS {
            let Some(drawn) = drawing(model, &scene) else {
                continue;
            };
            let file = root.join(format!("drawn/{model}/{}.png", scene.id));
            drawn.render(&file);
            let text = json!({"image": file}).to_string();
            let seed = 42 + scene.id;
            save(&replies.join(format!("draw/{model}/{seed}")), &text);
            look(
                &replies,
                &format!("{model}/scenes/{}.png", scene.id),
                &drawn,
            );
        }
    }
    answers(root, &replies);
    config(root);
    dir
}

/// A reply as the program prints it: one line, a JSON string.
fn save(path: &Path, text: &str) {
    write(path, &(serde_json::to_string(text).expect("text") + "\n"));
}

/// What the extractor says of a picture.
fn look(replies: &Path, tail: &str, scene: &Scene) {
    let five =
        |[x1, y1, x2, y2]: super::scenes::Corners| [x1 * 5, y1 * 5, (x2 + 1) * 5, (y2 + 1) * 5];
    let objects = scene.things.iter();
    let objects = objects.map(|t| json!({"label": t.label, "box": five(t.at)}));
    let objects = json!({"objects": objects.collect::<Vec<_>>()});
    save(&replies.join("objects").join(tail), &objects.to_string());
    let relation =
        |s: usize, p: &str, o: usize| json!({"subject": s + 1, "predicate": p, "object": o + 1});
    let mut relations: Vec<_> = scene
        .relations
        .iter()
        .map(|(s, p, o)| relation(*s, p, *o))
        .collect();
    if scene.things.len() > 1 {
        // The verifier denies this one.
        relations.push(relation(0, "kissing", 1));
    }
    // With words around it, as models talk.
    let text = format!(
        "Here it is:\n```json\n{}\n```",
        json!({"relations": relations})
    );
    save(&replies.join("relations").join(tail), &text);
    for thing in &scene.things {
        let said = json!({"visual_reasoning": "plain", "primary_color": [thing.colour]});
        let [x1, y1, x2, y2] = thing.at;
        let file = format!("attributes/{tail}/{x1},{y1},{x2},{y2}");
        save(&replies.join(file), &said.to_string());
    }
}

fn answers(root: &Path, replies: &Path) {
    let bundle =
        Bundle::load("scenes", &root.join("scenes"), BundleOptions::default()).expect("bundle");
    for (id, image) in &bundle.images {
        for model in MODELS {
            let lines = image.facts.iter().map(|fact| {
                let question = asked(fact.key.target.kind(), &fact.question);
                let said = if model == "good" {
                    fact.gold.as_str()
                } else {
                    "nothing"
                };
                format!(
                    "{question}\t{}\n",
                    serde_json::to_string(said).expect("text")
                )
            });
            let file = replies.join(format!("understand/{model}/{id}.png"));
            write(&file, &lines.collect::<String>());
        }
    }
}

fn config(root: &Path) {
    let judges = ["good", "odd", "eye", "grader"].map(|name| {
        format!(
            "[judge.{name}]\nprovider = \"command\"\nmodel = \"{name}\"\n\
             command = [\"sh\", \"program.sh\", \"{}\"]\n\n",
            root.display()
        )
    });
    write(&root.join("verispec.toml"), &judges.concat());
}

/// Arguments of a run that `grader` judges.
pub(super) fn graded<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let fixed = ["xtc", "run", "--bundle", "scenes", "--judge", "grader"];
    [&fixed[..], more].concat()
}

/// Arguments of a run on the files in `mine`.
pub(super) fn of_files(name: &str) -> Vec<&str> {
    graded(&["--model", "mine=mine", "--extractor", "eye", "--run", name])
}

/// Arguments of the whole run.
pub(super) fn run_args<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let both = [
        "--ask",
        "good=good",
        "--draw",
        "good=good",
        "--ask",
        "odd=odd",
        "--draw",
        "odd=odd",
        "--extractor",
        "eye",
        "--family",
        "good=honest",
        "--run",
        "r",
    ];
    graded(&[&both[..], more].concat())
}

/// What a command prints, one JSON value a line.
pub(super) fn printed(root: &Path, args: &[&str]) -> Vec<Value> {
    let said = text(&run(root, args).stdout);
    let value = |l: &str| serde_json::from_str(l).expect("json");
    said.lines().map(value).collect()
}

/// Everything that the program was ever asked, without the ids of requests.
pub(super) fn log(root: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(root).expect("folder").flatten();
    let logs = entries.filter(|e| e.file_name().to_string_lossy().starts_with("log."));
    let texts = logs.map(|e| std::fs::read_to_string(e.path()).expect("log"));
    let lines = texts.flat_map(|t| t.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.collect()
}
