use num_dual::{Derivative, DualSVec64};

use super::{
    GradientError, Grid, Input, Lifted, OneSided, Sampled, Variation, locate::Vicinity, output::STOP_TIME,
    window::is_edge,
};
use crate::{
    model::{Number, State, Vector, axis_names},
    scenario::Scenario,
    stepper::{Event, EventKind, PointMotion, StepperName, refuse_friction_of_slip, refuse_tables},
    watch::Watch,
};

/// How many inputs one pass of the exact motion carries along.
const WIDTH: usize = 4;

type Wide = DualSVec64<WIDTH>;

/// A number that the motion ends with.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Output {
    Position(usize),
    Velocity(usize),
    StopTime,
}

impl Output {
    /// All, with `D` coordinates.
    fn all<const D: usize>() -> impl Iterator<Item = Self> {
        (0..D).map(Self::Position).chain((0..D).map(Self::Velocity)).chain([Self::StopTime])
    }

    /// That of a name: `final_x`, `final_vx`, `stop_time`.
    fn named<const D: usize>(name: &str) -> Option<Self> {
        let axis = |axis: &str| axis_names::<D>().iter().position(|known| *known == axis);
        match name.strip_prefix("final_") {
            None => (name == STOP_TIME).then_some(Self::StopTime),
            Some(column) => match column.strip_prefix('v') {
                Some(along) => axis(along).map(Self::Velocity),
                None => axis(column).map(Self::Position),
            },
        }
    }
}

/// When the point came to rest, and the derivative of that time with respect to every input.
#[derive(Debug, Clone, PartialEq)]
pub struct StopTime {
    /// In s.
    pub time: f64,
    /// A derivative per input.
    pub gradient: Vec<f64>,
}

/// The end of the exact motion and its gradient.
#[derive(Debug, Clone, PartialEq)]
pub struct ExactGradient<const D: usize> {
    /// The state at the end.
    pub state: State<D>,
    /// Its derivative, per input.
    pub tangents: Vec<State<D>>,
    /// When the point came to rest, if it does.
    pub stop: Option<StopTime>,
    /// Per input, the derivatives for smaller values where they may be others, as where the edges of two windows meet.
    /// Those above are for larger values there.
    pub left: Vec<Option<LeftSide<D>>>,
    extent: Extent,
}

/// The derivative of the motion for smaller values of an input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeftSide<const D: usize> {
    /// Of the state at the end.
    pub tangent: State<D>,
    /// Of the time of rest, if it comes to rest.
    pub stop: Option<f64>,
    /// Differences from those for larger values that are none, however small both are.
    slight: Extent,
}

/// How far from the origin, how fast and how long a motion goes, in m, m/s and s; or what that is per unit of an input.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Extent {
    place: f64,
    speed: f64,
    time: f64,
}

impl Extent {
    /// Sees another state of the motion.
    fn see<const D: usize>(&mut self, state: &State<D>) {
        self.place = self.place.max(state.position.amax());
        self.speed = self.speed.max(state.velocity.amax());
    }

    fn scaled(self, by: f64) -> Self {
        Self { place: self.place * by, speed: self.speed * by, time: self.time * by }
    }
}

/// Time between edges of windows that counts as none, as a part of a step, and how far aside one looks where it is.
const SAME_EDGE: f64 = 1e-6;
const ASIDE: f64 = 1e-5;

/// Relative difference of times that is none.
const SAME_TIME: f64 = 1e-12;

/// Difference of derivatives that is none, as a part of the largest of its kind.
const SAME: f64 = 1e-4;

/// The same as a part of the extent of the motion over the natural size of the input. Derivatives that should be nothing
/// are what rounds in the motion, and they are taken a billionth of the natural size to both sides, over which those of a
/// smooth motion change by a few times that of this measure.
const SLIGHT: f64 = 1e-8;

impl<const D: usize> LeftSide<D> {
    /// The derivative of a result.
    fn of(&self, of: Output) -> Option<f64> {
        match of {
            Output::Position(i) => Some(self.tangent.position[i]),
            Output::Velocity(i) => Some(self.tangent.velocity[i]),
            Output::StopTime => self.stop,
        }
    }

    /// The derivative of a result for smaller values of the input, where it is not `right`; `Some(None)` where there is
    /// none.
    fn differing(&self, of: Output, right: f64) -> Option<Option<f64>> {
        let (largest, slight) = match of {
            Output::Position(_) => (self.tangent.position.amax(), self.slight.place),
            Output::Velocity(_) => (self.tangent.velocity.amax(), self.slight.speed),
            Output::StopTime => (self.stop.map_or(0.0, f64::abs), self.slight.time),
        };
        let none = slight.max(SAME * largest.max(right.abs()));
        let left = self.of(of);
        (!left.is_some_and(|left| (left - right).abs() <= none)).then_some(left)
    }

    /// Whether some result has another derivative on the `other` side, that for larger values.
    fn differs(&self, other: &Self) -> bool {
        Output::all::<D>().any(|of| match other.of(of) {
            Some(right) => self.differing(of, right).is_some(),
            None => self.of(of).is_some(),
        })
    }
}

impl<const D: usize> ExactGradient<D> {
    /// Follows the exact motion in dual numbers, event times included.
    ///
    /// # Errors
    /// [`GradientError::Step`] where the motion has no closed form that could be differentiated,
    /// [`GradientError::Refused`] where friction depends on the slip or a push comes from a table, [`GradientError::Interrupted`]
    /// if `watch` says to stop.
    pub fn new(
        scenario: &Scenario<D>,
        inputs: &[Input],
        grid: Grid,
        watch: &Watch<'_>,
    ) -> Result<Self, GradientError> {
        let (first, others) = inputs.split_at(inputs.len().min(WIDTH));
        let mut gradient = Self::of_a_pass(scenario, first, grid, watch)?;
        for inputs in others.chunks(WIDTH) {
            let pass = Self::of_a_pass(scenario, inputs, grid, watch)?;
            gradient.tangents.extend(pass.tangents);
            if let (Some(stop), Some(more)) = (&mut gradient.stop, pass.stop) {
                stop.gradient.extend(more.gradient);
            }
        }
        gradient.left = vec![None; inputs.len()];
        for (index, &input) in inputs.iter().enumerate().filter(|(_, input)| meets_another(scenario, **input))
        {
            gradient.take_sides(scenario, (index, input), grid, watch)?;
        }
        Ok(gradient)
    }

    /// Looks for kinks of the motion that the scenario is on: with respect to those `inputs` whose derivatives are others
    /// a billionth of their natural size above than below, the derivatives are those to both sides from here on.
    ///
    /// # Errors
    /// [`GradientError::Interrupted`] if `watch` says to stop.
    pub(super) fn look_beside(
        &mut self,
        scenario: &Scenario<D>,
        inputs: &[Input],
        grid: Grid,
        watch: &Watch<'_>,
    ) -> Result<(), GradientError> {
        // What changes the steps changes the grid, and not the motion.
        let is_of_motion = |input: Input| !is_edge(input) && input != Input::Step;
        for (index, &input) in inputs.iter().enumerate().filter(|(_, input)| is_of_motion(**input)) {
            let side = |sign: f64| {
                let beside = input.shifted(scenario, sign * Vicinity::along(scenario, input).aside);
                beside.check().ok()?;
                Self::of_a_pass(&beside, &[input], grid, watch).ok()
            };
            let sides = side(1.0).zip(side(-1.0));
            GradientError::unless_stopped(watch)?;
            let Some((right, left)) = sides else { continue };
            let [right, left] = [right, left].map(|run| run.side(input.natural_size(scenario)));
            if left.differs(&right) {
                self.take(index, right, left);
            }
        }
        Ok(())
    }

    /// A result by name and its derivatives, per input; none of a time of rest that there is not.
    pub fn result(&self, of: &str) -> Option<(f64, Vec<f64>)> {
        let all = self.tangents.iter();
        match Output::named::<D>(of)? {
            Output::Position(i) => {
                Some((self.state.position[i], all.map(|change| change.position[i]).collect()))
            }
            Output::Velocity(i) => {
                Some((self.state.velocity[i], all.map(|change| change.velocity[i]).collect()))
            }
            Output::StopTime => self.stop.as_ref().map(|stop| (stop.time, stop.gradient.clone())),
        }
    }

    /// The largest derivative of what it ends with, with respect to input `index`.
    pub(super) fn largest_at_end(&self, index: usize) -> f64 {
        let State { position, velocity } = &self.tangents[index];
        let of_stop = self.stop.as_ref().map_or(0.0, |stop| stop.gradient[index].abs());
        position.amax().max(velocity.amax()).max(of_stop)
    }

    /// The derivatives of a result by name to both sides, where the motion has a kink along input `index`.
    pub(super) fn one_sided(&self, of: &str, index: usize) -> Option<OneSided> {
        let right = *self.result(of)?.1.get(index)?;
        let left = self.left[index]?.differing(Output::named::<D>(of)?, right)?;
        Some(OneSided { left, right: Some(right) })
    }

    /// The derivatives with respect to the first input, whose natural size is `size`.
    fn side(&self, size: f64) -> LeftSide<D> {
        LeftSide {
            tangent: self.tangents[0],
            stop: self.stop.as_ref().map(|stop| stop.gradient[0]),
            slight: self.extent.scaled(SLIGHT / size),
        }
    }

    /// Takes those of runs beside the scenario as the derivatives to both sides with respect to input `index`.
    fn take(&mut self, index: usize, right: LeftSide<D>, left: LeftSide<D>) {
        self.tangents[index] = right.tangent;
        if let (Some(own), Some(slope)) = (&mut self.stop, right.stop) {
            own.gradient[index] = slope;
        }
        self.left[index] = Some(left);
    }

    /// Takes the derivatives to both sides with respect to an edge that meets that of another window: between them
    /// both push, or none.
    fn take_sides(
        &mut self,
        scenario: &Scenario<D>,
        (index, input): (usize, Input),
        grid: Grid,
        watch: &Watch<'_>,
    ) -> Result<(), GradientError> {
        let side = |sign: f64| {
            let beside = input.shifted(scenario, sign * ASIDE * scenario.step);
            let run = Self::of_a_pass(&beside, &[input], grid, watch)?;
            Ok::<_, GradientError>(run.side(input.natural_size(scenario)))
        };
        self.take(index, side(1.0)?, side(-1.0)?);
        Ok(())
    }

    /// With respect to at most [`WIDTH`] inputs.
    fn of_a_pass(
        scenario: &Scenario<D>,
        inputs: &[Input],
        grid: Grid,
        watch: &Watch<'_>,
    ) -> Result<Self, GradientError> {
        let start = State { position: Vector::zeros(), velocity: Vector::zeros() };
        let variations: Vec<_> =
            inputs.iter().map(|&input| Variation { input: Some(input), start }).collect();
        let mut extent = Extent { place: 0.0, speed: 0.0, time: scenario.duration };
        let see = |_, state: &State<D, Wide>| extent.see(&value(state));
        let (state, stop) = follow(scenario, &variations, grid, see, watch)?;
        let gradient = |stop: &Wide| (0..inputs.len()).map(|i| part(stop, i)).collect();
        Ok(Self {
            state: value(&state),
            tangents: (0..inputs.len()).map(|i| slope(&state, i)).collect(),
            stop: stop.map(|stop| StopTime { time: stop.re, gradient: gradient(&stop) }),
            left: Vec::new(),
            extent,
        })
    }

    /// The states before the steps with the numbers `at`.
    pub(super) fn sampled(
        scenario: &Scenario<D>,
        variations: &[Variation<D>],
        grid: Grid,
        at: &[usize],
        watch: &Watch<'_>,
    ) -> Result<Sampled<D>, GradientError> {
        let largest = vec![0.0; variations.len()];
        let mut samples = Sampled { states: Vec::new(), slopes: vec![Vec::new(); at.len()], largest };
        let (first, others) = variations.split_at(variations.len().min(WIDTH));
        for pass in std::iter::once(first).chain(others.chunks(WIDTH)) {
            samples.states.clear();
            let sample = |index: usize, state: &State<D, Wide>| {
                let place = samples.states.len();
                if at.get(place) == Some(&index) {
                    samples.states.push(value(state));
                    samples.slopes[place].extend((0..pass.len()).map(|i| slope(state, i)));
                }
            };
            follow(scenario, pass, grid, sample, watch)?;
        }
        Ok(samples)
    }
}

/// Whether the edge of a window lies where that of another does, or the start or the end of the motion.
fn meets_another<const D: usize>(scenario: &Scenario<D>, input: Input) -> bool {
    let Some(edge) = input.value(scenario).filter(|_| is_edge(input)) else { return false };
    let time = scenario.time();
    let edges = scenario.pushes.iter().flat_map(|push| [push.from, push.to]).flatten();
    let others = edges.chain([0.0, time.at(time.steps)]);
    others.filter(|other| (other - edge).abs() <= SAME_EDGE * scenario.step).count() > 1
}

fn part(value: &Wide, i: usize) -> f64 {
    value.eps.unwrap_generic(nalgebra::Const, nalgebra::U1)[i]
}

fn value<const D: usize>(state: &State<D, Wide>) -> State<D> {
    State { position: state.position.map(|x| x.re), velocity: state.velocity.map(|v| v.re) }
}

fn slope<const D: usize>(state: &State<D, Wide>, i: usize) -> State<D> {
    State { position: state.position.map(|x| part(&x, i)), velocity: state.velocity.map(|v| part(&v, i)) }
}

/// The scenario with a derivative in each direction.
fn lift<const D: usize>(scenario: &Scenario<D>, variations: &[Variation<D>]) -> Lifted<D, Wide> {
    let mut lifted = Lifted::constant(scenario);
    for (i, variation) in variations.iter().enumerate().take(WIDTH) {
        let direction = Derivative::derivative_generic(nalgebra::Const, nalgebra::U1, i);
        lifted.vary_along(variation, Wide::new(0.0, direction));
    }
    lifted
}

/// `see` sees the states before each step and after the last.
fn follow<const D: usize>(
    scenario: &Scenario<D>,
    variations: &[Variation<D>],
    grid: Grid,
    mut see: impl FnMut(usize, &State<D, Wide>),
    watch: &Watch<'_>,
) -> Result<(State<D, Wide>, Option<Wide>), GradientError> {
    refuse_friction_of_slip(scenario, StepperName::EXACT, "its derivative")?;
    refuse_tables(scenario)?;
    let lifted = lift(scenario, variations);
    let mut exact = PointMotion::of(lifted.body(), &lifted.pushes);
    let mut state = lifted.state;
    see(0, &state);
    for step in grid.steps() {
        GradientError::unless_stopped(watch)?;
        let advanced = exact.advance(state, lifted.dt * step.elapsed, lifted.dt * step.share);
        (state, _) = advanced.map_err(|error| GradientError::step(&step, &error))?;
        see(step.index + 1, &state);
    }
    // What is thrown up is at rest for an instant.
    let flies = state.height().re > 0.0 && scenario.gravity > 0.0;
    let stop = if flies { None } else { stop_time(&state, exact.events()) };
    // What stops at the very end does not for an input that makes it a little faster.
    let end = lifted.dt.re * grid.steps().last().map_or(0.0, |step| step.elapsed + step.share);
    Ok((state, stop.filter(|stop| stop.re < end * (1.0 - SAME_TIME))))
}

/// When the point came to rest for good: the last event that left it so.
fn stop_time<const D: usize, N: Number>(end: &State<D, N>, events: &[Event<D, N>]) -> Option<N> {
    if end.velocity.iter().any(|v| v.re() != 0.0) {
        return None;
    }
    let stops = |kind: EventKind| {
        matches!(
            kind,
            EventKind::SlidingStops | EventKind::Impact | EventKind::Impacts(_) | EventKind::BouncingEnds
        )
    };
    Some(events.iter().rfind(|event| stops(event.kind)).map_or(N::zero(), |event| event.time))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a motion of 2 m, 3 m/s and 5 s, with respect to an input of the natural size 0.5.
    fn left(position: [f64; 2], velocity: [f64; 2], stop: Option<f64>) -> LeftSide<2> {
        let extent = Extent { place: 2.0, speed: 3.0, time: 5.0 };
        let tangent = State { position: position.into(), velocity: velocity.into() };
        LeftSide { tangent, stop, slight: extent.scaled(SLIGHT / 0.5) }
    }

    const RESULTS: [Output; 3] = [Output::Position(0), Output::Velocity(0), Output::StopTime];

    #[test]
    fn derivatives_that_are_rounding_are_the_same() {
        let rounding = left([5.8e-17, 0.0], [-3e-16, 0.0], Some(4e-17));
        for of in RESULTS {
            assert_eq!(rounding.differing(of, -2.4e-16), None, "{of:?}");
        }
        assert!(!rounding.differs(&left([0.0; 2], [0.0; 2], Some(0.0))));
    }

    #[test]
    fn small_derivatives_that_differ_are_those_of_a_kink() {
        // A millionth of the motion per natural change.
        let [place, speed, time] = [4e-6, 6e-6, 1e-5];
        let small = left([place, 0.0], [speed, 0.0], Some(time));
        for (of, own) in RESULTS.into_iter().zip([place, speed, time]) {
            assert_eq!(small.differing(of, 1.1 * own), Some(Some(own)), "{of:?}");
            assert_eq!(small.differing(of, (1.0 + 0.5 * SAME) * own), None, "{of:?}");
        }
        assert!(small.differs(&left([0.0; 2], [speed, 0.0], Some(time))));
        assert!(small.differs(&left([place, 0.0], [0.0; 2], Some(time))));
        assert!(small.differs(&left([place, 0.0], [speed, 0.0], Some(0.0))));
        assert!(small.differs(&left([place, 0.0], [speed, 0.0], None)), "it does not stop");
    }

    #[test]
    fn derivatives_are_held_against_those_of_their_own_unit() {
        let fast = left([1e3, 0.0], [1.0, 2.0], Some(1.0));
        assert_eq!(fast.differing(Output::Position(1), 0.05), None);
        assert_eq!(fast.differing(Output::Velocity(0), 1.0001), None);
        assert_eq!(fast.differing(Output::Velocity(0), 1.001), Some(Some(1.0)));
        assert_eq!(fast.differing(Output::StopTime, 1.001), Some(Some(1.0)));
    }
}
