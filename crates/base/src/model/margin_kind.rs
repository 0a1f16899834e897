use std::fmt;

/// The branch of a step that a margin belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MarginKind {
    /// Whether the point touches the ground in the step.
    Contact,
    /// Whether the point slips or sticks.
    Slip,
    /// Whether an impact rebounds.
    Rebound,
    /// Whether a slide comes to its end within the step.
    Stop,
    /// Whether the damper of a penalty force would pull.
    Pull,
    /// Which of two rules a stiffness or damping is chosen by.
    Choice,
    /// Whether bodies overlap since before the step, and are left in each other.
    Overlap,
    /// Whether what rubs in a joint, or a motor with a limit, gives all that it can.
    Bound,
    /// Whether an impact would make energy, and its rebounds are reduced.
    Energy,
    /// Which step the edge of a push's window lies in.
    Window,
}

impl fmt::Display for MarginKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Contact => "contact",
            Self::Slip => "slip",
            Self::Rebound => "rebound",
            Self::Stop => "stop",
            Self::Pull => "pull",
            Self::Choice => "choice",
            Self::Overlap => "overlap",
            Self::Bound => "bound",
            Self::Energy => "energy",
            Self::Window => "window",
        })
    }
}
