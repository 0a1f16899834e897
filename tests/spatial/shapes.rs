//! Hulls of points, and the inertia of uniform bodies.

use nalgebra::{Matrix3, Vector3};
use stickslip::{
    random::Random,
    world::spatial::{Polyhedron, Shape, ShapeError},
};

fn hull(shape: &Shape) -> &Polyhedron {
    let Shape::Hull(hull) = shape else { panic!("a polyhedron") };
    hull
}

#[test]
fn a_box_has_six_faces_and_the_inertia_of_the_book() {
    let shape = Shape::cuboid([0.2, 0.4, 1e-4]).unwrap();
    let body = hull(&shape);
    assert_eq!((body.corners().len(), body.faces().len(), body.edges().len()), (8, 6, 12));
    assert!(body.faces().iter().all(|face| face.corners.len() == 4));
    let about = |a: f64, b: f64| 3.0 * (a * a + b * b) / 12.0;
    let expected = Vector3::new(about(0.4, 1e-4), about(0.2, 1e-4), about(0.2, 0.4));
    assert!((shape.inertia(3.0) - Matrix3::from_diagonal(&expected)).amax() < 1e-15);
    assert!((shape.reach() - 0.5 * (0.04_f64 + 0.16 + 1e-8).sqrt()).abs() < 1e-15);
}

/// A regular tetrahedron of edge `a`: `I = m a^2/20` about every axis.
#[test]
fn a_tetrahedron_is_moved_to_its_centroid() {
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let away = Vector3::new(5.0, -3.0, 2.0);
    let corners: Vec<_> = corners.iter().map(|corner| Vector3::from(*corner) + away).collect();
    let shape = Shape::polyhedron(&corners).unwrap();
    let body = hull(&shape);
    assert_eq!((body.corners().len(), body.faces().len(), body.edges().len()), (4, 4, 6));
    assert!(body.corners().iter().sum::<Vector3<f64>>().amax() < 1e-14);
    assert!((shape.inertia(2.0) - Matrix3::from_diagonal_element(2.0 * 8.0 / 20.0)).amax() < 1e-14);
}

/// Points on the unit sphere: the hull is closed, convex, holds all points, and tends to the ball.
#[test]
fn hulls_of_random_points_are_closed_and_convex() {
    let mut random = Random::seeded(1);
    for count in [4, 5, 8, 20, 100, 400] {
        let point = |random: &mut Random| Vector3::from_fn(|_, _| random.normal(1.0)).normalize();
        let points: Vec<_> = (0..count).map(|_| point(&mut random)).collect();
        let shape = Shape::polyhedron(&points).unwrap();
        let body = hull(&shape);
        assert_eq!(body.corners().len(), count);
        assert_eq!(body.corners().len() + body.faces().len(), body.edges().len() + 2);
        for face in body.faces() {
            let height = |corner: &Vector3<f64>| face.normal.dot(&(corner - body.corners()[face.corners[0]]));
            assert!(body.corners().iter().all(|corner| height(corner) < 1e-7), "{count}");
        }
        if count == 400 {
            let inertia = shape.inertia(1.0);
            assert!((inertia - Matrix3::from_diagonal_element(0.4)).amax() < 0.02, "{inertia}");
        }
    }
}

/// Points inside, on faces and on edges of a cube are no corners, in whatever direction it is turned.
#[test]
fn only_corners_of_the_hull_are_kept() {
    let mut random = Random::seeded(2);
    for _ in 0..20 {
        let turn = nalgebra::UnitQuaternion::from_scaled_axis(Vector3::from_fn(|_, _| random.normal(1.0)));
        let mut points = Vec::new();
        for i in 0..27 {
            let grid = Vector3::new(f64::from(i % 3), f64::from(i / 3 % 3), f64::from(i / 9));
            points.push(turn * grid);
        }
        let shape = Shape::polyhedron(&points).unwrap();
        assert_eq!((hull(&shape).corners().len(), hull(&shape).faces().len()), (8, 6));
        assert!((shape.inertia(6.0) - Matrix3::from_diagonal_element(4.0)).amax() < 1e-6);
    }
}

#[test]
fn what_is_no_body_is_refused() {
    let flat: Vec<_> = (0..5).map(|i| Vector3::new(f64::from(i), f64::from(i * i), 0.5)).collect();
    assert_eq!(Shape::polyhedron(&flat), Err(ShapeError::Flat { corners: 5 }));
    assert_eq!(Shape::polyhedron(&flat[..3]), Err(ShapeError::Flat { corners: 3 }));
    let mut broken = flat.clone();
    broken[2].z = f64::NAN;
    assert_eq!(Shape::polyhedron(&broken), Err(ShapeError::NotFinite { corner: 2 }));
    assert!(matches!(Shape::cuboid([1.0, -1.0, 1.0]), Err(ShapeError::Length { what: "depth", .. })));
    assert!(matches!(Shape::sphere(0.0), Err(ShapeError::Length { what: "radius", .. })));
    let tetrahedron = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vector3::from);
    assert!(Shape::polyhedron_about_origin(&tetrahedron).is_ok(), "on its surface");
    let away = tetrahedron.map(|corner| corner + Vector3::new(0.1, 0.0, 0.0));
    assert_eq!(Shape::polyhedron_about_origin(&away), Err(ShapeError::CentreOutside));
}
