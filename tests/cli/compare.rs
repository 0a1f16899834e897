use crate::{Workspace, example, text};

const SHORT: [&str; 2] = ["--set", "duration=0.05"];

#[test]
fn compare_writes_everything_it_promises() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let arguments = ["compare", &slide, "--set", "stepper.smooth.preset=published"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let files = workspace.files("output/slide/compare");
    for name in [
        "animation.gif",
        "energy.png",
        "energy.svg",
        "error.png",
        "error.svg",
        "events.csv",
        "friction-cone.svg",
        "history.png",
        "history.svg",
        "impact-1.png",
        "impact-1.svg",
        "metrics.csv",
        "modes.svg",
        "partings.csv",
        "path.png",
        "path.svg",
        "phase.svg",
        "report.html",
        "summary.json",
        "timings.json",
        "trajectories",
    ] {
        assert!(files.iter().any(|file| file == name), "{name} is missing in {files:?}");
    }
    let table = text(&output.stdout);
    let steppers = ["nlp", "lcp", "lcp:anitescu", "lcp:belbute-peres", "convex", "hybrid", "smooth", "exact"];
    for stepper in steppers {
        let row = format!("{stepper} ");
        assert!(table.lines().any(|line| line.starts_with(&row)), "{stepper} is missing in\n{table}");
    }
    assert!(table.contains("left out, for reasons in report.html and summary.json: lcp:falling-block, "));
    assert!(
        table.contains("pairs get more than 0.004536 m apart, the first nlp (flight) and smooth (impact) in"),
        "{table}"
    );
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read("output/slide/compare/summary.json")).unwrap();
    assert!(summary["tolerance"].as_f64().unwrap() > 4.5e-3);
    assert_eq!(summary["steppers"].as_array().unwrap().len(), steppers.len());
    assert_eq!(summary["refused"].as_array().unwrap().len(), 8);
    assert_eq!(summary["events"][0]["event"], "impact");
    let metrics = workspace.read("output/slide/compare/metrics.csv");
    assert_eq!(metrics.lines().count(), 1 + steppers.len());
}

#[test]
fn the_other_solver_checks_nlp_and_both_are_told_with_their_costs() {
    let workspace = Workspace::new();
    let arguments = ["compare", &example("slide.toml"), "--no-plots", "--steppers", "nlp,exact"];
    for (switch, names) in [
        (&[][..], ["IPOPT", "interior-point"]),
        (&["--solver", "interior-point"][..], ["interior-point", "IPOPT"]),
    ] {
        let output = workspace.stickslip(&arguments).args(switch).assert().success().get_output().clone();
        let table = text(&output.stdout);
        let summary: serde_json::Value =
            serde_json::from_str(&workspace.read("output/slide/compare/summary.json")).unwrap();
        let check = &summary["cross_check"];
        for (run, name) in check["runs"].as_array().unwrap().iter().zip(names) {
            assert_eq!(run["solver"]["name"], name);
            assert!(run["step_microseconds"].as_f64().unwrap() > 0.0);
            assert!(run["iterations"]["total"].as_u64().unwrap() > 1200);
        }
        assert_eq!(check["states"], 1201);
        assert!(check["max_position"].as_f64().unwrap() < 1e-8);
        let words = check["words"].as_str().unwrap();
        assert!(table.contains(words) && words.contains(&format!("checked by {} ", names[1])), "{table}");
        assert!(workspace.read("output/slide/compare/report.html").contains(words));
    }
    let without = ["compare", &example("slide.toml"), "--no-plots", "--steppers", "lcp,exact"];
    workspace.stickslip(&without).assert().success();
    assert!(workspace.read("output/slide/compare/summary.json").contains("\"cross_check\": null"));
}

/// A box on a belt above a ground that it never touches.
#[test]
fn the_page_opens_with_what_bodies_may_touch() {
    let workspace = Workspace::new();
    let belt = "name = \"belt\"\nduration = 0.05\nstep = 1e-3\n[[body]]\nname = \"crate\"\nshape = \"box\"\n\
                size = [0.4, 0.2]\nmass = 2.0\nposition = [0.0, 0.2]\n[[wall]]\nnormal = [0.0, 1.0]\noffset = 0.1\n\
                friction = 0.25\nvelocity = 1.0\n[ground]\nfriction = 0.9\n";
    workspace.write("belt.toml", belt);
    let arguments = ["compare", "belt.toml", "--no-plots", "--steppers", "lcp"];
    workspace.stickslip(&arguments).assert().success();
    let page = workspace.read("output/belt/compare/report.html");
    let opening = "of motion of 2 kg in 50 steps of 1 ms. Nothing touches the ground. wall-0, whose surface moves at 1 m/s, has friction 0.25 and \
                   restitution 0.";
    assert!(page.contains(opening), "{page}");
}

#[test]
fn the_table_tells_where_each_of_a_few_bodies_ends_and_by_whom() {
    let workspace = Workspace::new();
    let arguments = ["compare", &example("cradle.toml"), "--no-plots", "--steppers", "nlp,lcp,convex"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    let row = |name: &str| {
        let line = table.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{table}"));
        line[name.len()..].split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    // 1 m/s goes through three balls at rest to the last one.
    assert_eq!(
        row("body-3 by nlp, lcp "),
        ["0.7493", "0.1000", "0.00", "1.0000", "0.0000", "0.0000"],
        "{table}"
    );
    assert!(row("body-3 by convex ")[3].parse::<f64>().is_ok_and(|speed| speed < 0.5), "{table}");
    assert!(!table.contains("centre of mass") && !table.contains("error x"), "what no model has: {table}");
    let figures = table.lines().take_while(|line| !line.starts_with("at the end"));
    assert!(figures.clone().count() >= 10 && figures.clone().all(|line| line.len() <= 100), "{table}");
}

/// Three models of twelve cubes that fall onto each other: 36 motions, most of whose numbers are at rest.
#[test]
fn the_page_of_many_bodies_has_no_digits_of_rounding_in_it() {
    let workspace = Workspace::new();
    let mut scene = String::from("name = \"wall\"\nduration = 1.0\nstep = 5e-3\n[ground]\nfriction = 0.5\n");
    for cube in 0..12 {
        let [column, row] = [cube % 4, cube / 4].map(f64::from);
        let (x, z) = (0.25 * column, 0.12 + 0.3 * row);
        let speed = if cube % 2 == 0 { -0.2 } else { 0.3 };
        scene += &format!(
            "[[body]]\nshape = \"box\"\nsize = [0.2, 0.2, 0.2]\nmass = 1.0\nposition = [{x}, 0.0, {z}]\n\
             velocity = [{speed}, 0.1, 0.0]\n"
        );
    }
    workspace.write("wall.toml", &scene);
    let arguments = ["compare", "wall.toml", "--no-plots", "--steppers", "nlp,lcp,cone"];
    workspace.stickslip(&arguments).assert().success();
    let page = workspace.read("output/wall/compare/report.html");
    // The programs of the page are 180 kB, the scenario and its texts 10; with the digits of rounding it was twice as much.
    assert!(page.len() < 300_000, "{} bytes", page.len());
}

#[test]
fn formulation_that_nobody_asked_for_may_be_infeasible() {
    let workspace = Workspace::new();
    let arguments = ["compare", &example("push-and-hold.toml"), "--no-plots", SHORT[0], SHORT[1]];
    workspace.stickslip(&arguments).assert().success();
    let page = workspace.read("output/push-and-hold/compare/report.html");
    assert!(page.contains("it fails at t = 0 s: no-solution: the formulation is infeasible"));
    let metrics = workspace.read("output/push-and-hold/compare/metrics.csv");
    assert!(metrics.contains("\nlcp:mixed,") && !metrics.contains("lcp:direct2"), "{metrics}");

    let asked = [&arguments[..], &["--steppers", "lcp:direct2,exact"]].concat();
    let output = workspace.stickslip(&asked).assert().code(1).get_output().clone();
    assert!(text(&output.stderr).contains("failed under stepper `lcp:direct2`"));
}

#[test]
fn point_over_a_plane_is_compared_with_its_own_formulations() {
    let workspace = Workspace::new();
    workspace.stickslip(&["compare", &example("curve.toml")]).assert().success();
    let metrics = workspace.read("output/curve/compare/metrics.csv");
    assert!(metrics.starts_with("stepper,ending,steps,final_x,final_y,final_z,"), "{metrics}");
    let names: Vec<&str> = metrics.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    let of_bodies_too = ["nlp", "lcp", "lcp:anitescu"];
    let expected = ["lcp:polyhedral", "lcp:fixed-point", "convex", "hybrid", "smooth", "exact"];
    assert_eq!(names, [&of_bodies_too[..], &expected].concat());
    assert!(workspace.files("output/curve/compare").iter().any(|file| file == "impact-1.svg"));
}

#[test]
fn every_impact_of_a_bouncing_point_is_in_a_close_up() {
    let workspace = Workspace::new();
    let arguments = ["compare", &example("bounce.toml"), "--steppers", "lcp,hybrid,exact"];
    workspace.stickslip(&arguments).assert().success();
    let page = workspace.read("output/bounce/compare/report.html");
    let events = workspace.read("output/bounce/compare/events.csv");
    let impacts = events.lines().filter(|line| line.contains(",impact,")).count();
    // One by one while they are far apart, then several in a picture.
    let alone = page.matches("impulse around the impact at").count() / 2;
    let told = page
        .split("impulse around the ")
        .skip(1)
        .filter_map(|rest| rest.split(' ').next()?.parse::<usize>().ok());
    let together: usize = told.sum::<usize>() / 2;
    assert_eq!(alone + together, impacts, "every title stands under its picture and as its text");
    assert!(alone >= 6, "{alone}");
}

#[test]
fn named_steppers_are_run_once_each_in_their_order() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let arguments = ["compare", &slide, "--steppers", "exact,hybrid,exact", "--no-plots", SHORT[0], SHORT[1]];
    workspace.stickslip(&arguments).assert().success();
    let metrics = workspace.read("output/slide/compare/metrics.csv");
    let names: Vec<&str> = metrics.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(names, ["exact", "hybrid"]);
    assert!(!workspace.files("output/slide/compare").iter().any(|file| file.ends_with(".png")));
}

#[test]
fn named_stepper_that_does_not_admit_the_scenario_is_bad_input() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let arguments = ["compare", &slide, "--steppers", "hybrid,smooth", "--set", "step=5e-3"];
    let arguments = [&arguments[..], &["--set", "stepper.smooth.preset=published"]].concat();
    let output = workspace.stickslip(&arguments).assert().code(2).get_output().clone();
    let message = text(&output.stderr);
    assert!(message.contains("smooth") && message.contains("stable only up to"), "{message}");
    assert!(workspace.files("output").is_empty());
}

#[test]
fn failed_stepper_is_reported_after_the_others_are_compared() {
    let workspace = Workspace::new();
    let scenario = std::fs::read_to_string(example("slide.toml")).unwrap()
        + "\n[[push]]\nforce = [0.0, -1e6]\n[stepper.smooth]\nlaw = \"hunt-crossley\"\n";
    workspace.write("slammed.toml", &scenario);
    let arguments = ["compare", "slammed.toml", "--steppers", "smooth,hybrid", "--no-plots"];
    let output = workspace.stickslip(&arguments).assert().code(1).get_output().clone();
    let message = text(&output.stderr);
    assert!(message.contains("failed under stepper `smooth`"), "{message}");
    let files = workspace.files("output/slide/compare");
    assert!(files.iter().any(|file| file == "metrics.csv"));
    assert_eq!(workspace.files("output/slide/compare/trajectories"), ["hybrid.csv", "smooth.partial.csv"]);
    let replay = files.iter().find(|file| file.starts_with("smooth.replay-step-")).expect("a replay file");
    let told = format!("`stickslip run --replay output/slide/compare/{replay}`; with --on-failure continue");
    assert!(message.contains(&told), "no `{told}` in {message}");
    // What was asked for is not recommended; and a shell reads the command as it stands.
    let output = workspace
        .stickslip(&arguments)
        .args(["--on-failure", "continue", "--output", "my output"])
        .assert()
        .code(1)
        .get_output()
        .clone();
    let message = text(&output.stderr);
    assert!(message.contains("--replay 'my output/slide/compare/smooth.replay-step-"), "{message}");
    assert!(message.contains("went on") && !message.contains("--on-failure"), "{message}");
}

#[test]
fn match_says_what_it_chose() {
    let workspace = Workspace::new();
    let bounce = example("bounce.toml");
    let arguments = ["compare", &bounce, "--match", "--no-plots", "--steppers", "smooth,convex,exact"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    assert!(table.contains("stepper.smooth.stiffness = 442900 N/m"), "{table}");
    assert!(table.contains("restitution 0.6"), "{table}");
    let page = workspace.read("output/bounce/compare/report.html");
    assert!(!table.contains("is ignored") && !page.contains("is ignored"), "{table}");
}

#[test]
fn convergence_writes_its_table_and_picture() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let arguments = ["convergence", &slide, "--steppers", "hybrid,lcp", "--steps", "1e-2,5e-3,2e-3"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let files = workspace.files("output/slide/convergence");
    assert_eq!(
        files,
        [
            "convergence-data.csv",
            "convergence.csv",
            "convergence.pdf",
            "convergence.png",
            "convergence.svg",
            "report.html",
            "summary.json",
            "timings.json"
        ]
    );
    assert_eq!(workspace.read("output/slide/convergence/convergence.csv").lines().count(), 7);
    assert!(text(&output.stdout).contains("order"));
}

#[test]
fn bad_step_of_a_study_is_refused() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    for steps in ["0", "-1e-3", "nan", "1e-12"] {
        let arguments = ["convergence", &slide, &format!("--steps={steps}")];
        let output = workspace.stickslip(&arguments).assert().code(2).get_output().clone();
        assert!(text(&output.stderr).contains("--steps"), "{}", text(&output.stderr));
    }
}

#[test]
fn a_stepper_that_fails_at_once_is_not_taken_for_a_perfect_one() {
    let workspace = Workspace::new();
    let arguments =
        ["compare", &example("slide.toml"), "--steppers", "nlp:seed,lcp", "--no-plots", SHORT[0], SHORT[1]];
    let output = workspace.stickslip(&arguments).assert().code(1).get_output().clone();
    assert!(text(&output.stdout).contains("failed at step 0"), "{}", text(&output.stdout));
    let metrics = workspace.read("output/slide/compare/metrics.csv");
    let row = metrics.lines().find(|line| line.starts_with("nlp:seed,failed,0,")).expect("a row");
    let column = metrics.lines().next().unwrap().split(',').position(|name| name == "max_error_x").unwrap();
    assert_eq!(row.split(',').nth(column), Some(""), "no error of a run that did not happen");
    let header: Vec<&str> = metrics.lines().next().unwrap().split(',').collect();
    for (name, value) in header.iter().zip(row.split(',')) {
        let expected = match *name {
            "stepper" | "ending" | "steps" => continue,
            "failed" => "1",
            "rescued" => "0",
            _ => "",
        };
        assert_eq!(value, expected, "{name} of a motion that did not happen");
    }
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read("output/slide/compare/summary.json")).unwrap();
    let failed = &summary["steppers"][0];
    assert_eq!((&failed["stepper"], &failed["steps"]), (&"nlp:seed".into(), &0.into()));
    assert_eq!(
        failed["status"],
        serde_json::json!({ "solved": 0, "rescued": 0, "uncertified": 0, "failed": 1 })
    );
    for nothing in ["metrics", "iterations", "step_microseconds"] {
        assert!(failed[nothing].is_null(), "{nothing}: {}", failed[nothing]);
        assert!(!summary["steppers"][1][nothing].is_null(), "{nothing} of a run that took place");
    }
    let page = workspace.read("output/slide/compare/report.html");
    assert!(!page.contains("Follows the exact motion to within rounding"));

    let arguments = [&arguments[..], &["--on-failure", "continue"]].concat();
    let output = workspace.stickslip(&arguments).assert().code(1).get_output().clone();
    assert!(text(&output.stderr).contains("failed under stepper `nlp:seed`"), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("steps failed, and went on"), "{}", text(&output.stdout));
}

#[test]
fn gradients_stand_in_the_report_where_they_are_asked_for() {
    let workspace = Workspace::new();
    let bounce = example("bounce.toml");
    let line = ["compare", &bounce, "--steppers", "lcp,hybrid", "--set", "duration=0.8", "--no-plots"];
    let mut asked = line.to_vec();
    asked.push("--gradients");
    workspace.stickslip(&asked).assert().success();
    let rows = workspace.read("output/bounce/compare/gradients.csv");
    let biased = rows
        .lines()
        .any(|row| row.starts_with("lcp,raw,final_z,particle.position.1,") && row.contains(",biased"));
    assert!(biased, "{rows}");
    let report = workspace.read("output/bounce/compare/report.html");
    assert!(
        report.contains("Derivatives of final_z.") && report.contains("<th>lcp, corrected</th>"),
        "no table"
    );
    assert!(report.contains("<th>exact</th>"), "no exact gradient");

    // Without the flag they are not taken, and those of the last run do not stay.
    workspace.stickslip(&line).assert().success();
    assert!(!workspace.files("output/bounce/compare").iter().any(|file| file == "gradients.csv"));
    assert!(!workspace.read("output/bounce/compare/report.html").contains("Derivatives of"));
}

#[test]
fn a_step_that_is_given_twice_is_studied_once_and_that_is_said() {
    let workspace = Workspace::new();
    let arguments = ["convergence", &example("slide.toml"), "--steppers", "hybrid", "--no-plots"];
    let twice = [&arguments[..], &["--steps", "2e-3,1e-3,1e-3"]].concat();
    let output = workspace.stickslip(&twice).assert().success().get_output().clone();
    let message = text(&output.stderr);
    assert!(message.contains("--steps: 0.001 is given more than once, and studied once"), "{message}");
    assert_eq!(workspace.read("output/slide/convergence/convergence.csv").lines().count(), 3);
}
