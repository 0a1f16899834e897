//! The law of friction of a contact.

use crate::model::Real;

/// How much of the normal impulse of a contact friction takes up: Coulomb's law, one coefficient at rest and in motion.
///
/// Solvers see the one number that holds in a solve ([`Contact::friction`](super::Contact::friction)); the law says which
/// that is. It is written in the number type `S`, so that in dual numbers it carries its derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Friction<S = f64> {
    coefficient: S,
}

impl<S: Real> Friction<S> {
    /// Coulomb's law with the coefficient `mu >= 0`.
    pub const fn coulomb(coefficient: S) -> Self {
        Self { coefficient }
    }

    /// The coefficient `mu_s` up to which a contact sticks.
    pub const fn static_coefficient(&self) -> S {
        self.coefficient
    }
}
