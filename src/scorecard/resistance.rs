//! Friction that resists rolling and drilling: what rolls out, spins down, and rests on a slope or in a groove.

use nalgebra::Vector3;

use super::{
    Experiment, Failing, Group, Observed, Phenomenon, Thresholds, Trial,
    observed::final_x,
    onset,
    rolling::{RADIUS, disc},
    scenes::{FIXED_PYRAMID, GRAVITY, SHARES, WITHOUT_FRICTION, level, over_ground, rolling_ball},
};
use crate::{
    model::{Orientation, Spin},
    scenario::{Body, Ground, Push, Scenario, Shape, TurningLengths, Wall},
};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![
        disc_rolls_out(),
        ball_rolls_out(),
        slide_then_roll(),
        rolling_threshold(),
        drilling_stop(),
        drilling_threshold(),
        drilling_slide(),
        friction_circle(),
        groove_threshold(),
    ]
}

/// The lengths of the moments that resist rolling and drilling in m.
const ROLLING: f64 = 0.002;
const DRILLING: f64 = 0.005;
/// What rolls holds the ground by that.
const STICKY: f64 = 0.5;
const SPEED: f64 = 0.5;

const ROLLING_FRICTION: &str = "Coulomb, Theorie des machines simples, Paris 1821, who let rollers run out; Johnson, Contact \
                                Mechanics, 1985, ch. 9";
const PATCH: &str = "Contensou, Kreiselprobleme, 1963; Goyal, Ruina, Papadopoulos, Wear 143, 1991";

/// Level ground that resists turning by these lengths.
fn ground(friction: f64, drilling: f64, rolling: f64) -> Ground {
    let length = |rho: f64| (rho > 0.0).then_some(rho);
    let turning = TurningLengths { torsional_friction: length(drilling), rolling_friction: length(rolling) };
    Ground { turning, ..level(friction, 0.0) }
}

/// A ball of 1 kg on the ground.
fn ball(name: &str, duration: f64, speed: f64, spin: [f64; 3], ground: Ground) -> Scenario<3> {
    over_ground(name, duration, vec![rolling_ball(RADIUS, speed, spin)], ground)
}

/// The spin of the body in the axes of the world.
fn spin(motion: &Observed<3>, k: usize) -> Spin {
    let attitude = motion.bodies[0].attitudes.get(k);
    match attitude.map(|attitude| attitude.orientation) {
        Some(Orientation::Quaternion(turn)) => turn * motion.spin(0, k),
        _ => motion.spin(0, k),
    }
}

/// Speed in m/s along x of the point of a ball that touches.
fn slip(motion: &Observed<3>, k: usize) -> f64 {
    motion.velocity(0, k).x - RADIUS * spin(motion, k).y
}

fn disc_rolls_out() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        vec![disc("disc-rolls-out", 4.0, SPEED, -SPEED / RADIUS, ground(STICKY, 0.0, ROLLING))]
    }
    Phenomenon {
        name: "disc-rolls-out",
        group: Group::Rolling,
        title: "A disc rolls out",
        happens: "A disc rolls at 0.5 m/s over ground that gives way a little and resists by a moment of 2 mm times the load. \
                  It gets slower evenly and stops after a metre. Friction along the ground does not take part: it holds what \
                  touches, and nothing slips.",
        formula: "3 R v0^2/(4 rho g), as a = (2/3) rho g/R",
        source: ROLLING_FRICTION,
        measure: "distance rolled",
        unit: "m",
        truth: 3.0 * RADIUS * SPEED * SPEED / (4.0 * ROLLING * GRAVITY),
        thresholds: Thresholds { right: 0.0096, off: 0.096, why: "1 % and 10 % of the distance." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Plane(Experiment { scenes, measure: final_x }),
    }
}

fn ball_rolls_out() -> Phenomenon {
    fn scenes() -> Vec<Scenario<3>> {
        let spin = [0.0, SPEED / RADIUS, 0.0];
        vec![ball("ball-rolls-out", 4.0, SPEED, spin, ground(STICKY, 0.0, ROLLING))]
    }
    Phenomenon {
        name: "ball-rolls-out",
        group: Group::Rolling,
        title: "A ball rolls out",
        happens: "A ball rolls at 0.5 m/s over the same ground as the disc. It holds less spin than a disc does, and stops \
                  sooner.",
        formula: "7 R v0^2/(10 rho g), as a = (5/7) rho g/R",
        source: ROLLING_FRICTION,
        measure: "distance rolled",
        unit: "m",
        truth: 7.0 * RADIUS * SPEED * SPEED / (10.0 * ROLLING * GRAVITY),
        thresholds: Thresholds { right: 0.0089, off: 0.089, why: "1 % and 10 % of the distance." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Space(Experiment { scenes, measure: final_x }),
    }
}

fn slide_then_roll() -> Phenomenon {
    const START: f64 = 1.0;
    const FRICTION: f64 = 0.3;
    fn scenes() -> Vec<Scenario<3>> {
        vec![ball("slide-then-roll", 5.3, START, [0.0; 3], ground(FRICTION, 0.0, ROLLING))]
    }
    let moment = ROLLING * GRAVITY / RADIUS;
    let rolls = START / (FRICTION * GRAVITY + 2.5 * (FRICTION * GRAVITY - moment));
    let speed = START - FRICTION * GRAVITY * rolls;
    Phenomenon {
        name: "slide-then-roll",
        group: Group::Rolling,
        title: "A ball slides, rolls and stops",
        happens: "A ball is set on the ground at 1 m/s without spin. It slides for a tenth of a second, until friction has \
                  made it turn, rolls on at 0.7 m/s and runs out. Friction and the moment against rolling act on it at once.",
        formula: "v0 t - mu g t^2/2 + 7 R v^2/(10 rho g), t = v0/(mu g + (5/2)(mu - rho/R) g), v = v0 - mu g t",
        source: "two linear pieces; Coriolis, Theorie mathematique des effets du jeu de billard, Paris 1835",
        measure: "distance",
        unit: "m",
        truth: START * rolls - 0.5 * FRICTION * GRAVITY * rolls * rolls + 0.7 * speed * speed / moment,
        thresholds: Thresholds { right: 0.018, off: 0.18, why: "1 % and 10 % of the distance." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Space(Experiment { scenes, measure: final_x }),
    }
}

fn rolling_threshold() -> Phenomenon {
    fn scenes() -> Vec<Scenario<3>> {
        let slope = |share: f64| (share * ROLLING / RADIUS).atan().to_degrees();
        let on_slope = |share: f64| {
            let ground = Ground { slope: slope(share), ..ground(STICKY, 0.0, ROLLING) };
            ball("rolling-threshold", 1.0, 0.0, [0.0; 3], ground)
        };
        SHARES.map(on_slope).to_vec()
    }
    /// A slope of 1.02 of the threshold makes 2.8 mm/s in a second.
    fn measure(observed: &[Observed<3>]) -> f64 {
        let rolls = |motion: &Observed<3>| motion.velocity(0, motion.last()).x > 1.4e-3;
        onset(&SHARES, &observed.iter().map(rolls).collect::<Vec<_>>())
    }
    Phenomenon {
        name: "rolling-threshold",
        group: Group::Rolling,
        title: "A ball rests on a slope",
        happens: "On slopes of about one degree a ball rests, as the moment against rolling carries its weight at the arm that \
                  the slope gives it. Without that moment a ball rolls down any slope.",
        formula: "tan a = rho/R",
        source: ROLLING_FRICTION,
        measure: "tangent at which it rolls",
        unit: "rho/R",
        truth: 1.0,
        thresholds: Thresholds { right: 0.02, off: 0.05, why: "The slopes are 2 and 5 % apart." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

fn drilling_stop() -> Phenomenon {
    const SPIN: f64 = 20.0;
    fn scenes() -> Vec<Scenario<3>> {
        vec![ball("drilling-stop", 1.8, 0.0, [0.0, 0.0, SPIN], ground(0.3, DRILLING, 0.0))]
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let motion = &observed[0];
        let stops = motion.first(0, |k| motion.spin(0, k).z < 1e-3 * SPIN);
        stops.map_or(f64::NAN, |k| motion.time(k))
    }
    Phenomenon {
        name: "drilling-stop",
        group: Group::Rolling,
        title: "A ball that spins on the spot stops",
        happens: "A ball spins about the vertical at 20 rad/s. It touches at a point, which does not move, and friction along \
                  the ground never stops it: what does is the patch that a point stands for. Measured is when a thousandth is \
                  left.",
        formula: "2 R^2 w0/(5 rho g)",
        source: PATCH,
        measure: "time of stopping",
        unit: "s",
        truth: 0.4 * RADIUS * RADIUS * SPIN / (DRILLING * GRAVITY),
        thresholds: Thresholds { right: 0.016, off: 0.16, why: "1 % and 10 % of the time." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

fn drilling_threshold() -> Phenomenon {
    const CRITICAL: f64 = DRILLING * GRAVITY;
    fn scenes() -> Vec<Scenario<3>> {
        let turned_by = |share: f64| {
            let torque = Spin::new(0.0, 0.0, share * CRITICAL);
            let push = Push { torque, ..Push::constant([0.0; 3]) };
            let scenario = ball("drilling-threshold", 1.0, 0.0, [0.0; 3], ground(0.3, DRILLING, 0.0));
            Scenario { pushes: vec![push], ..scenario }
        };
        SHARES.map(turned_by).to_vec()
    }
    /// At 1.02 of the critical torque the spin gets to 0.25 rad/s.
    fn measure(observed: &[Observed<3>]) -> f64 {
        let turns = observed.iter().map(|motion| motion.spin(0, motion.last()).z > 0.1);
        onset(&SHARES, &turns.collect::<Vec<_>>())
    }
    Phenomenon {
        name: "drilling-threshold",
        group: Group::Rolling,
        title: "The torque that turns a ball on the spot",
        happens: "A torque about the vertical turns a ball of 1 kg if it overcomes rho m g, and not a little if it does not. What \
                  a gripper holds by two fingers hangs from such torques.",
        formula: "M = rho m g",
        source: PATCH,
        measure: "torque that turns it",
        unit: "rho m g",
        truth: 1.0,
        thresholds: Thresholds { right: 0.02, off: 0.05, why: "The torques are 2 and 5 % apart." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

/// Friction, speed in m/s and spin in rad/s of the ball that slides and drills; its `rho` is `mu R sqrt(7/5)`, by which both have
/// the same response and end together.
const PUCK: (f64, f64, f64) = (0.3, 1.0, 20.0);

fn puck(name: &str) -> Scenario<3> {
    let (friction, speed, spin) = PUCK;
    let drilling = friction * RADIUS * 1.4_f64.sqrt();
    ball(name, 0.4, speed, [0.0, 0.0, spin], ground(friction, drilling, 0.0))
}

fn drilling_slide() -> Phenomenon {
    fn scenes() -> Vec<Scenario<3>> {
        vec![puck("drilling-slide")]
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let motion = &observed[0];
        let ends = motion.first(0, |k| slip(motion, k) < 1e-3 * PUCK.1 && spin(motion, k).z < 1e-3 * PUCK.2);
        ends.map_or(f64::NAN, |k| motion.time(k))
    }
    let (friction, speed, spin) = PUCK;
    let rates = [friction * speed, friction * RADIUS * 1.4_f64.sqrt() * spin];
    Phenomenon {
        name: "drilling-slide",
        group: Group::Rolling,
        title: "What spins slides further",
        happens: "A ball slides at 1 m/s and spins at 20 rad/s about the vertical. Both share the friction of one patch, so that \
                  each has less of it, and both end at once, long after 0.097 s, when it would roll without spin. Measured is \
                  when a thousandth of both is left.",
        formula: "hypot(mu u0, rho w0)/(3.5 mu^2 g), rho = mu R sqrt(1.4)",
        source: PATCH,
        measure: "time at which it rolls",
        unit: "s",
        truth: rates[0].hypot(rates[1]) / (3.5 * friction * friction * GRAVITY),
        thresholds: Thresholds { right: 0.0025, off: 0.025, why: "1 % and 10 % of the time." },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

fn friction_circle() -> Phenomenon {
    fn scenes() -> Vec<Scenario<3>> {
        vec![puck("friction-circle")]
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let motion = &observed[0];
        let k = motion.index(0.15);
        (slip(motion, k) / PUCK.1) / (spin(motion, k).z / PUCK.2)
    }
    Phenomenon {
        name: "friction-circle",
        group: Group::Rolling,
        title: "Friction divides itself between sliding and spinning",
        happens: "The same ball after 0.15 s. What it slips and what it spins have fallen by the same part, as friction opposes \
                  both together. With a limit for each the slip would have ended by now.",
        formula: "(u/u0)/(w/w0) = 1 where rho = mu R sqrt(1.4)",
        source: PATCH,
        measure: "part of the slip left, over that of the spin",
        unit: "1",
        truth: 1.0,
        thresholds: Thresholds { right: 0.02, off: 0.2, why: "2 % and 20 %." },
        remarks: &[],
        failing: Failing {
            why: "a pyramid whose edges are fixed to the axes brakes the faster of both first",
            ..FIXED_PYRAMID
        },
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

/// The push in N along a groove of a right angle that moves a ball of 1 kg.
///
/// Each face carries `N = m g/sqrt(2)`. A force `t N` along the groove at each has the moment `t N R/sqrt(2)` about the level axis
/// across, in which drilling and rolling have their parts, `(M + B)/sqrt(2)` with `B <= rho_r N` and `M <= rho_t N sqrt(1 - (t/mu)^2)`,
/// for the patch carries the force besides: `t R = rho_r + rho_t sqrt(1 - (t/mu)^2)`.
fn push_along_groove() -> f64 {
    let (k, c, rolling) = (RADIUS / DRILLING, 1.0 / STICKY, ROLLING / DRILLING);
    // (t k - rolling)^2 = 1 - (c t)^2.
    let (square, linear, rest) = (k * k + c * c, k * rolling, rolling * rolling - 1.0);
    let share = (linear + (linear * linear - square * rest).sqrt()) / square;
    2.0 * share * GRAVITY / 2.0_f64.sqrt()
}

fn groove_threshold() -> Phenomenon {
    fn scenes() -> Vec<Scenario<3>> {
        let part = 0.5_f64.sqrt();
        // The middle of the ball is half a metre up, so that the ground is far.
        let face = |side: f64| Wall::new(Vector3::new(side * part, 0.0, part), 0.5 * part - RADIUS);
        let pushed_by = |share: f64| {
            let body =
                Body { shape: Shape::Ball { radius: RADIUS }, ..Body::point(1.0, [0.0, 0.0, 0.5], [0.0; 3]) };
            let push = Push::constant([0.0, share * push_along_groove(), 0.0]);
            let scenario =
                over_ground("groove-threshold", 1.0, vec![body], ground(STICKY, DRILLING, ROLLING));
            Scenario { pushes: vec![push], walls: vec![face(1.0), face(-1.0)], ..scenario }
        };
        SHARES.map(pushed_by).to_vec()
    }
    /// At 1.02 of the critical push it gets to 1 cm/s.
    fn measure(observed: &[Observed<3>]) -> f64 {
        let rolls = |motion: &Observed<3>| motion.velocity(0, motion.last()).y > 4e-3;
        push_along_groove() * onset(&SHARES, &observed.iter().map(rolls).collect::<Vec<_>>())
    }
    Phenomenon {
        name: "groove-threshold",
        group: Group::Rolling,
        title: "A ball in a groove does not creep",
        happens: "A ball lies in a groove of a right angle and is pushed along it. To move it has to roll and to drill on both \
                  faces at once, and the patches that resist drilling carry the push besides. Up to a push of 1 N it stays \
                  where it is.",
        formula: "sqrt(2) m g t with t R = rho_r + rho_t sqrt(1 - (t/mu)^2)",
        source: "statics of a ball on two faces; Goyal, Ruina, Papadopoulos, Wear 143, 1991, for the patches",
        measure: "push that moves it",
        unit: "N",
        truth: push_along_groove(),
        thresholds: Thresholds {
            right: 0.02 * push_along_groove(),
            off: 0.05 * push_along_groove(),
            why: "The pushes are 2 and 5 % apart.",
        },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}
