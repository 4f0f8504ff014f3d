//! For programs that call commands in their own process, as the Python package does: what a
//! command would print comes back as texts, what it computes as tables.

use std::ffi::OsString;

use clap::Parser as _;

use crate::args::Cli;
use crate::exit::Exit;
use crate::output;

/// What a command said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// How it ended.
    pub exit: Exit,
    /// What it would have printed on stdout.
    pub result: String,
    /// What it would have printed on stderr.
    pub notes: String,
}

/// Runs a command without printing. `args` are those of the command line, without the program's
/// name. It may take as long as the command does, and starts threads of its own; it must not be
/// called from inside an asynchronous runtime.
pub fn command(args: impl IntoIterator<Item = OsString>) -> Said {
    said(|| match parse(args) {
        Ok(cli) => crate::dispatch(&cli),
        Err(exit) => exit,
    })
}

/// Reads `.env` of the working folder or above into the environment of this process, as the
/// program does when it starts. No other thread may be looking at the environment meanwhile.
pub fn read_env_file() {
    // A missing file is the usual case.
    let _ = dotenvy::dotenv();
}

fn said(command: impl FnOnce() -> Exit) -> Said {
    let (exit, result, notes) = output::captured(command);
    Said {
        exit,
        result,
        notes,
    }
}

/// A command line, or how it ended already: with an error, or with a page of help.
fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Cli, Exit> {
    let name = std::iter::once(OsString::from("verispec"));
    Cli::try_parse_from(name.chain(args)).map_err(|e| {
        let text = e.render().to_string();
        if e.use_stderr() {
            output::note(text.trim_end());
            return Exit::Usage;
        }
        output::result(&text);
        Exit::Ok
    })
}

#[cfg(feature = "arrow")]
pub use tables::{Suite, run_tables, suite};

#[cfg(feature = "arrow")]
mod tables {
    use verispec_report::arrow::{self, Table};

    use super::{Cli, Exit, OsString, Said, parse, said};
    use crate::args::{Command, SuiteCommand};
    use crate::commands::ranks;
    use crate::config::Config;
    use crate::data::Loaded;
    use crate::exit::{self, usage};
    use crate::table::scored;

    /// A suite as tables.
    #[derive(Debug)]
    pub struct Suite {
        /// Its name.
        pub name: String,
        /// Its content version.
        pub revision: String,
        /// Its tracks, in its own order.
        pub tracks: Vec<String>,
        /// A row an instance.
        pub instances: Table,
        /// A row a specification.
        pub specifications: Table,
    }

    /// Scores runs without printing. `args` are those of `verispec score`, which gives `scores` (a
    /// row a score), `instances` and `verdicts` (a row a specification), or of `verispec rank`,
    /// which gives `ranks` (a row a model and ranking); the name of the command first.
    ///
    /// # Errors
    /// What the command would have said, with the code that it would have ended with.
    pub fn run_tables(
        args: impl IntoIterator<Item = OsString>,
    ) -> Result<Vec<(&'static str, Table)>, Said> {
        of(args, |cli| {
            let (table, wanted) = match &cli.command {
                Command::Score(args) => (&args.table, None),
                Command::Rank(args) => (&args.table, Some(args.across_judges)),
                _ => return Err(usage("tables are of `score` or `rank`")),
            };
            let alike = wanted.is_some_and(|across| !across);
            let scored = scored(cli, table, alike)?;
            Ok(match wanted {
                Some(_) => vec![("ranks", arrow::ranks(&ranks(&scored.table, table)?)?)],
                None => vec![
                    ("scores", arrow::scores(&scored.table, &scored.context)?),
                    (
                        "instances",
                        arrow::instances(&scored.table, &scored.context)?,
                    ),
                    (
                        "verdicts",
                        arrow::verdicts(&scored.results, &scored.context)?,
                    ),
                ],
            })
        })
    }

    /// Reads a suite without printing. `args` are those of `verispec suite inspect`, the names of
    /// the command first.
    ///
    /// # Errors
    /// What the command would have said, with the code that it would have ended with.
    pub fn suite(args: impl IntoIterator<Item = OsString>) -> Result<Suite, Said> {
        of(args, |cli| {
            let Command::Suite(SuiteCommand::Inspect { suite, data, .. }) = &cli.command else {
                return Err(usage("a suite is read by `suite inspect`"));
            };
            let config = Config::load(cli.config.as_deref())?;
            let root = config.data(suite.as_str(), data.as_deref())?;
            let suite = Loaded::load(*suite, &root)?.suite;
            Ok(Suite {
                instances: arrow::instances_of(&suite)?,
                specifications: arrow::specifications_of(&suite)?,
                tracks: suite.tracks.iter().map(|t| t.name.clone()).collect(),
                name: suite.name,
                revision: suite.revision,
            })
        })
    }

    /// A value made from a command line.
    fn of<T>(
        args: impl IntoIterator<Item = OsString>,
        make: impl FnOnce(&Cli) -> anyhow::Result<T>,
    ) -> Result<T, Said> {
        let mut made = None;
        let said = said(|| match parse(args).map(|cli| make(&cli)) {
            Ok(Ok(value)) => {
                made = Some(value);
                Exit::Ok
            }
            Ok(Err(e)) => exit::report(&e),
            Err(exit) => exit,
        });
        made.ok_or(said)
    }
}
