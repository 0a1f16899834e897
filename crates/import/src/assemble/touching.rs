//! Who touches whom, and with what friction.

use std::collections::HashMap;

use super::{
    ground::Floor,
    joints::Joined,
    overlap,
    pieces::{Part, Piece, Pieces},
};
use crate::{
    mechanism::{GeomSurface, Mechanism},
    note::Notes,
};

/// Friction of what nothing touches.
const FRICTION: f64 = 1.0;

/// How many pairs a note names.
const NAMED: usize = 6;

pub(super) struct Contacts {
    /// That of the ground, and of all pairs that are not listed.
    pub friction: f64,
    pub pairs: Vec<([String; 2], f64)>,
    /// Pairs of bodies that never touch.
    pub apart: Vec<[String; 2]>,
}

pub(super) fn contacts(
    mechanism: &Mechanism,
    pieces: &Pieces,
    joined: &[Joined],
    floor: &Floor,
    notes: &mut Notes,
) -> Contacts {
    let mut touching: Vec<([String; 2], f64)> = Vec::new();
    let [mut apart, mut over_planes]: [Vec<[String; 2]>; 2] = Default::default();
    let mut differs: Vec<[String; 2]> = Vec::new();
    let mut note = |names: [String; 2], frictions: &[f64], apart: &mut Vec<[String; 2]>| {
        let most = frictions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if frictions.is_empty() {
            apart.push(names);
            return;
        }
        if frictions.iter().any(|friction| *friction != most) {
            differs.push(names.clone());
        }
        touching.push((names, most));
    };
    let ground = floor.ground.iter().map(|surface| ("ground".to_owned(), surface));
    let walls =
        floor.walls.iter().enumerate().map(|(number, wall)| (format!("wall-{number}"), &wall.surface));
    let planes: Vec<(String, &GeomSurface)> = ground.chain(walls).collect();
    let above: Vec<Vec<usize>> =
        (0..pieces.all.len()).map(|piece| pieces.carried_by(piece, mechanism)).collect();
    let is_carrier = |piece: usize| mechanism.links[pieces.all[piece].root].is_carrier;
    // Whether carriers part what the file joins: of the two ends as it does, of a carrier always.
    let is_parted = |first: usize, second: usize| {
        let are_carried = above[first].contains(&second) || above[second].contains(&first);
        let both_move = pieces.moves(Some(first)) && pieces.moves(Some(second));
        let touch = if both_move { mechanism.neighbours_touch } else { mechanism.touches_fixed_neighbour };
        mechanism.nothing_touches || are_carried && (is_carrier(first) || is_carrier(second) || !touch)
    };
    let overlaps = if mechanism.nothing_touches { Vec::new() } else { overlap::at_start(pieces) };
    // Whether joints join a piece to what stays where it is.
    let hangs = |piece: usize| {
        let moves = |above: &usize| pieces.moves(Some(*above)) && !is_carrier(*above);
        let root = pieces.all[piece].root;
        joined.iter().any(|joint| joint.links[1] == root) && !above[piece].iter().any(moves)
    };
    // Shapes that the file has touch may begin in one another, unless a joint to what stays where it is keeps them there.
    let may_overlap = |first: usize, second: usize| {
        let [both_move, have_shapes] = [
            pieces.moves(Some(first)) && pieces.moves(Some(second)),
            !pieces.all[first].parts.is_empty() && !pieces.all[second].parts.is_empty(),
        ];
        mechanism.overlaps_touch && have_shapes && (both_move || !hangs(first) && !hangs(second))
    };
    let (mut deep, mut deepest) = (Vec::<[String; 2]>::new(), 0.0_f64);
    for (index, piece) in pieces.all.iter().enumerate() {
        for (plane, surface) in planes.iter().filter(|_| !piece.is_fixed && !piece.parts.is_empty()) {
            let met = piece.parts.iter().filter(|part| part.surface.touches(surface));
            let frictions: Vec<f64> = met.map(|part| part.surface.friction_with(surface)).collect();
            note([piece.name.clone(), plane.clone()], &frictions, &mut over_planes);
        }
        for (other, partner) in pieces.all.iter().enumerate().skip(index + 1) {
            let passes = |joint: &&Joined| {
                !joint.collide && joint.pieces.contains(&Some(index)) && joint.pieces.contains(&Some(other))
            };
            if piece.is_fixed && partner.is_fixed || joined.iter().any(|joint| passes(&joint)) {
                continue;
            }
            let is_parted = is_parted(index, other);
            let shapeless = piece.parts.is_empty() || partner.parts.is_empty();
            let overlap =
                overlaps.iter().find(|(pair, _)| *pair == [index, other] && !may_overlap(index, other));
            if shapeless && !is_parted && overlap.is_none() {
                continue;
            }
            let names = [piece.name.clone(), partner.name.clone()];
            let frictions = if is_parted { Vec::new() } else { frictions(mechanism, [piece, partner]) };
            // What stands for a shape touches as well.
            let may_touch = !is_parted && (shapeless || !frictions.is_empty());
            if let Some((_, depth)) = overlap.filter(|_| may_touch) {
                deep.push(names);
                deepest = deepest.max(*depth);
                continue;
            }
            note(names, &frictions, &mut apart);
        }
    }
    let listed = |pairs: &[[String; 2]]| {
        let shown: Vec<String> = pairs.iter().take(NAMED).map(|pair| pair.join(" and ")).collect();
        let more = match pairs.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{}{more}", shown.join(", "))
    };
    if !apart.is_empty() {
        let why = "they do not touch each other";
        notes.taken(&mechanism.place, format!("pairs that are kept from touching: {}", listed(&apart)), why);
    }
    if !over_planes.is_empty() {
        let why = "they do not touch each other in the file, and do here, as the ground and walls are there for every body";
        notes.left_out(
            &mechanism.place,
            format!("pairs that are kept from touching: {}", listed(&over_planes)),
            why,
        );
    }
    if !differs.is_empty() {
        let why = "friction is not the same for all their shapes: the largest counts";
        notes.changed(&mechanism.place, format!("pairs {}", listed(&differs)), why);
    }
    if !deep.is_empty() {
        let why = format!(
            "they lie in one another at the start, {deepest:.2e} m at most: they do not touch each other"
        );
        notes.changed(&mechanism.place, format!("pairs {}", listed(&deep)), why);
        apart.append(&mut deep);
    }
    let friction = most_common(touching.iter().map(|(_, friction)| *friction)).unwrap_or(FRICTION);
    touching.retain(|(_, own)| *own != friction);
    Contacts { friction, pairs: touching, apart }
}

/// Friction of all the pairs of shapes of two pieces that touch.
fn frictions(mechanism: &Mechanism, [first, second]: [&Piece; 2]) -> Vec<f64> {
    let is_of =
        |ends: &[usize; 2], first: usize, second: usize| *ends == [first, second] || *ends == [second, first];
    let between = |a: &Part, b: &Part| {
        if let Some((_, friction)) = mechanism.agreed.iter().find(|(ends, _)| is_of(ends, a.link, b.link)) {
            return Some(*friction);
        }
        let apart = mechanism.apart.contains(&[a.link.min(b.link), a.link.max(b.link)]);
        (!apart && a.surface.touches(&b.surface)).then(|| a.surface.friction_with(&b.surface))
    };
    let mut frictions: Vec<f64> = Vec::new();
    for a in &first.parts {
        for friction in second.parts.iter().filter_map(|b| between(a, b)) {
            if !frictions.contains(&friction) {
                frictions.push(friction);
            }
        }
    }
    frictions
}

/// The number that is there most often, of several the one that comes first.
fn most_common(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut counts: HashMap<u64, (usize, usize)> = HashMap::new();
    for (order, number) in numbers.enumerate() {
        counts.entry(number.to_bits()).or_insert((0, order)).0 += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, (count, order))| (*count, std::cmp::Reverse(*order)));
    most.map(|(bits, _)| f64::from_bits(bits))
}
