//! How the contacts and links of a step change with the poses of the bodies.

use super::taken::Taken;
pub(super) use crate::world::TOUCHING;
use crate::world::{DifferentiableWorld, LinkRates, StepProblem, Touch, TouchRates};

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
        let mut of_touches: Vec<Vec<(usize, TouchRates<D, N>)>> = vec![Vec::new(); touches.len()];
        let mut begin = 0;
        while begin < touches.len() {
            let pair = |touch: &Touch<D, N>| (touch.first, touch.second);
            let own = pair(&touches[begin]);
            let count = touches[begin..].iter().take_while(|touch| pair(touch) == own).count();
            for moved in touches[begin].bodies.into_iter().flatten() {
                let facing = Some(&touches[begin].normal);
                world.touch_rates(motion, &problem.margins, own, facing, moved, &mut found);
                // A velocity-level model keeps those that touch.
                let kept: Vec<&TouchRates<D, N>> = if found.len() == count {
                    found.iter().collect()
                } else {
                    found.iter().filter(|rates| rates.value < TOUCHING).collect()
                };
                if kept.len() != count {
                    return None;
                }
                for (place, rates) in of_touches[begin..begin + count].iter_mut().zip(kept) {
                    place.push((moved, *rates));
                }
            }
            begin += count;
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
