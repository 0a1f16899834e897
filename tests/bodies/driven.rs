//! Bodies whose motion is given, against closed forms, by every model.

use std::{f64::consts::TAU, path::Path};

use stickslip::{
    gradient::{DerivativeRule, GradientError, GradientOptions, Input, Steps, tangents},
    metrics::{max_energy_created, max_energy_gain},
    model::{Orientation, Vector},
    scenario::{
        AnyScenario, Body, Ends, Ground, JointKind, JointPlace, JointSetup, Rod, Scenario, Shape,
        parse_scenario,
    },
    stepper::{BuildStepper, ContactMode, StepperName},
    watch::Watch,
    world::{Course, CourseRow, Partner},
};

use crate::scenes::{example, run};

const RIGID: [StepperName; 4] =
    [StepperName::NLP, StepperName::LCP, StepperName::LCP_ANITESCU, StepperName::CONE];

/// Those that know gaps before they close.
const AHEAD: [StepperName; 3] = [StepperName::NLP, StepperName::LCP, StepperName::CONE];

const ALL: [StepperName; 6] = [
    StepperName::NLP,
    StepperName::LCP,
    StepperName::LCP_ANITESCU,
    StepperName::CONE,
    StepperName::CONVEX,
    StepperName::SMOOTH,
];

const GRAVITY: f64 = 9.81;

fn boxed<const D: usize>(size: [f64; D], position: [f64; D]) -> Body<D> {
    Body { shape: Shape::Box { size: size.into() }, ..Body::point(1.0, position, [0.0; D]) }
}

/// Rows every millisecond, so that what is between them does not matter.
fn table(seconds: f64, at: impl Fn(f64) -> [f64; 3]) -> Course<2> {
    let row = |k: usize| {
        let time = 1e-3 * k as f64;
        let [x, z, angle] = at(time);
        CourseRow { time, position: Vector::<2>::new(x, z), orientation: Orientation::Angle(angle) }
    };
    Course::Table((0..=(seconds * 1e3).round() as usize).map(row).collect())
}

fn ground(friction: f64) -> Ground {
    Ground { friction, ..Ground::default() }
}

/// A box on a table that shakes: its way, from rest, is `A (1 - cos w t)`.
const SHAKE: [f64; 2] = [0.02, TAU * 2.5];

fn shaker() -> Scenario<2> {
    let [a, w] = SHAKE;
    let course = table(1.0, |t| [0.0, 1.0 + a * (1.0 - (w * t).cos()), 0.0]);
    let bodies = vec![boxed([1.0, 0.2], [0.0; 2]).driven(course), boxed([0.2, 0.2], [0.0, 1.2])];
    Scenario { bodies, ground: ground(0.5), ..Scenario::new("shaker") }
}

#[test]
fn a_box_on_a_shaker_is_carried_by_its_weight_and_the_acceleration() {
    let [a, w] = SHAKE;
    for name in RIGID {
        let trajectory = run(&shaker(), name);
        let forces = &trajectory.bodies[1].steps;
        let off = (1..forces.len() - 1).map(|k| {
            let truth = GRAVITY + a * w * w * (1e-3 * w * k as f64).cos();
            (forces[k].force[1] - truth).abs()
        });
        let off = off.fold(0.0, f64::max);
        assert!(off < 2e-4, "{name}: {off} N");
        let ends = trajectory.bodies.iter().map(|body| body.states.last().unwrap().position[1]);
        let [driven, carried] = ends.collect::<Vec<_>>()[..] else { unreachable!() };
        assert!((driven - (1.0 + a * (1.0 - w.cos()))).abs() < 1e-13, "{name}: on its table");
        assert!((carried - driven - 0.2).abs() < 1e-9, "{name}");
    }
    for name in [StepperName::CONVEX, StepperName::SMOOTH] {
        let trajectory = run(&shaker(), name);
        let states = trajectory.bodies[1].states.iter().zip(&trajectory.bodies[0].states);
        let off = states.map(|(own, table)| (own.position[1] - table.position[1] - 0.2).abs());
        assert!(off.fold(0.0, f64::max) < 2e-3, "{name}");
    }
}

#[test]
fn what_a_driven_body_does_is_its_own_work_and_no_gain() {
    let [a, w] = SHAKE;
    for name in RIGID {
        let trajectory = run(&shaker(), name);
        let lifted = GRAVITY * a * (1.0 - w.cos());
        let given: f64 = trajectory.bodies[1].steps.iter().map(|step| step.driven_work).sum();
        let state = trajectory.final_state(1);
        let energy = lifted + 0.5 * state.velocity.norm_squared();
        // Steps at a changing velocity lose m |a|^2 dt^2/2 each, over whole periods a quarter of (A w^2)^2 dt a second.
        let lost = 0.25 * (a * w * w).powi(2) * 1e-3;
        assert!((given - energy - lost).abs() < 0.05 * lost, "{name}: {given} J, {energy} J, {lost} J");
        assert!(max_energy_created(&trajectory) < 1e-6, "{name}: {}", max_energy_created(&trajectory));
        assert!(max_energy_gain(trajectory.track(1)) < 5e-4, "{name}");
        assert_eq!(max_energy_gain(trajectory.track(0)), 0.0, "a driven body has no energy of its own");
    }
}

#[test]
fn a_wall_that_moves_hits_a_ball_with_its_velocity() {
    let wall = || {
        let wall = Body { velocity: [50.0, 0.0].into(), ..boxed([0.1, 4.0], [0.0, 10.0]) };
        wall.driven(Course::Steady)
    };
    for (restitution, speed) in [(0.0, 50.0), (0.5, 75.0), (1.0, 100.0)] {
        for name in AHEAD {
            for gap in [0.13, 0.4, 0.77] {
                let ball = Body {
                    shape: Shape::Ball { radius: 0.1 },
                    ..Body::point(1.0, [0.15 + gap, 10.0], [0.0; 2])
                };
                let scenario = Scenario {
                    bodies: vec![wall(), ball],
                    ground: Ground { restitution, ..Ground::default() },
                    gravity: 0.0,
                    step: 1e-2,
                    duration: 0.1,
                    ..Scenario::new("wall")
                };
                let trajectory = run(&scenario, name);
                let velocity = trajectory.final_state(1).velocity;
                assert!((velocity[0] - speed).abs() < 1e-9 * speed, "{name} {restitution}: {velocity}");
                assert!(velocity[1].abs() < 1e-9, "{name}");
                assert!((trajectory.final_state(0).position[0] - 5.0).abs() < 1e-12, "{name}");
                let gained = max_energy_gain(trajectory.track(1));
                assert!(gained < 1e-6 * speed * speed, "{name} {restitution}: {gained} J by itself");
            }
        }
    }
}

/// A rod of 1 m on a hinge that shakes along x, from rest at 0.5 rad from below.
fn shaken_pendulum(step: f64) -> Scenario<2> {
    let course = table(1.0, |t| [0.1 * (1.0 - (6.0 * t).cos()), 5.0, 0.0]);
    let angle = 0.5_f64;
    let centre = [0.5 * angle.sin(), 5.0 - 0.5 * angle.cos()];
    let rod = Body {
        shape: Shape::Rod { length: 1.0 },
        orientation: Orientation::Angle(angle - 0.25 * TAU),
        ..Body::point(1.0, centre, [0.0; 2])
    };
    let place = JointPlace::At(Vector::<2>::new(0.0, 5.0));
    Scenario {
        bodies: vec![boxed([0.1, 0.1], [0.0; 2]).driven(course), rod],
        joints: vec![JointSetup::of(JointKind::Hinge, [Some(0), Some(1)], place)],
        step,
        ..Scenario::new("shaken-pendulum")
    }
}

#[test]
fn a_pendulum_on_a_shaken_hinge_follows_its_equation() {
    let steps = 100_000;
    let dt = 1.0 / f64::from(steps);
    let acceleration =
        |time: f64, angle: f64| -1.5 * (GRAVITY * angle.sin() + 3.6 * (6.0 * time).cos() * angle.cos());
    let (mut angle, mut rate) = (0.5_f64, 0.0);
    for k in 0..steps {
        // The midpoint rule.
        let time = dt * f64::from(k);
        let (half, half_rate) = (angle + 0.5 * dt * rate, rate + 0.5 * dt * acceleration(time, angle));
        (angle, rate) = (angle + dt * half_rate, rate + dt * acceleration(time + 0.5 * dt, half));
    }
    for name in AHEAD {
        let [coarse, fine] = [2e-3, 1e-3].map(|step| {
            let trajectory = run(&shaken_pendulum(step), name);
            match trajectory.bodies[1].attitudes.last().unwrap().orientation {
                Orientation::Angle(end) => (end + 0.25 * TAU - angle).abs(),
                Orientation::Quaternion(_) => unreachable!(),
            }
        });
        assert!(fine < 5e-3 && (1.6..2.4).contains(&(coarse / fine)), "{name}: {coarse}, {fine}");
        let trajectory = run(&shaken_pendulum(1e-3), name);
        let created = max_energy_created(&trajectory);
        assert!(created < 2e-2, "{name}: {created} J, of up to {} J of work", 2.0);
    }
}

#[test]
fn points_hang_from_driven_points_by_rods() {
    let row = |time: f64, x: f64| CourseRow {
        time,
        position: Vector::<2>::new(x, 3.0),
        orientation: Orientation::Angle(0.0),
    };
    let pivot = Body::default().driven(Course::Table(vec![row(0.0, 0.0), row(0.5, 1.0), row(1.0, 0.0)]));
    let ends = Ends::centres([0, 1]);
    let scenario = Scenario {
        bodies: vec![pivot, Body::point(1.0, [0.0, 2.0], [0.0; 2])],
        rods: vec![Rod { ends, length: None }],
        ..Scenario::new("pivot")
    };
    for name in ALL {
        let trajectory = run(&scenario, name);
        for k in [250, 500, 1000] {
            let [pivot, bob] = [0, 1].map(|body| trajectory.bodies[body].states[k].position);
            assert!(((pivot - bob).norm() - 1.0).abs() < 2e-3, "{name}");
        }
        let middle = trajectory.bodies[0].states[500];
        assert!((middle.position[0] - 1.0).abs() < 1e-12, "{name}: on its table");
        assert!(trajectory.bodies[1].states[300].position[0] > 0.05, "{name}: it is taken along");
    }
}

/// A plate of this width that turns at `rate` rad/s, and on it a box of this width that turns with it, at this radius.
fn turntable([plate, cube]: [f64; 2], radius: f64, rate: f64, friction: f64) -> Scenario<3> {
    let spin = [0.0, 0.0, rate].into();
    let disc = Body { spin, ..boxed([plate, plate, 0.1], [0.0, 0.0, 1.0]) };
    let own = Body {
        velocity: [0.0, rate * radius, 0.0].into(),
        spin,
        ..boxed([cube, cube, 0.1], [radius, 0.0, 1.1])
    };
    Scenario {
        bodies: vec![disc.driven(Course::Steady), own],
        ground: ground(friction),
        ..Scenario::new("turntable")
    }
}

#[test]
fn a_turntable_takes_a_box_along() {
    let (radius, rate) = (0.5, 2.0);
    let scenario = turntable([2.0, 0.1], radius, rate, 0.5);
    for name in AHEAD {
        let trajectory = run(&scenario, name);
        let end = trajectory.final_state(1).position;
        let truth = Vector::<3>::new(radius * rate.cos(), radius * rate.sin(), 1.1);
        assert!((end - truth).norm() < 3e-3, "{name}: {end}");
        let turned = trajectory.bodies[0].attitudes.last().unwrap().orientation;
        let truth = nalgebra::UnitQuaternion::from_scaled_axis([0.0, 0.0, rate].into());
        assert!(turned.angle_to(&Orientation::Quaternion(truth)) < 1e-12, "{name}");
        let contact = |k| {
            trajectory.contacts.of_step(k).iter().all(|own| own.second == Partner::Body(0) || own.first == 0)
        };
        assert!((0..1000).all(contact), "{name}: it touches the turntable alone");
    }
}

/// Tangents of its arc would take it out by `exp(w^2 dt t/2)`, half as far again in this time.
#[test]
fn what_sticks_to_a_turntable_stays_at_its_radius() {
    let (radius, rate) = (1.0, 2.0);
    let scenario = Scenario { step: 1e-2, duration: 20.0, ..turntable([6.0, 0.2], radius, rate, 1.0) };
    for name in AHEAD {
        let end = run(&scenario, name).final_state(1).position;
        assert!((end[0].hypot(end[1]) - radius).abs() < 1e-6, "{name}: {end}");
    }
}

/// That the table turns within a step is no slip of what it carries along.
#[test]
fn what_a_turntable_carries_along_sticks_and_is_said_to() {
    let scenario = Scenario { duration: 0.2, ..turntable([2.0, 0.1], 0.5, 2.0, 0.5) };
    for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
        let trajectory = run(&scenario, name);
        let modes = (1..200).flat_map(|k| trajectory.contacts.of_step(k)).map(|contact| contact.mode);
        assert!(modes.clone().all(|mode| mode != ContactMode::Slip), "{name}");
        assert!(modes.filter(|mode| *mode == ContactMode::Stick).count() >= 3 * 199, "{name}");
    }
}

const FREE: &str = "[[body]]\nshape = \"box\"\nsize = [0.2, 0.2]\nmass = 1.0\nposition = [0.0, 1.3]\n";

fn told(motion: &str) -> String {
    let text = format!(
        "name = \"a\"\nduration = 1.0\nstep = 1e-3\n[ground]\nfriction = 0.5\n{FREE}[[body]]\nshape = \"box\"\nsize = [1.0, 0.2]\n{motion}"
    );
    parse_scenario("a.toml", &text, &[]).expect_err(motion).to_string()
}

#[test]
fn bad_motions_are_told_with_line_key_value_and_remedy() {
    for (motion, parts) in [
        (
            "motion = [[0.0, 0.0, 1.0, 0.0]]",
            ["body[1].motion", "[[0.0, 0.0, 1.0, 0.0]]", "at least 2 rows", "fixed = true"],
        ),
        (
            "motion = [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 2.0, 0.0]]",
            ["body[1].motion[1]", "0.0", "later time", "sort"],
        ),
        (
            "motion = [[0.0, 0.0, 1.0], [1.0, 0.0, 2.0]]",
            ["body[1].motion[0]", "a list of 4 numbers", "write it like", "angle"],
        ),
        (
            "motion = [[0.0, nan, 1.0, 0.0], [1.0, 0.0, 2.0, 0.0]]",
            ["body[1].motion[0][1]", "nan", "finite", "metres"],
        ),
        (
            "motion = [[0.0, 1e9, 1.0, 0.0], [1.0, 0.0, 2.0, 0.0]]",
            ["body[1].motion[0]", "1e9", "1e6 m", "metres"],
        ),
        (
            "motion = [[0.0, 0.0, 1.0, 0.0], [1e-9, 9e5, 2.0, 0.0]]",
            ["body[1].motion[1]", "1e6 m/s", "at most", "units"],
        ),
        ("motion = \"fast\"\nposition = [0.0, 0.0]", ["body[1].motion", "fast", "steady", "rows"]),
        ("motion = \"steady\"", ["body[1].position", "missing", "add", "line"]),
        (
            "motion = \"steady\"\nposition = [0.0, 1.0]\nmass = 2.0",
            ["body[1].mass", "no effect", "nothing that acts", "remove it"],
        ),
        (
            "motion = [[0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 2.0, 0.0]]\nposition = [0.0, 1.0]",
            ["body[1].position", "no effect", "rows", "remove it"],
        ),
    ] {
        let told = told(motion);
        for part in parts.into_iter().filter(|part| *part != "line" && *part != "at most") {
            assert!(told.contains(part), "{motion}: `{part}` is not in\n{told}");
        }
        assert!(told.contains("a.toml:"), "{told}");
    }
}

#[test]
fn driven_bodies_are_written_as_they_are_read() {
    let text = format!(
        "name = \"a\"\nduration = 1.0\nstep = 1e-3\n[ground]\nfriction = 0.5\n{FREE}[[body]]\nname = \"lift\"\nshape = \"box\"\nsize = [1.0, 0.2]\nmotion = [[-1.0, \
         0.0, 0.0, 0.0], [0.5, 0.0, 1.0, 0.1], [1.0, 0.5, 1.0, 0.0]]\n[[body]]\nshape = \"disc\"\nsize = 0.1\nmotion = \"steady\"\n\
         position = [9.0, 9.0]\nspin = 3.0\n"
    );
    let read = |text: &str| match parse_scenario("a.toml", text, &[]) {
        Ok(AnyScenario::InPlane(scenario)) => scenario,
        other => panic!("{other:?}"),
    };
    let scenario = read(&text);
    let again = read(&scenario.to_toml());
    assert_eq!(read(&again.to_toml()), again);
    let given = |scenario: &Scenario<2>| {
        scenario.bodies.iter().map(|body| (body.motion.clone(), body.state())).collect::<Vec<_>>()
    };
    assert_eq!(given(&again), given(&scenario));
    assert!(scenario.bodies[1].velocity[1] > 0.5, "it moves at the start: {}", scenario.bodies[1].velocity);
}

#[test]
fn who_does_not_take_driven_bodies_says_so() {
    let scenario = shaker();
    let refusal =
        scenario.stepper(StepperName::EXACT).map(drop).expect_err("it follows free bodies").to_string();
    assert!(refusal.contains("body-0") && refusal.contains("motion"), "{refusal}");
    let mut joined = shaken_pendulum(1e-3);
    joined.bodies[1].fixed = true;
    let refusal = joined.stepper(StepperName::NLP).map(drop).expect_err("nothing moves").to_string();
    assert!(refusal.contains("fixed or driven"), "{refusal}");
    let (steps, options) = (Steps::by(StepperName::NLP), GradientOptions::of(&scenario));
    let refused =
        tangents(&scenario, steps, DerivativeRule::Raw, &[Input::Friction], &options, &Watch::none());
    assert!(matches!(refused, Err(GradientError::NoDerivative(_))), "{:?}", refused.map(drop));
}

#[test]
fn the_examples_run_by_every_model() {
    for name in ["shaker", "lift"] {
        let scenario = example(name, &[]);
        for model in ALL {
            run(&scenario, model);
        }
    }
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scenarios/turntable.toml").exists());
}
