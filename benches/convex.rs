//! Convex contact: a single contact in closed form, as a bare problem and as a step of the stepper;
//! warm Newton on chains of points that are dragged over the ground, from 1 to 10,000 contacts; and
//! the whole step of a system.

use std::{f64::consts::TAU, hint::black_box, time::Duration};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nalgebra::RowVector2;
use stickslip::{
    convex::{
        Block, Contact, Equality, FrictionCone, IsotropicContact, Jacobian, Problem, Regularization,
        Settings, Solver, Vector,
    },
    scenario::{Body, ConvexSettings, Ends, Ground, Push, Scenario, Spring},
    stepper::{BuildStepper, Moved, PointInput, StepInput, StepperName},
};

const DT: f64 = 1e-3;
const DISSIPATION_TIME: f64 = 0.02;
const GRAVITY: f64 = 9.81;
const SPRING: f64 = 1e3;

/// The near-rigid regularisation of a point of mass 1.
fn cone() -> FrictionCone {
    let delassus = 1.0 / 2f64.sqrt();
    let normal = delassus / (TAU * TAU);
    FrictionCone::new(0.3, Regularization { tangential: 1e-3 * delassus, normal })
}

/// A chain along the ground: unit masses joined by springs, all in contact, dragged at one end by
/// a force that swings, so that contacts stick and slip in turn.
struct Chain {
    problem: Problem<2>,
    solver: Solver<2>,
    velocity: Vec<Vector<2>>,
    position: Vec<Vector<2>>,
    time: f64,
}

impl Chain {
    fn new(points: usize) -> Self {
        let height = -GRAVITY * DT * (DT + DISSIPATION_TIME) * cone().regularization().normal;
        let contact = |point| Contact {
            jacobian: Jacobian::single(point, Block::identity()),
            reference: Vector::zeros(),
            cone: cone(),
            active: true,
        };
        let spring = |point| Equality {
            jacobian: Jacobian::difference(point, point - 1, RowVector2::new(1.0, 0.0)),
            reference: 0.0,
            stiffness: DT * DT * SPRING,
        };
        let problem = Problem {
            inertia: vec![Block::identity(); points],
            free_velocity: vec![Vector::zeros(); points],
            contacts: (0..points).map(contact).collect(),
            equalities: (1..points).map(spring).collect(),
        };
        let mut chain = Self {
            problem,
            solver: Solver::new(Settings::default()),
            velocity: vec![Vector::zeros(); points],
            position: (0..points).map(|point| Vector::<2>::new(point as f64, height)).collect(),
            time: 0.0,
        };
        (0..200).for_each(|_| chain.step());
        chain
    }

    fn step(&mut self) {
        let drag = 30.0 * (TAU * self.time).sin();
        for (point, free) in self.problem.free_velocity.iter_mut().enumerate() {
            *free = self.velocity[point] + Vector::<2>::new(0.0, -GRAVITY * DT);
        }
        self.problem.free_velocity[0][0] += DT * drag;
        for (contact, position) in self.problem.contacts.iter_mut().zip(&self.position) {
            contact.reference[1] = -position[1] / (DT + DISSIPATION_TIME);
        }
        for (spring, pair) in self.problem.equalities.iter_mut().zip(self.position.windows(2)) {
            spring.reference = -(pair[1][0] - pair[0][0] - 1.0) / DT;
        }
        let report = self.solver.solve(&self.problem, &mut self.velocity).expect("well posed");
        assert!(report.status.is_solved());
        for (position, velocity) in self.position.iter_mut().zip(&self.velocity) {
            *position += velocity * DT;
        }
        self.time += DT;
    }
}

fn single_contact(c: &mut Criterion) {
    let contact = IsotropicContact {
        delassus: 1.0,
        free_velocity: Vector::<2>::new(0.3, -0.00981),
        reference: Vector::<2>::new(0.0, 1e-3),
        cone: cone(),
    };
    c.bench_function("convex/single contact", |b| b.iter(|| black_box(&contact).solve()));
}

fn single_step(c: &mut Criterion) {
    let scenario = Scenario::<2> {
        bodies: vec![Body::point(10.0, [0.0, 0.0], [1.0, 0.0])],
        ground: Ground { friction: 0.1, ..Ground::default() },
        ..Scenario::new("slide")
    };
    let mut stepper = scenario.point_stepper(StepperName::CONVEX).expect("admitted");
    let mut state = scenario.initial_state(0);
    state.position[1] = -1e-6;
    let input = PointInput { index: 0, time: 0.0, state, push: Vector::zeros(), dt: 1e-3 };
    c.bench_function("convex/single step", |b| b.iter(|| stepper.step(black_box(&input))));
}

/// The chain again, through the stepper: gaps, directions, Newton and the check of the residuals.
fn system_step(c: &mut Criterion) {
    let points = 50;
    let mut system = Scenario::<2>::new("chain");
    system.bodies = (0..points).map(|i| Body::point(1.0, [i as f64, 0.0], [0.0, 0.0])).collect();
    system.ground.friction = 0.3;
    system.springs = (1..points)
        .map(|i| Spring { ends: Ends::centres([i - 1, i]), stiffness: SPRING, damping: 0.0, length: None })
        .collect();
    let push = Push { body: Some(0), frequency: Some(1.0), ..Push::constant([30.0, 0.0]) };
    system.pushes = vec![push];
    system.steppers.convex = ConvexSettings { gated: false, ..ConvexSettings::PUBLISHED };
    let mut stepper = system.stepper(StepperName::CONVEX).expect("admitted");
    let mut moved = Moved::start(&system);
    let mut states = moved.states.clone();
    let mut forces = vec![Vector::zeros(); points];
    let mut index = 0;
    c.bench_function("convex/system step/50", |b| {
        b.iter(|| {
            system.loads_at(index, &[], &mut forces, &mut []);
            let (time, dt) = (index as f64 * system.step, system.step);
            let input =
                StepInput { index, time, dt, states: &states, attitudes: &[], forces: &forces, torques: &[] };
            stepper.step(&input, &mut moved).expect("solved");
            states.copy_from_slice(&moved.states);
            index += 1;
        });
    });
}

fn chains(c: &mut Criterion) {
    let mut group = c.benchmark_group("convex/chain step");
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2)).sample_size(30);
    for points in [1, 5, 10, 20, 50, 100, 1_000, 10_000] {
        group.throughput(Throughput::Elements(points as u64));
        let mut chain = Chain::new(points);
        group.bench_function(BenchmarkId::from_parameter(points), |b| b.iter(|| chain.step()));
    }
    group.finish();
}

criterion_group!(benches, single_contact, single_step, chains, system_step);
criterion_main!(benches);
