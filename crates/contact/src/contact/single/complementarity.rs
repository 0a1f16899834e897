use std::io::{self, Write};

use nalgebra::{Const, SVector};

use super::SingleContact;
use crate::lcp::{Lcp, Method, Solution, Solver};

/// The complementarity problem of a contact with a normal and a friction impulse in the plane (LCP notes 2.7), in the
/// unknowns `(lambda_n, lambda+, lambda-, gamma)`:
///
/// ```text
/// 0 <= lambda_n |  v_z + c >= 0                         v_z = free_z + lambda_n
/// 0 <= lambda+  |  gamma + v_x >= 0                     v_x = free_x + lambda+ - lambda-
/// 0 <= lambda-  |  gamma - v_x >= 0
/// 0 <= gamma    |  mu lambda_n - lambda+ - lambda- >= 0
/// ```
///
/// The matrix is copositive but not semidefinite, for friction depends on the normal impulse.
/// Lemke's method solves it all the same: `M z >= 0`, `z'M z = 0` only has solutions
/// `z = (0, 0, 0, gamma)`, and there `q'z = 0`.
///
/// `closing` is `free_z + c`, negative where the ground has to push; `slip` is `free_x`. Impulses are in m/s: times the
/// response of the contact.
fn point_problem(closing: f64, slip: f64, friction: f64) -> Lcp<4> {
    Lcp::from_arrays(
        [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, -1.0, 1.0], [0.0, -1.0, 1.0, 1.0], [friction, -1.0, -1.0, 0.0]],
        [closing, slip, -slip, 0.0],
    )
}

/// A single contact in the plane as the complementarity problem of Stewart and Trinkle, by the solver that was chosen.
#[derive(Debug, Clone)]
pub struct SingleComplementarity {
    solver: Solver<Const<4>>,
    solution: Solution<Const<4>>,
    /// Whether every problem and its solution is printed.
    pub is_verbose: bool,
}

impl SingleComplementarity {
    /// By the solver `method`.
    pub fn new(method: Method) -> Self {
        Self { solver: Solver::new(method, Const), solution: Solution::empty(Const), is_verbose: false }
    }

    /// The impulse of `contact` in N s and the relative velocity that it leads to in m/s, without the bias, normal first;
    /// `None` where the solver found none. The first number are the pivots, or iterations, the second the attempts.
    pub fn solve<const D: usize>(
        &mut self,
        contact: &SingleContact<D>,
    ) -> (Option<[SVector<f64, D>; 2]>, [u32; 2]) {
        let problem = point_problem(contact.free_opening(), contact.free[D - 1], contact.friction);
        self.solver.solve_into(&problem, &mut self.solution);
        if self.is_verbose {
            self.print(&problem);
        }
        let [normal, plus, minus, gamma] = self.solution.z.data.0[0];
        let mut impulse = SVector::zeros();
        impulse[0] = normal / contact.response;
        impulse[D - 1] = (plus - minus) / contact.response;
        let mut velocity = contact.free;
        if normal > 0.0 {
            // What closes does so exactly, and what is held is so: `gamma = |v|`.
            velocity[0] = 0.0 - contact.bias;
            velocity[D - 1] = if gamma > 0.0 { contact.free[D - 1] + (plus - minus) } else { 0.0 };
        }
        let is_solved = self.solution.is_solved();
        (is_solved.then_some([impulse, velocity]), [self.solution.pivots, self.solution.attempts])
    }

    /// Prints the problem, in units of velocity, and what became of it.
    fn print(&self, problem: &Lcp<4>) {
        let Solution { status, z, w, residual, pivots, attempts } = &self.solution;
        let mut text = format!("{}: {status}, {}\n", self.solver.method(), status.explain());
        text += &format!("  {pivots} pivots in {attempts} attempt(s), residual {residual:.1e}\n");
        for (i, row) in problem.m.row_iter().enumerate() {
            let row: Vec<String> = row.iter().map(|entry| format!("{entry:9.3e}")).collect();
            let (q, z, w) = (problem.q[i], z[i], w[i]);
            text += &format!("  M [{}]  q {q:.17e}  z {z:.17e}  w {w:.17e}\n", row.join(", "));
        }
        // A standard output that is gone leaves nobody to tell.
        let _ = io::stdout().write_all(text.as_bytes());
    }
}
