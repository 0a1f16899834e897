//! A solver with its memory solves without allocating.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use stickslip::lcp::{Method, Solution, Solver};

use crate::contact_problems::polygon_problem;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting the calls of each thread.
struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator; counting touches only a
// thread-local integer that needs no allocation itself.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`, and `pointer` came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Calls of the allocator on this thread while `work` runs.
fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn no_solver_allocates_once_it_is_set_up() {
    assert!(allocations(|| drop(std::hint::black_box(vec![0_u8; 8]))) > 0, "the count works");
    for (normal, slip) in [(-0.1, 0.01), (-0.1, 1.0), (0.3, 0.2), (-0.1, 0.0)] {
        let problem = polygon_problem(8, 0.5, normal, [slip, 0.3 * slip]);
        for method in [Method::Lemke, Method::InteriorPoint, Method::Enumeration] {
            let mut solver = Solver::new(method, problem.dim());
            let mut solution = Solution::empty(problem.dim());
            solver.solve_into(&problem, &mut solution);
            let count = allocations(|| solver.solve_into(&problem, &mut solution));
            assert_eq!(count, 0, "{method}, normal {normal}, slip {slip}");
            assert!(solution.is_solved());
        }
    }
}
