//! Triangles from files, what they weigh, and their convex hull.

mod hull;
mod obj;
mod stl;

use std::path::Path;

use nalgebra::{Matrix3, Vector3};

pub(crate) use self::hull::hull;
use crate::mass::MassProperties;

/// Largest file of a mesh in bytes, so that no device can fill the memory.
pub(crate) const MAX_BYTES: u64 = 256 << 20;

/// Part of a volume up to which the sides of a surface that is not closed are taken for rounding.
const OPEN: f64 = 1e-3;

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
    #[error("meshes of this kind are not read, *.stl and *.obj are")]
    UnknownKind,
}

impl Mesh {
    /// The mesh of a file with these bytes, of the kind that its name says.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Self, MeshError> {
        let mesh = match kind(path).as_str() {
            "stl" => stl::read(bytes)?,
            "obj" => obj::read(bytes)?,
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

    /// Mass properties of the uniform body of `density` inside; `None` where the triangles enclose no volume.
    pub fn uniform(&self, density: f64) -> Option<MassProperties> {
        let count = self.vertices.len().max(1) as f64;
        let inside = self.vertices.iter().sum::<Vector3<f64>>() / count;
        let (mut volume, mut first, mut second, mut leak) =
            (0.0, Vector3::zeros(), Matrix3::zeros(), Vector3::zeros());
        let mut surface = 0.0;
        for triangle in &self.triangles {
            let arms = triangle.map(|corner| self.vertices[corner] - inside);
            let sum: Vector3<f64> = arms.iter().sum();
            let tetrahedron = arms[0].dot(&arms[1].cross(&arms[2])) / 6.0;
            volume += tetrahedron;
            first += sum * (tetrahedron / 4.0);
            let squares = arms.iter().map(|arm| arm * arm.transpose()).sum::<Matrix3<f64>>();
            second += (squares + sum * sum.transpose()) * (tetrahedron / 20.0);
            let area = (arms[1] - arms[0]).cross(&(arms[2] - arms[0])) / 2.0;
            leak += area;
            surface += area.norm();
        }
        // The areas of a closed surface add up to nothing.
        let closed = leak.norm() <= OPEN * surface;
        let size = self.vertices.iter().map(|vertex| (vertex - inside).norm()).fold(0.0, f64::max);
        if !(closed && volume > 1e-12 * size.powi(3)) {
            return None;
        }
        let centroid = first / volume;
        let spread = second / volume - centroid * centroid.transpose();
        let mass = density * volume;
        let inertia = (Matrix3::from_diagonal_element(spread.trace()) - spread) * mass;
        Some(MassProperties { mass, centre: inside + centroid, inertia })
    }
}

/// How the name of a file ends, in small letters.
pub(crate) fn kind(path: &Path) -> String {
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
