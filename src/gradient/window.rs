//! Edges of the windows of pushes.
//!
//! A push is sampled at the start of each step, so that no result changes with an edge of its window but where the edge
//! passes a sample, and then it jumps. What is differentiated is the run whose pushes change by the mean over each step
//! of what the moved edge adds or takes: it is the sampled run where the edge has not moved, it has a slope everywhere
//! but where the edge is on a border of steps, and there one to either side.

use std::cmp::Ordering;

use super::{Branches, Grid, GridStep, Input, Nearest};
use crate::{
    model::Vector,
    scenario::Scenario,
    stepper::{Forcing, derivative::MarginKind},
};

/// Distance of an edge from a border of steps that is rounding, as a part of the step.
const ROUNDING: f64 = 2e-6;

/// An edge of a window that has moved from where the scenario has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovedEdge {
    /// Which.
    pub input: Input,
    /// By how much, in s.
    pub change: f64,
}

/// Whether an input is the edge of a window.
pub(super) fn is_edge(input: Input) -> bool {
    matches!(input, Input::PushFrom(_) | Input::PushTo(_))
}

impl MovedEdge {
    /// What it adds to the mean push over a step, in N.
    pub(super) fn push<const D: usize>(&self, pushes: &[Forcing<D>], step: &GridStep) -> Vector<D> {
        let (push, edge, sign) = match self.input {
            Input::PushFrom(push) => (pushes.get(push), pushes.get(push).and_then(|push| push.from), -1.0),
            Input::PushTo(push) => (pushes.get(push), pushes.get(push).and_then(|push| push.to), 1.0),
            _ => (None, None, 0.0),
        };
        let (Some(push), Some(edge)) = (push, edge) else { return Vector::zeros() };
        let (begin, end) = (step.time, step.time + step.h);
        let within = |time: f64| time.clamp(begin, end);
        push.impulse(within(edge), within(edge + self.change)) * (sign / step.h)
    }
}

/// Which step the edge `input` of a `scenario` lies in once it has moved: a number that changes from step to step; with
/// the borders of that step seen as the kinks along the edge. `None` where the input is no edge.
pub(super) fn see_edge<const D: usize>(
    scenario: &Scenario<D>,
    input: Input,
    moved: Option<MovedEdge>,
    grid: Grid,
    nearest: &mut Nearest,
) -> Option<usize> {
    let edge = input.value(scenario).filter(|_| is_edge(input))?;
    let edge = edge + moved.filter(|moved| moved.input == input).map_or(0.0, |moved| moved.change);
    let mut see = |step: &GridStep, border: f64| {
        let distance = border - edge;
        let is_rounding = distance.abs() <= ROUNDING * step.h;
        nearest.see(step, MarginKind::Window, if is_rounding { 0.0 } else { distance });
    };
    for step in grid.steps() {
        match Forcing::<D>::place_in_step(edge, step.time, step.h) {
            Ordering::Greater => {}
            // Before the first step: every other one would have been reached.
            Ordering::Less => {
                see(&step, step.time);
                return Some(0);
            }
            Ordering::Equal => {
                see(&step, step.time);
                see(&step, step.time + step.h);
                return Some(step.index + 1);
            }
        }
    }
    let last = grid.step(grid.len().saturating_sub(1));
    see(&last, last.time + last.h);
    Some(grid.len() + 1)
}

/// The branches of a run along an input: those of its steps, and the step in which the edge of a window lies that the
/// input is.
pub(super) fn branches_along<const D: usize>(
    scenario: &Scenario<D>,
    input: Input,
    moved: Option<MovedEdge>,
    mut branches: Branches,
) -> Branches {
    if let Some(place) = see_edge(scenario, input, moved, Grid::new(scenario.time()), &mut Nearest::default())
    {
        branches.add(&place);
    }
    branches
}
