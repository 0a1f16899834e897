//! The derivative of the motion through an impact, in the place of that of the step in which it falls.

use nalgebra::DMatrix;

use super::{
    accelerations::Instant, directions::Directions, event::Event, linearisation::Linearisation,
    taken::TakenStage,
};
use crate::{contact::Branch, world::DifferentiableWorld};

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// The derivative of the motion through a step with one impact, along the columns of `directions`: displacements and
    /// velocities at its end.
    ///
    /// The impact comes `tau = -phi/u_n` after the start and later by `dtau = -(dphi + tau du_n)/u_n`; see [`Event`]. It acts
    /// where the bodies are by then.
    ///
    /// # Errors
    /// Why there is none: several contacts hit, or which of them hold is open.
    pub fn through_impact(
        &self,
        stage: &TakenStage<'_, D, N>,
        directions: &DMatrix<f64>,
    ) -> Result<DMatrix<f64>, String> {
        let TakenStage { laws, links, solution, .. } = stage;
        let Self { taken, problem: posed, n, .. } = *self;
        let problem = &posed.contact;
        let hits: Vec<usize> = (0..laws.len())
            .filter(|index| match stage.blows.as_slice() {
                [] => posed.is_hit(*index) && laws[*index].branch != Branch::Open,
                _ => stage.is_struck(*index),
            })
            .collect();
        let &[hit] = hits.as_slice() else {
            return Err(format!(
                "{} contacts hit in one step, and the order in which they do decides",
                hits.len()
            ));
        };
        let contact = &problem.contacts[hit];
        let touch = &posed.touches[hit];
        let speed = touch.relative_velocity(&taken.motion.velocities)[0];
        let tau = -touch.gap / speed;
        let resting: Vec<usize> =
            (0..laws.len()).filter(|index| *index != hit && posed.is_resting(*index)).collect();
        if (0..laws.len())
            .any(|index| index != hit && laws[index].branch != Branch::Open && !resting.contains(&index))
        {
            return Err("another contact closes with the one that hits, and the order decides".to_owned());
        }
        // What holds after the impact need not be what held before, nor what the impulse acted against: it may slide at
        // once that is stopped, and part at once that does not bounce.
        let rebounds = contact.bias < 0.0 && touch.surface.restitution > 0.0;
        let stays = |index: &usize| posed.stays_closed(*index, &solution.velocity);
        let mut holding: Vec<usize> = resting.iter().copied().filter(stays).collect();
        if !rebounds {
            holding.push(hit);
        }
        let at = |velocities, touching| {
            let at = Instant { velocities, touching, stopped: Vec::new(), ends_slip: true };
            Ok::<_, String>(self.accelerations(links, &at)?.of_bodies)
        };
        let [before, after] = [at(&taken.motion.velocities, resting)?, at(&solution.velocity, holding)?];
        // dphi and du_n.
        let given = Directions::along(directions, self.inputs.len());
        let [gap, approach] = self.gap_and_approach(hit, &given);
        let delay = (gap + approach * tau) * (-1.0 / speed);
        let event = Event { tau, delay, before, after, velocities: solution.velocity.clone() };
        let mut at_impact = directions.clone();
        at_impact.rows_mut(0, n).copy_from(&event.displaced(&taken.motion.velocities, directions));
        Ok(self.through(stage, &event, (directions, at_impact)))
    }
}
