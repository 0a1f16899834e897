//! Rods that hit the ground with friction: where laws of impact part.

use nalgebra::{Matrix2, Vector2};

use super::{
    Adjustment, Experiment, Failing, Group, Observed, Phenomenon, Remark, Thresholds, Trial,
    routh::followed_impulse,
    scenes::{
        ANITESCU_IS_MOREAU, DAMPERS_FOLLOW_THE_STEP, GRAVITY, ROUGHNESS, WHOLE_IMPULSE, level, moving,
        over_ground, rectangle, solid,
    },
};
use crate::{
    scenario::{Scenario, Shape, SmoothLaw},
    stepper::StepperName,
};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![smooth_rod(), slip_reversal(), painleve_rod(), painleve_box(), landing_depth()]
}

/// The angle in rad at which the rods hit the ground.
const ANGLE: f64 = 0.7;
const LENGTH: f64 = 1.0;

/// A rod of 1 kg without gravity and spin, inclined by `angle` in rad, whose lower end is `gap` m over the ground; `law` is friction
/// and restitution.
pub(super) fn rod(
    name: &str,
    duration: f64,
    (angle, gap): (f64, f64),
    velocity: [f64; 2],
    law: (f64, f64),
) -> Scenario<2> {
    let (friction, restitution) = law;
    let centre = [0.0, 0.5 * LENGTH * angle.sin() + gap];
    let body = moving(solid(Shape::Rod { length: LENGTH }, centre, angle), velocity, 0.0);
    Scenario { gravity: 0.0, ..over_ground(name, duration, vec![body], level(friction, restitution)) }
}

/// Inverse inertia in 1/kg of the lower end of a rod of 1 kg: rows and columns tangential, normal.
pub(super) fn inverse_inertia(angle: f64) -> Matrix2<f64> {
    let (sin, cos) = angle.sin_cos();
    let (x, z) = (-0.5 * LENGTH * cos, -0.5 * LENGTH * sin);
    let per_inertia = 12.0 / (LENGTH * LENGTH);
    Matrix2::new(
        1.0 + per_inertia * z * z,
        -per_inertia * x * z,
        -per_inertia * x * z,
        1.0 + per_inertia * x * x,
    )
}

fn smooth_rod() -> Phenomenon {
    const SPEED: f64 = 3.0;
    const RESTITUTION: f64 = 0.5;
    fn scenes() -> Vec<Scenario<2>> {
        vec![rod("smooth-rod", 0.06, (ANGLE, 0.06), [0.0, -SPEED], (0.0, RESTITUTION))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        -motion.spin(0, motion.last())[0]
    }
    Phenomenon {
        name: "smooth-rod",
        group: Group::Impact,
        title: "A rod falls on smooth ground",
        happens: "A rod, inclined by 0.7 rad, hits frictionless ground with its lower end at 3 m/s, with restitution \
                  0.5. The impact sets it spinning.",
        formula: "p = (1 + e) m v/(1 + 3 cos^2 a), w = 6 p cos a/(m L)",
        source: "Routh, Dynamics of a System of Rigid Bodies I, London 1860",
        measure: "spin after the impact",
        unit: "rad/s",
        truth: 6.0 * (1.0 + RESTITUTION) * SPEED / (1.0 + 3.0 * ANGLE.cos().powi(2)) * ANGLE.cos() / LENGTH,
        thresholds: Thresholds { right: 0.075, off: 0.75, why: "1 % and 10 % of the spin." },
        remarks: &[DAMPERS_FOLLOW_THE_STEP],
        failing: Failing {
            stepper: StepperName::CONVEX,
            step: 1e-3,
            settings: None,
            why: "compliant contact that is damped critically does not rebound",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn slip_reversal() -> Phenomenon {
    const FRICTION: f64 = 0.3;
    const VELOCITY: [f64; 2] = [1.0, -2.0];
    fn scenes() -> Vec<Scenario<2>> {
        vec![rod("slip-reversal", 0.06, (ANGLE, 0.04), VELOCITY, (FRICTION, 0.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.velocity(0, motion.last())[0] - VELOCITY[0]
    }
    Phenomenon {
        name: "slip-reversal",
        group: Group::Impact,
        title: "Slip that turns around in an impact",
        happens: "A rod hits the ground while its lower end slides to the right. The impact itself turns the slip \
                  around: friction first points backwards, then forwards. Who follows the impact from moment to \
                  moment (Routh) gets -0.0728 N s along the ground; who applies Coulomb's law to the impulse of the \
                  whole (Moreau) gets +0.0504 N s. The first is the limit of ever stiffer ground, and taken as true.",
        formula: "slide: dp_t = -mu dp_n until the slip is zero, then +mu dp_n or stick, until the normal speed is zero",
        source: "Routh, Dynamics of a System of Rigid Bodies I, 1860; Moreau, Unilateral contact and dry friction in \
                 finite freedom dynamics, 1988",
        measure: "impulse along the ground",
        unit: "N s",
        truth: followed_impulse(&inverse_inertia(ANGLE), Vector2::from(VELOCITY), FRICTION, 0.0).x,
        thresholds: Thresholds {
            right: 0.007,
            off: 0.13,
            why: "10 % of the impulse; Moreau's value, which is another law and no accident, is 0.123 away.",
        },
        remarks: &[ANITESCU_IS_MOREAU],
        failing: WHOLE_IMPULSE,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

/// The rod of Painleve's paradox: its angle in rad and its friction.
const PAINLEVE: (f64, f64) = (1.1, 2.0);

fn painleve_rod() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let (angle, friction) = PAINLEVE;
        let centre = [0.0, 0.5 * LENGTH * angle.sin()];
        let body = moving(solid(Shape::Rod { length: LENGTH }, centre, angle), [-1.0, 0.0], 0.0);
        vec![over_ground("painleve-rod", 0.02, vec![body], level(friction, 0.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.spin(0, motion.last())[0]
    }
    Phenomenon {
        name: "painleve-rod",
        group: Group::Impact,
        title: "Painleve's rod jams",
        happens: "A rod slides on its lower end, which friction of 2 drags under it. Sliding on is impossible: the \
                  friction that belongs to any normal force presses the end into the ground faster than the force \
                  can lift it. The end stops at once, by an impulse that does not vanish with the step. Measured is \
                  the spin 20 ms later, which gravity has hardly changed.",
        formula: "W p = -u with the end brought to rest: w = r x p/I, u = (-1, 0); after it the end sticks",
        source: "Painleve, Sur les lois du frottement de glissement, C. R. Acad. Sci. 121, 1895; Lecornu 1905",
        measure: "spin after 20 ms",
        unit: "rad/s",
        truth: {
            let (angle, _) = PAINLEVE;
            let impulse = inverse_inertia(angle)
                .try_inverse()
                .map_or(Vector2::zeros(), |inertia| inertia * Vector2::new(1.0, 0.0));
            let (x, z) = (-0.5 * LENGTH * angle.cos(), -0.5 * LENGTH * angle.sin());
            let spin = 12.0 / (LENGTH * LENGTH) * (x * impulse.y - z * impulse.x);
            // Then a pendulum on its end, w' = -(3 g/(2 L)) cos a.
            let mut state = (angle, spin);
            for _ in 0..2000 {
                let middle = state.0 + 0.5e-5 * state.1;
                state.1 -= 1e-5 * 1.5 * super::scenes::GRAVITY / LENGTH * middle.cos();
                state.0 = middle + 0.5e-5 * state.1;
            }
            state.1
        },
        thresholds: Thresholds { right: 0.03, off: 0.3, why: "2 % and 20 % of the spin." },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::SMOOTH,
            step: 1e-2,
            settings: None,
            why: "its soft ground has not pushed back after two steps",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

/// Width and height in m of the box of Painleve's paradox, its speed in m/s and its friction.
const PAINLEVE_BOX: (f64, f64, f64, f64) = (0.2, 1.0, 1.0, 2.5);

fn painleve_box() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let (width, height, speed, friction) = PAINLEVE_BOX;
        let body = moving(solid(rectangle(width, height), [0.0, 0.5 * height], 0.0), [speed, 0.0], 0.0);
        vec![over_ground("painleve-box", 0.02, vec![body], level(friction, 0.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.spin(0, motion.last())[0]
    }
    Phenomenon {
        name: "painleve-box",
        group: Group::Impact,
        title: "Painleve's box jams on its edge",
        happens: "A tall box slides flat over ground with friction 2.5. No forces let it slide on: whatever presses its \
                  front corner drags it under the box faster than it can lift it. The corner stops at once, without \
                  anything having hit it, and the box goes over it. Measured is the spin 20 ms later.",
        formula: "w = -v (h/2)/(I/m + l^2), l = sqrt(w^2 + h^2)/2, where mu > (I/m + w^2/4)/(w h/4); then a pendulum on \
                  the corner",
        source: "Painleve, Sur les lois du frottement de glissement, C. R. Acad. Sci. 121, 1895; Lecornu 1905",
        measure: "spin after 20 ms",
        unit: "rad/s",
        truth: {
            let (width, height, speed, _) = PAINLEVE_BOX;
            let arm_squared = 0.25 * (width * width + height * height);
            let inertia = arm_squared / 3.0 + arm_squared;
            // The centre of mass about the corner: psi grows as the box goes over it.
            let arm = arm_squared.sqrt();
            let (mut psi, mut rate) = (-(width / height).atan(), speed * 0.5 * height / inertia);
            let (steps, acceleration) = (2000, GRAVITY * arm / inertia);
            let dt = 0.02 / f64::from(steps);
            for _ in 0..steps {
                let middle = psi + 0.5 * dt * rate;
                rate += dt * acceleration * middle.sin();
                psi = middle + 0.5 * dt * rate;
            }
            -rate
        },
        thresholds: Thresholds { right: 0.014, off: 0.14, why: "1 % and 10 % of the spin." },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::SMOOTH,
            step: 1e-2,
            settings: None,
            why: "its soft ground has not pushed back after two steps",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn landing_depth() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let body = solid(rectangle(0.4, 0.4), [0.0, 1.2], 0.0);
        vec![over_ground("landing-depth", 0.6, vec![body], level(0.5, 0.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.largest(0, |k| 0.2 - motion.position(0, k)[1]).max(0.0)
    }
    Phenomenon {
        name: "landing-depth",
        group: Group::Impact,
        title: "A box that lands does not sink in",
        happens: "A box falls from 1 m flat on its side and stays. Rigid ground is not entered.",
        formula: "0: z >= h/2",
        source: "Signorini's condition, 1933",
        measure: "deepest penetration",
        unit: "m",
        truth: 0.0,
        thresholds: ROUGHNESS,
        remarks: &[Remark {
            steppers: &[StepperName::SMOOTH],
            why: "Its ground is a spring, and the impact presses it in.",
        }],
        failing: Failing {
            stepper: StepperName::LCP_ANITESCU,
            step: 1e-3,
            settings: None,
            why: "it stops the approach in the step that finds the box in the ground, by up to v dt",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

pub(super) fn frictional_energy() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        vec![rod("frictional-energy", 0.1, (ANGLE, 0.05), [0.5, -1.0], (0.5, 1.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        (motion.largest(0, |k| motion.energy(k)) / motion.energy(0) - 1.0).max(0.0)
    }
    Phenomenon {
        name: "frictional-energy",
        group: Group::Artefact,
        title: "An impact must not make energy",
        happens: "A rod hits the ground obliquely, with friction and restitution 1. Newton's law, which turns the \
                  normal speed around whatever friction does, would add energy: Kane's paradox. The rigid models give back as \
                  much of it as makes none.",
        formula: "E+ <= E-",
        source: "Kane and Levinson, Dynamics: Theory and Applications, 1985; Keller, J. Appl. Mech. 53, 1986",
        measure: "energy gained in the impact",
        unit: "1",
        truth: 0.0,
        thresholds: Thresholds {
            right: 1e-3,
            off: 0.03,
            why: "0.1 % is what a step may do by itself; with 3 % in every bounce a thing bounces ever higher.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::SMOOTH,
            step: 1e-3,
            settings: Some(Adjustment {
                text: "stepper.smooth.stiffness=1e6",
                apply: |settings| {
                    settings.smooth.law = SmoothLaw::KelvinVoigt { stiffness: Some(1e6), damping: None };
                },
            }),
            why: "a step goes deep into so stiff a spring, which had no time to push back on the way",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}
