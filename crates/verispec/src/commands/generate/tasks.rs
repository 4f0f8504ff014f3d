//! The suites that outputs are made for, as far as the command tells them apart.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use verispec_generate::{
    GenerateJob, Generation, Layout, Made, Oracle, PlanError, PlanOptions, Task, Tree,
    custom_tasks, dsg_tasks, realunify_tasks, specv_tasks, xtc_answer_tasks, xtc_image_tasks,
    xtc_questions,
};
use verispec_media::HashCache;
use verispec_model::{Filters, Suite};
use verispec_suites::{custom, realunify, specv};

use crate::args::{GenerateArgs, GenerateSuite};
use crate::config::Config;
use crate::exit::usage;
use crate::target::{absolute, filters};

/// A suite as read.
pub(super) struct Loaded {
    /// Where its data is.
    pub(super) data: PathBuf,
    kind: Kind,
}

enum Kind {
    Specv(Suite),
    Realunify(realunify::Loaded),
    Custom(custom::Loaded),
    Dsg,
    Xtc,
}

/// Whether a file is not there, and nothing else is wrong with it.
fn is_absent(error: &PlanError) -> bool {
    matches!(error, PlanError::Io { source, .. } if source.kind() == ErrorKind::NotFound)
}

/// Loads the suite that was asked for.
pub(super) fn load(args: &GenerateArgs, config: &Config) -> anyhow::Result<Loaded> {
    let name = args.suite.kind().as_str();
    let data = absolute(&config.data(name, args.data.as_deref())?)?;
    let kind = match args.suite {
        GenerateSuite::Specv => Kind::Specv(specv::load(&data)?.suite),
        GenerateSuite::Realunify => Kind::Realunify(realunify::load(&data)?),
        GenerateSuite::Custom => Kind::Custom(custom::load(&data)?),
        GenerateSuite::Dsg => Kind::Dsg,
        GenerateSuite::Xtc => Kind::Xtc,
    };
    Ok(Loaded { data, kind })
}

impl Loaded {
    fn suite(&self) -> Option<&Suite> {
        match &self.kind {
            Kind::Specv(suite) => Some(suite),
            Kind::Realunify(loaded) => Some(&loaded.suite),
            Kind::Custom(loaded) => Some(&loaded.suite),
            Kind::Dsg | Kind::Xtc => None,
        }
    }

    /// Content version, where the suite has one.
    pub(super) fn revision(&self) -> Option<String> {
        self.suite().map(|s| s.revision.clone())
    }

    /// What is left out, with names checked where the suite knows them.
    pub(super) fn filters(&self, args: &GenerateArgs) -> anyhow::Result<Filters> {
        let given = &args.part;
        let mut filters = match self.suite() {
            Some(suite) => filters(given, suite)?,
            None => Filters {
                tracks: given.tracks.clone(),
                dims: given.dims.clone(),
                ids: given.ids.clone(),
                limit: given.limit,
                shard: None,
            },
        };
        filters.shard = args.shard;
        Ok(filters)
    }

    /// What is asked of the model.
    pub(super) fn tasks(
        &self,
        described: &Generation,
        hashes: &HashCache,
    ) -> anyhow::Result<Vec<Task>> {
        let hash = |path: &Path| hashes.hash_file(path).map_err(|e| e.to_string());
        let options = PlanOptions {
            filters: &described.filters,
            hash: &hash,
        };
        let tasks = match &self.kind {
            Kind::Specv(suite) => specv_tasks(suite, &options),
            Kind::Realunify(loaded) => realunify_tasks(loaded, &options),
            Kind::Custom(loaded) => custom_tasks(loaded, described.wants, &options),
            Kind::Dsg => dsg_tasks(&self.data, &options)?,
            Kind::Xtc => self.xtc(described, &options)?,
        };
        if tasks.is_empty() {
            return Err(usage(
                "nothing to make: these filters together select no instance",
            ));
        }
        let Some(dir) = &described.oracle else {
            return Ok(tasks);
        };
        let oracle = Oracle { dir: dir.clone() };
        oracle
            .inject(tasks, &hash)
            .map_err(|e| usage(e.to_string()))
    }

    /// Images and answers; without a word about tracks, what there are files for.
    fn xtc(&self, described: &Generation, options: &PlanOptions<'_>) -> anyhow::Result<Vec<Task>> {
        let images = xtc_image_tasks(&self.data, &described.model, options);
        let answers = xtc_answer_tasks(&self.data, options);
        let named = !described.filters.tracks.is_empty();
        match (images, answers) {
            (Ok(images), Ok(answers)) => Ok([images, answers].concat()),
            (Ok(one), Err(other)) | (Err(other), Ok(one))
                if !named && !one.is_empty() && is_absent(&other) =>
            {
                Ok(one)
            }
            (Err(error), _) | (_, Err(error)) => Err(error.into()),
        }
    }

    /// Files that hold a line for each of several instances, before statuses are written.
    pub(super) fn write_lines(
        &self,
        tree: &Tree,
        replicates: u32,
        (jobs, made): (&[GenerateJob], &[Made]),
    ) -> anyhow::Result<()> {
        let lines = |(job, _): &(&GenerateJob, &Made)| job.task.output == Layout::Line;
        let made: Vec<_> = jobs.iter().zip(made).filter(lines).collect();
        if made.is_empty() {
            return Ok(());
        }
        let questions = xtc_questions(&self.data)?;
        for replicate in 0..replicates {
            let own = made.iter().filter(|(job, _)| job.replicate == replicate);
            let own: Vec<_> = own.copied().collect();
            tree.write_xtc_answers(replicate, &questions, &own)?;
        }
        Ok(())
    }
}
