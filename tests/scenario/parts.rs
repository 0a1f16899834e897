//! Bodies of several parts: what files say of them, and what they come to.

use nalgebra::{Matrix3, Vector2, Vector3};
use stickslip::{
    scenario::{Inertia, Scenario, Shape},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
};

use crate::{in_plane, over_plane, read};

/// An L of two boxes of one density.
const L: &str = r#"
name = "l"
duration = 0.5
step = 1e-3
[[body]]
name = "angle-iron"
mass = 7.0
position = [0.0, 1.0]
[[body.part]]
shape = "box"
size = [0.4, 0.1]
position = [0.2, 0.05]
[[body.part]]
shape = "box"
size = [0.3, 0.1]
position = [0.05, 0.25]
angle = 1.5707963267948966
[ground]
friction = 0.5
"#;

fn moment<const D: usize>(scenario: &Scenario<D>) -> f64 {
    match scenario.bodies[0].moment_of_inertia() {
        Some(Inertia::Plane(moment)) => moment,
        other => panic!("{other:?}"),
    }
}

#[test]
fn parts_share_the_mass_of_the_body_by_their_areas() {
    let scenario = in_plane(L, &[]);
    let own = 4.0 * (0.16 + 0.01) / 12.0 + 3.0 * (0.09 + 0.01) / 12.0;
    let apart = Vector2::<f64>::new(0.15, -0.2).norm_squared() * 12.0 / 7.0;
    assert!((moment(&scenario) - own - apart).abs() < 1e-14);
    let parts = scenario.bodies[0].parts();
    let centre = Vector2::new((4.0 * 0.2 + 3.0 * 0.05) / 7.0, (4.0 * 0.05 + 3.0 * 0.25) / 7.0);
    assert!((parts[0].position + centre - Vector2::new(0.2, 0.05)).norm() < 1e-15);
    assert!((parts[1].position + centre - Vector2::new(0.05, 0.25)).norm() < 1e-15);
}

#[test]
fn masses_and_densities_of_parts_say_what_the_body_weighs() {
    let weighed = L.replace("mass = 7.0\n", "").replace("[0.4, 0.1]", "[0.4, 0.1]\nmass = 2.0");
    let weighed = weighed.replace("[0.3, 0.1]", "[0.3, 0.1]\ndensity = 50.0");
    assert!((in_plane(&weighed, &[]).bodies[0].mass - 3.5).abs() < 1e-15);
    // The body's own mass counts, in their proportions.
    let scenario = in_plane(&weighed, &["body[0].mass=7"]);
    assert_eq!(scenario.bodies[0].mass, 7.0);
    let lighter = in_plane(&weighed, &[]);
    assert!((moment(&scenario) - 2.0 * moment(&lighter)).abs() < 1e-15);
}

#[test]
fn where_the_inertia_is_given_parts_count_from_the_centre_of_mass() {
    let scenario = in_plane(L, &["body[0].inertia=0.7"]);
    assert_eq!(moment(&scenario), 0.7);
    assert_eq!(scenario.bodies[0].parts()[0].position, Vector2::new(0.2, 0.05));
}

#[test]
fn corners_of_a_part_count_from_its_position() {
    let text = L.replace(
        "shape = \"box\"\nsize = [0.4, 0.1]\nposition = [0.2, 0.05]",
        "shape = \"polygon\"\nsize = [[0.0, 0.0], [0.4, 0.0], [0.4, 0.1], [0.0, 0.1]]",
    );
    let (corners, boxes) = (in_plane(&text, &[]), in_plane(L, &[]));
    assert!((moment(&corners) - moment(&boxes)).abs() < 1e-14);
    let differ = corners.bodies[0].parts()[0].position - boxes.bodies[0].parts()[0].position;
    assert!(differ.norm() < 1e-15);
}

#[test]
fn a_turned_part_in_space_turns_its_tensor() {
    let text = r#"
name = "t"
duration = 0.5
step = 1e-3
[[body]]
position = [0.0, 0.0, 1.0]
[[body.part]]
shape = "box"
size = [0.4, 0.2, 0.1]
orientation = [1.0, 0.0, 0.0, 1.0]
density = 250.0
[[body.part]]
shape = "sphere"
size = 0.1
position = [0.0, 0.0, 0.3]
mass = 2.0
[ground]
friction = 0.5
"#;
    let scenario = over_plane(text, &[]);
    assert!((scenario.bodies[0].mass - 4.0).abs() < 1e-15);
    // A quarter turn about z exchanges x and y; each part is 0.15 m from the middle.
    let of_box = Vector3::new(0.16 + 0.01, 0.04 + 0.01, 0.04 + 0.16) * (2.0 / 12.0);
    let apart = 4.0 * 0.15 * 0.15;
    let expected = of_box + Vector3::repeat(2.0 * 0.4 * 0.01) + Vector3::new(apart, apart, 0.0);
    let Some(Inertia::Space(tensor)) = scenario.bodies[0].moment_of_inertia() else { panic!("a tensor") };
    assert!((tensor - Matrix3::from_diagonal(&expected)).amax() < 1e-15, "{tensor}");
}

#[test]
fn a_body_of_parts_reads_back_as_it_was_written() {
    for settings in [&[][..], &["body[0].part[1].mass=1", "body[0].part[0].density=2"]] {
        let scenario = in_plane(L, settings);
        assert!(matches!(&scenario.bodies[0].shape, Shape::Compound { parts } if parts.len() == 2));
        assert_eq!(in_plane(&scenario.to_toml(), &[]), scenario);
    }
}

#[test]
fn every_model_of_bodies_lets_an_l_stand() {
    let scenario = in_plane(L, &["body[0].position=[0.0, 0.13571428571428573]", "duration=0.2"]);
    for name in ["nlp", "lcp", "lcp:anitescu", "cone", "convex", "smooth"] {
        let stepper: StepperName = name.parse().expect("a stepper");
        let mut stepper = scenario.stepper(stepper).unwrap_or_else(|error| panic!("{name}: {error}"));
        let trajectory = simulate(&scenario, stepper.as_mut());
        let states = &trajectory.tracks().next().expect("a body").states;
        assert_eq!(states.len(), 201, "{name}");
        let end = states[200].position;
        // Compliant ground gives way.
        let allowed = if ["convex", "smooth"].contains(&name) { 1e-3 } else { 1e-6 };
        assert!((end - scenario.bodies[0].position).norm() < allowed, "{name}: {end}");
    }
    let Err(refused) = scenario.stepper(StepperName::EXACT) else { panic!("taken by exact") };
    let refused = refused.to_string();
    assert!(refused.contains("several parts"), "{refused}");
}

#[test]
fn parts_that_overlap_are_warned_of() {
    let overlapping = read(L, &["body[0].part[1].position=[0.05, 0.2]"]);
    let stickslip::scenario::AnyScenario::InPlane(scenario) = overlapping else { panic!("in the plane") };
    let warned = scenario.warnings(&Default::default());
    assert!(warned.iter().any(|told| told.contains("weighs twice")), "{warned:?}");
    assert!(!in_plane(L, &[]).warnings(&Default::default()).iter().any(|told| told.contains("twice")));
}
