//! PNG to JPEG beside Pillow.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use super::Bench;
use crate::child::{Memory, run as run_child};
use crate::figure::{Bound, Figure};
use crate::machine::load;
use crate::photo::{self, Kind};
use crate::tools::build;

pub(crate) const TEXT: &str = "From the bytes of a PNG of 1024x1024 to those of a JPEG of quality \
    95, one thread. *pure Rust* is the default build, whose encoder writes the standard Huffman \
    tables; *turbojpeg* is the build with that feature, which optimises the tables and writes \
    what Pillow writes, byte for byte. Beside both is Pillow (libjpeg-turbo) with \
    `optimize=True`, as SpecV's scripts call it. Programs take turns over the same files.";

/// Pictures of each kind.
const FILES: u64 = 12;

/// How often each picture is encoded in a turn; its median counts.
const TIMES: &str = "3";

const SCRIPT: &str = include_str!("../../scripts/pillow.py");

/// One way to encode, and milliseconds per file over all rounds.
struct Way {
    name: &'static str,
    program: Program,
    /// Most of what Pillow takes with optimised tables.
    bound: Option<f64>,
    ms: Vec<f64>,
}

enum Program {
    Ours(PathBuf),
    Pillow { optimize: bool },
}

pub(super) fn run(bench: &mut Bench<'_>) -> anyhow::Result<()> {
    let dir = bench.tools.fresh("encode")?;
    let mut ways = ways(bench)?;
    let script = dir.join("pillow.py");
    std::fs::write(&script, SCRIPT)?;
    for kind in Kind::ALL {
        let files = (0..FILES)
            .map(|seed| {
                let path = dir.join(format!("{}-{seed}.png", kind.name()));
                std::fs::write(&path, photo::draw(kind, seed)?)?;
                anyhow::Ok(path)
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        let load = load();
        ways.iter_mut().for_each(|way| way.ms.clear());
        for _ in 0..bench.cli.rounds {
            for way in &mut ways {
                let ms = encode(bench, &way.program, &script, &dir, &files)?;
                way.ms.extend(ms);
            }
        }
        tell(bench, kind, &ways, load);
    }
    Ok(())
}

fn ways(bench: &mut Bench<'_>) -> anyhow::Result<Vec<Way>> {
    let way = |name, program, bound| Way {
        name,
        program,
        bound,
        ms: vec![],
    };
    let rust = example(bench, false)?;
    let mut ways = vec![way("pure Rust", Program::Ours(rust), Some(0.60))];
    if has("cmake") && has("nasm") {
        let turbo = example(bench, true)?;
        ways.push(way("turbojpeg", Program::Ours(turbo), Some(0.60)));
    } else {
        bench.note("encode: no cmake or no nasm, so the build with turbojpeg is left out");
    }
    if bench.tools.python_has("PIL") {
        for (name, optimize) in [("Pillow", true), ("Pillow, standard tables", false)] {
            ways.push(way(name, Program::Pillow { optimize }, None));
        }
    } else {
        bench.note(
            "encode: no Pillow, which is left out with all ratios to it; name a Python that has \
             it in VERISPEC_BENCH_PYTHON",
        );
    }
    Ok(ways)
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Builds the media crate's own example and keeps a copy, since both builds have one name.
fn example(bench: &Bench<'_>, turbo: bool) -> anyhow::Result<PathBuf> {
    let name = if turbo { "encode-turbo" } else { "encode-rust" };
    if let Some(programs) = &bench.cli.programs {
        let given = programs.canonicalize()?.join(name);
        anyhow::ensure!(given.is_file(), "{} is not there", given.display());
        return Ok(given);
    }
    let beside = bench.tools.own.parent().context("a folder")?;
    let mut args = vec!["-p", "verispec-media", "--example", "encode"];
    if turbo {
        args.extend(["--features", "turbojpeg"]);
    }
    build(&args, beside)?;
    let built = beside.join(format!("examples/encode{}", std::env::consts::EXE_SUFFIX));
    let kept = bench
        .tools
        .work
        .dir
        .join(if turbo { "encode-turbo" } else { "encode-rust" });
    std::fs::copy(&built, &kept).with_context(|| built.display().to_string())?;
    Ok(kept)
}

fn encode(
    bench: &Bench<'_>,
    program: &Program,
    script: &Path,
    dir: &Path,
    files: &[PathBuf],
) -> anyhow::Result<Vec<f64>> {
    let mut command = match program {
        Program::Ours(path) => {
            let mut command = Command::new(path);
            command.args(["specv-jpeg@1", TIMES]);
            command
        }
        Program::Pillow { optimize } => {
            let mut command = Command::new(&bench.tools.python);
            command
                .arg(script)
                .args([TIMES, if *optimize { "1" } else { "0" }]);
            command
        }
    };
    let (_, text) = run_child(command.args(files), dir, Memory::Own)?;
    let ms: Vec<f64> = match program {
        Program::Ours(_) => text.lines().filter_map(ours).collect(),
        Program::Pillow { .. } => text.lines().filter_map(|l| l.parse().ok()).collect(),
    };
    anyhow::ensure!(ms.len() == files.len(), "not understood: {text}");
    Ok(ms)
}

/// `FILE: N B, 12.34ms, notes`
fn ours(line: &str) -> Option<f64> {
    let time = line.split(", ").nth(1)?;
    let at = time.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = time.split_at(at);
    let factor = match unit {
        "s" => 1000.0,
        "ms" => 1.0,
        "µs" => 0.001,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * factor)
}

fn tell(bench: &mut Bench<'_>, kind: Kind, ways: &[Way], load: f64) {
    let pillow = ways.iter().find(|w| w.name == "Pillow");
    for way in ways {
        let mut figure = Figure::new(way.name, kind.name(), "ms", &way.ms, load);
        if let (Some(pillow), true) = (pillow, way.name != "Pillow") {
            figure = figure.beside("Pillow", &pillow.ms);
        }
        if let (Some(bound), Kind::Photo) = (way.bound, kind) {
            figure = figure.bound(Bound::RatioAtMost(bound));
        }
        bench.add(figure);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn durations_of_the_example_are_read() {
        let ms = |line| super::ours(line).unwrap();
        assert!((ms("a.png: 300 B, 12.34ms, encoded") - 12.34).abs() < 1e-9);
        assert!((ms("a.png: 300 B, 1.5s, encoded") - 1500.0).abs() < 1e-9);
        assert!((ms("a.png: 300 B, 950.00µs, encoded") - 0.95).abs() < 1e-9);
        assert!(super::ours("encoder jpeg-encoder-0.7").is_none());
    }
}
