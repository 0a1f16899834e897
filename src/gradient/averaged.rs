use super::{
    GradientError, GradientOptions, Grid, StopTime, Tangents,
    tangent::{Asked, tangents_beside},
};
use crate::{model::State, scenario::Scenario, stepper::PointStepper, watch::Watch};

/// The gradient of a run, in which the edge of a window may have moved, averaged over step phases, with the kinks of the scenario's own steps.
pub(super) fn averaged<const D: usize>(
    scenario: &Scenario<D>,
    stepper: &mut dyn PointStepper<D>,
    asked: Asked<'_>,
    phases: usize,
    watch: &Watch<'_>,
) -> Result<Tangents<D>, GradientError> {
    let options = GradientOptions { kinks: true, ..GradientOptions::of(scenario) };
    let own = tangents_beside(scenario, stepper, asked, &options, watch)?;
    if phases <= 1 {
        return Ok(own);
    }
    let mut runs = Vec::with_capacity(phases);
    for phase in 0..phases {
        let grid = Grid::shifted(scenario.time(), (phase as f64 + 0.5) / phases as f64);
        let options = GradientOptions { grid, kinks: false, ..options };
        runs.push(tangents_beside(scenario, stepper, asked, &options, watch)?);
    }
    let share = 1.0 / phases as f64;
    let mean = |pick: &dyn Fn(&Tangents<D>) -> State<D>| {
        runs.iter().map(pick).fold(
            State { position: own.state.position * 0.0, velocity: own.state.velocity * 0.0 },
            |sum, state| State {
                position: sum.position + state.position * share,
                velocity: sum.velocity + state.velocity * share,
            },
        )
    };
    let stops: Option<Vec<&StopTime>> = runs.iter().map(|run| run.stop.as_ref()).collect();
    let stop = stops.map(|stops| StopTime {
        time: stops.iter().map(|stop| stop.time * share).sum(),
        gradient: (0..asked.inputs.len())
            .map(|i| stops.iter().map(|stop| stop.gradient[i] * share).sum())
            .collect(),
    });
    Ok(Tangents {
        state: mean(&|run| run.state),
        tangents: (0..asked.inputs.len()).map(|i| mean(&|run| run.tangents[i])).collect(),
        stop,
        nearest: own.nearest,
        branches: own.branches,
        largest: (0..asked.inputs.len())
            .map(|i| runs.iter().map(|run| run.largest[i]).fold(0.0, f64::max))
            .collect(),
    })
}
