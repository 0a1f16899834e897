use nalgebra::SVector;
use stickslip_solve::nlp::{Bounds, Nlp};

/// A problem of the collection: the program itself and what is published about it.
pub trait Problem<const N: usize, const M: usize>: Nlp<N, M> {
    /// Number in the book.
    const NUMBER: u32;
    /// Published optimal value `f*`.
    const VALUE: f64;

    /// Published start point.
    fn start(&self) -> SVector<f64, N>;

    /// Published optimal point `x*`.
    fn solution(&self) -> SVector<f64, N>;

    /// Values of further local minima that are documented for the problem; a local method that
    /// ends in one of them has not gone wrong, but has not found `f*` either.
    fn local_values(&self) -> &'static [f64] {
        &[]
    }
}

/// Something that is done with every problem of the collection, whatever its size.
pub trait Visitor {
    /// Does it with one of them.
    fn visit<const N: usize, const M: usize, P: Problem<N, M>>(&mut self, problem: &P);
}

/// Declares the problems of one file and the function that shows them all to a visitor.
///
/// Sizes are literals; the closures are bodies of functions generic over the number type.
macro_rules! problems {
    ($(
        $(#[$attribute:meta])*
        $name:ident = $number:literal: $variables:literal variables, $constraints:literal constraints {
            start: $start:expr,
            x: $x_bounds:expr,
            g: $g_bounds:expr,
            objective: |$x:ident| $objective:expr,
            constraints: |$y:ident| $constraint:expr,
            solution: $solution:expr,
            value: $value:expr,
            $(local: $local:expr,)?
        }
    )*) => {
        $(
            $(#[$attribute])*
            pub struct $name;

            impl stickslip_solve::nlp::Nlp<$variables, $constraints> for $name {
                fn objective<T: num_dual::DualNum<Primitive = f64> + Copy>(
                    &self,
                    $x: &nalgebra::SVector<T, $variables>,
                ) -> T {
                    $objective
                }

                fn constraints<T: num_dual::DualNum<Primitive = f64> + Copy>(
                    &self,
                    $y: &nalgebra::SVector<T, $variables>,
                ) -> nalgebra::SVector<T, $constraints> {
                    nalgebra::SVector::from($constraint)
                }

                fn variable_bounds(&self) -> stickslip_solve::nlp::Bounds<$variables> {
                    $x_bounds
                }

                fn constraint_bounds(&self) -> stickslip_solve::nlp::Bounds<$constraints> {
                    $g_bounds
                }
            }

            impl crate::collection::Problem<$variables, $constraints> for $name {
                const NUMBER: u32 = $number;
                const VALUE: f64 = $value;

                fn start(&self) -> nalgebra::SVector<f64, $variables> {
                    nalgebra::SVector::from($start)
                }

                fn solution(&self) -> nalgebra::SVector<f64, $variables> {
                    nalgebra::SVector::from($solution)
                }

                $(fn local_values(&self) -> &'static [f64] {
                    &$local
                })?
            }
        )*

        pub fn visit(visitor: &mut impl crate::collection::Visitor) {
            $(visitor.visit(&$name);)*
        }
    };
}

/// No bound.
pub const INF: f64 = f64::INFINITY;

/// No bound on any entry.
pub fn free<const K: usize>() -> Bounds<K> {
    Bounds::free()
}

/// Lower and upper bounds.
pub fn within<const K: usize>(lower: [f64; K], upper: [f64; K]) -> Bounds<K> {
    Bounds::new(lower, upper)
}

/// Lower bounds alone.
pub fn at_least<const K: usize>(lower: [f64; K]) -> Bounds<K> {
    Bounds::new(lower, [INF; K])
}

/// The book's order of constraints: `inequalities` of the form `g >= 0`, then equalities `g = 0`.
pub fn inequalities_first<const K: usize>(inequalities: usize) -> Bounds<K> {
    Bounds::new([0.0; K], std::array::from_fn(|i| if i < inequalities { INF } else { 0.0 }))
}

/// All constraints have the form `g = 0`.
pub fn equalities<const K: usize>() -> Bounds<K> {
    inequalities_first(0)
}

/// All constraints have the form `g >= 0`.
pub fn inequalities<const K: usize>() -> Bounds<K> {
    inequalities_first(K)
}
