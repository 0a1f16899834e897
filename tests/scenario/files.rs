//! What a scenario file says.

use stickslip::{
    model::Vector,
    scenario::{
        ConvexSolver, DelassusNorm, FixedPointStart, LcpSolverChoice, NlpSolverChoice, Push, RestitutionLaw,
        Scenario, SmoothLaw, StepperSettings, read_scenario,
    },
};

use crate::{MINIMAL, in_plane, over_plane};

#[test]
fn what_is_left_out_takes_its_default() {
    let mut expected = Scenario::<2>::new("minimal");
    expected.step = 0.01;
    expected.bodies[0].mass = 2.0;
    expected.bodies[0].position = Vector::from([0.0, 1.0]);
    expected.bodies[0].velocity = Vector::from([3.0, 0.0]);
    expected.ground.friction = 0.5;
    assert_eq!(in_plane(MINIMAL, &[]), expected);
}

#[test]
fn a_text_is_parsed_as_a_scenario_of_the_dimension_that_is_asked_for() {
    assert_eq!(MINIMAL.parse::<Scenario<2>>().expect("valid"), in_plane(MINIMAL, &[]));
    let refused = MINIMAL.parse::<Scenario<3>>().expect_err("it has two coordinates").to_string();
    assert!(refused.contains("have 2 components") && refused.contains("(x, y, z)"), "{refused}");
    let faulty = MINIMAL.replace("mass = 2.0", "mass = -2.0");
    let refused = faulty.parse::<Scenario<2>>().expect_err("no mass is negative").to_string();
    assert!(refused.starts_with("scenario:7:") && refused.contains("mass"), "{refused}");
}

#[test]
fn the_length_of_the_position_decides_on_the_dimension() {
    let text = MINIMAL.replace("[0.0, 1.0]", "[0.0, -0.5, 1.0]").replace("[3.0, 0.0]", "[3.0, 4.0, 0.0]");
    let scenario = over_plane(&text, &[]);
    assert_eq!(scenario.bodies[0].position, Vector::from([0.0, -0.5, 1.0]));
    assert_eq!(scenario.bodies[0].velocity, Vector::from([3.0, 4.0, 0.0]));
}

#[test]
fn whole_numbers_serve_as_numbers() {
    let text = MINIMAL.replace("1.0", "1").replace("2.0", "2").replace("mass = 2", "mass = 0x10");
    let scenario = in_plane(&text, &[]);
    assert_eq!(scenario.duration, 1.0);
    assert_eq!(scenario.bodies[0].mass, 16.0);
}

#[test]
fn pushes_keep_their_order_and_their_windows() {
    let text = format!(
        "{MINIMAL}
[[push]]
force = [1.0, 0.0]
[[push]]
force = [0.0, 2.0]
from = 0.25
to = 0.5
frequency = 3.0
phase = -1.5
"
    );
    let expected = [
        Push::constant([1.0, 0.0]),
        Push {
            from: Some(0.25),
            to: Some(0.5),
            frequency: Some(3.0),
            phase: -1.5,
            ..Push::constant([0.0, 2.0])
        },
    ];
    assert_eq!(in_plane(&text, &[]).pushes, expected);
    let inline = format!("push = [{{ force = [1.0, 0.0] }}]\n{MINIMAL}");
    assert_eq!(in_plane(&inline, &[]).pushes, expected[..1]);
}

#[test]
fn every_stepper_setting_can_be_set() {
    let text = format!(
        "{MINIMAL}
[stepper.nlp]
tolerance = 1e-9
epsilon = 1e-5
solver = \"interior-point\"
warm_start = false
[stepper.lcp]
solver = \"enumeration\"
directions = 16
restitution = \"poisson\"
fixed_point_start = \"previous-velocity\"
[stepper.convex]
stiffness = 1e5
dissipation_time = 0.1
beta = 0.5
sigma = 1e-4
gated = false
delassus_norm = \"spatial\"
solver = \"dual\"
[stepper.smooth]
law = \"hunt-crossley\"
stiffness = 2e6
damping = 0.3
"
    );
    let StepperSettings { impacts, joints, nlp, lcp, convex, smooth } = in_plane(&text, &[]).steppers;
    assert_eq!((impacts, joints), (None, None));
    assert_eq!((nlp.tolerance, nlp.epsilon), (Some(1e-9), Some(1e-5)));
    assert_eq!((nlp.solver, nlp.warm_start), (Some(NlpSolverChoice::InteriorPoint), false));
    assert_eq!((lcp.solver, lcp.directions), (Some(LcpSolverChoice::Enumeration), Some(16)));
    assert_eq!(lcp.restitution, RestitutionLaw::Poisson);
    assert_eq!(lcp.fixed_point_start, FixedPointStart::PreviousVelocity);
    assert_eq!((convex.stiffness, convex.dissipation_time), (Some(1e5), Some(0.1)));
    assert_eq!((convex.beta, convex.sigma, convex.gated), (0.5, 1e-4, false));
    assert_eq!((convex.delassus_norm, convex.solver), (DelassusNorm::Spatial, ConvexSolver::Dual));
    assert_eq!(smooth.law, SmoothLaw::HuntCrossley { stiffness: Some(2e6), damping: Some(0.3) });
}

#[test]
fn the_laws_of_the_penalty_stepper_have_their_own_parameters() {
    let tanh = format!("{MINIMAL}[stepper.smooth]\nsharpness = 50\n");
    assert_eq!(
        in_plane(&tanh, &[]).steppers.smooth.law,
        SmoothLaw::Tanh { amplitude: 1500.0, sharpness: 50.0, damping: 0.1 }
    );
    let hunt_crossley = format!("{MINIMAL}[stepper.smooth]\nlaw = \"hunt-crossley\"\n");
    assert_eq!(
        in_plane(&hunt_crossley, &[]).steppers.smooth.law,
        SmoothLaw::HuntCrossley { stiffness: None, damping: None }
    );
}

#[test]
fn line_ends_and_the_byte_order_mark_of_other_systems_are_tolerated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("windows.toml");
    std::fs::write(&path, format!("\u{feff}{}", MINIMAL.replace('\n', "\r\n"))).unwrap();
    let scenario = read_scenario(&path, &[]).unwrap();
    assert_eq!(scenario, in_plane(MINIMAL, &[]).into());
}
