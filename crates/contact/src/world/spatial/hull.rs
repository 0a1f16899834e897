//! The convex hull of points, face by face: the plane of a face is turned about each of its sides until
//! it meets the next points (gift wrapping; Chand and Kapur 1970). Corners of one plane make one face.

use std::collections::{HashMap, VecDeque};

use nalgebra::Vector3;

use super::{Face, ShapeError};

/// Distance from a plane up to which a point counts as on it, in units of the extent of the points.
const COPLANAR: f64 = 1e-7;

/// The faces of the convex hull, their corners as indices of `points`.
pub(super) fn convex_hull(points: &[Vector3<f64>]) -> Result<Vec<Face>, ShapeError> {
    let extent = extent(points);
    let wrapping = Wrapping { points, tolerance: COPLANAR * extent };
    let mut faces = vec![wrapping.first_face(extent)?];
    let mut sides: HashMap<(usize, usize), usize> = HashMap::new();
    let mut open: VecDeque<usize> = VecDeque::from([0]);
    wrapping.enter(&faces, 0, &mut sides)?;
    while let Some(index) = open.pop_front() {
        let (count, normal) = (faces[index].corners.len(), faces[index].normal);
        for i in 0..count {
            let (a, b) = (faces[index].corners[i], faces[index].corners[(i + 1) % count]);
            if sides.contains_key(&(b, a)) {
                continue;
            }
            let along = (points[b] - points[a]).normalize();
            let next = wrapping
                .turn(&points[a], &along, &normal)
                .and_then(|turned| wrapping.face(&points[a], &turned));
            let face = next.filter(|face| face.has_side(b, a)).ok_or(ShapeError::NearlyFlat)?;
            faces.push(face);
            // A polyhedron has at most two faces for each of its corners.
            if faces.len() > 2 * points.len() {
                return Err(ShapeError::NearlyFlat);
            }
            wrapping.enter(&faces, faces.len() - 1, &mut sides)?;
            open.push_back(faces.len() - 1);
        }
    }
    Ok(faces)
}

/// The largest distance of the points from the first.
fn extent(points: &[Vector3<f64>]) -> f64 {
    points.iter().map(|point| (point - points[0]).norm()).fold(0.0, f64::max)
}

struct Wrapping<'a> {
    points: &'a [Vector3<f64>],
    tolerance: f64,
}

impl Wrapping<'_> {
    /// A face: a level plane under the lowest point is turned twice.
    fn first_face(&self, extent: f64) -> Result<Face, ShapeError> {
        if !spans_space(self.points, extent) {
            return Err(ShapeError::Flat { corners: self.points.len() });
        }
        let lowest = self.points.iter().min_by(|a, b| a.z.total_cmp(&b.z)).ok_or(ShapeError::NearlyFlat)?;
        let level = -Vector3::z();
        let tilted = self.turn(lowest, &Vector3::x(), &level).ok_or(ShapeError::NearlyFlat)?;
        // Turned about the line to the furthest of the points that were met.
        let met = self.points.iter().filter(|point| self.is_on(point, lowest, &tilted));
        let furthest = met.max_by(|a, b| (*a - lowest).norm().total_cmp(&(*b - lowest).norm()));
        let along = furthest.map(|point| point - lowest).filter(|line| line.norm() > self.tolerance);
        let along = along.ok_or(ShapeError::NearlyFlat)?.normalize();
        let sides = [along, -along].into_iter();
        let turned = sides.filter_map(|along| self.turn(lowest, &along, &tilted));
        let face = turned.filter_map(|normal| self.face(lowest, &normal)).next();
        face.ok_or(ShapeError::NearlyFlat)
    }

    fn is_on(&self, point: &Vector3<f64>, origin: &Vector3<f64>, normal: &Vector3<f64>) -> bool {
        normal.dot(&(point - origin)).abs() <= self.tolerance
    }

    /// The normal of the plane that comes from the supporting plane of the outward `normal` by turning it
    /// about a line, away from the side that lies to the left of `along`, to the first point.
    fn turn(
        &self,
        origin: &Vector3<f64>,
        along: &Vector3<f64>,
        normal: &Vector3<f64>,
    ) -> Option<Vector3<f64>> {
        let outward = along.cross(normal);
        let angle = |point: &Vector3<f64>| {
            let arm = point - origin;
            let (ahead, below) = (outward.dot(&arm), -normal.dot(&arm));
            // No point is above the plane, but for rounding; a negative zero would be half a turn off.
            let below = if below > 0.0 { below } else { 0.0 };
            // A point on the line tells nothing.
            (ahead.hypot(below) > self.tolerance).then(|| below.atan2(ahead))
        };
        // Points of the plane itself, behind the line, are met last.
        let least = self.points.iter().filter_map(angle).min_by(f64::total_cmp)?;
        let (sin, cos) = least.sin_cos();
        Some(normal * cos + outward * sin)
    }

    /// The face in a supporting plane: the convex polygon of the points on it, counter-clockwise from
    /// outside. `None` where these are on a line, or other points lie outside of it.
    fn face(&self, origin: &Vector3<f64>, normal: &Vector3<f64>) -> Option<Face> {
        let on_plane = (0..self.points.len()).filter(|&i| self.is_on(&self.points[i], origin, normal));
        let first = normal.cross(&Vector3::ith(normal.iamin(), 1.0)).normalize();
        let second = normal.cross(&first);
        let place = |i: usize| (first.dot(&self.points[i]), second.dot(&self.points[i]), i);
        let corners = convex_polygon(on_plane.map(place).collect(), self.tolerance);
        if corners.len() < 3 {
            return None;
        }
        let normal = newell(&corners, self.points);
        let outside =
            |point: &Vector3<f64>| normal.dot(&(point - self.points[corners[0]])) > 4.0 * self.tolerance;
        (!self.points.iter().any(outside)).then_some(Face { corners, normal })
    }

    /// Notes the sides of a face; each may belong to one face in this direction.
    fn enter(
        &self,
        faces: &[Face],
        index: usize,
        sides: &mut HashMap<(usize, usize), usize>,
    ) -> Result<(), ShapeError> {
        let corners = &faces[index].corners;
        for i in 0..corners.len() {
            if sides.insert((corners[i], corners[(i + 1) % corners.len()]), index).is_some() {
                return Err(ShapeError::NearlyFlat);
            }
        }
        Ok(())
    }
}

impl Face {
    fn has_side(&self, start: usize, end: usize) -> bool {
        let n = self.corners.len();
        (0..n).any(|i| (self.corners[i], self.corners[(i + 1) % n]) == (start, end))
    }
}

/// Whether points are not all in one plane, to within what faces are told apart by.
fn spans_space(points: &[Vector3<f64>], extent: f64) -> bool {
    let arms = || points.iter().map(|point| point - points[0]);
    let by_length = |a: &Vector3<f64>, b: &Vector3<f64>| a.norm().total_cmp(&b.norm());
    let longest = arms().max_by(by_length).unwrap_or_default();
    let widest = arms().map(|arm| longest.cross(&arm)).max_by(by_length).unwrap_or_default();
    let Some(normal) = widest.try_normalize(COPLANAR * extent * extent) else { return false };
    arms().any(|arm| normal.dot(&arm).abs() > 10.0 * COPLANAR * extent)
}

/// The corners of the convex polygon around points `(x, y, index)`, counter-clockwise, without those on
/// its sides (Andrew's monotone chain).
fn convex_polygon(mut points: Vec<(f64, f64, usize)>, tolerance: f64) -> Vec<usize> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.dedup_by(|a, b| (a.0 - b.0).hypot(a.1 - b.1) <= tolerance);
    if points.len() < 3 {
        return points.iter().map(|point| point.2).collect();
    }
    let chain = |points: &mut dyn Iterator<Item = &(f64, f64, usize)>| {
        let mut chain: Vec<(f64, f64, usize)> = Vec::new();
        for &point in points {
            while let [.., a, b] = chain.as_slice() {
                let (along, next) = ((b.0 - a.0, b.1 - a.1), (point.0 - a.0, point.1 - a.1));
                let height = along.0 * next.1 - along.1 * next.0;
                if height > tolerance * next.0.hypot(next.1) {
                    break;
                }
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut lower = chain(&mut points.iter());
    lower.extend(chain(&mut points.iter().rev()));
    lower.iter().map(|point| point.2).collect()
}

/// The unit normal of a polygon (Newell's formula).
fn newell(corners: &[usize], points: &[Vector3<f64>]) -> Vector3<f64> {
    let origin = points[corners[0]];
    let arms = corners[1..].windows(2).map(|pair| (points[pair[0]] - origin, points[pair[1]] - origin));
    arms.map(|(a, b)| a.cross(&b)).sum::<Vector3<f64>>().normalize()
}
