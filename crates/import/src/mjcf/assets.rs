//! `<asset>`: meshes, read when a geom asks for them.

use std::{
    cell::OnceCell,
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
    mesh::{self, Hull, Mesh, MeshError, Weighing, hull},
    note::{Notes, Place},
};

/// A mesh that can be touched and weighed.
#[derive(Debug)]
pub(super) struct Asset {
    name: String,
    place: Place,
    mesh: Mesh,
    /// What of it weighs; its hull where there is nothing.
    weighing: Option<Weighing>,
    hull: OnceCell<Hull>,
    mass: OnceCell<MassProperties>,
}

impl Asset {
    /// The corners of its hull in m.
    pub fn corners(&self, notes: &mut Notes) -> Result<Vec<Vector3<f64>>, ImportError> {
        let is_new = self.hull.get().is_none();
        let hull = self.hull()?;
        if is_new {
            notes.changed(&self.place, self.called(), hull.told(self.mesh.vertices.len()));
        }
        Ok(hull.mesh.vertices.clone())
    }

    /// Its mass properties at a density of 1 kg/m^3, or kg/m^2 of a shell.
    pub fn mass(&self, notes: &mut Notes) -> Result<MassProperties, ImportError> {
        if let Some(mass) = self.mass.get() {
            return Ok(*mass);
        }
        let own = self.weighing.map(|how| self.mesh.weighed(how));
        if own == Some(None) {
            notes.changed(&self.place, self.called(), "it encloses no volume: it weighs as its hull");
        }
        let mass = match own.flatten() {
            Some(mass) => mass,
            None => self.hull()?.mesh.weighed(Weighing::Enclosed).unwrap_or(MassProperties::zero()),
        };
        Ok(*self.mass.get_or_init(|| mass))
    }

    fn hull(&self) -> Result<&Hull, ImportError> {
        if let Some(hull) = self.hull.get() {
            return Ok(hull);
        }
        let hull = hull(&self.mesh.vertices).map_err(|error| {
            let message = format!("{}: {error}", self.called());
            let remedy = "check the mesh; what is drawn alone takes contype, conaffinity and mass 0";
            ImportError::new(&self.place, message, remedy)
        })?;
        Ok(self.hull.get_or_init(|| hull))
    }

    fn called(&self) -> String {
        format!("mesh `{}`", self.name)
    }
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
            if !Mesh::is_read(&path) {
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
    let weighing = match element.text("inertia") {
        // Vertices without faces are meant as their hull.
        _ if mesh.triangles.is_empty() => None,
        Some("convex") => None,
        Some("exact") => Some(Weighing::Enclosed),
        Some("shell") => Some(Weighing::Shell),
        None | Some("legacy") => Some(Weighing::EachSide),
        Some(_) => return Err(element.wrong("inertia", "convex, exact, legacy or shell")),
    };
    let (hull, mass) = Default::default();
    Ok(Some(Asset { name: name.to_owned(), place: element.place.clone(), mesh, weighing, hull, mass }))
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
