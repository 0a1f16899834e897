//! The system's allocator, counting the calls of each thread and the bytes in use. For test programs that state that something
//! allocates nothing; each includes this file by its path.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// Bytes that this thread took, less those that it gave back.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    /// The most of these so far.
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count_bytes(change: isize) {
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + change);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
    });
}

struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator; counting touches only
// integers that need no allocation themselves.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        count_bytes(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count_bytes(-(layout.size() as isize));
        // SAFETY: the caller keeps the contract of `dealloc`, and `pointer` came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Calls of the allocator on this thread while `work` runs.
#[allow(dead_code, reason = "not every test program asks for it")]
pub fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

/// Bytes that this thread took and has not given back. Other tests run beside, on threads of their own.
#[allow(dead_code, reason = "not every test program asks for it")]
pub fn live_bytes() -> isize {
    LIVE.with(Cell::get)
}

/// The most bytes that this thread has taken at once while `work` runs, beyond those that it had.
#[allow(dead_code, reason = "not every test program asks for it")]
pub fn peak_bytes(work: impl FnOnce()) -> isize {
    let before = live_bytes();
    PEAK.with(|peak| peak.set(before));
    work();
    PEAK.with(Cell::get) - before
}

#[test]
fn allocations_are_counted() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![0_u8; 8]))), 1);
    assert_eq!(peak_bytes(|| drop(std::hint::black_box(vec![0_u8; 8]))), 8);
}
