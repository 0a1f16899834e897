use nalgebra::SVector;

use crate::world::{Partner, Touch, World};

/// Way in a step, in units of the reach of the smaller body, on which a gap stays on its tangent but for rounding.
const AT_REST: f64 = 1e-6;

/// Two that touch, and which of their parts.
type Parts = (usize, Partner, [usize; 2]);

/// How far bodies that touch are apart at the end of a step.
pub(super) struct GapsAtEnd<'a, W: World<D, N>, const D: usize, const N: usize> {
    world: &'a W,
    /// At the end of the step.
    poses: &'a [W::Pose],
    /// The velocities that moved the bodies, and for how many seconds.
    way: (&'a [SVector<f64, N>], f64),
    /// The last pair that was asked for: its contacts come one after the other.
    last: Option<(Parts, f64)>,
}

impl<'a, W: World<D, N>, const D: usize, const N: usize> GapsAtEnd<'a, W, D, N> {
    pub fn new(world: &'a W, poses: &'a [W::Pose], way: (&'a [SVector<f64, N>], f64)) -> Self {
        Self { world, poses, way, last: None }
    }

    /// The distance of the two in m, negative where they overlap: by their poses, or where hardly anything moved by the gap
    /// at the start.
    pub fn of(&mut self, touch: &Touch<D, N>) -> f64 {
        let (velocities, dt) = self.way;
        let moves: f64 = touch
            .bodies
            .iter()
            .flatten()
            .map(|body| dt * self.world.top_speed(*body, &velocities[*body]))
            .sum();
        if moves <= AT_REST * touch.reach {
            return touch.gap + dt * touch.normal_velocity(velocities);
        }
        let pair = (touch.first, touch.second, touch.parts);
        match self.last {
            Some((last, gap)) if last == pair => gap,
            _ => {
                let gap = self.world.gap_between(self.poses, touch);
                self.last = Some((pair, gap));
                gap
            }
        }
    }
}
