//! JUnit XML, as continuous integration reads it: one `testsuite` with its `testcase`s.
//!
//! The dialect that all readers take: counts on `testsuites` and `testsuite`, `failure` for what
//! does not hold, `error` for what could not be decided, `skipped` for what was not looked at.

use std::fmt::Write as _;

/// How a case ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Passed,
    /// It does not, and why.
    Failed(String),
    /// It could not be decided, and why.
    Error(String),
    /// It was not looked at, and why.
    Skipped(String),
}

/// One case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Group, with dots as readers fold them.
    pub class: String,
    /// Name inside the group.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// What there is to say besides; may be empty.
    pub text: String,
}

/// Cases under one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suite {
    /// Name.
    pub name: String,
    /// Cases in order.
    pub cases: Vec<Case>,
}

impl Suite {
    /// The document, UTF-8, ends with a line break. Characters that XML 1.0 has no place for
    /// become U+FFFD.
    #[must_use]
    pub fn to_xml(&self) -> String {
        let count = |is: fn(&Outcome) -> bool| self.cases.iter().filter(|c| is(&c.outcome)).count();
        let counts = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
            self.cases.len(),
            count(|o| matches!(o, Outcome::Failed(_))),
            count(|o| matches!(o, Outcome::Error(_))),
            count(|o| matches!(o, Outcome::Skipped(_))),
        );
        let name = escaped(&self.name);
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{name}\" {counts}>\n  \
             <testsuite name=\"{name}\" {counts}>\n"
        );
        for case in &self.cases {
            case.write(&mut xml);
        }
        xml.push_str("  </testsuite>\n</testsuites>\n");
        xml
    }
}

impl Case {
    fn write(&self, xml: &mut String) {
        let (class, name) = (escaped(&self.class), escaped(&self.name));
        let _ = write!(xml, "    <testcase classname=\"{class}\" name=\"{name}\"");
        let outcome = match &self.outcome {
            Outcome::Passed => None,
            Outcome::Failed(why) => Some(("failure", why)),
            Outcome::Error(why) => Some(("error", why)),
            Outcome::Skipped(why) => Some(("skipped", why)),
        };
        if outcome.is_none() && self.text.is_empty() {
            xml.push_str("/>\n");
            return;
        }
        xml.push_str(">\n");
        if let Some((tag, why)) = outcome {
            let _ = writeln!(xml, "      <{tag} message=\"{}\"/>", escaped(why));
        }
        if !self.text.is_empty() {
            let text = escaped(&self.text);
            let _ = writeln!(xml, "      <system-out>{text}</system-out>");
        }
        xml.push_str("    </testcase>\n");
    }
}

/// Text for an attribute in double quotes or for an element.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // An attribute's reader turns them into spaces otherwise.
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_cases_are_written_and_nothing_breaks_out() {
        let case = |outcome, text: &str| Case {
            class: "a.b".into(),
            name: "x<\"&".into(),
            outcome,
            text: text.into(),
        };
        let suite = Suite {
            name: "s".into(),
            cases: vec![
                case(Outcome::Passed, ""),
                case(
                    Outcome::Failed("too low\nby 2".into()),
                    "\u{1}</system-out>",
                ),
                case(Outcome::Error("why".into()), ""),
                case(Outcome::Skipped("not run".into()), ""),
            ],
        };
        let xml = suite.to_xml();
        let counts = "tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\"";
        assert_eq!(xml.matches(counts).count(), 2, "{xml}");
        assert!(xml.contains("<testcase classname=\"a.b\" name=\"x&lt;&quot;&amp;\"/>"));
        assert!(xml.contains("<failure message=\"too low&#10;by 2\"/>"));
        assert!(xml.contains("<system-out>\u{fffd}&lt;/system-out&gt;</system-out>"));
        assert_eq!(xml.matches("<testcase").count(), 4);
        assert_eq!(xml.matches("</testcase>").count(), 3);
    }
}
