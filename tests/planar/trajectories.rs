//! Whole trajectories of one-stage steps by complementarity, against those of another implementation.

use nalgebra::{SVector, Vector2};
use stickslip::world::{
    Impacts, Plane, Surface,
    planar::{Body, Pose, Scene, Shape, Twist},
};

use crate::{
    data::Table,
    stepping::{distance, lcp, run},
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
    let surface = Surface { friction, restitution: 0.0 };
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
    let surface = scene.surface;
    scene.walls = vec![Plane { normal: Vector2::x(), offset: 0.0, velocity: Vector2::zeros(), surface }];
    let difference = difference(&scene, &rows);
    assert!(difference < 1e-11, "{difference:e}");
}

#[test]
fn five_dominoes() {
    let (scene, rows) = boxes("lcp-dominoes.csv", (0.1, 1.0), 5, 0.5);
    let difference = difference(&scene, &rows);
    assert!(difference < 1e-11, "{difference:e}");
}
