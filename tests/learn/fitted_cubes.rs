//! Friction and restitution of cubes in space, from windows of simulated throws.

use rayon::prelude::*;
use stickslip::{
    fit::{Basis, Ending, FitOutcome, FitParameter, FitTask, NotFromRows, fit},
    model::{Attitude, Orientation, Spin, State, Vector},
    predict::{RecordedState, Recording, Start, Toss, Windows},
    random::Random,
    scenario::{AnyScenario, Body, Ground, Scenario, ScenarioText, Shape, SlidingFriction, TurningLengths},
    simulate::simulate,
    stepper::BuildStepper,
    watch::Watch,
};

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

const WIDTH: f64 = 0.1;
/// Standard deviations of the noise of rows: m, and rad.
const NOISE: [f64; 2] = [5e-5, 5e-4];
/// Steps from row to row: 250 rows a second.
const EVERY: usize = 2;
const GROUND: Ground = Ground {
    friction: 0.25,
    restitution: 0.4,
    slope: 0.0,
    sliding: SlidingFriction::NONE,
    turning: TurningLengths::NONE,
};
const PARAMETERS: [&str; 2] = ["ground.friction=0.05..0.6", "ground.restitution=0.1..0.8"];
const STEPPER: &str = "lcp:anitescu";

fn scenario() -> Scenario<3> {
    let shape = Shape::Box { size: [WIDTH; 3].into() };
    Scenario {
        duration: 0.6,
        step: 2e-3,
        bodies: vec![Body { shape, ..Body::point(0.4, [0.0, 0.0, 0.3], [0.0; 3]) }],
        ground: GROUND,
        ..Scenario::new("cubes")
    }
}

fn throw(random: &mut Random) -> Vec<RecordedState<3>> {
    let mut scenario = scenario();
    let body = &mut scenario.bodies[0];
    body.position = Vector::<3>::new(0.0, 0.0, random.uniform(0.15, 0.3));
    body.velocity =
        Vector::<3>::new(random.uniform(-2.0, 2.0), random.uniform(-2.0, 2.0), random.uniform(0.0, 1.0));
    let turn =
        Quaternion::new(random.normal(1.0), random.normal(1.0), random.normal(1.0), random.normal(1.0));
    body.orientation = Orientation::Quaternion(UnitQuaternion::from_quaternion(turn));
    body.spin = Spin::from_fn(|_, _| random.uniform(-6.0, 6.0));
    let mut stepper = scenario.stepper(STEPPER.parse().expect("a stepper")).expect("admitted");
    let motion = &simulate(&scenario, stepper.as_mut()).bodies[0];
    let rows = (0..motion.states.len()).step_by(EVERY).map(|k| {
        let (state, attitude) = (motion.states[k], motion.attitudes[k]);
        let Orientation::Quaternion(turn) = attitude.orientation else { panic!("in space") };
        let by = Vector3::from_fn(|_, _| random.normal(NOISE[1]));
        let position = state.position.map(|value| value + random.normal(NOISE[0]));
        let orientation = Orientation::Quaternion(turn * UnitQuaternion::from_scaled_axis(by));
        let attitude = Attitude { orientation, ..attitude };
        RecordedState::new(k as f64 * scenario.step, State { position, ..state }, Some(attitude))
    });
    rows.collect()
}

fn fitted(seed: u64, throws: u32) -> FitOutcome {
    let mut random = Random::seeded(seed);
    let toss = |number| Toss::new(f64::from(number), throw(&mut random));
    let whole = Recording::new("simulated", (0..throws).map(toss).collect());
    let any: AnyScenario = scenario().into();
    let parameters =
        PARAMETERS.iter().map(|key| FitParameter::parse(key, &any, (0, WIDTH), 0.0).expect("a key"));
    let task = FitTask {
        text: ScenarioText::read("the scenario", any.to_toml()),
        recording: whole.in_windows(Windows::Flights, &scenario()).expect("there are windows"),
        start: Start::Fit,
        stepper: STEPPER.parse().expect("a stepper"),
        parameters: parameters.collect(),
        size: WIDTH,
        evaluations: 10_000,
    };
    fit(&task, 1, true, &Watch::none()).expect("throws can be predicted")
}

fn truth(key: &str) -> f64 {
    if key == "ground.friction" { GROUND.friction } else { GROUND.restitution }
}

#[test]
#[ignore = "a minute: hundreds of runs of cubes in space"]
fn windows_of_cubes_determine_friction_and_restitution() {
    // Most contacts of a cube are one of several in a row, which make no window.
    let outcome = fitted(1, 18);
    assert_eq!((outcome.ending, outcome.basis), (Ending::Finished, Basis::Throws(NotFromRows::Windows)));
    for parameter in &outcome.parameters {
        let [low, high] = parameter.verdict.expect("intervals were asked for").interval;
        let truth = truth(&parameter.key);
        assert!(low <= truth && truth <= high && high - low < 0.2, "{parameter:?}");
    }
}

#[test]
#[ignore = "200 fits take minutes"]
fn intervals_of_windows_of_cubes_hold() {
    const SETS: u64 = 200;
    // Half of the throws have a window, and six of them make an interval that is no wider than it has to be.
    const THROWS: u32 = 14;
    let outcomes: Vec<FitOutcome> =
        (0..SETS).into_par_iter().map(|seed| fitted(5000 + seed, THROWS)).collect();
    let share = |index: usize| {
        let key = &outcomes[0].parameters[index].key;
        let intervals: Vec<[f64; 2]> = (outcomes.iter())
            .filter_map(|outcome| outcome.parameters[index].verdict.map(|verdict| verdict.interval))
            .collect();
        let held = intervals.iter().filter(|[low, high]| (*low..=*high).contains(&truth(key))).count();
        let share = 100.0 * held as f64 / intervals.len() as f64;
        let mut widths: Vec<f64> = intervals.iter().map(|[low, high]| high - low).collect();
        widths.sort_by(f64::total_cmp);
        let determined = outcomes.iter().filter(|outcome| outcome.parameters[index].is_determined()).count();
        println!(
            "cubes {key}: {} intervals, {share:.1} % hold, {determined} determined, median width {:.2e}",
            intervals.len(),
            widths[widths.len() / 2]
        );
        share
    };
    // All are counted before any is judged.
    let shares: Vec<f64> = (0..PARAMETERS.len()).map(share).collect();
    assert!(shares.iter().all(|share| (92.0..=98.0).contains(share)), "{shares:?}");
}
