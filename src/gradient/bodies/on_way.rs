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
//! Where the place is the end of the way, `s = 1` stays. In space bodies have turned by then, and their rows are turned back to
//! the axes at the start: what turns on longer until they meet turns them back further, and `P` holds with that. The way is that of the solve before this contact was found, and
//! changes as its solution does.

use nalgebra::{DMatrix, SMatrix, SVector};

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
    let places = [0, 1].map(|end| {
        let (body, velocity) = (pair[end], &velocities[end]);
        Place::new(*world, body, [&motion.poses[body], &there.poses[body]], velocity, [share, dt])
    });
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
        // The change of the rows where one of the two is displaced there, by a start that is or by another way.
        let rows_by = |moved: usize, by: &SVector<f64, N>, is_way: bool| {
            let own = &of_places[moved][index];
            let mut rows: [_; 2] = std::array::from_fn(|end| {
                let mut sum = SMatrix::<f64, D, N>::zeros();
                for k in 0..N {
                    sum += own.jacobian[end][k] * by[k];
                }
                places[end].turned_back(&sum)
            });
            if is_way {
                rows[moved] += places[moved].turned_with(&touch.jacobian[moved], by);
            }
            rows
        };
        let ways_of_both = [0, 1].map(|end| rows_by(end, &places[end].along, true));
        let along: [_; 2] = std::array::from_fn(|end| ways_of_both[0][end] + ways_of_both[1][end]);
        let mut changes = Vec::new();
        for (moved, body) in pair.iter().enumerate().filter(|(moved, _)| touch.bodies[*moved].is_some()) {
            let place = &places[moved];
            // By the displacement `by` there: the rows, and what they make of the way.
            let change_by = |by: &SVector<f64, N>, is_way: bool| {
                let comes_nearer = place.turned_forth(&normal[moved]).dot(by);
                let back = if is_end || closing == 0.0 { 0.0 } else { comes_nearer / closing };
                let mut rows = rows_by(moved, by, is_way);
                let mut turned = 0.0;
                for end in [0, 1] {
                    rows[end] -= along[end] * back;
                    turned += (rows[end].row(0) * displacements[end])[0];
                }
                (comes_nearer - share * turned, rows)
            };
            let mut displaced = TouchRates { value: touch.gap, ..of_places[moved][index] };
            let mut hastened = displaced;
            for (k, outward) in normal[moved].iter().enumerate() {
                let (gap, rows) = change_by(&place.by_start.column(k).into_owned(), false);
                displaced.gap[k] = if is_cut { 0.0 } else { gap };
                let (gap_there, rows_there) = change_by(&place.by_velocity.column(k).into_owned(), true);
                // The tangent goes back by the way, which is longer too.
                hastened.gap[k] = if is_cut { 0.0 } else { gap_there - share * dt * outward };
                for end in [0, 1] {
                    displaced.jacobian[end][k] = rows[end];
                    hastened.jacobian[end][k] = rows_there[end];
                }
            }
            changes.extend(TouchChange::of_displacement(*body, &displaced));
            changes.extend(TouchChange::of_velocity(*body, &hastened, velocity_there));
        }
        changes
    };
    Some(touches.iter().enumerate().map(of_touch).collect())
}

/// A place on the way of a body through a step. Displacements there are in the axes that the body has there, and rows in those
/// at the start, as the velocities that they see.
struct Place<const D: usize, const N: usize> {
    /// The displacement there, per displacement at the start and per velocity on the way.
    by_start: SMatrix<f64, N, N>,
    by_velocity: SMatrix<f64, N, N>,
    /// The same per share of the way.
    along: SVector<f64, N>,
    /// From the axes at the start to those there; `None` in the plane, where spins have one axis.
    turn: Option<SMatrix<f64, D, D>>,
}

impl<const D: usize, const N: usize> Place<D, N> {
    /// Of a body that comes from the first of these poses to the second in this share of a step of `dt` s.
    fn new<W: DifferentiableWorld<D, N>>(
        world: &W,
        body: usize,
        [start, there]: [&W::Pose; 2],
        velocity: &SVector<f64, N>,
        [share, dt]: [f64; 2],
    ) -> Self {
        let rates = world.advance_rates(body, start, velocity, share * dt);
        let along = if share > 0.0 { rates.velocity * velocity / share } else { velocity * dt };
        let turn = (N == 2 * D).then(|| world.placement(there).turn.tr_mul(&world.placement(start).turn));
        Self { by_start: rates.pose, by_velocity: rates.velocity, along, turn }
    }

    /// Rows about the axes there, about those at the start.
    fn turned_back(&self, rows: &SMatrix<f64, D, N>) -> SMatrix<f64, D, N> {
        let mut back = *rows;
        if let Some(turn) = &self.turn {
            let about_start = rows.fixed_columns::<D>(D) * turn;
            back.fixed_columns_mut::<D>(D).copy_from(&about_start);
        }
        back
    }

    /// A row about the axes at the start, about those there.
    fn turned_forth(&self, row: &SVector<f64, N>) -> SVector<f64, N> {
        let mut forth = *row;
        if let Some(turn) = &self.turn {
            let about_there = turn * row.fixed_rows::<D>(D);
            forth.fixed_rows_mut::<D>(D).copy_from(&about_there);
        }
        forth
    }

    /// What these rows about the axes at the start change by where the way turns further by the displacement `by` there: the axes
    /// there turn, and those at the start do not.
    fn turned_with(&self, rows: &SMatrix<f64, D, N>, by: &SVector<f64, N>) -> SMatrix<f64, D, N> {
        let mut change = SMatrix::<f64, D, N>::zeros();
        if let Some(turn) = &self.turn {
            let turned = turn.tr_mul(&by.fixed_rows::<D>(D));
            for i in 0..D {
                for k in 0..D {
                    let (next, last) = ((k + 1) % D, (k + 2) % D);
                    change[(i, D + k)] =
                        turned[next] * rows[(i, D + last)] - turned[last] * rows[(i, D + next)];
                }
            }
        }
        change
    }
}
