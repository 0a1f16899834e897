//! Where a toss starts.

use super::{
    RecordedState, Toss, Window, WindowStart,
    clearance::clearance,
    flight::{Flight, best_orientation, best_translation, turned_between},
    kink::{LEAST_FOR_NOISE, rows_of_one_flight},
};
use crate::{
    model::{State, Vector},
    scenario::{Corners, Scenario},
};

/// Clearance as a share of the size of the body, or of the highest place of a point, below which a row counts
/// as in contact. For a cube of 0.105 m that is 4 mm.
const NEAR: f64 = 0.04;
/// Places between two rows at which the body is looked at.
const WITHIN: u32 = 8;
/// Rows about a turn among which the one is that touched.
const AT_TURN: usize = 3;
/// Rows of a flight from which on it tells the start better than the first row alone.
const LEAST_ROWS: usize = 4;

/// Where a toss starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Start {
    /// As measured in the first row.
    Raw,
    /// Where the flight that fits the poses before the first contact best has the body in the first row, be that
    /// contact in a row or between two; as measured where there are fewer than four such rows. Of a window it is the
    /// flight in which it begins, or the smooth path through the rows about its first.
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
        if let (Self::Fit, Some(Window { start: WindowStart::Smoothed(start), .. })) = (self, &toss.window) {
            return Some(*start);
        }
        let flying = self.rows(toss, scenario, moving, flight);
        if flying.is_empty() {
            return Some(first);
        }
        let state = best_translation(flying, &scenario.gravity_vector(), flight);
        let inertia = scenario.bodies[moving].moment_of_inertia();
        let attitude =
            first.attitude.map(|attitude| best_orientation(flying, attitude, inertia).unwrap_or(attitude));
        Some(RecordedState { state, attitude, ..first })
    }

    /// The change of position and velocity in the first row with the gravity of `other`, which is that of
    /// `scenario` but for a small number, in the flight through the same rows.
    pub(super) fn change_of<const D: usize>(
        self,
        toss: &Toss<D>,
        [scenario, other]: [&Scenario<D>; 2],
        moving: usize,
        flight: &Flight,
    ) -> State<D> {
        let rows = self.rows(toss, scenario, moving, flight);
        if rows.is_empty() {
            return State { position: Vector::zeros(), velocity: Vector::zeros() };
        }
        let [here, there] =
            [scenario, other].map(|scenario| best_translation(rows, &scenario.gravity_vector(), flight));
        State { position: there.position - here.position, velocity: there.velocity - here.velocity }
    }

    /// The rows of the flight that the start is fitted to; none where it is as measured.
    fn rows<'a, const D: usize>(
        self,
        toss: &'a Toss<D>,
        scenario: &Scenario<D>,
        moving: usize,
        flight: &Flight,
    ) -> &'a [RecordedState<D>] {
        let flying = match (self, &toss.window) {
            (Self::Raw, _) => &[][..],
            (Self::Fit, Some(Window { start: WindowStart::Flight(rows), .. })) => &toss.states[..*rows],
            (Self::Fit, Some(_)) => &[][..],
            (Self::Fit, None) => flight_and_rest(toss, scenario, moving, flight).0,
        };
        if flying.len() < LEAST_ROWS { &[] } else { flying }
    }
}

/// How far the body is in m from all that it may touch where it turns off its flight all the same; `None` where it does
/// not.
pub(super) fn turns_off_at<const D: usize>(
    toss: &Toss<D>,
    scenario: &Scenario<D>,
    moving: usize,
    flight: &Flight,
) -> Option<f64> {
    let (flying, rest) = flight_and_rest(toss, scenario, moving, flight);
    // Of fewer rows, a turn may be noise.
    if flying.len() + rest.len() < LEAST_FOR_NOISE {
        return None;
    }
    let corners = Corners::of(&scenario.bodies[moving]);
    rest.iter().take(AT_TURN).map(|row| clearance(scenario, moving, &corners, row)).reduce(f64::min)
}

/// The rows before the first that is near anything to touch, and before the first interval between two rows in which the
/// body comes near it: at some speed it is there and away again from one row to the next. Apart, those before and after
/// the path turns off what is a flight: things may be elsewhere than the scenario has them.
fn flight_and_rest<'a, const D: usize>(
    toss: &'a Toss<D>,
    scenario: &Scenario<D>,
    moving: usize,
    flight: &Flight,
) -> (&'a [RecordedState<D>], &'a [RecordedState<D>]) {
    let corners = Corners::of(&scenario.bodies[moving]);
    let highest = toss.states.iter().map(|row| row.state.position[D - 1]).fold(0.0, f64::max);
    let near = NEAR * scenario.bodies[moving].shape.size().unwrap_or(highest);
    let is_near = |row: &RecordedState<D>| clearance(scenario, moving, &corners, row) < near;
    let gravity = scenario.gravity_vector();
    let ends_at = |row: usize| {
        let (before, rest) = toss.states.split_at(row);
        rest.first().is_some_and(is_near) || between(before, rest, &gravity, flight).any(|row| is_near(&row))
    };
    let count = (0..toss.states.len()).find(|&row| ends_at(row)).unwrap_or(toss.states.len());
    let away = &toss.states[..count];
    away.split_at(rows_of_one_flight(away, &gravity, flight, near))
}

/// The body at some times between the last row before and the first row after: where the flight through the last
/// rows before leads it, turned between what was measured in the two.
///
/// The path through the row after would be that of an impact where there was one. Before there are rows enough for a
/// flight of their own, it is that of the measured velocity.
fn between<const D: usize>(
    before: &[RecordedState<D>],
    after: &[RecordedState<D>],
    gravity: &Vector<D>,
    flight: &Flight,
) -> impl Iterator<Item = RecordedState<D>> {
    let ends = before.last().copied().zip(after.first().copied());
    let last = before.len().checked_sub(LEAST_ROWS).map(|first| &before[first..]);
    let fitted = last.map(|rows| (rows[0].time, best_translation(rows, gravity, flight)));
    ends.into_iter().flat_map(move |(previous, next)| {
        let (since, from) = fitted.unwrap_or((previous.time, previous.state));
        (1..=WITHIN).map(move |part| {
            let share = f64::from(part) / f64::from(WITHIN);
            let time = previous.time + share * (next.time - previous.time);
            let attitude = previous.attitude.zip(next.attitude);
            RecordedState {
                time,
                state: flight.after(&from, gravity, time - since),
                attitude: attitude.map(|(previous, next)| turned_between(&previous, &next, share)),
                ..previous
            }
        })
    })
}
