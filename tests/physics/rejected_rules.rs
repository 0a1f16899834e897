//! What other ways to choose a coefficient for a solve get wrong, each written out for a mass of 1 kg on a line, beside what ours
//! makes of the same. Two more stand in `friction_laws`: rest tried first would have an impact stick that slides on, and without a
//! zone of rest a rod on its foot would slip a hundredth of a second early.

use crate::friction_laws::{DRY, RIGID, along, crate_on};

const G: f64 = 9.81;
const DT: f64 = 1e-3;
/// At rest and in motion.
const COEFFICIENTS: [f64; 2] = [0.4, 0.25];

/// The velocity after a step in which friction of the coefficient `mu` acts under the load of the weight on a slope.
fn after(velocity: f64, pull: f64, mu: f64, cos: f64) -> f64 {
    let free = velocity + pull * DT;
    free.signum() * (free.abs() - mu * G * cos * DT).max(0.0)
}

/// Thrown up a slope on which the friction of rest holds it and that of motion does not, it stops and stays. A coefficient by the
/// slip of the step before misses the rest: whenever a step ends with the slip turned round, it slides back down. In theory that
/// happens in (tan - mu_k)/(tan + mu_k) of all phases of the step.
#[test]
fn a_coefficient_of_the_step_before_misses_rest() {
    let tan = 0.32_f64;
    let (sin, cos) = tan.atan().sin_cos();
    let slides_back = |speed: f64| {
        let mut velocity = -speed;
        for _ in 0..400 {
            let mu = if velocity == 0.0 { COEFFICIENTS[0] } else { COEFFICIENTS[1] };
            velocity = after(velocity, G * sin, mu, cos);
        }
        velocity > 0.1
    };
    let speeds: Vec<f64> = (0..400).map(|phase| 1.0 + f64::from(phase) * 1.4e-5).collect();
    let missed = speeds.iter().filter(|speed| slides_back(**speed)).count();
    let expected = 400.0 * (tan - COEFFICIENTS[1]) / (tan + COEFFICIENTS[1]);
    assert!((missed as f64 - expected).abs() < 12.0, "{missed} of 400, {expected} expected");
    let slope = format!("{DRY}\nslope = {}", tan.atan().to_degrees());
    let caught: Vec<f64> = speeds.iter().copied().filter(|speed| slides_back(*speed)).step_by(6).collect();
    for name in RIGID {
        for speed in &caught {
            let path = along(&crate_on(-speed, 0.4, &slope, ""), name);
            assert!(path[400][1].abs() < 1e-6, "{name} stays at any phase: {speed}, {:?}", path[400]);
        }
    }
}

/// The coefficient of the slip in the end of the step: with `a = N dt/m` its equation `v = v_f - a mu(v)` has three answers where
/// `1 + a mu'(v) < 0`, and the middle one never sticks. Ours has one, that of the number it solves with.
#[test]
fn a_coefficient_of_the_end_of_the_step_has_three_answers() {
    let (speed, load) = (0.02 * G * DT, G * DT);
    let coefficient =
        |v: f64| COEFFICIENTS[1] + (COEFFICIENTS[0] - COEFFICIENTS[1]) * (-(v / speed).powi(2)).exp();
    // Just below what holds at rest.
    let free = 0.99 * COEFFICIENTS[0] * load;
    let excess = |v: f64| v + load * coefficient(v) - free;
    let grid: Vec<f64> = (0..=20_000).map(|k| f64::from(k) * 1e-5 * load).collect();
    let crossings = grid.windows(2).filter(|pair| (excess(pair[0]) < 0.0) != (excess(pair[1]) < 0.0)).count();
    // With sticking, which needs no more than the friction of rest, there are three.
    assert_eq!(crossings, 2, "two slides");
    assert!(free <= COEFFICIENTS[0] * load, "and rest");
    for name in RIGID {
        let law = format!("{DRY}\nstribeck_velocity = {speed}");
        let push = format!("[[push]]\nforce = [{}, 0.0]\nfrom = 0.05\n", free / DT);
        let path = along(&crate_on(0.0, 0.3, &law, &push), name);
        assert!(path[300][0].abs() < 1e-6, "{name} holds what the friction of rest holds: {:?}", path[300]);
    }
}
