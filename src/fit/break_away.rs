//! Friction at rest from tests of break-away: an interval between what held and what slipped.
//!
//! A body that rests under a load says that the friction of rest is at least as large, and one that slips says that it is at most
//! that. Where friction in motion is another coefficient, nothing else depends on it: the errors of the throws are constant between
//! the largest load that held and the smallest that slipped, and jump there. No law of the noise makes an interval of confidence
//! of that, and how throws differ among themselves does not either, since one of them alone decides about each end.
//!
//! A throw is predicted wrong where its error is more than twice the least that it has along the range. What held is the largest
//! value below which a throw is wrong, and what slipped the smallest above which one is; both are found by bisection. They are
//! ends of an interval only where the error jumps at them and is constant between. Errors of throws that go on smoothly with the
//! parameter, as that of a slide does, do neither.

use crate::likelihood::{Doubt, Estimate, Interrupted, LEVEL, Landscape, Loss, Losses, Tried};

/// Values of the range that are looked at, beside the best.
const PLACES: u32 = 32;
/// Share of the range up to which an end is found.
const NARROW: f64 = 1e-6;
/// Share of the range to either side of a value at which errors are compared with its own: beside the best they have to be constant for
/// a look at all, and beside an end to have jumped.
const BESIDE: f64 = 1e-4;
/// Share of the error of a throw by which it may differ where it is constant.
const CONSTANT: f64 = 1e-2;
/// How many times its least error a throw has where it is predicted wrong.
const WRONG: f64 = 2.0;
/// How far from an end errors have to be those of the middle, as a share of the way there: what slips within a millionth of what
/// would hold it begins late.
const INSIDE: f64 = 0.02;
/// Share of the interval by which an end may move in steps of half the length.
const MOVED: f64 = 0.25;
/// Share of the range to which the end of a level of constant errors is found, and by which the next one is entered.
const STAIR: f64 = 1e-3;
/// Keys of what resists up to a load.
const RESISTING: [&str; 4] = ["friction", "friction_across", "torsional_friction", "rolling_friction"];

/// Whether the number under a key is one up to which something holds.
pub(super) fn resists(key: &str) -> bool {
    key.rsplit('.').next().is_some_and(|name| RESISTING.contains(&name))
}

/// A value at which the prediction of a throw changes from holding to slipping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// The value.
    pub value: f64,
    /// The place of the throw among the throws.
    pub throw: usize,
}

/// What tests of break-away say about a friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BreakAway {
    /// The largest value below which a throw that held would have slipped; none slipped at rest.
    Held(Load),
    /// The smallest value above which a throw that slipped would have held; none held.
    Slipped(Load),
    /// Both.
    Both {
        /// What held.
        held: Load,
        /// What slipped.
        slipped: Load,
    },
}

impl BreakAway {
    /// What held, if something did.
    pub fn held(&self) -> Option<Load> {
        match *self {
            Self::Held(held) | Self::Both { held, .. } => Some(held),
            Self::Slipped(_) => None,
        }
    }

    /// What slipped, if something did.
    pub fn slipped(&self) -> Option<Load> {
        match *self {
            Self::Slipped(slipped) | Self::Both { slipped, .. } => Some(slipped),
            Self::Held(_) => None,
        }
    }

    /// From what held to what slipped; the ends of the range where there is nothing.
    fn ends(&self, range: [f64; 2]) -> [f64; 2] {
        let value = |load: Option<Load>, end: f64| load.map_or(end, |load| load.value);
        [value(self.held(), range[0]), value(self.slipped(), range[1])]
    }

    /// Whether a throw held under a load that is larger than one under which another slipped.
    pub fn is_contradictory(&self) -> bool {
        matches!(self, Self::Both { held, slipped } if held.value >= slipped.value)
    }

    /// The middle of the interval, if it has two ends.
    pub(super) fn middle(&self) -> Option<f64> {
        match self {
            Self::Both { held, slipped } if held.value < slipped.value => {
                Some(0.5 * (held.value + slipped.value))
            }
            _ => None,
        }
    }

    /// Whether both ends are where those of another one are, but for a small part of what is between.
    pub(super) fn is_confirmed_by(&self, other: &Self, range: [f64; 2]) -> bool {
        let ([low, high], others) = (self.ends(range), other.ends(range));
        let near = MOVED * (high - low).abs();
        (low - others[0]).abs() <= near && (high - others[1]).abs() <= near
    }

    /// What it says about the parameter, whose best value is `value`.
    pub(super) fn estimate(&self, value: f64, range: [f64; 2]) -> Estimate {
        let [low, high] = self.ends(range);
        let doubt = match *self {
            Self::Held(held) => Some(Doubt::OpenAbove(held.value)),
            Self::Slipped(slipped) => Some(Doubt::OpenBelow(slipped.value)),
            Self::Both { held, slipped } => self
                .is_contradictory()
                .then_some(Doubt::Contradicted { at_least: held.value, at_most: slipped.value }),
        };
        Estimate { value, interval: [low.min(high), low.max(high)], level: LEVEL, doubt }
    }
}

/// What held and what slipped along the parameter at `index`, the others at their `best`; `None` where errors do not jump, or
/// are not constant between. Errors below `floor` are none.
pub(super) fn break_away<L: Loss>(
    losses: &mut Losses<L>,
    best: &Tried,
    index: usize,
    floor: f64,
) -> Result<Option<BreakAway>, Interrupted> {
    let mut line = Line { losses, best, index, floor };
    if !line.is_constant_beside_the_best()? {
        return Ok(None);
    }
    let mut places = Vec::new();
    for place in 0..=PLACES {
        let value = line.losses.value_at(index, f64::from(place) / f64::from(PLACES));
        places.push((value, line.at(value)?));
    }
    places.push((best.parameters[index], best.clone()));
    places.sort_by(|one, other| one.0.total_cmp(&other.0));
    let least: Vec<f64> = (0..best.losses.len())
        .map(|throw| places.iter().map(|(_, tried)| tried.losses[throw]).fold(f64::INFINITY, f64::min))
        .collect();
    let wrong = Wrong { least: &least, floor };
    let right = |throw: usize| move |(_, tried): &(f64, Tried)| !wrong.is(tried, throw);
    // Of each throw the first and the last place where it is right: there is one, that of its least error.
    let firsts: Vec<usize> =
        (0..least.len()).map(|throw| places.iter().position(right(throw)).unwrap_or(0)).collect();
    let lasts: Vec<usize> = (0..least.len())
        .map(|throw| places.iter().rposition(right(throw)).unwrap_or(places.len() - 1))
        .collect();
    let first = firsts.iter().copied().max().unwrap_or(0);
    let last = lasts.iter().copied().min().unwrap_or(places.len() - 1);
    let held: Vec<usize> = (0..least.len()).filter(|&throw| firsts[throw] == first).collect();
    let slipped: Vec<usize> = (0..least.len()).filter(|&throw| lasts[throw] == last).collect();
    let (mut loads, is_last) = ([None; 2], last + 1 == places.len());
    if first > 0 {
        loads[0] = line.jump([places[first - 1].0, places[first].0], &held, &wrong)?;
    }
    if !is_last {
        loads[1] = line.jump([places[last + 1].0, places[last].0], &slipped, &wrong)?;
    }
    let found = match loads {
        [Some(held), Some(slipped)] => BreakAway::Both { held, slipped },
        [Some(held), None] if is_last => BreakAway::Held(held),
        [None, Some(slipped)] if first == 0 => BreakAway::Slipped(slipped),
        _ => return Ok(None),
    };
    let range = [places[0].0, places[places.len() - 1].0];
    if !found.is_contradictory() && !line.is_constant_between(found.ends(range))? {
        return Ok(None);
    }
    Ok(Some(found))
}

/// Looks at the levels of constant errors on both sides of the one that holds the best value of the parameter at `index`, with the
/// best values of the others there: what is better the losses remember. Under a load that is raised in steps errors are like stairs,
/// and a search finds no way down from one to the next where another parameter has to follow.
pub(super) fn look_beside<L: Loss>(
    losses: &mut Losses<L>,
    best: &Tried,
    index: usize,
    floor: f64,
) -> Result<(), Interrupted> {
    let mut line = Line { losses, best, index, floor };
    if !line.is_constant_beside_the_best()? {
        return Ok(());
    }
    let share = line.losses.share(index, best.parameters[index]);
    for direction in [-1.0, 1.0] {
        let room = if direction < 0.0 { share } else { 1.0 - share };
        let mut level = |far: f64| {
            let value = line.losses.value_at(index, share + direction * far);
            let tried = line.at(value)?;
            Ok::<_, Interrupted>(line.is_alike(&tried, best))
        };
        let (mut inside, mut outside) = (0.0, BESIDE);
        while outside < room && level(outside)? {
            (inside, outside) = (outside, 2.0 * outside);
        }
        if outside >= room {
            if level(room)? {
                continue;
            }
            outside = room;
        }
        while outside - inside > STAIR {
            let middle = 0.5 * (inside + outside);
            *if level(middle)? { &mut inside } else { &mut outside } = middle;
        }
        let beyond = (outside + STAIR + INSIDE * outside).min(room);
        let mut parameters = best.parameters.clone();
        parameters[index] = line.losses.value_at(index, share + direction * beyond);
        line.losses.minimise(&parameters, Some(index), Some(best))?;
    }
    Ok(())
}

/// Where throws are predicted wrong.
#[derive(Clone, Copy)]
struct Wrong<'a> {
    least: &'a [f64],
    floor: f64,
}

impl Wrong<'_> {
    fn is(&self, tried: &Tried, throw: usize) -> bool {
        let error = tried.losses[throw];
        error.is_nan() || error > WRONG * self.least[throw] + self.floor
    }
}

/// The values of one parameter, with the others at their best.
struct Line<'a, L> {
    losses: &'a mut Losses<L>,
    best: &'a Tried,
    index: usize,
    floor: f64,
}

impl<L: Loss> Line<'_, L> {
    /// A single parameter has its profile there.
    fn at(&mut self, value: f64) -> Result<Tried, Interrupted> {
        let mut parameters = self.best.parameters.clone();
        parameters[self.index] = value;
        match parameters.len() {
            1 => self.losses.minimise(&parameters, Some(self.index), Some(self.best)),
            _ => self.losses.evaluate(&parameters),
        }
    }

    fn is_alike(&self, one: &Tried, other: &Tried) -> bool {
        one.losses
            .iter()
            .zip(other.losses.iter())
            .all(|(one, other)| (one - other).abs() <= CONSTANT * (one.min(*other) + self.floor))
    }

    /// On one side is enough: the best may lie at a jump.
    fn is_constant_beside_the_best(&mut self) -> Result<bool, Interrupted> {
        let share = self.losses.share(self.index, self.best.parameters[self.index]);
        for beside in [share - BESIDE, share + BESIDE] {
            if (0.0..=1.0).contains(&beside) {
                let value = self.losses.value_at(self.index, beside);
                let tried = self.at(value)?;
                if self.is_alike(&tried, self.best) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn is_constant_between(&mut self, [low, high]: [f64; 2]) -> Result<bool, Interrupted> {
        let middle = self.at(0.5 * (low + high))?;
        for end in [low, high] {
            let inside = self.at(end + INSIDE * (0.5 * (low + high) - end))?;
            if !self.is_alike(&inside, &middle) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where one of some `throws` goes wrong, from a value at which one is to a value at which none is; `None` where its error
    /// does not jump there by more than it has at least, or other values of the other parameters would have it right.
    fn jump(
        &mut self,
        [mut outside, mut inside]: [f64; 2],
        throws: &[usize],
        wrong: &Wrong<'_>,
    ) -> Result<Option<Load>, Interrupted> {
        let range = [0.0, 1.0].map(|share| self.losses.value_at(self.index, share));
        let narrow = NARROW * (range[1] - range[0]);
        while (outside - inside).abs() > narrow {
            let middle = 0.5 * (outside + inside);
            let tried = self.at(middle)?;
            match throws.iter().any(|&throw| wrong.is(&tried, throw)) {
                true => outside = middle,
                false => inside = middle,
            }
        }
        let tried = self.at(outside)?;
        let Some(throw) = throws.iter().copied().find(|&throw| wrong.is(&tried, throw)) else {
            return Ok(None);
        };
        // Next to a load that would hold it a throw slips late, so that it is compared a little off.
        let beside = BESIDE * (range[1] - range[0]) * (outside - inside).signum();
        let beyond = self.at((outside + beside).clamp(range[0], range[1]))?;
        let within = self.at((inside - beside).clamp(range[0], range[1]))?;
        let rise = beyond.losses[throw] - within.losses[throw];
        if !(rise.is_finite() && rise > wrong.least[throw] + self.floor) {
            return Ok(None);
        }
        if beyond.parameters.len() > 1 {
            let others = self.losses.minimise(&beyond.parameters, Some(self.index), Some(self.best))?;
            if !throws.iter().any(|&throw| wrong.is(&others, throw)) {
                return Ok(None);
            }
        }
        Ok(Some(Load { value: inside, throw }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likelihood::{Bound, Scale};

    const FLOOR: f64 = 1e-6;

    /// Throws under loads, each of which held or slipped, over the friction that they are predicted with: one that is predicted
    /// otherwise than it was has a large error.
    fn found(tests: &'static [(f64, bool)], best: f64) -> Option<BreakAway> {
        let of = move |parameters: &[f64]| {
            let error =
                |&(load, held): &(f64, bool)| if (load <= parameters[0]) == held { 1e-3 } else { 0.1 };
            Ok::<_, Interrupted>(tests.iter().map(error).collect())
        };
        let mut losses = Losses::new(of, vec![Bound::between(0.2, 1.0)], vec![Scale::Linear]);
        let best = losses.evaluate(&[best]).expect("not interrupted");
        break_away(&mut losses, &best, 0, FLOOR).expect("not interrupted")
    }

    #[track_caller]
    fn assert_load(load: Option<Load>, value: f64, throw: usize) {
        let load = load.expect("there is one");
        assert!((load.value - value).abs() < 1e-5 && load.throw == throw, "{load:?} for {value} of {throw}");
    }

    #[test]
    fn the_interval_is_between_the_largest_load_that_held_and_the_smallest_that_slipped() {
        const TESTS: &[(f64, bool)] =
            &[(0.3, true), (0.45, false), (0.41, false), (0.38, true), (0.5, false)];
        for best in [0.385, 0.4, 0.409] {
            let found = found(TESTS, best).expect("tests of break-away");
            assert_load(found.held(), 0.38, 3);
            assert_load(found.slipped(), 0.41, 2);
            let estimate = found.estimate(best, [0.2, 1.0]);
            assert!(estimate.doubt.is_none() && (found.middle().expect("both") - 0.395).abs() < 1e-5);
        }
    }

    /// Narrower than the places that are looked at are apart, and wherever the search ended.
    #[test]
    fn loads_that_are_close_are_told_apart() {
        for best in [0.3, 0.7] {
            let found = found(&[(0.400, true), (0.401, false)], best).expect("tests of break-away");
            assert_load(found.held(), 0.400, 0);
            assert_load(found.slipped(), 0.401, 1);
        }
    }

    /// What slips under a load that nearly holds it begins late, and its error is another one there.
    #[test]
    fn errors_may_differ_next_to_a_load() {
        let of = |parameters: &[f64]| {
            let late = |beside: f64| 1e-3 + 1e-2 * (-beside / 1e-5).exp();
            let slipped = 0.41 - parameters[0];
            Ok::<_, Interrupted>(vec![
                if parameters[0] >= 0.38 { 1e-3 } else { 0.1 },
                if slipped > 0.0 { late(slipped) } else { 0.1 },
            ])
        };
        let mut losses = Losses::new(of, vec![Bound::between(0.2, 1.0)], vec![Scale::Linear]);
        let best = losses.evaluate(&[0.4]).expect("not interrupted");
        let found =
            break_away(&mut losses, &best, 0, FLOOR).expect("not interrupted").expect("tests of break-away");
        assert!((found.held().expect("one").value - 0.38).abs() < 1e-5, "{found:?}");
        assert!((found.slipped().expect("one").value - 0.41).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn where_nothing_slipped_or_nothing_held_one_end_is_open() {
        let held = found(&[(0.3, true), (0.35, true)], 0.6).expect("tests of break-away");
        assert_load(held.held(), 0.35, 1);
        assert_eq!((held.slipped(), held.middle()), (None, None));
        assert!(matches!(held.estimate(0.6, [0.2, 1.0]).doubt, Some(Doubt::OpenAbove(_))));
        let slipped = found(&[(0.5, false), (0.45, false)], 0.3).expect("tests of break-away");
        assert_load(slipped.slipped(), 0.45, 1);
        assert!(matches!(slipped.estimate(0.3, [0.2, 1.0]).doubt, Some(Doubt::OpenBelow(_))));
    }

    #[test]
    fn a_load_that_held_above_one_that_slipped_determines_nothing() {
        let found = found(&[(0.42, true), (0.38, false), (0.3, true)], 0.5).expect("tests of break-away");
        assert!(found.is_contradictory());
        let estimate = found.estimate(0.5, [0.2, 1.0]);
        assert!((estimate.interval[0] - 0.38).abs() < 1e-5 && (estimate.interval[1] - 0.42).abs() < 1e-5);
        assert!(matches!(estimate.doubt, Some(Doubt::Contradicted { .. })), "{estimate:?}");
    }

    #[test]
    fn errors_that_do_not_jump_are_left_to_intervals_of_confidence() {
        for slope in [0.0, 1e-3, 1.0] {
            let of = move |parameters: &[f64]| {
                Ok::<_, Interrupted>(
                    [0.3, 0.4].map(|best| 1e-3 + slope * (parameters[0] - best).powi(2)).to_vec(),
                )
            };
            let mut losses = Losses::new(of, vec![Bound::between(0.2, 1.0)], vec![Scale::Linear]);
            let best = losses.evaluate(&[0.35]).expect("not interrupted");
            assert_eq!(break_away(&mut losses, &best, 0, FLOOR).expect("not interrupted"), None, "{slope}");
        }
    }

    #[test]
    fn what_resists_is_known_by_its_key() {
        assert!(["ground.friction", "wall[0].friction", "pair[1].rolling_friction"].into_iter().all(resists));
        assert!(!["ground.kinetic_friction", "ground.restitution", "ground-height"].into_iter().any(resists));
    }
}
