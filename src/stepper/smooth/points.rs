//! The penalty forces of points on planes, which are chosen for the point and the restitution of the plane.

use nalgebra::SVector;

use super::{law::NormalForce, stability::NormalMotion};
use crate::{
    contact::{Contact, ContactProblem, FailureKind, Residuals, SolveFailure},
    model::PointMass,
    scenario::{Partner, Scenario, Shape},
    stepper::{Refusal, UsedSettings},
};

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
        Some(forces.first()?.1.settings())
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
            if !problem.is_alone(contact) {
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
            let work = point.mass * (free - before) / dt * (gap - contact.gap);
            let start = NormalMotion { gap: contact.gap, velocity: before };
            let end = NormalMotion { gap, velocity: now };
            let Some(reason) = force.growth((point.mass, 0.0), [start, end], work) else { continue };
            let (kind, residuals) = (FailureKind::Unstable, Residuals::INFINITE);
            return Err(SolveFailure::Unsolved { kind, reason, iterations: 0, residuals });
        }
        Ok(())
    }
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
        force.admit(&point, scenario.step, speed)?;
        forces.push((restitution, force));
    }
    Ok(OfPoint { mass: scenario.bodies[body].mass, forces })
}
