//! How the rebounds of an impact change that are reduced so that it makes no energy.
//!
//! The work of the impulses is `w = 1/2 sum r . (u_k + u+)`, with the relative velocities `u_k` before and `u+` after the impact. Where the
//! share `theta` of its rebounds is that with which it does none, it goes on doing none: with `dw` the change at the share as it is,
//! `dtheta = -dw / (dw/dtheta)`.

use nalgebra::{DMatrix, RowDVector, SVector};

use super::{
    directions::Directions,
    linearisation::{Laws, Linearisation, StageRates, Terms},
    margin::BodyMargin,
    taken::TakenStage,
};
use crate::{
    stepper::derivative::MarginKind,
    world::{DifferentiableWorld, HeldImpact, Kept},
};

/// Part of impulses times velocities that counts as no work.
const NO_WORK: f64 = 1e-9;

/// A contact of an impact that does work.
pub(super) struct Working<const D: usize> {
    pub contact: usize,
    /// The bias of its whole rebound in m/s, 0 where it has none.
    pub rebound: f64,
    /// Its impulse in N s.
    pub impulse: SVector<f64, D>,
    /// `u_k + u+` in m/s.
    pub velocities: SVector<f64, D>,
    /// The change of these but for that of the velocities of the bodies after the impact.
    pub change: DMatrix<f64>,
}

/// What the share of the rebounds of an impact is to its derivative.
#[derive(Debug, Clone)]
pub(super) struct ShareChange {
    /// What decides whether rebounds are reduced; `None` where no work is done either way.
    pub margin: Option<BodyMargin>,
    /// Whether the share has no derivative.
    pub is_lost: bool,
}

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// Has the rebounds of the impacts of a stage change so that these go on making no energy.
    pub fn keep_from_work(
        &self,
        stage: &TakenStage<'_, D, N>,
        directions: &Directions<'_>,
        rates: &mut StageRates<D>,
    ) -> Vec<ShareChange> {
        if stage.held.is_empty() {
            return Vec::new();
        }
        if !stage.grouped.is_empty() {
            // What resists turning does work as well, which is not among theirs.
            let change = |held: &HeldImpact| ShareChange { margin: None, is_lost: held.kept.is_reduced() };
            return stage.held.iter().map(change).collect();
        }
        let before = &self.taken.motion.velocities;
        let start = self.velocities_at_start();
        let none = DMatrix::<f64>::zeros(self.n, self.columns);
        let after = &stage.solution.velocity;
        let of_contact = |contact: usize, share: f64| {
            let touch = &self.problem.touches[contact];
            let bias = self.problem.contact.contacts[contact].bias;
            let change = self.change_of_relative(contact, before, &start)
                + self.change_of_relative(contact, after, &none);
            Working {
                contact,
                rebound: if self.problem.is_hit(contact) { bias / share } else { 0.0 },
                impulse: stage.solution.impulses[contact],
                velocities: touch.relative_velocity(before) + touch.relative_velocity(after),
                change: directions.derivative(change),
            }
        };
        let laws = Laws { contacts: &stage.laws, links: &stage.links, grouped: &stage.grouped };
        let mut changes = Vec::new();
        for held in stage.held {
            let working: Vec<_> =
                held.contacts.iter().map(|contact| of_contact(*contact, held.kept.share)).collect();
            changes.push(self.keep_share(laws, &working, held.kept, rates));
        }
        changes
    }

    /// Has the share of the rebounds of these contacts change so that they go on making no energy, and all `rates` with it.
    pub fn keep_share(
        &self,
        laws: Laws<'_, D>,
        working: &[Working<D>],
        kept: Kept,
        rates: &mut StageRates<D>,
    ) -> ShareChange {
        let unit: f64 = working.iter().map(|own| own.impulse.norm() * own.velocities.norm()).sum();
        let mut change = self.work_rate(working, rates);
        for own in working {
            change += own.impulse.transpose() * &own.change * 0.5;
        }
        if !kept.is_reduced() {
            let work: f64 = working.iter().map(|own| 0.5 * own.impulse.dot(&own.velocities)).sum();
            let margin = BodyMargin { kind: MarginKind::Energy, value: -work, row: -change };
            let margin = (work.abs() > NO_WORK * unit).then_some(margin);
            return ShareChange { margin, is_lost: false };
        }
        let problem = &self.problem.contact;
        let rows = self.rows();
        let mut drift = DMatrix::<f64>::zeros(rows, 1);
        for own in working {
            drift[(D * own.contact, 0)] = own.rebound;
        }
        let base = DMatrix::zeros(self.n, 1);
        let by_share = self.solve(laws, Terms { base, drift, direct: DMatrix::zeros(rows, 1) });
        let slope = self.work_rate(working, &by_share)[0];
        if slope.is_nan() || slope <= NO_WORK * unit {
            return ShareChange { margin: None, is_lost: true };
        }
        let share = change / -slope;
        rates.velocity += &by_share.velocity * &share;
        rates.impulses += &by_share.impulses * &share;
        rates.relative += &by_share.relative * &share;
        if rates.biases.nrows() == problem.contacts.len() {
            for own in working {
                let mut of_contact = rates.biases.row_mut(own.contact);
                of_contact += &share * own.rebound;
            }
        }
        let margin = BodyMargin { kind: MarginKind::Energy, value: 1.0 - kept.share, row: -share };
        ShareChange { margin: Some(margin), is_lost: false }
    }

    /// The change of the work with impulses and velocities after the impact.
    fn work_rate(&self, working: &[Working<D>], rates: &StageRates<D>) -> RowDVector<f64> {
        let mut change = RowDVector::zeros(rates.velocity.ncols());
        for own in working {
            let relative = self.rows_times(own.contact, &rates.velocity);
            change += own.velocities.transpose() * rates.impulses.fixed_rows::<D>(D * own.contact) * 0.5;
            change += own.impulse.transpose() * relative * 0.5;
        }
        change
    }
}
