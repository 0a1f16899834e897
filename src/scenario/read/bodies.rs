//! The tables `[particle]`, `[[body]]`, `[[body.part]]`, `[[wall]]` and `[[pair]]`.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion};

use super::{
    closest,
    dimension::{Decider, fixed},
    document::Value,
    names::Names,
    walker::{Open, Walker, Wanted},
};
use crate::{
    model::{Orientation, Spin},
    scenario::{
        Body, Inertia, Pair, Part, Shape, Wall,
        keys::{self, PAIR},
        part::mass_of,
    },
    world::{Course, CourseRow, Partner},
};

/// The words for shapes, in the plane and in space; the point, which no part is, comes last.
const SHAPES: [&[&str]; 2] = [
    &["box", "rod", "disc", "polygon", "point"],
    &["box", "sphere", "capsule", "cylinder", "polyhedron", "point"],
];

/// A particle of a scenario whose vectors are as long as the one that decides, or, alone, as its position.
pub(super) fn particle<const D: usize>(
    walker: &mut Walker<'_>,
    table: &Open<'_>,
    dimension: &Decider,
) -> Body<D> {
    let mut body = Body::default();
    walker.fill(table, keys::particle(), &mut body);
    for key in ["position", "velocity"] {
        if table.get(key).is_none() {
            walker.missing(table, key);
        }
    }
    let position = walker.vector(table, "position");
    let velocity = walker.vector(table, "velocity");
    if let (Some(position), Some(velocity)) = (&position, &velocity) {
        let decider = table.full_key("position");
        walker.same_length(table, "velocity", velocity.len(), (&decider, position.len()));
    }
    if let (Some((decider, length)), Some(position)) = (dimension, &position) {
        walker.same_length(table, "position", position.len(), (decider, *length));
    }
    (body.position, body.velocity) = (fixed(position), fixed(velocity));
    body
}

/// The bodies of a list of `[[body]]`s.
pub(super) fn bodies<const D: usize>(
    walker: &mut Walker<'_>,
    top: &Open<'_>,
    dimension: &Decider,
) -> Vec<Body<D>> {
    let nodes = walker.tables(top, "body");
    let mut bodies = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        // A faulty body keeps its place, so that the others keep their numbers.
        bodies.push(match walker.open(keys::body::<D>(), format!("body[{index}]"), node) {
            Some(table) => body(walker, &table, dimension),
            None => Body::default(),
        });
    }
    bodies
}

fn body<const D: usize>(walker: &mut Walker<'_>, table: &Open<'_>, dimension: &Decider) -> Body<D> {
    let has = |key: &str| table.get(key).is_some();
    if !has("position") && !has("motion") {
        walker.missing(table, "position");
    }
    let mut body = Body::<D> { position: vector(walker, table, "position", dimension), ..Body::default() };
    body.velocity = vector(walker, table, "velocity", dimension);
    let has_parts = table.get("part").is_some();
    body.shape = if has_parts { compound(walker, table, dimension) } else { shape(walker, table, true) };
    turned_otherwise::<D>(walker, table);
    body.name = walker.text(table, "name").map(str::to_owned);
    walker.set_truth(table, "fixed", &mut body.fixed);
    // Parts that weigh something say what all of it weighs, and what nothing moves weighs what it likes.
    match mass_of_parts(&body.shape).filter(|_| !has("mass")) {
        Some(mass) => body.mass = mass,
        None if !has("mass") && !has("motion") && !body.fixed => walker.missing(table, "mass"),
        None => {}
    }
    walker.fill(table, keys::body(), &mut body);
    orientation::<D>(walker, table, &mut body.orientation);
    if D == 3 {
        body.spin = spin(walker.list(table, "spin", 3, "a list of 3 numbers").unwrap_or_default());
        let rows = walker.rows_or_list(table, "inertia", "a list of 3 numbers, or 3 rows of 3");
        body.inertia = rows.map(|rows| match rows.as_slice() {
            [moments] => Inertia::Space(Matrix3::from_fn(|i, j| if i == j { moments[i] } else { 0.0 })),
            rows => Inertia::Space(Matrix3::from_fn(|i, j| rows[i][j])),
        });
    } else {
        body.spin = spin(walker.number(table, "spin").into_iter().collect());
        body.inertia = walker.number(table, "inertia").map(Inertia::Plane);
    }
    if body.shape == Shape::Point {
        walker.no_effect(
            table,
            &["size", "inertia", "angle", "orientation", "spin"],
            "a point does not turn",
            "remove it, or give the body another shape",
        );
    }
    match motion(walker, table, body.shape == Shape::Point) {
        Some(course) => body.driven(course),
        None => body,
    }
}

/// How a body is driven, if it is.
fn motion<const D: usize>(walker: &mut Walker<'_>, table: &Open<'_>, is_point: bool) -> Option<Course<D>> {
    let node = table.get("motion")?;
    let why = "the motion of the body is given, and nothing that acts on it moves it";
    walker.no_effect(table, &["mass", "inertia", "fixed"], why, "remove it, or leave `motion` out");
    if let Value::Text(word) = &node.value {
        if word == "steady" {
            if table.get("position").is_none() {
                walker.missing(table, "position");
            }
            return Some(Course::Steady);
        }
        let full = table.full_key("motion");
        let message =
            format!("`{full}` is {}, but must be \"steady\" or rows of a table", walker.quote(node));
        let help =
            "\"steady\" keeps the velocity and the spin of the start; rows say where it is when".to_owned();
        walker.report(&node.source, full, message, help);
        return None;
    }
    let why = "the rows of `motion` say where the body is";
    let keys = ["position", "velocity", "angle", "orientation", "spin"];
    walker.no_effect(table, &keys, why, "remove it, or write motion = \"steady\"");
    let (columns, names) = match (D, is_point) {
        (2, false) => (4, "[t, x, z, angle]"),
        (2, true) => (3, "[t, x, z], as a point does not turn"),
        (_, false) => (8, "[t, x, y, z, qw, qx, qy, qz]"),
        (_, true) => (4, "[t, x, y, z], as a point does not turn"),
    };
    let wanted = format!("\"steady\", or rows {names}");
    let rows = walker.rows(table, "motion", &[columns], wanted.as_str())?;
    let row = |row: Vec<f64>| CourseRow {
        time: row[0],
        position: fixed(Some(row[1..=D].to_vec())),
        orientation: match row[D + 1..] {
            [angle] => Orientation::Angle(angle),
            [w, x, y, z] => Orientation::Quaternion(unit(Quaternion::new(w, x, y, z))),
            _ => Orientation::upright::<D>(),
        },
    };
    Some(Course::Table(rows.into_iter().map(row).collect()))
}

/// Reports the key of the turn that the other dimension has.
fn turned_otherwise<const D: usize>(walker: &mut Walker<'_>, table: &Open<'_>) {
    let (other, why, help) = if D == 3 {
        let help = "give orientation = [w, x, y, z], a quaternion from the body to the world";
        ("angle", "the body is in space", help)
    } else {
        ("orientation", "the body is in a vertical plane", "give angle, in rad from x towards z")
    };
    walker.no_effect(table, &[other], why, help);
}

/// Reads how something is turned.
fn orientation<const D: usize>(walker: &mut Walker<'_>, table: &Open<'_>, turned: &mut Orientation) {
    if D == 2 {
        if let Some(angle) = walker.number(table, "angle") {
            *turned = Orientation::Angle(angle);
        }
        return;
    }
    let turn = walker.list(table, "orientation", 4, "a list of 4 numbers [w, x, y, z]");
    if let Some(&[w, x, y, z]) = turn.as_deref() {
        *turned = Orientation::Quaternion(unit(Quaternion::new(w, x, y, z)));
    }
}

/// What parts weigh together in kg; `None` where it is not they that say it.
fn mass_of_parts<const D: usize>(shape: &Shape<D>) -> Option<f64> {
    let Shape::Compound { parts } = shape else { return None };
    let sum = mass_of(parts)?;
    // Something that is no fault stands in for what is one already.
    Some(if sum > 0.0 && sum.is_finite() { sum } else { 1.0 })
}

/// The shape that the `[[body.part]]`s of a body make.
fn compound<const D: usize>(walker: &mut Walker<'_>, table: &Open<'_>, dimension: &Decider) -> Shape<D> {
    let why = "the body is made of parts";
    let given = ["shape", "size"].into_iter().find(|key| table.get(key).is_some());
    walker.no_effect(table, given.as_slice(), why, "remove shape and size, or the [[body.part]]s");
    let mut parts = Vec::new();
    for (index, node) in walker.tables(table, "part").iter().enumerate() {
        let full = format!("{}[{index}]", table.full_key("part"));
        if let Some(table) = walker.open(keys::part::<D>(), full, node) {
            parts.push(part(walker, &table, dimension));
        }
    }
    // A list that is empty, or of what are no tables, is refused by the rules, or has been reported.
    Shape::Compound { parts }
}

fn part<const D: usize>(walker: &mut Walker<'_>, table: &Open<'_>, dimension: &Decider) -> Part<D> {
    let mut part = Part { shape: shape(walker, table, false), ..Part::default() };
    part.position = vector(walker, table, "position", dimension);
    turned_otherwise::<D>(walker, table);
    orientation::<D>(walker, table, &mut part.orientation);
    walker.fill(table, keys::part(), &mut part);
    part
}

/// A vector as long as the one that decides, zero where it is not.
pub(super) fn vector<const D: usize>(
    walker: &mut Walker<'_>,
    table: &Open<'_>,
    key: &str,
    dimension: &Decider,
) -> crate::model::Vector<D> {
    let vector = walker.vector(table, key);
    if let (Some((decider, length)), Some(vector)) = (dimension, &vector) {
        walker.same_length(table, key, vector.len(), (decider, *length));
    }
    fixed(vector)
}

/// Rates of rotation, or torques, that stand first.
pub(super) fn spin(components: Vec<f64>) -> Spin {
    Spin::from_fn(|axis, _| components.get(axis).copied().unwrap_or(0.0))
}

/// A shape; `or_point` says whether it may be a point.
fn shape<const D: usize>(walker: &mut Walker<'_>, table: &Open<'_>, or_point: bool) -> Shape<D> {
    // It has a size and turns, so that nothing false is said of other keys.
    let unread = Shape::Ball { radius: 1.0 };
    let in_space = D == 3;
    if table.get("shape").is_none() {
        walker.missing(table, "shape");
    }
    let all = SHAPES[usize::from(in_space)];
    let known = if or_point { all } else { &all[..all.len() - 1] };
    let (Some(word), Some(node)) = (walker.text(table, "shape"), table.get("shape")) else {
        return unread;
    };
    if !known.contains(&word) {
        let full = table.full_key("shape");
        let place = if in_space { "in space" } else { "in a vertical plane" };
        let message =
            format!("`{full}` is {}, but {place} must be one of {}", walker.quote(node), known.join(", "));
        let counterpart = match word {
            "disc" => Some("sphere"),
            "sphere" => Some("disc"),
            "polygon" => Some("polyhedron"),
            "polyhedron" => Some("polygon"),
            _ => closest(word, known.iter().copied()),
        };
        let help = match counterpart.filter(|word| known.contains(word)) {
            Some(close) => format!("did you mean \"{close}\"?"),
            None => format!("choose one of {}", known.join(", ")),
        };
        walker.report(&node.source, full, message, help);
        return unread;
    }
    let size = |what| Wanted { what, example: size_example(word, in_space) };
    if word != "point" && table.get("size").is_none() {
        walker.missing_like(table, "size", size("").example);
        return unread;
    }
    let shape = match word {
        "box" => {
            let wanted = if in_space { "the 3 widths of the box" } else { "the 2 widths of the box" };
            walker.list(table, "size", D, size(wanted)).map(|size| Shape::Box { size: fixed(Some(size)) })
        }
        "rod" => {
            let length = walker.number_of(table, "size", size("a number, the length of the rod"));
            length.map(|length| Shape::Rod { length })
        }
        "disc" | "sphere" => {
            let radius = walker.number_of(table, "size", size("a number, the radius"));
            radius.map(|radius| Shape::Ball { radius })
        }
        "capsule" | "cylinder" => {
            let wanted = "the radius and the length along the axis";
            let size = walker.list(table, "size", 2, size(wanted));
            size.and_then(|size| match (size.as_slice(), word) {
                (&[radius, length], "capsule") => Some(Shape::Capsule { radius, length }),
                (&[radius, length], _) => Some(Shape::Cylinder { radius, length }),
                _ => None,
            })
        }
        "polygon" | "polyhedron" => {
            let wanted = if in_space { "a list of corners [x, y, z]" } else { "a list of corners [x, z]" };
            let rows = walker.rows(table, "size", &[D], size(wanted));
            let corners = |rows: Vec<Vec<f64>>| rows.into_iter().map(|row| fixed(Some(row))).collect();
            rows.map(|rows| Shape::Hull { vertices: corners(rows) })
        }
        _ => Some(Shape::Point),
    };
    shape.unwrap_or(unread)
}

/// A size for a shape of that name.
fn size_example(shape: &str, in_space: bool) -> Option<&'static str> {
    Some(match (shape, in_space) {
        ("box", false) => "[0.4, 1.0]",
        ("box", true) => "[0.4, 0.3, 1.0]",
        ("rod" | "disc" | "sphere", _) => "0.5",
        ("capsule" | "cylinder", _) => "[0.1, 0.5]",
        ("polygon", _) => "[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]",
        ("polyhedron", _) => "[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]",
        _ => return None,
    })
}

/// A quaternion as it was given where it has length 1 up to rounding, so that it reads back the same.
fn unit(turn: Quaternion<f64>) -> UnitQuaternion<f64> {
    if (turn.norm() - 1.0).abs() <= 1e-15 {
        UnitQuaternion::new_unchecked(turn)
    } else {
        // The square of a length may leave the range of numbers where the components do not.
        let is_safe = turn.norm_squared().is_normal();
        UnitQuaternion::new_normalize(if is_safe { turn } else { turn / turn.coords.amax() })
    }
}

/// The walls.
pub(super) fn walls<const D: usize>(
    walker: &mut Walker<'_>,
    top: &Open<'_>,
    dimension: &Decider,
) -> Vec<Wall<D>> {
    let mut walls = Vec::new();
    for (index, node) in walker.tables(top, "wall").iter().enumerate() {
        let mut wall = Wall::new([0.0; D], 0.0);
        if let Some(table) = walker.open(keys::wall::<D>(), format!("wall[{index}]"), node) {
            if table.get("normal").is_none() {
                walker.missing(&table, "normal");
            }
            wall.normal = vector(walker, &table, "normal", dimension);
            walker.fill(&table, keys::wall(), &mut wall);
            wall.sliding.friction_axis = friction_axis(walker, &table);
            if D == 3 {
                let velocity = walker.list(&table, "velocity", 2, "a list of 2 numbers");
                wall.velocity = velocity.map_or([0.0; 2], |v| [v[0], v[1]]);
            } else {
                wall.velocity[0] = walker.number(&table, "velocity").unwrap_or(0.0);
            }
        }
        walls.push(wall);
    }
    walls
}

/// The axis along which friction has the coefficient `friction`, in a table that has one.
pub(super) fn friction_axis(walker: &mut Walker<'_>, table: &Open<'_>) -> Option<[f64; 3]> {
    walker.list(table, "friction_axis", 3, "a list of 3 numbers").map(|axis| [axis[0], axis[1], axis[2]])
}

/// What holds between particular partners.
pub(super) fn pairs(walker: &mut Walker<'_>, top: &Open<'_>, names: &Names) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (index, node) in walker.tables(top, "pair").iter().enumerate() {
        let Some(table) = walker.open(&PAIR, format!("pair[{index}]"), node) else { continue };
        let mut pair = Pair::between(0, Partner::Ground);
        walker.fill(&table, &PAIR, &mut pair);
        pair.sliding.friction_axis = friction_axis(walker, &table);
        (pair.first, pair.second) = match names.two(walker, &table, "bodies") {
            Some([Partner::Body(first), second]) => (first, second),
            Some([first, Partner::Body(second)]) => (second, first),
            None => continue,
            Some(_) => {
                let (full, named) = (table.full_key("bodies"), table.get("bodies").unwrap_or(node));
                let message = format!("`{full}` is {}, but must name a body", walker.quote(named));
                let help = "for example bodies = [\"body-0\", \"ground\"]".to_owned();
                walker.report(&named.source, full, message, help);
                continue;
            }
        };
        pairs.push(pair);
    }
    pairs
}
