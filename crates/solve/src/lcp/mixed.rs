use nalgebra::{DefaultAllocator, Dim, OMatrix, OVector, U1, allocator::Allocator};

use super::{
    Problem,
    elimination::{LinearSystem, NEARLY_SINGULAR},
};

/// A mixed problem without its free unknowns `u`.
///
/// With the blocks
///
/// ```text
/// A u + C z + a = 0,     w = B' u + N z + b,
/// ```
///
/// the plain problem is `M = N - B' A^-1 C`, `q = b - B' A^-1 a`, and `u = constant + gain z`.
#[derive(Debug, Clone, PartialEq)]
pub struct Reduction<F: Dim, R: Dim>
where
    DefaultAllocator: Allocator<R, R> + Allocator<R> + Allocator<F, R> + Allocator<F>,
{
    /// The plain problem in `z`.
    pub problem: Problem<R>,
    /// `-A^-1 a`
    pub constant: OVector<f64, F>,
    /// `-A^-1 C`
    pub gain: OMatrix<f64, F, R>,
}

/// Why a mixed problem has no [`Reduction`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotReducible {
    /// The equations do not determine the free unknowns.
    #[error(
        "the block of the {free} free unknowns has rank {rank}; solve the mixed problem directly (interior point or enumeration)"
    )]
    Singular {
        /// Number of free unknowns.
        free: usize,
        /// Rank of their block.
        rank: usize,
    },
    /// The sizes asked for are not the sizes of the problem.
    #[error("the problem has {free} free unknowns and {rest} others, not {asked_free} and {asked_rest}")]
    OtherSizes {
        /// Number of free unknowns of the problem.
        free: usize,
        /// Number of its unknowns with a sign.
        rest: usize,
        /// Number of free unknowns asked for.
        asked_free: usize,
        /// Number of unknowns with a sign asked for.
        asked_rest: usize,
    },
}

impl<D: Dim> Problem<D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    /// Solves the equations of the `free` unknowns for them and leaves a plain problem in the
    /// `rest`.
    ///
    /// # Errors
    /// [`NotReducible`] when the equations do not determine the free unknowns, or the sizes are not
    /// those of the problem.
    pub fn eliminate_free<F: Dim, R: Dim>(&self, free: F, rest: R) -> Result<Reduction<F, R>, NotReducible>
    where
        DefaultAllocator: Allocator<F, F> + Allocator<F> + Allocator<R, R> + Allocator<R> + Allocator<F, R>,
    {
        let (f, r) = (self.free(), self.size() - self.free());
        if (free.value(), rest.value()) != (f, r) {
            let (asked_free, asked_rest) = (free.value(), rest.value());
            return Err(NotReducible::OtherSizes { free: f, rest: r, asked_free, asked_rest });
        }
        let mut system = LinearSystem::new(free);
        let mut solve = |right: &dyn Fn(usize) -> f64| {
            for j in 0..f {
                for i in 0..f {
                    system.a[(i, j)] = self.m[(i, j)];
                }
                system.b[j] = -right(j);
            }
            let rank = system.solve(f, f, NEARLY_SINGULAR);
            if rank == f { Ok(system.x.clone_owned()) } else { Err(NotReducible::Singular { free: f, rank }) }
        };
        let constant = solve(&|i| self.q[i])?;
        let mut gain = OMatrix::zeros_generic(free, rest);
        for j in 0..r {
            gain.set_column(j, &solve(&|i| self.m[(i, f + j)])?);
        }
        let through_free =
            |i: usize, u: &dyn Fn(usize) -> f64| (0..f).map(|k| self.m[(f + i, k)] * u(k)).sum::<f64>();
        let problem = Problem {
            m: OMatrix::from_fn_generic(rest, rest, |i, j| {
                self.m[(f + i, f + j)] + through_free(i, &|k| gain[(k, j)])
            }),
            q: OVector::from_fn_generic(rest, U1, |i, _| self.q[f + i] + through_free(i, &|k| constant[k])),
            free: 0,
        };
        Ok(Reduction { problem, constant, gain })
    }
}

impl<F: Dim, R: Dim> Reduction<F, R>
where
    DefaultAllocator: Allocator<R, R> + Allocator<R> + Allocator<F, R> + Allocator<F>,
{
    /// The free unknowns that go with the solution `z` of the plain problem.
    pub fn free_unknowns(&self, z: &OVector<f64, R>) -> OVector<f64, F> {
        &self.gain * z + &self.constant
    }
}
