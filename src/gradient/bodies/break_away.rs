//! When something breaks loose whose friction falls at once.
//!
//! Two bodies hold each other by friction as long as `m = sum mu_s r_n - |r_t|` of their contacts is more than nothing. Where it
//! ends, friction falls, and they accelerate otherwise by `a` from then on. A step knows no more of that instant than that it is
//! past it, and what it leads to does not change with `mu_s`. The motion does:
//!
//! ```text
//! dv+ = -a dt_b,   dt_b = -dm/m'
//! ```
//!
//! with the last `m` of the steps that held, and how it fell from one to the next. A force that begins at once, as that of a
//! push does, breaks them loose when it begins, whatever `mu_s`.

use nalgebra::{DMatrix, DVector, RowDVector};

use super::{
    directions::Directions,
    event::stacked,
    linearisation::{Linearisation, StageRates},
    rates::InputRates,
    taken::TakenStage,
};
use crate::{
    contact::{Branch, Hold},
    world::{DifferentiableWorld, Partner, SlipOf, Touch},
};

/// How many steps as the last one what was left of `m` would have lasted at least, if a force began at once.
const SUDDEN: f64 = 10.0;

/// How many at most, if it grew steadily: one, and what it bends within that.
const STEADY: f64 = 1.5;

/// What held at the end of a step.
#[derive(Debug, Clone)]
pub struct Held {
    pairs: Vec<HeldPair>,
    /// The velocities of the bodies at the start of the step, stacked.
    velocities: DVector<f64>,
}

#[derive(Debug, Clone)]
struct HeldPair {
    of: (usize, Partner),
    /// On how many contacts.
    contacts: usize,
    /// `m` in N s.
    spare: f64,
    /// What it was more than in the step before.
    gained: Option<f64>,
    /// The change of `m`, per direction.
    rates: RowDVector<f64>,
}

fn pair_of<const D: usize, const N: usize>(touch: &Touch<D, N>) -> (usize, Partner) {
    (touch.first, touch.second)
}

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// What holds in a stage with these derivatives, after a step `before`; `None` where nothing does that could break loose.
    pub fn held(
        &self,
        stage: &TakenStage<'_, D, N>,
        rates: &StageRates<D>,
        inputs: &[InputRates<'_, D, N>],
        directions: &Directions<'_>,
        before: Option<&Held>,
    ) -> Option<Held> {
        let mut pairs: Vec<HeldPair> = Vec::new();
        for held in stage.holds.iter().filter(|held| held.hold == Hold::Static) {
            let touch = &self.problem.touches[held.contact];
            let falls = touch.surface.friction.falls_at_once(self.problem.contact.velocity_unit);
            if stage.laws[held.contact].branch != Branch::Stick || !falls {
                continue;
            }
            let spare = match self.problem.contact.groups_of(held.contact) {
                None => rates.slip_margin(stage, inputs, directions, held.contact),
                Some(place) => stage.grouped[place].margins[0]
                    .as_ref()
                    .map(|margin| self.group_margin(stage, place, margin, rates, directions)),
            };
            let Some(spare) = spare else { continue };
            let of = pair_of(touch);
            match pairs.iter_mut().find(|pair| pair.of == of) {
                Some(pair) => {
                    pair.contacts += 1;
                    pair.spare += spare.value;
                    pair.rates += spare.row;
                }
                None => pairs.push(HeldPair {
                    of,
                    contacts: 1,
                    spare: spare.value,
                    gained: None,
                    rates: spare.row,
                }),
            }
        }
        for pair in &mut pairs {
            let earlier = before.and_then(|before| before.pairs.iter().find(|own| own.of == pair.of));
            pair.gained = earlier.map(|earlier| pair.spare - earlier.spare);
        }
        let velocities = stacked(&self.taken.motion.velocities);
        (!pairs.is_empty()).then_some(Held { pairs, velocities })
    }

    /// The change of the velocities at the end of the step, per direction, that a stage misses in which something breaks loose that
    /// held in the step `before`; `None` where nothing does.
    ///
    /// # Errors
    /// Why it is not known when.
    pub fn break_away(
        &self,
        stage: &TakenStage<'_, D, N>,
        before: Option<&Held>,
    ) -> Result<Option<DMatrix<f64>>, String> {
        let Some(before) = before else { return Ok(None) };
        let is_released = |contact: usize| {
            stage.holds.iter().any(|held| {
                held.contact == contact
                    && matches!(held.hold, Hold::Kinetic(_))
                    && held.slip_of != SlipOf::Start
                    && stage.laws[contact].branch != Branch::Open
            })
        };
        let released: Vec<_> = (0..stage.laws.len()).filter(|contact| is_released(*contact)).collect();
        let count = |pair: &HeldPair| {
            released.iter().filter(|contact| pair_of(&self.problem.touches[**contact]) == pair.of).count()
        };
        let mut loose = before.pairs.iter().filter(|pair| count(pair) > 0);
        let Some(pair) = loose.next() else { return Ok(None) };
        if loose.next().is_some() || count(pair) != pair.contacts {
            return Err(
                "friction lets go at some of several contacts at once, and the order decides".to_owned()
            );
        }
        let falls_within_the_step = released
            .iter()
            .any(|contact| self.problem.touches[*contact].surface.friction.stribeck_velocity() > 0.0);
        if falls_within_the_step {
            return Err(
                "friction lets go and falls within the step, which a shorter step would tell".to_owned()
            );
        }
        const OPEN: &str = "friction lets go, and when it does is open";
        let Some(gained) = pair.gained else { return Err(OPEN.to_owned()) };
        let steps = -pair.spare / gained;
        if gained >= 0.0 || steps > SUDDEN {
            return Ok(None);
        }
        if steps > STEADY {
            return Err(OPEN.to_owned());
        }
        let dt = self.problem.contact.time_step;
        let late = &pair.rates * (-dt / gained);
        let start = stacked(&self.taken.motion.velocities);
        let gains = stacked(&stage.solution.velocity) - &start - (start - &before.velocities);
        Ok(Some(gains * (-1.0 / dt) * late))
    }
}
