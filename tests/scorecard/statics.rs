//! What stands, by linear programs over the contact forces: a second way to the thresholds of friction and force.

use std::f64::consts::PI;

use good_lp::{Expression, ProblemVariables, Solution, SolverModel, constraint, microlp, variable};
use nalgebra::Vector2;

/// A contact of two bodies, or of one and the world: the force on `first` acts at `point`.
struct Joint {
    first: usize,
    second: Option<usize>,
    point: Vector2<f64>,
    /// Into the first.
    normal: Vector2<f64>,
    friction: f64,
}

/// A body: its centre of mass and what pulls at it.
struct Load {
    centre: Vector2<f64>,
    force: Vector2<f64>,
    /// Torque about the centre.
    torque: f64,
}

impl Load {
    fn weight(centre: Vector2<f64>, mass: f64) -> Self {
        Self { centre, force: Vector2::new(0.0, -9.81 * mass), torque: 0.0 }
    }
}

/// Whether forces within the friction cones hold all bodies.
fn stands(loads: &[Load], joints: &[Joint]) -> bool {
    let mut variables = ProblemVariables::new();
    let forces: Vec<_> =
        joints.iter().map(|_| (variables.add(variable().min(0.0)), variables.add(variable()))).collect();
    let mut balance: Vec<[Expression; 3]> =
        loads.iter().map(|load| [load.force.x.into(), load.force.y.into(), load.torque.into()]).collect();
    for (joint, &(normal, tangential)) in joints.iter().zip(&forces) {
        let tangent = Vector2::new(joint.normal.y, -joint.normal.x);
        for (body, sign) in
            std::iter::once((joint.first, 1.0)).chain(joint.second.map(|second| (second, -1.0)))
        {
            let arm = joint.point - loads[body].centre;
            for (force, direction) in [(normal, joint.normal), (tangential, tangent)] {
                balance[body][0] += sign * direction.x * force;
                balance[body][1] += sign * direction.y * force;
                balance[body][2] += sign * arm.perp(&direction) * force;
            }
        }
    }
    let total: Expression = forces.iter().map(|&(normal, _)| Expression::from(normal)).sum();
    let mut problem = variables.minimise(total).using(microlp);
    for (joint, &(normal, tangential)) in joints.iter().zip(&forces) {
        problem = problem.with(constraint!(tangential <= joint.friction * normal));
        problem = problem.with(constraint!(-1.0 * tangential <= joint.friction * normal));
    }
    for [x, z, torque] in balance {
        problem =
            problem.with(constraint!(x == 0.0)).with(constraint!(z == 0.0)).with(constraint!(torque == 0.0));
    }
    problem.solve().is_ok_and(|solution| forces.iter().all(|&(normal, _)| solution.value(normal).is_finite()))
}

/// The least parameter between `low` and `high` from which `holds`.
fn least(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (low, high);
    assert!(!holds(low) && holds(high), "the threshold is not in between");
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if holds(middle) { high = middle } else { low = middle }
    }
    high
}

/// The slope from which a ladder stands between a floor and a wall of the same friction.
pub fn ladder(friction: f64) -> f64 {
    least(0.5, 5.0, |slope| {
        let (sin, cos) = slope.atan().sin_cos();
        let joint = |point, normal| Joint { first: 0, second: None, point, normal, friction };
        let joints =
            [joint(Vector2::new(cos, 0.0), Vector2::y()), joint(Vector2::new(0.0, sin), Vector2::x())];
        stands(&[Load::weight(0.5 * Vector2::new(cos, sin), 1.0)], &joints)
    })
}

/// The friction from which a half circle of stones with straight edges stands.
pub fn arch(stones: usize, thickness: f64) -> f64 {
    let part = PI / stones as f64;
    let (inner, outer) = (1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness);
    let along = |angle: f64| Vector2::new(angle.cos(), angle.sin());
    let centre = |k: usize| {
        // Centre of area of the trapezium: two triangles.
        let [a, b] = [part * k as f64, part * (k + 1) as f64].map(along);
        let (one, other) = ([inner * a, outer * a, outer * b], [inner * a, outer * b, inner * b]);
        let area = |[p, q, r]: [Vector2<f64>; 3]| 0.5 * (q - p).perp(&(r - p));
        let middle = |[p, q, r]: [Vector2<f64>; 3]| (p + q + r) / 3.0;
        (middle(one) * area(one) + middle(other) * area(other)) / (area(one) + area(other))
    };
    let loads: Vec<_> = (0..stones).map(|k| Load::weight(centre(k), 1.0)).collect();
    least(0.05, 1.0, |friction| {
        let mut joints = Vec::new();
        for k in 0..=stones {
            let angle = part * k as f64;
            let normal = Vector2::new(-angle.sin(), angle.cos());
            for radius in [inner, outer] {
                let (first, second, normal) = match k {
                    0 => (0, None, normal),
                    k if k == stones => (k - 1, None, -normal),
                    k => (k, Some(k - 1), normal),
                };
                joints.push(Joint { first, second, point: radius * along(angle), normal, friction });
            }
        }
        stands(&loads, &joints)
    })
}

/// The friction on the ground from which two cards that lean on each other stand.
pub fn card_house() -> f64 {
    let corners = [[-0.52, 0.0], [-0.46, 0.0], [0.0, 0.84], [0.0, 0.94]].map(Vector2::from);
    let [a, b, c, d] = corners;
    let area = |p: Vector2<f64>, q: Vector2<f64>, r: Vector2<f64>| 0.5 * (q - p).perp(&(r - p));
    let (one, other) = (area(a, b, c), area(a, c, d));
    let centre = ((a + b + c) / 3.0 * one + (a + c + d) / 3.0 * other) / (one + other);
    let mirror = |v: Vector2<f64>| Vector2::new(-v.x, v.y);
    let loads = [Load::weight(centre, 1.0), Load::weight(mirror(centre), 1.0)];
    least(0.01, 1.0, |friction| {
        let foot = |first, point| Joint { first, second: None, point, normal: Vector2::y(), friction };
        let top = |point| Joint { first: 1, second: Some(0), point, normal: Vector2::x(), friction };
        let joints = [foot(0, a), foot(0, b), foot(1, mirror(a)), foot(1, mirror(b)), top(c), top(d)];
        stands(&loads, &joints)
    })
}

/// The force with which two fingers hold a box.
pub fn grasp(friction: f64) -> f64 {
    least(1.0, 100.0, |force| {
        let finger = |x: f64, push: f64| Load {
            centre: Vector2::new(x, 0.5),
            force: Vector2::new(push, -9.81 * 5.0),
            torque: -0.1 * push,
        };
        let loads = [Load::weight(Vector2::new(0.0, 0.6), 1.0), finger(-0.2, force), finger(0.2, -force)];
        let mut joints = Vec::new();
        for (finger, side) in [(1, -1.0), (2, 1.0)] {
            for height in [0.5, 0.7] {
                let (point, normal) = (Vector2::new(0.1 * side, height), Vector2::new(-side, 0.0));
                joints.push(Joint { first: 0, second: Some(finger), point, normal, friction });
            }
            for x in [0.1, 0.3] {
                let point = Vector2::new(x * side, 0.0);
                joints.push(Joint {
                    first: finger,
                    second: None,
                    point,
                    normal: Vector2::y(),
                    friction: 0.0,
                });
            }
        }
        stands(&loads, &joints)
    })
}

/// Whichever radius the thickness is a share of: a friction of 0.3657 belongs to a thinner arch by all of them.
#[test]
fn an_arch_needs_another_friction_by_every_convention_of_its_radius() {
    for (middle, friction) in [(1.0, 0.3513), (1.075, 0.3618), (0.925, 0.3396)] {
        let found = arch(20, 0.15 / middle);
        assert!((found - friction).abs() < 2e-4, "{middle}: {found}");
        assert!((found - 0.3657).abs() > 3e-3, "{middle}: {found}");
    }
}

#[test]
fn an_arch_of_many_stones_needs_about_as_much_friction_as_one_of_six() {
    let (few, many) = (arch(6, 0.15), arch(20, 0.15));
    assert!((few - 0.363203).abs() < 1e-5 && (many - 0.35127).abs() < 1e-4, "{few} {many}");
}
