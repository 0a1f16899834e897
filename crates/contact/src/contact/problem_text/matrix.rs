//! The square matrix of a problem as Siconos writes a `NumericsMatrix`: the number of its storage, its rows and columns, and
//!
//! ```text
//! 0  rows, columns, and all entries column after column
//! 1  blocks: how many, of how many rows and columns of blocks; where each row and each column of blocks ends; lengths of two
//!    lists; where the blocks of each row begin, and the column of every block; then each block, its number before its entries
//!    column after column
//! 2  1 (triplet), 2 (columns) or 3 (rows) and the print of CSparse: a line about its version, and
//!    `triplet: m-by-n, nzmax: k nnz: k` with lines `row column : value`, or `m-by-n, nzmax: k nnz: k, 1-norm: x` with
//!    lines `col j : locations a to b`, each followed by its lines `row : value`
//! ```
//!
//! Rows, columns and blocks count from 0. What is given twice in sparse storage is added, as CSparse has it.

use std::fmt::Write;

use nalgebra::DMatrix;

use super::{
    MatrixStorage,
    words::{TextFault, Words},
};

/// Rows that a problem may have: the matrix then takes 2 GiB.
pub(super) const MOST_ROWS: usize = 16_384;

/// How the number of rows is told where it is not that of the contacts.
pub(super) const ROWS: &str = "rows of the matrix";

/// Reads a matrix with so many rows and columns; gives the line in which it begins as well.
pub(super) fn read(words: &mut Words<'_>, rows: usize) -> Result<(DMatrix<f64>, usize), TextFault> {
    const STORAGE: &str = "the storage of the matrix, 0 (dense), 1 (sparse blocks) or 2 (sparse),";
    let storage: usize = words.whole(STORAGE)?;
    let line = words.line;
    read_size(words, rows)?;
    let w = match storage {
        0 => read_dense(words, rows),
        1 => read_blocks(words, rows),
        2 => read_sparse(words, rows),
        other => Err(TextFault { line, ..words.fault(other.to_string(), STORAGE) }),
    }?;
    Ok((w, line))
}

/// Reads the numbers of rows and columns, which are known.
fn read_size(words: &mut Words<'_>, rows: usize) -> Result<(), TextFault> {
    for what in ["rows", "columns"] {
        let found: usize = words.whole(format_args!("the number of {what} of the matrix"))?;
        if found != rows {
            return Err(words.fault(
                format!("{found} {ROWS}"),
                format_args!("a matrix of {rows} rows and columns, which the contacts have,"),
            ));
        }
    }
    Ok(())
}

fn read_dense(words: &mut Words<'_>, rows: usize) -> Result<DMatrix<f64>, TextFault> {
    read_size(words, rows)?;
    if rows * rows > words.at_most() {
        return Err(words
            .fault("a file that is too short", format_args!("{rows} times {rows} numbers of the matrix")));
    }
    let entries = words.numbers(rows * rows, "the matrix")?;
    Ok(DMatrix::from_vec(rows, rows, entries))
}

/// Enters a value that may be a part of an entry; the sign of a zero is kept.
fn add(w: &mut DMatrix<f64>, place: (usize, usize), value: f64) {
    let entry = &mut w[place];
    *entry = if *entry == 0.0 { value } else { *entry + value };
}

fn read_blocks(words: &mut Words<'_>, rows: usize) -> Result<DMatrix<f64>, TextFault> {
    let blocks: usize = words.whole("the number of blocks")?;
    let [block_rows, block_columns] = [
        words.whole::<usize>("the number of rows of blocks")?,
        words.whole::<usize>("the number of columns of blocks")?,
    ];
    let row_ends = read_ends(words, block_rows, rows, "rows")?;
    let column_ends = read_ends(words, block_columns, rows, "columns")?;
    words.exactly_whole(
        block_rows + 1,
        format_args!("{block_rows} + 1, the length of the list of rows of blocks,"),
    )?;
    words.exactly_whole(blocks, format_args!("{blocks}, the number of blocks,"))?;
    let mut firsts = Vec::new();
    for row in 0..=block_rows {
        let least = firsts.last().copied().unwrap_or(0);
        let expected = format!("the number of the first block of row {row} of blocks, {least} to {blocks},");
        let first: usize = words.whole(&expected)?;
        let is_end = row == block_rows && first != blocks;
        if first < least || first > blocks || (row == 0 && first != 0) || is_end {
            return Err(words.fault(first.to_string(), expected));
        }
        firsts.push(first);
    }
    let mut columns = Vec::new();
    for block in 0..blocks {
        columns.push(read_below(words, block_columns, format_args!("the column of block {block}"))?);
    }
    let extent = |ends: &[usize], place: usize| {
        let start = if place == 0 { 0 } else { ends[place - 1] };
        start..ends[place]
    };
    let mut w = DMatrix::zeros(rows, rows);
    for (block, column) in columns.into_iter().enumerate() {
        words.exactly_whole(block, format_args!("{block}, the number of the next block,"))?;
        // The row whose blocks end beyond this one.
        let row = firsts[1..].partition_point(|end| *end <= block);
        for j in extent(&column_ends, column) {
            for i in extent(&row_ends, row) {
                let value = words.number(format_args!("an entry of block {block}"))?;
                add(&mut w, (i, j), value);
            }
        }
    }
    Ok(w)
}

/// Reads where rows or columns of blocks end, the last of them at the end of the matrix.
fn read_ends(words: &mut Words<'_>, count: usize, rows: usize, what: &str) -> Result<Vec<usize>, TextFault> {
    let mut ends: Vec<usize> = Vec::new();
    for place in 1..=count {
        let start = ends.last().copied().unwrap_or(0);
        let expected = format!("where {what} {place} of {count} of blocks end, {} to {rows},", start + 1);
        let end: usize = words.whole(&expected)?;
        if end <= start || end > rows || (place == count && end != rows) {
            return Err(words.fault(end.to_string(), expected));
        }
        ends.push(end);
    }
    if count == 0 { Err(words.fault("0", format_args!("a number of {what} of blocks"))) } else { Ok(ends) }
}

/// Reads an index that counts from 0.
fn read_below(words: &mut Words<'_>, count: usize, what: impl std::fmt::Display) -> Result<usize, TextFault> {
    let expected = format!("{what}, from 0 and below {count},");
    let index: usize = words.whole(&expected)?;
    if index < count { Ok(index) } else { Err(words.fault(index.to_string(), expected)) }
}

fn read_sparse(words: &mut Words<'_>, rows: usize) -> Result<DMatrix<f64>, TextFault> {
    const ORIGIN: &str = "1 (triplet), 2 (columns) or 3 (rows), the sparse storage,";
    let origin: usize = words.whole(ORIGIN)?;
    if !(1..=3).contains(&origin) {
        return Err(words.fault(origin.to_string(), ORIGIN));
    }
    // What is left of this line, and that of the version.
    words.skip_line();
    words.skip_line();
    if origin == 1 {
        words.exactly("triplet:")?;
    }
    let expected = format!("`{rows}-by-{rows},`");
    words.exactly(expected.trim_matches('`'))?;
    words.exactly("nzmax:")?;
    let _: usize = words.whole("the number of entries that there is room for")?;
    words.exactly("nnz:")?;
    let entries: usize = words.whole("the number of entries")?;
    let mut w = DMatrix::zeros(rows, rows);
    if origin == 1 {
        for _ in 0..entries {
            let row = read_below(words, rows, "the row of an entry")?;
            let column = read_below(words, rows, "the column of an entry")?;
            words.exactly(":")?;
            add(&mut w, (row, column), words.number("an entry of the matrix")?);
        }
        return Ok(w);
    }
    words.exactly("1-norm:")?;
    words.number("the 1-norm")?;
    let mut found: usize = 0;
    for column in 0..rows {
        words.exactly("col")?;
        words.exactly_whole(column, format_args!("{column}, the number of the next column,"))?;
        words.exactly(":")?;
        words.exactly("locations")?;
        let first: i64 = words.whole("the place of the first entry of the column")?;
        words.exactly("to")?;
        let last: i64 = words.whole("the place of the last entry of the column")?;
        for _ in first..=last {
            let row = read_below(words, rows, "the row of an entry")?;
            words.exactly(":")?;
            let place = if origin == 2 { (row, column) } else { (column, row) };
            add(&mut w, place, words.number("an entry of the matrix")?);
            found += 1;
        }
    }
    if found == entries {
        Ok(w)
    } else {
        Err(words.fault(
            format!("the end of {found} entries"),
            format_args!("the number of them that was told, {entries},"),
        ))
    }
}

/// Writes a matrix whose blocks are those of pairs of contacts with so many rows.
pub(super) fn write(w: &DMatrix<f64>, rows_per_contact: usize, storage: MatrixStorage, text: &mut String) {
    // Writing to a string does not fail.
    let _ = match storage {
        MatrixStorage::Dense => write_dense(w, text),
        MatrixStorage::SparseBlock => write_blocks(w, rows_per_contact, text),
        MatrixStorage::Triplet => write_triplets(w, text),
    };
}

/// Whether an entry has to be written to be read back to the last bit: a negative zero is one.
fn is_entry(value: f64) -> bool {
    value.to_bits() != 0
}

fn write_dense(w: &DMatrix<f64>, text: &mut String) -> std::fmt::Result {
    let rows = w.nrows();
    write!(text, "0\n{rows}\n{rows}\n{rows}\t{rows}\n")?;
    for column in w.column_iter() {
        column.iter().try_for_each(|value| write!(text, "{value:e} "))?;
        text.push('\n');
    }
    Ok(())
}

fn write_blocks(w: &DMatrix<f64>, size: usize, text: &mut String) -> std::fmt::Result {
    let (rows, contacts) = (w.nrows(), w.nrows() / size);
    let block = |i: usize, j: usize| w.view((size * i, size * j), (size, size));
    let mut firsts = vec![0];
    let mut places = Vec::new();
    for i in 0..contacts {
        let is_block = |j: &usize| block(i, *j).iter().any(|value| is_entry(*value));
        places.extend((0..contacts).filter(is_block).map(|j| (i, j)));
        firsts.push(places.len());
    }
    let list = |values: &mut dyn Iterator<Item = usize>| {
        values.map(|value| value.to_string()).collect::<Vec<_>>().join("\t")
    };
    let ends = list(&mut (1..=contacts).map(|contact| size * contact));
    write!(text, "1\n{rows}\n{rows}\n{}\n{contacts}\n{contacts}\n{ends}\n{ends}\n", places.len())?;
    write!(text, "{}\n{}\n", firsts.len(), places.len())?;
    writeln!(text, "{}", list(&mut firsts.iter().copied()))?;
    writeln!(text, "{}", list(&mut places.iter().map(|(_, j)| *j)))?;
    for (number, (i, j)) in places.into_iter().enumerate() {
        writeln!(text, "{number}")?;
        block(i, j).iter().try_for_each(|value| writeln!(text, "{value:e}"))?;
    }
    Ok(())
}

fn write_triplets(w: &DMatrix<f64>, text: &mut String) -> std::fmt::Result {
    let rows = w.nrows();
    let entries = w.iter().filter(|value| is_entry(**value)).count();
    write!(text, "2\n{rows}\n{rows}\n1\nCSparse print, written by stickslip\n")?;
    writeln!(text, "triplet: {rows}-by-{rows}, nzmax: {entries} nnz: {entries}")?;
    for (column, values) in w.column_iter().enumerate() {
        for (row, value) in values.iter().enumerate().filter(|(_, value)| is_entry(**value)) {
            writeln!(text, "    {row} {column} : {value:e}")?;
        }
    }
    Ok(())
}
