//! An impact of one contact in the plane, followed over its normal impulse.

use nalgebra::{Matrix2, Vector2};

use crate::{contact::Hold, model::Number};

/// The friction of a contact in the course of an impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactFriction<N = f64> {
    /// While it slips as it did before the impact.
    pub sliding: N,
    /// What it takes to stick.
    pub held: N,
    /// Once it slips away again after it has come to rest.
    pub released: N,
}

impl ImpactFriction {
    /// What `number` is of each of them, for a contact that slips at this speed in m/s before the impact.
    pub fn each(number: impl Fn(Hold) -> f64, slip: f64) -> Self {
        Self {
            sliding: number(Hold::Kinetic(slip)),
            held: number(Hold::Static),
            released: number(Hold::Kinetic(0.0)),
        }
    }
}

impl<N: Copy> ImpactFriction<N> {
    /// Coulomb's law with one coefficient.
    pub fn coulomb(coefficient: N) -> Self {
        Self { sliding: coefficient, held: coefficient, released: coefficient }
    }
}

/// A contact in the plane that closes, with nothing else that acts while it is closed.
///
/// Its normal impulse `p` takes the place of time. Friction acts against the slip that there is at `p`, so that the
/// velocities are piecewise linear in it,
///
/// ```text
/// du_n/dp = W_nn + W_tn h,   du_t/dp = W_tn + W_tt h,   h = -mu sgn u_t
/// ```
///
/// until the slip ends, and from there on with the `h` that keeps it at rest or lets it slip the other way. The impact is
/// over when the normal impulse has given back `e^2` of the work that it took to compress the contact (Stronge): as no
/// friction does work on the bodies, no impact gains energy. Where friction presses the bodies together faster than the
/// normal impulse pushes them apart (Painleve), the same path leads on to where the slip ends.
///
/// Sources: E. J. Routh, Dynamics of a System of Rigid Bodies; W. J. Stronge, Impact Mechanics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanarImpact<N = f64> {
    /// `W_nn, W_tn, W_tt` in 1/kg: how the velocities of the contact answer to its impulse.
    pub response: [N; 3],
    /// `u_n, u_t` in m/s before the impact; it closes where `u_n < 0`.
    pub velocity: [N; 2],
    /// The coefficients of friction.
    pub friction: ImpactFriction<N>,
    /// Coefficient of restitution `e`, of energy.
    pub restitution: N,
}

/// How an impact goes on: along a straight line in the plane of its impulses, and along another one once its slip has ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactCourse<N = f64> {
    /// Tangential per normal impulse until the slip ends, and from there on.
    pub directions: [N; 2],
    /// The normal impulse in N s at which the slip ends; `None` where the impact is over before.
    pub slip_ends: Option<N>,
    /// The normal impulse in N s at which the contact is compressed most.
    pub compressed: N,
    /// The normal impulse in N s at the end.
    pub ended: N,
}

impl<N: Number> ImpactCourse<N> {
    /// The impulse `r_n, r_t` in N s once its normal part is `normal`.
    pub fn impulse_at(&self, normal: N) -> [N; 2] {
        let [before, after] = self.directions;
        match self.slip_ends {
            Some(ps) if normal.re() > ps.re() => [normal, before * ps + after * (normal - ps)],
            _ => [normal, before * normal],
        }
    }
}

impl<N: Number> PlanarImpact<N> {
    /// The impulse `r_n, r_t` in N s at the end; none where the contact opens.
    pub fn impulse(&self) -> [N; 2] {
        self.course().map_or([N::zero(); 2], |course| course.impulse_at(course.ended))
    }

    /// The way to the end; `None` where the contact opens.
    pub fn course(&self) -> Option<ImpactCourse<N>> {
        let Self { response: [nn, tn, tt], velocity: [un, ut], friction, restitution: e } = *self;
        if un.re() > 0.0 {
            return None;
        }
        // What has no motion along its tangent, as a stop in a joint, has no slip to hold.
        let sticks = tt.re() > 0.0 && tn.re().abs() <= friction.held.re() * tt.re();
        let after = if sticks { -tn / tt } else { -friction.released * tn.re().signum() };
        // What holds a contact without slip would stop one of either sign: in dual numbers the slip may begin.
        let is_held = sticks && tn.re().abs() != friction.sliding.re() * tt.re();
        let is_slipping = ut.re() != 0.0 || is_held;
        let before = if is_slipping { -friction.sliding * ut.re().signum() } else { after };
        let opening = [nn + tn * before, nn + tn * after];
        let slowing = tn + tt * before;
        // The normal impulse at which the slip ends, if it does.
        let slip_ends = match is_slipping {
            false => Some(N::zero()),
            true => (slowing.re() * ut.re() < 0.0 || ut.re() == 0.0).then(|| -ut / slowing),
        };
        let compressed_slipping = (opening[0].re() > 0.0)
            .then(|| -un / opening[0])
            .filter(|pc| slip_ends.is_none_or(|ps| pc.re() <= ps.re()));
        let course = |compressed, ended, slip_ends| ImpactCourse {
            directions: [before, after],
            slip_ends,
            compressed,
            ended,
        };
        Some(match (compressed_slipping, slip_ends) {
            (Some(pc), None) => course(pc, (e + 1.0) * pc, None),
            (Some(pc), Some(ps)) if ((e + 1.0) * pc).re() <= ps.re() => course(pc, (e + 1.0) * pc, None),
            (Some(pc), Some(ps)) => {
                let us = opening[0] * (ps - pc);
                let gained = opening[1] * (e * e * un * un - us * us) / opening[0];
                course(pc, ps + (root(us * us + gained) - us) / opening[1], Some(ps))
            }
            (None, Some(ps)) => {
                let us = un + opening[0] * ps;
                let pc = ps - us / opening[1];
                let work = us * us / (opening[1] * 2.0) - (un + opening[0] * ps * 0.5) * ps;
                course(pc, pc + e * root(work * 2.0 / opening[1]), Some(ps))
            }
            // Friction that has bodies jam ends the slip: no contact comes here.
            (None, None) => return None,
        })
    }
}

impl PlanarImpact {
    /// The impulses `r_n, r_t` in N s of the whole impact by Newton's restitution, with Coulomb's law on the slip that is left
    /// (Moreau), and the sign of that slip, `None` where it sticks. In Painleve's paradox there are none or several.
    pub fn whole_impulses(&self) -> Vec<([f64; 2], Option<f64>)> {
        let Self { response: [nn, tn, tt], velocity: [un, ut], friction, restitution: e } = *self;
        let (rebound, response) = (-(1.0 + e) * un, Matrix2::new(nn, tn, tn, tt));
        let mut found = Vec::new();
        let sticking = response.lu().solve(&Vector2::new(rebound, -ut));
        found.extend(
            sticking.filter(|r| r.x >= 0.0 && r.y.abs() <= friction.held * r.x).map(|r| (r.into(), None)),
        );
        for sign in [1.0, -1.0] {
            let along = -friction.sliding * sign;
            let response = nn + tn * along;
            let [normal, tangential] = [rebound / response, along * (rebound / response)];
            if response > 0.0 && sign * (ut + tn * normal + tt * tangential) > 0.0 {
                found.push(([normal, tangential], Some(sign)));
            }
        }
        found
    }
}

/// The square root of what is not negative but for rounding; that of 0 is 0 with all its derivatives.
fn root<N: Number>(square: N) -> N {
    if square.re() > 0.0 { square.sqrt() } else { N::zero() }
}
