//! Several bodies, each for itself as long as they do not meet.

use stickslip::{
    model::{Orientation, Spin},
    scenario::{Body, Ends, PairContact, Rod, Scenario, Shape, SlidingFriction, Wall},
    stepper::Exact,
};

use crate::support::{assert_close, ball, end_of, run, scenario};

const G: f64 = 9.81;

fn boxed(size: f64, position: [f64; 2], velocity: [f64; 2]) -> Body<2> {
    Body { shape: Shape::Box { size: [size, size].into() }, ..Body::point(1.0, position, velocity) }
}

fn world<const D: usize>(bodies: Vec<Body<D>>, duration: f64) -> Scenario<D> {
    let mut scenario = Scenario::new("several");
    scenario.bodies = bodies;
    scenario.ground.friction = 0.2;
    scenario.duration = duration;
    scenario
}

/// A point, a disc, a box and a fixed anvil, none near another: each moves as it does alone.
#[test]
fn bodies_that_never_meet_move_each_for_itself() {
    let mut disc = ball(0.2, [0.0, 0.3], [0.5, 0.0]);
    disc.spin = Spin::new(-4.0, 0.0, 0.0);
    let mut tilted = boxed(0.4, [4.0, 0.4], [0.2, 0.0]);
    tilted.orientation = Orientation::Angle(0.3);
    let anvil = Body { fixed: true, ..boxed(1.0, [8.0, 0.5], [0.0; 2]) };
    let bodies = vec![Body::point(3.0, [-4.0, 1.0], [1.0, 0.0]), disc, tilted, anvil];
    let together = run(&world(bodies.clone(), 0.2)).0;
    for (index, body) in bodies.iter().enumerate().take(3) {
        let alone = run(&world(vec![body.clone()], 0.2)).0;
        assert_eq!(together.bodies[index].states, alone.bodies[0].states);
        if body.shape != Shape::Point {
            assert_eq!(together.bodies[index].attitudes, alone.bodies[0].attitudes);
        }
    }
    assert_eq!(together.final_state(3).position, bodies[3].position);
}

/// Two spheres roll into each other without slip: they meet when the gap is used up.
#[test]
fn two_that_meet_fail_in_that_step_and_are_named() {
    let rolling = |name: &str, x: f64, speed: f64| {
        let mut body = ball(0.1, [x, 0.0, 0.1], [speed, 0.0, 0.0]);
        body.spin = Spin::new(0.0, speed / 0.1, 0.0);
        Body { name: Some(name.to_owned()), ..body }
    };
    let mut scenario = world(vec![rolling("cue", 0.0, 0.9), rolling("red", 1.0, -0.31)], 2.0);
    scenario.step = 0.1;
    let met = 0.8 / 1.21;
    let why = end_of(&scenario);
    assert!(why.contains(&format!("at {met:.6} s cue meets red")), "{why} {met}");
    scenario.duration = 0.6;
    let (trajectory, _) = run(&scenario);
    assert_close(trajectory.final_state(1).position, [1.0 - 0.186, 0.0, 0.1], 1e-13);
}

/// Between two ends of steps at which they are apart, a fast disc goes through the other one's place.
#[test]
fn a_meeting_between_two_samples_is_seen() {
    let flying = ball(0.1, [-2.0, 5.0], [40.0, 0.0]);
    let other = Body { fixed: true, ..ball(0.1, [0.0, 5.0], [0.0; 2]) };
    let mut scenario = world(vec![flying, other], 0.5);
    (scenario.gravity, scenario.step) = (0.0, 0.5);
    let why = end_of(&scenario);
    assert!(why.contains("at 0.045000 s body-0 meets body-1"), "{why}");
    // It passes above it by a hair.
    scenario.bodies[1].position[1] -= 0.2 + 1e-7;
    run(&scenario);
}

/// A box that slides under a point that falls: the corner of a shape counts, not its reach.
#[test]
fn shapes_meet_where_they_are() {
    let falling = Body::point(1.0, [0.0, 1.2], [0.0; 2]);
    let mut scenario = world(vec![falling, boxed(0.4, [0.1, 0.2], [0.0; 2])], 1.0);
    let met = (2.0 * 0.8 / G).sqrt();
    let why = end_of(&scenario);
    assert!(why.contains(&format!("at {met:.6} s body-0 meets body-1")), "{why} {met}");
    scenario.bodies[1].position[0] = 0.2 + 1e-5;
    run(&scenario);
}

/// A turning body meets a wall: a disc that rolls, a rod that swings its end against it, and one that never does.
#[test]
fn a_body_that_turns_is_followed_up_to_a_wall() {
    let mut disc = ball(0.25, [0.0, 0.25], [2.0, 0.0]);
    disc.spin = Spin::new(-8.0, 0.0, 0.0);
    let mut scenario = world(vec![disc], 1.0);
    scenario.walls = vec![Wall::new([-1.0, 0.0], -1.5)];
    let why = end_of(&scenario);
    assert!(why.contains("at 0.625000 s body-0 meets wall-0"), "{why}");
    let rod = Body {
        shape: Shape::Rod { length: 2.0 },
        spin: Spin::new(1.0, 0.0, 0.0),
        ..Body::point(1.0, [0.0, 3.0], [0.0; 2])
    };
    scenario.bodies = vec![rod];
    (scenario.gravity, scenario.walls) = (0.0, vec![Wall::new([0.0, -1.0], -3.5)]);
    let met = std::f64::consts::FRAC_PI_6;
    let why = end_of(&scenario);
    assert!(why.contains(&format!("at {met:.6} s body-0 meets wall-0")), "{why}");
    scenario.walls[0].offset = -4.0 - 1e-6;
    scenario.duration = 2.0;
    run(&scenario);
}

/// Points pass each other, unless they are told to keep a distance.
#[test]
fn points_meet_only_at_a_distance_that_they_keep() {
    let mut apart = scenario([0.0, 1.0], [1.0, 0.0], 0.4);
    apart.gravity = 0.0;
    apart.bodies.push(Body::point(1.0, [1.0, 1.0], [-1.0, 0.0]));
    apart.duration = 1.0;
    run(&apart);
    apart.contacts = vec![PairContact {
        bodies: [0, 1],
        distance: 0.2,
        friction: None,
        sliding: SlidingFriction::default(),
    }];
    let why = end_of(&apart);
    assert!(why.contains("at 0.400000 s body-0 meets body-1"), "{why}");
}

#[test]
fn what_cannot_begin_is_refused_with_the_reason() {
    let why = |scenario: &Scenario<2>| Exact::new(scenario).unwrap_err().to_string();
    let stack = world(vec![boxed(0.4, [0.0, 0.2], [0.0; 2]), boxed(0.4, [0.1, 0.6], [0.0; 2])], 1.0);
    assert!(why(&stack).contains("body-0 and body-1 touch at the start"), "{}", why(&stack));
    let mut tied = world(vec![boxed(0.4, [0.0, 1.2], [0.0; 2]), boxed(0.4, [2.1, 0.6], [0.0; 2])], 1.0);
    tied.rods = vec![Rod { ends: Ends { bodies: [0, 1], points: [[0.0; 2].into(); 2] }, length: None }];
    assert!(why(&tied).contains("rods or springs"));
}
