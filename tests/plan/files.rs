//! Plan files: what is taken, and one fault per case with its line and remedy.

use stickslip::plan::Cost;

use super::support::{PUSHED_BY_FINGER, PUSHED_POINT, TIPPED_BOX, refusal, task};

#[test]
fn a_file_says_what_is_asked_for() {
    let text = TIPPED_BOX.replace(
        "velocity = [0.0, 0.0]\nspin = 0.0",
        "velocity = [nan, 0.0]\nwithin = 1e-4\nrunning_weight = 3",
    );
    let task = task(
        &(text + "\n[start.box]\nvelocity = [[-1, 2], 0]\n[[keep]]\nconstant = 0.7\nlinear = [-4, 1]\n"),
    );
    assert_eq!(
        (task.name.as_str(), task.steps, task.duration, task.cost),
        ("plan", 20, [1.0; 2], Cost::Effort)
    );
    let control = task.controls[0];
    assert_eq!((control.body, control.point, control.force), (0, [-0.2, 0.5], [[-40.0, 40.0]; 2]));
    assert_eq!(task.start[0], [[0.0; 2], [0.5; 2], [0.0; 2], [-1.0, 2.0], [0.0; 2], [0.0; 2]]);
    let goal = task.goals[0];
    let quarter = std::f64::consts::FRAC_PI_2;
    assert_eq!(goal.target, [None, None, Some(-quarter), None, Some(0.0), None]);
    assert_eq!((goal.within, goal.weight), (1e-4, None));
    assert_eq!(goal.running_weight, [0.0, 0.0, 3.0, 0.0, 3.0, 0.0]);
    assert_eq!((task.keeps[0].constant, task.keeps[0].linear), (0.7, [-4.0, 1.0]));
    assert_eq!(task.scenario.step, 0.05);
}

#[test]
fn a_wrong_value_that_is_set_from_outside_is_told_as_it_was_written() {
    for (set, told) in [
        ("steps=0", "found the integer 0"),
        ("duration=nan", "found the number nan"),
        ("duration=[2,1]", "`duration` is [2,1]: its lower bound 2 is above its upper one 1"),
        ("control.0.force=[[5,-5],0]", "is [5,-5]: its lower bound 5"),
    ] {
        let said = refusal(PUSHED_POINT, &[set]);
        assert!(said.contains(told), "{set}: {said}");
    }
}

#[test]
fn a_goal_in_the_cost_weighs_what_it_asks_for_by_one_number_or_by_one_for_each_key() {
    let goal = |weight: &str| task(&with(PUSHED_POINT, "within = 0", weight)).goals[0];
    assert_eq!(goal("weight = 2").weight, Some([2.0, 0.0, 0.0, 2.0, 2.0, 0.0]));
    assert_eq!(goal("weight = { velocity = 5 }").weight, Some([0.0, 0.0, 0.0, 5.0, 5.0, 0.0]));
    assert_eq!(goal("weight = 2").running_weight, [0.0; 6]);
}

#[test]
fn numbers_are_set_from_outside_in_the_plan_and_in_its_scenario() {
    let said = refusal(PUSHED_POINT, &["steps=0"]);
    assert!(said.contains("--set steps=0") && said.contains("from 1 to 2000"), "{said}");
    let said = refusal(PUSHED_POINT, &["particle.mass=-1"]);
    assert!(said.contains("--set particle.mass=-1"), "{said}");
}

/// What a text becomes by a replacement, that has to be one.
fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn what_joins_bodies_is_not_planned() {
    let hinge = "[[joint]]\nkind = \"hinge\"\nbodies = [\"world\", \"box\"]\npoint = [0.2, 0.0]\n";
    let rod = "[[rod]]\nbodies = [\"box\", \"finger\"]\n";
    let spring = "[[spring]]\nbodies = [\"box\", \"finger\"]\nstiffness = 10.0\n";
    for (plan, link, key) in
        [(TIPPED_BOX, hinge, "joint"), (PUSHED_BY_FINGER, rod, "rod"), (PUSHED_BY_FINGER, spring, "spring")]
    {
        let said = refusal(&format!("{plan}{link}"), &[]);
        let place = format!(":{}:", plan.lines().count() + 1);
        assert!(said.contains(&format!("the scenario has [[{key}]], which plans do not know")), "{said}");
        assert!(said.contains(&place) && said.contains("joined by nothing but contact"), "{place} {said}");
    }
}

#[test]
fn each_fault_is_told_with_its_line_and_what_to_do() {
    let point = |from: &str, to: &str| with(PUSHED_POINT, from, to);
    let finger = |from: &str, to: &str| with(PUSHED_BY_FINGER, from, to);
    let cases = [
        (point("steps = 20", "steps = 3000"), ":3:", "2000"),
        (point("steps = 20", "stepz = 20"), ":3:", "did you mean"),
        (point("duration = 1.0", "duration = [2.0, 1.0]"), ":4:", "swap them: [1, 2]"),
        (point("duration = 1.0", "duration = 0.0"), ":4:", "above 0"),
        (point("duration = 1.0", "duration = 1.0\ncost = \"efort\""), ":5:", "did you mean \"effort\""),
        (point("duration = 1.0", "duration = 1.0\ncost = \"time\""), ":5:", "duration = [0.1, 5.0]"),
        (point("duration = 1.0", "duration = 1.0\ncost = \"start\""), ":5:", "add [start]"),
        (point("duration = 1.0", "duration = 1.0\naim = \"exakt\""), ":5:", "did you mean \"exact\""),
        (point("[[-20, 20], 0]", "[[20, -20], 0]"), ":13:", "swap them: [-20, 20]"),
        (point("[[-20, 20], 0]", "[[-20, inf], 0]"), ":13:", "finite number"),
        (point("[[-20, 20], 0]", "[1, 0]"), ":12:", "nothing to choose"),
        (point("force = [[-20, 20], 0]", "body = \"box\""), ":13:", "there is no body `box`"),
        (point("force = [[-20, 20], 0]", "point = [0, 0]\nforce = [[-1, 1], 0]"), ":13:", "does not turn"),
        (point("position = [1.0, nan]", "position = [1.0]"), ":15:", "two numbers"),
        (
            point("position = [1.0, nan]", "position = [1.0, -0.1]"),
            "0.1 m deep in ground at the goal",
            "move it out",
        ),
        (
            with(
                &point("velocity = [0.0, 0.0]", "velocity = [0.0, 0.0, 0.0]"),
                "[0.0, 0.0]",
                "[0.0, 0.0, 0.0]",
            ),
            "in space",
            "two-component vectors",
        ),
        (point("friction = 0.3", "friction = 0.3\nrestitution = 0.5"), ":12:", "set every restitution 0"),
        (point("friction = 0.3", "friction = 0.3\nkinetic_friction = 0.2"), ":12:", "one coefficient"),
        (point("within = 0", "within = -1"), ":17:", "at least 0"),
        (point("[goal]", "[gaol]"), ":14:", "did you mean `goal`?"),
        (point("[[control]]", "[[controls]]"), ":12:", "did you mean `control`?"),
        (point("within = 0", "within = 0\nweight = 3"), ":17:", "leave out one of `within` and `weight`"),
        (point("within = 0", "weight = 0"), ":17:", "at least"),
        (point("within = 0", "weight = { positon = 1 }"), ":17:", "did you mean `position`"),
        (point("within = 0", "weight = {}"), ":17:", "position = 100.0"),
        (
            point("within = 0", "running_weight = { spin = 1 }"),
            "asks for no spin",
            "give the goal its `spin`",
        ),
        (point("within = 0", "running_weight = \"much\""), ":17:", "running_weight = 100.0"),
        (point("name = \"p1\"", "name = \"p1\"\nscenario = \"nowhere.toml\""), ":3:", "unknown key"),
        (with(PUSHED_POINT, "[goal]", "[[keep]]\nconstant = 1\n[goal]"), "keep", "linear"),
        (
            with(PUSHED_POINT, "[goal]", "[[keep]]\nconstant = -0.2\nlinear = [1, 0]\n[goal]"),
            "does not let body-0 be at (0, 0), where it is at the start",
            "turn its sign",
        ),
        (
            with(
                PUSHED_POINT,
                "[goal]\nposition = [1.0, nan]",
                "[[keep]]\nconstant = 0.9\nlinear = [-1, 0]\n[goal]\nposition = [1.0, 0.0]",
            ),
            "at (1, 0), where it is at the goal: it is -1.000e-1 there",
            "move the body",
        ),
        (point("duration = 1.0", "duration = 1.0\nstep = 1e-3"), ":5:", "remove it"),
        (finger("inertia = 1e9", "inertia = 1e9\nfixed = true"), "finger is fixed", "[[wall]]"),
        (
            finger("position = [-0.35, 0.2]", "position = [-0.35, 0.5]"),
            "beside a corner",
            "in front of the face",
        ),
        (
            finger("position = [-0.35, 0.2]", "position = [-0.2, 0.2]"),
            "deep in box at the start",
            "move it out",
        ),
        (finger("shape = \"disc\"\nsize = 0.05", "shape = \"box\"\nsize = [0.1, 0.1]"), "polygons", "a disc"),
        (finger("[goal.box]", "[goal]"), "says not of which body", "[goal.BODY]"),
        (
            finger("body = \"finger\"\nforce = [[-40, 40], [-40, 40]]", "force = [[-40, 40], 0]"),
            "has 2 bodies",
            "name one of box, finger",
        ),
    ];
    for (text, place, remedy) in cases {
        let said = refusal(&text, &[]);
        assert!(said.contains(place) && said.contains(remedy), "{place} {remedy}\n{said}");
    }
}
