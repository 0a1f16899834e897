//! Contact problems from files.

use std::{fs, path::PathBuf};

use nalgebra::{SMatrix, SVector};
use serde::Deserialize;
use stickslip_contact::contact::{Contact, ContactProblem};

#[derive(Deserialize)]
pub struct Sample {
    pub dimension: usize,
    bodies: usize,
    contacts: Vec<SampleContact>,
    q: Vec<f64>,
    mu: Vec<f64>,
    #[serde(skip)]
    pub name: String,
}

#[derive(Deserialize)]
struct SampleContact {
    a: i64,
    b: i64,
    ja: Vec<Vec<f64>>,
    #[serde(default)]
    jb: Vec<Vec<f64>>,
}

/// All samples, by name.
pub fn samples() -> Vec<Sample> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/contact");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
    files.sort();
    let read = |path: &PathBuf| {
        let mut sample: Sample = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        sample.name = path.file_stem().unwrap().to_string_lossy().into_owned();
        sample
    };
    files.iter().map(read).collect()
}

impl Sample {
    /// The problem with its bodies at rest; what they bring along is in the biases.
    pub fn problem<const D: usize, const N: usize>(&self) -> ContactProblem<D, N> {
        assert_eq!(self.dimension, D);
        let rows = |rows: &[Vec<f64>]| -> SMatrix<f64, D, N> {
            if rows.is_empty() { SMatrix::zeros() } else { SMatrix::from_fn(|i, j| rows[i][j]) }
        };
        let body = |index: i64| usize::try_from(index).ok();
        let contact = |(index, contact): (usize, &SampleContact)| {
            let q = SVector::<f64, D>::from_column_slice(&self.q[D * index..D * (index + 1)]);
            let mut surface_velocity = q;
            surface_velocity[0] = 0.0;
            Contact {
                bodies: [body(contact.a), body(contact.b)],
                jacobian: [rows(&contact.ja), rows(&contact.jb)],
                friction: self.mu[index],
                bias: q[0],
                surface_velocity,
                restitution: 0.0,
                gap: 0.0,
            }
        };
        ContactProblem {
            free_velocity: vec![SVector::zeros(); self.bodies],
            inverse_mass: vec![SMatrix::identity(); self.bodies],
            contacts: self.contacts.iter().enumerate().map(contact).collect(),
            ..ContactProblem::empty(1e-3)
        }
    }
}
