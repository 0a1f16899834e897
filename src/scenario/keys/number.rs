//! Numbers of a scenario by their keys.

use std::fmt;

use super::{
    CONTACT, CONVEX, DRIVE, DRIVE2, GROUND, LCP, NLP, PAIR, SMOOTH, STEPPER, Table, body, joint, particle,
    push, rod, sections, spring, top, wall,
};
use crate::scenario::{
    AnyScenario, Scenario,
    read::{KeyPath, Segment},
};

/// The key of a number that scenarios may have, such as `ground.friction` or `push[0].force[1]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NumberKey {
    /// The path of the table.
    pub(crate) table: &'static str,
    /// Which one of a list of tables.
    pub(crate) index: Option<usize>,
    /// The key in the table.
    pub(crate) name: &'static str,
    /// The place in the value: none for a number, one for a component of a vector, two in a list of rows.
    pub(crate) places: [Option<usize>; 2],
}

impl NumberKey {
    /// A key with at most one place in its value.
    pub(crate) fn new(
        table: &'static str,
        index: Option<usize>,
        name: &'static str,
        place: Option<usize>,
    ) -> Self {
        Self { table, index, name, places: [place, None] }
    }

    /// The key that a path names; none if that is no number of any scenario.
    pub(crate) fn of(path: &KeyPath) -> Option<Self> {
        sections().into_iter().find_map(|section| {
            let mut rest = path.0.as_slice();
            let mut index = None;
            for part in section.path().split('.').filter(|part| !part.is_empty()) {
                rest = match rest {
                    [Segment::Key(key), behind @ ..] if key == part => behind,
                    _ => return None,
                };
                if let (None, [Segment::Index(number), behind @ ..]) = (index, rest) {
                    (index, rest) = (Some(*number), behind);
                }
            }
            let [Segment::Key(name), places @ ..] = rest else { return None };
            let row = section.rows().position(|row| row.name == name)?;
            if !section.has_numbers(row) || places.len() > 2 {
                return None;
            }
            let mut found = [None; 2];
            for (place, segment) in found.iter_mut().zip(places) {
                let Segment::Index(index) = segment else { return None };
                *place = Some(*index);
            }
            Some(Self { table: section.path(), index, name: section.row(row)?.name, places: found })
        })
    }

    /// The unit of the number; empty for a pure one.
    pub(crate) fn unit(self) -> &'static str {
        let section = sections().into_iter().find(|section| section.path() == self.table);
        section.and_then(|section| section.key(self.name)).map_or("", |row| row.unit)
    }

    /// Writes it with points alone: `push.0.force.1`.
    pub(crate) fn write_dotted(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The number of a table in a list stands behind the name of the list.
        let (list, inner) =
            self.table.split_once('.').map_or((self.table, None), |(list, rest)| (list, Some(rest)));
        f.write_str(list)?;
        if let Some(index) = self.index {
            write!(f, ".{index}")?;
        }
        if let Some(inner) = inner {
            write!(f, ".{inner}")?;
        }
        write!(f, "{}{}", if self.table.is_empty() { "" } else { "." }, self.name)?;
        self.places().try_for_each(|place| write!(f, ".{place}"))
    }

    /// The places in the value.
    fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.places.iter().copied().flatten()
    }

    /// The number in a record of a table.
    fn in_record<'r, T>(self, table: &Table<T>, record: &'r mut T) -> Option<&'r mut f64> {
        let places = self.places.map(Option::unwrap_or_default);
        let count = self.places().count();
        table.typed_key(self.name)?.lens.number(record, &places[..count])
    }
}

impl<const D: usize> Scenario<D> {
    /// The number under a key; none where the scenario has none there. What is set here is not yet held against the
    /// rules, see [`Scenario::check`].
    pub(crate) fn number_mut(&mut self, key: NumberKey) -> Option<&mut f64> {
        match (key.table, key.index) {
            ("", None) => key.in_record(top(), self),
            ("particle", index) if self.are_particles() => {
                key.in_record(particle(), self.bodies.get_mut(index.unwrap_or(0))?)
            }
            // Beside walls and pairs files may give a nameless point as a body, too.
            ("body", Some(index))
                if !self.are_particles() || !self.walls.is_empty() || !self.pairs.is_empty() =>
            {
                key.in_record(body(), self.bodies.get_mut(index)?)
            }
            ("ground", None) => key.in_record(&GROUND, &mut self.ground),
            ("wall", Some(index)) => key.in_record(wall(), self.walls.get_mut(index)?),
            ("pair", Some(index)) => key.in_record(&PAIR, self.pairs.get_mut(index)?),
            ("push", Some(index)) => key.in_record(push(), self.pushes.get_mut(index)?),
            ("rod", Some(index)) => key.in_record(rod(), self.rods.get_mut(index)?),
            ("spring", Some(index)) => key.in_record(spring(), self.springs.get_mut(index)?),
            ("joint", Some(index)) => key.in_record(joint(), self.joints.get_mut(index)?),
            ("joint.drive", Some(index)) => {
                key.in_record(&DRIVE, self.joints.get_mut(index)?.drive.as_mut()?)
            }
            ("joint.drive2", Some(index)) => {
                key.in_record(&DRIVE2, self.joints.get_mut(index)?.second.drive.as_mut()?)
            }
            ("contact", Some(index)) => key.in_record(&CONTACT, self.contacts.get_mut(index)?),
            ("stepper", None) => key.in_record(&STEPPER, &mut self.steppers),
            ("stepper.nlp", None) => key.in_record(&NLP, &mut self.steppers.nlp),
            ("stepper.lcp", None) => key.in_record(&LCP, &mut self.steppers.lcp),
            ("stepper.convex", None) => key.in_record(&CONVEX, &mut self.steppers.convex),
            ("stepper.smooth", None) => key.in_record(&SMOOTH, &mut self.steppers.smooth),
            _ => None,
        }
    }
}

impl AnyScenario {
    /// The number under a key, see [`Scenario::number_mut`].
    pub(crate) fn number_mut(&mut self, key: NumberKey) -> Option<&mut f64> {
        match self {
            Self::InPlane(scenario) => scenario.number_mut(key),
            Self::OverPlane(scenario) => scenario.number_mut(key),
        }
    }
}
