use super::{StepRates, explicit::LocalDual};
use crate::model::{MarginKind, State};

/// A quantity whose sign decides a branch of a step, with its derivative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin<const D: usize> {
    /// The branch.
    pub kind: MarginKind,
    /// How far the quantity is from changing sign, in a unit of its own: m, m/s or whatever the stepper decides by.
    pub value: f64,
    /// Its derivative with respect to the position and the velocity before the step.
    pub state: State<D>,
    /// Its derivative with respect to the parameters. What means something beyond one stepper is `value` over a
    /// derivative: the change of an input, to first order, at which another branch begins.
    pub rates: StepRates<D>,
}

impl<const D: usize> Margin<D> {
    /// The margin that `value` carries with its derivatives.
    pub fn new(kind: MarginKind, value: LocalDual) -> Self {
        let (position, velocity, rates) = super::explicit::row(&value);
        Self { kind, value: value.re, state: State { position, velocity }, rates }
    }

    /// By how much the input has to change, along a direction in which state and parameters change
    /// at these rates, until the branch changes, to first order; infinite if it does not.
    pub fn distance(&self, change: &State<D>, rates: &StepRates<D>) -> f64 {
        let slope = self.slope(change, rates);
        if slope == 0.0 { f64::INFINITY } else { -self.value / slope }
    }

    /// How fast the quantity changes along such a direction.
    pub fn slope(&self, change: &State<D>, rates: &StepRates<D>) -> f64 {
        self.state.position.dot(&change.position)
            + self.state.velocity.dot(&change.velocity)
            + self.rates.dot(rates)
    }
}

/// The margins of one step, at most five.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margins<const D: usize> {
    margins: [Option<Margin<D>>; 5],
}

impl<const D: usize> Default for Margins<D> {
    fn default() -> Self {
        Self { margins: [None; 5] }
    }
}

impl<const D: usize> Margins<D> {
    /// Adds a margin; a sixth one is dropped.
    pub fn push(&mut self, kind: MarginKind, value: LocalDual) {
        self.add(Margin::new(kind, value));
    }

    /// Adds a margin of another law; a sixth one is dropped.
    pub fn add(&mut self, margin: Margin<D>) {
        if let Some(free) = self.margins.iter_mut().find(|margin| margin.is_none()) {
            *free = Some(margin);
        }
    }

    /// Adds the margin of a branch that does nothing here, whichever way it goes.
    pub fn push_idle(&mut self, kind: MarginKind) {
        self.push(kind, LocalDual::from_re(1.0));
    }

    /// Adds the margins of a law that does not look at the coordinate `axis`.
    pub fn extend_without(&mut self, others: &Self, axis: usize) {
        for mut margin in others.iter().copied() {
            margin.state.position[axis] = 0.0;
            self.add(margin);
        }
    }

    /// The margins.
    pub fn iter(&self) -> impl Iterator<Item = &Margin<D>> {
        self.margins.iter().flatten()
    }
}
