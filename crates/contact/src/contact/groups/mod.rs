//! Friction in groups of rows: against turning, drilling about the normal of a contact and rolling about its tangents, and not
//! the same in all directions.
//!
//! A contact that resists turning has, beside its normal row, the rows of two groups: what slides and drills shares the
//! patch of the contact, and what rolls loses energy in the material. With the angular velocity `w = w_A - w_B`
//!
//! ```text
//! G1 = {t1, t2, n.w},  S_1 = diag(mu, mu_2, rho_t);   G2 = {t1.w, t2.w},  S_2 = rho_r   (plane: {t}, {w})
//! |S_g^-1 r_g| <= r_n;   where it slips r_g = -r_n S_g^2 u_g/|S_g u_g|
//! ```
//!
//! `mu_2` is `mu` but where friction across an axis differs from that along it ([`Across`]): `t1` is then that axis, and `t2`
//! across it. Such friction is an ellipse, and the slip is normal to it where the force lies: most is dissipated (Michalowski
//! and Mroz 1978).
//!
//! In scaled rows, `S_g u_g` and `S_g^-1 r_g`, both groups are balls whose radius is the normal impulse: one cone `K` for all
//! contacts, one projection, and Coulomb's law reads as it does without groups,
//!
//! ```text
//! u~ = u + n sum_g |u_g|;   u~ in K*,  r in K,  r.u~ = 0
//! ```
//!
//! A problem with such contacts is solved as one of [`ROWS`] scaled rows per contact (`Grouped`), of which those are zero that
//! a contact does not have; others are solved as if there were none. The ellipsoid of the first group is within 5.1 % of the
//! limit surface of a disc of uniform pressure (Goyal, Ruina and Papadopoulos 1991).

mod across;
mod ball_cone;
mod complementarity;
mod compliant_cone;
mod grouped;
mod grouped_law;
mod rolling;
mod sweeps;

use nalgebra::{SMatrix, SVector};

pub use across::Across;
pub(super) use ball_cone::{
    Weights, augmented, evenly_missed, group_norm, natural_map, project, projection_derivative,
};
pub(super) use complementarity::GroupedComplementarity;
pub use compliant_cone::{CompliantCone, tangential_rows};
pub(super) use grouped::Grouped;
pub use grouped_law::{GroupMargin, GroupedLaw, grouped_laws};
pub use rolling::RollingProblem;
pub(super) use sweeps::{GroupedSweeps, solve_dense, sweep};

/// Rows of a contact with groups: normal, two tangents, drilling, rolling about two tangents.
pub const ROWS: usize = 6;

/// The places of the rows of the two groups.
pub const GROUPS: [std::ops::Range<usize>; 2] = [1..4, 4..6];

/// The scaled rows of a contact.
pub type Rows = SVector<f64, ROWS>;

/// What the friction of a contact has beyond one coefficient: what resists turning, and another coefficient across an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionGroups<const N: usize> {
    /// Which contact of the problem it is; each has one entry at most, in the order of the contacts.
    pub contact: usize,
    /// Rows about the normal and the tangents for each of the two bodies of the contact, signs included: the relative angular
    /// velocity is `J_a v_a + J_b v_b` in rad/s. In the plane there is one, the second; the others are 0, and all where nothing
    /// resists turning.
    pub jacobian: [SMatrix<f64, 3, N>; 2],
    /// `rho_t >= 0` in m: drilling takes up at most this times the normal impulse, shared with sliding.
    pub torsional: f64,
    /// `rho_r >= 0` in m: rolling takes up at most this times the normal impulse.
    pub rolling: f64,
    /// How friction differs across an axis, in space.
    pub across: Option<Across>,
}
