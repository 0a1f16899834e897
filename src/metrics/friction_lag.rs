use super::{Observer, directions::Directions};
use crate::{
    contact::Hold,
    model::{Attitude, Orientation, State, Vector},
    scenario::{Partner, Scenario, Wall},
    stepper::{ContactMode, Honours},
    trajectory::Passage,
};

/// Part of the friction by which it may point elsewhere than against the slip at the end of a step.
const AGAINST: f64 = 1e-6;

/// The largest difference between the coefficient by which a contact slid in a step and that of the slip with which the step
/// ends: in a solve a coefficient is a number, which belongs to an earlier slip. It is of the order of the step.
///
/// Both are taken from the motion and the forces. What slips no faster than counts as rest is left out, and so are steps in
/// which slip and friction turn, whose parts have directions of their own.
#[derive(Debug, Clone)]
pub(super) struct FrictionLag<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    /// Velocities of the surfaces of the walls in m/s.
    walls: Vec<Vector<D>>,
    largest: Option<f64>,
}

impl<const D: usize> FrictionLag<'_, D> {
    pub(super) fn observer<'a>(scenario: &'a Scenario<D>, _: Honours) -> Option<Box<dyn Observer<D> + 'a>> {
        let walls = scenario.walls.iter().map(Wall::surface_velocity).collect();
        scenario
            .friction_depends_on_slip()
            .then(|| Box::new(FrictionLag { scenario, walls, largest: None }) as Box<dyn Observer<D> + 'a>)
    }

    /// Takes in a contact between two surfaces that press with this `force` in N along `normal` and across, and move past each
    /// other in the end by `slip` in m/s and `drilling` in rad/s.
    fn add_contact(
        &mut self,
        (first, second): (usize, Partner),
        [normal, force]: [&Vector<D>; 2],
        (slip, drilling): (Vector<D>, f64),
        attitudes: &[Attitude],
    ) {
        let surface = self.scenario.surface(first, second);
        let (law, load) = (surface.friction, normal.dot(force));
        if !law.depends_on_slip() || load <= 0.0 {
            return;
        }
        let carried = |carrier: Option<usize>, axis: &Vector<D>| {
            let attitude = carrier.and_then(|body| attitudes.get(body));
            attitude.map_or(*axis, |attitude| attitude.orientation.turn(axis))
        };
        let (slip, friction) = match Directions::of(&surface, normal, carried) {
            None => (slip - normal * normal.dot(&slip), force - normal * load),
            Some(directions) => (directions.slip(&slip), directions.friction(force)),
        };
        let (speed, size) = (slip.norm(), friction.norm());
        let at_rest = law.static_coefficient();
        // Twice what the weight makes of a velocity in a step, as in the solve.
        let rest = 2.0 * at_rest * self.scenario.gravity.abs() * self.scenario.step;
        if speed <= rest || size == 0.0 || (friction * speed + slip * size).norm() > AGAINST * speed * size {
            return;
        }
        let torsional = if at_rest > 0.0 { surface.turning.torsional / at_rest } else { 0.0 };
        let share = speed.hypot(torsional * drilling);
        let solved = size / load * (share / speed);
        let lag = (law.coefficient(Hold::Kinetic(share)) - solved).abs();
        self.largest = Some(self.largest.map_or(lag, |largest| largest.max(lag)));
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

impl<const D: usize> Observer<D> for FrictionLag<'_, D> {
    fn add(&mut self, passage: &Passage<'_, D>) {
        let [before, after] = passage.states;
        if passage.contacts.is_empty() && self.scenario.is_single_point() {
            let up = Vector::from_fn(|row, _| f64::from(row == D - 1));
            let slip = (after[0].velocity, 0.0);
            return self.add_contact((0, Partner::Ground), [&up, &passage.records[0].force], slip, &[]);
        }
        for contact in passage.contacts.iter().filter(|contact| contact.mode == ContactMode::Slip) {
            let moves = |body: usize| {
                let attitudes = passage.attitudes.map(|attitudes| attitudes.get(body));
                let arm = contact.point - before[body].position;
                velocity_at(&after[body], attitudes, &arm, &contact.normal)
            };
            let (mut slip, mut drilling) = moves(contact.first);
            match contact.second {
                Partner::Body(second) => {
                    let (velocity, spin) = moves(second);
                    slip -= velocity;
                    drilling -= spin;
                }
                Partner::Wall(wall) => slip -= self.walls[wall],
                Partner::Ground | Partner::Stop { .. } => {}
            }
            let between = (contact.first, contact.second);
            let [attitudes, _] = passage.attitudes;
            self.add_contact(between, [&contact.normal, &contact.force], (slip, drilling), attitudes);
        }
    }

    /// The difference; `None` where nothing slid.
    fn value(&self) -> Option<f64> {
        self.largest
    }
}
