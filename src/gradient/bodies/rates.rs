//! How the numbers that a step of bodies starts from change with one input.

use nalgebra::{SMatrix, SVector};

use num_dual::Dual64;

use super::{chosen::chosen_rates, world::GradientWorld};
use crate::{
    contact::{Friction, Hold},
    gradient::{BodyQuantity, Input, InputError},
    model::{PointMass, State},
    scenario::Scenario,
    stepper::{StepInput, StepperName},
    world::{Joint, JointLawRates, JointMemory, LinkLawRates, Motion, Partner, Surface, Surfaces, Touch},
};

/// The change of the parameters of one step with one input.
pub struct InputRates<'a, const D: usize, const N: usize> {
    /// Of `v_f`, per body.
    pub free: Vec<SVector<f64, N>>,
    /// Of `M^-1`, per body.
    pub inverse_mass: &'a [SMatrix<f64, N, N>],
    /// Of what the model chose from the scenario, per body.
    pub chosen: &'a [[f64; 2]],
    /// Of the size of gravity in m/s^2.
    pub pull: f64,
    laws: &'a Grown,
    /// Of what joints do; empty where it is none of their numbers.
    joints: JointLawRates<N>,
}

impl<const D: usize, const N: usize> InputRates<'_, D, N> {
    /// Of the friction at rest and the restitution at a contact.
    pub fn surface(&self, touch: &Touch<D, N>) -> [f64; 2] {
        match touch.second {
            Partner::Stop { axis, end } => [0.0, self.stop([axis, end])[1]],
            other => self.laws.rates(touch.first, other),
        }
    }

    /// Of what friction in groups has beside a coefficient.
    pub fn groups(&self, touch: &Touch<D, N>) -> GroupRates {
        self.laws.group_rates(touch.first, touch.second)
    }

    /// Of the coefficient of friction at a contact that is held like this, if it depends on that.
    pub fn friction(&self, touch: &Touch<D, N>, hold: Option<Hold>) -> f64 {
        match hold {
            Some(hold) => self.laws.coefficient_rate(touch.first, touch.second, hold),
            None => self.surface(touch)[0],
        }
    }

    /// Of the gap and the restitution at a stop, by its axis and the end of its range.
    pub fn stop(&self, stop: [usize; 2]) -> [f64; 2] {
        self.joints.stops.iter().find(|(of, _)| *of == stop).map_or([0.0; 2], |(_, change)| *change)
    }

    /// Of the numbers of a link.
    pub fn link(&self, index: usize) -> LinkLawRates {
        self.joints.links.get(index).copied().unwrap_or_default()
    }
}

/// The change of the numbers of friction in groups.
#[derive(Debug, Clone, Copy, Default)]
pub struct GroupRates {
    /// Of the coefficient at rest across an axis; that along it where there is none.
    pub across: f64,
    /// Of `rho_t` in m.
    pub torsional: f64,
    /// Of `rho_r` in m.
    pub rolling: f64,
}

/// The laws between all that may touch, before and after an input has grown by 1: their numbers are linear in it.
#[derive(Debug, Clone, Default)]
struct Grown {
    surfaces: Option<[Surfaces; 2]>,
}

impl Grown {
    /// By how much friction and restitution of a pair have grown.
    fn rates(&self, first: usize, second: Partner) -> [f64; 2] {
        let Some(surfaces) = &self.surfaces else { return [0.0; 2] };
        let [before, after] = surfaces.each_ref().map(|surfaces| {
            let Surface { friction, restitution, .. } = surfaces.between(first, second);
            [friction.static_coefficient(), restitution]
        });
        [after[0] - before[0], after[1] - before[1]]
    }

    /// By how much the numbers of friction in groups of a pair have grown.
    fn group_rates(&self, first: usize, second: Partner) -> GroupRates {
        let Some(surfaces) = &self.surfaces else { return GroupRates::default() };
        let [before, after] = surfaces.each_ref().map(|surfaces| {
            let Surface { friction, anisotropy, turning, .. } = surfaces.between(first, second);
            let ratio = anisotropy.map_or(1.0, |anisotropy| anisotropy.ratio);
            [ratio * friction.static_coefficient(), turning.torsional, turning.rolling]
        });
        GroupRates {
            across: after[0] - before[0],
            torsional: after[1] - before[1],
            rolling: after[2] - before[2],
        }
    }

    /// By how much the coefficient of friction of a pair grows to first order that is held like this.
    fn coefficient_rate(&self, first: usize, second: Partner, hold: Hold) -> f64 {
        let Some(surfaces) = &self.surfaces else { return 0.0 };
        let [law, grown]: [Friction; 2] =
            surfaces.each_ref().map(|surfaces| surfaces.between(first, second).friction);
        law.coefficient_rate(&grown, hold, 0.0)
    }
}

/// A direction in the space of inputs.
pub struct BodyDirection<const D: usize, const N: usize> {
    /// Which.
    pub input: Input,
    /// The displacement and the change of the velocity of every body at the start.
    pub start: [Vec<SVector<f64, N>>; 2],
    inverse_mass: Vec<SMatrix<f64, N, N>>,
    gravity: SVector<f64, D>,
    laws: Grown,
    chosen: Vec<[f64; 2]>,
    pull: f64,
    /// The scenario after a push has grown by 1, if the input is one of its numbers.
    pushed: Option<Box<Scenario<D>>>,
    /// The joints after a number of one of them has grown by 1, if the input is such a number.
    joints: Option<Vec<Joint<D>>>,
}

/// What a step begins with.
pub struct StepStart<'a, W: GradientWorld<D, N>, const D: usize, const N: usize> {
    /// The world.
    pub world: &'a W,
    /// The bodies.
    pub motion: &'a Motion<W::Pose, N>,
    /// What the joints remember.
    pub joints: &'a JointMemory,
    /// The wrenches of the pushes, per body.
    pub pushes: &'a [SVector<f64, N>],
    /// `M^-1`, per body.
    pub inverse_mass: &'a [SMatrix<f64, N, N>],
}

impl<const D: usize, const N: usize> BodyDirection<D, N> {
    /// The direction of one input for the model `name`.
    ///
    /// # Errors
    /// [`InputError`] where bodies have no derivative with respect to it.
    pub fn new<W: GradientWorld<D, N>>(
        scenario: &Scenario<D>,
        world: &W,
        motion: &Motion<W::Pose, N>,
        name: StepperName,
        input: Input,
    ) -> Result<Self, InputError> {
        input.check(scenario)?;
        let bodies = scenario.bodies.len();
        let mut direction = Self {
            input,
            start: [vec![SVector::zeros(); bodies], vec![SVector::zeros(); bodies]],
            inverse_mass: vec![SMatrix::zeros(); bodies],
            gravity: SVector::zeros(),
            laws: Grown::default(),
            chosen: Vec::new(),
            pull: 0.0,
            pushed: None,
            joints: None,
        };
        let grown = || input.shifted(scenario, 1.0);
        match input {
            Input::OfBody(_, body, quantity) => match quantity {
                BodyQuantity::Mass | BodyQuantity::Inertia => {
                    let mut inverse = [Vec::new(), Vec::new()];
                    world.inverse_inertia(motion, &mut inverse[0]);
                    W::of(&grown())
                        .map_err(|reason| input.refused(reason))?
                        .inverse_inertia(motion, &mut inverse[1]);
                    // Masses are linear in it, and their inverses are not.
                    let [before, after] = inverse.map(|all| all[body]);
                    if let (Some(mass), Some(new_mass)) = (before.try_inverse(), after.try_inverse()) {
                        direction.inverse_mass[body] = -before * (new_mass - mass) * before;
                    }
                }
                _ => {
                    let unit = W::unit(quantity).ok_or_else(|| {
                        input.refused(
                            "a body of this kind has no such number, or no derivative with respect to it"
                                .to_owned(),
                        )
                    })?;
                    for (start, unit) in direction.start.iter_mut().zip(unit) {
                        start[body] = unit;
                    }
                }
            },
            Input::Gravity => direction.gravity = scenario.ground.gravity(1.0),
            Input::Slope => {
                let mut turned = scenario.ground;
                // The derivative of a sine is the sine a right angle on.
                turned.slope += 90.0;
                direction.gravity = turned.gravity::<D>(scenario.gravity) * 1.0_f64.to_radians();
            }
            Input::Friction
            | Input::FrictionBeside(_)
            | Input::Restitution
            | Input::PairFriction(_)
            | Input::PairFrictionBeside(..)
            | Input::PairRestitution(_) => {
                direction.laws.surfaces = Some([scenario.surfaces(), grown().surfaces()]);
            }
            Input::PushForce(..) | Input::PushTorqueInPlane(_) | Input::PushTorque(..) => {
                direction.pushed = Some(Box::new(grown()));
            }
            Input::OfJoint(..) => {
                let grown = W::of(&grown()).map_err(|reason| input.refused(reason))?;
                direction.joints = Some(grown.joints().to_vec());
            }
            _ => return Err(input.refused("bodies have none with respect to it".to_owned())),
        }
        let gravity = scenario.gravity_vector();
        if gravity.norm() > 0.0 {
            direction.pull = gravity.dot(&direction.gravity) / gravity.norm();
        }
        let bodies: Vec<_> = (0..bodies).map(|body| direction.varied(scenario, input, body)).collect();
        direction.chosen = chosen_rates(scenario, name, input, &bodies);
        Ok(direction)
    }

    /// A body as a point over the ground, and its start, in dual numbers along the input.
    fn varied(
        &self,
        scenario: &Scenario<D>,
        input: Input,
        body: usize,
    ) -> (PointMass<D, Dual64>, State<D, Dual64>) {
        let (point, start) = (scenario.point(body), scenario.initial_state(body));
        let lift = |value: &SVector<f64, D>, change: &[f64]| {
            SVector::<Dual64, D>::from_fn(|i, _| Dual64::new(value[i], change[i]))
        };
        let grows = matches!(input, Input::OfBody(_, own, BodyQuantity::Mass) if own == body);
        let [grown, _] = self.laws.rates(body, Partner::Ground);
        let [displaced, hastened] = &self.start;
        let body_mass = PointMass {
            mass: Dual64::new(point.mass, f64::from(grows)),
            friction: Dual64::new(point.friction, grown),
            restitution: Dual64::from(point.restitution),
            gravity: lift(&point.gravity, self.gravity.as_slice()),
        };
        let state = State {
            position: lift(&start.position, displaced[body].as_slice()),
            velocity: lift(&start.velocity, hastened[body].as_slice()),
        };
        (body_mass, state)
    }

    /// The change of the parameters of the step from `input`.
    pub fn rates<W: GradientWorld<D, N>>(
        &self,
        input: &StepInput<'_, D>,
        start: &StepStart<'_, W, D, N>,
    ) -> InputRates<'_, D, N> {
        let (dt, StepStart { world, motion, joints, pushes, inverse_mass }) = (input.dt, start);
        let mut loads = pushes.to_vec();
        world.joint_loads(motion, joints, &mut loads);
        let mut free: Vec<SVector<f64, N>> =
            self.inverse_mass.iter().zip(&loads).map(|(change, load)| change * load * dt).collect();
        for (free, _) in free.iter_mut().zip(*inverse_mass).filter(|(_, inverse)| inverse.amax() > 0.0) {
            for axis in 0..D {
                free[axis] += self.gravity[axis] * dt;
            }
        }
        if let Some(pushed) = &self.pushed {
            let mut loads =
                (vec![SVector::zeros(); input.states.len()], vec![SVector::zeros(); input.attitudes.len()]);
            pushed.loads_at(input.index, input.attitudes, &mut loads.0, &mut loads.1);
            let mut grown = Vec::new();
            let input = StepInput { forces: &loads.0, torques: &loads.1, ..*input };
            let mut motion = Motion { poses: Vec::new(), velocities: Vec::new() };
            world.load(&input, &mut motion, &mut grown);
            for (((free, inverse), grown), push) in
                free.iter_mut().zip(*inverse_mass).zip(&grown).zip(*pushes)
            {
                *free += inverse * (grown - push) * dt;
            }
        }
        let of_joints = self.joints.as_ref().map(|grown| world.joint_law_rates(grown, motion, (joints, dt)));
        let of_joints = of_joints.unwrap_or_default();
        for ((free, inverse), load) in free.iter_mut().zip(*inverse_mass).zip(&of_joints.loads) {
            *free += inverse * load * dt;
        }
        InputRates {
            free,
            inverse_mass: &self.inverse_mass,
            chosen: &self.chosen,
            pull: self.pull,
            laws: &self.laws,
            joints: of_joints,
        }
    }
}
