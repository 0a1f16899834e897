//! `<compiler>` and `<option>`: what the numbers of a file mean.

use nalgebra::{Isometry3, UnitQuaternion, Vector3};

use crate::{attitude, element::Element, fault::ImportError, note::Notes};

/// When inertia follows from geoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FromGeoms {
    Never,
    WhereNoneIsGiven,
    Always,
}

#[derive(Debug)]
pub(super) struct Compiler {
    /// Radians per unit of an angle.
    pub angle: f64,
    sequence: String,
    pub autolimits: bool,
    pub mesh_folder: String,
    pub strips_path: bool,
    pub from_geoms: FromGeoms,
    /// The groups of geoms that inertia follows from.
    pub groups: [f64; 2],
    pub least_mass: f64,
    pub least_inertia: f64,
    pub total_mass: Option<f64>,
}

impl Compiler {
    /// That of a model; of several `<compiler>`s the last that says something counts.
    pub fn of(root: &Element, notes: &mut Notes) -> Result<Self, ImportError> {
        let mut compiler = Self {
            angle: 1.0_f64.to_radians(),
            sequence: "xyz".to_owned(),
            autolimits: true,
            mesh_folder: String::new(),
            strips_path: false,
            from_geoms: FromGeoms::WhereNoneIsGiven,
            groups: [0.0, 5.0],
            least_mass: 0.0,
            least_inertia: 0.0,
            total_mass: None,
        };
        let sections = || root.all("compiler");
        // The folder of meshes wins over that of all assets, wherever the two stand.
        for key in ["assetdir", "meshdir"] {
            compiler.mesh_folder = sections()
                .filter_map(|section| section.text(key))
                .last()
                .map_or(compiler.mesh_folder, str::to_owned);
        }
        for section in sections() {
            compiler.add(section, notes)?;
        }
        Ok(compiler)
    }

    fn add(&mut self, section: &Element, notes: &mut Notes) -> Result<(), ImportError> {
        for attribute in &section.attributes {
            match attribute.key.as_str() {
                "angle" => {
                    self.angle = match attribute.value.as_str() {
                        "degree" => 1.0_f64.to_radians(),
                        "radian" => 1.0,
                        _ => return Err(section.wrong("angle", "degree or radian")),
                    }
                }
                "eulerseq" => {
                    let letters = attribute.value.chars().all(|letter| "xyzXYZ".contains(letter));
                    if !letters || attribute.value.len() != 3 {
                        return Err(section.wrong("eulerseq", "three letters out of x, y, z, X, Y and Z"));
                    }
                    self.sequence.clone_from(&attribute.value);
                }
                "autolimits" => self.autolimits = section.truth("autolimits", true)?,
                "strippath" => self.strips_path = section.truth("strippath", false)?,
                "inertiafromgeom" => {
                    self.from_geoms = match attribute.value.as_str() {
                        "auto" => FromGeoms::WhereNoneIsGiven,
                        "true" => FromGeoms::Always,
                        "false" => FromGeoms::Never,
                        _ => return Err(section.wrong("inertiafromgeom", "auto, true or false")),
                    }
                }
                "inertiagrouprange" => {
                    self.groups = section.vector("inertiagrouprange")?.unwrap_or(self.groups);
                }
                "boundmass" => self.least_mass = section.amount("boundmass")?,
                "boundinertia" => self.least_inertia = section.amount("boundinertia")?,
                "settotalmass" => {
                    self.total_mass = section.number("settotalmass")?.filter(|mass| *mass > 0.0);
                }
                "coordinate" if attribute.value == "global" => {
                    let remedy = "MuJoCo itself has given global coordinates up: save the file in local ones with an older one";
                    return Err(crate::ImportError::new(&attribute.place, "coordinates are global", remedy));
                }
                "meshdir" | "assetdir" | "texturedir" | "coordinate" | "balanceinertia" | "usethread"
                | "fusestatic" | "discardvisual" | "alignfree" | "saveinertial" => {}
                key => notes.left_out(
                    &attribute.place,
                    format!("`{key}` of <compiler>"),
                    "it has no counterpart",
                ),
            }
        }
        for child in &section.children {
            notes.left_out(&child.place, format!("<{}> of <compiler>", child.tag), "it has no counterpart");
        }
        Ok(())
    }

    /// How an element is turned.
    pub fn turn(&self, element: &Element) -> Result<UnitQuaternion<f64>, ImportError> {
        if let Some([x, y, z, angle]) = element.vector("axisangle")? {
            let axis = nalgebra::Unit::try_new(Vector3::new(x, y, z), 1e-10);
            let axis =
                axis.ok_or_else(|| element.wrong("axisangle", "an axis that is not zero, and an angle"))?;
            return Ok(UnitQuaternion::from_axis_angle(&axis, angle * self.angle));
        }
        if let Some(angles) = element.vector::<3>("euler")? {
            return Ok(attitude::of_euler(&self.sequence, angles.map(|angle| angle * self.angle)));
        }
        if let Some(axes) = element.vector("xyaxes")? {
            return attitude::of_axes(element, axes);
        }
        if element.text("zaxis").is_some() {
            return Ok(attitude::of_z_axis(&element.direction("zaxis", Vector3::z())?));
        }
        match element.vector("quat")? {
            Some(quaternion) => attitude::of_quaternion(element, "quat", quaternion),
            None => Ok(UnitQuaternion::identity()),
        }
    }

    /// Where an element is, and how it is turned.
    pub fn pose(&self, element: &Element) -> Result<Isometry3<f64>, ImportError> {
        Ok(Isometry3::from_parts(element.place_or_zero("pos")?.into(), self.turn(element)?))
    }
}

/// What `<option>` says.
#[derive(Debug)]
pub(super) struct Choices {
    pub step: f64,
    pub gravity: Vector3<f64>,
}

impl Choices {
    pub fn of(root: &Element, notes: &mut Notes) -> Result<Self, ImportError> {
        let mut choices = Self { step: 2e-3, gravity: Vector3::new(0.0, 0.0, -9.81) };
        for section in root.all("option") {
            if let Some(step) = section.number("timestep")? {
                if step <= 0.0 {
                    return Err(section.wrong("timestep", "a positive number of seconds"));
                }
                choices.step = step;
            }
            if let Some(gravity) = section.vector::<3>("gravity")? {
                choices.gravity = gravity.into();
            }
            for attribute in &section.attributes {
                let why = match attribute.key.as_str() {
                    "wind" | "density" | "viscosity" | "magnetic" => "there is no air and no field",
                    "impratio" | "o_margin" | "o_solref" | "o_solimp" | "o_friction" => {
                        "contacts are rigid and have no compliance"
                    }
                    // Settings of a solver that does not solve here, and what is taken.
                    _ => continue,
                };
                notes.left_out(&attribute.place, format!("`{}` of <option>", attribute.key), why);
            }
        }
        Ok(choices)
    }
}
