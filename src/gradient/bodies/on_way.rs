//! How contacts that were found on the way of a step change with its start.
//!
//! Such a contact is that of the place `q_s = q_k + s dq` at which two bodies meet, `phi(q_s) = -slop`, posed by its tangent:
//!
//! ```text
//! phi_k = phi(q_s) - s J_s dq,   J_s = J(q_s)
//! ```
//!
//! On another way they meet at another share of it, `J_s (dq_k + s d(dq) + dq ds) = 0`, so that the place moves by what is
//! left of its change along `dq`, and
//!
//! ```text
//! d phi_k = J_s dq_k - s (dJ_s) dq,   dJ_s = J'(q_s) P (dq_k + s d(dq)),   P = 1 - dq J_s/(J_s dq)
//! ```
//!
//! Where the place is the end of the way, `s = 1` stays. The way is that of the solve before this contact was found, and
//! changes as its solution does.

use nalgebra::{DMatrix, SVector};

use super::{
    directions::Directions, geometry::TouchChange, linearisation::Linearisation, rates::InputRates,
    taken::Taken,
};
use crate::{
    contact::Solution,
    world::{DifferentiableWorld, Motion, Partner, Touch, TouchRates, WayPoint},
};

/// The solves of a step by whose ways contacts were found, and how their velocities change, a column per direction.
pub(super) struct Ways<'a, const D: usize, const N: usize> {
    solves: Vec<(&'a Solution<D, N>, DMatrix<f64>)>,
}

impl<'a, const D: usize, const N: usize> Ways<'a, D, N> {
    /// Those of a step that was taken. `None` where contacts are not found again, which rounding could do.
    pub fn of<W: DifferentiableWorld<D, N>>(
        taken: &'a Taken<'a, W, D, N>,
        inputs: &'a [InputRates<'a, D, N>],
    ) -> Option<Self> {
        let mut ways = Self { solves: Vec::with_capacity(taken.ways.len()) };
        for stage in &taken.ways {
            let linearisation = Linearisation::new(taken, stage.problem, inputs, &ways)?;
            let every = Directions::every(2 * linearisation.n, inputs.len());
            let velocity = linearisation.stage(stage, &every).velocity;
            ways.solves.push((stage.solution, velocity));
        }
        Some(ways)
    }

    /// How the velocities changed by which two bodies went to a place.
    fn to(&self, pair: [usize; 2], point: &WayPoint<N>) -> Option<&DMatrix<f64>> {
        let led_there =
            |solution: &Solution<D, N>| pair.map(|body| solution.velocity[body]) == point.velocities;
        self.solves.iter().find(|(solution, _)| led_there(solution)).map(|(_, velocity)| velocity)
    }
}

/// The change of contacts that were found at one place on the way of a step of `dt` s. `None` where they are not found again, which rounding could do.
pub(super) fn rates_on_way<W: DifferentiableWorld<D, N>, const D: usize, const N: usize>(
    taken: &Taken<'_, W, D, N>,
    touches: &[Touch<D, N>],
    point: &WayPoint<N>,
    dt: f64,
    ways: &Ways<'_, D, N>,
) -> Option<Vec<Vec<TouchChange<D, N>>>> {
    let Taken { world, motion, .. } = taken;
    let first = touches.first()?;
    let Partner::Body(second) = first.second else { return None };
    let pair = [first.first, second];
    let &WayPoint { share, velocities, margin } = point;
    let velocity_there = ways.to(pair, point)?;
    let mut there = Motion { poses: motion.poses.clone(), velocities: motion.velocities.clone() };
    let mut displacements = [SVector::<f64, N>::zeros(); 2];
    for (end, &body) in pair.iter().enumerate() {
        there.poses[body] = world.advance(body, &motion.poses[body], &velocities[end], share * dt);
        displacements[end] = velocities[end] * dt;
    }
    let mut margins = vec![0.0; motion.poses.len()];
    margins[pair[0]] = margin;
    // With the displacement of each of the two at that place.
    let mut of_places: [Vec<TouchRates<D, N>>; 2] = [Vec::new(), Vec::new()];
    for (end, found) in of_places.iter_mut().enumerate() {
        world.touch_rates(&there, &margins, first, pair[end], found);
        if found.len() != touches.len() {
            return None;
        }
    }
    let of_touch = |(index, touch): (usize, &Touch<D, N>)| {
        let normal = touch.jacobian.map(|rows| rows.row(0).transpose());
        let closing: f64 = normal.iter().zip(&displacements).map(|(row, way)| row.dot(way)).sum();
        // The end of the way stays the end, and a gap that was cut off there stays none.
        let (is_end, is_cut) = (share == 1.0, share == 1.0 && touch.gap == 0.0);
        let along: [_; 2] = std::array::from_fn(|end| {
            let mut sum = nalgebra::SMatrix::<f64, D, N>::zeros();
            for (of_place, way) in of_places.iter().zip(&displacements) {
                for k in 0..N {
                    sum += of_place[index].jacobian[end][k] * way[k];
                }
            }
            sum
        });
        let mut changes = Vec::new();
        for (moved, body) in pair.iter().enumerate().filter(|(moved, _)| touch.bodies[*moved].is_some()) {
            let own = &of_places[moved][index];
            let mut displaced = TouchRates { value: touch.gap, ..*own };
            let mut hastened = displaced;
            for (k, &comes_nearer) in normal[moved].iter().enumerate() {
                let back = if is_end || closing == 0.0 { 0.0 } else { comes_nearer / closing };
                let mut turned = 0.0;
                for end in [0, 1] {
                    let change = own.jacobian[end][k] - along[end] * back;
                    turned += (change.row(0) * displacements[end])[0];
                    displaced.jacobian[end][k] = change;
                    hastened.jacobian[end][k] = change * (share * dt);
                }
                displaced.gap[k] = if is_cut { 0.0 } else { comes_nearer - share * turned };
                hastened.gap[k] = if is_cut { 0.0 } else { -share * share * dt * turned };
            }
            changes.extend(TouchChange::of_displacement(*body, &displaced));
            changes.extend(TouchChange::of_velocity(*body, &hastened, velocity_there));
        }
        changes
    };
    Some(touches.iter().enumerate().map(of_touch).collect())
}
