"""A session: the same work in this crate and in other programs, by turns, on one core."""
