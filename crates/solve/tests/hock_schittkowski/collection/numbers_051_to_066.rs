//! Two to seven variables: quadratic programs, fits of data, small engineering problems.

use super::problem::{INF, at_least, equalities, free, inequalities, within};
use nalgebra::SVector;
use num_dual::DualNum;
use std::f64::consts::FRAC_PI_2;

/// Constraints of the problems 51 to 53, which differ in the first right-hand side.
fn tied<T: DualNum<Primitive = f64> + Copy>(x: &SVector<T, 5>, first: f64) -> [T; 3] {
    [x[0] + x[1] * 3.0 - first, x[2] + x[3] - x[4] * 2.0, x[1] - x[4]]
}

/// Objective of the problems 51 to 53, which differ in the weight of the first variable.
fn distances<T: DualNum<Primitive = f64> + Copy>(x: &SVector<T, 5>, weight: f64) -> T {
    (x[0] * weight - x[1]).powi(2) + (x[1] + x[2] - 2.0).powi(2) + (x[3] - 1.0).powi(2) + (x[4] - 1.0).powi(2)
}

/// Problem 57: times and measurements of the fit.
const FIT: [(f64, &[f64]); 18] = [
    (8.0, &[0.49, 0.49]),
    (10.0, &[0.48, 0.47, 0.48, 0.47]),
    (12.0, &[0.46, 0.46, 0.45, 0.43]),
    (14.0, &[0.45, 0.43, 0.43]),
    (16.0, &[0.44, 0.43, 0.43]),
    (18.0, &[0.46, 0.45]),
    (20.0, &[0.42, 0.42, 0.43]),
    (22.0, &[0.41, 0.41, 0.40]),
    (24.0, &[0.42, 0.40, 0.40]),
    (26.0, &[0.41, 0.40, 0.41]),
    (28.0, &[0.41, 0.40]),
    (30.0, &[0.40, 0.40, 0.38]),
    (32.0, &[0.41, 0.40]),
    (34.0, &[0.40]),
    (36.0, &[0.41, 0.38]),
    (38.0, &[0.40, 0.40]),
    (40.0, &[0.39]),
    (42.0, &[0.39]),
];

problems! {
    Hs51 = 51: 5 variables, 3 constraints {
        start: [2.5, 0.5, 2.0, -1.0, 0.5],
        x: free(),
        g: equalities(),
        objective: |x| distances(x, 1.0),
        constraints: |x| tied(x, 4.0),
        solution: [1.0; 5],
        value: 0.0,
    }

    Hs52 = 52: 5 variables, 3 constraints {
        start: [2.0; 5],
        x: free(),
        g: equalities(),
        objective: |x| distances(x, 4.0),
        constraints: |x| tied(x, 0.0),
        solution: [-33.0, 11.0, 180.0, -158.0, 11.0].map(|entry| entry / 349.0),
        value: 1859.0 / 349.0,
    }

    Hs53 = 53: 5 variables, 3 constraints {
        start: [2.0; 5],
        x: within([-10.0; 5], [10.0; 5]),
        g: equalities(),
        objective: |x| distances(x, 1.0),
        constraints: |x| tied(x, 0.0),
        solution: [-33.0, 11.0, 27.0, -5.0, 11.0].map(|entry| entry / 43.0),
        value: 176.0 / 43.0,
    }

    /// A Gaussian whose variables differ by eleven orders of magnitude; it is flat away from its
    /// centre, and there every solver that looks at gradients may stop.
    Hs54 = 54: 6 variables, 1 constraints {
        start: [6e3, 1.5, 4e6, 2.0, 3e-3, 5e7],
        x: within([0.0, -10.0, 0.0, 0.0, 0.0, 0.0], [2e4, 10.0, 1e7, 20.0, 1.0, 2e8]),
        g: equalities(),
        objective: |x| {
            let (first, second) = (x[0] - 1e4, x[1] - 1.0);
            let exponent = (first.powi(2) * 1.5625e-8 + first * second * 5e-5 + second.powi(2)) / 0.96
                + (x[2] - 2e6).powi(2) / 4.9e13
                + (x[3] - 10.0).powi(2) * 4e-4
                + (x[4] - 1e-3).powi(2) * 400.0
                + (x[5] - 1e8).powi(2) * 4e-18;
            -(exponent * -0.5).exp()
        },
        constraints: |x| [x[0] + x[1] * 4e3 - 1.76e4],
        solution: [91600.0 / 7.0, 79.0 / 70.0, 2e6, 10.0, 1e-3, 1e8],
        value: -0.908074758, // -exp(-27/280)
    }

    /// The six equations have rank five. The second vertex value is a local minimum.
    Hs55 = 55: 6 variables, 6 constraints {
        start: [1.0, 2.0, 0.0, 0.0, 0.0, 2.0],
        x: within([0.0; 6], [1.0, INF, INF, 1.0, INF, INF]),
        g: equalities(),
        objective: |x| x[0] + x[1] * 2.0 + x[4] * 4.0 + (x[0] * x[3]).exp(),
        constraints: |x| [
            x[0] + x[1] * 2.0 + x[4] * 5.0 - 6.0,
            x[0] + x[1] + x[2] - 3.0,
            x[3] + x[4] + x[5] - 2.0,
            x[0] + x[3] - 1.0,
            x[1] + x[4] - 2.0,
            x[2] + x[5] - 2.0,
        ],
        solution: [0.0, 4.0 / 3.0, 5.0 / 3.0, 1.0, 2.0 / 3.0, 1.0 / 3.0],
        value: 19.0 / 3.0,
        local: [20.0 / 3.0],
    }

    Hs56 = 56: 7 variables, 4 constraints {
        start: {
            let angle = (1.0 / 4.2f64).sqrt().asin();
            [1.0, 1.0, 1.0, angle, angle, angle, (5.0 / 7.2f64).sqrt().asin()]
        },
        x: free(),
        g: equalities(),
        objective: |x| -x[0] * x[1] * x[2],
        constraints: |x| [
            x[0] - x[3].sin().powi(2) * 4.2,
            x[1] - x[4].sin().powi(2) * 4.2,
            x[2] - x[5].sin().powi(2) * 4.2,
            x[0] + x[1] * 2.0 + x[2] * 2.0 - x[6].sin().powi(2) * 7.2,
        ],
        solution: {
            let angle = (2.0 / 7.0f64).sqrt().asin();
            [2.4, 1.2, 1.2, (4.0 / 7.0f64).sqrt().asin(), angle, angle, FRAC_PI_2]
        },
        value: -3.456,
    }

    /// The second value is that of the best constant: for large `x2` the model does not depend on
    /// `x2` any more, and `x1` is the mean of the measurements after the first time.
    Hs57 = 57: 2 variables, 1 constraints {
        start: [0.42, 5.0],
        x: at_least([0.4, -4.0]),
        g: inequalities(),
        objective: |x| {
            let mut squares = T::from(0.0);
            for (time, measurements) in FIT {
                let model = x[0] + (-x[0] + 0.49) * (x[1] * -(time - 8.0)).exp();
                for measured in measurements {
                    squares += (model - *measured).powi(2);
                }
            }
            squares
        },
        constraints: |x| [-x[0] * x[1] + x[1] * 0.49 - 0.09],
        solution: [0.419952674511, 1.28484562930],
        value: 0.0284596697213,
        local: [0.0306476190476],
    }

    Hs59 = 59: 2 variables, 3 constraints {
        start: [90.0, 10.0],
        x: within([0.0, 0.0], [75.0, 65.0]),
        g: inequalities(),
        objective: |x| {
            let (a, b) = (x[0], x[1]);
            a * 3.8112 - a.powi(2) * 0.12694 + a.powi(3) * 2.0567e-3 - a.powi(4) * 1.0345e-5
                + b * 6.8306
                - a * b * 0.030234 + a.powi(2) * b * 1.28134e-3 - a.powi(3) * b * 3.5256e-5
                + a.powi(4) * b * 2.266e-7
                - b.powi(2) * 0.25645 + b.powi(3) * 3.4604e-3 - b.powi(4) * 1.3514e-5
                + (b + 1.0).recip() * 28.106
                + a.powi(2) * b.powi(2) * 5.2375e-6 + a.powi(3) * b.powi(2) * 6.3e-8
                - a.powi(3) * b.powi(3) * 7e-10
                - a * b.powi(2) * 3.4054e-4 + a * b.powi(3) * 1.6638e-6
                + (a * b * 5e-4).exp() * 2.8673
                - 75.196
        },
        constraints: |x| [
            x[0] * x[1] - 700.0,
            x[1] - x[0].powi(2) * 8e-3,
            (x[1] - 50.0).powi(2) - (x[0] - 55.0) * 5.0,
        ],
        solution: [13.5501042366, 51.6601812877],
        value: -7.80422632408,
    }

    Hs60 = 60: 3 variables, 1 constraints {
        start: [2.0; 3],
        x: within([-10.0; 3], [10.0; 3]),
        g: equalities(),
        objective: |x| (x[0] - 1.0).powi(2) + (x[0] - x[1]).powi(2) + (x[1] - x[2]).powi(4),
        constraints: |x| [
            x[0] * (x[1].powi(2) + 1.0) + x[2].powi(4) - 4.0 - 3.0 * 2f64.sqrt(),
        ],
        solution: [1.10485902423, 1.19667419413, 1.53526225739],
        value: 0.0325682002513,
    }

    Hs61 = 61: 3 variables, 2 constraints {
        start: [0.0; 3],
        x: free(),
        g: equalities(),
        objective: |x| {
            x[0].powi(2) * 4.0 + x[1].powi(2) * 2.0 + x[2].powi(2) * 2.0
                - x[0] * 33.0 + x[1] * 16.0 - x[2] * 24.0
        },
        constraints: |x| [
            x[0] * 3.0 - x[1].powi(2) * 2.0 - 7.0,
            x[0] * 4.0 - x[2].powi(2) - 11.0,
        ],
        solution: [5.32677015744, -2.11899863998, 3.21046423906],
        value: -143.646142201,
    }

    Hs62 = 62: 3 variables, 1 constraints {
        start: [0.7, 0.2, 0.1],
        x: within([0.0; 3], [1.0; 3]),
        g: equalities(),
        objective: |x| {
            let third = x[2] + 0.03;
            let second = third + x[1];
            let first = second + x[0];
            ((first / (x[0] * 0.09 + second)).ln() * 255.0
                + (second / (x[1] * 0.07 + third)).ln() * 280.0
                + (third / (x[2] * 0.13 + 0.03)).ln() * 290.0)
                * -32.174
        },
        constraints: |x| [x[0] + x[1] + x[2] - 1.0],
        solution: [0.617813298210, 0.328202155786, 0.0539845460119],
        value: -26272.5144873,
    }

    Hs63 = 63: 3 variables, 2 constraints {
        start: [2.0; 3],
        x: at_least([0.0; 3]),
        g: equalities(),
        objective: |x| {
            -x[0].powi(2) - x[1].powi(2) * 2.0 - x[2].powi(2) - x[0] * x[1] - x[0] * x[2] + 1000.0
        },
        constraints: |x| [
            x[0] * 8.0 + x[1] * 14.0 + x[2] * 7.0 - 56.0,
            x[0].powi(2) + x[1].powi(2) + x[2].powi(2) - 25.0,
        ],
        solution: [3.51211841492, 0.216988174172, 3.55217403459],
        value: 961.715172127,
    }

    Hs64 = 64: 3 variables, 1 constraints {
        start: [1.0; 3],
        x: at_least([1e-5; 3]),
        g: inequalities(),
        objective: |x| {
            x[0] * 5.0 + x[0].recip() * 5e4 + x[1] * 20.0 + x[1].recip() * 7.2e4
                + x[2] * 10.0 + x[2].recip() * 1.44e5
        },
        constraints: |x| [-x[0].recip() * 4.0 - x[1].recip() * 32.0 - x[2].recip() * 120.0 + 1.0],
        solution: [108.734717597, 85.1261394257, 204.324707858],
        value: 6299.84242821,
    }

    Hs65 = 65: 3 variables, 1 constraints {
        start: [-5.0, 5.0, 0.0],
        x: within([-4.5, -4.5, -5.0], [4.5, 4.5, 5.0]),
        g: inequalities(),
        objective: |x| {
            (x[0] - x[1]).powi(2) + ((x[0] + x[1] - 10.0) / 3.0).powi(2) + (x[2] - 5.0).powi(2)
        },
        constraints: |x| [-x[0].powi(2) - x[1].powi(2) - x[2].powi(2) + 48.0],
        solution: [3.65046182158, 3.65046168940, 4.62041750754],
        value: 0.953528856757,
    }

    Hs66 = 66: 3 variables, 2 constraints {
        start: [0.0, 1.05, 2.9],
        x: within([0.0; 3], [100.0, 100.0, 10.0]),
        g: inequalities(),
        objective: |x| x[2] * 0.2 - x[0] * 0.8,
        constraints: |x| [x[1] - x[0].exp(), x[2] - x[1].exp()],
        solution: [0.184126487951, 1.20216787321, 3.32732232258],
        value: 0.518163274159,
    }
}
