use nalgebra::Vector3;

use super::super::geometry::Point;
use crate::{
    model::{Vector, axis_names},
    scenario::Scenario,
};

/// A direction to look along: which directions of the world run across and up the picture.
///
/// Both are unit vectors at right angles, so that lengths in the picture are lengths in m.
#[derive(Debug, Clone, PartialEq)]
pub struct View<const D: usize> {
    /// What runs to the right.
    pub across: Vector<D>,
    /// What runs upwards.
    pub up: Vector<D>,
    /// What the axes of the picture are called, as markup.
    pub labels: [String; 2],
    /// Whether lengths along the axes of the picture are coordinates of the world, so that numbers at
    /// the axes mean something.
    pub has_coordinates: bool,
}

/// How an oblique view is turned from `x` towards `y`, and how far it looks down, in rad.
const AZIMUTH: f64 = 0.5;
const ELEVATION: f64 = 0.42;

impl<const D: usize> View<D> {
    /// Along two axes of the world, by their numbers: `(0, D - 1)` is the view from the side.
    ///
    /// # Panics
    /// If there is no such axis.
    pub fn along_axes(across: usize, up: usize) -> Self {
        let unit = |axis: usize| Vector::from_fn(|row, _| if row == axis { 1.0 } else { 0.0 });
        let label = |axis: usize| format!("*{}*", axis_names::<D>()[axis]);
        Self { across: unit(across), up: unit(up), labels: [label(across), label(up)], has_coordinates: true }
    }

    /// From the side on a slope of so many degrees, with plumb lines upright: what is downhill lies to
    /// the right.
    fn upright(slope: f64) -> Self {
        let (sin, cos) = slope.to_radians().sin_cos();
        let vector = |first: f64, last: f64| {
            Vector::from_fn(|row, _| match row {
                0 => first,
                row if row + 1 == D => last,
                _ => 0.0,
            })
        };
        let labels = ["horizontal", "vertical"].map(str::to_owned);
        Self { across: vector(cos, sin), up: vector(-sin, cos), labels, has_coordinates: true }
    }

    /// Where a point in m lies in the picture, in m.
    pub fn project(&self, point: &Vector<D>) -> Point {
        [self.across.dot(point), self.up.dot(point)]
    }

    /// How near to the viewer a point is, in m; the same for all in a vertical plane.
    pub(in super::super) fn nearness(&self, point: &Vector<D>) -> f64 {
        self.towards().map_or(0.0, |towards| towards.dot(&Vector3::new(point[0], point[1], point[D - 1])))
    }

    /// The direction towards the viewer; in a vertical plane there is none.
    pub(super) fn towards(&self) -> Option<Vector3<f64>> {
        let vector = |v: &Vector<D>| (D == 3).then(|| Vector3::new(v[0], v[1], v[2]));
        Some(vector(&self.across)?.cross(&vector(&self.up)?))
    }

    /// A half-space `n.x >= offset` as a half-plane of the picture: its normal there; `None` where the
    /// view does not see it edge-on.
    pub(super) fn edge_on(&self, normal: &Vector<D>) -> Option<Point> {
        let seen = self.project(normal);
        (seen[0].hypot(seen[1]) > 1.0 - 1e-9).then_some(seen)
    }
}

impl<const D: usize> View<D> {
    /// In space from the front, a little to the side and from above; in a vertical plane from the side.
    pub fn oblique() -> Self {
        if D < 3 {
            return Self::along_axes(0, D - 1);
        }
        let ((sin, cos), (down, level)) = (AZIMUTH.sin_cos(), ELEVATION.sin_cos());
        Self {
            across: Vector::from_fn(|row, _| [cos, sin, 0.0][row]),
            up: Vector::from_fn(|row, _| [-down * sin, down * cos, level][row]),
            labels: [String::new(), String::new()],
            has_coordinates: false,
        }
    }

    /// Whether the height of a thing shows.
    pub(in super::super) fn shows_height(&self) -> bool {
        self.up[D - 1] > 0.0
    }
}

/// The views of a picture of `scenario`: from the side, and over a plane also from above. Points on a slope
/// are seen along it; bodies as they stand, and in space obliquely.
pub(in super::super) fn views<const D: usize>(scenario: &Scenario<D>) -> Vec<View<D>> {
    let slope = scenario.ground.slope;
    let turns = scenario.has_turning_bodies();
    let mut side = match slope {
        _ if turns && D > 2 => View::oblique(),
        0.0 => View::along_axes(0, D - 1),
        _ if turns => View::upright(slope),
        _ => View::along_axes(0, D - 1),
    };
    let mut above = View::along_axes(0, if D > 2 { 1 } else { 0 });
    if slope != 0.0 && !turns {
        side.labels = ["*x* along the slope", "*z* off the slope"].map(str::to_owned);
        above.labels[0].clone_from(&side.labels[0]);
    }
    if D > 2 { vec![side, above] } else { vec![side] }
}
