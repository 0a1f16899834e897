use nalgebra::{Matrix3, Point3, UnitQuaternion, Vector3};
use stickslip_contact::world::spatial::Shape;

use super::{
    pieces::{Part, Piece},
    soundness::SPECK,
};
use crate::{
    solid::{Solid, ellipsoid_corners},
    toml::{Lines, name, number, rows, vector},
};

/// How far from the centre of mass a shape may be, as a part of its size, to count as about it.
const CENTRED: f64 = 1e-9;

/// Writes the `[[body]]` of a piece: of one shape about the centre of mass as that shape, of others in parts.
pub(super) fn write(piece: &Piece, lift: f64, text: &mut Lines) {
    text.header("[[body]]");
    text.line("name", name(&piece.name));
    let (axes, in_parts) = match piece.parts.as_slice() {
        [] => {
            write_shape(&Solid::Sphere { radius: SPECK }, text);
            (piece.axes, false)
        }
        [part] if is_about(part, piece) => {
            write_shape(&about_centre(part, piece), text);
            (part.pose.rotation, false)
        }
        _ => (piece.axes, true),
    };
    text.line("mass", number(piece.mass.mass));
    let turn = axes.to_rotation_matrix();
    write_inertia(&(turn.transpose() * piece.mass.inertia * turn), text);
    text.line("position", vector(&(piece.mass.centre + Vector3::z() * lift)));
    write_turn(&axes, text);
    if piece.is_fixed {
        text.line("fixed", true);
    }
    for part in piece.parts.iter().filter(|_| in_parts) {
        text.header("[[body.part]]");
        write_shape(&part.solid, text);
        let arm = axes.inverse() * (part.pose.translation.vector - piece.mass.centre);
        text.line("position", vector(&arm));
        write_turn(&(axes.inverse() * part.pose.rotation), text);
    }
}

/// Whether a shape may be written without saying where it is in its body.
fn is_about(part: &Part, piece: &Piece) -> bool {
    match about_centre(part, piece) {
        Solid::Hull { corners } => Shape::polyhedron_about_origin(&corners).is_ok(),
        solid => {
            let arm = part.pose.translation.vector - piece.mass.centre;
            arm.norm() <= CENTRED * solid.reach_from(&part.pose, &part.pose.translation.vector)
        }
    }
}

/// The shape, the corners of a hull about the centre of mass.
fn about_centre(part: &Part, piece: &Piece) -> Solid {
    match &part.solid {
        Solid::Hull { corners } => {
            let centre = part.pose.inverse() * Point3::from(piece.mass.centre);
            Solid::Hull { corners: corners.iter().map(|corner| corner - centre.coords).collect() }
        }
        other => other.clone(),
    }
}

fn write_shape(solid: &Solid, text: &mut Lines) {
    let (shape, size) = match solid {
        Solid::Box { half } => ("box", vector(&(half * 2.0))),
        Solid::Sphere { radius } => ("sphere", number(*radius)),
        Solid::Hull { corners } => ("polyhedron", rows(corners)),
        Solid::Capsule { radius, half } => ("capsule", vector(&[*radius, half * 2.0])),
        Solid::Cylinder { radius, half } => ("cylinder", vector(&[*radius, half * 2.0])),
        Solid::Ellipsoid { half } => ("polyhedron", rows(&ellipsoid_corners(half))),
    };
    text.line("shape", name(shape));
    text.line("size", size);
}

fn write_turn(turn: &UnitQuaternion<f64>, text: &mut Lines) {
    if turn.angle() > 0.0 {
        let turn = turn.quaternion();
        text.line("orientation", vector(&[turn.w, turn.i, turn.j, turn.k]));
    }
}

/// Three moments where the axes are principal to rounding, else three rows.
fn write_inertia(inertia: &Matrix3<f64>, text: &mut Lines) {
    let symmetric = (inertia + inertia.transpose()) / 2.0;
    let rounding = 1e-14 * symmetric.amax();
    let is_diagonal = [(0, 1), (0, 2), (1, 2)].iter().all(|place| symmetric[*place].abs() <= rounding);
    if is_diagonal {
        text.line("inertia", vector(&[symmetric[(0, 0)], symmetric[(1, 1)], symmetric[(2, 2)]]));
    } else {
        text.line(
            "inertia",
            rows(
                (0..3)
                    .map(|row| [symmetric[(row, 0)], symmetric[(row, 1)], symmetric[(row, 2)]])
                    .collect::<Vec<_>>()
                    .iter(),
            ),
        );
    }
}
