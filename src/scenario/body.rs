use nalgebra::{Matrix3, Vector3};

use super::{Part, Shape, part::centre_of};
use crate::{
    model::{Attitude, Orientation, Spin, State, Vector},
    world::{Course, OnCourse, planar, spatial},
};

/// A body at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct Body<const D: usize> {
    /// What files and pictures call it; `body-0`, `body-1` and so on if absent.
    pub name: Option<String>,
    /// Its shape; a point does not turn.
    pub shape: Shape<D>,
    /// Mass in kg, 1e-12 to 1e12.
    pub mass: f64,
    /// Moment of inertia about the centre of mass; that of a uniform body of the shape if absent.
    pub inertia: Option<Inertia>,
    /// Position of the centre of mass in m, the height (for a point at least 0) last.
    pub position: Vector<D>,
    /// How it is turned.
    pub orientation: Orientation,
    /// Velocity of the centre of mass in m/s.
    pub velocity: Vector<D>,
    /// How fast it turns, in rad/s.
    pub spin: Spin,
    /// Whether nothing that acts on it moves it: it stays where it is, or goes as its `motion` says.
    pub fixed: bool,
    /// How it moves where that is given ([`Body::driven`]).
    pub motion: Option<Course<D>>,
}

/// A moment of inertia about the centre of mass in kg m^2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Inertia {
    /// In a vertical plane.
    Plane(f64),
    /// In space: the inertia tensor in the axes of the body.
    Space(Matrix3<f64>),
}

impl Inertia {
    /// About the principal axes, which are those of the body.
    pub fn principal(moments: [f64; 3]) -> Self {
        Self::Space(Matrix3::from_diagonal(&Vector3::from(moments)))
    }
}

impl<const D: usize> Body<D> {
    /// A point of `mass` kg at `position` in m with `velocity` in m/s.
    pub fn point(mass: f64, position: impl Into<Vector<D>>, velocity: impl Into<Vector<D>>) -> Self {
        Self {
            name: None,
            shape: Shape::Point,
            mass,
            inertia: None,
            position: position.into(),
            orientation: Orientation::upright::<D>(),
            velocity: velocity.into(),
            spin: Spin::zeros(),
            fixed: false,
            motion: None,
        }
    }

    /// The body driven on a course, whatever acts on it; a table says how it starts as well.
    #[must_use]
    pub fn driven(self, course: Course<D>) -> Self {
        let start = course.at(0.0);
        let body = Self { fixed: true, motion: Some(course), ..self };
        match start {
            None => body,
            Some(OnCourse { position, velocity, orientation, spin }) if body.shape != Shape::Point => {
                Self { position, velocity, orientation, spin, ..body }
            }
            Some(OnCourse { position, velocity, .. }) => Self { position, velocity, ..body },
        }
    }

    /// Whether it stays where it is.
    pub fn stays(&self) -> bool {
        self.fixed && self.motion.is_none()
    }

    /// The word for what nothing moves that acts on it.
    pub(crate) fn held(&self) -> &'static str {
        if self.motion.is_some() { "driven" } else { "fixed" }
    }

    /// Position and velocity of the centre of mass at the start.
    pub fn state(&self) -> State<D> {
        State { position: self.position, velocity: self.velocity }
    }

    /// How it is turned and how fast it turns at the start.
    pub fn attitude(&self) -> Attitude {
        Attitude { orientation: self.orientation, spin: self.spin }
    }

    /// The shape in space; `None` for a point, and in the plane.
    ///
    /// The corners of a polyhedron, and parts, count from the centre of mass: that of the uniform body, or of the parts as
    /// they weigh, or, where an inertia is given, their origin.
    ///
    /// # Errors
    /// [`spatial::ShapeError`] if the numbers make no shape.
    pub fn solid(&self) -> Option<Result<spatial::Shape, spatial::ShapeError>> {
        self.shape.solid(self.inertia.is_some())
    }

    /// The outline in the plane; `None` for a point, and in space. Parts count from their centre of mass, or, where an
    /// inertia is given, from their origin.
    ///
    /// # Errors
    /// [`planar::ShapeError`] if the numbers make no shape.
    pub fn outline(&self) -> Option<Result<planar::Shape, planar::ShapeError>> {
        self.shape.outline(self.inertia.is_some())
    }

    /// Its parts in its own axes about its centre of mass, the corners of each about its own; none where it is not made of
    /// parts.
    pub fn parts(&self) -> Vec<Part<D>> {
        let Shape::Compound { parts } = &self.shape else { return Vec::new() };
        let centre = match self.inertia {
            Some(_) => Vector::zeros(),
            None => centre_of(parts).unwrap_or_else(Vector::zeros),
        };
        let about = |part: &Part<D>| {
            let own = part.about_own_centre();
            Part { position: own.position - centre, ..own }
        };
        parts.iter().map(about).collect()
    }

    /// Largest distance in m of a point of the body from its centre of mass; 0 for a point, and where the
    /// numbers make no shape.
    pub fn reach(&self) -> f64 {
        let in_plane = self.outline().and_then(Result::ok).map(|shape| shape.reach());
        in_plane.or_else(|| Some(self.solid()?.ok()?.reach())).unwrap_or(0.0)
    }

    /// The moment of inertia that is given, or that of a uniform body of the shape; `None` for a point.
    pub fn moment_of_inertia(&self) -> Option<Inertia> {
        self.inertia.or_else(|| self.shape.uniform_inertia(self.mass))
    }
}

/// The moments of inertia of several bodies, found once: that of a polyhedron takes its hull.
#[derive(Debug, Clone, PartialEq)]
pub struct Moments(Vec<Option<Inertia>>);

impl Moments {
    /// Those of `bodies`; of one that is fixed or a point none.
    pub fn of<const D: usize>(bodies: &[Body<D>]) -> Self {
        Self(bodies.iter().map(|body| body.moment_of_inertia().filter(|_| !body.fixed)).collect())
    }

    /// Energy in J of the rotation of body `body` with an `attitude`.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn energy(&self, body: usize, attitude: &Attitude) -> f64 {
        let spin = &attitude.spin;
        match &self.0[body] {
            None => 0.0,
            Some(Inertia::Plane(moment)) => 0.5 * moment * spin[0].powi(2),
            Some(Inertia::Space(tensor)) => 0.5 * spin.dot(&(tensor * spin)),
        }
    }
}

/// A point of 1 kg at rest in the origin.
impl<const D: usize> Default for Body<D> {
    fn default() -> Self {
        Self::point(1.0, Vector::zeros(), Vector::zeros())
    }
}
