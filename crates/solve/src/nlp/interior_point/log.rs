//! A line for every iterate on standard output, in the columns of IPOPT's log.

use std::io::{self, Write};

use super::search::Search;

impl<const N: usize, const M: usize> Search<'_, N, M> {
    #[inline(never)]
    pub fn log_header(&self) {
        if !self.phase.is_restoration() {
            print(format_args!("interior-point: {N} variables, {M} constraints"));
            print(format_args!("iter      objective    inf_pr    inf_du  lg(mu)"));
        }
    }

    /// The current iterate; `r` marks one of the restoration phase.
    #[inline(never)]
    pub fn log_iterate(&self) {
        let mark = if self.phase.is_restoration() { 'r' } else { ' ' };
        print(format_args!(
            "{:>4}{mark} {:>13.7e} {:>9.2e} {:>9.2e} {:>7.1}",
            self.iterations,
            self.values.program_objective / self.program.scaling.objective,
            self.first_order.violation,
            self.first_order.stationarity,
            self.mu.log10(),
        ));
    }
}

/// Prints a line; where standard output is closed, a log is not worth the solve.
fn print(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stdout(), "{line}");
}
