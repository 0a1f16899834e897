//! What the files of results hold: every column and every figure of merit, with its unit and its meaning.

use std::fmt::Write as _;

use crate::{
    compare::Merit,
    metrics::{BodyMetrics, Measured, Metric, Metrics},
};

/// A file of results.
pub struct ResultFile {
    /// Its name.
    pub name: &'static str,
    /// The command that writes it.
    pub command: &'static str,
    /// What a row of it is.
    pub row: &'static str,
    /// Its columns, some of which are there only where they mean something.
    pub columns: &'static [Column],
}

/// A column, or several that belong together.
pub struct Column {
    /// The names, in the plane and in space.
    pub names: &'static [&'static str],
    /// The unit; empty for words and pure numbers.
    pub unit: &'static str,
    /// What it says.
    pub meaning: &'static str,
}

const fn column(names: &'static [&'static str], unit: &'static str, meaning: &'static str) -> Column {
    Column { names, unit, meaning }
}

const STEP: Column = column(&["step"], "", "number k of the step, from 0");
const TIME: Column = column(&["t"], "s", "time t_k at which the step begins");
const STEPPER: Column = column(&["stepper"], "", "name of the stepper");

/// The files, in the order of the commands.
pub const FILES: &[ResultFile] = &[
    ResultFile {
        name: "trajectory.csv",
        command: "run",
        row: "a body at a time t_k, with the step that follows; the last row has no step",
        columns: &[
            column(&["body"], "", "name of the body; not of a point alone"),
            STEP,
            TIME,
            column(&["x", "y", "z"], "m", "centre of mass"),
            column(&["angle"], "rad", "orientation in the plane, counter-clockwise in the (x, z) plane"),
            column(&["qw", "qx", "qy", "qz"], "", "orientation in space: unit quaternion from body to world"),
            column(&["vx", "vy", "vz"], "m/s", "velocity of the centre of mass"),
            column(&["spin"], "rad/s", "angular velocity in the plane"),
            column(&["wx", "wy", "wz"], "rad/s", "angular velocity in space, in the axes of the body"),
            column(&["fx", "fy", "fz"], "N", "mean contact force of the step on the body"),
            column(&["torque"], "N m", "mean torque of the contacts about the centre of mass"),
            column(&["tx", "ty", "tz"], "N m", "the same in space, in the axes of the world"),
            column(&["ux", "uy", "uz"], "N", "push of the step"),
            column(&["energy"], "J", "kinetic and potential energy of the body"),
            column(
                &["status"],
                "",
                "solved, rescued (by another solver, to the same tolerance), uncertified (the motion is not that of what touches) or failed",
            ),
            column(&["iterations"], "", "iterations of the solver"),
            column(&["residual"], "", "residual of the step, recomputed and not the solver's word"),
            column(
                &["s1", "s2", "lambda"],
                "",
                "of a point by nlp: the slacks of its program, and the slip by its multiplier",
            ),
        ],
    },
    ResultFile {
        name: "contacts.csv",
        command: "run",
        row: "a contact in a step",
        columns: &[
            STEP,
            TIME,
            column(&["first", "second"], "", "who touches: body, and body, wall or ground"),
            column(&["x", "y", "z"], "m", "where"),
            column(&["nx", "ny", "nz"], "", "unit normal, towards the first"),
            column(&["gap"], "m", "distance when the step begins, negative where they overlap"),
            column(&["fn"], "N", "mean normal force of the step"),
            column(&["ft"], "N", "mean friction in the plane, along the tangent"),
            column(&["ftx", "fty", "ftz"], "N", "mean friction in space, in the axes of the world"),
            column(&["mode"], "", "open, stick or slip"),
            column(&["gap_end"], "m", "true distance when the step ends, from the geometry evaluated anew"),
        ],
    },
    ResultFile {
        name: "joints.csv",
        command: "run",
        row: "a joint in a step",
        columns: &[
            STEP,
            TIME,
            column(&["joint"], "", "kind and number of the joint"),
            column(&["coordinate"], "rad or m", "angle or way along the axis at t_k"),
            column(&["rate"], "rad/s or m/s", "its rate"),
            column(&["fx", "fy", "fz"], "N", "mean force of the step on the second body"),
            column(&["torque"], "N m", "its torque about the point of the joint, in the plane"),
            column(&["tx", "ty", "tz"], "N m", "the same in space, in the axes of the world"),
            column(&["drive", "friction", "limit"], "N m or N", "what these do along the coordinate"),
            column(&["gap"], "m", "distance of the two points at t_k"),
        ],
    },
    ResultFile {
        name: "detections.csv",
        command: "run --detect",
        row: "a step in which the laws of rigid contact leave something open",
        columns: &[
            STEPPER,
            STEP,
            TIME,
            column(&["stage"], "", "gap, or impact"),
            column(&["contacts"], "", "the pairs that touch, separated by `;`"),
            column(&["solutions"], "", "how many there are"),
            column(
                &["modes"],
                "",
                "what each contact does, joined by `&`, solution by solution, separated by `;`",
            ),
            column(
                &["taken"],
                "",
                "number of the one that the stepper took, from 1; empty if none of them was",
            ),
            column(&["forces"], "", "determined or indeterminate"),
            column(
                &["beyond"],
                "",
                "infinite where infinitely many lie between these, undecided where there may be more",
            ),
        ],
    },
    ResultFile {
        name: "events.csv",
        command: "compare",
        row: "an event of the exact motion",
        columns: &[
            column(&["t"], "s", "when"),
            column(&["event"], "", "impact, stick, slip, lift-off and others"),
            column(&["impulse_x", "impulse_y", "impulse_z"], "N s", "impulse of an impact"),
        ],
    },
    ResultFile {
        name: "partings.csv",
        command: "compare",
        row: "two steppers, and where their motions part",
        columns: &[
            column(&["a", "b"], "", "the steppers"),
            column(&["step"], "", "first step in which they are further apart than the tolerance"),
            column(&["t"], "s", "its time"),
            column(&["distance"], "m", "how far they are apart then"),
            column(&["mode_a", "mode_b"], "", "what the contacts do in each"),
            column(&["max_distance"], "m", "how far they get apart in all"),
        ],
    },
    ResultFile {
        name: "convergence.csv",
        command: "convergence",
        row: "a stepper at a step length",
        columns: &[
            STEPPER,
            column(&["step"], "s", "length of the step"),
            column(&["rms_error"], "m", "root mean square of the distance from the reference"),
            column(&["final_error_x", "final_error_y", "final_error_z"], "m", "error at the end"),
            column(&["max_error_x", "max_error_y", "max_error_z"], "m", "largest error on the way"),
            column(&["outcome"], "", "how the run ended"),
            column(&["order"], "", "order that was fitted to the errors of the stepper"),
            column(&["model_error"], "m", "error that no shorter step takes away"),
            column(&["reference"], "", "what the errors are measured against"),
        ],
    },
    ResultFile {
        name: "gradient.csv",
        command: "gradient",
        row: "a derivative by a stepper and a method",
        columns: &[
            STEPPER,
            column(&["method"], "", "tangents of the stepper's own step, corrected, differences, ..."),
            column(&["of", "wrt"], "", "the result, and the number it is differentiated by"),
            column(&["value"], "of the result", "the result"),
            column(&["gradient"], "of the result over that of the number", "the derivative"),
            column(&["exact"], "the same", "that of the exact motion, where it is known"),
            column(&["difference"], "the same", "how far the two are apart"),
            column(&["finite_difference"], "the same", "central difference on the same branch, with --check"),
            column(
                &["valid_within"],
                "of the number",
                "how far it may change before a step takes another branch",
            ),
            column(&["bias"], "", "relative error"),
            column(&["state"], "", "ok, biased, zero, one-sided, indeterminate, unchecked or exploding"),
            column(
                &["trend"],
                "of the derivative",
                "central difference across the branches, over the spacing of kinks, with --check",
            ),
            column(&["left", "right"], "of the derivative", "the derivatives from both sides of a kink"),
            column(&["otherwise_shared"], "", "the derivative where bodies share a load in another way"),
        ],
    },
    ResultFile {
        name: "kinks.csv",
        command: "gradient",
        row: "a place close by at which a step takes another branch",
        columns: &[
            STEPPER,
            STEP,
            TIME,
            column(&["event"], "", "what happens there"),
            column(&["kind"], "", "kink or jump"),
            column(&["wrt"], "", "the number that is changed"),
            column(&["distance"], "of the number", "how far it is away"),
            column(&["left", "right"], "of the derivative", "the derivatives on both sides"),
            column(&["of"], "", "the result"),
        ],
    },
    ResultFile {
        name: "errors.csv",
        command: "predict",
        row: "a recorded throw, or a window of it, by a stepper",
        columns: &[
            STEPPER,
            column(&["toss"], "", "number of the throw"),
            column(
                &["from", "judged", "to"],
                "s",
                "with windows: where it starts, from where it is judged, where it ends",
            ),
            column(
                &["position", "final_position"],
                "of the body's size, of a point m",
                "mean error, and that of the last row",
            ),
            column(&["rotation", "final_rotation"], "degrees", "the same of the orientation"),
        ],
    },
];

/// All that is known of a file, a column or a figure of that name; none if there is none.
pub fn explain(subject: &str) -> Option<String> {
    let mut text = String::new();
    for file in FILES {
        if file.name == subject {
            write_file(file, &mut text);
        }
        for column in file.columns.iter().filter(|column| column.names.contains(&subject)) {
            let _ = writeln!(text, "{subject} in {}: {}{}", file.name, column.meaning, in_unit(column.unit));
        }
    }
    for (key, unit, meaning, place) in figures() {
        if key == subject {
            let _ = writeln!(text, "{key} in {place}: {meaning}{}", in_unit(unit));
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The page of all files and figures, in Markdown.
pub fn page() -> String {
    let mut text = String::from(
        "# What the files of results hold\n\nPrinted by `stickslip explain results`. `stickslip explain NAME` tells of one file, \
         column or figure. Columns are there where they mean something; an empty field is a number that is not known. \
         Vectors have `_x, _y, _z` or `x, y, z`, in the plane without y.\n",
    );
    for file in FILES {
        let _ = write!(
            text,
            "\n## {}\n\nBy `{}`. A row is {}.\n\n| column | unit | |\n|---|---|---|\n",
            file.name, file.command, file.row
        );
        for column in file.columns {
            let names = column.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let _ = writeln!(text, "| {names} | {} | {} |", column.unit, column.meaning);
        }
    }
    text += "\n## Figures of merit\n\nUnder `metrics` of `summary.json`, in `metrics.csv` of a comparison, as metrics of a sweep; what \
             has an axis gets `_x` and so on.\n\n| figure | unit | of | |\n|---|---|---|---|\n";
    for (key, unit, meaning, place) in figures() {
        let _ = writeln!(text, "| `{key}` | {unit} | {place} | {meaning} |");
    }
    text
}

fn write_file(file: &ResultFile, text: &mut String) {
    let _ = writeln!(text, "{}, by `{}`: a row is {}", file.name, file.command, file.row);
    for column in file.columns {
        let _ = writeln!(text, "  {}: {}{}", column.names.join(", "), column.meaning, in_unit(column.unit));
    }
}

fn in_unit(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" [{unit}]") }
}

type Figure = (&'static str, &'static str, &'static str, &'static str);

/// Name, unit, meaning and place of all figures of merit.
fn figures() -> impl Iterator<Item = Figure> {
    fn of<S: Measured<2>>(place: &'static str) -> impl Iterator<Item = Figure> {
        S::TABLE.iter().map(move |Metric { key, unit, meaning, .. }| (*key, *unit, *meaning, place))
    }
    of::<Metrics<2>>("the run")
        .chain(of::<BodyMetrics<2>>("each body"))
        .chain(of::<Merit<2>>("a stepper in a comparison"))
}
