//! `start_from`: the file of the pushes that a search starts from.

use std::path::Path;

use csv::StringRecord;

use super::{Interval, Node, Reader, shown};
use crate::{
    measured_table::{DataFault, MOST_FAULTS, Sheet, miscounted, whole_file},
    plan::{
        files::pushes_header,
        given_start::{GivenPushes, PushWindow, given_start},
        program::{Program, Sought},
        search::levels,
        task::PlanTask,
        units::Units,
    },
    watch::Watch,
};

/// Largest file in bytes.
const MOST_BYTES: u64 = 10_000_000;

/// By how much pushes may be beyond their limits, in units of the plan: solvers go as far as that.
const ROUNDING: f64 = 1e-6;

/// By how much, as a part of the time itself, a window may begin before the one in front of it ends.
const SAME_TIME: f64 = 1e-9;

/// How many columns there are in front of those of the pushes.
const TIMES: usize = 3;

impl Reader<'_> {
    /// The pushes that `start_from` names, looked for from `folder`, if the simulator gets through them.
    pub(super) fn start_from(&mut self, node: &Node, folder: &Path, task: &PlanTask) -> Option<GivenPushes> {
        let key = "start_from";
        let file = self.word(node, key, "start_from = \"pushes.csv\"")?;
        if task.controls.is_empty() {
            let message = format!("`{key}` is given, and there is no [[control]] that pushes");
            self.fault(&node.source, key, message, "remove it, or add [[control]]");
            return None;
        }
        let path = folder.join(file);
        let read = text_of(&path).map_err(|fault| vec![fault]).and_then(|text| windows(&text, task));
        let names = format!("`{key}` names `{}`", path.display());
        let windows = match read {
            Ok(windows) => windows,
            Err(faults) => {
                for fault in faults {
                    self.fault(&node.source, key, format!("{names}: {fault}"), &fault.help);
                }
                return None;
            }
        };
        let given = GivenPushes { windows };
        if let Err(reason) = simulated(task, &given) {
            let message = format!("{names}, and the simulator does not get through these pushes: {reason}");
            let help = "take more `steps`, or give smaller pushes; without the key the straight way to the goal is the start";
            self.fault(&node.source, key, message, help);
            return None;
        }
        Some(given)
    }
}

/// Whether the simulator gets through the pushes at the steps of the plan, or why not.
fn simulated(task: &PlanTask, given: &GivenPushes) -> Result<(), String> {
    let steps = levels(task.steps).last().copied().unwrap_or(task.steps);
    let task = PlanTask { start_from: Some(given.clone()), ..task.with_steps(steps) };
    given_start(&Program::new(&task, Sought::Cost), &Watch::none())
        .map_or(Ok(()), |motion| motion.map(|_| ()))
}

/// The text of a file of pushes.
fn text_of(path: &Path) -> Result<String, DataFault> {
    let beside =
        "give the path of a pushes.csv that `stickslip plan` wrote, from the folder of the plan file";
    let refused = |message: &str| whole_file(message, beside.to_owned());
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => refused("there is no such file"),
        std::io::ErrorKind::InvalidData => {
            whole_file("it is not UTF-8 text", "save it as plain CSV in UTF-8".to_owned())
        }
        _ => refused(&format!("it cannot be read: {error}")),
    };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        return Err(refused("it is no file"));
    }
    if about.len() > MOST_BYTES {
        return Err(refused(&format!("it has more than {MOST_BYTES} bytes")));
    }
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

/// The rows of a file of pushes in the columns of [`write_pushes`](crate::plan::write_pushes), in any order.
fn windows(text: &str, task: &PlanTask) -> Result<Vec<PushWindow>, Vec<DataFault>> {
    let Sheet { header, header_line, records } = Sheet::open(text).map_err(|fault| vec![fault])?;
    let places = places(&header, header_line, task).map_err(|fault| vec![fault])?;
    let mut windows: Vec<PushWindow> = Vec::new();
    let mut faults = Vec::new();
    for record in records {
        if faults.len() >= MOST_FAULTS {
            break;
        }
        let row = record.and_then(|(line, record)| {
            Row { line, record: &record, header: &header, places: &places }.window(task, windows.last())
        });
        match row {
            Ok(window) => windows.push(window),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() && windows.is_empty() {
        let help =
            "give a row for each push: its number, when it begins and ends in s, forces in N, torques in N m";
        faults.push(whole_file("there is no row under the header", help.to_owned()));
    }
    if faults.is_empty() { Ok(windows) } else { Err(faults) }
}

/// Where the columns of the file stand, in the order in which plans write them.
fn places(header: &StringRecord, line: u64, task: &PlanTask) -> Result<Vec<usize>, DataFault> {
    let wanted = pushes_header(task);
    let help = format!(
        "the header is `{}`, in any order: for each [[control]], counted from 0, its force in N and its torque in N m",
        wanted.join(",")
    );
    let fault = |column: &str, message: &str| DataFault {
        line: Some(line),
        column: column.to_owned(),
        value: String::new(),
        message: message.to_owned(),
        help: help.clone(),
    };
    if header.is_empty() {
        return Err(whole_file("the file is empty", help));
    }
    for (index, title) in header.iter().enumerate() {
        if !wanted.iter().any(|name| name == title) {
            return Err(fault(title, "there is no such push in this plan"));
        }
        if header.iter().take(index).any(|earlier| earlier == title) {
            return Err(fault(title, "there are two columns of this name"));
        }
    }
    let place = |name: &String| {
        header.iter().position(|title| title == name).ok_or_else(|| fault(name, "the column is missing"))
    };
    wanted.iter().map(place).collect()
}

/// A row of the file.
struct Row<'a> {
    line: u64,
    record: &'a StringRecord,
    header: &'a StringRecord,
    /// Where the columns stand, in the order in which plans write them.
    places: &'a [usize],
}

impl Row<'_> {
    /// What it says, where the window in front of it is that.
    fn window(&self, task: &PlanTask, before: Option<&PushWindow>) -> Result<PushWindow, DataFault> {
        if let Some(fault) = miscounted(self.record, self.line, self.header) {
            return Err(fault);
        }
        let numbers = (0..self.places.len()).map(|column| self.number(column));
        let numbers = numbers.collect::<Result<Vec<f64>, _>>()?;
        let [from, to] = [numbers[1], numbers[2]];
        let begin = before.map_or(0.0, |window| window.to);
        if from < begin - SAME_TIME * begin {
            let message = format!("it begins before {begin} s, when the push in front of it ends");
            return Err(self.fault(1, message, "give the rows in the order of time, from 0 s on"));
        }
        if to <= from {
            let message = format!("it ends no later than it begins, at {from} s");
            return Err(self.fault(2, message, "let it end later, or leave the row out"));
        }
        self.held_to_limits(task, &numbers[TIMES..])?;
        let pushes = numbers[TIMES..].chunks_exact(3).map(|push| [push[0], push[1], push[2]]).collect();
        Ok(PushWindow { from, to, pushes })
    }

    /// The number in a column.
    fn number(&self, column: usize) -> Result<f64, DataFault> {
        let number = self.text(column).parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| {
            self.fault(
                column,
                "this is not a finite number".to_owned(),
                "write a number such as 0.25 or 1e-3",
            )
        })
    }

    /// That all pushes are such as the controls may take.
    fn held_to_limits(&self, task: &PlanTask, pushes: &[f64]) -> Result<(), DataFault> {
        let units = Units::of(task);
        for (at, value) in pushes.iter().enumerate() {
            let (control, part) = (at / 3, at % 3);
            let limits: Interval = task.controls[control].bounds()[part];
            let room = ROUNDING * units.of_push(part);
            if (limits[0] - room..=limits[1] + room).contains(value) {
                continue;
            }
            let (key, unit) = if part < 2 { ("force", "N") } else { ("torque", "N m") };
            let message =
                format!("it is not within {} {unit}, as `control[{control}].{key}` has it", shown(limits));
            let help = format!("bring it there, or give `{key}` of that [[control]] more room");
            return Err(self.fault(TIMES + at, message, &help));
        }
        Ok(())
    }

    fn text(&self, column: usize) -> &str {
        self.record.get(self.places[column]).unwrap_or_default()
    }

    fn fault(&self, column: usize, message: String, help: &str) -> DataFault {
        DataFault {
            line: Some(self.line),
            column: self.header.get(self.places[column]).unwrap_or_default().to_owned(),
            value: self.text(column).to_owned(),
            message,
            help: help.to_owned(),
        }
    }
}
