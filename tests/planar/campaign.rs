//! Random states in eleven kinds of scenes: every step is solved, and models agree where there is one
//! solution.

use std::{collections::BTreeMap, f64::consts::PI};

use nalgebra::{Point2, Vector2};
use stickslip::{
    contact::{ContactModel, detector::detect},
    random::Random,
    scenario::ConvexSettings,
    stepper::{ConvexBodies, PenaltyBodies, PenaltyLaw},
    world::{
        Impacts, Plane, Surface, TimeStepper,
        planar::{Body, Pose, Scene, Shape, Twist},
    },
};

use crate::stepping::{anitescu, cone, lcp, nlp};

const KINDS: [&str; 11] =
    ["rod", "box", "table", "slope", "corner", "discs", "stack", "pyramid", "domino", "wedge", "wall stack"];

fn rectangle(width: f64, height: f64) -> Shape {
    Shape::rectangle(width, height).unwrap()
}

/// Moves a body so that its lowest point is at `height`.
fn put_on(mut body: Body, height: f64) -> Body {
    let lowest = match &body.shape {
        Shape::Disc { radius } => -radius,
        Shape::Compound(_) => unreachable!("no body here has parts"),
        Shape::Polygon(polygon) => {
            let heights = polygon.corners().iter().map(|corner| body.pose.rotate(corner).y);
            heights.fold(f64::INFINITY, f64::min)
        }
    };
    body.pose.position.y = height - lowest;
    body
}

struct Draw(Random);

impl Draw {
    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        self.0.uniform(low, high)
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.0.below(choices.len())]
    }

    fn mass(&mut self) -> f64 {
        10_f64.powf(self.uniform(-1.0, 4.0))
    }

    fn body(&mut self, shape: Shape, x: f64, angle: f64) -> Body {
        put_on(Body::new(shape, self.mass(), Pose::new(x, 0.0, angle)), 0.0)
    }

    /// At rest, slow or fast.
    fn twist(&mut self, body: &Body) -> Twist {
        let speed = self.one_of(&[0.0, 0.02, 5.0]);
        Twist::new(self.0.normal(speed), self.0.normal(speed), self.0.normal(speed / body.shape.reach()))
    }

    fn stack(&mut self, count: usize, width: f64, offset: f64) -> Vec<Body> {
        let mut height = 0.0;
        let boxes = (0..count).map(|_| {
            let size = self.uniform(0.2, 0.8);
            let x = self.uniform(-offset, offset);
            let body = put_on(self.body(rectangle(width, size), x, 0.0), height);
            height += size;
            body
        });
        boxes.collect()
    }

    /// Bodies and planes of a scene of a kind, in contact.
    fn geometry(&mut self, kind: &str) -> (Vec<Body>, Vec<(Vector2<f64>, f64)>) {
        let ground = (Vector2::y(), 0.0);
        let size = self.uniform(0.2, 1.0);
        match kind {
            "rod" => {
                let angle = self.uniform(-PI, PI);
                (vec![self.body(Shape::rod(size).unwrap(), 0.0, angle)], vec![ground])
            }
            "box" => {
                let angle = if self.uniform(0.0, 1.0) < 0.3 { 0.0 } else { self.uniform(-PI, PI) };
                let height = self.uniform(0.2, 1.0);
                (vec![self.body(rectangle(size, height), 0.0, angle)], vec![ground])
            }
            "table" => {
                let height = self.uniform(0.1, 0.4);
                let legs: &[f64] = self.one_of(&[&[-1.0, 0.0, 1.0][..], &[-1.0, -0.3, 0.3, 1.0]]);
                let mut corners: Vec<_> = legs.iter().map(|x| Point2::new(x * size, -height)).collect();
                corners.extend([Point2::new(size, height), Point2::new(-size, height)]);
                (vec![self.body(Shape::polygon(&corners).unwrap(), 0.0, 0.0)], vec![ground])
            }
            "slope" => {
                let angle = self.uniform(-0.6, 0.6);
                let height = self.uniform(0.2, 1.0);
                let mut body = self.body(rectangle(size, height), 0.0, angle);
                let normal = Vector2::new(-angle.sin(), angle.cos());
                body.pose.position = normal * (0.5 * height);
                (vec![body], vec![(normal, 0.0)])
            }
            "corner" => {
                let height = self.uniform(0.2, 1.0);
                let body = self.body(rectangle(size, height), 0.5 * size, 0.0);
                (vec![body], vec![ground, (Vector2::x(), 0.0)])
            }
            "discs" => {
                let (count, radius) = (self.one_of(&[1, 2, 3]), 0.5 * size);
                let row = (0..count)
                    .map(|i| self.body(Shape::disc(radius).unwrap(), 2.0 * radius * f64::from(i), 0.0));
                (row.collect(), vec![ground])
            }
            "stack" => {
                let count = self.one_of(&[2, 3, 4]);
                (self.stack(count, size, 0.3 * size), vec![ground])
            }
            "pyramid" => {
                let (side, gap) = (0.4, 0.02);
                let x = 0.5 * (side + gap);
                let mut bodies =
                    vec![self.body(rectangle(side, side), -x, 0.0), self.body(rectangle(side, side), x, 0.0)];
                bodies.push(put_on(self.body(rectangle(side, side), 0.0, 0.0), side));
                (bodies, vec![ground])
            }
            "domino" => {
                let tilt = -self.uniform(0.05, 0.4);
                let falling = self.body(rectangle(0.2, 1.0), 0.0, tilt);
                // Its upper right corner leans on the left face of the next one.
                let reach = falling.pose.transform(&Vector2::new(0.1, 0.5)).x;
                let upright = self.body(rectangle(0.2, 1.0), reach + 0.1, 0.0);
                (vec![falling, upright], vec![ground])
            }
            "wedge" => {
                let (left, right) = (self.uniform(0.2, 1.2), self.uniform(0.2, 1.2));
                let normals = [Vector2::new(left.sin(), left.cos()), Vector2::new(-right.sin(), right.cos())];
                let body = self.body(Shape::disc(size).unwrap(), 0.0, 0.0);
                // Touching both: n.x = R on either side.
                let place = nalgebra::Matrix2::from_rows(&[normals[0].transpose(), normals[1].transpose()])
                    .lu()
                    .solve(&Vector2::new(size, size))
                    .unwrap();
                let body = Body { pose: Pose { position: place, angle: 0.0 }, ..body };
                (vec![body], normals.map(|normal| (normal, 0.0)).to_vec())
            }
            "wall stack" => {
                let count = self.one_of(&[2, 3]);
                let boxes = self.stack(count, size, 0.0);
                (boxes, vec![ground, (Vector2::x(), -0.5 * size)])
            }
            _ => unreachable!("a kind of scene"),
        }
    }

    fn scene(&mut self, kind: &str) -> (Scene, f64) {
        let friction = self.one_of(&[0.0, 0.1, 0.3, 0.5, 0.8, 1.0, 1.5, 2.0]);
        let surface = Surface::new(friction, self.one_of(&[0.0, 0.5]));
        let (mut bodies, planes) = self.geometry(kind);
        for body in &mut bodies {
            body.twist = self.twist(body);
        }
        let plane = |&(normal, offset): &_| Plane { normal, offset, velocity: Vector2::zeros() };
        let mut planes = planes.iter().map(plane);
        let scene = Scene {
            ground: planes.next(),
            walls: planes.collect(),
            ..Scene::over_ground(bodies, surface, 9.81)
        };
        (scene, self.one_of(&[1e-4, 1e-3, 1e-2]))
    }
}

/// One step by a model: the velocities, or why there are none.
fn step(
    model: Box<dyn ContactModel<2, 3>>,
    scene: &Scene,
    dt: f64,
) -> (Result<Vec<Twist>, String>, TimeStepper<2, 3>) {
    let mut stepper = TimeStepper::new(model, Impacts::OneStage);
    let mut motion = scene.initial_motion();
    let forces = vec![Twist::zeros(); scene.bodies.len()];
    let outcome = stepper.step(scene, &mut motion, &forces, dt);
    (outcome.map(|_| motion.velocities).map_err(|failure| failure.to_string()), stepper)
}

fn convex() -> Box<dyn ContactModel<2, 3>> {
    Box::new(ConvexBodies::new(ConvexSettings::default()))
}

fn smooth() -> Box<dyn ContactModel<2, 3>> {
    Box::new(PenaltyBodies::new(PenaltyLaw::KelvinVoigt { stiffness: None, damping: None }))
}

/// How far the impulses of a step are outside the cone of friction, as velocities relative to the largest.
fn outside_of_cone(stepper: &TimeStepper<2, 3>) -> f64 {
    let problem = &stepper.problem().contact;
    let unit = problem.free_velocity.iter().map(|v| v.amax()).fold(9.81 * problem.time_step, f64::max);
    let contacts = problem.contacts.iter().zip(&stepper.solution().impulses);
    let outside = contacts.map(|(contact, r)| {
        problem.delassus_trace(contact) * (-r[0]).max(r[1].abs() - contact.friction * r[0])
    });
    outside.fold(0.0, f64::max) / unit
}

/// Steps of random states.
fn campaign(states: usize, seed: u64) {
    let mut draw = Draw(Random::seeded(seed));
    let mut tally: BTreeMap<String, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for index in 0..states {
        let kind = KINDS[index % KINDS.len()];
        let (scene, dt) = draw.scene(kind);
        let (reference, stepper) = step(lcp(), &scene, dt);
        for (name, model) in [
            ("lcp", lcp as fn() -> _),
            ("anitescu", anitescu),
            ("nlp", nlp),
            ("cone", cone),
            ("convex", convex),
            ("smooth", smooth),
        ] {
            let outside = match step(model(), &scene, dt) {
                (Ok(_), stepper) => outside_of_cone(&stepper),
                (Err(_), _) => continue,
            };
            if outside.is_nan() || outside > 1e-7 {
                faults.push(format!("{index} {kind} {name}: {outside:.1e} outside of the cone"));
            }
        }
        let problem = &stepper.problem().contact;
        let detected = detect(problem);
        let unique = detected.as_ref().is_ok_and(|found| found.alternatives.len() == 1);
        let key = match &detected {
            Ok(found) => format!("{} solutions", found.alternatives.len()),
            Err(_) => "too many contacts to count".to_owned(),
        };
        *tally.entry(key).or_default() += 1;
        let reference = match reference {
            Ok(velocities) => velocities,
            Err(failure) => {
                faults.push(format!("{index} {kind} lcp: {failure}"));
                continue;
            }
        };
        for (name, model) in [("nlp", nlp as fn() -> _), ("cone", cone)] {
            match step(model(), &scene, dt).0 {
                Ok(velocities) => {
                    let unit = reference.iter().map(|v| v.amax()).fold(9.81 * dt, f64::max);
                    let pairs = reference.iter().zip(&velocities);
                    let off = pairs.map(|(a, b)| (a - b).amax()).fold(0.0, f64::max) / unit;
                    if off > 1e-4 {
                        *tally.entry(format!("{name} differs from lcp, unique: {unique}")).or_default() += 1;
                        if unique && name == "nlp" {
                            faults.push(format!("{index} {kind} {name}: differs by {off:.1e}"));
                        }
                    }
                }
                Err(failure) => {
                    *tally.entry(format!("{name} unsolved")).or_default() += 1;
                    if name == "nlp" {
                        faults.push(format!("{index} {kind} {name}: {failure}"));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}\nof {states} states: {tally:#?}", faults.join("\n"));
}

#[test]
fn a_hundred_random_states_are_solved_and_agree() {
    campaign(110, 1);
}

#[test]
#[ignore = "a campaign: half a minute"]
fn a_thousand_random_states_are_solved_and_agree() {
    campaign(1100, 2);
}
