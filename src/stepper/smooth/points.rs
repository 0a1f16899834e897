//! The penalty forces of points on planes, which are chosen for the point and the restitution of the plane.

use nalgebra::SVector;

use super::law::NormalForce;
use crate::{
    contact::{Contact, ContactProblem, FailureKind, Residuals, SolveFailure},
    model::PointMass,
    scenario::{Partner, Scenario, Shape},
    stepper::{Refusal, StepperName, UsedSettings},
};

/// Part of the energy of a step that it may gain by its own error; a step that gains more is on its
/// way to blow up.
const TOLERATED_GAIN: f64 = 0.25;

/// A point and the forces of the planes on it.
#[derive(Debug, Clone)]
struct OfPoint {
    /// In kg.
    mass: f64,
    /// The force of planes with this coefficient of restitution.
    forces: Vec<(f64, NormalForce)>,
}

/// The normal forces of contacts between points and planes, by the number of the body.
#[derive(Debug, Clone, Default)]
pub(in crate::stepper) struct PointForces {
    /// `None` for what is no point, or does not move.
    bodies: Vec<Option<OfPoint>>,
    /// From how far off in m the law pushes.
    reach: f64,
    /// The normal velocity in m/s that each contact of a point started the step with.
    starts: Vec<f64>,
}

impl PointForces {
    /// The forces of the points of `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if the step is longer than [`NormalForce::stable_step`] allows at the speed with
    /// which gravity lets a point hit the ground, or if the force cannot carry its weight.
    pub fn of_scenario<const D: usize>(scenario: &Scenario<D>) -> Result<Self, Refusal> {
        let mut forces = Self::default();
        for (body, of_body) in scenario.bodies.iter().enumerate() {
            let is_point = of_body.shape == Shape::Point && !of_body.fixed;
            forces.bodies.push(if is_point { Some(of_point(scenario, body)?) } else { None });
        }
        let all = forces.bodies.iter().flatten().flat_map(|point| &point.forces);
        forces.reach = all.map(|(_, force)| force.reach()).fold(0.0, f64::max);
        Ok(forces)
    }

    /// The figures behind the settings that a scenario leaves open, where one point is all there is.
    pub fn settings(&self) -> Option<UsedSettings> {
        let [Some(OfPoint { forces, .. })] = self.bodies.as_slice() else { return None };
        let (stiffness, damping) = forces.first()?.1.parameters();
        // The tanh law has an amplitude and a sharpness, which are in the scenario.
        let Some(stiffness) = stiffness else { return Some(UsedSettings::default()) };
        let settings = UsedSettings::default().with("stepper.smooth.damping", damping);
        Some(settings.with("stepper.smooth.stiffness", stiffness))
    }

    /// From how far off in m they push.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// The force of a contact, where it is one of a point with a plane.
    pub fn of<const D: usize, const N: usize>(&self, contact: &Contact<D, N>) -> Option<&NormalForce> {
        let forces = &self.point(contact)?.forces;
        let exact = forces.iter().find(|(restitution, _)| *restitution == contact.restitution);
        exact.or(forces.first()).map(|(_, force)| force)
    }

    fn point<const D: usize, const N: usize>(&self, contact: &Contact<D, N>) -> Option<&OfPoint> {
        let [Some(body), None] = contact.bodies else { return None };
        self.bodies.get(body)?.as_ref()
    }

    /// Keeps the velocities that the step of `problem` starts with.
    pub fn note_starts<const D: usize, const N: usize>(
        &mut self,
        problem: &ContactProblem<D, N>,
        start: &[SVector<f64, N>],
    ) {
        self.starts.clear();
        let normal = |contact| problem.relative_velocity(contact, start)[0] - contact.bias;
        self.starts.extend(problem.contacts.iter().map(normal));
    }

    /// Refuses a step in which the motion of a point towards a plane gained more energy than a stable one can.
    ///
    /// # Errors
    /// [`SolveFailure`] that says how much.
    pub fn refuse_growth<const D: usize, const N: usize>(
        &self,
        problem: &ContactProblem<D, N>,
        after: &[SVector<f64, N>],
    ) -> Result<(), SolveFailure> {
        let dt = problem.time_step;
        for (contact, &before) in problem.contacts.iter().zip(&self.starts) {
            let (Some(point), Some(force)) = (self.point(contact), self.of(contact)) else { continue };
            if !is_alone(problem, contact) {
                continue;
            }
            let normal = |velocities: &[SVector<f64, N>]| {
                problem.relative_velocity(contact, velocities)[0] - contact.bias
            };
            let (free, now) = (normal(&problem.free_velocity), normal(after));
            // Only a step that sped up can have gained.
            if now.abs() <= before.abs().max(free.abs()) {
                continue;
            }
            let gap = contact.gap + dt * now;
            let energy = |speed: f64, gap: f64| 0.5 * point.mass * speed * speed + force.potential(gap);
            let work = point.mass * (free - before) / dt * (gap - contact.gap);
            let (first, last) = (energy(before, contact.gap), energy(now, gap));
            let gain = last - first - work;
            if gain <= TOLERATED_GAIN * (last + first) {
                continue;
            }
            let reason = format!(
                "the penalty force added {gain:.3e} J in one step, and took the vertical velocity from {before:.3} to \
                 {now:.3} m/s; use a `step` below {:.3e} s or a softer stepper.smooth law",
                force.stable_step_of(point.mass, 0.0, before.abs())
            );
            let (kind, residuals) = (FailureKind::Unstable, Residuals::INFINITE);
            return Err(SolveFailure::Unsolved { kind, reason, iterations: 0, residuals });
        }
        Ok(())
    }
}

/// Whether nothing else acts on the body of a contact: what it gains is then of the contact.
fn is_alone<const D: usize, const N: usize>(problem: &ContactProblem<D, N>, contact: &Contact<D, N>) -> bool {
    let body = contact.bodies[0];
    let touches = problem.contacts.iter().filter(|other| other.bodies.contains(&body));
    touches.count() == 1 && !problem.links.iter().any(|link| link.bodies.contains(&body))
}

/// The forces of all planes on point `body`.
fn of_point<const D: usize>(scenario: &Scenario<D>, body: usize) -> Result<OfPoint, Refusal> {
    let (start, law) = (scenario.initial_state(body), &scenario.steppers.smooth.law);
    let planes = std::iter::once(Partner::Ground).chain((0..scenario.walls.len()).map(Partner::Wall));
    let mut forces: Vec<(f64, NormalForce)> = Vec::new();
    for plane in planes {
        let restitution = scenario.surface(body, plane).restitution;
        if forces.iter().any(|(known, _)| *known == restitution) {
            continue;
        }
        let point = PointMass { restitution, ..scenario.point(body) };
        let speed = point.impact_speed(&start);
        let force = NormalForce::new(law, &point, scenario.step, speed);
        check(scenario, &point, &force, speed)?;
        forces.push((restitution, force));
    }
    Ok(OfPoint { mass: scenario.bodies[body].mass, forces })
}

fn check<const D: usize>(
    scenario: &Scenario<D>,
    point: &PointMass<D>,
    force: &NormalForce,
    speed: f64,
) -> Result<(), Refusal> {
    let weight = -point.mass * point.gravity[D - 1];
    let refuse = |reason, remedy: &str| {
        Err(Refusal { stepper: StepperName::SMOOTH, reason, remedy: remedy.to_owned() })
    };
    if weight >= force.capacity() {
        return refuse(
            format!(
                "its normal force is at most {} N, and the point presses with {weight} N",
                force.capacity()
            ),
            "raise stepper.smooth.amplitude or leave [stepper.smooth] out, for a law that scales with the weight",
        );
    }
    let bound = force.stable_step(point, speed);
    if scenario.step > bound {
        return refuse(
            format!(
                "the step is {} s, and its explicit force is stable only up to {bound:.3e} s for {} kg that hit \
                 the ground at {speed:.3} m/s",
                scenario.step, point.mass
            ),
            "lower `step` below that, or leave [stepper.smooth] out, for a ground that scales with the step",
        );
    }
    Ok(())
}
