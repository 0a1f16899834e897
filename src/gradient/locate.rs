//! The nearest kink along an input, looked for with runs.
//!
//! To first order a branch quantity `m` changes sign at `-m/m'`. That is where it does while `m` is straight over the
//! distance, as over the fraction of a step in which a rigid contact is made. The force of a soft contact bends over
//! its own length and time: the speed at which a damper would pull may be predicted to be reached in two steps' time
//! and its greatest value lie below it. So there are runs on both sides of where the kink is predicted, and where the
//! branches say that it is elsewhere, the prediction of the run that is nearest to it counts.

use super::{Branches, Input, Nearest, Subject, nearest::Sight, window::is_edge};
use crate::scenario::Scenario;

/// How far before and behind a predicted kink one looks, as a part of the distance to it.
const ASIDE: f64 = 0.02;
/// Within how much of the distance, before and behind it, one must have looked.
const ENOUGH: f64 = 2.0 * ASIDE;
/// Most runs along one input of a point.
const MOST_RUNS: usize = 24;
/// Most runs along one input of bodies, whose steps take longer.
pub(super) const MOST_RUNS_OF_BODIES: usize = 4;

/// How far off a kink lies at most that a scenario is on, as a part of the natural size of the input.
const HERE: f64 = 1e-9;
/// The same of the edge of a window on a border of steps, as a part of a step: far more than rounds such a border.
const HERE_OF_EDGE: f64 = 1e-3;

/// From how far off one looks at both sides of such a kink of bodies: their steps do not tell from rest what moves slower
/// than a millionth of what happens in a step.
const ASIDE_OF_BODIES: f64 = 1e-5;

/// Around a scenario, in units of an input.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vicinity {
    /// Within how far off a kink is one that the scenario is on.
    pub here: f64,
    /// From how far off one looks at both sides of such a kink.
    pub aside: f64,
    /// Most runs that one looks for the nearest kink with.
    pub most: usize,
}

impl Vicinity {
    pub fn along<const D: usize>(scenario: &Scenario<D>, input: Input) -> Self {
        let (aside, most) = match Subject::of(scenario) {
            Subject::Point => (HERE, MOST_RUNS),
            Subject::Bodies => (ASIDE_OF_BODIES, MOST_RUNS_OF_BODIES),
        };
        if is_edge(input) {
            let here = HERE_OF_EDGE * scenario.step;
            return Self { here, aside: here, most };
        }
        let size = input.natural_size(scenario);
        Self { here: HERE * size, aside: aside * size, most }
    }
}

/// A run with the input changed.
pub(super) struct Look<T> {
    /// What is nearest from there.
    pub nearest: Nearest,
    /// Which branches its steps took.
    pub branches: Branches,
    /// What was wanted of it.
    pub result: T,
}

/// What was found along an input.
#[derive(Debug, Clone)]
pub(super) struct Located<T> {
    /// The nearest kink; without a kind where none was found within its distance, but may be behind.
    pub nearest: Nearest,
    /// Changes of the input just before and just behind it, and what was wanted there.
    pub sides: Option<[(f64, T); 2]>,
    /// Where the scenario itself is on a kink, which is not the one above: changes of the input just above and just
    /// below it, and what was wanted there; `None` to a side where there is no run.
    pub here: Option<[Option<(f64, T)>; 2]>,
}

impl<T> Located<T> {
    /// The same with a part of what was wanted.
    pub fn map<U>(&self, part: impl Fn(&T) -> U) -> Located<U> {
        let side = |(change, wanted): &(f64, T)| (*change, part(wanted));
        Located {
            nearest: self.nearest,
            sides: self.sides.as_ref().map(|sides| sides.each_ref().map(&side)),
            here: self.here.as_ref().map(|here| here.each_ref().map(|one| one.as_ref().map(&side))),
        }
    }
}

/// One direction along the input.
struct Side<T> {
    sign: f64,
    /// The farthest look from which on nothing had changed, and the nearest at which something had, without sign.
    same: Option<(f64, T)>,
    other: Option<(f64, T)>,
    predicted: Sight,
    /// Those of the runs from which on nothing has changed.
    branches: Branches,
}

/// Changes of an input just before and just behind a kink.
pub(super) fn beside(distance: f64) -> [f64; 2] {
    [(1.0 - ASIDE) * distance, (1.0 + ASIDE) * distance]
}

/// Looks for the nearest kink, from what a run predicts that takes these `branches`.
pub(super) fn locate<T: Clone>(
    nearest: &Nearest,
    branches: Branches,
    Vicinity { here: within, aside, most }: Vicinity,
    look: impl Fn(f64) -> Option<Look<T>>,
) -> Located<T> {
    let [up, down] = nearest.sides();
    let mut sides = [Side::new(1.0, up, branches), Side::new(-1.0, down, branches)];
    let here =
        (nearest.distance.abs() < within).then(|| sides.each_mut().map(|side| side.begin(aside, &look)));
    let mut looks = if here.is_some() { sides.len() } else { 0 };
    while looks < most {
        let closest = usize::from(sides[1].predicted.distance < sides[0].predicted.distance);
        let side = &mut sides[closest];
        let Some(change) = side.next() else { break };
        looks += 1;
        match look(side.sign * change) {
            Some(seen) => side.take(change, seen),
            // There is no such scenario, or no run of it.
            None => side.predicted = Sight::default(),
        }
    }
    let is_exhausted = looks == most;
    let nearest = Nearest::of_sides([sides[0].sight(is_exhausted), sides[1].sight(is_exhausted)]);
    let [up, down] = sides;
    let side = if nearest.distance < 0.0 { down } else { up };
    let sides = match (side.same, side.other) {
        (Some((near, before)), Some((far, behind))) if nearest.kind.is_some() => {
            Some([(side.sign * near, before), (side.sign * far, behind)])
        }
        _ => None,
    };
    Located { nearest, sides, here }
}

impl<T> Side<T> {
    fn new(sign: f64, predicted: Sight, branches: Branches) -> Self {
        Self { sign, same: None, other: None, predicted, branches }
    }

    /// Begins beside a kink rather than on it; gives what was wanted there.
    fn begin(&mut self, aside: f64, look: &impl Fn(f64) -> Option<Look<T>>) -> Option<(f64, T)>
    where
        T: Clone,
    {
        let change = self.sign * aside;
        let Some(seen) = look(change) else {
            self.predicted = Sight::default();
            return None;
        };
        let ahead = seen.nearest.sides()[usize::from(self.sign < 0.0)];
        self.predicted = Sight { distance: aside + ahead.distance, ..ahead };
        self.branches = seen.branches;
        self.same = Some((aside, seen.result.clone()));
        Some((change, seen.result))
    }

    fn same_until(&self) -> f64 {
        self.same.as_ref().map_or(0.0, |(change, _)| *change)
    }

    fn other_from(&self) -> f64 {
        self.other.as_ref().map_or(f64::INFINITY, |(change, _)| *change)
    }

    /// Where to look next; `None` where one has looked on both sides of what is predicted, or nothing is.
    fn next(&self) -> Option<f64> {
        let predicted = self.predicted.distance;
        let [near, far] = beside(predicted);
        if !predicted.is_finite() || predicted == 0.0 {
            None
        } else if self.same_until() < (1.0 - ENOUGH) * predicted {
            Some(near)
        } else if self.other_from() > (1.0 + ENOUGH) * predicted {
            Some(far)
        } else {
            None
        }
    }

    fn take(&mut self, change: f64, seen: Look<T>) {
        let width = self.other_from() - self.same_until();
        let [up, down] = seen.nearest.sides();
        let (ahead, back) = if self.sign > 0.0 { (up, down) } else { (down, up) };
        let predicted = if seen.branches == self.branches {
            self.same = Some((change, seen.result));
            Sight { distance: change + ahead.distance, ..ahead }
        } else {
            self.other = Some((change, seen.result));
            Sight { distance: change - back.distance, ..back }
        };
        let (low, high) = (self.same_until(), self.other_from());
        let is_between = low < predicted.distance && predicted.distance < high;
        let is_closing_in = width.is_infinite() || high - low <= 0.5 * width;
        self.predicted = if is_between && is_closing_in {
            predicted
        } else if high.is_finite() {
            // There is a kink between the two; which one is not told.
            Sight { distance: 0.5 * (low + high), ..self.predicted }
        } else {
            Sight::default()
        };
    }

    /// What is known at the end.
    fn sight(&self, is_exhausted: bool) -> Sight {
        if is_exhausted && self.next().is_some() && self.other.is_none() && self.same.is_some() {
            // Nothing up to here.
            Sight { distance: self.same_until(), kind: None, ..self.predicted }
        } else {
            self.predicted
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        gradient::GridStep,
        stepper::derivative::{LocalDual, MarginKind, Margins},
    };

    const VICINITY: Vicinity = Vicinity { here: 1e-9, aside: 1e-9, most: MOST_RUNS };

    /// A branch quantity and its slope at a change of the input.
    type Quantity = fn(f64) -> (f64, f64);

    fn look(quantities: &[Quantity], change: f64) -> Look<f64> {
        let (mut nearest, mut margins) = (Nearest::default(), Margins::<2>::default());
        for (index, quantity) in quantities.iter().enumerate() {
            let (value, slope) = quantity(change);
            let step = GridStep { index, elapsed: 0.0, share: 1.0, time: 0.0, h: 1e-3 };
            nearest.see(&step, MarginKind::Pull, -value / slope);
            margins.push(MarginKind::Pull, LocalDual::from_re(value));
        }
        let mut branches = Branches::default();
        branches.see(&margins);
        Look { nearest, branches, result: change }
    }

    fn found(quantities: &[Quantity]) -> Located<f64> {
        let here = look(quantities, 0.0);
        let looks = std::cell::Cell::new(0);
        let located = locate(&here.nearest, here.branches, VICINITY, |change| {
            looks.set(looks.get() + 1);
            (change.abs() < 100.0).then(|| look(quantities, change))
        });
        assert!(looks.get() <= MOST_RUNS);
        located
    }

    const STRAIGHT: Quantity = |x| (1.0 + 0.5 * x, 0.5);
    /// Least at 0.5, where it is 0.2 and changes no branch.
    const TURNS: Quantity = |x| (0.2 + (x - 0.5).powi(2), 2.0 * (x - 0.5));
    const BENT: Quantity = |x| (x.exp() - 0.5, x.exp());

    #[test]
    fn a_kink_is_found_where_it_is_and_not_where_it_is_told_to_first_order() {
        let straight = found(&[STRAIGHT]);
        assert!((straight.nearest.distance + 2.0).abs() < 1e-12);
        let [(near, before), (far, behind)] = straight.sides.unwrap();
        assert!((near, far) == (before, behind) && (near + 1.96).abs() < 1e-12 && (far + 2.04).abs() < 1e-12);
        // To first order at -0.5.
        assert!((found(&[BENT]).nearest.distance / -2.0_f64.ln() - 1.0).abs() < 1e-3);
        // To first order that which turns is nearest, at 0.45.
        let both = found(&[TURNS, STRAIGHT]);
        assert!((both.nearest.distance + 2.0).abs() < 1e-3, "{:?}", both.nearest);
        assert_eq!(both.nearest.step, 1);
    }

    #[test]
    fn where_there_is_none_there_is_none() {
        let none = found(&[|_| (1.0, 0.0)]);
        assert!(none.nearest.distance.is_infinite() && none.sides.is_none());
        let turns = found(&[TURNS]);
        assert!(turns.sides.is_none() && turns.nearest.kind.is_none(), "{:?}", turns.nearest);
        assert!(turns.nearest.distance > 0.5, "{:?}", turns.nearest);
    }

    #[test]
    fn a_kink_at_the_scenario_itself_has_two_sides_and_others_beyond_them() {
        let here: Quantity = |x| (x, 1.0);
        let located = found(&[here, STRAIGHT]);
        let [Some((above, _)), Some((below, _))] = located.here.expect("there is one") else {
            panic!("there are runs on both sides")
        };
        assert_eq!([above, below], [VICINITY.aside, -VICINITY.aside]);
        assert!((located.nearest.distance + 2.0).abs() < 1e-6, "{:?}", located.nearest);
        assert!(found(&[STRAIGHT]).here.is_none());
    }

    /// The first change is one that no slope at the start tells of.
    #[test]
    fn a_kink_before_the_predicted_one_is_found() {
        let early: Quantity = |x| if x < 0.3 { (1.0, 0.0) } else { (-1.0, 0.0) };
        let located = found(&[early, |x| (1.0 - 0.5 * x, -0.5)]);
        assert!((located.nearest.distance - 0.3).abs() < 0.04 * 0.3, "{:?}", located.nearest);
    }
}
