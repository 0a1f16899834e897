use std::io::{self, Write};

use nalgebra::SVector;
use serde::{Serialize, Serializer, ser::SerializeStruct as _};

use crate::{
    contact::{
        Posing,
        detector::{Detection, MOST_CONTACTS, Mode, detect},
    },
    decimal::shortest,
    model::{Spin, Vector},
    scenario::Scenario,
    stepper::{Embedding, StepInput, StepperName, particles, planar_scene},
    trajectory::{Passage, Trajectory},
    watch::Watch,
    world::{Demands, Motion, StepProblem},
};

/// Difference from a solution, as a part of the largest velocity of the step, up to which a stepper took it.
const TAKEN: f64 = 1e-3;

/// The solutions that rigid contact has in the steps of a motion, found by trying all combinations of contact
/// modes; see [`contact::detector`](crate::contact::detector).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Detections {
    /// Steps with contacts whose solutions were counted.
    pub counted: usize,
    /// Steps with more contacts than can be tried.
    pub too_many: usize,
    /// The steps in which the laws of rigid contact leave something open, in order.
    pub steps: Vec<DetectedStep>,
}

/// A step with several solutions, with none, with an undecided number, or with forces that the motion does not determine.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectedStep {
    /// Its index.
    pub index: usize,
    /// Time in s at its start.
    pub time: f64,
    /// Whether it is the impact of the step that leaves something open, rather than its gaps.
    pub in_impact: bool,
    /// The two partners of every contact.
    pub contacts: Vec<[String; 2]>,
    /// The motions that fulfil all conditions; of infinitely many those at the ends.
    pub solutions: Vec<DetectedSolution>,
    /// Whether there are infinitely many.
    pub is_infinite: bool,
    /// Whether there may be more, since rounding leaves combinations of modes undecided.
    pub is_undecided: bool,
}

/// One motion that fulfils the conditions of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectedSolution {
    /// What each contact does, by its velocity where several combinations lead to one motion.
    pub modes: Vec<Mode>,
    /// Whether different forces lead to this motion.
    pub forces_are_indeterminate: bool,
    /// Whether it is the one that the stepper took.
    pub taken: bool,
}

impl Detections {
    /// Goes through the steps of a motion with a counter that `detector` makes; `None` if `watch` said to stop, which
    /// counts the steps.
    pub fn of<const D: usize>(
        trajectory: &Trajectory<D>,
        detector: Detector<D>,
        watch: &Watch<'_>,
    ) -> Option<Self> {
        let mut counter = detector(&trajectory.scenario);
        let mut goes_on = true;
        trajectory.for_each_passage(|passage| {
            if goes_on {
                counter.add(passage);
                goes_on = watch.advance(1).is_continue();
            }
        });
        goes_on.then_some(counter.found)
    }

    /// The steps with several solutions.
    pub fn several(&self) -> impl Iterator<Item = &DetectedStep> {
        self.steps.iter().filter(|step| step.solutions.len() > 1)
    }

    /// The steps without a solution.
    pub fn none(&self) -> impl Iterator<Item = &DetectedStep> {
        self.steps.iter().filter(|step| step.solutions.is_empty() && !step.is_undecided)
    }

    /// The steps of which it is open whether they have one solution, or any.
    pub fn undecided(&self) -> impl Iterator<Item = &DetectedStep> {
        self.steps.iter().filter(|step| step.solutions.len() < 2 && step.is_undecided)
    }

    /// The steps in which the motion is determined, and the forces are not.
    pub fn indeterminate_forces(&self) -> impl Iterator<Item = &DetectedStep> {
        self.steps.iter().filter(|step| step.solutions.len() == 1 && !step.is_undecided)
    }

    /// What was found, in sentences.
    pub fn sentences(&self) -> Vec<String> {
        let mut found = Vec::new();
        let steps = |count: usize| if count == 1 { "1 step".to_owned() } else { format!("{count} steps") };
        let first = |step: &DetectedStep| {
            let stage = if step.in_impact { "its impact, " } else { "" };
            format!("the first at t = {} s ({stage}{})", step.time, step.in_words())
        };
        if let Some(step) = self.several().next() {
            found.push(format!("{} with several solutions, {}", steps(self.several().count()), first(step)));
        }
        if let Some(step) = self.none().next() {
            found.push(format!("{} without a solution, {}", steps(self.none().count()), first(step)));
        }
        if let Some(step) = self.undecided().next() {
            let count = steps(self.undecided().count());
            found.push(format!("{count} in which rounding leaves it open how many, {}", first(step)));
        }
        if found.is_empty() && self.counted > 0 {
            found.push(format!("one in each of the {} with contacts", steps(self.counted)));
        }
        let indeterminate = self.indeterminate_forces().count();
        if indeterminate > 0 {
            found
                .push(format!("{} whose contact forces the motion does not determine", steps(indeterminate)));
        }
        if self.too_many > 0 {
            found.push(format!(
                "{} with more than {MOST_CONTACTS} contacts not counted",
                steps(self.too_many)
            ));
        }
        if found.is_empty() {
            found.push("no step has a contact".to_owned());
        }
        found
    }
}

impl DetectedStep {
    /// The solutions by their modes, that which was taken marked.
    fn in_words(&self) -> String {
        if self.solutions.is_empty() {
            let pairs: Vec<String> = self.contacts.iter().map(|pair| pair.join(" on ")).collect();
            return pairs.join(", ");
        }
        let solutions = self.solutions.iter().map(|solution| {
            let taken = if solution.taken { ", taken" } else { "" };
            format!("{}{taken}", modes(&solution.modes))
        });
        let more = self.is_infinite.then(|| "infinitely many between them".to_owned());
        solutions.chain(more).collect::<Vec<_>>().join("; ")
    }
}

/// The modes of a combination, contact by contact.
fn modes(modes: &[Mode]) -> String {
    modes.iter().map(|mode| mode.as_str()).collect::<Vec<_>>().join(" & ")
}

impl Serialize for Detections {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Detections", 8)?;
        fields.serialize_field("steps_counted", &self.counted)?;
        fields.serialize_field("steps_with_too_many_contacts", &self.too_many)?;
        fields.serialize_field("several_solutions", &self.several().count())?;
        let infinite = self.steps.iter().filter(|step| step.is_infinite).count();
        fields.serialize_field("infinitely_many_solutions", &infinite)?;
        fields.serialize_field("no_solution", &self.none().count())?;
        fields.serialize_field("undecided", &self.undecided().count())?;
        fields.serialize_field("indeterminate_forces", &self.indeterminate_forces().count())?;
        fields.serialize_field("words", &self.sentences())?;
        fields.end()
    }
}

/// Writes the steps that leave something open as CSV, a row per step and stepper.
///
/// Columns: `stepper,step,t`, `stage` (gap or impact), `contacts` (pairs, separated by `;`), the number of
/// `solutions`, their `modes` (contacts joined by `&`, solutions by `;`), the number of the one that was
/// `taken` from 1, empty if none of them was, `forces`, determined or indeterminate, and what there is `beyond`:
/// `infinite` where there are infinitely many between these, `undecided` where there may be more, or nothing.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_detections_csv<'a>(
    detected: impl IntoIterator<Item = (&'a str, &'a Detections)>,
    out: impl Write,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "stepper",
        "step",
        "t",
        "stage",
        "contacts",
        "solutions",
        "modes",
        "taken",
        "forces",
        "beyond",
    ])?;
    for (stepper, detections) in detected {
        for step in &detections.steps {
            let contacts: Vec<String> = step.contacts.iter().map(|pair| pair.join(" on ")).collect();
            let solutions: Vec<String> =
                step.solutions.iter().map(|solution| modes(&solution.modes)).collect();
            let taken = step.solutions.iter().position(|solution| solution.taken);
            let open = step.solutions.iter().any(|solution| solution.forces_are_indeterminate);
            csv.write_record([
                stepper,
                &step.index.to_string(),
                &shortest(step.time),
                if step.in_impact { "impact" } else { "gap" },
                &contacts.join("; "),
                &step.solutions.len().to_string(),
                &solutions.join("; "),
                &taken.map_or(String::new(), |place| (place + 1).to_string()),
                if open { "indeterminate" } else { "determined" },
                match step {
                    DetectedStep { is_infinite: true, .. } => "infinite",
                    DetectedStep { is_undecided: true, .. } => "undecided",
                    _ => "",
                },
            ])?;
        }
    }
    csv.flush()
}

/// How a counter is made for a scenario.
pub type Detector<const D: usize> = for<'a> fn(&'a Scenario<D>) -> Counter<'a, D>;

/// What counts one step.
type Count<'a, const D: usize> = Box<dyn FnMut(&Passage<'_, D>, &mut Detections) + 'a>;

/// Counts the solutions of steps, one after the other.
pub struct Counter<'a, const D: usize> {
    /// What was found so far.
    pub found: Detections,
    count: Count<'a, D>,
}

impl<const D: usize> Counter<'_, D> {
    /// Adds the next step.
    pub fn add(&mut self, passage: &Passage<'_, D>) {
        (self.count)(passage, &mut self.found);
    }
}

impl Counter<'static, 2> {
    /// A counter for a scenario in a vertical plane.
    ///
    /// Every step is posed anew for rigid contact, from its state and its pushes, whatever model took it.
    pub fn in_plane<'a>(scenario: &'a Scenario<2>) -> Counter<'a, 2> {
        let count: Count<'a, 2> = if scenario.has_turning_bodies() {
            match planar_scene(scenario, StepperName::LCP) {
                Ok(scene) => of_world(scene, scenario),
                // A scenario that was simulated has shapes; without them there is nothing to count.
                Err(_) => Box::new(|_, _| {}),
            }
        } else {
            of_world(particles(scenario), scenario)
        };
        Counter { found: Detections::default(), count }
    }
}

fn of_world<'a, W: Embedding<2, N> + 'a, const N: usize>(
    world: W,
    scenario: &'a Scenario<2>,
) -> Count<'a, 2> {
    let impacts = scenario.impacts();
    let demands =
        Demands { posing: Posing::GapLevel, acts_ahead: true, impacts, horizon: scenario.step, reach: 0.0 };
    let mut problem = StepProblem::default();
    let mut motion = Motion { poses: Vec::new(), velocities: Vec::new() };
    let mut wrenches = Vec::new();
    let mut forces = vec![Vector::zeros(); scenario.bodies.len()];
    let mut torques = vec![Spin::zeros(); scenario.initial_attitudes().len()];
    Box::new(move |passage, found| {
        let index = passage.index;
        scenario.loads_at(index, passage.attitudes[0], &mut forces, &mut torques);
        let mut input = StepInput {
            index,
            time: scenario.time().at(index),
            dt: scenario.step,
            states: passage.states[0],
            attitudes: passage.attitudes[0],
            forces: &forces,
            torques: &torques,
        };
        world.load(&input, &mut motion, &mut wrenches);
        problem.set_time(input.time);
        problem.pose(&world, &motion, &wrenches, scenario.step, demands);
        if problem.touches.is_empty() {
            return;
        }
        let Ok(mut detection) = detect(&problem.contact) else {
            found.too_many += 1;
            return;
        };
        found.counted += 1;
        // What the first stage closes decides what the second one asks for.
        let first = detection.alternatives.first().map(|solution| solution.velocity.clone());
        let mut in_impact = false;
        if let Some(velocity) = first.filter(|_| detection.alternatives.len() == 1 && detection.is_complete)
            && problem.is_in_stages(impacts)
        {
            problem.enter_impact(&velocity);
            in_impact = true;
            detection = detect(&problem.contact).unwrap_or(detection);
        }
        (input.states, input.attitudes) = (passage.states[1], passage.attitudes[1]);
        world.load(&input, &mut motion, &mut wrenches);
        let step = detected(scenario, &problem, &detection, &motion.velocities, (index, in_impact));
        let open = |solution: &DetectedSolution| solution.forces_are_indeterminate;
        if step.solutions.len() != 1 || step.is_undecided || step.solutions.iter().any(open) {
            found.steps.push(step);
        }
    })
}

/// What the solutions of a step are to its reader; `after` are the velocities at its end.
fn detected<const N: usize>(
    scenario: &Scenario<2>,
    problem: &StepProblem<2, N>,
    detection: &Detection<N>,
    after: &[SVector<f64, N>],
    (index, in_impact): (usize, bool),
) -> DetectedStep {
    let distance = |velocity: &[SVector<f64, N>]| {
        velocity.iter().zip(after).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max)
    };
    let unit = problem.contact.free_velocity.iter().map(|v| v.amax()).fold(0.0, f64::max);
    let distances: Vec<f64> = detection.alternatives.iter().map(|one| distance(&one.velocity)).collect();
    let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let solutions =
        detection.alternatives.iter().zip(&distances).map(|(solution, &distance)| DetectedSolution {
            modes: solution.modes.clone(),
            forces_are_indeterminate: solution.impulses_are_indeterminate,
            taken: distance == nearest && distance <= TAKEN * unit,
        });
    let touches = problem.touches.iter();
    DetectedStep {
        index,
        time: scenario.time().at(index),
        in_impact,
        contacts: touches
            .map(|touch| [scenario.body_name(touch.first), scenario.partner_name(touch.second)])
            .collect(),
        solutions: solutions.collect(),
        is_infinite: detection.is_infinite,
        is_undecided: !detection.is_complete,
    }
}
