//! The text of a local friction problem as Siconos 4 has it, all numbers separated by blanks or new lines:
//!
//! ```text
//! rows per contact: 2 in the plane, 3 in space or in the plane with rolling, 5 in space with rolling
//! number of contacts
//! M                      the matrix, see `matrix`
//! q                      a number per row
//! mu                     a number per contact
//! mu_r                   a number per contact, with rolling alone
//! ```
//!
//! Siconos asks for velocities `M r + q` and reactions `r` in the friction cone, rows normal first, velocities positive where
//! contacts open: `M` is our `W`, with no sign or order changed. Older files have a flag after all of it: what is
//! left of a file and is `0` or `1` alone is that.

use std::fmt::Write;

use nalgebra::DVector;

use super::{MatrixStorage, ProblemTextError, matrix, words::Words};
use crate::contact::{AnyDenseProblem, AnyDenseProblemError, DenseProblemError};

/// What to do about a problem with the masses beside the rows of its contacts.
const GLOBAL: &str = "a global problem, with a mass matrix M and rows H beside it, has to be made a local one first: \
                      W = H' M^-1 H";

/// Reads a problem from the text of a file of Siconos.
pub(super) fn read(text: &str) -> Result<AnyDenseProblem, ProblemTextError> {
    let mut words = Words::of(text);
    let expected = "2, 3 or 5 rows per contact (in the plane; in space, or in the plane with rolling; in space with rolling)";
    let rows_per_contact: usize = words.whole(expected)?;
    if ![2, 3, 5].contains(&rows_per_contact) {
        return Err(words.fault(rows_per_contact.to_string(), expected).into());
    }
    let contacts: usize = words.whole("the number of contacts")?;
    let rows = contacts.checked_mul(rows_per_contact).filter(|rows| *rows <= matrix::MOST_ROWS);
    let Some(rows) = rows else {
        let most = matrix::MOST_ROWS / rows_per_contact;
        let fault = words.fault(contacts.to_string(), format_args!("a number of contacts up to {most}"));
        return Err(fault.into());
    };
    // What has to come yet is more than the file holds: nothing is made room for.
    if rows > words.at_most() {
        let fault = words.fault("a file that is too short", format_args!("{rows} numbers of q at least"));
        return Err(fault.into());
    }
    let (w, line) = matrix::read(&mut words, rows).map_err(|fault| super::TextFault {
        remedy: if fault.found.ends_with(matrix::ROWS) { GLOBAL } else { fault.remedy },
        ..fault
    })?;
    let q = words.numbers(rows, "q")?;
    let mu = words.numbers(contacts, "mu")?;
    // Three rows are those of space, unless there is something left that resists rolling.
    let is_rolling = rows_per_contact == 5 || (rows_per_contact == 3 && !is_at_end(words.clone()));
    let rolling = if is_rolling { Some(words.numbers(contacts, "mu_r")?) } else { None };
    if !is_at_end(words.clone()) {
        words.next();
        let mut fault = words.fault("more numbers follow", "the end of the file");
        fault.remedy = GLOBAL;
        return Err(fault.into());
    }
    let is_planar = rows_per_contact == 2 || (rows_per_contact == 3 && is_rolling);
    let dimension = if is_planar { 2 } else { 3 };
    AnyDenseProblem::new(dimension, w, DVector::from_vec(q), mu, rolling).map_err(|fault| match fault {
        AnyDenseProblemError::Problem(DenseProblemError::Empty) => fault.into(),
        fault => ProblemTextError::SiconosProblem { line, fault },
    })
}

/// Whether nothing is left, or the flag of older files alone.
fn is_at_end(mut words: Words<'_>) -> bool {
    let flag = words.next();
    flag.is_none_or(|flag| ["0", "1"].contains(&flag)) && words.next().is_none()
}

/// Writes a problem as the text of a file of Siconos.
pub(super) fn write(problem: &AnyDenseProblem, storage: MatrixStorage) -> String {
    let (w, q, mu) = problem.parts();
    let rows_per_contact = problem.rows_per_contact();
    let mut text = format!("{rows_per_contact}\n{}\n", mu.len());
    matrix::write(w, rows_per_contact, storage, &mut text);
    for values in [q.as_slice(), mu].into_iter().chain(problem.rolling()) {
        for value in values {
            // Writing to a string does not fail.
            let _ = write!(text, "{value:e} ");
        }
        text.push('\n');
    }
    text
}
