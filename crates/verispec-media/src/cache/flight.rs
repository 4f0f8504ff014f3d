//! Work that several threads wait for, and a bound on how much of it runs at once.

use std::sync::{Condvar, Mutex, PoisonError};

/// One piece of work, done by one thread and waited for by others.
#[derive(Debug)]
pub(super) struct Flight<T> {
    result: Mutex<Option<T>>,
    landed: Condvar,
}

impl<T> Default for Flight<T> {
    fn default() -> Self {
        Self {
            result: Mutex::new(None),
            landed: Condvar::new(),
        }
    }
}

impl<T: Clone> Flight<T> {
    /// Blocks until the work is done.
    pub(super) fn wait(&self) -> T {
        let mut result = self.result.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(result) = &*result {
                return result.clone();
            }
            result = self
                .landed
                .wait(result)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn finish(&self, value: T) {
        *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
        self.landed.notify_all();
    }
}

/// Finishes a flight in any case: with a result, or, if its thread unwinds, with `crash`.
pub(super) struct Landing<'a, T: Clone, L: Fn(&T), C: Fn() -> T> {
    flight: &'a Flight<T>,
    /// Called before those who wait are woken.
    on_land: L,
    crash: C,
    done: bool,
}

impl<'a, T: Clone, L: Fn(&T), C: Fn() -> T> Landing<'a, T, L, C> {
    pub(super) const fn new(flight: &'a Flight<T>, on_land: L, crash: C) -> Self {
        Self {
            flight,
            on_land,
            crash,
            done: false,
        }
    }

    pub(super) fn land(mut self, value: T) -> T {
        self.done = true;
        self.publish(value.clone());
        value
    }

    fn publish(&self, value: T) {
        (self.on_land)(&value);
        self.flight.finish(value);
    }
}

impl<T: Clone, L: Fn(&T), C: Fn() -> T> Drop for Landing<'_, T, L, C> {
    fn drop(&mut self) {
        if !self.done {
            self.publish((self.crash)());
        }
    }
}

/// A counting semaphore for threads.
#[derive(Debug)]
pub(super) struct Permits {
    free: Mutex<usize>,
    returned: Condvar,
}

/// Held while working; gives its place back when dropped.
pub(super) struct Permit<'a>(&'a Permits);

impl Permits {
    pub(super) fn new(count: usize) -> Self {
        Self {
            free: Mutex::new(count.max(1)),
            returned: Condvar::new(),
        }
    }

    pub(super) fn take(&self) -> Permit<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self
            .returned
            .wait_while(free, |free| *free == 0)
            .unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Permit(self)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn those_who_wait_are_told_of_a_crash() {
        let flight = Arc::new(Flight::default());
        let worker = Arc::clone(&flight);
        let crashed = std::thread::spawn(move || {
            let _landing = Landing::new(&worker, |_| {}, || "crashed");
            panic!("on purpose");
        });
        assert_eq!(flight.wait(), "crashed");
        assert!(crashed.join().is_err());
    }

    #[test]
    fn no_more_than_the_permits_run_at_once() {
        let permits = Permits::new(3);
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    let _permit = permits.take();
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::yield_now();
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!((1..=3).contains(&most.load(Ordering::SeqCst)));
        assert_eq!(*permits.free.lock().unwrap(), 3);
    }
}
