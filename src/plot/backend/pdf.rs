use std::collections::BTreeMap;

use pdf_writer::{
    Content, Filter, Finish, Name, Pdf as Document, Rect, Ref, Str, TextStr,
    types::{CidFontType, FontFlags, LineJoinStyle, SystemInfo, UnicodeCmap},
};
use plotters::style::FontTransform;
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle};
use subsetter::GlyphRemapper;

use super::{
    super::font::Face,
    SUBUNITS,
    glyphs::Placement,
    sheet::{Ink, Sheet},
};

/// Control points of a quarter of a circle lie so far along its tangents, in radii.
const QUARTER: f32 = 0.552_284_8;

/// A page of PDF in the making. Text stays text: it can be searched and copied, in the glyphs of the typeface that it
/// uses, which are embedded. Colours are opaque, as those of all our pictures are.
pub(in super::super) type Pdf = Sheet<PdfInk>;

/// What is drawn so far.
pub(in super::super) struct PdfInk {
    size: (u32, u32),
    /// Points of the page per coordinate.
    scale: f64,
    title: String,
    content: Content,
    fonts: [Font; 2],
}

/// What of a face is used.
struct Font {
    face: Face,
    name: Name<'static>,
    glyphs: GlyphRemapper,
    /// Of each glyph by its new number, what it stands for and its width in thousandths of the type size.
    used: BTreeMap<u16, (char, f32)>,
}

impl Pdf {
    /// A page of `width` x `height` units of `unit` points each.
    pub(in super::super) fn new(width: f64, height: f64, unit: f64, title: &str) -> Self {
        let size = ((width * SUBUNITS).ceil() as u32, (height * SUBUNITS).ceil() as u32);
        let scale = unit / SUBUNITS;
        let mut content = Content::new();
        let page_height = f64::from(size.1) * scale;
        content.transform([scale as f32, 0.0, 0.0, -scale as f32, 0.0, page_height as f32]);
        content.set_line_join(LineJoinStyle::RoundJoin);
        let font =
            |face, name| Font { face, name: Name(name), glyphs: GlyphRemapper::new(), used: BTreeMap::new() };
        let fonts = [font(Face::Upright, b"F0"), font(Face::Italic, b"F1")];
        Sheet(PdfInk { size, scale, title: title.to_owned(), content, fonts })
    }

    /// The finished document; an error if the typeface cannot be cut down.
    pub(in super::super) fn finish(self) -> Result<Vec<u8>, subsetter::Error> {
        let Self(ink) = self;
        let mut next = 0;
        let mut reference = || {
            next += 1;
            Ref::new(next)
        };
        let (catalog, pages, page, contents, information) =
            (reference(), reference(), reference(), reference(), reference());
        let mut document = Document::new();
        document.catalog(catalog).pages(pages);
        document.pages(pages).kids([page]).count(1);
        document.document_info(information).title(TextStr(&ink.title));
        let used: Vec<(&Font, [Ref; 5])> = (ink.fonts.iter())
            .filter(|font| !font.used.is_empty())
            .map(|font| (font, std::array::from_fn(|_| reference())))
            .collect();
        let mut sheet = document.page(page);
        let side = |length: u32| (f64::from(length) * ink.scale) as f32;
        sheet.media_box(Rect::new(0.0, 0.0, side(ink.size.0), side(ink.size.1)));
        sheet.parent(pages).contents(contents);
        let mut resources = sheet.resources();
        let mut fonts = resources.fonts();
        for (font, [reference, ..]) in &used {
            fonts.pair(font.name, *reference);
        }
        fonts.finish();
        resources.finish();
        sheet.finish();
        for (font, references) in used {
            font.write(&mut document, references)?;
        }
        let content = compressed(&ink.content.finish());
        document.stream(contents, &content).filter(Filter::FlateDecode);
        Ok(document.finish())
    }
}

impl PdfInk {
    fn polyline(&mut self, points: impl IntoIterator<Item = BackendCoord>, close: bool) {
        for (index, (x, y)) in points.into_iter().enumerate() {
            if index == 0 {
                self.content.move_to(x as f32, y as f32);
            } else {
                self.content.line_to(x as f32, y as f32);
            }
        }
        if close {
            self.content.close_path();
        }
    }

    fn set_fill(&mut self, color: BackendColor) {
        let [red, green, blue] = colour(color);
        self.content.set_fill_rgb(red, green, blue);
    }
}

fn colour(color: BackendColor) -> [f32; 3] {
    let (red, green, blue) = color.rgb;
    [red, green, blue].map(|channel| f32::from(channel) / 255.0)
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6)
}

impl Font {
    /// The new number of a glyph, which from now on is used.
    fn glyph(&mut self, glyph: u16, character: char, advance: f64) -> u16 {
        let new = self.glyphs.remap(glyph);
        self.used.entry(new).or_insert((character, (1000.0 * advance) as f32));
        new
    }

    fn write(
        &self,
        document: &mut Document,
        [reference, descendant, descriptor, unicode, file]: [Ref; 5],
    ) -> Result<(), subsetter::Error> {
        // Six letters before the name say that it is a part.
        let name: &[u8] =
            if self.face == Face::Upright { b"STICKU+DejaVuSans" } else { b"STICKI+DejaVuSans-Oblique" };
        let name = Name(name);
        let system = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
        document
            .type0_font(reference)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(descendant)
            .to_unicode(unicode);
        let mut font = document.cid_font(descendant);
        font.subtype(CidFontType::Type2).base_font(name).system_info(system).font_descriptor(descriptor);
        font.default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
        let mut widths = font.widths();
        for (&glyph, &(_, width)) in &self.used {
            widths.consecutive(glyph, [width]);
        }
        widths.finish();
        font.finish();
        let italic = self.face == Face::Italic;
        let flags = if italic { FontFlags::SYMBOLIC | FontFlags::ITALIC } else { FontFlags::SYMBOLIC };
        // Measures of DejaVu Sans in thousandths of the type size.
        document
            .font_descriptor(descriptor)
            .name(name)
            .flags(flags)
            .bbox(Rect::new(-1021.0, -463.0, 1793.0, 1232.0))
            .italic_angle(if italic { -11.0 } else { 0.0 })
            .ascent(928.0)
            .descent(-236.0)
            .cap_height(729.0)
            .stem_v(80.0)
            .font_file2(file);
        let mut map = UnicodeCmap::new(Name(b"Custom"), system);
        for (&glyph, &(character, _)) in &self.used {
            map.pair(glyph, character);
        }
        document.cmap(unicode, &map.finish());
        let part = subsetter::subset(self.face.bytes(), 0, &self.glyphs)?;
        document.stream(file, &compressed(&part)).filter(Filter::FlateDecode);
        Ok(())
    }
}

impl Ink for PdfInk {
    fn size(&self) -> (u32, u32) {
        self.size
    }

    fn stroke(
        &mut self,
        style: &impl BackendStyle,
        points: impl IntoIterator<Item = BackendCoord>,
        is_closed: bool,
    ) {
        let [red, green, blue] = colour(style.color());
        self.content.set_stroke_rgb(red, green, blue).set_line_width(style.stroke_width() as f32);
        self.polyline(points, is_closed);
        self.content.stroke();
    }

    fn fill(&mut self, color: BackendColor, corners: impl IntoIterator<Item = BackendCoord>) {
        self.set_fill(color);
        self.polyline(corners, true);
        self.content.fill_nonzero();
    }

    fn circle(&mut self, (x, y): BackendCoord, radius: u32, style: &impl BackendStyle, is_filled: bool) {
        let (x, y, r) = (x as f32, y as f32, radius as f32);
        let [red, green, blue] = colour(style.color());
        let q = QUARTER * r;
        self.content.set_stroke_rgb(red, green, blue).set_fill_rgb(red, green, blue);
        self.content.set_line_width(style.stroke_width() as f32).move_to(x + r, y);
        self.content.cubic_to(x + r, y + q, x + q, y + r, x, y + r);
        self.content.cubic_to(x - q, y + r, x - r, y + q, x - r, y);
        self.content.cubic_to(x - r, y - q, x - q, y - r, x, y - r);
        self.content.cubic_to(x + q, y - r, x + r, y - q, x + r, y).close_path();
        if is_filled {
            self.content.fill_nonzero()
        } else {
            self.content.stroke()
        };
    }

    fn write(&mut self, text: &str, style: &impl BackendTextStyle, position: BackendCoord) {
        let placement = Placement::of(text, style, position);
        let face = placement.face;
        let font = &mut self.fonts[usize::from(face == Face::Italic)];
        let mut pieces: Vec<(f32, [u8; 2])> = Vec::new();
        let mut pen = 0.0;
        for ((glyph, start, advance), character) in face.glyphs(text).zip(text.chars()) {
            let kern = (-1000.0 * (start - pen)) as f32;
            pieces.push((kern, font.glyph(glyph.0, character, advance).to_be_bytes()));
            pen = start + advance;
        }
        let name = font.name;
        let [x, y] = placement.place([0.0, 0.0]).map(|part| part as f32);
        // Glyphs stand upright, while our y runs downwards.
        let [a, b, c, d] = match style.transform() {
            FontTransform::None => [1.0, 0.0, 0.0, -1.0],
            FontTransform::Rotate90 => [0.0, 1.0, 1.0, 0.0],
            FontTransform::Rotate180 => [-1.0, 0.0, 0.0, 1.0],
            FontTransform::Rotate270 => [0.0, -1.0, -1.0, 0.0],
        };
        self.set_fill(style.color());
        self.content.begin_text();
        self.content.set_font(name, placement.size as f32).set_text_matrix([a, b, c, d, x, y]);
        let mut shown = self.content.show_positioned();
        let mut items = shown.items();
        let mut run: Vec<u8> = Vec::new();
        for (kern, glyph) in pieces {
            if kern != 0.0 {
                items.show(Str(&run)).adjust(kern);
                run.clear();
            }
            run.extend(glyph);
        }
        items.show(Str(&run));
        items.finish();
        shown.finish();
        self.content.end_text();
    }
}
