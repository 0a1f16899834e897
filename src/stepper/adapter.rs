use std::ops::DerefMut;

use super::{
    Honours, Moved, PointInput, PointStepper, SolveReport, SolverInfo, Step, StepError, StepFailure,
    StepInput, Stepper, StepperName, UsedSettings,
};
use crate::contact::FailureKind;

/// The entrance of the steppers of a point into the world of many bodies: a box with a
/// [`PointStepper`], or a reference to one, as a [`Stepper`].
pub struct OnePoint<S>(pub S);

impl<const D: usize, S: DerefMut<Target: PointStepper<D>> + Send> Stepper<D> for OnePoint<S> {
    fn name(&self) -> StepperName {
        self.0.name()
    }

    fn solver(&self) -> Option<SolverInfo> {
        self.0.solver()
    }

    fn settings(&self) -> UsedSettings {
        self.0.settings()
    }

    fn honours(&self) -> Honours {
        self.0.honours()
    }

    fn step(&mut self, input: &StepInput<'_, D>, moved: &mut Moved<D>) -> Result<SolveReport, StepFailure> {
        let &StepInput { index, time, dt, states: &[state], forces: &[push], .. } = input else {
            let explanation = format!("a stepper of one point was given {} bodies", input.states.len());
            return Err(StepFailure::new(FailureKind::OutOfRange, explanation));
        };
        let mut take = |step: Step<D>| {
            moved.states[0] = step.state;
            moved.impulses[0] = step.contact_impulse;
            step.report
        };
        match self.0.step(&PointInput { index, time, state, push, dt }) {
            Ok(step) => Ok(take(step)),
            Err(StepError { failure, candidate }) => {
                // The failure has the candidate's report; what is left to take is where it leads.
                candidate.map(|step| take(*step));
                Err(*failure)
            }
        }
    }

    fn reset(&mut self) {
        self.0.reset();
    }

    fn memory(&self) -> Vec<f64> {
        self.0.memory()
    }

    fn restore(&mut self, memory: &[f64]) {
        self.0.restore(memory);
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.0.set_verbose(verbose);
    }
}
