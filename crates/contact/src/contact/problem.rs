use nalgebra::{SMatrix, SVector};

use super::{
    FrictionGroups, Solution,
    groups::{Across, Grouped},
};
use crate::{contact::friction_cone::tangential_norm, rows};

/// One contact of a step: `D` relative velocities `u = (u_n, u_t...)` of two bodies of `N` velocities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact<const D: usize, const N: usize> {
    /// The two bodies; `None` is the world: ground, a wall.
    pub bodies: [Option<usize>; 2],
    /// Rows normal, tangent(s) for each of the two, signs included: the relative velocity is
    /// `J_a v_a + J_b v_b`, and its normal component is positive when the contact opens. In m/s per
    /// unit of the bodies' velocities.
    pub jacobian: [SMatrix<f64, D, N>; 2],
    /// Friction coefficient `mu >= 0`.
    pub friction: f64,
    /// `c` in m/s: the contact asks for `c + J_n v+ >= 0`. The gap over the time step, restitution
    /// times the approach, or 0.
    pub bias: f64,
    /// Added to the relative velocity, in m/s: what the surface itself does, a conveyor along itself, a driven body in any
    /// direction.
    pub surface_velocity: SVector<f64, D>,
    /// Coefficient of restitution `e`, 0 to 1. Rigid models have it in the bias; a compliant one may choose its damping by
    /// it.
    pub restitution: f64,
    /// `phi` in m, at the start of the step; negative where bodies overlap. Compliant models use it.
    pub gap: f64,
}

impl<const D: usize, const N: usize> Contact<D, N> {
    /// A contact of nothing with nothing, to be filled in.
    pub fn open() -> Self {
        Self {
            bodies: [None; 2],
            jacobian: [SMatrix::zeros(); 2],
            friction: 0.0,
            bias: 0.0,
            surface_velocity: SVector::zeros(),
            restitution: 0.0,
            gap: 0.0,
        }
    }
}

/// One row that joins two bodies: a rod, a spring, a drive or dry friction, linearised over the step. With
///
/// ```text
/// u = J_a v_a + J_b v_b + bias + compliance * impulse,   impulses J_a' impulse, J_b' impulse
/// ```
///
/// `u = 0` as long as the impulse stays within its bounds; at the upper one `u <= 0`, at the lower one `u >= 0`.
///
/// A rod that deviates by `g` from its length has `bias = g/dt` and no compliance. The implicit
/// spring `-k (g + dt v) - c v` has `bias = k g/(dt k + c)`, `compliance = 1/(dt (dt k + c))`. Dry friction of at most `T`
/// newtons has neither and the bounds `-dt T` and `dt T`; a servo of at most `F` newtons is a spring with bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link<const N: usize> {
    /// The two bodies; `None` is the world.
    pub bodies: [Option<usize>; 2],
    /// The row for each of the two.
    pub jacobian: [SVector<f64, N>; 2],
    /// In m/s.
    pub bias: f64,
    /// The size in m/s of what the bias is the difference of, lengths over the time step: it is rounded as these
    /// are. 0 where it is exact.
    pub terms: f64,
    /// At least 0, in m/s per N s.
    pub compliance: f64,
    /// The least and the largest impulse in N s; infinite for what holds whatever it takes.
    pub bounds: [f64; 2],
}

impl<const N: usize> Link<N> {
    /// The bounds of a link that holds whatever it takes.
    pub const UNBOUNDED: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

    /// Whether a large impulse of one sign at least is out of bounds.
    #[inline]
    pub fn is_bounded(&self) -> bool {
        self.bounds != Self::UNBOUNDED
    }

    /// How fast its coordinate is at these velocities of the bodies: `J_a v_a + J_b v_b` in m/s, without its bias.
    #[inline]
    pub fn rate(&self, velocity: &[SVector<f64, N>]) -> f64 {
        let ends = self.bodies.iter().zip(&self.jacobian);
        ends.filter_map(|(body, row)| Some(row.dot(&velocity[(*body)?]))).sum()
    }

    /// `L M^-1 L'` in 1/kg: how much its rate answers to its impulse by the inverse masses of the bodies.
    #[inline]
    pub fn mobility(&self, inverse_mass: &[SMatrix<f64, N, N>]) -> f64 {
        let ends = self.bodies.iter().zip(&self.jacobian);
        ends.filter_map(|(body, row)| Some(row.dot(&(inverse_mass[(*body)?] * row)))).sum()
    }

    /// By how much an impulse `l` misses the law at the rate `u`, its compliance included: `w (l - P(l - u/w))` in m/s with
    /// the projection `P` onto the bounds; `u` itself where there are none. `response` is `w` in 1/kg
    /// ([`ContactProblem::link_response`]).
    #[inline]
    pub fn miss(&self, impulse: f64, rate: f64, response: f64) -> f64 {
        bounded_miss(self.bounds, impulse, rate, response)
    }
}

/// `w (l - P(l - u/w))` with the projection `P` onto `bounds`.
#[inline]
pub(super) fn bounded_miss([low, high]: [f64; 2], impulse: f64, rate: f64, response: f64) -> f64 {
    let free = impulse - rate / response;
    if free < low {
        response * (impulse - low)
    } else if free > high {
        response * (impulse - high)
    } else {
        rate
    }
}

/// The contact problem of one step. With `v+ = v_f + M^-1 (J' r + L' l)`, find the impulses `r` of
/// the contacts and `l` of the links such that every contact fulfils Coulomb's law
///
/// ```text
/// u = J v+ + c n + s,   0 <= u_n  |  r_n >= 0,   |r_t| <= mu r_n,   u_t = -|u_t| r_t/(mu r_n)
/// ```
///
/// and every link its law ([`Link`]). What a model makes of the law is its own affair.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactProblem<const D: usize, const N: usize> {
    /// Length of the step in s, positive.
    pub time_step: f64,
    /// What gravity adds to a velocity in the step, `g dt` in m/s, or 0 where nothing pulls: a scale of what is small,
    /// on which no solution depends.
    pub velocity_unit: f64,
    /// `v_f`: the velocity of each body at the end of the step if there were no contacts and links.
    pub free_velocity: Vec<SVector<f64, N>>,
    /// `M^-1` of each body, symmetric and positive definite; zero for one that is fixed.
    pub inverse_mass: Vec<SMatrix<f64, N, N>>,
    /// The contacts.
    pub contacts: Vec<Contact<D, N>>,
    /// What friction has beyond a coefficient at some of the contacts, in their order.
    pub groups: Vec<FrictionGroups<N>>,
    /// The rods, springs, drives and what rubs in joints.
    pub links: Vec<Link<N>>,
}

/// What is wrong with a contact problem. Bodies, contacts and rows count from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ProblemError {
    /// The step has no positive length.
    #[error("the time step is {0}; it must be positive and finite")]
    TimeStep(f64),
    /// Two lists that belong together differ in length.
    #[error("{what} has {given} entries, but there are {expected}")]
    Count {
        /// Which list.
        what: &'static str,
        /// Its length.
        given: usize,
        /// What it should be.
        expected: usize,
    },
    /// A number is infinite or not one.
    #[error("{what} {index} holds {value}; every number must be finite")]
    NotFinite {
        /// What holds it.
        what: &'static str,
        /// Which one.
        index: usize,
        /// The number.
        value: f64,
    },
    /// An inverse mass is not symmetric and positive definite, nor zero.
    #[error("the inverse mass of body {body} is neither zero nor symmetric and positive definite")]
    InverseMass {
        /// The body.
        body: usize,
    },
    /// A contact or link names a body that does not exist, or one body twice.
    #[error("{what} {index} joins {bodies:?}; there are {count} bodies, and the two must differ")]
    Bodies {
        /// `contact` or `link`.
        what: &'static str,
        /// Which one.
        index: usize,
        /// What it names.
        bodies: [Option<usize>; 2],
        /// How many bodies there are.
        count: usize,
    },
    /// A friction coefficient is negative.
    #[error("the friction coefficient of contact {contact} is {value}; it must be at least 0")]
    Friction {
        /// The contact.
        contact: usize,
        /// The coefficient.
        value: f64,
    },
    /// Groups of friction belong to no contact of their own, or have a size that is none.
    #[error(
        "entry {index} of the groups of friction, of contact {contact} with the lengths {torsional} and {rolling}, is faulty; \
         there is one for a contact, in their order, lengths are at least 0 and finite, and so is a ratio, with an axis of \
         unit length"
    )]
    Groups {
        /// Which entry.
        index: usize,
        /// The contact.
        contact: usize,
        /// `rho_t`.
        torsional: f64,
        /// `rho_r`.
        rolling: f64,
    },
    /// A compliance is negative.
    #[error("the compliance of link {link} is {value}; it must be at least 0")]
    Compliance {
        /// The link.
        link: usize,
        /// The compliance.
        value: f64,
    },
    /// The bounds of a link leave no impulse.
    #[error("the impulse of link {link} is bounded by {} and {}; the first must be finite or -inf, the second finite or inf, and not below the first", bounds[0], bounds[1])]
    Bounds {
        /// The link.
        link: usize,
        /// Its bounds.
        bounds: [f64; 2],
    },
    /// Neither body of a contact or rod can move along it, so that no impulse changes anything.
    #[error("{what} {index} joins nothing that can move; leave it out")]
    Immovable {
        /// `contact` or `link`.
        what: &'static str,
        /// Which one.
        index: usize,
    },
}

impl<const D: usize, const N: usize> ContactProblem<D, N> {
    /// A problem without bodies, to be filled in.
    pub fn empty(time_step: f64) -> Self {
        Self {
            time_step,
            velocity_unit: 0.0,
            free_velocity: Vec::new(),
            inverse_mass: Vec::new(),
            contacts: Vec::new(),
            groups: Vec::new(),
            links: Vec::new(),
        }
    }

    /// Number of bodies.
    pub fn bodies(&self) -> usize {
        self.free_velocity.len()
    }

    /// Checks counts, couplings and the ranges of all numbers.
    ///
    /// # Errors
    /// [`ProblemError`] for the first violation found.
    pub fn check(&self) -> Result<(), ProblemError> {
        if !(self.time_step > 0.0 && self.time_step.is_finite()) {
            return Err(ProblemError::TimeStep(self.time_step));
        }
        self.check_references()?;
        for (body, (velocity, inverse)) in self.free_velocity.iter().zip(&self.inverse_mass).enumerate() {
            if !are_finite([rows::nothing_of(velocity)]) {
                return Err(not_finite("the free velocity of body", body, velocity.iter()));
            }
            if !are_finite([rows::nothing_of(inverse)]) {
                return Err(not_finite("the inverse mass of body", body, inverse.iter()));
            }
            if !is_inverse_mass(inverse) {
                return Err(ProblemError::InverseMass { body });
            }
        }
        self.contacts
            .iter()
            .enumerate()
            .try_for_each(|(index, contact)| self.check_contact(index, contact))?;
        self.check_groups()?;
        self.links.iter().enumerate().try_for_each(|(index, link)| self.check_link(index, link))
    }

    /// Checks that there is an inverse mass to every body, and that contacts and links join bodies that there are.
    pub(super) fn check_references(&self) -> Result<(), ProblemError> {
        let (given, expected) = (self.inverse_mass.len(), self.bodies());
        if given != expected {
            return Err(ProblemError::Count { what: "the list of inverse masses", given, expected });
        }
        let mut contacts = self.contacts.iter().enumerate();
        contacts.try_for_each(|(index, contact)| self.check_bodies("contact", index, contact.bodies))?;
        let mut links = self.links.iter().enumerate();
        links.try_for_each(|(index, link)| self.check_bodies("link", index, link.bodies))
    }

    fn check_contact(&self, index: usize, contact: &Contact<D, N>) -> Result<(), ProblemError> {
        let scalars = SVector::from([contact.friction, contact.bias, contact.gap]);
        let ends =
            || contact.bodies.iter().zip(&contact.jacobian).filter_map(|(body, rows)| body.and(Some(rows)));
        let of_rows = ends().fold(0.0, |sum, rows| sum + rows::nothing_of(rows));
        if !are_finite([rows::nothing_of(&scalars), rows::nothing_of(&contact.surface_velocity), of_rows]) {
            let numbers = scalars.iter().chain(&contact.surface_velocity);
            return Err(not_finite("contact", index, numbers.chain(ends().flatten())));
        }
        if contact.friction < 0.0 {
            return Err(ProblemError::Friction { contact: index, value: contact.friction });
        }
        if !self.surely_moves(contact) && self.delassus_trace(contact) <= 0.0 {
            return Err(ProblemError::Immovable { what: "contact", index });
        }
        Ok(())
    }

    fn check_groups(&self) -> Result<(), ProblemError> {
        let mut next = 0;
        for (index, groups) in self.groups.iter().enumerate() {
            let FrictionGroups { contact, jacobian, torsional, rolling, across } = *groups;
            let is_length = |rho: f64| rho >= 0.0 && rho.is_finite();
            let is_ellipse = |Across { axis: [cos, sin], ratio }: Across| {
                is_length(ratio) && (cos.hypot(sin) - 1.0).abs() < 1e-12
            };
            if contact < next
                || contact >= self.contacts.len()
                || !is_length(torsional)
                || !is_length(rolling)
                || across.is_some_and(|across| D != 3 || !is_ellipse(across))
            {
                return Err(ProblemError::Groups { index, contact, torsional, rolling });
            }
            if !are_finite(jacobian.map(|rows| rows::nothing_of(&rows))) {
                return Err(not_finite("the groups of friction", index, jacobian.iter().flatten()));
            }
            next = contact + 1;
        }
        Ok(())
    }

    /// Where the groups of friction of a contact stand, if it has any.
    pub fn groups_of(&self, contact: usize) -> Option<usize> {
        if self.groups.is_empty() {
            return None;
        }
        self.groups.binary_search_by_key(&contact, |groups| groups.contact).ok()
    }

    /// The relative angular velocity of an entry of the groups of friction, in rad/s about its axes.
    pub fn spin(&self, place: usize, velocity: &[SVector<f64, N>]) -> SVector<f64, 3> {
        let FrictionGroups { contact, jacobian, .. } = &self.groups[place];
        let ends = self.contacts[*contact].bodies.iter().zip(jacobian);
        ends.fold(SVector::zeros(), |spin, (body, rows)| {
            body.map_or(spin, |body| spin + rows::times(rows, &velocity[body]))
        })
    }

    /// How much of the friction of a contact is used in a solution, in N s: the largest is `mu r_n`. What drills shares it, and
    /// what is across an axis counts by its own coefficient.
    pub fn friction_used(&self, contact: usize, solution: &Solution<D, N>) -> f64 {
        let mut impulse = solution.impulses[contact];
        let Some(place) = self.groups_of(contact) else { return tangential_norm(&impulse) };
        let FrictionGroups { torsional, across, .. } = self.groups[place];
        if let Some(across) = across {
            impulse = across.used(&impulse);
        }
        let sliding = tangential_norm(&impulse);
        match solution.turning.get(place) {
            Some(torque) if torsional > 0.0 => {
                sliding.hypot(self.contacts[contact].friction * torque[0] / torsional)
            }
            _ => sliding,
        }
    }

    /// Sets the velocities of a solution to those that its impulses lead to.
    pub fn follow(&self, solution: &mut Solution<D, N>) {
        if !self.groups.is_empty() {
            let grouped = Grouped::of(self);
            let impulses = grouped.impulses(self, solution);
            return grouped.problem.velocities(&impulses, &solution.link_impulses, &mut solution.velocity);
        }
        let Solution { velocity, impulses, link_impulses, .. } = solution;
        self.velocities(impulses, link_impulses, velocity);
    }

    /// Whether a contact has rows for a body that is not fixed, far from where `J M^-1 J'` would underflow: that
    /// it is positive then goes without computing it.
    fn surely_moves(&self, contact: &Contact<D, N>) -> bool {
        self.ends(contact).any(|(rows, inverse)| is_large(rows) && is_large(inverse))
    }

    fn check_link(&self, index: usize, link: &Link<N>) -> Result<(), ProblemError> {
        let [first, second] = &link.jacobian;
        let scalars = SVector::from([link.bias, link.compliance]);
        if !are_finite([rows::nothing_of(first), rows::nothing_of(second), rows::nothing_of(&scalars)]) {
            return Err(not_finite("link", index, first.iter().chain(second).chain(&scalars)));
        }
        if link.compliance < 0.0 {
            return Err(ProblemError::Compliance { link: index, value: link.compliance });
        }
        let [low, high] = link.bounds;
        // Written so that one that is not a number is refused too.
        if !(low <= high && low < f64::INFINITY && high > f64::NEG_INFINITY) {
            return Err(ProblemError::Bounds { link: index, bounds: link.bounds });
        }
        if self.link_response(link) <= 0.0 {
            return Err(ProblemError::Immovable { what: "link", index });
        }
        Ok(())
    }

    fn check_bodies(
        &self,
        what: &'static str,
        index: usize,
        bodies: [Option<usize>; 2],
    ) -> Result<(), ProblemError> {
        let count = self.bodies();
        let exist = bodies.iter().flatten().all(|&body| body < count);
        if exist && (bodies[0] != bodies[1]) {
            return Ok(());
        }
        Err(ProblemError::Bodies { what, index, bodies, count })
    }

    /// The relative velocity `u = J v + c n + s` of a contact.
    #[inline]
    pub fn relative_velocity(
        &self,
        contact: &Contact<D, N>,
        velocity: &[SVector<f64, N>],
    ) -> SVector<f64, D> {
        let mut rest = contact.surface_velocity;
        rest[0] += contact.bias;
        carried(contact, rest, velocity)
    }

    /// How fast the surfaces at a contact move on each other, `J v + s`: the relative velocity without what the bias asks, which
    /// for what is out of reach is its gap over the step.
    #[inline]
    pub fn unbiased_velocity(
        &self,
        contact: &Contact<D, N>,
        velocity: &[SVector<f64, N>],
    ) -> SVector<f64, D> {
        carried(contact, contact.surface_velocity, velocity)
    }

    /// The rate `J v + bias` of a link, without its compliance.
    #[inline]
    pub fn link_rate(&self, link: &Link<N>, velocity: &[SVector<f64, N>]) -> f64 {
        let ends = link.bodies.iter().zip(&link.jacobian);
        ends.fold(link.bias, |rate, (body, row)| rate + body.map_or(0.0, |body| row.dot(&velocity[body])))
    }

    /// The trace of the contact's own block of the Delassus operator, `W_ii = J M^-1 J'`.
    pub fn delassus_trace(&self, contact: &Contact<D, N>) -> f64 {
        self.ends(contact).map(|(rows, inverse)| rows::delassus_trace(rows, inverse)).sum()
    }

    /// Whether nothing but this contact acts on the first of its bodies: no other one, and no link.
    pub fn is_alone(&self, contact: &Contact<D, N>) -> bool {
        let body = contact.bodies[0];
        let touches = self.contacts.iter().filter(|other| other.bodies.contains(&body));
        touches.count() == 1 && !self.links.iter().any(|link| link.bodies.contains(&body))
    }

    /// `w = tr W_ii / D` in 1/kg: how much a contact answers to an impulse, on average over the directions.
    pub fn mean_response(&self, contact: &Contact<D, N>) -> f64 {
        self.delassus_trace(contact) / D as f64
    }

    /// The contact's own block of the Delassus operator, `W_ii = J M^-1 J'`.
    #[inline]
    pub fn own_delassus(&self, contact: &Contact<D, N>) -> SMatrix<f64, D, D> {
        self.ends(contact).fold(SMatrix::zeros(), |own, (rows, inverse)| own + rows::delassus(rows, inverse))
    }

    /// `W_nn` of a contact: how much its normal velocity answers to its normal impulse.
    pub fn normal_response(&self, contact: &Contact<D, N>) -> f64 {
        self.ends(contact)
            .map(|(rows, inverse)| {
                let row = rows.row(0).transpose();
                row.dot(&(inverse * row))
            })
            .sum()
    }

    /// The rows of a contact for each of its bodies, and the inverse mass of that body.
    #[inline]
    fn ends<'a>(
        &'a self,
        contact: &'a Contact<D, N>,
    ) -> impl Iterator<Item = (&'a SMatrix<f64, D, N>, &'a SMatrix<f64, N, N>)> {
        let ends = contact.bodies.iter().zip(&contact.jacobian);
        ends.filter_map(|(body, rows)| Some((rows, &self.inverse_mass[(*body)?])))
    }

    /// `L M^-1 L' + compliance`: how much the rate of a link answers to its impulse.
    pub fn link_response(&self, link: &Link<N>) -> f64 {
        link.mobility(&self.inverse_mass) + link.compliance
    }

    /// Writes the velocities `v_f + M^-1 (J' r + L' l)` after these impulses; what resists turning is not among them
    /// ([`ContactProblem::follow`]).
    pub fn velocities(
        &self,
        impulses: &[SVector<f64, D>],
        link_impulses: &[f64],
        velocity: &mut Vec<SVector<f64, N>>,
    ) {
        velocity.clear();
        velocity.resize(self.bodies(), SVector::zeros());
        for (contact, impulse) in self.contacts.iter().zip(impulses) {
            for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
                if let Some(body) = *body {
                    velocity[body] += rows::transposed_times(jacobian, impulse);
                }
            }
        }
        for (link, impulse) in self.links.iter().zip(link_impulses) {
            for (body, row) in link.bodies.iter().zip(&link.jacobian) {
                if let Some(body) = *body {
                    velocity[body] += row * *impulse;
                }
            }
        }
        for ((velocity, free), inverse) in
            velocity.iter_mut().zip(&self.free_velocity).zip(&self.inverse_mass)
        {
            *velocity = free + inverse * *velocity;
        }
    }
}

/// Whether all parts of a thing are finite, of which [`rows::nothing_of`] is given.
#[inline(always)]
fn are_finite<const PARTS: usize>(nothing: [f64; PARTS]) -> bool {
    nothing.iter().sum::<f64>() == 0.0
}

/// Whether an entry is far from where products of a few such numbers underflow.
#[inline(always)]
fn is_large<const ROWS: usize, const COLUMNS: usize>(matrix: &SMatrix<f64, ROWS, COLUMNS>) -> bool {
    const FAR_FROM_UNDERFLOW: f64 = 1e-60;
    matrix.data.0.as_flattened().iter().any(|entry| entry.abs() > FAR_FROM_UNDERFLOW)
}

/// Names the culprit.
#[cold]
fn not_finite<'a>(
    what: &'static str,
    index: usize,
    mut numbers: impl Iterator<Item = &'a f64>,
) -> ProblemError {
    let culprit = numbers.find(|number| !number.is_finite());
    ProblemError::NotFinite { what, index, value: culprit.copied().unwrap_or(f64::NAN) }
}

/// Whether a matrix is zero, or symmetric and positive definite. Most are diagonal.
fn is_inverse_mass<const N: usize>(matrix: &SMatrix<f64, N, N>) -> bool {
    if rows::is_diagonal(matrix) {
        let mut entries = (0..N).map(|i| matrix[(i, i)]);
        return entries.clone().all(|entry| entry > 0.0) || entries.all(|entry| entry == 0.0);
    }
    is_symmetric(matrix) && is_positive_definite(matrix)
}

/// Whether a matrix is symmetric up to rounding.
fn is_symmetric<const N: usize>(matrix: &SMatrix<f64, N, N>) -> bool {
    let mut apart = 0.0_f64;
    for i in 0..N {
        for j in 0..i {
            apart = apart.max((matrix[(i, j)] - matrix[(j, i)]).abs());
        }
    }
    apart == 0.0 || apart <= 1e-12 * matrix.amax()
}

/// Whether a symmetric matrix is positive definite: all pivots are positive. Most have nothing below them.
fn is_positive_definite<const N: usize>(matrix: &SMatrix<f64, N, N>) -> bool {
    let mut rest = *matrix;
    for k in 0..N {
        let pivot = rest[(k, k)];
        if pivot.is_nan() || pivot <= 0.0 {
            return false;
        }
        for j in k + 1..N {
            if rest[(j, k)] != 0.0 {
                let factor = rest[(j, k)] / pivot;
                for i in j..N {
                    rest[(i, j)] -= factor * rest[(i, k)];
                }
            }
        }
    }
    true
}

/// `J v` of a contact, added to what it has at rest.
#[inline]
fn carried<const D: usize, const N: usize>(
    contact: &Contact<D, N>,
    mut relative: SVector<f64, D>,
    velocity: &[SVector<f64, N>],
) -> SVector<f64, D> {
    for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
        if let Some(body) = *body {
            relative += rows::times(jacobian, &velocity[body]);
        }
    }
    relative
}
