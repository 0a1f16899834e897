//! Pushes on bodies that turn: closed forms.

use std::f64::consts::PI;

use nalgebra::UnitQuaternion;
use stickslip::{
    model::{Orientation, Spin},
    scenario::{Body, Push, Scenario, Shape},
    stepper::{EventKind, Exact},
};

use crate::support::{assert_close, ball, run, sine, window};

const G: f64 = 9.81;

fn world<const D: usize>(body: Body<D>, pushes: Vec<Push<D>>, duration: f64) -> Scenario<D> {
    let mut scenario = Scenario::new("pushed");
    scenario.bodies = vec![body];
    scenario.pushes = pushes;
    scenario.ground.friction = 0.4;
    scenario.duration = duration;
    scenario.step = 0.01;
    scenario
}

fn boxed(size: [f64; 2], position: [f64; 2]) -> Body<2> {
    Body { shape: Shape::Box { size: size.into() }, ..Body::point(2.0, position, [0.0; 2]) }
}

fn angle(attitude: Option<&stickslip::model::Attitude>) -> f64 {
    match attitude.expect("it turns").orientation {
        Orientation::Angle(angle) => angle,
        Orientation::Quaternion(_) => panic!("in the plane"),
    }
}

/// Force and torque of a window on a box in flight: parabolas between the edges.
#[test]
fn a_flying_box_is_pushed_and_turned_in_a_window() {
    let push = Push { torque: Spin::new(0.3, 0.0, 0.0), ..window([4.0, 2.0], 0.13, 0.377) };
    let (trajectory, _) = run(&world(boxed([0.4, 0.2], [0.0, 30.0]), vec![push], 1.0));
    let (width, after) = (0.377 - 0.13, 1.0 - 0.377);
    let way = |a: f64| 0.5 * a * width * width + a * width * after;
    assert_close(trajectory.final_state(0).position, [way(2.0), 30.0 - 0.5 * G + way(1.0)], 1e-12);
    let inertia = 2.0 * (0.16 + 0.04) / 12.0;
    assert!((angle(trajectory.bodies[0].attitudes.last()) - way(0.3 / inertia)).abs() < 1e-11);
}

/// A box on the ground: it slides where the push is stronger than friction, and stops when that is over.
#[test]
fn a_box_is_pushed_along_the_ground() {
    let pushed = |force: f64| {
        let scenario = world(boxed([1.0, 0.2], [0.0, 0.1]), vec![window([force, 0.0], 0.0, 0.5)], 2.0);
        run(&scenario).0
    };
    let held = pushed(0.39 * 2.0 * G);
    assert_close(held.final_state(0).position, [0.0, 0.1], 1e-15);
    let a = 12.0 / 2.0 - 0.4 * G;
    let speed = 0.5 * a;
    let way = 0.125 * a + speed * speed / (2.0 * 0.4 * G);
    let slid = pushed(12.0);
    assert_close(slid.final_state(0).position, [way, 0.1], 1e-12);
    let forces = slid.bodies[0].steps[20].force;
    assert_close(forces, [-0.4 * 2.0 * G, 2.0 * G], 1e-9);
}

/// A torque tips a box where it is more than `m g w/2`, about its corner.
#[test]
fn a_torque_tips_a_box_over_its_corner() {
    let tipped = |torque: f64| {
        let push = Push { torque: Spin::new(torque, 0.0, 0.0), ..Push::constant([0.0, 0.0]) };
        let mut scenario = world(boxed([0.4, 0.8], [0.0, 0.4]), vec![push], 0.2);
        scenario.ground.friction = 5.0;
        run(&scenario).0
    };
    let limit = 2.0 * G * 0.2;
    assert_eq!(angle(tipped(0.99 * limit).bodies[0].attitudes.last()), 0.0);
    let turned = angle(tipped(1.5 * limit).bodies[0].attitudes.last());
    // At first by half the limit about the corner: I + m r^2 = m (w^2 + h^2)/3.
    let first = 0.5 * limit / (2.0 * 0.8 / 3.0);
    assert!(turned > 0.5 * first * 0.04 && turned < 0.55 * first * 0.04 * 1.1, "{turned} {first}");
    let contacts = tipped(0.99 * limit).contacts.of_step(3).to_vec();
    let loads: Vec<f64> = contacts.iter().map(|contact| contact.force[1]).collect();
    assert!((loads.iter().sum::<f64>() - 2.0 * G).abs() < 1e-9);
    let left = contacts.iter().min_by(|a, b| a.point[0].total_cmp(&b.point[0])).unwrap();
    assert!((left.force[1] - 0.995 * 2.0 * G).abs() < 1e-9, "{loads:?}");
}

/// A sphere that a torque drives rolls by `T R/(I + m R^2)`, and spins on the spot where friction is too weak.
#[test]
fn a_driven_sphere_rolls_or_spins() {
    let radius = 0.2;
    let inertia = 0.4 * 2.0 * radius * radius;
    let driven = |friction: f64, torque: f64| {
        let push = Push { torque: Spin::new(0.0, torque, 0.0), ..Push::constant([0.0; 3]) };
        let mut scenario = world(ball(radius, [0.0, 0.0, radius], [0.0; 3]), vec![push], 1.0);
        scenario.ground.friction = friction;
        run(&scenario).0
    };
    let rolling = 1.0 * radius / (inertia + 2.0 * radius * radius);
    assert_close(driven(0.4, 1.0).final_state(0).velocity, [rolling, 0.0, 0.0], 1e-12);
    let spinning = driven(0.05, 1.0);
    assert_close(spinning.final_state(0).velocity, [0.05 * G, 0.0, 0.0], 1e-12);
    let attitude = spinning.bodies[0].attitudes.last().unwrap();
    let spin = (1.0 - 0.05 * 2.0 * G * radius) / inertia;
    assert!((attitude.spin.y - spin).abs() < 1e-9 * spin, "{}", attitude.spin);
    let turned = UnitQuaternion::from_scaled_axis(Spin::new(0.0, 0.5 * spin, 0.0));
    let Orientation::Quaternion(turn) = attitude.orientation else { panic!("in space") };
    assert!(turn.angle_to(&turned) < 1e-9);
}

/// A sine on a disc that rolls: `a = F sin(w t)/(m + I/R^2)`.
#[test]
fn a_swinging_push_rolls_a_disc_to_and_fro() {
    let mut scenario = world(ball(0.1, [0.0, 0.1], [0.0; 2]), vec![sine([3.0, 0.0], 1.0, 0.0)], 0.7);
    scenario.step = 0.1;
    let (trajectory, events) = run(&scenario);
    let (a, w, t) = (3.0 / 3.0, 2.0 * PI, 0.7);
    assert_close(trajectory.final_state(0).velocity, [a / w * (1.0 - (w * t).cos()), 0.0], 1e-13);
    assert_close(trajectory.final_state(0).position, [a / w * t - a / (w * w) * (w * t).sin(), 0.1], 1e-13);
    assert!(!events.iter().any(|event| event.kind == EventKind::SlidingStarts), "{events:?}");
}

#[test]
fn what_has_no_closed_form_is_refused_with_the_reason() {
    let why = |pushes: Vec<Push<2>>| {
        Exact::new(&world(boxed([0.4, 0.2], [0.0, 30.0]), pushes, 1.0)).unwrap_err().to_string()
    };
    assert!(why(vec![sine([1.0, 0.0], 2.0, 0.0)]).contains("swings"));
    let aside = Push { point: Some([0.1, 0.0].into()), ..Push::constant([1.0, 0.0]) };
    assert!(why(vec![aside.clone()]).contains("beside the centre of mass"));
    // At the centre it is one like others.
    let centred = Push { point: Some([0.0, 0.0].into()), ..aside };
    assert!(Exact::new(&world(boxed([0.4, 0.2], [0.0, 30.0]), vec![centred], 1.0)).is_ok());
}
