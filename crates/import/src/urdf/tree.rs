//! The tree that links and joints make.

use std::collections::{HashMap, HashSet};

use crate::{
    element::{Attribute, Element},
    fault::ImportError,
    note::Notes,
};

/// A link `world` where joints hang on one that is not declared: files that count on the name have it for the world.
pub(super) fn undeclared_world(root: &Element, notes: &mut Notes) -> Option<Element> {
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
pub(super) fn base<'a>(
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

pub(super) fn named_links<'a>(
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
pub(super) fn linked<'a>(
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
