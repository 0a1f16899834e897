//! The rows of one step: momentum, places, gaps, slips and the products that relaxation bounds.
//!
//! ```text
//! (v+ - v - h M^-1 (f + B(q) u + J_n' F fn + J_t' F mu fn b))/V = 0
//! (q+ - q - h v+)/L = 0
//! gap - (phi(q) + h J_n v+)/L = 0
//! J_t v+/V - w+ + w- = 0
//! fn gap <= tau,   w+ (1 + b) <= tau,   w- (1 - b) <= tau
//! ```
//!
//! with `-1 <= b <= 1` and the rest at least 0: the step of `lcp` for points, that of `lcp` with impacts in two stages for
//! bodies. A contact without friction has neither `b` nor slips. Gap, normal and arms are those at the start of the step, or
//! where the step finds the contact on its way ([`Way`]), with the gap that is then at the start by the tangent there.

use super::{
    candidates::{Candidate, turn},
    task::{Keep, PlanTask},
    units::Units,
};
use crate::{model::Number, scenario::Inertia};

/// Most degrees of freedom of a body.
const MOST: usize = 3;

/// By how much in m and rad the two bodies of a candidate are displaced, from where they are at the start of a step, to where
/// their contact is found.
pub type Way = [[f64; MOST]; 2];

/// What a step is given: numbers that no variable changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// Force in N and torque in N m of every push of the scenario.
    pub loads: Vec<[f64; 3]>,
    /// That of every candidate.
    pub ways: Vec<Way>,
}

/// One step of a task, in units of the plan, whatever its number.
#[derive(Debug, Clone)]
pub struct StepRows {
    /// The units of its variables.
    pub units: Units,
    /// What may touch.
    pub candidates: Vec<Candidate>,
    steps: usize,
    /// The place of each body's first degree of freedom, and how many there are in all behind the last.
    first: Vec<usize>,
    /// Mass in kg and moment of inertia in kg m^2 of every body.
    inertia: Vec<[f64; 2]>,
    gravity: [f64; 2],
    /// Body and point of every control.
    controls: Vec<(usize, [f64; 2])>,
    /// Body and point of every push of the scenario.
    pushes: Vec<(Option<usize>, Option<[f64; 2]>)>,
    keeps: Vec<Keep>,
    layout: Layout,
}

/// Where the variables of a step stand, those of its start first.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Degrees of freedom of all bodies.
    pub freedom: usize,
    /// The duration of the plan in s.
    pub duration: usize,
    /// Places at the start.
    pub place: usize,
    /// Velocities at the start.
    pub velocity: usize,
    /// Three components of every control.
    pub push: usize,
    /// Velocities at the end.
    pub velocity_after: usize,
    /// Places at the end.
    pub place_after: usize,
    /// `fn`, `gap`, and where there is friction `b`, `w+`, `w-`, of every candidate.
    pub contacts: Vec<usize>,
    /// Number of variables.
    pub variables: usize,
    /// Rows that are zero: momentum, places.
    pub motion_rows: usize,
    /// The first row of every candidate: gap, slip, products.
    pub contact_rows: Vec<usize>,
    /// The first row of what keeps bodies where they have to stay; at least 0.
    pub keep_rows: usize,
    /// Number of rows.
    pub rows: usize,
}

impl StepRows {
    /// Those of a task.
    pub fn of(task: &PlanTask) -> Self {
        let scenario = &task.scenario;
        let candidates = Candidate::of(task);
        let mut first = vec![0];
        for body in 0..scenario.bodies.len() {
            first.push(first[body] + if task.turns(body) { MOST } else { 2 });
        }
        let inertia = scenario.bodies.iter().map(|body| match body.moment_of_inertia() {
            Some(Inertia::Plane(moment)) => [body.mass, moment],
            _ => [body.mass, 1.0],
        });
        let gravity = scenario.gravity_vector();
        let freedom = first[scenario.bodies.len()];
        let layout = Layout::new(freedom, task.controls.len(), &candidates, task.keeps.len());
        Self {
            units: Units::of(task),
            steps: task.steps,
            inertia: inertia.collect(),
            gravity: [gravity[0], gravity[1]],
            controls: task.controls.iter().map(|control| (control.body, control.point)).collect(),
            pushes: scenario
                .pushes
                .iter()
                .map(|push| (push.body, push.point.map(|point| [point[0], point[1]])))
                .collect(),
            keeps: task.keeps.clone(),
            first,
            candidates,
            layout,
        }
    }

    /// Where its variables and rows stand.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Number of pushes of the scenario, whose loads it takes.
    pub fn pushes(&self) -> usize {
        self.pushes.len()
    }

    /// The degrees of freedom of a body.
    pub fn freedoms(&self, body: usize) -> std::ops::Range<usize> {
        self.first[body]..self.first[body + 1]
    }

    /// Moment of inertia over mass of a body, in m^2.
    pub fn gyration(&self, body: usize) -> f64 {
        let [mass, moment] = self.inertia[body];
        moment / mass
    }

    /// The three components of a body of a list of all degrees of freedom; the third is 0 where it does not turn.
    pub fn of_body<S: Number>(&self, all: &[S], body: usize) -> [S; 3] {
        let range = self.freedoms(body);
        [0, 1, 2].map(|axis| if axis < range.len() { all[range.start + axis] } else { S::zero() })
    }

    /// Places in m and rad of places in units.
    pub fn places<S: Number>(&self, scaled: &[S]) -> Vec<S> {
        self.in_si(scaled, [self.units.length, self.units.length, 1.0])
    }

    /// Velocities in m/s and rad/s of velocities in units.
    pub fn velocities<S: Number>(&self, scaled: &[S]) -> Vec<S> {
        let Units { length, velocity, .. } = self.units;
        self.in_si(scaled, [velocity, velocity, velocity / length])
    }

    fn in_si<S: Number>(&self, scaled: &[S], units: [f64; 3]) -> Vec<S> {
        let bodies = 0..self.inertia.len();
        let axes = bodies.flat_map(|body| 0..self.freedoms(body).len());
        scaled.iter().zip(axes).map(|(value, axis)| *value * units[axis]).collect()
    }

    /// The gap of a candidate in m with the bodies at `places` in SI units.
    pub fn gap<S: Number>(&self, candidate: &Candidate, places: &[S]) -> S {
        self.met(candidate, places, &Way::default()).gap
    }

    /// The rows of a candidate where the bodies are after this `way`, and the gap that they would have before it by the tangent
    /// there.
    fn met<S: Number>(&self, candidate: &Candidate, places: &[S], way: &Way) -> super::candidates::Met<S> {
        let after = |body: usize, way: &[f64; MOST]| {
            let place = self.of_body(places, body);
            [0, 1, 2].map(|axis| place[axis] + way[axis])
        };
        let first = after(candidate.first, &way[0]);
        let second = candidate.second_body().map_or([S::zero(); 3], |body| after(body, &way[1]));
        let mut met = candidate.at(first, second);
        for (row, way) in met.rows[0].iter().zip(way) {
            for axis in 0..MOST {
                met.gap -= row[axis] * way[axis];
            }
        }
        met
    }

    /// All rows at the local variables `z`.
    pub fn values<S: Number>(&self, z: &[S], given: &Given, rows: &mut Vec<S>) {
        let Layout { freedom, duration, place, velocity, push, velocity_after, place_after, .. } =
            self.layout;
        let Units { length, velocity: speed, force } = self.units;
        rows.clear();
        let h = z[duration] / self.steps as f64;
        let q = self.places(&z[place..place + freedom]);
        let before = self.velocities(&z[velocity..velocity + freedom]);
        let after = self.velocities(&z[velocity_after..velocity_after + freedom]);
        let mut wrench = self.weights();
        self.add_loads(&q, &given.loads, &mut wrench);
        for (index, (body, point)) in self.controls.iter().enumerate() {
            let [fx, fz, torque] = [0, 1, 2].map(|part| z[push + 3 * index + part]);
            self.add_wrench(
                &mut wrench,
                *body,
                &q,
                Some(*point),
                [fx * force, fz * force, torque * (force * length)],
            );
        }
        let mut contact_rows = Vec::with_capacity(6 * self.candidates.len());
        let contacts = self.candidates.iter().zip(&self.layout.contacts);
        for ((candidate, at), way) in contacts.zip(&given.ways) {
            let met = self.met(candidate, &q, way);
            let (normal_force, gap) = (z[*at], z[at + 1]);
            let friction = candidate.friction > 0.0;
            let bodies = [Some(candidate.first), candidate.second_body()];
            let mut slip = [S::zero(), S::constant(met.belt)];
            for (side, body) in bodies.into_iter().enumerate().filter_map(|(side, body)| Some((side, body?)))
            {
                let tangential = if friction {
                    z[at + 2] * normal_force * (candidate.friction * force)
                } else {
                    S::zero()
                };
                for (axis, at) in self.freedoms(body).enumerate() {
                    let [normal, tangent] = [met.rows[0][side][axis], met.rows[1][side][axis]];
                    wrench[at] += normal * normal_force * force;
                    if friction {
                        wrench[at] += tangent * tangential;
                    }
                    slip[0] += normal * after[at];
                    slip[1] += tangent * after[at];
                }
            }
            contact_rows.push(gap - (met.gap + h * slip[0]) / length);
            if friction {
                let [b, plus, minus] = [2, 3, 4].map(|part| z[at + part]);
                contact_rows.push(slip[1] / speed - plus + minus);
                contact_rows.push(normal_force * gap);
                contact_rows.push(plus * (b + 1.0));
                contact_rows.push(minus * (-b + 1.0));
            } else {
                contact_rows.push(normal_force * gap);
            }
        }
        for body in 0..self.inertia.len() {
            let [mass, moment] = self.inertia[body];
            for (axis, at) in self.freedoms(body).enumerate() {
                let (inertia, unit) = if axis < 2 { (mass, speed) } else { (moment, speed / length) };
                rows.push((after[at] - before[at] - h * wrench[at] / inertia) / unit);
            }
        }
        let place_units = [length, length, 1.0];
        for body in 0..self.inertia.len() {
            for (axis, at) in self.freedoms(body).enumerate() {
                rows.push(z[place_after + at] - z[place + at] - h * after[at] / place_units[axis]);
            }
        }
        rows.append(&mut contact_rows);
        let ends = self.places(&z[place_after..place_after + freedom]);
        for keep in &self.keeps {
            let [x, z, _] = self.of_body(&ends, keep.body);
            rows.push(keep.value([x, z]));
        }
    }

    fn weights<S: Number>(&self) -> Vec<S> {
        let mut wrench = vec![S::zero(); self.layout.freedom];
        for (body, [mass, _]) in self.inertia.iter().enumerate() {
            let first = self.first[body];
            wrench[first] = S::constant(mass * self.gravity[0]);
            wrench[first + 1] = S::constant(mass * self.gravity[1]);
        }
        wrench
    }

    fn add_loads<S: Number>(&self, q: &[S], loads: &[[f64; 3]], wrench: &mut [S]) {
        for ((pushed, point), load) in self.pushes.iter().zip(loads) {
            let bodies = pushed.map_or(0..self.inertia.len(), |body| body..body + 1);
            for body in bodies {
                self.add_wrench(wrench, body, q, *point, load.map(S::constant));
            }
        }
    }

    fn add_wrench<S: Number>(
        &self,
        wrench: &mut [S],
        body: usize,
        q: &[S],
        point: Option<[f64; 2]>,
        [fx, fz, torque]: [S; 3],
    ) {
        let range = self.freedoms(body);
        wrench[range.start] += fx;
        wrench[range.start + 1] += fz;
        if range.len() == MOST {
            let at = range.start + 2;
            wrench[at] += torque;
            if let Some(point) = point.filter(|point| *point != [0.0; 2]) {
                let arm = turn(q[at], point.map(S::constant));
                wrench[at] += arm[0] * fz - arm[1] * fx;
            }
        }
    }
}

impl Layout {
    fn new(freedom: usize, controls: usize, candidates: &[Candidate], keeps: usize) -> Self {
        let place = 1;
        let velocity = place + freedom;
        let push = velocity + freedom;
        let velocity_after = push + 3 * controls;
        let place_after = velocity_after + freedom;
        let (mut variables, mut rows) = (place_after + freedom, 2 * freedom);
        let motion_rows = rows;
        let (mut contacts, mut contact_rows) = (Vec::new(), Vec::new());
        for candidate in candidates {
            contacts.push(variables);
            contact_rows.push(rows);
            variables += 5;
            rows += 5;
            if candidate.friction == 0.0 {
                variables -= 3;
                rows -= 3;
            }
        }
        let keep_rows = rows;
        rows += keeps;
        Self {
            freedom,
            duration: 0,
            place,
            velocity,
            push,
            velocity_after,
            place_after,
            contacts,
            variables,
            motion_rows,
            contact_rows,
            keep_rows,
            rows,
        }
    }
}
