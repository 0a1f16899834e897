//! Joints in space: rows are the rates of their coordinates, and have the derivatives that their differences show.

use nalgebra::{UnitQuaternion, Vector3};
use stickslip::world::{
    Anchor, AxisLaw, DifferentiableWorld, Impacts, Joint, JointAxis, JointMemory, Motion, Surface, World,
    spatial::{Body, Pose, Scene, Shape, Twist},
};

use crate::stepping::{nlp, run};

fn body(position: [f64; 3], turn: [f64; 3]) -> Body {
    let orientation = UnitQuaternion::from_scaled_axis(Vector3::from(turn));
    let pose = Pose { position: position.into(), orientation };
    Body::new(Shape::cuboid([0.1, 0.2, 0.3]).unwrap(), 1.3, pose)
}

fn joined() -> Scene {
    let anchors = [Anchor::on(0, Vector3::new(0.1, 0.4, -0.2)), Anchor::on(1, Vector3::new(-0.3, 0.2, 0.5))];
    let bodies = vec![body([0.2, -0.3, 1.0], [0.4, -0.8, 0.3]), body([1.0, 0.8, 2.0], [-1.1, 0.2, 0.6])];
    // The axes of the joints in the world, and as each of the two carries them.
    let world = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 0.5, -0.9));
    let carried =
        |end: usize| (bodies[end].pose.orientation.inverse() * world).to_rotation_matrix().into_inner();
    let frame = [carried(0), carried(1)];
    let mut hinge = Joint::hinge(anchors, &frame);
    let mut slider = Joint::slider(anchors, &frame);
    let mut universal = Joint::universal(anchors, &frame);
    let sprung = AxisLaw::Sprung { rest: 0.3, stiffness: 2.0, damping: 0.1 };
    for (joint, law) in
        [(&mut hinge, sprung.clone()), (&mut slider, sprung), (&mut universal, AxisLaw::Locked { at: 0.1 })]
    {
        let free = joint.free.clone();
        joint.axes.extend(free.into_iter().map(|coordinate| JointAxis { coordinate, law: law.clone() }));
    }
    let joints = vec![
        Joint::rod(anchors, 0.7),
        Joint::spring(anchors, 0.9, 120.0, 3.0),
        Joint::pin(anchors),
        Joint::pin([Anchor::in_world(Vector3::new(0.2, -0.3, 0.6)), anchors[1]]),
        hinge,
        slider,
        universal,
        Joint::weld(
            [anchors[0], Anchor::in_world(Vector3::new(0.1, 0.2, 0.3))],
            &[frame[0], world.to_rotation_matrix().into_inner()],
        ),
    ];
    Scene { ground: None, joints, ..Scene::over_ground(bodies, Surface::default(), 9.81) }
}

/// The pose after a displacement in the axes of velocities: of the world, and of the body for turns.
fn displaced(pose: &Pose, by: &Twist) -> Pose {
    let turn = UnitQuaternion::from_scaled_axis(by.fixed_rows::<3>(3).into_owned());
    Pose { position: pose.position + by.fixed_rows::<3>(0), orientation: pose.orientation * turn }
}

#[test]
fn rows_and_their_derivatives_are_what_differences_show() {
    let (scene, size) = (joined(), 1e-6);
    let start = scene.initial_motion();
    let links = |motion: &Motion<Pose, 6>| {
        let mut links = Vec::new();
        scene.links(motion, 1.0, &mut JointMemory::default(), &mut links);
        links
    };
    let now = links(&start);
    // A hinge of 5 rows and a spring, a slider likewise, a universal joint of 4 with both angles held, a weld of 6.
    assert_eq!(now.len(), 8 + 6 + 6 + 6 + 6);
    for moved in 0..2 {
        let rates = scene.joint_rates(&start, (&JointMemory::default(), 1.0), moved).links;
        for axis in 0..6 {
            let [before, after] = [-size, size].map(|by| {
                let mut motion = start.clone();
                let step = Twist::from_fn(|i, _| if i == axis { by } else { 0.0 });
                motion.poses[moved] = displaced(&motion.poses[moved], &step);
                links(&motion)
            });
            for (index, (rate, (before, after))) in rates.iter().zip(before.iter().zip(&after)).enumerate() {
                let slope = (after.bias - before.bias) / (2.0 * size);
                assert!((slope - rate.bias[axis]).abs() < 1e-7, "row {index}: {slope} {rate:?}");
                let own = now[index].bodies.iter().position(|body| *body == Some(moved));
                // A rigid row is the rate of its coordinate, whose deviation the bias is in a step of 1 s.
                if now[index].compliance == 0.0 {
                    let row = own.map_or(0.0, |end| now[index].jacobian[end][axis]);
                    assert!((slope - row).abs() < 1e-8, "row {index}: {slope} {row}");
                }
                for end in 0..2 {
                    let slope = (after.jacobian[end] - before.jacobian[end]) / (2.0 * size);
                    let apart = (slope - rate.rows[end].column(axis)).amax();
                    assert!(apart < 1e-8, "row {index}: {slope} {rate:?}");
                }
            }
        }
    }
}

/// A body on a ball joint swings and spins, and keeps its energy and its moment about the vertical through the joint.
#[test]
fn a_body_on_a_ball_joint_keeps_its_place() {
    let pin = Joint::pin([Anchor::in_world(Vector3::zeros()), Anchor::on(0, Vector3::new(0.0, 0.0, 0.5))]);
    let hanging = Body {
        inertia: nalgebra::Matrix3::from_diagonal_element(0.01),
        twist: Twist::new(0.6, 0.4, 0.0, -0.8, 1.2, 0.0),
        ..body([0.0, 0.0, -0.5], [0.0; 3])
    };
    let scene = Scene {
        ground: None,
        joints: vec![pin],
        ..Scene::over_ground(vec![hanging], Surface::default(), 9.81)
    };
    let motions = run(&scene, nlp(), Impacts::OneStage, 1e-3, 1000);
    let energy = |motion: &Motion<Pose, 6>| {
        let (v, w) = (motion.velocities[0].fixed_rows::<3>(0), motion.velocities[0].fixed_rows::<3>(3));
        0.5 * 1.3 * v.norm_squared() + 0.005 * w.norm_squared() + 1.3 * 9.81 * motion.poses[0].position.z
    };
    let start = energy(&motions[1]);
    for motion in &motions[1..] {
        let pose = &motion.poses[0];
        let apart = (pose.position + pose.orientation * Vector3::new(0.0, 0.0, 0.5)).norm();
        assert!(apart < 1e-5, "{apart:e}");
        assert!((energy(motion) - start).abs() < 5e-3, "{} {start}", energy(motion));
    }
}
