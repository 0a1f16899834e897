//! Figures for papers: their size, their panels, their files.

use std::path::Path;

use clap::Args;
use stickslip::{
    atomic_file::write_atomically,
    plot::{Figure, PrintSize},
    scenario::Scenario,
};

use super::{error::CliError, interrupt};

/// What the names of the files of a figure end with, after its own name.
pub const ENDINGS: [&str; 4] = [".svg", ".png", ".pdf", "-data.csv"];

/// Widths in mm and sizes of type in points that make a figure.
const WIDTHS: std::ops::RangeInclusive<f64> = 30.0..=1000.0;
const FONTS: std::ops::RangeInclusive<f64> = 3.0..=40.0;
/// Least width over the size of type: below, the labels leave no room for the data.
const LEAST_PROPORTION: f64 = 5.0;

/// Panels of a history, in their order.
const PANELS: [&str; 15] =
    ["x", "y", "z", "vx", "vy", "vz", "angle", "spin", "omega", "fx", "fy", "fz", "s1", "s2", "lambda"];

/// How large figures are in print.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Figures")]
pub struct FigureSize {
    /// Width in print: single (88 mm, a column), double (180 mm, both columns) or a number of mm
    #[arg(long, value_name = "WIDTH", value_parser = parse_width)]
    figure_width: Option<f64>,
    /// Size of the type of the numbers at the axes in points [default: 6.24]; lines grow with it
    #[arg(long, value_name = "POINTS", value_parser = parse_font)]
    font_size: Option<f64>,
    /// Leave out the titles of figures, which a paper says in captions of its own
    #[arg(long)]
    no_title: bool,
}

/// How figures are made.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Figures")]
pub struct FigureArguments {
    #[command(flatten)]
    size: FigureSize,
    /// Panels of the history to draw, separated by commas, for example x,vx,fx,fz [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES", value_parser = parse_panel)]
    panels: Vec<&'static str>,
}

fn parse_width(text: &str) -> Result<f64, String> {
    match text {
        "single" => Ok(PrintSize::SINGLE_COLUMN),
        "double" => Ok(PrintSize::DOUBLE_COLUMN),
        _ => number(text, "single, double or a number of mm", WIDTHS),
    }
}

fn parse_font(text: &str) -> Result<f64, String> {
    number(text, "a number of points", FONTS)
}

fn number(text: &str, what: &str, range: std::ops::RangeInclusive<f64>) -> Result<f64, String> {
    let value: Option<f64> = text.parse().ok();
    let value = value.filter(|value| range.contains(value));
    value.ok_or_else(|| format!("has to be {what} from {} to {}", range.start(), range.end()))
}

fn parse_panel(text: &str) -> Result<&'static str, String> {
    let name = text.trim().to_lowercase();
    let panel = PANELS.into_iter().find(|panel| *panel == name);
    panel.ok_or_else(|| format!("no such panel; there are {}", PANELS.join(", ")))
}

impl FigureSize {
    /// The size in print.
    fn print(&self) -> PrintSize {
        let usual = PrintSize::default();
        PrintSize {
            width: self.figure_width.unwrap_or(usual.width),
            font: self.font_size.unwrap_or(usual.font),
        }
    }

    /// Refuses what could not be drawn, before anything runs.
    pub fn check(&self, has_pictures: bool) -> Result<(), CliError> {
        if !has_pictures && (self.figure_width.is_some() || self.font_size.is_some() || self.no_title) {
            return Err(CliError::input(
                "--no-plots leaves out the figures that --figure-width, --font-size and --no-title are about",
                "leave out --no-plots, or these",
            ));
        }
        let PrintSize { width, font } = self.print();
        let least = LEAST_PROPORTION * font;
        if width < least {
            return Err(CliError::input(
                format!("a figure of {width} mm has no room for data beside type of {font} points"),
                format!("--figure-width {} or more, or a smaller --font-size", least.ceil()),
            ));
        }
        Ok(())
    }

    /// A figure in its size.
    pub fn apply(&self, mut figure: Figure) -> Figure {
        figure.print = self.print();
        figure.hides_title = self.no_title;
        figure
    }
}

impl FigureArguments {
    /// Refuses what could not be done for a scenario, before anything runs. Only a run `has_multipliers` to draw.
    pub fn check<const D: usize>(
        &self,
        scenario: &Scenario<D>,
        has_multipliers: bool,
        has_pictures: bool,
    ) -> Result<(), CliError> {
        if !has_pictures && !self.panels.is_empty() {
            return Err(CliError::input(
                "--no-plots leaves out the figures that --panels is about",
                "leave out --no-plots, or this",
            ));
        }
        self.size.check(has_pictures)?;
        let turns = scenario.has_turning_bodies();
        let drawn = |panel: &str| match panel {
            "y" | "vy" | "fy" => D > 2,
            "angle" | "spin" => turns && D == 2,
            "omega" => turns && D > 2,
            "s1" | "s2" | "lambda" => has_multipliers,
            _ => true,
        };
        match self.panels.iter().find(|panel| !drawn(panel)) {
            None => Ok(()),
            Some(panel) => {
                let there = PANELS.into_iter().filter(|panel| drawn(panel)).collect::<Vec<_>>();
                Err(CliError::input(
                    format!("--panels {panel}: the history of `{}` has no such panel", scenario.name),
                    format!("it has {}", there.join(", ")),
                ))
            }
        }
    }

    /// A figure in its size, of the history with its panels.
    pub fn apply(&self, name: &str, figure: Figure) -> Figure {
        let mut figure = self.size.apply(figure);
        if name == "history" && !self.panels.is_empty() {
            figure.panels.retain(|panel| self.panels.contains(&panel_name(&panel.y.label).as_str()));
        }
        figure
    }
}

/// The name of a panel by the label of its axis: `vx` for `*v*_{*x*}`.
fn panel_name(label: &str) -> String {
    let letters: String = label.chars().filter(|letter| letter.is_alphanumeric()).collect();
    match letters.as_str() {
        "λ" => "lambda".to_owned(),
        "ω" => "omega".to_owned(),
        _ => letters.to_lowercase(),
    }
}

/// The names of the files of a figure.
pub fn files_of(name: &str) -> [String; ENDINGS.len()] {
    ENDINGS.map(|ending| format!("{name}{ending}"))
}

/// Writes a figure in all its forms, until the user interrupts: as SVG, PNG and PDF, and what it shows as CSV. Gives
/// the names of the files.
pub fn write_figure(folder: &Path, name: &str, figure: &Figure) -> Result<Vec<String>, CliError> {
    let mut written = Vec::new();
    for ending in ENDINGS {
        if interrupt::requested() {
            break;
        }
        let file_name = format!("{name}{ending}");
        let file = folder.join(&file_name);
        match ending {
            ".svg" => figure.write_svg(&file)?,
            ".png" => figure.write_png(&file)?,
            ".pdf" => figure.write_pdf(&file)?,
            _ => write_atomically(&file, |out| figure.write_csv(out))?,
        }
        written.push(file_name);
    }
    Ok(written)
}

/// The names of files with those of one figure taken together: `history.{svg,png,pdf}`.
pub fn grouped(names: &[String]) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for name in names {
        let split = ENDINGS.iter().find_map(|ending| Some((name.strip_suffix(ending)?, *ending)));
        match (split, groups.last_mut()) {
            (Some((stem, ending)), Some((last, endings))) if *last == stem => endings.push(ending),
            (Some((stem, ending)), _) => groups.push((stem, vec![ending])),
            (None, _) => groups.push((name, Vec::new())),
        }
    }
    let group = |(stem, endings): &(&str, Vec<&str>)| match endings.as_slice() {
        [] => (*stem).to_owned(),
        [only] => format!("{stem}{only}"),
        several => format!("{stem}{{{}}}", several.join(",")),
    };
    groups.iter().map(group).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_figure_are_named_together() {
        let names =
            ["summary.json", "path.svg", "path.png", "path-data.csv", "energy.svg"].map(str::to_owned);
        assert_eq!(grouped(&names), "summary.json, path{.svg,.png,-data.csv}, energy.svg");
    }

    #[test]
    fn panels_are_called_as_columns_are() {
        for (label, name) in
            [("*x*", "x"), ("*v*_{*x*}", "vx"), ("*F*_{*z*}", "fz"), ("|*s*_{1}|", "s1"), ("*λ*", "lambda")]
        {
            assert_eq!(panel_name(label), name);
            assert!(PANELS.contains(&name));
        }
    }
}
