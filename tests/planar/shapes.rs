//! Outlines and mass properties.

use nalgebra::{Point2, Vector2};
use proptest::prelude::*;
use stickslip::world::planar::{Pose, Shape, ShapeError, Twist};

fn points(corners: &[(f64, f64)]) -> Vec<Point2<f64>> {
    corners.iter().map(|&(x, z)| Point2::new(x, z)).collect()
}

fn corners(shape: &Shape) -> &[Vector2<f64>] {
    match shape {
        Shape::Polygon(polygon) => polygon.corners(),
        Shape::Disc { .. } | Shape::Compound(_) => panic!("only a polygon has corners"),
    }
}

#[test]
fn moments_of_inertia_are_those_of_uniform_bodies() {
    let close = |shape: Result<Shape, ShapeError>, expected: f64| {
        let inertia = shape.unwrap().inertia(3.0);
        assert!((inertia - expected).abs() < 1e-14, "{inertia} {expected}");
    };
    close(Shape::rectangle(0.4, 1.0), 3.0 * (0.16 + 1.0) / 12.0);
    close(Shape::rod(2.0), 3.0 * 4.0 / 12.0);
    close(Shape::disc(0.5), 3.0 * 0.25 / 2.0);
    // m (b^2 - b a + a^2 + h^2)/18 of the triangle (0, 0), (b, 0), (a, h).
    close(
        Shape::polygon(&points(&[(0.0, 0.0), (1.5, 0.0), (0.4, 0.9)])),
        3.0 * (2.25 - 0.6 + 0.16 + 0.81) / 18.0,
    );
}

#[test]
fn a_polygon_is_moved_to_its_centre_of_mass_wherever_it_is_drawn() {
    let triangle = [(100.0, 50.0), (101.5, 50.0), (100.4, 50.9)];
    let shape = Shape::polygon(&points(&triangle)).unwrap();
    let mean = corners(&shape).iter().sum::<Vector2<f64>>() / 3.0;
    assert!(mean.norm() < 1e-13, "the centroid of a triangle is the mean of its corners: {mean:?}");
    let side = corners(&shape)[1] - corners(&shape)[0];
    assert!((side - Vector2::new(1.5, 0.0)).norm() < 1e-12);
}

#[test]
fn the_reach_is_the_largest_distance_from_the_centre() {
    assert!((Shape::rectangle(0.6, 0.8).unwrap().reach() - 0.5).abs() < 1e-15);
    assert_eq!(Shape::rod(3.0).unwrap().reach(), 1.5);
    assert_eq!(Shape::disc(0.3).unwrap().reach(), 0.3);
}

#[test]
fn corners_in_the_middle_of_a_side_are_allowed() {
    let table = [(-1.0, 0.0), (-0.3, 0.0), (0.3, 0.0), (1.0, 0.0), (1.0, 0.5), (-1.0, 0.5)];
    let shape = Shape::polygon(&points(&table)).unwrap();
    assert_eq!(corners(&shape).len(), 6);
    assert!((shape.inertia(1.0) - Shape::rectangle(2.0, 0.5).unwrap().inertia(1.0)).abs() < 1e-15);
}

#[test]
fn outlines_that_are_no_convex_polygon_are_refused() {
    let clockwise = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)];
    let dented = [(0.0, 0.0), (1.0, 0.0), (0.4, 0.4), (0.0, 1.0)];
    let folded = [(0.0, 0.0), (1.0, 0.0), (0.5, 0.0), (0.5, 1.0)];
    let doubled = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0)];
    for outline in [clockwise, dented, folded, doubled] {
        let refused = Shape::polygon(&points(&outline));
        assert!(matches!(refused, Err(ShapeError::NotConvex { .. })), "{outline:?}: {refused:?}");
    }
    let star: Vec<_> = (0..5).map(|i| (0.8 * std::f64::consts::PI * f64::from(i)).sin_cos()).collect();
    let star: Vec<_> = star.into_iter().map(|(sin, cos)| (cos, sin)).collect();
    assert_eq!(Shape::polygon(&points(&star)), Err(ShapeError::Winding));
    assert_eq!(
        Shape::polygon(&points(&[(0.0, 0.0), (1.0, 0.0)])),
        Err(ShapeError::TooFewCorners { corners: 2 })
    );
    assert_eq!(
        Shape::polygon(&points(&[(0.0, 0.0), (1.0, f64::NAN), (0.0, 1.0)])),
        Err(ShapeError::NotFinite { corner: 1 })
    );
    assert!(matches!(Shape::rectangle(0.0, 1.0), Err(ShapeError::Length { what: "width", .. })));
    assert!(matches!(Shape::disc(f64::INFINITY), Err(ShapeError::Length { what: "radius", .. })));
}

proptest! {
    /// Mass properties agree with sums over many small squares.
    #[test]
    fn inertia_agrees_with_a_sum_over_area(x in 0.2..1.0, z in 0.3..1.0, a in -0.5..0.8) {
        let outline = [(0.0, 0.0), (x, 0.0), (x + 0.3 * a, z), (0.2 * a, 0.9 * z)];
        prop_assume!(Shape::polygon(&points(&outline)).is_ok());
        let shape = Shape::polygon(&points(&outline)).unwrap();
        let corners = corners(&shape);
        let inside = |point: Vector2<f64>| (0..4).all(|i| {
            (corners[(i + 1) % 4] - corners[i]).perp(&(point - corners[i])) >= 0.0
        });
        let n = 400;
        let (mut area, mut first, mut second) = (0.0, Vector2::zeros(), 0.0);
        let reach = shape.reach();
        for i in 0..n {
            for j in 0..n {
                let at = |k: i32| reach * (2.0 * (f64::from(k) + 0.5) / f64::from(n) - 1.0);
                let point = Vector2::new(at(i), at(j));
                if inside(point) {
                    area += 1.0;
                    first += point;
                    second += point.norm_squared();
                }
            }
        }
        prop_assert!((first / area).norm() < 5e-3 * reach);
        prop_assert!((second / area - shape.inertia(1.0)).abs() < 1e-2 * reach * reach);
    }

    #[test]
    fn rotations_keep_lengths_and_turn_back(angle in -10.0..10.0, x in -1.0..1.0, z in -1.0..1.0) {
        let (pose, point) = (Pose::new(1.0, 2.0, angle), Vector2::new(x, z));
        let turned = pose.rotate(&point);
        prop_assert!((turned.norm() - point.norm()).abs() < 1e-14);
        prop_assert!((Pose::new(0.0, 0.0, -angle).rotate(&turned) - point).norm() < 1e-14);
        prop_assert!((pose.transform(&point) - pose.position - turned).norm() < 1e-14);
    }
}

#[test]
fn a_quarter_turn_takes_x_to_z() {
    let pose = Pose::new(0.0, 0.0, std::f64::consts::FRAC_PI_2);
    assert!((pose.rotate(&Vector2::x()) - Vector2::y()).norm() < 1e-15);
}

#[test]
fn a_force_at_a_point_turns_the_body_by_its_arm() {
    let pose = Pose::new(5.0, 5.0, std::f64::consts::FRAC_PI_2);
    // The point (1, 0) of the body is above its centre: a force along x turns it from z towards x.
    let wrench = pose.wrench(&Vector2::x(), &Vector2::new(2.0, 0.0), 0.5);
    assert!((wrench - Twist::new(2.0, 0.0, 0.5 - 2.0)).amax() < 1e-14, "{wrench:?}");
}
