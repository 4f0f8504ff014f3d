//! Stated means and totals against the numbers that they are made of.

use verispec_suites::published::{PublishedTable, realunify as realunify_tables, xtc};
use verispec_suites::specv::boards;

use super::{Check, Outcome, figure};

/// Averages of SpecV's ablation, three digits, against the mean of six rounded columns: they may
/// differ by half a unit of either.
pub(super) fn ser_averages() -> Check {
    const ALLOWED: f64 = 0.001;
    let mut check = Check {
        paper: "SpecV",
        title: "ablation of the specification pipeline: averages over tracks",
        outcome: Outcome::Consistent,
        findings: vec![],
        figures: vec![],
        checked: 0,
    };
    for (name, cells) in &boards::values().ser_ablation.rows {
        let Some((stated, tracks)) = cells.split_last() else {
            continue;
        };
        for (i, what) in ["tau", "rho"].into_iter().enumerate() {
            let mean = tracks.iter().map(|c| c[i]).sum::<f64>() / tracks.len() as f64;
            let off = (stated[i] - mean).abs();
            check.checked += 1;
            check
                .figures
                .push(figure(format!("{name}, {what}, mean"), mean));
            if off > ALLOWED {
                check.outcome = Outcome::Inconsistent;
            }
            if off > 0.0005 + 1e-9 {
                check.findings.push(format!(
                    "{name}: {what} {:.3} stated, mean {mean:.4}: more than half a unit off, \
                     within what rounded columns allow",
                    stated[i]
                ));
            }
        }
    }
    check
}

/// RealUnify's totals: 600 tasks of UEG and 400 of GEU, one decimal each.
pub(super) fn realunify() -> Check {
    const UEG: f64 = 0.6;
    /// Half a unit of the total and of its parts.
    const ALLOWED: f64 = 0.1;
    let mut check = Check {
        paper: "RealUnify",
        title: "totals are 600 UEG and 400 GEU tasks",
        outcome: Outcome::Consistent,
        findings: vec![],
        figures: vec![],
        checked: 0,
    };
    let Some(main) = realunify_tables().table("RealUnify main") else {
        return check;
    };
    let mut worst: f64 = 0.0;
    for row in &main.rows {
        for kind in ["direct", "step"] {
            let get = |part: &str| main.value(&row.model, &format!("{part} {kind}"));
            let (Some(ueg), Some(geu), Some(total)) = (get("UEG"), get("GEU"), get("total")) else {
                continue;
            };
            let mean = UEG * ueg + (1.0 - UEG) * geu;
            let off = (total - mean).abs();
            worst = worst.max(off);
            check.checked += 1;
            if off > ALLOWED + 1e-9 {
                check.outcome = Outcome::Inconsistent;
                let model = &row.model;
                check.findings.push(format!(
                    "{model}, {kind}: total {total} stated, {mean:.2} from its parts"
                ));
            }
        }
    }
    if check.findings.is_empty() {
        check
            .findings
            .push(format!("{} totals, at most {worst:.2} off", check.checked));
    }
    check.figures.push(figure("largest |stated - mean|", worst));
    check
}

/// XTC-Bench's families and the models that each is the mean of.
const FAMILIES: [(&str, &[&str]); 3] = [
    ("pure diffusion (MMaDA)", &["MMaDA-8B"]),
    (
        "AR + diffusion (Show-o, Show-o-2, BAGEL)",
        &["Show-o", "Show-o-2-7B", "BAGEL-7B"],
    ),
    (
        "pure AR (OmniGen-2, BLIP3-o, Janus-Pro, Tar)",
        &["OmniGen-2", "BLIP3-o-8B", "Janus-Pro-7B", "Tar-7B"],
    ),
];

/// Rows of families against the means of their models.
pub(super) fn xtc_families() -> Check {
    let mut check = Check {
        paper: "XTC-Bench",
        title: "families are the means of their models",
        outcome: Outcome::Consistent,
        findings: vec![],
        figures: vec![],
        checked: 0,
    };
    let table = |name| xtc().table(name);
    let (Some(families), Some(abilities), Some(consistency)) = (
        table("XTC-Bench families"),
        table("XTC-Bench generation G and understanding U"),
        table("XTC-Bench consistency"),
    ) else {
        return check;
    };
    let sources = [
        ("G", abilities),
        ("U", abilities),
        ("CCTA", consistency),
        ("AW-CCTA", consistency),
    ];
    for (family, models) in FAMILIES {
        for (column, source) in sources {
            let (Some(stated), Some(mean)) =
                (families.value(family, column), mean(source, models, column))
            else {
                continue;
            };
            check.checked += 1;
            // Half a unit of the stated digit and of the models' digits.
            if (stated - mean).abs() > 0.001 + 1e-9 {
                check.outcome = Outcome::Inconsistent;
                let line = format!("{family}: {column} {stated} stated, its models give {mean:.4}");
                check.findings.push(line);
            }
        }
    }
    if check.findings.is_empty() {
        check
            .findings
            .push(format!("{} cells agree", check.checked));
    }
    check
}

fn mean(table: &PublishedTable, models: &[&str], column: &str) -> Option<f64> {
    let values: Option<Vec<f64>> = models.iter().map(|m| table.value(m, column)).collect();
    let values = values.filter(|v| !v.is_empty())?;
    Some(values.iter().sum::<f64>() / values.len() as f64)
}
