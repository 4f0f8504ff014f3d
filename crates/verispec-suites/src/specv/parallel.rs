//! The same work over many items on all cores, results in order.

use std::num::NonZero;
use std::thread;

/// Maps in parallel; order is kept. Panics of the work are passed on.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let chunk = items.len().div_ceil(cores).max(1);
    if items.len() < 64 || cores == 1 {
        return items.iter().map(work).collect();
    }
    thread::scope(|scope| {
        let parts: Vec<_> = items
            .chunks(chunk)
            .map(|part| scope.spawn(|| part.iter().map(&work).collect::<Vec<R>>()))
            .collect();
        let joined = parts.into_iter().map(|part| match part.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.flatten().collect()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn order_is_kept() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(
            super::map(&items, |n| n * 2),
            (0..2000).step_by(2).collect::<Vec<_>>()
        );
        assert!(super::map(&[] as &[usize], |n| *n).is_empty());
    }
}
