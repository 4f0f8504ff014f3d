//! What everybody who is asked costs together, and the limit on it.

use std::path::Path;
use std::sync::Arc;

use verispec_engine::execute::{Budget, Costs};
use verispec_engine::ledger::{LEDGER_FILE, Spending, Used};
use verispec_model::{JudgeIdentity, Request, Usage};
use verispec_providers::price::{Money, Price};

use crate::args::PurseArgs;
use crate::money::{Estimator, Size, max_cost, price_of, prices, spent, unlimited};

/// Somebody with a price, if one is known.
struct Payee {
    identity: Arc<JudgeIdentity>,
    price: Option<Price>,
    estimator: Estimator,
}

/// Prices and the limit.
pub(crate) struct Purse {
    payees: Arc<Vec<Payee>>,
    limit: Option<Money>,
}

/// What a run has cost.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    /// By the replies that say what they used.
    pub(crate) money: Money,
    /// Replies that do not.
    pub(crate) unknown: u64,
}

impl Spent {
    /// In words.
    pub(crate) fn line(&self) -> String {
        let apart = match self.unknown {
            0 => String::new(),
            n => format!(", {n} replies that do not say what they used apart"),
        };
        format!("so far ${:.2}{apart}", self.money.as_dollars())
    }
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
    pub(crate) fn open(
        asked: impl IntoIterator<Item = Arc<JudgeIdentity>>,
        args: &PurseArgs,
    ) -> anyhow::Result<Self> {
        let table = prices(args.prices.as_deref())?;
        let limit = max_cost(args.max_cost)?;
        let mut payees: Vec<Payee> = vec![];
        for identity in asked {
            if of(&payees, &identity).is_some() {
                continue;
            }
            let price = price_of(&table, &identity);
            if limit.is_some() && price.is_none() {
                return Err(unlimited(&identity));
            }
            payees.push(Payee {
                identity,
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
    pub(crate) fn budget(&self, dir: &Path) -> anyhow::Result<Option<Budget>> {
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
    pub(crate) fn spent(&self, dir: &Path) -> anyhow::Result<Option<Spent>> {
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
    pub(crate) fn expected<'r>(
        &self,
        requests: impl Iterator<Item = &'r Request>,
    ) -> Option<Money> {
        self.priced(requests, |size| size.output)
    }

    /// What requests may cost at most; `None` where a price is not known.
    pub(crate) fn at_most<'r>(&self, requests: impl Iterator<Item = &'r Request>) -> Option<Money> {
        self.priced(requests, |size| size.most_output)
    }

    fn priced<'r>(
        &self,
        mut requests: impl Iterator<Item = &'r Request>,
        output: fn(&Size) -> u64,
    ) -> Option<Money> {
        requests.try_fold(Money::ZERO, |sum, request| {
            let payee = of(&self.payees, &request.judge)?;
            let size = payee.estimator.size(request, None);
            let price = payee.price.as_ref()?;
            Some(sum + price.tokens(size.input, 0, output(&size)))
        })
    }
}

/// Everybody who has been asked in this folder, whoever is asked now.
pub(crate) fn asked_before(dir: &Path) -> anyhow::Result<Vec<Arc<JudgeIdentity>>> {
    let all = Spending::by_judge(&dir.join(LEDGER_FILE))?;
    let used = |s: &Spending| {
        let some = |u: &Used| u.replies > 0 || u.timed_out > 0;
        some(&s.calls) || some(&s.batch)
    };
    let paid = all.into_iter().filter(|(_, spending)| used(spending));
    let mut paid: Vec<_> = paid.map(|(judge, _)| Arc::new(judge)).collect();
    // Whoever answered first: what lacks a price is told the same way each time.
    paid.sort_by(|a, b| (&a.provider, &a.model).cmp(&(&b.provider, &b.model)));
    Ok(paid)
}
