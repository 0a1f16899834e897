//! What slides along a line on the ground: a box on two contacts, or a point by models that move no more.

use stickslip::stepper::StepperName;

use super::{
    ALL, CONVEX, CREEPING, EXACT, HYBRID, LCP_OF_POINTS, RIGID, Row, SMOOTH, Truth, at, creeping, path, row,
    stop, truth,
};
use crate::{
    GRAVITY,
    friction_laws::{DRY, crate_on, point},
    friction_of_a_point::over_plane,
};

/// A slide as it begins, on this ground and under a push in a vertical plane.
#[derive(Clone, Default)]
struct Slide {
    velocity: f64,
    duration: f64,
    ground: String,
    push: &'static str,
    is_of_a_point: bool,
}

impl Slide {
    fn path(&self, name: StepperName, step: f64) -> Vec<[f64; 2]> {
        let Self { velocity, duration, ref ground, push, is_of_a_point } = *self;
        if LCP_OF_POINTS.contains(&name) {
            // Every vector of a push has 0 upwards, and gets 0 across.
            let push = push.replace(", 0.0]", ", 0.0, 0.0]");
            let mut slide = over_plane([velocity, 0.0, 0.0], duration, ground, &push);
            slide.step = step;
            return path(&slide, name);
        }
        let make = if is_of_a_point || HYBRID.contains(&name) { point } else { crate_on };
        let mut slide = make(velocity, duration, ground, push);
        slide.step = step;
        path(&slide, name)
    }
}

/// All that take two coefficients.
fn all() -> Vec<StepperName> {
    [&ALL, HYBRID, LCP_OF_POINTS].concat()
}

/// Those but the ones that let creep what sticks.
fn but_creeping() -> Vec<StepperName> {
    [RIGID, EXACT, HYBRID, LCP_OF_POINTS].concat()
}

/// When and where a slide stops.
fn stops(name: &'static str, models: &[StepperName], truths: Vec<Truth>, slide: Slide) -> Row {
    row(name, models, truths, move |name, step| stop(&slide.path(name, step), step))
}

/// How fast a slide is at some time.
fn is_as_fast(
    name: &'static str,
    models: &[StepperName],
    truths: Vec<Truth>,
    (slide, time): (Slide, f64),
) -> Row {
    row(name, models, truths, move |name, step| vec![at(&slide.path(name, step), time, step)[1]])
}

/// A slip of 1.05 m/s that hits the ground at 3 m/s: how fast it is two steps later, but for what friction under its weight has taken
/// of it since the start. What falls a tenth of a step gains as much on the way as friction takes in that time, so that this is exact.
fn impact(models: &[StepperName], limit: f64) -> Row {
    row("impact", models, vec![truth("v", 0.3, limit)], |name, step| {
        let height = 0.1 * step;
        let after = if LCP_OF_POINTS.contains(&name) {
            let mut thrown = over_plane([1.05, 0.0, -3.0], 10.0 * step, DRY, "");
            (thrown.step, thrown.bodies[0].position[2]) = (step, height);
            path(&thrown, name)[2]
        } else {
            let mut thrown = point(1.05, 10.0 * step, DRY, "");
            (thrown.step, thrown.bodies[0].velocity[1], thrown.bodies[0].position[1]) = (step, -3.0, height);
            path(&thrown, name)[2]
        };
        vec![after[1] + 0.25 * GRAVITY * 2.0 * step]
    })
}

/// How fast a push of 2 N/s has something one second after it should have broken away, at 1.962 s.
pub(super) fn growing_push(models: &[StepperName], limit: f64) -> Row {
    let slide = Slide {
        duration: 3.0,
        ground: DRY.to_owned(),
        push: "[[push]]\ntable = [[0.0, 0.0, 0.0], [4.0, 8.0, 0.0]]\n",
        ..Slide::default()
    };
    is_as_fast("pushed by 2 N/s", models, vec![truth("v", 2.4715, limit)], (slide, 2.962))
}

/// It slides from 2 m/s, at first on a coefficient of 1.2, under which `convex` throws up what slides: boxes over their front, so that
/// a point does it there.
fn viscous(models: &[StepperName], limits: [f64; 2]) -> Row {
    let slide = Slide {
        velocity: 2.0,
        duration: 0.6,
        ground: "friction = 0.2\nviscous_friction = 0.5".to_owned(),
        is_of_a_point: models == CONVEX,
        ..Slide::default()
    };
    let truths = vec![truth("t", 0.365_292, limits[0]), truth("x", 0.261_630, limits[1])];
    stops("viscous, from 2 m/s", models, truths, slide)
}

pub(super) fn rows() -> Vec<Row> {
    let dry = |more: &str| format!("{DRY}\n{more}");
    vec![
        is_as_fast(
            "slips at 21.9 degrees",
            &all(),
            vec![truth("v", 0.691_746, 8e-3)],
            (Slide { duration: 0.5, ground: dry("slope = 21.9"), ..Slide::default() }, 0.5),
        ),
        stops(
            "up 20 degrees",
            &all(),
            vec![truth("t", 0.176_684, 2e-3), truth("x", -0.088_342, 1e-3)],
            Slide { velocity: -1.0, duration: 0.4, ground: dry("slope = 20.0"), ..Slide::default() },
        ),
        impact(&but_creeping(), 1e-4),
        // Its springs give back some of the blow.
        impact(SMOOTH, 6e-2),
        stops(
            "pushed by 4.5 N for 0.5 s",
            &all(),
            vec![truth("t", 0.917_431, 2e-3), truth("x", 0.469_610, 2e-3)],
            Slide {
                duration: 1.2,
                ground: DRY.to_owned(),
                push: "[[push]]\nforce = [4.5, 0.0]\nto = 0.5\n",
                ..Slide::default()
            },
        ),
        growing_push(&[RIGID, HYBRID, LCP_OF_POINTS].concat(), 5e-3),
        creeping(growing_push(CREEPING, 2e-2)),
        stops(
            "Stribeck, from 1 m/s",
            &all(),
            vec![truth("t", 0.392_286, 2e-3), truth("x", 0.202_915, 1e-3)],
            Slide {
                velocity: 1.0,
                duration: 0.6,
                ground: dry("stribeck_velocity = 0.1"),
                ..Slide::default()
            },
        ),
        viscous(&[but_creeping(), SMOOTH.to_vec()].concat(), [2e-3, 2e-3]),
        viscous(CONVEX, [2e-3, 4e-3]),
    ]
}
