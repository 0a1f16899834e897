//! Friction of what does not turn: distances, sticking, breaking loose, reversing.

use super::{
    Experiment, Failing, Group, Observed, Phenomenon, Remark, Thresholds, Trial,
    observed::final_x,
    scenes::{
        CREEPS, GRAVITY, REGULARISED, WITHOUT_FRICTION, level, moving, over_ground, point, push_on,
        rectangle, sloping, solid,
    },
};
use crate::{
    model::Vector,
    scenario::{Push, PushTable, Scenario, Wall},
    stepper::StepperName,
};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![
        stopping_distance(),
        thrown_point(),
        creep_on_slope(),
        held_by_friction(),
        breaking_loose(),
        tilting_plane(),
        reversal(),
        box_down_slope(),
        conveyor(),
        tablecloth(),
    ]
}

const COULOMB: &str = "Coulomb, Theorie des machines simples, Paris 1821; any textbook of mechanics";

fn stopping_distance() -> Phenomenon {
    const FRICTION: f64 = 0.3;
    const SPEED: f64 = 1.0;
    fn scenes() -> Vec<Scenario<2>> {
        vec![point("stopping-distance", 0.5, ([0.0, 0.0], [SPEED, 0.0]), level(FRICTION, 0.0))]
    }
    Phenomenon {
        name: "stopping-distance",
        group: Group::Sliding,
        title: "A sliding block stops",
        happens: "A block slides at 1 m/s over ground with friction 0.3 and stops. The distance is what a brake \
                  is judged by; it is the first thing that friction has to get right.",
        formula: "v0^2 / (2 mu g)",
        source: COULOMB,
        measure: "distance slid",
        unit: "m",
        truth: SPEED * SPEED / (2.0 * FRICTION * GRAVITY),
        thresholds: Thresholds {
            right: 0.0017,
            off: 0.017,
            why: "1 % and 10 % of the distance: a first-order step of 1 ms is off by v0 dt/2 = 0.5 mm.",
        },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure: final_x }),
    }
}

fn thrown_point() -> Phenomenon {
    const FRICTION: f64 = 0.1;
    fn scenes() -> Vec<Scenario<2>> {
        vec![point("thrown-point", 1.2, ([0.0, 1.0], [1.0, 0.0]), level(FRICTION, 0.0))]
    }
    Phenomenon {
        name: "thrown-point",
        group: Group::Sliding,
        title: "A thrown point lands, slides and stops",
        happens: "A point thrown at 1 m/s from a height of 1 m lands, loses speed in the impact by friction, and \
                  slides until it stops. While it slips, x + mu z is decelerated by mu g through flight and impact \
                  alike, which gives the distance at once.",
        formula: "x0 + (v0 + mu vz0)^2/(2 mu g) + mu z0 less what the impact takes; here t_i = sqrt(2 z0/g), \
                  v1 = v0 - mu g t_i, x = v0 t_i + v1^2/(2 mu g)",
        source: "Coulomb's law on the impulse of an impact: Routh, Dynamics of a System of Rigid Bodies I, 1860",
        measure: "distance thrown and slid",
        unit: "m",
        truth: {
            let fall = (2.0 / GRAVITY).sqrt();
            let speed = 1.0 - FRICTION * GRAVITY * fall;
            fall + speed * speed / (2.0 * FRICTION * GRAVITY)
        },
        thresholds: Thresholds {
            right: 0.006,
            off: 0.06,
            why: "1 % and 10 % of the distance; a first-order step of 1 ms is off by 0.5 mm.",
        },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure: final_x }),
    }
}

fn creep_on_slope() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        vec![point("creep-on-slope", 2.0, ([0.0, 0.0], [0.0, 0.0]), sloping(0.5, 15.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let (middle, last) = (motion.index(1.0), motion.last());
        let moved = motion.position(0, last)[0] - motion.position(0, middle)[0];
        moved / (motion.time(last) - motion.time(middle))
    }
    Phenomenon {
        name: "creep-on-slope",
        group: Group::Sliding,
        title: "A block sticks on a slope",
        happens: "A block rests on a slope of 15 degrees with friction 0.5, half of which is needed. It must not \
                  move, not in an hour either: what a parked car may not do. Measured is the mean speed in the \
                  second of two seconds, after whatever the start stirs up.",
        formula: "0, since tan 15 = 0.268 < mu = 0.5",
        source: COULOMB,
        measure: "speed of creeping",
        unit: "m/s",
        truth: 0.0,
        thresholds: Thresholds {
            right: 2.8e-7,
            off: 2.8e-4,
            why: "1 mm in an hour, which nobody sees, and 1 m in an hour, which everybody does.",
        },
        remarks: &[REGULARISED],
        failing: CREEPS,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

/// Friction coefficient and angle below the horizontal in rad of the push that presses a block on.
const PRESSED: (f64, f64) = (0.3, std::f64::consts::FRAC_PI_6);

/// A block pushed downwards at an angle, by a share of the force that moves it.
fn pushed_block(name: &str, share: f64) -> Scenario<2> {
    let (friction, angle) = PRESSED;
    let limit = friction * GRAVITY / (angle.cos() - friction * angle.sin());
    let force = share * limit;
    let push = Push::constant([force * angle.cos(), -force * angle.sin()]);
    Scenario { pushes: vec![push], ..point(name, 1.0, ([0.0, 0.0], [0.0, 0.0]), level(friction, 0.0)) }
}

fn held_by_friction() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        vec![pushed_block("held-by-friction", 0.99)]
    }
    Phenomenon {
        name: "held-by-friction",
        group: Group::Sliding,
        title: "A push just below the limit moves nothing",
        happens: "A block is pushed at 30 degrees below the horizontal, with 99 % of the force that moves it. The \
                  push presses it on, which raises the friction as well.",
        formula: "0 below F = mu m g/(cos a - mu sin a)",
        source: COULOMB,
        measure: "displacement after 1 s",
        unit: "m",
        truth: 0.0,
        thresholds: Thresholds {
            right: 1e-6,
            off: 1e-3,
            why: "A micrometre is less than any gauge shows; a millimetre is what a model with a creep of its own \
                  may lose without another outcome.",
        },
        remarks: &[
            REGULARISED,
            Remark {
                steppers: &[StepperName::SMOOTH],
                why: "A penalty spring has to be pressed before it carries, and friction with it: the block slips in the first steps.",
            },
        ],
        failing: CREEPS,
        trial: Trial::Plane(Experiment { scenes, measure: final_x }),
    }
}

fn breaking_loose() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        vec![pushed_block("breaking-loose", 1.05)]
    }
    Phenomenon {
        name: "breaking-loose",
        group: Group::Sliding,
        title: "A push just above the limit moves it",
        happens: "The same block pushed with 105 % of the force that moves it accelerates by what is left.",
        formula: "x = a t^2/2 with m a = 0.05 F* (cos a - mu sin a) = 0.05 mu m g",
        source: COULOMB,
        measure: "displacement after 1 s",
        unit: "m",
        truth: 0.5 * 0.05 * PRESSED.0 * GRAVITY,
        thresholds: Thresholds {
            right: 0.0015,
            off: 0.015,
            why: "2 % and 20 %; the acceleration is a twentieth of that of the push, so that 0.1 % of the friction \
                  makes 2 % here.",
        },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure: final_x }),
    }
}

fn tilting_plane() -> Phenomenon {
    /// Degrees at the start, and degrees per second.
    const TILT: (f64, f64) = (40.0, 10.0);
    fn scenes() -> Vec<Scenario<2>> {
        // In the axes of the plane the weight turns; the scenario's own stands normal to the plane.
        let row = |k: usize| {
            let time = 1e-2 * k as f64;
            let (sin, cos) = (TILT.0 + TILT.1 * time).to_radians().sin_cos();
            (time, Vector::from([GRAVITY * sin, GRAVITY * (1.0 - cos)]))
        };
        let table = PushTable { rows: (0..=110).map(row).collect(), torques: Vec::new() };
        let push = Push { table: Some(table), ..Push::constant([0.0, 0.0]) };
        let start = ([0.0, 0.0], [0.0, 0.0]);
        vec![Scenario { pushes: vec![push], ..point("tilting-plane", 1.0, start, level(1.0, 0.0)) }]
    }
    /// After it breaks loose the acceleration grows from zero at the rate r: x = r s^3/6.
    fn measure(observed: &[Observed<2>]) -> f64 {
        const MOVED: f64 = 1e-3;
        let motion = &observed[0];
        let Some(k) = motion.first(0, |k| motion.position(0, k)[0].abs() > MOVED) else { return f64::NAN };
        let rate = GRAVITY * 2.0_f64.sqrt() * TILT.1.to_radians();
        let since = (6.0 * motion.position(0, k)[0].abs() / rate).cbrt();
        TILT.0 + TILT.1 * (motion.time(k) - since)
    }
    Phenomenon {
        name: "tilting-plane",
        group: Group::Sliding,
        title: "A tilting plane lets go at 45 degrees",
        happens: "A plane with friction 1 is tilted slowly, 10 degrees in a second, until the block on it slides: \
                  the way in which friction is measured in school. The angle is found from where the block is when \
                  it has moved by 1 mm.",
        formula: "tan a = mu; afterwards x = g sqrt(1 + mu^2) a' s^3/6",
        source: COULOMB,
        measure: "angle at which it slides",
        unit: "degrees",
        truth: 45.0,
        thresholds: Thresholds {
            right: 0.2,
            off: 2.0,
            why: "Two steps of 10 ms are 0.2 degrees; 2 degrees are 7 % of friction.",
        },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn reversal() -> Phenomenon {
    const FRICTION: f64 = 0.1;
    const DURATION: f64 = 0.5;
    fn scenes() -> Vec<Scenario<2>> {
        let push = Push::constant([-1.5 * FRICTION * GRAVITY, 0.0]);
        let start = ([0.0, 0.0], [0.3, 0.0]);
        vec![Scenario { pushes: vec![push], ..point("reversal", DURATION, start, level(FRICTION, 0.0)) }]
    }
    Phenomenon {
        name: "reversal",
        group: Group::Sliding,
        title: "A push turns a sliding block around",
        happens: "A block slides at 0.3 m/s against a push of 1.5 mu m g. Friction helps the push until the block \
                  stops, then opposes it: the deceleration is five times the acceleration that follows.",
        formula: "v0^2/(2 a1) - a2 (T - v0/a1)^2/2 with a1 = 2.5 mu g, a2 = 0.5 mu g",
        source: COULOMB,
        measure: "position after 0.5 s",
        unit: "m",
        truth: {
            let (slower, faster) = (2.5 * FRICTION * GRAVITY, 0.5 * FRICTION * GRAVITY);
            0.3 * 0.3 / (2.0 * slower) - 0.5 * faster * (DURATION - 0.3 / slower).powi(2)
        },
        thresholds: Thresholds {
            right: 0.0005,
            off: 0.005,
            why: "3 % and 30 % of the way from the point of turning to the end; the stop falls somewhere within a \
                  step, which at 1 ms makes 0.1 mm.",
        },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure: final_x }),
    }
}

fn box_down_slope() -> Phenomenon {
    const FRICTION: f64 = 0.3;
    const SLOPE: f64 = 30.0;
    fn scenes() -> Vec<Scenario<2>> {
        let body = solid(rectangle(0.8, 0.4), [0.0, 0.2], 0.0);
        vec![over_ground("box-down-slope", 0.5, vec![body], sloping(FRICTION, SLOPE))]
    }
    Phenomenon {
        name: "box-down-slope",
        group: Group::Sliding,
        title: "A box slides down a slope",
        happens: "A flat box on a slope of 30 degrees with friction 0.3 slides down without tipping.",
        formula: "g (sin a - mu cos a) t^2/2, flat while mu < w/h",
        source: COULOMB,
        measure: "distance after 0.5 s",
        unit: "m",
        truth: {
            let (sin, cos) = SLOPE.to_radians().sin_cos();
            0.5 * GRAVITY * (sin - FRICTION * cos) * 0.25
        },
        thresholds: Thresholds {
            right: 0.003,
            off: 0.03,
            why: "1 % and 10 % of the distance; a first-order step of 1 ms is off by a t dt/2 = 0.6 mm.",
        },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure: final_x }),
    }
}

fn conveyor() -> Phenomenon {
    const FRICTION: f64 = 0.3;
    const SPEED: f64 = 1.0;
    fn scenes() -> Vec<Scenario<2>> {
        let body = solid(rectangle(0.4, 0.3), [0.0, 0.35], 0.0);
        let belt = Wall { velocity: [SPEED, 0.0], ..Wall::new([0.0, 1.0], 0.2) };
        let scenario = over_ground("conveyor", 0.8, vec![body], level(FRICTION, 0.0));
        vec![Scenario { walls: vec![belt], ..scenario }]
    }
    Phenomenon {
        name: "conveyor",
        group: Group::Sliding,
        title: "A block on a conveyor",
        happens: "A crate is set down at rest on a belt that runs at 1 m/s: friction speeds it up until it moves \
                  with the belt, behind which it stays by v^2/(2 mu g).",
        formula: "v T - v^2/(2 mu g)",
        source: COULOMB,
        measure: "position after 0.8 s",
        unit: "m",
        truth: SPEED * 0.8 - SPEED * SPEED / (2.0 * FRICTION * GRAVITY),
        thresholds: Thresholds {
            right: 0.006,
            off: 0.06,
            why: "1 % and 10 % of the way; a first-order step of 1 ms is off by v dt/2 = 0.5 mm.",
        },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure: final_x }),
    }
}

fn tablecloth() -> Phenomenon {
    const FRICTION: f64 = 0.1;
    fn scenes() -> Vec<Scenario<2>> {
        let cloth = solid(rectangle(1.0, 0.1), [0.0, 0.05], 0.0);
        let plate = moving(solid(rectangle(0.2, 0.1), [0.0, 0.15], 0.0), [0.0, 0.0], 0.0);
        let scenario = over_ground("tablecloth", 0.3, vec![cloth, plate], level(FRICTION, 0.0));
        vec![Scenario { pushes: vec![push_on(0, [10.0, 0.0])], ..scenario }]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.position(1, motion.last())[0]
    }
    Phenomenon {
        name: "tablecloth",
        group: Group::Sliding,
        title: "A cloth is pulled from under a plate",
        happens: "A force of 10 N pulls the lower of two boxes. Friction of 0.1 cannot take the upper one along; \
                  it gets mu g, while the lower one gets five times that.",
        formula: "mu g t^2/2",
        source: COULOMB,
        measure: "way of the upper box after 0.3 s",
        unit: "m",
        truth: 0.5 * FRICTION * GRAVITY * 0.09,
        thresholds: Thresholds {
            right: 0.0009,
            off: 0.009,
            why: "2 % and 20 % of the way; a first-order step of 1 ms is off by 0.3 %.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::SMOOTH,
            step: 1e-2,
            settings: None,
            why: "its penalty springs, as soft as such a step demands, let the boxes bounce on each other",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}
