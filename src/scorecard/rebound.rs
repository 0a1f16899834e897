//! What bounces: heights, energy, the end of bouncing, the film run backwards, the gradient.

use super::{
    Experiment, Failing, Group, Observed, Phenomenon, Remark, Thresholds, Trial,
    scenes::{DAMPERS_FOLLOW_THE_STEP, GRAVITY, RIGID, level, moving, over_ground, point, solid},
};
use crate::{
    scenario::{Scenario, Shape, Wall},
    stepper::StepperName,
};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![
        rebound_height(),
        elastic_energy(),
        end_of_bouncing(),
        time_mirror(),
        ball_row(),
        corner_shot(),
        bounce_gradient(),
    ]
}

const NEWTON: &str = "Newton, Principia, London 1687, Scholium to the laws of motion";

pub(super) const NO_RESTITUTION: Remark = Remark {
    steppers: &[StepperName::CONVEX],
    why: "It knows no law of restitution: its ground is as dissipative as its parameters make it.",
};

pub(super) const CONVEX_STAYS_DOWN: Failing = Failing {
    stepper: StepperName::CONVEX,
    step: 1e-3,
    settings: None,
    why: "compliant contact that is damped critically does not rebound",
};

/// A point that falls from rest.
fn drop_from(name: &str, duration: f64, height: f64, restitution: f64) -> Scenario<2> {
    point(name, duration, ([0.0, height], [0.0, 0.0]), level(0.0, restitution))
}

fn rebound_height() -> Phenomenon {
    const RESTITUTION: f64 = 0.8;
    fn scenes() -> Vec<Scenario<2>> {
        vec![drop_from("rebound-height", 1.0, 1.0, RESTITUTION)]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let rises = motion.first(0, |k| motion.velocity(0, k)[1] > 0.0);
        rises.map_or(0.0, |k| motion.largest(k, |k| motion.position(0, k)[1]))
    }
    Phenomenon {
        name: "rebound-height",
        group: Group::Impact,
        title: "A ball rebounds to e^2 of its height",
        happens: "A ball falls from 1 m on ground with restitution 0.8.",
        formula: "e^2 h",
        source: NEWTON,
        measure: "height of the first rebound",
        unit: "m",
        truth: RESTITUTION * RESTITUTION,
        thresholds: Thresholds {
            right: 0.0064,
            off: 0.064,
            why: "1 % and 10 % of the height; a step of 1 ms ends up to v dt = 4 mm above or below the ground.",
        },
        remarks: &[NO_RESTITUTION],
        failing: CONVEX_STAYS_DOWN,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn elastic_energy() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        vec![drop_from("elastic-energy", 20.0, 1.0, 1.0)]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.energy(motion.last()) / motion.energy(0)
    }
    Phenomenon {
        name: "elastic-energy",
        group: Group::Impact,
        title: "An elastic ball bounces for ever",
        happens: "A ball with restitution 1 falls from 1 m and bounces for 20 s, 22 times: no energy is lost, and \
                  none is gained.",
        formula: "E(T) = E(0)",
        source: NEWTON,
        measure: "energy left after 20 s",
        unit: "1",
        truth: 1.0,
        thresholds: Thresholds {
            right: 0.01,
            off: 0.1,
            why: "1 % and 10 % of the energy, which are as much of the height.",
        },
        remarks: &[NO_RESTITUTION],
        failing: CONVEX_STAYS_DOWN,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn end_of_bouncing() -> Phenomenon {
    const HEIGHT: f64 = 0.1;
    const RESTITUTION: f64 = 0.5;
    /// In m; lower than that is down.
    const DOWN: f64 = 1e-4;
    fn scenes() -> Vec<Scenario<2>> {
        vec![drop_from("end-of-bouncing", 0.7, HEIGHT, RESTITUTION)]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let in_the_air = (0..motion.rows()).rev().find(|&k| motion.position(0, k)[1] > DOWN);
        in_the_air.filter(|&k| k < motion.last()).map_or(f64::NAN, |k| motion.time(k + 1))
    }
    Phenomenon {
        name: "end-of-bouncing",
        group: Group::Impact,
        title: "Infinitely many bounces end",
        happens: "A ball with restitution 0.5 falls from 10 cm: each bounce takes half the time of the one before, \
                  and all of them together end at a certain instant. Measured is when it stays below 0.1 mm, which \
                  is 19 ms before.",
        formula: "t_i (1 + e)/(1 - e), t_i = sqrt(2 h/g); the last bounce above 0.1 mm is the fourth",
        source: "Zeno's bounces: McNamara and Young, Phys. Fluids A 4, 496, 1992",
        measure: "time at which it is down",
        unit: "s",
        truth: {
            let fall = (2.0 * HEIGHT / GRAVITY).sqrt();
            // Bounce n rises to e^2n h and takes 2 e^n t_i.
            let high = |n: &i32| RESTITUTION.powi(2 * n) * HEIGHT > DOWN;
            let last = (1..).take_while(high).last().unwrap_or(0);
            let bounces: f64 = (1..last).map(|n| 2.0 * fall * RESTITUTION.powi(n)).sum();
            let speed = RESTITUTION.powi(last) * GRAVITY * fall;
            let until = (speed + (speed * speed - 2.0 * GRAVITY * DOWN).sqrt()) / GRAVITY;
            fall + bounces + until
        },
        thresholds: Thresholds { right: 0.0042, off: 0.042, why: "1 % and 10 % of the time." },
        remarks: &[NO_RESTITUTION],
        failing: CONVEX_STAYS_DOWN,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn time_mirror() -> Phenomenon {
    const FALL: f64 = 0.4;
    fn scenes() -> Vec<Scenario<2>> {
        vec![drop_from("time-mirror", 2.0 * FALL, 0.5 * GRAVITY * FALL * FALL, 1.0)]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let height = motion.position(0, 0)[1];
        motion.largest(0, |k| (motion.position(0, k)[1] - motion.position(0, motion.last() - k)[1]).abs())
            / height
    }
    Phenomenon {
        name: "time-mirror",
        group: Group::Impact,
        title: "A film of an elastic bounce run backwards",
        happens: "A ball falls for 0.4 s, bounces with restitution 1 and rises for 0.4 s. The film of that looks the \
                  same when it is run backwards. Measured is the largest difference of the two films.",
        formula: "z(T/2 + s) = z(T/2 - s)",
        source: "reversibility of conservative mechanics: Loschmidt, Wiener Berichte 73, 1876",
        measure: "largest difference over the height",
        unit: "1",
        truth: 0.0,
        thresholds: Thresholds {
            right: 0.01,
            off: 0.1,
            why: "1 % and 10 % of the height; a step of 1 ms is off by v dt = 0.5 % of it.",
        },
        remarks: &[NO_RESTITUTION],
        failing: CONVEX_STAYS_DOWN,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn ball_row() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        const RADIUS: f64 = 0.1;
        let at = |x: f64, speed: f64| {
            moving(solid(Shape::Ball { radius: RADIUS }, [x, RADIUS], 0.0), [speed, 0.0], 0.0)
        };
        let gap = 1e-2;
        let row = (0..3).map(|k| at(0.2 + f64::from(k) * (2.0 * RADIUS + gap), 0.0));
        let bodies = std::iter::once(at(-0.05, 1.0)).chain(row).collect();
        vec![over_ground("ball-row", 0.3, bodies, level(0.0, 1.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.velocity(3, motion.last())[0]
    }
    Phenomenon {
        name: "ball-row",
        group: Group::Impact,
        title: "Elastic balls in a row",
        happens: "An elastic disc hits the first of three that stand in a row, 1 cm apart: one after the other takes \
                  over the whole speed, and only the last goes on. (Without the gaps the impacts are simultaneous: \
                  rigid laws of restitution per contact then throw all others off together, at half of the speed.)",
        formula: "v_last = v0, by three impacts of two equal bodies",
        source: "Huygens, De motu corporum ex percussione, 1703",
        measure: "speed of the last disc",
        unit: "m/s",
        truth: 1.0,
        thresholds: Thresholds { right: 0.01, off: 0.1, why: "1 % and 10 % of the speed." },
        remarks: &[NO_RESTITUTION, DAMPERS_FOLLOW_THE_STEP],
        failing: CONVEX_STAYS_DOWN,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn corner_shot() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let disc = moving(solid(Shape::Ball { radius: 0.1 }, [0.5, 0.7], 0.0), [-2.0, -2.0], 0.0);
        let scenario = over_ground("corner-shot", 0.5, vec![disc], level(0.0, 1.0));
        vec![Scenario { gravity: 0.0, walls: vec![Wall::new([1.0, 0.0], 0.0)], ..scenario }]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let start = motion.velocity(0, 0);
        -motion.velocity(0, motion.last()).dot(&start) / start.norm_squared()
    }
    Phenomenon {
        name: "corner-shot",
        group: Group::Impact,
        title: "A ball off ground and wall comes straight back",
        happens: "Without gravity and friction, an elastic disc flies into the corner of ground and wall, bounces off \
                  the one and then the other, and comes back the way that it came.",
        formula: "v = -v0: each impact turns one component around",
        source: NEWTON,
        measure: "speed backwards over the speed before",
        unit: "1",
        truth: 1.0,
        thresholds: Thresholds { right: 0.01, off: 0.1, why: "1 % and 10 % of the speed." },
        remarks: &[NO_RESTITUTION, DAMPERS_FOLLOW_THE_STEP],
        failing: CONVEX_STAYS_DOWN,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn bounce_gradient() -> Phenomenon {
    const RESTITUTION: f64 = 0.6;
    const DURATION: f64 = 0.8;
    /// Difference of the heights in m, less than any step can tell from the same branch.
    const APART: f64 = 1e-6;
    fn scenes() -> Vec<Scenario<2>> {
        let from = |height| drop_from("bounce-gradient", DURATION, height, RESTITUTION);
        vec![from(1.0 - 0.5 * APART), from(1.0 + 0.5 * APART)]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let end = |motion: &Observed<2>| motion.position(0, motion.last())[1];
        (end(&observed[1]) - end(&observed[0])) / APART
    }
    Phenomenon {
        name: "bounce-gradient",
        group: Group::Impact,
        title: "The gradient of a bounce",
        happens: "A ball is dropped from 1 m and, with restitution 0.6, is rising after 0.8 s. How does its height \
                  then depend on the height before? Whoever optimises through contact follows this derivative; \
                  here it is a difference over 1 micrometre.",
        formula: "dz/dh = (e (s - t_i) + s)/t_i with t_i = sqrt(2 h/g), s = T - t_i",
        source: "saltation matrix: Aizerman and Gantmacher, Q. J. Mech. Appl. Math. 11, 1958",
        measure: "derivative of the height after 0.8 s",
        unit: "1",
        truth: {
            let fall = (2.0 / GRAVITY).sqrt();
            let since = DURATION - fall;
            (RESTITUTION * (since - fall) + since) / fall
        },
        thresholds: Thresholds {
            right: 0.013,
            off: 0.13,
            why: "2 % and 20 % of the derivative: an optimiser goes the right way and about as far.",
        },
        remarks: &[
            Remark {
                steppers: RIGID,
                why: "The impact falls on the end of a step, wherever the ground is: the derivative is that of another motion, however small the step.",
            },
            NO_RESTITUTION,
        ],
        failing: Failing {
            stepper: StepperName::LCP,
            step: 1e-4,
            settings: None,
            why: "its impact falls on the end of a step, wherever the ground is: its derivative is that of another motion, however small the step",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}
