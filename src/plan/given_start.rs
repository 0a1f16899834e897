//! Starts from pushes that are given, such as those of another plan: the motion that the simulator makes of them.

use super::{
    program::Program,
    pushed::Pushed,
    roll_out::motion,
    starts::beginning,
    task::{Interval, PlanTask},
};
use crate::watch::Watch;

/// Pushes over time, each held over a window; between windows, and after the last, nothing pushes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GivenPushes {
    /// The windows, one after the other.
    pub windows: Vec<PushWindow>,
}

/// Pushes that are held for some time.
#[derive(Debug, Clone, PartialEq)]
pub struct PushWindow {
    /// When they begin, in s.
    pub from: f64,
    /// When they end, in s; later than that.
    pub to: f64,
    /// Force in N and torque in N m of every control.
    pub pushes: Vec<[f64; 3]>,
}

impl GivenPushes {
    /// When the last window ends, in s.
    pub fn end(&self) -> f64 {
        self.windows.last().map_or(0.0, |window| window.to)
    }

    /// The pushes over the steps of `task` in a motion of `duration` s, force in N and torque in N m of every control: over each
    /// step their mean, which is the push itself where steps are those of the windows or parts of them, and has the same
    /// impulse where they are not. What a control cannot do is taken as the nearest that it can.
    pub fn in_steps(&self, task: &PlanTask, duration: f64) -> Vec<Vec<[f64; 3]>> {
        let h = duration / task.steps as f64;
        let of_step = |k: usize| {
            let step = [k, k + 1].map(|k| k as f64 * h);
            let of_control = |control: usize| {
                let bounds = task.controls[control].bounds();
                [0, 1, 2].map(|part| {
                    let [low, high] = bounds[part];
                    self.mean(control, part, step).clamp(low, high)
                })
            };
            (0..task.controls.len()).map(of_control).collect()
        };
        (0..task.steps).map(of_step).collect()
    }

    /// The mean of a component of the push of a control from `begin` to `end`.
    fn mean(&self, control: usize, part: usize, [begin, end]: Interval) -> f64 {
        let shares = self.windows.iter().map(|window| {
            let both = (window.to.min(end) - window.from.max(begin)).max(0.0);
            both / (end - begin) * window.pushes[control][part]
        });
        shares.sum()
    }
}

/// The motion that `lcp` makes of the pushes that the task of `program` starts from, as its variables; nothing where it has none.
/// It begins where the straight way to the goal does, and takes as long as the pushes, within the limits of the duration.
///
/// # Errors
/// Why the simulator does not get through, as [`roll_out`](super::roll_out()) has it.
pub fn given_start(program: &Program, watch: &Watch<'_>) -> Option<Result<Vec<f64>, String>> {
    let task = &program.task;
    let given = task.start_from.as_ref()?;
    let [shortest, longest] = task.duration;
    let duration = given.end().clamp(shortest, longest);
    let (start, pushes) = (beginning(program), given.in_steps(task, duration));
    Some(motion(program, &Pushed { task, duration, start: &start, pushes: &pushes }, watch))
}
