use crate::{
    model::{PointMass, State, Vector, gap_velocity, tangential},
    stepper::Honours,
    trajectory::{Record, Track},
};

/// Largest violation over the run of the complementarity that a time step poses, dimensionless; the
/// same measure for every stepper that steps in time. `None` for those that resolve the instant of an
/// impact ([`Honours::impacts_within_steps`](crate::stepper::Honours::impacts_within_steps)): they pose
/// complementarity at every instant, and the step as a whole need not fulfil it.
///
/// Normal: `min(1, p_z/(m g dt)) |vz+ + gap|/(g dt)`, contact force where the gap (with the rebound
/// of restitution) is not closed. Friction: `min(1, |vt+|/(g dt)) (mu p_z - |p_t|)/max(m g dt, p_z)`,
/// sliding inside the friction cone. The impulses are those of the step, `p = dt F`. Zero without
/// gravity, which sets the scales.
pub fn max_complementarity<const D: usize>(track: Track<'_, D>) -> Option<f64> {
    let posed = Posed::new(track.point(), track.scenario.step);
    let products = track.steps.iter().zip(track.states.windows(2));
    let products = products.map(|(step, pair)| posed.violation([&pair[0], &pair[1]], step));
    poses_complementarity(&track.honours).then(|| products.fold(0.0, f64::max))
}

/// Whether a stepper poses complementarity for its steps.
pub(super) fn poses_complementarity(honours: &Honours) -> bool {
    !honours.impacts_within_steps
}

/// The complementarity of the steps of `dt` s of one body, and what counts as 1 in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Posed<const D: usize> {
    body: PointMass<D>,
    dt: f64,
    /// `g dt` in m/s.
    velocity: f64,
    /// `m g dt` in N s.
    impulse: f64,
}

impl<const D: usize> Posed<D> {
    pub(super) fn new(body: PointMass<D>, dt: f64) -> Self {
        let velocity = body.gravity_norm() * dt;
        Self { body, dt, velocity, impulse: body.mass * velocity }
    }

    /// Its violation in one step.
    #[inline]
    pub(super) fn violation(&self, [before, after]: [&State<D>; 2], step: &Record<D>) -> f64 {
        let Self { body, dt, velocity, impulse: unit } = *self;
        // Both products have the contact force as a factor.
        if velocity == 0.0 || step.force == Vector::<D>::zeros() {
            return 0.0;
        }
        let free = body.free_velocity(before, &step.push, dt);
        let gap = gap_velocity(&body, before, free[D - 1], dt);
        let impulse = step.force * dt;
        let normal_impulse = impulse[D - 1].max(0.0);
        let opening = (after.velocity[D - 1] + gap).abs() / velocity;
        let normal = (normal_impulse / unit).min(1.0) * opening;
        let slip = tangential(&after.velocity).norm() / velocity;
        let reserve = (body.friction * normal_impulse - tangential(&impulse).norm()).abs();
        let friction = slip.min(1.0) * reserve / unit.max(normal_impulse);
        normal.max(friction)
    }
}
