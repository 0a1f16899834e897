//! The tables that commands write as CSV.

use super::{Column, ResultFile, column};

fn step() -> Column {
    column(&["step"], "", "number k of the step, from 0")
}

fn time() -> Column {
    column(&["t"], "s", "time t_k at which the step begins")
}

fn stepper() -> Column {
    column(&["stepper"], "", "name of the stepper")
}

/// A row of a motion.
fn of_trajectory() -> Vec<Column> {
    vec![
        column(&["body"], "", "name of the body; not of a point alone"),
        step(),
        time(),
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
            "solved, rescued (by a later attempt; `residual` says how well), uncertified (the motion is not that of what touches) or failed",
        ),
        column(&["iterations"], "", "iterations of the solver"),
        column(&["residual"], "", "residual of the step, recomputed and not the solver's word"),
        column(
            &["s1", "s2", "lambda"],
            "",
            "of a point by nlp: the slacks of its program, and the slip by its multiplier",
        ),
    ]
}

/// The tables whose columns do not follow from the figures of merit, in the order of the commands.
pub(super) fn tables() -> Vec<ResultFile> {
    vec![
        ResultFile::table(
            "trajectory.csv",
            "run",
            "a body at a time t_k, with the step that follows; the last row has no step",
            of_trajectory(),
        ),
        ResultFile::table(
            "trajectory.partial.csv",
            "run",
            "the same of a run that failed or was interrupted, as far as it got; trajectory.csv is of a run to its end",
            of_trajectory(),
        ),
        ResultFile::table(
            "contacts.csv",
            "run",
            "a contact in a step",
            vec![
                step(),
                time(),
                column(&["first", "second"], "", "who touches: body, and body, wall or ground"),
                column(&["x", "y", "z"], "m", "where"),
                column(&["nx", "ny", "nz"], "", "unit normal, towards the first"),
                column(&["gap"], "m", "distance when the step begins, negative where they overlap"),
                column(&["fn"], "N", "mean normal force of the step"),
                column(
                    &["ft"],
                    "N",
                    "mean friction on the first in the plane, along the tangent `(nz, -nx)`",
                ),
                column(&["ftx", "fty", "ftz"], "N", "mean friction in space, in the axes of the world"),
                column(&["mode"], "", "open, stick or slip"),
                column(
                    &["gap_end"],
                    "m",
                    "true distance when the step ends, from the geometry evaluated anew",
                ),
            ],
        ),
        ResultFile::table(
            "joints.csv",
            "run",
            "a joint in a step",
            vec![
                step(),
                time(),
                column(&["joint"], "", "kind and number of the joint"),
                column(&["coordinate"], "rad or m", "angle or way along the axis at t_k"),
                column(&["rate"], "rad/s or m/s", "its rate"),
                column(&["fx", "fy", "fz"], "N", "mean force of the step on the second body"),
                column(&["torque"], "N m", "its torque about the point of the joint, in the plane"),
                column(&["tx", "ty", "tz"], "N m", "the same in space, in the axes of the world"),
                column(&["drive", "friction", "limit"], "N m or N", "what these do along the coordinate"),
                column(&["gap"], "m", "distance of the two points at t_k"),
                column(
                    &["coordinate2", "rate2", "drive2", "limit2"],
                    "",
                    "the same of the second coordinate of universal and cylindrical joints, where the scenario has one",
                ),
            ],
        ),
        ResultFile::table(
            "detections.csv",
            "run --detect",
            "a step in which the laws of rigid contact leave something open",
            vec![
                stepper(),
                step(),
                time(),
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
        ),
        ResultFile::table(
            "events.csv",
            "compare",
            "an event of the exact motion",
            vec![
                column(&["t"], "s", "when"),
                column(&["event"], "", "impact, stick, slip, lift-off and others"),
                column(&["impulse_x", "impulse_y", "impulse_z"], "N s", "impulse of an impact"),
            ],
        ),
        ResultFile::table(
            "partings.csv",
            "compare",
            "two steppers, and where their motions part",
            vec![
                column(&["a", "b"], "", "the steppers"),
                column(&["step"], "", "first step in which they are further apart than the tolerance"),
                column(&["t"], "s", "its time"),
                column(&["distance"], "m", "how far they are apart then"),
                column(&["mode_a", "mode_b"], "", "what the contacts do in each"),
                column(&["max_distance"], "m", "how far they get apart in all"),
            ],
        ),
        ResultFile::table(
            "convergence.csv",
            "convergence",
            "a stepper at a step length",
            vec![
                stepper(),
                column(&["step"], "s", "length of the step"),
                column(&["rms_error"], "m", "root mean square of the distance from the reference"),
                column(&["final_error_x", "final_error_y", "final_error_z"], "m", "error at the end"),
                column(&["max_error_x", "max_error_y", "max_error_z"], "m", "largest error on the way"),
                column(&["max_error_angle"], "rad", "largest error of the orientation, of bodies that turn"),
                column(&["outcome"], "", "how the run ended"),
                column(&["order"], "", "order that was fitted to the errors of the stepper"),
                column(&["model_error"], "m", "error that no shorter step takes away"),
                column(&["reference"], "", "what the errors are measured against"),
            ],
        ),
        ResultFile::table(
            "gradient.csv",
            "gradient",
            "a derivative by a stepper and a method",
            vec![
                stepper(),
                column(&["method"], "", "tangents of the stepper's own step, corrected, differences, ..."),
                column(&["of", "wrt"], "", "the result, and the number it is differentiated by"),
                column(&["value"], "of the result", "the result"),
                column(&["gradient"], "of the result over that of the number", "the derivative"),
                column(&["exact"], "the same", "that of the exact motion, where it is known"),
                column(&["difference"], "the same", "how far the two are apart"),
                column(
                    &["finite_difference"],
                    "the same",
                    "central difference on the same branch, with --check",
                ),
                column(
                    &["valid_within"],
                    "of the number",
                    "how far it may change before a step takes another branch",
                ),
                column(&["bias"], "", "relative error"),
                column(
                    &["state"],
                    "",
                    "ok, biased, zero, one-sided, indeterminate, contradicted, unchecked or exploding",
                ),
                column(
                    &["trend"],
                    "of the derivative",
                    "central difference across the branches, over the spacing of kinks, with --check",
                ),
                column(&["left", "right"], "of the derivative", "the derivatives from both sides of a kink"),
                column(&["otherwise_shared"], "", "the derivative where bodies share a load in another way"),
            ],
        ),
        ResultFile::table(
            "kinks.csv",
            "gradient",
            "a place close by at which a step takes another branch",
            vec![
                stepper(),
                step(),
                time(),
                column(&["event"], "", "what happens there"),
                column(
                    &["kind"],
                    "",
                    "bend (the slope of the result changes), jump (the result does) or none (this result goes on as it was)",
                ),
                column(&["wrt"], "", "the number that is changed"),
                column(&["distance"], "of the number", "how far it is away"),
                column(&["left", "right"], "of the derivative", "the derivatives on both sides"),
                column(&["of"], "", "the result"),
            ],
        ),
        ResultFile::table(
            "errors.csv",
            "predict",
            "a recorded throw, or a window of it, by a stepper",
            vec![
                column(
                    &["stepper"],
                    "",
                    "name of the stepper, and of the law of impacts where `--impacts` names one",
                ),
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
        ),
        ResultFile::table(
            "gradients.csv",
            "compare --gradients",
            "as in gradient.csv, of the final place",
            vec![],
        ),
        ResultFile::table(
            "profile.csv",
            "fit",
            "a value of a parameter that was tried",
            vec![
                column(&["parameter"], "", "key of the parameter"),
                column(&["value"], "of the key", "the value"),
                column(
                    &["error"],
                    "as `error` of result.json",
                    "least mean error of all sets with that value",
                ),
            ],
        ),
        ResultFile::table(
            "data.csv",
            "learn",
            "a sample that was learned from: a step of the block, or a row of a throw",
            vec![
                column(&["v", "v_next"], "m/s", "velocity before and after the step"),
                column(&["u"], "m/s", "push, as force times time over mass"),
                column(
                    &["lambda_plus", "lambda_minus"],
                    "m/s",
                    "friction forwards and backwards, in the same unit",
                ),
                column(&["gamma"], "m/s", "what the cone lacks: 0 where the block sticks, else its speed"),
                column(&["throw", "t"], "number, s", "of the thrown point: which throw, and when"),
                column(
                    &["contact"],
                    "",
                    "of the thrown point: which rows touch the ground, where the data say it",
                ),
            ],
        ),
        ResultFile::table(
            "plan.csv",
            "plan",
            "a state of the plan, with the step that follows; the last row has no step",
            vec![
                step(),
                time(),
                column(&["BODY.x", "BODY.z"], "m", "centre of mass"),
                column(&["BODY.angle"], "rad", "orientation"),
                column(&["BODY.vx", "BODY.vz"], "m/s", "velocity"),
                column(&["BODY.spin"], "rad/s", "angular velocity"),
                column(&["control-N.fx", "control-N.fz"], "N", "push of control N"),
                column(&["control-N.torque"], "N m", "torque of control N"),
                column(&["CONTACT.gap"], "m", "of two features that may touch, the gap when the step ends"),
                column(&["CONTACT.fn", "CONTACT.ft"], "N", "their normal force and friction"),
                column(&["CONTACT.mode"], "", "open, stick or slip"),
            ],
        ),
        ResultFile::table(
            "pushes.csv",
            "plan",
            "a step of the plan",
            vec![
                step(),
                column(&["from", "to"], "s", "when it begins and ends"),
                column(&["control-N.fx", "control-N.fz"], "N", "push of control N"),
                column(&["control-N.torque"], "N m", "torque of control N"),
            ],
        ),
        ResultFile::table(
            "starts.csv",
            "plan",
            "an attempt of the search",
            vec![
                column(&["steps"], "", "steps of the plan that was sought"),
                column(
                    &["kind"],
                    "",
                    "given (the motion of the pushes of `start_from`), homotopy (complementarity relaxed, then tightened), \
                     direct (as it is from the start) or stretched (from a shorter plan)",
                ),
                column(&["seed"], "", "seed of the noise of its start"),
                column(&["plan"], "", "whether it led to a plan"),
                column(&["status"], "", "what the solver said"),
                column(&["iterations"], "", "iterations of the solver"),
                column(&["relaxation"], "", "how much of complementarity was still relaxed in the end"),
                column(&["cost"], "as `cost_unit` of summary.json", "cost in the end"),
            ],
        ),
        ResultFile::table(
            "refine.csv",
            "plan",
            "a halving of the steps of the best plan",
            vec![
                column(&["steps"], "", "steps after it"),
                column(
                    &["rolled_out"],
                    "",
                    "whether the pushes were played by the step first, to start from what they do",
                ),
                column(&["status"], "", "what the solver said"),
                column(&["iterations"], "", "iterations of the solver"),
                column(&["cost"], "as `cost_unit` of summary.json", "cost in the end"),
            ],
        ),
        ResultFile::table(
            "replay.csv",
            "plan",
            "a replay of the pushes by a model",
            vec![
                stepper(),
                column(&["impacts"], "", "how it takes impacts, where that is not its default"),
                column(&["step"], "s", "length of its step"),
                column(&["miss.BODY.COMPONENT"], "SI", "how far the end is from the goal"),
                column(&["distance"], "m", "largest distance from the plan on the way"),
                column(
                    &["first_other_mode"],
                    "",
                    "number of the first step with other contact modes than the plan; empty if none",
                ),
                column(&["reason"], "", "why the model did not play it"),
            ],
        ),
        ResultFile::table(
            "table.csv",
            "sweep",
            "a run of the sweep, in their order",
            vec![
                column(&["id"], "", "digest of version, stepper and the whole scenario"),
                stepper(),
                column(
                    &["a swept key"],
                    "of the key",
                    "its value in the run; then a column for every metric",
                ),
                column(&["status"], "", "done, failed or refused"),
                column(&["reason"], "", "why it failed or was refused"),
            ],
        ),
        ResultFile::table(
            "timings.csv",
            "sweep",
            "a run of the sweep",
            vec![
                column(&["run"], "", "number of the run"),
                column(&["seconds"], "s", "wall time of the simulation"),
                column(&["step_microseconds"], "us", "mean wall time per step"),
            ],
        ),
        ResultFile::table(
            "table.csv",
            "study",
            "a case of the study; its columns are named in the text of the study",
            vec![],
        ),
        ResultFile::table(
            "scorecard.csv",
            "scorecard",
            "a phenomenon by a model at a step length",
            vec![
                column(&["phenomenon"], "", "name of the phenomenon"),
                stepper(),
                column(&["step"], "s", "length of the step"),
                column(&["measure"], "", "what is measured"),
                column(&["unit"], "", "unit of the truth and the value"),
                column(&["truth"], "as `unit` says", "what is known to be true"),
                column(&["value"], "as `unit` says", "what the model gives; empty where it gives nothing"),
                column(&["verdict"], "", "right, off, wrong or refused"),
            ],
        ),
        ResultFile::table(
            "FIGURE-data.csv",
            "every command that draws",
            "a point of the picture of that name",
            vec![
                column(&["panel"], "", "number of the panel, from the top"),
                column(&["across", "up"], "", "what runs across and up there, with its unit"),
                column(&["kind"], "", "curve, outline, bar, spike, force or cell"),
                column(&["label"], "", "label in the legend, where there is one"),
                column(&["item"], "", "number of the thing in its panel and kind, from 0"),
                column(
                    &["x", "y"],
                    "as `across` and `up` say",
                    "where the point is; empty is a gap in a curve",
                ),
                column(&["value"], "", "of the cells of a map, what the colour stands for"),
            ],
        ),
    ]
}
