//! Where a throw touched the ground, and the pieces that it is cut into there.

use std::ops::Range;

use crate::predict::{RecordedState, Toss};

/// Steps in flight that are taken in before and after a contact, as far as there are any: from a single
/// noisy state it is not clear when the next impact is.
const AROUND: usize = 3;
/// Steps between two contacts that are too few to be a flight of their own.
const SHORT: usize = 2 * AROUND + 1;

/// Steps from one contact to the next that are too few to see the flight between them.
const CLOSE: usize = 4;

/// Where the contacts of a throw are taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contacts {
    /// From the flags of the data.
    Known,
    /// From the heights: the free motion would reach the ground within the step.
    Height,
    /// From the velocities: `vz` changes otherwise than by gravity.
    Velocity,
}

impl Contacts {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Known, Self::Height, Self::Velocity];

    /// The name in options.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::Height => "height",
            Self::Velocity => "velocity",
        }
    }

    /// Whether the point touches the ground between two states, under gravity `g`.
    pub fn touches(self, before: &RecordedState<2>, after: &RecordedState<2>, gravity: f64) -> bool {
        let interval = after.time - before.time;
        let fall = gravity * interval;
        match self {
            Self::Known => before.contact == Some(true),
            Self::Height => {
                before.state.position.y + interval * (before.state.velocity.y - 0.5 * fall) <= 0.0
            }
            // Half a step's fall separates contact from flight where there is no noise.
            Self::Velocity => after.state.velocity.y - before.state.velocity.y + fall > 0.5 * fall,
        }
    }

    /// For every step of a throw, whether it touches the ground.
    pub fn flags(self, throw: &Toss<2>, gravity: f64) -> Vec<bool> {
        throw.states.windows(2).map(|pair| self.touches(&pair[0], &pair[1], gravity)).collect()
    }
}

/// A stretch of a throw, from its first to its last state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// The states.
    pub states: Range<usize>,
    /// Whether some step in it touches the ground.
    pub touches: bool,
}

/// Cuts a throw at its contacts: a stretch for every contact, from three steps before it to three steps
/// after it, and one for every flight in between. Contacts that are no more than seven steps apart are one.
pub fn cut(flags: &[bool]) -> Vec<Stretch> {
    let mut contacts: Vec<Range<usize>> = Vec::new();
    for (step, _) in flags.iter().enumerate().filter(|(_, touches)| **touches) {
        let end = (step + 1 + AROUND).min(flags.len());
        match contacts.last_mut().filter(|last| step + AROUND <= last.end + SHORT) {
            Some(last) => last.end = end,
            None => contacts.push(step.saturating_sub(AROUND)..end),
        }
    }
    let mut stretches = Vec::new();
    let mut from = 0;
    let mut push = |steps: Range<usize>, touches: bool| {
        if !steps.is_empty() {
            stretches.push(Stretch { states: steps.start..steps.end + 1, touches });
        }
    };
    for contact in contacts {
        push(from..contact.start, false);
        from = contact.end;
        push(contact, true);
    }
    push(from..flags.len(), false);
    stretches
}

/// The number of states from the first of `steps` on until bounces follow each other so closely that single
/// ones are no longer told apart: those up to the second of two contacts within four steps.
pub fn clear(flags: &[bool], steps: Range<usize>) -> usize {
    let touches = |step: usize| flags.get(step).is_some_and(|touches| *touches);
    for first in steps.clone().filter(|step| touches(*step)) {
        if let Some(second) = (first + 1..=first + CLOSE).find(|step| touches(*step)) {
            return second + 1 - steps.start;
        }
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_throw_is_cut_where_it_touches_the_ground() {
        let mut flags = [false; 40];
        [5, 17, 25, 26, 39].into_iter().for_each(|step| flags[step] = true);
        let stretch = |states: Range<usize>, touches| Stretch { states, touches };
        let expected = [
            stretch(0..3, false),
            stretch(2..10, true),
            stretch(9..15, false),
            stretch(14..31, true),
            stretch(30..37, false),
            stretch(36..41, true),
        ];
        assert_eq!(cut(&flags), expected);
        assert_eq!(cut(&[false; 3]), [stretch(0..4, false)]);
        assert_eq!(cut(&[true; 2]), [stretch(0..3, true)]);
        assert_eq!(cut(&[]), []);
    }

    #[test]
    fn bounces_are_clear_until_two_follow_each_other_within_four_steps() {
        let flags = [0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1].map(|flag| flag == 1);
        assert_eq!(clear(&flags, 0..13), 11);
        assert_eq!(clear(&flags, 5..13), 6);
        assert_eq!(clear(&flags, 0..6), usize::MAX);
    }
}
