//! Contact problems solved piece by piece.

use nalgebra::SVector;
use rayon::prelude::*;

use super::{
    Accuracy, ContactModel, ContactProblem, LawSolved, LinearLaw, LinkLaw, Posing, Report, Residuals,
    Solution, SolveFailure, Yardstick, partition::Partition, piece::Piece,
};

/// Contacts and links from which on pieces are solved in parallel; below, handing them out costs more
/// than it saves.
const PARALLEL_FROM: usize = 64;

/// A model that solves bodies which nothing joins apart from each other, on all threads.
///
/// The law of contact is the same for the pieces as for the whole, and each piece is held to the
/// tolerance in its own units, so that a small one is not lost beside a large one. A piece is solved
/// from its own numbers alone: the result does not depend on the number of threads.
pub struct Islands<const D: usize, const N: usize> {
    make: Box<dyn Fn() -> Box<dyn ContactModel<D, N>> + Send>,
    whole: Box<dyn ContactModel<D, N>>,
    partition: Partition,
    yardstick: Yardstick,
    islands: Vec<Island<D, N>>,
    /// The number of each body within the piece that was last filled, if it is in it.
    places: Vec<Option<usize>>,
}

/// One piece.
struct Island<const D: usize, const N: usize> {
    model: Box<dyn ContactModel<D, N>>,
    piece: Piece<D, N>,
    solution: Solution<D, N>,
    outcome: Result<Report, SolveFailure>,
}

/// The report of a piece that is not solved yet.
const UNASKED: Report = Report {
    iterations: 0,
    rung: 0,
    law: LawSolved::Own,
    residuals: Residuals { scaled: 0.0, conventional: 0.0 },
    accuracy: Accuracy::Certified,
    relaxation: None,
    own_law: None,
};

impl<const D: usize, const N: usize> Islands<D, N> {
    /// A model that has one of its own from `make` for each piece.
    pub fn new(make: impl Fn() -> Box<dyn ContactModel<D, N>> + Send + 'static) -> Self {
        Self {
            whole: make(),
            make: Box::new(make),
            partition: Partition::default(),
            yardstick: Yardstick::default(),
            islands: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Fills the pieces from the whole.
    fn split(&mut self, problem: &ContactProblem<D, N>, solution: &Solution<D, N>) {
        let Self { partition, islands, places, make, .. } = self;
        while islands.len() < partition.count {
            islands.push(Island::new(make()));
        }
        let guess = solution.is_guess
            && solution.impulses.len() == problem.contacts.len()
            && solution.link_impulses.len() == problem.links.len();
        for island in &mut islands[..partition.count] {
            island.piece.contacts.clear();
            island.piece.links.clear();
        }
        for (contact, &piece) in partition.contacts.iter().enumerate() {
            islands[piece].piece.contacts.push(contact);
        }
        for (link, &piece) in partition.links.iter().enumerate() {
            islands[piece].piece.links.push(link);
        }
        places.clear();
        places.resize(problem.bodies(), None);
        for island in &mut islands[..partition.count] {
            island.piece.fill(problem, places);
            island.start_from(solution, guess);
        }
    }

    /// Writes the pieces' solutions into that of the whole.
    fn gather(&self, problem: &ContactProblem<D, N>, solution: &mut Solution<D, N>) {
        solution.is_guess = false;
        solution.prepare(problem.contacts.len(), problem.links.len());
        solution.turning.clear();
        solution.turning.resize(problem.groups.len(), SVector::zeros());
        solution.velocity.clone_from(&problem.free_velocity);
        for island in &self.islands[..self.partition.count] {
            island.piece.write(&island.solution, solution);
        }
    }

    /// What the pieces' outcomes amount to.
    fn judge(&self, residuals: Residuals) -> Result<Report, SolveFailure> {
        let mut report = Report { residuals, ..UNASKED };
        let mut failure = None;
        for island in &self.islands[..self.partition.count] {
            match &island.outcome {
                Ok(of_piece) => {
                    report.iterations += of_piece.iterations;
                    report.rung = report.rung.max(of_piece.rung);
                    report.law = report.law.max(of_piece.law);
                    report.accuracy = report.accuracy.and(of_piece.accuracy);
                    report.relaxation = report.relaxation.or(of_piece.relaxation);
                    report.own_law = larger(report.own_law, of_piece.own_law);
                }
                Err(SolveFailure::Unsolved { kind, reason, iterations, .. }) => {
                    report.iterations += iterations;
                    failure.get_or_insert_with(|| (*kind, reason.clone()));
                }
                Err(other) => return Err(other.clone()),
            }
        }
        match failure {
            None => Ok(report),
            Some((kind, reason)) => {
                Err(SolveFailure::Unsolved { kind, reason, iterations: report.iterations, residuals })
            }
        }
    }
}

impl<const D: usize, const N: usize> Island<D, N> {
    fn new(model: Box<dyn ContactModel<D, N>>) -> Self {
        Self { model, piece: Piece::default(), solution: Solution::default(), outcome: Ok(UNASKED) }
    }

    /// Takes over what a solution of the whole has for the piece, its impulses if they are a guess.
    fn start_from(&mut self, whole: &Solution<D, N>, is_guess: bool) {
        let Self { piece, solution, .. } = self;
        let Piece { bodies, contacts, links, .. } = &*piece;
        solution.velocity.clear();
        solution.impulses.clear();
        solution.link_impulses.clear();
        solution.is_guess = is_guess;
        // A model may start from, or take its forces from, the velocities of the step before.
        solution.velocity.extend(bodies.iter().filter_map(|&body| whole.velocity.get(body)));
        if is_guess {
            solution.impulses.extend(contacts.iter().map(|&contact| whole.impulses[contact]));
            solution.turning = piece.turning_of(whole);
            solution.link_impulses.extend(links.iter().map(|&link| whole.link_impulses[link]));
        }
    }

    fn solve(&mut self) {
        self.outcome = self.model.solve(&self.piece.problem, &mut self.solution);
    }
}

/// The larger of two residuals, where there are any.
fn larger(first: Option<f64>, second: Option<f64>) -> Option<f64> {
    first.into_iter().chain(second).reduce(f64::max)
}

/// The numbers of one piece, which their count is in front of, and those of the others.
fn piece_of(memory: &[f64]) -> (&[f64], &[f64]) {
    let Some((count, numbers)) = memory.split_first() else { return (&[], &[]) };
    numbers.split_at((count.max(0.0) as usize).min(numbers.len()))
}

impl<const D: usize, const N: usize> ContactModel<D, N> for Islands<D, N> {
    fn name(&self) -> &str {
        self.whole.name()
    }

    fn posing(&self) -> Posing {
        self.whole.posing()
    }

    fn acts_ahead(&self) -> bool {
        self.whole.acts_ahead()
    }

    fn horizon(&self, dt: f64) -> f64 {
        self.whole.horizon(dt)
    }

    fn reach(&self) -> f64 {
        self.whole.reach()
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        let parts = problem.contacts.len() + problem.links.len();
        if parts < 1 || problem.bodies() < 2 {
            return self.whole.solve(problem, solution);
        }
        // Each piece is checked by the model that solves it.
        problem.check_references()?;
        self.partition.divide(problem);
        if self.partition.is_whole() {
            return self.whole.solve(problem, solution);
        }
        self.split(problem, solution);
        let islands = &mut self.islands[..self.partition.count];
        if parts >= PARALLEL_FROM {
            islands.par_iter_mut().for_each(Island::solve);
        } else {
            islands.iter_mut().for_each(Island::solve);
        }
        if islands.iter().any(|island| matches!(island.outcome, Err(SolveFailure::Problem(_)))) {
            // Found again in the whole, it is named by its number there.
            problem.check()?;
        }
        self.gather(problem, solution);
        self.yardstick.set(problem);
        let residuals = self.yardstick.residuals_of_bodies(problem, solution);
        self.judge(residuals)
    }

    fn linearise(
        &self,
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
        start: &[SVector<f64, N>],
        laws: &mut Vec<LinearLaw<D>>,
    ) -> bool {
        self.whole.linearise(problem, solution, start, laws)
    }

    /// Those of all pieces that were ever solved, each after the number of them.
    fn memory(&self) -> Vec<f64> {
        let models = std::iter::once(&self.whole).chain(self.islands.iter().map(|island| &island.model));
        let all: Vec<_> = models.map(|model| model.memory()).collect();
        if all.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        all.into_iter().flat_map(|numbers| std::iter::once(numbers.len() as f64).chain(numbers)).collect()
    }

    fn restore(&mut self, memory: &[f64]) {
        let (of_whole, mut rest) = piece_of(memory);
        self.whole.restore(of_whole);
        self.islands.clear();
        while !rest.is_empty() {
            let (numbers, others) = piece_of(rest);
            let mut island = Island::new((self.make)());
            island.model.restore(numbers);
            self.islands.push(island);
            rest = others;
        }
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.whole.set_verbose(verbose);
        for island in &mut self.islands {
            island.model.set_verbose(verbose);
        }
    }

    fn ends_at_the_ground(&self) -> bool {
        self.whole.ends_at_the_ground()
    }

    fn linearised_links(&self, problem: &ContactProblem<D, N>, solution: &Solution<D, N>) -> Vec<LinkLaw> {
        self.whole.linearised_links(problem, solution)
    }
}
