use nalgebra::SVector;

use super::StewartTrinkle;
use crate::contact::{
    Accuracy, ContactModel, ContactProblem, LinearLaw, Posing, Report, Solution, SolveFailure,
    StewartTrinkleSettings,
};

/// The velocity-level complementarity problem of Anitescu and Potra (1997): the model
/// `lcp:anitescu`.
///
/// The law of [`StewartTrinkle`], posed differently: only contacts that touch take part, and they
/// ask for a velocity that opens them, whatever the gap ([`Posing::VelocityLevel`]). An impact is
/// felt a step late, so that bodies overlap by up to the approach times the step.
#[derive(Debug, Clone)]
pub struct Anitescu<const D: usize, const N: usize>(StewartTrinkle<D, N>);

impl<const D: usize, const N: usize> Default for Anitescu<D, N> {
    fn default() -> Self {
        Self::new(StewartTrinkleSettings::default())
    }
}

impl<const D: usize, const N: usize> Anitescu<D, N> {
    /// A model with these settings.
    pub fn new(settings: StewartTrinkleSettings) -> Self {
        Self(StewartTrinkle::new(settings))
    }
}

impl<const D: usize, const N: usize> ContactModel<D, N> for Anitescu<D, N> {
    fn name(&self) -> &str {
        "lcp:anitescu"
    }

    fn posing(&self) -> Posing {
        Posing::VelocityLevel
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        let apart = problem.contacts.iter().position(|contact| contact.gap > 0.0 || contact.bias > 0.0);
        if let Some(index) = apart {
            let contact = &problem.contacts[index];
            return Err(SolveFailure::Refused {
                reason: format!(
                    "contact {index} is apart by {:.3e} m with a bias of {:.3e} m/s, and `lcp:anitescu` knows touching contacts only",
                    contact.gap, contact.bias
                ),
                remedy: "pose the problem at the level of velocities, or take `lcp`".to_owned(),
            });
        }
        let report = self.0.solve(problem, solution)?;
        Ok(Report { accuracy: if D == 2 { report.accuracy } else { Accuracy::OwnLaw }, ..report })
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

    fn linearise(
        &self,
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
        start: &[SVector<f64, N>],
        laws: &mut Vec<LinearLaw<D>>,
    ) -> bool {
        self.0.linearise(problem, solution, start, laws)
    }
}
