//! Where the profile likelihood of one parameter crosses a level.

use std::f64::consts::PI;

use super::{Bound, Landscape, search::Interrupted};

/// Most evaluations for one end.
const MOST_EVALUATIONS: usize = 60;
/// Relative distance from the level at which an end is found: 0.02 standard deviations.
const ACCURACY: f64 = 0.01;
/// Width of the bracket, over the distance from the minimum, at which an end is found: where `D` jumps.
const NARROW: f64 = 1e-3;

/// One end of the values that the data admit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    /// `D` crosses the level here.
    Crossed(f64),
    /// The parameter may have no value beyond this one, which the data admit.
    Bound(f64),
    /// The data admit all values in this direction.
    Open,
}

impl End {
    /// The value, infinite if open.
    pub fn value(self) -> f64 {
        match self {
            Self::Crossed(value) | Self::Bound(value) => value,
            Self::Open => f64::INFINITY,
        }
    }
}

/// The values that the data admit: an end to either side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: End,
    /// The upper end.
    pub high: End,
}

impl Interval {
    /// Whether a value is inside.
    pub fn holds(&self, value: f64) -> bool {
        self.low.value() <= value && value <= self.high.value()
    }

    /// The ends as numbers.
    pub fn values(&self) -> [f64; 2] {
        [self.low.value(), self.high.value()]
    }
}

/// What tracing a profile may come upon.
pub(super) enum Stop<P> {
    Interrupted,
    /// Parameters that fit better than the minimum: the search has to begin again from there.
    Better(Box<P>),
}

impl<P> From<Interrupted> for Stop<P> {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

/// The square root of the 95 % quantile of F with one and `freedom` degrees of freedom: Student's t, for
/// residuals whose variance is estimated from as many; 1.96 for infinitely many. In closed form for one and two
/// degrees, and beyond by the expansion of Cornish and Fisher (Abramowitz and Stegun 1964, 26.7.5): 3.179 rather
/// than 3.182 for three, exact to 0.001 from four on. What is no whole number below three counts as the one below.
pub fn quantile(freedom: f64) -> f64 {
    if freedom < 2.0 {
        return (0.475 * PI).tan();
    }
    if freedom < 3.0 {
        return 0.95 * (2.0 / (0.975 * 0.025 * 4.0_f64)).sqrt();
    }
    let z: f64 = 1.959_963_984_540_054;
    let [z3, z5, z7, z9] = [3, 5, 7, 9].map(|power| z.powi(power));
    let first = (z3 + z) / 4.0;
    let second = (5.0 * z5 + 16.0 * z3 + 3.0 * z) / 96.0;
    let third = (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / 384.0;
    let fourth = (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / 92_160.0;
    let terms = [first, second, third, fourth].into_iter().zip(1..);
    z + terms.map(|(term, power)| term / freedom.powi(power)).sum::<f64>()
}

/// The two directions from a minimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Low,
    High,
}

/// The profiles of a landscape.
pub(super) trait Profiles: Landscape {
    /// The minimum over all other parameters, with the one at `index` held at `value`; from the
    /// unknowns of a minimum `near` it.
    fn profile(
        &mut self,
        best: &Self::Place,
        near: &Self::Place,
        index: usize,
        value: f64,
    ) -> Result<Self::Place, Stop<Self::Place>> {
        let mut start = Self::parameters(near).to_vec();
        start[index] = value;
        let found = self.minimise(&start, Some(index), Some(near))?;
        if Self::is_better(best, &found) {
            return Err(Stop::Better(Box::new(found)));
        }
        Ok(found)
    }

    /// The values of a parameter at which `D` is above its minimum by no more than `rise`.
    fn interval(
        &mut self,
        best: &Self::Place,
        index: usize,
        rise: f64,
    ) -> Result<Interval, Stop<Self::Place>> {
        Ok(Interval {
            low: self.end(best, index, Side::Low, rise)?,
            high: self.end(best, index, Side::High, rise)?,
        })
    }

    fn end(
        &mut self,
        best: &Self::Place,
        index: usize,
        side: Side,
        rise: f64,
    ) -> Result<End, Stop<Self::Place>> {
        let bound = self.bounds()[index];
        let (limit, sign) = match side {
            Side::Low => (bound.lower, -1.0),
            Side::High => (bound.far, 1.0),
        };
        let at_limit =
            || if side == Side::High && bound.upper.is_infinite() { End::Open } else { End::Bound(limit) };
        let center = Self::parameters(best)[index];
        if (limit - center) * sign <= 0.0 {
            return Ok(at_limit());
        }
        let wanted = rise.sqrt();
        let mut reach = first_reach(self.deviation(best, index), wanted, bound);
        // Outwards until the level is passed. `inside` is the farthest point below it.
        let mut inside = (0.0, 0.0, best.clone());
        let mut outside = loop {
            let reached_limit = reach >= (limit - center) * sign;
            let value = if reached_limit { limit } else { center + sign * reach };
            let found = self.profile(best, &inside.2, index, value)?;
            let level = self.rise(best, &found, Some(index))?.max(0.0).sqrt();
            if level >= wanted {
                break ((value - center).abs(), level, found);
            }
            if reached_limit {
                return Ok(at_limit());
            }
            inside = (reach, level, found);
            // `root` is nearly linear: aim a little beyond.
            reach *= if level > 0.2 * wanted { 1.15 * wanted / level } else { 4.0 };
        };
        // Illinois: regula falsi that halves the weight of an end that stays.
        let (mut low, mut high) = (inside.1 - wanted, outside.1 - wanted);
        for _ in 0..MOST_EVALUATIONS {
            if (outside.1 - wanted).abs() <= ACCURACY * wanted {
                return Ok(End::Crossed(center + sign * outside.0));
            }
            if inside.0 > 0.0 && (inside.1 - wanted).abs() <= ACCURACY * wanted {
                return Ok(End::Crossed(center + sign * inside.0));
            }
            if outside.0 - inside.0 <= NARROW * outside.0 {
                break;
            }
            let share = (low / (low - high)).clamp(0.02, 0.98);
            let reach = inside.0 + share * (outside.0 - inside.0);
            let near = if share < 0.5 { &inside.2 } else { &outside.2 };
            let found = self.profile(best, near, index, center + sign * reach)?;
            let level = self.rise(best, &found, Some(index))?.max(0.0).sqrt();
            if level < wanted {
                inside = (reach, level, found);
                (low, high) = (level - wanted, 0.5 * high);
            } else {
                outside = (reach, level, found);
                (low, high) = (0.5 * low, level - wanted);
            }
        }
        Ok(End::Crossed(center + sign * outside.0))
    }
}

impl<L: Landscape> Profiles for L {}

/// How far from the minimum the level is expected.
fn first_reach(deviation: Option<f64>, wanted: f64, bound: Bound) -> f64 {
    let expected = deviation.map(|deviation| wanted * deviation);
    expected.filter(|reach| reach.is_finite() && *reach > 0.0).unwrap_or(bound.scale)
}
