//! How surfaces that press on each other move past each other in a step.

use crate::{
    model::{Attitude, Orientation, State, Vector},
    scenario::{Partner, Scenario, Wall},
    stepper::{Contact, ContactMode},
    trajectory::Passage,
};

/// A contact in a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContactSlip<const D: usize> {
    /// The body, and what it touches.
    pub between: (usize, Partner),
    /// What it does, where the stepper says; a point that is alone with the ground slips.
    pub mode: ContactMode,
    /// Unit vector towards the body.
    pub normal: Vector<D>,
    /// Mean force on the body in N.
    pub force: Vector<D>,
    /// Velocity of the body's surface in the other one across the normal, at the end of the step, in m/s.
    pub velocity: Vector<D>,
    /// Rate at which they turn against each other about the normal, in rad/s.
    pub drilling: f64,
}

/// When in a step.
#[derive(Debug, Clone, Copy)]
pub(super) enum Instant {
    Start,
    End,
}

/// The contacts of the steps of a scenario.
#[derive(Debug, Clone)]
pub(super) struct ContactSlips<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    /// Velocities of the surfaces of the walls in m/s.
    walls: Vec<Vector<D>>,
}

impl<'a, const D: usize> ContactSlips<'a, D> {
    pub fn in_scenario(scenario: &'a Scenario<D>) -> Self {
        Self { scenario, walls: scenario.walls.iter().map(Wall::surface_velocity).collect() }
    }

    /// Those of a step; what presses with no force is among them.
    pub fn of(&self, passage: &Passage<'_, D>) -> impl Iterator<Item = ContactSlip<D>> {
        // The one contact of a point is told by the force on it alone.
        let alone = !self.scenario.has_many_contacts();
        let on_ground = alone.then(|| self.on_ground(passage));
        let told = passage.contacts.iter().filter(move |_| !alone);
        on_ground.into_iter().chain(told.map(|contact| {
            let (velocity, drilling) = self.motion(passage, contact, Instant::End);
            let normal = contact.normal;
            ContactSlip {
                between: (contact.first, contact.second),
                mode: contact.mode,
                normal,
                force: contact.force,
                velocity: velocity - normal * normal.dot(&velocity),
                drilling,
            }
        }))
    }

    fn on_ground(&self, passage: &Passage<'_, D>) -> ContactSlip<D> {
        let mut velocity = passage.states[1][0].velocity;
        velocity[D - 1] = 0.0;
        ContactSlip {
            between: (0, Partner::Ground),
            mode: ContactMode::Slip,
            normal: Vector::from_fn(|row, _| f64::from(row == D - 1)),
            force: passage.records[0].force,
            velocity,
            drilling: 0.0,
        }
    }

    /// The velocity in m/s of the first body of a contact in what it touches, where they touch at the start of a step and at
    /// the speeds of an instant, and the spin about the normal in rad/s.
    pub fn motion(
        &self,
        passage: &Passage<'_, D>,
        contact: &Contact<D>,
        instant: Instant,
    ) -> (Vector<D>, f64) {
        let then = match instant {
            Instant::Start => 0,
            Instant::End => 1,
        };
        let moves = |body: usize| {
            let attitudes = [0, then].map(|instant| passage.attitudes[instant].get(body));
            let arm = contact.point - passage.states[0][body].position;
            velocity_at(&passage.states[then][body], attitudes, &arm, &contact.normal)
        };
        let (mut velocity, mut drilling) = moves(contact.first);
        match contact.second {
            Partner::Body(second) => {
                let (of_second, spin) = moves(second);
                velocity -= of_second;
                drilling -= spin;
            }
            Partner::Wall(wall) => velocity -= self.walls[wall],
            Partner::Ground | Partner::Stop { .. } => {}
        }
        (velocity, drilling)
    }
}

/// The velocity of a point of a body at `arm` from where its centre of mass was, as a step has it: with the velocity at the
/// end and the arm at the start. And the spin about `normal` in rad/s.
fn velocity_at<const D: usize>(
    state: &State<D>,
    attitudes: [Option<&Attitude>; 2],
    arm: &Vector<D>,
    normal: &Vector<D>,
) -> (Vector<D>, f64) {
    let [Some(before), Some(after)] = attitudes else { return (state.velocity, 0.0) };
    let mut velocity = state.velocity;
    match before.orientation {
        Orientation::Angle(_) => {
            velocity[0] -= after.spin[0] * arm[D - 1];
            velocity[D - 1] += after.spin[0] * arm[0];
            (velocity, 0.0)
        }
        Orientation::Quaternion(turn) => {
            let pad = |x: &Vector<D>| nalgebra::Vector3::from_fn(|row, _| x.get(row).copied().unwrap_or(0.0));
            let spin = turn * after.spin;
            let round = spin.cross(&pad(arm));
            (velocity + Vector::from_fn(|row, _| round[row]), spin.dot(&pad(normal)))
        }
    }
}
