//! The distance of two convex solids (Gilbert, Johnson and Keerthi 1988).

use nalgebra::SVector;

use super::solid::{Axis, Pair, Seen};

/// Rounds after which the nearest points count as found.
const MOST_ROUNDS: usize = 64;

/// Part of its square by which the distance may be beyond the farthest plane that separates the bodies.
const TOLERANCE: f64 = 1e-12;

/// Part of the size of the bodies below which their distance is rounding.
const ROUNDING: f64 = 1e-15;

/// Distance in units of the reach of the smaller body from which on nearest points are found exactly.
const APART: f64 = 0.05;

/// The least part of it by which bodies are moved apart.
const LEAST_MOVE: f64 = 1e-5;

/// Times that bodies are moved apart along an axis to find a better one.
const MOST_MOVES: usize = 12;

/// The same where one of them has a rim, of which ever nearer points are found.
const TOLERANCE_OF_RIMS: f64 = 1e-9;

/// Part of the reach of the smaller body by which a better axis is no better.
const SETTLED: f64 = 1e-11;

/// Most corners of a simplex in space.
const MOST_CORNERS: usize = 4;

/// Corners of the difference of two bodies, `D + 1` at most.
struct Simplex<const D: usize> {
    corners: [SVector<f64, D>; MOST_CORNERS],
    count: usize,
}

impl<const D: usize> Simplex<D> {
    fn contains(&self, corner: &SVector<f64, D>) -> bool {
        self.corners[..self.count].contains(corner)
    }

    /// Takes in a corner, and leaves those between which the point nearest to the origin lies: it gives that one, the least
    /// of those of all parts with the new corner that have it inside; `None` where no part has.
    fn nearest_with(&mut self, corner: SVector<f64, D>) -> Option<SVector<f64, D>> {
        let others = self.count.min(D);
        let mut best: Option<(f64, SVector<f64, D>, usize)> = None;
        for part in 0_usize..1 << others {
            let mut chosen = [corner; MOST_CORNERS];
            let mut count = 1;
            for own in (0..others).filter(|own| part >> own & 1 == 1) {
                chosen[count] = self.corners[own];
                count += 1;
            }
            let Some(nearest) = nearest_inside(&chosen[..count]) else { continue };
            let squared = nearest.norm_squared();
            if best.as_ref().is_none_or(|best| squared < best.0) {
                best = Some((squared, nearest, part));
            }
        }
        let (_, nearest, part) = best?;
        let mut count = 0;
        for own in (0..others).filter(|own| part >> own & 1 == 1) {
            self.corners[count] = self.corners[own];
            count += 1;
        }
        self.corners[count] = corner;
        self.count = count + 1;
        Some(nearest)
    }
}

/// The point of what these span that is nearest to the origin, if it lies between them.
fn nearest_inside<const D: usize>(points: &[SVector<f64, D>]) -> Option<SVector<f64, D>> {
    let (origin, rest) = points.split_first()?;
    let count = rest.len();
    if count > D {
        return None;
    }
    let mut sides = [SVector::<f64, D>::zeros(); MOST_CORNERS - 1];
    // Normal equations of the shares, by elimination: at most three.
    let mut rows = [[0.0; MOST_CORNERS]; MOST_CORNERS - 1];
    for (side, point) in sides.iter_mut().zip(rest) {
        *side = point - origin;
    }
    for i in 0..count {
        for j in 0..count {
            rows[i][j] = sides[i].dot(&sides[j]);
        }
        rows[i][3] = -sides[i].dot(origin);
    }
    for i in 0..count {
        let size = sides[i].norm_squared();
        if rows[i][i] <= 1e-12 * size {
            return None;
        }
        let pivot = rows[i];
        for (_, row) in rows.iter_mut().enumerate().filter(|(k, _)| *k != i) {
            let factor = row[i] / pivot[i];
            row.iter_mut().zip(&pivot).for_each(|(entry, own)| *entry -= factor * own);
        }
    }
    let (mut nearest, mut sum) = (*origin, 0.0);
    for i in 0..count {
        let share = rows[i][3] / rows[i][i];
        if share <= 0.0 {
            return None;
        }
        sum += share;
        nearest += sides[i] * share;
    }
    (sum < 1.0).then_some(nearest)
}

impl<const D: usize> Pair<'_, D> {
    /// The axis of nearest points, fixed to one of the bodies, and the distance in m along it; `None` where what the corners
    /// span overlaps, so that no direction is nearest. With a rim it is the one along which they are the least deep in each
    /// other then.
    pub fn nearest(&self, seen: &Seen<D>) -> Option<(Axis<D>, f64)> {
        if self.has_disc() { self.furthest_apart(seen) } else { self.nearest_points(seen, &seen[0].position) }
    }

    /// The axis along which the bodies are furthest apart, or least deep in each other, and how far, where a rim leaves them
    /// no list of such axes. From the best of the others on, those are found by bodies that are moved apart along the last
    /// one: of them the axis of nearest points is better for the bodies where they are, too, until there is no better one.
    fn furthest_apart(&self, seen: &Seen<D>) -> Option<(Axis<D>, f64)> {
        let size = self.reach();
        let between = seen[0].position.try_normalize(0.0).map(|normal| {
            let (_, support) = self.0[0].furthest(&normal);
            Axis { owner: 0, normal, support }
        });
        let listed = between.into_iter().chain(self.faces()).chain(self.across_segment(seen));
        let listed = listed.map(|axis| (axis, self.separation(&axis, seen)));
        let mut best = listed.max_by(|a, b| a.1.total_cmp(&b.1))?;
        // The less far they are moved, the less does the axis hold to the last one.
        let mut least_move = APART * size;
        for _ in 0..MOST_MOVES {
            let (axis, separation) = best;
            let outward = match axis.owner {
                0 => axis.normal,
                _ => -(seen[0].turn * axis.normal),
            };
            let is_apart = separation + self.radii() > APART * size;
            let by = if is_apart { 0.0 } else { least_move.max(-2.0 * (separation + self.radii())) };
            least_move = (0.25 * least_move).max(LEAST_MOVE * size);
            let mut moved = *seen;
            moved[0].position += outward * by;
            moved[1].position -= moved[0].turn.tr_mul(&(outward * by));
            let Some((axis, _)) = self.nearest_points(&moved, &outward) else { break };
            let better = self.separation(&axis, seen);
            if better > separation {
                best = (axis, better);
            }
            if is_apart || better - separation <= SETTLED * size {
                break;
            }
        }
        Some(best)
    }

    /// The axis of nearest points, fixed to the first body, and the distance in m along it,
    /// looked for from a direction on.
    fn nearest_points(&self, seen: &Seen<D>, from: &SVector<f64, D>) -> Option<(Axis<D>, f64)> {
        let [first, second] = &self.0;
        let other = &seen[0];
        // The corner of the difference, second less first, that is least along a direction.
        let support = |direction: &SVector<f64, D>| {
            let (of_first, _) = first.furthest(direction);
            let (of_second, _) = second.furthest(&-other.turn.tr_mul(direction));
            other.position + other.turn * of_second - of_first
        };
        let size = other.position.norm() + first.span() + second.span();
        let tolerance = if self.has_disc() { TOLERANCE_OF_RIMS } else { TOLERANCE };
        let mut nearest = support(from);
        let mut simplex = Simplex { corners: [nearest; MOST_CORNERS], count: 1 };
        for _ in 0..MOST_ROUNDS {
            let squared = nearest.norm_squared();
            if squared <= (ROUNDING * size).powi(2) {
                return None;
            }
            let corner = support(&nearest);
            if squared - nearest.dot(&corner) <= tolerance * squared || simplex.contains(&corner) {
                break;
            }
            // Rounding leaves nothing to gain.
            let Some(next) = simplex.nearest_with(corner) else { break };
            if simplex.count > D {
                return None;
            }
            if next.norm_squared() >= squared {
                break;
            }
            nearest = next;
        }
        let normal = nearest.normalize();
        let (_, reach) = first.furthest(&normal);
        let axis = Axis { owner: 0, normal, support: reach };
        let distance = self.separation(&axis, seen);
        (distance + self.radii() > 0.0).then_some((axis, distance))
    }

    /// How far the bodies are apart in m: the distance of their nearest points, or where what their corners span overlaps,
    /// the largest separation along an axis.
    pub fn distance(&self, seen: &Seen<D>) -> f64 {
        if self.are_balls() {
            return self.between_balls(seen).norm() - self.radii();
        }
        if self.has_disc() {
            return self.furthest_apart(seen).map_or(f64::INFINITY, |(_, distance)| distance);
        }
        self.nearest_points(seen, &seen[0].position)
            .map_or_else(|| self.largest_separation(seen), |(_, distance)| distance)
    }
}
