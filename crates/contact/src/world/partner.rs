/// What a body touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Partner {
    /// Another body, by its number.
    Body(usize),
    /// The ground.
    Ground,
    /// A wall, by its number.
    Wall(usize),
    /// A stop in a joint, by the number of its axis among those of all joints, and whether it is that at the lower end of
    /// the range, 0, or at the upper one, 1.
    Stop {
        /// The axis.
        axis: usize,
        /// The end.
        end: usize,
    },
}
