//! The nominal run of the blog post under the relaxed formulation.

use stickslip::{
    metrics::{Metrics, Summary},
    model::closed_form_step,
    scenario::{NlpSolverChoice, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepStatus, StepperName},
    trajectory::Trajectory,
};

use crate::{largest_scaled_error, nominal};

fn run(scenario: &Scenario<2>) -> Trajectory<2> {
    let mut stepper = scenario.stepper(StepperName::NLP).expect("nlp admits every scenario");
    simulate(scenario, stepper.as_mut())
}

fn nominal_with(solver: NlpSolverChoice, warm_start: bool) -> Scenario<2> {
    let mut scenario = nominal();
    scenario.steppers.nlp.solver = Some(solver);
    scenario.steppers.nlp.warm_start = warm_start;
    scenario
}

/// Both solvers, warm and cold, with names for the snapshots.
fn all() -> [(&'static str, Scenario<2>); 4] {
    let (own, ipopt) = (NlpSolverChoice::InteriorPoint, NlpSolverChoice::Ipopt);
    [
        ("interior_point_warm", nominal_with(own, true)),
        ("interior_point_cold", nominal_with(own, false)),
        ("ipopt_warm", nominal_with(ipopt, true)),
        ("ipopt_cold", nominal_with(ipopt, false)),
    ]
}

#[test]
fn ipopt_with_warm_starts_is_the_default() {
    let default = run(&nominal());
    assert_eq!(default.solver.as_ref().map(|solver| solver.name.as_str()), Some("IPOPT"));
    assert_eq!(default.bodies[0].states, run(&nominal_with(NlpSolverChoice::Ipopt, true)).bodies[0].states);
}

#[test]
fn every_step_is_solved_and_none_rescued() {
    for (_, scenario) in all() {
        let trajectory = run(&scenario);
        assert_eq!(trajectory.count(StepStatus::Solved), 1200);
        let worst = trajectory.steps.iter().map(|step| step.report.residual).fold(0.0, f64::max);
        assert!(worst <= 1e-6, "largest residual {worst}");
    }
}

#[test]
fn no_step_takes_more_than_twelve_iterations() {
    for (_, scenario) in all() {
        let trajectory = run(&scenario);
        let most = trajectory.steps.iter().map(|step| step.report.iterations).max();
        assert!(most <= Some(12), "{most:?} iterations");
    }
}

/// Growth of the iteration counts is a defect even where every step is solved.
#[test]
fn the_iteration_statistics_stay_as_they_are() {
    for (name, scenario) in all() {
        let trajectory = run(&scenario);
        let iterations = Summary::of(&trajectory, Metrics::of(&trajectory, None)).iterations;
        let (median, max, total) = (iterations.median, iterations.max, iterations.total);
        insta::assert_snapshot!(name, format!("median {median}, max {max}, total {total}"));
    }
}

#[test]
fn the_whole_run_agrees_with_the_closed_form_step() {
    for (_, scenario) in all() {
        agrees_with_the_closed_form_step(&scenario);
    }
}

fn agrees_with_the_closed_form_step(scenario: &Scenario<2>) {
    let trajectory = run(scenario);
    assert!(largest_scaled_error(&trajectory) <= 1e-5);
    let body = scenario.point(0);
    let mut state = scenario.initial_state(0);
    for (k, stepped) in trajectory.bodies[0].states.iter().enumerate() {
        let position = (stepped.position - state.position).amax();
        let velocity = (stepped.velocity - state.velocity).amax();
        assert!(position <= 1e-5, "state {k} is off by {position} m");
        assert!(velocity <= 1e-4, "state {k} is off by {velocity} m/s");
        state = closed_form_step(&body, &state, &scenario.push(0, k), scenario.step).state;
    }
}

#[test]
fn the_trajectory_agrees_with_another_ipopt_on_the_same_program() {
    // CasADi with IPOPT 3.14.19, cold starts; columns t, x, z, dx, dz, Fx, Fz, every tenth step.
    let reference = include_str!("../data/nlp_relaxed_nominal.csv");
    let trajectory = run(&nominal_with(NlpSolverChoice::Ipopt, false));
    for line in reference.lines().skip(1) {
        let row: Vec<f64> = line.split(',').map(|field| field.parse().expect("a number")).collect();
        let k = (row[0] / 1e-3).round() as usize;
        let states = &trajectory.bodies[0].states;
        let state = &states[k];
        // The step of the impact ends on the ground, at the speed that takes it there: some nanometres that the bounds of
        // the other IPOPT let it fall in 450 steps of flight are micrometres per second of it.
        let height_before = states[k.max(1) - 1].height();
        let lands = height_before > 1e-6 && state.height().abs() < 1e-9;
        if lands {
            let speed = height_before / 1e-3;
            assert!((state.velocity[1] + speed).abs() < 1e-9 && (row[4] + speed).abs() < 1e-5, "row {k}");
        }
        let compared = if lands { 3 } else { 4 };
        let numbers = state.position.iter().chain(&state.velocity).zip(&row[1..5]);
        for (actual, expected) in numbers.take(compared) {
            assert!((actual - expected).abs() <= 1e-6, "row {k}: {actual}, expected {expected}");
        }
    }
}
