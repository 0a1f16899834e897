use super::Scenario;
use crate::model::{Attitude, State, Vector};

/// What a rod or a spring joins: a point of one body with a point of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ends<const D: usize> {
    /// The bodies.
    pub bodies: [usize; 2],
    /// The points in m, in the axes of the bodies about their centres of mass.
    pub points: [Vector<D>; 2],
}

impl<const D: usize> Ends<D> {
    /// The centres of mass of two bodies.
    pub fn centres(bodies: [usize; 2]) -> Self {
        Self { bodies, points: [Vector::<D>::zeros(); 2] }
    }

    /// Where they are in m, with the bodies in these states; the `attitudes` are empty where all bodies are
    /// points.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn places(&self, states: &[State<D>], attitudes: &[Attitude]) -> [Vector<D>; 2] {
        let place = |(body, point): (usize, &Vector<D>)| {
            let arm = attitudes.get(body).map_or(*point, |attitude| attitude.orientation.turn(point));
            states[body].position + arm
        };
        let [first, second] = self.bodies;
        [(first, &self.points[0]), (second, &self.points[1])].map(place)
    }

    /// How far apart they are in m, with the bodies like that.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn distance(&self, states: &[State<D>], attitudes: &[Attitude]) -> f64 {
        let [first, second] = self.places(states, attitudes);
        (first - second).norm()
    }
}

/// A massless rod: two points keep their distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rod<const D: usize> {
    /// What it joins.
    pub ends: Ends<D>,
    /// Length in m; the distance at the start if absent.
    pub length: Option<f64>,
}

impl<const D: usize> Rod<D> {
    /// A rod as long as its ends are apart at the start.
    pub fn between(ends: Ends<D>) -> Self {
        Self { ends, length: None }
    }

    /// Its length in m, as a part of `scenario`.
    pub fn length_in(&self, scenario: &Scenario<D>) -> f64 {
        self.length.unwrap_or_else(|| scenario.initial_distance(&self.ends))
    }
}

/// A linear spring with a damper in parallel, between two points of bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring<const D: usize> {
    /// What it joins.
    pub ends: Ends<D>,
    /// Stiffness in N/m, at least 0.
    pub stiffness: f64,
    /// Damping in N s/m, at least 0.
    pub damping: f64,
    /// Length at rest in m; the distance at the start if absent.
    pub length: Option<f64>,
}

impl<const D: usize> Spring<D> {
    /// A spring of a stiffness in N/m without a damper, at rest where its ends are at the start.
    pub fn between(ends: Ends<D>, stiffness: f64) -> Self {
        Self { ends, stiffness, damping: 0.0, length: None }
    }

    /// Its length at rest in m, as a part of `scenario`.
    pub fn length_in(&self, scenario: &Scenario<D>) -> f64 {
        self.length.unwrap_or_else(|| scenario.initial_distance(&self.ends))
    }

    /// The energy in J that it holds when its ends are `distance` m apart.
    pub fn energy(&self, scenario: &Scenario<D>, distance: f64) -> f64 {
        0.5 * self.stiffness * (distance - self.length_in(scenario)).powi(2)
    }
}

/// Contact of two points: they push each other apart, with friction, when they come closer than
/// a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairContact {
    /// The points: bodies without a shape.
    pub bodies: [usize; 2],
    /// Distance of the points at which they touch, in m; the sum of their radii, if they are beads.
    pub distance: f64,
    /// Friction coefficient; what holds between the two otherwise if absent.
    pub friction: Option<f64>,
}

impl PairContact {
    /// Of two points that touch at a distance in m, with the friction that holds between them otherwise.
    pub fn between(bodies: [usize; 2], distance: f64) -> Self {
        Self { bodies, distance, friction: None }
    }
}
