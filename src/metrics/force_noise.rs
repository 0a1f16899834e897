use super::Observer;
use crate::{
    model::{PointMass, State},
    scenario::Scenario,
    stepper::Honours,
    trajectory::{Passage, Record, Track},
};

/// Normal force, as a fraction of the weight, above which a step counts as being in contact.
const CONTACT_FRACTION: f64 = 1e-4;

/// Longest gap between two steps with force that does not end a contact, in steps.
///
/// A rebound slower than `2 g dt` is taken for none, so that a true flight lasts four steps or more:
/// a force that is back sooner has come and gone, which is noise, and the worst there is.
const LONGEST_GAP: usize = 3;

/// Steps at the start of a contact that belong to the impact: a gap-level stepper needs one to
/// reach the ground and one to lose the rest of its speed.
const IMPACT_STEPS: usize = 3;

/// Time in s that belongs to it all the same: a compliant ground needs it to settle.
const SETTLING: f64 = 0.05;

/// Noise of the normal contact force in N: the standard deviation of the net normal force (contact,
/// push and weight) over the steps in sustained contact, while sliding or sticking.
///
/// The net force, not the contact force alone, so that a push that varies is not taken for noise.
/// A contact goes on through gaps of up to three steps without force, whose steps count with no
/// contact force: a force of twice the weight and of nothing by turns has the noise of the weight.
/// A longer gap is a flight and ends the contact; its steps do not count. The beginning of each
/// contact, 50 ms or three steps, is left out: it is the impact. 0 if fewer than two steps remain.
///
/// A stepper that resolves the instant of an impact may fly and hit within a step: under it steps count that begin and
/// end on the ground, and every other one ends the contact.
pub fn force_noise<const D: usize>(track: Track<'_, D>) -> f64 {
    let mut noise = ForceNoise::new(&track.point(), track.scenario.step, &track.honours);
    for (step, pair) in track.steps.iter().zip(track.states.windows(2)) {
        noise.add([&pair[0], &pair[1]], step);
    }
    noise.value()
}

/// The noise of the force of one body, from its steps one after the other.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ForceNoise {
    weight: f64,
    /// Whether flights and impacts may be parts of a step.
    divides_steps: bool,
    contact: Contact,
    gap: [f64; LONGEST_GAP],
    gap_steps: usize,
}

impl ForceNoise {
    pub(super) fn new<const D: usize>(body: &PointMass<D>, dt: f64, honours: &Honours) -> Self {
        let settling = ((SETTLING / dt).ceil() as usize).max(IMPACT_STEPS);
        Self {
            weight: body.gravity[D - 1] * body.mass,
            divides_steps: honours.impacts_within_steps,
            contact: Contact { settling, age: 0, spread: Spread::default() },
            gap: [0.0; LONGEST_GAP],
            gap_steps: 0,
        }
    }

    #[inline]
    pub(super) fn add<const D: usize>(&mut self, states: [&State<D>; 2], step: &Record<D>) {
        let Self { weight, contact, gap, gap_steps, divides_steps } = self;
        let net = step.force[D - 1] + step.push[D - 1] + *weight;
        let is_flight = *divides_steps && states.iter().any(|state| state.height() > 0.0);
        if !is_flight && step.force[D - 1] > CONTACT_FRACTION * weight.abs() {
            gap[..*gap_steps].iter().for_each(|net| contact.add(*net));
            contact.add(net);
            *gap_steps = 0;
        } else if !is_flight && contact.age > 0 && *gap_steps < LONGEST_GAP {
            gap[*gap_steps] = net;
            *gap_steps += 1;
        } else {
            contact.age = 0;
            *gap_steps = 0;
        }
    }

    pub(super) fn value(&self) -> f64 {
        self.contact.spread.standard_deviation()
    }
}

/// What is gathered of the contacts of a run.
#[derive(Debug, Clone, PartialEq)]
struct Contact {
    /// Steps at the start of each that do not count.
    settling: usize,
    /// Steps of the present one; 0 in flight.
    age: usize,
    spread: Spread,
}

impl Contact {
    fn add(&mut self, net: f64) {
        self.age += 1;
        if self.age > self.settling {
            self.spread.add(net);
        }
    }
}

/// Mean and spread of a sample by Welford's update, which does not cancel for values that are large
/// and close together.
#[derive(Debug, Clone, PartialEq, Default)]
struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let off = value - self.mean;
        self.mean += off / self.count;
        self.squares += off * (value - self.mean);
    }

    fn standard_deviation(&self) -> f64 {
        if self.count < 2.0 { 0.0 } else { (self.squares / self.count).sqrt() }
    }
}

impl ForceNoise {
    /// Of a single point.
    pub(super) fn observer<'a, const D: usize>(
        scenario: &'a Scenario<D>,
        honours: Honours,
    ) -> Option<Box<dyn Observer<D> + 'a>> {
        let point = scenario.layout().is_point().then(|| scenario.point(0))?;
        Some(Box::new(Self::new(&point, scenario.step, &honours)))
    }
}

impl<const D: usize> Observer<D> for ForceNoise {
    fn add(&mut self, passage: &Passage<'_, D>) {
        if passage.is_on_ground_alone() {
            self.add(passage.states.map(|states| &states[0]), &passage.records[0]);
        }
    }

    fn value(&self) -> Option<f64> {
        Some(self.value())
    }
}
