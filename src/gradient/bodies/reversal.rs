//! The derivative of the motion through an instant at which slip stops and turns around, in the place of that of the step
//! in which it falls.

use nalgebra::{DMatrix, SVector};

use super::{
    accelerations::{Accelerations, Hold, Instant, NO_ACCELERATIONS},
    directions::Directions,
    event::Event,
    linearisation::Linearisation,
    taken::TakenStage,
};
use crate::{
    contact::{Branch, friction_cone::tangential_part, slight_velocity},
    world::DifferentiableWorld,
};

/// Part of the step by which the ends of several slips may be apart that are one.
const TOGETHER: f64 = 1e-3;

/// Part of what a step changes of slip that may be left across it where it ends.
const ACROSS: f64 = 1e-3;

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// The derivative of the motion through a step in which slip turns around, along the columns of `directions`:
    /// displacements and velocities at its end; `None` where none does.
    ///
    /// Slip `u` that a contact is left with ends `tau = -u/u'` after the start, later by `dtau = -du/u'`, and the other way it
    /// grows by another `u'`, since friction has turned: `du+ = (u'+/u') du`. A step either stops it, which has `du+ = 0`, or
    /// takes it across, which has `du+ = du`.
    ///
    /// # Errors
    /// Why there is none: slip ends at several contacts, or not along a line.
    pub fn through_reversal(
        &self,
        stage: &TakenStage<'_, D, N>,
        directions: &DMatrix<f64>,
    ) -> Result<Option<DMatrix<f64>>, String> {
        let TakenStage { laws, links, solution, .. } = stage;
        let Self { taken, problem: posed, n, .. } = *self;
        let (problem, start) = (&posed.contact, &taken.motion.velocities);
        let dt = problem.time_step;
        let slip = |index: usize, velocities: &[SVector<f64, N>]| {
            tangential_part(&posed.touches[index].relative_velocity(velocities))
        };
        let slight = slight_velocity(problem);
        let touching: Vec<usize> = (0..laws.len()).filter(|index| posed.is_resting(*index)).collect();
        let ends = |index: &usize| {
            let before = slip(*index, start);
            let speed = before.norm();
            laws[*index].branch != Branch::Open
                && problem.contacts[*index].friction > 0.0
                && speed > slight
                && slip(*index, &solution.velocity).dot(&before) <= slight * speed
        };
        let stopped: Vec<usize> = touching.iter().copied().filter(ends).collect();
        if !problem.groups.is_empty() {
            if stopped.iter().any(|index| problem.groups_of(*index).is_none()) {
                return Err(NO_ACCELERATIONS.to_owned());
            }
            return self.check_stops(stage).map(|()| None);
        }
        let Some(&first) = stopped.first() else { return Ok(None) };
        let at =
            Instant { velocities: start, touching: touching.clone(), stopped: Vec::new(), ends_slip: false };
        let before = self.accelerations(links, &at)?;
        // Along the slip; what is stopped by another force than friction that was there before does not turn around.
        let along = |index: usize| slip(index, start).normalize();
        let slowed = |index: usize| before.relative_of(index).dot(&along(index));
        if stopped.iter().any(|&index| slowed(index) >= 0.0) {
            return Ok(None);
        }
        let tau = |index: usize| -slip(index, start).norm() / slowed(index);
        let velocities: Vec<SVector<f64, N>> = (0..n / N)
            .map(|body| start[body] + before.of_bodies.fixed_rows::<N>(N * body) * tau(first))
            .collect();
        let at = Instant { velocities: &velocities, touching, stopped: stopped.clone(), ends_slip: true };
        let after = self.accelerations(links, &at)?;
        if !stopped.iter().any(|&index| matches!(after.holds[index], Hold::Slip(_))) {
            return Ok(None);
        }
        if stopped.iter().any(|&index| (tau(index) - tau(first)).abs() > TOGETHER * dt) {
            return Err("slip turns around at several contacts, one after the other".to_owned());
        }
        let across = |index: usize| {
            let gained = tangential_part(&before.relative_of(index));
            (gained - along(index) * slowed(index)).norm() > ACROSS * slowed(index).abs()
        };
        if stopped.iter().any(|&index| across(index)) {
            return Err("slip turns around faster than the step tells".to_owned());
        }
        let given = Directions::along(directions, self.inputs.len());
        let delay = self.change_of_velocity(first, &along(first), &given) * (-1.0 / slowed(first));
        let tau = tau(first);
        let event = Event { tau, delay, before: before.of_bodies, after: after.of_bodies, velocities };
        Ok(Some(self.through(stage, &event, (directions, directions.clone()))))
    }
}

impl<const D: usize> Accelerations<D> {
    /// That of the surfaces at one contact.
    fn relative_of(&self, index: usize) -> SVector<f64, D> {
        self.relative.fixed_rows::<D>(D * index).into_owned()
    }
}
