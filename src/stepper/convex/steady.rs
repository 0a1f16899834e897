//! Where Newton's method starts in a step.

use nalgebra::{SMatrix, SVector};

/// Part of a change of velocity up to which the next one counts as the same.
const SAME: f64 = 1e-6;

/// First guesses of the velocities at the end of a step: those at its start, and, where a body came as far in the last
/// step as in the one before, as much further. A body that slides under steady friction or a steady push has its solution
/// so. Of a body that is steady as a whole, components that only round stay as they are: going on they would grow.
#[derive(Debug, Clone, Default)]
pub(super) struct Steady<const N: usize> {
    blocks: Vec<Course<N>>,
}

/// How the velocity of a block came to be what it is.
#[derive(Debug, Clone, Copy)]
struct Course<const N: usize> {
    /// That at the start of the last step.
    start: SVector<f64, N>,
    /// What the last step but one changed of it; not a number where there was none.
    change: SVector<f64, N>,
}

impl<const N: usize> Steady<N> {
    /// Makes room for so many blocks.
    pub fn resize(&mut self, blocks: usize) {
        let unknown = SVector::repeat(f64::NAN);
        self.blocks.resize(blocks, Course { start: unknown, change: unknown });
    }

    /// The guess for a `block` of this `inertia` that starts with the velocity `start`, where `solution` is that of the
    /// last step. If they differ, something else has moved the body in between, and nothing is known of its changes.
    #[inline]
    pub fn guess(
        &mut self,
        block: usize,
        inertia: &SMatrix<f64, N, N>,
        start: &SVector<f64, N>,
        solution: &SVector<f64, N>,
    ) -> SVector<f64, N> {
        let course = &mut self.blocks[block];
        let change = if start == solution { start - course.start } else { SVector::repeat(f64::NAN) };
        let (mut went, mut turned_off) = (0.0, 0.0);
        for i in 0..N {
            went += inertia[(i, i)] * change[i] * change[i];
            turned_off += inertia[(i, i)] * (change[i] - course.change[i]).powi(2);
        }
        let mut guess = *start;
        if turned_off <= SAME * SAME * went {
            for i in 0..N {
                if (change[i] - course.change[i]).abs() <= SAME * change[i].abs() {
                    guess[i] += change[i];
                }
            }
        }
        *course = Course { start: *start, change };
        guess
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The guesses of steps each of which starts with what the one before has found.
    fn guesses<const N: usize>(velocities: &[[f64; N]]) -> Vec<[f64; N]> {
        let mut steady = Steady::<N>::default();
        steady.resize(1);
        let starts = velocities.iter().map(|velocity| SVector::from(*velocity));
        starts.map(|start| steady.guess(0, &SMatrix::identity(), &start, &start).into()).collect()
    }

    #[test]
    fn a_velocity_that_changed_twice_by_the_same_is_taken_to_change_so_again() {
        assert_eq!(
            guesses(&[[1.0], [0.75], [0.5], [0.25], [0.0], [0.0], [0.0]]),
            [[1.0], [0.75], [0.25], [0.0], [-0.25], [0.0], [0.0]]
        );
        assert_eq!(guesses(&[[1.0], [0.75], [0.51], [0.26]]), [[1.0], [0.75], [0.51], [0.26]]);
    }

    #[test]
    fn what_was_moved_between_steps_starts_where_it_is() {
        let mut steady = Steady::<1>::default();
        steady.resize(1);
        let at = SVector::<f64, 1>::new;
        for (start, solution, guess) in
            [(1.0, f64::NAN, 1.0), (0.75, 0.75, 0.75), (0.5, 0.4, 0.5), (0.25, 0.25, 0.25)]
        {
            assert_eq!(steady.guess(0, &SMatrix::identity(), &at(start), &at(solution)), at(guess));
        }
    }

    /// A ball that rolls and spins otherwise, too: going on with its velocity alone it would slip.
    #[test]
    fn a_body_is_steady_as_a_whole_or_not_at_all() {
        let found = guesses(&[[0.0, 0.0], [0.5, 1.0], [1.0, 1.5], [1.5, 2.0], [2.0, 2.5]]);
        assert_eq!(found[2], [1.0, 1.5]);
        assert_eq!(found[4], [2.5, 3.0]);
    }

    #[test]
    fn what_only_rounds_does_not_go_on() {
        assert_eq!(guesses(&[[0.0, 0.0], [0.5, 0.0], [1.0, 1e-9]])[2], [1.5, 1e-9]);
    }
}
