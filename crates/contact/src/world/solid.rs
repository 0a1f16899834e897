//! Convex solids by the axes that separate them: what contacts are judged by, in the plane and in space.

use nalgebra::{SMatrix, SVector, Vector3};

use super::spatial::Edge;

/// Sine of the angle between two edges below which their common normal is left to the faces.
const PARALLEL: f64 = 1e-9;

/// Faces up to which what is known of each of them stands on the stack.
const FEW_FACES: usize = 96;

/// Points `x` with `normal.x <= offset`, in the axes of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace<const D: usize> {
    /// Outward unit normal.
    pub normal: SVector<f64, D>,
    /// Distance of its boundary from the centre of mass along it in m.
    pub offset: f64,
}

/// A disc about the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disc<const D: usize> {
    /// The unit normal of its plane.
    pub axis: SVector<f64, D>,
    /// In m.
    pub radius: f64,
}

impl<const D: usize> Disc<D> {
    /// The part of a vector in its plane.
    fn across(&self, vector: &SVector<f64, D>) -> SVector<f64, D> {
        vector - self.axis * vector.dot(&self.axis)
    }
}

/// A convex part of a body in the axes of the body about its centre of mass: what its corners span, grown by a disc and by a
/// radius. A ball has its centre for a corner, a capsule the ends of its segment, a rod two faces back to back, and a cylinder
/// is its axis grown by a disc, between the faces of its caps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solid<'a, const D: usize> {
    /// The corners in m.
    pub corners: &'a [SVector<f64, D>],
    /// What the corners are between.
    pub faces: &'a [HalfSpace<D>],
    /// The edges of a polyhedron.
    pub edges: &'a [Edge],
    /// The disc of a cylinder.
    pub disc: Option<Disc<D>>,
    /// In m.
    pub radius: f64,
    /// Least width between two parallel planes, one of them that of a face, in m; 0 for what has no thickness.
    pub width: f64,
}

impl<'a, const D: usize> Solid<'a, D> {
    /// A disc, a sphere or a point.
    pub(super) fn ball(centre: &'a SVector<f64, D>, radius: f64) -> Self {
        let corners = std::slice::from_ref(centre);
        Self { corners, faces: &[], edges: &[], disc: None, radius, width: 2.0 * radius }
    }

    /// Whether it is a ball about the centre of mass of its body: what turns into itself.
    pub(super) fn is_centred_ball(&self) -> bool {
        self.is_ball() && self.corners[0].amax() == 0.0
    }

    /// The centre and the radius in m of a ball around it, in the axes of the body.
    pub(super) fn ball_around(&self) -> (SVector<f64, D>, f64) {
        let centre = self.corners.iter().sum::<SVector<f64, D>>() / self.corners.len() as f64;
        (centre, self.span_about(&centre) + self.radius)
    }

    /// Whether it has neither faces nor edges: a disc, a sphere, a point.
    pub fn is_ball(&self) -> bool {
        self.corners.len() == 1
    }

    /// Whether it has no faces: a ball, or a capsule, which has a segment for what its corners span.
    pub fn is_round(&self) -> bool {
        self.faces.is_empty()
    }

    /// Whether no plane side of it, but for caps, ends in a corner: what is round, or a cylinder.
    pub fn is_curved(&self) -> bool {
        self.is_round() || self.disc.is_some()
    }

    /// The radius in m by which it is curved, if it is curved everywhere but on its caps.
    fn curvature(&self) -> f64 {
        self.radius + self.disc.map_or(0.0, |disc| disc.radius)
    }

    /// From one end of what its corners span to the other in m, where that is a segment.
    fn segment(&self) -> Option<SVector<f64, D>> {
        match self.corners {
            [start, end] if self.is_curved() => Some(end - start),
            _ => None,
        }
    }

    /// From one end of an edge to the other, in m.
    pub(super) fn along(&self, edge: &Edge) -> SVector<f64, D> {
        self.corners[edge.ends[1]] - self.corners[edge.ends[0]]
    }

    /// Largest distance of a corner from the centre of mass in m, or of a point of a rim.
    pub fn span(&self) -> f64 {
        self.span_about(&SVector::zeros())
    }

    fn span_about(&self, place: &SVector<f64, D>) -> f64 {
        let squared = |corner: &SVector<f64, D>| {
            let arm = corner - place;
            let of_rim = |disc: Disc<D>| disc.radius * (disc.radius + 2.0 * disc.across(&arm).norm());
            arm.norm_squared() + self.disc.map_or(0.0, of_rim)
        };
        self.corners.iter().map(squared).fold(0.0, f64::max).sqrt()
    }

    /// How far in m a point may leave the tangent of its way while the body turns by this, in rad about its axes. What a
    /// cylinder does about its own axis moves it into itself.
    pub(super) fn bend(&self, turn: &Vector3<f64>) -> f64 {
        let squared = turn.norm_squared();
        let bent = self.disc.map_or(squared, |disc| {
            let own: f64 = disc.axis.iter().zip(turn.iter()).map(|(axis, turn)| axis * turn).sum();
            let across = (squared - own * own).max(0.0);
            squared.min(2.0 * (squared * across).sqrt())
        });
        0.5 * bent * self.span()
    }

    /// Largest distance of a point from the centre of mass in m.
    pub fn reach(&self) -> f64 {
        self.span() + self.radius
    }

    /// The point that is furthest along `direction`, of the corners and the disc about them, and how far along it is.
    pub(super) fn furthest(&self, direction: &SVector<f64, D>) -> (SVector<f64, D>, f64) {
        let along = self.corners.iter().map(|corner| corner.dot(direction)).enumerate();
        let (corner, along) =
            along.fold((0, f64::NEG_INFINITY), |best, own| if own.1 > best.1 { own } else { best });
        let corner = self.corners[corner];
        let Some(disc) = &self.disc else { return (corner, along) };
        let across = disc.across(direction);
        match across.norm() {
            0.0 => (corner, along),
            size => (corner + across * (disc.radius / size), along + disc.radius * size),
        }
    }

    /// The point of the same rim as `point` that lies from the axis the way that `point` did, after the body has turned by
    /// this, seen from it; `None` of what has no rims.
    pub(super) fn kept_on_rim(
        &self,
        point: &SVector<f64, D>,
        turned_back: &SMatrix<f64, D, D>,
    ) -> Option<SVector<f64, D>> {
        let disc = self.disc?;
        let height = |corner: &&SVector<f64, D>| (point - *corner).dot(&disc.axis).abs();
        let corner = self.corners.iter().min_by(|a, b| height(a).total_cmp(&height(b)))?;
        let outward = disc.across(&(turned_back * (point - corner))).try_normalize(0.0)?;
        Some(corner + outward * disc.radius)
    }
}

/// Part of the smaller reach up to which an overlap of parts of one body is rounding.
const FLUSH: f64 = 1e-6;

/// The pairs among solids in the same axes that overlap by more than rounding.
pub(super) fn overlaps<const D: usize>(solids: &[Solid<'_, D>]) -> Vec<[usize; 2]> {
    let still = Placement { position: SVector::zeros(), turn: SMatrix::identity() };
    let seen = seen(&[still, still]);
    let later = |first| (first + 1..solids.len()).map(move |second| [first, second]);
    let overlap = |pair: &[usize; 2]| {
        let both = pair.map(|part| solids[part]);
        let least = both[0].ball_around().1.min(both[1].ball_around().1);
        Pair(both).distance(&seen) < -FLUSH * least
    };
    (0..solids.len()).flat_map(later).filter(overlap).collect()
}

/// The least width in m of what `corners` span, over the directions of its `faces`.
pub(super) fn least_width<const D: usize>(corners: &[SVector<f64, D>], faces: &[HalfSpace<D>]) -> f64 {
    let across = |face: &HalfSpace<D>| {
        let nearest = corners.iter().map(|corner| face.normal.dot(corner)).fold(f64::INFINITY, f64::min);
        face.offset - nearest
    };
    faces.iter().map(across).fold(f64::INFINITY, f64::min)
}

/// Where a body is, in the axes of the world or of another body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement<const D: usize> {
    /// Centre of mass in m.
    pub position: SVector<f64, D>,
    /// From its axes to those in which it is seen.
    pub turn: SMatrix<f64, D, D>,
}

impl<const D: usize> Placement<D> {
    /// The same body in the axes of another one, both in the same axes.
    pub fn seen_from(&self, other: &Self) -> Self {
        Self {
            position: other.turn.tr_mul(&(self.position - other.position)),
            turn: other.turn.tr_mul(&self.turn),
        }
    }
}

/// A unit direction fixed to the first or second body of a pair, out of it, and how far along it the body reaches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axis<const D: usize> {
    /// 0 or 1.
    pub owner: usize,
    /// In the axes of the owner.
    pub normal: SVector<f64, D>,
    /// Of the owner's corners, in m.
    pub support: f64,
}

/// Two solids.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a, const D: usize>(pub [Solid<'a, D>; 2]);

/// Each body of a pair as the other one sees it: the second from the first, the first from the second.
pub(super) type Seen<const D: usize> = [Placement<D>; 2];

/// How two bodies at these places see each other.
pub(super) fn seen<const D: usize>([first, second]: &[Placement<D>; 2]) -> Seen<D> {
    [second.seen_from(first), first.seen_from(second)]
}

impl<const D: usize> Pair<'_, D> {
    /// The sum of the radii in m.
    pub fn radii(&self) -> f64 {
        self.0[0].radius + self.0[1].radius
    }

    /// The reach in m of the smaller of them.
    pub fn reach(&self) -> f64 {
        self.0[0].reach().min(self.0[1].reach())
    }

    /// Whether both are balls.
    pub fn are_balls(&self) -> bool {
        self.0.iter().all(Solid::is_ball)
    }

    /// Whether neither has faces.
    pub fn are_round(&self) -> bool {
        self.0.iter().all(Solid::is_round)
    }

    /// Whether both are curved everywhere but on caps.
    pub fn are_curved(&self) -> bool {
        self.0.iter().all(Solid::is_curved)
    }

    /// The sum of the radii in m by which both are curved.
    pub fn curvatures(&self) -> f64 {
        self.0[0].curvature() + self.0[1].curvature()
    }

    /// Whether one of them is a cylinder.
    pub fn has_disc(&self) -> bool {
        self.0.iter().any(|solid| solid.disc.is_some())
    }

    /// From the centre of the first ball to that of the second, in the axes of the first.
    pub fn between_balls(&self, seen: &Seen<D>) -> SVector<f64, D> {
        seen[0].position + seen[0].turn * self.0[1].corners[0] - self.0[0].corners[0]
    }

    /// The least width of the thinner one in m.
    pub fn width(&self) -> f64 {
        self.0[0].width.min(self.0[1].width)
    }

    /// How far the bodies are apart along an axis in m, negative where they overlap along it. They are apart if any axis
    /// separates them.
    pub fn separation(&self, axis: &Axis<D>, seen: &Seen<D>) -> f64 {
        let other = &seen[axis.owner];
        let back = -other.turn.tr_mul(&axis.normal);
        let (_, nearest) = self.0[1 - axis.owner].furthest(&back);
        axis.normal.dot(&other.position) - nearest - axis.support - self.radii()
    }

    /// The faces of both.
    pub fn faces(&self) -> impl Iterator<Item = Axis<D>> + '_ {
        self.0.iter().enumerate().flat_map(|(owner, solid)| {
            solid.faces.iter().map(move |face| Axis { owner, normal: face.normal, support: face.offset })
        })
    }

    /// Tells of the common normals of two edges, one of each, that support both bodies, until `goes_on` says no: the arcs of
    /// their neighbouring normals cross on the sphere of directions (Gregorius 2013). In the plane there are none.
    pub fn edges(&self, seen: &Seen<D>, mut goes_on: impl FnMut(Axis<D>, [&Edge; 2]) -> bool) {
        let [first, second] = &self.0;
        if D != 3 || first.edges.is_empty() || second.edges.is_empty() {
            return;
        }
        let turn = &seen[0].turn;
        // Most pairs are told by the faces next to the first edge: as many products as faces, not as pairs of edges.
        let (mut few, mut many) = ([0.0; FEW_FACES], Vec::new());
        let over: &mut [f64] = match first.faces.len() {
            count if count <= FEW_FACES => &mut few[..count],
            count => {
                many.resize(count, 0.0);
                &mut many
            }
        };
        for b in second.edges {
            let along_b = turn * second.along(b);
            let [m0, m1] = b.faces.map(|face| turn * second.faces[face].normal);
            for (over, face) in over.iter_mut().zip(first.faces) {
                *over = face.normal.dot(&along_b);
            }
            for a in first.edges {
                let over_a = a.faces.map(|face| over[face]);
                if over_a[0] * over_a[1] >= 0.0 {
                    continue;
                }
                let [n0, n1] = a.faces.map(|face| &first.faces[face].normal);
                let along_a = first.along(a);
                let over_b = [-m0.dot(&along_a), -m1.dot(&along_a)];
                if over_b[0] * over_b[1] >= 0.0 {
                    continue;
                }
                // Where each arc passes through the plane of the other: the same direction, or opposite ones.
                let through_a = n0 * over_a[1].abs() + n1 * over_a[0].abs();
                let through_b = -(m0 * over_b[1].abs() + m1 * over_b[0].abs());
                let across = cross(&along_a, &along_b);
                let size = across.norm();
                if through_a.dot(&through_b) <= 0.0 || size <= PARALLEL * along_a.norm() * along_b.norm() {
                    continue;
                }
                let normal = across * (across.dot(&through_a).signum() / size);
                let axis = Axis { owner: 0, normal, support: normal.dot(&first.corners[a.ends[0]]) };
                if !goes_on(axis, [a, b]) {
                    return;
                }
            }
        }
    }

    /// The common normals of the segment of a capsule and the edges of what has faces, by which these support both.
    pub fn across_segment(&self, seen: &Seen<D>) -> impl Iterator<Item = Axis<D>> + '_ {
        let of_capsule = |end: usize| {
            let along = self.0[end].segment().map(|along| seen[1 - end].turn * along);
            along.into_iter().flat_map(move |along| {
                let (owner, solid) = (1 - end, &self.0[1 - end]);
                let supported = move |edge: &Edge| {
                    let across = cross(&solid.along(edge), &along);
                    let size = across.norm();
                    let [first, second] = edge.faces.map(|face| solid.faces[face].normal);
                    let over = [first.dot(&along), second.dot(&along)];
                    if over[0] * over[1] >= 0.0 || size <= PARALLEL * along.norm() * solid.along(edge).norm()
                    {
                        return None;
                    }
                    let through = first * over[1].abs() + second * over[0].abs();
                    let normal = across * (across.dot(&through).signum() / size);
                    Some(Axis { owner, normal, support: normal.dot(&solid.corners[edge.ends[0]]) })
                };
                solid.edges.iter().filter_map(supported)
            })
        };
        of_capsule(0).chain(of_capsule(1))
    }

    /// The largest separation of all faces and pairs of edges in m: how deep bodies are in each other. What the corners of two
    /// round ones span has no inside: it is as deep as their radii.
    pub fn largest_separation(&self, seen: &Seen<D>) -> f64 {
        if self.are_round() {
            return -self.radii();
        }
        let of_faces = self.faces().chain(self.across_segment(seen)).map(|axis| self.separation(&axis, seen));
        let mut largest = of_faces.fold(f64::NEG_INFINITY, f64::max);
        self.edges(seen, |axis, _| {
            largest = largest.max(self.separation(&axis, seen));
            true
        });
        largest
    }
}

impl<const D: usize> Axis<D> {
    /// Whether it lies along a direction, in the axes of the owner, one way or the other, but for a part of it `across`.
    pub fn is_along(&self, direction: &SVector<f64, D>, across: f64) -> bool {
        (self.normal - direction * self.normal.dot(direction)).norm() <= across
    }
}

/// The cross product in space.
pub(super) fn cross<const D: usize>(a: &SVector<f64, D>, b: &SVector<f64, D>) -> SVector<f64, D> {
    SVector::from_fn(|i, _| {
        let (j, k) = ((i + 1) % D, (i + 2) % D);
        a[j] * b[k] - a[k] * b[j]
    })
}
