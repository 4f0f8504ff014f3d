//! `verispec xtc recover`: how much of what graphs lack do the pictures show?

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use serde_json::json;
use verispec_engine::ledger::RunLock;
use verispec_graph::answers::{GenAnswer, UndAnswer};
use verispec_graph::facts::FactKind;
use verispec_graph::metrics::{Consistency, Grade, GradeTable};
use verispec_model::ImageRole;
use verispec_stats::random::Stream;
use verispec_suites::xtc::{Drawn, GradeItem, GradeJob, GradeReading, UndReading, UnderstandJob};

use super::driver::{Asked, Driver};
use super::look::Looker;
use super::manifest::{Source, find};
use super::run::stage;
use super::score::{ReadRun, read};
use crate::args::Cli;
use crate::args::xtc::XtcRecoverArgs;
use crate::config::Config;
use crate::exit::{Exit, usage};
use crate::judge::resolve_name;
use crate::output;
use crate::run::hash_cache;

/// A fact of which the graph of the picture shows nothing, though there is a picture.
struct Silent {
    model: String,
    image: u64,
    kind: FactKind,
    question: String,
    gold: String,
    understanding: Grade,
    picture: PathBuf,
}

/// What became of the sampled facts of one model and kind.
#[derive(Debug, Clone, Serialize)]
struct Recovered {
    model: String,
    kind: FactKind,
    /// Facts of which the graph shows nothing.
    silent: usize,
    /// Of these: sampled and graded anew.
    sampled: usize,
    /// Of these: right by the picture (the threshold of quadrants or better).
    shown: usize,
    /// Numbers of the sample with g = 0.
    before: Option<Consistency>,
    /// Numbers of the sample with the new g.
    after: Option<Consistency>,
}

pub(super) fn run(cli: &Cli, args: &XtcRecoverArgs) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config.as_deref())?;
    let viewer = Asked::new(resolve_name(&args.viewer, &config)?)?;
    let judge = Asked::new(resolve_name(&args.judge, &config)?)?;
    let dir = find(&cli.runs, &args.run)?;
    let lock = RunLock::acquire(&dir)?;
    let run = read(&cli.runs, &args.run)?;
    match &run.manifest.source {
        Source::Run(source) if source.judge == judge.judge.identity => {}
        Source::Run(source) => {
            return Err(usage(format!(
                "run {:?} was graded by {}; grades of another judge cannot stand beside",
                args.run, source.judge.model
            )));
        }
        _ => return Err(usage(format!("run {:?} tested no model here", args.run))),
    }
    let mut counts = BTreeMap::new();
    let sample = sample(silent(&run), args, &mut counts);
    let mut driver = Driver::live(&cli.runs, &lock, vec![&viewer, &judge], &args.calls)?;
    let grades = regrade(&sample, (&viewer, &judge), &dir, &mut driver)?;
    let rows = rows(&sample, &grades, &counts, args.tau);
    tell(cli, args, &driver, &rows);
    Ok(if args.calls.purse.dry_run {
        Exit::Ok
    } else {
        driver.exit()
    })
}

fn silent(run: &ReadRun) -> Vec<Silent> {
    let mut all = vec![];
    for tested in &run.tested {
        let dataset: Arc<str> = run.bundles[tested.bundle].dataset.as_str().into();
        for (id, graded) in &tested.images {
            let Some(picture) = &graded.picture else {
                continue;
            };
            let (scores, _) = graded.sheet.scores(&dataset, &graded.grades);
            for (row, score) in graded.sheet.rows.iter().zip(scores) {
                let nothing = match &row.drawn {
                    Drawn::Known { answer } => {
                        let seen =
                            !matches!(answer, GenAnswer::NoImage | GenAnswer::UnreadableImage);
                        answer.text().is_none() && seen
                    }
                    Drawn::Unknown | Drawn::Pending => false,
                };
                let Some(grade) = score.understanding.grade() else {
                    continue;
                };
                // What an object is called is known by its place alone; nothing is asked of it.
                if nothing && score.kind != FactKind::Object {
                    all.push(Silent {
                        model: tested.model.clone(),
                        image: *id,
                        kind: score.kind,
                        question: row.fact.question.clone(),
                        gold: row.fact.gold.clone(),
                        understanding: grade,
                        picture: picture.clone(),
                    });
                }
            }
        }
    }
    all
}

/// So many of each model and kind, drawn without replacement; the same seed draws the same.
fn sample(
    all: Vec<Silent>,
    args: &XtcRecoverArgs,
    counts: &mut BTreeMap<(String, FactKind), usize>,
) -> Vec<Silent> {
    let mut by_part: BTreeMap<(String, FactKind), Vec<Silent>> = BTreeMap::new();
    for one in all {
        by_part
            .entry((one.model.clone(), one.kind))
            .or_default()
            .push(one);
    }
    let mut kept = vec![];
    for (part, (key, mut facts)) in by_part.into_iter().enumerate() {
        counts.insert(key, facts.len());
        let mut stream = Stream::new(args.seed, part as u64);
        let most = args.sample.min(facts.len());
        for at in 0..most {
            let rest = u32::try_from(facts.len() - at).unwrap_or(u32::MAX);
            facts.swap(at, at + stream.below(rest) as usize);
        }
        facts.truncate(most);
        kept.extend(facts);
    }
    kept
}

/// The viewer answers on the drawn picture, the judge grades that answer; one reading a fact.
fn regrade(
    sample: &[Silent],
    (viewer, judge): (&Asked, &Asked),
    dir: &std::path::Path,
    driver: &mut Driver<'_>,
) -> anyhow::Result<Vec<Option<Grade>>> {
    let hashes = hash_cache(dir, false);
    let mut looker = Looker::new(&hashes);
    let mut notes = vec![];
    let jobs = sample.iter().zip(0..).filter_map(|(one, place)| {
        let role = ImageRole::Output;
        let picture = looker.look(one.image, &one.picture, role, &mut notes);
        // Without its picture a question would be answered by guessing.
        let job = UnderstandJob {
            id: format!("recover/{}/{}", one.image, one.model),
            questions: vec![(one.kind, one.question.clone())],
            picture: Some(picture.ok()?),
            model: viewer.identity.clone(),
        };
        Some((job, place))
    });
    let (jobs, places): (Vec<UnderstandJob>, Vec<usize>) = jobs.unzip();
    hashes.save()?;
    notes.iter().for_each(|n| output::note(n));
    let seen = driver.run("view", &jobs)?;
    let (mut grading, mut graded_places): (Vec<GradeJob>, Vec<usize>) = (vec![], vec![]);
    for (place, answer) in places.into_iter().zip(seen) {
        let Some(UndReading::Settled(UndAnswer::Answered { text })) = answer.into_iter().next()
        else {
            continue;
        };
        let one: &Silent = &sample[place];
        graded_places.push(place);
        grading.push(GradeJob {
            id: format!("recover-grade/{}/{}", one.image, one.model),
            items: vec![GradeItem {
                question: one.question.clone(),
                gold: one.gold.clone(),
                answer: text,
            }],
            judge: judge.identity.clone(),
            exact: verispec_suites::xtc::ExactAnswers::Ask,
        });
    }
    let mut grades = vec![None; sample.len()];
    for (place, read) in graded_places
        .into_iter()
        .zip(driver.run("grade", &grading)?)
    {
        if let Some(GradeReading::Graded(grade)) = read.first() {
            grades[place] = Some(*grade);
        }
    }
    Ok(grades)
}

fn rows(
    sample: &[Silent],
    grades: &[Option<Grade>],
    counts: &BTreeMap<(String, FactKind), usize>,
    tau: f64,
) -> Vec<Recovered> {
    let row = |((model, kind), silent): (&(String, FactKind), &usize)| {
        let (mut before, mut after) = (GradeTable::default(), GradeTable::default());
        let mut shown = 0;
        let own = sample
            .iter()
            .zip(grades)
            .filter(|(s, _)| s.model == *model && s.kind == *kind);
        for (one, grade) in own {
            if let Some(grade) = *grade {
                before.add(Grade::WORST, one.understanding);
                after.add(grade, one.understanding);
                shown += usize::from(grade.score() >= tau);
            }
        }
        let before = before.consistency(tau);
        Recovered {
            model: model.clone(),
            kind: *kind,
            silent: *silent,
            sampled: before
                .as_ref()
                .map_or(0, |c| usize::try_from(c.n).unwrap_or(usize::MAX)),
            shown,
            before,
            after: after.consistency(tau),
        }
    };
    counts.iter().map(row).collect()
}

fn tell(cli: &Cli, args: &XtcRecoverArgs, driver: &Driver<'_>, rows: &[Recovered]) {
    if cli.json {
        output::json(&json!({
            "format": 1, "kind": "xtc-recover", "run": args.run, "rows": rows,
            "stages": driver.stages, "pending_requests": driver.pending(),
        }));
        return;
    }
    let number = |c: &Option<Consistency>, of: fn(&Consistency) -> f64| {
        c.as_ref().map_or_else(
            || verispec_report::DASH.to_owned(),
            |c| format!("{:.3}", of(c)),
        )
    };
    let mut lines: Vec<String> = driver
        .stages
        .iter()
        .map(|s| stage(s, args.calls.purse.dry_run))
        .collect();
    for row in rows {
        lines.push(format!(
            "{} {}: {} facts without an answer in the graph, {} looked at, {} right by the picture; \
             CCTA {} -> {}, AW-CCTA {} -> {}",
            row.model,
            row.kind,
            row.silent,
            row.sampled,
            row.shown,
            number(&row.before, |c| c.ccta),
            number(&row.after, |c| c.ccta),
            number(&row.before, |c| c.aw_ccta),
            number(&row.after, |c| c.aw_ccta),
        ));
    }
    output::result(&lines.join("\n"));
}
