//! A step allocates nothing.

use stickslip::{
    scenario::{LcpSolverChoice, Scenario},
    stepper::{BuildStepper, StepperName},
};

use crate::{block, counting_allocator::allocations, stepper, take};

/// Steps `scenario` from its initial state with the formulation `name`, and counts.
fn allocations_of_a_step<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> usize
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = stepper(scenario, name);
    let mut step = || take(stepper.as_mut(), scenario.initial_state(0), scenario.push(0, 0), scenario.step);
    step().expect("a first step");
    allocations(|| {
        step().expect("a second step");
    })
}

#[test]
fn no_formulation_allocates() {
    for solver in [LcpSolverChoice::Lemke, LcpSolverChoice::InteriorPoint, LcpSolverChoice::Enumeration] {
        for velocity in [0.0, 1e-4, 1.0] {
            let mut scenario = block(1.0, 0.3, velocity, 1.0, 1e-3);
            scenario.steppers.lcp.solver = Some(solver);
            for name in [
                StepperName::LCP,
                StepperName::LCP_ANITESCU,
                StepperName::LCP_FORWARD,
                StepperName::LCP_DIRECT,
                StepperName::LCP_TRADITIONAL,
                StepperName::LCP_MIXED,
                StepperName::LCP_BELBUTE_PERES,
            ] {
                assert_eq!(allocations_of_a_step(&scenario, name), 0, "{name} by {solver:?}");
            }
            let mut over_plane = Scenario::<3>::new("over-plane");
            over_plane.ground.friction = 0.3;
            over_plane.bodies[0].velocity = [velocity, 0.3 * velocity, 0.0].into();
            over_plane.steppers.lcp.solver = Some(solver);
            for name in [StepperName::LCP_POLYHEDRAL, StepperName::LCP_FIXED_POINT] {
                assert_eq!(allocations_of_a_step(&over_plane, name), 0, "{name} by {solver:?}");
            }
        }
    }
    let mut falling = block(1.0, 0.0, 0.0, 1.0, 1e-3);
    falling.bodies[0].position[1] = 1.0;
    assert_eq!(allocations_of_a_step(&falling, StepperName::LCP_FALLING_BLOCK), 0);
}
