//! Boxes that brake or stand on a slope, and tip over.

use nalgebra::{UnitQuaternion, Vector3};

use super::{
    Experiment, Failing, Group, Observed, Phenomenon, Thresholds, Trial, motion_of_one, onset,
    scenes::{FIXED_PYRAMID, WITHOUT_FRICTION, level, moving, over_ground, rectangle, sloping, solid},
};
use crate::{
    model::Orientation,
    scenario::{Body, Scenario, Shape},
    stepper::StepperName,
};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![front_load(), tipping_while_sliding(), tipping_threshold(), tipping_on_slope(), tipping_in_space()]
}

const STATICS: &str = "statics of a box: moments about its edge";

fn front_load() -> Phenomenon {
    const FRICTION: f64 = 0.4;
    fn scenes() -> Vec<Scenario<2>> {
        let body = moving(solid(rectangle(0.4, 0.4), [0.0, 0.2], 0.0), [2.0, 0.0], 0.0);
        vec![over_ground("front-load", 0.4, vec![body], level(FRICTION, 0.0))]
    }
    /// The share of the corner in front, over the second half of the slide.
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let (mut front, mut total) = (0.0, 0.0);
        for k in motion.last() / 2..motion.last() {
            for contact in motion.contacts.of_step(k) {
                let load = contact.force.dot(&contact.normal);
                total += load;
                if contact.point[0] > motion.position(0, k)[0] {
                    front += load;
                }
            }
        }
        front / total
    }
    Phenomenon {
        name: "front-load",
        group: Group::Tipping,
        title: "A braking box leans on its front",
        happens: "A box slides and brakes with friction 0.4: the deceleration shifts its weight to the corner in \
                  front, as it does that of a car.",
        formula: "(1 + mu h/w)/2",
        source: STATICS,
        measure: "share of the weight on the front corner",
        unit: "1",
        truth: 0.5 * (1.0 + FRICTION),
        thresholds: Thresholds { right: 0.007, off: 0.07, why: "1 % and 10 % of the share." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

/// Width and height of the box that tips, in m.
const TALL: (f64, f64) = (0.4, 1.0);

/// The tall box that slides over level ground.
fn sliding_tall_box(name: &str, duration: f64, speed: f64, friction: f64) -> Scenario<2> {
    let body = moving(solid(rectangle(TALL.0, TALL.1), [0.0, 0.5 * TALL.1], 0.0), [speed, 0.0], 0.0);
    over_ground(name, duration, vec![body], level(friction, 0.0))
}

fn tipping_while_sliding() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        vec![sliding_tall_box("tipping-while-sliding", 0.6, 2.0, 0.5)]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        -motion.angle(0, motion.last())
    }
    Phenomenon {
        name: "tipping-while-sliding",
        group: Group::Tipping,
        title: "A braking box tips over",
        happens: "A tall box brakes with friction 0.5, more than its width over its height: it tips over its front \
                  corner while that slides on, stops sliding after 0.2016 s, and goes on tipping.",
        formula: "motion from event to event: slide on a corner, stick, fall; integrated to 1e-12",
        source: "Coulomb's law and the equations of Newton and Euler",
        measure: "angle after 0.6 s",
        unit: "rad",
        truth: motion_of_one(&scenes()[0]).map_or(f64::NAN, |motion| measure(&[motion])),
        thresholds: Thresholds {
            right: 0.008,
            off: 0.08,
            why: "1 % and 10 % of the angle; a first-order step of 1 ms is off by 1e-3.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::SMOOTH,
            step: 1e-3,
            settings: None,
            why: "the corner that it tips over sinks into its soft ground",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn tipping_in_space() -> Phenomenon {
    /// Direction of the slide, and of the sides of the box, in degrees from the x axis.
    const DIRECTION: f64 = 30.0;
    const DURATION: f64 = 0.6;
    fn scenes() -> Vec<Scenario<3>> {
        let (sin, cos) = DIRECTION.to_radians().sin_cos();
        let turned = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), DIRECTION.to_radians());
        let body = Body {
            shape: Shape::Box { size: Vector3::new(TALL.0, TALL.0, TALL.1) },
            orientation: Orientation::Quaternion(turned),
            ..Body::point(1.0, [0.0, 0.0, 0.5 * TALL.1], [2.0 * cos, 2.0 * sin, 0.0])
        };
        vec![over_ground("tipping-in-space", DURATION, vec![body], level(0.5, 0.0))]
    }
    /// Angle between the axis of the box and the vertical.
    fn measure(observed: &[Observed<3>]) -> f64 {
        let motion = &observed[0];
        match motion.bodies[0].attitudes.get(motion.last()).map(|attitude| attitude.orientation) {
            Some(Orientation::Quaternion(turn)) => (turn * Vector3::z()).angle(&Vector3::z()),
            _ => f64::NAN,
        }
    }
    fn in_the_plane() -> f64 {
        let scene = sliding_tall_box("tipping-in-space", DURATION, 2.0, 0.5);
        motion_of_one(&scene).map_or(f64::NAN, |motion| -motion.angle(0, motion.last()))
    }
    Phenomenon {
        name: "tipping-in-space",
        group: Group::Tipping,
        title: "A box in space tips over the edge in front",
        happens: "The tall box slides through space, at 30 degrees to the axes and straight along its own sides. It \
                  tips over its front edge as the box in the plane does over its corner, whichever way the axes \
                  point: friction that depends on them leaves it standing, or turns it.",
        formula: "motion of the box in the plane from event to event: slide on an edge, stick, fall",
        source: STATICS,
        measure: "angle after 0.6 s",
        unit: "rad",
        truth: in_the_plane(),
        thresholds: Thresholds {
            right: 0.008,
            off: 0.08,
            why: "1 % and 10 % of the angle; a first-order step of 1 ms is off by 1e-3.",
        },
        remarks: &[],
        failing: FIXED_PYRAMID,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

fn tipping_threshold() -> Phenomenon {
    const FRICTIONS: [f64; 8] = [0.34, 0.36, 0.38, 0.395, 0.405, 0.42, 0.44, 0.46];
    const TILT: f64 = 1e-3;
    fn scenes() -> Vec<Scenario<2>> {
        FRICTIONS.iter().map(|&friction| sliding_tall_box("tipping-threshold", 0.25, 2.0, friction)).collect()
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let tips = observed.iter().map(|motion| motion.angle(0, motion.last()).abs() > TILT);
        onset(&FRICTIONS, &tips.collect::<Vec<_>>())
    }
    Phenomenon {
        name: "tipping-threshold",
        group: Group::Tipping,
        title: "Which friction makes a box tip",
        happens: "The tall box slides at 2 m/s over grounds with friction from 0.34 to 0.46. It tips where friction \
                  is above its width over its height. Measured is the friction between the last box that stays flat \
                  and the first that tips, by more than 1e-3 rad in 0.25 s.",
        formula: "mu = w/h",
        source: STATICS,
        measure: "friction at which it tips",
        unit: "1",
        truth: TALL.0 / TALL.1,
        thresholds: Thresholds {
            right: 0.013,
            off: 0.04,
            why: "The next pairs of frictions are 0.0125 away; 10 % of the threshold.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::CONVEX,
            step: 1e-3,
            settings: None,
            why: "its sliding contacts float above the ground, and the box tilts by more than 1e-3 rad before it tips",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn tipping_on_slope() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let body = solid(rectangle(TALL.0, TALL.1), [0.0, 0.5 * TALL.1], 0.0);
        vec![over_ground("tipping-on-slope", 0.5, vec![body], sloping(0.8, 30.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        -motion.angle(0, motion.last())
    }
    Phenomenon {
        name: "tipping-on-slope",
        group: Group::Tipping,
        title: "A box tips over on a slope",
        happens: "A tall box stands on a slope of 30 degrees that is too steep for it and too rough to slide: it \
                  falls over its lower corner like an inverted pendulum.",
        formula: "psi'' = (g l/(I/m + l^2)) sin psi, psi(0) = a - atan(w/h), l = sqrt(w^2 + h^2)/2",
        source: STATICS,
        measure: "angle after 0.5 s",
        unit: "rad",
        truth: motion_of_one(&scenes()[0]).map_or(f64::NAN, |motion| measure(&[motion])),
        thresholds: Thresholds {
            right: 0.004,
            off: 0.032,
            why: "1 % and 10 % of the angle; a first-order step of 1 ms is off by 8e-4.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::SMOOTH,
            step: 1e-3,
            settings: None,
            why: "the corner that it tips over sinks into its soft ground",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}
