//! What a run would send and cost, before any call.

use std::path::Path;
use std::sync::Arc;

use verispec_engine::execute::worst_case;
use verispec_model::{Job, Request, parallel};
use verispec_providers::price::{Price, PriceTable};
use verispec_report::{CheckMoney, CheckPrice, MoneyRow, judge_line};

use crate::judge::{BUILTIN, Judge};
use crate::known::{Known, Ledgers};
use crate::money::{Estimator, Size, assumption, no_price, price_of};
use crate::run::hash_cache;
use crate::target::Target;

/// What judging this target would ask and cost, beyond what the run that `judge` would resume and
/// the runs beside it have asked already.
pub(super) fn price(
    (runs, ledgers): (&Path, Ledgers),
    target: &Target,
    judge: &Judge,
    table: &PriceTable,
) -> anyhow::Result<CheckPrice> {
    let own = super::judge::default_folder(runs, target, judge);
    // Hashes that a run has noted are used, none are written.
    let plan = target.plan(Arc::new(judge.identity.clone()), &hash_cache(&own, false))?;
    let estimator = Estimator::new(None);
    let mut known = Known::new(ledgers, &own, &plan.jobs)?;
    let is_open = parallel::map(&plan.jobs, |job| known.is_open(job));
    let (mut first, mut open) = (Size::default(), vec![]);
    for (job, _) in plan.jobs.iter().zip(is_open).filter(|(_, open)| *open) {
        let asked = known.first_calls(job)?;
        if !asked.is_empty() {
            first += course(&estimator, &asked);
            open.push(job);
        }
    }
    let bounds = parallel::map(&open, |job| {
        course(&estimator, &costliest(&estimator, *job))
    });
    let mut most = Size::default();
    bounds.into_iter().for_each(|bound| most += bound);
    let local = judge.identity.provider == BUILTIN;
    Ok(CheckPrice {
        judge: Some(match &judge.panel {
            None => judge_line(&judge.identity),
            Some(panel) => {
                let each = panel.members.iter().map(|m| judge_line(&m.judge));
                each.collect::<Vec<_>>().join(" + ")
            }
        }),
        protocol: Some(target.shown_protocol()),
        calls: first.calls,
        calls_at_most: Some(most.calls),
        reused: known.reused(),
        bytes: if local { 0 } else { first.bytes },
        tokens: (!local).then_some(first.input),
        tokens_note: (!local).then(|| {
            "first calls only: text by 4 characters a token, images by the rule that the \
             provider publishes for the model"
                .to_owned()
        }),
        // Members have prices of their own; a sum by the first one's would be wrong.
        money: (!local && judge.panel.is_none()).then(|| money(judge, table, (first, most))),
    })
}

/// The requests of the costliest course that a job can take.
pub(super) fn costliest(estimator: &Estimator, job: &impl Job) -> Vec<Request> {
    let weigh = |r: &Request| {
        let size = estimator.size(r, None);
        u128::from(size.input + 4 * size.most_output)
    };
    worst_case(job, &weigh)
}

/// Sizes of requests that are sent one after the other.
pub(super) fn course(estimator: &Estimator, requests: &[Request]) -> Size {
    let mut sum = Size::default();
    for (i, request) in requests.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| requests.get(i));
        sum += estimator.size(request, before);
    }
    sum
}

pub(super) fn money(judge: &Judge, table: &PriceTable, (first, most): (Size, Size)) -> CheckMoney {
    let price = price_of(table, &judge.identity);
    let rows = price.as_ref().map(|price| {
        vec![
            row("first calls", price, first, first.output),
            row("at most", price, most, most.most_output),
        ]
    });
    CheckMoney {
        price: price.as_ref().map(Price::line),
        why_none: price.is_none().then(|| no_price(&judge.identity)),
        rows: rows.unwrap_or_default(),
        assumed: assumption(),
    }
}

fn row(name: &str, price: &Price, size: Size, output: u64) -> MoneyRow {
    let plain = price.tokens(size.input, 0, output);
    let cached = price.tokens(size.input, size.cached, output);
    MoneyRow {
        name: name.to_owned(),
        calls: size.calls,
        input: size.input,
        cached: size.cached,
        output,
        plain: plain.as_dollars(),
        with_cache: cached.as_dollars(),
        batch: plain.times(price.batch).as_dollars(),
        batch_with_cache: cached.times(price.batch).as_dollars(),
    }
}
