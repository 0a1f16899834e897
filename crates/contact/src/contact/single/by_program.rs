use nalgebra::SVector;

use super::{ContactProgram, ProgramSolution, ProgramUnsolved, SingleContact, program::velocity_unit};
use crate::contact::{
    Accuracy, ContactModel, ContactProblem, LawSolved, LinearLaw, Posing, Relaxation, Report, Solution,
    SolveFailure, Yardstick, linear_law::coulomb_in_use,
};

/// The model `nlp` of points: a single contact by its [`ContactProgram`], with slacks and multiplier, and what has more
/// contacts, or links, by another model of the same law.
pub struct ByProgram<const D: usize, const N: usize> {
    single: Box<dyn ContactProgram<D>>,
    several: Box<dyn ContactModel<D, N>>,
    yardstick: Yardstick,
}

impl<const D: usize, const N: usize> ByProgram<D, N> {
    /// A model that leaves what is no single contact to `several`.
    pub fn new(single: Box<dyn ContactProgram<D>>, several: Box<dyn ContactModel<D, N>>) -> Self {
        Self { single, several, yardstick: Yardstick::default() }
    }

    /// Takes `answer` over; the residuals of Coulomb's law are those of the impulse that it gives.
    fn take(
        &mut self,
        (answer, contact): (&ProgramSolution<D>, &SingleContact<D>),
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Report {
        let &ProgramSolution { impulse, velocity, is_rescued, iterations, relaxation, residual } = answer;
        // The velocity is the program's own, which its residual vouches for: that of the impulse is a difference of what may
        // be far larger.
        contact.write_with_velocity(&impulse, &velocity, problem, solution);
        self.yardstick.set(problem);
        Report {
            iterations,
            rung: u32::from(is_rescued),
            law: LawSolved::Own,
            residuals: self.yardstick.residuals_of_bodies(problem, solution),
            accuracy: Accuracy::Certified,
            relaxation: Some(relaxation),
            own_law: Some(residual),
        }
    }
}

impl<const D: usize, const N: usize> ContactModel<D, N> for ByProgram<D, N> {
    fn name(&self) -> &str {
        self.several.name()
    }

    fn posing(&self) -> Posing {
        self.several.posing()
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        problem.check_references()?;
        let Some(contact) = SingleContact::of(problem) else { return self.several.solve(problem, solution) };
        problem.check()?;
        let unsolved = match self.single.solve(&contact, problem.velocity_unit) {
            Ok(answer) => return Ok(self.take((&answer, &contact), problem, solution)),
            Err(unsolved) => *unsolved,
        };
        let ProgramUnsolved { kind, reason, iterations, candidate } = unsolved;
        let residuals = match candidate {
            Some(candidate) => self.take((&candidate, &contact), problem, solution).residuals,
            None => {
                SingleContact::write(&SVector::repeat(f64::NAN), problem, solution);
                crate::contact::Residuals::INFINITE
            }
        };
        Err(SolveFailure::Unsolved { kind, reason, iterations, residuals })
    }

    fn linearise(
        &self,
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
        start: &[SVector<f64, N>],
        laws: &mut Vec<LinearLaw<D>>,
    ) -> bool {
        match SingleContact::of(problem) {
            Some(_) => coulomb_in_use(problem, solution, self.single.full_use(), laws),
            None => self.several.linearise(problem, solution, start, laws),
        }
    }

    fn relaxation_in_flight(&self, slip: f64, gained: f64) -> Option<Relaxation> {
        Some(Relaxation { s1: 0.0, s2: 0.0, lambda: slip / velocity_unit(gained, slip) })
    }

    fn memory(&self) -> Vec<f64> {
        self.single.memory()
    }

    fn restore(&mut self, memory: &[f64]) {
        self.single.restore(memory);
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.single.set_verbose(verbose);
        self.several.set_verbose(verbose);
    }
}
