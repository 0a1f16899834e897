//! Steps of a world in which points land, or come to rest, within the step.

use nalgebra::SVector;

use super::{
    ContactLaw, Divided, Division, Motion, World,
    time_stepper::{StepFailure, StepReport, solve},
};
use crate::contact::{ContactModel, ContactProblem, Solution};

/// A contact of a point with a plane, and with nothing else, by its number and that of the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    pub contact: usize,
    pub body: usize,
}

/// The contacts of a step that can be divided by themselves; `turns` says of each whether its bodies can turn.
pub(super) fn candidates<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    turns: impl Fn(usize) -> bool,
) -> Vec<Candidate> {
    let contacts = problem.contacts.iter().enumerate();
    let candidates = contacts.filter_map(|(contact, of_contact)| match of_contact.bodies {
        [Some(body), None] if !turns(contact) && problem.is_alone(of_contact) => {
            Some(Candidate { contact, body })
        }
        _ => None,
    });
    candidates.collect()
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
    /// The contact as a problem of its own.
    problem: ContactProblem<D, N>,
    solution: Solution<D, N>,
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
        let contact = &self.problem.contacts[0];
        let (of_body, relative) = &self.free;
        let impulse = (velocity - relative) / self.problem.mean_response(contact);
        (impulse, of_body + self.problem.inverse_mass[0] * (contact.jacobian[0].transpose() * impulse))
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
        self.problem.free_velocity[0] = velocity;
        self.problem.time_step = duration;
        self.problem.contacts[0].bias = -rebound;
        self.solution.velocity.clear();
        self.solution.velocity.push(velocity);
        let report = solve(self.model, &mut self.problem, &mut self.solution, rebound > 0.0)?;
        self.report = self.report.and(&report);
        let mut relative = self.problem.contacts[0].surface_velocity;
        relative += self.problem.contacts[0].jacobian[0] * self.solution.velocity[0];
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
    problem: &ContactProblem<D, N>,
    Candidate { contact, body }: Candidate,
    (world, motion): (&W, &Motion<W::Pose, N>),
) -> Result<PointStep<D, N>, StepFailure> {
    let dt = problem.time_step;
    let mut own = problem.contacts[contact];
    own.bodies = [Some(0), None];
    let relative = |velocity: &SVector<f64, N>| own.surface_velocity + own.jacobian[0] * velocity;
    let (start, free) = (motion.velocities[body], problem.free_velocity[body]);
    let (first, last) = (relative(&start), relative(&free));
    // The first row of a contact is its normal.
    let normal = own.jacobian[0].fixed_rows::<1>(0).columns(0, D).transpose();
    let pull = -world.gravity_vector().dot(&SVector::from_fn(|i, _| normal[i]));
    let division = Division {
        friction: own.friction,
        restitution: own.restitution,
        least_rebound: 2.0 * pull * dt,
        acceleration: normal_last(&((last - first) / dt)),
        dt,
    };
    let alone = ContactProblem {
        free_velocity: vec![free],
        inverse_mass: vec![problem.inverse_mass[body]],
        contacts: vec![own],
        links: Vec::new(),
        ..*problem
    };
    let (solution, report) = (Solution::default(), StepReport::FREE);
    let mut law = ByModel { model, problem: alone, solution, division, free: (free, last), report };
    let Divided { way, velocity } = division.advance(own.gap, &normal_last(&first), &mut law)?;
    let mut by_way = normal_first(&way) / dt;
    by_way[0] -= own.gap / dt;
    let (impulse, velocity) = law.lifted(&normal_first(&velocity));
    let (_, way) = law.lifted(&by_way);
    Ok(PointStep { way, velocity, impulse, report: law.report })
}
