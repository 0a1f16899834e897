use super::{
    DifferentiableModels, ExactGradient, GradientError, GradientOptions, Grid, Input, Method, Nearest,
    Output, Quality, StopTime, Tangents,
    kinks::{Kink, Side, kinks_of},
    locate::{Located, Look, locate},
    output::{deviations, quality, sizes},
    tangents,
};
use crate::{
    model::State,
    scenario::Scenario,
    stepper::{PointStepper, StepperName},
    watch::Watch,
};

/// What a study of gradients is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct GradientRequest {
    /// The steppers.
    pub steppers: Vec<StepperName>,
    /// The methods; those that a stepper does not have are left out.
    pub methods: Vec<Method>,
    /// Of what: the names of [`Output`]s of a point, or those of
    /// [`end_names`](super::BodyGradients::end_names) of bodies.
    pub outputs: Vec<String>,
    /// With respect to what.
    pub inputs: Vec<Input>,
    /// Smoothing of [`Method::Smoothed`].
    pub kappa: f64,
    /// Number of step phases to average over; 1 takes the steps of the scenario.
    pub phases: usize,
    /// Whether to take differences too.
    pub check: bool,
}

/// One figure: the derivative of one result with respect to one input.
#[derive(Debug, Clone, PartialEq)]
pub struct GradientRow {
    /// By which stepper.
    pub stepper: StepperName,
    /// How.
    pub method: Method,
    /// Of what.
    pub of: String,
    /// With respect to what.
    pub wrt: Input,
    /// The value of the result.
    pub value: f64,
    /// Its derivative.
    pub gradient: f64,
    /// The derivative of the exact motion, where it has one.
    pub exact: Option<f64>,
    /// A central difference on the same branch, if asked for.
    pub finite_difference: Option<f64>,
    /// A central difference over a kink spacing, if asked for: the trend across the branches.
    pub trend: Option<f64>,
    /// The change of the input within which no branch of a step changes: of points as runs on both sides of it say, of
    /// bodies to first order.
    pub valid_within: Option<f64>,
    /// Relative deviation from the corrected gradient, or the exact one where there is none.
    pub bias: Option<f64>,
    /// The verdict.
    pub quality: Quality,
}

/// What a stepper or a method that was left out said.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    /// Which stepper.
    pub stepper: StepperName,
    /// Which method.
    pub method: Method,
    /// Why.
    pub reason: GradientError,
}

/// Gradients by several steppers, and what each is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct GradientStudy {
    /// The figures.
    pub rows: Vec<GradientRow>,
    /// The kink next to the scenario, per stepper and input.
    pub kinks: Vec<Kink>,
    /// What was left out, and why.
    pub left_out: Vec<LeftOut>,
}

/// The gradient of a run averaged over step phases, with the kinks of the scenario's own steps.
pub(super) fn averaged<const D: usize>(
    scenario: &Scenario<D>,
    stepper: &mut dyn PointStepper<D>,
    inputs: &[Input],
    phases: usize,
    watch: &Watch<'_>,
) -> Result<Tangents<D>, GradientError> {
    let options = GradientOptions { kinks: true, ..GradientOptions::of(scenario) };
    let own = tangents(scenario, stepper, inputs, &options, watch)?;
    if phases <= 1 {
        return Ok(own);
    }
    let mut runs = Vec::with_capacity(phases);
    for phase in 0..phases {
        let grid = Grid::shifted(scenario.time(), (phase as f64 + 0.5) / phases as f64);
        let options = GradientOptions { grid, kinks: false, ..options };
        runs.push(tangents(scenario, stepper, inputs, &options, watch)?);
    }
    let share = 1.0 / phases as f64;
    let mean = |pick: &dyn Fn(&Tangents<D>) -> State<D>| {
        runs.iter().map(pick).fold(
            State { position: own.state.position * 0.0, velocity: own.state.velocity * 0.0 },
            |sum, state| State {
                position: sum.position + state.position * share,
                velocity: sum.velocity + state.velocity * share,
            },
        )
    };
    let stops: Option<Vec<&StopTime>> = runs.iter().map(|run| run.stop.as_ref()).collect();
    let stop = stops.map(|stops| StopTime {
        time: stops.iter().map(|stop| stop.time * share).sum(),
        gradient: (0..inputs.len())
            .map(|i| stops.iter().map(|stop| stop.gradient[i] * share).sum())
            .collect(),
    });
    Ok(Tangents {
        state: mean(&|run| run.state),
        tangents: (0..inputs.len()).map(|i| mean(&|run| run.tangents[i])).collect(),
        stop,
        nearest: own.nearest,
        branches: own.branches,
        largest: (0..inputs.len())
            .map(|i| runs.iter().map(|run| run.largest[i]).fold(0.0, f64::max))
            .collect(),
    })
}

/// The nearest kink along each input of a `run`, with value and slope of the outputs on both sides of it.
fn located<const D: usize>(
    scenario: &Scenario<D>,
    (inputs, outputs): (&[Input], &[Output]),
    run: &Tangents<D>,
    model: impl Fn(&Scenario<D>) -> Result<Box<dyn PointStepper<D>>, GradientError>,
    watch: &Watch<'_>,
) -> Vec<Located<Vec<Side>>> {
    let look = |input: Input, change: f64| {
        let shifted = input.shifted(scenario, change);
        let options = GradientOptions { kinks: true, ..GradientOptions::of(&shifted) };
        let run = tangents(&shifted, model(&shifted).ok()?.as_mut(), &[input], &options, watch).ok()?;
        let side = |of: &Output| {
            let (value, slopes) = of.of(&run.state, &run.tangents, run.stop.as_ref())?;
            Some((value, *slopes.first()?))
        };
        let result = outputs.iter().map(side).collect();
        Some(Look { nearest: run.nearest[0], branches: run.branches, result })
    };
    let of_input = |(&input, nearest)| locate(nearest, run.branches, |change| look(input, change));
    inputs.iter().zip(&run.nearest).map(of_input).collect()
}

impl GradientStudy {
    /// What the rows differ in, each once, in their order.
    pub fn distinct<'a, T: PartialEq>(&'a self, of: impl Fn(&'a GradientRow) -> T) -> Vec<T> {
        let mut found = Vec::new();
        for item in self.rows.iter().map(of) {
            if !found.contains(&item) {
                found.push(item);
            }
        }
        found
    }

    /// Runs it; what a stepper or a method refuses is in [`GradientStudy::left_out`].
    ///
    /// # Errors
    /// [`GradientError`] if an input has no derivative in this scenario, or if `watch` says to stop.
    pub fn run<const D: usize>(
        scenario: &Scenario<D>,
        request: &GradientRequest,
        watch: &Watch<'_>,
    ) -> Result<Self, GradientError>
    where
        Scenario<D>: DifferentiableModels<D>,
    {
        if !scenario.is_single_point() {
            for input in &request.inputs {
                input.check(scenario)?;
            }
            return Self::of_bodies(scenario, request, watch);
        }
        for input in &request.inputs {
            input.check(scenario)?;
        }
        let outputs = request.outputs.iter().map(|name| Output::parse::<D>(name));
        let outputs: Vec<Output> = outputs.collect::<Result<_, _>>()?;
        let inputs = &request.inputs;
        let truth = ExactGradient::new(scenario, inputs, Grid::new(scenario.time()), watch);
        GradientError::unless_stopped(watch)?;
        let run = |stepper: StepperName, method: Method| {
            let mut model = scenario.model(stepper, method, request.kappa)?;
            averaged(scenario, model.as_mut(), inputs, request.phases, watch)
        };
        let mut study = Self { rows: Vec::new(), kinks: Vec::new(), left_out: Vec::new() };
        let steps = scenario.time().steps;
        let mut done = 0;
        for &stepper in &request.steppers {
            let corrected = run(stepper, Method::Corrected).ok();
            // A corrected gradient is that of the same steps.
            let mut of_raw_steps = None;
            for &method in &request.methods {
                if stepper == StepperName::Exact {
                    study.add_exact(scenario, (request, &outputs), method, &truth);
                    continue;
                }
                match run(stepper, method) {
                    Ok(mut run) => {
                        let locate = |method| {
                            let model =
                                |scenario: &Scenario<D>| scenario.model(stepper, method, request.kappa);
                            located(scenario, (inputs, &outputs), &run, model, watch)
                        };
                        let own;
                        let located = match method {
                            Method::Smoothed => {
                                own = locate(method);
                                &own
                            }
                            Method::Raw | Method::Corrected => {
                                of_raw_steps.get_or_insert_with(|| locate(Method::Raw))
                            }
                        };
                        GradientError::unless_stopped(watch)?;
                        run.nearest = located.iter().map(|located| located.nearest).collect();
                        if request.phases <= 1 && method != Method::Corrected {
                            study.add_kinks(request, stepper, located);
                        }
                        study.add(
                            scenario,
                            (request, &outputs),
                            (stepper, method),
                            &run,
                            corrected.as_ref(),
                            truth.as_ref().ok(),
                            watch,
                        )?;
                    }
                    Err(GradientError::Interrupted) => return Err(GradientError::Interrupted),
                    Err(reason) => study.left_out.push(LeftOut { stepper, method, reason }),
                }
                done += steps;
                if watch.reach(done).is_break() {
                    return Err(GradientError::Interrupted);
                }
            }
        }
        Ok(study)
    }

    fn add_kinks(&mut self, request: &GradientRequest, stepper: StepperName, located: &[Located<Vec<Side>>]) {
        for (&wrt, Located { nearest, sides }) in request.inputs.iter().zip(located) {
            if let Some(sides) = sides {
                self.kinks.extend(kinks_of(stepper, &request.outputs, wrt, nearest, sides));
            }
        }
    }

    fn add_exact<const D: usize>(
        &mut self,
        scenario: &Scenario<D>,
        (request, outputs): (&GradientRequest, &[Output]),
        method: Method,
        truth: &Result<ExactGradient<D>, GradientError>,
    ) {
        let stepper = StepperName::Exact;
        if method != Method::Raw {
            return;
        }
        let truth = match truth {
            Ok(truth) => truth,
            Err(reason) => {
                self.left_out.push(LeftOut { stepper, method, reason: reason.clone() });
                return;
            }
        };
        let sizes = sizes(scenario, &request.inputs);
        for &of in outputs {
            let Some((value, gradient)) = of.of(&truth.state, &truth.tangents, truth.stop.as_ref()) else {
                continue;
            };
            for (index, &wrt) in request.inputs.iter().enumerate() {
                let change = &truth.tangents[index];
                let end = change.position.amax().max(change.velocity.amax()).max(gradient[index].abs());
                let nothing = end * sizes[index] <= super::output::NOTHING;
                self.rows.push(GradientRow {
                    stepper,
                    method,
                    of: of.name::<D>(),
                    wrt,
                    value,
                    gradient: gradient[index],
                    exact: Some(gradient[index]),
                    finite_difference: None,
                    trend: None,
                    valid_within: None,
                    bias: None,
                    quality: if nothing { Quality::Zero } else { Quality::Ok },
                });
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "what one figure is made of")]
    fn add<const D: usize>(
        &mut self,
        scenario: &Scenario<D>,
        (request, outputs): (&GradientRequest, &[Output]),
        (stepper, method): (StepperName, Method),
        run: &Tangents<D>,
        corrected: Option<&Tangents<D>>,
        truth: Option<&ExactGradient<D>>,
        watch: &Watch<'_>,
    ) -> Result<(), GradientError>
    where
        Scenario<D>: DifferentiableModels<D>,
    {
        let sizes = sizes(scenario, &request.inputs);
        let shifted = |input: Input, change: f64, request: &GradientRequest| {
            let shifted = input.shifted(scenario, change);
            let mut model = shifted.model(stepper, method, request.kappa)?;
            averaged(&shifted, model.as_mut(), &request.inputs, request.phases, watch)
        };
        let differences = if request.check {
            Some(
                request
                    .inputs
                    .iter()
                    .zip(&run.nearest)
                    .zip(&sizes)
                    .map(|((&input, nearest), &size)| {
                        Differences::take(size, nearest, |change| shifted(input, change, request))
                    })
                    .collect::<Vec<_>>(),
            )
        } else {
            None
        };
        // What was stopped is no figure that is missing for a reason of its own.
        GradientError::unless_stopped(watch)?;
        for &of in outputs {
            let Some((value, gradient)) = of.of(&run.state, &run.tangents, run.stop.as_ref()) else {
                continue;
            };
            let pick = |state, tangents, stop: &Option<StopTime>| of.of(state, tangents, stop.as_ref());
            let exact = truth.and_then(|truth| pick(&truth.state, &truth.tangents, &truth.stop));
            let reference = match corrected {
                Some(corrected) if method == Method::Raw => {
                    pick(&corrected.state, &corrected.tangents, &corrected.stop)
                }
                _ => exact.clone(),
            };
            let bias = reference.map(|(_, reference)| deviations(&gradient, &reference, &sizes));
            for (index, &wrt) in request.inputs.iter().enumerate() {
                let bias = bias.as_ref().map(|bias| bias[index]);
                let distance = run.nearest[index].distance.abs();
                let difference = differences.as_ref().map(|all| &all[index]);
                self.rows.push(GradientRow {
                    stepper,
                    method,
                    of: of.name::<D>(),
                    wrt,
                    value,
                    gradient: gradient[index],
                    exact: exact.as_ref().map(|(_, exact)| exact[index]),
                    finite_difference: difference.and_then(|d| d.narrow(of)),
                    trend: difference.and_then(|d| d.wide(of)),
                    valid_within: distance.is_finite().then_some(distance),
                    bias,
                    quality: quality(scenario, run, index, sizes[index], bias),
                });
            }
        }
        Ok(())
    }
}

/// Largest change of an input for a difference on the same branch, as a part of its natural size.
pub(super) const LARGEST_CHANGE: f64 = 1e-6;

/// The ends of runs with an input changed a little, and over a kink spacing.
struct Differences<const D: usize> {
    narrow: Option<(f64, [Tangents<D>; 2])>,
    wide: Option<(f64, [Tangents<D>; 2])>,
}

impl<const D: usize> Differences<D> {
    fn take(size: f64, nearest: &Nearest, run: impl Fn(f64) -> Result<Tangents<D>, GradientError>) -> Self {
        let pair = |h: f64| {
            if !h.is_finite() || h <= 0.0 {
                return None;
            }
            Some((h, [run(h).ok()?, run(-h).ok()?]))
        };
        Self {
            narrow: pair((LARGEST_CHANGE * size).min(nearest.distance.abs() / 3.0)),
            wide: nearest.spacing().and_then(pair),
        }
    }

    fn of(pair: Option<&(f64, [Tangents<D>; 2])>, output: Output) -> Option<f64> {
        let (h, [after, before]) = pair?;
        let end = |run: &Tangents<D>| Some(output.of(&run.state, &[], run.stop.as_ref())?.0);
        Some((end(after)? - end(before)?) / (2.0 * h))
    }

    fn narrow(&self, output: Output) -> Option<f64> {
        Self::of(self.narrow.as_ref(), output)
    }

    fn wide(&self, output: Output) -> Option<f64> {
        Self::of(self.wide.as_ref(), output)
    }
}
