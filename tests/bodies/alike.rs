//! A scene that is mirrored, moved, turned about the vertical, or whose bodies stand in another order with other names moves
//! alike.

use std::f64::consts::PI;

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::SliceRandom};
use stickslip::{
    model::{Orientation, Spin, Vector},
    scenario::{Body, Choice, Ground, Scenario, Shape},
    stepper::{BuildStepper, StepperName},
    trajectory::Trajectory,
    world::Impacts,
};

use crate::scenes::run;

const MODELS: [StepperName; 4] =
    [StepperName::NLP, StepperName::LCP, StepperName::LCP_ANITESCU, StepperName::CONVEX];
/// Those without an edge of their polygon along which friction is another one.
const ROUND_MODELS: [StepperName; 2] = [StepperName::NLP, StepperName::CONVEX];

/// How far apart in m alike scenes may end.
const IN_THE_PLANE: f64 = 1e-6;
/// The same where bodies have another order and blows are followed: two faces that meet within a step touch on that of the body
/// that comes first, so that the levers of friction differ by what is still between them.
const RENAMED: f64 = 1e-4;
/// The same in space, where a box that slides on a face shares its load among four corners in more ways than one, and is turned
/// by friction as it does: by which of them rounding leads a solver to.
const IN_SPACE: f64 = 1e-4;

/// Discs and boxes of some kilograms that are thrown at each other and at the ground.
fn scene_in_the_plane(rng: &mut StdRng) -> Scenario<2> {
    let body = |place: usize, rng: &mut StdRng| {
        let shape = match rng.random_bool(0.5) {
            true => Shape::Ball { radius: rng.random_range(0.05..0.15) },
            false => {
                Shape::Box { size: Vector::<2>::new(rng.random_range(0.1..0.3), rng.random_range(0.1..0.2)) }
            }
        };
        Body {
            shape,
            orientation: Orientation::Angle(rng.random_range(-PI..PI)),
            spin: Spin::new(rng.random_range(-3.0..3.0), 0.0, 0.0),
            ..Body::point(
                rng.random_range(0.5..5.0),
                [0.4 * place as f64, rng.random_range(0.2..0.5)],
                [rng.random_range(-2.0..2.0), rng.random_range(-2.0..0.0)],
            )
        }
    };
    Scenario {
        duration: 0.25,
        bodies: (0..4).map(|place| body(place, rng)).collect(),
        ground: Ground { friction: rng.random_range(0.1..0.8), ..Ground::default() },
        ..Scenario::new("alike")
    }
}

/// The same in space.
fn scene_in_space(rng: &mut StdRng) -> Scenario<3> {
    let body = |place: usize, rng: &mut StdRng| {
        let shape = match rng.random_bool(0.5) {
            true => Shape::Ball { radius: rng.random_range(0.05..0.15) },
            false => Shape::Box {
                size: Vector::<3>::new(
                    rng.random_range(0.1..0.3),
                    rng.random_range(0.1..0.2),
                    rng.random_range(0.1..0.2),
                ),
            },
        };
        let axis = Vector::<3>::new(rng.random_range(-PI..PI), rng.random_range(-1.0..1.0), 0.3);
        Body {
            shape,
            orientation: Orientation::Quaternion(nalgebra::UnitQuaternion::new(axis)),
            spin: Spin::new(
                rng.random_range(-3.0..3.0),
                rng.random_range(-3.0..3.0),
                rng.random_range(-3.0..3.0),
            ),
            ..Body::point(
                rng.random_range(0.5..5.0),
                [0.4 * (place % 2) as f64, 0.4 * (place / 2) as f64, rng.random_range(0.25..0.5)],
                [rng.random_range(-1.5..1.5), rng.random_range(-1.5..1.5), rng.random_range(-2.0..0.0)],
            )
        }
    };
    Scenario {
        duration: 0.2,
        bodies: (0..4).map(|place| body(place, rng)).collect(),
        ground: Ground { friction: rng.random_range(0.1..0.8), ..Ground::default() },
        ..Scenario::new("alike")
    }
}

/// How far apart two runs end, in m: where the `order[i]`-th body of the second is, taken `back`, is the `i`-th of the first.
fn apart<const D: usize>(
    [first, second]: [&Trajectory<D>; 2],
    order: &[usize],
    back: impl Fn(Vector<D>) -> Vector<D>,
) -> f64 {
    let off = |(own, &other): (usize, &usize)| {
        (first.final_state(own).position - back(second.final_state(other).position)).amax()
    };
    order.iter().enumerate().map(off).fold(0.0, f64::max)
}

/// A run, and how far another that is to be alike may end from it in m: by `allowed`, or, where impacts amplify what solvers
/// leave, ten times as far as bodies that start up to four nanometres elsewhere.
fn with_allowance<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    allowed: f64,
) -> (Trajectory<D>, f64)
where
    Scenario<D>: BuildStepper<D>,
{
    let own = run(scenario, name);
    let mut elsewhere = scenario.clone();
    for (number, body) in elsewhere.bodies.iter_mut().enumerate() {
        body.position[0] += 1e-9 * (number + 1) as f64;
    }
    let order: Vec<usize> = (0..scenario.bodies.len()).collect();
    let control = apart([&own, &run(&elsewhere, name)], &order, |at| at);
    (own, (10.0 * control).max(allowed))
}

#[track_caller]
fn assert_alike<const D: usize>(
    what: &str,
    (first, allowed): &(Trajectory<D>, f64),
    second: &Trajectory<D>,
    order: &[usize],
    back: impl Fn(Vector<D>) -> Vector<D>,
) {
    let off = apart([first, second], order, back);
    assert!(off <= *allowed, "{what}: a body is off by {off:e} m, and may be by {allowed:e}");
}

#[test]
fn mirrored_moved_and_renamed_scenes_move_alike_in_the_plane() {
    let mut rng = StdRng::seed_from_u64(7);
    let (mut touched, mut as_asked) = (0, 0);
    for number in 0..30 {
        let scenario = scene_in_the_plane(&mut rng);
        let order: Vec<usize> = (0..scenario.bodies.len()).collect();
        let mut mirrored = scenario.clone();
        for body in &mut mirrored.bodies {
            body.position[0] *= -1.0;
            body.velocity[0] *= -1.0;
            body.spin = -body.spin;
            if let Orientation::Angle(angle) = &mut body.orientation {
                *angle *= -1.0;
            }
        }
        let mut moved = scenario.clone();
        moved.bodies.iter_mut().for_each(|body| body.position[0] += 100.0);
        let (shuffled, place) = in_another_order(&scenario, &mut rng);
        for (impacts, where_renamed) in [(Impacts::OneStage, IN_THE_PLANE), (Impacts::Incremental, RENAMED)] {
            let by = |scenario: &Scenario<2>| {
                let mut scenario = scenario.clone();
                scenario.steppers.impacts = Some(impacts);
                scenario
            };
            for name in MODELS {
                let own = with_allowance(&by(&scenario), name, IN_THE_PLANE);
                touched += usize::from(!own.0.contacts.is_empty());
                as_asked += usize::from(own.1 <= IN_THE_PLANE);
                let what = format!("scene {number} by {name}, {}", impacts.as_str());
                let mirrored = run(&by(&mirrored), name);
                assert_alike(&format!("{what}, mirrored"), &own, &mirrored, &order, |mut at| {
                    at[0] *= -1.0;
                    at
                });
                assert_alike(&format!("{what}, moved"), &own, &run(&by(&moved), name), &order, |mut at| {
                    at[0] -= 100.0;
                    at
                });
                let own = (own.0, own.1.max(where_renamed));
                assert_alike(&format!("{what}, renamed"), &own, &run(&by(&shuffled), name), &place, |at| at);
            }
        }
    }
    assert!(touched >= 200, "{touched} of 240 runs met something");
    assert!(as_asked >= 180, "{as_asked} of 240 runs are held to a micrometre");
}

#[test]
fn turned_moved_and_renamed_scenes_move_alike_in_space() {
    let mut rng = StdRng::seed_from_u64(8);
    let mut as_asked = 0;
    for number in 0..15 {
        let scenario = scene_in_space(&mut rng);
        let order: Vec<usize> = (0..scenario.bodies.len()).collect();
        let turn =
            nalgebra::UnitQuaternion::from_axis_angle(&Vector::<3>::z_axis(), rng.random_range(-PI..PI));
        let mut turned = scenario.clone();
        for body in &mut turned.bodies {
            body.position = turn * body.position;
            body.velocity = turn * body.velocity;
            if let Orientation::Quaternion(own) = &mut body.orientation {
                *own = turn * *own;
            }
        }
        let mut moved = scenario.clone();
        moved.bodies.iter_mut().for_each(|body| body.position[1] += 100.0);
        let (shuffled, place) = in_another_order(&scenario, &mut rng);
        for name in ROUND_MODELS {
            let own = with_allowance(&scenario, name, IN_SPACE);
            as_asked += usize::from(own.1 <= IN_SPACE);
            let what = format!("scene {number} by {name}");
            let back = turn.inverse();
            assert_alike(&format!("{what}, turned"), &own, &run(&turned, name), &order, |at| back * at);
            assert_alike(&format!("{what}, moved"), &own, &run(&moved, name), &order, |mut at| {
                at[1] -= 100.0;
                at
            });
            assert_alike(&format!("{what}, renamed"), &own, &run(&shuffled, name), &place, |at| at);
        }
    }
    assert!(as_asked >= 20, "{as_asked} of 30 runs are held to the allowance itself");
}

/// The scenario with its bodies in another order and under other names, and where each of them is in it.
fn in_another_order<const D: usize>(scenario: &Scenario<D>, rng: &mut StdRng) -> (Scenario<D>, Vec<usize>)
where
    Scenario<D>: BuildStepper<D>,
{
    let mut from: Vec<usize> = (0..scenario.bodies.len()).collect();
    from.shuffle(rng);
    let bodies = from.iter().enumerate().map(|(place, &number)| Body {
        name: Some(format!("other-{}", from.len() - place)),
        ..scenario.bodies[number].clone()
    });
    let shuffled = Scenario { bodies: bodies.collect(), ..scenario.clone() };
    let place = |number: usize| from.iter().position(|&other| other == number);
    let places = (0..from.len()).filter_map(place).collect();
    (shuffled, places)
}
