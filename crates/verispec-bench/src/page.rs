//! Figures as a Markdown page.

use crate::figure::{Figure, Report, short};
use crate::groups;

/// The page: machine and commands, targets, then one table a group.
pub(crate) fn markdown(report: &Report) -> String {
    let mut out = head(report);
    out += &targets(report);
    for (group, title, text) in groups::TITLES {
        let figures: Vec<&Figure> = report
            .figures
            .iter()
            .filter(|f| f.group == *group)
            .collect();
        if !figures.is_empty() {
            out += &format!("\n## {title}\n\n{text}\n\n{}", table(&figures));
        }
    }
    out
}

fn head(report: &Report) -> String {
    let m = &report.machine;
    let memory = m
        .memory_gb
        .map_or_else(String::new, |gb| format!(", {gb:.0} GB of memory"));
    let commands: Vec<String> = report.commands.iter().map(|c| format!("{c}\n")).collect();
    let notes: Vec<String> = report.notes.iter().map(|n| format!("* {n}\n")).collect();
    format!(
        "# Performance\n\n\
         Written by `verispec-bench`, which builds the release program, makes its own data and \
         measures everything that is compared in the same run, turn by turn. A figure is the \
         median of its samples; processor time is that of the `verispec` process, read from the \
         system; memory is its peak resident size. Absolute numbers hold for this machine; the \
         ratios are what carries over.\n\n\
         | | |\n|---|---|\n\
         | machine | {}, {} cores{memory} |\n\
         | system | {} |\n\
         | compiler | {} |\n\
         | date | {} UTC, commit {} |\n\n\
         ```sh no-run: benchmarks, minutes each\n{}```\n\n{}",
        m.processor,
        m.cores,
        m.system,
        m.rustc,
        m.date,
        m.commit,
        commands.join(""),
        notes.join("")
    )
}

fn targets(report: &Report) -> String {
    let mut out = "\n## Targets\n\n\
                   | what | figure | beside | ratio | target | met | load average |\n\
                   |---|---:|---|---:|---|---|---:|\n"
        .to_owned();
    for figure in &report.figures {
        let Some(target) = &figure.target else {
            continue;
        };
        let beside = figure
            .beside
            .as_ref()
            .map_or_else(String::new, |b| format!("{} {}", b.what, short(b.value)));
        let ratio = figure
            .ratio()
            .map_or_else(String::new, |r| format!("{r:.2}"));
        let (figures, met) = (cell(figure), if target.met { "yes" } else { "**no**" });
        out += &format!(
            "| {}, {} | {figures} {} | {beside} | {ratio} | {} | {met} | {:.1} |\n",
            figure.row, figure.measure, figure.unit, target.bound, figure.load
        );
    }
    out
}

/// One line a row, one column a measure.
fn table(figures: &[&Figure]) -> String {
    let mut rows: Vec<&str> = vec![];
    let mut measures: Vec<(&str, &str)> = vec![];
    for figure in figures {
        if !rows.contains(&figure.row.as_str()) {
            rows.push(&figure.row);
        }
        let measure = (figure.measure.as_str(), figure.unit.as_str());
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    let mut out = "| |".to_owned();
    for (measure, unit) in &measures {
        out += &format!(" {measure}, {unit} |");
    }
    out += &format!("\n|---|{}\n", "---:|".repeat(measures.len()));
    for row in rows {
        out += &format!("| {row} |");
        for (measure, unit) in &measures {
            let is_it = |f: &&&Figure| f.row == row && f.measure == *measure && f.unit == *unit;
            let text = figures.iter().find(is_it).map_or_else(
                || "–".to_owned(),
                |f| match &f.beside {
                    Some(b) => format!("{} ({} {})", cell(f), b.what, short(b.value)),
                    None => cell(f),
                },
            );
            out += &format!(" {text} |");
        }
        out.push('\n');
    }
    out
}

fn cell(figure: &Figure) -> String {
    short(figure.value)
}
