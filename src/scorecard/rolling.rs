//! Discs: from slipping to rolling, rolling without loss, rolling down a slope.

use super::{
    Experiment, Group, Observed, Phenomenon, Thresholds, Trial,
    scenes::{GRAVITY, WITHOUT_FRICTION, level, moving, over_ground, sloping, solid},
};
use crate::scenario::{Ground, Scenario, Shape};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![backspin_speed(), backspin_time(), rolling_back(), rolling_down(), slipping_down()]
}

pub(super) const RADIUS: f64 = 0.1;
const BILLIARDS: &str =
    "Coriolis, Theorie mathematique des effets du jeu de billard, Paris 1835; with the inertia of a disc";

/// A disc of 1 kg that touches the ground.
pub(super) fn disc(name: &str, duration: f64, speed: f64, spin: f64, ground: Ground) -> Scenario<2> {
    let body = moving(solid(Shape::Ball { radius: RADIUS }, [0.0, RADIUS], 0.0), [speed, 0.0], spin);
    over_ground(name, duration, vec![body], ground)
}

/// Speed, spin and friction of the disc with back spin.
const BACKSPIN: (f64, f64, f64) = (1.0, 40.0, 0.2);

/// Speed in m/s at which the disc slips on the ground.
fn slip(motion: &Observed<2>, k: usize) -> f64 {
    motion.velocity(0, k)[0] + RADIUS * motion.spin(0, k)[0]
}

fn backspin_speed() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let (speed, spin, friction) = BACKSPIN;
        vec![disc("backspin-speed", 1.0, speed, spin, level(friction, 0.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.velocity(0, motion.last())[0]
    }
    Phenomenon {
        name: "backspin-speed",
        group: Group::Rolling,
        title: "A disc with back spin comes back",
        happens: "A disc is thrown forward at 1 m/s with a back spin of 40 rad/s. It slips, stops, comes back and \
                  rolls: the speed at the end does not depend on friction, since the angular momentum about the \
                  point of contact stays.",
        formula: "(2 v0 - R w0)/3",
        source: BILLIARDS,
        measure: "speed at which it rolls",
        unit: "m/s",
        truth: (2.0 * BACKSPIN.0 - RADIUS * BACKSPIN.1) / 3.0,
        thresholds: Thresholds { right: 0.0067, off: 0.067, why: "1 % and 10 % of the speed." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn backspin_time() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let (speed, spin, friction) = BACKSPIN;
        vec![disc("backspin-time", 1.0, speed, spin, level(friction, 0.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let start = slip(motion, 0);
        let rolls = motion.first(0, |k| slip(motion, k) < 1e-3 * start);
        rolls.map_or(f64::NAN, |k| motion.time(k))
    }
    Phenomenon {
        name: "backspin-time",
        group: Group::Rolling,
        title: "When a disc begins to roll",
        happens: "The same disc slips until the speed of the point that touches, v + R w, has gone from 5 m/s to \
                  zero: friction slows the disc and its spin at once. Measured is when a thousandth is left.",
        formula: "(v0 + R w0)/(3 mu g)",
        source: BILLIARDS,
        measure: "time at which it rolls",
        unit: "s",
        truth: (BACKSPIN.0 + RADIUS * BACKSPIN.1) / (3.0 * BACKSPIN.2 * GRAVITY),
        thresholds: Thresholds { right: 0.0085, off: 0.085, why: "1 % and 10 % of the time." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn rolling_back() -> Phenomenon {
    /// Slope in degrees and speed in m/s.
    const CLIMB: (f64, f64) = (10.0, 1.5);
    fn deceleration() -> f64 {
        GRAVITY * CLIMB.0.to_radians().sin() / 1.5
    }
    fn scenes() -> Vec<Scenario<2>> {
        // Downhill is along +x.
        vec![disc("rolling-back", 2.8, -CLIMB.1, CLIMB.1 / RADIUS, sloping(0.5, CLIMB.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let Some(k) = motion.first(1, |k| motion.position(0, k)[0] >= 0.0) else { return f64::NAN };
        let (way, speed) = (motion.position(0, k)[0], motion.velocity(0, k)[0]);
        let at_start = (speed * speed - 2.0 * deceleration() * way).max(0.0).sqrt();
        100.0 * (1.0 - at_start / CLIMB.1)
    }
    Phenomenon {
        name: "rolling-back",
        group: Group::Rolling,
        title: "A disc rolls up a slope and back",
        happens: "A disc rolls up a slope of 10 degrees at 1.5 m/s, turns around and rolls back. Friction holds it all \
                  the while, but nothing slips, so that friction does no work: it passes the start with the speed \
                  that it had.",
        formula: "v = v0",
        source: BILLIARDS,
        measure: "speed lost",
        unit: "%",
        truth: 0.0,
        thresholds: Thresholds {
            right: 1.0,
            off: 10.0,
            why: "1 % and 10 % of the speed; a step of 1 ms that ends behind the start is off by a dt/v0 = 0.08 %.",
        },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

const SLOPE: f64 = 20.0;

fn rolling_down() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        vec![disc("rolling-down", 1.0, 0.0, 0.0, sloping(0.5, SLOPE))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.position(0, motion.last())[0]
    }
    Phenomenon {
        name: "rolling-down",
        group: Group::Rolling,
        title: "A disc rolls down a slope",
        happens: "A disc is let go on a slope of 20 degrees with enough friction to roll: a third of the work goes \
                  into its spin.",
        formula: "(2/3) g sin a t^2/2, rolling while tan a <= 3 mu",
        source: "Galilei, Discorsi, Leiden 1638, with the inertia of a disc",
        measure: "way after 1 s",
        unit: "m",
        truth: GRAVITY * SLOPE.to_radians().sin() / 3.0,
        thresholds: Thresholds {
            right: 0.011,
            off: 0.11,
            why: "1 % and 10 % of the way; a first-order step of 1 ms is off by 0.1 %.",
        },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn slipping_down() -> Phenomenon {
    const FRICTION: f64 = 0.05;
    fn scenes() -> Vec<Scenario<2>> {
        vec![disc("slipping-down", 1.0, 0.0, 0.0, sloping(FRICTION, SLOPE))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        -motion.spin(0, motion.last())[0]
    }
    Phenomenon {
        name: "slipping-down",
        group: Group::Rolling,
        title: "A disc slips down an icy slope",
        happens: "With friction 0.05, less than tan(20)/3 = 0.121, the disc cannot roll: it slips and turns only as \
                  fast as friction makes it.",
        formula: "2 mu g cos a t/R",
        source: BILLIARDS,
        measure: "spin after 1 s",
        unit: "rad/s",
        truth: 2.0 * FRICTION * GRAVITY * SLOPE.to_radians().cos() / RADIUS,
        thresholds: Thresholds { right: 0.09, off: 0.9, why: "1 % and 10 % of the spin." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}
