//! Which keys a scenario has to have, and what stands in for the others.
//!
//! Both follow from the reader itself: [`MINIMAL`] has what a scenario needs and nothing else, and the text that it
//! resolves to has every default.

use serde_json::Value;

use super::parse_scenario;
use crate::scenario::keys::{Row, Section};

/// The least scenarios of a point, of particles with everything that joins them, of bodies with walls and pairs, of
/// one that is only turned, of points among bodies with everything that joins them, of bodies in joints, with drives and
/// without, of bodies of parts that weigh, and that share a mass, of one that is driven, and of one in a joint with two coordinates.
pub(super) const MINIMAL: [&str; 12] = [
    "name = \"point\"\nduration = 1.0\nstep = 1e-3\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\n\
     velocity = [0.0, 0.0]\n[ground]\nfriction = 0.0\n[[push]]\nforce = [1.0, 0.0]\n",
    "name = \"system\"\nduration = 1.0\nstep = 1e-3\n[[particle]]\nmass = 1.0\nposition = [0.0, 0.0]\n\
     velocity = [0.0, 0.0]\n[[particle]]\nmass = 1.0\nposition = [1.0, 0.0]\nvelocity = [0.0, 0.0]\n\
     [ground]\nfriction = 0.0\n[[push]]\nforce = [1.0, 0.0]\n[[rod]]\nparticles = [0, 1]\n\
     [[spring]]\nparticles = [0, 1]\nstiffness = 1.0\n[[contact]]\nparticles = [0, 1]\ndistance = 0.1\n",
    "name = \"bodies\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"box\"\nsize = [1.0, 1.0]\nmass = 1.0\n\
     position = [0.0, 1.0]\n[ground]\nfriction = 0.0\n[[wall]]\nnormal = [1.0, 0.0]\noffset = -2.0\n\
     [[pair]]\nbodies = [\"body-0\", \"ground\"]\n",
    "name = \"turned\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"box\"\nsize = [1.0, 1.0]\nmass = 1.0\n\
     position = [0.0, 1.0]\n[ground]\nfriction = 0.0\n[[push]]\ntorque = 1.0\n",
    "name = \"joined\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"point\"\nmass = 1.0\nposition = [0.0, 1.0]\n\
     [[body]]\nshape = \"point\"\nmass = 1.0\nposition = [1.0, 1.0]\n[ground]\nfriction = 0.0\n\
     [[rod]]\nbodies = [\"body-0\", \"body-1\"]\n[[spring]]\nbodies = [\"body-0\", \"body-1\"]\nstiffness = 1.0\n\
     [[contact]]\nbodies = [\"body-0\", \"body-1\"]\ndistance = 0.1\n",
    "name = \"hinged\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"box\"\nsize = [1.0, 1.0]\nmass = 1.0\n\
     position = [0.0, 1.0]\n[ground]\nfriction = 0.0\n[[joint]]\nkind = \"hinge\"\nbodies = [\"body-0\", \"world\"]\n\
     point = [0.0, 1.0]\n[joint.drive]\nposition = 1.0\nkp = 1.0\n",
    "name = \"guided\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"box\"\nsize = [1.0, 1.0]\nmass = 1.0\n\
     position = [0.0, 1.0]\n[ground]\nfriction = 0.0\n[[joint]]\nkind = \"slider\"\nbodies = [\"body-0\", \"world\"]\n\
     points = [[0.0, 0.0], [0.0, 1.0]]\naxis = [1.0, 0.0]\n[joint.drive]\nforce = 1.0\n",
    "name = \"held\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"box\"\nsize = [1.0, 1.0]\nmass = 1.0\n\
     position = [0.0, 1.0]\n[ground]\nfriction = 0.0\n[[joint]]\nkind = \"weld\"\nbodies = [\"body-0\", \"world\"]\n\
     point = [0.0, 1.0]\n",
    "name = \"parted\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nposition = [0.0, 1.0]\n[[body.part]]\nshape = \"box\"\n\
     size = [1.0, 1.0]\nmass = 1.0\n[ground]\nfriction = 0.0\n",
    "name = \"spread\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nmass = 1.0\nposition = [0.0, 1.0]\n[[body.part]]\n\
     shape = \"box\"\nsize = [1.0, 1.0]\n[ground]\nfriction = 0.0\n",
    "name = \"driven\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"box\"\nsize = [1.0, 1.0]\n\
     motion = [[0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 2.0, 0.0]]\n[ground]\nfriction = 0.0\n",
    "name = \"turning\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"box\"\nsize = [1.0, 1.0, 1.0]\nmass = 1.0\n\
     position = [0.0, 0.0, 1.0]\n[ground]\nfriction = 0.0\n[[joint]]\nkind = \"universal\"\n\
     bodies = [\"body-0\", \"world\"]\npoint = [0.0, 0.0, 1.0]\naxis = [1.0, 0.0, 0.0]\naxis2 = [0.0, 1.0, 0.0]\n\
     [joint.drive2]\nposition = 1.0\nkp = 1.0\n",
];

/// What is known of the keys besides the schema.
pub(super) struct Reference {
    minimal: Vec<toml::Table>,
    resolved: Vec<toml::Table>,
}

/// What a file says of a key.
pub(super) enum Need {
    /// A scenario without it is refused.
    Required,
    /// The value that stands in for it.
    Default(Value),
    /// It may be left out; what stands in depends on the rest, or is nothing.
    Optional,
}

impl Reference {
    pub fn new() -> Self {
        let tables = |texts: Vec<String>| texts.iter().filter_map(|text| toml::from_str(text).ok()).collect();
        let resolved =
            |text: &&str| parse_scenario("minimal", text, &[]).ok().map(|scenario| scenario.to_toml());
        Self {
            minimal: tables(MINIMAL.map(str::to_owned).to_vec()),
            resolved: tables(MINIMAL.iter().filter_map(resolved).collect()),
        }
    }

    pub fn need(&self, section: &dyn Section, row: &Row) -> Need {
        let mut having = self.minimal.iter().filter_map(|table| find(table, section)).peekable();
        if having.peek().is_some() && having.all(|table| table.contains_key(row.name)) {
            return Need::Required;
        }
        // What a minimal scenario has to say itself is no default.
        let default = (self.minimal.iter().zip(&self.resolved))
            .filter(|(minimal, _)| value(minimal, section, row).is_none())
            .find_map(|(_, resolved)| value(resolved, section, row));
        match default {
            Some(toml::Value::Table(_) | toml::Value::Array(_)) | None => Need::Optional,
            Some(default) => serde_json::to_value(default).map_or(Need::Optional, Need::Default),
        }
    }
}

/// The table of a section in a document; of lists of tables the first counts.
fn find<'t>(document: &'t toml::Table, section: &dyn Section) -> Option<&'t toml::Table> {
    section.path().split('.').filter(|part| !part.is_empty()).try_fold(document, |table, part| {
        match table.get(part)? {
            toml::Value::Table(inner) => Some(inner),
            toml::Value::Array(list) => list.first()?.as_table(),
            _ => None,
        }
    })
}

/// The value of a key in a document.
fn value<'t>(document: &'t toml::Table, section: &dyn Section, row: &Row) -> Option<&'t toml::Value> {
    find(document, section)?.get(row.name)
}

#[cfg(test)]
mod tests {
    use super::{MINIMAL, parse_scenario};

    #[test]
    fn a_minimal_scenario_is_read_and_without_any_of_its_values_it_is_not() {
        for text in MINIMAL {
            parse_scenario("minimal", text, &[]).expect("a scenario");
            let lines: Vec<&str> = text.lines().collect();
            for (place, line) in lines.iter().enumerate().filter(|(_, line)| !line.starts_with('[')) {
                let without: Vec<&str> =
                    lines.iter().enumerate().filter(|(k, _)| *k != place).map(|(_, line)| *line).collect();
                assert!(
                    parse_scenario("minimal", &without.join("\n"), &[]).is_err(),
                    "`{line}` is not needed"
                );
            }
        }
    }
}
