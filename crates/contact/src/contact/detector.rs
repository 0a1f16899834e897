//! Whether a step in the plane has several solutions, one, or none.

use nalgebra::{DMatrix, DVector, RowDVector, SVector};

use super::{
    ContactProblem, has_bounded_links,
    tableau::{Tableau, Undecided},
};

/// Contacts up to which every combination of modes is tried: `4^m` linear programs.
pub const MOST_CONTACTS: usize = 4;

/// Part of the unit of velocities or impulses by which a mode may miss its conditions.
const TOLERANCE: f64 = 1e-7;

/// Singular values below this part of the largest one are zero.
const RANK: f64 = 1e-10;

/// Difference of velocities, in their unit, from which solutions are two.
const DISTINCT: f64 = 1e-5;

/// What a contact does over a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// It carries no impulse.
    Open,
    /// It neither opens nor slides.
    Stick,
    /// It slides along its tangent.
    SlideForward,
    /// It slides against its tangent.
    SlideBackward,
}

impl Mode {
    const ALL: [Self; 4] = [Self::Open, Self::Stick, Self::SlideForward, Self::SlideBackward];

    /// The word for reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Stick => "stick",
            Self::SlideForward => "slide +",
            Self::SlideBackward => "slide -",
        }
    }
}

/// One solution of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative<const N: usize> {
    /// What each contact does, by its velocity where several combinations lead to one motion.
    pub modes: Vec<Mode>,
    /// Impulses (normal, tangential); some of those that lead to the motion where it does not determine them.
    pub impulses: Vec<SVector<f64, 2>>,
    /// Velocities of the bodies.
    pub velocity: Vec<SVector<f64, N>>,
    /// Whether other impulses lead to the same motion: forces that the motion does not determine.
    pub impulses_are_indeterminate: bool,
}

/// All solutions of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Detection<const N: usize> {
    /// The solutions that differ in their motion; where a combination of modes has infinitely many, those at the ends
    /// of its velocities.
    pub alternatives: Vec<Alternative<N>>,
    /// Whether there are infinitely many more.
    pub is_infinite: bool,
    /// Whether these are all: `false` where rounding leaves combinations undecided, and where links have bounds, of which
    /// nothing is counted.
    pub is_complete: bool,
    /// Whether the rows of all contacts depend on each other, so that different impulses could lead to the same
    /// motion if their signs and cones allowed it; for whether they do, see
    /// [`Alternative::impulses_are_indeterminate`].
    pub forces_are_indeterminate: bool,
}

/// The problem has too many contacts to try all combinations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the step has {contacts} contacts; solutions are counted up to {MOST_CONTACTS}")]
pub struct TooManyContacts {
    /// How many it has.
    pub contacts: usize,
}

/// Finds every solution of a step by trying all combinations of modes: the solutions of each one are those of linear
/// equations and inequalities, a polyhedron, which is looked through to its ends.
///
/// # Errors
/// [`TooManyContacts`] beyond [`MOST_CONTACTS`].
pub fn detect<const N: usize>(problem: &ContactProblem<2, N>) -> Result<Detection<N>, TooManyContacts> {
    let contacts = problem.contacts.len();
    if contacts > MOST_CONTACTS {
        return Err(TooManyContacts { contacts });
    }
    let system = System::new(problem);
    let mut detection = Detection {
        alternatives: Vec::new(),
        is_infinite: false,
        is_complete: true,
        forces_are_indeterminate: system.is_rank_deficient(),
    };
    // Links are eliminated, which those that may give way at a bound are not.
    if has_bounded_links(problem) {
        return Ok(Detection { is_complete: false, ..detection });
    }
    for combination in 0..4_usize.pow(contacts as u32) {
        let modes: Vec<Mode> =
            (0..contacts).map(|contact| Mode::ALL[combination / 4_usize.pow(contact as u32) % 4]).collect();
        let Ok(ends) = system.ends(&modes) else {
            detection.is_complete = false;
            continue;
        };
        let mut motions: Vec<usize> =
            ends.iter().map(|scaled| system.add(&mut detection, problem, scaled)).collect();
        motions.dedup();
        detection.is_infinite |= motions.len() > 1;
    }
    for alternative in &mut detection.alternatives {
        match system.leaves_impulses_open(alternative) {
            Ok(open) => alternative.impulses_are_indeterminate = open,
            Err(Undecided) => detection.is_complete = false,
        }
    }
    Ok(detection)
}

/// Impulses that are sums of `directions` with weights of at least zero, under linear conditions on the impulses.
struct Program {
    directions: DMatrix<f64>,
    equal: Vec<(RowDVector<f64>, f64)>,
    at_least: Vec<(RowDVector<f64>, f64)>,
}

impl Program {
    /// The impulses at a corner, if there are any, and then those where each of `rows`, of impulses, is least and
    /// greatest. A `None` in the list stands for impulses without bound.
    fn ends(&self, rows: &DMatrix<f64>) -> Result<Vec<Option<DVector<f64>>>, Undecided> {
        let (unknowns, slacks) = (self.directions.ncols(), self.at_least.len());
        let conditions = self.equal.iter().chain(&self.at_least);
        let mut matrix = DMatrix::zeros(self.equal.len() + slacks, unknowns + slacks);
        for (row, (condition, _)) in conditions.clone().enumerate() {
            matrix.view_mut((row, 0), (1, unknowns)).copy_from(&(condition * &self.directions));
        }
        for slack in 0..slacks {
            matrix[(self.equal.len() + slack, unknowns + slack)] = -1.0;
        }
        let right = DVector::from_iterator(matrix.nrows(), conditions.map(|(_, right)| *right));
        let Some(mut tableau) = Tableau::of(&matrix, &right, TOLERANCE)? else { return Ok(Vec::new()) };
        let impulses = |tableau: &Tableau| &self.directions * tableau.point().rows(0, unknowns);
        let mut ends = vec![Some(impulses(&tableau))];
        for row in (rows * &self.directions).row_iter() {
            for sign in [1.0, -1.0] {
                let cost = (row * sign).transpose().resize_vertically(unknowns + slacks, 0.0);
                let is_bounded = tableau.descend(&cost)?;
                ends.push(is_bounded.then(|| impulses(&tableau)));
            }
        }
        Ok(ends)
    }
}

/// `u = W r + q` in units in which `W` has a mean diagonal of 1 and the largest `q` is 1.
struct System {
    w: DMatrix<f64>,
    q: DVector<f64>,
    friction: Vec<f64>,
    /// Impulses in N s per scaled impulse, per contact.
    impulse_units: Vec<f64>,
    /// Largest velocity, m/s.
    velocity_unit: f64,
}

impl System {
    fn new<const N: usize>(problem: &ContactProblem<2, N>) -> Self {
        let dense = problem.delassus();
        let scale: Vec<f64> = (0..dense.contacts()).map(|i| dense.weight(i).sqrt().recip()).collect();
        let scaled_q = DVector::from_fn(dense.q.len(), |i, _| dense.q[i] * scale[i / 2]);
        let unit = if scaled_q.amax() > 0.0 { scaled_q.amax() } else { 1.0 };
        let velocity = problem.free_velocity.iter().map(|v| v.amax()).fold(0.0, f64::max);
        Self {
            w: DMatrix::from_fn(scaled_q.len(), scaled_q.len(), |i, j| {
                dense.w[(i, j)] * scale[i / 2] * scale[j / 2]
            }),
            q: scaled_q / unit,
            friction: dense.friction.clone(),
            impulse_units: scale.iter().map(|scale| scale * unit).collect(),
            velocity_unit: if velocity > 0.0 { velocity } else { 1.0 },
        }
    }

    fn is_rank_deficient(&self) -> bool {
        !self.q.is_empty() && self.w.rank(RANK * self.w.amax()) < self.q.len()
    }

    /// The scaled relative velocities that impulses lead to.
    fn relative_velocities(&self, impulses: &[SVector<f64, 2>]) -> DVector<f64> {
        let scaled =
            DVector::from_fn(self.q.len(), |i, _| impulses[i / 2][i % 2] / self.impulse_units[i / 2]);
        &self.w * scaled + &self.q
    }

    /// The scaled impulses of a combination of modes at the ends of its relative velocities; none if it has no solution.
    fn ends(&self, modes: &[Mode]) -> Result<Vec<DVector<f64>>, Undecided> {
        let mut program = self.program(modes);
        for (contact, mode) in modes.iter().enumerate() {
            let velocity = |row: usize, sign: f64| (self.w.row(row) * sign, -self.q[row] * sign);
            let (n, t) = (2 * contact, 2 * contact + 1);
            match mode {
                Mode::Open => program.at_least.push(velocity(n, 1.0)),
                Mode::Stick => program.equal.extend([velocity(n, 1.0), velocity(t, 1.0)]),
                Mode::SlideForward | Mode::SlideBackward => {
                    program.equal.push(velocity(n, 1.0));
                    program.at_least.push(velocity(t, mode.sign()));
                }
            }
        }
        let ends = program.ends(&self.w)?;
        // Energy bounds velocities.
        let ends: Vec<_> = ends.into_iter().map(|end| end.ok_or(Undecided)).collect::<Result<_, _>>()?;
        if ends.iter().all(|r| self.is_solution(modes, r)) { Ok(ends) } else { Err(Undecided) }
    }

    /// Impulses as the modes allow them, without conditions on velocities.
    fn program(&self, modes: &[Mode]) -> Program {
        let rows = self.q.len();
        let (mut directions, mut at_least) = (Vec::new(), Vec::new());
        for (contact, mode) in modes.iter().enumerate() {
            let friction = self.friction[contact];
            let impulse = |normal: f64, tangential: f64| {
                let mut impulse = DVector::zeros(rows);
                impulse[2 * contact] = normal;
                impulse[2 * contact + 1] = tangential;
                impulse / (normal.abs() + tangential.abs())
            };
            match mode {
                Mode::Open => {}
                Mode::Stick => {
                    directions.extend([impulse(1.0, 0.0), impulse(0.0, 1.0), impulse(0.0, -1.0)]);
                    at_least.extend([1.0, -1.0].map(|sign| (impulse(friction, sign).transpose(), 0.0)));
                }
                Mode::SlideForward | Mode::SlideBackward => {
                    directions.push(impulse(1.0, -mode.sign() * friction));
                }
            }
        }
        let directions = DMatrix::from_fn(rows, directions.len(), |row, column| directions[column][row]);
        Program { directions, equal: Vec::new(), at_least }
    }

    /// Whether impulses fulfil all conditions of a combination of modes, whoever found them.
    fn is_solution(&self, modes: &[Mode], r: &DVector<f64>) -> bool {
        let u = &self.w * r + &self.q;
        let tolerance = 2.0 * TOLERANCE * (1.0 + r.amax());
        modes.iter().enumerate().all(|(contact, mode)| {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let limit = self.friction[contact] * r[n];
            let in_cone = r[n] >= -tolerance && r[t].abs() <= limit + tolerance;
            let moves = match mode {
                Mode::Open => u[n] >= -tolerance && r[n] <= tolerance,
                Mode::Stick => u[n].abs().max(u[t].abs()) <= tolerance,
                Mode::SlideForward | Mode::SlideBackward => {
                    u[n].abs() <= tolerance
                        && mode.sign() * u[t] >= -tolerance
                        && r[t] * mode.sign() <= tolerance - limit
                }
            };
            in_cone && moves
        })
    }

    /// Whether the motion of a solution leaves its impulses open: whether others lead to the same velocities.
    fn leaves_impulses_open<const N: usize>(&self, solution: &Alternative<N>) -> Result<bool, Undecided> {
        let u = self.relative_velocities(&solution.impulses);
        let modes: Vec<Mode> =
            (0..self.friction.len()).map(|contact| Mode::of(u[2 * contact], u[2 * contact + 1])).collect();
        let mut program = self.program(&modes);
        program.equal =
            (0..u.len()).map(|row| (self.w.row(row).into_owned(), u[row] - self.q[row])).collect();
        let ends = program.ends(&DMatrix::identity(u.len(), u.len()))?;
        let Some(ends) = ends.into_iter().collect::<Option<Vec<_>>>() else { return Ok(true) };
        let first = ends.first().ok_or(Undecided)?;
        Ok(ends.iter().any(|other| (other - first).amax() > DISTINCT * (1.0 + first.amax())))
    }

    /// Adds a solution to those found unless its motion is among them; its place.
    fn add<const N: usize>(
        &self,
        detection: &mut Detection<N>,
        problem: &ContactProblem<2, N>,
        scaled: &DVector<f64>,
    ) -> usize {
        let impulses: Vec<SVector<f64, 2>> = self
            .impulse_units
            .iter()
            .enumerate()
            .map(|(contact, unit)| SVector::from([scaled[2 * contact], scaled[2 * contact + 1]]) * *unit)
            .collect();
        let (mut links, mut velocity) = (Vec::new(), Vec::new());
        problem.link_impulses(&impulses, &mut links);
        problem.velocities(&impulses, &links, &mut velocity);
        let known = detection.alternatives.iter().position(|other| {
            let pairs = other.velocity.iter().zip(&velocity);
            pairs.map(|(a, b)| (a - b).amax()).fold(0.0, f64::max) <= DISTINCT * self.velocity_unit
        });
        known.unwrap_or_else(|| {
            let u = &self.w * scaled + &self.q;
            let mode = |contact: usize| {
                let (n, t) = (2 * contact, 2 * contact + 1);
                match Mode::of(u[n], u[t]) {
                    Mode::SlideForward | Mode::SlideBackward if scaled[n] <= DISTINCT => Mode::Open,
                    mode => mode,
                }
            };
            let modes = (0..self.friction.len()).map(mode).collect();
            let alternative = Alternative { modes, impulses, velocity, impulses_are_indeterminate: false };
            detection.alternatives.push(alternative);
            detection.alternatives.len() - 1
        })
    }
}

impl Mode {
    /// What a contact of these scaled velocities does.
    fn of(normal: f64, tangential: f64) -> Self {
        match (normal > DISTINCT, tangential.abs() > DISTINCT) {
            (true, _) => Self::Open,
            (false, false) => Self::Stick,
            (false, true) if tangential > 0.0 => Self::SlideForward,
            (false, true) => Self::SlideBackward,
        }
    }

    /// The direction of sliding, 0 without.
    fn sign(self) -> f64 {
        match self {
            Self::SlideForward => 1.0,
            Self::SlideBackward => -1.0,
            Self::Open | Self::Stick => 0.0,
        }
    }
}
