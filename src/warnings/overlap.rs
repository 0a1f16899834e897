//! Bodies that lie in one another, in the ground or in a wall at the start.

use std::collections::BTreeMap;

use crate::{
    decimal::rounded,
    scenario::{AnyScenarioRef, Partner, Scenario},
    stepper::{StepperName, planar_scene, spatial_scene},
    world::{RigidBody, Scene, Touch, World},
};

/// Overlaps deeper than this part of the size of the smaller body are named; shallower ones are rounding of digits, or
/// bodies meant to rest on one another.
const DEEP: f64 = 6e-3;

/// Where nothing that overlaps has a size, depths in m below this are rounding of digits.
const DEEP_POINT: f64 = 1e-3;

/// Most overlaps that are named one by one.
const MOST: usize = 3;

/// How deep a body lies in its partner.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Overlap {
    first: usize,
    second: Partner,
    /// In m.
    depth: f64,
}

impl<const D: usize> Scenario<D> {
    /// A sentence for each deep overlap at the start, the deepest first, and one for those beyond a few.
    pub(super) fn overlap_warnings(&self) -> Vec<String> {
        let mut overlaps = self.overlaps();
        overlaps.retain(|overlap| overlap.depth > self.allowed(overlap));
        overlaps.sort_by(|a, b| b.depth.total_cmp(&a.depth).then(a.first.cmp(&b.first)));
        let mut told: Vec<String> = overlaps.iter().take(MOST).map(|overlap| self.told(overlap)).collect();
        if let Some(more) = overlaps.len().checked_sub(MOST).filter(|more| *more > 0) {
            told.push(format!(
                "{more} more pairs overlap at the start by more than {} % of the smaller body",
                100.0 * DEEP
            ));
        }
        told
    }

    /// The overlaps at the start, the deepest place of each pair.
    fn overlaps(&self) -> Vec<Overlap> {
        let name = StepperName::NLP;
        let found = self.of_known_dimension().and_then(|scenario| match scenario {
            AnyScenarioRef::InPlane(scenario) => Some(in_scene(&planar_scene(scenario, name).ok()?)),
            AnyScenarioRef::OverPlane(scenario) => Some(in_scene(&spatial_scene(scenario, name).ok()?)),
        });
        found.unwrap_or_default()
    }

    /// The depth in m up to which nothing is said.
    fn allowed(&self, overlap: &Overlap) -> f64 {
        let own = self.bodies[overlap.first].shape.size();
        let other = match overlap.second {
            Partner::Body(other) => self.bodies[other].shape.size(),
            Partner::Ground | Partner::Wall(_) | Partner::Stop { .. } => None,
        };
        own.into_iter().chain(other).reduce(f64::min).map_or(DEEP_POINT, |size| DEEP * size)
    }

    fn told(&self, &Overlap { first, second, depth }: &Overlap) -> String {
        let name = self.body_name(first);
        let depth = rounded(depth, 3);
        let (place, remedy) = match second {
            Partner::Ground => ("the ground".to_owned(), "raise its position by that".to_owned()),
            Partner::Wall(wall) => (
                format!("wall-{wall}"),
                format!(
                    "move it that far along wall[{wall}].normal, or turn the normal round if the room is on its side"
                ),
            ),
            Partner::Stop { .. } => ("a stop".to_owned(), "give other limits".to_owned()),
            Partner::Body(other) => (self.body_name(other), "move them apart by that".to_owned()),
        };
        format!(
            "body {name} lies {depth} m deep in {place} at the start, more than {} % of its size: rigid models leave \
             it there, `convex` and `smooth` push it out in the first steps, with energy from nothing; {remedy}",
            100.0 * DEEP
        )
    }
}

fn in_scene<B, const D: usize, const N: usize>(scene: &Scene<B, D>) -> Vec<Overlap>
where
    B: RigidBody<D, N>,
{
    let motion = scene.initial_motion();
    let mut touches: Vec<Touch<D, N>> = Vec::new();
    scene.find_touches(&motion, &vec![0.0; scene.bodies.len()], &[], &mut touches);
    let mut depths: BTreeMap<(usize, Partner), f64> = BTreeMap::new();
    for Touch { first, second, gap, .. } in touches {
        let depth = depths.entry((first, second)).or_insert(-gap);
        *depth = depth.max(-gap);
    }
    depths.into_iter().map(|((first, second), depth)| Overlap { first, second, depth }).collect()
}
