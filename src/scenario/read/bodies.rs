//! The tables `[[body]]`, `[[wall]]` and `[[pair]]`.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion};

use super::{
    dimension::{Decider, fixed},
    names::Names,
    schema::{BODY, PAIR, WALL},
    suggest,
    walker::{Open, Walker, Wanted},
};
use crate::{
    model::{Orientation, Spin},
    scenario::{Body, Inertia, Pair, Shape, Wall},
    world::Partner,
};

/// A body whose vectors may have any length; zeros stand in for what is absent or has been reported.
pub(super) struct DraftBody {
    pub(super) name: Option<String>,
    shape: DraftShape,
    pub(super) mass: f64,
    inertia: Option<Vec<Vec<f64>>>,
    pub(super) position: Option<Vec<f64>>,
    pub(super) velocity: Option<Vec<f64>>,
    /// The angle in rad, or a quaternion.
    orientation: Option<Vec<f64>>,
    spin: Vec<f64>,
    fixed: bool,
}

/// A shape before the dimension is known.
enum DraftShape {
    Point,
    Box(Vec<f64>),
    Rod(f64),
    Ball(f64),
    Hull(Vec<Vec<f64>>),
}

/// Stands in for a shape that could not be read: it has a size and turns, so that nothing false is said of other keys.
const UNREAD: DraftShape = DraftShape::Ball(1.0);

/// The words for shapes, in the plane and in space.
const SHAPES: [&[&str]; 2] =
    [&["box", "rod", "disc", "polygon", "point"], &["box", "sphere", "polyhedron", "point"]];

/// The bodies of a list of `[[body]]`s.
pub(super) fn bodies(walker: &mut Walker<'_>, top: &Open<'_>) -> (Vec<DraftBody>, Decider) {
    let mut dimension: Decider = None;
    let mut bodies = Vec::new();
    for (index, node) in walker.tables(top, "body").iter().enumerate() {
        let name = format!("body[{index}]");
        // A faulty body keeps its place, so that the others keep their numbers.
        let Some(table) = walker.open(&BODY, name.clone(), node) else {
            bodies.push(DraftBody::unknown());
            continue;
        };
        if table.get("position").is_none() {
            walker.missing(&table, "position");
        }
        let position = walker.vector(&table, "position");
        if let (Some((decider, length)), Some(position)) = (&dimension, &position) {
            walker.same_length(&table, "position", position.len(), (decider, *length));
        }
        if dimension.is_none() {
            dimension = position.as_ref().map(|position| (format!("{name}.position"), position.len()));
        }
        walker.learn(&dimension);
        let in_space = dimension.as_ref().is_some_and(|(_, length)| *length == 3);
        bodies.push(body(walker, &table, position, (&dimension, in_space)));
    }
    (bodies, dimension)
}

fn body(
    walker: &mut Walker<'_>,
    table: &Open<'_>,
    position: Option<Vec<f64>>,
    (dimension, in_space): (&Decider, bool),
) -> DraftBody {
    let velocity = walker.vector(table, "velocity");
    if let (Some((decider, length)), Some(velocity)) = (dimension, &velocity) {
        walker.same_length(table, "velocity", velocity.len(), (decider, *length));
    }
    let (shape, other) = (shape(walker, table, in_space), if in_space { "angle" } else { "orientation" });
    let (why, help) = if in_space {
        ("the body is in space", "give orientation = [w, x, y, z], a quaternion from the body to the world")
    } else {
        ("the body is in a vertical plane", "give angle, in rad from x towards z")
    };
    walker.no_effect(table, &[other], why, help);
    let mut body = DraftBody { position, velocity, shape, ..DraftBody::unknown() };
    body.name = walker.text(table, "name").map(str::to_owned);
    body.mass = walker.required_number(table, "mass");
    if in_space {
        body.orientation = walker.list(table, "orientation", 4, "a list of 4 numbers [w, x, y, z]");
        body.spin = walker.list(table, "spin", 3, "a list of 3 numbers").unwrap_or_default();
        body.inertia = walker.rows_or_list(table, "inertia", "a list of 3 numbers, or 3 rows of 3");
    } else {
        body.orientation = walker.number(table, "angle").map(|angle| vec![angle]);
        body.spin = walker.number(table, "spin").into_iter().collect();
        body.inertia = walker.number(table, "inertia").map(|moment| vec![vec![moment]]);
    }
    walker.set_truth(table, "fixed", &mut body.fixed);
    if matches!(body.shape, DraftShape::Point) {
        walker.no_effect(
            table,
            &["size", "inertia", "angle", "orientation", "spin"],
            "a point does not turn",
            "remove it, or give the body another shape",
        );
    }
    body
}

fn shape(walker: &mut Walker<'_>, table: &Open<'_>, in_space: bool) -> DraftShape {
    if table.get("shape").is_none() {
        walker.missing(table, "shape");
    }
    let known = SHAPES[usize::from(in_space)];
    let (Some(word), Some(node)) = (walker.text(table, "shape"), table.get("shape")) else {
        return UNREAD;
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
            _ => suggest::closest(word, known.iter().copied()),
        };
        let help = match counterpart.filter(|word| known.contains(word)) {
            Some(close) => format!("did you mean \"{close}\"?"),
            None => format!("choose one of {}", known.join(", ")),
        };
        walker.report(&node.source, full, message, help);
        return UNREAD;
    }
    let size = |what| Wanted { what, example: size_example(word, in_space) };
    if word != "point" && table.get("size").is_none() {
        walker.missing_like(table, "size", size("").example);
        return UNREAD;
    }
    let dimension = if in_space { 3 } else { 2 };
    let shape = match word {
        "box" => {
            let wanted = if in_space { "the 3 widths of the box" } else { "the 2 widths of the box" };
            walker.list(table, "size", dimension, size(wanted)).map(DraftShape::Box)
        }
        "rod" => {
            walker.number_of(table, "size", size("a number, the length of the rod")).map(DraftShape::Rod)
        }
        "disc" | "sphere" => {
            walker.number_of(table, "size", size("a number, the radius")).map(DraftShape::Ball)
        }
        "polygon" | "polyhedron" => {
            let wanted = if in_space { "a list of corners [x, y, z]" } else { "a list of corners [x, z]" };
            walker.rows(table, "size", &[dimension], size(wanted)).map(DraftShape::Hull)
        }
        _ => Some(DraftShape::Point),
    };
    shape.unwrap_or(UNREAD)
}

/// A size for a shape of that name.
fn size_example(shape: &str, in_space: bool) -> Option<&'static str> {
    Some(match (shape, in_space) {
        ("box", false) => "[0.4, 1.0]",
        ("box", true) => "[0.4, 0.3, 1.0]",
        ("rod" | "disc" | "sphere", _) => "0.5",
        ("polygon", _) => "[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]",
        ("polyhedron", _) => "[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]",
        _ => return None,
    })
}

impl DraftBody {
    /// What stands in for a body that could not be read.
    pub(super) fn unknown() -> Self {
        Self::point(1.0, None, None)
    }

    /// A point.
    pub(super) fn point(mass: f64, position: Option<Vec<f64>>, velocity: Option<Vec<f64>>) -> Self {
        Self {
            name: None,
            shape: DraftShape::Point,
            mass,
            inertia: None,
            position,
            velocity,
            orientation: None,
            spin: Vec::new(),
            fixed: false,
        }
    }

    /// The vector that decides on the dimension, with its full key: the position, or the velocity
    /// where there is none.
    pub(super) fn dimension(&self, name: &str) -> Decider {
        let position = self.position.as_ref().map(|position| (format!("{name}.position"), position.len()));
        position.or(self.velocity.as_ref().map(|velocity| (format!("{name}.velocity"), velocity.len())))
    }

    pub(super) fn into_body<const D: usize>(self) -> Body<D> {
        let mut body = Body::point(self.mass, fixed(self.position), fixed(self.velocity));
        body.name = self.name;
        body.shape = match self.shape {
            DraftShape::Point => Shape::Point,
            DraftShape::Box(size) => Shape::Box { size: fixed(Some(size)) },
            DraftShape::Rod(length) => Shape::Rod { length },
            DraftShape::Ball(radius) => Shape::Ball { radius },
            DraftShape::Hull(rows) => {
                Shape::Hull { vertices: rows.into_iter().map(|row| fixed(Some(row))).collect() }
            }
        };
        body.inertia = self.inertia.and_then(|rows| match rows.as_slice() {
            [row] => match row.as_slice() {
                [moment] => Some(Inertia::Plane(*moment)),
                &[x, y, z] => Some(Inertia::principal([x, y, z])),
                _ => None,
            },
            _ => Some(Inertia::Space(Matrix3::from_fn(|i, j| rows[i][j]))),
        });
        body.orientation = match self.orientation.as_deref() {
            Some(&[angle]) => Orientation::Angle(angle),
            Some(&[w, x, y, z]) => Orientation::Quaternion(unit(Quaternion::new(w, x, y, z))),
            _ => body.orientation,
        };
        body.spin = Spin::from_fn(|i, _| self.spin.get(i).copied().unwrap_or(0.0));
        body.fixed = self.fixed;
        body
    }
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

/// A wall whose normal may have any length.
pub(super) struct DraftWall {
    normal: Option<Vec<f64>>,
    wall: Wall<2>,
}

impl DraftWall {
    pub(super) fn into_wall<const D: usize>(self) -> Wall<D> {
        let Wall { offset, friction, restitution, velocity, .. } = self.wall;
        Wall { normal: fixed(self.normal), offset, friction, restitution, velocity }
    }
}

/// The walls.
pub(super) fn walls(walker: &mut Walker<'_>, top: &Open<'_>, dimension: &Decider) -> Vec<DraftWall> {
    let mut walls = Vec::new();
    for (index, node) in walker.tables(top, "wall").iter().enumerate() {
        let mut wall = DraftWall { normal: None, wall: Wall::new([1.0, 0.0], 0.0) };
        if let Some(table) = walker.open(&WALL, format!("wall[{index}]"), node) {
            if table.get("normal").is_none() {
                walker.missing(&table, "normal");
            }
            wall.normal = walker.vector(&table, "normal");
            if let (Some(normal), Some((decider, length))) = (&wall.normal, dimension) {
                walker.same_length(&table, "normal", normal.len(), (decider, *length));
            }
            wall.wall.offset = walker.required_number(&table, "offset");
            wall.wall.friction = walker.number(&table, "friction");
            wall.wall.restitution = walker.number(&table, "restitution");
            if dimension.as_ref().is_some_and(|(_, length)| *length == 3) {
                let velocity = walker.list(&table, "velocity", 2, "a list of 2 numbers");
                wall.wall.velocity = velocity.map_or([0.0; 2], |v| [v[0], v[1]]);
            } else {
                wall.wall.velocity[0] = walker.number(&table, "velocity").unwrap_or(0.0);
            }
        }
        walls.push(wall);
    }
    walls
}

/// What holds between particular partners.
pub(super) fn pairs(walker: &mut Walker<'_>, top: &Open<'_>, names: &Names) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (index, node) in walker.tables(top, "pair").iter().enumerate() {
        let Some(table) = walker.open(&PAIR, format!("pair[{index}]"), node) else { continue };
        let friction = walker.number(&table, "friction");
        let restitution = walker.number(&table, "restitution");
        let (first, second) = match names.two(walker, &table, "bodies") {
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
        pairs.push(Pair { first, second, friction, restitution });
    }
    pairs
}
