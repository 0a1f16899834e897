//! Bodies that slide and spin on level ground to rest.

use nalgebra::Vector3;
use stickslip::{
    contact::FrictionPolygon,
    scenario::ConvexSettings,
    stepper::ConvexBodies,
    world::{
        Impacts, Motion,
        spatial::{Pose, Scene, Shape},
    },
};

use crate::{
    data::rows,
    stepping::{
        HALF, Model, cone, lcp, lcp4, lcp8, nlp, on_ground, resting_cube, run, with_inertia_of_the_cube, yaw,
    },
};

const FRICTION: f64 = 0.18;

/// Direction of the straight slide in rad.
const DIRECTION: f64 = 0.4;

/// How far the cube slides in that direction from 1 m/s, by how many rad off, and how it yaws.
fn straight_slide(model: Model) -> (f64, f64, f64, f64) {
    let body = resting_cube([DIRECTION.cos(), DIRECTION.sin(), 0.0], [0.0; 3]);
    let motions = run(&on_ground(body, FRICTION), model, Impacts::OneStage, 1e-3, 700);
    let pose = &motions[700].poses[0];
    let (x, y) = (pose.position.x, pose.position.y);
    let lift = motions.iter().map(|motion| (motion.poses[0].position.z - HALF).abs()).fold(0.0, f64::max);
    (x.hypot(y), y.atan2(x) - DIRECTION, yaw(pose, 0.0), lift)
}

/// `v^2/(2 mu g)` less half of the first step.
#[test]
fn a_cube_slides_straight_where_friction_opposes_it() {
    for (name, model) in [("lcp4", lcp4()), ("lcp8", lcp8()), ("nlp", nlp()), ("cone", cone())] {
        let (distance, off, yaw, lift) = straight_slide(model);
        assert!((distance - (0.283158 - 5.0e-4)).abs() < 2e-6, "{name}: {distance}");
        assert!(off.abs() < 1e-6 && yaw.abs() < 1e-6, "{name}: {off:e} {yaw:e}");
        assert!(lift < 1e-9, "{name}: {lift:e}");
    }
    let (_, off, yaw, lift) = straight_slide(lcp4());
    assert!(off.abs() < 1e-14 && yaw.abs() < 1e-14 && lift < 1e-15, "{off:e} {yaw:e} {lift:e}");
}

/// The artefact that directions fixed in the axes of the contact have.
#[test]
fn fixed_directions_bend_a_straight_slide() {
    for (directions, further, bent) in [(4, 6.5e-2, 0.22), (8, 2.3e-2, 7e-3)] {
        let (distance, off, ..) = straight_slide(lcp(directions, FrictionPolygon::Fixed));
        assert!(
            ((distance - 0.283158) / further - 1.0).abs() < 0.05,
            "{directions}: {}",
            distance - 0.283158
        );
        assert!((off.abs() / bent - 1.0).abs() < 0.1, "{directions}: {off}");
    }
}

/// The time at which the cube, spinning flat at 20 rad/s, stops, and the angle it then has.
fn flat_spin(model: Model) -> (f64, f64) {
    let dt = 1e-4;
    let body = resting_cube([0.0; 3], [0.0, 0.0, 20.0]);
    let motions = run(&on_ground(body, FRICTION), model, Impacts::OneStage, dt, 4000);
    let angle = motions.iter().fold(0.0, |before, motion| yaw(&motion.poses[0], before));
    let moving = motions.iter().take_while(|motion| motion.velocities[0][5].abs() > 1e-6).count();
    (moving as f64 * dt, angle)
}

/// The four corners slide at the radius `sqrt 2 h`: `alpha = mu g m h sqrt 2/I`.
#[test]
fn a_cube_that_spins_flat_stops_when_friction_at_its_corners_says() {
    for (name, model) in [("lcp4", lcp4()), ("nlp", nlp()), ("cone", cone())] {
        let (stop, angle) = flat_spin(model);
        assert!((stop - 0.33460).abs() < 2e-4, "{name}: {stop}");
        assert!((angle - 3.3450).abs() < 2e-3, "{name}: {angle}");
    }
    let (stop, _) = flat_spin(lcp(4, FrictionPolygon::Fixed));
    assert!((stop - 0.3709).abs() < 5e-4, "{stop}");
}

/// Three corners at a radius of .0741 m, .0524 m below the centre of mass.
fn tripod() -> Scene {
    let foot = |degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        Vector3::new(0.0741 * cos, 0.0741 * sin, -HALF)
    };
    let corners = [foot(0.0), foot(120.0), foot(240.0), Vector3::new(0.0, 0.0, HALF)];
    let shape = Shape::polyhedron_about_origin(&corners).unwrap();
    let pose = Pose::upright(0.0, 0.0, HALF);
    on_ground(with_inertia_of_the_cube(shape, pose, [0.5, 0.0, 0.0], [0.0, 0.0, 20.0]), FRICTION)
}

fn at_rest(motions: &[Motion<Pose, 6>]) -> (f64, f64) {
    let pose = &motions[motions.len() - 1].poses[0];
    (pose.position.x, pose.position.y)
}

/// Friction of three feet does not depend on how they share the weight.
#[test]
fn a_tripod_slides_and_spins_to_where_the_equations_of_motion_bring_it() {
    let reference = rows::<7>("slide_spin_tripod.csv");
    let end = reference[reference.len() - 1];
    assert!((end[0] - 0.517206).abs() < 1e-6);
    let miss = |model: Model, dt: f64| {
        let (x, y) = at_rest(&run(&tripod(), model, Impacts::OneStage, dt, (0.54 / dt) as usize));
        (x - end[1]).hypot(y - end[2])
    };
    for (name, model, expected) in [
        ("lcp4", lcp4 as fn() -> Model, [2.7e-4, 2.8e-5]),
        ("nlp", nlp, [4.0e-4, 4.0e-5]),
        ("cone", cone, [4.0e-4, 4.0e-5]),
    ] {
        for (dt, expected) in [1e-3, 1e-4].into_iter().zip(expected) {
            let miss = miss(model(), dt);
            assert!((miss / expected - 1.0).abs() < 0.05, "{name} {dt}: {miss:e}");
        }
    }
}

#[test]
fn a_resting_cube_stays_where_it_is() {
    let drift = |model: Model, seconds: f64| {
        let scene = on_ground(resting_cube([0.0; 3], [0.0; 3]), 0.5);
        let motions = run(&scene, model, Impacts::OneStage, 1e-3, (seconds * 1e3) as usize);
        (motions[motions.len() - 1].poses[0].position - Vector3::new(0.0, 0.0, HALF)).amax()
    };
    // Sweeps end at a residual, and leave what it allows.
    for (name, model, limit) in [("lcp4", lcp4(), 1e-15), ("nlp", nlp(), 1e-12), ("cone", cone(), 1e-10)] {
        let drift = drift(model, 5.0);
        assert!(drift < limit, "{name}: {drift:e}");
    }
    let convex = ConvexSettings { gated: false, ..ConvexSettings::PUBLISHED };
    let sunk = drift(Box::new(ConvexBodies::new(convex)), 5.0);
    assert!(sunk < 3e-6, "{sunk:e}");
}
