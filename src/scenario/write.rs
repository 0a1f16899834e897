use super::{Body, Choice, Ground, PairContact, Push, Rod, Scenario, SmoothLaw, Spring, StepperSettings};

impl<const D: usize> Scenario<D> {
    /// The text of a scenario file that reads back as this scenario, bit for bit.
    ///
    /// Every setting is written, defaults too, so that the text keeps its meaning should a default
    /// ever change. A scenario that does not pass [`Scenario::check`] is written all the same, and
    /// refused when it is read.
    pub fn to_toml(&self) -> String {
        let mut text = Lines::default();
        text.top(&self.name, self.duration, self.step, self.gravity);
        let alone = self.bodies.len() == 1 && self.pushes.iter().all(|push| push.body.is_none());
        for body in &self.bodies {
            text.header(if alone { "[particle]" } else { "[[particle]]" });
            write_particle(body, &mut text);
        }
        write_ground(&self.ground, &mut text);
        for push in &self.pushes {
            text.header("[[push]]");
            write_push(push, &mut text);
        }
        for Rod { bodies, length } in &self.rods {
            text.header("[[rod]]");
            text.line("particles", format!("{bodies:?}"));
            text.optional("length", *length);
        }
        for Spring { bodies, stiffness, damping, length } in &self.springs {
            text.header("[[spring]]");
            text.line("particles", format!("{bodies:?}"));
            text.line("stiffness", number(*stiffness));
            text.line("damping", number(*damping));
            text.optional("length", *length);
        }
        for PairContact { bodies, distance, friction } in &self.contacts {
            text.header("[[contact]]");
            text.line("particles", format!("{bodies:?}"));
            text.line("distance", number(*distance));
            text.optional("friction", *friction);
        }
        write_settings(&self.steppers, &mut text);
        text.0
    }
}

fn write_particle<const D: usize>(particle: &Body<D>, text: &mut Lines) {
    text.line("mass", number(particle.mass));
    text.line("position", vector(particle.position.as_slice()));
    text.line("velocity", vector(particle.velocity.as_slice()));
}

fn write_ground(ground: &Ground, text: &mut Lines) {
    text.header("[ground]");
    text.line("friction", number(ground.friction));
    text.line("restitution", number(ground.restitution));
    text.line("slope", number(ground.slope));
}

fn write_push<const D: usize>(push: &Push<D>, text: &mut Lines) {
    if let Some(body) = push.body {
        text.line("particle", body.to_string());
    }
    text.line("force", vector(push.force.as_slice()));
    text.optional("from", push.from);
    text.optional("to", push.to);
    text.optional("frequency", push.frequency);
    if push.frequency.is_some() || push.phase != 0.0 {
        text.line("phase", number(push.phase));
    }
}

fn write_settings(settings: &StepperSettings, text: &mut Lines) {
    let StepperSettings { nlp, lcp, convex, smooth } = settings;
    text.header("[stepper.nlp]");
    text.optional("tolerance", nlp.tolerance);
    text.optional("epsilon", nlp.epsilon);
    if let Some(solver) = nlp.solver {
        text.line("solver", string(solver.as_str()));
    }
    text.line("warm_start", nlp.warm_start.to_string());
    text.header("[stepper.lcp]");
    text.line("solver", string(lcp.solver.as_str()));
    text.line("directions", lcp.directions.to_string());
    text.line("restitution", string(lcp.restitution.as_str()));
    text.line("fixed_point_start", string(lcp.fixed_point_start.as_str()));
    text.header("[stepper.convex]");
    text.optional("stiffness", convex.stiffness);
    text.optional("dissipation_time", convex.dissipation_time);
    text.line("beta", number(convex.beta));
    text.line("sigma", number(convex.sigma));
    text.line("gated", convex.gated.to_string());
    text.line("delassus_norm", string(convex.delassus_norm.as_str()));
    text.line("solver", string(convex.solver.as_str()));
    text.header("[stepper.smooth]");
    text.line("law", string(smooth.law.name().as_str()));
    match smooth.law {
        SmoothLaw::Tanh { amplitude, sharpness, damping } => {
            text.line("amplitude", number(amplitude));
            text.line("sharpness", number(sharpness));
            text.line("damping", number(damping));
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
        self.line("duration", number(duration));
        self.line("step", number(step));
        self.line("gravity", number(gravity));
    }

    fn header(&mut self, header: &str) {
        self.0.push('\n');
        self.0.push_str(header);
        self.0.push('\n');
    }

    fn line(&mut self, key: &str, value: impl AsRef<str>) {
        self.0.push_str(key);
        self.0.push_str(" = ");
        self.0.push_str(value.as_ref());
        self.0.push('\n');
    }

    fn optional(&mut self, key: &str, value: Option<f64>) {
        if let Some(value) = value {
            self.line(key, number(value));
        }
    }
}

/// The shortest digits that read back as the same double, as a float of TOML.
fn number(value: f64) -> String {
    if value.is_nan() {
        "nan".to_owned()
    } else if value == 0.0 || value.is_infinite() || (1e-3..1e5).contains(&value.abs()) {
        format!("{value:?}")
    } else {
        format!("{value:e}")
    }
}

fn vector(components: &[f64]) -> String {
    let components: Vec<String> = components.iter().map(|&component| number(component)).collect();
    format!("[{}]", components.join(", "))
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
