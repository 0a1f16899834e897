//! `<geom>`: shapes, what they weigh, and how they touch.

use nalgebra::{Isometry3, Translation3, Vector3};

use super::Reader;
use crate::{
    attitude,
    element::Element,
    fault::ImportError,
    mass::MassProperties,
    mechanism::{Form, Geom, GeomSurface},
    solid::{Solid, ellipsoid_corners},
};

/// Density in kg/m^3 of geoms that say nothing of it.
const DENSITY: f64 = 1000.0;

impl Reader<'_> {
    /// Adds a geom to a link, and gives what it adds to the inertia of the link, if that `weighs` what its geoms do.
    pub(super) fn add_geom(
        &mut self,
        element: &Element,
        link: usize,
        frame: &Isometry3<f64>,
        weighs: bool,
    ) -> Result<Option<MassProperties>, ImportError> {
        let kind = element.text("type").unwrap_or("sphere");
        let is_mesh = element.text("mesh").is_some() || kind == "mesh";
        let mut pose = self.compiler.pose(element)?;
        let surface = self.surface(element)?;
        let touches = surface.contype != 0 || surface.conaffinity != 0;
        let group = element.number("group")?.unwrap_or(0.0);
        let weighs = weighs
            && (self.compiler.groups[0]..=self.compiler.groups[1]).contains(&group)
            && element.number("mass")? != Some(0.0);
        let name = element.text("name").map(str::to_owned);
        if let Some(name) = &name {
            self.geoms.insert(name.clone(), (link, self.mechanism.links[link].geoms.len()));
        }
        // What is a picture alone may be of meshes that are no bodies.
        if is_mesh && !touches && !weighs {
            return Ok(None);
        }
        let mut of_mesh = None;
        let form = if is_mesh {
            if kind != "mesh" {
                let why = "the hull of the mesh itself stands for the shape that would be fitted to it";
                self.notes.changed(&element.place, element.called(), why);
            }
            let Some(asset) = self.assets.mesh(element, self.notes)? else {
                self.notes.left_out(&element.place, element.called(), "its mesh is not read");
                return Ok(None);
            };
            if weighs {
                of_mesh = Some(asset.mass(self.notes)?);
            }
            let corners = if touches { asset.corners(self.notes)? } else { Vec::new() };
            Form::Solid(Solid::Hull { corners })
        } else {
            match kind {
                "plane" => Form::Plane,
                "box" | "sphere" | "capsule" | "cylinder" | "ellipsoid" => {
                    Form::Solid(self.solid(element, kind, &mut pose)?)
                }
                "hfield" | "sdf" => {
                    self.notes.left_out(
                        &element.place,
                        element.called(),
                        format!("there is no shape {kind}"),
                    );
                    return Ok(None);
                }
                _ => {
                    return Err(
                        element.wrong("type", "plane, sphere, capsule, ellipsoid, cylinder, box or mesh")
                    );
                }
            }
        };
        let pose = frame * pose;
        let weight = match &form {
            Form::Solid(solid) if weighs => {
                let uniform = of_mesh.unwrap_or_else(|| solid.uniform(1.0));
                Some(self.weight(element, uniform)?.placed(&pose))
            }
            _ => None,
        };
        if element.truth("shellinertia", false)? {
            self.notes.changed(&element.place, element.called(), "it weighs as a full body, not as a shell");
        }
        // What scenarios touch with an ellipsoid is the hull of points on it.
        let form = match form {
            Form::Solid(Solid::Ellipsoid { half }) => {
                let why =
                    "an ellipsoid: it touches as a polyhedron of 62 corners on it, and weighs as itself";
                self.notes.changed(&element.place, element.called(), why);
                Form::Solid(Solid::Hull { corners: ellipsoid_corners(&half) })
            }
            form => form,
        };
        let place = element.place.clone();
        self.mechanism.links[link].geoms.push(Geom { name, place, form, pose, surface });
        Ok(weight)
    }

    fn solid(&self, element: &Element, kind: &str, pose: &mut Isometry3<f64>) -> Result<Solid, ImportError> {
        let mut size = element.numbers("size")?.unwrap_or_default();
        let ends = element.vector::<6>("fromto")?.filter(|_| kind != "sphere");
        let asked = size_asked(kind, ends.is_some());
        if let Some(ends) = ends {
            let [from, to] = [0, 3].map(|first| Vector3::new(ends[first], ends[first + 1], ends[first + 2]));
            let axis = (from - to).try_normalize(1e-10);
            let axis = axis.ok_or_else(|| element.wrong("fromto", "two points that are not the same"))?;
            *pose = Isometry3::from_parts(Translation3::from((from + to) / 2.0), attitude::of_z_axis(&axis));
            let half = (from - to).norm() / 2.0;
            let along = if matches!(kind, "capsule" | "cylinder") { 1 } else { 2 };
            // One number for both widths across the line.
            if let Some(across) = size.first().copied() {
                size = vec![across; along];
            }
            size.push(half);
        }
        let wanted = match kind {
            "sphere" => 1,
            "capsule" | "cylinder" => 2,
            _ => 3,
        };
        if size.len() < wanted || size.iter().take(wanted).any(|size| *size <= 0.0) {
            return Err(element.wrong("size", asked));
        }
        Ok(match kind {
            "sphere" => Solid::Sphere { radius: size[0] },
            "capsule" => Solid::Capsule { radius: size[0], half: size[1] },
            "cylinder" => Solid::Cylinder { radius: size[0], half: size[1] },
            "box" => Solid::Box { half: Vector3::new(size[0], size[1], size[2]) },
            _ => Solid::Ellipsoid { half: Vector3::new(size[0], size[1], size[2]) },
        })
    }

    /// Mass properties of a geom of which `uniform` are those at a density of 1.
    fn weight(&self, element: &Element, uniform: MassProperties) -> Result<MassProperties, ImportError> {
        let given = element.number("mass")?;
        let density = element.number("density")?.unwrap_or(DENSITY);
        for (key, value) in [("mass", given.unwrap_or(0.0)), ("density", density)] {
            if value < 0.0 {
                return Err(element.wrong(key, "a number that is not negative"));
            }
        }
        Ok(match given {
            Some(mass) if uniform.mass > 0.0 => uniform.scaled(mass / uniform.mass),
            _ => uniform.scaled(density),
        })
    }

    fn surface(&mut self, element: &Element) -> Result<GeomSurface, ImportError> {
        let friction = element.amount("friction")?;
        let friction = if element.text("friction").is_some() { friction } else { 1.0 };
        let bits = |key: &str| match element.number(key)? {
            None => Ok(1),
            Some(bits) if bits.fract() == 0.0 && bits.abs() < f64::from(u32::MAX) => Ok(bits as i64 as u32),
            Some(_) => Err(element.wrong(key, "a whole number")),
        };
        let dimension = element.number("condim")?.unwrap_or(3.0);
        if dimension > 3.0 {
            let what = format!("`condim=\"{dimension}\"` of <geom>");
            self.notes.left_out(
                &element.place,
                what,
                "contacts have no friction against spinning and rolling",
            );
        }
        Ok(GeomSurface {
            friction,
            slides_freely: dimension == 1.0,
            priority: element.number("priority")?.unwrap_or(0.0),
            contype: bits("contype")?,
            conaffinity: bits("conaffinity")?,
        })
    }
}

/// What the `size` of a shape has to be, of which `fromto` may give the place along a line.
fn size_asked(kind: &str, is_from_to: bool) -> &'static str {
    match (kind, is_from_to) {
        ("sphere", _) => "a positive number, the radius in metres",
        ("capsule" | "cylinder", true) => {
            "a positive number, the radius in metres: `fromto` gives the length"
        }
        ("capsule" | "cylinder", false) => "2 positive numbers, the radius and half the length in metres",
        (_, true) => "a positive number, half the width in metres: `fromto` gives the length",
        (_, false) => "3 positive numbers, half widths in metres",
    }
}
