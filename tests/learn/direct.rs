use crate::support::{learn, measure};

fn sticking_shares(seed: u64) -> Vec<f64> {
    let findings = learn("direct", 200, seed, &[]);
    let penalties = findings.measures["penalties"].as_array().expect("a list");
    penalties.iter().map(|penalty| penalty["sticking_share"].as_f64().expect("a share")).collect()
}

#[test]
fn show() {
    for seed in 0..10 {
        let f = learn("direct", 200, seed, &[]);
        println!(
            "{} {:?} train {} err {} rank {}",
            measure(&f, "linear_residual_rms"),
            sticking_shares(seed),
            measure(&f, "training_rms"),
            f.error,
            measure(&f, "rank")
        );
        let f = learn("direct", 300, seed, &[]);
        println!(
            "     300 train {} err {} rank {}",
            measure(&f, "training_rms"),
            f.error,
            measure(&f, "rank")
        );
    }
}
