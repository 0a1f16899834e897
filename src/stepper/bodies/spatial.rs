use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use crate::{
    model::{Attitude, Orientation, Spin, State},
    scenario::{Inertia, Scenario},
    stepper::{Moved, Refusal, StepInput, StepperName},
    world::{
        Motion,
        spatial::{self, Pose, Scene, Twist},
    },
};

use super::{Embedding, scene::scene_of};

/// The bodies of `scenario` in space as a world.
///
/// # Errors
/// [`Refusal`] if a shape is none.
pub(crate) fn spatial_scene(scenario: &Scenario<3>, stepper: StepperName) -> Result<Scene, Refusal> {
    scene_of(scenario, stepper, |body| {
        // A point among bodies: it touches where it is, and what it turns like does not show.
        let shape = body.solid().unwrap_or(Ok(spatial::Shape::Sphere { radius: 0.0 }));
        let inertia = match body.moment_of_inertia() {
            Some(Inertia::Space(inertia)) => inertia,
            _ => Matrix3::from_diagonal_element(body.mass),
        };
        Ok(spatial::Body {
            shape: shape.map_err(|error| error.to_string())?,
            mass: body.mass,
            inertia,
            pose: Pose { position: body.position, orientation: orientation(&body.attitude()) },
            twist: twist(&body.velocity, &body.spin),
            fixed: body.fixed,
            course: body.motion.clone(),
        })
    })
}

fn orientation(attitude: &Attitude) -> UnitQuaternion<f64> {
    match attitude.orientation {
        Orientation::Quaternion(turn) => turn,
        Orientation::Angle(_) => UnitQuaternion::identity(),
    }
}

fn twist(linear: &Vector3<f64>, spin: &Spin) -> Twist {
    Twist::new(linear.x, linear.y, linear.z, spin.x, spin.y, spin.z)
}

fn parts(twist: &Twist) -> (Vector3<f64>, Spin) {
    (twist.fixed_rows::<3>(0).into_owned(), twist.fixed_rows::<3>(3).into_owned())
}

/// Torques are given and told in the axes of the world, and act in those of the body at the start of the
/// step.
impl Embedding<3, 6> for Scene {
    fn load(&self, input: &StepInput<'_, 3>, motion: &mut Motion<Pose, 6>, forces: &mut Vec<Twist>) {
        let bodies = || input.states.iter().zip(input.attitudes);
        motion.poses.clear();
        motion.poses.extend(
            bodies().map(|(state, attitude)| Pose {
                position: state.position,
                orientation: orientation(attitude),
            }),
        );
        motion.velocities.clear();
        motion.velocities.extend(bodies().map(|(state, attitude)| twist(&state.velocity, &attitude.spin)));
        forces.clear();
        let loads = input.forces.iter().zip(input.torques).zip(&motion.poses);
        forces.extend(
            loads.map(|((force, torque), pose)| {
                twist(force, &pose.orientation.inverse_transform_vector(torque))
            }),
        );
    }

    fn store(&self, motion: &Motion<Pose, 6>, moved: &mut Moved<3>) {
        let bodies = motion.poses.iter().zip(&motion.velocities);
        let stored = moved.states.iter_mut().zip(&mut moved.attitudes);
        for ((state, attitude), (pose, velocity)) in stored.zip(bodies) {
            let (velocity, spin) = parts(velocity);
            *state = State { position: pose.position, velocity };
            *attitude = Attitude { orientation: Orientation::Quaternion(pose.orientation), spin };
        }
    }

    fn store_impulses(&self, input: &StepInput<'_, 3>, wrenches: &[Twist], moved: &mut Moved<3>) {
        let sums = moved.impulses.iter_mut().zip(&mut moved.angular_impulses);
        for ((impulse, angular), (wrench, attitude)) in sums.zip(wrenches.iter().zip(input.attitudes)) {
            let (force, torque) = parts(wrench);
            *impulse = force;
            *angular = orientation(attitude) * torque;
        }
    }
}
