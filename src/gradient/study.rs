//! A study of gradients: those of several steppers, and what each is worth.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{
    Branches, DerivativeRule, DifferentiableModels, ExactGradient, GradientError, GradientOptions,
    GradientRow, GradientStudy, Input, LeftOut, Method, MovedEdge, Nearest, Reference, RunEnd, Steps,
    Tangents, UnknownOutput,
    averaged::averaged,
    bodies,
    deviation::{References, deviations, known_deviations},
    differences::Differences,
    evidence::Evidence,
    input::natural_sizes,
    kinks::{Along, Neighbourhood, Side},
    locate::{Located, Look, MOST_RUNS_OF_BODIES, Vicinity, locate},
    output::output_names,
    quality::{CONTRADICTION_LIMIT, SURELY, exploding_above},
    rigid::Rigid,
    truth::Truth,
    window::{branches_along, is_edge},
};
use crate::{scenario::Scenario, stepper::StepperName, watch::Watch};

/// What a study of gradients is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct GradientRequest {
    /// The steppers.
    pub steppers: Vec<StepperName>,
    /// The methods; those that a stepper does not have are left out.
    pub methods: Vec<Method>,
    /// Of what: some of [`output_names`](super::output_names).
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
    /// How many steps the study of a scenario takes at most, as it counts them.
    pub fn most_steps<const D: usize>(&self, scenario: &Scenario<D>) -> usize {
        let of_input = MOST_RUNS_OF_BODIES + if self.check { 6 } else { 0 };
        let is_smoothed = |method: &&Method| **method == Method::Smoothed;
        let smoothed = self.methods.iter().filter(is_smoothed).count().min(1);
        let motions = smoothed + usize::from(self.methods.iter().any(|method| *method != Method::Smoothed));
        self.steppers.len() * motions * (1 + self.inputs.len() * of_input) * scenario.time().steps
    }
}

/// A study that is under way.
struct Study<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    request: &'a GradientRequest,
    watch: &'a Watch<'a>,
    /// The natural sizes of the inputs.
    sizes: Vec<f64>,
    truth: Truth<D>,
}

/// What the methods that differentiate the same steps share.
struct OfSteps {
    raw: Tangents,
    corrected: Result<Tangents, GradientError>,
    /// With open loads kept, rather than with their least change.
    sharing: Tangents,
    /// What they are held against where the exact motion is not known.
    rigid: Option<Rigid>,
    located: Vec<Located<Sides>>,
    /// Per input, if they are asked for.
    differences: Vec<Differences>,
}

/// What the figures of one stepper and method are made of.
struct Figures<'a> {
    stepper: StepperName,
    method: Method,
    own: &'a Tangents,
    of_steps: &'a OfSteps,
    reference: Option<&'a Tangents>,
    /// Whether that is the gradient of the motion as far as steps tell, rather than one that the step changes.
    is_checked: bool,
    /// What is known of the kinks along every input.
    known: Vec<Neighbourhood>,
}

/// What is wanted on one side of a kink: value and slope of the results, raw and corrected.
type Sides = [Vec<Side>; 2];

/// The corrected gradient of `cone`, once it is known whether there is one.
type OfCone = Option<Option<Rigid>>;

/// Relative deviation of two gradients up to which it is rounding that makes them differ by how loads are shared.
const SAME_SHARING: f64 = 1e-6;

impl GradientStudy {
    /// Runs it; what a stepper or a method refuses is in [`GradientStudy::left_out`].
    ///
    /// # Errors
    /// [`GradientError`] if a result does not exist, if an input has no derivative in this scenario, or if `watch` says to stop.
    pub fn run<const D: usize>(
        scenario: &Scenario<D>,
        request: &GradientRequest,
        watch: &Watch<'_>,
    ) -> Result<Self, GradientError>
    where
        Scenario<D>: DifferentiableModels<D>,
    {
        Study::new(scenario, request, watch)?.run()
    }
}

impl<'a, const D: usize> Study<'a, D>
where
    Scenario<D>: DifferentiableModels<D>,
{
    /// Differentiates the exact motion.
    ///
    /// # Errors
    /// [`GradientError`] if a result or an input does not exist, if step phases of bodies are asked for, or if `watch` says
    /// to stop.
    fn new(
        scenario: &'a Scenario<D>,
        request: &'a GradientRequest,
        watch: &'a Watch<'a>,
    ) -> Result<Self, GradientError> {
        for input in &request.inputs {
            input.check(scenario)?;
        }
        bodies::check_phases(scenario, request)?;
        let names = output_names(scenario);
        if let Some(given) = request.outputs.iter().find(|given| !names.contains(given)) {
            return Err(UnknownOutput { given: given.clone(), allowed: names.join(", ") }.into());
        }
        let sizes = natural_sizes(scenario, &request.inputs);
        let truth = Truth::of(scenario, &request.inputs, watch)?;
        Ok(Self { scenario, request, watch, sizes, truth })
    }

    fn run(&self) -> Result<GradientStudy, GradientError> {
        let without_exact = self.truth.without(self.request);
        let mut study = GradientStudy { without_exact, ..GradientStudy::default() };
        let steppers = &self.request.steppers;
        let steps_of_stepper = self.request.most_steps(self.scenario) / steppers.len().max(1);
        let mut of_cone = None;
        for (&stepper, place) in steppers.iter().zip(1..) {
            match self.truth.followed() {
                Some(exact) if stepper.is_exact() => self.add_exact(&mut study, exact),
                _ => self.add(&mut study, stepper, &mut of_cone)?,
            }
            if self.watch.reach(place * steps_of_stepper) == ControlFlow::Break(()) {
                return Err(GradientError::Interrupted);
            }
        }
        Ok(study)
    }

    /// Adds the figures of the exact motion of a point.
    fn add_exact(&self, study: &mut GradientStudy, exact: &Result<ExactGradient<D>, GradientError>) {
        let (stepper, method) = (StepperName::EXACT, Method::Raw);
        if !self.request.methods.contains(&method) {
            return;
        }
        match exact {
            Ok(exact) => study.rows.extend(self.exact_rows(exact)),
            Err(reason) => study.left_out.push(LeftOut { stepper, method, reason: reason.clone() }),
        }
    }

    /// Adds the figures of one stepper; `of_cone` is what compliant contact and that at the level of velocities are held
    /// against, once it is known.
    fn add(
        &self,
        study: &mut GradientStudy,
        stepper: StepperName,
        of_cone: &mut OfCone,
    ) -> Result<(), GradientError> {
        let mut own = None;
        for &method in &self.request.methods {
            let steps = Steps::of(stepper, method, self.request.kappa);
            let smoothed;
            let of_steps = match steps.smoothing {
                None => own.get_or_insert_with(|| self.of_steps(steps, of_cone)),
                Some(_) => {
                    smoothed = self.of_steps(steps, of_cone);
                    &smoothed
                }
            };
            // What was stopped is no figure that is missing for a reason of its own.
            GradientError::unless_stopped(self.watch)?;
            match of_steps.as_ref().map_err(Clone::clone).and_then(|of| self.figures(stepper, method, of)) {
                Ok(figures) => self.write(study, &figures),
                Err(GradientError::Interrupted) => return Err(GradientError::Interrupted),
                Err(reason) => study.left_out.push(LeftOut { stepper, method, reason }),
            }
        }
        Ok(())
    }

    /// Adds the figures of one stepper and method.
    fn write(&self, study: &mut GradientStudy, figures: &Figures<'_>) {
        // Those of other phases are not where the mean over them has its own.
        if self.request.phases <= 1 && figures.method != Method::Corrected {
            study.kinks.extend(figures.known.iter().flat_map(|known| known.kinks.iter().cloned()));
        }
        for output in 0..self.request.outputs.len() {
            study.rows.extend(self.rows(output, figures));
        }
    }

    /// Differentiates steps by all rules.
    fn of_steps(&self, steps: Steps, of_cone: &mut OfCone) -> Result<OfSteps, GradientError> {
        let rules = [DerivativeRule::Raw, DerivativeRule::Corrected, DerivativeRule::Sharing];
        let mut all = self.averaged(self.scenario, steps, &rules)?.into_iter();
        let mut next = || all.next().unwrap_or(Err(GradientError::Interrupted));
        let (raw, corrected, sharing) = (next()?, next(), next()?);
        let rigid = self.rigid(steps, &corrected, of_cone);
        GradientError::unless_stopped(self.watch)?;
        let located = self.located(steps, &raw);
        GradientError::unless_stopped(self.watch)?;
        let differences = self.differences(steps, &located);
        Ok(OfSteps { raw, corrected, sharing, rigid, located, differences })
    }

    /// The figures of a method that differentiates these steps.
    fn figures<'b>(
        &self,
        stepper: StepperName,
        method: Method,
        of_steps: &'b OfSteps,
    ) -> Result<Figures<'b>, GradientError> {
        let of_motion = of_steps.rigid.as_ref().and_then(|rigid| rigid.of_motion.as_ref());
        let of_rigid = of_steps.rigid.as_ref().map(|rigid| &rigid.corrected);
        let (own, reference, side) = match method {
            Method::Raw | Method::Smoothed => (&of_steps.raw, of_motion.or(of_rigid), 0),
            Method::Corrected => (of_steps.corrected.as_ref().map_err(Clone::clone)?, of_motion, 1),
        };
        let known = self.known(stepper, of_steps, side);
        Ok(Figures { stepper, method, own, of_steps, reference, is_checked: of_motion.is_some(), known })
    }

    fn averaged(
        &self,
        scenario: &Scenario<D>,
        steps: Steps,
        rules: &[DerivativeRule],
    ) -> Result<Vec<Result<Tangents, GradientError>>, GradientError> {
        let options = GradientOptions { kinks: true, ..GradientOptions::of(scenario) };
        let Self { request, watch, .. } = self;
        averaged(scenario, steps, (&request.inputs, rules), (&options, request.phases), watch)
    }

    /// What the gradients of a stepper are held against where the exact motion is not known: its own corrected one, or
    /// that of `cone` where it has none.
    fn rigid(
        &self,
        steps: Steps,
        corrected: &Result<Tangents, GradientError>,
        of_cone: &mut OfCone,
    ) -> Option<Rigid> {
        if (0..self.request.inputs.len()).all(|index| self.truth.is_known(index)) {
            return None;
        }
        let by = |steps: Steps, scenario: &Scenario<D>| {
            self.averaged(scenario, steps, &[DerivativeRule::Corrected]).ok()?.pop()?.ok()
        };
        let cone = Steps::by(StepperName::CONE);
        let Ok(corrected) = corrected else {
            let rigid =
                || Some(Rigid::new(self.scenario, by(cone, self.scenario)?, |scenario| by(cone, scenario)));
            return of_cone.get_or_insert_with(rigid).clone();
        };
        let rigid = Rigid::new(self.scenario, corrected.clone(), |scenario| by(steps, scenario));
        if steps == cone {
            *of_cone = Some(Some(rigid.clone()));
        }
        Some(rigid)
    }

    /// The nearest kink along each input of a run, with value and slope of the results on both sides of it. Where the
    /// branches change is the same for both methods.
    fn located(&self, steps: Steps, own: &Tangents) -> Vec<Located<Sides>> {
        let side = |run: Option<&Tangents>| -> Vec<Side> {
            let of_name = |name: &String| {
                let place = run?.end.place(name)?;
                run.map(|run| (run.end.values[place], run.jacobian[(place, 0)]))
            };
            self.request.outputs.iter().map(of_name).collect()
        };
        let look = |input: Input, change: f64| {
            let (beside, moved) = changed(self.scenario, input, change)?;
            let options = GradientOptions { kinks: true, moved, ..GradientOptions::of(&beside) };
            let run = beside.differentiable_run(steps).ok()?;
            let rules = [DerivativeRule::Raw, DerivativeRule::Corrected];
            let both = run.forward(&[input], &rules, &options, self.watch).ok()?;
            let raw = both.first()?.as_ref().ok()?;
            let corrected = both.get(1).and_then(|corrected| corrected.as_ref().ok());
            let branches = branches_along(&beside, input, moved, raw.branches);
            Some(Look { nearest: raw.nearest[0], branches, result: [side(Some(raw)), side(corrected)] })
        };
        // Right beside a kink that the scenario is on a step may be solved in a way that has no derivative, as with a rebound that is
        // reduced; its results have a slope from here all the same.
        let secant = |input: Input, change: f64| {
            let beside = self.end(steps, input, change)?;
            let of_name = |name: &String| {
                let (value, here) = (beside.value(name)?, own.end.value(name)?);
                Some((value, (value - here) / change))
            };
            let slopes = self.request.outputs.iter().map(of_name).collect();
            let (nearest, branches) = (Nearest::default(), Branches::default());
            Some(Look { nearest, branches, result: [slopes, side(None)] })
        };
        let of_input = |(&input, nearest)| {
            let branches = branches_along(self.scenario, input, None, own.branches);
            let vicinity = Vicinity::along(self.scenario, input);
            locate(nearest, branches, vicinity, |change| {
                let is_here = change.abs() <= vicinity.aside;
                look(input, change).or_else(|| is_here.then(|| secant(input, change)).flatten())
            })
        };
        self.request.inputs.par_iter().zip(&own.nearest).map(of_input).collect()
    }

    /// What a run that predicts kinks and what was found of them tell of the results, of those by number `side` of the
    /// two on their sides.
    fn known(&self, stepper: StepperName, of_steps: &OfSteps, side: usize) -> Vec<Neighbourhood> {
        let Self { request, sizes, .. } = self;
        let of_input = |(((&wrt, &size), predicted), located): (((&Input, &f64), _), &Located<Sides>)| {
            let along = Along { outputs: &request.outputs, wrt, size };
            let of_side = |side: usize| {
                Neighbourhood::of(stepper, along, predicted, &located.map(|sides| sides[side].clone()))
            };
            if side == 0 { of_side(0) } else { of_side(side).corrected_of(&of_side(0)) }
        };
        let predicted = &of_steps.raw.nearest;
        request.inputs.iter().zip(sizes).zip(predicted).zip(&of_steps.located).map(of_input).collect()
    }

    /// Those along each input, where they are asked for.
    fn differences(&self, steps: Steps, located: &[Located<Sides>]) -> Vec<Differences> {
        let of_input =
            |((&input, &size), located): ((&Input, &f64), &Located<Sides>)| match self.request.check {
                true => Differences::take(size, &located.nearest, |change| self.end(steps, input, change)),
                false => Differences::default(),
            };
        self.request.inputs.par_iter().zip(&self.sizes).zip(located).map(of_input).collect()
    }

    /// The end of a run with an input changed, without derivatives; `None` where there is none.
    fn end(&self, steps: Steps, input: Input, change: f64) -> Option<RunEnd> {
        let (beside, moved) = changed(self.scenario, input, change)?;
        let options = GradientOptions { moved, ..GradientOptions::of(&beside) };
        let asked = (&[][..], &[DerivativeRule::Raw][..]);
        let runs = averaged(&beside, steps, asked, (&options, self.request.phases), self.watch);
        Some(runs.ok()?.pop()?.ok()?.end)
    }

    /// Whether the gradient of a result, that of the steps themselves, is off the differences of these steps beyond the error of
    /// both, per input.
    fn contradicted(&self, of: &str, figures: &Figures<'_>, gradient: &[f64]) -> Vec<bool> {
        let differences = &figures.of_steps.differences;
        let narrow: Vec<Option<f64>> = differences.iter().map(|own| own.narrow(of)).collect();
        let off = known_deviations(gradient, &narrow, &self.sizes, Reference::Steps);
        let is_off = |index: usize| {
            let (off, narrow) = (off[index]?, narrow[index]?);
            let error = SURELY * differences[index].doubt(of)?;
            Some(off > CONTRADICTION_LIMIT && (gradient[index] - narrow).abs() > error)
        };
        let is_own = figures.method != Method::Corrected;
        (0..gradient.len()).map(|index| is_own && is_off(index).unwrap_or(false)).collect()
    }

    /// What a gradient of result number `output` is held against.
    fn references(&self, output: usize, figures: &Figures<'_>) -> References {
        let of = &self.request.outputs[output];
        let of_reference = figures.reference.and_then(|reference| reference.gradient(of));
        // On a kink of the steps they are those to one side. Where the motion is known, and has no such derivative, the
        // steps have none either that would be right.
        let of_steps = |index: usize| {
            let is_whole = figures.known[index].one_sided[output].is_none() && !self.truth.is_known(index);
            of_reference.as_ref().map(|slopes| slopes[index]).filter(|_| is_whole)
        };
        let inputs = 0..self.request.inputs.len();
        References {
            motion: inputs.clone().map(|index| self.truth.slope(of, index)).collect(),
            steps: inputs.map(of_steps).collect(),
        }
    }

    /// The figures of one result; none of a time of rest that there is not.
    fn rows(&self, output: usize, figures: &Figures<'_>) -> Vec<GradientRow> {
        let &Figures { stepper, method, own, of_steps, ref known, .. } = figures;
        let of = &self.request.outputs[output];
        let Some((value, gradient)) = own.end.value(of).zip(own.gradient(of)) else { return Vec::new() };
        let gradient = gradient.into_iter().zip(known);
        let gradient: Vec<f64> = gradient.map(|(own, known)| known.gradient(output, own)).collect();
        let references = self.references(output, figures);
        let biases = references.biases(&gradient, &self.sizes);
        let shared = of_steps.sharing.gradient(of).unwrap_or_default();
        let least = of_steps.raw.gradient(of).unwrap_or_default();
        let off_by_sharing = deviations(&shared, &least, &self.sizes, Reference::Steps);
        let contradicted = self.contradicted(of, figures, &gradient);
        let row = |(index, &wrt): (usize, &Input)| {
            let (distance, one_sided) = (known[index].within[output], known[index].one_sided[output]);
            let difference = Some(&of_steps.differences[index]).filter(|_| one_sided.is_none());
            let (size, on_kink) = (self.sizes[index], self.truth.is_on_kink(index));
            let evidence = Evidence {
                largest: own.largest[index] * size,
                end: own.jacobian.column(index).amax() * size,
                bias: biases[index],
                on_kink: one_sided.is_some() || on_kink,
                off_by_sharing: off_by_sharing[index],
                is_contradicted: contradicted[index],
                is_unchecked: !figures.is_checked && references.motion[index].is_none(),
            };
            GradientRow {
                stepper,
                method,
                of: of.clone(),
                wrt,
                value,
                gradient: gradient[index],
                exact: references.motion[index],
                finite_difference: difference.and_then(|difference| difference.narrow(of)),
                trend: difference.and_then(|difference| difference.wide(of)),
                valid_within: Some(if on_kink { 0.0 } else { distance }).filter(|d| d.is_finite()),
                one_sided,
                otherwise_shared: Some(shared[index]).filter(|_| off_by_sharing[index] > SAME_SHARING),
                bias: biases[index],
                quality: evidence.quality(exploding_above(self.scenario)),
            }
        };
        self.request.inputs.iter().enumerate().map(row).collect()
    }

    /// The figures of the exact motion.
    fn exact_rows(&self, exact: &ExactGradient<D>) -> Vec<GradientRow> {
        let mut rows = Vec::new();
        for of in &self.request.outputs {
            let Some((value, gradient)) = exact.result(of) else { continue };
            for (index, &wrt) in self.request.inputs.iter().enumerate() {
                let one_sided = exact.one_sided(of, index);
                let evidence = Evidence {
                    largest: 0.0,
                    end: exact.largest_at_end(index) * self.sizes[index],
                    bias: None,
                    on_kink: one_sided.is_some(),
                    off_by_sharing: 0.0,
                    is_contradicted: false,
                    is_unchecked: false,
                };
                rows.push(GradientRow {
                    stepper: StepperName::EXACT,
                    method: Method::Raw,
                    of: of.clone(),
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
        rows
    }
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
