//! `verispec specs lint`

use verispec_specs::lint::{Finding, LintOptions, RULES, lint, rule};
use verispec_suites::specv::selected;

use crate::args::{Cli, SpecsLintArgs};
use crate::config::Config;
use crate::data::Loaded;
use crate::exit::{Exit, usage};
use crate::output;
use crate::target::{absolute, filters};

/// Findings of a rule that are listed unless all are wanted.
const SHOWN: usize = 3;

pub(super) fn run(cli: &Cli, args: &SpecsLintArgs) -> anyhow::Result<Exit> {
    if let Some(code) = args.rule.iter().find(|c| rule(c).is_none()) {
        let codes: Vec<&str> = RULES.iter().map(|r| r.code).collect();
        return Err(usage(format!(
            "no rule {code:?}; rules: {}",
            codes.join(", ")
        )));
    }
    let config = Config::load(cli.config.as_deref())?;
    let root = absolute(&config.data(args.suite.as_str(), args.data.as_deref())?)?;
    let loaded = Loaded::load(args.suite, &root)?;
    let filters = filters(&args.part, &loaded.suite)?;
    let options = if loaded.is_specv() {
        LintOptions::specv()
    } else {
        LintOptions::default()
    };
    let instances: Vec<_> = selected(&loaded.suite, &filters).collect();
    let items: usize = instances.iter().map(|i| i.specifications.len()).sum();
    let wanted = |f: &Finding| args.rule.is_empty() || args.rule.contains(&f.code);
    let found: Vec<Finding> = instances
        .iter()
        .flat_map(|i| lint(i, &options))
        .filter(wanted)
        .collect();
    if cli.json {
        output::json(&serde_json::json!({
            "format": 1, "kind": "specs-lint", "suite": loaded.suite.name,
            "revision": loaded.suite.revision, "instances": instances.len(),
            "specifications": items, "rules": rates(&found, items), "findings": found,
        }));
    } else {
        output::result(&in_words(&found, items, instances.len(), args.all));
    }
    Ok(Exit::Ok)
}

fn count(found: &[Finding], code: &str) -> usize {
    found.iter().filter(|f| f.code == code).count()
}

fn rates(found: &[Finding], items: usize) -> Vec<serde_json::Value> {
    let rate = |n: usize| (items > 0).then(|| n as f64 * 1000.0 / items as f64);
    let row = |r: &verispec_specs::lint::Rule| {
        let n = count(found, r.code);
        serde_json::json!({
            "code": r.code, "severity": r.severity, "of_set": r.of_set, "findings": n,
            "per_1000_specifications": rate(n), "explanation": r.explanation, "hint": r.hint,
        })
    };
    RULES.iter().map(row).collect()
}

fn in_words(found: &[Finding], items: usize, instances: usize, all: bool) -> String {
    let mut lines = vec![format!("{items} specifications of {instances} instances")];
    for rule in &RULES {
        let n = count(found, rule.code);
        if n == 0 {
            continue;
        }
        lines.push(format!(
            "\n{} ({}): {n}, {:.1} per 1,000 specifications\n  {}; {}",
            rule.code,
            rule.severity.as_str(),
            n as f64 * 1000.0 / items.max(1) as f64,
            rule.explanation,
            rule.hint
        ));
        let shown = if all { n } else { SHOWN };
        let of_rule = found.iter().filter(|f| f.code == rule.code);
        lines.extend(of_rule.take(shown).map(|f| {
            let spec = f.spec.map(|id| format!("#{id}")).unwrap_or_default();
            format!("    {}{spec}: {}", f.instance, f.message)
        }));
        if n > shown {
            lines.push(format!("    and {} more (--all)", n - shown));
        }
    }
    lines.join("\n")
}
