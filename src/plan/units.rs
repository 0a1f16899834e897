//! The units in which a program is well scaled.

use super::task::PlanTask;

/// Length, velocity and force of a size that the plan has: `L` the distance to the goal or the largest size, whichever is
/// larger, `V = sqrt(g L)` and `F = m g` of the heaviest body; without gravity `V = L/T`, `F = m L/T^2`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    /// In m.
    pub length: f64,
    /// In m/s.
    pub velocity: f64,
    /// In N.
    pub force: f64,
}

impl Units {
    /// Those of a task.
    pub fn of(task: &PlanTask) -> Self {
        let bodies = &task.scenario.bodies;
        let sizes = bodies.iter().filter_map(|body| body.shape.size());
        let ways = task.goals.iter().map(|goal| {
            let way = |axis: usize| {
                let [low, high] = task.start[goal.body][axis];
                goal.target[axis].map_or(0.0, |target| target - 0.5 * (low + high))
            };
            way(0).hypot(way(1))
        });
        let largest = sizes.chain(ways).fold(0.0, f64::max);
        let length = if largest > 1e-9 { largest } else { 1.0 };
        let mass = bodies.iter().map(|body| body.mass).fold(0.0, f64::max);
        let gravity = task.scenario.gravity_vector().norm();
        let time = (task.duration[0] * task.duration[1]).sqrt();
        let acceleration = if gravity > 0.0 { gravity } else { length / (time * time) };
        let velocity = if gravity > 0.0 { (gravity * length).sqrt() } else { length / time };
        Self { length, velocity, force: mass * acceleration }
    }

    /// The unit of a component of a state, in the order of [`COMPONENTS`](super::COMPONENTS).
    pub fn of_component(&self, component: usize) -> f64 {
        [self.length, self.length, 1.0, self.velocity, self.velocity, self.velocity / self.length][component]
    }

    /// The unit of a component of a push: forces in N, then the torque in N m.
    pub fn of_push(&self, component: usize) -> f64 {
        if component < 2 { self.force } else { self.force * self.length }
    }
}
