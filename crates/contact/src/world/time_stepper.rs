use nalgebra::SVector;

use super::{
    Demands, Facing, Impacts, Motion, Rebound, StepProblem, World,
    divided_step::{Candidate, candidates, divide},
    friction_passes::Pressed,
    rebound::Rebounds,
    thrown::Thrown,
};
use crate::contact::{
    Accuracy, ContactModel, ContactProblem, LawSolved, Posing, Relaxation, Report, Residuals, Solution,
    SolveFailure,
};

/// Steps of a world by a contact model of rigid bodies.
///
/// ```text
/// v_f = v + dt M^-1 f,   c_i + J_n v+ >= 0,   v+ = v_f + M^-1 J' r,   q+ = q + dt v+
/// ```
///
/// with the gap condition linearised at `q`. Where a contact closes in an impact, and [`Impacts`] are
/// taken in one stage, the problem is solved twice with the same Jacobian and free velocity: the
/// gap-level solution gives `q+` only, and the second, in which the contacts that it closed, and those that
/// close at the same time, carry their whole impulse at once, gives `v+` and the impulses. Where the gap-level
/// solution had opened such a contact, `q+` is that of the gap-level problem in which what hits slides. What bounces goes
/// a share of its way by `v+` ([`Rebound`]).
///
/// A body that is thrown in the step, by another one or a spring, at something that was out of its reach ends
/// the step there: `q+` is then that of the gap-level problem with this contact, and the impact follows in the
/// next step.
pub struct TimeStepper<const D: usize, const N: usize> {
    model: Box<dyn ContactModel<D, N>>,
    impacts: Impacts,
    problem: StepProblem<D, N>,
    gap_level: Solution<D, N>,
    impact: Solution<D, N>,
    /// Whether `impact` holds the solution of the last step, rather than `gap_level`.
    had_impact: bool,
    rebounds: Rebounds,
    /// The velocities that moved the bodies, where some bounced.
    way: Vec<SVector<f64, N>>,
    thrown: Thrown<D, N>,
    /// Whether steps of points are divided at landings and the ends of slides.
    divides: bool,
    /// Whether the last step was: `way` then holds the velocities that moved the bodies.
    is_divided: bool,
    /// Whether `thrown` holds what moved the bodies in the last step, thrown or not, rather than `gap_level`.
    has_thrown: bool,
}

/// How a step was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    /// Iterations over all stages and attempts.
    pub iterations: u32,
    /// The attempt that succeeded, the larger of those of the stages; 0 is the first.
    pub rung: u32,
    /// The law that was solved, that of the stage that is furthest from the model's own.
    pub law: LawSolved,
    /// The larger residuals of the stages.
    pub residuals: Residuals,
    /// What they amount to.
    pub accuracy: Accuracy,
    /// Slacks and multiplier of the relaxed program, where a stage was one of a single contact; those of the last such stage.
    pub relaxation: Option<Relaxation>,
    /// The larger of how far the stages miss the law of the model, where that is not Coulomb's.
    pub own_law: Option<f64>,
}

/// Why a step could not be taken.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{failure}")]
pub struct StepFailure {
    /// What the model says.
    #[source]
    pub failure: SolveFailure,
    /// Whether the stage that decides on the velocities after an impact failed, rather than that of
    /// the gaps.
    pub in_impact: bool,
}

impl StepReport {
    /// The report of a step in which nothing touches.
    pub const FREE: Self = Self {
        iterations: 0,
        rung: 0,
        law: LawSolved::Own,
        residuals: Residuals { scaled: 0.0, conventional: 0.0 },
        accuracy: Accuracy::Certified,
        relaxation: None,
        own_law: None,
    };

    fn of(report: &Report) -> Self {
        let Report { iterations, rung, law, residuals, accuracy, relaxation, own_law } = *report;
        Self { iterations, rung, law, residuals, accuracy, relaxation, own_law }
    }

    /// This stage and another one.
    pub(super) fn and(self, other: &Self) -> Self {
        let worse = |a: f64, b: f64| if a.is_nan() || a > b { a } else { b };
        Self {
            iterations: self.iterations + other.iterations,
            rung: self.rung.max(other.rung),
            law: self.law.max(other.law),
            residuals: Residuals {
                scaled: worse(self.residuals.scaled, other.residuals.scaled),
                conventional: worse(self.residuals.conventional, other.residuals.conventional),
            },
            accuracy: self.accuracy.and(other.accuracy),
            relaxation: other.relaxation.or(self.relaxation),
            own_law: self.own_law.into_iter().chain(other.own_law).reduce(worse),
        }
    }
}

/// How often in a step what bodies are thrown at is looked for: they may pass a blow on.
const MOST_THROWS: usize = 8;

/// One stage: as many solves as friction takes, one where it has a single coefficient.
fn stage<const D: usize, const N: usize>(
    model: &mut dyn ContactModel<D, N>,
    problem: &mut StepProblem<D, N>,
    solution: &mut Solution<D, N>,
    in_impact: bool,
) -> Result<StepReport, StepFailure> {
    let posing = model.posing();
    // Compliant models take forces from the velocities at the start, which are in `solution` until they answer.
    let starts = problem.begin_friction() && posing == Posing::Compliant;
    let start = if starts { solution.velocity.clone() } else { Vec::new() };
    let mut report = solve(model, &mut problem.contact, solution, in_impact)?;
    while problem.revise_friction(solution, posing) {
        if starts {
            solution.velocity.clone_from(&start);
        }
        report = report.and(&solve(model, &mut problem.contact, solution, in_impact)?);
    }
    Ok(report)
}

/// One solve.
///
/// Where `c < 0`, Newton's law of a rebound per contact or an overlap to be undone, a wedge with friction
/// may have no solution at all. Such contacts are then asked for no more than to stay closed.
pub(super) fn solve<const D: usize, const N: usize>(
    model: &mut dyn ContactModel<D, N>,
    problem: &mut ContactProblem<D, N>,
    solution: &mut Solution<D, N>,
    in_impact: bool,
) -> Result<StepReport, StepFailure> {
    let failure = match model.solve(problem, solution) {
        Ok(report) => return Ok(StepReport::of(&report)),
        Err(failure) => StepFailure { failure, in_impact },
    };
    if problem.contacts.iter().all(|contact| contact.bias >= 0.0) {
        return Err(failure);
    }
    for contact in &mut problem.contacts {
        contact.bias = contact.bias.max(0.0);
    }
    solution.is_guess = false;
    let report = StepReport::of(&model.solve(problem, solution).map_err(|_| failure)?);
    let law = report.law.max(LawSolved::WithoutRebound);
    Ok(StepReport { law, accuracy: Accuracy::OwnLaw, ..report })
}

impl<const D: usize, const N: usize> TimeStepper<D, N> {
    /// A stepper that has `model` solve its contact problems.
    pub fn new(model: Box<dyn ContactModel<D, N>>, impacts: Impacts) -> Self {
        Self {
            model,
            impacts,
            problem: StepProblem::default(),
            gap_level: Solution::default(),
            impact: Solution::default(),
            had_impact: false,
            rebounds: Rebounds::default(),
            way: Vec::new(),
            thrown: Thrown::default(),
            has_thrown: false,
            divides: false,
            is_divided: false,
        }
    }

    /// The same, but with steps of points divided at landings and the ends of slides, where `divides` says so; see
    /// [`Division`](super::Division).
    #[must_use]
    pub fn dividing(self, divides: bool) -> Self {
        Self { divides, ..self }
    }

    /// The name of the model.
    pub fn name(&self) -> &str {
        self.model.name()
    }

    /// Takes one step of `dt` s under the external `forces`, a wrench per body.
    ///
    /// # Errors
    /// [`StepFailure`] when there is no step to vouch for; `motion` is then as it was, and
    /// [`TimeStepper::accept`] takes the best candidate all the same.
    pub fn step<W: World<D, N> + ?Sized>(
        &mut self,
        world: &W,
        motion: &mut Motion<W::Pose, N>,
        forces: &[SVector<f64, N>],
        dt: f64,
    ) -> Result<StepReport, StepFailure> {
        let model = &self.model;
        let demands = Demands {
            posing: model.posing(),
            impacts: self.impacts,
            horizon: model.horizon(dt),
            reach: model.reach(),
        };
        self.problem.pose(world, motion, forces, dt, demands);
        // The velocity at the start is what a model may start its search from, or take its forces from.
        self.gap_level.velocity.clone_from(&motion.velocities);
        self.is_divided = false;
        let alone = if self.divides { self.alone() } else { Vec::new() };
        let mut report = if !alone.is_empty() && alone.len() == self.problem.touches.len() {
            self.leave_free()
        } else {
            let report = self.solve()?;
            self.hold_thrown(report, world, motion, demands)?
        };
        if !alone.is_empty() {
            report = report.and(&self.divide(&alone, world, motion)?);
        }
        self.problem.keep_loads(&self.gap_level);
        self.accept(world, motion, dt);
        Ok(report)
    }

    /// The contacts of points that can be divided by themselves.
    fn alone(&self) -> Vec<Candidate> {
        let touches = &self.problem.touches;
        candidates(&self.problem.contact, |contact| touches[contact].turns)
    }

    /// The motion without contacts, which is that of all bodies but those whose steps are divided.
    fn leave_free(&mut self) -> StepReport {
        let Self { problem, gap_level, rebounds, .. } = self;
        rebounds.clear();
        gap_level.is_guess = false;
        gap_level.velocity.clone_from(&problem.contact.free_velocity);
        gap_level.prepare(problem.contact.contacts.len(), problem.contact.links.len());
        (self.had_impact, self.has_thrown) = (false, false);
        StepReport::FREE
    }

    /// Puts the divided steps of points in the place of what the whole problem has for them.
    fn divide<W: World<D, N> + ?Sized>(
        &mut self,
        alone: &[Candidate],
        world: &W,
        motion: &Motion<W::Pose, N>,
    ) -> Result<StepReport, StepFailure> {
        let mut way = self.moving_velocities().to_vec();
        let mut report = StepReport::FREE;
        for &candidate in alone {
            let Self { model, problem, .. } = self;
            let step = divide(model.as_mut(), &problem.contact, candidate, (world, motion))?;
            report = report.and(&step.report);
            let solution = if self.had_impact { &mut self.impact } else { &mut self.gap_level };
            solution.velocity[candidate.body] = step.velocity;
            solution.impulses[candidate.contact] = step.impulse;
            way[candidate.body] = step.way;
        }
        self.way = way;
        self.is_divided = true;
        Ok(report)
    }

    /// Whether the last step of some point was divided.
    pub fn is_divided(&self) -> bool {
        self.is_divided
    }

    /// Solves the problem in as many stages as it takes.
    fn solve(&mut self) -> Result<StepReport, StepFailure> {
        let Self { problem, gap_level, impact, model, thrown, rebounds, .. } = self;
        self.had_impact = false;
        self.has_thrown = false;
        rebounds.clear();
        gap_level.is_guess = false;
        if problem.contact.contacts.is_empty() && problem.contact.links.is_empty() {
            gap_level.velocity.clone_from(&problem.contact.free_velocity);
            gap_level.prepare(0, 0);
            return Ok(StepReport::FREE);
        }
        let report = stage(model.as_mut(), problem, gap_level, false)?;
        if !(model.posing() == Posing::GapLevel && problem.is_in_stages(self.impacts)) {
            return Ok(report);
        }
        let tips = problem.enter_impact(&gap_level.velocity);
        impact.is_guess = false;
        self.had_impact = true;
        let mut report = report.and(&stage(model.as_mut(), problem, impact, true)?);
        if tips {
            // What the part of the impulse at gap level tips over does not move like that either.
            thrown.problem.clone_from(problem);
            thrown.problem.leave_impact_sliding();
            thrown.solution.velocity.clone_from(&gap_level.velocity);
            thrown.solution.is_guess = false;
            report = report.and(&stage(model.as_mut(), &mut thrown.problem, &mut thrown.solution, false)?);
            self.has_thrown = true;
        }
        self.find_way();
        Ok(report)
    }

    /// Finds by which velocities the bodies move in an impact.
    fn find_way(&mut self) {
        let Self { problem, gap_level, impact, thrown, rebounds, way, .. } = self;
        let moving = if self.has_thrown { &thrown.solution } else { &*gap_level };
        rebounds.find(problem, [moving, impact]);
        way.clear();
        let velocities = moving.velocity.iter().zip(&impact.velocity).zip(&rebounds.of_bodies);
        way.extend(velocities.map(|((first, second), rebound)| {
            rebound.map_or(*first, |Rebound { share, .. }| first + (second - first) * share)
        }));
    }

    /// Lets no body pass into what the step throws it at.
    fn hold_thrown<W: World<D, N> + ?Sized>(
        &mut self,
        mut report: StepReport,
        world: &W,
        motion: &Motion<W::Pose, N>,
        demands: Demands,
    ) -> Result<StepReport, StepFailure> {
        if demands.posing == Posing::VelocityLevel || !self.problem.is_outrun(world, self.moving_velocities())
        {
            return Ok(report);
        }
        let mut velocities = self.moving_velocities().to_vec();
        let Self { problem, thrown, model, .. } = self;
        if !self.has_thrown {
            thrown.problem.clone_from(problem);
        }
        for _ in 0..MOST_THROWS {
            if !thrown.reaches(world, motion, &velocities, demands) {
                break;
            }
            self.has_thrown = false;
            self.rebounds.clear();
            thrown.solution.velocity.clone_from(&motion.velocities);
            thrown.solution.is_guess = false;
            let held = stage(model.as_mut(), &mut thrown.problem, &mut thrown.solution, false)?;
            report = report.and(&held);
            velocities.clone_from(&thrown.solution.velocity);
            self.has_thrown = true;
        }
        Ok(report)
    }

    /// Moves the bodies to the solution that the last `TimeStepper::solve` left.
    pub fn accept<W: World<D, N> + ?Sized>(&self, world: &W, motion: &mut Motion<W::Pose, N>, dt: f64) {
        let (moving, left) = (self.moving_velocities(), &self.solution().velocity);
        let is_split = self.had_impact || self.has_thrown || self.is_divided;
        let Motion { poses, velocities } = motion;
        let bodies = poses.iter_mut().zip(velocities).zip(moving.iter().zip(left));
        for (index, ((pose, velocity), (moved, after))) in bodies.enumerate() {
            *pose = world.advance(index, pose, velocity, moved, dt);
            *velocity = if is_split { world.carried(index, velocity, moved, after, dt) } else { *after };
        }
    }

    /// The problem of the last step; after an impact that of its second stage.
    pub fn problem(&self) -> &StepProblem<D, N> {
        &self.problem
    }

    /// On which side of each other bodies without thickness were found, which the next step goes by.
    pub fn facings(&self) -> &[Facing<D>] {
        &self.problem.facings
    }

    /// How hard contacts were pressed whose friction depends on how they slip, which the next step goes by.
    pub fn pressed(&self) -> &[Pressed] {
        &self.problem.passes.pressed
    }

    /// Has the next step go by these.
    pub fn set_pressed(&mut self, pressed: impl IntoIterator<Item = Pressed>) {
        self.problem.passes.pressed.clear();
        self.problem.passes.pressed.extend(pressed);
    }

    /// Has the next step go by these.
    pub fn set_facings(&mut self, facings: impl IntoIterator<Item = Facing<D>>) {
        self.problem.facings.clear();
        self.problem.facings.extend(facings);
    }

    /// The solution that moved the bodies in the last step.
    pub fn moving_solution(&self) -> &Solution<D, N> {
        if self.has_thrown { &self.thrown.solution } else { &self.gap_level }
    }

    /// The velocities that moved the bodies in the last step: those of [`TimeStepper::moving_solution`], but for bodies
    /// that bounced.
    pub fn moving_velocities(&self) -> &[SVector<f64, N>] {
        let by_way = self.is_divided || !self.rebounds.of_bodies.is_empty();
        if by_way { &self.way } else { &self.moving_solution().velocity }
    }

    /// Which bodies bounced in the last step, one per body; none where nothing did.
    pub fn rebounds(&self) -> &[Option<Rebound>] {
        &self.rebounds.of_bodies
    }

    /// The problem that it solves: that of the step, or another one of its way alone.
    pub fn moving_problem(&self) -> &StepProblem<D, N> {
        if self.has_thrown { &self.thrown.problem } else { &self.problem }
    }

    /// The model.
    pub fn model(&self) -> &dyn ContactModel<D, N> {
        self.model.as_ref()
    }

    /// The model, to set it up by.
    pub fn model_mut(&mut self) -> &mut dyn ContactModel<D, N> {
        self.model.as_mut()
    }

    /// How impacts are taken.
    pub fn impacts(&self) -> Impacts {
        self.impacts
    }

    /// Whether the last step was taken in two stages, because of an impact.
    pub fn had_impact(&self) -> bool {
        self.had_impact
    }

    /// Whether bodies moved by another problem in the last step than that of its velocities: one was thrown at what was
    /// out of its reach, or lands flat and would have tipped over.
    pub fn has_thrown(&self) -> bool {
        self.has_thrown
    }

    /// Velocities and impulses of the last step.
    pub fn solution(&self) -> &Solution<D, N> {
        if self.had_impact { &self.impact } else { &self.gap_level }
    }
}
