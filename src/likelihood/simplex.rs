//! The minimum of a function without derivatives, in a box.

use super::search::Interrupted;

/// Gain of a restart, relative, that makes another one worthwhile.
const WORTHWHILE: f64 = 1e-4;
/// How a search goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Size of the first simplex, in shares of the box.
    pub size: f64,
    /// Most evaluations for each dimension.
    pub evaluations: usize,
    /// Width of the simplex, in shares of the box, at which the search ends.
    pub narrow: f64,
    /// Spread of the values over their mean at which it ends, where the middle of the simplex is no lower.
    pub flat: f64,
    /// Most times that it begins anew from what it found, with half the simplex.
    pub restarts: usize,
}

/// What the search came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Lowest {
    /// Where, in the unit box.
    pub place: Vec<f64>,
    /// The value there.
    pub value: f64,
    /// Whether the search came to an end; otherwise the evaluations ran out.
    pub converged: bool,
}

/// Searches the unit box by the simplex method (Nelder and Mead, Computer Journal 7, 1965), from a simplex at
/// `start`, anew from what it found as long as that is allowed and worthwhile. Values that are not finite are avoided.
pub fn descend(
    start: &[f64],
    effort: &Effort,
    mut function: impl FnMut(&[f64]) -> Result<f64, Interrupted>,
) -> Result<Lowest, Interrupted> {
    let mut evaluate = |place: &[f64]| -> Result<f64, Interrupted> {
        let value = function(&folded(place))?;
        Ok(if value.is_finite() { value } else { f64::INFINITY })
    };
    let first = evaluate(start)?;
    let mut best = (start.to_vec(), first);
    if start.is_empty() {
        return Ok(Lowest { place: best.0, value: first, converged: true });
    }
    let mut budget = effort.evaluations * start.len();
    for restart in 0..=effort.restarts {
        let before = best.1;
        let size = effort.size * 0.5_f64.powi(restart as i32);
        let (found, used) = once(&best, &Effort { size, ..*effort }, budget, &mut evaluate)?;
        budget = budget.saturating_sub(used);
        best = found;
        if budget == 0 {
            return Ok(Lowest { place: folded(&best.0), value: best.1, converged: false });
        }
        if restart > 0 && before - best.1 <= WORTHWHILE * best.1.abs() {
            break;
        }
    }
    Ok(Lowest { place: folded(&best.0), value: best.1, converged: true })
}

/// The place in the box that stands for one outside: the walls are mirrors. Were places moved onto the walls
/// instead, the simplex would fall flat on them and end there.
fn folded(place: &[f64]) -> Vec<f64> {
    let fold = |x: &f64| {
        let turn = x.rem_euclid(2.0);
        if turn > 1.0 { 2.0 - turn } else { turn }
    };
    place.iter().map(fold).collect()
}

type Vertex = (Vec<f64>, f64);

fn once(
    from: &Vertex,
    &Effort { size, narrow, flat, .. }: &Effort,
    budget: usize,
    evaluate: &mut impl FnMut(&[f64]) -> Result<f64, Interrupted>,
) -> Result<(Vertex, usize), Interrupted> {
    let count = from.0.len();
    let mut simplex = vec![from.clone()];
    let mut used = 0;
    for axis in 0..count {
        let mut place = from.0.clone();
        // Into the box.
        place[axis] += if place[axis] + size <= 1.0 { size } else { -size };
        let value = evaluate(&place)?;
        used += 1;
        simplex.push((place, value));
    }
    while used < budget {
        simplex.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (low, high) = (simplex[0].1, simplex[count].1);
        let width = (0..count)
            .map(|axis| {
                let values = || simplex.iter().map(|vertex| vertex.0[axis]);
                values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
            })
            .fold(0.0, f64::max);
        if width <= narrow {
            break;
        }
        if high - low <= flat * low.abs() {
            // On both sides of a minimum values are alike however far off they are: between them it shows.
            let middle: Vec<f64> = (0..count)
                .map(|axis| simplex.iter().map(|vertex| vertex.0[axis]).sum::<f64>() / (count + 1) as f64)
                .collect();
            let value = evaluate(&middle)?;
            used += 1;
            if value >= low - flat * low.abs() {
                break;
            }
            simplex[count] = (middle, value);
            continue;
        }
        let centre: Vec<f64> = (0..count)
            .map(|axis| simplex[..count].iter().map(|vertex| vertex.0[axis]).sum::<f64>() / count as f64)
            .collect();
        let worst = simplex[count].clone();
        let mut at = |share: f64| -> Result<Vertex, Interrupted> {
            let place: Vec<f64> = (centre.iter().zip(&worst.0))
                .map(|(centre, worst)| centre + share * (centre - worst))
                .collect();
            let value = evaluate(&place)?;
            used += 1;
            Ok((place, value))
        };
        let reflected = at(1.0)?;
        if reflected.1 < low {
            let farther = at(2.0)?;
            simplex[count] = if farther.1 < reflected.1 { farther } else { reflected };
        } else if reflected.1 < simplex[count - 1].1 {
            simplex[count] = reflected;
        } else {
            let nearer = if reflected.1 < worst.1 { at(0.5)? } else { at(-0.5)? };
            if nearer.1 < worst.1.min(reflected.1) {
                simplex[count] = nearer;
            } else {
                let best = simplex[0].0.clone();
                for vertex in &mut simplex[1..] {
                    for (value, best) in vertex.0.iter_mut().zip(&best) {
                        *value = best + 0.5 * (*value - best);
                    }
                    vertex.1 = evaluate(&vertex.0)?;
                    used += 1;
                }
            }
        }
    }
    let best = simplex.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_else(|| from.clone());
    Ok((best, used))
}

#[cfg(test)]
mod tests {
    use super::*;

    const THOROUGH: Effort = Effort { size: 0.3, evaluations: 1000, narrow: 1e-4, flat: 1e-9, restarts: 4 };

    #[test]
    fn a_crooked_valley_is_followed_to_its_end() {
        // Rosenbrock's function with its minimum at (0.6, 0.36).
        let valley = |place: &[f64]| -> Result<f64, Interrupted> {
            let [x, y] = [place[0] / 0.6, place[1] / 0.36];
            Ok((1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2))
        };
        let found = descend(&[0.05, 0.9], &Effort { size: 0.2, ..THOROUGH }, valley).unwrap();
        assert!(found.converged && found.value < 1e-6, "{found:?}");
        assert!((found.place[0] - 0.6).abs() < 1e-3 && (found.place[1] - 0.36).abs() < 1e-3, "{found:?}");
    }

    /// Two values that are alike are no flat bottom.
    #[test]
    fn a_kink_between_two_places_alike_is_found() {
        let kink = |place: &[f64]| -> Result<f64, Interrupted> { Ok((place[0] - 0.5).abs()) };
        let found = descend(&[0.48], &Effort { size: 0.04, restarts: 0, ..THOROUGH }, kink).unwrap();
        assert!((found.place[0] - 0.5).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn a_minimum_in_a_corner_of_the_box_and_places_without_value_are_no_obstacle() {
        let slope = |place: &[f64]| -> Result<f64, Interrupted> {
            Ok(if place[0] > 0.7 { f64::NAN } else { place[0] + (place[1] - 1.0).abs() + 1.0 })
        };
        let found = descend(&[0.5, 0.5], &THOROUGH, slope).unwrap();
        assert!(found.place[0] < 1e-3 && found.place[1] > 0.999, "{found:?}");
    }
}
