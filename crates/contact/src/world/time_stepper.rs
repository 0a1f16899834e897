use nalgebra::SVector;

use super::{
    Blow, Demands, Facing, HeldImpact, ImpactReport, Impacts, JointClosing, JointMemory, Motion, Rebound,
    StepProblem, World,
    certificate::Taken,
    divided_step::{Alone, Candidate, divide, find_candidates},
    energy_cap::EnergyCap,
    friction_passes::Pressed,
    impact_rounds::ImpactRounds,
    joint_closing::close,
    passes::{Look, Passage},
    rebound::Rebounds,
    settling::Settling,
    thrown::Thrown,
    way::Way,
};
use crate::contact::{
    Accuracy, ContactModel, ContactProblem, LawSolved, Partition, Posing, Relaxation, Report, Residuals,
    Solution, SolveFailure,
};

/// Steps of a world by a contact model of rigid bodies.
///
/// ```text
/// v_f = v + dt M^-1 f,   c_i + J_n v+ >= 0,   v+ = v_f + M^-1 J' r,   q+ = q + dt v+
/// ```
///
/// with the gap condition linearised at `q`. Where a contact closes in an impact, and [`Impacts`] are
/// taken whole, the problem is solved twice with the same Jacobian and free velocity: the
/// gap-level solution gives `q+` only, and the second, in which the contacts that it closed, and those that
/// close at the same time, carry their whole impulse at once, gives `v+` and the impulses. Where the gap-level
/// solution had opened such a contact, `q+` is that of the gap-level problem in which what hits slides. What bounces goes
/// a share of its way by `v+` ([`Rebound`]). Impacts that are followed ([`Impacts::Incremental`]) have given their impulse
/// before the second problem is solved, which then keeps what they struck as fast as they left it. No impact makes energy
/// beyond what forces do within the step: rebounds that would are reduced ([`LawSolved::Capped`]).
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
    rounds: ImpactRounds<D, N>,
    energy: EnergyCap<D>,
    /// The velocities that moved the bodies, where some bounced.
    way: Vec<SVector<f64, N>>,
    thrown: Thrown<D, N>,
    settling: Settling<D, N>,
    /// What moves together in the last impact.
    islands: Partition,
    /// Where steps leave their joints.
    closing: JointClosing,
    /// Whether steps of points are divided at landings and the ends of slides.
    divides: bool,
    /// The contacts whose points' steps are divided, and the problem of one of them.
    candidates: Vec<Candidate>,
    alone: Alone<D, N>,
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
    /// What was made of the impact, where there was one.
    pub impact: Option<ImpactReport>,
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
        impact: None,
    };

    pub(super) fn of(report: &Report) -> Self {
        let Report { iterations, rung, law, residuals, accuracy, relaxation, own_law } = *report;
        Self { iterations, rung, law, residuals, accuracy, relaxation, own_law, impact: None }
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
            impact: self.impact.into_iter().chain(other.impact).reduce(ImpactReport::and),
        }
    }
}

/// How often in a step what bodies are thrown at is looked for: they may pass a blow on.
const MOST_THROWS: usize = 8;

/// One stage: as many solves as friction takes, one where it has a single coefficient.
pub(super) fn stage<const D: usize, const N: usize>(
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
    problem.passes.keep_holds();
    if let Some(residuals) = problem.judge_friction(solution, posing) {
        report.residuals = residuals;
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
            rounds: ImpactRounds::default(),
            energy: EnergyCap::default(),
            way: Vec::new(),
            thrown: Thrown::default(),
            settling: Settling::default(),
            islands: Partition::default(),
            has_thrown: false,
            closing: JointClosing::default(),
            divides: false,
            candidates: Vec::new(),
            alone: Alone::default(),
            is_divided: false,
        }
    }

    /// The same, but with steps of points divided at landings and the ends of slides, where `divides` says so; see
    /// [`Division`](super::Division).
    #[must_use]
    pub fn dividing(self, divides: bool) -> Self {
        Self { divides, ..self }
    }

    /// The same, but with steps that leave their joints like this; a compliant model leaves them as they are.
    #[must_use]
    pub fn closing(self, closing: JointClosing) -> Self {
        Self { closing, ..self }
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
            acts_ahead: model.acts_ahead(),
            impacts: self.impacts,
            horizon: model.horizon(dt),
            reach: model.reach(),
        };
        self.problem.pose(world, motion, forces, dt, demands);
        self.settling.begin(world, motion, &mut self.problem, demands);
        // The velocity at the start is what a model may start its search from, or take its forces from.
        self.gap_level.velocity.clone_from(&motion.velocities);
        self.is_divided = false;
        self.find_candidates();
        let divided = self.candidates.len();
        let mut report = if divided > 0 && divided == self.problem.touches.len() {
            self.leave_free()
        } else {
            let report = self.solve(world, motion, demands)?;
            self.hold_thrown(report, world, motion, demands)?
        };
        if divided > 0 {
            report = report.and(&self.divide(world, motion)?);
        }
        self.problem.keep_loads(&self.gap_level);
        self.certify(world, motion, demands);
        self.accept(world, motion, dt);
        Ok(report)
    }

    /// Finds the contacts of points that can be divided by themselves, where steps are divided.
    fn find_candidates(&mut self) {
        let Self { problem, candidates, .. } = self;
        candidates.clear();
        if self.divides {
            find_candidates(&problem.contact, |contact| problem.touches[contact].turns, candidates);
        }
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
        world: &W,
        motion: &Motion<W::Pose, N>,
    ) -> Result<StepReport, StepFailure> {
        if self.rebounds.of_bodies.is_empty() {
            let moving = if self.has_thrown { &self.thrown.solution } else { &self.gap_level };
            self.way.clone_from(&moving.velocity);
        }
        let mut report = StepReport::FREE;
        let Self { model, problem, candidates, alone, .. } = self;
        for &candidate in &*candidates {
            let step = divide(model.as_mut(), alone, (&problem.contact, candidate), (world, motion))?;
            report = report.and(&step.report);
            let solution = if self.had_impact { &mut self.impact } else { &mut self.gap_level };
            solution.velocity[candidate.body] = step.velocity;
            solution.impulses[candidate.contact] = step.impulse;
            self.way[candidate.body] = step.way;
        }
        self.is_divided = true;
        Ok(report)
    }

    /// Has all steps take these links for rows of joints that say the same twice, as
    /// [`redundant_links`](super::redundant_links) finds them at the start: they get a compliance, and their impulses are not
    /// determined by the motion.
    pub fn set_redundant_links(&mut self, redundant: Vec<bool>) {
        self.problem.redundant = redundant;
    }

    /// Whether the last step of some point was divided.
    pub fn is_divided(&self) -> bool {
        self.is_divided
    }

    /// Solves the problem in as many stages as it takes.
    fn solve<W: World<D, N> + ?Sized>(
        &mut self,
        world: &W,
        motion: &Motion<W::Pose, N>,
        demands: Demands,
    ) -> Result<StepReport, StepFailure> {
        let Self { problem, gap_level, impact, model, thrown, rebounds, rounds, energy, settling, .. } = self;
        self.had_impact = false;
        self.has_thrown = false;
        rebounds.clear();
        rounds.clear();
        energy.clear();
        gap_level.is_guess = false;
        let mut report = StepReport::FREE;
        if problem.contact.contacts.is_empty() && problem.contact.links.is_empty() {
            gap_level.velocity.clone_from(&problem.contact.free_velocity);
            gap_level.prepare(0, 0);
        } else {
            report = stage(model.as_mut(), problem, gap_level, false)?;
        }
        let settled = settling.settle(model.as_mut(), (problem, gap_level), (world, motion), demands)?;
        report = report.and(&settled);
        if settling.has_bounds() {
            thrown.problem.clone_from(problem);
            thrown.solution.clone_from(gap_level);
            settling.leave_out_bounds(problem, (world, motion), demands);
            gap_level.velocity.clone_from(&motion.velocities);
            gap_level.is_guess = false;
            report = report.and(&stage(model.as_mut(), problem, gap_level, false)?);
            self.has_thrown = true;
        }
        if self.closing == JointClosing::Closed && model.posing() != Posing::Compliant {
            let moving = if self.has_thrown {
                (&mut thrown.problem, &mut thrown.solution)
            } else {
                (&mut *problem, &mut *gap_level)
            };
            report = report.and(&close(model.as_mut(), moving, (world, motion))?);
        }
        let before = &motion.velocities;
        if !(model.posing() == Posing::GapLevel && problem.is_in_stages(self.impacts)) {
            // Rebounds are asked for in the one solve that there is, where they are at all.
            if problem.has_hit() {
                let capped = energy.cap(model.as_mut(), (problem, gap_level), before, &[])?;
                report = report.and(&capped);
            }
            return Ok(report);
        }
        let tips = problem.enter_impact(&gap_level.velocity);
        impact.is_guess = false;
        self.had_impact = true;
        if self.impacts == Impacts::Incremental {
            report = report.and(&rounds.follow(model.as_mut(), problem, [before, &gap_level.velocity]));
        }
        let mut met_later = Vec::new();
        let solved = stage(model.as_mut(), problem, impact, true).and_then(|mut solved| {
            met_later = problem.leave_out_what_is_met_later(&gap_level.velocity, impact);
            if !met_later.is_empty() {
                impact.is_guess = false;
                solved = solved.and(&stage(model.as_mut(), problem, impact, true)?);
            }
            let start = if rounds.impulses.is_empty() { before } else { &rounds.start };
            let capped = energy.cap(model.as_mut(), (problem, impact), start, &rounds.impulses)?;
            Ok(solved.and(&capped))
        });
        rounds.leave(problem, impact);
        report = report.and(&solved?);
        if !tips.is_empty() {
            report = report.and(&self.slide(tips, world, motion, demands)?);
        }
        self.find_way();
        self.end_rebounds(&met_later, world, motion, demands);
        Ok(report)
    }

    /// What the part of the impulse at gap level tips over does not move like that either, but as if it slid: islands with the bodies
    /// that it `tips`, but for those that are bounded on their way besides, or would run into something.
    fn slide<W: World<D, N> + ?Sized>(
        &mut self,
        tips: Vec<usize>,
        world: &W,
        motion: &Motion<W::Pose, N>,
        demands: Demands,
    ) -> Result<StepReport, StepFailure> {
        let Self { problem, gap_level, model, thrown, settling, islands, .. } = self;
        islands.divide(&problem.contact);
        let mut slides = islands.with(tips);
        let without = |slides: &mut [bool], bodies: &[bool]| {
            slides.iter_mut().zip(bodies).for_each(|(slides, body)| *slides &= !body);
        };
        without(&mut slides, &islands.with(settling.bounded()));
        let mut report = StepReport::FREE;
        if !slides.contains(&true) {
            return Ok(report);
        }
        let (of_bounds, by_bounds) = match self.has_thrown {
            true => (thrown.problem.clone(), thrown.solution.clone()),
            false => (problem.clone(), gap_level.clone()),
        };
        while slides.contains(&true) {
            thrown.problem.clone_from(&of_bounds);
            thrown.problem.leave_impact_sliding(problem, &slides);
            thrown.solution.velocity.clone_from(&gap_level.velocity);
            thrown.solution.is_guess = false;
            report = report.and(&stage(model.as_mut(), &mut thrown.problem, &mut thrown.solution, false)?);
            let (velocities, may) = (&thrown.solution.velocity, |body: usize| slides[body]);
            let into = settling.what_runs_into(problem, (world, motion), velocities, demands, may);
            if into.is_empty() {
                self.has_thrown = true;
                return Ok(report);
            }
            without(&mut slides, &islands.with(into));
        }
        if self.has_thrown {
            (thrown.problem, thrown.solution) = (of_bounds, by_bounds);
        }
        Ok(report)
    }

    /// Has islands that bounce end where they touch, if they would run into something or reach what they are to meet later.
    fn end_rebounds<W: World<D, N> + ?Sized>(
        &mut self,
        met_later: &[usize],
        world: &W,
        motion: &Motion<W::Pose, N>,
        demands: Demands,
    ) {
        while !self.rebounds.of_bodies.is_empty() {
            let Self { problem, settling, rebounds, way, islands, .. } = self;
            let bounces = |body: usize| rebounds.of_bodies[body].is_some_and(|rebound| rebound.share > 0.0);
            let mut into: Vec<usize> = problem.closing(met_later, way).collect();
            into.extend(settling.what_runs_into(problem, (world, motion), way, demands, bounces));
            islands.divide(&problem.contact);
            let ends = islands.with(into);
            let mut has_ended = false;
            let moving = if self.has_thrown { &self.thrown.solution } else { &self.gap_level };
            for (body, rebound) in rebounds.of_bodies.iter_mut().enumerate().filter(|(body, _)| ends[*body]) {
                has_ended |= rebound.take().is_some();
                way[body] = moving.velocity[body];
            }
            if rebounds.of_bodies.iter().all(Option::is_none) {
                rebounds.clear();
            }
            if !has_ended {
                break;
            }
        }
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
        let is_found = self.settling.looks_ahead && world.beads().is_empty();
        let looks = demands.posing != Posing::VelocityLevel && !is_found;
        if !looks || !self.problem.is_outrun(world, self.moving_velocities()) {
            return Ok(report);
        }
        let mut velocities = self.moving_velocities().to_vec();
        let Self { problem, thrown, model, settling, .. } = self;
        if !self.has_thrown {
            thrown.problem.clone_from(problem);
        }
        for _ in 0..MOST_THROWS {
            if !thrown.reaches(world, motion, &velocities, demands, settling.looks_ahead) {
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

    /// Judges the step by the motion that it is about to take.
    fn certify<W: World<D, N> + ?Sized>(&mut self, world: &W, motion: &Motion<W::Pose, N>, demands: Demands) {
        if !self.settling.has_shapes {
            return;
        }
        let (problem, solution) = (&self.problem, self.solution());
        let mut solves = vec![&solution.velocity[..], &self.gap_level.velocity];
        solves.extend(self.has_thrown.then_some(&self.thrown.solution.velocity[..]));
        let dt = problem.contact.time_step;
        let way = Way { world, motion, velocities: self.moving_velocities(), dt };
        let (impulses, facings) = (&solution.impulses, &problem.facings);
        let look = Look { way, problem, impulses, facings, demands, solved: &[] };
        let certificate = self.settling.certify(&Taken { look, solves });
        self.settling.passage.certificate = Some(certificate);
    }

    /// Moves the bodies to the solution that the last `TimeStepper::solve` left.
    pub fn accept<W: World<D, N> + ?Sized>(&mut self, world: &W, motion: &mut Motion<W::Pose, N>, dt: f64) {
        let solution = if self.had_impact { &self.impact } else { &self.gap_level };
        self.problem.joints.end_step(&self.problem.contact.links, &solution.velocity, dt);
        let (moving, left) = (self.moving_velocities(), &self.solution().velocity);
        let Motion { poses, velocities } = motion;
        let bodies = poses.iter_mut().zip(velocities).zip(moving.iter().zip(left));
        for (index, ((pose, velocity), (moved, after))) in bodies.enumerate() {
            *pose = world.advance(index, pose, moved, dt);
            *velocity = world.carried(index, velocity, moved, after, dt);
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

    /// What the joints remember, which the next step goes by; its time is that of the end of the last step.
    pub fn joints(&self) -> &JointMemory {
        &self.problem.joints
    }

    /// What the joints remember, to be set.
    pub fn joints_mut(&mut self) -> &mut JointMemory {
        &mut self.problem.joints
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

    /// Whether steps are to be vouched for by their motion.
    pub fn is_vouched_for(&self) -> bool {
        self.settling.is_vouched_for
    }

    /// What the last step did to find its contacts.
    pub fn passage(&self) -> Passage {
        self.settling.passage
    }

    /// The solves of the last step before its last one, by whose ways its contacts were found.
    pub fn ways(&self) -> impl Iterator<Item = (&StepProblem<D, N>, &Solution<D, N>)> {
        self.settling.ways()
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

    /// The blows that followed each other in the impact of the last step; none where it was not followed.
    pub fn blows(&self) -> &[Blow<D>] {
        &self.rounds.blows
    }

    /// The impacts with rebounds of the last step that were held to the work that they may do.
    pub fn held_impacts(&self) -> &[HeldImpact] {
        self.energy.held()
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
