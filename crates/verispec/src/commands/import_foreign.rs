//! `verispec import lmms-eval`, `vlmevalkit`, …

use verispec_suites::foreign::{Choices, Foreign, Format, import};

use crate::args::ForeignArgs;
use crate::exit::usage;
use crate::output;

/// Rows and totals that are listed; all are counted.
const SHOWN: usize = 20;

/// Reads files of another tool and says what they hold.
pub(super) fn read(format: Format, args: &ForeignArgs) -> anyhow::Result<Foreign> {
    let choices = Choices {
        model: args.model.as_deref(),
        task: args.task.as_deref(),
        metric: args.metric.as_deref(),
        range: args.range,
    };
    let foreign = import(format, &args.file, choices).map_err(|e| usage(e.to_string()))?;
    tell(&foreign);
    Ok(foreign)
}

/// Whether the files' own totals agree with their rows.
pub(super) fn agrees(foreign: &Foreign) -> bool {
    foreign.totals.iter().all(|t| t.agrees())
}

fn tell(foreign: &Foreign) {
    output::note(&format!(
        "rows: {} with a value, {} without",
        foreign.valued,
        foreign.unvalued.len()
    ));
    for row in foreign.unvalued.iter().take(SHOWN) {
        output::note(&format!("  {}: {}", row.place, row.why));
    }
    if foreign.unvalued.len() > SHOWN {
        output::note(&format!("  … and {} more", foreign.unvalued.len() - SHOWN));
    }
    let differ: Vec<_> = foreign.totals.iter().filter(|t| !t.agrees()).collect();
    output::note(&format!(
        "totals that the files state: {} agree with their rows, {} differ",
        foreign.totals.len() - differ.len(),
        differ.len()
    ));
    for total in differ.iter().take(SHOWN) {
        output::note(&format!(
            "  {}: {} stated, {} found",
            total.name, total.stated, total.found
        ));
    }
    if differ.len() > SHOWN {
        output::note(&format!("  … and {} more", differ.len() - SHOWN));
    }
}
