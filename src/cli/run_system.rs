use std::path::PathBuf;

use stickslip::{
    atomic_file::write_atomically,
    metrics::{SystemMetrics, SystemSummary},
    plot::{self, Series},
    scenario::ParticleSystem,
    simulate::simulate_system,
    stepper::StepperName,
    trajectory::{Ending, SystemTrajectory, write_system_csv},
};

use super::{
    error::CliError,
    execute::Amount,
    outdated::{note_pictures, remove_if_there},
    output::{PARTIAL_TRAJECTORY, RunFolder, SUMMARY, TRAJECTORY, report_missing_pictures},
    run::Arguments,
    session::{Session, TIMINGS},
    table,
};

/// Runs a system of particles.
pub fn run_system<const D: usize>(
    arguments: &Arguments,
    system: &ParticleSystem<D>,
    session: &Session,
) -> Result<(), CliError> {
    let name = arguments.stepper.unwrap_or(StepperName::Convex);
    let mut stepper = system.stepper(name)?;
    let honours = stepper.honours();
    session.warn(name.as_str(), &system.warnings(&honours), &system.ignored(&honours));
    let folder = RunFolder::create(&arguments.output, &system.name, name)?;
    let steps = system.time().steps;
    let title = format!("{} by {name}", system.name);
    let trajectory = session.execute(&title, Amount::Steps(steps), |watch| {
        simulate_system(system, &mut stepper, arguments.on_failure.into(), |_| watch.advance(1))
    });

    match trajectory.ending {
        Ending::Complete => {
            let summary = SystemSummary::of(&trajectory, &SystemMetrics::of(&trajectory));
            let provenance = session.provenance(system.to_toml(), &arguments.overrides());
            let path = folder.path();
            write_atomically(&path.join(TRAJECTORY), |out| write_system_csv(&trajectory, out))?;
            let recorded = session.record(path, SUMMARY, &summary, &provenance)?;
            remove_if_there(&path.join(PARTIAL_TRAJECTORY))?;
            let mut written = [TRAJECTORY, SUMMARY, TIMINGS].map(str::to_owned).to_vec();
            if arguments.no_plots {
                note_pictures(session, path);
                session.print(&table::of_system(&trajectory, &summary, &folder, &written), &recorded)?;
                return refuse_failed_steps(&trajectory, &summary);
            }
            folder.remove_pictures()?;
            let series = Series::of_particles(&trajectory);
            let (history, path) = (plot::history_overlay(&series), plot::path_overlay(&series));
            written.extend(folder.write_pictures(&history, &path, &series)?);
            session.print(&table::of_system(&trajectory, &summary, &folder, &written), &recorded)?;
            report_missing_pictures(&written)?;
            refuse_failed_steps(&trajectory, &summary)
        }
        Ending::Interrupted => {
            let file = write_partial(&folder, &trajectory)?;
            let done = trajectory.steps();
            Err(CliError::Interrupted(format!("{done} of {steps} steps are in `{}`", file.display())))
        }
        Ending::Failed => {
            let file = write_partial(&folder, &trajectory)?;
            Err(failure(&trajectory, &file))
        }
    }
}

/// The failure of a run that was told to go on after a failed step; its results are on disk.
fn refuse_failed_steps<const D: usize>(
    trajectory: &SystemTrajectory<D>,
    summary: &SystemSummary,
) -> Result<(), CliError> {
    let Some(failure) = &trajectory.first_failure else { return Ok(()) };
    Err(CliError::failed(
        format!(
            "{} of {} steps of `{}` failed under stepper `convex`, the first at step {}, t = {} s: {}",
            summary.status.failed,
            summary.steps,
            trajectory.system.name,
            failure.index,
            failure.time,
            failure.reason
        ),
        "the run went on from their best candidates: the results are complete, and what follows a failed step is not \
         to be trusted",
    ))
}

fn write_partial<const D: usize>(
    folder: &RunFolder,
    trajectory: &SystemTrajectory<D>,
) -> Result<PathBuf, CliError> {
    let file = folder.path().join(PARTIAL_TRAJECTORY);
    write_atomically(&file, |out| write_system_csv(trajectory, out))?;
    Ok(file)
}

fn failure<const D: usize>(trajectory: &SystemTrajectory<D>, partial: &std::path::Path) -> CliError {
    let Some(failure) = &trajectory.first_failure else {
        return CliError::failed("the run ended early", "this is a defect of the program; please report it");
    };
    let message = format!(
        "step {} at t = {} s of `{}` failed under stepper `convex`: {}",
        failure.index, failure.time, trajectory.system.name, failure.reason
    );
    let help = format!(
        "the {} finished steps are in `{}`; go on from the best candidate: --on-failure continue",
        trajectory.steps(),
        partial.display()
    );
    CliError::failed(message, help)
}
