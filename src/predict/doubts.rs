//! What speaks against a recording and a scenario being of the same throws.

use super::{
    Predictor, Toss,
    clearance::above_planes,
    consistency::{contradictory_spins, contradictory_velocities},
    predictor::error_of_place,
    start::turns_off_at,
};
use crate::{
    decimal::rounded,
    scenario::{Corners, Shape},
};

impl<const D: usize> Predictor<D> {
    /// The numbers of the tosses whose start, as it is measured or fitted for most steppers, is a little in the
    /// ground or a wall, so that it is taken on it, and the largest depth in m.
    pub fn sunk(&self) -> (Vec<f64>, f64) {
        let flight = self.usual_flight();
        let starts = self.recording().tosses.iter().filter_map(|toss| {
            let start = self.start().of(toss, self.scenario(), self.moving(), &flight)?;
            let depth = self.sunk_by(toss, &start).filter(|depth| *depth > self.rounding_of_places())?;
            Some((toss.number, depth))
        });
        starts.fold((Vec::new(), 0.0), |(mut numbers, deepest), (number, depth)| {
            numbers.push(number);
            (numbers, deepest.max(depth))
        })
    }

    /// Depth in m that is no more than the rounding of places.
    fn rounding_of_places(&self) -> f64 {
        let size = self.scenario().bodies[self.moving()].shape.size();
        ROUNDING * size.unwrap_or_else(|| self.recording().way())
    }

    /// Sentences about what speaks against the scenario having the ground, the walls and the body as they were when the
    /// throws were recorded.
    pub fn doubts(&self) -> Vec<String> {
        let tosses = &self.recording().tosses;
        let of_all = |count: usize| format!("{count} of {}", self.recording().counted(tosses.len()));
        let mut doubts = Vec::new();
        let (sunk, deepest) = self.sunk();
        if !sunk.is_empty() {
            let place =
                if self.scenario().walls.is_empty() { "below the ground" } else { "in the ground or a wall" };
            doubts.push(format!(
                "{} start {place}, by {} m at most, and are taken on it; {GROUND}",
                of_all(sunk.len()),
                rounded(deepest, 3)
            ));
        }
        let depths: Vec<f64> = tosses.iter().filter_map(|toss| self.depth(toss)).collect();
        if !depths.is_empty() {
            doubts.push(format!(
                "{} have rows in which the body is deep in the ground or a wall, by {} m at most; {GROUND}",
                of_all(depths.len()),
                rounded(depths.iter().copied().fold(0.0, f64::max), 3)
            ));
        }
        let mut turns: Vec<f64> = tosses.iter().filter_map(|toss| self.turn(toss)).collect();
        turns.sort_by(f64::total_cmp);
        if let Some(typical) = turns.get(turns.len() / 2) {
            doubts.push(format!(
                "in {} the body turns off its flight where the scenario has nothing to touch, {} m away from all \
                 (the median); {GROUND}",
                of_all(turns.len()),
                rounded(*typical, 3)
            ));
        }
        let velocities = tosses.iter().filter_map(|toss| {
            let rows: Vec<_> = toss.states.iter().map(|row| (row.time, row.state)).collect();
            contradictory_velocities(&rows)
        });
        if let [ways, others @ ..] = velocities.collect::<Vec<_>>().as_slice() {
            doubts.push(format!(
                "in {} the velocities do not lead along the positions: in the first, {} m far in the place of {} m, \
                 {} m apart; {UNITS}",
                of_all(others.len() + 1),
                rounded(ways.added_up, 3),
                rounded(ways.measured, 3),
                rounded(ways.apart, 3)
            ));
        }
        let spins = tosses.iter().filter_map(contradictory_spins);
        if let [ways, others @ ..] = spins.collect::<Vec<_>>().as_slice() {
            doubts.push(format!(
                "in {} the spins do not turn the body as the orientations do: in the first, by {} rad in the place of {} rad, \
                 {} rad apart; {UNITS}",
                of_all(others.len() + 1),
                rounded(ways.added_up, 3),
                rounded(ways.measured, 3),
                rounded(ways.apart, 3)
            ));
        }
        doubts.extend(self.other_gravity());
        doubts
    }

    /// What speaks against the gravity of the scenario, where flights were looked for.
    fn other_gravity(&self) -> Option<String> {
        let falls = self.recording().windows.as_ref()?.gravity?;
        let gravity = self.scenario().gravity;
        let is_other = (falls - gravity).abs() > OTHER_GRAVITY * gravity;
        is_other.then(|| {
            format!(
                "the flights fall by {} m/s^2, and the scenario by {gravity}: are lengths and times right? If they are \
                 only scaled, `--set gravity={}` predicts the motion as it was measured",
                rounded(falls, 3),
                rounded(falls, 3)
            )
        })
    }

    /// How deep in m the body is measured in the ground or a wall, where that is more than an error of the measurement.
    fn depth(&self, toss: &Toss<D>) -> Option<f64> {
        let scenario = self.scenario();
        let body = &scenario.bodies[self.moving()];
        let corners = Corners::of(body);
        let heights = toss.states.iter().map(|row| above_planes(scenario, &corners, row));
        let depth = -heights.fold(f64::INFINITY, f64::min);
        let allowed = match &body.shape {
            Shape::Point => error_of_place(toss),
            shape => shape.size().map_or(0.0, |size| DEEP * size),
        };
        (depth > allowed.max(self.rounding_of_places())).then_some(depth)
    }

    /// How far the body is in m from all that it may touch where a toss turns off its flight all the same.
    fn turn(&self, toss: &Toss<D>) -> Option<f64> {
        let scenario = self.scenario();
        let is_free = scenario.pushes.is_empty() && toss.window.is_none();
        is_free.then(|| turns_off_at(toss, scenario, self.moving(), &self.usual_flight())).flatten()
    }
}

/// Share of gravity by which flights may fall otherwise without a word.
const OTHER_GRAVITY: f64 = 0.01;
/// What may be wrong.
const GROUND: &str = "is the ground at the height that was given?";
const UNITS: &str = "are times, units and axes those that are asked for?";
/// Depth that is rounding, as a share of the size of a body, or of the way of a point.
const ROUNDING: f64 = 1e-9;
/// Depth as a share of the size of a body from which on it is no error of the measurement, nor of the body's size.
const DEEP: f64 = 0.1;
