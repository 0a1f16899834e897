//! A rod and a ball in space that strike the ground.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use stickslip_contact::world::{Impacts, Surface, spatial};

use crate::scenes::{models, space, step};

/// Radius in m of a capsule that stands for a rod.
const THIN: f64 = 1e-7;

/// A rod of 1 m and 1 kg in the plane of x and z whose lower end touches the ground.
fn rod(angle: f64, velocity: [f64; 3], surface: Surface) -> spatial::Scene {
    let shape = spatial::Shape::capsule(THIN, 1.0).expect("a capsule");
    let mut pose = spatial::Pose::upright(0.0, 0.0, 0.5 * angle.sin() + THIN);
    // The capsule lies along z, and its lower end is to be at -x.
    let tilt = std::f64::consts::FRAC_PI_2 - angle;
    pose.orientation = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), tilt);
    let mut body = spatial::Body::new(shape, 1.0, pose);
    body.inertia = Matrix3::from_diagonal(&Vector3::new(1.0 / 12.0, 1.0 / 12.0, 1e-3));
    body.twist.fixed_rows_mut::<3>(0).copy_from(&Vector3::from(velocity));
    space(vec![body], surface)
}

fn ball(velocity: [f64; 3], surface: Surface) -> spatial::Scene {
    let shape = spatial::Shape::sphere(0.1).expect("a sphere");
    let mut body = spatial::Body::new(shape, 1.0, spatial::Pose::upright(0.0, 0.0, 0.1));
    body.twist.fixed_rows_mut::<3>(0).copy_from(&Vector3::from(velocity));
    space(vec![body], surface)
}

#[test]
fn the_impulse_of_a_rod_in_space_is_that_of_the_law() {
    for (e, expected) in [(0.5, [1.064655, 0.044082, -0.124131]), (1.0, [1.440120, 0.156720, -0.124583])] {
        let scene = rod(0.7, [1.0, 0.5, -2.0], Surface::new(0.3, e));
        for (name, model) in models() {
            let stepped = step(&scene, model(), Impacts::Incremental);
            let [normal, x, y] = expected;
            let after = stepped.struck[0].fixed_rows::<3>(0) - Vector3::new(1.0, 0.5, -2.0);
            let off = (after - Vector3::new(x, y, normal)).amax();
            assert!(off < 1e-5, "{name}, {e}: {after}");
        }
    }
}

#[test]
fn the_impulse_of_a_ball_in_space_is_that_of_all_laws() {
    for (mu, expected) in [(0.1, [3.6, -0.288, -0.216]), (0.5, [3.6, -0.342857, -0.257143])] {
        let scene = ball([1.2, 0.9, -2.0], Surface::new(mu, 0.8));
        for (name, model) in models() {
            for impacts in [Impacts::Incremental, Impacts::OneStage] {
                let stepped = step(&scene, model(), impacts);
                let [normal, x, y] = expected;
                let after = stepped.struck[0].fixed_rows::<3>(0) - Vector3::new(1.2, 0.9, -2.0);
                let off = (after - Vector3::new(x, y, normal)).amax();
                assert!(off < 1e-5, "{name}, {mu}, {impacts:?}: {after}");
            }
        }
    }
}
