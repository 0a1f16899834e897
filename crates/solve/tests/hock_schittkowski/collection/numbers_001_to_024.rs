//! Two variables.

use super::problem::{INF, at_least, equalities, free, inequalities, inequalities_first, within};
use nalgebra::SVector;
use num_dual::DualNum;
use std::f64::consts::{FRAC_PI_3, PI};

/// Rosenbrock's function, the objective of seven problems.
fn rosenbrock<T: DualNum<Primitive = f64> + Copy>(x: &SVector<T, 2>) -> T {
    (x[1] - x[0].powi(2)).powi(2) * 100.0 + (-x[0] + 1.0).powi(2)
}

problems! {
    Hs1 = 1: 2 variables, 0 constraints {
        start: [-2.0, 1.0],
        x: at_least([-INF, -1.5]),
        g: free(),
        objective: |x| rosenbrock(x),
        constraints: |_x| [],
        solution: [1.0, 1.0],
        value: 0.0,
    }

    /// The local minimum is the book's own, at (-1.2210262, 1.5).
    Hs2 = 2: 2 variables, 0 constraints {
        start: [-2.0, 1.0],
        x: at_least([-INF, 1.5]),
        g: free(),
        objective: |x| rosenbrock(x),
        constraints: |_x| [],
        solution: [1.2243707, 1.5],
        value: 0.0504261879,
        local: [4.941229318],
    }

    Hs3 = 3: 2 variables, 0 constraints {
        start: [10.0, 1.0],
        x: at_least([-INF, 0.0]),
        g: free(),
        objective: |x| x[1] + (x[1] - x[0]).powi(2) * 1e-5,
        constraints: |_x| [],
        solution: [0.0, 0.0],
        value: 0.0,
    }

    Hs4 = 4: 2 variables, 0 constraints {
        start: [1.125, 0.125],
        x: at_least([1.0, 0.0]),
        g: free(),
        objective: |x| (x[0] + 1.0).powi(3) / 3.0 + x[1],
        constraints: |_x| [],
        solution: [1.0, 0.0],
        value: 8.0 / 3.0,
    }

    Hs5 = 5: 2 variables, 0 constraints {
        start: [0.0, 0.0],
        x: within([-1.5, -3.0], [4.0, 3.0]),
        g: free(),
        objective: |x| (x[0] + x[1]).sin() + (x[0] - x[1]).powi(2) - x[0] * 1.5 + x[1] * 2.5 + 1.0,
        constraints: |_x| [],
        solution: [0.5 - FRAC_PI_3, -0.5 - FRAC_PI_3],
        value: -1.913222954981037, // -sqrt(3)/2 - pi/3
    }

    Hs6 = 6: 2 variables, 1 constraints {
        start: [-1.2, 1.0],
        x: free(),
        g: equalities(),
        objective: |x| (-x[0] + 1.0).powi(2),
        constraints: |x| [(x[1] - x[0].powi(2)) * 10.0],
        solution: [1.0, 1.0],
        value: 0.0,
    }

    Hs7 = 7: 2 variables, 1 constraints {
        start: [2.0, 2.0],
        x: free(),
        g: equalities(),
        objective: |x| (x[0].powi(2) + 1.0).ln() - x[1],
        constraints: |x| [(x[0].powi(2) + 1.0).powi(2) + x[1].powi(2) - 4.0],
        solution: [0.0, 3f64.sqrt()],
        value: -1.732050807568877,
    }

    /// A system of equations; the objective is constant and there are four solutions.
    Hs8 = 8: 2 variables, 2 constraints {
        start: [2.0, 1.0],
        x: free(),
        g: equalities(),
        objective: |_x| T::from(-1.0),
        constraints: |x| [x[0].powi(2) + x[1].powi(2) - 25.0, x[0] * x[1] - 9.0],
        solution: {
            let first = ((25.0 + 301f64.sqrt()) / 2.0).sqrt();
            [first, 9.0 / first]
        },
        value: -1.0,
    }

    Hs9 = 9: 2 variables, 1 constraints {
        start: [0.0, 0.0],
        x: free(),
        g: equalities(),
        objective: |x| (x[0] * (PI / 12.0)).sin() * (x[1] * (PI / 16.0)).cos(),
        constraints: |x| [x[0] * 4.0 - x[1] * 3.0],
        solution: [-3.0, -4.0],
        value: -0.5,
    }

    Hs10 = 10: 2 variables, 1 constraints {
        start: [-10.0, 10.0],
        x: free(),
        g: inequalities(),
        objective: |x| x[0] - x[1],
        constraints: |x| [x[0].powi(2) * -3.0 + x[0] * x[1] * 2.0 - x[1].powi(2) + 1.0],
        solution: [0.0, 1.0],
        value: -1.0,
    }

    Hs11 = 11: 2 variables, 1 constraints {
        start: [4.9, 0.1],
        x: free(),
        g: inequalities(),
        objective: |x| (x[0] - 5.0).powi(2) + x[1].powi(2) - 25.0,
        constraints: |x| [x[1] - x[0].powi(2)],
        solution: {
            // the root of 2 x^3 + x = 5, by Cardano's formula
            let root = (7.5 * 6f64.sqrt() + 338.5f64.sqrt()).cbrt();
            let first = (root - root.recip()) / 6f64.sqrt();
            [first, first * first]
        },
        value: -8.498464223,
    }

    Hs12 = 12: 2 variables, 1 constraints {
        start: [0.0, 0.0],
        x: free(),
        g: inequalities(),
        objective: |x| x[0].powi(2) * 0.5 + x[1].powi(2) - x[0] * x[1] - x[0] * 7.0 - x[1] * 7.0,
        constraints: |x| [-x[0].powi(2) * 4.0 - x[1].powi(2) + 25.0],
        solution: [2.0, 3.0],
        value: -30.0,
    }

    /// The optimum is the cusp of the feasible region: no constraint qualification holds and there
    /// are no multipliers, so that a solver of the optimality conditions can only approach it. The
    /// second value is the optimum when all bounds are relaxed by 1e-8, as IPOPT does.
    Hs13 = 13: 2 variables, 1 constraints {
        start: [-2.0, -2.0],
        x: at_least([0.0, 0.0]),
        g: inequalities(),
        objective: |x| (x[0] - 2.0).powi(2) + x[1].powi(2),
        constraints: |x| [(-x[0] + 1.0).powi(3) - x[1]],
        solution: [1.0, 0.0],
        value: 1.0,
        local: [0.9945785],
    }

    Hs14 = 14: 2 variables, 2 constraints {
        start: [2.0, 2.0],
        x: free(),
        g: inequalities_first(1),
        objective: |x| (x[0] - 2.0).powi(2) + (x[1] - 1.0).powi(2),
        constraints: |x| [-x[0].powi(2) / 4.0 - x[1].powi(2) + 1.0, x[0] - x[1] * 2.0 + 1.0],
        solution: [(7f64.sqrt() - 1.0) / 2.0, (7f64.sqrt() + 1.0) / 4.0],
        value: 1.393464980689, // 9 - 23 sqrt(7)/8
    }

    Hs15 = 15: 2 variables, 2 constraints {
        start: [-2.0, 1.0],
        x: within([-INF, -INF], [0.5, INF]),
        g: inequalities(),
        objective: |x| rosenbrock(x),
        constraints: |x| [x[0] * x[1] - 1.0, x[0] + x[1].powi(2)],
        solution: [0.5, 2.0],
        value: 306.5,
    }

    Hs16 = 16: 2 variables, 2 constraints {
        start: [-2.0, 1.0],
        x: within([-0.5, -INF], [0.5, 1.0]),
        g: inequalities(),
        objective: |x| rosenbrock(x),
        constraints: |x| [x[0] + x[1].powi(2), x[0].powi(2) + x[1]],
        solution: [0.5, 0.25],
        value: 0.25,
        local: [23.1446610],
    }

    /// The bound -2 on the first variable is that of the validated set; the book has -0.5, which
    /// its start point violates.
    Hs17 = 17: 2 variables, 2 constraints {
        start: [-2.0, 1.0],
        x: within([-2.0, -INF], [0.5, 1.0]),
        g: inequalities(),
        objective: |x| rosenbrock(x),
        constraints: |x| [x[1].powi(2) - x[0], x[0].powi(2) - x[1]],
        solution: [0.0, 0.0],
        value: 1.0,
    }

    Hs18 = 18: 2 variables, 2 constraints {
        start: [2.0, 2.0],
        x: within([2.0, 0.0], [50.0, 50.0]),
        g: inequalities(),
        objective: |x| x[0].powi(2) * 0.01 + x[1].powi(2),
        constraints: |x| [x[0] * x[1] - 25.0, x[0].powi(2) + x[1].powi(2) - 25.0],
        solution: [250f64.sqrt(), 2.5f64.sqrt()],
        value: 5.0,
    }

    Hs19 = 19: 2 variables, 2 constraints {
        start: [20.1, 5.84],
        x: within([13.0, 0.0], [100.0, 100.0]),
        g: inequalities(),
        objective: |x| (x[0] - 10.0).powi(3) + (x[1] - 20.0).powi(3),
        constraints: |x| [
            (x[0] - 5.0).powi(2) + (x[1] - 5.0).powi(2) - 100.0,
            -(x[0] - 6.0).powi(2) - (x[1] - 5.0).powi(2) + 82.81,
        ],
        solution: [14.095, 5.0 - 17.280975f64.sqrt()],
        value: -6961.81388,
    }

    /// The start is that of the validated set; the book has (-2, 1).
    Hs20 = 20: 2 variables, 3 constraints {
        start: [0.1, 1.0],
        x: within([-0.5, -INF], [0.5, INF]),
        g: inequalities(),
        objective: |x| rosenbrock(x),
        constraints: |x| [
            x[0] + x[1].powi(2),
            x[0].powi(2) + x[1],
            x[0].powi(2) + x[1].powi(2) - 1.0,
        ],
        solution: [0.5, 0.75f64.sqrt()],
        value: 38.198729810778, // 81.5 - 25 sqrt(3)
    }

    Hs21 = 21: 2 variables, 1 constraints {
        start: [-1.0, -1.0],
        x: within([2.0, -50.0], [50.0, 50.0]),
        g: inequalities(),
        objective: |x| x[0].powi(2) * 0.01 + x[1].powi(2) - 100.0,
        constraints: |x| [x[0] * 10.0 - x[1] - 10.0],
        solution: [2.0, 0.0],
        value: -99.96,
    }

    Hs22 = 22: 2 variables, 2 constraints {
        start: [2.0, 2.0],
        x: free(),
        g: inequalities(),
        objective: |x| (x[0] - 2.0).powi(2) + (x[1] - 1.0).powi(2),
        constraints: |x| [-x[0] - x[1] + 2.0, x[1] - x[0].powi(2)],
        solution: [1.0, 1.0],
        value: 1.0,
    }

    Hs23 = 23: 2 variables, 5 constraints {
        start: [3.0, 1.0],
        x: within([-50.0; 2], [50.0; 2]),
        g: inequalities(),
        objective: |x| x[0].powi(2) + x[1].powi(2),
        constraints: |x| [
            x[0] + x[1] - 1.0,
            x[0].powi(2) + x[1].powi(2) - 1.0,
            x[0].powi(2) * 9.0 + x[1].powi(2) - 9.0,
            x[0].powi(2) - x[1],
            x[1].powi(2) - x[0],
        ],
        solution: [1.0, 1.0],
        value: 2.0,
    }

    Hs24 = 24: 2 variables, 3 constraints {
        start: [1.0, 0.5],
        x: at_least([0.0, 0.0]),
        g: inequalities(),
        objective: |x| ((x[0] - 3.0).powi(2) - 9.0) * x[1].powi(3) / (27.0 * 3f64.sqrt()),
        constraints: |x| [
            x[0] / 3f64.sqrt() - x[1],
            x[0] + x[1] * 3f64.sqrt(),
            -x[0] - x[1] * 3f64.sqrt() + 6.0,
        ],
        solution: [3.0, 3f64.sqrt()],
        value: -1.0,
    }
}
