//! Who may enter, and the secrets that let them.

use std::fmt::Write as _;

/// Somebody who reviews.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Name, as it stands in events and exports.
    pub name: String,
    /// Sees conflicts and settles them.
    pub adjudicates: bool,
}

/// A person with secrets of this run of the server.
pub(super) struct Guest {
    pub(super) person: Person,
    /// In the link.
    pub(super) token: String,
    /// In the cookie.
    pub(super) session: String,
    /// In each form.
    pub(super) csrf: String,
}

impl Guest {
    pub(super) fn new(person: &Person) -> Self {
        Self {
            person: person.clone(),
            token: secret(),
            session: secret(),
            csrf: secret(),
        }
    }
}

/// 256 random bits from the operating system's generator, as hexadecimal digits.
fn secret() -> String {
    let bytes: [u8; 32] = rand::random();
    let mut text = String::with_capacity(64);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Whether two secrets are equal; takes as long whatever they are, since hashes are compared.
pub(super) fn same(given: &str, secret: &str) -> bool {
    blake3::hash(given.as_bytes()) == blake3::hash(secret.as_bytes())
}
