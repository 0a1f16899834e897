//! Whole trajectories of one-stage steps by complementarity, against those of another implementation.

use nalgebra::{SVector, Vector2};
use stickslip::world::{
    Impacts, Plane, Surface,
    planar::{Body, Pose, Scene, Shape, Twist},
};

use crate::{
    cases,
    data::Table,
    stepping::{distance, lcp, nlp, run},
};

/// Boxes of one size, 1 kg, that start as the first row of the file says, and the poses of its rows.
fn boxes(file: &str, (width, height): (f64, f64), count: usize, friction: f64) -> (Scene, Vec<Vec<Pose>>) {
    let table = Table::read(file);
    let columns = |names: [&str; 3]| -> Vec<Vec<SVector<f64, 3>>> {
        let body = |body: usize| {
            let names = names.map(|name| format!("{name}{body}"));
            table.columns([names[0].as_str(), &names[1], &names[2]])
        };
        (0..count).map(body).collect()
    };
    let (poses, twists) = (columns(["x", "z", "theta"]), columns(["vx", "vz", "omega"]));
    let pose = |q: &SVector<f64, 3>| Pose::new(q.x, q.y, q.z);
    let bodies = poses.iter().zip(&twists).map(|(poses, twists)| Body {
        twist: Twist::from(twists[0]),
        ..Body::new(Shape::rectangle(width, height).unwrap(), 1.0, pose(&poses[0]))
    });
    let surface = Surface::new(friction, 0.0);
    let rows = (0..poses[0].len()).map(|row| poses.iter().map(|poses| pose(&poses[row])).collect());
    (Scene::over_ground(bodies.collect(), surface, 9.81), rows.collect())
}

/// Largest difference from the rows, one every ten steps of 1 ms.
fn difference(scene: &Scene, rows: &[Vec<Pose>]) -> f64 {
    let motions = run(scene, lcp(), Impacts::OneStage, 1e-3, 10 * (rows.len() - 1));
    let differences = motions.iter().step_by(10).zip(rows).flat_map(|(motion, row)| {
        motion.poses.iter().zip(row).map(|(pose, expected)| distance(pose, expected))
    });
    differences.fold(0.0, f64::max)
}

#[test]
fn a_tumbling_box() {
    let (scene, rows) = boxes("lcp-tumble.csv", (1.0, 0.5), 1, 0.3);
    let difference = difference(&scene, &rows);
    assert!(difference < 1e-11, "{difference:e}");
}

#[test]
fn a_box_that_falls_into_a_corner() {
    let (mut scene, rows) = boxes("lcp-cornerfall.csv", (0.5, 0.3), 1, 0.4);
    scene.walls = vec![Plane { normal: Vector2::x(), offset: 0.0, velocity: Vector2::zeros() }];
    let difference = difference(&scene, &rows);
    assert!(difference < 1e-11, "{difference:e}");
}

#[test]
fn five_dominoes() {
    let (scene, rows) = boxes("lcp-dominoes.csv", (0.1, 1.0), 5, 0.5);
    let difference = difference(&scene, &rows);
    assert!(difference < 1e-11, "{difference:e}");
}

/// Largest difference of the poses between exact and relaxed complementarity, impacts in two steps.
fn difference_of_models(scene: &Scene, steps: usize) -> f64 {
    let [a, b] = [lcp(), nlp()].map(|model| run(scene, model, Impacts::TwoStage, 1e-3, steps));
    let poses = a.iter().zip(&b).flat_map(|(a, b)| a.poses.iter().zip(&b.poses));
    poses.map(|(a, b)| distance(a, b)).fold(0.0, f64::max)
}

/// The bounds are those of another implementation of the same programs, solved by IPOPT.
#[test]
fn relaxed_and_exact_complementarity_take_the_same_way() {
    let bounds = [
        ("box-slide", 1.7e-7),
        ("box-decel-tip", 2e-6),
        ("box-tumble", 2e-7),
        ("disc-backspin", 1.4e-5),
        ("rod-drop", 8e-8),
    ];
    for (name, bound) in bounds {
        let case = cases::all().into_iter().find(|case| case.name == name).unwrap();
        let off = difference_of_models(&case.scene, (case.duration() / 1e-3) as usize);
        assert!(off < bound, "{name}: {off:e}");
    }
    for (what, (width, friction), bound) in
        [("sticks", (1.0, 0.8), 1e-11), ("slides", (1.0, 0.3), 3e-7), ("tips", (0.4, 0.8), 3e-11)]
    {
        let off = difference_of_models(&cases::box_on_slope((width, 1.0), cases::SLOPE, friction), 500);
        assert!(off < bound, "slope, {what}: {off:e}");
    }
    let off = difference_of_models(&cases::rocking_block(), 2000);
    assert!(off < 4e-9, "rocking: {off:e}");
    let stack = (0..3).map(|i| {
        Body::new(Shape::rectangle(0.4, 0.2).unwrap(), 1.0, Pose::new(0.0, 0.1 + 0.2 * f64::from(i), 0.0))
    });
    let stack = Scene::over_ground(stack.collect(), Surface::new(0.5, 0.0), 9.81);
    let off = difference_of_models(&stack, 300);
    assert!(off < 5e-11, "stack: {off:e}");
    let (mut corner, rows) = boxes("lcp-cornerfall.csv", (0.5, 0.3), 1, 0.4);
    corner.walls = vec![Plane { normal: Vector2::x(), offset: 0.0, velocity: Vector2::zeros() }];
    let off = difference_of_models(&corner, 10 * (rows.len() - 1));
    assert!(off < 3e-6, "corner: {off:e}");
    let (dominoes, rows) = boxes("lcp-dominoes.csv", (0.1, 1.0), 5, 0.5);
    let off = difference_of_models(&dominoes, 10 * (rows.len() - 1));
    assert!(off < 6e-8, "dominoes: {off:e}");
}
