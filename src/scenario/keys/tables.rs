//! The rows: every table of a scenario file with its keys.

use super::{
    Key, Lens, Section, Table,
    lens::{Field, field, word},
};
use crate::{
    contact::FrictionPolygon,
    model::Orientation,
    scenario::{
        Body, Choice, ConvexSettings, ConvexSolver, DelassusNorm, DriveSetup, FixedPointStart, Ground,
        Inertia, JointKind, JointPlace, JointSetup, LcpSettings, LcpSolverChoice, NlpSettings,
        NlpSolverChoice, Pair, PairContact, Part, Preset, Push, RestitutionLaw, Rod, Scenario, Shape,
        SmoothLaw, SmoothLawName, SmoothSettings, Spring, StepperSettings, Wall,
    },
    world::{Impacts, JointClosing},
};

/// The lengths in s that a step may have.
pub(crate) const STEP: [f64; 2] = [1e-9, 1e3];
/// What to do about a friction coefficient out of its range.
const FRICTION: &str =
    "it is the ratio of friction to normal force: 0 for ice, 0.1 to 1 for most pairs of materials";
/// What to do about a coefficient of restitution out of its range.
const RESTITUTION: &str = "0 does not bounce at all, 1 bounces for ever";
/// What to do about an end of the window of a push.
const WINDOW: &str = "leave the key out for a push without this end";

/// Every table, in the order of a scenario file.
pub(in crate::scenario) fn sections() -> [&'static dyn Section; 19] {
    [
        top::<2>(),
        particle::<2>(),
        body::<2>(),
        part::<2>(),
        &GROUND,
        wall::<2>(),
        &PAIR,
        push::<2>(),
        rod::<2>(),
        spring::<2>(),
        &CONTACT,
        joint::<2>(),
        &DRIVE,
        &DRIVE2,
        &STEPPER,
        &NLP,
        &LCP,
        &CONVEX,
        &SMOOTH,
    ]
}

const fn key<T>(name: &'static str, example: &'static str, meaning: &'static str) -> Key<T> {
    Key::new(name, example, meaning)
}

/// The top of a file.
pub(in crate::scenario) fn top<const D: usize>() -> &'static Table<Scenario<D>> {
    const {
        &Table {
            path: "",
            header: "",
            keys: &[
                key("name", "\"slide\"", "names the output folder; a-z, 0-9 and -"),
                key("duration", "1.2", "simulated time in s")
                    .unit("s")
                    .above(0.0, 1e11)
                    .remedy("give the simulated time in seconds")
                    .required()
                    .at(Lens::Number(field!(duration))),
                key("step", "1e-3", "length of a step in s")
                    .unit("s")
                    .within(STEP[0], STEP[1])
                    .remedy("1e-3 is a good value; the error of a run is proportional to it")
                    .required()
                    .at(Lens::Number(field!(step))),
                key("gravity", "9.81", "m/s^2")
                    .unit("m/s^2")
                    .within(0.0, 1e6)
                    .remedy("it pulls downwards when positive: 9.81 on Earth, 0 for none")
                    .at(Lens::Number(field!(gravity))),
                key(
                    "particle",
                    "{ mass = 10.0, position = [0.0, 1.0], velocity = [1.0, 0.0] }",
                    "the moving point",
                ),
                key(
                    "body",
                    "[{ shape = \"disc\", size = 0.1, mass = 1.0, position = [0.0, 0.1] }]",
                    "bodies that turn",
                ),
                key("ground", "{ friction = 0.1 }", "the ground under it"),
                key("wall", "[{ normal = [1.0, 0.0], offset = -2.0 }]", "half-spaces that bodies stay in"),
                key(
                    "pair",
                    "[{ bodies = [\"a\", \"ground\"], friction = 0.3 }]",
                    "what holds between two bodies",
                ),
                key("push", "[{ force = [4.0, 0.0] }]", "external forces"),
                key("rod", "[{ particles = [0, 1] }]", "pairs of points kept at a distance"),
                key("spring", "[{ particles = [0, 1], stiffness = 1e3 }]", "springs between points"),
                key("contact", "[{ particles = [0, 1], distance = 0.1 }]", "pairs of points that touch"),
                key(
                    "joint",
                    "[{ kind = \"hinge\", bodies = [\"body-0\", \"world\"], point = [0.0, 1.0] }]",
                    "hinges, sliders and what else joins bodies",
                ),
                key("stepper", "{ nlp = { tolerance = 1e-8 } }", "settings of the steppers"),
            ],
        }
    }
}

/// A single particle.
pub(in crate::scenario) fn particle<const D: usize>() -> &'static Table<Body<D>> {
    const { &Table { path: "particle", header: "[particle]", keys: const { &particle_keys() } } }
}

/// One particle among several.
pub(in crate::scenario) fn particles<const D: usize>() -> &'static Table<Body<D>> {
    const { &Table { path: "particle", header: "[[particle]]", keys: const { &particle_keys() } } }
}

const fn particle_keys<const D: usize>() -> [Key<Body<D>>; 3] {
    [
        mass("10.0", "in kg").required(),
        key("position", "[0.0, 1.0]", "(x, z) or (x, y, z) in m, the height last")
            .unit("m")
            .within(-1e6, 1e6)
            .at(Lens::Numbers(|body, places| body.position.get_mut(only(places)?))),
        key("velocity", "[1.0, 0.0]", "in m/s, as many components as the position")
            .unit("m/s")
            .within(-1e6, 1e6)
            .in_space("[1.0, 0.0, 0.0]")
            .at(Lens::Numbers(|body, places| body.velocity.get_mut(only(places)?))),
    ]
}

const fn mass<const D: usize>(example: &'static str, meaning: &'static str) -> Key<Body<D>> {
    key("mass", example, meaning)
        .unit("kg")
        .within(1e-12, 1e12)
        .remedy("give the mass in kilograms")
        .at(Lens::Number(field!(mass)))
}

/// A body.
pub(in crate::scenario) fn body<const D: usize>() -> &'static Table<Body<D>> {
    const {
        &Table {
            path: "body",
            header: "[[body]]",
            keys: &[
        key("name", "\"box\"", "what files and pictures call it; a-z, 0-9 and -"),
        key(
            "shape",
            "\"box\"",
            "in the plane box, rod, disc, polygon; in space box, sphere, capsule, cylinder, polyhedron; or point",
        ),
        key(
            "size",
            "[0.4, 1.0]",
            "in m: the widths of a box; a number, the length of a rod or the radius of a disc or sphere; [radius, length] of a capsule (the length is that of its axis between the two balls) or cylinder, along z of the body; corners (about its centre of mass where a polyhedron has an inertia)",
        )
        .unit("m")
        .within(-1e6, 1e6)
        .or(&["0.5", "[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]"])
        .at(Lens::Numbers(size)),
        key(
            "part",
            "[{ shape = \"box\", size = [0.4, 0.1] }]",
            "convex parts in the place of shape and size, each as [[body.part]], in axes of their own: they are shifted to have their centre of mass at the position, or, where an inertia is given, their origin",
        ),
        mass("3.0", "in kg; of parts that have masses or densities their sum if absent, and else what they share as these say; of what is fixed as you like"),
        key("inertia", "0.29", "in kg m^2; in space 3 numbers or 3 rows of 3; that of the uniform body or of the parts if absent")
            .unit("kg m^2")
            .or(&["[0.1, 0.1, 0.2]", "[[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.2]]"])
            .in_space("[0.1, 0.1, 0.2]")
            .at(Lens::Numbers(inertia)),
        key("position", "[0.0, 0.5]", "centre of mass, (x, z) or (x, y, z) in m, the height last")
            .unit("m")
            .within(-1e6, 1e6)
            .in_space("[0.0, 0.0, 0.5]")
            .at(Lens::Numbers(|body, places| body.position.get_mut(only(places)?))),
        key("angle", "0.1", "in rad, from x towards z; in the plane")
            .unit("rad")
            .within(-1e6, 1e6)
            .remedy("2 pi is a full turn")
            .at(Lens::Numbers(angle)),
        key(
            "orientation",
            "[1.0, 0.0, 0.0, 0.0]",
            "quaternion [w, x, y, z] from body to world, of any length but zero: it is normalised; in space",
        ),
        key("velocity", "[1.0, 0.0]", "in m/s, as many components as the position; at rest if absent")
            .unit("m/s")
            .within(-1e6, 1e6)
            .in_space("[1.0, 0.0, 0.0]")
            .at(Lens::Numbers(|body, places| body.velocity.get_mut(only(places)?))),
        key("spin", "0.0", "in rad/s; in space [wx, wy, wz] in the axes of the body")
            .unit("rad/s")
            .within(-1e6, 1e6)
            .or(&["[0.0, 0.0, 1.0]"])
            .in_space("[0.0, 0.0, 1.0]")
            .at(Lens::Numbers(spin)),
        key("fixed", "false", "whether it stays where it is"),
        key(
            "motion",
            "[[0.0, 0.0, 0.5, 0.0], [1.0, 0.0, 0.7, 0.0]]",
            "where it is, whatever acts on it: rows [t, x, z, angle], in space [t, x, y, z, qw, qx, qy, qz], smooth between, at rest before and behind; \"steady\": its velocity and spin stay; without mass",
        )
        .or(&["\"steady\""])
        .in_space("[[0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.7, 1.0, 0.0, 0.0, 0.0]]"),
            ],
        }
    }
}

/// A part of a body. Its numbers are not set one by one without reading the file again.
pub(in crate::scenario) fn part<const D: usize>() -> &'static Table<Part<D>> {
    const {
        &Table {
            path: "body.part",
            header: "[[body.part]]",
            keys: &[
                key(
                    "shape",
                    "\"box\"",
                    "in the plane box, rod, disc, polygon; in space box, sphere, capsule, cylinder, polyhedron",
                ),
                key(
                    "size",
                    "[0.4, 0.1]",
                    "in m, as that of a body; corners count from the position of the part",
                )
                .unit("m")
                .within(-1e6, 1e6)
                .or(&["0.1", "[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]"]),
                key(
                    "position",
                    "[0.0, 0.2]",
                    "in m, in the axes that all parts of the body share; their origin if absent",
                )
                .unit("m")
                .within(-1e6, 1e6)
                .in_space("[0.0, 0.0, 0.2]"),
                key("angle", "0.1", "in rad, from x towards z; in the plane")
                    .unit("rad")
                    .within(-1e6, 1e6)
                    .remedy("2 pi is a full turn"),
                key(
                    "orientation",
                    "[1.0, 0.0, 0.0, 0.0]",
                    "quaternion [w, x, y, z] from the part to the body, of any length but zero: it is normalised; in space",
                ),
                key("mass", "1.0", "in kg; by area or volume where no part has one or a density")
                    .unit("kg")
                    .within(1e-12, 1e12)
                    .remedy("give the mass in kilograms")
                    .at(Lens::Optional(field!(mass))),
                key("density", "1000.0", "in kg/m^3, in the plane kg/m^2; in the place of the mass")
                    .above(0.0, 1e15)
                    .remedy("give mass over volume, in the plane over area")
                    .at(Lens::Optional(field!(density))),
            ],
        }
    }
}

/// The key of the friction in motion, beside `friction`, that at rest.
const fn kinetic_friction<T>(lens: Field<T, Option<f64>>) -> Key<T> {
    key(
        "kinetic_friction",
        "0.07",
        "friction coefficient in motion, at most `friction`, that at rest; the same if absent",
    )
    .within(0.0, 1e6)
    .remedy("friction in motion is a pure number, at most that at rest")
    .at(Lens::Optional(lens))
}

/// The key of the slip about which friction falls.
const fn stribeck_velocity<T>(lens: Field<T, Option<f64>>) -> Key<T> {
    key(
        "stribeck_velocity",
        "0.01",
        "slip in m/s about which friction falls to kinetic_friction; it jumps if absent",
    )
    .unit("m/s")
    .within(0.0, 1e3)
    .remedy("give the speed in m/s, or leave the key out for friction that jumps")
    .at(Lens::Optional(lens))
}

/// The key of the exponent of Stribeck's curve.
const fn stribeck_exponent<T>(lens: Field<T, Option<f64>>) -> Key<T> {
    key(
        "stribeck_exponent",
        "2.0",
        "exponent of the slip over stribeck_velocity in the law by which friction falls; 2 if absent, 1 in Tustin's law",
    )
    .within(1.0, 10.0)
    .remedy("2 for the usual curve, 1 for Tustin's")
    .at(Lens::Optional(lens))
}

/// The key of the growth of friction with the slip.
const fn viscous_friction<T>(lens: Field<T, Option<f64>>) -> Key<T> {
    key("viscous_friction", "0.0", "growth of the friction coefficient with the slip, in s/m")
        .unit("s/m")
        .within(0.0, 1e3)
        .remedy("it is per normal force: c N for a damper of c N in N s/m")
        .at(Lens::Optional(lens))
}

/// The key of the friction across an axis, beside `friction`, that along it.
const fn friction_across<T>(lens: Field<T, Option<f64>>) -> Key<T> {
    key(
        "friction_across",
        "0.4",
        "friction coefficient across friction_axis, in space: friction is an ellipse (skates, wheels, grooves)",
    )
    .within(0.0, 1e6)
    .remedy("`friction` is the coefficient along friction_axis, this the one across it")
    .at(Lens::Optional(lens))
}

/// The key of the axis along which friction has the coefficient `friction`.
const fn friction_axis<T>(at: for<'r> fn(&'r mut T, &[usize]) -> Option<&'r mut f64>) -> Key<T> {
    key(
        "friction_axis",
        "[1.0, 0.0, 0.0]",
        "along which friction is `friction` rather than friction_across: in the axes of the first body of a pair, which it \
         turns with, else of the world; x if absent",
    )
    .at(Lens::Numbers(at))
}

/// The key of the length by which drilling is resisted.
const fn torsional_friction<T>(lens: Field<T, Option<f64>>) -> Key<T> {
    key(
        "torsional_friction",
        "0.005",
        "length in m: drilling about the normal takes at most this times the normal force, shared with sliding",
    )
    .unit("m")
    .within(0.0, 1e3)
    .remedy("2/3 mu times the radius of the patch of the contact; 0 for none")
    .at(Lens::Optional(lens))
}

/// The key of the length by which rolling is resisted.
const fn rolling_friction<T>(lens: Field<T, Option<f64>>) -> Key<T> {
    key("rolling_friction", "0.002", "length in m: rolling takes at most this times the normal force")
        .unit("m")
        .within(0.0, 1e3)
        .remedy("a ball of radius R rests on slopes up to atan(rolling_friction/R); 0 for none")
        .at(Lens::Optional(lens))
}

/// A wall.
pub(in crate::scenario) fn wall<const D: usize>() -> &'static Table<Wall<D>> {
    const {
        &Table {
            path: "wall",
            header: "[[wall]]",
            keys: &[
        key("normal", "[1.0, 0.0]", "unit vector into the room")
            .within(-1.0, 1.0)
            .in_space("[1.0, 0.0, 0.0]")
            .at(Lens::Numbers(|wall, places| wall.normal.get_mut(only(places)?))),
        key("offset", "-2.0", "bodies stay in n.x >= offset, in m")
            .unit("m")
            .within(-1e6, 1e6)
            .remedy("bodies stay where n.x >= offset")
            .required()
            .at(Lens::Number(field!(offset))),
        key("friction", "0.2", "friction coefficient; that of the ground if absent")
            .within(0.0, 1e6)
            .remedy(FRICTION)
            .at(Lens::Optional(field!(friction))),
        kinetic_friction(field!(sliding.kinetic_friction)),
        stribeck_velocity(field!(sliding.stribeck_velocity)),
        stribeck_exponent(field!(sliding.stribeck_exponent)),
        viscous_friction(field!(sliding.viscous_friction)),
        friction_across(field!(sliding.friction_across)),
        friction_axis(|table, places| table.sliding.friction_axis.as_mut()?.get_mut(only(places)?)),
        torsional_friction(field!(turning.torsional_friction)),
        rolling_friction(field!(turning.rolling_friction)),
        key("restitution", "0.0", "coefficient of restitution; that of the ground if absent")
            .within(0.0, 1.0)
            .remedy(RESTITUTION)
            .at(Lens::Optional(field!(restitution))),
        key(
            "velocity",
            "0.0",
            "of its surface along itself in m/s (a conveyor): along (n_z, -n_x); in space two components, along what x \
             and y become when level ground is tilted into the wall",
        )
        .unit("m/s")
        .within(-1e6, 1e6)
        .or(&["[0.5, 0.0]"])
        .in_space("[0.5, 0.0]")
        .at(Lens::Numbers(|wall, places| alone_in_plane::<D>(&mut wall.velocity, places))),
            ],
        }
    }
}

pub(in crate::scenario) static PAIR: Table<Pair> = Table {
    path: "pair",
    header: "[[pair]]",
    keys: &[
        key("bodies", "[\"body-0\", \"ground\"]", "names of two bodies, or of a body and ground or wall-0"),
        key("friction", "0.3", "friction coefficient between them")
            .within(0.0, 1e6)
            .remedy(FRICTION)
            .at(Lens::Optional(field!(friction))),
        kinetic_friction(field!(sliding.kinetic_friction)),
        stribeck_velocity(field!(sliding.stribeck_velocity)),
        stribeck_exponent(field!(sliding.stribeck_exponent)),
        viscous_friction(field!(sliding.viscous_friction)),
        friction_across(field!(sliding.friction_across)),
        friction_axis(|table, places| table.sliding.friction_axis.as_mut()?.get_mut(only(places)?)),
        torsional_friction(field!(turning.torsional_friction)),
        rolling_friction(field!(turning.rolling_friction)),
        key("restitution", "0.1", "coefficient of restitution between them")
            .within(0.0, 1.0)
            .remedy(RESTITUTION)
            .at(Lens::Optional(field!(restitution))),
        key("touch", "true", "whether they touch; two bodies that do not pass through each other")
            .at(Lens::Truth(field!(touch))),
    ],
};

pub(in crate::scenario) static GROUND: Table<Ground> = Table {
    path: "ground",
    header: "[ground]",
    keys: &[
        key("friction", "0.1", "friction coefficient mu, at least 0")
            .within(0.0, 1e6)
            .remedy(FRICTION)
            .required()
            .at(Lens::Number(field!(friction))),
        kinetic_friction(field!(sliding.kinetic_friction)),
        stribeck_velocity(field!(sliding.stribeck_velocity)),
        stribeck_exponent(field!(sliding.stribeck_exponent)),
        viscous_friction(field!(sliding.viscous_friction)),
        friction_across(field!(sliding.friction_across)),
        friction_axis(|table, places| table.sliding.friction_axis.as_mut()?.get_mut(only(places)?)),
        torsional_friction(field!(turning.torsional_friction)),
        rolling_friction(field!(turning.rolling_friction)),
        key("restitution", "0.0", "coefficient of restitution e, 0 to 1")
            .within(0.0, 1.0)
            .remedy(RESTITUTION)
            .at(Lens::Number(field!(restitution))),
        key("slope", "0.0", "inclination of level ground in degrees: gravity is turned instead, and the ground stays z = 0; what is positive goes down towards +x")
            .unit("degrees")
            .between(-90.0, 90.0)
            .remedy("0 is flat ground, a positive slope goes down towards +x")
            .at(Lens::Number(field!(slope))),
    ],
};

/// A push.
pub(in crate::scenario) fn push<const D: usize>() -> &'static Table<Push<D>> {
    const {
        &Table {
            path: "push",
            header: "[[push]]",
            keys: &[
        key("force", "[4.0, 0.0]", "in N, as many components as the position")
            .unit("N")
            .in_space("[4.0, 0.0, 0.0]")
            .at(Lens::Numbers(|push, places| push.force.get_mut(only(places)?))),
        key("from", "0.0", "start in s")
            .unit("s")
            .within(-1e12, 1e12)
            .remedy(WINDOW)
            .at(Lens::Optional(field!(from))),
        key("to", "0.5", "end in s")
            .unit("s")
            .within(-1e12, 1e12)
            .remedy(WINDOW)
            .at(Lens::Optional(field!(to))),
        key("frequency", "2.0", "in Hz; the force is multiplied by sin(2 pi frequency t + phase)")
            .unit("Hz")
            .within(0.0, 1e9)
            .remedy("leave the key out for a constant push")
            .at(Lens::Optional(field!(frequency))),
        key("phase", "0.0", "in rad")
            .unit("rad")
            .within(-1e6, 1e6)
            .remedy("2 pi is a full turn")
            .at(Lens::Numbers(|push, places| places.is_empty().then_some(&mut push.phase))),
        key("particle", "0", "which of several particles, counted from 0; every one if absent"),
        key("body", "\"box\"", "the name of the body that is pushed; every one if absent"),
        key("torque", "1.0", "in N m, from x towards z; in space [tx, ty, tz] in the axes of the world")
            .unit("N m")
            .within(-1e18, 1e18)
            .or(&["[0.0, 0.0, 1.0]"])
            .in_space("[0.0, 0.0, 1.0]")
            .at(Lens::Numbers(|push, places| alone_in_plane::<D>(push.torque.as_mut_slice(), places))),
        key(
            "point",
            "[0.2, 0.5]",
            "where the force acts, in m in the axes of the body; its centre if absent",
        )
        .unit("m")
        .in_space("[0.2, 0.0, 0.5]")
        .at(Lens::Numbers(|push, places| push.point.as_mut()?.get_mut(only(places)?))),
        key(
            "table",
            "[[0.0, 0.0, 0.0], [1.0, 4.0, 0.0]]",
            "rows [t, fx, fz] of a force, or [t, fx, fz, torque], linear in between; nothing before the first and after the last",
        )
        .in_space("[[0.0, 0.0, 0.0, 0.0], [1.0, 4.0, 0.0, 0.0]]")
        .at(Lens::Numbers(cell)),
        key(
            "file",
            "\"push.csv\"",
            "CSV file with the columns of table, beside the scenario file; a header t, fx, fz, torque names them in any order",
        ),
            ],
        }
    }
}

/// The key that names the ends of a rod, a spring or a contact.
const fn ends<T>() -> Key<T> {
    key("particles", "[0, 1]", "the numbers of two particles, counted from 0")
}

/// The key that names the ends of a rod or a spring between bodies.
const fn named_ends<T>() -> Key<T> {
    key("bodies", "[\"a\", \"b\"]", "the names of two bodies")
}

/// The key that places the ends of a rod or a spring on bodies.
const fn points<T>(lens: Lens<T>) -> Key<T> {
    key(
        "points",
        "[[0.2, 0.5], [0.0, 0.0]]",
        "where on each of the two bodies, in m in its axes; their centres of mass if absent",
    )
    .unit("m")
    .in_space("[[0.2, 0.0, 0.5], [0.0, 0.0, 0.0]]")
    .at(lens)
}

/// A rod.
pub(in crate::scenario) fn rod<const D: usize>() -> &'static Table<Rod<D>> {
    const {
        &Table {
            path: "rod",
            header: "[[rod]]",
            keys: &[
                ends(),
                named_ends(),
                points(Lens::Numbers(|rod, places| {
                    let [end, axis] = two(places)?;
                    rod.ends.points.get_mut(end)?.get_mut(axis)
                })),
                key("length", "0.5", "in m; the distance at the start if absent")
                    .unit("m")
                    .above(0.0, 1e6)
                    .remedy("give the length in metres")
                    .at(Lens::Optional(field!(length))),
            ],
        }
    }
}

/// A spring.
pub(in crate::scenario) fn spring<const D: usize>() -> &'static Table<Spring<D>> {
    const {
        &Table {
            path: "spring",
            header: "[[spring]]",
            keys: &[
                ends(),
                named_ends(),
                points(Lens::Numbers(|spring, places| {
                    let [end, axis] = two(places)?;
                    spring.ends.points.get_mut(end)?.get_mut(axis)
                })),
                key("stiffness", "1e3", "in N/m")
                    .unit("N/m")
                    .within(0.0, 1e18)
                    .remedy("for a rigid connection use [[rod]]")
                    .required()
                    .at(Lens::Number(field!(stiffness))),
                key("damping", "0.0", "in N s/m")
                    .unit("N s/m")
                    .within(0.0, 1e18)
                    .remedy("leave the key out for a spring without a damper")
                    .at(Lens::Number(field!(damping))),
                key("length", "0.5", "at rest in m; the distance at the start if absent")
                    .unit("m")
                    .within(0.0, 1e6)
                    .remedy("leave the key out for the distance at the start")
                    .at(Lens::Optional(field!(length))),
            ],
        }
    }
}

/// A joint.
pub(in crate::scenario) fn joint<const D: usize>() -> &'static Table<JointSetup<D>> {
    const {
        &Table {
            path: "joint",
            header: "[[joint]]",
            keys: &[
                key(
                    "kind",
                    "\"hinge\"",
                    "what the two can do: a \"hinge\" turns, a \"slider\" slides, a \"weld\" is one piece; in space a \"ball\" \
                     joint turns about a point, a \"universal\" joint about two axes, a \"cylindrical\" one slides along an axis \
                     and turns about it",
                )
                .words(JointKind::words)
                .required()
                .at(word!(kind)),
                key("bodies", "[\"arm\", \"world\"]", "the names of two bodies, or of a body and world"),
                key("point", "[0.0, 1.0]", "where it is in the world at the start, in m")
                    .unit("m")
                    .in_space("[0.0, 0.0, 1.0]")
                    .at(Lens::Numbers(|joint, places| match &mut joint.place {
                        JointPlace::At(point) => point.get_mut(only(places)?),
                        JointPlace::Points(_) => None,
                    })),
                key(
                    "points",
                    "[[0.2, 0.5], [0.0, 0.0]]",
                    "instead of point: where on each of the two, in m in its axes about its centre of mass; they have to meet \
                     at the start",
                )
                .unit("m")
                .in_space("[[0.2, 0.0, 0.5], [0.0, 0.0, 0.0]]")
                .at(Lens::Numbers(|joint, places| {
                    let [end, axis] = two(places)?;
                    match &mut joint.place {
                        JointPlace::Points(points) => points.get_mut(end)?.get_mut(axis),
                        JointPlace::At(_) => None,
                    }
                })),
                key(
                    "axis",
                    "[1.0, 0.0]",
                    "direction in the world at the start: that of a slider, in space of a hinge and a cylindrical joint, and \
                     the one of a universal joint that the first body carries",
                )
                .in_space("[0.0, 1.0, 0.0]")
                .at(Lens::Numbers(|joint, places| joint.axis.as_mut()?.get_mut(only(places)?))),
                key("axis2", "[0.0, 0.0, 1.0]", "the axis of a universal joint that the second body carries, across the first")
                    .at(Lens::Numbers(|joint, places| joint.axis2.as_mut()?.get_mut(only(places)?))),
                key(
                    "start",
                    "0.0",
                    "what the coordinate counts at the start, in rad, of what slides in m: limits, rest and targets have the \
                     same zero",
                )
                .within(-1e6, 1e6)
                .remedy("it is the angle, or of what slides the way, at the start")
                .at(Lens::Number(field!(start))),
                key("limits", "[-0.3, 1.0]", "the least and the largest value of the coordinate; none if absent")
                    .at(Lens::Numbers(|joint, places| joint.limits.as_mut()?.get_mut(only(places)?))),
                key("restitution", "0.6", "coefficient of restitution at the limits")
                    .within(0.0, 1.0)
                    .remedy(RESTITUTION)
                    .at(Lens::Number(field!(restitution))),
                key("stiffness", "0.0", "of a spring along the coordinate, in N m/rad or N/m")
                    .within(0.0, 1e18)
                    .remedy("leave the key out for a joint without a spring")
                    .at(Lens::Number(field!(stiffness))),
                key("rest", "0.0", "where that spring is at rest, in rad or m")
                    .within(-1e6, 1e6)
                    .remedy("it is a value of the coordinate")
                    .at(Lens::Number(field!(rest))),
                key("damping", "0.0", "force per rate of the coordinate, in N m s/rad or N s/m")
                    .within(0.0, 1e18)
                    .remedy("leave the key out for a joint without a damper")
                    .at(Lens::Number(field!(damping))),
                key("friction", "0.0", "the largest dry friction along the coordinate, in N m or N")
                    .within(0.0, 1e18)
                    .remedy("it is a torque or a force, not a coefficient; leave the key out for none")
                    .at(Lens::Number(field!(friction))),
                key(
                    "armature",
                    "0.0",
                    "inertia of a rotor that turns with the coordinate, behind its gear, in kg m^2 or kg",
                )
                .within(0.0, 1e12)
                .remedy("leave the key out for a joint without a rotor")
                .at(Lens::Number(field!(armature))),
                key("collide", "false", "whether the two touch each other all the same").at(Lens::Truth(field!(collide))),
                key("assemble", "false", "whether the bodies are moved at the start until the points meet")
                    .at(Lens::Truth(field!(assemble))),
                key("drive", "{ position = 1.57, kp = 50.0, kv = 2.0 }", "a motor along the coordinate"),
                key(
                    "start2",
                    "0.0",
                    "what the second coordinate counts at the start, in rad: the angle of a universal joint about axis2, of a \
                     cylindrical one about its axis",
                )
                .within(-1e6, 1e6)
                .remedy("it is the angle at the start")
                .at(Lens::Number(field!(second.start))),
                key("limits2", "[-0.3, 1.0]", "the least and the largest value of the second coordinate; none if absent")
                    .at(Lens::Numbers(|joint, places| joint.second.limits.as_mut()?.get_mut(only(places)?))),
                key("drive2", "{ position = 1.57, kp = 50.0, kv = 2.0 }", "a motor along the second coordinate"),
            ],
        }
    }
}

/// A number that is the same for ever, or that in a row of a schedule.
fn in_schedule<'r>(drive: &'r mut DriveSetup, name: &str, places: &[usize]) -> Option<&'r mut f64> {
    if drive.schedule().0 != name {
        return None;
    }
    let rows = drive.schedule_mut().rows_mut();
    match places {
        [] if rows.len() == 1 => Some(&mut rows[0][1]),
        [row, column] => rows.get_mut(*row)?.get_mut(*column),
        _ => None,
    }
}

/// The motor of a joint.
pub(in crate::scenario) static DRIVE: Table<DriveSetup> =
    Table { path: "joint.drive", header: "[joint.drive]", keys: OF_DRIVE };

/// The motor along the second coordinate of a joint.
pub(in crate::scenario) static DRIVE2: Table<DriveSetup> =
    Table { path: "joint.drive2", header: "[joint.drive2]", keys: OF_DRIVE };

const OF_DRIVE: &[Key<DriveSetup>] = &[
        key("force", "0.5", "the force itself in N m, of a slider in N: a number, or rows [t, value], linear in between and constant before the first and after the last")
            .or(&["[[0.0, 0.0], [1.0, 0.5]]"])
            .at(Lens::Numbers(|drive, places| in_schedule(drive, "force", places))),
        key(
            "position",
            "[[0.0, 0.0], [1.0, 1.57]]",
            "the coordinate to be followed by the force kp (position - coordinate) + kv (rates likewise): a number, or rows \
             [t, value]",
        )
        .or(&["1.57"])
        .at(Lens::Numbers(|drive, places| in_schedule(drive, "position", places))),
        key(
            "velocity",
            "2.0",
            "the rate to be followed by the force kv (velocity - rate), in rad/s or m/s: a number, or rows [t, value]",
        )
        .or(&["[[0.0, 0.0], [1.0, 2.0]]"])
        .at(Lens::Numbers(|drive, places| in_schedule(drive, "velocity", places))),
        key("kp", "50.0", "force per deviation from the position, in N m/rad or N/m")
            .within(0.0, 1e18)
            .remedy("the larger, the closer it follows")
            .at(Lens::Number(field!(kp))),
        key("kv", "2.0", "force per deviation of the rate, in N m s/rad or N s/m")
            .within(0.0, 1e18)
            .remedy("the larger, the closer it follows")
            .at(Lens::Number(field!(kv))),
        key("limit", "10.0", "the largest force of a drive by position or velocity, in N m or N; none if absent")
            .above(0.0, 1e18)
            .remedy("leave the key out for a drive as strong as it takes")
            .at(Lens::Optional(field!(limit))),
    ];

pub(in crate::scenario) static CONTACT: Table<PairContact> = Table {
    path: "contact",
    header: "[[contact]]",
    keys: &[
        ends(),
        named_ends(),
        key("distance", "0.1", "at which two points touch, in m")
            .unit("m")
            .above(0.0, 1e6)
            .remedy("give the length in metres")
            .required()
            .at(Lens::Number(field!(distance))),
        key("friction", "0.5", "friction coefficient; that of the pair or of the ground if absent")
            .within(0.0, 1e6)
            .remedy(FRICTION)
            .at(Lens::Optional(field!(friction))),
        kinetic_friction(field!(sliding.kinetic_friction)),
        stribeck_velocity(field!(sliding.stribeck_velocity)),
        stribeck_exponent(field!(sliding.stribeck_exponent)),
        viscous_friction(field!(sliding.viscous_friction)),
        friction_across(field!(sliding.friction_across)),
        friction_axis(|table, places| table.sliding.friction_axis.as_mut()?.get_mut(only(places)?)),
    ],
};

pub(in crate::scenario) static STEPPER: Table<StepperSettings> = Table {
    path: "stepper",
    header: "[stepper]",
    keys: &[
        key(
            "impacts",
            "\"incremental\"",
            "how impacts of bodies are taken, \"incremental\" (over the impulse; if absent, where nothing resists turning), \
             \"one-stage\" or \"two-stage\"",
        )
            .words(Impacts::words)
            .at(word!(optional impacts)),
        key(
            "joints",
            "\"linear\"",
            "where a step leaves joints and rods, \"linear\" (off by what bends away within it) or \"closed\" (solved again until \
             they meet)",
        )
            .words(JointClosing::words)
            .at(word!(optional joints)),
        key("nlp", "{ tolerance = 1e-8 }", "settings of the nonlinear-program steppers"),
        key("lcp", "{ directions = 8 }", "settings of the complementarity steppers"),
        key("convex", "{ stiffness = 1e7 }", "settings of the convex stepper"),
        key("smooth", "{ law = \"tanh\" }", "settings of the penalty stepper"),
    ],
};

pub(in crate::scenario) static NLP: Table<NlpSettings> = Table {
    path: "stepper.nlp",
    header: "[stepper.nlp]",
    keys: &[
        key("tolerance", "1e-8", "solver tolerance")
            .within(1e-14, 0.1)
            .remedy("1e-8 is a good value; below 1e-14 no solver can succeed in double precision")
            .at(Lens::Optional(field!(tolerance))),
        key("epsilon", "1e-6", "smoothing of the square root")
            .above(0.0, 0.1)
            .remedy("1e-6 is a good value; it smooths the square root of the sliding speed")
            .at(Lens::Optional(field!(epsilon))),
        key(
            "solver",
            "\"interior-point\"",
            "\"ipopt\" (of a point if absent; takes bodies too), \"interior-point\" (our own for a point, thirty times faster) or \"structured\" (of bodies)",
        )
        .words(NlpSolverChoice::words)
        .at(word!(optional solver)),
        key("warm_start", "true", "start from the step before").at(Lens::Truth(field!(warm_start))),
        key("time_of_impact", "false", "divide steps at landings and stops, in the plane")
            .at(Lens::Truth(field!(time_of_impact))),
    ],
};

pub(in crate::scenario) static LCP: Table<LcpSettings> = Table {
    path: "stepper.lcp",
    header: "[stepper.lcp]",
    keys: &[
        key(
            "solver",
            "\"lemke\"",
            "\"lemke\" (if absent, after a structured interior point of many contacts or links), \"enumeration\" or \"interior-point\"",
        )
        .words(LcpSolverChoice::words)
        .at(word!(optional solver)),
        key(
            "directions",
            "8",
            "directions of the friction polygon in space, an even whole number; 8 for a point, 4 for bodies if absent",
        )
        .within(4.0, 360.0)
        .at(Lens::Count(field!(directions))),
        key(
            "polygon",
            "\"aligned\"",
            "how the polygons of bodies in space are turned, \"aligned\" with the slip or \"fixed\"",
        )
        .words(FrictionPolygon::words)
        .at(word!(polygon)),
        key("restitution", "\"newton\"", "law of impact, \"newton\" or \"poisson\"")
            .words(RestitutionLaw::words)
            .at(word!(restitution)),
        key(
            "fixed_point_start",
            "\"free-velocity\"",
            "first direction of the fixed-point iteration, \"free-velocity\" or \"previous-velocity\"",
        )
        .words(FixedPointStart::words)
        .at(word!(fixed_point_start)),
        key("time_of_impact", "false", "divide steps of lcp at landings and stops, in the plane")
            .at(Lens::Truth(field!(time_of_impact))),
    ],
};

pub(in crate::scenario) static CONVEX: Table<ConvexSettings> = Table {
    path: "stepper.convex",
    header: "[stepper.convex]",
    keys: &[
        key(
            "preset",
            "\"scaled\"",
            "\"scaled\" (with mass, gravity, step, speed) or \"published\" (1e7 N/m, 0.02 s, gated)",
        )
        .words(Preset::words),
        key("stiffness", "1e7", "in N/m; as stiff as the step can tell if absent")
            .unit("N/m")
            .above(0.0, 1e18)
            .remedy("leave the key out for ground as stiff as the step can tell")
            .at(Lens::Optional(field!(stiffness))),
        key("dissipation_time", "0.02", "in s; beta step/pi if absent")
            .unit("s")
            .within(0.0, 1e3)
            .remedy("leave the key out for critical damping, 0 switches the damping off")
            .at(Lens::Optional(field!(dissipation_time))),
        key("beta", "1.0", "near-rigid regularisation")
            .within(0.0, 1e3)
            .remedy("1.0 is a good value, 0 switches the near-rigid regularisation off")
            .at(Lens::Number(field!(beta))),
        key("sigma", "1e-3", "stiction regularisation")
            .above(0.0, 1e3)
            .remedy("1e-3 is a good value; the creep while sticking is proportional to it")
            .at(Lens::Number(field!(sigma))),
        key("gated", "false", "contacts act only where the gap is negative").at(Lens::Truth(field!(gated))),
        key("delassus_norm", "\"planar\"", "\"planar\" or \"spatial\"")
            .words(DelassusNorm::words)
            .at(word!(delassus_norm)),
        key("solver", "\"newton\"", "\"newton\" or \"dual\"").words(ConvexSolver::words).at(word!(solver)),
    ],
};

/// The numbers belong to a law each, so that a record of another one has none under their keys.
pub(in crate::scenario) static SMOOTH: Table<SmoothSettings> = Table {
    path: "stepper.smooth",
    header: "[stepper.smooth]",
    keys: &[
        key(
            "preset",
            "\"scaled\"",
            "\"scaled\" (with mass, step, restitution) or \"published\" (the law \"tanh\")",
        )
        .words(Preset::words),
        key("law", "\"kelvin-voigt\"", "\"kelvin-voigt\", \"hunt-crossley\" or \"tanh\" (the published one)")
            .words(SmoothLawName::words),
        key("amplitude", "1500.0", "of the law \"tanh\", in N")
            .unit("N")
            .above(0.0, 1e18)
            .remedy("it has to be larger than the weight; the original has 1500.0 for 10 kg")
            .at(Lens::Numbers(|settings, places| match &mut settings.law {
                SmoothLaw::Tanh { amplitude, .. } if places.is_empty() => Some(amplitude),
                _ => None,
            })),
        key("sharpness", "100.0", "of the law \"tanh\", in 1/m")
            .unit("1/m")
            .above(0.0, 1e9)
            .remedy("it is one over the thickness of the soft layer; the original has 100.0")
            .at(Lens::Numbers(|settings, places| match &mut settings.law {
                SmoothLaw::Tanh { sharpness, .. } if places.is_empty() => Some(sharpness),
                _ => None,
            })),
        key("stiffness", "1e6", "of the other laws, in N/m; scales with the scenario if absent")
            .unit("N/m")
            .above(0.0, 1e18)
            .remedy("leave the key out for a value that scales with the scenario")
            .at(Lens::Numbers(|settings, places| match &mut settings.law {
                SmoothLaw::KelvinVoigt { stiffness, .. } | SmoothLaw::HuntCrossley { stiffness, .. }
                    if places.is_empty() =>
                {
                    stiffness.as_mut()
                }
                _ => None,
            })),
        key(
            "damping",
            "0.1",
            "in s/m, of the law \"kelvin-voigt\" in N s/m; scales with the scenario if absent",
        )
        .unit("s/m")
        .within(0.0, 1e18)
        .remedy("leave the key out for the default, 0 switches the damping off")
        .at(Lens::Numbers(|settings, places| match &mut settings.law {
            _ if !places.is_empty() => None,
            SmoothLaw::Tanh { damping, .. } => Some(damping),
            SmoothLaw::KelvinVoigt { damping, .. } | SmoothLaw::HuntCrossley { damping, .. } => {
                damping.as_mut()
            }
        })),
    ],
};

/// The place in a list.
fn only(places: &[usize]) -> Option<usize> {
    match places {
        [place] => Some(*place),
        _ => None,
    }
}

/// The place of a row in a list, and the place in the row.
fn two(places: &[usize]) -> Option<[usize; 2]> {
    places.try_into().ok()
}

/// What turns, or moves along a surface: a single number in the plane, a list of so many in space.
fn alone_in_plane<'r, const D: usize>(components: &'r mut [f64], places: &[usize]) -> Option<&'r mut f64> {
    match (D, places) {
        (2, []) => components.first_mut(),
        (3, [axis]) => components.get_mut(*axis),
        _ => None,
    }
}

fn size<'r, const D: usize>(body: &'r mut Body<D>, places: &[usize]) -> Option<&'r mut f64> {
    match (&mut body.shape, places) {
        (Shape::Box { size }, [axis]) => size.get_mut(*axis),
        (Shape::Rod { length: size } | Shape::Ball { radius: size }, []) => Some(size),
        (Shape::Capsule { radius, .. } | Shape::Cylinder { radius, .. }, [0]) => Some(radius),
        (Shape::Capsule { length, .. } | Shape::Cylinder { length, .. }, [1]) => Some(length),
        (Shape::Hull { vertices }, [vertex, axis]) => vertices.get_mut(*vertex)?.get_mut(*axis),
        _ => None,
    }
}

fn inertia<'r, const D: usize>(body: &'r mut Body<D>, places: &[usize]) -> Option<&'r mut f64> {
    match (&mut body.inertia, places) {
        (Some(Inertia::Plane(moment)), []) => Some(moment),
        (Some(Inertia::Space(tensor)), [axis]) => tensor.get_mut((*axis, *axis)),
        (Some(Inertia::Space(tensor)), [row, column]) => tensor.get_mut((*row, *column)),
        _ => None,
    }
}

fn angle<'r, const D: usize>(body: &'r mut Body<D>, places: &[usize]) -> Option<&'r mut f64> {
    match &mut body.orientation {
        Orientation::Angle(angle) if places.is_empty() && body.shape != Shape::Point => Some(angle),
        _ => None,
    }
}

fn spin<'r, const D: usize>(body: &'r mut Body<D>, places: &[usize]) -> Option<&'r mut f64> {
    let turns = body.shape != Shape::Point;
    alone_in_plane::<D>(body.spin.as_mut_slice(), places).filter(|_| turns)
}

/// A number of the table of a push: a row begins with the time, then come the force and the torque.
fn cell<'r, const D: usize>(push: &'r mut Push<D>, places: &[usize]) -> Option<&'r mut f64> {
    let ([row, column], table) = (two(places)?, push.table.as_mut()?);
    match column.checked_sub(1) {
        None => Some(&mut table.rows.get_mut(row)?.0),
        Some(axis) if axis < D => table.rows.get_mut(row)?.1.get_mut(axis),
        Some(axis) => {
            let components = if D == 2 { 1 } else { 3 };
            table.torques.get_mut(row)?.as_mut_slice()[..components].get_mut(axis - D)
        }
    }
}
