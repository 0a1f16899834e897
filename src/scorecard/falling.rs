//! Rods and blocks that fall over and rock.

use std::f64::consts::FRAC_PI_2;

use super::{
    Experiment, Failing, Group, Observed, Phenomenon, Thresholds, Trial, motion_of_one,
    scenes::{WITHOUT_FRICTION, level, over_ground, rectangle, solid},
};
use crate::{
    scenario::{Scenario, Shape},
    stepper::StepperName,
};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![falling_rod(), rocking()]
}

fn falling_rod() -> Phenomenon {
    /// Tilt of the rod from the vertical at the start, in rad.
    const TILT: f64 = 0.2;
    /// Angle from the ground in rad at which it counts as fallen.
    const FALLEN: f64 = 0.1;
    fn scenes() -> Vec<Scenario<2>> {
        let (sin, cos) = TILT.sin_cos();
        let body = solid(Shape::Rod { length: 1.0 }, [0.5 * sin, 0.5 * cos], FRAC_PI_2 - TILT);
        vec![over_ground("falling-rod", 0.69, vec![body], level(0.2, 0.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let Some(k) = motion.first(1, |k| motion.angle(0, k) < FALLEN) else { return f64::NAN };
        let (before, after) = (motion.angle(0, k - 1), motion.angle(0, k));
        motion.time(k - 1) + motion.scenario.step * (before - FALLEN) / (before - after)
    }
    Phenomenon {
        name: "falling-rod",
        group: Group::Tipping,
        title: "A rod falls over and its foot slips",
        happens: "A rod stands on its end, leaning by 0.2 rad, on ground with friction 0.2. Its foot sticks for \
                  0.21 s, then slips back, stops at 0.62 s and the rod lands flat at 0.70 s. Measured is when it is \
                  0.1 rad from the ground.",
        formula: "motion from event to event: stick, slip backwards, stop; integrated to 1e-12",
        source: "Coulomb's law and the equations of Newton and Euler",
        measure: "time of falling",
        unit: "s",
        truth: motion_of_one(&scenes()[0]).map_or(f64::NAN, |motion| measure(&[motion])),
        thresholds: Thresholds { right: 0.007, off: 0.07, why: "1 % and 10 % of the time." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn rocking() -> Phenomenon {
    /// Width and height in m, tilt at the start in rad.
    const BLOCK: (f64, f64, f64) = (0.2, 1.0, 0.1);
    fn scenes() -> Vec<Scenario<2>> {
        let (width, height, tilt) = BLOCK;
        let (sin, cos) = tilt.sin_cos();
        // Its right corner stands in the origin.
        let centre = [-0.5 * width * cos + 0.5 * height * sin, 0.5 * width * sin + 0.5 * height * cos];
        let body = solid(rectangle(width, height), centre, -tilt);
        vec![over_ground("rocking", 0.9, vec![body], level(1.0, 0.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let upright = motion.first(0, |k| motion.angle(0, k) >= 0.0);
        upright.map_or(f64::NAN, |k| motion.largest(k, |k| motion.angle(0, k)))
    }
    Phenomenon {
        name: "rocking",
        group: Group::Tipping,
        title: "A rocking block loses what Housner says",
        happens: "A slender block is let go on one corner, tilted by 0.1 rad. It lands on its other corner, loses a \
                  part of its spin in that impact, and rocks to the other side.",
        formula: "w+/w- = 1 - (3/2) sin^2 a, tan a = w/h; then cos(a - psi2) - cos a = r^2 (cos(a - psi1) - cos a)",
        source: "Housner, The behavior of inverted pendulum structures during earthquakes, Bull. Seism. Soc. Am. \
                 53(2), 1963",
        measure: "largest angle to the other side",
        unit: "rad",
        truth: {
            let (width, height, tilt) = BLOCK;
            let slenderness = (width / height).atan();
            let ratio = 1.0 - 1.5 * slenderness.sin().powi(2);
            let rise = ratio * ratio * ((slenderness - tilt).cos() - slenderness.cos());
            slenderness - (slenderness.cos() + rise).acos()
        },
        thresholds: Thresholds {
            right: 0.0017,
            off: 0.0084,
            why: "2 % and 10 % of the angle; the loss itself is 16 % of it.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::NLP,
            step: 1e-3,
            settings: None,
            why: "its error is of first order, but large: an impact that falls somewhere within a step leaves the corner above or in the ground",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}
