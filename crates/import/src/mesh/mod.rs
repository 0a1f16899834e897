//! Triangles from files, what they weigh, and their convex hull.

mod dae;
mod hull;
mod msh;
mod obj;
mod stl;

use std::path::Path;

use nalgebra::{Matrix3, Vector3};

pub(crate) use self::hull::{Hull, hull};
use crate::mass::MassProperties;

/// Largest file of a mesh in bytes, so that no device can fill the memory.
pub(crate) const MAX_BYTES: u64 = 256 << 20;

/// A surface of triangles.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Mesh {
    /// In m, in the axes of the file.
    pub vertices: Vec<Vector3<f64>>,
    /// Counter-clockwise from outside.
    pub triangles: Vec<[usize; 3]>,
}

/// Why a file gives no mesh.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MeshError {
    #[error("{0}")]
    Broken(String),
    #[error("meshes of this kind are not read, *.stl, *.obj, *.dae and *.msh are")]
    UnknownKind,
}

impl Mesh {
    /// The mesh of a file with these bytes, of the kind that its name says.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Self, MeshError> {
        let mesh = match kind(path).as_str() {
            "stl" => stl::read(bytes)?,
            "obj" => obj::read(bytes)?,
            "dae" => dae::read(bytes)?,
            "msh" => msh::read(bytes)?,
            _ => return Err(MeshError::UnknownKind),
        };
        if mesh.vertices.iter().flatten().any(|part| part.is_nan() || part.abs() > 1e12) {
            return Err(MeshError::Broken("it has a coordinate that is no finite number".to_owned()));
        }
        Ok(mesh)
    }

    /// Stretched along the axes of the file; where that mirrors it, triangles turn round.
    pub fn scaled(mut self, by: &Vector3<f64>) -> Self {
        self.vertices.iter_mut().for_each(|vertex| vertex.component_mul_assign(by));
        if by.product() < 0.0 {
            self.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        self
    }

    /// Whether the name of a file says that it is a mesh that is read.
    pub fn is_read(path: &Path) -> bool {
        matches!(kind(path).as_str(), "stl" | "obj" | "dae" | "msh")
    }

    /// Mass properties of what it encloses or is, of a density of 1; `None` where that weighs nothing.
    pub fn weighed(&self, how: Weighing) -> Option<MassProperties> {
        let size = self.vertices.iter().map(|vertex| (vertex - self.vertices[0]).norm()).fold(0.0, f64::max);
        let dimension = if how == Weighing::Shell { 2 } else { 3 };
        let origin = self.middle_of_faces();
        let first = self.moments(how, &origin);
        if first.mass.is_nan() || first.mass <= 1e-12 * size.powi(dimension) {
            return None;
        }
        let centre = origin + first.first / first.mass;
        // About the centre again, as tetrahedra that count whichever way they look depend on where their tip is.
        let Moments { mass, second, .. } = self.moments(how, &centre);
        let inertia = Matrix3::from_diagonal_element(second.trace()) - second;
        Some(MassProperties { mass, centre, inertia })
    }

    fn corners(&self) -> impl Iterator<Item = [Vector3<f64>; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|corner| self.vertices[corner]))
    }

    /// The centroid of the surface.
    fn middle_of_faces(&self) -> Vector3<f64> {
        let (mut sum, mut area) = (Vector3::zeros(), 0.0);
        for [a, b, c] in self.corners() {
            let own = (b - a).cross(&(c - a)).norm();
            sum += (a + b + c) * (own / 3.0);
            area += own;
        }
        if area > 0.0 { sum / area } else { sum }
    }

    /// Sums over the triangles, or over the tetrahedra that they make with `origin`, in axes about that.
    fn moments(&self, how: Weighing, origin: &Vector3<f64>) -> Moments {
        let mut all = Moments { mass: 0.0, first: Vector3::zeros(), second: Matrix3::zeros() };
        for corners in self.corners() {
            let arms = corners.map(|corner| corner - origin);
            let volume = arms[0].dot(&arms[1].cross(&arms[2])) / 6.0;
            // The weight, and of how many corners it is: those of a tetrahedron with one in the origin, or of a triangle.
            let (mass, count) = match how {
                Weighing::Enclosed => (volume, 4.0),
                Weighing::EachSide => (volume.abs(), 4.0),
                Weighing::Shell => ((arms[1] - arms[0]).cross(&(arms[2] - arms[0])).norm() / 2.0, 3.0),
            };
            let sum: Vector3<f64> = arms.iter().sum();
            let squares = arms.iter().map(|arm| arm * arm.transpose()).sum::<Matrix3<f64>>();
            all.mass += mass;
            all.first += sum * (mass / count);
            all.second += (squares + sum * sum.transpose()) * (mass / (count * (count + 1.0)));
        }
        all
    }
}

/// What of a mesh weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weighing {
    /// The volume that it encloses.
    Enclosed,
    /// The tetrahedra of all triangles with the middle, whichever way a triangle looks: too much where a mesh is not seen
    /// whole from there, and something where it is open.
    EachSide,
    /// Its surface, by area.
    Shell,
}

/// Mass, and its first and second moments.
struct Moments {
    mass: f64,
    first: Vector3<f64>,
    second: Matrix3<f64>,
}

/// How the name of a file ends, in small letters.
fn kind(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

/// Corners with the same coordinates become one.
#[derive(Debug, Default)]
struct Gathered {
    mesh: Mesh,
    numbers: std::collections::HashMap<[u64; 3], usize>,
}

impl Gathered {
    fn vertex(&mut self, vertex: [f64; 3]) -> usize {
        // Adding zero makes the two zeros one.
        let key = vertex.map(|part| (part + 0.0).to_bits());
        *self.numbers.entry(key).or_insert_with(|| {
            self.mesh.vertices.push(vertex.into());
            self.mesh.vertices.len() - 1
        })
    }
}
