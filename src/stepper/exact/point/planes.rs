//! Many planes: where the point is among them, and which of them it meets.

use super::{
    corner::{Touched, resolve},
    drive::Drive,
    event::EventKind,
    first_exit::{Guard, first_exit},
    flight::ballistic_landing,
    motion::{ContactEnd, Leg, Mode, Motion, coefficient_at},
};
use crate::{
    model::{Number, State, Vector, magnitude, tangential},
    stepper::StepError,
};

/// Parts of lengths and speeds that count as rounding.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// How far a motion has come.
pub(super) struct Snapshot<const D: usize, N> {
    state: State<D, N>,
    impulse: Vector<D, N>,
    elapsed: N,
    slid_along: Option<Vector<D, N>>,
    events: usize,
}

impl<const D: usize, N: Number> Motion<'_, D, N> {
    pub(super) fn snapshot(&self) -> Snapshot<D, N> {
        Snapshot {
            state: self.state,
            impulse: self.impulse,
            elapsed: self.elapsed,
            slid_along: self.slid_along,
            events: self.events.len(),
        }
    }

    pub(super) fn restore(&mut self, snapshot: &Snapshot<D, N>) {
        self.state = snapshot.state;
        self.impulse = snapshot.impulse;
        self.elapsed = snapshot.elapsed;
        self.slid_along = snapshot.slid_along;
        self.events.truncate(snapshot.events);
    }

    /// Writes the state in the axes of another plane.
    pub(super) fn go_to(&mut self, plane: usize) {
        let old = &self.frames[self.at];
        self.impulses[self.at] += old.outward(&self.impulse);
        self.impulse = Vector::zeros();
        if plane != self.at {
            let state = old.leave(&self.state, self.elapsed - self.entered);
            let slid_along = self.slid_along.map(|direction| old.outward(&direction));
            let new = &self.frames[plane];
            self.state = new.enter(&state);
            self.slid_along = slid_along.map(|direction| new.inward(&direction));
            (self.at, self.body, self.entered) = (plane, &new.body, self.elapsed);
        }
    }

    /// Puts the point on a plane that it has reached.
    pub(super) fn land_on(&mut self, plane: usize) {
        self.go_to(plane);
        self.state.position[D - 1] = N::zero();
        self.slid_along = None;
    }

    /// The speed after an impact; 0 where the time of the next flight could not be told from none, and bounces that go on
    /// are followed one by one.
    pub(super) fn rebound(&self, restitution: N, approach: N) -> N {
        let speed = restitution * approach;
        let gravity = magnitude(&self.body.gravity).re();
        let one_by_one = self.frames.len() > 1 || !self.law().slides_evenly();
        let is_over = one_by_one && speed.re() <= f64::EPSILON * self.now().re().max(self.dt.re()) * gravity;
        if is_over { N::zero() } else { speed }
    }

    /// Gap and rate of a plane, that of one that is touched 0.
    fn place_of(&self, plane: usize) -> (N, N) {
        let seen = &self.frames[self.at].seen[plane];
        let gap = seen.gap(&self.state.position, self.elapsed - self.entered);
        let rate = seen.rate(&self.state.velocity);
        let gap = if gap.re() <= self.touching(plane) { N::zero() } else { gap };
        (gap, if rate.re().abs() <= self.still() { N::zero() } else { rate })
    }

    /// Gap in m that counts as none.
    fn touching(&self, plane: usize) -> f64 {
        let seen = &self.frames[self.at].seen[plane];
        let place: f64 = self.state.position.iter().map(|x| x.re().abs()).sum();
        let own = self.frames[self.at].plane.offset.abs();
        ROUNDING * (place + own + seen.offset.abs() + self.speed_scale * self.dt.re())
    }

    /// Speed in m/s that counts as none.
    fn still(&self) -> f64 {
        ROUNDING * self.speed_scale
    }

    /// The planes that the point touches. Without a wall among them, only heights of 0 are on the ground.
    fn touched(&self) -> Vec<usize> {
        let near = (0..self.frames.len()).filter(|&plane| self.place_of(plane).0.re() <= 0.0);
        let near: Vec<usize> = near.collect();
        let is_above = self.at == 0 && self.state.height().re() > 0.0;
        if near == [0] && is_above { Vec::new() } else { near }
    }

    /// Goes on in the axes of the plane that matters now; gives the mode if it is several.
    pub(super) fn choose_plane(&mut self, segment: usize) -> Result<Option<Mode<D, N>>, StepError<D>> {
        let gained = self.frames[0].timeline.segment(segment).scale * self.dt.re();
        self.speed_scale = self.speed_scale.max(magnitude(&self.state.velocity).re()).max(gained);
        let touched = self.touched();
        match touched.as_slice() {
            [] => self.go_to(0),
            &[plane] => self.touch(plane),
            _ => return self.enter_corner(touched, segment),
        }
        Ok(None)
    }

    /// Goes on in the axes of a plane that the point touches.
    fn touch(&mut self, plane: usize) {
        if plane == self.at && self.state.height().re() == 0.0 {
            return;
        }
        self.go_to(plane);
        self.state.position[D - 1] = N::zero();
        if self.state.velocity[D - 1].re().abs() <= self.still() {
            self.state.velocity[D - 1] = N::zero();
        }
    }

    /// Impacts and forces of several planes that the point touches.
    fn enter_corner(
        &mut self,
        mut touched: Vec<usize>,
        segment: usize,
    ) -> Result<Option<Mode<D, N>>, StepError<D>> {
        if N::NDERIV > 0 {
            return Err(self.unsolved("a corner has no derivative".to_owned()));
        }
        if touched.iter().any(|&plane| self.place_of(plane).1.re() < 0.0) {
            self.hit_corner(&touched)?;
        }
        touched.retain(|&plane| self.place_of(plane).1.re() <= 0.0);
        match touched.as_slice() {
            [] => self.go_to(0),
            &[plane] => self.touch(plane),
            _ => return self.press_corner(&touched, segment),
        }
        Ok(None)
    }

    /// The velocity at which the point slips along a plane.
    fn slip_along(&self, plane: usize) -> Vector<D> {
        let seen = &self.frames[self.at].seen[plane];
        let relative = self.state.velocity.map(|v| v.re()) - seen.velocity;
        relative - seen.normal * seen.normal.dot(&relative)
    }

    /// The coefficient of a plane on which the point rests, or slips at this `speed` in m/s.
    fn friction_of(&self, plane: usize, speed: Option<f64>) -> f64 {
        let law = &self.frames[plane].friction;
        speed.map_or(law.static_coefficient(), |speed| coefficient_at(law, N::constant(speed))).re()
    }

    /// The planes of a corner: of each its coefficient of friction, its target, its velocity, and how the point slips on it.
    fn planes_of_corner(
        &self,
        touched: &[usize],
        of: impl Fn(usize) -> (f64, f64, Vector<D>, Option<Vector<D>>),
    ) -> Vec<Touched<D>> {
        let plane = |&plane: &usize| {
            let normal = self.frames[self.at].seen[plane].normal;
            let (friction, target, velocity, slip) = of(plane);
            Touched { normal, friction, velocity, target, slip }
        };
        touched.iter().map(plane).collect()
    }

    fn hit_corner(&mut self, touched: &[usize]) -> Result<(), StepError<D>> {
        let planes = self.planes_of_corner(touched, |plane| {
            let approach = -self.place_of(plane).1;
            let restitution = self.frames[plane].body.restitution;
            let target = if approach.re() > 0.0 { self.rebound(restitution, approach).re() } else { 0.0 };
            let speed = self.slip_along(plane).norm();
            let friction = self.friction_of(plane, (speed > self.still()).then_some(speed));
            (friction, target, self.frames[self.at].seen[plane].velocity, None)
        });
        let before = self.state.velocity.map(|v| v.re());
        let Some(answer) = resolve(&before, &planes, self.still()) else {
            return Err(self.undetermined("the impulses of the planes that it hits at once"));
        };
        let mass = self.body.mass.re();
        let frames = self.frames;
        let frame = &frames[self.at];
        for (&plane, share) in touched.iter().zip(&answer.shares) {
            self.impulses[plane] += frame.outward(share).map(|part| N::constant(part * mass));
        }
        let impulse = (answer.after - before).map(|part| N::constant(part * mass));
        self.state.velocity = answer.after.map(N::constant);
        self.slid_along = None;
        self.record(EventKind::Impact, impulse);
        Ok(())
    }

    /// Which of the planes of a corner press, and where the point goes on.
    fn press_corner(
        &mut self,
        touched: &[usize],
        segment: usize,
    ) -> Result<Option<Mode<D, N>>, StepError<D>> {
        let frames = self.frames;
        let frame = &frames[self.at];
        let drive = Drive { segment: frame.timeline.segment(segment), t0: self.now() };
        let velocity = self.state.velocity.map(|v| v.re());
        // What moves has the friction of motion, and what begins to move has it from then on.
        let planes = |moves: bool| {
            self.planes_of_corner(touched, |plane| {
                let slip = velocity - frame.seen[plane].velocity;
                let speed = slip.norm();
                let slip = (speed > self.still()).then(|| slip / speed);
                let friction = self.friction_of(plane, (moves || slip.is_some()).then_some(speed));
                (friction, 0.0, Vector::zeros(), slip)
            })
        };
        let is_even = touched.iter().all(|&plane| self.frames[plane].friction.slides_evenly());
        let has_jump = touched.iter().any(|&plane| self.frames[plane].friction.depends_on_slip());
        let free = drive.acceleration(N::zero()).map(|a| a.re());
        let noise = 16.0 * drive.noise();
        let resolved = |moves: bool| {
            let planes = planes(moves);
            resolve(&free, &planes, noise).map(|answer| (answer, planes))
        };
        let mut found = resolved(false);
        if has_jump && found.as_ref().is_some_and(|(answer, _)| answer.after.norm() > noise) {
            found = resolved(true);
        }
        let Some((answer, planes)) = found else {
            return Err(self.undetermined("the forces of the planes that it touches at once"));
        };
        let presses = |&(_, share): &(usize, &Vector<D>)| share.norm() > noise;
        let pressing: Vec<(usize, Vector<D>)> = (touched.iter().copied().zip(&answer.shares))
            .filter(presses)
            .map(|(plane, share)| (plane, *share))
            .collect();
        let is_constant = drive.is_constant();
        let rests = answer.after.norm() <= noise && planes.iter().all(|plane| plane.slip.is_none());
        match pressing.as_slice() {
            [] => {
                let opening = |plane: &&usize| frame.seen[**plane].normal.dot(&free);
                let last = touched.iter().min_by(|a, b| opening(a).total_cmp(&opening(b)));
                self.touch(last.copied().unwrap_or(0));
                Ok(None)
            }
            &[(plane, _)] => {
                self.touch(plane);
                Ok(None)
            }
            _ if !is_even && !rests => Err(self
                .undetermined("the forces of the planes of an edge whose friction changes with the speed")),
            _ if !is_constant => {
                Err(self.undetermined("the forces of the planes of an edge under a push that swings"))
            }
            _ => {
                self.shares = pressing;
                if self.slid_along.take().is_some() && rests {
                    self.record(EventKind::SlidingStops, Vector::zeros());
                }
                // Along the edge and nowhere else, whatever rounding says.
                let slip = planes.iter().find_map(|plane| plane.slip);
                let along = match slip {
                    Some(slip) => slip * slip.dot(&answer.after),
                    None if rests => Vector::zeros(),
                    None => answer.after,
                };
                Ok(Some(Mode::Edge(along.map(N::constant))))
            }
        }
    }

    fn undetermined(&self, what: &str) -> StepError<D> {
        let names = "shorten the duration, or change the friction";
        self.unsolved(format!(
            "at {:.6} s {what} do not follow from the laws of rigid contact, or the motion is not known; {names}",
            self.now().re()
        ))
    }

    /// Moves along the edge of several planes, or rests there.
    pub(super) fn follow_edge(&mut self, acceleration: Vector<D, N>, horizon: N) -> (N, ContactEnd<D, N>) {
        let belt = self.shares.first().map_or_else(Vector::zeros, |(plane, _)| {
            self.frames[self.at].seen[*plane].velocity.map(N::constant)
        });
        let slip = self.state.velocity - belt;
        let speed = magnitude(&slip);
        let stop = (speed.re() > self.still()).then(|| slip.dot(&acceleration) / speed).and_then(|gain| {
            let stop = -speed / gain;
            (gain.re() < 0.0 && stop.re() <= horizon.re()).then_some(stop)
        });
        let duration = stop.unwrap_or(horizon);
        let mass = self.body.mass;
        for (plane, share) in &self.shares {
            let given = self.frames[self.at].outward(share).map(|part| mass * duration * part);
            self.impulses[*plane] += given;
        }
        self.state.position += self.state.velocity * duration + acceleration * (duration * duration * 0.5);
        self.state.velocity += acceleration * duration;
        match stop {
            Some(_) => {
                self.state.velocity = belt;
                (duration, ContactEnd::Stopped(slip / speed))
            }
            None => (duration, ContactEnd::Horizon),
        }
    }

    /// Follows a mode to its end, or up to where the point meets another plane.
    pub(super) fn follow(
        &mut self,
        mode: Mode<D, N>,
        drive: Drive<D, N>,
        horizon: N,
    ) -> Result<Leg<D, N>, StepError<D>> {
        if self.frames.len() == 1 {
            return self.follow_alone(mode, drive, horizon);
        }
        let met = self.first_met(mode, drive, horizon);
        let leg = self.follow_alone(mode, drive, met.map_or(horizon, |(after, _)| after))?;
        match met {
            Some((duration, plane)) if leg.duration.re() >= duration.re() => {
                self.met = Some(plane);
                Ok(Leg { duration, next: None })
            }
            _ => Ok(leg),
        }
    }

    /// The plane that a mode, followed from here for `duration` s, meets first, and when.
    fn first_met(&self, mode: Mode<D, N>, drive: Drive<D, N>, duration: N) -> Option<(N, usize)> {
        // A slide is no faster than what it starts with and is given.
        let fastest = magnitude(&self.state.velocity).re() + drive.segment.scale * duration.re();
        let most = self.body.friction.re() + self.law().viscous_coefficient().re() * fastest;
        let largest = (1.0 + most) * drive.segment.scale;
        let met = (0..self.frames.len()).filter(|&plane| plane != self.at).filter_map(|plane| {
            let (gap, rate) = self.place_of(plane);
            let length = duration.re();
            if gap.re() > (rate.re().abs() + 0.5 * largest * length) * length {
                return None;
            }
            let normal = self.frames[self.at].seen[plane].normal;
            let after = match self.constant_acceleration(mode, drive) {
                Some(acceleration) => {
                    let pull = (0..D).fold(N::zero(), |sum, row| sum + acceleration[row] * normal[row]);
                    let touches = gap.re() == 0.0 && rate.re() == 0.0;
                    if touches {
                        return None;
                    }
                    ballistic_landing(gap, rate, pull).map(|landing| landing.after)
                }
                None => self.met_under_waves(plane, (mode, drive), duration, largest),
            };
            after.filter(|after| after.re() <= length).map(|after| (after, plane))
        });
        met.min_by(|a, b| a.0.re().total_cmp(&b.0.re()))
    }

    /// The acceleration of a mode, if it does not change.
    fn constant_acceleration(&self, mode: Mode<D, N>, drive: Drive<D, N>) -> Option<Vector<D, N>> {
        if !drive.is_constant() {
            return None;
        }
        let acceleration = drive.acceleration(N::zero());
        match mode {
            Mode::Flight => Some(acceleration),
            Mode::Glide => Some(tangential(&acceleration)),
            Mode::Slide(_) if !self.law().slides_evenly() => None,
            Mode::Slide(direction) => {
                let mu = self.law().kinetic_coefficient();
                Some(direction * (direction.dot(&acceleration) + mu * acceleration[D - 1]))
            }
            Mode::Stick => Some(Vector::zeros()),
            Mode::Edge(acceleration) => Some(acceleration),
            Mode::Turn(_) => None,
        }
    }

    /// When a plane is met in a mode whose acceleration changes, by at most `largest` in m/s^2.
    fn met_under_waves(
        &self,
        plane: usize,
        (mode, drive): (Mode<D, N>, Drive<D, N>),
        duration: N,
        largest: f64,
    ) -> Option<N> {
        let seen = &self.frames[self.at].seen[plane];
        let touching = self.touching(plane);
        let at = |s: f64| {
            let mut events = Vec::new();
            let mut probe =
                Motion { events: &mut events, impulses: self.impulses.clone(), shares: Vec::new(), ..*self };
            // What the whole leg did not fail at, none of its parts does.
            let _ = probe.follow_alone(mode, drive, N::constant(s));
            let gap = seen.gap(&probe.state.position, self.elapsed - self.entered + s);
            (gap.re(), seen.rate(&probe.state.velocity).re())
        };
        let guard = Guard { value: |s| -at(s).0 - touching, slope: |s: f64| -at(s).1, curvature: largest };
        first_exit(duration.re(), &guard).map(N::constant)
    }

    /// Whether a train of bounces since `before`, that rose to `top` m at most and took `duration` s, kept off all
    /// other planes: it went straight along its own one.
    pub(super) fn is_clear_since(&self, before: &Snapshot<D, N>, top: N, duration: N) -> bool {
        let way = tangential(&(self.state.position - before.state.position)).map(|x| x.re());
        (0..self.frames.len()).filter(|&plane| plane != self.at).all(|plane| {
            let seen = &self.frames[self.at].seen[plane];
            let gap = seen.gap(&before.state.position, before.elapsed - self.entered).re();
            let touching = self.touching(plane);
            let closing = |way: f64| way.min(0.0);
            let nearest = closing(seen.normal.dot(&way))
                + closing(seen.normal[D - 1] * top.re())
                + closing(-seen.normal.dot(&seen.velocity) * duration.re());
            gap + nearest > touching || nearest >= -touching
        })
    }
}
