//! Friction against turning: motions with closed forms, and problems of many contacts.

mod compliant;
mod heaps;
mod truths;
