use super::{super::series::Series, View};
use crate::trajectory::Track;

/// The series of one trajectory: the bodies that play together.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Cast<'s, 'a, const D: usize> {
    /// At least one, in the order of the bodies.
    pub series: &'s [Series<'a, D>],
}

impl<'a, const D: usize> Cast<'_, 'a, D> {
    /// Any of the motions: for what they have in common.
    pub(in super::super) fn any(&self) -> Track<'a, D> {
        self.series[0].track
    }

    /// The motions of its bodies.
    pub(in super::super) fn tracks(&self) -> Vec<Track<'a, D>> {
        self.series.iter().map(|series| series.track).collect()
    }

    /// The series in the order in which their bodies at state `k` cover each other, the farthest first.
    pub(in super::super) fn farthest_first(&self, k: usize, view: &View<D>) -> Vec<&Series<'a, D>> {
        let nearness = |series: &&Series<'a, D>| {
            series.track.states.get(k).map_or(0.0, |state| view.nearness(&state.position))
        };
        let mut series: Vec<&Series<'a, D>> = self.series.iter().collect();
        series.sort_by(|a, b| nearness(a).total_cmp(&nearness(b)));
        series
    }

    /// The motion of a body, if it is shown.
    pub(in super::super) fn track(&self, body: usize) -> Option<Track<'a, D>> {
        self.series.iter().find(|series| series.track.body == body).map(|series| series.track)
    }
}

/// Parts `series` into those of one trajectory each.
pub(in super::super) fn casts<'s, 'a, const D: usize>(series: &'s [Series<'a, D>]) -> Vec<Cast<'s, 'a, D>> {
    // The contacts are those of all bodies of a trajectory.
    let is_same = |a: &Series<'_, D>, b: &Series<'_, D>| std::ptr::eq(a.track.contacts, b.track.contacts);
    series.chunk_by(is_same).map(|series| Cast { series }).collect()
}
