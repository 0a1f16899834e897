//! `<joint>` and `<freejoint>`.

use nalgebra::{Isometry3, Point3, Vector3};

use super::{Reader, heed::heed};
use crate::{
    element::Element,
    fault::ImportError,
    mechanism::{Drive, Kind, Target, TreeJoint, WORLD},
};

impl Reader<'_> {
    pub(super) fn add_joint(
        &mut self,
        element: &Element,
        link: usize,
        frame: &Isometry3<f64>,
        class: Option<&str>,
    ) -> Result<(), ImportError> {
        if link == WORLD {
            return Err(ImportError::new(&element.place, "the world has a joint", "put it into a <body>"));
        }
        let is_free = element.tag == "freejoint";
        let element = if is_free { element.clone() } else { self.defaults.styled(element, class)? };
        let kind = match element.text("type").unwrap_or("hinge") {
            _ if is_free => Kind::Free,
            "hinge" => Kind::Hinge,
            "slide" => Kind::Slide,
            "ball" => Kind::Ball,
            "free" => Kind::Free,
            _ => return Err(element.wrong("type", "hinge, slide, ball or free")),
        };
        heed(&element, self.notes);
        let name = element.text("name").map(str::to_owned);
        let joints = &self.mechanism.links[link].joints;
        if joints.iter().any(|joint| joint.kind == Kind::Free || kind == Kind::Free) {
            let remedy = "a body that is free has no other joint";
            return Err(ImportError::new(&element.place, "a free body has several joints", remedy));
        }
        let number = joints.len();
        let joint = self.joint(&element, kind, frame)?;
        if let Some(name) = &name {
            self.joints.insert(name.clone(), (link, number));
        }
        self.mechanism.links[link].joints.push(joint);
        Ok(())
    }

    fn joint(
        &mut self,
        element: &Element,
        kind: Kind,
        frame: &Isometry3<f64>,
    ) -> Result<TreeJoint, ImportError> {
        let turns = matches!(kind, Kind::Hinge | Kind::Ball);
        // Numbers of coordinates that are angles are in the unit of the file.
        let unit = if turns { self.compiler.angle } else { 1.0 };
        let anchor = Point3::from(element.place_or_zero("pos")?);
        for key in ["stiffness", "damping"] {
            let higher = element.numbers(key)?.unwrap_or_default();
            if higher.iter().skip(1).any(|factor| *factor != 0.0) {
                let what = format!("`{key}` of <joint>");
                self.notes.changed(&element.place, what, "it is linear: what grows with powers is left out");
            }
        }
        let mut joint = TreeJoint {
            name: element.text("name").map(str::to_owned),
            place: element.place.clone(),
            kind,
            anchor: (frame * anchor).coords,
            axis: frame.rotation * element.direction("axis", Vector3::z())?,
            reference: unit * element.number("ref")?.unwrap_or(0.0),
            limits: self.range(element, "range", "limited")?.map(|range| range.map(|end| unit * end)),
            stiffness: element.amount("stiffness")?,
            rest: unit * element.number("springref")?.unwrap_or(0.0),
            damping: element.amount("damping")?,
            friction: element.amount("frictionloss")?,
            armature: element.amount("armature")?,
            drive: None,
        };
        if let Some([low, high]) = self.range(element, "actuatorfrcrange", "actuatorfrclimited")? {
            // Kept until a drive comes to it.
            let limit = Some(low.abs().max(high.abs()));
            joint.drive = Some(Drive { target: Target::Force, kp: 0.0, kv: 0.0, limit });
        }
        Ok(joint)
    }

    /// The range of an attribute where another says that it counts, or says nothing and autolimits lets it.
    pub(super) fn range(
        &mut self,
        element: &Element,
        key: &str,
        limited: &str,
    ) -> Result<Option<[f64; 2]>, ImportError> {
        let Some([low, high]) = element.vector::<2>(key)? else { return Ok(None) };
        let counts = match element.text(limited) {
            None | Some("auto") => self.compiler.autolimits,
            Some("true") => true,
            Some("false") => false,
            Some(_) => return Err(element.wrong(limited, "true, false or auto")),
        };
        if counts && low > high {
            return Err(element.wrong(key, "the least value and then the largest"));
        }
        Ok(counts.then_some([low, high]))
    }
}
