//! What other ways to choose a coefficient for a solve get wrong, each written out for a mass of 1 kg on a line, beside what ours
//! makes of the same. What they get wrong about a belt and about a rod on its foot stands in `rejected_rules_in_motion`; how many solves
//! iterated coefficients take, in `crates/contact/tests/turning/passes.rs`.

use stickslip::stepper::StepperName;

use crate::friction_laws::{DRY, RIGID, along, crate_on, point};

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

/// The same equation inside a program: which of its answers comes out depends on where the solver starts, on the sliding side or at
/// rest. Of 200 pushes up to what friction of rest holds, those above what friction of motion holds have both. Ours stays at rest
/// under each of them, whichever solver of the program is asked.
#[test]
fn a_coefficient_inside_the_program_has_the_answer_next_to_its_start() {
    let (speed, load) = (0.02 * G * DT, G * DT);
    let excess = |v: f64| {
        let share = (-(v / speed).powi(2)).exp();
        let coefficient = COEFFICIENTS[1] + (COEFFICIENTS[0] - COEFFICIENTS[1]) * share;
        let slope = -2.0 * v / (speed * speed) * (COEFFICIENTS[0] - COEFFICIENTS[1]) * share;
        (v + load * coefficient, 1.0 + load * slope)
    };
    // Newton's method for a speed, that is at rest where it would turn round.
    let from = |start: f64, free: f64| {
        (0..60).fold(start, |v, _| {
            let (value, slope) = excess(v);
            (v - (value - free) / slope).max(0.0)
        })
    };
    let pushes: Vec<f64> =
        (0..200).map(|number| (f64::from(number) + 0.5) / 200.0 * COEFFICIENTS[0]).collect();
    let slides = |start: f64| {
        pushes.iter().filter(|push| from(start * **push * load, **push * load) > 1e-9 * load).count()
    };
    let expected = pushes.iter().filter(|push| **push > COEFFICIENTS[1] + 0.06).count();
    let [at_rest, sliding] = [0.0, 1.0].map(slides);
    assert_eq!(at_rest, 0, "from rest all of them hold");
    assert!(sliding >= expected, "{sliding} of 200 slide from the other side, {expected} expected");
    for solver in ["structured", "ipopt", "interior-point"] {
        for push in pushes.iter().rev().step_by(20) {
            let more = format!(
                "[[push]]\nforce = [{}, 0.0]\nfrom = 0.01\n[stepper.nlp]\nsolver = \"{solver}\"\n",
                push * G
            );
            let law = format!("{DRY}\nstribeck_velocity = {speed}");
            let path = along(&point(0.0, 0.05, &law, &more), StepperName::NLP);
            assert!(path[50][0].abs() < 1e-7, "{solver}, {push}: {:?}", path[50]);
        }
    }
}

/// The same equation where its fall is slow enough not to hold at rest what it lets slide: with v_s = .2 g dt and .4 and .1, pushes
/// from the least friction of a slide, mu(1.088 v_s) + .2 * 1.088 = .4095, to the most just above rest, .4357, have three slides. 6 of
/// 200 pushes up to 2 mu_s lie there, and end as they began. Ours has one answer, that of the number which what was let go gets, and
/// all solvers of the program find it.
#[test]
fn a_coefficient_inside_the_program_has_two_slides_under_one_push() {
    let (at_rest, in_motion, load) = (0.4, 0.1, G * DT);
    let speed = 0.2 * load;
    let share = |v: f64| (-(v / speed).powi(2)).exp();
    let coefficient = |v: f64| in_motion + (at_rest - in_motion) * share(v);
    // What a slide of this speed needs as a push, in loads. It grows, falls and grows again.
    let needed = |v: f64| v / load + coefficient(v);
    let grid: Vec<f64> = (0..=8000).map(|k| f64::from(k) * 1e-4 * load).collect();
    let first_above = |push: f64| grid.iter().copied().find(|v| needed(*v) > push);
    let last_below = |push: f64| grid.iter().copied().rfind(|v| needed(*v) < push);
    let pushes: Vec<f64> = (0..200).map(|number| (f64::from(number) + 0.5) / 200.0 * 2.0 * at_rest).collect();
    let disputed: Vec<f64> = pushes
        .into_iter()
        .filter(|push| *push > at_rest)
        .filter(|push| match (first_above(*push), last_below(*push)) {
            (Some(slow), Some(fast)) => fast > slow + 0.05 * load,
            _ => false,
        })
        .collect();
    assert!((6..=7).contains(&disputed.len()), "{disputed:?}");
    for push in disputed {
        let released = (push - at_rest) * load;
        let expected = (push - coefficient(released)) * load;
        for solver in ["structured", "ipopt", "interior-point"] {
            let more = format!(
                "[[push]]\nforce = [{}, 0.0]\nfrom = 0.01\n[stepper.nlp]\nsolver = \"{solver}\"\n",
                push * G
            );
            let law =
                format!("friction = {at_rest}\nkinetic_friction = {in_motion}\nstribeck_velocity = {speed}");
            let path = along(&point(0.0, 0.02, &law, &more), StepperName::NLP);
            assert!(
                (path[11][1] - expected).abs() < 1e-6 * load,
                "{solver}, {push}: {:?}, {expected}",
                path[11]
            );
        }
    }
}

/// Rest first, whatever slid before: an impact sticks where its slip is up to mu_s of its approach, though what slides into it has
/// mu_k and leaves it sliding, at v_t - mu_k v_n. Ours goes by the slip before the impact.
#[test]
fn rest_tried_first_sticks_in_impacts_that_slide() {
    let approach = 3.0;
    for share in [0.27, 0.35, 0.4] {
        let slip = share * approach;
        let rest_first =
            if slip <= COEFFICIENTS[0] * approach { 0.0 } else { slip - COEFFICIENTS[1] * approach };
        let slides_on = slip - COEFFICIENTS[1] * approach;
        assert!(rest_first == 0.0 && slides_on > 0.05, "{share}");
        for name in RIGID {
            let mut scenario = point(slip, 0.01, DRY, "");
            scenario.bodies[0].velocity[1] = -approach;
            scenario.bodies[0].position[1] = 0.1 * DT * approach;
            let after = along(&scenario, name)[2][1];
            // The weight takes mu_k g dt of it in each of two steps.
            assert!((after - slides_on).abs() < 3.0 * COEFFICIENTS[1] * G * DT, "{name}, {share}: {after}");
        }
    }
}
