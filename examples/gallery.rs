//! Draws the gallery, from the example scenarios to `output/gallery/`: comparisons of points, and bodies as they are.
//!
//! `cargo run --release --example gallery`

use std::{error::Error, ops::ControlFlow, path::Path};

use stickslip::{
    compare::{Comparison, default_steppers},
    metrics::ImpactFinder,
    plot::{
        self, Axis, Cell, Figure, Panel, Series, Style, animation, error_history, force_closeup,
        history_overlay, palette, path_overlay,
    },
    scenario::{AnyScenario, ConvexSettings, Scenario, SmoothLaw, read_scenario},
    simulate::{OnFailure, simulate, stream},
    stepper::{BuildStepper, StepperName},
    watch::Watch,
    world::{ImpactFriction, PlanarImpact},
};

const FOLDER: &str = "output/gallery";

fn read(name: &str) -> Result<AnyScenario, Box<dyn Error>> {
    Ok(read_scenario(format!("examples/scenarios/{name}.toml"), &[])?)
}

fn compare<const D: usize>(scenario: &Scenario<D>) -> Comparison<D>
where
    Scenario<D>: BuildStepper<D>,
{
    // The published parameters of the compliant models, whose artefacts the gallery is to show.
    let mut scenario = scenario.clone();
    scenario.steppers.convex = ConvexSettings::PUBLISHED;
    scenario.steppers.smooth.law = SmoothLaw::TANH;
    let mut comparison =
        Comparison::run(&scenario, &default_steppers(&scenario), OnFailure::Stop, &Watch::none());
    comparison.set_failed_formulations_aside();
    comparison
}

fn series<const D: usize>(comparison: &Comparison<D>) -> Vec<Series<'_, D>> {
    let alike = comparison.alike();
    Series::labelled(alike.iter().map(|group| (group.label(), &group.entry.trajectory)))
}

fn write<const D: usize>(
    figure: Figure,
    comparison: &Comparison<D>,
    name: &str,
) -> Result<(), Box<dyn Error>> {
    let file = Path::new(FOLDER).join(format!("compare-{name}.svg"));
    Ok(figure.remark(&comparison.note_on_alike()).write_svg(&file)?)
}

/// Bodies in a vertical plane, each as it starts, passes and ends.
const BODIES: [&str; 17] = [
    "tipping-box",
    "slope-box",
    "rocking-block",
    "backspin-disc",
    "rod-drop",
    "painleve-rod",
    "dominoes",
    "stack",
    "wedge",
    "conveyor",
    "belt",
    "cradle",
    "arch",
    "double-pendulum",
    "slider-crank",
    "gripper",
    "woodpecker",
];

fn draw_bodies() -> Result<(), Box<dyn Error>> {
    let file = |name: &str| Path::new(FOLDER).join(name);
    for name in BODIES {
        let AnyScenario::InPlane(scenario) = read(name)? else {
            return Err(format!("{name} is not in a vertical plane").into());
        };
        let trajectory = simulate(&scenario, scenario.stepper(StepperName::NLP)?.as_mut());
        plot::path(&trajectory).write_svg(&file(&format!("{name}-path.svg")))?;
        match name {
            "tipping-box" => {
                plot::friction_cone(&trajectory).write_svg(&file("tipping-box-friction-cone.svg"))?;
            }
            "belt" => plot::phase_portrait(&trajectory).write_svg(&file("belt-phase.svg"))?,
            "rocking-block" => {
                plot::phase_portrait(&trajectory).write_svg(&file("rocking-block-phase.svg"))?;
                plot::energy(&trajectory).write_svg(&file("rocking-block-energy.svg"))?;
            }
            "dominoes" => {
                plot::contact_modes(&trajectory).write_svg(&file("dominoes-modes.svg"))?;
                animation(&Series::of_bodies(&trajectory), &file("dominoes.gif"))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The rod that strikes with a slip which turns around, in the plane of its impulses, as docs/impacts.md has it by a command.
fn draw_impact() -> Result<(), Box<dyn Error>> {
    let overrides = ["body.0.velocity=[1.5, 0.0]", "ground.restitution=0.5"];
    let overrides = overrides.map(str::parse).into_iter().collect::<Result<Vec<_>, _>>()?;
    let AnyScenario::InPlane(scenario) = read_scenario("examples/scenarios/rod-drop.toml", &overrides)?
    else {
        return Err("rod-drop is not in a vertical plane".into());
    };
    let mut stepper = scenario.stepper(StepperName::NLP)?;
    let mut finder = ImpactFinder::in_plane(&scenario, 1);
    stream(&scenario, stepper.as_mut(), OnFailure::Stop, |passage| {
        finder.add(passage);
        ControlFlow::Continue(())
    });
    let plane = finder.found.ok_or("nothing strikes")?;
    Ok(plot::impulse_plane(&plane).write_svg(&Path::new(FOLDER).join("impulse-plane.svg"))?)
}

/// What becomes of the slip of a contact in an impact, by Routh's five ways.
fn outcome(impact: &PlanarImpact) -> usize {
    let Some(course) = impact.course() else { return 0 };
    let Some(end_of_slip) = course.slip_ends.filter(|slip_ends| *slip_ends < course.ended) else { return 0 };
    let sticks = course.directions[1].abs() < impact.friction.released;
    1 + 2 * usize::from(!sticks) + usize::from(end_of_slip > course.compressed)
}

/// How a rod of 1 m and 1 kg at 45 degrees strikes, over its friction and the slip with which it comes: Routh's regions.
fn draw_regions() -> Result<(), Box<dyn Error>> {
    const PLACES: usize = 160;
    let (slips, frictions) = ((-3.0, 3.0), (0.0, 2.0));
    let names = [
        ("slides to the end", palette::GREY),
        ("sticks while it is compressed", palette::BLUE),
        ("sticks while it rebounds", palette::SKY_BLUE),
        ("slips back while it is compressed", palette::VERMILLION),
        ("slips back while it rebounds", palette::ORANGE),
    ];
    let mut panel = Panel::new(
        Axis::new("*u*_{t}/|*u*_{n}| before", "").range(slips.0, slips.1),
        Axis::new("*μ*", "").range(frictions.0, frictions.1),
    )
    .height(220.0);
    let border = |(low, high): (f64, f64), place: usize| low + (high - low) * place as f64 / PLACES as f64;
    let cell = |range, place: usize| (border(range, place), border(range, place + 1));
    for row in 0..PLACES {
        for column in 0..PLACES {
            let (x, y) = (cell(slips, column), cell(frictions, row));
            let [slip, friction] = [x, y].map(|(low, high)| 0.5 * (low + high));
            let impact = PlanarImpact {
                response: [2.5, -1.5, 2.5],
                velocity: [-1.0, slip],
                friction: ImpactFriction::each(|_| friction, slip.abs()),
                restitution: 0.5,
            };
            let of = outcome(&impact);
            panel.cells.push(Cell { x, y, colour: names[of].1, datum: Some([slip, friction, of as f64]) });
        }
    }
    for (name, colour) in names {
        panel = panel.curve(name, vec![[f64::NAN; 2]], Style::line(colour).with_width(5.0));
    }
    // Above it friction presses a rod that slides towards its other end together faster than the impulse parts it.
    let painleve = 2.5 / 1.5;
    panel = panel.curve(
        "above: Painlevé",
        vec![[slips.0, painleve], [0.0, painleve]],
        Style::line(palette::BLACK).with_dash(&[4.0, 2.5]),
    );
    let mut figure = Figure::new("Routh's regions of a rod at 45 degrees");
    figure.caption = "a uniform rod that strikes with its lower end, *e* = 0.5".to_owned();
    figure.panels.push(panel);
    Ok(figure.write_svg(&Path::new(FOLDER).join("impact-regions.svg"))?)
}

fn main() -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(FOLDER)?;
    draw_bodies()?;
    draw_impact()?;
    draw_regions()?;
    for name in ["slide", "bounce", "push-and-hold", "stick-slip"] {
        let AnyScenario::InPlane(scenario) = read(name)? else {
            return Err(format!("{name} is not a point in a vertical plane").into());
        };
        let comparison = compare(&scenario);
        let series = series(&comparison);
        if name == "bounce" {
            write(path_overlay(&series), &comparison, "bounce-path")?;
            continue;
        }
        write(history_overlay(&series), &comparison, &format!("{name}-history"))?;
        if let ("slide", Some(truth)) = (name, &comparison.truth) {
            write(force_closeup(&series, (0.445, 0.46)), &comparison, "slide-impact")?;
            // The exact motion, which comes first, has no error.
            write(error_history(&series[1..], &truth.trajectory), &comparison, "slide-error")?;
            animation(&series, &Path::new(FOLDER).join("compare-slide.gif"))?;
        }
    }
    let AnyScenario::OverPlane(curve) = read("curve")? else {
        return Err("curve is not a point over a plane".into());
    };
    let comparison = compare(&curve);
    write(path_overlay(&series(&comparison)), &comparison, "curve-path")
}
