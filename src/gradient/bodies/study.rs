//! A study of the gradients of bodies: those of several steppers, and what each is worth.

use std::ops::ControlFlow;

use super::{BodyGradients, BodyOptions, BodyTangents, exact::exact_slopes, no_derivative};
use crate::{
    gradient::{
        GradientError, GradientRequest, GradientRow, GradientStudy, Input, LeftOut, Method, Quality,
        kinks::{Side, kinks_of},
        locate::beside,
        output::{BIAS_LIMIT, NOTHING, UnknownOutput, deviations, exploding_above},
        study::LARGEST_CHANGE,
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
        let mut study = Self { rows: Vec::new(), kinks: Vec::new(), left_out: Vec::new() };
        let mut exact = Vec::with_capacity(request.inputs.len());
        for &input in &request.inputs {
            GradientError::unless_stopped(watch)?;
            let Some(slopes) = exact_slopes(scenario, input) else { break };
            exact.push(slopes);
        }
        let is_known = exact.len() == request.inputs.len();
        let exact = is_known.then_some(exact.as_slice());
        let run = |scenario: &Scenario<D>, stepper, method| match method {
            Method::Smoothed => Err(no_derivative(stepper, "only nlp of a single point is smoothed")),
            Method::Raw | Method::Corrected => {
                let options = BodyOptions { corrected: method == Method::Corrected, kinks: true };
                scenario.body_tangents(stepper, &request.inputs, options, watch)
            }
        };
        let mut done = 0;
        // What compliant contact and that at the level of velocities are held against.
        let rigid = std::cell::OnceCell::new();
        for &stepper in &request.steppers {
            let mut corrected = None;
            if request.methods.iter().any(|method| matches!(method, Method::Raw | Method::Corrected)) {
                corrected = Some(run(scenario, stepper, Method::Corrected));
            }
            for &method in &request.methods {
                let own = match (method, &corrected) {
                    (Method::Corrected, Some(corrected)) => corrected.clone(),
                    _ => run(scenario, stepper, method),
                };
                match own {
                    Ok(own) => {
                        let reference = match &corrected {
                            _ if method != Method::Raw => None,
                            Some(Ok(corrected)) => Some(corrected),
                            _ => {
                                let of_cone = || run(scenario, StepperName::Cone, Method::Corrected).ok();
                                rigid.get_or_init(of_cone).as_ref()
                            }
                        };
                        GradientError::unless_stopped(watch)?;
                        let rerun = |input: Input, change: f64| {
                            run(&input.shifted(scenario, change), stepper, method)
                        };
                        let (request, places) = (request, places.as_slice());
                        let of = Figures { request, places, stepper, method, own: &own, reference, exact };
                        study.add_bodies(scenario, &of, &rerun);
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
        rerun: &dyn Fn(Input, f64) -> Result<BodyTangents, GradientError>,
    ) {
        let &Figures { request, places, stepper, method, own, reference, exact } = of;
        let sizes: Vec<f64> = request.inputs.iter().map(|input| input.natural_size(scenario)).collect();
        let row = |tangents: &BodyTangents, place: usize| -> Vec<f64> {
            tangents.jacobian.row(place).iter().copied().collect()
        };
        let differences: Vec<Option<(f64, [BodyTangents; 2])>> = request
            .inputs
            .iter()
            .enumerate()
            .map(|(index, &input)| {
                let h = (LARGEST_CHANGE * sizes[index]).min(own.nearest[index].distance.abs() / 3.0);
                if !request.check || h <= 0.0 {
                    return None;
                }
                Some((h, [rerun(input, h).ok()?, rerun(input, -h).ok()?]))
            })
            .collect();
        if method == Method::Raw {
            for (index, &wrt) in request.inputs.iter().enumerate() {
                let nearest = &own.nearest[index];
                let side = |change: f64| -> Option<(f64, Vec<Side>)> {
                    let run = rerun(wrt, change).ok().filter(|_| change.is_finite())?;
                    let side = |&place: &usize| Some((run.end.values[place], run.jacobian[(place, index)]));
                    Some((change, places.iter().map(side).collect()))
                };
                if let [Some(near), Some(far)] = beside(nearest.distance).map(side) {
                    self.kinks.extend(kinks_of(stepper, &request.outputs, wrt, nearest, &[near, far]));
                }
            }
        }
        for (name, &place) in request.outputs.iter().zip(places) {
            let gradient = row(own, place);
            let exact: Option<Vec<f64>> =
                exact.map(|slopes| slopes.iter().map(|slopes| slopes[place]).collect());
            let reference = exact.clone().or_else(|| reference.map(|reference| row(reference, place)));
            let bias = reference.map(|reference| deviations(&gradient, &reference, &sizes));
            for (index, &wrt) in request.inputs.iter().enumerate() {
                let bias = bias.as_ref().map(|bias| bias[index]);
                let distance = own.nearest[index].distance.abs();
                let finite_difference = differences[index].as_ref().map(|(h, [after, before])| {
                    (after.end.values[place] - before.end.values[place]) / (2.0 * h)
                });
                let end = own.jacobian.column(index).amax();
                let quality = if own.largest[index] * sizes[index] > exploding_above(scenario) {
                    Quality::Exploding
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
                    exact: exact.as_ref().map(|exact| exact[index]),
                    finite_difference,
                    trend: None,
                    valid_within: distance.is_finite().then_some(distance),
                    bias,
                    quality,
                });
            }
        }
    }
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
    exact: Option<&'a [Vec<f64>]>,
}
