use std::fmt::{self, Display, Write};

use super::{
    Body, Choice, Ends, Ground, Inertia, Pair, PairContact, Push, PushTable, Rod, Scenario, Shape, SmoothLaw,
    Spring, StepperSettings, Wall,
};
use crate::model::{Orientation, Spin, Vector};

impl<const D: usize> Scenario<D> {
    /// The text of a scenario file that reads back as this scenario, bit for bit.
    ///
    /// Every setting is written, defaults too, so that the text keeps its meaning should a default
    /// ever change. A scenario that does not pass [`Scenario::check`] is written all the same, and
    /// refused when it is read.
    pub fn to_toml(&self) -> String {
        let mut text = Lines::default();
        text.top(&self.name, self.duration, self.step, self.gravity);
        let as_particles = self.are_particles();
        let alone = self.bodies.len() == 1 && self.pushes.iter().all(|push| push.body.is_none());
        for (index, body) in self.bodies.iter().enumerate() {
            if as_particles {
                text.header(if alone { "[particle]" } else { "[[particle]]" });
                text.line("mass", Digits(body.mass));
                text.line("position", vector(body.position.as_slice()));
                text.line("velocity", vector(body.velocity.as_slice()));
            } else {
                write_body(&self.body_name(index), body, &mut text);
            }
        }
        write_ground(&self.ground, &mut text);
        for wall in &self.walls {
            write_wall(wall, &mut text);
        }
        for Pair { first, second, friction, restitution } in &self.pairs {
            text.header("[[pair]]");
            let names = [self.body_name(*first), self.partner_name(*second)].map(|name| string(&name));
            text.line("bodies", format!("[{}]", names.join(", ")));
            text.optional("friction", *friction);
            text.optional("restitution", *restitution);
        }
        for push in &self.pushes {
            text.header("[[push]]");
            match push.body {
                Some(body) if as_particles => text.line("particle", body.to_string()),
                Some(body) => text.line("body", string(&self.body_name(body))),
                None => {}
            }
            write_push(push, &mut text);
        }
        let ends = |text: &mut Lines, bodies: [usize; 2]| {
            if as_particles {
                text.line("particles", format!("{bodies:?}"));
            } else {
                text.line(
                    "bodies",
                    format!("[{}]", bodies.map(|body| string(&self.body_name(body))).join(", ")),
                );
            }
        };
        let joined = |text: &mut Lines, Ends { bodies, points }: &Ends<D>| {
            ends(text, *bodies);
            if points.iter().any(|point| *point != Vector::<D>::zeros()) {
                text.line("points", rows(points.iter().map(|point| point.as_slice())));
            }
        };
        for Rod { ends, length } in &self.rods {
            text.header("[[rod]]");
            joined(&mut text, ends);
            text.optional("length", *length);
        }
        for Spring { ends, stiffness, damping, length } in &self.springs {
            text.header("[[spring]]");
            joined(&mut text, ends);
            text.line("stiffness", Digits(*stiffness));
            text.line("damping", Digits(*damping));
            text.optional("length", *length);
        }
        for PairContact { bodies, distance, friction } in &self.contacts {
            text.header("[[contact]]");
            ends(&mut text, *bodies);
            text.line("distance", Digits(*distance));
            text.optional("friction", *friction);
        }
        write_settings(&self.steppers, &mut text);
        text.0
    }
}

fn write_body<const D: usize>(name: &str, body: &Body<D>, text: &mut Lines) {
    text.header("[[body]]");
    text.line("name", string(name));
    text.line("shape", string(body.shape.as_str()));
    match &body.shape {
        Shape::Point => {}
        Shape::Box { size } => text.line("size", vector(size.as_slice())),
        Shape::Rod { length: size } | Shape::Ball { radius: size } => text.line("size", Digits(*size)),
        Shape::Hull { vertices } => text.line("size", rows(vertices.iter().map(|row| row.as_slice()))),
    }
    text.line("mass", Digits(body.mass));
    match &body.inertia {
        None => {}
        Some(Inertia::Plane(moment)) => text.line("inertia", Digits(*moment)),
        Some(Inertia::Space(tensor)) => {
            let tensor: [[f64; 3]; 3] = tensor.transpose().into();
            text.line("inertia", rows(tensor.iter().map(|row| &row[..])));
        }
    }
    text.line("position", vector(body.position.as_slice()));
    text.line("velocity", vector(body.velocity.as_slice()));
    if body.shape != Shape::Point {
        match body.orientation {
            Orientation::Angle(angle) => {
                text.line("angle", Digits(angle));
                text.line("spin", Digits(body.spin[0]));
            }
            Orientation::Quaternion(turn) => {
                text.line("orientation", vector(&[turn.w, turn.i, turn.j, turn.k]));
                text.line("spin", vector(body.spin.as_slice()));
            }
        }
    }
    if body.fixed {
        text.line("fixed", "true");
    }
}

fn write_wall<const D: usize>(wall: &Wall<D>, text: &mut Lines) {
    text.header("[[wall]]");
    text.line("normal", vector(wall.normal.as_slice()));
    text.line("offset", Digits(wall.offset));
    text.optional("friction", wall.friction);
    text.optional("restitution", wall.restitution);
    text.line("velocity", if D == 2 { Digits(wall.velocity[0]).to_string() } else { vector(&wall.velocity) });
}

fn write_ground(ground: &Ground, text: &mut Lines) {
    text.header("[ground]");
    text.line("friction", Digits(ground.friction));
    text.line("restitution", Digits(ground.restitution));
    text.line("slope", Digits(ground.slope));
}

fn write_push<const D: usize>(push: &Push<D>, text: &mut Lines) {
    match &push.table {
        None => text.line("force", vector(push.force.as_slice())),
        Some(PushTable { rows: force, torques }) => {
            let components = if D == 2 { 1 } else { 3 };
            let torque = |row: usize| {
                torques.get(row).into_iter().flat_map(move |torque| torque.iter().copied().take(components))
            };
            let table: Vec<Vec<f64>> = force
                .iter()
                .enumerate()
                .map(|(row, (t, force))| {
                    std::iter::once(*t).chain(force.iter().copied()).chain(torque(row)).collect()
                })
                .collect();
            text.line("table", rows(table.iter().map(Vec::as_slice)));
        }
    }
    if push.torque != Spin::zeros() {
        let torque = if D == 2 { Digits(push.torque[0]).to_string() } else { vector(push.torque.as_slice()) };
        text.line("torque", torque);
    }
    if let Some(point) = &push.point {
        text.line("point", vector(point.as_slice()));
    }
    text.optional("from", push.from);
    text.optional("to", push.to);
    text.optional("frequency", push.frequency);
    if push.frequency.is_some() || push.phase != 0.0 {
        text.line("phase", Digits(push.phase));
    }
}

fn write_settings(settings: &StepperSettings, text: &mut Lines) {
    let StepperSettings { impacts, nlp, lcp, convex, smooth } = settings;
    text.header("[stepper]");
    text.line("impacts", string(impacts.as_str()));
    text.header("[stepper.nlp]");
    text.optional("tolerance", nlp.tolerance);
    text.optional("epsilon", nlp.epsilon);
    if let Some(solver) = nlp.solver {
        text.line("solver", string(solver.as_str()));
    }
    text.line("warm_start", nlp.warm_start.to_string());
    text.line("time_of_impact", nlp.time_of_impact.to_string());
    text.header("[stepper.lcp]");
    text.line("solver", string(lcp.solver.as_str()));
    if let Some(directions) = lcp.directions {
        text.line("directions", directions.to_string());
    }
    text.line("polygon", string(lcp.polygon.as_str()));
    text.line("restitution", string(lcp.restitution.as_str()));
    text.line("fixed_point_start", string(lcp.fixed_point_start.as_str()));
    text.line("time_of_impact", lcp.time_of_impact.to_string());
    text.header("[stepper.convex]");
    text.optional("stiffness", convex.stiffness);
    text.optional("dissipation_time", convex.dissipation_time);
    text.line("beta", Digits(convex.beta));
    text.line("sigma", Digits(convex.sigma));
    text.line("gated", convex.gated.to_string());
    text.line("delassus_norm", string(convex.delassus_norm.as_str()));
    text.line("solver", string(convex.solver.as_str()));
    text.header("[stepper.smooth]");
    text.line("law", string(smooth.law.name().as_str()));
    match smooth.law {
        SmoothLaw::Tanh { amplitude, sharpness, damping } => {
            text.line("amplitude", Digits(amplitude));
            text.line("sharpness", Digits(sharpness));
            text.line("damping", Digits(damping));
        }
        SmoothLaw::KelvinVoigt { stiffness, damping } | SmoothLaw::HuntCrossley { stiffness, damping } => {
            text.optional("stiffness", stiffness);
            text.optional("damping", damping);
        }
    }
}

/// The text of a file as it grows.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn top(&mut self, name: &str, duration: f64, step: f64, gravity: f64) {
        self.line("name", string(name));
        self.line("duration", Digits(duration));
        self.line("step", Digits(step));
        self.line("gravity", Digits(gravity));
    }

    fn header(&mut self, header: &str) {
        self.0.push('\n');
        self.0.push_str(header);
        self.0.push('\n');
    }

    fn line(&mut self, key: &str, value: impl Display) {
        self.0.push_str(key);
        self.0.push_str(" = ");
        // A string takes whatever is written to it.
        let _ = write!(self.0, "{value}");
        self.0.push('\n');
    }

    fn optional(&mut self, key: &str, value: Option<f64>) {
        if let Some(value) = value {
            self.line(key, Digits(value));
        }
    }
}

/// The shortest digits that read back as the same double, as a float of TOML.
struct Digits(f64);

impl Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = self;
        if value.is_nan() {
            f.write_str("nan")
        } else if *value == 0.0 || value.is_infinite() || (1e-3..1e5).contains(&value.abs()) {
            write!(f, "{value:?}")
        } else {
            write!(f, "{value:e}")
        }
    }
}

fn vector(components: &[f64]) -> String {
    let mut list = String::from("[");
    for (index, component) in components.iter().enumerate() {
        list.push_str(if index > 0 { ", " } else { "" });
        // A string takes whatever is written to it.
        let _ = write!(list, "{}", Digits(*component));
    }
    list.push(']');
    list
}

fn rows<'a>(rows: impl Iterator<Item = &'a [f64]>) -> String {
    format!("[{}]", rows.map(vector).collect::<Vec<_>>().join(", "))
}

/// A TOML basic string.
fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted += &format!("\\u{:04X}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
