//! Five to seven variables: chemical and electrical engineering, optimal control.

use super::problem::{INF, at_least, equalities, inequalities, within};
use nalgebra::SVector;
use num_dual::DualNum;

/// Constraints of the problems 80 and 81.
fn spheres<T: DualNum<Primitive = f64> + Copy>(x: &SVector<T, 5>) -> [T; 3] {
    [
        x[0].powi(2) + x[1].powi(2) + x[2].powi(2) + x[3].powi(2) + x[4].powi(2) - 10.0,
        x[1] * x[2] - x[3] * x[4] * 5.0,
        x[0].powi(3) + x[1].powi(3) + 1.0,
    ]
}

/// Problem 84: coefficients of the objective, then of the three constraints, all of the form
/// `x1 (c0 + c1 x2 + c2 x3 + c3 x4 + c4 x5)`.
const SUGAR: [[f64; 5]; 4] = [
    [-8720288.849, 150512.5253, -156.6950325, 476470.3222, 729482.8271],
    [-145421.402, 2931.1506, -40.427932, 5106.192, 15711.36],
    [-155011.1084, 4360.53352, 12.9492344, 10236.884, 13176.786],
    [-326669.5104, 7390.68412, -27.8986976, 16643.076, 30988.146],
];

fn sugar<T: DualNum<Primitive = f64> + Copy>(x: &SVector<T, 5>, row: usize) -> T {
    let c = &SUGAR[row];
    x[0] * (x[1] * c[1] + x[2] * c[2] + x[3] * c[3] + x[4] * c[4] + c[0])
}

/// Problem 85: what objective and constraints need of the intermediate quantities.
struct Petrochemical<T> {
    y: [T; 17],
    c12: T,
    c15: T,
    c16: T,
    c17: T,
}

fn petrochemical<T: DualNum<Primitive = f64> + Copy>(x: &SVector<T, 5>) -> Petrochemical<T> {
    let y1 = x[1] + x[2] + 41.6;
    let c1 = x[3] * 0.024 - 4.62;
    let y2 = c1.recip() * 12.5 + 12.0;
    let y2x = y2 * x[0];
    let c2 = x[0].powi(2) * 0.0003535 + x[0] * 0.5311 + y2x * 0.08705;
    let c3 = x[0] * 0.052 + y2x * 0.002377 + 78.0;
    let y3 = c2 / c3;
    let y4 = y3 * 19.0;
    let rest = x[0] - y3;
    let c4 = rest * 0.04782 + rest.powi(2) * 0.1956 / x[1] + y4 * 0.6376 + y3 * 1.594;
    let c5 = x[1] * 100.0;
    let c6 = rest - y4;
    let c7 = -(c4 / c5) + 0.95;
    let y5 = c6 * c7;
    let y6 = rest - y5 - y4;
    let c8 = (y5 + y4) * 0.995;
    let y7 = c8 / y1;
    let y8 = c8 / 3798.0;
    let c9 = y7 - y7 / y8 * 0.0663 - 0.3153;
    let y9 = c9.recip() * 96.82 + y1 * 0.321;
    let y10 = y5 * 1.29 + y4 * 1.258 + y3 * 2.29 + y6 * 1.71;
    let y11 = x[0] * 1.71 - y4 * 0.452 + y3 * 0.58;
    let c10 = 12.3 / 752.3;
    let c11 = y2x * 1.74125;
    let c12 = y10 * 0.995 + 1998.0;
    let y12 = x[0] * c10 + c11 / c12;
    let y13 = c12 - y2 * 1.75;
    let c17 = y9 + x[4];
    let y14 = x[1] * 64.4 + x[2] * 58.4 + c17.recip() * 146312.0 + 3623.0;
    let c13 = y10 * 0.995 + x[1] * 60.8 + x[3] * 48.0 - y14 * 0.1121 - 5095.0;
    let y15 = y13 / c13;
    let y16 = -y15 * 331000.0 + y13 * 40.0 - y15 * y13 * 61.0 + 148000.0;
    let c14 = y10 * 2324.0 - y2 * 28740000.0;
    let y17 = -y10 * 1328.0 - y11 * 531.0 + c14 / c12 + 14130000.0;
    let c15 = y13 / y15 - y13 / 0.52;
    let c16 = -y15 * 0.72 + 1.104;
    let y = [y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17];
    Petrochemical { y, c12, c15, c16, c17 }
}

/// Bounds on the intermediate quantities y1 to y17 of problem 85.
const PETROCHEMICAL_LOWER: [f64; 17] = [
    213.1, 17.505, 11.275, 214.228, 7.458, 0.961, 1.612, 0.146, 107.99, 922.693, 926.832, 18.766, 1072.163,
    8961.448, 0.063, 71084.33, 2802713.0,
];
const PETROCHEMICAL_UPPER: [f64; 17] = [
    405.23, 1053.6667, 35.03, 665.585, 584.463, 265.916, 7.046, 0.222, 273.366, 1286.105, 1444.046, 537.141,
    3247.039, 26844.086, 0.386, 140000.0, 12146108.0,
];

/// The problems 86 and 117 (its dual) share these data: linear, quadratic and cubic costs, and the
/// constraints `A x >= b`.
pub const LINEAR: [f64; 5] = [-15.0, -27.0, -36.0, -18.0, -12.0];
pub const QUADRATIC: [[f64; 5]; 5] = [
    [30.0, -20.0, -10.0, 32.0, -10.0],
    [-20.0, 39.0, -6.0, -31.0, 32.0],
    [-10.0, -6.0, 10.0, -6.0, -10.0],
    [32.0, -31.0, -6.0, 39.0, -20.0],
    [-10.0, 32.0, -10.0, -20.0, 30.0],
];
pub const CUBIC: [f64; 5] = [4.0, 8.0, 10.0, 6.0, 2.0];
pub const A: [[f64; 5]; 10] = [
    [-16.0, 2.0, 0.0, 1.0, 0.0],
    [0.0, -2.0, 0.0, 0.4, 2.0],
    [-3.5, 0.0, 2.0, 0.0, 0.0],
    [0.0, -2.0, 0.0, -4.0, -1.0],
    [0.0, -9.0, -2.0, 1.0, -2.8],
    [2.0, 0.0, -4.0, 0.0, 0.0],
    [-1.0, -1.0, -1.0, -1.0, -1.0],
    [-1.0, -2.0, -3.0, -2.0, -1.0],
    [1.0, 2.0, 3.0, 4.0, 5.0],
    [1.0, 1.0, 1.0, 1.0, 1.0],
];
pub const B: [f64; 10] = [-40.0, -2.0, -0.25, -4.0, -4.0, -1.0, -40.0, -60.0, 5.0, 1.0];

/// Objective of the problems 95 to 98.
fn price<T: DualNum<Primitive = f64> + Copy>(x: &SVector<T, 6>) -> T {
    x[0] * 4.3 + x[1] * 31.8 + x[2] * 63.3 + x[3] * 15.8 + x[4] * 68.5 + x[5] * 4.7
}

/// Constraints of the problems 95 to 98, which differ in their right-hand sides.
fn reductions<T: DualNum<Primitive = f64> + Copy>(x: &SVector<T, 6>) -> [T; 4] {
    [
        x[0] * 17.1 + x[1] * 38.2 + x[2] * 204.2 + x[3] * 212.3 + x[4] * 623.4 + x[5] * 1495.5
            - x[0] * x[2] * 169.0
            - x[2] * x[4] * 3580.0
            - x[3] * x[4] * 3810.0
            - x[3] * x[5] * 18500.0
            - x[4] * x[5] * 24300.0,
        x[0] * 17.9 + x[1] * 36.8 + x[2] * 113.9 + x[3] * 169.7 + x[4] * 337.8 + x[5] * 1385.2
            - x[0] * x[2] * 139.0
            - x[3] * x[4] * 2450.0
            - x[3] * x[5] * 16600.0
            - x[4] * x[5] * 17200.0,
        x[1] * -273.0 - x[3] * 70.0 - x[4] * 819.0 + x[3] * x[4] * 26000.0,
        x[0] * 159.9 - x[1] * 311.0 + x[3] * 587.0 + x[4] * 391.0 + x[5] * 2198.0 - x[0] * x[5] * 14000.0,
    ]
}

const REDUCTION_LIMITS: [f64; 6] = [0.31, 0.046, 0.068, 0.042, 0.028, 0.0134];

/// Problem 99: thrust and end of the seven stages of the flight, and the state after them: the
/// height, the horizontal and the vertical speed.
const STAGES: [(f64, f64); 7] =
    [(50.0, 25.0), (50.0, 50.0), (75.0, 100.0), (75.0, 150.0), (75.0, 200.0), (100.0, 290.0), (100.0, 380.0)];

fn flight<T: DualNum<Primitive = f64> + Copy>(angle: &SVector<T, 7>) -> (T, T, T) {
    let (mut height, mut horizontal, mut vertical) = (T::from(0.0), T::from(0.0), T::from(0.0));
    let mut start = 0.0;
    for (i, (thrust, end)) in STAGES.into_iter().enumerate() {
        let dt = end - start;
        let climb = angle[i].sin() * thrust - 32.0;
        height += climb * (0.5 * dt * dt) + vertical * dt;
        horizontal += angle[i].cos() * (thrust * dt);
        vertical += climb * dt;
        start = end;
    }
    (height, horizontal, vertical)
}

problems! {
    Hs80 = 80: 5 variables, 3 constraints {
        start: [-2.0, 2.0, 2.0, -1.0, -1.0],
        x: within([-2.3, -2.3, -3.2, -3.2, -3.2], [2.3, 2.3, 3.2, 3.2, 3.2]),
        g: equalities(),
        objective: |x| (x[0] * x[1] * x[2] * x[3] * x[4]).exp(),
        constraints: |x| spheres(x),
        solution: [-1.71714294417, 1.59570896503, 1.82724691654, -0.763641279311, -0.763645016315],
        value: 0.0539498477624,
    }

    Hs81 = 81: 5 variables, 3 constraints {
        start: [-2.0, 2.0, 2.0, -1.0, -1.0],
        x: within([-2.3, -2.3, -3.2, -3.2, -3.2], [2.3, 2.3, 3.2, 3.2, 3.2]),
        g: equalities(),
        objective: |x| {
            (x[0] * x[1] * x[2] * x[3] * x[4]).exp() - (x[0].powi(3) + x[1].powi(3) + 1.0).powi(2) * 0.5
        },
        constraints: |x| spheres(x),
        solution: [-1.71714240091, 1.59570833592, 1.82724792592, -0.763647440817, -0.763638975604],
        value: 0.0539498477749,
    }

    Hs83 = 83: 5 variables, 3 constraints {
        start: [78.0, 33.0, 27.0, 27.0, 27.0],
        x: within([78.0, 33.0, 27.0, 27.0, 27.0], [102.0, 45.0, 45.0, 45.0, 45.0]),
        g: within([0.0, 90.0, 20.0], [92.0, 110.0, 25.0]),
        objective: |x| x[2].powi(2) * 5.3578547 + x[0] * x[4] * 0.8356891 + x[0] * 37.293239 - 40792.141,
        constraints: |x| [
            x[1] * x[4] * 0.0056858 + x[0] * x[3] * 0.0006262 - x[2] * x[4] * 0.0022053 + 85.334407,
            x[1] * x[4] * 0.0071317 + x[0] * x[1] * 0.0029955 + x[2].powi(2) * 0.0021813 + 80.51249,
            x[2] * x[4] * 0.0047026 + x[0] * x[2] * 0.0012547 + x[2] * x[3] * 0.0019085 + 9.300961,
        ],
        solution: [78.0, 33.0, 29.9952560253, 45.0, 36.7758129081],
        value: -30665.5386717,
    }

    Hs84 = 84: 5 variables, 3 constraints {
        start: [2.52, 2.0, 37.5, 9.25, 6.8],
        x: within([0.0, 1.2, 20.0, 9.0, 6.5], [1000.0, 2.4, 60.0, 9.3, 7.0]),
        g: within([0.0; 3], [294000.0, 294000.0, 277200.0]),
        objective: |x| -sugar(x, 0) + 24345.0,
        constraints: |x| [sugar(x, 1), sugar(x, 2), sugar(x, 3)],
        solution: [4.53743097466, 2.4, 60.0, 9.3, 7.0],
        value: -5280335.13306,
    }

    /// The book prints -1.90513375 and the validated set repeats its point, but with the value
    /// -1.9051553. That is the right one: this point and value are from the interior-point method
    /// with unrelaxed bounds (residuals below 1e-8), and IPOPT agrees.
    Hs85 = 85: 5 variables, 21 constraints {
        start: [900.0, 80.0, 115.0, 267.0, 27.0],
        x: within([704.4148, 68.6, 0.0, 193.0, 25.0], [906.3855, 288.88, 134.75, 287.0966, 84.1988]),
        g: within(
            std::array::from_fn(|i| if i < 17 { PETROCHEMICAL_LOWER[i] } else { 0.0 }),
            std::array::from_fn(|i| if i < 17 { PETROCHEMICAL_UPPER[i] } else { INF }),
        ),
        objective: |x| {
            let p = petrochemical(x);
            -(p.y[16] * 5.843e-7 - p.y[13] * 1.17e-4 - p.y[12] * 2.358e-5 - p.y[15] * 1.502e-6
                - p.y[11] * 0.0321 - p.y[4] * 0.004324 - p.c15 / p.c16 * 1e-4 - p.y[1] / p.c12 * 37.48
                - 0.1365)
        },
        constraints: |x| {
            let p = petrochemical(x);
            let further = [
                x[1] * 1.5 - x[2],
                p.y[3] - p.y[4] * (0.28 / 0.72),
                -(p.y[1] / p.c12) * 3496.0 + 21.0,
                p.c17.recip() * 62212.0 - p.y[0] - 110.6,
            ];
            std::array::from_fn::<T, 21, _>(|i| if i < 17 { p.y[i] } else { further[i - 17] })
        },
        solution: [705.174536771, 68.6000000825, 102.900000037, 282.324931676, 37.5840969010],
        value: -1.90515524877,
    }

    Hs86 = 86: 5 variables, 10 constraints {
        start: [0.0, 0.0, 0.0, 0.0, 1.0],
        x: at_least([0.0; 5]),
        g: at_least(B),
        objective: |x| {
            let mut cost = T::from(0.0);
            for j in 0..5 {
                cost += x[j] * LINEAR[j] + x[j].powi(3) * CUBIC[j];
                for i in 0..5 {
                    cost += x[i] * x[j] * QUADRATIC[i][j];
                }
            }
            cost
        },
        constraints: |x| A.map(|row| (0..5).map(|j| x[j] * row[j]).sum::<T>()),
        solution: [0.299999999948, 0.333467606492, 0.400000000107, 0.428310104740, 0.223964873676],
        value: -32.3486789716,
    }

    Hs93 = 93: 6 variables, 2 constraints {
        start: [5.54, 4.4, 12.02, 11.82, 0.702, 0.852],
        x: at_least([0.0; 6]),
        g: inequalities(),
        objective: |x| {
            let core = x[0] * x[3] * (x[0] + x[1] + x[2]);
            let copper = x[1] * x[2] * (x[0] + x[1] * 1.57 + x[3]);
            core * 0.0204 + copper * 0.0187 + core * x[4].powi(2) * 0.0607 + copper * x[5].powi(2) * 0.0437
        },
        constraints: |x| {
            let core = x[0] * x[3] * (x[0] + x[1] + x[2]);
            let copper = x[1] * x[2] * (x[0] + x[1] * 1.57 + x[3]);
            [
                x[0] * x[1] * x[2] * x[3] * x[4] * x[5] * 1e-3 - 2.07,
                -core * x[4].powi(2) * 6.2e-4 - copper * x[5].powi(2) * 5.8e-4 + 1.0,
            ]
        },
        solution: [5.33266639884, 4.65674439073, 10.4329901123, 12.0823085893, 0.752607369745, 0.878650836850],
        value: 135.075961229,
    }

    Hs95 = 95: 6 variables, 4 constraints {
        start: [0.0; 6],
        x: within([0.0; 6], REDUCTION_LIMITS),
        g: at_least([4.97, -1.88, -29.08, -78.02]),
        objective: |x| price(x),
        constraints: |x| reductions(x),
        solution: [0.0, 0.0, 0.0, 0.0, 0.0, 0.00332330328612],
        value: 0.0156195144282,
    }

    Hs96 = 96: 6 variables, 4 constraints {
        start: [0.0; 6],
        x: within([0.0; 6], REDUCTION_LIMITS),
        g: at_least([4.97, -1.88, -69.08, -118.02]),
        objective: |x| price(x),
        constraints: |x| reductions(x),
        solution: [0.0, 0.0, 0.0, 0.0, 0.0, 0.00332330328612],
        value: 0.0156195134384,
    }

    Hs97 = 97: 6 variables, 4 constraints {
        start: [0.0; 6],
        x: within([0.0; 6], REDUCTION_LIMITS),
        g: at_least([32.97, 25.12, -29.08, -78.02]),
        objective: |x| price(x),
        constraints: |x| reductions(x),
        solution: [0.268564912352, 0.0, 0.0, 0.0, 0.028, 0.0134],
        value: 3.13580912311,
        local: [4.07124634],
    }

    Hs98 = 98: 6 variables, 4 constraints {
        start: [0.0; 6],
        x: within([0.0; 6], REDUCTION_LIMITS),
        g: at_least([32.97, 25.12, -124.08, -173.02]),
        objective: |x| price(x),
        constraints: |x| reductions(x),
        solution: [0.268564912352, 0.0, 0.0, 0.0, 0.028, 0.0134],
        value: 3.13580912311,
        local: [4.07124634],
    }

    Hs99 = 99: 7 variables, 2 constraints {
        start: [0.5; 7],
        x: within([0.0; 7], [1.58; 7]),
        g: equalities(),
        objective: |x| -flight(x).1.powi(2),
        constraints: |x| {
            let (height, _, vertical) = flight(x);
            [height - 1e5, vertical - 1e3]
        },
        solution: [
            0.542460319142, 0.529015870015, 0.508450583169, 0.480269265187, 0.451235157238, 0.409187805755,
            0.352784693565,
        ],
        value: -831079891.516,
    }
}
