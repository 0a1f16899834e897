use std::{fmt, str::FromStr};

use nalgebra::{DefaultAllocator, Dim, allocator::Allocator};

use super::{Enumeration, GaussSeidel, InteriorPoint, Lemke, MAX_ENUMERATED, Problem, Solution, Status};

/// The solvers by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// [`Lemke`]
    Lemke,
    /// [`Enumeration`]
    Enumeration,
    /// [`InteriorPoint`]
    InteriorPoint,
    /// [`GaussSeidel`]
    GaussSeidel,
}

impl Method {
    /// Every solver.
    pub const ALL: [Self; 4] = [Self::Lemke, Self::Enumeration, Self::InteriorPoint, Self::GaussSeidel];

    /// The name as it is written in commands and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lemke => "lemke",
            Self::Enumeration => "enumeration",
            Self::InteriorPoint => "interior-point",
            Self::GaussSeidel => "gauss-seidel",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A solver name that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no solver `{given}`; use `lemke`, `enumeration`, `interior-point` or `gauss-seidel`")]
pub struct UnknownMethod {
    /// What was given.
    pub given: String,
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(given: &str) -> Result<Self, UnknownMethod> {
        let named = Self::ALL.into_iter().find(|method| method.as_str() == given);
        named.ok_or_else(|| UnknownMethod { given: given.to_owned() })
    }
}

/// A solver chosen at run time, with its working memory.
#[derive(Debug, Clone)]
pub enum Solver<D: Dim>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    /// Lexicographic pivoting.
    Lemke(Lemke<D>),
    /// Every complementary basis.
    Enumeration(Enumeration<D>),
    /// Mehrotra's predictor-corrector.
    InteriorPoint(InteriorPoint<D>),
    /// Projected Gauss-Seidel.
    GaussSeidel(GaussSeidel<D>),
}

impl<D: Dim> Solver<D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    /// The solver `method` for problems of `dim` unknowns.
    pub fn new(method: Method, dim: D) -> Self {
        match method {
            Method::Lemke => Self::Lemke(Lemke::new(dim)),
            Method::Enumeration => Self::Enumeration(Enumeration::new(dim)),
            Method::InteriorPoint => Self::InteriorPoint(InteriorPoint::new(dim)),
            Method::GaussSeidel => Self::GaussSeidel(GaussSeidel::new(dim)),
        }
    }

    /// Which solver it is.
    pub fn method(&self) -> Method {
        match self {
            Self::Lemke(_) => Method::Lemke,
            Self::Enumeration(_) => Method::Enumeration,
            Self::InteriorPoint(_) => Method::InteriorPoint,
            Self::GaussSeidel(_) => Method::GaussSeidel,
        }
    }

    /// Solves `problem` into `solution`, which has its size, without allocating.
    pub fn solve_into(&mut self, problem: &Problem<D>, solution: &mut Solution<D>) {
        match self {
            Self::Lemke(solver) => solver.solve_into(problem, solution),
            Self::Enumeration(solver) => solver.solve_into(problem, solution),
            Self::InteriorPoint(solver) => solver.solve_into(problem, solution),
            Self::GaussSeidel(solver) => solver.solve_into(problem, solution),
        }
    }

    /// Solves `problem`.
    pub fn solve(&mut self, problem: &Problem<D>) -> Solution<D> {
        let mut solution = Solution::empty(problem.dim());
        self.solve_into(problem, &mut solution);
        solution
    }

    /// Solves `problem`, and does not leave it at that where Lemke's paths end without an answer, or cannot begin
    /// because the free unknowns are left open by their equations: a small problem is enumerated, which gives
    /// one, a larger one gets many more covering vectors and then the interior-point method.
    pub fn solve_persistently(&mut self, problem: &Problem<D>) -> Solution<D> {
        let mut solution = self.solve(problem);
        let Self::Lemke(lemke) = self else { return solution };
        if matches!(solution.status, Status::Solved | Status::NoSolution) {
            return solution;
        }
        if problem.size() - problem.free() <= MAX_ENUMERATED {
            let enumerated = Enumeration::new(problem.dim()).solve(problem);
            return Solution { pivots: solution.pivots + enumerated.pivots, ..enumerated };
        }
        if solution.status != Status::NotApplicable {
            lemke.try_more(problem, &mut solution);
        }
        if !matches!(solution.status, Status::Solved | Status::NoSolution) {
            let other = InteriorPoint::new(problem.dim()).solve(problem);
            if matches!(other.status, Status::Solved | Status::NoSolution) {
                return Solution { pivots: solution.pivots + other.pivots, ..other };
            }
        }
        solution
    }
}
