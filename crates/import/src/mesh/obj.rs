//! Vertices and faces of OBJ; groups, normals and textures say nothing of the shape.

use super::{Mesh, MeshError};

pub(super) fn read(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let text = String::from_utf8_lossy(bytes);
    let mut mesh = Mesh::default();
    for (index, line) in text.lines().enumerate() {
        let broken = |what: &str| MeshError::Broken(format!("line {}: {what}", index + 1));
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Option<Vec<f64>> = words.take(3).map(|word| word.parse().ok()).collect();
                let vertex: Option<[f64; 3]> = numbers.and_then(|numbers| numbers.try_into().ok());
                mesh.vertices.push(vertex.ok_or_else(|| broken("a vertex has 3 numbers"))?.into());
            }
            Some("f") => {
                let corners: Option<Vec<usize>> =
                    words.map(|word| corner(word, mesh.vertices.len())).collect();
                let corners = corners.ok_or_else(|| broken("a face names a vertex that is not there"))?;
                if corners.len() < 3 {
                    return Err(broken("a face has at least 3 corners"));
                }
                // A fan: faces of OBJ are flat and, but for odd ones, convex.
                let fan = corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]);
                mesh.triangles.extend(fan);
            }
            _ => {}
        }
    }
    Ok(mesh)
}

/// The vertex of `7`, `7/1`, `7//3` or `7/1/3`: counted from 1, or back from the last by a negative number.
fn corner(word: &str, count: usize) -> Option<usize> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let index = if number > 0 { number - 1 } else { i64::try_from(count).ok()?.checked_add(number)? };
    usize::try_from(index).ok().filter(|index| *index < count && number != 0)
}
