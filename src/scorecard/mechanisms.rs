//! What hangs in joints: pendulums, a door that rubs, fingers that are driven.

use nalgebra::{Vector2, Vector4};

use super::{
    Experiment, Failing, Group, Observed, Phenomenon, Thresholds, Trial,
    elliptic::complete_elliptic_integral,
    onset,
    scenes::{GRAVITY, SHARES, level, over_ground, rectangle, solid},
};
use crate::{
    model::{Spin, Vector},
    scenario::{Body, DriveSetup, Inertia, JointKind, JointPlace, JointSetup, Scenario, Shape},
    stepper::StepperName,
    world::{Schedule, Target},
};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![pendulum_period(), double_pendulum(), rubbing_door(), driven_fingers()]
}

/// A hinge of the plane at a point of the world.
fn hinge(bodies: [Option<usize>; 2], at: [f64; 2]) -> JointSetup<2> {
    JointSetup::of(JointKind::Hinge, bodies, JointPlace::At(at.into()))
}

fn pendulum_period() -> Phenomenon {
    /// Swing in rad and height of the pivot in m.
    const SWING: f64 = 2.0;
    const HEIGHT: f64 = 2.0;
    fn scenes() -> Vec<Scenario<2>> {
        let centre = [0.5 * SWING.sin(), HEIGHT - 0.5 * SWING.cos()];
        let arm = solid(Shape::Rod { length: 1.0 }, centre, SWING - std::f64::consts::FRAC_PI_2);
        let scenario = over_ground("pendulum-period", 2.4, vec![arm], level(0.0, 0.0));
        vec![Scenario { joints: vec![hinge([None, Some(0)], [0.0, HEIGHT])], ..scenario }]
    }
    /// When it turns around for the second time, which is where it began.
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let spin = |k: usize| motion.spin(0, k)[0];
        let turns = (2..motion.rows()).filter(|&k| (spin(k - 1) > 0.0) != (spin(k) > 0.0));
        let at = |k: usize| motion.time(k - 1) + motion.scenario.step * spin(k - 1) / (spin(k - 1) - spin(k));
        turns.map(at).nth(1).unwrap_or(f64::NAN)
    }
    Phenomenon {
        name: "pendulum-period",
        group: Group::Mechanism,
        title: "A pendulum that swings far",
        happens: "A rod of 1 m hangs in a hinge and swings from 2 rad off the vertical, without friction. Measured is when it is back.",
        formula: "4 K(sin(a/2)) sqrt(2 L/(3 g))",
        source: "Legendre, Traite des fonctions elliptiques, Paris 1825; Landau and Lifshitz, Mechanics, section 11",
        measure: "period",
        unit: "s",
        truth: {
            let modulus = (0.5 * SWING).sin();
            4.0 * complete_elliptic_integral(modulus * modulus) * (2.0 / (3.0 * GRAVITY)).sqrt()
        },
        thresholds: Thresholds {
            right: 4e-4,
            off: 0.022,
            why: "By as much a clock would be off by a quarter of a minute a day, and by a quarter of an hour.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::LCP,
            step: 1e-2,
            settings: None,
            why: "it turns by a twentieth of a radian in a step, of which the period is half a thousandth too long",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

/// Angle in rad by which the lower arm begins above the level.
const RAISED: f64 = 0.5;

fn double_pendulum() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        const HEIGHT: f64 = 3.0;
        let arm = |x: f64, angle: f64| {
            let centre = [x + 0.5 * angle.cos(), HEIGHT + 0.5 * angle.sin()];
            solid(Shape::Rod { length: 1.0 }, centre, angle)
        };
        let joints = vec![hinge([None, Some(0)], [0.0, HEIGHT]), hinge([Some(0), Some(1)], [1.0, HEIGHT])];
        let bodies = vec![arm(0.0, 0.0), arm(1.0, RAISED)];
        vec![Scenario { joints, ..over_ground("double-pendulum", 1.0, bodies, level(0.0, 0.0)) }]
    }
    Phenomenon {
        name: "double-pendulum",
        group: Group::Mechanism,
        title: "A double pendulum falls",
        happens: "Two rods of 1 m and 1 kg, one hinged to the other, fall from rest, the first level, the second half a radian above \
                  it. After a second the first has swung past the vertical and thrown the second around.",
        formula: "4/3 a'' + c/2 b'' = -s/2 b'^2 - 3/2 g cos a, 1/3 b'' + c/2 a'' = s/2 a'^2 - 1/2 g cos b, \
                  c, s = cos, sin(a - b), by Runge and Kutta",
        source: "Lagrange's equations; Landau and Lifshitz, Mechanics, section 5",
        measure: "angle of the lower rod after 1 s",
        unit: "rad",
        truth: angle_of_lower_arm(),
        thresholds: Thresholds {
            right: 0.003,
            off: 0.03,
            why: "A sixth of a degree, and nearly two: not seen, and plainly.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::LCP,
            step: 1e-2,
            settings: None,
            why: "its arms turn by a tenth of a radian in a step, and the motion magnifies what is off",
        },
        trial: Trial::Plane(Experiment {
            scenes,
            measure: |observed| observed[0].angle(1, observed[0].last()),
        }),
    }
}

/// Lagrange's equations for the angles of both arms from the level, integrated to 1 s.
fn angle_of_lower_arm() -> f64 {
    let slope = |state: Vector4<f64>| {
        let [a, b, a_rate, b_rate]: [f64; 4] = state.into();
        let (sin, cos) = (a - b).sin_cos();
        let forces = Vector2::new(
            -0.5 * sin * b_rate * b_rate - 1.5 * GRAVITY * a.cos(),
            0.5 * sin * a_rate * a_rate - 0.5 * GRAVITY * b.cos(),
        );
        // Cramer's rule for the mass matrix (4/3, cos/2; cos/2, 1/3).
        let determinant = 4.0 / 9.0 - 0.25 * cos * cos;
        let a_grows = (forces.x / 3.0 - 0.5 * cos * forces.y) / determinant;
        let b_grows = (forces.y * 4.0 / 3.0 - 0.5 * cos * forces.x) / determinant;
        Vector4::new(a_rate, b_rate, a_grows, b_grows)
    };
    let (mut state, steps) = (Vector4::new(0.0, RAISED, 0.0, 0.0), 10_000);
    let dt = 1.0 / f64::from(steps);
    for _ in 0..steps {
        let first = slope(state);
        let second = slope(state + first * (0.5 * dt));
        let third = slope(state + second * (0.5 * dt));
        let fourth = slope(state + third * dt);
        state += (first + 2.0 * second + 2.0 * third + fourth) * (dt / 6.0);
    }
    state.y
}

fn rubbing_door() -> Phenomenon {
    /// Width in m, inertia about the hinge in kg m^2, spin in rad/s and dry friction in N m.
    const DOOR: (f64, f64, f64, f64) = (0.9, 1.0, 2.0, 0.5);
    const MASS: f64 = 4.0;
    fn scenes() -> Vec<Scenario<3>> {
        let (width, inertia, spin, friction) = DOOR;
        let (arm, height) = (0.5 * width, 1.1);
        let door = Body {
            shape: Shape::Box { size: Vector::<3>::new(width, 0.04, 2.0) },
            inertia: Some(Inertia::principal([1.33, 1.5, inertia - MASS * arm * arm])),
            spin: Spin::new(0.0, 0.0, spin),
            ..Body::point(MASS, [arm, 0.0, height], [0.0, spin * arm, 0.0])
        };
        let at = JointPlace::At(Vector::<3>::new(0.0, 0.0, height));
        let hinge = JointSetup {
            axis: Some(Vector::<3>::z()),
            friction,
            ..JointSetup::of(JointKind::Hinge, [None, Some(0)], at)
        };
        vec![Scenario {
            joints: vec![hinge],
            ..over_ground("rubbing-door", 4.5, vec![door], level(0.0, 0.0))
        }]
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let place = observed[0].position(0, observed[0].last());
        place.y.atan2(place.x).rem_euclid(std::f64::consts::TAU)
    }
    Phenomenon {
        name: "rubbing-door",
        group: Group::Mechanism,
        title: "A door is stopped by its hinge",
        happens: "A door is pushed off at 2 rad/s. Its hinge rubs with a torque of 0.5 N m, whatever the load; the door comes to rest \
                  and does not swing back.",
        formula: "I w0^2/(2 M)",
        source: "work of a constant torque: any textbook of mechanics",
        measure: "angle at which it stays",
        unit: "rad",
        truth: {
            let (_, inertia, spin, friction) = DOOR;
            0.5 * inertia * spin * spin / friction
        },
        thresholds: Thresholds { right: 0.04, off: 0.4, why: "1 % and 10 % of the angle." },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::LCP,
            step: 0.1,
            settings: None,
            why: "its steps are so long that half of one is a tenth of a radian",
        },
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

fn driven_fingers() -> Phenomenon {
    const FRICTION: f64 = 0.5;
    /// In N: both fingers carry half of the weight each.
    const CRITICAL: f64 = 0.5 * GRAVITY / FRICTION;
    const DURATION: f64 = 0.2;
    fn scenes() -> Vec<Scenario<2>> {
        // From a force that drops the box to one that holds it.
        let pressed_by = |share: f64| {
            let finger = |x: f64| solid(rectangle(0.02, 0.1), [x, 0.9], 0.0);
            let bodies = vec![solid(rectangle(0.1, 0.08), [0.0, 0.9], 0.0), finger(-0.06), finger(0.06)];
            let slider = |body: usize, x: f64, force: f64| {
                let at = JointPlace::At(Vector::<2>::new(x, 0.9));
                JointSetup {
                    axis: Some(Vector::<2>::x()),
                    drive: Some(DriveSetup::by(Target::Force(Schedule::constant(force)))),
                    ..JointSetup::of(JointKind::Slider, [None, Some(body)], at)
                }
            };
            let force = share * CRITICAL;
            let joints = vec![slider(1, -0.06, force), slider(2, 0.06, -force)];
            Scenario { joints, ..over_ground("driven-fingers", DURATION, bodies, level(FRICTION, 0.0)) }
        };
        SHARES.iter().map(|&share| pressed_by(share)).collect()
    }
    /// At 0.98 of the force it has fallen by 4 mm in the end.
    fn measure(observed: &[Observed<2>]) -> f64 {
        let holds = observed.iter().map(|motion| motion.position(0, motion.last())[1] > 0.9 - 1e-3);
        CRITICAL * onset(&SHARES, &holds.collect::<Vec<_>>())
    }
    Phenomenon {
        name: "driven-fingers",
        group: Group::Mechanism,
        title: "Driven fingers hold a box",
        happens: "Two fingers, which slide in joints and are driven towards each other, press a box of 1 kg between them. Measured is \
                  the force between the largest that drops it and the least that holds it.",
        formula: "m g/(2 mu)",
        source: "Coulomb, Theorie des machines simples, Paris 1821",
        measure: "force that holds it",
        unit: "N",
        truth: CRITICAL,
        thresholds: Thresholds {
            right: 0.03 * CRITICAL,
            off: 0.1 * CRITICAL,
            why: "It holds at 1.02 of the critical force and not at 0.98; 10 % is how well friction is known at best.",
        },
        remarks: &[],
        failing: super::scenes::WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}
