//! Bodies that are each followed alone: whether and when two of them meet, or one meets a wall.
//!
//! Between two looks a gap shrinks by no more than the sum of the bodies' top speeds times the time. The next
//! look is when that could have closed it, so that no meeting lies between two looks.

use super::{body_motion::BodyMotion, shapes::Shapes};
use crate::{
    contact::FailureKind,
    stepper::StepFailure,
    world::{Partner, Plane},
};

/// A gap below this part of the sizes and places that it is the difference of counts as none.
const NONE: f64 = 1e-11;

/// Looks at a pair within one step, after which it is given up.
const MOST_LOOKS: usize = 1_000_000;

/// Pairs that must not meet.
#[derive(Debug)]
pub(super) struct Meetings<const D: usize> {
    shapes: Box<dyn Shapes<D>>,
    pairs: Vec<Pair<D>>,
    /// What files call the bodies, and the walls.
    names: [Vec<String>; 2],
}

/// Two that must not meet.
#[derive(Debug, Clone)]
pub(super) struct Pair<const D: usize> {
    pub first: usize,
    pub second: Partner,
    pub kind: PairKind<D>,
}

/// What the gap of a pair is.
#[derive(Debug, Clone, Copy)]
pub(super) enum PairKind<const D: usize> {
    /// That between their shapes.
    Shapes,
    /// How much further apart than this two points are, in m.
    Distance(f64),
    /// That to this plane.
    Plane(Plane<D>),
}

type Bodies<'a, const D: usize> = &'a [Box<dyn BodyMotion<D>>];

impl<const D: usize> Meetings<D> {
    /// `pairs` of bodies and walls with these `names`.
    pub fn new(shapes: Box<dyn Shapes<D>>, pairs: Vec<Pair<D>>, names: [Vec<String>; 2]) -> Self {
        Self { shapes, pairs, names }
    }

    /// The names of a pair that touches as it is.
    pub fn touching(&self, bodies: Bodies<'_, D>) -> Option<[&str; 2]> {
        let pair = self.pairs.iter().find(|pair| self.gap(pair, self.of(pair, bodies)).is_none())?;
        Some(self.names_of(pair))
    }

    fn names_of(&self, pair: &Pair<D>) -> [&str; 2] {
        let [bodies, walls] = &self.names;
        let second = match pair.second {
            Partner::Body(second) => &bodies[second],
            Partner::Wall(wall) => &walls[wall],
            Partner::Ground | Partner::Stop { .. } => "ground",
        };
        [&bodies[pair.first], second]
    }

    /// The pairs that could meet in the `dt` s from the time `start`, with copies of their bodies as they are then.
    pub fn near(&self, bodies: Bodies<'_, D>, start: f64, dt: f64) -> Vec<Watched<D>> {
        let could_meet = |(_, pair): &(usize, &Pair<D>)| {
            let members = self.of(pair, bodies);
            let closing: f64 = members.iter().flatten().map(|body| body.top_speed(start, dt)).sum();
            !self.gap(pair, members).is_some_and(|gap| gap > closing * dt)
        };
        let watched = |(pair, of): (usize, &Pair<D>)| Watched {
            pair,
            members: self.of(of, bodies).map(|body| body.map(BodyMotion::copy)),
        };
        self.pairs.iter().enumerate().filter(could_meet).map(watched).collect()
    }

    /// Follows pairs through the step.
    ///
    /// # Errors
    /// [`StepFailure`] that names those that meet first, and when.
    pub fn check(&self, watched: Vec<Watched<D>>, start: f64, dt: f64) -> Result<(), StepFailure> {
        let mut first: Option<(f64, usize)> = None;
        for Watched { pair, members } in watched {
            let met = self.met(&self.pairs[pair], members, start, dt)?;
            first = [first, met.map(|time| (time, pair))]
                .into_iter()
                .flatten()
                .min_by(|a, b| a.0.total_cmp(&b.0));
        }
        let Some((time, pair)) = first else { return Ok(()) };
        let [one, other] = self.names_of(&self.pairs[pair]);
        Err(unknown(format!(
            "at {time:.6} s {one} meets {other}, and it follows bodies that are alone; shorten the duration, or use \
             another stepper"
        )))
    }

    /// When a pair meets, in s.
    fn met(
        &self,
        pair: &Pair<D>,
        mut members: [Option<Box<dyn BodyMotion<D>>>; 2],
        start: f64,
        dt: f64,
    ) -> Result<Option<f64>, StepFailure> {
        let mut passed = 0.0;
        for _ in 0..MOST_LOOKS {
            let as_they_are = || members.each_ref().map(|body| body.as_ref().map(|body| body.as_ref()));
            let Some(gap) = self.gap(pair, as_they_are()) else { return Ok(Some(start + passed)) };
            let left = dt - passed;
            if left <= 0.0 {
                return Ok(None);
            }
            let speeds = as_they_are().into_iter().flatten().map(|body| body.top_speed(start + passed, left));
            let closing: f64 = speeds.sum();
            let wait = if closing > 0.0 { (gap / closing).min(left) } else { left };
            for body in members.iter_mut().flatten() {
                body.advance(start + passed, wait)?;
            }
            passed = if wait == left { dt } else { passed + wait };
        }
        let [one, other] = self.names_of(pair);
        Err(unknown(format!(
            "from {:.6} s on {one} and {other} are so close that it is not told whether they meet; shorten the step",
            start + passed
        )))
    }

    /// The bodies of a pair; a plane is none.
    fn of<'a>(&self, pair: &Pair<D>, bodies: Bodies<'a, D>) -> [Option<&'a dyn BodyMotion<D>>; 2] {
        let second = match pair.second {
            Partner::Body(second) => Some(bodies[second].as_ref()),
            Partner::Ground | Partner::Wall(_) | Partner::Stop { .. } => None,
        };
        [Some(bodies[pair.first].as_ref()), second]
    }

    /// The gap of a pair in m; `None` if there is none.
    fn gap(&self, pair: &Pair<D>, members: [Option<&dyn BodyMotion<D>>; 2]) -> Option<f64> {
        let placed = members.map(|body| body.map(|body| (body.state().position, body.attitude())));
        let second = match pair.second {
            Partner::Body(second) => second,
            Partner::Ground | Partner::Wall(_) | Partner::Stop { .. } => pair.first,
        };
        let [first_place, second_place] = placed;
        let first_place = first_place?;
        let reach = self.shapes.reach(pair.first).max(self.shapes.reach(second));
        let mut scale = reach + first_place.0.norm();
        let gap = match (&pair.kind, &second_place) {
            (PairKind::Plane(plane), _) => {
                scale += plane.offset.abs();
                self.shapes.height(pair.first, &first_place, &plane.normal) - plane.offset
            }
            (PairKind::Distance(distance), Some(other)) => (first_place.0 - other.0).norm() - distance,
            (PairKind::Shapes, Some(other)) => {
                let apart = (first_place.0 - other.0).norm();
                let reaches = self.shapes.reach(pair.first) + self.shapes.reach(second);
                // A bound is enough where they are far from each other.
                if apart > 4.0 * reaches {
                    apart - reaches
                } else {
                    self.shapes.gap([pair.first, second], [&first_place, other])
                }
            }
            (_, None) => return None,
        };
        (gap > NONE * scale).then_some(gap)
    }
}

/// A pair, and its bodies at the start of a step.
pub(super) struct Watched<const D: usize> {
    pair: usize,
    members: [Option<Box<dyn BodyMotion<D>>>; 2],
}

fn unknown(reason: String) -> StepFailure {
    StepFailure::new(FailureKind::OutOfRange, reason)
}
