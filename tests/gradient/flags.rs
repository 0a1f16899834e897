//! Verdicts: which gradients are called wrong, beside how wrong they are, for every model.

use rand::{SeedableRng, rngs::StdRng};
use stickslip::{
    gradient::{
        BIAS_LIMIT, DerivativeRule, DifferentiableModels, GradientOptions, GradientStudy, Input, Method,
        Quality, Reference, Steps, deviations, exact_end, output_names, tangents,
    },
    scenario::Scenario,
    stepper::{BuildStepper, StepperName},
    watch::Watch,
};

use crate::{
    bodies,
    random::{near_a_kink_of_the_motion, scenarios},
    support::studied,
};

/// Relative error of an entry above which it has to be flagged.
const WRONG: f64 = 0.05;
/// And below which it must not be.
const RIGHT: f64 = 0.02;

/// How the verdicts on many figures did.
#[derive(Debug, Default)]
struct Score {
    wrong: usize,
    missed: usize,
    right: usize,
    alarms: usize,
}

impl Score {
    /// Counts the figures of one result.
    fn count(&mut self, errors: &[f64], verdicts: &[Quality]) {
        for (error, verdict) in errors.iter().zip(verdicts) {
            if *error > WRONG {
                self.wrong += 1;
                self.missed += usize::from(*verdict == Quality::Ok);
            } else if *error < RIGHT {
                self.right += 1;
                self.alarms += usize::from(matches!(verdict, Quality::Biased | Quality::Exploding));
            }
        }
    }
}

impl Score {
    /// All but so many wrong figures are flagged, and at most 2 % of the right ones.
    #[track_caller]
    fn check(&self, missed: usize) {
        assert!(self.wrong >= 100 && self.right >= 100, "{self:?}");
        assert!(self.missed <= missed, "{self:?}");
        assert!(50 * self.alarms <= self.right, "{self:?}");
    }
}

fn study<const D: usize>(scenario: &Scenario<D>, name: StepperName, inputs: &[Input]) -> Option<GradientStudy>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let study = studied(scenario, (name, &[Method::Raw]), (output_names(scenario), inputs), false);
    (!study.rows.is_empty()).then_some(study)
}

fn sizes<const D: usize>(scenario: &Scenario<D>, inputs: &[Input]) -> Vec<f64> {
    inputs.iter().map(|input| input.natural_size(scenario)).collect()
}

/// The verdicts of a model on 200 random points, whose exact motion is known.
fn of_points(name: &str) -> Score {
    let name: StepperName = name.parse().unwrap();
    let mut score = Score::default();
    for scenario in scenarios(3, 200) {
        let inputs = Input::of(&scenario);
        if scenario.point_stepper(name).is_err() || near_a_kink_of_the_motion(&scenario, &inputs) {
            continue;
        }
        let Some(study) = study(&scenario, name, &inputs) else { continue };
        for rows in study.rows.chunks(inputs.len()) {
            let gradient: Vec<f64> = rows.iter().map(|row| row.gradient).collect();
            let Some(exact) = rows.iter().map(|row| row.exact).collect::<Option<Vec<f64>>>() else {
                continue;
            };
            let verdicts: Vec<Quality> = rows.iter().map(|row| row.quality).collect();
            score.count(
                &deviations(&gradient, &exact, &sizes(&scenario, &inputs), Reference::Motion),
                &verdicts,
            );
        }
    }
    score
}

#[test]
#[ignore = "a minute: many random points by every model"]
fn wrong_gradients_of_points_are_flagged_for_every_model() {
    for name in ["lcp", "lcp:anitescu", "convex", "smooth", "hybrid"] {
        let score = of_points(name);
        println!("{name}: {score:?}");
        score.check(0);
    }
}

/// Whether the exact motion of a body has a kink close by, so that "the" gradient of the motion is a matter of a step.
fn is_near_a_kink(scenario: &Scenario<2>, inputs: &[Input]) -> bool {
    let bends = |input: &Input| {
        let size = input.natural_size(scenario);
        let over = |from: f64, to: f64| -> Option<Vec<f64>> {
            let end = |change: f64| exact_end(&input.shifted(scenario, change * size)).ok();
            let (after, before) = (end(to)?, end(from)?);
            Some(after.iter().zip(&before).map(|(a, b)| (a - b) / (to - from)).collect())
        };
        let Some(here) = over(-1e-5, 1e-5) else { return true };
        let scale = here.iter().fold(0.1, |a: f64, b| a.max(b.abs()));
        [(-4e-3, -3.9e-3), (3.9e-3, 4e-3), (-1e-4, 1e-4)].into_iter().any(|(from, to)| {
            over(from, to).is_none_or(|side| side.iter().zip(&here).any(|(a, b)| (a - b).abs() > 0.1 * scale))
        })
    };
    inputs.iter().any(bends)
}

/// The verdicts of models on random discs and boxes that are thrown at the ground: beside their exact motion, and
/// by the corrected gradient alone, as where there is none.
#[test]
fn wrong_gradients_of_bodies_are_flagged_for_every_model() {
    let names = [StepperName::LCP, StepperName::CONE, StepperName::CONVEX, StepperName::SMOOTH];
    let mut scores = names.map(|_| [Score::default(), Score::default()]);
    let mut rng = StdRng::seed_from_u64(11);
    let mut taken = 0;
    for _ in 0..200 {
        let scenario = bodies::random(&mut rng);
        let inputs: Vec<Input> = Input::of(&scenario);
        if is_near_a_kink(&scenario, &inputs) {
            continue;
        }
        let (options, cone) = (GradientOptions::of(&scenario), Steps::by(StepperName::CONE));
        let rule = DerivativeRule::Corrected;
        let corrected = tangents(&scenario, cone, rule, &inputs, &options, &Watch::none()).ok();
        taken += 1;
        for (name, [score, by_corrected]) in names.into_iter().zip(&mut scores) {
            let Some(study) = study(&scenario, name, &inputs) else { continue };
            for (place, rows) in study.rows.chunks(inputs.len()).enumerate() {
                let gradient: Vec<f64> = rows.iter().map(|row| row.gradient).collect();
                let Some(exact) = rows.iter().map(|row| row.exact).collect::<Option<Vec<f64>>>() else {
                    continue;
                };
                let sizes = sizes(&scenario, &inputs);
                let errors = deviations(&gradient, &exact, &sizes, Reference::Motion);
                let verdicts: Vec<Quality> = rows.iter().map(|row| row.quality).collect();
                score.count(&errors, &verdicts);
                // As a whole: the result is flagged where one of its entries is.
                let Some(corrected) = &corrected else { continue };
                let reference: Vec<f64> = corrected.jacobian.row(place).iter().copied().collect();
                let largest = |values: Vec<f64>| values.into_iter().fold(0.0, f64::max);
                let by_steps =
                    |reference: &[f64]| largest(deviations(&gradient, reference, &sizes, Reference::Steps));
                let is_flagged = by_steps(&reference) > BIAS_LIMIT;
                let verdict = if is_flagged { Quality::Biased } else { Quality::Ok };
                by_corrected.count(&[by_steps(&exact)], &[verdict]);
            }
        }
    }
    assert!(taken >= 80, "{taken}");
    for (name, [score, by_corrected]) in names.iter().zip(&scores) {
        println!("{name}: {taken} throws, {score:?}; results by the corrected gradient {by_corrected:?}");
        score.check(0);
        // That of rigid contact at the step is itself a little off the motion of compliant contact.
        let is_compliant = matches!(*name, StepperName::CONVEX | StepperName::SMOOTH);
        by_corrected.check(if is_compliant { by_corrected.wrong / 100 } else { 0 });
    }
}

/// By hand: too much and too little are as wrong as each other, relative to the entry, or to a five-hundredth of the
/// largest one where the entry is less than that, beside other steps a fiftieth.
#[test]
fn deviations_count_in_either_direction_and_in_units_of_the_entry() {
    let close = |found: Vec<f64>, expected: [f64; 2]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
    };
    close(deviations(&[0.9, -1.1], &[1.0, -1.0], &[1.0, 1.0], Reference::Motion), [0.1, 0.1]);
    close(deviations(&[1.1, -0.9], &[1.0, -1.0], &[1.0, 1.0], Reference::Motion), [0.1, 0.1]);
    close(deviations(&[1.0, 0.09], &[1.0, 0.1], &[1.0, 1.0], Reference::Motion), [0.0, 0.1]);
    close(deviations(&[1.0, 0.9], &[1.0, 1.0], &[1.0, 0.1], Reference::Motion), [0.0, 0.1]);
    close(deviations(&[1.0, 0.0002], &[1.0, 0.0001], &[1.0, 1.0], Reference::Motion), [0.0, 0.05]);
    close(deviations(&[1.0, 0.002], &[1.0, 0.001], &[1.0, 1.0], Reference::Steps), [0.0, 0.05]);
}
