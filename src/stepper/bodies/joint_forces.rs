//! What the joints of a scenario did in a step, from the impulses of its rows.

use nalgebra::SVector;

use crate::{
    model::{Attitude, Orientation, Spin, Vector},
    rows,
    scenario::Scenario,
    stepper::{JointForces, StepInput},
    world::{AxisLaw, Joint, JointAxis, Partner, Target, TimeStepper},
};

/// Steps behind a start or an impact in which the impulses of rigid joints are no forces yet.
const UNSETTLED: usize = 2;

/// The joints of a scenario, and how long ago an impulse shook them.
pub(super) struct JointForcesOf<const D: usize> {
    /// All joints of the world; those before `first` are rods and springs.
    joints: Vec<Joint<D>>,
    first: usize,
    /// The joint of each axis, and which of its axes it is.
    axes: Vec<(usize, usize)>,
    /// Steps since the last impact; the start counts as one.
    since: usize,
    /// Whether no step has been taken yet.
    begins: bool,
}

impl<const D: usize> JointForcesOf<D> {
    pub fn new(scenario: &Scenario<D>) -> Self {
        let joints = if scenario.joints.is_empty() { Vec::new() } else { scenario.world_joints() };
        let axes = joints.iter().enumerate();
        Self {
            first: scenario.first_joint(),
            axes: axes
                .flat_map(|(index, joint)| (0..joint.axes.len()).map(move |axis| (index, axis)))
                .collect(),
            joints,
            since: 0,
            begins: true,
        }
    }

    /// A run begins.
    pub fn begin(&mut self) {
        (self.since, self.begins) = (0, true);
    }

    /// Whether a run begins in which bodies are joined.
    pub fn takes_up(&mut self) -> bool {
        std::mem::take(&mut self.begins) && !self.joints.is_empty()
    }

    /// Writes what the joints did in the step that was taken from `input`.
    pub fn write<const N: usize>(
        &mut self,
        stepper: &TimeStepper<D, N>,
        input: &StepInput<'_, D>,
        forces: &mut Vec<JointForces<D>>,
    ) {
        forces.clear();
        if self.joints.is_empty() {
            return;
        }
        self.since = if stepper.had_impact() { 0 } else { self.since + 1 };
        let is_settled = self.since > UNSETTLED;
        forces.resize(self.joints.len() - self.first, JointForces::none(is_settled));
        let (problem, solution) = (stepper.problem(), stepper.solution());
        let links = problem.contact.links.iter().zip(&solution.link_impulses);
        for (axis, (link, impulse)) in stepper.joints().axes_of_links().zip(links) {
            let Some((joint, axis, own)) = self.of_axis(axis, forces) else { continue };
            let along = impulse / input.dt;
            if let Some(free) = which_free(joint, axis) {
                match axis.law {
                    AxisLaw::Rubbing { .. } => own.along[free].friction += along,
                    AxisLaw::Driven(_) => own.along[free].drive += along,
                    _ => {}
                }
            }
            add(joint, own, input, [0, 1].map(|end| link.jacobian[end] * along));
        }
        for (touch, impulse) in problem.touches.iter().zip(&solution.impulses) {
            let Partner::Stop { axis, end } = touch.second else { continue };
            let Some((joint, axis, own)) = self.of_axis(axis, forces) else { continue };
            let sign = if end == 0 { 1.0 } else { -1.0 };
            if let Some(free) = which_free(joint, axis) {
                own.along[free].limit += sign * touch.reach * impulse[0] / input.dt;
            }
            let mut wrenches =
                [0, 1].map(|end| rows::transposed_times(&touch.jacobian[end], impulse) / input.dt);
            // A touch begins with a body.
            if joint.anchors[0].body.is_none() {
                wrenches.swap(0, 1);
            }
            add(joint, own, input, wrenches);
        }
        for (joint, own) in self.joints[self.first..].iter().zip(forces) {
            for axis in &joint.axes {
                if let AxisLaw::Driven(drive) = &axis.law
                    && let Target::Force(schedule) = &drive.target
                    && let Some(free) = which_free(joint, axis)
                {
                    own.along[free].drive += schedule.at(input.time);
                }
            }
        }
    }

    fn of_axis<'a>(
        &'a self,
        axis: usize,
        forces: &'a mut [JointForces<D>],
    ) -> Option<(&'a Joint<D>, &'a JointAxis<D>, &'a mut JointForces<D>)> {
        let (joint, axis) = *self.axes.get(axis)?;
        let own = forces.get_mut(joint.checked_sub(self.first)?)?;
        let joint = &self.joints[joint];
        Some((joint, &joint.axes[axis], own))
    }
}

/// Which of the coordinates that a joint leaves free an axis is, of the first two.
fn which_free<const D: usize>(joint: &Joint<D>, axis: &JointAxis<D>) -> Option<usize> {
    joint.free.iter().take(2).position(|free| *free == axis.coordinate)
}

/// Adds what acts on the two bodies of a joint about their centres of mass, torques in the axes of the bodies, to what its
/// second one feels about its point.
fn add<const D: usize, const N: usize>(
    joint: &Joint<D>,
    forces: &mut JointForces<D>,
    input: &StepInput<'_, D>,
    wrenches: [SVector<f64, N>; 2],
) {
    // What the world feels is the opposite of what the body does.
    let (end, sign) = if joint.anchors[1].body.is_some() { (1, 1.0) } else { (0, -1.0) };
    let Some(body) = joint.anchors[end].body else { return };
    let wrench = wrenches[end] * sign;
    let force: Vector<D> = SVector::from_fn(|axis, _| wrench[axis]);
    forces.force += force;
    let Some(Attitude { orientation, .. }) = input.attitudes.get(body) else { return };
    let own = Spin::from_fn(|axis, _| wrench.get(D + axis).copied().unwrap_or(0.0));
    let arm = orientation.turn(&joint.anchors[end].point);
    let whole = |vector: &Vector<D>| Spin::from_fn(|axis, _| vector.get(axis).copied().unwrap_or(0.0));
    forces.torque += match orientation {
        Orientation::Angle(_) => own - Spin::new(arm[0] * force[D - 1] - arm[D - 1] * force[0], 0.0, 0.0),
        Orientation::Quaternion(turn) => turn * own - whole(&arm).cross(&whole(&force)),
    };
}
