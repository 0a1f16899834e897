//! Faults that are put in on purpose: every check of the campaign turns red for the one that it is there for.

use stickslip::{
    model::Vector,
    scenario::{Body, Scenario, Shape},
    simulate::simulate,
    stepper::{BuildStepper, Contact, ContactMode, StepperName},
    trajectory::{Contacts, Trajectory},
};

use crate::{invariants, metamorphic};

/// A step in the middle of the runs below.
const K: usize = 20;

fn ran(body: Body<2>, name: StepperName) -> Trajectory<2> {
    let mut scenario = Scenario::new("injected");
    scenario.duration = 0.04;
    scenario.step = 1e-3;
    scenario.ground.friction = 0.3;
    scenario.bodies = vec![body];
    let mut stepper = scenario.stepper(name).expect("the stepper takes it");
    simulate(&scenario, stepper.as_mut())
}

/// A point that slides.
fn point() -> Trajectory<2> {
    ran(Body::point(2.0, [0.0, 0.0], [1.0, 0.0]), StepperName::LCP)
}

/// A box that slides.
fn body() -> Trajectory<2> {
    let mut body = Body::point(2.0, [0.0, 0.1], [1.0, 0.0]);
    body.shape = Shape::Box { size: [0.2, 0.2].into() };
    ran(body, StepperName::LCP)
}

fn names(faults: &[(&'static str, String)]) -> Vec<&'static str> {
    faults.iter().map(|(name, _)| *name).collect()
}

/// What is found once `damage` is done to a sound trajectory.
fn found(mut trajectory: Trajectory<2>, damage: impl FnOnce(&mut Trajectory<2>)) -> Vec<&'static str> {
    assert!(invariants::faults(&trajectory).is_empty(), "it is sound before");
    damage(&mut trajectory);
    names(&invariants::faults(&trajectory))
}

/// Changes the velocity after step [`K`], as if the contact had given that much more.
fn kick(trajectory: &mut Trajectory<2>, change: [f64; 2]) {
    let change = Vector::<2>::from(change);
    let (mass, dt) = (trajectory.scenario.bodies[0].mass, trajectory.scenario.step);
    let motion = &mut trajectory.bodies[0];
    motion.steps[K].force += change * (mass / dt);
    for state in &mut motion.states[K + 1..] {
        state.velocity += change;
    }
}

#[test]
fn every_invariant_notices_its_fault() {
    for sound in [point(), body()] {
        assert_eq!(found(sound.clone(), |t| t.bodies[0].states[K].velocity[0] *= 1.0 + 1e-5), ["momentum"]);
        assert_eq!(found(sound.clone(), |t| t.bodies[0].steps[K].force[1] *= 1.0 + 1e-3), ["momentum"]);
        assert_eq!(found(sound.clone(), |t| t.bodies[0].steps[K].push[0] = 1e-3), ["momentum"]);
        assert_eq!(found(sound.clone(), |t| t.bodies[0].states[K].velocity[0] = f64::NAN)[0], "momentum");
        for residual in [f64::NAN, f64::INFINITY] {
            assert_eq!(found(sound.clone(), |t| t.steps[K].report.residual = residual), ["certificate"]);
        }
    }
    // Friction beyond its limit that slows down, and a push of the ground that speeds up.
    assert_eq!(found(point(), |t| kick(t, [-1e-4, 0.0])), ["cone"]);
    assert_eq!(found(point(), |t| kick(t, [1e-2, 0.0])), ["cone", "energy"]);
    assert_eq!(found(point(), |t| kick(t, [0.0, 1.0])), ["energy"]);
    assert_eq!(found(point(), |t| t.bodies[0].states[K].position[1] = -1e-5), ["penetration"]);
}

#[test]
fn every_contact_is_looked_at() {
    let damaged = |damage: &dyn Fn(&mut Contact<2>)| {
        found(body(), |trajectory| {
            let mut contacts = Contacts::default();
            for k in 0..trajectory.steps.len() {
                let mut of_step = trajectory.contacts.of_step(k).to_vec();
                if k == K {
                    damage(of_step.iter_mut().find(|contact| contact.force.norm() > 1.0).expect("a contact"));
                }
                contacts.add_step(&of_step);
            }
            trajectory.contacts = contacts;
        })
    };
    assert_eq!(damaged(&|_| ()), [] as [&str; 0]);
    assert_eq!(damaged(&|contact| contact.force *= -1.0), ["contacts"]);
    assert_eq!(damaged(&|contact| contact.mode = ContactMode::Open), ["contacts"]);
    assert_eq!(damaged(&|contact| contact.force[0] *= 1.001), ["contacts"]);
}

/// A motion that was tampered with from some step on differs from every one that it should agree with.
#[test]
fn every_comparison_of_two_worlds_notices_a_motion_that_is_not_its_own() {
    let bent = |mut trajectory: Trajectory<2>| {
        for state in &mut trajectory.bodies[0].states[K + 1..] {
            state.position[0] += 1e-3;
        }
        names(&metamorphic::faults(&trajectory))
    };
    for sound in [point(), body()] {
        let faults = metamorphic::faults(&sound);
        assert!(faults.is_empty(), "{faults:?}");
    }
    assert_eq!(bent(point()), ["mirror", "place", "unit of mass", "unit of length", "cut in two"]);
    assert_eq!(bent(body()), ["far body", "cut in two"]);
}
