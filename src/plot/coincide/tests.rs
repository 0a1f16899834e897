use proptest::{collection::vec, prelude::*, sample::Index};

use super::*;

/// A pixel of a PNG.
const PIXEL: f64 = 0.3;

fn line(height: impl Fn(f64) -> f64) -> Vec<Point> {
    (0..=70).map(|k| [f64::from(k), height(f64::from(k))]).collect()
}

/// What is drawn of curves of one part each.
fn shared(curves: &[Vec<Point>]) -> Vec<Vec<Stretch>> {
    share(&curves.iter().map(|curve| vec![curve.clone()]).collect::<Vec<_>>())
}

fn ends(stretch: &Stretch) -> (f64, f64) {
    (stretch.points[0][0], stretch.points[stretch.points.len() - 1][0])
}

#[test]
fn curves_on_each_other_take_turns_and_leave_no_gap() {
    let mut stretches = shared(&[line(|_| 1.0), line(|_| 1.2), line(|_| 1.4)]).concat();
    stretches.sort_by(|a, b| ends(a).0.total_cmp(&ends(b).0));
    assert_eq!(stretches.len(), 10);
    assert!(stretches.windows(2).all(|pair| ends(&pair[0]).1 == ends(&pair[1]).0));
    assert!(stretches.iter().all(|stretch| !stretch.is_alone));
}

#[test]
fn a_curve_is_whole_where_it_is_alone() {
    for stretches in shared(&[line(|_| 1.0), line(|x| if x <= 35.0 { 1.0 } else { x })]) {
        let alone: Vec<Stretch> = stretches.into_iter().filter(|stretch| stretch.is_alone).collect();
        let [stretch] = alone.as_slice() else { panic!("{alone:?}") };
        assert_eq!(ends(stretch), (35.0, 70.0));
    }
}

#[test]
fn curves_in_opposite_directions_take_turns_as_well() {
    let back: Vec<Point> = line(|_| 1.0).into_iter().rev().collect();
    let stretches = shared(&[line(|_| 1.0), back]);
    assert_eq!(stretches.iter().map(Vec::len).collect::<Vec<_>>(), [5, 5]);
}

#[test]
fn curves_that_cross_or_touch_are_alone() {
    let rising = line(|x| x);
    let falling = line(|x| 70.0 - x);
    let onwards: Vec<Point> = vec![[70.0, 70.0], [140.0, 70.0]];
    for stretches in shared(&[rising, falling, onwards]) {
        assert!(matches!(stretches.as_slice(), [Stretch { is_alone: true, .. }]), "{stretches:?}");
    }
}

#[test]
fn a_curve_that_ends_in_its_turn_leaves_the_rest_to_the_other() {
    let (long, short) = (line(|_| 1.0), line(|_| 1.0)[..=17].to_vec());
    for curves in [[long.clone(), short.clone()], [short, long]] {
        let mut drawn: Vec<(f64, f64)> = shared(&curves).concat().iter().map(ends).collect();
        drawn.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert_eq!((drawn[0].0, drawn[drawn.len() - 1].1), (0.0, 70.0));
        assert!(drawn.windows(2).all(|pair| pair[0].1 >= pair[1].0), "{drawn:?}");
    }
}

/// Walks over a lattice whose steps are no turns: level, upright, slanted, back and forth, on the spot.
fn walk() -> impl Strategy<Value = Vec<Point>> {
    (0..8_i32, 0..4_i32, vec((-1..=1_i32, -1..=1_i32, 1..=3_i32), 1..14)).prop_map(|(x, y, steps)| {
        let at = |(x, y): (i32, i32)| [5.0 * f64::from(x), 5.0 * f64::from(y)];
        let corners = steps.into_iter().scan((x, y), |place, (right, up, count)| {
            *place = (place.0 + count * right, place.1 + count * up);
            Some(at(*place))
        });
        std::iter::once(at((x, y))).chain(corners).collect()
    })
}

/// How a curve is made of a walk.
#[derive(Debug, Clone)]
struct Cut {
    walk: Index,
    ends: (Index, Index),
    is_closed: bool,
    is_reversed: bool,
    gap: Option<Index>,
    shift: Point,
}

impl Cut {
    fn of(&self, walks: &[Vec<Point>]) -> Vec<Vec<Point>> {
        let walk = self.walk.get(walks);
        let (a, b) = (self.ends.0.index(walk.len()), self.ends.1.index(walk.len()));
        let mut curve: Vec<Point> =
            walk[a.min(b)..=a.max(b)].iter().map(|[x, y]| [x + self.shift[0], y + self.shift[1]]).collect();
        if self.is_closed {
            curve.push(curve[0]);
        }
        if self.is_reversed {
            curve.reverse();
        }
        match self.gap.map(|gap| gap.index(curve.len())) {
            Some(gap) if gap > 0 => vec![curve[..gap].to_vec(), curve[gap..].to_vec()],
            _ => vec![curve],
        }
    }
}

fn cut() -> impl Strategy<Value = Cut> {
    let shift = prop_oneof![Just([0.0, 0.0]), [-0.9..0.9, -0.9..0.9].prop_map(|shift: [f64; 2]| shift)];
    let ends = (any::<Index>(), any::<Index>());
    (any::<Index>(), ends, any::<bool>(), any::<bool>(), proptest::option::of(any::<Index>()), shift)
        .prop_map(|(walk, ends, is_closed, is_reversed, gap, shift)| Cut {
            walk,
            ends,
            is_closed,
            is_reversed,
            gap,
            shift,
        })
}

/// Curves that have much in common, none of it throughout.
fn curves() -> impl Strategy<Value = Vec<Vec<Vec<Point>>>> {
    (vec(walk(), 1..3), vec(cut(), 1..6))
        .prop_map(|(walks, cuts)| cuts.iter().map(|cut| cut.of(&walks)).collect())
}

/// Points along a line, not in step with its pieces; also where it is a single one.
fn along(points: &[Point]) -> Vec<Point> {
    let mut samples = points.to_vec();
    for pair in points.windows(2) {
        let [dx, dy] = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
        let count = (dx.hypot(dy) / 0.37).ceil() as u32;
        let shares = (0..count).map(|k| f64::from(k) / f64::from(count));
        samples.extend(shares.map(|share| [pair[0][0] + share * dx, pair[0][1] + share * dy]));
    }
    samples
}

/// Whether a stroke along the points, which ends bluntly, has the point in it: half its width and how much
/// longer it may be are given.
fn is_on(at: Point, points: &[Point], half_width: f64, longer: f64) -> bool {
    if let [only] = points {
        return (at[0] - only[0]).hypot(at[1] - only[1]) <= half_width.min(longer);
    }
    points.windows(2).enumerate().any(|(index, pair)| {
        let [dx, dy] = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
        let length = dx.hypot(dy);
        let [px, py] = [at[0] - pair[0][0], at[1] - pair[0][1]];
        let foot = if length > 0.0 { (px * dx + py * dy) / length } else { px.hypot(py) };
        let is_past_end =
            (index == 0 && foot < -longer) || (index + 2 == points.len() && foot > length + longer);
        let share = if length > 0.0 { foot.clamp(0.0, length) / length } else { 0.0 };
        !is_past_end && (px - share * dx).hypot(py - share * dy) <= half_width
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_point_of_every_curve_is_drawn(curves in curves()) {
        let stretches = share(&curves);
        let common: Vec<&Stretch> = stretches.iter().flatten().filter(|stretch| !stretch.is_alone).collect();
        for (parts, own) in curves.iter().zip(&stretches) {
            for at in parts.iter().flat_map(|part| along(part)) {
                let is_drawn = own.iter().any(|stretch| is_on(at, &stretch.points, 1e-6, 1e-6));
                // Those of others that are alone may have dashes.
                let is_drawn_by_others =
                    || common.iter().any(|stretch| is_on(at, &stretch.points, DISTANCE + 0.05, PIXEL));
                prop_assert!(is_drawn || is_drawn_by_others(), "{at:?} is in none of {stretches:?}");
            }
        }
    }

    #[test]
    fn no_curve_is_drawn_where_it_is_not(curves in curves()) {
        for (parts, own) in curves.iter().zip(share(&curves)) {
            for at in own.iter().flat_map(|stretch| along(&stretch.points)) {
                prop_assert!(parts.iter().any(|part| is_on(at, part, 1e-6, 1e-6)), "{at:?}");
            }
        }
    }

    #[test]
    fn a_curve_that_has_no_company_is_drawn_as_it_is(curve in walk()) {
        let stretches = shared(std::slice::from_ref(&curve)).concat();
        let [stretch] = stretches.as_slice() else { panic!("{stretches:?}") };
        prop_assert!(stretch.is_alone);
        prop_assert!(curve.iter().all(|corner| stretch.points.contains(corner)));
    }
}
