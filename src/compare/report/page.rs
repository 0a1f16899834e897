/// A page of HTML as it grows.
#[derive(Default)]
pub(super) struct Page {
    text: String,
    tables: usize,
    figures: usize,
}

impl Page {
    /// The whole page.
    pub fn finish(self) -> String {
        self.text
    }

    /// Adds markup as it is.
    pub fn raw(&mut self, html: &str) -> &mut Self {
        self.text.push_str(html);
        self
    }

    /// Adds text, in which nothing is markup.
    pub fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            match c {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                // XML has no control characters, and browsers show none.
                c if c.is_control() && c != '\n' => self.text.push(char::REPLACEMENT_CHARACTER),
                c => self.text.push(c),
            }
        }
        self
    }

    /// Adds an element that holds text.
    pub fn element(&mut self, name: &str, text: &str) {
        self.raw("<").raw(name).raw(">").text(text).raw("</").raw(name).raw(">\n");
    }

    /// Adds a numbered table. The cells of the first column are its row headings; headings of columns
    /// may break after a colon.
    pub fn table(&mut self, caption: &str, header: &[String], rows: impl Iterator<Item = Vec<String>>) {
        self.tables += 1;
        let number = format!("Table {}.", self.tables);
        self.raw("<figure class=\"table\">\n<figcaption><b>").raw(&number).raw("</b> ").text(caption);
        self.raw("</figcaption>\n<table>\n<thead><tr>");
        for cell in header {
            self.raw("<th>");
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

    /// Adds a numbered picture, given as a data URL.
    pub fn figure(&mut self, caption: &str, url: &str) {
        self.figures += 1;
        let number = format!("Figure {}.", self.figures);
        self.raw("<figure>\n<img alt=\"").text(caption).raw("\" src=\"").raw(url).raw("\"/>\n");
        self.raw("<figcaption><b>").raw(&number).raw("</b> ").text(caption).raw("</figcaption>\n</figure>\n");
    }
}
