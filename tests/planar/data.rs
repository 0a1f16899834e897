//! The reference data.

use std::{fs, path::PathBuf};

use nalgebra::{DMatrix, DVector, Point2, SVector, Vector2};
use serde_json::Value;
use stickslip::world::{
    Partner, Plane, Surface,
    planar::{Body, Pose, Scene, Shape, Twist},
};

fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/planar").join(file)
}

/// A table of numbers by columns.
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    pub fn read(file: &str) -> Self {
        let text = fs::read_to_string(path(file)).unwrap();
        let mut lines = text.lines();
        let columns = lines.next().unwrap().split(',').map(str::to_owned).collect();
        let number = |entry: &str| entry.parse().unwrap();
        let rows = lines.map(|line| line.split(',').map(number).collect()).collect();
        Self { columns, rows }
    }

    /// The columns of these names, row by row.
    pub fn columns<const N: usize>(&self, names: [&str; N]) -> Vec<SVector<f64, N>> {
        let index =
            |name: &str| self.columns.iter().position(|column| column == name).expect("a column of the file");
        let indices = names.map(index);
        self.rows.iter().map(|row| SVector::from(indices.map(|index| row[index]))).collect()
    }
}

/// A contact as the reference has it.
pub struct ReferenceContact {
    pub first: usize,
    pub second: Partner,
    pub point: Vector2<f64>,
    pub normal: Vector2<f64>,
    pub gap: f64,
}

/// A one-step problem.
pub struct ReferenceStep {
    pub kind: String,
    pub dt: f64,
    pub scene: Scene,
    pub contacts: Vec<ReferenceContact>,
    /// Rows of all contacts over all bodies.
    pub normal_rows: DMatrix<f64>,
    pub tangent_rows: DMatrix<f64>,
    pub bias: Vec<f64>,
    pub free_velocity: DVector<f64>,
    /// By Lemke's method.
    pub velocity: DVector<f64>,
    /// By compliant convex contacts that act at a distance, `k = 1e7`, `tau_d = 0.02`, `sigma = 1e-3`.
    pub convex_velocity: DVector<f64>,
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn vector2(value: &Value) -> Vector2<f64> {
    Vector2::from_vec(numbers(value))
}

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows: Vec<_> = value.as_array().unwrap().iter().map(numbers).collect();
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

pub fn steps() -> Vec<ReferenceStep> {
    let text = fs::read_to_string(path("steps.json")).unwrap();
    let steps: Value = serde_json::from_str(&text).unwrap();
    steps.as_array().unwrap().iter().map(step).collect()
}

fn step(step: &Value) -> ReferenceStep {
    let surface = Surface::new(number(&step["mu"]), number(&step["e"]));
    let plane = |plane: &Value| Plane {
        normal: vector2(&plane[0]),
        offset: number(&plane[1]),
        velocity: Vector2::zeros(),
    };
    let mut planes = step["planes"].as_array().unwrap().iter().map(plane);
    let scene = Scene {
        ground: planes.next(),
        walls: planes.collect(),
        ..Scene::over_ground(step["bodies"].as_array().unwrap().iter().map(body).collect(), surface, 9.81)
    };
    let contacts = step["contacts"].as_array().unwrap().iter();
    let vector = |key: &str| DVector::from_vec(numbers(&step[key]));
    ReferenceStep {
        kind: step["kind"].as_str().unwrap().to_owned(),
        dt: number(&step["dt"]),
        contacts: contacts.map(|contact| reference_contact(contact, &scene)).collect(),
        normal_rows: matrix(&step["Jn"]),
        tangent_rows: matrix(&step["Jt"]),
        bias: numbers(&step["c"]),
        free_velocity: vector("v_free"),
        velocity: vector("v_lcp"),
        convex_velocity: DVector::from_vec(numbers(&step["sap"]["v"])),
        scene,
    }
}

fn body(body: &Value) -> Body {
    let radius = number(&body["R"]);
    let shape = match body["verts"].as_array() {
        None => Shape::disc(radius),
        Some(corners) if corners.len() == 2 => Shape::rod(2.0 * number(&corners[1][0])),
        Some(corners) => {
            let corners: Vec<_> = corners.iter().map(|corner| Point2::from(vector2(corner))).collect();
            Shape::polygon(&corners)
        }
    };
    let q = numbers(&body["q"]);
    Body {
        shape: shape.unwrap(),
        mass: number(&body["m"]),
        inertia: number(&body["I"]),
        pose: Pose::new(q[0], q[1], q[2]),
        twist: Twist::from_vec(numbers(&body["v"])),
        fixed: false,
        course: None,
    }
}

fn reference_contact(contact: &Value, scene: &Scene) -> ReferenceContact {
    let normal = vector2(&contact["n"]);
    let second = match contact["B"].as_i64().unwrap() {
        -1 if scene.ground.is_some_and(|ground| ground.normal == normal) => Partner::Ground,
        -1 => Partner::Wall(scene.walls.iter().position(|wall| wall.normal == normal).unwrap()),
        body => Partner::Body(body as usize),
    };
    ReferenceContact {
        first: contact["A"].as_u64().unwrap() as usize,
        second,
        point: vector2(&contact["point"]),
        normal,
        gap: number(&contact["phi"]),
    }
}
