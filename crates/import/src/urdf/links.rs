//! `<link>`: what weighs, and what touches.

use std::path::{Path, PathBuf};

use nalgebra::{Isometry3, Matrix3, Vector3};

use super::origin;
use crate::{
    element::Element,
    fault::ImportError,
    files,
    mass::MassProperties,
    mechanism::{Form, Geom, GeomSurface, Link, WORLD},
    mesh::{self, Mesh, MeshError, hull},
    note::Notes,
    solid::Solid,
};

/// Friction of contacts, of which URDF says nothing.
pub(super) const FRICTION: f64 = 1.0;

pub(super) fn link(element: &Element, folder: &Path, notes: &mut Notes) -> Result<Link, ImportError> {
    let mut geoms = Vec::new();
    for collision in element.all("collision") {
        geoms.extend(geom(collision, folder, notes)?);
    }
    Ok(Link {
        name: element.text("name").map(str::to_owned),
        place: element.place.clone(),
        parent: WORLD,
        pose: Isometry3::identity(),
        joints: Vec::new(),
        geoms,
        mass: element.first("inertial").map_or(Ok(MassProperties::zero()), inertial)?,
        is_carrier: false,
    })
}

fn inertial(element: &Element) -> Result<MassProperties, ImportError> {
    let value = |tag: &str, key: &str| match element.first(tag) {
        Some(child) => child.number(key),
        None => Ok(None),
    };
    let mass = value("mass", "value")?.unwrap_or(0.0);
    if mass < 0.0 {
        return Err(ImportError::new(
            &element.place,
            format!("the mass is {mass} kg, and must not be negative"),
            "give the mass in kilograms",
        ));
    }
    let part = |key: &str| Ok::<f64, ImportError>(value("inertia", key)?.unwrap_or(0.0));
    let [xx, yy, zz] = [part("ixx")?, part("iyy")?, part("izz")?];
    let [xy, xz, yz] = [part("ixy")?, part("ixz")?, part("iyz")?];
    let inertia = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    Ok(MassProperties { mass, centre: Vector3::zeros(), inertia }.placed(&origin(element)?))
}

fn geom(collision: &Element, folder: &Path, notes: &mut Notes) -> Result<Option<Geom>, ImportError> {
    let Some(geometry) = collision.first("geometry") else {
        let remedy = "give it <geometry>, or remove it";
        return Err(ImportError::new(&collision.place, "<collision> has no <geometry>", remedy));
    };
    let Some(shape) = geometry.children.first() else {
        let remedy = "give it a <box>, <sphere>, <cylinder> or <mesh>";
        return Err(ImportError::new(&geometry.place, "<geometry> is empty", remedy));
    };
    let length = |key: &str| match shape.number(key)? {
        Some(length) if length > 0.0 => Ok(length),
        _ => Err(shape.wrong(key, "a positive number of metres")),
    };
    let solid = match shape.tag.as_str() {
        "box" => {
            let size = shape.vector::<3>("size")?.filter(|size| size.iter().all(|width| *width > 0.0));
            let size = size.ok_or_else(|| shape.wrong("size", "3 positive widths in metres"))?;
            Solid::Box { half: Vector3::from(size) / 2.0 }
        }
        "sphere" => Solid::Sphere { radius: length("radius")? },
        "cylinder" => Solid::Cylinder { radius: length("radius")?, half: length("length")? / 2.0 },
        "capsule" => Solid::Capsule { radius: length("radius")?, half: length("length")? / 2.0 },
        "mesh" => match mesh_solid(shape, folder, notes)? {
            Some(solid) => solid,
            None => return Ok(None),
        },
        // `heed` has named it.
        _ => return Ok(None),
    };
    Ok(Some(Geom {
        name: collision.text("name").map(str::to_owned),
        place: shape.place.clone(),
        form: Form::Solid(solid),
        pose: origin(collision)?,
        surface: GeomSurface {
            friction: FRICTION,
            slides_freely: false,
            priority: 0.0,
            contype: 1,
            conaffinity: 1,
        },
    }))
}

fn mesh_solid(element: &Element, folder: &Path, notes: &mut Notes) -> Result<Option<Solid>, ImportError> {
    let file = element.required("filename")?;
    let scale = element.vector::<3>("scale")?.map_or(Vector3::repeat(1.0), Vector3::from);
    let path = located(file, folder);
    if !Mesh::is_read(&path) {
        notes.left_out(&element.place, format!("mesh {file}"), MeshError::UnknownKind.to_string());
        return Ok(None);
    }
    let bytes = files::read(&path, mesh::MAX_BYTES, &element.place)?;
    let broken = |why: String| {
        let message = format!("{}: {why}", path.display());
        ImportError::new(&element.place, message, "check the file of the mesh")
    };
    let mesh = Mesh::read(&path, &bytes).map_err(|error| broken(error.to_string()))?.scaled(&scale);
    let hull = hull(&mesh.vertices).map_err(|error| broken(error.to_string()))?;
    notes.changed(&element.place, format!("mesh {file}"), hull.told(mesh.vertices.len()));
    Ok(Some(Solid::Hull { corners: hull.mesh.vertices }))
}

/// Where a file is: `package://NAME/PATH` counts from the folders around the file, `file://` is a path as it stands.
fn located(file: &str, folder: &Path) -> PathBuf {
    if let Some(path) = file.strip_prefix("file://") {
        return folder.join(path);
    }
    let Some(rest) = file.strip_prefix("package://").or_else(|| file.strip_prefix("model://")) else {
        return folder.join(file);
    };
    let inside = rest.split_once('/').map_or(rest, |(_, inside)| inside);
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let here = here.canonicalize().unwrap_or_else(|_| here.to_owned());
    let candidates = here.ancestors().flat_map(|around| [around.join(rest), around.join(inside)]);
    files::first_that_is_there(candidates.collect())
}
