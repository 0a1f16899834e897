//! Faults that tests put in on purpose, into pivots of an elimination and into files that are written: whatever
//! checks the outcome has to notice.
//!
//! Pivots ask for them in the tests of their own crate alone (`cfg(test)`), but for two places that the tests of crates
//! above need: the block Cholesky factorisation asks once for each matrix, a file when it is finished. That costs
//! nothing that can be measured, and a feature of cargo would have everything compiled twice, for the program and for its
//! tests.

use std::{
    cell::Cell,
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    ops::Range,
};

/// What pivots are to be multiplied by, from which number on and up to which, and how many there were.
#[derive(Debug, Clone, Copy)]
struct BadPivots {
    first: usize,
    end: usize,
    factor: f64,
    seen: usize,
}

/// What goes wrong with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFault {
    /// The disk takes half of it and says that it is full.
    ShortWrite,
    /// The second half never reaches the disk, which says nothing.
    LostEnd,
    /// One bit is another one on the disk, which says nothing.
    FlippedBit,
    /// Nothing is known to be on the disk.
    Sync,
    /// It does not get its name.
    Rename,
    /// It has its name, and nothing is known of the folder.
    SyncOfFolder,
}

/// What pivots are multiplied by: off by a rounding too many, by much, of the other sign, gone, no number.
pub const FACTORS: [f64; 8] = [1.0 + 1e-6, 1.5, 1e-8, 1e8, -1.0, 0.0, f64::NAN, f64::INFINITY];

thread_local! {
    static PIVOTS: Cell<Option<BadPivots>> = const { Cell::new(None) };
    static FILE: Cell<Option<FileFault>> = const { Cell::new(None) };
}

/// Runs `run` while the pivots of this thread of these `numbers`, counted from zero, are `factor` times what they
/// should be; says also how many of them there were.
pub fn in_pivots<T>(numbers: Range<usize>, factor: f64, run: impl FnOnce() -> T) -> (T, usize) {
    let Range { start: first, end } = numbers;
    PIVOTS.set(Some(BadPivots { first, end, factor, seen: 0 }));
    let outcome = run();
    let seen = PIVOTS.take().map_or(0, |bad| bad.seen);
    (outcome, seen.min(end).saturating_sub(first))
}

/// Whether pivots of this thread go wrong.
pub fn is_in_pivots() -> bool {
    PIVOTS.get().is_some()
}

/// What the pivot at hand is multiplied by.
pub fn of_pivot() -> f64 {
    PIVOTS.get().map_or(1.0, |bad| {
        PIVOTS.set(Some(BadPivots { seen: bad.seen + 1, ..bad }));
        if (bad.first..bad.end).contains(&bad.seen) { bad.factor } else { 1.0 }
    })
}

/// Runs `run` while the next file of this thread goes wrong; it has to come to that.
pub fn in_file<T>(fault: FileFault, run: impl FnOnce() -> T) -> T {
    FILE.set(Some(fault));
    let outcome = run();
    assert_eq!(FILE.take(), None, "no file went wrong");
    outcome
}

/// What becomes of a file whose last byte was handed to the system.
///
/// # Errors
/// What the system would say: that the disk is full, or what went wrong on the way to the fault.
pub fn on_writing(mut file: &File) -> io::Result<()> {
    let full = io::ErrorKind::StorageFull.into();
    match FILE.get() {
        Some(FileFault::ShortWrite) => lose_end(file).and(Err(full)),
        Some(FileFault::LostEnd) => lose_end(file),
        Some(FileFault::FlippedBit) => {
            let middle = file.metadata()?.len() / 2;
            let mut byte = [0];
            file.seek(SeekFrom::Start(middle))?;
            file.read_exact(&mut byte)?;
            file.seek(SeekFrom::Start(middle))?;
            file.write_all(&[byte[0] ^ 1])?;
            FILE.set(None);
            Ok(())
        }
        _ => Ok(()),
    }
}

fn lose_end(file: &File) -> io::Result<()> {
    FILE.set(None);
    file.set_len(file.metadata()?.len() / 2)
}

/// Fails where `fault` is what goes wrong.
///
/// # Errors
/// An error that says that it was put in.
pub fn on(fault: FileFault) -> io::Result<()> {
    if FILE.get() == Some(fault) {
        FILE.set(None);
        return Err(io::Error::other("put in on purpose"));
    }
    Ok(())
}
