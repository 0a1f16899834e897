//! Capsules: how far they are from others, what they weigh, how they lie and roll.

use nalgebra::{Point3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::world::{
    BodyPart, Surface, World,
    spatial::{self, Pose, Shape},
};

use crate::{
    heaps::assert_heaps_settle,
    scenes::{MODELS_IN_SPACE, cuboid, in_space, run, solid, sphere},
};

const G: f64 = 9.81;

fn capsule(radius: f64, length: f64) -> Shape {
    Shape::capsule(radius, length).expect("a capsule")
}

/// A capsule whose axis lies along `axis`.
fn lying(radius: f64, length: f64, place: [f64; 3], axis: Vector3<f64>) -> spatial::Body {
    let mut body = solid(capsule(radius, length), 1.0, place, [0.0; 3], false);
    body.pose.orientation = UnitQuaternion::rotation_between(&Vector3::z(), &axis).expect("an axis");
    body
}

/// The least value of a convex function on [0, 1].
fn least(of: impl Fn(f64) -> f64) -> f64 {
    let (mut from, mut to) = (0.0, 1.0);
    for _ in 0..60 {
        let [a, b] = [from + (to - from) / 3.0, to - (to - from) / 3.0];
        if of(a) < of(b) { to = b } else { from = a }
    }
    of(0.5 * (from + to))
}

fn random_pose(random: &mut StdRng, spread: f64) -> Pose {
    let mut vector = |size: f64| Vector3::from_fn(|_, _| random.random_range(-size..size));
    Pose { position: vector(spread), orientation: UnitQuaternion::from_scaled_axis(vector(3.0)) }
}

/// The least gap that is found between the two bodies, and whether the contact that has it holds: with its normal the point
/// of one body is that far from the other.
fn found(shapes: [&Shape; 2], poses: [&Pose; 2]) -> f64 {
    let bodies = [0, 1].map(|end| spatial::Body::new(shapes[end].clone(), 1.0, *poses[end]));
    let scene = in_space(bodies.into(), Surface::new(0.0, 0.0), G);
    let mut touches = Vec::new();
    let pair = [0, 1].map(BodyPart::whole);
    World::<3, 6>::touches_of_pair(&scene, pair, poses, 10.0, None, &mut touches);
    touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min)
}

#[test]
fn gaps_are_those_of_the_nearest_points_by_search() {
    let mut random = StdRng::seed_from_u64(11);
    let (radius, length) = (0.1, 0.5);
    let own = capsule(radius, length);
    let half = Vector3::new(0.2, 0.15, 0.3);
    let (box_, ball, other) = (cuboid((half * 2.0).into()), sphere(0.12), capsule(0.07, 0.3));
    let (mut outside, mut crossings) = (0, 0);
    for _ in 0..600 {
        let [a, b] = [random_pose(&mut random, 0.4), random_pose(&mut random, 0.4)];
        let place = |pose: &Pose, length: f64, share: f64| {
            pose.transform(&Vector3::new(0.0, 0.0, (share - 0.5) * length))
        };
        let to_box = |point: Vector3<f64>| {
            let seen = b.orientation.inverse() * (point - b.position);
            (seen.abs() - half).sup(&Vector3::zeros()).norm()
        };
        let from_box = least(|share| to_box(place(&a, length, share)));
        if from_box > 1e-3 {
            outside += 1;
            for gap in [found([&own, &box_], [&a, &b]), found([&box_, &own], [&b, &a])] {
                assert!((gap - (from_box - radius)).abs() < 1e-9, "box: {gap} {}", from_box - radius);
            }
        }
        let from_centre = least(|share| (place(&a, length, share) - b.position).norm());
        let gap = found([&own, &ball], [&a, &b]);
        assert!((gap - (from_centre - radius - 0.12)).abs() < 1e-9, "ball: {gap}");
        let apart = |share: f64| least(|at| (place(&a, length, share) - place(&b, 0.3, at)).norm());
        let from_other = least(apart);
        let gap = found([&own, &other], [&a, &b]);
        assert!((gap - (from_other - radius - 0.07)).abs() < 1e-7, "capsule: {gap} {from_other}");
        let ends = [apart(0.0), apart(1.0)];
        crossings += usize::from(from_other < ends[0].min(ends[1]) - 1e-3);
    }
    assert!(outside > 200 && crossings > 60, "{outside} {crossings}");
}

#[test]
fn every_contact_with_a_box_keeps_what_is_apart_apart() {
    // A contact forbids gaps below 0 along its normal: no point of the box may be beyond its plane, moved by the gap.
    let mut random = StdRng::seed_from_u64(5);
    let (own, half) = (capsule(0.1, 0.5), Vector3::new(0.2, 0.15, 0.3));
    let box_ = cuboid((half * 2.0).into());
    for _ in 0..2000 {
        let [a, b] = [random_pose(&mut random, 0.5), random_pose(&mut random, 0.3)];
        let bodies = vec![spatial::Body::new(own.clone(), 1.0, a), spatial::Body::new(box_.clone(), 1.0, b)];
        let scene = in_space(bodies, Surface::new(0.0, 0.0), G);
        let mut touches = Vec::new();
        World::<3, 6>::touches_of_pair(
            &scene,
            [0, 1].map(BodyPart::whole),
            [&a, &b],
            0.3,
            None,
            &mut touches,
        );
        if touches.iter().any(|touch| touch.gap < 0.0) {
            continue;
        }
        assert!(touches.len() <= 3);
        for touch in &touches {
            let seen = b.orientation.inverse() * touch.normal;
            let reach = seen.abs().dot(&half);
            let beyond = touch.normal.dot(&(touch.point - b.position)) - reach;
            assert!((beyond - touch.gap).abs() < 1e-6, "{beyond} {}", touch.gap);
        }
    }
}

#[test]
fn it_weighs_as_the_sum_of_its_slices() {
    let (radius, length) = (0.13, 0.4);
    let own = capsule(radius, length);
    let (mut volume, mut along, mut across) = (0.0, 0.0, 0.0);
    let slices = 200_000;
    let top = 0.5 * length + radius;
    for slice in 0..slices {
        let height = top * ((f64::from(slice) + 0.5) / f64::from(slices) * 2.0 - 1.0);
        let beyond = (height.abs() - 0.5 * length).max(0.0);
        let square = radius * radius - beyond * beyond;
        let weight = std::f64::consts::PI * square * 2.0 * top / f64::from(slices);
        volume += weight;
        along += weight * square / 2.0;
        across += weight * (square / 4.0 + height * height);
    }
    assert!((own.volume() / volume - 1.0).abs() < 1e-9);
    let inertia = own.inertia(2.0);
    for (axis, expected) in [(0, across), (1, across), (2, along)] {
        assert!((inertia[(axis, axis)] / (2.0 * expected / volume) - 1.0).abs() < 1e-8, "{axis}");
    }
    assert_eq!(own.reach(), radius + 0.5 * length);
}

#[test]
fn it_lies_still_on_the_ground_on_a_box_and_across_two_rails() {
    for (name, model) in MODELS_IN_SPACE {
        let table = solid(cuboid([1.0, 0.3, 0.2]), 1.0, [3.0, 0.0, 0.1], [0.0; 3], true);
        let rail = |y: f64| solid(cuboid([0.02, 0.02, 0.2]), 1.0, [6.0, y, 0.1], [0.0; 3], true);
        let bodies = vec![
            lying(0.1, 0.5, [0.0, 0.0, 0.1], Vector3::new(1.0, 0.4, 0.0)),
            lying(0.1, 0.5, [3.0, 0.0, 0.3], Vector3::new(0.3, 1.0, 0.0)),
            lying(0.1, 0.5, [6.0, 0.02, 0.3], Vector3::y()),
            lying(0.1, 0.5, [9.0, 0.0, 0.35], Vector3::z()),
            table,
            rail(0.15),
            rail(-0.15),
        ];
        let scene = in_space(bodies, Surface::new(0.5, 0.0), G);
        let run = run(&scene, model(), 1e-3, 300);
        for (body, (end, start)) in run.end().poses.iter().zip(&run.motions[0].poses).take(3).enumerate() {
            let moved = (end.position - start.position).norm();
            let turned = end.orientation.angle_to(&start.orientation);
            assert!(moved < 1e-9 && turned < 1e-7, "{name}, {body}: {moved:e} m, {turned:e} rad");
        }
        assert_eq!(run.uncertified(), [], "{name}");
    }
}

#[test]
fn it_rolls_as_a_cylinder_of_its_inertia() {
    let (radius, speed) = (0.1, 2.0);
    for (name, model) in MODELS_IN_SPACE {
        let mut body = lying(radius, 0.5, [0.0, 0.0, radius], Vector3::y());
        body.twist[0] = speed;
        let inertia = body.inertia[(2, 2)];
        let scene = in_space(vec![body], Surface::new(0.3, 0.0), G);
        let run = run(&scene, model(), 1e-3, 600);
        // It slides until it rolls: what friction takes from the motion it gives to the spin.
        let rolls = speed / (1.0 + inertia / (radius * radius));
        let end = &run.end().velocities[0];
        assert!((end[0] - rolls).abs() < 1e-6, "{name}: {} {rolls}", end[0]);
        // The spin is about its own axis, which is y of the world.
        assert!((end[5] - rolls / radius).abs() < 1e-5, "{name}: {end}");
        assert!((run.end().poses[0].position.z - radius).abs() < 1e-9, "{name}");
    }
}

#[test]
fn heaps_of_capsules_settle_and_overlap_by_no_more_than_what_turns_in_a_step() {
    let (own, box_, ball) = (capsule(0.06, 0.2), cuboid([0.2, 0.16, 0.12]), sphere(0.09));
    let heaps = [
        ("alone", vec![own.clone()]),
        ("and balls", vec![own.clone(), ball.clone()]),
        ("and boxes", vec![own.clone(), box_.clone()]),
        ("and both", vec![own, box_, ball]),
    ];
    assert_heaps_settle(&heaps, 1.0);
}

#[test]
fn parts_that_are_capsules_are_where_their_body_has_them() {
    let turn = UnitQuaternion::from_euler_angles(0.0, std::f64::consts::FRAC_PI_2, 0.0);
    let member = |y: f64, orientation| {
        let pose = Pose { position: Vector3::new(0.0, y, 0.0), orientation };
        spatial::Member::uniform(capsule(0.05, 0.4), 1.0, pose)
    };
    let (cross, centre) =
        Shape::compound(&[member(0.1, turn), member(-0.1, UnitQuaternion::identity())]).unwrap();
    assert!(centre.norm() < 1e-15);
    // Along x the first reaches 0.25, along z the second.
    let body = spatial::Body::new(cross, 2.0, Pose::upright(0.0, 0.0, 0.25));
    let scene = in_space(vec![body], Surface::new(0.5, 0.0), G);
    let mut touches = Vec::new();
    World::<3, 6>::touches_of_planes(&scene, 0, &scene.bodies[0].pose, 0.05, &mut touches);
    assert_eq!(touches.len(), 1);
    assert!((Point3::from(touches[0].point) - Point3::new(0.0, -0.1, 0.0)).norm() < 1e-15);
    assert!((touches[0].gap).abs() < 1e-15);
}
