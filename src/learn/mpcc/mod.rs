//! Learning as a mathematical program with complementarity constraints (section 4 of the LCP
//! notes: "Random ideas").
//!
//! Instead of an inner problem per step, its optimality conditions are constraints of a single
//! program over the friction and the forces of all steps:
//!
//! ```text
//! min over mu, lambda of  1/N sum_i (v'_i - s_i - lambda_plus + lambda_minus)^2
//!      subject to  0 <= lambda_i  _|_  w_i = M lambda_i + (s_i, -s_i, mu) >= 0.
//! ```
//!
//! Complementarity has no interior, so it is relaxed to `lambda_ij w_ij <= tau` and `tau` is taken
//! from 1 to 1e-8 (Scholtes 2001), each program solved by IPOPT from the solution before. The
//! first, loose programs see past the plateau at which the bilevel descent stays: from any start
//! the friction arrives. With `N` steps there are `3 N + 1` variables and `6 N` constraints, but
//! each step meets the others in the friction only, and the sparse factorisation of the KKT matrix
//! takes time in proportion to `N`.
//!
//! All of this is in a unit of velocity that the data give, so that nothing depends on that of the data.
//!
//! Steps that stick only bound the friction from below: the least one is then learned, and the result
//! says so. Where IPOPT gives up on a small relaxation the path ends early, which is said as well.

mod program;

use serde_json::{Value, json};

pub use program::{FRICTION, RelaxedProgram};

use super::{
    block_friction,
    data::{BlockGenerator, BlockSample, unit},
    findings::{DataSet, Findings},
    input::{BlockData, Figures, Input, InputError, LearnError, Progress, Run, Wish, report},
    lack_of_fit::{are_at_rest, sliding_steps},
    options::Range,
    picture::relaxation_path,
};
use crate::{
    decimal::{rounded, rounded_text},
    nlp::{IpoptOptions, SolveStatus, SparseIpopt},
};

/// Ratio of one relaxation to the next.
const SHRINK: f64 = 10.0;
/// The least relaxation: with less the programs are degenerate to rounding.
const LEAST_RELAXATION: f64 = 1e-10;

/// The experiment with its data.
#[derive(Debug, Clone)]
pub struct Mpcc {
    data: BlockData,
    /// Unit of velocity that the data give, m/s.
    unit: f64,
    starts: Vec<f64>,
    last_relaxation: f64,
}

impl Mpcc {
    pub(super) fn new(input: &mut Input) -> Result<Self, InputError> {
        let wish = Wish {
            experiment: "mpcc",
            samples: 200,
            least: 1,
            most: 50_000,
            needs_forces: false,
            ignores_noise: None,
        };
        let mut data = input.block(&wish, BlockGenerator::default())?;
        // The step of the notes, which slides.
        data.replace_single(input.seed, || [1.0, 2.0]);
        let unit = unit(&data.samples);
        let square = unit * unit;
        let relaxations = Range::closed(LEAST_RELAXATION * square, square);
        Ok(Self {
            data,
            unit,
            starts: input.options.numbers("starts", &[3.0 * unit], Range::closed(0.0, 1e6)),
            last_relaxation: input.options.number("relaxation", 1e-8 * square, relaxations),
        })
    }
}

/// What a relaxation path found.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// Relaxation and friction after every solve.
    pub frictions: Vec<(f64, f64)>,
    /// Mean squared prediction error at the end.
    pub squared_error: f64,
    /// Iterations of IPOPT altogether.
    pub iterations: u32,
    /// The relaxation whose program was not solved, and how its solve ended; `None` if the path was
    /// followed to its end.
    pub stopped: Option<(f64, SolveStatus)>,
}

impl Path {
    /// The friction at the end.
    pub fn friction(&self) -> f64 {
        self.frictions.last().map_or(f64::NAN, |(_, friction)| *friction)
    }

    /// The path in m/s, of one whose velocities are in units of so many.
    fn times(mut self, unit: f64) -> Self {
        for (relaxation, friction) in &mut self.frictions {
            *relaxation *= unit * unit;
            *friction *= unit;
        }
        self.squared_error *= unit * unit;
        self.stopped = self.stopped.map(|(relaxation, status)| (relaxation * unit * unit, status));
        self
    }
}

/// Follows the relaxation from 1 to `last`, starting at friction `start`. A `last` outside 1e-10 to 1
/// is taken as the nearest of these, one that is not a number as 1e-10. Without samples nothing
/// speaks against the start, and the path has no error. Where a program on the way
/// is not solved the path ends at the one before: its solution holds, but its friction is exact to
/// its own relaxation only.
///
/// # Errors
/// [`LearnError::NonlinearProgram`] if not even the first program is solved.
pub fn follow(
    samples: &[BlockSample],
    start: f64,
    last: f64,
    progress: &mut Progress<'_>,
) -> Result<Path, LearnError> {
    let last = if last.is_nan() { LEAST_RELAXATION } else { last.clamp(LEAST_RELAXATION, 1.0) };
    let mut program = RelaxedProgram { samples, relaxation: 1.0 };
    let mut x = program.start(start);
    let mut path = Path { frictions: Vec::new(), squared_error: f64::NAN, iterations: 0, stopped: None };
    let mut options = IpoptOptions { tolerance: 1e-9, max_iterations: 500, ..IpoptOptions::default() };
    if samples.is_empty() {
        path.frictions.push((last, start));
        path.squared_error = 0.0;
        return Ok(path);
    }
    options.set("bound_relax_factor", 0.0);
    let mut solver = SparseIpopt::new(&program, &options)?;
    let stages = -last.log10();
    loop {
        report(progress, path.frictions.len() as f64 / (stages + 1.0))?;
        let share = path.frictions.len() as f64 / (stages + 1.0);
        let solution = solver.solve_watched(&program, &x, None, &mut || progress(share));
        report(progress, share)?;
        path.iterations += solution.iterations;
        if !solution.status.is_success() {
            let (relaxation, status) = (program.relaxation, solution.status);
            if path.frictions.is_empty() {
                return Err(LearnError::NonlinearProgram { relaxation, status });
            }
            path.stopped = Some((relaxation, status));
            return Ok(path);
        }
        path.frictions.push((program.relaxation, solution.x[FRICTION]));
        path.squared_error = program.squared_error(&solution.x);
        x = solution.x;
        if program.relaxation <= last {
            return Ok(path);
        }
        // From the exponent, so that rounding does not add a stage.
        program.relaxation = (1.0 / SHRINK.powi(path.frictions.len() as i32)).max(last);
    }
}

impl Run for Mpcc {
    fn run(&self, progress: &mut Progress<'_>) -> Result<Findings, LearnError> {
        let mut findings = Findings::new(DataSet::Block(self.data.samples.clone()));
        let mut paths = Vec::with_capacity(self.starts.len());
        let share = 1.0 / self.starts.len() as f64;
        let square = self.unit * self.unit;
        let in_unit: Vec<BlockSample> =
            self.data.samples.iter().map(|sample| sample.in_units_of(self.unit)).collect();
        let in_data = |error| match error {
            LearnError::NonlinearProgram { relaxation, status } => {
                LearnError::NonlinearProgram { relaxation: relaxation * square, status }
            }
            error => error,
        };
        for (index, start) in self.starts.iter().enumerate() {
            let mut of_all = |part: f64| progress(share * (index as f64 + part));
            let path = follow(&in_unit, start / self.unit, self.last_relaxation / square, &mut of_all);
            paths.push(path.map_err(in_data)?.times(self.unit));
        }
        let best = paths.iter().min_by(|a, b| a.squared_error.total_cmp(&b.squared_error));
        let learned = best.map_or(f64::NAN, Path::friction);
        let rms = best.map_or(f64::NAN, |path| path.squared_error.sqrt());
        let sliding = sliding_steps(&self.data.samples, learned, rms);
        let truth = self.data.friction();
        let identifiable = sliding > 0;
        let samples = &self.data.samples;
        block_friction::describe(&mut findings, samples, (learned, truth), [identifiable, true], progress)?;
        match truth {
            Some(truth) => {
                findings.set_error((learned - truth).abs(), "distance from the true friction, m/s")
            }
            None => findings.set_error(rms, "rms error of the predicted velocities, m/s"),
        }
        findings.measure("prediction_rms", rms);
        findings.measure("sliding_steps", sliding);
        let rows = self.starts.iter().zip(&paths).map(|(start, path)| {
            json!({ "start": start, "end": path.friction(), "squared_error": path.squared_error,
                    "iterations": path.iterations, "path": path.frictions })
        });
        findings.measure("paths", rows.collect::<Vec<_>>());
        for (start, path) in self.starts.iter().zip(&paths) {
            if let (Some((relaxation, status)), Some((reached, _))) = (path.stopped, path.frictions.last()) {
                findings.notes.push(format!(
                    "the path from {} ends at relaxation {:e}, because the program at {:e} was not solved ({status}): \
                     its friction is that exact only",
                    rounded_text(*start, 4),
                    rounded(*reached, 3),
                    rounded(relaxation, 3)
                ));
            }
        }
        if !identifiable && are_at_rest(samples) {
            let needed =
                self.data.samples.iter().map(|sample| sample.free_velocity().abs()).fold(0.0, f64::max);
            findings.notes.push(format!(
                "friction is not determined: every step sticks, which any friction above {} explains; add steps \
                 that slide",
                rounded_text(needed, 5)
            ));
        }
        Ok(findings)
    }

    fn figures(&self, findings: &Findings, _: &mut Progress<'_>) -> Result<Figures, LearnError> {
        let paths = findings.measures.get("paths").and_then(Value::as_array);
        let picture = |paths: &Vec<Value>| ("relaxation-path", relaxation_path(paths, self.data.friction()));
        Ok(paths.map(picture).into_iter().collect())
    }
}
