//! The derivatives of the program against differences of its values.

use stickslip::{
    nlp::sparse::SparseNlp,
    plan::{Program, Sought},
    random::Random,
};

use super::support::{PUSHED_BY_FINGER, PUSHED_POINT, TIPPED_BOX, task};

const STEP: f64 = 1e-6;

fn programs() -> Vec<(&'static str, Program)> {
    let short = |text: &str| text.replace("steps = 20", "steps = 2");
    let free = |text: &str| short(text).replace("duration = 1.0", "duration = [0.5, 2.0]");
    let keep =
        "\n[[keep]]\nbody = \"box\"\nconstant = 0.3\nlinear = [0.1, 1.0]\nquadratic = [[1, 0.2], [0.3, 2]]\n";
    let lifted = "\n[start]\nposition = [[-1, 1], [0, 1]]\nvelocity = [[-1, 1], 0]\n";
    let text = [
        ("point", free(PUSHED_POINT) + lifted),
        ("impulse", free(PUSHED_POINT).replace("starts = 2", "cost = \"impulse\"")),
        ("box", free(TIPPED_BOX) + keep),
        (
            "box from anywhere",
            short(TIPPED_BOX) + "\n[start.box]\nposition = [[-1, 1], [0, 1]]\nangle = [-1, 1]\n",
        ),
        (
            "goal on the way",
            free(PUSHED_POINT).replace("within = 0", "running_weight = { position = 3.0, velocity = 2.0 }"),
        ),
        ("finger", short(PUSHED_BY_FINGER)),
        ("soft goal", short(PUSHED_BY_FINGER) + "weight = 3.0\n"),
        (
            "discs",
            short(PUSHED_BY_FINGER)
                .replace("shape = \"box\"", "shape = \"disc\"")
                .replace("size = [0.4, 0.4]", "size = 0.2"),
        ),
    ];
    let mut programs: Vec<_> =
        text.into_iter().map(|(name, text)| (name, Program::new(&task(&text), Sought::Cost))).collect();
    for name in ["finger", "discs"] {
        let met = programs.iter().find(|(own, _)| *own == name).map(|(_, program)| program.clone());
        let mut met = met.expect("it is among them");
        let way = [[0.03, -0.02, 0.1], [-0.01, 0.04, 0.2]];
        met.set_ways(met.ways().map(|of_step| vec![way; of_step.len()]).collect());
        programs.push(("met on the way", met));
    }
    programs
}

fn point(program: &Program, seed: u64) -> Vec<f64> {
    let mut random = Random::seeded(seed);
    (0..program.variables()).map(|_| random.uniform(0.2, 1.0)).collect()
}

fn values(program: &Program, x: &[f64]) -> Vec<f64> {
    let mut values = vec![0.0; program.constraints()];
    program.constraint_values(x, &mut values);
    values
}

/// The gradient of `f(x) + y' g(x)` from the program's first derivatives.
fn lagrangian_gradient(program: &Program, x: &[f64], y: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; x.len()];
    program.gradient(x, &mut gradient);
    let entries = program.jacobian_entries();
    let mut jacobian = vec![0.0; entries.len()];
    program.jacobian_values(x, &mut jacobian);
    for ((row, column), value) in entries.into_iter().zip(jacobian) {
        gradient[column] += y[row] * value;
    }
    gradient
}

#[test]
fn first_derivatives_are_the_limits_of_differences() {
    for (name, program) in programs() {
        let x = point(&program, 3);
        let entries = program.jacobian_entries();
        let mut found = vec![0.0; entries.len()];
        program.jacobian_values(&x, &mut found);
        let mut gradient = vec![0.0; x.len()];
        program.gradient(&x, &mut gradient);
        for variable in 0..x.len() {
            let at = |by: f64| {
                let mut x = x.clone();
                x[variable] += by;
                (values(&program, &x), program.objective(&x))
            };
            let ((above, f_above), (below, f_below)) = (at(STEP), at(-STEP));
            let slope = (f_above - f_below) / (2.0 * STEP);
            assert!((slope - gradient[variable]).abs() < 1e-5 * (1.0 + slope.abs()), "{name}: {variable}");
            let mut column = vec![0.0; above.len()];
            for ((row, at), value) in entries.iter().zip(&found) {
                if *at == variable {
                    column[*row] += value;
                }
            }
            for (row, value) in column.iter().enumerate() {
                let slope = (above[row] - below[row]) / (2.0 * STEP);
                assert!(
                    (slope - value).abs() < 1e-5 * (1.0 + slope.abs()),
                    "{name}: row {row} by {variable}: {value} for {slope}"
                );
            }
        }
    }
}

#[test]
fn second_derivatives_are_the_limits_of_differences_of_the_first() {
    for (name, program) in programs() {
        let x = point(&program, 4);
        let mut random = Random::seeded(5);
        let y: Vec<f64> = (0..program.constraints()).map(|_| random.uniform(-1.0, 1.0)).collect();
        let entries = program.hessian_entries();
        let mut found = vec![0.0; entries.len()];
        program.hessian_values(&x, 1.0, &y, &mut found);
        for variable in 0..x.len() {
            let at = |by: f64| {
                let mut x = x.clone();
                x[variable] += by;
                lagrangian_gradient(&program, &x, &y)
            };
            let (above, below) = (at(STEP), at(-STEP));
            let mut column = vec![0.0; x.len()];
            for ((one, other), value) in entries.iter().zip(&found) {
                assert!(one >= other, "{name}: the lower triangle");
                if *other == variable {
                    column[*one] += value;
                }
                if *one == variable && one != other {
                    column[*other] += value;
                }
            }
            for (row, value) in column.iter().enumerate() {
                let slope = (above[row] - below[row]) / (2.0 * STEP);
                assert!(
                    (slope - value).abs() < 1e-5 * (1.0 + slope.abs()),
                    "{name}: {row} by {variable}: {value} for {slope}"
                );
            }
        }
    }
}
