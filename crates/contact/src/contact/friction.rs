//! The law of friction of a contact.
//!
//! A solver sees one number, the coefficient that holds in its solve ([`Contact::friction`](super::Contact::friction)). Where
//! the law has more than one, a stage of a step is solved in passes: each takes the coefficients that follow from how the
//! contacts are held, and what it finds decides whether one of them is held otherwise in the next.

use nalgebra::SVector;
use num_dual::Dual64;

use crate::model::Number;

/// How much of the normal impulse friction takes up at most: Coulomb's law with a coefficient at rest, one in motion that
/// falls from it with the speed of the slip (Stribeck), and a part that grows with it.
///
/// ```text
/// mu(0) = mu_s,   mu(v) = mu_k + (mu_s - mu_k) exp(-(v/v_s)^delta) + c v
/// ```
///
/// With `v_s = 0` the coefficient falls to `mu_k` at once; `delta` is 2 unless it is given, and 1 in Tustin's law. It is written in the number type `S`, so that in dual numbers its
/// coefficients carry their slopes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction<S = f64> {
    at_rest: S,
    in_motion: S,
    stribeck_velocity: S,
    stribeck_exponent: f64,
    viscous: S,
}

/// The exponent `delta` of Stribeck's curve where none is given.
pub const STRIBECK_EXPONENT: f64 = 2.0;

/// How many times what its load changes a velocity by in a step a contact may slip, and still count as at rest.
const REST: f64 = 2.0;

impl<S: Number> Default for Friction<S> {
    fn default() -> Self {
        Self::coulomb(S::zero())
    }
}

/// Which friction acts at a contact in a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hold<S = f64> {
    /// That of rest: the contact may stick.
    Static,
    /// That of motion, at this speed of the slip in m/s.
    Kinetic(S),
}

impl<S: Number> Friction<S> {
    /// Coulomb's law with one coefficient `mu >= 0`.
    pub fn coulomb(coefficient: S) -> Self {
        Self::static_and_kinetic(coefficient, coefficient)
    }

    /// Coulomb's law with the coefficient `mu_s` at rest and `mu_k`, 0 to `mu_s`, in motion.
    pub fn static_and_kinetic(at_rest: S, in_motion: S) -> Self {
        Self {
            at_rest,
            in_motion,
            stribeck_velocity: S::zero(),
            stribeck_exponent: STRIBECK_EXPONENT,
            viscous: S::zero(),
        }
    }

    /// This law with a coefficient that falls from rest to motion about the slip `v_s >= 0` in m/s, and grows by `c >= 0` in
    /// s/m with the slip.
    #[must_use]
    pub fn with_speed(self, stribeck_velocity: S, viscous: S) -> Self {
        Self { stribeck_velocity, viscous, ..self }
    }

    /// This law with Stribeck's curve of the exponent `delta >= 1`.
    #[must_use]
    pub fn with_stribeck_exponent(self, stribeck_exponent: f64) -> Self {
        Self { stribeck_exponent, ..self }
    }

    /// The coefficient `mu_s` up to which a contact sticks.
    pub const fn static_coefficient(&self) -> S {
        self.at_rest
    }

    /// The coefficient `mu_k` that slow slips fall to, without the part that grows with them.
    pub const fn kinetic_coefficient(&self) -> S {
        self.in_motion
    }

    /// The slip `v_s` in m/s about which the coefficient falls from `mu_s` to `mu_k`; 0 where it jumps.
    pub const fn stribeck_velocity(&self) -> S {
        self.stribeck_velocity
    }

    /// The exponent `delta` of Stribeck's curve.
    pub const fn stribeck_exponent(&self) -> f64 {
        self.stribeck_exponent
    }

    /// The growth `c` of the coefficient with the slip in s/m.
    pub const fn viscous_coefficient(&self) -> S {
        self.viscous
    }

    /// This law with all coefficients `factor` times as large.
    #[must_use]
    pub fn scaled(self, factor: S) -> Self {
        Self {
            at_rest: self.at_rest * factor,
            in_motion: self.in_motion * factor,
            viscous: self.viscous * factor,
            ..self
        }
    }

    /// This law in other numbers.
    pub fn map<T: Number>(self, number: impl Fn(S) -> T) -> Friction<T> {
        Friction {
            at_rest: number(self.at_rest),
            in_motion: number(self.in_motion),
            stribeck_velocity: number(self.stribeck_velocity),
            stribeck_exponent: self.stribeck_exponent,
            viscous: number(self.viscous),
        }
    }

    /// The coefficient that holds in a solve.
    pub fn coefficient(&self, hold: Hold<S>) -> S {
        let Self { at_rest, in_motion, stribeck_velocity, stribeck_exponent, viscous } = *self;
        match hold {
            Hold::Static => at_rest,
            Hold::Kinetic(slip) if stribeck_velocity.re() > 0.0 => {
                let speed = slip / stribeck_velocity;
                let power = match stribeck_exponent {
                    // Exact, and with a slope at rest in all number types.
                    1.0 => speed,
                    2.0 => speed * speed,
                    exponent if speed.re() > 0.0 => speed.powf(exponent),
                    _ => S::zero(),
                };
                in_motion + (at_rest - in_motion) * (-power).exp() + viscous * slip
            }
            Hold::Kinetic(slip) => in_motion + viscous * slip,
        }
    }

    /// Whether friction falls at once as something breaks loose, as far as steps tell in which what it falls by makes gravity give
    /// it up to `speed_of_gravity` m/s: most of the fall is over within the first of them.
    pub fn falls_at_once(&self, speed_of_gravity: S) -> bool {
        let falls = self.at_rest - self.in_motion;
        let dry = Self { viscous: S::zero(), ..*self };
        let left = dry.coefficient(Hold::Kinetic(falls * speed_of_gravity)) - self.in_motion;
        falls.re() > 0.0 && left.re() < 0.5 * falls.re()
    }

    /// Whether the coefficient depends on how the contact is held, so that a step may need another solve.
    pub fn depends_on_slip(&self) -> bool {
        self.at_rest.re() != self.in_motion.re() || self.viscous.re() != 0.0
    }

    /// Whether the coefficient falls gradually as a slide begins, rather than at once.
    pub fn has_stribeck_curve(&self) -> bool {
        self.stribeck_velocity.re() > 0.0 && self.at_rest.re() != self.in_motion.re()
    }

    /// Whether what slides has one coefficient, however fast.
    pub fn slides_evenly(&self) -> bool {
        self.viscous.re() == 0.0 && !self.has_stribeck_curve()
    }

    /// The slip in m/s up to which a contact counts as at rest where a step begins: what its friction at rest takes of the speed
    /// `impact_speed` from which on a contact hits, or of twice what its `load` changes a velocity by in a step. The arm of what
    /// tips turns by as much within a step, and that is no slip.
    pub fn rest_zone(&self, impact_speed: S, load: S) -> S {
        let loaded = load * REST;
        self.at_rest * if loaded.re() > impact_speed.re() { loaded } else { impact_speed }
    }
}

impl Friction {
    /// How fast in s/m the coefficient that holds in a solve grows with the slip.
    pub fn slope(&self, hold: Hold) -> f64 {
        self.coefficient_rate(self, hold, 1.0)
    }

    /// The derivative of the coefficient that holds in a solve, where the numbers of the law change as fast as takes them to
    /// those of `grown` in a unit of time, and the slip by `hastened` m/s.
    pub fn coefficient_rate(&self, grown: &Self, hold: Hold, hastened: f64) -> f64 {
        let of = |number: fn(&Self) -> f64| Dual64::new(number(self), number(grown) - number(self));
        let law = Friction::static_and_kinetic(of(Self::static_coefficient), of(Self::kinetic_coefficient))
            .with_speed(of(Self::stribeck_velocity), of(Self::viscous_coefficient))
            .with_stribeck_exponent(self.stribeck_exponent);
        let hold = match hold {
            Hold::Static => Hold::Static,
            Hold::Kinetic(slip) => Hold::Kinetic(Dual64::new(slip, hastened)),
        };
        law.coefficient(hold).eps
    }
}

/// A contact in the passes of a stage.
///
/// It turns once at most and is released once at most, so that `n` contacts need no more than `2 n + 1` passes; at the end
/// each sticks in its cone or slides on the coefficient that was solved with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionPass<const D: usize> {
    /// Which friction acts in the next solve.
    pub hold: Hold,
    /// At the start of the step.
    slip: SVector<f64, D>,
    has_turned: bool,
}

impl<const D: usize> FrictionPass<D> {
    /// The first pass of a contact with this `slip` at the start of the step, in m/s, that counts as at rest up to the speed
    /// `zone`. In the place of the normal component a slip has that of drilling, 0 where nothing resists it.
    pub fn first(slip: &SVector<f64, D>, zone: f64) -> Self {
        let is_static = slip.norm() <= zone;
        let hold = if is_static { Hold::Static } else { Hold::Kinetic(slip.norm()) };
        Self { hold, slip: *slip, has_turned: is_static }
    }

    /// The decision after a solve that left a contact that presses with the slip `after` in m/s: what stuck
    /// and slips is released, what slid backwards has passed rest and may stick. Whether another solve is needed.
    pub fn decide(&mut self, after: &SVector<f64, D>) -> bool {
        match self.hold {
            Hold::Static => {
                self.hold = Hold::Kinetic(after.norm());
                true
            }
            Hold::Kinetic(_) if !self.has_turned && after.dot(&self.slip) < 0.0 => {
                (self.hold, self.has_turned) = (Hold::Static, true);
                true
            }
            Hold::Kinetic(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector2;

    use super::*;

    #[test]
    fn what_rests_is_released_once() {
        let mut pass = FrictionPass::first(&Vector2::new(0.0, 0.01), 0.02);
        assert_eq!(pass.hold, Hold::Static);
        assert!(pass.decide(&Vector2::new(0.0, -0.3)));
        assert_eq!(pass.hold, Hold::Kinetic(0.3));
        assert!(!pass.decide(&Vector2::new(0.0, 0.3)), "it slides on");
    }

    #[test]
    fn what_slides_may_stick_once_it_turns() {
        let mut pass = FrictionPass::first(&Vector2::new(0.0, 0.4), 0.02);
        assert_eq!(pass.hold, Hold::Kinetic(0.4));
        assert!(!pass.decide(&Vector2::new(0.0, 0.3)));
        assert!(pass.decide(&Vector2::new(0.0, -0.1)));
        assert_eq!(pass.hold, Hold::Static);
        assert!(pass.decide(&Vector2::new(0.0, -0.1)));
        assert!(!pass.decide(&Vector2::new(0.0, 0.1)), "a second turn changes nothing");
    }

    #[test]
    fn coefficients_carry_their_slopes_in_dual_numbers() {
        let number = |value: f64, slope: f64| {
            num_dual::DualSVec64::<1>::new(value, num_dual::Derivative::some([slope].into()))
        };
        let law = Friction::static_and_kinetic(number(0.4, 1.0), number(0.25, 2.0));
        let slope = |hold| law.coefficient(hold).eps.unwrap_generic(nalgebra::Const::<1>, nalgebra::U1)[0];
        assert_eq!((slope(Hold::Static), slope(Hold::Kinetic(number(0.1, 0.0)))), (1.0, 2.0));
        assert!(!Friction::coulomb(0.4).depends_on_slip() && law.depends_on_slip());
    }

    #[test]
    fn a_fall_within_a_step_is_one_at_once() {
        let law = |speed: f64| Friction::static_and_kinetic(0.4, 0.25).with_speed(speed, 0.1);
        assert!(law(0.0).falls_at_once(0.0) && law(1e-6).falls_at_once(1e-2));
        assert!(!law(0.1).falls_at_once(1e-2) && !Friction::coulomb(0.4).falls_at_once(1e-2));
    }

    #[test]
    fn the_rate_of_a_coefficient_is_that_of_its_law_and_of_the_slip() {
        let law = Friction::static_and_kinetic(0.4, 0.25).with_speed(0.1, 0.1);
        let grown = Friction::static_and_kinetic(0.4, 0.25).with_speed(0.1, 1.1);
        let at = Hold::Kinetic(0.07);
        assert!((law.coefficient_rate(&grown, at, 0.0) - 0.07).abs() < 1e-15, "c v grows by v");
        assert_eq!(law.coefficient_rate(&grown, Hold::Static, 1.0), 0.0);
        let slope = (law.coefficient(Hold::Kinetic(0.07 + 1e-6))
            - law.coefficient(Hold::Kinetic(0.07 - 1e-6)))
            / 2e-6;
        assert!((law.coefficient_rate(&law, at, 1.0) - slope).abs() < 1e-9);
    }

    #[test]
    fn the_coefficient_falls_with_the_slip_and_grows_again() {
        let law = Friction::static_and_kinetic(0.4, 0.25).with_speed(0.1, 0.1);
        let at = |slip: f64| law.coefficient(Hold::Kinetic(slip));
        assert_eq!((law.coefficient(Hold::Static), at(0.0)), (0.4, 0.4));
        assert!((at(0.1) - (0.25 + 0.15 * (-1.0_f64).exp() + 0.01)).abs() < 1e-15);
        let tustin = law.with_stribeck_exponent(1.0);
        assert!(
            (tustin.coefficient(Hold::Kinetic(0.2)) - (0.25 + 0.15 * (-2.0_f64).exp() + 0.02)).abs() < 1e-15
        );
        assert_eq!(tustin.coefficient(Hold::Kinetic(0.0)), 0.4);
        assert!((at(1e3) - 100.25).abs() < 1e-12 && at(0.1) < at(0.02));
        assert!(Friction::coulomb(0.4).with_speed(0.0, 0.5).depends_on_slip());
        assert!(!Friction::coulomb(0.4).with_speed(0.1, 0.0).depends_on_slip());
        assert!(!law.slides_evenly() && Friction::static_and_kinetic(0.4, 0.25).slides_evenly());
        for law in [law, tustin] {
            for slip in [0.01, 0.1, 0.3] {
                let at = |slip| law.coefficient(Hold::Kinetic(slip));
                let slope = (at(slip + 1e-6) - at(slip - 1e-6)) / 2e-6;
                assert!((law.slope(Hold::Kinetic(slip)) - slope).abs() < 1e-8, "{slip}");
            }
        }
        assert_eq!(law.slope(Hold::Kinetic(0.0)), 0.1);
    }
}
