/// What a body touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Partner {
    /// Another body, by its number.
    Body(usize),
    /// The ground.
    Ground,
    /// A wall, by its number.
    Wall(usize),
}
