//! The rules about bodies, walls and pairs.

use std::{
    collections::HashSet,
    fmt::{self, Display},
    ops::Bound::{Excluded, Included},
};

use nalgebra::Matrix3;

use super::{
    MAX_DISTANCE, MAX_SPEED, MIN_SIZE, Violation,
    judge::{Judge, list, short},
    within,
};
use crate::{
    model::{Orientation, Vector},
    scenario::{
        Body, Inertia, Pair, Part, Scenario, Shape, Wall,
        keys::{self, PAIR},
    },
    world::{Course, Partner},
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
        self.check_motion(name, judge);
    }

    /// Holds the motion that is given against the rules.
    fn check_motion(&self, name: &str, judge: &mut Judge) {
        let Some(course) = &self.motion else { return };
        let refuse = |judge: &mut Judge, key: String, value: String, allowed: &str, remedy: &str| {
            let (allowed, remedy) = (allowed.to_owned(), remedy.to_owned());
            judge.refuse(Violation { key, others: Vec::new(), value, allowed, remedy });
        };
        if !self.fixed {
            let remedy = "make the body by Body::driven";
            refuse(judge, format!("{name}.fixed"), "false".to_owned(), "true for a driven body", remedy);
        }
        let Course::Table(rows) = course else { return };
        let key = format!("{name}.motion");
        if rows.len() < 2 {
            let value = format!("{} row{}", rows.len(), if rows.len() == 1 { "" } else { "s" });
            let remedy = "say where it is at two times at least; a body that stays is fixed = true";
            return refuse(judge, key, value, "at least 2 rows", remedy);
        }
        let mut fits = true;
        for (index, row) in rows.iter().enumerate() {
            let key = format!("{key}[{index}]");
            let far = |part: &f64| part.abs() > MAX_DISTANCE;
            fits &= judge.finite(format_args!("{key}"), &[row.time], "give the time in seconds")
                && judge.finite_from(&key, 1, row.position.as_slice(), "give the place in metres");
            if row.position.iter().any(far) {
                fits = false;
                let value = list(row.position.as_slice());
                refuse(judge, key.clone(), value, "within 1e6 m of the origin", "give the place in metres");
            }
            match row.orientation {
                Orientation::Angle(angle) if !angle.is_finite() || far(&angle) => {
                    fits = false;
                    let allowed = "a row with an angle of at most 1e6 rad";
                    refuse(judge, key, short(angle), allowed, "2 pi is a full turn");
                }
                orientation
                    if !orientation.is_turn() || matches!(orientation, Orientation::Angle(_)) != (D == 2) =>
                {
                    fits = false;
                    let allowed = "a row with an orientation: an angle in the plane, in space a quaternion that is not zero";
                    refuse(judge, key, "no orientation".to_owned(), allowed, "[1, 0, 0, 0] is upright");
                }
                _ => {}
            }
        }
        if !fits {
            return;
        }
        for (index, pair) in rows.windows(2).enumerate() {
            let (key, dt) = (format!("{key}[{}]", index + 1), pair[1].time - pair[0].time);
            if dt <= 0.0 {
                let allowed = "a row with a later time than the row before";
                let remedy = "sort the rows by their times, each a time of its own";
                return refuse(judge, key, format!("at {} s", short(pair[1].time)), allowed, remedy);
            }
            let way = (pair[1].position - pair[0].position).norm();
            let turn = pair[1].orientation.angle_to(&pair[0].orientation);
            let fastest = way.max(turn) / dt;
            if fastest.is_nan() || fastest > MAX_SPEED {
                let value = format!("{} m and {} rad in {} s", short(way), short(turn), short(dt));
                let allowed = "a row that is reached at no more than 1e6 m/s and 1e6 rad/s";
                return refuse(judge, key, value, allowed, "check the units: s, m and rad");
            }
        }
        if let Some(start) = course.at(0.0)
            && start.position != self.position
        {
            let value = list(self.position.as_slice());
            let allowed =
                format!("{}, where its motion has it at the start", list(start.position.as_slice()));
            refuse(judge, format!("{name}.position"), value, &allowed, "change the rows of its motion");
        }
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
            if self.stays() && motion.iter().any(|component| *component != 0.0) {
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
        let fits = match &self.shape {
            Shape::Compound { parts } => check_parts(parts, name, judge),
            shape => size_fits(shape, name, judge),
        };
        let has_parts = matches!(self.shape, Shape::Compound { .. });
        let is_alone = fits && !has_parts;
        if let (true, Some(Err(fault))) = (is_alone, self.outline()) {
            refuse(judge, "size", "no outline".to_owned(), "a convex polygon", &fault.to_string());
        }
        if let (true, Some(Err(fault))) = (is_alone, self.solid()) {
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

/// Holds the size of what is not made of parts against the rules; whether it may be a shape.
fn size_fits<const D: usize>(shape: &Shape<D>, name: &str, judge: &mut Judge) -> bool {
    let mut size = |length: f64| {
        let range = MIN_SIZE..=MAX_DISTANCE;
        judge.range(format_args!("{name}.size"), length, range, "m", "give the length in metres")
    };
    let fits = match shape {
        Shape::Point | Shape::Compound { .. } => true,
        Shape::Box { size: widths } => widths.iter().all(|&width| size(width)),
        Shape::Rod { length } => size(*length),
        Shape::Ball { radius } => size(*radius),
        Shape::Capsule { radius, length } | Shape::Cylinder { radius, length } => {
            size(*radius) && size(*length)
        }
        Shape::Hull { vertices } => vertices.iter().flatten().all(|part| part.abs() <= MAX_DISTANCE),
    };
    let mut refuse = |key: &str, value: &str, allowed: &str, remedy: &str| {
        judge.refuse(Violation {
            key: format!("{name}.{key}"),
            others: Vec::new(),
            value: value.to_owned(),
            allowed: allowed.to_owned(),
            remedy: remedy.to_owned(),
        });
    };
    if !fits && matches!(shape, Shape::Hull { .. }) {
        refuse("size", "out of range", "corners within 1e6 m", "give them in metres");
    }
    if let Some(width) = widest(shape).filter(|width| fits && *width < MIN_SIZE) {
        let value = format!("{width:.1e} m wide");
        refuse("size", &value, "corners at least 1e-9 m from each other", "give them in metres");
        return false;
    }
    if D == 3 && matches!(shape, Shape::Rod { .. }) {
        refuse(
            "shape",
            "\"rod\"",
            "box, sphere, capsule, cylinder or polyhedron in space",
            "take a thin capsule",
        );
    }
    if D == 2 && shape.is_spatial() {
        let word = format!("\"{}\"", shape.as_str());
        refuse("shape", &word, "box, rod, disc or polygon in a vertical plane", "take a disc or a box");
    }
    fits
}

/// The longest side of the box about the corners of a shape that is made of them, in m.
fn widest<const D: usize>(shape: &Shape<D>) -> Option<f64> {
    let Shape::Hull { vertices } = shape else { return None };
    let along = |axis: usize| {
        let ends = vertices.iter().map(|vertex| vertex[axis]);
        ends.clone().fold(f64::NEG_INFINITY, f64::max) - ends.fold(f64::INFINITY, f64::min)
    };
    (0..D).map(along).reduce(f64::max)
}

/// Holds the parts of the body called `name` against the rules; whether they make a body.
fn check_parts<const D: usize>(parts: &[Part<D>], name: &str, judge: &mut Judge) -> bool {
    let refuse = |judge: &mut Judge, key: String, value: &str, allowed: &str, remedy: &str| {
        judge.refuse(Violation {
            key,
            others: Vec::new(),
            value: value.to_owned(),
            allowed: allowed.to_owned(),
            remedy: remedy.to_owned(),
        });
        false
    };
    if parts.is_empty() {
        return refuse(
            judge,
            format!("{name}.part"),
            "empty",
            "a list of parts",
            "give at least one [[body.part]]",
        );
    }
    let has_mass = |part: &Part<D>| part.mass.is_some() || part.density.is_some();
    let any_has_mass = parts.iter().any(has_mass);
    let mut fits = true;
    for (index, part) in parts.iter().enumerate() {
        let name = format!("{name}.part[{index}]");
        judge.numbers(&name, keys::part(), part);
        let is_shape = match &part.shape {
            Shape::Point | Shape::Compound { .. } => {
                let remedy = "a point has no extent, and parts have no parts: take a small disc or sphere";
                refuse(
                    judge,
                    format!("{name}.shape"),
                    part.shape.as_str(),
                    "a convex shape with an extent",
                    remedy,
                )
            }
            shape => size_fits(shape, &name, judge),
        };
        if is_shape {
            let outline = part.shape.outline(false).and_then(Result::err).map(|fault| fault.to_string());
            let solid = part.shape.solid(false).and_then(Result::err).map(|fault| fault.to_string());
            if let Some(fault) = outline.or(solid) {
                fits &=
                    refuse(judge, format!("{name}.size"), "no body", "the corners of a convex body", &fault);
            }
        }
        fits &= is_shape;
        let position = part.position.as_slice();
        let key = Key { of: &name, key: "position" };
        fits &= judge.finite(key, position, "give the place in metres");
        within(key, position, MAX_DISTANCE, "m", "write the parts closer to their origin", judge);
        fits &= check_turn(&part.orientation, &name, judge);
        if part.mass.is_some() && part.density.is_some() {
            let remedy = "leave one of the two out";
            fits &=
                refuse(judge, format!("{name}.density"), "given", "absent where the mass is given", remedy);
        } else if any_has_mass && !has_mass(part) {
            let remedy = "give every part a mass or a density, or none of them, and the body its mass";
            fits &=
                refuse(judge, format!("{name}.mass"), "missing", "given as that of other parts is", remedy);
        } else if part.mass.is_none() && matches!(part.shape, Shape::Rod { .. }) {
            let remedy = "give every part its mass: a rod has no area to weigh by";
            fits &= refuse(judge, format!("{name}.mass"), "missing", "given for a rod", remedy);
        }
    }
    fits
}

/// Holds how a part is turned against the rules.
fn check_turn(turn: &Orientation, name: &str, judge: &mut Judge) -> bool {
    match turn {
        Orientation::Angle(angle) => {
            let row = keys::part::<2>().typed_key("angle").map(|key| &key.row);
            row.is_none_or(|row| judge.row(row, format_args!("{name}.angle"), *angle))
        }
        turn if turn.is_turn() => true,
        Orientation::Quaternion(_) => {
            judge.refuse(Violation {
                key: format!("{name}.orientation"),
                others: Vec::new(),
                value: "not of length 1".to_owned(),
                allowed: "a quaternion [w, x, y, z] that is not zero".to_owned(),
                remedy: "[1, 0, 0, 0] is upright".to_owned(),
            });
            false
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
        self.sliding.check::<D>(name, self.friction, judge);
        self.sliding.check_along(name, self.normal.as_slice(), judge);
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
            let is_reserved = name == "ground" || name == "world" || name.starts_with("wall-");
            let fits = (1..=64).contains(&length) && name.chars().all(allowed_char) && !is_reserved;
            if is_taken || !fits {
                judge.refuse(Violation {
                    key: format!("body[{index}].name"),
                    others: Vec::new(),
                    value: format!("{name:?}"),
                    allowed:
                        "1 to 64 characters out of a-z, 0-9 and -, each body its own, not ground, not world, and not beginning with wall-, as walls are called"
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
                Partner::Stop { .. } => false,
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
            if !pair.touch {
                self.check_passing(index, pair, judge);
            }
            judge.numbers(format_args!("pair[{index}]"), &PAIR, pair);
            pair.sliding.check::<D>(&format!("pair[{index}]"), pair.friction, judge);
        }
    }

    /// Holds a pair that never touches against the rules.
    fn check_passing(&self, index: usize, pair: &Pair, judge: &mut Judge) {
        let mut refuse = |others: Vec<String>, allowed: &str, remedy: &str| {
            judge.refuse(Violation {
                key: format!("pair[{index}].touch"),
                others,
                value: "false".to_owned(),
                allowed: allowed.to_owned(),
                remedy: remedy.to_owned(),
            });
        };
        let Partner::Body(second) = pair.second else {
            let allowed = "true: the ground and the walls are there for every body";
            return refuse(Vec::new(), allowed, "name two bodies, or remove it");
        };
        let bare = Pair { touch: false, ..Pair::between(pair.first, pair.second) };
        if *pair != bare {
            refuse(Vec::new(), "alone", "remove friction and restitution: what never touches has none");
        }
        let ends = [Some(pair.first), Some(second)];
        let joins = |bodies: [Option<usize>; 2]| ends == bodies || ends == [bodies[1], bodies[0]];
        if let Some(joint) = self.joints.iter().position(|joint| joint.collide && joins(joint.bodies)) {
            let allowed = format!("true, as `joint[{joint}].collide` is");
            refuse(vec![format!("joint[{joint}].collide")], &allowed, "remove one of the two");
        }
        if let Some(contact) = self.contacts.iter().position(|contact| contact.is_of(pair.first, second)) {
            let allowed = format!("true, as `contact[{contact}]` keeps the two at a distance");
            refuse(vec![format!("contact[{contact}]")], &allowed, "remove one of the two");
        }
    }
}
