use std::{ops::ControlFlow, path::PathBuf};

use stickslip::{
    atomic_file::write_atomically,
    metrics::{SystemMetrics, SystemSummary},
    plot,
    scenario::ParticleSystem,
    simulate::simulate_system,
    stepper::StepperName,
    trajectory::{Ending, SystemTrajectory, write_system_csv},
};

use super::{
    error::CliError,
    interrupt,
    output::{PARTIAL_TRAJECTORY, RunFolder, SUMMARY, TRAJECTORY, remove_if_there},
    progress::StepProgress,
    run::Arguments,
    table,
};

/// Runs a system of particles.
pub fn run_system<const D: usize>(arguments: &Arguments, system: &ParticleSystem<D>) -> Result<(), CliError> {
    let name = arguments.stepper.unwrap_or(StepperName::Convex);
    let mut stepper = system.stepper(name)?;
    let folder = RunFolder::create(&arguments.output, &system.name, name)?;
    interrupt::listen();

    let steps = system.time().steps;
    let progress = StepProgress::new(&format!("{} by {name}", system.name), steps);
    let trajectory = simulate_system(system, &mut stepper, arguments.on_failure.into(), |done| {
        progress.update(done);
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    drop(progress);

    match trajectory.ending {
        Ending::Complete => {
            let summary = SystemSummary::of(&trajectory, &SystemMetrics::of(&trajectory));
            let mut written = write_results(&folder, &trajectory, &summary)?;
            if !arguments.no_plots && !interrupt::requested() {
                written.extend(write_pictures(&folder, &trajectory)?);
            }
            table::print_system(&trajectory, &summary, &folder, &written)?;
            if interrupt::requested() {
                return Err(CliError::Interrupted(
                    "the results are written, the pictures are not".to_owned(),
                ));
            }
            Ok(())
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

fn write_results<const D: usize>(
    folder: &RunFolder,
    trajectory: &SystemTrajectory<D>,
    summary: &SystemSummary,
) -> Result<Vec<String>, CliError> {
    let path = folder.path();
    write_atomically(&path.join(TRAJECTORY), |out| write_system_csv(trajectory, out))?;
    write_atomically(&path.join(SUMMARY), |out| {
        serde_json::to_writer_pretty(&mut *out, summary)?;
        out.write_all(b"\n")
    })?;
    remove_if_there(&path.join(PARTIAL_TRAJECTORY))?;
    Ok(vec![TRAJECTORY.to_owned(), SUMMARY.to_owned()])
}

fn write_pictures<const D: usize>(
    folder: &RunFolder,
    trajectory: &SystemTrajectory<D>,
) -> Result<Vec<String>, CliError> {
    let series = plot::Series::of_particles(trajectory);
    let files = ["history.svg", "history.png", "path.svg", "path.png", "animation.gif"];
    let [history_svg, history_png, path_svg, path_png, animation] =
        files.map(|name| folder.path().join(name));
    let history = plot::history_overlay(&series);
    history.write_svg(&history_svg)?;
    history.write_png(&history_png)?;
    let path = plot::path_overlay(&series);
    path.write_svg(&path_svg)?;
    path.write_png(&path_png)?;
    plot::animation(&series, &animation)?;
    Ok(files.map(str::to_owned).to_vec())
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
