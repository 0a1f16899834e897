//! Systems of particles: rods, springs, stacks and chains against closed forms.

use std::{f64::consts::TAU, ops::ControlFlow};

use stickslip::{
    metrics::{Metrics, Summary, max_rod_error},
    model::Vector,
    scenario::{Body, ConvexSolver, Ends, PairContact, Push, Rod, Scenario, SlidingFriction, Spring},
    simulate::{OnFailure, simulate, simulate_observed},
    stepper::{BuildStepper, StepStatus, StepperName},
    trajectory::{Ending, Trajectory, write_csv},
};

use crate::{run, thrown};

fn particle(mass: f64, position: [f64; 2], velocity: [f64; 2]) -> Body<2> {
    Body::point(mass, position, velocity)
}

fn system(bodies: Vec<Body<2>>, duration: f64) -> Scenario<2> {
    Scenario { duration, bodies, steppers: crate::published(), ..Scenario::new("test") }
}

fn spring(bodies: [usize; 2], stiffness: f64) -> Spring<2> {
    Spring { ends: Ends::centres(bodies), stiffness, damping: 0.0, length: None }
}

fn rod(bodies: [usize; 2]) -> Rod<2> {
    Rod { ends: Ends::centres(bodies), length: None }
}

/// The whole trajectory; every step has to be solved.
fn run_system<const D: usize>(system: &Scenario<D>) -> Trajectory<D>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = system.stepper(StepperName::CONVEX).unwrap_or_else(|refusal| panic!("{refusal}"));
    checked(simulate(system, stepper.as_mut()))
}

fn checked<const D: usize>(trajectory: Trajectory<D>) -> Trajectory<D> {
    assert_eq!(trajectory.ending, Ending::Complete, "{:?}", trajectory.first_failure);
    for step in &trajectory.steps {
        assert_eq!(step.report.status, StepStatus::Solved);
    }
    trajectory
}

#[test]
fn a_particle_of_a_system_moves_as_the_single_point() {
    let scenario = thrown();
    let single = run(&scenario);
    let mut two = scenario.clone();
    two.bodies.push(particle(1.0, [1000.0, 0.0], [0.0, 0.0]));
    let trajectory = run_system(&two);
    for (a, b) in single.bodies[0].states.iter().zip(&trajectory.bodies[0].states) {
        assert!((a.position - b.position).amax() <= 1e-10, "{a:?} {b:?}");
    }
    for (a, b) in single.bodies[0].steps.iter().zip(&trajectory.bodies[0].steps) {
        assert!((a.force - b.force).amax() <= 1e-6 * 98.1, "{a:?} {b:?}");
    }
}

#[test]
fn particles_that_nothing_joins_move_as_if_alone() {
    let mut both =
        system(vec![particle(1.0, [0.0, 0.3], [1.0, 0.0]), particle(50.0, [0.2, 0.5], [-2.0, 1.0])], 1.0);
    both.ground.friction = 0.4;
    let together = run_system(&both);
    for index in 0..2 {
        let alone = run(&Scenario { bodies: vec![both.bodies[index].clone()], ..both.clone() });
        let apart = (alone.final_state(0).position - together.final_state(index).position).amax();
        assert!(apart <= 1e-9, "particle {index}: {apart:e}");
    }
}

#[test]
fn two_masses_on_a_spring_swing_at_their_natural_frequency() {
    let mut pair =
        system(vec![particle(1.0, [-0.6, 5.0], [0.0, 0.0]), particle(3.0, [0.6, 5.0], [0.0, 0.0])], 1.0);
    pair.gravity = 0.0;
    pair.step = 1e-4;
    pair.springs = vec![Spring { length: Some(1.0), ..spring([0, 1], 300.0) }];
    let trajectory = run_system(&pair);
    let omega = (300.0 / 0.75f64).sqrt();
    for (k, (a, b)) in
        trajectory.bodies[0].states.iter().zip(&trajectory.bodies[1].states).enumerate().step_by(100)
    {
        let length = b.position[0] - a.position[0];
        // Implicit Euler damps the swing by omega dt/2 per radian.
        let phase = omega * k as f64 * 1e-4;
        let expected = 1.0 + 0.2 * (-0.5 * omega * 1e-4 * phase).exp() * phase.cos();
        assert!((length - expected).abs() <= 2e-4, "step {k}: {length} {expected}");
        let center = (a.position[0] + 3.0 * b.position[0]) / 4.0;
        assert!((center - 0.3).abs() <= 1e-12, "the centre of mass moves: {center}");
    }
}

#[test]
fn a_damper_without_a_spring_takes_the_relative_velocity_away() {
    let mut pair =
        system(vec![particle(1.0, [0.0, 5.0], [0.0, 0.0]), particle(1.0, [1.0, 5.0], [1.0, 0.0])], 1.0);
    pair.gravity = 0.0;
    pair.springs = vec![Spring { damping: 2.0, ..spring([0, 1], 0.0) }];
    let trajectory = run_system(&pair);
    let ends = [trajectory.final_state(0), trajectory.final_state(1)];
    let relative = ends[1].velocity[0] - ends[0].velocity[0];
    // (1 + 2 c dt/m)^-n, the implicit Euler of exp(-2 c t/m)
    let expected = (1.0f64 + 4.0 * 1e-3).powi(-1000);
    assert!((relative - expected).abs() <= 1e-9, "{relative} {expected}");
    assert!((ends[0].velocity[0] + ends[1].velocity[0] - 1.0).abs() <= 1e-12);
}

#[test]
fn a_spinning_rod_keeps_its_length_and_its_angular_momentum() {
    let mut baton =
        system(vec![particle(1.0, [-0.5, 9.0], [0.0, -1.0]), particle(1.0, [0.5, 9.0], [0.0, 1.0])], 1.0);
    baton.gravity = 0.0;
    baton.rods = vec![rod([0, 1])];
    let trajectory = run_system(&baton);
    // The rod gives way by v^2 dt per step, brought back over dt + tau_d.
    let error = max_rod_error(&trajectory);
    assert!(error <= 4.0 * 1.5 * 1e-3 * 0.021 * 2.0, "{error}");
    let [first, second] = [0, 1].map(|index| trajectory.final_state(index));
    let (arm, speed) = (second.position - first.position, second.velocity - first.velocity);
    let spin = 0.5 * (arm[0] * speed[1] - arm[1] * speed[0]);
    assert!((spin - 1.0).abs() <= 1e-12, "{spin}");
    // Two radians in a second.
    let angle = arm[1].atan2(arm[0]);
    assert!((angle - 2.0).abs() <= 2e-3, "{angle}");
}

#[test]
fn an_inverted_pendulum_falls_as_the_hyperbolic_cosine() {
    // The pivot is a million times heavier and sticks to the ground.
    let mut pendulum =
        system(vec![particle(1e6, [0.0, 0.0], [0.0, 0.0]), particle(1.0, [0.05, 0.9987], [0.0, 0.0])], 1.0);
    pendulum.ground.friction = 1.0;
    pendulum.rods = vec![rod([0, 1])];
    pendulum.duration = 0.5;
    pendulum.steppers.convex.stiffness = Some(1e12);
    let trajectory = run_system(&pendulum);
    let end = trajectory.final_state(1).position[0];
    let expected = 0.05 * (9.81f64.sqrt() * 0.5).cosh();
    assert!((end - expected).abs() <= 0.01 * expected, "{end} {expected}");
}

#[test]
fn the_ground_carries_the_whole_weight_of_a_stack() {
    let beads = 10;
    let mut stack =
        system((0..beads).map(|i| particle(0.5, [0.0, 0.1 * i as f64], [0.0, 0.0])).collect(), 3.0);
    stack.ground.friction = 0.5;
    stack.contacts = (1..beads)
        .map(|i| PairContact {
            bodies: [i, i - 1],
            distance: 0.1,
            friction: None,
            sliding: SlidingFriction::default(),
        })
        .collect();
    let trajectory = run_system(&stack);
    let force = |index: usize| trajectory.bodies[index].steps.last().expect("a step").force[1];
    let weight = 0.5 * 9.81;
    // Contact forces on every bead but the lowest carry that bead alone: what it gets from below
    // less what it passes on from above. The lowest gets all from the ground.
    for bead in 0..beads {
        assert!((force(bead) - weight).abs() <= 1e-3 * weight, "bead {bead}: {}", force(bead));
    }
    let lowest = trajectory.final_state(0).position[1];
    let regularization = (1.0 / (0.5 * 2f64.sqrt()) / TAU.powi(2)).max(1.0 / (1e-3 * 1e7 * 0.021));
    let depth = 0.021 * regularization * beads as f64 * weight * 1e-3;
    assert!((lowest + depth).abs() <= 1e-3 * depth, "{lowest} {depth}");
}

#[test]
fn beads_lying_on_each_other_do_not_fall_apart_with_enough_friction() {
    // Two on the ground and one on top: it wedges them apart unless friction holds.
    let height = 0.1 * 3f64.sqrt();
    let moved = |friction| {
        let mut pile = system(
            vec![
                particle(1.0, [-0.1, 0.0], [0.0, 0.0]),
                particle(1.0, [0.1, 0.0], [0.0, 0.0]),
                particle(1.0, [0.0, height], [0.0, 0.0]),
            ],
            0.5,
        );
        pile.ground.friction = friction;
        let touching = [[0, 2], [1, 2]];
        pile.contacts = touching
            .map(|bodies| PairContact {
                bodies,
                distance: 0.2,
                friction: None,
                sliding: SlidingFriction::default(),
            })
            .to_vec();
        run_system(&pile).final_state(1).position[0] - 0.1
    };
    // A side carries 1.5 m g on the ground and half of m g from above. Without friction between
    // beads the ground would have to hold tan 30 deg m g/2 = 0.19 of 1.5 m g.
    assert!(moved(0.5) <= 1e-4, "{}", moved(0.5));
    assert!(moved(0.05) >= 0.05, "{}", moved(0.05));
}

#[test]
fn a_chain_starts_to_slide_when_the_pull_beats_the_friction_of_all() {
    let pulled = |force: f64| {
        let mut chain = system((0..5).map(|i| particle(1.0, [i as f64, 0.0], [0.0, 0.0])).collect(), 2.0);
        chain.ground.friction = 0.2;
        chain.rods = (1..5).map(|i| rod([i - 1, i])).collect();
        chain.pushes = vec![Push { body: Some(4), ..Push::constant([force, 0.0]) }];
        chain.steppers.convex.gated = false;
        chain.steppers.convex.dissipation_time = Some(1e-3);
        run_system(&chain).final_state(0).velocity[0]
    };
    let limit = 5.0 * 0.2 * 9.81;
    assert!(pulled(0.95 * limit) <= 1e-4, "{}", pulled(0.95 * limit));
    // (F - mu M g) t/M
    let speed = pulled(1.5 * limit);
    let expected = 0.5 * limit * 2.0 / 5.0;
    assert!((speed - expected).abs() <= 0.01 * expected, "{speed} {expected}");
}

/// Six sledges joined by springs and rods on a slope, two of them in contact.
fn sledges() -> Scenario<2> {
    let mut sledges =
        system((0..6).map(|i| particle(1.0 + i as f64, [0.3 * i as f64, 0.02], [0.5, 0.0])).collect(), 0.3);
    sledges.ground.friction = 0.3;
    sledges.ground.slope = 10.0;
    sledges.springs = vec![spring([0, 1], 200.0), spring([2, 3], 500.0)];
    sledges.rods = vec![rod([1, 2]), rod([4, 5])];
    sledges.contacts = vec![PairContact {
        bodies: [3, 4],
        distance: 0.31,
        friction: Some(0.1),
        sliding: SlidingFriction::default(),
    }];
    sledges
}

#[test]
fn the_dual_solver_moves_a_system_the_same_way() {
    let mut system = sledges();
    let primal = run_system(&system);
    system.steppers.convex.solver = ConvexSolver::Dual;
    let dual = run_system(&system);
    for (a, b) in primal.tracks().zip(dual.tracks()) {
        let apart = (a.final_state().position - b.final_state().position).amax();
        assert!(apart <= 1e-8, "{apart:e}");
    }
}

#[test]
fn a_system_turned_over_the_plane_moves_as_in_the_plane() {
    let (sin, cos) = 0.4f64.sin_cos();
    let mut planar = sledges();
    planar.ground.slope = 0.0;
    planar.steppers.convex.delassus_norm = stickslip::scenario::DelassusNorm::Spatial;
    let turn = |v: &Vector<2>| Vector::<3>::new(cos * v[0], sin * v[0], v[1]);
    let turned = |ends: Ends<2>| Ends::<3>::centres(ends.bodies);
    let spatial = Scenario::<3> {
        duration: planar.duration,
        bodies: planar
            .bodies
            .iter()
            .map(|p| Body::point(p.mass, turn(&p.position), turn(&p.velocity)))
            .collect(),
        ground: planar.ground,
        rods: planar.rods.iter().map(|&Rod { ends, length }| Rod { ends: turned(ends), length }).collect(),
        springs: planar
            .springs
            .iter()
            .map(|&Spring { ends, stiffness, damping, length }| Spring {
                ends: turned(ends),
                stiffness,
                damping,
                length,
            })
            .collect(),
        contacts: planar.contacts.clone(),
        steppers: planar.steppers,
        ..Scenario::new("turned")
    };
    let (planar, spatial) = (run_system(&planar), run_system(&spatial));
    for (a, b) in planar.tracks().zip(spatial.tracks()) {
        let apart = (turn(&a.final_state().position) - b.final_state().position).amax();
        assert!(apart <= 1e-7, "{apart:e}");
    }
}

#[test]
fn the_summary_counts_iterations() {
    let trajectory = run_system(&sledges());
    let summary = Summary::of(&trajectory, Metrics::of(&trajectory, None));
    assert_eq!((summary.bodies, summary.steps, summary.status.solved), (Some(6), 300, 300));
    assert!(summary.iterations.max >= 2 && summary.iterations.max <= 30);
    assert!(summary.iterations.total >= 300);
    let metrics = serde_json::json!(summary.metrics);
    for key in ["final_center_x", "final_center_z", "max_penetration", "max_energy_gain", "max_rod_error"] {
        assert!(metrics[key].is_number(), "{key}");
    }
}

#[test]
fn the_trajectory_file_has_a_row_per_body_and_state() {
    let trajectory = run_system(&sledges());
    let mut bytes = Vec::new();
    write_csv(&trajectory, &mut bytes).expect("a vector takes everything");
    let text = String::from_utf8(bytes).expect("UTF-8");
    let mut lines = text.lines();
    let header = "body,step,t,x,z,angle,vx,vz,spin,fx,fz,torque,ux,uz,energy,status,iterations,residual";
    assert_eq!(lines.next(), Some(header));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 6 * 301);
    for (place, row) in rows.iter().enumerate() {
        assert_eq!(row.len(), 18, "{row:?}");
        assert_eq!((row[0], row[1]), (&*format!("body-{}", place % 6), &*(place / 6).to_string()));
        assert_eq!((row[5], row[8]), ("0", "0"));
        assert_eq!(row[15], if place / 6 == 300 { "" } else { "solved" });
    }
}

#[test]
fn steppers_of_a_point_refuse_a_system_and_say_what_to_do() {
    let of_bodies = [
        "nlp",
        "lcp",
        "lcp:anitescu",
        "cone",
        "cone:gauss-seidel",
        "cone:alternating-directions",
        "convex",
        "smooth",
    ];
    for name in StepperName::ALL.into_iter().filter(|name| !of_bodies.contains(&name.as_str())) {
        let refusal = sledges().stepper(name).err().expect("it moves one point").to_string();
        // The exact motion takes several bodies, but not what joins these.
        let words = if name == StepperName::EXACT {
            ["springs", "another stepper"]
        } else {
            ["6 bodies", "`convex`"]
        };
        assert!(words.iter().all(|word| refusal.contains(word)), "{refusal}");
    }
}

#[test]
fn a_run_that_is_broken_off_keeps_what_it_did() {
    let system = sledges();
    let mut stepper = system.stepper(StepperName::CONVEX).expect("admitted");
    let stop_at = |done| if done == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let trajectory = simulate_observed(&system, stepper.as_mut(), OnFailure::Stop, stop_at);
    assert_eq!((trajectory.ending, trajectory.steps.len()), (Ending::Interrupted, 7));
    assert!(trajectory.bodies.iter().all(|motion| motion.states.len() == 8));
}
