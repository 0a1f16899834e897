//! The head of a request, read with limits.

use std::{
    io::{self, BufRead},
    str,
};

/// Most bytes of a head, and of its first line.
const MOST_BYTES: usize = 16_384;
const MOST_TARGET: usize = 8_192;
/// Most header lines.
const MOST_LINES: usize = 100;

/// What a client asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    /// The path, still encoded.
    pub path: String,
    /// What follows the question mark, still encoded; empty without one.
    pub query: String,
    /// Whether the client wants to ask more on this connection.
    pub keep_alive: bool,
}

/// Why a request is not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// Status of HTTP.
    pub status: u16,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Fault {
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }
}

impl Request {
    /// Reads the next request; `None` at the end of the connection.
    ///
    /// # Errors
    /// The fault to answer with; the connection cannot be used after it.
    pub fn read(input: &mut impl BufRead, port: u16) -> Result<Option<Self>, Fault> {
        let mut left = MOST_BYTES;
        let Some(first) = line(input, &mut left)? else { return Ok(None) };
        let mut words = first.split(' ');
        let (method, target, version) = (words.next(), words.next(), words.next());
        let (Some(method), Some(target), Some(version), None) = (method, target, version, words.next())
        else {
            return Err(Fault::new(400, "this is not a request of HTTP: METHOD TARGET HTTP/1.1 is expected"));
        };
        if !["HTTP/1.1", "HTTP/1.0"].contains(&version) {
            return Err(Fault::new(505, "only HTTP/1.1 is spoken here"));
        }
        if target.len() > MOST_TARGET {
            return Err(Fault::new(414, format!("the address is longer than {MOST_TARGET} bytes")));
        }
        let mut keep_alive = version == "HTTP/1.1";
        let mut host: Option<String> = None;
        let mut origin: Option<String> = None;
        for count in 0.. {
            let Some(line) = line(input, &mut left)? else {
                return Err(Fault::new(400, "the request ends in the middle"));
            };
            if line.is_empty() {
                break;
            }
            if count == MOST_LINES {
                return Err(Fault::new(431, format!("there are more than {MOST_LINES} header lines")));
            }
            let (name, value) = line.split_once(':').unwrap_or_default();
            if name.is_empty()
                || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
            {
                return Err(Fault::new(400, "a header line is NAME: VALUE"));
            }
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "host" if host.is_some() => return Err(Fault::new(400, "there is more than one Host")),
                "host" => host = Some(value.to_owned()),
                "origin" => origin = Some(value.to_owned()),
                "connection" => keep_alive &= !value.eq_ignore_ascii_case("close"),
                "transfer-encoding" => return Err(Fault::new(400, "a request has no body here")),
                "content-length" if value != "0" => {
                    return Err(Fault::new(400, "a request has no body here"));
                }
                _ => {}
            }
        }
        let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        match host {
            None => return Err(Fault::new(400, "there is no Host")),
            Some(host) if !own.contains(&host) => {
                return Err(Fault::new(403, format!("this server is http://127.0.0.1:{port} and no other")));
            }
            Some(_) => {}
        }
        if origin.is_some_and(|origin| !own.iter().any(|own| origin == format!("http://{own}"))) {
            return Err(Fault::new(403, "pages from elsewhere are not answered"));
        }
        if method != "GET" {
            return Err(Fault::new(405, "only GET is answered"));
        }
        if !target.starts_with('/') {
            return Err(Fault::new(400, "the address has to be a path, as in /curves?ground.friction=0.3"));
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Ok(Some(Self { path: path.to_owned(), query: query.to_owned(), keep_alive }))
    }
}

/// The next line without its end; `None` at the end of the input.
fn line(input: &mut impl BufRead, left: &mut usize) -> Result<Option<String>, Fault> {
    let mut bytes = Vec::new();
    let read = io::Read::take(&mut *input, *left as u64).read_until(b'\n', &mut bytes);
    let count = read.map_err(|_| Fault::new(408, "the request did not come in time"))?;
    if count == 0 && *left > 0 {
        return Ok(None);
    }
    if bytes.pop() != Some(b'\n') {
        let whole = count < *left;
        return Err(if whole {
            Fault::new(400, "the request ends in the middle")
        } else {
            Fault::new(431, format!("the head of the request is longer than {MOST_BYTES} bytes"))
        });
    }
    *left -= count;
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    let text = str::from_utf8(&bytes).ok().filter(|text| !text.chars().any(char::is_control));
    text.map(|text| Some(text.to_owned()))
        .ok_or_else(|| Fault::new(400, "the head of the request has bytes that do not belong"))
}
