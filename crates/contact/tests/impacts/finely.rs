//! Impacts of one contact followed in small steps, each of which ends where something happens: the equations of the impact
//! by themselves, without the formulas for their solution.

use nalgebra::{Matrix2, SVector, Vector2, Vector3};
use stickslip_contact::world::{PlanarImpact, SpatialImpact};

/// Steps in the plane to where a contact without friction would be compressed most; after as many again they are doubled.
const STEPS: usize = 100;

/// The impulse of an impact in the plane, by steps of the normal impulse in which friction is constant.
pub fn in_the_plane(impact: &PlanarImpact) -> [f64; 2] {
    let PlanarImpact { response: [nn, tn, tt], velocity: [mut un, mut ut], friction, restitution: e } =
        *impact;
    let (mut normal, mut along, mut work) = (0.0, 0.0, 0.0);
    let mut sliding = friction.sliding;
    let mut lowest = None;
    let mut stride = -un / nn / STEPS as f64;
    for count in 1.. {
        if count % (2 * STEPS) == 0 {
            stride *= 2.0;
        }
        let is_at_rest = ut == 0.0;
        if is_at_rest {
            sliding = friction.released;
        }
        let holding = -tn / tt;
        let ratio = match is_at_rest {
            true if holding.abs() <= friction.held => holding,
            true => sliding * holding.signum(),
            false => -sliding * ut.signum(),
        };
        let (opening, speeding) = (nn + tn * ratio, if ratio == holding { 0.0 } else { tn + tt * ratio });
        let mut by: f64 = stride;
        let stops = !is_at_rest && speeding * ut < 0.0 && -ut / speeding <= by;
        if stops {
            by = -ut / speeding;
        }
        let turns = un < 0.0 && opening > 0.0 && -un / opening <= by;
        if turns {
            by = -un / opening;
        }
        let end = lowest.filter(|_| un >= 0.0).map(|lowest: f64| {
            let missing = (1.0 - e * e) * lowest - work;
            ((un * un + 2.0 * opening * missing).max(0.0).sqrt() - un) / opening
        });
        let is_over = end.is_some_and(|end| end <= by);
        by = end.map_or(by, |end| end.min(by));
        work += by * (un + 0.5 * opening * by);
        (normal, along) = (normal + by, along + ratio * by);
        if is_over {
            break;
        }
        un = if turns { 0.0 } else { un + opening * by };
        ut = if stops && !turns { 0.0 } else { ut + speeding * by };
        lowest = if turns { Some(work) } else { lowest };
    }
    [normal, along]
}

/// Velocity, impulse, and the work of the normal impulse.
type State = SVector<f64, 7>;

/// How far steps in space go, over the rate at which the slip may change.
const STRIDE: f64 = 0.02;

/// Part of the velocity before the impact below which there is no slip in space.
const STOPPED: f64 = 1e-9;

/// Directions among which that is looked for in which a slip begins.
const DIRECTIONS: usize = 720;

/// An impact in space.
pub struct Followed {
    pub impulse: Vector3<f64>,
    /// Steps until the slip ended, or the impact if it did not.
    pub steps: usize,
}

/// The impulse of an impact in space, by steps of `dp/|u_t|`.
pub fn in_space(impact: &SpatialImpact) -> Followed {
    let SpatialImpact { response, velocity, friction, restitution: e } = *impact;
    let coupling = Vector2::new(response[(1, 0)], response[(2, 0)]);
    let tangential: Matrix2<f64> = response.fixed_view::<2, 2>(1, 1).into();
    let rate = |state: &State| {
        let slip = Vector2::new(state[1], state[2]);
        let force = Vector3::new(slip.norm(), -friction.sliding * slip.x, -friction.sliding * slip.y);
        let change = response * force;
        State::from_column_slice(&[
            change[0],
            change[1],
            change[2],
            force[0],
            force[1],
            force[2],
            slip.norm() * state[0],
        ])
    };
    let advanced = |state: &State, by: f64| {
        let first = rate(state);
        let second = rate(&(state + first * (0.5 * by)));
        let third = rate(&(state + second * (0.5 * by)));
        let fourth = rate(&(state + third * by));
        state + (first + (second + third) * 2.0 + fourth) * (by / 6.0)
    };
    let located = |state: &State, stride: f64, is_past: &dyn Fn(&State) -> bool| {
        let (mut before, mut after) = (0.0, stride);
        for _ in 0..60 {
            let middle = 0.5 * (before + after);
            if is_past(&advanced(state, middle)) { after = middle } else { before = middle }
        }
        advanced(state, after)
    };
    let stride = STRIDE / (coupling.norm() + friction.sliding * tangential.norm());
    let mut state = State::zeros();
    state.fixed_rows_mut::<3>(0).copy_from(&velocity);
    let mut lowest: Option<f64> = None;
    let mut steps = 0;
    while Vector2::new(state[1], state[2]).norm() > STOPPED * velocity.norm() {
        steps += 1;
        let next = advanced(&state, stride);
        if let Some(lowest) = lowest {
            let is_over = |state: &State| state[6] >= (1.0 - e * e) * lowest;
            if is_over(&state) || is_over(&next) {
                let end = if is_over(&state) { state } else { located(&state, stride, &is_over) };
                return Followed { impulse: Vector3::new(end[3], end[4], end[5]), steps };
            }
        } else if next[0] >= 0.0 {
            state = located(&state, stride, &|state| state[0] >= 0.0);
            lowest = Some(state[6]);
            continue;
        }
        // Friction may press together again what was parting, and compress it more than before.
        if lowest.is_some_and(|lowest| next[6] < lowest) {
            lowest = None;
        }
        state = next;
    }
    let ratio = at_rest(&coupling, &tangential, friction.held, friction.released);
    let (un, work, opening) = (state[0], state[6], response[(0, 0)] + coupling.dot(&ratio));
    let by = match lowest {
        Some(lowest) => {
            let missing = (1.0 - e * e) * lowest - work;
            ((un * un + 2.0 * opening * missing).max(0.0).sqrt() - un) / opening
        }
        None => -un / opening + e * ((un * un / opening - 2.0 * work).max(0.0) / opening).sqrt(),
    };
    Followed { impulse: Vector3::new(state[3] + by, state[4] + by * ratio.x, state[5] + by * ratio.y), steps }
}

/// Friction over the normal impulse of what is at rest: what holds it, or else against the one direction that a slip keeps.
fn at_rest(coupling: &Vector2<f64>, tangential: &Matrix2<f64>, held: f64, released: f64) -> Vector2<f64> {
    let holding = -tangential.try_inverse().expect("a response along the surface") * coupling;
    if holding.norm() <= held {
        return holding;
    }
    let direction = |angle: f64| Vector2::new(angle.cos(), angle.sin());
    let change = |angle: f64| coupling - tangential * direction(angle) * released;
    let turning = |angle: f64| direction(angle).perp(&change(angle));
    let angle = |number: usize| std::f64::consts::TAU * number as f64 / DIRECTIONS as f64;
    for number in 0..DIRECTIONS {
        let (mut before, mut after) = (angle(number), angle(number + 1));
        let rising = turning(after) >= 0.0;
        if (turning(before) >= 0.0) == rising {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (before + after);
            if (turning(middle) >= 0.0) == rising { after = middle } else { before = middle }
        }
        if direction(after).dot(&change(after)) > 0.0 {
            return direction(after) * -released;
        }
    }
    panic!("no direction in which a slip begins");
}
