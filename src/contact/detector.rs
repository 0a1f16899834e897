//! Whether a step in the plane has several solutions, one, or none.

use nalgebra::{DMatrix, DVector, SVector};

use super::ContactProblem;

/// Contacts up to which every combination of modes is tried: `4^m` linear systems.
pub const MOST_CONTACTS: usize = 4;

/// Part of the unit of velocities or impulses by which a mode may miss its conditions.
const TOLERANCE: f64 = 1e-7;

/// Singular values below this part of the largest one are zero.
const RANK: f64 = 1e-10;

/// Difference of velocities, in their unit, from which solutions are two.
const DISTINCT: f64 = 1e-5;

/// What a contact does over a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// It carries no impulse.
    Open,
    /// It neither opens nor slides.
    Stick,
    /// It slides along its tangent.
    SlideForward,
    /// It slides against its tangent.
    SlideBackward,
}

impl Mode {
    const ALL: [Self; 4] = [Self::Open, Self::Stick, Self::SlideForward, Self::SlideBackward];

    /// The word for reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Stick => "stick",
            Self::SlideForward => "slide +",
            Self::SlideBackward => "slide -",
        }
    }
}

/// One solution of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative<const N: usize> {
    /// What each contact does. Where several combinations lead to one motion, the first found.
    pub modes: Vec<Mode>,
    /// Impulses (normal, tangential); those of smallest norm where the motion does not determine them.
    pub impulses: Vec<SVector<f64, 2>>,
    /// Velocities of the bodies.
    pub velocity: Vec<SVector<f64, N>>,
    /// Whether another combination leads to the same motion by other impulses: forces that the motion does not
    /// determine.
    pub impulses_are_indeterminate: bool,
}

/// All solutions of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Detection<const N: usize> {
    /// The solutions that differ in their motion.
    pub alternatives: Vec<Alternative<N>>,
    /// Whether the rows of all contacts depend on each other, so that different impulses could lead to the same
    /// motion if their signs and cones allowed it; for whether they do, see
    /// [`Alternative::impulses_are_indeterminate`].
    pub forces_are_indeterminate: bool,
}

/// The problem has too many contacts to try all combinations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the step has {contacts} contacts; solutions are counted up to {MOST_CONTACTS}")]
pub struct TooManyContacts {
    /// How many it has.
    pub contacts: usize,
}

/// Finds every solution of a step by trying all combinations of modes: each one is a linear system, solved
/// in the sense of least squares, and a solution where residual, signs and friction cones are right.
///
/// # Errors
/// [`TooManyContacts`] beyond [`MOST_CONTACTS`].
pub fn detect<const N: usize>(problem: &ContactProblem<2, N>) -> Result<Detection<N>, TooManyContacts> {
    let contacts = problem.contacts.len();
    if contacts > MOST_CONTACTS {
        return Err(TooManyContacts { contacts });
    }
    let system = System::new(problem);
    let mut detection =
        Detection { alternatives: Vec::new(), forces_are_indeterminate: system.is_rank_deficient() };
    let mut rays = Vec::new();
    for combination in 0..4_usize.pow(contacts as u32) {
        let modes: Vec<Mode> =
            (0..contacts).map(|contact| Mode::ALL[combination / 4_usize.pow(contact as u32) % 4]).collect();
        if detection.forces_are_indeterminate {
            rays.extend(system.ray(&modes));
        }
        let Some(scaled) = system.solve(&modes) else { continue };
        let alternative = system.alternative(problem, modes, &scaled);
        let known = detection.alternatives.iter_mut().find(|other| {
            let pairs = other.velocity.iter().zip(&alternative.velocity);
            pairs.map(|(a, b)| (a - b).amax()).fold(0.0, f64::max) <= DISTINCT * system.velocity_unit
        });
        match known {
            Some(known) => {
                known.impulses_are_indeterminate |=
                    system.are_distinct(&known.impulses, &alternative.impulses);
            }
            None => detection.alternatives.push(alternative),
        }
    }
    for alternative in &mut detection.alternatives {
        let u = system.relative_velocities(&alternative.impulses);
        let takes = |ray: &DVector<f64>| system.fits(ray, &u);
        alternative.impulses_are_indeterminate |= rays.iter().any(takes);
    }
    Ok(detection)
}

/// `u = W r + q` in units in which `W` has a mean diagonal of 1 and the largest `q` is 1.
struct System {
    w: DMatrix<f64>,
    q: DVector<f64>,
    friction: Vec<f64>,
    /// Impulses in N s per scaled impulse, per contact.
    impulse_units: Vec<f64>,
    /// Largest velocity, m/s.
    velocity_unit: f64,
}

impl System {
    fn new<const N: usize>(problem: &ContactProblem<2, N>) -> Self {
        let dense = problem.delassus();
        let scale: Vec<f64> = (0..dense.contacts()).map(|i| dense.weight(i).sqrt().recip()).collect();
        let scaled_q = DVector::from_fn(dense.q.len(), |i, _| dense.q[i] * scale[i / 2]);
        let unit = if scaled_q.amax() > 0.0 { scaled_q.amax() } else { 1.0 };
        let velocity = problem.free_velocity.iter().map(|v| v.amax()).fold(0.0, f64::max);
        Self {
            w: DMatrix::from_fn(scaled_q.len(), scaled_q.len(), |i, j| {
                dense.w[(i, j)] * scale[i / 2] * scale[j / 2]
            }),
            q: scaled_q / unit,
            friction: dense.friction.clone(),
            impulse_units: scale.iter().map(|scale| scale * unit).collect(),
            velocity_unit: if velocity > 0.0 { velocity } else { 1.0 },
        }
    }

    fn is_rank_deficient(&self) -> bool {
        !self.q.is_empty() && self.w.rank(RANK * self.w.amax()) < self.q.len()
    }

    /// Whether impulses differ by more than rounding.
    fn are_distinct(&self, a: &[SVector<f64, 2>], b: &[SVector<f64, 2>]) -> bool {
        let scaled = |r: &SVector<f64, 2>, unit: &f64| r / *unit;
        let largest = a.iter().zip(&self.impulse_units).map(|(r, unit)| scaled(r, unit).amax());
        let largest = largest.fold(1.0, f64::max);
        let pairs = a.iter().zip(b).zip(&self.impulse_units);
        pairs.map(|((a, b), unit)| scaled(&(a - b), unit).amax()).fold(0.0, f64::max) > DISTINCT * largest
    }

    /// The scaled relative velocities that impulses lead to.
    fn relative_velocities(&self, impulses: &[SVector<f64, 2>]) -> DVector<f64> {
        let scaled =
            DVector::from_fn(self.q.len(), |i, _| impulses[i / 2][i % 2] / self.impulse_units[i / 2]);
        &self.w * scaled + &self.q
    }

    /// Impulses of a combination of modes that move nothing, of size 1, if they are unique and within the cones:
    /// bodies may be squeezed by any multiple of them. Every set of solutions without end has such a direction, and
    /// every bounded one has corners, each the only solution of its combination.
    fn ray(&self, modes: &[Mode]) -> Option<DVector<f64>> {
        let (matrix, _) = self.equations(modes);
        let svd = matrix.clone().svd(false, true);
        let v_t = svd.v_t?;
        let threshold = RANK * matrix.amax();
        let null: Vec<usize> =
            (0..svd.singular_values.len()).filter(|&i| svd.singular_values[i] <= threshold).collect();
        let &[only] = null.as_slice() else { return None };
        let direction = v_t.row(only).transpose();
        [1.0, -1.0].into_iter().map(|sign| &direction * sign).find(|r| {
            let within = (0..modes.len()).all(|i| {
                r[2 * i] >= -TOLERANCE && r[2 * i + 1].abs() <= self.friction[i] * r[2 * i] + TOLERANCE
            });
            within && (&self.w * r).amax() <= TOLERANCE
        })
    }

    /// Whether impulses that move nothing may be added where the contacts have the velocities `u`: where one opens
    /// it carries nothing, where it slides friction is at its limit.
    fn fits(&self, ray: &DVector<f64>, u: &DVector<f64>) -> bool {
        (0..self.friction.len()).all(|i| {
            let (normal, tangential) = (ray[2 * i], ray[2 * i + 1]);
            let carries = normal.abs().max(tangential.abs()) > TOLERANCE;
            let slides = u[2 * i + 1].abs() > DISTINCT;
            let at_limit = tangential + u[2 * i + 1].signum() * self.friction[i] * normal;
            !carries || (u[2 * i] <= DISTINCT && (!slides || at_limit.abs() <= TOLERANCE))
        })
    }

    /// The equations of a combination of modes.
    fn equations(&self, modes: &[Mode]) -> (DMatrix<f64>, DVector<f64>) {
        let rows = self.q.len();
        let mut matrix = DMatrix::<f64>::zeros(rows, rows);
        let mut right = DVector::<f64>::zeros(rows);
        for (contact, mode) in modes.iter().enumerate() {
            let (n, t) = (2 * contact, 2 * contact + 1);
            if *mode == Mode::Open {
                matrix[(n, n)] = 1.0;
                matrix[(t, t)] = 1.0;
                continue;
            }
            matrix.row_mut(n).copy_from(&self.w.row(n));
            right[n] = -self.q[n];
            match mode.sign() {
                None => {
                    matrix.row_mut(t).copy_from(&self.w.row(t));
                    right[t] = -self.q[t];
                }
                Some(sign) => {
                    matrix[(t, t)] = 1.0;
                    matrix[(t, n)] = sign * self.friction[contact];
                }
            }
        }
        (matrix, right)
    }

    /// The scaled impulses of a combination of modes, if they fulfil all conditions.
    fn solve(&self, modes: &[Mode]) -> Option<DVector<f64>> {
        let (matrix, right) = self.equations(modes);
        let r = if right.is_empty() {
            DVector::zeros(0)
        } else {
            let largest = matrix.amax();
            let solved = matrix.clone().svd(true, true).solve(&right, RANK * largest).ok()?;
            if (&matrix * &solved - &right).amax() > TOLERANCE {
                return None;
            }
            solved
        };
        let u = &self.w * &r + &self.q;
        let holds = modes.iter().enumerate().all(|(contact, mode)| {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let tolerance = TOLERANCE * (1.0 + r.amax());
            let cone = r[t].abs() <= self.friction[contact] * r[n] + tolerance && r[n] >= -tolerance;
            cone && u[n] >= -TOLERANCE && mode.sign().is_none_or(|sign| sign * u[t] >= -TOLERANCE)
        });
        holds.then_some(r)
    }

    fn alternative<const N: usize>(
        &self,
        problem: &ContactProblem<2, N>,
        modes: Vec<Mode>,
        scaled: &DVector<f64>,
    ) -> Alternative<N> {
        let impulses: Vec<SVector<f64, 2>> = self
            .impulse_units
            .iter()
            .enumerate()
            .map(|(contact, unit)| SVector::from([scaled[2 * contact], scaled[2 * contact + 1]]) * *unit)
            .collect();
        let (mut links, mut velocity) = (Vec::new(), Vec::new());
        problem.link_impulses(&impulses, &mut links);
        problem.velocities(&impulses, &links, &mut velocity);
        Alternative { modes, impulses, velocity, impulses_are_indeterminate: false }
    }
}

impl Mode {
    /// The direction of sliding.
    fn sign(self) -> Option<f64> {
        match self {
            Self::SlideForward => Some(1.0),
            Self::SlideBackward => Some(-1.0),
            Self::Open | Self::Stick => None,
        }
    }
}
