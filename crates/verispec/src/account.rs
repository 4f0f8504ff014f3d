//! The account of one run: price, limit, what was spent.

use std::path::Path;
use std::sync::Arc;

use verispec_engine::execute::{Budget, Summary};
use verispec_engine::ledger::{LEDGER_FILE, Spending};
use verispec_model::JudgeIdentity;
use verispec_providers::price::{Money, Price};
use verispec_report::RunCost;

use crate::judge::BUILTIN;
use crate::money::{self, Estimator};

/// Folder inside a run's that holds what its canary asked.
pub(crate) const CANARY: &str = "canary";

/// Price, limit and what was spent.
pub(crate) struct Account {
    identity: JudgeIdentity,
    price: Option<Price>,
    limit: Option<Money>,
}

impl Account {
    /// The account of a judge; a limit without a price is refused.
    pub(crate) fn open(
        prices: Option<&Path>,
        max_cost: Option<f64>,
        identity: &JudgeIdentity,
    ) -> anyhow::Result<Self> {
        let table = money::prices(prices)?;
        let price = money::price_of(&table, identity);
        let limit = money::max_cost(max_cost)?;
        if limit.is_some() && price.is_none() {
            return Err(money::unlimited(identity));
        }
        Ok(Self {
            identity: identity.clone(),
            price,
            limit,
        })
    }

    /// The limit, and what earlier executions of the run in this folder spent of it.
    /// `before` is what they used, where that was counted.
    pub(crate) fn budget(
        &self,
        dir: &Path,
        before: Option<Spending>,
    ) -> anyhow::Result<Option<Budget>> {
        let (Some(limit), Some(price)) = (self.limit, &self.price) else {
            return Ok(None);
        };
        let spending = match before {
            Some(spending) => spending,
            None => Spending::load(&dir.join(LEDGER_FILE))?,
        };
        Ok(Some(Budget {
            limit,
            spent: money::spent(price, &spending) + canary(price, dir)?,
            costs: Arc::new(Estimator::new(Some(price.clone()))),
        }))
    }

    /// What the run cost, for a judge that is not part of this process. `before` is what it had
    /// used when this execution began, where that was counted.
    pub(crate) fn cost(
        &self,
        dir: &Path,
        now: &Summary,
        before: Option<Spending>,
    ) -> anyhow::Result<Option<RunCost>> {
        if self.identity.provider == BUILTIN {
            return Ok(None);
        }
        let spending = match before.filter(|_| now.calls_made() == 0) {
            Some(spending) => spending,
            None => Spending::load(&dir.join(LEDGER_FILE))?,
        };
        let price = self.price.as_ref();
        let dollars = |m: Money| m.as_dollars();
        Ok(Some(RunCost {
            price: price.map(Price::line),
            why_none: price.is_none().then(|| money::no_price(&self.identity)),
            now: price.map(|p| dollars(p.usage(&now.usage).unwrap_or(Money::ZERO))),
            total: price
                .map(|p| anyhow::Ok(money::spent(p, &spending) + canary(p, dir)?))
                .transpose()?
                .map(dollars),
            unknown: spending.calls.unknown + spending.batch.unknown,
            timed_out: spending.calls.timed_out,
            limit: self.limit.map(dollars),
        }))
    }
}

/// What a run's canary has cost so far.
fn canary(price: &Price, dir: &Path) -> anyhow::Result<Money> {
    let spending = Spending::load(&dir.join(CANARY).join(LEDGER_FILE))?;
    Ok(money::spent(price, &spending))
}
