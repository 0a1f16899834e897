//! One line of the valid file replaced by a faulty one.

use stickslip::scenario::Place;

use crate::{NAME, assert_tells, line, only_problem, refusal, with_line};

/// A fault, and what its message has to say.
type Case = (
    /* line of the file */ usize,
    /* what stands there instead */ &'static str,
    /* key that is blamed */ &'static str,
    /* words of the message */ &'static [&'static str],
);

#[rustfmt::skip]
const WRONG_TYPES: &[Case] = &[
    (1, "name = 5", "name", &["must be a string", "the integer 5", "name = \"slide\""]),
    (1, "name = [\"a\"]", "name", &["must be a string", "the list [\"a\"]"]),
    (2, "duration = \"1.2\"", "duration", &["must be a number", "the string \"1.2\"", "remove the quotes", "duration = 1.2"]),
    (2, "duration = true", "duration", &["must be a number", "the truth value true"]),
    (3, "step = 1979-05-27", "step", &["must be a number", "the date 1979-05-27"]),
    (4, "gravity = [0.0, -9.81]", "gravity", &["must be a number", "the list [0.0, -9.81]"]),
    (7, "mass = { kg = 10.0 }", "particle.mass", &["must be a number", "a table"]),
    (8, "position = 1.0", "particle.position", &["must be a list of 2 or 3 numbers", "the number 1.0", "[0.0, 1.0]"]),
    (8, "position = [0.0, \"1.0\"]", "particle.position[1]", &["must be a number", "the string \"1.0\""]),
    (9, "velocity = \"fast\"", "particle.velocity", &["must be a list", "the string \"fast\""]),
    (9, "velocity = [[1.0], 0.0]", "particle.velocity[0]", &["must be a number", "the list [1.0]"]),
    (12, "friction = false", "ground.friction", &["must be a number", "the truth value false"]),
    (17, "force = 4.0", "push[0].force", &["must be a list", "the number 4.0"]),
    (18, "from = \"start\"", "push[0].from", &["must be a number", "the string \"start\""]),
    (24, "tolerance = \"low\"", "stepper.nlp.tolerance", &["must be a number", "the string \"low\"", "tolerance = 1e-8"]),
    (26, "solver = 3", "stepper.nlp.solver", &["must be a string", "the integer 3", "ipopt"]),
    (27, "warm_start = 1", "stepper.nlp.warm_start", &["must be true or false", "the integer 1"]),
    (31, "directions = 8.0", "stepper.lcp.directions", &["must be a whole number", "the number 8.0"]),
    (31, "directions = -8", "stepper.lcp.directions", &["must be a whole number, not negative", "-8"]),
    (38, "gated = \"true\"", "stepper.convex.gated", &["must be true or false", "the string \"true\""]),
];

#[rustfmt::skip]
const FORBIDDEN_VALUES: &[Case] = &[
    (1, "name = \"Slide\"", "name", &["\"Slide\"", "a-z, 0-9 and -", "\"slide\""]),
    (1, "name = \"\"", "name", &["1 to 64 characters"]),
    (1, "name = \"..\"", "name", &["\"..\"", "a-z, 0-9 and -"]),
    (1, "name = \"a/b\"", "name", &["\"a/b\"", "\"a-b\""]),
    (1, "name = \"so long a name that nobody would ever want to type it into a terminal again\"", "name", &["1 to 64 characters"]),
    (2, "duration = 0", "duration", &["is 0,", "greater than 0"]),
    (2, "duration = -1.2", "duration", &["is -1.2,", "greater than 0"]),
    (2, "duration = nan", "duration", &["is nan,", "finite"]),
    (2, "duration = 1e300", "duration", &["is 1e300,", "at most 1e11 s"]),
    (2, "duration = 1e400", "duration", &["is 1e400,", "finite"]),
    (3, "step = 0.0", "step", &["is 0.0,", "at least 1e-9"]),
    (3, "step = -1e-3", "step", &["is -1e-3,", "at least 1e-9"]),
    (3, "step = inf", "step", &["is inf,", "finite"]),
    (4, "gravity = -9.81", "gravity", &["is -9.81,", "at least 0", "downwards when positive"]),
    (4, "gravity = 99999999999999999999999", "gravity", &["is 99999999999999999999999,", "at most 1e6 m/s^2"]),
    (7, "mass = -10.0", "particle.mass", &["is -10.0,", "at least 1e-12 and at most 1e12 kg"]),
    (7, "mass = 0", "particle.mass", &["is 0,", "at least 1e-12"]),
    (7, "mass = 1e300", "particle.mass", &["is 1e300,", "at most 1e12 kg"]),
    (7, "mass = -inf", "particle.mass", &["is -inf,", "finite"]),
    (8, "position = [0.0, -0.5]", "particle.position[1]", &["is -0.5,", "at least 0 m", "height"]),
    (8, "position = [2e6, 0.0]", "particle.position", &["is [2e6, 0.0],", "at most 1e6 m"]),
    (8, "position = [nan, 0.0]", "particle.position[0]", &["is nan,", "finite"]),
    (9, "velocity = [0.0, -1e7]", "particle.velocity", &["is [0.0, -1e7],", "at most 1e6 m/s"]),
    (9, "velocity = [0.0, +inf]", "particle.velocity[1]", &["is +inf,", "finite"]),
    (12, "friction = -0.1", "ground.friction", &["is -0.1,", "at least 0"]),
    (12, "friction = nan", "ground.friction", &["is nan,", "finite"]),
    (13, "restitution = 1.5", "ground.restitution", &["is 1.5,", "at least 0 and at most 1"]),
    (13, "restitution = -0.5", "ground.restitution", &["is -0.5,", "at least 0"]),
    (14, "slope = 90", "ground.slope", &["is 90,", "less than 90 degrees"]),
    (17, "force = [inf, 0.0]", "push[0].force[0]", &["is inf,", "finite", "newtons"]),
    (17, "force = [1e12, 0.0]", "push[0].force", &["is [1e12, 0.0],", "at most 1e10 N", "1e9 m/s^2", "particle.mass"]),
    (18, "from = 0.5", "push[0].to", &["is 0.5,", "greater than `push[0].from` = 0.5 s"]),
    (19, "to = -1.0", "push[0].to", &["is -1.0,", "greater than `push[0].from` = 0 s", "swap"]),
    (19, "to = inf", "push[0].to", &["is inf,", "leave the key out"]),
    (20, "frequency = -2.0", "push[0].frequency", &["is -2.0,", "at least 0"]),
    (21, "phase = nan", "push[0].phase", &["is nan,", "finite"]),
    (24, "tolerance = 1e-15", "stepper.nlp.tolerance", &["is 1e-15,", "at least 1e-14", "1e-8"]),
    (24, "tolerance = 1.0", "stepper.nlp.tolerance", &["is 1.0,", "at most 0.1"]),
    (25, "epsilon = 0", "stepper.nlp.epsilon", &["is 0,", "greater than 0"]),
    (26, "solver = \"ipop\"", "stepper.nlp.solver", &["is \"ipop\",", "\"ipopt\", \"interior-point\"", "did you mean \"ipopt\"?"]),
    (30, "solver = \"simplex\"", "stepper.lcp.solver", &["is \"simplex\",", "\"lemke\", \"enumeration\", \"interior-point\""]),
    (31, "directions = 7", "stepper.lcp.directions", &["is 7,", "even"]),
    (31, "directions = 2", "stepper.lcp.directions", &["is 2,", "at least 4"]),
    (34, "stiffness = 0.0", "stepper.convex.stiffness", &["is 0.0,", "greater than 0", "N/m"]),
    (35, "dissipation_time = -0.1", "stepper.convex.dissipation_time", &["is -0.1,", "at least 0"]),
    (36, "beta = -1", "stepper.convex.beta", &["is -1,", "at least 0"]),
    (37, "sigma = 0", "stepper.convex.sigma", &["is 0,", "greater than 0"]),
    (39, "delassus_norm = \"drake\"", "stepper.convex.delassus_norm", &["is \"drake\",", "\"planar\", \"spatial\""]),
    (40, "solver = \"Newton\"", "stepper.convex.solver", &["is \"Newton\",", "did you mean \"newton\"?"]),
    (43, "law = \"hertz\"", "stepper.smooth.law", &["is \"hertz\",", "\"hunt-crossley\", \"tanh\""]),
    (44, "amplitude = -1500.0", "stepper.smooth.amplitude", &["is -1500.0,", "greater than 0"]),
    (45, "sharpness = 0", "stepper.smooth.sharpness", &["is 0,", "1/m"]),
    (46, "damping = -0.1", "stepper.smooth.damping", &["is -0.1,", "at least 0"]),
];

#[rustfmt::skip]
const WRONG_KEYS: &[Case] = &[
    (4, "gravty = 9.81", "gravty", &["unknown key", "did you mean `gravity`?"]),
    (4, "colour = \"red\"", "colour", &["unknown key", "remove it", "name, duration, step, gravity"]),
    (4, "gravity = 9.81\nmu = 0.1", "mu", &["unknown key", "belongs in [ground]"]),
    (14, "slop = 3", "ground.slop", &["unknown key", "did you mean `slope`?", "friction, restitution, slope"]),
    (14, "gravity = 1.6", "ground.gravity", &["unknown key", "belongs at the top of the file"]),
    (14, "e = 0.5", "ground.e", &["unknown key", "did you mean `restitution`?"]),
    (19, "until = 0.5", "push[0].until", &["unknown key", "did you mean `to`?"]),
    (23, "[stepper.npl]", "stepper.npl", &["unknown key", "did you mean `nlp`?", "nlp, lcp, convex, smooth"]),
    (29, "[stepper.exact]", "stepper.exact", &["unknown key", "`exact` has no settings"]),
    (27, "warm-start = true", "stepper.nlp.warm-start", &["unknown key", "did you mean `warm_start`?"]),
    (34, "k = 1e7", "stepper.convex.k", &["unknown key", "did you mean `stiffness`?"]),
    (45, "stiffness = 1e6", "stepper.smooth.stiffness", &["no effect", "\"hunt-crossley\"", "\"tanh\""]),
];

#[rustfmt::skip]
const NOT_TOML: &[Case] = &[
    (2, "duration =", "duration", &["has no value"]),
    (2, "duration = 1,2", "duration", &["1,2", "the decimal sign is a point", "duration = 1.2"]),
    (2, "duration = .5", "duration", &["digits on both sides"]),
    (2, "duration = 5.", "duration", &["digits on both sides"]),
    (2, "duration = 1.2s", "duration", &["1.2s", "without a unit"]),
    (2, "duration = 012", "duration", &["remove the zeros"]),
    (2, "duration = Infinity", "duration", &["Infinity", "finite"]),
    (7, "mass = NaN", "particle.mass", &["NaN", "finite"]),
    (8, "position = [0.0, 1.0", "particle.position", &["closed by `]`"]),
    (8, "position = [0.0 1.0]", "particle.position", &["separated by commas"]),
    (26, "solver = ipopt", "stepper.nlp.solver", &["quotes", "solver = \"ipopt\""]),
    (27, "warm_start = yes", "stepper.nlp.warm_start", &["warm_start = true"]),
    (17, "force = 4.0 N", "push[0].force", &["4.0 N", "without a unit"]),
    (18, "force = [5.0, 0.0]", "push[0].force", &["duplicate key", "remove one"]),
    (3, "duration = 3.0\nstep = 1e-3", "duration", &["duplicate key", "remove one"]),
];

/// Of every case the faulty file, the key and the words of the message.
pub fn all() -> impl Iterator<Item = (String, &'static str, &'static [&'static str])> {
    [WRONG_TYPES, FORBIDDEN_VALUES, WRONG_KEYS, NOT_TOML]
        .into_iter()
        .flatten()
        .map(|(number, replacement, key, words)| (with_line(*number, replacement), *key, *words))
}

#[track_caller]
fn assert_refused(cases: &[Case]) {
    for (number, replacement, key, words) in cases {
        let text = with_line(*number, replacement);
        let problem = only_problem(&text, &[]);
        assert_tells(&problem, Some(key), words);
        let blamed = line(&problem).expect("a line of the file");
        let edited = *number..=*number + replacement.matches('\n').count() + 1;
        assert!(edited.contains(&blamed), "{replacement:?}: line {blamed} is blamed instead of {number}");
        let told = refusal(&text, &[]).to_string();
        assert!(told.starts_with(&format!("{NAME}:{blamed}:")), "the place is not told in\n{told}");
    }
}

#[test]
fn wrong_types_are_refused() {
    assert_refused(WRONG_TYPES);
}

#[test]
fn forbidden_values_are_refused() {
    assert_refused(FORBIDDEN_VALUES);
}

#[test]
fn unknown_keys_are_refused() {
    assert_refused(WRONG_KEYS);
}

#[test]
fn what_is_not_toml_is_refused() {
    assert_refused(NOT_TOML);
}

#[test]
fn a_run_has_at_most_a_hundred_million_steps() {
    let text = with_line(2, "duration = 1e9");
    let problem = only_problem(&text, &[]);
    assert_tells(&problem, Some("step"), &["is 1e-3,", "at least 10 s", "`duration` of 1e9 s", "1e12 steps"]);
    assert_eq!(line(&problem), Some(3));
}

#[test]
fn the_span_of_a_problem_covers_the_value() {
    let text = with_line(7, "mass = -10.0 # kg");
    let problem = only_problem(&text, &[]);
    let Place::Text { span, line, column } = problem.place else { panic!("not in the text") };
    assert_eq!((&text[span], line, column), ("-10.0", 7, 8));
}
