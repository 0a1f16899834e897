use nalgebra::SMatrix;

use super::{Block, Cone, FrictionCone, Jacobian, Vector};

/// A convex contact problem: the velocities `v` that minimise
///
/// ```text
/// l(v) = 1/2 |v - v*|_A^2 + 1/2 sum_e gamma_e^2 R_e + 1/2 sum_c |gamma_c|_R^2
/// gamma_c = P(-R^-1 (J_c v - vhat_c))   contacts, P the projection onto their cones `C`
/// gamma_e = -(J_e v - vhat_e)/R_e       equality constraints
/// ```
///
/// `v` comes in blocks of `N` components, one per body, a contact has `D` rows (`N = D` for points,
/// which do not rotate); `A` is block diagonal, contacts and
/// equalities couple two blocks at most. `l` is strongly convex with a Lipschitz gradient, so there
/// is exactly one minimum.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem<const D: usize, const N: usize = D, C = FrictionCone> {
    /// Diagonal blocks of `A`, symmetric and positive definite.
    pub inertia: Vec<Block<N>>,
    /// `v*`: the velocity without contacts and equalities, a block per diagonal block of `A`.
    pub free_velocity: Vec<Vector<N>>,
    /// The contacts, those that are switched off included.
    pub contacts: Vec<Contact<D, N, C>>,
    /// The equality constraints.
    pub equalities: Vec<Equality<N>>,
}

/// A compliant contact with friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact<const D: usize, const N: usize = D, C = FrictionCone> {
    /// `J`: takes `v` to the contact velocity, tangential components first, the normal one last
    /// and positive when the contact opens.
    pub jacobian: Jacobian<D, N>,
    /// `vhat`: the contact velocity at which the impulse vanishes (a bias of `v_c` included).
    pub reference: Vector<D>,
    /// Friction cone and regularisation.
    pub cone: C,
    /// Whether the contact takes part. One that does not has no impulse, and costs nothing.
    pub active: bool,
}

/// A compliant linear equality `J v = vhat - R gamma`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equality<const N: usize> {
    /// `J_e`, one row.
    pub jacobian: Jacobian<1, N>,
    /// `vhat_e`: the velocity along the row at which the impulse vanishes.
    pub reference: f64,
    /// `1/R_e`, at least 0; at 0 the equality does nothing.
    pub stiffness: f64,
}

impl<const D: usize, const N: usize, C: Cone<D>> Contact<D, N, C> {
    /// A contact that does nothing, to be filled in.
    pub fn inactive() -> Self {
        Self {
            jacobian: Jacobian::single(0, SMatrix::zeros()),
            reference: Vector::zeros(),
            cone: C::blank(),
            active: false,
        }
    }

    /// `y = -R^-1 (J v - vhat)`, the impulse before projection.
    #[inline]
    pub fn unprojected(&self, v: &[Vector<N>]) -> Vector<D> {
        self.cone.unscale(&(self.reference - self.jacobian.apply(v)))
    }
}

impl<const N: usize> Equality<N> {
    /// `gamma = (vhat - J v)/R`.
    pub fn impulse(&self, v: &[Vector<N>]) -> f64 {
        self.stiffness * (self.reference - self.jacobian.apply(v)[0])
    }
}

/// What is wrong with a [`Problem`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ProblemError {
    /// Vectors disagree in length.
    #[error("{what} has {given} blocks, but the inertia has {blocks}; give one per block")]
    Length {
        /// Which vector.
        what: &'static str,
        /// Its number of blocks.
        given: usize,
        /// Number of blocks of the inertia.
        blocks: usize,
    },
    /// A Jacobian touches a block that does not exist, or the same one twice.
    #[error(
        "{what} {index} couples {first} and {second:?}: there are {blocks} blocks, and the two must differ"
    )]
    Coupling {
        /// `contact` or `equality`.
        what: &'static str,
        /// Its index.
        index: usize,
        /// First block.
        first: usize,
        /// Second block.
        second: Option<usize>,
        /// Number of blocks.
        blocks: usize,
    },
    /// A parameter is outside its range or not finite.
    #[error("{what} {index} has parameters outside their range or not finite: {rule}")]
    Parameter {
        /// `contact`, `equality` or `block`.
        what: &'static str,
        /// Its index.
        index: usize,
        /// What is allowed.
        rule: &'static str,
    },
}

impl<const D: usize, const N: usize, C: Cone<D>> Problem<D, N, C> {
    /// Checks lengths, couplings and the ranges of all parameters.
    ///
    /// # Errors
    /// [`ProblemError`] for the first violation found.
    pub fn check(&self) -> Result<(), ProblemError> {
        self.check_length("free velocity", self.free_velocity.len())?;
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        for (index, inertia) in self.inertia.iter().enumerate() {
            let asymmetry = (inertia - inertia.transpose()).amax();
            if inertia.cholesky().is_none() || asymmetry > 1e-12 * inertia.amax() {
                let rule = "inertia is symmetric and positive definite";
                return Err(ProblemError::Parameter { what: "block", index, rule });
            }
        }
        if let Some(index) = self.free_velocity.iter().position(|v| !finite(v.as_slice())) {
            return Err(ProblemError::Parameter {
                what: "block",
                index,
                rule: "the free velocity is finite",
            });
        }
        self.check_couplings()?;
        for (index, contact) in self.contacts.iter().enumerate() {
            let vectors = finite(contact.reference.as_slice()) && contact.jacobian.is_finite();
            if !(contact.cone.is_valid() && vectors) {
                let rule = "mu >= 0, R_t > 0, R_n > 0, everything finite";
                return Err(ProblemError::Parameter { what: "contact", index, rule });
            }
        }
        for (index, equality) in self.equalities.iter().enumerate() {
            let Equality { jacobian, reference, stiffness } = equality;
            if !(jacobian.is_finite() && finite(&[*stiffness, *reference]) && *stiffness >= 0.0) {
                let rule = "1/R >= 0, everything finite";
                return Err(ProblemError::Parameter { what: "equality", index, rule });
            }
        }
        Ok(())
    }

    /// Checks that a vector of `given` blocks fits the inertia.
    pub(super) fn check_length(&self, what: &'static str, given: usize) -> Result<(), ProblemError> {
        let blocks = self.inertia.len();
        if given == blocks { Ok(()) } else { Err(ProblemError::Length { what, given, blocks }) }
    }

    /// Checks that every coupling is between existing, different blocks.
    pub(super) fn check_couplings(&self) -> Result<(), ProblemError> {
        let blocks = self.inertia.len();
        let valid = |first: usize, second: Option<usize>| {
            first < blocks && second.is_none_or(|second| second < blocks && second != first)
        };
        for (number, (first, second)) in self.couplings().enumerate() {
            if !valid(first, second) {
                let contacts = self.contacts.len();
                let (what, index) =
                    if number < contacts { ("contact", number) } else { ("equality", number - contacts) };
                return Err(ProblemError::Coupling { what, index, first, second, blocks });
            }
        }
        Ok(())
    }

    /// The blocks that contacts and equalities couple, in their order.
    pub(super) fn couplings(&self) -> impl Iterator<Item = (usize, Option<usize>)> + '_ {
        let contacts = self.contacts.iter().map(|contact| contact.jacobian.blocks());
        contacts.chain(self.equalities.iter().map(|equality| equality.jacobian.blocks()))
    }
}
