use super::{
    APPROXIMATE, Accuracy, ContactProblem, DenseProblem, DenseSolution, FailureKind, Relaxation, Report,
    Residuals, Solution, SolveFailure, Yardstick,
    groups::{Grouped, ROWS},
    linear_law::{LinearLaw, LinkLaw},
};
use nalgebra::SVector;

/// Residual at which a model of exact Coulomb friction is content.
pub const TOLERANCE: f64 = 1e-8;

/// Which contacts a model wants to see in its problem, and with which bias.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Posing {
    /// Contacts that may close within the step, with `c = gap/dt`, or restitution in an impact.
    GapLevel,
    /// Contacts that touch (`gap <= 0`), with `c` from restitution, or 0.
    VelocityLevel,
    /// Contacts that may close within the step, with their gaps and `c = 0`: the model has a
    /// compliance of its own.
    Compliant,
}

/// A contact model: what it makes of the contact problem of a step.
pub trait ContactModel<const D: usize, const N: usize>: Send {
    /// The name under which it is known in commands and tables.
    fn name(&self) -> &str;

    /// How its problems are to be posed.
    fn posing(&self) -> Posing {
        Posing::GapLevel
    }

    /// For how long in s its contacts have to be looked for ahead of a step of `dt` s: at the speeds of the start they
    /// push no earlier than this before they close.
    fn horizon(&self, dt: f64) -> f64 {
        dt
    }

    /// From how far off in m its contacts push, whatever the speed.
    fn reach(&self) -> f64 {
        0.0
    }

    /// Whether its contacts act on the gap that they would have at the end of the step, by its tangent at the start. Such a
    /// tangent forbids what is free beyond corners and round sides, and misses what the step runs into, so that contacts
    /// are then looked for along the way of the step.
    fn acts_ahead(&self) -> bool {
        self.posing() == Posing::GapLevel
    }

    /// Solves `problem` into `solution`.
    ///
    /// # Errors
    /// [`SolveFailure`] when there is no solution to vouch for; the best candidate is then in
    /// `solution`.
    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure>;

    /// Whether its contacts, where they act by their depth, carry nothing above the ground. Asked for gradients alone,
    /// and not of models that are registered: these have none.
    fn ends_at_the_ground(&self) -> bool {
        true
    }

    /// Its law at a `solution` that it gave, to first order, written after the others in `laws`, a contact after the
    /// other; `start` holds the velocities of the bodies at the start of the step. `false` where it has no derivative. Not
    /// asked of models that are registered.
    fn linearise(
        &self,
        _problem: &ContactProblem<D, N>,
        _solution: &Solution<D, N>,
        _start: &[SVector<f64, N>],
        _laws: &mut Vec<LinearLaw<D>>,
    ) -> bool {
        false
    }

    /// Slacks and multiplier of a point in flight with the velocity `slip` in m/s along the ground, in a step in which gravity
    /// adds `gained` to a velocity, where the model has a program: its solution without a contact.
    fn relaxation_in_flight(&self, _slip: f64, _gained: f64) -> Option<Relaxation> {
        None
    }

    /// What it carries from step to step beyond a [`Solution`], as plain numbers: enough to solve the next problem
    /// again in the same way. Empty where nothing is carried.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes over what [`ContactModel::memory`] of an equal model gave out; numbers that do not fit count as none.
    fn restore(&mut self, _memory: &[f64]) {}

    /// Lets the solver print its log to standard output, if it keeps one.
    fn set_verbose(&mut self, _verbose: bool) {}

    /// The laws of its links to first order at a `solution` that it gave. Not asked of models that are registered.
    fn linearised_links(&self, problem: &ContactProblem<D, N>, solution: &Solution<D, N>) -> Vec<LinkLaw> {
        LinkLaw::of_all(problem, solution)
    }
}

/// A solver of contact problems that come without bodies.
pub trait DenseSolver<const D: usize>: Send {
    /// The name under which it is known in commands and tables.
    fn name(&self) -> &str;

    /// Solves `problem` into `solution`.
    ///
    /// # Errors
    /// [`SolveFailure`] when there is no solution to vouch for; the best candidate is then in
    /// `solution`.
    fn solve_dense(
        &mut self,
        problem: &DenseProblem<D>,
        solution: &mut DenseSolution<D>,
    ) -> Result<Report, SolveFailure>;
}

/// Recomputes the velocities that the impulses in `solution` lead to, and their residuals.
pub(super) fn measure<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    yardstick: &Yardstick,
    solution: &mut Solution<D, N>,
) -> Residuals {
    problem.follow(solution);
    yardstick.residuals_of_bodies(problem, solution)
}

/// Whether a contact with this law keeps to what every law of rigid contact asks for, however it has friction slide: its
/// impulse `r` does not pull or hold with more than its friction, its velocity `u` closes no further than its bias
/// allows, and rounding of the impulse hides no velocity; `weight` is its `w` and `bound` that on scaled velocities.
pub(super) fn keeps_rigid<const D: usize>(
    friction: f64,
    weight: f64,
    r: &SVector<f64, D>,
    u: &SVector<f64, D>,
    bound: f64,
) -> bool {
    let root = weight.sqrt();
    let along = r.rows_range(1..).norm();
    let beyond = (along - friction * r[0].max(0.0)).max(-r[0]);
    -u[0] <= root * bound
        && root * beyond <= bound.max(f64::EPSILON.sqrt() * root * r[0])
        && root * f64::EPSILON * r.amax() <= bound
}

/// Solves a problem with groups of friction as one in scaled rows (see [`groups`](super::groups)): `solve` takes the one in these
/// rows and the impulses that `solution` has, and its answer is written back.
///
/// # Errors
/// Those of `solve`, and [`SolveFailure::Problem`].
pub fn solve_grouped<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    solution: &mut Solution<D, N>,
    solve: impl FnOnce(&ContactProblem<ROWS, N>, &mut Solution<ROWS, N>) -> Result<Report, SolveFailure>,
) -> Result<Report, SolveFailure> {
    problem.check()?;
    let grouped = Grouped::of(problem);
    let mut own = grouped.scaled(problem, solution);
    let answer = solve(&grouped.problem, &mut own);
    grouped.write(problem, own, solution);
    answer
}

/// Refuses a problem with groups of friction, for a model that knows one coefficient per contact.
///
/// # Errors
/// [`SolveFailure::Refused`].
pub fn refuse_groups<const D: usize, const N: usize>(
    model: &str,
    problem: &ContactProblem<D, N>,
) -> Result<(), SolveFailure> {
    match problem.groups.first() {
        None => Ok(()),
        Some(groups) => Err(SolveFailure::Refused {
            reason: format!(
                "friction at contact {} resists turning or is not the same in all directions, and `{model}` knows one \
                 coefficient alone",
                groups.contact
            ),
            remedy: "take `nlp`, `lcp` or `cone`".to_owned(),
        }),
    }
}

/// The verdict on a candidate of a model of exact Coulomb friction with these residuals.
pub(super) fn judge(
    yardstick: &Yardstick,
    residuals: Residuals,
    tolerance: f64,
    (iterations, rung): (u32, u32),
    why_not: impl FnOnce() -> String,
) -> Result<Report, SolveFailure> {
    let accuracy = if yardstick.accepts(&residuals, tolerance) {
        Accuracy::Certified
    } else if yardstick.accepts(&residuals, APPROXIMATE) {
        Accuracy::Approximate
    } else {
        let kind = FailureKind::NotConverged;
        return Err(SolveFailure::Unsolved { kind, reason: why_not(), iterations, residuals });
    };
    Ok(Report { rung, residuals, ..Report::unmeasured(accuracy, iterations) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Contact;

    /// A point that meets the ground at an angle, at 1 m/s.
    fn landing() -> ContactProblem<2, 2> {
        let mut problem = ContactProblem::empty(1e-3);
        problem.free_velocity.push([-1.0, 1.0].into());
        problem.inverse_mass.push(nalgebra::SMatrix::identity());
        problem.contacts.push(Contact {
            bodies: [Some(0), None],
            jacobian: [nalgebra::SMatrix::identity(), nalgebra::SMatrix::zeros()],
            friction: 0.5,
            bias: 0.0,
            surface_velocity: SVector::zeros(),
            restitution: 0.0,
            gap: 0.0,
        });
        problem
    }

    /// The verdict where each of the two residuals is as large as that.
    fn verdict(size: f64) -> Option<Accuracy> {
        let mut yardstick = Yardstick::default();
        yardstick.set(&landing());
        let of = |residuals| {
            let verdict = judge(&yardstick, residuals, TOLERANCE, (7, 2), || "too far off".to_owned());
            match verdict {
                Ok(report) => {
                    assert_eq!((report.iterations, report.rung), (7, 2));
                    Some(report.accuracy)
                }
                Err(failure) => {
                    assert_eq!(failure.kind(), FailureKind::NotConverged);
                    assert!(failure.to_string().contains("too far off"), "{failure}");
                    None
                }
            }
        };
        let scaled = of(Residuals { scaled: size, conventional: 0.0 });
        assert_eq!(scaled, of(Residuals { scaled: 0.0, conventional: size }), "either is enough");
        scaled
    }

    #[test]
    fn nothing_is_certified_above_the_tolerance_and_nothing_passed_on_above_what_is_approximate() {
        assert_eq!(verdict(TOLERANCE), Some(Accuracy::Certified));
        assert_eq!(verdict(1.01 * TOLERANCE), Some(Accuracy::Approximate));
        assert_eq!(verdict(APPROXIMATE), Some(Accuracy::Approximate));
        for size in [1.01 * APPROXIMATE, f64::INFINITY, f64::NAN] {
            assert_eq!(verdict(size), None, "{size}");
        }
    }

    #[test]
    fn residuals_are_those_of_the_velocities_that_the_impulses_lead_to() {
        let problem = landing();
        let mut yardstick = Yardstick::default();
        yardstick.set(&problem);
        let impulses = vec![SVector::from([1.0, -0.5])];
        for claimed in [[0.0, 0.5], [9.0, 9.0], [f64::NAN; 2]] {
            let mut solution = Solution { impulses: impulses.clone(), ..Solution::default() };
            solution.velocity = vec![claimed.into()];
            let residuals = measure(&problem, &yardstick, &mut solution);
            assert!(residuals.max() < 1e-15, "{claimed:?} is not asked: {residuals:?}");
            assert_eq!(solution.velocity, [SVector::from([0.0, 0.5])]);
        }
    }
}
