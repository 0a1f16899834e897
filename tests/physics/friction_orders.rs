//! The laws of friction against closed forms in steps of 1 ms and of a tenth of that, by every model that takes them. Rigid models are
//! of first order in all of it, so that what a value may be off by falls with the step; models that let creep what sticks break away from
//! what pulls ever harder with the root of the step. The table in `docs/friction.md` is printed by
//!
//! ```sh
//! cargo test --release --test physics friction_orders -- --ignored --nocapture
//! ```

use stickslip::{
    model::Orientation,
    scenario::{AnyScenario, Scenario, parse_scenario},
    stepper::StepperName,
};

use crate::{
    GRAVITY, OF_GROUPED_FRICTION,
    belt::{STIFFNESS, STRIBECK, belt, cycle},
    friction_laws::{DRY, angle_of, crate_on, point, scenario},
    run,
};

const STEPS: [f64; 2] = [1e-3, 1e-4];
/// Those that hold what sticks.
const RIGID: &[StepperName] =
    &[StepperName::NLP, StepperName::LCP, StepperName::LCP_ANITESCU, StepperName::CONE];
const CONVEX: &[StepperName] = &[StepperName::CONVEX];
const SMOOTH: &[StepperName] = &[StepperName::SMOOTH];
/// Those that let creep what sticks.
const CREEPING: &[StepperName] = &[StepperName::CONVEX, StepperName::SMOOTH];
const EXACT: &[StepperName] = &[StepperName::EXACT];
/// The columns of the table.
const COLUMNS: [&[StepperName]; 4] = [RIGID, CONVEX, SMOOTH, EXACT];
static RIGID_AND_EXACT: [StepperName; 5] = {
    let [a, b, c, d] = crate::friction_laws::RIGID;
    [a, b, c, d, StepperName::EXACT]
};
/// All models that take what resists turning.
static ALL: [StepperName; 7] = {
    let [a, b, c, d, e, f] = OF_GROUPED_FRICTION;
    [a, b, c, d, e, f, StepperName::EXACT]
};
const STEPPING: &[StepperName] = &OF_GROUPED_FRICTION;

/// A value that is known, and what it may be off by in steps of 1 ms.
struct Truth {
    what: &'static str,
    value: f64,
    limit: f64,
}

/// A motion with values that are known.
struct Row {
    name: &'static str,
    truths: Vec<Truth>,
    models: &'static [StepperName],
    /// How what a value may be off by falls with the step.
    order: f64,
    /// The values by a model in steps of some length.
    measure: Box<dyn Fn(StepperName, f64) -> Vec<f64> + Sync>,
}

fn truth(what: &'static str, value: f64, limit: f64) -> Truth {
    Truth { what, value, limit }
}

fn row(
    name: &'static str,
    models: &'static [StepperName],
    truths: Vec<Truth>,
    measure: impl Fn(StepperName, f64) -> Vec<f64> + Sync + 'static,
) -> Row {
    Row { name, truths, models, order: 1.0, measure: Box::new(measure) }
}

/// The same motion by models that break away with the root of the step.
fn creeping(row: Row, models: &'static [StepperName]) -> Row {
    Row { models, order: 0.5, ..row }
}

/// Place and velocity along the ground of the first body after each step.
fn path<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Vec<[f64; 2]>
where
    Scenario<D>: stickslip::stepper::BuildStepper<D>,
{
    run(scenario, name).bodies[0].states.iter().map(|state| [state.position[0], state.velocity[0]]).collect()
}

/// When and where what slides or rolls comes to rest for good. Between the last two speeds above 2 mm/s it slows down evenly, and
/// so it is taken to go on.
fn stop(path: &[[f64; 2]], step: f64) -> Vec<f64> {
    let last = path.iter().rposition(|[_, speed]| speed.abs() > 2e-3).expect("it moves");
    let [before, speed] = [path[last - 1][1], path[last][1]].map(f64::abs);
    vec![(last as f64 + speed / (before - speed)) * step, path[path.len() - 1][0]]
}

fn at(path: &[[f64; 2]], time: f64, step: f64) -> [f64; 2] {
    path[(time / step).round() as usize]
}

/// A mass on a belt that sticks at first: period and half the range of its cycle, in steps of 1 ms to 12 ms and 2 %.
fn dry_belt([at_rest, in_motion]: [f64; 2], [period, amplitude]: [f64; 2]) -> Row {
    let name = if at_rest == 0.4 { "belt, 0.4 and 0.25" } else { "belt, 0.5 and 0.1" };
    let truths = vec![truth("T", period, 12e-3), truth("A", amplitude, 0.02 * amplitude)];
    row(name, RIGID, truths, move |name, step| {
        let law = format!("friction = {at_rest}\nkinetic_friction = {in_motion}");
        let middle = in_motion * GRAVITY / STIFFNESS;
        cycle(&path(&belt(&law, 0.1, [0.0, 0.1], 6.0, step), name), middle, step).to_vec()
    })
}

/// The same under friction that falls with the slip and grows again.
fn stribeck_belt(
    name: &'static str,
    speed: f64,
    [period, amplitude]: [f64; 2],
    models: &'static [StepperName],
) -> Row {
    let truths = vec![truth("T", period, 6e-3), truth("A", amplitude, 0.02 * amplitude)];
    row(name, models, truths, move |name, step| {
        cycle(&path(&belt(STRIBECK, speed, [0.0, speed], 6.0, step), name), 0.0275, step).to_vec()
    })
}

/// Its speed one second after it should have broken away, at 1.962 s.
fn growing_push(limit: f64) -> Row {
    row("pushed by 2 N/s", RIGID, vec![truth("v", 2.4715, limit)], |name, step| {
        let ramp = "[[push]]\ntable = [[0.0, 0.0, 0.0], [4.0, 8.0, 0.0]]\n";
        let pushed = Scenario { step, ..crate_on(0.0, 3.0, DRY, ramp) };
        vec![at(&path(&pushed, name), 2.962, step)[1]]
    })
}

fn in_the_plane() -> Vec<Row> {
    let with = |step: f64, scenario: Scenario<2>| Scenario { step, ..scenario };
    vec![
        dry_belt([0.4, 0.25], [0.727_837, 0.017_791]),
        creeping(dry_belt([0.4, 0.25], [0.727_837, 0.017_791]), CREEPING),
        dry_belt([0.5, 0.1], [1.148_865, 0.040_494]),
        creeping(dry_belt([0.5, 0.1], [1.148_865, 0.040_494]), SMOOTH),
        stribeck_belt("belt at 0.15 m/s, Stribeck", 0.15, [0.713_297, 0.024_837], RIGID),
        stribeck_belt("belt at 0.15 m/s, Stribeck", 0.15, [0.713_297, 0.024_837], SMOOTH),
        stribeck_belt("belt at 0.25 m/s, Stribeck", 0.25, [0.655_480, 0.031_954], STEPPING),
        row("slips at 21.9 degrees", &ALL, vec![truth("v", 0.691_746, 8e-3)], move |name, step| {
            let moved = path(&with(step, crate_on(0.0, 0.5, &format!("{DRY}\nslope = 21.9"), "")), name);
            vec![moved[moved.len() - 1][1]]
        }),
        row(
            "up 20 degrees",
            &ALL,
            vec![truth("t", 0.176_684, 2e-3), truth("x", -0.088_342, 1e-3)],
            move |name, step| {
                stop(&path(&with(step, crate_on(-1.0, 0.4, &format!("{DRY}\nslope = 20.0"), "")), name), step)
            },
        ),
        row("impact", RIGID, vec![truth("v", 0.3, 1e-2)], move |name, step| {
            let mut thrown = with(step, point(1.05, 10.0 * step, DRY, ""));
            thrown.bodies[0].velocity[1] = -3.0;
            thrown.bodies[0].position[1] = 0.1 * step;
            vec![path(&thrown, name)[2][1]]
        }),
        row(
            "pushed by 4.5 N for 0.5 s",
            &ALL,
            vec![truth("t", 0.917_431, 2e-3), truth("x", 0.469_610, 2e-3)],
            move |name, step| {
                let push = "[[push]]\nforce = [4.5, 0.0]\nto = 0.5\n";
                stop(&path(&with(step, crate_on(0.0, 1.2, DRY, push)), name), step)
            },
        ),
        growing_push(5e-3),
        creeping(growing_push(2e-2), CREEPING),
        row(
            "Stribeck, from 1 m/s",
            &ALL,
            vec![truth("t", 0.392_286, 2e-3), truth("x", 0.202_915, 1e-3)],
            move |name, step| {
                let law = format!("{DRY}\nstribeck_velocity = 0.1");
                stop(&path(&with(step, crate_on(1.0, 0.6, &law, "")), name), step)
            },
        ),
        row(
            "viscous, from 2 m/s",
            &RIGID_AND_EXACT,
            vec![truth("t", 0.365_292, 2e-3), truth("x", 0.261_630, 2e-3)],
            move |name, step| {
                let law = "friction = 0.2\nviscous_friction = 0.5";
                stop(&path(&with(step, crate_on(2.0, 0.6, law, "")), name), step)
            },
        ),
        row(
            "rod on its foot",
            &[StepperName::NLP, StepperName::LCP, StepperName::CONE, StepperName::EXACT],
            vec![truth("x", 0.022_596, 1e-3), truth("tilt", 1.389_167, 5e-3)],
            |name, step| {
                let (length, tilt) = (1.0_f64, 0.2_f64);
                let text = format!(
                    "name = \"rod\"\nduration = 0.7\nstep = {step}\n[[body]]\nshape = \"rod\"\nsize = {length}\n\
                     mass = 1.0\nposition = [{}, {}]\nangle = {}\n[ground]\nfriction = 0.5\nkinetic_friction = 0.2\n",
                    0.5 * length * tilt.sin(),
                    0.5 * length * tilt.cos(),
                    std::f64::consts::FRAC_PI_2 - tilt
                );
                let moved = run(&scenario(&text), name);
                let body = &moved.bodies[0];
                let last = body.states.len() - 1;
                let angle = angle_of(&body.attitudes[last]);
                vec![
                    body.states[last].position[0] - 0.5 * length * angle.cos(),
                    std::f64::consts::FRAC_PI_2 - angle,
                ]
            },
        ),
        row(
            "disc rolls out",
            &ALL,
            vec![truth("t", 3.822_630, 2e-3), truth("x", 0.955_657, 1e-3)],
            |name, step| {
                let text = format!(
                    "name = \"disc\"\nduration = 4.0\nstep = {step}\n[[body]]\nshape = \"disc\"\nsize = 0.1\nmass = 1.0\n\
                     position = [0.0, 0.1]\nvelocity = [0.5, 0.0]\nspin = -5.0\n[ground]\nfriction = 0.5\n\
                     rolling_friction = 0.002\n"
                );
                stop(&path(&scenario(&text), name), step)
            },
        ),
    ]
}

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

fn in_space() -> Vec<Row> {
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

/// A line of the table: motion, value, and of each column how far it is off in steps of 1 ms and of 0.1 ms.
struct Line {
    motion: &'static str,
    what: String,
    cells: [String; COLUMNS.len()],
}

/// Prints the table in Markdown. A column of several models has the largest error of them.
#[test]
#[ignore = "long: motions by up to seven models in steps of 0.1 ms, some minutes"]
fn laws_of_friction_are_of_first_order_by_all_models_that_take_them() {
    let (mut lines, mut too_far): (Vec<Line>, Vec<String>) = Default::default();
    for Row { name: motion, truths, models, order, measure } in in_the_plane().into_iter().chain(in_space()) {
        // Of each model that takes it, in steps of either length.
        let measured: Vec<(StepperName, [Vec<f64>; 2])> =
            models.iter().map(|&name| (name, STEPS.map(|step| measure(name, step)))).collect();
        for (place, Truth { what, value, limit }) in truths.iter().enumerate() {
            let what = format!("{what} = {value}");
            let known = lines.iter().position(|line| line.motion == motion && line.what == what);
            let line = known.unwrap_or_else(|| {
                lines.push(Line { motion, what: what.clone(), cells: Default::default() });
                lines.len() - 1
            });
            for (column, cell) in COLUMNS.iter().zip(&mut lines[line].cells) {
                let of_column = measured.iter().filter(|(name, _)| column.contains(name));
                let off: Vec<(StepperName, [f64; 2])> = of_column
                    .map(|(name, by_step)| (*name, [0, 1].map(|step| (by_step[step][place] - value).abs())))
                    .collect();
                if off.is_empty() {
                    continue;
                }
                let [coarse, fine] =
                    [0, 1].map(|step| off.iter().map(|(_, off)| off[step]).fold(0.0, f64::max));
                *cell = format!("{coarse:.1e}, {fine:.1e}");
                for (name, off) in off {
                    for (off, step) in off.into_iter().zip(STEPS) {
                        if off > limit * (step / STEPS[0]).powf(order) {
                            too_far.push(format!(
                                "{motion}, {what} by {name}: off by {off:.2e} in steps of {step}"
                            ));
                        }
                    }
                }
            }
        }
    }
    let heads =
        COLUMNS.map(|column| column.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "));
    println!("| motion | truth | {} |\n|---|---|{}", heads.join(" | "), "---|".repeat(heads.len()));
    for Line { motion, what, cells } in &lines {
        println!("| {motion} | {what} | {} |", cells.join(" | "));
    }
    assert!(too_far.is_empty(), "{}", too_far.join("\n"));
}
