//! Arrowheads stand where a force really leaves the frame, and the frame shows most of the forces.

use stickslip::{
    plot::{self, Figure, Series},
    scenario::{AnyScenario, Scenario, read_scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    trajectory::Trajectory,
};

use crate::scenes::{bounce, eight_steppers, run, slide, stick_slip};

fn example(name: &str) -> Trajectory<2> {
    let file = format!("{}/examples/scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let AnyScenario::InPlane(system) = read_scenario(file, &[]).unwrap() else {
        panic!("{name} is a system of particles in a plane")
    };
    step(&system)
}

fn step(system: &Scenario<2>) -> Trajectory<2> {
    let mut stepper = system.stepper(StepperName::CONVEX).unwrap();
    simulate(system, stepper.as_mut())
}

/// The slide with a force of `force(k)` at every step `k` in contact.
fn chatter(force: impl Fn(usize) -> f64) -> Trajectory<2> {
    let mut trajectory = run(&slide(), StepperName::LCP);
    for (k, step) in trajectory.bodies[0].steps.iter_mut().enumerate().skip(460) {
        step.force.fill(force(k));
        step.force[0] *= 0.1;
    }
    trajectory
}

/// Overlays with what is in them.
fn overlays() -> Vec<(&'static str, Vec<Trajectory<2>>)> {
    let rough = chatter(|k| if k % 2 == 0 { 400.0 } else { 0.0 });
    let spiky = chatter(|k| if k % 40 == 0 { 9e3 } else { 98.1 + (k % 7) as f64 });
    let signed = chatter(|k| [300.0, -250.0, 0.0, 5e4][if k % 50 == 0 { 3 } else { k % 3 }]);
    // Long above the load, with excursions on the way: a load that its weight does not tell.
    let carrying = chatter(|k| if k % 90 < 2 { 5e3 } else { 180.0 });
    vec![
        ("tumbling-frame", vec![example("tumbling-frame")]),
        ("pile", vec![example("pile")]),
        ("chain", vec![example("chain")]),
        ("eight steppers", eight_steppers()),
        (
            "bounce and stick-slip",
            vec![run(&bounce(), StepperName::HYBRID), run(&stick_slip(), StepperName::CONVEX)],
        ),
        ("chatter", vec![rough, spiky.clone(), run(&slide(), StepperName::HYBRID)]),
        ("spiky chatter", vec![spiky]),
        ("chatter of both signs", vec![signed]),
        ("carrying", vec![carrying]),
    ]
}

/// Complaints about the arrowheads of the force panels, and how many arrowheads there are.
fn misplaced(figure: &Figure, series: &[Series<'_, 2>]) -> (Vec<String>, usize) {
    let layout = figure.layout();
    let (mut complaints, mut count) = (Vec::new(), 0);
    for axis in 0..2 {
        let (panel, frame) = (&figure.panels[4 + axis], &layout.panels[4 + axis].y);
        for spike in &panel.spikes {
            count += 1;
            let leaves = |series: &Series<'_, 2>| {
                let step = (spike.x / series.track.scenario.step).floor() as usize;
                let force = series.track.steps[step].force[axis];
                if spike.value > 0.0 { force > frame.high } else { force < frame.low }
            };
            // The history of one trajectory has arrowheads of a colour of their own.
            let of_colour = |one: &&Series<'_, 2>| series.len() == 1 || one.style.colour == spike.colour;
            if !series.iter().filter(of_colour).any(leaves) {
                complaints.push(format!("axis {axis}: {} at {} s", spike.value, spike.x));
            }
        }
    }
    (complaints, count)
}

/// Whether a series is drawn as it is in the panel of its force along `axis`: not thin, as noise under the others.
fn leads(figure: &Figure, axis: usize, series: &Series<'_, 2>) -> bool {
    let mut curves = figure.panels[4 + axis].curves.iter();
    curves.any(|curve| curve.style.colour == series.style.colour && curve.style.width == series.style.width)
}

/// Times at which a series leaves the frame on a side without an arrowhead nearby.
fn unmarked(figure: &Figure, series: &[Series<'_, 2>]) -> Vec<String> {
    let layout = figure.layout();
    let mut complaints = Vec::new();
    for axis in 0..2 {
        let (panel, frame) = (&figure.panels[4 + axis], &layout.panels[4 + axis].y);
        let (start, end) = panel.x.range.unwrap();
        for Series { style, track, label } in series.iter().filter(|series| leads(figure, axis, series)) {
            for (k, step) in track.steps.iter().enumerate() {
                let (time, force) = (track.time(k), step.force[axis]);
                let is_marked = panel.spikes.iter().any(|spike| {
                    spike.colour == style.colour
                        && (spike.value > 0.0) == (force > 0.0)
                        && (spike.x - time).abs() < 0.02 * (end - start)
                });
                if (force < frame.low || force > frame.high) && !is_marked {
                    complaints.push(format!("axis {axis}, {label}: {force} N at {time} s"));
                }
            }
        }
    }
    complaints
}

#[test]
fn every_arrowhead_of_an_overlay_stands_where_its_force_leaves_the_frame() {
    let mut arrowheads = 0;
    for (name, trajectories) in overlays() {
        let series = Series::labelled(trajectories.iter().map(|one| (name.to_owned(), one)));
        let figure = plot::history_overlay(&series);
        let (complaints, count) = misplaced(&figure, &series);
        assert_eq!(complaints, [""; 0], "{name}");
        assert_eq!(unmarked(&figure, &series), [""; 0], "{name}");
        arrowheads += count;
    }
    assert!(arrowheads > 50, "{arrowheads}");
}

#[test]
fn every_impulse_of_a_history_stands_where_the_force_leaves_the_frame() {
    let mut arrowheads = 0;
    for (name, trajectories) in overlays() {
        for trajectory in &trajectories {
            let series = Series::of_bodies(trajectory);
            let (complaints, count) = misplaced(&plot::history(trajectory), &series);
            assert_eq!(complaints, [""; 0], "{name}");
            arrowheads += count;
        }
    }
    assert!(arrowheads > 50, "{arrowheads}");
}

#[test]
fn the_bulk_of_the_forces_of_either_sign_is_in_view() {
    for (name, trajectories) in overlays() {
        let series = Series::labelled(trajectories.iter().map(|one| (name.to_owned(), one)));
        let figure = plot::history_overlay(&series);
        let layout = figure.layout();
        for axis in 0..2 {
            let frame = &layout.panels[4 + axis].y;
            let leading = series.iter().filter(|series| leads(&figure, axis, series));
            let steps = leading.flat_map(|series| series.track.steps);
            let forces: Vec<f64> = steps.map(|step| step.force[axis]).collect();
            for sign in [-1.0, 1.0] {
                let least = 1e-6 * frame.high.max(-frame.low);
                let of_sign: Vec<f64> = forces.iter().copied().filter(|f| sign * f > least).collect();
                let seen = of_sign.iter().filter(|&&f| f >= frame.low && f <= frame.high).count();
                // Forces in a few steps are single impacts, mostly, and those in fewer have no bulk.
                let share = of_sign.len() as f64 / forces.len() as f64;
                let least_seen = match share {
                    0.02.. => 0.85,
                    5e-3.. => 0.5,
                    _ => 0.0,
                };
                assert!(
                    seen as f64 >= least_seen * of_sign.len() as f64,
                    "{name}, axis {axis}, sign {sign}: {seen} of {} in {} to {}",
                    of_sign.len(),
                    frame.low,
                    frame.high
                );
            }
        }
    }
}

/// Impacts of 40 kN and a force that comes and goes between nothing and four times the load: neither hides the load.
#[test]
fn chatter_does_not_set_the_range_of_the_others() {
    let quiet = run(&slide(), StepperName::LCP);
    let rough = chatter(|k| if k % 2 == 0 { 400.0 } else { 0.0 });
    let label = |one| ("slide".to_owned(), one);
    let [alone, beside] = [vec![&quiet], vec![&quiet, &rough]].map(|trajectories| {
        let series = Series::labelled(trajectories.into_iter().map(label));
        [0, 1].map(|axis| plot::force_range(&series, axis))
    });
    assert_eq!(alone, beside);
    assert!(alone[1].is_some_and(|(_, high)| high < 400.0), "{alone:?}");
    // Where nothing else is there, the chatter is what there is to see.
    let series = Series::labelled([label(&rough)]);
    assert!(plot::force_range(&series, 1).is_some_and(|(_, high)| high > 400.0));
}
