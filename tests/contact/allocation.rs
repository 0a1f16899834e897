//! A model with its memory takes the steps of a simulation without allocating.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use stickslip::contact::{ContactModel, GaussSeidel, Solution, Structured};

use crate::generator::{Kind, Recipe};

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

fn check<const D: usize, const N: usize>(model: &mut dyn ContactModel<D, N>) {
    let recipe = Recipe { kind: Kind::Wall, contacts: 40, friction: 0.4, ..Recipe::random(4, 6) };
    let mut problem = recipe.problem::<D, N>();
    let mut solution = Solution::default();
    model.solve(&problem, &mut solution).unwrap();
    // The next step: other velocities, the same graph.
    for velocity in &mut problem.free_velocity {
        velocity[0] += 1e-3;
    }
    let count = allocations(|| drop(model.solve(&problem, &mut solution)));
    assert_eq!(count, 0, "{}", model.name());
}

#[test]
fn a_step_with_the_same_graph_allocates_nothing() {
    assert!(allocations(|| drop(std::hint::black_box(vec![0_u8; 8]))) > 0, "the count works");
    check(&mut Structured::<2, 3>::default());
    check(&mut Structured::<3, 6>::default());
    check(&mut GaussSeidel::<2, 3>::default());
    check(&mut GaussSeidel::<3, 6>::default());
}
