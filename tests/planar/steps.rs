//! One step: against the reference problems.

use stickslip::{
    contact::ContactModel,
    world::{Impacts, TimeStepper, planar::Twist},
};

use crate::{
    data,
    stepping::{cone, lcp},
};

/// Largest difference of the velocities after a reference step, relative to the largest velocity or that
/// of free fall in a step.
fn difference(step: &data::ReferenceStep, model: Box<dyn ContactModel<2, 3>>, impacts: Impacts) -> f64 {
    let mut stepper = TimeStepper::new(model, impacts);
    let mut motion = step.scene.initial_motion();
    let forces = vec![Twist::zeros(); step.scene.bodies.len()];
    stepper.step(&step.scene, &mut motion, &forces, step.dt).unwrap();
    for (index, (contact, bias)) in stepper.problem().contact.contacts.iter().zip(&step.bias).enumerate() {
        assert!((contact.bias - bias).abs() < 1e-12, "{} {index}: {} {bias}", step.kind, contact.bias);
    }
    let unit = step.velocity.amax().max(step.dt * 9.81);
    let differences = motion
        .velocities
        .iter()
        .enumerate()
        .map(|(body, velocity)| (velocity - step.velocity.fixed_rows::<3>(3 * body)).amax() / unit);
    differences.fold(0.0, f64::max)
}

#[test]
fn complementarity_gives_the_velocities_of_the_reference() {
    for step in data::steps() {
        for impacts in [Impacts::OneStage, Impacts::TwoStage] {
            let difference = difference(&step, lcp(), impacts);
            assert!(difference < 1e-12, "{} {impacts:?}: {difference:e}", step.kind);
        }
    }
}

#[test]
fn the_exact_cone_gives_the_velocities_of_the_reference() {
    for step in data::steps() {
        let difference = difference(&step, cone(), Impacts::OneStage);
        assert!(difference < 1e-5, "{}: {difference:e}", step.kind);
    }
}
