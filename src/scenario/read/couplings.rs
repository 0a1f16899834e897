//! The tables `[[rod]]`, `[[spring]]` and `[[contact]]`.

use super::{
    bodies::friction_axis,
    dimension::fixed,
    names::Names,
    walker::{Open, Walker},
};
use crate::scenario::{
    self, PairContact, Rod, Spring,
    keys::{self, CONTACT},
};

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

    /// What a rod or a spring joins.
    fn read<const D: usize>(&self, walker: &mut Walker<'_>, table: &Open<'_>) -> scenario::Ends<D> {
        let bodies = self.bodies(walker, table);
        let mut points = self.points(walker, table).unwrap_or_default().into_iter();
        scenario::Ends { bodies, points: [(); 2].map(|()| fixed(points.next())) }
    }
}

pub(super) fn rod<const D: usize>(walker: &mut Walker<'_>, table: &Open<'_>, ends: &Ends<'_>) -> Rod<D> {
    let mut rod = Rod::between(ends.read(walker, table));
    walker.fill(table, keys::rod(), &mut rod);
    rod
}

pub(super) fn spring<const D: usize>(
    walker: &mut Walker<'_>,
    table: &Open<'_>,
    ends: &Ends<'_>,
) -> Spring<D> {
    let mut spring = Spring::between(ends.read(walker, table), 1.0);
    walker.fill(table, keys::spring(), &mut spring);
    spring
}

pub(super) fn contact(walker: &mut Walker<'_>, table: &Open<'_>, ends: &Ends<'_>) -> PairContact {
    let mut contact = PairContact::between(ends.bodies(walker, table), 1.0);
    walker.fill(table, &CONTACT, &mut contact);
    contact.sliding.friction_axis = friction_axis(walker, table);
    contact
}
