//! Draws the gallery, from the example scenarios to `output/gallery/`: comparisons of points, and bodies as they are.
//!
//! `cargo run --release --example gallery`

use std::{error::Error, ops::ControlFlow, path::Path};

use stickslip::{
    compare::{Comparison, default_steppers},
    metrics::ImpactFinder,
    plot::{self, Figure, Series, animation, error_history, force_closeup, history_overlay, path_overlay},
    scenario::{AnyScenario, ConvexSettings, Scenario, SmoothLaw, read_scenario},
    simulate::{OnFailure, simulate, stream},
    stepper::{BuildStepper, StepperName},
    watch::Watch,
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

fn main() -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(FOLDER)?;
    draw_bodies()?;
    draw_impact()?;
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
