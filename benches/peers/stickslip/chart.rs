//! The bar chart of a finished session.

use std::{error::Error, fs, path::Path};

use serde::Deserialize;
use stickslip::plot::{Axis, Colour, bars, palette};

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
    rows: Vec<Row>,
}

#[derive(Debug, Deserialize)]
struct Row {
    label: String,
    program: String,
    median_us: f64,
}

/// Writes `peers.svg` and `peers.png` into `folder`.
pub fn draw(results: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let results: Results = serde_json::from_str(&fs::read_to_string(results)?)?;
    let named: Vec<(String, f64, Colour)> = results
        .items
        .iter()
        .flat_map(|item| item.rows.iter().map(|row| (item.title.as_str(), row)))
        .map(|(title, row)| {
            let colour = if row.program == "stickslip" { palette::BLUE } else { palette::ORANGE };
            (format!("{title}: {}", row.label), row.median_us, colour)
        })
        .collect();
    let time = Axis::new("processor time", "μs").log();
    let mut figure = bars("The same work in stickslip (blue) and in other programs (orange)", time, &named);
    figure.caption = format!("{}, {}", results.machine.processor, results.date);
    figure.write_svg(&folder.join("peers.svg"))?;
    figure.write_png(&folder.join("peers.png"))?;
    Ok(())
}
