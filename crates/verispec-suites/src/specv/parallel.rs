//! The same work over many items on all cores, results in order.

use std::num::NonZero;
use std::thread;

/// Maps in parallel; order is kept. Panics of the work are passed on.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    map_with(items, || (), |(), item| work(item))
}

/// The same, with something that each core keeps from item to item.
pub(crate) fn map_with<'a, T: Sync, S, R: Send>(
    items: &'a [T],
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &'a T) -> R + Sync,
) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let chunk = items.len().div_ceil(cores).max(1);
    let all = |part: &'a [T]| {
        let mut kept = start();
        let results = part.iter().map(|item| work(&mut kept, item));
        results.collect::<Vec<R>>()
    };
    if items.len() < 64 || cores == 1 {
        return all(items);
    }
    thread::scope(|scope| {
        let parts: Vec<_> = items
            .chunks(chunk)
            .map(|part| scope.spawn(|| all(part)))
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
