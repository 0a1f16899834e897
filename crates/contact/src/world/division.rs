//! Steps of points that are divided at events: a landing, and the end of a slide.

use crate::model::{MarginKind, Number, Vector, magnitude};

/// Parts of a step shorter than this, as a part of the whole, are not solved for: nothing happens in
/// them.
const SHORTEST_PART: f64 = 1e-9;

/// Part of an acceleration along a plane that is across the slip, up to which a slide is one along a line.
const ACROSS: f64 = 1e-12;

/// The division of a step of a point near a plane, in the axes of their contact, normal last.
///
/// With the acceleration `-a` along the normal and the velocity `vf` that the step would end with in flight, a point
/// that would reach the plane lands after `tau = z/(-vfz)`, at the velocity `vz - a (tau + dt/2)`: a velocity of
/// semi-implicit Euler lags behind the motion that its positions sample by `a dt/2`. A [`ContactLaw`]
/// solves the impact, and the contact in the rest of the step; after a rebound the rest
/// is flight, `z+ = r (w - a r/2)`, `vz+ = w - a r + a dt/2` with `w` the speed of the rebound. A slide that
/// would end within the step ends where friction and push say, and what is left of the step starts from
/// rest.
///
/// First order like the step itself, but without the kinks that the sampling of impacts and stops
/// gives to its results, so that its derivative is first order too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Division<const D: usize, N = f64> {
    /// Friction coefficient `mu`.
    pub friction: N,
    /// Coefficient of restitution `e`.
    pub restitution: N,
    /// The speed below which nothing rebounds, `2 g dt` in m/s with gravity's pull towards the plane.
    pub least_rebound: N,
    /// Acceleration without contact, in m/s^2.
    pub acceleration: Vector<D, N>,
    /// Length of the step in s.
    pub dt: N,
}

/// Where a divided step leads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Divided<const D: usize, N = f64> {
    /// The way along the plane in m; the last component is the gap at the end.
    pub way: Vector<D, N>,
    /// The velocity at the end in m/s.
    pub velocity: Vector<D, N>,
}

/// Who solves the parts of a step that are in contact.
pub trait ContactLaw<const D: usize, N> {
    /// Why a part cannot be solved.
    type Error;

    /// The velocity along the plane after an impact with the velocity `slip` along it and `speed` towards it.
    ///
    /// # Errors
    /// Whatever the law says.
    fn impact(&mut self, slip: Vector<D, N>, speed: N) -> Result<Vector<D, N>, Self::Error>;

    /// The velocity along the plane after `duration` s in contact, `slip` before.
    ///
    /// # Errors
    /// Whatever the law says.
    fn ground(&mut self, slip: Vector<D, N>, duration: N) -> Result<Vector<D, N>, Self::Error>;

    /// Sees a quantity that decides a branch.
    fn branch(&mut self, _kind: MarginKind, _value: N) {}
}

impl<const D: usize, N: Number> Division<D, N> {
    /// Whether a part of so many seconds is too short to be solved for.
    pub fn is_negligible(&self, duration: N) -> bool {
        duration.re() <= SHORTEST_PART * self.dt.re()
    }

    fn along(&self) -> Vector<D, N> {
        let mut along = self.acceleration;
        along[D - 1] = N::zero();
        along
    }

    /// The restitution of an impact at `speed`, and by how much it is above what rebounds at all.
    pub fn rebound(&self, speed: N) -> (N, N) {
        let above = self.restitution * speed - self.least_rebound;
        (if above.re() > 0.0 { self.restitution } else { N::zero() }, above)
    }

    /// The step of a point at the height `z` in m over the plane with this velocity relative to it.
    ///
    /// # Errors
    /// What the law says of a part.
    pub fn advance<L: ContactLaw<D, N>>(
        &self,
        z: N,
        velocity: &Vector<D, N>,
        law: &mut L,
    ) -> Result<Divided<D, N>, L::Error> {
        let (n, along, down) = (D - 1, self.along(), -self.acceleration[D - 1]);
        let vz = velocity[n];
        let mut slip = *velocity;
        slip[n] = N::zero();
        let free = vz - down * self.dt;
        let reached = z + free * self.dt;
        law.branch(MarginKind::Contact, reached);
        if reached.re() > 0.0 || free.re() >= 0.0 {
            let mut after = slip + along * self.dt;
            after[n] = free;
            let mut way = after * self.dt;
            way[n] = reached;
            return Ok(Divided { way, velocity: after });
        }
        // What a step left there is off the plane, and closes, by what rounds in it: that is no landing, whose impact would
        // be that of half a step.
        let rounding = SHORTEST_PART * -free.re();
        if z.re() <= rounding * self.dt.re() && vz.re() >= -rounding {
            return self.on_ground(Vector::zeros(), slip, self.dt, law);
        }
        let after = -z / free;
        let speed = down * (after + self.dt * 0.5) - vz;
        let way = slip * after;
        slip += along * after;
        let left = self.dt - after;
        let (e, above) = self.rebound(speed);
        if self.restitution.re() > 0.0 {
            law.branch(MarginKind::Rebound, above);
        }
        law.branch(MarginKind::Slip, magnitude(&slip) - self.friction * (e + 1.0) * speed);
        let kept = law.impact(slip, speed)?;
        if above.re() <= 0.0 {
            return self.on_ground(way, kept, left, law);
        }
        let up = e * speed;
        let mut velocity = kept + along * left;
        let mut way = way + velocity * left;
        way[n] = (up - down * left * 0.5) * left;
        velocity[n] = up - down * left + down * self.dt * 0.5;
        Ok(Divided { way, velocity })
    }

    fn on_ground<L: ContactLaw<D, N>>(
        &self,
        way: Vector<D, N>,
        slip: Vector<D, N>,
        duration: N,
        law: &mut L,
    ) -> Result<Divided<D, N>, L::Error> {
        let along = self.along();
        let limit = self.friction * -self.acceleration[D - 1];
        let (mut slip, mut duration) = (slip, duration);
        let speed = magnitude(&slip);
        let mut rests = speed.re() == 0.0;
        if !rests {
            let forward = along.dot(&slip) / speed;
            let across = along - slip * (forward / speed);
            let slowing = limit - forward;
            let is_straight = magnitude(&across).re() <= ACROSS * magnitude(&along).re();
            if is_straight && slowing.re() > 0.0 {
                law.branch(MarginKind::Stop, speed - slowing * duration);
                let stop = speed / slowing;
                if stop.re() < duration.re() {
                    // Until the stop the position of semi-implicit Euler does not change.
                    duration -= stop;
                    slip = Vector::zeros();
                    rests = true;
                }
            }
        }
        if rests {
            law.branch(MarginKind::Slip, magnitude(&along) - limit);
        }
        let velocity = law.ground(slip, duration)?;
        Ok(Divided { way: way + velocity * duration, velocity })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::soft_threshold;

    /// Coulomb's law without rebound.
    struct Rough<'a>(&'a Division<2>);

    impl ContactLaw<2, f64> for Rough<'_> {
        type Error = ();

        fn impact(&mut self, slip: Vector<2>, speed: f64) -> Result<Vector<2>, ()> {
            Ok(soft_threshold(&slip, self.0.friction * speed))
        }

        fn ground(&mut self, slip: Vector<2>, duration: f64) -> Result<Vector<2>, ()> {
            let Division { friction, acceleration, .. } = self.0;
            Ok(soft_threshold(&(slip + acceleration * duration), friction * -acceleration[1] * duration))
        }
    }

    /// A point that was solved for slides a rounding above or below the plane, and closes or opens by one.
    #[test]
    fn what_slides_has_the_friction_of_its_weight_wherever_rounding_leaves_it() {
        let division = Division {
            friction: 0.25,
            restitution: 0.5,
            least_rebound: 0.0,
            acceleration: Vector::<2>::new(0.0, -10.0),
            dt: 1e-3,
        };
        for z in [-1e-18, 0.0, 1e-20, 1e-18] {
            for vz in [-1e-17, 0.0, 1e-17] {
                let start = Vector::<2>::new(1.0, vz);
                let after = division.advance(z, &start, &mut Rough(&division)).expect("it has no errors");
                assert!((after.velocity[0] - 0.9975).abs() < 1e-12, "{z:e}, {vz:e}: {after:?}");
                assert_eq!((after.way[1], after.velocity[1]), (0.0, 0.0), "{z:e}, {vz:e}");
            }
        }
    }
}
