//! A nonlinear program of your own, solved by the built-in IPOPT: problem 71 of Hock and
//! Schittkowski. Derivatives come by themselves. `cargo run --release --example hock_schittkowski_71`

use nalgebra::{SVector, vector};
use num_dual::DualNum;
use stickslip::nlp::{Bounds, Ipopt, IpoptOptions, Nlp, NlpSolver, Start};

struct Problem71;

impl Nlp<4, 2> for Problem71 {
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 4>) -> T {
        x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]
    }

    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 4>) -> SVector<T, 2> {
        vector![x[0] * x[1] * x[2] * x[3], x.dot(x)]
    }

    fn variable_bounds(&self) -> Bounds<4> {
        Bounds::new([1.0; 4], [5.0; 4])
    }

    fn constraint_bounds(&self) -> Bounds<2> {
        Bounds::new([25.0, 40.0], [f64::INFINITY, 40.0])
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut solver = Ipopt::new(&Problem71, &IpoptOptions::default())?;
    let solution = solver.solve(&Problem71, &Start::cold(vector![1.0, 5.0, 5.0, 1.0]));
    println!("{} after {} iterations", solution.status, solution.iterations);
    println!("objective {:.7}, residual {:.1e}", solution.objective, solution.residuals.max());
    println!("x = {:.6?}", solution.x.as_slice());
    Ok(())
}
