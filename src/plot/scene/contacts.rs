use std::{collections::BTreeMap, ops::Range};

use super::{
    super::{
        arrow::Arrow,
        impact::load,
        theme::{Colour, palette},
    },
    Cast, View,
};
use crate::{model::Vector, stepper::Contact, world::Partner};

/// Contacts of which a picture shows the friction cones, at most.
const MOST_CONES: usize = 6;

/// The force in N that counts as usual in pictures of these casts: that which the ground bears when all of
/// it rests there; of bodies the mean weight.
pub(in super::super) fn load_of<const D: usize>(casts: &[Cast<'_, '_, D>]) -> f64 {
    let loads = |cast: &Cast<'_, '_, D>| {
        let loads: Vec<f64> = cast.series.iter().map(|series| load(series.track)).collect();
        if cast.any().contacts.is_empty() {
            loads.into_iter().fold(0.0, f64::max)
        } else {
            loads.iter().sum::<f64>() / loads.len() as f64
        }
    };
    casts.iter().map(loads).fold(0.0, f64::max)
}

/// The mean contact forces over some steps as arrows: at the contacts where these are told apart, at the bodies
/// where they are not; with friction cones if `with_cones` and there are few.
pub(in super::super) fn forces_of_steps<const D: usize>(
    cast: &Cast<'_, '_, D>,
    steps: Range<usize>,
    view: &View<D>,
    (load, colour): (f64, Colour),
    with_cones: bool,
) -> Vec<Arrow> {
    let arrow = |at: &Vector<D>, force: &Vector<D>| Arrow {
        label: String::new(),
        at: view.project(at),
        force: view.project(force),
        load,
        colour,
        cone: None,
    };
    if cast.any().contacts.is_empty() {
        let of_body = |series: &super::super::Series<'_, D>| {
            let track = series.track;
            let end = steps.end.min(track.steps.len());
            let acting = track.steps.get(steps.start.min(end)..end).unwrap_or_default();
            let sum = acting.iter().fold(Vector::zeros(), |sum, step| sum + step.force);
            let at = track.states.get(end)?.position;
            (!acting.is_empty()).then(|| arrow(&at, &(sum / acting.len() as f64)))
        };
        return cast.series.iter().filter_map(of_body).collect();
    }
    let mean = mean_contacts(cast, steps);
    let carrying: Vec<_> = mean.into_iter().filter(|(_, force)| force.norm() > 1e-6 * load).collect();
    let with_cones = with_cones && carrying.len() <= MOST_CONES;
    carrying
        .iter()
        .map(|(contact, force)| Arrow {
            cone: if with_cones { cone(cast, contact, view) } else { None },
            ..arrow(&contact.point, force)
        })
        .collect()
}

/// The contacts of some steps with their mean forces. Contacts are the same if they have the same partners and
/// the same place among these; each is where it was last, as the one that can move of its bodies feels it.
fn mean_contacts<const D: usize>(
    cast: &Cast<'_, '_, D>,
    steps: Range<usize>,
) -> Vec<(Contact<D>, Vector<D>)> {
    let count = steps.len().max(1) as f64;
    let mut sums: BTreeMap<(usize, usize, usize, usize), (Contact<D>, Vector<D>)> = BTreeMap::new();
    for k in steps {
        let mut places: BTreeMap<(usize, usize, usize), usize> = BTreeMap::new();
        for contact in cast.any().contacts.of_step(k) {
            let second = match contact.second {
                Partner::Ground => (0, 0),
                Partner::Wall(wall) => (1, wall),
                Partner::Stop { axis, .. } => (3, axis),
                Partner::Body(body) => (2, body),
            };
            let place = places.entry((contact.first, second.0, second.1)).or_default();
            let key = (contact.first, second.0, second.1, *place);
            *place += 1;
            let entry = sums.entry(key).or_insert((*contact, Vector::zeros()));
            entry.0 = *contact;
            entry.1 += contact.force / count;
        }
    }
    let bodies = &cast.any().scenario.bodies;
    let felt = |(contact, force): (Contact<D>, Vector<D>)| {
        let own = contact.as_felt(|body| bodies[body].fixed);
        (own, if own.first == contact.first { force } else { -force })
    };
    sums.into_values().map(felt).collect()
}

/// The sides of the friction cone of a contact in a vertical plane.
fn cone<const D: usize>(
    cast: &Cast<'_, '_, D>,
    contact: &Contact<D>,
    view: &View<D>,
) -> Option<[[f64; 2]; 2]> {
    if D != 2 {
        return None;
    }
    let surface = cast.any().scenario.surface(contact.first, contact.second);
    let friction = surface.friction.static_coefficient();
    let [nx, ny] = view.edge_on(&contact.normal)?;
    let side = |sign: f64| {
        let slope = sign * friction;
        let side = [nx + slope * ny, ny - slope * nx];
        side.map(|part| part / (1.0 + friction * friction).sqrt())
    };
    (friction > 0.0).then(|| [side(-1.0), side(1.0)])
}

/// Colour of the contact forces of a single run.
pub(in super::super) const FORCE_COLOUR: Colour = palette::VERMILLION;
