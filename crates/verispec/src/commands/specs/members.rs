//! Models that take part in a set, and the way to them.

use std::sync::Arc;

use verispec_engine::execute::Lane;
use verispec_specs::set::Member;

use crate::calls::CallOptions;
use crate::config::Config;
use crate::connect::check;
use crate::exit::usage;
use crate::judge::{BUILTIN, Judge, resolve_name};

/// A model with everything needed to reach it.
pub(super) struct Reachable {
    pub(super) member: Member,
    judge: Judge,
}

/// Works models out by the names that judges have.
pub(super) fn reach(names: &[String], config: &Config) -> anyhow::Result<Vec<Reachable>> {
    let mut found: Vec<Reachable> = vec![];
    for name in names {
        let judge = resolve_name(name, config)?;
        if judge.panel.is_some() || judge.identity.provider == BUILTIN {
            return Err(usage(format!(
                "{name}: a single model that writes text is needed"
            )));
        }
        check(&judge)?;
        let member = Member {
            name: name.clone(),
            judge: judge.identity.clone(),
        };
        if let Some(twin) = found.iter().find(|f| f.member.judge == member.judge) {
            return Err(usage(format!(
                "{} and {name} are the same model and would give the same replies",
                twin.member.name
            )));
        }
        found.push(Reachable { member, judge });
    }
    Ok(found)
}

/// Works out models that a set names, and refuses those that have become others.
pub(super) fn reach_again(members: &[Member], config: &Config) -> anyhow::Result<Vec<Reachable>> {
    let names: Vec<String> = members.iter().map(|m| m.name.clone()).collect();
    let found = reach(&names, config)?;
    for (was, is) in members.iter().zip(&found) {
        if was.judge != is.member.judge {
            return Err(usage(format!(
                "{} is another model than when the set was made (provider, model, parameters or \
                 revision); give the new one a name of its own",
                was.name
            )));
        }
    }
    Ok(found)
}

/// One lane a model.
pub(super) fn lanes(models: &[Reachable], calls: CallOptions) -> anyhow::Result<Vec<Lane>> {
    let one = |m: &Reachable| calls.lane(&m.judge, Arc::new(m.member.judge.clone()));
    models.iter().map(one).collect()
}
