//! Distances between bodies.

use nalgebra::{Vector2, Vector3};

use crate::{
    model::{Attitude, Orientation, Vector},
    world::{
        RigidBody,
        planar::{self, Part, Shape},
        spatial,
    },
};

/// Where a body is, and how it is turned.
pub type Placed<const D: usize> = (Vector<D>, Attitude);

/// The shapes of all bodies.
pub trait Shapes<const D: usize>: Send + Sync + std::fmt::Debug {
    /// Distance in m of two bodies, negative where they are in each other.
    fn gap(&self, bodies: [usize; 2], placed: [&Placed<D>; 2]) -> f64;

    /// How far along `normal` the nearest point of a body is, in m.
    fn height(&self, body: usize, placed: &Placed<D>, normal: &Vector<D>) -> f64;

    /// Largest distance in m of a point of the body from its centre of mass.
    fn reach(&self, body: usize) -> f64;
}

impl Shapes<2> for Vec<planar::Body> {
    fn gap(&self, bodies: [usize; 2], placed: [&Placed<2>; 2]) -> f64 {
        let [first, second] = [0, 1].map(|member| cores(&self[bodies[member]].shape, placed[member]));
        let pairs = first.iter().flat_map(|own| second.iter().map(move |other| (own, other)));
        let gap = |(own, other): (&Core, &Core)| {
            polygon_distance(&own.corners, &other.corners) - own.rim - other.rim
        };
        pairs.map(gap).fold(f64::INFINITY, f64::min)
    }

    fn height(&self, body: usize, placed: &Placed<2>, normal: &Vector<2>) -> f64 {
        let lowest = |core: &Core| {
            core.corners.iter().map(|corner| normal.dot(corner)).fold(f64::INFINITY, f64::min) - core.rim
        };
        cores(&self[body].shape, placed).iter().map(lowest).fold(f64::INFINITY, f64::min)
    }

    fn reach(&self, body: usize) -> f64 {
        self[body].shape.reach()
    }
}

/// A convex part of a body: its corners, and how far beyond them it goes. A disc has its centre for a corner.
struct Core {
    corners: Vec<Vector2<f64>>,
    rim: f64,
}

fn cores(shape: &Shape, (position, attitude): &Placed<2>) -> Vec<Core> {
    let place = |corner: &Vector2<f64>| position + attitude.orientation.turn(corner);
    let core = |part: &Part| match part {
        Part::Disc { centre, radius } => Core { corners: vec![place(centre)], rim: *radius },
        Part::Polygon(polygon) => Core { corners: polygon.corners().iter().map(place).collect(), rim: 0.0 },
    };
    shape.convex_parts().iter().map(core).collect()
}

/// Distance of two convex polygons of one corner or more, given counter-clockwise; negative where they overlap.
fn polygon_distance(first: &[Vector2<f64>], second: &[Vector2<f64>]) -> f64 {
    let separation = separation(first, second).max(separation(second, first));
    // Two points have no side.
    if separation < 0.0 && separation.is_finite() {
        return separation;
    }
    corner_distance(first, second).min(corner_distance(second, first))
}

/// The sides of a polygon; a point has one without length.
fn sides(corners: &[Vector2<f64>]) -> impl Iterator<Item = [Vector2<f64>; 2]> + '_ {
    (0..corners.len()).map(|start| [corners[start], corners[(start + 1) % corners.len()]])
}

/// How far the corners of `other` are beyond that side of a polygon which they are furthest beyond.
fn separation(corners: &[Vector2<f64>], other: &[Vector2<f64>]) -> f64 {
    let beyond = |[start, end]: [Vector2<f64>; 2]| {
        let along = end - start;
        let outward = Vector2::new(along.y, -along.x) / along.norm();
        other.iter().map(|corner| outward.dot(&(corner - start))).fold(f64::INFINITY, f64::min)
    };
    let sides = sides(corners).filter(|[start, end]| start != end);
    sides.map(beyond).fold(f64::NEG_INFINITY, f64::max)
}

/// The least distance of a corner of the first from a side of the second.
fn corner_distance(first: &[Vector2<f64>], second: &[Vector2<f64>]) -> f64 {
    let from_side = |corner: &Vector2<f64>, [start, end]: [Vector2<f64>; 2]| {
        let along = end - start;
        let length = along.norm_squared();
        let share = if length > 0.0 { ((corner - start).dot(&along) / length).clamp(0.0, 1.0) } else { 0.0 };
        (corner - start - along * share).norm()
    };
    let distances = first.iter().flat_map(|corner| sides(second).map(move |side| from_side(corner, side)));
    distances.fold(f64::INFINITY, f64::min)
}

impl Shapes<3> for Vec<spatial::Body> {
    fn gap(&self, bodies: [usize; 2], placed: [&Placed<3>; 2]) -> f64 {
        let poses = placed.map(pose);
        let [first, second] = [0, 1].map(|member| {
            let (body, pose) = (&self[bodies[member]], &poses[member]);
            (0..body.parts()).map(|part| body.outline(part, pose)).collect::<Vec<_>>()
        });
        let reach = self.reach(bodies[0]).min(self.reach(bodies[1]));
        let mut least = f64::INFINITY;
        for (own, other) in first.iter().flat_map(|own| second.iter().map(move |other| (own, other))) {
            spatial::Body::body_points(own, other, reach, f64::INFINITY, None, |point| {
                least = least.min(point.gap);
            });
        }
        least
    }

    fn height(&self, body: usize, placed: &Placed<3>, normal: &Vector<3>) -> f64 {
        let pose = pose(placed);
        let along = |corner: &Vector3<f64>| normal.dot(&pose.transform(corner));
        let lowest = |part: &spatial::Part| match part {
            spatial::Part::Sphere { centre, radius } => along(centre) - radius,
            spatial::Part::Capsule(capsule) => {
                capsule.ends().iter().map(along).fold(f64::INFINITY, f64::min) - capsule.radius()
            }
            spatial::Part::Cylinder(cylinder) => {
                let ends = cylinder.ends().iter().map(along).fold(f64::INFINITY, f64::min);
                let sine = normal.cross(&(pose.orientation * cylinder.axis())).norm();
                ends - cylinder.radius() * sine
            }
            spatial::Part::Hull(hull) => hull.corners().iter().map(along).fold(f64::INFINITY, f64::min),
        };
        self[body].shape.convex_parts().iter().map(lowest).fold(f64::INFINITY, f64::min)
    }

    fn reach(&self, body: usize) -> f64 {
        self[body].shape.reach()
    }
}

fn pose((position, attitude): &Placed<3>) -> spatial::Pose {
    let upright = spatial::Pose::upright(position.x, position.y, position.z);
    match attitude.orientation {
        Orientation::Angle(_) => upright,
        Orientation::Quaternion(orientation) => spatial::Pose { orientation, ..upright },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, z: f64) -> Vec<Vector2<f64>> {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(a, b)| Vector2::new(x + a, z + b)).into()
    }

    #[test]
    fn polygons_are_apart_by_the_way_between_their_nearest_points() {
        let at = |x: f64, z: f64| polygon_distance(&square(0.0, 0.0), &square(x, z));
        assert_eq!((at(5.0, 0.5), at(0.0, -2.0)), (3.0, 0.0));
        assert!((at(5.0, 6.0) - 5.0).abs() < 1e-15, "corner to corner");
        assert!(at(1.5, 1.9) < 0.0);
        let point = [Vector2::new(4.0, 5.0)];
        assert!((polygon_distance(&point, &square(0.0, 0.0)) - 5.0).abs() < 1e-15);
        assert!(polygon_distance(&[Vector2::new(0.5, 0.5)], &square(0.0, 0.0)) < 0.0);
        assert!((polygon_distance(&point, &[Vector2::new(1.0, 1.0)]) - 5.0).abs() < 1e-15);
    }

    #[test]
    fn rods_are_apart_unless_they_cross() {
        let rod = |ends: [(f64, f64); 2]| ends.map(|(x, z)| Vector2::new(x, z));
        let level = rod([(-1.0, 0.0), (1.0, 0.0)]);
        let distance = |ends| polygon_distance(&level, &rod(ends));
        assert!((distance([(2.0, 0.0), (4.0, 0.0)]) - 1.0).abs() < 1e-15, "in one line");
        assert!((distance([(-3.0, 0.5), (3.0, 0.5)]) - 0.5).abs() < 1e-15, "side by side");
        assert!(distance([(0.0, -1.0), (0.2, 1.0)]) < 0.0, "across");
    }
}
