//! What moving surfaces carry along: a turntable, two conveyors. They are heavy bodies that move freely without
//! gravity; what lies on them is pressed on by a force instead.

use nalgebra::Vector3;

use super::{
    Experiment, Group, Observed, Phenomenon, Thresholds, Trial, onset,
    scenes::{FIXED_PYRAMID, GRAVITY, SHARES, WITHOUT_FRICTION, level, over_ground},
};
use crate::{
    model::Spin,
    scenario::{Body, Push, Scenario, Shape},
};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![turntable(), two_conveyors()]
}

/// Mass in kg of what carries: a thousandth of a millimetre in a second is all that the weight of 1 kg moves it.
const HEAVY: f64 = 1e6;
/// Height of its surface over the ground in m.
const SURFACE: f64 = 1.0;
const FRICTION: f64 = 0.3;

/// A box of these widths with its middle at `(x, y)`, on the surface or under it.
fn cuboid(name: &str, mass: f64, size: [f64; 3], at: [f64; 2], velocity: [f64; 3]) -> Body<3> {
    let side = if mass == HEAVY { -0.5 } else { 0.5 };
    Body {
        name: Some(name.to_owned()),
        shape: Shape::Box { size: Vector3::from(size) },
        ..Body::point(mass, [at[0], at[1], SURFACE + side * size[2]], velocity)
    }
}

/// The first body, of 1 kg, pressed on the others with its weight.
fn carried(name: &str, duration: f64, bodies: Vec<Body<3>>) -> Scenario<3> {
    let weight = Push { body: Some(0), ..Push::constant([0.0, 0.0, -GRAVITY]) };
    Scenario {
        gravity: 0.0,
        pushes: vec![weight],
        ..over_ground(name, duration, bodies, level(FRICTION, 0.0))
    }
}

fn turntable() -> Phenomenon {
    const RADIUS: f64 = 0.5;
    fn scenes() -> Vec<Scenario<3>> {
        let turning = |share: &f64| {
            let spin = (share * FRICTION * GRAVITY / RADIUS).sqrt();
            let turned = |body: Body<3>| Body { spin: Spin::new(0.0, 0.0, spin), ..body };
            let block = cuboid("block", 1.0, [0.1, 0.1, 0.04], [RADIUS, 0.0], [0.0, spin * RADIUS, 0.0]);
            let table = cuboid("turntable", HEAVY, [2.0, 2.0, 0.2], [0.0, 0.0], [0.0; 3]);
            carried("turntable", 0.8, vec![turned(block), turned(table)])
        };
        SHARES.iter().map(turning).collect()
    }
    /// Thrown off is what has moved outwards by 3 % of the radius.
    fn measure(observed: &[Observed<3>]) -> f64 {
        let leaves = observed.iter().map(|motion| {
            let position = motion.position(0, motion.last());
            position.x.hypot(position.y) > 1.03 * RADIUS
        });
        onset(&SHARES, &leaves.collect::<Vec<_>>())
    }
    Phenomenon {
        name: "turntable",
        group: Group::Sliding,
        title: "A turntable throws a block off",
        happens: "A small block lies half a metre from the axis of a turntable and turns with it. Friction of 0.3 bends \
                  its path up to a certain speed; above it the block slides outwards. Measured is the acceleration \
                  at the rim, as a share of mu g, between the last block that stays and the first that leaves.",
        formula: "w^2 r = mu g",
        source: "Huygens, De vi centrifuga, 1659, with Coulomb's law",
        measure: "w^2 r/(mu g) at which it is thrown off",
        unit: "1",
        truth: 1.0,
        thresholds: Thresholds {
            right: 0.03,
            off: 0.1,
            why: "The block stays at 0.98 of the critical value and leaves at 1.02; 0.1 is 5 % of the speed.",
        },
        remarks: &[],
        failing: WITHOUT_FRICTION,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}

/// Half length along the belts and half width across them of the crate in m, speed of the belts in m/s, and how
/// far they reach under the crate in m.
const CRATE: (f64, f64) = (0.1, 0.2);
const BELT: (f64, f64) = (0.02, 1e-3);

fn two_conveyors() -> Phenomenon {
    fn scenes() -> Vec<Scenario<3>> {
        let ((length, width), (speed, reach)) = (CRATE, BELT);
        let belt = |name: &str, side: f64| {
            let middle = width - reach + 0.15;
            cuboid(name, HEAVY, [1.0, 0.3, 0.2], [0.0, side * middle], [-side * speed, 0.0, 0.0])
        };
        let load = cuboid("crate", 1.0, [2.0 * length, 2.0 * width, 0.1], [0.0; 2], [0.0; 3]);
        vec![carried("two-conveyors", 0.1, vec![load, belt("left", 1.0), belt("right", -1.0)])]
    }
    fn measure(observed: &[Observed<3>]) -> f64 {
        let motion = &observed[0];
        motion.spin(0, motion.last()).z
    }
    Phenomenon {
        name: "two-conveyors",
        group: Group::Sliding,
        title: "A crate across two conveyors turns",
        happens: "A crate lies with its edges on two belts that run at 2 cm/s in opposite directions. It turns at the \
                  speed at which the slip of every corner points at the axis, so that friction there has no torque: \
                  no corner moves with its belt.",
        formula: "w = v y/(x^2 + y^2), with (x, y) the corner, y in the middle of what lies on the belt",
        source: "Coulomb's law: friction along the slip, whatever the load of the corner",
        measure: "speed of turning",
        unit: "rad/s",
        truth: {
            let ((x, width), (speed, reach)) = (CRATE, BELT);
            let y = width - 0.5 * reach;
            speed * y / (x * x + y * y)
        },
        thresholds: Thresholds {
            right: 8e-4,
            off: 8e-3,
            why: "1 % and 10 % of the speed: the crate has turned by half a degree, which changes it by 0.5 %.",
        },
        remarks: &[],
        failing: FIXED_PYRAMID,
        trial: Trial::Space(Experiment { scenes, measure }),
    }
}
