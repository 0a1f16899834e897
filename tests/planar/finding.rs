//! Which contacts a step takes part in, where they are, and their Jacobian rows.

use std::f64::consts::PI;

use nalgebra::{Point2, SMatrix, Vector2};
use proptest::prelude::*;
use stickslip::world::{
    Motion, Partner, Plane, Surface, Surfaces, Touch, World,
    planar::{Body, Pose, Scene, Shape, Twist},
};

use crate::data;

fn touches(scene: &Scene, motion: &Motion<Pose, 3>, dt: f64) -> Vec<Touch<2, 3>> {
    touches_under(&Twist::zeros(), scene, motion, dt)
}

/// What touches where each body is under a `wrench`.
fn touches_under(wrench: &Twist, scene: &Scene, motion: &Motion<Pose, 3>, dt: f64) -> Vec<Touch<2, 3>> {
    let (mut margins, mut touches) = (Vec::new(), Vec::new());
    scene.margins(motion, &vec![*wrench; scene.bodies.len()], dt, &mut margins);
    scene.find_touches(motion, &margins, &[], &mut touches);
    touches
}

#[test]
fn what_a_push_brings_to_the_ground_within_the_step_takes_part() {
    // At rest without gravity, half a millimetre over the ground; a corner comes 1 mm nearer in the step.
    let body = Body::new(Shape::rectangle(0.4, 0.2).unwrap(), 1.0, Pose::new(0.0, 0.1005, 0.0));
    let scene = Scene::over_ground(vec![body], Surface::new(0.5, 0.0), 0.0);
    let inertia = (0.16 + 0.04) / 12.0;
    let none = Twist::zeros();
    let (down, torque) = (Twist::new(0.0, -10.0, 0.0), Twist::new(0.0, 0.0, 10.0 * inertia / 0.2));
    for (wrench, expected) in [(none, 0), (down, 2), (torque, 2)] {
        let found = touches_under(&wrench, &scene, &scene.initial_motion(), 1e-2);
        assert_eq!(found.len(), expected, "{wrench}");
    }
}

#[test]
fn the_reference_steps_have_the_same_contacts_and_rows() {
    for step in data::steps() {
        let found = touches(&step.scene, &step.scene.initial_motion(), step.dt);
        let kind = &step.kind;
        assert_eq!(found.len(), step.contacts.len(), "{kind}");
        for (index, (touch, contact)) in found.iter().zip(&step.contacts).enumerate() {
            assert_eq!((touch.first, touch.second), (contact.first, contact.second), "{kind} {index}");
            let off = (touch.point - contact.point).amax() + (touch.normal - contact.normal).amax();
            assert!(off < 1e-14 && (touch.gap - contact.gap).abs() < 1e-15, "{kind} {index}: {touch:?}");
            for (row, reference) in [&step.normal_rows, &step.tangent_rows].into_iter().enumerate() {
                for (body, jacobian) in touch.bodies.iter().zip(&touch.jacobian) {
                    let Some(body) = body else { continue };
                    let expected = reference.fixed_view::<1, 3>(index, 3 * body);
                    assert!((jacobian.row(row) - expected).amax() < 1e-14, "{kind} {index} {row}");
                }
            }
        }
    }
}

#[test]
fn the_free_velocities_of_the_reference_steps_are_those_of_gravity() {
    for step in data::steps() {
        let motion = step.scene.initial_motion();
        let mut free = Vec::new();
        let forces = vec![Twist::zeros(); step.scene.bodies.len()];
        step.scene.free_velocity(&motion, &forces, step.dt, &mut free);
        for (body, free) in free.iter().enumerate() {
            assert!((free - step.free_velocity.fixed_rows::<3>(3 * body)).amax() < 1e-14, "{}", step.kind);
        }
    }
}

/// A box, rod, disc or pentagon of about half a metre.
fn shape() -> impl Strategy<Value = Shape> {
    let size = 0.2..0.6;
    prop_oneof![
        (size.clone(), size.clone()).prop_map(|(width, height)| Shape::rectangle(width, height).unwrap()),
        size.clone().prop_map(|length| Shape::rod(length).unwrap()),
        size.clone().prop_map(|radius| Shape::disc(0.5 * radius).unwrap()),
        size.prop_map(|size| {
            let corner = |i: u32| {
                let (sin, cos) = (2.0 * PI * f64::from(i) / 5.0).sin_cos();
                Point2::new(size * cos, 0.8 * size * sin)
            };
            Shape::polygon(&(0..5).map(corner).collect::<Vec<_>>()).unwrap()
        }),
    ]
}

fn body() -> impl Strategy<Value = Body> {
    (shape(), -0.4..0.4, -0.4..0.4, -PI..PI, prop::array::uniform3(-1.0..1.0)).prop_map(
        |(shape, x, z, angle, twist)| Body {
            twist: Twist::from(twist),
            ..Body::new(shape, 1.0, Pose::new(x, z, angle))
        },
    )
}

/// Two bodies over a slanted plane, so close that they often touch.
fn scene() -> impl Strategy<Value = Scene> {
    (body(), body(), -1.0..1.0).prop_map(|(first, second, angle): (_, _, f64)| {
        let surface = Surface::new(0.3, 0.0);
        let plane = Plane {
            normal: Vector2::new(angle.sin(), angle.cos()),
            offset: -0.3,
            velocity: Vector2::zeros(),
        };
        Scene { ground: Some(plane), ..Scene::over_ground(vec![first, second], surface, 9.81) }
    })
}

/// Long enough for everything nearby to take part.
const LONG_STEP: f64 = 0.1;

fn after(motion: &Motion<Pose, 3>, dt: f64) -> Motion<Pose, 3> {
    let poses = motion.poses.iter().zip(&motion.velocities);
    Motion { poses: poses.map(|(pose, twist)| pose.advance(twist, dt)).collect(), ..motion.clone() }
}

/// The touch that is `touch` a moment later: same partners, nearly the same place and normal. Where a corner stands over the end of
/// a face, two touches are as near to each other: it is the nearer one.
fn successor<'a>(touch: &Touch<2, 3>, later: &'a [Touch<2, 3>]) -> Option<&'a Touch<2, 3>> {
    let close = |other: &&Touch<2, 3>| {
        (other.first, other.second) == (touch.first, touch.second)
            && (other.point - touch.point).norm() < 1e-4
            && (other.normal - touch.normal).norm() < 1e-4
    };
    let away = |other: &Touch<2, 3>| (other.point - touch.point).norm();
    later.iter().filter(close).min_by(|a, b| away(a).total_cmp(&away(b)))
}

proptest! {
    /// The normal row is the rate of the gap: of the body's own corner against a plane, and of the
    /// incident corner against the face. (A point that the clipping cut off slides along its edge, so
    /// that its gap changes by the slope of the edge as well; those are left to the next test.)
    #[test]
    fn normal_rows_are_rates_of_gaps(scene in scene()) {
        let motion = scene.initial_motion();
        let moment = 1e-6;
        let (before, later) = (after(&motion, -moment), after(&motion, moment));
        let (before, later) = (touches(&scene, &before, LONG_STEP), touches(&scene, &later, LONG_STEP));
        for touch in touches(&scene, &motion, LONG_STEP) {
            let is_feature = match touch.second {
                Partner::Body(_) => [touch.first, 1].into_iter().any(|body| {
                    match &scene.bodies[body].shape {
                        Shape::Disc { .. } => true,
                        Shape::Compound(_) => unreachable!("no body here has parts"),
                        Shape::Polygon(polygon) => polygon.corners().iter().any(|corner| {
                            (motion.poses[body].transform(corner) - touch.point).norm() < 1e-12
                        }),
                    }
                }),
                _ => true,
            };
            if let (Some(a), Some(b), true) =
                (successor(&touch, &before), successor(&touch, &later), is_feature)
            {
                let rate = (b.gap - a.gap) / (2.0 * moment);
                let expected = touch.relative_velocity(&motion.velocities)[0];
                prop_assert!((rate - expected).abs() < 1e-6, "{rate} {expected} {touch:?}");
            }
        }
    }

    /// Rows are those of the relative velocity of the two bodies' material points at the contact.
    #[test]
    fn rows_are_relative_velocities_at_the_point(scene in scene()) {
        let motion = scene.initial_motion();
        let velocity_at = |body: Option<usize>, point: &Vector2<f64>| body.map_or_else(Vector2::zeros, |body| {
            let (arm, v) = (point - motion.poses[body].position, motion.velocities[body]);
            Vector2::new(v.x - v.z * arm.y, v.y + v.z * arm.x)
        });
        for touch in touches(&scene, &motion, LONG_STEP) {
            let [first, second] = touch.bodies.map(|body| velocity_at(body, &touch.point));
            let (n, u) = (touch.normal, first - second);
            let expected = Vector2::new(n.dot(&u), n.y * u.x - n.x * u.y);
            prop_assert!((touch.relative_velocity(&motion.velocities) - expected).amax() < 1e-12);
        }
    }

    /// The point lies on the surface of one body, a gap away along the normal from that of the other.
    #[test]
    fn points_lie_on_the_surfaces(scene in scene()) {
        let motion = scene.initial_motion();
        let shallow = |touch: &Touch<2, 3>| touch.gap > -0.5 * touch.reach;
        for touch in touches(&scene, &motion, LONG_STEP).into_iter().filter(shallow) {
            prop_assert!((touch.normal.norm() - 1.0).abs() < 1e-12);
            let surface = |body: usize| match &scene.bodies[body].shape {
                Shape::Disc { radius } => ((touch.point - motion.poses[body].position).norm() - radius).abs(),
                Shape::Compound(_) => unreachable!("no body here has parts"),
                Shape::Polygon(polygon) => {
                    let corners: Vec<_> =
                        polygon.corners().iter().map(|corner| motion.poses[body].transform(corner)).collect();
                    distance_from_outline(&corners, &touch.point)
                }
            };
            if let Partner::Body(second) = touch.second {
                let (a, b) = (surface(touch.first), surface(second));
                let discs = [touch.first, second]
                    .iter()
                    .all(|body| matches!(scene.bodies[*body].shape, Shape::Disc { .. }));
                let expected = if discs { 0.5 * touch.gap.abs() } else { 0.0 };
                prop_assert!((a.min(b) - expected).abs() < 1e-12, "{a} {b} {touch:?}");
            } else {
                prop_assert!(surface(touch.first) < 1e-12);
                let plane = scene.ground.unwrap();
                let height = plane.normal.dot(&touch.point) - plane.offset;
                prop_assert!((height - touch.gap).abs() < 1e-12);
            }
        }
    }

    /// Mirrored scenes have mirrored contacts.
    #[test]
    fn a_mirrored_scene_has_mirrored_contacts(scene in scene()) {
        let mirror = Vector2::new(-1.0, 1.0);
        let mut mirrored = scene.clone();
        for body in &mut mirrored.bodies {
            if let Shape::Polygon(polygon) = &body.shape {
                // The order of the corners turns round, but a box still starts at the same face.
                let corners: Vec<_> = polygon.corners().iter().map(|c| Point2::from(c.component_mul(&mirror)))
                    .rev().collect();
                if corners.len() > 2 {
                    body.shape = Shape::polygon(&corners).unwrap();
                }
            }
            body.pose = Pose { position: body.pose.position.component_mul(&mirror), angle: -body.pose.angle };
            body.twist = Twist::new(-body.twist.x, body.twist.y, -body.twist.z);
        }
        if let Some(ground) = &mut mirrored.ground {
            ground.normal = ground.normal.component_mul(&mirror);
        }
        let found = touches(&scene, &scene.initial_motion(), LONG_STEP);
        let reflected = touches(&mirrored, &mirrored.initial_motion(), LONG_STEP);
        prop_assert_eq!(found.len(), reflected.len());
        for touch in &found {
            let twin = reflected.iter().find(|other| {
                (other.first, other.second) == (touch.first, touch.second)
                    && (other.point - touch.point.component_mul(&mirror)).norm() < 1e-12
                    && (other.normal - touch.normal.component_mul(&mirror)).norm() < 1e-12
            });
            let twin = twin.expect("the mirrored contact");
            prop_assert!((twin.gap - touch.gap).abs() < 1e-12);
            let signs = SMatrix::<f64, 2, 3>::new(-1.0, 1.0, -1.0, 1.0, -1.0, 1.0);
            // Normal rows keep their sign, tangents turn round.
            let signs = SMatrix::<f64, 2, 3>::from_rows(&[signs.row(0), signs.row(1)]);
            for (mirrored, own) in twin.jacobian.iter().zip(&touch.jacobian) {
                prop_assert!((mirrored - own.component_mul(&signs)).amax() < 1e-12);
            }
        }
    }
}

fn distance_from_outline(corners: &[Vector2<f64>], point: &Vector2<f64>) -> f64 {
    let sides = (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
    let distance = |(start, end): (Vector2<f64>, Vector2<f64>)| {
        let along = end - start;
        let t = (along.dot(&(point - start)) / along.norm_squared()).clamp(0.0, 1.0);
        (start + along * t - point).norm()
    };
    sides.map(distance).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_contact_takes_part_from_one_and_a_half_times_the_way_of_a_step() {
    let (dt, speed) = (1e-3, 2.0);
    let reach = 1.5 * dt * (speed + 9.81 * dt);
    for (height, expected) in [(0.999 * reach, 1), (1.001 * reach, 0)] {
        let disc = Shape::disc(0.1).unwrap();
        let body = Body {
            twist: Twist::new(0.0, -speed, 0.0),
            ..Body::new(disc, 1.0, Pose::new(0.0, 0.1 + height, 0.0))
        };
        let scene = Scene::over_ground(vec![body], Surface::default(), 9.81);
        assert_eq!(touches(&scene, &scene.initial_motion(), dt).len(), expected);
    }
}

#[test]
fn rounding_of_a_gap_counts_as_touching() {
    let shape = Shape::rectangle(0.2, 0.2).unwrap();
    for (gap, expected) in [(9e-13, 0.0), (-9e-13, 0.0), (1.1e-12, 1.1e-12)] {
        let body = Body::new(shape.clone(), 1.0, Pose::new(0.0, 0.1 + gap, 0.0));
        let scene = Scene::over_ground(vec![body], Surface::default(), 9.81);
        let found = touches(&scene, &scene.initial_motion(), 1e-3);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|touch| (touch.gap - expected).abs() < 1e-16), "{found:?}");
    }
}

#[test]
fn fixed_bodies_touch_what_moves_but_not_each_other_nor_the_ground() {
    let shape = Shape::rectangle(1.0, 0.2).unwrap();
    let shelf = |x| Body { fixed: true, ..Body::new(shape.clone(), 1.0, Pose::new(x, 0.1, 0.0)) };
    let load = Body::new(Shape::rectangle(0.5, 0.1).unwrap(), 1.0, Pose::new(0.0, 0.25, 0.0));
    let scene = Scene::over_ground(vec![shelf(0.0), shelf(0.5), load], Surface::default(), 9.81);
    let found = touches(&scene, &scene.initial_motion(), 1e-3);
    assert!(found.iter().all(|touch| touch.second == Partner::Body(2)), "{found:?}");
    assert!(found.iter().all(|touch| touch.bodies == [None, Some(2)]));
    assert_eq!(found.iter().filter(|touch| touch.first == 0).count(), 2);
}

#[test]
fn what_a_pair_says_goes_before_what_the_ground_says() {
    let shape = Shape::rectangle(0.2, 0.2).unwrap();
    let stack = [0.1, 0.3].map(|z| Body::new(shape.clone(), 1.0, Pose::new(0.0, z, 0.0)));
    let ice = Surface::new(0.0, 0.5);
    let scene = Scene {
        surfaces: Surfaces::uniform(Surface::new(0.4, 0.0)).with(1, Partner::Body(0), ice),
        ..Scene::over_ground(stack.to_vec(), Surface::default(), 9.81)
    };
    for touch in touches(&scene, &scene.initial_motion(), 1e-3) {
        let expected = if touch.second == Partner::Ground { Surface::new(0.4, 0.0) } else { ice };
        assert_eq!(touch.surface, expected);
    }
}

#[test]
fn a_conveyor_moves_along_its_tangent() {
    let surface = Surface::new(0.3, 0.0);
    let disc = Body::new(Shape::disc(0.1).unwrap(), 1.0, Pose::new(0.0, 0.1, 0.0));
    let mut scene = Scene::over_ground(vec![disc], surface, 9.81);
    scene.ground = Some(Plane { normal: Vector2::y(), offset: 0.0, velocity: Vector2::new(0.0, 2.0) });
    let found = touches(&scene, &scene.initial_motion(), 1e-3);
    // The disc at rest slips backwards over a belt that runs towards +x.
    assert_eq!(found[0].relative_velocity(&scene.initial_motion().velocities), Vector2::new(0.0, -2.0));
}
