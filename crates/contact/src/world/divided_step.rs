//! Steps of a world in which points land, or come to rest, within the step.

use nalgebra::SVector;

use super::{
    ContactLaw, Divided, Division, Motion, World,
    time_stepper::{StepFailure, StepReport, solve},
};
use crate::contact::{Contact, ContactModel, ContactProblem, Solution};

/// A contact of a point with a plane, and with nothing else, by its number and that of the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    pub contact: usize,
    pub body: usize,
}

/// Writes the contacts of a step that can be divided by themselves; `turns` says of each whether its bodies can turn.
pub(super) fn find_candidates<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    turns: impl Fn(usize) -> bool,
    found: &mut Vec<Candidate>,
) {
    let contacts = problem.contacts.iter().enumerate();
    found.extend(contacts.filter_map(|(contact, of_contact)| match of_contact.bodies {
        [Some(body), None] if !turns(contact) && problem.is_alone(of_contact) => {
            Some(Candidate { contact, body })
        }
        _ => None,
    }));
}

/// The contact of a point as a problem of its own, with its solution. Their memory is kept from step to step.
pub(super) struct Alone<const D: usize, const N: usize> {
    problem: ContactProblem<D, N>,
    solution: Solution<D, N>,
}

impl<const D: usize, const N: usize> Default for Alone<D, N> {
    fn default() -> Self {
        Self { problem: ContactProblem::empty(1.0), solution: Solution::default() }
    }
}

impl<const D: usize, const N: usize> Alone<D, N> {
    /// Takes the contact of `candidate` out of a problem.
    fn take(&mut self, whole: &ContactProblem<D, N>, Candidate { contact, body }: Candidate) {
        let Self { problem, solution } = self;
        (problem.time_step, problem.velocity_unit) = (whole.time_step, whole.velocity_unit);
        problem.free_velocity.clear();
        problem.free_velocity.push(whole.free_velocity[body]);
        problem.inverse_mass.clear();
        problem.inverse_mass.push(whole.inverse_mass[body]);
        problem.contacts.clear();
        problem.contacts.push(Contact { bodies: [Some(0), None], ..whole.contacts[contact] });
        solution.is_guess = false;
    }
}

/// The divided step of one point.
pub(super) struct PointStep<const D: usize, const N: usize> {
    /// The velocity that takes it to its place at the end of the step.
    pub way: SVector<f64, N>,
    /// The velocity that it ends with.
    pub velocity: SVector<f64, N>,
    /// The impulse of its contact, normal first.
    pub impulse: SVector<f64, D>,
    pub report: StepReport,
}

/// The model, as the law of a point in contact.
struct ByModel<'a, const D: usize, const N: usize> {
    model: &'a mut dyn ContactModel<D, N>,
    alone: &'a mut Alone<D, N>,
    division: Division<D>,
    /// The velocity of the body without contact, and relative to the plane.
    free: (SVector<f64, N>, SVector<f64, D>),
    report: StepReport,
}

fn normal_last<const D: usize>(vector: &SVector<f64, D>) -> SVector<f64, D> {
    SVector::from_fn(|i, _| vector[(i + 1) % D])
}

fn normal_first<const D: usize>(vector: &SVector<f64, D>) -> SVector<f64, D> {
    SVector::from_fn(|i, _| vector[(i + D - 1) % D])
}

impl<const D: usize, const N: usize> ByModel<'_, D, N> {
    /// The impulse that takes the contact from the velocity without it to this one, and the velocity of the body then.
    fn lifted(&self, velocity: &SVector<f64, D>) -> (SVector<f64, D>, SVector<f64, N>) {
        let problem = &self.alone.problem;
        let contact = &problem.contacts[0];
        let (of_body, relative) = &self.free;
        let impulse = (velocity - relative) / problem.mean_response(contact);
        (impulse, of_body + problem.inverse_mass[0] * (contact.jacobian[0].transpose() * impulse))
    }

    /// The velocity along the plane after a part of `duration` s that would end with this one, normal last, without the
    /// plane, which it leaves at `rebound` m/s.
    fn solve(
        &mut self,
        free: SVector<f64, D>,
        rebound: f64,
        duration: f64,
    ) -> Result<SVector<f64, D>, StepFailure> {
        let (_, velocity) = self.lifted(&normal_first(&free));
        let Alone { problem, solution } = &mut *self.alone;
        problem.free_velocity[0] = velocity;
        problem.time_step = duration;
        problem.contacts[0].bias = -rebound;
        solution.velocity.clear();
        solution.velocity.push(velocity);
        let report = solve(self.model, problem, solution, rebound > 0.0)?;
        self.report = self.report.and(&report);
        let mut relative = problem.contacts[0].surface_velocity;
        relative += problem.contacts[0].jacobian[0] * solution.velocity[0];
        let mut slip = normal_last(&relative);
        slip[D - 1] = 0.0;
        Ok(slip)
    }
}

impl<const D: usize, const N: usize> ContactLaw<D, f64> for ByModel<'_, D, N> {
    type Error = StepFailure;

    fn impact(&mut self, slip: SVector<f64, D>, speed: f64) -> Result<SVector<f64, D>, StepFailure> {
        let (e, _) = self.division.rebound(speed);
        let mut free = slip;
        free[D - 1] = -speed;
        self.solve(free, e * speed, self.division.dt)
    }

    fn ground(&mut self, slip: SVector<f64, D>, duration: f64) -> Result<SVector<f64, D>, StepFailure> {
        if self.division.is_negligible(duration) {
            return Ok(slip);
        }
        self.solve(slip + self.division.acceleration * duration, 0.0, duration)
    }
}

/// Takes the step of the point of `candidate` by itself.
///
/// # Errors
/// [`StepFailure`] where the model does not solve a part of it.
pub(super) fn divide<W: World<D, N> + ?Sized, const D: usize, const N: usize>(
    model: &mut dyn ContactModel<D, N>,
    alone: &mut Alone<D, N>,
    (problem, candidate): (&ContactProblem<D, N>, Candidate),
    (world, motion): (&W, &Motion<W::Pose, N>),
) -> Result<PointStep<D, N>, StepFailure> {
    alone.take(problem, candidate);
    let dt = problem.time_step;
    let own = alone.problem.contacts[0];
    let relative = |velocity: &SVector<f64, N>| own.surface_velocity + own.jacobian[0] * velocity;
    let (start, free) = (motion.velocities[candidate.body], alone.problem.free_velocity[0]);
    let (first, last) = (relative(&start), relative(&free));
    // The first row of a contact is its normal.
    let normal = SVector::<f64, D>::from_fn(|i, _| own.jacobian[0][(0, i)]);
    let pull = -world.gravity_vector().dot(&normal);
    let division = Division {
        friction: own.friction,
        restitution: own.restitution,
        least_rebound: 2.0 * pull * dt,
        acceleration: normal_last(&((last - first) / dt)),
        dt,
    };
    let mut law = ByModel { model, alone, division, free: (free, last), report: StepReport::FREE };
    let Divided { way, velocity } = division.advance(own.gap, &normal_last(&first), &mut law)?;
    let mut by_way = normal_first(&way) / dt;
    by_way[0] -= own.gap / dt;
    let (impulse, velocity) = law.lifted(&normal_first(&velocity));
    let (_, way) = law.lifted(&by_way);
    Ok(PointStep { way, velocity, impulse, report: law.report })
}
