//! How far chance takes the sum of independent differences from zero, by flipping their signs.
//!
//! Where every difference is as likely to be positive as negative by as much, the sums with all choices of the signs are
//! equally likely, however much larger some differences are than others (Fisher 1935; of the scores of a model Hemerik, Goeman
//! and Finos 2020). Student's t has the differences be of one size: where a few throws say most of what is known it hardly
//! ever rules out anything, as the largest difference is in the spread that it is held against.

use super::LEVEL;
use crate::random::Random;

/// Differences up to which all choices of their signs are looked at, and how many choices are of more.
const ALL: usize = 12;
const CHOICES: usize = 1 << ALL;
/// The choices of signs are the same in every fit.
const SEED: u64 = 1;
/// Relative difference of sums that is rounding.
const ALIKE: f64 = 1e-12;

/// Choices of the signs of differences.
#[derive(Debug, Clone)]
pub(super) struct SignFlips {
    /// By choices; one of two opposite ones, the first of which leaves all as they are.
    signs: Vec<Vec<bool>>,
}

impl SignFlips {
    /// Of so many differences.
    pub fn of(count: usize) -> Self {
        if count <= ALL {
            let choices = 0..1_usize << count.saturating_sub(1);
            return Self {
                signs: choices.map(|one| (0..count).map(|k| one >> k & 1 == 1).collect()).collect(),
            };
        }
        let mut random = Random::seeded(SEED);
        let mut signs = vec![vec![false; count]];
        signs.resize_with(CHOICES, || (0..count).map(|_| random.below(2) == 1).collect());
        Self { signs }
    }

    /// The sum, either way, that as few choices exceed as [`LEVEL`] leaves; `None` where even differences of one sign do not
    /// exceed it, as there are too few that are not zero.
    pub fn exceeded_by_few(&self, differences: &[f64]) -> Option<f64> {
        let few = ((1.0 - LEVEL) * self.signs.len() as f64 + 1e-9) as usize;
        let sum = |flipped: &Vec<bool>| {
            let signed =
                flipped.iter().zip(differences).map(|(&flipped, one)| if flipped { -one } else { *one });
            signed.sum::<f64>().abs()
        };
        let mut sums: Vec<f64> = self.signs.iter().map(sum).collect();
        let exceeded = *sums.select_nth_unstable_by(few, |a, b| b.total_cmp(a)).1 * (1.0 + ALIKE);
        let largest: f64 = differences.iter().map(|one| one.abs()).sum();
        (exceeded < largest).then_some(exceeded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likelihood::quantile;

    #[test]
    fn six_differences_of_one_sign_exceed_what_five_do_not() {
        for count in [1, 3, 5] {
            assert_eq!(SignFlips::of(count).exceeded_by_few(&vec![1.0; count]), None, "{count}");
        }
        let differences = [5.0, 1.0, 0.5, 0.1, 2.0, 1.0];
        let exceeded = SignFlips::of(6).exceeded_by_few(&differences).expect("one choice of 32 is few");
        assert!((exceeded - 9.4).abs() < 1e-9, "all but the smallest of one sign: {exceeded}");
        // What is zero says nothing, whatever its sign.
        assert_eq!(SignFlips::of(6).exceeded_by_few(&[5.0, 1.0, 0.5, 0.0, 2.0, 1.0]), None);
    }

    /// Some throws say thirty times as much as others, as where some slide and most stick.
    #[test]
    fn chance_exceeds_it_once_in_twenty_times_however_much_sizes_differ() {
        const SETS: usize = 2000;
        for count in [8, 20] {
            let flips = SignFlips::of(count);
            let mut random = Random::seeded(7);
            let mut beyond = [0; 2];
            for _ in 0..SETS {
                let differences: Vec<f64> =
                    (0..count).map(|_| random.normal(1.0) * random.normal(1.7).exp()).collect();
                let sum: f64 = differences.iter().sum();
                let spread: f64 = differences.iter().map(|one| (one - sum / count as f64).powi(2)).sum();
                let freedom = count as f64 - 1.0;
                let student = sum.abs() / (spread * count as f64 / freedom).sqrt();
                let exceeded = flips.exceeded_by_few(&differences).expect("there are enough");
                beyond[0] += usize::from(sum.abs() > exceeded);
                beyond[1] += usize::from(student > quantile(freedom));
            }
            let [flipped, student] = beyond.map(|times| times as f64 / SETS as f64);
            assert!((0.035..0.065).contains(&flipped), "{count}: {flipped}");
            assert!(student < 0.03, "{count}: {student}, and there would be no need for it");
        }
    }
}
