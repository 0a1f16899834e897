//! Laws of friction against closed forms in steps of 1 ms and of a tenth of that, by every model that takes them: all is of first
//! order, so that what is allowed falls with the step.

use stickslip::{
    scenario::{AnyScenario, Scenario, parse_scenario},
    stepper::{BuildStepper, StepperName},
    trajectory::Trajectory,
};

use crate::run;

const RIGID: [StepperName; 4] =
    [StepperName::NLP, StepperName::LCP, StepperName::LCP_ANITESCU, StepperName::CONE];
const ALL: [StepperName; 6] = [
    StepperName::NLP,
    StepperName::LCP,
    StepperName::LCP_ANITESCU,
    StepperName::CONE,
    StepperName::CONVEX,
    StepperName::SMOOTH,
];

/// A motion with numbers that are known.
struct Row<const D: usize> {
    name: &'static str,
    /// Without its step.
    scene: String,
    models: &'static [StepperName],
    /// Of the trajectory in steps of this length: what it is called, the value, the truth, and what it may be off by in steps of
    /// 1 ms.
    measure: fn(&Trajectory<D>, f64) -> Vec<(&'static str, f64, f64, f64)>,
}

/// Runs the rows in both steps, tells how far each is off and of which order that is, and holds it to its limit.
fn check<const D: usize>(rows: &[Row<D>], read: fn(&str) -> Scenario<D>)
where
    Scenario<D>: BuildStepper<D>,
{
    const STEPS: [f64; 2] = [1e-3, 1e-4];
    for row in rows {
        for &name in row.models {
            let measured = STEPS.map(|step| {
                let scenario = read(&format!("step = {step}\n{}", row.scene));
                (row.measure)(&run(&scenario, name), step)
            });
            let [coarse, fine] = &measured;
            for (coarse, fine) in coarse.iter().zip(fine) {
                let (what, truth, limit) = (coarse.0, coarse.2, coarse.3);
                let off = [coarse.1, fine.1].map(|value| (value - truth).abs());
                let order = (off[0] / off[1].max(f64::MIN_POSITIVE)).log10();
                let name_of_row = row.name;
                eprintln!(
                    "{name_of_row:14} {:13} {what:6} {truth:10.6} {:10.2e} {:10.2e} {order:6.2}",
                    name.to_string(),
                    off[0],
                    off[1]
                );
                for (off, step) in off.into_iter().zip(STEPS) {
                    assert!(
                        off <= limit * step / STEPS[0],
                        "{name_of_row}, {name}, {what}: off by {off:e} in steps of {step}"
                    );
                }
            }
        }
    }
}

fn plane(text: &str) -> Scenario<2> {
    match parse_scenario("orders.toml", text, &[]) {
        Ok(AnyScenario::InPlane(scenario)) => scenario,
        other => panic!("{text}: {other:?}"),
    }
}

fn space(text: &str) -> Scenario<3> {
    match parse_scenario("orders.toml", text, &[]) {
        Ok(AnyScenario::OverPlane(scenario)) => scenario,
        other => panic!("{text}: {other:?}"),
    }
}

/// A box of 1 kg on level ground.
fn sliding(velocity: f64, duration: f64, ground: &str) -> String {
    format!(
        "name = \"law\"\nduration = {duration}\n[[body]]\nshape = \"box\"\nsize = [0.4, 0.1]\nmass = 1.0\n\
         position = [0.0, 0.05]\nvelocity = [{velocity}, 0.0]\n[ground]\n{ground}\n"
    )
}

/// When it comes to rest for good, and how far.
fn stop<const D: usize>(moved: &Trajectory<D>, step: f64) -> [f64; 2] {
    let states = &moved.bodies[0].states;
    let last = states.iter().rposition(|state| state.velocity[0].abs() > 1e-3).expect("it moves");
    [(last + 1) as f64 * step, states[states.len() - 1].position[0]]
}

#[test]
fn slides_in_the_plane_are_of_first_order() {
    let ramp = "[[push]]\ntable = [[0.0, 0.0, 0.0], [4.0, 8.0, 0.0]]\n";
    let rows = [
        Row {
            name: "short push",
            scene: sliding(
                0.0,
                1.2,
                "friction = 0.4\nkinetic_friction = 0.25\n[[push]]\nforce = [4.5, 0.0]\nto = 0.5",
            ),
            models: &RIGID,
            measure: |moved, step| {
                let [time, place] = stop(moved, step);
                vec![("t", time, 0.917_431, 4e-3), ("x", place, 0.469_610, 2.5e-3)]
            },
        },
        Row {
            name: "growing push",
            scene: sliding(0.0, 3.0, &format!("friction = 0.4\nkinetic_friction = 0.25\n{ramp}")),
            models: &RIGID,
            measure: |moved, step| {
                let speed = moved.bodies[0].states[(2.962 / step).round() as usize].velocity[0];
                vec![("v", speed, 2.4715, 6e-3)]
            },
        },
        Row {
            name: "Stribeck",
            scene: sliding(1.0, 0.6, "friction = 0.4\nkinetic_friction = 0.25\nstribeck_velocity = 0.1"),
            models: &RIGID,
            measure: |moved, step| {
                let [time, place] = stop(moved, step);
                vec![("t", time, 0.392_286, 3e-3), ("x", place, 0.202_915, 1.2e-3)]
            },
        },
        Row {
            name: "viscous",
            scene: sliding(2.0, 0.6, "friction = 0.2\nviscous_friction = 0.5"),
            models: &RIGID,
            measure: |moved, step| {
                let [time, place] = stop(moved, step);
                vec![("t", time, 0.365_292, 4e-3), ("x", place, 0.261_630, 2.5e-3)]
            },
        },
        Row {
            name: "up a slope",
            scene: sliding(-1.0, 0.4, "friction = 0.4\nkinetic_friction = 0.25\nslope = 20.0"),
            models: &RIGID,
            measure: |moved, step| {
                let [time, place] = stop(moved, step);
                vec![("t", time, 0.176_684, 2e-3), ("x", place, -0.088_342, 1e-3)]
            },
        },
        Row {
            name: "disc",
            scene: "name = \"disc\"\nduration = 4.0\n[[body]]\nshape = \"disc\"\nsize = 0.1\nmass = 1.0\n\
                    position = [0.0, 0.1]\nvelocity = [0.5, 0.0]\nspin = -5.0\n[ground]\nfriction = 0.5\n\
                    rolling_friction = 0.002\n"
                .to_owned(),
            models: &ALL,
            measure: |moved, _| vec![("x", stop(moved, 1.0)[1], 0.955_657, 1e-3)],
        },
    ];
    check(&rows, plane);
}

/// A ball of 1 kg and 0.1 m on level ground.
fn ball(velocity: f64, spin: [f64; 2], duration: f64, ground: &str) -> String {
    format!(
        "name = \"ball\"\nduration = {duration}\n[[body]]\nshape = \"sphere\"\nsize = 0.1\nmass = 1.0\n\
         position = [0.0, 0.0, 0.1]\nvelocity = [{velocity}, 0.0, 0.0]\nspin = [0.0, {}, {}]\n[ground]\n{ground}\n",
        spin[0], spin[1]
    )
}

#[test]
fn balls_and_points_in_space_are_of_first_order() {
    let coupled = format!("friction = 0.3\ntorsional_friction = {}", 0.03 * 1.4_f64.sqrt());
    let rows = [
        Row {
            name: "rolls out",
            scene: ball(0.5, [5.0, 0.0], 4.0, "friction = 0.5\nrolling_friction = 0.002"),
            models: &ALL,
            measure: |moved, _| vec![("x", stop(moved, 1.0)[1], 0.891_947, 1e-3)],
        },
        Row {
            name: "slides, rolls",
            scene: ball(1.0, [0.0, 0.0], 5.5, "friction = 0.3\nrolling_friction = 0.002"),
            models: &RIGID,
            measure: |moved, _| vec![("x", stop(moved, 1.0)[1], 1.834_862, 1.5e-3)],
        },
        Row {
            name: "spins down",
            scene: ball(0.0, [0.0, 20.0], 1.8, "friction = 0.3\ntorsional_friction = 0.005"),
            models: &RIGID,
            measure: |moved, step| {
                let attitudes = &moved.bodies[0].attitudes;
                let last = attitudes.iter().rposition(|own| own.spin[2].abs() > 1e-3).expect("it spins");
                vec![("t", (last + 1) as f64 * step, 1.630_989, 2e-3)]
            },
        },
        Row {
            name: "slides, drills",
            scene: ball(1.0, [0.0, 20.0], 0.4, &coupled),
            models: &[StepperName::NLP, StepperName::CONE],
            measure: |moved, step| {
                let attitudes = &moved.bodies[0].attitudes;
                let vertical = |k: usize| match attitudes[k].orientation {
                    stickslip::model::Orientation::Quaternion(turn) => (turn * attitudes[k].spin)[2],
                    stickslip::model::Orientation::Angle(_) => 0.0,
                };
                let last = (0..attitudes.len()).rposition(|k| vertical(k) > 2e-2).expect("it spins");
                let x = moved.bodies[0].states[(0.249_410 / step).round() as usize].position[0];
                vec![("t", (last + 1) as f64 * step, 0.249_410, 2e-3), ("x", x, 0.213_780, 2e-3)]
            },
        },
        Row {
            name: "across",
            scene: "name = \"point\"\nduration = 0.7\n[particle]\nmass = 1.0\nposition = [0.0, 0.0, 0.0]\n\
                    velocity = [1.0, 1.0, 0.0]\n[ground]\nfriction = 0.2\nfriction_across = 0.4\n"
                .to_owned(),
            models: &[StepperName::NLP, StepperName::CONE],
            measure: |moved, _| {
                let end = moved.bodies[0].states[moved.bodies[0].states.len() - 1].position;
                vec![("x", end[0], 0.347_649, 2e-3), ("y", end[1], 0.167_073, 2e-3)]
            },
        },
    ];
    check(&rows, space);
}
