//! `verispec study realunify`

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;
use verispec_report::render_warnings;
use verispec_report::studies::{
    realunify_csv, realunify_latex, realunify_markdown, render_realunify,
};
use verispec_studies::realunify::{
    Ability, BySplit, Denominator, Mixed, ModelRuns, RealUnifyStudy, Way, study,
};
use verispec_suites::published;
use verispec_suites::realunify::{Loaded, load};

use crate::args::{Cli, RealunifyArgs, StudyFormat};
use crate::exit::{Exit, usage};
use crate::output;
use crate::reduce;
use crate::run::{Read, Run};
use crate::splits::by_split;

pub(super) fn run(cli: &Cli, args: &RealunifyArgs) -> anyhow::Result<Exit> {
    let data = match &args.data {
        Some(root) => OnceCell::from(Arc::new(load(root)?)),
        None => OnceCell::new(),
    };
    let from = Source { cli, args, data };
    let mut models = from.own()?;
    for name in &args.oracle {
        for (model, results) in from.beside("--oracle", name, &models)? {
            let to = target(&mut models, &model);
            add(&mut to.oracle, only_step("--oracle", results)?, name)?;
        }
    }
    for one in args.mixed.chunks(3) {
        from.mixed(one, &mut models)?;
    }
    for name in &args.human {
        for (model, results) in from.beside("--human", name, &models)? {
            add(&mut target(&mut models, &model).human, results, name)?;
        }
    }
    let fixed = args.fixed100 || args.preset.is_some();
    let denominator = match fixed {
        true => Denominator::Fixed100,
        false => Denominator::Actual,
    };
    let data = from.data.get().context("name a run")?;
    let mut study = study(data, &models, denominator);
    if args.with_published {
        study.published = published::realunify().tables.clone();
    }
    print(cli, args, &study)
}

fn print(cli: &Cli, args: &RealunifyArgs, study: &RealUnifyStudy) -> anyhow::Result<Exit> {
    if cli.json {
        let study = serde_json::to_value(study).context("cannot write the study")?;
        output::json(&serde_json::json!({
            "format": 1, "kind": "realunify", "runs": args.run, "study": study,
        }));
        return Ok(Exit::Ok);
    }
    output::result(&match args.format {
        StudyFormat::Text => render_realunify(study, cli.verbose > 0, output::style()),
        StudyFormat::Md => realunify_markdown(study),
        StudyFormat::Latex => realunify_latex(study),
        StudyFormat::Csv => realunify_csv(study)?,
    });
    if args.format != StudyFormat::Text && !study.warnings.is_empty() {
        let style = output::style();
        output::rendered_note(&render_warnings(&study.warnings, cli.verbose > 0, style));
    }
    Ok(Exit::Ok)
}

/// `RUN` or `RUN:MODEL`.
fn named(text: &str) -> (&str, Option<&str>) {
    match text.split_once(':') {
        Some((run, model)) if !run.is_empty() && !model.is_empty() => (run, Some(model)),
        _ => (text, None),
    }
}

/// Where results come from.
struct Source<'a> {
    cli: &'a Cli,
    args: &'a RealunifyArgs,
    /// The suite's items: what is named, else what the first run was made with.
    data: OnceCell<Arc<Loaded>>,
}

impl Source<'_> {
    /// The models under study, sorted by name, with the splits of all runs.
    fn own(&self) -> anyhow::Result<Vec<ModelRuns>> {
        let mut models: BTreeMap<String, ModelRuns> = BTreeMap::new();
        for name in &self.args.run {
            for (model, results) in self.read(name)? {
                let runs = models.entry(model.clone()).or_insert_with(|| ModelRuns {
                    model,
                    ..ModelRuns::default()
                });
                add(&mut runs.own, results, name)?;
            }
        }
        Ok(models.into_values().collect())
    }

    /// A run's models with their results by split.
    fn read(&self, name: &str) -> anyhow::Result<Vec<(String, BySplit)>> {
        let (run, wanted) = named(name);
        let run = Run::open(&self.cli.runs, run)?;
        if run.manifest.suite != "realunify" {
            return Err(usage(format!(
                "run {:?} is of {}, not of realunify",
                run.manifest.run, run.manifest.suite
            )));
        }
        let read = run.reduced(&self.args.reduce)?.read(None, false)?;
        reduce::check_one_verdict(&read.run.manifest)?;
        let data = self.data(&read)?;
        let models = read.results.models.iter();
        let of_model = |m| by_split(data, &read.run.manifest, m).into_iter().collect();
        let found: Vec<(String, BySplit)> = models
            .filter(|m| wanted.is_none_or(|w| m.model == w))
            .map(|m| (m.model.clone(), of_model(m)))
            .collect();
        if found.is_empty() {
            let all = read.results.models.iter().map(|m| m.model.as_str());
            return Err(usage(format!(
                "{name}: there is no model {:?}; there is {}",
                wanted.unwrap_or_default(),
                all.collect::<Vec<_>>().join(", ")
            )));
        }
        Ok(found)
    }

    fn data(&self, read: &Read) -> anyhow::Result<&Arc<Loaded>> {
        if let Some(data) = self.data.get() {
            return Ok(data);
        }
        let own = read.loaded().and_then(crate::data::Loaded::realunify);
        let own = own.context("the run's manifest names no data folder: give --data")?;
        Ok(self.data.get_or_init(|| Arc::clone(own)))
    }

    /// Results that stand beside a model of the study: the only one, or the one of that name.
    fn beside(
        &self,
        flag: &str,
        name: &str,
        models: &[ModelRuns],
    ) -> anyhow::Result<Vec<(String, BySplit)>> {
        let mut read = self.read(name)?;
        if let ([one], [(model, _)]) = (models, read.as_mut_slice()) {
            model.clone_from(&one.model);
            return Ok(read);
        }
        let known = |(model, _): &(String, BySplit)| models.iter().any(|m| m.model == *model);
        let theirs: Vec<String> = read.iter().map(|(model, _)| model.clone()).collect();
        read.retain(known);
        if read.is_empty() {
            let ours: Vec<&str> = models.iter().map(|m| m.model.as_str()).collect();
            return Err(usage(format!(
                "{flag} {name}: of which model is it? it holds {}, the study is of {}; study one \
                 model (RUN:MODEL) with one run beside it (RUN:MODEL)",
                theirs.join(", "),
                ours.join(", ")
            )));
        }
        Ok(read)
    }

    /// One `--mixed`.
    fn mixed(&self, words: &[String], models: &mut [ModelRuns]) -> anyhow::Result<()> {
        let [ability, specialist, name] = words else {
            return Err(usage("--mixed takes ABILITY SPECIALIST RUN"));
        };
        let ability = match ability.as_str() {
            "understanding" => Ability::Understanding,
            "generation" => Ability::Generation,
            other => {
                return Err(usage(format!(
                    "--mixed: {other:?} is neither understanding nor generation"
                )));
            }
        };
        for (model, results) in self.beside("--mixed", name, models)? {
            target(models, &model).mixed.push(Mixed {
                specialist: specialist.clone(),
                ability,
                results: only_step("--mixed", results)?,
            });
        }
        Ok(())
    }
}

/// The model of that name; `beside` gives names of the study alone.
fn target<'m>(models: &'m mut [ModelRuns], name: &str) -> &'m mut ModelRuns {
    let place = models.iter().position(|m| m.model == name).unwrap_or(0);
    &mut models[place]
}

/// Adds splits; one that is there already would be counted twice.
fn add(to: &mut BySplit, results: BySplit, name: &str) -> anyhow::Result<()> {
    for (split, items) in results {
        if to.insert(split, items).is_some() {
            return Err(usage(format!(
                "{name}: {split} of this model stands in another run already"
            )));
        }
    }
    Ok(())
}

/// Oracle and mixed runs are stepwise; what was asked directly in the same run is no part of it.
fn only_step(flag: &str, mut results: BySplit) -> anyhow::Result<BySplit> {
    results.retain(|split, _| split.way == Way::Step);
    if results.is_empty() {
        return Err(usage(format!(
            "{flag}: the run holds no stepwise outputs (ueg_step, geu_step)"
        )));
    }
    Ok(results)
}
