//! Systems of particles.

use std::path::Path;

use stickslip::{
    scenario::{
        AnyScenario, Body, Ends, Ground, Pair, PairContact, Partner, Rod, Scenario, SlidingFriction,
        SmoothLaw, read_scenario,
    },
    stepper::{BuildStepper, ContactMode, StepStatus, StepperName},
};

use crate::scenes::run;

const GRAVITY: f64 = 9.81;

pub const MODELS: [StepperName; 6] = [
    StepperName::NLP,
    StepperName::LCP,
    StepperName::LCP_ANITESCU,
    StepperName::CONE,
    StepperName::CONVEX,
    StepperName::SMOOTH,
];

const RIGID: [StepperName; 3] = [StepperName::NLP, StepperName::LCP, StepperName::CONE];

fn example(name: &str) -> Scenario<2> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scenarios").join(name);
    match read_scenario(&path, &[]).unwrap() {
        AnyScenario::InPlane(scenario) => scenario,
        AnyScenario::OverPlane(_) => panic!("{name} is in the plane"),
    }
}

/// A point by the models of many bodies steps as by those of one.
#[test]
fn a_particle_and_a_distant_one_move_as_a_point_alone() {
    let alone = Scenario {
        duration: 1.2,
        ground: Ground { friction: 0.1, restitution: 0.5, ..Ground::default() },
        bodies: vec![Body::point(10.0, [0.0, 1.0], [1.0, 0.0])],
        ..Scenario::<2>::new("thrown")
    };
    let pair = Scenario {
        bodies: vec![alone.bodies[0].clone(), Body::point(1.0, [50.0, 0.0], [0.0, 0.0])],
        ..alone.clone()
    };
    let expected = run(&alone, StepperName::LCP);
    for name in RIGID {
        let trajectory = run(&pair, name);
        for k in (0..=1200).step_by(100) {
            // The point bounces in one stage here: its velocities agree, its positions to a step's fall.
            let off = trajectory.bodies[0].states[k].position - expected.bodies[0].states[k].position;
            assert!(off.amax() < 5e-3, "{name} {k}: {off:?}");
        }
    }
}

/// Rigid models agree on a chain, a pile and a tumbling frame until their motion becomes chaotic.
#[test]
fn rigid_models_agree_on_the_examples() {
    for (file, duration) in [("chain.toml", 0.3), ("pile.toml", 0.3), ("tumbling-frame.toml", 0.3)] {
        let scenario = Scenario { duration, ..example(file) };
        let expected = run(&scenario, RIGID[0]);
        for name in &RIGID[1..] {
            let trajectory = run(&scenario, *name);
            let last = scenario.time().steps;
            for body in 0..scenario.bodies.len() {
                let off = trajectory.bodies[body].states[last].position
                    - expected.bodies[body].states[last].position;
                assert!(off.amax() < 1e-5, "{file} {name} {body}: {off:?}");
            }
        }
    }
}

#[test]
fn every_model_runs_the_examples() {
    for file in ["chain.toml", "pile.toml", "tumbling-frame.toml"] {
        let scenario = Scenario { duration: 0.2, ..example(file) };
        for name in MODELS {
            let trajectory = run(&scenario, name);
            let steps = &trajectory.steps;
            assert!(steps.iter().all(|step| step.report.status != StepStatus::Failed), "{file} {name}");
        }
    }
}

/// Two beads joined by a rod slide on the ground; friction of both stops them as one point.
#[test]
fn a_sledge_stops_as_a_point_and_tells_its_contacts() {
    let scenario = Scenario {
        duration: 0.6,
        ground: Ground { friction: 0.3, ..Ground::default() },
        bodies: vec![Body::point(1.0, [0.0, 0.0], [1.0, 0.0]), Body::point(3.0, [0.5, 0.0], [1.0, 0.0])],
        rods: vec![Rod { ends: Ends::centres([0, 1]), length: None }],
        ..Scenario::<2>::new("sledge")
    };
    for name in [StepperName::NLP, StepperName::LCP, StepperName::LCP_ANITESCU, StepperName::CONE] {
        let trajectory = run(&scenario, name);
        let end = trajectory.bodies[0].states[600];
        let expected = 1.0 / (2.0 * 0.3 * 9.81);
        assert!((end.position[0] - expected).abs() < 1e-3 && end.velocity.amax() < 1e-7, "{name}: {end:?}");
        let [sliding, resting] = [10, 550].map(|k| trajectory.contacts.of_step(k));
        assert_eq!((sliding.len(), resting.len()), (2, 2), "{name}");
        assert!(sliding.iter().all(|contact| contact.mode == ContactMode::Slip), "{name} {sliding:?}");
        assert!(resting.iter().all(|contact| contact.mode == ContactMode::Stick), "{name} {resting:?}");
        let weight: f64 = sliding.iter().map(|contact| contact.force[1]).sum();
        assert!((weight - 4.0 * 9.81).abs() < 1e-4, "{name}: {weight}");
    }
}

#[test]
fn beads_over_a_plane_rest_on_each_other() {
    let scenario = Scenario {
        duration: 0.3,
        ground: Ground { friction: 0.5, ..Ground::default() },
        bodies: vec![
            Body::point(1.0, [0.0, 0.0, 0.0], [0.0; 3]),
            Body::point(1.0, [0.0, 0.0, 0.101], [0.0; 3]),
        ],
        contacts: vec![PairContact {
            bodies: [0, 1],
            distance: 0.1,
            friction: None,
            sliding: SlidingFriction::default(),
        }],
        ..Scenario::<3>::new("beads")
    };
    for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
        let trajectory = run(&scenario, name);
        let top = trajectory.bodies[1].states[300];
        assert!((top.position[2] - 0.1).abs() < 1e-9 && top.velocity.amax() < 1e-7, "{name}: {top:?}");
    }
}

#[test]
fn the_tanh_law_of_penalty_forces_is_refused_with_the_law_that_fits() {
    let mut scenario = example("pile.toml");
    scenario.steppers.smooth.law = SmoothLaw::TANH;
    let refusal = scenario.stepper(StepperName::SMOOTH).err().unwrap().to_string();
    assert!(refusal.contains("hunt-crossley"), "{refusal}");
}

/// A point alone slides by the friction of its pair with the ground, by every model that takes it.
#[test]
fn a_point_has_the_friction_and_restitution_of_its_pair_with_the_ground() {
    let pair = Pair { friction: Some(0.8), restitution: Some(0.5), ..Pair::between(0, Partner::Ground) };
    let slides = Scenario {
        duration: 0.5,
        step: 1e-4,
        ground: Ground { friction: 0.1, ..Ground::default() },
        bodies: vec![Body::point(1.0, [0.0, 0.0], [2.0, 0.0])],
        pairs: vec![pair],
        ..Scenario::<2>::new("paired")
    };
    let expected = 2.0 / (0.8 * GRAVITY);
    for name in MODELS {
        let way = run(&slides, name).final_state(0).position[0];
        assert!((way - expected).abs() < 3e-3, "{name}: {way} m, not {expected} m");
    }
    let way = run(&slides, StepperName::EXACT).final_state(0).position[0];
    assert!((way - expected).abs() < 1e-13, "{way} m, not {expected} m");
    assert!(slides.stepper(StepperName::HYBRID).is_err(), "it knows no pairs");
    let falls = Scenario { bodies: vec![Body::point(1.0, [0.0, 1.0], [0.0, 0.0])], duration: 0.6, ..slides };
    for name in RIGID {
        let up = run(&falls, name).final_state(0).velocity[1];
        assert!(up > 0.5, "{name}: {up} m/s");
    }
}
