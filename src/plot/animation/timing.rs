use super::super::series::{Series, end_time};

/// Frames per second, at most frames, and how long a motion may play.
const FRAME_RATE: f64 = 20.0;
const MOST_FRAMES: usize = 150;
const PLAYING_SECONDS: std::ops::RangeInclusive<f64> = 4.0..=10.0;
/// How long the last frame stays, in hundredths of a second.
const LAST_DELAY: u16 = 120;
/// Longest time between frames, in hundredths of a second.
const LONGEST_DELAY: f64 = 50.0;

/// Which instants the frames show, and how long each stays.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Timing {
    /// Number of frames, at least 1.
    pub frames: usize,
    /// Time in s between the instants of two frames.
    pub interval: f64,
    /// Seconds of motion per second of animation.
    pub speed: f64,
    delay: u16,
}

impl Timing {
    pub(super) fn new<const D: usize>(series: &[Series<'_, D>]) -> Self {
        let duration = end_time(series);
        let states = series.iter().map(|series| series.track.states.len()).max().unwrap_or(1);
        let playing = duration.clamp(*PLAYING_SECONDS.start(), *PLAYING_SECONDS.end());
        let frames = ((playing * FRAME_RATE) as usize).min(MOST_FRAMES).min(states).max(1);
        let intervals = frames.saturating_sub(1).max(1) as f64;
        let delay = (100.0 * playing / intervals).round().clamp(2.0, LONGEST_DELAY);
        Self {
            frames,
            interval: duration / intervals,
            speed: duration / (0.01 * delay * intervals),
            delay: delay as u16,
        }
    }

    /// How long a frame stays, in hundredths of a second.
    pub(super) fn delay(&self, frame: usize) -> u16 {
        if frame + 1 == self.frames { LAST_DELAY } else { self.delay }
    }

    /// Time in s that a frame shows.
    pub(super) fn at(&self, frame: usize) -> f64 {
        frame as f64 * self.interval
    }
}
