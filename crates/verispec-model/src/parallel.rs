//! The same work over many items on all cores.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Most items that one core takes at a time.
const AT_A_TIME: usize = 32;

/// Maps in parallel; results are in the order of the items. Panics of the work are passed on.
///
/// Threads live as long as the call: a process that forked in between is none the worse.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    // So few that no core waits long for the last one.
    let each = items.len().div_ceil(8 * cores()).clamp(1, AT_A_TIME);
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let parts = items.chunks(each).zip(results.chunks_mut(each));
    take_turns(parts, |(items, results)| {
        for (item, result) in items.iter().zip(results) {
            *result = Some(work(item));
        }
    });
    in_order(results)
}

/// As [`map`], for items that are large pieces of work each and that the work takes apart.
pub fn map_into<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let parts = items.into_iter().zip(&mut results);
    take_turns(parts, |(item, result)| *result = Some(work(item)));
    in_order(results)
}

/// In the place that they have.
#[expect(
    clippy::filter_map_identity,
    reason = "`flatten` takes as much room again"
)]
fn in_order<R>(results: Vec<Option<R>>) -> Vec<R> {
    results.into_iter().filter_map(|result| result).collect()
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Each core does the next part until there is none.
fn take_turns<P>(parts: impl ExactSizeIterator<Item = P> + Send, work: impl Fn(P) + Sync) {
    let threads = cores().min(parts.len());
    let parts = Mutex::new(parts);
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let turns = || {
        while let Some(part) = next() {
            work(part);
        }
    };
    thread::scope(|scope| {
        // Where the system gives no thread this one does it all.
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, turns).ok();
        let others: Vec<_> = (1..threads).filter_map(spawn).collect();
        turns();
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::{map, map_into};

    #[test]
    fn order_is_kept() {
        for n in [0, 1, 2, 31, 1000] {
            let items: Vec<usize> = (0..n).collect();
            let doubled: Vec<usize> = items.iter().map(|n| n * 2).collect();
            assert_eq!(map(&items, |n| n * 2), doubled);
            assert_eq!(map_into(items, |n| n * 2), doubled);
        }
    }

    #[test]
    #[should_panic(expected = "at 700")]
    fn a_panic_is_passed_on() {
        let items: Vec<usize> = (0..1000).collect();
        map(&items, |n| assert!(*n != 700, "at {n}"));
    }
}
