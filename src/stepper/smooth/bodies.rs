use nalgebra::{SMatrix, SVector};
use serde_json::Value;

use super::{
    law::RESOLVED,
    points::PointForces,
    tresca::{self, Ball},
};
use crate::{
    contact::{
        Accuracy, Branch, Contact, ContactModel, ContactProblem, FailureKind, LinearLaw, Posing, Report,
        Residuals, SingleContact, Solution, SolveFailure, Yardstick,
        friction_cone::{tangential_norm, tangential_part},
        has_bounded_links, linear_law, solve_grouped, solve_with_bounds,
    },
    stepper::UsedSettings,
};

/// `c dt` of the default damper in units of the mass that a contact feels: half of what takes all of an
/// approach in one step, since several contacts may carry one body.
const DAMPED: f64 = 0.5;

/// The normal force of a contact of depth `d` that opens at `u_n`; never less than 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PenaltyLaw {
    /// `k d - c u_n`, after Kelvin and Voigt.
    KelvinVoigt {
        /// `k` in N/m; `None`: `(0.3/dt)^2/W_nn`, as stiff as the step resolves.
        stiffness: Option<f64>,
        /// `c` in N s/m; `None`: `0.5/(dt W_nn)`.
        damping: Option<f64>,
    },
    /// `k d (1 - beta u_n)`, after Hunt and Crossley.
    HuntCrossley {
        /// `k` in N/m.
        stiffness: f64,
        /// `beta` in s/m.
        damping: f64,
    },
}

/// Penalty forces on bodies: every contact is a stiff spring with a damper.
///
/// The normal force ([`PenaltyLaw`]) is that of the depth and the velocity at the start of the step, which
/// it takes from [`Solution::velocity`] on entry; friction then opposes sliding with at most `mu` times it
/// and reverses no slip, over all contacts together; so does that against drilling and rolling. Rods and springs are implicit. The normal force is
/// explicit, so that contacts stiffer than the default need shorter steps.
#[derive(Debug, Clone)]
pub struct PenaltyBodies<const D: usize, const N: usize> {
    law: PenaltyLaw,
    points: PointForces,
    yardstick: Yardstick,
}

impl PenaltyLaw {
    /// What it is in steps of `dt` s.
    pub(in crate::stepper) fn settings(&self, dt: f64) -> UsedSettings {
        let per_response = |factor: f64, unit: &str| -> Value {
            format!("{factor:.6e}/W_nn {unit}, with the response W_nn in 1/kg of each contact").into()
        };
        let (stiffness, damping) = match *self {
            Self::KelvinVoigt { stiffness, damping } => (
                stiffness.map_or_else(|| per_response((RESOLVED / dt).powi(2), "N/m"), Value::from),
                damping.map_or_else(|| per_response(DAMPED / dt, "N s/m"), Value::from),
            ),
            Self::HuntCrossley { stiffness, damping } => (stiffness.into(), damping.into()),
        };
        UsedSettings::default()
            .with("stepper.smooth.stiffness", stiffness)
            .with("stepper.smooth.damping", damping)
    }
}

/// What the law is at one contact, `F = k d - c u_n` in N.
struct Coefficients {
    /// `k` in N/m.
    stiffness: f64,
    /// `c` in N s/m.
    damping: f64,
    /// Whether stiffness and damping are the defaults, which depend on the response of the contact.
    is_default: [bool; 2],
}

impl PenaltyLaw {
    /// At a contact of this `response` `W_nn` in 1/kg and `depth` in m, in a step of `dt` s.
    fn coefficients(&self, dt: f64, response: f64, depth: f64) -> Coefficients {
        match *self {
            Self::KelvinVoigt { stiffness, damping } => Coefficients {
                stiffness: stiffness.unwrap_or((RESOLVED / dt).powi(2) / response),
                damping: damping.unwrap_or(DAMPED / (dt * response)),
                is_default: [stiffness.is_none(), damping.is_none()],
            },
            Self::HuntCrossley { stiffness, damping } => {
                Coefficients { stiffness, damping: damping * stiffness * depth, is_default: [false; 2] }
            }
        }
    }
}

impl<const D: usize, const N: usize> PenaltyBodies<D, N> {
    /// Contacts of this law.
    pub fn new(law: PenaltyLaw) -> Self {
        Self { law, points: PointForces::default(), yardstick: Yardstick::default() }
    }

    /// The same, but for contacts of points with planes, whose forces are chosen for the point.
    #[must_use]
    pub(in crate::stepper) fn with_points(self, points: PointForces) -> Self {
        Self { points, ..self }
    }

    /// The normal impulse of a contact; refuses one that the step cannot follow.
    fn normal_impulse(
        &self,
        index: usize,
        contact: &crate::contact::Contact<D, N>,
        problem: &ContactProblem<D, N>,
        velocity: &[SVector<f64, N>],
    ) -> Result<f64, SolveFailure> {
        let speed = problem.relative_velocity(contact, velocity)[0] - contact.bias;
        if let Some(force) = self.points.of(contact) {
            return Ok(force.at(contact.gap, speed) * problem.time_step);
        }
        let depth = -contact.gap;
        if depth <= 0.0 {
            return Ok(0.0);
        }
        let (dt, response) = (problem.time_step, problem.normal_response(contact));
        let Coefficients { stiffness, damping, .. } = self.law.coefficients(dt, response, depth);
        // The stability limit of semi-implicit Euler on a damped spring.
        let (decay, frequency_squared) = (response * damping, response * stiffness);
        let longest = 4.0 / (decay + (decay * decay + 4.0 * frequency_squared).sqrt());
        if dt > longest {
            let reason = format!(
                "contact {index} is {depth:.1e} m deep, and its penalty force is stable only in steps below \
                 {longest:.1e} s; lower `step`, or leave [stepper.smooth] out, for contacts that scale with it"
            );
            let (kind, residuals) = (FailureKind::OutOfRange, Residuals::INFINITE);
            return Err(SolveFailure::Unsolved { kind, reason, iterations: 0, residuals });
        }
        Ok((stiffness * depth - damping * speed).max(0.0) * dt)
    }

    /// Writes how the normal impulse of a contact that presses depends on its gap, on the normal velocity at
    /// the start and, of a default, on its response; `weight` scales the row.
    fn normal_law(
        &self,
        contact: &Contact<D, N>,
        problem: &ContactProblem<D, N>,
        start: &[SVector<f64, N>],
        weight: f64,
        law: &mut LinearLaw<D>,
    ) {
        let (dt, response, depth) = (problem.time_step, problem.normal_response(contact), -contact.gap);
        let speed = problem.relative_velocity(contact, start)[0] - contact.bias;
        let scale = weight * dt;
        if let Some(force) = self.points.of(contact) {
            let slopes = force.slopes(contact.gap, speed);
            law.gap[0] = -scale * slopes.gap;
            law.approach[0] = -scale * slopes.speed;
            law.chosen[0][0] = -scale * slopes.stiffness;
            law.chosen[1][0] = -scale * slopes.damping;
            return;
        }
        match self.law {
            PenaltyLaw::KelvinVoigt { .. } => {
                let Coefficients { stiffness, damping, is_default } =
                    self.law.coefficients(dt, response, depth);
                law.gap[0] = scale * stiffness;
                law.approach[0] = scale * damping;
                let of_default =
                    |is_default: bool, force: f64| if is_default { force / response } else { 0.0 };
                law.response.0[0] = scale
                    * (of_default(is_default[0], stiffness * depth)
                        - of_default(is_default[1], damping * speed));
                law.response.1[(0, 0)] = 1.0;
            }
            PenaltyLaw::HuntCrossley { stiffness, damping } => {
                law.gap[0] = scale * stiffness * (1.0 - damping * speed);
                law.approach[0] = scale * damping * stiffness * depth;
                law.chosen[0][0] = -scale * depth * (1.0 - damping * speed);
                law.chosen[1][0] = scale * stiffness * depth * speed;
            }
        }
    }
}

/// Part of what friction gives at most from which on it is all of it, but for rounding.
const FULL_USE: f64 = 1.0 - 1e-9;

/// The law of a contact that hardly moves and has all of its friction given, as one corner of a box at rest while another holds
/// the rest: what it gives changes with its pressure alone. That all corners are held would say that the box does not turn,
/// by however little their levers differ. Across its friction it stays where it is.
fn given_in_full<const D: usize>(friction: f64, impulse: &SVector<f64, D>, weight: f64) -> LinearLaw<D> {
    let mut law = LinearLaw { branch: Branch::Slip, impulse: SMatrix::zeros(), ..LinearLaw::open() };
    let along = -tangential_part(impulse) / tangential_norm(impulse);
    for i in 1..D {
        law.impulse[(i, 0)] = weight * friction * along[i];
        law.friction[i] = weight * impulse[0] * along[i];
        for j in 1..D {
            law.impulse[(i, j)] = weight * along[i] * along[j];
            law.velocity[(i, j)] = f64::from(i == j) - along[i] * along[j];
        }
    }
    law
}

/// Finds the friction that goes with the normal impulses of `solution`, and the velocities after both; gives the sweeps.
fn settled<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    solution: &mut Solution<D, N>,
) -> Result<u32, SolveFailure> {
    let balls = tresca::sliding(problem, &solution.impulses);
    settled_in(&balls, problem, solution)
}

/// The same where something resists turning: in scaled rows, in which the friction of every group is a ball.
fn settled_in_groups<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    solution: &mut Solution<D, N>,
) -> Result<u32, SolveFailure> {
    let report = solve_grouped(problem, solution, |grouped, own| {
        let balls = tresca::of_groups(grouped, &own.impulses);
        Ok(Report::unmeasured(Accuracy::OwnLaw, settled_in(&balls, grouped, own)?))
    })?;
    Ok(report.iterations)
}

fn settled_in<const D: usize, const N: usize>(
    balls: &[Ball],
    problem: &ContactProblem<D, N>,
    solution: &mut Solution<D, N>,
) -> Result<u32, SolveFailure> {
    let Solution { velocity, impulses, link_impulses, .. } = solution;
    problem.velocities(impulses, link_impulses, velocity);
    let iterations = tresca::settle(problem, balls, impulses, link_impulses, velocity)?;
    problem.velocities(impulses, link_impulses, velocity);
    Ok(iterations)
}

/// The impulse with the friction of a single contact: against its slip, no more than ends it.
fn rubbed<const D: usize>(contact: &SingleContact<D>, mut impulse: SVector<f64, D>) -> SVector<f64, D> {
    let slip = tangential_norm(&contact.free);
    let limit = contact.friction * impulse[0];
    let needed = slip / contact.response;
    let share = if needed > limit { limit / slip } else { 1.0 / contact.response };
    for i in 1..D {
        impulse[i] = -share * contact.free[i];
    }
    impulse
}

impl<const D: usize, const N: usize> ContactModel<D, N> for PenaltyBodies<D, N> {
    fn name(&self) -> &str {
        "smooth"
    }

    fn posing(&self) -> Posing {
        Posing::Compliant
    }

    fn reach(&self) -> f64 {
        self.points.reach()
    }

    fn ends_at_the_ground(&self) -> bool {
        self.points.reach() == 0.0
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        if has_bounded_links(problem) {
            return solve_with_bounds(self, problem, solution);
        }
        problem.check()?;
        if solution.velocity.len() != problem.bodies() {
            solution.velocity.clone_from(&problem.free_velocity);
        }
        solution.is_guess = false;
        solution.prepare(problem.contacts.len(), problem.links.len());
        solution.turning.clear();
        for (index, (contact, impulse)) in problem.contacts.iter().zip(&mut solution.impulses).enumerate() {
            impulse[0] = self.normal_impulse(index, contact, problem, &solution.velocity)?;
        }
        self.points.note_starts(problem, &solution.velocity);
        let iterations = match SingleContact::of(problem) {
            Some(contact) => {
                let impulse = rubbed(&contact, solution.impulses[0]);
                SingleContact::write(&impulse, problem, solution);
                0
            }
            None if problem.groups.is_empty() => settled(problem, solution)?,
            None => settled_in_groups(problem, solution)?,
        };
        self.points.refuse_growth(problem, &solution.velocity)?;
        self.yardstick.set(problem);
        let residuals = self.yardstick.residuals_of_bodies(problem, solution);
        // The forces are those of the law, by construction.
        Ok(Report { residuals, own_law: Some(0.0), ..Report::unmeasured(Accuracy::OwnLaw, iterations) })
    }

    fn linearise(
        &self,
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
        start: &[SVector<f64, N>],
        laws: &mut Vec<LinearLaw<D>>,
    ) -> bool {
        let slight = linear_law::slight_velocity(problem);
        let of_contact = |(contact, r): (&Contact<D, N>, &SVector<f64, D>)| {
            if r[0] <= 0.0 {
                return LinearLaw::open();
            }
            let weight = problem.mean_response(contact);
            let u = problem.relative_velocity(contact, &solution.velocity);
            let mut law = LinearLaw::pressed(contact.friction, (r, &u), weight, slight);
            if law.branch == Branch::Stick && tangential_norm(r) >= FULL_USE * contact.friction * r[0] {
                law = given_in_full(contact.friction, r, weight);
            }
            law.velocity.row_mut(0).fill(0.0);
            law.impulse.row_mut(0).fill(0.0);
            law.impulse[(0, 0)] = weight;
            self.normal_law(contact, problem, start, weight, &mut law);
            law
        };
        laws.extend(problem.contacts.iter().zip(&solution.impulses).map(of_contact));
        true
    }
}
