//! What the data have, the picture shows: every mode for as long as it lasts, every curve all along.

use stickslip::{
    plot::{self, Curve, Figure, PanelLayout, Point, Rect, Series},
    scenario::{AnyScenario, Scenario, read_scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    trajectory::Trajectory,
};

use crate::strokes::{Stroke, strokes};

/// A pixel of a PNG.
const PIXEL: f64 = 0.3;
/// Half of the longest gap between dashes, and what one of two curves on each other is off by.
const HALF_A_GAP: f64 = 2.6;

fn example(name: &str) -> AnyScenario {
    let file = format!("{}/examples/scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    read_scenario(file, &[]).unwrap()
}

fn in_plane(name: &str) -> Scenario<2> {
    let AnyScenario::InPlane(scenario) = example(name) else { panic!("{name} is not in a vertical plane") };
    scenario
}

fn run<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Trajectory<D>
where
    Scenario<D>: BuildStepper<D>,
{
    simulate(scenario, scenario.stepper(name).unwrap().as_mut())
}

/// From where to where a curve of modes has bars, in units of the picture.
fn bars(curve: &Curve, place: &PanelLayout) -> Vec<[Point; 2]> {
    let bars = curve.points.split(|point| point[0].is_nan()).filter(|bar| !bar.is_empty());
    bars.map(|bar| [place.place(bar[0]), place.place(bar[1])]).collect()
}

/// Complaints about the bars of a picture of modes, and how many there are.
fn misdrawn(figure: &Figure) -> (Vec<String>, usize) {
    let (layout, strokes) = (figure.layout(), strokes(figure));
    let (mut complaints, mut count) = (Vec::new(), 0);
    for (panel, place) in figure.panels.iter().zip(&layout.panels) {
        for curve in &panel.curves {
            let is_inside = |stroke: &&Stroke| {
                let y = stroke.points[0][1];
                stroke.has_style(&curve.style) && y > place.frame.top && y < place.frame.bottom
            };
            let (bars, drawn) = (bars(curve, place), strokes.iter().filter(is_inside));
            let drawn: Vec<[Point; 2]> =
                drawn.map(|stroke| [stroke.points[0], stroke.points[stroke.points.len() - 1]]).collect();
            if bars.len() != drawn.len() {
                complaints.push(format!("{}: {} bars are {}", curve.label, bars.len(), drawn.len()));
            }
            count += bars.len();
            for (bar, drawn) in bars.iter().zip(drawn) {
                let off = (0..2).flat_map(|end| (0..2).map(move |axis| (end, axis)));
                let off =
                    off.map(|(end, axis)| (bar[end][axis] - drawn[end][axis]).abs()).fold(0.0, f64::max);
                if off > 0.5 * PIXEL + 1.0 / 32.0 {
                    complaints.push(format!("{}: {bar:?} is drawn at {drawn:?}", curve.label));
                }
            }
        }
    }
    (complaints, count)
}

#[test]
fn every_mode_is_drawn_for_as_long_as_it_lasts() {
    let runs = [
        ("slide", StepperName::EXACT),
        ("slide", StepperName::HYBRID),
        ("bounce", StepperName::EXACT),
        ("bounce", StepperName::HYBRID),
        ("stick-slip", StepperName::HYBRID),
        ("push-and-hold", StepperName::HYBRID),
        ("tipping-box", StepperName::CONVEX),
        ("dominoes", StepperName::CONVEX),
    ];
    let mut count = 0;
    for (name, stepper) in runs {
        let trajectory = run(&in_plane(name), stepper);
        let (complaints, bars) = misdrawn(&plot::contact_modes(&trajectory));
        assert_eq!(complaints, [""; 0], "{name} by {stepper}");
        count += bars;
    }
    assert!(count > 100, "{count}");
}

#[test]
fn modes_of_single_steps_are_drawn_at_any_step() {
    for step in [1e-3, 1e-4, 1e-5] {
        let mut scenario = in_plane("bounce");
        scenario.step = step;
        let figure = plot::contact_modes(&run(&scenario, StepperName::HYBRID));
        let (complaints, bars) = misdrawn(&figure);
        assert_eq!(complaints, [""; 0], "{step} s");
        assert!(bars > 10, "{bars}");
    }
}

/// Points of curves that no stroke is near, but for gaps between dashes.
fn holes(figure: &Figure) -> Vec<String> {
    let (layout, strokes) = (figure.layout(), strokes(figure));
    let mut holes = Vec::new();
    for (panel, place) in figure.panels.iter().zip(&layout.panels) {
        for curve in panel.curves.iter().filter(|curve| curve.style.width > 0.0) {
            let points = curve.points.iter().map(|&point| place.place(point));
            let points: Vec<Point> = points
                .filter(|&[x, y]| place.frame.contains(&Rect { left: x, right: x, top: y, bottom: y }))
                .collect();
            let is_seen = |at: Point| {
                let of_curves = strokes
                    .iter()
                    .filter(|stroke| panel.curves.iter().any(|curve| stroke.has_style(&curve.style)));
                of_curves.flat_map(|stroke| stroke.points.windows(2)).any(|pair| is_near(at, pair))
            };
            let hole = points.into_iter().find(|&at| !is_seen(at));
            holes.extend(hole.map(|at| format!("`{}` of `{}` at {at:?}", curve.label, panel.y.label)));
        }
    }
    holes
}

fn is_near(at: Point, line: &[Point]) -> bool {
    let [dx, dy] = [line[1][0] - line[0][0], line[1][1] - line[0][1]];
    let [px, py] = [at[0] - line[0][0], at[1] - line[0][1]];
    let square = dx * dx + dy * dy;
    let share = if square > 0.0 { ((px * dx + py * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    (px - share * dx).hypot(py - share * dy) < HALF_A_GAP
}

fn assert_no_holes<const D: usize>(scenario: &mut Scenario<D>)
where
    Scenario<D>: BuildStepper<D>,
{
    scenario.duration = scenario.duration.min(0.5);
    let steppers = [StepperName::CONVEX, StepperName::SMOOTH, StepperName::LCP];
    let trajectories = steppers.map(|stepper| run(scenario, stepper));
    let series = Series::of_steppers(&trajectories.each_ref());
    let pictures = [
        ("history", plot::history_overlay(&series)),
        ("path", plot::path_overlay(&series)),
        ("energy", plot::energy_overlay(&series)),
    ];
    for (kind, figure) in pictures {
        assert_eq!(holes(&figure), [""; 0], "{kind} of {}", scenario.name);
    }
}

#[test]
fn overlays_have_no_holes() {
    for name in ["cube-throw", "spinning-tripod", "cube-toss", "backspin-ball"] {
        match example(name) {
            AnyScenario::InPlane(mut scenario) => assert_no_holes(&mut scenario),
            AnyScenario::OverPlane(mut scenario) => assert_no_holes(&mut scenario),
        }
    }
}
