//! Every stepper's derivative against differences of its own runs on the same branch, and the way back
//! against the way there.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicUsize, Ordering},
};

use stickslip::{
    gradient::{
        Adjoint, DerivativeRule, DifferentiableModels, ExactGradient, GradientError, GradientOptions,
        GradientRequest, GradientStudy, Grid, Input, Method, Steps, bias_curve, output_names,
    },
    scenario::{NlpSolverChoice, Scenario, SmoothLaw},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    watch::Watch,
};

use crate::support::{
    Stepped, column, components, corrected, divided, end, extrapolated, reference, run, smoothed, stepper,
};

/// How a scenario is stepped.
pub type Make<'a> = &'a dyn Fn(&Scenario<2>) -> Stepped;

/// How far tangents are from differences.
#[derive(Debug, Clone, Copy, Default)]
pub struct Deviation {
    /// The largest deviation from a difference that is known ten times better than it may be, relative to the larger
    /// of the tangent of the state and a floor.
    pub worst: f64,
    /// Differences that are not: the runs amplify their own rounding.
    pub doubtful: usize,
    /// The largest deviation from these.
    pub worst_doubtful: f64,
    /// Inputs on a kink, where there are no two sides of one branch.
    pub on_kinks: usize,
    /// All inputs.
    pub count: usize,
}

impl Deviation {
    /// Of both.
    pub fn and(self, other: Self) -> Self {
        Self {
            worst: self.worst.max(other.worst),
            doubtful: self.doubtful + other.doubtful,
            worst_doubtful: self.worst_doubtful.max(other.worst_doubtful),
            on_kinks: self.on_kinks + other.on_kinks,
            count: self.count + other.count,
        }
    }
}

/// The deviation of the tangents, which may be `allowed`, from differences with steps that stay on the branch.
pub fn deviation(scenario: &Scenario<2>, make: Make, widest: f64, allowed: f64) -> Deviation {
    let inputs = Input::of(scenario);
    let inputs: Vec<Input> =
        inputs.into_iter().filter(|input| !matches!(input, Input::PushFrom(_) | Input::PushTo(_))).collect();
    let options = GradientOptions { kinks: true, ..GradientOptions::of(scenario) };
    let gradient = make(scenario).tangents(&inputs, &options, &Watch::none()).unwrap();
    let mut all = Deviation::default();
    for (index, &input) in inputs.iter().enumerate() {
        let size = input.natural_size(scenario);
        let h = (widest * size).min(gradient.nearest[index].distance.abs() / 3.0);
        all.count += 1;
        if h < 1e-9 * size {
            all.on_kinks += 1;
            continue;
        }
        let tangent: [f64; 4] = column(&gradient, index);
        let size = tangent.iter().fold(1e-1 / size, |a: f64, b| a.max(b.abs()));
        let difference = extrapolated(h, 1e-2 * allowed * size, |change| {
            let shifted = input.shifted(scenario, change);
            end::<4>(&run(&make(&shifted), &[]))
        });
        let off =
            tangent.iter().zip(&difference.slope).map(|(a, b)| (a - b).abs() / size).fold(0.0, f64::max);
        if difference.doubt <= 0.1 * allowed * size {
            all.worst = all.worst.max(off);
        } else {
            all.doubtful += 1;
            all.worst_doubtful = all.worst_doubtful.max(off);
        }
    }
    all
}

/// The largest deviation of the way back from the way there, over all inputs and components, relative to
/// the largest derivative met on the way: that is what rounds.
pub fn asymmetry(scenario: &Scenario<2>, make: Make) -> f64 {
    let inputs = Input::of(scenario);
    let options = GradientOptions::of(scenario);
    let stepped = make(scenario);
    let forward = stepped.tangents(&inputs, &options, &Watch::none()).unwrap();
    let mut worst: f64 = 0.0;
    for component in 0..4 {
        let weight = [0, 1, 2, 3].map(|i| f64::from(i == component));
        let Adjoint { gradient, end } = stepped.adjoint(&inputs, &weight, &options, &Watch::none()).unwrap();
        assert_eq!(end.values, forward.end.values[..4]);
        for ((back, there), largest) in
            gradient.iter().zip(forward.jacobian.row(component).iter()).zip(&forward.largest)
        {
            worst = worst.max((back - there).abs() / there.abs().max(*largest).max(1e-3));
        }
    }
    worst
}

fn soft(scenario: &Scenario<2>) -> Scenario<2> {
    let mut scenario = scenario.clone();
    scenario.steppers.smooth.law = SmoothLaw::HuntCrossley { stiffness: None, damping: None };
    scenario
}

/// With `nlp` solved by the interior-point method of this program, nearly to the last digit: the tangents are those of
/// exact complementarity, while the friction of a step that holds just inside its cone gives by the smoothing that the
/// tolerance leaves, at 1e-10 and 5e-4 from slipping by 3e-5 of the derivative.
pub fn by_interior_point(scenario: &Scenario<2>) -> Scenario<2> {
    let mut scenario = scenario.clone();
    scenario.steppers.nlp.solver = Some(NlpSolverChoice::InteriorPoint);
    scenario.steppers.nlp.tolerance = Some(1e-12);
    scenario
}

const SCENARIOS: [&str; 8] = [
    "throw-slide",
    "throw-stop",
    "throw-stick",
    "bounce-air",
    "reverse",
    "push-coast",
    "lift-off",
    "throw-up-left",
];

#[test]
fn tangents_are_the_differences_on_the_same_branch() {
    for name in SCENARIOS {
        let scenario = reference(name);
        let check = |what: &str, make: Make, widest: f64, allowed: f64| {
            let off = deviation(&scenario, make, widest, allowed);
            assert!(off.worst <= allowed && off.doubtful == 0, "{name} by {what}: {off:?}");
        };
        for family in ["lcp", "lcp:anitescu", "convex", "hybrid", "smooth"] {
            check(family, &|scenario| stepper(scenario, family), 1e-4, 1e-6);
        }
        check("smooth, Hunt-Crossley", &|scenario| stepper(&soft(scenario), "smooth"), 1e-4, 1e-6);
        check("lcp, divided", &|scenario| divided(scenario, "lcp"), 1e-4, 1e-6);
        check("nlp, smoothed", &|scenario| smoothed(scenario, 0.1), 1e-5, 2e-6);
        check("nlp", &|scenario| stepper(&by_interior_point(scenario), "nlp"), 1e-4, 1e-6);
    }
}

#[test]
fn the_way_back_is_the_transpose_of_the_way_there() {
    for name in SCENARIOS {
        let scenario = reference(name);
        for family in ["lcp", "lcp:anitescu", "convex", "hybrid", "smooth"] {
            let off = asymmetry(&scenario, &|scenario| stepper(scenario, family));
            assert!(off <= 1e-11, "{name} by {family}: {off:e}");
        }
        let off = asymmetry(&scenario, &|scenario| corrected(scenario, "lcp"));
        assert!(off <= 1e-11, "{name} corrected: {off:e}");
        let off = asymmetry(&scenario, &|scenario| divided(scenario, "lcp"));
        assert!(off <= 1e-11, "{name} divided: {off:e}");
        let off = asymmetry(&scenario, &|scenario| smoothed(scenario, 0.1));
        assert!(off <= 1e-11, "{name} smoothed: {off:e}");
    }
}

#[test]
fn a_run_that_is_differentiated_ends_where_the_run_ends_to_the_last_digit() {
    for name in SCENARIOS {
        let scenario = reference(name);
        for family in ["lcp", "lcp:anitescu", "nlp", "convex", "hybrid", "smooth"] {
            for Stepped { scenario, steps, rule } in [stepper(&scenario, family), divided(&scenario, family)]
            {
                let mut own = scenario.stepper(steps.stepper).expect("it admits a point");
                let alone = simulate(&scenario, own.as_mut());
                let last = alone.bodies[0].states.last().expect("it moves");
                let differentiated: [f64; 4] = end(&run(&Stepped { scenario, steps, rule }, &[]));
                assert_eq!(differentiated, components(last), "{name} by {family}");
            }
        }
    }
}

/// The forward and the backward run, the exact one, a whole study and its picture: none takes more than a step once
/// it was told to stop.
#[test]
fn every_gradient_ends_at_the_step_at_which_its_watch_says_so() {
    let scenario = reference("throw-stop");
    let inputs = Input::of(&scenario);
    let options = GradientOptions::of(&scenario);
    let request = GradientRequest {
        steppers: vec![StepperName::EXACT, StepperName::LCP],
        methods: vec![Method::Raw, Method::Corrected],
        outputs: output_names(&scenario),
        inputs: inputs.clone(),
        kappa: 0.1,
        phases: 2,
        check: true,
    };
    let stopped_after = |most: usize, work: &dyn Fn(&Watch<'_>) -> Option<GradientError>| {
        let asked = AtomicUsize::new(0);
        let watch = Watch::new(|_| match asked.fetch_add(1, Ordering::Relaxed) < most {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        });
        assert_eq!(work(&watch), Some(GradientError::Interrupted), "after {most}");
        let asked = asked.load(Ordering::Relaxed);
        // Runs with a changed input, some per input, are given up before their first step.
        assert!(asked <= most + 100, "asked {asked} times, told to stop at {most}");
    };
    let steps = scenario.time().steps;
    for most in [0, 5, steps / 2] {
        stopped_after(most, &|watch| stepper(&scenario, "lcp").tangents(&inputs, &options, watch).err());
        stopped_after(most, &|watch| {
            stepper(&scenario, "lcp").adjoint(&inputs, &[1.0], &options, watch).err()
        });
        stopped_after(most, &|watch| {
            ExactGradient::new(&scenario, &inputs, Grid::new(scenario.time()), watch).err()
        });
    }
    for most in [0, steps, 5 * steps, 9 * steps] {
        stopped_after(most, &|watch| GradientStudy::run(&scenario, &request, watch).err());
    }
    for most in [0, steps / 2, 2 * steps] {
        stopped_after(most, &|watch| {
            let lcp = StepperName::LCP;
            bias_curve(&scenario, lcp, Method::Raw, &request, &[scenario.step, 2.0 * scenario.step], watch)
                .err()
        });
    }
}

/// Steps that are divided at events follow the motion through them; corrected once more, they would do so twice.
#[test]
fn divided_steps_are_not_corrected() {
    let scenario = Scenario::<2>::new("thrown");
    let check = |Stepped { scenario, steps, .. }: Stepped| {
        let run = scenario.differentiable_run(steps).expect("it admits a point");
        run.check(DerivativeRule::Corrected)
    };
    for name in ["lcp", "nlp"] {
        let refusal = check(divided(&scenario, name)).expect_err("it needs none");
        assert!(refusal.to_string().contains("need no correction"), "{name}: {refusal}");
        assert!(check(stepper(&scenario, name)).is_ok(), "{name}");
    }
    // Those of a smoothed motion are of no event.
    let corrected = Stepped { rule: DerivativeRule::Corrected, ..smoothed(&scenario, 0.1) };
    assert_eq!(corrected.steps, Steps::of(StepperName::NLP, Method::Smoothed, 0.1));
    let options = GradientOptions::of(&scenario);
    let refusal = corrected.tangents(&[], &options, &Watch::none()).expect_err("it has none");
    assert!(refusal.to_string().contains("are corrected"), "{refusal}");
}
