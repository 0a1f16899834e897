//! Friction that is higher at rest than in motion: a box of 1 kg on a slope, mu_s 0.4, mu_k 0.25. What holds, what slides,
//! and how fast it gets, by rigid models.

use nalgebra::Vector2;
use stickslip::{
    contact::Friction,
    world::{
        Impacts, Surface,
        planar::{Body, Pose, Scene, Shape, Twist},
    },
};

use crate::stepping::{cone, lcp, nlp, run};

const G: f64 = 9.81;
const STEP: f64 = 1e-3;

/// A box with the velocity `speed` downhill on a slope of this angle in degrees.
fn slope(angle: f64, speed: f64) -> Scene {
    let body = Body {
        twist: Twist::new(speed, 0.0, 0.0),
        ..Body::new(Shape::rectangle(0.4, 0.1).unwrap(), 1.0, Pose::new(0.0, 0.05, 0.0))
    };
    let surface = Surface { friction: Friction::static_and_kinetic(0.4, 0.25), ..Surface::default() };
    let (sin, cos) = angle.to_radians().sin_cos();
    Scene { gravity: Vector2::new(G * sin, -G * cos), ..Scene::over_ground(vec![body], surface, G) }
}

/// Place and speed along the slope after each step.
fn along(
    scene: &Scene,
    model: fn() -> Box<dyn stickslip::contact::ContactModel<2, 3>>,
    steps: usize,
) -> Vec<[f64; 2]> {
    let motions = run(scene, model(), Impacts::OneStage, STEP, steps);
    motions.iter().map(|motion| [motion.poses[0].position.x, motion.velocities[0].x]).collect()
}

/// It slips at atan 0.4 = 21.8014 degrees, and then with the friction of motion.
#[test]
fn a_box_slips_at_the_static_angle_and_slides_by_the_kinetic_coefficient() {
    for model in [lcp, nlp, cone] {
        let held = along(&slope(21.79, 0.0), model, 300);
        assert!(held[300][1].abs() < 1e-6 && held[300][0].abs() < 1e-6, "{:?}", held[300]);
        let slides = along(&slope(21.802, 0.0), model, 300);
        let (sin, cos) = 21.802_f64.to_radians().sin_cos();
        let expected = G * (sin - 0.25 * cos) * 0.3;
        assert!((slides[300][1] - expected).abs() < 1e-6, "{:?} {expected}", slides[300]);
    }
}

/// At 20 degrees it rests, but what was pushed goes on and gets faster: 1.050621 m/s^2.
#[test]
fn what_rests_stays_and_what_slides_goes_on() {
    for model in [lcp, nlp, cone] {
        let rests = along(&slope(20.0, 0.0), model, 100);
        assert!(rests[100][1].abs() < 1e-6);
        let slides = along(&slope(20.0, 0.1), model, 500);
        let gained = (slides[500][1] - slides[0][1]) / 0.5;
        assert!((gained - 1.050_621).abs() < 1e-5, "{gained}");
    }
}

/// Pushed uphill at 1 m/s it stops after 0.176684 s and 0.088342 m, and stays, though the friction of motion alone would
/// not hold it.
#[test]
fn what_stops_on_the_way_up_stays() {
    for model in [lcp, nlp, cone] {
        let path = along(&slope(20.0, -1.0), model, 400);
        assert!(path[178..].iter().all(|[_, speed]| speed.abs() < 1e-6), "it stays");
        assert!(path[175][1] < -1e-3, "{:?}", path[175]);
        assert!((path[400][0] + 0.088_342).abs() < 1e-3, "{:?}", path[400]);
    }
}
