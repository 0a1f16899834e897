//! When two bodies first meet on their way through a step.

use nalgebra::SVector;

use super::{
    crossing_edges::CrossingEdges,
    solid::{Axis, Pair, Placement, Seen, seen},
};

/// Part of what the shapes are made smaller by, of which the way of an interval that is not divided further is.
const RESOLUTION: f64 = 0.02;

/// Intervals after which a way that is neither clear nor blocked counts as what its last one is.
const MOST_INTERVALS: usize = 4096;

/// Faces of both shapes from which on the axis of their nearest points is tried before them.
const MANY_FACES: usize = 40;

/// The way of two bodies through a step: straight, each turning evenly.
pub(super) struct Sweep<'a, const D: usize, At: Fn(f64) -> [Placement<D>; 2]> {
    pub pair: Pair<'a, D>,
    /// Where the two are after a share of the step.
    pub at: At,
    /// How each turns in the step, in rad about the axes of space; in the plane about the last.
    pub turns: [SVector<f64, 3>; 2],
    /// How much smaller in m the shapes are made.
    pub slop: f64,
}

/// The pair at a share of its way.
#[derive(Clone, Copy)]
struct Instant<const D: usize> {
    share: f64,
    seen: Seen<D>,
}

/// What of the motion along the way bounds how separations bend.
pub(super) struct Bending {
    /// `|d^2 sep/ds^2|` at most, along axes fixed to each of the two.
    of_axes: [f64; 2],
    /// How far in m a point of one may move relative to the other.
    way: f64,
    /// How far in rad each turns.
    pub turns: [f64; 2],
    /// How far in m the centre of one moves relative to that of the other.
    pub of_centres: f64,
}

/// What keeps two bodies apart for a part of their way.
#[derive(Clone, Copy)]
enum Divider<const D: usize> {
    /// An axis fixed to one of them.
    Axis(Axis<D>),
    /// The common normal of two edges.
    Edges(CrossingEdges),
}

impl<const D: usize, At: Fn(f64) -> [Placement<D>; 2]> Sweep<'_, D, At> {
    /// The first share of the way at which the smaller shapes meet.
    pub fn first_meeting(&self) -> Option<f64> {
        // The centres of balls that turn about others go round.
        let is_straight = self.pair.0.iter().all(|solid| solid.is_centred_ball());
        if is_straight { self.balls() } else { self.by_intervals() }
    }

    /// Two balls: a quadratic equation.
    fn balls(&self) -> Option<f64> {
        let [start, end] =
            [(self.at)(0.0), (self.at)(1.0)].map(|[first, second]| second.position - first.position);
        let way = end - start;
        let (approach, reach) = (start.dot(&way), self.pair.radii() - self.slop);
        let apart = start.norm_squared() - reach * reach;
        if approach >= 0.0 || reach <= 0.0 {
            return None;
        }
        if apart <= 0.0 {
            return Some(0.0);
        }
        let root = approach * approach - way.norm_squared() * apart;
        let share = apart / (root.max(0.0).sqrt() - approach);
        (root > 0.0 && share <= 1.0).then_some(share)
    }

    /// Seen from a body that turns by `w_a` in the step, a corner at the arm `r` of another one that turns by `w_b`, from the
    /// centre `c` on, accelerates by `w_a^2 |c| + 2 w_a |dx| + (w_b - w_a)^2 |r|` at most; in space axes add up.
    fn bending(&self) -> Bending {
        let [start, end] =
            [(self.at)(0.0), (self.at)(1.0)].map(|[first, second]| second.position - first.position);
        let [first, second] = &self.turns;
        let (own, way) = ([first.norm(), second.norm()], (end - start).norm());
        let both = if D == 2 { (second - first).norm() } else { own[0] + own[1] };
        let spans = self.pair.0.map(|solid| solid.span());
        let away = start.norm().max(end.norm());
        let of_axis = |body: usize| {
            let (turn, span) = (own[body], spans[1 - body]);
            turn * turn * away + 2.0 * turn * way + if span > 0.0 { both * both * span } else { 0.0 }
        };
        let of_corners = own[0] * spans[0] + own[1] * spans[1];
        Bending { of_axes: [of_axis(0), of_axis(1)], way: way + of_corners, turns: own, of_centres: way }
    }

    fn instant(&self, share: f64) -> Instant<D> {
        Instant { share, seen: seen(&(self.at)(share)) }
    }

    /// An interval is clear if one axis, fixed to its body, keeps the shapes apart at both ends by more than it can bend in
    /// between; else it is halved.
    fn by_intervals(&self) -> Option<f64> {
        let bending = self.bending();
        let mut ahead = vec![self.instant(1.0)];
        let mut now = self.instant(0.0);
        // What held apart a part of the way mostly does in the next one.
        let mut held = None;
        for _ in 0..MOST_INTERVALS {
            let next = ahead.last()?;
            if self.is_clear([&now, next], &bending, &mut held) {
                now = ahead.pop()?;
                continue;
            }
            let length = next.share - now.share;
            if length * bending.way <= RESOLUTION * self.slop {
                if self.pair.distance(&next.seen) < -self.slop {
                    return Some(next.share);
                }
                now = ahead.pop()?;
                continue;
            }
            ahead.push(self.instant(now.share + 0.5 * length));
        }
        let next = ahead.last()?;
        (self.pair.distance(&next.seen) < -self.slop).then_some(next.share)
    }

    /// Whether something keeps the shapes apart between two instants; it is left in `held`, which is tried first.
    fn is_clear(
        &self,
        [start, end]: [&Instant<D>; 2],
        bending: &Bending,
        held: &mut Option<Divider<D>>,
    ) -> bool {
        let length = end.share - start.share;
        let least = bending.of_axes.map(|bends| bends * length * length / 8.0 - self.slop);
        let lowest = |axis: &Axis<D>| {
            let first = self.pair.separation(axis, &start.seen);
            if first < -self.slop { first } else { first.min(self.pair.separation(axis, &end.seen)) }
        };
        let mut middle = None;
        let mut halfway = || *middle.get_or_insert_with(|| seen(&(self.at)(0.5 * (start.share + end.share))));
        let divide = |edges: &CrossingEdges, middle: &Seen<D>| {
            edges.divide(&self.pair, [&start.seen, middle, &end.seen], length, bending, self.slop)
        };
        let still_holds = match held {
            Some(Divider::Axis(axis)) => lowest(axis) >= least[axis.owner],
            Some(Divider::Edges(edges)) => divide(edges, &halfway()),
            None => false,
        };
        if still_holds {
            return true;
        }
        // The axis of the nearest points, fixed to one or the other; fixed to what has faces it does not turn with what has
        // none.
        let by_nearest = |at: &Seen<D>| -> Option<Divider<D>> {
            let (axis, _) = self.pair.nearest(at)?;
            let axes = [axis, self.on_second(axis, at)];
            let of_faces = |axis: &&Axis<D>| !self.pair.0[axis.owner].is_ball() || self.pair.are_balls();
            let holding = axes.iter().filter(of_faces).find(|axis| lowest(axis) >= least[axis.owner]);
            holding.map(|axis| Divider::Axis(*axis))
        };
        // Of many faces it is known sooner than by all of them.
        let faces = self.pair.0.iter().map(|solid| solid.faces.len()).sum::<usize>();
        if faces >= MANY_FACES
            && let Some(divider) = by_nearest(&halfway())
        {
            *held = Some(divider);
            return true;
        }
        let mut is_apart_at_ends = false;
        for axis in self.pair.faces() {
            let lowest = lowest(&axis);
            if lowest >= least[axis.owner] {
                *held = Some(Divider::Axis(axis));
                return true;
            }
            is_apart_at_ends |= lowest >= -self.slop;
        }
        let has_ball = self.pair.0.iter().any(|solid| solid.is_ball());
        // A face that holds at both ends does so in between where these are near enough: sooner than others are found.
        if is_apart_at_ends || D == 2 && !has_ball {
            return false;
        }
        let middle = halfway();
        // No other axis separates them further there.
        if self.pair.has_disc() {
            let divider = by_nearest(&middle);
            *held = divider.or(*held);
            return divider.is_some();
        }
        let mut found = None;
        self.pair.edges(&middle, |axis, [first, second]| {
            let edges = CrossingEdges::new(&self.pair, [first, second], &axis, &middle);
            if self.pair.separation(&axis, &middle) >= -self.slop && divide(&edges, &middle) {
                found = Some(Divider::Edges(edges));
            }
            found.is_none()
        });
        let mut places = [&middle, &start.seen, &end.seen].into_iter();
        while let (None, Some(at)) = (&found, places.next()) {
            found = by_nearest(at);
        }
        let is_clear = found.is_some();
        if is_clear {
            *held = found;
        }
        is_clear
    }

    /// The same axis of the first, fixed to the second.
    fn on_second(&self, axis: Axis<D>, at: &Seen<D>) -> Axis<D> {
        let normal = -at[0].turn.tr_mul(&axis.normal);
        let (_, support) = self.pair.0[1].furthest(&normal);
        Axis { owner: 1, normal, support }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Rotation2, Vector2, Vector3};
    use proptest::prelude::*;

    use super::*;
    use crate::world::{planar, solid::Solid, spatial};

    /// A body in the plane on its way: from a pose, by a displacement.
    #[derive(Debug, Clone)]
    struct Moving {
        shape: planar::Shape,
        start: [f64; 3],
        by: [f64; 3],
    }

    impl Moving {
        fn at(&self, share: f64) -> Placement<2> {
            let [x, z, angle]: [f64; 3] = std::array::from_fn(|i| self.start[i] + share * self.by[i]);
            Placement { position: Vector2::new(x, z), turn: *Rotation2::new(angle).matrix() }
        }

        fn solid(&self) -> Solid<'_, 2> {
            self.shape.solid(0)
        }
    }

    fn meeting([first, second]: [&Moving; 2], slop: f64) -> Option<f64> {
        let at = |share: f64| [first.at(share), second.at(share)];
        let turns = [first, second].map(|body| Vector3::new(0.0, 0.0, body.by[2]));
        Sweep { pair: Pair([first.solid(), second.solid()]), at, turns, slop }.first_meeting()
    }

    fn distance([first, second]: [&Moving; 2], share: f64) -> f64 {
        Pair([first.solid(), second.solid()]).distance(&seen(&[first.at(share), second.at(share)]))
    }

    fn body(shape: planar::Shape, start: [f64; 3], by: [f64; 3]) -> Moving {
        Moving { shape, start, by }
    }

    #[test]
    fn discs_meet_where_their_distance_is_that_of_their_radii() {
        let disc = |radius| planar::Shape::disc(radius).unwrap();
        let still = body(disc(0.2), [0.0, 0.0, 0.0], [0.0; 3]);
        let flying = body(disc(0.1), [-1.0, 0.18, 0.0], [2.0, 0.0, 9.0]);
        let share = meeting([&still, &flying], 1e-9).unwrap();
        let expected = (1.0 - (0.3_f64 * 0.3 - 0.18 * 0.18).sqrt()) / 2.0;
        assert!((share - expected).abs() < 1e-8, "{share} {expected}");
        let passing = Moving { start: [-1.0, 0.3, 0.0], ..flying };
        assert_eq!(meeting([&still, &passing], 1e-9), None);
    }

    #[test]
    fn a_disc_meets_a_face_and_a_corner_when_it_is_its_radius_away() {
        let still = body(planar::Shape::rectangle(2.0, 0.001).unwrap(), [0.0; 3], [0.0; 3]);
        let disc = planar::Shape::disc(0.1).unwrap();
        let falling = body(disc.clone(), [0.3, 1.0, 0.0], [0.0, -10.0, 0.0]);
        let slop = 1e-7;
        let share = meeting([&still, &falling], slop).unwrap();
        assert!((10.0 * share - (1.0 - 0.1005 + slop)).abs() <= 0.03 * slop, "{share}");
        let beside = body(disc, [1.06, 1.0, 0.0], [0.0, -10.0, 0.0]);
        let share = meeting([&beside, &still], slop).unwrap();
        let expected = 1.0 - 0.0005 - ((0.1_f64 - slop).powi(2) - 0.06 * 0.06).sqrt();
        assert!((10.0 * share - expected).abs() < 1e-8, "{share}");
        let clear = Moving { start: [1.1 + 1e-9, 1.0, 0.0], ..beside };
        assert_eq!(meeting([&clear, &still], slop), None);
    }

    #[test]
    fn a_rod_that_turns_meets_a_box_at_the_angle_of_its_tip() {
        let rod = body(planar::Shape::rod(2.0).unwrap(), [0.0, 0.0, 0.0], [0.0, 0.0, 1.5]);
        // The corner (0.6, 0.6) is reached at 45 degrees.
        let still = body(planar::Shape::rectangle(0.2, 0.2).unwrap(), [0.5, 0.7, 0.0], [0.0; 3]);
        let slop = 1e-8;
        let share = meeting([&rod, &still], slop).unwrap();
        let expected = std::f64::consts::FRAC_PI_4 / 1.5;
        assert!((share - expected).abs() < 1e-6, "{share} {expected}");
    }

    fn shapes() -> impl Strategy<Value = planar::Shape> {
        let polygon = (3_usize..8, 0.05..0.5, 0.3..1.0).prop_map(|(count, size, flat)| {
            let corner = |i: usize| {
                let angle = i as f64 * std::f64::consts::TAU / count as f64;
                nalgebra::Point2::new(size * angle.cos(), flat * size * angle.sin())
            };
            planar::Shape::polygon(&(0..count).map(corner).collect::<Vec<_>>()).unwrap()
        });
        prop_oneof![
            polygon,
            (0.05..0.4).prop_map(|radius| planar::Shape::disc(radius).unwrap()),
            (0.1..0.9).prop_map(|length| planar::Shape::rod(length).unwrap()),
        ]
    }

    fn bodies() -> impl Strategy<Value = Moving> {
        let start = (-0.6..0.6, -0.6..0.6, -3.0..3.0).prop_map(|(x, z, angle)| [x, z, angle]);
        let by = (-1.5..1.5, -1.5..1.5, -1.5..1.5).prop_map(|(x, z, angle)| [x, z, angle]);
        (shapes(), start, by).prop_map(|(shape, start, by)| Moving { shape, start, by })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        /// Nothing is deeper than the slop before they meet, by many samples, and there they are.
        #[test]
        fn bodies_meet_where_samples_of_their_distance_do(first in bodies(), second in bodies()) {
            let slop = 1e-4;
            let both = [&first, &second];
            prop_assume!(distance(both, 0.0) > 0.0);
            let share = meeting(both, slop);
            let until = share.unwrap_or(1.0);
            for sample in 0..400 {
                let at = until * f64::from(sample) / 400.0;
                let depth = -distance(both, at);
                prop_assert!(depth <= 1.05 * slop || at > until - 1e-9, "{} deep at {} before {:?}", depth, at, share);
            }
            if let Some(share) = share {
                prop_assert!((distance(both, share) + slop).abs() < 0.1 * slop, "{}", distance(both, share));
            }
        }

        /// The distance is that of corners from sides, both ways; inside it is the least depth along a side.
        #[test]
        fn distances_of_polygons_are_those_of_corners_from_sides(first in bodies(), second in bodies()) {
            let corners = |body: &Moving| -> Vec<Vector2<f64>> {
                let place = body.at(0.0);
                body.solid().corners.iter().map(|corner| place.position + place.turn * corner).collect()
            };
            let from_sides = |points: &[Vector2<f64>], of: &[Vector2<f64>]| {
                let mut least = f64::INFINITY;
                for point in points {
                    for (i, start) in of.iter().enumerate() {
                        let along = of[(i + 1) % of.len()] - start;
                        let share = match along.norm_squared() {
                            0.0 => 0.0,
                            squared => ((point - start).dot(&along) / squared).clamp(0.0, 1.0),
                        };
                        least = least.min((point - start - along * share).norm());
                    }
                }
                least
            };
            let (a, b) = (corners(&first), corners(&second));
            let pair = Pair([first.solid(), second.solid()]);
            let own = distance([&first, &second], 0.0);
            let expected = from_sides(&a, &b).min(from_sides(&b, &a)) - pair.radii();
            if own > 0.0 || pair.nearest(&seen(&[first.at(0.0), second.at(0.0)])).is_some() {
                prop_assert!((own - expected).abs() < 1e-9, "{} {}", own, expected);
            } else {
                prop_assert!(own <= pair.radii());
            }
        }
    }

    #[test]
    fn boxes_in_space_are_as_far_apart_as_their_faces_edges_and_corners() {
        let shape = spatial::Shape::cuboid([1.0, 2.0, 3.0]).unwrap();
        let pair = Pair([shape.solid(0), shape.solid(0)]);
        let apart = |x: f64, y: f64, z: f64| {
            let still = Placement { position: Vector3::zeros(), turn: nalgebra::Matrix3::identity() };
            pair.distance(&seen(&[still, Placement { position: Vector3::new(x, y, z), ..still }]))
        };
        assert!((apart(1.3, 0.2, 0.4) - 0.3).abs() < 1e-12);
        assert!((apart(1.3, 2.4, 0.4) - 0.5).abs() < 1e-12);
        assert!((apart(1.2, 2.2, 3.1) - 0.3).abs() < 1e-12);
        assert!((apart(0.9, 0.2, 0.4) + 0.1).abs() < 1e-12);
        // Edge over edge.
        let turn = *nalgebra::Rotation3::from_euler_angles(0.0, std::f64::consts::FRAC_PI_4, 0.0).matrix();
        let other = *nalgebra::Rotation3::from_euler_angles(std::f64::consts::FRAC_PI_4, 0.0, 0.0).matrix();
        let cube = spatial::Shape::cuboid([1.0; 3]).unwrap();
        let cubes = Pair([cube.solid(0), cube.solid(0)]);
        for height in [1.4, 1.42] {
            let low = Placement { position: Vector3::zeros(), turn };
            let high = Placement { position: Vector3::new(0.05, 0.02, height), turn: other };
            let expected = height - 2.0_f64.sqrt();
            let own = cubes.distance(&seen(&[low, high]));
            assert!((own - expected).abs() < 1e-12, "{own} {expected}");
        }
    }
}
