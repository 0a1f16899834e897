//! A scenario written in code, simulated by two contact models.
//!
//! `cargo run --release --example own_scenario`

use stickslip::{
    scenario::{Body, Ground, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scenario = Scenario {
        duration: 1.0,
        bodies: vec![Body::point(2.0, [0.0, 0.3], [1.5, 0.0])],
        ground: Ground { friction: 0.25, restitution: 0.4, slope: 0.0, ..Ground::default() },
        ..Scenario::new("own")
    };
    for name in [StepperName::NLP, StepperName::EXACT] {
        let mut stepper = scenario.stepper(name)?;
        let trajectory = simulate(&scenario, stepper.as_mut());
        let state = trajectory.final_state(0);
        println!("{name}: ends at x = {:.4} m with vx = {:.4} m/s", state.position[0], state.velocity[0]);
    }
    Ok(())
}
