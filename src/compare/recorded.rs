//! Motions that were recorded, another engine's or a camera's, as columns of a comparison.

use std::collections::BTreeMap;

use csv::StringRecord;

use super::{Comparison, Entry, Merit};
use crate::{
    measured_table::{DataFault, InvalidData, MOST_FAULTS, Sheet, rotation, whole_file},
    model::{Attitude, Orientation, Spin, State, Vector, axis_names},
    scenario::Scenario,
    stepper::{BuildStepper, Honours, SolveReport, StepperName},
    trajectory::{Record, StepRecord, Trajectory, turning_columns},
};

/// Largest magnitude that a recorded number may have.
const LARGEST: f64 = 1e12;

/// Part of a step by which times of a recording may be off.
const SAME_TIME: f64 = 1e-6;

/// A row of a recording.
#[derive(Debug, Clone, Copy)]
struct Row<const D: usize> {
    line: u64,
    time: f64,
    state: State<D>,
    attitude: Attitude,
    /// Mean force of the contacts in N from this row to the next one, not a number where it is not told.
    force: Vector<D>,
    torque: Spin,
}

/// Reads a motion of `scenario` in the columns of `trajectory.csv`, in any order: `t`, the position and the velocity, of several
/// bodies and of one that turns their names in `body`, of those that turn the orientation and the spin. Forces and torques
/// are taken where they are there; other columns are left alone. Rows are in the order of time for each body, and reach
/// from 0 to the end of the scenario; between them the motion is linear, and turns evenly. Bodies that stay where they are
/// need no rows. `file` names the text in messages, `stepper` the motion.
///
/// # Errors
/// [`InvalidData`] that names line, column and value of what is wrong.
pub fn read_recorded<const D: usize>(
    scenario: &Scenario<D>,
    stepper: StepperName,
    (file, text): (&str, &str),
) -> Result<Trajectory<D>, InvalidData> {
    let invalid = |mut faults: Vec<DataFault>| {
        faults.truncate(MOST_FAULTS);
        InvalidData { file: file.to_owned(), faults }
    };
    let rows = rows(scenario, text).map_err(invalid)?;
    let faults = gaps(scenario, &rows);
    if !faults.is_empty() {
        return Err(invalid(faults));
    }
    Ok(sampled(scenario, stepper, &rows))
}

/// Where the columns are that a recording of a scenario has.
struct Columns {
    body: Option<usize>,
    time: usize,
    position: Vec<usize>,
    velocity: Vec<usize>,
    orientation: Vec<usize>,
    spin: Vec<usize>,
    force: Vec<usize>,
    torque: Vec<usize>,
}

impl Columns {
    fn of<const D: usize>(scenario: &Scenario<D>, sheet: &Sheet<'_>) -> Result<Self, Vec<DataFault>> {
        let header = &sheet.header;
        let place = |name: &str| header.iter().position(|column| column == name);
        let (named, turns) = (!scenario.layout().is_point(), scenario.has_turning_bodies());
        let axes = axis_names::<D>();
        let with =
            |letter: &str| -> Vec<String> { axes.iter().map(|axis| format!("{letter}{axis}")).collect() };
        let words = |words: &[&str]| -> Vec<String> { words.iter().map(|&word| word.to_owned()).collect() };
        let [orientation, spin, torque] = turning_columns::<D>(turns).map(words);
        let mut needed = words(if named { &["body", "t"] } else { &["t"] });
        needed.extend(with("").into_iter().chain(with("v")).chain(orientation.clone()).chain(spin.clone()));
        let help = format!("the header needs `{}`, in any order", needed.join(","));
        let missing = needed.iter().filter(|name| place(name).is_none()).map(|name| DataFault {
            line: Some(sheet.header_line),
            column: name.clone(),
            value: String::new(),
            message: "the column is missing".to_owned(),
            help: help.clone(),
        });
        let missing: Vec<_> = missing.collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let places =
            |names: &[String]| -> Vec<usize> { names.iter().filter_map(|name| place(name)).collect() };
        let whole = |names: &[String]| {
            Some(places(names)).filter(|places| places.len() == names.len()).unwrap_or_default()
        };
        Ok(Self {
            body: place("body").filter(|_| named),
            time: place("t").unwrap_or(0),
            position: places(&with("")),
            velocity: places(&with("v")),
            orientation: places(&orientation),
            spin: places(&spin),
            force: whole(&with("f")),
            torque: whole(&torque),
        })
    }
}

/// The rows of each body, in order.
fn rows<const D: usize>(scenario: &Scenario<D>, text: &str) -> Result<Vec<Vec<Row<D>>>, Vec<DataFault>> {
    let sheet = Sheet::open(text).map_err(|fault| vec![fault])?;
    if sheet.header.is_empty() {
        let help = "is it the right one? it has the columns of trajectory.csv, and a row per state";
        return Err(vec![whole_file("the file is empty", help.to_owned())]);
    }
    let columns = Columns::of(scenario, &sheet)?;
    let Sheet { header, records, .. } = sheet;
    let bodies: BTreeMap<String, usize> =
        (0..scenario.bodies.len()).map(|body| (scenario.body_name(body), body)).collect();
    let mut rows = vec![Vec::<Row<D>>::new(); scenario.bodies.len()];
    let mut faults = Vec::new();
    for record in records {
        if faults.len() >= MOST_FAULTS {
            break;
        }
        let (line, record) = match record {
            Ok(record) => record,
            Err(fault) => {
                faults.push(fault);
                continue;
            }
        };
        let fault = |place: usize, message: String, help: String| DataFault {
            line: Some(line),
            column: header.get(place).unwrap_or_default().to_owned(),
            value: record.get(place).unwrap_or_default().to_owned(),
            message,
            help,
        };
        let body = match columns.body {
            None => 0,
            Some(place) => {
                let name = record.get(place).unwrap_or_default();
                let Some(body) = bodies.get(name) else {
                    let names: Vec<&str> = bodies.keys().map(String::as_str).collect();
                    let help = format!("the bodies of the scenario are {}", names.join(", "));
                    faults.push(fault(place, "there is no such body in the scenario".to_owned(), help));
                    continue;
                };
                *body
            }
        };
        match Row::read(&record, &columns, line, &fault) {
            Ok(row) if rows[body].last().is_some_and(|last| row.time <= last.time) => faults.push(fault(
                columns.time,
                "the time does not grow".to_owned(),
                "give the rows of a body in the order of time".to_owned(),
            )),
            Ok(row) => rows[body].push(row),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(rows) } else { Err(faults) }
}

impl<const D: usize> Row<D> {
    fn read(
        record: &StringRecord,
        columns: &Columns,
        line: u64,
        fault: &impl Fn(usize, String, String) -> DataFault,
    ) -> Result<Self, DataFault> {
        let number = |place: usize| {
            let value = record.get(place).and_then(|text| text.parse::<f64>().ok());
            value.filter(|value| value.abs() <= LARGEST).ok_or_else(|| {
                fault(place, "this is no number".to_owned(), "give a finite number in SI units".to_owned())
            })
        };
        let all =
            |places: &[usize]| places.iter().map(|&place| number(place)).collect::<Result<Vec<f64>, _>>();
        let vector =
            |values: &[f64]| Vector::<D>::from_fn(|axis, _| values.get(axis).copied().unwrap_or(f64::NAN));
        let spin = |values: &[f64]| Spin::from_fn(|axis, _| values.get(axis).copied().unwrap_or(0.0));
        let orientation = match *all(&columns.orientation)?.as_slice() {
            [angle] => Orientation::Angle(angle),
            [w, x, y, z] => Orientation::Quaternion(rotation([w, x, y, z]).map_err(|length| {
                let message = format!("the quaternion has the length {length}");
                fault(columns.orientation[0], message, "give qw,qx,qy,qz of length 1".to_owned())
            })?),
            _ => Orientation::upright::<D>(),
        };
        // The last row of a run has none, and other programs know none.
        let told = |places: &[usize]| all(places).unwrap_or_default();
        Ok(Self {
            line,
            time: number(columns.time)?,
            state: State {
                position: vector(&all(&columns.position)?),
                velocity: vector(&all(&columns.velocity)?),
            },
            attitude: Attitude { orientation, spin: spin(&all(&columns.spin)?) },
            force: vector(&told(&columns.force)),
            torque: spin(&told(&columns.torque)),
        })
    }

    /// The motion at a time between this row and the next one.
    fn towards(&self, next: &Self, time: f64) -> (State<D>, Attitude) {
        let share = ((time - self.time) / (next.time - self.time)).clamp(0.0, 1.0);
        let state = State {
            position: self.state.position.lerp(&next.state.position, share),
            velocity: self.state.velocity.lerp(&next.state.velocity, share),
        };
        let orientation = match (self.attitude.orientation, next.attitude.orientation) {
            (Orientation::Angle(from), Orientation::Angle(to)) => {
                Orientation::Angle(from + share * (to - from))
            }
            (Orientation::Quaternion(from), Orientation::Quaternion(to)) => {
                Orientation::Quaternion(from.try_slerp(&to, share, 1e-12).unwrap_or(from))
            }
            (from, _) => from,
        };
        (state, Attitude { orientation, spin: self.attitude.spin.lerp(&next.attitude.spin, share) })
    }
}

/// What of the scenario a recording leaves out: bodies, and times at the start and the end.
fn gaps<const D: usize>(scenario: &Scenario<D>, rows: &[Vec<Row<D>>]) -> Vec<DataFault> {
    let (time, off) = (scenario.time(), SAME_TIME * scenario.step);
    let end = time.at(time.steps);
    let mut faults = Vec::new();
    for (body, rows) in rows.iter().enumerate() {
        let name = scenario.body_name(body);
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            if !scenario.bodies[body].stays() {
                faults.push(DataFault {
                    line: None,
                    column: "body".to_owned(),
                    value: name,
                    message: "there is no row of this body".to_owned(),
                    help: "record every body that moves".to_owned(),
                });
            }
            continue;
        };
        let fault = |row: &Row<D>, message: String, help: String| DataFault {
            line: Some(row.line),
            column: "t".to_owned(),
            value: row.time.to_string(),
            message,
            help,
        };
        if first.time > off {
            let message = format!("the rows of {name} begin here, and the scenario at 0 s");
            faults.push(fault(first, message, "record from 0 s on, or shift the times".to_owned()));
        }
        if last.time < end - off {
            let message = format!("the rows of {name} end here, and the scenario at {end} s");
            let help = format!("record up to {end} s, or compare with --set duration={}", last.time);
            faults.push(fault(last, message, help));
        }
    }
    faults
}

/// The motion at the steps of the scenario.
fn sampled<const D: usize>(
    scenario: &Scenario<D>,
    stepper: StepperName,
    rows: &[Vec<Row<D>>],
) -> Trajectory<D> {
    let mut trajectory = Trajectory::start(scenario, stepper, Honours::default());
    let time = scenario.time();
    let turns = scenario.has_turning_bodies();
    for (body, motion) in trajectory.bodies.iter_mut().enumerate() {
        let rows = &rows[body];
        let (start, attitude) = (motion.states[0], motion.attitudes.first().copied());
        motion.states.clear();
        motion.attitudes.clear();
        for k in 0..=time.steps {
            let at = time.at(k);
            // The row whose step this is: the last one that is not later, but for rounding.
            let here = rows.partition_point(|row| row.time <= at + SAME_TIME * scenario.step).checked_sub(1);
            let here = here.and_then(|here| Some((rows.get(here)?, rows.get(here + 1))));
            let (state, own) = match here {
                None => (
                    rows.first().map_or(start, |row| row.state),
                    rows.first().map(|row| row.attitude).or(attitude),
                ),
                Some((row, None)) => (row.state, Some(row.attitude)),
                Some((row, Some(next))) => {
                    let (state, attitude) = row.towards(next, at);
                    (state, Some(attitude))
                }
            };
            motion.states.push(state);
            motion.attitudes.extend(own.filter(|_| turns));
            if k < time.steps {
                let unknown = Vector::from_element(f64::NAN);
                let force = here.map_or(unknown, |(row, _)| row.force);
                motion.steps.push(Record { push: scenario.mean_push(body, k), force, driven_work: 0.0 });
                if turns {
                    motion.torques.push(here.map_or_else(Spin::zeros, |(row, _)| row.torque));
                    let pushes = scenario.pushes.iter().filter(|push| push.acts_on(body));
                    let torque = |attitude: Attitude| {
                        pushes.map(|push| push.torque_at_step(k, scenario.step, &attitude)).sum::<Spin>()
                    };
                    motion.push_torques.push(own.map_or_else(Spin::zeros, torque));
                }
            }
        }
    }
    for _ in 0..time.steps {
        let (report, search) = (SolveReport::CLOSED_FORM, Default::default());
        trajectory.steps.push(StepRecord { report, search, impact: None, nanoseconds: 0 });
        trajectory.contacts.add_step(&[]);
    }
    trajectory
}

impl<const D: usize> Comparison<D>
where
    Scenario<D>: BuildStepper<D>,
{
    /// Sets a motion that was recorded beside those of the steppers, behind them. It is measured as they are, and is no part
    /// of their mean.
    pub fn add_recorded(&mut self, trajectory: Trajectory<D>) {
        let merit = Merit::of(&trajectory, self.truth.as_ref());
        self.entries.push(Entry { trajectory, merit, detection: None });
        self.set_apart();
    }
}
