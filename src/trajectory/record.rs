use super::{Contacts, Passage};
use crate::{
    model::{Attitude, PointMass, Spin, State, Vector},
    scenario::Scenario,
    stepper::{
        Contact, Honours, Ignored, JointForces, SolveReport, SolverInfo, StepFailure, StepStatus,
        StepperName, UsedSettings,
    },
    world::{ImpactReport, Passage as Search},
};

/// The motion of one scenario under one stepper.
#[derive(Debug, Clone)]
pub struct Trajectory<const D: usize> {
    /// What was simulated.
    pub scenario: Scenario<D>,
    /// By which stepper.
    pub stepper: StepperName,
    /// With which solver, if it needs one.
    pub solver: Option<SolverInfo>,
    /// The figures behind the settings that the scenario may leave to the stepper.
    pub settings: UsedSettings,
    /// What of the scenario the stepper honours.
    pub honours: Honours,
    /// How many steps of the scenario make one step here: 1, but in a [`Trajectory::sketch`].
    pub stride: usize,
    /// The motion of each body, all over the same steps.
    pub bodies: Vec<Motion<D>>,
    /// How the step `k -> k+1` was found.
    pub steps: Vec<StepRecord>,
    /// The contacts one by one, where the stepper tells them apart.
    pub contacts: Contacts<D>,
    /// What the joints did, one after the other in every step; empty where there are none, or the stepper does not say.
    pub joints: Vec<JointForces<D>>,
    /// How the run ended.
    pub ending: Ending,
    /// The first step that failed, if any; a run told to continue has one and goes on.
    pub first_failure: Option<Box<Failure<D>>>,
    /// Wall time of all steps in s.
    pub wall_seconds: f64,
}

/// The motion of one body.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion<const D: usize> {
    /// States of the centre of mass at `t_k = k dt`, one more than steps taken.
    pub states: Vec<State<D>>,
    /// How the body is turned at `t_k`; empty where all bodies are points.
    pub attitudes: Vec<Attitude>,
    /// What acted on its centre of mass in the step `k -> k+1`.
    pub steps: Vec<Record<D>>,
    /// Mean torque of the contacts about the centre of mass over the step in N m; empty where all
    /// bodies are points.
    pub torques: Vec<Spin>,
    /// Torque of the pushes about the centre of mass in N m; empty where all bodies are points.
    pub push_torques: Vec<Spin>,
}

/// What acted on a body over one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record<const D: usize> {
    /// Push in N: `U_k`, held over the step, or its mean where the stepper follows it
    /// ([`Honours::push_within_steps`]).
    pub push: Vector<D>,
    /// Mean contact force over the step in N, for a point the normal component last.
    pub force: Vector<D>,
    /// Work in J that driven bodies did on it over the step.
    pub driven_work: f64,
}

/// How one step was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepRecord {
    /// What the stepper says of it.
    pub report: SolveReport,
    /// What it did to find its contacts.
    pub search: Search,
    /// What was made of an impact in it, where the stepper tells.
    pub impact: Option<ImpactReport>,
    /// Wall time of the step in ns.
    pub nanoseconds: u64,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Every step of the scenario was taken.
    Complete,
    /// The observer asked to stop.
    Interrupted,
    /// A step failed and the run could not or was told not to go on.
    Failed,
}

/// A step that failed, with all that is needed to take it again.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure<const D: usize> {
    /// Index `k` of the step.
    pub index: usize,
    /// Time `t_k` in s at its start.
    pub time: f64,
    /// Length of the step in s.
    pub dt: f64,
    /// The bodies at `t_k`, as in [`StepInput`](crate::stepper::StepInput).
    pub states: Vec<State<D>>,
    /// How they are turned; empty where all bodies are points.
    pub attitudes: Vec<Attitude>,
    /// Push on each of them in N.
    pub forces: Vec<Vector<D>>,
    /// Torque on each of them in N m; empty where all bodies are points.
    pub torques: Vec<Spin>,
    /// What the stepper remembered of earlier steps.
    pub memory: Vec<f64>,
    /// What it answered.
    pub error: StepFailure,
}

impl<const D: usize> Trajectory<D> {
    /// The trajectory before the first step.
    pub fn start(scenario: &Scenario<D>, stepper: StepperName, honours: Honours) -> Self {
        Self::with_stride(scenario, stepper, honours, 1)
    }

    /// A trajectory for pictures before its first step, which keeps at most `most` states of all bodies
    /// together: all of them, or every n-th, with the mean forces over the n steps between. What is left at
    /// the end, fewer than n steps, is not in it.
    ///
    /// Nothing is to be measured on one that leaves states out.
    pub fn sketch(scenario: &Scenario<D>, stepper: StepperName, honours: Honours, most: usize) -> Self {
        let per_body = (most / scenario.bodies.len().max(1)).max(1);
        Self::with_stride(scenario, stepper, honours, scenario.time().steps.div_ceil(per_body).max(1))
    }

    fn with_stride(scenario: &Scenario<D>, stepper: StepperName, honours: Honours, stride: usize) -> Self {
        let steps = scenario.time().steps / stride;
        let attitudes = scenario.initial_attitudes();
        let motion = |(index, state)| {
            let mut states = Vec::with_capacity(steps + 1);
            states.push(state);
            let attitudes: Vec<Attitude> = attitudes.get(index).copied().into_iter().collect();
            Motion {
                states,
                attitudes,
                steps: Vec::with_capacity(steps),
                torques: Vec::new(),
                push_torques: Vec::new(),
            }
        };
        Self {
            scenario: scenario.clone(),
            stepper,
            solver: None,
            settings: UsedSettings::default(),
            honours,
            stride,
            bodies: scenario.initial_states().into_iter().enumerate().map(motion).collect(),
            steps: Vec::with_capacity(steps),
            contacts: Contacts::default(),
            joints: Vec::new(),
            ending: Ending::Complete,
            first_failure: None,
            wall_seconds: 0.0,
        }
    }

    /// Memory that a step of `scenario` takes here in bytes, for `2 (D - 1)` contacts to a body where they are told
    /// apart: what bodies that stand on each other have.
    pub fn bytes_per_step(scenario: &Scenario<D>) -> usize {
        let contacts = 2 * (D - 1) * size_of::<Contact<D>>();
        let turning = if scenario.initial_attitudes().is_empty() {
            0
        } else {
            size_of::<Attitude>() + 2 * size_of::<Spin>()
        };
        let body = size_of::<State<D>>() + size_of::<Record<D>>() + turning + contacts;
        scenario.bodies.len() * body + size_of::<StepRecord>()
    }

    /// Adds a step. They have to come in order, the first one first.
    pub fn record(&mut self, passage: &Passage<'_, D>) {
        let place = passage.index % self.stride;
        if self.stride > 1 && passage.index - place + self.stride > self.scenario.time().steps {
            return;
        }
        for (body, motion) in self.bodies.iter_mut().enumerate() {
            let record = passage.records[body];
            match motion.steps.last_mut().filter(|_| place > 0) {
                None => motion.steps.push(record),
                Some(mean) => {
                    mean.push += record.push;
                    mean.force += record.force;
                    mean.driven_work += record.driven_work;
                }
            }
        }
        if place + 1 < self.stride {
            return;
        }
        let share = 1.0 / self.stride as f64;
        for (body, motion) in self.bodies.iter_mut().enumerate() {
            motion.states.push(passage.states[1][body]);
            if let Some(mean) = motion.steps.last_mut().filter(|_| self.stride > 1) {
                mean.push *= share;
                mean.force *= share;
            }
            if let Some(attitude) = passage.attitudes[1].get(body) {
                motion.attitudes.push(*attitude);
                motion.torques.push(passage.torques[body]);
                motion.push_torques.push(passage.push_torques[body]);
            }
        }
        self.contacts.add_step(passage.contacts);
        self.joints.extend_from_slice(passage.joints);
        self.steps.push(*passage.step);
    }

    /// The steps in order, as [`stream`](crate::simulate::stream) passed them on. Not of a
    /// [`sketch`](Self::sketch) that leaves states out, which has none left to pass on.
    pub fn for_each_passage(&self, mut visit: impl FnMut(&Passage<'_, D>)) {
        if self.stride > 1 {
            return;
        }
        let mut states = [self.first_states(), self.first_states()];
        let first_attitudes: Vec<Attitude> =
            self.bodies.iter().filter_map(|motion| motion.attitudes.first().copied()).collect();
        let mut attitudes = [first_attitudes.clone(), first_attitudes];
        let (mut records, mut torques, mut push_torques) = (Vec::new(), Vec::new(), Vec::new());
        for (index, step) in self.steps.iter().enumerate() {
            states.swap(0, 1);
            attitudes.swap(0, 1);
            records.clear();
            torques.clear();
            push_torques.clear();
            for (body, motion) in self.bodies.iter().enumerate() {
                states[1][body] = motion.states[index + 1];
                records.push(motion.steps[index]);
                if let Some(attitude) = attitudes[1].get_mut(body) {
                    *attitude = motion.attitudes[index + 1];
                    torques.push(motion.torques[index]);
                    push_torques.push(motion.push_torques[index]);
                }
            }
            visit(&Passage {
                index,
                states: [&states[0], &states[1]],
                attitudes: [&attitudes[0], &attitudes[1]],
                records: &records,
                torques: &torques,
                push_torques: &push_torques,
                contacts: self.contacts.of_step(index),
                joints: self.joints_of_step(index),
                step,
            });
        }
    }

    /// What the joints did in step `k`; nothing if there is no such step.
    pub fn joints_of_step(&self, k: usize) -> &[JointForces<D>] {
        let count = self.scenario.joints.len();
        self.joints.get(k * count..(k + 1) * count).unwrap_or_default()
    }

    fn first_states(&self) -> Vec<State<D>> {
        self.bodies.iter().map(|motion| motion.states[0]).collect()
    }

    /// Time in s of state `k`.
    pub fn time(&self, k: usize) -> f64 {
        self.scenario.time().at(k * self.stride)
    }

    /// The values of the scenario of which the stepper makes nothing.
    pub fn ignored(&self) -> Vec<Ignored> {
        self.scenario.ignored(&self.honours)
    }

    /// What of the scenario is not done as written; see [`Scenario::warnings`].
    pub fn warnings(&self) -> Vec<String> {
        self.scenario.warnings(&self.honours)
    }

    /// The last state of body `body`.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn final_state(&self, body: usize) -> State<D> {
        self.track(body).final_state()
    }

    /// Number of steps with the given status.
    pub fn count(&self, status: StepStatus) -> usize {
        self.steps.iter().filter(|step| step.report.status == status).count()
    }

    /// How many steps failed, the one at which the run ended among them.
    pub fn failed_steps(&self) -> usize {
        self.count(StepStatus::Failed) + usize::from(self.ending == Ending::Failed)
    }

    /// The motion of body `body`, with all that measures and pictures need to know of the rest.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn track(&self, body: usize) -> Track<'_, D> {
        let Motion { states, attitudes, steps, torques, push_torques } = &self.bodies[body];
        Track {
            scenario: &self.scenario,
            stepper: self.stepper,
            honours: self.honours,
            stride: self.stride,
            body,
            states,
            attitudes,
            steps,
            torques,
            push_torques,
            reports: &self.steps,
            contacts: &self.contacts,
        }
    }

    /// The motions of all bodies, in order.
    pub fn tracks(&self) -> impl ExactSizeIterator<Item = Track<'_, D>> {
        (0..self.bodies.len()).map(|body| self.track(body))
    }
}

/// The motion of one body of a trajectory.
#[derive(Debug, Clone, Copy)]
pub struct Track<'a, const D: usize> {
    /// What was simulated.
    pub scenario: &'a Scenario<D>,
    /// By which stepper.
    pub stepper: StepperName,
    /// What of the scenario the stepper honours.
    pub honours: Honours,
    /// See [`Trajectory::stride`].
    pub stride: usize,
    /// The number of the body.
    pub body: usize,
    /// See [`Motion::states`].
    pub states: &'a [State<D>],
    /// See [`Motion::attitudes`].
    pub attitudes: &'a [Attitude],
    /// See [`Motion::steps`].
    pub steps: &'a [Record<D>],
    /// See [`Motion::torques`].
    pub torques: &'a [Spin],
    /// See [`Motion::push_torques`].
    pub push_torques: &'a [Spin],
    /// The contacts of all bodies.
    pub contacts: &'a Contacts<D>,
    /// See [`Trajectory::steps`].
    pub reports: &'a [StepRecord],
}

impl<const D: usize> Track<'_, D> {
    /// Time in s of state `k`.
    pub fn time(&self, k: usize) -> f64 {
        self.scenario.time().at(k * self.stride)
    }

    /// Time in s between two states: the step of the scenario, but in a [`Trajectory::sketch`].
    pub fn interval(&self) -> f64 {
        self.stride as f64 * self.scenario.step
    }

    /// The last state reached.
    pub fn final_state(&self) -> State<D> {
        self.states.last().copied().unwrap_or_else(|| self.scenario.initial_state(self.body))
    }

    /// Where a `point` in m in the axes of the body is at state `k`, if the run has that state.
    pub fn place(&self, k: usize, point: &Vector<D>) -> Option<Vector<D>> {
        let arm = self.attitudes.get(k).map_or(*point, |attitude| attitude.orientation.turn(point));
        Some(self.states.get(k)?.position + arm)
    }

    /// The body as a point over the ground; see [`Scenario::point`].
    pub fn point(&self) -> PointMass<D> {
        self.scenario.point(self.body)
    }
}
