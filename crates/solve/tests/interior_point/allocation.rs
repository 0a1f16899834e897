//! Solves take no memory from the heap.

use stickslip_base::model::{PointMass, State, Vector};
use stickslip_solve::nlp::{InteriorPoint, InteriorPointOptions, NlpSolver, Start};

use crate::{counting_allocator::allocations, step_program::StepProgram};

#[test]
fn a_solve_allocates_nothing() {
    let body = PointMass { mass: 1.0, friction: 0.5, restitution: 0.0, gravity: Vector::from([0.0, -9.81]) };
    let state = State { position: Vector::zeros(), velocity: Vector::from([1.0, -2.0]) };
    let program = StepProgram::new(&body, &state, &Vector::zeros(), 1e-3);
    let mut solver = InteriorPoint::new(&program, InteriorPointOptions::default());
    let start = Start::cold(program.start());
    let count = allocations(|| {
        let cold = solver.solve(&program, &start);
        let warm = solver.solve(&program, &Start::warm(&cold));
        assert!(cold.status.is_success() && warm.status.is_success());
    });
    assert_eq!(count, 0);
}
