//! Contact models side by side on one throw, in words and as a picture.
//!
//! `cargo run --release --example side_by_side`

use std::path::Path;

use stickslip::{
    compare::{Comparison, default_families, paragraph},
    plot::{Series, history_overlay},
    scenario::{Body, Ground, Scenario},
    simulate::OnFailure,
    watch::Watch,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scenario = Scenario {
        duration: 1.2,
        bodies: vec![Body::point(10.0, [0.0, 1.0], [1.0, 0.0])],
        ground: Ground { friction: 0.1, ..Ground::default() },
        ..Scenario::new("throw")
    };
    let comparison =
        Comparison::run(&scenario, &default_families(&scenario), OnFailure::Stop, &Watch::none());
    for entry in &comparison.entries {
        println!("{}\n  {}\n", entry.trajectory.stepper, paragraph(entry, comparison.truth.as_ref()));
    }
    let series = Series::of_steppers(&comparison.trajectories());
    std::fs::create_dir_all("output/examples")?;
    history_overlay(&series).write_svg(Path::new("output/examples/side-by-side.svg"))?;
    Ok(())
}
