//! What spins: on a face, on three feet, on a pin, and freely about the unstable axis.

use std::f64::consts::TAU;

use nalgebra::{UnitQuaternion, Vector3};

use super::{
    Experiment, Failing, Group, Observed, Phenomenon, Thresholds, Trial,
    elliptic::complete_elliptic_integral,
    onset,
    scenes::{FIXED_PYRAMID, GRAVITY, SHARES, level, over_ground},
};
use crate::{
    model::{Orientation, Spin, Vector},
    scenario::{Body, Ends, Inertia, JointKind, JointPlace, JointSetup, Push, Rod, Scenario, Shape},
    stepper::StepperName,
};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![disc_spin_down(), breakaway_moment(), unstable_axis(), spinning_top()]
}

/// Radius in m, spin in rad/s and friction of the disc, and lumps on each of its two rings.
const DISC: (f64, f64, f64) = (0.1, 12.0, 0.4);
const LUMPS: usize = 3;

/// Radii in m of the rings: each has half of the area, and the mean distance of its half from the axis.
fn rings() -> [f64; 2] {
    let middle = 0.5_f64.sqrt();
    let mean =
        |from: f64, to: f64| DISC.0 * (2.0 / 3.0) * (to.powi(3) - from.powi(3)) / (to * to - from * from);
    [mean(0.0, middle), mean(middle, 1.0)]
}

fn disc_spin_down() -> Phenomenon {
    fn scenes() -> Vec<Scenario<3>> {
        let (_, spin, friction) = DISC;
        let lump = |ring: usize, place: usize| {
            let angle = TAU * (place as f64 + 0.5 * ring as f64) / LUMPS as f64;
            let (sin, cos) = angle.sin_cos();
            let radius = rings()[ring];
            let velocity = [-spin * radius * sin, spin * radius * cos, 0.0];
            Body::point(0.5 / LUMPS as f64, [radius * cos, radius * sin, 0.0], velocity)
        };
        let bodies = (0..2).flat_map(|ring| (0..LUMPS).map(move |place| lump(ring, place))).collect();
        // A triangle inside, and each lump outside tied to its two neighbours in there.
        let next = |place: usize| (place + 1) % LUMPS;
        let rods = (0..LUMPS)
            .flat_map(|place| [[place, next(place)], [place, LUMPS + place], [next(place), LUMPS + place]]);
        let rods = rods.map(|bodies| Rod::between(Ends::centres(bodies))).collect();
        let scenario = over_ground("disc-spin-down", 0.26, bodies, level(friction, 0.0));
        vec![Scenario { rods, ..scenario }]
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let motion = &observed[0];
        let speed = |k: usize| motion.velocity(0, k).norm();
        let stops = motion.first(0, |k| speed(k) < 1e-3 * speed(0));
        stops.map_or(f64::NAN, |k| motion.time(k))
    }
    Phenomenon {
        name: "disc-spin-down",
        group: Group::Rolling,
        title: "A disc that bears on its whole face",
        happens: "A disc spins flat on the ground at 12 rad/s. It bears on its whole face: six lumps on two rings, joined by \
                  rods, which carry equal loads where the halves of its area do. Friction brakes it with two thirds \
                  of the torque that it would have at the rim. Measured is when a thousandth of the spin is left.",
        formula: "I w0/M with M = (2/3) mu m g R, I = sum m_i r_i^2",
        source: "torque of even pressure on a disc: any textbook, for clutches",
        measure: "time of stopping",
        unit: "s",
        truth: {
            let (radius, spin, friction) = DISC;
            let inertia = 0.5 * rings().iter().map(|ring| ring * ring).sum::<f64>();
            inertia * spin / (2.0 / 3.0 * friction * GRAVITY * radius)
        },
        thresholds: Thresholds { right: 0.0022, off: 0.022, why: "1 % and 10 % of the time." },
        remarks: &[],
        failing: FIXED_PYRAMID,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

fn breakaway_moment() -> Phenomenon {
    /// Radius in m on which the three feet stand, friction, inertia in kg m^2.
    const FEET: (f64, f64, f64) = (0.1, 0.3, 5e-3);
    const CRITICAL: f64 = FEET.1 * GRAVITY * FEET.0;
    fn scenes() -> Vec<Scenario<3>> {
        let (radius, friction, inertia) = FEET;
        let foot = |place: u32| {
            let (sin, cos) = (TAU * f64::from(place) / 3.0).sin_cos();
            Vector3::new(radius * cos, radius * sin, -0.05)
        };
        let vertices: Vec<_> = (0..3).map(foot).chain([Vector3::new(0.0, 0.0, 0.05)]).collect();
        let turned_by = |share: &f64| {
            let body = Body {
                shape: Shape::Hull { vertices: vertices.clone() },
                inertia: Some(Inertia::principal([inertia; 3])),
                ..Body::point(1.0, [0.0, 0.0, 0.05], [0.0; 3])
            };
            let torque = Spin::new(0.0, 0.0, share * CRITICAL);
            let push = Push { torque, ..Push::constant([0.0; 3]) };
            let scenario = over_ground("breakaway-moment", 0.2, vec![body], level(friction, 0.0));
            Scenario { pushes: vec![push], ..scenario }
        };
        SHARES.iter().map(turned_by).collect()
    }
    /// What turns has a spin of 0.1 rad/s in the end; at 1.02 of the critical torque it gets to 0.24.
    fn measure(observed: &[Observed<3>]) -> f64 {
        let turns = observed.iter().map(|motion| motion.spin(0, motion.last()).z > 0.1);
        CRITICAL * onset(&SHARES, &turns.collect::<Vec<_>>())
    }
    Phenomenon {
        name: "breakaway-moment",
        group: Group::Rolling,
        title: "The torque that turns three feet",
        happens: "A tripod of 1 kg stands on three feet, 10 cm from its axis. A torque about that axis turns it if it \
                  overcomes the friction of the feet. Measured is the torque between the last that does not and the \
                  first that does.",
        formula: "M = mu m g r",
        source: "torque of contacts at a radius r, each with a third of the weight",
        measure: "torque that turns it",
        unit: "N m",
        truth: CRITICAL,
        thresholds: Thresholds {
            right: 0.03 * CRITICAL,
            off: 0.1 * CRITICAL,
            why: "It turns at 1.02 of the critical torque and not at 0.98; 10 % is how well friction is known at best.",
        },
        remarks: &[],
        failing: Failing {
            why: "a pyramid whose edges are fixed to the axes holds less where the slip points along none of them",
            ..FIXED_PYRAMID
        },
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

/// Widths of the slab in m, spin about its middle axis and, to begin with, about the other two in rad/s.
const SLAB: ([f64; 3], f64, f64) = ([0.1, 0.4, 0.9], 20.0, 0.05);

fn unstable_axis() -> Phenomenon {
    fn scenes() -> Vec<Scenario<3>> {
        let (size, fast, slow) = SLAB;
        let body = Body {
            shape: Shape::Box { size: Vector3::from(size) },
            spin: Spin::new(slow, fast, slow),
            ..Body::point(1.0, [0.0, 0.0, 2.0], [0.0; 3])
        };
        vec![Scenario { gravity: 0.0, ..over_ground("unstable-axis", 1.7, vec![body], level(0.0, 0.0)) }]
    }
    /// From the first to the second time that the spin about the middle axis changes its sign.
    fn measure(observed: &[Observed<3>]) -> f64 {
        let motion = &observed[0];
        let spin = |k: usize| motion.spin(0, k).y;
        let turns = (1..motion.rows()).filter(|&k| (spin(k - 1) > 0.0) != (spin(k) > 0.0));
        let at = |k: usize| motion.time(k - 1) + motion.scenario.step * spin(k - 1) / (spin(k - 1) - spin(k));
        let times: Vec<f64> = turns.map(at).collect();
        if let [first, second, ..] = times[..] { second - first } else { f64::NAN }
    }
    Phenomenon {
        name: "unstable-axis",
        group: Group::Rolling,
        title: "A slab flips about its middle axis",
        happens: "A slab of 1 by 4 by 9 spins freely about its middle axis, which is unstable: it turns over again and \
                  again, at constant energy and angular momentum. How long it takes from one flip to the next depends \
                  on the logarithm of the disturbance, and on whether the step keeps both.",
        formula: "2 K(k)/p, p^2 = (I3 - I2)(L^2 - 2 E I1)/(I1 I2 I3), k^2 = (I2 - I1)(2 E I3 - L^2)/((I3 - I2)(L^2 - 2 E I1)), \
                  I1 < I2 < I3, for L^2 > 2 E I2",
        source: "Euler 1758; Landau and Lifshitz, Mechanics, section 37",
        measure: "time from flip to flip",
        unit: "s",
        truth: time_between_flips(),
        thresholds: Thresholds {
            right: 0.002,
            off: 0.05,
            why: "0.2 % and 5 % of the time: a step of 1 ms is off by 0.005 %, one of 10 ms, a fifth of a radian, by 0.5 %.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::LCP,
            step: 1e-2,
            settings: None,
            why: "no contact acts, and every model takes the same step: a fifth of a radian of rotation is too much for one",
        },
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

/// From the pin to the centre of mass in m, moments of inertia across and along the axis in kg m^2, spin about the axis in rad/s
/// and its tilt in rad.
const TOP: (f64, [f64; 2], f64, f64) = (0.1, [0.004, 0.002], 150.0, 40.0 * std::f64::consts::PI / 180.0);

/// The slow rate of steady precession in rad/s.
fn precession() -> f64 {
    let (length, [across, along], spin, tilt) = TOP;
    let (a, b, c) = ((across + length * length) * tilt.cos(), along * spin, GRAVITY * length);
    (b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a)
}

fn spinning_top() -> Phenomenon {
    /// Height of the pin in m.
    const PIN: f64 = 0.5;
    fn scenes() -> Vec<Scenario<3>> {
        let (length, [across, along], spin, tilt) = TOP;
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), tilt);
        let axis = turn * Vector3::z();
        let whole = axis * spin + (Vector3::z() - axis * tilt.cos()) * precession();
        let (place, velocity) = (axis * length + Vector3::z() * PIN, whole.cross(&(axis * length)));
        let top = Body {
            shape: Shape::Ball { radius: 0.01 },
            inertia: Some(Inertia::principal([across, across, along])),
            orientation: Orientation::Quaternion(turn),
            spin: turn.inverse() * whole,
            ..Body::point(1.0, place, velocity)
        };
        let pin = JointPlace::At(Vector::<3>::new(0.0, 0.0, PIN));
        let scenario = over_ground("spinning-top", 1.0, vec![top], level(0.0, 0.0));
        vec![Scenario { joints: vec![JointSetup::of(JointKind::Ball, [Some(0), None], pin)], ..scenario }]
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let motion = &observed[0];
        let place = motion.position(0, motion.last());
        place.y.atan2(place.x).rem_euclid(TAU)
    }
    Phenomenon {
        name: "spinning-top",
        group: Group::Rolling,
        title: "A top precesses on a pin",
        happens: "A top of 1 kg spins at 150 rad/s about an axis that is tilted by 40 degrees and held by a pin. Its weight turns \
                  the axis about the vertical, steadily and without nodding. It does in a model that carries the angular \
                  momentum through the impulses of the pin.",
        formula: "W t, (I + m l^2) cos(tilt) W^2 - I3 w W + m g l = 0",
        source: "Goldstein, Classical Mechanics, 5.7",
        measure: "angle of precession after 1 s",
        unit: "rad",
        truth: precession(),
        thresholds: Thresholds { right: 0.038, off: 0.38, why: "1 % and 10 % of the angle." },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::LCP,
            step: 1e-2,
            settings: None,
            why: "it turns by a radian and a half in a step, of which a step of first order misses too much",
        },
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

/// From zero to zero of the spin about the middle axis, by Jacobi's elliptic functions.
fn time_between_flips() -> f64 {
    let ([x, y, z], fast, slow) = SLAB;
    let moment = |a: f64, b: f64| (a * a + b * b) / 12.0;
    let (of_x, of_y, of_z) = (moment(y, z), moment(x, z), moment(x, y));
    let twice_energy = of_x * slow * slow + of_y * fast * fast + of_z * slow * slow;
    let momentum = (of_x * slow).powi(2) + (of_y * fast).powi(2) + (of_z * slow).powi(2);
    // The largest moment is that about x. The two ends change places on the other side of the separatrix.
    let (first, third) = if momentum > twice_energy * of_y { (of_z, of_x) } else { (of_x, of_z) };
    let (one, other) = (momentum - twice_energy * first, twice_energy * third - momentum);
    let rate = ((third - of_y) * one / (first * of_y * third)).sqrt();
    let modulus_squared = (of_y - first) * other / ((third - of_y) * one);
    2.0 * complete_elliptic_integral(modulus_squared) / rate
}
