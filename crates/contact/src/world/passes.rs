//! The contacts of a step by the way that it takes: solved, looked at along the way, and solved again.
//!
//! ```text
//! C    touches found at q_k, by planes and by pairs of parts of bodies (StepProblem::touches)
//! F    planes and the pairs that are the only way to be apart          (certainty)      -> solved first
//! way  q_k to q^ = q_k + dq, by the velocities of that solve            (World::along, World::displacement)
//! A    what carries but is apart at the end of the way: set aside, and brought back where the way without it
//!      runs into it ("met")
//! s    what the way runs into that is not in F: the share of the way at which the two touch (sweep); its contacts are
//!      found at q_k + s dq, with normal and arms there, and posed as the gap that they would have at q_k by that line,
//!      gap_s - s J_s dq
//! ```
//!
//! The loop stands above the model and below the impact: the second stage has the contacts that the loop ends with. Only
//! the islands in which something changed are looked at and solved again, each as if it were alone.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{SMatrix, SVector};

use super::{
    BodyPart, Certificate, Demands, Facing, Motion, Partner, StepProblem, Touch, WayPoint, World,
    bias::CLOSED,
    certainty::{Closeness, least_tolerance, tolerance},
    frame::contact_frame,
    solid::{Pair, seen},
    way::{Parts, Way, corner_height},
};
use crate::contact::{Partition, Posing};

/// Changes of a body's contacts in a step after which they count as unsettled.
pub(super) const MOST_PASSES: usize = 8;

/// Depth in units of the least width up to which a pair may lie in each other at the end of a way, to touch where it ends.
const SHALLOW: f64 = 0.2;

/// Part of its velocity by which that of a body differs for rounding from the one that it has without contacts.
const UNPUSHED: f64 = 1e-12;

/// Part of the least width that turning may have bodies overlap.
const TURNED_IN: f64 = 1e-3;

/// What a step did to find its contacts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Passage {
    /// Solves beyond the first.
    pub extra_solves: u32,
    /// Pairs and planes whose contacts were left out and taken back, since the way without them runs into them.
    pub met: u32,
    /// What its motion says of its contacts; `None` where nobody judged it.
    pub certificate: Option<Certificate>,
}

/// What touches at the start of a step: a part of a body and one of another, or a body and a plane, which sees all of it at
/// once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub first: usize,
    pub second: Partner,
    /// The parts of two bodies.
    parts: [usize; 2],
}

impl Key {
    pub fn of<const D: usize, const N: usize>(touch: &Touch<D, N>) -> Self {
        let Touch { first, second, parts, .. } = *touch;
        match second {
            Partner::Body(_) => Self { first, second, parts },
            _ => Self { first, second, parts: [0; 2] },
        }
    }

    fn of_pair([first, second]: Parts) -> Self {
        Self { first: first.body, second: Partner::Body(second.body), parts: [first.part, second.part] }
    }

    /// The parts of two bodies; `None` on a plane.
    pub fn pair(&self) -> Option<Parts> {
        let Partner::Body(second) = self.second else { return None };
        let [own, other] = self.parts;
        Some([BodyPart { body: self.first, part: own }, BodyPart { body: second, part: other }])
    }

    /// The bodies.
    fn bodies(&self) -> impl Iterator<Item = usize> {
        let second = if let Partner::Body(second) = self.second { Some(second) } else { None };
        [Some(self.first), second].into_iter().flatten()
    }
}

/// What is known of contacts that were found at the start of the step.
#[derive(Debug, Clone, Copy)]
struct Standing {
    /// Whether they are part of the problem.
    is_in: bool,
    /// Whether they were part of it, carried, and ended apart.
    is_aside: bool,
    /// Whether the way runs into it, so that it is looked at no more.
    is_verified: bool,
    /// The least gap in m.
    gap: f64,
    /// Whether any of them hits.
    hits: bool,
    /// Whether any of them closes in that hit within the step: a corner that comes down while another one carries does not.
    strikes: bool,
}

/// A contact of the way.
#[derive(Debug, Clone)]
struct OnWay<const D: usize, const N: usize> {
    touch: Touch<D, N>,
    /// Whether it bounds the way and nothing else.
    only_bounds: bool,
    /// Whether one of the bodies is left alone by it, on the way that it had when it was found.
    is_held: bool,
}

/// What a pass found.
struct Change {
    key: Key,
    what: What,
}

enum What {
    /// It carries and is apart at the end.
    SetAside,
    /// The way runs into it again.
    TakeBack,
    /// It is thrown at a plane that was out of its reach.
    Throw,
    /// A rim goes into the plane that it lies on, beside the points by which it was held.
    RollOver,
    /// Contacts at this share of the way.
    Meet { share: f64, only_bounds: bool },
}

/// The loop of one step.
#[derive(Debug, Default)]
pub(super) struct Passes<const D: usize, const N: usize> {
    /// All that was found at the start.
    start: Vec<Touch<D, N>>,
    standings: BTreeMap<Key, Standing>,
    on_way: Vec<OnWay<D, N>>,
    /// The deepest overlap of each body at the start, in m.
    deep: Vec<f64>,
    /// Whether all that was found is in the problem, and nothing else.
    is_as_found: bool,
}

/// How deep in m two bodies with this `gap` at the start may lie in each other: as deep as they are, or where they are not,
/// as both are in whatever else they touch, which may continue into the other one without a step.
fn depth_of(deep: &[f64], [first, second]: Parts, gap: f64) -> f64 {
    if gap < 0.0 { -gap } else { deep[first.body] + deep[second.body] }
}

/// The parts of two bodies that touch, if both have shapes.
pub(super) fn parts_of<W: World<D, N> + ?Sized, const D: usize, const N: usize>(
    world: &W,
    key: &Key,
) -> Option<Parts> {
    let parts = key.pair()?;
    // Two points touch at a distance, as beads do, and have no shape by which to be apart.
    let has_extent = |of| world.solid(of).is_some_and(|solid| solid.reach() > 0.0);
    parts.into_iter().any(has_extent).then_some(parts)
}

impl<const D: usize, const N: usize> Passes<D, N> {
    /// Takes up what was found at the start of a step.
    pub fn take_up<W: World<D, N> + ?Sized>(&mut self, world: &W, problem: &StepProblem<D, N>) {
        let Self { start, standings, on_way, deep, is_as_found } = self;
        *is_as_found = true;
        on_way.clear();
        standings.clear();
        start.clear();
        deep.clear();
        deep.resize(world.bodies(), 0.0);
        for (index, touch) in problem.touches.iter().enumerate() {
            // A stop is there whatever the way is, and no overlap of bodies.
            if matches!(touch.second, Partner::Stop { .. }) {
                continue;
            }
            let hits = problem.hits(index);
            let standing = standings.entry(Key::of(touch)).or_insert(Standing {
                is_in: true,
                is_aside: false,
                is_verified: false,
                gap: f64::INFINITY,
                hits: false,
                strikes: false,
            });
            standing.gap = standing.gap.min(touch.gap);
            standing.hits |= hits;
            standing.strikes |= hits && problem.strikes(index);
            for body in Key::of(touch).bodies() {
                if touch.bodies.contains(&Some(body)) && !world.is_driven(body) {
                    deep[body] = deep[body].max(-touch.gap);
                }
            }
        }
    }

    /// Leaves those contacts to the `problem` that are the only way to be apart, and what a compliant model has pressed in. Whether
    /// any are left out.
    pub fn leave_doubtful_out<W: World<D, N> + ?Sized>(
        &mut self,
        world: &W,
        motion: &Motion<W::Pose, N>,
        problem: &StepProblem<D, N>,
        posing: Posing,
    ) -> bool {
        let Self { start, standings, deep, is_as_found, .. } = self;
        if problem.touches.is_empty() {
            return false;
        }
        let is_compliant = posing == Posing::Compliant;
        let dt = problem.contact.time_step;
        let way = Way { world, motion, velocities: &motion.velocities, dt };
        let mut last = None;
        for touch in &problem.touches {
            let key = Key::of(touch);
            if last == Some(key) {
                continue;
            }
            last = Some(key);
            let Some(parts) = parts_of(world, &key) else { continue };
            let Some(pair) = way.solids(parts) else { continue };
            let Some(standing) = standings.get_mut(&key) else { continue };
            let placements = way.placements(parts, 0.0);
            let bodies = parts.map(|of| of.body);
            let relative = match bodies.map(|body| motion.velocities.get(body)) {
                [Some(first), Some(second)] => (second - first).rows_range(..D).norm(),
                _ => 0.0,
            };
            // The centre of a ball, and the ends of a segment, go round that of the body.
            let round = |end: usize| way.turn(bodies[end]).norm() * pair.0[end].span();
            let goes_round = if pair.are_curved() { round(0) + round(1) } else { 0.0 };
            let near = Closeness {
                tolerance: way.tolerance(&pair, parts),
                deep: depth_of(deep, parts, standing.gap),
                margin: problem.margins[bodies[0]] + problem.margins[bodies[1]],
                gap: standing.gap,
                // By a convex law what slips may push as it parts, and is not known to do nothing.
                hits: standing.hits || is_compliant,
                way: relative * dt + goes_round,
            };
            let outward =
                [placements[0].turn.tr_mul(&-touch.normal), placements[1].turn.tr_mul(&touch.normal)];
            // What is compliant pushes for as deep as it lies in the other one; by a convex law what slides over a face is carried
            // by as much above it as friction would have it part in the step.
            let carried = touch.surface.friction.static_coefficient() * near.way;
            let glides = (0.0..=carried).contains(&(near.gap - near.tolerance)) && !standing.hits;
            if is_compliant && (near.gap < -near.tolerance || glides && !pair.are_curved()) {
                continue;
            }
            if !pair.is_sure(&seen(&placements), &outward, &near) {
                standing.is_in = false;
                *is_as_found = false;
            }
        }
        start.clone_from(&problem.touches);
        !*is_as_found
    }

    /// The contacts of the problem as it stands, with whether each of them bounds the way only.
    fn rows(&self) -> impl Iterator<Item = (&Touch<D, N>, bool)> {
        let of_start = self.start.iter().filter(|touch| self.is_in(touch)).map(|touch| (touch, false));
        of_start.chain(self.on_way.iter().map(|own| (&own.touch, own.only_bounds)))
    }

    fn is_in(&self, touch: &Touch<D, N>) -> bool {
        self.standings.get(&Key::of(touch)).is_none_or(|standing| standing.is_in)
    }

    /// Writes the contacts of the problem: all, or those that do more than bound the way.
    pub fn write(&self, with_bounds: bool, touches: &mut Vec<Touch<D, N>>) {
        touches.clear();
        touches.extend(
            self.rows()
                .filter(|(_, only_bounds)| with_bounds || !only_bounds)
                .map(|(touch, _)| touch.clone()),
        );
    }

    /// The bodies whose way some contacts bound and do nothing else.
    pub fn bounded(&self) -> impl Iterator<Item = usize> + '_ {
        self.on_way
            .iter()
            .filter(|own| own.only_bounds)
            .flat_map(|own| Key::of(&own.touch).bodies().collect::<Vec<_>>())
    }

    /// Whether some contacts bound the way and nothing else.
    pub fn has_bounds(&self) -> bool {
        self.on_way.iter().any(|own| own.only_bounds)
    }
}

/// What a pass looks at.
pub(super) struct Look<'a, W: World<D, N> + ?Sized, const D: usize, const N: usize> {
    pub way: Way<'a, W, D, N>,
    /// The problem of all contacts as they stand.
    pub problem: &'a StepProblem<D, N>,
    pub impulses: &'a [SVector<f64, D>],
    pub facings: &'a [Facing<D>],
    pub demands: Demands,
    /// The bodies of the islands whose ways are to be looked at; all where it is empty.
    pub solved: &'a [bool],
}

impl<W: World<D, N> + ?Sized, const D: usize, const N: usize> Look<'_, W, D, N> {
    fn is_solved(&self, body: usize) -> bool {
        self.solved.is_empty() || self.solved[body]
    }

    fn facing(&self, parts: Parts) -> Option<&SVector<f64, D>> {
        self.facings.iter().find(|facing| facing.pair == parts).map(|facing| &facing.normal)
    }
}

impl<const D: usize, const N: usize> Passes<D, N> {
    /// What is wrong with the contacts, by the way that their solution takes: the bodies that it concerns, none where they are
    /// settled. Islands whose carriers are set aside are solved again before their ways are swept, whatever others do.
    pub fn look<W: World<D, N> + ?Sized>(
        &mut self,
        look: &Look<'_, W, D, N>,
        report: &mut Passage,
    ) -> BTreeSet<usize> {
        // What is compliant pushes across gaps, and sinks in.
        let is_rigid = look.demands.posing == Posing::GapLevel;
        let mut changes = if is_rigid { self.carriers_that_end_apart(look) } else { Vec::new() };
        let mut waits = Vec::new();
        if !changes.is_empty() {
            let aside = changes.iter().flat_map(|change| change.key.bodies());
            let mut islands = Partition::default();
            islands.divide(&look.problem.contact);
            waits = islands.with(aside);
            changes.extend(self.touching_at_end(look, &changes));
        }
        changes.extend(self.met_planes(look, &waits));
        changes.extend(self.met_pairs(look, &waits));
        let mut concerned = BTreeSet::new();
        for change in changes {
            concerned.extend(change.key.bodies());
            self.apply(look, &change, report);
        }
        concerned
    }

    /// What carries by the gap of the start and is apart at the end.
    fn carriers_that_end_apart<W: World<D, N> + ?Sized>(&self, look: &Look<'_, W, D, N>) -> Vec<Change> {
        let Look { way, problem, impulses, .. } = look;
        let mut changes: Vec<Change> = Vec::new();
        // Those of the way follow, which stand behind it and are not judged by its end.
        let of_start = self.start.iter().filter(|touch| self.is_in(touch)).count();
        let rows = problem.touches.iter().zip(*impulses).take(of_start).enumerate();
        let least = problem.least_push();
        let mut seen_pair = None;
        for (index, (touch, impulse)) in rows {
            let key = Key::of(touch);
            let Some(standing) = self.standings.get(&key).filter(|standing| standing.is_in) else { continue };
            let is_judged = problem.pushes(index, impulse, least)
                && !standing.is_verified
                && !problem.is_hit(index)
                && seen_pair != Some(key)
                && touch.bodies.iter().flatten().any(|body| look.is_solved(*body));
            if !is_judged {
                continue;
            }
            if let Partner::Body(_) = touch.second {
                seen_pair = Some(key);
                let Some(parts) = parts_of(way.world, &key) else { continue };
                let moves = way.length_of_both(parts);
                if standing.gap + moves <= least_tolerance(touch.reach) {
                    continue;
                }
                let Some(pair) = way.solids(parts) else { continue };
                let sigma = way.tolerance(&pair, parts);
                let bent = standing.hits && standing.gap > sigma;
                let allowed = sigma + if bent { 0.0 } else { way.bend(&pair, parts) };
                if standing.gap + moves > allowed && way.distance_at_end(&pair, parts) > allowed {
                    changes.push(Change { key, what: What::SetAside });
                }
            } else if problem.hits(index) && !changes.iter().any(|change| change.key == key) {
                let place = way.world.placement(&way.motion.poses[touch.first]);
                let sigma = tolerance(touch.reach, [&place.position, &place.position]);
                let end = way.pose(touch.first, 1.0);
                if corner_height(way, touch, &end) > sigma {
                    changes.push(Change { key, what: What::SetAside });
                }
            }
        }
        changes
    }

    /// Pairs that are not part of the problem and touch at the end of the way, of the islands of what was set aside.
    fn touching_at_end<W: World<D, N> + ?Sized>(
        &self,
        look: &Look<'_, W, D, N>,
        aside: &[Change],
    ) -> Vec<Change> {
        let way = &look.way;
        let concerned: BTreeSet<usize> = aside
            .iter()
            .flat_map(|change| change.key.bodies())
            .filter(|body| way.world.top_speed(*body, &way.velocities[*body]) > 0.0)
            .collect();
        let mut changes = Vec::new();
        for parts in self.near_pairs(look) {
            let is_concerned = parts.iter().any(|of| concerned.contains(&of.body));
            let key = Key::of_pair(parts);
            if !is_concerned || self.is_in_problem(&key) {
                continue;
            }
            let Some(pair) = way.solids(parts) else { continue };
            if way.distance_at_end(&pair, parts).abs() <= way.tolerance(&pair, parts) {
                let what = What::Meet { share: 1.0, only_bounds: false };
                changes.push(Change { key, what });
            }
        }
        changes
    }

    /// How deep in m two parts may lie in each other without having been brought there by the step.
    fn depth(&self, parts: Parts) -> f64 {
        let standing = self.standings.get(&Key::of_pair(parts));
        depth_of(&self.deep, parts, standing.map_or(f64::INFINITY, |standing| standing.gap))
    }

    /// How deep in m two parts may lie in each other on a way: as they did before it, and as far as turning takes them out of
    /// the tangents of their contacts.
    pub fn overlap_due<W: World<D, N> + ?Sized>(
        &self,
        way: &Way<'_, W, D, N>,
        pair: &Pair<'_, D>,
        parts: Parts,
    ) -> f64 {
        let turned_in = way.bend(pair, parts).min(TURNED_IN * pair.width());
        way.tolerance(pair, parts) + self.depth(parts) + turned_in
    }

    /// The bodies and the planes that they are near at the start.
    pub fn planes_near(&self) -> impl Iterator<Item = Key> {
        self.standings.keys().copied().filter(|key| key.pair().is_none())
    }

    /// How deep in m a body may lie in a plane without having been brought there by the step.
    pub fn depth_in_plane(&self, key: &Key) -> f64 {
        let gap = self.standings.get(key).map_or(f64::INFINITY, |standing| standing.gap);
        if gap < 0.0 { -gap } else { self.deep[key.first] }
    }

    /// Whether the way without contacts of these ran into them.
    pub fn is_met(&self, key: &Key) -> bool {
        self.standings.get(key).is_some_and(|standing| standing.is_verified)
            || self.on_way.iter().any(|own| Key::of(&own.touch) == *key)
    }

    /// Whether contacts of these are part of the problem.
    fn is_in_problem(&self, key: &Key) -> bool {
        self.standings.get(key).is_some_and(|standing| standing.is_in)
            || self.on_way.iter().any(|own| Key::of(&own.touch) == *key)
    }

    pub fn near_pairs<W: World<D, N> + ?Sized>(&self, look: &Look<'_, W, D, N>) -> Vec<Parts> {
        let way = &look.way;
        let mut pairs = Vec::new();
        if way.world.bodies() < 2 {
            return pairs;
        }
        let lengths: Vec<f64> = (0..way.world.bodies()).map(|body| way.length(body)).collect();
        if lengths.iter().all(|length| *length < 0.5 * super::TOUCHING) {
            return pairs;
        }
        way.world.near_pairs(&way.motion.poses, &lengths, &mut pairs);
        pairs.retain(|parts| parts.iter().any(|of| look.is_solved(of.body)));
        pairs
    }

    /// Planes that were set aside and that the way runs into, of bodies that do not wait.
    fn met_planes<W: World<D, N> + ?Sized>(&self, look: &Look<'_, W, D, N>, waits: &[bool]) -> Vec<Change> {
        let way = &look.way;
        let aside = self.standings.iter().filter(|(key, standing)| {
            standing.is_aside && !standing.is_in && key.pair().is_none() && !is_in(waits, key.first)
        });
        let mut changes = Vec::new();
        for (&key, _) in aside {
            let position = way.world.placement(&way.motion.poses[key.first]).position;
            let reach = self.start.iter().find(|touch| Key::of(touch) == key).map_or(0.0, |t| t.reach);
            let sigma = tolerance(reach, [&position, &position]);
            if way.world.height_over(key.first, &way.pose(key.first, 1.0), key.second) < -sigma {
                changes.push(Change { key, what: What::TakeBack });
            }
        }
        for body in (0..way.world.bodies()).filter(|body| look.is_solved(*body) && !is_in(waits, *body)) {
            let is_new = |key: &Key| !self.on_way.iter().any(|own| Key::of(&own.touch) == *key);
            let keys = self.planes_out_of_reach(look, body).into_iter().filter(is_new);
            changes.extend(keys.map(|key| Change { key, what: What::Throw }));
        }
        let is_rigid = look.demands.posing == Posing::GapLevel;
        let solved = |key: &Key| is_rigid && look.is_solved(key.first) && way.length(key.first) > 0.0;
        let rolls_over = |key: &Key| {
            let of_part = |part| way.world.solid(BodyPart { body: key.first, part });
            let mut parts = (0..way.world.parts(key.first)).filter_map(of_part);
            let end = way.pose(key.first, 1.0);
            parts.any(|solid| solid.disc.is_some())
                && -way.world.height_over(key.first, &end, key.second)
                    > way.allowed_over_plane(key.first) + self.depth_in_plane(key)
        };
        let keys = self.planes_near().filter(solved).filter(rolls_over);
        changes.extend(keys.map(|key| Change { key, what: What::RollOver }));
        changes
    }

    /// The planes that corners of a body run into on its way that were not near at the start, even where others were.
    pub fn planes_out_of_reach<W: World<D, N> + ?Sized>(
        &self,
        look: &Look<'_, W, D, N>,
        body: usize,
    ) -> BTreeSet<Key> {
        let way = &look.way;
        if way.length(body) <= look.problem.margins[body] {
            return BTreeSet::new();
        }
        let mut touches = Vec::new();
        way.world.touches_of_planes(body, &way.motion.poses[body], way.length(body), &mut touches);
        let passes =
            |touch: &Touch<D, N>| touch.gap + way.dt * touch.normal_velocity(way.velocities) < -CLOSED;
        let was_found = |touch: &Touch<D, N>| touch.gap <= look.problem.margins[body];
        touches.iter().filter(|touch| !was_found(touch) && passes(touch)).map(Key::of).collect()
    }

    /// Pairs that the way runs into, of bodies that do not wait.
    fn met_pairs<W: World<D, N> + ?Sized>(&self, look: &Look<'_, W, D, N>, waits: &[bool]) -> Vec<Change> {
        let way = &look.way;
        let mut changes = Vec::new();
        for parts in self.near_pairs(look) {
            if parts.iter().any(|of| is_in(waits, of.body)) {
                continue;
            }
            let Some(pair) = way.solids(parts) else { continue };
            let moves = way.length_of_both(parts);
            if moves < 0.5 * least_tolerance(pair.reach()) {
                continue;
            }
            let sigma = way.tolerance(&pair, parts);
            if moves < 0.5 * sigma {
                continue;
            }
            let key = Key::of_pair(parts);
            let deep = self.depth(parts);
            let is_held = self.on_way.iter().any(|own| own.is_held && Key::of(&own.touch) == key);
            if self.is_in_problem(&key) && !is_held {
                if look.demands.posing != Posing::GapLevel {
                    continue;
                }
                let slop = self.overlap_due(way, &pair, parts);
                if way.keeps_apart(&pair, parts, slop, slop - deep) {
                    continue;
                }
                if let Some(share) = way.meeting(pair, parts, slop) {
                    let strikes = self.standings.get(&key).is_some_and(|standing| standing.strikes);
                    let what = What::Meet {
                        share: self.share_of_contacts(look, &pair, parts, share),
                        only_bounds: strikes,
                    };
                    changes.push(Change { key, what });
                }
                continue;
            }
            // What is round is flush with nothing: where it meets does not go by how deep soft ground lets it sink.
            let is_rigid = look.demands.posing == Posing::GapLevel;
            let slop = if is_rigid || !pair.are_curved() { sigma + deep } else { sigma };
            if let Some(share) = way.meeting(pair, parts, slop) {
                let is_aside = self.standings.get(&key).is_some_and(|standing| standing.is_aside);
                let what = if is_aside { What::TakeBack } else { What::Meet { share, only_bounds: false } };
                changes.push(Change { key, what });
            }
        }
        changes
    }

    /// At which share of the way the contacts of a pair are found that its own do not hold apart: at the end, where they say
    /// by themselves how far the bodies are to be held apart, or else where they meet.
    fn share_of_contacts<W: World<D, N> + ?Sized>(
        &self,
        look: &Look<'_, W, D, N>,
        pair: &Pair<'_, D>,
        parts: Parts,
        share: f64,
    ) -> f64 {
        let distance = look.way.distance_at_end(pair, parts);
        let has_width = pair.width() > 0.0;
        let is_shallow = distance < 0.0 && (!has_width || -distance < SHALLOW * pair.width());
        if !is_shallow || !has_width && look.facing(parts).is_none() {
            return share;
        }
        let touches = contacts_at(look, parts, 1.0);
        let all_open = !touches.is_empty() && touches.iter().all(|touch| touch.gap >= 0.0);
        if all_open { 1.0 } else { share }
    }

    fn apply<W: World<D, N> + ?Sized>(
        &mut self,
        look: &Look<'_, W, D, N>,
        change: &Change,
        report: &mut Passage,
    ) {
        self.is_as_found = false;
        match change.what {
            What::SetAside => {
                if let Some(standing) = self.standings.get_mut(&change.key) {
                    (standing.is_in, standing.is_aside) = (false, true);
                }
            }
            What::TakeBack => {
                if let Some(standing) = self.standings.get_mut(&change.key) {
                    (standing.is_in, standing.is_aside, standing.is_verified) = (true, false, true);
                    report.met += 1;
                }
            }
            What::Throw => {
                let (way, body) = (&look.way, change.key.first);
                let mut touches = Vec::new();
                way.world.touches_of_planes(body, &way.motion.poses[body], way.length(body), &mut touches);
                let margin = look.problem.margins[body];
                touches.retain(|touch| touch.second == change.key.second && touch.gap > margin);
                self.on_way.extend(touches.into_iter().map(|touch| OnWay {
                    touch,
                    only_bounds: true,
                    is_held: false,
                }));
            }
            What::RollOver => {
                let (way, Key { first, second, .. }) = (&look.way, change.key);
                let mut touches = Vec::new();
                let poses = [&way.motion.poses[first], &way.pose(first, 1.0)];
                way.world.touches_of_rims(first, poses, second, &mut touches);
                self.on_way.extend(touches.into_iter().map(|touch| OnWay {
                    touch,
                    only_bounds: false,
                    is_held: false,
                }));
            }
            What::Meet { share, only_bounds } => {
                let Some(parts) = change.key.pair() else { return };
                let mut touches = contacts_at(look, parts, share);
                if share == 1.0 {
                    touches.iter_mut().for_each(|touch| touch.gap = touch.gap.max(0.0));
                }
                let is_thrown = self.is_out_of_reach(look, parts);
                // Who is left alone once may have been pushed since.
                let is_first = !self.on_way.iter().any(|own| Key::of(&own.touch) == change.key);
                let only_bounds = only_bounds || is_thrown;
                self.on_way.extend(touches.into_iter().map(|mut touch| {
                    let is_held = is_thrown && is_first && hold_who_waits(look, &mut touch);
                    OnWay { touch, only_bounds, is_held }
                }));
            }
        }
    }

    /// Whether two parts are apart at the start and would not meet if nothing touched: another one throws them at each
    /// other, and they hit in the next step.
    fn is_out_of_reach<W: World<D, N> + ?Sized>(&self, look: &Look<'_, W, D, N>, parts: Parts) -> bool {
        let Look { way, problem, .. } = look;
        let Some(pair) = way.solids(parts) else { return false };
        let sigma = way.tolerance(&pair, parts);
        if pair.distance(&seen(&way.placements(parts, 0.0))) <= sigma {
            return false;
        }
        // What turns meets by its way, and not by the tangents of its gaps; and what is carried does not fall.
        let free = &problem.contact.free_velocity;
        let mut velocities = free.clone();
        let [own, other] = parts.map(|of| of.body);
        [[free, free], [&way.motion.velocities, free], [free, &way.motion.velocities]].into_iter().all(
            |[first, second]| {
                (velocities[own], velocities[other]) = (first[own], second[other]);
                let unpushed = Way { velocities: &velocities, ..*way };
                unpushed.meeting(pair, parts, sigma + self.depth(parts)).is_none()
            },
        )
    }

    /// The bodies that run into something on the way, of those that `may`, and into which.
    pub fn what_runs_into<W: World<D, N> + ?Sized>(
        &self,
        look: &Look<'_, W, D, N>,
        may: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let way = &look.way;
        let thrown = |body: &usize| may(*body) && !self.planes_out_of_reach(look, *body).is_empty();
        let mut found: Vec<usize> = (0..way.world.bodies()).filter(thrown).collect();
        for parts in self.near_pairs(look).into_iter().filter(|parts| parts.iter().any(|of| may(of.body))) {
            let Some(pair) = way.solids(parts) else { continue };
            if way.meeting(pair, parts, self.overlap_due(way, &pair, parts)).is_some() {
                found.extend(parts.map(|of| of.body));
            }
        }
        found
    }

    /// All contacts of `bodies` that were ever found, where they do not settle.
    pub fn take_all(&mut self, bodies: &[bool]) {
        let aside = self.standings.iter_mut().filter(|(_, standing)| standing.is_aside);
        for (_, standing) in aside.filter(|(key, _)| key.bodies().any(|body| bodies[body])) {
            (standing.is_in, standing.is_verified) = (true, true);
        }
    }
}

/// Whether a body is among these; none is where the slice is empty.
fn is_in(bodies: &[bool], body: usize) -> bool {
    bodies.get(body).is_some_and(|is_in| *is_in)
}

/// The contacts of two parts at a share of the way, with the gaps that they would have at the start by the tangents there.
fn contacts_at<W: World<D, N> + ?Sized, const D: usize, const N: usize>(
    look: &Look<'_, W, D, N>,
    parts: Parts,
    share: f64,
) -> Vec<Touch<D, N>> {
    let way = &look.way;
    let bodies = parts.map(|of| of.body);
    let poses = bodies.map(|body| way.pose(body, share));
    let margin = way.length_of_both(parts);
    let mut touches = Vec::new();
    way.world.touches_of_pair(parts, [&poses[0], &poses[1]], margin, look.facing(parts), &mut touches);
    // Spins are those about the axes of the bodies at the start, and so are the rows that see them.
    let back = |body: usize, pose: &W::Pose| {
        way.world.placement(pose).turn.tr_mul(&way.world.placement(&way.motion.poses[body]).turn)
    };
    let turns = [back(bodies[0], &poses[0]), back(bodies[1], &poses[1])];
    for touch in touches.iter_mut().filter(|_| N == 2 * D) {
        for (rows, turn) in touch.jacobian.iter_mut().zip(&turns) {
            see_spins_at_start(rows, turn);
        }
        for (rows, turn) in touch.turning.iter_mut().flat_map(|rows| rows.iter_mut()).zip(&turns) {
            see_spins_at_start(rows, turn);
        }
    }
    // So is the axis that one of them carries.
    for touch in touches.iter_mut().filter(|touch| touch.across.is_some()) {
        let frame = contact_frame(&touch.normal);
        touch.take_axis(&frame, |end| way.world.placement(&way.motion.poses[bodies[end]]).turn);
    }
    // By the velocity v the displacement is dt v, and dt (v - v_way) more than that of the way.
    for touch in &mut touches {
        let mut gap = touch.gap;
        for (body, rows) in touch.bodies.iter().zip(&touch.jacobian) {
            let Some(body) = *body else { continue };
            let whole = way.displacement(body);
            let left = whole * (1.0 - share) - whole;
            gap += rows.row(0).transpose().dot(&left);
        }
        touch.gap = gap;
        let velocities = bodies.map(|body| way.velocities[body]);
        touch.on_way = Some(WayPoint { share, velocities, margin });
    }
    touches
}

/// Has rows that see spins about axes which are turned like this against those at the start see spins about these.
fn see_spins_at_start<const R: usize, const D: usize, const N: usize>(
    rows: &mut SMatrix<f64, R, N>,
    turn: &SMatrix<f64, D, D>,
) {
    let there = *rows;
    for i in 0..R {
        for j in 0..D {
            rows[(i, D + j)] = (0..D).map(|k| there[(i, D + k)] * turn[(k, j)]).sum();
        }
    }
}

/// Leaves the body alone that nothing pushes and that does not come nearer: the one that is thrown at it ends where they
/// touch, and hits it in the next step. Whether there is one.
fn hold_who_waits<W: World<D, N> + ?Sized, const D: usize, const N: usize>(
    look: &Look<'_, W, D, N>,
    touch: &mut Touch<D, N>,
) -> bool {
    let way = &look.way;
    let free = &look.problem.contact.free_velocity;
    let approach = |end: usize| match touch.bodies[end] {
        Some(body) => touch.jacobian[end].row(0).transpose().dot(&way.velocities[body]),
        None => 0.0,
    };
    let approaches = [approach(0), approach(1)];
    for end in [0, 1] {
        let Some(body) = touch.bodies[end] else { continue };
        let is_pushed = (way.velocities[body] - free[body]).amax() > UNPUSHED * free[body].amax();
        if approaches[end] >= 0.0 && approaches[1 - end] < 0.0 && !is_pushed {
            touch.bodies[end] = None;
            touch.gap += way.dt * approaches[end];
            return true;
        }
    }
    false
}
