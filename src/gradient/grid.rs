use crate::scenario::TimeGrid;

/// The steps of a run: those of the scenario, or the same shifted by a part of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    time: TimeGrid,
    phase: Option<f64>,
}

/// One step of a [`Grid`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridStep {
    /// Its number.
    pub index: usize,
    /// Full steps before it.
    pub elapsed: f64,
    /// Its length in full steps.
    pub share: f64,
    /// Time at its start in s.
    pub time: f64,
    /// Its length in s.
    pub h: f64,
}

impl Grid {
    /// The steps of the scenario.
    pub fn new(time: TimeGrid) -> Self {
        Self { time, phase: None }
    }

    /// The step phase `phase`, between 0 and 1: a first step of that part of a step, full steps, and
    /// the rest at the end.
    pub fn shifted(time: TimeGrid, phase: f64) -> Self {
        Self { time, phase: Some(phase) }
    }

    /// The number of steps.
    pub fn len(self) -> usize {
        self.time.steps + usize::from(self.phase.is_some())
    }

    /// Never: there is at least one step.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// A step by its number.
    pub fn step(self, index: usize) -> GridStep {
        let Self { time: TimeGrid { steps, dt }, phase } = self;
        let (elapsed, share) = match phase {
            None => (index as f64, 1.0),
            Some(phase) if index == 0 => (0.0, phase),
            Some(phase) if index == steps => (index as f64 - 1.0 + phase, 1.0 - phase),
            Some(phase) => (index as f64 - 1.0 + phase, 1.0),
        };
        GridStep { index, elapsed, share, time: elapsed * dt, h: share * dt }
    }

    /// The steps in order.
    pub fn steps(self) -> impl Iterator<Item = GridStep> {
        (0..self.len()).map(move |index| self.step(index))
    }
}
