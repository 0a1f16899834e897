use crate::{
    lcp::{Lcp, Lemke, Solution},
    random::Random,
    stepper::lcp::{BlockFormulation, TraditionalFormulation},
};

/// Which numbers of the traditional problem are disturbed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disturbed {
    /// All of `M` and `q`.
    Everything,
    /// All of `M`.
    Matrix,
    /// All of `q`.
    Vector,
    /// `M_ij`, from 0.
    Entry(usize, usize),
    /// `q_i`, from 0.
    Constant(usize),
}

impl Disturbed {
    /// The entries one by one, in the order of reading.
    pub fn entries() -> impl Iterator<Item = Self> {
        let matrix = (0..9).map(|k| Self::Entry(k / 3, k % 3));
        matrix.chain((0..3).map(Self::Constant))
    }

    /// Its name in formulas, counting from 1.
    pub fn name(self) -> String {
        match self {
            Self::Everything => "M and q".to_owned(),
            Self::Matrix => "M".to_owned(),
            Self::Vector => "q".to_owned(),
            Self::Entry(i, j) => format!("M{}{}", i + 1, j + 1),
            Self::Constant(i) => format!("q{}", i + 1),
        }
    }

    fn apply(self, problem: &mut Lcp<3>, sigma: f64, random: &mut Random) {
        if matches!(self, Self::Everything | Self::Matrix) {
            problem.m.iter_mut().for_each(|entry| *entry += random.normal(sigma));
        }
        if matches!(self, Self::Everything | Self::Vector) {
            problem.q.iter_mut().for_each(|entry| *entry += random.normal(sigma));
        }
        match self {
            Self::Entry(i, j) => problem.m[(i, j)] += random.normal(sigma),
            Self::Constant(i) => problem.q[i] += random.normal(sigma),
            _ => {}
        }
    }
}

/// How a block at rest, `dt = m = mu m g = 1`, answers the push `u` when the numbers of its
/// traditional problem carry independent Gaussian noise.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Answers {
    pub trials: u64,
    /// The velocity is zero, to rounding.
    pub sticks: u64,
    /// The velocity is below a thousandth of the noise.
    pub nearly_sticks: u64,
    /// The problem has no solution, or none that Lemke's method finds.
    pub unsolved: u64,
}

impl Answers {
    /// Makes `trials` trials with noise of standard deviation `sigma`.
    pub fn of(disturbed: Disturbed, sigma: f64, u: f64, trials: u64, random: &mut Random) -> Self {
        /// A velocity below this is rounding of zero.
        const ROUNDING: f64 = 1e-12;
        let mut answers = Self { trials, ..Self::default() };
        let mut lemke = Lemke::default();
        for _ in 0..trials {
            let mut problem = TraditionalFormulation::problem(u, 1.0);
            disturbed.apply(&mut problem, sigma, random);
            let solution: Solution<_> = lemke.solve(&problem);
            if !solution.is_solved() {
                answers.unsolved += 1;
                continue;
            }
            // The block itself is not disturbed: v+ = u + lambda+ - lambda-.
            let velocity = (u + solution.z[0] - solution.z[1]).abs();
            answers.sticks += u64::from(velocity <= ROUNDING);
            answers.nearly_sticks += u64::from(velocity <= 1e-3 * sigma);
        }
        answers
    }

    /// A count as a percentage of the trials.
    pub fn percent(&self, count: u64) -> f64 {
        100.0 * count as f64 / self.trials as f64
    }
}
