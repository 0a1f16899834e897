//! `<contact>` and `<equality>`.

use nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion, Vector3};

use super::{Reader, heed::heed};
use crate::{
    element::Element,
    fault::ImportError,
    mechanism::{Closure, WORLD},
};

/// How far sites and poses may be off in m and rad, to count as where they have to be.
const OFF: f64 = 1e-6;

impl Reader<'_> {
    /// Who touches whom, and with what friction.
    pub(super) fn contacts(&mut self, section: &Element) -> Result<(), ImportError> {
        for element in &section.children {
            heed(element, self.notes);
            match element.tag.as_str() {
                "exclude" => {
                    let [first, second] = [self.body(element, "body1")?, self.body(element, "body2")?];
                    self.mechanism.apart.insert([first.min(second), first.max(second)]);
                }
                "pair" => {
                    let styled = self.defaults.styled(element, None)?;
                    let mut ends = [0; 2];
                    for (end, key) in ends.iter_mut().zip(["geom1", "geom2"]) {
                        let found = self.geoms.get(styled.required(key)?).copied();
                        *end = found.ok_or_else(|| styled.wrong(key, "the name of a geom"))?.0;
                    }
                    let slides = styled.number("condim")? == Some(1.0);
                    if styled.text("friction").is_some() || slides {
                        let friction = if slides { 0.0 } else { styled.amount("friction")? };
                        self.mechanism.agreed.push((ends, friction));
                        self.notes.taken(&element.place, element.called(), "friction of the two bodies");
                    } else {
                        let why = "the bodies touch as their geoms do";
                        self.notes.left_out(&element.place, element.called(), why);
                    }
                }
                tag => self.notes.left_out(
                    &element.place,
                    format!("<{tag}> of <contact>"),
                    "it has no counterpart",
                ),
            }
        }
        Ok(())
    }

    /// What keeps bodies together besides the tree.
    pub(super) fn equalities(&mut self, section: &Element) -> Result<(), ImportError> {
        for element in &section.children {
            let why = match element.tag.as_str() {
                "connect" | "weld" => {
                    let styled = self.defaults.styled(element, None)?;
                    heed(&styled, self.notes);
                    if styled.truth("active", true)? {
                        self.closure(&styled)?;
                        continue;
                    }
                    "it is not active"
                }
                "joint" => "joints that follow others have no words",
                "tendon" => "there are no tendons",
                _ => "there is nothing of the kind",
            };
            self.notes.left_out(&element.place, format!("{} of <equality>", element.called()), why);
        }
        Ok(())
    }

    fn closure(&mut self, element: &Element) -> Result<(), ImportError> {
        let is_weld = element.tag == "weld";
        let (links, point) = if element.text("site1").is_some() {
            let mut ends = [(WORLD, Isometry3::identity()); 2];
            for (end, key) in ends.iter_mut().zip(["site1", "site2"]) {
                let found = self.sites.get(element.required(key)?).copied();
                *end = found.ok_or_else(|| element.wrong(key, "the name of a site"))?;
            }
            let [first, second] = ends.map(|(link, pose)| self.reference_pose(link) * pose);
            let apart = first.translation.vector - second.translation.vector;
            let turned = if is_weld { first.rotation.angle_to(&second.rotation) } else { 0.0 };
            if apart.norm() > OFF || turned > OFF {
                return self.not_assembled(element);
            }
            (ends.map(|(link, _)| link), ends[0].1.translation.vector)
        } else {
            let first = self.body(element, "body1")?;
            let second = if element.text("body2").is_some() { self.body(element, "body2")? } else { WORLD };
            let anchor = element.place_or_zero("anchor")?;
            if !is_weld {
                ([first, second], anchor)
            } else {
                if !self.is_as_posed(element, [first, second])? {
                    return self.not_assembled(element);
                }
                // The anchor of a weld is given in the axes of the second.
                let relative = self.reference_pose(first).inverse() * self.reference_pose(second);
                ([first, second], (relative * Point3::from(anchor)).coords)
            }
        };
        let closure = Closure { what: element.called(), place: element.place.clone(), is_weld, links, point };
        self.mechanism.closures.push(closure);
        Ok(())
    }

    /// Whether the pose that a weld asks for is that at the start.
    fn is_as_posed(&self, element: &Element, [first, second]: [usize; 2]) -> Result<bool, ImportError> {
        let Some([x, y, z, qw, qx, qy, qz]) = element.vector::<7>("relpose")? else { return Ok(true) };
        // Without a turn it says nothing.
        let Some(turn) = UnitQuaternion::try_new(Quaternion::new(qw, qx, qy, qz), 1e-12) else {
            return Ok(true);
        };
        let there = self.reference_pose(first).inverse() * self.reference_pose(second);
        let apart = there.translation.vector - Vector3::new(x, y, z);
        Ok(apart.norm() <= OFF && there.rotation.angle_to(&turn) <= OFF)
    }

    fn not_assembled(&mut self, element: &Element) -> Result<(), ImportError> {
        let why = "what it keeps together is apart at the start: give a pose in which it is not";
        self.notes.left_out(&element.place, format!("{} of <equality>", element.called()), why);
        Ok(())
    }

    /// Where a link is with all coordinates at their reference.
    fn reference_pose(&self, link: usize) -> Isometry3<f64> {
        let (mut pose, mut link) = (Isometry3::identity(), link);
        while link != WORLD {
            pose = self.mechanism.links[link].pose * pose;
            link = self.mechanism.links[link].parent;
        }
        pose
    }
}
