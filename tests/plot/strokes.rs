//! The strokes of a picture, as its SVG has them.

use stickslip::plot::{Figure, Point, Style};

/// Coordinates of the SVG per unit of the layout.
const SUBUNITS: f64 = 32.0;

/// A line of a picture in units of its layout.
#[derive(Debug, Clone)]
pub struct Stroke {
    colour: String,
    width: String,
    pub points: Vec<Point>,
}

impl Stroke {
    pub fn has_style(&self, style: &Style) -> bool {
        let (red, green, blue) = style.colour;
        self.colour == format!("#{red:02x}{green:02x}{blue:02x}")
            && self.width == format!("{}", (SUBUNITS * style.width).round())
    }
}

/// All lines of a picture, in the order in which they are drawn.
pub fn strokes(figure: &Figure) -> Vec<Stroke> {
    let svg = figure.to_svg().unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let paths = document.descendants().filter_map(|node| {
        Some((node.attribute("stroke")?, node.attribute("stroke-width")?, node.attribute("d")?))
    });
    let strokes = paths.flat_map(|(colour, width, data)| {
        let lines = data.split('M').skip(1).map(line);
        lines.map(|points| Stroke { colour: colour.to_owned(), width: width.to_owned(), points })
    });
    strokes.collect()
}

/// The points of `x yl dx dy dx dy`.
fn line(data: &str) -> Vec<Point> {
    let (start, steps) = data.trim_end_matches('z').split_once('l').unwrap();
    let mut points = numbers(start);
    for [dx, dy] in numbers(steps) {
        let [x, y] = points[points.len() - 1];
        points.push([x + dx, y + dy]);
    }
    points
}

fn numbers(text: &str) -> Vec<Point> {
    let text = text.replace('-', " -");
    let numbers: Vec<f64> =
        text.split_whitespace().map(|word| word.parse::<f64>().unwrap() / SUBUNITS).collect();
    numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}
