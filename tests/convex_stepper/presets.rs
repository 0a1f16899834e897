//! The default scales with mass, gravity, step and speed; the published parameters are a choice by name.

use stickslip::{
    metrics::max_error,
    scenario::{Body, ConvexSettings, Ground, Scenario, Shape},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
};

use crate::run;

/// A scenario with everything at its default but what it is about.
fn scenario(mass: f64, step: f64, position: [f64; 2], velocity: [f64; 2], ground: Ground) -> Scenario<2> {
    Scenario {
        duration: 2.0,
        step,
        bodies: vec![Body::point(mass, position, velocity)],
        ground,
        ..Scenario::new("scaled")
    }
}

/// The largest distance from the exact motion in m.
fn error(scenario: &Scenario<2>) -> f64 {
    let mut exact = scenario.stepper(StepperName::EXACT).expect("admitted");
    max_error(run(scenario).track(0), simulate(scenario, exact.as_mut()).track(0)).norm()
}

/// Ordinary scenarios by name, with the largest speed in them in m/s.
fn ordinary(mass: f64, step: f64) -> Vec<(&'static str, Scenario<2>, f64)> {
    let ground = |friction, slope| Ground { friction, slope, ..Ground::default() };
    let new = |position, velocity, ground| scenario(mass, step, position, velocity, ground);
    vec![
        ("thrown", new([0.0, 1.0], [1.0, 0.0], ground(0.1, 0.0)), 4.5),
        ("dropped from 5 m", new([0.0, 5.0], [0.0, 0.0], ground(0.5, 0.0)), 9.9),
        ("braking from 30 m/s", new([0.0, 0.0], [30.0, 0.0], ground(0.12, 0.0)), 30.0),
        ("braking hard from 30 m/s", new([0.0, 0.0], [30.0, 0.0], ground(0.8, 0.0)), 30.0),
        ("sliding down a slope", new([0.0, 0.0], [0.0, 0.0], ground(0.3, 30.0)), 5.0),
        ("at rest on a slope", new([0.0, 0.0], [0.0, 0.0], ground(0.5, 20.0)), 0.1),
        ("thrown at a slope", new([0.0, 0.5], [2.0, 0.0], ground(0.3, 10.0)), 4.0),
        ("thrown low and fast", new([0.0, 0.1], [30.0, 0.0], ground(0.3, 0.0)), 30.0),
    ]
}

#[test]
fn ordinary_scenarios_of_any_mass_and_step_are_off_by_a_few_steps_of_motion() {
    for mass in [1e-3, 1.0, 10.0, 1e4] {
        for step in [1e-4, 1e-3, 1e-2] {
            for (name, scenario, speed) in ordinary(mass, step) {
                let (error, bound) = (error(&scenario), 1.3 * step * speed + 1e-5);
                assert!(error <= bound, "{name}, {mass} kg, {step} s: {error} m, more than {bound}");
            }
        }
    }
}

#[test]
fn the_published_parameters_do_not_do_that() {
    let off = |name: &str, mass, step| {
        let (_, mut scenario, _) = ordinary(mass, step).into_iter().find(|(one, ..)| *one == name).unwrap();
        scenario.steppers.convex = ConvexSettings::PUBLISHED;
        error(&scenario)
    };
    assert!(off("braking from 30 m/s", 10.0, 1e-3) > 0.5, "it hops");
    assert!(off("dropped from 5 m", 1e4, 1e-3) > 0.05, "it sinks in");
}

#[test]
fn gravity_sets_no_scale_of_its_own() {
    for gravity in [1.6, 25.0] {
        let (name, mut scenario, speed) = ordinary(1.0, 1e-3).remove(0);
        scenario.gravity = gravity;
        assert!(error(&scenario) <= 2.0 * 1.3e-3 * speed, "{name} under {gravity} m/s^2");
    }
}

#[test]
fn presets_are_chosen_by_name_and_single_settings_depart_from_them() {
    let settings = |lines: &str| {
        let text = format!(
            "name = \"presets\"\nduration = 1.0\nstep = 1e-3\n[particle]\nmass = 10.0\nposition = [0.0, 0.0]\n\
             velocity = [0.0, 0.0]\n[ground]\nfriction = 0.5\n[stepper.convex]\n{lines}\n"
        );
        match text.parse::<Scenario<2>>() {
            Ok(scenario) => Ok(scenario.steppers.convex),
            Err(error) => Err(error.to_string()),
        }
    };
    assert_eq!(settings(""), Ok(ConvexSettings::default()));
    assert_eq!(settings("preset = \"scaled\""), Ok(ConvexSettings::default()));
    assert_eq!(settings("preset = \"published\""), Ok(ConvexSettings::PUBLISHED));
    assert_eq!(
        settings("preset = \"published\"\nsigma = 1e-4"),
        Ok(ConvexSettings { sigma: 1e-4, ..ConvexSettings::PUBLISHED })
    );
    assert!(settings("preset = \"drake\"").is_err());
    let no_ground = settings("beta = 0.0").expect_err("no regularisation and no stiffness is no ground");
    assert!(no_ground.contains("stepper.convex.beta"), "{no_ground}");
    assert!(settings("beta = 0.0\nstiffness = 1e6").is_ok());
}

/// What a box does depends on no mass alone, however light it is.
#[test]
fn a_box_slides_and_stops_alike_whatever_it_weighs() {
    let run_of = |mass: f64| {
        let shape = Shape::Box { size: [0.1, 0.1].into() };
        let body = Body { shape, ..Body::point(mass, [0.0, 0.05], [0.5, 0.0]) };
        let ground = Ground { friction: 0.5, ..Ground::default() };
        let scenario = Scenario { duration: 0.2, bodies: vec![body], ground, ..Scenario::new("light") };
        run(&scenario).final_state(0)
    };
    let ordinary = run_of(1.0);
    for mass in [1e-12, 1e-9, 1e6] {
        let end = run_of(mass);
        let apart = (end.position - ordinary.position).norm() + (end.velocity - ordinary.velocity).norm();
        assert!(apart < 1e-6, "{mass} kg: {apart}");
    }
}
