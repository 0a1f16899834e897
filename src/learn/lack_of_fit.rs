//! Whether what the best friction leaves of the velocities after steps is noise.
//!
//! Of dry friction with independent noise nothing is left that depends on `s = v + u`. So the residuals are
//! explained by a straight line in `s` for each of the three kinds of steps, those that slide to the left, stick
//! and slide to the right, and by as many F tests as there are data sets one in two thousand says by chance that
//! these lines explain more than noise lets them. Drag shows as slopes, a block that creeps as the slope of the
//! steps that stick, and a friction that is another to the other side as the lines' heights.
//!
//! Neither does anything depend on the velocity `v` at which a step begins, once `s` is given. Friction that does, as that
//! of Stribeck, shows in the steps that slide: a second F test asks whether a straight line in `|v|`, the same to both sides,
//! explains more of what the lines in `s` leave than noise lets it. A third asks the same of a straight line in `v` itself,
//! in all steps: a push `u` of the wrong sign, or in another unit, shows there.
//!
//! Where the best friction leaves as much as the steps are fast, and they do not end at rest, it explains nothing, however
//! few they are.

use super::{affine::rms, data::BlockSample};
use crate::decimal::rounded_text;

/// Quantile of the normal distribution beyond which the lines explain too much: one in two thousand.
pub(super) const IMPROBABLE: f64 = 3.29;
/// Degrees of freedom that an explanation has to leave for an F test to tell.
pub(super) const LEAST_FREEDOM: f64 = 6.0;
/// Residual, in standard deviations, that no noise has.
const LARGEST: f64 = 8.0;

/// Speed after a step, over the error of its prediction, from which on it counts as sliding.
const SLIDING: f64 = 4.0;
/// Speeds after steps, over those that they would have without friction, up to which they count as noise at rest: both as
/// roots of mean squares.
const REST: f64 = 0.25;
/// Relative difference of two speeds that is rounding.
const ROUNDING: f64 = 1e-5;

/// The number of steps that slide at this friction, faster than predictions are off by `error`.
pub(super) fn sliding_steps(samples: &[BlockSample], friction: f64, error: f64) -> usize {
    let slides = |sample: &&BlockSample| {
        sample.free_velocity().abs() > friction && sample.next_velocity.abs() > SLIDING * error
    };
    samples.iter().filter(slides).count()
}

/// Whether steps end at rest, but for noise.
pub(super) fn are_at_rest(samples: &[BlockSample]) -> bool {
    let speed = |of: fn(&BlockSample) -> f64| rms(samples.iter().map(of));
    speed(|sample| sample.next_velocity) <= REST * speed(BlockSample::free_velocity)
}

/// Why no friction explains a single step: it only slows a block down.
pub(super) fn faster_than_free(sample: &BlockSample) -> Option<String> {
    let (free, next) = (sample.free_velocity(), sample.next_velocity);
    let is_slower = next * free >= 0.0 && next.abs() <= free.abs() * (1.0 + ROUNDING);
    (!is_slower).then(|| {
        let [next, free] = [next, free].map(|velocity| rounded_text(velocity, 4));
        format!("no friction explains the step: it ends at {next} m/s, and would at v + u = {free} m/s without any")
    })
}

/// Why steps of which none slides faster than the best friction leaves errors are not explained by it; `None` where it
/// explains them, or they are at rest.
fn unexplained(samples: &[BlockSample], friction: f64, error: f64) -> Option<String> {
    (sliding_steps(samples, friction, error) == 0 && !are_at_rest(samples)).then(|| {
        let speed = rms(samples.iter().map(|sample| sample.next_velocity));
        let [friction, error, speed] = [friction, error, speed].map(|number| rounded_text(number, 3));
        format!(
            "no friction explains the data: the best one, {friction} m/s, is off by {error} m/s, where the steps end at \
             {speed} m/s (roots of mean squares). Look at the signs and units of v, u and v_next"
        )
    })
}

/// Why steps of a block do not follow dry friction with its best coefficient, in m/s; `None` if they do.
pub(super) fn lack_of_fit(samples: &[BlockSample], friction: f64) -> Option<String> {
    let mut steps: [Vec<[f64; 2]>; 3] = Default::default();
    let mut speeds: [Vec<[f64; 2]>; 3] = Default::default();
    let mut velocities: [Vec<[f64; 2]>; 3] = Default::default();
    for sample in samples {
        let free = sample.free_velocity();
        let kind = if free.abs() <= friction { 1 } else { usize::from(free > 0.0) * 2 };
        steps[kind].push([free, sample.error(friction).0]);
        speeds[kind].push([free, sample.velocity.abs() * free.signum()]);
        velocities[kind].push([free, sample.velocity]);
    }
    let squares: f64 = steps.iter().flatten().map(|[_, residual]| residual * residual).sum();
    let lines = steps.each_ref().map(|steps| Line::through(steps));
    let left: f64 = lines.iter().map(|line| line.left).sum();
    let unknowns: f64 = lines.iter().map(|line| line.unknowns).sum();
    // At its bound the friction is not at its best in both directions.
    let slides = friction > 0.0 && steps[1].len() < samples.len();
    let freedom = [unknowns - f64::from(u8::from(slides)), samples.len() as f64 - unknowns];
    let [explaining, remaining] = freedom;
    let by_lines = if explaining >= 1.0 && remaining >= LEAST_FREEDOM {
        normal_of_f(((squares - left) / explaining) / (left / remaining), freedom)
    } else {
        0.0
    };
    // What a line in another quantity explains of what those in `s` leave, in steps of some kinds, and how improbable that is.
    let by = |quantity: &[Vec<[f64; 2]>; 3], kinds: &[usize]| {
        let (mut mixed, mut spread) = (0.0, 0.0);
        for &kind in kinds {
            let [residuals, values] = [&steps[kind], &quantity[kind]].map(|points| Line::residuals(points));
            mixed += residuals.iter().zip(&values).map(|(residual, value)| residual * value).sum::<f64>();
            spread += values.iter().map(|value| value * value).sum::<f64>();
        }
        let (explained, remaining) = (mixed * mixed / spread, remaining - 1.0);
        match spread > 0.0 && remaining >= LEAST_FREEDOM {
            true => (normal_of_f(explained / ((left - explained) / remaining), [1.0, remaining]), explained),
            false => (0.0, 0.0),
        }
    };
    let (by_speed, of_speed) = by(&speeds, &[0, 2]);
    let (by_velocity, of_velocity) = by(&velocities, &[0, 1, 2]);
    let reasons = [
        (
            by_lines,
            squares - left,
            "is a function of v + u, which noise is not. Something else acts on the block, such as drag, or its \
             friction is not the same to both sides",
        ),
        (
            by_speed,
            of_speed,
            "changes with the speed at which a step begins, which noise does not. Friction may depend on the speed",
        ),
        (
            by_velocity,
            of_velocity,
            "changes with v where v + u is the same, which noise does not. Look at the sign and the unit of u",
        ),
    ];
    let worst = reasons.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, explained, of_what)) = worst.filter(|(deviations, ..)| *deviations > IMPROBABLE) {
        return Some(format!(
            "the data do not follow dry friction with one coefficient: {:.0} % of what the best one leaves of the \
             velocities {of_what}",
            100.0 * explained / squares
        ));
    }
    let variance = squares / (samples.len() as f64 - 1.0);
    if let Some(reason) = unexplained(samples, friction, variance.sqrt()) {
        return Some(reason);
    }
    let largest = steps.iter().flatten().map(|[_, residual]| residual.abs()).fold(0.0, f64::max);
    (largest > LARGEST * variance.sqrt()).then(|| {
        format!(
            "a velocity is {:.1} standard deviations off the best motion, which no noise explains; look for values in \
             the data that are far from the others",
            largest / variance.sqrt()
        )
    })
}

/// The straight line through some values by least squares.
struct Line {
    means: [f64; 2],
    slope: f64,
    /// The sum of the squares that it leaves of the values.
    left: f64,
    unknowns: f64,
}

impl Line {
    fn through(points: &[[f64; 2]]) -> Self {
        let count = points.len() as f64;
        if points.is_empty() {
            return Self { means: [0.0; 2], slope: 0.0, left: 0.0, unknowns: 0.0 };
        }
        let mean = |index: usize| points.iter().map(|point| point[index]).sum::<f64>() / count;
        let means = [mean(0), mean(1)];
        let product = |one: usize, other: usize| {
            points.iter().map(|point| (point[one] - means[one]) * (point[other] - means[other])).sum::<f64>()
        };
        let [spread, mixed, left] = [product(0, 0), product(0, 1), product(1, 1)];
        if spread <= f64::EPSILON * count * means[0] * means[0] {
            return Self { means, slope: 0.0, left, unknowns: 1.0 };
        }
        Self { means, slope: mixed / spread, left: (left - mixed * mixed / spread).max(0.0), unknowns: 2.0 }
    }

    /// What the line through some values leaves of each.
    fn residuals(points: &[[f64; 2]]) -> Vec<f64> {
        let Self { means, slope, .. } = Self::through(points);
        points.iter().map(|[at, value]| value - means[1] - slope * (at - means[0])).collect()
    }
}

/// The normal variable that is exceeded as often as a `ratio` of variances with these degrees of freedom, by the
/// approximation of Paulson (1942; Abramowitz and Stegun 1964, 26.6.15).
pub(super) fn normal_of_f(ratio: f64, [above, below]: [f64; 2]) -> f64 {
    if !ratio.is_finite() {
        return f64::INFINITY;
    }
    let [a, b] = [above, below].map(|freedom| 2.0 / (9.0 * freedom));
    let root = ratio.max(0.0).cbrt();
    ((1.0 - b) * root - (1.0 - a)) / (b * root * root + a).sqrt()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::{
        learn::{block_friction::estimate, data::BlockGenerator},
        random::Random,
    };

    fn verdict(samples: &[BlockSample]) -> Option<String> {
        let noisy = estimate(samples, &mut |_| ControlFlow::Continue(())).expect("not interrupted");
        noisy.expect("the steps have noise").misfit
    }

    /// Steps whose velocity afterwards is a function of that without friction, with noise.
    fn steps(count: usize, seed: u64, noise: f64, next: impl Fn(f64) -> f64) -> Vec<BlockSample> {
        let mut random = Random::seeded(seed);
        let step = |_| {
            let (velocity, push) = (random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0));
            let next_velocity = next(velocity + push) + random.normal(noise);
            BlockSample { velocity, push, next_velocity, lambda: None }
        };
        (0..count).map(step).collect()
    }

    /// Against the tables of F at 0.1 %.
    #[test]
    fn the_normal_of_an_f_ratio_is_that_of_the_tables() {
        for (above, below, ratio) in [
            (1.0, 10.0, 21.04),
            (3.0, 10.0, 12.55),
            (5.0, 10.0, 10.48),
            (5.0, 20.0, 6.46),
            (5.0, 120.0, 4.42),
            (2.0, 60.0, 7.77),
        ] {
            let found = normal_of_f(ratio, [above, below]);
            assert!((found - 3.09).abs() < 0.07, "F({above}, {below}): {found}");
        }
    }

    #[test]
    fn what_follows_dry_friction_is_called_a_misfit_in_less_than_one_of_a_hundred_data_sets() {
        for (count, noise, friction) in [
            (10, 0.05, 1.0),
            (30, 0.3, 1.0),
            (100, 0.05, 1.0),
            (100, 1.0, 1.0),
            (100, 0.1, 0.0),
            (100, 0.1, 7.0),
        ] {
            let generator = BlockGenerator { friction, noise, ..BlockGenerator::default() };
            let false_alarms =
                (0..1000).filter(|&seed| verdict(&generator.generate(count, seed)).is_some()).count();
            assert!(false_alarms <= 10, "{count} steps, noise {noise}, friction {friction}: {false_alarms}");
        }
    }

    #[test]
    fn what_follows_another_law_is_called_a_misfit() {
        type Law = fn(f64) -> f64;
        let laws: [(&str, Law); 5] = [
            ("drag", |s| 0.6 * s),
            (
                "another friction to the left",
                |s| if s > 0.0 { (s - 1.0).max(0.0) } else { (s + 0.5).min(0.0) },
            ),
            ("drag and friction", |s| 0.9 * s.signum() * (s.abs() - 1.0).max(0.0)),
            ("a push of its own", |s| (s + 0.2).signum() * ((s + 0.2).abs() - 1.0).max(0.0)),
            ("creep", |s| if s.abs() < 1.0 { 0.2 * s } else { s - 0.8 * s.signum() }),
        ];
        for (name, next) in laws {
            for noise in [0.0, 0.05] {
                for seed in 0..50 {
                    let found = verdict(&steps(100, seed, noise, next));
                    assert!(
                        found.is_some_and(|reason| reason.contains("do not follow")),
                        "{name}, noise {noise}"
                    );
                }
            }
        }
    }

    /// Friction that falls with the speed at which a step begins, and that is as large to both sides.
    #[test]
    fn friction_that_depends_on_the_speed_is_called_a_misfit() {
        let mut of_speed = 0;
        for (seed, noise) in (0..50).map(|seed| (seed, 0.02)).chain((50..60).map(|seed| (seed, 0.05))) {
            let mut random = Random::seeded(seed);
            let step = |_| {
                let (velocity, push) = (random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0));
                let (free, friction) = (velocity + push, 1.0 + 0.3 * (-velocity.abs() / 0.5).exp());
                let next_velocity = free.signum() * (free.abs() - friction).max(0.0) + random.normal(noise);
                BlockSample { velocity, push, next_velocity, lambda: None }
            };
            let samples: Vec<BlockSample> = (0..200).map(step).collect();
            let found = verdict(&samples);
            assert!(
                found.as_ref().is_some_and(|reason| reason.contains("do not follow")),
                "{seed}: {found:?}"
            );
            of_speed += usize::from(found.is_some_and(|reason| reason.contains("speed")));
        }
        assert!(of_speed >= 50, "{of_speed} of 60 are told to be of the speed");
    }

    /// A push of the wrong sign, or in a unit four times as large.
    #[test]
    fn a_push_that_is_not_that_of_the_data_is_called_a_misfit() {
        let mut named = 0;
        for factor in [-1.0, 0.25] {
            for seed in 0..50 {
                let mut samples =
                    BlockGenerator { noise: 0.05, ..BlockGenerator::default() }.generate(60, seed);
                samples.iter_mut().for_each(|sample| sample.push *= factor);
                let found = verdict(&samples);
                assert!(
                    found.as_ref().is_some_and(|reason| reason.contains("do not follow")),
                    "{factor}, seed {seed}: {found:?}"
                );
                named += usize::from(found.is_some_and(|reason| reason.contains("unit of u")));
            }
        }
        assert!(named >= 50, "{named} of 100 are told to be of the push");
    }

    #[test]
    fn steps_that_end_faster_than_without_friction_are_explained_by_none() {
        let step =
            |velocity, push, next_velocity| BlockSample { velocity, push, next_velocity, lambda: None };
        let fast = [
            step(1.0, 2.0, 5.0),
            step(1.0, 1.0, 4.0),
            step(-1.0, -2.0, -5.0),
            step(0.4, 1.0, 3.0),
            step(1.0, 0.0, 2.1),
        ];
        assert!(verdict(&fast).is_some_and(|reason| reason.contains("no friction explains")));
        assert!(faster_than_free(&fast[0]).is_some_and(|reason| reason.contains("ends at 5 m/s")));
        for explained in [step(1.0, 2.0, 2.0), step(1.0, -2.0, 0.0), step(1.0, 2.0, 3.0)] {
            assert_eq!(faster_than_free(&explained), None);
        }
    }

    #[test]
    fn a_velocity_far_from_the_others_is_named() {
        let mut samples = BlockGenerator { noise: 0.01, ..BlockGenerator::default() }.generate(200, 1);
        assert_eq!(verdict(&samples), None);
        samples[70].next_velocity += 1.0;
        assert!(verdict(&samples).is_some_and(|reason| reason.contains("standard deviations off")));
    }
}
