use stickslip::learn::data::PointGenerator;

use crate::support::root_mean_square;

const EXACT: PointGenerator = PointGenerator {
    friction: 0.4,
    restitution: 0.5,
    gravity: 9.81,
    step: 0.01,
    duration: 1.0,
    velocity_noise: 0.0,
    position_noise: 0.0,
};

#[test]
fn throws_fly_freely_where_no_contact_is_flagged() {
    for throw in EXACT.generate(20, 1).tosses {
        for pair in throw.states.windows(2).filter(|pair| pair[0].contact == Some(false)) {
            let [before, after] = [pair[0].state.velocity, pair[1].state.velocity];
            assert_eq!(after.x, before.x);
            assert!((after.y - before.y + 0.0981).abs() < 1e-12);
        }
    }
}

#[test]
fn throws_end_up_on_the_ground_and_never_below_it() {
    for throw in EXACT.generate(20, 1).tosses {
        assert!(throw.states.iter().all(|row| row.state.position.y >= -1e-12));
        assert!(throw.states.iter().any(|row| row.contact == Some(true)), "a throw of 1 s comes down");
        assert_eq!(throw.states.len(), 101);
    }
}

#[test]
fn noise_has_the_size_that_is_asked_for() {
    let noisy = PointGenerator { velocity_noise: 0.02, position_noise: 0.01, ..EXACT }.generate(100, 1);
    // At rest on the ground the height is nothing but noise.
    let rows = noisy.tosses.iter().flat_map(|throw| &throw.states);
    let resting = rows.filter(|row| row.contact == Some(true) && row.time > 0.9);
    let heights: Vec<f64> = resting.map(|row| row.state.position.y).collect();
    assert!(heights.len() > 100, "{} states at rest", heights.len());
    let deviation = root_mean_square(&heights);
    assert!((deviation - 0.01).abs() < 0.001, "heights: {deviation}");
    let pairs = noisy.tosses.iter().flat_map(|throw| throw.states.windows(2));
    let flights = pairs.filter(|pair| pair[0].contact == Some(false));
    let changes: Vec<f64> = flights.map(|pair| pair[1].state.velocity.x - pair[0].state.velocity.x).collect();
    let deviation = root_mean_square(&changes);
    assert!((deviation / 2_f64.sqrt() - 0.02).abs() < 0.002, "velocities: {deviation}");
}

#[test]
fn a_seed_gives_the_same_throws_every_time() {
    let generator = PointGenerator::default();
    assert_eq!(generator.generate(3, 7), generator.generate(3, 7));
    assert_ne!(generator.generate(3, 7), generator.generate(3, 8));
}
