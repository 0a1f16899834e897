/// The shape of a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A point, or a particle: it touches where it is and does not turn.
    Point,
}
