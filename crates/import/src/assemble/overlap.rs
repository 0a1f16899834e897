//! What lies in one another at the start.

use nalgebra::{Matrix3, Vector3};
use stickslip_contact::world::{
    Partner, Scene, Surface, Touch, World,
    spatial::{Body, Member, Pose, Shape, Twist},
};

use super::{
    pieces::{Part, Piece, Pieces},
    soundness::SPECK,
};

/// Overlaps deeper than this part of the reach of the smaller body are meant; shallower ones are rounding of digits, or
/// bodies that rest on one another. A run warns of none that is shallower.
const DEEP: f64 = 6e-3;

/// The pairs of pieces, the smaller number first, of which one lies deep in the other, and how deep in m.
pub(super) fn at_start(pieces: &Pieces) -> Vec<([usize; 2], f64)> {
    let numbered = pieces.all.iter().enumerate();
    let (numbers, bodies): (Vec<usize>, Vec<Body>) =
        numbered.filter_map(|(number, piece)| Some((number, body(piece)?))).unzip();
    let scene = Scene { ground: None, ..Scene::over_ground(bodies, Surface::default(), 0.0) };
    let mut touches: Vec<Touch<3, 6>> = Vec::new();
    scene.find_touches(&scene.initial_motion(), &vec![0.0; scene.bodies.len()], &[], &mut touches);
    let mut deep: Vec<([usize; 2], f64)> = Vec::new();
    for touch in touches.iter().filter(|touch| -touch.gap > DEEP * touch.reach) {
        let Partner::Body(second) = touch.second else { continue };
        let (first, second) = (numbers[touch.first], numbers[second]);
        let pair = [first.min(second), first.max(second)];
        match deep.iter_mut().find(|(other, _)| *other == pair) {
            Some((_, depth)) => *depth = depth.max(-touch.gap),
            None => deep.push((pair, -touch.gap)),
        }
    }
    deep
}

/// A piece as what touches, or what stands for a shape where it has none.
fn body(piece: &Piece) -> Option<Body> {
    let members: Vec<Member> = piece.parts.iter().filter_map(|part| member(part, piece)).collect();
    let shape = if members.is_empty() {
        Shape::sphere(SPECK)
    } else {
        Shape::compound_about(&members, &Vector3::zeros())
    };
    Some(Body {
        shape: shape.ok()?,
        // Nothing moves here.
        mass: 1.0,
        inertia: Matrix3::identity(),
        pose: Pose { position: piece.mass.centre, ..Pose::upright(0.0, 0.0, 0.0) },
        twist: Twist::zeros(),
        fixed: piece.is_fixed,
        course: None,
    })
}

fn member(part: &Part, piece: &Piece) -> Option<Member> {
    let (shape, centre) = part.solid.touched().ok()?;
    let orientation = part.pose.rotation;
    let position = part.pose.translation.vector + orientation * centre - piece.mass.centre;
    Some(Member::uniform(shape, 1.0, Pose { position, orientation }))
}
