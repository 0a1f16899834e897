//! Discs in a row, and what else strikes at once.

use nalgebra::{Matrix2, SVector, Vector2, Vector3};
use stickslip_contact::world::{Anchor, Impacts, Joint, Surface, TimeStepper, planar, spatial};

use crate::scenes::{body, disc, energy, models, plane, space, step};

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
        // Six blows, of which those that have nothing to do with each other strike at once.
        assert_eq!(stepped.impact().rounds, 4, "{name}: {:?}", stepped.impact());
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

/// Two discs in one piece, by rows that say so.
fn dumbbell(restitution: f64, is_turned: bool) -> planar::Scene {
    let shape = planar::Shape::disc(0.05).expect("a disc");
    let places = if is_turned { [0.15, -0.15] } else { [-0.15, 0.15] };
    let discs = places.map(|x| body(shape.clone(), [x, 0.05, 0.0], [0.0, -3.0, 0.0])).to_vec();
    let mut scene = plane(discs, Surface::new(0.4, restitution));
    let anchors = [0, 1].map(|disc: usize| Anchor::on(disc, Vector2::new(-places[disc], 0.0)));
    scene.joints.push(Joint::weld(anchors, &[Matrix2::identity(); 2]));
    scene
}

/// What strikes at once strikes at once, whichever body the file names first.
#[test]
fn what_lands_level_in_several_bodies_stays_level() {
    for (name, model) in models() {
        for e in [0.0, 0.5, 1.0] {
            for is_turned in [false, true] {
                let stepped = step(&dumbbell(e, is_turned), model(), Impacts::Incremental);
                for velocity in &stepped.motion.velocities {
                    let off = (velocity - SVector::from([0.0, 3.0 * e, 0.0])).amax();
                    assert!(off < 1e-6, "{name}, {e}, {is_turned}: {velocity}");
                }
            }
            // One that falls on two which rest, and drives them apart.
            let (beside, above) = (0.06, 0.05 + 0.08);
            let shape = planar::Shape::disc(0.05).expect("a disc");
            let at = |x: f64, z: f64, v: f64| body(shape.clone(), [x, z, 0.0], [0.0, v, 0.0]);
            let discs = vec![at(-beside, 0.05, 0.0), at(0.0, above, -2.0), at(beside, 0.05, 0.0)];
            let stepped = step(&plane(discs, Surface::new(0.3, e)), model(), Impacts::Incremental);
            let [left, middle, right] = stepped.motion.velocities.as_slice() else { panic!("three discs") };
            let mirrored = SVector::from([-right[0], right[1], -right[2]]);
            assert!((left - mirrored).amax() < 1e-6, "{name}, {e}: {left} {right}");
            assert!(middle[0].abs() < 1e-6 && middle[2].abs() < 1e-6, "{name}, {e}: {middle}");
        }
    }
}

/// However far a step takes what closes, its impact is not passed over: solvers leave a part of that way.
#[test]
fn fast_bodies_in_long_steps_bounce() {
    for (name, model) in models() {
        let shape = spatial::Shape::cuboid([0.1; 3]).expect("a box");
        let one = |x: f64, velocity: f64| {
            let twist = SVector::from([velocity, 0.0, 0.0, 0.0, 0.0, 0.0]);
            spatial::Body {
                twist,
                ..spatial::Body::new(shape.clone(), 1.0, spatial::Pose::upright(x, 0.0, 1.0))
            }
        };
        let mut scene = space(vec![one(-0.3, 50.0), one(0.3, -50.0)], Surface::new(0.0, 1.0));
        scene.gravity = Vector3::zeros();
        let mut stepper = TimeStepper::new(model(), Impacts::Incremental);
        let mut motion = scene.initial_motion();
        for _ in 0..3 {
            stepper.step(&scene, &mut motion, &[SVector::zeros(); 2], 1.0 / 60.0).expect("a step");
        }
        let ends = motion.velocities.iter().zip([-50.0, 50.0]);
        ends.for_each(|(velocity, end)| assert!((velocity[0] - end).abs() < 1e-5, "{name}: {velocity}"));
    }
}
