//! Where contacts are what they seem, the way of a step changes nothing: motions are those without it to the last bit.

use nalgebra::{Point2, Vector2, Vector3};
use stickslip_contact::world::{Impacts, Plane, Surface, TimeStepper, planar};

use crate::blind::Blind;
use crate::scenes::{MODELS, disc, fixed, moving, rectangle, run, scene};

/// How far apart the scene and the blind one get in so many steps of 1 ms, in m or rad.
fn apart(name: &str, scene: &planar::Scene, steps: usize) -> f64 {
    let forces = vec![Vector3::zeros(); scene.bodies.len()];
    let mut most = 0.0_f64;
    for (model_name, model) in MODELS {
        let own = run(scene, model(), 1e-3, steps);
        assert_eq!(own.uncertified(), [], "{name}, {model_name}");
        let mut stepper = TimeStepper::new(model(), Impacts::OneStage);
        let mut motion = scene.initial_motion();
        for own in &own.motions {
            for (own, blind) in own.poses.iter().zip(&motion.poses) {
                let turned = (own.angle - blind.angle).abs();
                most = most.max((own.position - blind.position).amax()).max(turned);
            }
            stepper.step(&Blind(scene), &mut motion, &forces, 1e-3).expect("a solution");
        }
    }
    most
}

fn unchanged(name: &str, scene: &planar::Scene, steps: usize) {
    assert_eq!(apart(name, scene, steps), 0.0, "{name}");
}

/// What rounding makes of a landing whose place is found by the way.
const ROUNDING: f64 = 1e-12;

fn rough(friction: f64) -> Surface {
    Surface::new(friction, 0.0)
}

fn box_at(x: f64, z: f64) -> planar::Body {
    moving(rectangle(0.4, 0.2), [x, z, 0.0], [0.0; 3])
}

fn twelve_gon() -> planar::Shape {
    let corner = |i: i32| {
        let angle = f64::from(i) * std::f64::consts::TAU / 12.0;
        Point2::new(0.1 * angle.cos(), 0.1 * angle.sin())
    };
    planar::Shape::polygon(&(0..12).map(corner).collect::<Vec<_>>()).expect("a polygon")
}

#[test]
fn a_box_and_a_ball_in_a_corner() {
    let bodies = vec![
        moving(rectangle(0.3, 0.2), [0.5, 0.11, 0.0], [-1.5, 0.0, 0.0]),
        moving(disc(0.1), [0.9, 0.1, 0.0], [-2.0, 0.0, 0.0]),
    ];
    let mut corner = scene(bodies, rough(0.3), 9.81);
    corner.walls.push(Plane { normal: Vector2::x(), offset: 0.0, velocity: Vector2::zeros() });
    unchanged("corner", &corner, 600);
}

#[test]
fn a_tumbling_box() {
    let body = moving(rectangle(0.3, 0.2), [0.0, 0.5, 0.3], [1.0, 0.0, -4.0]);
    unchanged("tumbling box", &scene(vec![body], rough(0.3), 9.81), 1000);
}

#[test]
fn a_twelve_gon_that_rolls_on_the_ground() {
    let wheel = moving(twelve_gon(), [0.0, 0.1, 0.0], [1.0, 0.0, -10.0]);
    unchanged("12-gon", &scene(vec![wheel], rough(0.5), 9.81), 500);
}

#[test]
fn a_twelve_gon_that_rolls_on_a_box() {
    let across = 0.1 * (std::f64::consts::PI / 12.0).cos();
    let wheel =
        moving(twelve_gon(), [-0.8, 0.5 + across, std::f64::consts::PI / 12.0], [0.3, 0.0, -0.3 / across]);
    let table = fixed(rectangle(3.0, 0.5), [0.0, 0.25, 0.0]);
    let scene = scene(vec![table, wheel], rough(0.5), 9.81);
    unchanged("12-gon on a box", &scene, 200);
    // Corners that come down on the box within a step are found by its way from then on.
    assert!(apart("12-gon on a box", &scene, 300) < 5e-5);
}

#[test]
fn dominoes() {
    let stone = |i: i32| {
        let push = if i == 0 { -3.0 } else { 0.0 };
        moving(rectangle(0.02, 0.1), [0.05 * f64::from(i), 0.05, 0.0], [0.0, 0.0, push])
    };
    unchanged("dominoes", &scene((0..6).map(stone).collect(), rough(0.3), 9.81), 1300);
}

/// Between two planes, and between two boxes that are turned.
#[test]
fn a_wedge_in_a_v() {
    let corners = [(0.0, -0.1), (0.1, 0.0), (-0.1, 0.0)].map(|(x, z)| Point2::new(x, z));
    let wedge = planar::Shape::polygon(&corners).expect("a wedge");
    let angle = 0.25 * std::f64::consts::PI;
    let mut planes = scene(vec![moving(wedge.clone(), [0.0, 0.6, 0.0], [0.0; 3])], rough(0.3), 9.81);
    for sign in [1.0, -1.0] {
        let normal = Vector2::new(-sign * angle.sin(), angle.cos());
        planes.walls.push(Plane {
            normal,
            offset: normal.dot(&Vector2::new(0.0, 0.4)),
            velocity: Vector2::zeros(),
        });
    }
    unchanged("wedge between planes", &planes, 500);
    // The upper faces of the boxes meet in (0, 0.4).
    let block = |sign: f64| {
        let (along, down) =
            (Vector2::new(sign * angle.cos(), angle.sin()), Vector2::new(sign * angle.sin(), -angle.cos()));
        let centre = Vector2::new(0.0, 0.4) + along * 0.5 + down * 0.1;
        fixed(rectangle(1.0, 0.2), [centre.x, centre.y, sign * angle])
    };
    let bodies = vec![block(1.0), block(-1.0), moving(wedge, [0.0, 0.6, 0.0], [0.0; 3])];
    assert!(apart("wedge between boxes", &scene(bodies, rough(0.3), 9.81), 500) < ROUNDING);
}

#[test]
fn a_box_flat_on_two_flush_boxes() {
    let bodies = vec![
        fixed(rectangle(1.0, 1.0), [0.0, 0.5, 0.0]),
        fixed(rectangle(1.0, 1.0), [1.0, 0.5, 0.0]),
        box_at(0.5, 1.1),
    ];
    unchanged("two flush boxes", &scene(bodies, rough(0.5), 9.81), 300);
}

#[test]
fn a_stack_of_five_that_is_dropped() {
    let bodies = (0..5).map(|i| box_at(0.01 * f64::from(i % 2), 0.11 + 0.21 * f64::from(i))).collect();
    unchanged("stack of five", &scene(bodies, rough(0.5), 9.81), 400);
}

#[test]
fn a_stack_of_ten_at_rest() {
    let bodies = (0..10).map(|i| box_at(0.0, 0.1 + 0.2 * f64::from(i))).collect();
    unchanged("stack of ten", &scene(bodies, rough(0.5), 9.81), 300);
}

#[test]
fn a_ball_over_a_ball() {
    let over = |gap: f64| {
        let ball = |z: f64| moving(disc(0.1), [0.0, z, 0.0], [0.0; 3]);
        scene(vec![ball(0.1), ball(0.3 + gap)], rough(0.4), 9.81)
    };
    unchanged("ball on ball", &over(0.0), 600);
    assert!(apart("ball over ball", &over(0.02), 600) < ROUNDING);
}

/// Two discs, one of which rolls off the other, are not in the list: the contact ends within a step.
#[test]
fn a_ball_that_rolls_off_a_ball_takes_few_further_solves() {
    for (name, model) in MODELS {
        let bodies = vec![
            moving(disc(0.1), [0.0, 0.1, 0.0], [0.0; 3]),
            moving(disc(0.1), [0.01, 0.32, 0.0], [0.0; 3]),
        ];
        let run = run(&scene(bodies, rough(0.4), 9.81), model(), 1e-3, 600);
        assert!(run.extra_solves() <= 0.3, "{name}: {}", run.extra_solves());
        assert_eq!(run.uncertified(), [], "{name}");
    }
}
