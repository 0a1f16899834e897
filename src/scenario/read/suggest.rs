//! What was meant by a key that does not exist.

use crate::{
    scenario::keys::{Section, sections},
    spelling::{folded, one_slip_away, similar},
};

/// Letters and words of the literature, and the keys that stand for them here.
const SYNONYMS: [(&str, &str); 24] = [
    ("mu", "friction"),
    ("e", "restitution"),
    ("m", "mass"),
    ("g", "gravity"),
    ("dt", "step"),
    ("h", "step"),
    ("timestep", "step"),
    ("time_step", "step"),
    ("t_end", "duration"),
    ("T", "duration"),
    ("time", "duration"),
    ("x", "position"),
    ("x0", "position"),
    ("v", "velocity"),
    ("v0", "velocity"),
    ("k", "stiffness"),
    ("tau_d", "dissipation_time"),
    ("tol", "tolerance"),
    ("u", "force"),
    ("f", "force"),
    ("until", "to"),
    ("angle", "slope"),
    ("point", "particle"),
    ("bodies", "body"),
];

/// A word of other programs and of the literature that no key stands for alone.
struct Word {
    /// How it is written.
    spellings: &'static [&'static str],
    /// The tables that it is looked for in, by their paths; all if none is named.
    tables: &'static [&'static str],
    /// What there is instead.
    answer: &'static str,
}

const SURFACES: &[&str] = &["ground", "wall", "pair", "contact"];

const WORDS: [Word; 32] = [
    Word {
        spellings: &[
            "restitution_coefficient",
            "coefficient_of_restitution",
            "cor",
            "bounce",
            "bounciness",
            "elasticity",
        ],
        tables: SURFACES,
        answer: "`restitution` is the coefficient of restitution, from 0 to 1",
    },
    Word {
        spellings: &["joint", "joints", "hinge", "constraint"],
        tables: &["body"],
        answer: "open [[joint]] on a line of its own, with `bodies = [\"arm\", \"world\"]` for the two that it joins",
    },
    Word {
        spellings: &["mu2", "mu_2", "friction2", "anisotropic_friction", "lateral_friction", "fdir1"],
        tables: SURFACES,
        answer: "`friction_across` is the coefficient across `friction_axis`, along which it is `friction`",
    },
    Word {
        spellings: &[
            "rolling_resistance",
            "friction_rolling",
            "spinning_friction",
            "friction_torsional",
            "mu_r",
        ],
        tables: SURFACES,
        answer: "`rolling_friction` and `torsional_friction` resist rolling and drilling, lengths in m",
    },
    Word {
        spellings: &["geom", "geoms", "collision", "compound", "children", "shapes"],
        tables: &["body"],
        answer: "open a [[body.part]] under the [[body]] for every shape that it is made of",
    },
    Word {
        spellings: &["static_friction", "friction_static", "mu_s", "mus"],
        tables: SURFACES,
        answer: "`friction` is the coefficient of what rests, and, without `kinetic_friction`, of what slides",
    },
    Word {
        spellings: &["dynamic_friction", "sliding_friction", "friction_dynamic", "mu_k", "mu_d", "muk"],
        tables: SURFACES,
        answer: "`kinetic_friction` is the coefficient of what slides, beside `friction`, that of what rests",
    },
    Word {
        spellings: &["static_friction", "dynamic_friction", "friction", "mu", "restitution", "bounce"],
        tables: &["body", "particle"],
        answer: "friction and restitution are of two surfaces: give them in [ground], [[wall]], or [[pair]] for two bodies",
    },
    Word {
        spellings: &[
            "kinematic",
            "static",
            "is_static",
            "dynamic",
            "body_type",
            "type",
            "anchored",
            "immovable",
        ],
        tables: &["body", "particle"],
        answer: "`fixed = true` holds a body where it is, `motion` moves it along a table of places; without either it moves by its forces",
    },
    Word {
        spellings: &[
            "radius",
            "diameter",
            "length",
            "width",
            "height",
            "half_extents",
            "extents",
            "half_size",
            "dimensions",
        ],
        tables: &["body"],
        answer: "`size` has the whole widths of a box, the length of a rod, the radius of a disc or sphere, [radius, length] of a capsule or cylinder",
    },
    Word {
        spellings: &["vertices", "corners", "mesh", "hull", "points"],
        tables: &["body"],
        answer: "`size` has the corners of a body of shape \"polygon\" or \"polyhedron\", of which the convex hull is taken; what is not \
                 convex is made of several [[body.part]]",
    },
    Word {
        spellings: &["com", "center_of_mass", "centre_of_mass", "pos", "center", "centre", "origin"],
        tables: &["body", "particle"],
        answer: "`position` is that of the centre of mass",
    },
    Word {
        spellings: &["rotation", "quaternion", "quat", "euler", "theta", "rpy"],
        tables: &["body"],
        answer: "`angle` turns a body in the plane, `orientation` in space, a unit quaternion with the scalar first",
    },
    Word {
        spellings: &["omega", "angular_velocity", "w"],
        tables: &["body"],
        answer: "`spin` is the angular velocity, in space in the axes of the body",
    },
    Word {
        spellings: &["linear_damping", "angular_damping", "damping", "drag"],
        tables: &["body", "particle"],
        answer: "there is no drag; `damping` slows what a [[spring]] or a [[joint]] joins",
    },
    Word {
        spellings: &["color", "colour", "rgba", "material", "visual"],
        tables: &[],
        answer: "remove it: pictures choose colours by the order of the bodies",
    },
    Word {
        spellings: &[
            "solref",
            "solimp",
            "contact_stiffness",
            "contact_damping",
            "compliance",
            "erp",
            "cfm",
            "margin",
            "slop",
        ],
        tables: &[],
        answer: "contacts are rigid by all steppers but `convex` and `smooth`, whose stiffness stands in [stepper.convex] and [stepper.smooth]",
    },
    Word {
        spellings: &["joint_type", "type"],
        tables: &["joint"],
        answer: "`kind` says what the two can do; `stickslip explain joint.kind` has the words",
    },
    Word {
        spellings: &["parent", "child", "body", "body1", "body2", "body_a", "body_b"],
        tables: &["joint", "rod", "spring", "pair"],
        answer: "`bodies` has the names of the two",
    },
    Word {
        spellings: &["range", "lower", "upper", "limit"],
        tables: &["joint"],
        answer: "`limits` are the least and the largest coordinate, `limit` in [joint.drive] the largest force",
    },
    Word {
        spellings: &["pos", "anchor", "origin", "position"],
        tables: &["joint"],
        answer: "`point` is where the two are joined at the start, in the world; `points` are in their own axes",
    },
    Word {
        spellings: &[
            "hinge",
            "revolute",
            "prismatic",
            "slider",
            "weld",
            "ball",
            "universal",
            "motor",
            "actuator",
            "constraint",
            "equality",
            "link",
        ],
        tables: &[""],
        answer: "open it with [[joint]], and say which it is by `kind`; drives stand in [joint.drive], rods and springs in [[rod]] and [[spring]]",
    },
    Word {
        spellings: &["plane", "floor", "terrain", "table", "obstacle"],
        tables: &[""],
        answer: "open the level ground with [ground], other planes with [[wall]], and what has an end with a [[body]] that is `fixed`",
    },
    Word {
        spellings: &[
            "conveyor",
            "conveyor_belt",
            "belt",
            "belt_speed",
            "belt_velocity",
            "treadmill",
            "surface_velocity",
            "surfacevel",
        ],
        tables: &[],
        answer: "a surface that runs is a [[wall]] with a `velocity`; belts with ends are rollers, cylinders as [[body]] with \
                 `motion = \"steady\"` and a `spin`",
    },
    Word {
        spellings: &[
            "gear",
            "gears",
            "gearbox",
            "gear_ratio",
            "ratio",
            "pulley",
            "mimic",
            "coupling",
            "transmission",
            "differential",
            "rack_and_pinion",
        ],
        tables: &[],
        answer: "there is none: no joint follows another. A [joint.drive] follows `position` or `velocity`, a number or a table of \
                 values over time; give it to both in the same ratio",
    },
    Word {
        spellings: &[
            "rope",
            "ropes",
            "cable",
            "string",
            "cord",
            "tether",
            "leash",
            "max_length",
            "maximum_length",
            "slack",
        ],
        tables: &[],
        answer: "there are no ropes: a [[rod]] keeps its length and a [[spring]] pushes as well as it pulls. A body hangs on a \
                 [[spring]] that stays stretched, or on a chain of bodies with [[joint]]s",
    },
    Word {
        spellings: &[
            "adhesion",
            "adhesive",
            "cohesion",
            "suction",
            "vacuum",
            "magnet",
            "magnetic",
            "glue",
            "sticky",
            "stickiness",
        ],
        tables: &[],
        answer: "nothing pulls at contacts; a [[joint]] of kind \"weld\" holds two bodies together all the time",
    },
    Word {
        spellings: &[
            "frame",
            "body_frame",
            "reference_frame",
            "local",
            "is_local",
            "relative",
            "relative_to",
            "follower",
            "coordinates",
        ],
        tables: &["push"],
        answer: "`force` and `torque` are in the axes of the world, whichever way the body is turned, `point` in those of the body",
    },
    Word {
        spellings: &[
            "heightfield",
            "height_field",
            "heightmap",
            "height_map",
            "hfield",
            "elevation",
            "mesh",
            "meshes",
            "trimesh",
            "triangles",
            "sdf",
        ],
        tables: &[],
        answer: "there are no meshes and no fields of heights: the ground is level or slopes, a [[wall]] is a plane, and what is hilly \
                 is a [[body]] that is `fixed`, made of several convex [[body.part]]",
    },
    Word {
        spellings: &["tendon", "tendons"],
        tables: &[],
        answer: "there are no tendons: a [[spring]] pulls between `points` of two bodies, and [joint.drive] moves a [[joint]]",
    },
    Word {
        spellings: &["muscle", "muscles"],
        tables: &[],
        answer: "there are no muscles: [joint.drive] with a `force` over time moves a [[joint]], and a [[spring]] pulls",
    },
    Word {
        spellings: &["thruster", "thrusters", "thrust", "propeller", "rocket", "jet"],
        tables: &[],
        answer: "a [[push]] has a `force` over time at a `point` of a body, in the axes of the world: it does not turn with the body",
    },
];

/// Advice on `given`, a key that `section` does not have.
pub(super) fn unknown_key(given: &str, section: &dyn Section) -> String {
    let known = format!("the keys of {} are {}", section.title(), section.key_names());
    let names = section.rows().map(|row| row.name);
    let here = |name| format!("did you mean `{name}`?");
    let advice = synonym(given, section)
        .or_else(|| one_slip_away(given, names.clone()))
        .map(here)
        .or_else(|| of_the_field(given, section))
        .or_else(|| elsewhere(given, section))
        .or_else(|| misspelt_elsewhere(given))
        .or_else(|| similar(given, names).map(here));
    match advice {
        Some(advice) => format!("{advice} ({known})"),
        None => format!("remove it ({known})"),
    }
}

/// What there is for a word of other programs and of the field, in one table or another, each with the paths of the tables that
/// it is looked for in; all if there are none.
pub(super) fn answers(given: &str) -> impl Iterator<Item = (&'static [&'static str], &'static str)> {
    let given = folded(given);
    WORDS
        .iter()
        .filter(move |word| word.spellings.contains(&given.as_str()))
        .map(|word| (word.tables, word.answer))
}

/// What there is for a word of the field in this table.
pub(super) fn of_the_field(given: &str, section: &dyn Section) -> Option<String> {
    let (given, path) = (folded(given), section.path());
    let is_meant = |word: &&Word| {
        word.spellings.contains(&given.as_str()) && (word.tables.is_empty() || word.tables.contains(&path))
    };
    WORDS.iter().find(is_meant).map(|word| word.answer.to_owned())
}

fn synonym(given: &str, section: &dyn Section) -> Option<&'static str> {
    SYNONYMS
        .into_iter()
        .find(|(letter, name)| *letter == given && section.key(name).is_some())
        .map(|(_, name)| name)
}

/// Where a key belongs that another table has.
fn elsewhere(given: &str, here: &dyn Section) -> Option<String> {
    if here.path() == "stepper" {
        return matches!(given, "hybrid" | "exact").then(|| format!("`{given}` has no settings"));
    }
    let homes: Vec<String> = sections()
        .into_iter()
        .filter(|section| section.key(given).is_some() || synonym(given, *section).is_some())
        // What a table has that stands in another one with the same key is meant less often.
        .filter(|section| {
            let outer = section.path().rsplit_once('.').map(|(outer, _)| outer);
            let has_it = |other: &dyn Section| Some(other.path()) == outer && other.key(given).is_some();
            !sections().into_iter().any(has_it)
        })
        .map(|section| section.title())
        .collect();
    match homes.as_slice() {
        [] => None,
        [home] if here.path().is_empty() => Some(format!("it belongs in {home}")),
        [home] if home == &sections()[0].title() => {
            Some(format!("it belongs at {home}, before the first [table]"))
        }
        homes => Some(format!("it belongs in {}", homes.join(" or "))),
    }
}

/// A misspelt key of another table.
fn misspelt_elsewhere(given: &str) -> Option<String> {
    let name =
        one_slip_away(given, sections().into_iter().flat_map(|section| section.rows()).map(|row| row.name))?;
    let home = sections().into_iter().find(|section| section.key(name).is_some())?;
    Some(format!("did you mean `{name}` in {}?", home.title()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::keys::{GROUND, STEPPER, body, particle, push, top};

    #[test]
    fn a_misspelt_key_is_recognised() {
        assert!(
            unknown_key("fricton", &GROUND)
                .starts_with("did you mean `friction`? (the keys of [ground] are friction")
        );
        assert!(unknown_key("Mass", particle::<2>()).starts_with("did you mean `mass`?"));
    }

    #[test]
    fn letters_of_the_literature_are_understood() {
        assert!(unknown_key("mu", &GROUND).starts_with("did you mean `friction`?"));
        assert!(unknown_key("dt", top::<2>()).starts_with("did you mean `step`?"));
    }

    #[test]
    fn words_of_the_field_are_answered_with_what_there_is() {
        let body = body::<2>();
        assert!(
            unknown_key("static_friction", &GROUND)
                .starts_with("`friction` is the coefficient of what rests")
        );
        assert!(unknown_key("mu_k", &GROUND).starts_with("`kinetic_friction` is"));
        assert!(unknown_key("mu2", &GROUND).starts_with("`friction_across` is"));
        assert!(unknown_key("kinematic", body).starts_with("`fixed = true`"));
        assert!(unknown_key("radius", body).starts_with("`size` has"));
        assert!(unknown_key("length", body).starts_with("`size` has"));
        assert!(unknown_key("friction", body).starts_with("friction and restitution are of two surfaces"));
        assert!(
            unknown_key("frame", push::<2>())
                .starts_with("`force` and `torque` are in the axes of the world")
        );
        for word in ["conveyor", "gear", "rope", "suction", "hfield", "tendon", "muscle", "thruster"] {
            assert!(of_the_field(word, top::<2>()).is_some() && of_the_field(word, body).is_some(), "{word}");
        }
        assert!(unknown_key("hinge", top::<2>()).starts_with("open it with [[joint]]"));
    }

    #[test]
    fn what_words_of_the_field_are_answered_with_is_no_key_of_that_table() {
        for word in &WORDS {
            for section in sections().into_iter().filter(|section| word.tables.contains(&section.path())) {
                let keys = word.spellings.iter().filter(|spelling| section.key(spelling).is_some());
                assert_eq!(keys.count(), 0, "{:?} in {}", word.spellings, section.title());
            }
        }
    }

    #[test]
    fn a_key_in_the_wrong_table_is_sent_home() {
        assert!(unknown_key("mass", top::<2>()).starts_with("it belongs in [particle] or [[body]] ("));
        assert!(
            unknown_key("gravity", particle::<2>())
                .starts_with("it belongs at the top of the file, before the first [table]")
        );
        assert!(unknown_key("velocty", top::<2>()).starts_with("did you mean `velocity` in [particle]?"));
        assert!(unknown_key("exact", &STEPPER).starts_with("`exact` has no settings"));
    }
}
