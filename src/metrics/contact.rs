use crate::trajectory::Trajectory;

/// Normal force, as a fraction of the weight, above which a step counts as being in contact.
const CONTACT_FRACTION: f64 = 1e-4;

/// Steps at the start of a contact that belong to the impact: a gap-level stepper needs one to
/// reach the ground and one to lose the rest of its speed.
const IMPACT_STEPS: usize = 3;

/// Time in s that belongs to it all the same: a compliant ground needs it to settle.
const SETTLING: f64 = 0.05;

/// Deepest penetration of the ground in m; 0 if the point never was below it.
pub fn max_penetration<const D: usize>(trajectory: &Trajectory<D>) -> f64 {
    trajectory.states.iter().map(|state| -state.height()).fold(0.0, f64::max)
}

/// Noise of the normal contact force in N: the standard deviation of the net normal force (contact,
/// push and weight) over the steps in sustained contact, while sliding or sticking.
///
/// The net force, not the contact force alone, so that a push that varies is not taken for noise.
/// The beginning of each contact, 50 ms or three steps, is left out: it is the impact. 0 if fewer
/// than two steps remain.
pub fn force_noise<const D: usize>(trajectory: &Trajectory<D>) -> f64 {
    let body = trajectory.scenario.body();
    let weight = body.gravity[D - 1] * body.mass;
    let threshold = CONTACT_FRACTION * weight.abs();
    let settling = ((SETTLING / trajectory.scenario.step).ceil() as usize).max(IMPACT_STEPS);
    let mut in_contact = 0;
    let mut samples = 0.0;
    let mut mean = 0.0;
    let mut squares = 0.0;
    for step in &trajectory.steps {
        in_contact = if step.force[D - 1] > threshold { in_contact + 1 } else { 0 };
        if in_contact > settling {
            // Welford's update, which does not cancel for a force that is large and constant.
            let net = step.force[D - 1] + step.push[D - 1] + weight;
            samples += 1.0;
            let off = net - mean;
            mean += off / samples;
            squares += off * (net - mean);
        }
    }
    if samples < 2.0 { 0.0 } else { (squares / samples).sqrt() }
}
