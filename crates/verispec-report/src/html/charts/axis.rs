//! Axes: a range of percent with round ends and few ticks.

/// A scale from values to pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    pub from: f64,
    pub to: f64,
    step: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// An axis that holds the values, drawn from pixel `start` to pixel `end`. Ends are multiples
    /// of the step between ticks. Bounded to 0 and 100 where `percent`.
    pub(crate) fn over(
        values: impl Iterator<Item = f64>,
        percent: bool,
        (start, end): (f64, f64),
    ) -> Self {
        let (mut low, mut high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
            (l.min(v), h.max(v))
        });
        if !low.is_finite() || !high.is_finite() {
            (low, high) = (0.0, 100.0);
        }
        let span = (high - low).max(if percent { 10.0 } else { 1.0 });
        let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 25.0, 50.0, 100.0, 200.0, 500.0];
        let step = steps.into_iter().find(|s| span / s <= 5.0);
        let step = step.unwrap_or(1000.0);
        let (mut from, mut to) = ((low / step).floor() * step, (high / step).ceil() * step);
        if percent {
            (from, to) = (from.max(0.0), to.min(100.0));
        }
        if to - from < step {
            to = from + step;
        }
        if percent && to > 100.0 {
            (from, to) = (100.0 - step, 100.0);
        }
        Self {
            from,
            to,
            step,
            start,
            end,
        }
    }

    /// Pixel of a value.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let share = (value - self.from) / (self.to - self.from);
        self.start + share * (self.end - self.start)
    }

    /// Values of ticks.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        let mut ticks = vec![];
        let mut tick = (self.from / self.step).ceil() * self.step;
        while tick <= self.to + 1e-9 {
            ticks.push(tick);
            tick += self.step;
        }
        ticks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(values: &[f64], percent: bool) -> Axis {
        Axis::over(values.iter().copied(), percent, (0.0, 100.0))
    }

    #[test]
    fn ends_are_round_and_inside_percent() {
        let a = axis(&[43.2, 88.0], true);
        assert_eq!((a.from, a.to), (40.0, 90.0));
        assert_eq!(a.ticks(), [40.0, 50.0, 60.0, 70.0, 80.0, 90.0]);
        let a = axis(&[100.0], true);
        assert!(a.from < 100.0 && a.to == 100.0, "{a:?}");
        let a = axis(&[], true);
        assert_eq!((a.from, a.to), (0.0, 100.0));
        let a = axis(&[3.0, 46.0], false);
        assert_eq!((a.from, a.to), (0.0, 50.0));
        assert!((a.at(25.0) - 50.0).abs() < 1e-9);
    }
}
