use std::fmt::Write as _;

/// XML in the making.
#[derive(Debug, Default)]
pub(super) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

impl Xml {
    /// A document that begins with a comment of these lines.
    pub fn new(comment: &[String]) -> Self {
        let mut xml = Self::default();
        xml.text.push_str("<?xml version=\"1.0\"?>\n<!--\n");
        for line in comment {
            // No two hyphens may stand together in a comment: the first pass parts those of pairs, the second the pairs.
            let _ = writeln!(xml.text, "  {}", line.replace("--", "- -").replace("--", "- -"));
        }
        xml.text.push_str("-->\n");
        xml
    }

    /// Opens an element.
    pub fn open(&mut self, name: &'static str, attributes: &[(&str, String)]) -> &mut Self {
        self.start(name, attributes).text.push_str(">\n");
        self.open.push(name);
        self
    }

    /// Closes the element that was opened last.
    pub fn close(&mut self) -> &mut Self {
        if let Some(name) = self.open.pop() {
            let _ = writeln!(self.text, "{}</{name}>", "  ".repeat(self.open.len()));
        }
        self
    }

    /// An element without content.
    pub fn leaf(&mut self, name: &str, attributes: &[(&str, String)]) -> &mut Self {
        self.start(name, attributes).text.push_str("/>\n");
        self
    }

    /// An element that holds a text.
    pub fn value(&mut self, name: &str, content: &str) -> &mut Self {
        self.start(name, &[]);
        let _ = writeln!(self.text, ">{}</{name}>", escaped(content));
        self
    }

    fn start(&mut self, name: &str, attributes: &[(&str, String)]) -> &mut Self {
        let _ = write!(self.text, "{}<{name}", "  ".repeat(self.open.len()));
        for (key, value) in attributes {
            let _ = write!(self.text, " {key}=\"{}\"", escaped(value));
        }
        self
    }

    /// The document with everything closed.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Numbers with full precision, separated by spaces.
pub(super) fn numbers(values: impl IntoIterator<Item = f64>) -> String {
    // Adding zero takes the sign off a negative zero.
    values.into_iter().map(|value| (value + 0.0).to_string()).collect::<Vec<_>>().join(" ")
}
