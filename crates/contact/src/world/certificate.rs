//! Whether the real motion of a step is that of its contacts: what pushes touches, and nothing is in anything else.
//!
//! A contact is a tangent of the gap, and a model solves for tangents. This looks at the bodies themselves, after the step
//! and whatever model took it.

use nalgebra::SVector;

use super::{
    BodyPart, Partner, Touch, World,
    bias::CLOSED,
    certainty::{least_tolerance, tolerance},
    passes::{Key, Look, Passes, parts_of},
    solid::Solid,
    way::{Way, corner_height},
};
use crate::rows;

/// What of the motion of a step is not that of its contacts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Certificate {
    /// Whether the contacts were still changing after the last solve.
    pub is_unsettled: bool,
    /// The widest gap in m at the end of the step of two that push each other, and neither touch nor would run into each other
    /// without that; 0 for none.
    pub pushes_across: f64,
    /// The deepest overlap in m, on the way or at its end, that was not there at the start; 0 for none.
    pub overlaps: f64,
}

impl Certificate {
    /// Whether the motion is that of the contacts.
    pub fn is_kept(&self) -> bool {
        let Self { is_unsettled, pushes_across, overlaps } = *self;
        !is_unsettled && pushes_across == 0.0 && overlaps == 0.0
    }
}

/// A step that was taken.
pub(super) struct Taken<'a, W: World<D, N> + ?Sized, const D: usize, const N: usize> {
    /// The way that the bodies went, the problem that their impulses solve, and these.
    pub look: Look<'a, W, D, N>,
    /// The velocities that the solves of the step lead to, that of the impulses first. In an impact they are not those of
    /// the way, and who is thrown at something is stopped by it at the end of the way that it would go next.
    pub solves: Vec<&'a [SVector<f64, N>]>,
}

impl<W: World<D, N> + ?Sized, const D: usize, const N: usize> Way<'_, W, D, N> {
    /// The gap in m between a body and a plane that counts as none at the end of this way: by rounding, and as it may bend away
    /// from its tangent.
    pub fn allowed_over_plane(&self, body: usize) -> f64 {
        let parts = (0..self.world.parts(body)).filter_map(|part| self.world.solid(BodyPart { body, part }));
        let turn = self.turn(body);
        let largest = |[reach, bend]: [f64; 2], solid: Solid<'_, D>| {
            [reach.max(solid.reach()), bend.max(solid.bend(&turn))]
        };
        let [reach, bend] = parts.fold([0.0; 2], largest);
        let place = self.world.placement(&self.motion.poses[body]).position;
        judged(reach, tolerance(reach, [&place, &place])) + bend
    }

    /// How far in m two that a contact is of are apart at the end of this way, beyond what bends; 0 where they touch.
    fn parting(&self, touch: &Touch<D, N>) -> f64 {
        let (apart, allowed) = match parts_of(self.world, &Key::of(touch)) {
            Some(parts) => {
                let Some(pair) = self.solids(parts) else { return 0.0 };
                let allowed = judged(pair.reach(), self.tolerance(&pair, parts)) + self.bend(&pair, parts);
                (self.distance_at_end(&pair, parts), allowed)
            }
            None => {
                let body = touch.first;
                (corner_height(self, touch, &self.pose(body, 1.0)), self.allowed_over_plane(body))
            }
        };
        if apart > allowed { apart } else { 0.0 }
    }

    /// Whether two that a contact is of run into each other on this way.
    fn runs_into(&self, touch: &Touch<D, N>) -> bool {
        match parts_of(self.world, &Key::of(touch)) {
            Some(parts) => self
                .solids(parts)
                .is_none_or(|pair| self.meeting(pair, parts, self.tolerance(&pair, parts)).is_some()),
            None => corner_height(self, touch, &self.pose(touch.first, 1.0)) <= 0.0,
        }
    }
}

impl<W: World<D, N> + ?Sized, const D: usize, const N: usize> Taken<'_, W, D, N> {
    /// Whether two run into each other without the impulses between them: who bounces is off again at the end of the way, and
    /// who is stopped by one thing may not get as far as another.
    fn is_met_without(&self, key: &Key, touch: &Touch<D, N>) -> bool {
        let Look { way, problem, impulses, .. } = &self.look;
        let mut velocities = self.solves[0].to_vec();
        let of_key = problem.touches.iter().zip(*impulses).filter(|(touch, _)| Key::of(touch) == *key);
        for (touch, impulse) in of_key {
            for (body, rows) in touch.bodies.iter().zip(&touch.jacobian) {
                let Some(body) = *body else { continue };
                velocities[body] -=
                    problem.contact.inverse_mass[body] * rows::transposed_times(rows, impulse);
            }
        }
        Way { velocities: &velocities, ..*way }.runs_into(touch)
    }
}

impl<const D: usize, const N: usize> Passes<D, N> {
    /// Judges a step by its motion.
    pub fn certify<W: World<D, N> + ?Sized>(&self, step: &Taken<'_, W, D, N>) -> Certificate {
        Certificate {
            is_unsettled: false,
            pushes_across: self.pushes_across(step),
            overlaps: self.overlaps_of_pairs(&step.look).max(self.overlaps_with_planes(&step.look)),
        }
    }

    fn pushes_across<W: World<D, N> + ?Sized>(&self, step: &Taken<'_, W, D, N>) -> f64 {
        let Look { way, problem, impulses, .. } = &step.look;
        let least = problem.least_push();
        let (mut widest, mut last) = (0.0_f64, None);
        for (index, (touch, impulse)) in problem.touches.iter().zip(*impulses).enumerate() {
            let key = Key::of(touch);
            let has_shape = match touch.second {
                Partner::Stop { .. } => false,
                Partner::Body(_) => parts_of(way.world, &key).is_some(),
                Partner::Ground | Partner::Wall(_) => true,
            };
            if !problem.pushes(index, impulse, least)
                || !has_shape
                || self.is_met(&key)
                || is_at_rest(way, touch)
            {
                continue;
            }
            // The contacts of a pair come one after the other.
            let apart = match last {
                Some((of, apart)) if of == key && key.pair().is_some() => apart,
                _ => way.parting(touch),
            };
            last = Some((key, apart));
            let is_reached =
                || step.solves.iter().any(|velocities| Way { velocities, ..*way }.parting(touch) == 0.0);
            if apart > 0.0 && !is_reached() && !step.is_met_without(&key, touch) {
                widest = widest.max(apart);
            }
        }
        widest
    }

    fn overlaps_of_pairs<W: World<D, N> + ?Sized>(&self, look: &Look<'_, W, D, N>) -> f64 {
        let way = &look.way;
        let mut deepest = 0.0_f64;
        for parts in self.near_pairs(look) {
            let Some(pair) = way.solids(parts) else { continue };
            if way.length_of_both(parts) < 0.5 * way.tolerance(&pair, parts) {
                continue;
            }
            let due = judged(pair.reach(), self.overlap_due(way, &pair, parts));
            if let Some(share) = way.meeting(pair, parts, due) {
                deepest = way.deepest_after(&pair, parts, share, deepest);
            }
        }
        deepest
    }

    fn overlaps_with_planes<W: World<D, N> + ?Sized>(&self, look: &Look<'_, W, D, N>) -> f64 {
        let way = &look.way;
        let bodies = (0..way.world.bodies()).filter(|body| way.length(*body) > 0.0);
        let out_of_reach = bodies.flat_map(|body| self.planes_out_of_reach(look, body));
        let depth = |key: Key| {
            let body = key.first;
            let depth = -way.world.height_over(body, &way.pose(body, 1.0), key.second);
            if depth > way.allowed_over_plane(body) + self.depth_in_plane(&key) { depth } else { 0.0 }
        };
        self.planes_near().chain(out_of_reach).map(depth).fold(0.0, f64::max)
    }
}

/// What counts as no length in m where a step is judged, of bodies the smaller of which has this `reach`: of a point, which has
/// none, at least the gap up to which a contact counts as closed.
fn judged(reach: f64, tolerance: f64) -> f64 {
    if reach > 0.0 { tolerance } else { tolerance.max(CLOSED) }
}

/// Whether two that touch go less far in the step than what counts as no gap.
fn is_at_rest<W: World<D, N> + ?Sized, const D: usize, const N: usize>(
    way: &Way<'_, W, D, N>,
    touch: &Touch<D, N>,
) -> bool {
    let moves: f64 = touch.bodies.iter().flatten().map(|body| way.length(*body)).sum();
    touch.gap + moves <= least_tolerance(touch.reach)
}
