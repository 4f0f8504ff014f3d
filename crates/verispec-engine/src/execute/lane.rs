//! One judge with its transport, limiter and what is known about it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use verispec_model::{Hash, JudgeIdentity};

use super::limiter::Limiter;
use super::summary::StopReason;
use crate::transport::{Failure, Transport};

/// A judge and the way to it.
#[derive(Clone)]
pub struct Lane {
    /// Who answers; requests are matched by the whole identity, else by all of it but the length
    /// it allows a reply, else by all but what a request may set for itself.
    pub judge: Arc<JudgeIdentity>,
    /// How it is asked.
    pub transport: Arc<dyn Transport>,
    /// Most requests under way at a time.
    pub concurrency: usize,
    /// Whether the first request of each step goes out alone, so that a provider's prefix cache
    /// holds the images before the others arrive.
    pub first_alone: bool,
    /// Provider account: lanes with equal accounts share one limiter, whose ceiling is the
    /// largest of their concurrencies. `None` stands for an account of its own.
    pub account: Option<Hash>,
}

impl Lane {
    /// The lane of a request to this judge.
    pub(crate) fn of(lanes: &[Self], judge: &Arc<JudgeIdentity>) -> Option<usize> {
        let exact = |lane: &Self| Arc::ptr_eq(&lane.judge, judge) || lane.judge == *judge;
        let longer = |lane: &Self| lane.judge.is_same_but_for_length(judge);
        let seeded = |lane: &Self| lane.judge.is_same_but_for_request(judge);
        lanes
            .iter()
            .position(exact)
            .or_else(|| lanes.iter().position(longer))
            .or_else(|| lanes.iter().position(seeded))
    }

    /// A lane that sends the first request of a step alone.
    #[must_use]
    pub fn new(
        judge: Arc<JudgeIdentity>,
        transport: Arc<dyn Transport>,
        concurrency: usize,
    ) -> Self {
        Self {
            judge,
            transport,
            concurrency,
            first_alone: true,
            account: None,
        }
    }

    /// Shares the limiter of all lanes with this account.
    #[must_use]
    pub const fn of_account(mut self, account: Hash) -> Self {
        self.account = Some(account);
        self
    }
}

/// Requests in a row that find nobody before the run is stopped.
const UNREACHABLE_IN_A_ROW: u32 = 5;

/// Refused requests, while none was answered, before the run is stopped: if they name a
/// parameter, and if not.
const REFUSED_WITH_PARAM: u32 = 3;
const REFUSED_WITHOUT: u32 = 10;

/// What a lane shares with its workers.
pub(crate) struct Road {
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) limiter: Arc<Limiter>,
    /// Whether any response has come back.
    pub(crate) reached: AtomicBool,
}

impl Road {
    /// One road a lane; lanes of one account share a limiter.
    pub(crate) fn of_lanes(lanes: &[Lane]) -> Vec<Arc<Self>> {
        let mut limiters: HashMap<Hash, Arc<Limiter>> = HashMap::new();
        let limiter = |lane: &Lane| match lane.account {
            None => Arc::new(Limiter::new(lane.concurrency)),
            Some(account) => {
                let same = lanes.iter().filter(|l| l.account == Some(account));
                let most = same.map(|l| l.concurrency).max().unwrap_or(1);
                let new = || Arc::new(Limiter::new(most));
                limiters.entry(account).or_insert_with(new).clone()
            }
        };
        let limiters: Vec<_> = lanes.iter().map(limiter).collect();
        let road = |(lane, limiter): (&Lane, Arc<Limiter>)| {
            Arc::new(Self {
                transport: lane.transport.clone(),
                limiter,
                reached: AtomicBool::new(false),
            })
        };
        lanes.iter().zip(limiters).map(road).collect()
    }

    pub(crate) fn has_reached(&self) -> bool {
        self.reached.load(Relaxed)
    }
}

/// Notices that a judge refuses or misses everything.
#[derive(Debug, Default)]
pub(crate) struct Health {
    answered: bool,
    refused: u32,
    refused_for: Option<(String, u32)>,
    unreachable: u32,
}

impl Health {
    pub(crate) fn answer(&mut self) {
        self.answered = true;
        self.unreachable = 0;
    }

    /// Takes note of how a request ended without a reply; the reason to stop, if there is one.
    pub(crate) fn failure(&mut self, failure: &Failure) -> Option<StopReason> {
        match failure {
            Failure::Unreachable(message) => {
                self.unreachable += 1;
                (self.unreachable >= UNREACHABLE_IN_A_ROW)
                    .then(|| StopReason::Unreachable(message.clone()))
            }
            Failure::Api { error, .. } => {
                self.unreachable = 0;
                if error.kind != verispec_model::ApiErrorKind::BadRequest || self.answered {
                    return None;
                }
                self.refusal(error)
            }
            _ => None,
        }
    }

    fn refusal(&mut self, error: &verispec_model::ApiError) -> Option<StopReason> {
        self.refused += 1;
        if let Some(param) = &error.param {
            let same = self.refused_for.take().filter(|(known, _)| known == param);
            let times = same.map_or(1, |(_, times)| times + 1);
            self.refused_for = Some((param.clone(), times));
            if times >= REFUSED_WITH_PARAM && times == self.refused {
                let message = error.message.clone();
                return Some(StopReason::Parameter {
                    param: param.clone(),
                    message,
                });
            }
        }
        (self.refused >= REFUSED_WITHOUT).then(|| StopReason::Refuses(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use verispec_model::{ApiError, ApiErrorKind};

    use super::*;

    fn refused(param: Option<&str>) -> Failure {
        let error = ApiError {
            kind: ApiErrorKind::BadRequest,
            status: 400,
            code: None,
            param: param.map(str::to_owned),
            message: "not supported".into(),
        };
        Failure::Api {
            error,
            retry_after: None,
        }
    }

    #[test]
    fn the_same_parameter_three_times_stops() {
        let mut health = Health::default();
        assert_eq!(health.failure(&refused(Some("top_k"))), None);
        assert_eq!(health.failure(&refused(Some("top_k"))), None);
        let stop = health.failure(&refused(Some("top_k"))).unwrap();
        assert!(matches!(&stop, StopReason::Parameter { param, .. } if param == "top_k"));
    }

    #[test]
    fn one_answer_proves_that_requests_are_fine() {
        let mut health = Health::default();
        health.answer();
        assert!((0..20).all(|_| health.failure(&refused(Some("n"))).is_none()));
    }

    #[test]
    fn refusals_without_a_parameter_stop_later() {
        let mut health = Health::default();
        assert!((0..9).all(|_| health.failure(&refused(None)).is_none()));
        assert!(matches!(
            health.failure(&refused(None)),
            Some(StopReason::Refuses(_))
        ));
    }

    #[test]
    fn five_in_a_row_that_find_nobody_stop() {
        let gone = Failure::Unreachable("connection refused".into());
        let mut health = Health::default();
        assert!((0..4).all(|_| health.failure(&gone).is_none()));
        health.answer();
        assert!((0..4).all(|_| health.failure(&gone).is_none()));
        assert!(matches!(
            health.failure(&gone),
            Some(StopReason::Unreachable(_))
        ));
    }
}
