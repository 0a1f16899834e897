use crate::scenario::Scenario;

/// How far a gradient can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quality {
    /// No doubt.
    Ok,
    /// It differs from the derivative of the motion by more than [`BIAS_LIMIT`].
    Biased,
    /// The scenario is on a kink: the result has one gradient for larger values of the input and another, or none, for
    /// smaller ones.
    OneSided,
    /// Contacts carry more than they need, and the result depends on how they share it: the gradient is that of one way
    /// to, and another way has one that differs by more than [`SHARING_LIMIT`].
    Indeterminate,
    /// It is not the slope of the results of its own steps, as differences of them show.
    Contradicted,
    /// Nothing changes with the input: it points nowhere. The nearest kink says where that ends.
    Zero,
    /// There is neither an exact nor a corrected gradient to hold that of the steps against, as where several contacts
    /// hit at once.
    Unchecked,
    /// On its way it grew beyond [`exploding_above`]: the steps chatter, and the gradient is noise.
    Exploding,
}

impl Quality {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Biased => "biased",
            Self::OneSided => "one-sided",
            Self::Indeterminate => "indeterminate",
            Self::Contradicted => "contradicted",
            Self::Zero => "zero",
            Self::Unchecked => "unchecked",
            Self::Exploding => "exploding",
        }
    }
}

/// Relative deviation from the exact gradient, or where that is not known from the corrected one, above which a gradient is biased.
pub const BIAS_LIMIT: f64 = 0.02;

/// How many times the error of a difference a gradient has to be off it, and by how much relatively, to be contradicted.
pub const SURELY: f64 = 4.0;
pub const CONTRADICTION_LIMIT: f64 = 0.02;

/// Relative deviation of the gradients of two ways to share loads that are open, above which a gradient is indeterminate.
pub const SHARING_LIMIT: f64 = 2e-3;

/// Over the length of the step: the derivative of the state on the way above which a gradient may explode.
///
/// The step in which a gap-level stepper lands makes `dv = -dz/dt` of a change of height, which is 1 in this unit and
/// no fault: over random throws by `lcp` and `hybrid` at 1 ms derivatives reach 1.7.
const EXPLODING_PER_STEP: f64 = 10.0;

/// The same per second of the motion, which counts where steps are long.
const EXPLODING_PER_SECOND: f64 = 1e3;

/// The largest derivative of the state on the way, per natural change of an input, above which a gradient explodes.
pub fn exploding_above<const D: usize>(scenario: &Scenario<D>) -> f64 {
    (EXPLODING_PER_STEP / scenario.step).max(EXPLODING_PER_SECOND * scenario.duration.max(1.0))
}

/// Change of a result per natural change of an input that counts as none.
pub(super) const NOTHING: f64 = 1e-6;
