//! Whether the forces of measured steps are those that made their velocities.

use super::{data::BlockSample, input::BlockData};
use crate::decimal::rounded;

/// Share of the largest number of the data that rounding may be off by.
const ROUNDING: f64 = 1e-5;

/// What is said of measured steps whose velocities are not `v_next = v + u + lambda_plus - lambda_minus`; `None` of others,
/// and of generated ones.
pub(super) fn contradiction(data: &BlockData) -> Option<String> {
    if data.generator.is_some() { None } else { contradiction_of(&data.samples) }
}

fn contradiction_of(samples: &[BlockSample]) -> Option<String> {
    let mut largest = 0.0_f64;
    let mut misses = Vec::with_capacity(samples.len());
    for sample in samples {
        let lambda = sample.lambda?;
        let numbers = [sample.velocity, sample.push, sample.next_velocity, lambda.x, lambda.y];
        largest = numbers.into_iter().fold(largest, |most, number| most.max(number.abs()));
        misses.push((sample.free_velocity() + lambda.x - lambda.y - sample.next_velocity).abs());
    }
    let count = misses.iter().filter(|miss| **miss > ROUNDING * largest).count();
    let (place, most) = misses.into_iter().enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (count > 0).then(|| {
        format!(
            "the forces are not those that made the velocities: v + u + lambda_plus - lambda_minus is not v_next in \
             {count} of {} steps, and {} m/s off it in step {}; look at units and signs",
            samples.len(),
            rounded(most, 3),
            place + 1
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::data::BlockGenerator;

    #[test]
    fn forces_that_did_not_make_the_velocities_are_told_with_the_worst_step() {
        let mut samples = BlockGenerator::default().generate(20, 1);
        assert_eq!(contradiction_of(&samples), None);
        samples[4].next_velocity += 50.0;
        let told = contradiction_of(&samples).expect("a contradiction");
        assert!(told.contains("in 1 of 20 steps, and 50 m/s off it in step 5"), "{told}");
    }
}
