use std::f64::consts::TAU;

use crate::{
    model::{PointMass, Vector, tangential},
    scenario::{Push, Scenario},
};

/// Largest part of an acceleration across a line, relative to the acceleration, that still counts
/// as rounding.
const PARALLEL: f64 = 1e-14;

/// Gravity and the pushes over all time, cut at the edges of the pushes' windows.
///
/// Other steppers sample the push at `t_k`; this is the continuous push `U(t)` itself.
#[derive(Debug, Clone)]
pub(super) struct Timeline<const D: usize> {
    segments: Vec<Segment<D>>,
}

/// A stretch of time in which the same pushes act.
#[derive(Debug, Clone)]
pub(super) struct Segment<const D: usize> {
    /// End in s, infinite for the last one.
    pub until: f64,
    /// Gravity and constant pushes, as an acceleration in m/s^2.
    pub constant: Vector<D>,
    /// Sinusoidal pushes.
    pub waves: Vec<Wave<D>>,
    /// Sum of the magnitudes of everything that acts, in m/s^2: what rounding errors scale with.
    pub scale: f64,
    /// The direction along the ground that every tangential acceleration shares, if they do.
    pub line: Option<Vector<D>>,
}

/// The acceleration `amplitude sin(omega t + phase)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wave<const D: usize> {
    /// In m/s^2.
    pub amplitude: Vector<D>,
    /// Angular frequency in rad/s.
    pub omega: f64,
    /// In rad.
    pub phase: f64,
}

impl<const D: usize> Timeline<D> {
    pub fn new(scenario: &Scenario<D>) -> Self {
        let body = scenario.point();
        let mut edges: Vec<f64> =
            scenario.pushes.iter().flat_map(|push| [push.from, push.to]).flatten().collect();
        edges.sort_unstable_by(f64::total_cmp);
        edges.dedup();
        edges.push(f64::INFINITY);
        let mut begin = f64::NEG_INFINITY;
        let mut segments = Vec::with_capacity(edges.len());
        for until in edges {
            let acting = scenario.pushes.iter().filter(|push| acts_from(push, begin));
            segments.push(Segment::new(&body, until, acting));
            begin = until;
        }
        Self { segments }
    }

    /// Index of the segment in which time `t` lies.
    pub fn index_at(&self, t: f64) -> usize {
        self.segments.partition_point(|segment| segment.until <= t).min(self.segments.len() - 1)
    }

    /// The segment with that index; the last one for any index beyond.
    pub fn segment(&self, index: usize) -> &Segment<D> {
        &self.segments[index.min(self.segments.len() - 1)]
    }
}

fn acts_from<const D: usize>(push: &Push<D>, begin: f64) -> bool {
    push.from.is_none_or(|from| from <= begin) && push.to.is_none_or(|to| begin < to)
}

impl<const D: usize> Segment<D> {
    fn new<'a>(body: &PointMass<D>, until: f64, pushes: impl Iterator<Item = &'a Push<D>>) -> Self {
        let mut segment =
            Self { until, constant: body.gravity, waves: Vec::new(), scale: body.gravity.norm(), line: None };
        for push in pushes {
            let acceleration = push.force / body.mass;
            segment.scale += acceleration.norm();
            match push.frequency.filter(|frequency| *frequency != 0.0) {
                Some(frequency) => segment.waves.push(Wave {
                    amplitude: acceleration,
                    omega: TAU * frequency,
                    phase: push.phase,
                }),
                None => segment.constant += acceleration * push.factor(0.0),
            }
        }
        segment.line = segment.find_line();
        segment
    }

    /// Whether a point that slides along the unit vector `direction` is pushed to the side.
    pub fn turns(&self, direction: &Vector<D>) -> bool {
        D > 2
            && self.terms().any(|term| {
                let along = tangential(&term);
                (along - direction * direction.dot(&along)).norm() > PARALLEL * self.scale
            })
    }

    fn find_line(&self) -> Option<Vector<D>> {
        let longest = self
            .terms()
            .map(|term| tangential(&term))
            .max_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()))?;
        let length = longest.norm();
        let line = if length > 0.0 { longest / length } else { unit(0) };
        (!self.turns(&line)).then_some(line)
    }

    fn terms(&self) -> impl Iterator<Item = Vector<D>> {
        std::iter::once(self.constant).chain(self.waves.iter().map(|wave| wave.amplitude))
    }
}

/// The unit vector of an axis.
pub(super) fn unit<const D: usize>(axis: usize) -> Vector<D> {
    Vector::from_fn(|row, _| if row == axis { 1.0 } else { 0.0 })
}
