//! The rules about bodies, walls and pairs.

use std::{
    collections::HashSet,
    fmt::{self, Display},
    ops::Bound::{Excluded, Included},
};

use nalgebra::Matrix3;

use super::{
    MAX_DISTANCE, MAX_SPEED, Violation,
    judge::{Judge, list, short},
    within,
};
use crate::{
    model::{Orientation, Vector},
    scenario::{
        Body, Inertia, Scenario, Shape, Wall,
        keys::{self, PAIR},
    },
    world::Partner,
};

/// How far from 1 the length of a normal may be.
const UNIT_LENGTH: f64 = 1e-6;

/// The full key of a value of something that has a name.
#[derive(Clone, Copy)]
struct Key<'a> {
    of: &'a str,
    key: &'static str,
}

impl Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.of, self.key)
    }
}

impl<const D: usize> Body<D> {
    /// Holds the values of the body called `name` against the rules.
    pub(super) fn check(&self, name: &str, judge: &mut Judge) {
        let key = |key| Key { of: name, key };
        judge.numbers(name, keys::body(), self);
        let position = self.position.as_slice();
        if judge.finite(key("position"), position, "give the place in metres, the height last") {
            let remedy = "move the origin closer to the point";
            within(key("position"), position, MAX_DISTANCE, "m", remedy, judge);
            let is_point = self.shape == Shape::Point;
            let lowest = if is_point { 0.0 } else { -MAX_DISTANCE };
            judge.range(
                format_args!("{name}.position[{}]", D - 1),
                self.position[D - 1],
                lowest..,
                "m",
                "the last component is the height over the ground, which is at 0",
            );
        }
        let velocity = self.velocity.as_slice();
        if judge.finite(key("velocity"), velocity, "give the velocity in metres per second") {
            within(key("velocity"), velocity, MAX_SPEED, "m/s", "check the units, they are m/s", judge);
        }
        self.check_turning(name, judge);
    }

    /// Holds against the rules what a point does not have.
    fn check_turning(&self, name: &str, judge: &mut Judge) {
        let key = |key| Key { of: name, key };
        self.check_shape(name, judge);
        let in_plane = matches!(self.orientation, Orientation::Angle(_));
        if in_plane != (D == 2) {
            judge.refuse(Violation {
                key: key("orientation").to_string(),
                others: Vec::new(),
                value: format!("{:?}", self.orientation),
                allowed: format!("{} in {D} dimensions", if D == 2 { "an angle" } else { "a quaternion" }),
                remedy: "see Orientation::upright".to_owned(),
            });
        } else if let Orientation::Angle(angle) = self.orientation {
            if let Some(row) = keys::body::<D>().typed_key("angle") {
                judge.row(&row.row, key("angle"), angle);
            }
        } else if !self.attitude().is_finite() || !self.orientation.is_turn() {
            judge.refuse(Violation {
                key: key("orientation").to_string(),
                others: Vec::new(),
                value: "not of length 1".to_owned(),
                allowed: "a quaternion [w, x, y, z] that is not zero".to_owned(),
                remedy: "[1, 0, 0, 0] is upright".to_owned(),
            });
        }
        let components = if D == 2 { 1 } else { 3 };
        let spin = &self.spin.as_slice()[..components];
        if judge.finite(key("spin"), spin, "give the rate of rotation in radians per second") {
            within(key("spin"), spin, MAX_SPEED, "rad/s", "check the units, they are rad/s", judge);
        }
        for (name, motion) in [("velocity", self.velocity.as_slice()), ("spin", spin)] {
            if self.fixed && motion.iter().any(|component| *component != 0.0) {
                judge.refuse(Violation {
                    key: key(name).to_string(),
                    others: vec![key("fixed").to_string()],
                    value: if let [component] = motion { short(*component) } else { list(motion) },
                    allowed: format!("0 where `{}` is true", key("fixed")),
                    remedy: format!(
                        "a fixed body stays where it is: remove its {name}, or let it move; a [[wall]] may move along \
                         itself"
                    ),
                });
            }
        }
    }

    fn check_shape(&self, name: &str, judge: &mut Judge) {
        let refuse = |judge: &mut Judge, key: &str, value: String, allowed: &str, remedy: &str| {
            judge.refuse(Violation {
                key: format!("{name}.{key}"),
                others: Vec::new(),
                value,
                allowed: allowed.to_owned(),
                remedy: remedy.to_owned(),
            });
        };
        let mut size = |length: f64| {
            let range = (Excluded(0.0), Included(MAX_DISTANCE));
            judge.range(format_args!("{name}.size"), length, range, "m", "give the length in metres")
        };
        let fits = match &self.shape {
            Shape::Point => true,
            Shape::Box { size: widths } => widths.iter().all(|&width| size(width)),
            Shape::Rod { length } => size(*length),
            Shape::Ball { radius } => size(*radius),
            Shape::Hull { vertices } => vertices.iter().flatten().all(|part| part.abs() <= MAX_DISTANCE),
        };
        if !fits && matches!(self.shape, Shape::Hull { .. }) {
            refuse(judge, "size", "out of range".to_owned(), "corners within 1e6 m", "give them in metres");
        }
        if D == 3 && matches!(self.shape, Shape::Rod { .. }) {
            refuse(
                judge,
                "shape",
                "\"rod\"".to_owned(),
                "box, sphere or polyhedron in space",
                "take a thin box",
            );
        }
        if let (true, Some(Err(fault))) = (fits, self.shape.outline()) {
            refuse(judge, "size", "no outline".to_owned(), "a convex polygon", &fault.to_string());
        }
        if let (true, Some(Err(fault))) = (fits, self.solid()) {
            let allowed =
                "the corners of a body that holds its centre of mass, at least four and not in one plane";
            refuse(judge, "size", "no body".to_owned(), allowed, &fault.to_string());
        }
        match &self.inertia {
            None => {}
            Some(Inertia::Plane(moment)) => {
                let range = (Excluded(0.0), Included(1e18));
                judge.range(
                    format_args!("{name}.inertia"),
                    *moment,
                    range,
                    "kg m^2",
                    "leave it out for a uniform body",
                );
            }
            Some(Inertia::Space(tensor)) if is_inertia(tensor) => {}
            Some(Inertia::Space(_)) => {
                let allowed =
                    "a symmetric, positive definite tensor, no moment larger than the other two together";
                refuse(judge, "inertia", "given".to_owned(), allowed, "leave it out for a uniform body");
            }
        }
    }
}

/// Whether a matrix is the inertia tensor of some body.
fn is_inertia(tensor: &Matrix3<f64>) -> bool {
    let size = tensor.amax();
    let symmetric = (tensor - tensor.transpose()).amax() <= 1e-9 * size;
    if !(symmetric && size.is_finite()) {
        return false;
    }
    let moments = tensor.symmetric_eigenvalues();
    let (least, sum, most) = (moments.min(), moments.sum(), moments.max());
    least > 0.0 && 2.0 * most <= sum * (1.0 + 1e-9)
}

impl<const D: usize> Wall<D> {
    /// Holds the values of the wall called `name` against the rules.
    pub(super) fn check(&self, name: &str, judge: &mut Judge) {
        let key = |key| Key { of: name, key };
        let normal = self.normal.as_slice();
        if judge.finite(key("normal"), normal, "give a unit vector into the room") {
            let length = self.normal.norm();
            if (length - 1.0).abs() > UNIT_LENGTH {
                let unit = (self.normal / length).map(|part| (part * 1e6).round() / 1e6);
                judge.refuse(Violation {
                    key: key("normal").to_string(),
                    others: Vec::new(),
                    value: list(normal),
                    allowed: "a vector of length 1".to_owned(),
                    remedy: if length > 0.0 && unit.iter().all(|part| part.is_finite()) {
                        format!(
                            "for example {}, with the offset divided by {}",
                            list(unit.as_slice()),
                            short(length)
                        )
                    } else {
                        let along = Vector::<D>::from_fn(|axis, _| f64::from(axis == 0));
                        format!("for example {}", list(along.as_slice()))
                    },
                });
            }
        }
        judge.numbers(name, keys::wall(), self);
        self.sliding.check(name, self.friction, judge);
        let velocity = &self.velocity[..D - 1];
        if judge.finite(key("velocity"), velocity, "give the velocity of the surface in m/s") {
            within(key("velocity"), velocity, MAX_SPEED, "m/s", "check the units, they are m/s", judge);
        }
    }
}

impl<const D: usize> Scenario<D> {
    /// Holds the names of the bodies against the rules.
    pub(super) fn check_names(&self, judge: &mut Judge) {
        let allowed_char = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.bodies.iter().all(|body| body.name.is_none()) {
            return;
        }
        let mut names = HashSet::new();
        for index in 0..self.bodies.len() {
            let name = self.body_name(index);
            let length = name.chars().count();
            let is_taken = !names.insert(name.clone());
            let is_reserved = name == "ground" || name.starts_with("wall-");
            let fits = (1..=64).contains(&length) && name.chars().all(allowed_char) && !is_reserved;
            if is_taken || !fits {
                judge.refuse(Violation {
                    key: format!("body[{index}].name"),
                    others: Vec::new(),
                    value: format!("{name:?}"),
                    allowed:
                        "1 to 64 characters out of a-z, 0-9 and -, each body its own, not ground or wall-0"
                            .to_owned(),
                    remedy: format!("for example \"box-{index}\""),
                });
            }
        }
    }

    /// Holds the pairs against the rules.
    pub(super) fn check_pairs(&self, judge: &mut Judge) {
        for (index, pair) in self.pairs.iter().enumerate() {
            let exists = |partner: Partner| match partner {
                Partner::Body(body) => body < self.bodies.len(),
                Partner::Ground => true,
                Partner::Wall(wall) => wall < self.walls.len(),
            };
            if !exists(Partner::Body(pair.first))
                || !exists(pair.second)
                || pair.second == Partner::Body(pair.first)
            {
                judge.refuse(Violation {
                    key: format!("pair[{index}].bodies"),
                    others: Vec::new(),
                    value: format!("{} and {:?}", pair.first, pair.second),
                    allowed: "two that can touch".to_owned(),
                    remedy: "name two different bodies, or a body and the ground or a wall".to_owned(),
                });
            } else if let Some(earlier) =
                self.pairs[..index].iter().position(|earlier| earlier.is_of(pair.first, pair.second))
            {
                let bodies = [self.body_name(pair.first), self.partner_name(pair.second)];
                judge.refuse(Violation {
                    key: format!("pair[{index}].bodies"),
                    others: vec![format!("pair[{earlier}].bodies")],
                    value: format!("{} and {}", bodies[0], bodies[1]),
                    allowed: format!("two of which there is no other pair, as `pair[{earlier}]` is"),
                    remedy: "give friction and restitution of the two in one table".to_owned(),
                });
            }
            judge.numbers(format_args!("pair[{index}]"), &PAIR, pair);
            pair.sliding.check(&format!("pair[{index}]"), pair.friction, judge);
        }
    }
}
