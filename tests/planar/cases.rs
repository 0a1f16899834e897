//! The motions of the reference data as scenes.

use std::f64::consts::PI;

use nalgebra::{SVector, Vector2};
use stickslip::world::{
    Surface,
    planar::{Body, Pose, Scene, Shape, Twist},
};

use crate::data::Table;

/// One body over the ground, and where it should be when.
pub struct Case {
    pub name: &'static str,
    pub scene: Scene,
    /// Rows `(t, x, z, theta, vx, vz, omega)`.
    pub rows: Vec<SVector<f64, 7>>,
}

impl Case {
    pub fn duration(&self) -> f64 {
        self.rows.last().map_or(0.0, |row| row[0])
    }
}

fn sliding(friction: f64) -> Surface {
    Surface::new(friction, 0.0)
}

/// The case of a file; the body starts as its first row says.
fn case(name: &'static str, shape: Shape, friction: f64) -> Case {
    let rows = Table::read(&format!("{name}.csv")).columns(["t", "x", "z", "theta", "vx", "vz", "omega"]);
    let start = &rows[0];
    let body = Body {
        twist: Twist::new(start[4], start[5], start[6]),
        ..Body::new(shape, 1.0, Pose::new(start[1], start[2], start[3]))
    };
    Case { name, scene: Scene::over_ground(vec![body], sliding(friction), 9.81), rows }
}

fn rectangle(width: f64, height: f64) -> Shape {
    Shape::rectangle(width, height).unwrap()
}

/// All but the tipping box on a slope, whose file has an angle alone.
pub fn all() -> Vec<Case> {
    let rod = || Shape::rod(1.0).unwrap();
    let disc = || Shape::disc(0.1).unwrap();
    vec![
        case("box-slide", rectangle(0.8, 0.5), 0.3),
        case("box-decel-tip", rectangle(0.4, 1.0), 0.5),
        case("box-tumble", rectangle(1.0, 0.5), 0.3),
        case("disc-backspin", disc(), 0.2),
        case("disc-bowling", disc(), 0.2),
        case("rod-drop", rod(), 0.3),
        case("rod-throw", rod(), 0.3),
        case("rod-pivot-mu0.2", rod(), 0.2),
        case("rod-pivot-mu0.5", rod(), 0.5),
    ]
}

pub fn rod_drop() -> Scene {
    case("rod-drop", Shape::rod(1.0).unwrap(), 0.3).scene
}

pub fn box_reverse() -> Case {
    case("box-reverse", rectangle(0.9, 0.4), 0.15)
}

/// A box 0.4 x 1 at rest on a slope of `angle` rad; gravity is turned, the ground is level.
pub fn box_on_slope((width, height): (f64, f64), angle: f64, friction: f64) -> Scene {
    let body = Body::new(rectangle(width, height), 1.0, Pose::new(0.0, 0.5 * height, 0.0));
    Scene {
        gravity: Vector2::new(9.81 * angle.sin(), -9.81 * angle.cos()),
        ..Scene::over_ground(vec![body], sliding(friction), 9.81)
    }
}

/// The slope of `slope-tip.csv`.
pub const SLOPE: f64 = PI / 6.0;

/// A block 0.2 x 1 that rocks: tilted by 0.1 rad on one corner, friction 1.
pub fn rocking_block() -> Scene {
    let (width, height, tilt) = (0.2, 1.0, 0.1_f64);
    // Turned clockwise, it stands on its right corner, the origin.
    let corner = Vector2::new(0.5 * width, -0.5 * height);
    let pose = Pose::new(0.0, 0.0, -tilt);
    let position = -pose.rotate(&corner);
    let pose = Pose { position, ..pose };
    let body = Body::new(rectangle(width, height), 1.0, pose);
    Scene::over_ground(vec![body], sliding(1.0), 9.81)
}
