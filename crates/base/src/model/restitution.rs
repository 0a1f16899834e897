use super::{Number, PointMass, State};

/// The gap in velocity units that the normal complementarity `0 <= p_z  |  vz+ + gap >= 0` uses,
/// in m/s: `z/dt`, or `e vz` when the step is an impact that rebounds.
///
/// Newton restitution, gap aware: the impact rebounds if the free motion would reach the ground
/// within the step (`z + dt v_free_z <= 0`) and the rebound speed `-e vz` is above `2 g dt`, where
/// `g` is gravity's pull towards the ground. Below that threshold the impact is inelastic: this is
/// what ends the bouncing, and without it Newton's law at velocity level gains energy.
///
/// `free_normal_velocity` is the normal component of [`PointMass::free_velocity`].
pub fn gap_velocity<const D: usize, N: Number>(
    body: &PointMass<D, N>,
    state: &State<D, N>,
    free_normal_velocity: N,
    dt: N,
) -> N {
    let height = state.height();
    let rebound = -body.restitution * state.velocity[D - 1];
    let threshold = -body.gravity[D - 1] * dt * 2.0;
    let reaches_ground = (height + dt * free_normal_velocity).re() <= 0.0;
    if reaches_ground && rebound.re() > threshold.re() { -rebound } else { height / dt }
}
