//! Many bodies for a long time.

use stickslip::{
    contact::{Islands, Structured},
    model::Orientation,
    scenario::Scenario,
    simulate::simulate,
    stepper::{BuildStepper, StepStatus, StepperName},
    trajectory::{Ending, Trajectory},
    world::{
        Impacts, Motion, Surface, TimeStepper,
        spatial::{Body, Pose, Scene, Shape, Twist},
    },
};

use crate::counting_allocator::live_bytes;

#[allow(dead_code, reason = "the example writes towers too")]
#[path = "../../examples/large_scene/scenes.rs"]
mod scenes;

fn in_plane(text: &str) -> Scenario<2> {
    text.parse().expect("a scenario in a vertical plane")
}

fn run<const D: usize>(scenario: &Scenario<D>) -> Trajectory<D>
where
    Scenario<D>: BuildStepper<D>,
{
    run_by(StepperName::NLP, scenario)
}

fn run_by<const D: usize>(name: StepperName, scenario: &Scenario<D>) -> Trajectory<D>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = scenario.stepper(name).unwrap();
    let trajectory = simulate(scenario, stepper.as_mut());
    // Not the states of a thousand bodies.
    let why =
        trajectory.first_failure.as_ref().map(|failure| format!("step {}: {}", failure.index, failure.error));
    assert_eq!(trajectory.ending, Ending::Complete, "{why:?}");
    assert_eq!(trajectory.count(StepStatus::Failed), 0);
    trajectory
}

fn drift<const D: usize>(trajectory: &Trajectory<D>) -> f64 {
    let of_body = trajectory.bodies.iter().map(|body| {
        let (first, last) = (&body.states[0], body.states.last().unwrap());
        (last.position - first.position).amax()
    });
    of_body.fold(0.0, f64::max)
}

#[test]
fn a_wall_of_forty_bricks_stands() {
    let mut scenario = in_plane(&scenes::wall(40));
    scenario.duration = 0.1;
    assert!(drift(&run(&scenario)) < 1e-9);
}

fn in_space(text: &str, steps: usize) -> Scenario<3> {
    let mut scenario: Scenario<3> = text.parse().expect("a scenario in space");
    scenario.duration = steps as f64 * scenario.step;
    scenario
}

#[test]
fn a_hundred_cubes_at_rest_take_every_exact_model_a_linear_system_or_a_few() {
    for (scene, text) in [("tower", scenes::tower(100)), ("chain", scenes::chain(100))] {
        for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
            let trajectory = run_by(name, &in_space(&text, 20));
            assert_eq!(trajectory.count(StepStatus::Solved), 20, "{scene} by {name}");
            let mut most = 0;
            trajectory.for_each_passage(|passage| {
                // Corners on the seam of two flush cubes come and go, and what was found of the step before with them.
                if passage.index > 0 {
                    most = most.max(passage.step.report.iterations);
                }
            });
            assert!(most <= 60, "{scene} by {name}: {most} iterations");
            assert!(drift(&trajectory) < 1e-8, "{scene} by {name}");
        }
    }
}

/// A tower whose cubes are soft begins to fall everywhere at once, and a wave of pressure runs up in it. At its front contacts
/// barely press, and which of them slide is decided by less than the rounding of the cost.
#[test]
fn a_wave_runs_up_a_soft_tower_of_300_cubes() {
    let trajectory = run_by(StepperName::CONVEX, &in_space(&scenes::tower(300), 20));
    let bodies = &trajectory.bodies;
    let speed = |body: usize| bodies[body].states.last().unwrap().velocity[2];
    assert!((speed(299) + 20.0 * 9.81e-3).abs() < 1e-6, "the top still falls freely: {}", speed(299));
    assert!(speed(0) > 0.01 * speed(299), "the foot is all but held: {}", speed(0));
}

#[test]
#[ignore = "many minutes"]
fn two_hundred_polyhedra_fall_into_a_pit_and_every_step_is_certified() {
    let scenario: Scenario<3> = scenes::polyhedra(200).parse().expect("a scenario in space");
    let trajectory = run(&scenario);
    assert_eq!(trajectory.count(StepStatus::Uncertified), 0);
}

#[test]
#[ignore = "minutes"]
fn a_wall_of_400_bricks_stands_for_ten_seconds() {
    let drift = drift(&run(&in_plane(&scenes::wall(400))));
    println!("drift {drift:.1e} m");
    assert!(drift < 1e-6, "{drift}");
}

#[test]
#[ignore = "many minutes"]
fn a_thousand_discs_fall_and_every_step_is_solved() {
    let trajectory = run(&in_plane(&scenes::discs(1000)));
    for body in &trajectory.bodies {
        let angle = body.attitudes.last().map(|attitude| attitude.orientation);
        assert!(matches!(angle, Some(Orientation::Angle(angle)) if angle.is_finite()));
        assert!(body.states.last().unwrap().position[1] > 0.03);
    }
}

#[test]
#[ignore = "many minutes"]
fn two_hundred_cubes_fall_and_every_step_is_solved() {
    let scenario: Scenario<3> = scenes::cubes(200).parse().expect("a scenario in space");
    run(&scenario);
}

/// Four stacks of five boxes that lean on nothing, the upper ones dropped.
fn twenty_boxes() -> Scene {
    let boxes = (0..20).map(|index| {
        let (stack, level) = (index / 5, index % 5);
        let z = 0.05 + 0.1 * level as f64 + 1e-3 * (level * level) as f64;
        let pose = Pose::upright(0.3 * stack as f64, 5e-3 * level as f64, z);
        let twist = Twist::new(0.02 * stack as f64, 0.0, 0.0, 0.0, 0.0, 0.1);
        Body { twist, ..Body::new(Shape::cuboid([0.1; 3]).unwrap(), 1.0, pose) }
    });
    Scene::over_ground(boxes.collect(), Surface::new(0.5, 0.0), 9.81)
}

/// Where the boxes are after this many steps on `threads` threads, and by how many bytes the memory in use
/// grew between a tenth of the way and the end.
fn pile(steps: usize, threads: usize) -> (Motion<Pose, 6>, isize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let scene = twenty_boxes();
        let model = Islands::new(|| Box::new(Structured::<3, 6>::default()));
        let mut stepper = TimeStepper::new(Box::new(model), Impacts::OneStage);
        let mut motion = scene.initial_motion();
        let forces = vec![Twist::zeros(); scene.bodies.len()];
        let mut early = 0;
        for step in 0..steps {
            stepper.step(&scene, &mut motion, &forces, 1e-3).unwrap_or_else(|why| panic!("{step}: {why}"));
            if step == steps / 10 {
                early = live_bytes();
            }
        }
        (motion, live_bytes() - early)
    })
}

/// The pile on one thread and on two, which take the same way; how its memory grew on one.
fn growth_of_pile(steps: usize) -> isize {
    let (alone, growth) = pile(steps, 1);
    let (together, _) = pile(steps, 2);
    assert_eq!(alone, together, "bit for bit");
    growth
}

#[test]
fn a_pile_takes_the_same_way_on_one_thread_and_on_two() {
    growth_of_pile(200);
}

#[test]
#[ignore = "minutes"]
fn a_pile_of_twenty_boxes_takes_no_more_memory_after_100_000_steps() {
    // While the boxes still fall, buffers grow with the contacts; a tenth of the way they have long come to rest.
    let growth = growth_of_pile(100_000);
    assert!(growth < 1 << 16, "{growth} bytes");
}
