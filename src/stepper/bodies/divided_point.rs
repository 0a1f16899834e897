//! The derivative of a step of a point that is divided at a landing or the end of a slide: that of the closed form which
//! a contact model of rigid bodies solves.

use std::convert::Infallible;

use crate::{
    model::{State, Vector, soft_threshold},
    stepper::derivative::{LocalDual, LocalInput, MarginKind, Margins},
    world::{ContactLaw, Division},
};

/// The closed form of the rigid contact, with its margins.
struct ClosedForm<'a, const D: usize> {
    division: &'a Division<D, LocalDual>,
    margins: Margins<D>,
}

impl<const D: usize> ContactLaw<D, LocalDual> for ClosedForm<'_, D> {
    type Error = Infallible;

    fn impact(
        &mut self,
        slip: Vector<D, LocalDual>,
        speed: LocalDual,
    ) -> Result<Vector<D, LocalDual>, Infallible> {
        let (e, _) = self.division.rebound(speed);
        Ok(soft_threshold(&slip, self.division.friction * (e + 1.0) * speed))
    }

    fn ground(
        &mut self,
        slip: Vector<D, LocalDual>,
        duration: LocalDual,
    ) -> Result<Vector<D, LocalDual>, Infallible> {
        let Division { friction, acceleration, .. } = self.division;
        let free = slip + acceleration * duration;
        Ok(soft_threshold(&free, *friction * -acceleration[D - 1] * duration))
    }

    fn branch(&mut self, kind: MarginKind, value: LocalDual) {
        self.margins.push(kind, value);
    }
}

/// The state after the divided step of a point over the ground, and how far it is from taking another branch.
pub(super) fn divided<const D: usize>(local: &LocalInput<D>) -> (State<D, LocalDual>, Margins<D>) {
    let LocalInput { body, state, push, dt } = local;
    let division = Division {
        friction: body.friction,
        restitution: body.restitution,
        least_rebound: -body.gravity[D - 1] * *dt * 2.0,
        acceleration: push / body.mass + body.gravity,
        dt: *dt,
    };
    let mut law = ClosedForm { division: &division, margins: Margins::default() };
    let Ok(divided) = division.advance(state.height(), &state.velocity, &mut law);
    let mut position = state.position + divided.way;
    // The way ends with the gap.
    position[D - 1] = divided.way[D - 1];
    (State { position, velocity: divided.velocity }, law.margins)
}
