//! What stands, leans and is held: thresholds of friction and force.

use nalgebra::{Rotation2, Vector2};

use super::{
    Experiment, Failing, Group, Observed, Phenomenon, Remark, Thresholds, Trial, onset,
    scenes::{GRAVITY, ROUGHNESS, SHARES, level, over_ground, push_on, rectangle, solid},
};
use crate::{
    scenario::{Body, Pair, Partner, Push, Scenario, Shape, Wall},
    stepper::StepperName,
};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![stack(), ladder(), arch(), card_house(), grasp()]
}

/// The largest distance in m of any body from where it was at the start.
fn largest_displacement(motion: &Observed<2>) -> f64 {
    let last = motion.last();
    let moved =
        (0..motion.bodies.len()).map(|body| (motion.position(body, last) - motion.position(body, 0)).norm());
    moved.fold(0.0, super::observed::larger)
}

/// The share of the critical value from which a structure stands, when it stands if nothing moves further than
/// `limit` in m.
fn stands_from(observed: &[Observed<2>], limit: f64) -> f64 {
    let stands = observed.iter().map(|motion| largest_displacement(motion) <= limit);
    onset(&SHARES, &stands.collect::<Vec<_>>())
}

const WHY_SHARES: &str = "It stands at 1.02 of the critical value and not at 0.98; 10 % off, half of the safety that \
                          builders ask for is gone.";

fn stack() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let light = solid(rectangle(0.5, 0.5), [0.0, 0.25], 0.0);
        let heavy = Body { mass: 100.0, ..solid(rectangle(0.5, 0.5), [0.0, 0.75], 0.0) };
        vec![over_ground("stack", 0.5, vec![light, heavy], level(0.5, 0.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        largest_displacement(&observed[0])
    }
    Phenomenon {
        name: "stack",
        group: Group::Standing,
        title: "A hundred kilograms on one",
        happens: "A box of 100 kg stands on one of 1 kg. Nothing moves. The ratio of the masses is what iterative \
                  solvers, and ground whose stiffness follows the lighter body, have trouble with.",
        formula: "0",
        source: "statics",
        measure: "largest displacement after 0.5 s",
        unit: "m",
        truth: 0.0,
        thresholds: ROUGHNESS,
        remarks: &[Remark {
            steppers: &[StepperName::CONVEX],
            why: "Its ground yields under a load, the less the shorter the step.",
        }],
        failing: Failing {
            stepper: StepperName::SMOOTH,
            step: 1e-3,
            settings: None,
            why: "the spring of each contact follows the mass that the contact feels, and a hundred kilograms sink into those of one",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

/// Friction of floor and wall under the ladder.
const LADDER: f64 = 0.3;

fn ladder() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let critical = (1.0 - LADDER * LADDER) / (2.0 * LADDER);
        let leaning = |share: &f64| {
            let (sin, cos) = (share * critical).atan().sin_cos();
            let rod = solid(Shape::Rod { length: 1.0 }, [0.5 * cos, 0.5 * sin], -(share * critical).atan());
            let scenario = over_ground("ladder", 0.3, vec![rod], level(LADDER, 0.0));
            Scenario { walls: vec![Wall::new([1.0, 0.0], 0.0)], ..scenario }
        };
        SHARES.iter().map(leaning).collect()
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        stands_from(observed, 5e-4) * (1.0 - LADDER * LADDER) / (2.0 * LADDER)
    }
    Phenomenon {
        name: "ladder",
        group: Group::Standing,
        title: "A ladder slides away",
        happens: "A ladder leans on a wall, floor and wall with friction 0.3, at slopes from 90 to 110 % of the \
                  critical one. Below it no forces within the friction cones hold it. Measured is the slope between \
                  the last that slides and the first that stands.",
        formula: "tan a = (1 - mu_f mu_w)/(2 mu_f)",
        source: "statics of two friction cones and a weight",
        measure: "slope from which it stands",
        unit: "1",
        truth: (1.0 - LADDER * LADDER) / (2.0 * LADDER),
        thresholds: Thresholds { right: 0.04, off: 0.155, why: WHY_SHARES },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::SMOOTH,
            step: 1e-2,
            settings: None,
            why: "its ground is so soft in such a step that every ladder moves",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

/// Stones, mean radius and thickness in m of the arch, and the friction below which it does not stand: that of
/// a linear program over the forces in its joints.
const ARCH: (usize, f64, f64, f64) = (6, 1.0, 0.15, 0.363203);

fn arch() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let (stones, radius, thickness, critical) = ARCH;
        let part = std::f64::consts::PI / stones as f64;
        let stone = |k: usize| {
            let turned = Rotation2::new(part * k as f64);
            let corner = |angle: f64, r: f64| turned * Vector2::new(r * angle.cos(), r * angle.sin());
            let (inner, outer) = (radius - 0.5 * thickness, radius + 0.5 * thickness);
            hull_at_rest(vec![
                corner(0.0, inner),
                corner(0.0, outer),
                corner(part, outer),
                corner(part, inner),
            ])
        };
        let with = |share: &f64| {
            over_ground("arch", 0.12, (0..stones).map(stone).collect(), level(share * critical, 0.0))
        };
        SHARES.iter().map(with).collect()
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        stands_from(observed, 1e-4) * ARCH.3
    }
    Phenomenon {
        name: "arch",
        group: Group::Standing,
        title: "An arch of stones",
        happens: "A half circle of 6 loose stones, 0.15 of its radius thick, stands by friction in its joints, if there \
                  is enough of it. Measured is the friction between the last arch that comes down and the first \
                  that stands.",
        formula: "the least mu with |T| <= mu N, |M| <= N t/2 in all joints: a linear program",
        source: "Heyman, The Masonry Arch, Chichester 1982",
        measure: "friction from which it stands",
        unit: "1",
        truth: ARCH.3,
        thresholds: Thresholds { right: 0.011, off: 0.037, why: WHY_SHARES },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::SMOOTH,
            step: 1e-3,
            settings: None,
            why: "its joints are springs, and the stones settle",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

/// A convex polygon of 1 kg whose corners, counter-clockwise, are where they are given.
fn hull_at_rest(corners: Vec<Vector2<f64>>) -> Body<2> {
    let centre = centroid(&corners);
    let vertices = corners.iter().map(|corner| corner - centre).collect();
    solid(Shape::Hull { vertices }, centre.into(), 0.0)
}

/// Centre of area of a polygon.
fn centroid(corners: &[Vector2<f64>]) -> Vector2<f64> {
    let (mut area, mut moment) = (0.0, Vector2::zeros());
    for (index, corner) in corners.iter().enumerate() {
        let next = corners[(index + 1) % corners.len()];
        let cross = corner.perp(&next);
        area += cross;
        moment += (corner + next) * cross;
    }
    moment / (3.0 * area)
}

/// Corners of the left card of the house in m: its foot on the ground, its upper end against the other card.
const CARD: [[f64; 2]; 4] = [[-0.52, 0.0], [-0.46, 0.0], [0.0, 0.84], [0.0, 0.94]];

/// Friction below which the foot of a card slides: thrust at its uppermost, foot at its innermost.
fn critical_friction_of_cards() -> f64 {
    let [_, [foot, _], _, [_, top]] = CARD;
    (centroid(&CARD.map(Vector2::from)).x - foot) / top
}

fn card_house() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let left = hull_at_rest(CARD.map(Vector2::from).to_vec());
        let mirrored = CARD.iter().rev().map(|&[x, z]| Vector2::new(-x, z)).collect();
        let right = hull_at_rest(mirrored);
        let with = |share: &f64| {
            let ground = level(share * critical_friction_of_cards(), 0.0);
            over_ground("card-house", 0.2, vec![left.clone(), right.clone()], ground)
        };
        SHARES.iter().map(with).collect()
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        stands_from(observed, 2e-4) * critical_friction_of_cards()
    }
    Phenomenon {
        name: "card-house",
        group: Group::Standing,
        title: "A house of two cards",
        happens: "Two cards lean on each other; friction on the ground takes their thrust. Measured is the friction \
                  between the last house that falls and the first that stands.",
        formula: "mu = (x_c - x_f)/h: moments about the inner edge of the foot, thrust at the top",
        source: "statics of a three-hinged arch",
        measure: "friction from which it stands",
        unit: "1",
        truth: critical_friction_of_cards(),
        thresholds: Thresholds {
            right: 0.03 * critical_friction_of_cards(),
            off: 0.1 * critical_friction_of_cards(),
            why: WHY_SHARES,
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::SMOOTH,
            step: 1e-2,
            settings: None,
            why: "its joints are springs, and the cards settle",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn grasp() -> Phenomenon {
    const FRICTION: f64 = 0.4;
    const CRITICAL: f64 = GRAVITY / (2.0 * FRICTION);
    fn scenes() -> Vec<Scenario<2>> {
        let finger = |x: f64| Body { mass: 5.0, ..solid(rectangle(0.2, 1.0), [x, 0.5], 0.0) };
        let bodies = vec![solid(rectangle(0.2, 0.2), [0.0, 0.6], 0.0), finger(-0.2), finger(0.2)];
        let smooth = |first| Pair { friction: Some(0.0), ..Pair::between(first, Partner::Ground) };
        let held_by = |share: &f64| {
            let at_its_height = |push: Push<2>| Push { point: Some(Vector2::new(0.0, 0.1)), ..push };
            let force = share * CRITICAL;
            Scenario {
                pairs: vec![smooth(1), smooth(2)],
                pushes: [push_on(1, [force, 0.0]), push_on(2, [-force, 0.0])].map(at_its_height).to_vec(),
                ..over_ground("grasp", 0.2, bodies.clone(), level(FRICTION, 0.0))
            }
        };
        SHARES.iter().map(held_by).collect()
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        stands_from(observed, 5e-4) * CRITICAL
    }
    Phenomenon {
        name: "grasp",
        group: Group::Standing,
        title: "Two fingers hold a box",
        happens: "Two fingers on smooth ground press on a box of 1 kg from both sides with 90 to 110 % of the force \
                  that holds it, friction 0.4. Measured is the force between the last that lets it fall and the first \
                  that holds it.",
        formula: "F = m g/(2 mu)",
        source: "statics of two friction cones",
        measure: "force that holds it",
        unit: "N",
        truth: CRITICAL,
        thresholds: Thresholds { right: 0.03 * CRITICAL, off: 0.1 * CRITICAL, why: WHY_SHARES },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::SMOOTH,
            step: 1e-3,
            settings: None,
            why: "its contacts are springs, and the box settles between the fingers",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}
