//! Steppers of many bodies: a world, and a contact model that solves its steps.

mod contact_point;
mod divided_point;
mod embedding;
mod gaps_at_end;
mod honours;
mod joint_forces;
mod models;
mod particles;
mod planar;
mod scene;
mod spatial;

use nalgebra::SVector;

use super::{
    Contact, ContactMode, Honours, Moved, SolveReport, SolverInfo, StepFailure, StepInput, StepStatus,
    Stepper, StepperName, UsedSettings,
};
use crate::{
    contact::{Accuracy, LawSolved, Posing, Relaxation, SolveFailure, friction_cone::tangential_norm},
    rows,
    scenario::Scenario,
    world::{
        BodyPart, CREEP, Facing, HELD, Motion, Partner, Pressed, Remembered, SLIGHT, StepReport, TimeStepper,
        redundant_rows,
    },
};

pub(super) use contact_point::{ContactPoint, PointLaw, RigidLaw};
pub use embedding::Embedding;
use gaps_at_end::GapsAtEnd;
use joint_forces::JointForcesOf;
pub(crate) use models::{Choice, Choose, ContactModels, of_every_kind};
pub(super) use models::{Made, anitescu, convex, in_pieces, lcp, nlp, own_solver, smooth};
use particles::beads;
pub(crate) use particles::particles;
pub(super) use particles::planes;
pub(crate) use planar::planar_scene;
pub(crate) use spatial::spatial_scene;

/// What stands before the memory of the model, where the number of a body would be.
const MODEL: f64 = -1.0;

/// What stands before what a joint remembers: 0 and an axis with its angle, or 1 and an axis with its rate.
const JOINT: f64 = -3.0;

/// What stands before the numbers of the parts that face each other, in the same place.
const PARTS: f64 = -4.0;

/// What stands before how hard contacts were pressed, in the same place.
const PRESSED: f64 = -2.0;

/// A contact model at work on a world: what steps a scenario of many bodies.
pub struct Bodies<W: Embedding<D, N>, const D: usize, const N: usize> {
    name: StepperName,
    solver: Option<SolverInfo>,
    settings: UsedSettings,
    honours: Honours,
    world: W,
    stepper: TimeStepper<D, N>,
    motion: Motion<W::Pose, N>,
    forces: Vec<SVector<f64, N>>,
    wrenches: Vec<SVector<f64, N>>,
    joints: JointForcesOf<D>,
}

impl<W: Embedding<D, N>, const D: usize, const N: usize> Bodies<W, D, N> {
    /// A stepper of `world` by the chosen model.
    pub(super) fn new(world: W, choice: Choice<D, N>, scenario: &Scenario<D>) -> Self {
        let Choice { name, solver, settings, honours, model, impacts, closing, divides } = choice;
        let motion = Motion { poses: Vec::new(), velocities: Vec::new() };
        Self {
            name,
            solver,
            settings,
            honours,
            world,
            stepper: TimeStepper::new(model, impacts).closing(closing).dividing(divides),
            motion,
            forces: Vec::new(),
            wrenches: Vec::new(),
            joints: JointForcesOf::new(scenario),
        }
    }

    /// Slacks and multiplier of a single body that nothing is near to.
    fn in_flight(&self, dt: f64, moved: &Moved<D>) -> Option<Relaxation> {
        let ([state], true) = (moved.states.as_slice(), moved.contacts.is_empty()) else { return None };
        let slip = state.velocity.rows_range(..D - 1).norm();
        self.stepper.model().relaxation_in_flight(slip, self.world.gravity() * dt)
    }

    /// Writes where the bodies are and what the contacts did.
    fn write(&mut self, input: &StepInput<'_, D>, moved: &mut Moved<D>) {
        self.world.store(&self.motion, moved);
        let (problem, solution) = (self.stepper.problem(), self.stepper.solution());
        // A law that makes friction of a velocity has what it holds creep.
        let creeps = self.stepper.model().posing() == Posing::Compliant;
        let gained = self.world.gravity() * input.dt;
        // Without the bias, which of what an impact is to meet later is several times its speed.
        let free = &problem.contact.free_velocity;
        let approaches = problem.contact.contacts.iter();
        let approaches = approaches.map(|contact| problem.contact.unbiased_velocity(contact, free).amax());
        let unit = approaches.fold(gained, f64::max);
        self.wrenches.clear();
        self.wrenches.resize(self.world.bodies(), SVector::zeros());
        moved.contacts.clear();
        let way = (self.stepper.moving_velocities(), input.dt);
        let mut ends = GapsAtEnd::new(&self.world, &self.motion.poses, way);
        let touches = problem.touches.iter().zip(&problem.contact.contacts).zip(&solution.impulses);
        for (index, ((touch, contact), impulse)) in touches.enumerate() {
            // A stop is a part of its joint.
            if matches!(touch.second, Partner::Stop { .. }) {
                continue;
            }
            let wrench = rows::transposed_times(&touch.jacobian[0], impulse);
            self.wrenches[touch.first] += wrench;
            // What resists turning is in the torques of the bodies, and in no force of the contact.
            if let Some(place) = problem.contact.groups_of(index)
                && let Some(torque) = solution.turning.get(place)
            {
                let [own, other] = &problem.contact.groups[place].jacobian;
                self.wrenches[touch.first] += rows::transposed_times(own, torque);
                if let Partner::Body(second) = touch.second {
                    self.wrenches[second] += rows::transposed_times(other, torque);
                }
            }
            // On fixed bodies too, which do not move by it.
            if let Partner::Body(second) = touch.second {
                self.wrenches[second] += rows::transposed_times(&touch.jacobian[1], impulse);
            }
            let presses = impulse[0] > 0.0
                && impulse[0] * problem.contact.delassus_trace(contact) > SLIGHT * unit * D as f64;
            let mode = if presses {
                // With the velocities of driven bodies as the problem has them: over the arc of a turntable, not its tangent.
                let slip = tangential_norm(&problem.contact.relative_velocity(contact, &solution.velocity));
                let is_held = creeps
                    && (slip <= CREEP * gained
                        || problem.contact.friction_used(index, solution)
                            < HELD * contact.friction * impulse[0]);
                if slip > SLIGHT * unit && !is_held { ContactMode::Slip } else { ContactMode::Stick }
            } else {
                ContactMode::Open
            };
            moved.contacts.push(Contact {
                first: touch.first,
                second: touch.second,
                point: touch.point,
                normal: touch.normal,
                gap: touch.gap,
                gap_end: presses.then(|| ends.of(touch)),
                // A wrench begins with the force in the axes of the world.
                force: SVector::from_fn(|i, _| wrench[i]) / input.dt,
                mode,
            });
        }
        self.joints.write(&self.stepper, input, &mut moved.joints);
        moved.driven_work = problem.driven_work(solution);
        moved.search = self.stepper.passage();
        self.world.store_impulses(input, &self.wrenches, moved);
    }
}

/// How a step was found, in the words of a trajectory.
///
/// Of a body by itself the residual is that of the law that the model has, of several that of Coulomb's, by which they
/// are compared.
fn solve_report(report: &StepReport, bodies: usize) -> SolveReport {
    let is_own = matches!(report.law, LawSolved::Own | LawSolved::Capped);
    let is_approximate = report.accuracy == Accuracy::Approximate;
    let first_try = report.rung == 0 && is_own && !is_approximate;
    SolveReport {
        status: if first_try { StepStatus::Solved } else { StepStatus::Rescued },
        iterations: report.iterations,
        residual: report.own_law.filter(|_| bodies == 1).unwrap_or(report.residuals.scaled),
        is_approximate,
        nlp: report.relaxation,
    }
}

impl<W: Embedding<D, N>, const D: usize, const N: usize> Stepper<D> for Bodies<W, D, N> {
    fn name(&self) -> StepperName {
        self.name
    }

    fn solver(&self) -> Option<SolverInfo> {
        self.solver.clone()
    }

    fn settings(&self) -> UsedSettings {
        self.settings.clone()
    }

    fn honours(&self) -> Honours {
        self.honours
    }

    fn reset(&mut self) {
        self.restore(&[]);
        self.joints.begin();
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.stepper.model_mut().set_verbose(verbose);
    }

    /// On which side of each other bodies without thickness are: their numbers and the normal, one pair after the other,
    /// behind a `PARTS` and the numbers of the parts where these are not the first ones.
    /// Where friction depends on the slip, how hard contacts were pressed follows after a `PRESSED` in the place of a
    /// number; where the model keeps something, that after a `MODEL`.
    fn memory(&self) -> Vec<f64> {
        let numbers = |facing: &Facing<D>| {
            let bodies = facing.pair.map(|of| of.body as f64);
            let parts = facing.pair.map(|of| of.part as f64);
            // What touches is mostly in one part.
            let named = match parts {
                [0.0, 0.0] => bodies.to_vec(),
                _ => [vec![PARTS], parts.to_vec(), bodies.to_vec()].concat(),
            };
            named.into_iter().chain(facing.normal.iter().copied()).collect::<Vec<_>>()
        };
        let mut memory: Vec<f64> = self.stepper.facings().iter().flat_map(numbers).collect();
        for Pressed { first, second, speed } in self.stepper.pressed() {
            let [kind, index] = match second {
                Partner::Ground => [0.0, 0.0],
                Partner::Wall(wall) => [1.0, *wall as f64],
                Partner::Body(body) => [2.0, *body as f64],
                // Stops have no friction to be pressed by.
                Partner::Stop { .. } => continue,
            };
            memory.extend([PRESSED, *first as f64, kind, index, *speed]);
        }
        for remembered in self.stepper.joints().all() {
            memory.extend(match remembered {
                Remembered::Angle(axis, angle) => [JOINT, 0.0, axis as f64, angle],
                Remembered::Rate(axis, rate) => [JOINT, 1.0, axis as f64, rate],
            });
        }
        let of_model = self.stepper.model().memory();
        if !of_model.is_empty() {
            memory.push(MODEL);
            memory.extend(of_model);
        }
        memory
    }

    fn restore(&mut self, memory: &[f64]) {
        let bodies = self.world.bodies();
        let (mut facings, mut pressed, mut rest) = (Vec::new(), Vec::new(), memory);
        let mut joints = Vec::new();
        let mut parts = [0; 2];
        loop {
            match *rest {
                [MODEL, ref of_model @ ..] => {
                    rest = of_model;
                    break;
                }
                [PRESSED, first, kind, index, speed, ref behind @ ..] => {
                    let second = match kind {
                        0.0 => Partner::Ground,
                        1.0 => Partner::Wall(index as usize),
                        _ => Partner::Body(index as usize),
                    };
                    pressed.push(Pressed { first: first as usize, second, speed });
                    rest = behind;
                }
                [PARTS, first, second, ref behind @ ..] => {
                    parts = [first as usize, second as usize];
                    rest = behind;
                }
                [JOINT, kind, axis, number, ref behind @ ..] => {
                    let axis = axis as usize;
                    joints.push(if kind == 0.0 {
                        Remembered::Angle(axis, number)
                    } else {
                        Remembered::Rate(axis, number)
                    });
                    rest = behind;
                }
                [first, second, ref behind @ ..] if behind.len() >= D => {
                    let (first, second) = (first as usize, second as usize);
                    let normal = SVector::from_column_slice(&behind[..D]);
                    if first < bodies && second < bodies {
                        let [own, other] = std::mem::take(&mut parts);
                        let pair =
                            [BodyPart { body: first, part: own }, BodyPart { body: second, part: other }];
                        facings.push(Facing { pair, normal });
                    }
                    rest = &behind[D..];
                }
                _ => {
                    rest = &[];
                    break;
                }
            }
        }
        self.stepper.model_mut().restore(rest);
        self.stepper.set_facings(facings);
        self.stepper.set_pressed(pressed);
        self.stepper.joints_mut().remember(joints);
    }

    /// The residual is the scaled one of Coulomb's law ([`Residuals`](crate::contact::Residuals)), for
    /// compliant models as well.
    fn step(&mut self, input: &StepInput<'_, D>, moved: &mut Moved<D>) -> Result<SolveReport, StepFailure> {
        self.world.load(input, &mut self.motion, &mut self.forces);
        self.stepper.joints_mut().time = input.time;
        if self.joints.takes_up() {
            self.stepper.set_redundant_links(redundant_rows(&self.world, &self.motion, input.dt));
        }
        moved.impact = None;
        let failure = match self.stepper.step(&self.world, &mut self.motion, &self.forces, input.dt) {
            Ok(report) => {
                moved.impact = report.impact;
                self.write(input, moved);
                let report = solve_report(&report, self.world.bodies());
                // Its equations are solved, but the motion is not that of what touches. Who does not look along the way does
                // not vouch for that, and it is told beside the status.
                let is_kept = moved.search.certificate.is_none_or(|certificate| certificate.is_kept());
                let report = match self.stepper.is_vouched_for() && !is_kept {
                    true => SolveReport { status: StepStatus::Uncertified, ..report },
                    false => report,
                };
                return Ok(SolveReport {
                    nlp: report.nlp.or_else(|| self.in_flight(input.dt, moved)),
                    ..report
                });
            }
            Err(failure) => failure,
        };
        let stage = if failure.in_impact { "in the impact, " } else { "" };
        let failed = StepFailure::new(failure.failure.kind(), format!("{stage}{}", failure.failure));
        let SolveFailure::Unsolved { iterations, residuals, .. } = failure.failure else {
            return Err(failed);
        };
        let bodies = self.world.bodies();
        let finite = |v: &SVector<f64, N>| v.iter().all(|part| part.is_finite());
        let solution = self.stepper.solution();
        let usable = solution.velocity.len() == bodies
            && solution.velocity.iter().all(finite)
            && solution.impulses.len() == self.stepper.problem().touches.len();
        if !usable || !residuals.scaled.is_finite() {
            return Err(failed.after(iterations, residuals.scaled));
        }
        self.stepper.accept(&self.world, &mut self.motion, input.dt);
        self.write(input, moved);
        let candidate = SolveReport {
            status: StepStatus::Failed,
            iterations,
            residual: residuals.scaled,
            is_approximate: false,
            nlp: None,
        };
        Err(failed.with_candidate(candidate))
    }
}
