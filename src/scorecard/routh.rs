//! Routh's construction: the impact of one contact in a plane, followed as its normal impulse grows.

use nalgebra::{Matrix2, Vector2};

/// Slower than this in m/s, a point does not slip.
const STANDS: f64 = 1e-12;

/// The impulse in N s, along the ground and away from it, of an impact at a point whose response to impulses is `inverse` (in 1/kg;
/// rows and columns along the ground and away from it) and which comes with `velocity` in m/s.
///
/// Friction opposes the slip of each moment, holds a point that does not slip if it can, and drives it back otherwise. The impact
/// ends when the normal impulse has given back `restitution` squared of the work that it took (Stronge, Impact Mechanics, 2000).
pub fn followed_impulse(
    inverse: &Matrix2<f64>,
    velocity: Vector2<f64>,
    friction: f64,
    restitution: f64,
) -> Vector2<f64> {
    let (mut slip, mut impulse, mut work) = (velocity, Vector2::zeros(), 0.0_f64);
    // What is left to be given back, known when the approach has ended.
    let mut owed: Option<f64> = None;
    loop {
        let holding = -inverse[(0, 1)] / inverse[(0, 0)];
        let slips = slip.x.abs() > STANDS;
        let tangential = match slips {
            true => -friction * slip.x.signum(),
            false => holding.clamp(-friction, friction),
        };
        let rate = inverse * Vector2::new(tangential, 1.0);
        let to_stop = if slips && slip.x * rate.x < 0.0 { -slip.x / rate.x } else { f64::INFINITY };
        let to_end = match owed {
            // Friction may drive the point into the ground at first: it then stops before the approach ends.
            None if rate.y <= 0.0 => f64::INFINITY,
            None => -slip.y / rate.y,
            Some(owed) => 2.0 * owed / (slip.y + (slip.y * slip.y + 2.0 * rate.y * owed).sqrt()),
        };
        let part = to_stop.min(to_end);
        let done = slip.y * part + 0.5 * rate.y * part * part;
        work += done;
        impulse += Vector2::new(tangential, 1.0) * part;
        slip += rate * part;
        owed = match owed {
            None if to_end <= to_stop => Some(-work * restitution * restitution),
            Some(_) if to_end <= to_stop => return impulse,
            owed => owed.map(|owed| owed - done),
        };
        if owed == Some(0.0) {
            return impulse;
        }
        if to_stop <= to_end {
            slip.x = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::followed_impulse;
    use nalgebra::{Matrix2, Vector2};

    /// A ball has no coupling: it slides by friction times the normal impulse, or is held.
    #[test]
    fn a_ball_gives_back_its_speed_times_the_restitution() {
        let inverse = Matrix2::new(3.5, 0.0, 0.0, 1.0);
        let slides = followed_impulse(&inverse, Vector2::new(2.0, -1.0), 0.1, 0.5);
        assert!((slides - Vector2::new(-0.15, 1.5)).norm() < 1e-14, "{slides}");
        let held = followed_impulse(&inverse, Vector2::new(0.35, -1.0), 0.5, 0.5);
        assert!((held - Vector2::new(-0.1, 1.5)).norm() < 1e-14, "{held}");
    }
}
