//! The reference data: rows of numbers under a line of explanation.

use std::{fs, path::PathBuf};

use nalgebra::SVector;

pub fn rows<const N: usize>(file: &str) -> Vec<SVector<f64, N>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/spatial").join(file);
    let text = fs::read_to_string(path).unwrap();
    let row = |line: &str| SVector::from_iterator(line.split(',').map(|entry| entry.parse().unwrap()));
    text.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}
