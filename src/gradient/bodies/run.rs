//! A run of bodies that is taken step by step, with the derivative of every step.

use nalgebra::{DMatrix, DVector, SMatrix, SVector};

use super::{
    super::{Branches, GradientError, Grid, Input, Nearest},
    BodyEnd, BodyOptions, BodyRun, BodyTangents,
    chosen::distance_to_another_choice,
    end_names, no_derivative,
    rates::BodyDirection,
    step::BodyStep,
    taken::{Taken, TakenStage},
    world::GradientWorld,
};
use crate::{
    contact::{Posing, Solution},
    model::{Spin, Vector},
    scenario::Scenario,
    stepper::{Choice, Moved, Refusal, StepInput, StepperName, derivative::MarginKind},
    watch::Watch,
    world::{Impacts, Motion, StepProblem, TimeStepper},
};

/// A run that is taken step by step with the derivative of every step.
pub(super) struct Run<'a, W: GradientWorld<D, N>, const D: usize, const N: usize> {
    scenario: &'a Scenario<D>,
    name: StepperName,
    world: W,
    stepper: TimeStepper<D, N>,
    motion: Motion<W::Pose, N>,
    before: Motion<W::Pose, N>,
    moved: Moved<D>,
    wrenches: Vec<SVector<f64, N>>,
    inverse_mass: Vec<SMatrix<f64, N, N>>,
    loads: (Vec<Vector<D>>, Vec<Spin>),
}

/// The attempt of a step from which on it was solved without the rebounds that it was asked for.
const WITHOUT_REBOUND: u32 = 100;

impl<'a, W: GradientWorld<D, N>, const D: usize, const N: usize> Run<'a, W, D, N> {
    pub fn new(scenario: &'a Scenario<D>, name: StepperName) -> Result<Self, GradientError> {
        let refused = |reason: String| {
            GradientError::Refused(Refusal {
                stepper: name,
                reason,
                remedy: "correct the scenario".to_owned(),
            })
        };
        scenario.check().map_err(|violations| {
            let all: Vec<String> = violations.iter().map(ToString::to_string).collect();
            refused(all.join("; "))
        })?;
        let world = W::of(scenario).map_err(refused)?;
        if matches!(name, StepperName::Exact | StepperName::Own(_)) {
            return Err(no_derivative(name, "it has none on bodies; use nlp, cone, lcp, convex or smooth"));
        }
        let choice = Choice::<D, N>::of(scenario, name)?;
        let moved = Moved::start(scenario);
        let loads = (vec![Vector::zeros(); moved.states.len()], vec![Spin::zeros(); moved.attitudes.len()]);
        let empty = || Motion { poses: Vec::new(), velocities: Vec::new() };
        let mut run = Self {
            scenario,
            name,
            world,
            stepper: TimeStepper::new(choice.model, choice.impacts),
            motion: empty(),
            before: empty(),
            moved,
            wrenches: Vec::new(),
            inverse_mass: Vec::new(),
            loads,
        };
        run.load(0);
        Ok(run)
    }

    /// Reads the bodies and what pushes them in step `k`.
    fn load(&mut self, k: usize) {
        let Self { scenario, world, motion, moved, wrenches, loads, inverse_mass, .. } = self;
        scenario.loads_at(k, &moved.attitudes, &mut loads.0, &mut loads.1);
        let input = step_input(scenario, moved, loads, k);
        world.load(&input, motion, wrenches);
        world.inverse_inertia(motion, inverse_mass);
    }

    fn directions(&self, inputs: &[Input]) -> Result<Vec<BodyDirection<D, N>>, GradientError> {
        let new =
            |input: &Input| BodyDirection::new(self.scenario, &self.world, &self.motion, self.name, *input);
        Ok(inputs.iter().map(new).collect::<Result<_, _>>()?)
    }

    /// Takes step `k` and differentiates it.
    fn step(
        &mut self,
        k: usize,
        directions: &[BodyDirection<D, N>],
        corrected: bool,
    ) -> Result<BodyStep, GradientError> {
        self.load(k);
        let time = self.scenario.time();
        let dt = time.dt;
        self.before.clone_from(&self.motion);
        let failed = |reason: String| GradientError::Step { step: k, time: time.at(k), reason };
        let report = self
            .stepper
            .step(&self.world, &mut self.motion, &self.wrenches, dt)
            .map_err(|failure| failed(failure.to_string()))?;
        if report.rung >= WITHOUT_REBOUND {
            return Err(failed(
                "it was solved by another law than its own (without the rebounds that it asks for, or by the \
                 exact cone), and has no derivative"
                    .to_owned(),
            ));
        }
        let Self { scenario, name, world, stepper, before, moved, wrenches, loads, inverse_mass, .. } = self;
        let input = step_input(scenario, moved, loads, k);
        let none = || no_derivative(*name, "the law of its contacts has none here; use nlp, cone or smooth");
        let laws_of = |problem: &StepProblem<D, N>, solution: &Solution<D, N>| {
            stepper.model().linearised(&problem.contact, solution, &before.velocities).ok_or_else(none)
        };
        let (had_impact, has_thrown) = (stepper.had_impact(), stepper.has_thrown());
        let (problem, solution) = (stepper.moving_problem(), stepper.moving_solution());
        let mut stages = vec![TakenStage {
            problem,
            laws: laws_of(problem, solution)?,
            links: stepper.model().linearised_links(&problem.contact),
            solution,
            is_first_of_two: had_impact && !has_thrown,
        }];
        if had_impact || has_thrown {
            let (problem, solution) = (stepper.problem(), stepper.solution());
            let laws = laws_of(problem, solution)?;
            let links = stepper.model().linearised_links(&problem.contact);
            stages.push(TakenStage { problem, laws, links, solution, is_first_of_two: false });
        }
        let of_push = |body: usize| W::wrench_rates(scenario, k, body, moved.attitudes.get(body));
        let taken = Taken {
            world,
            motion: before,
            stages,
            compliant: stepper.model().posing() == Posing::Compliant,
            ends_at_the_ground: stepper.model().ends_at_the_ground(),
            wrenches: (0..scenario.bodies.len()).map(of_push).collect(),
        };
        let rates: Vec<_> = directions
            .iter()
            .map(|direction| direction.rates(world, &input, wrenches, inverse_mass))
            .collect();
        let step = BodyStep::of(&taken, &rates, corrected).map_err(|reason| {
            no_derivative(*name, &format!("in step {k} at t = {} s {reason}", time.at(k)))
        })?;
        self.world.store(&self.motion, &mut self.moved);
        Ok(step)
    }

    /// The derivative of the start, a column per input.
    fn start(&self, directions: &[BodyDirection<D, N>]) -> DMatrix<f64> {
        let bodies = self.scenario.bodies.len();
        let mut start = DMatrix::zeros(2 * N * bodies, directions.len());
        for (j, direction) in directions.iter().enumerate() {
            for (half, changes) in direction.start.iter().enumerate() {
                for (body, change) in
                    changes.iter().enumerate().filter(|(body, _)| !self.scenario.bodies[*body].fixed)
                {
                    start.fixed_view_mut::<N, 1>(N * (half * bodies + body), j).copy_from(change);
                }
            }
        }
        start
    }

    fn end(&self) -> (BodyEnd, DMatrix<f64>) {
        let bodies = self.scenario.bodies.len();
        let numbers: Vec<_> = (0..bodies)
            .flat_map(|body| W::end(&self.motion, body).into_iter().map(move |n| (body, n)))
            .collect();
        let mut rows = DMatrix::zeros(numbers.len(), 2 * N * bodies);
        for (i, (body, (_, parts))) in numbers.iter().enumerate() {
            for (half, part) in parts.iter().enumerate() {
                rows.fixed_view_mut::<1, N>(i, N * (half * bodies + body)).copy_from(&part.transpose());
            }
        }
        let values = numbers.iter().map(|(_, (value, _))| *value).collect();
        (BodyEnd { names: end_names(self.scenario, W::columns()), values }, rows)
    }

    /// Refuses a correction where a step has no impact of its own to correct.
    fn check(&self, options: BodyOptions) -> Result<(), GradientError> {
        let in_one_stage = self.stepper.impacts() == Impacts::OneStage;
        if !options.corrected || (in_one_stage && self.stepper.model().posing() == Posing::GapLevel) {
            return Ok(());
        }
        Err(no_derivative(self.name, "only impacts that nlp, lcp and cone take in one stage are corrected"))
    }
}

impl<W: GradientWorld<D, N>, const D: usize, const N: usize> BodyRun for Run<'_, W, D, N> {
    fn forward(
        mut self: Box<Self>,
        inputs: &[Input],
        options: BodyOptions,
        watch: &Watch<'_>,
    ) -> Result<BodyTangents, GradientError> {
        self.check(options)?;
        let directions = self.directions(inputs)?;
        let mut change = self.start(&directions);
        let mut nearest = vec![Nearest::default(); if options.kinks { inputs.len() } else { 0 }];
        let mut branches = Branches::default();
        let column = |change: &DMatrix<f64>, j: usize| change.column(j).amax();
        let mut largest: Vec<f64> = (0..inputs.len()).map(|j| column(&change, j)).collect();
        let grid = Grid::new(self.scenario.time());
        for (input, nearest) in inputs.iter().zip(&mut nearest) {
            if let Some(distance) = distance_to_another_choice(self.scenario, self.name, *input) {
                nearest.see(&grid.step(0), MarginKind::Choice, distance);
            }
        }
        for at in grid.steps() {
            GradientError::unless_stopped(watch)?;
            let step = self.step(at.index, &directions, options.corrected)?;
            let n = change.nrows();
            if options.kinks {
                branches.add(&step.branches);
            }
            for (j, nearest) in nearest.iter_mut().enumerate() {
                for margin in &step.margins {
                    let slope = (margin.row.columns(0, n) * change.column(j))[0] + margin.row[n + j];
                    let distance = if slope == 0.0 { f64::INFINITY } else { -margin.value / slope };
                    nearest.see(&at, margin.kind, distance);
                }
            }
            change = step.state * change + step.inputs;
            for (j, largest) in largest.iter_mut().enumerate() {
                *largest = largest.max(column(&change, j));
            }
        }
        if let Some(index) = (0..inputs.len()).find(|j| !change.column(*j).iter().all(|x| x.is_finite())) {
            return Err(GradientError::NotFinite { input: inputs[index] });
        }
        let (end, rows) = self.end();
        Ok(BodyTangents { end, jacobian: rows * change, nearest, branches, largest })
    }

    fn backward(
        mut self: Box<Self>,
        inputs: &[Input],
        weight: &[f64],
        options: BodyOptions,
        watch: &Watch<'_>,
    ) -> Result<(BodyEnd, Vec<f64>), GradientError> {
        self.check(options)?;
        let directions = self.directions(inputs)?;
        let start = self.start(&directions);
        let mut steps = Vec::new();
        for k in 0..self.scenario.time().steps {
            GradientError::unless_stopped(watch)?;
            let BodyStep { state, inputs, .. } = self.step(k, &directions, options.corrected)?;
            steps.push((state, inputs));
        }
        let (end, rows) = self.end();
        let given = DVector::from_fn(end.values.len(), |i, _| weight.get(i).copied().unwrap_or(0.0));
        let mut weight = rows.tr_mul(&given);
        let mut gradient = DVector::zeros(inputs.len());
        for (state, of_inputs) in steps.iter().rev() {
            gradient += of_inputs.tr_mul(&weight);
            weight = state.tr_mul(&weight);
        }
        gradient += start.tr_mul(&weight);
        if let Some(index) = gradient.iter().position(|x| !x.is_finite()) {
            return Err(GradientError::NotFinite { input: inputs[index] });
        }
        Ok((end, gradient.as_slice().to_vec()))
    }
}

fn step_input<'b, const D: usize>(
    scenario: &Scenario<D>,
    moved: &'b Moved<D>,
    loads: &'b (Vec<Vector<D>>, Vec<Spin>),
    k: usize,
) -> StepInput<'b, D> {
    let time = scenario.time();
    StepInput {
        index: k,
        time: time.at(k),
        dt: time.dt,
        states: &moved.states,
        attitudes: &moved.attitudes,
        forces: &loads.0,
        torques: &loads.1,
    }
}
