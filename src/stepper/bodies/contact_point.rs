//! A single point that a contact model of bodies moves, and the derivative of its steps by the law of their one contact.
//!
//! With the velocity `v_f` that the point would have without the contact, its mass `m`, the frame `J` of the contact and
//! its impulse `r`, a step is
//!
//! ```text
//! v+ = v_f + J' r/m,   law(u, r) = 0 with u = J v+ + c n
//! ```
//!
//! What the gradients of bodies solve for any number of contacts is here a system of two or three equations on the stack.

use nalgebra::{SMatrix, SVector};

use super::{Bodies, Choice, Choose, particles};
use crate::{
    contact::LinearLaw,
    model::{PointMass, State, Vector},
    scenario::Scenario,
    stepper::{
        Honours, Moved, PointInput, PointStepper, Refusal, SolverInfo, Step, StepError, StepInput, Stepper,
        StepperName, UsedSettings,
        admission::single_point,
        derivative::{LocalDual, LocalInput, Margins, NoDerivative, StepDerivative, explicit_derivative},
    },
    world::Particles,
};

/// What a model knows of a point beyond the contact problems of its steps.
pub(in crate::stepper) trait PointLaw<const D: usize>: Send {
    /// The numbers that it chose for the point from the start of the scenario, as [`LinearLaw::chosen`] has them.
    fn chosen(&self, local: &LocalInput<D>) -> [LocalDual; 2];

    /// How far the step from `input` is from taking another branch.
    fn margins(&self, body: &PointMass<D>, input: &PointInput<D>) -> Margins<D>;
}

/// A contact model of bodies that takes every step in one stage, at work on a single point over the ground.
pub(in crate::stepper) struct ContactPoint<const D: usize> {
    body: PointMass<D>,
    bodies: Bodies<Particles<D>, D, D>,
    law: Box<dyn PointLaw<D>>,
    moved: Moved<D>,
    /// The law of the contact in the last step, where it has a derivative; none in flight.
    linear: Vec<LinearLaw<D>>,
    is_linear: bool,
}

/// A number without its value: what changes of it.
fn change(number: LocalDual) -> LocalDual {
    number - number.re
}

fn times<const D: usize>(matrix: &SMatrix<f64, D, D>, vector: &Vector<D, LocalDual>) -> Vector<D, LocalDual> {
    let none = LocalDual::from_re(0.0);
    Vector::from_fn(|i, _| (0..D).fold(none, |sum, j| sum + vector[j] * matrix[(i, j)]))
}

impl<const D: usize> ContactPoint<D> {
    /// The model `name` for a scenario of a single point; `law` gives what it knows of the point.
    ///
    /// # Errors
    /// [`Refusal`] if there is anything else than one point, or the model does not admit it.
    pub fn boxed<L: PointLaw<D> + 'static>(
        scenario: &Scenario<D>,
        name: StepperName,
        law: impl FnOnce(&Scenario<D>) -> L,
    ) -> Result<Box<dyn PointStepper<D>>, Refusal>
    where
        Choice<D, D>: Choose<D>,
    {
        Ok(Box::new(Self {
            body: single_point(scenario, name)?,
            bodies: Bodies::new(particles(scenario), Choice::of(scenario, name)?),
            law: Box::new(law(scenario)),
            moved: Moved::start(scenario),
            linear: Vec::new(),
            is_linear: false,
        }))
    }

    /// The velocity after the last step, which had a contact, in dual numbers; `None` where the equations are singular.
    fn velocity(&self, local: &LocalInput<D>) -> Option<Vector<D, LocalDual>> {
        let stepper = &self.bodies.stepper;
        let (problem, solution) = (stepper.problem(), stepper.solution());
        let (law, impulse) = (self.linear.first()?, solution.impulses.first()?);
        let jacobian = &problem.contact.contacts.first()?.jacobian[0];
        let [by_gap, by_approach, by_restitution] = problem.bias_slopes(0, false);
        let (gap, approach) = (change(local.state.height()), change(local.state.velocity[D - 1]));
        let [restitution, friction] = [local.body.restitution, local.body.friction].map(change);
        let by_mass = change(LocalDual::from_re(1.0) / local.body.mass);
        let free = local.body.free_velocity(&local.state, &local.push, local.dt).map(change);
        // The change of the relative velocity where the impulse does not change.
        let of_free = times(jacobian, &free);
        let mut relative = of_free + impulse.map(|r| by_mass * r);
        relative[0] += gap * by_gap + approach * by_approach + restitution * by_restitution;
        let of_response = by_mass * law.response.1.trace();
        let chosen = self.law.chosen(local).map(change);
        let mut off = times(&law.velocity, &relative) + times(&law.free, &of_free);
        for i in 0..D {
            off[i] += friction * law.friction[i]
                + gap * law.gap[i]
                + approach * law.approach[i]
                + of_response * law.response.0[i]
                + chosen[0] * law.chosen[0][i]
                + chosen[1] * law.chosen[1][i];
        }
        let response = 1.0 / self.body.mass;
        let gained = -times(&(law.velocity * response + law.impulse).try_inverse()?, &off);
        let lifted = gained.map(|r| r * response) + impulse.map(|r| by_mass * r);
        let velocity = solution.velocity.first()?.map(LocalDual::from_re);
        Some(velocity + free + times(&jacobian.transpose(), &lifted))
    }
}

impl<const D: usize> PointStepper<D> for ContactPoint<D> {
    fn name(&self) -> StepperName {
        self.bodies.name()
    }

    fn solver(&self) -> Option<SolverInfo> {
        self.bodies.solver()
    }

    fn settings(&self) -> UsedSettings {
        self.bodies.settings()
    }

    fn honours(&self) -> Honours {
        self.bodies.honours()
    }

    fn step(&mut self, input: &PointInput<D>) -> Result<Step<D>, StepError<D>> {
        let &PointInput { index, time, state, push, dt } = input;
        let (states, forces): ([State<D>; 1], [SVector<f64, D>; 1]) = ([state], [push]);
        let whole =
            StepInput { index, time, dt, states: &states, attitudes: &[], forces: &forces, torques: &[] };
        let taken = self.bodies.step(&whole, &mut self.moved);
        let step =
            |report| Step { state: self.moved.states[0], contact_impulse: self.moved.impulses[0], report };
        let report = taken.map_err(|failure| StepError {
            candidate: failure.candidate.map(|report| Box::new(step(report))),
            failure: Box::new(failure),
        })?;
        let step = step(report);
        let stepper = &self.bodies.stepper;
        self.linear.clear();
        self.is_linear = stepper.model().linearise(
            &stepper.problem().contact,
            stepper.solution(),
            &[state.velocity],
            &mut self.linear,
        );
        Ok(step)
    }

    fn recall(&mut self, input: &PointInput<D>) -> Result<(), StepError<D>> {
        self.step(input).map(drop)
    }

    /// Of the last step alone.
    fn step_derivative(
        &self,
        input: &PointInput<D>,
        _step: &Step<D>,
    ) -> Result<StepDerivative<D>, NoDerivative> {
        let none = |reason: &str| {
            let reason = format!("{reason} at t = {} s", input.time);
            Err(NoDerivative { stepper: self.name(), reason })
        };
        if self.bodies.stepper.problem().touches.is_empty() {
            return Ok(StepDerivative::Flight);
        }
        if !self.is_linear {
            return none("the law of its contact has none");
        }
        let local = LocalInput::new(&self.body, input);
        match self.velocity(&local) {
            Some(velocity) => {
                let after = local.state.advance(velocity, local.dt);
                Ok(StepDerivative::Explicit(explicit_derivative(&after)))
            }
            None => none("its equations are singular"),
        }
    }

    fn margins(&self, input: &PointInput<D>, _step: &Step<D>) -> Margins<D> {
        self.law.margins(&self.body, input)
    }

    fn reset(&mut self) {
        self.bodies.reset();
    }

    fn memory(&self) -> Vec<f64> {
        self.bodies.memory()
    }

    fn restore(&mut self, memory: &[f64]) {
        self.bodies.restore(memory);
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.bodies.set_verbose(verbose);
    }
}
