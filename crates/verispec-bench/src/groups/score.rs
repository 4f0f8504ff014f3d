//! Scoring a tree of result files beside a Python loop that only reads them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::Bench;
use crate::child::{Memory, Taken, run as run_child};
use crate::figure::{Bound, Figure};
use crate::machine::load;
use crate::source::{TRACKS, checkout};

pub(crate) const TEXT: &str = "19 models x all instances as SpecV's result files. *score the \
    tree* is `verispec score DIR --preset published`. Beside it stands a Python loop that opens \
    every file, parses it with `json` and counts answers that are as expected; and, with a \
    checkout, SpecV's own six scripts, which read the same files. *reading alone* is what the \
    system takes to open, read and close these files on all processors, whoever asks and \
    whatever is made of them. *import* is `verispec import specv-results`, which keeps what the files hold as a run of its own; *score the run* scores \
    that.";

const MODELS: usize = 19;
const SCRIPT: &str = include_str!("../../scripts/json_loop.py");

pub(super) fn run(bench: &mut Bench<'_>) -> anyhow::Result<()> {
    let dir = bench.tools.fresh("score")?;
    let files = result_files(bench, &dir)?;
    let script = dir.join("json_loop.py");
    fs::write(&script, SCRIPT)?;
    let with_scripts = checkout().is_some();
    if !with_scripts {
        bench.note("score: no SPECV_CHECKOUT, so SpecV's own scripts are left out");
    }
    let load = load();
    let (mut import, mut score, mut tree, mut cpu) = (vec![], vec![], vec![], vec![]);
    let (mut python, mut python_cpu, mut scripts) = (vec![], vec![], vec![]);
    let mut reading = vec![];
    for _ in 0..bench.cli.rounds {
        reading.push(reading_alone(&dir)?);
        let ours = ours(bench, &dir)?;
        import.push(ours.import.wall);
        score.push(ours.run.wall);
        tree.push(ours.tree.wall);
        cpu.extend(ours.tree.cpu);
        let mut loop_of_python = Command::new(&bench.tools.python);
        loop_of_python
            .arg(&script)
            .args(TRACKS.map(|t| dir.join("eval").join(t).join("results")));
        let (taken, said) = run_child(&mut loop_of_python, &dir, Memory::Own)?;
        anyhow::ensure!(said.starts_with(&format!("{files} ")), "files read: {said}");
        python.push(taken.wall);
        python_cpu.extend(taken.cpu);
        if with_scripts {
            scripts.push(theirs(bench, &dir)?);
        }
    }
    let row = format!("{files} result files");
    let new = |measure: &str, values: &[f64]| Figure::new(&row, measure, "s", values, load);
    bench.add(
        new("score the tree", &tree)
            .beside("Python loop", &python)
            .bound(Bound::RatioAtMost(0.2)),
    );
    if !cpu.is_empty() {
        bench.add(new("processor, score the tree", &cpu).beside("Python loop", &python_cpu));
    }
    bench.add(new("reading alone", &reading).beside("Python loop", &python));
    if with_scripts {
        let name = "score the tree, beside SpecV's scripts";
        bench.add(new(name, &tree).beside("SpecV", &scripts));
    }
    bench.add(new("import", &import));
    bench.add(new("score the run", &score).beside("Python loop", &python));
    bench.tools.fresh("score")?;
    Ok(())
}

/// Seconds of opening, reading and closing all result files, on all processors.
fn reading_alone(dir: &Path) -> anyhow::Result<f64> {
    let begin = std::time::Instant::now();
    let mut folders: Vec<PathBuf> = TRACKS
        .map(|t| dir.join("eval").join(t).join("results"))
        .into();
    let mut files = vec![];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let list = if entry.file_type()?.is_dir() {
                &mut folders
            } else {
                &mut files
            };
            list.push(entry.path());
        }
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let part = files.len().div_ceil(threads).max(1);
    let read = |part: &[PathBuf]| {
        let sizes = part.iter().map(|file| Ok(fs::read(file)?.len()));
        sizes.sum::<std::io::Result<usize>>()
    };
    let bytes = std::thread::scope(|scope| {
        let parts: Vec<_> = files
            .chunks(part)
            .map(|p| scope.spawn(move || read(p)))
            .collect();
        let read = |t: std::thread::ScopedJoinHandle<'_, _>| {
            t.join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        parts.into_iter().map(read).sum::<std::io::Result<usize>>()
    })?;
    anyhow::ensure!(bytes > 0, "empty result files");
    Ok(begin.elapsed().as_secs_f64())
}

struct Ours {
    tree: Taken,
    import: Taken,
    run: Taken,
}

fn ours(bench: &Bench<'_>, dir: &Path) -> anyhow::Result<Ours> {
    let tree = score(bench, dir, ".")?;
    let runs = bench.tools.fresh("runs")?;
    let mut import = bench.tools.verispec(dir);
    import
        .args(["import", "specv-results", ".", "--run", "r", "--runs"])
        .arg(&runs);
    let (import, _) = run_child(&mut import, &runs, Memory::Own)?;
    let run = score(bench, dir, "r")?;
    Ok(Ours { tree, import, run })
}

/// Scores a run or a folder.
fn score(bench: &Bench<'_>, dir: &Path, what: &str) -> anyhow::Result<Taken> {
    let runs = bench.tools.work.dir.join("runs");
    fs::create_dir_all(&runs)?;
    let mut score = bench.tools.verispec(dir);
    score
        .args(["score", what, "--preset", "published", "--json", "--runs"])
        .arg(&runs);
    let (taken, said) = run_child(&mut score, &runs, Memory::Own)?;
    let scores: Value = serde_json::from_str(&said)?;
    let models = scores["models"].as_array().map_or(0, Vec::len);
    anyhow::ensure!(models == MODELS, "{models} models scored");
    Ok(taken)
}

/// Seconds of SpecV's six scripts, one after another.
fn theirs(bench: &Bench<'_>, dir: &Path) -> anyhow::Result<f64> {
    let mut seconds = 0.0;
    for track in TRACKS {
        let folder = dir.join("eval").join(track);
        let mut script = Command::new(&bench.tools.python);
        script
            .arg(folder.join("score_and_rank.py"))
            .current_dir(&folder);
        seconds += run_child(&mut script, dir, Memory::Own)?.0.wall;
    }
    Ok(seconds)
}

/// Writes the tree; how many files it has.
fn result_files(bench: &Bench<'_>, dir: &Path) -> anyhow::Result<usize> {
    let root = &bench.source.root;
    let mut files = 0;
    for track in TRACKS {
        let eval = dir.join("eval").join(track);
        fs::create_dir_all(&eval)?;
        let script = root.join("eval").join(track).join("score_and_rank.py");
        if script.is_file() {
            fs::copy(&script, eval.join("score_and_rank.py"))?;
        }
        for instance in bench.source.instances(track) {
            let (dimension, id) = (&instance.dimension, format!("{}.json", instance.id));
            let checklist = root
                .join("eval_checklist")
                .join(track)
                .join(dimension)
                .join(&id);
            let items: Vec<Value> = serde_json::from_str(&fs::read_to_string(checklist)?)?;
            for model in 0..MODELS {
                let folder = eval
                    .join("results")
                    .join(format!("m{model:03}"))
                    .join(dimension);
                fs::create_dir_all(&folder)?;
                fs::write(folder.join(&id), answered(&items, model + files)?)?;
                files += 1;
            }
        }
    }
    Ok(files)
}

/// A result file: the checklist with answers.
fn answered(items: &[Value], seed: usize) -> anyhow::Result<String> {
    let mut items = items.to_vec();
    for (k, item) in items.iter_mut().enumerate() {
        let yes = !(k * 7 + seed).is_multiple_of(4);
        item["answer"] = Value::from(if yes { "Yes" } else { "No" });
    }
    Ok(serde_json::to_string_pretty(&items)?)
}
