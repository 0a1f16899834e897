//! Where contacts are what they seem, nothing is solved again.

use nalgebra::Point2;
use stickslip_contact::world::{Surface, planar};

use crate::scenes::{MODELS, disc, fixed, moving, rectangle, run, scene};

fn extra(name: &str, bodies: Vec<planar::Body>, surface: Surface, steps: usize, most: f64) {
    for (model_name, model) in MODELS {
        let run = run(&scene(bodies.clone(), surface, 9.81), model(), 1e-3, steps);
        assert!(run.extra_solves() <= most, "{name}, {model_name}: {}", run.extra_solves());
        assert_eq!(run.unsettled(), 0, "{name}, {model_name}");
    }
}

#[test]
fn a_stack_at_rest_takes_no_further_solve() {
    let bodies = (0..10)
        .map(|i| moving(rectangle(0.4, 0.2), [0.0, 0.1 + 0.2 * f64::from(i), 0.0], [0.0; 3]))
        .collect();
    extra("stack", bodies, Surface::new(0.5, 0.0), 300, 0.0);
}

#[test]
fn a_box_on_two_flush_boxes_takes_no_further_solve() {
    let bodies = vec![
        fixed(rectangle(1.0, 1.0), [0.0, 0.5, 0.0]),
        fixed(rectangle(1.0, 1.0), [1.0, 0.5, 0.0]),
        moving(rectangle(0.4, 0.2), [0.5, 1.1, 0.0], [0.0; 3]),
    ];
    extra("two boxes", bodies, Surface::new(0.5, 0.0), 200, 0.0);
}

#[test]
fn what_rolls_and_tumbles_takes_few_further_solves() {
    let corners: Vec<_> = (0..12)
        .map(|i| {
            let angle = f64::from(i) * std::f64::consts::TAU / 12.0;
            Point2::new(0.1 * angle.cos(), 0.1 * angle.sin())
        })
        .collect();
    let wheel = planar::Shape::polygon(&corners).unwrap();
    extra(
        "12-gon",
        vec![moving(wheel, [0.0, 0.1, 0.0], [1.0, 0.0, -10.0])],
        Surface::new(0.5, 0.0),
        500,
        0.05,
    );
    let tumbling = vec![moving(rectangle(0.3, 0.2), [0.0, 0.5, 0.3], [1.0, 0.0, -4.0])];
    extra("tumbling box", tumbling, Surface::new(0.3, 0.2), 1000, 0.05);
    let pile =
        vec![moving(disc(0.1), [0.0, 0.1, 0.0], [0.0; 3]), moving(disc(0.1), [0.01, 0.32, 0.0], [0.0; 3])];
    extra("ball over ball", pile, Surface::new(0.4, 0.0), 600, 0.3);
    let dominoes = (0..6)
        .map(|i| {
            moving(
                rectangle(0.02, 0.1),
                [0.05 * f64::from(i), 0.05, 0.0],
                [0.0, 0.0, if i == 0 { -3.0 } else { 0.0 }],
            )
        })
        .collect();
    extra("dominoes", dominoes, Surface::new(0.3, 0.0), 1300, 0.05);
}
