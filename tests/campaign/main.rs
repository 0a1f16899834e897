//! A campaign that looks for faults by chance: random worlds and what must hold of them, damaged files and
//! requests, and disturbed commands. It runs as long as it is told to:
//!
//! ```sh
//! make campaign HOURS=2
//! ```
//!
//! It prints the one seed that everything follows from (`STICKSLIP_CAMPAIGN_SEED`). What it finds is made as
//! small as possible and written to `target/campaign/`, in files that say how to see it again.

mod balance;
mod budget;
mod damage;
mod disturbances;
mod finds;
mod injection;
mod invariants;
mod licences;
mod linked_worlds;
#[path = "../meaningful_pieces/mod.rs"]
mod meaningful_pieces;
mod mechanisms;
mod mended;
mod metamorphic;
mod requests;
mod shrink;
mod worlds;

use budget::Budget;
use finds::Finds;

/// Share of the time that each part gets; the rest is for the commands.
const WORLDS: f64 = 0.6;
const DAMAGE: f64 = 0.05;
const REQUESTS: f64 = 0.05;

#[test]
#[ignore = "a campaign: five minutes, or as long as STICKSLIP_CAMPAIGN_HOURS says"]
fn nothing_is_found() {
    let budget = Budget::from_environment();
    println!("seed {}, {:.2} hours", budget.seed, budget.hours());
    let mut finds = Finds::new("target/campaign");
    let worlds = worlds::campaign(&budget.share(0, WORLDS), &mut finds);
    println!("{worlds}");
    let damage = damage::campaign(&budget.share(1, DAMAGE), &mut finds);
    println!("{damage}");
    let requests = requests::campaign(&budget.share(3, REQUESTS), &mut finds);
    println!("{requests}");
    let disturbances = disturbances::campaign(&budget.share(2, 1.0 - WORLDS - DAMAGE - REQUESTS), &mut finds);
    println!("{disturbances}");
    finds.assert_none();
}

/// So few of everything that it belongs to the tests of every day: that the campaign itself works, and finds
/// nothing at once.
#[test]
fn a_first_look_finds_nothing() {
    let mut finds = Finds::new("target/campaign");
    let budget = Budget::rounds(1, 12);
    worlds::campaign(&budget, &mut finds);
    damage::campaign(&budget, &mut finds);
    requests::campaign(&budget, &mut finds);
    finds.assert_none();
}

/// Looks again at one find: `STICKSLIP_CAMPAIGN_REPLAY` is the file of a world.
#[test]
#[ignore = "asks for a file in STICKSLIP_CAMPAIGN_REPLAY"]
fn a_find_is_seen_again() {
    let file = std::env::var("STICKSLIP_CAMPAIGN_REPLAY").expect("STICKSLIP_CAMPAIGN_REPLAY names a file");
    let text = std::fs::read_to_string(&file).expect("a file that can be read");
    let faults = worlds::look_again(&text);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    println!("all invariants hold");
}
