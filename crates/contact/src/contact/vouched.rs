use super::{
    APPROXIMATE, Accuracy, ContactModel, ContactProblem, FailureKind, Posing, Report, Residuals, Solution,
    SolveFailure, TOLERANCE, Yardstick, has_bounded_links, model::measure, solve_with_bounds,
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
    fn memory(&self) -> Vec<f64> {
        self.model.memory()
    }

    fn restore(&mut self, memory: &[f64]) {
        self.model.restore(memory);
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.model.set_verbose(verbose);
    }

    fn name(&self) -> &str {
        self.model.name()
    }

    fn posing(&self) -> Posing {
        self.model.posing()
    }

    fn acts_ahead(&self) -> bool {
        self.model.acts_ahead()
    }

    fn horizon(&self, dt: f64) -> f64 {
        self.model.horizon(dt)
    }

    fn reach(&self) -> f64 {
        self.model.reach()
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        problem.check()?;
        let (contacts, links) = (problem.contacts.len(), problem.links.len());
        solution.prepare(contacts, links);
        // Whether it knows bounds is not known.
        let answer = match has_bounded_links(problem) {
            true => solve_with_bounds(self.model.as_mut(), problem, solution),
            false => self.model.solve(problem, solution),
        };
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

#[cfg(test)]
mod tests {
    use nalgebra::{SMatrix, SVector};

    use super::*;
    use crate::contact::Contact;

    /// A model that finds the impulses and gives up all the same.
    struct GivesUp(FailureKind);

    impl ContactModel<2, 2> for GivesUp {
        fn name(&self) -> &str {
            "gives-up"
        }

        fn solve(
            &mut self,
            _: &ContactProblem<2, 2>,
            solution: &mut Solution<2, 2>,
        ) -> Result<Report, SolveFailure> {
            solution.impulses.fill(SVector::from([1.0, 0.0]));
            let (reason, residuals) = ("no patience".to_owned(), Residuals::INFINITE);
            Err(SolveFailure::Unsolved { kind: self.0, reason, iterations: 3, residuals })
        }
    }

    #[test]
    fn a_failure_stays_one_however_good_the_candidate_is() {
        let mut problem = ContactProblem::<2, 2>::empty(1e-3);
        problem.free_velocity.push([-1.0, 0.0].into());
        problem.inverse_mass.push(SMatrix::identity());
        problem.contacts.push(Contact {
            bodies: [Some(0), None],
            jacobian: [SMatrix::identity(), SMatrix::zeros()],
            friction: 0.5,
            bias: 0.0,
            surface_velocity: SVector::zeros(),
            restitution: 0.0,
            gap: 0.0,
        });
        for kind in [FailureKind::NotConverged, FailureKind::NoSolution] {
            let mut model = Vouched::new(Box::new(GivesUp(kind)));
            let failure = model.solve(&problem, &mut Solution::default()).expect_err("it gave up");
            assert_eq!(failure.kind(), kind);
            let SolveFailure::Unsolved { reason, iterations, residuals, .. } = failure else {
                panic!("{failure}");
            };
            assert_eq!((reason.as_str(), iterations), ("no patience", 3));
            assert_eq!(residuals.max(), 0.0, "they are measured, for whoever wants to use the candidate");
        }
    }
}
