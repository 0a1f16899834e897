//! Which row of a program a point misses by most, in words.

use super::{program::Program, task::COMPONENTS};
use crate::nlp::sparse::SparseNlp;

/// The row that a point misses by most.
#[derive(Debug, Clone, PartialEq)]
pub struct WorstRow {
    /// The step that it is of; none of what is asked of the start or of the end.
    pub step: Option<usize>,
    /// What it says, such as `the gap of box and ground`.
    pub says: String,
    /// By how much it is missed, in units of the plan.
    pub miss: f64,
}

impl WorstRow {
    /// That of a point; none where all rows hold to the last digit.
    pub fn of(program: &Program, x: &[f64]) -> Option<Self> {
        let bounds = program.constraint_bounds();
        let mut values = vec![0.0; program.constraints()];
        program.constraint_values(x, &mut values);
        let misses = values
            .iter()
            .zip(bounds.lower.iter().zip(&bounds.upper))
            .map(|(value, (lower, upper))| (lower - value).max(value - upper));
        let (row, miss) =
            misses.enumerate().filter(|(_, miss)| *miss > 0.0).max_by(|a, b| a.1.total_cmp(&b.1))?;
        let (step, says) = Row::of(program, row).said(program);
        Some(Self { step, says, miss })
    }
}

/// What a row of a program is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Row {
    Momentum { step: usize, degree: usize },
    Place { step: usize, degree: usize },
    Gap { step: usize, candidate: usize },
    Slip { step: usize, candidate: usize },
    Product { step: usize, candidate: usize },
    Keep { step: usize, keep: usize },
    Size,
    StartGap { candidate: usize },
    Goal { goal: usize, component: usize },
}

impl Row {
    fn of(program: &Program, index: usize) -> Self {
        let layout = program.rows.layout();
        let (step, own) = (index / layout.rows, index % layout.rows);
        if step < program.task.steps {
            if own < layout.freedom {
                return Self::Momentum { step, degree: own };
            }
            if own < layout.motion_rows {
                return Self::Place { step, degree: own - layout.freedom };
            }
            if own >= layout.keep_rows {
                return Self::Keep { step, keep: own - layout.keep_rows };
            }
            let candidate = layout.contact_rows.partition_point(|first| *first <= own) - 1;
            let has_slip = program.rows.candidates[candidate].friction > 0.0;
            return match (own - layout.contact_rows[candidate], has_slip) {
                (0, _) => Self::Gap { step, candidate },
                (1, true) => Self::Slip { step, candidate },
                _ => Self::Product { step, candidate },
            };
        }
        let behind = index - program.task.steps * layout.rows;
        let Some(behind) = behind.checked_sub(program.sizes().len()) else { return Self::Size };
        let Some(number) = behind.checked_sub(program.start_gaps()) else {
            return Self::StartGap { candidate: behind };
        };
        match program.hard_goals().nth(number) {
            Some(row) => Self::Goal { goal: row.goal, component: row.component },
            // There are no other rows.
            None => Self::Size,
        }
    }

    /// The step that it is of, and what it says.
    fn said(self, program: &Program) -> (Option<usize>, String) {
        let scenario = &program.task.scenario;
        let component = |degree: usize, first: usize| {
            let bodies = 0..scenario.bodies.len();
            let body = bodies.clone().find(|body| program.rows.freedoms(*body).contains(&degree));
            let body = body.unwrap_or(bodies.start);
            let axis = degree - program.rows.freedoms(body).start;
            format!("{}.{}", scenario.body_name(body), COMPONENTS[first + axis])
        };
        let pair = |candidate: usize| {
            let candidate = &program.rows.candidates[candidate];
            let (first, second) =
                (scenario.body_name(candidate.first), scenario.partner_name(candidate.second));
            format!("{first} and {second}")
        };
        match self {
            Self::Momentum { step, degree } => {
                (Some(step), format!("the change of {}", component(degree, 3)))
            }
            Self::Place { step, degree } => (Some(step), format!("the change of {}", component(degree, 0))),
            Self::Gap { step, candidate } => (Some(step), format!("the gap of {}", pair(candidate))),
            Self::Slip { step, candidate } => (Some(step), format!("the slip of {}", pair(candidate))),
            Self::Product { step, candidate } => {
                (Some(step), format!("what is open and what is closed, of {}", pair(candidate)))
            }
            Self::Keep { step, keep } => (Some(step), format!("[[keep]] number {}", keep + 1)),
            Self::Size => (None, "the size of a push".to_owned()),
            Self::StartGap { candidate } => (None, format!("the gap of {} at the start", pair(candidate))),
            Self::Goal { goal, component } => {
                let body = scenario.body_name(program.task.goals[goal].body);
                (None, format!("the goal of {body}.{}", COMPONENTS[component]))
            }
        }
    }
}
