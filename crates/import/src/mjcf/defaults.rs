//! `<default>`: attributes that elements of a class have where they do not say otherwise.

use std::collections::HashMap;

use super::heed::heed;
use crate::{
    element::{Attribute, Element},
    fault::ImportError,
    note::Notes,
};

/// The class of what names none.
const MAIN: &str = "main";

/// Ways to turn something: one of its own takes the place of all that a class has.
const TURNS: [&str; 6] = ["quat", "axisangle", "euler", "xyaxes", "zaxis", "fromto"];

/// The attributes of a class, by what they are for.
type Class = HashMap<&'static str, Vec<Attribute>>;

#[derive(Debug, Default)]
pub(super) struct Defaults(HashMap<String, Class>);

/// What the defaults of elements with that tag are called: all actuators share them.
fn slot(tag: &str) -> Option<&'static str> {
    Some(match tag {
        "geom" => "geom",
        "joint" => "joint",
        "site" => "site",
        "mesh" => "mesh",
        "pair" => "pair",
        "connect" | "weld" | "equality" => "equality",
        "motor" | "position" | "velocity" | "general" | "intvelocity" | "damper" | "cylinder" | "muscle"
        | "adhesion" => "actuator",
        _ => return None,
    })
}

impl Defaults {
    /// Those of all `<default>`s of a model.
    pub fn of(root: &Element, notes: &mut Notes) -> Self {
        let mut main = Class::new();
        for section in root.all("default") {
            read_class(section, &mut main, notes);
        }
        let mut defaults = Self::default();
        defaults.0.insert(MAIN.to_owned(), main.clone());
        for section in root.all("default") {
            if let Some(name) = section.text("class") {
                defaults.0.insert(name.to_owned(), main.clone());
            }
            defaults.add_inner(section, &main, notes);
        }
        defaults
    }

    fn add_inner(&mut self, section: &Element, outer: &Class, notes: &mut Notes) {
        for inner in section.all("default") {
            let mut class = outer.clone();
            read_class(inner, &mut class, notes);
            self.add_inner(inner, &class, notes);
            if let Some(name) = inner.text("class") {
                self.0.insert(name.to_owned(), class);
            }
        }
    }

    /// An element with the attributes that its class gives it, or `childclass`, that of the body around.
    pub fn styled(&self, element: &Element, childclass: Option<&str>) -> Result<Element, ImportError> {
        let name = element.text("class").or(childclass).unwrap_or(MAIN);
        let Some(class) = self.0.get(name) else {
            let message = format!("there is no default class `{name}`");
            let remedy = "name a class of <default>, or leave it out";
            return Err(ImportError::new(&element.place, message, remedy));
        };
        let mut styled = Element { children: Vec::new(), ..element.clone() };
        let turns = TURNS.iter().any(|key| element.text(key).is_some());
        for attribute in slot(&element.tag).and_then(|slot| class.get(slot)).into_iter().flatten() {
            let replaced = turns && TURNS.contains(&attribute.key.as_str());
            if !replaced && styled.attribute(&attribute.key).is_none() {
                styled.attributes.push(attribute.clone());
            }
        }
        Ok(styled)
    }
}

/// Puts what the elements of a `<default>` say into `class`.
fn read_class(section: &Element, class: &mut Class, notes: &mut Notes) {
    for element in &section.children {
        let Some(slot) = slot(&element.tag) else { continue };
        heed(element, notes);
        let attributes = class.entry(slot).or_default();
        if element.attributes.iter().any(|attribute| TURNS.contains(&attribute.key.as_str())) {
            attributes.retain(|attribute| !TURNS.contains(&attribute.key.as_str()));
        }
        for attribute in &element.attributes {
            attributes.retain(|earlier| earlier.key != attribute.key);
            attributes.push(attribute.clone());
        }
    }
}
