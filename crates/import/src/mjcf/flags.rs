//! `<flag>` of `<option>`: what of a model does not act.

use nalgebra::Vector3;

use crate::{
    element::Element,
    mechanism::Mechanism,
    note::{Notes, Place},
};

/// The flags that are switched off, and where.
pub(super) struct Disabled<'a>(Vec<(&'a str, &'a Place)>);

impl<'a> Disabled<'a> {
    /// Those of a model; of a flag that is set several times the last counts.
    pub fn of(root: &'a Element) -> Self {
        let mut disabled = Vec::new();
        let flags = root.all("option").flat_map(|option| option.all("flag"));
        for attribute in flags.flat_map(|flag| &flag.attributes) {
            disabled.retain(|(key, _)| *key != attribute.key);
            if attribute.value == "disable" {
                disabled.push((attribute.key.as_str(), &attribute.place));
            }
        }
        Self(disabled)
    }

    /// Takes from a model that is read what they switch off.
    pub fn obey(&self, mechanism: &mut Mechanism, notes: &mut Notes) {
        for (key, place) in &self.0 {
            let joints = mechanism.links.iter_mut().flat_map(|link| &mut link.joints);
            let why = match *key {
                "gravity" => {
                    mechanism.gravity = Vector3::zeros();
                    "there is no gravity"
                }
                "contact" => {
                    mechanism.nothing_touches = true;
                    "nothing touches"
                }
                "filterparent" => {
                    mechanism.neighbours_touch = true;
                    "what joints join touches"
                }
                "limit" => {
                    joints.for_each(|joint| joint.limits = None);
                    "joints have no limits"
                }
                "frictionloss" => {
                    joints.for_each(|joint| joint.friction = 0.0);
                    "joints have no dry friction"
                }
                "spring" => {
                    joints.for_each(|joint| joint.stiffness = 0.0);
                    "joints have no springs"
                }
                "damper" => {
                    joints.for_each(|joint| joint.damping = 0.0);
                    "joints have no dampers"
                }
                "passive" => {
                    joints.for_each(|joint| (joint.stiffness, joint.damping) = (0.0, 0.0));
                    "joints have neither springs nor dampers"
                }
                "actuation" => {
                    joints.for_each(|joint| joint.drive = None);
                    "joints have no drives"
                }
                "equality" => {
                    mechanism.closures.clear();
                    "nothing but the tree keeps bodies together"
                }
                "constraint" => {
                    joints.for_each(|joint| (joint.limits, joint.friction) = (None, 0.0));
                    mechanism.closures.clear();
                    mechanism.nothing_touches = true;
                    "nothing touches, joints have neither limits nor dry friction, and nothing but the tree keeps bodies together"
                }
                // Settings of a solver that does not solve here.
                _ => continue,
            };
            notes.taken(place, format!("<flag {key}=\"disable\">"), why);
        }
    }
}
