//! Balls and cubes in space: directions of sliding, spin.

use nalgebra::{Matrix3, Vector3};

use super::{
    Experiment, Group, Observed, Phenomenon, Thresholds, Trial,
    scenes::{FIXED_PYRAMID, GRAVITY, WITHOUT_FRICTION, level, over_ground, rolling_ball},
};
use crate::{
    model::Spin,
    scenario::{Body, Inertia, Scenario, Shape},
};

/// Those among [`Group::Sliding`].
pub(super) fn sliding() -> Vec<Phenomenon> {
    vec![slide_direction(), diagonal_stop()]
}

/// Those among [`Group::Rolling`].
pub(super) fn rolling() -> Vec<Phenomenon> {
    vec![ball_backspin(), ball_rolls(), spin_down()]
}

const COULOMB: &str = "Coulomb, Theorie des machines simples, Paris 1821; any textbook of mechanics";
const BILLIARDS: &str = "Coriolis, Theorie mathematique des effets du jeu de billard, Paris 1835";

/// Half width in m, mass in kg, inertia in kg m^2 and friction of the cube.
const CUBE: (f64, f64, f64, f64) = (0.0524, 0.37, 8.1e-4, 0.18);

/// The cube flat on the ground.
fn cube(name: &str, duration: f64, velocity: [f64; 3], spin: f64) -> Scenario<3> {
    let (half, mass, inertia, friction) = CUBE;
    let body = Body {
        shape: Shape::Box { size: Vector3::repeat(2.0 * half) },
        inertia: Some(Inertia::Space(Matrix3::identity() * inertia)),
        spin: Spin::new(0.0, 0.0, spin),
        ..Body::point(mass, [0.0, 0.0, half], velocity)
    };
    over_ground(name, duration, vec![body], level(friction, 0.0))
}

/// How far the body has gone along x and y in m.
fn way(motion: &Observed<3>) -> [f64; 2] {
    let gone = motion.position(0, motion.last()) - motion.position(0, 0);
    [gone.x, gone.y]
}

fn slide_direction() -> Phenomenon {
    fn scenes() -> Vec<Scenario<3>> {
        let (sin, cos) = 30_f64.to_radians().sin_cos();
        vec![cube("slide-direction", 0.7, [cos, sin, 0.0], 0.0)]
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let [x, y] = way(&observed[0]);
        y.atan2(x).to_degrees()
    }
    Phenomenon {
        name: "slide-direction",
        group: Group::Sliding,
        title: "A cube slides straight at 30 degrees",
        happens: "A cube slides over level ground at 30 degrees to the axes until it stops. Friction opposes the slip, \
                  whichever way that points: the path is straight.",
        formula: "atan2(y, x) = 30 degrees",
        source: COULOMB,
        measure: "direction of the path",
        unit: "degrees",
        truth: 30.0,
        thresholds: Thresholds {
            right: 0.1,
            off: 3.0,
            why: "0.1 degrees are 0.5 mm to the side here; 3 degrees are seen on any picture.",
        },
        remarks: &[],
        failing: FIXED_PYRAMID,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

fn diagonal_stop() -> Phenomenon {
    fn scenes() -> Vec<Scenario<3>> {
        let part = 0.5_f64.sqrt();
        vec![cube("diagonal-stop", 0.7, [part, part, 0.0], 0.0)]
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let [x, y] = way(&observed[0]);
        x.hypot(y)
    }
    Phenomenon {
        name: "diagonal-stop",
        group: Group::Sliding,
        title: "A cube that slides diagonally stops",
        happens: "The cube slides at 45 degrees to the axes, at 1 m/s with friction 0.18. It gets as far as in any \
                  other direction.",
        formula: "v0^2/(2 mu g)",
        source: COULOMB,
        measure: "distance slid",
        unit: "m",
        truth: 1.0 / (2.0 * CUBE.3 * GRAVITY),
        thresholds: Thresholds {
            right: 0.0028,
            off: 0.028,
            why: "1 % and 10 % of the distance: a first-order step of 1 ms is off by v0 dt/2 = 0.5 mm.",
        },
        remarks: &[],
        failing: FIXED_PYRAMID,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

/// Radius in m, speed in m/s, back spin in rad/s and friction of the ball.
const BALL: (f64, f64, f64, f64) = (0.1, 1.0, 40.0, 0.2);

fn ball(name: &str) -> Scenario<3> {
    let (radius, speed, spin, friction) = BALL;
    let body = rolling_ball(radius, speed, [0.0, -spin, 0.0]);
    over_ground(name, 0.9, vec![body], level(friction, 0.0))
}

/// Speed in m/s of the point of the ball that touches; spin about y is the same in the axes of the ball.
fn slip(motion: &Observed<3>, k: usize) -> f64 {
    motion.velocity(0, k).x - BALL.0 * motion.spin(0, k).y
}

fn ball_backspin() -> Phenomenon {
    fn scenes() -> Vec<Scenario<3>> {
        vec![ball("ball-backspin")]
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let motion = &observed[0];
        motion.velocity(0, motion.last()).x
    }
    Phenomenon {
        name: "ball-backspin",
        group: Group::Rolling,
        title: "A ball with back spin comes back",
        happens: "A ball is thrown forward at 1 m/s with a back spin of 40 rad/s: as the disc does, it comes back, but \
                  at less speed, for a ball holds less spin.",
        formula: "(5 v0 - 2 R w0)/7",
        source: BILLIARDS,
        measure: "speed at which it rolls",
        unit: "m/s",
        truth: (5.0 * BALL.1 - 2.0 * BALL.0 * BALL.2) / 7.0,
        thresholds: Thresholds { right: 0.0043, off: 0.043, why: "1 % and 10 % of the speed." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

fn ball_rolls() -> Phenomenon {
    fn scenes() -> Vec<Scenario<3>> {
        vec![ball("ball-rolls")]
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let motion = &observed[0];
        let rolls = motion.first(0, |k| slip(motion, k) < 1e-3 * slip(motion, 0));
        rolls.map_or(f64::NAN, |k| motion.time(k))
    }
    Phenomenon {
        name: "ball-rolls",
        group: Group::Rolling,
        title: "When a ball begins to roll",
        happens: "The same ball slips until the speed of the point that touches has gone from 5 m/s to zero. Measured \
                  is when a thousandth is left.",
        formula: "2 (v0 + R w0)/(7 mu g)",
        source: BILLIARDS,
        measure: "time at which it rolls",
        unit: "s",
        truth: 2.0 * (BALL.1 + BALL.0 * BALL.2) / (7.0 * BALL.3 * GRAVITY),
        thresholds: Thresholds { right: 0.0073, off: 0.073, why: "1 % and 10 % of the time." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

fn spin_down() -> Phenomenon {
    const SPIN: f64 = 20.0;
    fn scenes() -> Vec<Scenario<3>> {
        vec![cube("spin-down", 0.42, [0.0; 3], SPIN)]
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let motion = &observed[0];
        let stops = motion.first(0, |k| motion.spin(0, k).z < 1e-3 * SPIN);
        stops.map_or(f64::NAN, |k| motion.time(k))
    }
    Phenomenon {
        name: "spin-down",
        group: Group::Rolling,
        title: "A cube spins on its face and stops",
        happens: "A cube spins flat on the ground at 20 rad/s. It touches at four corners, each at the distance of half \
                  a diagonal from the axis, and friction there brakes the spin. Measured is when a thousandth is left.",
        formula: "I w0/(mu m g h sqrt(2))",
        source: "torque of contacts at a radius r: mu m g r",
        measure: "time of stopping",
        unit: "s",
        truth: CUBE.2 * SPIN / (CUBE.3 * CUBE.1 * GRAVITY * CUBE.0 * 2.0_f64.sqrt()),
        thresholds: Thresholds { right: 0.0034, off: 0.034, why: "1 % and 10 % of the time." },
        remarks: &[],
        failing: FIXED_PYRAMID,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}
