use super::Observer;
use crate::{
    scenario::{Partner, Scenario},
    stepper::Honours,
    trajectory::Passage,
};

/// The largest product of an impulse and the gap at the end of its step, in units of `m v L`: of the mass of the lighter body
/// of the two, its reach, and the largest speed of a point in the step.
///
/// An impulse across a gap is one of a contact that was not there. What turns, or rolls over a corner, has its gaps bend
/// away from their tangents within a step; what is hit from afar touches at some instant of it.
#[derive(Debug, Clone)]
pub(super) struct FalseImpulse {
    /// Mass in kg and reach in m of each body; no mass where it does not move.
    bodies: Vec<(Option<f64>, f64)>,
    /// What gravity adds to a speed in a step, in m/s.
    gained: f64,
    dt: f64,
    largest: Option<f64>,
}

impl FalseImpulse {
    pub(super) fn observer<'a, const D: usize>(
        scenario: &'a Scenario<D>,
        _: Honours,
    ) -> Option<Box<dyn Observer<D> + 'a>> {
        let bodies =
            scenario.bodies.iter().map(|body| ((!body.fixed).then_some(body.mass), body.reach())).collect();
        let dt = scenario.step;
        Some(Box::new(Self { bodies, gained: scenario.gravity * dt, dt, largest: None }))
    }
}

impl<const D: usize> Observer<D> for FalseImpulse {
    fn add(&mut self, passage: &Passage<'_, D>) {
        let Self { bodies, gained, dt, largest } = self;
        let mut fastest = None;
        for contact in passage.contacts {
            let Some(gap) = contact.gap_end else { continue };
            let largest = largest.get_or_insert(0.0);
            if gap <= 0.0 {
                continue;
            }
            let other = if let Partner::Body(other) = contact.second { Some(other) } else { None };
            let both = || [Some(contact.first), other].into_iter().flatten().map(|body| bodies[body]);
            let mass = both().filter_map(|(mass, _)| mass).fold(f64::INFINITY, f64::min);
            let reach =
                both().map(|(_, reach)| reach).filter(|reach| *reach > 0.0).fold(f64::INFINITY, f64::min);
            let speed = *fastest.get_or_insert_with(|| {
                let speed = |end: usize, body: usize| {
                    let turning = passage.attitudes[end].get(body).map_or(0.0, |own| own.spin.norm());
                    passage.states[end][body].velocity.norm() + turning * bodies[body].1
                };
                let speeds = (0..2).flat_map(|end| (0..bodies.len()).map(move |body| speed(end, body)));
                speeds.fold(*gained, f64::max)
            });
            let unit = mass * speed * reach;
            let product = contact.force.dot(&contact.normal) * *dt * gap / unit;
            if unit.is_finite() && product > *largest {
                *largest = product;
            }
        }
    }

    /// The product; `None` where no contact was told apart.
    fn value(&self) -> Option<f64> {
        self.largest
    }
}
