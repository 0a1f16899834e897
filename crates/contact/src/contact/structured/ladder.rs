use nalgebra::SVector;

use super::{
    StructuredSettings,
    held_contacts::HeldContacts,
    linear::LinearSystem,
    path::{Outcome, Path, Plan},
    start::Start,
};
use crate::{
    contact::{
        DenseProblem, Residuals,
        polyhedral::{FrictionPolygon, PolyhedralProgram},
        scaled::Operator,
    },
    lcp::{Method, Status},
};

/// Shares of the friction coefficients, raised step by step.
const FRICTION_SHARES: [f64; 6] = [0.1, 0.3, 0.5, 0.7, 0.85, 1.0];
/// Sweeps of the last rung.
const MANY_SWEEPS: u32 = 20_000;

/// Contacts up to which pivoting is tried: its matrix is dense, and has sixteen entries per pair of contacts.
const MOST_PIVOTED: usize = 400;

/// Iterations times contacts after which no further rung but the last is tried: few contacts get the whole ladder, thousands
/// the first rungs. Without a bound they would take as long as thirty problems that a path solves.
const MOST_WORK: u64 = 16_000_000;
/// Sweeps times contacts of the last rung at most. A sweep is a small part of an iteration, and in heaps of discs, whose paths
/// end where many arches are about to give way, sweeps still find impulses that are passed on as approximate.
const MOST_SWEPT: u64 = 32_000_000;

/// The attempts, one after the other until one is accepted by its residuals.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rung {
    /// A path.
    Follow(Plan),
    /// A path towards weighted products, weights log-uniform within this factor both ways.
    Weighted { factor: f64, seed: u32 },
    /// Friction raised step by step.
    Raise,
    /// Sweeps, then a path.
    Sweep,
    /// Pivoting, exact in the plane.
    Pivot,
}

/// The order of the rungs and the number each is reported under.
const RUNGS: [(u32, Rung); 24] = [
    (0, Rung::Follow(Plan { leaves_early: true, ..Plan::FIRST })),
    (21, Rung::Follow(Plan::REDUNDANT)),
    (
        22,
        Rung::Follow(Plan { start: Start::Centred { scale: 10.0 }, least_centring: 0.1, ..Plan::REDUNDANT }),
    ),
    (23, Rung::Follow(Plan::FIRST)),
    (20, Rung::Follow(Plan::BALANCED)),
    (3, Rung::Follow(Plan { start: Start::At { sweeps: 10, least: 0.1 }, delta: 1e-6, ..Plan::FIRST })),
    (1, Rung::Follow(Plan { least_centring: 0.3, ..Plan::FIRST })),
    (11, Rung::Pivot),
    (2, Rung::Follow(Plan { start: Start::Centred { scale: 10.0 }, least_centring: 0.1, ..Plan::FIRST })),
    (4, Rung::Follow(Plan { least_centring: 0.5, correct: false, ..Plan::FIRST })),
    (5, Rung::Weighted { factor: 10.0, seed: 1 }),
    (6, Rung::Weighted { factor: 10.0, seed: 2 }),
    (7, Rung::Weighted { factor: 100.0, seed: 3 }),
    (8, Rung::Weighted { factor: 100.0, seed: 4 }),
    (9, Rung::Raise),
    (12, Rung::Weighted { factor: 3.0, seed: 5 }),
    (13, Rung::Weighted { factor: 30.0, seed: 6 }),
    (14, Rung::Weighted { factor: 3.0, seed: 7 }),
    (15, Rung::Weighted { factor: 30.0, seed: 8 }),
    (16, Rung::Weighted { factor: 3.0, seed: 9 }),
    (17, Rung::Weighted { factor: 30.0, seed: 10 }),
    (18, Rung::Weighted { factor: 3.0, seed: 11 }),
    (19, Rung::Weighted { factor: 30.0, seed: 12 }),
    (10, Rung::Sweep),
];

/// Where there is no ladder: the first path, to its end.
const ALONE: [(u32, Rung); 1] = [(0, Rung::Follow(Plan::FIRST))];

/// The ladder with the memory of its rungs.
#[derive(Debug, Clone)]
pub(super) struct Ladder<const D: usize> {
    pub path: Path<D>,
    held: HeldContacts<D>,
    pivoting: Option<PolyhedralProgram<D>>,
    best_r: Vec<SVector<f64, D>>,
    best_links: Vec<f64>,
}

impl<const D: usize> Default for Ladder<D> {
    fn default() -> Self {
        Self {
            path: Path::default(),
            held: HeldContacts::default(),
            pivoting: None,
            best_r: Vec::new(),
            best_links: Vec::new(),
        }
    }
}

/// What a failure says.
pub(super) fn why_not() -> String {
    "every path of the interior point that was tried ended early".to_owned()
}

impl<const D: usize> Ladder<D> {
    /// Tries the rungs; the best impulses are then in the path and the system. Gives iterations over
    /// all rungs and the last rung.
    pub fn climb<S: LinearSystem<D>>(
        &mut self,
        system: &mut S,
        is_warm: bool,
        settings: &StructuredSettings,
        dense: impl Fn() -> DenseProblem<D>,
    ) -> (u32, u32) {
        let tolerance = settings.tolerance;
        self.path.friction.clear();
        self.path.friction.extend_from_slice(system.operator().friction());
        self.path.weights.clear();
        self.path.weights.resize(self.path.friction.len(), 1.0);
        let mut iterations = 0;
        if is_warm {
            let outcome = self.path.jump_from(system, tolerance);
            iterations = outcome.iterations;
            if outcome.is_solved {
                return (iterations, 0);
            }
            let plan = Plan { start: Start::At { sweeps: 3, least: 1e-3 }, ..Plan::FIRST };
            let outcome = self.path.follow(system, &plan, tolerance);
            iterations += outcome.iterations;
            if outcome.is_solved {
                return (iterations, 0);
            }
        } else if self.is_solved_by_rest(system, tolerance) {
            return (0, 0);
        } else if self.is_solved_by_holding(system, tolerance) {
            return (1, 0);
        }
        let mut best: Option<Residuals> = None;
        let mut last = 0;
        let rungs: &[(u32, Rung)] = if settings.ladder { &RUNGS } else { &ALONE };
        for (number, rung) in rungs {
            let work = u64::from(iterations) * self.path.friction.len() as u64;
            if work > MOST_WORK && *rung != Rung::Sweep {
                continue;
            }
            let Some(outcome) = self.attempt(system, rung, tolerance, &dense) else { continue };
            iterations += outcome.iterations;
            last = *number;
            if outcome.is_solved {
                return (iterations, last);
            }
            if best.is_none_or(|best| outcome.residuals.max() < best.max()) {
                best = Some(outcome.residuals);
                self.best_r.clone_from(&self.path.r);
                self.best_links.clear();
                self.best_links.extend_from_slice(system.link_impulses());
            }
        }
        if best.is_some() {
            self.path.r.clone_from(&self.best_r);
            system.set_link_impulses(&self.best_links);
        }
        (iterations, last)
    }

    /// Whether no impulse at all solves the problem; leaves it in the path.
    fn is_solved_by_rest<S: LinearSystem<D>>(&mut self, system: &mut S, tolerance: f64) -> bool {
        self.path.r.clear();
        self.path.r.resize(self.path.friction.len(), SVector::zeros());
        system.set_link_impulses(&[]);
        let residuals = self.path.measure(system);
        system.operator().accepts(&residuals, tolerance)
    }

    /// Whether the impulses that hold all contacts solve the problem; leaves them in the path, which has no impulses before.
    fn is_solved_by_holding<S: LinearSystem<D>>(&mut self, system: &mut S, tolerance: f64) -> bool {
        let Path { r, u, .. } = &mut self.path;
        self.held.solve(system, (r, u), tolerance)
    }

    fn attempt<S: LinearSystem<D>>(
        &mut self,
        system: &mut S,
        rung: &Rung,
        tolerance: f64,
        dense: &impl Fn() -> DenseProblem<D>,
    ) -> Option<Outcome> {
        match *rung {
            Rung::Follow(plan) => Some(self.path.follow(system, &plan, tolerance)),
            Rung::Weighted { factor, seed } => {
                for (i, weight) in self.path.weights.iter_mut().enumerate() {
                    *weight = factor.powf(2.0 * irregular(i, seed) - 1.0);
                }
                let outcome = self.path.follow(system, &Plan::BALANCED, tolerance);
                self.path.weights.fill(1.0);
                Some(outcome)
            }
            Rung::Raise => Some(self.raise(system, tolerance)),
            Rung::Sweep => {
                self.path.r.fill(SVector::zeros());
                system.set_link_impulses(&[]);
                let affordable = MOST_SWEPT / self.path.friction.len().max(1) as u64;
                let sweeps = affordable.min(MANY_SWEEPS.into()) as u32;
                let swept = self.path.sweep(system, sweeps, Residuals::INFINITE, tolerance, 0);
                if swept.is_solved {
                    return Some(swept);
                }
                let start = Start::At { sweeps: 0, least: 1e-3 };
                let outcome = self.path.follow(system, &Plan { start, ..Plan::FIRST }, tolerance);
                Some(Outcome { iterations: outcome.iterations + swept.iterations, ..outcome })
            }
            Rung::Pivot => self.pivot(system, tolerance, dense),
        }
    }

    /// Raises friction from a tenth of what it is, each path from the end of the one before.
    fn raise<S: LinearSystem<D>>(&mut self, system: &mut S, tolerance: f64) -> Outcome {
        let mut total = 0;
        let mut start = Plan::FIRST.start;
        let mut last = Outcome { residuals: Residuals::INFINITE, is_solved: false, iterations: 0 };
        for share in FRICTION_SHARES {
            self.path.friction.clear();
            self.path.friction.extend(system.operator().friction().iter().map(|mu| share * mu));
            last = self.path.follow(system, &Plan { start, ..Plan::FIRST }, tolerance);
            total += last.iterations;
            start = Start::At { sweeps: 3, least: 0.1 };
        }
        Outcome { iterations: total, ..last }
    }

    /// Pivoting in the plane; links make their way back by sweeps.
    fn pivot<S: LinearSystem<D>>(
        &mut self,
        system: &mut S,
        tolerance: f64,
        dense: &impl Fn() -> DenseProblem<D>,
    ) -> Option<Outcome> {
        if D != 2 || self.path.friction.len() > MOST_PIVOTED {
            return None;
        }
        let program = self
            .pivoting
            .get_or_insert_with(|| PolyhedralProgram::new(2, FrictionPolygon::Fixed, Method::Lemke));
        program.pivots = 0;
        let problem = dense();
        let mut impulses = Vec::new();
        if program.solve(&problem, &mut impulses) != Status::Solved {
            return None;
        }
        let pivots = program.pivots;
        system.load(&impulses, &mut self.path.r);
        let residuals = self.path.measure(system);
        let is_solved = system.operator().accepts(&residuals, tolerance);
        if is_solved {
            return Some(Outcome { residuals, is_solved, iterations: pivots });
        }
        let outcome = self.path.sweep(system, 300, residuals, tolerance, pivots);
        Some(outcome)
    }
}

/// Irregular numbers between 0 and 1, the same on every machine.
fn irregular(i: usize, seed: u32) -> f64 {
    let mut x = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (u64::from(seed) << 32);
    x ^= x >> 30;
    x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^= x >> 31;
    (x >> 11) as f64 / (1u64 << 53) as f64
}
