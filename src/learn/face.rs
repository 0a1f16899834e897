//! The set of systems that explain the data equally well, and how far each coefficient can move
//! in it.

use nalgebra::{DMatrix, DVector};

use super::{
    input::{LearnError, Progress, report},
    system::{COEFFICIENTS, Coefficients, Equations, ForcedStep, Plane, ROWS},
    tall_program::{Inequality, Separate, TallProgram},
};

/// Forces at most this large (relative to the largest in the data) count as zero.
const ZERO_FORCE: f64 = 1e-12;
/// Complementarity violations `lambda . w` per step, over the squared size of the data, that count
/// as none.
const ZERO_COST: f64 = 1e-9;
/// Largest change of a slack along a plane, relative to its coefficients, that counts as none.
const CONSTANT: f64 = 1e-9;
/// Coefficient from which on a point is taken to lie on a ray; data and fixed entries are of the
/// size one.
const UNLIMITED: f64 = 100.0;
/// Width of an interval, relative to the coefficient, from which on a coefficient counts as free.
pub const FREE_WIDTH: f64 = 1e-4;

/// The constraints `w >= eps` on systems of a plane, for steps with known forces. A slack that is
/// constant on the plane, which is zero there by the plane's own equations, constrains nothing.
pub fn slack_constraints(steps: &[ForcedStep], plane: &Plane, eps: f64) -> (DMatrix<f64>, DVector<f64>) {
    let mut rows = Vec::with_capacity(ROWS * steps.len() * plane.dimension());
    let mut right = Vec::with_capacity(ROWS * steps.len());
    for left in steps.iter().flat_map(|step| (0..ROWS).map(|row| step.slack_row(row))) {
        let (constant, reduced) = plane.reduce(&left);
        if reduced.amax() > CONSTANT * left.amax() {
            rows.extend(reduced.iter());
            right.push(eps - constant);
        }
    }
    (DMatrix::from_row_slice(right.len(), plane.dimension(), &rows), DVector::from_vec(right))
}

/// `sum over all steps of lambda . w`, as a linear function of the coefficients.
pub fn complementarity_cost(steps: &[ForcedStep]) -> Coefficients {
    let parts = steps.iter().flat_map(|step| (0..ROWS).map(|row| step.slack_row(row) * step.lambda[row]));
    parts.fold(Coefficients::zeros(), |sum, part| sum + part)
}

/// The systems that fulfil `fixed` and have `lambda . w = 0` in every step: `w_j = 0` wherever
/// `lambda_j > 0`.
pub fn complementary_systems(steps: &[ForcedStep], fixed: &Equations) -> Plane {
    let largest = steps.iter().map(|step| step.lambda.amax()).fold(0.0, f64::max);
    let mut equations = fixed.clone();
    for step in steps {
        for row in 0..ROWS {
            if step.lambda[row] > ZERO_FORCE * largest {
                equations.push(step.slack_row(row), 0.0);
            }
        }
    }
    equations.solutions()
}

/// What is said of data that no system explains exactly.
pub const NOISY: &str = "no system has the right zeros in every step: the data are noisy, and which coefficients they \
                         determine is not explored";

/// Whether a sum of complementarity violations counts as zero.
pub fn is_complementary(cost: f64, steps: &[ForcedStep]) -> bool {
    let size: f64 = steps.iter().map(|step| step.lambda.norm_squared() + step.features.norm_squared()).sum();
    cost <= ZERO_COST * size
}

/// A system that explains the data, and for every coefficient the interval of its values among all
/// systems that explain them equally well; infinite where nothing limits it.
pub struct Explanation {
    /// A system that explains the data.
    pub system: Coefficients,
    /// Smallest and largest value of every coefficient; `None` where that was not explored.
    pub intervals: Option<Vec<[f64; 2]>>,
}

impl Explanation {
    /// Whether the system lies in the intervals of its coefficients; otherwise they are no such thing.
    pub fn is_consistent(&self) -> bool {
        let slip = |value: f64| FREE_WIDTH * (1.0 + value.abs());
        self.intervals
            .iter()
            .flatten()
            .zip(self.system.iter())
            .all(|([low, high], value)| *low <= value + slip(*value) && *high >= value - slip(*value))
    }

    /// The same in the units of the data.
    pub fn in_units(self, units: &Coefficients) -> Self {
        let scale = |intervals: Vec<[f64; 2]>| {
            intervals.iter().zip(units.iter()).map(|([low, high], unit)| [low * unit, high * unit]).collect()
        };
        Self { system: self.system.component_mul(units), intervals: self.intervals.map(scale) }
    }
}

/// Explores the face of systems with no violation at all.
///
/// The face is a plane (all equations hold) cut by inequalities (the other slacks stay
/// non-negative) and by `separate`, in coefficients. Where the plane is a point, that point is the
/// system, to the rounding of a linear solve. Otherwise each coefficient takes two linear programs,
/// and the system is the one with the smallest sum of magnitudes.
///
/// # Errors
/// [`LearnError::LinearProgram`] if one of them is not solved.
pub fn explore(
    steps: &[ForcedStep],
    fixed: &Equations,
    separate: &dyn Fn(&Coefficients) -> Vec<(Coefficients, f64)>,
    progress: &mut Progress<'_>,
) -> Result<Explanation, LearnError> {
    let plane = complementary_systems(steps, fixed);
    if plane.dimension() == 0 {
        let intervals = plane.origin.iter().map(|value| [*value, *value]).collect();
        return Ok(Explanation { system: plane.origin, intervals: Some(intervals) });
    }
    let (rows, right) = slack_constraints(steps, &plane, 0.0);
    let cuts = reduced_separation(&plane, separate);
    let mut program = TallProgram::new(rows.clone(), right.clone(), &cuts);
    let mut intervals = Vec::with_capacity(COEFFICIENTS);
    for index in 0..COEFFICIENTS {
        report(progress, 0.2 + 0.8 * index as f64 / COEFFICIENTS as f64)?;
        let direction = plane.directions.row(index).transpose();
        if direction.amax() <= CONSTANT {
            intervals.push([plane.origin[index]; 2]);
            continue;
        }
        let what = format!("the interval of coefficient {}", index + 1);
        let low = program.minimise(&direction, &what)?;
        let high = program.minimise(&-&direction, &what)?;
        let value = |t: &DVector<f64>| {
            let value = plane.point(t)[index];
            if value.abs() >= UNLIMITED { value.signum() * f64::INFINITY } else { value }
        };
        intervals.push([value(&low), value(&high)]);
    }
    let (rows, right) = with_magnitudes(&plane, rows, right);
    let mut cost = DVector::zeros(plane.dimension() + COEFFICIENTS);
    cost.rows_mut(plane.dimension(), COEFFICIENTS).fill(1.0);
    let smallest = TallProgram::new(rows, right, &cuts).minimise(&cost, "the smallest system")?;
    let system = plane.point(&smallest.rows(0, plane.dimension()).into_owned());
    Ok(Explanation { system, intervals: Some(intervals) })
}

/// Appends an unknown `s_j` for every coefficient `x_j`, bounded below by its magnitude:
/// `s_j - x_j >= 0` and `s_j + x_j >= 0`.
pub fn with_magnitudes(
    plane: &Plane,
    rows: DMatrix<f64>,
    right: DVector<f64>,
) -> (DMatrix<f64>, DVector<f64>) {
    let (count, unknowns) = rows.shape();
    let mut rows = rows.resize(count + 2 * COEFFICIENTS, unknowns + COEFFICIENTS, 0.0);
    let mut right = right.resize_vertically(count + 2 * COEFFICIENTS, 0.0);
    for (place, sign) in [(count, 1.0), (count + COEFFICIENTS, -1.0)] {
        rows.view_mut((place, 0), (COEFFICIENTS, unknowns)).copy_from(&(&plane.directions * -sign));
        rows.view_mut((place, unknowns), (COEFFICIENTS, COEFFICIENTS)).fill_diagonal(1.0);
        right.rows_mut(place, COEFFICIENTS).copy_from(&(plane.origin * sign));
    }
    (rows, right)
}

/// Cuts in coefficients as cuts in the coordinates of a plane, which may be followed by other unknowns.
pub fn reduced_separation<'a>(
    plane: &'a Plane,
    separate: &'a dyn Fn(&Coefficients) -> Vec<(Coefficients, f64)>,
) -> Box<Separate<'a>> {
    Box::new(move |t| {
        let cuts = separate(&plane.point(&t.rows(0, plane.dimension()).into_owned())).into_iter();
        let reduced = cuts.map(|(left, right)| {
            let (constant, left) = plane.reduce(&left);
            Inequality { left: left.resize_vertically(t.len(), 0.0), right: right - constant }
        });
        reduced.collect()
    })
}

/// Whether an interval is narrow enough for its coefficient to count as determined.
pub fn is_determined(interval: [f64; 2]) -> bool {
    let [low, high] = interval;
    low.is_finite() && high.is_finite() && high - low <= FREE_WIDTH * (1.0 + low.abs().max(high.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_that_leaves_room_determines_nothing() {
        assert!(is_determined([0.3, 0.3]) && is_determined([-2.0, -2.0]) && is_determined([0.0, 0.5e-4]));
        assert!(is_determined([99.0, 99.005]), "relative to the coefficient");
        for open in [
            [0.3, 0.301],
            [0.0, 1.1e-4],
            [-1.0, 1.0],
            [f64::NEG_INFINITY, 0.3],
            [0.3, f64::INFINITY],
            [f64::INFINITY; 2],
            [f64::NAN; 2],
        ] {
            assert!(!is_determined(open), "{open:?}");
        }
    }
}
