use crate::{
    contact::single::{ProgramSolver, RelaxedContactSettings},
    scenario::{NlpSettings, NlpSolverChoice},
};

/// The settings of the program of a single contact that a scenario asks for.
pub(in crate::stepper) fn program_settings(settings: &NlpSettings) -> RelaxedContactSettings {
    let default = RelaxedContactSettings::default();
    RelaxedContactSettings {
        tolerance: settings.tolerance.unwrap_or(default.tolerance),
        epsilon: settings.epsilon.unwrap_or(default.epsilon),
        solver: match settings.solver {
            Some(NlpSolverChoice::Ipopt) => ProgramSolver::Ipopt,
            Some(NlpSolverChoice::InteriorPoint) => ProgramSolver::InteriorPoint,
            Some(NlpSolverChoice::Structured) | None => default.solver,
        },
        warm_start: settings.warm_start,
    }
}
