//! Bodies of several parts: what they weigh, and where they touch.

use nalgebra::{Matrix3, UnitQuaternion, Vector2, Vector3};
use stickslip_contact::world::{Surface, deepest_on_way, planar, spatial};

use crate::scenes::{
    MODELS, MODELS_IN_SPACE, cuboid, disc, fixed, in_space, moving, rectangle, run, scene, solid, sphere,
    tiles,
};

/// A body in the plane of uniform members, each with its mass, at `(x, z, angle)`.
fn compound(members: &[(planar::Shape, f64, [f64; 3])]) -> planar::Shape {
    let members: Vec<_> = members
        .iter()
        .map(|(shape, mass, [x, z, angle])| {
            planar::Member::uniform(shape.clone(), *mass, planar::Pose::new(*x, *z, *angle))
        })
        .collect();
    planar::Shape::compound(&members).expect("parts").0
}

/// A body of that shape that weighs what its parts do.
fn weighing(shape: planar::Shape, mass: f64, pose: [f64; 3], velocity: [f64; 3]) -> planar::Body {
    let body = moving(shape, pose, velocity);
    planar::Body { mass, inertia: body.shape.inertia(mass), ..body }
}

#[test]
fn two_halves_weigh_as_the_whole_does() {
    let whole = rectangle(0.6, 0.2);
    let members = [-0.15, 0.15]
        .map(|x| planar::Member::uniform(rectangle(0.3, 0.2), 1.5, planar::Pose::new(2.0 + x, -1.0, 0.0)));
    let (halves, centre) = planar::Shape::compound(&members).unwrap();
    assert!((centre - Vector2::new(2.0, -1.0)).norm() < 1e-15);
    assert!((halves.inertia(3.0) - whole.inertia(3.0)).abs() < 1e-15);
    assert!((halves.reach() - whole.reach()).abs() < 1e-15);
    assert!((halves.area() - 0.12).abs() < 1e-15);
}

#[test]
fn an_l_has_the_centre_and_the_inertia_of_its_legs() {
    // Legs of 0.4 by 0.1 lying and 0.1 by 0.3 standing on its left end, of one density.
    let lying = planar::Member::uniform(rectangle(0.4, 0.1), 4.0, planar::Pose::new(0.2, 0.05, 0.0));
    let upright = planar::Pose::new(0.05, 0.25, std::f64::consts::FRAC_PI_2);
    let standing = planar::Member::uniform(rectangle(0.3, 0.1), 3.0, upright);
    let (shape, centre) = planar::Shape::compound(&[lying, standing]).unwrap();
    let expected = Vector2::new((4.0 * 0.2 + 3.0 * 0.05) / 7.0, (4.0 * 0.05 + 3.0 * 0.25) / 7.0);
    assert!((centre - expected).norm() < 1e-15, "{centre}");
    let own: f64 = 4.0 * (0.16 + 0.01) / 12.0 + 3.0 * (0.09 + 0.01) / 12.0;
    let apart = Vector2::<f64>::new(0.15, -0.2).norm_squared() * 12.0 / 7.0;
    assert!((shape.inertia(7.0) - own - apart).abs() < 1e-15);
}

#[test]
fn a_turned_part_in_space_has_its_tensor_turned() {
    let turn = UnitQuaternion::from_euler_angles(0.3, -0.7, 1.1);
    let at = |place: Vector3<f64>, orientation| spatial::Pose { position: place, orientation };
    let box_ = cuboid([0.4, 0.2, 0.1]);
    let members = [
        spatial::Member::uniform(box_.clone(), 2.0, at(Vector3::new(0.1, 0.2, 0.3), turn)),
        spatial::Member::uniform(
            sphere(0.1),
            1.0,
            at(Vector3::new(-0.2, 0.0, 0.1), UnitQuaternion::identity()),
        ),
    ];
    let (shape, centre) = spatial::Shape::compound(&members).unwrap();
    let arms = members.each_ref().map(|member| member.pose.position - centre);
    assert!((arms[0] * 2.0 + arms[1]).norm() < 1e-15);
    let spread = |mass: f64, arm: &Vector3<f64>| {
        (Matrix3::from_diagonal_element(arm.norm_squared()) - arm * arm.transpose()) * mass
    };
    let rotation = *turn.to_rotation_matrix().matrix();
    let expected = rotation * box_.inertia(2.0) * rotation.transpose()
        + Matrix3::from_diagonal_element(0.4 * 0.01)
        + spread(2.0, &arms[0])
        + spread(1.0, &arms[1]);
    assert!((shape.inertia(3.0) - expected).amax() < 1e-15);
    let volume = 0.4 * 0.2 * 0.1 + 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    assert!((shape.volume() - volume).abs() < 1e-15);
}

#[test]
fn no_parts_are_no_body() {
    assert_eq!(planar::Shape::compound(&[]).unwrap_err(), planar::ShapeError::NoParts);
    assert_eq!(spatial::Shape::compound(&[]).unwrap_err(), spatial::ShapeError::NoParts);
}

#[test]
fn a_body_of_one_part_moves_as_the_plain_one() {
    for shape in [rectangle(0.3, 0.2), disc(0.15), planar::Shape::rod(0.4).unwrap()] {
        let of_one = compound(&[(shape.clone(), 0.7, [3.0, -2.0, 0.0])]);
        for (name, model) in MODELS {
            let [plain, parts] = [shape.clone(), of_one.clone()].map(|shape| {
                let bodies = vec![
                    moving(shape, [0.0, 0.5, 0.3], [1.0, 0.0, -4.0]),
                    moving(rectangle(0.2, 0.2), [0.3, 0.1, 0.0], [0.0; 3]),
                ];
                run(&scene(bodies, Surface::new(0.3, 0.2), 9.81), model(), 1e-3, 600)
            });
            let differ = plain.end().poses.iter().zip(&parts.end().poses).map(|(plain, parts)| {
                (plain.position - parts.position).amax().max((plain.angle - parts.angle).abs())
            });
            assert!(differ.fold(0.0, f64::max) <= 1e-12, "{name} {shape:?}");
        }
    }
    for shape in [cuboid([0.3, 0.2, 0.1]), sphere(0.15)] {
        let member = spatial::Member::uniform(shape.clone(), 0.7, spatial::Pose::upright(1.0, 2.0, 3.0));
        let of_one = spatial::Shape::compound(&[member]).unwrap().0;
        for (name, model) in MODELS_IN_SPACE {
            let [plain, parts] = [shape.clone(), of_one.clone()].map(|shape| {
                let mut thrown = solid(shape, 1.0, [0.0, 0.0, 0.5], [1.0, 0.2, 0.0], false);
                thrown.twist[4] = 3.0;
                run(&in_space(vec![thrown], Surface::new(0.3, 0.2), 9.81), model(), 1e-3, 400)
            });
            let (plain, parts) = (plain.end(), parts.end());
            assert!((plain.poses[0].position - parts.poses[0].position).norm() <= 1e-12, "{name}");
            assert!(plain.poses[0].orientation.angle_to(&parts.poses[0].orientation) <= 1e-7, "{name}");
        }
    }
}

#[test]
fn a_crate_of_two_boxes_slides_over_seams_as_one_box_does() {
    let crate_ = || {
        compound(&[(rectangle(0.2, 0.2), 0.5, [-0.1, 0.0, 0.0]), (rectangle(0.2, 0.2), 0.5, [0.1, 0.0, 0.0])])
    };
    for (name, model) in MODELS {
        for (speed, friction) in [(3.0, 0.0), (30.0, 0.0), (3.0, 0.2)] {
            let mut bodies = tiles();
            bodies.push(moving(crate_(), [0.3137, 1.1, 0.0], [speed, 0.0, 0.0]));
            let steps = if speed > 10.0 { 200 } else { 800 };
            let dt = 1e-3;
            let run = run(&scene(bodies, Surface::new(friction, 0.0), 9.81), model(), dt, steps);
            let end = run.end().poses[9];
            let expected = (1..=steps).fold((0.3137, speed), |(x, v), _| {
                let v: f64 = (v - friction * 9.81 * dt).max(0.0);
                (x + dt * v, v)
            });
            assert!((end.position.x - expected.0).abs() < 1e-6, "{name} {speed}: {end:?} {expected:?}");
            assert!((end.position.y - 1.1).abs() < 1e-8 && end.angle.abs() < 1e-8, "{name}: {end:?}");
            assert_eq!(run.uncertified(), [], "{name}");
        }
    }
}

#[test]
fn a_dumbbell_that_lands_on_one_end_spins_by_the_law_of_impact() {
    // Discs of 0.1 m, 0.3 m to each side of the middle, one lower than the other; no friction, no rebound.
    let (arm, radius, angle, drop) = (0.3, 0.1, 0.4_f64, 0.2);
    let dumbbell = compound(&[(disc(radius), 1.0, [-arm, 0.0, 0.0]), (disc(radius), 1.0, [arm, 0.0, 0.0])]);
    let inertia = 2.0 * (0.5 * radius * radius + arm * arm);
    assert!((dumbbell.inertia(2.0) - inertia).abs() < 1e-15);
    let start = radius + arm * angle.sin() + drop;
    for (name, model) in MODELS {
        let body = weighing(dumbbell.clone(), 2.0, [0.0, start, angle], [0.0; 3]);
        let dt = 1e-4;
        let run = run(&scene(vec![body], Surface::new(0.0, 0.0), 9.81), model(), dt, 2100);
        let hit = run.motions.iter().position(|motion| motion.velocities[0].z != 0.0).expect("an impact");
        let speed = 9.81 * (hit - 1) as f64 * dt;
        assert!((speed - (2.0 * 9.81 * drop).sqrt()).abs() < 2e-3, "{name} {speed}");
        // The lower disc is on the left.
        let lever = -arm * angle.cos();
        let impulse = speed / (0.5 + lever * lever / inertia);
        let spin = lever * impulse / inertia;
        let velocity = run.motions[hit].velocities[0];
        assert!((velocity.z / spin - 1.0).abs() < 2e-3, "{name} {} {spin}", velocity.z);
        assert!((velocity.y - (-speed + 0.5 * impulse)).abs() < 4e-3, "{name} {velocity}");
    }
}

#[test]
fn a_disc_lies_in_a_trough_and_not_on_its_hull() {
    let trough = || {
        compound(&[
            (rectangle(1.0, 0.1), 1.0, [0.0, 0.05, 0.0]),
            (rectangle(0.1, 0.5), 1.0, [-0.45, 0.35, 0.0]),
            (rectangle(0.1, 0.5), 1.0, [0.45, 0.35, 0.0]),
        ])
    };
    // Its centre of mass: a third of the mass at 0.05, the rest at 0.35.
    let centre = (0.05 + 2.0 * 0.35) / 3.0;
    for (name, model) in MODELS {
        let bodies = vec![
            weighing(trough(), 3.0, [0.0, centre, 0.0], [0.0; 3]),
            moving(disc(0.1), [0.05, 0.8, 0.0], [0.0; 3]),
        ];
        let run = run(&scene(bodies, Surface::new(0.5, 0.0), 9.81), model(), 1e-3, 1000);
        let [trough, disc] = [run.end().poses[0], run.end().poses[1]];
        assert!((trough.position - Vector2::new(0.0, centre)).norm() < 1e-7, "{name} {trough:?}");
        assert!((disc.position - Vector2::new(0.05, 0.2)).norm() < 1e-6, "{name} {disc:?}");
    }
}

#[test]
fn what_passes_through_a_gate_touches_nothing() {
    let gate = || {
        compound(&[(rectangle(0.2, 1.0), 1.0, [0.0, 1.0, 0.0]), (rectangle(0.2, 1.0), 1.0, [0.0, -1.0, 0.0])])
    };
    for (name, model) in MODELS {
        let bodies = vec![
            fixed(gate(), [0.0, 3.0, 0.0]),
            moving(rectangle(0.3, 0.998), [-1.0, 3.0, 0.0], [10.0, 0.0, 0.0]),
        ];
        let run = run(&scene(bodies, Surface::new(0.5, 0.0), 0.0), model(), 5e-3, 40);
        assert!((run.end().poses[1].position - Vector2::new(1.0, 3.0)).norm() < 1e-12, "{name}");
        assert_eq!(run.end().velocities[1].x, 10.0, "{name}");
    }
}

#[test]
fn an_end_that_goes_round_does_not_pass_through_a_thin_plate() {
    let dumbbell = || compound(&[(disc(0.05), 1.0, [-1.0, 0.0, 0.0]), (disc(0.05), 1.0, [1.0, 0.0, 0.0])]);
    for (name, model) in MODELS {
        for phase in 0..5 {
            let angle = -0.9 + 0.07 * f64::from(phase);
            let bodies = vec![
                weighing(dumbbell(), 2.0, [0.0, 3.0, angle], [0.0, 0.0, 40.0]),
                fixed(rectangle(0.6, 1e-3), [1.0, 3.0, 0.0]),
            ];
            let scene = scene(bodies, Surface::new(0.0, 0.0), 0.0);
            let run = run(&scene, model(), 1e-2, 10);
            let overlap = run.motions.windows(2).fold(0.0, |deepest, ends| {
                deepest_on_way(&scene, [&ends[0].poses, &ends[1].poses], 1e-2, deepest)
            });
            assert!(overlap < 2e-6, "{name} {phase}: {overlap}");
            assert!(run.end().velocities[0].y < -1.0, "{name} {phase}: {:?}", run.end());
        }
    }
}

#[test]
fn a_table_stands_on_its_four_legs_and_a_ball_lies_under_it() {
    let leg = |x: f64, y: f64| {
        spatial::Member::uniform(cuboid([0.1, 0.1, 0.6]), 1.0, spatial::Pose::upright(x, y, 0.3))
    };
    let top = spatial::Member::uniform(cuboid([1.0, 1.0, 0.1]), 4.0, spatial::Pose::upright(0.0, 0.0, 0.65));
    let members = [top, leg(0.4, 0.4), leg(-0.4, 0.4), leg(-0.4, -0.4), leg(0.4, -0.4)];
    let (table, centre) = spatial::Shape::compound(&members).unwrap();
    assert!((centre.z - (4.0 * 0.65 + 4.0 * 0.3) / 8.0).abs() < 1e-15);
    for (name, model) in MODELS_IN_SPACE {
        let bodies = vec![
            solid(table.clone(), 8.0, [0.0, 0.0, centre.z], [0.0; 3], false),
            solid(sphere(0.2), 1.0, [0.05, 0.0, 0.25], [0.0; 3], false),
            solid(cuboid([0.2, 0.2, 0.2]), 1.0, [0.1, 0.2, 0.9], [0.0; 3], false),
        ];
        let run = run(&in_space(bodies, Surface::new(0.5, 0.0), 9.81), model(), 2e-3, 300);
        let heights = [0, 1, 2].map(|body| run.end().poses[body].position.z);
        let expected = [centre.z, 0.2, 0.8];
        let differ = heights.iter().zip(expected).map(|(own, expected)| (own - expected).abs());
        assert!(differ.fold(0.0, f64::max) < 1e-6, "{name} {heights:?}");
    }
}
