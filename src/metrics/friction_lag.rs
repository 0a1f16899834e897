use super::{
    Observer,
    contact_slip::{ContactSlip, ContactSlips},
    directions::Directions,
};
use crate::{
    contact::Hold,
    model::{Attitude, Vector},
    scenario::Scenario,
    stepper::{ContactMode, Honours},
    trajectory::Passage,
};

/// Part of the friction by which it may point elsewhere than against the slip at the end of a step.
const AGAINST: f64 = 1e-6;

/// The largest difference between the coefficient by which a contact slid in a step and that of the slip with which the step
/// ends: in a solve a coefficient is a number, which belongs to an earlier slip. It is of the order of the step.
///
/// Both are taken from the motion and the forces. What slips no faster than counts as rest is left out, and so are steps in
/// which slip and friction turn, whose parts have directions of their own. What follows the motion within the steps has no such
/// number.
#[derive(Debug, Clone)]
pub(super) struct FrictionLag<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    slips: ContactSlips<'a, D>,
    largest: Option<f64>,
}

impl<const D: usize> FrictionLag<'_, D> {
    pub(super) fn observer<'a>(
        scenario: &'a Scenario<D>,
        honours: Honours,
    ) -> Option<Box<dyn Observer<D> + 'a>> {
        let has_numbers = scenario.friction_depends_on_slip() && !honours.push_within_steps;
        has_numbers.then(|| {
            let slips = ContactSlips::in_scenario(scenario);
            Box::new(FrictionLag { scenario, slips, largest: None }) as Box<dyn Observer<D> + 'a>
        })
    }
}

/// The difference at a contact in a step of `scenario` at whose start bodies are turned by `attitudes`; `None` where its
/// friction does not depend on the slip, or nothing slid.
fn lag<const D: usize>(
    scenario: &Scenario<D>,
    attitudes: &[Attitude],
    contact: &ContactSlip<D>,
) -> Option<f64> {
    let ContactSlip { between: (first, second), normal, force, velocity: slip, drilling, .. } = *contact;
    let surface = scenario.surface(first, second);
    let (law, load) = (surface.friction, normal.dot(&force));
    if !law.depends_on_slip() || load <= 0.0 {
        return None;
    }
    let carried = |carrier: Option<usize>, axis: &Vector<D>| {
        let attitude = carrier.and_then(|body| attitudes.get(body));
        attitude.map_or(*axis, |attitude| attitude.orientation.turn(axis))
    };
    let (slip, friction) = match Directions::of(&surface, &normal, carried) {
        None => (slip, force - normal * load),
        Some(directions) => (directions.slip(&slip), directions.friction(&force)),
    };
    let (speed, size) = (slip.norm(), friction.norm());
    let at_rest = law.static_coefficient();
    // Twice what the weight makes of a velocity in a step, as in the solve.
    let rest = 2.0 * at_rest * scenario.gravity.abs() * scenario.step;
    if speed <= rest || size == 0.0 || (friction * speed + slip * size).norm() > AGAINST * speed * size {
        return None;
    }
    let torsional = if at_rest > 0.0 { surface.turning.torsional / at_rest } else { 0.0 };
    let share = speed.hypot(torsional * drilling);
    let solved = size / load * (share / speed);
    Some((law.coefficient(Hold::Kinetic(share)) - solved).abs())
}

impl<const D: usize> Observer<D> for FrictionLag<'_, D> {
    fn add(&mut self, passage: &Passage<'_, D>) {
        let [attitudes, _] = passage.attitudes;
        let slides = self.slips.of(passage).filter(|slip| slip.mode == ContactMode::Slip);
        let lags = slides.filter_map(|slip| lag(self.scenario, attitudes, &slip));
        self.largest = lags.chain(self.largest).reduce(f64::max);
    }

    /// The difference; `None` where nothing slid.
    fn value(&self) -> Option<f64> {
        self.largest
    }
}
