use std::collections::HashMap;

use nalgebra::{Isometry3, Matrix3, Point3, UnitQuaternion, Vector3};

use super::{kinematics::Start, names::Names};
use crate::{
    fault::ImportError,
    mass::MassProperties,
    mechanism::{Form, GeomSurface, Kind, Mechanism, WORLD},
    note::{Notes, Place},
    solid::Solid,
};

/// A shape of a piece.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub solid: Solid,
    /// Its axes in the world.
    pub pose: Isometry3<f64>,
    pub surface: GeomSurface,
    pub link: usize,
}

/// Links that are one piece: a body of the scenario.
#[derive(Debug)]
pub(super) struct Piece {
    pub name: String,
    pub place: Place,
    pub is_fixed: bool,
    /// The axes in which it is written.
    pub axes: UnitQuaternion<f64>,
    /// In the axes of the world.
    pub mass: MassProperties,
    pub parts: Vec<Part>,
    /// The link that is joined to the parent of the piece.
    pub root: usize,
    pub links: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Pieces {
    pub all: Vec<Piece>,
    /// The piece of each link; nothing of what belongs to the world and has no shape.
    pub of_link: Vec<Option<usize>>,
}

impl Pieces {
    /// What the piece at an end of a joint is called.
    pub fn name(&self, piece: Option<usize>) -> &str {
        piece.map_or("world", |piece| &self.all[piece].name)
    }

    /// The pieces above one, up to the first that is no carrier.
    pub fn carried_by(&self, piece: usize, mechanism: &Mechanism) -> Vec<usize> {
        let above = |piece: usize| self.of_link[mechanism.links[self.all[piece].root].parent];
        let mut found = Vec::new();
        let mut next = above(piece);
        while let Some(piece) = next {
            found.push(piece);
            next = mechanism.links[self.all[piece].root].is_carrier.then(|| above(piece)).flatten();
        }
        found
    }

    pub fn moves(&self, piece: Option<usize>) -> bool {
        piece.is_some_and(|piece| !self.all[piece].is_fixed)
    }
}

impl Piece {
    /// The largest distance in m of a point of it from its centre of mass, at most.
    pub fn reach(&self) -> f64 {
        let reaches = self.parts.iter().map(|part| part.solid.reach_from(&part.pose, &self.mass.centre));
        reaches.fold(0.0, f64::max)
    }
}

/// The pieces of a mechanism: links that joints part from their parents, with what is one piece with them.
pub(super) fn pieces(mechanism: &Mechanism, start: &Start, notes: &mut Notes) -> Result<Pieces, ImportError> {
    let links = &mechanism.links;
    // The first link of the piece of each; the first child of the world of what stays where it is.
    let mut roots = vec![WORLD; links.len()];
    let mut stays = vec![true; links.len()];
    for (index, link) in links.iter().enumerate().skip(1) {
        stays[index] = link.joints.is_empty() && stays[link.parent];
        let begins = !link.joints.is_empty() || link.parent == WORLD;
        roots[index] = if begins { index } else { roots[link.parent] };
    }
    let mut names = Names::default();
    let mut pieces = Pieces { all: Vec::new(), of_link: vec![None; links.len()] };
    let mut places: HashMap<usize, usize> = HashMap::new();
    for (index, link) in links.iter().enumerate() {
        for geom in &link.geoms {
            if geom.form == Form::Plane && !stays[index] {
                let remedy = "planes belong to the world";
                return Err(ImportError::new(&geom.place, "a body that moves has a plane", remedy));
            }
        }
        let parts = parts(mechanism, start, index);
        if index == WORLD {
            for (part, geom) in parts {
                let name = names.claim(geom.name.as_deref(), &format!("fixed-{}", pieces.all.len()));
                pieces.all.push(fixed(name, &geom.place, index, vec![part]));
            }
            continue;
        }
        let root = roots[index];
        if stays[index] && parts.is_empty() {
            continue;
        }
        let parts: Vec<Part> = parts.into_iter().map(|(part, _)| part).collect();
        let piece = *places.entry(root).or_insert_with(|| {
            let root_link = &links[root];
            let name = names.claim(root_link.name.as_deref(), &format!("body-{}", pieces.all.len()));
            pieces.all.push(Piece {
                is_fixed: stays[root],
                axes: start.poses[root].rotation,
                parts: Vec::new(),
                links: Vec::new(),
                ..fixed(name, &root_link.place, root, Vec::new())
            });
            pieces.all.len() - 1
        });
        let one = &mut pieces.all[piece];
        one.parts.extend(parts);
        one.links.push(index);
        pieces.of_link[index] = Some(piece);
    }
    // What stays where it is and has no shape of its own is what its base is.
    for (of_link, root) in pieces.of_link.iter_mut().zip(&roots).skip(1) {
        *of_link = of_link.or_else(|| places.get(root).copied());
    }
    for piece in &mut pieces.all {
        if piece.is_fixed {
            piece.mass = standing_mass(&piece.parts);
        } else {
            let masses = piece.links.iter().map(|link| links[*link].mass.placed(&start.poses[*link]));
            piece.mass = MassProperties::sum(masses);
            if piece.mass.mass <= 0.0 && !links[piece.root].is_carrier {
                piece.mass.centre = start.poses[piece.root].translation.vector;
            }
        }
        tell(piece, mechanism, notes);
    }
    Ok(pieces)
}

/// The shapes of a link that touch something.
fn parts<'a>(
    mechanism: &'a Mechanism,
    start: &Start,
    link: usize,
) -> Vec<(Part, &'a crate::mechanism::Geom)> {
    let geoms = mechanism.links[link].geoms.iter();
    geoms
        .filter(|geom| geom.surface.contype != 0 || geom.surface.conaffinity != 0)
        .filter_map(|geom| match &geom.form {
            Form::Solid(solid) => {
                let pose = start.poses[link] * geom.pose;
                Some((Part { solid: solid.clone(), pose, surface: geom.surface, link }, geom))
            }
            Form::Plane => None,
        })
        .collect()
}

fn fixed(name: String, place: &Place, root: usize, parts: Vec<Part>) -> Piece {
    Piece {
        name,
        place: place.clone(),
        is_fixed: true,
        axes: UnitQuaternion::identity(),
        mass: MassProperties::zero(),
        parts,
        root,
        links: vec![root],
    }
}

/// A kilogram in the middle of what stays where it is: no motion depends on it.
fn standing_mass(parts: &[Part]) -> MassProperties {
    let middle = |part: &Part| match &part.solid {
        Solid::Hull { corners } => {
            let mean = corners.iter().sum::<Vector3<f64>>() / corners.len().max(1) as f64;
            (part.pose * Point3::from(mean)).coords
        }
        _ => part.pose.translation.vector,
    };
    let centre = parts.iter().map(middle).sum::<Vector3<f64>>() / parts.len().max(1) as f64;
    let reach = parts.iter().map(|part| part.solid.reach_from(&part.pose, &centre)).fold(0.0, f64::max);
    MassProperties { mass: 1.0, centre, inertia: Matrix3::from_diagonal_element(0.4 * reach * reach) }
}

fn tell(piece: &Piece, mechanism: &Mechanism, notes: &mut Notes) {
    let shapes = match piece.parts.len() {
        1 => "1 shape".to_owned(),
        count => format!("{count} shapes"),
    };
    let what = format!("body {}", piece.name);
    if piece.is_fixed {
        notes.taken(&piece.place, &what, format!("it stays where it is, with {shapes}"));
    } else {
        notes.taken(&piece.place, &what, format!("{:.6} kg, with {shapes}", piece.mass.mass));
    }
    for link in piece.links.iter().filter(|link| **link != piece.root) {
        let link = &mechanism.links[*link];
        let called = link.name.as_deref().unwrap_or("without a name");
        notes.taken(&link.place, format!("link {called}"), format!("it is one piece with {}", piece.name));
    }
    let joints = &mechanism.links[piece.root].joints;
    if !piece.is_fixed
        && joints
            .iter()
            .any(|joint| joint.kind == Kind::Free && (joint.damping > 0.0 || joint.armature > 0.0))
    {
        notes.left_out(&piece.place, what, "damping and armature of what is free: nothing joins it");
    }
}
