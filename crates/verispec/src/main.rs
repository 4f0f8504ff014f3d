//! Command line of verispec; everything is in the library so that tests can call it.

use std::process::ExitCode;

/// Faster than the system's on many small pieces from many threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Milliseconds after which freed memory goes back to the system. The allocator's own second keeps
/// the buffers of hundreds of images that have been sent; much less costs throughput.
const GIVE_BACK_AFTER: i64 = 100;

fn main() -> ExitCode {
    give_memory_back();
    verispec::main()
}

/// A default only: `MIMALLOC_PURGE_DELAY` wins.
#[expect(
    unsafe_code,
    reason = "the allocator's settings have no safe interface"
)]
fn give_memory_back() {
    /// `mi_option_purge_delay`, which the bindings do not name.
    const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
    // SAFETY: sets one number inside the allocator; no other thread runs yet.
    unsafe {
        libmimalloc_sys::mi_option_set_default(PURGE_DELAY, GIVE_BACK_AFTER as _);
    }
}
