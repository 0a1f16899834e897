//! Seven to nine variables: geometric programming, maximum likelihood, power networks, geometry.

use super::problem::{INF, equalities, free, inequalities, within};
use nalgebra::SVector;
use num_dual::DualNum;
use std::f64::consts::TAU;

/// Objective of the problems 101 to 103, which differ in the exponent of the last variable.
fn posynomial<T: DualNum<Primitive = f64> + Copy>(x: &SVector<T, 7>, exponent: f64) -> T {
    x[0] * x[3].powi(2) * x[6].powf(exponent) / (x[1] * x[5].powi(3)) * 10.0
        + x[2] * x[3] / (x[0] * x[1].powi(2) * x[4] * x[6].sqrt()) * 15.0
        + x[1] * x[5] / (x[0].powi(2) * x[3] * x[4].powi(2)) * 20.0
        + x[0].powi(2) * x[1].powi(2) * x[4].sqrt() * x[6] / (x[2] * x[5].powi(2)) * 25.0
}

/// Constraints of the problems 101 to 103: four posynomials of at most 1, and the objective
/// between 100 and 3000.
fn posynomials<T: DualNum<Primitive = f64> + Copy>(x: &SVector<T, 7>, exponent: f64) -> [T; 5] {
    [
        x[0].sqrt() * x[6] / (x[2] * x[5].powi(2)) * 0.5
            + x[0].powi(3) * x[1] * x[5] * x[6].sqrt() / x[2].powi(2) * 0.7
            + x[2] * x[5].powf(2.0 / 3.0) * x[6].powf(0.25) / (x[1] * x[3].sqrt()) * 0.2,
        x[1] * x[5] / (x[0].sqrt() * x[2] * x[4]) * 1.3
            + x[2] * x[5].powi(2) / (x[3] * x[4]) * 0.8
            + x[1].sqrt() * x[5].cbrt() / (x[0] * x[3].powi(2) * x[4]) * 3.1,
        x[0] * x[4] * x[6].cbrt() / (x[2].powf(1.5) * x[5]) * 2.0
            + x[1] * x[4] / (x[2].sqrt() * x[5] * x[6].sqrt()) * 0.1
            + x[1] * x[2].sqrt() * x[4] / x[0]
            + x[2] * x[4] * x[6] / (x[1].powi(2) * x[5]) * 0.65,
        x[1] * x[4].sqrt() * x[6].cbrt() / (x[0].powi(2) * x[3]) * 0.2
            + x[0].sqrt() * x[1].powi(2) * x[2] * x[3].cbrt() * x[6].powf(0.25) / x[4].powf(2.0 / 3.0) * 0.3
            + x[2] * x[4] * x[6].powf(0.75) / (x[0].powi(3) * x[1].powi(2)) * 0.4
            + x[3] * x[6].sqrt() / x[2].powi(2) * 0.5,
        posynomial(x, exponent),
    ]
}

const POSYNOMIAL_LOWER: [f64; 7] = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.01];

/// Objective of problem 104, which is bounded by a constraint too.
fn reactor<T: DualNum<Primitive = f64> + Copy>(x: &SVector<T, 8>) -> T {
    ((x[0] / x[6]).powf(0.67) + (x[1] / x[7]).powf(0.67)) * 0.4 + 10.0 - x[0] - x[1]
}

/// Problem 105: measured values and how often each occurs.
const SAMPLE: [(f64, u32); 30] = [
    (95.0, 1),
    (105.0, 1),
    (110.0, 4),
    (115.0, 4),
    (120.0, 15),
    (125.0, 15),
    (130.0, 15),
    (135.0, 13),
    (140.0, 21),
    (145.0, 12),
    (150.0, 17),
    (155.0, 4),
    (160.0, 20),
    (165.0, 8),
    (170.0, 17),
    (175.0, 8),
    (180.0, 6),
    (185.0, 6),
    (190.0, 7),
    (195.0, 4),
    (200.0, 3),
    (205.0, 3),
    (210.0, 8),
    (215.0, 1),
    (220.0, 6),
    (230.0, 5),
    (235.0, 1),
    (240.0, 7),
    (245.0, 1),
    (260.0, 2),
];

problems! {
    Hs100 = 100: 7 variables, 4 constraints {
        start: [1.0, 2.0, 0.0, 4.0, 0.0, 1.0, 1.0],
        x: free(),
        g: inequalities(),
        objective: |x| {
            (x[0] - 10.0).powi(2) + (x[1] - 12.0).powi(2) * 5.0 + x[2].powi(4) + (x[3] - 11.0).powi(2) * 3.0
                + x[4].powi(6) * 10.0 + x[5].powi(2) * 7.0 + x[6].powi(4)
                - x[5] * x[6] * 4.0 - x[5] * 10.0 - x[6] * 8.0
        },
        constraints: |x| [
            x[0].powi(2) * -2.0 - x[1].powi(4) * 3.0 - x[2] - x[3].powi(2) * 4.0 - x[4] * 5.0 + 127.0,
            x[0] * -7.0 - x[1] * 3.0 - x[2].powi(2) * 10.0 - x[3] + x[4] + 282.0,
            x[0] * -23.0 - x[1].powi(2) - x[5].powi(2) * 6.0 + x[6] * 8.0 + 196.0,
            x[0].powi(2) * -4.0 - x[1].powi(2) + x[0] * x[1] * 3.0 - x[2].powi(2) * 2.0 - x[5] * 5.0
                + x[6] * 11.0,
        ],
        solution: [
            2.33049937431, 1.95137237315, -0.477541392625, 4.36572623462, -0.624486970475, 1.03813101881,
            1.59422671137,
        ],
        value: 680.630057275,
    }

    Hs101 = 101: 7 variables, 5 constraints {
        start: [6.0; 7],
        x: within(POSYNOMIAL_LOWER, [10.0; 7]),
        g: within([-INF, -INF, -INF, -INF, 100.0], [1.0, 1.0, 1.0, 1.0, 3000.0]),
        objective: |x| posynomial(x, -0.25),
        constraints: |x| posynomials(x, -0.25),
        solution: [
            2.85615855584, 0.610823030755, 2.15081256203, 4.71287370945, 0.999487540961, 1.34750750498,
            0.0316527664991,
        ],
        value: 1809.76476556,
    }

    Hs102 = 102: 7 variables, 5 constraints {
        start: [6.0; 7],
        x: within(POSYNOMIAL_LOWER, [10.0; 7]),
        g: within([-INF, -INF, -INF, -INF, 100.0], [1.0, 1.0, 1.0, 1.0, 3000.0]),
        objective: |x| posynomial(x, 0.125),
        constraints: |x| posynomials(x, 0.125),
        solution: [
            3.89625319099, 0.809358760118, 2.66438599373, 4.30091287458, 0.853554935267, 1.09528744459,
            0.0273104596581,
        ],
        value: 911.880571336,
    }

    Hs103 = 103: 7 variables, 5 constraints {
        start: [6.0; 7],
        x: within(POSYNOMIAL_LOWER, [10.0; 7]),
        g: within([-INF, -INF, -INF, -INF, 100.0], [1.0, 1.0, 1.0, 1.0, 3000.0]),
        objective: |x| posynomial(x, 0.5),
        constraints: |x| posynomials(x, 0.5),
        solution: [
            4.39410451026, 0.854468738817, 2.84323031380, 3.39997866779, 0.722926133025, 0.870406381840,
            0.0246388263302,
        ],
        value: 543.667958424,
    }

    Hs104 = 104: 8 variables, 5 constraints {
        start: [6.0, 3.0, 0.4, 0.2, 6.0, 6.0, 1.0, 0.5],
        x: within([0.1; 8], [10.0; 8]),
        g: within([0.0, 0.0, 0.0, 0.0, 1.0], [INF, INF, INF, INF, 4.2]),
        objective: |x| reactor(x),
        constraints: |x| [
            x[4] * x[6] * -0.0588 - x[0] * 0.1 + 1.0,
            x[5] * x[7] * -0.0588 - x[0] * 0.1 - x[1] * 0.1 + 1.0,
            -(x[2] * 4.0 + x[2].powf(-0.71) * 2.0) / x[4] - x[2].powf(-1.3) * x[6] * 0.0588 + 1.0,
            -(x[3] * 4.0 + x[3].powf(-0.71) * 2.0) / x[5] - x[3].powf(-1.3) * x[7] * 0.0588 + 1.0,
            reactor(x),
        ],
        solution: [
            6.46511402796, 2.23270864907, 0.667397491303, 0.595756422907, 5.93267567811, 5.52723456506,
            1.01332200907, 0.400668229166,
        ],
        value: 3.95116343955,
    }

    /// Maximum likelihood of a mixture of three normal distributions. Book and validated set print
    /// 1138.4162396; their program cuts exponents off at -10. This point and value are from the
    /// interior-point method with unrelaxed bounds (residuals below 2e-8), and IPOPT agrees.
    Hs105 = 105: 8 variables, 1 constraints {
        start: [0.1, 0.2, 100.0, 125.0, 175.0, 11.2, 13.2, 15.8],
        x: within(
            [0.001, 0.001, 100.0, 130.0, 170.0, 5.0, 5.0, 5.0],
            [0.499, 0.499, 180.0, 210.0, 240.0, 25.0, 25.0, 25.0],
        ),
        g: inequalities(),
        objective: |x| {
            let normal = |weight: T, mean: T, deviation: T, y: f64| {
                let scaled = (-mean + y) / deviation;
                weight / deviation * (scaled.powi(2) * -0.5).exp()
            };
            let mut likelihood = T::from(0.0);
            for (y, count) in SAMPLE {
                let density = normal(x[0], x[2], x[5], y)
                    + normal(x[1], x[3], x[6], y)
                    + normal(-x[0] - x[1] + 1.0, x[4], x[7], y);
                likelihood += (density / TAU.sqrt()).ln() * f64::from(count);
            }
            -likelihood
        },
        constraints: |x| [-x[0] - x[1] + 1.0],
        solution: [
            0.397111325133, 0.427039636943, 130.896482705, 163.894802683, 218.684615132, 12.1590662441,
            16.6163014799, 20.0192021493,
        ],
        value: 1138.41066367,
    }

    /// Scaled as in the book: the first three constraints are of order one, the others of 1e6.
    Hs106 = 106: 8 variables, 6 constraints {
        start: [5000.0, 5000.0, 5000.0, 200.0, 350.0, 150.0, 225.0, 425.0],
        x: within(
            [100.0, 1000.0, 1000.0, 10.0, 10.0, 10.0, 10.0, 10.0],
            [10000.0, 10000.0, 10000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0],
        ),
        g: inequalities(),
        objective: |x| x[0] + x[1] + x[2],
        constraints: |x| [
            (x[3] + x[5]) * -0.0025 + 1.0,
            (x[4] + x[6] - x[3]) * -0.0025 + 1.0,
            (x[7] - x[4]) * -0.01 + 1.0,
            x[0] * x[5] - x[3] * 833.33252 - x[0] * 100.0 + 83333.333,
            x[1] * x[6] - x[4] * 1250.0 - x[1] * x[3] + x[3] * 1250.0,
            x[2] * x[7] - x[2] * x[4] + x[4] * 2500.0 - 1250000.0,
        ],
        solution: [579.30668, 1359.9707, 5109.9707, 182.01770, 295.60117, 217.98230, 286.41653, 395.60117],
        value: 7049.2480,
    }

    Hs107 = 107: 9 variables, 6 constraints {
        start: [0.8, 0.8, 0.2, 0.2, 1.0454, 1.0454, 1.0454, 0.0, 0.0],
        x: within(
            [0.0, 0.0, -INF, -INF, 0.90909, 0.90909, 0.90909, -INF, -INF],
            [INF, INF, INF, INF, 1.0909, 1.0909, 1.0909, INF, INF],
        ),
        g: equalities(),
        objective: |x| x[0] * 3000.0 + x[0].powi(3) * 1000.0 + x[1] * 2000.0 + x[1].powi(3) * 666.66666667,
        constraints: |x| {
            let (c, d) = (48.4 / 50.176 * 0.25f64.sin(), 48.4 / 50.176 * 0.25f64.cos());
            let ((y1, y2), (y3, y4)) = (x[7].sin_cos(), x[8].sin_cos());
            let (y5, y6) = (x[7] - x[8]).sin_cos();
            let (p, q, r) = (x[4] * x[5], x[4] * x[6], x[5] * x[6]);
            [
                -x[0] + x[4].powi(2) * (2.0 * c) - p * (y1 * d + y2 * c) - q * (y3 * d + y4 * c) + 0.4,
                -x[1] + x[5].powi(2) * (2.0 * c) + p * (y1 * d - y2 * c) + r * (y5 * d - y6 * c) + 0.4,
                x[6].powi(2) * (2.0 * c) + q * (y3 * d - y4 * c) - r * (y5 * d + y6 * c) + 0.8,
                -x[2] + x[4].powi(2) * (2.0 * d) + p * (y1 * c - y2 * d) + q * (y3 * c - y4 * d) + 0.2,
                -x[3] + x[5].powi(2) * (2.0 * d) - p * (y1 * c + y2 * d) - r * (y5 * c + y6 * d) + 0.2,
                x[6].powi(2) * (2.0 * d) - q * (y3 * c + y4 * d) + r * (y5 * c - y6 * d) - 0.337,
            ]
        },
        solution: [
            0.667009506909, 1.02238816675, 0.228287932605, 0.184821729352, 1.0909, 1.0909, 1.06903593236,
            0.106612642267, -0.338786658776,
        ],
        value: 5055.01180339,
    }

    /// The hexagon of diameter one and greatest area. The bounds 0 and 1 are those of the validated
    /// set, and exclude mirror images; the book has `x9 >= 0` alone.
    Hs108 = 108: 9 variables, 13 constraints {
        start: [1.0; 9],
        x: within([0.0; 9], [1.0; 9]),
        g: inequalities(),
        objective: |x| {
            (x[0] * x[3] - x[1] * x[2] + x[2] * x[8] - x[4] * x[8] + x[4] * x[7] - x[5] * x[6]) * -0.5
        },
        constraints: |x| {
            let within_one = |a: T, b: T| -a.powi(2) - b.powi(2) + 1.0;
            [
                within_one(x[2], x[3]),
                -x[8].powi(2) + 1.0,
                within_one(x[4], x[5]),
                within_one(x[0], x[1] - x[8]),
                within_one(x[0] - x[4], x[1] - x[5]),
                within_one(x[0] - x[6], x[1] - x[7]),
                within_one(x[2] - x[4], x[3] - x[5]),
                within_one(x[2] - x[6], x[3] - x[7]),
                within_one(x[6], x[7] - x[8]),
                x[0] * x[3] - x[1] * x[2],
                x[2] * x[8],
                -x[4] * x[8],
                x[4] * x[7] - x[5] * x[6],
            ]
        },
        solution: [
            0.884129216724, 0.467242472598, 0.0374207573677, 0.999299598210, 0.884129216724, 0.467242472594,
            0.0374207573618, 0.999299598210, 0.0,
        ],
        value: -0.866025403841,
    }

    Hs109 = 109: 9 variables, 9 constraints {
        start: [0.0, 0.0, 0.0, 0.0, 250.0, 250.0, 200.0, 0.0, 0.0],
        x: within(
            [0.0, 0.0, -0.55, -0.55, 196.0, 196.0, 196.0, -400.0, -400.0],
            [INF, INF, 0.55, 0.55, 252.0, 252.0, 252.0, 800.0, 800.0],
        ),
        g: within([-0.55, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.55, INF, INF, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        objective: |x| x[0] * 3.0 + x[0].powi(3) * 1e-6 + x[1].powi(3) * 5.22074e-7 + x[1] * 2.0,
        constraints: |x| {
            let (sin, cos) = (0.25f64.sin(), 0.25f64.cos());
            let (u, v, w) = (x[4], x[5], x[6]);
            let ((s1, c1), (s2, c2)) = ((-x[2] - 0.25).sin_cos(), (-x[3] - 0.25).sin_cos());
            let ((s3, c3), (s4, c4)) = ((x[2] - 0.25).sin_cos(), (x[2] - x[3] - 0.25).sin_cos());
            let ((s5, c5), (s6, c6)) = ((x[3] - 0.25).sin_cos(), (x[3] - x[2] - 0.25).sin_cos());
            [
                x[3] - x[2],
                -x[0].powi(2) - x[7].powi(2) + 2250000.0,
                -x[1].powi(2) - x[8].powi(2) + 2250000.0,
                (u * v * s1 + u * w * s2 + u.powi(2) * (2.0 * sin)) / 50.176 - x[0] + 400.0,
                (u * v * s3 + v * w * s4 + v.powi(2) * (2.0 * sin)) / 50.176 - x[1] + 400.0,
                (u * w * s5 + v * w * s6 + w.powi(2) * (2.0 * sin)) / 50.176 + 881.779,
                (u * v * c1 + u * w * c2 - u.powi(2) * (2.0 * cos)) / 50.176 + u.powi(2) * 7.533e-4 + x[7] - 200.0,
                (u * v * c3 + v * w * c4 - v.powi(2) * (2.0 * cos)) / 50.176 + v.powi(2) * 7.533e-4 + x[8] - 200.0,
                (u * w * c5 + v * w * c6 - w.powi(2) * (2.0 * cos)) / 50.176 + w.powi(2) * 7.533e-4 - 22.938,
            ]
        },
        solution: [
            674.888100445, 1134.17039470, 0.133569060261, -0.371152592466, 252.0, 252.0, 201.464535316,
            426.660777226, 368.494083867,
        ],
        value: 5362.06927538,
    }
}
