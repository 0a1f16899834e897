//! How long a step of one cube on the ground takes, contact finding and all, by every model of bodies in
//! space: with four corners at rest, sliding and spinning, and in flight.
//!
//! `cargo bench --bench bodies`; `benches/peers/run --items cube` has the same beside MuJoCo.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use nalgebra::Matrix3;
use stickslip::{
    contact::{
        AlternatingDirections, ContactModel, FrictionPolygon, StewartTrinkle, StewartTrinkleSettings,
        Structured,
    },
    scenario::ConvexSettings,
    stepper::ConvexBodies,
    world::{
        Impacts, Motion, Surface, TimeStepper,
        spatial::{Body, Pose, Scene, Shape, Twist},
    },
};

const HALF: f64 = 0.0524;
const STEP: f64 = 1e-3;

fn scene(height: f64, twist: Twist) -> Scene {
    let shape = Shape::cuboid([2.0 * HALF; 3]).expect("a cube");
    let body = Body {
        inertia: Matrix3::from_diagonal_element(8.1e-4),
        twist,
        ..Body::new(shape, 0.37, Pose::upright(0.0, 0.0, height))
    };
    Scene::over_ground(vec![body], Surface::new(0.18, 0.0), 9.81)
}

fn models() -> [Box<dyn ContactModel<3, 6>>; 5] {
    let lcp = |directions| {
        let polygon = FrictionPolygon::Aligned;
        StewartTrinkle::new(StewartTrinkleSettings { directions, polygon, ..Default::default() })
    };
    let convex = ConvexSettings { gated: false, ..ConvexSettings::PUBLISHED };
    [
        Box::new(ConvexBodies::new(convex)),
        Box::new(lcp(4)),
        Box::new(lcp(8)),
        Box::new(Structured::default()),
        Box::new(AlternatingDirections::default()),
    ]
}

fn step(criterion: &mut Criterion) {
    let twist = |vx, wz| Twist::new(vx, 0.0, 0.0, 0.0, 0.0, wz);
    let states = [
        ("rest", scene(HALF, twist(0.0, 0.0))),
        ("slide", scene(HALF, twist(1.0, 0.0))),
        ("slide-spin", scene(HALF, twist(0.5, 20.0))),
        ("flight", scene(1.0, twist(0.5, 20.0))),
    ];
    for (state, scene) in &states {
        let mut group = criterion.benchmark_group(format!("cube/{state}"));
        for (name, model) in ["convex", "lcp4", "lcp8", "nlp", "cone"].into_iter().zip(models()) {
            let mut stepper = TimeStepper::new(model, Impacts::OneStage);
            let start: Motion<Pose, 6> = scene.initial_motion();
            let mut motion = start.clone();
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    motion.clone_from(&start);
                    let report = stepper.step(scene, black_box(&mut motion), &[Twist::zeros()], STEP);
                    report.expect("the cube is harmless").iterations
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, step);
criterion_main!(benches);
