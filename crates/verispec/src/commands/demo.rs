//! `verispec demo`: the whole path on a small suite of our own.

use std::path::Path;

use anyhow::Context as _;
use include_dir::{Dir, include_dir};
use verispec_model::score::Policy;
use verispec_model::{InstanceState, Results};
use verispec_report::{
    Context, RankBy, RankTable, ScoreOptions, render_rank, render_scores, render_show, views,
};

use super::judge::judge_target;
use super::report::{output_parts, write};
use crate::args::{
    CallArgs, CanaryArgs, Cli, DemoArgs, FilterArgs, JudgeArgs, JudgeSpec, ProtocolName, SuiteName,
    TargetArgs,
};
use crate::config::Config;
use crate::exit::Exit;
use crate::run::{Read, Run};
use crate::target::Target;
use crate::{connect, judge, output, policy};

/// Tasks, specifications and three sets of outputs, all our own.
static SUITE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/demo");

pub(super) fn run(cli: &Cli, args: &DemoArgs) -> anyhow::Result<Exit> {
    let suite = args.out.join("suite");
    std::fs::create_dir_all(&suite).with_context(|| format!("cannot make {}", suite.display()))?;
    SUITE
        .extract(&suite)
        .with_context(|| format!("cannot write {}", suite.display()))?;
    let runs = args.out.join("runs");
    let mut judge_args = judge_args(&suite);
    let judge = judge::resolve(&judge_args.target, &Config::default())?;
    // A judge that has learnt to read since the last demo is another judge, in another run.
    let revision = judge.identity.revision.as_deref().unwrap_or_default();
    judge_args.run = Some(format!("demo-{revision}"));
    let target = Target::from_args(&judge_args.target, &Config::default())?;
    let done = judge_target(&runs, &judge_args, None, target, &judge)?;
    let read = Run::open(&runs, &done.manifest.run)?.read(None, false)?;
    let page = write(&read, &read.run.dir.join("report"), &args.out)?;
    if cli.json {
        let table = policy::score(&read.results, Policy::default());
        let context = Context::of(std::slice::from_ref(&done.manifest));
        output::json(&verispec_report::json::Scores {
            table: &table,
            context: &context,
            categories: None,
        });
        return Ok(done.exit);
    }
    tell(&read)?;
    advise(
        &runs,
        &done.manifest.run,
        page.first().map(std::path::PathBuf::as_path),
    );
    Ok(done.exit)
}

fn judge_args(suite: &Path) -> JudgeArgs {
    JudgeArgs {
        target: TargetArgs {
            suite: SuiteName::Specv,
            data: Some(suite.to_owned()),
            outputs: None,
            filters: FilterArgs::default(),
            judge: JudgeSpec {
                judge: Some(judge::BUILTIN.into()),
                ..JudgeSpec::default()
            },
            protocol: Some(ProtocolName::Whole),
            repeats: 1,
            preset: None,
            reask: None,
            rehash: false,
            prices: None,
        },
        run: None,
        concurrency: None,
        timeout: 180,
        shard: None,
        calls: CallArgs {
            item_timeout: None,
            max_retries: 0,
            backoff: 1.0,
            reuse: vec![],
        },
        retry: vec![],
        only: None,
        max_cost: None,
        min_coverage: None,
        canary: CanaryArgs::default(),
    }
}

fn tell(read: &Read) -> anyhow::Result<()> {
    let style = output::style();
    let table = policy::score(&read.results, Policy::default());
    let context = Context::of(std::slice::from_ref(&read.run.manifest));
    let track = table.all_tracks.first().cloned();
    let options = ScoreOptions {
        track: track.clone(),
        extras: false,
    };
    output::table(&render_scores(&table, &context, &options, style)?);
    if let Some(track) = track {
        let rank = RankTable::build(&table, &RankBy::Track(track), &[])?;
        output::table(&render_rank(&rank, &context, style));
    }
    let outputs = |model: &str, track: &str, id: &str| output_parts(read, model, track, id);
    let all = views(
        &read.results,
        read.loaded().map(|l| &l.suite),
        &table,
        outputs,
    );
    if let Some((model, id)) = worst(&read.results)
        && let Some(view) = all.iter().find(|v| v.model == model && v.id == id)
    {
        output::result(&format!(
            "\nThe output that fails most:\n{}",
            render_show(view, &context, style)
        ));
    }
    Ok(())
}

/// Model and id of the output with most specifications unmet.
fn worst(results: &Results) -> Option<(&str, &str)> {
    let unmet = |state: &InstanceState| match state {
        InstanceState::Generated(specs) => specs.iter().filter(|s| s.met() == Some(false)).count(),
        _ => 0,
    };
    let mut all = vec![];
    for model in &results.models {
        let instances = model
            .tracks
            .iter()
            .flat_map(|t| &t.dimensions)
            .flat_map(|d| &d.instances);
        all.extend(instances.map(|i| (unmet(&i.state), model.model.as_str(), i.id.as_str())));
    }
    // The first of equals, so that the same output is shown each time.
    let most = all.iter().map(|(n, _, _)| *n).max().filter(|n| *n > 0)?;
    all.into_iter()
        .find(|(n, _, _)| *n == most)
        .map(|(_, model, id)| (model, id))
}

fn advise(runs: &Path, run: &str, page: Option<&Path>) {
    if let Some(page) = page {
        output::note(&format!("page: {}", page.display()));
    }
    output::note(&format!(
        "look further: verispec --runs {} show {run} text_rendering_01",
        runs.display()
    ));
    if !connect::reads_text() {
        output::note(
            "The builtin judge has no weights for reading text, so questions about text are \
             unjudged. To install them:\n  \
             pip download --no-deps rapidocr==3.10.0\n  \
             verispec models install --from rapidocr-3.10.0-py3-none-any.whl",
        );
    }
}
