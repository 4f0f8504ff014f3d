//! What everybody who is asked costs together, and the limit on it.

use std::path::Path;
use std::sync::Arc;

use verispec_engine::execute::{Budget, Costs};
use verispec_engine::ledger::{LEDGER_FILE, Spending};
use verispec_model::{JudgeIdentity, Request, Usage};
use verispec_providers::price::{Money, Price};

use super::driver::Asked;
use crate::args::xtc::XtcCallArgs;
use crate::money::{Estimator, max_cost, price_of, prices, spent, unlimited};

/// Somebody with a price, if one is known.
struct Payee {
    identity: Arc<JudgeIdentity>,
    price: Option<Price>,
    estimator: Estimator,
}

/// Prices and the limit.
pub(super) struct Purse {
    payees: Arc<Vec<Payee>>,
    limit: Option<Money>,
}

/// What a run has cost.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
    /// By the replies that say what they used.
    pub(super) money: Money,
    /// Replies that do not.
    pub(super) unknown: u64,
}

/// Prices as the engine asks for them.
struct Prices(Arc<Vec<Payee>>);

impl Payee {
    fn is(&self, judge: &JudgeIdentity) -> bool {
        *self.identity == *judge || self.identity.is_same_but_for_length(judge)
    }
}

fn of<'p>(payees: &'p [Payee], judge: &JudgeIdentity) -> Option<&'p Payee> {
    payees.iter().find(|p| p.is(judge))
}

impl Costs for Prices {
    fn at_most(&self, request: &Request) -> Money {
        let payee = of(&self.0, &request.judge);
        payee.map_or(Money::ZERO, |p| p.estimator.at_most(request))
    }

    fn of(&self, request: &Request, used: &Usage) -> Option<Money> {
        of(&self.0, &request.judge)?.estimator.of(request, used)
    }
}

impl Purse {
    /// Prices of all; a limit without somebody's price is refused.
    pub(super) fn open(asked: &[&Asked], args: &XtcCallArgs) -> anyhow::Result<Self> {
        let table = prices(args.prices.as_deref())?;
        let limit = max_cost(args.max_cost)?;
        let mut payees: Vec<Payee> = vec![];
        for one in asked {
            if of(&payees, &one.identity).is_some() {
                continue;
            }
            let price = price_of(&table, &one.identity);
            if limit.is_some() && price.is_none() {
                return Err(unlimited(&one.identity));
            }
            payees.push(Payee {
                identity: one.identity.clone(),
                estimator: Estimator::new(price.clone()),
                price,
            });
        }
        Ok(Self {
            payees: Arc::new(payees),
            limit,
        })
    }

    /// The limit, and what everybody has cost so far; `None` without a limit.
    pub(super) fn budget(&self, dir: &Path) -> anyhow::Result<Option<Budget>> {
        let Some(limit) = self.limit else {
            return Ok(None);
        };
        Ok(Some(Budget {
            limit,
            spent: self.spent(dir)?.unwrap_or_default().money,
            costs: Arc::new(Prices(self.payees.clone())),
        }))
    }

    /// What those who are asked have cost this run so far; `None` where a price is not known.
    pub(super) fn spent(&self, dir: &Path) -> anyhow::Result<Option<Spent>> {
        if self.payees.iter().any(|p| p.price.is_none()) {
            return Ok(None);
        }
        let mut sum = Spent::default();
        for (judge, spending) in Spending::by_judge(&dir.join(LEDGER_FILE))? {
            if let Some(price) = of(&self.payees, &judge).and_then(|p| p.price.as_ref()) {
                sum.money += spent(price, &spending);
                sum.unknown += spending.calls.unknown + spending.batch.unknown;
            }
        }
        Ok(Some(sum))
    }

    /// What requests are expected to cost; `None` where a price is not known.
    pub(super) fn expected<'r>(
        &self,
        requests: impl Iterator<Item = &'r Request>,
    ) -> Option<Money> {
        let mut sum = Money::ZERO;
        for request in requests {
            let payee = of(&self.payees, &request.judge)?;
            let size = payee.estimator.size(request, None);
            sum += payee.price.as_ref()?.tokens(size.input, 0, size.output);
        }
        Some(sum)
    }
}
