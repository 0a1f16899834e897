use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{
    PoseError, RecordedState, Recording, Spacing, Start, Toss, TossError, TriedLaw, Windows,
    clearance::{above_planes, height_above_planes, lifted_out},
    flight::{Flight, turned_between},
};
use crate::{
    decimal::rounded,
    measured_table::InvalidData,
    model::{Attitude, State, Vector},
    scenario::{Corners, Ground, Scenario, Shape},
    simulate::{OnFailure, stream},
    stepper::{BuildStepper, FlightVelocity, Refusal, StepStatus},
    watch::Watch,
};

/// Depth of a body in the ground or a wall, as a share of its size, of a point of how far it gets, up to which it is an
/// error of the measurement; and the same in standard deviations of the rows.
const SUNK: f64 = 0.02;
const SUNK_BY_NOISE: f64 = 6.0;

/// Why a recording cannot be predicted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PredictError {
    /// The recording has faults.
    #[error(transparent)]
    Data(#[from] InvalidData),
    /// A stepper does not admit the scenario.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Scenario and recording do not fit each other, or what was asked for.
    #[error("{message}")]
    Unsuited {
        /// What does not fit.
        message: String,
        /// What to do.
        help: String,
    },
}

/// Starts steppers where the tosses of a recording start.
#[derive(Debug, Clone)]
pub struct Predictor<const D: usize> {
    scenario: Scenario<D>,
    moving: usize,
    recording: Recording<D>,
    spacing: Spacing,
    start: Start,
    /// Where each toss starts, by the flight of a stepper whose steps end impacts.
    starts: Vec<RecordedState<D>>,
    size: f64,
}

/// What a stepper makes of one toss.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction<const D: usize> {
    /// Which toss, from 0.
    pub toss: usize,
    /// The predicted states in the rows that were reached.
    pub states: Vec<(State<D>, Option<Attitude>)>,
    /// How far they are from the measured ones.
    pub rows: Vec<PoseError>,
    /// The errors; `None` where the stepper did not get through to the last row.
    pub error: Option<TossError>,
    /// Steps taken.
    pub steps: usize,
    /// Steps that failed; the motion went on from the best candidates, where there were any.
    pub failed: usize,
    /// Steps that were solved by a second attempt.
    pub rescued: usize,
    /// Steps that are solved, and whose motion is not that of what touches.
    pub uncertified: usize,
    /// When in the toss the first of these failures was, in s, and why.
    pub failure: Option<(f64, String)>,
}

impl<const D: usize> Predictor<D>
where
    Scenario<D>: BuildStepper<D>,
{
    /// For the one body of `scenario` that can move, and the tosses of a recording of it. Distances are
    /// measured in the size of that body, those of a point in metres.
    ///
    /// # Errors
    /// [`PredictError`] if scenario and recording do not fit each other.
    pub fn new(scenario: &Scenario<D>, recording: Recording<D>, start: Start) -> Result<Self, PredictError> {
        let moving = the_moving_body(scenario)?;
        let unsuited =
            |message: String, help: &str| Err(PredictError::Unsuited { message, help: help.to_owned() });
        let is_smoothed =
            recording.windows.as_ref().is_some_and(|cut| matches!(cut.windows, Windows::Seconds(_)));
        if start == Start::Fit && !is_smoothed && !scenario.pushes.is_empty() {
            return unsuited(
                "the scenario has pushes, and the start that is fitted is that of a flight under gravity alone".into(),
                "start as measured, with --start raw, or cut by a number of seconds, as in --windows 0.1",
            );
        }
        if let Some(toss) = recording.tosses.iter().find(|toss| toss.states.len() < 2) {
            return unsuited(
                format!("toss {} has fewer than two rows left to predict", toss.number),
                "begin earlier with --from, or leave the toss out",
            );
        }
        let recording = recording.with_even_times();
        let spacing = Spacing::of(&recording, scenario.step)?;
        let size = scenario.bodies[moving].shape.size().unwrap_or(1.0);
        let starts = Vec::new();
        let mut predictor =
            Self { scenario: scenario.clone(), moving, recording, spacing, start, starts, size };
        let flight = predictor.usual_flight();
        predictor.starts = (predictor.recording.tosses.par_iter())
            .map(|toss| {
                let start = predictor.start_of(toss, &flight)?;
                predictor.scenario_from(toss, &start).map(|_| start)
            })
            .collect::<Result<_, _>>()?;
        Ok(predictor)
    }

    /// What predicts the same throws in another `scenario`, where they start as they do here, without fitting the starts anew;
    /// `None` where they may not. What contact is like has no part in a start.
    pub fn in_alike(&self, scenario: &Scenario<D>) -> Option<Self> {
        let ground = Ground { slope: scenario.ground.slope, ..self.scenario.ground };
        let steppers = self.scenario.steppers;
        let is_alike = Scenario { ground, steppers, ..scenario.clone() } == self.scenario;
        is_alike.then(|| Self { scenario: scenario.clone(), ..self.clone() })
    }

    pub(super) fn start_of(&self, toss: &Toss<D>, flight: &Flight) -> Result<RecordedState<D>, PredictError> {
        let start = self.start.of(toss, &self.scenario, self.moving, flight);
        let start = start.ok_or_else(|| unstartable(format!("toss {} has no row", toss.number)))?;
        let corners = Corners::of(&self.scenario.bodies[self.moving]);
        let is_sunk = self.sunk_by(toss, &start).is_some();
        Ok(if is_sunk { lifted_out(&self.scenario, &corners, &start) } else { start })
    }

    /// The scenario that begins where a toss does.
    pub(super) fn scenario_from(
        &self,
        toss: &Toss<D>,
        start: &RecordedState<D>,
    ) -> Result<Scenario<D>, PredictError> {
        let mut scenario = self.scenario.clone();
        let steps = self.spacing.steps(toss).max(1);
        scenario.step = self.spacing.step;
        scenario.duration = steps as f64 * scenario.step;
        // Pushes are in the time of the whole toss.
        scenario.pushes =
            scenario.pushes.iter().filter_map(|push| push.after(toss.passed, scenario.step)).collect();
        let height = height_above_planes(&scenario, &start.state.position);
        if scenario.bodies[self.moving].shape != Shape::Point && height < 0.0 {
            return Err(unstartable(format!(
                "toss {} has no possible start: the centre of the body is {} m in the ground or a wall",
                toss.number,
                rounded(-height, 3)
            )));
        }
        let body = &mut scenario.bodies[self.moving];
        (body.position, body.velocity) = (start.state.position, start.state.velocity);
        if let Some(attitude) = start.attitude {
            (body.orientation, body.spin) = (attitude.orientation, attitude.spin);
        }
        match scenario.check() {
            Ok(()) => Ok(scenario),
            Err(violations) => {
                let first = violations.first().map(ToString::to_string).unwrap_or_default();
                Err(unstartable(format!("toss {} has no possible start: {first}", toss.number)))
            }
        }
    }

    /// How the stepper of `law` follows a body in flight.
    ///
    /// # Errors
    /// [`Refusal`] if it does not admit the scenario.
    pub fn flight(&self, law: impl Into<TriedLaw>) -> Result<Flight, Refusal> {
        let law = law.into();
        let mut scenario = law.of_scenario(self.scenario.clone());
        scenario.step = self.spacing.step;
        Ok(Flight::new(scenario.stepper(law.stepper)?.honours().flight, self.spacing.step))
    }

    /// What `law` makes of the toss number `index`, from 0; `None` if `watch` said to stop.
    ///
    /// # Errors
    /// [`PredictError`] if the stepper does not admit the scenario.
    pub fn toss(
        &self,
        index: usize,
        law: impl Into<TriedLaw>,
        flight: &Flight,
        watch: &Watch<'_>,
    ) -> Result<Option<Prediction<D>>, PredictError> {
        let toss = &self.recording.tosses[index];
        let start =
            if *flight == self.usual_flight() { self.starts[index] } else { self.start_of(toss, flight)? };
        let law = law.into();
        let scenario = law.of_scenario(self.scenario_from(toss, &start)?);
        let places = self.spacing.places(toss);
        let mut stepper = scenario.stepper(law.stepper)?;
        let mut prediction = Prediction {
            toss: index,
            states: Vec::with_capacity(places.len()),
            rows: Vec::with_capacity(places.len()),
            error: None,
            steps: 0,
            failed: 0,
            rescued: 0,
            uncertified: 0,
            failure: None,
        };
        let reach = |prediction: &mut Prediction<D>, state: State<D>, attitude: Option<Attitude>| {
            let measured = &toss.states[prediction.rows.len()];
            prediction.rows.push(PoseError::between(measured, &state, attitude.as_ref()));
            prediction.states.push((state, attitude));
        };
        reach(&mut prediction, start.state, start.attitude);
        let mut flow = ControlFlow::Continue(());
        let outcome = stream(&scenario, stepper.as_mut(), OnFailure::Continue, |passage| {
            prediction.steps += 1;
            prediction.failed += usize::from(passage.step.report.status == StepStatus::Failed);
            prediction.rescued += usize::from(passage.step.report.status == StepStatus::Rescued);
            prediction.uncertified += usize::from(passage.step.report.status == StepStatus::Uncertified);
            while let Some(place) = places.get(prediction.rows.len()) {
                if place.steps_to() != passage.index + 1 {
                    break;
                }
                let [before, after] = passage.states.map(|states| states[self.moving]);
                let [turned, turns_to] = passage.attitudes.map(|all| all.get(self.moving).copied());
                if place.share == 0.0 {
                    reach(&mut prediction, after, turns_to);
                } else {
                    let turned = turned.zip(turns_to);
                    let attitude = turned.map(|(from, to)| turned_between(&from, &to, place.share));
                    reach(&mut prediction, part_way(&before, &after, place.share), attitude);
                }
            }
            flow = watch.advance(1);
            flow
        });
        if flow.is_break() {
            return Ok(None);
        }
        prediction.failure = outcome.first_failure.map(|failure| (failure.time, failure.error.to_string()));
        if prediction.rows.len() == toss.states.len() {
            prediction.error = Some(TossError::of(&prediction.rows[toss.judged()..], self.size));
        } else {
            // The step that ended the toss was not handed on.
            prediction.failed += 1;
        }
        Ok(Some(prediction))
    }
}

impl<const D: usize> Predictor<D> {
    /// How most steppers follow a body in flight.
    pub(super) fn usual_flight(&self) -> Flight {
        Flight::new(FlightVelocity::default(), self.spacing.step)
    }

    /// How deep in m the body starts in the ground or a wall, if by as little as its place is measured wrong: it starts on
    /// it, for every stepper.
    pub(super) fn sunk_by(&self, toss: &Toss<D>, start: &RecordedState<D>) -> Option<f64> {
        let body = &self.scenario.bodies[self.moving];
        let depth = -above_planes(&self.scenario, &Corners::of(body), start);
        if depth <= 0.0 {
            return None;
        }
        let of_size = match body.shape {
            Shape::Point => error_of_place(toss),
            _ => SUNK * self.size,
        };
        let is_little = depth <= of_size || depth <= SUNK_BY_NOISE * self.noise_of(toss);
        is_little.then_some(depth)
    }

    /// The standard deviation of a coordinate of a row in m.
    fn noise_of(&self, toss: &Toss<D>) -> f64 {
        self.recording.windows.as_ref().map_or_else(|| toss.row_noise(), |cut| cut.noise)
    }

    /// Measures distances in another `size` in m than the body's.
    #[must_use]
    pub fn in_units_of(self, size: f64) -> Self {
        Self { size, ..self }
    }

    /// What is predicted.
    pub fn recording(&self) -> &Recording<D> {
        &self.recording
    }

    /// How many steps there are from row to row.
    pub fn spacing(&self) -> &Spacing {
        &self.spacing
    }

    /// What the times of the recording are rounded to, in s, where its rows come at equal intervals all the same and
    /// are taken at these.
    pub fn rounded(&self) -> Option<f64> {
        self.recording.rounded
    }

    /// Where tosses start.
    pub fn start(&self) -> Start {
        self.start
    }

    /// The size in m that distances are measured in; 1 for a point.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// The scenario, whose start is that of no toss.
    pub fn scenario(&self) -> &Scenario<D> {
        &self.scenario
    }

    /// Which of its bodies is the recorded one.
    pub fn moving(&self) -> usize {
        self.moving
    }

    /// Steps of one stepper through all tosses.
    pub fn steps(&self) -> usize {
        self.recording.tosses.iter().map(|toss| self.spacing.steps(toss)).sum()
    }
}

/// What each of `laws` makes of every toss, on all processors; `None` if `watch` said to stop. It
/// counts steps.
///
/// # Errors
/// [`PredictError`] if a stepper does not admit the scenario.
pub fn predict<const D: usize>(
    predictor: &Predictor<D>,
    laws: &[TriedLaw],
    watch: &Watch<'_>,
) -> Result<Option<Vec<Vec<Prediction<D>>>>, PredictError>
where
    Scenario<D>: BuildStepper<D>,
{
    let flights = laws.iter().map(|&law| predictor.flight(law)).collect::<Result<Vec<_>, _>>()?;
    let tosses = predictor.recording.tosses.len();
    let jobs: Vec<(usize, usize)> =
        (0..laws.len()).flat_map(|law| (0..tosses).map(move |toss| (law, toss))).collect();
    let found: Result<Option<Vec<Prediction<D>>>, PredictError> =
        jobs.par_iter().map(|&(law, toss)| predictor.toss(toss, laws[law], &flights[law], watch)).collect();
    Ok(found?.map(|all| all.chunks(tosses.max(1)).map(<[_]>::to_vec).collect()))
}

/// How wrong the places of a point may be measured, m.
pub(super) fn error_of_place<const D: usize>(toss: &Toss<D>) -> f64 {
    let place = toss.states.first().map_or(Vector::zeros(), |row| row.state.position);
    SUNK * toss.states.iter().map(|row| (row.state.position - place).norm()).fold(0.0, f64::max)
}

/// The state at that share of the way from one to the next.
pub(super) fn part_way<const D: usize>(from: &State<D>, to: &State<D>, share: f64) -> State<D> {
    State {
        position: from.position + (to.position - from.position) * share,
        velocity: from.velocity + (to.velocity - from.velocity) * share,
    }
}

/// A toss that cannot begin.
pub(super) fn unstartable(message: String) -> PredictError {
    let help = "look at the units and at where the ground is (--ground-height), or begin later (--from)";
    PredictError::Unsuited { message, help: help.to_owned() }
}

/// The one body that can move.
pub(crate) fn the_moving_body<const D: usize>(scenario: &Scenario<D>) -> Result<usize, PredictError> {
    let unsuited =
        |message: String, help: &str| Err(PredictError::Unsuited { message, help: help.to_owned() });
    if let Some((driven, _)) = scenario.courses().next() {
        let name = scenario.body_name(driven);
        return unsuited(
            format!("the motion of {name} is given, and a recording does not say when it begins"),
            "leave its `motion` out; it may be fixed = true",
        );
    }
    let moving: Vec<usize> =
        (0..scenario.bodies.len()).filter(|&body| !scenario.bodies[body].fixed).collect();
    let &[one] = moving.as_slice() else {
        return unsuited(
            format!("the scenario has {} bodies that move, and a recording is of one", moving.len()),
            "leave one [[body]] or [particle]; others may be fixed = true",
        );
    };
    let joins = !(scenario.rods.is_empty() && scenario.springs.is_empty() && scenario.joints.is_empty());
    if joins || !scenario.contacts.is_empty() {
        return unsuited(
            "the scenario joins bodies, and a recording is of one that is free".to_owned(),
            "leave [[rod]], [[spring]], [[joint]] and [[contact]] out",
        );
    }
    if let Some(body) = scenario.bodies.iter().position(|body| matches!(body.shape, Shape::Compound { .. })) {
        return unsuited(
            format!("{} is of several parts, and recordings are of convex bodies", scenario.body_name(body)),
            "take one convex shape",
        );
    }
    if scenario.bodies[one].shape == Shape::Point && scenario.has_turning_bodies() {
        return unsuited(
            "a point moves among bodies with a shape, and a recording of it has no orientation".to_owned(),
            "give the moving body a shape, or walls in the place of fixed bodies",
        );
    }
    Ok(one)
}
