//! Bilevel learning of the friction with unknown forces (sections 3.2.4 to 3.2.6 of the LCP notes).
//!
//! The forces are not measured, so every step has an inner problem that finds those that explain it
//! best, and the outer problem finds the friction at which they explain it well:
//!
//! ```text
//! min over mu >= 0 of   sum_i  min over lambda_i >= 0 of
//!     a1 (v_{k+1} - v_k - u - lambda_plus + lambda_minus)^2 + a2 lambda'(M lambda + q)
//! ```
//!
//! in three forms:
//!
//! - `bilevel`: `M lambda + q >= 0` is a constraint. In closed form the value of a single step with
//!   `v = 1`, `u = 2`, `v' = 2` and `a1 = a2 = 1` is `(mu - 1)^2` up to 5/3, `4 - (7 - mu)^2/8` up
//!   to 7 and 4 beyond: from below 7 gradient descent finds `mu = 1`, from above it stays where it
//!   is, because `gamma` and with it the gradient vanish at `mu* = s + 2 (a1/a2) v'`.
//! - `soft-bilevel`: the constraint becomes a hinge, `a3 sum max(0, -(M lambda + q))`. Then `gamma`
//!   vanishes at `min(a3/a2, mu*)` already.
//! - `sticking-cost`: steps known to slide pay `a4 (mu - lambda_plus - lambda_minus)^2`. As the notes
//!   write it, it is inert: equal amounts of friction in both directions pay it off. (They also
//!   drop the constant `mu^2`; with the outer problem in mind it has to stay, or else the larger
//!   `mu` the better.) Without friction in the direction of motion, `one_sided`, descent from any
//!   friction arrives.
//!
//! The inner problems are convex quadratic programs, solved by Clarabel. The outer gradient follows
//! from the envelope theorem, `dJ/dmu = a2 gamma - nu_3` with the multiplier `nu_3` of the friction
//! limit; the derivative of the forces by implicit differentiation of the optimality conditions.

mod descent;
mod descent_picture;
mod inner;
mod landscape;
mod quadratic_program;
mod reduced;

use std::cell::OnceCell;

use nalgebra::DVector;
use serde_json::{Value, json};

pub use descent::{Descent, Outer, Settings};
pub use inner::{ClosedForm, Form, GAMMA, Inner, vanishing_friction};
pub use quadratic_program::{QuadraticProgram, Solved};
pub use reduced::reduced_value;

use super::{
    affine::rms,
    block_friction,
    data::{BlockGenerator, BlockSample, unit},
    findings::{DataSet, Findings},
    input::{BlockData, Figures, Input, InputError, LearnError, MOST_SAMPLES, Progress, Run, Wish, report},
    lack_of_fit::are_at_rest,
    options::Range,
};
use crate::decimal::rounded_text;

/// Change of the outer value, over that of a unit change of the friction, that counts as one.
const FLAT: f64 = 1e-6;
/// Change of the friction, over the largest velocity without friction in the data or itself, to see
/// whether the data notice.
const PROBE: f64 = 0.05;
/// Share of that change above which there is room for it between the friction and zero.
const ROOM: f64 = 0.01;
/// `gamma` above this one, in the unit of the data, counts as sliding, when the friction at which it vanishes is searched: at
/// the kink the interior-point method is accurate to the root of its tolerance only.
const SLIDING: f64 = 1e-5;

/// One of the three experiments with its data.
#[derive(Debug, Clone)]
pub struct Bilevel {
    data: BlockData,
    /// Unit of velocity that the data give, m/s: that of starts and tolerances nobody chose.
    unit: f64,
    inner: Inner,
    starts: Vec<f64>,
    descent: Settings,
    /// The descents, once they were made: they are the result, and in the pictures again.
    descents: OnceCell<Vec<Descent>>,
}

impl Bilevel {
    /// The experiment with hard constraints.
    pub(super) fn hard(input: &mut Input) -> Result<Self, InputError> {
        let starts = [0.2, 3.0, 6.99, 7.01, 8.0, 12.0];
        Self::new(input, "bilevel", &starts, |_, _| Form::Hard)
    }

    /// The experiment with hinges.
    pub(super) fn soft(input: &mut Input) -> Result<Self, InputError> {
        Self::new(input, "soft-bilevel", &[0.2, 3.0, 6.99, 7.01], |input, unit| Form::Hinge {
            weight: input.options.number("hinge_weight", 10.0 * unit, Range::above(0.0, 1e6)),
        })
    }

    /// The experiment with a cost on unused friction.
    pub(super) fn sticking_cost(input: &mut Input) -> Result<Self, InputError> {
        Self::new(input, "sticking-cost", &[0.2, 3.0, 8.0, 12.0, 30.0], |input, _| Form::Sliding {
            weight: input.options.number("sliding_weight", 1.0, Range::above(0.0, 1e6)),
            one_sided: input.options.switch("one_sided", true),
        })
    }

    fn new(
        input: &mut Input,
        experiment: &'static str,
        starts: &[f64],
        form: impl Fn(&mut Input, f64) -> Form,
    ) -> Result<Self, InputError> {
        let wish = Wish {
            experiment,
            samples: 1,
            least: 1,
            most: MOST_SAMPLES,
            needs_forces: false,
            ignores_noise: None,
        };
        let mut data = input.block(&wish, BlockGenerator::default())?;
        // The step of the notes, which slides.
        data.replace_single(input.seed, || {
            [("velocity", 1.0), ("push", 2.0)]
                .map(|(key, default)| input.options.number(key, default, Range::closed(-1e6, 1e6)))
        });
        let unit = unit(&data.samples);
        let inner = Inner {
            prediction: input.options.number("prediction_weight", 1.0, Range::above(0.0, 1e6)),
            complementarity: input.options.number("complementarity_weight", 1.0, Range::above(0.0, 1e6)),
            form: form(input, unit),
            regularisation: input.options.number("regularisation", 1e-9, Range::closed(0.0, 1e-3)),
        };
        let starts: Vec<f64> = starts.iter().map(|start| start * unit).collect();
        Ok(Self {
            data,
            unit,
            inner,
            descents: OnceCell::new(),
            starts: input.options.numbers("starts", &starts, Range::closed(0.0, 1e6)),
            descent: Settings {
                rate: input.options.number("rate", 0.25, Range::above(0.0, 1e3)),
                tolerance: input.options.number("gradient_tolerance", 1e-7 * unit, Range::above(0.0, 1e6)),
                most_steps: input.options.count("most_steps", 2000, 1, 1_000_000),
            },
        })
    }

    /// Gradient descent from every start.
    fn descents(&self, outer: &Outer<'_>, progress: &mut Progress<'_>) -> Result<&[Descent], LearnError> {
        if let Some(descents) = self.descents.get() {
            return Ok(descents);
        }
        let mut descents = Vec::with_capacity(self.starts.len());
        for (index, start) in self.starts.iter().enumerate() {
            let share = index as f64 / (self.starts.len() + 1) as f64;
            let mut watch = || report(progress, share);
            descents.push(outer.descend_watched(*start, &self.descent, &mut watch)?);
        }
        Ok(self.descents.get_or_init(|| descents))
    }

    /// The least change of the outer value over the squared change of the friction, to either side
    /// of the `learned` one, at which it is `value`; not a number if the data move at no velocity.
    ///
    /// The change is in proportion to the velocities, of which the rounding of the value is: one in
    /// proportion to the friction would measure nothing else where there is hardly any friction.
    fn rise(
        &self,
        outer: &Outer<'_>,
        learned: f64,
        value: f64,
        watch: &mut dyn FnMut() -> Result<(), LearnError>,
    ) -> Result<f64, LearnError> {
        let speeds = self.data.samples.iter().map(|sample| sample.free_velocity().abs());
        let reach = PROBE * speeds.fold(learned, f64::max);
        if reach <= 0.0 || !reach.is_finite() {
            return Ok(f64::NAN);
        }
        let mut rise = f64::INFINITY;
        for probe in [(learned - reach).max(0.0), learned + reach] {
            let distance = (probe - learned).abs();
            if distance > ROOM * reach {
                rise = rise.min((outer.evaluate_watched(probe, watch)?.0 - value) / distance.powi(2));
            }
        }
        Ok(rise)
    }

    /// The friction at which `gamma` of a step vanishes, by bisection.
    fn measured_vanishing_friction(&self, sample: &BlockSample) -> Result<f64, LearnError> {
        let slides = |friction: f64| {
            let solved = self.inner.program(sample, friction).solve();
            let solved = solved.map_err(|reason| LearnError::QuadraticProgram { friction, reason })?;
            Ok::<_, LearnError>(solved.x[GAMMA] > SLIDING * self.unit)
        };
        let (mut low, mut high) = (0.0, self.unit);
        while slides(high)? {
            (low, high) = (high, 2.0 * high);
            if high > 1e9 * self.unit {
                return Ok(f64::INFINITY);
            }
        }
        while high - low > 1e-9 * high.max(1e-6 * self.unit) {
            let middle = 0.5 * (low + high);
            if slides(middle)? { low = middle } else { high = middle }
        }
        Ok(0.5 * (low + high))
    }
}

impl Run for Bilevel {
    fn run(&self, progress: &mut Progress<'_>) -> Result<Findings, LearnError> {
        let outer = Outer { samples: &self.data.samples, inner: self.inner };
        let descents = self.descents(&outer, progress)?;
        let mut findings = Findings::new(DataSet::Block(self.data.samples.clone()));
        let best = descents.iter().min_by(|a, b| a.value.total_cmp(&b.value));
        let learned = best.map_or(f64::NAN, Descent::end);
        let mut watch = || report(progress, 1.0);
        let (value, _) = outer.evaluate_watched(learned, &mut watch)?;
        let identifiable = self.rise(&outer, learned, value, &mut watch)? > FLAT;
        let is_finished = best.is_some_and(|descent| descent.converged);
        let truth = self.data.friction();
        let samples = &self.data.samples;
        let known = [identifiable, is_finished];
        block_friction::describe(&mut findings, samples, (learned, truth), known, progress)?;
        match truth {
            Some(truth) => {
                findings.set_error((learned - truth).abs(), "distance from the true friction, m/s")
            }
            None => {
                let rms = rms(samples.iter().map(|sample| sample.error(learned).0));
                findings
                    .set_error(rms, "rms error of the velocities that the learned friction predicts, m/s");
            }
        }
        findings.measure("value", value);
        let rows = self.starts.iter().zip(descents).map(|(start, descent)| {
            json!({ "start": start, "end": descent.end(), "steps": descent.path.len() - 1,
                    "value": descent.value, "gradient": descent.slope, "converged": descent.converged })
        });
        findings.measure("descents", rows.collect::<Vec<_>>());
        if !identifiable && is_finished {
            let why = match are_at_rest(samples) {
                true => "steps that stick say only that the friction is large enough; add steps that slide",
                false => "no descent left the frictions at which gamma vanishes; start lower (starts)",
            };
            findings.notes.push(format!("the value hardly changes around the learned friction: {why}"));
        }
        if let [sample] = self.data.samples.as_slice()
            && sample.next_velocity != 0.0
        {
            findings.measure("vanishing_friction", self.measured_vanishing_friction(sample)?);
            let formula = vanishing_friction(sample, self.inner.prediction, self.inner.complementarity);
            let formula = match self.inner.form {
                Form::Hard => Some(formula),
                Form::Hinge { weight } => Some(formula.min(weight / self.inner.complementarity)),
                Form::Sliding { .. } => None,
            };
            findings.measure("vanishing_friction_formula", formula);
        }
        let stuck: Vec<_> = (self.starts.iter().zip(descents))
            .filter(|(_, descent)| {
                descent.converged && descent.value > value + FLAT * (self.unit.powi(2) + value)
            })
            .map(|(start, _)| rounded_text(*start, 4))
            .collect();
        if !stuck.is_empty() {
            findings.notes.push(format!(
                "descent from {} stays behind: where gamma vanishes the objective does not depend on the friction",
                stuck.join(", ")
            ));
        }
        for (start, descent) in self.starts.iter().zip(descents).filter(|(_, descent)| !descent.converged) {
            findings.notes.push(format!(
                "descent from {} was not finished after {} steps, at a gradient of {:.1e}; raise most_steps or \
                 rate, or raise gradient_tolerance if it moves no more",
                rounded_text(*start, 4),
                descent.path.len() - 1,
                descent.slope.abs()
            ));
        }
        Ok(findings)
    }

    fn figures(&self, findings: &Findings, progress: &mut Progress<'_>) -> Result<Figures, LearnError> {
        let outer = Outer { samples: &self.data.samples, inner: self.inner };
        let descents = self.descents(&outer, &mut |share| progress(0.5 * share))?;
        let marks = landscape::Marks {
            truth: self.data.friction(),
            vanishing: findings.measures.get("vanishing_friction").and_then(Value::as_f64),
        };
        let landscape = landscape::draw(&outer, descents, &marks, &mut |share| progress(0.5 + 0.5 * share))?;
        Ok(vec![("landscape", landscape), ("descent", descent_picture::draw(descents, &marks))])
    }
}

/// The forces of a step at friction `mu` and their derivative by it; `None` at a kink.
///
/// # Errors
/// [`LearnError::QuadraticProgram`] if the inner problem is not solved.
pub fn force_sensitivity(
    inner: &Inner,
    sample: &BlockSample,
    friction: f64,
) -> Result<(DVector<f64>, Option<DVector<f64>>), LearnError> {
    let program = inner.program(sample, friction);
    let solved = program.solve().map_err(|reason| LearnError::QuadraticProgram { friction, reason })?;
    let sensitivity = program.sensitivity(&solved);
    Ok((solved.x, sensitivity))
}
