//! Three to five variables, polynomial for the most part.

use super::problem::{INF, at_least, equalities, free, inequalities, inequalities_first, within};

problems! {
    /// Fit of a Weibull distribution. At the start point the gradient is of size 1e-9.
    Hs25 = 25: 3 variables, 0 constraints {
        start: [100.0, 12.5, 3.0],
        x: within([0.1, 0.0, 0.0], [100.0, 25.6, 5.0]),
        g: free(),
        objective: |x| {
            let residual = |i: i32| {
                let level = 0.01 * f64::from(i);
                let u = 25.0 + (-50.0 * level.ln()).powf(2.0 / 3.0);
                (-((-x[1] + u).ln() * x[2]).exp() / x[0]).exp() - level
            };
            (1..=99).map(|i| residual(i).powi(2)).sum()
        },
        constraints: |_x| [],
        solution: [50.0, 25.0, 1.5],
        value: 0.0,
    }

    Hs26 = 26: 3 variables, 1 constraints {
        start: [-2.6, 2.0, 2.0],
        x: free(),
        g: equalities(),
        objective: |x| (x[0] - x[1]).powi(2) + (x[1] - x[2]).powi(4),
        constraints: |x| [x[0] * (x[1].powi(2) + 1.0) + x[2].powi(4) - 3.0],
        solution: [1.0, 1.0, 1.0],
        value: 0.0,
    }

    /// Objective of the later collections; the book divides it by 100, and its optimum (0.04) too.
    Hs27 = 27: 3 variables, 1 constraints {
        start: [2.0, 2.0, 2.0],
        x: free(),
        g: equalities(),
        objective: |x| (x[0] - 1.0).powi(2) + (x[1] - x[0].powi(2)).powi(2) * 100.0,
        constraints: |x| [x[0] + x[2].powi(2) + 1.0],
        solution: [-1.0, 1.0, 0.0],
        value: 4.0,
    }

    Hs28 = 28: 3 variables, 1 constraints {
        start: [-4.0, 1.0, 1.0],
        x: free(),
        g: equalities(),
        objective: |x| (x[0] + x[1]).powi(2) + (x[1] + x[2]).powi(2),
        constraints: |x| [x[0] + x[1] * 2.0 + x[2] * 3.0 - 1.0],
        solution: [0.5, -0.5, 0.5],
        value: 0.0,
    }

    Hs29 = 29: 3 variables, 1 constraints {
        start: [1.0, 1.0, 1.0],
        x: free(),
        g: inequalities(),
        objective: |x| -x[0] * x[1] * x[2],
        constraints: |x| [-x[0].powi(2) - x[1].powi(2) * 2.0 - x[2].powi(2) * 4.0 + 48.0],
        solution: [4.0, 8f64.sqrt(), 2.0],
        value: -22.627416997970, // -16 sqrt(2)
    }

    Hs30 = 30: 3 variables, 1 constraints {
        start: [1.0, 1.0, 1.0],
        x: within([1.0, -10.0, -10.0], [10.0, 10.0, 10.0]),
        g: inequalities(),
        objective: |x| x[0].powi(2) + x[1].powi(2) + x[2].powi(2),
        constraints: |x| [x[0].powi(2) + x[1].powi(2) - 1.0],
        solution: [1.0, 0.0, 0.0],
        value: 1.0,
    }

    Hs31 = 31: 3 variables, 1 constraints {
        start: [1.0, 1.0, 1.0],
        x: within([-10.0, 1.0, -10.0], [10.0, 10.0, 1.0]),
        g: inequalities(),
        objective: |x| x[0].powi(2) * 9.0 + x[1].powi(2) + x[2].powi(2) * 9.0,
        constraints: |x| [x[0] * x[1] - 1.0],
        solution: [1.0 / 3f64.sqrt(), 3f64.sqrt(), 0.0],
        value: 6.0,
    }

    Hs32 = 32: 3 variables, 2 constraints {
        start: [0.1, 0.7, 0.2],
        x: at_least([0.0; 3]),
        g: inequalities_first(1),
        objective: |x| (x[0] + x[1] * 3.0 + x[2]).powi(2) + (x[0] - x[1]).powi(2) * 4.0,
        constraints: |x| [
            -x[0].powi(3) + x[1] * 6.0 + x[2] * 4.0 - 3.0,
            -x[0] - x[1] - x[2] + 1.0,
        ],
        solution: [0.0, 0.0, 1.0],
        value: 1.0,
    }

    Hs33 = 33: 3 variables, 2 constraints {
        start: [0.0, 0.0, 3.0],
        x: within([0.0; 3], [INF, INF, 5.0]),
        g: inequalities(),
        objective: |x| (x[0] - 1.0) * (x[0] - 2.0) * (x[0] - 3.0) + x[2],
        constraints: |x| [
            x[2].powi(2) - x[0].powi(2) - x[1].powi(2),
            x[0].powi(2) + x[1].powi(2) + x[2].powi(2) - 4.0,
        ],
        solution: [0.0, 2f64.sqrt(), 2f64.sqrt()],
        value: -4.585786437627, // sqrt(2) - 6
    }

    Hs34 = 34: 3 variables, 2 constraints {
        start: [0.0, 1.05, 2.9],
        x: within([0.0; 3], [100.0, 100.0, 10.0]),
        g: inequalities(),
        objective: |x| -x[0],
        constraints: |x| [x[1] - x[0].exp(), x[2] - x[1].exp()],
        solution: [10f64.ln().ln(), 10f64.ln(), 10.0],
        value: -0.834032445248, // -ln(ln(10))
    }

    Hs35 = 35: 3 variables, 1 constraints {
        start: [0.5, 0.5, 0.5],
        x: at_least([0.0; 3]),
        g: inequalities(),
        objective: |x| {
            x[0].powi(2) * 2.0 + x[1].powi(2) * 2.0 + x[2].powi(2) + x[0] * x[1] * 2.0 + x[0] * x[2] * 2.0
                - x[0] * 8.0 - x[1] * 6.0 - x[2] * 4.0 + 9.0
        },
        constraints: |x| [-x[0] - x[1] - x[2] * 2.0 + 3.0],
        solution: [4.0 / 3.0, 7.0 / 9.0, 4.0 / 9.0],
        value: 1.0 / 9.0,
    }

    Hs36 = 36: 3 variables, 1 constraints {
        start: [10.0, 10.0, 10.0],
        x: within([0.0; 3], [20.0, 11.0, 42.0]),
        g: inequalities(),
        objective: |x| -x[0] * x[1] * x[2],
        constraints: |x| [-x[0] - x[1] * 2.0 - x[2] * 2.0 + 72.0],
        solution: [20.0, 11.0, 15.0],
        value: -3300.0,
    }

    Hs37 = 37: 3 variables, 1 constraints {
        start: [10.0, 10.0, 10.0],
        x: within([0.0; 3], [42.0; 3]),
        g: within([0.0], [72.0]),
        objective: |x| -x[0] * x[1] * x[2],
        constraints: |x| [x[0] + x[1] * 2.0 + x[2] * 2.0],
        solution: [24.0, 12.0, 12.0],
        value: -3456.0,
    }

    Hs38 = 38: 4 variables, 0 constraints {
        start: [-3.0, -1.0, -3.0, -1.0],
        x: within([-10.0; 4], [10.0; 4]),
        g: free(),
        objective: |x| {
            (x[1] - x[0].powi(2)).powi(2) * 100.0
                + (-x[0] + 1.0).powi(2)
                + (x[3] - x[2].powi(2)).powi(2) * 90.0
                + (-x[2] + 1.0).powi(2)
                + ((x[1] - 1.0).powi(2) + (x[3] - 1.0).powi(2)) * 10.1
                + (x[1] - 1.0) * (x[3] - 1.0) * 19.8
        },
        constraints: |_x| [],
        solution: [1.0; 4],
        value: 0.0,
    }

    Hs39 = 39: 4 variables, 2 constraints {
        start: [2.0; 4],
        x: free(),
        g: equalities(),
        objective: |x| -x[0],
        constraints: |x| [
            x[1] - x[0].powi(3) - x[2].powi(2),
            x[0].powi(2) - x[1] - x[3].powi(2),
        ],
        solution: [1.0, 1.0, 0.0, 0.0],
        value: -1.0,
    }

    Hs40 = 40: 4 variables, 3 constraints {
        start: [0.8; 4],
        x: free(),
        g: equalities(),
        objective: |x| -x[0] * x[1] * x[2] * x[3],
        constraints: |x| [
            x[0].powi(3) + x[1].powi(2) - 1.0,
            x[0].powi(2) * x[3] - x[2],
            x[3].powi(2) - x[1],
        ],
        solution: [
            2f64.powf(-1.0 / 3.0),
            2f64.powf(-0.5),
            2f64.powf(-11.0 / 12.0),
            2f64.powf(-0.25),
        ],
        value: -0.25,
    }

    Hs41 = 41: 4 variables, 1 constraints {
        start: [1.0; 4],
        x: within([0.0; 4], [1.0, 1.0, 1.0, 2.0]),
        g: equalities(),
        objective: |x| -x[0] * x[1] * x[2] + 2.0,
        constraints: |x| [x[0] + x[1] * 2.0 + x[2] * 2.0 - x[3]],
        solution: [2.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 2.0],
        value: 52.0 / 27.0,
    }

    Hs42 = 42: 4 variables, 2 constraints {
        start: [1.0; 4],
        x: free(),
        g: equalities(),
        objective: |x| {
            (x[0] - 1.0).powi(2) + (x[1] - 2.0).powi(2) + (x[2] - 3.0).powi(2) + (x[3] - 4.0).powi(2)
        },
        constraints: |x| [x[0] - 2.0, x[2].powi(2) + x[3].powi(2) - 2.0],
        solution: [2.0, 2.0, 0.72f64.sqrt(), 1.28f64.sqrt()],
        value: 13.857864376269, // 28 - 10 sqrt(2)
    }

    Hs43 = 43: 4 variables, 3 constraints {
        start: [0.0; 4],
        x: free(),
        g: inequalities(),
        objective: |x| {
            x[0].powi(2) + x[1].powi(2) + x[2].powi(2) * 2.0 + x[3].powi(2)
                - x[0] * 5.0 - x[1] * 5.0 - x[2] * 21.0 + x[3] * 7.0
        },
        constraints: |x| {
            let square = [x[0].powi(2), x[1].powi(2), x[2].powi(2), x[3].powi(2)];
            [
                -square[0] - square[1] - square[2] - square[3] - x[0] + x[1] - x[2] + x[3] + 8.0,
                -square[0] - square[1] * 2.0 - square[2] - square[3] * 2.0 + x[0] + x[3] + 10.0,
                -square[0] * 2.0 - square[1] - square[2] - x[0] * 2.0 + x[1] + x[3] + 5.0,
            ]
        },
        solution: [0.0, 1.0, 2.0, -1.0],
        value: -44.0,
    }

    /// The second value belongs to another vertex, (3, 0, 4, 0), which is a local minimum.
    Hs44 = 44: 4 variables, 6 constraints {
        start: [0.0; 4],
        x: at_least([0.0; 4]),
        g: inequalities(),
        objective: |x| {
            x[0] - x[1] - x[2] - x[0] * x[2] + x[0] * x[3] + x[1] * x[2] - x[1] * x[3]
        },
        constraints: |x| [
            -x[0] - x[1] * 2.0 + 8.0,
            -x[0] * 4.0 - x[1] + 12.0,
            -x[0] * 3.0 - x[1] * 4.0 + 12.0,
            -x[2] * 2.0 - x[3] + 8.0,
            -x[2] - x[3] * 2.0 + 8.0,
            -x[2] - x[3] + 5.0,
        ],
        solution: [0.0, 3.0, 0.0, 4.0],
        value: -15.0,
        local: [-13.0],
    }

    Hs45 = 45: 5 variables, 0 constraints {
        start: [2.0; 5],
        x: within([0.0; 5], [1.0, 2.0, 3.0, 4.0, 5.0]),
        g: free(),
        objective: |x| -x[0] * x[1] * x[2] * x[3] * x[4] / 120.0 + 2.0,
        constraints: |_x| [],
        solution: [1.0, 2.0, 3.0, 4.0, 5.0],
        value: 1.0,
    }

    Hs46 = 46: 5 variables, 2 constraints {
        start: [0.5f64.sqrt(), 1.75, 0.5, 2.0, 2.0],
        x: free(),
        g: equalities(),
        objective: |x| {
            (x[0] - x[1]).powi(2) + (x[2] - 1.0).powi(2) + (x[3] - 1.0).powi(4) + (x[4] - 1.0).powi(6)
        },
        constraints: |x| [
            x[0].powi(2) * x[3] + (x[3] - x[4]).sin() - 1.0,
            x[1] + x[2].powi(4) * x[3].powi(2) - 2.0,
        ],
        solution: [1.0; 5],
        value: 0.0,
    }

    Hs47 = 47: 5 variables, 3 constraints {
        start: [2.0, 2f64.sqrt(), -1.0, 2.0 - 2f64.sqrt(), 0.5],
        x: free(),
        g: equalities(),
        objective: |x| {
            (x[0] - x[1]).powi(2) + (x[1] - x[2]).powi(2) + (x[2] - x[3]).powi(4) + (x[3] - x[4]).powi(4)
        },
        constraints: |x| [
            x[0] + x[1].powi(2) + x[2].powi(3) - 3.0,
            x[1] - x[2].powi(2) + x[3] - 1.0,
            x[0] * x[4] - 1.0,
        ],
        solution: [1.0; 5],
        value: 0.0,
    }

    Hs48 = 48: 5 variables, 2 constraints {
        start: [3.0, 5.0, -3.0, 2.0, -2.0],
        x: free(),
        g: equalities(),
        objective: |x| (x[0] - 1.0).powi(2) + (x[1] - x[2]).powi(2) + (x[3] - x[4]).powi(2),
        constraints: |x| [x[0] + x[1] + x[2] + x[3] + x[4] - 5.0, x[2] - (x[3] + x[4]) * 2.0 + 3.0],
        solution: [1.0; 5],
        value: 0.0,
    }

    Hs49 = 49: 5 variables, 2 constraints {
        start: [10.0, 7.0, 2.0, -3.0, 0.8],
        x: free(),
        g: equalities(),
        objective: |x| {
            (x[0] - x[1]).powi(2) + (x[2] - 1.0).powi(2) + (x[3] - 1.0).powi(4) + (x[4] - 1.0).powi(6)
        },
        constraints: |x| [x[0] + x[1] + x[2] + x[3] * 4.0 - 7.0, x[2] + x[4] * 5.0 - 6.0],
        solution: [1.0; 5],
        value: 0.0,
    }

    Hs50 = 50: 5 variables, 3 constraints {
        start: [35.0, -31.0, 11.0, 5.0, -5.0],
        x: free(),
        g: equalities(),
        objective: |x| {
            (x[0] - x[1]).powi(2) + (x[1] - x[2]).powi(2) + (x[2] - x[3]).powi(4) + (x[3] - x[4]).powi(4)
        },
        constraints: |x| [
            x[0] + x[1] * 2.0 + x[2] * 3.0 - 6.0,
            x[1] + x[2] * 2.0 + x[3] * 3.0 - 6.0,
            x[2] + x[3] * 2.0 + x[4] * 3.0 - 6.0,
        ],
        solution: [1.0; 5],
        value: 0.0,
    }
}
