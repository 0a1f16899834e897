//! A study of the gradients of bodies: those of several steppers, and what each is worth.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{
    BodyEnd, BodyGradients, BodyOptions, BodyTangents, MOST_RUNS, Way,
    exact::{NoSlopes, exact_slopes},
    no_derivative,
};
use crate::{
    gradient::{
        GradientError, GradientRequest, GradientRow, GradientStudy, Input, LeftOut, Method, Quality,
        kinks::{Neighbourhood, Side},
        locate::{Located, Look, aside, locate},
        output::{
            BIAS_LIMIT, NOTHING, Reference, SHARING_LIMIT, UnknownOutput, biases, deviations, exploding_above,
        },
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
            if let Err(reason) = &slopes {
                study.without_exact.push(WithoutExact { wrt, reason: reason.to_string() });
            }
            exact.push(slopes);
        }
        let refused = |stepper, reason: GradientError| {
            let of_method = |&method: &Method| LeftOut { stepper, method, reason: reason.clone() };
            request.methods.iter().map(of_method).collect::<Vec<_>>()
        };
        let steps_of_stepper = request.most_steps(scenario) / request.steppers.len().max(1);
        let mut done = 0;
        // What compliant contact and that at the level of velocities are held against.
        let mut of_cone = None;
        for &stepper in &request.steppers {
            let by = |scenario: &Scenario<D>, inputs: &[Input], ways: &[Way]| {
                scenario.body_run(stepper)?.forward_by(inputs, ways, true, watch)
            };
            let own = match by(scenario, &request.inputs, &[Way::Raw, Way::Corrected, Way::Sharing]) {
                Ok(own) => own,
                Err(GradientError::Interrupted) => return Err(GradientError::Interrupted),
                Err(reason) => {
                    study.left_out.extend(refused(stepper, reason));
                    done += steps_of_stepper;
                    continue;
                }
            };
            let [Ok(raw), corrected, Ok(sharing)] = own.as_slice() else {
                let reason = own.into_iter().find_map(Result::err).unwrap_or(GradientError::Interrupted);
                study.left_out.extend(refused(stepper, reason));
                continue;
            };
            let is_known = exact.iter().all(Result::is_ok);
            let own_rigid;
            let rigid = match corrected {
                Ok(corrected) => {
                    let by_step = |scenario: &Scenario<D>| {
                        by(scenario, &request.inputs, &[Way::Corrected]).ok()?.pop()?.ok()
                    };
                    own_rigid = Rigid::new(scenario, corrected.clone(), is_known, by_step);
                    if stepper == StepperName::Cone {
                        of_cone = Some(Some(own_rigid.clone()));
                    }
                    Some(&own_rigid)
                }
                Err(_) => {
                    let options = BodyOptions { corrected: true, kinks: false };
                    let by_step = |scenario: &Scenario<D>| {
                        scenario.body_tangents(StepperName::Cone, &request.inputs, options, watch).ok()
                    };
                    let rigid = || Some(Rigid::new(scenario, by_step(scenario)?, is_known, by_step));
                    of_cone.get_or_insert_with(rigid).as_ref()
                }
            };
            GradientError::unless_stopped(watch)?;
            let rerun = |input: Input, change: f64, inputs: &[Input]| {
                by(&input.shifted(scenario, change), inputs, &[Way::Raw, Way::Corrected]).ok()
            };
            // Where the branches change is the same for both methods.
            let located = located(scenario, (&request.inputs, &places), raw, |input, change| {
                rerun(input, change, &[input])
            });
            let differences = differences(scenario, request, &located, |input, change| {
                Some(rerun(input, change, &[])?.into_iter().next()?.ok()?.end)
            });
            GradientError::unless_stopped(watch)?;
            for &method in &request.methods {
                let of_motion = rigid.and_then(|rigid| rigid.of_motion.as_ref());
                let (own, reference, way) = match (method, corrected) {
                    (Method::Raw, _) => (raw, of_motion.or(rigid.map(|rigid| &rigid.corrected)), 0),
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
                let known: Vec<Neighbourhood> = request
                    .inputs
                    .iter()
                    .zip(raw.nearest.iter().zip(&located))
                    .map(|(&wrt, (predicted, located))| {
                        let size = wrt.natural_size(scenario);
                        let located = located.map(|sides| sides[way].clone());
                        Neighbourhood::of(stepper, (&request.outputs, wrt, size), predicted, &located)
                    })
                    .collect();
                let of = Figures {
                    request,
                    places: &places,
                    stepper,
                    method,
                    own,
                    reference,
                    is_checked: of_motion.is_some(),
                    sharing: [raw, sharing],
                    exact: &exact,
                    known: &known,
                    differences: &differences,
                };
                study.add_bodies(scenario, &of);
            }
            done += steps_of_stepper;
            if watch.reach(done) == ControlFlow::Break(()) {
                return Err(GradientError::Interrupted);
            }
        }
        Ok(study)
    }

    fn add_bodies<const D: usize>(&mut self, scenario: &Scenario<D>, of: &Figures<'_>) {
        let &Figures { request, places, stepper, method, own, reference, is_checked, .. } = of;
        let &Figures { sharing, exact, known, differences, .. } = of;
        let sizes: Vec<f64> = request.inputs.iter().map(|input| input.natural_size(scenario)).collect();
        let row = |tangents: &BodyTangents, place: usize| -> Vec<f64> {
            tangents.jacobian.row(place).iter().copied().collect()
        };
        if method == Method::Raw {
            self.kinks.extend(known.iter().flat_map(|known| known.kinks.iter().cloned()));
        }
        for (output, (name, &place)) in request.outputs.iter().zip(places).enumerate() {
            let gradient: Vec<f64> = row(own, place)
                .into_iter()
                .zip(known)
                .map(|(own, known)| known.gradient(output, own))
                .collect();
            let on_kink: Vec<bool> = exact.iter().map(|slopes| *slopes == Err(NoSlopes::Kink)).collect();
            let exact: Vec<Option<f64>> =
                exact.iter().map(|slopes| slopes.as_ref().ok().map(|slopes| slopes[place])).collect();
            let others = reference.map(|reference| row(reference, place));
            // On a kink of the steps they are those to one side.
            let of_steps = |index: usize| {
                others
                    .as_ref()
                    .map(|others| others[index])
                    .filter(|_| known[index].one_sided[output].is_none() && !on_kink[index])
            };
            let of_steps: Vec<Option<f64>> = (0..exact.len()).map(of_steps).collect();
            let [by_motion, by_steps] = [(&exact, Reference::Motion), (&of_steps, Reference::Steps)]
                .map(|(reference, held_against)| biases(&gradient, reference, &sizes, held_against));
            let bias: Vec<Option<f64>> =
                by_motion.into_iter().zip(by_steps).map(|(motion, steps)| motion.or(steps)).collect();
            let [least, shared] = sharing.map(|by| row(by, place));
            let off_by_sharing = deviations(&shared, &least, &sizes, Reference::Steps);
            for (index, &wrt) in request.inputs.iter().enumerate() {
                let bias = bias[index];
                let (distance, one_sided) = (known[index].within[output], known[index].one_sided[output]);
                let finite_difference = differences[index]
                    .as_ref()
                    .filter(|_| one_sided.is_none())
                    .map(|(h, [after, before])| (after.values[place] - before.values[place]) / (2.0 * h));
                let end = own.jacobian.column(index).amax();
                let is_unchecked = !is_checked && exact[index].is_none();
                let quality = if own.largest[index] * sizes[index] > exploding_above(scenario) {
                    Quality::Exploding
                } else if one_sided.is_some() || on_kink[index] {
                    Quality::OneSided
                } else if off_by_sharing[index] > SHARING_LIMIT {
                    Quality::Indeterminate
                } else if bias.is_some_and(|bias| bias > BIAS_LIMIT) {
                    Quality::Biased
                } else if is_unchecked {
                    Quality::Unchecked
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
                    valid_within: if on_kink[index] {
                        Some(0.0)
                    } else {
                        Some(distance).filter(|d| d.is_finite())
                    },
                    one_sided,
                    otherwise_shared: Some(shared[index]).filter(|_| off_by_sharing[index] > SAME_SHARING),
                    bias,
                    quality,
                });
            }
        }
    }
}

/// The corrected gradient of rigid contact, and what is known of that of the motion by it.
#[derive(Clone)]
struct Rigid {
    corrected: BodyTangents,
    /// What it and that of half the step lead to at first order, or of double the step where half of it has none; `None`
    /// where neither has, or the exact motion is known. The step changes a corrected gradient, and no figure is right
    /// because it is as far off as that.
    of_motion: Option<BodyTangents>,
}

impl Rigid {
    /// `by_step` takes the scenario with another step.
    fn new<const D: usize>(
        scenario: &Scenario<D>,
        corrected: BodyTangents,
        is_known: bool,
        by_step: impl Fn(&Scenario<D>) -> Option<BodyTangents>,
    ) -> Self {
        let by = |times: f64| by_step(&Scenario { step: times * scenario.step, ..scenario.clone() });
        let led_to = |fine: &BodyTangents, coarse: &BodyTangents| BodyTangents {
            jacobian: 2.0 * &fine.jacobian - &coarse.jacobian,
            ..fine.clone()
        };
        let of_half = || by(0.5).map(|halved| led_to(&halved, &corrected));
        let of_double = || {
            // Others end elsewhere.
            let is_even = scenario.time().steps.is_multiple_of(2);
            is_even.then(|| by(2.0)).flatten().map(|doubled| led_to(&corrected, &doubled))
        };
        let of_motion = if is_known { None } else { of_half().or_else(of_double) };
        Self { corrected, of_motion }
    }
}

/// What is wanted on one side of a kink: value and slope of the results, raw and corrected.
type Sides = [Vec<Side>; 2];

/// The nearest kink along each input of a run, with value and slope of the results in these `places` on both sides of it.
fn located<const D: usize>(
    scenario: &Scenario<D>,
    (inputs, places): (&[Input], &[usize]),
    own: &BodyTangents,
    rerun: impl Fn(Input, f64) -> Option<Vec<Result<BodyTangents, GradientError>>> + Sync,
) -> Vec<Located<Sides>> {
    let side = |run: Option<&BodyTangents>| -> Vec<Side> {
        places.iter().map(|&place| run.map(|run| (run.end.values[place], run.jacobian[(place, 0)]))).collect()
    };
    let look = |input: Input, change: f64| {
        let both = rerun(input, change)?;
        let raw = both.first()?.as_ref().ok()?;
        let corrected = both.get(1).and_then(|corrected| corrected.as_ref().ok());
        let result = [side(Some(raw)), side(corrected)];
        Some(Look { nearest: raw.nearest[0], branches: raw.branches, result })
    };
    let of_input = |(&input, nearest)| {
        locate(nearest, own.branches, (aside(scenario, input), MOST_RUNS), |change| look(input, change))
    };
    inputs.par_iter().zip(&own.nearest).map(of_input).collect()
}

/// A change of an input, and the ends of the runs with it added and taken off.
type Difference = (f64, [BodyEnd; 2]);

/// Those within the nearest kink along each input, where they are asked for and the scenario is on none.
fn differences<const D: usize>(
    scenario: &Scenario<D>,
    request: &GradientRequest,
    located: &[Located<Sides>],
    end: impl Fn(Input, f64) -> Option<BodyEnd> + Sync,
) -> Vec<Option<Difference>> {
    let of_input = |(&input, located): (&Input, &Located<Sides>)| {
        let largest = LARGEST_CHANGE * input.natural_size(scenario);
        let h = largest.min(located.nearest.distance.abs() / 3.0);
        if !request.check || h <= 0.0 {
            return None;
        }
        Some((h, [end(input, h)?, end(input, -h)?]))
    };
    request.inputs.par_iter().zip(located).map(of_input).collect()
}

/// Relative deviation of two gradients up to which it is rounding that makes them differ by how loads are shared.
const SAME_SHARING: f64 = 1e-6;

/// What the figures of one stepper and method are made of.
struct Figures<'a> {
    request: &'a GradientRequest,
    places: &'a [usize],
    stepper: StepperName,
    method: Method,
    own: &'a BodyTangents,
    reference: Option<&'a BodyTangents>,
    /// Whether that is the gradient of the motion as far as steps tell, rather than one that the step changes.
    is_checked: bool,
    /// With the least change of open loads, and with them kept.
    sharing: [&'a BodyTangents; 2],
    /// Of the exact motion, per input.
    exact: &'a [Result<Vec<f64>, NoSlopes>],
    /// What is known of the kinks along every input.
    known: &'a [Neighbourhood],
    /// Per input, where there are any.
    differences: &'a [Option<Difference>],
}
