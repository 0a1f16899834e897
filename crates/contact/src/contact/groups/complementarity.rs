use nalgebra::{DMatrix, DVector, Dyn, SMatrix};

use super::{GROUPS, ROWS, Rows, group_norm};
use crate::{
    contact::{DenseProblem, FrictionPolygon},
    lcp::{DynamicLcp, Enumeration, Lemke, MAX_ENUMERATED, Method, Solver, Status},
};

/// The complementarity problem of Stewart and Trinkle (1996) with a group of directions `d_j` and one speed `gamma_g` for each
/// group of a contact, in scaled rows:
///
/// ```text
/// u_n                 >= 0   |   r_n     >= 0
/// d_j . u + gamma_g   >= 0   |   beta_j  >= 0,   r = n r_n + sum beta_j d_j
/// r_n - sum_g beta_j  >= 0   |   gamma_g >= 0
/// ```
///
/// Groups of one row have two directions, and are exact. Of two rows they have a polygon, and of three, sliding and drilling,
/// three axes both ways. The first direction is along what the group would do without contacts ([`free_rates`]).
#[derive(Debug, Clone)]
pub(in crate::contact) struct GroupedComplementarity {
    /// Corners of the polygon of a group of two rows.
    directions: usize,
    polygon: FrictionPolygon,
    /// `None`: Lemke's method.
    solver: Option<Method>,
    /// Pivots of the last problem, and attempts.
    pub pivots: u32,
    pub attempts: u32,
}

impl GroupedComplementarity {
    /// Friction along so many directions where a group has two rows.
    pub fn new(directions: usize, polygon: FrictionPolygon, solver: Option<Method>) -> Self {
        Self { directions: directions.max(3), polygon, solver, pivots: 0, attempts: 0 }
    }

    /// Solves the complementarity problem; `impulses` are then its answer, or the best guess.
    pub fn solve(&mut self, problem: &DenseProblem<ROWS>, impulses: &mut Vec<Rows>) -> Status {
        impulses.clear();
        impulses.resize(problem.contacts(), Rows::zeros());
        (self.pivots, self.attempts) = (0, 0);
        let scales: Vec<f64> =
            (0..problem.contacts()).map(|i| 1.0 / problem.w[(ROWS * i, ROWS * i)].sqrt()).collect();
        let unit =
            (0..problem.q.len()).map(|row| (problem.q[row] * scales[row / ROWS]).abs()).fold(0.0, f64::max);
        if unit == 0.0 {
            return Status::Solved;
        }
        let columns = self.columns(problem);
        let Ok(lcp) = pose(problem, &columns, (&scales, unit)) else { return Status::NotApplicable };
        let size = lcp.dim();
        let solution = match self.solver {
            Some(method) if method != Method::Lemke && size.0 <= MAX_ENUMERATED => {
                Solver::<Dyn>::new(method, size).solve(&lcp)
            }
            Some(Method::InteriorPoint) => Solver::<Dyn>::new(Method::InteriorPoint, size).solve(&lcp),
            _ => {
                let mut solution = Lemke::of_deficient_rank(size).solve(&lcp);
                if !matches!(solution.status, Status::Solved | Status::NoSolution) && size.0 <= MAX_ENUMERATED
                {
                    let pivots = solution.pivots;
                    solution = Enumeration::new(size).solve(&lcp);
                    solution.pivots += pivots;
                }
                solution
            }
        };
        (self.pivots, self.attempts) = (solution.pivots, solution.attempts);
        for (column, share) in columns.impulses.iter().zip(&solution.z) {
            impulses[column.contact] += column.direction * (share * scales[column.contact] * unit);
        }
        solution.status
    }

    /// What the unknowns are.
    fn columns(&self, problem: &DenseProblem<ROWS>) -> Columns {
        let mut columns = Columns::default();
        for contact in 0..problem.contacts() {
            let mut normal = Rows::zeros();
            normal[0] = 1.0;
            columns.impulses.push(Column { contact, direction: normal });
        }
        for contact in 0..problem.contacts() {
            for group in 0..GROUPS.len() {
                let start = columns.impulses.len();
                let directions = self.directions_of(problem, contact, group);
                columns.impulses.extend(directions.map(|direction| Column { contact, direction }));
                if columns.impulses.len() > start {
                    columns.groups.push((contact, start..columns.impulses.len()));
                }
            }
        }
        columns
    }

    /// The unit directions of a group.
    fn directions_of(
        &self,
        problem: &DenseProblem<ROWS>,
        contact: usize,
        group: usize,
    ) -> impl Iterator<Item = Rows> + use<> {
        let own = problem.own_block(contact);
        let rows: Vec<usize> = GROUPS[group].clone().filter(|row| own[(*row, *row)] > 0.0).collect();
        let free = free_rates(problem, contact, &own);
        let size = group_norm(&free, group);
        let first = match self.polygon {
            FrictionPolygon::Aligned if size > 0.0 => rows.iter().map(|row| free[*row] / size).collect(),
            FrictionPolygon::Aligned | FrictionPolygon::Fixed => {
                let mut axis = vec![0.0; rows.len()];
                axis.iter_mut().take(1).for_each(|entry| *entry = 1.0);
                axis
            }
        };
        let unit: Vec<Vec<f64>> = match first.as_slice() {
            [] => Vec::new(),
            [_] => vec![vec![1.0], vec![-1.0]],
            [x, y] => {
                let corner = |j: usize| {
                    let (sin, cos) = (std::f64::consts::TAU * j as f64 / self.directions as f64).sin_cos();
                    vec![x * cos - y * sin, y * cos + x * sin]
                };
                (0..self.directions).map(corner).collect()
            }
            _ => {
                let frame = crate::world::contact_frame(&nalgebra::Vector3::from_column_slice(&first));
                let axes = (0..3).map(|axis| frame.row(axis).iter().copied().collect::<Vec<f64>>());
                axes.flat_map(|axis| {
                    let back = axis.iter().map(|entry| -entry).collect();
                    [axis, back]
                })
                .collect()
            }
        };
        unit.into_iter().map(move |entries| {
            let mut direction = Rows::zeros();
            rows.iter().zip(entries).for_each(|(row, entry)| direction[*row] = entry);
            direction
        })
    }
}

/// What a contact would do without impulses, and roll without those of rolling: what presses it along its tangents has it roll,
/// so far as friction holds it by the normal impulse that it would have alone.
fn free_rates(problem: &DenseProblem<ROWS>, contact: usize, own: &SMatrix<f64, ROWS, ROWS>) -> Rows {
    let mut rates = problem.free(contact);
    let sticking: Vec<usize> = GROUPS[0].clone().filter(|row| own[(*row, *row)] > 0.0).collect();
    let part = |i: usize, j: usize| own[(sticking[i], sticking[j])];
    let block = DMatrix::from_fn(sticking.len(), sticking.len(), part);
    let of_rows = DVector::from_iterator(sticking.len(), sticking.iter().map(|row| rates[*row]));
    if let Some(mut impulse) = block.lu().solve(&of_rows) {
        // In scaled rows friction takes up as much as presses.
        let normal = (-rates[0]).max(0.0) / own[(0, 0)];
        if impulse.norm() > normal {
            impulse = of_rows.normalize() * normal;
        }
        for row in GROUPS[1].clone() {
            let answers =
                sticking.iter().zip(&impulse).map(|(column, impulse)| own[(row, *column)] * impulse);
            rates[row] -= answers.sum::<f64>();
        }
    }
    rates
}

/// One direction of the impulse of a contact.
#[derive(Debug, Clone, Copy)]
struct Column {
    contact: usize,
    direction: Rows,
}

/// The unknowns: shares of impulses, those along the normals first, then a speed for each group.
#[derive(Debug, Clone, Default)]
struct Columns {
    impulses: Vec<Column>,
    /// The contact of each group, and where its directions stand.
    groups: Vec<(usize, std::ops::Range<usize>)>,
}

/// The problem, rows and columns of a contact scaled by `W_nn^-1/2` and velocities in the `unit` of the largest.
fn pose(
    problem: &DenseProblem<ROWS>,
    columns: &Columns,
    (scales, unit): (&[f64], f64),
) -> Result<DynamicLcp, crate::lcp::ProblemError> {
    let Columns { impulses, groups } = columns;
    let size = impulses.len() + groups.len();
    let mut m = DMatrix::zeros(size, size);
    let mut q = DVector::zeros(size);
    for (j, column) in impulses.iter().enumerate() {
        for (i, row) in impulses.iter().enumerate() {
            let block = problem.w.fixed_view::<ROWS, ROWS>(ROWS * row.contact, ROWS * column.contact);
            m[(i, j)] = row.direction.dot(&(block * column.direction))
                * (scales[row.contact] * scales[column.contact]);
        }
        q[j] = column.direction.dot(&problem.free(column.contact)) * (scales[column.contact] / unit);
    }
    for (group, (contact, places)) in groups.iter().enumerate() {
        let row = impulses.len() + group;
        m[(row, *contact)] = 1.0;
        for place in places.clone() {
            m[(place, row)] = 1.0;
            m[(row, place)] = -1.0;
        }
    }
    DynamicLcp::new(m, q)
}
