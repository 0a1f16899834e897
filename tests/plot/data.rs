use stickslip::{
    model::Vector,
    plot::{self, Axis, Figure, Panel, Series, Style, palette},
    stepper::StepperName,
    trajectory::Trajectory,
};

use crate::{
    layout::complaints,
    scenes::{pictures, run, slide, stick_slip},
};

/// The slide with every state changed.
fn changed(change: impl Fn(usize, &mut Vector<2>, &mut Vector<2>)) -> Trajectory<2> {
    let mut trajectory = run(&slide(), StepperName::NLP);
    for (k, state) in trajectory.bodies[0].states.iter_mut().enumerate() {
        change(k, &mut state.position, &mut state.velocity);
    }
    trajectory
}

fn assert_readable(name: &str, trajectory: &Trajectory<2>) {
    for (kind, figure) in pictures(trajectory) {
        let name = format!("{name}, {kind}");
        assert_eq!(complaints(&name, &figure), [""; 0]);
        let text = figure.to_svg().unwrap();
        roxmltree::Document::parse(&text).unwrap();
        assert!(!text.contains("NaN") && !text.contains("inf"), "{name}");
        assert!(text.len() < 1_000_000, "{name} has {} bytes", text.len());
    }
}

#[test]
fn data_of_any_size_is_readable() {
    for scale in [1e9, 1e5, 1e-3, 1e-12, 1e-100, 1e200] {
        let scaled = changed(|_, position, velocity| {
            *position *= scale;
            *velocity *= scale;
        });
        assert_readable(&format!("scaled by {scale:e}"), &scaled);
    }
}

#[test]
fn data_that_does_not_move_is_readable() {
    for value in [0.0, 1.5, -3e9, 1e-12, 123_456.789] {
        let still = changed(|_, position, velocity| {
            position.fill(value);
            velocity.fill(0.0);
        });
        assert_readable(&format!("constant {value}"), &still);
    }
}

#[test]
fn small_motion_far_from_the_origin_is_readable() {
    for offset in [1.0, -1.0, 1e3, 1e6] {
        let far = changed(|_, position, _| {
            position[0] = offset + 1e-9 * position[0];
        });
        assert_readable(&format!("offset {offset}"), &far);
    }
}

#[test]
fn short_runs_are_readable() {
    for states in [1, 2, 3] {
        let mut short = run(&slide(), StepperName::NLP);
        short.bodies[0].states.truncate(states);
        short.bodies[0].steps.truncate(states - 1);
        assert_readable(&format!("{states} states"), &short);
    }
    let mut empty = run(&slide(), StepperName::NLP);
    empty.bodies[0].states.clear();
    empty.bodies[0].steps.clear();
    for (_, figure) in pictures(&empty) {
        figure.to_svg().unwrap();
    }
}

#[test]
fn what_is_not_finite_leaves_a_gap() {
    let gappy = changed(|k, position, velocity| {
        if (300..400).contains(&k) {
            position.fill(f64::NAN);
            velocity.fill(f64::INFINITY);
        }
    });
    assert_readable("with a gap", &gappy);
    let points = &plot::history(&gappy).panels[0].curves[0].points;
    assert!(points.iter().any(|point| point[1].is_nan()), "the gap is kept");
    assert!(points.iter().filter(|point| point[1].is_finite()).count() > 500);
}

#[test]
fn extreme_values_draw_without_panic() {
    let values = [f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, -1e308, 0.0, 1.0, f64::NAN, f64::INFINITY];
    for a in values {
        for b in values {
            for (x, y) in [
                (Axis::new("a", "m"), Axis::new("b", "m")),
                (Axis::new("a", "m").log(), Axis::new("b", "m").log()),
            ] {
                let mut panel =
                    Panel::new(x, y).curve("c", vec![[a, b], [b, a], [1.0, 2.0]], Style::line(palette::BLUE));
                panel.true_to_scale = true;
                panel.solids.push(plot::Solid::GROUND);
                let figure = Figure { panels: vec![panel], ..Figure::new("extreme") };
                let text = figure.to_svg().unwrap();
                assert!(!text.contains("NaN"), "{a} {b}");
            }
        }
    }
}

#[test]
fn a_figure_without_panels_is_a_picture() {
    assert!(Figure::new("empty").to_svg().unwrap().contains("</svg>"));
    assert!(plot::history_overlay::<2>(&[]).to_svg().is_ok());
}

#[test]
fn a_million_steps_keep_their_peaks_in_a_small_file() {
    let mut scenario = stick_slip();
    scenario.step = 2e-6;
    let mut long = run(&scenario, StepperName::HYBRID);
    assert_eq!(long.steps.len(), 1_000_000);
    long.bodies[0].states[654_321].velocity[0] = 0.7;
    // Noise everywhere is the worst case for the size of the file.
    for (k, step) in long.bodies[0].steps.iter_mut().enumerate() {
        step.force[0] += 3.0 * ((k * 7919 % 1000) as f64 / 1000.0 - 0.5);
    }
    let figure = plot::history(&long);
    let peak = figure.panels[2].curves[0].points.iter().map(|point| point[1]).fold(0.0, f64::max);
    assert_eq!(peak, 0.7);
    let size = figure.to_svg().unwrap().len();
    assert!(size < 1_000_000, "{size} bytes");
    let path = plot::path(&long).to_svg().unwrap().len();
    assert!(path < 1_000_000, "{path} bytes");
}

#[test]
fn noise_of_eight_steppers_stays_a_small_file() {
    let noisy: Vec<_> = (0..8_usize)
        .map(|seed| {
            let mut trajectory = changed(|k, position, velocity| {
                let noise =
                    |salt: usize| ((k * 7919 + seed * 104_729 + salt) * 2_654_435_761 % 1000) as f64 / 1000.0;
                position.copy_from_slice(&[noise(1), noise(2)]);
                velocity.copy_from_slice(&[noise(3), noise(4)]);
            });
            for (k, step) in trajectory.bodies[0].steps.iter_mut().enumerate() {
                step.force.fill((k * 31 % 17) as f64);
            }
            trajectory
        })
        .collect();
    let series = Series::of_steppers(&noisy.iter().collect::<Vec<_>>());
    let size = plot::history_overlay(&series).to_svg().unwrap().len();
    assert!(size < 1_000_000, "{size} bytes");
}

#[test]
fn the_tolerance_of_a_solver_is_not_drawn_as_a_force() {
    let mut flight = run(&slide(), StepperName::NLP);
    flight.bodies[0].steps.truncate(400);
    flight.bodies[0].states.truncate(401);
    for (k, step) in flight.bodies[0].steps.iter_mut().enumerate() {
        step.force.fill(-5e-7 * (k % 7) as f64);
    }
    let layout = plot::history(&flight).layout();
    let normal = &layout.panels[5].y;
    assert!(normal.low < -50.0 && normal.high > 50.0, "the scale is the weight: {normal:?}");
}

#[test]
fn slacks_left_below_zero_are_shown() {
    let mut trajectory = run(&slide(), StepperName::NLP);
    for step in &mut trajectory.steps {
        if let Some(nlp) = &mut step.report.nlp {
            nlp.s1 = -1e-8;
        }
    }
    let layout = plot::history(&trajectory).layout();
    assert!(layout.panels[6].y.low < 1e-8 && layout.panels[6].y.high > 1e-8, "{:?}", layout.panels[6].y);
}
