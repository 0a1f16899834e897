//! Solves take no memory from the heap.

use crate::step_program::StepProgram;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use stickslip::model::{PointMass, State, Vector};
use stickslip::nlp::{InteriorPoint, InteriorPointOptions, NlpSolver, Start};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc` above, thus from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_solve_allocates_nothing() {
    let body = PointMass { mass: 1.0, friction: 0.5, restitution: 0.0, gravity: Vector::from([0.0, -9.81]) };
    let state = State { position: Vector::zeros(), velocity: Vector::from([1.0, -2.0]) };
    let program = StepProgram::new(&body, &state, &Vector::zeros(), 1e-3);
    let mut solver = InteriorPoint::new(&program, InteriorPointOptions::default());
    let start = Start::cold(program.start());
    let before = ALLOCATIONS.get();
    let cold = solver.solve(&program, &start);
    let warm = solver.solve(&program, &Start::warm(&cold));
    let allocations = ALLOCATIONS.get() - before;
    assert!(cold.status.is_success() && warm.status.is_success());
    assert_eq!(allocations, 0);
}
