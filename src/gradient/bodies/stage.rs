//! The equations of a stage of a step, linearised about its solution.

use nalgebra::{DMatrix, RowDVector, SMatrix, SVector};

use super::{
    directions::Directions,
    geometry::{Geometry, TOUCHING},
    least_change::LeastChange,
    loads::OpenLoads,
    margin::BodyMargin,
    rates::InputRates,
    taken::{Taken, TakenStage},
};
use crate::{
    contact::{Branch, LinearLaw, LinkLaw, friction_cone::tangential_part},
    stepper::derivative::MarginKind,
    world::{DifferentiableWorld, StepProblem},
};

/// Writes a block of a column.
pub(super) fn add<const N: usize>(
    matrix: &mut DMatrix<f64>,
    body: usize,
    column: usize,
    value: &SVector<f64, N>,
) {
    for i in 0..N {
        matrix[(body * N + i, column)] += value[i];
    }
}

/// A stage's derivative along the directions that it was asked for: velocities, impulses and relative velocities of the
/// contacts, the last also without contacts where a law looks at them.
pub(super) struct StageRates<const D: usize> {
    pub velocity: DMatrix<f64>,
    pub impulses: DMatrix<f64>,
    pub relative: DMatrix<f64>,
    pub unhindered: DMatrix<f64>,
    /// Per contact, of the near-rigid compliance less the one that was chosen, where a law chooses.
    pub choices: DMatrix<f64>,
    /// Of the gaps.
    pub gaps: DMatrix<f64>,
    /// Where the contacts carry more than they need, and the velocities depend on how they share it.
    pub open: Option<OpenLoads>,
}

/// What the equations of a stage are made of to first order, along every direction: `2 N` per body, then one per input.
pub(super) struct Linearisation<'a, W: DifferentiableWorld<D, N>, const D: usize, const N: usize> {
    pub taken: &'a Taken<'a, W, D, N>,
    /// That of the stage; after an impact that of the second one.
    pub problem: &'a StepProblem<D, N>,
    pub geometry: Geometry<D, N>,
    pub inputs: &'a [InputRates<'a, D, N>],
    /// `N` times the number of bodies.
    pub n: usize,
    pub columns: usize,
    /// The change of `v_f`.
    pub free: DMatrix<f64>,
}

impl<'a, W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'a, W, D, N> {
    pub fn new(
        taken: &'a Taken<'a, W, D, N>,
        posed: &'a StepProblem<D, N>,
        inputs: &'a [InputRates<'a, D, N>],
    ) -> Option<Self> {
        let geometry = Geometry::new(taken, posed)?;
        let problem = &posed.contact;
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
        Some(Self { taken, problem: posed, geometry, inputs, n, columns, free })
    }

    /// The derivative of a stage along these directions.
    pub fn stage(&self, stage: &TakenStage<'_, D, N>, directions: &Directions<'_>) -> StageRates<D> {
        let Self { taken, n, columns, .. } = *self;
        let TakenStage { laws, links: link_laws, solution, is_first_of_two, .. } = stage;
        let problem = &self.problem.contact;
        let (contacts, links) = (problem.contacts.len(), problem.links.len());
        let rows = D * contacts + links;
        let start = &taken.motion.velocities;
        // dv without the change of the impulses, and the change of J v + c n.
        let mut base = self.free.clone();
        let mut drift = DMatrix::<f64>::zeros(rows, columns);
        let mut direct = DMatrix::<f64>::zeros(rows, columns);
        let unhindered = self.unhindered(laws);
        let mut choices = DMatrix::<f64>::zeros(contacts, columns);
        let mut gaps = DMatrix::<f64>::zeros(contacts, columns);
        for (index, contact) in problem.contacts.iter().enumerate() {
            let (law, r) = (&laws[index], &solution.impulses[index]);
            let [by_gap, by_approach, by_restitution] = self.problem.bias_slopes(index, *is_first_of_two);
            let row = D * index;
            if law.free.amax() > 0.0 {
                let of_free = law.free * unhindered.fixed_rows::<D>(row);
                direct.fixed_rows_mut::<D>(row).copy_from(&of_free);
            }
            let mut of_start = |column: usize, gap: f64, approach: f64| {
                drift[(row, column)] += by_gap * gap + by_approach * approach;
                gaps[(index, column)] += gap;
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
                    if let Some([near_rigid, _]) = law.choice {
                        choices[(index, column)] += near_rigid * of_response;
                    }
                }
            }
            for (j, input) in self.inputs.iter().enumerate() {
                let column = 2 * n + j;
                let [friction, restitution] = input.surface(&self.problem.touches[index]);
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
                let chosen = self.problem.touches[index].bodies.into_iter().flatten().next();
                let chosen = chosen.map_or([0.0; 2], |body| input.chosen[body]);
                for i in 0..D {
                    direct[(row + i, column)] += law.friction[i] * friction
                        + law.response.0[i] * of_response
                        + law.chosen[0][i] * chosen[0]
                        + law.chosen[1][i] * chosen[1];
                }
                if let Some([near_rigid, _]) = law.choice {
                    choices[(index, column)] += near_rigid * of_response - chosen[0];
                }
            }
        }
        for (index, link) in problem.links.iter().enumerate() {
            let row = D * contacts + index;
            let (law, impulse) = (&link_laws[index], solution.link_impulses[index]);
            for (moved, rates) in &self.geometry.links[index] {
                for k in 0..N {
                    let column = moved * N + k;
                    drift[(row, column)] += law.bias * rates.bias[k];
                    for ((body, rows), own) in link.bodies.iter().zip(&rates.rows).zip(&link.jacobian) {
                        let Some(body) = *body else { continue };
                        let change = rows.column(k).into_owned();
                        let response = 2.0 * own.dot(&(problem.inverse_mass[body] * change));
                        direct[(row, column)] += law.response * response * impulse;
                        drift[(row, column)] += change.dot(&solution.velocity[body]);
                        add(&mut base, body, column, &(problem.inverse_mass[body] * change * impulse));
                    }
                }
            }
            for (j, input) in self.inputs.iter().enumerate() {
                for (body, jacobian) in link.bodies.iter().zip(&link.jacobian) {
                    if let Some(body) = *body {
                        let change = input.inverse_mass[body] * jacobian;
                        direct[(row, 2 * n + j)] += law.response * jacobian.dot(&change) * impulse;
                        add(&mut base, body, 2 * n + j, &(change * impulse));
                    }
                }
            }
        }
        let [base, drift, direct, unhindered, choices, gaps] =
            [base, drift, direct, unhindered, choices, gaps].map(|whole| directions.derivative(whole));
        StageRates { unhindered, choices, gaps, ..self.solve((laws, link_laws), base, drift, direct) }
    }

    /// The change of the tangential relative velocities without contacts, of those contacts that look at them.
    fn unhindered(&self, laws: &[LinearLaw<D>]) -> DMatrix<f64> {
        let problem = &self.problem.contact;
        let mut unhindered = DMatrix::<f64>::zeros(D * problem.contacts.len(), self.columns);
        for (index, contact) in problem.contacts.iter().enumerate() {
            if laws[index].corners[0].is_none() {
                continue;
            }
            let mut own = unhindered.fixed_rows_mut::<D>(D * index);
            for (end, body) in contact.bodies.iter().enumerate() {
                let Some(body) = *body else { continue };
                own += contact.jacobian[end] * self.free.fixed_rows::<N>(N * body);
                for (moved, rates) in &self.geometry.touches[index] {
                    for k in 0..N {
                        let mut column = own.column_mut(moved * N + k);
                        column += rates.jacobian[end][k] * problem.free_velocity[body];
                    }
                }
            }
        }
        unhindered
    }

    /// Solves for the change of the impulses, and with it of everything else.
    pub fn solve(
        &self,
        (laws, link_laws): (&[LinearLaw<D>], &[LinkLaw]),
        base: DMatrix<f64>,
        drift: DMatrix<f64>,
        direct: DMatrix<f64>,
    ) -> StageRates<D> {
        let problem = &self.problem.contact;
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
        let mut rhs = DMatrix::<f64>::zeros(kept.len(), base.ncols());
        let whole = jacobian.select_rows(&kept) * response.select_columns(&kept);
        for (i, &row) in kept.iter().enumerate() {
            if row >= D * contacts {
                system.row_mut(i).copy_from(&whole.row(i));
                system[(i, i)] += link_laws[row - D * contacts].compliance;
                rhs.row_mut(i).copy_from(&-(unforced.row(row) + direct.row(row)));
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
        let system = LeastChange::new(system);
        // Back to impulses in N s, those of contacts without force zero.
        let unscaled = |solved: &DMatrix<f64>| {
            let mut impulses = DMatrix::<f64>::zeros(rows, solved.ncols());
            for (i, &row) in kept.iter().enumerate() {
                impulses.row_mut(row).copy_from(&(solved.row(i) / scale[row].max(f64::MIN_POSITIVE)));
            }
            impulses
        };
        let impulses = unscaled(&system.solve(rhs));
        let open = (system.open() > 0).then(|| {
            let directions = system.open_directions();
            let mut idle = DMatrix::<f64>::zeros(rows, system.open());
            for (place, &row) in system.idle_combinations().row_iter().zip(&kept) {
                idle.row_mut(row).copy_from(&place);
            }
            let impulses = unscaled(&directions);
            OpenLoads::new(&directions, &response * &impulses, impulses, idle, &jacobian)
        });
        let velocity = base + response * &impulses;
        let relative = &jacobian * &velocity + drift;
        let [unhindered, choices, gaps] = std::array::from_fn(|_| DMatrix::zeros(0, 0));
        StageRates { velocity, impulses, relative, unhindered, choices, gaps, open: open.flatten() }
    }
}

impl<const D: usize> StageRates<D> {
    /// What decides the branches of the stage.
    pub fn margins<const N: usize>(
        &self,
        stage: &TakenStage<'_, D, N>,
        (inputs, compliant): (&[InputRates<'_, D, N>], bool),
        directions: &Directions<'_>,
        margins: &mut Vec<BodyMargin>,
    ) {
        let TakenStage { problem, laws, solution, .. } = stage;
        // What a quantity grows by where friction at a contact grows by so much.
        let of_friction = |slope: &mut RowDVector<f64>, index: usize, growth: f64| {
            for (j, input) in inputs.iter().enumerate() {
                directions.add_input(slope, j, input.surface(&problem.touches[index])[0] * growth);
            }
        };
        let contacts = problem.contact.contacts.iter().zip(laws).zip(&solution.impulses);
        for (index, ((contact, law), r)) in contacts.enumerate() {
            let row = D * index;
            let u = problem.contact.relative_velocity(contact, &solution.velocity);
            if let Some([near_rigid, chosen]) = law.choice {
                margins.push(BodyMargin {
                    kind: MarginKind::Choice,
                    value: near_rigid - chosen,
                    row: self.choices.row(index).into_owned(),
                });
            }
            let first_threshold = margins.len();
            for (threshold, kind) in law.thresholds.iter().zip([MarginKind::Contact, MarginKind::Slip]) {
                let acts = kind == MarginKind::Contact || law.branch != Branch::Open;
                let Some(threshold) = threshold.as_ref().filter(|_| acts) else { continue };
                let mut slope = self.gaps.row(index) * threshold.gap;
                for i in 0..D {
                    slope += self.relative.row(row + i) * threshold.velocity[i]
                        + self.impulses.row(row + i) * threshold.impulse[i];
                }
                of_friction(&mut slope, index, threshold.friction);
                let value =
                    threshold.velocity.dot(&u) + threshold.impulse.dot(r) + threshold.gap * contact.gap;
                margins.push(BodyMargin { kind, value, row: slope });
            }
            if margins.len() > first_threshold || law.branch == Branch::Open && compliant {
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
            for corner in law.corners.iter().flatten() {
                let mut slope = RowDVector::zeros(self.velocity.ncols());
                for i in 0..D {
                    slope += self.relative.row(row + i) * corner.velocity[i]
                        + self.impulses.row(row + i) * corner.impulse[i]
                        + self.unhindered.row(row + i) * corner.free[i];
                }
                of_friction(&mut slope, index, corner.friction);
                let value = corner.velocity.dot(&u) + corner.impulse.dot(r);
                margins.push(BodyMargin { kind: MarginKind::Slip, value, row: slope });
            }
            if law.corners[0].is_some() {
                continue;
            }
            let size = |vector: &SVector<f64, D>, rows: &DMatrix<f64>| {
                let tangent = tangential_part(vector);
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
                    of_friction(&mut limit, index, r[0]);
                    (contact.friction * r[0] - friction, limit - slope)
                }
            };
            margins.push(BodyMargin { kind: MarginKind::Slip, value, row: slope });
        }
    }
}

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// Where contacts act by whether they would close: whether one that does, or that these `laws` close, is an overlap
    /// that is left alone, and whether it hits.
    pub fn closing_margins(
        &self,
        laws: &[LinearLaw<D>],
        directions: &Directions<'_>,
        margins: &mut Vec<BodyMargin>,
    ) {
        let dt = self.problem.contact.time_step;
        for (index, (touch, law)) in self.problem.touches.iter().zip(laws).enumerate() {
            let free = touch.relative_velocity(&self.problem.contact.free_velocity)[0];
            // What would part by itself may be held together by what the bodies touch besides.
            if touch.gap + dt * free > 0.0 && law.branch == Branch::Open {
                continue;
            }
            let [gap, approach] = self.gap_and_approach(index, directions);
            let [overlap, hit] = self.problem.closing_margins(index);
            let is_approaching = touch.relative_velocity(&self.taken.motion.velocities)[0] < 0.0;
            let kept = if is_approaching { 2.0 * dt } else { 0.0 };
            margins.push(BodyMargin {
                kind: MarginKind::Overlap,
                value: overlap,
                row: gap - &approach * kept,
            });
            let mut row = -approach;
            for (j, input) in self.inputs.iter().enumerate() {
                let growth = self.problem.impact_speed_per_gravity() * input.pull;
                directions.add_input(&mut row, j, -growth);
            }
            margins.push(BodyMargin { kind: MarginKind::Rebound, value: hit, row });
        }
    }

    /// Where there are contacts only at a touch: whether there is one, of all that are near.
    pub fn touch_margins(&self, directions: &Directions<'_>, margins: &mut Vec<BodyMargin>) {
        let Self { taken, problem, columns, .. } = *self;
        let near = problem.near_touches(taken.world, taken.motion);
        let mut found = Vec::new();
        let mut begin = 0;
        while begin < near.len() {
            let pair = (near[begin].first, near[begin].second);
            let count = near[begin..].iter().take_while(|touch| (touch.first, touch.second) == pair).count();
            let mut rows = vec![(None, RowDVector::zeros(columns)); count];
            for moved in near[begin].bodies.into_iter().flatten() {
                let facing = Some(&near[begin].normal);
                taken.world.touch_rates(taken.motion, &problem.margins, pair, facing, moved, &mut found);
                for ((gap, row), rates) in rows.iter_mut().zip(&found) {
                    *gap = Some(rates.value);
                    for k in 0..N {
                        row[moved * N + k] += rates.gap[k];
                    }
                }
            }
            for (gap, row) in rows {
                let Some(gap) = gap else { continue };
                let row = directions.derivative_of_one(row);
                margins.push(BodyMargin { kind: MarginKind::Contact, value: gap - TOUCHING, row });
            }
            begin += count;
        }
    }

    /// Where contacts act by their depth: whether there is one.
    pub fn gap_margins(&self, directions: &Directions<'_>, margins: &mut Vec<BodyMargin>) {
        for (touch, changes) in self.problem.touches.iter().zip(&self.geometry.touches) {
            let mut row = RowDVector::zeros(self.columns);
            for (moved, rates) in changes {
                for k in 0..N {
                    row[moved * N + k] += rates.gap[k];
                }
            }
            margins.push(BodyMargin {
                kind: MarginKind::Contact,
                value: touch.gap,
                row: directions.derivative_of_one(row),
            });
        }
    }
}
