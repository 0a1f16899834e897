//! Scenarios of many bodies, as TOML on standard output.
//!
//! ```sh
//! cargo run --release --example large_scene -- wall 400 > wall.toml
//! stickslip run wall.toml --no-plots --every 100
//! ```

mod scenes;

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [kind, count] = arguments.as_slice() else {
        eprintln!("usage: large_scene wall|discs|tower|cubes|gable|chain|table|polyhedra COUNT");
        return ExitCode::FAILURE;
    };
    let Ok(count) = count.parse() else {
        eprintln!("COUNT: `{count}` is not a number of bodies");
        return ExitCode::FAILURE;
    };
    let scene = match kind.as_str() {
        "wall" => scenes::wall(count),
        "discs" => scenes::discs(count),
        "tower" => scenes::tower(count),
        "cubes" => scenes::cubes(count),
        "gable" => scenes::gable(count),
        "chain" => scenes::chain(count),
        "table" => scenes::table(count),
        "polyhedra" => scenes::polyhedra(count),
        _ => {
            eprintln!(
                "there is no scene `{kind}`: wall, discs, tower, cubes, gable, chain, table and polyhedra are there"
            );
            return ExitCode::FAILURE;
        }
    };
    print!("{scene}");
    ExitCode::SUCCESS
}
