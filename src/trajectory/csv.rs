use std::{
    io::{self, Write},
    num::NonZeroUsize,
};

use super::{
    CsvWriter, Motion, Passage, Record, StepRecord, Trajectory,
    fields::{Fields, quoted},
};
use crate::{
    model::{Attitude, Orientation, PointMass, Spin, State, Vector, axis_names},
    scenario::{Moments, Scenario},
    stepper::StepperName,
};

/// Writes a trajectory as CSV: a header, then a row per body and state in full double precision.
///
/// Columns of a single point: `step,t`, position in m, velocity in m/s, mean contact force of the step
/// in N, push in N, energy in J, `status,iterations,residual`, and for the nonlinear program
/// `s1,s2,lambda`. Row `k` holds the state at `t_k` and the force of the step `k -> k+1`; the last row
/// has no step, and its step columns are empty.
///
/// Several bodies, or one that turns, have their name, `body`, in front, and the orientation after the
/// position (`angle` in rad, or the quaternion `qw,qx,qy,qz` from body to world), the rate of rotation
/// after the velocity (`spin`, or `wx,wy,wz` in the axes of the body), the torque of the contacts about
/// the centre of mass after the force (`torque`, or `tx,ty,tz`). The rows of one time come together, in
/// the order of the bodies.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_csv<const D: usize>(trajectory: &Trajectory<D>, out: impl Write) -> io::Result<()> {
    write_csv_every(trajectory, NonZeroUsize::MIN, out)
}

/// Writes a trajectory as [`write_csv`] does, but of the states only every `every`-th, and the last.
///
/// A row is what it is there: its force is that of the one step that follows.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_csv_every<const D: usize>(
    trajectory: &Trajectory<D>,
    every: NonZeroUsize,
    out: impl Write,
) -> io::Result<()> {
    let mut writer = RowWriter::new(&trajectory.scenario, trajectory.stepper, out)?;
    let last = trajectory.steps.len();
    for k in (0..last).step_by(every.get()).chain([last]) {
        for (body, Motion { states, attitudes, steps, torques, .. }) in trajectory.bodies.iter().enumerate() {
            let Some(state) = states.get(k) else { continue };
            let step = steps.get(k).map(|record| (record, torques.get(k), &trajectory.steps[k]));
            writer.row(body, k, state, attitudes.get(k), step)?;
        }
    }
    writer.flush()
}

/// Writes `trajectory.csv` row by row, in the columns of [`write_csv`].
pub type RowWriter<'a, const D: usize, W> = CsvWriter<StateColumns<'a, D>, W>;

/// What the rows of `trajectory.csv` are made of.
pub struct StateColumns<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    points: Vec<PointMass<D>>,
    moments: Moments,
    has_bodies: bool,
    has_multipliers: bool,
    /// By number of the body, as fields of CSV.
    names: Vec<String>,
}

impl<'a, const D: usize, W: Write> RowWriter<'a, D, W> {
    /// Writes the header; with `s1,s2,lambda` where the stepper gives multipliers.
    ///
    /// # Errors
    /// Whatever `out` answers.
    pub fn new(scenario: &'a Scenario<D>, stepper: StepperName, out: W) -> io::Result<Self> {
        let has_multipliers = scenario.layout().is_point() && stepper.gives_multipliers();
        let has_bodies = !scenario.layout().is_point();
        let fields = Fields::new(&header::<D>(has_bodies, has_multipliers), out)?;
        let bodies = 0..scenario.bodies.len();
        let points = bodies.clone().map(|body| scenario.point(body)).collect();
        let names = bodies.map(|body| quoted(&scenario.body_name(body))).collect();
        let moments = Moments::of(&scenario.bodies);
        let columns = StateColumns { scenario, points, moments, has_bodies, has_multipliers, names };
        Ok(Self { columns, fields })
    }

    /// Writes the row of body `body` at `t_k`: its state, and what happened in the step `k -> k+1`.
    ///
    /// # Errors
    /// Whatever the file answers.
    pub fn row(
        &mut self,
        body: usize,
        k: usize,
        state: &State<D>,
        attitude: Option<&Attitude>,
        step: Option<(&Record<D>, Option<&Spin>, &StepRecord)>,
    ) -> io::Result<()> {
        let turns = self.columns.has_bodies;
        if turns {
            self.fields.text(&self.columns.names[body])?;
        }
        self.fields.count(Some(k))?;
        self.fields.number(Some(self.columns.scenario.time().at(k)))?;
        self.vector(Some(&state.position))?;
        if turns {
            let orientation =
                attitude.map_or_else(Orientation::upright::<D>, |attitude| attitude.orientation);
            match orientation {
                Orientation::Angle(angle) => self.fields.number(Some(angle))?,
                Orientation::Quaternion(turn) => {
                    [turn.w, turn.i, turn.j, turn.k]
                        .into_iter()
                        .try_for_each(|part| self.fields.number(Some(part)))?;
                }
            }
        }
        self.vector(Some(&state.velocity))?;
        if turns {
            self.spin(Some(&attitude.map_or_else(Spin::zeros, |attitude| attitude.spin)))?;
        }
        self.vector(step.map(|(record, ..)| &record.force))?;
        if turns {
            self.spin(step.map(|(_, torque, _)| torque.copied().unwrap_or_default()).as_ref())?;
        }
        self.vector(step.map(|(record, ..)| &record.push))?;
        let turning = attitude.map_or(0.0, |attitude| self.columns.moments.energy(body, attitude));
        self.fields.number(Some(self.columns.points[body].energy(state) + turning))?;
        let report = step.map(|(.., step)| &step.report);
        self.fields.text(report.map_or("", |report| report.status.as_str()))?;
        self.fields.count(report.map(|report| report.iterations as usize))?;
        self.fields.number(report.map(|report| report.residual))?;
        if self.columns.has_multipliers {
            let nlp = report.and_then(|report| report.nlp);
            self.fields.number(nlp.map(|nlp| nlp.s1))?;
            self.fields.number(nlp.map(|nlp| nlp.s2))?;
            self.fields.number(nlp.map(|nlp| nlp.lambda))?;
        }
        self.fields.end_row()
    }

    /// Writes the rows of all bodies at the start of a step, and what happened in it.
    ///
    /// # Errors
    /// Whatever the file answers.
    pub fn rows(&mut self, passage: &Passage<'_, D>) -> io::Result<()> {
        for (body, record) in passage.records.iter().enumerate() {
            let step = Some((record, passage.torques.get(body), passage.step));
            let [state, _] = passage.states.map(|states| &states[body]);
            self.row(body, passage.index, state, passage.attitudes[0].get(body), step)?;
        }
        Ok(())
    }

    fn vector(&mut self, vector: Option<&Vector<D>>) -> io::Result<()> {
        (0..D).try_for_each(|i| self.fields.number(vector.map(|vector| vector[i])))
    }

    /// A rate of rotation or a torque: one number in the plane.
    fn spin(&mut self, spin: Option<&Spin>) -> io::Result<()> {
        let components = if D == 2 { 1 } else { 3 };
        (0..components).try_for_each(|i| self.fields.number(spin.map(|spin| spin[i])))
    }
}

/// The columns of the orientation, the spin and the torque of bodies, if they turn.
pub(crate) fn turning_columns<const D: usize>(turns: bool) -> [&'static [&'static str]; 3] {
    match (turns, D) {
        (false, _) => [&[], &[], &[]],
        (true, 2) => [&["angle"], &["spin"], &["torque"]],
        (true, _) => [&["qw", "qx", "qy", "qz"], &["wx", "wy", "wz"], &["tx", "ty", "tz"]],
    }
}

fn header<const D: usize>(has_bodies: bool, has_multipliers: bool) -> Vec<String> {
    let turning = turning_columns::<D>(has_bodies);
    let mut columns: Vec<String> = if has_bodies { vec!["body".to_owned()] } else { Vec::new() };
    columns.extend(["step", "t"].map(str::to_owned));
    for (prefix, turning) in ["", "v", "f", "u"].into_iter().zip(turning.into_iter().chain([&[][..]])) {
        columns.extend(axis_names::<D>().iter().map(|axis| format!("{prefix}{axis}")));
        columns.extend(turning.iter().map(|name| (*name).to_owned()));
    }
    columns.extend(["energy", "status", "iterations", "residual"].map(str::to_owned));
    if has_multipliers {
        columns.extend(["s1", "s2", "lambda"].map(str::to_owned));
    }
    columns
}
