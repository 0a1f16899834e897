use super::{PointMass, State};

/// The gap in velocity units that the normal complementarity `0 <= p_z  |  vz+ + gap >= 0` uses,
/// in m/s: `z/dt`, or `e vz` when the step is an impact that rebounds.
///
/// Newton restitution, gap aware: the impact rebounds if the free motion would reach the ground
/// within the step (`z + dt v_free_z <= 0`) and the rebound speed `-e vz` is above `2 g dt`, where
/// `g` is gravity's pull towards the ground. Below that threshold the impact is inelastic: this is
/// what ends the bouncing, and without it Newton's law at velocity level gains energy.
///
/// `free_normal_velocity` is the normal component of [`PointMass::free_velocity`].
pub fn gap_velocity<const D: usize>(
    body: &PointMass<D>,
    state: &State<D>,
    free_normal_velocity: f64,
    dt: f64,
) -> f64 {
    let height = state.height();
    let rebound = -body.restitution * state.velocity[D - 1];
    let threshold = -2.0 * body.gravity[D - 1] * dt;
    if height + dt * free_normal_velocity <= 0.0 && rebound > threshold { -rebound } else { height / dt }
}
