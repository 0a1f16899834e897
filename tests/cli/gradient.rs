//! `stickslip gradient`.

use stickslip::{
    gradient::{GradientRequest, GradientStudy, Input, Method, landscapes},
    scenario::{AnyScenario, read_scenario},
    stepper::StepperName,
    watch::Watch,
};

use crate::{Workspace, example, text};

#[test]
fn figures_kinks_summary_and_picture_are_written() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let arguments =
        ["gradient", &slide, "--steppers", "lcp,hybrid,exact", "--of", "final_x,stop_time", "--check"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    assert!(table.contains("corrected") && table.contains("hybrid"), "{table}");

    let rows = workspace.read("output/slide/gradient/gradient.csv");
    let header =
        "stepper,method,of,wrt,value,gradient,exact,difference,finite_difference,valid_within,bias,state";
    assert!(rows.starts_with(header), "{rows}");
    for of in ["final_x", "stop_time"] {
        let start = format!("lcp,raw,{of},particle.velocity.0,");
        let row =
            rows.lines().find(|row| row.starts_with(&start)).unwrap_or_else(|| panic!("{of} in\n{rows}"));
        let cells: Vec<&str> = row.split(',').collect();
        let number = |cell: usize| cells[cell].parse::<f64>().unwrap();
        let (gradient, exact, difference) = (number(5), number(6), number(8));
        assert!((gradient - difference).abs() <= 1e-5 * gradient.abs(), "{row}");
        assert!((gradient - exact).abs() <= 1e-2 * exact.abs(), "{row}");
        assert!(number(9) > 0.0, "{row}");
        assert_eq!(cells[11], "ok", "{row}");
    }
    let kinks = workspace.read("output/slide/gradient/kinks.csv");
    assert!(kinks.starts_with("stepper,step,t,event,kind,wrt,distance,left,right"), "{kinks}");
    assert!(kinks.lines().count() > 5, "{kinks}");
    let files = workspace.files("output/slide/gradient");
    for file in ["summary.json", "bias.svg", "bias.png", "landscape.svg", "landscape-data.csv", "report.html"]
    {
        assert!(files.iter().any(|written| written == file), "no {file} in {files:?}");
    }
}

#[test]
fn a_gradient_that_misses_the_rebound_is_called_biased() {
    let workspace = Workspace::new();
    let bounce = example("bounce.toml");
    let arguments = [
        "gradient",
        &bounce,
        "--steppers",
        "lcp",
        "--of",
        "final_z",
        "--wrt",
        "particle.position.1",
        "--set",
        "duration=0.8",
        "--no-plots",
    ];
    workspace.stickslip(&arguments).assert().success();
    let rows = workspace.read("output/bounce/gradient/gradient.csv");
    let state = |method: &str| {
        let row = rows.lines().find(|row| row.starts_with(&format!("lcp,{method},"))).unwrap();
        row.split(',').nth(11).unwrap().to_owned()
    };
    assert_eq!((state("raw").as_str(), state("corrected").as_str()), ("biased", "ok"), "{rows}");
}

#[test]
fn what_cannot_be_differentiated_is_named() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    for (arguments, words) in [
        (vec!["--of", "final_y"], vec!["final_y", "final_x, final_z"]),
        (vec!["--wrt", "ground.fiction"], vec!["ground.fiction", "ground.friction"]),
        (vec!["--wrt", "push.3.to"], vec!["push.3.to", "there is no push 3"]),
        (vec!["--wrt", "particle.velocity.2"], vec!["particle.velocity.2", "no axis 2"]),
        (vec!["--wrt", "ground.restitution"], vec!["ground.restitution", "edge of its range"]),
        (vec!["--wrt", "step", "--steppers", "lcp"], vec!["step", "time_of_impact"]),
        (vec!["--method", "magic"], vec!["magic", "raw, corrected or smoothed"]),
        (vec!["--kappa=-1"], vec!["kappa", "excluded"]),
        (vec!["--steppers", "lcp:traditional"], vec!["lcp:traditional"]),
    ] {
        let mut line = vec!["gradient", &slide];
        line.extend(arguments);
        let output = workspace.stickslip(&line).assert().code(2).get_output().clone();
        let message = text(&output.stderr);
        for word in words {
            assert!(message.contains(word), "{line:?}: no `{word}` in\n{message}");
        }
    }
    assert!(workspace.files("output").iter().all(|file| file.ends_with("gradient") || file == "slide"));
}

#[test]
fn bodies_have_gradients_too() {
    let workspace = Workspace::new();
    let disc = example("backspin-disc.toml");
    let arguments = [
        "gradient",
        &disc,
        "--steppers",
        "lcp,cone",
        "--of",
        "disc.final_x,disc.final_spin",
        "--wrt",
        "body.0.velocity.0,body.0.spin,ground.friction",
        "--set",
        "duration=0.05",
        "--check",
    ];
    workspace.stickslip(&arguments).assert().success();
    let rows = workspace.read("output/backspin-disc/gradient/gradient.csv");
    let row = |start: &str| {
        let row =
            rows.lines().find(|row| row.starts_with(start)).unwrap_or_else(|| panic!("{start} in\n{rows}"));
        row.split(',').map(str::to_owned).collect::<Vec<String>>()
    };
    let friction = row("lcp,raw,disc.final_spin,ground.friction,");
    let number = |cell: usize| friction[cell].parse::<f64>().unwrap();
    // While it slips the spin changes by -mu g r m/I t = -2 mu g t/r.
    assert!((number(5) + 2.0 * 9.81 * 0.05 / 0.1).abs() < 1e-6, "{friction:?}");
    assert!((number(5) - number(8)).abs() < 1e-5, "{friction:?}");
    assert_eq!(friction[11], "ok");
    let files = workspace.files("output/backspin-disc/gradient");
    for file in ["landscape.svg", "landscape.pdf", "report.html"] {
        assert!(files.iter().any(|written| written == file), "no {file} in {files:?}");
    }
    for (arguments, words) in [
        (vec!["--wrt", "particle.mass"], vec!["one of the bodies here", "body.0"]),
        (vec!["--wrt", "body.3.mass"], vec!["body.3.mass", "does not give it a value"]),
        (vec!["--of", "final_x"], vec!["final_x", "disc.final_x"]),
        (vec!["--wrt", "step"], vec!["step", "bodies have none"]),
    ] {
        let mut line = vec!["gradient", &disc];
        line.extend(arguments);
        let output = workspace.stickslip(&line).assert().code(2).get_output().clone();
        let message = text(&output.stderr);
        for word in words {
            assert!(message.contains(word), "{line:?}: no `{word}` in\n{message}");
        }
    }
}

#[test]
fn the_landscape_of_a_bounce_is_a_staircase_whose_kinks_are_where_it_jumps() {
    let changes = ["duration=0.8".parse().expect("an override")];
    let AnyScenario::InPlane(scenario) = read_scenario(example("bounce.toml"), &changes).expect("a scenario")
    else {
        panic!("bounce is a motion in a plane");
    };
    let request = GradientRequest {
        steppers: vec![StepperName::LCP, StepperName::EXACT],
        methods: vec![Method::Raw, Method::Corrected],
        outputs: vec!["final_z".to_owned()],
        inputs: vec![Input::Position(1)],
        kappa: 0.1,
        phases: 1,
        check: false,
    };
    let watch = Watch::none();
    let study = GradientStudy::run(&scenario, &request, &watch).expect("a study");
    let found = landscapes(&scenario, &study, &request, &watch).expect("not stopped");
    assert_eq!(found.len(), 1);
    let [lcp, exact] = &found[0].curves[..] else { panic!("{found:?}") };
    // Across the window the staircase rises as the exact motion and as its corrected gradient; between two jumps it
    // does what its own gradient says.
    let rise = |points: &[[f64; 2]]| {
        let (first, last) = (points[0], points[points.len() - 1]);
        (last[1] - first[1]) / (last[0] - first[0])
    };
    let slope = |method: Method| lcp.slopes.iter().find(|(one, _)| *one == method).expect("a slope").1;
    let (trend, truth) = (rise(&lcp.points), rise(&exact.points));
    assert!((trend - truth).abs() < 0.2 * truth.abs(), "{trend}, not {truth}");
    assert!((slope(Method::Corrected) - truth).abs() < 0.05 * truth.abs(), "{:?}", lcp.slopes);
    assert!((slope(Method::Raw) - truth).abs() > 0.3 * truth.abs(), "{:?}", lcp.slopes);
    assert!(!lcp.explodes, "a staircase is not what explodes");
    assert!(lcp.kinks.len() >= 6 && exact.kinks.is_empty(), "{:?}", lcp.kinks);
    let mut jumps = 0;
    for pair in lcp.points.windows(2) {
        let step = pair[1][0] - pair[0][0];
        let expected = slope(Method::Raw) * step;
        let is_jump = (pair[1][1] - pair[0][1] - expected).abs() > 0.05 * (truth * step).abs();
        let has_kink = lcp.kinks.iter().any(|kink| (pair[0][0] - step..=pair[1][0] + step).contains(kink));
        assert!(!is_jump || has_kink, "a jump at {pair:?}, kinks {:?}", lcp.kinks);
        jumps += usize::from(is_jump);
    }
    assert!(jumps >= 6, "{jumps} jumps in {:?}", lcp.points);
}

#[test]
fn a_place_is_written_in_brackets_or_after_a_point() {
    let workspace = Workspace::new();
    let bounce = example("bounce.toml");
    let mut told = Vec::new();
    for (wrt, set) in [
        ("particle.position.1", "particle.position[1]=0.4"),
        ("particle.position[1]", "particle.position.1=0.4"),
    ] {
        let arguments = [
            "gradient",
            &bounce,
            "--steppers",
            "lcp",
            "--of",
            "final_z",
            "--wrt",
            wrt,
            "--set",
            set,
            "--no-plots",
        ];
        workspace.stickslip(&arguments).assert().success();
        told.push(workspace.read("output/bounce/gradient/gradient.csv"));
    }
    assert_eq!(told[0], told[1]);
    assert!(told[0].contains("lcp,raw,final_z,particle.position.1,"), "{}", told[0]);
    let card_house = example("card-house.toml");
    let arguments = ["run", &card_house, "--no-plots", "--set", "body.0.mass=-1"];
    let output = workspace.stickslip(&arguments).assert().failure().get_output().clone();
    assert!(text(&output.stderr).contains("`body[0].mass` is -1"), "{}", text(&output.stderr));
}

#[test]
fn what_is_left_out_because_of_a_rod_is_said() {
    let workspace = Workspace::new();
    let scenario = r#"
name = "pendulum"
duration = 0.02
step = 1e-3
[ground]
friction = 0.3
[[body]]
name = "pivot"
shape = "point"
mass = 1.0
position = [0.0, 3.0]
fixed = true
[[body]]
name = "bob"
shape = "point"
mass = 1.0
position = [0.9, 3.4]
[[rod]]
bodies = ["pivot", "bob"]
"#;
    workspace.write("pendulum.toml", scenario);
    let arguments = ["gradient", "pendulum.toml", "--steppers", "nlp", "--no-plots"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    for words in [
        "no exact derivative: there are rods or springs",
        "no gradient with respect to body.1.position.0, body.1.position.1: a rod or spring at this body takes its \
         length from where the bodies start; give it a `length`",
    ] {
        assert!(table.contains(words), "{table}");
    }
}

#[test]
fn numbers_of_a_turning_body_are_called_as_its_file_calls_them() {
    let workspace = Workspace::new();
    let disc = example("backspin-disc.toml");
    let gradient = |key: &str| -> Vec<String> {
        let arguments = ["gradient", &disc, "--steppers", "lcp", "--of", "disc.final_x", "--no-plots"];
        let short = ["--set", "duration=0.05", "--wrt", key];
        workspace.stickslip(&[&arguments[..], &short].concat()).assert().success();
        let rows = workspace.read("output/backspin-disc/gradient/gradient.csv");
        rows.lines().skip(1).map(|row| row.split(',').nth(3).expect("a column wrt").to_owned()).collect()
    };
    let wrt = gradient("body.0.spin");
    assert!(!wrt.is_empty() && wrt.iter().all(|key| key == "body.0.spin"), "{wrt:?}");
    let set = ["run", &disc, "--set", "duration=0.05", "--set", "body.0.spin=1", "--no-plots"];
    workspace.stickslip(&set).assert().success();

    let refused = ["gradient", &disc, "--wrt", "body.0.spin.0"];
    let message = text(&workspace.stickslip(&refused).assert().code(2).get_output().stderr);
    assert!(message.contains("in a vertical plane it is a single number"), "{message}");
    let refused = ["gradient", &example("cube-throw.toml"), "--wrt", "body.0.spin"];
    let message = text(&workspace.stickslip(&refused).assert().code(2).get_output().stderr);
    assert!(message.contains("say which, counted from 0, as in body.0.spin.2"), "{message}");
}
