//! A study of the gradients of bodies: those of several steppers, and what each is worth.

use std::ops::ControlFlow;

use super::{BodyGradients, BodyOptions, BodyTangents, exact::exact_slopes, no_derivative};
use crate::{
    gradient::{
        GradientError, GradientRequest, GradientRow, GradientStudy, Input, LeftOut, Method, Quality,
        kinks::{Neighbourhood, Side},
        locate::{Located, Look, aside, locate},
        output::{BIAS_LIMIT, NOTHING, UnknownOutput, biases, exploding_above},
        study::{LARGEST_CHANGE, WithoutExact},
    },
    scenario::Scenario,
    stepper::StepperName,
    watch::Watch,
};

impl GradientStudy {
    /// Runs a study of a scenario of bodies.
    ///
    /// # Errors
    /// [`GradientError`] if a result or an input does not exist.
    pub(in crate::gradient) fn of_bodies<const D: usize>(
        scenario: &Scenario<D>,
        request: &GradientRequest,
        watch: &Watch<'_>,
    ) -> Result<Self, GradientError>
    where
        Scenario<D>: BodyGradients,
    {
        if let (true, Some(&stepper)) = (request.phases > 1, request.steppers.first()) {
            return Err(no_derivative(
                stepper,
                "step phases are averaged over for a single point only; leave --phases out",
            ));
        }
        let names = scenario.end_names();
        let mut places = Vec::with_capacity(request.outputs.len());
        for given in &request.outputs {
            let place = names.iter().position(|name| name == given);
            places.push(
                place.ok_or_else(|| UnknownOutput { given: given.clone(), allowed: names.join(", ") })?,
            );
        }
        let mut study = Self::default();
        let mut exact = Vec::with_capacity(request.inputs.len());
        for &wrt in &request.inputs {
            GradientError::unless_stopped(watch)?;
            let slopes = exact_slopes(scenario, wrt);
            exact.push(slopes.map_err(|reason| study.without_exact.push(WithoutExact { wrt, reason })).ok());
        }
        let along = |scenario: &Scenario<D>, stepper, method, inputs: &[Input]| match method {
            Method::Smoothed => Err(no_derivative(stepper, "only nlp of a single point is smoothed")),
            Method::Raw | Method::Corrected => {
                let options = BodyOptions { corrected: method == Method::Corrected, kinks: true };
                scenario.body_tangents(stepper, inputs, options, watch)
            }
        };
        let run = |stepper, method| along(scenario, stepper, method, &request.inputs);
        let mut done = 0;
        // What compliant contact and that at the level of velocities are held against.
        let rigid = std::cell::OnceCell::new();
        for &stepper in &request.steppers {
            let mut corrected = None;
            // Where the branches change is the same for both methods.
            let mut of_raw_steps = None;
            if request.methods.iter().any(|method| matches!(method, Method::Raw | Method::Corrected)) {
                corrected = Some(run(stepper, Method::Corrected));
            }
            for &method in &request.methods {
                let own = match (method, &corrected) {
                    (Method::Corrected, Some(corrected)) => corrected.clone(),
                    _ => run(stepper, method),
                };
                match own {
                    Ok(own) => {
                        let reference = match &corrected {
                            _ if method != Method::Raw => None,
                            Some(Ok(corrected)) => Some(corrected),
                            _ => {
                                let of_cone = || run(StepperName::Cone, Method::Corrected).ok();
                                rigid.get_or_init(of_cone).as_ref()
                            }
                        };
                        GradientError::unless_stopped(watch)?;
                        let rerun = |method: Method, input: Input, change: f64, inputs: &[Input]| {
                            along(&input.shifted(scenario, change), stepper, method, inputs).ok()
                        };
                        let (request, places, exact) = (request, places.as_slice(), exact.as_slice());
                        let locate = |method: Method| {
                            located(scenario, (&request.inputs, places), &own, |input, change| {
                                rerun(method, input, change, &[input])
                            })
                        };
                        let mut located = of_raw_steps.get_or_insert_with(|| locate(Method::Raw));
                        // On a kink, its slopes to both sides are others.
                        let mut of_corrected;
                        if method == Method::Corrected && located.iter().any(|one| one.here.is_some()) {
                            of_corrected = locate(method);
                            located = &mut of_corrected;
                        }
                        let of = Figures {
                            request,
                            places,
                            stepper,
                            method,
                            own: &own,
                            reference,
                            exact,
                            located,
                        };
                        study.add_bodies(scenario, &of, &|input, change| rerun(method, input, change, &[]));
                        GradientError::unless_stopped(watch)?;
                    }
                    Err(GradientError::Interrupted) => return Err(GradientError::Interrupted),
                    Err(reason) => study.left_out.push(LeftOut { stepper, method, reason }),
                }
                done += scenario.time().steps;
                if watch.reach(done) == ControlFlow::Break(()) {
                    return Ok(study);
                }
            }
        }
        Ok(study)
    }

    fn add_bodies<const D: usize>(
        &mut self,
        scenario: &Scenario<D>,
        of: &Figures<'_>,
        rerun: &dyn Fn(Input, f64) -> Option<BodyTangents>,
    ) {
        let &Figures { request, places, stepper, method, own, reference, exact, located } = of;
        let sizes: Vec<f64> = request.inputs.iter().map(|input| input.natural_size(scenario)).collect();
        let row = |tangents: &BodyTangents, place: usize| -> Vec<f64> {
            tangents.jacobian.row(place).iter().copied().collect()
        };
        let differences: Vec<Option<(f64, [BodyTangents; 2])>> = request
            .inputs
            .iter()
            .enumerate()
            .map(|(index, &input)| {
                let h = (LARGEST_CHANGE * sizes[index]).min(located[index].nearest.distance.abs() / 3.0);
                if !request.check || h <= 0.0 {
                    return None;
                }
                Some((h, [rerun(input, h)?, rerun(input, -h)?]))
            })
            .collect();
        let known: Vec<Neighbourhood> = request
            .inputs
            .iter()
            .zip(&sizes)
            .zip(own.nearest.iter().zip(located))
            .map(|((&wrt, &size), (predicted, located))| {
                Neighbourhood::of(stepper, (&request.outputs, wrt, size), predicted, located)
            })
            .collect();
        if method == Method::Raw {
            self.kinks.extend(known.iter().flat_map(|known| known.kinks.iter().cloned()));
        }
        for (output, (name, &place)) in request.outputs.iter().zip(places).enumerate() {
            let gradient: Vec<f64> = row(own, place)
                .into_iter()
                .zip(&known)
                .map(|(own, known)| known.gradient(output, own))
                .collect();
            let exact: Vec<Option<f64>> =
                exact.iter().map(|slopes| slopes.as_ref().map(|slopes| slopes[place])).collect();
            let others = reference.map(|reference| row(reference, place));
            let other = |index: usize| others.as_ref().map(|others| others[index]);
            let references: Vec<Option<f64>> =
                exact.iter().enumerate().map(|(index, exact)| exact.or_else(|| other(index))).collect();
            let bias = biases(&gradient, &references, &sizes);
            for (index, &wrt) in request.inputs.iter().enumerate() {
                let bias = bias[index];
                let (distance, one_sided) = (known[index].within[output], known[index].one_sided[output]);
                let finite_difference = differences[index].as_ref().filter(|_| one_sided.is_none()).map(
                    |(h, [after, before])| (after.end.values[place] - before.end.values[place]) / (2.0 * h),
                );
                let end = own.jacobian.column(index).amax();
                let quality = if own.largest[index] * sizes[index] > exploding_above(scenario) {
                    Quality::Exploding
                } else if one_sided.is_some() {
                    Quality::OneSided
                } else if bias.is_some_and(|bias| bias > BIAS_LIMIT) {
                    Quality::Biased
                } else if end * sizes[index] <= NOTHING {
                    Quality::Zero
                } else {
                    Quality::Ok
                };
                self.rows.push(GradientRow {
                    stepper,
                    method,
                    of: name.clone(),
                    wrt,
                    value: own.end.values[place],
                    gradient: gradient[index],
                    exact: exact[index],
                    finite_difference,
                    trend: None,
                    valid_within: distance.is_finite().then_some(distance),
                    one_sided,
                    bias,
                    quality,
                });
            }
        }
    }
}

/// Most runs that one looks for the nearest kink along one input of bodies with, whose steps take longer.
const MOST_RUNS: usize = 4;

/// The nearest kink along each input of a run, with value and slope of the results in these `places` on both sides of it.
fn located<const D: usize>(
    scenario: &Scenario<D>,
    (inputs, places): (&[Input], &[usize]),
    own: &BodyTangents,
    rerun: impl Fn(Input, f64) -> Option<BodyTangents>,
) -> Vec<Located<Vec<Side>>> {
    let look = |input: Input, change: f64| {
        let BodyTangents { end, jacobian, nearest, branches, .. } = rerun(input, change)?;
        let result = places.iter().map(|&place| Some((end.values[place], jacobian[(place, 0)]))).collect();
        Some(Look { nearest: nearest[0], branches, result })
    };
    let of_input = |(&input, nearest)| {
        locate(nearest, own.branches, (aside(scenario, input), MOST_RUNS), |change| look(input, change))
    };
    inputs.iter().zip(&own.nearest).map(of_input).collect()
}

/// What the figures of one stepper and method are made of.
struct Figures<'a> {
    request: &'a GradientRequest,
    places: &'a [usize],
    stepper: StepperName,
    method: Method,
    own: &'a BodyTangents,
    reference: Option<&'a BodyTangents>,
    /// Of the exact motion, per input.
    exact: &'a [Option<Vec<f64>>],
    /// The kinks along every input.
    located: &'a [Located<Vec<Side>>],
}
