use std::fmt::Write as _;

use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle};

use super::{
    super::{font::Segment, theme::hexadecimal},
    SUBUNITS, glyphs,
    path_data::PathData,
    sheet::{Ink, Sheet},
};

/// An SVG document in the making. Lines of one style that follow each other (the dashes of a
/// curve, the lines of a grid) become one path; text becomes a path with the text as its label.
pub(in super::super) type Svg = Sheet<SvgInk>;

/// What is written so far.
pub(in super::super) struct SvgInk {
    size: (u32, u32),
    text: String,
    /// The path that the next line of the same style joins.
    open: Option<(Pen, PathData)>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Pen {
    rgb: (u8, u8, u8),
    alpha: f64,
    width: u32,
}

impl Svg {
    /// A document of `width` x `height` units of `unit` mm each, or of a pixel each; titled for readers that do not
    /// see it.
    pub(in super::super) fn new(width: f64, height: f64, unit: Option<f64>, title: &str) -> Self {
        let size = ((width * SUBUNITS).ceil() as u32, (height * SUBUNITS).ceil() as u32);
        let mut text = String::with_capacity(1 << 16);
        let length = |units: f64| match unit {
            Some(unit) => format!("{:.3}mm", units * unit),
            None => format!("{units:.0}"),
        };
        let (wide, high) = (length(width), length(height));
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" \
             viewBox=\"0 0 {} {}\" role=\"img\">\n<title>{}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
             <g fill=\"none\" stroke-linejoin=\"round\">\n",
            size.0,
            size.1,
            escape(title)
        );
        Sheet(SvgInk { size, text, open: None })
    }

    /// The finished document.
    pub(in super::super) fn finish(self) -> String {
        let Self(mut ink) = self;
        ink.close();
        ink.text.push_str("</g>\n</svg>\n");
        ink.text
    }
}

impl SvgInk {
    fn close(&mut self) {
        if let Some((pen, path)) = self.open.take() {
            let _ = writeln!(
                self.text,
                "<path stroke=\"{}\"{} stroke-width=\"{}\" d=\"{}\"/>",
                hexadecimal(pen.rgb),
                opacity("stroke", pen.alpha),
                pen.width,
                path.as_str()
            );
        }
    }

    fn fill_path(&mut self, color: BackendColor, attributes: &str, path: &PathData) {
        self.close();
        let _ = writeln!(
            self.text,
            "<path{attributes} fill=\"{}\"{} d=\"{}\"/>",
            hexadecimal(color.rgb),
            opacity("fill", color.alpha),
            path.as_str()
        );
    }
}

fn opacity(what: &str, alpha: f64) -> String {
    if alpha >= 1.0 { String::new() } else { format!(" {what}-opacity=\"{alpha:.3}\"") }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl Ink for SvgInk {
    fn size(&self) -> (u32, u32) {
        self.size
    }

    fn stroke(
        &mut self,
        style: &impl BackendStyle,
        points: impl IntoIterator<Item = BackendCoord>,
        is_closed: bool,
    ) {
        let BackendColor { rgb, alpha } = style.color();
        let pen = Pen { rgb, alpha, width: style.stroke_width() };
        if self.open.as_ref().is_none_or(|(open, _)| *open != pen) {
            self.close();
        }
        let (_, data) = self.open.get_or_insert_with(|| (pen, PathData::default()));
        data.polyline(points, is_closed);
    }

    fn fill(&mut self, color: BackendColor, corners: impl IntoIterator<Item = BackendCoord>) {
        let mut data = PathData::default();
        data.polyline(corners, true);
        self.fill_path(color, "", &data);
    }

    fn circle(&mut self, (x, y): BackendCoord, radius: u32, style: &impl BackendStyle, is_filled: bool) {
        self.close();
        let color = style.color();
        let _ = write!(self.text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" ");
        let _ = if is_filled {
            writeln!(self.text, "fill=\"{}\"{}/>", hexadecimal(color.rgb), opacity("fill", color.alpha))
        } else {
            let width = style.stroke_width();
            writeln!(
                self.text,
                "stroke=\"{}\"{} stroke-width=\"{width}\"/>",
                hexadecimal(color.rgb),
                opacity("stroke", color.alpha)
            )
        };
    }

    fn write(&mut self, text: &str, style: &impl BackendTextStyle, position: BackendCoord) {
        let mut data = PathData::default();
        let round = |[x, y]: [f64; 2]| (x.round() as i32, y.round() as i32);
        glyphs::outline(text, style, position, |segment| match segment {
            Segment::Move(p) => data.move_to(round(p)),
            Segment::Line(p) => data.line_to(round(p)),
            Segment::Quad(c, p) => data.curve_to([round(c), round(p)]),
            Segment::Cubic(c, d, p) => data.curve_to([round(c), round(d), round(p)]),
            Segment::Close => data.close(),
        });
        if !data.as_str().is_empty() {
            self.fill_path(style.color(), &format!(" aria-label=\"{}\"", escape(text)), &data);
        }
    }
}
