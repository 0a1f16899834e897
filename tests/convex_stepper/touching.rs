//! What bodies touch by the way of a step, and what they do not.

use stickslip::{
    scenario::{AnyScenario, Scenario, parse_scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    trajectory::{Ending, Trajectory},
};

fn run(text: &str) -> Trajectory<2> {
    let scenario: Scenario<2> = match parse_scenario("touching.toml", text, &[]) {
        Ok(AnyScenario::InPlane(scenario)) => scenario,
        Ok(_) => panic!("in space"),
        Err(error) => panic!("{error}"),
    };
    let trajectory = simulate(&scenario, scenario.stepper(StepperName::CONVEX).expect("a stepper").as_mut());
    assert_eq!(trajectory.ending, Ending::Complete);
    trajectory
}

/// A disc flies past another one, with this much air between, in steps of this phase.
fn near_miss(air: f64, step: f64, phase: f64) -> String {
    let start = -0.1 - phase * 8.0 * step;
    format!(
        "name = \"near-miss\"\nduration = 0.03\nstep = {step:e}\ngravity = 0.0\n[ground]\nfriction = 0.3\n\
         [[body]]\nshape = \"disc\"\nsize = 0.03\nmass = 0.17\nposition = [{start:?}, {:?}]\nvelocity = [8.0, 0.0]\n\
         [[body]]\nshape = \"disc\"\nsize = 0.03\nmass = 0.17\nposition = [0.0, 1.0]\n",
        1.06 + air
    )
}

#[test]
fn discs_that_pass_with_any_air_at_any_phase_do_not_touch() {
    for air in [1e-3, 1e-4, 1e-5, 1e-6] {
        for step in [1e-4, 1e-3, 5e-3] {
            for phase in (0..10).map(|i| f64::from(i) / 10.0) {
                let trajectory = run(&near_miss(air, step, phase));
                let [first, second] =
                    [0, 1].map(|body| trajectory.bodies[body].states.last().expect("steps").velocity);
                let case = format!("{air} m, {step} s, {phase}");
                assert!((first[0] - 8.0).abs() < 1e-12 && first[1].abs() < 1e-12, "{case}: {first}");
                assert!(second.norm() < 1e-12, "{case}: {second}");
            }
        }
    }
}

/// A crate that slides without friction from box to box, flush to rounding, at this speed.
fn over_seams(speed: f64, step: f64, phase: f64) -> String {
    let mut text = format!(
        "name = \"seams\"\nduration = {:?}\nstep = {step:e}\n[ground]\nfriction = 0.5\n[[body]]\nname = \"crate\"\nshape = \"box\"\n\
         size = [0.4, 0.2]\nmass = 1.0\nposition = [{:?}, 1.1]\nvelocity = [{speed:?}, 0.0]\n",
        3.0 / speed,
        phase * speed * step
    );
    for place in 0..5 {
        text += &format!(
            "[[body]]\nname = \"box-{place}\"\nshape = \"box\"\nsize = [1.0, 1.0]\nfixed = true\nposition = [{place}.0, 0.5]\n\
             [[pair]]\nbodies = [\"crate\", \"box-{place}\"]\nfriction = 0.0\n"
        );
    }
    text
}

/// Where two boxes meet their corners carry twice, and the crate, which is 8 um deep at 5 ms, tilts by a hundred-thousandth: that is what
/// its way differs by.
#[test]
fn a_crate_slides_over_flush_boxes_as_over_one() {
    for (speed, step) in [(0.5, 1e-3), (3.0, 1e-3), (30.0, 1e-3), (3.0, 5e-3)] {
        for phase in (0..4).map(|i| f64::from(i) / 4.0) {
            let trajectory = run(&over_seams(speed, step, phase));
            let last = trajectory.bodies[0].states.last().expect("steps");
            let case = format!("{speed} m/s, {step} s, {phase}");
            let way = phase * speed * step + speed * step * trajectory.steps.len() as f64;
            assert!((last.position[0] - way).abs() < 3e-6, "{case}: {} for {way}", last.position[0]);
            assert!((last.velocity[0] - speed).abs() < 1e-5, "{case}: {}", last.velocity);
            assert!((last.position[1] - 1.1).abs() < 1e-3, "{case}: {}", last.position[1]);
        }
    }
}

/// What is a hundred times as far in a step as the plate is thick is stopped by it.
#[test]
fn a_fast_disc_does_not_fly_through_a_thin_plate() {
    for height in [0.0, 0.19, -0.24] {
        let trajectory = run(&format!(
            "name = \"plate\"\nduration = 0.1\nstep = 5e-3\ngravity = 0.0\n[ground]\nfriction = 0.3\n\
             [[body]]\nshape = \"disc\"\nsize = 0.02\nmass = 1.0\nposition = [-0.53, {:?}]\nvelocity = [20.0, 0.0]\n\
             [[body]]\nshape = \"box\"\nsize = [0.001, 0.5]\nfixed = true\nposition = [0.0, 2.0]\n",
            2.0 + height
        ));
        let last = trajectory.bodies[0].states.last().expect("steps");
        assert!(last.position[0] < 0.0 && last.velocity[0] < 1.0, "{height}: {last:?}");
    }
}
