//! A run of bodies that is taken step by step, with the derivative of every step.

use nalgebra::{DMatrix, DVector, SMatrix, SVector};

use super::{
    super::{Branches, GradientError, Grid, Input, Nearest},
    BodyEnd, BodyOptions, BodyRun, BodyTangents, DerivativeRule,
    chosen::distance_to_another_choice,
    directions::Directions,
    end_names, no_derivative,
    rates::BodyDirection,
    step::{BodyStep, Otherwise},
    taken::{Taken, TakenStage},
    world::GradientWorld,
};
use crate::{
    contact::{LawSolved, Posing, Solution},
    model::{Spin, Vector},
    scenario::Scenario,
    stepper::{Choice, Choose, Moved, Refusal, StepInput, StepperName, derivative::MarginKind},
    watch::Watch,
    world::{Impacts, Motion, StepProblem, TimeStepper},
};

/// What pushes the bodies in a step.
struct Loads<const D: usize> {
    forces: Vec<Vector<D>>,
    torques: Vec<Spin>,
}

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
    loads: Loads<D>,
}

impl<'a, W: GradientWorld<D, N>, const D: usize, const N: usize> Run<'a, W, D, N> {
    pub fn new(scenario: &'a Scenario<D>, name: StepperName) -> Result<Self, GradientError>
    where
        Choice<D, N>: Choose<D>,
    {
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
        let row = name.descriptor();
        let steps_bodies = row.is_contact_model() || row.capabilities.is_exact;
        if steps_bodies && !row.capabilities.differentiates_bodies {
            return Err(no_derivative(name, "it has none on bodies; use nlp, cone, lcp, convex or smooth"));
        }
        let choice = Choice::<D, N>::of(scenario, name)?;
        let moved = Moved::start(scenario);
        let loads = Loads {
            forces: vec![Vector::zeros(); moved.states.len()],
            torques: vec![Spin::zeros(); moved.attitudes.len()],
        };
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
        scenario.loads_at(k, &moved.attitudes, &mut loads.forces, &mut loads.torques);
        let input = step_input(scenario, moved, loads, k);
        world.load(&input, motion, wrenches);
        world.inverse_inertia(motion, inverse_mass);
    }

    fn directions(&self, inputs: &[Input]) -> Result<Vec<BodyDirection<D, N>>, GradientError> {
        let new =
            |input: &Input| BodyDirection::new(self.scenario, &self.world, &self.motion, self.name, *input);
        Ok(inputs.iter().map(new).collect::<Result<_, _>>()?)
    }

    /// Takes step `k` and differentiates it with respect to `inputs`, along these directions.
    fn step(
        &mut self,
        k: usize,
        inputs: &[BodyDirection<D, N>],
        directions: &Directions<'_>,
        otherwise: Otherwise<'_>,
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
        let how = match report.law {
            LawSolved::Own => None,
            LawSolved::WithoutRebound => Some("without the rebounds that it asks for"),
            LawSolved::ExactCone => Some("by the exact cone"),
        };
        if let Some(how) = how {
            return Err(failed(format!(
                "it was solved by another law than its own ({how}), and has no derivative"
            )));
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
            rebounds: stepper.rebounds(),
            compliant: stepper.model().posing() == Posing::Compliant,
            at_touch: stepper.model().posing() == Posing::VelocityLevel,
            ends_at_the_ground: stepper.model().ends_at_the_ground(),
            wrenches: (0..scenario.bodies.len()).map(of_push).collect(),
        };
        let rates: Vec<_> = inputs.iter().map(|of| of.rates(world, &input, wrenches, inverse_mass)).collect();
        let step = BodyStep::of(&taken, &rates, directions, otherwise)
            .map_err(|reason| no_derivative(*name, &in_step(k, time.at(k), &reason)))?;
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
    fn check(&self, rule: DerivativeRule) -> Result<(), GradientError> {
        let in_one_stage = self.stepper.impacts() == Impacts::OneStage;
        if rule != DerivativeRule::Corrected
            || (in_one_stage && self.stepper.model().posing() == Posing::GapLevel)
        {
            return Ok(());
        }
        Err(no_derivative(self.name, "only impacts that nlp, lcp and cone take in one stage are corrected"))
    }
}

impl<W: GradientWorld<D, N>, const D: usize, const N: usize> BodyRun for Run<'_, W, D, N> {
    fn forward_by(
        mut self: Box<Self>,
        inputs: &[Input],
        rules: &[DerivativeRule],
        kinks: bool,
        watch: &Watch<'_>,
    ) -> Result<Vec<Result<BodyTangents, GradientError>>, GradientError> {
        let mut refused: Vec<Result<(), GradientError>> =
            rules.iter().map(|rule| self.check(*rule)).collect();
        let of_inputs = self.directions(inputs)?;
        let start = self.start(&of_inputs);
        let (n, count) = (start.nrows(), inputs.len());
        // The columns of each rule, one per input.
        let own = |rule: usize| rule * count..(rule + 1) * count;
        let mut change = DMatrix::zeros(n + count, rules.len() * count);
        for rule in 0..rules.len() {
            change.view_mut((0, rule * count), (n, count)).copy_from(&start);
            change.view_mut((n, rule * count), (count, count)).fill_with_identity();
        }
        let mut nearest = vec![Nearest::default(); if kinks { change.ncols() } else { 0 }];
        let mut branches = Branches::default();
        let size = |change: &DMatrix<f64>, j: usize| change.view((0, j), (n, 1)).amax();
        let mut largest: Vec<f64> = (0..change.ncols()).map(|j| size(&change, j)).collect();
        let grid = Grid::new(self.scenario.time());
        for (column, nearest) in nearest.iter_mut().enumerate() {
            let input = inputs[column % count];
            if let Some(distance) = distance_to_another_choice(self.scenario, self.name, input) {
                nearest.see(&grid.step(0), MarginKind::Choice, distance);
            }
        }
        let place = |wanted: DerivativeRule| rules.iter().position(|rule| *rule == wanted);
        let corrected = place(DerivativeRule::Corrected);
        let sharing = place(DerivativeRule::Sharing).map_or(0..0, own);
        let mut loads = None;
        for at in grid.steps() {
            if watch.advance(1).is_break() {
                return Err(GradientError::Interrupted);
            }
            let to_correct = corrected.filter(|rule| refused[*rule].is_ok());
            let otherwise = Otherwise {
                corrected: to_correct.map_or(0..0, own),
                sharing: sharing.clone(),
                before: loads.as_ref(),
            };
            let step = self.step(at.index, &of_inputs, &Directions::along(&change, count), otherwise)?;
            loads = step.loads;
            if let (Some(rule), Some(reason)) = (to_correct, step.not_corrected) {
                refused[rule] = Err(no_derivative(self.name, &in_step(at.index, at.time, &reason)));
            }
            if kinks {
                branches.add(&step.branches);
            }
            for margin in &step.margins {
                for (nearest, &slope) in nearest.iter_mut().zip(margin.row.iter()) {
                    let distance = if slope == 0.0 { f64::INFINITY } else { -margin.value / slope };
                    nearest.see(&at, margin.kind, distance);
                }
            }
            change.rows_mut(0, n).copy_from(&step.change);
            for (j, largest) in largest.iter_mut().enumerate() {
                *largest = largest.max(size(&change, j));
            }
        }
        let (end, rows) = self.end();
        let jacobian = rows * change.rows(0, n);
        let of_rule = |(rule, refused): (usize, Result<(), GradientError>)| {
            refused?;
            let of_inputs = change.columns_range(own(rule));
            let is_finite = |column: usize| of_inputs.column(column).iter().all(|x| x.is_finite());
            if let Some(index) = (0..count).find(|column| !is_finite(*column)) {
                return Err(GradientError::NotFinite { input: inputs[index] });
            }
            Ok(BodyTangents {
                end: end.clone(),
                jacobian: jacobian.columns_range(own(rule)).into_owned(),
                nearest: if kinks { nearest[own(rule)].to_vec() } else { Vec::new() },
                branches,
                largest: largest[own(rule)].to_vec(),
            })
        };
        Ok(refused.into_iter().enumerate().map(of_rule).collect())
    }

    fn backward(
        mut self: Box<Self>,
        inputs: &[Input],
        weight: &[f64],
        options: BodyOptions,
        watch: &Watch<'_>,
    ) -> Result<(BodyEnd, Vec<f64>), GradientError> {
        self.check(options.rule())?;
        let of_inputs = self.directions(inputs)?;
        let start = self.start(&of_inputs);
        let (n, count) = (start.nrows(), inputs.len());
        let every = Directions::every(n, count);
        let time = self.scenario.time();
        let mut steps = Vec::new();
        for k in 0..time.steps {
            if watch.advance(1).is_break() {
                return Err(GradientError::Interrupted);
            }
            let corrected = if options.corrected { 0..n + count } else { 0..0 };
            let otherwise = Otherwise { corrected, ..Otherwise::default() };
            let BodyStep { change, not_corrected, .. } = self.step(k, &of_inputs, &every, otherwise)?;
            if let Some(reason) = not_corrected {
                return Err(no_derivative(self.name, &in_step(k, time.at(k), &reason)));
            }
            steps.push(change);
        }
        let (end, rows) = self.end();
        let given = DVector::from_fn(end.values.len(), |i, _| weight.get(i).copied().unwrap_or(0.0));
        let mut weight = rows.tr_mul(&given);
        let mut gradient = DVector::zeros(inputs.len());
        for step in steps.iter().rev() {
            gradient += step.columns(n, count).tr_mul(&weight);
            weight = step.columns(0, n).tr_mul(&weight);
        }
        gradient += start.tr_mul(&weight);
        if let Some(index) = gradient.iter().position(|x| !x.is_finite()) {
            return Err(GradientError::NotFinite { input: inputs[index] });
        }
        Ok((end, gradient.as_slice().to_vec()))
    }
}

/// Where something happens, and what.
fn in_step(k: usize, time: f64, what: &str) -> String {
    format!("in step {k} at t = {time} s {what}")
}

fn step_input<'b, const D: usize>(
    scenario: &Scenario<D>,
    moved: &'b Moved<D>,
    loads: &'b Loads<D>,
    k: usize,
) -> StepInput<'b, D> {
    let time = scenario.time();
    StepInput {
        index: k,
        time: time.at(k),
        dt: time.dt,
        states: &moved.states,
        attitudes: &moved.attitudes,
        forces: &loads.forces,
        torques: &loads.torques,
    }
}
