//! The profile likelihood as a function of the parameters, and its minimum.

use std::ops::ControlFlow;

use nalgebra::{DMatrix, DVector};

use super::{
    Bound, Landscape,
    block::{Normal, damp, next_damping, settle},
    damped_step::damped_step,
};

/// Most evaluations of one search.
const MOST_EVALUATIONS: usize = 80;
/// Decrease, in units of the variance, that counts as none.
const NEGLIGIBLE: f64 = 1e-7;
/// How much lower than the minimum, in units of the variance, another value has to be to replace it.
const LOWER: f64 = 1e-3;
/// Rise of `D`, five standard deviations, that rules a value out beyond doubt. A verdict must hold in
/// many thousands of data sets, an interval only in 95 of 100.
const RULED_OUT: f64 = 25.0;
/// Blocks between two questions whether to go on.
const STRIDE: usize = 64;

/// Least squares with parameters common to all blocks of data, and unknowns of each block's own.
pub trait Problem {
    /// The values that each parameter may have.
    fn bounds(&self) -> &[Bound];

    /// Number of blocks.
    fn blocks(&self) -> usize;

    /// Unknowns of a block, to start from.
    fn start(&self, block: usize) -> Vec<f64>;

    /// Other starts for the unknowns of a block, which are tried in every evaluation: for blocks whose sum of
    /// squares has several minima that are nearly as good as each other.
    fn others(&self, _block: usize) -> &[Vec<f64>] {
        &[]
    }

    /// Adds the residuals of a block, in units of their standard deviation.
    fn evaluate(&self, block: usize, parameters: &[f64], unknowns: &[f64], normal: &mut Normal);
}

/// Somebody asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// The sum of squares with the unknowns of all blocks at their best, as a function of the parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Reduced {
    /// Sum of squares `D`.
    pub squares: f64,
    /// Half its gradient by the parameters.
    pub gradient: DVector<f64>,
    /// Half its curvature: the Schur complement of that of the unknowns.
    pub curvature: DMatrix<f64>,
}

/// A point in the space of the parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimum {
    /// The parameters.
    pub parameters: Vec<f64>,
    /// The unknowns of every block.
    pub unknowns: Vec<Vec<f64>>,
    /// `D` there.
    pub reduced: Reduced,
    /// Whether it is a minimum; otherwise the evaluations ran out.
    pub converged: bool,
}

impl Minimum {
    /// `D`.
    pub fn squares(&self) -> f64 {
        self.reduced.squares
    }
}

/// Searches, which `watch` is asked about before every evaluation.
pub struct Search<'a, P> {
    problem: &'a P,
    watch: &'a mut dyn FnMut() -> ControlFlow<()>,
}

impl<'a, P: Problem> Search<'a, P> {
    /// Searches in `problem`.
    pub fn new(problem: &'a P, watch: &'a mut dyn FnMut() -> ControlFlow<()>) -> Self {
        Self { problem, watch }
    }

    /// `D` at `parameters`; the `unknowns` are moved to their best.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn evaluate(
        &mut self,
        parameters: &[f64],
        unknowns: &mut [Vec<f64>],
    ) -> Result<Reduced, Interrupted> {
        let count = parameters.len();
        let mut reduced = Reduced {
            squares: 0.0,
            gradient: DVector::zeros(count),
            curvature: DMatrix::zeros(count, count),
        };
        for (block, own) in unknowns.iter_mut().enumerate() {
            if block.is_multiple_of(STRIDE) && (self.watch)().is_break() {
                return Err(Interrupted);
            }
            let evaluate =
                |own: &[f64], normal: &mut Normal| self.problem.evaluate(block, parameters, own, normal);
            let mut normal = settle(count, own, &evaluate);
            for other in self.problem.others(block) {
                let mut unknowns = other.clone();
                let of_other = settle(count, &mut unknowns, &evaluate);
                if of_other.squares < normal.squares {
                    normal = of_other;
                    *own = unknowns;
                }
            }
            reduced.add(&normal, count);
        }
        Ok(reduced)
    }
}

impl<P: Problem> Landscape for Search<'_, P> {
    type Place = Minimum;

    fn bounds(&self) -> &[Bound] {
        self.problem.bounds()
    }

    /// By the Levenberg-Marquardt method within the bounds; the unknowns start from those of the place near
    /// by, or else from those of the problem.
    fn minimise(
        &mut self,
        start: &[f64],
        held: Option<usize>,
        near: Option<&Minimum>,
    ) -> Result<Minimum, Interrupted> {
        let bounds = self.problem.bounds();
        let fresh = || (0..self.problem.blocks()).map(|block| self.problem.start(block)).collect::<Vec<_>>();
        let mut unknowns = near.map_or_else(fresh, |near| near.unknowns.clone());
        let parameters: Vec<f64> =
            start.iter().zip(bounds).map(|(value, bound)| bound.clamp(*value)).collect();
        let reduced = self.evaluate(&parameters, &mut unknowns)?;
        let mut best = Minimum { parameters, unknowns, reduced, converged: false };
        let (mut damping, mut growth) = (0.0, 2.0);
        for _ in 0..MOST_EVALUATIONS {
            let Some(step) = damped_step(
                &best.parameters,
                &best.reduced.gradient,
                &best.reduced.curvature,
                (bounds, held, damping),
            ) else {
                best.converged = true;
                break;
            };
            let candidate: Vec<f64> = (best.parameters.iter().zip(step.iter()).zip(bounds))
                .map(|((value, step), bound)| bound.clamp(value + step))
                .collect();
            let expected = expected_decrease(&best, &candidate);
            if candidate == best.parameters || (damping == 0.0 && expected <= NEGLIGIBLE) {
                best.converged = true;
                break;
            }
            let mut unknowns = best.unknowns.clone();
            let reduced = self.evaluate(&candidate, &mut unknowns)?;
            let gain = best.squares() - reduced.squares;
            if reduced.squares.is_finite() && gain > 0.0 {
                best = Minimum { parameters: candidate, unknowns, reduced, converged: false };
                damping = if damping <= 1e-6 { 0.0 } else { 0.1 * damping };
                growth = 2.0;
            } else {
                damping = next_damping(damping, &mut growth);
                // At a kink no step gets any further: it is a minimum all the same.
                if damping > 1e14 || expected <= NEGLIGIBLE {
                    best.converged = true;
                    break;
                }
            }
        }
        Ok(best)
    }

    fn parameters(place: &Minimum) -> &[f64] {
        &place.parameters
    }

    fn value(place: &Minimum) -> f64 {
        place.squares()
    }

    fn converged(place: &Minimum) -> bool {
        place.converged
    }

    fn rise(&mut self, best: &Minimum, place: &Minimum, _held: Option<usize>) -> Result<f64, Interrupted> {
        Ok(place.squares() - best.squares())
    }

    fn is_better(best: &Minimum, place: &Minimum) -> bool {
        place.squares() < best.squares() - LOWER
    }

    fn deviation(&self, best: &Minimum, index: usize) -> Option<f64> {
        best.reduced.standard_deviation(index)
    }

    fn beyond_doubt(&self, rise: f64) -> f64 {
        RULED_OUT.max(rise)
    }
}

impl Reduced {
    /// Adds a block whose own unknowns are at their best.
    fn add(&mut self, normal: &Normal, count: usize) {
        let own = normal.gradient.len() - count;
        self.squares += normal.squares;
        self.gradient += normal.gradient.rows(0, count);
        self.curvature += normal.curvature.view((0, 0), (count, count));
        if own == 0 {
            return;
        }
        let coupling = normal.curvature.view((count, 0), (own, count));
        let mut matrix = normal.curvature.view((count, count), (own, own)).into_owned();
        damp(&mut matrix, 0.0);
        if let Some(factor) = matrix.cholesky() {
            let follow = factor.solve(&coupling);
            self.curvature -= coupling.tr_mul(&follow);
            self.gradient -= follow.tr_mul(&normal.gradient.rows(count, own));
        }
    }

    /// Standard deviation of a parameter if the others are at their best, from the curvature; `None`
    /// where the data do not notice it.
    pub fn standard_deviation(&self, index: usize) -> Option<f64> {
        let count = self.gradient.len();
        let seen: Vec<usize> = (0..count).filter(|&other| self.curvature[(other, other)] > 0.0).collect();
        let place = seen.iter().position(|&other| other == index)?;
        let part =
            DMatrix::from_fn(seen.len(), seen.len(), |row, column| self.curvature[(seen[row], seen[column])]);
        let inverse = part.cholesky()?.inverse();
        let variance = inverse[(place, place)];
        (variance.is_finite() && variance > 0.0).then(|| variance.sqrt())
    }
}

/// Decrease of the quadratic model from the best point to a candidate.
fn expected_decrease(best: &Minimum, candidate: &[f64]) -> f64 {
    let step = DVector::from_iterator(
        candidate.len(),
        candidate.iter().zip(&best.parameters).map(|(to, from)| to - from),
    );
    let reduced = &best.reduced;
    -2.0 * reduced.gradient.dot(&step) - step.dot(&(&reduced.curvature * &step))
}

/// The best unknowns of one block that are reached from `start`, and the sum of squares with them.
pub fn settled<P: Problem>(problem: &P, block: usize, parameters: &[f64], start: &[f64]) -> (Vec<f64>, f64) {
    let mut unknowns = start.to_vec();
    let evaluate = |own: &[f64], normal: &mut Normal| problem.evaluate(block, parameters, own, normal);
    let squares = settle(parameters.len(), &mut unknowns, &evaluate).squares;
    (unknowns, squares)
}
