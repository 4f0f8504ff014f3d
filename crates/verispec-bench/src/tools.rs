//! Programs that are measured or that help to measure.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use crate::args::Cli;

/// Where everything is.
#[derive(Debug)]
pub(crate) struct Tools {
    /// The program under test.
    pub(crate) verispec: PathBuf,
    pub(crate) fake_judge: PathBuf,
    /// This program, for its load tool.
    pub(crate) own: PathBuf,
    /// `VERISPEC_BENCH_PYTHON`, else `python3`.
    pub(crate) python: PathBuf,
    /// Folder for data and runs.
    pub(crate) work: Work,
}

/// The working folder; a temporary one is removed at the end.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) dir: PathBuf,
    keep: bool,
}

impl Drop for Work {
    fn drop(&mut self) {
        if !self.keep {
            let _ = std::fs::remove_dir_all(&self.dir);
        }
    }
}

impl Tools {
    /// Builds what is to be measured, unless it is given.
    pub(crate) fn ready(cli: &Cli) -> anyhow::Result<Self> {
        let own = std::env::current_exe()?;
        let beside = own.parent().context("this program has a folder")?;
        let programs = match &cli.programs {
            Some(dir) => dir.canonicalize()?,
            None => {
                build(
                    &["-p", "verispec", "-p", "verispec-testkit", "--bins"],
                    beside,
                )?;
                beside.to_owned()
            }
        };
        let program = |name: &str| {
            let path = programs.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
            anyhow::ensure!(path.is_file(), "{} is not there", path.display());
            Ok(path)
        };
        Ok(Self {
            verispec: program("verispec")?,
            fake_judge: program("fake-judge")?,
            own,
            python: std::env::var_os("VERISPEC_BENCH_PYTHON")
                .map_or_else(|| PathBuf::from("python3"), PathBuf::from),
            work: work(cli)?,
        })
    }

    /// The program under test in a folder of its own, away from the user's configuration.
    pub(crate) fn verispec(&self, dir: &Path) -> Command {
        let mut command = Command::new(&self.verispec);
        command
            .current_dir(dir)
            .env("NO_COLOR", "1")
            .env("DASHSCOPE_API_KEY", "none")
            .env("OPENAI_API_KEY", "none");
        command
    }

    /// Whether Python can import a module.
    pub(crate) fn python_has(&self, module: &str) -> bool {
        let run = Command::new(&self.python)
            .args(["-c", &format!("import {module}")])
            .output();
        run.is_ok_and(|o| o.status.success())
    }

    /// An empty folder below the working one.
    pub(crate) fn fresh(&self, name: &str) -> anyhow::Result<PathBuf> {
        let dir = self.work.dir.join(name);
        if dir.exists() {
            std::fs::remove_dir_all(&dir)?;
        }
        std::fs::create_dir_all(&dir)?;
        Ok(dir)
    }
}

fn work(cli: &Cli) -> anyhow::Result<Work> {
    let (dir, keep) = match &cli.work {
        Some(dir) => (dir.clone(), true),
        None => {
            let name = format!("verispec-bench-{}", std::process::id());
            (std::env::temp_dir().join(name), false)
        }
    };
    std::fs::create_dir_all(&dir).with_context(|| dir.display().to_string())?;
    let dir = dir.canonicalize()?;
    Ok(Work { dir, keep })
}

/// `cargo build --release` of this workspace into the folder that this program lies in.
pub(crate) fn build(args: &[&str], beside: &Path) -> anyhow::Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = beside.parent().context("target/release")?;
    let status = Command::new(cargo)
        .args(["build", "--release", "--target-dir"])
        .arg(target)
        .args(args)
        .current_dir(verispec_testkit::data::workspace_root())
        .status()
        .context("cannot start cargo")?;
    anyhow::ensure!(status.success(), "cargo build {} failed", args.join(" "));
    Ok(())
}
