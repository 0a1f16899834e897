//! MJCF: <https://mujoco.readthedocs.io/en/stable/XMLreference.html>.

mod assets;
mod bodies;
mod compiler;
mod contacts;
mod defaults;
mod drives;
mod flags;
mod geoms;
mod heed;
mod include;
mod joints;

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use nalgebra::Isometry3;

use self::{
    assets::Assets,
    compiler::{Choices, Compiler},
    defaults::Defaults,
    flags::Disabled,
};
use crate::{
    Options,
    element::Element,
    fault::ImportError,
    mass::MassProperties,
    mechanism::{Link, Mechanism, Target, WORLD},
    note::Notes,
};

/// A model in the making.
struct Reader<'n> {
    notes: &'n mut Notes,
    options: Options,
    compiler: Compiler,
    defaults: Defaults,
    assets: Assets,
    mechanism: Mechanism,
    /// The links of bodies.
    bodies: HashMap<String, usize>,
    /// The links of joints, and their numbers there.
    joints: HashMap<String, (usize, usize)>,
    /// The links of geoms, and their numbers there.
    geoms: HashMap<String, (usize, usize)>,
    /// The links of sites, and their axes there.
    sites: HashMap<String, (usize, Isometry3<f64>)>,
}

pub(crate) fn read(
    mut root: Element,
    folder: &Path,
    stem: &str,
    options: Options,
    notes: &mut Notes,
) -> Result<Mechanism, ImportError> {
    include::expand(&mut root, folder)?;
    let compiler = Compiler::of(&root, notes)?;
    let choices = Choices::of(&root, notes)?;
    let defaults = Defaults::of(&root, notes);
    let assets = Assets::of(&root, folder, &compiler, &defaults, notes)?;
    let world = Link {
        name: Some("world".to_owned()),
        place: root.place.clone(),
        parent: WORLD,
        pose: Isometry3::identity(),
        joints: Vec::new(),
        geoms: Vec::new(),
        mass: MassProperties::zero(),
        is_carrier: false,
    };
    let mechanism = Mechanism {
        name: root.text("model").unwrap_or(stem).to_owned(),
        step: choices.step,
        gravity: choices.gravity,
        links: vec![world],
        closures: Vec::new(),
        apart: HashSet::new(),
        agreed: Vec::new(),
        nothing_touches: false,
        neighbours_touch: false,
        touches_fixed_neighbour: true,
        overlaps_touch: true,
        stands: false,
        place: root.place.clone(),
    };
    let mut reader = Reader {
        notes,
        options,
        compiler,
        defaults,
        assets,
        mechanism,
        bodies: HashMap::from([("world".to_owned(), WORLD)]),
        joints: HashMap::new(),
        geoms: HashMap::new(),
        sites: HashMap::new(),
    };
    if root.first("worldbody").is_none() {
        let remedy = "a model has its bodies in <worldbody>";
        return Err(ImportError::new(&root.place, "there is no <worldbody>", remedy));
    }
    for section in root.all("worldbody") {
        reader.world(section)?;
    }
    reader.weigh();
    for section in root.all("contact") {
        reader.contacts(section)?;
    }
    for section in root.all("equality") {
        reader.equalities(section)?;
    }
    for section in root.all("actuator") {
        reader.drives(section)?;
    }
    // Bounds of forces that have waited for a drive have nothing to bound.
    for joint in reader.mechanism.links.iter_mut().flat_map(|link| &mut link.joints) {
        joint.drive.take_if(|drive| drive.target == Target::Force && drive.limit.is_some());
    }
    Disabled::of(&root).obey(&mut reader.mechanism, reader.notes);
    reader.left_out(&root);
    Ok(reader.mechanism)
}

impl Reader<'_> {
    /// Names the sections of a model for which scenarios have no words.
    fn left_out(&mut self, root: &Element) {
        for section in &root.children {
            let why = match section.tag.as_str() {
                "tendon" => "there are no tendons",
                "sensor" => "what is measured stands in trajectory.csv, contacts.csv and joints.csv",
                "keyframe" => "the start is the pose of the file",
                "deformable" => "bodies are rigid",
                "extension" => "there are no plugins",
                "custom" => "it is for another program",
                "compiler" | "option" | "size" | "visual" | "statistic" | "default" | "asset"
                | "worldbody" | "contact" | "equality" | "actuator" => continue,
                tag => {
                    self.notes.left_out(&section.place, format!("<{tag}>"), "MJCF has no such section");
                    continue;
                }
            };
            for element in &section.children {
                self.notes.left_out(
                    &element.place,
                    format!("{} of <{}>", element.called(), section.tag),
                    why,
                );
            }
        }
    }

    /// Gives all that moves the mass that `settotalmass` asks for.
    fn weigh(&mut self) {
        let Some(wanted) = self.compiler.total_mass else { return };
        let links = &mut self.mechanism.links[1..];
        let total: f64 = links.iter().map(|link| link.mass.mass).sum();
        if total > 0.0 {
            links.iter_mut().for_each(|link| link.mass = link.mass.scaled(wanted / total));
        }
    }

    /// The link of a body that an attribute names.
    fn body(&self, element: &Element, key: &str) -> Result<usize, ImportError> {
        let name = element.required(key)?;
        self.bodies.get(name).copied().ok_or_else(|| element.wrong(key, "the name of a body"))
    }
}
