//! What differs between points, bodies in the plane and bodies in space.

use nalgebra::{Matrix3, SMatrix, SVector, Vector2, Vector3};

use crate::{
    gradient::BodyQuantity,
    model::Attitude,
    scenario::Scenario,
    stepper::{Embedding, StepperName, particles, planar_scene, spatial_scene},
    world::{DifferentiableWorld, Motion, Particles, planar, spatial},
};

/// One number at the end of a run: its value, and its derivative with respect to displacement and velocity of the
/// body.
pub type EndNumber<const N: usize> = (f64, [SVector<f64, N>; 2]);

/// A world whose runs have gradients.
pub trait GradientWorld<const D: usize, const N: usize>: Embedding<D, N> + DifferentiableWorld<D, N> {
    /// The bodies of a scenario.
    ///
    /// # Errors
    /// Why they are none.
    fn of(scenario: &Scenario<D>) -> Result<Self, String>
    where
        Self: Sized;

    /// The numbers of a body at the end of a run, in the order of [`output_names`](crate::gradient::output_names).
    fn end(motion: &Motion<Self::Pose, N>, body: usize) -> Vec<EndNumber<N>>;

    /// The displacement and the change of the velocity of a body when one of its numbers grows by 1.
    fn unit(quantity: BodyQuantity) -> Option<[SVector<f64, N>; 2]>;

    /// How the wrench of the pushes on a body changes with its displacement, in step `k`.
    fn wrench_rates(
        scenario: &Scenario<D>,
        k: usize,
        body: usize,
        attitude: Option<&Attitude>,
    ) -> SMatrix<f64, N, N>;
}

fn axis<const N: usize>(index: usize) -> SVector<f64, N> {
    SVector::from_fn(|i, _| f64::from(i == index))
}

fn unit<const N: usize>(displacement: Option<usize>, velocity: Option<usize>) -> [SVector<f64, N>; 2] {
    [displacement, velocity].map(|index| index.map_or_else(SVector::zeros, axis))
}

/// The numbers of a pose or velocity that are its own components.
fn components<const N: usize>(values: &[f64], is_velocity: bool) -> Vec<EndNumber<N>> {
    let row = |index: usize| if is_velocity { unit(None, Some(index)) } else { unit(Some(index), None) };
    values.iter().enumerate().map(|(index, value)| (*value, row(index))).collect()
}

impl<const D: usize> GradientWorld<D, D> for Particles<D> {
    fn of(scenario: &Scenario<D>) -> Result<Self, String> {
        Ok(particles(scenario))
    }

    fn end(motion: &Motion<SVector<f64, D>, D>, body: usize) -> Vec<EndNumber<D>> {
        let mut all = components(motion.poses[body].as_slice(), false);
        all.extend(components(motion.velocities[body].as_slice(), true));
        all
    }

    fn unit(quantity: BodyQuantity) -> Option<[SVector<f64, D>; 2]> {
        match quantity {
            BodyQuantity::Position(axis) if axis < D => Some(unit(Some(axis), None)),
            BodyQuantity::Velocity(axis) if axis < D => Some(unit(None, Some(axis))),
            _ => None,
        }
    }

    fn wrench_rates(_: &Scenario<D>, _: usize, _: usize, _: Option<&Attitude>) -> SMatrix<f64, D, D> {
        SMatrix::zeros()
    }
}

impl GradientWorld<2, 3> for planar::Scene {
    fn of(scenario: &Scenario<2>) -> Result<Self, String> {
        planar_scene(scenario, StepperName::NLP).map_err(|refusal| refusal.reason)
    }

    fn end(motion: &Motion<planar::Pose, 3>, body: usize) -> Vec<EndNumber<3>> {
        let pose = &motion.poses[body];
        let mut all = components(&[pose.position.x, pose.position.y, pose.angle], false);
        all.extend(components(motion.velocities[body].as_slice(), true));
        all
    }

    fn unit(quantity: BodyQuantity) -> Option<[SVector<f64, 3>; 2]> {
        match quantity {
            BodyQuantity::Position(axis) if axis < 2 => Some(unit(Some(axis), None)),
            BodyQuantity::Velocity(axis) if axis < 2 => Some(unit(None, Some(axis))),
            BodyQuantity::Angle => Some(unit(Some(2), None)),
            BodyQuantity::SpinInPlane => Some(unit(None, Some(2))),
            _ => None,
        }
    }

    fn wrench_rates(
        scenario: &Scenario<2>,
        k: usize,
        body: usize,
        attitude: Option<&Attitude>,
    ) -> SMatrix<f64, 3, 3> {
        let mut rates = SMatrix::<f64, 3, 3>::zeros();
        let Some(attitude) = attitude else { return rates };
        let crate::model::Orientation::Angle(angle) = attitude.orientation else { return rates };
        let pose = planar::Pose { position: Vector2::zeros(), angle };
        for push in scenario.pushes.iter().filter(|push| push.acts_on(body)) {
            if let Some(point) = push.point {
                // The torque arm x f turns with the arm.
                rates[(2, 2)] -= pose.rotate(&point).dot(&push.at_step(k, scenario.step));
            }
        }
        rates
    }
}

impl GradientWorld<3, 6> for spatial::Scene {
    fn of(scenario: &Scenario<3>) -> Result<Self, String> {
        spatial_scene(scenario, StepperName::NLP).map_err(|refusal| refusal.reason)
    }

    fn end(motion: &Motion<spatial::Pose, 6>, body: usize) -> Vec<EndNumber<6>> {
        let pose = &motion.poses[body];
        let mut all = components::<6>(pose.position.as_slice(), false);
        // dq = q (0, d/2)
        let q = pose.orientation.into_inner();
        let (w, i, j, k) = (q.w, q.i, q.j, q.k);
        for (value, row) in [(w, [-i, -j, -k]), (i, [w, -k, j]), (j, [k, w, -i]), (k, [-j, i, w])] {
            let mut displacement = SVector::<f64, 6>::zeros();
            displacement.fixed_rows_mut::<3>(3).copy_from(&(Vector3::from(row) * 0.5));
            all.push((value, [displacement, SVector::zeros()]));
        }
        all.extend(components(motion.velocities[body].as_slice(), true));
        all
    }

    fn unit(quantity: BodyQuantity) -> Option<[SVector<f64, 6>; 2]> {
        match quantity {
            BodyQuantity::Position(axis) if axis < 3 => Some(unit(Some(axis), None)),
            BodyQuantity::Velocity(axis) if axis < 3 => Some(unit(None, Some(axis))),
            BodyQuantity::Spin(axis) if axis < 3 => Some(unit(None, Some(3 + axis))),
            _ => None,
        }
    }

    fn wrench_rates(
        scenario: &Scenario<3>,
        k: usize,
        body: usize,
        attitude: Option<&Attitude>,
    ) -> SMatrix<f64, 6, 6> {
        let mut rates = SMatrix::<f64, 6, 6>::zeros();
        let Some(attitude) = attitude else { return rates };
        let crate::model::Orientation::Quaternion(turn) = attitude.orientation else { return rates };
        let mut sum = Matrix3::zeros();
        for push in scenario.pushes.iter().filter(|push| push.acts_on(body)) {
            let force = turn.inverse_transform_vector(&push.at_step(k, scenario.step));
            let arm = push.point.unwrap_or_else(Vector3::zeros);
            let whole = turn.inverse_transform_vector(&push.torque_at_step(k, scenario.step, attitude));
            // What the world holds still turns backwards in the axes of the body.
            let own = whole - arm.cross(&force);
            sum += own.cross_matrix() + arm.cross_matrix() * force.cross_matrix();
        }
        rates.fixed_view_mut::<3, 3>(3, 3).copy_from(&sum);
        rates
    }
}
