use super::{
    DifferentiableModels, ExactGradient, GradientError, GradientOptions, Grid, Input, LeftSide, Method,
    Nearest, Output, Quality, StopTime, Tangents, bodies,
    kinks::{Kink, Neighbourhood, OneSided, Side},
    locate::{Located, Look, MOST_RUNS, aside, locate},
    output::{Reference, biases, quality, sizes},
    tangent::tangents_beside,
    window::{MovedEdge, branches_along, is_edge},
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

impl GradientRequest {
    /// How many steps the study of a scenario takes at most, in the units in which it counts them: of a single point those
    /// of its own runs, of bodies those beside them too.
    pub fn most_steps<const D: usize>(&self, scenario: &Scenario<D>) -> usize {
        let runs = if scenario.is_single_point() {
            self.methods.len()
        } else {
            let of_input = bodies::MOST_RUNS + if self.check { 2 } else { 0 };
            1 + self.inputs.len() * of_input
        };
        self.steppers.len() * runs * scenario.time().steps
    }
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
    /// The change of the input within which no branch of a step changes, as runs on both sides of it say; 0 where the
    /// scenario is on a kink of this result.
    pub valid_within: Option<f64>,
    /// The gradients to both sides, where the scenario is on a kink of this result.
    pub one_sided: Option<OneSided>,
    /// The gradient with loads shared otherwise that the contacts leave open, where the result depends on it.
    pub otherwise_shared: Option<f64>,
    /// Relative deviation from the corrected gradient or from the exact one, whichever is the larger.
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

/// An input that the exact motion has no derivative with respect to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithoutExact {
    /// Which.
    pub wrt: Input,
    /// Why.
    pub reason: String,
}

/// Gradients by several steppers, and what each is worth.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GradientStudy {
    /// The figures.
    pub rows: Vec<GradientRow>,
    /// The kink next to the scenario, per stepper and input.
    pub kinks: Vec<Kink>,
    /// What was left out, and why.
    pub left_out: Vec<LeftOut>,
    /// What the exact motion has no derivative with respect to.
    pub without_exact: Vec<WithoutExact>,
}

/// The gradient of a run, in which the edge of a window may have moved, averaged over step phases, with the kinks of the scenario's own steps.
pub(super) fn averaged<const D: usize>(
    scenario: &Scenario<D>,
    stepper: &mut dyn PointStepper<D>,
    (inputs, moved): (&[Input], Option<MovedEdge>),
    phases: usize,
    watch: &Watch<'_>,
) -> Result<Tangents<D>, GradientError> {
    let options = GradientOptions { kinks: true, ..GradientOptions::of(scenario) };
    let own = tangents_beside(scenario, stepper, (inputs, moved), &options, watch)?;
    if phases <= 1 {
        return Ok(own);
    }
    let mut runs = Vec::with_capacity(phases);
    for phase in 0..phases {
        let grid = Grid::shifted(scenario.time(), (phase as f64 + 0.5) / phases as f64);
        let options = GradientOptions { grid, kinks: false, ..options };
        runs.push(tangents_beside(scenario, stepper, (inputs, moved), &options, watch)?);
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

/// The scenario with an input changed; the edge of a window is not changed there, but moved by the mean push. `None`
/// where that is no window any more.
fn changed<const D: usize>(
    scenario: &Scenario<D>,
    input: Input,
    change: f64,
) -> Option<(Scenario<D>, Option<MovedEdge>)> {
    let shifted = input.shifted(scenario, change);
    if !is_edge(input) {
        return Some((shifted, None));
    }
    shifted.check().ok()?;
    Some((scenario.clone(), Some(MovedEdge { input, change })))
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
        let (beside, moved) = changed(scenario, input, change)?;
        let options = GradientOptions { kinks: true, ..GradientOptions::of(&beside) };
        let stepper = model(&beside);
        let run =
            tangents_beside(&beside, stepper.ok()?.as_mut(), (&[input], moved), &options, watch).ok()?;
        let side = |of: &Output| {
            let (value, slopes) = of.of(&run.state, &run.tangents, run.stop.as_ref())?;
            Some((value, *slopes.first()?))
        };
        let result = outputs.iter().map(side).collect();
        let branches = branches_along(&beside, (input, moved), run.branches);
        Some(Look { nearest: run.nearest[0], branches, result })
    };
    let of_input = |(&input, nearest)| {
        let branches = branches_along(scenario, (input, None), run.branches);
        locate(nearest, branches, (aside(scenario, input), MOST_RUNS), |change| look(input, change))
    };
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
        let grid = Grid::new(scenario.time());
        let mut truth = ExactGradient::new(scenario, inputs, grid, watch);
        GradientError::unless_stopped(watch)?;
        if let Ok(truth) = &mut truth {
            truth.look_beside(scenario, inputs, grid, watch)?;
        }
        let run = |stepper: StepperName, method: Method| {
            let mut model = scenario.model(stepper, method, request.kappa)?;
            averaged(scenario, model.as_mut(), (inputs, None), request.phases, watch)
        };
        let mut study = Self::default();
        if let Ok(truth) = &truth {
            let has_kink = |index: usize| {
                truth.left[index].is_some_and(|left| {
                    let mut all = outputs.iter().filter_map(|of| {
                        Some((of, *of.of(&truth.state, &truth.tangents, truth.stop.as_ref())?.1.get(index)?))
                    });
                    all.any(|(of, right)| left.differing(*of, right).is_some())
                })
            };
            for (_, &wrt) in inputs.iter().enumerate().filter(|(index, _)| has_kink(*index)) {
                let reason = match is_edge(wrt) {
                    true => "another window, or the run, begins or ends there too".to_owned(),
                    false => "the motion has a kink there".to_owned(),
                };
                study.without_exact.push(WithoutExact { wrt, reason });
            }
        }
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
                        let mut located = match method {
                            Method::Smoothed => {
                                own = locate(method);
                                &own
                            }
                            Method::Raw | Method::Corrected => {
                                of_raw_steps.get_or_insert_with(|| locate(Method::Raw))
                            }
                        };
                        // On a kink, its slopes to both sides are others.
                        let of_corrected;
                        if method == Method::Corrected && located.iter().any(|one| one.here.is_some()) {
                            of_corrected = locate(method);
                            located = &of_corrected;
                        }
                        GradientError::unless_stopped(watch)?;
                        let known: Vec<Neighbourhood> = inputs
                            .iter()
                            .zip(sizes(scenario, inputs))
                            .zip(run.nearest.iter().zip(located))
                            .map(|((&wrt, size), (predicted, located))| {
                                Neighbourhood::of(stepper, (&request.outputs, wrt, size), predicted, located)
                            })
                            .collect();
                        run.nearest = located.iter().map(|located| located.nearest).collect();
                        if request.phases <= 1 && method != Method::Corrected {
                            study.kinks.extend(known.iter().flat_map(|known| known.kinks.iter().cloned()));
                        }
                        study.add(
                            scenario,
                            (request, &outputs),
                            (stepper, method),
                            (&run, &known),
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
                let left = truth.left[index].and_then(|left| left.differing(of, gradient[index]));
                let one_sided = left.map(|left| OneSided { left, right: Some(gradient[index]) });
                self.rows.push(GradientRow {
                    stepper,
                    method,
                    of: of.name::<D>(),
                    wrt,
                    value,
                    gradient: gradient[index],
                    exact: one_sided.is_none().then_some(gradient[index]),
                    finite_difference: None,
                    trend: None,
                    valid_within: one_sided.map(|_| 0.0),
                    one_sided,
                    otherwise_shared: None,
                    bias: None,
                    quality: match one_sided {
                        Some(_) => Quality::OneSided,
                        None if nothing => Quality::Zero,
                        None => Quality::Ok,
                    },
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
        (run, known): (&Tangents<D>, &[Neighbourhood]),
        corrected: Option<&Tangents<D>>,
        truth: Option<&ExactGradient<D>>,
        watch: &Watch<'_>,
    ) -> Result<(), GradientError>
    where
        Scenario<D>: DifferentiableModels<D>,
    {
        let sizes = sizes(scenario, &request.inputs);
        let shifted = |input: Input, change: f64| {
            let (beside, moved) = changed(scenario, input, change)?;
            let mut model = beside.model(stepper, method, request.kappa).ok()?;
            averaged(&beside, model.as_mut(), (&[], moved), request.phases, watch).ok()
        };
        let differences = if request.check {
            Some(
                request
                    .inputs
                    .iter()
                    .zip(&run.nearest)
                    .zip(&sizes)
                    .map(|((&input, nearest), &size)| {
                        Differences::take(size, nearest, |change| shifted(input, change))
                    })
                    .collect::<Vec<_>>(),
            )
        } else {
            None
        };
        // What was stopped is no figure that is missing for a reason of its own.
        GradientError::unless_stopped(watch)?;
        for (place, &of) in outputs.iter().enumerate() {
            let Some((value, gradient)) = of.of(&run.state, &run.tangents, run.stop.as_ref()) else {
                continue;
            };
            let pick = |state, tangents, stop: &Option<StopTime>| of.of(state, tangents, stop.as_ref());
            let exact: Vec<Option<f64>> = truth
                .and_then(|truth| Some((truth, pick(&truth.state, &truth.tangents, &truth.stop)?.1)))
                .map_or(vec![None; gradient.len()], |(truth, slopes)| {
                    let sides = truth.left.iter().zip(slopes);
                    let whole = |left: &Option<LeftSide<D>>, slope| {
                        left.is_none_or(|left| left.differing(of, slope).is_none())
                    };
                    sides.map(|(left, slope)| whole(left, slope).then_some(slope)).collect()
                });
            let reference = match corrected {
                Some(corrected) if method == Method::Raw => {
                    pick(&corrected.state, &corrected.tangents, &corrected.stop).map_or_else(
                        || vec![None; gradient.len()],
                        |(_, slopes)| slopes.into_iter().map(Some).collect(),
                    )
                }
                _ => exact.clone(),
            };
            // On a kink of the motion, or of the steps alone to hold it against, there is nothing to be off from.
            let is_whole = |index: usize| exact[index].is_some() || known[index].one_sided[place].is_none();
            let has_kink = |index: usize| truth.is_some() && exact[index].is_none();
            let reference: Vec<Option<f64>> = reference
                .into_iter()
                .enumerate()
                .map(|(index, slope)| slope.filter(|_| is_whole(index) && !has_kink(index)))
                .collect();
            let gradient: Vec<f64> =
                gradient.iter().zip(known).map(|(own, known)| known.gradient(place, *own)).collect();
            // Corrected steps may be off themselves where they are long.
            let [by_steps, by_motion] = [(&reference, Reference::Steps), (&exact, Reference::Motion)]
                .map(|(reference, held_against)| biases(&gradient, reference, &sizes, held_against));
            let bias: Vec<Option<f64>> = by_steps
                .into_iter()
                .zip(by_motion)
                .map(|(by_steps, by_motion)| by_steps.into_iter().chain(by_motion).reduce(f64::max))
                .collect();
            let is_unchecked = method == Method::Raw && corrected.is_none() && truth.is_none();
            for (index, &wrt) in request.inputs.iter().enumerate() {
                let bias = bias[index];
                let (distance, one_sided) = (known[index].within[place], known[index].one_sided[place]);
                let difference = differences.as_ref().map(|all| &all[index]).filter(|_| one_sided.is_none());
                self.rows.push(GradientRow {
                    stepper,
                    method,
                    of: of.name::<D>(),
                    wrt,
                    value,
                    gradient: gradient[index],
                    exact: exact[index],
                    finite_difference: difference.and_then(|d| d.narrow(of)),
                    trend: difference.and_then(|d| d.wide(of)),
                    valid_within: distance.is_finite().then_some(distance),
                    one_sided,
                    otherwise_shared: None,
                    bias,
                    quality: quality(
                        scenario,
                        run,
                        index,
                        sizes[index],
                        (bias, one_sided.is_some(), is_unchecked),
                    ),
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
    fn take(size: f64, nearest: &Nearest, run: impl Fn(f64) -> Option<Tangents<D>>) -> Self {
        let pair = |h: f64| {
            if !h.is_finite() || h <= 0.0 {
                return None;
            }
            Some((h, [run(h)?, run(-h)?]))
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
