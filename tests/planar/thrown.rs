//! Bodies that a blow or a spring throws within a step at what was out of their reach when it began.

use std::cell::Cell;

use nalgebra::{SMatrix, SVector, Vector2};
use stickslip::{
    contact::{ContactModel, Link},
    scenario::ConvexSettings,
    stepper::ConvexBodies,
    world::{
        Anchor, Bead, BodyPart, Facing, Impacts, Joint, JointMemory, Motion, Partner, Placement, Solid,
        Surface, Surfaces, TimeStepper, Touch, World,
        planar::{Body, Pose, Scene, Shape, Twist},
    },
};

use crate::{
    cases,
    stepping::{cone, lcp, nlp, run},
};

const MODELS: [fn() -> Box<dyn ContactModel<2, 3>>; 3] = [lcp, nlp, cone];

fn disc(radius: f64, mass: f64, (x, z): (f64, f64), vz: f64) -> Body {
    Body {
        twist: Twist::new(0.0, vz, 0.0),
        ..Body::new(Shape::disc(radius).unwrap(), mass, Pose::new(x, z, 0.0))
    }
}

fn weightless(bodies: Vec<Body>, restitution: f64) -> Scene {
    Scene::over_ground(bodies, Surface::new(0.3, restitution), 0.0)
}

/// A sheet without thickness, 3 cm above the ground.
fn sheet() -> Body {
    Body { fixed: true, ..Body::new(Shape::rod(0.5).unwrap(), 1.0, Pose::new(0.0, 0.03, 0.0)) }
}

/// Depth in m of the deepest point of the discs under `floor` over a run.
fn depth(motions: &[Motion<Pose, 3>], radii: &[f64], floor: f64) -> f64 {
    let lowest = motions.iter().flat_map(|motion| motion.poses.iter().zip(radii));
    lowest.map(|(pose, radius)| floor - (pose.position.y - radius)).fold(f64::NEG_INFINITY, f64::max)
}

/// A hammer of 5 kg at 20 m/s hits a ball of 0.1 kg, which lies still 1 cm above a sheet: in a step of 1 ms it
/// would fly 2 cm.
#[test]
fn a_ball_that_is_hit_does_not_pass_through_a_sheet() {
    for impacts in [Impacts::OneStage, Impacts::TwoStage] {
        for model in MODELS {
            let bodies =
                vec![disc(0.05, 5.0, (0.0, 0.117), -20.0), disc(0.01, 0.1, (0.0, 0.05), 0.0), sheet()];
            let motions = run(&weightless(bodies, 0.0), model(), impacts, 1e-3, 20);
            let depth = depth(&motions, &[0.05, 0.01], 0.03);
            assert!(depth < 1e-8, "{impacts:?}: {depth:e}");
        }
    }
}

/// Contacts that give way stop it as they would have stopped a ball that was that fast before.
#[test]
fn compliant_contacts_hold_what_is_thrown_at_them_as_what_flies_at_them() {
    let settings = ConvexSettings { gated: false, ..ConvexSettings::PUBLISHED };
    let depth_of = |hammer: Option<Body>, speed: f64| {
        let mut bodies = vec![disc(0.01, 0.1, (0.0, 0.05), speed), sheet()];
        bodies.extend(hammer);
        let model = Box::new(ConvexBodies::new(settings));
        depth(&run(&weightless(bodies, 0.0), model, Impacts::OneStage, 1e-3, 20), &[0.01], 0.03)
    };
    let thrown = depth_of(Some(disc(0.05, 5.0, (0.0, 0.117), -20.0)), 0.0);
    assert!(thrown < 1e-3, "{thrown:e}");
}

/// Equal discs, elastic between each other: the second leaves with the velocity of the first, reaches the ground
/// within the step, and leaves it with half of it.
#[test]
fn what_is_thrown_at_the_ground_bounces_off_it() {
    for model in MODELS {
        let elastic = Surface::new(0.0, 1.0);
        let scene = Scene {
            surfaces: Surfaces::uniform(Surface::new(0.3, 0.5)).with(0, Partner::Body(1), elastic),
            ..weightless(vec![disc(0.01, 1.0, (0.0, 0.035), -10.0), disc(0.01, 1.0, (0.0, 0.013), 0.0)], 0.5)
        };
        let motions = run(&scene, model(), Impacts::OneStage, 1e-3, 2);
        assert!(depth(&motions, &[0.01; 2], 0.0) < 1e-8);
        let speeds = |step: usize| motions[step].velocities.iter().map(|v| v.y).collect::<Vec<_>>();
        for (speed, expected) in speeds(1).iter().zip([0.0, -10.0]) {
            assert!((speed - expected).abs() < 1e-5, "{:?}", speeds(1));
        }
        assert!((motions[1].poses[1].position.y - 0.01).abs() < 1e-9, "{:?}", motions[1].poses);
        assert!((speeds(2)[1] - 5.0).abs() < 1e-5, "{:?}", speeds(2));
    }
}

/// The blow is passed on along a row in one step, each time to a disc that was out of reach.
#[test]
fn a_blow_that_is_passed_on_pushes_nothing_into_the_next() {
    for model in MODELS {
        let row = (0..5).map(|i| {
            let x = f64::from(i) * 0.022;
            Body {
                twist: Twist::new(if i == 0 { 20.0 } else { 0.0 }, 0.0, 0.0),
                ..Body::new(Shape::disc(0.01).unwrap(), 1.0, Pose::new(x, 1.0, 0.0))
            }
        });
        let motions = run(&weightless(row.collect(), 0.0), model(), Impacts::OneStage, 1e-3, 20);
        let gaps = motions.iter().flat_map(|motion| {
            motion.poses.windows(2).map(|pair| (pair[1].position - pair[0].position).norm() - 0.02)
        });
        let least = gaps.fold(f64::INFINITY, f64::min);
        assert!(least > -1e-8, "{least:e}");
    }
}

/// A spring of 100 kN/m that is pressed by 0.5 m throws a disc of 0.1 kg at ground 1 cm away.
#[test]
fn a_spring_throws_nothing_through_the_ground() {
    for model in MODELS {
        let anchor = Body { fixed: true, ..disc(0.01, 1.0, (0.0, 1.0), 0.0) };
        let spring = Joint::spring([0, 1].map(|body| Anchor::on(body, Vector2::zeros())), 1.5, 1e5, 0.0);
        let scene = Scene {
            joints: vec![spring],
            ..weightless(vec![disc(0.01, 0.1, (0.0, 0.02), 0.0), anchor], 0.5)
        };
        let motions = run(&scene, model(), Impacts::OneStage, 1e-3, 20);
        let depth = depth(&motions, &[0.01], 0.0);
        assert!(depth < 1e-8, "{depth:e}");
        assert!(motions.iter().any(|motion| motion.velocities[0].y < -10.0), "it was thrown");
    }
}

/// A scene that counts how often contacts are looked for.
struct Counting {
    scene: Scene,
    looks: Cell<usize>,
}

impl World<2, 3> for Counting {
    type Pose = Pose;

    fn bodies(&self) -> usize {
        World::bodies(&self.scene)
    }

    fn inverse_inertia(&self, motion: &Motion<Pose, 3>, inverse: &mut Vec<SMatrix<f64, 3, 3>>) {
        self.scene.inverse_inertia(motion, inverse);
    }

    fn free_velocity(
        &self,
        motion: &Motion<Pose, 3>,
        forces: &[SVector<f64, 3>],
        dt: f64,
        free: &mut Vec<SVector<f64, 3>>,
    ) {
        self.scene.free_velocity(motion, forces, dt, free);
    }

    fn gravity_vector(&self) -> SVector<f64, 2> {
        World::gravity_vector(&self.scene)
    }

    fn margins(&self, motion: &Motion<Pose, 3>, forces: &[SVector<f64, 3>], dt: f64, margins: &mut Vec<f64>) {
        self.scene.margins(motion, forces, dt, margins);
    }

    fn top_speed(&self, index: usize, velocity: &SVector<f64, 3>) -> f64 {
        World::top_speed(&self.scene, index, velocity)
    }

    fn find_touches(
        &self,
        motion: &Motion<Pose, 3>,
        margins: &[f64],
        facings: &[Facing<2>],
        touches: &mut Vec<Touch<2, 3>>,
    ) {
        self.looks.set(self.looks.get() + 1);
        self.scene.find_touches(motion, margins, facings, touches);
    }

    fn solid(&self, part: BodyPart) -> Option<Solid<'_, 2>> {
        World::solid(&self.scene, part)
    }

    fn placement(&self, pose: &Pose) -> Placement<2> {
        World::placement(&self.scene, pose)
    }

    fn near_pairs(&self, poses: &[Pose], margins: &[f64], pairs: &mut Vec<[BodyPart; 2]>) {
        self.scene.near_pairs(poses, margins, pairs);
    }

    fn touches_of_pair(
        &self,
        pair: [BodyPart; 2],
        poses: [&Pose; 2],
        margin: f64,
        facing: Option<&Vector2<f64>>,
        touches: &mut Vec<Touch<2, 3>>,
    ) {
        self.looks.set(self.looks.get() + 1);
        self.scene.touches_of_pair(pair, poses, margin, facing, touches);
    }

    fn touches_of_planes(&self, index: usize, pose: &Pose, margin: f64, touches: &mut Vec<Touch<2, 3>>) {
        self.looks.set(self.looks.get() + 1);
        self.scene.touches_of_planes(index, pose, margin, touches);
    }

    fn velocity_between(&self, start: &Pose, end: &Pose, dt: f64) -> Twist {
        World::velocity_between(&self.scene, start, end, dt)
    }

    fn beads(&self) -> &[Bead] {
        &self.scene.beads
    }

    fn height_over(&self, index: usize, pose: &Pose, plane: Partner) -> f64 {
        World::height_over(&self.scene, index, pose, plane)
    }

    fn links(&self, motion: &Motion<Pose, 3>, dt: f64, memory: &mut JointMemory, links: &mut Vec<Link<3>>) {
        self.scene.links(motion, dt, memory, links);
    }

    fn advance(&self, index: usize, pose: &Pose, velocity: &SVector<f64, 3>, dt: f64) -> Pose {
        self.scene.advance(index, pose, velocity, dt)
    }
}

/// Looks for contacts in a number of steps.
fn looks(scene: Scene, steps: usize) -> usize {
    let world = Counting { scene, looks: Cell::new(0) };
    let mut stepper = TimeStepper::new(lcp(), Impacts::OneStage);
    let mut motion = world.scene.initial_motion();
    let forces = vec![Twist::zeros(); world.scene.bodies.len()];
    for _ in 0..steps {
        stepper.step(&world, &mut motion, &forces, 1e-3).unwrap();
    }
    world.looks.get()
}

/// Bodies that fly, land, slide, rock and rest are thrown at nothing: one look per step.
#[test]
fn a_step_that_throws_nothing_looks_for_contacts_once() {
    for case in cases::all() {
        let steps = (case.duration() / 1e-3) as usize;
        let looks = looks(case.scene, steps);
        assert!(looks <= steps + 2, "{}: {looks} in {steps} steps", case.name);
    }
    let stack = (0..3).map(|i| {
        Body::new(Shape::rectangle(0.4, 0.2).unwrap(), 1.0, Pose::new(0.0, 0.1 + 0.2 * f64::from(i), 0.0))
    });
    let stack = Scene::over_ground(stack.collect(), Surface::new(0.5, 0.0), 9.81);
    assert_eq!(looks(stack, 300), 300);
    let hit = vec![disc(0.05, 5.0, (0.0, 0.117), -20.0), disc(0.01, 0.1, (0.0, 0.05), 0.0), sheet()];
    assert!(looks(weightless(hit, 0.0), 20) > 20);
}
