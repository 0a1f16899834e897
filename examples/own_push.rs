//! A push that no scenario file can describe: a spring to the origin, fed to a stepper by hand.
//!
//! `cargo run --release --example own_push`

use stickslip::{
    model::Vector,
    scenario::{Body, Ground, Scenario},
    stepper::{BuildStepper, PointInput, StepperName},
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scenario = Scenario {
        bodies: vec![Body::point(1.0, [0.5, 0.0], Vector::zeros())],
        ground: Ground { friction: 0.2, ..Ground::default() },
        ..Scenario::new("spring")
    };
    let mut stepper = scenario.point_stepper(StepperName::NLP)?;
    let mut state = scenario.initial_state(0);
    for k in 0..2000 {
        let dt = scenario.step;
        let spring = Vector::from([-40.0 * state.position[0], 0.0]);
        let step = stepper.step(&PointInput { index: k, time: k as f64 * dt, state, push: spring, dt })?;
        state = step.state;
        if k % 200 == 199 {
            println!("t = {:.1} s: x = {:+.4} m", (k + 1) as f64 * dt, state.position[0]);
        }
    }
    Ok(())
}
