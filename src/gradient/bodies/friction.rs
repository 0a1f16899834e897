//! How the coefficients of friction of a solve change by the slips that they go by.
//!
//! In a solve the coefficient of a contact is a number, `mu_s` or `mu(v)` of a slip that is known before: that at the start of
//! the step, or the one that an earlier solve of the stage left a contact with, which released it. The law of the contact then
//! changes by
//!
//! ```text
//! dmu = dmu/dp dp + mu'(v) dv,   dv = u/|u| . du
//! ```
//!
//! with the numbers `p` of the law. At the start of the step `du = J dv_k + dJ v_k`, and in an earlier solve it is what the
//! implicit function theorem has for that one.

use nalgebra::{DMatrix, RowDVector, SVector};

use super::{
    directions::Directions,
    linearisation::{Linearisation, StageRates},
    margin::BodyMargin,
    taken::TakenStage,
};
use crate::{
    contact::{Branch, Hold, friction_cone::tangential_part},
    stepper::derivative::MarginKind,
    world::{ContactHold, DifferentiableWorld, SlipOf},
};

/// Relative difference of two speeds that are the same.
const SAME: f64 = 1e-9;

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// The change of the coefficients by the slips that they go by, a row per contact; `None` where none goes by any. `earlier`
    /// are the solves before this one, with their derivatives.
    pub fn changes_by_slip(
        &self,
        stage: &TakenStage<'_, D, N>,
        earlier: (&[TakenStage<'_, D, N>], &[StageRates<D>]),
        directions: &Directions<'_>,
    ) -> Option<DMatrix<f64>> {
        let mut changes = None;
        for held in &stage.holds {
            let law = &self.problem.touches[held.contact].surface.friction;
            let slope = law.slope(held.hold);
            if slope == 0.0 {
                continue;
            }
            let hastened = match held.slip_of {
                SlipOf::Solve(number) => match (earlier.0.get(number), earlier.1.get(number)) {
                    (Some(solve), Some(rates)) => self.change_of_slip_after(held.contact, solve, rates),
                    _ => continue,
                },
                SlipOf::Start | SlipOf::Lost => self.change_of_slip_at_start(held.contact, directions),
            };
            let contacts = self.problem.touches.len();
            let all = changes.get_or_insert_with(|| DMatrix::zeros(contacts, directions.count()));
            all.row_mut(held.contact).copy_from(&(hastened * slope));
        }
        changes
    }

    /// The direction of the slip of a contact at the start of the step, none where there is none.
    fn slips_along(&self, index: usize) -> SVector<f64, D> {
        let slip =
            tangential_part(&self.problem.touches[index].relative_velocity(&self.taken.motion.velocities));
        let speed = slip.norm();
        if speed > 0.0 { slip / speed } else { slip }
    }

    /// The change of the speed of that slip.
    pub fn change_of_slip_at_start(&self, index: usize, directions: &Directions<'_>) -> RowDVector<f64> {
        self.change_of_velocity(index, &self.slips_along(index), directions)
    }

    /// The change of the speed with which a solve leaves a contact slipping.
    fn change_of_slip_after(
        &self,
        index: usize,
        solve: &TakenStage<'_, D, N>,
        rates: &StageRates<D>,
    ) -> RowDVector<f64> {
        let slip = tangential_part(&self.problem.touches[index].relative_velocity(&solve.solution.velocity));
        along_rows::<D>(&rates.relative, index, &(slip / slip.norm().max(f64::MIN_POSITIVE)))
    }

    /// The coefficient of a contact that is held like this, if it depends on that; else the one that it has.
    pub fn coefficient(&self, index: usize, hold: Hold) -> f64 {
        let law = self.problem.touches[index].surface.friction;
        match law.depends_on_slip() {
            true => law.coefficient(hold),
            false => self.problem.contact.contacts[index].friction,
        }
    }

    /// Which contacts count as at rest at the start of the step, where their coefficients depend on that.
    pub fn rest_margins(
        &self,
        stage: &TakenStage<'_, D, N>,
        directions: &Directions<'_>,
        margins: &mut Vec<BodyMargin>,
    ) {
        let velocities = &self.taken.motion.velocities;
        let of_gravity = self.problem.impact_speed_per_gravity();
        for &ContactHold { contact, zone, .. } in &stage.holds {
            let touch = &self.problem.touches[contact];
            let at_rest = touch.surface.friction.static_coefficient();
            let slip = tangential_part(&touch.relative_velocity(velocities)).norm();
            if slip == 0.0 || zone == 0.0 || stage.laws[contact].branch == Branch::Open {
                continue;
            }
            let mut row = self.change_of_slip_at_start(contact, directions);
            // The load of the step before is left as it is: where it decides, runs beside find the kink.
            let pull = self.problem.contact.velocity_unit * of_gravity / self.problem.contact.time_step;
            let by_gravity = (zone - at_rest * pull).abs() <= SAME * zone;
            for (j, input) in self.inputs.iter().enumerate() {
                let grown = input.friction(touch, Some(Hold::Static)) * zone / at_rest;
                let pulled = if by_gravity { at_rest * of_gravity * input.pull } else { 0.0 };
                directions.add_input(&mut row, j, -(grown + pulled));
            }
            margins.push(BodyMargin { kind: MarginKind::Slip, value: slip - zone, row });
        }
    }

    /// Whether the slips of contacts that slide over a plane turn round in the solves of a stage with this derivative; in the
    /// plane they go through zero there.
    pub fn all_turn_margins(
        &self,
        stage: &TakenStage<'_, D, N>,
        rates: &StageRates<D>,
        margins: &mut Vec<BodyMargin>,
    ) {
        for (solve, rates) in stage.earlier.iter().zip(&rates.earlier).chain([(stage, rates)]) {
            self.turn_margins(solve, rates, margins);
        }
    }

    fn turn_margins(
        &self,
        stage: &TakenStage<'_, D, N>,
        rates: &StageRates<D>,
        margins: &mut Vec<BodyMargin>,
    ) {
        let slides = |held: &&ContactHold| {
            matches!(held.hold, Hold::Kinetic(_))
                && held.slip_of == SlipOf::Start
                && stage.laws[held.contact].branch == Branch::Slip
        };
        for held in stage.holds.iter().filter(slides).filter(|_| D > 2) {
            let along = self.slips_along(held.contact);
            let after =
                self.problem.touches[held.contact].relative_velocity(&stage.solution.velocity).dot(&along);
            let row = along_rows::<D>(&rates.relative, held.contact, &along);
            margins.push(BodyMargin { kind: MarginKind::Slip, value: after, row });
        }
    }
}

/// The product of the rows of a contact with a vector of its components.
fn along_rows<const D: usize>(rows: &DMatrix<f64>, index: usize, along: &SVector<f64, D>) -> RowDVector<f64> {
    let mut sum = RowDVector::zeros(rows.ncols());
    for (i, part) in along.iter().enumerate() {
        sum += rows.row(D * index + i) * *part;
    }
    sum
}
