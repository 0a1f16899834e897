//! Friction beyond one coefficient: in groups of rows, against turning and different across an axis, and in the passes of a step.
//! Motions with closed forms, and problems of many contacts.

mod anisotropy;
mod compliant;
mod heaps;
mod passes;
mod truths;
