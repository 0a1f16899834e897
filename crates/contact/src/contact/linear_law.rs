//! The law of a contact at a solution, to first order: what the derivative of a step is made of.

use nalgebra::{SMatrix, SVector};

use super::{Contact, ContactProblem, Link, SingleContact, Solution, friction_cone::tangential_part};

/// Part of the largest velocity of a problem below which a contact neither presses nor slides.
const NEGLIGIBLE: f64 = 1e-6;

/// What a contact does, which decides what its law is to first order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Branch {
    /// It carries no force.
    Open,
    /// Friction holds it.
    Stick,
    /// It slides.
    Slip,
}

/// One contact's law at a solution, to first order:
///
/// ```text
/// A du + B dr + a_mu dmu + a_gap dphi + a_0 du_n0 + a_w (S : dW) + a_c dc + F df = 0
/// ```
///
/// with the relative velocity `u` (bias and surface velocity included), the impulse `r`, the normal velocity
/// `u_n0` at the start of the step, the contact's own Delassus operator `W`, the numbers `c` that the model chose from
/// the scenario and the relative velocity `f` without contacts. Rows are in m/s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearLaw<const D: usize> {
    /// What the contact does.
    pub branch: Branch,
    /// `A`.
    pub velocity: SMatrix<f64, D, D>,
    /// `B`.
    pub impulse: SMatrix<f64, D, D>,
    /// `a_mu`.
    pub friction: SVector<f64, D>,
    /// `a_gap`: of a compliance.
    pub gap: SVector<f64, D>,
    /// `a_0`: of a damper that looks at the start of the step.
    pub approach: SVector<f64, D>,
    /// `a_w` and `S`: of a compliance in units of the contact's own response.
    pub response: (SVector<f64, D>, SMatrix<f64, D, D>),
    /// `a_c`: of numbers that the model chose from the start of the scenario, for the first body of the contact: the
    /// softness of `convex` in 1/kg; stiffness and damping of `smooth`.
    pub chosen: [SVector<f64, D>; 2],
    /// The two of which the larger is taken for a compliance in 1/kg: in proportion to the response, and chosen.
    pub choice: Option<[f64; 2]>,
    /// `F`: of friction along directions that turn with `f`.
    pub free: SMatrix<f64, D, D>,
    /// Where friction along a polygon takes another corner or edge of it.
    pub corners: [Option<Corner<D>>; 3],
    /// Where a compliant contact opens or begins to act, and where it begins to slide or is held.
    pub thresholds: [Option<Corner<D>>; 2],
}

/// A quantity `a . u + b . r + c phi` of a contact that decides its branch, which corner or edge of its friction polygon
/// acts or whether it acts at all, to first order: the branch changes where it goes through zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner<const D: usize> {
    /// `a`.
    pub velocity: SVector<f64, D>,
    /// `b`.
    pub impulse: SVector<f64, D>,
    /// `c` in 1/s.
    pub gap: f64,
    /// Its derivative with respect to the coefficient of friction.
    pub friction: f64,
    /// Its derivative with respect to the relative velocity without contacts, with which `a` and `b` turn.
    pub free: SVector<f64, D>,
}

impl<const D: usize> LinearLaw<D> {
    /// A contact without force.
    pub fn open() -> Self {
        Self {
            branch: Branch::Open,
            velocity: SMatrix::zeros(),
            impulse: SMatrix::identity(),
            friction: SVector::zeros(),
            gap: SVector::zeros(),
            approach: SVector::zeros(),
            response: (SVector::zeros(), SMatrix::zeros()),
            chosen: [SVector::zeros(); 2],
            choice: None,
            free: SMatrix::zeros(),
            corners: [None; 3],
            thresholds: [None; 2],
        }
    }

    /// Coulomb's law at the impulse `r` and the relative velocity `u` of a contact that presses. Sliding, with
    /// `t = u_t/|u_t|`, it is `r_t = -mu r_n t`. `weight` is its mean response in 1/kg, `slight` a velocity in
    /// m/s that counts as none.
    pub fn pressed(
        friction: f64,
        (r, u): (&SVector<f64, D>, &SVector<f64, D>),
        weight: f64,
        slight: f64,
    ) -> Self {
        let mut law = Self { velocity: SMatrix::identity(), impulse: SMatrix::zeros(), ..Self::open() };
        let slip = tangential_part(u);
        let speed = slip.norm();
        if speed <= slight && friction > 0.0 {
            law.branch = Branch::Stick;
            return law;
        }
        law.branch = Branch::Slip;
        let along = if speed > 0.0 { slip / speed } else { SVector::zeros() };
        for i in 1..D {
            law.impulse[(i, i)] = weight;
            law.impulse[(i, 0)] = weight * friction * along[i];
            // None is no number that could change.
            law.friction[i] = if friction > 0.0 { weight * r[0] * along[i] } else { 0.0 };
            for j in 1..D {
                // With one tangent the direction cannot turn.
                let turning = if D == 2 || speed == 0.0 { 0.0 } else { friction * r[0] / speed };
                let across = f64::from(i == j) - along[i] * along[j];
                law.velocity[(i, j)] = weight * turning * across;
            }
        }
        law
    }
}

/// The law of a rod, a spring, a drive or what rubs to first order: `L dv + c db + R dl + l dR = 0` with its impulse `l`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkLaw {
    /// `R` in 1/kg.
    pub compliance: f64,
    /// `c`: what part of its bias it undoes.
    pub bias: f64,
    /// The derivative of `R` with respect to its response `L M^-1 L'`.
    pub response: f64,
    /// Whether the impulse is at a bound, and stays there whatever else changes: `dl = 0` in the place of the equation.
    pub is_at_bound: bool,
}

impl LinkLaw {
    /// Of a link that undoes its bias with the compliance that it has, with this impulse and the rate `J v + bias` without
    /// its compliance; `response` is its `w` ([`ContactProblem::link_response`]).
    pub fn of<const N: usize>(link: &Link<N>, impulse: f64, rate: f64, response: f64) -> Self {
        let [low, high] = link.bounds;
        let free = impulse - (rate + link.compliance * impulse) / response;
        Self {
            compliance: link.compliance,
            bias: 1.0,
            response: 0.0,
            is_at_bound: link.is_bounded() && (free <= low || free >= high),
        }
    }

    /// Those of all links of a problem at a solution.
    pub fn of_all<const D: usize, const N: usize>(
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
    ) -> Vec<Self> {
        let links = problem.links.iter().zip(&solution.link_impulses);
        let law = |(link, impulse): (&Link<N>, &f64)| {
            Self::of(link, *impulse, problem.link_rate(link, &solution.velocity), problem.link_response(link))
        };
        links.map(law).collect()
    }
}

/// A velocity in m/s that counts as none in a problem. What is far away, whose bias is its gap over the step, makes it no larger.
pub fn slight_velocity<const D: usize, const N: usize>(problem: &ContactProblem<D, N>) -> f64 {
    let free = |contact: &Contact<D, N>| problem.unbiased_velocity(contact, &problem.free_velocity).amax();
    NEGLIGIBLE * problem.contacts.iter().map(free).fold(0.0, f64::max)
}

/// Coulomb's law of every contact at a solution, to first order, as
/// [`ContactModel::linearise`](super::ContactModel::linearise) gives it.
pub fn coulomb<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    solution: &Solution<D, N>,
    laws: &mut Vec<LinearLaw<D>>,
) -> bool {
    coulomb_in_use(problem, solution, 1.0, laws)
}

/// Coulomb's law where what slides has `full_use` times the friction that its coefficient says.
///
/// What a contact by itself does that answers alike in all directions is told by its problem, to rounding; elsewhere it
/// is what the solver found, to its tolerance.
pub fn coulomb_in_use<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    solution: &Solution<D, N>,
    full_use: f64,
    laws: &mut Vec<LinearLaw<D>>,
) -> bool {
    if let Some(single) = SingleContact::of(problem) {
        laws.push(coulomb_of_single(&single, full_use));
        return true;
    }
    let slight = slight_velocity(problem);
    let of_contact = |(contact, r): (&Contact<D, N>, &SVector<f64, D>)| {
        let weight = problem.mean_response(contact);
        if weight * r[0] <= slight {
            return LinearLaw::open();
        }
        let u = problem.relative_velocity(contact, &solution.velocity);
        let mut law = LinearLaw::pressed(contact.friction * full_use, (r, &u), weight, slight);
        law.friction *= full_use;
        law
    };
    laws.extend(problem.contacts.iter().zip(&solution.impulses).map(of_contact));
    true
}

/// Coulomb's law of a contact by itself, at the solution that its problem has in closed form: it is held if friction
/// can undo all of the slip `f_t` that there would be without it, `|f_t| <= mu w r_n`, and slides along `f_t` elsewhere.
fn coulomb_of_single<const D: usize>(contact: &SingleContact<D>, full_use: f64) -> LinearLaw<D> {
    let closing = -contact.free_opening();
    if closing <= 0.0 {
        return LinearLaw::open();
    }
    let friction = contact.friction * full_use;
    let mut impulse = SVector::zeros();
    impulse[0] = closing / contact.response;
    let free = tangential_part(&contact.free);
    let (speed, undone) = (free.norm(), friction * closing);
    let slip = if speed > undone { free * (1.0 - undone / speed) } else { SVector::zeros() };
    let mut law = LinearLaw::pressed(friction, (&impulse, &slip), contact.response, 0.0);
    law.friction *= full_use;
    law
}
