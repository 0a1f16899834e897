//! What is thin stops what is fast.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::world::Surface;

use crate::scenes::{
    MODELS, MODELS_IN_SPACE, cuboid, disc, fixed, in_space, moving, rectangle, run, scene, solid, sphere,
};

#[test]
fn a_fast_ball_is_caught_by_a_plate() {
    for (name, model) in MODELS_IN_SPACE {
        let bodies = vec![
            solid(cuboid([1.0, 1.0, 0.001]), 1.0, [0.0, 0.0, 0.5], [0.0; 3], true),
            solid(sphere(0.01), 0.01, [0.1, 0.05, 3.25], [0.0, 0.0, -100.0], false),
        ];
        let run = run(&in_space(bodies, Surface::new(0.5, 0.0), 9.81), model(), 1e-2, 50);
        let z = run.end().poses[1].position.z;
        assert!((z - 0.5105).abs() < 1e-6, "{name}: {z}");
    }
}

#[test]
fn a_box_that_turns_does_not_pass_through_a_plate() {
    for (name, model) in MODELS {
        let bodies = vec![
            fixed(rectangle(1.0, 0.001), [0.0, 5.0, 0.0]),
            moving(
                rectangle(0.02, 0.015_460_266_871_549_245),
                [-0.582_541_951_844_817_4, 5.413_321_401_878_849, 5.461_125_802_359_543],
                [37.791_583_193_953_93, -58.557_531_887_899_69, -58.052_053_918_545_31],
            ),
        ];
        let run = run(&scene(bodies, Surface::new(0.0, 0.0), 0.0), model(), 1e-2, 2);
        let end = run.end();
        assert!(end.velocities[1].y > -50.0, "{name}: {:?}", end.velocities[1]);
    }
}

/// 400 boxes that meet the end of a plate of 1 mm, some with their centre beyond it: none passes.
#[test]
fn no_box_passes_the_end_of_a_plate() {
    let mut random = StdRng::seed_from_u64(42);
    for case in 0..400 {
        // Whichever way it is turned, it reaches 6.9 mm to every side.
        let x = 0.5 + random.random_range(-0.02..0.0065);
        let (speed, spin) = (random.random_range(20.0..90.0), random.random_range(-60.0..60.0));
        let height = 5.0 + speed * 1e-2 * random.random_range(1.0..2.0);
        let angle = random.random_range(0.0..6.3);
        let bodies = vec![
            fixed(rectangle(1.0, 0.001), [0.0, 5.0, 0.0]),
            moving(rectangle(0.02, 0.0155), [x, height, angle], [0.0, -speed, spin]),
        ];
        let run = run(&scene(bodies, Surface::new(0.0, 0.0), 0.0), MODELS[0].1(), 1e-2, 4);
        let end = run.end().velocities[1];
        assert!(end.y > -speed * (1.0 - 1e-3), "{case}: {end:?} of {speed} at {x}");
        assert_eq!(run.uncertified(), [], "{case}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// A plate of 1 mm that is met anywhere, its ends included, is not passed.
    #[test]
    fn any_thin_plate_stops_what_hits_it(
        (x, speed, slant, angle, spin) in (-0.45_f64..0.45, 5.0_f64..80.0, -1.0_f64..1.0, 0.0_f64..6.3, -60.0_f64..60.0),
        phase in 0.0_f64..1.0,
        is_disc in any::<bool>(),
    ) {
        let dt = 1e-2;
        let shape = if is_disc { disc(0.01) } else { rectangle(0.02, 0.015) };
        let (vx, vz): (f64, f64) = (speed * slant, -speed);
        // Where it would be in the plate after a step and a phase.
        let time = dt * (1.0 + phase);
        let bodies = vec![
            fixed(rectangle(1.0, 0.001), [0.0, 5.0, 0.0]),
            moving(shape, [x - vx * time, 5.0 - vz * time, angle], [vx, vz, spin]),
        ];
        let run = run(&scene(bodies, Surface::new(0.0, 0.0), 0.0), MODELS[0].1(), dt, 4);
        let end = run.end().velocities[1];
        prop_assert!(end.y > vz + 1e-3 * speed, "{:?}", end);
        for motion in &run.motions {
            let under = motion.poses[1].position;
            prop_assert!(under.x.abs() > 0.5 || under.y > 5.0, "{:?}", under);
        }
    }
}
