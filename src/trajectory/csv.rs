use std::io::{self, Write};

use super::{SystemTrajectory, Trajectory};
use crate::model::{Vector, axis_names};

/// Writes a trajectory as CSV: a header, then a row per state in full double precision.
///
/// Columns: `step,t`, position in m, velocity in m/s, mean contact force of the step in N, push in
/// N, energy in J, `status,iterations,residual`, and for the nonlinear program `s1,s2,lambda`. Row
/// `k` holds the state at `t_k` and the force of the step `k -> k+1`; the last row has no step, and
/// its step columns are empty.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_csv<const D: usize>(trajectory: &Trajectory<D>, out: impl Write) -> io::Result<()> {
    let has_multipliers = trajectory.steps.iter().any(|step| step.report.nlp.is_some());
    let mut csv = csv::WriterBuilder::new().flexible(true).from_writer(out);
    csv.write_record(header::<D>(has_multipliers))?;
    write_rows(&mut csv, trajectory, None, has_multipliers)?;
    csv.flush()
}

/// Writes the trajectory of a system as CSV: the columns of [`write_csv`] with the number of the
/// particle, `particle`, in front; all rows of particle 0, then all of particle 1, and so on.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_system_csv<const D: usize>(trajectory: &SystemTrajectory<D>, out: impl Write) -> io::Result<()> {
    let mut csv = csv::WriterBuilder::new().flexible(true).from_writer(out);
    csv.write_field("particle")?;
    csv.write_record(header::<D>(false))?;
    for (index, particle) in trajectory.particles.iter().enumerate() {
        write_rows(&mut csv, particle, Some(index), false)?;
    }
    csv.flush()
}

fn write_rows<const D: usize>(
    csv: &mut csv::Writer<impl Write>,
    trajectory: &Trajectory<D>,
    particle: Option<usize>,
    has_multipliers: bool,
) -> io::Result<()> {
    let body = trajectory.scenario.point();
    for (k, state) in trajectory.states.iter().enumerate() {
        let step = trajectory.steps.get(k);
        if let Some(particle) = particle {
            csv.write_field(particle.to_string())?;
        }
        csv.write_field(k.to_string())?;
        write_number(csv, Some(trajectory.time(k)))?;
        write_vector(csv, Some(&state.position))?;
        write_vector(csv, Some(&state.velocity))?;
        write_vector(csv, step.map(|step| &step.force))?;
        write_vector(csv, step.map(|step| &step.push))?;
        write_number(csv, Some(body.energy(state)))?;
        csv.write_field(step.map_or("", |step| step.report.status.as_str()))?;
        csv.write_field(step.map_or(String::new(), |step| step.report.iterations.to_string()))?;
        write_number(csv, step.map(|step| step.report.residual))?;
        if has_multipliers {
            let nlp = step.and_then(|step| step.report.nlp);
            write_number(csv, nlp.map(|nlp| nlp.s1))?;
            write_number(csv, nlp.map(|nlp| nlp.s2))?;
            write_number(csv, nlp.map(|nlp| nlp.lambda))?;
        }
        csv.write_record(None::<&[u8]>)?;
    }
    Ok(())
}

fn header<const D: usize>(has_multipliers: bool) -> Vec<String> {
    let axes = axis_names::<D>();
    let mut columns = vec!["step".to_owned(), "t".to_owned()];
    for prefix in ["", "v", "f", "u"] {
        columns.extend(axes.iter().map(|axis| format!("{prefix}{axis}")));
    }
    columns.extend(["energy", "status", "iterations", "residual"].map(str::to_owned));
    if has_multipliers {
        columns.extend(["s1", "s2", "lambda"].map(str::to_owned));
    }
    columns
}

fn write_vector<const D: usize>(
    csv: &mut csv::Writer<impl Write>,
    vector: Option<&Vector<D>>,
) -> io::Result<()> {
    (0..D).try_for_each(|i| write_number(csv, vector.map(|vector| vector[i])))
}

/// Writes a field; empty where there is no value.
fn write_number(csv: &mut csv::Writer<impl Write>, value: Option<f64>) -> io::Result<()> {
    let text = value.map_or(String::new(), format_number);
    Ok(csv.write_field(text)?)
}

/// Shortest decimal that reads back as the same double.
pub(crate) fn format_number(value: f64) -> String {
    // Adding zero turns -0 into 0, which reads better and compares equal.
    let value = value + 0.0;
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-5..1e16).contains(&magnitude) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}
