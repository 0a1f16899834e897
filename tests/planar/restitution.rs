//! Newton's law of restitution at every contact of an impact.

use stickslip::{
    contact::ContactModel,
    random::Random,
    scenario::ConvexSettings,
    stepper::ConvexBodies,
    world::{
        Impacts, Surface, TimeStepper,
        planar::{Body, Pose, Scene, Shape, Twist},
    },
};

use crate::stepping::{anitescu, cone, lcp, nlp, run};

/// Four discs in a row on smooth ground, the first at 1 m/s, `gap` m between each other.
fn row(gap: f64) -> Scene {
    let radius = 0.1;
    let discs = (0..4).map(|i| Body {
        twist: Twist::new(if i == 0 { 1.0 } else { 0.0 }, 0.0, 0.0),
        ..Body::new(
            Shape::disc(radius).unwrap(),
            1.0,
            Pose::new(f64::from(i) * (2.0 * radius + gap), radius, 0.0),
        )
    });
    Scene::over_ground(discs.collect(), Surface::new(0.0, 1.0), 9.81)
}

fn speeds(gap: f64, model: Box<dyn ContactModel<2, 3>>, impacts: Impacts) -> Vec<f64> {
    let motion = run(&row(gap), model, impacts, 1e-3, 50).pop().unwrap();
    motion.velocities.iter().map(|velocity| velocity.x).collect()
}

fn assert_speeds(found: &[f64], expected: [f64; 4], tolerance: f64) {
    let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < tolerance, "{found:?}, expected {expected:?}");
}

/// Discs that touch make no cradle; with a gap between them they do. A gap that gravity would close within a step
/// counts as none where the whole impulse acts in one stage.
#[test]
fn a_row_of_elastic_discs() {
    let (together, cradle) = ([-0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 0.0, 1.0]);
    for model in [lcp, nlp, cone, anitescu] {
        assert_speeds(&speeds(0.0, model(), Impacts::OneStage), together, 1e-5);
        assert_speeds(&speeds(1e-3, model(), Impacts::OneStage), cradle, 1e-5);
    }
    for model in [lcp, nlp, cone] {
        assert_speeds(&speeds(1e-5, model(), Impacts::OneStage), together, 1e-5);
        let kept: f64 = speeds(1e-5, model(), Impacts::TwoStage).iter().map(|speed| speed * speed).sum();
        assert!((kept - 0.985).abs() < 1e-3, "{kept} of the energy");
    }
    assert_speeds(&speeds(1e-5, anitescu(), Impacts::OneStage), cradle, 1e-5);
    // Compliant contacts dissipate: the discs go on together.
    let compliant = Box::new(ConvexBodies::new(ConvexSettings { gated: false, ..ConvexSettings::PUBLISHED }));
    assert_speeds(&speeds(0.0, compliant, Impacts::OneStage), [0.25; 4], 6e-3);
}

/// How many of random impacts of a rod gain energy, and how many have a rebound that is reduced.
fn gains(restitution: f64, count: usize) -> (usize, usize) {
    let mut draw = Random::seeded(3);
    let (mut gaining, mut reduced) = (0, 0);
    for _ in 0..count {
        let angle = draw.uniform(0.05, 1.5);
        let body = Body {
            twist: Twist::new(draw.uniform(-3.0, 3.0), draw.uniform(-3.0, -0.1), draw.uniform(-5.0, 5.0)),
            ..Body::new(Shape::rod(1.0).unwrap(), 1.0, Pose::new(0.0, 0.5 * angle.sin(), angle))
        };
        let surface = Surface::new(draw.uniform(0.0, 1.0), restitution);
        let inertia = body.inertia;
        let energy = |v: &Twist| 0.5 * (v.xy().norm_squared() + inertia * v.z * v.z);
        let scene = Scene::over_ground(vec![body], surface, 0.0);
        let mut stepper = TimeStepper::new(lcp(), Impacts::OneStage);
        let mut motion = scene.initial_motion();
        let before = energy(&motion.velocities[0]);
        let report = stepper.step(&scene, &mut motion, &[Twist::zeros()], 1e-6).unwrap();
        gaining += usize::from(energy(&motion.velocities[0]) / before - 1.0 > 1e-8);
        reduced += usize::from(report.impact.is_some_and(|impact| impact.is_capped()));
    }
    (gaining, reduced)
}

/// Up to 0.6 no impact of a rod would gain energy; beyond, friction that turns the slip around may, and the rebound is
/// reduced.
#[test]
fn rods_gain_no_energy_and_are_held_back_at_high_restitution_only() {
    for restitution in [0.0, 0.3, 0.6] {
        assert_eq!(gains(restitution, 1673), (0, 0), "e = {restitution}");
    }
    let (none, some) = gains(0.9, 1673);
    assert!(none == 0 && some > 0, "{none}, {some}");
    let (none, many) = gains(1.0, 1673);
    assert!(none == 0 && many > some, "{none}, {many}");
}

/// How far a square of .5 m turns within 30 steps of `dt` s from where it lands flat at 5.1 m/s, sliding at 2 m/s on ground that
/// it is too rough to slide on, and how fast it rebounds; `phase` is when in its step it lands.
fn landing(model: Box<dyn ContactModel<2, 3>>, restitution: f64, dt: f64, phase: f64) -> [f64; 2] {
    let (side, speed) = (0.5, 5.1);
    let square = Body {
        twist: Twist::new(-2.0, -speed, 0.0),
        ..Body::new(
            Shape::rectangle(side, side).unwrap(),
            1.0,
            Pose::new(0.0, 0.5 * side + (1.0 + phase) * dt * speed, 0.0),
        )
    };
    let scene = Scene::over_ground(vec![square], Surface::new(1.2, restitution), 10.0);
    let motions = run(&scene, model, Impacts::OneStage, dt, 30);
    let turned = motions.iter().map(|motion| motion.poses[0].angle.abs()).fold(0.0, f64::max);
    let rebound = motions.iter().map(|motion| motion.velocities[0].y).fold(0.0, f64::max);
    [turned, rebound]
}

/// The whole impulse of the landing keeps it flat, whenever in a step it comes, though a part of it on which friction
/// acts in full would tip it over.
#[test]
fn a_square_that_lands_flat_stays_flat() {
    for model in [lcp, nlp, cone] {
        for restitution in [0.0, 0.5, 1.0] {
            for dt in [1e-3, 1e-4] {
                for phase in 0..16 {
                    let [turned, rebound] = landing(model(), restitution, dt, f64::from(phase) / 16.0);
                    let what =
                        format!("e {restitution} dt {dt} phase {phase}/16: {turned} rad, {rebound} m/s");
                    assert!(turned < 1e-6, "{what}");
                    assert!((rebound - restitution * 5.1).abs() < 2.0 * 10.0 * dt, "{what}");
                }
            }
        }
    }
}

/// Height over where it lies of a disc that is dropped without losses, at its highest in the last of `seconds`.
fn last_height(model: Box<dyn ContactModel<2, 3>>, start: f64, dt: f64, seconds: f64) -> f64 {
    let disc = Body::new(Shape::disc(0.1).unwrap(), 1.0, Pose::new(0.0, 0.1 + start, 0.0));
    let scene = Scene::over_ground(vec![disc], Surface::new(0.3, 1.0), 9.81);
    let motions = run(&scene, model, Impacts::OneStage, dt, (seconds / dt).round() as usize);
    let last = motions.len() - (1.0 / dt).round() as usize;
    motions[last..].iter().map(|motion| motion.poses[0].position.y - 0.1).fold(0.0, f64::max)
}

/// Whatever the step, and however often it has bounced: sixteen times here.
#[test]
fn a_disc_that_loses_nothing_comes_back_to_where_it_was() {
    for model in [lcp, nlp, cone] {
        for start in [0.5, 0.43] {
            for dt in [1e-3, 2e-3, 1e-2] {
                let height = last_height(model(), start, dt, 10.0);
                // The top is between two steps.
                assert!(
                    (height - start).abs() < 0.5 * 9.81 * (0.5 * dt).powi(2) + 1e-9,
                    "{height} {start} {dt}"
                );
            }
        }
    }
}

/// The height of what is dropped, bounces and ends bouncing, by its closed form.
fn bouncing(t: f64, start: f64, restitution: f64) -> f64 {
    let g = 9.81;
    let fall = (2.0 * start / g).sqrt();
    if t < fall {
        return start - 0.5 * g * t * t;
    }
    let (mut t, mut speed) = (t - fall, restitution * g * fall);
    while t > 2.0 * speed / g {
        t -= 2.0 * speed / g;
        speed *= restitution;
        if speed < 1e-6 {
            return 0.0;
        }
    }
    speed * t - 0.5 * g * t * t
}

/// Within the way of five steps at the speed of the first impact, at first order, over as many bounces as 3 s have.
#[test]
fn bounces_come_when_they_should() {
    for restitution in [0.5, 0.9, 0.98] {
        let error = |dt: f64| {
            let disc = Body::new(Shape::disc(0.1).unwrap(), 1.0, Pose::new(0.0, 0.6, 0.0));
            let scene = Scene::over_ground(vec![disc], Surface::new(0.0, restitution), 9.81);
            let motions = run(&scene, lcp(), Impacts::OneStage, dt, (3.0 / dt).round() as usize);
            let off = motions.iter().enumerate().map(|(k, motion)| {
                (motion.poses[0].position.y - 0.1 - bouncing(k as f64 * dt, 0.5, restitution)).abs()
            });
            off.fold(0.0, f64::max)
        };
        let [coarse, fine] = [error(1e-3), error(2.5e-4)];
        assert!(coarse < 5e-3 * 3.13 && fine < 0.5 * coarse, "e = {restitution}: {coarse} {fine}");
    }
}
