//! Running a scene by a contact model.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use stickslip::{
    contact::{
        ContactModel, FrictionPolygon, GaussSeidel, StewartTrinkle, StewartTrinkleSettings, Structured,
    },
    world::{
        Impacts, Motion, Surface, TimeStepper,
        spatial::{Body, Pose, Scene, Shape, Twist},
    },
};

pub type Model = Box<dyn ContactModel<3, 6>>;

/// Half the width of the cube in m, its mass in kg, its moment of inertia in kg m^2.
pub const HALF: f64 = 0.0524;
pub const MASS: f64 = 0.37;
pub const INERTIA: f64 = 8.1e-4;

pub const G: f64 = 9.81;

pub fn lcp(directions: usize, polygon: FrictionPolygon) -> Model {
    let settings = StewartTrinkleSettings { directions, polygon, ..StewartTrinkleSettings::default() };
    Box::new(StewartTrinkle::new(settings))
}

pub fn lcp4() -> Model {
    lcp(4, FrictionPolygon::Aligned)
}

pub fn lcp8() -> Model {
    lcp(8, FrictionPolygon::Aligned)
}

pub fn nlp() -> Model {
    Box::new(Structured::default())
}

pub fn cone() -> Model {
    Box::new(GaussSeidel::default())
}

/// A body of the cube's mass and inertia.
pub fn with_inertia_of_the_cube(shape: Shape, pose: Pose, velocity: [f64; 3], spin: [f64; 3]) -> Body {
    let [vx, vy, vz] = velocity;
    let [wx, wy, wz] = spin;
    Body {
        inertia: Matrix3::from_diagonal_element(INERTIA),
        twist: Twist::new(vx, vy, vz, wx, wy, wz),
        ..Body::new(shape, MASS, pose)
    }
}

pub fn cube(pose: Pose, velocity: [f64; 3], spin: [f64; 3]) -> Body {
    with_inertia_of_the_cube(Shape::cuboid([2.0 * HALF; 3]).unwrap(), pose, velocity, spin)
}

/// The cube flat on the ground.
pub fn resting_cube(velocity: [f64; 3], spin: [f64; 3]) -> Body {
    cube(Pose::upright(0.0, 0.0, HALF), velocity, spin)
}

/// The cube turned by `angle` rad about its edge along y that is on the ground: it falls flat below 45
/// degrees.
pub fn cube_on_edge(angle: f64) -> Body {
    let orientation = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
    // The edge on the ground is the one at +x and -z.
    let edge = orientation * Vector3::new(HALF, 0.0, -HALF);
    cube(Pose { position: Vector3::new(0.0, 0.0, -edge.z), orientation }, [0.0; 3], [0.0; 3])
}

pub fn on_ground(body: Body, friction: f64) -> Scene {
    Scene::over_ground(vec![body], Surface::new(friction, 0.0), G)
}

/// The motions after every step, the start included.
pub fn run(scene: &Scene, model: Model, impacts: Impacts, dt: f64, steps: usize) -> Vec<Motion<Pose, 6>> {
    let mut stepper = TimeStepper::new(model, impacts);
    let forces = vec![Twist::zeros(); scene.bodies.len()];
    let mut motion = scene.initial_motion();
    let mut motions = vec![motion.clone()];
    for step in 0..steps {
        if let Err(failure) = stepper.step(scene, &mut motion, &forces, dt) {
            panic!("step {step} of {}: {failure}", stepper.name());
        }
        motions.push(motion.clone());
    }
    motions
}

/// Yaw of a body that stays level, in rad, full turns counted from `before`.
pub fn yaw(pose: &Pose, before: f64) -> f64 {
    let turn = 2.0 * pose.orientation.k.atan2(pose.orientation.w);
    let full = std::f64::consts::TAU;
    turn + full * ((before - turn) / full).round()
}

/// Largest angle in degrees between the body's own axes and the vertical that is nearest to one of them.
pub fn tilt(pose: &Pose) -> f64 {
    let up = pose.orientation.inverse_transform_vector(&Vector3::z());
    let sine = up.norm_squared() - up.amax().powi(2);
    sine.max(0.0).sqrt().atan2(up.amax()).to_degrees()
}
