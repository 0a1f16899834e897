//! How friction in groups enters the equations of a stage: what resists turning has rows of its own, after those of contacts and links,
//! and friction that differs across an axis turns with that.

use nalgebra::{DMatrix, Matrix3, RowDVector, SMatrix, SVector, Vector3};

use super::{
    assembly::Assembly,
    directions::Directions,
    geometry::TouchChange,
    linearisation::{Linearisation, StageRates, Terms, add},
    margin::BodyMargin,
    rates::{GroupRates, InputRates},
    taken::TakenStage,
};
use crate::{
    contact::{
        Branch, FrictionGroups, GroupMargin, Hold,
        groups::{GROUPS, ROWS, Rows},
    },
    stepper::derivative::MarginKind,
    world::{DifferentiableWorld, Touch},
};

/// Rows of turning of an entry of groups.
pub(super) const TURNING: usize = 3;

/// Part of the square of an axis that has to lie along the tangents of a contact for it to have a direction there.
const ALONG_THE_NORMAL: f64 = 1e-18;

/// How the rows of turning of an entry change along one direction.
struct TurningChange<const N: usize> {
    column: usize,
    jacobian: [SMatrix<f64, TURNING, N>; 2],
}

/// The axes of a contact in space, normal first, as its rows have them.
fn frame_of<const D: usize, const N: usize>(rows: &SMatrix<f64, D, N>) -> Matrix3<f64> {
    Matrix3::from_fn(|i, j| rows[(i, j)])
}

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// How many rows the equations have.
    pub fn rows(&self) -> usize {
        self.first_of_turning(self.problem.contact.groups.len())
    }

    /// Where the rows of turning of an entry of groups begin.
    pub fn first_of_turning(&self, place: usize) -> usize {
        let problem = &self.problem.contact;
        D * problem.contacts.len() + problem.links.len() + TURNING * place
    }

    /// Where a row of the contact of an entry of groups stands among all; `None` where it has no such row.
    pub fn place_of(&self, place: usize, row: usize) -> Option<usize> {
        match row.checked_sub(ROWS - TURNING) {
            Some(turning) => Some(self.first_of_turning(place) + turning),
            None => (row < D).then(|| D * self.problem.contact.groups[place].contact + row),
        }
    }

    /// The entry of groups, and the row of its contact, that say what a row of the equations is; `None` for others, normal rows among them.
    pub fn row_of_groups(&self, row: usize) -> Option<(usize, usize)> {
        let problem = &self.problem.contact;
        if let Some(turning) = row.checked_sub(self.first_of_turning(0)) {
            return Some((turning / TURNING, ROWS - TURNING + turning % TURNING));
        }
        let is_tangent = row < D * problem.contacts.len() && !row.is_multiple_of(D);
        is_tangent.then(|| problem.groups_of(row / D)).flatten().map(|place| (place, row % D))
    }

    /// The rows of the contact of an entry in such a matrix, each times its part of these.
    fn combined(&self, place: usize, parts: &Rows, rates: &DMatrix<f64>) -> RowDVector<f64> {
        let mut sum = RowDVector::zeros(rates.ncols());
        for (row, part) in parts.iter().enumerate().filter(|(_, part)| **part != 0.0) {
            if let Some(row) = self.place_of(place, row) {
                sum += rates.row(row) * *part;
            }
        }
        sum
    }

    fn turning_changes(&self, place: usize) -> Vec<TurningChange<N>> {
        let FrictionGroups { contact, jacobian, .. } = &self.problem.contact.groups[place];
        let touch = &self.problem.touches[*contact];
        let mut changes = Vec::new();
        // In the plane all turn about one axis.
        if D != 3 || touch.turning.is_none() {
            return changes;
        }
        let frame = frame_of(&touch.jacobian[0]);
        for TouchChange { column, jacobian: rates, .. } in &self.geometry.touches[*contact] {
            let turned = frame_of(&rates[0]) * frame.transpose();
            if turned.amax() > 0.0 {
                changes.push(TurningChange { column: *column, jacobian: jacobian.map(|rows| turned * rows) });
            }
        }
        // A body that is displaced by a small angle has its spin along other axes of the world.
        for (end, body) in touch.bodies.iter().enumerate() {
            let Some(body) = *body else { continue };
            for k in 0..D {
                let mut change = TurningChange { column: N * body + D + k, jacobian: [SMatrix::zeros(); 2] };
                let (next, last) = ((k + 1) % D, (k + 2) % D);
                for row in 0..TURNING {
                    change.jacobian[end][(row, D + next)] = jacobian[end][(row, D + last)];
                    change.jacobian[end][(row, D + last)] = -jacobian[end][(row, D + next)];
                }
                changes.push(change);
            }
        }
        changes
    }

    /// By how much the angle from the first tangent to the axis changes across which friction differs, with the columns.
    fn axis_changes(&self, place: usize) -> Vec<(usize, f64)> {
        let contact = self.problem.contact.groups[place].contact;
        let touch = &self.problem.touches[contact];
        let mut changes = Vec::new();
        let Some(anisotropy) = touch.surface.anisotropy.filter(|_| D == 3) else { return changes };
        let frame = frame_of(&touch.jacobian[0]);
        let end = touch.axis_carrier();
        let turn = anisotropy.carrier.filter(|_| end.is_some()).map_or_else(Matrix3::identity, |carrier| {
            let turn = self.taken.world.placement(&self.taken.motion.poses[carrier]).turn;
            Matrix3::from_fn(|i, j| turn[(i, j)])
        });
        let along = frame * turn * anisotropy.axis;
        let square = along[1] * along[1] + along[2] * along[2];
        if square <= ALONG_THE_NORMAL * anisotropy.axis.norm_squared() {
            return changes;
        }
        let angle = |change: Vector3<f64>| (along[1] * change[2] - along[2] * change[1]) / square;
        for TouchChange { column, jacobian: rates, .. } in &self.geometry.touches[contact] {
            changes.push((*column, angle(frame_of(&rates[0]) * frame.transpose() * along)));
        }
        if let Some(carrier) = end.and_then(|end| touch.bodies[end])
            && N == 2 * D
        {
            changes.extend((0..D).map(|k| {
                let turned = Vector3::ith(k, 1.0).cross(&anisotropy.axis);
                (N * carrier + D + k, angle(frame * turn * turned))
            }));
        }
        changes
    }

    /// With the axes of turning of an entry of groups, and the axis across which friction differs.
    pub fn groups_pose_terms(&self, stage: &TakenStage<'_, D, N>, place: usize, assembly: &mut Assembly) {
        let problem = &self.problem.contact;
        let contact = &problem.contacts[problem.groups[place].contact];
        let torque = stage.solution.torque(place);
        let first = self.first_of_turning(place);
        for TurningChange { column, jacobian } in self.turning_changes(place) {
            for (body, change) in contact.bodies.iter().zip(&jacobian) {
                let Some(body) = *body else { continue };
                let spins = change * stage.solution.velocity[body];
                for i in 0..TURNING {
                    assembly.terms.drift[(first + i, column)] += spins[i];
                }
                let turned = problem.inverse_mass[body] * change.tr_mul(&torque);
                add(&mut assembly.terms.base, body, column, &turned);
            }
        }
        for (column, angle) in self.axis_changes(place) {
            assembly.axes[(place, column)] += angle;
            self.add_to_rows(place, &(stage.grouped[place].axis * angle), column, &mut assembly.terms.direct);
        }
    }

    /// With the inputs that masses and the coefficients of an entry of groups change with.
    pub fn groups_input_terms(&self, stage: &TakenStage<'_, D, N>, place: usize, terms: &mut Terms) {
        let problem = &self.problem.contact;
        let FrictionGroups { contact, jacobian, .. } = &problem.groups[place];
        let touch = &self.problem.touches[*contact];
        let torque = stage.solution.torque(place);
        for (j, input) in self.inputs.iter().enumerate() {
            let column = 2 * self.n + j;
            for (body, rows) in problem.contacts[*contact].bodies.iter().zip(jacobian) {
                if let Some(body) = *body {
                    let turned = input.inverse_mass[body] * rows.tr_mul(&torque);
                    add(&mut terms.base, body, column, &turned);
                }
            }
            let scales = input.scales(touch, stage.hold(*contact));
            self.add_to_rows(place, &(stage.grouped[place].scales * scales), column, &mut terms.direct);
        }
    }

    /// Adds a change to the rows of the contact of an entry.
    fn add_to_rows(&self, place: usize, change: &Rows, column: usize, direct: &mut DMatrix<f64>) {
        for (row, change) in change.iter().enumerate() {
            if let Some(row) = self.place_of(place, row) {
                direct[(row, column)] += change;
            }
        }
    }

    /// Adds what the coefficients of groups change by with the slips that they go by, to the change of the laws.
    pub fn add_slip_to_groups(
        &self,
        stage: &TakenStage<'_, D, N>,
        by_slip: &DMatrix<f64>,
        direct: &mut DMatrix<f64>,
    ) {
        for (place, (law, groups)) in stage.grouped.iter().zip(&self.problem.contact.groups).enumerate() {
            let change = law.scales * scales_per_coefficient(&self.problem.touches[groups.contact]);
            for (row, change) in change.iter().enumerate().filter(|(_, change)| **change != 0.0) {
                if let Some(row) = self.place_of(place, row) {
                    let mut of_row = direct.row_mut(row);
                    of_row += by_slip.row(groups.contact) * *change;
                }
            }
        }
    }

    /// What decides the branches of groups in a stage with this derivative, in its earlier solves as well.
    pub fn all_group_margins(
        &self,
        stage: &TakenStage<'_, D, N>,
        rates: &StageRates<D>,
        directions: &Directions<'_>,
        margins: &mut Vec<BodyMargin>,
    ) {
        for (solve, rates) in stage.earlier.iter().zip(&rates.earlier).chain([(stage, rates)]) {
            for (place, law) in solve.grouped.iter().enumerate() {
                let of = law.margins.iter().flatten();
                margins.extend(of.map(|margin| self.group_margin(solve, place, margin, rates, directions)));
            }
        }
    }

    /// A quantity that decides the branch of a group.
    pub fn group_margin(
        &self,
        stage: &TakenStage<'_, D, N>,
        place: usize,
        margin: &GroupMargin,
        rates: &StageRates<D>,
        directions: &Directions<'_>,
    ) -> BodyMargin {
        let contact = self.problem.contact.groups[place].contact;
        let touch = &self.problem.touches[contact];
        let mut row = self.combined(place, &margin.velocity, &rates.relative)
            + self.combined(place, &margin.impulse, &rates.impulses)
            + rates.axes.row(place) * margin.axis;
        for (j, input) in self.inputs.iter().enumerate() {
            let scales = input.scales(touch, stage.hold(contact));
            directions.add_input(&mut row, j, margin.scales.dot(&scales));
        }
        if let Some(by_slip) = &rates.by_slip {
            row += by_slip.row(contact) * margin.scales.dot(&scales_per_coefficient(touch));
        }
        BodyMargin { kind: MarginKind::Slip, value: margin.value, row }
    }

    /// Whether something stops in a step with groups whose derivative is that of the motion: nothing that goes on the other way, which the
    /// law of the step has stand still or move on at once.
    ///
    /// # Errors
    /// What goes on the other way.
    pub fn check_stops(&self, stage: &TakenStage<'_, D, N>) -> Result<(), String> {
        const TURNS: &str =
            "what friction against turning, or across an axis, slows down turns around, and is not corrected";
        let (start, end) = (&self.taken.motion.velocities, &stage.solution.velocity);
        let stops: Vec<(usize, usize)> = (0..stage.grouped.len())
            .flat_map(|place| (0..GROUPS.len()).map(move |group| (place, group)))
            .filter(|(place, group)| {
                let law = &stage.grouped[*place];
                let before = self.slip_of_group(stage, *place, *group, start);
                let (slip, slight) = (before.norm(), law.slight[*group]);
                law.branches[*group] != Branch::Open
                    && slip > slight
                    && law.slips[*group].dot(&before) <= slight * slip
            })
            .collect();
        if stops.is_empty() {
            return Ok(());
        }
        if stops.iter().any(|(place, group)| stage.grouped[*place].branches[*group] == Branch::Slip) {
            return Err(TURNS.to_owned());
        }
        // What would hold it if it had stood still from the start on.
        let inputs = self.inputs.len();
        let mut stopped = DMatrix::zeros(2 * self.n + inputs, 1);
        for (body, (start, end)) in start.iter().zip(end).enumerate() {
            stopped.fixed_view_mut::<N, 1>(self.n + N * body, 0).copy_from(&(end - start));
        }
        let rates = self.stage(stage, &Directions::along(&stopped, inputs));
        let is_held = |(place, group): &(usize, usize)| {
            let Some(margin) = &stage.grouped[*place].margins[*group] else { return true };
            margin.value + self.combined(*place, &margin.impulse, &rates.impulses)[0] > 0.0
        };
        match stops.iter().all(is_held) {
            true => Ok(()),
            false => Err(TURNS.to_owned()),
        }
    }

    /// `S_g u_g` of a group at these velocities of the bodies.
    fn slip_of_group(
        &self,
        stage: &TakenStage<'_, D, N>,
        place: usize,
        group: usize,
        velocities: &[SVector<f64, N>],
    ) -> Rows {
        let contact = self.problem.contact.groups[place].contact;
        let touch = &self.problem.touches[contact];
        let mut slip = Rows::zeros();
        let relative = touch.relative_velocity(velocities);
        let turned = touch.across.map_or(relative, |across| across.turned(&relative));
        slip.fixed_rows_mut::<D>(0).copy_from(&turned);
        slip.fixed_rows_mut::<TURNING>(ROWS - TURNING)
            .copy_from(&self.problem.contact.spin(place, velocities));
        let scale = stage.grouped[place].scale;
        Rows::from_fn(|row, _| if GROUPS[group].contains(&row) { slip[row] * scale[row] } else { 0.0 })
    }
}

/// The derivative of the coefficients of a contact with that along its tangents: what is across an axis, and what drills, falls with it.
fn scales_per_coefficient<const D: usize, const N: usize>(touch: &Touch<D, N>) -> Rows {
    let at_rest = touch.surface.friction.static_coefficient();
    let ratio = touch.across.map_or(1.0, |across| across.ratio);
    let drilling = if at_rest > 0.0 { touch.surface.turning.torsional / at_rest } else { 0.0 };
    Rows::from([0.0, 1.0, ratio, drilling, 0.0, 0.0])
}

impl<const D: usize, const N: usize> InputRates<'_, D, N> {
    /// Of the coefficients `mu`, `mu_2`, `rho_t` and `rho_r` of a contact that is held like this, if that makes a difference: with that along
    /// its tangents, and with their own numbers, of which what holds is the share `mu/mu_s`.
    fn scales(&self, touch: &Touch<D, N>, hold: Option<Hold>) -> Rows {
        let friction = touch.surface.friction;
        let at_rest = friction.static_coefficient();
        let held = hold.map_or(at_rest, |hold| friction.coefficient(hold));
        let share = if at_rest > 0.0 { held / at_rest } else { 1.0 };
        let GroupRates { across, torsional, rolling } = self.groups(touch);
        let of_rest = scales_per_coefficient(touch) * self.surface(touch)[0];
        let mut scales = scales_per_coefficient(touch) * self.friction(touch, hold);
        scales[2] += share * (across - of_rest[2]);
        scales[3] += share * (torsional - of_rest[3]);
        (scales[4], scales[5]) = (rolling, rolling);
        scales
    }
}
