use super::{
    APPROXIMATE, Accuracy, ContactModel, ContactProblem, FailureKind, Posing, Report, Residuals, Solution,
    SolveFailure, TOLERANCE, Yardstick, model::measure,
};

/// A model that nobody vouches for, made one that can be: its word is not taken for anything that can be
/// measured.
///
/// The impulses are its own. The velocities that they lead to are recomputed, so that momentum balances, and so
/// are the residuals. A model that claims Coulomb's law is held to it; one with a law of its own is told what its
/// impulses miss of Coulomb's.
pub struct Vouched<const D: usize, const N: usize> {
    model: Box<dyn ContactModel<D, N>>,
    yardstick: Yardstick,
}

impl<const D: usize, const N: usize> Vouched<D, N> {
    /// Vouches for `model`.
    pub fn new(model: Box<dyn ContactModel<D, N>>) -> Self {
        Self { model, yardstick: Yardstick::default() }
    }
}

impl<const D: usize, const N: usize> ContactModel<D, N> for Vouched<D, N> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn posing(&self) -> Posing {
        self.model.posing()
    }

    fn horizon(&self, dt: f64) -> f64 {
        self.model.horizon(dt)
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        problem.check()?;
        let (contacts, links) = (problem.contacts.len(), problem.links.len());
        solution.prepare(contacts, links);
        let answer = self.model.solve(problem, solution);
        let given = (solution.impulses.len(), solution.link_impulses.len());
        let iterations = match &answer {
            Ok(report) => report.iterations,
            Err(SolveFailure::Unsolved { iterations, .. }) => *iterations,
            Err(SolveFailure::Problem(_) | SolveFailure::Refused { .. }) => 0,
        };
        let kind = answer.as_ref().err().map_or(FailureKind::Inaccurate, SolveFailure::kind);
        let unsolved =
            |reason: String, residuals| Err(SolveFailure::Unsolved { kind, reason, iterations, residuals });
        if given != (contacts, links) {
            solution.impulses.clear();
            solution.velocity.clear();
            return unsolved(
                format!(
                    "the model gave impulses for {} contacts and {} links, and there are {contacts} and {links}",
                    given.0, given.1
                ),
                Residuals::INFINITE,
            );
        }
        self.yardstick.set(problem);
        let residuals = measure(problem, &self.yardstick, solution);
        let report = match answer {
            Ok(report) => report,
            Err(SolveFailure::Unsolved { reason, .. }) => return unsolved(reason, residuals),
            Err(failure) => return Err(failure),
        };
        if !(residuals.scaled.is_finite() && residuals.conventional.is_finite()) {
            return unsolved("the model gave impulses that are not finite".to_owned(), residuals);
        }
        let accuracy = match report.accuracy {
            Accuracy::OwnLaw => Accuracy::OwnLaw,
            _ if self.yardstick.accepts(&residuals, TOLERANCE) => Accuracy::Certified,
            _ if self.yardstick.accepts(&residuals, APPROXIMATE) => Accuracy::Approximate,
            _ => {
                return unsolved(
                    "the model claims Coulomb's law, and its impulses miss it".to_owned(),
                    residuals,
                );
            }
        };
        Ok(Report { residuals, accuracy, ..report })
    }
}
