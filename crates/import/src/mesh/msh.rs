//! MSH, the binary meshes of MuJoCo: four counts, of vertices, normals, places in textures and faces, then these in turn.

use super::{Mesh, MeshError};

pub(super) fn read(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let word = |index: usize| bytes.get(4 * index..4 * index + 4)?.try_into().ok();
    let count = |index: usize| word(index).and_then(|word| usize::try_from(i32::from_le_bytes(word)).ok());
    let counts: Option<Vec<usize>> = (0..4).map(count).collect();
    let broken = |what: &str| MeshError::Broken(what.to_owned());
    let Some([vertices, normals, places, faces]) = counts.as_deref() else {
        return Err(broken("it does not begin with four counts"));
    };
    let first_face = 4 + 3 * vertices + 3 * normals + 2 * places;
    let words = first_face + 3 * faces;
    if bytes.len() != 4 * words {
        return Err(broken(&format!("it has {} bytes, and says that it has {}", bytes.len(), 4 * words)));
    }
    let numbers = (4..4 + 3 * vertices).filter_map(word).map(|word| f64::from(f32::from_le_bytes(word)));
    let numbers: Vec<f64> = numbers.collect();
    let corners: Option<Vec<usize>> =
        (first_face..words).map(|index| count(index).filter(|corner| corner < vertices)).collect();
    let corners = corners.ok_or_else(|| broken("a face names a vertex that is not there"))?;
    Ok(Mesh {
        vertices: numbers.chunks_exact(3).map(|part| [part[0], part[1], part[2]].into()).collect(),
        triangles: corners.chunks_exact(3).map(|part| [part[0], part[1], part[2]]).collect(),
    })
}
