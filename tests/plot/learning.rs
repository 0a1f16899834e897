//! Pictures of learning experiments.

use std::ops::ControlFlow;

use stickslip::{
    learn::{
        Experiment, Figures, Request,
        picture::{Learner, learning_curve, prediction_error},
    },
    plot::Axis,
};

use crate::layout::complaints;

fn figures(experiment: Experiment, settings: &[&str]) -> Figures {
    let mut request = Request::new(experiment, 1);
    request.samples = Some(match experiment.as_str() {
        "direct" => 30,
        "noise" => 200,
        "particle" => 1,
        "bilevel" | "soft-bilevel" | "sticking-cost" => 1,
        _ => 12,
    });
    request.settings = settings.iter().map(|setting| (*setting).to_owned()).collect();
    let mut progress = |_: f64| ControlFlow::Continue(());
    let prepared = request.prepare().expect("valid settings");
    let (_, findings) = prepared.run(&mut progress).expect("it is learned");
    prepared.figures(&findings, &mut progress).expect("they are drawn")
}

fn assert_readable(experiment: Experiment, settings: &[&str]) {
    for (name, figure) in figures(experiment, settings) {
        let complaints = complaints(&format!("{experiment} {settings:?} {name}"), &figure);
        assert!(complaints.is_empty(), "{complaints:#?}");
        assert!(!figure.title.is_empty());
        for panel in &figure.panels {
            assert!(!panel.x.label.is_empty(), "{experiment} {name}: an axis has no name");
            assert!(!panel.y.label.is_empty() || !panel.y.names.is_empty(), "{experiment} {name}");
            assert!(panel.curves.iter().any(|curve| !curve.points.is_empty()), "{experiment} {name}");
        }
    }
}

#[test]
fn nothing_overlaps_in_the_pictures_of_any_experiment() {
    Experiment::all().for_each(|experiment| assert_readable(experiment, &[]));
}

#[test]
fn nothing_overlaps_where_a_parameter_is_not_determined() {
    let named = |name: &str| name.parse::<Experiment>().expect("the experiment exists");
    assert_readable(named("particle"), &["friction=2"]);
    assert_readable(named("particle"), &["restitution=0", "method=shooting"]);
    assert_readable(named("bilevel"), &["velocity=0", "push=0.1"]);
    assert_readable(named("linear-program"), &["selection=saturated"]);
    assert_readable(named("bilevel"), &["velocity=1e-5", "push=1e5", "friction=1e-3"]);
}

#[test]
fn an_error_that_is_no_number_is_a_gap_and_not_perfect() {
    let error = |count: usize| if count == 2 { f64::NAN } else { 1.0 / count as f64 };
    let learners =
        [Learner { label: "one".to_owned(), error: Box::new(move |count, _, _| Ok(error(count))) }];
    let axis = Axis::new("error", "");
    let mut progress = |_: f64| ControlFlow::Continue(());
    let figure = learning_curve("title", axis, &learners, &[1, 2, 4], 3, &mut progress).expect("not stopped");
    let medians = figure.panels[0].curves.iter().find(|curve| curve.label == "one").expect("it is drawn");
    let errors: Vec<f64> = medians.points.iter().map(|point| point[1]).collect();
    assert_eq!(errors, [1.0, 0.25]);

    let models = vec![("model".to_owned(), vec![[0.0, 0.5], [1.0, f64::NAN], [2.0, 0.0]])];
    let figure = prediction_error("title", models, None);
    assert_eq!(figure.panels[0].curves[0].points, [[0.0, 0.5], [2.0, 1e-17]]);
}
