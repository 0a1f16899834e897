use std::fmt;

use super::{Input, Nearest, locate::Located};
use crate::stepper::{StepperName, derivative::MarginKind};

/// What happens to a result where a branch of a step changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KinkKind {
    /// The gradient changes.
    Bend,
    /// The result itself jumps.
    Jump,
    /// Nothing.
    None,
}

impl fmt::Display for KinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bend => "bend",
            Self::Jump => "jump",
            Self::None => "none",
        })
    }
}

/// The nearest change of branch along an input, and what it does to a result.
#[derive(Debug, Clone, PartialEq)]
pub struct Kink {
    /// By which stepper.
    pub stepper: StepperName,
    /// The step that takes another branch.
    pub step: usize,
    /// Time at its start in s.
    pub time: f64,
    /// Which branch.
    pub event: MarginKind,
    /// What it does.
    pub kind: KinkKind,
    /// To which result.
    pub of: String,
    /// Along which input.
    pub wrt: Input,
    /// The change of the input at which it lies, in the unit of the input ([`Input::unit`]).
    pub distance: f64,
    /// The gradient just before it, for smaller values of the input, in the unit of the result per unit of the input.
    pub left: f64,
    /// The gradient just after it, in the same unit.
    pub right: f64,
}

/// Relative change of a gradient that counts as one.
const SAME: f64 = 2e-3;

/// Value and slope of a result; `None` where there is none.
pub(super) type Side = Option<(f64, f64)>;

/// The gradients for smaller and for larger values of an input, where the scenario is on a kink; `None` to a side where
/// there is no such run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneSided {
    /// For smaller values.
    pub left: Option<f64>,
    /// For larger values.
    pub right: Option<f64>,
}

/// The results that one looks at along an input, by name, and its natural size.
#[derive(Clone, Copy)]
pub(super) struct Along<'a> {
    pub outputs: &'a [String],
    pub wrt: Input,
    pub size: f64,
}

/// What is known of the results around a value of an input.
pub(super) struct Neighbourhood {
    /// The kink that is nearest, per result.
    pub kinks: Vec<Kink>,
    /// How far the input may change to either side until that, per result; infinite if nothing changes.
    pub within: Vec<f64>,
    /// The two gradients of each result that the scenario is on a kink of.
    pub one_sided: Vec<Option<OneSided>>,
    /// The gradient of each result just beside a kink that the scenario is on, for larger values where there is one: on
    /// it several branches may change at once, and a run take a mixture of them that neither side does.
    beside: Vec<Option<f64>>,
}

/// A difference of results in units of their size that the tolerance of a solver leaves.
const SOLVED: f64 = 1e-9;

impl Neighbourhood {
    /// From what a run predicts to be nearest along an input, and what was found.
    pub fn of(
        stepper: StepperName,
        along: Along<'_>,
        predicted: &Nearest,
        Located { nearest, sides, here }: &Located<Vec<Side>>,
    ) -> Self {
        let outputs = along.outputs;
        let further = sides.as_ref().map(|sides| kinks_of(stepper, along, nearest, sides, 0.0));
        let mut known = Self {
            kinks: further.unwrap_or_default(),
            within: vec![nearest.distance.abs(); outputs.len()],
            one_sided: vec![None; outputs.len()],
            beside: vec![None; outputs.len()],
        };
        let Some([above, below]) = here else { return known };
        let mut at_once = Vec::new();
        if let (Some(above), Some(below)) = (above, below) {
            at_once = kinks_of(stepper, along, predicted, &[below.clone(), above.clone()], SOLVED);
            at_once.retain(|kink| kink.kind != KinkKind::None);
        }
        for (index, of) in outputs.iter().enumerate() {
            let side = |side: &Option<(f64, Vec<Side>)>| side.as_ref().and_then(|(_, all)| all[index]);
            let slopes = [side(below), side(above)].map(|side| side.map(|(_, slope)| slope));
            known.beside[index] = slopes[1].or(slopes[0]);
            let is_whole = slopes.iter().all(Option::is_some) || slopes.iter().all(Option::is_none);
            if is_whole && at_once.iter().all(|kink| kink.of != *of) {
                continue;
            }
            known.kinks.retain(|kink| kink.of != *of);
            known.within[index] = predicted.distance.abs();
            known.one_sided[index] = Some(OneSided { left: slopes[0], right: slopes[1] });
        }
        known.kinks.extend(at_once);
        known
    }

    /// The same of a corrected gradient, where this is what the `steps` themselves have around it: what of their change its
    /// slopes do not explain is what they correct, and no jump.
    pub fn corrected_of(mut self, steps: &Self) -> Self {
        for (index, one_sided) in self.one_sided.iter_mut().enumerate() {
            let is_same = match one_sided {
                Some(OneSided { left: Some(left), right: Some(right) }) => {
                    (*left - *right).abs() <= SAME * left.abs().max(right.abs())
                }
                _ => false,
            };
            if is_same && steps.one_sided[index].is_none() {
                *one_sided = None;
                self.within[index] = steps.within[index];
            }
        }
        self
    }

    /// The gradient of a result by number, of which a run has `own`.
    pub fn gradient(&self, output: usize, own: f64) -> f64 {
        self.beside[output].unwrap_or(own)
    }
}

/// What the nearest kink along an input does to the results, from changes of the input just before and just behind it
/// with value and slope of each output that there is then; differences below `noise` in units of a result are none, and neither
/// are those of slopes that are rounding over its natural size.
fn kinks_of(
    stepper: StepperName,
    Along { outputs, wrt, size }: Along<'_>,
    nearest: &Nearest,
    [(near, near_side), (far, far_side)]: &[(f64, Vec<Side>); 2],
    noise: f64,
) -> Vec<Kink> {
    let Some(event) = nearest.kind else { return Vec::new() };
    let forward = far > near;
    let kink = |(of, (near_side, far_side)): (&String, (&Side, &Side))| {
        let ((before, near_slope), (after, far_slope)) = ((*near_side)?, (*far_side)?);
        let kind = kind([before, after], [near_slope, far_slope], far - near, (noise, SOLVED / size));
        let (left, right) = if forward { (near_slope, far_slope) } else { (far_slope, near_slope) };
        Some(Kink {
            stepper,
            step: nearest.step,
            time: nearest.time,
            event,
            kind,
            of: of.clone(),
            wrt,
            distance: nearest.distance,
            left,
            right,
        })
    };
    outputs.iter().zip(near_side.iter().zip(far_side)).filter_map(kink).collect()
}

/// A jump is what neither of the two slopes, nor any mixture of them, explains.
fn kind(values: [f64; 2], slopes: [f64; 2], width: f64, (noise, slight): (f64, f64)) -> KinkKind {
    let change = values[1] - values[0];
    let explained = slopes.map(|slope| slope * width);
    let (low, high) = (explained[0].min(explained[1]), explained[0].max(explained[1]));
    let size = low.abs().max(high.abs());
    let rounding = noise.max(1e-13) * values[0].abs().max(values[1].abs()).max(1e-3);
    let beyond = (low - change).max(change - high).max(0.0);
    if beyond > 0.1 * size + 10.0 * rounding {
        KinkKind::Jump
    } else if (slopes[0] - slopes[1]).abs() > slight.max(SAME * slopes[0].abs().max(slopes[1].abs())) {
        KinkKind::Bend
    } else {
        KinkKind::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient::locate::beside;

    /// The kink at `distance` of a result with these values beside it and slopes, before and after it.
    fn kink(distance: f64, values: [f64; 2], slopes: [f64; 2]) -> Kink {
        let mut nearest = Nearest::default();
        (nearest.distance, nearest.kind) = (distance, Some(MarginKind::Contact));
        let changes = beside(distance);
        let before = usize::from(changes[0] > distance);
        let side = |place: usize, change: f64| (change, vec![Some((values[place], slopes[place]))]);
        let sides = [side(before, changes[0]), side(1 - before, changes[1])];
        let outputs = ["final_x".to_owned()];
        let along = Along { outputs: &outputs, wrt: Input::Friction, size: 0.5 };
        let kinks = kinks_of(StepperName::HYBRID, along, &nearest, &sides, 0.0);
        kinks.into_iter().next().expect("there is one")
    }

    #[test]
    fn a_kink_is_a_jump_a_bend_or_nothing() {
        let kind = |values, slopes| kink(1.0, values, slopes).kind;
        // Over the width 0.04 a slope of 2 explains 0.08, and one of 3 explains 0.12.
        assert_eq!(kind([1.0, 1.08], [2.0, 2.0]), KinkKind::None);
        assert_eq!(kind([1.0, 1.08], [2.0, 2.003]), KinkKind::None);
        assert_eq!(kind([1.0, 1.08], [2.0, 2.005]), KinkKind::Bend);
        assert_eq!(kind([1.0, 1.1], [2.0, 3.0]), KinkKind::Bend);
        assert_eq!(kind([1.0, 1.06], [2.0, 3.0]), KinkKind::Jump);
        assert_eq!(kind([1.0, 1.14], [2.0, 3.0]), KinkKind::Jump);
        assert_eq!(kind([1.0, 0.92], [2.0, 2.0]), KinkKind::Jump);
        assert_eq!(kind([1.0, 1.0], [0.0, 0.0]), KinkKind::None);
        // Neither of the slopes is anything.
        assert_eq!(kind([1.0, 1.0], [1e-17, -3e-17]), KinkKind::None);
        assert_eq!(kind([1.0, 1.0], [0.0, 1e-9]), KinkKind::None);
        assert_eq!(kind([1.0, 1.0], [0.0, 3e-9]), KinkKind::Bend);
        assert_eq!(kind([1.0, 1.0 + 1e-9], [0.0, 0.0]), KinkKind::Jump);
    }

    #[test]
    fn left_is_where_the_input_is_smaller() {
        let above = kink(1.0, [1.0, 1.1], [2.0, 3.0]);
        assert_eq!((above.left, above.right), (2.0, 3.0));
        let below = kink(-1.0, [1.1, 1.0], [3.0, 2.0]);
        assert_eq!((below.left, below.right), (3.0, 2.0));
    }
}
