//! The same motion whatever else stands in the scene that is never met: a wall, another point, a body that turns.

use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use stickslip::{
    model::Vector,
    scenario::{
        AnyScenario, Body, LcpSolverChoice, NlpSolverChoice, Push, RestitutionLaw, Scenario, Shape,
        StepperSettings, Wall, parse_scenario,
    },
    stepper::{BuildStepper, StepperName},
    world::Impacts,
};

use crate::{point, run};

const MODELS: [StepperName; 6] = [
    StepperName::NLP,
    StepperName::LCP,
    StepperName::LCP_ANITESCU,
    StepperName::CONE,
    StepperName::CONVEX,
    StepperName::SMOOTH,
];

/// Part of the size of the motion by which it may differ.
const SAME: f64 = 1e-6;

/// The scenario with something in it that its first body never meets, and what that is.
fn accompanied<const D: usize>(scenario: &Scenario<D>) -> Vec<(&'static str, Scenario<D>)> {
    let mut far = [0.0; D];
    far[0] = 1000.0;
    let mut normal = [0.0; D];
    normal[0] = 1.0;
    let mut wall = scenario.clone();
    wall.walls.push(Wall::new(normal, -1000.0));
    let mut other_point = scenario.clone();
    other_point.bodies.push(Body::point(3.0, far, [0.0; D]));
    let mut other_body = scenario.clone();
    far[D - 1] = 0.5;
    other_body
        .bodies
        .push(Body { shape: Shape::Box { size: Vector::repeat(1.0) }, ..Body::point(3.0, far, [0.0; D]) });
    vec![("a wall", wall), ("a point", other_point), ("a body", other_body)]
}

/// By how much the first body moves otherwise beside something far away, at the most, in parts of its way and speed.
fn difference<const D: usize>(alone: &Scenario<D>, beside: &Scenario<D>, name: StepperName) -> f64
where
    Scenario<D>: BuildStepper<D>,
{
    let (alone, beside) = (run(alone, name), run(beside, name));
    let [alone, beside] = [&alone, &beside].map(|trajectory| &trajectory.bodies[0].states);
    assert_eq!(alone.len(), beside.len());
    let size = |of: fn(&stickslip::model::State<D>) -> f64| alone.iter().map(of).fold(1e-3, f64::max);
    let (way, speed) = (size(|state| state.position.amax()), size(|state| state.velocity.amax()));
    let off = alone.iter().zip(beside).map(|(alone, beside)| {
        let place = (alone.position - beside.position).amax() / way;
        place.max((alone.velocity - beside.velocity).amax() / speed)
    });
    off.fold(0.0, f64::max)
}

#[track_caller]
fn assert_alike<const D: usize>(scenario: &Scenario<D>, names: &[StepperName])
where
    Scenario<D>: BuildStepper<D>,
{
    for (what, beside) in accompanied(scenario) {
        for &name in names {
            let off = difference(scenario, &beside, name);
            assert!(off <= SAME, "{name} beside {what}: {off:e}");
        }
    }
}

/// A throw that bounces, slides and is pushed.
fn throw() -> Scenario<2> {
    let mut throw = point([0.3, 0.2], [1.5, -0.4], 0.7);
    throw.ground.restitution = 0.6;
    throw.ground.friction = 0.2;
    throw.pushes = vec![Push { from: Some(0.4), to: Some(0.6), ..Push::constant([30.0, 5.0]) }];
    throw
}

#[test]
fn a_throw_in_the_plane_is_the_same_beside_something_far_away() {
    assert_alike(&throw(), &MODELS);
}

#[test]
fn a_throw_in_space_is_the_same_beside_something_far_away() {
    let mut throw = point([0.3, -0.1, 0.2], [1.5, 0.7, -0.4], 0.5);
    throw.ground.restitution = 0.5;
    assert_alike(&throw, &MODELS);
}

/// The text of a throw of one point, which `[particle]` or `[[body]]` gives, with or without a wall.
fn text_of_a_throw(moving: &str, wall: &str) -> Scenario<2> {
    let text = format!(
        "name = \"throw\"\nduration = 0.6\nstep = 1e-3\n{moving}\nmass = 2.0\nposition = [0.3, 0.2]\n\
         velocity = [1.5, -0.4]\n[ground]\nfriction = 0.2\nrestitution = 0.5\n{wall}"
    );
    let Ok(AnyScenario::InPlane(scenario)) = parse_scenario("throw.toml", &text, &[]) else {
        panic!("{text}");
    };
    let again = parse_scenario("again.toml", &scenario.to_toml(), &[]).expect("what is written is read");
    assert_eq!(again, AnyScenario::InPlane(scenario.clone()));
    scenario
}

#[test]
fn a_particle_and_a_body_of_a_file_are_the_same_point() {
    let wall = "[[wall]]\nnormal = [1.0, 0.0]\noffset = -1000.0\n\
                [[pair]]\nbodies = [\"body-0\", \"wall-0\"]\nfriction = 0.9\n";
    let body = "[[body]]\nshape = \"point\"";
    let alone = text_of_a_throw("[particle]", "");
    for beside in
        [text_of_a_throw("[particle]", wall), text_of_a_throw(body, wall), text_of_a_throw(body, "")]
    {
        for name in MODELS.into_iter().chain([StepperName::EXACT]) {
            let off = difference(&alone, &beside, name);
            assert!(off <= SAME, "{name}: {off:e}");
        }
    }
}

#[test]
fn settings_are_heeded_alike_beside_something_far_away() {
    let changed = |change: &dyn Fn(&mut Scenario<2>)| {
        let mut scenario = throw();
        change(&mut scenario);
        scenario
    };
    let alike = |name, change: &dyn Fn(&mut Scenario<2>)| assert_alike(&changed(change), &[name]);
    alike(StepperName::NLP, &|it| it.steppers.nlp.time_of_impact = true);
    alike(StepperName::NLP, &|it| it.steppers.nlp.solver = Some(NlpSolverChoice::InteriorPoint));
    alike(StepperName::NLP, &|it| it.steppers.nlp.epsilon = Some(1e-7));
    alike(StepperName::LCP, &|it| it.steppers.lcp.time_of_impact = true);
    alike(StepperName::LCP, &|it| it.steppers.lcp.solver = Some(LcpSolverChoice::InteriorPoint));
    alike(StepperName::LCP, &|it| it.steppers.lcp.restitution = RestitutionLaw::Poisson);
    alike(StepperName::LCP, &|it| it.steppers.impacts = Some(Impacts::TwoStage));
}

/// Steps are divided in the axes of a contact, whatever the dimension.
#[test]
fn divided_steps_in_space_are_those_in_the_plane() {
    let mut plane = throw();
    plane.pushes.clear();
    plane.duration = 1.0;
    let mut space = point([0.3, 0.0, 0.2], [1.5, 0.0, -0.4], 1.0);
    space.ground = plane.ground;
    for (name, divide) in [
        (StepperName::NLP, (|settings| settings.nlp.time_of_impact = true) as fn(&mut StepperSettings)),
        (StepperName::LCP, |settings| settings.lcp.time_of_impact = true),
    ] {
        divide(&mut plane.steppers);
        divide(&mut space.steppers);
        let (plane, space) = (run(&plane, name), run(&space, name));
        for (k, (plane, space)) in plane.bodies[0].states.iter().zip(&space.bodies[0].states).enumerate() {
            let [x, z] = plane.position.data.0[0];
            let off = (space.position - Vector::<3>::new(x, 0.0, z)).amax();
            assert!(off <= 1e-6, "{name}: step {k} is off by {off} m");
        }
    }
}

#[test]
fn random_throws_are_the_same_beside_something_far_away() {
    let numbers = (0.0..0.5_f64, -3.0..3.0_f64, -3.0..1.0_f64, 0.0..1.0_f64, 0.0..0.9_f64, 0.1..100.0_f64);
    let config = Config { cases: 12, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&numbers, |(height, along, down, friction, restitution, mass)| {
        let mut scenario = point([0.0, height], [along, down], 0.25);
        scenario.bodies[0].mass = mass;
        (scenario.ground.friction, scenario.ground.restitution) = (friction, restitution);
        for (what, beside) in accompanied(&scenario) {
            for name in MODELS {
                let off = difference(&scenario, &beside, name);
                prop_assert!(off <= SAME, "{name} beside {what}: {off:e}");
            }
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}
