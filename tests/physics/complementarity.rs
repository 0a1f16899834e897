//! The measure of complementarity sees what contact must not do, in whichever step that is.

use stickslip::{metrics::max_complementarity, stepper::StepperName, trajectory::Trajectory};

use crate::{assert_close, point, run};

/// A step in the middle.
const K: usize = 20;

/// What is measured once `damage` is done to a point that slides at 1 m/s, where `g dt` is about 1 cm/s.
fn measured(damage: impl FnOnce(&mut Trajectory<2>)) -> f64 {
    let mut trajectory = run(&point([0.0, 0.0], [1.0, 0.0], 0.04), StepperName::LCP);
    damage(&mut trajectory);
    max_complementarity(trajectory.track(0)).expect("it poses one")
}

#[test]
fn of_a_sound_motion_is_nothing() {
    assert!(measured(|_| ()) < 1e-9);
}

#[test]
fn sees_a_force_where_the_gap_opens_or_closes_too_far() {
    for change in [-981e-6, 981e-6] {
        let violation = measured(|trajectory| trajectory.bodies[0].states[K + 1].velocity[1] += change);
        assert_close(violation, 0.1, 1e-6, "part of g dt");
    }
}

#[test]
fn sees_friction_that_is_less_or_more_than_its_bound_while_it_slides() {
    for factor in [0.9, 1.1] {
        let violation = measured(|trajectory| trajectory.bodies[0].steps[K].force[0] *= factor);
        assert_close(violation, 0.1 * 0.1, 1e-6, "part of the weight");
    }
}
