//! A run of bodies that is taken step by step, with the derivative of every step.

use std::ops::Range;

use nalgebra::{DMatrix, DVector, SMatrix, SVector};

use super::{
    DerivativeRule, GradientError, Input, Nearest,
    blows::{Left, taken_blows},
    break_away::Held,
    chosen::distance_to_another_choice,
    directions::Directions,
    loads::LoadRates,
    no_derivative,
    rates::{BodyDirection, StepStart},
    step::{BodyStep, Otherwise},
    taken::{Taken, TakenStage},
    world::GradientWorld,
};
use crate::{
    contact::{ContactProblem, LawSolved, Posing, Solution},
    gradient::{
        GradientOptions, Grid, GridStep, Steps,
        output::output_names,
        run::{Beginning, Columns, Motion as Differentiated, RunEnd},
    },
    model::{Spin, Vector},
    scenario::{JointKind, JointSetup, Scenario},
    stepper::{Choice, Choose, Moved, Refusal, StepInput, StepperName, derivative::MarginKind},
    world::{JointClosing, Motion, Surface, TimeStepper},
};

/// What pushes the bodies in a step.
struct Loads<const D: usize> {
    forces: Vec<Vector<D>>,
    torques: Vec<Spin>,
}

/// A run that is taken step by step with the derivative of every step.
pub(in crate::gradient) struct BodyRun<'a, W: GradientWorld<D, N>, const D: usize, const N: usize> {
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
    /// How its steps change with each input.
    directions: Vec<BodyDirection<D, N>>,
    /// How the loads of the step before changed.
    shared: Option<LoadRates>,
    /// What held in the step before.
    held: Option<Held>,
}

impl<'a, W: GradientWorld<D, N>, const D: usize, const N: usize> BodyRun<'a, W, D, N> {
    pub fn new(scenario: &'a Scenario<D>, steps: Steps) -> Result<Self, GradientError>
    where
        Choice<D, N>: Choose<D>,
    {
        let name = steps.stepper;
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
        if steps.smoothing.is_some() {
            return Err(no_derivative(name, "only nlp of a single point is smoothed").into());
        }
        let row = name.descriptor();
        let steps_bodies = row.is_contact_model() || row.capabilities.is_exact;
        if steps_bodies && !row.capabilities.differentiates_bodies {
            return Err(
                no_derivative(name, "it has none on bodies; use nlp, cone, lcp, convex or smooth").into()
            );
        }
        if let Some(beyond) = scenario.grouped_friction() {
            if !row.capabilities.differentiates_groups.holds::<D>() {
                let others = if D == 2 { "nlp, cone or lcp" } else { "nlp or cone" };
                let reason = format!(
                    "friction is more than a coefficient here, as {}, and its steps have none with that; use {others}",
                    beyond.what()
                );
                return Err(no_derivative(name, &reason).into());
            }
            let is_shared = |surface: &Surface| {
                surface.anisotropy.is_some() || (D == 3 && surface.turning.torsional > 0.0)
            };
            let surfaces = scenario.surfaces();
            if surfaces.laws().any(|surface| is_shared(&surface) && !surface.friction.slides_evenly()) {
                let reason = "friction changes with the slip (stribeck_velocity, viscous_friction), drilling or an axis has a part in that \
                              slip, and steps with both have none; leave one of them out";
                return Err(no_derivative(name, reason).into());
            }
        }
        if let Some((driven, _)) = scenario.courses().next() {
            let reason = format!(
                "the motion of {} is given, and steps with driven bodies have none yet",
                scenario.body_name(driven)
            );
            return Err(no_derivative(name, &reason).into());
        }
        // The rate of a hinge is that of spins about an axis that both bodies carry; along others the axis turns with what it is
        // carried by, and its rate with where that was a step ago.
        let turns = |joint: &JointSetup<D>| match joint.kind {
            JointKind::Hinge => false,
            JointKind::Slider => joint.bodies[0].is_some_and(|body| !scenario.bodies[body].fixed),
            _ => true,
        };
        if let Some(index) = scenario.joints.iter().position(|joint| joint.armature > 0.0 && turns(joint)) {
            let reason = format!(
                "joint[{index}] has a rotor (armature) along an axis that moves, and its steps do not follow where that was in the step \
                 before; hinges have one, and sliders whose first body stays"
            );
            return Err(no_derivative(name, &reason).into());
        }
        let choice = Choice::<D, N>::of(scenario, name)?;
        if choice.closing == JointClosing::Closed {
            let reason = "stepper.joints is \"closed\", and steps that are solved again until their joints meet have none; leave it out";
            return Err(no_derivative(name, reason).into());
        }
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
            directions: Vec::new(),
            shared: None,
            held: None,
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

    /// Takes step `k` and differentiates it along these directions.
    fn take(
        &mut self,
        k: usize,
        directions: &Directions<'_>,
        (corrected, sharing): (Range<usize>, Range<usize>),
    ) -> Result<BodyStep, GradientError> {
        self.load(k);
        let time = self.scenario.time();
        let dt = time.dt;
        self.before.clone_from(&self.motion);
        let joints = self.stepper.joints().clone();
        let failed = |reason: String| GradientError::Step { step: k, time: time.at(k), reason };
        let report = self
            .stepper
            .step(&self.world, &mut self.motion, &self.wrenches, dt)
            .map_err(|failure| failed(failure.to_string()))?;
        let how = match report.law {
            LawSolved::Own => None,
            LawSolved::Capped => irregular_reduction(&self.stepper),
            LawSolved::WithoutRebound => Some("without the rebounds that it asks for"),
            LawSolved::ExactCone => Some("by the exact cone"),
        };
        if let Some(how) = how {
            return Err(failed(format!(
                "it was solved by another law than its own ({how}), and has no derivative"
            )));
        }
        let Self { scenario, name, world, stepper, before, moved, wrenches, loads, inverse_mass, .. } = self;
        let otherwise =
            Otherwise { corrected, sharing, before: self.shared.as_ref(), held: self.held.as_ref() };
        let input = step_input(scenario, moved, loads, k);
        let none = || no_derivative(*name, "the law of its contacts has none here; use nlp, cone or smooth");
        let lost = |why: &str| {
            let reason =
                format!("friction that depends on the slip lets go {why}, and has no derivative there");
            no_derivative(*name, &in_step(k, time.at(k), &reason))
        };
        let linearised = |problem: &ContactProblem<D, N>, solution: &Solution<D, N>| {
            let mut laws = Vec::with_capacity(problem.contacts.len());
            let has_law = stepper.model().linearise(problem, solution, &before.velocities, &mut laws);
            if has_law { Ok(laws) } else { Err(none()) }
        };
        let links_of = |problem: &ContactProblem<D, N>, solution: &Solution<D, N>| {
            stepper.model().linearised_links(problem, solution)
        };
        let (had_impact, has_thrown) = (stepper.had_impact(), stepper.has_thrown());
        let (problem, solution) = (stepper.moving_problem(), stepper.moving_solution());
        let is_first_of_two = had_impact && !has_thrown;
        let taken_stage = |problem, solution, is_first_of_two| {
            let stage = TakenStage::of((problem, solution), is_first_of_two, (&linearised, &links_of))?;
            match stage.is_lost() {
                true => Err(lost("in a step whose contacts are found on its way")),
                false => Ok(stage),
            }
        };
        let mut stages = vec![taken_stage(problem, solution, is_first_of_two)?];
        if had_impact || has_thrown {
            let (problem, solution) = (stepper.problem(), stepper.solution());
            let blows = taken_blows(problem, &before.velocities, stepper.blows(), linearised)?;
            let last = match Left::of(&problem.contact, solution, stepper.blows()) {
                None => taken_stage(problem, solution, false)?,
                Some(left) => {
                    let laws = linearised(&left.problem, &left.solution)?;
                    let links = links_of(&left.problem, &left.solution);
                    let solves = problem.friction_solves(false);
                    if !solves.earlier.is_empty() {
                        return Err(lost("in an impact that is followed over its impulse").into());
                    }
                    let (holds, earlier) = (solves.holds.clone(), Vec::new());
                    TakenStage {
                        problem,
                        laws,
                        links,
                        grouped: Vec::new(),
                        solution,
                        is_first_of_two: false,
                        blows,
                        held: &[],
                        holds,
                        earlier,
                    }
                }
            };
            stages.push(last);
        }
        // Impulses of blows have a share of their own.
        if let Some(last) = stages.last_mut().filter(|last| last.blows.is_empty()) {
            last.held = stepper.held_impacts();
        }
        let is_of_way =
            |stage: &TakenStage<'_, D, N>| stage.problem.touches.iter().any(|touch| touch.on_way.is_some());
        let mut ways = Vec::new();
        if stages.iter().any(is_of_way) {
            for (problem, solution) in stepper.ways() {
                ways.push(taken_stage(problem, solution, false)?);
            }
        }
        let of_push = |body: usize| W::wrench_rates(scenario, k, body, moved.attitudes.get(body));
        let taken = Taken {
            world,
            motion: before,
            stages,
            ways,
            rebounds: stepper.rebounds(),
            compliant: stepper.model().posing() == Posing::Compliant,
            at_touch: stepper.model().posing() == Posing::VelocityLevel,
            ends_at_the_ground: stepper.model().ends_at_the_ground(),
            wrenches: (0..scenario.bodies.len()).map(of_push).collect(),
            joints: &joints,
        };
        let start = StepStart { world, motion: before, joints: &joints, pushes: wrenches, inverse_mass };
        let rates: Vec<_> = self.directions.iter().map(|of| of.rates(&input, &start)).collect();
        let mut step = BodyStep::of(&taken, &rates, directions, otherwise)
            .map_err(|reason| no_derivative(*name, &in_step(k, time.at(k), &reason)))?;
        self.held = step.held.take();
        self.world.store(&self.motion, &mut self.moved);
        Ok(step)
    }

    /// Takes a step without derivatives.
    fn advance(&mut self, at: &GridStep) -> Result<(), GradientError> {
        self.load(at.index);
        let dt = self.scenario.time().dt;
        let taken = self.stepper.step(&self.world, &mut self.motion, &self.wrenches, dt);
        taken.map_err(|failure| GradientError::Step {
            step: at.index,
            time: at.time,
            reason: failure.to_string(),
        })?;
        self.world.store(&self.motion, &mut self.moved);
        Ok(())
    }

    /// Why a step is not corrected.
    fn not_corrected(&self, at: &GridStep, reason: &str) -> GradientError {
        no_derivative(self.name, &in_step(at.index, at.time, reason)).into()
    }
}

impl<W: GradientWorld<D, N>, const D: usize, const N: usize> Beginning for BodyRun<'_, W, D, N> {
    type Motion = Self;

    /// Refuses a correction where a step has no impact of its own to correct.
    fn check(&self, rule: DerivativeRule) -> Result<(), GradientError> {
        if rule != DerivativeRule::Corrected
            || (self.stepper.impacts().is_whole() && self.stepper.model().posing() == Posing::GapLevel)
        {
            return Ok(());
        }
        let reason = "only impacts that nlp, lcp and cone take whole, in one step, are corrected";
        Err(no_derivative(self.name, reason).into())
    }

    fn begin(mut self, inputs: &[Input], options: &GradientOptions) -> Result<Self, GradientError> {
        if options.grid != Grid::new(self.scenario.time()) {
            return Err(no_derivative(self.name, "its steps have no phase").into());
        }
        let new =
            |input: &Input| BodyDirection::new(self.scenario, &self.world, &self.motion, self.name, *input);
        self.directions = inputs.iter().map(new).collect::<Result<_, _>>()?;
        Ok(self)
    }
}

impl<W: GradientWorld<D, N>, const D: usize, const N: usize> Differentiated for BodyRun<'_, W, D, N> {
    /// The derivative of the step: displacements, velocities, inputs.
    type Kept = DMatrix<f64>;

    fn start(&self) -> DMatrix<f64> {
        let bodies = self.scenario.bodies.len();
        let mut start = DMatrix::zeros(2 * N * bodies, self.directions.len());
        for (j, direction) in self.directions.iter().enumerate() {
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

    fn see_start(&self, input: usize, nearest: &mut Nearest) {
        let input = self.directions[input].input;
        if let Some(distance) = distance_to_another_choice(self.scenario, self.name, input) {
            nearest.see(&Grid::new(self.scenario.time()).step(0), MarginKind::Choice, distance);
        }
    }

    fn step(&mut self, at: &GridStep, columns: &mut Columns<'_>) -> Result<(), GradientError> {
        // Values alone have no law to be differentiated.
        if self.directions.is_empty() {
            return self.advance(at);
        }
        let otherwise = (columns.of(DerivativeRule::Corrected), columns.of(DerivativeRule::Sharing));
        let along = Directions::along(&columns.change, self.directions.len());
        let step = self.take(at.index, &along, otherwise)?;
        self.shared = step.loads;
        if let Some(reason) = step.not_corrected {
            columns.refuse(DerivativeRule::Corrected, self.not_corrected(at, &reason));
        }
        if columns.kinks {
            columns.branches.add(&step.branches);
        }
        for margin in &step.margins {
            for (nearest, &slope) in columns.nearest.iter_mut().zip(margin.row.iter()) {
                let distance = if slope == 0.0 { f64::INFINITY } else { -margin.value / slope };
                nearest.see(at, margin.kind, distance);
            }
        }
        columns.change.rows_mut(0, step.change.nrows()).copy_from(&step.change);
        Ok(())
    }

    fn end(&self) -> (RunEnd, DMatrix<f64>) {
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
        (RunEnd { names: output_names(self.scenario).into(), values }, rows)
    }

    fn keep(&mut self, at: &GridStep, rule: DerivativeRule) -> Result<DMatrix<f64>, GradientError> {
        let (state, inputs) = (2 * N * self.scenario.bodies.len(), self.directions.len());
        let corrected = match rule {
            DerivativeRule::Raw => 0..0,
            DerivativeRule::Corrected => 0..state + inputs,
            DerivativeRule::Sharing => {
                return Err(no_derivative(self.name, "open loads are followed forward only").into());
            }
        };
        let step = self.take(at.index, &Directions::every(state, inputs), (corrected, 0..0))?;
        match step.not_corrected {
            Some(reason) => Err(self.not_corrected(at, &reason)),
            None if rule == DerivativeRule::Corrected && step.breaks_loose => {
                Err(self
                    .not_corrected(at, "friction lets go at once, and when it does is followed forward only"))
            }
            None => Ok(step.change),
        }
    }

    fn carry_back(
        &mut self,
        _at: &GridStep,
        change: DMatrix<f64>,
        _rule: DerivativeRule,
        weight: &mut DVector<f64>,
        gradient: &mut [f64],
    ) -> Result<(), GradientError> {
        let state = weight.len();
        for (gradient, column) in
            gradient.iter_mut().zip(change.columns(state, self.directions.len()).column_iter())
        {
            *gradient += column.dot(weight);
        }
        *weight = change.columns(0, state).tr_mul(weight);
        Ok(())
    }
}

/// How the rebounds of a step were reduced, where that has no derivative.
fn irregular_reduction<const D: usize, const N: usize>(stepper: &TimeStepper<D, N>) -> Option<&'static str> {
    let behind_blows = !stepper.blows().is_empty();
    let of_blows = stepper.blows().iter().map(|blow| blow.kept.is_of_law);
    let of_step = stepper
        .held_impacts()
        .iter()
        .map(|held| held.kept.is_of_law && !(behind_blows && held.kept.is_reduced()));
    let is_regular = of_blows.chain(of_step).all(|is_regular| is_regular);
    (!is_regular).then_some("with a rebound that was reduced so that it makes no energy")
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
