//! `<asset>`: meshes, read when a geom asks for them.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    rc::Rc,
};

use nalgebra::Vector3;

use super::{compiler::Compiler, defaults::Defaults, heed::heed};
use crate::{
    attitude::of_quaternion,
    element::Element,
    fault::ImportError,
    files,
    mass::MassProperties,
    mesh::{self, Mesh, MeshError, hull},
    note::Notes,
};

/// A mesh that can be touched and weighed.
#[derive(Debug)]
pub(super) struct Asset {
    /// The corners of its hull in m.
    pub corners: Vec<Vector3<f64>>,
    /// Of a density of 1 kg/m^3.
    pub mass: MassProperties,
}

#[derive(Debug, Default)]
pub(super) struct Assets {
    elements: HashMap<String, Element>,
    read: HashMap<String, Option<Rc<Asset>>>,
    folder: PathBuf,
}

impl Assets {
    pub fn of(
        root: &Element,
        folder: &Path,
        compiler: &Compiler,
        defaults: &Defaults,
        notes: &mut Notes,
    ) -> Result<Self, ImportError> {
        let mut assets = Self { folder: folder.join(&compiler.mesh_folder), ..Self::default() };
        for element in root.all("asset").flat_map(|section| &section.children) {
            match element.tag.as_str() {
                "mesh" => {
                    heed(element, notes);
                    let mut element = defaults.styled(element, None)?;
                    if compiler.strips_path {
                        for attribute in element.attributes.iter_mut().filter(|one| one.key == "file") {
                            let last = attribute.value.rsplit(['/', '\\']).next().unwrap_or_default();
                            attribute.value = last.to_owned();
                        }
                    }
                    let of_file = element.text("file").map(|file| {
                        Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned()
                    });
                    let name = element.text("name").map(str::to_owned).or(of_file);
                    assets.elements.insert(name.unwrap_or_default(), element);
                }
                "texture" | "material" | "skin" => {}
                tag => notes.left_out(&element.place, element.called(), format!("there is no <{tag}>")),
            }
        }
        Ok(assets)
    }

    /// The mesh that `geom` names; nothing where it is of a kind that is not read.
    pub fn mesh(&mut self, geom: &Element, notes: &mut Notes) -> Result<Option<Rc<Asset>>, ImportError> {
        let name = geom.required("mesh")?;
        if let Some(read) = self.read.get(name) {
            return Ok(read.clone());
        }
        let Some(element) = self.elements.get(name) else {
            let message = format!("there is no mesh `{name}`");
            return Err(ImportError::new(&geom.place, message, "name a <mesh> of <asset>"));
        };
        let asset = read_asset(name, element, &self.folder, notes)?.map(Rc::new);
        self.read.insert(name.to_owned(), asset.clone());
        Ok(asset)
    }
}

fn read_asset(
    name: &str,
    element: &Element,
    folder: &Path,
    notes: &mut Notes,
) -> Result<Option<Asset>, ImportError> {
    let broken = |why: String| {
        let message = format!("mesh `{name}`: {why}");
        ImportError::new(&element.place, message, "check the mesh")
    };
    let mesh = match element.text("file") {
        None => inline(element)?,
        Some(file) => {
            let path = folder.join(file);
            if !matches!(mesh::kind(&path).as_str(), "stl" | "obj") {
                notes.left_out(&element.place, format!("mesh `{name}`"), MeshError::UnknownKind.to_string());
                return Ok(None);
            }
            let bytes = files::read(&path, mesh::MAX_BYTES, &element.place)?;
            Mesh::read(&path, &bytes).map_err(|error| broken(error.to_string()))?
        }
    };
    let scale = element.vector::<3>("scale")?.map_or(Vector3::repeat(1.0), Vector3::from);
    let moved = element.place_or_zero("refpos")?;
    let turn = element.vector("refquat")?.unwrap_or([1.0, 0.0, 0.0, 0.0]);
    let turn = of_quaternion(element, "refquat", turn)?.inverse();
    let mut mesh = mesh;
    mesh.vertices.iter_mut().for_each(|vertex| *vertex = turn * (*vertex - moved));
    let mesh = mesh.scaled(&scale);
    let hull = hull(&mesh.vertices).map_err(|error| broken(error.to_string()))?;
    let what = format!("mesh `{name}`");
    notes.changed(&element.place, &what, hull.told(mesh.vertices.len()));
    let of_hull = || hull.mesh.uniform(1.0).unwrap_or(MassProperties::zero());
    let mass = match element.text("inertia") {
        Some("convex") => of_hull(),
        other => {
            if other == Some("shell") {
                notes.changed(&element.place, &what, "it weighs as a full body, not as a shell");
            }
            // Vertices without faces are meant as their hull.
            let closed = if mesh.triangles.is_empty() { Some(of_hull()) } else { mesh.uniform(1.0) };
            closed.unwrap_or_else(|| {
                notes.changed(&element.place, &what, "it encloses no volume: it weighs as its hull");
                of_hull()
            })
        }
    };
    Ok(Some(Asset { corners: hull.mesh.vertices, mass }))
}

/// The mesh of the attributes `vertex` and `face`.
fn inline(element: &Element) -> Result<Mesh, ImportError> {
    let Some(numbers) = element.numbers("vertex")? else {
        let remedy = "give it a file, or vertices";
        return Err(ImportError::new(&element.place, "<mesh> has neither `file` nor `vertex`", remedy));
    };
    if numbers.len() % 3 != 0 {
        return Err(element.wrong("vertex", "three numbers for each vertex"));
    }
    let vertices: Vec<_> =
        numbers.chunks_exact(3).map(|part| Vector3::new(part[0], part[1], part[2])).collect();
    let faces = element.numbers("face")?.unwrap_or_default();
    let index = |number: &f64| {
        let whole = number.fract() == 0.0 && *number >= 0.0 && *number < vertices.len() as f64;
        whole.then_some(*number as usize)
    };
    let faces: Option<Vec<usize>> = faces.iter().map(index).collect();
    match faces {
        Some(faces) if faces.len() % 3 == 0 => {
            let triangles = faces.chunks_exact(3).map(|part| [part[0], part[1], part[2]]).collect();
            Ok(Mesh { vertices, triangles })
        }
        _ => Err(element.wrong("face", "three numbers of vertices, counted from 0, for each face")),
    }
}
