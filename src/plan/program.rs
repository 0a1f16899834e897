//! All steps of a plan as one nonlinear program.

use super::{
    block::Block,
    relaxation::Relaxed,
    step_rows::{Given, StepRows, Way},
    task::{Cost, PlanTask},
};
use crate::nlp::sparse::{SparseBounds, SparseNlp};

/// Price of friction and loads, by which corners that share a load do so in one way.
const SHARING: f64 = 1e-7;

/// Under which a sum of misses is smooth, in units of the plan.
const SMOOTH_MISS: f64 = 1e-8;

/// What a local variable of a step is in the program of all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Slot {
    /// A variable.
    Variable(usize),
    /// A number that the task fixes.
    Constant(f64),
}

impl Slot {
    /// Its value at `x`.
    pub fn at(self, x: &[f64]) -> f64 {
        match self {
            Self::Variable(index) => x[index],
            Self::Constant(value) => value,
        }
    }
}

/// The variables of a candidate of contact in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContactVariables {
    /// `fn`.
    pub load: usize,
    /// `gap`.
    pub gap: usize,
    /// `b`, `w+` and `w-`, where there is friction.
    pub friction: Option<[usize; 3]>,
}

/// What is made least.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sought {
    /// The cost, the goals being constraints or part of it as the task says.
    Cost,
    /// The misses of the goals, and a thousandth of the cost.
    Nearest,
}

/// `weight (x - centre)^power`, times the duration where that is a variable.
#[derive(Debug, Clone, Copy)]
struct Term {
    variable: usize,
    weight: f64,
    centre: f64,
    power: Power,
    times_duration: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Power {
    One,
    Two,
    /// `sqrt((x - centre)^2 + SMOOTH_MISS)`.
    Absolute,
}

/// A goal on one variable: the target and how far it may be missed, in units.
#[derive(Debug, Clone, Copy)]
pub struct GoalRow {
    /// Number of the goal.
    pub goal: usize,
    /// Which component.
    pub component: usize,
    /// Its place among the local variables of a step, at the end of that.
    pub local: usize,
    /// Variable at the end of the last step.
    pub variable: usize,
    /// In units of the plan.
    pub target: f64,
    /// In units of the plan; infinite where the goal is part of the cost.
    pub within: f64,
}

/// The program of a plan: [`StepRows`] stacked in time, the contact sequence free.
#[derive(Debug, Clone)]
pub struct Program {
    /// What is asked for.
    pub task: PlanTask,
    /// One step.
    pub rows: StepRows,
    /// Up to which products of complementary numbers may be.
    pub relaxation: f64,
    block: Block,
    /// What every step is given.
    given: Vec<Given>,
    slots: Vec<Vec<Slot>>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    terms: Vec<Term>,
    /// Component of a push, and the two parts of its size.
    sizes: Vec<[usize; 3]>,
    goals: Vec<GoalRow>,
    /// Whether gaps at the start are rows.
    has_start_gaps: bool,
}

impl Program {
    /// That of a task.
    pub fn new(task: &PlanTask, aim: Sought) -> Self {
        let rows = StepRows::of(task);
        let block = Block::of(&rows);
        let mut program = Self {
            given: given(task, rows.candidates.len()),
            task: task.clone(),
            relaxation: 1e-8,
            slots: Vec::with_capacity(task.steps),
            lower: Vec::new(),
            upper: Vec::new(),
            terms: Vec::new(),
            sizes: Vec::new(),
            goals: Vec::new(),
            has_start_gaps: false,
            rows,
            block,
        };
        program.lay_out();
        program.set_goals(aim);
        program.price(aim);
        program
    }

    /// What every local variable of step `k` is.
    pub fn slots(&self, k: usize) -> &[Slot] {
        &self.slots[k]
    }

    /// The goals, component by component.
    pub fn goals(&self) -> &[GoalRow] {
        &self.goals
    }

    /// Moves the target of a goal, in units of the plan.
    pub fn move_goal(&mut self, index: usize, target: f64) {
        self.goals[index].target = target;
    }

    /// On which way every step finds the contact of every candidate.
    pub fn ways(&self) -> impl Iterator<Item = &Vec<Way>> {
        self.given.iter().map(|given| &given.ways)
    }

    /// Has the steps find their contacts on these ways.
    pub fn set_ways(&mut self, ways: Vec<Vec<Way>>) {
        for (given, ways) in self.given.iter_mut().zip(ways) {
            given.ways = ways;
        }
    }

    /// The local variables of step `k`.
    pub fn local(&self, k: usize, x: &[f64]) -> Vec<f64> {
        self.slots[k].iter().map(|slot| slot.at(x)).collect()
    }

    /// Components of pushes, each with the two parts of its size, where those are priced.
    pub fn sizes(&self) -> &[[usize; 3]] {
        &self.sizes
    }

    /// Gives a variable other bounds.
    pub(super) fn set_bounds(&mut self, variable: usize, [lower, upper]: [f64; 2]) {
        self.lower[variable] = lower;
        self.upper[variable] = upper;
    }

    /// The variables of all candidates in step `k`.
    pub fn contact_variables(&self, k: usize) -> Vec<ContactVariables> {
        let slots = &self.slots[k];
        // None of them is ever fixed by a task.
        let variable = |local: usize| match slots[local] {
            Slot::Variable(variable) => variable,
            Slot::Constant(_) => 0,
        };
        let contacts = self.rows.layout().contacts.iter().zip(&self.rows.candidates);
        contacts
            .map(|(at, candidate)| ContactVariables {
                load: variable(*at),
                gap: variable(at + 1),
                friction: (candidate.friction > 0.0).then(|| [2, 3, 4].map(|part| variable(at + part))),
            })
            .collect()
    }

    /// The rows of all products of complementary numbers.
    pub fn product_rows(&self) -> Vec<usize> {
        let layout = self.rows.layout();
        let contacts = || layout.contact_rows.iter().zip(&self.rows.candidates);
        let of_step = |k: usize| {
            contacts().flat_map(move |(first, candidate)| {
                products(*first, candidate).map(move |row| k * layout.rows + row)
            })
        };
        (0..self.slots.len()).flat_map(of_step).collect()
    }

    /// Bounds of a variable.
    pub fn bounds_of(&self, variable: usize) -> [f64; 2] {
        [self.lower[variable], self.upper[variable]]
    }

    /// The largest product of complementary numbers among the values of the constraints.
    pub fn complementarity(&self, values: &[f64]) -> f64 {
        self.product_rows().into_iter().fold(0.0, |most, row| most.max(values[row].abs()))
    }

    /// The unit of the cost, in SI units.
    pub fn cost_unit(&self) -> f64 {
        let units = &self.rows.units;
        match self.task.cost {
            Cost::Effort => units.force * units.force,
            Cost::Impulse => units.force,
            Cost::Time => 1.0,
            Cost::Start => units.velocity * units.velocity,
        }
    }

    /// The cost in SI units at `x`, goals with a weight included, without the price of sharing.
    pub fn cost(&self, x: &[f64]) -> f64 {
        let shared: f64 = self.shared().map(|variable| SHARING * x[variable] * x[variable]).sum();
        (self.objective(x) - shared) * self.cost_unit()
    }

    /// Variables whose squares are priced a little: normal forces, and the friction of every contact.
    fn shared(&self) -> impl Iterator<Item = usize> + '_ {
        let layout = self.rows.layout();
        self.slots.iter().flat_map(move |slots| {
            let contacts = layout.contacts.iter().zip(&self.rows.candidates);
            contacts.flat_map(move |(at, candidate)| {
                let friction = (candidate.friction > 0.0).then_some(at + 2);
                std::iter::once(*at).chain(friction).filter_map(move |local| match slots[local] {
                    Slot::Variable(variable) => Some(variable),
                    Slot::Constant(_) => None,
                })
            })
        })
    }

    fn variable(&mut self, [lower, upper]: [f64; 2]) -> usize {
        self.lower.push(lower);
        self.upper.push(upper);
        self.lower.len() - 1
    }

    /// A variable, or the number that equal bounds leave.
    fn slot(&mut self, [lower, upper]: [f64; 2]) -> Slot {
        if lower == upper { Slot::Constant(lower) } else { Slot::Variable(self.variable([lower, upper])) }
    }

    fn lay_out(&mut self) {
        let free = [f64::NEG_INFINITY, f64::INFINITY];
        let positive = [0.0, f64::INFINITY];
        let task = self.task.clone();
        let units = self.rows.units;
        let duration = self.slot(task.duration);
        let layout = self.rows.layout().clone();
        let (mut places, mut velocities) = (Vec::new(), Vec::new());
        for body in 0..task.scenario.bodies.len() {
            for axis in 0..self.rows.freedoms(body).len() {
                let scaled = |component: usize| {
                    task.start[body][component].map(|end| end / units.of_component(component))
                };
                places.push(self.slot(scaled(axis)));
                velocities.push(self.slot(scaled(axis + 3)));
            }
        }
        self.has_start_gaps = places.iter().any(|slot| matches!(slot, Slot::Variable(_)));
        let bounds: Vec<[f64; 2]> = task
            .controls
            .iter()
            .flat_map(|control| {
                let scaled = |(part, ends): (usize, [f64; 2])| ends.map(|end| end / units.of_push(part));
                control.bounds().into_iter().enumerate().map(scaled)
            })
            .collect();
        let frictions: Vec<bool> =
            self.rows.candidates.iter().map(|candidate| candidate.friction > 0.0).collect();
        for _ in 0..task.steps {
            let mut slots = vec![duration];
            slots.extend_from_slice(&places);
            slots.extend_from_slice(&velocities);
            for ends in &bounds {
                let slot = self.slot(*ends);
                slots.push(slot);
            }
            velocities = (0..layout.freedom).map(|_| self.slot(free)).collect();
            places = (0..layout.freedom).map(|_| self.slot(free)).collect();
            slots.extend_from_slice(&velocities);
            slots.extend_from_slice(&places);
            for friction in &frictions {
                let kinds: &[[f64; 2]] = match friction {
                    true => &[positive, positive, [-1.0, 1.0], positive, positive],
                    false => &[positive, positive],
                };
                for ends in kinds {
                    let slot = self.slot(*ends);
                    slots.push(slot);
                }
            }
            self.slots.push(slots);
        }
    }

    fn set_goals(&mut self, aim: Sought) {
        let Some(last) = self.slots.last() else { return };
        let layout = self.rows.layout();
        for (index, goal) in self.task.goals.iter().enumerate() {
            let range = self.rows.freedoms(goal.body);
            for (component, target) in goal.target.iter().enumerate() {
                let (axis, first) = if component < 3 {
                    (component, layout.place_after)
                } else {
                    (component - 3, layout.velocity_after)
                };
                let (Some(target), true) = (target, axis < range.len()) else { continue };
                let local = first + range.start + axis;
                let Slot::Variable(variable) = last[local] else { continue };
                let is_soft = goal.weight.is_some() || aim == Sought::Nearest;
                self.goals.push(GoalRow {
                    goal: index,
                    component,
                    local,
                    variable,
                    target: target / self.rows.units.of_component(component),
                    within: if is_soft { f64::INFINITY } else { goal.within },
                });
            }
        }
    }

    fn price(&mut self, aim: Sought) {
        let layout = self.rows.layout().clone();
        let share = 1.0 / self.task.steps as f64;
        let duration = self.slots.first().map_or(Slot::Constant(0.0), |slots| slots[0]);
        // What is summed over steps of h = T/N.
        let (per_step, times_duration) = match duration {
            Slot::Variable(_) => (share, true),
            Slot::Constant(duration) => (duration * share, false),
        };
        let scale = if aim == Sought::Nearest { 1e-3 } else { 1.0 };
        let square = |variable, weight| Term {
            variable,
            weight: scale * weight,
            centre: 0.0,
            power: Power::Two,
            times_duration: false,
        };
        let mut terms = Vec::new();
        match self.task.cost {
            Cost::Effort | Cost::Impulse => {
                for k in 0..self.slots.len() {
                    for local in layout.push..layout.velocity_after {
                        let Slot::Variable(variable) = self.slots[k][local] else { continue };
                        if self.task.cost == Cost::Effort {
                            terms.push(Term { times_duration, ..square(variable, per_step) });
                            continue;
                        }
                        let positive = [0.0, f64::INFINITY];
                        let parts = [self.variable(positive), self.variable(positive)];
                        self.sizes.push([variable, parts[0], parts[1]]);
                        terms.extend(parts.map(|part| Term {
                            times_duration,
                            power: Power::One,
                            ..square(part, per_step)
                        }));
                    }
                }
            }
            Cost::Time => {
                if let Slot::Variable(variable) = duration {
                    terms.push(Term { power: Power::One, ..square(variable, 1.0) });
                }
            }
            Cost::Start => {
                let Some(first) = self.slots.first() else { return };
                let length = self.rows.units.length;
                for body in 0..self.task.scenario.bodies.len() {
                    for (axis, at) in self.rows.freedoms(body).enumerate() {
                        let Slot::Variable(variable) = first[layout.velocity + at] else { continue };
                        let weight =
                            if axis < 2 { 1.0 } else { self.rows.gyration(body) / (length * length) };
                        terms.push(square(variable, weight));
                    }
                }
            }
        }
        let cost_unit = self.cost_unit();
        for row in &self.goals {
            let goal = &self.task.goals[row.goal];
            let unit = self.rows.units.of_component(row.component);
            if aim == Sought::Nearest {
                terms.push(Term {
                    variable: row.variable,
                    weight: 1.0,
                    centre: row.target,
                    power: Power::Absolute,
                    times_duration: false,
                });
            } else if let Some(weight) = goal.weight {
                let weight = weight[row.component] * unit * unit / cost_unit;
                terms.push(Term { centre: row.target, ..square(row.variable, weight) });
            }
            let weight = goal.running_weight[row.component] * unit * unit / cost_unit;
            if weight == 0.0 {
                continue;
            }
            for slots in &self.slots {
                let Slot::Variable(variable) = slots[row.local] else { continue };
                let running = square(variable, weight * per_step);
                terms.push(Term { centre: row.target, times_duration, ..running });
            }
        }
        let shared: Vec<usize> = self.shared().collect();
        terms.extend(shared.into_iter().map(|variable| Term { weight: SHARING, ..square(variable, 1.0) }));
        self.terms = terms;
    }

    /// The variable that is the duration, if it is one.
    fn duration(&self) -> Option<usize> {
        match self.slots.first()?[0] {
            Slot::Variable(variable) => Some(variable),
            Slot::Constant(_) => None,
        }
    }

    /// Hard goals, which have a row.
    pub(super) fn hard_goals(&self) -> impl Iterator<Item = &GoalRow> {
        self.goals.iter().filter(|goal| goal.within.is_finite())
    }

    /// Number of rows of gaps at the start.
    pub(super) fn start_gaps(&self) -> usize {
        if self.has_start_gaps { self.rows.candidates.len() } else { 0 }
    }

    /// The gaps of all candidates at the start, in units, written in any kind of number.
    fn start_gap<S: crate::model::Number>(&self, candidate: usize, places: &[S]) -> S {
        let places = self.rows.places(places);
        self.rows.gap(&self.rows.candidates[candidate], &places) / self.rows.units.length
    }

    fn start_places(&self, x: &[f64]) -> Vec<f64> {
        let layout = self.rows.layout();
        let slots = &self.slots[0][layout.place..layout.place + layout.freedom];
        slots.iter().map(|slot| slot.at(x)).collect()
    }

    /// Places at the start that are variables: which degree of freedom, which variable.
    fn free_start(&self) -> Vec<(usize, usize)> {
        let layout = self.rows.layout();
        let slots = &self.slots[0][layout.place..layout.place + layout.freedom];
        let variable = |(at, slot): (usize, &Slot)| match slot {
            Slot::Variable(variable) => Some((at, *variable)),
            Slot::Constant(_) => None,
        };
        slots.iter().enumerate().filter_map(variable).collect()
    }
}

/// The rows of the products of a candidate whose rows begin at `first`.
fn products(first: usize, candidate: &super::Candidate) -> std::ops::Range<usize> {
    if candidate.friction > 0.0 { first + 2..first + 5 } else { first + 1..first + 2 }
}

/// What every step is given as long as nothing is known of its way.
fn given(task: &PlanTask, candidates: usize) -> Vec<Given> {
    let h = (task.duration[0] * task.duration[1]).sqrt() / task.steps as f64;
    let upright = crate::model::Attitude {
        orientation: crate::model::Orientation::Angle(0.0),
        spin: crate::model::Spin::zeros(),
    };
    let load = |push: &crate::scenario::Push<2>, k| {
        let force = push.at_step(k, h);
        // Where the force acts depends on how the body is turned, which the rows know.
        let own = crate::scenario::Push { point: None, ..push.clone() };
        [force[0], force[1], own.torque_at_step(k, h, &upright)[0]]
    };
    let loads = |k: usize| task.scenario.pushes.iter().map(|push| load(push, k)).collect();
    (0..task.steps).map(|k| Given { loads: loads(k), ways: vec![Way::default(); candidates] }).collect()
}

impl Term {
    fn value(&self, x: &[f64], duration: f64) -> f64 {
        let away = x[self.variable] - self.centre;
        let factor = if self.times_duration { duration } else { 1.0 };
        self.weight * factor * self.power.value(away)
    }
}

impl Power {
    fn value(self, x: f64) -> f64 {
        match self {
            Self::One => x,
            Self::Two => x * x,
            Self::Absolute => (x * x + SMOOTH_MISS).sqrt(),
        }
    }

    fn slope(self, x: f64) -> f64 {
        match self {
            Self::One => 1.0,
            Self::Two => 2.0 * x,
            Self::Absolute => x / (x * x + SMOOTH_MISS).sqrt(),
        }
    }

    fn curvature(self, x: f64) -> f64 {
        match self {
            Self::One => 0.0,
            Self::Two => 2.0,
            Self::Absolute => SMOOTH_MISS / (x * x + SMOOTH_MISS).powf(1.5),
        }
    }
}

impl Relaxed for Program {
    fn relax(&mut self, tau: f64) {
        self.relaxation = tau;
    }
}

impl SparseNlp for Program {
    fn variables(&self) -> usize {
        self.lower.len()
    }

    fn constraints(&self) -> usize {
        self.slots.len() * self.rows.layout().rows
            + self.sizes.len()
            + self.start_gaps()
            + self.hard_goals().count()
    }

    fn variable_bounds(&self) -> SparseBounds {
        SparseBounds { lower: self.lower.clone(), upper: self.upper.clone() }
    }

    fn constraint_bounds(&self) -> SparseBounds {
        let layout = self.rows.layout();
        let infinite = f64::INFINITY;
        let (mut lower, mut upper) = (vec![0.0; layout.rows], vec![0.0; layout.rows]);
        for (first, candidate) in layout.contact_rows.iter().zip(&self.rows.candidates) {
            let products = products(*first, candidate);
            lower[products.clone()].fill(-infinite);
            upper[products].fill(self.relaxation);
        }
        upper[layout.keep_rows..].fill(infinite);
        let (mut lower, mut upper) = (lower.repeat(self.slots.len()), upper.repeat(self.slots.len()));
        lower.extend(self.sizes.iter().map(|_| 0.0));
        upper.extend(self.sizes.iter().map(|_| 0.0));
        lower.extend((0..self.start_gaps()).map(|_| 0.0));
        upper.extend((0..self.start_gaps()).map(|_| infinite));
        lower.extend(self.hard_goals().map(|goal| goal.target - goal.within));
        upper.extend(self.hard_goals().map(|goal| goal.target + goal.within));
        SparseBounds { lower, upper }
    }

    fn objective(&self, x: &[f64]) -> f64 {
        let duration = self.duration().map_or(0.0, |variable| x[variable]);
        let fixed = match (self.task.cost, self.duration()) {
            (Cost::Time, None) => self.task.duration[0],
            _ => 0.0,
        };
        fixed + self.terms.iter().map(|term| term.value(x, duration)).sum::<f64>()
    }

    fn gradient(&self, x: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        for term in &self.terms {
            let away = x[term.variable] - term.centre;
            let slope = term.weight * term.power.slope(away);
            match self.duration().filter(|_| term.times_duration) {
                Some(duration) => {
                    gradient[term.variable] += slope * x[duration];
                    gradient[duration] += term.weight * term.power.value(away);
                }
                None => gradient[term.variable] += slope,
            }
        }
    }

    fn constraint_values(&self, x: &[f64], values: &mut [f64]) {
        let mut found = Vec::new();
        let mut all = Vec::with_capacity(values.len());
        for k in 0..self.slots.len() {
            self.rows.values(&self.local(k, x), &self.given[k], &mut found);
            all.extend_from_slice(&found);
        }
        all.extend(self.sizes.iter().map(|[push, plus, minus]| x[*push] - x[*plus] + x[*minus]));
        let places = self.start_places(x);
        all.extend((0..self.start_gaps()).map(|candidate| self.start_gap(candidate, &places)));
        all.extend(self.hard_goals().map(|goal| x[goal.variable]));
        values.copy_from_slice(&all);
    }

    fn jacobian_entries(&self) -> Vec<(usize, usize)> {
        let rows = self.rows.layout().rows;
        let mut entries = Vec::new();
        for (k, slots) in self.slots.iter().enumerate() {
            entries.extend(self.block.jacobian.iter().filter_map(|(row, local)| match slots[*local] {
                Slot::Variable(variable) => Some((k * rows + row, variable)),
                Slot::Constant(_) => None,
            }));
        }
        let mut row = self.slots.len() * rows;
        for parts in &self.sizes {
            entries.extend(parts.iter().map(|part| (row, *part)));
            row += 1;
        }
        for _ in 0..self.start_gaps() {
            entries.extend(self.free_start().into_iter().map(|(_, variable)| (row, variable)));
            row += 1;
        }
        for goal in self.hard_goals() {
            entries.push((row, goal.variable));
            row += 1;
        }
        entries
    }

    fn jacobian_values(&self, x: &[f64], values: &mut [f64]) {
        let mut found = vec![0.0; self.block.jacobian.len()];
        let mut all = Vec::with_capacity(values.len());
        for (k, slots) in self.slots.iter().enumerate() {
            self.block.jacobian_values(&self.rows, &self.local(k, x), &self.given[k], &mut found);
            let entries = self.block.jacobian.iter().zip(&found);
            all.extend(
                entries
                    .filter(|((_, local), _)| matches!(slots[*local], Slot::Variable(_)))
                    .map(|(_, value)| *value),
            );
        }
        self.sizes.iter().for_each(|_| all.extend([1.0, -1.0, 1.0]));
        if self.has_start_gaps {
            use num_dual::Dual64;
            let mut places: Vec<Dual64> = self.start_places(x).into_iter().map(Dual64::from_re).collect();
            for candidate in 0..self.start_gaps() {
                for (at, _) in self.free_start() {
                    places[at].eps = 1.0;
                    all.push(self.start_gap(candidate, &places).eps);
                    places[at].eps = 0.0;
                }
            }
        }
        all.extend(self.hard_goals().map(|_| 1.0));
        values.copy_from_slice(&all);
    }

    fn hessian_entries(&self) -> Vec<(usize, usize)> {
        let lower = |a: usize, b: usize| (a.max(b), a.min(b));
        let mut entries = Vec::new();
        for slots in &self.slots {
            entries.extend(self.block.hessian.iter().filter_map(|(one, other)| {
                match (slots[*one], slots[*other]) {
                    (Slot::Variable(one), Slot::Variable(other)) => Some(lower(one, other)),
                    _ => None,
                }
            }));
        }
        if self.has_start_gaps {
            let free = self.free_start();
            for (index, (_, one)) in free.iter().enumerate() {
                entries.extend(free[..=index].iter().map(|(_, other)| lower(*one, *other)));
            }
        }
        for term in &self.terms {
            entries.push((term.variable, term.variable));
            if let Some(duration) = self.duration().filter(|_| term.times_duration) {
                entries.push(lower(term.variable, duration));
            }
        }
        entries
    }

    fn hessian_values(&self, x: &[f64], sigma: f64, y: &[f64], values: &mut [f64]) {
        let rows = self.rows.layout().rows;
        let mut found = vec![0.0; self.block.hessian.len()];
        let mut all = Vec::with_capacity(values.len());
        for (k, slots) in self.slots.iter().enumerate() {
            let own = &y[k * rows..(k + 1) * rows];
            self.block.hessian_values(&self.rows, &self.local(k, x), &self.given[k], own, &mut found);
            let is_variable = |local: usize| matches!(slots[local], Slot::Variable(_));
            let entries = self.block.hessian.iter().zip(&found);
            all.extend(
                entries
                    .filter(|((one, other), _)| is_variable(*one) && is_variable(*other))
                    .map(|(_, value)| *value),
            );
        }
        if self.has_start_gaps {
            use num_dual::HyperDual64;
            let first = self.slots.len() * rows + self.sizes.len();
            let mut places: Vec<HyperDual64> =
                self.start_places(x).into_iter().map(HyperDual64::from_re).collect();
            let free = self.free_start();
            for (index, (one, _)) in free.iter().enumerate() {
                for (other, _) in &free[..=index] {
                    places[*one].eps1 = 1.0;
                    places[*other].eps2 = 1.0;
                    let gaps = (0..self.start_gaps())
                        .map(|candidate| self.start_gap(candidate, &places).eps1eps2 * y[first + candidate]);
                    all.push(gaps.sum());
                    places[*one].eps1 = 0.0;
                    places[*other].eps2 = 0.0;
                }
            }
        }
        for term in &self.terms {
            let away = x[term.variable] - term.centre;
            let weight = sigma * term.weight;
            let duration = self.duration().filter(|_| term.times_duration);
            all.push(weight * term.power.curvature(away) * duration.map_or(1.0, |variable| x[variable]));
            if duration.is_some() {
                all.push(weight * term.power.slope(away));
            }
        }
        values.copy_from_slice(&all);
    }
}
