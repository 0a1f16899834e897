//! How the contacts and links of a step change with the poses of the bodies.

use super::taken::Taken;
pub(super) use crate::world::TOUCHING;
use crate::world::{DifferentiableWorld, LinkRates, StepProblem, TouchRates};

/// The change of every contact and link with the displacement of every body.
pub(super) struct Geometry<const D: usize, const N: usize> {
    /// Per contact: the body that is displaced, and the change.
    pub touches: Vec<Vec<(usize, TouchRates<D, N>)>>,
    /// Per link.
    pub links: Vec<Vec<(usize, LinkRates<N>)>>,
}

impl<const D: usize, const N: usize> Geometry<D, N> {
    /// `None` where contacts are not found again, which rounding could do.
    pub fn new<W: DifferentiableWorld<D, N>>(
        taken: &Taken<'_, W, D, N>,
        problem: &StepProblem<D, N>,
    ) -> Option<Self> {
        let Taken { world, motion, .. } = taken;
        let dt = problem.contact.time_step;
        let touches = &problem.touches;
        let mut found = Vec::new();
        let mut of_touches: Vec<Vec<(usize, TouchRates<D, N>)>> = Vec::with_capacity(touches.len());
        for own in touches.chunk_by(|a, b| (a.first, a.second) == (b.first, b.second)) {
            let mut places = vec![Vec::new(); own.len()];
            let (first, pair) = (&own[0], (own[0].first, own[0].second));
            for moved in first.bodies.into_iter().flatten() {
                let facing = Some(&first.normal);
                world.touch_rates(motion, &problem.margins, pair, facing, moved, &mut found);
                // A velocity-level model keeps those that touch.
                let kept: Vec<&TouchRates<D, N>> = if found.len() == own.len() {
                    found.iter().collect()
                } else {
                    found.iter().filter(|rates| rates.value < TOUCHING).collect()
                };
                if kept.len() != own.len() {
                    return None;
                }
                for (place, rates) in places.iter_mut().zip(kept) {
                    place.push((moved, *rates));
                }
            }
            of_touches.append(&mut places);
        }
        let mut of_links: Vec<Vec<(usize, LinkRates<N>)>> = vec![Vec::new(); problem.contact.links.len()];
        let mut rates = Vec::new();
        for moved in 0..problem.contact.bodies() {
            if of_links.is_empty() {
                break;
            }
            world.link_rates(motion, dt, moved, &mut rates);
            for ((place, rates), link) in of_links.iter_mut().zip(&rates).zip(&problem.contact.links) {
                if link.bodies.contains(&Some(moved)) {
                    place.push((moved, *rates));
                }
            }
        }
        Some(Self { touches: of_touches, links: of_links })
    }
}
