use super::{
    DerivativeRule, DifferentiableModels, GradientError, GradientOptions, Grid, Input, Steps, Tangents,
};
use crate::{scenario::Scenario, watch::Watch};

/// The gradients of a run by several rules, averaged over step phases, with the kinks of the scenario's own steps.
pub(super) fn averaged<const D: usize>(
    scenario: &Scenario<D>,
    steps: Steps,
    (inputs, rules): (&[Input], &[DerivativeRule]),
    (options, phases): (&GradientOptions, usize),
    watch: &Watch<'_>,
) -> Result<Vec<Result<Tangents, GradientError>>, GradientError>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let run = |options: &GradientOptions| {
        scenario.differentiable_run(steps)?.forward(inputs, rules, options, watch)
    };
    let own = run(options)?;
    if phases <= 1 {
        return Ok(own);
    }
    let mut of_rules: Vec<Vec<Result<Tangents, GradientError>>> = rules.iter().map(|_| Vec::new()).collect();
    for phase in 0..phases {
        let grid = Grid::shifted(scenario.time(), (phase as f64 + 0.5) / phases as f64);
        for (all, run) in of_rules.iter_mut().zip(run(&GradientOptions { grid, kinks: false, ..*options })?) {
            all.push(run);
        }
    }
    let of_rule = |(own, runs): (Result<Tangents, GradientError>, Vec<Result<Tangents, GradientError>>)| {
        Ok(own?.mean_of(&runs.into_iter().collect::<Result<Vec<_>, _>>()?))
    };
    Ok(own.into_iter().zip(of_rules).map(of_rule).collect())
}

impl Tangents {
    /// The mean of runs of other phases, with the kinks of this one; without what some of them do not end with.
    fn mean_of(self, runs: &[Self]) -> Self {
        let share = 1.0 / runs.len().max(1) as f64;
        let largest = |input: usize| runs.iter().map(|run| run.largest[input]).fold(0.0, f64::max);
        let inputs = self.largest.len();
        let mean = |name: &String| {
            let of_run = |run: &Self| Some((run.end.value(name)?, run.gradient(name)?));
            let all = runs.iter().map(of_run).collect::<Option<Vec<_>>>()?;
            let value = all.iter().map(|(value, _)| value * share).sum();
            let slope = |input: usize| all.iter().map(|(_, slopes)| slopes[input] * share).sum();
            Some((name.clone(), value, (0..inputs).map(slope).collect()))
        };
        let names = runs.iter().take(1).flat_map(|run| run.end.names.iter());
        let results: Vec<_> = names.filter_map(mean).collect();
        let largest = (0..inputs).map(largest).collect();
        Self { largest, nearest: self.nearest, branches: self.branches, ..Self::of(&results, inputs) }
    }
}
