use std::{fs, path::Path};

use stickslip::{
    plot::{self, Series},
    stepper::StepperName,
    trajectory::Trajectory,
};

use crate::scenes::{eight_steppers, run, slide, spatial};

/// A GIF as a viewer shows it.
struct Movie {
    size: (u16, u16),
    frames: Vec<Vec<[u8; 3]>>,
    /// Hundredths of a second.
    delays: Vec<u16>,
}

fn decode(path: &Path) -> Movie {
    let mut decoder = gif::DecodeOptions::new().read_info(fs::File::open(path).unwrap()).unwrap();
    let palette: Vec<[u8; 3]> =
        decoder.global_palette().unwrap().chunks_exact(3).map(|rgb| [rgb[0], rgb[1], rgb[2]]).collect();
    let size = (decoder.width(), decoder.height());
    let width = usize::from(size.0);
    let mut canvas = vec![[0; 3]; width * usize::from(size.1)];
    let (mut frames, mut delays) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (k, &index) in frame.buffer.iter().enumerate() {
            let (row, column) = (k / usize::from(frame.width), k % usize::from(frame.width));
            if frame.transparent != Some(index) {
                canvas[(usize::from(frame.top) + row) * width + usize::from(frame.left) + column] =
                    palette[usize::from(index)];
            }
        }
        frames.push(canvas.clone());
        delays.push(frame.delay);
    }
    Movie { size, frames, delays }
}

fn animate<const D: usize>(trajectories: &[&Trajectory<D>]) -> (Movie, u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("animation.gif");
    plot::animation(&Series::of_steppers(trajectories), &path).unwrap();
    (decode(&path), fs::metadata(&path).unwrap().len())
}

/// Number and mean place of the pixels of a colour.
fn centre(movie: &Movie, frame: usize, colour: [u8; 3]) -> (usize, f64, f64) {
    let width = usize::from(movie.size.0);
    let pixels = movie.frames[frame].iter().enumerate().filter(|(_, pixel)| **pixel == colour);
    let (mut count, mut x, mut y) = (0, 0.0, 0.0);
    for (k, _) in pixels {
        count += 1;
        x += (k % width) as f64;
        y += (k / width) as f64;
    }
    (count, x / count as f64, y / count as f64)
}

const BLUE: [u8; 3] = [0, 114, 178];
const VERMILLION: [u8; 3] = [213, 94, 0];

#[test]
fn an_animation_plays_for_some_seconds_and_is_small() {
    let (movie, bytes) = animate(&[&run(&slide(), StepperName::NLP)]);
    assert_eq!(movie.size.0, 480);
    assert!((200..=480).contains(&movie.size.1), "{:?}", movie.size);
    assert!((60..=150).contains(&movie.frames.len()), "{} frames", movie.frames.len());
    let seconds = movie.delays.iter().map(|delay| f64::from(*delay)).sum::<f64>() / 100.0;
    assert!((3.0..=15.0).contains(&seconds), "{seconds} s");
    assert!(bytes < 300_000, "{bytes} bytes");
}

#[test]
fn the_point_moves_and_leaves_a_trail() {
    let (movie, _) = animate(&[&run(&slide(), StepperName::NLP)]);
    let last = movie.frames.len() - 1;
    let (first_count, x0, y0) = centre(&movie, 0, BLUE);
    let (last_count, x1, y1) = centre(&movie, last, BLUE);
    assert!(first_count > 30 && last_count > first_count + 100, "{first_count} {last_count}");
    assert!(x1 > x0 + 20.0 && y1 > y0 + 20.0, "it goes right and down: ({x0}, {y0}) to ({x1}, {y1})");
}

#[test]
fn the_contact_force_shows_in_contact_only() {
    let (movie, _) = animate(&[&run(&slide(), StepperName::NLP)]);
    assert_eq!(centre(&movie, 10, VERMILLION).0, 0, "no force in flight");
    let at_rest = movie.frames.len() - 1;
    assert!(centre(&movie, at_rest, VERMILLION).0 > 20, "the ground bears the weight");
    let largest = (0..movie.frames.len()).map(|frame| centre(&movie, frame, VERMILLION).0).max().unwrap();
    assert!(largest > centre(&movie, at_rest, VERMILLION).0, "the impact falls into one of the frames");
}

#[test]
fn the_ground_is_drawn_and_stays() {
    let (movie, _) = animate(&[&run(&slide(), StepperName::NLP)]);
    for frame in [0, movie.frames.len() - 1] {
        assert!(centre(&movie, frame, [214, 209, 202]).0 > 1000);
    }
}

#[test]
fn eight_steppers_and_a_point_over_a_plane_are_animated() {
    let eight = eight_steppers();
    let (movie, bytes) = animate(&eight.iter().collect::<Vec<_>>());
    assert!(movie.frames.len() >= 60 && bytes < 1_000_000);
    let (movie, _) = animate(&[&run(&spatial(), StepperName::LCP_POLYHEDRAL)]);
    assert!(movie.size.1 > 350, "a view from the side and one from above: {:?}", movie.size);
}

#[test]
fn runs_of_any_length_are_animated() {
    for states in [1, 2, 40] {
        let mut short = run(&slide(), StepperName::NLP);
        short.bodies[0].states.truncate(states);
        short.bodies[0].steps.truncate(states - 1);
        let (movie, _) = animate(&[&short]);
        assert_eq!(movie.frames.len(), states);
        let seconds = movie.delays.iter().map(|delay| f64::from(*delay)).sum::<f64>() / 100.0;
        assert!(seconds <= 15.0, "{seconds} s");
    }
}
