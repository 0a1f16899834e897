use super::inner::{Form, Inner};
use crate::learn::data::BlockSample;

/// Value of the inner problem at friction `mu` in closed form, for every [`Form`].
///
/// With `v = s + lambda_plus - lambda_minus` the complementarity `lambda'(M lambda + q)` is
/// `v^2 - s v + mu gamma`, and `gamma = |v|`, its least value, unless a hinge of `a3 < a2 mu` makes
/// `gamma = 0` cheaper. What is left is piecewise quadratic in `v` alone,
///
/// ```text
/// a1 (v' - v)^2 + a2 (v^2 - s v) + k |v| + h max(0, |v - s| - mu) + c (mu - |v - s|)^2,
/// ```
///
/// with `k = a2 mu`, `h = c = 0` and `|v - s| <= mu` for hard constraints; `k = min(a2 mu, a3)` and
/// `h = a3` for hinges; `c = a4` and friction against the motion only for the one-sided cost on
/// sliding steps. (The two-sided cost vanishes: equal friction in both directions pays it.) Its
/// least value lies at a break or where the derivative of a piece vanishes. The regularisation of
/// the program is left out.
pub fn reduced_value(inner: &Inner, sample: &BlockSample, friction: f64) -> f64 {
    let (a1, a2) = (inner.prediction, inner.complementarity);
    let (s, next) = (sample.free_velocity(), sample.next_velocity);
    let (mut per_speed, mut hinge, mut unused) = (a2 * friction, 0.0, 0.0);
    let (mut low, mut high) = (s - friction, s + friction);
    match inner.form {
        Form::Hard => {}
        Form::Hinge { weight } => {
            per_speed = per_speed.min(weight);
            hinge = weight;
            (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        Form::Sliding { weight, one_sided } => {
            if one_sided && next != 0.0 {
                unused = weight;
                (low, high) = if next > 0.0 { (low, s) } else { (s, high) };
            }
        }
    }
    let value = |v: f64| {
        let force = (v - s).abs();
        a1 * (next - v).powi(2)
            + a2 * (v * v - s * v)
            + per_speed * v.abs()
            + hinge * (force - friction).max(0.0)
            + unused * (friction - force).powi(2)
    };
    let breaks = [0.0, s - friction, s, s + friction].into_iter();
    let signs = [-1.0, 1.0].into_iter().flat_map(|of_v| [-1.0, 1.0].map(|of_force| (of_v, of_force)));
    let stationary = signs.flat_map(|(of_v, of_force)| {
        let pull = 2.0 * a1 * next + a2 * s - per_speed * of_v + 2.0 * unused * (s + of_force * friction);
        [0.0, hinge].map(|slope| (pull - slope * of_force) / (2.0 * (a1 + a2 + unused)))
    });
    breaks.chain(stationary).map(|v| value(v.clamp(low, high))).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{learn::data::BlockGenerator, random::Random};

    #[test]
    fn the_closed_form_is_the_value_of_the_program() {
        let forms = [
            Form::Hard,
            Form::Hinge { weight: 3.0 },
            Form::Sliding { weight: 1.5, one_sided: true },
            Form::Sliding { weight: 1.5, one_sided: false },
        ];
        let mut random = Random::seeded(1);
        for form in forms {
            let inner = Inner { prediction: 1.0, complementarity: 0.7, form, regularisation: 1e-9 };
            for sample in BlockGenerator::default().generate(40, 2) {
                let friction = random.uniform(0.0, 8.0);
                let solved = inner.program(&sample, friction).solve().expect("a convex program");
                let reduced = reduced_value(&inner, &sample, friction);
                assert!((solved.value - reduced).abs() < 1e-6, "{form:?} {sample:?} {friction}");
            }
        }
    }

    #[test]
    fn the_step_of_the_notes_has_the_three_pieces_of_the_notes() {
        let inner = Inner { prediction: 1.0, complementarity: 1.0, form: Form::Hard, regularisation: 0.0 };
        let sample = BlockGenerator::default().step(1.0, 2.0, 0.0, 0.0);
        for (friction, value) in [(0.4, 0.36), (1.0, 0.0), (5.0, 3.5), (7.0, 4.0), (9.0, 4.0)] {
            assert!((reduced_value(&inner, &sample, friction) - value).abs() < 1e-14, "at {friction}");
        }
    }
}
