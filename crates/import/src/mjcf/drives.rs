//! `<actuator>`: motors, and drives by position and velocity, with the control that a simulation starts with, 0.

use super::{Reader, heed::heed};
use crate::{
    element::Element,
    fault::ImportError,
    mechanism::{Drive, Kind, Target},
};

/// Why an actuator is left out.
const OTHER_LAW: &str = "its law is not one of motor, position and velocity";

impl Reader<'_> {
    /// Gives joints the drives of an `<actuator>`, and ends the wait of bounds for a drive.
    pub(super) fn drives(&mut self, section: &Element) -> Result<(), ImportError> {
        for element in &section.children {
            let styled = self.defaults.styled(element, None)?;
            if !matches!(element.tag.as_str(), "motor" | "position" | "velocity" | "general") {
                self.notes.left_out(&element.place, element.called(), OTHER_LAW);
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
        let control = range.map_or(0.0, |[low, high]| 0.0_f64.clamp(low, high));
        let limit = force.map(|[low, high]| gear.abs() * low.abs().max(high.abs()));
        if let Some([low, high]) = force
            && low != -high
        {
            let why = "the bound is the larger of the two, both ways";
            self.notes.changed(&element.place, format!("`forcerange` of {}", element.called()), why);
        }
        let Some(law) = Law::of(element)? else {
            self.notes.left_out(&element.place, element.called(), OTHER_LAW);
            return Ok(None);
        };
        if matches!(element.tag.as_str(), "position" | "velocity") && !law.acts() {
            self.notes.left_out(&element.place, element.called(), "its gains are 0");
            return Ok(None);
        }
        // Force and coordinate are both behind the gear.
        let [kp, kv] = [law.kp, law.kv].map(|gain| gain * gear * gear);
        let force = law.gain * control + law.constant;
        let target = if law.kp > 0.0 {
            Target::Position(force / (law.kp * gear))
        } else if law.kv > 0.0 {
            Target::Velocity(force / (law.kv * gear))
        } else {
            Target::Force
        };
        Ok(Some(Drive { target, kp, kv, limit }))
    }
}

/// The force of an actuator before its gear: `gain` times the control and `constant`, less `kp` times the coordinate and `kv`
/// times its rate.
struct Law {
    gain: f64,
    constant: f64,
    kp: f64,
    kv: f64,
}

impl Law {
    /// That of an actuator; nothing where no drive has it.
    fn of(element: &Element) -> Result<Option<Self>, ImportError> {
        let gain = |key: &str| match element.text(key) {
            Some(_) => element.amount(key),
            None => Ok(1.0),
        };
        Ok(match element.tag.as_str() {
            "motor" => Some(Self { gain: 1.0, constant: 0.0, kp: 0.0, kv: 0.0 }),
            "position" => {
                let [kp, kv] = [gain("kp")?, element.amount("kv")?];
                Some(Self { gain: kp, constant: 0.0, kp, kv })
            }
            "velocity" => {
                let kv = gain("kv")?;
                Some(Self { gain: kv, constant: 0.0, kp: 0.0, kv })
            }
            _ => Self::of_general(element)?,
        })
    }

    fn of_general(element: &Element) -> Result<Option<Self>, ImportError> {
        let is = |key: &str, word: &str| element.text(key).is_none_or(|value| value == word);
        let is_affine = element.text("biastype") == Some("affine");
        let gain = element.numbers("gainprm")?.map_or(1.0, |gain| gain[0]);
        let mut bias = element.numbers("biasprm")?.filter(|_| is_affine).unwrap_or_default();
        bias.resize(bias.len().max(3), 0.0);
        let law = Self { gain, constant: bias[0], kp: 0.0 - bias[1], kv: 0.0 - bias[2] };
        let is_linear =
            is("dyntype", "none") && is("gaintype", "fixed") && (is_affine || is("biastype", "none"));
        // What pushes away from its target, or pushes all the time, is no drive.
        let is_drive = law.kp.min(law.kv) >= 0.0 && (law.acts() || law.constant == 0.0);
        Ok((is_linear && is_drive).then_some(law))
    }

    /// Whether it depends on the coordinate.
    fn acts(&self) -> bool {
        self.kp + self.kv > 0.0
    }
}
