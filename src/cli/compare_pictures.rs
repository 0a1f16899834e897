//! What `compare` draws.

use rayon::prelude::*;
use stickslip::{
    compare::Comparison,
    plot::{self, Figure, Series},
    report::Picture,
    scenario::Scenario,
};

use super::{
    error::CliError,
    figures::{ENDINGS, FigureArguments},
    folder::Folder,
    outdated::remove_if_there,
};

/// Close-ups of impacts, at most.
const MOST_CLOSE_UPS: usize = 12;

/// What the names of their files begin with.
const IMPACT: &str = "impact-";

/// Pictures that only lie beside the report, so that it stays small; its own figures show the same.
const BESIDE_THE_PAGE: [&str; 3] = ["energy", "friction-cone", "phase"];

/// Time in s that a close-up shows before and after its first impact, at least.
const CLOSE_UP: (f64, f64) = (0.01, 0.03);

/// The same in steps.
const CLOSE_UP_STEPS: (f64, f64) = (5.0, 15.0);

/// Part of the time after its first impact in which other impacts belong to a close-up too; what
/// comes later is too near the edge.
const SHARED: f64 = 0.75;

/// Draws everything, in parallel, and gives the pictures of the report.
pub fn draw<const D: usize>(
    folder: &Folder<'_>,
    comparison: &Comparison<D>,
    arguments: &FigureArguments,
) -> Result<Vec<Picture>, CliError> {
    let alike = comparison.alike();
    let series = Series::labelled(alike.iter().map(|group| (group.label(), &group.entry.trajectory)));
    let note = comparison.note_on_alike();
    let figures: Vec<_> = figures(comparison, &series)
        .into_iter()
        .map(|(name, title, figure)| {
            let figure = arguments.apply(&name, figure.remark(&note));
            (name, title, figure)
        })
        .collect();
    let animation_file = folder.file("animation.gif");
    let (drawn, animated) = rayon::join(
        || figures.par_iter().map(|(name, _, figure)| folder.write_figure(name, figure)).collect(),
        || plot::animation(&series, &animation_file),
    );
    let svgs: Result<Vec<String>, CliError> = drawn;
    animated?;
    let names: Vec<&str> = figures.iter().map(|(name, ..)| name.as_str()).collect();
    remove_outdated(folder, &names)?;
    // A single one stands among the others.
    let has_close_ups = figures.iter().filter(|(name, ..)| name.starts_with(IMPACT)).count() > 1;
    let picture = |((name, title, _), svg): (&(String, String, Figure), String)| {
        let is_close_up = has_close_ups && name.starts_with(IMPACT);
        Picture { title: title.clone(), media_type: "image/svg+xml", data: svg.into_bytes(), is_close_up }
    };
    let drawn = figures.iter().zip(svgs?);
    Ok(drawn.filter(|((name, ..), _)| !BESIDE_THE_PAGE.contains(&name.as_str())).map(picture).collect())
}

/// Removes the pictures of an earlier comparison in the same folder that are not among `drawn`.
fn remove_outdated(folder: &Folder<'_>, drawn: &[&str]) -> Result<(), CliError> {
    let close_ups = (1..=MOST_CLOSE_UPS).map(|index| format!("{IMPACT}{index}"));
    let others = ["history", "path", "modes", "energy", "friction-cone", "phase", "error"].map(str::to_owned);
    for name in close_ups.chain(others).filter(|name| !drawn.contains(&name.as_str())) {
        for ending in ENDINGS {
            remove_if_there(&folder.file(&format!("{name}{ending}")))?;
        }
    }
    Ok(())
}

/// The figures with their file names and titles.
fn figures<const D: usize>(
    comparison: &Comparison<D>,
    series: &[Series<'_, D>],
) -> Vec<(String, String, Figure)> {
    let title = "Position, velocity and contact force over time. Arrowheads are impacts, whose forces leave the frame.";
    let mut figures = vec![
        ("history".to_owned(), title.to_owned(), plot::history_overlay(series)),
        ("path".to_owned(), path_title(&comparison.scenario), plot::path_overlay(series)),
        (
            "modes".to_owned(),
            "Contact modes over time.".to_owned(),
            plot::contact_modes_overlay(series),
        ),
        (
            "energy".to_owned(),
            "Energy over time, and what was lost of it: by contact, and by the steps themselves.".to_owned(),
            plot::energy_overlay(series),
        ),
        (
            "friction-cone".to_owned(),
            "Tangential over normal contact force of every step; Coulomb's law allows what lies within the cone.".to_owned(),
            plot::friction_cone_overlay(series),
        ),
        ("phase".to_owned(), "Velocity over position.".to_owned(), plot::phase_portrait_overlay(series)),
    ];
    let Some(truth) = &comparison.truth else { return figures };
    let exact = truth.trajectory.stepper;
    let inexact = series.iter().filter(|series| series.track.stepper != exact).cloned();
    let inexact: Vec<Series<'_, D>> = inexact.collect();
    figures.push((
        "error".to_owned(),
        "Distance from the exact motion over time.".to_owned(),
        plot::error_history(&inexact, &truth.trajectory),
    ));
    let impacts: Vec<f64> = truth.impacts().collect();
    let groups = close_ups(&impacts, comparison.scenario.step);
    let left_out: usize = groups.iter().skip(MOST_CLOSE_UPS).map(|group| group.impacts.len()).sum();
    for (index, CloseUp { impacts, window }) in groups.iter().take(MOST_CLOSE_UPS).enumerate() {
        let mut title = match impacts.as_slice() {
            [only] => format!("Contact force and impulse around the impact at {only:.6} s."),
            several => format!(
                "Contact force and impulse around the {} impacts from {:.6} s to {:.6} s.",
                several.len(),
                several[0],
                several[several.len() - 1]
            ),
        };
        if index + 1 == MOST_CLOSE_UPS && left_out > 0 {
            title += &format!(" {left_out} more are not shown.");
        }
        figures.push((format!("{IMPACT}{}", index + 1), title, plot::force_closeup(series, *window)));
    }
    figures
}

fn path_title<const D: usize>(scenario: &Scenario<D>) -> String {
    if scenario.layout().is_point() {
        "Path of the point.".to_owned()
    } else {
        "Paths of the bodies' centres, and where they start and end.".to_owned()
    }
}

/// A window of time with the impacts in it.
#[derive(Debug, PartialEq)]
struct CloseUp {
    impacts: Vec<f64>,
    window: (f64, f64),
}

/// Windows around all of the `impacts`, times in s in order; impacts in quick succession share one.
fn close_ups(impacts: &[f64], dt: f64) -> Vec<CloseUp> {
    let before = CLOSE_UP.0.max(CLOSE_UP_STEPS.0 * dt);
    let after = CLOSE_UP.1.max(CLOSE_UP_STEPS.1 * dt);
    let mut groups: Vec<CloseUp> = Vec::new();
    for &time in impacts {
        match groups.last_mut() {
            Some(group) if time < group.window.1 - (1.0 - SHARED) * after => group.impacts.push(time),
            _ => {
                groups.push(CloseUp { impacts: vec![time], window: ((time - before).max(0.0), time + after) })
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::close_ups;

    #[test]
    fn every_impact_is_seen_and_quick_ones_share_a_window() {
        let groups = close_ups(&[0.5, 0.8, 0.81, 0.815, 0.829, 1.0], 1e-3);
        let counts: Vec<usize> = groups.iter().map(|group| group.impacts.len()).collect();
        assert_eq!(counts, [1, 3, 1, 1]);
        for group in &groups {
            let (start, end) = group.window;
            assert!(group.impacts.iter().all(|time| time - start >= 0.0099 && end - time >= 0.0074));
        }
    }
}
