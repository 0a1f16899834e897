//! What a scenario asks for that no stepper, or not this one, does as written.

mod overlap;
mod redundant_joints;
mod slip;
mod start_velocities;

use std::fmt;

use crate::{
    contact::Friction,
    decimal::{rounded, shortest},
    model::Vector,
    scenario::{
        Ground, Part, Partner, Push, Rod, Scenario, Shape, StepperSettings, TimeGrid, TurningLengths, Wall,
        first_step_at_or_after, last_step_at_or_before,
    },
    stepper::{FixedDirections, Honours, Ignored, Ignores, ignored},
    world::{planar, spatial},
};

/// How far the end of the last step may be from `duration`, in steps, and still be called the same.
const SAME_END: f64 = 1e-6;
/// How far apart frequencies are called the same, over that of the steps.
const SAME_FREQUENCY: f64 = 1e-9;

const POINTS: &str = "points do not turn";
/// Keys of which points make nothing.
const DOES_NOT_TURN: [(&str, &str); 6] = [
    ("ground.torsional_friction", POINTS),
    ("ground.rolling_friction", POINTS),
    ("wall.torsional_friction", POINTS),
    ("wall.rolling_friction", POINTS),
    ("pair.torsional_friction", POINTS),
    ("pair.rolling_friction", POINTS),
];
const PLANE: &str = "nothing drills in a vertical plane";
/// Keys of which bodies in the plane make nothing.
const DOES_NOT_DRILL: [(&str, &str); 3] = [
    ("ground.torsional_friction", PLANE),
    ("wall.torsional_friction", PLANE),
    ("pair.torsional_friction", PLANE),
];

impl<const D: usize> Scenario<D> {
    /// What a stepper that honours `honours` does not do as written: the duration is rounded to whole steps, a push
    /// swings faster than the steps can tell, never acts or acts on what is fixed, pairs, springs and conveyors change
    /// nothing, walls lie in each other, rods are not as long as what they join, or stand for hinges, joints swing faster than
    /// the steps can tell, join masses too unlike or part by their velocities at the start, parts of a body overlap or weigh
    /// other than it, bodies overlap at the start, friction has directions of its own. A sentence each; none if all is done.
    pub fn warnings(&self, honours: &Honours) -> Vec<String> {
        let mut found: Vec<String> = self.rounded_duration().into_iter().collect();
        let pushes = self.pushes.iter().enumerate();
        found.extend(pushes.filter_map(|(index, push)| {
            self.push_of_fixed(index, push)
                .or_else(|| self.idle_push(index, push, honours))
                .or_else(|| self.aliased(index, push, honours))
        }));
        found.extend(self.idle_pairs());
        found.extend(self.idle_springs());
        found.extend(self.idle_conveyors());
        found.extend(self.flush_walls());
        found.extend(self.drawn_rods());
        found.extend(self.faked_hinges());
        found.extend(self.stiff_joints());
        found.extend(self.unequal_joints());
        found.extend(self.redundant_joints());
        found.extend(self.parting_starts());
        found.extend(self.overlapping_parts());
        found.extend(self.unequal_masses());
        found.extend(self.overlap_warnings());
        found.extend(self.slip_warnings(honours));
        found.extend(honours.fixed_directions.map(bent_slides));
        found
    }

    /// Parts of one body that lie in each other: what is in both weighs twice, unless it is said what the body weighs and how it
    /// resists turning, or nothing turns it.
    fn overlapping_parts(&self) -> impl Iterator<Item = String> {
        let weighed = |index: &usize| {
            let body = &self.bodies[*index];
            body.inertia.is_none() && !body.fixed && body.motion.is_none()
        };
        (0..self.bodies.len()).filter(weighed).flat_map(|index| {
            let body = &self.bodies[index];
            let in_plane = match body.outline() {
                Some(Ok(planar::Shape::Compound(compound))) => compound.overlaps(),
                _ => Vec::new(),
            };
            let in_space = match (in_plane.is_empty(), &body.shape) {
                (true, Shape::Compound { .. }) => match body.solid() {
                    Some(Ok(spatial::Shape::Compound(compound))) => compound.overlaps(),
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            };
            in_plane.into_iter().chain(in_space).map(move |[first, second]| {
                format!(
                    "body[{index}].part[{first}] and body[{index}].part[{second}] overlap: what lies in both weighs twice; \
                     move them apart, or give the body its mass and inertia"
                )
            })
        })
    }

    /// Bodies that are given another mass than their parts.
    fn unequal_masses(&self) -> impl Iterator<Item = String> {
        /// Part of the mass by which the two may differ for rounding.
        const SAME: f64 = 1e-9;
        self.bodies.iter().enumerate().filter_map(|(index, body)| {
            let Shape::Compound { parts } = &body.shape else { return None };
            let sum = parts.iter().map(Part::own_mass).sum::<Option<f64>>()?;
            ((sum - body.mass).abs() > SAME * body.mass).then(|| {
                format!(
                    "body[{index}].mass is {} kg, and its parts weigh {} kg together: they share the mass of the body in \
                     the proportions of their own; leave it out for their sum",
                    rounded(body.mass, 6),
                    rounded(sum, 6)
                )
            })
        })
    }

    /// Walls that lie in each other or in the ground, and are not alike: what stands on both is carried by both, in
    /// shares that no law decides on.
    fn flush_walls(&self) -> Vec<String> {
        /// How far apart in m, and how much inclined, planes are taken for one.
        const FLUSH: f64 = 1e-9;
        let upwards = Vector::<D>::from_fn(|axis, _| f64::from(axis == D - 1));
        let ground = ("the ground".to_owned(), Wall::new(upwards, 0.0));
        let walls = self.walls.iter().enumerate().map(|(index, wall)| (format!("wall-{index}"), *wall));
        let planes: Vec<(String, Wall<D>)> = std::iter::once(ground).chain(walls).collect();
        let law = |wall: &Wall<D>| (wall.surface(&self.ground), wall.velocity);
        let mut found = Vec::new();
        for (index, (name, wall)) in planes.iter().enumerate() {
            let lies_in = |(_, other): &&(String, Wall<D>)| {
                (wall.normal - other.normal).amax() <= FLUSH
                    && (wall.offset - other.offset).abs() <= FLUSH
                    && law(wall) != law(other)
            };
            found.extend(planes[..index].iter().find(lies_in).map(|(other, _)| {
                format!(
                    "{name} lies in {other} and is not like it: what stands on both is carried by both, in shares that every \
                     stepper chooses for itself; move it forward, by a millimetre say"
                )
            }));
        }
        found
    }

    /// That the `duration` is no multiple of the `step`, and where the steps end; `None` if it is one.
    pub fn rounded_duration(&self) -> Option<String> {
        let Self { duration, step, .. } = self;
        let time = self.time();
        let end = time.at(time.steps);
        ((end - duration).abs() > SAME_END * step).then(|| {
            let steps =
                if time.steps == 1 { "1 step ends".to_owned() } else { format!("{} steps end", time.steps) };
            format!(
                "the duration of {} s is no multiple of the step of {step} s and is rounded: {steps} at {} s",
                shortest(*duration),
                told_from(end, *duration)
            )
        })
    }

    /// Pairs that set nothing, or set it of what never moves.
    fn idle_pairs(&self) -> impl Iterator<Item = String> {
        self.pairs.iter().enumerate().filter_map(|(index, pair)| {
            let sets_nothing =
                pair.friction.is_none() && pair.restitution.is_none() && pair.turning == TurningLengths::NONE;
            if sets_nothing && pair.touch {
                return Some(format!(
                    "pair[{index}] sets neither friction nor restitution and changes nothing; add one, or leave it out"
                ));
            }
            let first = Partner::Body(pair.first);
            (!self.moves(first) && !self.moves(pair.second)).then(|| {
                let [first, second] = [first, pair.second].map(|partner| self.partner_name(partner));
                format!(
                    "pair[{index}] is of {first}, which nothing moves, and {second}, which is no body that moves either: it \
                     changes nothing; leave it out, or free {first}"
                )
            })
        })
    }

    /// Whether it is a body that moves.
    fn moves(&self, partner: Partner) -> bool {
        matches!(partner, Partner::Body(body) if !self.bodies[body].fixed)
    }

    /// Springs that pull at nothing.
    fn idle_springs(&self) -> impl Iterator<Item = String> {
        self.springs.iter().enumerate().filter_map(|(index, spring)| {
            if spring.stiffness == 0.0 && spring.damping == 0.0 {
                return Some(format!(
                    "spring[{index}] has neither stiffness nor damping and changes nothing; give it one, or leave it out"
                ));
            }
            let is_idle = spring.ends.bodies.iter().all(|body| !self.moves(Partner::Body(*body)));
            is_idle.then(|| {
                format!(
                    "spring[{index}] joins two bodies that are fixed and changes nothing; leave it out, or free one of them"
                )
            })
        })
    }

    /// Walls that move along themselves and take nothing along, as they have no friction with anything.
    fn idle_conveyors(&self) -> impl Iterator<Item = String> {
        self.walls.iter().enumerate().filter_map(|(index, wall)| {
            let partner = Partner::Wall(index);
            let mut moving = (0..self.bodies.len()).filter(|&body| self.moves(Partner::Body(body)));
            let is_idle =
                wall.velocity != [0.0; 2] && moving.all(|body| self.surface(body, partner).friction == Friction::default());
            is_idle.then(|| {
                format!(
                    "wall-{index} moves along itself and has no friction, so that it takes nothing along; give it friction, \
                     or leave its velocity out"
                )
            })
        })
    }

    /// Rods whose length is not the distance of their ends at the start: the first step makes it so, at any speed.
    fn drawn_rods(&self) -> Vec<String> {
        /// Part of its length by which a rod may be off for the rounding of digits.
        const OFF: f64 = 1e-2;
        let told = |(index, rod): (usize, &Rod<D>)| {
            let (length, distance) = (rod.length?, self.initial_distance(&rod.ends));
            let is_off = (distance - length).abs() > OFF * length;
            let are_fixed = rod.ends.bodies.iter().all(|body| self.bodies[*body].fixed);
            let what = if are_fixed {
                "both bodies are fixed, and it stays so"
            } else {
                "the first step moves them there, with energy from nothing"
            };
            is_off.then(|| {
                format!(
                    "rod[{index}] is {} m long, and its ends are {} m apart at the start: {what}; leave `length` out for a \
                     rod as long as that",
                    short(length),
                    short(distance)
                )
            })
        };
        self.rods.iter().enumerate().filter_map(told).collect()
    }

    /// Rods so short that they stand for hinges: their direction, which is linearised, turns far in a step.
    fn faked_hinges(&self) -> impl Iterator<Item = String> {
        /// Length in units of the smaller body.
        const SHORT: f64 = 1e-2;
        self.rods.iter().enumerate().filter_map(|(index, rod)| {
            let size = |body: &usize| self.bodies[*body].shape.size();
            let smaller = rod.ends.bodies.iter().filter_map(size).reduce(f64::min)?;
            let length = rod.length_in(self);
            let kind = if D == 2 { "hinge" } else { "ball" };
            (length < SHORT * smaller).then(|| {
                format!(
                    "rod[{index}] is {} m long, less than {} % of what it joins, and stands for a joint: its direction turns \
                     far in a step, and its length is lost; use a [[joint]] of kind = \"{kind}\", which holds two points together",
                    short(length),
                    100.0 * SHORT
                )
            })
        })
    }

    /// Joints whose springs or drives swing faster than the steps can tell: implicit springs then damp instead.
    fn stiff_joints(&self) -> impl Iterator<Item = String> {
        /// Angle in rad by which an oscillation may go on in a step.
        const FAST: f64 = 0.3;
        self.joints.iter().enumerate().filter_map(|(index, joint)| {
            let angles = joint.oscillators(self).map(|(stiffness, inertia)| self.step * (stiffness / inertia).sqrt());
            let angle = angles.into_iter().fold(0.0, f64::max);
            (angle > FAST).then(|| {
                format!(
                    "joint[{index}] swings by {} rad in a step of its spring or drive: above {FAST} its oscillation is damped \
                     away, and it creeps to its rest; take a shorter step, or less stiffness",
                    rounded(angle, 2)
                )
            })
        })
    }

    /// Joints between masses so unlike that the steps cannot follow the waves between them.
    fn unequal_joints(&self) -> impl Iterator<Item = String> {
        /// Ratio of masses from which on a chain may come apart.
        const UNLIKE: f64 = 1e4;
        self.joints.iter().enumerate().filter_map(|(index, joint)| {
            let [Some(first), Some(second)] = joint.bodies.map(|body| Some(&self.bodies[body?])) else { return None };
            let ratio = (first.mass / second.mass).max(second.mass / first.mass);
            (ratio > UNLIKE && !first.fixed && !second.fixed).then(|| {
                format!(
                    "joint[{index}] joins masses of a ratio of {}: above {} what a heavy body pulls at may come apart in a \
                     step; take a shorter step, or more equal masses",
                    short(ratio),
                    short(UNLIKE)
                )
            })
        })
    }

    /// A push of a body that is fixed.
    fn push_of_fixed(&self, index: usize, push: &Push<D>) -> Option<String> {
        let body = push.body.filter(|body| self.bodies[*body].fixed)?;
        let name = self.body_name(body);
        Some(format!(
            "push[{index}] acts on {name}, which is {}: it moves nothing; leave it out, or free {name}",
            self.bodies[body].held()
        ))
    }

    /// A push that acts in no step.
    fn idle_push(&self, index: usize, push: &Push<D>, honours: &Honours) -> Option<String> {
        self.push_outside(index, push)
            .or_else(|| self.push_between_steps(index, push, honours))
            .or_else(|| self.zero_push(index, push, honours))
    }

    /// A push that acts before or after the run.
    fn push_outside(&self, index: usize, push: &Push<D>) -> Option<String> {
        let time = self.time();
        let end = time.at(time.steps);
        let window = Window::of(push);
        let is_over = push.to.is_some_and(|to| to <= 0.0) || window.rows.is_some_and(|[_, last]| last < 0.0);
        (is_over || window.from.is_some_and(|from| from >= end)).then(|| {
            format!(
                "push[{index}] acts {window}, and the run lasts from 0 s to {} s: it never acts; move its times into \
                 the run",
                short(end)
            )
        })
    }

    /// A push whose window holds the beginning of no step, for a stepper that samples it there.
    fn push_between_steps(&self, index: usize, push: &Push<D>, honours: &Honours) -> Option<String> {
        if honours.push_within_steps {
            return None;
        }
        let window = Window::of(push);
        let [first, after] = window.steps(self.time());
        (first >= after).then(|| {
            format!(
                "push[{index}] acts {window}, and pushes are sampled where steps begin, every {} s: none begins there, \
                 and it never acts; lower `step`, or widen its window",
                self.step
            )
        })
    }

    /// A push whose sine is zero whenever it is looked at.
    fn zero_push(&self, index: usize, push: &Push<D>, honours: &Honours) -> Option<String> {
        let frequency = push.frequency?;
        if push.is_zero() {
            return Some(format!(
                "push[{index}] swings at 0 Hz with a phase of {} rad, which is sin(phase) = 0 at all times: it never \
                 acts; leave `frequency` out for a constant push",
                short(push.phase)
            ));
        }
        let [first, after] = Window::of(push).steps(self.time());
        let is_zero = !honours.push_within_steps
            && first < after
            && push.is_zero_at_steps(first as usize, after as usize - 1, self.step);
        is_zero.then(|| {
            format!(
                "push[{index}] swings at {frequency} Hz and is sampled where steps begin, every {} s: its sine is zero at \
                 each of them, and it never acts; lower `step`, or choose another frequency or phase",
                self.step
            )
        })
    }

    /// A push from the Nyquist frequency of the step on, which samples show as a slower one.
    fn aliased(&self, index: usize, push: &Push<D>, honours: &Honours) -> Option<String> {
        let (frequency, sampling) = (push.frequency?, 1.0 / self.step);
        if honours.push_within_steps || frequency < 0.5 * sampling {
            return None;
        }
        let alias = (frequency - sampling * (frequency / sampling).round()).abs();
        let is_alike = |a: f64, b: f64| (a - b).abs() <= SAME_FREQUENCY * sampling;
        let acts = if is_alike(alias, 0.0) {
            format!("it is constant, {} of its amplitude", short(push.phase.sin()))
        } else if is_alike(alias, 0.5 * sampling) {
            format!("it turns around at every step, with {} of its amplitude", short(push.phase.sin().abs()))
        } else {
            format!("it acts as one of {} Hz would", short(alias))
        };
        Some(format!(
            "push[{index}] swings at {frequency} Hz, and steps of {} s tell frequencies below {} Hz apart only: held over \
             each step, {acts}; lower `step` below {} s",
            self.step,
            short(0.5 * sampling),
            short(0.5 / frequency)
        ))
    }

    /// The values that are set and of which such a stepper makes nothing.
    pub fn ignored(&self, honours: &Honours) -> Vec<Ignored> {
        let of_turning: Ignores = match (self.has_turning_bodies(), D) {
            (false, _) => &DOES_NOT_TURN,
            (true, 2) => &DOES_NOT_DRILL,
            (true, _) => &[],
        };
        let ignores: Vec<_> = honours.ignores.iter().chain(of_turning).copied().collect();
        if ignores.is_empty() {
            return Vec::new();
        }
        let (ground, steppers) = (Ground::default(), StepperSettings::default());
        let mut plain = Self { ground, steppers, ..self.clone() };
        let restitutions = (plain.walls.iter_mut().map(|wall| &mut wall.restitution))
            .chain(plain.pairs.iter_mut().map(|pair| &mut pair.restitution));
        // None is what it comes to without a word.
        restitutions.for_each(|restitution| *restitution = restitution.filter(|value| *value == 0.0));
        plain.walls.iter_mut().for_each(|wall| wall.turning = TurningLengths::NONE);
        plain.pairs.iter_mut().for_each(|pair| pair.turning = TurningLengths::NONE);
        ignored(&ignores, &self.to_toml(), &plain.to_toml())
    }
}

/// When a push acts.
struct Window {
    /// The later of its `from` and the first row of its table, in s.
    from: Option<f64>,
    /// The earlier of its `to` and the last row of its table, in s.
    to: Option<f64>,
    /// Its own `to` in s, which is no part of it.
    own_end: Option<f64>,
    /// The first and the last row of its table in s, which are.
    rows: Option<[f64; 2]>,
}

impl Window {
    fn of<const D: usize>(push: &Push<D>) -> Self {
        let rows = push.table.as_ref().and_then(|table| Some([table.rows.first()?.0, table.rows.last()?.0]));
        let from = push.from.into_iter().chain(rows.map(|[first, _]| first)).reduce(f64::max);
        let to = push.to.into_iter().chain(rows.map(|[_, last]| last)).reduce(f64::min);
        Self { from, to, own_end: push.to, rows }
    }

    /// The first step of a run that begins in it, and the first after it, as floats: it holds none where they are in no
    /// order.
    fn steps(&self, time: TimeGrid) -> [f64; 2] {
        let first = self.from.map_or(0.0, |from| first_step_at_or_after(from, time.dt).max(0.0));
        let after_window = self.own_end.map(|to| first_step_at_or_after(to, time.dt));
        let after_rows = self.rows.map(|[_, last]| last_step_at_or_before(last, time.dt) + 1.0);
        [first, after_window.into_iter().chain(after_rows).fold(time.steps as f64, f64::min)]
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from, self.to) {
            (Some(from), Some(to)) => write!(f, "from {from} s to {to} s"),
            (Some(from), None) => write!(f, "from {from} s on"),
            (None, Some(to)) => write!(f, "up to {to} s"),
            (None, None) => f.write_str("all the time"),
        }
    }
}

/// A friction polygon that is not turned with the slip.
fn bent_slides(FixedDirections(count): FixedDirections) -> String {
    format!(
        "friction acts along {count} directions fixed in the axes of every contact, which bends slides between them \
         and brakes them too little; leave stepper.lcp.polygon out, or set it to \"aligned\""
    )
}

/// A number in as few digits, six at least, as tell it from `other`.
fn told_from(value: f64, other: f64) -> f64 {
    let is_told = |short: &f64| (short - value).abs() < 0.1 * (value - other).abs();
    (6..=17).map(|digits| rounded(value, digits)).find(is_told).unwrap_or(value)
}

/// A number as it is told.
fn short(value: f64) -> f64 {
    rounded(value, 6)
}
