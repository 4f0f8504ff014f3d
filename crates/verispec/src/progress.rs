//! The progress bar of a judge run, on stderr.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use verispec_engine::events::{Event, Progress, ProgressView};

use crate::output;

/// Draws what a run does. Without a terminal it stays silent but for warnings.
#[derive(Clone)]
pub(crate) struct Bar {
    bar: Option<ProgressBar>,
    counts: Arc<Progress>,
    under_way: Arc<AtomicI64>,
    notes: Option<output::Notes>,
}

impl Bar {
    pub(crate) fn new() -> Self {
        let notes = output::notes();
        let drawn = notes.is_none() && std::io::stderr().is_terminal();
        let bar = drawn.then(|| {
            let bar = ProgressBar::new(0);
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self {
            bar,
            counts: Arc::new(Progress::new()),
            under_way: Arc::default(),
            notes,
        }
    }

    /// Takes an event of the engine.
    pub(crate) fn observe(&self, event: &Event) {
        self.counts.observe(event);
        let change = match event {
            Event::RequestSent { .. } => 1,
            Event::Retrying { .. }
            | Event::RequestPending { .. }
            | Event::RequestSettled { reused: false, .. } => -1,
            _ => 0,
        };
        self.under_way.fetch_add(change, Ordering::Relaxed);
        if let Event::Warning { message } = event {
            self.say(&format!("warning: {message}"));
        }
        if let Some(bar) = &self.bar {
            let view = self.counts.view();
            bar.set_length(view.total);
            bar.set_position(view.done);
            bar.set_message(message(&view));
        }
    }

    /// Attempts that were repeated.
    pub(crate) fn retries(&self) -> u64 {
        self.counts.view().retries
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Calls sent and not yet answered.
    pub(crate) fn under_way(&self) -> i64 {
        self.under_way.load(Ordering::Relaxed).max(0)
    }

    /// Prints where the run stands, unless a bar shows it.
    pub(crate) fn tell(&self) {
        // A calling program is told at the end.
        if self.bar.is_none() && self.notes.is_none() {
            let view = self.counts.view();
            let more = message(&view);
            let dot = if more.is_empty() { "" } else { " · " };
            output::note(&format!("{}/{} requests{dot}{more}", view.done, view.total));
        }
    }

    pub(crate) fn say(&self, text: &str) {
        match (&self.bar, &self.notes) {
            (Some(bar), _) => bar.println(verispec_report::clean(text)),
            (None, Some(notes)) => output::add_note(notes, &verispec_report::clean(text)),
            (None, None) => output::note(text),
        }
    }
}

fn message(view: &ProgressView) -> String {
    let mut parts = vec![];
    if let Some(rate) = view.rate {
        parts.push(format!("{rate:.1}/s"));
    }
    if let Some(left) = view.left {
        parts.push(format!("{} left", duration(left)));
    }
    for (n, what) in [
        (view.failed, "failed"),
        (view.pending, "pending"),
        (view.retries, "retries"),
    ] {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    parts.join(" · ")
}

fn duration(d: Duration) -> String {
    let s = d.as_secs();
    match s {
        0..60 => format!("{s} s"),
        60..3600 => format!("{} min", s.div_ceil(60)),
        _ => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}
