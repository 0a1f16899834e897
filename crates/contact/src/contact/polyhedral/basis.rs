use nalgebra::{SMatrix, SVector};

use super::modes::Mode;
use crate::contact::{scaled::Operator, structured::linear::LinearSystem};

/// The proximal term in units of `x^2`. Where rows are redundant it says about what point the impulses are the closest; with
/// 1e-9 rounding decides that among bodies whose masses differ by a million.
const DELTA: f64 = 1e-5;
/// That where the equations of the modes are far from singular and still take too many solves, as of a chain of 200 rods, whose
/// softest motion goes by the square of its length.
const LITTLE_DELTA: f64 = 1e-9;
/// Linear systems, each with the modes at the end of the one before.
const MOST_STEPS: u32 = 8;
/// Solves with one factorisation.
const MOST_SOLVES: u32 = 6;
/// Of the residual of the modes' equations, what a solve has to leave of it for another one.
const HALF: f64 = 0.5;
/// The residual of the modes' equations over that of the law below which the modes are not those of the solution.
const ELSEWHERE: f64 = 1e-3;
/// The residual at which a basis is taken where solves gain no more: rows that are redundant but for the small angle between
/// the slips of two contacts of a face leave one that the proximal term bounds.
const NEARLY_EXACT: f64 = 1e-9;
/// The residual at which a basis is taken, in scaled units, and what rounding leaves of the largest impulse in a velocity.
const EXACT: f64 = 1e-12;
const ROUNDING: f64 = 20.0 * f64::EPSILON;

/// The contacts of a polygonal problem in scaled units: what does not change while it is solved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contacts<'a, const D: usize> {
    pub friction: &'a [f64],
    /// The directions of all contacts, one after the other.
    pub directions: &'a [SVector<f64, D>],
    /// How many each has.
    pub count: usize,
    /// The weights of [`AnalyticCentre`](crate::contact::analytic_centre::AnalyticCentre).
    pub x: &'a [f64],
}

impl<'a, const D: usize> Contacts<'a, D> {
    /// Friction coefficient and directions of each contact.
    fn each(&self) -> impl Iterator<Item = (f64, &'a [SVector<f64, D>])> {
        self.friction.iter().copied().zip(self.directions.chunks_exact(self.count))
    }

    /// By how much impulses and velocities miss the law, contact by contact `|r - P(r - u)|`, and links their equations; and
    /// whether that is rounding.
    pub fn miss(
        &self,
        operator: &impl Operator<D>,
        r: &[SVector<f64, D>],
        u: &[SVector<f64, D>],
    ) -> (f64, bool) {
        let (mut miss, mut largest) = (operator.miss_of_links(), 0.0_f64);
        for ((friction, polygon), (r, u)) in self.each().zip(r.iter().zip(u)) {
            let own = (r - Mode::project(&(r - u), friction, polygon)).norm();
            miss = if own.is_finite() { miss.max(own) } else { f64::INFINITY };
            largest = largest.max(r.amax());
        }
        (miss, miss <= EXACT.max(ROUNDING * largest))
    }
}

/// The exact solution of a polygonal problem from what its contacts do: the modes are the pieces of
///
/// ```text
/// p = [p - x^2 u_n]+,   r_t = P(r_t - x^2 u_t)   with P the projection onto mu p times the polygon
/// ```
///
/// at a point near the solution, and the equations of the pieces are linear. They are solved by the proximal point iteration
/// over the graph of the bodies, about the point that they were found at: rows that say the same twice then leave the impulses
/// that are closest to it, and these are as far from every bound as the interior point was.
#[derive(Debug, Clone)]
pub(super) struct Basis<const D: usize> {
    pub modes: Vec<Mode>,
    blocks: Vec<SMatrix<f64, D, D>>,
    e: Vec<SVector<f64, D>>,
    dr: Vec<SVector<f64, D>>,
    du: Vec<SVector<f64, D>>,
}

impl<const D: usize> Default for Basis<D> {
    fn default() -> Self {
        Self { modes: Vec::new(), blocks: Vec::new(), e: Vec::new(), dr: Vec::new(), du: Vec::new() }
    }
}

impl<const D: usize> Basis<D> {
    /// Looks for the basis from impulses near the solution, and their velocities; whether they, and the links of `system`, are
    /// now the solution, and how many linear systems that took.
    pub fn recover(
        &mut self,
        system: &mut impl LinearSystem<D>,
        contacts: Contacts<'_, D>,
        (r, u): (&mut [SVector<f64, D>], &mut [SVector<f64, D>]),
    ) -> (bool, u32) {
        self.modes.clear();
        self.modes.resize(r.len(), Mode::Open);
        for step in 0..MOST_STEPS {
            let mut has_changed = step == 0;
            let points = r.iter().zip(u.iter()).zip(contacts.x).zip(contacts.each());
            for ((((r, u), x), (friction, polygon)), mode) in points.zip(&mut self.modes) {
                let found = Mode::at(&(r - u * (x * x)), friction, polygon);
                has_changed |= std::mem::replace(mode, found) != found;
            }
            if !has_changed {
                return (false, step);
            }
            if self.hold(system, contacts, (r, u)) {
                return (true, step + 1);
            }
        }
        (false, MOST_STEPS)
    }

    /// Solves the equations of the modes from these impulses; whether they, and the links, are then the solution.
    pub fn hold(
        &mut self,
        system: &mut impl LinearSystem<D>,
        contacts: Contacts<'_, D>,
        (r, u): (&mut [SVector<f64, D>], &mut [SVector<f64, D>]),
    ) -> bool {
        let mut with = |delta| self.hold_with(delta, system, contacts, (&mut *r, &mut *u));
        with(DELTA).or_else(|| with(LITTLE_DELTA)).unwrap_or(false)
    }

    /// The same with this proximal term; `None` where solves still miss the modes' equations, not the law by other modes.
    fn hold_with(
        &mut self,
        delta: f64,
        system: &mut impl LinearSystem<D>,
        contacts: Contacts<'_, D>,
        (r, u): (&mut [SVector<f64, D>], &mut [SVector<f64, D>]),
    ) -> Option<bool> {
        let Self { modes, blocks, e, dr, du } = self;
        blocks.clear();
        for (((mode, (friction, polygon)), x), r) in
            modes.iter().zip(contacts.each()).zip(contacts.x).zip(r.iter_mut())
        {
            *r = mode.nearest(r, friction, polygon);
            blocks.push(mode.response(friction, polygon) * (x * x / delta));
        }
        if !system.factor(blocks, delta) {
            return Some(false);
        }
        for vectors in [&mut *e, dr, du] {
            vectors.clear();
            vectors.resize(r.len(), SVector::zeros());
        }
        system.operator_mut().velocities(r, u);
        let mut left = f64::INFINITY;
        for _ in 0..MOST_SOLVES {
            for ((e, block), u) in e.iter_mut().zip(blocks.iter()).zip(u.iter()) {
                *e = -(block * u);
            }
            system.solve(blocks, e, dr, du);
            for (((r, dr), mode), (friction, polygon)) in
                r.iter_mut().zip(dr.iter()).zip(modes.iter()).zip(contacts.each())
            {
                *r = mode.nearest(&(*r + dr), friction, polygon);
            }
            system.advance_links(1.0);
            system.operator_mut().velocities(r, u);
            let (miss, is_exact) = contacts.miss(system.operator(), r, u);
            if is_exact {
                return Some(true);
            }
            let before = left;
            left = system.operator().miss_of_links();
            for ((u, block), x) in u.iter().zip(blocks.iter()).zip(contacts.x) {
                left = left.max((block * u).amax() * delta / (x * x));
            }
            // Modes that are not those of the solution miss it by more than their own equations.
            if left < ELSEWHERE * miss {
                return Some(miss <= NEARLY_EXACT);
            }
            let gains = left < HALF * before;
            if !gains {
                return (miss <= NEARLY_EXACT).then_some(true);
            }
        }
        None
    }
}
