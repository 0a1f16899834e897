//! Cylinders: how far they are from others, what they weigh, how they stand, roll, tip over and land.

use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::world::{
    BodyPart, Impacts, Partner, Plane, Surface, TimeStepper, Touch, World,
    spatial::{self, Pose, Shape},
};

use crate::{
    heaps::assert_heaps_settle,
    scenes::{MODELS_IN_SPACE, cuboid, in_space, run, solid, sphere},
};

const G: f64 = 9.81;

fn cylinder(radius: f64, length: f64) -> Shape {
    Shape::cylinder(radius, length).expect("a cylinder")
}

/// A body whose axis lies along `axis`.
fn lying(shape: Shape, place: [f64; 3], axis: Vector3<f64>) -> spatial::Body {
    let mut body = solid(shape, 1.0, place, [0.0; 3], false);
    body.pose.orientation = UnitQuaternion::rotation_between(&Vector3::z(), &axis).expect("an axis");
    body
}

fn random_pose(random: &mut StdRng, spread: f64) -> Pose {
    let mut vector = |size: f64| Vector3::from_fn(|_, _| random.random_range(-size..size));
    Pose { position: vector(spread), orientation: UnitQuaternion::from_scaled_axis(vector(3.0)) }
}

fn touches(shapes: [&Shape; 2], poses: [&Pose; 2], margin: f64) -> (spatial::Scene, Vec<Touch<3, 6>>) {
    let bodies = [0, 1].map(|end| spatial::Body::new(shapes[end].clone(), 1.0, *poses[end]));
    let scene = in_space(bodies.into(), Surface::new(0.0, 0.0), G);
    let mut touches = Vec::new();
    World::<3, 6>::touches_of_pair(&scene, [0, 1].map(BodyPart::whole), poses, margin, None, &mut touches);
    (scene, touches)
}

/// The place of a solid that is nearest to another one, in its own axes.
type Nearest<'a> = &'a dyn Fn(&Vector3<f64>) -> Vector3<f64>;

fn nearest_of_cylinder(radius: f64, length: f64) -> impl Fn(&Vector3<f64>) -> Vector3<f64> {
    move |place| {
        let across = place.xy().norm();
        let share = if across > radius { radius / across } else { 1.0 };
        Vector3::new(place.x * share, place.y * share, place.z.clamp(-0.5 * length, 0.5 * length))
    }
}

/// The distance of two convex solids by alternating projections, much slower and by nothing that contacts are found with.
fn distance(solids: [Nearest<'_>; 2], poses: [&Pose; 2]) -> f64 {
    let project = |end: usize, place: &Vector3<f64>| {
        let pose = poses[end];
        pose.transform(&solids[end](&(pose.orientation.inverse() * (place - pose.position))))
    };
    let mut place = poses[0].position;
    let mut last = f64::INFINITY;
    for _ in 0..400_000 {
        let other = project(1, &place);
        let own = project(0, &other);
        let distance = (own - other).norm();
        if last - distance < 1e-15 {
            return distance;
        }
        (place, last) = (own, distance);
    }
    last
}

#[test]
fn gaps_are_those_of_the_nearest_points_by_search() {
    let mut random = StdRng::seed_from_u64(11);
    let (radius, length) = (0.1, 0.5);
    let own = cylinder(radius, length);
    let half = Vector3::new(0.2, 0.15, 0.3);
    let in_box = move |place: &Vector3<f64>| place.sup(&-half).inf(&half);
    let in_ball = |place: &Vector3<f64>| place * (0.12 / place.norm()).min(1.0);
    let in_capsule = |place: &Vector3<f64>| {
        let foot = Vector3::z() * place.z.clamp(-0.15, 0.15);
        foot + (place - foot) * (0.07 / (place - foot).norm()).min(1.0)
    };
    let in_disc = nearest_of_cylinder(0.2, 0.04);
    let others: [(&str, Shape, Nearest<'_>); 4] = [
        ("box", cuboid((half * 2.0).into()), &in_box),
        ("ball", sphere(0.12), &in_ball),
        ("capsule", Shape::capsule(0.07, 0.3).expect("a capsule"), &in_capsule),
        ("disc", cylinder(0.2, 0.04), &in_disc),
    ];
    for (name, other, nearest) in &others {
        let mut apart = 0;
        for _ in 0..300 {
            let [a, b] = [random_pose(&mut random, 0.4), random_pose(&mut random, 0.4)];
            let expected = distance([&nearest_of_cylinder(radius, length), nearest], [&a, &b]);
            if expected < 1e-3 {
                continue;
            }
            apart += 1;
            let found = [([&own, other], [&a, &b]), ([other, &own], [&b, &a])];
            for (scene, touches) in found.map(|(shapes, poses)| touches(shapes, poses, 10.0)) {
                let gap = touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
                assert!((gap - expected).abs() < 1e-6, "{name}: {gap} {expected}");
                let poses: Vec<_> = scene.bodies.iter().map(|body| body.pose).collect();
                let judged = World::<3, 6>::gap_between(&scene, &poses, &touches[0]);
                assert!((judged - expected).abs() < 1e-6, "{name}: judged {judged} {expected}");
            }
        }
        assert!(apart > 100, "{name}: {apart}");
    }
}

#[test]
fn it_weighs_as_itself_and_reaches_to_its_rims() {
    let (radius, length) = (0.3_f64, 0.8_f64);
    let own = cylinder(radius, length);
    assert!((own.volume() - std::f64::consts::PI * 0.072).abs() < 1e-15);
    let inertia = own.inertia(2.0);
    let across = 2.0 * (3.0 * radius * radius + length * length) / 12.0;
    for (axis, expected) in [(0, across), (1, across), (2, radius * radius)] {
        assert!((inertia[(axis, axis)] - expected).abs() < 1e-15, "{axis}");
    }
    assert!((own.reach() - 0.5).abs() < 1e-15);
    // The flattest and the thinnest, too.
    for [radius, length] in [[1.0, 1e-6], [1e-4, 10.0]] {
        assert!(Shape::cylinder(radius, length).is_ok());
    }
    assert!(Shape::cylinder(0.0, 1.0).is_err() && Shape::cylinder(1.0, f64::NAN).is_err());
}

#[test]
fn over_a_plane_it_is_as_high_as_its_lowest_rim_point() {
    let mut random = StdRng::seed_from_u64(2);
    let (radius, length) = (0.1, 0.5);
    for _ in 0..300 {
        let pose = random_pose(&mut random, 1.0);
        let normal = (pose.orientation * Vector3::new(0.3, 0.2, 0.5) + pose.position).normalize();
        let mut scene = in_space(
            vec![spatial::Body::new(cylinder(radius, length), 1.0, pose)],
            Surface::new(0.0, 0.0),
            G,
        );
        scene.walls.push(Plane { normal, offset: -0.3, velocity: Vector3::zeros() });
        let along = normal.dot(&(pose.orientation * Vector3::z()));
        let expected = normal.dot(&pose.position) + 0.3
            - along.abs() * 0.5 * length
            - radius * (1.0 - along * along).sqrt();
        let height = World::<3, 6>::height_over(&scene, 0, &pose, Partner::Wall(0));
        assert!((height - expected).abs() < 1e-14, "{height} {expected}");
        let mut touches = Vec::new();
        World::<3, 6>::touches_of_planes(&scene, 0, &pose, 10.0, &mut touches);
        let of_wall = touches.iter().filter(|touch| touch.second == Partner::Wall(0));
        let least = of_wall.map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
        assert!((least - expected).abs() < 1e-14, "{least} {expected}");
    }
}

/// A cylinder of .1 m that rolls along x at `speed` without slip, its lowest line at a height.
fn rolling(height: f64, place: [f64; 2], speed: f64) -> spatial::Body {
    let mut body = lying(cylinder(0.1, 0.3), [place[0], place[1], height + 0.1], Vector3::y());
    body.twist[0] = speed;
    body.twist[5] = speed / 0.1;
    body
}

#[test]
fn it_rolls_on_the_ground_and_on_a_box_and_loses_nothing() {
    for (name, model) in MODELS_IN_SPACE {
        let table = solid(cuboid([6.0, 0.2, 0.2]), 1.0, [0.0, 1.0, 0.1], [0.0; 3], true);
        let bodies = vec![rolling(0.0, [0.0; 2], 2.0), rolling(0.2, [0.0, 1.0], 2.0), table];
        let scene = in_space(bodies, Surface::new(0.5, 0.0), G);
        let run = run(&scene, model(), 1e-3, 1000);
        for (body, height) in [(0, 0.1), (1, 0.3)] {
            let (pose, velocity) = (&run.end().poses[body], &run.end().velocities[body]);
            assert!((velocity[0] - 2.0).abs() < 1e-9, "{name}, {body}: {}", velocity[0]);
            assert!((pose.position.x - 2.0).abs() < 1e-8, "{name}, {body}: {}", pose.position);
            assert!((pose.position.z - height).abs() < 1e-9, "{name}, {body}: {}", pose.position.z);
            assert!(pose.position.y.fract().abs() < 1e-9, "{name}, {body}: {}", pose.position);
        }
        println!("{name}: {} extra solves", run.extra_solves());
        assert_eq!(run.uncertified(), [], "{name}");
    }
}

#[test]
fn it_comes_down_a_slope_with_two_thirds_of_its_pull() {
    let (slope, dt) = (0.3_f64, 1e-3);
    for (name, model) in MODELS_IN_SPACE {
        let body = lying(cylinder(0.1, 0.3), [0.0, 0.0, 0.1], Vector3::y());
        let mut scene = in_space(vec![body], Surface::new(0.5, 0.0), G);
        scene.gravity = Vector3::new(slope.sin(), 0.0, -slope.cos()) * G;
        let run = run(&scene, model(), dt, 500);
        let gained = run.end().velocities[0][0] / 0.5;
        let expected = 2.0 / 3.0 * G * slope.sin();
        assert!((gained - expected).abs() < 1e-6, "{name}: {gained} {expected}");
        assert!((run.end().poses[0].position.z - 0.1).abs() < 1e-9, "{name}");
        assert_eq!(run.uncertified(), [], "{name}");
    }
}

#[test]
fn it_stands_and_lies_without_creeping() {
    for (name, model) in MODELS_IN_SPACE {
        let table = solid(cuboid([0.25, 0.3, 0.2]), 1.0, [3.0, 0.0, 0.1], [0.0; 3], true);
        let drum = solid(cylinder(0.3, 0.2), 1.0, [6.0, 0.0, 0.1], [0.0; 3], true);
        let bodies = vec![
            solid(cylinder(0.1, 0.4), 1.0, [0.0, 0.0, 0.2], [0.0; 3], false),
            // Over the edge of the table by half of its cap.
            solid(cylinder(0.1, 0.4), 1.0, [3.08, 0.05, 0.4], [0.0; 3], false),
            // On a drum, over its rim.
            solid(cylinder(0.1, 0.4), 1.0, [6.25, 0.0, 0.4], [0.0; 3], false),
            // Across the drum, longer than that.
            lying(cylinder(0.05, 0.8), [6.0, -0.1, 0.25], Vector3::x()),
            // A box on its cap.
            solid(cuboid([0.3, 0.1, 0.1]), 1.0, [0.02, 0.0, 0.45], [0.0; 3], false),
            lying(cylinder(0.1, 0.5), [0.0, 1.0, 0.1], Vector3::new(1.0, 0.4, 0.0)),
            table,
            drum,
        ];
        let scene = in_space(bodies, Surface::new(0.5, 0.0), G);
        let run = run(&scene, model(), 1e-3, 1000);
        for (body, (end, start)) in run.end().poses.iter().zip(&run.motions[0].poses).enumerate() {
            let moved = (end.position - start.position).norm();
            let turned = end.orientation.angle_to(&start.orientation);
            assert!(moved < 1e-8 && turned < 1e-7, "{name}, {body}: {moved:e} m, {turned:e} rad");
        }
        println!("{name}: {} extra solves", run.extra_solves());
        assert_eq!(run.uncertified(), [], "{name}");
    }
}

#[test]
fn pushed_above_it_stands_or_tips_over_its_rim() {
    // By mu g it does not slide; it tips where the push at a height h has a larger moment than its weight, r g.
    let (radius, height) = (0.1, 0.6);
    for (name, model) in MODELS_IN_SPACE {
        for way in [0.0_f64, 0.4, 0.785] {
            for (part, tips) in [(0.97, false), (1.03, true)] {
                let body = solid(cylinder(radius, height), 1.0, [0.0, 0.0, 0.5 * height], [0.0; 3], false);
                let scene = in_space(vec![body], Surface::new(0.9, 0.0), G);
                let push = part * G * radius / height;
                let force = Vector3::new(way.cos(), way.sin(), 0.0) * push;
                let mut wrench = nalgebra::SVector::<f64, 6>::zeros();
                wrench.fixed_rows_mut::<3>(0).copy_from(&force);
                let torque = Vector3::new(0.0, 0.0, 0.5 * height).cross(&force);
                wrench.fixed_rows_mut::<3>(3).copy_from(&torque);
                let mut stepper = TimeStepper::new(model(), Impacts::OneStage);
                let mut motion = scene.initial_motion();
                for _ in 0..600 {
                    stepper.step(&scene, &mut motion, &[wrench], 1e-3).unwrap();
                }
                let axis = motion.poses[0].orientation * Vector3::z();
                let angle = axis.xy().norm().asin();
                assert_eq!(angle > 0.02, tips, "{name}, {way}, {part}: {angle:e}");
                if tips {
                    let across = axis.x * way.sin() - axis.y * way.cos();
                    assert!(across.abs() < 0.02 * angle, "{name}, {way}: {across}");
                } else {
                    assert!(angle < 1e-4, "{name}, {way}: {angle:e}");
                }
            }
        }
    }
}

#[test]
fn it_lands_from_a_tilted_fall_and_comes_to_lie_or_stand() {
    for (name, model) in MODELS_IN_SPACE {
        for (tilt, on_box) in
            [(0.2, false), (1.0, false), (1.4, false), (0.2, true), (1.0, true), (1.4, true)]
        {
            let mut body = solid(cylinder(0.1, 0.25), 1.0, [0.0, 0.0, 0.9], [0.1, 0.0, 0.0], false);
            body.pose.orientation = UnitQuaternion::from_euler_angles(0.3, tilt, 0.1);
            let table = solid(cuboid([4.0, 4.0, 0.4]), 1.0, [0.0, 0.0, 0.2], [0.0; 3], true);
            let mut bodies = vec![body];
            if on_box {
                bodies.push(table);
            } else {
                bodies[0].pose.position.z = 0.5;
            }
            let scene = in_space(bodies, Surface::new(0.4, 0.0), G);
            let run = run(&scene, model(), 1e-3, 900);
            let height = if on_box { 0.4 } else { 0.0 };
            let lowest = run.motions.iter().map(|motion| {
                World::<3, 6>::height_over(&scene, 0, &motion.poses[0], Partner::Ground) - height
            });
            let lowest = lowest.fold(f64::INFINITY, f64::min);
            println!("{name}, {tilt}, {on_box}: lowest {lowest:e}, {} extra solves", run.extra_solves());
            assert_eq!(run.uncertified(), [], "{name}, {tilt}, {on_box}");
            assert!(lowest > -1e-4, "{name}, {tilt}, {on_box}: {lowest:e}");
        }
    }
}

#[test]
fn a_sphere_rests_on_its_side_and_a_stack_of_three_holds() {
    for (name, model) in MODELS_IN_SPACE {
        let on_top = |part: f64| [0.0, part, 0.2 + 0.05];
        let mut log = lying(cylinder(0.1, 0.5), [0.0, 0.0, 0.1], Vector3::y());
        log.fixed = true;
        let third = 0.1 * 3.0_f64.sqrt() + 0.1;
        let bodies = vec![
            log,
            solid(sphere(0.05), 1.0, on_top(0.1), [0.0; 3], false),
            lying(cylinder(0.1, 0.5), [2.0, 0.0, 0.1], Vector3::y()),
            lying(cylinder(0.1, 0.5), [2.2, 0.05, 0.1], Vector3::y()),
            lying(cylinder(0.1, 0.5), [2.1, 0.02, third], Vector3::y()),
        ];
        let scene = in_space(bodies, Surface::new(0.8, 0.0), G);
        let run = run(&scene, model(), 1e-3, 300);
        for (body, (end, start)) in run.end().poses.iter().zip(&run.motions[0].poses).enumerate() {
            let moved = (end.position - start.position).norm();
            assert!(moved < 1e-7, "{name}, {body}: {moved:e} m");
        }
        println!("{name}: {} extra solves", run.extra_solves());
        assert_eq!(run.uncertified(), [], "{name}");
    }
}

#[test]
fn a_scene_that_is_mirrored_or_turned_about_the_vertical_goes_alike() {
    let scene = |turn: f64, mirrored: bool| {
        let mut body = solid(cylinder(0.1, 0.25), 1.0, [0.0, 0.0, 0.4], [0.0; 3], false);
        let side = if mirrored { -1.0 } else { 1.0 };
        let about = Rotation3::from_axis_angle(&Vector3::z_axis(), turn);
        let tilt = UnitQuaternion::from_euler_angles(0.3 * side, 0.9, 0.0);
        body.pose.orientation = UnitQuaternion::from_rotation_matrix(&about) * tilt;
        body.twist.fixed_rows_mut::<3>(0).copy_from(&(about * Vector3::new(0.5, 0.2 * side, 0.0)));
        body.twist.fixed_rows_mut::<3>(3).copy_from(&Vector3::new(2.0 * side, 1.0, 3.0 * side));
        in_space(vec![body], Surface::new(0.4, 0.0), G)
    };
    for (name, model) in MODELS_IN_SPACE {
        let end = |turn: f64, mirrored: bool| {
            let run = run(&scene(turn, mirrored), model(), 1e-3, 250);
            let place = run.end().poses[0].position;
            let back = Rotation3::from_axis_angle(&Vector3::z_axis(), -turn) * place;
            Vector3::new(back.x, if mirrored { -back.y } else { back.y }, back.z)
        };
        let plain = end(0.0, false);
        for (turn, mirrored) in
            [(0.0, true), (0.5 * std::f64::consts::PI, false), (std::f64::consts::PI, true)]
        {
            let other = end(turn, mirrored);
            assert!((other - plain).norm() < 1e-3, "{name}: {turn}, {mirrored}: {other} {plain}");
        }
    }
}

#[test]
fn heaps_of_cylinders_settle_and_overlap_by_no_more_than_what_turns_in_a_step() {
    let (own, box_, ball) = (cylinder(0.08, 0.2), cuboid([0.2, 0.16, 0.12]), sphere(0.09));
    let heaps = [
        ("alone", vec![own.clone()]),
        ("and balls", vec![own.clone(), ball.clone()]),
        ("and boxes", vec![own.clone(), box_.clone()]),
        ("and capsules", vec![own, Shape::capsule(0.06, 0.2).unwrap()]),
    ];
    // What is as deep already may be so once more.
    assert_heaps_settle(&heaps, 2.0);
}

/// The rim touches the edges of the cube, where it passes under them by no more than rounding.
#[test]
fn a_cylinder_as_wide_as_the_cube_that_it_falls_on_stays_upright() {
    for (name, model) in MODELS_IN_SPACE {
        for dt in [1.0 / 60.0, 5e-3] {
            let bodies = vec![
                solid(cuboid([1.0; 3]), 1.0, [0.0, 0.0, 0.5], [0.0; 3], false),
                solid(cylinder(0.5, 2.0), 60.0, [0.0, 0.0, 2.5], [0.0; 3], false),
            ];
            let scene = in_space(bodies, Surface::new(0.5, 0.0), G);
            let run = run(&scene, model(), dt, (0.8 / dt) as usize);
            for (body, height) in [(0, 0.5), (1, 2.0)] {
                let pose = &run.end().poses[body];
                let tilt = (pose.orientation * Vector3::z()).xy().norm();
                assert!(tilt < 1e-6, "{name}, {dt}, {body}: tilted by {tilt}");
                assert!((pose.position.z - height).abs() < 1e-7, "{name}, {dt}, {body}: {}", pose.position);
            }
            assert_eq!(run.uncertified(), [], "{name}, {dt}");
        }
    }
}
