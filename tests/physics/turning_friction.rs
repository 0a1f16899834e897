//! Friction that resists rolling and drilling, from scenario files on: the closed forms themselves are held against every model
//! in `crates/contact/tests/turning`.

use stickslip::{
    gradient::{FrictionQuantity, Input},
    model::{Orientation, Vector},
    scenario::{AnyScenario, Partner, Scenario, parse_scenario},
    stepper::{BuildStepper, StepperName},
};

use crate::{GRAVITY as G, OF_GROUPED_FRICTION, run};

const DT: f64 = 1e-3;

fn parsed(text: &str) -> AnyScenario {
    parse_scenario("turning.toml", text, &[]).unwrap_or_else(|error| panic!("{error:?}"))
}

fn plane(text: &str) -> Scenario<2> {
    let AnyScenario::InPlane(scenario) = parsed(text) else { panic!("in space: {text}") };
    scenario
}

fn space(text: &str) -> Scenario<3> {
    let AnyScenario::OverPlane(scenario) = parsed(text) else { panic!("in the plane: {text}") };
    scenario
}

/// A ball of 1 kg and 0.1 m that rolls at 0.5 m/s.
fn ball(duration: f64, ground: &str) -> Scenario<3> {
    space(&format!(
        "name = \"ball\"\nduration = {duration}\nstep = {DT}\n[[body]]\nshape = \"sphere\"\nsize = 0.1\nmass = 1.0\n\
         position = [0.0, 0.0, 0.1]\nvelocity = [0.5, 0.0, 0.0]\nspin = [0.0, 5.0, 0.0]\n[ground]\n{ground}\n"
    ))
}

/// A disc of 1 kg and 0.1 m that rolls at 0.5 m/s, `more` behind it.
fn disc(duration: f64, ground: &str, more: &str) -> Scenario<2> {
    plane(&format!(
        "name = \"disc\"\nduration = {duration}\nstep = {DT}\n[[body]]\nshape = \"disc\"\nsize = 0.1\nmass = 1.0\n\
         position = [0.0, 0.1]\nvelocity = [0.5, 0.0]\nspin = -5.0\n[ground]\n{ground}\n{more}"
    ))
}

#[track_caller]
fn assert_close(name: StepperName, found: f64, truth: f64, tolerance: f64) {
    assert!((found - truth).abs() <= tolerance, "{name}: {found} for {truth}");
}

#[test]
fn a_ball_and_a_disc_roll_to_rest() {
    for name in OF_GROUPED_FRICTION {
        let rolled = run(&ball(4.0, "friction = 0.5\nrolling_friction = 0.002"), name);
        let states = &rolled.bodies[0].states;
        let last = states.iter().rposition(|state| state.velocity[0] > 1e-6).expect("it moves");
        assert_close(name, (last + 1) as f64 * DT, 3.567788, 2.0 * DT);
        assert_close(name, states[4000].position[0], 0.891947, 0.5 * DT);
        let rolled = run(&disc(4.0, "friction = 0.5\nrolling_friction = 0.002", ""), name);
        assert_close(name, rolled.bodies[0].states[4000].position[0], 0.955657, 0.5 * DT);
    }
}

/// The program that IPOPT solves has a ball for each group: what slides and drills, and what rolls.
#[test]
fn a_general_solver_rolls_balls_and_discs_to_rest_too() {
    let settings = "[stepper.nlp]\nsolver = \"ipopt\"\n";
    let ground = "friction = 0.5\nrolling_friction = 0.01";
    let rolled = run(&ball(0.8, &format!("{ground}\n{settings}")), StepperName::NLP);
    assert_close(
        StepperName::NLP,
        rolled.bodies[0].states[800].position[0],
        0.5 * 0.5 * 1.4 * 0.1 / (2.0 * 0.01 * G),
        1e-3,
    );
    let rolled = run(&disc(0.8, ground, settings), StepperName::NLP);
    assert_close(
        StepperName::NLP,
        rolled.bodies[0].states[800].position[0],
        0.5 * 0.5 * 1.5 * 0.1 / (2.0 * 0.01 * G),
        1e-3,
    );
}

/// A disc from event to event: it rolls out where and when it should, to rounding.
#[test]
fn a_disc_rolls_out_exactly() {
    let rolled = run(&disc(4.0, "friction = 0.5\nrolling_friction = 0.002", ""), StepperName::EXACT);
    let slowing = 2.0 / 3.0 * 0.002 * G / 0.1;
    let states = &rolled.bodies[0].states;
    let (stop, way) = (0.5 / slowing, 0.5 * 0.5 / (2.0 * slowing));
    assert!((stop - 3.822630).abs() < 1e-6 && (way - 0.955657).abs() < 1e-6);
    assert_close(StepperName::EXACT, states[2000].velocity[0], 0.5 - 2.0 * slowing, 1e-12);
    assert_close(StepperName::EXACT, states[2000].position[0], 1.0 - 2.0 * slowing, 1e-12);
    assert_close(StepperName::EXACT, states[4000].position[0], way, 1e-12);
    assert_eq!(states[4000].velocity.norm(), 0.0);
    // R f + m = I w' and f = -m a.
    assert_close(StepperName::EXACT, rolled.bodies[0].torques[100][0].abs(), 0.05 * slowing, 1e-12);
}

/// Thrown without spin from a height: the blow turns it, it slides, rolls and rests, and steps of another kind follow it.
#[test]
fn steps_come_to_the_exact_motion_of_a_disc_that_lands_slides_and_rolls() {
    let thrown = |step: f64, more: &str| {
        plane(&format!(
            "name = \"disc\"\nduration = 1.2\nstep = {step}\n[[body]]\nshape = \"disc\"\nsize = 0.1\nmass = 2.0\n\
             position = [0.0, 0.15]\nvelocity = [1.0, 0.0]\nspin = 12.0\n[ground]\nfriction = 0.2\n\
             rolling_friction = 0.01\nslope = 3.0\n{more}"
        ))
    };
    for more in [
        "",
        "[[push]]\nforce = [3.0, 0.0]\nfrom = 0.5\nto = 0.8\n[[push]]\nforce = [0.0, 21.0]\nfrom = 0.9\nto = 0.95\n",
    ] {
        let end = |step: f64, name| {
            let ran = run(&thrown(step, more), name);
            let state = *ran.bodies[0].states.last().expect("states");
            [state.position[0], state.position[1], state.velocity[0]]
        };
        let truth = end(1e-3, StepperName::EXACT);
        for (again, truth) in end(2e-2, StepperName::EXACT).into_iter().zip(truth) {
            assert!((again - truth).abs() < 1e-9, "{more}: {again} for {truth}");
        }
        let missed = |step| {
            let found = end(step, StepperName::CONE);
            (0..3).map(|part| (found[part] - truth[part]).abs()).fold(0.0, f64::max)
        };
        let (coarse, fine) = (missed(1e-3), missed(1.25e-4));
        assert!(fine < 4e-3 && fine < 0.4 * coarse, "{more}: {coarse:e} {fine:e} {truth:?}");
    }
}

/// A slope of less than `rho/R` holds a disc at rest, and one that rolls up it comes to rest and stays.
#[test]
fn a_disc_rests_exactly_where_its_moment_holds_it() {
    for (tan, speed) in [(0.0198, 0.0), (0.0198, -0.1), (0.0202, 0.0)] {
        let slope = f64::atan(tan);
        let ground = format!("friction = 0.5\nrolling_friction = 0.002\nslope = {}", slope.to_degrees());
        let mut scenario = disc(1.0, &ground, "");
        scenario.bodies[0].velocity = [speed, 0.0].into();
        scenario.bodies[0].spin[0] = -speed / 0.1;
        let ran = run(&scenario, StepperName::EXACT);
        let last = ran.bodies[0].states[1000];
        let along = 2.0 / 3.0 * G * slope.cos();
        let held = if tan < 0.02 { 0.0 } else { along * (tan - 0.02) };
        assert_close(StepperName::EXACT, last.velocity[0], held, 1e-12);
        let way = if tan < 0.02 { -speed * speed / (2.0 * along * (tan + 0.02)) } else { 0.5 * held };
        assert_close(StepperName::EXACT, last.position[0], way, 1e-12);
    }
}

/// What the contacts do to a body is in its torque, that of rolling too: `I a/R = rho m g - R F` with `F = m a`.
#[test]
fn the_torque_of_a_body_has_that_of_rolling() {
    for name in OF_GROUPED_FRICTION {
        let rolled = run(&disc(0.5, "friction = 0.5\nrolling_friction = 0.002", ""), name);
        let slowing = 2.0 / 3.0 * 0.002 * G / 0.1;
        // Forwards is clockwise, and the angle grows the other way: the ground turns it back.
        let torque = rolled.bodies[0].torques[100][0];
        assert_close(name, torque.abs(), 0.5 * 0.1 * 0.1 * slowing / 0.1, 1e-6);
    }
}

/// Each length comes from the innermost table that gives it, whether or not that gives a friction.
#[test]
fn lengths_are_inherited_singly() {
    let walls = "[[wall]]\nnormal = [1.0, 0.0]\noffset = -5.0\nrolling_friction = 0.004\n\
                 [[pair]]\nbodies = [\"body-0\", \"ground\"]\nfriction = 0.2\n\
                 [[pair]]\nbodies = [\"body-0\", \"wall-0\"]\ntorsional_friction = 0.007\n";
    let scenario = disc(0.1, "friction = 0.5\nrolling_friction = 0.002\ntorsional_friction = 0.001", walls);
    let law = |partner| {
        let surface = scenario.surface(0, partner);
        (surface.friction.static_coefficient(), surface.turning.torsional, surface.turning.rolling)
    };
    assert_eq!(law(Partner::Ground), (0.2, 0.001, 0.002));
    assert_eq!(law(Partner::Wall(0)), (0.5, 0.007, 0.004));
    let again = scenario.to_toml();
    assert!(again.contains("rolling_friction = 0.004") && again.contains("torsional_friction = 0.007"));
    assert_eq!(plane(&again).surfaces(), scenario.surfaces());
}

/// A ball of 1 kg on the ground that starts with this velocity along `way` and spin across it, and spins about the vertical.
fn ball_along(way: [f64; 2], speed: f64, spins: [f64; 2], duration: f64, ground: &str) -> Scenario<3> {
    let mut scenario = ball(duration, ground);
    scenario.bodies[0].velocity = [speed * way[0], speed * way[1], 0.0].into();
    scenario.bodies[0].spin = [-spins[0] * way[1], spins[0] * way[0], spins[1]].into();
    scenario
}

const OBLIQUE: [f64; 2] = [0.6, 0.8];

/// A ball from event to event, along any line: it rolls out, slides and then rolls, and spins down where it should, to rounding.
#[test]
fn a_ball_rolls_out_slides_and_spins_down_exactly() {
    let exact = StepperName::EXACT;
    let along = |place: Vector<3>| place[0] * OBLIQUE[0] + place[1] * OBLIQUE[1];
    let ground = "friction = 0.5\nrolling_friction = 0.002";
    let rolled = run(&ball_along(OBLIQUE, 0.5, [5.0, 0.0], 4.0, ground), exact);
    let slowing = 5.0 / 7.0 * 0.002 * G / 0.1;
    let (states, attitudes) = (&rolled.bodies[0].states, &rolled.bodies[0].attitudes);
    assert_close(exact, 0.5 / slowing, 3.567788, 1e-6);
    assert_close(exact, along(states[2000].velocity), 0.5 - 2.0 * slowing, 1e-12);
    assert_close(exact, along(states[4000].position), 0.25 / (2.0 * slowing), 1e-12);
    assert_close(exact, states[4000].position[0] * 0.8 - states[4000].position[1] * 0.6, 0.0, 1e-12);
    assert!((states[3567].velocity.norm() > 0.0) && states[3568].velocity.norm() == 0.0);
    // It has turned by its way over its radius about the axis across.
    let Orientation::Quaternion(turn) = attitudes[1000].orientation else { panic!("in space") };
    let angle = along(states[1000].position) / 0.1;
    let axis = nalgebra::Unit::new_normalize(nalgebra::Vector3::new(-OBLIQUE[1], OBLIQUE[0], 0.0));
    assert!(turn.angle_to(&nalgebra::UnitQuaternion::from_axis_angle(&axis, angle)) < 1e-7, "{turn}");

    let slid =
        run(&ball_along(OBLIQUE, 1.0, [0.0, 0.0], 5.6, "friction = 0.3\nrolling_friction = 0.002"), exact);
    assert_close(exact, along(slid.bodies[0].states[5600].position), 1.834862, 1e-6);
    let spins = |k: usize| slid.bodies[0].attitudes[k].spin.norm() * 0.1;
    assert_close(exact, along(slid.bodies[0].states[200].velocity), spins(200), 1e-12);
    assert!(along(slid.bodies[0].states[101].velocity) > spins(101) + 1e-3, "it slides until 0.101937 s");

    let spun =
        run(&ball_along(OBLIQUE, 0.0, [0.0, 20.0], 2.0, "friction = 0.3\ntorsional_friction = 0.005"), exact);
    let spin = |k: usize| spun.bodies[0].attitudes[k].spin[2];
    assert_close(exact, spin(1000), 20.0 * (1.0 - 1.0 / 1.630989), 1e-5);
    assert!(spin(1630) > 0.0 && spin(1631) == 0.0, "it stops at 1.630989 s");
    assert_close(exact, spun.bodies[0].torques[100][2], -0.005 * G, 1e-12);
}

/// Up to `atan(rho/R)` a ball rests on a slope, and beyond it rolls down evenly.
#[test]
fn a_ball_rests_on_a_slope_or_rolls_down_it_exactly() {
    for (tan, acceleration) in [(0.0199, 0.0), (0.04, 0.140031)] {
        let slope = f64::atan(tan).to_degrees();
        let ground = format!("friction = 0.5\nrolling_friction = 0.002\nslope = {slope}");
        let rolled = run(&ball_along([1.0, 0.0], 0.0, [0.0, 0.0], 1.0, &ground), StepperName::EXACT);
        assert_close(StepperName::EXACT, rolled.bodies[0].states[1000].velocity[0], acceleration, 1e-6);
    }
}

/// Where nothing resists drilling the spin about the vertical stays, and turns the axis of rolling on the ball: short steps come to
/// the same orientation.
#[test]
fn a_ball_that_rolls_and_spins_turns_as_short_steps_have_it() {
    let scenario = |step: f64| {
        let mut scenario =
            ball_along(OBLIQUE, 0.5, [5.0, 7.0], 0.5, "friction = 0.5\nrolling_friction = 0.01");
        scenario.step = step;
        scenario
    };
    let end = |step: f64, name| {
        let moved = run(&scenario(step), name);
        let last = *moved.bodies[0].attitudes.last().expect("attitudes");
        let Orientation::Quaternion(turn) = last.orientation else { panic!("in space") };
        (turn, turn * last.spin)
    };
    let (truth, spin) = end(1e-2, StepperName::EXACT);
    let again = end(1e-3, StepperName::EXACT).0;
    assert!(truth.angle_to(&again) < 1e-7, "{}", truth.angle_to(&again));
    assert_close(StepperName::EXACT, spin[2], 7.0, 1e-12);
    let missed = [1e-3, 2.5e-4].map(|step| truth.angle_to(&end(step, StepperName::CONE).0));
    assert!(missed[0] < 2e-2 && missed[1] < 0.35 * missed[0], "{missed:?}");
}

/// What slides or rolls and drills at once, or moves along two lines, has no closed form.
#[test]
fn exact_refuses_balls_that_curve_or_drill_as_they_move() {
    let refused = |scenario: &Scenario<3>, word: &str| {
        let refusal = scenario.stepper(StepperName::EXACT).err().expect("refused").to_string();
        assert!(refusal.contains(word) && refusal.contains("`cone`"), "{refusal}");
    };
    let both = "friction = 0.3\ntorsional_friction = 0.005";
    refused(&ball_along(OBLIQUE, 1.0, [0.0, 20.0], 0.1, both), "share one limit");
    let mut curved = ball_along(OBLIQUE, 1.0, [0.0, 0.0], 0.1, "friction = 0.3\nrolling_friction = 0.002");
    curved.bodies[0].spin = [5.0, 5.0, 0.0].into();
    refused(&curved, "more than one line");
    let mut lands = ball_along(OBLIQUE, 0.0, [0.0, 20.0], 0.1, both);
    lands.bodies[0].position[2] = 0.2;
    refused(&lands, "lands");
}

#[test]
fn what_knows_sliding_alone_refuses_and_says_so() {
    let ground = "friction = 0.5\nrolling_friction = 0.002";
    let bouncing = disc(0.1, "friction = 0.5\nrolling_friction = 0.002\nrestitution = 0.5", "");
    let refusal = bouncing.stepper(StepperName::EXACT).err().expect("refused").to_string();
    assert!(refusal.contains("restitution"), "{refusal}");
    let followed = disc(0.1, ground, "[stepper]\nimpacts = \"incremental\"\n");
    let refusal = followed.stepper(StepperName::NLP).err().expect("refused").to_string();
    assert!(refusal.contains("impacts"), "{refusal}");
    let drilling = Input::FrictionBeside(FrictionQuantity::Torsional);
    let flat = disc(0.1, "friction = 0.5\ntorsional_friction = 0.002", "");
    let refusal = drilling.check(&flat).expect_err("it drills nowhere").to_string();
    assert!(refusal.contains("ground.torsional_friction") && refusal.contains("nothing drills"), "{refusal}");
}

/// Points do not turn, and in the plane nothing drills: such keys are named, and change nothing.
#[test]
fn lengths_that_resist_nothing_are_named() {
    let point = plane(
        "name = \"point\"\nduration = 0.1\nstep = 1e-3\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\n\
         velocity = [1.0, 0.0]\n[ground]\nfriction = 0.1\nrolling_friction = 0.002\n",
    );
    let hybrid: StepperName = "hybrid".parse().expect("it is known");
    let stepper = point.stepper(hybrid).unwrap_or_else(|refusal| panic!("{refusal}"));
    let named: Vec<_> = point.ignored(&stepper.honours()).iter().map(|ignored| ignored.key).collect();
    assert!(named.contains(&"ground.rolling_friction"), "{named:?}");
    let drilling = disc(0.1, "friction = 0.5\ntorsional_friction = 0.3", "");
    let exact: StepperName = "exact".parse().expect("it is known");
    let stepper = drilling.stepper(exact).unwrap_or_else(|refusal| panic!("{refusal}"));
    let named: Vec<_> = drilling.ignored(&stepper.honours()).iter().map(|ignored| ignored.key).collect();
    assert!(named.contains(&"ground.torsional_friction"), "{named:?}");
}
