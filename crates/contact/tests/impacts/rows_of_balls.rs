//! Discs in a row.

use stickslip_contact::world::{Impacts, Surface, planar};

use crate::scenes::{body, disc, energy, models, plane, step};

#[test]
fn four_touching_discs_are_thrown_apart_without_a_gain() {
    let discs = vec![disc(-0.2, 0.0), disc(0.0, 1.0), disc(0.2, 0.0), disc(0.4, 0.0)];
    let scene = plane(discs, Surface::new(0.0, 1.0));
    for (name, model) in models() {
        let capped = step(&scene, model(), Impacts::OneStage);
        let impact = capped.impact();
        assert!((impact.share - 0.75_f64.sqrt()).abs() < 1e-6 && impact.several, "{name}: {impact:?}");
        let ends = [-0.183013, -0.183013, 0.683013, 0.683013];
        for (velocity, end) in capped.motion.velocities.iter().zip(ends) {
            assert!((velocity[0] - end).abs() < 1e-5, "{name}: {:?}", capped.motion.velocities);
        }
        assert!((energy(&scene, &capped.motion.velocities) - 0.5).abs() < 1e-7, "{name}");
        let followed = step(&scene, model(), Impacts::Incremental);
        for (velocity, end) in followed.motion.velocities.iter().zip([0.0, 0.0, 0.0, 1.0]) {
            assert!((velocity[0] - end).abs() < 1e-6, "{name}: {:?}", followed.motion.velocities);
        }
    }
}

#[test]
fn a_row_passes_on_what_each_blow_leaves() {
    for (name, model) in models() {
        for e in [0.0, 0.5, 0.9, 1.0_f64] {
            let discs = vec![disc(-0.2, 1.0), disc(0.0, 0.0), disc(0.2, 0.0), disc(0.4, 0.0)];
            let stepped = step(&plane(discs, Surface::new(0.0, e)), model(), Impacts::Incremental);
            let last = stepped.motion.velocities[3][0];
            // Discs that do not part at all go on together.
            let expected = if e == 0.0 { 0.25 } else { ((1.0 + e) / 2.0).powi(3) };
            assert!(
                (last - expected).abs() < 1e-5,
                "{name}, {e}: {last}, {:?}, {:?}",
                stepped.motion.velocities,
                stepped.report.impact
            );
        }
    }
}

#[test]
fn two_discs_strike_three() {
    for (name, model) in models() {
        let discs = [(-0.4, 1.0), (-0.2, 1.0), (0.0, 0.0), (0.2, 0.0), (0.4, 0.0)];
        let discs = discs.into_iter().map(|(x, velocity)| disc(x, velocity)).collect();
        let stepped = step(&plane(discs, Surface::new(0.0, 1.0)), model(), Impacts::Incremental);
        for (velocity, end) in stepped.motion.velocities.iter().zip([0.0, 0.0, 0.0, 1.0, 1.0]) {
            assert!((velocity[0] - end).abs() < 1e-6, "{name}: {:?}", stepped.motion.velocities);
        }
        assert!(stepped.impact().rounds >= 6, "{name}: {:?}", stepped.impact());
    }
}

/// A box that lands flat has no corner that is first: with a little spin it ends alike.
#[test]
fn a_box_that_lands_flat_and_one_that_nearly_does_end_alike() {
    for (name, model) in models() {
        let end = |spin: f64| {
            let shape = planar::Shape::rectangle(0.4, 0.2).expect("a box");
            let scene = plane(vec![body(shape, [0.0, 0.1, 0.0], [1.0, -1.0, spin])], Surface::new(0.3, 0.5));
            step(&scene, model(), Impacts::Incremental).motion.velocities[0]
        };
        let off = (end(0.0) - end(1e-3)).amax();
        assert!(off < 1e-2, "{name}: {} and {}", end(0.0), end(1e-3));
    }
}
