//! The tables `[[rod]]`, `[[spring]]` and `[[contact]]`.

use super::{
    dimension::fixed,
    names::Names,
    walker::{Open, Walker},
};
use crate::scenario::{self, PairContact, Rod, Spring};

/// How what is joined is named: by numbers of particles, or by names of bodies, with points on them.
pub(super) struct Ends<'a> {
    pub(super) names: Option<&'a Names>,
    /// The number of components of a point.
    pub(super) components: usize,
}

impl Ends<'_> {
    fn bodies(&self, walker: &mut Walker<'_>, table: &Open<'_>) -> [usize; 2] {
        let Some(names) = self.names else {
            walker.no_effect(table, &["bodies"], "the scenario has no [[body]]", "give particles = [0, 1]");
            return walker.required_pair(table, "particles");
        };
        walker.no_effect(table, &["particles"], "the scenario has [[body]]", "give bodies = [\"a\", \"b\"]");
        names.two_bodies(walker, table, "bodies").unwrap_or([0, 1])
    }

    fn points(&self, walker: &mut Walker<'_>, table: &Open<'_>) -> Option<Vec<Vec<f64>>> {
        if self.names.is_none() {
            let help = "remove it: a particle is a point, and has no other";
            walker.no_effect(table, &["points"], "the scenario has no [[body]]", help);
            return None;
        }
        let wanted = "a list of 2 points, one on each of the bodies";
        let rows = walker.rows(table, "points", &[self.components], wanted)?;
        if rows.len() == 2 {
            return Some(rows);
        }
        if let Some(node) = table.get("points") {
            let (full, found) = (table.full_key("points"), rows.len());
            let message = format!("`{full}` must be {wanted}, found {found} of them");
            let zeros = vec!["0.0"; self.components].join(", ");
            let help = format!("the centre of mass is [{zeros}]; leave the key out for both centres");
            walker.report(&node.source, full, message, help);
        }
        None
    }
}

/// What a rod or a spring joins, with points of any length.
struct DraftEnds {
    bodies: [usize; 2],
    points: Option<Vec<Vec<f64>>>,
}

impl DraftEnds {
    fn read(walker: &mut Walker<'_>, table: &Open<'_>, ends: &Ends<'_>) -> Self {
        Self { bodies: ends.bodies(walker, table), points: ends.points(walker, table) }
    }

    fn into_ends<const D: usize>(self) -> scenario::Ends<D> {
        let mut points = self.points.unwrap_or_default().into_iter();
        scenario::Ends { bodies: self.bodies, points: [(); 2].map(|()| fixed(points.next())) }
    }
}

/// A rod whose points may have any length.
pub(super) struct DraftRod {
    ends: DraftEnds,
    length: Option<f64>,
}

impl DraftRod {
    pub(super) fn into_rod<const D: usize>(self) -> Rod<D> {
        Rod { ends: self.ends.into_ends(), length: self.length }
    }
}

/// A spring whose points may have any length.
pub(super) struct DraftSpring {
    ends: DraftEnds,
    stiffness: f64,
    damping: f64,
    length: Option<f64>,
}

impl DraftSpring {
    pub(super) fn into_spring<const D: usize>(self) -> Spring<D> {
        let Self { ends, stiffness, damping, length } = self;
        Spring { ends: ends.into_ends(), stiffness, damping, length }
    }
}

pub(super) fn rod(walker: &mut Walker<'_>, table: &Open<'_>, ends: &Ends<'_>) -> DraftRod {
    DraftRod { ends: DraftEnds::read(walker, table, ends), length: walker.number(table, "length") }
}

pub(super) fn spring(walker: &mut Walker<'_>, table: &Open<'_>, ends: &Ends<'_>) -> DraftSpring {
    DraftSpring {
        ends: DraftEnds::read(walker, table, ends),
        stiffness: walker.required_number(table, "stiffness"),
        damping: walker.number(table, "damping").unwrap_or(0.0),
        length: walker.number(table, "length"),
    }
}

pub(super) fn contact(walker: &mut Walker<'_>, table: &Open<'_>, ends: &Ends<'_>) -> PairContact {
    PairContact {
        bodies: ends.bodies(walker, table),
        distance: walker.required_number(table, "distance"),
        friction: walker.number(table, "friction"),
    }
}
