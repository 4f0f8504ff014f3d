//! `verispec show`

use verispec_model::score::Policy;
use verispec_report::{Context, InstanceView, render_show, views};
use verispec_suites::nearest_first;

use super::report::output_parts;
use crate::args::{Cli, PolicyArgs, ShowArgs};
use crate::exit::{Exit, usage};
use crate::run::Run;
use crate::{output, policy};

pub(super) fn run(cli: &Cli, args: &ShowArgs) -> anyhow::Result<Exit> {
    let read = Run::open(&cli.runs, &args.run)?
        .reduced(&args.reduce)?
        .read(None, true)?;
    let plain = PolicyArgs::default();
    let policy = policy::suited(Policy::default(), &plain, false, &read.results)?;
    policy::check_rules(policy, &read.results)?;
    let table = policy::score(&read.results, policy);
    let context = Context::of(std::slice::from_ref(&read.run.manifest));
    let suite = read.loaded().map(|l| &l.suite);
    let outputs = |model: &str, track: &str, id: &str| output_parts(&read, model, track, id);
    let all = views(&read.results, suite, &table, outputs);
    let found = find(&all, args)?;
    if cli.json {
        let shown: Vec<_> = found
            .iter()
            .map(|v| verispec_report::json::show(v, &context))
            .collect();
        output::json(&serde_json::json!({"format": 1, "kind": "shows", "instances": shown}));
    } else {
        let style = output::style();
        let shown: Vec<String> = found
            .iter()
            .map(|v| render_show(v, &context, style))
            .collect();
        output::result(&shown.join("\n"));
    }
    Ok(Exit::Ok)
}

fn find<'a, 'b>(
    all: &'b [InstanceView<'a>],
    args: &ShowArgs,
) -> anyhow::Result<Vec<&'b InstanceView<'a>>> {
    // An id may hold a slash itself, as RealUnify's do.
    let whole = args.instance.as_str();
    let is_id = all.iter().any(|v| v.id == whole);
    let (track, id) = match whole.split_once('/') {
        Some((track, id)) if !is_id => (Some(track), id),
        _ => (None, whole),
    };
    let wanted = |v: &&InstanceView<'_>| {
        v.id == id
            && track.is_none_or(|t| v.track == t)
            && args.model.as_deref().is_none_or(|m| v.model == m)
    };
    let found: Vec<_> = all.iter().filter(wanted).collect();
    let mut tracks: Vec<&str> = found.iter().map(|v| v.track).collect();
    tracks.dedup();
    match tracks.as_slice() {
        [] => Err(usage(format!(
            "this run holds no instance {:?}{}",
            args.instance,
            near(all, id)
        ))),
        [_] => Ok(found),
        several => Err(usage(format!(
            "{id:?} stands in several tracks; write one of {}",
            several
                .iter()
                .map(|t| format!("{t}/{id}"))
                .collect::<Vec<_>>()
                .join(", ")
        ))),
    }
}

/// Ids that may be meant.
fn near(all: &[InstanceView<'_>], id: &str) -> String {
    let mut ids: Vec<&str> = all.iter().map(|v| v.id).collect();
    ids.sort_unstable();
    ids.dedup();
    let likely = nearest_first(id, ids);
    let likely = &likely[..likely.len().min(5)];
    if likely.is_empty() {
        String::new()
    } else {
        format!("; nearest: {}", likely.join(", "))
    }
}
