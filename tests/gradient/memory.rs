//! What a gradient takes: nothing per step forward, the states backward.

use stickslip::{
    gradient::{DerivativeRule, GradientOptions, Input, Steps, tangents},
    scenario::Scenario,
    stepper::StepperName,
    watch::Watch,
};

use crate::{
    counting_allocator::{allocations, peak_bytes},
    support::{corrected, divided, reference, stepper},
};

const STEPS: usize = 100_000;
/// Bytes that a gradient over so many steps may take.
const MOST: isize = 10_000_000;

/// The scenario over so many steps; it bounces, slides and stops within the first of them.
fn over<const D: usize>(scenario: &Scenario<D>, steps: usize) -> Scenario<D> {
    Scenario { duration: steps as f64 * scenario.step, ..scenario.clone() }
}

#[test]
fn tangents_allocate_nothing_per_step() {
    let scenario = reference("bounce-rest");
    let inputs = Input::of(&scenario);
    let calls = |name: &str, steps: usize| {
        let scenario = over(&scenario, steps);
        let stepped = match name {
            "corrected" => corrected(&scenario, "lcp"),
            "divided" => divided(&scenario, "lcp"),
            name => stepper(&scenario, name),
        };
        let options = GradientOptions { kinks: true, ..GradientOptions::of(&scenario) };
        allocations(|| {
            stepped.tangents(&inputs, &options, &Watch::none()).unwrap();
        })
    };
    for name in ["lcp", "lcp:anitescu", "convex", "hybrid", "corrected", "divided"] {
        // Long enough for every branch of a step to have been met.
        let (few, many) = (calls(name, 3000), calls(name, 6000));
        assert_eq!(few, many, "{name}");
    }
}

#[test]
fn tangents_over_the_plane_allocate_nothing_per_step() {
    let mut scenario = Scenario::<3>::new("over-plane");
    scenario.ground.friction = 0.3;
    scenario.bodies[0].position = [0.0, 0.0, 0.1].into();
    scenario.bodies[0].velocity = [2.0, 0.6, 0.0].into();
    let inputs = Input::of(&scenario);
    let calls = |name: StepperName, steps: usize| {
        let scenario = over(&scenario, steps);
        let (steps, raw) = (Steps::by(name), DerivativeRule::Raw);
        let options = GradientOptions { kinks: true, ..GradientOptions::of(&scenario) };
        allocations(|| {
            tangents(&scenario, steps, raw, &inputs, &options, &Watch::none()).unwrap();
        })
    };
    for name in [StepperName::LCP_POLYHEDRAL, StepperName::CONVEX, StepperName::HYBRID] {
        // Long enough for every branch of a step to have been met.
        let (few, many) = (calls(name, 3000), calls(name, 6000));
        assert_eq!(few, many, "{name}");
    }
}

#[test]
fn gradients_over_a_hundred_thousand_steps_take_ten_megabytes() {
    let scenario = over(&reference("bounce-rest"), STEPS);
    let inputs = Input::of(&scenario);
    let options = GradientOptions::of(&scenario);
    let stepped = stepper(&scenario, "lcp");
    let forward = peak_bytes(|| {
        stepped.tangents(&inputs, &options, &Watch::none()).unwrap();
    });
    let backward = peak_bytes(|| {
        stepped.adjoint(&inputs, &[1.0], &options, &Watch::none()).unwrap();
    });
    println!("{forward} bytes forward, {backward} backward");
    assert!(forward < 100_000, "{forward}");
    // The states are there: what is measured is the way back.
    assert!(backward > 32 * STEPS as isize && backward < MOST, "{backward}");
}
