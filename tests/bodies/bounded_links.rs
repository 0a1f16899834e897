//! Dry friction and motors with a limit in joints, which give a force up to a bound: which of them give all of it.

use stickslip::{
    scenario::{AnyScenario, Scenario, parse_scenario},
    stepper::{StepStatus, StepperName},
};

use crate::scenes::run;

/// A door that friction holds while a weight on a spring pulls at it, and a motor on its axis that gives all that it can.
fn held_door(spin: f64) -> Scenario<2> {
    let text = format!(
        "name = \"held-door\"\nduration = 0.1\nstep = 2e-3\ngravity = 0.0\n[ground]\nfriction = 0.3\n\
         [[body]]\nname = \"door\"\nshape = \"rod\"\nsize = 1.0\nmass = 2.0\nposition = [0.5, 1.0]\nspin = {spin}\n\
         velocity = [0.0, {}]\n\
         [[body]]\nname = \"wheel\"\nshape = \"disc\"\nsize = 0.1\nmass = 0.5\nposition = [1.0, 1.0]\n\
         velocity = [0.0, {spin}]\n\
         [[joint]]\nkind = \"hinge\"\nbodies = [\"world\", \"door\"]\npoint = [0.0, 1.0]\nfriction = 3.0\n\
         [[joint]]\nkind = \"hinge\"\nbodies = [\"door\", \"wheel\"]\npoint = [1.0, 1.0]\n\
         [joint.drive]\nvelocity = 50.0\nkv = 10.0\nlimit = 0.2\n",
        0.5 * spin
    );
    match parse_scenario("held-door.toml", &text, &[]).unwrap() {
        AnyScenario::InPlane(scenario) => scenario,
        AnyScenario::OverPlane(_) => panic!("in the plane"),
    }
}

/// `cone` finds them at first try, also where a velocity that is no more than slight moves the door against its friction.
#[test]
fn bounds_of_joints_are_found_without_a_second_attempt() {
    for spin in [0.0, 1e-4, -1e-4, 0.3] {
        let scenario = held_door(spin);
        let reference = run(&scenario, StepperName::NLP);
        for name in [StepperName::CONE, StepperName::LCP] {
            let trajectory = run(&scenario, name);
            assert_eq!(trajectory.count(StepStatus::Solved), 50, "{name} from {spin} rad/s");
            for body in 0..2 {
                let apart = trajectory.final_state(body).position - reference.final_state(body).position;
                assert!(apart.norm() < 1e-7, "{name} from {spin} rad/s: {apart}");
            }
        }
        let turned = |body: usize| match reference.bodies[body].attitudes.last().unwrap().orientation {
            stickslip::model::Orientation::Angle(angle) => angle,
            stickslip::model::Orientation::Quaternion(_) => panic!("in the plane"),
        };
        // .2 N m on .5 kg (.1 m)^2/2 for .1 s, but for what the door turns back; friction of 3 N m holds the door.
        let wheel = 0.5 * (0.2 / 0.0025) * 0.1 * 0.1;
        if spin.abs() < 1e-3 {
            assert!((turned(1) - wheel).abs() < 0.03 * wheel && turned(0).abs() < 1e-6, "{}", turned(1));
        }
    }
}
