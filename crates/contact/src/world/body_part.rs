/// A convex part of a body, by numbers. A body that is convex is its part 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyPart {
    /// The body.
    pub body: usize,
    /// The part among those of the body.
    pub part: usize,
}

impl BodyPart {
    /// The only part of a convex body.
    pub fn whole(body: usize) -> Self {
        Self { body, part: 0 }
    }
}
