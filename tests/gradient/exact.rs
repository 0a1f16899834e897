//! The exact gradient against closed forms that were worked out independently of this program.

use stickslip::{
    gradient::{ExactGradient, Grid, Input},
    watch::Watch,
};

use crate::support::{components, exact, reference};

#[derive(Debug, serde::Deserialize)]
struct Row {
    scenario: String,
    of: String,
    wrt: String,
    value: f64,
    gradient: f64,
}

fn rows() -> Vec<Row> {
    let mut reader = csv::Reader::from_path("tests/data/gradients/gradients.csv").unwrap();
    reader.deserialize().collect::<Result<_, _>>().unwrap()
}

fn figure(gradient: &ExactGradient<2>, of: &str) -> (f64, f64) {
    let place = ["final_x", "final_z", "final_vx", "final_vz"].iter().position(|name| *name == of);
    match place {
        Some(place) => (components(&gradient.state)[place], components(&gradient.tangents[0])[place]),
        None => {
            let stop = gradient.stop.as_ref().expect("the point stops");
            (stop.time, stop.gradient[0])
        }
    }
}

#[test]
fn agrees_with_every_reference_figure() {
    let rows = rows();
    assert_eq!(rows.len(), 259);
    for row in rows {
        let scenario = reference(&row.scenario);
        let input: Input = row.wrt.parse().unwrap();
        let (value, gradient) = figure(&exact(&scenario, &[input]), &row.of);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1e-3);
        assert!(close(value, row.value), "{row:?}: value {value}");
        assert!(close(gradient, row.gradient), "{row:?}: gradient {gradient}");
    }
}

#[test]
fn does_not_depend_on_the_step_phase() {
    for name in ["throw-stop", "bounce-rest", "reverse", "push-coast"] {
        let scenario = reference(name);
        let inputs = Input::of(&scenario);
        let whole = exact(&scenario, &inputs);
        let grid = Grid::shifted(scenario.time(), 0.37);
        let shifted = ExactGradient::new(&scenario, &inputs, grid, &Watch::none()).unwrap();
        for ((a, b), input) in whole.tangents.iter().zip(&shifted.tangents).zip(&inputs) {
            for (a, b) in components(a).iter().zip(components(b)) {
                assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0), "{name}, {input}: {a} and {b}");
            }
        }
    }
}

#[test]
fn the_length_of_the_step_counts_where_the_point_still_moves() {
    // N steps longer by 1: N vz at the end.
    let scenario = reference("bounce-air");
    let gradient = exact(&scenario, &[Input::Step]);
    let steps = scenario.time().steps as f64;
    let slope = components(&gradient.tangents[0])[1] / steps;
    assert!((slope - gradient.state.velocity[1]).abs() < 1e-9, "{slope}");
}

#[test]
fn the_edge_of_a_window_moves_the_end() {
    let scenario = reference("push-coast");
    let gradient = exact(&scenario, &[Input::PushTo(0)]);
    let h = 1e-6;
    let end = |change: f64| {
        let shifted = Input::PushTo(0).shifted(&scenario, change);
        components(&exact(&shifted, &[]).state)
    };
    for (slope, (after, before)) in components(&gradient.tangents[0]).iter().zip(end(h).iter().zip(end(-h))) {
        let difference = (after - before) / (2.0 * h);
        assert!((slope - difference).abs() < 1e-7, "{slope} and {difference}");
    }
    assert!(components(&gradient.tangents[0])[0] > 0.1);
}

#[test]
fn a_ball_thrown_down_without_gravity_ends_lower_the_higher_it_starts() {
    // Elastic: z(T) = v T - z0, a case that public differentiable simulators are known to get wrong.
    let mut scenario = reference("bounce-air");
    scenario.gravity = 0.0;
    scenario.ground.restitution = 1.0;
    scenario.bodies[0].position[1] = 0.4;
    scenario.bodies[0].velocity = [0.0, -1.0].into();
    let gradient = exact(&scenario, &[Input::Position(1)]);
    assert_eq!(components(&gradient.tangents[0])[1], -1.0);
}
