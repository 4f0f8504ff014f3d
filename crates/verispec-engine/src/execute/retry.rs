//! What happens after a failed attempt.

use std::time::Duration;

use verispec_model::ApiErrorKind;

use super::summary::StopReason;
use crate::transport::Failure;

/// Where waiting times get their randomness from.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Jitter {
    /// Uniform.
    #[default]
    Random,
    /// Always this fraction of the range, 0 to 1, for tests.
    Fixed(f64),
}

impl Jitter {
    /// A fraction in `[0, 1)`, or the fixed one.
    #[must_use]
    pub fn fraction(self) -> f64 {
        match self {
            Self::Random => rand::random::<f64>(),
            Self::Fixed(fraction) => fraction,
        }
    }
}

/// How often and after how long a request is asked again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryPolicy {
    /// Attempts after the first one; 0 means none.
    pub max_retries: u32,
    /// Upper end of the first wait; doubles with each attempt.
    pub base: Duration,
    /// Longest wait of our own choosing.
    pub cap: Duration,
    /// A provider that asks for a longer wait than this stops the run.
    pub patience: Duration,
    /// Randomness.
    pub jitter: Jitter,
}

impl Default for RetryPolicy {
    /// 6 retries, 1 s doubling up to 60 s with full jitter, 10 minutes of patience.
    fn default() -> Self {
        Self {
            max_retries: 6,
            base: Duration::from_secs(1),
            cap: Duration::from_secs(60),
            patience: Duration::from_secs(600),
            jitter: Jitter::Random,
        }
    }
}

/// What to do about a failure.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Next {
    /// Ask again after this wait.
    Retry(Duration),
    /// The failure is the result.
    Settle,
    /// Leave the request for another run.
    Pending,
    /// No request can succeed.
    Stop(StopReason),
}

/// Retries of a judge that has not answered at all: a wrong address should be reported soon.
const UNREACHED_RETRIES: u32 = 2;

impl RetryPolicy {
    /// Decides after attempt number `attempt`, counted from 1. `reached`: whether this judge has
    /// sent any response in this run.
    pub(crate) fn next(&self, failure: &Failure, attempt: u32, reached: bool) -> Next {
        match failure {
            Failure::Config(message) => Next::Stop(StopReason::Config(message.clone())),
            Failure::Unsendable(_) => Next::Pending,
            Failure::TimedOut(_) => self.again(attempt, None, Next::Settle),
            Failure::Unreachable(_) => {
                let most = if reached { u32::MAX } else { UNREACHED_RETRIES };
                if attempt > most {
                    return Next::Pending;
                }
                self.again(attempt, None, Next::Pending)
            }
            Failure::Api { error, retry_after } => {
                let message = error.to_string();
                match error.kind {
                    ApiErrorKind::Auth => Next::Stop(StopReason::Auth(message)),
                    ApiErrorKind::NotFound => Next::Stop(StopReason::NotFound(message)),
                    ApiErrorKind::BadRequest => Next::Settle,
                    ApiErrorKind::RateLimit => self.again(attempt, *retry_after, Next::Pending),
                    ApiErrorKind::Server | ApiErrorKind::Malformed => {
                        self.again(attempt, *retry_after, Next::Settle)
                    }
                }
            }
        }
    }

    fn again(&self, attempt: u32, asked: Option<Duration>, exhausted: Next) -> Next {
        if asked.is_some_and(|wait| wait > self.patience) {
            return Next::Stop(StopReason::LongWait(asked.unwrap_or_default()));
        }
        if attempt > self.max_retries {
            return exhausted;
        }
        Next::Retry(self.wait(attempt, asked))
    }

    /// Full jitter below a doubling bound; at least what the provider asks for, plus up to a
    /// quarter, so that those who were told the same do not come back together.
    fn wait(&self, attempt: u32, asked: Option<Duration>) -> Duration {
        let fraction = self.jitter.fraction();
        match asked {
            Some(wait) => wait + wait.mul_f64(0.25 * fraction),
            None => {
                let doubled = self.base.saturating_mul(1 << (attempt - 1).min(20));
                doubled.min(self.cap).mul_f64(fraction)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use verispec_model::ApiError;

    use super::*;

    fn api(kind: ApiErrorKind, retry_after: Option<u64>) -> Failure {
        let message = "m".to_owned();
        let error = ApiError {
            kind,
            status: 400,
            code: None,
            param: None,
            message,
        };
        Failure::Api {
            error,
            retry_after: retry_after.map(Duration::from_secs),
        }
    }

    fn policy(fraction: f64) -> RetryPolicy {
        RetryPolicy {
            jitter: Jitter::Fixed(fraction),
            ..RetryPolicy::default()
        }
    }

    #[test]
    fn d03_waits_double_up_to_the_cap() {
        let seconds: Vec<u64> = (1..=8)
            .map(|a| policy(1.0).wait(a, None).as_secs())
            .collect();
        assert_eq!(seconds, [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(policy(0.0).wait(5, None), Duration::ZERO);
    }

    #[test]
    fn retry_after_is_a_lower_bound() {
        let asked = Some(Duration::from_secs(2));
        assert_eq!(policy(0.0).wait(6, asked), Duration::from_secs(2));
        assert_eq!(policy(1.0).wait(1, asked), Duration::from_millis(2500));
    }

    #[test]
    fn each_kind_ends_as_it_should() {
        let p = RetryPolicy {
            max_retries: 2,
            ..policy(0.0)
        };
        let last = |f: &Failure| p.next(f, 3, true);
        assert_eq!(last(&api(ApiErrorKind::Server, None)), Next::Settle);
        assert_eq!(last(&api(ApiErrorKind::Malformed, None)), Next::Settle);
        assert_eq!(last(&Failure::TimedOut(Duration::ZERO)), Next::Settle);
        assert_eq!(last(&api(ApiErrorKind::RateLimit, None)), Next::Pending);
        assert_eq!(last(&Failure::Unreachable("x".into())), Next::Pending);
        let first = |f: &Failure| p.next(f, 1, true);
        assert!(matches!(
            first(&api(ApiErrorKind::Server, None)),
            Next::Retry(_)
        ));
        assert!(matches!(
            first(&api(ApiErrorKind::RateLimit, Some(2))),
            Next::Retry(_)
        ));
        assert_eq!(first(&api(ApiErrorKind::BadRequest, None)), Next::Settle);
        assert_eq!(first(&Failure::Unsendable("gone".into())), Next::Pending);
        assert!(matches!(
            first(&api(ApiErrorKind::Auth, None)),
            Next::Stop(_)
        ));
        assert!(matches!(
            first(&api(ApiErrorKind::NotFound, None)),
            Next::Stop(_)
        ));
        assert!(matches!(first(&Failure::Config("p".into())), Next::Stop(_)));
    }

    #[test]
    fn zero_retries_are_honoured_at_once() {
        let p = RetryPolicy {
            max_retries: 0,
            ..policy(0.0)
        };
        assert_eq!(
            p.next(&api(ApiErrorKind::Server, None), 1, true),
            Next::Settle
        );
        assert_eq!(
            p.next(&api(ApiErrorKind::RateLimit, Some(1)), 1, true),
            Next::Pending
        );
    }

    #[test]
    fn an_address_that_never_answered_is_given_up_soon() {
        let gone = Failure::Unreachable("refused".into());
        assert!(matches!(policy(0.0).next(&gone, 2, false), Next::Retry(_)));
        assert_eq!(policy(0.0).next(&gone, 3, false), Next::Pending);
        assert!(matches!(policy(0.0).next(&gone, 3, true), Next::Retry(_)));
    }

    #[test]
    fn a_wait_of_hours_stops_the_run() {
        let next = policy(0.0).next(&api(ApiErrorKind::RateLimit, Some(7200)), 1, true);
        assert_eq!(
            next,
            Next::Stop(StopReason::LongWait(Duration::from_secs(7200)))
        );
    }
}
