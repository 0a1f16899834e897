//! Masses and inertias that no body can have.

use nalgebra::{Matrix3, Vector3};

use super::{
    joints::Joined,
    pieces::{Piece, Pieces},
};
use crate::{fault::ImportError, mass::MassProperties, mechanism::Mechanism, note::Notes};

/// Mass of what has none, as a part of that of its heaviest neighbour: light enough not to be noticed, and heavy enough
/// for joints between.
const LIGHT: f64 = 1e-3;

/// The least mass in kg that scenarios know; what weighs less has none.
const LEAST_MASS: f64 = 1e-12;

/// Radius of what stands for a shape where there is none, in m.
pub(super) const SPECK: f64 = 1e-3;

/// The least moment of inertia, as a part of the largest.
const LEAST: f64 = 1e-9;

/// Gives masses to what has none, and inertias to what has none that a body can have.
pub(super) fn make_sound(
    pieces: &mut Pieces,
    mechanism: &Mechanism,
    joined: &[Joined],
    notes: &mut Notes,
) -> Result<(), ImportError> {
    let masses: Vec<f64> =
        pieces.all.iter().map(|piece| if piece.is_fixed { 0.0 } else { piece.mass.mass }).collect();
    let moments: Vec<f64> = pieces.all.iter().map(|piece| piece.mass.inertia.trace() / 3.0).collect();
    let heaviest = masses.iter().copied().fold(0.0, f64::max);
    for (index, piece) in pieces.all.iter_mut().enumerate().filter(|(_, piece)| !piece.is_fixed) {
        let ends: Vec<&Joined> = joined.iter().filter(|joint| joint.pieces.contains(&Some(index))).collect();
        let places: Vec<Vector3<f64>> = ends.iter().map(|joint| joint.point).collect();
        let neighbours = || ends.iter().flat_map(|joint| joint.pieces).flatten();
        if piece.mass.mass < LEAST_MASS {
            let near = neighbours().map(|other| masses[other]).fold(0.0, f64::max);
            let mass = LIGHT * if near > 0.0 { near } else { heaviest };
            if mass <= 0.0 {
                let message =
                    format!("body {} has no mass, and neither has what it is joined to", piece.name);
                let remedy = "give it an <inertial>, or hold it with --fixed-base";
                return Err(ImportError::new(&piece.place, message, remedy));
            }
            let mass = mass.max(LEAST_MASS);
            let is_carrier = mechanism.links[piece.root].is_carrier;
            // A carrier has the moments of what it is a thousandth of, about which its joints turn.
            let moment = neighbours()
                .filter(|other| is_carrier && masses[*other] == near)
                .map(|other| LIGHT * moments[other])
                .fold(0.0, f64::max);
            let inertia = Matrix3::from_diagonal_element(moment);
            piece.mass = MassProperties { mass, inertia, ..piece.mass };
            let why = format!(
                "it has no mass and gets {mass:?} kg, a thousandth of that of its heaviest neighbour"
            );
            notes.changed(&piece.place, format!("body {}", piece.name), why);
        }
        sound_inertia(piece, mechanism, &places, notes)?;
        if piece.parts.is_empty() {
            let why = format!(
                "it has no shape that touches: a ball of {SPECK} m in its centre of mass stands for one"
            );
            notes.changed(&piece.place, format!("body {}", piece.name), why);
        }
    }
    Ok(())
}

fn sound_inertia(
    piece: &mut Piece,
    mechanism: &Mechanism,
    joints: &[Vector3<f64>],
    notes: &mut Notes,
) -> Result<(), ImportError> {
    let MassProperties { mass, centre, inertia } = piece.mass;
    let arms = joints.iter().map(|point| (point - centre).norm());
    let reach = arms.fold(piece.reach(), f64::max).max(SPECK);
    let what = format!("body {}", piece.name);
    let mut moments: Vec<f64> = inertia.symmetric_eigenvalues().iter().copied().collect();
    moments.sort_by(f64::total_cmp);
    let [least, middle, most] = [moments[0], moments[1], moments[2]];
    if most <= 1e-12 * mass * reach * reach {
        let shapes = piece.parts.iter().map(|part| part.solid.uniform(1.0).placed(&part.pose));
        let shapes = MassProperties::sum(shapes);
        let (inertia, of) = if shapes.mass > 0.0 {
            let by = mass / shapes.mass;
            (shapes.inertia * by, "that of its shapes, were they uniform")
        } else {
            let ball = 0.4 * mass * (0.1 * reach).powi(2);
            (Matrix3::from_diagonal_element(ball), "that of a ball of a tenth of its reach")
        };
        piece.mass.inertia = inertia;
        notes.changed(&piece.place, what, format!("it has no inertia and gets {of}"));
        return Ok(());
    }
    if least < -1e-6 * most {
        // What is negative together is so in one of the links at least.
        let own = |link: &usize| mechanism.links[*link].mass.inertia.symmetric_eigenvalues().min();
        let worst = piece.links.iter().min_by(|a, b| own(a).total_cmp(&own(b)));
        let link = worst.map(|link| &mechanism.links[*link]);
        let of = link.and_then(|link| link.name.as_ref()).map(|name| format!(", to which `{name}` gives it"));
        let message = format!(
            "the inertia of {what} has a negative moment, {least:e} kg m^2{}",
            of.unwrap_or_default()
        );
        let remedy = "check the inertia there: the moments about three axes are positive";
        return Err(ImportError::new(link.map_or(&piece.place, |link| &link.place), message, remedy));
    }
    let more = (most - middle - least).max(LEAST * most - least);
    if more > LEAST * most {
        piece.mass.inertia += Matrix3::from_diagonal_element(more);
        let why = format!(
            "its largest moment of inertia is more than the two others together, as that of no body is: all get {more:e} \
             kg m^2 more"
        );
        notes.changed(&piece.place, what, why);
    } else if more > 0.0 {
        // Rounding of a thin body.
        piece.mass.inertia += Matrix3::from_diagonal_element(more);
    }
    Ok(())
}
