//! The opening that `score`, `rank` and `study policies` share: from what was typed to a table of scores.

use verispec_model::score::{Policy, ScoreTable};
use verispec_model::{Manifest, Results};
use verispec_report::Context;

use crate::args::{Cli, TableArgs};
use crate::config::Config;
use crate::data::Loaded;
use crate::levels::Families;
use crate::{boards, policy, reduce, run};

/// Scores with what they were made from.
pub(crate) struct Scored {
    /// Results of all runs; commands [`leave`](crate::output::leave) them.
    pub(crate) results: Results,
    /// What the runs say.
    pub(crate) manifests: Vec<Manifest>,
    /// The suite, where a run's data is at hand.
    pub(crate) suite: Option<Loaded>,
    /// What they are scored by.
    pub(crate) policy: Policy,
    /// Their scores.
    pub(crate) table: ScoreTable,
    /// Which models are judged by their own family, where families are known.
    pub(crate) kin: Option<String>,
    /// What the numbers were made with.
    pub(crate) context: Context,
}

/// Reads the runs and scores them. `alike` refuses runs of different judges, protocols or readers.
pub(crate) fn scored(cli: &Cli, args: &TableArgs, alike: bool) -> anyhow::Result<Scored> {
    let (policy, reader) = policy::resolve(&args.policy, args.with_published);
    let run::Together {
        results,
        manifests,
        suite,
    } = run::read_all(&cli.runs, &args.run, reader, &args.reduce)?;
    if !args.across_versions {
        run::check_versions(&manifests, "; score and rank take --across-versions")?;
    }
    let policy = policy::suited(policy, &args.policy, args.with_published, &results)?;
    reduce::check_policy(policy, &results, &manifests)?;
    if alike {
        run::check_alike(&manifests)?;
    }
    policy::tell_preset(&args.policy, policy);
    if args.with_published {
        boards::tell_origin();
    }
    let config = Config::load(cli.config.as_deref())?;
    let kin = Families::new(&config, &[]).kin(&manifests, &results);
    let table = policy::score(&results, policy);
    policy::check_track(&table, args.track.as_deref())?;
    Ok(Scored {
        context: Context::of(&manifests),
        kin,
        results,
        manifests,
        suite,
        policy,
        table,
    })
}
