//! The LCP and the nonlinear program pose the same contact problem and find the same motion.

use std::path::Path;

use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip::{
    scenario::{AnyScenario, LcpSolverChoice, NlpSolverChoice, Push, Scenario, read_scenario},
    stepper::{BuildStepper, StepperName},
    world::Impacts,
};

use crate::{assert_close, block, run};

fn assert_agree<const D: usize>(scenario: &Scenario<D>, lcp: StepperName, tolerance: f64)
where
    Scenario<D>: BuildStepper<D>,
{
    let lcp = run(scenario, lcp);
    let nlp = run(scenario, StepperName::NLP);
    for (k, (a, b)) in lcp.bodies[0].states.iter().zip(&nlp.bodies[0].states).enumerate() {
        let what = format!("x of `{}` at step {k}: {scenario:?}", scenario.name);
        assert_close(a.position[0], b.position[0], tolerance, &what);
    }
}

#[test]
fn with_the_nonlinear_program_on_every_example() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scenarios");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        match read_scenario(&path, &[]).unwrap() {
            AnyScenario::InPlane(scenario) if !scenario.is_single_point() => {}
            AnyScenario::InPlane(scenario) => {
                assert_agree(&scenario, StepperName::LCP, 1e-5);
                count += 1;
            }
            AnyScenario::OverPlane(scenario) if !scenario.is_single_point() => {}
            // Over a plane the fixed point has the cone of the nonlinear program, not a pyramid.
            AnyScenario::OverPlane(scenario) => {
                assert_agree(&scenario, StepperName::LCP_FIXED_POINT, 1e-5);
                count += 1;
            }
        }
    }
    assert!(count >= 9, "{count} examples");
}

/// A random scenario of so many steps of 2 ms.
fn random_scenario(rng: &mut StdRng, index: usize, steps: usize) -> Scenario<2> {
    let duration = 2e-3 * steps as f64;
    let mass = 10_f64.powf(rng.random_range(-1.0..2.0));
    let mut scenario = block(mass, rng.random_range(0.0..1.0), rng.random_range(-2.0..2.0), duration, 2e-3);
    scenario.name = format!("random-{index}");
    if rng.random_bool(0.5) {
        scenario.bodies[0].position[1] = rng.random_range(0.0..0.05);
        scenario.bodies[0].velocity[1] = rng.random_range(-2.0..0.5);
    }
    if rng.random_bool(0.3) {
        scenario.ground.restitution = rng.random_range(0.0..0.9);
    }
    if rng.random_bool(0.2) {
        scenario.ground.slope = rng.random_range(-20.0..20.0);
    }
    for _ in 0..rng.random_range(0..3) {
        let force = [rng.random_range(-8.0..8.0) * mass, rng.random_range(-5.0..12.0) * mass];
        let frequency = rng.random_bool(0.5).then(|| rng.random_range(0.5..10.0));
        scenario.pushes.push(Push {
            frequency,
            to: Some(rng.random_range(0.25..1.5) * duration),
            ..Push::constant(force)
        });
    }
    scenario
}

/// 500 random scenarios of so many steps, by the nonlinear program's given solver.
fn assert_agree_on_random_scenarios(steps: usize, solver: NlpSolverChoice) {
    let mut rng = StdRng::seed_from_u64(51);
    for index in 0..500 {
        let mut scenario = random_scenario(&mut rng, index, steps);
        scenario.steppers.nlp.solver = Some(solver);
        assert_agree(&scenario, StepperName::LCP, 1e-5);
    }
}

#[test]
fn with_the_nonlinear_program_on_500_random_scenarios_of_200_steps() {
    assert_agree_on_random_scenarios(200, NlpSolverChoice::InteriorPoint);
}

#[test]
fn with_the_nonlinear_program_by_ipopt_on_500_random_scenarios_of_20_steps() {
    assert_agree_on_random_scenarios(20, NlpSolverChoice::Ipopt);
}

#[test]
#[ignore = "long: IPOPT's 100,000 steps take 16 s"]
fn with_the_nonlinear_program_by_ipopt_on_500_random_scenarios_of_200_steps() {
    assert_agree_on_random_scenarios(200, NlpSolverChoice::Ipopt);
}

#[test]
fn with_each_other_whatever_the_solver() {
    let mut rng = StdRng::seed_from_u64(52);
    for index in 0..200 {
        let mut scenario = random_scenario(&mut rng, index, 20);
        // `lcp:belbute-peres` does what rebounds at the level of the gap too, where `lcp` by default has it touch first.
        scenario.steppers.impacts = Some(Impacts::TwoStage);
        let reference = run(&scenario, StepperName::LCP);
        let belbute_peres = run(&scenario, StepperName::LCP_BELBUTE_PERES);
        for solver in [LcpSolverChoice::Enumeration, LcpSolverChoice::InteriorPoint] {
            scenario.steppers.lcp.solver = Some(solver);
            let other = run(&scenario, StepperName::LCP);
            for ((a, b), c) in reference.bodies[0]
                .states
                .iter()
                .zip(&other.bodies[0].states)
                .zip(&belbute_peres.bodies[0].states)
            {
                assert!((a.position - b.position).norm() < 1e-10, "{solver:?}: {a:?} {b:?}");
                assert!((a.position - c.position).norm() < 1e-10, "belbute-peres: {a:?} {c:?}");
            }
        }
    }
}
