use super::{
    super::{
        series::{Series, end_time},
        solid::{Solid, SolidSurface},
        ticks::round_positions,
    },
    View,
};
use crate::{model::Vector, scenario::Scenario};

/// Stroboscopic poses of a body, at most, and of all bodies together.
const MOST_INSTANTS: usize = 12;
const MOST_POSES: usize = 60;

/// Whether a picture of `scenario` shows more than paths of points: bodies, links or walls.
pub(in super::super) fn has_outlines<const D: usize>(scenario: &Scenario<D>) -> bool {
    scenario.has_turning_bodies()
        || !(scenario.rods.is_empty()
            && scenario.springs.is_empty()
            && scenario.contacts.is_empty()
            && scenario.joints.is_empty()
            && scenario.walls.is_empty())
}

/// Ground and walls that `view` sees edge-on.
pub(in super::super) fn solids<const D: usize>(scenario: &Scenario<D>, view: &View<D>) -> Vec<Solid> {
    let mut level = Vector::zeros();
    level[D - 1] = 1.0;
    let ground = view.edge_on(&level);
    let ground = ground.map(|normal| Solid { normal, ..Solid::GROUND });
    let wall = |wall: &crate::scenario::Wall<D>| {
        let normal = view.edge_on(&wall.normal)?;
        // In space a belt may also move into the picture, which is not drawn.
        let drift = if D == 2 { wall.velocity[0] } else { 0.0 };
        let surface = match drift {
            0.0 => SolidSurface::Hatched,
            drift => SolidSurface::Moving { is_backward: drift < 0.0 },
        };
        Some(Solid { normal, offset: wall.offset, surface })
    };
    ground.into_iter().chain(scenario.walls.iter().filter_map(wall)).collect()
}

/// The states between the first and the last that stroboscopic pictures show, and the time in s between
/// them, a round one.
pub(in super::super) fn instants<const D: usize>(series: &[Series<'_, D>]) -> (Vec<usize>, f64) {
    let Some(first) = series.first() else { return (Vec::new(), 0.0) };
    let most = (MOST_POSES / series.len()).clamp(4, MOST_INSTANTS);
    let (interval, _) = round_positions(0.0, end_time(series), most + 1);
    let every = ((interval / first.track.interval()).round() as usize).max(1);
    let last = series.iter().map(|series| series.track.states.len()).max().unwrap_or(0).saturating_sub(1);
    let instants = (1..).map(|k| k * every).take_while(|&k| k < last).collect();
    (instants, every as f64 * first.track.interval())
}
