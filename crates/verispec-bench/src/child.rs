//! Running a program and seeing what it took.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;

/// Time between two looks at a running program.
const LOOK: Duration = Duration::from_millis(10);

/// Time between two looks at the memory of a tree of processes, which takes a while.
const LOOK_AT_TREE: Duration = Duration::from_millis(1000);

/// What a program took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    /// Seconds from start to end.
    pub(crate) wall: f64,
    /// Seconds of processor time, with all children that it waited for; `None` where the system
    /// does not tell.
    pub(crate) cpu: Option<f64>,
    /// Most resident memory in MB: of the program, or the proportional sum of its tree.
    pub(crate) peak_mb: Option<f64>,
}

/// Whose memory counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    Own,
    Tree,
}

/// Runs a program to its end; its output goes to files in `dir`. An exit code other than 0 is an
/// error that quotes the end of what it said.
pub(crate) fn run(
    command: &mut Command,
    dir: &Path,
    memory: Memory,
) -> anyhow::Result<(Taken, String)> {
    let (out, err) = (dir.join("stdout"), dir.join("stderr"));
    command
        .stdin(Stdio::null())
        .stdout(fs::File::create(&out)?)
        .stderr(fs::File::create(&err)?);
    let begin = Instant::now();
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {command:?}"))?;
    let seen = watch(&mut child, memory)?;
    let wall = seen.ended.duration_since(begin).as_secs_f64();
    let status = child.wait()?;
    let text = fs::read_to_string(&out)?;
    if !status.success() {
        let said = fs::read_to_string(&err)?;
        let tail = said.len().saturating_sub(2000);
        let tail = said.get(tail..).unwrap_or(&said);
        anyhow::bail!("{command:?} ended with {status}:\n{tail}");
    }
    let taken = Taken {
        wall,
        cpu: seen.cpu,
        peak_mb: seen.peak_mb,
    };
    Ok((taken, text))
}

struct Seen {
    ended: Instant,
    cpu: Option<f64>,
    peak_mb: Option<f64>,
}

/// Looks until the program has ended. Its times are read while it is a zombie, when they are
/// final.
fn watch(child: &mut Child, memory: Memory) -> anyhow::Result<Seen> {
    let pid = child.id();
    let mut peak: Option<f64> = None;
    let mut looked = Instant::now();
    loop {
        let now = match memory {
            Memory::Own => status_mb(pid, "VmHWM:"),
            Memory::Tree if looked.elapsed() < LOOK_AT_TREE => None,
            Memory::Tree => {
                looked = Instant::now();
                Some(tree(pid).into_iter().filter_map(pss_mb).sum())
            }
        };
        peak = match (peak, now) {
            (Some(a), Some(b)) => Some(f64::max(a, b)),
            (a, b) => a.or(b),
        };
        let ended = match stat(pid) {
            Some(stat) if stat.is_zombie => Some(Some(stat.cpu_with_children)),
            Some(_) => None,
            // No such file system: ask the ordinary way.
            None => child.try_wait()?.map(|_| None),
        };
        if let Some(cpu) = ended {
            return Ok(Seen {
                ended: Instant::now(),
                cpu,
                peak_mb: peak,
            });
        }
        std::thread::sleep(LOOK);
    }
}

struct Stat {
    is_zombie: bool,
    parent: u32,
    cpu_own: f64,
    cpu_with_children: f64,
}

/// Clock ticks per second in /proc, which Linux fixes for programs.
const TICKS: f64 = 100.0;

fn stat(pid: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything.
    let rest = text.rsplit_once(')')?.1;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = |i: usize| fields.get(i)?.parse::<f64>().ok();
    let own = ticks(11)? + ticks(12)?;
    Some(Stat {
        is_zombie: fields.first() == Some(&"Z"),
        parent: fields.get(1)?.parse().ok()?,
        cpu_own: own / TICKS,
        cpu_with_children: (own + ticks(13)? + ticks(14)?) / TICKS,
    })
}

/// Processor seconds of a running process.
pub(crate) fn cpu_of(pid: u32) -> Option<f64> {
    stat(pid).map(|s| s.cpu_own)
}

fn status_mb(pid: u32, name: &str) -> Option<f64> {
    kb_field(&format!("/proc/{pid}/status"), name)
}

fn pss_mb(pid: u32) -> Option<f64> {
    kb_field(&format!("/proc/{pid}/smaps_rollup"), "Pss:")
}

fn kb_field(path: &str, name: &str) -> Option<f64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|l| l.starts_with(name))?;
    let kb: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kb * 1024.0 / 1e6)
}

/// A process and all below it.
fn tree(root: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
    let parents: Vec<(u32, u32)> = pids.filter_map(|p| Some((p, stat(p)?.parent))).collect();
    let mut found = vec![root];
    let mut at = 0;
    while at < found.len() {
        let parent = found[at];
        let children = parents.iter().filter(|(_, p)| *p == parent);
        found.extend(children.map(|(pid, _)| *pid));
        at += 1;
    }
    found
}
