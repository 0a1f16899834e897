//! From few steps to many: several starts where a solve is cheap, then every step halved from the simulator's own motion.

use std::{collections::BTreeMap, ops::ControlFlow};

use super::{
    aim::{Aimed, aim},
    branch_descent::{Polished, polish},
    certificate::{Certificate, Verdict},
    found::FoundPlan,
    meeting::meet,
    nearest::nearest,
    program::{Program, Sought},
    relaxation::{self, Attempt, Kind, Point},
    roll_out::roll_out,
    stretch::{resampled, stretch},
    task::{AimedModel, PlanTask},
    work::Work,
};
use crate::{
    decimal::rounded_text,
    nlp::{IpoptError, Residuals, SolveStatus, sparse::SparseNlp},
    watch::Watch,
};

/// Fewest steps that several starts are tried at before the plan is halved.
const COARSE: usize = 20;

/// At how many numbers of steps, the fewest, all starts are tried.
const STARTED: usize = 2;
/// Times at most that a polished plan is solved again with other contacts.
const MOST_SETTLED: usize = 4;

/// One halving.
#[derive(Debug, Clone, PartialEq)]
pub struct Refinement {
    /// Steps after it.
    pub steps: usize,
    /// Whether the simulator got through the pushes before it, whose motion it began from.
    pub rolled_out: bool,
    /// What all of its solves took.
    pub work: Work,
    /// How the last solve ended.
    pub status: SolveStatus,
    /// Cost in SI units; not a number if there is no plan.
    pub cost: f64,
}

/// What was found, and how far it holds.
#[derive(Debug, Clone)]
pub struct Found {
    /// The plan.
    pub plan: FoundPlan,
    /// Residual of the first-order conditions, recomputed: on the branch of the plan, and where it was not polished of the relaxed
    /// program.
    pub kkt: f64,
    /// What can be said of it.
    pub verdict: Verdict,
    /// Switches of branch that lowered its cost; none where it was not polished.
    pub switches: Option<usize>,
    /// Largest product of complementary numbers, recomputed, in units.
    pub complementarity: f64,
    /// The first step and candidate in which a disc pushes a face beyond its end, if there is one.
    pub off_face: Option<(usize, usize)>,
}

/// What a search did.
#[derive(Debug, Clone)]
pub struct Search {
    /// Number of steps of the plan, that asked for or the next for which halving works out.
    pub steps: usize,
    /// Every start.
    pub attempts: Vec<Attempt>,
    /// Every halving.
    pub refinements: Vec<Refinement>,
    /// The plan; none where nothing was found.
    pub found: Option<Found>,
    /// What aiming came to, where the task asks for it.
    pub aimed: Option<Aimed>,
    /// Where no plan was found: the nearest end that was, and its largest miss in units.
    pub nearest: Option<FoundPlan>,
    /// Whether it was done to the end.
    pub finished: bool,
}

impl Search {
    /// How many starts led to a plan, and how many there were. Where the best of them was stretched is not a start.
    pub fn starts(&self) -> [usize; 2] {
        let starts = || self.attempts.iter().filter(|attempt| attempt.kind != Kind::Stretched);
        [starts().filter(|attempt| attempt.point.is_some()).count(), starts().count()]
    }

    /// What solves took, start by start and halving by halving, at every number of steps from the fewest on.
    pub fn work(&self) -> Vec<(usize, Work)> {
        let attempts = self.attempts.iter().map(|attempt| (attempt.steps, attempt.work));
        let refinements = self.refinements.iter().map(|refinement| (refinement.steps, refinement.work));
        let mut sums: BTreeMap<usize, Work> = BTreeMap::new();
        for (steps, work) in attempts.chain(refinements) {
            *sums.entry(steps).or_default() += work;
        }
        sums.into_iter().collect()
    }

    /// Where every start ended at the limit of iterations: the one that came nearest to a plan.
    pub fn at_limit(&self) -> Option<&Attempt> {
        let all = self.attempts.iter().all(|attempt| attempt.status == SolveStatus::IterationLimit);
        let nearest = self.attempts.iter().min_by(|a, b| a.infeasibility.total_cmp(&b.infeasibility));
        nearest.filter(|_| all)
    }

    /// What to do where there is no plan of `task`.
    pub fn advice(&self, task: &PlanTask) -> &'static str {
        match (self.at_limit(), &self.nearest) {
            (Some(_), _) if !task.controls.is_empty() => {
                "take more `starts` or fewer `steps`, or start from pushes that nearly do it, such as those of the plan for an \
                 easier goal: start_from = \"pushes.csv\""
            }
            (Some(_), _) => "take more `starts` or fewer `steps`, or give the start more room",
            (None, None) => "take more `starts` or fewer `steps`, or give the pushes more room",
            (None, Some(_)) => {
                "give the pushes more room, more `duration`, or another goal; few steps reach a little further than the motion \
                 does"
            }
        }
    }
}

/// The numbers of steps from the fewest to those of the plan.
pub fn levels(steps: usize) -> Vec<usize> {
    if steps < COARSE {
        return vec![steps];
    }
    let halvings = (steps / COARSE).ilog2().min(2);
    let coarse = steps.div_ceil(1 << halvings).next_multiple_of(2);
    let mut levels = vec![coarse / 2];
    levels.extend((0..=halvings).map(|halving| coarse << halving));
    levels
}

/// How many pieces of work a search has, for its progress.
pub fn amount(task: &PlanTask) -> usize {
    let levels = levels(task.steps);
    let started = STARTED.min(levels.len());
    let given = if task.start_from.is_some() { levels.len() - started } else { 0 };
    started * (task.starts + 2) + given + levels.len() - 1
}

/// Searches a plan. When the watch says to stop, the best so far is what there is.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub fn search(task: &PlanTask, watch: &Watch<'_>) -> Result<Search, IpoptError> {
    let levels = levels(task.steps);
    let steps = levels.last().copied().unwrap_or(task.steps);
    let mut search = Search {
        steps,
        attempts: Vec::new(),
        refinements: Vec::new(),
        found: None,
        aimed: None,
        nearest: None,
        finished: false,
    };
    let mut best: Option<(Program, Point)> = None;
    for (level, steps) in levels.iter().enumerate() {
        let program = Program::new(&task.with_steps(*steps), Sought::Cost);
        let mut here: Option<Solved> = None;
        if let Some((coarse, point)) = &best {
            let (refinement, found) = halve(&program, coarse, point, watch)?;
            search.refinements.push(refinement);
            here = found.map(|point| Solved::of(&program, point));
            here.iter().for_each(|plan| tell(&program, plan.cost, watch));
            let _ = watch.advance(1);
        }
        if watch.flow().is_continue() {
            let least = here.as_ref().map_or(f64::INFINITY, |plan| plan.cost);
            let attempts = attempts(&program, level, least, watch)?;
            let plans = attempts.iter().filter_map(|attempt| attempt.point.clone());
            for plan in plans.map(|point| Solved::of(&program, point)) {
                if here.as_ref().is_none_or(|best| plan.is_better_than(best)) {
                    here = Some(plan);
                }
            }
            search.attempts.extend(attempts);
        }
        if level < STARTED && watch.flow().is_continue() {
            if let Some(best) = &mut here {
                search.attempts.extend(stretch(&program, best, watch)?);
                tell(&program, best.cost, watch);
            }
            let _ = watch.advance(1);
        }
        if let Some(Solved { point, .. }) = here {
            best = Some((program, point));
        }
        if watch.flow() == ControlFlow::Break(()) {
            break;
        }
    }
    if let Some((program, point)) = &mut best
        && watch.flow().is_continue()
    {
        meet(program, point, watch)?;
    }
    search.finished = watch.flow().is_continue();
    if let Some((program, point)) = &mut best
        && search.finished
        && task.aim != AimedModel::Plan
        && let Some((aimed_at, aimed)) = aim(program, point, watch)?
    {
        *point = aimed_at;
        search.aimed = Some(aimed);
    }
    search.finished = watch.flow().is_continue();
    if let Some((program, point)) = &mut best {
        let polished = if search.finished { settle(program, point, watch)? } else { None };
        search.finished = watch.flow().is_continue();
        search.found = Some(found(program, point, polished));
    }
    if search.found.is_none() && search.finished {
        search.nearest = nearest(task, steps, watch)?;
        search.finished = watch.flow().is_continue();
    }
    Ok(search)
}

/// Polishes a plan. Where that makes it another, cheaper one, its steps may find other contacts on their way: it is solved again
/// with these, and polished again. A plan that leaves a face is none, and one whose end is aimed at for another model keeps its own
/// cost.
fn settle(
    program: &mut Program,
    point: &mut Point,
    watch: &Watch<'_>,
) -> Result<Option<Polished>, IpoptError> {
    let mut polished = polish(program, point, watch)?;
    for _ in 0..MOST_SETTLED {
        let Some(cheaper) = polished.take_if(|polished| polished.is_cheaper) else { return Ok(polished) };
        if !keeps_faces(&cheaper) || program.task.aim != AimedModel::Plan || watch.flow().is_break() {
            return Ok(None);
        }
        let mut own = program.clone();
        let mut at = Point { x: cheaper.x, multipliers: cheaper.point.multipliers };
        meet(&mut own, &mut at, watch)?;
        let Some(again) = polish(&own, &at, watch)?.filter(keeps_faces) else { return Ok(None) };
        (*program, *point, polished) = (own, at, Some(again));
    }
    Ok(polished.filter(|polished| !polished.is_cheaper))
}

/// Whether discs push faces in front of them alone.
fn keeps_faces(polished: &Polished) -> bool {
    FoundPlan::of(&polished.program, &polished.x).off_face(&polished.program).is_none()
}

/// The starts at a level, where the best plan so far costs `least`: all of them at the first levels, and at the others, where
/// halving goes on from the best of them, the motion that the task is given. Its own steps may be more than those of the
/// first levels, and the plan that it is at these steps would be lost.
fn attempts(
    program: &Program,
    level: usize,
    mut least: f64,
    watch: &Watch<'_>,
) -> Result<Vec<Attempt>, IpoptError> {
    let mut told = |attempt: &Attempt| {
        if attempt.point.is_some() && attempt.cost < least {
            least = attempt.cost;
            tell(program, least, watch);
        }
        // The homotopy takes the place of a given motion that leads nowhere.
        if attempt.kind != Kind::Given || attempt.point.is_some() || level >= STARTED {
            let _ = watch.advance(1);
        }
    };
    if level < STARTED {
        return relaxation::try_all(program, watch, told);
    }
    let attempt = relaxation::try_given(program, watch)?;
    attempt.iter().for_each(&mut told);
    Ok(attempt.into_iter().collect())
}

/// Says what the best plan so far costs.
fn tell(program: &Program, cost: f64, watch: &Watch<'_>) {
    let PlanTask { cost: kind, steps, .. } = &program.task;
    watch.tell(format!("best cost so far {} {} in {steps} steps", rounded_text(cost, 4), kind.unit()));
}

/// A plan at some number of steps.
#[derive(Debug, Clone)]
pub(super) struct Solved {
    pub point: Point,
    pub cost: f64,
    /// Whether a disc pushes a face beyond its end, which bodies do not.
    is_off_face: bool,
}

impl Solved {
    pub fn of(program: &Program, point: Point) -> Self {
        let is_off_face = FoundPlan::of(program, &point.x).off_face(program).is_some();
        Self { cost: program.cost(&point.x), point, is_off_face }
    }

    /// Whether it is cheaper, or does not do what bodies cannot.
    pub fn is_better_than(&self, other: &Self) -> bool {
        (self.is_off_face, self.cost) < (other.is_off_face, other.cost)
    }
}

/// Every push twice, from the motion that the simulator makes of it, or where that leads nowhere from that of the plan.
fn halve(
    program: &Program,
    coarse: &Program,
    point: &Point,
    watch: &Watch<'_>,
) -> Result<(Refinement, Option<Point>), IpoptError> {
    let mut program = program.clone();
    program.relaxation = relaxation::LAST;
    let rolled = roll_out(&program, &FoundPlan::of(coarse, &point.x), watch).ok();
    let mut refinement = Refinement {
        steps: program.task.steps,
        rolled_out: rolled.is_some(),
        work: Work::default(),
        status: SolveStatus::Interrupted,
        cost: f64::NAN,
    };
    let planned = || resampled(coarse, &point.x, &program, 1.0);
    for motion in rolled.into_iter().chain(std::iter::once_with(planned)) {
        let (solution, work) = relaxation::solve_from_near(&program, motion, watch, relaxation::is_plan)?;
        refinement.work += work;
        refinement.status = solution.status;
        if relaxation::is_plan(&solution) {
            refinement.cost = program.cost(&solution.x);
            let point = Point { x: solution.x, multipliers: solution.multipliers };
            return Ok((refinement, Some(point)));
        }
        if watch.flow().is_break() {
            break;
        }
    }
    Ok((refinement, None))
}

/// What there is to say of a point, polished if that went well.
fn found(program: &Program, point: &Point, polished: Option<Polished>) -> Found {
    let (x, kkt, verdict, switches) = match polished {
        Some(Polished { x, certificate: Certificate { kkt, verdict }, switches, .. }) => {
            (x, kkt, verdict, Some(switches))
        }
        None => {
            let kkt = Residuals::of_sparse(program, &point.x, &point.multipliers).max();
            (point.x.clone(), kkt, Verdict::NotCertified, None)
        }
    };
    let plan = FoundPlan::of(program, &x);
    let mut values = vec![0.0; program.constraints()];
    program.constraint_values(&x, &mut values);
    let complementarity = program.complementarity(&values);
    Found { kkt, verdict, switches, complementarity, off_face: plan.off_face(program), plan }
}
