//! Gradients of points over a plane: every stepper that has one, against differences and against its own way back.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip::{
    gradient::{DerivativeRule, GradientOptions, Input, Steps, adjoint, tangents},
    scenario::{Body, Ground, NlpSolverChoice, Push, Scenario},
    stepper::StepperName,
    watch::Watch,
};

use crate::support::{column, end, extrapolated};

/// Throws and slides over the plane, pushed across their way.
fn scenario(rng: &mut StdRng) -> Scenario<3> {
    let height = if rng.random_bool(0.5) { rng.random_range(0.05..0.4) } else { 0.0 };
    let mut scenario = Scenario {
        duration: rng.random_range(0.1..0.6),
        bodies: vec![Body::point(
            rng.random_range(1.0..20.0),
            [0.0, 0.0, height],
            [rng.random_range(-2.0..2.0), rng.random_range(-2.0..2.0), 0.0],
        )],
        ground: Ground { friction: rng.random_range(0.05..0.6), ..Ground::default() },
        ..Scenario::new("over-plane")
    };
    let weight = scenario.bodies[0].mass * 9.81;
    let force = [-0.5..0.5, -0.5..0.5, -0.3..0.3].map(|range| weight * rng.random_range(range));
    scenario.pushes.push(Push::constant(force));
    scenario.steppers.nlp.solver = Some(NlpSolverChoice::InteriorPoint);
    scenario.steppers.nlp.tolerance = Some(1e-10);
    scenario.steppers.lcp.directions = Some([4, 8, 6][rng.random_range(0..3)]);
    scenario
}

#[test]
fn tangents_are_differences_and_the_way_back_is_their_transpose() {
    let models = [(StepperName::LCP_POLYHEDRAL, 30), (StepperName::HYBRID, 10), (StepperName::NLP, 3)];
    for (name, scenarios) in models {
        let mut rng = StdRng::seed_from_u64(5);
        let (mut worst, mut doubtful, mut count): (f64, usize, usize) = (0.0, 0, 0);
        for _ in 0..scenarios {
            let scenario = scenario(&mut rng);
            let mut inputs = Input::of(&scenario);
            inputs.retain(|input| !matches!(input, Input::PushFrom(_) | Input::PushTo(_)));
            let options = GradientOptions { kinks: true, ..GradientOptions::of(&scenario) };
            let (steps, raw) = (Steps::by(name), DerivativeRule::Raw);
            let there = tangents(&scenario, steps, raw, &inputs, &options, &Watch::none()).unwrap();
            for (j, &input) in inputs.iter().enumerate() {
                let size = input.natural_size(&scenario);
                let h = (1e-4 * size).min(there.nearest[j].distance.abs() / 3.0);
                count += 1;
                if h < 1e-9 * size {
                    doubtful += 1;
                    continue;
                }
                let tangent: [f64; 6] = column(&there, j);
                let size = tangent.iter().fold(0.1 / size, |a: f64, b| a.max(b.abs()));
                let difference = extrapolated(h, 1e-8 * size, |change| {
                    let shifted = input.shifted(&scenario, change);
                    let options = GradientOptions::of(&shifted);
                    end::<6>(&tangents(&shifted, steps, raw, &[], &options, &Watch::none()).unwrap())
                });
                let apart = tangent.iter().zip(&difference.slope).map(|(a, b)| (a - b).abs() / size);
                let off = apart.fold(0.0, f64::max);
                if difference.doubt > 1e-7 * size {
                    doubtful += 1;
                } else {
                    worst = worst.max(off);
                    assert!(
                        off <= 1e-6,
                        "{name}, {input}: {tangent:?}, {:?}; {scenario:?}",
                        difference.slope
                    );
                }
            }
            for component in 0..6 {
                let weight: Vec<f64> = (0..6).map(|i| f64::from(i == component)).collect();
                let back = adjoint(&scenario, steps, raw, (&inputs, &weight), &options, &Watch::none());
                let row = there.jacobian.row(component);
                for ((back, there), largest) in
                    back.unwrap().gradient.iter().zip(row.iter()).zip(&there.largest)
                {
                    let off = (back - there).abs() / largest.max(1e-3);
                    assert!(off <= 1e-11, "{name}: {off:e}");
                }
            }
        }
        println!("{name}: {worst:e}, {doubtful} of {count} doubtful");
        assert!(20 * doubtful <= count, "{name}: {doubtful} of {count}");
    }
}
