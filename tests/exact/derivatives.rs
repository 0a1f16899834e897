//! Derivatives by dual numbers against differences, where the motion is integrated numerically.

use nalgebra::{Const, SVector};
use num_dual::{Derivative, DualSVec};
use stickslip::{
    model::{PointMass, State, Vector},
    stepper::{Forcing, PointMotion},
};

type Dual = DualSVec<f64, 4>;

fn dual(value: f64, input: usize) -> Dual {
    Dual::new(value, Derivative::some(SVector::from_fn(|row, _| if row == input { 1.0 } else { 0.0 })))
}

/// Position and velocity after `duration` s under a constant push along x and a turning one, starting
/// at `(0, vy)`; as functions of the friction, the two amplitudes and `vy`.
fn motion<N: stickslip::model::Number>([friction, along, across, vy]: [N; 4], duration: f64) -> [N; 4] {
    let zero = N::constant(0.0);
    let body = PointMass::<3, N> {
        mass: N::constant(1.0),
        friction,
        restitution: zero,
        gravity: Vector::from([zero, zero, N::constant(-9.81)]),
    };
    let push = |force: [N; 3], frequency: Option<f64>| Forcing {
        force: Vector::from(force),
        from: None,
        to: None,
        frequency: frequency.map(N::constant),
        phase: zero,
    };
    let pushes = [push([along, zero, zero], None), push([zero, across, zero], Some(0.4))];
    let mut exact = PointMotion::of(body, &pushes);
    let start = State { position: Vector::from([zero; 3]), velocity: Vector::from([zero, vy, zero]) };
    let (state, _) = exact.advance(start, zero, N::constant(duration)).expect("the motion is followed");
    [state.position[0], state.position[1], state.velocity[0], state.velocity[1]]
}

fn check(inputs: [f64; 4], duration: f64, tolerance: f64) {
    let values = motion(inputs, duration);
    let duals = motion([0, 1, 2, 3].map(|input| dual(inputs[input], input)), duration);
    for input in 0..4 {
        let h = 1e-5;
        let at = |sign: f64| {
            let mut shifted = inputs;
            shifted[input] += sign * h;
            motion(shifted, duration)
        };
        let (above, below) = (at(1.0), at(-1.0));
        for output in 0..4 {
            assert!((duals[output].re - values[output]).abs() < 1e-12);
            let derivative = duals[output].eps.unwrap_generic(Const::<4>, Const::<1>)[input];
            let difference = (above[output] - below[output]) / (2.0 * h);
            let error = (derivative - difference).abs() / derivative.abs().max(1.0);
            assert!(error < tolerance, "d[{output}]/d[{input}]: {derivative}, differences {difference}");
        }
    }
}

#[test]
fn turning_slide_carries_derivatives() {
    check([0.3, 2.0, 1.5, 1.0], 0.3, 1e-7);
}

#[test]
fn turning_slide_that_stops_carries_those_of_the_place_where_it_does() {
    // Stops after about 0.4 s, and stays.
    check([0.4, 1.5, 0.8, 1.2], 0.8, 1e-6);
}

#[test]
fn slow_start_under_a_turning_push_carries_derivatives_of_the_time_of_breaking_away_too() {
    check([0.5, 4.9, 1.0, 0.0], 0.6, 1e-5);
}
