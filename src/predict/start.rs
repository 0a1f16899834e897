//! Where a toss starts.

use super::{
    RecordedState, Toss,
    clearance::clearance,
    flight::{Flight, best_orientation, best_translation},
};
use crate::scenario::{Corners, Scenario};

/// Clearance as a share of the size of the body, or of the highest place of a point, below which a row counts
/// as in contact. For a cube of 0.105 m that is 4 mm.
const NEAR: f64 = 0.04;
/// Rows of a flight from which on it tells the start better than the first row alone.
const LEAST_ROWS: usize = 4;

/// Where a toss starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Start {
    /// As measured in the first row.
    Raw,
    /// Where the flight that fits the poses before the first contact best has the body in the first row; as
    /// measured where there are fewer than four such rows.
    #[default]
    Fit,
}

impl Start {
    /// The name in options.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Fit => "fit",
        }
    }

    /// The state in the first row of a toss of the body number `moving`; `None` without rows.
    pub fn of<const D: usize>(
        self,
        toss: &Toss<D>,
        scenario: &Scenario<D>,
        moving: usize,
        flight: &Flight,
    ) -> Option<RecordedState<D>> {
        let first = *toss.states.first()?;
        let flying = match self {
            Self::Raw => &[][..],
            Self::Fit => flying_rows(toss, scenario, moving),
        };
        if flying.len() < LEAST_ROWS {
            return Some(first);
        }
        let state = best_translation(flying, &scenario.gravity_vector(), flight);
        let inertia = scenario.bodies[moving].moment_of_inertia();
        let attitude =
            first.attitude.map(|attitude| best_orientation(flying, attitude, inertia).unwrap_or(attitude));
        Some(RecordedState { state, attitude, ..first })
    }
}

/// The rows before the first that is near anything to touch.
pub(super) fn flying_rows<'a, const D: usize>(
    toss: &'a Toss<D>,
    scenario: &Scenario<D>,
    moving: usize,
) -> &'a [RecordedState<D>] {
    let corners = Corners::of(&scenario.bodies[moving]);
    let highest = toss.states.iter().map(|row| row.state.position[D - 1]).fold(0.0, f64::max);
    let near = NEAR * scenario.bodies[moving].shape.size().unwrap_or(highest);
    let is_near = |row: &RecordedState<D>| clearance(scenario, moving, &corners, row) < near;
    let count = toss.states.iter().position(is_near).unwrap_or(toss.states.len());
    &toss.states[..count]
}
