//! URDF: <https://wiki.ros.org/urdf/XML>.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
};

use nalgebra::{Isometry3, Matrix3, Vector3};

use crate::{
    Options,
    attitude::of_roll_pitch_yaw,
    element::{Attribute, Element},
    fault::ImportError,
    files,
    mass::MassProperties,
    mechanism::{Form, Geom, GeomSurface, Kind, Link, Mechanism, TreeJoint, WORLD},
    mesh::{self, Mesh, MeshError, hull},
    note::{Notes, Place},
    solid::Solid,
};

/// Length of a step in s, of which URDF says nothing.
const STEP: f64 = 1e-3;

/// Friction of contacts, of which URDF says nothing either.
const FRICTION: f64 = 1.0;

pub(crate) fn read(
    root: &Element,
    folder: &Path,
    stem: &str,
    options: Options,
    notes: &mut Notes,
) -> Result<Mechanism, ImportError> {
    let undeclared = undeclared_world(root, notes);
    let by_name = named_links(root, undeclared.as_ref())?;
    let mut joints: HashMap<&str, Vec<(&Element, &str)>> = HashMap::new();
    let mut children = HashSet::new();
    for joint in root.all("joint") {
        let [parent, child] = ["parent", "child"].map(|end| linked(joint, end, &by_name));
        let (parent, child) = (parent?, child?);
        if !children.insert(child) {
            let message = format!("link `{child}` is the child of two joints");
            let remedy = "URDF has trees alone: a link has one parent";
            return Err(ImportError::new(&joint.place, message, remedy));
        }
        joints.entry(parent).or_default().push((joint, child));
    }
    let base = base(root, undeclared.as_ref(), &children)?;
    left_out(root, notes);
    let mut mechanism = Mechanism {
        name: root.text("name").unwrap_or(stem).to_owned(),
        step: STEP,
        gravity: Vector3::new(0.0, 0.0, -9.81),
        links: vec![the_world(&root.place)],
        closures: Vec::new(),
        apart: HashSet::new(),
        agreed: Vec::new(),
        nothing_touches: false,
        neighbours_touch: false,
        touches_fixed_neighbour: false,
        overlaps_touch: false,
        stands: true,
        place: root.place.clone(),
    };
    notes.changed(
        &root.place,
        "what URDF does not say",
        format!("friction is {FRICTION}, a step {STEP} s, gravity 9.81 m/s^2 against z"),
    );
    let base_name = base.required("name")?;
    let is_fixed = options.fixed_base || base_name == "world";
    let stays = TreeJoint { kind: Kind::Free, ..joint_of(None, &base.place) };
    mechanism
        .links
        .push(Link { joints: if is_fixed { Vec::new() } else { vec![stays] }, ..link(base, folder, notes)? });
    if is_fixed {
        notes.taken(&base.place, base.called(), "the base, which stays where it is");
    } else {
        notes.taken(&base.place, base.called(), "the base, which is free; --fixed-base holds it");
    }
    let mut open = vec![(WORLD + 1, base_name)];
    while let Some((parent, name)) = open.pop() {
        for (joint, child) in joints.get(name).into_iter().flatten() {
            let joints = tree_joint(joint, notes)?;
            let link = link(by_name[child], folder, notes)?;
            mechanism.links.push(Link { parent, pose: origin(joint)?, joints, ..link });
            open.push((mechanism.links.len() - 1, child));
        }
    }
    if mechanism.links.len() - 1 < by_name.len() {
        let message = "joints close a ring: some links cannot be reached from the base";
        return Err(ImportError::new(&root.place, message, "URDF has trees alone"));
    }
    Ok(mechanism)
}

fn the_world(place: &Place) -> Link {
    Link {
        name: None,
        place: place.clone(),
        parent: WORLD,
        pose: Isometry3::identity(),
        joints: Vec::new(),
        geoms: Vec::new(),
        mass: MassProperties::zero(),
        is_carrier: false,
    }
}

/// A link `world` where joints hang on one that is not declared: files that count on the name have it for the world.
fn undeclared_world(root: &Element, notes: &mut Notes) -> Option<Element> {
    if root.all("link").any(|link| link.text("name") == Some("world")) {
        return None;
    }
    let mut parents = root.all("joint").filter_map(|joint| joint.first("parent"));
    let parent = parents.find(|parent| parent.text("link") == Some("world"))?;
    let why = "no <link> has that name: it is the world itself, which stays where it is";
    notes.changed(&parent.place, "link `world`", why);
    let name = Attribute { key: "name".to_owned(), value: "world".to_owned(), place: parent.place.clone() };
    Some(Element {
        tag: "link".to_owned(),
        place: parent.place.clone(),
        attributes: vec![name],
        children: Vec::new(),
    })
}

/// The one link that is the child of no joint.
fn base<'a>(
    root: &'a Element,
    undeclared: Option<&'a Element>,
    children: &HashSet<&str>,
) -> Result<&'a Element, ImportError> {
    let links: Vec<&Element> = root.all("link").chain(undeclared).collect();
    if links.is_empty() {
        let message = "the robot has no links";
        let remedy = "give it some; files of macros (xacro) have to be expanded first";
        return Err(ImportError::new(&root.place, message, remedy));
    }
    let has_none = |link: &Element| link.text("name").is_some_and(|name| !children.contains(name));
    let bases: Vec<&Element> = links.into_iter().filter(|link| has_none(link)).collect();
    if let [base] = bases.as_slice() {
        return Ok(base);
    }
    if bases.is_empty() {
        let message = "joints close a ring: every link has a parent, and one has to be the base";
        return Err(ImportError::new(&root.place, message, "URDF has trees alone"));
    }
    let message = format!(
        "{} links have no parent, and one has to be the base: {} and {} are two of them",
        bases.len(),
        bases[0].called(),
        bases[1].called()
    );
    Err(ImportError::new(&bases[1].place, message, "join the links to one tree"))
}

fn named_links<'a>(
    root: &'a Element,
    undeclared: Option<&'a Element>,
) -> Result<HashMap<&'a str, &'a Element>, ImportError> {
    let mut by_name = HashMap::new();
    for link in root.all("link").chain(undeclared) {
        let name = link.required("name")?;
        if by_name.insert(name, link).is_some() {
            let message = format!("there are two links `{name}`");
            return Err(ImportError::new(&link.place, message, "give each link a name of its own"));
        }
    }
    Ok(by_name)
}

/// The link at an end of a joint.
fn linked<'a>(
    joint: &'a Element,
    end: &str,
    by_name: &HashMap<&str, &Element>,
) -> Result<&'a str, ImportError> {
    let Some(element) = joint.first(end) else {
        let message = format!("{} has no <{end}>", joint.called());
        return Err(ImportError::new(
            &joint.place,
            message,
            format!("name its {end} as <{end} link=\"..\"/>"),
        ));
    };
    let name = element.required("link")?;
    if by_name.contains_key(name) {
        return Ok(name);
    }
    Err(ImportError::new(&element.place, format!("there is no link `{name}`"), "name a link of the file"))
}

/// Names what is in no scenario.
fn left_out(root: &Element, notes: &mut Notes) {
    for child in &root.children {
        match child.tag.as_str() {
            "link" | "joint" | "material" => {}
            "transmission" => {
                notes.left_out(
                    &child.place,
                    "<transmission>",
                    "gears between motors and joints are not known",
                );
            }
            "gazebo" => notes.left_out(&child.place, "<gazebo>", "it is for another program"),
            "mujoco" => notes.left_out(&child.place, "<mujoco>", "it is for another program"),
            tag => notes.left_out(&child.place, format!("<{tag}>"), "URDF has no such element"),
        }
    }
}

fn origin(element: &Element) -> Result<Isometry3<f64>, ImportError> {
    let Some(origin) = element.first("origin") else { return Ok(Isometry3::identity()) };
    let turn = of_roll_pitch_yaw(origin.vector("rpy")?.unwrap_or_default());
    Ok(Isometry3::from_parts(origin.place_or_zero("xyz")?.into(), turn))
}

fn link(element: &Element, folder: &Path, notes: &mut Notes) -> Result<Link, ImportError> {
    let mut geoms = Vec::new();
    for collision in element.all("collision") {
        geoms.extend(geom(collision, folder, notes)?);
    }
    for child in &element.children {
        if !matches!(child.tag.as_str(), "inertial" | "collision" | "visual") {
            notes.left_out(
                &child.place,
                format!("<{}> of <link>", child.tag),
                "it says nothing that is known",
            );
        }
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
        tag => {
            notes.left_out(&shape.place, format!("<{tag}> of <geometry>"), "there is no such shape");
            return Ok(None);
        }
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

fn joint_of(name: Option<&str>, place: &Place) -> TreeJoint {
    TreeJoint {
        name: name.map(str::to_owned),
        place: place.clone(),
        kind: Kind::Hinge,
        anchor: Vector3::zeros(),
        axis: Vector3::x(),
        reference: 0.0,
        limits: None,
        stiffness: 0.0,
        rest: 0.0,
        damping: 0.0,
        friction: 0.0,
        armature: 0.0,
        drive: None,
    }
}

/// What the child of a joint can do; nothing where it is fixed.
fn tree_joint(element: &Element, notes: &mut Notes) -> Result<Vec<TreeJoint>, ImportError> {
    let kind = match element.required("type")? {
        "fixed" => return Ok(Vec::new()),
        "revolute" | "continuous" => Kind::Hinge,
        "prismatic" => Kind::Slide,
        "floating" => Kind::Free,
        other => {
            return Err(ImportError::new(
                &element.place,
                format!("{} is of type \"{other}\", for which scenarios have no joint", element.called()),
                "take revolute, continuous, prismatic, fixed or floating",
            ));
        }
    };
    let mut joint = TreeJoint { kind, ..joint_of(element.text("name"), &element.place) };
    if let Some(axis) = element.first("axis") {
        joint.axis = axis.direction("xyz", Vector3::x())?;
    }
    if let Some(dynamics) = element.first("dynamics") {
        (joint.damping, joint.friction) = (dynamics.amount("damping")?, dynamics.amount("friction")?);
    }
    let limit = element.first("limit");
    if let Some(limit) = limit {
        let [lower, upper] = [limit.number("lower")?, limit.number("upper")?];
        if element.text("type") != Some("continuous") && kind != Kind::Free {
            joint.limits = Some([lower.unwrap_or(0.0), upper.unwrap_or(0.0)]);
        }
        let effort = limit.number("effort")?.unwrap_or(0.0);
        if effort > 0.0 {
            let why = format!(
                "it bounds a drive, and none is written, as URDF has no gains: give [joint.drive] with limit = {effort:?}"
            );
            notes.left_out(&limit.place, "`effort` of <limit>", why);
        }
        if limit.text("velocity").is_some() {
            notes.left_out(&limit.place, "`velocity` of <limit>", "rates of joints are not limited");
        }
    } else if element.text("type") == Some("revolute") {
        notes.changed(&element.place, element.called(), "it has no <limit>: it turns freely");
    }
    for child in &element.children {
        let (what, why) = match child.tag.as_str() {
            "origin" | "parent" | "child" | "axis" | "limit" | "dynamics" => continue,
            "mimic" => {
                let leader = child.text("joint").unwrap_or_default();
                let why = "joints that follow others have no words: the joint moves by itself";
                (format!("<mimic> of {}, which follows `{leader}`", element.called()), why)
            }
            "calibration" => ("<calibration>".to_owned(), "it is for the electronics of the joint"),
            "safety_controller" => ("<safety_controller>".to_owned(), "drives have no such limits"),
            tag => (format!("<{tag}> of <joint>"), "URDF has no such element"),
        };
        notes.left_out(&child.place, what, why);
    }
    Ok(vec![joint])
}
