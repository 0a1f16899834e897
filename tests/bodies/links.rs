//! Rods and springs between points of bodies, and points that touch at a distance among bodies.

use std::f64::consts::FRAC_PI_2;

use stickslip::{
    metrics::{Energy, Metrics, Summary, max_rod_error},
    model::{Orientation, Vector},
    scenario::{Body, Ends, Ground, PairContact, Rod, Scenario, Shape, SlidingFriction, Spring},
    simulate::simulate,
    stepper::{BuildStepper, StepStatus, StepperName},
    trajectory::{Ending, Trajectory},
};

use crate::scenes::run;

const RIGID: [StepperName; 4] =
    [StepperName::NLP, StepperName::LCP, StepperName::LCP_ANITESCU, StepperName::CONE];

const GRAVITY: f64 = 9.81;

fn vector<const D: usize>(x: f64, z: f64) -> Vector<D> {
    let mut vector = Vector::zeros();
    (vector[0], vector[D - 1]) = (x, z);
    vector
}

/// A board hung by rods of 1 m at its corners, all of them parallel and `angle` off the vertical: it swings as a
/// simple pendulum of that length, and does not turn.
fn swing<const D: usize>(angle: f64, step: f64, corners: &[Vector<D>]) -> Scenario<D> {
    let hang = vector::<D>(angle.sin(), -angle.cos());
    let centre = vector(0.0, 3.0);
    let shape = Shape::Box { size: Vector::from_fn(|i, _| if i == D - 1 { 0.1 } else { 0.8 }) };
    let mut bodies = vec![Body { shape, ..Body::point(2.0, centre, Vector::zeros()) }];
    let mut rods = Vec::new();
    for corner in corners {
        let anchor = centre + corner - hang;
        let ends = Ends { bodies: [0, bodies.len()], points: [*corner, Vector::zeros()] };
        bodies.push(Body { fixed: true, ..Body::point(1.0, anchor, Vector::zeros()) });
        rods.push(Rod { ends, length: None });
    }
    Scenario { duration: 0.8, step, bodies, rods, ..Scenario::new("swing") }
}

/// Where the board is after `time` s, counted from below the anchors, by the pendulum's equation in small steps.
fn pendulum(angle: f64, time: f64) -> [f64; 2] {
    let steps = 20_000;
    let dt = time / f64::from(steps);
    let (mut phi, mut rate) = (angle, 0.0);
    for _ in 0..steps {
        // The midpoint rule.
        let (half, half_rate) = (phi + 0.5 * dt * rate, rate - 0.5 * dt * GRAVITY * phi.sin());
        (phi, rate) = (phi + dt * half_rate, rate - dt * GRAVITY * half.sin());
    }
    [phi.sin(), -phi.cos()]
}

/// How far the board is from the pendulum at the end.
fn error_of_swing<const D: usize>(trajectory: &Trajectory<D>, angle: f64) -> f64 {
    let [x, z] = pendulum(angle, 0.8);
    let anchor = vector::<D>(0.0, 3.0) - vector(angle.sin(), -angle.cos());
    (trajectory.final_state(0).position - anchor - vector(x, z)).norm()
}

#[test]
fn a_board_on_two_rods_swings_as_a_pendulum_and_stays_level() {
    let corners = [[0.4, 0.05], [-0.4, 0.05]].map(Vector::<2>::from);
    for name in RIGID {
        let [coarse, fine] = [2e-3, 1e-3].map(|step| run(&swing(0.6, step, &corners), name));
        let [error, finer] = [&coarse, &fine].map(|trajectory| error_of_swing(trajectory, 0.6));
        assert!(finer < 3e-3 && (1.8..2.2).contains(&(error / finer)), "{name}: {error}, {finer}");
        let Orientation::Angle(angle) = fine.bodies[0].attitudes[800].orientation else { panic!("plane") };
        assert!(angle.abs() < 1e-7, "{name}: {angle}");
        assert!(max_rod_error(&fine) < 1e-5, "{name}: {}", max_rod_error(&fine));
    }
    // Rods of compliant models give a little.
    let trajectory = run(&swing(0.6, 1e-3, &corners), StepperName::CONVEX);
    assert!(error_of_swing(&trajectory, 0.6) < 1e-2 && max_rod_error(&trajectory) < 1e-3);
}

/// Two rods to one point hold it where it is.
#[test]
fn rods_at_the_centre_hold_what_rods_at_the_corners_let_swing() {
    let mut scenario = swing(0.6, 1e-3, &[[0.4, 0.05], [-0.4, 0.05]].map(Vector::<2>::from));
    let at_corners = run(&scenario, StepperName::CONE);
    scenario.rods.iter_mut().for_each(|rod| rod.ends.points[0] = Vector::zeros());
    let at_centre = run(&scenario, StepperName::CONE);
    let moved = (at_centre.final_state(0).position - scenario.bodies[0].position).norm();
    assert!(moved < 1e-6, "{moved}");
    let apart = (at_corners.final_state(0).position - at_centre.final_state(0).position).norm();
    assert!(apart > 0.1, "{apart}");
}

#[test]
fn a_plate_on_three_rods_swings_as_the_same_pendulum_in_space() {
    let corners = [[0.4, 0.4, 0.05], [0.4, -0.4, 0.05], [-0.4, 0.0, 0.05]].map(Vector::<3>::from);
    for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
        let trajectory = run(&swing(0.6, 2e-3, &corners), name);
        assert!(error_of_swing(&trajectory, 0.6) < 6e-3, "{name}: {}", error_of_swing(&trajectory, 0.6));
        let Orientation::Quaternion(turn) = trajectory.bodies[0].attitudes[400].orientation else {
            panic!("in space")
        };
        assert!(turn.angle() < 1e-6, "{name}: {}", turn.angle());
        assert!(max_rod_error(&trajectory) < 4e-5, "{name}: {}", max_rod_error(&trajectory));
    }
}

/// A spring pulls at a point beside the centre of mass: the point has the mass `1/(1/m + r^2/I)`.
#[test]
fn a_spring_beside_the_centre_moves_and_turns() {
    let (mass, inertia, arm, stiffness, impulse) = (2.0, 0.05, 0.2, 100.0, 1e-4);
    let body = Body {
        shape: Shape::Ball { radius: 0.3 },
        inertia: Some(stickslip::scenario::Inertia::Plane(inertia)),
        spin: [impulse * arm / inertia, 0.0, 0.0].into(),
        ..Body::point(mass, [0.0, 20.0], [0.0, impulse / mass])
    };
    let anchor = Body { fixed: true, ..Body::point(1.0, [arm, 10.0], [0.0; 2]) };
    let ends = Ends { bodies: [0, 1], points: [[arm, 0.0].into(), [0.0; 2].into()] };
    let softness = 1.0 / mass + arm * arm / inertia;
    let rate = (stiffness * softness).sqrt();
    let step = 1e-4;
    let scenario = Scenario {
        gravity: 0.0,
        step,
        duration: (FRAC_PI_2 / rate / step).round() * step,
        bodies: vec![body, anchor],
        springs: vec![Spring { ends, stiffness, damping: 0.0, length: None }],
        ..Scenario::<2>::new("spring")
    };
    for name in [StepperName::NLP, StepperName::CONE, StepperName::CONVEX] {
        let trajectory = run(&scenario, name);
        let [first, second] = [0, 1].map(|end| {
            let body = &trajectory.bodies[ends.bodies[end]];
            let arm = body.attitudes.last().unwrap().orientation.turn(&ends.points[end]);
            body.states.last().unwrap().position + arm
        });
        let stretched = (first - second).norm() - 10.0;
        let expected = impulse * softness / rate;
        assert!((stretched / expected - 1.0).abs() < 2e-3, "{name}: {stretched}, {expected}");
        let tracks: Vec<_> = trajectory.tracks().collect();
        let ends = [0, trajectory.steps.len()].into_iter();
        let [start, end] = Energy::over_time(&tracks, ends)[..] else { panic!("both") };
        assert_eq!(start.springs, 0.0);
        assert!((end.springs / start.total() - 1.0).abs() < 5e-3, "{name}: {start:?}, {end:?}");
    }
}

#[test]
fn what_joins_bodies_at_points_keeps_their_angular_momentum() {
    // Small enough never to touch: an impact moves bodies by another velocity than it leaves them.
    let rod = |x: f64, spin: f64| Body {
        shape: Shape::Ball { radius: 0.05 },
        inertia: Some(stickslip::scenario::Inertia::Plane((1.0 + x) / 12.0)),
        spin: [spin, 0.0, 0.0].into(),
        ..Body::point(1.0 + x, [x, 5.0], [0.0, x])
    };
    let ends = |first: f64, second: f64| Ends {
        bodies: [0, 1],
        points: [[first, 0.0].into(), [second, 0.0].into()],
    };
    let scenario = Scenario {
        gravity: 0.0,
        duration: 0.5,
        bodies: vec![rod(0.0, 3.0), rod(1.2, -5.0)],
        rods: vec![Rod { ends: ends(0.5, -0.5), length: None }],
        springs: vec![Spring { ends: ends(-0.3, 0.4), stiffness: 40.0, damping: 0.3, length: Some(1.0) }],
        ..Scenario::<2>::new("joined")
    };
    for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
        let trajectory = run(&scenario, name);
        let momentum = |k: usize| -> f64 {
            let of_body = |(body, motion): (&Body<2>, &stickslip::trajectory::Motion<2>)| {
                let (state, spin) = (motion.states[k], motion.attitudes[k].spin[0]);
                body.mass * (state.position.perp(&state.velocity) + spin / 12.0)
            };
            scenario.bodies.iter().zip(&trajectory.bodies).map(of_body).sum()
        };
        assert!((momentum(500) - momentum(0)).abs() < 1e-9, "{name}: {} {}", momentum(0), momentum(500));
        assert!(max_rod_error(&trajectory) < 2e-3, "{name}: {}", max_rod_error(&trajectory));
    }
}

#[test]
fn points_among_bodies_touch_at_the_distance_of_a_contact_and_pass_each_other_without() {
    let mut scenario = Scenario {
        duration: 0.3,
        ground: Ground { friction: 0.5, ..Ground::default() },
        bodies: vec![
            Body::point(1.0, [0.0, 0.0], [0.0; 2]),
            Body::point(1.0, [0.0, 0.101], [0.0; 2]),
            Body { shape: Shape::Ball { radius: 0.1 }, ..Body::point(1.0, [3.0, 0.1], [0.0; 2]) },
        ],
        contacts: vec![PairContact {
            bodies: [0, 1],
            distance: 0.1,
            friction: None,
            sliding: SlidingFriction::default(),
        }],
        ..Scenario::<2>::new("beads")
    };
    for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
        let top = run(&scenario, name).final_state(1);
        assert!((top.position[1] - 0.1).abs() < 1e-9 && top.velocity.amax() < 1e-6, "{name}: {top:?}");
    }
    scenario.contacts.clear();
    for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
        let top = run(&scenario, name).final_state(1);
        assert!(top.position[1].abs() < 1e-8, "{name}: {top:?}");
    }
}

/// Two bodies that fly along, `length` apart, with the rounding of that length between them.
fn flying<const D: usize>(length: f64, step: f64) -> Scenario<D> {
    let speed = vector(1.0, 0.0);
    let disc = |x: f64, mass: f64| Body {
        shape: Shape::Ball { radius: 0.05 },
        ..Body::point(mass, vector::<D>(x, 1.0), speed)
    };
    Scenario {
        duration: 0.3,
        step,
        bodies: vec![disc(0.0, 1.0), disc(length, 2.0)],
        ..Scenario::new("flying")
    }
}

#[test]
fn a_rod_that_is_off_by_more_than_a_hundredth_of_its_length_is_named() {
    let ends = Ends { bodies: [0, 1], points: [Vector::<2>::zeros(); 2] };
    let mut scenario = flying::<2>(0.2, 1e-2);
    (scenario.gravity, scenario.rods) = (0.0, vec![Rod { ends, length: None }]);
    scenario.bodies[0].velocity = vector(0.0, 0.0);
    for (speed, is_named) in [(0.1, false), (6.0, true)] {
        scenario.bodies[1].velocity = vector(0.0, speed);
        let trajectory = run(&scenario, StepperName::LCP);
        let summary = Summary::of(&trajectory, Metrics::of(&trajectory, None));
        let strain = summary.metrics.get("max_rod_strain").expect("a rod");
        assert!(
            (strain - max_rod_error(&trajectory) / 0.2).abs() < 1e-12 && (strain > 1e-2) == is_named,
            "{strain}"
        );
        let told = summary.stretched.unwrap_or_default();
        assert_eq!(told.contains("% of its length, the shortest is 0.2 m long"), is_named, "{told}");
    }
}

#[test]
fn bodies_that_fly_along_with_a_rod_or_a_spring_between_them_are_solved() {
    let ends = Ends { bodies: [0, 1], points: [Vector::<2>::zeros(); 2] };
    for (length, step) in [(0.2, 1e-3), (0.3, 1e-3), (0.9, 2e-3), (1.3, 1e-2)] {
        let plain = flying::<2>(length, step);
        let joined = Scenario { rods: vec![Rod { ends, length: None }], ..plain.clone() };
        let spring = Spring { ends, stiffness: 1e6, damping: 0.0, length: None };
        let sprung = Scenario { springs: vec![spring], ..plain };
        for name in RIGID {
            assert!(max_rod_error(&run(&joined, name)) < 1e-13, "{name}, {length} m");
            run(&sprung, name);
        }
    }
}

/// A point on the ground below a fixed one, with a rod between them that is longer than their distance: it would have to
/// go through the ground. `lcp` in space answered with impulses beside which the speed of that vanished.
#[test]
fn a_rod_that_leaves_no_room_is_not_called_solved() {
    let ends = Ends { bodies: [0, 1], points: [Vector::<3>::zeros(); 2] };
    for (distance, friction) in [(2.0, 1.0), (2.7, 0.0)] {
        let anchor = Body { fixed: true, ..Body::point(1.0, vector(0.0, distance), Vector::zeros()) };
        let scenario = Scenario {
            duration: 1e-3,
            step: 1e-4,
            ground: Ground { friction, ..Ground::default() },
            bodies: vec![anchor, Body::point(90.0, Vector::zeros(), Vector::zeros())],
            rods: vec![Rod { ends, length: Some(2.75) }],
            ..Scenario::<3>::new("no-room")
        };
        for name in RIGID {
            let trajectory = simulate(&scenario, scenario.stepper(name).unwrap().as_mut());
            assert_eq!(trajectory.ending, Ending::Failed, "{name}, {distance} m");
        }
    }
}

/// A rod that starts too long is right after a step, and from then on the speed along it shrinks to numbers that have no
/// digits left: nothing is to be solved relative to that.
#[test]
fn bodies_that_fall_with_a_rod_of_a_given_length_between_them_are_solved_to_the_end() {
    let ends = Ends { bodies: [0, 1], points: [Vector::<2>::zeros(); 2] };
    for (start, length, gravity) in [(1.2, 1.0, GRAVITY), (0.3, 0.3, GRAVITY), (1.2, 1.0, 0.0)] {
        let mut scenario = flying::<2>(start, 1e-3);
        scenario.gravity = gravity;
        scenario.bodies.iter_mut().for_each(|body| (body.position[1], body.velocity[0]) = (50.0, 0.0));
        (scenario.bodies[0].position[0], scenario.bodies[1].position[0]) = (0.1, 0.1 + start);
        scenario.rods = vec![Rod { ends, length: Some(length) }];
        for name in RIGID.into_iter().chain([StepperName::CONVEX]) {
            let trajectory = run(&scenario, name);
            let rescued =
                trajectory.steps.iter().filter(|step| step.report.status != StepStatus::Solved).count();
            assert_eq!(rescued, 0, "{name}, {start} m");
        }
    }
}

#[test]
fn a_spring_in_flight_is_solved_at_the_first_attempt() {
    let ends = Ends { bodies: [0, 1], points: [Vector::<2>::zeros(); 2] };
    for (stiffness, damping) in [(1e2, 0.0), (1e6, 0.0), (1e6, 100.0)] {
        let mut scenario = flying::<2>(0.5, 1e-3);
        scenario.bodies.iter_mut().for_each(|body| body.position[1] = 5.0);
        scenario.bodies[0].velocity[1] = 1.0;
        scenario.duration = 0.9;
        scenario.springs = vec![Spring { ends, stiffness, damping, length: Some(0.4) }];
        for name in RIGID {
            let trajectory = run(&scenario, name);
            let rescued =
                trajectory.steps.iter().filter(|step| step.report.status != StepStatus::Solved).count();
            assert_eq!(rescued, 0, "{name}, {stiffness} N/m");
        }
    }
}

/// Particles in a row on the ground, joined by rods, of which the heavy first drags the others along: sweeps over friction
/// and rods one after the other would need a hundred thousand.
#[test]
fn penalty_steps_of_a_long_chain_are_solved() {
    let ground = Ground { friction: 0.5, ..Ground::default() };
    let mut scenario =
        Scenario { duration: 0.05, bodies: Vec::new(), ground, ..Scenario::<2>::new("dragged") };
    for index in 0..80 {
        let (mass, speed) = if index == 0 { (1e6, 1.0) } else { (1.0, 0.0) };
        scenario.bodies.push(Body::point(mass, [0.05 * f64::from(index), 0.0], [speed, 0.0]));
    }
    let ends = |index| Ends { bodies: [index, index + 1], points: [Vector::zeros(); 2] };
    scenario.rods = (0..79).map(|index| Rod { ends: ends(index), length: None }).collect();
    let trajectory = run(&scenario, StepperName::SMOOTH);
    assert!(max_rod_error(&trajectory) < 1e-9, "{}", max_rod_error(&trajectory));
    // Where nothing touches there is one answer, whatever the model of contact.
    for (index, body) in scenario.bodies.iter_mut().enumerate() {
        (body.position[1], body.fixed) = (10.0, index == 0);
        body.velocity = Vector::zeros();
    }
    let smooth = run(&scenario, StepperName::SMOOTH);
    let other = run(&scenario, StepperName::LCP);
    for body in [1, 40, 79] {
        let apart = (smooth.final_state(body).position - other.final_state(body).position).norm();
        assert!(apart < 1e-9, "{body}: {apart}");
    }
}
