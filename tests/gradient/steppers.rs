//! Every stepper's derivative against differences of its own runs on the same branch, and the way back
//! against the way there.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicUsize, Ordering},
};

use stickslip::{
    gradient::{
        Adjoint, Corrected, DifferentiableModels, ExactGradient, GradientError, GradientOptions,
        GradientRequest, GradientStudy, Grid, Input, Method, adjoint, bias_curve, output_names, tangents,
    },
    model::{State, Vector},
    scenario::{NlpSolverChoice, Scenario, SmoothLaw},
    stepper::{PointStepper, StepperName, nlp::relaxed::SmoothedNlp},
    watch::Watch,
};

use crate::support::{components, corrected, divided, extrapolated, reference, run, stepper};

/// A stepper of a scenario.
pub type Make<'a> = &'a dyn Fn(&Scenario<2>) -> Box<dyn PointStepper<2>>;

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
    let gradient = tangents(scenario, make(scenario).as_mut(), &inputs, &options, &Watch::none()).unwrap();
    let mut all = Deviation::default();
    for (index, &input) in inputs.iter().enumerate() {
        let size = input.natural_size(scenario);
        let h = (widest * size).min(gradient.nearest[index].distance.abs() / 3.0);
        all.count += 1;
        if h < 1e-9 * size {
            all.on_kinks += 1;
            continue;
        }
        let tangent = components(&gradient.tangents[index]);
        let size = tangent.iter().fold(1e-1 / size, |a: f64, b| a.max(b.abs()));
        let difference = extrapolated(h, 1e-2 * allowed * size, |change| {
            let shifted = input.shifted(scenario, change);
            components(&run(&shifted, make(&shifted).as_mut(), &[]).state)
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
    let mut stepper = make(scenario);
    let forward = tangents(scenario, stepper.as_mut(), &inputs, &options, &Watch::none()).unwrap();
    let mut worst: f64 = 0.0;
    for component in 0..4 {
        let mut weight = State { position: [0.0; 2].into(), velocity: [0.0; 2].into() };
        if component < 2 {
            weight.position[component] = 1.0
        } else {
            weight.velocity[component - 2] = 1.0
        }
        let Adjoint { gradient, state } =
            adjoint(scenario, stepper.as_mut(), &inputs, &weight, &options, &Watch::none()).unwrap();
        assert_eq!(state, forward.state);
        for ((back, there), largest) in gradient.iter().zip(&forward.tangents).zip(&forward.largest) {
            let there = components(there)[component];
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

/// With `nlp` solved by the interior-point method of this program, nearly to the last digit.
pub fn by_interior_point(scenario: &Scenario<2>) -> Scenario<2> {
    let mut scenario = scenario.clone();
    scenario.steppers.nlp.solver = Some(NlpSolverChoice::InteriorPoint);
    scenario.steppers.nlp.tolerance = Some(1e-10);
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
        check("nlp, smoothed", &|scenario| Box::new(SmoothedNlp::new(scenario, 0.1)), 1e-5, 2e-6);
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
        let off = asymmetry(&scenario, &|scenario| Box::new(SmoothedNlp::new(scenario, 0.1)));
        assert!(off <= 1e-11, "{name} smoothed: {off:e}");
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
        stopped_after(most, &|watch| {
            let mut lcp = stepper(&scenario, "lcp");
            tangents(&scenario, lcp.as_mut(), &inputs, &options, watch).err()
        });
        stopped_after(most, &|watch| {
            let weight = State { position: Vector::x(), velocity: Vector::zeros() };
            let mut lcp = stepper(&scenario, "lcp");
            adjoint(&scenario, lcp.as_mut(), &inputs, &weight, &options, watch).err()
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
    let mut scenario = Scenario::<2>::new("thrown");
    for name in ["lcp", "nlp"] {
        assert!(Corrected::new(divided(&scenario, name), scenario.point(0)).is_none(), "{name}");
        assert!(Corrected::new(stepper(&scenario, name), scenario.point(0)).is_some(), "{name}");
    }
    scenario.steppers.nlp.time_of_impact = true;
    let refusal = scenario.model(StepperName::NLP, Method::Corrected, 0.1).err().expect("it needs none");
    assert!(refusal.to_string().contains("need no correction"), "{refusal}");
}
