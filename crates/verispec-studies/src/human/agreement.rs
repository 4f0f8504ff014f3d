//! Two judges against each other, verdict by verdict.

use std::collections::HashMap;

use serde::Serialize;
use verispec_model::{InstanceState, Results, SpecId, YesNo};
use verispec_stats::Undefined;
use verispec_stats::agreement::{Confusion, RatingTable, Weighting};

use crate::Estimate;

/// How two judges agree on the specifications that both judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreed {
    /// Specifications of outputs with a verdict of both.
    pub n: usize,
    /// Share with the same verdict, 0-1.
    pub observed: Estimate,
    /// Cohen's kappa.
    pub kappa: Estimate,
    /// Gwet's AC1, which holds where nearly all verdicts are yes.
    pub ac1: Estimate,
    /// Share of yes of the first judge, 0-1.
    pub first_yes: Option<f64>,
    /// Share of yes of the second.
    pub second_yes: Option<f64>,
}

/// Agreement of two judges in a track.
#[must_use]
pub fn agreement(first: &Results, second: &Results, track: &str) -> Agreed {
    let theirs: HashMap<Place<'_>, usize> = verdicts(second, track).collect();
    let pairs: Vec<(usize, usize)> = verdicts(first, track)
        .filter_map(|(place, own)| Some((own, *theirs.get(&place)?)))
        .collect();
    let (a, b): (Vec<usize>, Vec<usize>) = pairs.iter().copied().unzip();
    let kappa = Confusion::of(&a, &b, 2).and_then(|t| t.kappa(Weighting::Nominal));
    let rated: Vec<[Option<usize>; 2]> = pairs.iter().map(|(a, b)| [Some(*a), Some(*b)]).collect();
    let table = RatingTable::from_ratings(2, rated.iter().map(<[_; 2]>::as_slice));
    let share = |verdicts: &[usize]| super::mean(verdicts.iter().map(|v| *v as f64));
    let same: Vec<usize> = pairs.iter().map(|(a, b)| usize::from(a == b)).collect();
    Agreed {
        n: pairs.len(),
        observed: Estimate::of(share(&same).ok_or(Undefined::NoPairs)),
        kappa: Estimate::of(kappa.map(|k| k.value)),
        ac1: Estimate::of(table.and_then(|t| t.gwet_ac1()).map(|k| k.value)),
        first_yes: share(&a),
        second_yes: share(&b),
    }
}

/// Model, instance, specification.
type Place<'a> = (&'a str, &'a str, SpecId);

/// Every verdict of a track, yes as 1.
fn verdicts<'a>(results: &'a Results, track: &'a str) -> impl Iterator<Item = (Place<'a>, usize)> {
    let instances = results.models.iter().flat_map(move |model| {
        let tracks = model.tracks.iter().filter(move |t| t.track == track);
        let instances = tracks
            .flat_map(|t| &t.dimensions)
            .flat_map(|d| &d.instances);
        instances.map(|i| (model.model.as_str(), i))
    });
    instances.flat_map(|(model, instance)| {
        let specs = match &instance.state {
            InstanceState::Generated(specs) => specs.as_slice(),
            InstanceState::OutputFailed(..) | InstanceState::Unjudgeable(..) => &[],
        };
        specs.iter().filter_map(move |spec| {
            let yes = usize::from(spec.verdict()? == YesNo::Yes);
            Some(((model, instance.id.as_str(), spec.id()), yes))
        })
    })
}
