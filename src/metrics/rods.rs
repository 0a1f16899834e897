use crate::trajectory::Trajectory;

/// Largest deviation of a rod from its length over the run, in m; 0 if there is no rod.
pub fn max_rod_error<const D: usize>(trajectory: &Trajectory<D>) -> f64 {
    let scenario = &trajectory.scenario;
    let error = |rod: &crate::scenario::Rod| {
        let length = rod.length.unwrap_or_else(|| scenario.initial_distance(rod.bodies));
        let [first, second] = rod.bodies.map(|body| &trajectory.bodies[body].states);
        let distances = first.iter().zip(second).map(|(a, b)| (a.position - b.position).norm());
        distances.map(|distance| (distance - length).abs()).fold(0.0, f64::max)
    };
    scenario.rods.iter().map(error).fold(0.0, f64::max)
}
