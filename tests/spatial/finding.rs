//! Where bodies in space touch.

use nalgebra::{UnitQuaternion, Vector3};
use stickslip::world::{
    Partner, Plane, Surface, Touch, World,
    spatial::{Body, Pose, Scene, Shape, Twist},
};

const DT: f64 = 1e-3;

fn box_at(size: [f64; 3], x: f64, y: f64, z: f64) -> Body {
    Body::new(Shape::cuboid(size).unwrap(), 1.0, Pose::upright(x, y, z))
}

fn turned(body: Body, turn: UnitQuaternion<f64>) -> Body {
    Body { pose: Pose { orientation: turn, ..body.pose }, ..body }
}

fn ball(radius: f64, x: f64, y: f64, z: f64) -> Body {
    Body::new(Shape::sphere(radius).unwrap(), 1.0, Pose::upright(x, y, z))
}

/// Bodies in space alone; contacts take part up to `4 g dt^2`, some 40 micrometres.
fn scene(bodies: Vec<Body>) -> Scene {
    Scene { ground: None, ..Scene::over_ground(bodies, Surface::new(0.5, 0.0), 9.81) }
}

fn touches(scene: &Scene) -> Vec<Touch<3, 6>> {
    let (mut margins, mut touches) = (Vec::new(), Vec::new());
    let motion = scene.initial_motion();
    scene.margins(&motion, &vec![Twist::zeros(); scene.bodies.len()], DT, &mut margins);
    scene.find_touches(&motion, &margins, &[], &mut touches);
    touches
}

fn assert_points(touches: &[Touch<3, 6>], expected: &[[f64; 3]]) {
    let points: Vec<_> = touches.iter().map(|touch| touch.point).collect();
    assert_eq!(points.len(), expected.len(), "{points:?}");
    for point in expected.iter().map(|point| Vector3::from(*point)) {
        assert!(points.iter().any(|found| (found - point).amax() < 1e-9), "{point} in {points:?}");
    }
}

#[test]
fn a_box_on_the_ground_touches_at_its_lower_corners() {
    let scene =
        Scene::over_ground(vec![box_at([0.2, 0.4, 0.1], 1.0, 2.0, 0.05)], Surface::new(0.5, 0.2), 9.81);
    let found = touches(&scene);
    assert_points(&found, &[[0.9, 1.8, 0.0], [1.1, 1.8, 0.0], [0.9, 2.2, 0.0], [1.1, 2.2, 0.0]]);
    for touch in &found {
        assert_eq!((touch.first, touch.second, touch.normal), (0, Partner::Ground, Vector3::z()));
        assert_eq!((touch.gap, touch.surface), (0.0, Surface::new(0.5, 0.2)));
    }
}

/// A row of the Jacobian gives the velocity of the material point, whatever the pose.
#[test]
fn rows_are_the_velocity_of_the_point_that_touches() {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -0.8, 0.5));
    let mut body = turned(ball(0.3, 0.1, 0.2, 0.29), turn);
    body.twist = [0.4, -0.2, 0.1, 1.0, 2.0, -3.0].into();
    let wall = Plane { normal: Vector3::new(0.6, 0.0, 0.8), offset: 0.0, ..Plane::ground() };
    let scene = Scene { walls: vec![wall], ..scene(vec![body.clone()]) };
    let [touch] = <[_; 1]>::try_from(touches(&scene)).unwrap();
    assert!((touch.gap - (0.06 + 0.232 - 0.3)).abs() < 1e-15, "{}", touch.gap);
    let spin = turn * Vector3::new(1.0, 2.0, -3.0);
    let velocity = Vector3::new(0.4, -0.2, 0.1) + spin.cross(&(touch.point - body.pose.position));
    let relative = touch.relative_velocity(&[body.twist]);
    assert!((relative[0] - wall.normal.dot(&velocity)).abs() < 1e-15);
    assert!((relative.norm() - velocity.norm()).abs() < 1e-15);
}

#[test]
fn a_box_on_a_larger_box_touches_at_its_own_corners_from_either_side() {
    let expected = [[-0.1, -0.1, 0.1], [0.1, -0.1, 0.1], [-0.1, 0.1, 0.1], [0.1, 0.1, 0.1]];
    let (low, high) = (box_at([1.0, 1.0, 0.2], 0.0, 0.0, 0.0), box_at([0.2, 0.2, 0.2], 0.0, 0.0, 0.2));
    let found = touches(&scene(vec![low.clone(), high.clone()]));
    assert_points(&found, &expected);
    assert!(found.iter().all(|touch| touch.normal == -Vector3::z() && touch.gap.abs() < 1e-15));
    let found = touches(&scene(vec![high, low]));
    assert_points(&found, &expected);
    assert!(found.iter().all(|touch| touch.normal == Vector3::z()));
}

/// Two squares of one size, one turned by 45 degrees: an octagon.
#[test]
fn a_box_turned_on_another_touches_at_the_corners_of_the_common_area() {
    let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::FRAC_PI_4);
    let high = turned(box_at([0.2; 3], 0.0, 0.0, 0.2), turn);
    let found = touches(&scene(vec![box_at([0.2; 3], 0.0, 0.0, 0.0), high]));
    let near = 0.1 * (2_f64.sqrt() - 1.0);
    let mut expected = Vec::new();
    for (a, b) in [(0.1, near), (near, 0.1)] {
        for signs in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            expected.push([a * signs.0, b * signs.1, 0.1]);
        }
    }
    assert_points(&found, &expected);
}

#[test]
fn a_box_overhanging_another_touches_over_the_common_area_only() {
    let found =
        touches(&scene(vec![box_at([1.0, 1.0, 0.2], 0.0, 0.0, 0.0), box_at([0.4; 3], 0.5, 0.0, 0.3)]));
    assert_points(&found, &[[0.3, -0.2, 0.1], [0.5, -0.2, 0.1], [0.3, 0.2, 0.1], [0.5, 0.2, 0.1]]);
}

/// Two bars, each standing on an edge, crossed at right angles.
#[test]
fn crossed_edges_touch_in_one_point() {
    let on_edge = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_4);
    let across = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 1.2) * on_edge;
    let half = 0.05 * 2_f64.sqrt();
    for gap in [2e-5, -2e-3] {
        let low = turned(box_at([1.0, 0.1, 0.1], 0.0, 0.0, 0.0), on_edge);
        let high = turned(box_at([1.0, 0.1, 0.1], 0.0, 0.0, 2.0 * half + gap), across);
        let found = touches(&scene(vec![low, high]));
        assert_points(&found, &[[0.0, 0.0, half + 0.5 * gap]]);
        assert!((found[0].gap - gap).abs() < 1e-12, "{}", found[0].gap);
        assert!((found[0].normal + Vector3::z()).amax() < 1e-12, "into the first, which is below");
    }
}

#[test]
fn a_corner_touches_a_face() {
    // Turned so that a diagonal of the cube is vertical.
    let turn = UnitQuaternion::rotation_between(&Vector3::new(-1.0, -1.0, -1.0), &-Vector3::z()).unwrap();
    let height = 0.1 * 3_f64.sqrt() + 1e-5;
    let found = touches(&scene(vec![
        turned(box_at([0.2; 3], 0.0, 0.0, height), turn),
        box_at([1.0, 1.0, 0.2], 0.0, 0.0, -0.1),
    ]));
    assert_points(&found, &[[0.0, 0.0, 1e-5]]);
    assert!((found[0].gap - 1e-5).abs() < 1e-12 && (found[0].normal - Vector3::z()).amax() < 1e-12);
}

#[test]
fn a_ball_touches_a_box_at_the_nearest_face_edge_or_corner() {
    let (gap, radius) = (1e-5, 0.1);
    let cases = [
        ([0.0, 0.0, 1.0], [0.3, -0.2, 0.5]),
        ([0.0, 0.6, 0.8], [0.3, 0.5, 0.5]),
        ([2.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0], [0.5, 0.5, 0.5]),
    ];
    for (direction, nearest) in cases {
        let normal = Vector3::from(direction);
        let centre = Vector3::from(nearest) + normal * (radius + gap);
        let sphere = ball(radius, centre.x, centre.y, centre.z);
        let found = touches(&scene(vec![sphere.clone(), box_at([1.0; 3], 0.0, 0.0, 0.0)]));
        assert_eq!(found.len(), 1, "{nearest:?}");
        assert!((found[0].normal - normal).amax() < 1e-9 && (found[0].gap - gap).abs() < 1e-12);
        let found = touches(&scene(vec![box_at([1.0; 3], 0.0, 0.0, 0.0), sphere]));
        assert!((found[0].normal + normal).amax() < 1e-9);
    }
    // A centre inside goes out by the nearest face.
    let inside = touches(&scene(vec![ball(radius, 0.0, 0.45, 0.1), box_at([1.0; 3], 0.0, 0.0, 0.0)]));
    assert!((inside[0].gap + 0.15).abs() < 1e-12 && inside[0].normal == Vector3::y());
}

#[test]
fn balls_touch_between_their_centres() {
    let found = touches(&scene(vec![ball(0.2, 0.0, 0.0, 0.0), ball(0.1, 0.3, 0.0, 0.0)]));
    assert_points(&found, &[[0.2, 0.0, 0.0]]);
    assert_eq!((found[0].normal, found[0].reach), (-Vector3::x(), 0.1));
}

#[test]
fn bodies_apart_do_not_touch_and_fixed_ones_do_not_touch_each_other() {
    let apart = |x: f64| scene(vec![box_at([0.2; 3], 0.0, 0.0, 0.0), box_at([0.2; 3], x, 0.0, 0.0)]);
    assert!(touches(&apart(0.2001)).is_empty());
    assert_eq!(touches(&apart(0.20002)).len(), 4);
    let mut fixed = apart(0.2);
    fixed.bodies.iter_mut().for_each(|body| body.fixed = true);
    assert!(touches(&fixed).is_empty());
}

/// What is found does not depend on where the whole scene is and how it is turned.
#[test]
fn contacts_turn_with_the_scene() {
    let tetrahedron = [[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.3]].map(Vector3::from);
    let shapes = [Shape::polyhedron(&tetrahedron).unwrap(), Shape::cuboid([0.3, 0.2, 0.1]).unwrap()];
    let mut random = stickslip::random::Random::seeded(7);
    let mut edges = 0;
    for _ in 0..200 {
        let turn = |random: &mut stickslip::random::Random| {
            UnitQuaternion::from_scaled_axis(Vector3::from_fn(|_, _| random.normal(2.0)))
        };
        let pose = |random: &mut stickslip::random::Random| Pose {
            position: Vector3::from_fn(|_, _| random.uniform(-0.12, 0.12)),
            orientation: turn(random),
        };
        let bodies: Vec<_> =
            shapes.iter().map(|shape| Body::new(shape.clone(), 1.0, pose(&mut random))).collect();
        let whole = turn(&mut random);
        let away = Vector3::new(3.0, -1.0, 2.0);
        let moved = bodies.iter().map(|body| Body {
            pose: Pose {
                position: whole * body.pose.position + away,
                orientation: whole * body.pose.orientation,
            },
            ..body.clone()
        });
        let (before, after) = (touches(&scene(bodies.clone())), touches(&scene(moved.collect())));
        assert_eq!(before.len(), after.len());
        edges += usize::from(before.len() == 1);
        for (a, b) in before.iter().zip(&after) {
            assert!((whole * a.normal - b.normal).amax() < 1e-9 && (a.gap - b.gap).abs() < 1e-9);
            assert!((whole * a.point + away - b.point).amax() < 1e-7);
        }
    }
    assert!(edges > 5, "single points are among them: {edges}");
}
