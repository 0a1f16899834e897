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
        slip[0] = if is_free(slip[0].re(), h) {
            slip[0] + N::zero()
        } else if kept.re() <= 0.0 || kept.re().is_nan() {
            N::zero()
        } else if slip[0].re() < 0.0 {
            -kept
        } else {
            kept
        };
        return slip;
    }
    let speed = magnitude(&slip);
    if is_free(speed.re(), h) {
        return slip.map(|component| component + N::zero());
    }
    let kept = speed - h;
    if kept.re() > 0.0 { slip * (kept / speed) } else { Vector::zeros() }
}

/// The same of a velocity along a line.
pub fn shrink<N: Number>(velocity: N, h: N) -> N {
    soft_threshold(&Vector::<2, N>::new(velocity, N::zero()), h)[0]
}

/// Whether nothing moves and nothing holds it: the velocity is zero, and its derivative stays.
fn is_free<N: Number>(speed: f64, h: N) -> bool {
    speed == 0.0 && h.re() == 0.0
}

#[cfg(test)]
mod tests {
    use num_dual::Dual64;

    use super::{Vector, soft_threshold};

    #[test]
    fn what_does_not_move_in_the_air_keeps_its_derivative() {
        let still = Dual64::new(0.0, 2.0);
        let fall = Dual64::from(-1.0);
        let air = Dual64::from(0.0);
        assert_eq!(soft_threshold(&Vector::<2, Dual64>::new(still, fall), air)[0].eps, 2.0);
        assert_eq!(soft_threshold(&Vector::<3, Dual64>::new(still, still, fall), air)[1].eps, 2.0);
        let friction = Dual64::from(0.1);
        assert_eq!(soft_threshold(&Vector::<2, Dual64>::new(still, fall), friction)[0].eps, 0.0);
        assert_eq!(soft_threshold(&Vector::<3, Dual64>::new(still, still, fall), friction)[1].eps, 0.0);
        for zero in [0.0, -0.0] {
            assert_eq!(soft_threshold(&Vector::<2>::new(zero, -1.0), 0.0)[0].to_bits(), 0);
            assert_eq!(soft_threshold(&Vector::<3>::new(zero, zero, -1.0), 0.0)[0].to_bits(), 0);
        }
    }

    #[test]
    fn friction_shrinks_and_never_reverses() {
        assert_eq!(soft_threshold(&Vector::<2>::new(3.0, -9.0), 1.0), Vector::<2>::new(2.0, 0.0));
        assert_eq!(soft_threshold(&Vector::<2>::new(-3.0, 0.0), 1.0), Vector::<2>::new(-2.0, 0.0));
        assert_eq!(soft_threshold(&Vector::<2>::new(-3.0, 0.0), 3.0), Vector::<2>::zeros());
        assert_eq!(soft_threshold(&Vector::<3>::new(3.0, 4.0, 7.0), 2.5), Vector::<3>::new(1.5, 2.0, 0.0));
        assert_eq!(soft_threshold(&Vector::<3>::new(3.0, 4.0, 7.0), 6.0), Vector::<3>::zeros());
    }
}
