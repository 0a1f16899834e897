use super::{
    GradientError, Input, Method, Quality,
    kinks::{Kink, OneSided},
};
use crate::stepper::StepperName;

/// One figure: the derivative of one result with respect to one input.
#[derive(Debug, Clone, PartialEq)]
pub struct GradientRow {
    /// By which stepper.
    pub stepper: StepperName,
    /// How.
    pub method: Method,
    /// Of what.
    pub of: String,
    /// With respect to what.
    pub wrt: Input,
    /// The value of the result.
    pub value: f64,
    /// Its derivative.
    pub gradient: f64,
    /// The derivative of the exact motion, where it has one.
    pub exact: Option<f64>,
    /// A central difference on the same branch, if asked for.
    pub finite_difference: Option<f64>,
    /// A central difference over a kink spacing, if asked for: the trend across the branches.
    pub trend: Option<f64>,
    /// The change of the input within which no branch of a step changes, as runs on both sides of it say; 0 where the
    /// scenario is on a kink of this result.
    pub valid_within: Option<f64>,
    /// The gradients to both sides, where the scenario is on a kink of this result.
    pub one_sided: Option<OneSided>,
    /// The gradient with loads shared otherwise that the contacts leave open, where the result depends on it.
    pub otherwise_shared: Option<f64>,
    /// Relative deviation from the gradient of the exact motion, or where that is not known from the corrected one.
    pub bias: Option<f64>,
    /// The verdict.
    pub quality: Quality,
}

/// What a stepper or a method that was left out said.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    /// Which stepper.
    pub stepper: StepperName,
    /// Which method.
    pub method: Method,
    /// Why.
    pub reason: GradientError,
}

/// An input that the exact motion has no derivative with respect to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithoutExact {
    /// Which.
    pub wrt: Input,
    /// Why.
    pub reason: String,
}

/// Gradients by several steppers, and what each is worth.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GradientStudy {
    /// The figures.
    pub rows: Vec<GradientRow>,
    /// The kink next to the scenario, per stepper and input.
    pub kinks: Vec<Kink>,
    /// What was left out, and why.
    pub left_out: Vec<LeftOut>,
    /// What the exact motion has no derivative with respect to.
    pub without_exact: Vec<WithoutExact>,
}

impl GradientStudy {
    /// What the rows differ in, each once, in their order.
    pub fn distinct<'a, T: PartialEq>(&'a self, of: impl Fn(&'a GradientRow) -> T) -> Vec<T> {
        let mut found = Vec::new();
        for item in self.rows.iter().map(of) {
            if !found.contains(&item) {
                found.push(item);
            }
        }
        found
    }
}
