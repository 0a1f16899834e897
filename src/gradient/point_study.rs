//! A study of the gradients of a single point: those of several steppers, and what each is worth.

use super::{
    DifferentiableModels, ExactGradient, GradientError, GradientOptions, GradientRequest, GradientRow,
    GradientStudy, Grid, Input, LeftOut, Method, Nearest, Output, Tangents, WithoutExact,
    averaged::averaged,
    deviation::References,
    evidence::Evidence,
    input::natural_sizes,
    kinks::{Along, Neighbourhood, Side},
    locate::{Located, Look, MOST_RUNS, Vicinity, locate},
    quality::exploding_above,
    tangent::{Asked, tangents_beside},
    window::{MovedEdge, branches_along, is_edge},
};
use crate::{
    model::State,
    scenario::Scenario,
    stepper::{PointStepper, StepperName},
    watch::Watch,
};

/// A study of a single point.
pub(super) struct PointStudy<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    request: &'a GradientRequest,
    watch: &'a Watch<'a>,
    outputs: Vec<Output>,
    /// The natural sizes of the inputs.
    sizes: Vec<f64>,
    truth: Result<ExactGradient<D>, GradientError>,
}

/// By which stepper, and how.
#[derive(Clone, Copy)]
struct By {
    stepper: StepperName,
    method: Method,
}

/// What the methods of one stepper share.
struct OfStepper<const D: usize> {
    name: StepperName,
    corrected: Result<Tangents<D>, GradientError>,
    /// The kinks of its steps, once they have been looked for: the raw and the corrected gradient are of the same steps.
    located: Option<Vec<Located<Vec<Side>>>>,
}

/// What the figures of one stepper and method are made of.
struct Figures<'a, const D: usize> {
    by: By,
    run: &'a Tangents<D>,
    corrected: Option<&'a Tangents<D>>,
    /// What is known of the kinks along every input.
    known: Vec<Neighbourhood>,
    /// Per input, if they are asked for.
    differences: Option<Vec<Differences<D>>>,
}

impl<'a, const D: usize> PointStudy<'a, D>
where
    Scenario<D>: DifferentiableModels<D>,
{
    /// Differentiates the exact motion.
    ///
    /// # Errors
    /// [`GradientError`] if a result does not exist, or if `watch` says to stop.
    pub fn new(
        scenario: &'a Scenario<D>,
        request: &'a GradientRequest,
        watch: &'a Watch<'a>,
    ) -> Result<Self, GradientError> {
        let outputs = request.outputs.iter().map(|name| Output::parse::<D>(name));
        let outputs = outputs.collect::<Result<_, _>>()?;
        let grid = Grid::new(scenario.time());
        let mut truth = ExactGradient::new(scenario, &request.inputs, grid, watch);
        GradientError::unless_stopped(watch)?;
        if let Ok(truth) = &mut truth {
            truth.look_beside(scenario, &request.inputs, grid, watch)?;
        }
        let sizes = natural_sizes(scenario, &request.inputs);
        Ok(Self { scenario, request, watch, outputs, sizes, truth })
    }

    /// Runs it.
    ///
    /// # Errors
    /// [`GradientError::Interrupted`] if the watch says to stop.
    pub fn run(&self) -> Result<GradientStudy, GradientError> {
        let mut study = GradientStudy { without_exact: self.kinks_of_motion(), ..GradientStudy::default() };
        let mut done = 0;
        for &name in &self.request.steppers {
            let corrected = self.gradient(By { stepper: name, method: Method::Corrected });
            let mut stepper = OfStepper { name, corrected, located: None };
            for &method in &self.request.methods {
                match self.add(&mut study, &mut stepper, method) {
                    Ok(()) => {}
                    Err(GradientError::Interrupted) => return Err(GradientError::Interrupted),
                    Err(reason) => study.left_out.push(LeftOut { stepper: name, method, reason }),
                }
                done += self.scenario.time().steps;
                if self.watch.reach(done).is_break() {
                    return Err(GradientError::Interrupted);
                }
            }
        }
        Ok(study)
    }

    /// The inputs along which the exact motion has a kink that a result knows of.
    fn kinks_of_motion(&self) -> Vec<WithoutExact> {
        let Ok(truth) = &self.truth else { return Vec::new() };
        let has_kink = |index: usize| self.outputs.iter().any(|of| truth.one_sided(*of, index).is_some());
        let with_kink = self.request.inputs.iter().enumerate().filter(|(index, _)| has_kink(*index));
        let without = |(_, &wrt): (usize, &Input)| WithoutExact {
            wrt,
            reason: match is_edge(wrt) {
                true => "another window, or the run, begins or ends there too".to_owned(),
                false => "the motion has a kink there".to_owned(),
            },
        };
        with_kink.map(without).collect()
    }

    fn model(&self, scenario: &Scenario<D>, by: By) -> Result<Box<dyn PointStepper<D>>, GradientError> {
        scenario.model(by.stepper, by.method, self.request.kappa)
    }

    fn gradient(&self, by: By) -> Result<Tangents<D>, GradientError> {
        let Self { scenario, request, watch, .. } = *self;
        let mut model = self.model(scenario, by)?;
        averaged(scenario, model.as_mut(), Asked::of(&request.inputs), request.phases, watch)
    }

    /// Adds the figures of one stepper and method.
    fn add(
        &self,
        study: &mut GradientStudy,
        stepper: &mut OfStepper<D>,
        method: Method,
    ) -> Result<(), GradientError> {
        if stepper.name.is_exact() {
            if method == Method::Raw {
                study.rows.extend(self.exact_rows()?);
            }
            return Ok(());
        }
        let by = By { stepper: stepper.name, method };
        let mut run = match method {
            Method::Corrected => stepper.corrected.clone()?,
            Method::Raw | Method::Smoothed => self.gradient(by)?,
        };
        let located = self.located(stepper, method, &run);
        GradientError::unless_stopped(self.watch)?;
        let known = self.known(stepper.name, &run, &located);
        run.nearest = located.iter().map(|located| located.nearest).collect();
        if self.request.phases <= 1 && method != Method::Corrected {
            study.kinks.extend(known.iter().flat_map(|known| known.kinks.iter().cloned()));
        }
        let figures = Figures {
            by,
            differences: self.differences(by, &run),
            run: &run,
            corrected: stepper.corrected.as_ref().ok(),
            known,
        };
        // What was stopped is no figure that is missing for a reason of its own.
        GradientError::unless_stopped(self.watch)?;
        for place in 0..self.outputs.len() {
            study.rows.extend(self.rows(place, &figures));
        }
        Ok(())
    }

    /// The nearest kink along each input of a `run` by one method.
    fn located(
        &self,
        stepper: &mut OfStepper<D>,
        method: Method,
        run: &Tangents<D>,
    ) -> Vec<Located<Vec<Side>>> {
        let by = |method: Method| By { stepper: stepper.name, method };
        if method == Method::Smoothed {
            return self.locate(by(method), run);
        }
        let of_steps = stepper.located.get_or_insert_with(|| self.locate(by(Method::Raw), run));
        // On a kink, the slopes of the corrected one to both sides are others.
        if method == Method::Corrected && of_steps.iter().any(|one| one.here.is_some()) {
            return self.locate(by(method), run);
        }
        of_steps.clone()
    }

    /// Looks for the nearest kink along each input of a `run`, with value and slope of the outputs on both sides of it.
    fn locate(&self, by: By, run: &Tangents<D>) -> Vec<Located<Vec<Side>>> {
        let Self { scenario, request, watch, .. } = *self;
        let look = |input: Input, change: f64| {
            let (beside, moved) = changed(scenario, input, change)?;
            let options = GradientOptions { kinks: true, ..GradientOptions::of(&beside) };
            let mut model = self.model(&beside, by).ok()?;
            let asked = Asked { inputs: &[input], moved };
            let run = tangents_beside(&beside, model.as_mut(), asked, &options, watch).ok()?;
            let side = |of: &Output| {
                let (value, slopes) = of.of(&run.state, &run.tangents, run.stop.as_ref())?;
                Some((value, *slopes.first()?))
            };
            let result = self.outputs.iter().map(side).collect();
            let branches = branches_along(&beside, input, moved, run.branches);
            Some(Look { nearest: run.nearest[0], branches, result })
        };
        let of_input = |(&input, nearest)| {
            let branches = branches_along(scenario, input, None, run.branches);
            let vicinity = Vicinity::along(scenario, input);
            locate(nearest, branches, vicinity, MOST_RUNS, |change| look(input, change))
        };
        request.inputs.iter().zip(&run.nearest).map(of_input).collect()
    }

    /// What a `run` that predicts kinks and what was found of them tell of the results.
    fn known(
        &self,
        stepper: StepperName,
        run: &Tangents<D>,
        located: &[Located<Vec<Side>>],
    ) -> Vec<Neighbourhood> {
        let Self { request, sizes, .. } = self;
        let of_input = |(((&wrt, &size), predicted), located)| {
            Neighbourhood::of(stepper, Along { outputs: &request.outputs, wrt, size }, predicted, located)
        };
        request.inputs.iter().zip(sizes).zip(&run.nearest).zip(located).map(of_input).collect()
    }

    fn differences(&self, by: By, run: &Tangents<D>) -> Option<Vec<Differences<D>>> {
        let Self { scenario, request, watch, sizes, .. } = self;
        let shifted = |input: Input, change: f64| {
            let (beside, moved) = changed(scenario, input, change)?;
            let mut model = self.model(&beside, by).ok()?;
            averaged(&beside, model.as_mut(), Asked { inputs: &[], moved }, request.phases, watch).ok()
        };
        let of_input = |((&input, nearest), &size): ((&Input, &Nearest), &f64)| {
            Differences::take(size, nearest, |change| shifted(input, change))
        };
        request.check.then(|| request.inputs.iter().zip(&run.nearest).zip(sizes).map(of_input).collect())
    }

    /// What a gradient of a result is held against.
    fn references(&self, (place, of): (usize, Output), figures: &Figures<'_, D>) -> References {
        let none = || vec![None; self.request.inputs.len()];
        let motion = self.truth.as_ref().ok().and_then(|truth| {
            let (_, slopes) = truth.result(of)?;
            let whole = |(index, slope)| Some(slope).filter(|_| truth.one_sided(of, index).is_none());
            Some(slopes.into_iter().enumerate().map(whole).collect())
        });
        // Where the motion is known, and has no such derivative, the steps have none either that would be right.
        let corrected = figures.corrected.filter(|_| figures.by.method == Method::Raw && self.truth.is_err());
        let steps = corrected.and_then(|run| {
            let (_, slopes) = of.of(&run.state, &run.tangents, run.stop.as_ref())?;
            // On a kink of the steps they are those to one side.
            let whole = |(slope, known): (f64, &Neighbourhood)| {
                Some(slope).filter(|_| known.one_sided[place].is_none())
            };
            Some(slopes.into_iter().zip(&figures.known).map(whole).collect())
        });
        References { motion: motion.unwrap_or_else(none), steps: steps.unwrap_or_else(none) }
    }

    /// The figures of one result; none of a time of rest that there is not.
    fn rows(&self, place: usize, figures: &Figures<'_, D>) -> Vec<GradientRow> {
        let Figures { by, run, known, differences, .. } = figures;
        let of = self.outputs[place];
        let Some((value, gradient)) = of.of(&run.state, &run.tangents, run.stop.as_ref()) else {
            return Vec::new();
        };
        let gradient: Vec<f64> =
            gradient.iter().zip(known).map(|(own, known)| known.gradient(place, *own)).collect();
        let references = self.references((place, of), figures);
        let biases = references.biases(&gradient, &self.sizes);
        let row = |(index, &wrt): (usize, &Input)| {
            let (distance, one_sided) = (known[index].within[place], known[index].one_sided[place]);
            let difference = differences.as_ref().map(|all| &all[index]).filter(|_| one_sided.is_none());
            let size = self.sizes[index];
            let stop = run.stop.as_ref();
            let evidence = Evidence {
                largest: run.largest[index] * size,
                end: largest_at_end(&run.tangents[index], stop.map(|stop| stop.gradient[index])) * size,
                bias: biases[index],
                on_kink: one_sided.is_some(),
                off_by_sharing: 0.0,
                // Where the motion is not known the corrected gradient and the smoothed one are the best there is.
                is_unchecked: biases[index].is_none() && (by.method == Method::Raw || self.truth.is_ok()),
            };
            GradientRow {
                stepper: by.stepper,
                method: by.method,
                of: of.name::<D>(),
                wrt,
                value,
                gradient: gradient[index],
                exact: references.motion[index],
                finite_difference: difference.and_then(|d| d.narrow(of)),
                trend: difference.and_then(|d| d.wide(of)),
                valid_within: distance.is_finite().then_some(distance),
                one_sided,
                otherwise_shared: None,
                bias: biases[index],
                quality: evidence.quality(exploding_above(self.scenario)),
            }
        };
        self.request.inputs.iter().enumerate().map(row).collect()
    }

    /// The figures of the exact motion.
    fn exact_rows(&self) -> Result<Vec<GradientRow>, GradientError> {
        let truth = self.truth.as_ref().map_err(Clone::clone)?;
        let mut rows = Vec::new();
        for &of in &self.outputs {
            let Some((value, gradient)) = truth.result(of) else { continue };
            for (index, &wrt) in self.request.inputs.iter().enumerate() {
                let one_sided = truth.one_sided(of, index);
                let stop = truth.stop.as_ref().map(|stop| stop.gradient[index]);
                let evidence = Evidence {
                    largest: 0.0,
                    end: largest_at_end(&truth.tangents[index], stop) * self.sizes[index],
                    bias: None,
                    on_kink: one_sided.is_some(),
                    off_by_sharing: 0.0,
                    is_unchecked: false,
                };
                rows.push(GradientRow {
                    stepper: StepperName::EXACT,
                    method: Method::Raw,
                    of: of.name::<D>(),
                    wrt,
                    value,
                    gradient: gradient[index],
                    exact: Some(gradient[index]).filter(|_| one_sided.is_none()),
                    finite_difference: None,
                    trend: None,
                    valid_within: one_sided.map(|_| 0.0),
                    one_sided,
                    otherwise_shared: None,
                    bias: None,
                    quality: evidence.quality(exploding_above(self.scenario)),
                });
            }
        }
        Ok(rows)
    }
}

/// The largest derivative of what a run ends with.
fn largest_at_end<const D: usize>(change: &State<D>, stop: Option<f64>) -> f64 {
    change.position.amax().max(change.velocity.amax()).max(stop.map_or(0.0, f64::abs))
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

/// The ends of runs with an input changed a little, and over a kink spacing.
struct Differences<const D: usize> {
    narrow: Option<Pair<D>>,
    wide: Option<Pair<D>>,
}

/// The ends of runs with an input changed by as much to both sides.
struct Pair<const D: usize> {
    change: f64,
    after: Tangents<D>,
    before: Tangents<D>,
}

impl<const D: usize> Differences<D> {
    fn take(size: f64, nearest: &Nearest, run: impl Fn(f64) -> Option<Tangents<D>>) -> Self {
        let pair = |change: f64| Some(Pair { change, after: run(change)?, before: run(-change)? });
        Self {
            narrow: nearest.difference_step(size).and_then(pair),
            wide: nearest.spacing().filter(|spacing| *spacing > 0.0).and_then(pair),
        }
    }

    fn narrow(&self, of: Output) -> Option<f64> {
        self.narrow.as_ref()?.difference(of)
    }

    fn wide(&self, of: Output) -> Option<f64> {
        self.wide.as_ref()?.difference(of)
    }
}

impl<const D: usize> Pair<D> {
    fn difference(&self, of: Output) -> Option<f64> {
        let end = |run: &Tangents<D>| Some(of.of(&run.state, &[], run.stop.as_ref())?.0);
        Some((end(&self.after)? - end(&self.before)?) / (2.0 * self.change))
    }
}
