use nalgebra::SVector;

use super::{FrictionPolygon, PolyhedralProgram, linear::polygonal};
use crate::{
    contact::{
        APPROXIMATE, Accuracy, ContactModel, ContactProblem, DenseProblem, DenseSolution, DenseSolver,
        GaussSeidel, LawSolved, LinearLaw, Report, Residuals, Solution, SolveFailure, Structured,
        StructuredSettings, TOLERANCE, Yardstick,
        linear_law::coulomb,
        model::{judge, keeps_rigid, measure},
        single::{SingleComplementarity, SingleContact},
    },
    lcp::{Method, Status},
};

/// How the complementarity problem is posed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StewartTrinkleSettings {
    /// Bound on both residuals, in the plane, where the model is exact.
    pub tolerance: f64,
    /// Directions of friction in space; more of them come closer to the cone and cost more.
    pub directions: usize,
    /// How they are turned.
    pub polygon: FrictionPolygon,
    /// The solver of the complementarity problem. More unknowns than enumeration takes go to Lemke's method.
    pub solver: Method,
}

impl Default for StewartTrinkleSettings {
    fn default() -> Self {
        Self { tolerance: TOLERANCE, directions: 8, polygon: FrictionPolygon::Aligned, solver: Method::Lemke }
    }
}

/// Contact with friction as a linear complementarity problem (Stewart and Trinkle 1996): the model `lcp`.
///
/// In the plane it is exact, and solved by Lemke's method. In space the friction cone becomes a pyramid, one of
/// its edges along the slip, and the residuals say how far that is from Coulomb's law. There Newton's method on
/// what each contact does comes first, from no guess, and pivoting where that finds no solution; each is held to
/// the residual of the problem itself. Where several impulses do (four corners of a face, which may even lead to
/// different motions), Newton's method takes those of contacts of equal and vanishing compliance, whose load
/// varies linearly over the face, and pivoting a corner of the set. After a ray other paths are tried; if `c < 0` somewhere
/// (restitution or overlap in a wedge with much friction) the problem may have no solution at all,
/// and it is solved with `c = max(c, 0)` instead, reported as [`Accuracy::OwnLaw`]. Where pivoting finds no
/// solution, or rounding spoils the one that it finds, [`GaussSeidel`] looks for one, of a problem without bodies
/// [`Structured`].
#[derive(Debug, Clone)]
pub struct StewartTrinkle<const D: usize, const N: usize> {
    settings: StewartTrinkleSettings,
    program: PolyhedralProgram<D>,
    single: SingleComplementarity,
    yardstick: Yardstick,
    cone: GaussSeidel<D, N>,
}

impl<const D: usize, const N: usize> Default for StewartTrinkle<D, N> {
    fn default() -> Self {
        Self::new(StewartTrinkleSettings::default())
    }
}

impl<const D: usize, const N: usize> StewartTrinkle<D, N> {
    /// A model with these settings.
    pub fn new(settings: StewartTrinkleSettings) -> Self {
        Self {
            program: PolyhedralProgram::new(settings.directions, settings.polygon, settings.solver),
            single: SingleComplementarity::new(settings.solver),
            yardstick: Yardstick::default(),
            cone: GaussSeidel::default(),
            settings,
        }
    }

    /// The answer to a single contact in the plane, whose problem has four unknowns; `None` where the solver found none.
    fn solve_single(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Option<Result<Report, SolveFailure>> {
        let contact = SingleContact::of(problem).filter(|_| D == 2)?;
        let (impulse, [pivots, attempts]) = self.single.solve(&contact);
        SingleContact::write(&impulse?, problem, solution);
        let Solution { velocity, impulses, link_impulses, .. } = solution;
        let residuals = self.yardstick.residuals_of_bodies(problem, impulses, link_impulses, velocity);
        let tries = (pivots, attempts.saturating_sub(1));
        Some(judge(&self.yardstick, residuals, self.settings.tolerance, tries, || {
            "rounding spoiled the answer of the pivoting".to_owned()
        }))
    }

    /// The answer of the cone, where pivoting ended with `status` after so many attempts.
    fn by_the_cone(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
        (status, attempts): (Status, u32),
    ) -> Result<Report, SolveFailure> {
        let pivots = self.program.pivots;
        let guess = std::mem::take(&mut solution.is_guess);
        let outcome = self.cone.solve(problem, solution);
        solution.is_guess = guess;
        match outcome {
            Ok(report) => Ok(after_pivoting(report, pivots, attempts)),
            Err(SolveFailure::Unsolved { iterations, residuals, .. }) => {
                Err(unsolved(status, iterations + pivots, residuals))
            }
            Err(other) => Err(other),
        }
    }

    /// Whether gaps and links are kept, where the residuals of Coulomb's law do not decide. The rows of the
    /// complementarity problem are relative to their terms, beside which velocities may vanish.
    fn is_kept(&self, problem: &ContactProblem<D, N>, solution: &Solution<D, N>, law: LawSolved) -> bool {
        if D == 2 && law == LawSolved::Own {
            return true;
        }
        let bound = KEPT * self.yardstick.unit();
        let contacts = problem.contacts.iter().zip(&solution.impulses).zip(self.yardstick.weights());
        let are_rigid = contacts.into_iter().all(|((contact, r), weight)| {
            let mut u = problem.relative_velocity(contact, &solution.velocity);
            if law == LawSolved::WithoutRebound {
                u[0] -= contact.bias.min(0.0);
            }
            keeps_rigid(contact.friction, *weight, r, &u, bound)
        });
        let links = problem.links.iter().zip(&solution.link_impulses);
        let misses = links
            .map(|(link, impulse)| problem.link_rate(link, &solution.velocity) + link.compliance * impulse);
        let none = Residuals { scaled: 0.0, conventional: 0.0 };
        are_rigid && self.yardstick.with_links(none, misses).scaled <= KEPT
    }

    /// The verdict on what pivoting ended with, after so many attempts.
    fn conclude(
        &self,
        (status, attempts): (Status, u32),
        residuals: Residuals,
        law: LawSolved,
    ) -> Result<Report, SolveFailure> {
        let (iterations, rung) = (self.program.pivots, attempts.saturating_sub(1));
        let of =
            |accuracy| Report { iterations, rung, law, residuals, accuracy, relaxation: None, own_law: None };
        if status != Status::Solved {
            if !self.yardstick.accepts(&residuals, self.settings.tolerance) {
                return Err(unsolved(status, iterations, residuals));
            }
            // Rounding can spoil a path among the many bases of a face that rests on another, and not its end.
            return Ok(of(Accuracy::Certified));
        }
        if D == 2 && law == LawSolved::Own {
            let tries = (iterations, rung);
            return judge(&self.yardstick, residuals, self.settings.tolerance, tries, || {
                "rounding spoiled the answer of the pivoting".to_owned()
            });
        }
        Ok(of(Accuracy::OwnLaw))
    }
}

fn unsolved(status: Status, iterations: u32, residuals: Residuals) -> SolveFailure {
    let reason = format!("{status}: {}", status.explain());
    SolveFailure::Unsolved { kind: status.into(), reason, iterations, residuals }
}

/// How well gaps and links have to be kept, in scaled velocities.
const KEPT: f64 = 1e-6;

/// What the exact cone found, after so many pivots and attempts of pivoting.
fn after_pivoting(of_the_cone: Report, pivots: u32, attempts: u32) -> Report {
    Report {
        iterations: of_the_cone.iterations + pivots,
        rung: of_the_cone.rung + attempts,
        law: LawSolved::ExactCone,
        ..of_the_cone
    }
}

impl<const D: usize, const N: usize> ContactModel<D, N> for StewartTrinkle<D, N> {
    fn name(&self) -> &str {
        "lcp"
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        problem.check()?;
        self.yardstick.set(problem);
        if let Some(answer) = self.solve_single(problem, solution) {
            return answer;
        }
        self.program.pivots = 0;
        solution.impulses.clear();
        let (mut status, mut attempts, mut law) = (Status::Solved, 0, LawSolved::Own);
        if !problem.contacts.is_empty() {
            let mut dense = problem.delassus();
            status = self.program.solve(&dense, &mut solution.impulses);
            attempts = self.program.attempts;
            let mut is_relaxed = false;
            for (i, contact) in problem.contacts.iter().enumerate().filter(|(_, contact)| contact.bias < 0.0)
            {
                dense.q[D * i] -= contact.bias;
                is_relaxed = true;
            }
            if status != Status::Solved && is_relaxed {
                status = self.program.solve(&dense, &mut solution.impulses);
                attempts += self.program.attempts;
                law = LawSolved::WithoutRebound;
            }
        }
        problem.link_impulses(&solution.impulses, &mut solution.link_impulses);
        let residuals = measure(problem, &self.yardstick, solution);
        // Beside stiff springs and rods `W` is a difference of what is far larger, and a basis with it.
        let is_exact = D == 2 && law == LawSolved::Own;
        let is_spoiled = is_exact && !self.yardstick.accepts(&residuals, APPROXIMATE);
        if status == Status::Solved && (is_spoiled || !self.is_kept(problem, solution, law)) {
            status = Status::ResidualTooLarge;
        }
        if status != Status::Solved && !self.yardstick.accepts(&residuals, self.settings.tolerance) {
            return self.by_the_cone(problem, solution, (status, attempts));
        }
        self.conclude((status, attempts), residuals, law)
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.single.is_verbose = verbose;
    }

    fn linearise(
        &self,
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
        _start: &[SVector<f64, N>],
        laws: &mut Vec<LinearLaw<D>>,
    ) -> bool {
        if D == 2 {
            return coulomb(problem, solution, laws);
        }
        let StewartTrinkleSettings { directions, polygon, .. } = self.settings;
        polygonal(problem, solution, directions.max(3), polygon).is_some_and(|own| {
            laws.extend(own);
            true
        })
    }
}

impl<const D: usize, const N: usize> DenseSolver<D> for StewartTrinkle<D, N> {
    fn name(&self) -> &str {
        "lcp"
    }

    fn solve_dense(
        &mut self,
        problem: &DenseProblem<D>,
        solution: &mut DenseSolution<D>,
    ) -> Result<Report, SolveFailure> {
        self.yardstick.set_dense(problem);
        self.program.pivots = 0;
        let mut status = self.program.solve(problem, &mut solution.impulses);
        let residuals = solution.measure(problem, &self.yardstick);
        let bound = KEPT * self.yardstick.unit();
        let contacts = problem.friction.iter().zip(self.yardstick.weights());
        let mut answers = contacts.zip(solution.impulses.iter().zip(&solution.velocities));
        if D > 2
            && status == Status::Solved
            && !answers.all(|((mu, weight), (r, u))| keeps_rigid(*mu, *weight, r, u, bound))
        {
            status = Status::ResidualTooLarge;
        }
        if status != Status::Solved && !self.yardstick.accepts(&residuals, self.settings.tolerance) {
            let mut other = DenseSolution::default();
            let settings = StructuredSettings { tolerance: self.settings.tolerance, ..Default::default() };
            if let Ok(report) = Structured::<D, N>::new(settings).solve_dense(problem, &mut other) {
                *solution = other;
                return Ok(after_pivoting(report, self.program.pivots, self.program.attempts));
            }
        }
        self.conclude((status, self.program.attempts), residuals, LawSolved::Own)
    }
}
