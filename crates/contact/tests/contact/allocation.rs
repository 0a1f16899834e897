//! A model with its memory takes the steps of a simulation without allocating.

use stickslip_contact::contact::{
    AlternatingDirections, ContactModel, ExactCone, GaussSeidel, Solution, StewartTrinkle, Structured,
};

use crate::{
    counting_allocator::allocations,
    generator::{Kind, Recipe},
};

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
    check(&mut Structured::<2, 3>::default());
    check(&mut Structured::<3, 6>::default());
    check(&mut StewartTrinkle::<2, 3>::default());
    check(&mut StewartTrinkle::<3, 6>::default());
    check(&mut ExactCone::<2, 3>::default());
    check(&mut AlternatingDirections::<2, 3>::default());
    check(&mut AlternatingDirections::<3, 6>::default());
    check(&mut GaussSeidel::<2, 3>::default());
    check(&mut GaussSeidel::<3, 6>::default());
}
