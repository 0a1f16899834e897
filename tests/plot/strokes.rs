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

/// The points of `x yl dx dy dx dyh dxv dy`.
fn line(data: &str) -> Vec<Point> {
    let data = data.trim_end_matches('z');
    let begins = |(place, letter): (usize, char)| letter.is_ascii_alphabetic().then_some(place);
    let commands: Vec<usize> = data.char_indices().filter_map(begins).chain([data.len()]).collect();
    let start = numbers(&data[..commands[0]]);
    let mut points = vec![[start[0], start[1]]];
    for command in commands.windows(2) {
        let (letter, steps) = data[command[0]..command[1]].split_at(1);
        let steps = numbers(steps);
        let steps: Vec<Point> = match letter {
            "h" => steps.into_iter().map(|dx| [dx, 0.0]).collect(),
            "v" => steps.into_iter().map(|dy| [0.0, dy]).collect(),
            "l" => steps.chunks_exact(2).map(|step| [step[0], step[1]]).collect(),
            other => panic!("no line has the command {other}: {data}"),
        };
        for [dx, dy] in steps {
            let [x, y] = points[points.len() - 1];
            points.push([x + dx, y + dy]);
        }
    }
    points
}

fn numbers(text: &str) -> Vec<f64> {
    let text = text.replace('-', " -");
    text.split_whitespace().map(|word| word.parse::<f64>().unwrap() / SUBUNITS).collect()
}
