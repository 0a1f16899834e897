//! The accelerations of bodies at an instant, under the forces of what holds there.

use nalgebra::{DMatrix, DVector, SVector};

use super::linearisation::{Laws, Linearisation, Terms, add};
use crate::{
    contact::{self, LinearLaw, Link, LinkLaw, friction_cone::tangential_part, slight_velocity},
    world::{DifferentiableWorld, Motion},
};

/// Part of the largest acceleration that counts as none.
const NEGLIGIBLE: f64 = 1e-6;

/// How often a contact may open, close, stick or slip on the way to forces that fit, per contact.
const CHANGES_PER_CONTACT: usize = 8;

/// What a contact does at an instant at which it touches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Hold<const D: usize> {
    /// It is about to part.
    Open,
    /// Friction holds it.
    Stick,
    /// It slides, or begins to, along this unit vector; along none without friction.
    Slip(SVector<f64, D>),
}

/// The bodies at an instant.
pub(super) struct Instant<'a, const N: usize> {
    /// Their velocities.
    pub velocities: &'a [SVector<f64, N>],
    /// The contacts that touch and neither part nor hit.
    pub touching: Vec<usize>,
    /// Those of them whose slip is over.
    pub stopped: Vec<usize>,
    /// Whether slip that ends within the step counts as none: what sticks may be left with some where bodies turn.
    pub ends_slip: bool,
}

/// Why there are none in a scene with friction in groups.
pub(super) const NO_ACCELERATIONS: &str = "friction resists drilling or rolling, or differs across an axis, and how things \
                                           accelerate by that at an instant within the step is not followed";

/// What accelerates at an instant.
pub(super) struct Accelerations<const D: usize> {
    /// Of the bodies, stacked.
    pub of_bodies: DVector<f64>,
    /// Of the surfaces to each other, `D` rows per contact.
    pub relative: DVector<f64>,
    /// Per contact.
    pub holds: Vec<Hold<D>>,
}

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// Accelerations at the poses of the step, stacked:
    ///
    /// ```text
    /// a = a_f + M^-1 (J' f + L' l),   0 <= f_n  |  J_n a + (J_n)' v >= 0,   L a + L' v = 0
    /// ```
    ///
    /// with a friction against the slip where there is some, and against that which begins where it does not hold.
    ///
    /// # Errors
    /// Why they are not known: the contacts leave open which of them hold.
    pub fn accelerations(&self, links: &[LinkLaw], at: &Instant<'_, N>) -> Result<Accelerations<D>, String> {
        let problem = &self.problem.contact;
        if problem.links.iter().any(Link::is_bounded) {
            return Err(
                "a joint rubs or has a motor with a limit, whose force may turn within the step".to_owned()
            );
        }
        if !problem.groups.is_empty() {
            return Err(NO_ACCELERATIONS.to_owned());
        }
        let rows = self.rows();
        let mut base = DMatrix::zeros(self.n, 1);
        for (body, acceleration) in self.free_accelerations(at.velocities).iter().enumerate() {
            add(&mut base, body, 0, acceleration);
        }
        let drift = self.drift(links, at.velocities);
        let slip =
            |index: usize| tangential_part(&self.problem.touches[index].relative_velocity(at.velocities));
        let slight = slight_velocity(problem);
        let first: Vec<Hold<D>> = (0..problem.contacts.len())
            .map(|index| match (slip(index), slip(index).norm()) {
                _ if !at.touching.contains(&index) => Hold::Open,
                _ if problem.contacts[index].friction == 0.0 => Hold::Slip(SVector::zeros()),
                (_, speed) if speed <= slight || at.stopped.contains(&index) => Hold::Stick,
                (slip, speed) => Hold::Slip(slip / speed),
            })
            .collect();
        let mut holds = first.clone();
        for _ in 0..=CHANGES_PER_CONTACT * at.touching.len() {
            let law = |(index, hold): (usize, &Hold<D>)| self.law_of(index, *hold, slip(index).norm());
            let laws: Vec<LinearLaw<D>> = holds.iter().enumerate().map(law).collect();
            let laws = Laws { contacts: &laws, links, grouped: &[] };
            let terms = Terms { base: base.clone(), drift: drift.clone(), direct: DMatrix::zeros(rows, 1) };
            let answer = self.solve(laws, terms);
            let force = |index: usize| answer.impulses.fixed_view::<D, 1>(D * index, 0).into_owned();
            let acceleration = |index: usize| answer.relative.fixed_view::<D, 1>(D * index, 0).into_owned();
            let largest = at.touching.iter().map(|&index| {
                let weight = problem.mean_response(&problem.contacts[index]);
                acceleration(index).amax().max(weight * force(index).amax())
            });
            let none = NEGLIGIBLE * largest.fold(0.0, f64::max);
            // What fits least changes first.
            let mut worst = (none, None);
            let mut see = |misfit: f64, index: usize, hold: Hold<D>| {
                if misfit > worst.0 {
                    worst = (misfit, Some((index, hold)));
                }
            };
            for &index in &at.touching {
                let contact = &problem.contacts[index];
                let weight = problem.mean_response(contact);
                let (f, a) = (force(index), acceleration(index));
                let (friction, gained) = (tangential_part(&f), tangential_part(&a));
                if holds[index] != Hold::Open {
                    see(-weight * f[0], index, Hold::Open);
                }
                match holds[index] {
                    Hold::Open => see(-a[0], index, first[index]),
                    Hold::Stick => {
                        let size = friction.norm();
                        let along = if size > 0.0 { -friction / size } else { friction };
                        let friction = self.coefficient(index, contact::Hold::Static);
                        see(weight * (size - friction * f[0]), index, Hold::Slip(along));
                    }
                    Hold::Slip(along) if first[index] != Hold::Stick => {
                        let left = slip(index).dot(&along) / problem.time_step + gained.dot(&along);
                        if at.ends_slip {
                            see(-left, index, Hold::Stick);
                        }
                    }
                    Hold::Slip(along) => {
                        see(-gained.dot(&along), index, Hold::Stick);
                        let size = gained.norm();
                        if gained.dot(&along) > 0.0 {
                            see((gained - along * size).norm(), index, Hold::Slip(gained / size));
                        }
                    }
                }
            }
            match worst.1 {
                None => {
                    return Ok(Accelerations {
                        of_bodies: answer.velocity.column(0).into_owned(),
                        relative: answer.relative.column(0).into_owned(),
                        holds,
                    });
                }
                Some((index, hold)) => holds[index] = hold,
            }
        }
        Err("the forces leave open which contacts hold at an impact, or where slip turns around".to_owned())
    }

    /// That of the forces at a contact that slips at `speed` m/s: without the impulses of the step, with which slip would turn.
    fn law_of(&self, index: usize, hold: Hold<D>, speed: f64) -> LinearLaw<D> {
        let problem = &self.problem.contact;
        let contact = &problem.contacts[index];
        let weight = problem.mean_response(contact);
        let along = match hold {
            Hold::Open => return LinearLaw::open(),
            Hold::Stick => SVector::zeros(),
            Hold::Slip(along) => along,
        };
        let friction = self.coefficient(index, contact::Hold::Kinetic(speed));
        LinearLaw::pressed(friction, (&SVector::zeros(), &along), weight, 0.0)
    }

    /// Per body, those under gravity and pushes, and of a body in space under its own spin.
    fn free_accelerations(&self, velocities: &[SVector<f64, N>]) -> Vec<SVector<f64, N>> {
        let problem = &self.problem.contact;
        let (dt, start) = (problem.time_step, &self.taken.motion.velocities);
        let unpushed = |velocities: &[SVector<f64, N>]| {
            let motion = Motion { poses: self.taken.motion.poses.clone(), velocities: velocities.to_vec() };
            let (forces, mut free) = (vec![SVector::zeros(); velocities.len()], Vec::new());
            self.taken.world.free_velocity(&motion, &forces, dt, &mut free);
            free
        };
        let (here, there) = (unpushed(start), unpushed(velocities));
        (0..start.len())
            .map(|body| {
                let pushed = problem.free_velocity[body] - here[body];
                // A body that turns by itself is left with another spin than the mean one that turned it.
                let turned =
                    self.taken.world.carried(body, &velocities[body], &there[body], &there[body], dt);
                (pushed + turned - velocities[body]) / dt
            })
            .collect()
    }

    /// What the relative accelerations are without those of the bodies, `J' v`: those of a corner that turns about the
    /// middle of its body. A spring goes on to pull as it does.
    fn drift(&self, links: &[LinkLaw], velocities: &[SVector<f64, N>]) -> DMatrix<f64> {
        let problem = &self.problem.contact;
        let contacts = problem.contacts.len();
        let mut drift = DMatrix::zeros(self.rows(), 1);
        for (index, contact) in problem.contacts.iter().enumerate() {
            // Those of the way change with velocities and inputs as well, which do not go on to.
            for change in self.geometry.touches[index].iter().filter(|change| change.column < self.n) {
                let speed = velocities[change.column / N][change.column % N];
                for (body, jacobian) in contact.bodies.iter().zip(&change.jacobian) {
                    let Some(body) = *body else { continue };
                    let moves = jacobian * velocities[body] * speed;
                    for i in 0..D {
                        drift[(D * index + i, 0)] += moves[i];
                    }
                }
            }
        }
        for (index, (link, law)) in problem.links.iter().zip(links).enumerate() {
            let row = D * contacts + index;
            for (moved, rates) in &self.geometry.links[index] {
                for (body, rows) in link.bodies.iter().zip(&rates.rows) {
                    let Some(body) = *body else { continue };
                    drift[(row, 0)] += velocities[body].dot(&(rows * velocities[*moved]));
                }
            }
            if law.compliance > 0.0 {
                let stretched = link
                    .bodies
                    .iter()
                    .zip(&link.jacobian)
                    .filter_map(|(body, row)| body.map(|body| row.dot(&velocities[body])));
                drift[(row, 0)] += (stretched.sum::<f64>() + law.bias * link.bias) / problem.time_step;
            }
        }
        drift
    }
}
