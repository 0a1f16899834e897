//! DAE, the meshes of COLLADA 1.4 and 1.5: triangles and polygons, placed by the nodes of the scene. Like all programs of ROS
//! it leaves aside which axis the file says is up.

use std::{cell::Cell, collections::HashMap};

use nalgebra::{Matrix4, Point3, Rotation3, Unit, Vector3};
use roxmltree::{Document, Node};

use super::{Mesh, MeshError};

/// How deep nodes may lie in each other.
const MAX_DEPTH: usize = 64;

/// The most nodes, of all places in which one stands.
const MAX_NODES: usize = 100_000;

/// The most vertices, of all places in which a mesh stands.
const MAX_VERTICES: usize = 10_000_000;

pub(super) fn read(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let broken = |what: String| MeshError::Broken(what);
    let text = std::str::from_utf8(bytes).map_err(|_| broken("it is no UTF-8 text".to_owned()))?;
    let document = Document::parse(text).map_err(|error| broken(format!("it is no XML: {error}")))?;
    let named = |node: Node<'_, '_>| Some((node.attribute("id")?.to_owned(), node.id()));
    let file = File {
        document: &document,
        by_id: document.descendants().filter_map(named).collect(),
        nodes: Cell::new(0),
    };
    let unit = file.all("unit").find_map(|unit| unit.attribute("meter")?.parse().ok()).unwrap_or(1.0);
    let mut mesh = Mesh::default();
    let scene = file.all("instance_visual_scene").next().and_then(|scene| file.target(scene, "url"));
    match scene.or_else(|| file.all("visual_scene").next()) {
        Some(scene) => file.place(scene, &Matrix4::identity(), 0, &mut mesh)?,
        None => {
            for geometry in file.all("geometry") {
                file.add(geometry, &Matrix4::identity(), &mut mesh)?;
            }
        }
    }
    Ok(mesh.scaled(&Vector3::repeat(unit)))
}

/// The points of a primitive, and which of the so many numbers of a corner is that of its point.
struct Inputs {
    points: Vec<Vector3<f64>>,
    offset: usize,
    stride: usize,
}

struct File<'a, 'text> {
    document: &'a Document<'text>,
    by_id: HashMap<String, roxmltree::NodeId>,
    /// How many were placed.
    nodes: Cell<usize>,
}

impl<'a, 'text> File<'a, 'text> {
    fn all(&self, tag: &'a str) -> impl Iterator<Item = Node<'a, 'text>> {
        self.document.descendants().filter(move |node| node.tag_name().name() == tag)
    }

    /// The element that an attribute names as `#id`.
    fn target(&self, node: Node<'_, '_>, key: &str) -> Option<Node<'a, 'text>> {
        let id = node.attribute(key)?.strip_prefix('#')?;
        self.document.get_node(*self.by_id.get(id)?)
    }

    fn broken(&self, node: Node<'_, '_>, what: &str) -> MeshError {
        let line = self.document.text_pos_at(node.range().start).row;
        MeshError::Broken(format!("line {line}: {what}"))
    }

    fn numbers<T: std::str::FromStr>(&self, node: Node<'_, '_>) -> Result<Vec<T>, MeshError> {
        let words = node.text().unwrap_or_default().split_whitespace();
        let numbers: Option<Vec<T>> = words.map(|word| word.parse().ok()).collect();
        numbers.ok_or_else(|| self.broken(node, "it has numbers alone"))
    }

    /// Adds what stands in a node, whose axes are at `around`.
    fn place(
        &self,
        node: Node<'_, '_>,
        around: &Matrix4<f64>,
        depth: usize,
        mesh: &mut Mesh,
    ) -> Result<(), MeshError> {
        self.nodes.update(|nodes| nodes + 1);
        if depth > MAX_DEPTH || self.nodes.get() > MAX_NODES {
            return Err(self.broken(node, "nodes lie in each other too deep, or are too many"));
        }
        let mut here = *around;
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "matrix" | "translate" | "rotate" | "scale" => here *= self.transform(child)?,
                "node" => self.place(child, &here, depth + 1, mesh)?,
                tag @ ("instance_node" | "instance_geometry") => {
                    let target = self.target(child, "url");
                    let target = target.ok_or_else(|| self.broken(child, "it names nothing of the file"))?;
                    if tag == "instance_node" {
                        self.place(target, &here, depth + 1, mesh)?;
                    } else {
                        self.add(target, &here, mesh)?;
                    }
                }
                "lookat" | "skew" => return Err(self.broken(child, "it is not known")),
                _ => {}
            }
        }
        Ok(())
    }

    fn transform(&self, node: Node<'_, '_>) -> Result<Matrix4<f64>, MeshError> {
        let numbers: Vec<f64> = self.numbers(node)?;
        Ok(match (node.tag_name().name(), numbers.as_slice()) {
            ("matrix", rows) if rows.len() == 16 => Matrix4::from_row_slice(rows),
            ("translate", [x, y, z]) => Matrix4::new_translation(&Vector3::new(*x, *y, *z)),
            ("scale", [x, y, z]) => Matrix4::new_nonuniform_scaling(&Vector3::new(*x, *y, *z)),
            ("rotate", [x, y, z, degrees]) => match Unit::try_new(Vector3::new(*x, *y, *z), 1e-12) {
                Some(axis) => Rotation3::from_axis_angle(&axis, degrees.to_radians()).to_homogeneous(),
                None => Matrix4::identity(),
            },
            _ => return Err(self.broken(node, "it has another number of numbers")),
        })
    }

    /// Adds the triangles of a geometry.
    fn add(&self, geometry: Node<'_, '_>, at: &Matrix4<f64>, mesh: &mut Mesh) -> Result<(), MeshError> {
        let is_mirrored = at.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
        let primitives = ["triangles", "polylist", "polygons"];
        let named = |node: &Node<'_, '_>| primitives.contains(&node.tag_name().name());
        for primitive in geometry.descendants().filter(named) {
            let Some(inputs) = self.inputs(primitive)? else { continue };
            let points = &inputs.points;
            let first = mesh.vertices.len();
            if first + points.len() > MAX_VERTICES {
                return Err(self.broken(primitive, "it has too many vertices"));
            }
            mesh.vertices.extend(points.iter().map(|point| at.transform_point(&Point3::from(*point)).coords));
            for polygon in self.polygons(primitive, &inputs)? {
                if polygon.iter().any(|corner| *corner >= points.len()) {
                    return Err(self.broken(primitive, "a face names a vertex that is not there"));
                }
                for pair in polygon.get(1..).unwrap_or_default().windows(2) {
                    let [b, c] = if is_mirrored { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
                    mesh.triangles.push([polygon[0], b, c].map(|corner| first + corner));
                }
            }
        }
        Ok(())
    }

    /// What the corners of a primitive are; nothing where they are no vertices.
    fn inputs(&self, primitive: Node<'_, '_>) -> Result<Option<Inputs>, MeshError> {
        let inputs = || primitive.children().filter(|node| node.tag_name().name() == "input");
        let offset = |input: Node<'_, '_>| {
            input.attribute("offset").unwrap_or("0").parse::<u16>().ok().map(usize::from)
        };
        let Some(stride) = inputs().map(offset).try_fold(0, |most, offset| Some(offset?.max(most))) else {
            return Err(self.broken(primitive, "an offset is no small whole number"));
        };
        let Some(vertex) = inputs().find(|input| input.attribute("semantic") == Some("VERTEX")) else {
            return Ok(None);
        };
        let positions = self.target(vertex, "source").and_then(|vertices| {
            let mut inputs = vertices.children();
            self.target(inputs.find(|input| input.attribute("semantic") == Some("POSITION"))?, "source")
        });
        let array = positions
            .and_then(|source| source.children().find(|node| node.tag_name().name() == "float_array"));
        let array = array.ok_or_else(|| self.broken(primitive, "it has no positions"))?;
        let numbers: Vec<f64> = self.numbers(array)?;
        let points = numbers.chunks_exact(3).map(|part| Vector3::new(part[0], part[1], part[2])).collect();
        Ok(Some(Inputs { points, offset: offset(vertex).unwrap_or(0), stride: stride + 1 }))
    }

    /// The corners of each polygon.
    fn polygons(&self, primitive: Node<'_, '_>, inputs: &Inputs) -> Result<Vec<Vec<usize>>, MeshError> {
        let Inputs { offset, stride, .. } = *inputs;
        let lists = primitive.children().filter(|node| node.tag_name().name() == "p");
        let lists: Vec<Vec<usize>> = lists.map(|list| self.numbers(list)).collect::<Result<_, _>>()?;
        let lists =
            lists.into_iter().map(|list| list.chunks_exact(stride).map(|corner| corner[offset]).collect());
        let mut lists: Vec<Vec<usize>> = lists.collect();
        let counts = primitive.children().find(|node| node.tag_name().name() == "vcount");
        let counts: Vec<usize> = match (primitive.tag_name().name(), counts) {
            ("polygons", _) => return Ok(lists),
            ("polylist", Some(counts)) => self.numbers(counts)?,
            _ => vec![3; lists.iter().map(Vec::len).sum::<usize>() / 3],
        };
        let corners: Vec<usize> = lists.drain(..).flatten().collect();
        let mut rest = corners.as_slice();
        for count in counts {
            let split = rest.split_at_checked(count);
            let (polygon, behind) = split.ok_or_else(|| self.broken(primitive, "it has too few corners"))?;
            lists.push(polygon.to_vec());
            rest = behind;
        }
        Ok(lists)
    }
}
