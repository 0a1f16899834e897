use std::f64::consts::TAU;

use super::forcing::Forcing;
use crate::model::{Number, PointMass, Vector, magnitude, tangential};

/// Largest part of an acceleration across a line, relative to the acceleration, that still counts
/// as rounding.
const PARALLEL: f64 = 1e-14;

/// Gravity and the pushes over all time, cut at the edges of the pushes' windows.
///
/// Other steppers sample the push at `t_k`; this is the continuous push `U(t)` itself.
#[derive(Debug, Clone)]
pub(super) struct Timeline<const D: usize, N> {
    segments: Vec<Segment<D, N>>,
}

/// A stretch of time in which the same pushes act.
#[derive(Debug, Clone)]
pub(super) struct Segment<const D: usize, N> {
    /// End in s, infinite for the last one.
    pub until: N,
    /// Gravity and constant pushes, as an acceleration in m/s^2.
    pub constant: Vector<D, N>,
    /// Sinusoidal pushes.
    pub waves: Vec<Wave<D, N>>,
    /// Sum of the magnitudes of everything that acts, in m/s^2: what rounding errors scale with.
    pub scale: f64,
    /// The direction along the ground that every tangential acceleration shares, if they do.
    pub line: Option<Vector<D, N>>,
}

/// The acceleration `amplitude sin(omega t + phase)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wave<const D: usize, N> {
    /// In m/s^2.
    pub amplitude: Vector<D, N>,
    /// Angular frequency in rad/s.
    pub omega: N,
    /// In rad.
    pub phase: N,
}

impl<const D: usize, N: Number> Timeline<D, N> {
    /// The acceleration of `body` under gravity and `pushes`.
    pub fn new(body: &PointMass<D, N>, pushes: &[Forcing<D, N>]) -> Self {
        let mut edges: Vec<N> = pushes.iter().flat_map(|push| [push.from, push.to]).flatten().collect();
        edges.sort_by(|a, b| a.re().total_cmp(&b.re()));
        edges.dedup_by(|a, b| a.re() == b.re());
        edges.push(N::constant(f64::INFINITY));
        let mut begin = f64::NEG_INFINITY;
        let mut segments = Vec::with_capacity(edges.len());
        for until in edges {
            let acting = pushes.iter().filter(|push| push.acts_from(begin));
            segments.push(Segment::new(body, until, acting));
            begin = until.re();
        }
        Self { segments }
    }

    /// The same with another acceleration on top, in m/s^2.
    pub fn with_constant(&self, acceleration: Vector<D, N>) -> Self {
        let add = |segment: &Segment<D, N>| {
            let mut segment = segment.clone();
            segment.constant += acceleration;
            segment.scale += magnitude(&acceleration).re();
            segment.line = segment.find_line();
            segment
        };
        Self { segments: self.segments.iter().map(add).collect() }
    }

    /// The same in other axes; `turned` gives a vector in them.
    pub fn map(&self, turned: impl Fn(&Vector<D, N>) -> Vector<D, N>) -> Self {
        let turn = |segment: &Segment<D, N>| {
            let mut segment = segment.clone();
            segment.constant = turned(&segment.constant);
            segment.waves.iter_mut().for_each(|wave| wave.amplitude = turned(&wave.amplitude));
            segment.line = segment.find_line();
            segment
        };
        Self { segments: self.segments.iter().map(turn).collect() }
    }

    /// Index of the segment in which time `t` lies.
    pub fn index_at(&self, t: f64) -> usize {
        self.segments.partition_point(|segment| segment.until.re() <= t).min(self.segments.len() - 1)
    }

    /// The segment with that index; the last one for any index beyond.
    pub fn segment(&self, index: usize) -> &Segment<D, N> {
        &self.segments[index.min(self.segments.len() - 1)]
    }
}

impl<const D: usize, N: Number> Segment<D, N> {
    fn new<'a>(body: &PointMass<D, N>, until: N, pushes: impl Iterator<Item = &'a Forcing<D, N>>) -> Self {
        let scale = body.gravity_norm().re();
        let mut segment = Self { until, constant: body.gravity, waves: Vec::new(), scale, line: None };
        for push in pushes {
            let acceleration = push.force / body.mass;
            segment.scale += magnitude(&acceleration).re();
            match push.frequency.filter(|frequency| frequency.re() != 0.0) {
                Some(frequency) => segment.waves.push(Wave {
                    amplitude: acceleration,
                    omega: frequency * TAU,
                    phase: push.phase,
                }),
                None => segment.constant += acceleration * push.factor(N::zero()),
            }
        }
        segment.line = segment.find_line();
        segment
    }

    /// Whether a point that slides along the unit vector `direction` is pushed to the side.
    pub fn turns(&self, direction: &Vector<D, N>) -> bool {
        D > 2
            && self.terms().any(|term| {
                let along = tangential(&term);
                magnitude(&(along - direction * direction.dot(&along))).re() > PARALLEL * self.scale
            })
    }

    fn find_line(&self) -> Option<Vector<D, N>> {
        let longest = self
            .terms()
            .map(|term| tangential(&term))
            .max_by(|a, b| a.dot(a).re().total_cmp(&b.dot(b).re()))?;
        let length = magnitude(&longest);
        let line = if length.re() > 0.0 { longest / length } else { unit(0) };
        (!self.turns(&line)).then_some(line)
    }

    fn terms(&self) -> impl Iterator<Item = Vector<D, N>> {
        std::iter::once(self.constant).chain(self.waves.iter().map(|wave| wave.amplitude))
    }
}

/// The unit vector of an axis.
pub(super) fn unit<const D: usize, N: Number>(axis: usize) -> Vector<D, N> {
    Vector::from_fn(|row, _| if row == axis { N::one() } else { N::zero() })
}
