//! What the equations of a stage of a step are made of to first order, and what their derivative is.

use nalgebra::{DMatrix, SVector};

use super::{
    geometry::Geometry, held_impact::ShareChange, loads::OpenLoads, margin::BodyMargin, on_way::Ways,
    rates::InputRates, taken::Taken,
};
use crate::{
    contact::{GroupedLaw, LinearLaw, LinkLaw},
    world::{DifferentiableWorld, StepProblem},
};

/// Adds to the block of a body in a column.
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
        ways: &Ways<'_, D, N>,
    ) -> Option<Self> {
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
        let geometry = Geometry::new(taken, posed, inputs, ways)?;
        for ([moved, body], rates) in &geometry.loads {
            let of_pose = problem.inverse_mass[*body] * rates * dt;
            for k in 0..N {
                add(&mut free, *body, moved * N + k, &of_pose.column(k).into_owned());
            }
        }
        Some(Self { taken, problem: posed, geometry, inputs, n, columns, free })
    }

    /// The changes of the velocities at the start of the step along every direction.
    pub fn velocities_at_start(&self) -> DMatrix<f64> {
        DMatrix::from_fn(self.n, self.columns, |i, j| f64::from(j == self.n + i))
    }
}

/// The laws that the equations of a stage ask for.
#[derive(Clone, Copy)]
pub(super) struct Laws<'a, const D: usize> {
    pub contacts: &'a [LinearLaw<D>],
    pub links: &'a [LinkLaw],
    /// Of the contacts with friction in groups, in their order.
    pub grouped: &'a [GroupedLaw],
}

/// What the equations of a stage change by where the impulses do not, a column per direction.
pub(super) struct Terms {
    /// `dv` without the change of the impulses.
    pub base: DMatrix<f64>,
    /// The change of `J v + c n` at the velocities of the solution.
    pub drift: DMatrix<f64>,
    /// The change of the laws at the velocities and impulses of the solution.
    pub direct: DMatrix<f64>,
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
    /// Of the angles from the first tangent to the axis across which friction differs, a row per entry of groups.
    pub axes: DMatrix<f64>,
    /// Of the biases that blows leave contacts with, and of rebounds by the share of them that is kept.
    pub biases: DMatrix<f64>,
    /// Of the coefficients of friction by the slips that they go by, a row per contact; `None` where none goes by any.
    pub by_slip: Option<DMatrix<f64>>,
    /// Those of the solves before this one.
    pub earlier: Vec<Self>,
    /// Contacts that blows leave with no velocity at all: whether they part then or strike again.
    pub stopped: Vec<BodyMargin>,
    /// What rebounds are reduced by so that impacts make no energy.
    pub shares: Vec<ShareChange>,
    /// Where the contacts carry more than they need, and the velocities depend on how they share it.
    pub open: Option<OpenLoads>,
}
