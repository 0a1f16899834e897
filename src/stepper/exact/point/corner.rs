//! What several planes do at once to a point that touches them all: unilateral contact and Coulomb's law, for
//! an impact on velocities, otherwise on accelerations.
//!
//! All contacts of a point are at one place, so that they share one velocity `w = free + sum F_i`, with `F_i`
//! the impulse of plane `i` over the mass. It is looked for plane by plane, pair by pair and so on: which planes
//! press is assumed, `w` follows, and it holds if the others are not entered and the change is a sum of forces
//! within the friction cones, on their edges where the point slips. What these laws leave open (a wedge that
//! holds the point as well as it lets it go) is not decided here.

use nalgebra::{DMatrix, DVector};

use crate::model::Vector;

/// Sweeps over the cones after which a force counts as none of theirs.
const MOST_SWEEPS: usize = 20_000;

/// Part of a force by which its parts may miss it.
const MISSED: f64 = 1e-12;

/// Difference of two answers, as a part of their size, that is none.
const SAME: f64 = 1e-9;

/// Planes that are looked at together at most.
const MOST_PLANES: usize = 8;

/// A plane that the point touches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touched<const D: usize> {
    pub normal: Vector<D>,
    pub friction: f64,
    /// Of its surface.
    pub velocity: Vector<D>,
    /// What the normal component has to be at least: the rebound, or 0.
    pub target: f64,
    /// The direction in which the point slips, where that does not depend on the answer.
    pub slip: Option<Vector<D>>,
}

/// What comes out.
#[derive(Debug, Clone)]
pub(super) struct Answer<const D: usize> {
    pub after: Vector<D>,
    /// What each plane gave, over the mass; only the sum is settled.
    pub shares: Vec<Vector<D>>,
}

/// What the forces of a plane can be.
#[derive(Debug, Clone, Copy)]
enum Forces<const D: usize> {
    /// Multiples of this vector.
    Ray(Vector<D>),
    /// The friction cone about the normal.
    Cone(Vector<D>, f64),
}

/// What the `touched` planes make of `free`; `None` where nothing satisfies the laws, or several answers do. Below
/// `noise` nothing is told from zero.
pub(super) fn resolve<const D: usize>(
    free: &Vector<D>,
    touched: &[Touched<D>],
    noise: f64,
) -> Option<Answer<D>> {
    if touched.len() > MOST_PLANES {
        return None;
    }
    let mut found: Option<Answer<D>> = None;
    for set in 0_usize..1 << touched.len() {
        let pressing: Vec<usize> = (0..touched.len()).filter(|index| set >> index & 1 == 1).collect();
        for after in candidates(free, touched, &pressing, noise)? {
            let Some(answer) = checked(free, touched, &pressing, (after, noise)) else { continue };
            let same = |other: &Answer<D>| {
                (other.after - after).norm() <= noise + SAME * (free.norm() + after.norm())
            };
            match &found {
                Some(other) if !same(other) => return None,
                Some(_) => {}
                None => found = Some(answer),
            }
        }
    }
    found
}

/// What comes out if these planes press, `None` where the laws do not say it.
fn candidates<const D: usize>(
    free: &Vector<D>,
    touched: &[Touched<D>],
    pressing: &[usize],
    noise: f64,
) -> Option<Vec<Vector<D>>> {
    let planes: Vec<&Touched<D>> = pressing.iter().map(|&index| &touched[index]).collect();
    Some(match planes.as_slice() {
        [] => vec![*free],
        [plane] => vec![plane.alone(free)],
        planes if planes.len() < D => return along_edge(free, planes, noise),
        planes if planes.len() == D => {
            let normals = DMatrix::from_fn(D, D, |row, column| planes[row].normal[column]);
            let targets = DVector::from_fn(D, |row, _| {
                planes[row].target + planes[row].normal.dot(&planes[row].velocity)
            });
            let solved = normals.full_piv_lu().solve(&targets);
            let is_bounded = |after: &DVector<f64>| after.iter().all(|part| part.is_finite());
            let solved = solved.filter(is_bounded);
            solved.map(|after| Vector::from_fn(|row, _| after[row])).into_iter().collect()
        }
        // Planes beyond as many as there are dimensions add nothing that those do not say.
        _ => Vec::new(),
    })
}

/// Two planes in space: the normals decide across their edge, friction along it.
fn along_edge<const D: usize>(
    free: &Vector<D>,
    planes: &[&Touched<D>],
    noise: f64,
) -> Option<Vec<Vector<D>>> {
    let [first, second] = planes else { return Some(Vec::new()) };
    let (n, m) = (first.normal, second.normal);
    let cosine = n.dot(&m);
    let sine_squared = 1.0 - cosine * cosine;
    if sine_squared <= SAME {
        return Some(Vec::new());
    }
    let edge = Vector::from_fn(|i, _| {
        let (j, k) = ((i + 1) % D, (i + 2) % D);
        n[j] * m[k] - n[k] * m[j]
    }) / sine_squared.sqrt();
    let (a, b) = (first.lacking(free), second.lacking(free));
    let press = [(a - cosine * b) / sine_squared, (b - cosine * a) / sine_squared];
    let across = free + n * press[0] + m * press[1];
    let grip = first.friction * press[0] + second.friction * press[1];
    if first.friction == 0.0 && second.friction == 0.0 {
        return Some(vec![across]);
    }
    match (first.slip, second.slip) {
        (Some(slip), Some(other)) if (slip - other).norm() <= SAME => {
            return Some(vec![across - slip * grip]);
        }
        (None, None) => {}
        _ => return None,
    }
    // With a rebound, or belts that run differently, the slip is not along the edge.
    let speed = first.velocity.dot(&edge);
    let runs = |plane: &Touched<D>| (plane.velocity - edge * speed).norm() <= noise;
    if first.target.max(second.target) > noise || !runs(first) || !runs(second) {
        return None;
    }
    let along = across.dot(&edge);
    let slides = [1.0, -1.0].into_iter().filter(|sign| sign * (along - sign * grip - speed) > noise);
    let mut after: Vec<_> = slides.map(|sign| across - edge * (sign * grip)).collect();
    after.push(across + edge * (speed - along));
    Some(after)
}

/// The answer, if the planes that do not press are not entered, and those that do can press like this.
fn checked<const D: usize>(
    free: &Vector<D>,
    touched: &[Touched<D>],
    pressing: &[usize],
    (after, noise): (Vector<D>, f64),
) -> Option<Answer<D>> {
    if touched.iter().any(|plane| plane.normal.dot(&(after - plane.velocity)) < plane.target - noise) {
        return None;
    }
    let forces: Vec<_> = pressing.iter().map(|&index| touched[index].forces(&after, noise)).collect();
    let parts = divided(&(after - free), &forces, noise)?;
    let mut shares = vec![Vector::zeros(); touched.len()];
    for (&index, part) in pressing.iter().zip(parts) {
        shares[index] = part;
    }
    Some(Answer { after, shares })
}

/// A force as a sum of such `forces`, if it is one.
fn divided<const D: usize>(total: &Vector<D>, forces: &[Forces<D>], noise: f64) -> Option<Vec<Vector<D>>> {
    let mut parts = vec![Vector::zeros(); forces.len()];
    let allowed = noise.max(MISSED * total.norm());
    let mut before = f64::INFINITY;
    for sweep in 0..MOST_SWEEPS {
        for (index, force) in forces.iter().enumerate() {
            let others = parts.iter().sum::<Vector<D>>() - parts[index];
            parts[index] = force.nearest(&(total - others));
        }
        let missed = (total - parts.iter().sum::<Vector<D>>()).norm();
        if missed <= allowed {
            return Some(parts);
        }
        if sweep % 64 == 63 {
            if missed > 0.999 * before {
                return None;
            }
            before = missed;
        }
    }
    None
}

impl<const D: usize> Touched<D> {
    /// What comes out where this plane alone presses.
    fn alone(&self, free: &Vector<D>) -> Vector<D> {
        let press = self.lacking(free).max(0.0);
        if let Some(slip) = self.slip {
            return free + (self.normal - slip * self.friction) * press;
        }
        let slip = self.slip_of(free);
        let speed = slip.norm();
        let kept = if speed > 0.0 { (1.0 - self.friction * press / speed).max(0.0) } else { 0.0 };
        free + self.normal * press - slip * (1.0 - kept)
    }

    /// What the normal component lacks.
    fn lacking(&self, free: &Vector<D>) -> f64 {
        self.target - self.normal.dot(&(free - self.velocity))
    }

    fn slip_of(&self, velocity: &Vector<D>) -> Vector<D> {
        let relative = velocity - self.velocity;
        relative - self.normal * self.normal.dot(&relative)
    }

    fn forces(&self, after: &Vector<D>, noise: f64) -> Forces<D> {
        let slip = self.slip_of(after);
        let speed = slip.norm();
        match self.slip {
            Some(slip) => Forces::Ray(self.normal - slip * self.friction),
            None if speed > noise => Forces::Ray(self.normal - slip * (self.friction / speed)),
            None => Forces::Cone(self.normal, self.friction),
        }
    }
}

impl<const D: usize> Forces<D> {
    /// The nearest of them.
    fn nearest(&self, wanted: &Vector<D>) -> Vector<D> {
        match self {
            Self::Ray(ray) => ray * (ray.dot(wanted).max(0.0) / ray.norm_squared()),
            Self::Cone(normal, friction) => {
                let press = normal.dot(wanted);
                let along = wanted - normal * press;
                let strength = along.norm();
                if strength <= friction * press {
                    *wanted
                } else if friction * strength <= -press {
                    Vector::zeros()
                } else {
                    let press = (press + friction * strength) / (1.0 + friction * friction);
                    normal * press + along * (friction * press / strength)
                }
            }
        }
    }
}
