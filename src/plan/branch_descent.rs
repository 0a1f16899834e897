//! Polishing a plan: the program of its branch, in which complementarity holds exactly, and from branch to branch while a pair of
//! which both numbers are zero would lower the cost on its other side.

use super::{
    branch::{Branch, Mode},
    certificate::{Certificate, lagrangian_gradient},
    program::Program,
    relaxation::{self, Beginning, Point},
};
use crate::{
    nlp::{
        IpoptError,
        sparse::{SparseMultipliers, SparseNlp},
    },
    watch::Watch,
};

/// Numbers below this, in units, are zero: a pair of two such is biactive.
pub const BIACTIVE: f64 = 1e-6;
/// A slope of the cost below the negative of this would lower it.
pub const STEEP: f64 = 1e-7;
/// A gain in cost, in units, that is one.
const GAIN: f64 = 1e-9;
/// Switches that are tried at most.
const MOST_SWITCHES: usize = 30;
/// Largest part by which polishing may change the cost of a plan: more is another plan, which is taken where it is cheaper.
const SAME_PLAN: f64 = 1e-3;
/// Largest violation of a row, in units, of a polished plan.
const FEASIBLE: f64 = 1e-8;
/// Barrier parameters with which a branch is begun.
const BARRIERS: [f64; 3] = [1e-7, 1e-4, 1e-2];

/// A plan on a branch.
#[derive(Debug, Clone)]
pub struct Polished {
    /// The program of the branch.
    pub program: Program,
    /// The point.
    pub point: Point,
    /// The variables as the relaxed program has them.
    pub x: Vec<f64>,
    /// What can be said of it.
    pub certificate: Certificate,
    /// Switches of branch that lowered the cost.
    pub switches: usize,
    /// Whether it is another plan than the relaxed one, and cheaper.
    pub is_cheaper: bool,
}

/// A pair that is biactive, and would lower the cost at this slope by its other side.
#[derive(Debug, Clone, Copy)]
struct Switch {
    place: (usize, usize),
    to: Mode,
    slope: f64,
}

/// Polishes a point of the relaxed `program`; nothing where no branch near it has a plan of about its cost, or of less.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub fn polish(program: &Program, start: &Point, watch: &Watch<'_>) -> Result<Option<Polished>, IpoptError> {
    let relaxed = program.objective(&start.x);
    let mut branch = Branch::nearest(program, &start.x);
    let Some((mut own, mut point)) = solve(program, &branch, start, watch)? else { return Ok(None) };
    let mut forbidden: Vec<((usize, usize), Mode)> = Vec::new();
    let mut switches = 0;
    for _ in 0..MOST_SWITCHES {
        let possible = candidates(&own, &branch, &point);
        let allowed = possible.into_iter().filter(|switch| !forbidden.contains(&(switch.place, switch.to)));
        let Some(worst) = allowed.min_by(|a, b| a.slope.total_cmp(&b.slope)) else { break };
        if watch.flow().is_break() {
            break;
        }
        let mut other = branch.clone();
        other.0[worst.place.0][worst.place.1] = worst.to;
        let gained = solve(program, &other, &point, watch)?
            .filter(|(program, found)| program.objective(&found.x) < own.objective(&point.x) - GAIN);
        match gained {
            Some(found) => {
                (own, point) = found;
                branch = other;
                switches += 1;
                forbidden.clear();
            }
            None => forbidden.push((worst.place, worst.to)),
        }
    }
    let gained = relaxed - own.objective(&point.x);
    if gained < -SAME_PLAN * relaxed.abs() {
        return Ok(None);
    }
    let is_cheaper = gained > SAME_PLAN * relaxed.abs();
    let wrong = candidates(&own, &branch, &point).len();
    let certificate = Certificate::of(&own, &point, wrong);
    let x = branch.with_slips(program, &point.x);
    Ok(Some(Polished { program: own, point, x, certificate, switches, is_cheaper }))
}

fn solve(
    program: &Program,
    branch: &Branch,
    from: &Point,
    watch: &Watch<'_>,
) -> Result<Option<(Program, Point)>, IpoptError> {
    let (own, x) = branch.program(program, &from.x);
    let multipliers = without_products(&own, &from.multipliers);
    let start = Point { x, multipliers };
    for barrier in BARRIERS {
        let beginning = Beginning { barrier, push: barrier, warm: true, exact: true };
        let solution = relaxation::solve(&own, &start, beginning, watch)?;
        if relaxation::is_plan(&solution) && solution.residuals.feasibility <= FEASIBLE {
            let mut x = solution.x;
            // Where rows are as many as variables IPOPT takes fixed variables for free ones between bounds.
            for (variable, value) in x.iter_mut().enumerate() {
                let [low, high] = own.bounds_of(variable);
                *value = value.max(low).min(high);
            }
            return Ok(Some((own, Point { x, multipliers: solution.multipliers })));
        }
        if watch.flow().is_break() {
            break;
        }
    }
    Ok(None)
}

/// The multipliers with those of the products, which a branch does not bound, gone.
fn without_products(program: &Program, multipliers: &SparseMultipliers) -> SparseMultipliers {
    let mut own = multipliers.clone();
    for row in program.product_rows() {
        own.constraints[row] = 0.0;
    }
    own
}

/// The biactive pairs whose other side would lower the cost.
fn candidates(program: &Program, branch: &Branch, point: &Point) -> Vec<Switch> {
    let slopes = lagrangian_gradient(program, point);
    let x = &point.x;
    let mut found = Vec::new();
    for (k, modes) in branch.0.iter().enumerate() {
        for (index, (contact, mode)) in program.contact_variables(k).iter().zip(modes).enumerate() {
            let mut add = |is_biactive: bool, to: Mode, slope: f64| {
                if is_biactive && slope < -STEEP {
                    found.push(Switch { place: (k, index), to, slope });
                }
            };
            let closed = || match contact.friction.map(|[_, plus, _]| x[plus]) {
                None => Mode::Closed,
                Some(slip) if slip > BIACTIVE => Mode::Forward,
                Some(slip) if slip < -BIACTIVE => Mode::Backward,
                Some(_) => Mode::Stick,
            };
            if *mode == Mode::Open {
                add(x[contact.gap] < BIACTIVE, closed(), slopes[contact.load]);
                continue;
            }
            add(x[contact.load] < BIACTIVE, Mode::Open, slopes[contact.gap]);
            let Some([b, plus, minus]) = contact.friction else { continue };
            match mode {
                Mode::Forward => add(x[plus] < BIACTIVE, Mode::Stick, slopes[b]),
                Mode::Backward => add(x[minus] < BIACTIVE, Mode::Stick, -slopes[b]),
                _ => {
                    add(1.0 + x[b] < BIACTIVE, Mode::Forward, slopes[plus]);
                    add(1.0 - x[b] < BIACTIVE, Mode::Backward, slopes[minus]);
                }
            }
        }
    }
    found
}
