//! A study of the gradients of bodies: those of several steppers, and what each is worth.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{
    BodyEnd, BodyGradients, BodyOptions, BodyTangents, DerivativeRule, MOST_RUNS,
    exact::{NoSlopes, exact_slopes},
    no_derivative,
    rigid::Rigid,
};
use crate::{
    gradient::{
        GradientError, GradientRequest, GradientRow, GradientStudy, Input, LeftOut, Method, Reference,
        UnknownOutput, WithoutExact,
        deviation::{References, deviations},
        evidence::Evidence,
        input::natural_sizes,
        kinks::{Along, Neighbourhood, Side},
        locate::{Located, Look, Vicinity, locate},
        quality::exploding_above,
    },
    scenario::Scenario,
    stepper::StepperName,
    watch::Watch,
};

/// A study of bodies.
pub(in crate::gradient) struct BodyStudy<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    request: &'a GradientRequest,
    watch: &'a Watch<'a>,
    /// Where the results stand in the end of a run.
    places: Vec<usize>,
    /// The natural sizes of the inputs.
    sizes: Vec<f64>,
    /// The derivatives of the end of the exact motion, per input.
    exact: Vec<Result<Vec<f64>, NoSlopes>>,
}

/// The gradients of one stepper.
struct OfStepper {
    raw: BodyTangents,
    corrected: Result<BodyTangents, GradientError>,
    /// With open loads kept, rather than with their least change.
    sharing: BodyTangents,
}

/// What the figures of one stepper and method are made of.
struct Figures<'a> {
    stepper: StepperName,
    method: Method,
    own: &'a BodyTangents,
    reference: Option<&'a BodyTangents>,
    /// Whether that is the gradient of the motion as far as steps tell, rather than one that the step changes.
    is_checked: bool,
    /// With the least change of open loads, and with them kept.
    sharing: [&'a BodyTangents; 2],
    /// What is known of the kinks along every input.
    known: Vec<Neighbourhood>,
    /// Per input, where there are any.
    differences: &'a [Option<Difference>],
}

/// What is wanted on one side of a kink: value and slope of the results, raw and corrected.
type Sides = [Vec<Side>; 2];

/// The ends of runs with an input changed by as much to both sides.
struct Difference {
    change: f64,
    after: BodyEnd,
    before: BodyEnd,
}

/// Relative deviation of two gradients up to which it is rounding that makes them differ by how loads are shared.
const SAME_SHARING: f64 = 1e-6;

impl<'a, const D: usize> BodyStudy<'a, D>
where
    Scenario<D>: BodyGradients,
{
    /// Differentiates the exact motion.
    ///
    /// # Errors
    /// [`GradientError`] if a result does not exist, if step phases are asked for, or if `watch` says to stop.
    pub fn new(
        scenario: &'a Scenario<D>,
        request: &'a GradientRequest,
        watch: &'a Watch<'a>,
    ) -> Result<Self, GradientError> {
        if let (true, Some(&stepper)) = (request.phases > 1, request.steppers.first()) {
            return Err(no_derivative(
                stepper,
                "step phases are averaged over for a single point only; leave --phases out",
            ));
        }
        let names = scenario.end_names();
        let place = |given: &String| {
            let place = names.iter().position(|name| name == given);
            place.ok_or_else(|| UnknownOutput { given: given.clone(), allowed: names.join(", ") })
        };
        let places = request.outputs.iter().map(place).collect::<Result<_, _>>()?;
        let mut exact = Vec::with_capacity(request.inputs.len());
        for &wrt in &request.inputs {
            GradientError::unless_stopped(watch)?;
            exact.push(exact_slopes(scenario, wrt));
        }
        let sizes = natural_sizes(scenario, &request.inputs);
        Ok(Self { scenario, request, watch, places, sizes, exact })
    }

    /// Runs it.
    ///
    /// # Errors
    /// [`GradientError::Interrupted`] if the watch says to stop.
    pub fn run(&self) -> Result<GradientStudy, GradientError> {
        let mut study = GradientStudy { without_exact: self.without_exact(), ..GradientStudy::default() };
        let steppers = &self.request.steppers;
        let steps_of_stepper = self.request.most_steps(self.scenario) / steppers.len().max(1);
        let mut of_cone = None;
        for (&stepper, place) in steppers.iter().zip(1..) {
            self.add(&mut study, stepper, &mut of_cone)?;
            if self.watch.reach(place * steps_of_stepper) == ControlFlow::Break(()) {
                return Err(GradientError::Interrupted);
            }
        }
        Ok(study)
    }

    /// What the exact motion has no derivative with respect to.
    fn without_exact(&self) -> Vec<WithoutExact> {
        let without = |(&wrt, slopes): (&Input, &Result<Vec<f64>, NoSlopes>)| {
            Some(WithoutExact { wrt, reason: slopes.as_ref().err()?.to_string() })
        };
        self.request.inputs.iter().zip(&self.exact).filter_map(without).collect()
    }

    /// Adds the figures of one stepper; `of_cone` is what compliant contact and that at the level of velocities are held
    /// against, once it is known.
    fn add(
        &self,
        study: &mut GradientStudy,
        stepper: StepperName,
        of_cone: &mut Option<Option<Rigid>>,
    ) -> Result<(), GradientError> {
        let own = match self.gradients(stepper) {
            Ok(own) => own,
            Err(GradientError::Interrupted) => return Err(GradientError::Interrupted),
            Err(reason) => {
                let left_out = |&method| LeftOut { stepper, method, reason: reason.clone() };
                study.left_out.extend(self.request.methods.iter().map(left_out));
                return Ok(());
            }
        };
        let rigid = self.rigid(stepper, &own, of_cone);
        GradientError::unless_stopped(self.watch)?;
        let located = self.located(stepper, &own.raw);
        let differences = self.differences(stepper, &located);
        GradientError::unless_stopped(self.watch)?;
        for &method in &self.request.methods {
            let of_motion = rigid.as_ref().and_then(|rigid| rigid.of_motion.as_ref());
            let of_steps = rigid.as_ref().map(|rigid| &rigid.corrected);
            let (gradient, reference, side) = match (method, &own.corrected) {
                (Method::Raw, _) => (&own.raw, of_motion.or(of_steps), 0),
                (Method::Corrected, Ok(corrected)) => (corrected, of_motion, 1),
                (Method::Corrected, Err(reason)) => {
                    study.left_out.push(LeftOut { stepper, method, reason: reason.clone() });
                    continue;
                }
                (Method::Smoothed, _) => {
                    let reason = no_derivative(stepper, "only nlp of a single point is smoothed");
                    study.left_out.push(LeftOut { stepper, method, reason });
                    continue;
                }
            };
            let figures = Figures {
                stepper,
                method,
                own: gradient,
                reference,
                is_checked: of_motion.is_some(),
                sharing: [&own.raw, &own.sharing],
                known: self.known(stepper, &own.raw, &located, side),
                differences: &differences,
            };
            if method == Method::Raw {
                study.kinks.extend(figures.known.iter().flat_map(|known| known.kinks.iter().cloned()));
            }
            for output in 0..self.places.len() {
                study.rows.extend(self.rows(output, &figures));
            }
        }
        Ok(())
    }

    fn run_by(
        &self,
        stepper: StepperName,
        scenario: &Scenario<D>,
        inputs: &[Input],
        rules: &[DerivativeRule],
    ) -> Result<Vec<Result<BodyTangents, GradientError>>, GradientError> {
        scenario.body_run(stepper)?.forward_by(inputs, rules, true, self.watch)
    }

    fn gradients(&self, stepper: StepperName) -> Result<OfStepper, GradientError> {
        let rules = [DerivativeRule::Raw, DerivativeRule::Corrected, DerivativeRule::Sharing];
        let mut all = self.run_by(stepper, self.scenario, &self.request.inputs, &rules)?.into_iter();
        let mut next = || all.next().unwrap_or(Err(GradientError::Interrupted));
        Ok(OfStepper { raw: next()?, corrected: next(), sharing: next()? })
    }

    /// What the gradients of a stepper are held against where the exact motion is not known: its own corrected one, or
    /// that of `cone` where it has none.
    fn rigid(
        &self,
        stepper: StepperName,
        own: &OfStepper,
        of_cone: &mut Option<Option<Rigid>>,
    ) -> Option<Rigid> {
        let is_known = self.exact.iter().all(Result::is_ok);
        let inputs = &self.request.inputs;
        let Ok(corrected) = &own.corrected else {
            let options = BodyOptions { corrected: true, kinks: false };
            let by_step = |scenario: &Scenario<D>| {
                scenario.body_tangents(StepperName::CONE, inputs, options, self.watch).ok()
            };
            let rigid = || Some(Rigid::new(self.scenario, by_step(self.scenario)?, is_known, by_step));
            return of_cone.get_or_insert_with(rigid).clone();
        };
        let by_step = |scenario: &Scenario<D>| {
            self.run_by(stepper, scenario, inputs, &[DerivativeRule::Corrected]).ok()?.pop()?.ok()
        };
        let rigid = Rigid::new(self.scenario, corrected.clone(), is_known, by_step);
        if stepper == StepperName::CONE {
            *of_cone = Some(Some(rigid.clone()));
        }
        Some(rigid)
    }

    /// The raw and the corrected gradient, with respect to `inputs`, of a run with one changed.
    fn rerun(
        &self,
        stepper: StepperName,
        (input, change): (Input, f64),
        inputs: &[Input],
    ) -> Option<Vec<Result<BodyTangents, GradientError>>> {
        let beside = input.shifted(self.scenario, change);
        self.run_by(stepper, &beside, inputs, &[DerivativeRule::Raw, DerivativeRule::Corrected]).ok()
    }

    /// The nearest kink along each input of a run, with value and slope of the results on both sides of it. Where the
    /// branches change is the same for both methods.
    fn located(&self, stepper: StepperName, own: &BodyTangents) -> Vec<Located<Sides>> {
        let places = &self.places;
        let side = |run: Option<&BodyTangents>| -> Vec<Side> {
            let of_place = |&place: &usize| run.map(|run| (run.end.values[place], run.jacobian[(place, 0)]));
            places.iter().map(of_place).collect()
        };
        let look = |input: Input, change: f64| {
            let both = self.rerun(stepper, (input, change), &[input])?;
            let raw = both.first()?.as_ref().ok()?;
            let corrected = both.get(1).and_then(|corrected| corrected.as_ref().ok());
            let result = [side(Some(raw)), side(corrected)];
            Some(Look { nearest: raw.nearest[0], branches: raw.branches, result })
        };
        let of_input = |(&input, nearest)| {
            let vicinity = Vicinity::along(self.scenario, input);
            locate(nearest, own.branches, vicinity, MOST_RUNS, |change| look(input, change))
        };
        self.request.inputs.par_iter().zip(&own.nearest).map(of_input).collect()
    }

    /// What a `run` that predicts kinks and what was found of them tell of the results, of those by number `side` of the
    /// two on their sides.
    fn known(
        &self,
        stepper: StepperName,
        run: &BodyTangents,
        located: &[Located<Sides>],
        side: usize,
    ) -> Vec<Neighbourhood> {
        let Self { request, sizes, .. } = self;
        let of_input = |(((&wrt, &size), predicted), located): (((&Input, &f64), _), &Located<Sides>)| {
            let located = located.map(|sides| sides[side].clone());
            Neighbourhood::of(stepper, Along { outputs: &request.outputs, wrt, size }, predicted, &located)
        };
        request.inputs.iter().zip(sizes).zip(&run.nearest).zip(located).map(of_input).collect()
    }

    /// Those within the nearest kink along each input, where they are asked for and the scenario is on none.
    fn differences(&self, stepper: StepperName, located: &[Located<Sides>]) -> Vec<Option<Difference>> {
        let end = |input: Input, change: f64| {
            Some(self.rerun(stepper, (input, change), &[])?.into_iter().next()?.ok()?.end)
        };
        let of_input = |((&input, &size), located): ((&Input, &f64), &Located<Sides>)| {
            let change = located.nearest.difference_step(size).filter(|_| self.request.check)?;
            Some(Difference { change, after: end(input, change)?, before: end(input, -change)? })
        };
        self.request.inputs.par_iter().zip(&self.sizes).zip(located).map(of_input).collect()
    }

    /// Whether the exact motion is on a kink along an input.
    fn is_on_kink(&self, index: usize) -> bool {
        self.exact[index] == Err(NoSlopes::Kink)
    }

    /// What a gradient of result number `output` is held against.
    fn references(&self, output: usize, figures: &Figures<'_>) -> References {
        let place = self.places[output];
        let of_motion =
            |slopes: &Result<Vec<f64>, NoSlopes>| slopes.as_ref().ok().map(|slopes| slopes[place]);
        // On a kink of the steps they are those to one side.
        let of_steps = |index: usize| {
            let is_whole = figures.known[index].one_sided[output].is_none() && !self.is_on_kink(index);
            figures.reference.map(|run| run.jacobian[(place, index)]).filter(|_| is_whole)
        };
        References {
            motion: self.exact.iter().map(of_motion).collect(),
            steps: (0..self.exact.len()).map(of_steps).collect(),
        }
    }

    /// The figures of one result.
    fn rows(&self, output: usize, figures: &Figures<'_>) -> Vec<GradientRow> {
        let &Figures { stepper, method, own, ref known, .. } = figures;
        let place = self.places[output];
        let row_of = |run: &BodyTangents| -> Vec<f64> { run.jacobian.row(place).iter().copied().collect() };
        let gradient = row_of(own).into_iter().zip(known);
        let gradient: Vec<f64> = gradient.map(|(own, known)| known.gradient(output, own)).collect();
        let references = self.references(output, figures);
        let biases = references.biases(&gradient, &self.sizes);
        let [least, shared] = figures.sharing.map(row_of);
        let off_by_sharing = deviations(&shared, &least, &self.sizes, Reference::Steps);
        let row = |(index, &wrt): (usize, &Input)| {
            let (distance, one_sided) = (known[index].within[output], known[index].one_sided[output]);
            let difference = figures.differences[index].as_ref().filter(|_| one_sided.is_none());
            let (size, on_kink) = (self.sizes[index], self.is_on_kink(index));
            let evidence = Evidence {
                largest: own.largest[index] * size,
                end: own.jacobian.column(index).amax() * size,
                bias: biases[index],
                on_kink: one_sided.is_some() || on_kink,
                off_by_sharing: off_by_sharing[index],
                is_unchecked: !figures.is_checked && references.motion[index].is_none(),
            };
            GradientRow {
                stepper,
                method,
                of: self.request.outputs[output].clone(),
                wrt,
                value: own.end.values[place],
                gradient: gradient[index],
                exact: references.motion[index],
                finite_difference: difference.map(|difference| difference.of(place)),
                trend: None,
                valid_within: Some(if on_kink { 0.0 } else { distance }).filter(|d| d.is_finite()),
                one_sided,
                otherwise_shared: Some(shared[index]).filter(|_| off_by_sharing[index] > SAME_SHARING),
                bias: biases[index],
                quality: evidence.quality(exploding_above(self.scenario)),
            }
        };
        self.request.inputs.iter().enumerate().map(row).collect()
    }
}

impl Difference {
    fn of(&self, place: usize) -> f64 {
        (self.after.values[place] - self.before.values[place]) / (2.0 * self.change)
    }
}
