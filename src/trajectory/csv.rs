use std::io::{self, Write};

use super::Trajectory;
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
    let body = trajectory.scenario.body();
    let mut csv = csv::WriterBuilder::new().flexible(true).from_writer(out);
    csv.write_record(header::<D>(has_multipliers))?;
    for (k, state) in trajectory.states.iter().enumerate() {
        let step = trajectory.steps.get(k);
        csv.write_field(k.to_string())?;
        write_number(&mut csv, Some(trajectory.time(k)))?;
        write_vector(&mut csv, Some(&state.position))?;
        write_vector(&mut csv, Some(&state.velocity))?;
        write_vector(&mut csv, step.map(|step| &step.force))?;
        write_vector(&mut csv, step.map(|step| &step.push))?;
        write_number(&mut csv, Some(body.energy(state)))?;
        csv.write_field(step.map_or("", |step| step.report.status.as_str()))?;
        csv.write_field(step.map_or(String::new(), |step| step.report.iterations.to_string()))?;
        write_number(&mut csv, step.map(|step| step.report.residual))?;
        if has_multipliers {
            let nlp = step.and_then(|step| step.report.nlp);
            write_number(&mut csv, nlp.map(|nlp| nlp.s1))?;
            write_number(&mut csv, nlp.map(|nlp| nlp.s2))?;
            write_number(&mut csv, nlp.map(|nlp| nlp.lambda))?;
        }
        csv.write_record(None::<&[u8]>)?;
    }
    csv.flush()
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
