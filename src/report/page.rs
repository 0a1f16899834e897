use base64::{Engine, prelude::BASE64_STANDARD};
use serde::Serialize;

use super::{
    Motion,
    asset::{PROGRAM, STYLE},
    chart::Chart,
};
use crate::{
    plot::{Figure, PlotError},
    provenance::Provenance,
    stepper::UsedSettings,
};

/// How hard the data of a page are compressed, 0 to 10.
const COMPRESSION: u8 = 7;
/// Length of the markup of a stand-in from which on it is compressed: dozens of curves would take most of the page, for print alone.
const LARGE: usize = 100_000;

/// A page of HTML as it grows: one file with everything in it, which opens from disk.
#[derive(Debug, Default)]
pub struct Page {
    title: String,
    body: String,
    /// What the page's program shows: the name of its place, and JSON.
    data: Vec<(String, String)>,
    tables: usize,
    figures: usize,
}

/// A picture of a page that stands as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// What it shows, in a line.
    pub title: String,
    /// Media type, for example `image/svg+xml`.
    pub media_type: &'static str,
    /// The file.
    pub data: Vec<u8>,
    /// Whether it shows a part of what the others show: it comes after them.
    pub is_close_up: bool,
}

impl Page {
    /// A page with its title and a paragraph under it.
    pub fn new(title: &str, introduction: &str) -> Self {
        let mut page = Self { title: title.to_owned(), ..Self::default() };
        page.raw("<header>\n");
        page.element("h1", title);
        page.element("p", introduction);
        page.raw("</header>\n");
        page
    }

    /// Begins a section.
    pub fn section(&mut self, heading: &str) {
        self.element("h2", heading);
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.element("p", text);
    }

    /// Adds text in which every space counts, a scenario file for example.
    pub fn verbatim(&mut self, text: &str) {
        self.element("pre", text);
    }

    /// Adds markup as it is. It has to be well-formed XML.
    pub(crate) fn raw(&mut self, html: &str) -> &mut Self {
        self.body.push_str(html);
        self
    }

    /// Adds text, in which nothing is markup.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        escape(&mut self.body, text);
        self
    }

    /// Adds an element that holds text.
    pub(crate) fn element(&mut self, name: &str, text: &str) {
        self.raw("<").raw(name).raw(">").text(text).raw("</").raw(name).raw(">\n");
    }

    /// Adds a numbered table. The cells of the first column are its row headings; headings of columns
    /// may break after a colon.
    pub fn table(&mut self, caption: &str, header: &[String], rows: impl Iterator<Item = Vec<String>>) {
        self.tables += 1;
        let number = format!("Table {}.", self.tables);
        self.raw("<figure class=\"table\" tabindex=\"0\">\n<figcaption><b>").raw(&number).raw("</b> ");
        self.text(caption).raw("</figcaption>\n<table>\n<thead><tr>");
        for cell in header {
            self.raw("<th scope=\"col\">");
            for (index, part) in cell.split_inclusive(':').enumerate() {
                self.raw(if index > 0 { "<wbr/>" } else { "" }).text(part);
            }
            self.raw("</th>\n");
        }
        self.raw("</tr></thead>\n<tbody>\n");
        for row in rows {
            self.raw("<tr>");
            for (column, cell) in row.iter().enumerate() {
                self.element(if column == 0 { "th" } else { "td" }, cell);
            }
            self.raw("</tr>\n");
        }
        self.raw("</tbody>\n</table>\n</figure>\n");
    }

    /// Adds a table whose cells are sentences rather than numbers.
    pub fn table_of_words(
        &mut self,
        caption: &str,
        header: &[String],
        rows: impl Iterator<Item = Vec<String>>,
    ) {
        self.raw("<div class=\"words\">\n");
        self.table(caption, header, rows);
        self.raw("</div>\n");
    }

    /// Adds numbered pictures side by side, close-ups in a block of their own.
    pub fn pictures(&mut self, pictures: &[Picture]) {
        self.side_by_side(pictures, false);
    }

    fn side_by_side(&mut self, pictures: &[Picture], stand_in: bool) {
        for (class, is_close_up) in [("overview", false), ("close-ups", true)] {
            self.raw("<div class=\"").raw(class).raw("\">\n");
            for picture in pictures.iter().filter(|picture| picture.is_close_up == is_close_up) {
                self.picture(picture, stand_in && picture.data.len() >= LARGE);
            }
            self.raw("</div>\n");
        }
    }

    /// Adds a picture; one that `is_compressed` is shown by the page's program alone.
    fn picture(&mut self, picture: &Picture, is_compressed: bool) {
        self.figures += 1;
        let number = format!("Figure {}.", self.figures);
        self.raw("<figure>\n<img alt=\"").text(&picture.title).raw("\" ");
        match str::from_utf8(&picture.data) {
            _ if is_compressed => self
                .raw("data-type=\"")
                .raw(picture.media_type)
                .raw("\" data-deflated=\"")
                .raw(&deflated(&picture.data)),
            // Markup as it is takes less room than base64, if what ends an address is escaped.
            Ok(markup) if picture.media_type == "image/svg+xml" => {
                let markup = markup.replace('%', "%25").replace('#', "%23").replace('\n', " ");
                self.raw("src=\"data:").raw(picture.media_type).raw(",").text(&markup)
            }
            _ => {
                let data = BASE64_STANDARD.encode(&picture.data);
                self.raw("src=\"data:").raw(picture.media_type).raw(";base64,").raw(&data)
            }
        };
        self.raw("\"/>\n<figcaption><b>").raw(&number).raw("</b> ");
        self.text(&picture.title);
        if is_compressed {
            self.raw("<noscript> It is among the files beside this page, which shows it with scripts alone.</noscript>");
        }
        self.raw("</figcaption>\n</figure>\n");
    }

    /// Adds pictures that stand in for what the page's program shows: they are seen in print, and where scripts
    /// are off.
    pub fn stand_ins(&mut self, pictures: &[Picture]) {
        self.raw("<div class=\"stand-in\">\n");
        self.side_by_side(pictures, true);
        self.raw("</div>\n");
    }

    /// Adds a figure that can be zoomed, read off and exported; the picture of it stands in where scripts are off.
    ///
    /// A figure that is not made of curves alone is shown as it is.
    ///
    /// # Errors
    /// [`PlotError`] if it cannot be drawn.
    pub fn figure(&mut self, caption: &str, figure: &Figure) -> Result<(), PlotError> {
        let picture = Picture {
            title: caption.to_owned(),
            media_type: "image/svg+xml",
            data: figure.to_svg()?.into_bytes(),
            is_close_up: false,
        };
        let Some(chart) = Chart::of(figure) else {
            self.pictures(&[picture]);
            return Ok(());
        };
        self.interactive("chart", &chart, caption);
        self.stand_ins(&[picture]);
        Ok(())
    }

    /// Adds a figure of curves whose numbers stand in a table beside it, so that nothing need stand in for it where
    /// scripts are off.
    pub(crate) fn figure_without_stand_in(&mut self, caption: &str, figure: &Figure) {
        if let Some(chart) = Chart::of(figure) {
            self.interactive("chart", &chart, caption);
        }
    }

    /// Adds the motions of a scenario: the scene that plays, the curves over time with one cursor, contact modes,
    /// energy, friction cone and phase portrait. Give what stands in for it with [`Page::stand_ins`].
    pub fn motion(&mut self, motion: &Motion) {
        self.interactive("motion", motion, "The motion, as a scene that plays and as curves");
    }

    /// Adds what a step took, for the tab on accuracy against cost; such times differ from run to run, so that they
    /// stand apart from the [`Page::motion`] that shows them.
    pub fn costs(&mut self, costs: &[(String, f64)]) {
        let costs: serde_json::Map<String, serde_json::Value> =
            costs.iter().map(|(label, seconds)| (label.clone(), (*seconds).into())).collect();
        self.raw("<div id=\"costs\" data-seconds=\"");
        self.text(&serde_json::Value::Object(costs).to_string()).raw("\"></div>\n");
    }

    /// Adds a section on where the page comes from, and whatever else differs from run to run.
    pub fn provenance(
        &mut self,
        heading: &str,
        provenance: Option<&Provenance>,
        more: impl FnOnce(&mut Self),
    ) {
        self.raw("<section class=\"cost\">\n");
        self.section(heading);
        more(self);
        if let Some(provenance) = provenance {
            let machine = &provenance.machine;
            let overrides = match provenance.overrides.as_slice() {
                [] => "none".to_owned(),
                overrides => overrides.join(", "),
            };
            let rows = [
                ("command", provenance.command.clone()),
                ("overrides", overrides),
                ("version", env!("CARGO_PKG_VERSION").to_owned()),
                ("started", provenance.started.clone()),
                ("system", machine.os.clone()),
                ("processor", format!("{}, {} threads", machine.cpu, machine.threads)),
            ];
            let rows = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]);
            self.table_of_words("Where this report comes from.", &["".to_owned(), "".to_owned()], rows);
        }
        self.raw("</section>\n");
    }

    /// Adds the figures behind the settings that a scenario leaves to its `steppers`, where there are any.
    pub fn settings<'a>(&mut self, steppers: impl IntoIterator<Item = (&'a str, &'a UsedSettings)>) {
        let rows = steppers.into_iter().flat_map(|(stepper, settings)| {
            settings.lines().map(move |(key, value)| vec![stepper.to_owned(), key.to_owned(), value])
        });
        let rows: Vec<_> = rows.collect();
        if !rows.is_empty() {
            let header = ["stepper", "setting", "what it works with"].map(str::to_owned);
            self.table_of_words("Settings that depend on the scenario.", &header, rows.into_iter());
        }
    }

    /// A place that the page's program fills with what `data` says.
    fn interactive(&mut self, kind: &str, data: &impl Serialize, label: &str) {
        let id = format!("{kind}-{}", self.data.len() + 1);
        // Data of strings and numbers alone can be written; there is nothing else in it.
        let json = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
        self.data.push((id.clone(), json));
        self.raw("<section class=\"interactive\" id=\"").raw(&id).raw("\" data-kind=\"").raw(kind);
        self.raw("\" aria-label=\"").text(label).raw("\"></section>\n");
    }

    /// A place where the page's program asks a server for the motion as somebody turns at its scenario.
    pub(crate) fn live(&mut self, start: &impl Serialize) {
        self.interactive("live", start, "The scenario, to be turned at");
        self.raw("<noscript><p>This page needs its scripts.</p></noscript>\n");
    }

    /// The whole page, with its style and its program in it.
    pub fn finish(self) -> String {
        const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                              img-src data: blob:";
        let mut head = format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<style>\n{STYLE}</style>\n"
        );
        if !self.data.is_empty() {
            head += "<script>\n";
            head += PROGRAM;
            head += "</script>\n";
        }
        for (id, json) in &self.data {
            let data = deflated(json.as_bytes());
            head += &format!(
                "<script type=\"application/json\" id=\"{id}-data\" data-encoding=\"deflate\">{data}</script>\n"
            );
        }
        self.finish_with(&head)
    }

    /// The whole page, for a server that has style and program as files.
    pub(crate) fn finish_served(self) -> String {
        let mut head = "<link rel=\"stylesheet\" href=\"/report.css\">\n\
                        <script src=\"/report.js\" defer=\"\"></script>\n"
            .to_owned();
        for (id, json) in &self.data {
            // No text of the data may end the element.
            let json = json.replace('<', "\\u003c");
            head += &format!("<script type=\"application/json\" id=\"{id}-data\">{json}</script>\n");
        }
        self.finish_with(&head)
    }

    fn finish_with(self, head: &str) -> String {
        let mut html = String::with_capacity(self.body.len() + head.len() + 1000);
        html += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
        html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
        html += "<link rel=\"icon\" href=\"data:,\">\n<title>";
        escape(&mut html, &self.title);
        html += "</title>\n";
        html += head;
        html += "</head>\n<body>\n";
        html += &self.body;
        html += "</body>\n</html>\n";
        html
    }
}

/// What the page's program inflates: zlib in base64.
fn deflated(data: &[u8]) -> String {
    BASE64_STANDARD.encode(miniz_oxide::deflate::compress_to_vec_zlib(data, COMPRESSION))
}

fn escape(html: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            // XML has no control characters, and browsers show none.
            c if c.is_control() && c != '\n' => html.push(char::REPLACEMENT_CHARACTER),
            c => html.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LARGE, Page, Picture};

    fn stood_in(length: usize) -> String {
        let mut page = Page::new("page", "");
        let data = "<svg/>".bytes().cycle().take(length).collect();
        page.stand_ins(&[Picture {
            title: "curves".to_owned(),
            media_type: "image/svg+xml",
            data,
            is_close_up: false,
        }]);
        page.finish()
    }

    #[test]
    fn large_stand_ins_are_compressed_and_say_where_else_they_are() {
        let (small, large) = (stood_in(LARGE - 1), stood_in(LARGE));
        assert!(small.contains("<img alt=\"curves\" src=\"data:image/svg+xml,&lt;svg/"));
        assert!(large.contains("<img alt=\"curves\" data-type=\"image/svg+xml\" data-deflated=\""));
        assert!(large.contains("<noscript> It is among the files beside this page"));
        assert!(large.len() < small.len() / 2);
    }
}
