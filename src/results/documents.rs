//! The documents that commands write as JSON.

use super::{Column, ResultFile, column};

/// What every summary says of its own making.
fn provenance() -> Vec<Column> {
    vec![
        column(&["version"], "", "version of the program"),
        column(&["resolved"], "", "the whole scenario with defaults and overrides as TOML, which runs again"),
        column(&["overrides"], "", "what --set changed, as it was given; it is part of `resolved`"),
        column(
            &["arguments"],
            "",
            "the arguments of the command that differ from their defaults and change results, by their names",
        ),
        column(&["command"], "", "the command line"),
        column(&["started"], "", "when it was begun, UTC"),
        column(&["machine"], "", "operating system, processor and threads"),
    ]
}

/// The documents, in the order of the commands.
pub(super) fn documents() -> Vec<ResultFile> {
    vec![
        ResultFile::document(
            "summary.json",
            "every command; result.json of fit and learn has these too",
            provenance(),
        ),
        ResultFile::document(
            "summary.json",
            "run",
            vec![
                column(&["scenario", "stepper"], "", "names of both"),
                column(&["bodies"], "", "number of bodies; not of a point alone"),
                column(&["steps"], "", "number of steps taken"),
                column(&["wall_seconds"], "s", "wall time of the simulation, without files and pictures"),
                column(
                    &["step_microseconds"],
                    "us",
                    "wall time per step: median, p99 (99 of 100 steps take less) and max",
                ),
                column(&["solver"], "", "name and version of the solver, where there is one"),
                column(&["settings"], "", "what settings came to that the scenario leaves to the stepper"),
                column(&["iterations"], "", "iterations of the solver per step: median, max and total"),
                column(&["status"], "", "number of steps that are solved, rescued, uncertified and failed"),
                column(
                    &["approximate"],
                    "",
                    "of the rescued steps, how many miss the tolerance, and their largest residual; only where some do",
                ),
                column(
                    &["certificates"],
                    "",
                    "how many motions of steps were judged, and what was wrong with them",
                ),
                column(
                    &["impacts"],
                    "",
                    "steps with impacts: of several contacts, with a reduced rebound, and how long they were followed",
                ),
                column(&["ignored"], "", "values of the scenario of which the stepper makes nothing"),
                column(&["warnings"], "", "what of the scenario is not done as written"),
                column(
                    &["overlap", "stretched", "energy"],
                    "",
                    "in words, which body got deep into another, which joint came apart, and how \
                    much energy comes from nowhere; only where there is something to say",
                ),
                column(&["detection"], "", "with --detect, the solutions that its steps have"),
                column(
                    &["final_velocity"],
                    "m/s, rad/s",
                    "how everything moves at the end, under the names of trajectory.csv",
                ),
                column(&["metrics"], "", "the figures of merit; those of each body under `bodies`"),
                column(
                    &["metrics.bodies.BODY.final"],
                    "m, rad",
                    "where a body is at the end and how it is turned, under the names of trajectory.csv",
                ),
            ],
        ),
        ResultFile::document(
            "timings.json",
            "every command",
            vec![column(
                &["wall_seconds", "step_microseconds", "seconds", "started", "machine"],
                "",
                "what of the summary differs from run to run; without these two summaries of the same input are the same bit for bit",
            )],
        ),
        ResultFile::document(
            "replay-step-K.json",
            "run, compare, convergence",
            vec![column(
                &["scenario", "index", "bodies", "memory", "kind", "reason"],
                "",
                "a step that failed, with all that it began with: `stickslip run --replay FILE` solves it again",
            )],
        ),
        ResultFile::document(
            "summary.json",
            "compare",
            vec![
                column(&["step"], "s", "length of the step"),
                column(&["steps"], "", "number of steps"),
                column(
                    &["steppers"],
                    "",
                    "a summary of each, as of `run`; `ending` complete, interrupted or failed, `artefacts` what it does in words",
                ),
                column(&["refused"], "", "steppers that do not admit the scenario, with reason and remedy"),
                column(
                    &["cross_check"],
                    "",
                    "two solvers of nlp on the same programs, and how far they are apart",
                ),
                column(&["events"], "", "events of the exact motion, as in events.csv"),
                column(&["tolerance"], "m", "distance from which on two motions have parted"),
                column(&["partings"], "", "where pairs part, as in partings.csv"),
                column(&["matched"], "", "with --match, what was chosen for the compliant steppers"),
            ],
        ),
        ResultFile::document(
            "summary.json",
            "convergence",
            vec![
                column(
                    &["reference"],
                    "",
                    "what errors are measured against: exact, or own, the motion of the model at a finer step",
                ),
                column(
                    &["steppers"],
                    "",
                    "errors of each at every step, the fitted order, and the model_error that no shorter step takes away",
                ),
                column(&["refused"], "", "steppers that do not admit the scenario, with reason and remedy"),
            ],
        ),
        ResultFile::document(
            "summary.json",
            "gradient",
            vec![
                column(&["of", "wrt"], "", "the results, and the numbers they are differentiated by"),
                column(&["kappa"], "(g dt)^2", "smoothing of the method `smoothed`"),
                column(&["phases"], "", "number of step phases that gradients are means over"),
                column(
                    &["gradients"],
                    "",
                    "of each stepper and method: how many derivatives there are (`figures`), their relative `error` \
                    beside those of the exact motion, and how many are in each state",
                ),
                column(&["left_out"], "", "methods that a stepper does not have, with the reason"),
                column(
                    &["without_exact"],
                    "",
                    "numbers that the exact motion has no derivative by, with the reason",
                ),
                column(&["inputs_left_out"], "", "numbers that have no derivative here, with the reason"),
            ],
        ),
        ResultFile::document(
            "summary.json",
            "predict",
            vec![
                column(&["data"], "", "the recording"),
                column(&["tosses", "rows"], "", "throws and rows that were predicted"),
                column(&["windows"], "", "how throws were cut"),
                column(&["start"], "", "raw or fit: where predictions start"),
                column(&["step"], "s", "length of the step"),
                column(
                    &["steps_per_row", "step_adapted", "rows_within_steps"],
                    "",
                    "how steps meet the rows of the recording",
                ),
                column(
                    &["times_rounded_to"],
                    "s",
                    "to what the times of the recording are rounded, where they are",
                ),
                column(&["size"], "m", "size of the body, in which positions are measured"),
                column(&["starts_below_ground"], "", "throws that start in the ground"),
                column(
                    &["doubts"],
                    "",
                    "what speaks against the scenario being that of the recording, in sentences",
                ),
                column(
                    &["steppers"],
                    "",
                    "errors of each: means over the throws with their `standard_error`, positions as parts of `size`, \
                    rotations in degrees, and how many ended turned by more than 45 degrees (`ended_otherwise`)",
                ),
                column(
                    &["ended_otherwise_by_every_stepper"],
                    "",
                    "throws that every stepper ends turned by more than 45 degrees",
                ),
            ],
        ),
        ResultFile::document(
            "result.json",
            "fit",
            vec![
                column(&["data"], "", "the recording"),
                column(&["tosses", "rows"], "", "throws and rows that were predicted"),
                column(&["windows"], "", "how throws were cut"),
                column(&["start"], "", "raw or fit: where predictions start"),
                column(&["finished"], "", "false after an interruption, then without intervals"),
                column(
                    &["parameters"],
                    "of the key",
                    "of each: best `value`, `interval` at `level`, and whether the throws have it `determined`",
                ),
                column(&["ranges"], "of the key", "where each was sought"),
                column(
                    &["intervals", "row_noise", "not_from_rows"],
                    "",
                    "what the intervals are from: the noise of the rows, or how throws differ",
                ),
                column(&["conclusions"], "", "what the throws determine, in sentences"),
                column(
                    &["error", "error_before"],
                    "as `error_measure` says",
                    "mean error of the predictions with the best values, and with those of the scenario",
                ),
                column(&["error_measure"], "", "what the error is, with its unit"),
                column(
                    &["position", "rotation", "standard_error"],
                    "of the body's size, degrees",
                    "the errors with the best values, of which `error` is the sum",
                ),
                column(&["failed_steps"], "", "steps that failed with the best values"),
                column(
                    &["doubts"],
                    "",
                    "what speaks against the scenario being that of the recording, in sentences",
                ),
                column(
                    &["evaluations", "evaluations_at_most", "evaluations_with_derivatives"],
                    "",
                    "sets of parameters that were tried, and how many were allowed",
                ),
                column(&["rough"], "", "parameters over which the error is a fringe of peaks"),
                column(&["search"], "", "how it was sought, and why so"),
            ],
        ),
        ResultFile::document(
            "result.json",
            "learn",
            vec![
                column(&["experiment", "samples", "seed"], "", "what was learned, and from how much"),
                column(
                    &["parameters"],
                    "",
                    "of each: `learned`, the `true` value if it is known, and whether the data determine it (`identifiable`)",
                ),
                column(&["error", "error_measure"], "", "how far predictions are off, and in what measure"),
                column(&["seconds"], "s", "wall time"),
                column(&["notes"], "", "what there is to say of the result, in sentences"),
            ],
        ),
        ResultFile::document(
            "summary.json",
            "plan",
            vec![
                column(&["plan"], "", "name of the plan"),
                column(&["steps", "duration"], "number, s", "length of the plan"),
                column(
                    &["cost_kind", "cost_unit", "cost"],
                    "as `cost_unit` says",
                    "what is small in it, and how small",
                ),
                column(&["finished"], "", "false after an interruption"),
                column(&["starts"], "", "starts that were tried, and that led to a plan"),
                column(
                    &["solver"],
                    "",
                    "for each number of steps what starts and halvings took: iterations, the most entries of the factor of their \
                     matrix, wall time in all and of an `iteration` in the mean",
                ),
                column(&["verdict"], "", "local optimum, or what is missing to one"),
                column(&["switches"], "", "changes of contact that make the plan cheaper, if there are any"),
                column(
                    &["kkt", "complementarity"],
                    "",
                    "how well the first-order conditions and the laws of contact hold",
                ),
                column(&["miss"], "SI", "how far the end of the plan is from its goal"),
                column(
                    &["stands_still"],
                    "",
                    "whether nothing is pushed though the goal is missed: a stationary point of its cost",
                ),
                column(
                    &["followed", "at_goal"],
                    "",
                    "whether lcp and nlp follow it at its own step, and whether its end is at the goal",
                ),
                column(&["replay"], "", "replays, as in replay.csv"),
                column(&["aim"], "", "with `aim`: how near the pushes come by that model"),
                column(
                    &["nearest_miss"],
                    "SI",
                    "where the goal cannot be reached: how far the nearest motion stays from it",
                ),
            ],
        ),
        ResultFile::document(
            "plan.json",
            "sweep",
            vec![
                column(&["sweep"], "", "name of the sweep"),
                column(
                    &["identity"],
                    "",
                    "of all that the runs depend on: parts of another sweep are refused",
                ),
                column(&["version"], "", "version of the program that began it"),
                column(&["runs"], "", "number of runs"),
                column(
                    &["steppers", "keys", "metrics"],
                    "",
                    "what runs, what is varied, and what is kept of a run",
                ),
                column(&["borders"], "", "curves that are drawn over the maps"),
                column(&["file", "scenario"], "", "the sweep and its scenario as TOML, with all defaults"),
                column(&["checksum"], "", "of all of the above"),
            ],
        ),
        ResultFile::document(
            "manifest.json",
            "sweep",
            vec![
                column(&["sweep"], "", "digest of the sweep"),
                column(
                    &["runs", "done", "failed", "refused"],
                    "",
                    "how many runs there are, are in the table, failed and were refused",
                ),
                column(&["missing"], "", "ranges of runs that are not computed yet"),
                column(&["table"], "", "digest of the rows of table.csv"),
                column(&["file"], "", "the sweep file as TOML"),
            ],
        ),
        ResultFile::document(
            "summary.json",
            "study",
            vec![
                column(&["study", "seed"], "", "name, and seed of everything random"),
                column(&["findings"], "", "what was found, in sentences"),
                column(&["table"], "", "the rows of table.csv"),
            ],
        ),
        ResultFile::document(
            "summary.json",
            "scorecard",
            vec![
                column(&["steps"], "s", "lengths of the steps"),
                column(&["models"], "", "of each, how often it got each verdict at each step"),
                column(&["phenomena"], "", "of each: truth, what is still right and off, and the verdicts"),
            ],
        ),
    ]
}
