//! Masses from 1e-12 to 1e12 kg and steps down to 1e-8 s change the units and nothing else.

use stickslip::{
    model::closed_form_step,
    scenario::{LcpSolverChoice, Scenario},
    stepper::{StepStatus, StepperName},
};

use crate::{SLIDING, assert_close, block, run, stepper, take};

#[test]
fn motion_does_not_depend_on_the_mass() {
    let mut scenario = block(1.0, 0.1, 1.0, 1.2, 1e-3);
    scenario.bodies[0].position[1] = 1.0;
    let reference = run(&scenario, StepperName::LCP);
    for mass in [1e-12, 1e-6, 1e6, 1e12] {
        scenario.bodies[0].mass = mass;
        let trajectory = run(&scenario, StepperName::LCP);
        assert_eq!(trajectory.bodies[0].states, reference.bodies[0].states);
        for (a, b) in trajectory.bodies[0].steps.iter().zip(&reference.bodies[0].steps) {
            assert_close(a.force[1], mass * b.force[1], 1e-12 * mass * b.force[1].abs(), "force");
        }
        assert_eq!(trajectory.count(StepStatus::Solved), trajectory.steps.len());
    }
}

#[test]
fn tiny_steps_and_pushes_are_solved_by_every_solver() {
    for solver in [LcpSolverChoice::Lemke, LcpSolverChoice::Enumeration, LcpSolverChoice::InteriorPoint] {
        for mass in [1e-12, 1.0, 1e12] {
            for dt in [1e-8, 1e-4, 0.1] {
                for push in [0.0, 0.5, 1.0, 1.5, -3.0] {
                    let mut scenario = block(mass, 0.2, 0.0, 1.0, dt);
                    scenario.steppers.lcp.solver = Some(solver);
                    let force = [push * 0.2 * mass * crate::GRAVITY, 0.0].into();
                    for name in SLIDING.into_iter().chain([StepperName::LCP]) {
                        let mut lcp = stepper(&scenario, name);
                        let state = scenario.initial_state(0);
                        let step = take(lcp.as_mut(), state, force, dt).unwrap();
                        let exact = closed_form_step(&scenario.point(0), &state, &force, dt).state;
                        let what = format!("{name} by {solver:?}, m = {mass:e}, dt = {dt:e}, push {push}");
                        let unit = crate::GRAVITY * dt;
                        assert_close(step.state.velocity[0], exact.velocity[0], 1e-10 * unit, &what);
                        assert!(step.report.residual <= 1e-9, "{what}: {}", step.report.residual);
                    }
                }
            }
        }
    }
}

#[test]
fn without_gravity_the_ground_only_stops_what_flies_into_it() {
    let mut scenario = Scenario { gravity: 0.0, ..block(1.0, 0.5, 1.0, 1.0, 1e-2) };
    let trajectory = run(&scenario, StepperName::LCP);
    assert_close(trajectory.final_state(0).position[0], 1.0, 1e-12, "x");
    scenario.bodies[0].position[1] = 0.1;
    scenario.bodies[0].velocity[1] = -1.0;
    let end = run(&scenario, StepperName::LCP).final_state(0);
    assert_close(end.velocity[0], 0.5, 1e-12, "vx");
    assert_close(end.velocity[1], 0.0, 1e-12, "vz");
}
