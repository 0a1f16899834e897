//! A solver with its memory solves without allocating.

use stickslip_solve::lcp::{Method, Solution, Solver};

use crate::{contact_problems::polygon_problem, counting_allocator::allocations};

#[test]
fn no_solver_allocates_once_it_is_set_up() {
    for (normal, slip) in [(-0.1, 0.01), (-0.1, 1.0), (0.3, 0.2), (-0.1, 0.0)] {
        let problem = polygon_problem(8, 0.5, normal, [slip, 0.3 * slip]);
        for method in [Method::Lemke, Method::InteriorPoint, Method::Enumeration] {
            let mut solver = Solver::new(method, problem.dim());
            let mut solution = Solution::empty(problem.dim());
            solver.solve_into(&problem, &mut solution);
            let count = allocations(|| solver.solve_into(&problem, &mut solution));
            assert_eq!(count, 0, "{method}, normal {normal}, slip {slip}");
            assert!(solution.is_solved());
        }
    }
}
