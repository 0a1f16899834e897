//! Rigid bodies in the plane from scenario files.

use std::path::Path;

use stickslip::{
    model::Orientation,
    scenario::{AnyScenario, Override, Scenario, read_scenario},
    simulate::simulate,
    stepper::{BuildStepper, ContactMode, StepStatus, StepperName},
    trajectory::{Ending, Trajectory},
    world::{Impacts, Partner},
};

const EXAMPLES: [&str; 13] = [
    "tipping-box",
    "slope-box",
    "rocking-block",
    "backspin-disc",
    "rod-drop",
    "painleve-rod",
    "dominoes",
    "stack",
    "wedge",
    "conveyor",
    "cradle",
    "arch",
    "ram",
];

const RIGID: [StepperName; 3] = [StepperName::NLP, StepperName::LCP, StepperName::CONE];

pub fn example(name: &str, overrides: &[&str]) -> Scenario<2> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/scenarios/{name}.toml"));
    let overrides: Vec<Override> = overrides.iter().map(|text| text.parse().unwrap()).collect();
    match read_scenario(&path, &overrides).unwrap() {
        AnyScenario::InPlane(scenario) => scenario,
        AnyScenario::OverPlane(_) => panic!("{name} is in the plane"),
    }
}

pub fn run<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Trajectory<D>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = scenario.stepper(name).unwrap();
    let trajectory = simulate(scenario, stepper.as_mut());
    let what = &scenario.name;
    assert_eq!(trajectory.ending, Ending::Complete, "{what} {name}: {:?}", trajectory.first_failure);
    trajectory
}

fn angle(trajectory: &Trajectory<2>, body: usize, k: usize) -> f64 {
    match trajectory.bodies[body].attitudes[k].orientation {
        Orientation::Angle(angle) => angle,
        Orientation::Quaternion(_) => panic!("in the plane"),
    }
}

/// Largest difference of the pose of body 0 between two runs.
pub fn difference(a: &Trajectory<2>, b: &Trajectory<2>) -> f64 {
    let differences = (0..a.bodies[0].states.len()).map(|k| {
        let off = a.bodies[0].states[k].position - b.bodies[0].states[k].position;
        off.amax().max((angle(a, 0, k) - angle(b, 0, k)).abs())
    });
    differences.fold(0.0, f64::max)
}

#[test]
fn every_example_runs_by_every_model() {
    for name in EXAMPLES {
        let scenario = example(name, &[]);
        for stepper in [
            StepperName::NLP,
            StepperName::LCP,
            StepperName::LCP_ANITESCU,
            StepperName::CONE,
            StepperName::CONVEX,
            StepperName::SMOOTH,
        ] {
            let trajectory = run(&scenario, stepper);
            assert_eq!(trajectory.count(StepStatus::Failed), 0, "{name} {stepper}");
        }
    }
}

/// How far anything has moved from where it started, in m and rad.
fn drift(trajectory: &Trajectory<2>) -> f64 {
    let mut largest = 0.0_f64;
    for (body, motion) in trajectory.bodies.iter().enumerate() {
        for (k, state) in motion.states.iter().enumerate() {
            let off = (state.position - motion.states[0].position).amax();
            largest = largest.max(off).max((angle(trajectory, body, k) - angle(trajectory, body, 0)).abs());
        }
    }
    largest
}

#[test]
fn a_house_of_cards_stands_by_exact_friction_creeps_by_convex_and_falls_with_less() {
    let house = example("card-house", &["duration=0.1"]);
    assert_eq!(house.bodies.len(), 26);
    let off = drift(&run(&house, StepperName::NLP));
    assert!(off < 1e-9, "{off:e}");
    let off = drift(&run(&house, StepperName::CONVEX));
    assert!(off > 1e-6, "compliant friction creeps: {off:e}");
    let slippery = example("card-house", &["duration=0.3", "ground.friction=0.3"]);
    let off = drift(&run(&slippery, StepperName::NLP));
    assert!(off > 0.05, "{off:e}");
}

/// Where the exact motion is known, rigid models are within some millimetres and hundredths of a radian.
#[test]
fn rigid_models_follow_the_exact_motion_of_the_examples() {
    let bounds = [
        ("tipping-box", 1.1e-3),
        ("slope-box", 9e-4),
        ("backspin-disc", 1.7e-2),
        ("rod-drop", 2.9e-3),
        ("rocking-block", 0.12),
    ];
    for (name, bound) in bounds {
        let scenario = example(name, &[]);
        let exact = run(&scenario, StepperName::EXACT);
        for stepper in RIGID {
            let off = difference(&run(&scenario, stepper), &exact);
            assert!(off < bound, "{name} {stepper}: {off:e}");
        }
    }
}

#[test]
fn the_exact_motion_refuses_what_it_does_not_know_and_says_why() {
    let refused = |name: &str| example(name, &[]).stepper(StepperName::EXACT).err().unwrap().to_string();
    assert!(refused("painleve-rod").contains("Painleve"));
    // What happens later fails in its step, with the time.
    let fails = |name: &str, overrides: &[&str]| {
        let scenario = example(name, overrides);
        let mut exact = scenario.stepper(StepperName::EXACT).expect("it can begin");
        let failure = simulate(&scenario, exact.as_mut()).first_failure.expect("it fails");
        (failure.time, failure.error.to_string())
    };
    let (time, why) = fails("rod-drop", &["duration=0.6"]);
    assert!(
        why.contains("at 0.451374 s a second corner lands") && (time - 0.451).abs() < 1e-9,
        "{time} {why}"
    );
    let (_, why) = fails("rod-drop", &["ground.restitution=0.5"]);
    assert!(why.contains("at 0.312137 s a corner lands, restitution is 0.5"), "{why}");
    let (_, why) = fails("dominoes", &[]);
    assert!(why.contains(" meets "), "{why}");
}

#[test]
fn the_exact_motion_balances_momentum() {
    let scenario = example("rod-drop", &[]);
    let trajectory = run(&scenario, StepperName::EXACT);
    let motion = &trajectory.bodies[0];
    for k in 0..trajectory.steps.len() {
        let change = motion.states[k + 1].velocity - motion.states[k].velocity;
        let impulse = motion.steps[k].force * scenario.step + scenario.gravity_vector() * scenario.step;
        assert!((change - impulse).amax() < 1e-12);
    }
}

#[test]
fn the_crate_on_the_conveyor_catches_up_with_the_belt() {
    let scenario = example("conveyor", &[]);
    for stepper in RIGID {
        let trajectory = run(&scenario, stepper);
        let end = trajectory.final_state(0);
        assert!((end.velocity[0] - 1.0).abs() < 1e-6, "{stepper}: {end:?}");
        // It slips by v^2/(2 mu g) and then keeps its place on the belt.
        let slipped = 0.8 - end.position[0];
        assert!((slipped - 1.0 / (2.0 * 0.3 * 9.81)).abs() < 1e-3, "{stepper}: {slipped}");
        let last = trajectory.contacts.of_step(799);
        assert_eq!(last.len(), 2);
        assert!(last.iter().all(|contact| contact.second == Partner::Wall(0)));
        assert!(last.iter().all(|contact| contact.mode == ContactMode::Stick), "{stepper} {last:?}");
    }
}

#[test]
fn the_arch_stands_with_friction_and_falls_without() {
    for stepper in RIGID {
        let standing = run(&example("arch", &[]), stepper);
        for body in 0..7 {
            let off = standing.final_state(body).position - standing.bodies[body].states[0].position;
            assert!(off.amax() < 1e-6, "{stepper} {body}: {off:?}");
        }
    }
    let falling = run(&example("arch", &["ground.friction=0.2"]), StepperName::NLP);
    let keystone = falling.bodies[3].states[0].position[1] - falling.final_state(3).position[1];
    assert!(keystone > 0.05, "{keystone}");
}

/// Blows that follow each other pass the motion on to the last of discs that touch; restitution of all contacts at once has the
/// others leave together.
#[test]
fn touching_discs_make_a_cradle_where_their_blows_are_followed() {
    for (impacts, expected) in [("incremental", [0.0, 0.0, 0.0, 1.0]), ("one-stage", [-0.5, 0.5, 0.5, 0.5])] {
        for stepper in RIGID {
            let trajectory = run(&example("cradle", &[&format!("stepper.impacts={impacts}")]), stepper);
            let speeds: Vec<f64> = (0..4).map(|body| trajectory.final_state(body).velocity[0]).collect();
            for (speed, expected) in speeds.iter().zip(expected) {
                assert!((speed - expected).abs() < 1e-6, "{stepper}, {impacts}: {speeds:?}");
            }
        }
    }
}

#[test]
fn dominoes_do_not_sink_into_each_other() {
    let trajectory = run(&example("dominoes", &[]), StepperName::LCP);
    let deepest = |steps: usize| {
        let gaps = (0..steps).flat_map(|k| trajectory.contacts.of_step(k).iter().map(|contact| contact.gap));
        gaps.fold(0.0, f64::min)
    };
    // Of what the linearised gaps of turning faces miss in a step, nothing adds up.
    assert!(deepest(1300) > -2e-6, "{:e}", deepest(1300));
    assert!(deepest(2500) > -1e-5, "{:e}", deepest(2500));
    assert!(angle(&trajectory, 4, 2500) < -0.5, "the last one fell");
}

#[test]
fn impacts_in_two_stages_can_be_asked_for() {
    let mut scenario = example("rod-drop", &[]);
    let one = run(&scenario, StepperName::LCP);
    scenario.steppers.impacts = Some(Impacts::TwoStage);
    let two = run(&scenario, StepperName::LCP);
    assert!(difference(&one, &two) > 1e-4);
}

/// A push at a point off the centre turns the body; a torque does, too.
#[test]
fn pushes_turn_bodies_by_their_arm() {
    let base = "name = \"push\"\nduration = 0.1\nstep = 1e-3\ngravity = 0.0\n[ground]\nfriction = 0.0\n[[body]]\nshape = \"box\"\n\
                size = [0.4, 0.2]\nmass = 2.0\nposition = [0.0, 5.0]\n[[push]]\nbody = \"body-0\"\n";
    let spin = |push: &str| {
        let text = format!("{base}{push}");
        let AnyScenario::InPlane(scenario) =
            stickslip::scenario::parse_scenario("push.toml", &text, &[]).unwrap()
        else {
            panic!("in the plane")
        };
        let trajectory = run(&scenario, StepperName::LCP);
        trajectory.bodies[0].attitudes[100].spin[0]
    };
    let inertia = 2.0 * (0.16 + 0.04) / 12.0;
    let by_torque = spin("force = [0.0, 0.0]\ntorque = 0.5\n");
    assert!((by_torque - 0.5 * 0.1 / inertia).abs() < 1e-12, "{by_torque}");
    let by_force = spin("force = [0.0, 2.0]\npoint = [0.1, 0.0]\n");
    // The arm turns with the body a little.
    assert!((by_force - 0.2 * 0.1 / inertia).abs() < 1e-2 * by_force, "{by_force}");
}
