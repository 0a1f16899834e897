//! Faults of `--set KEY=VALUE`.

use stickslip::scenario::{Override, Place};

use crate::{VALID, assert_tells, only_problem, refusal};

/// An override that fits the form but not the scenario, and what its message has to say.
type Case = (
    /* KEY=VALUE */ &'static str,
    /* key that is blamed */ &'static str,
    /* words of the message */ &'static [&'static str],
);

#[rustfmt::skip]
const REFUSED: &[Case] = &[
    ("ground.friction=-0.3", "ground.friction", &["is -0.3,", "at least 0"]),
    ("ground.friction=nan", "ground.friction", &["is nan,", "finite"]),
    ("ground.friction=1e999", "ground.friction", &["is 1e999,", "finite"]),
    ("ground.friction=.3", "ground.friction", &["must be a number", "digits on both sides"]),
    ("ground.friction=high", "ground.friction", &["must be a number", "the string high"]),
    ("ground.frictoin=0.3", "ground.frictoin", &["unknown key", "did you mean `friction`?"]),
    ("frction=0.3", "frction", &["unknown key", "did you mean `friction` in [ground]?"]),
    ("friction=0.3", "friction", &["unknown key", "belongs in [ground]"]),
    ("grund.friction=0.3", "grund", &["unknown key", "did you mean `ground`?"]),
    ("particle.mass=0", "particle.mass", &["is 0,", "at least 1e-12"]),
    ("particle.mass=\"10\"", "particle.mass", &["must be a number", "remove the quotes"]),
    ("particle.position=[0]", "particle.position", &["has 1 component"]),
    ("particle.position[1]=-1", "particle.position[1]", &["is -1,", "at least 0 m"]),
    ("particle.position[2]=1", "particle.position[2]", &["only the places `particle.position[0]` to `particle.position[1]`"]),
    ("particle.position.z=1", "particle.position.z", &["`particle.position` is a list", "`particle.position[0]`"]),
    ("particle.position.1=-1", "particle.position[1]", &["is -1,", "at least 0 m"]),
    ("particle.0.position.1=1", "particle[0].position[1]", &["`particle` is not a list", "`particle.position[1]`"]),
    ("push[1].force=[1,2]", "push[1].force", &["only the place `push[0]`"]),
    ("push[0].force=[1,2,3]", "push[0].force", &["has 3 components"]),
    ("push.force=[1,2]", "push.force", &["`push` is a list", "`push[0].force`"]),
    ("push.lift.force[0]=1", "push.lift.force[0]", &["`push` is a list", "`push[0].lift.force[0]`"]),
    ("ground[0]=1", "ground[0]", &["`ground` is not a list"]),
    ("wall[0].offset=-1", "wall[0].offset", &["the scenario has no `wall`", "as a whole: `wall=[{ normal"]),
    ("pair.0.friction=1", "pair[0].friction", &["the scenario has no `pair`", "as a whole: `pair=[{"]),
    ("stepper.nlp.list[0]=1", "stepper.nlp.list[0]", &["the scenario has no `stepper.nlp.list`", "write it into the file"]),
    ("step.size=1", "step.size", &["`step` is one value"]),
    ("ground.kinetic_friction=0.9", "ground.kinetic_friction", &["is 0.9,", "at most `ground.friction`", "swap the two"]),
    ("ground.viscous_friction=-1", "ground.viscous_friction", &["is -1,", "at least 0"]),
    ("ground.stribeck_velocity=1e9", "ground.stribeck_velocity", &["is 1e9,", "at most 1000 m/s"]),
    ("ground.stribeck_exponent=0.5", "ground.stribeck_exponent", &["is 0.5,", "at least 1"]),
    ("ground.stribeck_exponent=1", "ground.stribeck_exponent", &["is 1,", "beside a `stribeck_velocity`"]),
    ("step=1e-12", "step", &["is 1e-12,", "at least 1e-9"]),
    ("name=Slide", "name", &["is Slide,", "\"slide\""]),
    ("stepper.nlp.solver=ipop", "stepper.nlp.solver", &["is ipop,", "did you mean \"ipopt\"?"]),
    ("stepper.convex.gated=maybe", "stepper.convex.gated", &["must be true or false"]),
    ("stepper.lcp.directions=9", "stepper.lcp.directions", &["is 9,", "even"]),
    ("stepper.hybrid.gated=true", "stepper.hybrid", &["unknown key", "`hybrid` has no settings"]),
    ("stepper=3", "stepper", &["must be a table"]),
];

#[test]
fn overrides_are_held_against_the_same_rules() {
    for (argument, key, words) in REFUSED {
        let refusal = refusal(VALID, &[argument]);
        assert_eq!(refusal.problems.len(), 1, "{refusal}");
        assert_tells(&refusal.problems[0], Some(key), words);
        assert_eq!(refusal.problems[0].place, Place::Override((*argument).to_owned()));
        assert!(refusal.to_string().starts_with(&format!("--set {argument}: ")), "{refusal}");
    }
}

/// Two boxes on a rod, with something of everything that is a list.
const JOINED: &str = r#"
name = "joined"
duration = 0.2
step = 1e-3
[[body]]
name = "left"
shape = "polygon"
size = [[-0.1, -0.1], [0.1, -0.1], [0.0, 0.1]]
mass = 1.0
position = [0.0, 0.1]
[[body]]
name = "right"
shape = "box"
size = [0.2, 0.2]
mass = 1.0
position = [0.5, 0.1]
[[rod]]
bodies = ["left", "right"]
points = [[0.0, 0.0], [0.0, 0.0]]
[[pair]]
bodies = ["left", "ground"]
friction = 0.3
[[wall]]
normal = [-1.0, 0.0]
offset = -2.0
[[push]]
body = "left"
table = [[0.0, 1.0, 0.0], [0.1, 2.0, 0.0]]
[ground]
friction = 0.4
"#;

/// A box in space.
const IN_SPACE: &str = r#"
name = "cube"
duration = 0.2
step = 1e-3
[[body]]
shape = "box"
size = [0.1, 0.1, 0.1]
mass = 0.37
inertia = [8e-4, 8e-4, 8e-4]
position = [0.0, 0.0, 0.05]
[ground]
friction = 0.2
"#;

/// The key that is blamed, and the list in force, of overrides of one element.
#[rustfmt::skip]
const ELEMENTS: &[(&str, &str, &str, &str)] = &[
    (JOINED, "wall.0.normal.0=-0.5", "wall[0].normal", "is [-0.5, 0.0],"),
    (JOINED, "body.0.size.2.1=-0.1", "body[0].size", "is [[-0.1, -0.1], [0.1, -0.1], [0.0, -0.1]],"),
    (JOINED, "push.0.table.1.0=0.0", "push[0].table", "is [[0.0, 1.0, 0.0], [0.0, 2.0, 0.0]],"),
    (JOINED, "rod.0.bodies.0=right", "rod[0].bodies", "is [right, \"right\"],"),
    (JOINED, "rod.0.points.0.0=1e9", "rod[0].points[0]", "is [1e9, 0.0],"),
    (JOINED, "pair.0.bodies.0=ground", "pair[0].bodies", "is [ground, \"ground\"], but must name a body"),
    (IN_SPACE, "body.0.inertia.0=8e-3", "body[0].inertia", "is [8e-3, 8e-4, 8e-4],"),
];

#[test]
fn an_override_of_an_element_is_blamed_for_what_becomes_of_its_list() {
    for (text, argument, key, words) in ELEMENTS {
        let problem = only_problem(text, &[argument]);
        assert_tells(&problem, Some(key), &[words]);
        assert_eq!(problem.place, Place::Override((*argument).to_owned()), "{problem:#?}");
    }
}

#[test]
fn what_a_list_has_of_the_file_is_blamed_on_the_file() {
    let text = JOINED.replace(r#"["left", "ground"]"#, r#"["lift", "ground"]"#);
    let problem = only_problem(&text, &["pair.0.bodies.1=wall-0"]);
    assert_tells(&problem, Some("pair[0].bodies[0]"), &["names \"lift\"", "did you mean \"left\"?"]);
    assert!(problem.place.span().is_some(), "{problem:#?}");
}

#[test]
fn an_override_is_blamed_where_a_value_of_the_file_no_longer_goes_with_it() {
    for (argument, key, words) in [
        ("duration=1e9", "step", "is 1e-3, but must be at least 10 s for a `duration` of 1e9 s"),
        ("body.1.position.0=0.0", "rod[0].bodies", "two in different places"),
        ("body.1.position=[0.0, 0.1]", "rod[0].bodies", "two in different places"),
    ] {
        let problem = only_problem(JOINED, &[argument]);
        assert_tells(&problem, Some(key), &[words]);
        assert_eq!(problem.place, Place::Override(argument.to_owned()), "{problem:#?}");
    }
}

#[test]
fn the_file_is_blamed_for_its_own_faults() {
    let text = VALID.replace("mass = 10.0", "mass = -1");
    let problem = only_problem(&text, &["ground.friction=0.5"]);
    assert_tells(&problem, Some("particle.mass"), &["is -1,"]);
    assert!(problem.place.span().is_some());
}

#[test]
fn a_position_of_another_length_no_longer_fits_the_vectors_of_the_file() {
    let refusal = refusal(VALID, &["particle.position=[0,1,2]"]);
    let keys: Vec<_> = refusal.problems.iter().map(|problem| problem.key.as_deref()).collect();
    assert_eq!(keys, [Some("particle.velocity"), Some("push[0].force")]);
    for problem in &refusal.problems {
        assert_tells(problem, problem.key.as_deref(), &["has 2 components", "`particle.position` has 3"]);
    }
}

#[test]
fn what_has_not_the_form_of_an_override_is_refused() {
    for (argument, words) in [
        ("", "no `=`"),
        ("ground.friction", "no `=`"),
        ("ground.friction 0.3", "no `=`"),
        ("=0.3", "is not a key"),
        ("ground..friction=0.3", "is not a key"),
        ("ground.friction.=0.3", "is not a key"),
        ("push[-1].to=0.3", "is not a key"),
        ("push[.to=0.3", "is not a key"),
        ("push[99999999999999999999999].to=1", "is not a key"),
        ("my key=0.3", "is not a key"),
        ("ground.friction=", "it is empty"),
        ("particle.position=[0,1", "is not a value"),
        ("particle.position=(0,1)", "is not a value"),
        ("ground.friction=0.3 0.4", "is not a value"),
        ("ground.friction=0.3\nstep=1", "is not a value"),
    ] {
        let error = Override::parse(argument).expect_err(argument).to_string();
        assert!(error.contains(words), "{words:?} is missing in\n{error}");
        assert!(
            error.contains("ground.friction=0.3") || error.contains("write a number"),
            "no remedy in\n{error}"
        );
    }
}

#[test]
fn an_endless_key_is_refused() {
    let argument = format!("{}a=1", "a.".repeat(50_000));
    assert!(Override::parse(&argument).is_err());
}
