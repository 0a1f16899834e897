//! Friction of a single point where its coefficient depends on the slip.

use super::PointInput;
use crate::{
    contact::{Friction, FrictionPass, Hold},
    model::{Number, PointMass, State, Vector, magnitude, soft_threshold, tangential},
    world::{HELD, SLIGHT, impact_speed},
};

/// A law of friction, and the slip of the point as a step begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct PointFriction<const D: usize, N = f64> {
    law: Friction<N>,
    before: Vector<D, N>,
    /// The speed in m/s up to which that slip counts as rest.
    zone: f64,
}

/// What is left of a slip, and the number that decides whether anything is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Left<const D: usize, N> {
    /// Along the ground, in m/s.
    pub slip: Vector<D, N>,
    /// The free speed in m/s less what friction can take of it: the point slips where it is positive.
    pub excess: N,
}

impl<const D: usize, N: Number> PointFriction<D, N> {
    /// The `law` in a step of `dt` s of `body` from `state`, which takes it to the velocity `free` without contact. What presses
    /// it to the ground in this step is taken for its load: that of the step before is not known to a step that stands alone,
    /// and differs by the change of a push.
    pub fn new(
        law: Friction<N>,
        body: &PointMass<D, N>,
        state: &State<D, N>,
        free: &Vector<D, N>,
        dt: N,
    ) -> Self {
        let fastest = state.velocity.iter().map(|v| v.re().abs()).fold(0.0, f64::max);
        let load = (state.velocity[D - 1] - free[D - 1]).positive_part();
        let zone = law
            .map(|number| number.re())
            .rest_zone(impact_speed(body.gravity_norm().re(), dt.re(), fastest), load.re());
        Self { law, before: tangential(&state.velocity), zone }
    }

    /// What friction leaves of the velocity `free` along the ground, where the normal impulse changes that across it by `press`
    /// in m/s: the answer of the passes ([`FrictionPass`]) in closed form, which is the only one for one contact.
    ///
    /// With `u_k` the slip before and `u` the free one, `a` for `press`:
    ///
    /// ```text
    /// |u_k| > zone:   v = |u| - a mu(|u_k|);   v <= 0: rest;   u.u_k > 0: v u/|u|
    /// |u| <= a mu_s:  rest
    /// else:           max(0, |u| - a mu(|u| - a mu_s)) u/|u|
    /// ```
    pub fn left(&self, free: &Vector<D, N>, press: N) -> Left<D, N> {
        let slip = tangential(free);
        if !self.law.depends_on_slip() {
            let h = self.law.static_coefficient() * press;
            return Left { slip: soft_threshold(free, h), excess: magnitude(&slip) - h };
        }
        let speed = magnitude(&slip);
        if press.re() == 0.0 {
            return Left { slip, excess: speed };
        }
        let kept = |excess: N| {
            let is_left = excess.re() > 0.0;
            Left { slip: if is_left { slip * (excess / speed) } else { Vector::zeros() }, excess }
        };
        let was = magnitude(&self.before);
        if was.re() > self.zone {
            let slides = kept(speed - press * self.law.coefficient(Hold::Kinetic(was)));
            if slides.excess.re() <= 0.0 || slip.dot(&self.before).re() > 0.0 {
                return slides;
            }
        }
        let sticks = speed - press * self.law.static_coefficient();
        if sticks.re() <= 0.0 {
            return Left { slip: Vector::zeros(), excess: sticks };
        }
        kept(speed - press * self.law.coefficient(Hold::Kinetic(sticks)))
    }
}

/// The passes of a step of a point, for formulations that find its friction by a solve.
#[derive(Debug, Clone, Copy)]
pub(super) struct PointPasses<const D: usize> {
    law: Friction,
    pass: FrictionPass<D>,
    /// The velocity in m/s without contact, and what of a velocity counts as none.
    free: Vector<D>,
    slight: f64,
}

impl<const D: usize> PointPasses<D> {
    /// Those of the step `input` of `body` by a `law`.
    pub fn new(law: Friction, body: &PointMass<D>, input: &PointInput<D>, free: &Vector<D>) -> Self {
        let PointFriction { before, zone, .. } = PointFriction::new(law, body, &input.state, free, input.dt);
        let pass = FrictionPass::first(&before, zone);
        Self { law, pass, free: *free, slight: SLIGHT * free.amax() }
    }

    /// The coefficient that holds in the next solve.
    pub fn coefficient(&self) -> f64 {
        if self.law.depends_on_slip() {
            self.law.coefficient(self.pass.hold)
        } else {
            self.law.static_coefficient()
        }
    }

    /// Whether there has to be another solve after one that led to `velocity`.
    pub fn revise(&mut self, velocity: &Vector<D>) -> bool {
        if !self.law.depends_on_slip() {
            return false;
        }
        let after = tangential(velocity);
        let press = velocity[D - 1] - self.free[D - 1];
        let used = (after - tangential(&self.free)).norm();
        let is_held = self.pass.hold == Hold::Static && used < HELD * self.coefficient() * press;
        press > self.slight && after.norm() > self.slight && !is_held && self.pass.decide(&after)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

    use super::*;

    /// Passes around solves, each of which shrinks the slip by its number.
    fn by_passes(friction: &PointFriction<3>, free: &Vector<3>, press: f64) -> Vector<3> {
        let mut pass = FrictionPass::first(&friction.before, friction.zone);
        loop {
            let after = soft_threshold(free, friction.law.coefficient(pass.hold) * press);
            if after.norm() == 0.0 || !pass.decide(&after) {
                return after;
            }
        }
    }

    #[test]
    fn the_closed_form_is_the_answer_of_the_passes() {
        let mut random = StdRng::seed_from_u64(7);
        let mut slipped = 0;
        for _ in 0..20_000 {
            let at_rest = random.random_range(0.0..1.0);
            let law = Friction::static_and_kinetic(at_rest, at_rest * random.random_range(0.0..1.0))
                .with_speed(random.random_range(0.0..0.5), random.random_range(0.0..0.5));
            let mut vector = |size: f64| {
                Vector::<3>::new(random.random_range(-size..size), random.random_range(-size..size), 0.0)
            };
            let (before, change) = (vector(1.0), vector(1.0));
            let (zone, press) = (random.random_range(0.0..0.3), random.random_range(0.0..2.0));
            let friction = PointFriction { law, before, zone };
            let free = before + change;
            let closed = friction.left(&free, press);
            let solved = by_passes(&friction, &free, press);
            assert!((closed.slip - solved).norm() < 1e-12, "{friction:?} {free:?} {press}");
            slipped += usize::from(closed.excess > 0.0);
        }
        assert!((2_000..18_000).contains(&slipped), "{slipped}");
    }
}
