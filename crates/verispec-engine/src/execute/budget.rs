//! A limit on what a run may cost.
//!
//! A request is sent only if what was spent, what requests under way may still cost and what it
//! may cost itself stay within the limit together. Nothing under way is given up for money: it
//! is paid for anyway.

use std::collections::HashMap;
use std::sync::Arc;

use verispec_model::{Hash, Request, Usage};
use verispec_providers::price::Money;

use super::summary::StopReason;
use crate::ledger::Outcome;

/// What requests and replies cost.
pub trait Costs: Send + Sync {
    /// Estimate of the most that this request may cost.
    fn at_most(&self, request: &Request) -> Money;

    /// What a reply with this usage cost; `None` when the usage does not tell.
    fn of(&self, request: &Request, usage: &Usage) -> Option<Money>;
}

/// A limit for the whole run, earlier executions included.
#[derive(Clone)]
pub struct Budget {
    /// Most that may be spent.
    pub limit: Money,
    /// What earlier executions spent.
    pub spent: Money,
    /// What requests cost.
    pub costs: Arc<dyn Costs>,
}

/// Keeps the account while a run goes on.
pub(crate) struct Meter {
    limit: Money,
    spent: Money,
    reserved: Money,
    under_way: HashMap<Hash, (Arc<Request>, Money)>,
    costs: Arc<dyn Costs>,
    /// How far real costs went beyond estimates; estimates are raised by it.
    factor: f64,
}

impl Meter {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            limit: budget.limit,
            spent: budget.spent,
            reserved: Money::ZERO,
            under_way: HashMap::new(),
            costs: budget.costs,
            factor: 1.0,
        }
    }

    /// Reserves the money for a request; `false`, and nothing is reserved, if that passes the
    /// limit.
    pub(crate) fn reserve(&mut self, key: Hash, request: &Arc<Request>) -> bool {
        let need = self.need(request);
        if self.spent + self.reserved + need > self.limit {
            return false;
        }
        self.reserved += need;
        self.under_way.insert(key, (request.clone(), need));
        true
    }

    fn need(&self, request: &Request) -> Money {
        self.costs.at_most(request).times(self.factor)
    }

    /// Books one attempt. A reply that does not say what it used, and an attempt that ran out of
    /// time and may be billed all the same, count as estimated.
    pub(crate) fn attempted(&mut self, key: &Hash, outcome: Outcome, usage: &Usage) {
        let Some((request, need)) = self.under_way.get(key) else {
            return;
        };
        if !outcome.has_reply() && outcome != Outcome::TimedOut {
            return;
        }
        let estimate = self.costs.at_most(request);
        let cost = self
            .costs
            .of(request, usage)
            .filter(|_| outcome.has_reply());
        if let Some(cost) = cost
            && estimate > Money::ZERO
        {
            let ratio = cost.as_dollars() / estimate.as_dollars();
            self.factor = self.factor.max(ratio);
        }
        self.spent += cost.unwrap_or(*need);
    }

    /// Why a request under way cannot be sent once more, if it cannot: its last attempt, or that of
    /// another one, took what this one needs.
    pub(crate) fn refuses(&self, key: &Hash) -> Option<StopReason> {
        let (request, _) = self.under_way.get(key)?;
        let over = self.spent + self.reserved > self.limit;
        over.then(|| self.reason(request))
    }

    /// Gives back what was reserved.
    pub(crate) fn ended(&mut self, key: &Hash) {
        if let Some((_, need)) = self.under_way.remove(key) {
            self.reserved = self.reserved - need;
        }
    }

    /// Why a run cannot send this request.
    pub(crate) fn reason(&self, request: &Request) -> StopReason {
        StopReason::Budget {
            limit: self.limit.to_string(),
            spent: self.spent.to_string(),
            next: self.need(request).to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use verispec_model::{JudgeIdentity, Params, Part, Structured};

    use super::*;

    /// One dollar at most a request; what was used is the output in cents.
    struct Cents;

    impl Costs for Cents {
        fn at_most(&self, _: &Request) -> Money {
            Money::dollars(1.0).unwrap()
        }

        fn of(&self, _: &Request, usage: &Usage) -> Option<Money> {
            Money::dollars(usage.output? as f64 / 100.0)
        }
    }

    fn request() -> Arc<Request> {
        Arc::new(Request {
            protocol: "p@1".into(),
            template: Hash::of(b"t"),
            judge: Arc::new(JudgeIdentity {
                provider: "openai".into(),
                model: "m".into(),
                params: Params::new(),
                structured: Structured::None,
                revision: None,
            }),
            parts: vec![Part::Text("q".into())],
            questions: vec![],
            schema: None,
            repeat: 0,
            parent: None,
            derivation: None,
        })
    }

    fn meter(limit: f64, spent: f64) -> Meter {
        Meter::new(Budget {
            limit: Money::dollars(limit).unwrap(),
            spent: Money::dollars(spent).unwrap(),
            costs: Arc::new(Cents),
        })
    }

    fn cents(n: u64) -> Usage {
        Usage {
            output: Some(n),
            ..Usage::default()
        }
    }

    #[test]
    fn what_is_under_way_is_reserved_and_given_back() {
        let mut meter = meter(3.0, 0.5);
        let keys: Vec<Hash> = (0..3_u8).map(|i| Hash::of(&[i])).collect();
        assert!(meter.reserve(keys[0], &request()) && meter.reserve(keys[1], &request()));
        assert!(!meter.reserve(keys[2], &request()));
        meter.attempted(&keys[0], Outcome::Answered, &cents(10));
        meter.ended(&keys[0]);
        // 0.6 spent, 1 reserved, 1 wanted.
        assert!(meter.reserve(keys[2], &request()));
    }

    #[test]
    fn costs_beyond_the_estimate_raise_later_ones() {
        let mut meter = meter(10.0, 0.0);
        let (a, b) = (Hash::of(b"a"), Hash::of(b"b"));
        assert!(meter.reserve(a, &request()));
        meter.attempted(&a, Outcome::Answered, &cents(400));
        meter.ended(&a);
        // 4 spent, and the next may be as bad: 4 more, and 4 more do not fit.
        assert!(meter.reserve(b, &request()));
        assert!(!meter.reserve(Hash::of(b"c"), &request()));
    }

    #[test]
    fn a_further_attempt_after_one_that_ran_out_of_time_needs_money_too() {
        let mut meter = meter(2.5, 0.0);
        let a = Hash::of(b"a");
        assert!(meter.reserve(a, &request()));
        for is_refused in [false, true] {
            meter.attempted(&a, Outcome::TimedOut, &Usage::default());
            assert_eq!(meter.refuses(&a).is_some(), is_refused);
        }
    }

    #[test]
    fn unknown_usage_counts_as_estimated_and_errors_do_not_count() {
        let mut meter = meter(2.0, 0.0);
        let (a, b) = (Hash::of(b"a"), Hash::of(b"b"));
        assert!(meter.reserve(a, &request()));
        meter.attempted(&a, Outcome::RateLimited, &Usage::default());
        meter.attempted(&a, Outcome::Answered, &Usage::default());
        meter.ended(&a);
        assert!(meter.reserve(b, &request()));
        meter.ended(&b);
        let mut meter = self::meter(1.5, 0.0);
        assert!(meter.reserve(a, &request()));
        meter.attempted(&a, Outcome::TimedOut, &Usage::default());
        meter.ended(&a);
        assert!(!meter.reserve(b, &request()));
        assert!(meter.reason(&request()).to_string().contains("$1.50"));
    }
}
