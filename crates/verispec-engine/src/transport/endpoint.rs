//! Addresses of judges: checked, and shown without secrets.

use reqwest::Url;
use secrecy::{ExposeSecret as _, SecretString};
use verispec_model::{Hash, KeyBuilder};

/// A transport that cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// The address is not one.
    #[error("endpoint {endpoint:?}: {reason}; expected for instance http://127.0.0.1:8000/v1")]
    Endpoint {
        /// As configured, without user, password and query.
        endpoint: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The key cannot stand in a header.
    #[error("the key holds characters that no header can carry; check its environment variable")]
    Key,
    /// The client could not be made.
    #[error("HTTP client: {0}")]
    Client(String),
}

/// The address of a judge, checked.
pub(crate) fn parse_endpoint(endpoint: &str) -> Result<Url, TransportError> {
    let error = |shown: String, reason: &str| TransportError::Endpoint {
        endpoint: shown,
        reason: reason.to_owned(),
    };
    let url = Url::parse(endpoint).map_err(|e| {
        error(
            endpoint.split('?').next().unwrap_or("").to_owned(),
            &e.to_string(),
        )
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(error(shown(&url), "only http and https are spoken"));
    }
    Ok(url)
}

/// The account that pays for requests to these addresses with this key: provider, hosts and the
/// key's hash. Judges of one account share its limits.
#[must_use]
pub fn account(provider: &str, endpoints: &[String], key: Option<&SecretString>) -> Hash {
    let host = |endpoint: &String| {
        let url = Url::parse(endpoint).ok()?;
        Some(format!(
            "{}:{}",
            url.host_str()?,
            url.port_or_known_default()?
        ))
    };
    let mut hosts: Vec<String> = endpoints.iter().filter_map(host).collect();
    hosts.sort();
    let mut account = KeyBuilder::new("verispec/account");
    account.field("provider", provider.as_bytes());
    for host in &hosts {
        account.field("host", host.as_bytes());
    }
    let key = key.map(|key| Hash::of(key.expose_secret().as_bytes()));
    account.optional("key", key.as_ref().map(|h| h.as_bytes().as_slice()));
    account.finish()
}

/// The address as it may be printed and stored.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.to_string().trim_end_matches('/').to_owned()
}

/// Whether an address is on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost"
        || host.ends_with(".localhost")
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked_and_shown_without_secrets() {
        let url = parse_endpoint("https://me:secret@host:1/v1?key=secret#x").unwrap();
        assert_eq!(shown(&url), "https://host:1/v1");
        for bad in ["host/v1", "ftp://host", "http://"] {
            assert!(parse_endpoint(bad).is_err(), "{bad}");
        }
        assert!(
            !parse_endpoint("nonsense?key=secret")
                .unwrap_err()
                .to_string()
                .contains("secret")
        );
    }

    #[test]
    fn loopback_addresses_are_known() {
        for (url, expected) in [
            ("http://localhost:1", true),
            ("http://127.0.0.9/v1", true),
            ("http://[::1]:8000", true),
            ("http://api.localhost", true),
            ("http://10.0.0.1", false),
            ("http://localhost.example.org", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(url).unwrap()), expected, "{url}");
        }
    }
}
