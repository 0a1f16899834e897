//! An impact of one contact in space, followed over its normal impulse.

use nalgebra::{Matrix2, Matrix3, SMatrix, SVector, Vector2, Vector3};

use super::ImpactFriction;
use crate::model::Real;

/// Part of the velocity before the impact below which there is no slip.
const STOPPED: f64 = 1e-6;

/// How far a step of the integration goes, over the rate at which the slip may change.
const STRIDE: f64 = 0.4;

/// How far the first step goes at most, over the length of the impact if its slip stayed as it is. A contact whose slip hardly
/// changes, as that of a ball without friction, would else go far beyond its end in one step, in which that is lost in rounding.
const FIRST_STRIDE: f64 = 8.0;

/// Steps after which a slip that neither stops nor grows is followed in coarser ones.
const MOST_STEPS: usize = 500;

/// Coarse steps to what would be the end of the impact.
const COARSE: f64 = 64.0;

/// Refinements of a bracket in which something happens, and part of its width down to which it is refined: a step of Newton's
/// method squares what is left.
const REFINEMENTS: usize = 60;
const REFINED: f64 = 1e-12;

/// Steps of Newton's method to such a place, and how near it comes, as part of a step: the next one would be off by the square.
const MOST_STEPS_OF_NEWTON: usize = 6;
const FOUND: f64 = 1e-7;

/// A contact in space that closes, with nothing else that acts while it is closed.
///
/// As in the plane ([`PlanarImpact`](super::PlanarImpact)), but the slip turns while it lasts. With `ds = dp/|u_t|` its
/// equations are regular where it ends,
///
/// ```text
/// d(u, r, w)/ds = |u_t| (W f, f, u_n),   f = (1, -mu u_t/|u_t|)
/// ```
///
/// which are integrated by a Runge-Kutta method of sixth order. What comes to rest stays there if friction can hold it,
/// and else leaves in the one direction that friction keeps it in; the rest of the impact is then in closed form. In dual
/// numbers the same steps carry derivatives along, and roots are led to where they move.
///
/// Source: J. B. Keller, Impact with friction, J. Appl. Mech. 53 (1986).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialImpact<S: Real = f64> {
    /// `W = J M^-1 J'` in 1/kg, rows normal, tangents.
    pub response: Matrix3<S>,
    /// `u_n, u_t` in m/s before the impact; it closes where `u_n < 0`.
    pub velocity: Vector3<S>,
    /// The coefficients of friction.
    pub friction: ImpactFriction<S>,
    /// Coefficient of restitution `e`, of energy.
    pub restitution: S,
}

/// Velocity `u`, impulse `r` and the work `w` of its normal component.
type State<S> = SVector<S, 7>;

/// How a stretch of the impact goes on that has a constant ratio of friction to pressure.
struct Straight<S> {
    /// Friction over the normal impulse.
    friction: Vector2<S>,
    /// `du_n/dp`, positive.
    opening: S,
}

impl<S: Real> SpatialImpact<S> {
    /// The impulse `r_n, r_t` in N s; none where the contact opens.
    pub fn impulse(&self) -> Vector3<S> {
        let Self { velocity, friction, restitution: e, .. } = *self;
        if velocity[0].value() > 0.0 {
            return Vector3::zeros();
        }
        let mut state = State::zeros();
        state.fixed_rows_mut::<3>(0).copy_from(&velocity);
        // The work at the end of compression.
        let mut compressed = None;
        let rest = STOPPED * size(&velocity);
        let longest = STRIDE / (size(&self.coupling()) + friction.sliding.value() * size(&self.tangential()));
        let mut stride = longest.min(self.first_stride(size(&slip_of(&state))));
        let lost = S::one() - e * e;
        for _ in 0..MOST_STEPS {
            // Without friction, or any coupling, nothing turns the slip.
            if size(&slip_of(&state)) <= rest || !longest.is_finite() {
                return self.finish_from_rest(state, compressed);
            }
            let next = self.advanced(&state, S::constant(stride));
            match compressed {
                None if next[0].value() >= 0.0 => {
                    state = self.advanced(
                        &state,
                        self.first([&state, &next], stride, |state| state[0], |rate| rate[0]),
                    );
                    compressed = Some(state[6]);
                    if e.value() == 0.0 {
                        let end = self.straight(-slip_of(&state).normalize() * friction.sliding);
                        return self.finish(&state, None, &end);
                    }
                }
                Some(work) if next[6].value() >= (lost * work).value() => {
                    let beyond = |state: &State<S>| state[6] - lost * work;
                    return impulse_of(
                        &self.advanced(&state, self.first([&state, &next], stride, beyond, |rate| rate[6])),
                    );
                }
                // Friction may press together again what was parting.
                Some(work) if next[6].value() < work.value() => {
                    compressed = None;
                    state = next;
                }
                _ => state = next,
            }
            stride = longest.min(2.0 * stride);
        }
        let slip = slip_of(&state);
        let (present, _) = self.in_direction_of(&slip);
        let end = if present.opening.value() > 0.0 { present } else { self.at_rest().0 };
        let whole = self.finish(&state, compressed, &end) - impulse_of(&state);
        self.crawl(state, compressed, whole[0] / S::constant(COARSE), rest)
    }

    /// How far the first step goes at most, see [`FIRST_STRIDE`]; without bound where nothing closes.
    fn first_stride(&self, slip: f64) -> f64 {
        let closing = -self.velocity[0].value();
        let whole = (1.0 + self.restitution.value()) * closing / (self.response[(0, 0)].value() * slip);
        if whole > 0.0 { FIRST_STRIDE * whole } else { f64::INFINITY }
    }

    /// `W_tn`.
    fn coupling(&self) -> Vector2<S> {
        self.response.fixed_view::<2, 1>(1, 0).into()
    }

    /// `W_tt`.
    fn tangential(&self) -> Matrix2<S> {
        self.response.fixed_view::<2, 2>(1, 1).into()
    }

    fn rate(&self, state: &State<S>) -> State<S> {
        let slip = slip_of(state);
        let speed = slip.norm();
        let along = -slip * self.friction.sliding;
        let force = Vector3::new(speed, along[0], along[1]);
        let mut rate = State::zeros();
        rate.fixed_rows_mut::<3>(0).copy_from(&(self.response * force));
        rate.fixed_rows_mut::<3>(3).copy_from(&force);
        rate[6] = speed * state[0];
        rate
    }

    /// A step of a method of Runge and Kutta, of sixth order in seven stages (Butcher 1964).
    fn advanced(&self, state: &State<S>, by: S) -> State<S> {
        let part = |weight: f64| by * S::constant(weight);
        let a = self.rate(state);
        let b = self.rate(&(state + a * part(1.0 / 3.0)));
        let c = self.rate(&(state + b * part(2.0 / 3.0)));
        let d = self.rate(&(state + (a - c) * part(1.0 / 12.0) + b * part(1.0 / 3.0)));
        let e = self.rate(
            &(state + b * part(9.0 / 8.0)
                - a * part(1.0 / 16.0)
                - c * part(3.0 / 16.0)
                - d * part(3.0 / 8.0)),
        );
        let f = self
            .rate(&(state + b * part(9.0 / 8.0) - c * part(3.0 / 8.0) - d * part(3.0 / 4.0) + e * part(0.5)));
        let g = self.rate(
            &(state + a * part(9.0 / 44.0) - b * part(9.0 / 11.0)
                + c * part(63.0 / 44.0)
                + d * part(18.0 / 11.0)
                - f * part(16.0 / 11.0)),
        );
        state + (a + g) * part(11.0 / 120.0) + (c + d) * part(81.0 / 120.0) - (e + f) * part(32.0 / 120.0)
    }

    /// How far into a step, which leads to `next`, a quantity comes to zero that is positive at its end, by its `rate`: by Newton's
    /// method from where the cubic does that has its values and rates at both ends.
    fn first(
        &self,
        [state, next]: [&State<S>; 2],
        stride: f64,
        quantity: impl Fn(&State<S>) -> S,
        rate: impl Fn(&State<S>) -> S,
    ) -> S {
        let values = [state, next].map(|end| quantity(end).value());
        let slopes = [state, next].map(|end| rate(&self.rate(end)).value() * stride);
        let cubic = |x: f64| {
            let [rest, square] = [1.0 - x, x * x];
            rest * rest * ((1.0 + 2.0 * x) * values[0] + x * slopes[0])
                + square * ((3.0 - 2.0 * x) * values[1] - rest * slopes[1])
        };
        // A step of Newton's method; where the quantity does not grow it stays.
        let nearer = |place: f64| {
            let at = self.advanced(state, S::constant(place));
            let slope = rate(&self.rate(&at)).value();
            let missed = if slope > 0.0 { quantity(&at) / S::constant(slope) } else { S::zero() };
            (S::constant(place) - missed, slope > 0.0)
        };
        let mut place = stride * rising_root(1.0, cubic);
        for _ in 0..MOST_STEPS_OF_NEWTON {
            let (root, grows) = nearer(place);
            if !grows || !(0.0..=stride).contains(&root.value()) {
                break;
            }
            if (root.value() - place).abs() <= FOUND * stride {
                return root;
            }
            place = root.value();
        }
        nearer(rising_root(stride, |by| quantity(&self.advanced(state, S::constant(by))).value())).0
    }

    fn straight(&self, friction: Vector2<S>) -> Straight<S> {
        Straight { friction, opening: self.response[(0, 0)] + self.coupling().dot(&friction) }
    }

    /// How it goes on from rest, and whether it is held; else it slips away with the friction that keeps its direction.
    fn at_rest(&self) -> (Straight<S>, bool) {
        let ImpactFriction { held, released, .. } = self.friction;
        let (friction, holds) = self.friction_from(self.coupling(), [held, released]);
        (self.straight(-friction), holds)
    }

    /// How it goes on in the direction of its slip, and the normal impulse after which it would then end, if it does.
    fn in_direction_of(&self, slip: &Vector2<S>) -> (Straight<S>, Option<S>) {
        let present = self.straight(-slip.normalize() * self.friction.sliding);
        let slowing = -(self.coupling() + self.tangential() * present.friction).dot(slip);
        let ends = (slowing.value() > 0.0).then(|| slip.norm_squared() / slowing);
        (present, ends)
    }

    /// The state after a normal impulse `by` with friction in a constant ratio to it.
    fn moved(&self, state: &State<S>, by: S, straight: &Straight<S>) -> State<S> {
        let along = straight.friction * by;
        let after = state[0] + straight.opening * by;
        let slip = slip_of(state) + self.coupling() * by + self.tangential() * along;
        let impulse = impulse_of(state) + Vector3::new(by, along[0], along[1]);
        let work = state[6] + by * (state[0] + after) * S::constant(0.5);
        State::from_column_slice(&[after, slip[0], slip[1], impulse[0], impulse[1], impulse[2], work])
    }

    /// The impulse at the end once the slip is so little that its direction is the last one.
    fn finish_from_rest(&self, mut state: State<S>, mut compressed: Option<S>) -> Vector3<S> {
        if size(&slip_of(&state)) > 0.0
            && let (present, Some(by)) = self.in_direction_of(&slip_of(&state))
        {
            if present.opening.value() > 0.0 {
                let end = self.finish(&state, compressed, &present);
                if end[0].value() - state[3].value() <= by.value() {
                    return end;
                }
            }
            let next = self.moved(&state, by, &present);
            compressed = compressed_by(&state, &next, compressed, &present);
            state = next;
        }
        let (straight, holds) = self.at_rest();
        if let Some(factor) = self.tangential().cholesky().filter(|_| holds) {
            // What is left of it changes nothing any more, but it changes.
            let stopping = factor.solve(&slip_of(&state)).map(|along| S::constant(along.value()) - along);
            state[0] += self.coupling().dot(&stopping);
            state[4] += stopping[0];
            state[5] += stopping[1];
        }
        self.finish(&state, compressed, &straight)
    }

    /// The `x` with `free - W_tt x = 0` within what friction holds, which it then does, or else with `free - W_tt x` along `x`
    /// and as much as friction gives to what is released.
    fn friction_from(&self, free: Vector2<S>, [held, released]: [S; 2]) -> (Vector2<S>, bool) {
        let tangential = self.tangential();
        let Some(sticking) = tangential.cholesky().map(|factor| factor.solve(&free)) else {
            return (Vector2::zeros(), false);
        };
        if size(&sticking) <= held.value() {
            return (sticking, held.value() > 0.0);
        }
        let solved = |speed: S, right: &Vector2<S>| {
            let matrix = Matrix2::identity() * speed + tangential * released;
            matrix.cholesky().map_or_else(Vector2::zeros, |factor| factor.solve(right))
        };
        // The length of the direction falls with the speed; at the root it is 1.
        let fastest = rising_root(size(&free), |speed| 1.0 - size(&solved(S::constant(speed), &free)));
        let speed = S::constant(fastest);
        let direction = solved(speed, &free);
        let slope = -direction.dot(&solved(speed, &direction)).value() * 2.0;
        let missed = (direction.norm_squared() - S::one()) / S::constant(slope);
        (solved(if slope < 0.0 { speed - missed } else { speed }, &free) * released, false)
    }

    /// The impulse at the end where the rest of the impact is straight.
    fn finish(&self, state: &State<S>, compressed: Option<S>, straight: &Straight<S>) -> Vector3<S> {
        let e = self.restitution;
        let (un, work, k) = (state[0], state[6], straight.opening);
        let two = S::constant(2.0);
        let by = match compressed {
            None => {
                let lowest = work - un * un / (two * k);
                -un / k + e * root(-two * lowest / k)
            }
            Some(lowest) => {
                let missing = two * k * ((S::one() - e * e) * lowest - work);
                (root(un * un + missing) - un) / k
            }
        };
        let along = straight.friction * by;
        impulse_of(state) + Vector3::new(by, along[0], along[1])
    }

    /// The impulse at the end of an impact whose slip is followed in equal steps of the normal impulse, with the friction of
    /// the end of each, until it is no more than `rest`.
    fn crawl(&self, mut state: State<S>, mut compressed: Option<S>, by: S, rest: f64) -> Vector3<S> {
        let (e, sliding) = (self.restitution, self.friction.sliding);
        let lost = S::one() - e * e;
        for _ in 0..MOST_STEPS {
            let slip = slip_of(&state);
            let (present, ends) = self.in_direction_of(&slip);
            let (by, straight) = match ends.filter(|ends| ends.value() <= by.value()) {
                Some(ends) => (ends, present),
                None => {
                    let free = slip + self.coupling() * by;
                    (by, self.straight(-self.friction_from(free, [sliding * by; 2]).0 / by))
                }
            };
            let next = self.moved(&state, by, &straight);
            let work = next[6];
            compressed = compressed_by(&state, &next, compressed, &straight);
            let is_over = |lowest: S| work.value() >= (lost * lowest).value();
            if straight.opening.value() > 0.0 && compressed.is_some_and(is_over) {
                return self.finish(&state, compressed, &straight);
            }
            state = next;
            if size(&slip_of(&state)) <= rest {
                return self.finish_from_rest(state, compressed);
            }
        }
        self.finish(&state, compressed, &self.at_rest().0)
    }
}

/// The work at the end of compression, if that is over after a straight stretch from a state to the next one.
fn compressed_by<S: Real>(
    state: &State<S>,
    next: &State<S>,
    compressed: Option<S>,
    straight: &Straight<S>,
) -> Option<S> {
    match compressed {
        None if next[0].value() >= 0.0 && straight.opening.value() > 0.0 => {
            Some(state[6] - state[0] * state[0] / (S::constant(2.0) * straight.opening))
        }
        // Friction may press together again what was parting.
        Some(lowest) if next[6].value() < lowest.value() => None,
        _ => compressed,
    }
}

/// Where a continuous function that is not positive at 0 comes to be positive before `end`, where it is: by the secants of Illinois,
/// which halve the value at an end that stays.
fn rising_root(end: f64, value: impl Fn(f64) -> f64) -> f64 {
    let (mut before, mut after) = (0.0, end);
    let (mut below, mut above) = (value(before), value(after));
    if below >= 0.0 {
        return before;
    }
    // The end that moved last: -1 for the one before, 1 for the one after.
    let mut last = 0;
    for _ in 0..REFINEMENTS {
        if above <= 0.0 || after - before <= REFINED * end {
            break;
        }
        let secant = (before * above - after * below) / (above - below);
        let place = if before < secant && secant < after { secant } else { 0.5 * (before + after) };
        let found = value(place);
        let side = if found >= 0.0 { 1 } else { -1 };
        let halved = if side == last { 0.5 } else { 1.0 };
        if side > 0 {
            (after, above, below) = (place, found, halved * below);
        } else {
            (before, below, above) = (place, found, halved * above);
        }
        last = side;
    }
    after
}

fn slip_of<S: Real>(state: &State<S>) -> Vector2<S> {
    Vector2::new(state[1], state[2])
}

fn impulse_of<S: Real>(state: &State<S>) -> Vector3<S> {
    Vector3::new(state[3], state[4], state[5])
}

/// The size of the values, which branches are decided by.
fn size<S: Real, const R: usize, const C: usize>(of: &SMatrix<S, R, C>) -> f64 {
    of.iter().map(|entry| entry.value().powi(2)).sum::<f64>().sqrt()
}

/// The square root of what is not negative but for rounding; that of 0 is 0 with all its derivatives.
fn root<S: Real>(square: S) -> S {
    if square.value() > 0.0 { square.sqrt() } else { S::zero() }
}
