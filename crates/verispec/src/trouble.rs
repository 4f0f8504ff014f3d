//! Why a judge run ended early, with what the user can check: address, key, path.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use verispec_engine::events::Event;
use verispec_engine::execute::{StopReason, Summary};

use crate::judge::Judge;

/// The last reason why a request was left for another run, with the job that wants it.
#[derive(Debug, Clone, Default)]
pub(crate) struct LastTrouble(Arc<Mutex<Option<(String, String)>>>);

impl LastTrouble {
    /// Takes an event of the engine.
    pub(crate) fn observe(&self, event: &Event) {
        if let Event::RequestPending { job, why, .. } = event {
            *self.last() = Some((job.clone(), why.clone()));
        }
    }

    /// The job whose request was left.
    pub(crate) fn job(&self) -> Option<String> {
        self.last().as_ref().map(|(job, _)| job.clone())
    }

    fn last(&self) -> MutexGuard<'_, Option<(String, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What to say after a run that is not complete.
    pub(crate) fn tell(&self, summary: &Summary, judge: &Judge) -> Option<String> {
        if let Some(why) = &summary.stopped {
            return Some(format!("stopped: {why}{}", context(why, judge)));
        }
        let last = self.last();
        let (_, why) = last.as_ref().filter(|_| summary.pending > 0)?;
        Some(format!(
            "{} left pending; the last error: {why} (address {})",
            match summary.pending {
                1 => "1 request was".to_owned(),
                n => format!("{n} requests were"),
            },
            addresses(judge)
        ))
    }
}

/// What belongs to a reason and the engine cannot know.
fn context(why: &StopReason, judge: &Judge) -> String {
    let address = addresses(judge);
    match why {
        StopReason::Auth(_) => format!("\n  address {address}; {}", key(judge)),
        StopReason::NotFound(_) => {
            let hint = path_hint(&judge.identity.provider, &address);
            format!("\n  address {}{hint}", tried(judge, &address))
        }
        StopReason::Unreachable(_) => format!("\n  address {address}"),
        _ => String::new(),
    }
}

/// Whether a key was sent, and where it came from.
fn key(judge: &Judge) -> String {
    let names = judge.key_env.join(" or ");
    match (&judge.key, names.as_str()) {
        (Some(_), "") => "a key was sent".to_owned(),
        (Some(_), _) => format!("the key that was sent came from {names}"),
        (None, "") => "no key was sent; name its variable with --api-key-env".to_owned(),
        (None, _) => format!("no key was sent; set {names} or name a variable with --api-key-env"),
    }
}

/// The whole address of a call.
fn tried(judge: &Judge, address: &str) -> String {
    let model = &judge.identity.model;
    match judge.identity.provider.as_str() {
        "openai" => format!("{address}/chat/completions"),
        "openai-images" => format!("{address}/images/generations"),
        "gemini" => format!("{address}/models/{model}:generateContent"),
        "anthropic" => format!("{address}/v1/messages"),
        _ => address.to_owned(),
    }
}

/// What is usually wrong with an address that leads nowhere.
fn path_hint(provider: &str, address: &str) -> &'static str {
    let path = address.split_once("://").map_or(address, |(_, rest)| rest);
    match provider {
        "openai" if path.ends_with("/chat/completions") => {
            "; /chat/completions is added to the endpoint: leave it out"
        }
        "openai" if !path.contains("/v") => "; most servers want /v1 at the end of the endpoint",
        "gemini" if !path.contains("/v") => {
            "; most servers want /v1beta at the end of the endpoint"
        }
        "anthropic" if path.ends_with("/v1") || path.ends_with("/messages") => {
            "; /v1/messages is added to the endpoint: leave it out"
        }
        _ => "",
    }
}

/// All addresses of a judge, each as [`shown`].
fn addresses(judge: &Judge) -> String {
    let all: Vec<String> = judge.endpoints.iter().map(|e| shown(e)).collect();
    all.join(", ")
}

/// An address without user, password and query, which may hold a key.
fn shown(endpoint: &str) -> String {
    let plain = endpoint.split(['?', '#']).next().unwrap_or_default();
    let plain = plain.trim_end_matches('/');
    match plain.split_once("://") {
        Some((scheme, rest)) => {
            let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
            let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
            let slash = if path.is_empty() { "" } else { "/" };
            format!("{scheme}://{host}{slash}{path}")
        }
        None => plain.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_secrets_and_usual_slips_are_named() {
        let address = shown("https://me:secret@host:1/v1/?key=secret");
        assert_eq!(address, "https://host:1/v1");
        assert_eq!(shown("http://host/"), "http://host");
        assert_eq!(path_hint("openai", "http://host:8000/v1"), "");
        assert!(path_hint("openai", "http://host:8000").contains("/v1"));
        assert!(path_hint("openai", "http://h/v1/chat/completions").contains("leave it out"));
    }
}
