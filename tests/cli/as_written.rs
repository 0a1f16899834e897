//! What a scenario asks for and a stepper does not do is named: on standard error before the run, in
//! the table and in the summary.

use serde_json::Value;

use crate::{Workspace, example, text};

/// Standard output, standard error and `summary.json` of a run of `scenario` with `arguments`.
fn run(scenario: &str, folder: &str, arguments: &[&str]) -> (String, String, Value) {
    let workspace = Workspace::new();
    let scenario = example(scenario);
    let all = [&["run", &scenario, "--no-plots"], arguments].concat();
    let output = workspace.stickslip(&all).assert().success().get_output().clone();
    let summary = workspace.read(&format!("output/{folder}/summary.json"));
    (text(&output.stdout), text(&output.stderr), serde_json::from_str(&summary).expect("JSON"))
}

#[test]
fn restitution_that_a_stepper_cannot_honour_is_named() {
    for (scenario, folder, stepper) in [
        ("bounce.toml", "bounce/convex", "convex"),
        ("chain.toml", "chain/convex", "convex"),
        ("bounce.toml", "bounce/smooth", "smooth"),
    ] {
        let arguments = ["--stepper", stepper, "--set", "ground.restitution=0.6", "--set", "duration=0.05"];
        let tanh = ["--set", "stepper.smooth.law=tanh"];
        let (table, warned, summary) = run(scenario, folder, &[&arguments[..], &tanh].concat());
        assert!(
            warned.contains(&format!("warning: stepper `{stepper}`: ground.restitution = 0.6 is ignored"))
        );
        assert!(table.contains("ground.restitution = 0.6 is ignored"), "{table}");
        assert_eq!(summary["ignored"][0]["key"], "ground.restitution", "{stepper}");
        assert_eq!(summary["ignored"][0]["value"], "0.6");
        assert!(summary["ignored"][0]["reason"].as_str().is_some_and(|reason| reason.contains("stiffness")));
    }
}

#[test]
fn what_is_honoured_or_left_at_its_default_is_not_named() {
    for (stepper, arguments) in [
        ("nlp", &["--set", "ground.restitution=0.6"][..]),
        ("hybrid", &["--set", "ground.restitution=0.6"]),
        ("exact", &["--set", "ground.restitution=0.6"]),
        ("lcp", &["--set", "stepper.lcp.restitution=poisson"]),
        ("convex", &["--set", "ground.restitution=0", "--set", "stepper.convex.beta=0.5"]),
    ] {
        let arguments = [&["--stepper", stepper, "--set", "duration=0.05"], arguments].concat();
        let (table, warned, summary) = run("bounce.toml", &format!("bounce/{stepper}"), &arguments);
        assert_eq!(warned, "", "{stepper}");
        assert!(!table.contains("not as written"), "{table}");
        assert_eq!(summary["ignored"], Value::Array(Vec::new()), "{stepper}");
        assert_eq!(summary["warnings"], Value::Array(Vec::new()), "{stepper}");
    }
}

#[test]
fn settings_of_a_family_that_one_formulation_has_no_use_for_are_named() {
    for (scenario, stepper, key, value) in [
        ("slide", "lcp", "stepper.lcp.directions", "4"),
        ("slide", "lcp", "stepper.lcp.polygon", "\"fixed\""),
        ("slide", "lcp:anitescu", "stepper.lcp.time_of_impact", "true"),
        ("slide", "lcp:anitescu", "stepper.impacts", "\"two-stage\""),
        ("slide", "nlp", "stepper.impacts", "\"two-stage\""),
        ("slide", "convex", "stepper.impacts", "\"two-stage\""),
        ("slide", "smooth", "stepper.impacts", "\"two-stage\""),
        ("slide", "hybrid", "stepper.impacts", "\"two-stage\""),
        ("slide", "exact", "stepper.impacts", "\"two-stage\""),
        ("curve", "nlp", "stepper.impacts", "\"two-stage\""),
        ("curve", "convex", "stepper.impacts", "\"two-stage\""),
        ("curve", "smooth", "stepper.impacts", "\"two-stage\""),
        ("curve", "exact", "stepper.impacts", "\"two-stage\""),
        ("slide", "lcp:belbute-peres", "stepper.lcp.solver", "\"enumeration\""),
        ("curve", "lcp:polyhedral", "stepper.lcp.polygon", "\"fixed\""),
        ("curve", "lcp:fixed-point", "stepper.lcp.polygon", "\"fixed\""),
        ("curve", "convex", "stepper.convex.delassus_norm", "\"spatial\""),
        ("cube-toss", "convex", "stepper.convex.delassus_norm", "\"spatial\""),
    ] {
        let set = format!("{key}={}", value.trim_matches('"'));
        let arguments = ["--stepper", stepper, "--set", "duration=0.05", "--set", &set];
        let folder = format!("{scenario}/{}", stepper.replace(':', "-"));
        let (_, warned, summary) = run(&format!("{scenario}.toml"), &folder, &arguments);
        assert!(warned.contains(&format!("{key} = {value} is ignored")), "{warned}");
        assert_eq!(summary["ignored"][0]["key"], key);
    }
}

#[test]
fn a_duration_that_is_no_multiple_of_the_step_is_told_to_be_rounded() {
    let arguments = ["--stepper", "lcp", "--set", "duration=1", "--set", "step=3e-3"];
    let (table, warned, summary) = run("slide.toml", "slide/lcp", &arguments);
    for told in [table, warned, summary["warnings"][0].as_str().expect("a warning").to_owned()] {
        assert!(told.contains("duration of 1 s") && told.contains("333 steps end at 0.999 s"), "{told}");
    }
    assert_eq!(summary["steps"], 333);
    let arguments = ["--stepper", "lcp", "--set", "duration=0.9", "--set", "step=7e-7"];
    let (_, warned, _) = run("slide.toml", "slide/lcp", &arguments);
    assert!(warned.contains("duration of 0.9 s") && warned.contains("end at 0.8999998 s"), "{warned}");
    let once = ["--stepper", "lcp", "--set", "duration=1.2e-3", "--set", "step=1e-3"];
    let (table, warned, _) = run("slide.toml", "slide/lcp", &once);
    assert!(warned.contains("1 step ends at 0.001 s"), "{warned}");
    assert!(table.contains("1 step of 0.001 s"), "{table}");
    for (duration, step) in [("0.3", "0.1"), ("1.2", "1e-3"), ("0.7", "7e-5")] {
        let set = [format!("duration={duration}"), format!("step={step}")];
        let arguments = ["--stepper", "lcp", "--set", &set[0], "--set", &set[1]];
        assert_eq!(run("slide.toml", "slide/lcp", &arguments).1, "", "{duration} in steps of {step}");
    }
}

#[test]
fn a_push_above_the_nyquist_frequency_of_the_step_is_told_to_be_aliased() {
    let with = |stepper: &str, frequency: &str| {
        let set = format!("push[0].frequency={frequency}");
        let arguments = ["--stepper", stepper, "--set", "duration=0.05", "--set", &set];
        run("stick-slip.toml", &format!("stick-slip/{stepper}"), &arguments)
    };
    let (_, warned, summary) = with("lcp", "700");
    assert!(warned.contains("push[0] swings at 700 Hz") && warned.contains("one of 300 Hz"), "{warned}");
    assert_eq!(summary["warnings"].as_array().map(Vec::len), Some(1));
    assert_eq!(with("lcp", "499").1, "");
    assert_eq!(with("exact", "700").1, "", "it follows the push within the step");
}

#[test]
fn the_exact_motion_is_the_reference_and_not_compared_with_itself() {
    let (table, _, summary) = run("bounce.toml", "bounce/exact", &["--stepper", "exact"]);
    for key in ["max_error_x", "max_error_z", "max_complementarity"] {
        assert!(summary["metrics"][key].is_null(), "{key}: {}", summary["metrics"][key]);
    }
    assert!(!table.contains("max error") && !table.contains("complementarity"), "{table}");

    let workspace = Workspace::new();
    let arguments = ["compare", &example("bounce.toml"), "--steppers", "lcp,convex,exact", "--no-plots"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    let row = |name: &str| table.lines().find(|line| line.starts_with(name)).expect("a row").to_owned();
    assert!(row("exact").contains("reference") && !row("lcp").contains("reference"), "{table}");
    assert!(table.contains("convex: ground.restitution = 0.6 is ignored"), "{table}");
    let summary: Value =
        serde_json::from_str(&workspace.read("output/bounce/compare/summary.json")).expect("JSON");
    let [lcp, convex, exact] = [0, 1, 2].map(|place| &summary["steppers"][place]);
    assert!(exact["is_reference"] == true && exact["metrics"]["max_error_z"].is_null());
    assert!(lcp["is_reference"] == false && lcp["metrics"]["max_error_z"].is_number());
    assert_eq!(convex["ignored"][0]["key"], "ground.restitution");
    let page = workspace.read("output/bounce/compare/report.html");
    assert!(page.contains("<td>reference</td>") && page.contains("ground.restitution = 0.6 is ignored"));
}

#[test]
fn the_published_program_says_why_flight_is_beyond_it() {
    let workspace = Workspace::new();
    let arguments = ["run", &example("slide.toml"), "--stepper", "nlp:seed", "--no-plots"];
    let output = workspace.stickslip(&arguments).assert().code(1).get_output().clone();
    let told = text(&output.stderr);
    for words in ["step 0", "the point is in flight", "demands vx = 0", "use stepper `nlp`"] {
        assert!(told.contains(words), "no `{words}` in\n{told}");
    }
}

#[test]
fn a_run_that_went_on_after_failed_steps_is_complete_on_disk_and_exits_with_1() {
    let workspace = Workspace::new();
    let arguments = ["run", &example("slide.toml"), "--stepper", "nlp:seed", "--no-plots"];
    let output = workspace
        .stickslip(&arguments)
        .args(["--on-failure", "continue", "--set", "duration=0.05"])
        .assert()
        .code(1)
        .get_output()
        .clone();
    assert!(
        text(&output.stderr)
            .contains("steps of `slide` failed under stepper `nlp:seed`, the first at step 0")
    );
    assert!(text(&output.stdout).contains("wrote "));
    let summary: Value =
        serde_json::from_str(&workspace.read("output/slide/nlp-seed/summary.json")).expect("JSON");
    assert_eq!(summary["steps"], 50);
    assert!(summary["status"]["failed"].as_u64() > Some(10), "{}", summary["status"]);
    assert!(workspace.files("output/slide/nlp-seed").contains(&"trajectory.csv".to_owned()));
}

/// What `run` says on standard error of a scenario of these bodies and pushes, steps of 2 ms for 0.9 s.
fn told_of(scene: &str, stepper: &str) -> String {
    let workspace = Workspace::new();
    let head = "name = \"scene\"\nduration = 0.9\nstep = 2e-3\n";
    workspace.write("scene.toml", &format!("{head}{scene}[ground]\nfriction = 0.3\n"));
    // What begins inside another is told of here, and not judged.
    let arguments = ["run", "scene.toml", "--no-plots", "--accept-overlap", "--stepper", stepper];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let summary: Value =
        serde_json::from_str(&workspace.read(&format!("output/scene/{stepper}/summary.json"))).expect("JSON");
    let told = text(&output.stderr);
    for warning in summary["warnings"].as_array().expect("a list") {
        assert!(told.contains(warning.as_str().expect("a text")), "{warning} is not in\n{told}");
    }
    told
}

fn boxed(height: f64) -> String {
    format!(
        "[[body]]\nname = \"crate\"\nshape = \"box\"\nsize = [0.4, 0.4]\nmass = 1.0\nposition = [0.0, {height}]\n"
    )
}

fn disc(name: &str, x: f64) -> String {
    format!("[[body]]\nname = \"{name}\"\nshape = \"disc\"\nsize = 0.2\nmass = 1.0\nposition = [{x}, 0.2]\n")
}

#[test]
fn a_conveyor_in_the_ground_is_named_and_one_above_it_or_alike_is_not() {
    let belt = |rest: &str| boxed(0.2) + "[[wall]]\nnormal = [0.0, 1.0]\n" + rest;
    let told = told_of(&belt("offset = 0.0\nvelocity = 1.0\n"), "nlp");
    assert!(
        told.contains("wall-0 lies in the ground and is not like it") && told.contains("move it"),
        "{told}"
    );
    let told = told_of(&belt("offset = 0.0\nfriction = 0.5\n"), "lcp");
    assert!(told.contains("wall-0 lies in the ground"), "{told}");
    for harmless in ["offset = 0.0\n", "offset = 0.0\nfriction = 0.3\n", "offset = -0.01\nvelocity = 1.0\n"] {
        let told = told_of(&belt(harmless), "nlp");
        assert!(!told.contains("lies in the ground"), "{harmless}: {told}");
    }
}

#[test]
fn bodies_that_overlap_deeply_at_the_start_are_named_with_the_depth() {
    for stepper in ["lcp", "smooth"] {
        let told = told_of(&boxed(0.1), stepper);
        assert!(
            told.contains("body crate lies 0.1 m deep in the ground") && told.contains("raise"),
            "{told}"
        );
    }
    let told = told_of(&(disc("left", 0.0) + &disc("right", 0.25)), "lcp");
    assert!(told.contains("left") && told.contains("right") && told.contains("0.15 m"), "{told}");
    assert!(told.contains("move them apart"), "{told}");
    let wall = "[[wall]]\nnormal = [1.0, 0.0]\noffset = 0.05\n";
    let told = told_of(&(disc("ball", 0.2) + wall), "lcp");
    assert!(
        told.contains("body ball lies 0.05 m deep in wall-0") && told.contains("wall[0].normal"),
        "{told}"
    );
    // In space, a box on a sphere.
    let space = "[[body]]\nname = \"globe\"\nshape = \"sphere\"\nsize = 0.5\nmass = 1.0\nposition = [0.0, 0.0, 0.5]\n\
                 [[body]]\nname = \"lid\"\nshape = \"box\"\nsize = [1.0, 1.0, 0.2]\nmass = 1.0\nposition = [0.0, 0.0, 1.05]\n";
    let told = told_of(space, "lcp");
    assert!(told.contains("globe") && told.contains("lid") && told.contains("0.05 m deep"), "{told}");
}

#[test]
fn bodies_that_rest_on_one_another_are_not_called_overlapping() {
    for scene in [
        boxed(0.2),
        // 1 mm of 400 mm: digits, not a fault.
        boxed(0.199),
        disc("left", 0.0) + &disc("right", 0.4),
        disc("left", 0.0) + &disc("right", 0.399),
        disc("ball", 0.2) + "[[wall]]\nnormal = [1.0, 0.0]\noffset = 0.0\n",
    ] {
        assert_eq!(told_of(&scene, "lcp"), "", "{scene}");
    }
}

#[test]
fn an_overlap_is_said_to_stay_where_it_stays() {
    let told = told_of(&boxed(0.1), "lcp");
    assert!(told.contains("rigid models leave it there, `convex` and `smooth` push it out"), "{told}");
}

#[test]
fn a_rod_that_is_not_as_long_as_what_it_joins_is_named() {
    let joined = |rest: &str| {
        format!("{}{}[[rod]]\nbodies = [\"left\", \"right\"]\n{rest}", disc("left", 0.0), disc("right", 1.0))
    };
    let told = told_of(&joined("length = 0.5\n"), "nlp");
    assert!(
        told.contains("rod[0] is 0.5 m long, and its ends are 1 m apart")
            && told.contains("the first step moves them"),
        "{told}"
    );
    for harmless in ["", "length = 1.0\n", "length = 0.999\n"] {
        assert_eq!(told_of(&joined(harmless), "nlp"), "", "{harmless}");
    }
    let fixed = |name: &str, x: f64| disc(name, x) + "fixed = true\n";
    let free = boxed(0.2).replace("[0.0, 0.2]", "[5.0, 0.2]");
    let rod = "[[rod]]\nbodies = [\"left\", \"right\"]\nlength = 0.5\n";
    let told = told_of(&(free + &fixed("left", 0.0) + &fixed("right", 1.0) + rod), "nlp");
    assert!(told.contains("both bodies are fixed, and it stays so"), "{told}");
}

/// A bar that spins about its middle at the start, though a pin holds its end.
#[test]
fn velocities_at_the_start_that_a_joint_does_not_allow_are_named() {
    let bar = |rest: &str| {
        format!(
            "[[body]]\nname = \"bar\"\nshape = \"rod\"\nsize = 1.0\nmass = 1.2\nposition = [0.5, 2.0]\n{rest}\
             [[joint]]\nkind = \"hinge\"\nbodies = [\"world\", \"bar\"]\npoint = [0.0, 2.0]\n"
        )
    };
    let told = told_of(&bar("spin = 3.0\n"), "lcp");
    assert!(told.contains("move what joint[0] joins apart at 1.5 m/s"), "{told}");
    for harmless in ["", "velocity = [0.0, 1.5]\nspin = 3.0\n", "velocity = [0.0, 1.5004]\nspin = 3.0\n"] {
        assert_eq!(told_of(&bar(harmless), "lcp"), "", "{harmless}");
    }
    let slider = bar("velocity = [1.0, 0.0]\n")
        .replace("hinge", "slider")
        .replace("point", "axis = [1.0, 0.0]\npoint");
    assert_eq!(told_of(&slider, "lcp"), "");
    let told = told_of(&slider.replace("velocity = [1.0, 0.0]", "spin = 2.0"), "lcp");
    assert!(told.contains("move what joint[0] joins apart at 1 m/s"), "{told}");
    let told = told_of(
        &slider.replace("velocity = [1.0, 0.0]", "spin = 2.0").replace("point = [0.0", "point = [0.5"),
        "lcp",
    );
    assert!(told.contains("joint[0] joins about an axis that it holds, at 2 rad/s"), "{told}");
    let beads = "[[rod]]\nbodies = [\"left\", \"right\"]\n";
    let apart = disc("left", 0.0) + "velocity = [-1.0, 0.0]\n" + &disc("right", 1.0) + beads;
    assert!(told_of(&apart, "lcp").contains("move what rod[0] joins apart at 1 m/s"));
}

#[test]
fn a_pair_that_sets_nothing_is_named() {
    let told = told_of(&(boxed(0.2) + "[[pair]]\nbodies = [\"crate\", \"ground\"]\n"), "lcp");
    assert!(told.contains("pair[0] sets neither friction nor restitution"), "{told}");
}

#[test]
fn pairs_springs_and_conveyors_that_change_nothing_are_named() {
    let post = disc("post", 2.0) + "fixed = true\n";
    let scene = boxed(0.2) + &post;
    let of_post = |second: &str| format!("[[pair]]\nbodies = [\"post\", \"{second}\"]\nfriction = 0.1\n");
    let told = told_of(&(scene.clone() + &of_post("ground")), "lcp");
    assert!(told.contains("pair[0] is of post, which nothing moves, and ground"), "{told}");
    assert_eq!(told_of(&(scene.clone() + &of_post("crate")), "lcp"), "");
    let spring = |rest: &str| format!("[[spring]]\nbodies = [\"crate\", \"post\"]\n{rest}\n");
    let told = told_of(&(scene.clone() + &spring("stiffness = 0.0")), "lcp");
    assert!(told.contains("spring[0] has neither stiffness nor damping"), "{told}");
    assert_eq!(told_of(&(scene.clone() + &spring("stiffness = 0.0\ndamping = 1.0")), "lcp"), "");
    let other = disc("other", 4.0) + "fixed = true\n";
    let fixed = "[[spring]]\nbodies = [\"other\", \"post\"]\nstiffness = 1.0\n";
    let told = told_of(&(scene.clone() + &other + fixed), "lcp");
    assert!(told.contains("spring[0] joins two bodies that are fixed"), "{told}");
    let belt = |rest: &str| format!("[[wall]]\nnormal = [1.0, 0.0]\noffset = -1.0\nvelocity = 1.0\n{rest}\n");
    let told = told_of(&(boxed(0.2) + &belt("friction = 0.0")), "lcp");
    assert!(told.contains("wall-0 moves along itself and has no friction"), "{told}");
    let pair = "[[pair]]\nbodies = [\"crate\", \"wall-0\"]\nfriction = 0.2\n";
    for harmless in [belt(""), belt("friction = 0.0") + pair] {
        assert_eq!(told_of(&(boxed(0.2) + &harmless), "lcp"), "", "{harmless}");
    }
}

#[test]
fn a_push_of_what_is_fixed_is_named() {
    let scene = boxed(0.2) + &disc("post", 2.0) + "fixed = true\n";
    let told = told_of(&(scene.clone() + "[[push]]\nbody = \"post\"\nforce = [1.0, 0.0]\n"), "lcp");
    assert!(told.contains("push[0] acts on post, which is fixed: it moves nothing"), "{told}");
    assert_eq!(told_of(&(scene + "[[push]]\nforce = [1.0, 0.0]\n"), "lcp"), "");
}

#[test]
fn a_push_that_never_acts_is_named() {
    let pushed = |push: &str| format!("{}[[push]]\n{push}\n", boxed(0.2));
    for push in [
        "force = [50.0, 0.0]\nfrom = 0.5001\nto = 0.5009",
        "table = [[0.5001, 0.0, 0.0], [0.5005, 50.0, 0.0], [0.5009, 0.0, 0.0]]",
    ] {
        let told = told_of(&pushed(push), "lcp");
        assert!(
            told.contains("push[0] acts from 0.5001 s to 0.5009 s") && told.contains("lower `step`"),
            "{told}"
        );
    }
    for push in ["force = [50.0, 0.0]\nfrom = 5.0", "force = [50.0, 0.0]\nto = -1.0"] {
        let told = told_of(&pushed(push), "lcp");
        assert!(
            told.contains("push[0] acts") && told.contains("never acts") && told.contains("0.9 s"),
            "{told}"
        );
    }
    for push in ["force = [0.1, 0.0]\nfrom = 0.4999\nto = 0.5009", "force = [0.1, 0.0]\nto = 1e-3"] {
        assert_eq!(told_of(&pushed(push), "lcp"), "", "{push}");
    }
}

#[test]
fn a_push_whose_sine_is_zero_whenever_it_is_sampled_is_said_never_to_act() {
    let pushed = |push: &str| format!("{}[[push]]\nforce = [50.0, 0.0]\n{push}\n", boxed(0.2));
    // Steps are of 2 ms.
    for push in ["frequency = 250.0", "frequency = 500.0", "frequency = 10.0\nfrom = 0.05\nto = 0.051"] {
        let told = told_of(&pushed(push), "lcp");
        assert!(told.contains("its sine is zero at each of them, and it never acts"), "{push}: {told}");
        assert!(!told.contains("it acts as one"), "{push}: {told}");
    }
    let told = told_of(&pushed("frequency = 0.0"), "lcp");
    assert!(told.contains("push[0] swings at 0 Hz") && told.contains("leave `frequency` out"), "{told}");
    for push in ["frequency = 10.0", "frequency = 0.0\nphase = 0.1", "frequency = 249.9"] {
        let told = told_of(&pushed(push), "lcp");
        assert!(!told.contains("never acts"), "{push}: {told}");
    }
}

#[test]
fn a_push_at_the_frequency_of_the_steps_or_half_of_it_is_told_as_what_it_comes_to() {
    let pushed = |push: &str| format!("{}[[push]]\nforce = [5.0, 0.0]\n{push}\n", boxed(0.2));
    for (push, told_as) in [
        ("frequency = 250.0\nphase = 0.5", "it turns around at every step, with 0.479426 of its amplitude"),
        ("frequency = 500.0\nphase = 0.5", "it is constant, 0.479426 of its amplitude"),
        ("frequency = 350.0", "it acts as one of 150 Hz would"),
    ] {
        let told = told_of(&pushed(push), "lcp");
        assert!(told.contains(told_as), "{push}: {told}");
    }
}

#[test]
fn a_push_that_is_followed_within_steps_acts_whatever_they_sample() {
    let point = |frequency: &str| {
        format!(
            "[particle]\nmass = 1.0\nposition = [0.0, 0.0]\nvelocity = [1.0, 0.0]\n[[push]]\nforce = [5.0, 0.0]\n\
             frequency = {frequency}\n"
        )
    };
    assert_eq!(told_of(&point("250.0"), "exact"), "");
    assert!(told_of(&point("0.0"), "exact").contains("never acts"));
    assert!(told_of(&point("250.0"), "nlp").contains("never acts"));
}

#[test]
fn the_summary_tells_how_fast_everything_moves_at_the_end() {
    let (_, _, summary) = run("slide.toml", "slide/lcp", &["--stepper", "lcp", "--set", "duration=0.05"]);
    let rows = |text: &str| text.lines().last().map(str::to_owned).expect("rows");
    let velocity = &summary["final_velocity"];
    assert!(velocity["vx"].as_f64().is_some_and(|speed| speed > 0.0), "{velocity}");
    // It falls.
    assert!(velocity["vz"].as_f64().is_some_and(|speed| (speed + 9.81 * 0.05).abs() < 1e-12), "{velocity}");
    let workspace = Workspace::new();
    workspace.write("scene.toml", &format!(
        "name = \"scene\"\nduration = 0.1\nstep = 2e-3\n{}angle = 0.3\nspin = 1.5\nvelocity = [1.0, 0.0]\n[ground]\nfriction = 0.3\n",
        boxed(0.5)
    ));
    workspace.stickslip(&["run", "scene.toml", "--no-plots", "--stepper", "lcp"]).assert().success();
    let summary: Value =
        serde_json::from_str(&workspace.read("output/scene/lcp/summary.json")).expect("JSON");
    let table = workspace.read("output/scene/lcp/trajectory.csv");
    let (header, last) = (table.lines().next().expect("a header"), rows(&table));
    for name in ["vx", "vz", "spin"] {
        let place = header.split(',').position(|column| column == name).expect(name);
        let written: f64 = last.split(',').nth(place).expect(name).parse().expect("a number");
        assert_eq!(summary["final_velocity"]["crate"][name].as_f64(), Some(written), "{name}");
    }
}

#[test]
fn a_setting_of_which_a_later_one_leaves_nothing_is_named() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let told = |command: &[&str], settings: &[&str]| {
        let set = settings.iter().flat_map(|setting| ["--set", setting]);
        let output = workspace.stickslip(command).args(set).assert().success().get_output().clone();
        text(&output.stderr)
    };
    let run = ["run", &slide, "--stepper", "lcp", "--no-plots"];
    let message = told(&run, &["ground.friction=0.1", "ground={friction=0.3}", "ground.friction=0.9"]);
    let first =
        "warning: --set ground.friction=0.1 changes nothing: --set ground={friction=0.3} comes behind it";
    assert!(message.contains(first), "{message}");
    assert_eq!(message.matches("changes nothing").count(), 1, "a part may follow its whole: {message}");
    let learn = ["learn", "slack", "--no-plots"];
    let message = told(&learn, &["friction=2", "friction=0.5"]);
    assert!(message.contains("--set friction=2 changes nothing: --set friction=0.5"), "{message}");
}

/// A scenario file may have settings for every stepper; who gives one with the command expects a difference.
#[test]
fn a_setting_of_steppers_that_do_not_run_is_named() {
    let stiff = ["--set", "stepper.convex.stiffness=1e4", "--set", "duration=0.05"];
    let told = "warning: --set stepper.convex.stiffness=1e4 changes nothing: it is a setting of `convex`";
    let (_, warned, _) = run("bounce.toml", "bounce/lcp", &[&["--stepper", "lcp"][..], &stiff].concat());
    assert!(warned.contains(told) && warned.contains("what runs is `lcp`"), "{warned}");
    let workspace = Workspace::new();
    for (steppers, is_told) in [("lcp,exact", true), ("lcp,convex", false)] {
        for command in ["compare", "convergence", "gradient"] {
            let call = [command, &example("bounce.toml"), "--steppers", steppers, "--no-plots"];
            let output = workspace.stickslip(&[&call[..], &stiff].concat()).assert().success();
            let warned = text(&output.get_output().stderr);
            assert_eq!(warned.contains(told), is_told, "{command} {steppers}: {warned}");
        }
    }
}

#[test]
fn a_solver_is_refused_where_nothing_that_runs_has_it() {
    let workspace = Workspace::new();
    for command in ["compare", "convergence", "gradient"] {
        let call =
            [command, &example("bounce.toml"), "--steppers", "lcp,convex", "--solver", "interior-point"];
        let refused = text(&workspace.stickslip(&call).assert().code(2).get_output().stderr);
        assert!(refused.contains("--solver interior-point is for stepper `nlp`"), "{command}: {refused}");
        assert!(refused.contains("what runs is `lcp`, `convex`"), "{command}: {refused}");
    }
}
