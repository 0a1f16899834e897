//! What holds for all experiments, and what is said about requests that cannot be met.

use std::ops::ControlFlow;

use stickslip::learn::{Experiment, LearnError, Request, data::BlockGenerator};

use crate::support::{assert_note, refusal, request, request_with_data, run};

#[test]
fn there_are_eleven_experiments_and_another_name_lists_them() {
    let names: Vec<&str> = Experiment::all().map(Experiment::as_str).collect();
    let expected = "direct slack traditional structured linear-program noise bilevel soft-bilevel sticking-cost mpcc \
                    particle";
    assert_eq!(names.join(" "), expected);
    let error = "bilevle".parse::<Experiment>().expect_err("no such experiment").to_string();
    assert!(
        error.starts_with("there is no experiment `bilevle`; the experiments are direct, slack"),
        "{error}"
    );
    assert_eq!("linear_program".parse::<Experiment>().map(Experiment::as_str), Ok("linear-program"));
}

/// An experiment at its defaults but for a size that is quickly learned from.
fn small(experiment: Experiment) -> Request {
    let samples = match experiment.as_str() {
        "mpcc" => Some(10),
        "noise" => Some(200),
        _ => None,
    };
    request(experiment.as_str(), samples, 4, &[])
}

#[test]
fn every_experiment_gives_the_same_result_every_time() {
    for experiment in Experiment::all() {
        let [first, second] = [(); 2].map(|()| {
            let (mut result, _) = run(small(experiment));
            result.seconds = 0.0;
            serde_json::to_string(&result).expect("a result is JSON")
        });
        assert_eq!(first, second, "{experiment}");
    }
}

#[test]
fn the_result_of_every_experiment_has_the_fields_of_the_contract() {
    for experiment in Experiment::all() {
        let (result, findings) = run(small(experiment));
        let json = serde_json::to_value(&result).expect("a result is JSON");
        for field in ["experiment", "samples", "seed", "parameters", "error", "seconds", "settings", "notes"]
        {
            assert!(json.get(field).is_some_and(|value| !value.is_null()), "{experiment} has no {field}");
        }
        for (name, parameter) in json["parameters"].as_object().expect("a table") {
            assert!(parameter["learned"].is_number(), "{experiment}: {name}");
            assert!(
                parameter["identifiable"].is_boolean() && parameter.get("true").is_some(),
                "{experiment}: {name}"
            );
        }
        assert!(result.error.is_finite() && findings.error >= 0.0, "{experiment}");
    }
}

#[test]
fn progress_rises_and_stops_an_experiment_on_request() {
    for experiment in Experiment::all() {
        let mut shares = vec![0.0];
        let prepared = small(experiment).prepare().expect("defaults are accepted");
        let finished = prepared.run(&mut |share| {
            shares.push(share);
            ControlFlow::Continue(())
        });
        assert!(finished.is_ok(), "{experiment}");
        assert!(shares.is_sorted() && shares.iter().all(|share| *share <= 1.0), "{experiment}: {shares:?}");

        // One linear solve is over before anybody can ask to stop.
        if experiment.as_str() != "slack" {
            let prepared = small(experiment).prepare().expect("defaults are accepted");
            let stopped = prepared.run(&mut |_| ControlFlow::Break(()));
            assert!(matches!(stopped, Err(LearnError::Interrupted)), "{experiment}");
        }
    }
}

#[track_caller]
fn assert_refused(request: Request, message: &str) {
    let refused = refusal(request).to_string();
    assert!(refused.contains(message), "{refused}\ndoes not say\n{message}");
}

#[test]
fn settings_that_do_not_exist_are_refused_with_the_one_that_was_meant() {
    let error = refusal(request("mpcc", None, 0, &["start=3"]));
    let stickslip::learn::InputError::Settings(faults) = &error else { panic!("{error}") };
    assert_eq!(faults[0].to_string(), "start=3: this experiment has no setting `start`");
    assert!(faults[0].help.starts_with("did you mean `starts`?"), "{}", faults[0].help);
    assert!(
        faults[0].help.contains("its settings are friction, range, selection, noise, starts, relaxation")
    );
}

/// Noise is on the velocities after steps, of which these do not learn, or which are on both sides of their equations.
#[test]
fn noise_that_would_change_nothing_is_refused() {
    for experiment in ["linear-program", "structured", "traditional", "slack"] {
        let refused = refusal(request(experiment, Some(40), 0, &["noise=5"]));
        let stickslip::learn::InputError::Settings(faults) = &refused else { panic!("{refused}") };
        assert!(
            faults[0].to_string().contains("no setting `noise`, which would change nothing"),
            "{refused}"
        );
        assert!(faults[0].help.ends_with("leave it out"), "{}", faults[0].help);
    }
}

/// Forces that are those of another block than the velocities.
#[test]
fn forces_that_did_not_make_the_velocities_are_told() {
    let rows: String = BlockGenerator::default()
        .generate(40, 1)
        .iter()
        .map(|step| {
            let lambda = step.lambda.expect("forces are generated");
            let (v, u, next) = (step.velocity, step.push, step.next_velocity + 50.0);
            format!("{v:?},{u:?},{next:?},{:?},{:?},{:?}\n", lambda.x, lambda.y, lambda.z)
        })
        .collect();
    let data = format!("v,u,v_next,lambda_plus,lambda_minus,gamma\n{rows}");
    for experiment in ["linear-program", "structured", "traditional", "direct"] {
        let (result, findings) = run(request_with_data(experiment, &data, &[]));
        assert_note(&findings, "lambda_minus is not v_next in 40 of 40 steps, and 50 m/s off it");
        assert!(result.error >= 0.0, "{experiment}: an error of {}", result.error);
    }
}

#[test]
fn values_out_of_range_are_refused_with_the_range() {
    for (experiment, setting, help) in [
        ("slack", "friction=-1", "`friction` is a number above 0 to 1000000; the default is 1"),
        ("slack", "friction=nan", "`friction` is a number above 0 to 1000000; the default is 1"),
        ("slack", "friction=much", "`friction` is a number above 0 to 1000000; the default is 1"),
        ("particle", "restitution=1.5", "`restitution` is a number from 0 to 1; the default is 0.5"),
        ("direct", "selection=max", "`selection` is one of min, saturated, random; the default is min"),
        ("sticking-cost", "one_sided=2", "`one_sided` is true or false; the default is true"),
        (
            "traditional",
            "adam_samples=1.5",
            "`adam_samples` is a whole number from 0 to 10000000; the default is 10000",
        ),
        ("bilevel", "starts=[1, x]", "`starts` is a list such as [0.5, 2] of numbers from 0 to 1000000"),
        ("mpcc", "starts=[]", "`starts` is a list such as [0.5, 2] of numbers from 0 to 1000000"),
    ] {
        let error = refusal(request(experiment, None, 0, &[setting]));
        let stickslip::learn::InputError::Settings(faults) = &error else { panic!("{error}") };
        assert_eq!((faults.len(), faults[0].help.as_str()), (1, help), "{experiment} {setting}");
        assert!(faults[0].to_string().ends_with("is not allowed here"), "{}", faults[0]);
    }
    assert_refused(request("slack", None, 0, &["friction"]), "friction: there is no `KEY=`");
}

#[test]
fn all_bad_settings_are_told_at_once() {
    let error = refusal(request("slack", None, 0, &["friction=-1", "rnage=2", "noise=x"])).to_string();
    assert_eq!(error.lines().count(), 3, "{error}");
}

#[test]
fn the_last_of_two_settings_of_one_name_holds() {
    let (result, _) = run(request("slack", None, 0, &["friction=2", "friction=0.5"]));
    assert_eq!(result.settings["friction"], 0.5);
}

#[test]
fn numbers_of_samples_that_make_no_sense_are_refused() {
    assert_refused(request("direct", Some(3), 0, &[]), "3 samples are too few, direct takes 18 to 100000");
    assert_refused(request("mpcc", Some(0), 0, &[]), "0 samples are too few, mpcc takes 1 to 50000");
    assert_refused(request("slack", Some(2_000_000), 0, &[]), "2000000 samples are too many");
    assert_refused(request("direct", Some(100_001), 0, &[]), "100001 samples are too many");
    let mut both = request_with_data("mpcc", "v,u,v_next\n1,2,2\n", &[]);
    both.samples = Some(5);
    assert_refused(both, "the data file says how many samples there are, 5 were asked for");
}

#[test]
fn data_that_do_not_fit_the_experiment_are_refused() {
    assert_refused(
        request_with_data("noise", "v,u,v_next\n1,2,2\n", &[]),
        "makes its own data and takes no file",
    );
    assert_refused(
        request_with_data("particle", "v,u,v_next\n1,2,2\n", &[]),
        "measured.csv: line 1, column `v`: there is no such column",
    );
    assert_refused(
        request_with_data("bilevel", "v,u,v_next\n1,2,2\n", &["friction=0.3"]),
        "has no setting `friction` where the data come from a file",
    );
    // Settings of the generator mean nothing to measured data.
    assert_refused(
        request_with_data("mpcc", "v,u,v_next\n1,2,2\n", &["noise=0.1"]),
        "has no setting `noise`",
    );
}
