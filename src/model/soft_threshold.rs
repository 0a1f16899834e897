use super::{Number, Vector, magnitude, tangential};

/// What friction leaves of the tangential part of a velocity when it takes `h` off, against its
/// direction and never reversing it: `v max(0, 1 - h/|v|)`, Coulomb's law over a step.
///
/// `h` is `mu p_z/m` in m/s. The normal component of the result is zero.
pub fn soft_threshold<const D: usize, N: Number>(velocity: &Vector<D, N>, h: N) -> Vector<D, N> {
    let mut slip = tangential(velocity);
    if D == 2 {
        // One tangential direction needs neither root nor quotient.
        let kept = slip[0].abs() - h;
        slip[0] = if kept.re() <= 0.0 || kept.re().is_nan() {
            N::zero()
        } else if slip[0].re() < 0.0 {
            -kept
        } else {
            kept
        };
        return slip;
    }
    let speed = magnitude(&slip);
    let kept = speed - h;
    if kept.re() > 0.0 { slip * (kept / speed) } else { Vector::zeros() }
}

#[cfg(test)]
mod tests {
    use super::{Vector, soft_threshold};

    #[test]
    fn friction_shrinks_and_never_reverses() {
        assert_eq!(soft_threshold(&Vector::<2>::new(3.0, -9.0), 1.0), Vector::<2>::new(2.0, 0.0));
        assert_eq!(soft_threshold(&Vector::<2>::new(-3.0, 0.0), 1.0), Vector::<2>::new(-2.0, 0.0));
        assert_eq!(soft_threshold(&Vector::<2>::new(-3.0, 0.0), 3.0), Vector::<2>::zeros());
        assert_eq!(soft_threshold(&Vector::<3>::new(3.0, 4.0, 7.0), 2.5), Vector::<3>::new(1.5, 2.0, 0.0));
        assert_eq!(soft_threshold(&Vector::<3>::new(3.0, 4.0, 7.0), 6.0), Vector::<3>::zeros());
    }
}
