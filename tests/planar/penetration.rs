//! How deep bodies get into each other.

use stickslip::{
    random::Random,
    world::{
        Impacts, Surface,
        planar::{Body, Pose, Scene, Shape, Twist},
    },
};

use crate::stepping::{cone, lcp, nlp, run};

/// Rods at up to 60 rad/s and 30 m/s: nothing tunnels. The linearised gap of a turning corner misses at most
/// `dt^2 omega^2 rho/2` in a step, and of that a ninth in steps in which it turns little.
#[test]
fn fast_rods_do_not_tunnel() {
    let mut draw = Random::seeded(5);
    for index in 0..400 {
        let (length, dt) = (draw.uniform(0.2, 1.5), if index % 2 == 0 { 1e-3 } else { 1e-2 });
        let angle = draw.uniform(-3.0, 3.0);
        let body = Body {
            twist: Twist::new(draw.uniform(-10.0, 10.0), draw.uniform(-30.0, 0.0), draw.uniform(-60.0, 60.0)),
            ..Body::new(Shape::rod(length).unwrap(), 1.0, Pose::new(0.0, draw.uniform(1.0, 2.0), angle))
        };
        let friction = draw.uniform(0.0, 1.0);
        let scene = Scene::over_ground(vec![body], Surface::new(friction, 0.0), 9.81);
        let motions = run(&scene, lcp(), Impacts::OneStage, dt, (0.5 / dt) as usize);
        let turns = motions.windows(2).map(|pair| (pair[1].poses[0].angle - pair[0].poses[0].angle).abs());
        let fastest = turns.fold(0.0, f64::max) / dt;
        let share = if dt < 5e-3 { 0.11 } else { 1.0 };
        let allowed = share * (dt * fastest).powi(2) * 0.25 * length + 1e-9;
        let deepest = motions
            .iter()
            .map(|motion| {
                let Pose { position, angle } = motion.poses[0];
                0.5 * length * angle.sin().abs() - position.y
            })
            .fold(f64::NEG_INFINITY, f64::max);
        assert!(deepest <= allowed, "{index}: {deepest:e} of {allowed:e}, {fastest} rad/s, step {dt}");
    }
}

/// An overlap of 1 mm that is there at the start is kept: undone in a step it would throw the box 50 mm up.
#[test]
fn an_overlap_that_was_there_throws_nothing() {
    for model in [lcp, nlp, cone] {
        let body = Body::new(Shape::rectangle(0.4, 0.2).unwrap(), 1.0, Pose::new(0.0, 0.1 - 1e-3, 0.0));
        let scene = Scene::over_ground(vec![body], Surface::new(0.5, 0.0), 9.81);
        let motions = run(&scene, model(), Impacts::OneStage, 1e-3, 300);
        for motion in &motions {
            assert!((motion.poses[0].position.y - 0.099).abs() < 1e-8, "{:?}", motion.poses[0]);
        }
    }
}
