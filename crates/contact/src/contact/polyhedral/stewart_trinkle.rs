use nalgebra::SVector;

use super::{
    FrictionPolygon, PolyhedralProgram, interior_point::InteriorPoint, linear::polygonal, polygon::Corner,
};
use crate::{
    contact::{
        APPROXIMATE, Accuracy, ContactModel, ContactProblem, DenseProblem, DenseSolution, DenseSolver,
        ExactCone, LawSolved, LinearLaw, Report, Residuals, Solution, SolveFailure, Structured,
        StructuredSettings, TOLERANCE, Yardstick,
        groups::{GroupedComplementarity, ROWS, Rows, group_norm},
        has_bounded_links,
        linear_law::coulomb,
        model::{judge, keeps_rigid, measure, solve_grouped},
        single::{SingleComplementarity, SingleContact},
        solve_with_bounds,
        structured::body_lu::BodySystem,
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
    /// The solver of the complementarity problem; `None`: a structured interior point and the exact basis for many contacts or
    /// links, Lemke's method for few, and where that finds none up to a thousand unknowns. More unknowns than enumeration takes go to Lemke's method.
    pub solver: Option<Method>,
}

/// Contacts from which on the interior point is faster than pivoting in the plane, and than dense systems in space.
const MANY: usize = 12;
/// Unknowns up to which pivoting is tried without being asked for: a dense table of them, and as many pivots, take seconds.
const MOST_PIVOTED: usize = 1_000;
/// Links from which on the graph of the bodies is faster than their dense elimination, however few contacts there are.
const MANY_LINKS: usize = 24;

impl Default for StewartTrinkleSettings {
    fn default() -> Self {
        Self { tolerance: TOLERANCE, directions: 8, polygon: FrictionPolygon::Aligned, solver: None }
    }
}

/// Contact with friction as a linear complementarity problem (Stewart and Trinkle 1996): the model `lcp`.
///
/// In the plane it is exact, and solved by Lemke's method. In space the friction cone becomes a pyramid, one of
/// its edges along the slip, and the residuals say how far that is from Coulomb's law. There Newton's method on
/// what each contact does comes first, from no guess, and pivoting where that finds no solution; each is held to
/// the residual of the problem itself. Where several impulses do (four corners of a face, which may even lead to
/// different motions), Newton's method takes those of contacts of equal and vanishing compliance, whose load
/// varies linearly over the face, and pivoting a corner of the set. More than a thousand unknowns are pivoted only where a solver
/// is chosen. After a ray other paths are tried; if `c < 0` somewhere
/// (restitution or overlap in a wedge with much friction) the problem may have no solution at all,
/// and it is solved with `c = max(c, 0)` instead, reported as [`Accuracy::OwnLaw`]. Where pivoting finds no
/// solution, or rounding spoils the one that it finds, [`ExactCone`] looks for one, of a problem without bodies
/// [`Structured`].
#[derive(Debug, Clone)]
pub struct StewartTrinkle<const D: usize, const N: usize> {
    settings: StewartTrinkleSettings,
    program: PolyhedralProgram<D>,
    single: SingleComplementarity,
    yardstick: Yardstick,
    bodies: BodySystem<D, N>,
    interior: InteriorPoint<D>,
    /// The directions of a contact before they are turned.
    corners: Vec<Corner>,
    /// The impulses of the last solution with a basis that is kept.
    kept: Option<Kept<D>>,
    cone: ExactCone<D, N>,
}

/// Impulses of contacts and links in N s.
#[derive(Debug, Clone, Default)]
struct Kept<const D: usize> {
    impulses: Vec<SVector<f64, D>>,
    link_impulses: Vec<f64>,
}

impl<const D: usize, const N: usize> Default for StewartTrinkle<D, N> {
    fn default() -> Self {
        Self::new(StewartTrinkleSettings::default())
    }
}

impl<const D: usize, const N: usize> StewartTrinkle<D, N> {
    /// A model with these settings.
    pub fn new(settings: StewartTrinkleSettings) -> Self {
        let pivoting = settings.solver.unwrap_or(Method::Lemke);
        let corners = Corner::regular(if D == 2 { 2 } else { settings.directions.max(3) });
        let interior = InteriorPoint::new(corners.len());
        Self {
            program: PolyhedralProgram::new(settings.directions, settings.polygon, pivoting),
            single: SingleComplementarity::new(pivoting),
            yardstick: Yardstick::default(),
            bodies: BodySystem::default(),
            interior,
            corners,
            kept: None,
            cone: ExactCone::default(),
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
        let (found, [pivots, attempts]) = self.single.solve(&contact);
        let [impulse, velocity] = found?;
        contact.write_with_velocity(&impulse, &velocity, problem, solution);
        let residuals = self.yardstick.residuals_of_bodies(problem, solution);
        let tries = (pivots, attempts.saturating_sub(1));
        Some(judge(&self.yardstick, residuals, self.settings.tolerance, tries, || {
            "rounding spoiled the answer of the pivoting".to_owned()
        }))
    }

    /// The answer of the interior point over the graph of the bodies, or of the basis of the problem before; `None` where
    /// neither led to one that keeps the law. Gives iterations and paths that it took.
    fn solve_over_graph(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> (Option<Report>, u32, u32) {
        let Self { bodies, interior, corners, settings, kept, .. } = self;
        bodies.operator.set(problem);
        bodies.analyse();
        let mut directions = std::mem::take(&mut interior.directions);
        directions.clear();
        for free in interior.free_velocities(bodies) {
            directions.extend(settings.polygon.directions(corners, free));
        }
        interior.directions = directions;
        let (mut iterations, mut rung, mut is_solved) = (0, 0, false);
        if let Some(kept) = kept
            && kept.impulses.len() == problem.contacts.len()
            && kept.link_impulses.len() == problem.links.len()
        {
            bodies.operator.scale((&kept.impulses, &kept.link_impulses), &mut interior.r);
            is_solved = interior.hold(bodies);
            iterations = 1;
        }
        if !is_solved {
            let outcome = interior.solve(bodies);
            is_solved = outcome.is_solved;
            iterations += outcome.iterations;
            rung = outcome.rung;
        }
        if !is_solved {
            *kept = None;
            return (None, iterations, rung);
        }
        let operator = &bodies.operator;
        operator.write(&interior.r, solution);
        let residuals = measure(problem, &self.yardstick, solution);
        let is_kept = match D {
            2 => self.yardstick.accepts(&residuals, self.settings.tolerance),
            _ => self.is_kept(problem, solution, LawSolved::Own),
        };
        if !is_kept {
            self.kept = None;
            return (None, iterations, rung + 1);
        }
        let kept = self.kept.get_or_insert_with(Kept::default);
        kept.impulses.clone_from(&solution.impulses);
        kept.link_impulses.clone_from(&solution.link_impulses);
        let accuracy = if D == 2 { Accuracy::Certified } else { Accuracy::OwnLaw };
        let report = Report { rung, residuals, ..Report::unmeasured(accuracy, iterations) };
        (Some(report), iterations, rung)
    }

    /// The answer where something resists turning: of the complementarity problem in groups, or of the cone where pivoting
    /// finds none that keeps gaps and links.
    fn solve_with_turning(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        self.program.pivots = 0;
        let StewartTrinkleSettings { tolerance, directions, polygon, solver } = self.settings;
        let mut program = GroupedComplementarity::new(directions, polygon, solver);
        let answer = solve_grouped(problem, solution, |grouped, own| {
            let status = program.solve(&grouped.delassus(), &mut own.impulses);
            grouped.link_impulses(&own.impulses, &mut own.link_impulses);
            let mut yardstick = Yardstick::default();
            yardstick.set(grouped);
            let residuals = measure(grouped, &yardstick, own);
            let tries = (program.pivots, program.attempts.saturating_sub(1));
            // In the plane all groups have one row, and two directions are all that there are.
            let accuracy = match D {
                2 => {
                    judge(&yardstick, residuals, tolerance, tries, String::new).map(|report| report.accuracy)
                }
                _ => Ok(Accuracy::OwnLaw),
            };
            let velocities =
                grouped.contacts.iter().map(|contact| grouped.relative_velocity(contact, &own.velocity));
            let are_kept = keep_groups(&yardstick, &own.impulses, velocities);
            match accuracy {
                Ok(accuracy) if status == Status::Solved && are_kept => {
                    Ok(Report { rung: tries.1, residuals, ..Report::unmeasured(accuracy, tries.0) })
                }
                _ => Err(unsolved(status, tries.0, residuals)),
            }
        });
        match answer {
            Err(SolveFailure::Unsolved { .. }) => {
                self.yardstick.set(problem);
                self.program.pivots = program.pivots;
                self.by_the_cone(problem, solution, (Status::ResidualTooLarge, program.attempts))
            }
            answer => answer,
        }
    }

    /// Solves a problem without bodies whose contacts have groups of friction, in scaled rows.
    pub(in crate::contact) fn solve_dense_groups(
        &mut self,
        problem: &DenseProblem<ROWS>,
        solution: &mut DenseSolution<ROWS>,
    ) -> Result<Report, SolveFailure> {
        let StewartTrinkleSettings { tolerance, directions, polygon, solver } = self.settings;
        let mut program = GroupedComplementarity::new(directions, polygon, solver);
        self.yardstick.set_dense(problem);
        let status = program.solve(problem, &mut solution.impulses);
        let residuals = solution.measure(problem, &self.yardstick);
        let velocities = solution.velocities.iter().copied();
        let are_kept = keep_groups(&self.yardstick, &solution.impulses, velocities);
        // In the plane all groups have one row, and two directions are all that there are.
        let is_exact = self.yardstick.accepts(&residuals, tolerance);
        if status == Status::Solved && are_kept && (D > 2 || is_exact) {
            let rung = program.attempts.saturating_sub(1);
            let accuracy = if D > 2 { Accuracy::OwnLaw } else { Accuracy::Certified };
            return Ok(Report { rung, residuals, ..Report::unmeasured(accuracy, program.pivots) });
        }
        let mut other = DenseSolution::default();
        let settings = StructuredSettings { tolerance, ..Default::default() };
        let Ok(report) = Structured::<D, N>::new(settings).solve_dense_groups(problem, &mut other) else {
            return Err(unsolved(status, program.pivots, residuals));
        };
        *solution = other;
        Ok(after_pivoting(report, program.pivots, program.attempts))
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
        let misses = links.map(|(link, impulse)| {
            let rate = problem.link_rate(link, &solution.velocity) + link.compliance * impulse;
            link.miss(*impulse, rate, problem.link_response(link))
        });
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

/// Whether contacts with groups of friction, in scaled rows, keep to what every law of rigid contact asks for.
fn keep_groups(yardstick: &Yardstick, impulses: &[Rows], velocities: impl Iterator<Item = Rows>) -> bool {
    let bound = KEPT * yardstick.unit();
    impulses.iter().zip(velocities).zip(yardstick.weights()).all(|((r, u), weight)| {
        let used = (0..2).map(|group| group_norm(r, group)).fold(0.0, f64::max);
        let rows = SVector::<f64, 2>::new(r[0], used);
        keeps_rigid(1.0, *weight, &rows, &SVector::<f64, 2>::new(u[0], 0.0), bound)
    })
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
        if has_bounded_links(problem) {
            return match solve_with_bounds(self, problem, solution) {
                // Which links are at a bound and which contacts slide may hang together.
                Err(SolveFailure::Unsolved { iterations, .. }) => {
                    self.yardstick.set(problem);
                    self.program.pivots = iterations;
                    self.by_the_cone(problem, solution, (Status::ResidualTooLarge, 1))
                }
                answer => answer,
            };
        }
        if !problem.groups.is_empty() {
            return self.solve_with_turning(problem, solution);
        }
        problem.check()?;
        self.yardstick.set(problem);
        if let Some(answer) = self.solve_single(problem, solution) {
            return answer;
        }
        self.program.pivots = 0;
        let (mut paths, mut iterations) = (0, 0);
        let is_large = problem.contacts.len() >= MANY || problem.links.len() >= MANY_LINKS;
        if self.settings.solver.is_none() && is_large {
            let report;
            (report, iterations, paths) = self.solve_over_graph(problem, solution);
            if let Some(report) = report {
                return Ok(report);
            }
        }
        self.program.pivots = iterations;
        solution.impulses.clear();
        let unknowns = self.program.unknowns(problem.contacts.len());
        if self.settings.solver.is_none() && unknowns > MOST_PIVOTED {
            return self.by_the_cone(problem, solution, (Status::IterationLimit, paths));
        }
        let (mut status, mut attempts, mut law) = (Status::Solved, 0, LawSolved::Own);
        if !problem.contacts.is_empty() {
            let mut dense = problem.delassus();
            status = self.program.solve(&dense, &mut solution.impulses);
            attempts = paths + self.program.attempts;
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

    /// What the basis of the next problem is guessed from: a count of contacts, impulses of contacts and links, weights and
    /// modes.
    fn memory(&self) -> Vec<f64> {
        let Some(kept) = &self.kept else { return Vec::new() };
        let mut memory = vec![kept.impulses.len() as f64];
        memory.extend(kept.impulses.iter().flatten());
        memory.extend(self.interior.memory());
        memory.extend(&kept.link_impulses);
        memory
    }

    fn restore(&mut self, memory: &[f64]) {
        self.kept = None;
        let Some((contacts, numbers)) = memory.split_first() else { return };
        let contacts = contacts.max(0.0) as usize;
        let Some((impulses, rest)) = numbers.split_at_checked(contacts.saturating_mul(D)) else { return };
        let Some((modes, link_impulses)) = rest.split_at_checked(contacts.saturating_mul(2)) else { return };
        self.interior.restore(modes);
        let impulses = impulses.chunks_exact(D).map(SVector::from_column_slice).collect();
        self.kept = Some(Kept { impulses, link_impulses: link_impulses.to_vec() });
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
