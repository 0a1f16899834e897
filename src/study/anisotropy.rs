use std::f64::consts::{PI, TAU};

use super::{
    Cell, Report, Table,
    convergence_report::{Convergence, Start, TRIALS},
    pyramid::{block, errors_by_direction, largest_error, largest_error_law, largest_overrun},
};
use crate::{
    plot::{Axis, Figure, Panel, Point, Style, palette},
    random::Random,
    scenario::{Body, Push, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    trajectory::Trajectory,
};

/// Numbers of directions.
const DIRECTIONS: [usize; 4] = [4, 8, 16, 32];
/// Directions of the fixed-point iteration.
const FIXED_POINT_DIRECTIONS: usize = 32;

/// The friction pyramid against the cone, by the number of its directions, and the convergence of
/// the notes' fixed-point iteration (2.4).
pub(super) fn run(seed: u64) -> Report {
    let mut table = Table::new([
        "what",
        "directions",
        "max_one_step_error",
        "law",
        "bound",
        "max_overrun_percent",
        "overrun_law_percent",
        "speeds",
        "converged_percent",
        "right_percent",
        "median_sweeps",
    ]);
    for directions in DIRECTIONS {
        let k = directions as f64;
        table.rows.push(vec![
            "pyramid".into(),
            (directions as u64).into(),
            largest_error(directions).into(),
            largest_error_law(directions).into(),
            (2.0 * (PI / (2.0 * k)).sin()).into(),
            largest_overrun(directions).into(),
            (100.0 * (1.0 / (PI / k).cos() - 1.0)).into(),
            Cell::Empty,
            Cell::Empty,
            Cell::Empty,
            Cell::Empty,
        ]);
    }
    let mut random = Random::seeded(seed);
    let starts = [
        (Start::FreeVelocity, "fixed point, free velocity"),
        (Start::AnyDirection, "fixed point, any direction"),
    ];
    for (start, name) in starts {
        for (range, speeds) in
            [([0.0, 1.0], "|p| < h"), ([1.0, 2.0], "h < |p| < 2 h"), ([2.05, 10.0], "2.05 h < |p| < 10 h")]
        {
            let report = Convergence::of(FIXED_POINT_DIRECTIONS, start, range, &mut random);
            let percent = |count: u64| 100.0 * count as f64 / TRIALS as f64;
            let mut row = vec![name.into(), (FIXED_POINT_DIRECTIONS as u64).into()];
            row.extend([const { Cell::Empty }; 5]);
            row.extend([
                speeds.into(),
                percent(report.converged).into(),
                percent(report.right).into(),
                report.median_sweeps.map_or(Cell::Empty, |sweeps| u64::from(sweeps).into()),
            ]);
            table.rows.push(row);
        }
    }
    let findings = vec![
        "A pyramid of k directions turns and weakens friction between its directions: an error of up to \
         2 sin(pi/2k) of it in one step (in units of mu g dt; measured up to 8 of them, where the law is a little lower), and a stop distance up to 1/cos(pi/k) times that \
         of the cone."
            .to_owned(),
        "The fixed-point iteration is exact in one sweep from the direction of the free velocity p. From any \
         other direction it converges for |p| > 2 h only, and hardly ever finds out that the block sticks."
            .to_owned(),
    ];
    let figures = vec![
        ("error-by-direction".to_owned(), error_picture()),
        (
            "path".to_owned(),
            motion_picture("Top view of the path", ["*x*", "*y*"], "m", |trajectory, k| {
                let position = trajectory.bodies[0].states[k].position;
                [position[0], position[1]]
            }),
        ),
        (
            "hodograph".to_owned(),
            motion_picture("Velocity hodograph", ["*v*_{*x*}", "*v*_{*y*}"], "m/s", |trajectory, k| {
                let velocity = trajectory.bodies[0].states[k].velocity;
                [velocity[0], velocity[1]]
            }),
        ),
    ];
    Report { findings, table, figures }
}

fn error_picture() -> Figure {
    let axis = Axis::new("direction of motion", "°").range(0.0, 360.0);
    let mut panel = Panel::new(axis, Axis::new("error of one step / *μg* Δ*t*", ""));
    for (index, directions) in DIRECTIONS.into_iter().enumerate() {
        let style = Style::of_series(index, DIRECTIONS.len());
        panel = panel.curve(format!("*k* = {directions}"), errors_by_direction(directions), style);
    }
    let mut figure = Figure::new("Friction pyramid against the cone");
    figure.caption = "speed 2*μg* Δ*t*".to_owned();
    figure.panels.push(panel);
    figure
}

/// A block that is pushed round in a circle, by the cone and by pyramids.
fn motion_picture(
    title: &str,
    axes: [&str; 2],
    unit: &str,
    point: impl Fn(&Trajectory<3>, usize) -> Point,
) -> Figure {
    let mut panel = Panel::new(Axis::new(axes[0], unit), Axis::new(axes[1], unit)).height(300.0);
    panel.true_to_scale = true;
    let cone = (pushed_round(FIXED_POINT_DIRECTIONS, StepperName::LCP_FIXED_POINT), "cone".to_owned(), CONE);
    let pyramids = DIRECTIONS.into_iter().enumerate().map(|(index, directions)| {
        let trajectory = pushed_round(directions, StepperName::LCP_POLYHEDRAL);
        let style = Style::of_series(index, DIRECTIONS.len());
        (trajectory, format!("pyramid, *k* = {directions}"), style)
    });
    for (trajectory, label, style) in std::iter::once(cone).chain(pyramids) {
        let Some(trajectory) = trajectory else { continue };
        let points =
            (0..trajectory.bodies[0].states.len()).step_by(5).map(|k| point(&trajectory, k)).collect();
        panel = panel.curve(label, points, style);
    }
    let mut figure = Figure::new(title);
    figure.caption = "a block on a plane, *μ* = 0.3, under a push of 4 N that turns round".to_owned();
    figure.panels.push(panel);
    figure
}

const CONE: Style = Style::line(palette::BLACK).with_width(2.4);

fn pushed_round(directions: usize, stepper: StepperName) -> Option<Trajectory<3>> {
    let turning =
        |force: [f64; 3], phase: f64| Push { frequency: Some(1.0 / TAU), phase, ..Push::constant(force) };
    let scenario = Scenario::<3> {
        duration: 3.0,
        step: 2e-3,
        bodies: vec![Body { velocity: [1.0, 0.4, 0.0].into(), ..Body::default() }],
        pushes: vec![turning([4.0, 0.0, 0.0], PI / 2.0), turning([0.0, 4.0, 0.0], 0.0)],
        ..block(directions)
    };
    let mut stepper = scenario.stepper(stepper).ok()?;
    Some(simulate(&scenario, stepper.as_mut()))
}
