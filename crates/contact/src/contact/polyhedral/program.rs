use nalgebra::{DMatrix, DVector, Dyn, SVector};

use super::{FrictionPolygon, modes::ModeSearch, polygon::Corner};
use crate::{
    contact::DenseProblem,
    lcp::{DynamicLcp, Enumeration, Lemke, MAX_ENUMERATED, Method, Solution, Solver, Status},
};

/// The complementarity problem of Stewart and Trinkle (1996) for a [`DenseProblem`], and its
/// solution: in space by way of what each contact does ([`ModeSearch`]), else by Lemke's method, and where that finds
/// none, of few contacts, by trying all bases.
///
/// With the normal impulses `p`, the shares `beta` of the friction along unit directions `d_j` that
/// span the tangent plane positively, and the slip speeds `gamma`
///
/// ```text
/// u_n = W_nn p + W_nt D beta + q_n            >= 0   |   p     >= 0
/// D' (W_tn p + W_tt D beta + q_t) + E gamma   >= 0   |   beta  >= 0
/// mu p - E' beta                              >= 0   |   gamma >= 0
/// ```
///
/// In the plane the two directions are exact. In space the cone becomes a pyramid, whose base is the
/// contact's [`FrictionPolygon`]. Rows and columns
/// of a contact are scaled by `W_nn^-1/2`.
#[derive(Debug, Clone)]
pub(in crate::contact) struct PolyhedralProgram<const D: usize> {
    /// The directions of a contact before they are turned, and how they are.
    corners: Vec<Corner>,
    polygon: FrictionPolygon,
    /// The `d_j` of all contacts, one after the other.
    directions: Vec<SVector<f64, D>>,
    /// `W_nn^-1/2` of each contact.
    scales: Vec<f64>,
    /// The solver that was chosen. Where it is Lemke's method, a search of the modes comes before it in space, and all
    /// bases after it.
    solver: Method,
    other: Option<Solver<Dyn>>,
    modes: ModeSearch<D>,
    lemke: Option<Lemke<Dyn>>,
    solution: Solution<Dyn>,
    /// Steps and pivots of all problems so far, and attempts of the last.
    pub pivots: u32,
    pub attempts: u32,
}

impl<const D: usize> PolyhedralProgram<D> {
    /// Friction along `directions` evenly spread directions; in the plane there are two.
    pub fn new(directions: usize, polygon: FrictionPolygon, solver: Method) -> Self {
        Self {
            solver,
            other: None,
            corners: Corner::regular(if D == 2 { 2 } else { directions.max(3) }),
            polygon,
            directions: Vec::new(),
            scales: Vec::new(),
            modes: ModeSearch::default(),
            lemke: None,
            solution: Solution::empty(Dyn(0)),
            pivots: 0,
            attempts: 0,
        }
    }

    /// Unknowns of the complementarity problem of so many contacts.
    pub fn unknowns(&self, contacts: usize) -> usize {
        contacts * (self.corners.len() + 2)
    }

    /// Solves the complementarity problem; `impulses` are then its answer, or the best guess.
    pub fn solve(&mut self, problem: &DenseProblem<D>, impulses: &mut Vec<SVector<f64, D>>) -> Status {
        let n = problem.contacts();
        self.attempts = 0;
        impulses.clear();
        impulses.resize(n, SVector::zeros());
        self.directions.clear();
        for contact in 0..n {
            self.directions.extend(self.polygon.directions(&self.corners, &problem.free(contact)));
        }
        self.scales.clear();
        self.scales.extend((0..n).map(|i| 1.0 / problem.w[(D * i, D * i)].sqrt()));
        let scales = self.scales.as_slice();
        let unit = problem
            .q
            .iter()
            .enumerate()
            .fold(0.0_f64, |largest, (row, q)| largest.max((q * scales[row / D]).abs()));
        if unit == 0.0 {
            return Status::Solved;
        }
        // In the plane pivoting is quick, and where there are several solutions its choice is known.
        let is_within = self.solver != Method::Enumeration || self.unknowns(n) <= MAX_ENUMERATED;
        if self.solver != Method::Lemke && is_within {
            return self.ask_the_other(problem, unit, impulses);
        }
        if D > 2 && self.find_modes(problem, unit, impulses) {
            return Status::Solved;
        }
        self.pivot(problem, unit, impulses)
    }

    /// Solves the problem by Newton's method on the modes of the contacts; whether that led to a solution.
    fn find_modes(&mut self, problem: &DenseProblem<D>, unit: f64, impulses: &mut [SVector<f64, D>]) -> bool {
        let Self { modes, directions, scales, .. } = self;
        let (is_solved, steps) = modes.search(problem, directions, (scales, unit));
        self.pivots += steps;
        self.attempts = 1;
        if is_solved {
            for ((impulse, r), scale) in impulses.iter_mut().zip(&modes.impulses).zip(scales) {
                *impulse = r * (*scale * unit);
            }
        }
        is_solved
    }

    /// Solves the problem by the solver that was chosen in the place of Lemke's method.
    fn ask_the_other(
        &mut self,
        problem: &DenseProblem<D>,
        unit: f64,
        impulses: &mut [SVector<f64, D>],
    ) -> Status {
        let Ok(lcp) = self.pose(problem, &self.scales, unit) else { return Status::NotApplicable };
        let size = lcp.dim();
        if self.other.is_none() || self.solution.z.len() != size.0 {
            self.other = Some(Solver::new(self.solver, size));
            self.solution = Solution::empty(size);
        }
        let Some(other) = &mut self.other else { return Status::NotApplicable };
        other.solve_into(&lcp, &mut self.solution);
        self.pivots += self.solution.pivots;
        self.attempts = self.solution.attempts;
        self.read(unit, impulses);
        self.solution.status
    }

    /// Solves the problem by Lemke's method.
    fn pivot(&mut self, problem: &DenseProblem<D>, unit: f64, impulses: &mut [SVector<f64, D>]) -> Status {
        let Ok(lcp) = self.pose(problem, &self.scales, unit) else {
            return Status::NotApplicable;
        };
        let size = lcp.dim();
        if self.lemke.is_none() || self.solution.z.len() != size.0 {
            // In the plane no more than two contacts of a face share its load, and rounding alone is zero.
            self.lemke = Some(if D == 2 { Lemke::new(size) } else { Lemke::of_deficient_rank(size) });
            self.solution = Solution::empty(size);
        }
        let Some(lemke) = &mut self.lemke else { return Status::NotApplicable };
        lemke.solve_into(&lcp, &mut self.solution);
        self.pivots += self.solution.pivots;
        self.attempts = self.solution.attempts;
        if !matches!(self.solution.status, Status::Solved | Status::NoSolution) && size.0 <= MAX_ENUMERATED {
            // Every path ended in a ray, which says nothing of whether there is a solution.
            let enumerated = Enumeration::new(size).solve(&lcp);
            self.pivots += enumerated.pivots;
            match enumerated.status {
                Status::Solved => self.solution = enumerated,
                Status::NoSolution => self.solution.status = Status::NoSolution,
                _ => {}
            }
        }
        self.read(unit, impulses);
        self.solution.status
    }

    /// Reads the impulses off the solution.
    fn read(&self, unit: f64, impulses: &mut [SVector<f64, D>]) {
        let (n, k) = (impulses.len(), self.corners.len());
        for (i, impulse) in impulses.iter_mut().enumerate() {
            *impulse = SVector::zeros();
            impulse[0] = self.solution.z[i];
            for j in k * i..k * (i + 1) {
                *impulse += self.directions[j] * self.solution.z[n + j];
            }
            *impulse *= self.scales[i] * unit;
        }
    }

    fn pose(
        &self,
        problem: &DenseProblem<D>,
        scales: &[f64],
        unit: f64,
    ) -> Result<DynamicLcp, crate::lcp::ProblemError> {
        let (n, k) = (problem.contacts(), self.corners.len());
        let of_contact = |i: usize| self.directions[k * i..k * (i + 1)].iter().enumerate();
        let size = self.unknowns(n);
        let mut m = DMatrix::zeros(size, size);
        let mut q = DVector::zeros(size);
        for i in 0..n {
            let free = problem.free(i) * (scales[i] / unit);
            q[i] = free[0];
            for (a, direction) in of_contact(i) {
                let row = n + k * i + a;
                q[row] = direction.dot(&free);
                m[(row, n + n * k + i)] = 1.0;
                m[(n + n * k + i, row)] = -1.0;
            }
            m[(n + n * k + i, i)] = problem.friction[i];
            for j in 0..n {
                let block = problem.w.fixed_view::<D, D>(D * i, D * j) * (scales[i] * scales[j]);
                m[(i, j)] = block[(0, 0)];
                for (b, other) in of_contact(j) {
                    m[(i, n + k * j + b)] = (block * other)[0];
                }
                for (a, along) in of_contact(i) {
                    let of_row = block.tr_mul(along);
                    m[(n + k * i + a, j)] = of_row[0];
                    for (b, other) in of_contact(j) {
                        m[(n + k * i + a, n + k * j + b)] = of_row.dot(other);
                    }
                }
            }
        }
        DynamicLcp::new(m, q)
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{SMatrix, Vector3};
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    use super::*;

    /// Contacts at `arms` from the centre of mass of a body with unit mass and inertia, at this velocity.
    fn body(arms: &[Vector3<f64>], velocity: &SVector<f64, 6>, friction: f64) -> DenseProblem<3> {
        let frame = SMatrix::<f64, 3, 3>::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
        let rows = |arm: &Vector3<f64>| {
            let mut rows = SMatrix::<f64, 3, 6>::zeros();
            rows.fixed_view_mut::<3, 3>(0, 0).copy_from(&frame);
            rows.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-frame * arm.cross_matrix()));
            rows
        };
        let size = 3 * arms.len();
        let mut all = DMatrix::<f64>::zeros(size, 6);
        for (i, arm) in arms.iter().enumerate() {
            all.fixed_view_mut::<3, 6>(3 * i, 0).copy_from(&rows(arm));
        }
        let q = DVector::from_column_slice((&all * velocity).as_slice());
        DenseProblem { w: &all * all.transpose(), q, friction: vec![friction; arms.len()] }
    }

    fn velocities(problem: &DenseProblem<3>, impulses: &[SVector<f64, 3>]) -> Vec<SVector<f64, 3>> {
        let mut velocities = Vec::new();
        problem.velocities(impulses, &mut velocities);
        velocities
    }

    /// Three contacts or fewer have one solution unless friction is large.
    #[test]
    fn modes_and_pivots_find_the_same_motion_where_there_is_one() {
        let mut rng = StdRng::seed_from_u64(7);
        let (mut found, mut sticking, mut sliding) = (0, 0, 0);
        for trial in 0..600 {
            let mut number = |size: f64| rng.random_range(-size..size);
            let arms: Vec<_> = (0..1 + trial % 3)
                .map(|_| Vector3::new(number(1.0), number(1.0), -1.0 + number(0.2)))
                .collect();
            let velocity = SVector::<f64, 6>::from_fn(|i, _| number(0.5) - f64::from(u8::from(i == 2)));
            let problem = body(&arms, &velocity, 0.3);
            let mut program = PolyhedralProgram::<3>::new(
                [4, 8, 5][trial / 3 % 3],
                FrictionPolygon::Aligned,
                Method::Lemke,
            );
            let mut by_modes = Vec::new();
            assert_eq!(program.solve(&problem, &mut by_modes), Status::Solved);
            let unit = problem
                .q
                .iter()
                .enumerate()
                .fold(0.0_f64, |unit, (row, q)| unit.max((q * program.scales[row / 3]).abs()));
            if !program.find_modes(&problem, unit, &mut by_modes) {
                continue;
            }
            let mut by_pivots = by_modes.clone();
            assert_eq!(program.pivot(&problem, unit, &mut by_pivots), Status::Solved);
            let [a, b] = [&by_modes, &by_pivots].map(|impulses| velocities(&problem, impulses));
            for (i, (a, b)) in a.iter().zip(&b).enumerate() {
                assert!((a - b).amax() < 1e-9, "trial {trial}, contact {i}: {a} {b}");
                let slip = (a[1].hypot(a[2]), by_modes[i][0] > 0.0);
                sticking += u32::from(slip.1 && slip.0 < 1e-12);
                sliding += u32::from(slip.1 && slip.0 > 1e-3);
            }
            found += 1;
        }
        assert!(found >= 550 && sticking > 50 && sliding > 300, "{found} {sticking} {sliding}");
    }

    /// Four corners of a face share the load as springs of equal stiffness would, along whichever path.
    #[test]
    fn the_load_of_a_face_varies_linearly_over_it() {
        let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
        let arms = corners.map(|(x, y)| Vector3::new(x, y, -0.5));
        for (velocity, friction) in [([0.0, 0.0], 0.5), ([3.0, 1.0], 0.2)] {
            let velocity = SVector::<f64, 6>::new(velocity[0], velocity[1], -1.0, 0.02, 0.01, 0.0);
            let problem = body(&arms, &velocity, friction);
            let mut impulses = Vec::new();
            let mut program = PolyhedralProgram::<3>::new(8, FrictionPolygon::Aligned, Method::Lemke);
            assert_eq!(program.solve(&problem, &mut impulses), Status::Solved);
            assert!(program.pivots <= 2, "{}", program.pivots);
            let loads: Vec<f64> = impulses.iter().map(|r| r[0]).collect();
            assert!(loads.iter().all(|load| *load > 0.05), "{loads:?}");
            assert!((loads[0] - loads[1] + loads[2] - loads[3]).abs() < 1e-8, "{loads:?}");
        }
    }
}
