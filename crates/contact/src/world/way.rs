//! Where bodies are within a step, on the way that their velocities take them from its start.

use nalgebra::{SVector, Vector3};

use super::{
    BodyPart, Motion, Touch, World,
    certainty::tolerance,
    solid::{Axis, Pair, Placement, seen},
    sweep::Sweep,
};

/// A part of a body and one of another.
pub(super) type Parts = [BodyPart; 2];

/// Where the bodies are, on a way that these velocities take them.
pub(super) struct Way<'a, W: World<D, N> + ?Sized, const D: usize, const N: usize> {
    pub world: &'a W,
    pub motion: &'a Motion<W::Pose, N>,
    pub velocities: &'a [SVector<f64, N>],
    pub dt: f64,
}

impl<W: World<D, N> + ?Sized, const D: usize, const N: usize> Way<'_, W, D, N> {
    /// The pose of a body after a share of the step.
    pub fn pose(&self, body: usize, share: f64) -> W::Pose {
        let Self { world, motion, velocities, dt } = *self;
        if share == 0.0 {
            return motion.poses[body].clone();
        }
        world.advance(body, &motion.poses[body], &velocities[body], share * dt)
    }

    /// Where the bodies of two parts are after a share of the step.
    pub fn placements(&self, parts: Parts, share: f64) -> [Placement<D>; 2] {
        parts.map(|of| self.world.placement(&self.pose(of.body, share)))
    }

    /// From the centre of the one body to that of the other at the start and at the end.
    fn between(&self, parts: Parts) -> [SVector<f64, D>; 2] {
        [0.0, 1.0].map(|share| {
            let [a, b] = self.placements(parts, share);
            b.position - a.position
        })
    }

    pub fn displacement(&self, body: usize) -> SVector<f64, N> {
        self.velocities[body] * self.dt
    }

    pub fn turn(&self, body: usize) -> Vector3<f64> {
        turn_of::<D, N>(&self.displacement(body))
    }

    /// How far in m any point of a body may move.
    pub fn length(&self, body: usize) -> f64 {
        self.dt * self.world.top_speed(body, &self.velocities[body])
    }

    /// How far in m any points of two parts may move, added up.
    pub fn length_of_both(&self, parts: Parts) -> f64 {
        self.length(parts[0].body) + self.length(parts[1].body)
    }

    pub fn solids(&self, [first, second]: Parts) -> Option<Pair<'_, D>> {
        Some(Pair([self.world.solid(first)?, self.world.solid(second)?]))
    }

    /// The gap in m that counts as none between two parts.
    pub fn tolerance(&self, pair: &Pair<'_, D>, parts: Parts) -> f64 {
        let places = parts.map(|of| self.world.placement(&self.motion.poses[of.body]).position);
        tolerance(pair.reach(), [&places[0], &places[1]])
    }

    /// How far in m the gap of two parts may bend away from its tangent on this way: as corners and centres go round, and
    /// as balls pass each other.
    pub fn bend(&self, pair: &Pair<'_, D>, parts: Parts) -> f64 {
        let of_turn = |end: usize| pair.0[end].bend(&self.turn(parts[end].body));
        let turned = of_turn(0) + of_turn(1);
        if !pair.are_curved() {
            return turned;
        }
        let [start, end] = [0.0, 1.0].map(|share| self.placements(parts, share));
        let place = |[a, b]: &[Placement<D>; 2], of_a: &SVector<f64, D>, of_b: &SVector<f64, D>| {
            b.position + b.turn * of_b - a.position - a.turn * of_a
        };
        // What two points of segments go is between what their ends go.
        let ends = pair.0[0].corners.iter().flat_map(|a| pair.0[1].corners.iter().map(move |b| (a, b)));
        let ways = ends.map(|(a, b)| (place(&end, a, b) - place(&start, a, b)).norm_squared());
        ways.fold(0.0, f64::max) / (2.0 * pair.curvatures()) + turned
    }

    /// How far apart two parts are at the end, in m.
    pub fn distance_at_end(&self, pair: &Pair<'_, D>, parts: Parts) -> f64 {
        pair.distance(&seen(&self.placements(parts, 1.0)))
    }

    /// The deepest overlap in m of two parts from a share of the way on, or `least` if that is deeper.
    pub fn deepest_after(&self, pair: &Pair<'_, D>, parts: Parts, share: f64, least: f64) -> f64 {
        let at = |place: u32| {
            seen(&self.placements(parts, share + (1.0 - share) * f64::from(place) / f64::from(PLACES)))
        };
        // Mostly the end is the deepest, and no place is deeper than along the axis that is best there.
        let end = at(PLACES);
        let separation = |axis: &Axis<D>| pair.separation(axis, &end);
        let best = pair.faces().max_by(|a, b| separation(a).total_cmp(&separation(b)));
        let deepest = least.max(-pair.distance(&end));
        (0..PLACES).fold(deepest, |deepest, place| {
            let seen = at(place);
            match &best {
                Some(axis) if -pair.separation(axis, &seen) <= deepest => deepest,
                _ => deepest.max(-pair.distance(&seen)),
            }
        })
    }

    /// Whether contacts that are kept to hold two parts apart but for an overlap of `slop` in m: at the end, and before it as nothing
    /// turns by so much that what their separation bends by over the step is more than the `rest` of it. The end is looked at as
    /// such, since a contact at the edge of a face moves over the other body, whose gap there is none of its own.
    pub fn keeps_apart(&self, pair: &Pair<'_, D>, parts: Parts, slop: f64, rest: f64) -> bool {
        let of_end =
            |end: usize| if pair.0[end].is_centred_ball() { 0.0 } else { self.turn(parts[end].body).norm() };
        let turn = of_end(0) + of_end(1);
        let [start, end] = self.between(parts);
        let way = (end - start).norm();
        let reach = start.norm() + way + pair.0[0].reach() + pair.0[1].reach();
        0.5 * turn * (turn * reach + 2.0 * way) <= rest && self.distance_at_end(pair, parts) >= -slop
    }

    /// The first share of the way at which two parts, smaller by `slop` in m, meet.
    pub fn meeting(&self, pair: Pair<'_, D>, parts: Parts, slop: f64) -> Option<f64> {
        // The balls around their bodies say it for most pairs.
        let [start, end] = self.between(parts);
        let way = end - start;
        let nearest = match way.norm_squared() {
            0.0 => start,
            squared => start + way * (-start.dot(&way) / squared).clamp(0.0, 1.0),
        };
        if nearest.norm() >= pair.0[0].reach() + pair.0[1].reach() {
            return None;
        }
        let at = |share: f64| self.placements(parts, share);
        let turns = parts.map(|of| self.turn(of.body));
        Sweep { pair, at, turns, slop }.first_meeting()
    }
}

/// The turn in a displacement, about the axes of space; in the plane about the last. Points have none.
fn turn_of<const D: usize, const N: usize>(displacement: &SVector<f64, N>) -> Vector3<f64> {
    match N - D {
        0 => Vector3::zeros(),
        1 => Vector3::new(0.0, 0.0, displacement[D]),
        _ => Vector3::from_fn(|i, _| displacement[D + i]),
    }
}

/// How far in m the point of a contact with a plane is over it at the end, where it is a corner; of a ball, which rolls, and of
/// those about the ends of a capsule, the lowest point, and of a rim the point that lies the same way from the axis.
pub(super) fn corner_height<W: World<D, N> + ?Sized, const D: usize, const N: usize>(
    way: &Way<'_, W, D, N>,
    touch: &Touch<D, N>,
    end: &W::Pose,
) -> f64 {
    let (start, end) = (way.world.placement(&way.motion.poses[touch.first]), way.world.placement(end));
    let point = start.turn.tr_mul(&(touch.point - start.position));
    let [before, after] = match way.world.solid(BodyPart { body: touch.first, part: touch.parts[0] }) {
        None => [SVector::zeros(); 2],
        Some(solid) if solid.is_round() => {
            let distance = |corner: &&SVector<f64, D>| (*corner - point).norm_squared();
            let nearest = solid.corners.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
            [nearest.copied().unwrap_or(point); 2]
        }
        Some(solid) => {
            let after = solid.kept_on_rim(&point, &end.turn.tr_mul(&start.turn));
            [point, after.unwrap_or(point)]
        }
    };
    let moved = end.position + end.turn * after - (start.position + start.turn * before);
    touch.gap + touch.normal.dot(&moved)
}

/// Places on a way at which its deepest overlap is looked for.
const PLACES: u32 = 64;

/// The deepest overlap in m of two bodies on their way from the poses at the start of a step of `dt` s to those at its end,
/// straight and evenly turning; `least` where none is deeper. A body that flies through a thin one overlaps with it nowhere
/// but here.
pub fn deepest_on_way<W: World<D, N> + ?Sized, const D: usize, const N: usize>(
    world: &W,
    [start, end]: [&[W::Pose]; 2],
    dt: f64,
    least: f64,
) -> f64 {
    let bodies = start.len();
    if bodies < 2 || world.solid(BodyPart::whole(0)).is_none() {
        return least;
    }
    let motion = Motion { poses: start.to_vec(), velocities: vec![SVector::zeros(); bodies] };
    let ends = start.iter().zip(end);
    let velocities: Vec<_> = ends.map(|(start, end)| world.velocity_between(start, end, dt)).collect();
    let way = Way { world, motion: &motion, velocities: &velocities, dt };
    let lengths: Vec<f64> = (0..bodies).map(|body| way.length(body)).collect();
    let mut pairs = Vec::new();
    world.near_pairs(start, &lengths, &mut pairs);
    let mut deepest = least;
    for parts in pairs {
        let Some(pair) = way.solids(parts) else { continue };
        let slop = deepest.max(way.tolerance(&pair, parts));
        let Some(share) = way.meeting(pair, parts, slop) else { continue };
        deepest = way.deepest_after(&pair, parts, share, deepest);
    }
    deepest
}
