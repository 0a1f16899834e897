//! Motions as animated GIFs: the point, its trail, the ground, the contact force and the time.

mod encode;
mod frame;
mod quantise;
mod timing;

use std::path::Path;

use rayon::prelude::*;

use self::{
    encode::Indexed,
    frame::{Stage, step_at},
    quantise::Quantiser,
    timing::Timing,
};
use super::{
    error::PlotError,
    figure::Figure,
    geometry::Point,
    path::{share_x, view_of},
    scene::{Look, View, has_outlines, pose, views},
    series::{Series, run_title, scenario_title},
    theme::{GRID, GROUND, INK, WHITE},
    ticks::significant,
};
use crate::atomic_file::write_atomically;

/// Pixels per unit: 480 pixels wide.
const SCALE: f64 = 1.2;
/// Height of the view from the side, and of each view where there are two.
const HEIGHTS: [f64; 2] = [205.0, 150.0];

/// Writes an animated GIF of one trajectory or several, 480 pixels wide, of 150 frames at most.
///
/// Motions of 4 s to 10 s are shown as fast as they are; shorter ones slowed down and longer ones
/// sped up, as the title then says. The arrow is the contact force, averaged over the frame so
/// that no impact is missed; twice the load is as long as it gets.
///
/// # Errors
/// [`PlotError`] if the file cannot be written.
pub fn animation<const D: usize>(series: &[Series<'_, D>], path: &Path) -> Result<(), PlotError> {
    let Some(first) = series.first() else { return Ok(()) };
    let timing = Timing::new(series);
    let mut figure = Figure { caption: " ".to_owned(), ..Figure::default() };
    figure.title = match series {
        [only] => run_title(only.track),
        _ => scenario_title(first.track.scenario),
    };
    if !(0.97..1.03).contains(&timing.speed) {
        figure.title += &format!(", at {}× speed", significant(timing.speed, 2));
    }
    let views = views(first.track.scenario);
    figure.shared_x = share_x(&views);
    let height = HEIGHTS[usize::from(views.len() > 1)];
    figure.panels = views.iter().map(|view| view_of(series, view).height(height)).collect();
    if has_outlines(first.track.scenario) {
        for (panel, view) in figure.panels.iter_mut().zip(&views) {
            panel.include = extent(series, view, &timing);
        }
    }

    if series.len() == 1 {
        // The title says which stepper it is.
        figure.panels.iter_mut().flat_map(|panel| &mut panel.curves).for_each(|curve| curve.label.clear());
    }
    let layout = figure.layout();
    // The layout is that of the whole paths; the stage is empty.
    figure.panels.iter_mut().for_each(|panel| panel.curves.clear());
    let background = figure.to_pixels(&layout, SCALE)?;
    let stage = Stage::new(series, &layout, &views, &timing);
    let inks = series.iter().map(|series| series.style.colour).chain(stage.force_colour());
    let quantiser = Quantiser::new(&[WHITE, GROUND], &[INK, GRID], &stage.fillings(), inks);

    let frames: Vec<Indexed> = (0..timing.frames)
        .into_par_iter()
        .map_init(
            || background.clone(),
            |pixels, index| {
                pixels.copy_from(&background);
                stage.draw(index, pixels)?;
                Ok(quantiser.indices(pixels))
            },
        )
        .collect::<Result<_, PlotError>>()?;
    let dimensions = background.dimensions();
    Ok(write_atomically(path, |out| {
        encode::write_gif(out, dimensions, quantiser.palette(), &frames, &timing)
    })?)
}

/// Where outlines come in the course of the motion: the corners at every frame.
fn extent<const D: usize>(series: &[Series<'_, D>], view: &View<D>, timing: &Timing) -> Vec<Point> {
    let frames = 0..timing.frames;
    let of_frame = |frame: usize| {
        series.iter().flat_map(move |series| {
            let now = step_at(series.track, timing.at(frame));
            pose(series.track, now, view, series.style, Look::Faint)
                .0
                .into_iter()
                .flat_map(|area| area.corners)
        })
    };
    frames.flat_map(of_frame).collect()
}
