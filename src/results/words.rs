//! Words that commands print, and that no column has for a name.

/// A word, the commands that print it, and what it says.
pub(super) struct Word {
    pub word: &'static str,
    pub commands: &'static str,
    pub meaning: &'static str,
}

const fn word(word: &'static str, commands: &'static str, meaning: &'static str) -> Word {
    Word { word, commands, meaning }
}

/// The words, in the order of the commands.
pub(super) const WORDS: &[Word] = &[
    word("solved", "run, compare", "a step whose solution passed every check at the first attempt"),
    word(
        "rescued",
        "run, compare",
        "a step that a later attempt solved, by other settings or another solver of the same stepper; it passed the same checks, so that \
         its motion is worth as much as that of any other step, unless the command says that it misses the tolerance: the best of all \
         attempts is kept then, if its residual is below 1e-4",
    ),
    word(
        "misses the tolerance",
        "run, compare",
        "a rescued step whose residual is above the tolerance, and below 1e-4",
    ),
    word(
        "uncertified",
        "run, compare",
        "a step that is solved, and whose motion is not that of what touches: something pushes across a gap, or gets deeper into something \
         else than it was",
    ),
    word(
        "failed",
        "run, compare",
        "a step that no attempt solved; it leaves replay-step-K.json, by which `run --replay` solves it again",
    ),
    word(
        "impacts",
        "run",
        "steps in which something hits something else, and how the blows of each were taken",
    ),
    word(
        "several contacts",
        "run",
        "an impact in which more than one contact is struck: of bodies that touch and carry it on to each other, as in Newton's cradle, or \
         of several corners of one that lands flat",
    ),
    word(
        "not as written",
        "run, compare",
        "what of the scenario the stepper does in another way, or not at all",
    ),
    word(
        "time per step",
        "run, compare",
        "wall time that a step takes on this machine, without files and pictures",
    ),
    word(
        "time/step",
        "run, compare",
        "wall time that a step takes on this machine, without files and pictures",
    ),
    word(
        "99 %",
        "run",
        "of the times per step: 99 of 100 steps take less; beside the median and the largest",
    ),
    word(
        "final x, z",
        "run",
        "where the point, or the centre of mass of a body, is at the end, in m; in space final x, y, z",
    ),
    word("final vx, vz", "run", "its velocity at the end, in m/s; in space final vx, vy, vz"),
    word(
        "final turn",
        "run",
        "how a body is turned at the end: in the plane its angle, in space the turn about one axis that leads there, and how \
         far its height axis is tilted",
    ),
    word(
        "final spin",
        "run",
        "the angular velocity of a body at the end, in rad/s; in space in the axes of the body",
    ),
    word(
        "animation.gif",
        "run, compare",
        "the file with the motion as a moving picture, which --no-plots leaves out",
    ),
    word("iterations per step", "run", "iterations of the solver in a step"),
    word("tilted", "run", "angle between the height axis of a body and the vertical"),
    word(
        "turned",
        "run",
        "angle of the one turn about one axis that leads from the orientation of the axes to that of the body",
    ),
    word("open", "run, compare", "a contact that carries nothing"),
    word("stick", "run, compare", "a contact that presses and does not move along"),
    word("slip", "run, compare", "a contact that presses and moves along"),
    word("reference", "compare", "the exact motion, which errors are measured against"),
    word("parting", "compare", "the step from which on two models are further apart than the tolerance"),
    word(
        "model error",
        "convergence",
        "an error that no shorter step takes away: that of the law, not of the step",
    ),
    word(
        "order",
        "convergence",
        "the power of the step length with which the error falls: 1 halves it with half the step, 2 quarters it",
    ),
    word("raw", "gradient", "the method that differentiates the formulas of the stepper's own step"),
    word(
        "corrected",
        "gradient",
        "the method that takes the derivative of the motion where a step meets an event, and that of the step elsewhere",
    ),
    word("smoothed", "gradient", "the method that differentiates a smoothed stepper, on a motion of its own"),
    word(
        "figures",
        "gradient",
        "how many derivatives there are: results times numbers that they are differentiated by",
    ),
    word(
        "ok",
        "gradient",
        "a derivative within 2 % of that of the exact motion, or of the corrected one where the motion is not known",
    ),
    word("biased", "gradient", "a derivative more than 2 % off"),
    word(
        "zero",
        "gradient",
        "a derivative of nothing: the result does not change with the number, as where a point sticks",
    ),
    word(
        "one-sided",
        "gradient",
        "the scenario is on a kink, and the derivatives to both sides of it differ",
    ),
    word(
        "indeterminate",
        "gradient",
        "bodies share a load in one of many ways, and the derivative depends on which",
    ),
    word(
        "contradicted",
        "gradient",
        "a derivative that is more than 2 % off the differences of its own steps, which --check takes, and beyond their error",
    ),
    word("unchecked", "gradient", "a derivative with nothing to hold it against"),
    word(
        "exploding",
        "gradient",
        "a derivative that grew beyond 10/dt on the way: the steps chatter, and it is noise",
    ),
    word(
        "kink",
        "gradient",
        "a value of a number at which a step takes another branch, so that the slope of the result jumps",
    ),
    word(
        "look",
        "recording check",
        "before a check that found something to be looked at; `ok` stands before the others",
    ),
    word("rows", "recording check", "how many rows there are, how far apart in time, and which are missing"),
    word(
        "gravity of the flights",
        "recording check",
        "how fast what flies falls in the recording, beside the gravity of the scenario: lengths in another unit, a wrong frame rate or \
         another axis up show in it",
    ),
    word(
        "resting height",
        "recording check",
        "how high the centre and the lowest point of the body are in the rows at rest, in m off the ground of the scenario",
    ),
    word(
        "wild rows",
        "recording check",
        "rows that are far from both of their neighbours, as where a marker was lost",
    ),
    word("determined", "fit", "whether the throws rule out some values of the parameter"),
    word("interval", "fit", "values of the parameter that the throws do not rule out, at 95 %"),
    word("open end", "fit", "no end of the interval was found in the range of the parameter"),
    word("identifiable", "learn", "whether the data determine the parameter, or others do as well"),
    word(
        "ended otherwise",
        "predict",
        "throws whose last row is turned by more than 45 degrees from the measured one",
    ),
    word(
        "last position",
        "predict",
        "distance from the measured centre in the last row, beside the mean over all rows",
    ),
    word(
        "last rotation",
        "predict",
        "angle from the measured orientation in the last row, beside the mean over all rows",
    ),
    word("worst miss", "plan", "the component of the goal that a replay misses by most, in SI units"),
    word(
        "nearest",
        "plan",
        "what is printed where the goal cannot be reached: the motion that comes nearest to it",
    ),
    word(
        "local optimum",
        "plan",
        "first and second-order conditions and the laws of contact hold: no plan near it is cheaper, one further away may be",
    ),
    word("right", "scorecard", "the value is the truth to within what the phenomenon asks for"),
    word("off", "scorecard", "the value shows the phenomenon, and is not right"),
    word("wrong", "scorecard", "the value does not show the phenomenon"),
    word("refused", "compare, scorecard, sweep", "the stepper does not admit the scenario, and says why"),
];
