use crate::{
    model::{Attitude, Orientation, Spin, State},
    scenario::{Inertia, Scenario},
    stepper::{Moved, Refusal, StepInput, StepperName},
    world::{
        Motion,
        planar::{self, Pose, Scene, Twist},
    },
};

use super::{Embedding, scene::scene_of};

/// The bodies of `scenario` in the plane as a world.
///
/// # Errors
/// [`Refusal`] if a shape is none.
pub(crate) fn planar_scene(scenario: &Scenario<2>, stepper: StepperName) -> Result<Scene, Refusal> {
    scene_of(scenario, stepper, |body| {
        // A point among bodies: it touches where it is, and what it turns like does not show.
        let shape = body.outline().unwrap_or(Ok(planar::Shape::Disc { radius: 0.0 }));
        let inertia = match body.moment_of_inertia() {
            Some(Inertia::Plane(inertia)) => inertia,
            _ => body.mass,
        };
        Ok(planar::Body {
            shape: shape.map_err(|error| error.to_string())?,
            mass: body.mass,
            inertia,
            pose: Pose { position: body.position, angle: angle(&body.attitude()) },
            twist: Twist::new(body.velocity[0], body.velocity[1], body.spin[0]),
            fixed: body.fixed,
            course: body.motion.clone(),
        })
    })
}

fn angle(attitude: &Attitude) -> f64 {
    match attitude.orientation {
        Orientation::Angle(angle) => angle,
        Orientation::Quaternion(_) => 0.0,
    }
}

impl Embedding<2, 3> for Scene {
    fn load(&self, input: &StepInput<'_, 2>, motion: &mut Motion<Pose, 3>, forces: &mut Vec<Twist>) {
        let bodies = || input.states.iter().zip(input.attitudes);
        motion.poses.clear();
        motion.poses.extend(
            bodies().map(|(state, attitude)| Pose { position: state.position, angle: angle(attitude) }),
        );
        motion.velocities.clear();
        motion.velocities.extend(bodies().map(|(State { velocity, .. }, Attitude { spin, .. })| {
            Twist::new(velocity[0], velocity[1], spin[0])
        }));
        forces.clear();
        let loads = input.forces.iter().zip(input.torques);
        forces.extend(loads.map(|(force, torque)| Twist::new(force[0], force[1], torque[0])));
    }

    fn store(&self, motion: &Motion<Pose, 3>, moved: &mut Moved<2>) {
        let bodies = motion.poses.iter().zip(&motion.velocities);
        for ((state, attitude), (pose, twist)) in
            moved.states.iter_mut().zip(&mut moved.attitudes).zip(bodies)
        {
            *state = State { position: pose.position, velocity: twist.xy() };
            *attitude =
                Attitude { orientation: Orientation::Angle(pose.angle), spin: Spin::new(twist.z, 0.0, 0.0) };
        }
    }

    fn store_impulses(&self, _input: &StepInput<'_, 2>, wrenches: &[Twist], moved: &mut Moved<2>) {
        let sums = moved.impulses.iter_mut().zip(&mut moved.angular_impulses);
        for ((impulse, angular), wrench) in sums.zip(wrenches) {
            *impulse = wrench.xy();
            *angular = Spin::new(wrench.z, 0.0, 0.0);
        }
    }
}
