//! `verispec study leak`

use verispec_model::{Manifest, Measure};
use verispec_report::studies::render_leak;
use verispec_studies::leak::leak;
use verispec_suites::specv::published::PROTOCOL;

use super::{nothing_in_common, print_json};
use crate::args::{Cli, FactorArg, LeakArgs, PolicyArgs};
use crate::exit::{Exit, usage};
use crate::levels::{self, Families, Scored};
use crate::output;
use crate::reduce::ReduceArgs;

pub(super) fn run(cli: &Cli, args: &LeakArgs) -> anyhow::Result<Exit> {
    let read = |name: &String| -> anyhow::Result<Scored> {
        let run = Scored::read(cli, name, &PolicyArgs::default(), &ReduceArgs::default())?;
        if run.results.measure == Measure::Holistic {
            return Err(usage(format!(
                "run {name:?} holds grades of whole outputs: they have no key"
            )));
        }
        Ok(run)
    };
    let mut runs = vec![read(&args.plain)?, read(&args.flipped)?];
    tell_difference(&runs[0].manifest, &runs[1].manifest);
    if let Some(repeat) = &args.repeat {
        runs.push(read(repeat)?);
    } else if runs[0].manifest.repeats > 1 {
        let (repeats, _) = levels::repeats(&runs[0])?;
        runs.extend(repeats.into_iter().nth(1));
    }
    let levels = levels::levels(&runs, FactorArg::Run, &Families::default());
    let matrix = levels::matrix(&runs, levels);
    nothing_in_common(&matrix)?;
    let Some(study) = leak(&matrix, levels::options(&args.draw)) else {
        return Err(usage(format!(
            "no expected answer differs between {:?} and {:?}: write a suite with flipped keys by \
             `verispec suite flip`, judge the same outputs with it, and name that run second",
            args.plain, args.flipped
        )));
    };
    if cli.json {
        print_json("leak", &runs.iter().collect::<Vec<_>>(), &study)?;
    } else {
        output::table(&render_leak(&study, output::style()));
    }
    Ok(Exit::Ok)
}

fn tell_difference(plain: &Manifest, flipped: &Manifest) {
    if (&plain.judge, &plain.protocol) != (&flipped.judge, &flipped.protocol) {
        output::note(
            "the runs differ in judge or protocol: what follows mixes that with the effect of the key",
        );
    }
    let shows = |m: &Manifest| {
        let protocol = m.protocol.as_deref();
        protocol.is_none_or(|p| p.split(['@', '+']).next() == PROTOCOL.split('@').next())
    };
    if !shows(plain) && !shows(flipped) {
        output::note(&format!(
            "protocol {} shows no key to the judge: both runs make the same requests, so what \
             differs is the judge's noise, and replies that were reused do not differ at all",
            plain.protocol.as_deref().unwrap_or_default()
        ));
    }
}
