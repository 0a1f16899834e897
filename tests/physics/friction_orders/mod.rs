//! The laws of friction against closed forms in steps of 1 ms and of a tenth of that, by every model that takes them, with the order by
//! which errors fall. Steps are of first order in all of it, but for what models that let creep what sticks make of a push that grows:
//! it breaks away with the root of the step. The table in `docs/friction.md` is printed by
//!
//! ```sh
//! cargo test --release --test physics friction_orders -- --ignored --nocapture
//! ```

mod in_space;
mod in_the_plane;
mod slides;

use stickslip::{
    scenario::Scenario,
    stepper::{BuildStepper, StepperName},
};

use crate::{OF_GROUPED_FRICTION, run};

const STEPS: [f64; 2] = [1e-3, 1e-4];
/// Those that hold what sticks.
const RIGID: &[StepperName] =
    &[StepperName::NLP, StepperName::LCP, StepperName::LCP_ANITESCU, StepperName::CONE];
const CONVEX: &[StepperName] = &[StepperName::CONVEX];
const SMOOTH: &[StepperName] = &[StepperName::SMOOTH];
/// Those that let creep what sticks.
const CREEPING: &[StepperName] = &[StepperName::CONVEX, StepperName::SMOOTH];
const EXACT: &[StepperName] = &[StepperName::EXACT];
/// Those that move a single point; the first in a vertical plane too.
const HYBRID: &[StepperName] = &[StepperName::HYBRID];
const LCP_OF_POINTS: &[StepperName] = &[StepperName::LCP_POLYHEDRAL, StepperName::LCP_FIXED_POINT];
/// The columns of the table.
const COLUMNS: [&[StepperName]; 6] = [RIGID, CONVEX, SMOOTH, EXACT, HYBRID, LCP_OF_POINTS];
/// All models that take what resists turning.
static ALL: [StepperName; 7] = {
    let [a, b, c, d, e, f] = OF_GROUPED_FRICTION;
    [a, b, c, d, e, f, StepperName::EXACT]
};
/// Those that step.
const STEPPING: &[StepperName] = &OF_GROUPED_FRICTION;

/// The least order of what is of first order, by those that hold what sticks and by those that let it creep.
const FIRST_ORDER: [f64; 2] = [0.9, 0.85];
/// Errors of which an order is taken are ten times what their truths are rounded by, and more.
const ROUNDING: f64 = 5e-6;

/// A value that is known, and what it may be off by in steps of 1 ms.
struct Truth {
    what: &'static str,
    value: f64,
    limit: f64,
}

/// A motion with values that are known.
struct Row {
    name: &'static str,
    truths: Vec<Truth>,
    models: Vec<StepperName>,
    /// How what a value may be off by falls with the step.
    order: f64,
    /// The values by a model in steps of some length.
    measure: Box<dyn Fn(StepperName, f64) -> Vec<f64> + Sync>,
}

fn truth(what: &'static str, value: f64, limit: f64) -> Truth {
    Truth { what, value, limit }
}

fn row(
    name: &'static str,
    models: &[StepperName],
    truths: Vec<Truth>,
    measure: impl Fn(StepperName, f64) -> Vec<f64> + Sync + 'static,
) -> Row {
    Row { name, truths, models: models.to_vec(), order: 1.0, measure: Box::new(measure) }
}

/// The same motion where its models break away with the root of the step.
fn creeping(row: Row) -> Row {
    Row { order: 0.5, ..row }
}

/// Place and velocity along the ground of the first body after each step.
fn path<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Vec<[f64; 2]>
where
    Scenario<D>: BuildStepper<D>,
{
    run(scenario, name).bodies[0].states.iter().map(|state| [state.position[0], state.velocity[0]]).collect()
}

/// When and where what slides or rolls comes to rest for good. Between the last two speeds above 2 mm/s it slows down evenly, and
/// so it is taken to go on.
fn stop(path: &[[f64; 2]], step: f64) -> Vec<f64> {
    let last = path.iter().rposition(|[_, speed]| speed.abs() > 2e-3).expect("it moves");
    let [before, speed] = [path[last - 1][1], path[last][1]].map(f64::abs);
    vec![(last as f64 + speed / (before - speed)) * step, path[path.len() - 1][0]]
}

fn at(path: &[[f64; 2]], time: f64, step: f64) -> [f64; 2] {
    path[(time / step).round() as usize]
}

/// How far a model is off in steps of each length that it is held to.
struct Off {
    name: StepperName,
    by_step: Vec<f64>,
}

impl Off {
    /// The logarithm of how many times less it is off in steps of a tenth, where that is above rounding.
    fn order(&self) -> Option<f64> {
        let &[coarse, fine] = &self.by_step[..] else { return None };
        (fine > ROUNDING).then(|| (coarse / fine).log10())
    }
}

/// A cell of the table: the largest errors of the models of its column, and the least order.
fn cell(off: &[Off]) -> String {
    let lengths = off.iter().map(|off| off.by_step.len()).max().unwrap_or(0);
    let largest = |step: usize| off.iter().map(|off| off.by_step[step]).fold(0.0, f64::max);
    let errors: Vec<String> = (0..lengths).map(|step| format!("{:.1e}", largest(step))).collect();
    let order = off.iter().filter_map(Off::order).reduce(f64::min);
    errors.join(", ") + &order.map_or(String::new(), |order| format!(" ({order:.2})"))
}

/// What is wrong about how far a model is off.
fn faults(row: &Row, truth: &Truth, off: &Off) -> Vec<String> {
    let what = format!("{}, {} = {} by {}", row.name, truth.what, truth.value, off.name);
    let too_far = off.by_step.iter().zip(STEPS).filter_map(|(by, step)| {
        let limit = truth.limit * (step / STEPS[0]).powf(row.order);
        (*by > limit).then(|| format!("{what}: off by {by:.2e} in steps of {step}"))
    });
    let least = FIRST_ORDER[usize::from(CREEPING.contains(&off.name))];
    let slow = off.order().filter(|order| row.order == 1.0 && *order < least);
    too_far.chain(slow.map(|order| format!("{what}: of the order {order:.2}"))).collect()
}

/// A line of the table: motion, value, and a cell for each column.
struct Line {
    motion: &'static str,
    what: String,
    cells: [String; COLUMNS.len()],
}

/// Prints the table in Markdown.
#[test]
#[ignore = "long: motions by up to ten models in steps of 0.1 ms, some minutes"]
fn laws_of_friction_are_of_first_order_by_all_models_that_take_them() {
    let (mut lines, mut wrong): (Vec<Line>, Vec<String>) = Default::default();
    for row in in_the_plane::rows().into_iter().chain(in_space::rows()) {
        let in_steps = |name| STEPS.iter().map(|&step| (row.measure)(name, step)).collect();
        let measured: Vec<(StepperName, Vec<Vec<f64>>)> =
            row.models.iter().map(|&name| (name, in_steps(name))).collect();
        for (place, truth) in row.truths.iter().enumerate() {
            let what = format!("{} = {}", truth.what, truth.value);
            let known = lines.iter().position(|line| line.motion == row.name && line.what == what);
            let line = known.unwrap_or_else(|| {
                lines.push(Line { motion: row.name, what, cells: Default::default() });
                lines.len() - 1
            });
            for (column, text) in COLUMNS.iter().zip(&mut lines[line].cells) {
                let of_column = measured.iter().filter(|(name, _)| column.contains(name));
                let off: Vec<Off> = of_column
                    .map(|(name, values)| Off {
                        name: *name,
                        by_step: values.iter().map(|values| (values[place] - truth.value).abs()).collect(),
                    })
                    .collect();
                if !off.is_empty() {
                    *text = cell(&off);
                }
                wrong.extend(off.iter().flat_map(|off| faults(&row, truth, off)));
            }
        }
    }
    let heads =
        COLUMNS.map(|column| column.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "));
    println!("| motion | truth | {} |\n|---|---|{}", heads.join(" | "), "---|".repeat(heads.len()));
    for Line { motion, what, cells } in &lines {
        println!("| {motion} | {what} | {} |", cells.join(" | "));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What creeps before it breaks away counts as sliding too early, by the root of the step. In steps of 1 ms errors of both kinds are alike,
/// and make up for each other; in shorter ones that of the root is left.
#[test]
#[ignore = "long: hundreds of thousands of steps of 0.01 ms"]
fn what_creeps_breaks_away_with_the_root_of_the_step() {
    let row_of_a_belt = in_the_plane::dry_belt(CREEPING, [0.4, 0.25], in_the_plane::DRY_CYCLES[0]);
    for row in [row_of_a_belt, slides::growing_push(CREEPING, 2e-2)] {
        for name in CREEPING {
            let value = row.truths[0].value;
            let [coarse, fine] = [1e-4, 1e-5].map(|step| ((row.measure)(*name, step)[0] - value).abs());
            let order = (coarse / fine).log10();
            println!("{}, {name}: {coarse:.2e}, {fine:.2e} ({order:.2})", row.name);
            assert!((0.35..0.65).contains(&order), "{}, {name}: of the order {order}", row.name);
        }
    }
}
