//! What touches and what does not: seams, edges, thin plates, balls that hit obliquely or pass.

use nalgebra::Vector3;

use super::{
    Experiment, Failing, Group, Observed, Phenomenon, Thresholds, Trial,
    scenes::{GRAVITY, ROUGHNESS, level, moving, over_ground, rectangle, solid},
};
use crate::{
    scenario::{Body, Scenario, Shape},
    stepper::StepperName,
};

/// Those among [`Group::Impact`].
pub(super) fn impacts() -> Vec<Phenomenon> {
    vec![raised_edge(), oblique_hit(), thin_plate()]
}

/// Those among [`Group::Artefact`].
pub(super) fn artefacts() -> Vec<Phenomenon> {
    vec![flush_boxes(), near_miss()]
}

/// A body that stays where it is.
fn fixed(shape: Shape<2>, position: [f64; 2]) -> Body<2> {
    Body { fixed: true, ..solid(shape, position, 0.0) }
}

/// Width and height of the crate in m, and its speed in m/s.
const CRATE: ([f64; 2], f64) = ([0.3, 0.2], 3.0);

/// The crate on a floor of 1 m height.
fn crate_on_floor(x: f64) -> Body<2> {
    let ([width, height], speed) = CRATE;
    moving(solid(rectangle(width, height), [x, 1.0 + 0.5 * height], 0.0), [speed, 0.0], 0.0)
}

fn flush_boxes() -> Phenomenon {
    const FRICTION: f64 = 0.2;
    fn scenes() -> Vec<Scenario<2>> {
        let boxes = (0..4).map(|i| fixed(rectangle(1.0, 1.0), [f64::from(i), 0.5]));
        let bodies = std::iter::once(crate_on_floor(0.1)).chain(boxes).collect();
        vec![over_ground("flush-boxes", 2.0, bodies, level(FRICTION, 0.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.position(0, motion.last())[0] - motion.position(0, 0)[0]
    }
    Phenomenon {
        name: "flush-boxes",
        group: Group::Artefact,
        title: "A crate slides over seams",
        happens: "A crate slides at 3 m/s over boxes that lie side by side without a step. Where two of them meet is \
                  nothing to be caught at: it gets as far as on one floor. A model that keeps the corner of the next box for \
                  a wall stops the crate there and tips it over.",
        formula: "v0^2/(2 mu g)",
        source: "Coulomb, Theorie des machines simples, Paris 1821; any textbook of mechanics",
        measure: "distance slid",
        unit: "m",
        truth: CRATE.1 * CRATE.1 / (2.0 * FRICTION * GRAVITY),
        thresholds: Thresholds {
            right: 0.023,
            off: 0.23,
            why: "1 % and 10 % of the distance; a step of 10 ms is off by v0 dt/2 = 15 mm.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::SMOOTH,
            step: 1e-2,
            settings: None,
            why: "so soft, the crate sinks in far enough to be caught by the side of the next box",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn raised_edge() -> Phenomenon {
    /// Height of the step in m.
    const HEIGHT: f64 = 1e-4;
    fn scenes() -> Vec<Scenario<2>> {
        let floors = [
            fixed(rectangle(1.0, 1.0), [0.0, 0.5]),
            fixed(rectangle(1.0, 1.0 + HEIGHT), [1.0, 0.5 * (1.0 + HEIGHT)]),
        ];
        let bodies = std::iter::once(crate_on_floor(0.34)).chain(floors).collect();
        vec![Scenario { gravity: 0.0, ..over_ground("raised-edge", 0.02, bodies, level(0.0, 0.0)) }]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.spin(0, motion.last())[0]
    }
    Phenomenon {
        name: "raised-edge",
        group: Group::Impact,
        title: "A crate hits an edge of a tenth of a millimetre",
        happens: "A crate slides at 3 m/s over smooth ground, without gravity, against an edge that stands up by 0.1 mm. A \
                  rigid edge stops it however low it is: the lower corner is held by the edge and by the floor, and the crate \
                  begins to turn over it. What lets seams pass must not let this pass.",
        formula: "w = -m v z/(I + m (x^2 + z^2)), x and z from the corner of the edge to the centre of mass",
        source: "angular momentum about the edge is kept",
        measure: "spin after the impact",
        unit: "rad/s",
        truth: {
            let ([width, height], speed) = CRATE;
            let (x, z) = (0.5 * width, 0.5 * height - HEIGHT);
            let inertia = (width * width + height * height) / 12.0;
            -speed * z / (inertia + x * x + z * z)
        },
        thresholds: Thresholds { right: 0.07, off: 0.7, why: "1 % and 10 % of the spin." },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::LCP_ANITESCU,
            step: 1e-3,
            settings: None,
            why: "it knows the contacts of the start of a step alone, in which the crate is over the edge already",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn thin_plate() -> Phenomenon {
    /// Radius of the ball, thickness of the plate and its height in m.
    const PLATE: (f64, f64, f64) = (0.01, 0.001, 0.5);
    fn scenes() -> Vec<Scenario<2>> {
        let (radius, thickness, height) = PLATE;
        let ball = moving(solid(Shape::Ball { radius }, [0.1, 3.25], 0.0), [0.0, -100.0], 0.0);
        let plate = fixed(rectangle(1.0, thickness), [0.0, height]);
        vec![over_ground("thin-plate", 0.2, vec![ball, plate], level(0.0, 0.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.position(0, motion.last())[1]
    }
    Phenomenon {
        name: "thin-plate",
        group: Group::Impact,
        title: "A fast ball is stopped by a thin plate",
        happens: "A ball of 1 cm radius hits a plate of 1 mm at 100 m/s. In a step of 10 ms it goes a thousand times as far as \
                  the plate is thick; it lies on it afterwards.",
        formula: "height + thickness/2 + R",
        source: "a rigid body does not pass through another",
        measure: "height at the end",
        unit: "m",
        truth: PLATE.2 + 0.5 * PLATE.1 + PLATE.0,
        thresholds: ROUGHNESS,
        remarks: &[],
        failing: Failing {
            stepper: StepperName::LCP_ANITESCU,
            step: 1e-2,
            settings: None,
            why: "it knows the contacts of the start of a step alone, and the ball is through before there is any",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

/// Radius and mass of a ball for pool, friction and restitution between two of them.
const BALL: (f64, f64, f64, f64) = (0.028_575, 0.17, 0.06, 0.95);

/// Two balls that float, the second at rest in the origin of x and y.
fn balls(name: &str, duration: f64, start: [f64; 2], speed: f64) -> Vec<Scenario<3>> {
    let (radius, mass, friction, restitution) = BALL;
    let ball = |[x, y]: [f64; 2], speed: f64| Body {
        shape: Shape::Ball { radius },
        ..Body::point(mass, [x, y, 1.0], [speed, 0.0, 0.0])
    };
    let bodies = vec![ball(start, speed), ball([0.0, 0.0], 0.0)];
    vec![Scenario { gravity: 0.0, ..over_ground(name, duration, bodies, level(friction, restitution)) }]
}

fn oblique_hit() -> Phenomenon {
    fn scenes() -> Vec<Scenario<3>> {
        balls("oblique-hit", 0.2, [-0.249_493_351_8, -BALL.0], 2.0)
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let motion = &observed[0];
        let velocity = motion.velocity(1, motion.last());
        velocity[1].atan2(velocity[0]).to_degrees()
    }
    Phenomenon {
        name: "oblique-hit",
        group: Group::Impact,
        title: "A ball cuts another one",
        happens: "A ball hits another one at 2 m/s, half of it covered. The line of centres is at 30 degrees where they touch, \
                  and friction throws the other ball off it by the angle of friction. Who takes the normal from where the step \
                  begins gets another angle at another phase of the step.",
        formula: "asin(b/(2 R)) - atan(mu)",
        source: "Coriolis, Theorie mathematique des effets du jeu de billard, Paris 1835",
        measure: "direction of the ball that is hit",
        unit: "degrees",
        truth: 0.5_f64.asin().to_degrees() - BALL.2.atan().to_degrees(),
        thresholds: Thresholds {
            right: 0.1,
            off: 1.0,
            why: "0.1 degrees are 2 mm over the length of a table, which is less than a pocket leaves; 1 degree misses it.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::SMOOTH,
            step: 1e-3,
            settings: None,
            why: "its springs push before the balls touch and after, while the line of centres turns",
        },
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

fn near_miss() -> Phenomenon {
    /// Air on both sides of the ball in m, and the size of the wall.
    const AIR: f64 = 5e-4;
    const WALL: [f64; 3] = [2.0, 0.1, 0.2];
    fn scenes() -> Vec<Scenario<3>> {
        let beside = 2.0 * BALL.0 + AIR;
        let mut scenes = balls("near-miss", 0.1, [-0.4, beside], 8.0);
        let place = [0.0, beside + BALL.0 + AIR + 0.5 * WALL[1], 1.0];
        let shape = Shape::Box { size: Vector3::from(WALL) };
        let wall = Body { shape, fixed: true, ..Body::point(1.0, place, [0.0; 3]) };
        scenes.iter_mut().for_each(|scene| scene.bodies.push(wall.clone()));
        scenes
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let motion = &observed[0];
        motion.velocity(1, motion.last()).norm()
    }
    Phenomenon {
        name: "near-miss",
        group: Group::Artefact,
        title: "A ball passes another one",
        happens: "A ball flies at 8 m/s between another one and a wall, with half a millimetre of air on both sides. The other one \
                  stays where it is. A contact that is a plane across the line of centres at the start of the step is in the way \
                  of the ball, though it touches nothing.",
        formula: "v = 0",
        source: "Newton, Principia, first law",
        measure: "speed of the ball that is passed",
        unit: "m/s",
        truth: 0.0,
        thresholds: Thresholds {
            right: 1e-6,
            off: 0.08,
            why: "Rounding, and 1 % of the speed with which it is passed.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::CONVEX,
            step: 1e-3,
            settings: None,
            why: "along a wall it pushes from as far as friction times the way of a step, and throws the ball at the other one",
        },
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}
