use super::{Ground, Particle, Push, Scenario, StepperSettings, TimeGrid};
use crate::model::{State, Vector};

/// Several points over one ground, joined by rods and springs, piled on one another.
///
/// `D` is 2 for motion in a vertical plane and 3 over a plane, as in [`Scenario`]. Particles are
/// numbered from 0 in the order in which they are given.
#[derive(Debug, Clone, PartialEq)]
pub struct ParticleSystem<const D: usize> {
    /// Name, `[a-z0-9-]+`; names the output folder.
    pub name: String,
    /// Simulated time in s.
    pub duration: f64,
    /// Length of a step in s; the number of steps is `round(duration/step)`, at least 1.
    pub step: f64,
    /// Gravitational acceleration `g` in m/s^2, at least 0.
    pub gravity: f64,
    /// The moving points, at least one.
    pub particles: Vec<Particle<D>>,
    /// The ground under them.
    pub ground: Ground,
    /// External forces; they add up.
    pub pushes: Vec<SystemPush<D>>,
    /// Pairs of particles kept at a distance.
    pub rods: Vec<Rod>,
    /// Springs between particles.
    pub springs: Vec<Spring>,
    /// Pairs of particles that cannot pass each other.
    pub contacts: Vec<PairContact>,
    /// Settings of the stepper families.
    pub steppers: StepperSettings,
}

/// An external force on one particle, or on each of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SystemPush<const D: usize> {
    /// The force and its window of time.
    pub push: Push<D>,
    /// On which particle; on every one if absent.
    pub particle: Option<usize>,
}

/// A massless rod: its two particles keep their distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rod {
    /// The particles at its ends.
    pub particles: [usize; 2],
    /// Length in m; the distance at the start if absent.
    pub length: Option<f64>,
}

/// A linear spring with a damper in parallel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// The particles at its ends.
    pub particles: [usize; 2],
    /// Stiffness in N/m, at least 0.
    pub stiffness: f64,
    /// Damping in N s/m, at least 0.
    pub damping: f64,
    /// Length at rest in m; the distance at the start if absent.
    pub length: Option<f64>,
}

/// Contact of two particles: they push each other apart, with friction, when they come closer than
/// a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairContact {
    /// The particles.
    pub particles: [usize; 2],
    /// Distance of the particles at which they touch, in m; the sum of their radii, if they are beads.
    pub distance: f64,
    /// Friction coefficient; that of the ground if absent.
    pub friction: Option<f64>,
}

impl<const D: usize> ParticleSystem<D> {
    /// A system to fill in, without particles; other values as in [`Scenario::new`].
    pub fn new(name: impl Into<String>) -> Self {
        let Scenario { name, duration, step, gravity, ground, steppers, .. } = Scenario::<D>::new(name);
        Self {
            name,
            duration,
            step,
            gravity,
            particles: Vec::new(),
            ground,
            pushes: Vec::new(),
            rods: Vec::new(),
            springs: Vec::new(),
            contacts: Vec::new(),
            steppers,
        }
    }

    /// The time grid `t_k = k dt`.
    pub fn time(&self) -> TimeGrid {
        TimeGrid::new(self.duration, self.step)
    }

    /// States of all particles at `t = 0`.
    pub fn initial_states(&self) -> Vec<State<D>> {
        let state =
            |particle: &Particle<D>| State { position: particle.position, velocity: particle.velocity };
        self.particles.iter().map(state).collect()
    }

    /// Gravity in ground coordinates in m/s^2.
    pub fn gravity(&self) -> Vector<D> {
        self.ground.gravity(self.gravity)
    }

    /// The push on every particle in N in the step that starts at `t_k = k dt`.
    pub fn pushes_at(&self, k: usize, pushes: &mut [Vector<D>]) {
        pushes.fill(Vector::zeros());
        for SystemPush { push, particle } in &self.pushes {
            let force = push.at_step(k, self.step);
            match particle {
                Some(particle) => pushes[*particle] += force,
                None => pushes.iter_mut().for_each(|push| *push += force),
            }
        }
    }

    /// Distance of two particles at `t = 0` in m.
    pub fn initial_distance(&self, particles: [usize; 2]) -> f64 {
        let [first, second] = particles.map(|particle| self.particles[particle].position);
        (first - second).norm()
    }

    /// Particle `index` as if it were alone: what its trajectory is shown and measured with.
    pub fn alone(&self, index: usize) -> Scenario<D> {
        let acts = |push: &&SystemPush<D>| push.particle.is_none_or(|particle| particle == index);
        Scenario {
            name: self.name.clone(),
            duration: self.duration,
            step: self.step,
            gravity: self.gravity,
            particle: self.particles[index],
            ground: self.ground,
            pushes: self.pushes.iter().filter(acts).map(|push| push.push).collect(),
            steppers: self.steppers,
        }
    }
}
