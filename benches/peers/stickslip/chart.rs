//! The bar chart of a finished session.

use std::{error::Error, fs, path::Path};

use serde::Deserialize;
use stickslip::plot::{Axis, Colour, Figure, Panel, bars, palette};

/// The part of the session's results that the chart shows.
#[derive(Debug, Deserialize)]
struct Results {
    date: String,
    machine: Machine,
    items: Vec<Item>,
}

#[derive(Debug, Deserialize)]
struct Machine {
    processor: String,
}

#[derive(Debug, Deserialize)]
struct Item {
    title: String,
    unit: String,
    rows: Vec<Row>,
}

#[derive(Debug, Deserialize)]
struct Row {
    label: String,
    program: String,
    median_us: f64,
}

/// Writes `peers.svg` and `peers.png` into `folder`: a panel per item, with an axis of its own.
pub fn draw(results: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let results: Results = serde_json::from_str(&fs::read_to_string(results)?)?;
    let mut figure = Figure::new("The same work in stickslip (blue) and in other programs (orange)");
    figure.caption = format!("median processor time; {}, {}", results.machine.processor, results.date);
    for item in &results.items {
        figure.panels.extend(panel_of(item));
    }
    figure.write_svg(&folder.join("peers.svg"))?;
    figure.write_png(&folder.join("peers.png"))?;
    Ok(())
}

fn panel_of(item: &Item) -> Vec<Panel> {
    let named: Vec<(String, f64, Colour)> = item
        .rows
        .iter()
        .map(|row| {
            let colour = if row.program == "stickslip" { palette::BLUE } else { palette::ORANGE };
            (row.label.replace('`', ""), row.median_us, colour)
        })
        .collect();
    let least = named.iter().map(|bar| bar.1).fold(f64::INFINITY, f64::min);
    let most = named.iter().map(|bar| bar.1).fold(0.0, f64::max);
    if !(least > 0.0 && most.is_finite()) {
        return Vec::new(); // nobody took part
    }
    // Bars on a logarithmic axis need a common foot: a decade below the shortest, rounded.
    let foot = 10f64.powf(least.log10().floor() - 1.0);
    let label = format!("{}, per {}", item.title, item.unit);
    let time = Axis::new(label, "μs").log().range(foot, 2.0 * most);
    bars("", time, &named).panels
}
