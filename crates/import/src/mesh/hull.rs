use nalgebra::Vector3;
use stickslip_contact::world::spatial::{Polyhedron, Shape, ShapeError};

use super::Mesh;

/// The most corners of a hull: contacts of polyhedra look at every corner, edge and face.
const MOST_CORNERS: usize = 96;

/// A convex hull, and how far in m the points of which it is the hull reach out of it at most.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hull {
    /// Its corners and faces.
    pub mesh: Mesh,
    pub falls_short: f64,
}

/// Part of the size of a hull that is rounding.
const ROUNDING: f64 = 1e-9;

impl Hull {
    /// A length in m that goes with it.
    fn size(&self) -> f64 {
        self.mesh.vertices.iter().map(|vertex| vertex.amax()).fold(0.0, f64::max)
    }

    /// What became of a mesh of so many vertices, in words.
    pub fn told(&self, vertices: usize) -> String {
        let corners = self.mesh.vertices.len();
        let short = match self.falls_short {
            short if short > ROUNDING * self.size() => {
                format!(", at most {short:.2e} m inside of the hull of all")
            }
            _ => String::new(),
        };
        format!("it touches as the convex hull of {corners} of its {vertices} vertices{short}")
    }
}

/// Grids, as parts of the size of a mesh, on which its points are put, and how many of them are kept at most: the first
/// that gives a hull is taken. Corners in a file of single precision are off their common plane by about what faces are told
/// apart by, which leaves them undecided; on a grid they lie on it, or clearly off it.
const ATTEMPTS: [(f64, usize); 5] =
    [(0.0, MOST_CORNERS), (1e-5, MOST_CORNERS), (1e-4, MOST_CORNERS), (1e-3, 48), (1e-2, 24)];

/// The convex hull of points, of those alone that reach farthest in some direction where there are many.
///
/// # Errors
/// [`ShapeError`] unless they span a body.
pub(crate) fn hull(points: &[Vector3<f64>]) -> Result<Hull, ShapeError> {
    let first = points.first().copied().unwrap_or_default();
    let size = points.iter().map(|point| (point - first).norm()).fold(0.0, f64::max);
    let mut fault = ShapeError::Flat { corners: points.len() };
    for (grid, most) in ATTEMPTS {
        match hull_of_some(points, grid * size, most) {
            Err(error @ ShapeError::NearlyFlat) => fault = error,
            outcome => return outcome,
        }
    }
    Err(fault)
}

/// The hull of at most so many of the points, each put on a grid of that width.
fn hull_of_some(points: &[Vector3<f64>], grid: f64, most: usize) -> Result<Hull, ShapeError> {
    let on_grid = |point: &Vector3<f64>| {
        if grid > 0.0 { point.map(|part| (part / grid).round() * grid) } else { *point }
    };
    let mut kept = if points.len() <= most { points.to_vec() } else { farthest(points, most) };
    kept.iter_mut().for_each(|point| *point = on_grid(point));
    let count = kept.len().max(1) as f64;
    // The mean lies inside, which is asked of the origin.
    let mean = kept.iter().sum::<Vector3<f64>>() / count;
    let about: Vec<_> = kept.iter().map(|point| point - mean).collect();
    let Shape::Hull(polyhedron) = Shape::polyhedron_about_origin(&about)? else {
        return Err(ShapeError::Flat { corners: kept.len() });
    };
    let falls_short = points.iter().map(|point| outside(&polyhedron, &(point - mean))).fold(0.0, f64::max);
    let faces = polyhedron.faces().iter();
    let triangles = faces.flat_map(|face| {
        face.corners[1..].windows(2).map(|pair| [face.corners[0], pair[0], pair[1]]).collect::<Vec<_>>()
    });
    let vertices: Vec<_> = polyhedron.corners().iter().map(|corner| corner + mean).collect();
    // The scenario is read from these numbers, in this order, and what is barely decided depends on both.
    Shape::polyhedron(&vertices)?;
    Ok(Hull { mesh: Mesh { vertices, triangles: triangles.collect() }, falls_short })
}

/// How far a point lies outside of the plane of a face.
fn outside(polyhedron: &Polyhedron, point: &Vector3<f64>) -> f64 {
    let faces = polyhedron.faces().iter();
    let heights = faces.map(|face| face.normal.dot(&(point - polyhedron.corners()[face.corners[0]])));
    heights.fold(0.0, f64::max)
}

/// The points that reach farthest in directions that are spread evenly over the sphere (Fibonacci's lattice) and along
/// the axes, each once.
fn farthest(points: &[Vector3<f64>], most: usize) -> Vec<Vector3<f64>> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let lattice = most - 6;
    let spread = (0..lattice).map(|index| {
        let z = 1.0 - (2 * index + 1) as f64 / lattice as f64;
        let (sin, cos) = (golden * index as f64).sin_cos();
        let out = (1.0 - z * z).sqrt();
        Vector3::new(out * cos, out * sin, z)
    });
    let axes = (0..3).flat_map(|axis| [Vector3::ith(axis, 1.0), Vector3::ith(axis, -1.0)]);
    let mut kept: Vec<usize> = axes
        .chain(spread)
        .filter_map(|direction| {
            let far =
                |a: &usize, b: &usize| direction.dot(&points[*a]).total_cmp(&direction.dot(&points[*b]));
            (0..points.len()).max_by(far)
        })
        .collect();
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|index| points[index]).collect()
}
