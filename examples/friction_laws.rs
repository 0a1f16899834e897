//! Draws the laws of friction as `nlp` steps them, beside their closed forms, for `docs/friction.md`.
//!
//! `cargo run --release --example friction_laws`

use std::{error::Error, path::Path};

use stickslip::{
    model::Orientation,
    plot::{Axis, Figure, Marker, Panel, Point, Style, palette},
    scenario::{AnyScenario, Scenario, parse_scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    trajectory::Trajectory,
};

const FOLDER: &str = "output/gallery";
const G: f64 = 9.81;
const STEP: f64 = 1e-3;
/// Speed in m/s below which what slid is at rest.
const STOPPED: f64 = 1e-3;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let file = |name: &str| Path::new(FOLDER).join(format!("friction-{name}.svg"));
    in_motion()?.write_svg(&file("in-motion"))?;
    turning()?.write_svg(&file("turning"))?;
    Ok(along_and_across()?.write_svg(&file("across"))?)
}

fn run<const D: usize>(text: &str) -> Outcome<Trajectory<D>>
where
    Scenario<D>: BuildStepper<D> + TryFrom<AnyScenario>,
{
    let any = parse_scenario("friction_laws", &format!("name = \"law\"\nstep = {STEP}\n{text}"), &[])?;
    let scenario = Scenario::<D>::try_from(any).map_err(|_| "it has another dimension")?;
    Ok(simulate(&scenario, scenario.stepper(StepperName::NLP)?.as_mut()))
}

/// Every so many of some points.
fn marks(points: &[Point], every: usize) -> Vec<Point> {
    points.iter().copied().step_by(every).collect()
}

/// The coefficient over the slip: what a law says, and by what steps slow a crate down that slides from 1 m/s.
fn in_motion() -> Outcome<Figure> {
    let mut panel =
        Panel::new(Axis::new("slip", "m/s").range(0.0, 1.0), Axis::new("*μ*", "").range(0.0, 0.45))
            .height(200.0);
    for (label, keys, law, colour) in [
        ("*μ*_{s} 0.4, *μ*_{k} 0.25", "", (0.0, 1.0, 0.0), palette::BLACK),
        ("falls about 0.1 m/s", "stribeck_velocity = 0.1\n", (0.1, 2.0, 0.0), palette::BLUE),
        (
            "the same, by Tustin's law",
            "stribeck_velocity = 0.1\nstribeck_exponent = 1.0\n",
            (0.1, 1.0, 0.0),
            palette::GREEN,
        ),
        (
            "falls, and grows by 0.1 s/m",
            "stribeck_velocity = 0.1\nviscous_friction = 0.1\n",
            (0.1, 2.0, 0.1),
            palette::VERMILLION,
        ),
    ] {
        let (speed, exponent, viscous) = law;
        let falls = |slip: f64| if speed > 0.0 { (-(slip / speed).powf(exponent)).exp() } else { 0.0 };
        let coefficient = |slip: f64| 0.25 + 0.15 * falls(slip) + viscous * slip;
        let curve = (1..=400).map(|place| f64::from(place) / 400.0).map(|slip| [slip, coefficient(slip)]);
        let slides = run::<2>(&format!(
            "duration = 0.6\n[[body]]\nshape = \"box\"\nsize = [0.4, 0.1]\nmass = 1.0\nposition = [0.0, 0.05]\n\
             velocity = [1.0, 0.0]\n[ground]\nfriction = 0.4\nkinetic_friction = 0.25\n{keys}"
        ))?;
        let speeds: Vec<f64> = slides.bodies[0].states.iter().map(|state| state.velocity[0]).collect();
        let measured: Vec<Point> = (speeds.windows(2).filter(|pair| pair[1] > STOPPED))
            .map(|pair| [pair[0], (pair[0] - pair[1]) / (G * STEP)])
            .collect();
        panel = panel.curve(label, curve.collect(), Style::line(colour).with_width(1.4)).curve(
            "",
            marks(&measured, 24),
            Style::markers(colour, Marker::Circle),
        );
    }
    let rest = vec![[0.0, 0.4]];
    panel = panel.curve("at rest, up to", rest, Style::markers(palette::BLACK, Marker::Disc));
    let mut figure = Figure::new("Friction over the slip");
    figure.caption = "lines: the law; circles: a crate that nlp slows down from 1 m/s".to_owned();
    figure.panels.push(panel);
    Ok(figure)
}

/// A ball of 1 kg and 0.1 m.
fn ball(velocity: f64, spin: f64, duration: f64, ground: &str) -> Outcome<Trajectory<3>> {
    run::<3>(&format!(
        "duration = {duration}\n[[body]]\nshape = \"sphere\"\nsize = 0.1\nmass = 1.0\nposition = [0.0, 0.0, 0.1]\n\
         velocity = [{velocity}, 0.0, 0.0]\nspin = [0.0, 0.0, {spin}]\n[ground]\n{ground}\n"
    ))
}

/// Forward velocity, spin about y and spin about the vertical in the axes of the world, over time.
fn motions(moved: &Trajectory<3>) -> [Vec<Point>; 3] {
    let mut all = [const { Vec::new() }; 3];
    for (k, (state, attitude)) in moved.bodies[0].states.iter().zip(&moved.bodies[0].attitudes).enumerate() {
        let spin = match attitude.orientation {
            Orientation::Quaternion(turn) => turn * attitude.spin,
            Orientation::Angle(_) => attitude.spin,
        };
        let time = k as f64 * STEP;
        for (points, value) in all.iter_mut().zip([state.velocity[0], spin[1], spin[2]]) {
            points.push([time, value]);
        }
    }
    all
}

/// Rolling friction ends what rolls, and drilling shares its limit with sliding.
fn turning() -> Outcome<Figure> {
    let mut figure = Figure::new("Friction against turning");
    figure.caption =
        "a ball of 0.1 m, by nlp; above thrown at 1 m/s without spin, below also spinning by 20 rad/s"
            .to_owned();
    let mut panel = Panel::new(Axis::time(), Axis::new("speed", "m/s").range(0.0, 1.05)).height(130.0);
    for (label, rolling, colour) in
        [("*v*, *ρ*_{r} = 0", 0.0, palette::GREY), ("*v*, *ρ*_{r} = 10 mm", 0.01, palette::BLUE)]
    {
        let [velocity, spin, _] =
            motions(&ball(1.0, 0.0, 1.4, &format!("friction = 0.3\nrolling_friction = {rolling}"))?);
        let rim: Vec<Point> = spin.into_iter().map(|[time, spin]| [time, 0.1 * spin]).collect();
        panel = panel.curve(label, velocity, Style::line(colour).with_width(1.6)).curve(
            "*R ω*",
            rim,
            Style::line(colour).with_width(1.2).with_dash(&[4.0, 2.5]),
        );
    }
    figure.panels.push(panel);
    let mut panel =
        Panel::new(Axis::time(), Axis::new("share of the start", "").range(0.0, 1.05)).height(130.0);
    let both = format!("friction = 0.3\ntorsional_friction = {}", 0.03 * 1.4_f64.sqrt());
    let thrown =
        |velocity: f64, spin: f64| Ok::<_, Box<dyn Error>>(motions(&ball(velocity, spin, 0.3, &both)?));
    let (together, without_spin, on_the_spot) = (thrown(1.0, 20.0)?, thrown(1.0, 0.0)?, thrown(0.0, 20.0)?);
    // What slides without spin ends by rolling, and what counts is the speed of its lowest point.
    let slip = |[velocity, spin, _]: &[Vec<Point>; 3]| -> Vec<Point> {
        velocity.iter().zip(spin).map(|(own, spin)| [own[0], (own[1] - 0.1 * spin[1]).abs()]).collect()
    };
    let spin = |[_, _, spin]: &[Vec<Point>; 3]| -> Vec<Point> {
        spin.iter().map(|[time, spin]| [*time, spin / 20.0]).collect()
    };
    panel = panel
        .curve("slip alone", slip(&without_spin), Style::line(palette::GREEN).with_width(1.0))
        .curve("spin alone", spin(&on_the_spot), Style::line(palette::ORANGE).with_width(1.0))
        .curve("slip with spin", slip(&together), Style::line(palette::VERMILLION).with_width(1.8))
        .curve(
            "spin with slip",
            spin(&together),
            Style::line(palette::BLACK).with_width(1.2).with_dash(&[4.0, 2.5]),
        );
    figure.panels.push(panel);
    Ok(figure)
}

/// Paths of a point from (1, 1) m/s, and the forces of its steps on the ellipse that is their limit.
fn along_and_across() -> Outcome<Figure> {
    let mut figure = Figure::new("Friction along and across");
    figure.caption =
        "a point thrown at (1, 1) m/s, by nlp; above its path, below its friction over the normal force"
            .to_owned();
    let mut paths = Panel::new(Axis::new("*x*", "m"), Axis::new("*y*", "m")).height(170.0);
    let mut limits = Panel::new(Axis::new("along *x*", ""), Axis::new("along *y*", "")).height(190.0);
    (paths.true_to_scale, limits.true_to_scale) = (true, true);
    for (across, colour) in [(0.1, palette::VERMILLION), (0.2, palette::GREY), (0.4, palette::BLUE)] {
        let moved = run::<3>(&format!(
            "duration = 0.8\n[particle]\nmass = 1.0\nposition = [0.0, 0.0, 0.0]\nvelocity = [1.0, 1.0, 0.0]\n[ground]\n\
             friction = 0.2\nfriction_across = {across}\n"
        ))?;
        let states = &moved.bodies[0].states;
        let path = states.iter().map(|state| [state.position[0], state.position[1]]).collect();
        let label = format!("0.2 along, {across} across");
        paths = paths.curve(label.clone(), path, Style::line(colour).with_width(1.6));
        let forces: Vec<Point> = (states.windows(2))
            .filter(|pair| pair[1].velocity.norm() > STOPPED)
            .map(|pair| [0, 1].map(|axis| (pair[1].velocity[axis] - pair[0].velocity[axis]) / (G * STEP)))
            .collect();
        let ellipse = (0..=180).map(|place| f64::from(2 * place).to_radians().sin_cos());
        limits = limits
            .curve(label, ellipse.map(|(sin, cos)| [0.2 * cos, across * sin]).collect(), Style::line(colour))
            .curve("", marks(&forces, 24), Style::markers(colour, Marker::Circle));
    }
    figure.panels.extend([paths, limits]);
    Ok(figure)
}
