use super::Observer;
use crate::{
    decimal::rounded,
    model::{Attitude, State},
    scenario::{Partner, Scenario},
    stepper::Honours,
    trajectory::{Passage, Track},
};

/// Share of a body's size from which it is worth a word that others are in it.
const DEEP: f64 = 0.05;

/// In words, which body got deepest into what it touches, if that is a good part of its size (the largest distance of its
/// points from its centre of mass); `depths` are those of the bodies in m. Contacts that are not compliant are not too soft.
pub(super) fn deep_contact<const D: usize>(
    scenario: &Scenario<D>,
    depths: impl Iterator<Item = f64>,
    is_compliant: bool,
) -> Option<String> {
    let shares = scenario.bodies.iter().zip(depths).enumerate().map(|(index, (body, depth))| {
        let reach = body.reach();
        (index, depth, if reach > 0.0 { depth / reach } else { 0.0 })
    });
    let (index, depth, share) =
        shares.max_by(|a, b| a.2.total_cmp(&b.2)).filter(|(.., share)| *share > DEEP)?;
    Some(format!(
        "`{}` and what it touches overlap by up to {} m, {:.0} % of its size: {}",
        scenario.body_name(index),
        rounded(depth, 3),
        100.0 * share,
        if is_compliant {
            "contacts are too soft for it, or steps too long"
        } else {
            "it began so, or the step is too long for how it turns"
        }
    ))
}

/// In words, that bodies pass into each other on the way of steps, if by a good part of the size of the smallest of them;
/// `overlap` is the deepest on the way in m.
pub(super) fn passed_into<const D: usize>(scenario: &Scenario<D>, overlap: Option<f64>) -> Option<String> {
    let overlap = overlap?;
    let reaches = scenario.bodies.iter().map(|body| body.reach()).filter(|reach| *reach > 0.0);
    let smallest = reaches.fold(f64::INFINITY, f64::min);
    (overlap > DEEP * smallest).then(|| {
        format!(
            "bodies are up to {} m in each other on the way of a step, {:.0} % of the size of the smallest: they may have \
             passed through each other; nlp, lcp and cone look along the way, or take shorter steps",
            rounded(overlap, 3),
            100.0 * overlap / smallest
        )
    })
}

/// Deepest penetration in m: of a point how far it was below the ground, of a body that turns the
/// deepest overlap of its contacts; 0 if there was none.
pub fn max_penetration<const D: usize>(track: Track<'_, D>) -> f64 {
    if track.attitudes.is_empty() {
        return track.states.iter().map(|state| -state.height()).fold(0.0, f64::max);
    }
    let contacts = (0..track.steps.len()).flat_map(|k| track.contacts.of_step(k));
    let own =
        contacts.filter(|contact| contact.first == track.body || contact.second == Partner::Body(track.body));
    own.map(|contact| -contact.gap).fold(0.0, f64::max)
}

/// How deep each body of a run penetrated so far, in m.
#[derive(Debug, Clone)]
pub(super) struct Depths(Vec<f64>);

impl Depths {
    /// Of bodies that start like this; `attitudes` are empty where all are points.
    pub(super) fn new<const D: usize>(states: &[State<D>], attitudes: &[Attitude]) -> Self {
        let depth = |state: &State<D>| if attitudes.is_empty() { (-state.height()).max(0.0) } else { 0.0 };
        Self(states.iter().map(depth).collect())
    }

    #[inline(always)]
    pub(super) fn add<const D: usize>(&mut self, passage: &Passage<'_, D>) {
        if passage.attitudes[1].is_empty() {
            let states = passage.states[1];
            for (deepest, state) in self.0[..states.len()].iter_mut().zip(states) {
                raise(deepest, -state.height());
            }
            return;
        }
        for contact in passage.contacts {
            raise(&mut self.0[contact.first], -contact.gap);
            if let Partner::Body(second) = contact.second {
                raise(&mut self.0[second], -contact.gap);
            }
        }
    }

    /// That of a body.
    pub(super) fn of(&self, body: usize) -> f64 {
        self.0[body]
    }

    /// The deepest of all.
    pub(super) fn deepest(&self) -> f64 {
        self.0.iter().copied().fold(0.0, f64::max)
    }
}

/// Makes `largest` at least `value`, which changes nothing if it is no number. A branch, for it is hardly ever taken.
#[inline]
pub(super) fn raise(largest: &mut f64, value: f64) {
    if value > *largest {
        *largest = value;
    }
}

impl Depths {
    pub(super) fn observer<'a, const D: usize>(
        scenario: &'a Scenario<D>,
        _: Honours,
    ) -> Option<Box<dyn Observer<D> + 'a>> {
        Some(Box::new(Self::new(&scenario.initial_states(), &scenario.initial_attitudes())))
    }
}

impl<const D: usize> Observer<D> for Depths {
    fn add(&mut self, passage: &Passage<'_, D>) {
        self.add(passage);
    }

    fn value(&self) -> Option<f64> {
        Some(self.deepest())
    }

    fn of_body(&self, body: usize) -> Option<f64> {
        Some(self.of(body))
    }
}
