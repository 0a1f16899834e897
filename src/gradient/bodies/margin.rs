//! What decides the branches of a step.

use nalgebra::{DMatrix, RowDVector, SVector};

use super::{
    directions::Directions,
    geometry::TOUCHING,
    linearisation::{Linearisation, StageRates},
    rates::InputRates,
    taken::TakenStage,
};
use crate::{
    contact::{Branch, Contact, Hold, LinearLaw, friction_cone::tangential_part, slight_velocity},
    stepper::derivative::MarginKind,
    world::{DifferentiableWorld, LinkLawRates, Touch},
};

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

/// A contact of a stage and its change.
struct ContactRates<'a, const D: usize, const N: usize> {
    rates: &'a StageRates<D>,
    inputs: &'a [InputRates<'a, D, N>],
    directions: &'a Directions<'a>,
    index: usize,
    contact: &'a Contact<D, N>,
    touch: &'a Touch<D, N>,
    law: &'a LinearLaw<D>,
    /// The number that friction is.
    friction: f64,
    /// How it is held, if its friction depends on that.
    hold: Option<Hold>,
    /// Relative velocity.
    u: SVector<f64, D>,
    /// Impulse.
    r: SVector<f64, D>,
}

impl<const D: usize> StageRates<D> {
    /// What decides the branches of the stage; of contacts that are open nothing more where they are `compliant`.
    pub fn margins<const N: usize>(
        &self,
        stage: &TakenStage<'_, D, N>,
        inputs: &[InputRates<'_, D, N>],
        compliant: bool,
        directions: &Directions<'_>,
        margins: &mut Vec<BodyMargin>,
    ) {
        for (solve, rates) in stage.earlier.iter().zip(&self.earlier) {
            rates.margins(solve, inputs, compliant, directions, margins);
        }
        for (index, law) in stage.laws.iter().enumerate() {
            // What a blow left to it decides on no more than forces do in a step.
            if stage.is_struck(index) {
                continue;
            }
            let of = self.of_contact(stage, inputs, directions, index);
            margins.extend(of.choice());
            let first_threshold = margins.len();
            margins.extend(of.thresholds());
            let is_open = law.branch == Branch::Open;
            if margins.len() > first_threshold || is_open && compliant {
                continue;
            }
            margins.push(of.contact());
            // Groups decide by their own.
            if is_open || of.friction == 0.0 || stage.problem.contact.groups_of(index).is_some() {
                continue;
            }
            margins.extend(of.corners());
            // What slips but hardly moves has its friction given in full, and is held by what else touches: that says when it slips.
            let hardly_moves = || tangential_part(&of.u).norm() <= slight_velocity(&stage.problem.contact);
            if law.corners[0].is_none() && !(law.branch == Branch::Slip && hardly_moves()) {
                margins.extend(of.slip());
            }
        }
        margins.extend(self.stopped.iter().cloned());
        margins.extend(self.shares.iter().filter_map(|share| share.margin.clone()));
        self.bound_margins(stage, inputs, directions, margins);
    }

    fn of_contact<'a, const N: usize>(
        &'a self,
        stage: &'a TakenStage<'_, D, N>,
        inputs: &'a [InputRates<'_, D, N>],
        directions: &'a Directions<'_>,
        index: usize,
    ) -> ContactRates<'a, D, N> {
        let TakenStage { problem, laws, solution, .. } = stage;
        let contact = &problem.contact.contacts[index];
        ContactRates {
            rates: self,
            inputs,
            directions,
            index,
            contact,
            touch: &problem.touches[index],
            law: &laws[index],
            friction: stage.friction(index),
            hold: stage.hold(index),
            u: problem.contact.relative_velocity(contact, &solution.velocity),
            r: solution.impulses[index],
        }
    }

    /// Whether a contact slips: how fast, or how much more friction would hold it in N s.
    pub fn slip_margin<const N: usize>(
        &self,
        stage: &TakenStage<'_, D, N>,
        inputs: &[InputRates<'_, D, N>],
        directions: &Directions<'_>,
        index: usize,
    ) -> Option<BodyMargin> {
        self.of_contact(stage, inputs, directions, index).slip()
    }

    /// Whether what gives a bounded force in a joint gives all of it.
    fn bound_margins<const N: usize>(
        &self,
        stage: &TakenStage<'_, D, N>,
        inputs: &[InputRates<'_, D, N>],
        directions: &Directions<'_>,
        margins: &mut Vec<BodyMargin>,
    ) {
        let TakenStage { problem, links: laws, solution, .. } = stage;
        let problem = &problem.contact;
        let first = D * problem.contacts.len();
        for (index, (link, law)) in problem.links.iter().zip(laws).enumerate() {
            if !link.is_bounded() {
                continue;
            }
            let impulse = solution.link_impulses[index];
            let (value, mut row, of_bound) = if law.is_at_bound {
                // Its rate, which is against the force as long as it gives all.
                let sign = -impulse.signum();
                let rate = problem.link_rate(link, &solution.velocity) + link.compliance * impulse;
                (rate * sign, self.relative.row(first + index) * sign, -link.compliance)
            } else {
                let sign = impulse.signum();
                (link.bounds[1] - impulse.abs(), self.impulses.row(first + index) * -sign, 1.0)
            };
            for (j, input) in inputs.iter().enumerate() {
                let LinkLawRates { compliance, most, .. } = input.link(index);
                let of_compliance = if law.is_at_bound { -compliance * impulse.abs() } else { 0.0 };
                directions.add_input(&mut row, j, of_bound * most + of_compliance);
            }
            margins.push(BodyMargin { kind: MarginKind::Bound, value, row });
        }
    }
}

impl<const D: usize, const N: usize> ContactRates<'_, D, N> {
    /// Row `i` of the change of its relative velocity, or of its impulse.
    fn row(&self, rates: &DMatrix<f64>, i: usize) -> RowDVector<f64> {
        rates.row(D * self.index + i).into_owned()
    }

    /// Adds to the slope of a quantity that grows by `growth` with the friction here.
    fn add_friction(&self, slope: &mut RowDVector<f64>, growth: f64) {
        for (j, input) in self.inputs.iter().enumerate() {
            self.directions.add_input(slope, j, input.friction(self.touch, self.hold) * growth);
        }
        if let Some(by_slip) = &self.rates.by_slip {
            *slope += by_slip.row(self.index) * growth;
        }
    }

    /// Which compliance the law chooses.
    fn choice(&self) -> Option<BodyMargin> {
        let [near_rigid, chosen] = self.law.choice?;
        let row = self.rates.choices.row(self.index).into_owned();
        Some(BodyMargin { kind: MarginKind::Choice, value: near_rigid - chosen, row })
    }

    /// Where the law itself says what decides.
    fn thresholds(&self) -> impl Iterator<Item = BodyMargin> {
        let kinds = [MarginKind::Contact, MarginKind::Slip];
        self.law.thresholds.iter().zip(kinds).filter_map(|(threshold, kind)| {
            let acts = kind == MarginKind::Contact || self.law.branch != Branch::Open;
            let threshold = threshold.as_ref().filter(|_| acts)?;
            let mut row = self.rates.gaps.row(self.index) * threshold.gap;
            for i in 0..D {
                row += self.rates.relative.row(D * self.index + i) * threshold.velocity[i]
                    + self.rates.impulses.row(D * self.index + i) * threshold.impulse[i];
            }
            self.add_friction(&mut row, threshold.friction);
            let value = threshold.velocity.dot(&self.u)
                + threshold.impulse.dot(&self.r)
                + threshold.gap * self.contact.gap;
            Some(BodyMargin { kind, value, row })
        })
    }

    /// Whether there is a contact: it carries a force, or parts.
    fn contact(&self) -> BodyMargin {
        let (value, row) = match self.law.branch {
            Branch::Open => (self.u[0], self.row(&self.rates.relative, 0)),
            Branch::Slip | Branch::Stick => (self.r[0], self.row(&self.rates.impulses, 0)),
        };
        BodyMargin { kind: MarginKind::Contact, value, row }
    }

    /// Between which directions of a polygon it slips.
    fn corners(&self) -> impl Iterator<Item = BodyMargin> {
        self.law.corners.iter().flatten().map(|corner| {
            let mut row = RowDVector::zeros(self.rates.velocity.ncols());
            for i in 0..D {
                row += self.rates.relative.row(D * self.index + i) * corner.velocity[i]
                    + self.rates.impulses.row(D * self.index + i) * corner.impulse[i]
                    + self.rates.unhindered.row(D * self.index + i) * corner.free[i];
            }
            self.add_friction(&mut row, corner.friction);
            let value = corner.velocity.dot(&self.u) + corner.impulse.dot(&self.r);
            BodyMargin { kind: MarginKind::Slip, value, row }
        })
    }

    /// Whether it slips: how fast in a plane, or how much more friction would hold it.
    fn slip(&self) -> Option<BodyMargin> {
        let (value, row) = match self.law.branch {
            // What is released has gone off from rest.
            Branch::Slip if D == 2 || self.hold == Some(Hold::Static) => {
                self.tangential_size(&self.u, &self.rates.relative)
            }
            // Over a plane slip turns rather than going through zero.
            Branch::Slip | Branch::Open => return None,
            Branch::Stick => {
                let (friction, slope) = self.tangential_size(&self.r, &self.rates.impulses);
                let mut limit = self.rates.impulses.row(D * self.index) * self.friction;
                self.add_friction(&mut limit, self.r[0]);
                (self.friction * self.r[0] - friction, limit - slope)
            }
        };
        Some(BodyMargin { kind: MarginKind::Slip, value, row })
    }

    /// The size of the tangential part of a vector, and its change.
    fn tangential_size(&self, vector: &SVector<f64, D>, rates: &DMatrix<f64>) -> (f64, RowDVector<f64>) {
        let tangent = tangential_part(vector);
        let length = tangent.norm();
        let mut slope = RowDVector::zeros(rates.ncols());
        if length > 0.0 {
            for i in 1..D {
                slope += rates.row(D * self.index + i) * (tangent[i] / length);
            }
        }
        (length, slope)
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
        for touches in near.chunk_by(Touch::is_of_the_same_parts) {
            let first = &touches[0];
            let mut rows = vec![(None, RowDVector::zeros(columns)); touches.len()];
            for moved in first.bodies.into_iter().flatten() {
                taken.world.touch_rates(taken.motion, &problem.margins, first, moved, &mut found);
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
        }
    }

    /// Where contacts act by their depth: whether there is one.
    pub fn gap_margins(&self, directions: &Directions<'_>, margins: &mut Vec<BodyMargin>) {
        for (touch, changes) in self.problem.touches.iter().zip(&self.geometry.touches) {
            let mut row = RowDVector::zeros(self.columns);
            for change in changes {
                row[change.column] += change.gap;
            }
            margins.push(BodyMargin {
                kind: MarginKind::Contact,
                value: touch.gap,
                row: directions.derivative_of_one(row),
            });
        }
    }
}
