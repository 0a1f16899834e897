use crate::{model::State, scenario::Scenario, trajectory::Trajectory};

/// Largest deviation of a rod from its length over the run, in m; 0 if there is no rod.
pub fn max_rod_error<const D: usize>(trajectory: &Trajectory<D>) -> f64 {
    let mut rods = Rods::of(&trajectory.scenario);
    trajectory.for_each_passage(|passage| rods.add(passage.states[1]));
    rods.worst
}

/// The rods of a scenario with their lengths in m, and the largest error so far.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rods {
    rods: Vec<([usize; 2], f64)>,
    pub(super) worst: f64,
}

impl Rods {
    pub(super) fn of<const D: usize>(scenario: &Scenario<D>) -> Self {
        let rods = scenario
            .rods
            .iter()
            .map(|rod| (rod.bodies, rod.length.unwrap_or_else(|| scenario.initial_distance(rod.bodies))));
        let mut rods = Self { rods: rods.collect(), worst: 0.0 };
        rods.add(&scenario.initial_states());
        rods
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rods.is_empty()
    }

    pub(super) fn add<const D: usize>(&mut self, states: &[State<D>]) {
        for ([first, second], length) in &self.rods {
            let distance = (states[*first].position - states[*second].position).norm();
            self.worst = self.worst.max((distance - length).abs());
        }
    }
}
