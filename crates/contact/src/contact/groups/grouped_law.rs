//! The law of a contact with friction in groups at a solution, to first order.

use nalgebra::{SMatrix, SVector};

use super::{
    Across, FrictionGroups, GROUPS, ROWS, Rows,
    grouped::{TURNING, rows_of, scales_of, turned},
};
use crate::{
    contact::{Branch, Contact, ContactProblem, LinearLaw, Solution, slight_velocity},
    rows,
};

/// The law of a contact with groups at a solution, to first order: with the relative velocity `u` and the impulse `r` in its rows as they
/// are, normal, tangents, drilling and rolling,
///
/// ```text
/// A du + B dr + C dS + a dphi = 0
/// ```
///
/// beside what the normal row of its [`LinearLaw`] says of gaps. `S` are the coefficients of the rows, `mu`, `mu_2`, `rho_t`, `rho_r` and
/// `rho_r`, and `phi` is the angle from the first tangent to the axis along which friction is `mu`. Rows that the contact does not
/// have are 0.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupedLaw {
    /// What sliding with drilling, and what rolling does; open where the contact is, and where nothing resists.
    pub branches: [Branch; 2],
    /// `A`.
    pub velocity: SMatrix<f64, ROWS, ROWS>,
    /// `B`.
    pub impulse: SMatrix<f64, ROWS, ROWS>,
    /// `C`.
    pub scales: SMatrix<f64, ROWS, ROWS>,
    /// `a`.
    pub axis: Rows,
    /// What decides the branches, where something does.
    pub margins: [Option<GroupMargin>; 2],
    /// `S`, in rows along and across the axis.
    pub scale: Rows,
    /// `S_g u_g` of both groups, in the same.
    pub slips: [Rows; 2],
    /// The size of `S_g u_g` below which a group counts as at rest.
    pub slight: [f64; 2],
}

/// A quantity that decides the branch of a group, where it goes through zero: in N s how much more friction would have it slip, or the
/// one velocity with which it does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupMargin {
    /// Its value.
    pub value: f64,
    /// Its derivative with respect to `u`.
    pub velocity: Rows,
    /// With respect to `r`.
    pub impulse: Rows,
    /// With respect to `S`.
    pub scales: Rows,
    /// With respect to `phi`.
    pub axis: f64,
}

impl GroupMargin {
    /// One of this value that nothing changes.
    fn of(value: f64) -> Self {
        let [velocity, impulse, scales] = [Rows::zeros(); 3];
        Self { value, velocity, impulse, scales, axis: 0.0 }
    }
}

/// The laws of all contacts with groups at a solution of a model that solves them exactly, in the order of
/// [`ContactProblem::groups`]. Of the `laws` of the contacts, theirs keep the normal row alone.
pub fn grouped_laws<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    solution: &Solution<D, N>,
    laws: &mut [LinearLaw<D>],
) -> Vec<GroupedLaw> {
    if problem.groups.is_empty() {
        return Vec::new();
    }
    let slight = slight_velocity(problem);
    let law_of = |(place, groups): (usize, &FrictionGroups<N>)| {
        let law = &mut laws[groups.contact];
        let grouped = match law.branch {
            Branch::Open => GroupedLaw::open(),
            Branch::Stick | Branch::Slip => Posed::of(problem, solution, place).law(law, slight),
        };
        law.friction.fill(0.0);
        grouped
    };
    problem.groups.iter().enumerate().map(law_of).collect()
}

impl GroupedLaw {
    /// That of a contact without force.
    fn open() -> Self {
        Self {
            branches: [Branch::Open; 2],
            velocity: SMatrix::zeros(),
            impulse: SMatrix::zeros(),
            scales: SMatrix::zeros(),
            axis: Rows::zeros(),
            margins: [None; 2],
            scale: Rows::zeros(),
            slips: [Rows::zeros(); 2],
            slight: [f64::INFINITY; 2],
        }
    }

    /// Whether a row of the contact is one of its equations.
    pub fn acts(&self, row: usize) -> bool {
        self.velocity.row(row).amax() > 0.0 || self.impulse.row(row).amax() > 0.0
    }
}

/// A contact with groups at a solution, in rows along and across its axis.
struct Posed {
    across: Option<Across>,
    /// `S`.
    scale: Rows,
    /// How much each row answers to impulses along it.
    response: Rows,
    /// `u` and `r`.
    velocity: Rows,
    impulse: Rows,
}

/// The components of a vector that change where the axis turns, per angle.
fn turned_on(x: &Rows) -> Rows {
    let mut change = Rows::zeros();
    (change[1], change[2]) = (x[2], -x[1]);
    change
}

impl Posed {
    fn of<const D: usize, const N: usize>(
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
        place: usize,
    ) -> Self {
        let groups = &problem.groups[place];
        let contact = &problem.contacts[groups.contact];
        let response = response_of(problem, contact, groups);
        let whole = |of_contact: &SVector<f64, D>, of_turning: &SVector<f64, 3>| {
            let mut whole = Rows::zeros();
            whole.fixed_rows_mut::<D>(0).copy_from(&turned(groups.across, of_contact));
            whole.fixed_rows_mut::<3>(TURNING).copy_from(of_turning);
            whole
        };
        let relative = problem.relative_velocity(contact, &solution.velocity);
        Self {
            across: groups.across,
            scale: scales_of(contact, Some(groups), &response),
            response: response.diagonal(),
            velocity: whole(&relative, &problem.spin(place, &solution.velocity)),
            impulse: whole(&solution.impulses[groups.contact], &solution.torque(place)),
        }
    }

    /// The law beside that of the normal row, where velocities up to `slight` m/s count as none.
    fn law<const D: usize>(&self, normal: &LinearLaw<D>, slight: f64) -> GroupedLaw {
        let mut law = GroupedLaw { scale: self.scale, ..GroupedLaw::open() };
        for group in 0..GROUPS.len() {
            self.write(group, slight, &mut law);
        }
        // What may not rub along a tangent has no impulse there; what may not turn has no equation.
        for row in (1..D).filter(|row| self.scale[*row] == 0.0) {
            law.impulse[(row, row)] = self.response[row];
        }
        law.axis = law.velocity * turned_on(&self.velocity) + law.impulse * turned_on(&self.impulse);
        let turn = self.turn();
        law.velocity *= turn;
        law.impulse *= turn;
        for margin in law.margins.iter_mut().flatten() {
            margin.axis = margin.velocity.dot(&turned_on(&self.velocity))
                + margin.impulse.dot(&turned_on(&self.impulse));
            margin.velocity = turn.tr_mul(&margin.velocity);
            margin.impulse = turn.tr_mul(&margin.impulse);
        }
        for column in 0..D {
            law.velocity[(0, column)] = normal.velocity[(0, column)];
            law.impulse[(0, column)] = normal.impulse[(0, column)];
        }
        law
    }

    /// Writes the equations of a group: `u_g = 0` where it is held, and `w (r_i + r_n S_i t_i) = 0` with `t = S_g u_g/|S_g u_g|` where it slips.
    fn write(&self, group: usize, slight: f64, law: &mut GroupedLaw) {
        let Self { scale, response, velocity, impulse, .. } = self;
        let active: Vec<usize> = GROUPS[group].clone().filter(|row| scale[*row] > 0.0).collect();
        if active.is_empty() {
            return;
        }
        let mut slip = Rows::zeros();
        active.iter().for_each(|row| slip[*row] = velocity[*row] * scale[*row]);
        let size = slip.norm();
        // What turns counts at the length at which an impulse moves the contact as much as it turns it.
        let length = |row: usize| if row < TURNING { 1.0 } else { (response[0] / response[row]).sqrt() };
        let largest = active.iter().map(|row| scale[*row] / length(*row)).fold(0.0, f64::max);
        law.slips[group] = slip;
        law.slight[group] = slight * largest;
        if size <= law.slight[group] {
            law.branches[group] = Branch::Stick;
            active.iter().for_each(|row| law.velocity[(*row, *row)] = 1.0);
            let mut used = Rows::zeros();
            active.iter().for_each(|row| used[*row] = impulse[*row] / scale[*row]);
            let share = used.norm();
            let mut margin = GroupMargin::of(impulse[0] - share);
            margin.impulse[0] = 1.0;
            for row in active.iter().copied().filter(|_| share > 0.0) {
                margin.impulse[row] = -used[row] / (scale[row] * share);
                margin.scales[row] = used[row] * used[row] / (scale[row] * share);
            }
            law.margins[group] = Some(margin);
            return;
        }
        law.branches[group] = Branch::Slip;
        let (along, pressed) = (slip / size, impulse[0]);
        for &i in &active {
            let weight = response[i];
            law.impulse[(i, i)] = weight;
            law.impulse[(i, 0)] = weight * scale[i] * along[i];
            law.scales[(i, i)] += weight * pressed * along[i];
            for &j in &active {
                let across = f64::from(i == j) - along[i] * along[j];
                // One row cannot turn, whatever rounding says.
                let turning =
                    if active.len() > 1 { weight * pressed * scale[i] / size * across } else { 0.0 };
                law.velocity[(i, j)] = turning * scale[j];
                law.scales[(i, j)] += turning * velocity[j];
            }
        }
        if let &[row] = active.as_slice() {
            let mut margin = GroupMargin::of(velocity[row].abs());
            margin.velocity[row] = velocity[row].signum();
            law.margins[group] = Some(margin);
        }
    }

    /// From the tangents to the directions along and across the axis.
    fn turn(&self) -> SMatrix<f64, ROWS, ROWS> {
        let mut turn = SMatrix::<f64, ROWS, ROWS>::identity();
        if let Some(Across { axis: [cos, sin], .. }) = self.across {
            (turn[(1, 1)], turn[(1, 2)]) = (cos, sin);
            (turn[(2, 1)], turn[(2, 2)]) = (-sin, cos);
        }
        turn
    }
}

/// The contact's own block of the Delassus operator, in rows along and across its axis.
fn response_of<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    contact: &Contact<D, N>,
    groups: &FrictionGroups<N>,
) -> SMatrix<f64, ROWS, ROWS> {
    let jacobian = rows_of(contact, Some(groups));
    let ends = contact.bodies.iter().zip(&jacobian);
    ends.filter_map(|(body, own)| Some(rows::delassus(own, &problem.inverse_mass[(*body)?])))
        .fold(SMatrix::zeros(), |sum, own| sum + own)
}
