//! The derivative of one step of many bodies: the implicit function theorem on the contact problem, with the change
//! of gaps and axes.
//!
//! With the impulses `r` of the contacts and `l` of the links, a stage of a step is
//!
//! ```text
//! v+ = v_f + M^-1 (J' r + L' l),   law(u, r) = 0 with u = J v+ + c n + s,   L v+ + b + compliance l = 0
//! ```
//!
//! Its derivative along a direction is linear in those of `v_f`, `M`, `J`, the gaps and the coefficients. Contacts
//! that carry more than they need (four corners on a floor) leave the impulses open, and the velocities not: the
//! smallest change of the impulses is taken.

use nalgebra::{DMatrix, DVector, RowDVector, SMatrix, SVector};

use super::rates::InputRates;
use crate::{
    contact::{Branch, LinearLaw, Solution},
    stepper::derivative::MarginKind,
    world::{DifferentiableWorld, LinkRates, Motion, StepProblem, Touch, TouchRates},
};

/// Part of the largest singular value below which one counts as none.
const RANK: f64 = 1e-10;

/// A gap in m that counts as none, as in the worlds.
const TOUCHING: f64 = 1e-12;

/// A quantity whose sign decides a branch of a step.
#[derive(Debug, Clone)]
pub struct BodyMargin {
    /// Which branch.
    pub kind: MarginKind,
    /// How far it is from changing sign.
    pub value: f64,
    /// Its derivative: displacements, velocities, inputs.
    pub row: RowDVector<f64>,
}

/// The derivative of a step.
#[derive(Debug, Clone)]
pub struct BodyStep {
    /// Of displacements and velocities at its end with respect to those at its start.
    pub state: DMatrix<f64>,
    /// With respect to the inputs.
    pub inputs: DMatrix<f64>,
    /// What decides its branches.
    pub margins: Vec<BodyMargin>,
}

/// A step that was taken, as far as its derivative needs it.
pub struct Taken<'a, W: DifferentiableWorld<D, N>, const D: usize, const N: usize> {
    /// The world.
    pub world: &'a W,
    /// The bodies at its start.
    pub motion: &'a Motion<W::Pose, N>,
    /// Its problem, after an impact that of the second stage.
    pub problem: &'a StepProblem<D, N>,
    /// The law at the solution of each stage, with that solution: what moved the bodies first.
    pub stages: Vec<(Vec<LinearLaw<D>>, &'a Solution<D, N>)>,
    /// Whether contacts act by their depth, rather than by whether they would close.
    pub compliant: bool,
    /// How the wrench on each body changes with its displacement.
    pub wrenches: Vec<SMatrix<f64, N, N>>,
}

/// The change of every contact and link with the displacement of every body.
struct Geometry<const D: usize, const N: usize> {
    /// Per contact: the body that is displaced, and the change.
    touches: Vec<Vec<(usize, TouchRates<D, N>)>>,
    /// Per link.
    links: Vec<Vec<(usize, LinkRates<N>)>>,
}

impl<const D: usize, const N: usize> Geometry<D, N> {
    /// `None` where contacts are not found again, which rounding could do.
    fn new<W: DifferentiableWorld<D, N>>(taken: &Taken<'_, W, D, N>) -> Option<Self> {
        let Taken { world, motion, problem, .. } = taken;
        let dt = problem.contact.time_step;
        let touches = &problem.touches;
        let mut found = Vec::new();
        let mut of_touches: Vec<Vec<(usize, TouchRates<D, N>)>> = vec![Vec::new(); touches.len()];
        let mut begin = 0;
        while begin < touches.len() {
            let pair = |touch: &Touch<D, N>| (touch.first, touch.second);
            let own = pair(&touches[begin]);
            let count = touches[begin..].iter().take_while(|touch| pair(touch) == own).count();
            for moved in touches[begin].bodies.into_iter().flatten() {
                world.touch_rates(motion, &problem.margins, own, moved, &mut found);
                // A velocity-level model keeps those that touch.
                let kept: Vec<&TouchRates<D, N>> = if found.len() == count {
                    found.iter().collect()
                } else {
                    found.iter().filter(|rates| rates.value < TOUCHING).collect()
                };
                if kept.len() != count {
                    return None;
                }
                for (place, rates) in of_touches[begin..begin + count].iter_mut().zip(kept) {
                    place.push((moved, *rates));
                }
            }
            begin += count;
        }
        let mut of_links: Vec<Vec<(usize, LinkRates<N>)>> = vec![Vec::new(); problem.contact.links.len()];
        let mut rates = Vec::new();
        for moved in 0..problem.contact.bodies() {
            if of_links.is_empty() {
                break;
            }
            world.link_rates(motion, dt, moved, &mut rates);
            for ((place, rates), link) in of_links.iter_mut().zip(&rates).zip(&problem.contact.links) {
                if link.bodies.contains(&Some(moved)) {
                    place.push((moved, *rates));
                }
            }
        }
        Some(Self { touches: of_touches, links: of_links })
    }
}

/// Writes a block of a column.
fn add<const N: usize>(matrix: &mut DMatrix<f64>, body: usize, column: usize, value: &SVector<f64, N>) {
    for i in 0..N {
        matrix[(body * N + i, column)] += value[i];
    }
}

/// A stage's derivative along every direction: velocities, impulses and relative velocities of the contacts.
struct StageRates<const D: usize> {
    velocity: DMatrix<f64>,
    impulses: DMatrix<f64>,
    relative: DMatrix<f64>,
}

/// One derivative in the making: `2 N` directions per body, then one per input.
struct Making<'a, W: DifferentiableWorld<D, N>, const D: usize, const N: usize> {
    taken: &'a Taken<'a, W, D, N>,
    geometry: Geometry<D, N>,
    inputs: &'a [InputRates<D, N>],
    /// `N` times the number of bodies.
    n: usize,
    columns: usize,
    /// The change of `v_f`.
    free: DMatrix<f64>,
}

impl<'a, W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Making<'a, W, D, N> {
    fn new(taken: &'a Taken<'a, W, D, N>, inputs: &'a [InputRates<D, N>]) -> Option<Self> {
        let geometry = Geometry::new(taken)?;
        let problem = &taken.problem.contact;
        let n = N * problem.bodies();
        let columns = 2 * n + inputs.len();
        let dt = problem.time_step;
        let mut free = DMatrix::zeros(n, columns);
        for body in 0..problem.bodies() {
            let of_pose = problem.inverse_mass[body] * taken.wrenches[body] * dt;
            let of_velocity = taken.world.free_rates(body, &taken.motion.velocities[body], dt);
            for k in 0..N {
                add(&mut free, body, body * N + k, &of_pose.column(k).into_owned());
                add(&mut free, body, n + body * N + k, &of_velocity.column(k).into_owned());
            }
            for (j, input) in inputs.iter().enumerate() {
                add(&mut free, body, 2 * n + j, &input.free[body]);
            }
        }
        Some(Self { taken, geometry, inputs, n, columns, free })
    }

    /// The change of the normal velocity at the start of the step, of the gap, of the own response of a contact
    /// weighed by `weights`, and of `J v` and `J' r` at fixed `v` and `r`, along every direction.
    fn stage(&self, laws: &[LinearLaw<D>], solution: &Solution<D, N>, first: bool) -> StageRates<D> {
        let Self { taken, n, columns, .. } = *self;
        let problem = &taken.problem.contact;
        let (contacts, links) = (problem.contacts.len(), problem.links.len());
        let rows = D * contacts + links;
        let start = &taken.motion.velocities;
        // dv without the change of the impulses, and the change of J v + c n.
        let mut base = self.free.clone();
        let mut drift = DMatrix::<f64>::zeros(rows, columns);
        let mut direct = DMatrix::<f64>::zeros(rows, columns);
        for (index, contact) in problem.contacts.iter().enumerate() {
            let (law, r) = (&laws[index], &solution.impulses[index]);
            let [by_gap, by_approach, by_restitution] = taken.problem.bias_slopes(index, first);
            let row = D * index;
            let mut of_start = |column: usize, gap: f64, approach: f64| {
                drift[(row, column)] += by_gap * gap + by_approach * approach;
                for i in 0..D {
                    direct[(row + i, column)] += law.gap[i] * gap + law.approach[i] * approach;
                }
            };
            for (moved, rates) in &self.geometry.touches[index] {
                for k in 0..N {
                    let mut approach = 0.0;
                    for (end, body) in contact.bodies.iter().enumerate() {
                        if let Some(body) = *body {
                            approach += (rates.jacobian[end][k].row(0) * start[body])[0];
                        }
                    }
                    of_start(moved * N + k, rates.gap[k], approach);
                }
            }
            for (end, body) in contact.bodies.iter().enumerate() {
                if let Some(body) = *body {
                    for k in 0..N {
                        of_start(n + body * N + k, 0.0, contact.jacobian[end][(0, k)]);
                    }
                }
            }
            for (moved, rates) in &self.geometry.touches[index] {
                for k in 0..N {
                    let column = moved * N + k;
                    let mut response = SMatrix::<f64, D, D>::zeros();
                    for (end, body) in contact.bodies.iter().enumerate() {
                        let Some(body) = *body else { continue };
                        let change = &rates.jacobian[end][k];
                        let moves = change * solution.velocity[body];
                        for i in 0..D {
                            drift[(row + i, column)] += moves[i];
                        }
                        add(&mut base, body, column, &(problem.inverse_mass[body] * change.tr_mul(r)));
                        response += change * problem.inverse_mass[body] * contact.jacobian[end].transpose();
                    }
                    let of_response = 2.0 * law.response.1.dot(&response);
                    for i in 0..D {
                        direct[(row + i, column)] += law.response.0[i] * of_response;
                    }
                }
            }
            for (j, input) in self.inputs.iter().enumerate() {
                let column = 2 * n + j;
                let [friction, restitution] = input.surface(&taken.problem.touches[index]);
                drift[(row, column)] += by_restitution * restitution;
                let mut response = SMatrix::<f64, D, D>::zeros();
                for (end, body) in contact.bodies.iter().enumerate() {
                    if let Some(body) = *body {
                        let jacobian = &contact.jacobian[end];
                        response += jacobian * input.inverse_mass[body] * jacobian.transpose();
                        add(&mut base, body, column, &(input.inverse_mass[body] * jacobian.tr_mul(r)));
                    }
                }
                let of_response = law.response.1.dot(&response);
                for i in 0..D {
                    direct[(row + i, column)] += law.friction[i] * friction + law.response.0[i] * of_response;
                }
            }
        }
        for (index, link) in problem.links.iter().enumerate() {
            let row = D * contacts + index;
            let impulse = solution.link_impulses[index];
            for (moved, rates) in &self.geometry.links[index] {
                for k in 0..N {
                    let column = moved * N + k;
                    drift[(row, column)] += rates.bias[k];
                    for (body, rows) in link.bodies.iter().zip(&rates.rows) {
                        let Some(body) = *body else { continue };
                        let change = rows.column(k).into_owned();
                        drift[(row, column)] += change.dot(&solution.velocity[body]);
                        add(&mut base, body, column, &(problem.inverse_mass[body] * change * impulse));
                    }
                }
            }
            for (j, input) in self.inputs.iter().enumerate() {
                for (body, jacobian) in link.bodies.iter().zip(&link.jacobian) {
                    if let Some(body) = *body {
                        add(&mut base, body, 2 * n + j, &(input.inverse_mass[body] * jacobian * impulse));
                    }
                }
            }
        }
        self.solve(laws, base, drift, direct)
    }

    /// Solves for the change of the impulses, and with it of everything else.
    fn solve(
        &self,
        laws: &[LinearLaw<D>],
        base: DMatrix<f64>,
        drift: DMatrix<f64>,
        direct: DMatrix<f64>,
    ) -> StageRates<D> {
        let problem = &self.taken.problem.contact;
        let (contacts, links) = (problem.contacts.len(), problem.links.len());
        let rows = D * contacts + links;
        // J and M^-1 J' as wholes.
        let mut jacobian = DMatrix::<f64>::zeros(rows, self.n);
        for (index, contact) in problem.contacts.iter().enumerate() {
            for (body, rows_of_body) in contact.bodies.iter().zip(&contact.jacobian) {
                if let Some(body) = *body {
                    jacobian.fixed_view_mut::<D, N>(D * index, N * body).copy_from(rows_of_body);
                }
            }
        }
        for (index, link) in problem.links.iter().enumerate() {
            for (body, row) in link.bodies.iter().zip(&link.jacobian) {
                if let Some(body) = *body {
                    jacobian
                        .fixed_view_mut::<1, N>(D * contacts + index, N * body)
                        .copy_from(&row.transpose());
                }
            }
        }
        let mut response = jacobian.transpose();
        for (body, inverse) in problem.inverse_mass.iter().enumerate() {
            let own = inverse * response.fixed_rows::<N>(N * body);
            response.fixed_rows_mut::<N>(N * body).copy_from(&own);
        }
        let unforced = &jacobian * &base + &drift;
        // Contacts without force answer to nothing: their rows and columns are left out.
        let acts = |row: usize| row >= D * contacts || laws[row / D].branch != Branch::Open;
        let kept: Vec<usize> = (0..rows).filter(|row| acts(*row)).collect();
        let scale: Vec<f64> =
            (0..rows).map(|row| jacobian.row(row).transpose().dot(&response.column(row))).collect();
        let mut system = DMatrix::<f64>::zeros(kept.len(), kept.len());
        let mut rhs = DMatrix::<f64>::zeros(kept.len(), self.columns);
        let whole = jacobian.select_rows(&kept) * response.select_columns(&kept);
        for (i, &row) in kept.iter().enumerate() {
            if row >= D * contacts {
                system.row_mut(i).copy_from(&whole.row(i));
                system[(i, i)] += problem.links[row - D * contacts].compliance;
                rhs.row_mut(i).copy_from(&-unforced.row(row));
                continue;
            }
            let (index, component) = (row / D, row % D);
            let law = &laws[index];
            let mut of_row = -direct.row(row);
            for other in 0..D {
                let place = i - component + other;
                let a = law.velocity[(component, other)];
                if a != 0.0 {
                    for column in 0..kept.len() {
                        system[(i, column)] += a * whole[(place, column)];
                    }
                    of_row -= unforced.row(D * index + other) * a;
                }
                system[(i, place)] += law.impulse[(component, other)];
            }
            rhs.row_mut(i).copy_from(&of_row);
        }
        // Impulses in m/s, so that the rank does not depend on masses.
        for (i, &row) in kept.iter().enumerate() {
            let unit = 1.0 / scale[row].max(f64::MIN_POSITIVE);
            system.column_mut(i).scale_mut(unit);
        }
        let solved = solve_least(system, rhs);
        let mut impulses = DMatrix::<f64>::zeros(rows, self.columns);
        for (i, &row) in kept.iter().enumerate() {
            impulses.row_mut(row).copy_from(&(solved.row(i) / scale[row].max(f64::MIN_POSITIVE)));
        }
        let velocity = base + response * &impulses;
        let relative = &jacobian * &velocity + drift;
        StageRates { velocity, impulses, relative }
    }
}

/// The solution of least size.
fn solve_least(system: DMatrix<f64>, rhs: DMatrix<f64>) -> DMatrix<f64> {
    if system.is_empty() {
        return rhs;
    }
    let decomposition = system.svd(true, true);
    let largest = decomposition.singular_values.iter().copied().fold(0.0, f64::max);
    // Both sides were asked for, so there is a solution.
    decomposition.solve(&rhs, RANK * largest).unwrap_or_else(|_| DMatrix::zeros(rhs.nrows(), rhs.ncols()))
}

impl<const D: usize> StageRates<D> {
    /// What decides the branches of the stage.
    fn margins<const N: usize>(
        &self,
        laws: &[LinearLaw<D>],
        problem: &StepProblem<D, N>,
        solution: &Solution<D, N>,
        (inputs, compliant): (&[InputRates<D, N>], bool),
        margins: &mut Vec<BodyMargin>,
    ) {
        let first_input = self.velocity.ncols() - inputs.len();
        let contacts = problem.contact.contacts.iter().zip(laws).zip(&solution.impulses);
        for (index, ((contact, law), r)) in contacts.enumerate() {
            let row = D * index;
            let u = problem.contact.relative_velocity(contact, &solution.velocity);
            if law.branch == Branch::Open && compliant {
                continue;
            }
            if law.branch == Branch::Open {
                margins.push(BodyMargin {
                    kind: MarginKind::Contact,
                    value: u[0],
                    row: self.relative.row(row).into_owned(),
                });
                continue;
            }
            margins.push(BodyMargin {
                kind: MarginKind::Contact,
                value: r[0],
                row: self.impulses.row(row).into_owned(),
            });
            if contact.friction == 0.0 {
                continue;
            }
            let size = |vector: &SVector<f64, D>, rows: &DMatrix<f64>| {
                let mut tangent = *vector;
                tangent[0] = 0.0;
                let length = tangent.norm();
                let mut slope = RowDVector::zeros(rows.ncols());
                if length > 0.0 {
                    for i in 1..D {
                        slope += rows.row(row + i) * (tangent[i] / length);
                    }
                }
                (length, slope)
            };
            let (value, slope) = match law.branch {
                Branch::Slip if D == 2 => size(&u, &self.relative),
                // Over a plane slip turns rather than going through zero.
                Branch::Slip | Branch::Open => continue,
                Branch::Stick => {
                    let (friction, slope) = size(r, &self.impulses);
                    let mut limit = self.impulses.row(row) * contact.friction;
                    for (j, input) in inputs.iter().enumerate() {
                        limit[first_input + j] += input.surface(&problem.touches[index])[0] * r[0];
                    }
                    (contact.friction * r[0] - friction, limit - slope)
                }
            };
            margins.push(BodyMargin { kind: MarginKind::Slip, value, row: slope });
        }
    }
}

impl BodyStep {
    /// The derivative of a step that was taken; `corrected` takes the derivative of the motion at an impact.
    ///
    /// # Errors
    /// The reason where there is none.
    pub fn of<W: DifferentiableWorld<D, N>, const D: usize, const N: usize>(
        taken: &Taken<'_, W, D, N>,
        inputs: &[InputRates<D, N>],
        corrected: bool,
    ) -> Result<Self, String> {
        let making = Making::new(taken, inputs).ok_or("contacts are not found again in dual numbers")?;
        let Some(((first_laws, moving), rest)) = taken.stages.split_first() else {
            return Err("it has no stage".to_owned());
        };
        let in_two = !rest.is_empty();
        let first = making.stage(first_laws, moving, in_two);
        let mut margins = Vec::new();
        if taken.compliant {
            making.gap_margins(&mut margins);
        }
        first.margins(first_laws, taken.problem, moving, (inputs, taken.compliant), &mut margins);
        let second = match rest.first() {
            Some((laws, solution)) => {
                let second = making.stage(laws, solution, false);
                second.margins(laws, taken.problem, solution, (inputs, taken.compliant), &mut margins);
                Some((laws, *solution, second))
            }
            None => None,
        };
        let (n, dt) = (making.n, taken.problem.contact.time_step);
        let mut state = DMatrix::zeros(2 * n, making.columns);
        for body in 0..n / N {
            let (pose, before) = (&taken.motion.poses[body], &taken.motion.velocities[body]);
            let rates = taken.world.advance_rates(body, pose, before, &moving.velocity[body], dt);
            let moved = rates.after * first.velocity.fixed_rows::<N>(N * body);
            state.fixed_rows_mut::<N>(N * body).copy_from(&moved);
            let mut own = state.fixed_view_mut::<N, N>(N * body, N * body);
            own += rates.pose;
            let mut own = state.fixed_view_mut::<N, N>(N * body, n + N * body);
            own += rates.before;
        }
        state
            .rows_mut(n, n)
            .copy_from(second.as_ref().map_or(&first.velocity, |(_, _, second)| &second.velocity));
        if corrected && let Some((laws, solution, second)) = &second {
            making.correct(laws, solution, second, &mut state)?;
        }
        let inputs = state.columns(2 * n, making.columns - 2 * n).into_owned();
        Ok(Self { state: state.columns(0, 2 * n).into_owned(), inputs, margins })
    }
}

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Making<'_, W, D, N> {
    /// Where contacts act by their depth: whether there is one.
    fn gap_margins(&self, margins: &mut Vec<BodyMargin>) {
        for (touch, changes) in self.taken.problem.touches.iter().zip(&self.geometry.touches) {
            let mut row = RowDVector::zeros(self.columns);
            for (moved, rates) in changes {
                for k in 0..N {
                    row[moved * N + k] += rates.gap[k];
                }
            }
            margins.push(BodyMargin { kind: MarginKind::Contact, value: touch.gap, row });
        }
    }

    /// Replaces the derivative of a step with one impact by that of the motion through it.
    ///
    /// The impact comes `tau = -phi/u_n` after the start and later by `dtau = -(dphi + tau du_n)/u_n`. Up to it the
    /// bodies move as they would without it, after it with the velocities of the second stage:
    ///
    /// ```text
    /// dq_i = dq + v dtau + tau dv,   dv_i = dv + a dtau
    /// dv+ = R_q dq_i + R_v dv_i - a+ dtau,   dq+ = dq_i - v+ dtau + (dt - tau) dv+
    /// ```
    fn correct(
        &self,
        laws: &[LinearLaw<D>],
        solution: &Solution<D, N>,
        second: &StageRates<D>,
        state: &mut DMatrix<f64>,
    ) -> Result<(), String> {
        let Self { taken, n, columns, .. } = *self;
        let problem = &taken.problem.contact;
        let dt = problem.time_step;
        let hits: Vec<usize> = (0..laws.len())
            .filter(|index| taken.problem.is_hit(*index) && laws[*index].branch != Branch::Open)
            .collect();
        let &[hit] = hits.as_slice() else {
            return Err(format!(
                "{} contacts hit in one step, and the order in which they do decides",
                hits.len()
            ));
        };
        let contact = &problem.contacts[hit];
        let touch = &taken.problem.touches[hit];
        let speed = touch.relative_velocity(&taken.motion.velocities)[0];
        let tau = -touch.gap / speed;
        // Accelerations without the contact that hits, and after it.
        let free: Vec<SVector<f64, N>> = problem
            .free_velocity
            .iter()
            .zip(&taken.motion.velocities)
            .map(|(free, before)| (free - before) / dt)
            .collect();
        let answer = |laws: &[LinearLaw<D>]| {
            let mut base = DMatrix::zeros(n, 1);
            for (body, acceleration) in free.iter().enumerate() {
                add(&mut base, body, 0, acceleration);
            }
            let rows = D * problem.contacts.len() + problem.links.len();
            let one = Making {
                columns: 1,
                inputs: &[],
                geometry: Geometry { touches: Vec::new(), links: Vec::new() },
                free: DMatrix::zeros(0, 0),
                taken,
                n,
            };
            one.solve(laws, base, DMatrix::zeros(rows, 1), DMatrix::zeros(rows, 1))
                .velocity
                .column(0)
                .into_owned()
        };
        let mut without = laws.to_vec();
        without[hit] = LinearLaw::open();
        let before = answer(&without);
        let rebounds = contact.bias < 0.0 && taken.problem.bias_slopes(hit, false)[1] > 0.0;
        let after = if rebounds { before.clone() } else { answer(laws) };
        // dphi and du_n along every direction.
        let mut gap = RowDVector::<f64>::zeros(columns);
        let mut approach = RowDVector::<f64>::zeros(columns);
        for (moved, rates) in &self.geometry.touches[hit] {
            for k in 0..N {
                gap[moved * N + k] += rates.gap[k];
                for (end, body) in contact.bodies.iter().enumerate() {
                    if let Some(body) = *body {
                        let change = rates.jacobian[end][k].row(0) * taken.motion.velocities[body];
                        approach[moved * N + k] += change[0];
                    }
                }
            }
        }
        for (end, body) in contact.bodies.iter().enumerate() {
            if let Some(body) = *body {
                for k in 0..N {
                    approach[n + body * N + k] += contact.jacobian[end][(0, k)];
                }
            }
        }
        let delay = (gap + approach * tau) * (-1.0 / speed);
        let stacked = |vectors: &[SVector<f64, N>]| {
            DVector::from_iterator(n, vectors.iter().flat_map(|vector| vector.iter().copied()))
        };
        let (v, v_after) = (stacked(&taken.motion.velocities), stacked(&solution.velocity));
        // Changes of displacement and velocity at the impact.
        let mut displaced = &v * &delay;
        let mut hastened = &before * &delay;
        for i in 0..n {
            displaced[(i, i)] += 1.0;
            displaced[(i, n + i)] += tau;
            hastened[(i, n + i)] += 1.0;
        }
        let (by_pose, by_velocity) = (second.velocity.columns(0, n), second.velocity.columns(n, n));
        let mut velocity = by_pose * &displaced + by_velocity * &hastened - &after * &delay;
        for column in 2 * n..columns {
            let mut own = velocity.column_mut(column);
            own += second.velocity.column(column);
        }
        let moved = (&displaced - &v_after * &delay) + &velocity * (dt - tau);
        // The axes of a body that turns are those of the end of the step.
        for body in 0..n / N {
            let pose = &taken.motion.poses[body];
            let rates = taken.world.advance_rates(
                body,
                pose,
                &taken.motion.velocities[body],
                &solution.velocity[body],
                dt,
            );
            let turned = rates.pose * moved.fixed_rows::<N>(N * body);
            state.fixed_rows_mut::<N>(N * body).copy_from(&turned);
        }
        state.rows_mut(n, n).copy_from(&velocity);
        Ok(())
    }
}
