//! Laws of friction of a single point by the steppers that move one alone, and by those of many bodies, against `exact`: off by
//! the length of the step, as all steps are.

use stickslip::{
    compare::{Comparison, default_steppers},
    model::{State, Vector},
    scenario::{AnyScenario, Push, Scenario, parse_scenario},
    simulate::OnFailure,
    stepper::{BuildStepper, PointInput, StepperName, derivative::StepRates},
    watch::Watch,
};

use crate::{
    friction_laws::{DRY, along, point},
    run,
};

const STEPS: [f64; 2] = [1e-3, 1e-4];
/// Those that move points alone, over a plane; the first in a vertical one too.
const OF_POINTS: [StepperName; 3] =
    [StepperName::HYBRID, StepperName::LCP_POLYHEDRAL, StepperName::LCP_FIXED_POINT];
/// Those of many bodies.
const OF_BODIES: [StepperName; 2] = [StepperName::NLP, StepperName::LCP];

/// A point of 1 kg over a plane.
pub fn over_plane(velocity: [f64; 3], duration: f64, ground: &str, more: &str) -> Scenario<3> {
    let text = format!(
        "name = \"law\"\nduration = {duration}\nstep = 1e-3\n[particle]\nmass = 1.0\nposition = [0.0, 0.0, 0.0]\n\
         velocity = {velocity:?}\n[ground]\n{ground}\n{more}"
    );
    match parse_scenario("law.toml", &text, &[]) {
        Ok(AnyScenario::OverPlane(scenario)) => scenario,
        other => panic!("{text}: {other:?}"),
    }
}

/// The largest difference of places and of velocities from the exact motion over the steps of a run.
fn off<const D: usize>(scenario: &Scenario<D>, name: StepperName, step: f64) -> [f64; 2]
where
    Scenario<D>: BuildStepper<D>,
{
    let scenario = Scenario { step, ..scenario.clone() };
    let [stepped, exact] = [name, StepperName::EXACT].map(|name| run(&scenario, name));
    let pairs = stepped.bodies[0].states.iter().zip(&exact.bodies[0].states);
    let difference =
        |a: &State<D>, b: &State<D>| [(a.position - b.position).norm(), (a.velocity - b.velocity).norm()];
    pairs.map(|(a, b)| difference(a, b)).fold([0.0; 2], |most, off| [0, 1].map(|i| f64::max(most[i], off[i])))
}

/// Places are off by what a step moves at the fastest, velocities by what it gains at the most, and ten times less in steps of a
/// tenth.
#[track_caller]
fn assert_first_order<const D: usize>(
    what: &str,
    scenario: &Scenario<D>,
    names: &[StepperName],
    [place, speed]: [f64; 2],
) where
    Scenario<D>: BuildStepper<D>,
{
    for &name in names {
        for step in STEPS {
            let [of_place, of_speed] = off(scenario, name, step);
            assert!(of_place <= place * step, "{what}, {name}, step {step}: off by {of_place:e} m");
            assert!(of_speed <= speed * step, "{what}, {name}, step {step}: off by {of_speed:e} m/s");
        }
    }
}

/// A law in a plane and over one, along a direction that no polygon of eight sides has a corner in.
fn of_all(
    what: &str,
    speed: f64,
    duration: f64,
    (ground, push): (&str, Option<(f64, &str)>),
    allowed: [f64; 2],
) {
    let [x, y] = [0.8, 0.6];
    let pushes = |force: String, window: &str| format!("[[push]]\nforce = {force}\n{window}\n");
    let in_plane = push.map_or(String::new(), |(size, window)| pushes(format!("[{size}, 0.0]"), window));
    let in_space = push
        .map_or(String::new(), |(size, window)| pushes(format!("[{}, {}, 0.0]", x * size, y * size), window));
    let scenario = point(speed, duration, ground, &in_plane);
    assert_first_order(what, &scenario, &[OF_POINTS[0]], allowed);
    assert_first_order(what, &scenario, &OF_BODIES, allowed);
    let mut scenario = over_plane([x * speed, y * speed, 0.0], duration, ground, &in_space);
    assert_first_order(what, &scenario, &[OF_POINTS[0], OF_POINTS[2]], allowed);
    // Between two of its corners a polygon is weaker; along one it is not.
    scenario.bodies[0].velocity = [speed, 0.0, 0.0].into();
    for push in &mut scenario.pushes {
        push.force = [push.force.norm(), 0.0, 0.0].into();
    }
    assert_first_order(what, &scenario, &OF_POINTS, allowed);
}

#[test]
fn a_slide_ends_where_the_law_says() {
    of_all("two coefficients", 1.0, 0.5, (DRY, None), [1.0, 3.0]);
    of_all("Stribeck", 1.0, 0.5, (&format!("{DRY}\nstribeck_velocity = 0.1"), None), [1.0, 3.0]);
    let viscous = "friction = 0.2\nviscous_friction = 0.5";
    of_all("viscous", 2.0, 0.5, (viscous, None), [2.0, 3.0]);
}

#[test]
fn a_push_beyond_the_friction_of_rest_moves() {
    of_all("pushed", 0.0, 1.2, (DRY, Some((4.5, "to = 0.5"))), [1.0, 2.5]);
    of_all("held", 0.0, 0.5, (DRY, Some((3.9, "to = 0.5"))), [0.0, 0.0]);
    let swings = "frequency = 0.05";
    of_all("breaks away", 0.0, 2.6, (DRY, Some((8.0, swings))), [3.0, 2.0]);
    let to_and_fro = "frequency = 1.0";
    of_all("to and fro", 0.0, 2.0, (DRY, Some((6.0, to_and_fro))), [3.5, 5.0]);
}

#[test]
fn slopes_between_the_coefficients_hold_what_stops_and_not_what_slides() {
    let slope = format!("{DRY}\nslope = 20.0");
    for (what, speed) in [("down", 0.1), ("up", -1.0)] {
        let scenario = point(speed, 0.5, &slope, "");
        assert_first_order(what, &scenario, &[OF_POINTS[0], OF_BODIES[0], OF_BODIES[1]], [0.6, 0.1]);
        let scenario = over_plane([speed, 0.0, 0.0], 0.5, &slope, "");
        assert_first_order(what, &scenario, &OF_POINTS, [0.6, 0.1]);
    }
    for (angle, holds) in [(21.79, true), (21.9, false)] {
        let path = along(&point(0.0, 0.5, &format!("{DRY}\nslope = {angle}"), ""), StepperName::HYBRID);
        assert_eq!(path[500][1] == 0.0, holds, "{angle}: {:?}", path[500]);
    }
}

/// At any phase of the step: thrown up a slope between the coefficients none slides back.
#[test]
fn hybrid_misses_no_rest() {
    for phase in 0..64 {
        let speed = 1.0 + f64::from(phase) * 1.7e-4;
        let path = along(&point(-speed, 0.5, &format!("{DRY}\nslope = 20.0"), ""), StepperName::HYBRID);
        let (sin, cos) = 20.0_f64.to_radians().sin_cos();
        let way = -speed * speed / (2.0 * 9.81 * (sin + 0.25 * cos));
        assert!((path[500][0] - way).abs() < 1.5e-3 && path[500][1] == 0.0, "{speed}: {:?}", path[500]);
    }
}

/// A push from the side bends the slide; polygons bend it too, by their corners.
#[test]
fn slides_that_turn_do_so_by_the_friction_of_their_speed() {
    for law in
        [DRY.to_owned(), format!("{DRY}\nstribeck_velocity = 0.3"), format!("{DRY}\nviscous_friction = 0.2")]
    {
        let push = "[[push]]\nforce = [-1.0, 2.0, 0.0]\n";
        let scenario = over_plane([1.0, 0.2, 0.0], 0.8, &law, push);
        let names = [StepperName::HYBRID, StepperName::LCP_FIXED_POINT, StepperName::NLP];
        assert_first_order(&law, &scenario, &names, [1.2, 2.5]);
    }
}

/// A slip of 1.05 m/s goes on at .3 m/s after an impact of 3 m/s.
#[test]
fn an_impact_slides_by_the_friction_of_motion() {
    let mut scenario = point(1.05, 0.01, DRY, "");
    scenario.bodies[0].velocity[1] = -3.0;
    scenario.bodies[0].position[1] = 1e-4;
    let path = along(&scenario, StepperName::HYBRID);
    assert!((path[2][1] - 0.3).abs() < 0.02, "{:?}", path[2]);
    let mut scenario = over_plane([1.05, 0.0, -3.0], 0.01, DRY, "");
    scenario.bodies[0].position[2] = 1e-4;
    for name in OF_POINTS {
        let after = run(&scenario, name).bodies[0].states[2].velocity;
        assert!((after[0] - 0.3).abs() < 0.02, "{name}: {after:?}");
    }
}

/// Slides by the coefficient of their slip and what is let go by a push: by the velocity before and by every number of the law,
/// against differences.
#[test]
fn steps_of_hybrid_carry_derivatives_through_the_law() {
    const H: f64 = 1e-6;
    const LAW: [f64; 4] = [0.4, 0.25, 0.5, 0.2];
    const KEYS: [&str; 4] = ["friction", "kinetic_friction", "stribeck_velocity", "viscous_friction"];
    for (velocity, push) in [([0.5, -0.4, 0.0], [0.0; 3]), ([0.0; 3], [4.0, 3.0, 0.0])] {
        let scenario = |velocity: [f64; 3], law: [f64; 4]| {
            let ground: String =
                KEYS.iter().zip(law).map(|(key, value)| format!("{key} = {value}\n")).collect();
            let mut scenario = over_plane(velocity, 1.0, &ground, "");
            (scenario.step, scenario.pushes) = (1e-2, vec![Push::constant(push)]);
            scenario
        };
        let after = |velocity: [f64; 3], law: [f64; 4]| {
            let scenario = scenario(velocity, law);
            let mut stepper = scenario.point_stepper(StepperName::HYBRID).expect("it takes the scenario");
            let input = PointInput::first(&scenario);
            let step = stepper.step(&input).expect("it steps");
            (stepper.step_derivative(&input, &step), step.state.velocity, scenario.point(0), input)
        };
        let (derivative, _, body, input) = after(velocity, LAW);
        let derivative = derivative.expect("it has one");
        // The inputs: the velocity along the ground, then the numbers of the law.
        let slope = |number: usize| {
            let mut change = State { position: Vector::<3>::zeros(), velocity: Vector::<3>::zeros() };
            let mut rates = StepRates::zero();
            match number {
                0 | 1 => change.velocity[number] = 1.0,
                2 => rates.friction = 1.0,
                3 => rates.kinetic_friction = 1.0,
                4 => rates.stribeck_velocity = 1.0,
                _ => rates.viscous_friction = 1.0,
            }
            derivative.tangents(&body, &input, std::iter::once((&mut change, &rates)));
            change.velocity
        };
        let shifted = |number: usize, by: f64| {
            let (mut velocity, mut law) = (velocity, LAW);
            match number {
                0 | 1 => velocity[number] += by,
                _ => law[number - 2] += by,
            }
            after(velocity, law).1
        };
        for number in 0..2 + LAW.len() {
            let difference = (shifted(number, H) - shifted(number, -H)) / (2.0 * H);
            let error = (slope(number) - difference).norm();
            assert!(
                error < 1e-7,
                "{velocity:?} by {number}: {:?}, differences {difference:?}",
                slope(number)
            );
        }
    }
}

/// One coefficient said twice is one coefficient, bit for bit.
#[test]
fn a_kinetic_coefficient_that_is_the_static_one_changes_nothing() {
    let [plain, twice] = ["friction = 0.3", "friction = 0.3\nkinetic_friction = 0.3"].map(|law| {
        let mut scenario = over_plane([1.0, 0.4, 0.5], 0.8, law, "");
        scenario.ground.restitution = 0.4;
        scenario
    });
    for name in OF_POINTS.into_iter().chain([StepperName::EXACT]) {
        let [plain, twice] = [&plain, &twice].map(|scenario| run(scenario, name));
        assert_eq!(plain.bodies[0].states, twice.bodies[0].states, "{name}");
    }
}

/// A comparison of a point takes the exact motion for the truth on every law.
#[test]
fn comparisons_measure_against_the_exact_motion() {
    let law = format!("{DRY}\nstribeck_velocity = 0.1\nviscous_friction = 0.1");
    let scenario = over_plane([0.8, 0.6, 0.0], 0.5, &law, "");
    let comparison =
        Comparison::run(&scenario, &default_steppers(&scenario), OnFailure::Stop, &Watch::none());
    assert!(comparison.truth.is_some());
    for name in OF_POINTS {
        let entry = comparison.entries.iter().find(|entry| entry.trajectory.stepper == name);
        assert!(entry.is_some_and(|entry| entry.is_measured()), "{name}");
    }
}
