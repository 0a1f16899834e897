use nalgebra::SVector;

use super::{RelaxedProgram, program::Mode};
use crate::nlp::{Multipliers, NlpSolution, SolveStatus, Start};

/// Change of the unit of impulse from one step to the next beyond which the programs are not near.
const LARGE_CHANGE: f64 = 4.0;

/// Iterations after which a warm start is given up. Nine in ten arrive within five; one that takes
/// more than a cold start wanders.
pub(super) const WARM_MAX_ITERATIONS: u32 = 20;

/// The ways to attack one step, in the order in which they are tried.
///
/// The first two make an ordinary step; a step that needs any of the others was rescued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// From the full solution of the step before, barrier parameter and all.
    Warm,
    /// Cold, as a point that keeps sliding.
    Sliding,
    /// Cold, as a point that sticks.
    Sticking,
    /// Cold, as a point in flight.
    Flight,
    /// Cold, from the variables of the step before.
    Previous,
    /// Through a sequence of programs whose square root gets sharper and sharper.
    Sharpening,
}

impl Attempt {
    /// The attempts of an ordinary step.
    pub(super) const ORDINARY: [Self; 2] = [Self::Warm, Self::Sliding];

    /// The attempts that follow where these fail.
    pub(super) const RESCUES: [Self; 4] = [Self::Sticking, Self::Flight, Self::Previous, Self::Sharpening];

    /// Every attempt there is.
    pub(super) const ALL: [Self; 6] =
        [Self::Warm, Self::Sliding, Self::Sticking, Self::Flight, Self::Previous, Self::Sharpening];

    /// Whether a step that this attempt solves counts as rescued.
    pub(super) fn is_rescue(self) -> bool {
        Self::RESCUES.contains(&self)
    }

    /// Whether a solve that ended with `status` ends the attempts. A warm start that arrived only
    /// about there does not: from a cold one the point is reached to the full tolerance.
    pub(super) fn accepts(self, status: SolveStatus) -> bool {
        status == SolveStatus::Solved || (self != Self::Warm && status.is_success())
    }

    /// Smoothings to go through, the program's own `epsilon` last.
    pub(super) fn smoothings(self, epsilon: f64) -> impl Iterator<Item = f64> {
        let path: &[f64] = if self == Self::Sharpening { &[1e-1, 1e-2, 1e-3, 1e-4, 1e-5] } else { &[] };
        path.iter().copied().filter(move |smoothing| *smoothing > epsilon).chain([epsilon])
    }

    /// Where the attempt starts; `None` if it needs a step before that there is not.
    pub(super) fn start<const T: usize, const S: usize>(
        self,
        program: &RelaxedProgram<T>,
        previous: Option<&Previous<S>>,
    ) -> Option<Start<S, S>> {
        match self {
            Self::Warm => previous.filter(|previous| previous.is_near(program)).map(Previous::warm_start),
            Self::Previous => previous.map(|previous| Start::cold(previous.x)),
            Self::Sliding | Self::Sharpening => Some(Start::cold(program.sliding_start())),
            Self::Sticking => Some(Start::cold(program.sticking_start())),
            Self::Flight => Some(Start::cold(program.flight_start())),
        }
    }
}

/// The solution of the step before, all that a warm start needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Previous<const S: usize> {
    x: SVector<f64, S>,
    multipliers: Multipliers<S, S>,
    impulse_ratio: f64,
    expected_mode: Mode,
}

impl<const S: usize> Previous<S> {
    pub(super) fn of<const T: usize>(program: &RelaxedProgram<T>, solution: &NlpSolution<S, S>) -> Self {
        Self {
            x: solution.x,
            multipliers: solution.multipliers,
            impulse_ratio: program.impulse_ratio(),
            expected_mode: program.expected_mode(),
        }
    }

    /// Whether `program` is near enough to the previous one for a warm start. An impact is not, its
    /// unit of impulse differs by orders of magnitude; nor is a change of the contact mode, in which
    /// other constraints become active: there a cold start takes fewer iterations.
    fn is_near<const T: usize>(&self, program: &RelaxedProgram<T>) -> bool {
        let change = program.impulse_ratio() / self.impulse_ratio;
        (1.0 / LARGE_CHANGE..=LARGE_CHANGE).contains(&change) && program.expected_mode() == self.expected_mode
    }

    fn warm_start(&self) -> Start<S, S> {
        Start { x: self.x, multipliers: Some(self.multipliers) }
    }

    /// The numbers in a row: variables, the multipliers of the constraints, of the lower and of the
    /// upper bounds, the ratio of impulse to velocity unit, and the number of the expected mode.
    pub(super) fn to_numbers(self) -> Vec<f64> {
        let Multipliers { constraints, lower, upper } = self.multipliers;
        let vectors = [self.x, constraints, lower, upper];
        let last = [self.impulse_ratio, f64::from(self.expected_mode as u8)];
        vectors.iter().flat_map(|vector| vector.iter().copied()).chain(last).collect()
    }

    /// The reverse of [`Previous::to_numbers`]; `None` if they are not that many finite numbers.
    pub(super) fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let (vectors, &[impulse_ratio, mode]) = numbers.split_last_chunk()?;
        if vectors.len() != 4 * S || !numbers.iter().all(|number| number.is_finite()) {
            return None;
        }
        let expected_mode = Mode::ALL.into_iter().find(|known| f64::from(*known as u8) == mode)?;
        let vector = |part: usize| SVector::from_fn(|i, _| vectors[part * S + i]);
        let multipliers = Multipliers { constraints: vector(1), lower: vector(2), upper: vector(3) };
        Some(Self { x: vector(0), multipliers, impulse_ratio, expected_mode })
    }
}
