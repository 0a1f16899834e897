//! What the tables of a file call each other.

use super::{
    closest,
    document::{Node, Value},
    walker::{Open, Walker},
};
use crate::scenario::Partner;

/// The names by which a file may call what bodies touch.
pub(super) struct Names {
    bodies: Vec<String>,
    walls: usize,
}

impl Names {
    /// Those of bodies with these names, or without, and of so many walls.
    pub(super) fn new<'a>(bodies: impl Iterator<Item = Option<&'a str>>, walls: usize) -> Self {
        let name = |(index, name): (usize, Option<&str>)| {
            name.map_or_else(|| format!("body-{index}"), str::to_owned)
        };
        Self { bodies: bodies.enumerate().map(name).collect(), walls }
    }

    fn all(&self) -> Vec<String> {
        let walls = (0..self.walls).map(|index| format!("wall-{index}"));
        self.bodies.iter().cloned().chain(["ground".to_owned()]).chain(walls).collect()
    }

    fn partner(&self, name: &str) -> Option<Partner> {
        let body = self.bodies.iter().position(|body| body == name).map(Partner::Body);
        let wall = || {
            let index: usize = name.strip_prefix("wall-")?.parse().ok()?;
            (index < self.walls).then_some(Partner::Wall(index))
        };
        body.or_else(|| (name == "ground").then_some(Partner::Ground)).or_else(wall)
    }

    /// The body that the key names; reports a name that there is not.
    pub(super) fn body(&self, walker: &mut Walker<'_>, table: &Open<'_>, key: &str) -> Option<usize> {
        let (text, node) = (walker.text(table, key)?, table.get(key)?);
        let found = self.bodies.iter().position(|body| body == text);
        if found.is_none() {
            self.unknown(walker, (table.full_key(key), node, text), &self.bodies);
        }
        found
    }

    /// The two bodies that the key names.
    pub(super) fn two_bodies(
        &self,
        walker: &mut Walker<'_>,
        table: &Open<'_>,
        key: &str,
    ) -> Option<[usize; 2]> {
        match self.two(walker, table, key)? {
            [Partner::Body(first), Partner::Body(second)] => Some([first, second]),
            _ => {
                let node = table.get(key)?;
                let full = table.full_key(key);
                let message =
                    format!("`{full}` is {}, but must be the names of two bodies", walker.quote(node));
                walker.report(
                    &node.source,
                    full,
                    message,
                    "ground and walls do not move; join it to a small body with `fixed = true`, or by [[joint]] to \"world\""
                        .to_owned(),
                );
                None
            }
        }
    }

    /// The two bodies that the key names, or the one and the world, which is `None`.
    pub(super) fn two_or_world(
        &self,
        walker: &mut Walker<'_>,
        table: &Open<'_>,
        key: &str,
    ) -> Option<[Option<usize>; 2]> {
        let Some(node) = table.get(key) else {
            walker.missing(table, key);
            return None;
        };
        let names = walker.texts(table, key, 2, "a list of 2 names in quotes")?;
        let known: Vec<String> = self.bodies.iter().cloned().chain(["world".to_owned()]).collect();
        let mut found = [None; 2];
        for (place, name) in names.iter().enumerate() {
            found[place] = known.iter().position(|known| known == name);
            if found[place].is_none() {
                let element = match &node.value {
                    Value::List(list) => list.get(place).unwrap_or(node),
                    _ => node,
                };
                self.unknown(walker, (format!("{}[{place}]", table.full_key(key)), element, name), &known);
            }
        }
        let body = |place: usize| (place < self.bodies.len()).then_some(place);
        Some([body(found[0]?), body(found[1]?)])
    }

    /// The two partners that the key names.
    pub(super) fn two(&self, walker: &mut Walker<'_>, table: &Open<'_>, key: &str) -> Option<[Partner; 2]> {
        let Some(node) = table.get(key) else {
            walker.missing(table, key);
            return None;
        };
        let names = walker.texts(table, key, 2, "a list of 2 names in quotes")?;
        let element = |place: usize| match &node.value {
            Value::List(list) => list.get(place).unwrap_or(node),
            _ => node,
        };
        let mut found = [None; 2];
        for (place, name) in names.iter().enumerate() {
            found[place] = self.partner(name);
            if found[place].is_none() {
                let full = format!("{}[{place}]", table.full_key(key));
                self.unknown(walker, (full, element(place), name), &self.all());
            }
        }
        Some([found[0]?, found[1]?])
    }

    fn unknown(&self, walker: &mut Walker<'_>, (full, node, name): (String, &Node, &str), known: &[String]) {
        // That there are no bodies at all has been reported.
        if self.bodies.is_empty() {
            return;
        }
        let message = format!("`{full}` names \"{}\", and there is no such body", name.escape_debug());
        // They are not checked yet, and may hold anything.
        let known: Vec<String> = known.iter().map(|name| name.escape_debug().to_string()).collect();
        let help = match closest(name, known.iter().map(String::as_str)) {
            Some(close) => format!("did you mean \"{close}\"?"),
            None => format!("there are {}", known.join(", ")),
        };
        walker.report(&node.source, full, message, help);
    }
}
