//! The keys of a scenario file, as data.

use std::ops::Bound::{self, Excluded, Included};

/// A table of a scenario file.
pub(super) struct Section {
    /// The path of the table, empty for the top of the file.
    pub(super) path: &'static str,
    /// How the table is opened in a file.
    pub(super) header: &'static str,
    /// What it holds.
    pub(super) keys: &'static [Key],
}

/// A key of a table.
pub(super) struct Key {
    pub(super) name: &'static str,
    /// A value for it.
    pub(super) example: &'static str,
    /// A value for it in space, where that is another one.
    pub(super) in_space: Option<&'static str>,
    /// Values of other kinds for it, where it takes several.
    pub(super) other_kinds: &'static [&'static str],
    /// What it means, with the unit.
    pub(super) meaning: &'static str,
    /// The numbers that it takes, or that its components may have; [`Scenario::check`](crate::scenario::Scenario::check)
    /// holds them. None where that depends on other keys, and for what is no number.
    pub(super) range: Option<Range>,
}

/// From where to where.
pub(super) type Range = (Bound<f64>, Bound<f64>);

impl Key {
    /// The same key, which takes values like these as well.
    const fn or(self, other_kinds: &'static [&'static str]) -> Self {
        Self { other_kinds, ..self }
    }

    /// The same key, which takes values like this one in space.
    const fn in_space(self, example: &'static str) -> Self {
        Self { in_space: Some(example), ..self }
    }

    /// The value that messages show.
    pub(super) fn example_in(&self, is_in_space: bool) -> &'static str {
        self.in_space.filter(|_| is_in_space).unwrap_or(self.example)
    }

    /// The same key, which takes these numbers, the ends among them.
    const fn within(self, least: f64, most: f64) -> Self {
        Self { range: Some((Included(least), Included(most))), ..self }
    }

    /// The same key, which takes numbers greater than `bound`, up to `most`.
    const fn above(self, bound: f64, most: f64) -> Self {
        Self { range: Some((Excluded(bound), Included(most))), ..self }
    }

    /// The same key, which takes numbers between the two, the ends not among them.
    const fn between(self, low: f64, high: f64) -> Self {
        Self { range: Some((Excluded(low), Excluded(high))), ..self }
    }
}

impl Section {
    /// The key of that name. The walker asks for keys by literals that stand in the tables below;
    /// a name that does not is shown without an example.
    pub(super) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// `a`, `b` and so on, to be listed in a message.
    pub(super) fn key_names(&self) -> String {
        let names: Vec<&str> = self.keys.iter().map(|key| key.name).collect();
        names.join(", ")
    }

    /// How messages call this table.
    pub(super) fn title(&self) -> String {
        if self.path.is_empty() { "the top of the file".to_owned() } else { self.header.to_owned() }
    }
}

const fn key(name: &'static str, example: &'static str, meaning: &'static str) -> Key {
    Key { name, example, in_space: None, other_kinds: &[], meaning, range: None }
}

pub(super) static TOP: Section = Section {
    path: "",
    header: "",
    keys: &[
        key("name", "\"slide\"", "names the output folder; a-z, 0-9 and -"),
        key("duration", "1.2", "simulated time in s").above(0.0, 1e11),
        key("step", "1e-3", "length of a step in s").within(1e-9, 1e3),
        key("gravity", "9.81", "m/s^2").within(0.0, 1e6),
        key("particle", "{ mass = 10.0, position = [0.0, 1.0], velocity = [1.0, 0.0] }", "the moving point"),
        key(
            "body",
            "[{ shape = \"disc\", size = 0.1, mass = 1.0, position = [0.0, 0.1] }]",
            "bodies that turn",
        ),
        key("ground", "{ friction = 0.1 }", "the ground under it"),
        key("wall", "[{ normal = [1.0, 0.0], offset = -2.0 }]", "half-spaces that bodies stay in"),
        key("pair", "[{ bodies = [\"a\", \"ground\"], friction = 0.3 }]", "what holds between two bodies"),
        key("push", "[{ force = [4.0, 0.0] }]", "external forces"),
        key("rod", "[{ particles = [0, 1] }]", "pairs of points kept at a distance"),
        key("spring", "[{ particles = [0, 1], stiffness = 1e3 }]", "springs between points"),
        key("contact", "[{ particles = [0, 1], distance = 0.1 }]", "pairs of points that touch"),
        key("stepper", "{ nlp = { tolerance = 1e-8 } }", "settings of the steppers"),
    ],
};

pub(super) static PARTICLE: Section = Section {
    path: "particle",
    header: "[particle]",
    keys: &[
        key("mass", "10.0", "in kg").within(1e-12, 1e12),
        key("position", "[0.0, 1.0]", "(x, z) or (x, y, z) in m, the height last").within(-1e6, 1e6),
        key("velocity", "[1.0, 0.0]", "in m/s, as many components as the position")
            .within(-1e6, 1e6)
            .in_space("[1.0, 0.0, 0.0]"),
    ],
};

/// The keys of a particle, under the header of one among several.
pub(super) static PARTICLES: Section = Section { header: "[[particle]]", ..PARTICLE };

pub(super) static BODY: Section = Section {
    path: "body",
    header: "[[body]]",
    keys: &[
        key("name", "\"box\"", "what files and pictures call it; a-z, 0-9 and -"),
        key(
            "shape",
            "\"box\"",
            "in the plane box, rod, disc, polygon; in space box, sphere, polyhedron; or point",
        ),
        key(
            "size",
            "[0.4, 1.0]",
            "in m: the widths of a box; a number, the length of a rod or the radius of a disc or sphere; corners (about its centre of mass where a polyhedron has an inertia)",
        )
        .within(-1e6, 1e6)
        .or(&["0.5", "[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]"]),
        key("mass", "3.0", "in kg").within(1e-12, 1e12),
        key("inertia", "0.29", "in kg m^2; in space 3 numbers or 3 rows of 3; uniform body if absent")
            .or(&["[0.1, 0.1, 0.2]", "[[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.2]]"])
            .in_space("[0.1, 0.1, 0.2]"),
        key("position", "[0.0, 0.5]", "centre of mass, (x, z) or (x, y, z) in m, the height last")
            .within(-1e6, 1e6)
            .in_space("[0.0, 0.0, 0.5]"),
        key("angle", "0.1", "in rad, from x towards z; in the plane").within(-1e6, 1e6),
        key("orientation", "[1.0, 0.0, 0.0, 0.0]", "quaternion [w, x, y, z] from body to world, of any length but zero: it is normalised; in space"),
        key("velocity", "[1.0, 0.0]", "in m/s, as many components as the position; at rest if absent")
            .within(-1e6, 1e6)
            .in_space("[1.0, 0.0, 0.0]"),
        key("spin", "0.0", "in rad/s; in space [wx, wy, wz] in the axes of the body")
            .within(-1e6, 1e6)
            .or(&["[0.0, 0.0, 1.0]"])
            .in_space("[0.0, 0.0, 1.0]"),
        key("fixed", "false", "whether it stays where it is"),
    ],
};

pub(super) static WALL: Section = Section {
    path: "wall",
    header: "[[wall]]",
    keys: &[
        key("normal", "[1.0, 0.0]", "unit vector into the room")
            .within(-1.0, 1.0)
            .in_space("[1.0, 0.0, 0.0]"),
        key("offset", "-2.0", "bodies stay in n.x >= offset, in m").within(-1e6, 1e6),
        key("friction", "0.2", "friction coefficient; that of the ground if absent").within(0.0, 1e6),
        key("restitution", "0.0", "coefficient of restitution; that of the ground if absent")
            .within(0.0, 1.0),
        key(
            "velocity",
            "0.0",
            "of its surface along itself in m/s (a conveyor): along (n_z, -n_x); in space two components, along what x \
             and y become when level ground is tilted into the wall",
        )
            .within(-1e6, 1e6)
            .or(&["[0.5, 0.0]"])
            .in_space("[0.5, 0.0]"),
    ],
};

pub(super) static PAIR: Section = Section {
    path: "pair",
    header: "[[pair]]",
    keys: &[
        key("bodies", "[\"body-0\", \"ground\"]", "names of two bodies, or of a body and ground or wall-0"),
        key("friction", "0.3", "friction coefficient between them").within(0.0, 1e6),
        key("restitution", "0.1", "coefficient of restitution between them").within(0.0, 1.0),
    ],
};

pub(super) static GROUND: Section = Section {
    path: "ground",
    header: "[ground]",
    keys: &[
        key("friction", "0.1", "friction coefficient mu, at least 0").within(0.0, 1e6),
        key("restitution", "0.0", "coefficient of restitution e, 0 to 1").within(0.0, 1.0),
        key("slope", "0.0", "inclination in degrees").between(-90.0, 90.0),
    ],
};

pub(super) static PUSH: Section = Section {
    path: "push",
    header: "[[push]]",
    keys: &[
        key("force", "[4.0, 0.0]", "in N, as many components as the position").in_space("[4.0, 0.0, 0.0]"),
        key("from", "0.0", "start in s").within(-1e12, 1e12),
        key("to", "0.5", "end in s").within(-1e12, 1e12),
        key("frequency", "2.0", "in Hz; the force is multiplied by sin(2 pi frequency t + phase)")
            .within(0.0, 1e9),
        key("phase", "0.0", "in rad").within(-1e6, 1e6),
        key("particle", "0", "which of several particles, counted from 0; every one if absent"),
        key("body", "\"box\"", "the name of the body that is pushed; every one if absent"),
        key("torque", "1.0", "in N m, from x towards z; in space [tx, ty, tz] in the axes of the world")
            .within(-1e18, 1e18)
            .or(&["[0.0, 0.0, 1.0]"])
            .in_space("[0.0, 0.0, 1.0]"),
        key(
            "point",
            "[0.2, 0.5]",
            "where the force acts, in m in the axes of the body; its centre if absent",
        )
        .in_space("[0.2, 0.0, 0.5]"),
        key(
            "table",
            "[[0.0, 0.0, 0.0], [1.0, 4.0, 0.0]]",
            "rows [t, fx, fz] of a force, or [t, fx, fz, torque], linear in between; nothing before the first and after the last",
        )
        .in_space("[[0.0, 0.0, 0.0, 0.0], [1.0, 4.0, 0.0, 0.0]]"),
        key(
            "file",
            "\"push.csv\"",
            "CSV file with the columns of table, beside the scenario file; a header t, fx, fz, torque names them in any order",
        ),
    ],
};

/// The key that names the ends of a rod, a spring or a contact.
const ENDS: Key = key("particles", "[0, 1]", "the numbers of two particles, counted from 0");
/// The key that names the ends of a rod or a spring between bodies.
const NAMED_ENDS: Key = key("bodies", "[\"a\", \"b\"]", "the names of two bodies");
/// The key that places the ends of a rod or a spring on bodies.
const POINTS: Key = key(
    "points",
    "[[0.2, 0.5], [0.0, 0.0]]",
    "where on each of the two bodies, in m in its axes; their centres of mass if absent",
)
.in_space("[[0.2, 0.0, 0.5], [0.0, 0.0, 0.0]]");

pub(super) static ROD: Section = Section {
    path: "rod",
    header: "[[rod]]",
    keys: &[
        ENDS,
        NAMED_ENDS,
        POINTS,
        key("length", "0.5", "in m; the distance at the start if absent").above(0.0, 1e6),
    ],
};

pub(super) static SPRING: Section = Section {
    path: "spring",
    header: "[[spring]]",
    keys: &[
        ENDS,
        NAMED_ENDS,
        POINTS,
        key("stiffness", "1e3", "in N/m").within(0.0, 1e18),
        key("damping", "0.0", "in N s/m").within(0.0, 1e18),
        key("length", "0.5", "at rest in m; the distance at the start if absent").within(0.0, 1e6),
    ],
};

pub(super) static CONTACT: Section = Section {
    path: "contact",
    header: "[[contact]]",
    keys: &[
        ENDS,
        NAMED_ENDS,
        key("distance", "0.1", "at which two points touch, in m").above(0.0, 1e6),
        key("friction", "0.5", "friction coefficient; that of the pair or of the ground if absent")
            .within(0.0, 1e6),
    ],
};

pub(super) static STEPPER: Section = Section {
    path: "stepper",
    header: "[stepper]",
    keys: &[
        key("impacts", "\"one-stage\"", "how impacts of bodies are taken, \"one-stage\" or \"two-stage\""),
        key("nlp", "{ tolerance = 1e-8 }", "settings of the nonlinear-program steppers"),
        key("lcp", "{ directions = 8 }", "settings of the complementarity steppers"),
        key("convex", "{ stiffness = 1e7 }", "settings of the convex stepper"),
        key("smooth", "{ law = \"tanh\" }", "settings of the penalty stepper"),
    ],
};

pub(super) static NLP: Section = Section {
    path: "stepper.nlp",
    header: "[stepper.nlp]",
    keys: &[
        key("tolerance", "1e-8", "solver tolerance").within(1e-14, 0.1),
        key("epsilon", "1e-6", "smoothing of the square root").above(0.0, 0.1),
        key(
            "solver",
            "\"interior-point\"",
            "\"ipopt\" (of a point if absent; takes bodies too), \"interior-point\" (our own for a point, thirty times faster) or \"structured\" (of bodies)",
        ),
        key("warm_start", "true", "start from the step before"),
        key("time_of_impact", "false", "divide steps at landings and stops, in the plane"),
    ],
};

pub(super) static LCP: Section = Section {
    path: "stepper.lcp",
    header: "[stepper.lcp]",
    keys: &[
        key("solver", "\"lemke\"", "\"lemke\", \"enumeration\" or \"interior-point\""),
        key(
            "directions",
            "8",
            "directions of the friction polygon in space, an even whole number; 8 for a point, 4 for bodies if absent",
        )
        .within(4.0, 360.0),
        key(
            "polygon",
            "\"aligned\"",
            "how the polygons of bodies in space are turned, \"aligned\" with the slip or \"fixed\"",
        ),
        key("restitution", "\"newton\"", "law of impact, \"newton\" or \"poisson\""),
        key(
            "fixed_point_start",
            "\"free-velocity\"",
            "first direction of the fixed-point iteration, \"free-velocity\" or \"previous-velocity\"",
        ),
        key("time_of_impact", "false", "divide steps of lcp at landings and stops, in the plane"),
    ],
};

pub(super) static CONVEX: Section = Section {
    path: "stepper.convex",
    header: "[stepper.convex]",
    keys: &[
        key(
            "preset",
            "\"scaled\"",
            "\"scaled\" (with mass, gravity, step, speed) or \"published\" (1e7 N/m, 0.02 s, gated)",
        ),
        key("stiffness", "1e7", "in N/m; as stiff as the step can tell if absent").above(0.0, 1e18),
        key("dissipation_time", "0.02", "in s; beta step/pi if absent").within(0.0, 1e3),
        key("beta", "1.0", "near-rigid regularisation").within(0.0, 1e3),
        key("sigma", "1e-3", "stiction regularisation").above(0.0, 1e3),
        key("gated", "false", "contacts act only where the gap is negative"),
        key("delassus_norm", "\"planar\"", "\"planar\" or \"spatial\""),
        key("solver", "\"newton\"", "\"newton\" or \"dual\""),
    ],
};

pub(super) static SMOOTH: Section = Section {
    path: "stepper.smooth",
    header: "[stepper.smooth]",
    keys: &[
        key(
            "preset",
            "\"scaled\"",
            "\"scaled\" (with mass, step, restitution) or \"published\" (the law \"tanh\")",
        ),
        key("law", "\"kelvin-voigt\"", "\"kelvin-voigt\", \"hunt-crossley\" or \"tanh\" (the published one)"),
        key("amplitude", "1500.0", "of the law \"tanh\", in N").above(0.0, 1e18),
        key("sharpness", "100.0", "of the law \"tanh\", in 1/m").above(0.0, 1e9),
        key("stiffness", "1e6", "of the other laws, in N/m; scales with the scenario if absent")
            .above(0.0, 1e18),
        key(
            "damping",
            "0.1",
            "in s/m, of the law \"kelvin-voigt\" in N s/m; scales with the scenario if absent",
        )
        .within(0.0, 1e18),
    ],
};

/// Every table, in the order of a scenario file.
pub(super) static SECTIONS: [&Section; 15] = [
    &TOP, &PARTICLE, &BODY, &GROUND, &WALL, &PAIR, &PUSH, &ROD, &SPRING, &CONTACT, &STEPPER, &NLP, &LCP,
    &CONVEX, &SMOOTH,
];
