//! A cube released at 30 degrees on an edge rocks from edge to edge (Housner 1963).

use stickslip::world::{Impacts, Motion, spatial::Pose};

use crate::{
    data::rows,
    stepping::{HALF, INERTIA, MASS, Model, cube_on_edge, lcp4, nlp, on_ground, run},
};

fn rock(model: Model, impacts: Impacts, dt: f64) -> Vec<Motion<Pose, 6>> {
    let scene = on_ground(cube_on_edge(30_f64.to_radians()), 1.0);
    run(&scene, model, impacts, dt, (0.35 / dt) as usize)
}

/// Tilt in degrees, positive on the edge on which it is released.
fn signed_tilt(motion: &Motion<Pose, 6>) -> f64 {
    let turn = motion.poses[0].orientation;
    (2.0 * turn.j.atan2(turn.w)).to_degrees()
}

fn spin(motion: &Motion<Pose, 6>) -> f64 {
    motion.velocities[0][4]
}

/// Amplitude in degrees of the first swing to the other edge.
fn second_peak(motions: &[Motion<Pose, 6>]) -> f64 {
    let tilts: Vec<f64> = motions.iter().map(signed_tilt).collect();
    let crossed = tilts.iter().position(|tilt| *tilt < 0.0).expect("it falls to the other edge");
    let turned = tilts[crossed..].windows(2).position(|pair| pair[1] > pair[0]).expect("it swings back");
    -tilts[crossed + turned]
}

#[test]
fn a_rocking_cube_loses_the_spin_that_angular_momentum_about_the_new_edge_costs() {
    let reference = rows::<3>("rocking.csv");
    let motions = rock(lcp4(), Impacts::OneStage, 1e-4);
    let impact = motions.iter().position(|motion| signed_tilt(motion) < 0.0).unwrap() - 1;
    assert!((impact as f64 * 1e-4 - 0.183235).abs() < 2e-4, "{impact}");
    let fastest = motions[..=impact + 1].iter().map(spin).fold(0.0, f64::min);
    let (before, after) = (fastest, spin(&motions[impact + 3]));
    assert!((before + 6.99955).abs() < 1.5e-2, "{before}");
    let housner = INERTIA / (INERTIA + 2.0 * MASS * HALF * HALF);
    // Three steps later gravity has taken another hundredth.
    assert!((housner - 0.285024).abs() < 1e-6 && (after / before / housner - 1.0).abs() < 1.5e-2, "{after}");
    for row in reference.iter().filter(|row| row[0] < 0.18) {
        let k = (row[0] * 1e4).round() as usize;
        // Rows lie between the steps.
        let between = (row[0] - k as f64 * 1e-4) * row[2].to_degrees();
        let off = signed_tilt(&motions[k]) + between - row[1].to_degrees();
        assert!(off.abs() < 3e-2, "{}: {off}", row[0]);
    }
}

#[test]
fn the_second_peak_is_as_high_as_the_stages_of_the_impact_make_it() {
    let exact = 1.72994;
    for (impacts, expected) in [(Impacts::OneStage, [1.579, 1.713]), (Impacts::TwoStage, [1.618, 1.718])] {
        for (dt, expected) in [1e-3, 1e-4].into_iter().zip(expected) {
            for (name, model) in [("lcp4", lcp4 as fn() -> Model), ("nlp", nlp)] {
                let peak = second_peak(&rock(model(), impacts, dt));
                assert!((peak - expected).abs() < 6e-4, "{name} {impacts:?} {dt}: {peak}");
                assert!(peak < exact, "{peak}");
            }
        }
    }
}
