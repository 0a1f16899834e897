//! Planes: a level one is the ground, others are walls. A scenario has a ground, whether or not the file has one.

use nalgebra::{Unit, Vector3};

use super::{kinematics::Start, pieces::Pieces};
use crate::{
    fault::ImportError,
    mechanism::{Form, GeomSurface, Kind, Mechanism},
    note::Notes,
};

/// How far the normal of a level plane may be off the vertical.
const LEVEL: f64 = 1e-9;

#[derive(Debug)]
pub(super) struct Wall {
    pub normal: Unit<Vector3<f64>>,
    pub offset: f64,
    pub surface: GeomSurface,
}

/// What bodies stand on and run into.
#[derive(Debug)]
pub(super) struct Floor {
    /// How much higher everything is than in the file, in m.
    pub lift: f64,
    /// That of the plane that is the ground.
    pub ground: Option<GeomSurface>,
    pub walls: Vec<Wall>,
}

pub(super) fn floor(
    mechanism: &Mechanism,
    start: &Start,
    pieces: &Pieces,
    duration: f64,
    notes: &mut Notes,
) -> Result<Floor, ImportError> {
    let mut planes = Vec::new();
    for (index, link) in mechanism.links.iter().enumerate() {
        for geom in link.geoms.iter().filter(|geom| geom.form == Form::Plane) {
            let what = geom.name.as_deref().map_or("a plane".to_owned(), |name| format!("plane `{name}`"));
            if mechanism.nothing_touches || geom.surface.contype == 0 && geom.surface.conaffinity == 0 {
                notes.left_out(&geom.place, what, "it touches nothing");
                continue;
            }
            let pose = start.poses[index] * geom.pose;
            let normal = Unit::new_normalize(pose.rotation * Vector3::z());
            planes.push((what, geom, normal, normal.dot(&pose.translation.vector)));
        }
    }
    let level = planes.iter().enumerate().filter(|(_, (_, _, normal, _))| normal.z > 1.0 - LEVEL);
    let ground = level.max_by(|(_, a), (_, b)| a.3.total_cmp(&b.3)).map(|(index, _)| index);
    let lift = match ground {
        // Adding zero takes the sign off a negative zero.
        Some(ground) => 0.0 - planes[ground].3,
        None => without_ground(mechanism, pieces, duration, notes),
    };
    let mut floor = Floor { lift, ground: ground.map(|ground| planes[ground].1.surface), walls: Vec::new() };
    for (index, (what, geom, normal, offset)) in planes.into_iter().enumerate() {
        if Some(index) == ground {
            let why = if lift == 0.0 {
                "the ground".to_owned()
            } else {
                format!("the ground, which is at 0: everything is {lift:?} m higher")
            };
            notes.taken(&geom.place, what, why);
            continue;
        }
        notes.taken(&geom.place, what, format!("wall-{}", floor.walls.len()));
        floor.walls.push(Wall { normal, offset: offset + normal.z * lift, surface: geom.surface });
    }
    Ok(floor)
}

/// How much higher everything has to be, as the file has no level plane.
fn without_ground(mechanism: &Mechanism, pieces: &Pieces, duration: f64, notes: &mut Notes) -> f64 {
    let moving = || pieces.all.iter().filter(|piece| !piece.is_fixed);
    let goes = |kind: Kind| {
        moving().any(|piece| mechanism.links[piece.root].joints.iter().any(|joint| joint.kind == kind))
    };
    if mechanism.stands && goes(Kind::Free) {
        let parts = moving().flat_map(|piece| &piece.parts);
        let lowest =
            parts.map(|part| part.solid.lowest(&part.pose, &Vector3::z())).fold(f64::INFINITY, f64::min);
        if lowest.is_finite() {
            let way = if lowest > 0.0 { "lower" } else { "higher" };
            let why =
                format!("the file has none: the lowest point is placed on it, {:?} m {way}", lowest.abs());
            notes.changed(&mechanism.place, "the ground", why);
            return -lowest;
        }
    }
    let span: f64 = moving().map(|piece| 2.0 * piece.reach().max(arm(piece, mechanism))).sum();
    let lowest = moving().map(|piece| piece.mass.centre.z).fold(f64::INFINITY, f64::min);
    let falls = goes(Kind::Free) || goes(Kind::Slide);
    let fall = if falls { 0.5 * mechanism.gravity.norm() * duration * duration } else { 0.0 };
    let lift = (span + fall - lowest).ceil().max(0.0);
    let lift = if lift.is_finite() { lift } else { 0.0 };
    let why = format!(
        "the file has none, and a scenario has one at 0: everything is {lift:?} m higher, out of its reach"
    );
    notes.changed(&mechanism.place, "the ground", why);
    lift
}

/// How far from its centre of mass a piece is joined to its parent, in m.
fn arm(piece: &super::pieces::Piece, mechanism: &Mechanism) -> f64 {
    let link = &mechanism.links[piece.root];
    link.mass.centre.norm()
        + link.joints.iter().map(|joint| joint.anchor.norm()).fold(0.0, f64::max)
        + link.pose.translation.vector.norm()
}
