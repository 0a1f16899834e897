use super::{
    drive::Drive,
    first_exit::{Guard, first_exit, with_derivative},
    motion::{ContactEnd, Motion},
    timeline::unit,
};
use crate::model::{Number, Vector, magnitude, tangential};

impl<const D: usize, N: Number> Motion<'_, D, N> {
    /// Moves along the ground without friction.
    pub(super) fn glide(&mut self, drive: Drive<D, N>, horizon: N) -> (N, ContactEnd<D, N>) {
        let (duration, end) = match lift_off(drive, horizon) {
            Some(lift_off) => (lift_off, ContactEnd::LiftOff),
            None => (horizon, ContactEnd::Horizon),
        };
        let gain = drive.velocity_gain(duration);
        self.state.position += tangential(&(self.state.velocity * duration + drive.displacement(duration)));
        self.state.velocity += tangential(&gain);
        self.impulse[D - 1] -= self.body.mass * gain[D - 1];
        (duration, end)
    }

    /// Slides on a straight line along `direction` until it stops, lifts off or the time is up.
    ///
    /// With the normal force `N = -m a_z` the speed obeys `w' = d.a - mu N/m = (d + mu e_z).a`, `mu` that of
    /// motion, the same at all speeds.
    pub(super) fn slide(
        &mut self,
        direction: Vector<D, N>,
        drive: Drive<D, N>,
        horizon: N,
    ) -> (N, ContactEnd<D, N>) {
        let lift_off = lift_off(drive, horizon);
        let horizon = lift_off.unwrap_or(horizon);
        let along = drive.along(direction + unit::<D, N>(D - 1) * self.law().kinetic_coefficient());
        let speed = direction.dot(&self.state.velocity);
        let stop = if drive.is_constant() {
            let acceleration = along.acceleration(N::zero());
            let stops = acceleration.re() < 0.0;
            stops.then(|| -speed / acceleration).filter(|stop| stop.re() <= horizon.re())
        } else {
            let backward = |s: N| -(speed + along.velocity_gain(s));
            let slowing = |s: f64| -along.acceleration(s.into()).re();
            let value = |s: f64| backward(s.into()).re();
            let guard = Guard { value, slope: slowing, curvature: along.derivative_bound(1) };
            first_exit(horizon.re(), &guard).map(|stop| with_derivative(stop, backward, slowing(stop)))
        };
        let duration = stop.unwrap_or(horizon);
        let velocity = match stop {
            Some(_) => Vector::zeros(),
            None => direction * (speed + along.velocity_gain(duration)).positive_part(),
        };
        let step = direction * (speed * duration + along.displacement(duration));
        self.advance_on_ground(drive, duration, step, velocity);
        let end = match (stop, lift_off) {
            (Some(_), _) => ContactEnd::Stopped(direction),
            (None, Some(_)) => ContactEnd::LiftOff,
            (None, None) => ContactEnd::Horizon,
        };
        (duration, end)
    }

    /// Rests until the push overcomes friction, lifts the point off, or the time is up.
    pub(super) fn stick(&mut self, drive: Drive<D, N>, horizon: N) -> (N, ContactEnd<D, N>) {
        let lift_off = lift_off(drive, horizon);
        let breakaway = self.breakaway(drive, lift_off.unwrap_or(horizon));
        let (duration, end) = match (breakaway, lift_off) {
            (Some((after, direction)), _) => (after, ContactEnd::Breaks(direction)),
            (None, Some(after)) => (after, ContactEnd::LiftOff),
            (None, None) => (horizon, ContactEnd::Horizon),
        };
        self.advance_on_ground(drive, duration, Vector::zeros(), Vector::zeros());
        (duration, end)
    }

    /// Moves by `step` along the ground to the velocity `velocity`; what the drive does not explain
    /// is the impulse of the contact.
    pub(super) fn advance_on_ground(
        &mut self,
        drive: Drive<D, N>,
        duration: N,
        step: Vector<D, N>,
        velocity: Vector<D, N>,
    ) {
        let change = velocity - self.state.velocity - drive.velocity_gain(duration);
        self.impulse += change * self.body.mass;
        self.state.position += step;
        self.state.velocity = velocity;
    }

    /// When and in which direction `|a_t| - mu N/m` becomes positive.
    fn breakaway(&self, drive: Drive<D, N>, horizon: N) -> Option<(N, Vector<D, N>)> {
        if drive.is_constant() {
            return None;
        }
        match drive.segment.line {
            Some(line) => [line, -line]
                .into_iter()
                .filter_map(|direction| Some((self.breakaway_along(direction, drive, horizon)?, direction)))
                .min_by(|a, b| a.0.re().total_cmp(&b.0.re())),
            None => self.breakaway_over_plane(drive, horizon),
        }
    }

    fn breakaway_along(&self, direction: Vector<D, N>, drive: Drive<D, N>, horizon: N) -> Option<N> {
        let mu = self.body.friction;
        let along = drive.along(direction + unit::<D, N>(D - 1) * mu);
        let noise = (1.0 + mu.re()) * drive.noise();
        let excess = |s: N| along.acceleration(s);
        let slope = |s: f64| along.jerk(s.into()).re();
        let value = |s: f64| excess(s.into()).re() - noise;
        let guard = Guard { value, slope, curvature: along.derivative_bound(2) };
        let after = first_exit(horizon.re(), &guard)?;
        Some(with_derivative(after, excess, slope(after)))
    }

    /// Where the direction of the push turns too: the guard is `|a_t|^2 - (mu a_z)^2`.
    fn breakaway_over_plane(&self, drive: Drive<D, N>, horizon: N) -> Option<(N, Vector<D, N>)> {
        let mu = self.body.friction;
        // The quadratic form that turns the vector a into the guard.
        let form = |a: &Vector<D, N>, b: &Vector<D, N>| tangential(a).dot(b) - mu * mu * a[D - 1] * b[D - 1];
        let scale = drive.segment.scale;
        let noise = (1.0 + mu.re()) * (1.0 + mu.re()) * scale * drive.noise();
        let (first, second) = (drive.derivative_bound(1), drive.derivative_bound(2));
        let excess = |s: N| {
            let a = drive.acceleration(s);
            form(&a, &a)
        };
        let slope = |s: f64| 2.0 * form(&drive.acceleration(s.into()), &drive.jerk(s.into())).re();
        let value = |s: f64| excess(s.into()).re() - noise;
        let curvature = 2.0 * (1.0 + mu.re() * mu.re()) * (first * first + scale * second);
        let after = first_exit(horizon.re(), &Guard { value, slope, curvature })?;
        let after = with_derivative(after, excess, slope(after));
        let push = tangential(&drive.acceleration(after));
        Some((after, push / magnitude(&push)))
    }
}

/// When the ground would have to pull: the first time the drive's normal component is positive.
pub(super) fn lift_off<const D: usize, N: Number>(drive: Drive<D, N>, horizon: N) -> Option<N> {
    let normal = drive.normal();
    if normal.derivative_bound(1) == 0.0 {
        return None;
    }
    let noise = drive.noise();
    let pull = |s: N| normal.acceleration(s);
    let slope = |s: f64| normal.jerk(s.into()).re();
    let value = |s: f64| pull(s.into()).re() - noise;
    let guard = Guard { value, slope, curvature: normal.derivative_bound(2) };
    let after = first_exit(horizon.re(), &guard)?;
    Some(with_derivative(after, pull, slope(after)))
}
