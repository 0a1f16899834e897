//! What runs tell of their contacts: found by the way of the step, and measured from the poses that came of it.

use stickslip::{
    metrics::{Metrics, Summary},
    scenario::Scenario,
    simulate::simulate,
    stepper::{BuildStepper, StepStatus, StepperName},
    trajectory::{Trajectory, write_contacts_csv},
};

const NEAR_MISS: &str = r#"
name = "near-miss"
duration = 0.1
step = 1e-3
gravity = 0.0
[ground]
friction = 0.06
restitution = 0.95
[[body]]
shape = "sphere"
size = 0.028575
mass = 0.17
position = [-0.4, 0.05765, 1.0]
velocity = [8.0, 0.0, 0.0]
[[body]]
shape = "sphere"
size = 0.028575
mass = 0.17
position = [0.0, 0.0, 1.0]
"#;

const PLATE: &str = r#"
name = "plate"
duration = 0.02
step = 0.01
gravity = 0.0
[ground]
friction = 0.0
[[body]]
name = "plate"
shape = "box"
size = [1.0, 0.001]
mass = 1.0
fixed = true
position = [0.0, 5.0]
[[body]]
name = "box"
shape = "box"
size = [0.02, 0.015460266871549245]
mass = 1.0
angle = 5.461125802359543
position = [-0.5825419518448174, 5.413321401878849]
velocity = [37.79158319395393, -58.55753188789969]
spin = -58.05205391854531
"#;

fn run<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Trajectory<D>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = scenario.stepper(name).unwrap();
    simulate(scenario, stepper.as_mut())
}

fn gap_level() -> [StepperName; 3] {
    [StepperName::NLP, StepperName::LCP, StepperName::CONE]
}

#[test]
fn two_that_never_touch_pass_through_each_other() {
    let pair = "[[pair]]\nbodies = [\"body-0\", \"body-1\"]\ntouch = false\n";
    let aimed = NEAR_MISS.replace("0.05765", "0.0");
    let meets: Scenario<3> = aimed.parse().unwrap();
    let passes: Scenario<3> = format!("{aimed}{pair}").parse().unwrap();
    for name in gap_level().into_iter().chain([StepperName::CONVEX, StepperName::SMOOTH, StepperName::EXACT])
    {
        let end = run(&passes, name).final_state(1).velocity;
        assert_eq!(end.amax(), 0.0, "{name}");
    }
    for name in gap_level() {
        assert!(run(&meets, name).final_state(1).velocity.x > 7.0, "{name}");
        let trajectory = run(&passes, name);
        let metrics = Metrics::of(&trajectory, None);
        assert_eq!(metrics.get("max_overlap_on_way"), Some(0.0), "{name}");
        assert_eq!(
            Summary::of(&trajectory, metrics).warnings,
            Vec::<String>::new(),
            "{name}: it says something"
        );
    }
}

#[test]
fn balls_that_pass_each_other_keep_their_velocities() {
    let scenario: Scenario<3> = NEAR_MISS.parse().unwrap();
    for name in gap_level() {
        let trajectory = run(&scenario, name);
        let velocities = [0, 1].map(|body| trajectory.final_state(body).velocity);
        assert_eq!((velocities[0].x, velocities[0].y, velocities[1].amax()), (8.0, 0.0, 0.0), "{name}");
        let metrics = Metrics::of(&trajectory, None);
        assert_eq!(metrics.get("max_overlap_on_way"), Some(0.0), "{name}");
        assert!(metrics.get("max_false_impulse").unwrap_or(0.0) == 0.0, "{name}");
    }
}

/// The rigid models stop it; that the others let it pass shows in what is measured.
#[test]
fn a_box_through_a_plate_is_stopped_or_told_of() {
    let scenario: Scenario<2> = PLATE.parse().unwrap();
    let of = |name| {
        let trajectory = run(&scenario, name);
        let speed = trajectory.final_state(1).velocity.y;
        let summary = Summary::of(&trajectory, Metrics::of(&trajectory, None));
        (speed, summary.metrics.get("max_overlap_on_way").unwrap(), summary.overlap)
    };
    for name in gap_level() {
        let (speed, overlap, said) = of(name);
        assert!(speed > -50.0 && overlap < 1e-4, "{name}: {speed}, {overlap:e}");
        assert_eq!(said, None, "{name}");
    }
    for name in [StepperName::SMOOTH, StepperName::LCP_ANITESCU] {
        let (speed, overlap, said) = of(name);
        assert!(speed > -50.0 || overlap > 4e-4, "{name}: {speed}, {overlap:e}");
        assert!(speed > -50.0 || said.is_some(), "{name}: {speed}, {overlap:e}");
    }
}

/// What carries a force touches at the end of the step, and a file says so.
#[test]
fn contacts_tell_how_far_apart_they_end() {
    let scenario: Scenario<2> = r#"
        name = "landing"
        duration = 0.5
        step = 1e-3
        [ground]
        friction = 0.3
        [[body]]
        shape = "box"
        size = [1.0, 0.2]
        mass = 1.0
        fixed = true
        position = [0.0, 0.1]
        [[body]]
        shape = "box"
        size = [0.3, 0.2]
        mass = 1.0
        position = [0.0, 0.4]
        angle = 0.2
    "#
    .parse()
    .unwrap();
    let trajectory = run(&scenario, StepperName::NLP);
    assert_eq!(trajectory.count(StepStatus::Rescued) + trajectory.count(StepStatus::Failed), 0);
    let contacts = || (0..trajectory.steps.len()).flat_map(|k| trajectory.contacts.of_step(k));
    let carrying: Vec<f64> = contacts().filter_map(|contact| contact.gap_end).collect();
    assert!(carrying.len() > 100);
    assert!(
        carrying.iter().all(|gap| gap.abs() < 2e-5),
        "{:?}",
        carrying.iter().copied().fold(0.0, f64::max)
    );
    let mut file = Vec::new();
    write_contacts_csv(&trajectory, &mut file).unwrap();
    let text = String::from_utf8(file).unwrap();
    assert!(text.lines().next().unwrap().ends_with(",mode,gap_end"));
    let metrics = Metrics::of(&trajectory, None);
    assert!(metrics.get("max_false_impulse").unwrap() < 1e-4, "{:?}", metrics.get("max_false_impulse"));
}
