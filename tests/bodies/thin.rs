//! Rods on rods, and points on rods: bodies without thickness keep to the side of each other where they were.

use stickslip::{
    model::Orientation,
    scenario::{Body, Ground, Scenario, Shape},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
};

use crate::{particles::MODELS, scenes::run};

/// A body over a fixed rod of 1 m at the height .5 m, or below it.
fn over_a_rod(body: Body<2>) -> Scenario<2> {
    let fixed =
        Body { shape: Shape::Rod { length: 1.0 }, fixed: true, ..Body::point(1.0, [0.0, 0.5], [0.0; 2]) };
    Scenario {
        duration: 0.6,
        ground: Ground { friction: 0.5, ..Ground::default() },
        bodies: vec![fixed, body],
        ..Scenario::new("thin")
    }
}

fn rod(height: f64, angle: f64) -> Body<2> {
    Body {
        shape: Shape::Rod { length: 0.4 },
        orientation: Orientation::Angle(angle),
        ..Body::point(1.0, [0.05, height], [0.0; 2])
    }
}

#[test]
fn a_rod_that_lies_down_on_a_rod_stays_on_it() {
    for angle in [0.3, 0.0, -0.7] {
        for (step, first) in [(1e-3, true), (2e-4, true), (1e-3, false)] {
            let mut scenario = Scenario { step, ..over_a_rod(rod(0.7, angle)) };
            if !first {
                scenario.bodies.reverse();
            }
            for name in MODELS {
                let trajectory = run(&scenario, name);
                let end = trajectory.final_state(usize::from(first));
                // Smooth bounces, by its own damping.
                let lowest = if name == StepperName::SMOOTH { 0.48 } else { 0.495 };
                assert!((lowest..0.72).contains(&end.position[1]), "{name}, {angle} rad: {end:?}");
            }
        }
    }
}

/// A failed step of a rod on a rod is taken again as it was, and another run knows nothing of this one.
#[test]
fn the_side_is_remembered_in_replays_and_forgotten_in_other_runs() {
    let scenario = over_a_rod(rod(0.7, 0.3));
    let stepper = || scenario.stepper(StepperName::NLP).unwrap();
    let mut first = stepper();
    simulate(&scenario, first.as_mut());
    // Bodies 0 and 1 on both ends of what they share, and the normal from the second into the first.
    let memory = first.memory();
    assert!(!memory.is_empty() && memory.len() % 4 == 0, "{memory:?}");
    assert!(memory.chunks(4).all(|side| side[0] != side[1] && side[3].abs() > 0.99), "{memory:?}");
    let mut second = stepper();
    second.restore(&memory);
    assert_eq!(second.memory(), memory);
    for damaged in [&memory[..3], &[7.0, 9.0, 0.0, 1.0], &[f64::NAN, -1.0, 0.0, 1.0]] {
        second.restore(damaged);
        let last = second.memory();
        assert!(last.chunks(4).all(|side| side[0] < 2.0 && side[1] < 2.0), "{last:?}");
    }
    first.reset();
    assert!(first.memory().is_empty());
}

#[test]
fn a_point_on_a_rod_stays_on_it() {
    for height in [0.5, 0.6] {
        let scenario = over_a_rod(Body::point(1.0, [0.1, height], [0.0; 2]));
        for name in MODELS {
            let end = run(&scenario, name).final_state(1);
            assert!((0.48..0.62).contains(&end.position[1]), "{name}, {height} m: {end:?}");
        }
    }
}

#[test]
fn what_is_thrown_at_a_rod_from_below_stays_below_it() {
    for body in [rod(0.3, 0.1), Body::point(1.0, [0.1, 0.3], [0.0; 2])] {
        let mut scenario = over_a_rod(body);
        scenario.bodies[1].velocity[1] = 3.0;
        for name in MODELS {
            let trajectory = run(&scenario, name);
            let highest =
                trajectory.bodies[1].states.iter().map(|state| state.position[1]).fold(0.0, f64::max);
            let end = trajectory.final_state(1).position[1];
            assert!(highest < 0.52 && end < 0.4, "{name}: up to {highest} m, {end} m at the end");
        }
    }
}

#[test]
fn a_rod_slides_off_the_end_of_a_rod() {
    let mut scenario = over_a_rod(rod(0.5, 0.0));
    scenario.bodies[1].velocity[0] = 3.0;
    scenario.ground.friction = 0.0;
    for name in MODELS {
        let end = run(&scenario, name).final_state(1);
        assert!(end.position[0] > 1.4 && end.position[1] < 0.4, "{name}: {end:?}");
    }
}
