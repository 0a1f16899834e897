//! Branches: of every pair of complementary numbers one is zero, and which is fixed.

use super::program::{ContactVariables, Program};

/// Beyond any product: in a branch program products need no bound, one side being zero.
const UNBOUNDED: f64 = 1e6;

/// What a candidate does over a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It carries nothing: `fn = 0`. Its friction says nothing then, `b = 0`, and its slip `w+` may have any sign.
    Open,
    /// It is closed, without friction: `gap = 0`.
    Closed,
    /// It is closed and held by friction: `w+ = w- = 0`.
    Stick,
    /// It is closed and slips along the tangent: `b = -1`, `w- = 0`.
    Forward,
    /// It is closed and slips against the tangent: `b = 1`, `w+ = 0`.
    Backward,
}

/// The modes of all candidates in all steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch(pub Vec<Vec<Mode>>);

impl Branch {
    /// The branch that a point of the relaxed program is nearest to: of each pair the smaller number is zero.
    pub fn nearest(program: &Program, x: &[f64]) -> Self {
        let mode = |contact: &ContactVariables| {
            if x[contact.load] < x[contact.gap] {
                return Mode::Open;
            }
            let Some([b, plus, minus]) = contact.friction.map(|all| all.map(|variable| x[variable])) else {
                return Mode::Closed;
            };
            match (plus > 1.0 + b, minus > 1.0 - b) {
                (true, _) => Mode::Forward,
                (false, true) => Mode::Backward,
                (false, false) => Mode::Stick,
            }
        };
        let steps = 0..program.task.steps;
        Self(steps.map(|k| program.contact_variables(k).iter().map(mode).collect()).collect())
    }

    /// The program of the branch, and a point brought to it.
    pub fn program(&self, program: &Program, x: &[f64]) -> (Program, Vec<f64>) {
        let (mut own, mut x) = (program.clone(), x.to_vec());
        own.relaxation = UNBOUNDED;
        for (k, modes) in self.0.iter().enumerate() {
            for (contact, mode) in program.contact_variables(k).into_iter().zip(modes) {
                let mut fix = |variable: usize, value: f64| {
                    own.set_bounds(variable, [value; 2]);
                    x[variable] = value;
                };
                fix(if *mode == Mode::Open { contact.load } else { contact.gap }, 0.0);
                let Some([b, plus, minus]) = contact.friction else { continue };
                match mode {
                    Mode::Open => {
                        let slip = x[plus] - x[minus];
                        own.set_bounds(b, [0.0; 2]);
                        own.set_bounds(minus, [0.0; 2]);
                        own.set_bounds(plus, [f64::NEG_INFINITY, f64::INFINITY]);
                        (x[b], x[minus], x[plus]) = (0.0, 0.0, slip);
                    }
                    Mode::Stick | Mode::Closed => {
                        fix(plus, 0.0);
                        fix(minus, 0.0);
                    }
                    Mode::Forward => {
                        fix(b, -1.0);
                        fix(minus, 0.0);
                        x[plus] = x[plus].max(0.0);
                    }
                    Mode::Backward => {
                        // What slipped freely while it was open may have had the other sign.
                        x[minus] = x[minus].max(-x[plus]).max(0.0);
                        own.set_bounds(b, [1.0; 2]);
                        own.set_bounds(plus, [0.0; 2]);
                        (x[b], x[plus]) = (1.0, 0.0);
                    }
                }
            }
        }
        (own, x)
    }

    /// A point of the branch with the friction of what is open as the relaxed program has it: `b` against the slip, whose size
    /// is `w+` or `w-`.
    pub fn with_slips(&self, program: &Program, x: &[f64]) -> Vec<f64> {
        let mut x = x.to_vec();
        for (k, modes) in self.0.iter().enumerate() {
            for (contact, mode) in program.contact_variables(k).into_iter().zip(modes) {
                let (Some([b, plus, minus]), Mode::Open) = (contact.friction, mode) else { continue };
                let slip = x[plus];
                x[b] = if slip == 0.0 { 0.0 } else { -slip.signum() };
                (x[plus], x[minus]) = (slip.max(0.0), (-slip).max(0.0));
            }
        }
        x
    }
}
