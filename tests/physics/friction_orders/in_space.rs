//! Balls that roll, slide and spin on a plane, and a point on friction that differs across an axis.

use stickslip::{
    model::Orientation,
    scenario::{AnyScenario, Scenario, parse_scenario},
    stepper::StepperName,
};

use super::{ALL, Row, STEPPING, at, path, row, stop, truth};
use crate::run;

fn space(text: &str) -> Scenario<3> {
    match parse_scenario("orders.toml", text, &[]) {
        Ok(AnyScenario::OverPlane(scenario)) => scenario,
        other => panic!("{text}: {other:?}"),
    }
}

/// A ball of 1 kg and 0.1 m on this ground, that spins about y and z.
fn ball(velocity: f64, spin: [f64; 2], duration: f64, step: f64, ground: &str) -> Scenario<3> {
    space(&format!(
        "name = \"ball\"\nduration = {duration}\nstep = {step}\n[[body]]\nshape = \"sphere\"\nsize = 0.1\nmass = 1.0\n\
         position = [0.0, 0.0, 0.1]\nvelocity = [{velocity}, 0.0, 0.0]\nspin = [0.0, {}, {}]\n[ground]\n{ground}\n",
        spin[0], spin[1]
    ))
}

/// How fast it spins about the vertical in the axes of the world, after each step.
fn drilling(scenario: &Scenario<3>, name: StepperName) -> Vec<[f64; 2]> {
    let attitudes = &run(scenario, name).bodies[0].attitudes;
    let about_the_vertical = attitudes.iter().map(|own| match own.orientation {
        Orientation::Quaternion(turn) => (turn * own.spin)[2],
        Orientation::Angle(_) => panic!("in the plane"),
    });
    about_the_vertical.map(|spin| [0.0, spin]).collect()
}

pub(super) fn rows() -> Vec<Row> {
    const ROLLING: &str = "friction = 0.5\nrolling_friction = 0.002";
    let slope = 2.0 * 1.145_763_f64.to_radians().tan();
    let down = move || format!("{ROLLING}\nslope = {}", slope.atan().to_degrees());
    let coupled = || format!("friction = 0.3\ntorsional_friction = {}", 0.03 * 1.4_f64.sqrt());
    vec![
        row(
            "ball rolls out",
            &ALL,
            vec![truth("t", 3.567_788, 2e-3), truth("x", 0.891_947, 1e-3)],
            |name, step| stop(&path(&ball(0.5, [5.0, 0.0], 4.0, step, ROLLING), name), step),
        ),
        row("ball down twice its angle", &ALL, vec![truth("v", 0.140_031, 1e-3)], move |name, step| {
            let moved = path(&ball(0.0, [0.0, 0.0], 1.0, step, &down()), name);
            vec![moved[moved.len() - 1][1]]
        }),
        row("ball slides, then rolls", &ALL, vec![truth("x", 1.834_862, 2e-3)], |name, step| {
            let ground = "friction = 0.3\nrolling_friction = 0.002";
            vec![stop(&path(&ball(1.0, [0.0, 0.0], 5.5, step, ground), name), step)[1]]
        }),
        row("ball spins on the spot", &ALL, vec![truth("t", 1.630_989, 2e-3)], |name, step| {
            let ground = "friction = 0.3\ntorsional_friction = 0.005";
            vec![stop(&drilling(&ball(0.0, [0.0, 20.0], 1.8, step, ground), name), step)[0]]
        }),
        row(
            "ball slides and drills",
            STEPPING,
            vec![truth("t", 0.249_410, 2e-3), truth("x", 0.213_780, 2e-3)],
            move |name, step| {
                let scenario = ball(1.0, [0.0, 20.0], 0.4, step, &coupled());
                let moved = path(&scenario, name);
                vec![stop(&drilling(&scenario, name), step)[0], at(&moved, 0.249_410, step)[0]]
            },
        ),
        row(
            "point, 0.2 along and 0.4 across",
            STEPPING,
            vec![truth("x", 0.347_649, 2e-3), truth("y", 0.167_073, 2e-3)],
            |name, step| {
                let moved = run(
                    &space(&format!(
                        "name = \"point\"\nduration = 0.7\nstep = {step}\n[particle]\nmass = 1.0\n\
                         position = [0.0, 0.0, 0.0]\nvelocity = [1.0, 1.0, 0.0]\n[ground]\nfriction = 0.2\n\
                         friction_across = 0.4\n"
                    )),
                    name,
                );
                let states = &moved.bodies[0].states;
                let end = states[states.len() - 1].position;
                vec![end[0], end[1]]
            },
        ),
    ]
}
