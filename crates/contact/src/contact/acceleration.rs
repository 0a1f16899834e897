//! Anderson's acceleration of a fixed-point iteration.

use nalgebra::{SMatrix, SVector};

/// Iterations after which their end is extrapolated, each of which gives a direction.
const WINDOW: usize = 10;
/// What of the squares of the directions is added to them: iterations that hardly differ are not told apart.
const REGULAR: f64 = 1e-12;
/// By how much the next iteration may move further than the last before the extrapolation, which is taken back else.
const WORSE: f64 = 2.0;

/// Where an iteration `t <- F(t)` would end if it were linear: the average of its last images whose moves `F(t) - t` cancel best
/// (Anderson 1965). A few slow directions, in which plain iterations creep, then take no time.
///
/// An extrapolation from which the iteration moves further than before is taken back.
#[derive(Debug, Clone)]
pub(super) struct Acceleration<const D: usize> {
    /// The image of the last iteration, and the moves and images of those before.
    last: Vec<SVector<f64, D>>,
    moves: Vec<Vec<SVector<f64, D>>>,
    images: Vec<Vec<SVector<f64, D>>>,
    count: usize,
    /// How far the last iteration before an extrapolation moved, and to where.
    safe: Option<f64>,
    refuge: Vec<SVector<f64, D>>,
}

impl<const D: usize> Default for Acceleration<D> {
    fn default() -> Self {
        Self {
            last: Vec::new(),
            moves: vec![Vec::new(); WINDOW],
            images: vec![Vec::new(); WINDOW],
            count: 0,
            safe: None,
            refuge: Vec::new(),
        }
    }
}

impl<const D: usize> Acceleration<D> {
    /// Begins anew from `start`.
    pub fn begin(&mut self, start: &[SVector<f64, D>]) {
        self.last.clear();
        self.last.extend_from_slice(start);
        self.count = 0;
        self.safe = None;
    }

    /// Takes in the image of the point that the iteration went on from. Where it is to go on from elsewhere that is in `image`
    /// afterwards, and the answer is `true`. Points are measured in `weights`.
    pub fn extrapolate(&mut self, image: &mut [SVector<f64, D>], weights: &[f64]) -> bool {
        let Self { last, moves, images, count, safe, refuge } = self;
        let (moved, reached) = (&mut moves[*count], &mut images[*count]);
        moved.clear();
        moved.extend(image.iter().zip(&*last).zip(weights).map(|((to, from), weight)| (to - from) / *weight));
        reached.clear();
        reached.extend_from_slice(image);
        let length = moved.iter().map(SVector::norm_squared).sum::<f64>().sqrt();
        let is_worse = safe.take().is_some_and(|safe| length.is_nan() || length > WORSE * safe);
        *count += 1;
        if is_worse {
            image.copy_from_slice(refuge);
        } else if *count == WINDOW {
            refuge.clear();
            refuge.extend_from_slice(image);
            *safe = Some(length);
            match shares(moves) {
                Some(shares) => average(&shares, images, image),
                None => *safe = None,
            }
        }
        let goes_elsewhere = is_worse || safe.is_some();
        if is_worse || *count == WINDOW {
            *count = 0;
        }
        last.copy_from_slice(image);
        goes_elsewhere
    }
}

/// The shares, with sum 1, of which the moves add up to the least; `None` where rounding decides.
fn shares<const D: usize>(moves: &[Vec<SVector<f64, D>>]) -> Option<SVector<f64, WINDOW>> {
    let dot = |a: usize, b: usize| moves[a].iter().zip(&moves[b]).map(|(a, b)| a.dot(b)).sum::<f64>();
    let mut squares = SMatrix::<f64, WINDOW, WINDOW>::from_fn(|a, b| if a <= b { dot(a, b) } else { 0.0 });
    squares.fill_lower_triangle_with_upper_triangle();
    let scale = squares.diagonal().map(|square| 1.0 / square.sqrt());
    let mut scaled = SMatrix::from_diagonal(&scale) * squares * SMatrix::from_diagonal(&scale);
    for index in 0..WINDOW {
        scaled[(index, index)] += REGULAR;
    }
    let shares = scaled.cholesky()?.solve(&scale).component_mul(&scale);
    let shares = shares / shares.sum();
    shares.iter().all(|share| share.is_finite()).then_some(shares)
}

fn average<const D: usize>(
    shares: &SVector<f64, WINDOW>,
    images: &[Vec<SVector<f64, D>>],
    average: &mut [SVector<f64, D>],
) {
    average.fill(SVector::zeros());
    for (share, image) in shares.iter().zip(images) {
        average.iter_mut().zip(image).for_each(|(average, image)| *average += image * *share);
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector2;

    use super::*;

    /// `t <- A t + b` with `A` of these values on its diagonal.
    fn iterations(slow: &[f64], accelerated: bool) -> u32 {
        let weights = vec![1.0; slow.len()];
        let end = Vector2::new(1.0, -2.0);
        let mut point = vec![Vector2::zeros(); slow.len()];
        let mut acceleration = Acceleration::default();
        acceleration.begin(&point);
        let mut count = 0;
        while point.iter().any(|point| (point - end).amax() > 1e-8) {
            point.iter_mut().zip(slow).for_each(|(point, slow)| *point = end + (*point - end) * *slow);
            if accelerated {
                acceleration.extrapolate(&mut point, &weights);
            }
            count += 1;
            assert!(count < 100_000);
        }
        count
    }

    #[test]
    fn a_few_slow_directions_take_no_time() {
        let slow = [0.999, 0.98, 0.9, 0.1, -0.6];
        let [plain, accelerated] = [false, true].map(|accelerated| iterations(&slow, accelerated));
        assert!(plain > 10_000 && accelerated <= 100, "{plain} {accelerated}");
    }

    #[test]
    fn an_extrapolation_from_which_the_iteration_moves_further_is_taken_back() {
        let mut acceleration = Acceleration::<1>::default();
        let mut point = [SVector::<f64, 1>::new(0.0)];
        acceleration.begin(&point);
        let mut last = point;
        for iteration in 1..=WINDOW {
            point[0][0] = 0.9 * point[0][0] + 0.1;
            last = point;
            assert_eq!(acceleration.extrapolate(&mut point, &[1.0]), iteration == WINDOW);
        }
        assert!((point[0][0] - 1.0).abs() < 1e-6, "the end of the iteration: {point:?}");
        // By less than before, it stays; by more, it goes on from the last image before.
        let mut kept = (acceleration.clone(), point);
        kept.1[0][0] += 1e-6;
        let moved = kept.1;
        assert!(!kept.0.extrapolate(&mut kept.1, &[1.0]) && kept.1 == moved);
        point[0][0] += 100.0;
        assert!(acceleration.extrapolate(&mut point, &[1.0]) && point == last, "{point:?} {last:?}");
    }
}
