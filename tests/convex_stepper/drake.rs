//! The thrown point of the blog post in Drake 1.51.1 (discrete SAP, point contact, 10 kg, friction
//! 0.1, k = 1e7 N/m, tau_d = 0.01 s, dt = 1 ms).

use stickslip::scenario::{DelassusNorm, Scenario};

use crate::{run, thrown};

/// Drake accepts a relative residual of 1e-6: its impulses are off by that much of `m g dt`.
const IMPULSE_TOLERANCE: f64 = 1e-6 * 10.0 * 9.81 * 1e-3;

fn drake() -> Scenario<2> {
    let mut scenario = thrown();
    scenario.steppers.convex.stiffness = Some(1e7);
    scenario.steppers.convex.dissipation_time = Some(0.01);
    scenario.steppers.convex.delassus_norm = DelassusNorm::Spatial;
    scenario
}

#[test]
fn the_trajectory_is_drakes() {
    let ours = run(&drake());
    let text = include_str!("../data/drake_thrown.csv");
    let mut rows = 0;
    for line in text.lines().skip(1) {
        let row: Vec<f64> = line.split(',').map(|field| field.parse().expect("a number")).collect();
        let [t, x, z, vx, vz, jx, jz] = row[..] else { panic!("{line}") };
        let k = (t / 1e-3).round() as usize;
        let state = &ours.bodies[0].states[k];
        assert!((state.position[0] - x).abs() <= 1e-6, "x at {t}: {} {x}", state.position[0]);
        assert!((state.position[1] - z).abs() <= 1e-6, "z at {t}: {} {z}", state.position[1]);
        assert!((state.velocity[0] - vx).abs() <= 1e-6, "vx at {t}: {} {vx}", state.velocity[0]);
        assert!((state.velocity[1] - vz).abs() <= 1e-6, "vz at {t}: {} {vz}", state.velocity[1]);
        // Drake's row k holds the impulse of the step that ends there.
        if k > 0 {
            let impulse = ours.bodies[0].steps[k - 1].force * 1e-3;
            assert!((impulse[0] - jx).abs() <= IMPULSE_TOLERANCE, "jx at {t}: {} {jx}", impulse[0]);
            assert!((impulse[1] - jz).abs() <= IMPULSE_TOLERANCE, "jz at {t}: {} {jz}", impulse[1]);
        }
        rows += 1;
    }
    assert!(rows > 250);
}

#[test]
fn the_impact_and_the_end_have_drakes_digits() {
    let trajectory = run(&drake());
    let state = trajectory.bodies[0].states[453];
    let close = |value: f64, expected: f64, tolerance: f64| {
        assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
    };
    close(state.position[0], 0.45255151837179, 1e-13);
    close(state.position[1], -0.00428729371793, 1e-13);
    close(state.velocity[0], 0.55151837179263, 1e-12);
    close(state.velocity[1], 0.04088628207371, 1e-12);
    close(trajectory.bodies[0].steps[452].force[1] * 1e-3, 44.848162820737, 1e-11);
    let end = trajectory.final_state(0);
    close(end.position[0], 0.60918465414739, 1e-7);
    close(end.position[1], -9.8100011e-6, 1e-10);
}
