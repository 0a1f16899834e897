//! The equations of a stage of a step, linearised about its solution.

use nalgebra::{DMatrix, SVector};

use super::{
    assembly::Assembly,
    directions::Directions,
    geometry::Geometry,
    loads::OpenLoads,
    rates::InputRates,
    solve::{Laws, Terms},
    taken::{Taken, TakenStage},
};
use crate::{
    contact::LinearLaw,
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
        let unhindered = self.unhindered(&stage.laws);
        let Assembly { terms: Terms { base, drift, direct }, choices, gaps } =
            self.assemble(stage, &unhindered);
        let [base, drift, direct, unhindered, choices, gaps] =
            [base, drift, direct, unhindered, choices, gaps].map(|whole| directions.derivative(whole));
        let laws = Laws { contacts: &stage.laws, links: &stage.links };
        StageRates { unhindered, choices, gaps, ..self.solve(laws, Terms { base, drift, direct }) }
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
}
