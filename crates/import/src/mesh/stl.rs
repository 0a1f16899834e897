//! STL, binary and as text.

use super::{Gathered, Mesh, MeshError};

/// Bytes before the triangles of a binary file, and of each of these.
const HEADER: usize = 84;
const TRIANGLE: usize = 50;

/// A binary file has the length that it says, whatever it begins with; others are text.
pub(super) fn read(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let count = bytes.get(80..HEADER).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes);
    let promised = count.and_then(|count| (count as usize).checked_mul(TRIANGLE)?.checked_add(HEADER));
    if promised == Some(bytes.len()) {
        return Ok(binary(&bytes[HEADER..]));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if text.trim_start().starts_with("solid") => as_text(text),
        _ => Err(MeshError::Broken(match promised {
            Some(promised) => format!("it has {} bytes, and says that it has {promised}", bytes.len()),
            None => "it is neither a binary STL nor one in text".to_owned(),
        })),
    }
}

fn binary(bytes: &[u8]) -> Mesh {
    let mut gathered = Gathered::default();
    for triangle in bytes.chunks_exact(TRIANGLE) {
        let float = |place: usize| {
            let at = 12 + 4 * place;
            f64::from(f32::from_le_bytes([
                triangle[at],
                triangle[at + 1],
                triangle[at + 2],
                triangle[at + 3],
            ]))
        };
        let corners =
            [0, 3, 6].map(|first| gathered.vertex([float(first), float(first + 1), float(first + 2)]));
        gathered.mesh.triangles.push(corners);
    }
    gathered.mesh
}

fn as_text(text: &str) -> Result<Mesh, MeshError> {
    let mut gathered = Gathered::default();
    let mut corners = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("vertex") => {
                let numbers: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
                let vertex: Option<[f64; 3]> = numbers.and_then(|numbers| numbers.try_into().ok());
                let wrong = || MeshError::Broken(format!("line {}: a vertex has 3 numbers", index + 1));
                corners.push(gathered.vertex(vertex.ok_or_else(wrong)?));
            }
            Some("endfacet") => {
                let wrong = |_| MeshError::Broken(format!("line {}: a facet has 3 vertices", index + 1));
                gathered.mesh.triangles.push(std::mem::take(&mut corners).try_into().map_err(wrong)?);
            }
            _ => {}
        }
    }
    Ok(gathered.mesh)
}
