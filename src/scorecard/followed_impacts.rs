//! Impacts whose outcome takes following the impulse: ends that stop or turn on the way, a mechanism, a row of discs, a ball that
//! spins.

use nalgebra::{Matrix2, Vector2};

use super::{
    Experiment, Failing, Group, Observed, Phenomenon, Thresholds, Trial,
    impacts::{inverse_inertia, rod},
    rebound::{CONVEX_STAYS_DOWN, NO_RESTITUTION},
    routh::followed_impulse,
    scenes::{ANITESCU_IS_MOREAU, DAMPERS_FOLLOW_THE_STEP, WHOLE_IMPULSE, level, moving, over_ground, solid},
};
use crate::{
    model::Spin,
    scenario::{Body, JointKind, JointPlace, JointSetup, Scenario, Shape},
};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![stopped_slip(), painleve_impact(), kane_pendulum(), two_strike_three(), spinning_ball()]
}

const ROUTH: &str = "Routh, Dynamics of a System of Rigid Bodies I, 1860; Stronge, Impact Mechanics, 2000";

/// By how much an impact of the only body of 1 kg changes its velocity, which is the impulse.
fn impulse<const D: usize>(observed: &[Observed<D>], axis: usize) -> f64 {
    let motion = &observed[0];
    motion.velocity(0, motion.last())[axis] - motion.velocity(0, 0)[axis]
}

fn stopped_slip() -> Phenomenon {
    const ANGLE: f64 = std::f64::consts::FRAC_PI_4;
    const VELOCITY: [f64; 2] = [0.3, -1.0];
    const LAW: (f64, f64) = (0.8, 0.5);
    fn scenes() -> Vec<Scenario<2>> {
        vec![rod("stopped-slip", 0.1, (ANGLE, 0.04), VELOCITY, LAW)]
    }
    Phenomenon {
        name: "stopped-slip",
        group: Group::Impact,
        title: "An impact that stops the slip",
        happens: "A rod at 45 degrees hits the ground, its lower end slides to the right, and friction of 0.8 stops it while \
                  the impact lasts; from there on the end is held, by more than sliding asked for. With restitution 0.5 it \
                  leaves the ground again. Coulomb's law on the impulse of the whole, with Newton's restitution, gives 0.375 N s.",
        formula: "dp_t = -mu dp_n until the slip is zero, then -W_tn/W_tt dp_n; the end gives back e^2 of the work",
        source: ROUTH,
        measure: "impulse along the ground",
        unit: "N s",
        truth: followed_impulse(&inverse_inertia(ANGLE), Vector2::from(VELOCITY), LAW.0, LAW.1).x,
        thresholds: Thresholds {
            right: 0.01,
            off: 0.1,
            why: "3 % and 30 % of the impulse; the value of the whole impulse, which is another law, is 9 % away.",
        },
        remarks: &[ANITESCU_IS_MOREAU, NO_RESTITUTION, DAMPERS_FOLLOW_THE_STEP],
        failing: WHOLE_IMPULSE,
        trial: Trial::Plane(Experiment { scenes, measure: |observed| impulse(observed, 0) }),
    }
}

fn painleve_impact() -> Phenomenon {
    const ANGLE: f64 = 1.1;
    const VELOCITY: [f64; 2] = [-1.0, -0.5];
    const LAW: (f64, f64) = (2.0, 0.5);
    fn scenes() -> Vec<Scenario<2>> {
        vec![rod("painleve-impact", 0.1, (ANGLE, 0.02), VELOCITY, LAW)]
    }
    Phenomenon {
        name: "painleve-impact",
        group: Group::Impact,
        title: "Painleve's rod hits the ground",
        happens: "A rod hits the ground while its lower end slides to the left with friction of 2. Sliding drives the end into the \
                  ground, faster than it came, until friction has stopped it; only then does the normal impulse lift it. The law \
                  of the whole impulse, with Newton's restitution, gives 0.937 N s.",
        formula: "dp_t = mu dp_n until the slip is zero, then -W_tn/W_tt dp_n; the end gives back e^2 of the work",
        source: "Painleve, C. R. Acad. Sci. 121, 1895; Genot and Brogliato, Eur. J. Mech. A 18, 1999",
        measure: "impulse away from the ground",
        unit: "N s",
        truth: followed_impulse(&inverse_inertia(ANGLE), Vector2::from(VELOCITY), LAW.0, LAW.1).y,
        thresholds: Thresholds {
            right: 0.02,
            off: 0.2,
            why: "2 % and 20 % of the impulse; the value of the whole impulse, which is another law, is 12 % away.",
        },
        remarks: &[ANITESCU_IS_MOREAU, NO_RESTITUTION, DAMPERS_FOLLOW_THE_STEP],
        failing: WHOLE_IMPULSE,
        trial: Trial::Plane(Experiment { scenes, measure: |observed| impulse(observed, 1) }),
    }
}

/// Angles of the two rods of 1 m and 1 kg from hanging in rad, their rates in rad/s, friction and restitution.
const KANE: ([f64; 2], [f64; 2], (f64, f64)) =
    ([std::f64::consts::PI / 9.0, std::f64::consts::PI / 6.0], [-0.1, -0.2], (0.5, 0.5));

/// Kinetic energy after the impact over that before.
fn kane_energy() -> f64 {
    let ([upper, lower], rates, (friction, restitution)) = KANE;
    let coupling = 0.5 * (upper - lower).cos();
    let mass = Matrix2::new(4.0 / 3.0, coupling, coupling, 1.0 / 3.0);
    // How the end of the lower rod moves, along the ground and away from it, by the rates.
    let jacobian = Matrix2::new(upper.cos(), lower.cos(), upper.sin(), lower.sin());
    let responds = mass.try_inverse().map_or(Matrix2::zeros(), |inverse| inverse * jacobian.transpose());
    let before = Vector2::from(rates);
    let impulse = followed_impulse(&(jacobian * responds), jacobian * before, friction, restitution);
    let after = before + responds * impulse;
    after.dot(&(mass * after)) / before.dot(&(mass * before))
}

fn kane_pendulum() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let (angles, rates, (friction, restitution)) = KANE;
        let [upper, lower] = angles.map(|angle: f64| Vector2::new(angle.sin(), -angle.cos()));
        let across = |along: Vector2<f64>| Vector2::new(-along.y, along.x);
        let pivot = Vector2::new(0.0, -upper.y - lower.y);
        let hinge = pivot + upper;
        let hinge_velocity = across(upper) * rates[0];
        let arm = |from: Vector2<f64>, along: Vector2<f64>, velocity: Vector2<f64>, which: usize| {
            let body = solid(
                Shape::Rod { length: 1.0 },
                (from + along * 0.5).into(),
                angles[which] - std::f64::consts::FRAC_PI_2,
            );
            moving(body, (velocity + across(along) * (0.5 * rates[which])).into(), rates[which])
        };
        let bodies = vec![arm(pivot, upper, Vector2::zeros(), 0), arm(hinge, lower, hinge_velocity, 1)];
        let pin = |bodies, at| JointSetup::of(JointKind::Hinge, bodies, JointPlace::At(at));
        let joints = vec![pin([None, Some(0)], pivot), pin([Some(0), Some(1)], hinge)];
        let scenario = over_ground("kane-pendulum", 0.01, bodies, level(friction, restitution));
        vec![Scenario { gravity: 0.0, joints, ..scenario }]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.energy(motion.last()) / motion.energy(0)
    }
    Phenomenon {
        name: "kane-pendulum",
        group: Group::Impact,
        title: "Kane's pendulum strikes the ground",
        happens: "The end of a double pendulum strikes the ground with friction and restitution 0.5, and its slip turns around. \
                  With Newton's restitution it would have 1.59 times its energy after the impact, which is how Kane found that \
                  this law makes energy.",
        formula: "K+/K-, with the impulse followed as for a single rod, W = J M^-1 J^T of the pendulum",
        source: "Kane and Levinson, Dynamics: Theory and Applications, 1985; Stronge, Impact Mechanics, 2000",
        measure: "energy after over energy before",
        unit: "1",
        truth: kane_energy(),
        thresholds: Thresholds {
            right: 0.01,
            off: 0.1,
            why: "1 % and 10 % of the energy before: a rebound that is only kept from making energy is .45 away.",
        },
        remarks: &[NO_RESTITUTION, DAMPERS_FOLLOW_THE_STEP],
        failing: WHOLE_IMPULSE,
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn two_strike_three() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        const RADIUS: f64 = 0.125;
        let at = |x: f64, speed: f64| {
            moving(solid(Shape::Ball { radius: RADIUS }, [x, 1.0], 0.0), [speed, 0.0], 0.0)
        };
        let strike = [-0.5625, -0.3125].map(|x| at(x, 1.0));
        let bodies = strike.into_iter().chain([0.0, 0.25, 0.5].map(|x| at(x, 0.0))).collect();
        vec![Scenario { gravity: 0.0, ..over_ground("two-strike-three", 0.2, bodies, level(0.0, 1.0)) }]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.velocity(2, motion.last())[0]
    }
    Phenomenon {
        name: "two-strike-three",
        group: Group::Impact,
        title: "Two elastic discs strike three",
        happens: "Two discs that touch strike three that touch, all of them elastic. Two fly off at the speed with which two came, \
                  and the one in the middle stays, as in a cradle. A law that takes all contacts at once lets the three go together, \
                  at 0.8 m/s.",
        formula: "v = (0, 0, 0, v0, v0), by impacts of two equal discs, one after the other",
        source: "Huygens, De motu corporum ex percussione, 1703; Mariotte, Traite de la percussion, 1673",
        measure: "speed of the disc in the middle",
        unit: "m/s",
        truth: 0.0,
        thresholds: Thresholds { right: 0.01, off: 0.1, why: "1 % and 10 % of the speed that comes." },
        remarks: &[NO_RESTITUTION, DAMPERS_FOLLOW_THE_STEP],
        failing: Failing { why: "it is told to take the contacts of an impact all at once", ..WHOLE_IMPULSE },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn spinning_ball() -> Phenomenon {
    const RADIUS: f64 = 0.1;
    /// Friction and restitution.
    const LAW: (f64, f64) = (0.1, 0.8);
    /// Speed along the ground, downwards, and of the lowest point by the spin, across, in m/s.
    const SPEEDS: [f64; 3] = [1.2, 2.0, 0.9];
    fn scenes() -> Vec<Scenario<3>> {
        let [along, down, across] = SPEEDS;
        let ball = Body {
            shape: Shape::Ball { radius: RADIUS },
            spin: Spin::new(across / RADIUS, 0.0, 0.0),
            ..Body::point(1.0, [0.0, 0.0, RADIUS + 0.04], [along, 0.0, -down])
        };
        let scenario = over_ground("ball-with-side-spin", 0.06, vec![ball], level(LAW.0, LAW.1));
        vec![Scenario { gravity: 0.0, ..scenario }]
    }
    Phenomenon {
        name: "ball-with-side-spin",
        group: Group::Impact,
        title: "A ball with side spin leaves its plane",
        happens: "A ball that flies along one axis and spins about it hits the ground. Its lowest point slides obliquely, and friction, \
                  which does not stop it within the impact, throws the ball sideways.",
        formula: "-mu (1 + e) v_n times the share of the slip across, which keeps its direction: a ball responds alike along all axes",
        source: "Walton, Numerical simulation of inelastic, frictional particle-particle interactions, 1993",
        measure: "speed sideways after the impact",
        unit: "m/s",
        truth: {
            let [along, down, across] = SPEEDS;
            -LAW.0 * (1.0 + LAW.1) * down * across / along.hypot(across)
        },
        thresholds: Thresholds { right: 0.0022, off: 0.022, why: "1 % and 10 % of the speed." },
        remarks: &[NO_RESTITUTION, DAMPERS_FOLLOW_THE_STEP],
        failing: CONVEX_STAYS_DOWN,
        trial: Trial::Space(Experiment { scenes, measure: |observed| impulse(observed, 1) }),
    }
}
