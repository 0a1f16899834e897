//! Errors that rise and fall from value to value: what is left of whole throws through several impacts.
//!
//! A body that lands a little otherwise goes on elsewhere. After two or three impacts the error of a throw has many minima
//! as a function of friction and restitution, the deepest of which is chance; no search finds it, and no interval holds.

use crate::likelihood::{Interrupted, Loss, Losses, Tried};

/// Places to either side that are looked at, and how far they are apart as a share of the range.
const PLACES: i32 = 4;
const APART: f64 = 5e-3;
/// Turns from falling to rising or back from which on the error is rough; one belongs to any minimum.
const TURNS: usize = 3;
/// Share of the error by which it has to go up and down beyond what leads to one minimum and away from it.
const HIGH: f64 = 0.01;
/// Share of the error below which a difference is none.
const NOTHING: f64 = 1e-3;

/// How rough the error is along a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Roughness {
    /// The parameter.
    pub key: String,
    /// The values between which it was looked at.
    pub between: [f64; 2],
    /// How often the error turns there.
    pub turns: usize,
    /// By how much it goes up and down in vain, over the error.
    pub height: f64,
}

/// How rough the mean error is along the parameter at `index` about a place; `None` where it is not.
pub(super) fn roughness<L: Loss>(
    losses: &mut Losses<L>,
    about: &Tried,
    (index, key): (usize, &str),
) -> Result<Option<Roughness>, Interrupted> {
    let middle = losses.share(index, about.parameters[index]);
    // Inside the range.
    let reach = APART * f64::from(PLACES);
    let middle = middle.clamp(reach, 1.0 - reach);
    let mut line = Vec::new();
    for place in -PLACES..=PLACES {
        let mut parameters = about.parameters.clone();
        parameters[index] = losses.value_at(index, middle + APART * f64::from(place));
        let error = losses.evaluate(&parameters)?.mean();
        line.push((parameters[index], error));
    }
    let (turns, height) = turns_and_height(&line.iter().map(|(_, error)| *error).collect::<Vec<_>>());
    let is_rough = turns >= TURNS && height > HIGH;
    Ok(is_rough.then(|| Roughness {
        key: key.to_owned(),
        between: [line[0].0, line[line.len() - 1].0],
        turns,
        height,
    }))
}

/// How often values turn, and how far they go beyond the way down to the least and up again, over their mean; nothing where
/// one of them is not finite.
fn turns_and_height(values: &[f64]) -> (usize, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return (0, 0.0) };
    if !(mean.is_finite() && mean > 0.0) {
        return (0, 0.0);
    }
    let steps = values.windows(2).map(|pair| pair[1] - pair[0]);
    let way: f64 = steps.clone().map(f64::abs).sum();
    let seen: Vec<f64> = steps.filter(|step| step.abs() > NOTHING * mean).collect();
    let turns = seen.windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count();
    (turns, 0.5 * (way - (first - least) - (last - least)) / mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_valley_is_not_rough_and_several_are() {
        let valley: Vec<f64> = (-4..=4).map(|place| 1.0 + 0.01 * f64::from(place * place)).collect();
        let (turns, height) = turns_and_height(&valley);
        assert!(turns == 1 && height.abs() < 1e-12, "{turns} {height}");
        let slope: Vec<f64> = (0..9).map(f64::from).map(|place| 1.0 + place).collect();
        assert_eq!(turns_and_height(&slope).0, 0);
        let rough = [1.0, 1.2, 0.9, 1.1, 1.0, 1.3, 0.8, 1.2, 1.0];
        let (turns, height) = turns_and_height(&rough);
        assert!(turns == 7 && height > 0.5, "{turns} {height}");
        assert_eq!(turns_and_height(&[1.0, f64::INFINITY, 1.0]), (0, 0.0));
    }
}
