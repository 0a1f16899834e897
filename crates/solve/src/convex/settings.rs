/// When a minimisation ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// `eps_r`: stop when `|D gradient| <= absolute + eps_r max(|D A v|, |D J' gamma|)`, with
    /// `D = diag(A)^-1/2`. Tighten it where the piecewise smooth problem has to be solved to
    /// rounding; with one tangential direction that rarely costs more than one iteration.
    pub relative_tolerance: f64,
    /// The absolute part of the same bound.
    pub absolute_tolerance: f64,
    /// Newton steps after which the minimisation is given up. Sensible problems take less than 30.
    pub max_iterations: u32,
}

impl Settings {
    /// Those of a solver that is not told otherwise.
    pub const DEFAULT: Self =
        Self { relative_tolerance: 1e-6, absolute_tolerance: 1e-14, max_iterations: 200 };
}

impl Default for Settings {
    fn default() -> Self {
        Self::DEFAULT
    }
}
