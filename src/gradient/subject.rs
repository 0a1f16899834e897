use crate::scenario::Scenario;

/// What moves and is differentiated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A point alone over the ground, with friction that is the same in all directions: its exact motion is followed in dual
    /// numbers, and its steps are differentiated in a few numbers on the stack, a hundred times as fast as those of bodies.
    Point,
    /// Everything else: the steps by the implicit function theorem, the exact motion by differences.
    Bodies,
}

impl Subject {
    /// That of a scenario.
    pub fn of<const D: usize>(scenario: &Scenario<D>) -> Self {
        let is_point = scenario.is_single_point() && scenario.grouped_friction().is_none();
        if is_point { Self::Point } else { Self::Bodies }
    }
}
