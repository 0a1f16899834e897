use std::collections::BTreeSet;

use nalgebra::{SMatrix, SVector};

use super::{
    Bead, BodyPart, Facing, Joint, JointMemory, Motion, Partner, Placement, Plane, Point, RigidBody, Solid,
    Surface, Surfaces, Touch, World,
    broad_phase::{self, Ball},
    frame::contact_frame,
    joint::{self, Posed},
    refill::Refill,
    touch::{TOUCHING, rounded},
};
use crate::{contact::Link, model::Real};

/// Rigid bodies over a ground, between walls, and on each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene<B, const D: usize> {
    /// The bodies.
    pub bodies: Vec<B>,
    /// The ground, if there is one.
    pub ground: Option<Plane<D>>,
    /// Walls.
    pub walls: Vec<Plane<D>>,
    /// Gravitational acceleration in m/s^2, the height last.
    pub gravity: SVector<f64, D>,
    /// The law between every two of what may touch.
    pub surfaces: Surfaces,
    /// Pairs of bodies without extent that touch at a distance.
    pub beads: Vec<Bead>,
    /// What joins bodies to each other and to the world.
    pub joints: Vec<Joint<D>>,
    /// Pairs of bodies that never touch, the smaller number first.
    pub passing: BTreeSet<(usize, usize)>,
}

impl<B, const D: usize> Scene<B, D> {
    /// Bodies over flat ground at height 0 under the gravity `g` in m/s^2, `surface` everywhere.
    pub fn over_ground(bodies: Vec<B>, surface: Surface, g: f64) -> Self {
        Self {
            bodies,
            ground: Some(Plane::ground()),
            gravity: SVector::from_fn(|i, _| if i == D - 1 { -g } else { 0.0 }),
            walls: Vec::new(),
            surfaces: Surfaces::uniform(surface),
            beads: Vec::new(),
            joints: Vec::new(),
            passing: BTreeSet::new(),
        }
    }

    /// Poses and velocities at the start.
    pub fn initial_motion<const N: usize>(&self) -> Motion<B::Pose<f64>, N>
    where
        B: RigidBody<D, N>,
    {
        let start = |body: &B| {
            let (pose, velocity) = body.start();
            (pose, if is_still(body) { SVector::zeros() } else { velocity })
        };
        let (poses, velocities) = self.bodies.iter().map(start).unzip();
        Motion { poses, velocities }
    }

    /// The ground and the walls.
    fn planes(&self) -> impl Iterator<Item = (Partner, &Plane<D>)> {
        let walls = self.walls.iter().enumerate().map(|(index, wall)| (Partner::Wall(index), wall));
        self.ground.iter().map(|ground| (Partner::Ground, ground)).chain(walls)
    }

    /// Every part of every body, in order.
    fn all_parts<const N: usize>(&self) -> impl Iterator<Item = BodyPart>
    where
        B: RigidBody<D, N>,
    {
        let bodies = self.bodies.iter().enumerate();
        bodies.flat_map(|(body, own)| (0..own.parts()).map(move |part| BodyPart { body, part }))
    }

    /// A ball around every part, larger by the margin of its body in m.
    fn balls<const N: usize>(&self, poses: &[B::Pose<f64>], margins: &[f64]) -> Vec<Ball<D>>
    where
        B: RigidBody<D, N>,
    {
        let ball = |of: BodyPart| {
            let body = &self.bodies[of.body];
            let (centre, radius) = body.ball(of.part, &poses[of.body]);
            Ball { centre, radius: radius + margins[of.body], of, is_fixed: body.is_fixed() }
        };
        self.all_parts().map(ball).collect()
    }

    /// Whether parts of these bodies may touch: two points touch at a distance, or not at all.
    fn may_touch<const N: usize>(&self, [first, second]: [usize; 2]) -> bool
    where
        B: RigidBody<D, N>,
    {
        self.bodies[first].reach() + self.bodies[second].reach() > 0.0
            && !self.passing.contains(&(first, second))
    }

    /// Finds the touches of a part of a body with the ground and the walls; `found` gives each the place to be written to.
    fn on_planes<'b, const N: usize>(
        &self,
        BodyPart { body: first, part }: BodyPart,
        placed: Placed<'_, 'b, B, D, N>,
        margin: f64,
        mut found: impl FnMut(&dyn Fn(&mut Touch<D, N>)),
    ) where
        B: RigidBody<D, N> + 'b,
    {
        for (partner, plane) in self.planes() {
            let frame = contact_frame(&plane.normal);
            let pairing = self.pairing(first, partner, [part, 0]);
            B::plane_points(placed.1, plane, margin, |point| {
                found(&|touch| pairing.write::<B, N>(touch, placed, None, (point, &frame)));
            });
        }
    }

    /// What the touches of body `first` with `second` have in common.
    fn pairing<const N: usize>(&self, first: usize, second: Partner, parts: [usize; 2]) -> Pairing<D>
    where
        B: RigidBody<D, N>,
    {
        let (body, plane) = match second {
            Partner::Body(other) => (Some(other), None),
            Partner::Ground => (None, self.ground.as_ref()),
            Partner::Stop { .. } => (None, None),
            Partner::Wall(wall) => (None, Some(&self.walls[wall])),
        };
        let movable = |index: usize| (!is_still(&self.bodies[index])).then_some(index);
        let own_reach = self.bodies[first].reach();
        Pairing {
            first,
            second,
            parts,
            bodies: [movable(first), body.and_then(movable)],
            turns: own_reach > 0.0 || body.is_some_and(|body| self.bodies[body].reach() > 0.0),
            reach: body.map_or(own_reach, |body| own_reach.min(self.bodies[body].reach())),
            surface: self.surfaces.between(first, second),
            surface_velocity: plane.map_or_else(SVector::zeros, |plane| -plane.velocity),
        }
    }
}

/// Whether a body stays where it is.
fn is_still<B: RigidBody<D, N>, const D: usize, const N: usize>(body: &B) -> bool {
    body.is_fixed() && body.course().is_none()
}

/// What the touches of a body with another one, or a plane, have in common.
struct Pairing<const D: usize> {
    first: usize,
    second: Partner,
    parts: [usize; 2],
    bodies: [Option<usize>; 2],
    turns: bool,
    reach: f64,
    surface: Surface,
    surface_velocity: SVector<f64, D>,
}

/// A part of a body at the pose of the body.
type Placed<'p, 'b, B, const D: usize, const N: usize> =
    (&'p <B as RigidBody<D, N>>::Pose<f64>, &'p <B as RigidBody<D, N>>::Outline<'b, f64>);

impl<const D: usize> Pairing<D> {
    /// Writes a touch of these bodies in the place of another one; the second is left out where it is a plane.
    #[inline]
    fn write<'p, 'b, B: RigidBody<D, N>, const N: usize>(
        &self,
        touch: &mut Touch<D, N>,
        first: Placed<'p, 'b, B, D, N>,
        second: Option<Placed<'p, 'b, B, D, N>>,
        (point, frame): (Point<D>, &SMatrix<f64, D, D>),
    ) {
        let Point { position, normal, gap } = point;
        let rows =
            |body: Placed<'p, 'b, B, D, N>| B::contact_rows(frame, body, &(position - B::position(body.0)));
        touch.first = self.first;
        touch.second = self.second;
        touch.parts = self.parts;
        touch.bodies = self.bodies;
        touch.jacobian[0] = rows(first);
        match second {
            Some(second) => touch.jacobian[1] = -rows(second),
            None => touch.jacobian[1].fill(0.0),
        }
        touch.point = position;
        touch.normal = normal;
        (touch.gap, touch.rounded_off) = rounded(gap);
        touch.reach = self.reach;
        touch.turns = self.turns;
        touch.surface = self.surface;
        touch.turning = self.surface.turning.acts::<D>().then(|| {
            let rows = |body: Placed<'p, 'b, B, D, N>| turning_rows(&(frame * B::placement(body.0).turn));
            Box::new([rows(first), second.map_or_else(SMatrix::zeros, |second| -rows(second))])
        });
        let ends = [first, second.unwrap_or(first)];
        touch.take_axis(frame, |end| B::placement(ends[end].0).turn);
        touch.surface_velocity = self.surface_velocity;
        touch.on_way = None;
    }
}

/// The rows of the angular velocity of a body about the axes of a contact, normal first; `axes` are these in the axes of the
/// body, in which it has its spin. In the plane it spins about the tangent that is not in it.
fn turning_rows<const D: usize, const N: usize>(axes: &SMatrix<f64, D, D>) -> SMatrix<f64, 3, N> {
    SMatrix::from_fn(|i, j| match (D, j.checked_sub(D)) {
        (2, Some(0)) if i == 1 => 1.0,
        (3, Some(spin)) => axes[(i, spin)],
        _ => 0.0,
    })
}

/// The rows of a contact for one of its bodies: its velocity in the axes of the contact, normal first.
pub(super) fn rows_at<B: RigidBody<D, N>, const D: usize, const N: usize, S: Real>(
    point: &Point<D, S>,
    pose: &B::Pose<S>,
) -> SMatrix<S, D, N> {
    contact_frame(&point.normal) * B::velocity_at(pose, &(point.position - B::position(pose)))
}

impl<B: RigidBody<D, N>, const D: usize, const N: usize> World<D, N> for Scene<B, D> {
    type Pose = B::Pose<f64>;

    fn bodies(&self) -> usize {
        self.bodies.len()
    }

    fn is_driven(&self, index: usize) -> bool {
        self.bodies[index].course().is_some()
    }

    fn drive(&self, motion: &Motion<B::Pose<f64>, N>, time: f64, dt: f64, free: &mut [SVector<f64, N>]) {
        for (index, body) in self.bodies.iter().enumerate() {
            let Some(course) = body.course() else { continue };
            free[index] = match course.at(time + dt) {
                None => motion.velocities[index],
                // From where it is rather than where it should be, so that no rounding adds up.
                Some(there) => {
                    let end = B::pose_at(&there.position, &there.orientation);
                    B::velocity_between(&motion.poses[index], &end, dt)
                }
            };
        }
    }

    fn inverse_inertia(&self, _motion: &Motion<B::Pose<f64>, N>, inverse: &mut Vec<SMatrix<f64, N, N>>) {
        inverse.resize_with(self.bodies.len(), SMatrix::zeros);
        for (inverse, body) in inverse.iter_mut().zip(&self.bodies) {
            *inverse = if body.is_fixed() { SMatrix::zeros() } else { body.inverse_inertia() };
        }
    }

    fn free_velocity(
        &self,
        motion: &Motion<B::Pose<f64>, N>,
        forces: &[SVector<f64, N>],
        dt: f64,
        free: &mut Vec<SVector<f64, N>>,
    ) {
        free.clear();
        let bodies = self.bodies.iter().zip(&motion.velocities).zip(forces);
        free.extend(bodies.map(|((body, velocity), wrench)| {
            if body.is_fixed() {
                SVector::zeros()
            } else {
                body.free_velocity(velocity, wrench, &self.gravity, dt)
            }
        }));
    }

    fn gravity_vector(&self) -> SVector<f64, D> {
        self.gravity
    }

    fn margins(
        &self,
        motion: &Motion<B::Pose<f64>, N>,
        forces: &[SVector<f64, N>],
        dt: f64,
        margins: &mut Vec<f64>,
    ) {
        let gravity = self.gravity.norm();
        margins.clear();
        let bodies = self.bodies.iter().zip(&motion.velocities).zip(forces);
        margins.extend(bodies.map(|((body, velocity), wrench)| match body.is_fixed() {
            true => 0.0,
            // What counts as touching takes part, also where nothing moves.
            false => body.activation(velocity, wrench, gravity, dt).max(TOUCHING),
        }));
    }

    fn beyond_tangent(
        &self,
        motion: &Motion<B::Pose<f64>, N>,
        (carrier, velocity): (usize, &SVector<f64, N>),
        carried: usize,
        dt: f64,
    ) -> SVector<f64, D> {
        // What does not turn has no arc.
        if velocity.rows_range(D..).amax() == 0.0 {
            return SVector::zeros();
        }
        let place = B::position(&motion.poses[carried]);
        let before = B::placement(&motion.poses[carrier]);
        let arm = place - before.position;
        let after = B::placement(&self.bodies[carrier].advance(&motion.poses[carrier], velocity, dt));
        let end = after.position + after.turn * before.turn.tr_mul(&arm);
        (end - place) / dt - B::velocity_at(&motion.poses[carrier], &arm) * velocity
    }

    fn top_speed(&self, index: usize, velocity: &SVector<f64, N>) -> f64 {
        let body = &self.bodies[index];
        if is_still(body) { 0.0 } else { body.top_speed(velocity) }
    }

    fn find_touches(
        &self,
        motion: &Motion<B::Pose<f64>, N>,
        margins: &[f64],
        facings: &[Facing<D>],
        touches: &mut Vec<Touch<D, N>>,
    ) {
        let mut touches = Refill::new(touches);
        for of in self.all_parts().filter(|of| !self.bodies[of.body].is_fixed()) {
            let pose = &motion.poses[of.body];
            let outline = self.bodies[of.body].outline(of.part, pose);
            self.on_planes(of, (pose, &outline), margins[of.body], |write| write(touches.next(Touch::blank)));
        }
        if self.bodies.len() < 2 {
            return;
        }
        let outline = |of: BodyPart| self.bodies[of.body].outline(of.part, &motion.poses[of.body]);
        let outlines: Vec<B::Outline<'_, f64>> = self.all_parts().map(outline).collect();
        let write =
            |touch: &mut Touch<D, N>, pair: [(BodyPart, &B::Outline<'_, f64>); 2], point: Point<D>| {
                let frame = contact_frame(&point.normal);
                let [first, second] = pair.map(|(of, _)| of.body);
                let pairing = self.pairing(first, Partner::Body(second), pair.map(|(of, _)| of.part));
                let [own, other] = pair.map(|(of, outline)| (&motion.poses[of.body], outline));
                pairing.write::<B, N>(touch, own, Some(other), (point, &frame));
            };
        let balls = self.balls(&motion.poses, margins);
        for (own, other) in broad_phase::pairs(&balls) {
            let pair = [own, other].map(|place| (balls[place].of, &outlines[place]));
            let bodies = pair.map(|(of, _)| of.body);
            if !self.may_touch(bodies) {
                continue;
            }
            let [first, second] = bodies;
            let margin = margins[first] + margins[second];
            let reach = self.bodies[first].reach().min(self.bodies[second].reach());
            let facing = facings.iter().find(|facing| facing.pair == pair.map(|(of, _)| of));
            let facing = facing.map(|facing| &facing.normal);
            B::body_points(pair[0].1, pair[1].1, reach, margin, facing, |point| {
                if point.gap <= margin {
                    write(touches.next(Touch::blank), pair, point);
                }
            });
        }
        for bead in &self.beads {
            let moves = bead.particles.iter().any(|&body| !self.bodies[body].is_fixed());
            let point = bead.point(bead.particles.map(|body| B::position(&motion.poses[body])));
            if moves && point.gap <= bead.particles.iter().map(|body| margins[*body]).sum() {
                let touch = touches.next(Touch::blank);
                let parts = bead.particles.map(BodyPart::whole);
                let [own, other] = parts.map(outline);
                write(touch, [(parts[0], &own), (parts[1], &other)], point);
                touch.reach = bead.distance;
            }
        }
    }

    fn facings(&self, touches: &[Touch<D, N>], facings: &mut Vec<Facing<D>>) {
        facings.clear();
        facings.extend(touches.iter().filter_map(|touch| {
            let pair = touch.pair()?;
            let are_thin = pair.iter().all(|of| self.bodies[of.body].is_thin(of.part));
            are_thin.then_some(Facing { pair, normal: touch.normal })
        }));
    }

    fn parts(&self, index: usize) -> usize {
        self.bodies[index].parts()
    }

    fn solid(&self, part: BodyPart) -> Option<Solid<'_, D>> {
        Some(self.bodies[part.body].solid(part.part))
    }

    fn placement(&self, pose: &B::Pose<f64>) -> Placement<D> {
        B::placement(pose)
    }

    fn velocity_between(&self, start: &B::Pose<f64>, end: &B::Pose<f64>, dt: f64) -> SVector<f64, N> {
        B::velocity_between(start, end, dt)
    }

    fn beads(&self) -> &[Bead] {
        &self.beads
    }

    fn near_pairs(&self, poses: &[B::Pose<f64>], margins: &[f64], pairs: &mut Vec<[BodyPart; 2]>) {
        pairs.clear();
        if self.bodies.len() < 2 {
            return;
        }
        let balls = self.balls(poses, margins);
        let near = broad_phase::pairs(&balls).into_iter();
        pairs.extend(near.map(|(own, other)| [balls[own].of, balls[other].of]));
        pairs.retain(|pair| self.may_touch(pair.map(|of| of.body)));
    }

    fn touches_of_pair(
        &self,
        pair: [BodyPart; 2],
        poses: [&B::Pose<f64>; 2],
        margin: f64,
        facing: Option<&SVector<f64, D>>,
        touches: &mut Vec<Touch<D, N>>,
    ) {
        let outline = |end: usize| self.bodies[pair[end].body].outline(pair[end].part, poses[end]);
        let outlines = [outline(0), outline(1)];
        let pairing = self.pairing(pair[0].body, Partner::Body(pair[1].body), pair.map(|of| of.part));
        B::body_points(&outlines[0], &outlines[1], pairing.reach, margin, facing, |point| {
            if point.gap <= margin {
                let mut touch = Touch::blank();
                let frame = contact_frame(&point.normal);
                let placed = [(poses[0], &outlines[0]), (poses[1], &outlines[1])];
                pairing.write::<B, N>(&mut touch, placed[0], Some(placed[1]), (point, &frame));
                touches.push(touch);
            }
        });
    }

    fn touches_of_planes(
        &self,
        index: usize,
        pose: &B::Pose<f64>,
        margin: f64,
        touches: &mut Vec<Touch<D, N>>,
    ) {
        let body = &self.bodies[index];
        for part in 0..body.parts() {
            let outline = body.outline(part, pose);
            self.on_planes(BodyPart { body: index, part }, (pose, &outline), margin, |write| {
                let mut touch = Touch::blank();
                write(&mut touch);
                touches.push(touch);
            });
        }
    }

    fn touches_of_rims(
        &self,
        index: usize,
        [start, end]: [&B::Pose<f64>; 2],
        partner: Partner,
        touches: &mut Vec<Touch<D, N>>,
    ) {
        let Some((_, plane)) = self.planes().find(|(own, _)| *own == partner) else { return };
        let (body, frame) = (&self.bodies[index], contact_frame(&plane.normal));
        let [before, after] = [start, end].map(B::placement);
        for part in 0..body.parts() {
            let solid = body.solid(part);
            let (lowest, _) = solid.furthest(&-after.turn.tr_mul(&plane.normal));
            let turned_back = before.turn.tr_mul(&after.turn);
            let Some(point) = solid.kept_on_rim(&lowest, &turned_back) else { continue };
            let position = before.position + before.turn * point;
            let gap = plane.normal.dot(&position) - plane.offset;
            let (outline, mut touch) = (body.outline(part, start), Touch::blank());
            let point = Point { position, normal: plane.normal, gap };
            let pairing = self.pairing(index, partner, [part, 0]);
            pairing.write::<B, N>(&mut touch, (start, &outline), None, (point, &frame));
            touches.push(touch);
        }
    }

    fn height_over(&self, index: usize, pose: &B::Pose<f64>, partner: Partner) -> f64 {
        let plane = self.planes().find(|(own, _)| *own == partner);
        plane.map_or(f64::INFINITY, |(_, plane)| {
            let Placement { position, turn } = B::placement(pose);
            let down = -turn.tr_mul(&plane.normal);
            let height = |part: usize| {
                let solid = self.bodies[index].solid(part);
                let (_, below) = solid.furthest(&down);
                plane.normal.dot(&position) - below - solid.radius - plane.offset
            };
            (0..self.bodies[index].parts()).map(height).fold(f64::INFINITY, f64::min)
        })
    }

    fn links(
        &self,
        motion: &Motion<B::Pose<f64>, N>,
        dt: f64,
        memory: &mut JointMemory,
        links: &mut Vec<Link<N>>,
    ) {
        let is_fixed = |body: usize| self.bodies[body].is_fixed();
        let carrier = |body: usize| Posed::<B, D, N, f64>(motion.poses[body].clone());
        joint::links(&self.joints, is_fixed, carrier, &motion.velocities, (memory, dt), links);
    }

    fn joint_loads(
        &self,
        motion: &Motion<B::Pose<f64>, N>,
        memory: &JointMemory,
        loads: &mut [SVector<f64, N>],
    ) {
        let is_fixed = |body: usize| self.bodies[body].is_fixed();
        let carrier = |body: usize| Posed::<B, D, N, f64>(motion.poses[body].clone());
        joint::loads(&self.joints, is_fixed, carrier, memory, loads);
    }

    fn stops(&self, motion: &Motion<B::Pose<f64>, N>, memory: &JointMemory, touches: &mut Vec<Touch<D, N>>) {
        let is_fixed = |body: usize| self.bodies[body].is_fixed();
        let reach = |body: usize| self.bodies[body].reach();
        let carrier = |body: usize| Posed::<B, D, N, f64>(motion.poses[body].clone());
        let is_still = |body: usize| is_still(&self.bodies[body]);
        joint::stops(&self.joints, (is_fixed, is_still), reach, carrier, memory, touches);
    }

    fn advance(
        &self,
        index: usize,
        pose: &B::Pose<f64>,
        velocity: &SVector<f64, N>,
        dt: f64,
    ) -> B::Pose<f64> {
        let body = &self.bodies[index];
        if is_still(body) { pose.clone() } else { body.advance(pose, velocity, dt) }
    }

    fn carried(
        &self,
        index: usize,
        before: &SVector<f64, N>,
        moved: &SVector<f64, N>,
        after: &SVector<f64, N>,
        dt: f64,
    ) -> SVector<f64, N> {
        let body = &self.bodies[index];
        if body.is_fixed() { *after } else { body.carried(before, moved, after, dt) }
    }
}
