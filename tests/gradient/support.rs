//! The reference scenarios, and shorthands for gradients of runs.

use std::path::Path;

use stickslip::{
    gradient::{
        Adjoint, DerivativeRule, DifferentiableModels, ExactGradient, GradientError, GradientOptions,
        GradientRequest, GradientStudy, Grid, Input, Method, Steps, Tangents, adjoint, tangents,
    },
    model::State,
    scenario::{AnyScenario, ConvexSettings, Scenario, SmoothLaw, read_scenario},
    stepper::StepperName,
    watch::Watch,
};

/// The scenario of that name in `tests/data/gradients`.
pub fn reference(name: &str) -> Scenario<2> {
    let file = format!("tests/data/gradients/{name}.toml");
    match read_scenario(Path::new(&file), &[]) {
        Ok(AnyScenario::InPlane(scenario)) => as_published(scenario),
        other => panic!("{file}: {other:?}"),
    }
}

/// With the compliant models as they were published: their parameters do not depend on the scenario.
pub fn as_published(mut scenario: Scenario<2>) -> Scenario<2> {
    scenario.steppers.convex = ConvexSettings::PUBLISHED;
    scenario.steppers.smooth.law = SmoothLaw::TANH;
    scenario
}

/// The study of these results with respect to these inputs by one stepper, held against differences of its steps if `check` says so.
pub fn studied<const D: usize>(
    scenario: &Scenario<D>,
    (stepper, methods): (StepperName, &[Method]),
    (outputs, inputs): (Vec<String>, &[Input]),
    check: bool,
) -> GradientStudy
where
    Scenario<D>: DifferentiableModels<D>,
{
    let request = GradientRequest {
        steppers: vec![stepper],
        methods: methods.to_vec(),
        outputs,
        inputs: inputs.to_vec(),
        kappa: 0.1,
        phases: 1,
        check,
    };
    GradientStudy::run(scenario, &request, &Watch::none()).expect("nobody interrupts")
}

/// A scenario, and how its steps are taken and differentiated.
#[derive(Debug, Clone)]
pub struct Stepped {
    pub scenario: Scenario<2>,
    pub steps: Steps,
    pub rule: DerivativeRule,
}

impl Stepped {
    /// Its derivatives forward.
    pub fn tangents(
        &self,
        inputs: &[Input],
        options: &GradientOptions,
        watch: &Watch<'_>,
    ) -> Result<Tangents, GradientError> {
        tangents(&self.scenario, self.steps, self.rule, inputs, options, watch)
    }

    /// And backward, of the end weighed by `weight`.
    pub fn adjoint(
        &self,
        inputs: &[Input],
        weight: &[f64],
        options: &GradientOptions,
        watch: &Watch<'_>,
    ) -> Result<Adjoint, GradientError> {
        adjoint(&self.scenario, self.steps, self.rule, (inputs, weight), options, watch)
    }
}

/// By a stepper, by its name in files.
pub fn stepper(scenario: &Scenario<2>, name: &str) -> Stepped {
    let steps = Steps::by(name.parse::<StepperName>().unwrap());
    Stepped { scenario: scenario.clone(), steps, rule: DerivativeRule::Raw }
}

/// By `nlp` with this smoothing.
pub fn smoothed(scenario: &Scenario<2>, kappa: f64) -> Stepped {
    let steps = Steps { stepper: StepperName::NLP, smoothing: Some(kappa) };
    Stepped { scenario: scenario.clone(), steps, rule: DerivativeRule::Raw }
}

/// The same with its steps divided at events.
pub fn divided(scenario: &Scenario<2>, name: &str) -> Stepped {
    let mut scenario = scenario.clone();
    scenario.steppers.lcp.time_of_impact = true;
    scenario.steppers.nlp.time_of_impact = true;
    stepper(&scenario, name)
}

/// The same with the corrected gradient.
pub fn corrected(scenario: &Scenario<2>, name: &str) -> Stepped {
    Stepped { rule: DerivativeRule::Corrected, ..stepper(scenario, name) }
}

/// The gradient of a run over the steps of the scenario.
pub fn run(stepped: &Stepped, inputs: &[Input]) -> Tangents {
    stepped.tangents(inputs, &GradientOptions::of(&stepped.scenario), &Watch::none()).unwrap()
}

/// The numbers of the final state.
pub fn end<const N: usize>(run: &Tangents) -> [f64; N] {
    std::array::from_fn(|i| run.end.values[i])
}

/// Their derivatives with respect to input number `index`.
pub fn column<const N: usize>(run: &Tangents, index: usize) -> [f64; N] {
    std::array::from_fn(|i| run.jacobian[(i, index)])
}

/// The derivative of the final state, per input.
pub fn states(run: &Tangents) -> Vec<State<2>> {
    let state = |index: usize| {
        let [x, z, vx, vz] = column(run, index);
        State { position: [x, z].into(), velocity: [vx, vz].into() }
    };
    (0..run.jacobian.ncols()).map(state).collect()
}

/// The exact gradient over the same time.
pub fn exact(scenario: &Scenario<2>, inputs: &[Input]) -> ExactGradient<2> {
    ExactGradient::new(scenario, inputs, Grid::new(scenario.time()), &Watch::none()).unwrap()
}

/// The four numbers of a state.
pub fn components(state: &State<2>) -> [f64; 4] {
    [state.position[0], state.position[1], state.velocity[0], state.velocity[1]]
}

/// The squared Frobenius norm of a gradient whose inputs are scaled by their natural sizes.
pub fn scaled_square(scenario: &Scenario<2>, inputs: &[Input], tangents: &[State<2>]) -> f64 {
    let column = |(input, tangent): (&Input, &State<2>)| {
        let size = input.natural_size(scenario);
        components(tangent).iter().map(|value| (value * size).powi(2)).sum::<f64>()
    };
    inputs.iter().zip(tangents).map(column).sum()
}

/// The relative distance of two gradients, inputs scaled by their natural sizes.
pub fn relative_error(
    scenario: &Scenario<2>,
    inputs: &[Input],
    gradient: &[State<2>],
    truth: &[State<2>],
) -> f64 {
    let difference: Vec<State<2>> = gradient
        .iter()
        .zip(truth)
        .map(|(a, b)| State { position: a.position - b.position, velocity: a.velocity - b.velocity })
        .collect();
    (scaled_square(scenario, inputs, &difference) / scaled_square(scenario, inputs, truth)).sqrt()
}

/// A derivative by differences, and how far it may be off by its own account.
pub struct Extrapolated<const N: usize> {
    /// Per component of the state.
    pub slope: [f64; N],
    /// The largest doubt of a component: what the extrapolation leaves, or what the noise of the runs makes of it.
    pub doubt: f64,
}

/// How often a difference is halved at most.
const HALVINGS: i32 = 8;

/// Central differences of `end` over `h`, `h/2` and so on, extrapolated to none (Ridders 1982) until they are known to
/// `enough`: wide differences err by what bends, narrow ones by what rounds, and the entry of the table that agrees
/// best with its neighbours is neither.
pub fn extrapolated<const N: usize>(
    widest: f64,
    enough: f64,
    end: impl Fn(f64) -> [f64; N],
) -> Extrapolated<N> {
    let apart = |a: &[f64; N], b: &[f64; N]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let noise = noise(widest, &end);
    let mut best = Extrapolated { slope: [f64::NAN; N], doubt: f64::INFINITY };
    let mut above: Vec<[f64; N]> = Vec::new();
    for halving in 0..=HALVINGS {
        let h = widest * 0.5_f64.powi(halving);
        let (after, before) = (end(h), end(-h));
        let mut row = vec![std::array::from_fn(|i| (after[i] - before[i]) / (2.0 * h))];
        for (wider, gain) in above.iter().zip((1..).map(|order| 4.0_f64.powi(order) - 1.0)) {
            let narrow = row[row.len() - 1];
            let slope = std::array::from_fn(|i| narrow[i] + (narrow[i] - wider[i]) / gain);
            let doubt = apart(&slope, &narrow).max(apart(&slope, wider)).max(noise / h);
            if doubt < best.doubt {
                best = Extrapolated { slope, doubt };
            }
            row.push(slope);
        }
        let worse = above.last().zip(row.last()).is_some_and(|(a, b)| apart(a, b) > 2.0 * best.doubt);
        if best.doubt <= enough || worse && halving > 2 {
            break;
        }
        above = row;
    }
    best
}

/// The standard deviation of what rounding and the tolerances of solvers leave in `end`, from its third differences
/// over changes so small that nothing else does (More and Wild 2011).
fn noise<const N: usize>(h: f64, end: &impl Fn(f64) -> [f64; N]) -> f64 {
    let mut values: Vec<[f64; N]> = (-4..=4).map(|k| end(1e-3 * h * f64::from(k))).collect();
    for _ in 0..3 {
        values = values.windows(2).map(|pair| std::array::from_fn(|i| pair[1][i] - pair[0][i])).collect();
    }
    let variance =
        |i: usize| values.iter().map(|value| value[i].powi(2)).sum::<f64>() / (20.0 * values.len() as f64);
    (0..N).map(variance).fold(0.0, f64::max).sqrt()
}
