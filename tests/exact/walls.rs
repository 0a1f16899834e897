//! Points between the ground and walls: closed forms.

use std::f64::consts::FRAC_1_SQRT_2;

use stickslip::{
    model::Vector,
    scenario::{Pair, Partner, Scenario, Wall},
    stepper::{BuildStepper, ContactMode, EventKind, Exact, StepperName},
};

use crate::support::{assert_close, end_of, run, scenario, sine, window};

const G: f64 = 9.81;

fn left_and_right(width: f64) -> Vec<Wall<2>> {
    vec![Wall::new([1.0, 0.0], 0.0), Wall::new([-1.0, 0.0], -width)]
}

/// Between two walls without gravity: the speed falls by `e` at each, the time between hits grows by `1/e`.
#[test]
fn a_ball_between_two_walls_loses_a_share_of_its_speed_at_each() {
    let (e, width, speed) = (0.8, 0.5, 3.0);
    let mut scenario = scenario([0.0, 1.0], [speed, 0.0], 2.0);
    scenario.gravity = 0.0;
    scenario.walls = left_and_right(width);
    for wall in &mut scenario.walls {
        (wall.restitution, wall.friction) = (Some(e), Some(0.7));
    }
    scenario.step = 0.01;
    let (trajectory, events) = run(&scenario);
    let (mut time, mut now) = (0.0, speed);
    let mut hits = 0;
    while time + width / now < scenario.duration {
        time += width / now;
        assert_eq!(events[hits].kind, EventKind::Impact);
        assert!((events[hits].time - time).abs() < 1e-13, "{} {time}", events[hits].time);
        let impulse = 10.0 * (1.0 + e) * now * if hits % 2 == 0 { -1.0 } else { 1.0 };
        assert_close(events[hits].impulse, [impulse, 0.0], 1e-12);
        now *= e;
        hits += 1;
    }
    assert_eq!(events.len(), hits);
    let sign = if hits % 2 == 0 { 1.0 } else { -1.0 };
    assert_close(trajectory.final_state(0).velocity, [sign * now, 0.0], 1e-12);
}

/// The friction of a wall acts along it: it takes `mu (1 + e) vx` of what rises along a vertical wall.
#[test]
fn a_wall_that_is_hit_has_friction_and_restitution_of_its_own() {
    let mut scenario = scenario([0.0, 1.0], [2.0, 1.5], 0.1);
    scenario.ground.restitution = 0.9;
    scenario.walls =
        vec![Wall { friction: Some(0.25), restitution: Some(0.4), ..Wall::new([-1.0, 0.0], -0.101) }];
    let (trajectory, events) = run(&scenario);
    let hit = 0.0505;
    assert!((events[0].time - hit).abs() < 1e-15);
    let rising = 1.5 - G * hit - 0.25 * 1.4 * 2.0;
    let left = 0.1 - hit;
    let end = trajectory.final_state(0);
    assert_close(end.velocity, [-0.8, rising - G * left], 1e-13);
    let height = 1.0 + 1.5 * hit - 0.5 * G * hit * hit + rising * left - 0.5 * G * left * left;
    assert_close(end.position, [0.101 - 0.8 * left, height], 1e-13);
    let contacts = trajectory.contacts.of_step(50);
    assert_eq!((contacts.len(), contacts[0].second), (1, Partner::Wall(0)));
    assert_eq!((contacts[0].normal, contacts[0].mode), ([-1.0, 0.0].into(), ContactMode::Slip));
}

/// A ramp of 30 degrees is a wall: the point slides down it by `g (sin a - mu cos a)`.
#[test]
fn a_point_slides_down_a_ramp() {
    let (sin, cos) = (0.5, 0.75_f64.sqrt());
    let mut scenario = scenario([0.0, 0.0], [0.0, 0.0], 0.6);
    scenario.bodies[0].position = [-cos, sin + 1.0].into();
    // Through (0, 1), falling to the right.
    let ramp = Wall { friction: Some(0.2), ..Wall::new([sin, cos], cos) };
    scenario.walls = vec![ramp];
    let (trajectory, _) = run(&scenario);
    let way = 0.5 * G * (sin - 0.2 * cos) * 0.36;
    let end = trajectory.final_state(0);
    assert_close(end.position, [-cos + way * cos, sin + 1.0 - way * sin], 1e-13);
    let forces: Vector<2> = trajectory.bodies[0].steps[300].force;
    assert!((forces.norm() - 10.0 * G * cos * 1.04_f64.sqrt()).abs() < 1e-9, "{forces}");
    assert_eq!(trajectory.contacts.of_step(300)[0].mode, ContactMode::Slip);
    // It holds on a rougher one.
    scenario.walls[0].friction = Some(0.6);
    let (trajectory, _) = run(&scenario);
    assert_close(trajectory.final_state(0).position, scenario.bodies[0].position, 1e-13);
}

/// From the ramp onto the ground: the corner takes what goes into the ground, and friction with it.
#[test]
fn at_the_foot_of_a_ramp_it_goes_on_along_the_ground() {
    let (sin, cos) = (0.6, 0.8);
    let mut scenario = scenario([0.0, 0.0], [0.0, 0.0], 4.0);
    scenario.ground.friction = 0.1;
    scenario.bodies[0].position = [-cos, sin].into();
    scenario.walls = vec![Wall { friction: Some(0.0), ..Wall::new([sin, cos], 0.0) }];
    let (trajectory, events) = run(&scenario);
    // 1 m of way at 0.6 g.
    let (foot, speed) = ((2.0 / (0.6 * G)).sqrt(), (2.0 * 0.6 * G).sqrt());
    assert!((events[0].time - foot).abs() < 1e-12, "{events:?}");
    let along = speed * cos - 0.1 * speed * sin;
    let stop = along * along / (2.0 * 0.1 * G);
    assert_close(trajectory.final_state(0).position, [stop, 0.0], 1e-11);
    assert_eq!(events.last().unwrap().kind, EventKind::SlidingStops);
    assert!((events.last().unwrap().time - foot - along / (0.1 * G)).abs() < 1e-11);
}

/// It slides into a vertical wall: the wall gives it `e` of its speed back along the ground.
#[test]
fn a_wall_on_the_ground_sends_it_back_or_keeps_it() {
    let mut scenario = scenario([0.0, 0.0], [2.0, 0.0], 3.0);
    scenario.walls = vec![Wall { restitution: Some(0.5), ..Wall::new([-1.0, 0.0], -1.0) }];
    let end = |scenario: &Scenario<2>| run(scenario).0.final_state(0);
    let at_wall = (4.0 - 2.0 * 0.1 * G).sqrt();
    let back = (0.5 * at_wall).powi(2) / (2.0 * 0.1 * G);
    assert_close(end(&scenario).position, [1.0 - back, 0.0], 1e-12);
    scenario.walls[0].restitution = Some(0.0);
    assert_close(end(&scenario).position, [1.0, 0.0], 1e-14);
    // It stops before a wall that is further off, which then changes nothing.
    scenario.walls[0].offset = -2.5;
    let with = end(&scenario);
    scenario.walls.clear();
    assert_eq!(with, end(&scenario));
}

/// In a corner that a push presses it into, wall and ground share the forces as statics says.
#[test]
fn a_point_rests_in_a_corner() {
    let mut scenario = scenario([0.0, 0.0], [0.0, 0.0], 0.3);
    scenario.walls = vec![Wall { friction: Some(0.0), ..Wall::new([-1.0, 0.0], 0.0) }];
    scenario.pushes = vec![window([30.0, 0.0], 0.0, 0.2)];
    let (trajectory, _) = run(&scenario);
    assert_close(trajectory.final_state(0).position, [0.0, 0.0], 0.0);
    let contacts = trajectory.contacts.of_step(100);
    let sum: Vector<2> = contacts.iter().map(|contact| contact.force).sum();
    assert_close(sum, [-30.0, 98.1], 1e-9);
    // Smooth ground leaves all to the wall.
    scenario.ground.friction = 0.0;
    let (trajectory, _) = run(&scenario);
    for contact in trajectory.contacts.of_step(100) {
        let expected: Vector<2> = match contact.second {
            Partner::Ground => [0.0, 98.1].into(),
            _ => [-30.0, 0.0].into(),
        };
        assert_close(contact.force, expected, 1e-9);
    }
}

/// A gutter along `y` of two planes at 45 degrees: each carries `m g/sqrt(2)`, so that `mu sqrt(2) g` brakes.
#[test]
fn a_point_slides_along_the_edge_of_two_walls_in_space() {
    let mut scenario = scenario([0.0, 0.0, 1.0], [0.0, 2.0, 0.0], 1.0);
    let side = |x: f64| Wall {
        friction: Some(0.2),
        ..Wall::new([x * FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2], FRAC_1_SQRT_2)
    };
    scenario.walls = vec![side(1.0), side(-1.0)];
    let (trajectory, events) = run(&scenario);
    let brake = 0.2 * 2.0_f64.sqrt() * G;
    assert_close(trajectory.final_state(0).position, [0.0, 2.0 / brake, 1.0], 1e-12);
    assert_close(trajectory.final_state(0).velocity, [0.0; 3], 0.0);
    let stop = events.iter().find(|event| event.kind == EventKind::SlidingStops).unwrap();
    assert!((stop.time - 2.0 / brake).abs() < 1e-12);
    let at = trajectory.bodies[0].states[500].position;
    assert!((at[1] - (2.0 * 0.5 - 0.5 * brake * 0.25)).abs() < 1e-12, "{at}");
    let forces: Vec<f64> =
        trajectory.contacts.of_step(10).iter().map(|contact| contact.force.norm()).collect();
    assert_eq!(forces.len(), 2);
    for force in forces {
        assert!((force - 10.0 * G * FRAC_1_SQRT_2 * 1.04_f64.sqrt()).abs() < 1e-8, "{force}");
    }
}

/// A belt is a wall that moves: the point is taken along until it has its speed, and bounces off it with slip against it.
#[test]
fn a_belt_takes_a_point_along() {
    let mut scenario = scenario([0.0, 1.0], [0.0, 0.0], 1.0);
    scenario.walls = vec![Wall { friction: Some(0.3), velocity: [1.2, 0.0], ..Wall::new([0.0, 1.0], 1.0) }];
    let (trajectory, _) = run(&scenario);
    let stops = 1.2 / (0.3 * G);
    let way = 0.5 * 1.2 * stops + 1.2 * (1.0 - stops);
    assert_close(trajectory.final_state(0).position, [way, 1.0], 1e-12);
    assert_close(trajectory.final_state(0).velocity, [1.2, 0.0], 1e-14);
}

/// A pair's friction and restitution hold between that point and the ground, or the wall.
#[test]
fn pairs_are_heeded() {
    let mut scenario = scenario([0.0, 0.0], [2.0, 0.0], 2.0);
    scenario.ground.friction = 0.9;
    scenario.ground.restitution = 0.9;
    scenario.walls = vec![Wall::new([-1.0, 0.0], -0.5)];
    let pair = |second, friction, restitution| Pair {
        friction: Some(friction),
        restitution: Some(restitution),
        ..Pair::between(0, second)
    };
    scenario.pairs = vec![pair(Partner::Ground, 0.1, 0.0), pair(Partner::Wall(0), 0.0, 0.25)];
    let at_wall = (4.0 - 2.0 * 0.1 * G * 0.5).sqrt();
    let back = (0.25 * at_wall).powi(2) / (2.0 * 0.1 * G);
    assert_close(run(&scenario).0.final_state(0).position, [0.5 - back, 0.0], 1e-12);
}

/// The infinitely many bounces between ground and an overhanging wall end, and long ones in a box keep their energy.
#[test]
fn bouncing_in_a_wedge_comes_to_its_end() {
    let mut scenario = scenario([0.2, 0.02], [1.0, 0.5], 2.0);
    scenario.ground.restitution = 0.6;
    // Leans over by 40 degrees.
    let lean = 40.0_f64.to_radians();
    scenario.walls = vec![Wall::new([-lean.cos(), -lean.sin()], -0.5)];
    scenario.step = 0.05;
    let end = run(&scenario).0.final_state(0);
    assert!(end.velocity.amax() < 1e-12 && end.position[1] == 0.0, "{end:?}");
    let mut elastic = scenario.clone();
    elastic.ground.restitution = 1.0;
    elastic.ground.friction = 0.0;
    elastic.walls = left_and_right(0.5);
    elastic.duration = 100.0;
    let energy = |position: Vector<2>, velocity: Vector<2>| 0.5 * velocity.norm_squared() + G * position[1];
    let (trajectory, _) = run(&elastic);
    let [first, last] = [elastic.initial_state(0), trajectory.final_state(0)]
        .map(|state| energy(state.position, state.velocity));
    assert!((first - last).abs() < 1e-11 * first, "{first} {last}");
    assert!(
        trajectory.bodies[0].states.iter().all(|state| (-1e-12..=0.5 + 1e-12).contains(&state.position[0]))
    );
}

/// Samples do not disturb the motion, and units do not matter.
#[test]
fn steps_and_units_do_not_matter() {
    let thrown = |size: f64, step: f64| {
        let unit = size.sqrt();
        let mut scenario = scenario([0.3 * size, 0.4 * size], [2.3 * unit, 1.1 * unit], 2.0 * unit);
        scenario.ground.restitution = 0.7;
        scenario.ground.friction = 0.15;
        scenario.step = step * unit;
        let lean = 1.2_f64;
        scenario.walls = vec![
            Wall::new([1.0, 0.0], 0.0),
            Wall { friction: Some(0.3), ..Wall::new([-lean.sin(), lean.cos()], -0.8 * size) },
        ];
        run(&scenario).0.final_state(0).position / size
    };
    let expected = thrown(1.0, 1e-3);
    for (size, step) in [(1.0, 0.25), (1.0, 0.5), (1e-6, 1e-3), (1e3, 1e-3)] {
        assert_close(thrown(size, step), expected, 1e-9);
    }
}

/// Under a swinging push too the wall is met when it is reached, and no other time.
#[test]
fn a_swinging_push_drives_it_against_a_wall() {
    let mut scenario = scenario([0.0, 1.0], [0.0, 0.0], 1.2);
    scenario.gravity = 0.0;
    scenario.walls = vec![Wall { restitution: Some(0.0), ..Wall::new([-1.0, 0.0], -0.2) }];
    scenario.pushes = vec![sine([20.0, 0.0], 0.5, 0.0)];
    scenario.step = 0.1;
    let (trajectory, events) = run(&scenario);
    // x = (2/w) t - (2/w^2) sin w t with w = pi.
    let way = |t: f64| {
        let w = std::f64::consts::PI;
        2.0 / w * t - 2.0 / (w * w) * (w * t).sin()
    };
    let hit = events.iter().find(|event| event.kind == EventKind::Impact).unwrap();
    assert!((way(hit.time) - 0.2).abs() < 1e-12, "{}", hit.time);
    // It is pressed on until the push turns around at 1 s, and leaves by it.
    let back = {
        let (w, t) = (std::f64::consts::PI, 0.2);
        2.0 / w * t - 2.0 / (w * w) * (w * t).sin()
    };
    let end = trajectory.final_state(0).position[0];
    assert!((end - (0.2 - back)).abs() < 1e-9, "{end} {back}");
}

#[test]
fn what_is_not_determined_fails_in_its_step() {
    // A wedge that holds by friction alone as well as it lets go.
    let mut scenario = scenario([0.0, 0.0], [0.0, 0.0], 0.2);
    scenario.ground.friction = 2.0;
    scenario.walls = vec![Wall { friction: Some(2.0), ..Wall::new([-1.0, 0.0], 0.0) }];
    scenario.pushes = vec![window([-30.0, 120.0], 0.1, 0.2)];
    let why = end_of(&scenario);
    assert!(why.contains("at 0.100000 s") && why.contains("touches at once"), "{why}");
    let mut buried = scenario.clone();
    buried.walls[0].offset = 0.5;
    let refusal = Exact::new(&buried).unwrap_err().to_string();
    assert!(refusal.contains("deep in wall-0"), "{refusal}");
    assert!(buried.stepper(StepperName::EXACT).is_err());
}
