//! Derivatives through joints that rub, stop and are driven, and with respect to their numbers.

use stickslip::{
    gradient::{DerivativeRule, GradientOptions, Input, JointQuantity, Steps, tangents},
    scenario::Scenario,
    stepper::StepperName,
    watch::Watch,
};

use crate::bodies::{asymmetry, by, deviation, deviation_by, plane, space};

/// A door on a hinge to the world at its end, with what else is said of it, of its hinge, and of the scene.
fn door(scene: &str, of_door: &str, of_hinge: &str, beside: &str) -> String {
    format!(
        "name = \"door\"\nstep = 2e-3\n{scene}\n[ground]\nfriction = 0.3\n\
         [[body]]\nname = \"door\"\nshape = \"rod\"\nsize = 1.0\nmass = 2.0\nposition = [0.5, 1.0]\n{of_door}\n\
         [[joint]]\nkind = \"hinge\"\nbodies = [\"world\", \"door\"]\npoint = [0.0, 1.0]\n{of_hinge}\n{beside}"
    )
}

/// One that rubs, with a spring and a damper, turning.
fn rubbing_door() -> String {
    let of_hinge = "friction = 1.5\ndamping = 0.3\nstiffness = 4.0\nrest = 0.2";
    door("duration = 0.06\ngravity = 0.0", "spin = 3.0", of_hinge, "")
}

/// One on its way to a stop, from which it swings back.
fn stopped_door() -> String {
    door("duration = 0.05", "spin = 3.0", "limits = [-0.1, 0.0617]\nrestitution = 0.6", "")
}

/// One that friction holds against a push.
fn held_door() -> String {
    let weight = "[[body]]\nname = \"weight\"\nshape = \"disc\"\nsize = 0.1\nmass = 1.0\nposition = [1.3, 1.0]\n\
                  velocity = [0.0, 0.3]\n\
                  [[spring]]\nbodies = [\"door\", \"weight\"]\npoints = [[0.5, 0.0], [0.0, 0.0]]\nlength = 0.25\n\
                  stiffness = 20.0\ndamping = 0.5\n";
    door("duration = 0.02\ngravity = 0.0", "", "friction = 3.0", weight)
}

/// A cart that is driven by a force along a rail that turns, with an arm whose motor gives all that it can, and a wheel on it
/// that is driven by its rate.
const MACHINE: &str = r#"
name = "machine"
duration = 0.04
step = 2e-3
[ground]
friction = 0.3
[[body]]
name = "rail"
shape = "box"
size = [1.0, 0.1]
mass = 3.0
position = [0.0, 1.0]
spin = 0.8
[[body]]
name = "cart"
shape = "box"
size = [0.2, 0.2]
mass = 1.0
position = [0.2, 1.0]
velocity = [0.3, 0.16]
spin = 0.8
[[body]]
name = "arm"
shape = "rod"
size = 0.4
mass = 0.5
position = [0.4, 1.0]
velocity = [0.3, 0.46]
spin = 1.5
[[body]]
name = "wheel"
shape = "disc"
size = 0.1
mass = 0.4
position = [0.6, 1.0]
velocity = [0.3, 0.76]
[[pair]]
bodies = ["rail", "arm"]
touch = false
[[pair]]
bodies = ["rail", "wheel"]
touch = false
[[pair]]
bodies = ["cart", "wheel"]
touch = false
[[joint]]
kind = "hinge"
bodies = ["world", "rail"]
point = [0.0, 1.0]
[[joint]]
kind = "slider"
bodies = ["rail", "cart"]
point = [0.2, 1.0]
axis = [1.0, 0.0]
[joint.drive]
force = 5.0
[[joint]]
kind = "hinge"
bodies = ["cart", "arm"]
point = [0.2, 1.0]
[joint.drive]
position = [[0.0, 0.4], [1.0, 1.4]]
kp = 80.0
kv = 1.0
limit = 2.0
[[joint]]
kind = "hinge"
bodies = ["arm", "wheel"]
point = [0.6, 1.0]
[joint.drive]
velocity = 6.0
kv = 0.2
limit = 50.0
"#;

/// A rod on a hinge that rubs and strikes the ground with its end.
const STRIKING: &str = r#"
name = "striking"
duration = 0.03
step = 1e-3
[ground]
friction = 0.4
restitution = 0.5
[[body]]
name = "rod"
shape = "rod"
size = 1.0
mass = 1.0
position = [0.4, 0.2908]
angle = -0.6435
velocity = [0.0, 0.0]
spin = -0.0
[[body]]
name = "post"
shape = "box"
size = [0.2, 0.2]
mass = 5.0
position = [0.0, 0.5908]
velocity = [0.3, -0.6]
[[joint]]
kind = "hinge"
bodies = ["post", "rod"]
point = [0.0, 0.5908]
friction = 0.2
"#;

/// In space: a plate that turns about a tilted axis and rubs, and a block that is pushed along it.
const TILTED: &str = r#"
name = "tilted"
duration = 0.03
step = 2e-3
[ground]
friction = 0.3
[[body]]
name = "plate"
shape = "box"
size = [1.0, 0.6, 0.1]
mass = 2.0
position = [0.0, 0.0, 1.0]
spin = [0.0, 0.9, 1.8]
[[body]]
name = "block"
shape = "box"
size = [0.2, 0.2, 0.2]
mass = 0.5
position = [0.3, 0.0, 1.2]
velocity = [0.18, 0.54, -0.27]
spin = [0.0, 0.9, 1.8]
[[joint]]
kind = "hinge"
bodies = ["world", "plate"]
point = [0.0, 0.0, 1.0]
axis = [0.0, 1.0, 2.0]
friction = 0.3
limits = [-1.0, 0.0311]
restitution = 0.5
[[joint]]
kind = "slider"
bodies = ["plate", "block"]
point = [0.3, 0.0, 1.2]
axis = [1.0, 0.0, 0.0]
stiffness = 30.0
rest = 0.1
[joint.drive]
force = [[0.0, 2.0], [0.02, 4.0]]
"#;

#[test]
fn tangents_through_what_rubs_and_is_driven_are_the_differences() {
    for text in [rubbing_door(), held_door(), MACHINE.to_owned(), STRIKING.to_owned()] {
        let scenario = plane(&text);
        // The share of its way that a body goes after an impact bends with the gap.
        let change = if text == STRIKING { 5e-6 } else { 1e-4 };
        for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE, StepperName::CONVEX] {
            let off = deviation(&scenario, name, change);
            assert!(off <= 1e-4, "{} by {name}: {off:e}", scenario.name);
        }
    }
}

#[test]
fn tangents_through_a_stop_are_the_differences() {
    let door = plane(&stopped_door());
    let tilted = space(TILTED);
    for name in [StepperName::NLP, StepperName::LCP] {
        let off = deviation(&door, name, 5e-6);
        assert!(off <= 5e-5, "door by {name}: {off:e}");
        let off = deviation(&tilted, name, 5e-6);
        assert!(off <= 5e-5, "tilted by {name}: {off:e}");
    }
    // Runs of `cone` are exact to 1e-8, which is too coarse for differences over so little.
    let inputs = Input::of(&tilted);
    let [nlp, cone] = [StepperName::NLP, StepperName::CONE]
        .map(|name| by(DerivativeRule::Raw, &tilted, name, &inputs).jacobian);
    for (input, (own, other)) in inputs.iter().zip(cone.column_iter().zip(nlp.column_iter())) {
        let off = (own - other).amax() / other.amax().max(1e-2);
        assert!(off < 1e-4, "{input}: {off:e}");
    }
}

#[test]
fn the_way_back_through_joints_is_the_transpose_of_the_way_there() {
    for text in [rubbing_door(), stopped_door(), MACHINE.to_owned()] {
        let off = asymmetry(&plane(&text), StepperName::NLP, DerivativeRule::Raw);
        assert!(off < 1e-9, "{off:e}");
    }
    let off = asymmetry(&space(TILTED), StepperName::NLP, DerivativeRule::Raw);
    assert!(off < 1e-9, "{off:e}");
}

/// Rotors in joints that rub, are driven, strike, and turn about a tilted axis.
#[test]
fn tangents_with_rotors_are_the_differences() {
    let rubbing = rubbing_door().replace("friction = 1.5", "friction = 1.5\narmature = 0.2");
    let driven = MACHINE
        .replace("limit = 2.0", "limit = 2.0\n")
        .replace("[joint.drive]\nposition", "armature = 0.05\n[joint.drive]\nposition");
    let striking = STRIKING.replace("friction = 0.2", "friction = 0.2\narmature = 0.03");
    for text in [rubbing, driven, striking.clone()] {
        let scenario = plane(&text);
        let change = if text == striking { 5e-6 } else { 1e-4 };
        for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
            let off = deviation(&scenario, name, change);
            assert!(off <= 1e-4, "{} by {name}: {off:e}", scenario.name);
        }
        let off = asymmetry(&scenario, StepperName::NLP, DerivativeRule::Raw);
        assert!(off < 1e-9, "{off:e}");
    }
    // In space the axis of a hinge stays on its bodies as far as they keep to it.
    let tilted = space(&TILTED.replace("limits = [-1.0, 0.0311]\nrestitution = 0.5", "armature = 0.2"));
    let keep_to_it = |input: &Input| matches!(input, Input::OfJoint(..) | Input::Gravity);
    let inputs: Vec<Input> = Input::of(&tilted).into_iter().filter(keep_to_it).collect();
    assert!(inputs.contains(&Input::OfJoint(0, JointQuantity::Armature)));
    for name in [StepperName::NLP, StepperName::LCP] {
        let off = deviation_by(&tilted, name, &inputs, 5e-6);
        assert!(off <= 5e-5, "tilted by {name}: {off:e}");
    }
}

/// What the numbers of a joint do at the end of a run, against motions in closed form.
#[test]
fn a_spring_and_friction_in_a_joint_have_the_derivatives_of_the_exact_motion() {
    // A slider of 2 kg that friction F brings to rest: x = m v^2/(2 F).
    let sliding = |step: f64| {
        plane(&format!(
            "name = \"slider\"\nduration = 1.0\nstep = {step}\ngravity = 0.0\n[ground]\nfriction = 0.3\n\
             [[body]]\nname = \"block\"\nshape = \"box\"\nsize = [0.2, 0.2]\nmass = 2.0\nposition = [0.0, 1.0]\n\
             velocity = [1.5, 0.0]\n\
             [[joint]]\nkind = \"slider\"\nbodies = [\"world\", \"block\"]\npoint = [0.0, 1.0]\naxis = [1.0, 0.0]\n\
             friction = 5.0\n"
        ))
    };
    let friction = Input::OfJoint(0, JointQuantity::Friction);
    let exact = -2.0 * 1.5 * 1.5 / (2.0 * 5.0 * 5.0);
    assert_order_one(sliding, "final_x", friction, exact);

    // A torsional pendulum, angle = w0/s sin(s t) with s^2 = k/I.
    let turning = |step: f64| {
        plane(&format!(
            "name = \"torsion\"\nduration = 0.5\nstep = {step}\ngravity = 0.0\n[ground]\nfriction = 0.3\n\
             [[body]]\nname = \"disc\"\nshape = \"disc\"\nsize = 0.2\nmass = 1.0\ninertia = 0.02\nposition = [0.0, 1.0]\n\
             spin = 2.0\n\
             [[joint]]\nkind = \"hinge\"\nbodies = [\"world\", \"disc\"]\npoint = [0.0, 1.0]\nstiffness = 0.5\n"
        ))
    };
    let s = f64::sqrt(0.5 / 0.02);
    let by_rate = 2.0 * (0.5 * (s * 0.5).cos() / s - (s * 0.5).sin() / (s * s));
    let stiffness = Input::OfJoint(0, JointQuantity::Stiffness);
    assert_order_one(turning, "final_angle", stiffness, by_rate / (2.0 * s * 0.02));

    // The same with a rotor, s^2 = k/(I + J).
    let with_rotor = |step: f64| {
        let mut scenario = turning(step);
        scenario.joints[0].armature = 0.03;
        scenario
    };
    let s = f64::sqrt(0.5 / 0.05);
    let by_rate = 2.0 * (0.5 * (s * 0.5).cos() / s - (s * 0.5).sin() / (s * s));
    let armature = Input::OfJoint(0, JointQuantity::Armature);
    assert_order_one(with_rotor, "final_angle", armature, by_rate * (-s / (2.0 * 0.05)));
}

/// The derivative of the result `of` goes to `exact` in proportion to the step.
fn assert_order_one(scenario: impl Fn(f64) -> Scenario<2>, of: &str, input: Input, exact: f64) {
    let off = |step: f64| {
        let found = by(DerivativeRule::Raw, &scenario(step), StepperName::NLP, &[input]);
        let row = found.end.names.iter().position(|name| name.ends_with(of)).unwrap();
        (found.jacobian[(row, 0)] - exact).abs() / exact.abs()
    };
    let [coarse, fine] = [off(2e-3), off(5e-4)];
    assert!(coarse < 0.03 && fine < 0.3 * coarse + 1e-6, "{input}: {coarse:e}, then {fine:e}");
}

#[test]
fn numbers_of_joints_without_a_derivative_are_refused_with_the_reason() {
    let refused = |text: &str, key: &str| {
        let scenario = plane(text);
        let input = key.parse::<Input>().map_err(|error| error.to_string());
        let run = input.and_then(|input| {
            let options = GradientOptions::of(&scenario);
            tangents(
                &scenario,
                Steps::by(StepperName::NLP),
                DerivativeRule::Raw,
                &[input],
                &options,
                &Watch::none(),
            )
            .map(|_| ())
            .map_err(|error| error.to_string())
        });
        run.expect_err(key)
    };
    let (held, rubbing) = (held_door(), rubbing_door());
    for (text, key, reason) in [
        (held.as_str(), "joint.0.damping", "zero is the edge of its range"),
        (rubbing.as_str(), "joint.0.limits.0", "does not give it a value"),
        (rubbing.as_str(), "joint.3.friction", "there is no joint 3; the scenario has 1, counted from 0"),
        (rubbing.as_str(), "joint.0.armature", "zero is the edge of its range"),
        (MACHINE, "joint.2.drive.position.0.0", "it takes"),
        (MACHINE, "joint.2.drive.force", "does not give it a value"),
    ] {
        let said = refused(text, key);
        assert!(said.contains(key) && said.contains(reason), "{key}: {said}");
    }
    let rotor = MACHINE.replace("axis = [1.0, 0.0]", "axis = [1.0, 0.0]\narmature = 0.1");
    let said = refused(&rotor, "joint.2.drive.limit");
    assert!(said.contains("joint[1] has a rotor (armature) along an axis that moves"), "{said}");
}

/// A motor that gives all it can, and friction that holds, are kinks of the gradient: the nearest one is named.
#[test]
fn the_nearest_kink_may_be_that_a_motor_no_longer_gives_all() {
    let scenario = plane(MACHINE);
    let limit = Input::OfJoint(2, JointQuantity::DriveLimit);
    let found = by(DerivativeRule::Raw, &scenario, StepperName::NLP, &[limit]);
    let nearest = &found.nearest[0];
    assert_eq!(nearest.kind.map(|kind| kind.to_string()).as_deref(), Some("bound"), "{nearest:?}");
    // On the other side of it the motor is slack.
    let beyond = |factor: f64| limit.shifted(&scenario, nearest.distance * factor);
    let slope = |scenario: &Scenario<2>| {
        by(DerivativeRule::Raw, scenario, StepperName::NLP, &[limit]).jacobian.column(0).amax()
    };
    assert!((slope(&beyond(0.9)) - slope(&scenario)).abs() < 0.2 * slope(&scenario));
    assert!((slope(&beyond(1.1)) - slope(&beyond(0.9))).abs() > 1e-3 * slope(&scenario));
}
