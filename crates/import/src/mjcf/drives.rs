//! `<actuator>`: motors, and drives by position and velocity, with the control that a simulation starts with, 0.

use super::{Reader, heed::heed};
use crate::{
    element::Element,
    fault::ImportError,
    mechanism::{Drive, Kind, Target},
};

impl Reader<'_> {
    /// Gives joints the drives of an `<actuator>`, and ends the wait of bounds for a drive.
    pub(super) fn drives(&mut self, section: &Element) -> Result<(), ImportError> {
        for element in &section.children {
            let styled = self.defaults.styled(element, None)?;
            if !matches!(element.tag.as_str(), "motor" | "position" | "velocity") {
                let why = "its law is not one of motor, position and velocity";
                self.notes.left_out(&element.place, element.called(), why);
                continue;
            }
            heed(&styled, self.notes);
            let Some(key) = ["joint", "jointinparent"].into_iter().find(|key| styled.text(key).is_some())
            else {
                self.notes.left_out(&element.place, element.called(), "drives act on joints");
                continue;
            };
            let name = styled.required(key)?;
            let Some((link, number)) = self.joints.get(name).copied() else {
                return Err(styled.wrong(key, "the name of a joint"));
            };
            let drive = self.drive(&styled)?;
            let joint = &mut self.mechanism.links[link].joints[number];
            let called = joint.called();
            if !matches!(joint.kind, Kind::Hinge | Kind::Slide) {
                let why = format!("{called} has no single coordinate to act on");
                self.notes.left_out(&element.place, element.called(), why);
            } else if joint
                .drive
                .as_ref()
                .is_some_and(|drive| drive.kp + drive.kv > 0.0 || drive.limit.is_none())
            {
                let why = format!("{called} has a drive already, and takes one");
                self.notes.left_out(&element.place, element.called(), why);
            } else if let Some(mut drive) = drive {
                let bound = joint.drive.as_ref().and_then(|bound| bound.limit);
                drive.limit = match (drive.limit, bound) {
                    (Some(own), Some(bound)) => Some(own.min(bound)),
                    (own, bound) => own.or(bound),
                };
                if drive.limit == Some(0.0) {
                    self.notes.left_out(&element.place, element.called(), "its force is bounded by 0");
                    continue;
                }
                let how = match drive.target {
                    Target::Force => "a drive by force, which is 0 as the control is",
                    Target::Position(_) => "a drive by position, to where the control is 0",
                    Target::Velocity(_) => "a drive by velocity, to the rate at which the control is 0",
                };
                self.notes.taken(&element.place, element.called(), format!("{how}, of {called}"));
                if drive.target == Target::Force {
                    // A force that is given has no bound.
                    drive.limit = None;
                }
                joint.drive = Some(drive);
            }
        }
        Ok(())
    }

    /// The drive of an actuator in terms of the coordinate of its joint; nothing where it does nothing.
    fn drive(&mut self, element: &Element) -> Result<Option<Drive>, ImportError> {
        let gear = element.numbers("gear")?.map_or(1.0, |gear| gear[0]);
        let range = self.range(element, "ctrlrange", "ctrllimited")?;
        let force = self.range(element, "forcerange", "forcelimited")?;
        if gear == 0.0 {
            self.notes.left_out(&element.place, element.called(), "its gear is 0");
            return Ok(None);
        }
        let control = range.map_or(0.0, |[low, high]| 0.0_f64.clamp(low, high)) / gear;
        let limit = force.map(|[low, high]| gear.abs() * low.abs().max(high.abs()));
        if let Some([low, high]) = force
            && low != -high
        {
            let why = "the bound is the larger of the two, both ways";
            self.notes.changed(&element.place, format!("`forcerange` of {}", element.called()), why);
        }
        // Force and coordinate are both behind the gear.
        let [kp, kv] = [element.amount("kp")?, element.amount("kv")?].map(|gain| gain * gear * gear);
        let one = |key: &str, gain: f64| if element.text(key).is_some() { gain } else { gear * gear };
        Ok(match element.tag.as_str() {
            "motor" => Some(Drive { target: Target::Force, kp: 0.0, kv: 0.0, limit }),
            "position" => Some(Drive { target: Target::Position(control), kp: one("kp", kp), kv, limit }),
            _ => Some(Drive { target: Target::Velocity(control), kp: 0.0, kv: one("kv", kv), limit }),
        }
        .filter(|drive| {
            let acts = drive.target == Target::Force || drive.kp + drive.kv > 0.0;
            if !acts {
                self.notes.left_out(&element.place, element.called(), "its gains are 0");
            }
            acts
        }))
    }
}
