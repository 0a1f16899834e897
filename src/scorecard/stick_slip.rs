//! Friction that differs at rest and in motion, falls with the slip or grows with it.

use super::{
    Experiment, Group, Observed, Phenomenon, Thresholds, Trial,
    observed::{final_speed, final_x},
    onset,
    scenes::{GRAVITY, SHARES, WITHOUT_FRICTION, level, moving, over_ground, point, rectangle, solid},
};
use crate::{
    model::Vector,
    scenario::{Body, Ends, Ground, Push, PushTable, Scenario, Shape, SlidingFriction, Spring, Wall},
};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![
        belt_period(),
        belt_amplitude(),
        break_away(),
        static_angle(),
        kinetic_slide(),
        stop_uphill(),
        short_push(),
        stribeck_stop(),
        viscous_stop(),
        kinetic_impact(),
        rod_on_foot(),
    ]
}

/// Coefficients at rest and in motion, of all but where a phenomenon says otherwise.
const AT_REST: f64 = 0.4;
const IN_MOTION: f64 = 0.25;

/// Of the belt.
const STIFFNESS: f64 = 100.0;
const BELT_SPEED: f64 = 0.1;

const COULOMB: &str = "Coulomb, Theorie des machines simples, Paris 1821, who measured both coefficients";
const STRIBECK: &str = "Stribeck, Die wesentlichen Eigenschaften der Gleit- und Rollenlager, 1902; Armstrong-Helouvry, \
                        Dupont, Canudas de Wit, Automatica 30, 1994";

/// The law of friction with a coefficient in motion.
fn dry() -> SlidingFriction {
    SlidingFriction { kinetic_friction: Some(IN_MOTION), ..SlidingFriction::NONE }
}

/// Ground with that law, `slope` in degrees.
fn ground(slope: f64) -> Ground {
    Ground { sliding: dry(), slope, ..level(AT_REST, 0.0) }
}

/// A box that lies on the ground.
fn low_box() -> Body<2> {
    solid(rectangle(0.4, 0.1), [0.0, 0.05], 0.0)
}

fn along(motion: &Observed<2>, k: usize) -> f64 {
    motion.position(0, k)[0]
}

/// A mass on a spring that a belt drags.
fn belt() -> Vec<Scenario<2>> {
    let mass = moving(solid(rectangle(0.2, 0.1), [0.0, 0.25], 0.0), [BELT_SPEED, 0.0], 0.0);
    let anchor = Body { fixed: true, ..Body::point(1.0, [-1.0, 0.25], [0.0, 0.0]) };
    let mut scenario = over_ground("belt", 6.0, vec![mass, anchor], level(AT_REST, 0.0));
    let wall = Wall::new([0.0, 1.0], 0.2);
    scenario.walls =
        vec![Wall { velocity: [BELT_SPEED, 0.0], friction: Some(AT_REST), sliding: dry(), ..wall }];
    scenario.springs = vec![Spring::between(Ends::centres([1, 0]), STIFFNESS)];
    vec![scenario]
}

/// The drop of the spring's draw from rest to motion in m, and the angular frequency in rad/s.
fn of_belt() -> (f64, f64) {
    ((AT_REST - IN_MOTION) * GRAVITY / STIFFNESS, STIFFNESS.sqrt())
}

/// From when on the cycle is looked at, in s.
const SETTLED: f64 = 2.0;

fn period_of_belt(observed: &[Observed<2>]) -> f64 {
    let motion = &observed[0];
    let middle = IN_MOTION * GRAVITY / STIFFNESS;
    let rises = |k: &usize| along(motion, k - 1) < middle && along(motion, *k) >= middle;
    let times: Vec<f64> =
        (motion.index(SETTLED) + 1..motion.rows()).filter(rises).map(|k| motion.time(k)).collect();
    match (times.first(), times.last()) {
        (Some(first), Some(last)) if times.len() > 1 => (last - first) / (times.len() - 1) as f64,
        _ => f64::NAN,
    }
}

fn amplitude_of_belt(observed: &[Observed<2>]) -> f64 {
    let motion = &observed[0];
    let from = motion.index(SETTLED);
    0.5 * (motion.largest(from, |k| along(motion, k)) + motion.largest(from, |k| -along(motion, k)))
}

fn belt_period() -> Phenomenon {
    let (drop, frequency) = of_belt();
    let slip = (std::f64::consts::PI + 2.0 * (BELT_SPEED / frequency).atan2(drop)) / frequency;
    Phenomenon {
        name: "belt-period",
        group: Group::Sliding,
        title: "A mass on a belt sticks and slips: how often",
        happens: "A belt drags a mass on a spring. It sticks until the spring outweighs the friction of rest, slips back \
                  under the smaller one of motion, and sticks again: a bowed string, a creaking door. With one coefficient \
                  it would come to rest.",
        formula: "2 D/v_b + (pi + 2 atan2(v_b/w, D))/w, D = (mu_s - mu_k) m g/k, w = sqrt(k/m)",
        source: "two linear pieces; Den Hartog, Mechanical Vibrations, 1934",
        measure: "period of the limit cycle",
        unit: "s",
        truth: 2.0 * drop / BELT_SPEED + slip,
        thresholds: Thresholds { right: 0.015, off: 0.15, why: "2 % and 20 % of the period." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes: belt, measure: period_of_belt }),
    }
}

fn belt_amplitude() -> Phenomenon {
    let (drop, frequency) = of_belt();
    Phenomenon {
        name: "belt-amplitude",
        group: Group::Sliding,
        title: "A mass on a belt sticks and slips: how far",
        happens: "The same mass on the same belt. Half the way between its turning points is given by how much less friction \
                  there is in motion, and by the speed of the belt.",
        formula: "sqrt(D^2 + (v_b/w)^2), D = (mu_s - mu_k) m g/k, w = sqrt(k/m)",
        source: "two linear pieces; Den Hartog, Mechanical Vibrations, 1934",
        measure: "amplitude of the limit cycle",
        unit: "m",
        truth: drop.hypot(BELT_SPEED / frequency),
        thresholds: Thresholds { right: 3.6e-4, off: 3.6e-3, why: "2 % and 20 % of the amplitude." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes: belt, measure: amplitude_of_belt }),
    }
}

fn break_away() -> Phenomenon {
    /// N/s.
    const RATE: f64 = 2.0;
    const START: f64 = AT_REST * GRAVITY / RATE;
    const END: f64 = START + 1.0;
    fn scenes() -> Vec<Scenario<2>> {
        let row = |time: f64| (time, Vector::from([RATE * time, 0.0]));
        let table = PushTable { rows: vec![row(0.0), row(4.0)], torques: Vec::new() };
        let push = Push { table: Some(table), ..Push::constant([0.0, 0.0]) };
        vec![Scenario { pushes: vec![push], ..point("break-away", END, ([0.0; 2], [0.0; 2]), ground(0.0)) }]
    }
    Phenomenon {
        name: "break-away",
        group: Group::Sliding,
        title: "A growing push breaks a block away",
        happens: "A push grows by 2 N in a second. The block rests until it is mu_s m g, at 1.962 s, and then goes off with a \
                  jerk, for friction falls to mu_k m g. Measured is the speed one second later.",
        formula: "f'(t1^2 - t0^2)/(2 m) - mu_k g (t1 - t0), t0 = mu_s m g/f', t1 = t0 + 1 s",
        source: COULOMB,
        measure: "speed one second after it lets go",
        unit: "m/s",
        truth: 0.5 * RATE * (END * END - START * START) - IN_MOTION * GRAVITY,
        thresholds: Thresholds { right: 0.025, off: 0.25, why: "1 % and 10 % of the speed." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure: final_speed }),
    }
}

fn static_angle() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let slope = |share: f64| (share * AT_REST).atan().to_degrees();
        SHARES.map(|share| over_ground("static-angle", 0.3, vec![low_box()], ground(slope(share)))).to_vec()
    }
    /// Slower than this it creeps.
    fn measure(observed: &[Observed<2>]) -> f64 {
        let slides = |motion: &Observed<2>| motion.velocity(0, motion.last())[0].abs() > 0.05;
        onset(&SHARES, &observed.iter().map(slides).collect::<Vec<_>>())
    }
    Phenomenon {
        name: "static-angle",
        group: Group::Sliding,
        title: "The friction of rest holds a box on a slope",
        happens: "A box rests on slopes whose tangent is a little less and a little more than mu_s = 0.4. It slides from mu_s \
                  on, though the friction of motion, 0.25, would let it slide on all of them.",
        formula: "tan a = mu_s",
        source: COULOMB,
        measure: "tangent at which it slides",
        unit: "mu_s",
        truth: 1.0,
        thresholds: Thresholds { right: 0.02, off: 0.05, why: "The slopes are 2 and 5 % apart." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

/// The slope in degrees on which a box rests that was not pushed, and slides if it was.
const BETWEEN: f64 = 20.0;

fn kinetic_slide() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        vec![over_ground("kinetic-slide", 0.5, vec![moving(low_box(), [0.1, 0.0], 0.0)], ground(BETWEEN))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let (first, last) = (motion.index(0.1), motion.last());
        let gained = motion.velocity(0, last)[0] - motion.velocity(0, first)[0];
        gained / (motion.time(last) - motion.time(first))
    }
    let (sin, cos) = BETWEEN.to_radians().sin_cos();
    Phenomenon {
        name: "kinetic-slide",
        group: Group::Sliding,
        title: "A box that was pushed slides on where it would rest",
        happens: "On a slope of 20 degrees mu_k < tan a < mu_s. The box is pushed at 0.1 m/s and gets faster: which friction \
                  acts is decided by what it did before.",
        formula: "g (sin a - mu_k cos a)",
        source: COULOMB,
        measure: "acceleration",
        unit: "m/s^2",
        truth: GRAVITY * (sin - IN_MOTION * cos),
        thresholds: Thresholds { right: 0.01, off: 0.1, why: "1 % and 10 % of the acceleration." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn stop_uphill() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        vec![over_ground("stop-uphill", 1.0, vec![moving(low_box(), [-1.0, 0.0], 0.0)], ground(BETWEEN))]
    }
    let (sin, cos) = BETWEEN.to_radians().sin_cos();
    Phenomenon {
        name: "stop-uphill",
        group: Group::Sliding,
        title: "A box that is pushed uphill stops and stays",
        happens: "On the same slope of 20 degrees a box is pushed uphill at 1 m/s. Where it turns round it is at rest for an \
                  instant, and that is enough: the friction of rest holds it. A step that jumps over the instant lets it \
                  slide back.",
        formula: "-v0^2/(2 g (sin a + mu_k cos a))",
        source: COULOMB,
        measure: "place after 1 s",
        unit: "m",
        truth: -0.5 / (GRAVITY * (sin + IN_MOTION * cos)),
        thresholds: Thresholds {
            right: 1.8e-3,
            off: 1.8e-2,
            why: "2 % and 20 % of the way; what slides back is half a metre away.",
        },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure: final_x }),
    }
}

fn short_push() -> Phenomenon {
    const FORCE: f64 = 4.5;
    const UNTIL: f64 = 0.5;
    fn scenes() -> Vec<Scenario<2>> {
        let push = Push { to: Some(UNTIL), ..Push::constant([FORCE, 0.0]) };
        vec![Scenario { pushes: vec![push], ..point("short-push", 1.2, ([0.0; 2], [0.0; 2]), ground(0.0)) }]
    }
    const DRIVEN: f64 = FORCE - IN_MOTION * GRAVITY;
    const BRAKED: f64 = IN_MOTION * GRAVITY;
    Phenomenon {
        name: "short-push",
        group: Group::Sliding,
        title: "A push that is a little more than the friction of rest",
        happens: "1 kg is pushed with 4.5 N for half a second, 15 % more than it takes. It goes nearly half a metre, since \
                  once it moves there is less friction; with that of rest in motion, too, it would go 8 cm.",
        formula: "a t^2/2 + (a t)^2/(2 mu_k g), a = f/m - mu_k g",
        source: COULOMB,
        measure: "distance",
        unit: "m",
        truth: 0.5 * DRIVEN * UNTIL * UNTIL + 0.5 * DRIVEN * UNTIL * DRIVEN * UNTIL / BRAKED,
        thresholds: Thresholds { right: 0.005, off: 0.05, why: "1 % and 10 % of the distance." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure: final_x }),
    }
}

fn stribeck_stop() -> Phenomenon {
    /// m/s.
    const STRIBECK_VELOCITY: f64 = 0.1;
    fn scenes() -> Vec<Scenario<2>> {
        let sliding = SlidingFriction { stribeck_velocity: Some(STRIBECK_VELOCITY), ..dry() };
        let ground = Ground { sliding, ..level(AT_REST, 0.0) };
        vec![point("stribeck-stop", 0.6, ([0.0; 2], [1.0, 0.0]), ground)]
    }
    Phenomenon {
        name: "stribeck-stop",
        group: Group::Sliding,
        title: "Friction rises towards rest",
        happens: "A block slides at 1 m/s over ground whose friction is 0.25 in fast slips and rises to 0.4 about 0.1 m/s. The \
                  last centimetres are shorter than with 0.25.",
        formula: "the integral of v/(g mu(v)) from 0 to v0, mu(v) = mu_k + (mu_s - mu_k) exp(-(v/v_s)^2)",
        source: STRIBECK,
        measure: "distance slid",
        unit: "m",
        // By Simpson's rule with 2,000 and with 20,000 pieces alike.
        truth: 0.202_915_385,
        thresholds: Thresholds { right: 0.002, off: 0.02, why: "1 % and 10 % of the distance." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure: final_x }),
    }
}

fn viscous_stop() -> Phenomenon {
    const FRICTION: f64 = 0.2;
    /// s/m.
    const GROWTH: f64 = 0.5;
    const SPEED: f64 = 2.0;
    fn scenes() -> Vec<Scenario<2>> {
        let sliding = SlidingFriction { viscous_friction: Some(GROWTH), ..SlidingFriction::NONE };
        let ground = Ground { sliding, ..level(FRICTION, 0.0) };
        vec![point("viscous-stop", 0.6, ([0.0; 2], [SPEED, 0.0]), ground)]
    }
    Phenomenon {
        name: "viscous-stop",
        group: Group::Sliding,
        title: "Friction grows with the slip",
        happens: "A block slides at 2 m/s over greased ground: friction is 0.2 and half of the slip in m/s besides. It stops in \
                  a finite time, unlike in oil alone, and sooner than on dry ground.",
        formula: "(v0 - (mu/c) ln(1 + c v0/mu))/(c g)",
        source: "a linear equation; Armstrong-Helouvry, Dupont, Canudas de Wit, Automatica 30, 1994",
        measure: "distance slid",
        unit: "m",
        truth: (SPEED - FRICTION / GROWTH * (GROWTH * SPEED / FRICTION).ln_1p()) / (GROWTH * GRAVITY),
        thresholds: Thresholds { right: 0.0026, off: 0.026, why: "1 % and 10 % of the distance." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure: final_x }),
    }
}

fn kinetic_impact() -> Phenomenon {
    const SLIP: f64 = 1.05;
    const DROP: f64 = 3.0;
    fn scenes() -> Vec<Scenario<2>> {
        let start = ([0.0, 0.03], [SLIP, -DROP]);
        vec![Scenario { gravity: 0.0, ..point("kinetic-impact", 0.03, start, ground(0.0)) }]
    }
    Phenomenon {
        name: "kinetic-impact",
        group: Group::Sliding,
        title: "An impact slides by the friction of motion",
        happens: "A point without weight hits the ground at 3 m/s while it slips at 1.05 m/s. The friction of motion takes 0.75 \
                  m/s from it; that of rest could hold it, and must not be asked.",
        formula: "vt - mu_k vn",
        source: "Routh, Dynamics of a System of Rigid Bodies I, 1860",
        measure: "slip afterwards",
        unit: "m/s",
        truth: SLIP - IN_MOTION * DROP,
        thresholds: Thresholds { right: 0.01, off: 0.1, why: "1 % and 10 % of the slip before." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure: final_speed }),
    }
}

fn rod_on_foot() -> Phenomenon {
    const LENGTH: f64 = 1.0;
    const TILT: f64 = 0.2;
    fn scenes() -> Vec<Scenario<2>> {
        let (sin, cos) = TILT.sin_cos();
        let place = [0.5 * LENGTH * sin, 0.5 * LENGTH * cos];
        let body = solid(Shape::Rod { length: LENGTH }, place, std::f64::consts::FRAC_PI_2 - TILT);
        let sliding = SlidingFriction { kinetic_friction: Some(0.2), ..SlidingFriction::NONE };
        vec![over_ground("rod-on-foot", 0.7, vec![body], Ground { sliding, ..level(0.5, 0.0) })]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let last = motion.last();
        along(motion, last) - 0.5 * LENGTH * motion.angle(0, last).cos()
    }
    Phenomenon {
        name: "rod-on-foot",
        group: Group::Sliding,
        title: "A falling rod breaks away at its foot",
        happens: "A rod is let go on its foot, 0.2 rad from upright. It turns about the foot until that leaves the cone of the \
                  friction of rest, at 0.583 s, and then slips under that of motion. The contact turns with the rod all the \
                  time, and that is no slip.",
        formula: "the pendulum until |ft|/fn = mu_s = 0.5, then sliding with mu_k = 0.2, integrated with events",
        source: "event-driven integration to 1e-12",
        measure: "place of the foot after 0.7 s",
        unit: "m",
        truth: 0.022_596,
        thresholds: Thresholds { right: 0.001, off: 0.01, why: "5 % and half of the way." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}
