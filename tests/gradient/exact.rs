//! The exact gradient against closed forms that were worked out independently of this program.

use stickslip::{
    gradient::{ExactGradient, Grid, Input},
    scenario::Scenario,
    watch::Watch,
};

use crate::{
    bodies::plane,
    support::{self, column, components, corrected, exact, reference, run},
};

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

/// Motions with 10 m/s^2 of which an event falls on the end of a step, in binary fractions: nothing is rounded.
const ON_THE_END: [(&str, &str); 8] = [
    ("impact", "position = [0.0, 5.0]\nvelocity = [1.0, 0.0]\n[ground]\nfriction = 0.3\nrestitution = 0.5"),
    ("inelastic impact", "position = [0.0, 5.0]\nvelocity = [9.0, 0.0]\n[ground]\nfriction = 0.25"),
    ("impacts", "position = [0.0, 1.25]\nvelocity = [1.0, 0.0]\n[ground]\nfriction = 0.0\nrestitution = 1.0"),
    (
        "second impact",
        "position = [0.0, 1.25]\nvelocity = [8.0, 0.0]\n[ground]\nfriction = 0.125\nrestitution = 0.5",
    ),
    (
        "end of bouncing",
        "position = [0.0, 0.3125]\nvelocity = [8.0, 0.0]\n[ground]\nfriction = 0.125\nrestitution = 0.5",
    ),
    ("end of sliding", "position = [0.0, 0.0]\nvelocity = [5.0, 0.0]\n[ground]\nfriction = 0.5"),
    (
        "edge of a window",
        "position = [0.0, 0.0]\nvelocity = [5.0, 0.0]\n[ground]\nfriction = 0.25\n[[push]]\nforce = [-2.5, 0.0]\nto = 0.5",
    ),
    (
        "lift-off",
        "position = [0.0, 0.0]\nvelocity = [9.0, 0.0]\n[ground]\nfriction = 0.25\n[[push]]\nforce = [0.0, 25.0]\nfrom = 0.5\nto = 0.75",
    ),
];

#[test]
fn an_event_may_fall_on_the_end_of_a_step() {
    for (name, particle) in ON_THE_END {
        for step in ["0.25", "0.125", "0.0625"] {
            let text = format!(
                "name = \"edge\"\nduration = 2.25\nstep = {step}\ngravity = 10.0\n[particle]\nmass = 1.0\n{particle}\n"
            );
            let scenario: Scenario<2> = plane(&text);
            let inputs: Vec<Input> =
                Input::of(&scenario).into_iter().filter(|input| *input != Input::Step).collect();
            let on = exact(&scenario, &inputs);
            let grid = Grid::shifted(scenario.time(), 0.37);
            let off = ExactGradient::new(&scenario, &inputs, grid, &Watch::none()).unwrap();
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
            for (index, input) in inputs.iter().enumerate() {
                let (a, b) = (components(&on.tangents[index]), components(&off.tangents[index]));
                let agree = a.iter().zip(b).all(|(a, b)| close(*a, b));
                assert!(agree, "{name}, step {step}, {input}: {a:?} and {b:?}");
            }
            match (&on.stop, &off.stop) {
                (Some(a), Some(b)) => {
                    let agree = a.gradient.iter().zip(&b.gradient).all(|(a, b)| close(*a, *b));
                    assert!(close(a.time, b.time) && agree, "{name}, step {step}: {a:?} and {b:?}");
                }
                (a, b) => assert!(a.is_none() && b.is_none(), "{name}, step {step}: {a:?} and {b:?}"),
            }
        }
    }
}

#[test]
fn an_event_may_fall_on_the_edge_of_a_window() {
    // Vertical pushes, or such as begin or end when the point bounces, on ice: x is that of the pushes alone.
    let window = |start: &str, ground: &str, push: &str, step: &str| {
        plane(&format!(
            "name = \"window\"\nduration = 1.5\nstep = {step}\ngravity = 10.0\n[particle]\nmass = 2.0\n{start}\n\
             [ground]\nfriction = 0.0\n{ground}\n[[push]]\n{push}\n"
        ))
    };
    let second_impact = "position = [0.0, 0.3125]\nvelocity = [5.0, 0.0]";
    let end_of_bouncing = "position = [0.0, 0.0]\nvelocity = [2.0, 2.5]";
    for step in ["0.07", "0.1", "0.125", "0.3"] {
        let up = window(second_impact, "restitution = 0.5", "force = [0.0, 20.0]\nfrom = 0.5", step);
        let inputs = [Input::PushFrom(0), Input::PushForce(0, 1)];
        for tangent in &exact(&up, &inputs).tangents {
            assert!(
                tangent.position[0].abs() < 1e-12 && tangent.velocity[0].abs() < 1e-12,
                "{step}: {tangent:?}"
            );
        }
        let ends =
            window(end_of_bouncing, "restitution = 0.5", "force = [1.0, 0.0]\nfrom = 0.25\nto = 1.0", step);
        let end = ends.time().at(ends.time().steps);
        let tangents =
            exact(&ends, &[Input::PushTo(0), Input::PushForce(0, 1), Input::PushForce(0, 0)]).tangents;
        for (tangent, [x, vx]) in tangents.iter().zip([
            [0.5 * (end - 1.0), 0.5],
            [0.0, 0.0],
            [0.5 * (0.75 * (end - 1.0) + 0.5 * 0.75 * 0.75), 0.5 * 0.75],
        ]) {
            let off = (tangent.position[0] - x).abs().max((tangent.velocity[0] - vx).abs());
            assert!(off < 1e-12, "{step}: {tangent:?} for {x}, {vx}");
        }
    }
}

#[test]
fn without_friction_a_velocity_of_zero_is_kept() {
    for (name, particle) in [
        (
            "bounces",
            "position = [0.0, 1.0]\nvelocity = [0.0, 0.0]\n[ground]\nfriction = 0.0\nrestitution = 0.25",
        ),
        ("rests", "position = [0.0, 0.0]\nvelocity = [0.0, 0.0]\n[ground]\nfriction = 0.0"),
    ] {
        let text = format!(
            "name = \"ice\"\nduration = 1.5\nstep = 0.01\ngravity = 10.0\n[particle]\nmass = 1.0\n{particle}\n"
        );
        let scenario = plane(&text);
        let exact = exact(&scenario, &[Input::Velocity(0)]);
        let mut gradients = vec![("exact", components(&exact.tangents[0]))];
        for stepper in ["lcp", "nlp", "convex"] {
            let raw = run(&support::stepper(&scenario, stepper), &[Input::Velocity(0)]);
            gradients.push((stepper, column(&raw, 0)));
        }
        for stepper in ["lcp", "nlp"] {
            let corrected = run(&corrected(&scenario, stepper), &[Input::Velocity(0)]);
            gradients.push((stepper, column(&corrected, 0)));
        }
        for (stepper, [x, _, vx, _]) in gradients {
            assert!((x - 1.5).abs() < 1e-6 && (vx - 1.0).abs() < 1e-6, "{name}, {stepper}: {x} {vx}");
        }
    }
}

#[test]
fn the_edge_of_a_window_may_be_that_of_the_run() {
    let text = "name = \"window\"\nduration = 1.0\nstep = 0.0625\ngravity = 10.0\n[particle]\nmass = 1.0\n\
                position = [0.0, 0.0]\nvelocity = [1.0, 0.0]\n[ground]\nfriction = 0.0\n[[push]]\n\
                force = [1.0, 0.0]\nfrom = 0.0\nto = 1.0\n";
    let gradient = exact(&plane(text), &[Input::PushFrom(0), Input::PushTo(0)]);
    let sides = |index: usize| {
        let left = gradient.left[index].expect("it has two sides");
        [left.tangent.velocity[0], gradient.tangents[index].velocity[0]]
    };
    assert_eq!([sides(0), sides(1)], [[0.0, -1.0], [1.0, 0.0]]);
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
