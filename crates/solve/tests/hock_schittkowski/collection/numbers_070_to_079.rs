//! Four and five variables: fits, power generation, quadratic programs, equations.

use super::problem::{INF, at_least, equalities, free, inequalities, inequalities_first, within};
use nalgebra::SVector;
use num_dual::DualNum;

/// Objective of the problems 74 and 75.
fn generation_cost<T: DualNum<Primitive = f64> + Copy>(x: &SVector<T, 4>) -> T {
    x[0] * 3.0 + x[0].powi(3) * 1e-6 + x[1] * 2.0 + x[1].powi(3) * (2e-6 / 3.0)
}

/// Constraints of the problems 74 and 75: the angle between the nodes, then three power balances.
fn power_balance<T: DualNum<Primitive = f64> + Copy>(x: &SVector<T, 4>) -> [T; 4] {
    [
        x[3] - x[2],
        ((-x[2] - 0.25).sin() + (-x[3] - 0.25).sin()) * 1000.0 + 894.8 - x[0],
        ((x[2] - 0.25).sin() + (x[2] - x[3] - 0.25).sin()) * 1000.0 + 894.8 - x[1],
        ((x[3] - 0.25).sin() + (x[3] - x[2] - 0.25).sin()) * 1000.0 + 1294.8,
    ]
}

/// Problem 70: concentrations measured at the times 0.1, 1, 2, ..., 18.
const CONCENTRATIONS: [f64; 19] = [
    0.00189, 0.1038, 0.268, 0.506, 0.577, 0.604, 0.725, 0.898, 0.947, 0.845, 0.702, 0.528, 0.385, 0.257,
    0.159, 0.0869, 0.0453, 0.01509, 0.00189,
];

problems! {
    /// The printed form has 6.2832 for two pi inside the model.
    Hs70 = 70: 4 variables, 1 constraints {
        start: [2.0, 4.0, 0.04, 2.0],
        x: within([1e-5; 4], [100.0, 100.0, 1.0, 100.0]),
        g: inequalities(),
        objective: |x| {
            let b = x[2] + (-x[2] + 1.0) * x[3];
            let gamma = |shape: T, rate: T, time: f64| {
                let scaled = time / 7.658;
                (rate.ln() * shape).exp()
                    * (shape * 1e4 / 62_832.0).sqrt()
                    * ((shape - 1.0) * scaled.ln()).exp()
                    * (shape * (-rate * scaled + 1.0)).exp()
                    * (shape * 12.0 / (shape * 12.0 + 1.0))
            };
            let mut squares = T::from(0.0);
            for (i, measured) in CONCENTRATIONS.iter().enumerate() {
                let time = if i == 0 { 0.1 } else { i as f64 };
                let model = x[2] * gamma(x[1], b, time) + (-x[2] + 1.0) * gamma(x[0], b / x[3], time);
                squares += (model - *measured).powi(2);
            }
            squares
        },
        constraints: |x| [x[2] + (-x[2] + 1.0) * x[3]],
        solution: [12.2769537557, 4.63178796886, 0.312862470961, 2.02929031570],
        value: 0.00749846356143,
    }

    Hs71 = 71: 4 variables, 2 constraints {
        start: [1.0, 5.0, 5.0, 1.0],
        x: within([1.0; 4], [5.0; 4]),
        g: within([25.0, 40.0], [INF, 40.0]),
        objective: |x| x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2],
        constraints: |x| [
            x[0] * x[1] * x[2] * x[3],
            x[0].powi(2) + x[1].powi(2) + x[2].powi(2) + x[3].powi(2),
        ],
        solution: [1.0, 4.74299937545, 3.82115032617, 1.37940824585],
        value: 17.0140172895,
    }

    Hs72 = 72: 4 variables, 2 constraints {
        start: [1.0; 4],
        x: within([1e-3; 4], [4e5, 3e5, 2e5, 1e5]),
        g: inequalities(),
        objective: |x| x[0] + x[1] + x[2] + x[3] + 1.0,
        constraints: |x| [
            -x[0].recip() * 4.0 - x[1].recip() * 2.25 - x[2].recip() - x[3].recip() * 0.25 + 0.0401,
            -x[0].recip() * 0.16 - x[1].recip() * 0.36 - (x[2].recip() + x[3].recip()) * 0.64 + 0.010085,
        ],
        solution: [193.407050141, 179.547504555, 185.018587841, 168.706233485],
        value: 727.679376021,
    }

    Hs73 = 73: 4 variables, 3 constraints {
        start: [1.0; 4],
        x: at_least([0.0; 4]),
        g: inequalities_first(2),
        objective: |x| x[0] * 24.55 + x[1] * 26.75 + x[2] * 39.0 + x[3] * 40.5,
        constraints: |x| {
            let spread = x[0].powi(2) * 0.28 + x[1].powi(2) * 0.19 + x[2].powi(2) * 20.5 + x[3].powi(2) * 0.62;
            [
                x[0] * 2.3 + x[1] * 5.6 + x[2] * 11.1 + x[3] * 1.3 - 5.0,
                x[0] * 12.0 + x[1] * 11.9 + x[2] * 41.8 + x[3] * 52.1 - spread.sqrt() * 1.645 - 21.0,
                x[0] + x[1] + x[2] + x[3] - 1.0,
            ]
        },
        solution: [0.635521568605, 0.0, 0.312701880754, 0.0517765506011],
        value: 29.8943781573,
    }

    Hs74 = 74: 4 variables, 4 constraints {
        start: [0.0; 4],
        x: within([0.0, 0.0, -0.55, -0.55], [1200.0, 1200.0, 0.55, 0.55]),
        g: within([-0.55, 0.0, 0.0, 0.0], [0.55, 0.0, 0.0, 0.0]),
        objective: |x| generation_cost(x),
        constraints: |x| power_balance(x),
        solution: [679.945319802, 1026.06713256, 0.118876364490, -0.396233553180],
        value: 5126.49810934,
    }

    Hs75 = 75: 4 variables, 4 constraints {
        start: [0.0; 4],
        x: within([0.0, 0.0, -0.48, -0.48], [1200.0, 1200.0, 0.48, 0.48]),
        g: within([-0.48, 0.0, 0.0, 0.0], [0.48, 0.0, 0.0, 0.0]),
        objective: |x| generation_cost(x),
        constraints: |x| power_balance(x),
        solution: [776.159220293, 925.194939196, 0.0511087936804, -0.428891137432],
        value: 5174.41288686,
    }

    Hs76 = 76: 4 variables, 3 constraints {
        start: [0.5; 4],
        x: at_least([0.0; 4]),
        g: inequalities(),
        objective: |x| {
            x[0].powi(2) + x[2].powi(2) + (x[1].powi(2) + x[3].powi(2)) * 0.5 - x[0] * x[2] + x[2] * x[3]
                - x[0] - x[1] * 3.0 + x[2] - x[3]
        },
        constraints: |x| [
            -x[0] - x[1] * 2.0 - x[2] - x[3] + 5.0,
            -x[0] * 3.0 - x[1] - x[2] * 2.0 + x[3] + 4.0,
            x[1] + x[2] * 4.0 - 1.5,
        ],
        solution: [0.272727272717, 2.09090909094, 0.0, 0.545454545496],
        value: -4.68181818182,
    }

    Hs77 = 77: 5 variables, 2 constraints {
        start: [2.0; 5],
        x: free(),
        g: equalities(),
        objective: |x| {
            (x[0] - 1.0).powi(2) + (x[0] - x[1]).powi(2) + (x[2] - 1.0).powi(2)
                + (x[3] - 1.0).powi(4) + (x[4] - 1.0).powi(6)
        },
        constraints: |x| [
            x[0].powi(2) * x[3] + (x[3] - x[4]).sin() - 2.0 * 2f64.sqrt(),
            x[1] + x[2].powi(4) * x[3].powi(2) - 8.0 - 2f64.sqrt(),
        ],
        solution: [1.16617219726, 1.18211138813, 1.38025704044, 1.50603627961, 0.610920257517],
        value: 0.241505128786,
    }

    Hs78 = 78: 5 variables, 3 constraints {
        start: [-2.0, 1.5, 2.0, -1.0, -1.0],
        x: free(),
        g: equalities(),
        objective: |x| x[0] * x[1] * x[2] * x[3] * x[4],
        constraints: |x| [
            x[0].powi(2) + x[1].powi(2) + x[2].powi(2) + x[3].powi(2) + x[4].powi(2) - 10.0,
            x[1] * x[2] - x[3] * x[4] * 5.0,
            x[0].powi(3) + x[1].powi(3) + 1.0,
        ],
        solution: [-1.71714234230, 1.59570826805, 1.82724803488, -0.763642946600, -0.763643482853],
        value: -2.91970040911,
    }

    Hs79 = 79: 5 variables, 3 constraints {
        start: [2.0; 5],
        x: free(),
        g: equalities(),
        objective: |x| {
            (x[0] - 1.0).powi(2) + (x[0] - x[1]).powi(2) + (x[1] - x[2]).powi(2)
                + (x[2] - x[3]).powi(4) + (x[3] - x[4]).powi(4)
        },
        constraints: |x| [
            x[0] + x[1].powi(2) + x[2].powi(3) - 2.0 - 3.0 * 2f64.sqrt(),
            x[1] - x[2].powi(2) + x[3] + 2.0 - 2.0 * 2f64.sqrt(),
            x[0] * x[4] - 2.0,
        ],
        solution: [1.19112745626, 1.36260316492, 1.47281793150, 1.63501661894, 1.67908143619],
        value: 0.0787768208538,
    }
}
