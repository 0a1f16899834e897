//! Joints: bodies on pins move as the theory has it, and the rows of every kind of joint have the derivatives that their
//! differences show.

use std::f64::consts::FRAC_PI_2;

use nalgebra::{Rotation2, SVector, Vector2};
use stickslip::world::{
    Anchor, AxisLaw, DifferentiableWorld, Impacts, Joint, JointAxis, JointMemory, Motion, Surface, World,
    planar::{Body, Pose, Scene, Shape, Twist},
};

use crate::stepping::{cone, lcp, nlp, run};

const STEP: f64 = 1e-3;
const HALF: f64 = 0.5;

/// A uniform rod of 1 m and 1 kg, from `start` on at this angle from +x, which touches nothing.
fn rod(start: Vector2<f64>, angle: f64) -> Body {
    let centre = start + HALF * Vector2::new(angle.cos(), angle.sin());
    let body = Body::new(Shape::disc(1e-6).unwrap(), 1.0, Pose::new(centre.x, centre.y, angle));
    Body { inertia: 1.0 / 12.0, ..body }
}

fn head(body: usize) -> Anchor<2> {
    Anchor::on(body, Vector2::new(-HALF, 0.0))
}

fn tail(body: usize) -> Anchor<2> {
    Anchor::on(body, Vector2::new(HALF, 0.0))
}

fn scene(bodies: Vec<Body>, joints: Vec<Joint<2>>) -> Scene {
    Scene { ground: None, joints, ..Scene::over_ground(bodies, Surface::default(), 9.81) }
}

/// The period is `4 K(sin 1)` over `sqrt(3 g/2)`.
#[test]
fn a_pendulum_on_a_pin_has_the_period_of_the_elliptic_integral() {
    let origin = Vector2::zeros();
    let pin = Joint::pin([Anchor::in_world(origin), head(0)]);
    let scene = scene(vec![rod(origin, 2.0 - FRAC_PI_2)], vec![pin]);
    for model in [lcp, nlp, cone] {
        let motions = run(&scene, model(), Impacts::OneStage, STEP, 4000);
        let angle = |k: usize| motions[k].poses[0].angle + FRAC_PI_2;
        let down = |k: &usize| angle(*k) > 0.0 && angle(k + 1) <= 0.0;
        let crossing = |k: usize| STEP * (k as f64 + angle(k) / (angle(k) - angle(k + 1)));
        let crossings: Vec<f64> = (0..4000).filter(down).map(crossing).collect();
        assert!((crossings[1] - crossings[0] - 2.176_674_510).abs() < 3e-5, "{crossings:?}");
        let apart = motions.iter().map(|motion| {
            let Pose { position, angle } = motion.poses[0];
            (position - HALF * Vector2::new(angle.cos(), angle.sin())).norm()
        });
        // The gap is half of what a chord misses of an arc, l w^2 dt^2/2.
        assert!(apart.fold(0.0, f64::max) < 5e-5);
    }
}

/// The angles after 1 s were integrated in minimal coordinates, in two ways.
#[test]
fn two_rods_on_pins_move_as_the_double_pendulum() {
    let first = rod(Vector2::zeros(), 0.0);
    let second = rod(Vector2::new(1.0, 0.0), 0.5);
    let pins =
        vec![Joint::pin([Anchor::in_world(Vector2::zeros()), head(0)]), Joint::pin([tail(0), head(1)])];
    let motions = run(&scene(vec![first, second], pins), nlp(), Impacts::OneStage, STEP, 1000);
    for (pose, expected) in motions[1000].poses.iter().zip([-2.831_532_01, -2.232_446_12]) {
        assert!((pose.angle - expected).abs() < 8e-3, "{} {expected}", pose.angle);
    }
}

/// Every row of every kind, by central differences of poses that are displaced.
#[test]
fn rows_of_joints_change_as_their_derivatives_say() {
    let place = Vector2::new(0.2, -0.3);
    let anchors = [Anchor::on(0, Vector2::new(0.1, 0.4)), Anchor::on(1, Vector2::new(-0.3, 0.2))];
    // An axis at 0.3 rad in the world, as each of the two carries it.
    let frame = [0.4, -1.1].map(|angle| Rotation2::new(0.3 - angle).into_inner());
    let mut hinge = Joint::hinge(anchors, &frame);
    let mut slider = Joint::slider(anchors, &frame);
    for joint in [&mut hinge, &mut slider] {
        let law = AxisLaw::Sprung { rest: 0.3, stiffness: 2.0, damping: 0.1 };
        joint.axes.push(JointAxis { coordinate: joint.free[0], law });
    }
    let joints = vec![
        hinge,
        slider,
        Joint::weld(anchors, &frame),
        Joint::rod(anchors, 0.7),
        Joint::spring(anchors, 0.9, 120.0, 3.0),
        Joint::pin(anchors),
        Joint::pin([Anchor::in_world(place), anchors[1]]),
        Joint::pin([anchors[0], Anchor::in_world(place)]),
    ];
    let scene = scene(vec![rod(place, 0.4), rod(Vector2::new(1.0, 0.8), -1.1)], joints);
    let start = scene.initial_motion();
    let links = |motion: &Motion<Pose, 3>| {
        let mut links = Vec::new();
        scene.links(motion, STEP, &mut JointMemory::default(), &mut links);
        links
    };
    assert_eq!(links(&start).len(), 3 + 3 + 3 + 8);
    let size = 1e-6;
    for moved in 0..2 {
        let rates = scene.joint_rates(&start, (&JointMemory::default(), STEP), moved).links;
        for axis in 0..3 {
            let displaced = |by: f64| {
                let mut motion = start.clone();
                let step: Twist = SVector::from_fn(|i, _| if i == axis { by } else { 0.0 });
                let pose = &mut motion.poses[moved];
                *pose = Pose { position: pose.position + step.xy(), angle: pose.angle + step.z };
                links(&motion)
            };
            let [before, after] = [-size, size].map(displaced);
            for (rate, (before, after)) in rates.iter().zip(before.iter().zip(&after)) {
                let slope = (after.bias - before.bias) / (2.0 * size);
                assert!((slope - rate.bias[axis]).abs() < 1e-6 * (1.0 + slope.abs()), "{slope} {rate:?}");
                for end in 0..2 {
                    let slope = (after.jacobian[end] - before.jacobian[end]) / (2.0 * size);
                    assert!((slope - rate.rows[end].column(axis)).amax() < 1e-8, "{slope} {rate:?}");
                }
            }
        }
    }
}

/// What a row says of the velocities is how fast its coordinate changes: the bias of a rigid row is that over the step.
#[test]
fn rows_are_the_rates_of_their_coordinates() {
    let anchors = [Anchor::on(0, Vector2::new(0.1, 0.4)), Anchor::on(1, Vector2::new(-0.3, 0.2))];
    let frame = [0.4, -1.1].map(|angle| Rotation2::new(0.3 - angle).into_inner());
    let mut hinge = Joint::hinge(anchors, &frame);
    hinge.axes.push(JointAxis { coordinate: hinge.free[0], law: AxisLaw::Locked { at: 0.1 } });
    let joints = vec![Joint::rod(anchors, 0.7), Joint::pin(anchors), hinge, Joint::weld(anchors, &frame)];
    let scene = scene(vec![rod(Vector2::new(0.2, -0.3), 0.4), rod(Vector2::new(1.0, 0.8), -1.1)], joints);
    let start = scene.initial_motion();
    let velocities = [Twist::new(0.3, -0.2, 0.7), Twist::new(-0.5, 0.1, -1.3)];
    let biases = |time: f64| {
        let mut motion = start.clone();
        for (pose, velocity) in motion.poses.iter_mut().zip(velocities) {
            *pose = Pose {
                position: pose.position + velocity.xy() * time,
                angle: pose.angle + velocity.z * time,
            };
        }
        let mut links = Vec::new();
        scene.links(&motion, 1.0, &mut JointMemory::default(), &mut links);
        links
    };
    let (before, now, after) = (biases(-1e-6), biases(0.0), biases(1e-6));
    for ((before, now), after) in before.iter().zip(&now).zip(&after) {
        let rate = (after.bias - before.bias) / 2e-6;
        let row: f64 = now.jacobian.iter().zip(&velocities).map(|(row, velocity)| row.dot(velocity)).sum();
        assert!((rate - row).abs() < 1e-8, "{rate} {row}");
    }
}
