//! What may touch in a plan: every corner, point and disc with every plane, every disc with one face of every polygon, and
//! discs with each other.

use nalgebra::Vector2;

use super::task::PlanTask;
use crate::{
    model::Number,
    scenario::Partner,
    stepper::{StepperName, planar_scene},
    world::planar::Shape,
};

/// Two features that may touch.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The body that the normal points into.
    pub first: usize,
    /// What it touches.
    pub second: Partner,
    /// Coefficient of friction.
    pub friction: f64,
    /// Where and how.
    pub geometry: Geometry,
}

/// Features and where they are.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// A corner, a point or the lowest point of a disc over a plane `normal.x >= offset`.
    Plane {
        /// Where the corner is, in m in the axes of the body; the centre of a disc.
        arm: Vector2<f64>,
        /// Radius of the disc in m; 0 for a corner or a point.
        radius: f64,
        /// Unit normal of the plane.
        normal: Vector2<f64>,
        /// Its distance from the origin along the normal in m.
        offset: f64,
        /// Velocity of its surface along its tangent in m/s.
        belt: f64,
    },
    /// A disc on the face of a polygon, all in the axes of the polygon.
    Face {
        /// Radius of the disc in m.
        radius: f64,
        /// The corner where the face starts.
        start: Vector2<f64>,
        /// The corner where it ends.
        end: Vector2<f64>,
        /// Outward unit normal.
        normal: Vector2<f64>,
    },
    /// Two discs.
    Discs {
        /// Their radii in m.
        radii: [f64; 2],
    },
}

/// A candidate at a pose: the gap in m, and the rows of its relative velocity along normal and tangent, each by
/// `(vx, vz, spin)` of the first and of the second body.
#[derive(Debug, Clone, Copy)]
pub struct Met<S> {
    /// Gap in m, negative in an overlap.
    pub gap: S,
    /// Rows of the normal, then of the tangent; for each body.
    pub rows: [[[S; 3]; 2]; 2],
    /// Velocity in m/s that the surfaces have along each other by themselves.
    pub belt: f64,
}

impl Candidate {
    /// All that may touch in a task.
    pub fn of(task: &PlanTask) -> Vec<Self> {
        let scenario = &task.scenario;
        let Ok(scene) = planar_scene(scenario, StepperName::LCP) else { return Vec::new() };
        let surfaces = scenario.surfaces();
        let friction = |first, second| surfaces.between(first, second).friction.static_coefficient();
        let mut found = Vec::new();
        let ground = scene.ground.iter().map(|plane| (Partner::Ground, plane));
        let walls = scene.walls.iter().enumerate().map(|(wall, plane)| (Partner::Wall(wall), plane));
        let planes: Vec<_> = ground.chain(walls).collect();
        for (first, body) in scene.bodies.iter().enumerate() {
            for (second, plane) in &planes {
                let mut at = |arm: Vector2<f64>, radius: f64| {
                    found.push(Self {
                        first,
                        second: *second,
                        friction: friction(first, *second),
                        geometry: Geometry::Plane {
                            arm,
                            radius,
                            normal: plane.normal,
                            offset: plane.offset,
                            belt: plane.velocity[1],
                        },
                    });
                };
                match &body.shape {
                    Shape::Disc { radius } => at(Vector2::zeros(), *radius),
                    Shape::Polygon(polygon) => polygon.corners().iter().for_each(|corner| at(*corner, 0.0)),
                    // Refused when the task was read, here and below.
                    Shape::Compound(_) => {}
                }
            }
        }
        for first in 0..scene.bodies.len() {
            for second in first + 1..scene.bodies.len() {
                if scene.passing.contains(&(first, second)) {
                    continue;
                }
                let shapes = [first, second].map(|body| &scene.bodies[body].shape);
                let (pair, geometry) = match shapes {
                    // Points pass each other.
                    [Shape::Disc { radius: 0.0 }, Shape::Disc { radius: 0.0 }] => continue,
                    [Shape::Disc { radius: a }, Shape::Disc { radius: b }] => {
                        ([first, second], Geometry::Discs { radii: [*a, *b] })
                    }
                    [Shape::Disc { radius }, Shape::Polygon(polygon)] => {
                        ([first, second], face(task, [first, second], *radius, polygon.corners()))
                    }
                    [Shape::Polygon(polygon), Shape::Disc { radius }] => {
                        ([second, first], face(task, [second, first], *radius, polygon.corners()))
                    }
                    [Shape::Polygon(_), Shape::Polygon(_)]
                    | [Shape::Compound(_), _]
                    | [_, Shape::Compound(_)] => continue,
                };
                let second = Partner::Body(pair[1]);
                found.push(Self { first: pair[0], second, friction: friction(pair[0], second), geometry });
            }
        }
        found
    }

    /// The number of the second body, if it is one.
    pub fn second_body(&self) -> Option<usize> {
        match self.second {
            Partner::Body(body) => Some(body),
            Partner::Ground | Partner::Wall(_) | Partner::Stop { .. } => None,
        }
    }

    /// The candidate where the first and the second body are at `(x, z, angle)`.
    pub fn at<S: Number>(&self, first: [S; 3], second: [S; 3]) -> Met<S> {
        let nothing = [S::zero(); 3];
        match &self.geometry {
            Geometry::Plane { arm, radius, normal, offset, belt } => {
                let normal = [normal.x, normal.y].map(S::constant);
                let turned = turn(first[2], [arm.x, arm.y].map(S::constant));
                let arm = [0, 1].map(|axis| turned[axis] - normal[axis] * *radius);
                let gap = normal[0] * (first[0] + arm[0]) + normal[1] * (first[1] + arm[1]) - *offset;
                Met { gap, rows: rows(normal, arm).map(|row| [row, nothing]), belt: -belt }
            }
            Geometry::Face { radius, start, normal, .. } => {
                let normal = turn(second[2], [normal.x, normal.y].map(S::constant));
                let corner = turn(second[2], [start.x, start.y].map(S::constant));
                let apart = [first[0] - second[0], first[1] - second[1]];
                let gap = normal[0] * (apart[0] - corner[0]) + normal[1] * (apart[1] - corner[1]) - *radius;
                Met { gap, rows: of_two(normal, [radius_arm(normal, *radius), apart]), belt: 0.0 }
            }
            Geometry::Discs { radii } => {
                let apart = [first[0] - second[0], first[1] - second[1]];
                let distance = (apart[0] * apart[0] + apart[1] * apart[1]).sqrt();
                let normal = [apart[0] / distance, apart[1] / distance];
                let gap = distance - (radii[0] + radii[1]);
                // The point is halfway between the surfaces, or the one that has no radius.
                let share = if radii[0] == 0.0 {
                    1.0
                } else if radii[1] == 0.0 {
                    0.0
                } else {
                    0.5
                };
                let arms = [
                    normal.map(|part| -part * (gap * (1.0 - share) + radii[0])),
                    normal.map(|part| part * (gap * share + radii[1])),
                ];
                let [[n1, t1], [n2, t2]] = arms.map(|arm| rows(normal, arm));
                Met { gap, rows: [[n1, n2.map(|part| -part)], [t1, t2.map(|part| -part)]], belt: 0.0 }
            }
        }
    }

    /// How far the foot of a disc on its face is from the nearer end of it in m, negative beyond the end; infinite where there
    /// is no face.
    pub fn inside_face(&self, first: [f64; 3], second: [f64; 3]) -> f64 {
        let Geometry::Face { start, end, .. } = &self.geometry else { return f64::INFINITY };
        let apart = turn(-second[2], [first[0] - second[0], first[1] - second[1]]);
        let line = end - start;
        let along = (Vector2::from(apart) - start).dot(&line) / line.norm();
        along.min(line.norm() - along)
    }
}

/// A direction of the body's axes in those of the world.
pub(super) fn turn<S: Number>(angle: S, vector: [S; 2]) -> [S; 2] {
    let (sin, cos) = angle.sin_cos();
    [cos * vector[0] - sin * vector[1], sin * vector[0] + cos * vector[1]]
}

/// The rows of normal and tangent of a point at `arm` from a centre.
fn rows<S: Number>(normal: [S; 2], arm: [S; 2]) -> [[S; 3]; 2] {
    let row = |direction: [S; 2]| [direction[0], direction[1], arm[0] * direction[1] - arm[1] * direction[0]];
    [row(normal), row([normal[1], -normal[0]])]
}

fn radius_arm<S: Number>(normal: [S; 2], radius: f64) -> [S; 2] {
    normal.map(|part| -part * radius)
}

/// The rows of a disc and a second body whose centres are `apart`; the point is that of the disc.
fn of_two<S: Number>(normal: [S; 2], [arm, apart]: [[S; 2]; 2]) -> [[[S; 3]; 2]; 2] {
    let [n1, t1] = rows(normal, arm);
    let [n2, t2] = rows(normal, [apart[0] + arm[0], apart[1] + arm[1]]);
    [[n1, n2.map(|part| -part)], [t1, t2.map(|part| -part)]]
}

/// The face of a polygon that a disc is furthest outside of at the start.
fn face(task: &PlanTask, [disc, polygon]: [usize; 2], radius: f64, corners: &[Vector2<f64>]) -> Geometry {
    let place = |body: usize| [0, 1, 2].map(|axis| 0.5 * task.start[body][axis].iter().sum::<f64>());
    let (centre, pose) = (place(disc), place(polygon));
    let centre = Vector2::from(turn(-pose[2], [centre[0] - pose[0], centre[1] - pose[1]]));
    let sides = (0..corners.len()).map(|index| {
        let (start, end) = (corners[index], corners[(index + 1) % corners.len()]);
        let along = (end - start).normalize();
        (start, end, Vector2::new(along.y, -along.x))
    });
    let distance = |side: &(Vector2<f64>, Vector2<f64>, Vector2<f64>)| side.2.dot(&(centre - side.0));
    let furthest = sides.max_by(|a, b| distance(a).total_cmp(&distance(b)));
    let (start, end, normal) = furthest.unwrap_or((Vector2::zeros(), Vector2::x(), Vector2::y()));
    Geometry::Face { radius, start, end, normal }
}
