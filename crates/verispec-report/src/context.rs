//! What a set of numbers was made with. Every table, document and page carries it.

use serde::Serialize;
use verispec_model::score::{Policy, Scoring};
use verispec_model::{
    Filters, JudgeIdentity, Manifest, Panel, Reduce, RepeatReduce, RunSource, Structured,
};

use crate::style::{Style, Tone};
use crate::text::clean_line;

/// What a set of numbers was made with. Empty fields are not shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Context {
    /// Suite.
    pub suite: String,
    /// Content version of the suite.
    pub revision: Option<String>,
    /// Run ids.
    pub runs: Vec<String>,
    /// Where readings come from when no judge was called, for instance `specv-results DIR`.
    pub source: Option<String>,
    /// Protocol with version.
    pub protocol: Option<String>,
    /// Judge identity in one line, see [`judge_line`].
    pub judge: Option<String>,
    /// Reader.
    pub reader: Option<String>,
    /// Encoder that image bytes went through.
    pub encoder: Option<String>,
    /// What was left out on purpose, for instance `--limit 5`; such results are not rankable.
    pub partial: Option<String>,
    /// How often each request was made and how the repeats became one, when it was more than once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<String>,
    /// Members of a panel of judges and how their verdicts became one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ensemble: Option<String>,
}

impl Context {
    /// Context of one run or several. Values that differ between runs are all named, joined by
    /// ` | `: numbers of unlike runs in one table must look like it.
    #[must_use]
    pub fn of(manifests: &[Manifest]) -> Self {
        let all = |f: &dyn Fn(&Manifest) -> Option<String>| distinct(manifests.iter().map(f));
        Self {
            suite: all(&|m| Some(m.suite.clone())).unwrap_or_default(),
            revision: all(&|m| m.suite_revision.clone()),
            runs: manifests.iter().map(|m| m.run.clone()).collect(),
            source: all(&|m| source_line(&m.source)),
            protocol: all(&|m| m.protocol.clone()),
            judge: all(&judges_line),
            reader: all(&|m| Some(m.reader.clone())),
            encoder: all(&|m| m.encoder.clone()),
            partial: all(&|m| partial_line(&m.filters)),
            repeats: all(&repeats_line),
            ensemble: all(&|m| m.panel.as_ref().map(ensemble_line)),
        }
    }

    /// Names and values in the order in which they are shown, with the policy first.
    pub(crate) fn lines(&self, policy: Option<Policy>) -> Vec<(&'static str, String)> {
        let mut lines = vec![];
        if let Some(policy) = policy {
            lines.push(("policy", policy.to_string()));
            lines.push(("estimand", estimand(policy).to_owned()));
        }
        let suite = match &self.revision {
            Some(revision) => format!("{} @ {revision}", self.suite),
            None => self.suite.clone(),
        };
        let optional = [
            ("suite", Some(suite).filter(|s| !s.is_empty())),
            ("source", self.source.clone()),
            ("protocol", self.protocol.clone()),
            ("judge", self.judge.clone()),
            ("ensemble", self.ensemble.clone()),
            ("repeats", self.repeats.clone()),
            ("reader", self.reader.clone()),
            ("encoder", self.encoder.clone()),
            ("runs", Some(self.runs.join(", ")).filter(|s| !s.is_empty())),
            (
                "partial",
                self.partial
                    .as_ref()
                    .map(|p| format!("{p}: left out on purpose, not rankable")),
            ),
        ];
        lines.extend(
            optional
                .into_iter()
                .filter_map(|(name, value)| Some((name, clean_line(&value?)))),
        );
        lines
    }

    /// The lines below a table: what every number in it was made with.
    pub(crate) fn footer(&self, policy: Option<Policy>, style: Style) -> String {
        self.lines(policy)
            .iter()
            .map(|(name, value)| {
                let tone = if *name == "partial" {
                    Tone::Odd
                } else {
                    Tone::Faint
                };
                style.paint(&format!("{name:<9} {value}"), tone) + "\n"
            })
            .collect()
    }
}

/// What is averaged over what, in words.
pub(crate) const fn estimand(policy: Policy) -> &'static str {
    match policy.scoring {
        Scoring::Uniform => {
            "percent; instance = met / judged; means of instances, dimensions, tracks"
        }
        Scoring::Board => "percent; the rule behind the suite's published tables, rounded as there",
        Scoring::Strict => {
            "percent; instance = 1 if everything is met, else 0; means of instances, dimensions, \
             tracks"
        }
        Scoring::Holistic => {
            "percent of the scale; instance = one holistic grade, no specifications; means of \
             instances, dimensions, tracks"
        }
    }
}

/// Everything about a judge that may change an answer, in one line.
#[must_use]
pub fn judge_line(judge: &JudgeIdentity) -> String {
    let mut words = vec![format!("{}/{}", judge.provider, judge.model)];
    words.extend(judge.params.iter().map(|(k, v)| format!("{k}={v}")));
    match judge.structured {
        Structured::None => {}
        Structured::JsonObject => words.push("structured=json_object".to_owned()),
        Structured::JsonSchema => words.push("structured=json_schema".to_owned()),
    }
    words.extend(judge.revision.as_ref().map(|r| format!("revision={r}")));
    words.join(" ")
}

/// The judge of a run, or all members of its panel.
fn judges_line(manifest: &Manifest) -> Option<String> {
    let panel = manifest.panel.as_ref().map(|panel| {
        let members = panel.members.iter();
        let named = members.map(|m| format!("{}={}", m.name, judge_line(&m.judge)));
        named.collect::<Vec<_>>().join(" + ")
    });
    panel.or_else(|| manifest.judge.as_ref().map(judge_line))
}

fn ensemble_line(panel: &Panel) -> String {
    let n = panel.members.len();
    let wanted = match (&panel.reduce, panel.min_valid) {
        (Reduce::Member(_), _) => String::new(),
        (_, Some(min)) => format!(", at least {min} valid"),
        (_, None) => format!(", at least {} valid", n / 2 + 1),
    };
    format!("{} of {n} judges{wanted}", panel.reduce)
}

fn repeats_line(manifest: &Manifest) -> Option<String> {
    let one_verdict = manifest
        .panel
        .as_ref()
        .is_some_and(|p| matches!(p.reduce, Reduce::Majority | Reduce::Unanimous));
    let (rule, counted) = match manifest.repeat_reduce {
        RepeatReduce::Mean if !one_verdict => ("mean of their rates", ", counters count each"),
        _ => ("majority", ""),
    };
    (manifest.repeats > 1).then(|| format!("{}, {rule}{counted}", manifest.repeats))
}

fn source_line(source: &RunSource) -> Option<String> {
    match source {
        RunSource::Judge => None,
        RunSource::SpecvResults { path } => Some(format!("specv-results {}", path.display())),
        RunSource::RealunifyScored { path } => Some(format!("realunify-scored {}", path.display())),
        RunSource::Verdicts { path } => Some(format!("verdicts {}", path.display())),
    }
}

fn partial_line(filters: &Filters) -> Option<String> {
    let list = |name: &str, values: &[String]| {
        (!values.is_empty()).then(|| format!("--{name} {}", shorten(values)))
    };
    let words: Vec<String> = [
        filters.limit.map(|n| format!("--limit {n}")),
        list("dims", &filters.dims),
        list("ids", &filters.ids),
        filters.shard.map(|s| format!("--shard {s}")),
    ]
    .into_iter()
    .flatten()
    .collect();
    filters.is_partial().then(|| words.join(" "))
}

fn shorten(values: &[String]) -> String {
    match values {
        [a, b, c, _, ..] => format!("{a},{b},{c},… ({})", values.len()),
        _ => values.join(","),
    }
}

/// Distinct values in order of appearance; a run that lacks the value counts as `none` when
/// another has it.
fn distinct(values: impl Iterator<Item = Option<String>>) -> Option<String> {
    let mut seen: Vec<Option<String>> = vec![];
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    if seen.iter().all(Option::is_none) {
        return None;
    }
    let words: Vec<String> = seen
        .into_iter()
        .map(|v| v.unwrap_or_else(|| "none".to_owned()))
        .collect();
    Some(words.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_values_are_all_named() {
        let values = |v: &[Option<&str>]| distinct(v.iter().map(|s| s.map(str::to_owned)));
        assert_eq!(values(&[Some("a"), Some("a")]).as_deref(), Some("a"));
        assert_eq!(values(&[Some("a"), Some("b")]).as_deref(), Some("a | b"));
        assert_eq!(values(&[Some("a"), None]).as_deref(), Some("a | none"));
        assert_eq!(values(&[None, None]), None);
    }

    #[test]
    fn partial_runs_say_what_was_left_out() {
        let filters = Filters {
            limit: Some(5),
            ids: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
            ..Filters::default()
        };
        assert_eq!(
            partial_line(&filters).as_deref(),
            Some("--limit 5 --ids a,b,c,… (4)")
        );
        let whole_tracks = Filters {
            tracks: vec!["t2i".into()],
            ..Filters::default()
        };
        assert_eq!(partial_line(&whole_tracks), None);
    }
}
