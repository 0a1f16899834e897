use nalgebra::SVector;

use super::{ContactProblem, FrictionGroups, Solution};

/// Some contacts and links of a contact problem with the bodies that they join, as a problem of its own.
#[derive(Debug, Clone)]
pub(crate) struct Piece<const D: usize, const N: usize> {
    /// The problem, its bodies, contacts and links numbered anew.
    pub problem: ContactProblem<D, N>,
    /// The bodies by their numbers in the whole.
    pub bodies: Vec<usize>,
    /// The contacts by their numbers in the whole.
    pub contacts: Vec<usize>,
    /// The entries of [`ContactProblem::groups`] by their numbers in the whole.
    pub groups: Vec<usize>,
    /// The links by their numbers in the whole.
    pub links: Vec<usize>,
}

impl<const D: usize, const N: usize> Default for Piece<D, N> {
    fn default() -> Self {
        let problem = ContactProblem::empty(1.0);
        Self { problem, bodies: Vec::new(), contacts: Vec::new(), groups: Vec::new(), links: Vec::new() }
    }
}

impl<const D: usize, const N: usize> Piece<D, N> {
    /// Copies these contacts and links of the whole.
    pub fn of(whole: &ContactProblem<D, N>, contacts: Vec<usize>, links: Vec<usize>) -> Self {
        let mut piece = Self { contacts, links, ..Self::default() };
        piece.fill(whole, &mut vec![None; whole.bodies()]);
        piece
    }

    /// Copies the contacts and links of the whole that it names; `places`, one per body of the whole, are all `None`, before and
    /// after.
    pub fn fill(&mut self, whole: &ContactProblem<D, N>, places: &mut [Option<usize>]) {
        let Self { problem, bodies, contacts, groups, links } = self;
        problem.time_step = whole.time_step;
        problem.velocity_unit = whole.velocity_unit;
        problem.free_velocity.clear();
        problem.inverse_mass.clear();
        problem.contacts.clear();
        problem.groups.clear();
        problem.links.clear();
        bodies.clear();
        groups.clear();
        let mut place = |body: usize| {
            *places[body].get_or_insert_with(|| {
                bodies.push(body);
                problem.free_velocity.push(whole.free_velocity[body]);
                problem.inverse_mass.push(whole.inverse_mass[body]);
                bodies.len() - 1
            })
        };
        for &index in contacts.iter() {
            let mut contact = whole.contacts[index];
            contact.bodies = contact.bodies.map(|body| body.map(&mut place));
            if let Some(place) = whole.groups_of(index) {
                groups.push(place);
                let contact = problem.contacts.len();
                problem.groups.push(FrictionGroups { contact, ..whole.groups[place] });
            }
            problem.contacts.push(contact);
        }
        for &index in links.iter() {
            let mut link = whole.links[index];
            link.bodies = link.bodies.map(|body| body.map(&mut place));
            problem.links.push(link);
        }
        for &body in bodies.iter() {
            places[body] = None;
        }
    }

    /// What a solution of the whole has for it.
    pub fn of_solution(&self, whole: &Solution<D, N>) -> Solution<D, N> {
        Solution {
            velocity: self.bodies.iter().map(|body| whole.velocity[*body]).collect(),
            impulses: self.contacts.iter().map(|contact| whole.impulses[*contact]).collect(),
            turning: self.turning_of(whole),
            link_impulses: self.links.iter().map(|link| whole.link_impulses[*link]).collect(),
            is_guess: false,
        }
    }

    /// What a solution of the whole has for what resists turning in it; nothing where it has none at all.
    pub fn turning_of(&self, whole: &Solution<D, N>) -> Vec<SVector<f64, 3>> {
        self.groups.iter().filter_map(|place| whole.turning.get(*place).copied()).collect()
    }

    /// Writes a solution of it, as far as it has come, into that of the whole.
    pub fn write(&self, own: &Solution<D, N>, whole: &mut Solution<D, N>) {
        for (body, velocity) in self.bodies.iter().zip(&own.velocity) {
            whole.velocity[*body] = *velocity;
        }
        for (contact, impulse) in self.contacts.iter().zip(&own.impulses) {
            whole.impulses[*contact] = *impulse;
        }
        for (place, impulse) in self.groups.iter().zip(&own.turning) {
            if let Some(entry) = whole.turning.get_mut(*place) {
                *entry = *impulse;
            }
        }
        for (link, impulse) in self.links.iter().zip(&own.link_impulses) {
            whole.link_impulses[*link] = *impulse;
        }
    }
}
