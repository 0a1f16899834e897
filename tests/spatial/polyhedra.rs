//! Polyhedra that bear on steep corners and edges: the face that faces another body most squarely may be far from where
//! they touch.

use nalgebra::{UnitQuaternion, Vector3};
use stickslip::{
    random::Random,
    scenario::ConvexSettings,
    stepper::ConvexBodies,
    world::{
        Impacts, Surface, World,
        spatial::{Body, Polyhedron, Pose, Scene, Shape, Twist},
    },
};

use crate::stepping::{G, Model, cone, lcp8, nlp, run};

fn convex() -> Model {
    Box::new(ConvexBodies::new(ConvexSettings::default()))
}

fn hull(shape: &Shape) -> &Polyhedron {
    let Shape::Hull(hull) = shape else { panic!("a polyhedron") };
    hull
}

/// The hull of `corners` points on an ellipsoid with these half axes in m.
fn stone(random: &mut Random, corners: usize, axes: [f64; 3]) -> Shape {
    let points: Vec<_> = (0..corners)
        .map(|_| Vector3::from_fn(|_, _| random.normal(1.0)).normalize().component_mul(&Vector3::from(axes)))
        .collect();
    Shape::polyhedron(&points).unwrap()
}

fn turn(random: &mut Random) -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(Vector3::from_fn(|_, _| random.uniform(-3.0, 3.0)))
}

/// How deep a corner comes to lie below the top, z = 0, of a table on which the body falls.
fn deepest(body: &Body, model: Model, dt: f64, steps: usize) -> f64 {
    let table = Body {
        fixed: true,
        ..Body::new(Shape::cuboid([6.0, 6.0, 1.0]).unwrap(), 1.0, Pose::upright(0.0, 0.0, -0.5))
    };
    let surface = Surface::new(0.5, 0.0);
    let scene = Scene { ground: None, ..Scene::over_ground(vec![table, body.clone()], surface, G) };
    let lowest = |pose: &Pose| {
        let corners = hull(&body.shape).corners().iter();
        corners.map(|corner| (pose.position + pose.orientation * corner).z).fold(f64::INFINITY, f64::min)
    };
    let motions = run(&scene, model, Impacts::OneStage, dt, steps);
    motions.iter().map(|motion| -lowest(&motion.poses[1])).fold(0.0, f64::max)
}

/// A boat whose keel runs between two steep sides from a steep stern to a flat bow.
#[test]
fn a_boat_rests_on_its_keel_on_a_table() {
    let corners = [
        [-0.3, 0.0, 0.0],
        [0.2, 0.0, 0.0],
        [-0.3, -0.05, 0.3],
        [-0.3, 0.05, 0.3],
        [0.8, -0.05, 0.3],
        [0.8, 0.05, 0.3],
    ];
    let shape = Shape::polyhedron(&corners.map(Vector3::from)).unwrap();
    let orientation = UnitQuaternion::from_scaled_axis(-Vector3::y() * 5_f64.to_radians());
    let pose = Pose { position: Vector3::new(0.0, 0.0, 0.35), orientation };
    for model in [nlp, lcp8, cone, convex] {
        let depth = deepest(&Body::new(shape.clone(), 1.0, pose), model(), 1e-3, 600);
        assert!(depth < 1e-4, "{depth} m");
    }
}

#[test]
fn stones_and_sticks_that_fall_on_a_table_stay_on_it() {
    let mut random = Random::seeded(7);
    for (corners, axes) in
        [(30, [0.2, 0.12, 0.05]), (16, [0.2, 0.03, 0.03]), (60, [0.2, 0.12, 0.05]), (8, [0.2, 0.2, 0.2])]
    {
        for _ in 0..6 {
            let mut body = Body::new(
                stone(&mut random, corners, axes),
                1.0,
                Pose { position: Vector3::new(0.0, 0.0, 0.35), orientation: turn(&mut random) },
            );
            body.twist = Twist::from_fn(|i, _| if i < 3 { 0.0 } else { 2.0 * random.normal(1.0) });
            for model in [nlp, convex] {
                let depth = deepest(&body, model(), 1e-3, 800);
                assert!(depth < 2e-4, "{corners} corners: {depth} m");
            }
        }
    }
}

/// By how much the best of all axes that can separate two polyhedra does: face normals, and products of edges.
fn separation(first: (&Polyhedron, &Pose), second: (&Polyhedron, &Pose)) -> f64 {
    let corners = |(hull, pose): (&Polyhedron, &Pose)| -> Vec<Vector3<f64>> {
        hull.corners().iter().map(|corner| pose.position + pose.orientation * corner).collect()
    };
    let normals = |(hull, pose): (&Polyhedron, &Pose)| -> Vec<Vector3<f64>> {
        hull.faces().iter().map(|face| pose.orientation * face.normal).collect()
    };
    let edges = |(hull, pose): (&Polyhedron, &Pose)| -> Vec<Vector3<f64>> {
        let along = |ends: [usize; 2]| hull.corners()[ends[1]] - hull.corners()[ends[0]];
        hull.edges().iter().map(|edge| pose.orientation * along(edge.ends)).collect()
    };
    let of_second = edges(second);
    let products =
        edges(first).into_iter().flat_map(|a| of_second.iter().map(move |b| a.cross(b)).collect::<Vec<_>>());
    let products = products.filter(|product| product.norm() > 1e-9).map(|product| product.normalize());
    let axes = normals(first).into_iter().chain(normals(second)).chain(products);
    let [a, b] = [corners(first), corners(second)];
    let range = |points: &[Vector3<f64>], axis: &Vector3<f64>| {
        let along = points.iter().map(|point| point.dot(axis));
        along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    axes.map(|axis| {
        let ((a_low, a_high), (b_low, b_high)) = (range(&a, &axis), range(&b, &axis));
        (b_low - a_high).max(a_low - b_high)
    })
    .fold(f64::NEG_INFINITY, f64::max)
}

/// Whatever pair is in each other by a little, the deepest contact is as deep as they are.
#[test]
fn the_deepest_contact_of_two_polyhedra_is_their_overlap() {
    let mut random = Random::seeded(11);
    for number in 0..300 {
        let axes = [[0.2, 0.12, 0.05], [0.2, 0.03, 0.03], [0.2, 0.2, 0.2], [0.2, 0.2, 0.02]];
        let [first, second] = [0, 1].map(|_| {
            let axes = axes[random.below(axes.len())];
            let corners = 5 + random.below(9);
            let shape = stone(&mut random, corners, axes);
            Body::new(shape, 1.0, Pose { position: Vector3::zeros(), orientation: turn(&mut random) })
        });
        let towards = Vector3::from_fn(|_, _| random.normal(1.0)).normalize();
        let apart = |way: f64| Pose { position: towards * way, ..second.pose };
        let overlap =
            |way: f64| -separation((hull(&first.shape), &first.pose), (hull(&second.shape), &apart(way)));
        let (mut near, mut far, depth) = (0.0, 1.0, 2e-4);
        for _ in 0..40 {
            let middle = 0.5 * (near + far);
            if overlap(middle) > depth { near = middle } else { far = middle }
        }
        let second = Body { pose: apart(near), ..second };
        let scene =
            Scene { ground: None, ..Scene::over_ground(vec![first, second], Surface::new(0.5, 0.0), G) };
        let (mut margins, mut touches) = (Vec::new(), Vec::new());
        let motion = scene.initial_motion();
        scene.margins(&motion, &[Twist::zeros(); 2], 1e-3, &mut margins);
        scene.find_touches(&motion, &margins, &[], &mut touches);
        let least = touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
        assert!((least + depth).abs() < 1e-2 * depth, "pair {number}: {least} m, {} contacts", touches.len());
    }
}
